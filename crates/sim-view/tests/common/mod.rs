//! Small run folders, written by hand so that every number in them is known.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub mod bobs;
pub mod page;
pub mod scene;
pub mod sweeps;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const RUN_JSON: &str = r#"{
  "format": "sim-run/1", "version": "0.1.0", "scenario": "hand-made", "world": "mat", "seed": 7, "run_index": 0, "steps": 600,
  "steps_done": 600, "complete": true, "reason": "it was stopped", "final_state_hash": null,
  "state_hash_every": 600, "state_hashes": []
}"#;

const SCENARIO_JSON: &str = r#"{
  "name": "hand-made", "world": "mat", "seed": 7, "step_hz": 60, "steps": 600,
  "mat": { "width_mm": 400, "height_mm": 400 },
  "feet": { "count": FEET, "travel": "core", "manner": "stubborn", "core_inset_mm": 120 },
  "patches": { "count": PATCHES },
  "field": { "lambda_rho": 1, "beta_per_s": 2.5, "window_s": 0.6, "cell_mm": 5, "sigma_mm": 40, "stretch_s": 0.2 },
  "agents": { "count": AGENTS, "drive": "point" },
  "safety": { "d_h_mm": 100, "d_r_mm": 60, "wall_margin_mm": 16, "filter": "joint" },
  "limits": { "v_max_mm_s": 252, "a_max_mm_s2": 3000, "omega_max_rad_s": 12 },
  "trace": { "every": 6 }
}"#;

/// A floor of 8 m by 4 m with a pillar in it; cars whose wheels are long and thin, with a lidar of four rays 0.1 m ahead of the base point.
const ROAD_JSON: &str = r#"{
  "name": "hand-made", "world": "road", "seed": 7, "step_hz": 100, "steps": 600,
  "map": { "walls_m": [], "floor_m": [[[0, 0], [8, 0], [8, 4], [0, 4]], [[6, 1], [7, 1], [7, 2], [6, 2]]], "solid_m": [] },
  "cars": [CARS],
  "trace": { "every": 10, "lidar": "FORM" }
}"#;
const CAR_JSON: &str = r#"{
  "params": { "body_length_m": 0.6, "body_width_m": 0.4, "base_to_rear_bumper_m": 0.2, "wheelbase_m": 0.4, "track_m": 0.24,
    "base_to_rear_axle_m": 0.1, "wheel_radius_m": 0.08, "wheel_width_m": 0.03 },
  "sensors": { "lidar": { "mount": { "x_m": 0.1, "y_m": 0, "yaw_deg": 0 }, "angle_min_deg": 0, "angle_max_deg": 360,
    "increment_deg": 90, "range_min_m": 0.05 } }
}"#;

/// The scenario with so many robots, feet and patches.
fn scenario_json([robots, feet, patches]: [usize; 3]) -> String {
    let counted = SCENARIO_JSON.replace("AGENTS", &robots.to_string()).replace("FEET", &feet.to_string());
    counted.replace("PATCHES", &patches.to_string())
}

/// How runs of 400 mm by 400 mm with robots, feet and patches are drawn; the same with cubes, a printed mat, a card, a wall and a magnet;
/// and a floor of 8 m by 4 m with a pillar in it, whose cars have long and thin wheels and a lidar of four rays 0.1 m ahead of the base.
pub const SWARM_VIEW: &str = include_str!("../views/swarm.json");
pub const CUBES_VIEW: &str = include_str!("../views/cubes.json");
pub const ROAD_VIEW: &str = include_str!("../views/road.json");

/// Header line of a table.
pub fn header_of(name: &str) -> &'static str {
    match name {
        "agents.csv" => {
            "step,time_s,agent,x_mm,y_mm,heading_rad,speed_mm_s,omega_rad_s,vx_mm_s,vy_mm_s,wish_x_mm_s,wish_y_mm_s,\
             nearest_agent_mm,nearest_foot_mm"
        }
        "feet.csv" => "step,time_s,foot,state,x_mm,y_mm,vx_mm_s,vy_mm_s",
        "patches.csv" => "step,time_s,patch,x_mm,y_mm,sigma_mm,peak",
        "cubes.csv" => {
            "step,time_s,cube,x_mm,y_mm,z_mm,yaw_rad,pitch_rad,roll_rad,mat_x,mat_y,mat_deg,left_mm_s,right_mm_s,\
             led_r,led_g,led_b,sound,battery_percent"
        }
        "cars.csv" => {
            "step,time_s,car,x_m,y_m,yaw_rad,speed_m_s,yaw_rate_rad_s,steer_rad,steer_left_rad,steer_right_rad,\
             motor_rps,target_rps,status"
        }
        "lidar.csv" => "step,time_s,car,taken_s,ray_0_m,ray_1_m,ray_2_m,ray_3_m",
        "messages.csv" => "step,time_s,cube,dir,characteristic,hex,meaning",
        "summary.csv" => "metric,value,unit,limit,ok",
        _ => "step,time_s,kind,subject,object,value,unit",
    }
}

/// `tables.json` of a run with so many owners in each of the sampled tables.
pub fn tables_json(owners: &[(&str, usize)]) -> String {
    let streams = owners.iter().map(|&(name, owners)| {
        let cadence = match name {
            "lidar" | "events" | "messages" => r#"{"on_event":{}}"#.to_owned(),
            _ => format!(r#"{{"sampled":{{"owners":{owners}}}}}"#),
        };
        let columns = columns_of(header_of(&format!("{name}.csv")));
        format!(r#"{{"name":"{name}","about":"","cadence":{cadence},"columns":[{columns}]}}"#)
    });
    format!(r#"{{"streams":[{}]}}"#, streams.collect::<Vec<_>>().join(","))
}

/// Descriptions of the columns of a header; those of rays are one.
fn columns_of(header: &str) -> String {
    let rays = header.split(',').filter(|name| name.starts_with("ray_")).count();
    let one = header.split(',').filter(|name| !name.starts_with("ray_")).map(|name| {
        let kind = match name {
            "step" | "agent" | "foot" | "patch" | "cube" | "car" | "ray" | "sound" => "integer",
            "state" | "status" | "kind" | "subject" | "object" | "unit" | "dir" | "characteristic" | "hex"
            | "meaning" => "text",
            _ => "number",
        };
        format!(r#"{{"name":"{name}","kind":"{kind}","about":""}}"#)
    });
    let all = (rays > 0).then(|| format!(r##"{{"name":"ray_#_m","kind":{{"numbers":{rays}}},"about":""}}"##));
    one.chain(all).collect::<Vec<_>>().join(",")
}

/// A folder that goes away with the test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// `robots` robots in a row that walk to the right by 1 mm a row, and a foot at rest, with a row every six steps.
    pub fn of_swarm(robots: usize, rows: usize) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("run.json", RUN_JSON);
        folder.write("scenario.json", &scenario_json([robots, 1, 0]));
        folder.write("view.json", SWARM_VIEW);
        folder.write("tables.json", &tables_json(&[("agents", robots), ("feet", 1), ("patches", 0), ("events", 0)]));
        let [mut agents, mut feet] = ["agents.csv", "feet.csv"].map(|name| format!("{}\n", header_of(name)));
        for row in 0..rows {
            let (step, time_s) = (6 * row, row as f64 / 10.0);
            for k in 0..robots {
                let x_mm = 100.0 * k as f64 + row as f64 + 0.1;
                writeln!(agents, "{step},{time_s},{k},{x_mm},50,0,10,0,10,0,0,0,100,").unwrap();
            }
            writeln!(feet, "{step},{time_s},0,idle,200,200,0,0").unwrap();
        }
        if robots > 0 {
            folder.write("agents.csv", &agents);
        }
        folder.write("feet.csv", &feet);
        folder.write("events.csv", &format!("{}\n", header_of("events.csv")));
        folder.write(
            "summary.csv",
            &format!("{}\nd_r_violations,0,count,0,true\nmin_robot_foot_mm,,mm,100,\n", header_of("summary.csv")),
        );
        folder
    }

    /// Tables with the given rows: those of `agents.csv`, `feet.csv` and `patches.csv`, all of step 0, without step and time.
    pub fn of_rows(rows: [&[&str]; 3]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("run.json", RUN_JSON);
        folder.write("scenario.json", &scenario_json(rows.map(<[_]>::len)));
        folder.write("view.json", SWARM_VIEW);
        let [agents, feet, patches] = rows.map(<[_]>::len);
        let owners = [("agents", agents), ("feet", feet), ("patches", patches), ("events", 0)];
        folder.write("tables.json", &tables_json(&owners));
        for (name, rows) in ["agents.csv", "feet.csv", "patches.csv"].into_iter().zip(rows) {
            let lines: String = rows.iter().map(|row| format!("0,0,{row}\n")).collect();
            folder.write(name, &format!("{}\n{lines}", header_of(name)));
        }
        folder
    }

    /// A run on the road with so many cars, the given rows of `cars.csv`, and scans of one ray a column; without any if there are none.
    pub fn of_road(cars: usize, rows: &[&str], scans: &[&str]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("run.json", &RUN_JSON.replace("\"mat\"", "\"road\""));
        let form = if scans.is_empty() { "off" } else { "wide" };
        folder
            .write("scenario.json", &ROAD_JSON.replace("CARS", &vec![CAR_JSON; cars].join(",")).replace("FORM", form));
        folder.write("view.json", ROAD_VIEW);
        folder.write("tables.json", &tables_json(&[("cars", cars), ("lidar", 0), ("events", 0)]));
        folder.write_rows("cars.csv", rows);
        folder.write_rows("events.csv", &[]);
        if !scans.is_empty() {
            folder.write_rows("lidar.csv", scans);
        }
        folder
    }

    /// A table with its header and the given rows.
    pub fn write_rows(&self, name: &str, rows: &[&str]) {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        self.write(name, &format!("{}\n{lines}", header_of(name)));
    }

    /// A batch with the given `runs.csv`.
    pub fn of_batch(runs_csv: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let record = RUN_JSON.replace("sim-run/1", "sim-batch/1").replace("run_index", "first_run_index");
        folder.write("run.json", &record.replace("steps_done", "runs_done").replace("\"steps\"", "\"runs\""));
        folder.write("runs.csv", runs_csv);
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path().join(name)).unwrap();
    }

    pub fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path().join(from), self.path().join(to)).unwrap();
    }
}
