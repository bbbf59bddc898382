//! Runs on the road: the same again whatever was cloned, thrown away or run beside it; what cars do; what the tables say of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use car_sim::{SegmentMap, Simulator, SimulatorParams, Status};
use sim_core::angle;
use sim_run::scenario::{Override, load};
use sim_run::{Control, Model, RunOptions, run_batch, run_one};
use sim_world::World;
use sim_worlds::WORLDS;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use test_runs::{
    MEETING, PLAN, ROADS, ROUTE, WALL, batch, files, json, key, names, numbers, road, road_model, road_scenario, same,
    table, temporary,
};
use world_road::{MEASURES, RoadModel, RoadWorld, SensorKind};

const STEPS: u64 = 600;

/// The members of a road with a number of steps.
fn with_steps(members: &str, steps: u64) -> String {
    format!("\"steps\": {steps}, {members}")
}

fn model(members: &str) -> Arc<dyn Model> {
    road_scenario(members).model
}

fn traced(members: &str, out: &Path, every: u64) -> RunOptions {
    RunOptions {
        out: Some(out.to_path_buf()),
        trace_every: Some(every),
        scenario_json: road_scenario(members).resolved,
        ..RunOptions::default()
    }
}

fn hashes(world: &mut RoadWorld, steps: u64) -> Vec<u64> {
    let step = |_| {
        world.step().unwrap();
        world.state_hash()
    };
    (0..steps).map(step).collect()
}

/// Values of all readings of a step.
fn readings(world: &RoadWorld) -> Vec<(usize, SensorKind, u64, u64, Vec<f64>)> {
    let all = world.readings();
    let arrivals = all.arrivals().iter();
    arrivals.map(|a| (a.car, a.kind, a.arrived.0, a.taken.0, all.values(a).to_vec())).collect()
}

#[test]
fn the_same_key_gives_the_same_states_and_another_key_other_noise() {
    for (kind, members) in ROADS {
        assert_eq!(hashes(&mut road(members, 3), STEPS), hashes(&mut road(members, 3), STEPS), "{kind}");
    }
    for (kind, members) in [("route", ROUTE), ("wall", WALL)] {
        let (first, other) = (hashes(&mut road(members, 3), STEPS), hashes(&mut road(members, 4), STEPS));
        assert!(first.iter().zip(&other).all(|(a, b)| a != b), "{kind}: another run index");
    }
    // What no draw takes part in does not depend on the run.
    assert_eq!(hashes(&mut road(PLAN, 0), STEPS), hashes(&mut road(PLAN, 1), STEPS));
}

#[test]
fn a_state_cloned_in_mid_run_goes_on_as_the_original() {
    for (kind, members) in ROADS {
        // 235 steps are a moment at which scans are under way.
        let mut original = road(members, 0);
        hashes(&mut original, 235);
        let mut copy = RoadWorld::resume(road_model(members), key(0), original.state().clone());
        assert_eq!(copy.state_hash(), original.state_hash(), "{kind}");
        for _ in 0..STEPS {
            copy.step().unwrap();
            original.step().unwrap();
            assert_eq!(copy.state_hash(), original.state_hash(), "{kind}, step {}", original.tick().0);
            assert_eq!(readings(&copy), readings(&original), "{kind}, step {}", original.tick().0);
        }
    }
}

#[test]
fn scratch_thrown_away_before_every_step_changes_nothing() {
    for (kind, members) in ROADS {
        let (mut kept, mut dropped) = (road(members, 0), road(members, 0));
        for _ in 0..STEPS {
            dropped.drop_scratch();
            kept.step().unwrap();
            dropped.step().unwrap();
            assert_eq!(kept.state_hash(), dropped.state_hash(), "{kind}, step {}", kept.tick().0);
        }
    }
}

#[test]
fn jobs_batches_and_single_runs_write_the_same_bytes() {
    for (_, members) in ROADS {
        let members = with_steps(members, 300);
        let ((_a, one), (_b, three), (_c, alone)) = (temporary(), temporary(), temporary());
        let model = model(&members);
        run_batch(&model, &traced(&members, &one, 10), &batch(0..5, 1), &Control::none()).unwrap();
        run_batch(&model, &traced(&members, &three, 10), &batch(0..5, 3), &Control::none()).unwrap();
        assert_eq!(files(&one), files(&three));
        run_one(&model, key(4), &traced(&members, &alone, 10), &Control::none()).unwrap();
        assert_eq!(files(&alone), files(&one.join("run-00004")));
        assert!(!one.join("closest.csv").exists());
    }
}

/// Every number of `cars.csv` is that of the engine for programs, driven by the same commands at the same ms, to the bit.
#[test]
fn the_table_of_cars_is_what_the_engine_tells() {
    let members = with_steps(PLAN, 600);
    let (_root, out) = temporary();
    run_one(&model(&members), key(0), &traced(&members, &out, 1), &Control::none()).unwrap();
    let (header, rows) = table(&out.join("cars.csv"));
    assert_eq!(
        header.join(","),
        "step,time_s,car,x_m,y_m,yaw_rad,speed_m_s,yaw_rate_rad_s,steer_rad,steer_left_rad,steer_right_rad,motor_rps,target_rps,status,\
         target_steer_rad,target_steer_left_rad,target_steer_right_rad,vx_m_s,vy_m_s,curvature_1_m,\
         wheel_rear_left_rad_s,wheel_rear_right_rad_s,wheel_front_left_rad_s,wheel_front_right_rad_s"
    );
    assert_eq!(rows.len(), 601);
    let mut engine = Simulator::new(SimulatorParams::default()).unwrap();
    engine.reset_base(car_sim::Pose::new(5.0, 4.0, 20.0_f64.to_radians()), 0.0, 0.0).unwrap();
    for (step, row) in rows.iter().enumerate() {
        let car = engine.truck_state().car;
        let drive = car.drive_values();
        let told = [
            step as f64,
            step as f64 / 100.0,
            0.0,
            car.base.position_m.x,
            car.base.position_m.y,
            car.base.yaw_rad,
            car.base_twist.velocity_m_s,
            car.yaw_rate_rad_s,
            car.steering.middle_rad,
            car.steering.left_rad,
            car.steering.right_rad,
            car.motor_rps,
        ];
        let written: Vec<f64> = row[..told.len()].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!(written, told, "step {step}");
        assert_eq!(row[13], "in_progress");
        let written: Vec<f64> = row[14..].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!(written, drive, "step {step}");
        for ms in 0..10 {
            match 10 * step + ms {
                0 => engine.set_base_control(0.8, 0.0).unwrap(),
                803 => engine.set_base_control(0.8, 1.2).unwrap(),
                2500 => engine.set_base_control_with_acceleration(0.3, 0.7, -1.6).unwrap(),
                // 4.0055 s lie between two ms: the command acts from the next one on.
                4006 => engine.set_base_control(-0.4, 0.0).unwrap(),
                _ => {}
            }
            engine.advance(0.001).unwrap();
        }
    }
}

/// With perfect sensors the tables repeat the engine: ranges, turn rates, forces.
#[test]
fn the_tables_of_sensors_are_what_the_engine_tells() {
    let members = r#""steps": 100, "map": {"walls_m": [[[3, -9], [3, 9]], [[-9, 2], [9, 2]]]},
        "cars": [{"sensors": {"lidar": {"increment_deg": 30, "range_max_m": 5}, "imu": {}, "odometry": {}, "position": {}},
            "driver": {"commands": [{"at_s": 0, "velocity_m_s": 0.6, "curvature_1_m": 0.5}]}}]"#;
    let (_root, out) = temporary();
    run_one(&model(members), key(0), &traced(members, &out, 10), &Control::none()).unwrap();
    let lidar = car_sim::LidarParams { increment_rad: 30.0_f64.to_radians(), range_max_m: 5.0, ..Default::default() };
    let mut engine = Simulator::new(SimulatorParams { lidar, ..SimulatorParams::default() }).unwrap();
    engine.reset_map(road_model(members).map.clone());
    engine.set_base_control(0.6, 0.5).unwrap();
    let tables = ["lidar.csv", "imu.csv", "odometry.csv", "position.csv"].map(|name| numbers(&out.join(name)));
    assert_eq!(tables.each_ref().map(Vec::len), [101; 4]);
    for step in 0..=100 {
        let state = engine.truck_state();
        let ranges = state.lidar_ranges_m.iter().map(|range| if range.is_finite() { *range } else { f64::NAN });
        let felt = [state.gyro_rad_s.to_array(), state.accelerometer_m_s2.to_array()].concat();
        let position = state.car.base.position_m.to_array();
        let wheels = [state.car.base_twist.velocity_m_s, state.car.yaw_rate_rad_s];
        let told: [Vec<f64>; 4] = [ranges.collect(), felt, wheels.to_vec(), position.to_vec()];
        for (table, told) in tables.iter().zip(told) {
            let time_s = step as f64 / 100.0;
            let head = [step as f64, time_s, 0.0, time_s];
            let bits = |values: &[f64]| values.iter().map(|value| (value + 0.0).to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&table[step][..4]), bits(&head));
            assert_eq!(bits(&table[step][4..]), bits(&told), "step {step}");
        }
        engine.advance(0.01).unwrap();
    }
}

#[test]
fn readings_come_when_they_are_due_and_late_ones_say_when_they_were_taken() {
    let mut world = road(ROUTE, 0);
    let mut positions = Vec::new();
    let mut gyros = 0;
    for _ in 0..300 {
        world.step().unwrap();
        for (_, kind, arrived, taken, _) in readings(&world) {
            match kind {
                SensorKind::Position => positions.push((arrived, taken)),
                SensorKind::Gyro => gyros += 1,
                _ => {}
            }
        }
    }
    let wanted: Vec<(u64, u64)> = (0..15).map(|n| (200 * n + 90, 200 * n)).collect();
    assert_eq!(positions, wanted);
    assert_eq!(gyros, 300);
}

/// From rest to 0.8 m/s, 2.495 m from bumper to bumper: 0.32 m while it speeds up in 0.8 s, then 2.175 m. The standing car reaches from
/// 4.7475 to 5.2525 m.
#[test]
fn cars_hit_each_other_and_walls_and_stay_there() {
    let members = with_steps(MEETING, 1000);
    let (_root, out) = temporary();
    let report = run_one(&model(&members), key(0), &traced(&members, &out, 1), &Control::none()).unwrap();
    let (_, events) = table(&out.join("events.csv"));
    let told: Vec<[&str; 5]> = events.iter().map(|row| [&*row[0], &*row[1], &*row[2], &*row[3], &*row[4]]).collect();
    // Car 0: 4.7475 - 2.2525 = 2.495 m; 0.8 s + 2.175 m / 0.8 m/s = 3.51875 s, first touched after 3.519 s.
    // Car 2: its front is 2.7475 m from the wall: 0.125 m in 0.5 s, then 2.6225 m at 0.5 m/s, 5.745 s in all.
    // Steps are 10 ms long; cars move in steps of 1 ms, and events have the end of the one in which they touch.
    assert_eq!(
        told,
        [
            ["352", "3.519", "collision", "car 0", "car 1"],
            ["352", "3.519", "collision", "car 1", "car 0"],
            ["575", "5.745", "collision", "car 2", "wall"]
        ]
    );
    let speeds: Vec<f64> = events.iter().map(|row| row[5].parse().unwrap()).collect();
    assert!((speeds[0] - 0.8).abs() < 1e-9 && speeds[1] == 0.0 && (speeds[2] - 0.5).abs() < 1e-9, "{speeds:?}");
    let metric = |name: &str| report.metrics.iter().find(|metric| metric.name == name).unwrap();
    assert_eq!((metric("collisions").value, metric("collisions").ok), (3.0, Some(false)));
    // 2.495 + 2.7475 m, to what a ms more or less makes.
    assert!((metric("distance_m").value - 5.2425).abs() < 1e-3);
    let (_, cars) = table(&out.join("cars.csv"));
    let last: Vec<&str> = cars[cars.len() - 3..].iter().map(|row| &*row[13]).collect();
    assert_eq!(last, ["collision"; 3]);
    // Sensors of a car whose clock stands tell nothing new: 352 scans and the one of the start; the standing car's sees it come.
    let scans = numbers(&out.join("lidar.csv"));
    assert_eq!(scans.iter().filter(|row| row[2] == 0.0).count(), 352);
    let seen: Vec<f64> = scans.iter().filter(|row| row[2] == 1.0).map(|row| row[4 + 18]).collect();
    assert!((seen[0] - (5.0 - 2.2525)).abs() < 1e-9, "{}", seen[0]);
    assert!(seen.windows(2).all(|pair| pair[1] <= pair[0]));
}

#[test]
fn a_route_is_gone_round_and_an_open_one_ends_in_a_standstill() {
    let members = with_steps(ROUTE, 6000);
    let (_root, out) = temporary();
    let report = run_one(&model(&members), key(0), &traced(&members, &out, 10), &Control::none()).unwrap();
    let metric = |name: &str| report.metrics.iter().find(|metric| metric.name == name).unwrap().value;
    let (_, events) = table(&out.join("events.csv"));
    let waypoints: Vec<&str> = events.iter().filter(|row| row[2] == "waypoint").map(|row| &*row[4]).collect();
    // The car starts on its first waypoint, so that the second is the first that it passes.
    for (n, waypoint) in waypoints.iter().enumerate() {
        let first = usize::from(waypoints[0] == "waypoint 1");
        assert_eq!(*waypoint, format!("waypoint {}", (n + first) % 8));
    }
    // About 15.3 m round, at up to 0.8 m/s for a minute.
    assert!((2.0..=3.0).contains(&metric("laps")), "{}", metric("laps"));
    assert_eq!(metric("waypoints_passed"), waypoints.len() as f64);
    assert!(metric("off_route_max_m") < 0.25 && metric("collisions") == 0.0);
    let laps: Vec<f64> = events.iter().filter(|row| row[2] == "lap").map(|row| row[5].parse().unwrap()).collect();
    assert!(laps.iter().all(|lap_s| (19.0..30.0).contains(lap_s)), "{laps:?}");

    let open = r#""steps": 1500, "cars": [{"driver": {"waypoints": {"points_m": [[0, 0], [4, 0], [6, 2]], "closed": false}}}]"#;
    let (_root, out) = temporary();
    run_one(&model(open), key(0), &traced(open, &out, 10), &Control::none()).unwrap();
    let (_, events) = table(&out.join("events.csv"));
    let told: Vec<[&str; 2]> = events.iter().map(|row| [&*row[2], &*row[4]]).collect();
    assert_eq!(told, [["waypoint", "waypoint 1"], ["arrival", "waypoint 2"]]);
    let end = table(&out.join("cars.csv")).1.pop().unwrap();
    assert!(end[6].parse::<f64>().unwrap().abs() < 1e-6, "{}", end[6]);
}

/// An hour along the walls of a closed room, by noisy and late scans alone: the clock is exact, the car stays on the floor.
#[test]
fn an_hour_on_a_closed_course() {
    let mut world = road(&WALL.replace("\"increment_deg\": 2", "\"increment_deg\": 6"), 0);
    let (mut turned_rad, mut before) = (0.0, world.reports().next().unwrap());
    for _ in 0..360_000 {
        world.step().unwrap();
        let now = world.reports().next().unwrap();
        assert!(
            now.base.position_m.min_element() > 0.15 && now.base.position_m.x < 7.85 && now.base.position_m.y < 5.85
        );
        assert!(now.base.position_m.distance(before.base.position_m) <= 0.008 + 1e-9);
        turned_rad += angle::wrap_rad(now.base.yaw_rad - before.base.yaw_rad);
        before = now;
    }
    assert_eq!((before.status, before.time_ns), (Status::InProgress, 3_600_000_000_000));
    // About 25 m round at 0.5 to 0.8 m/s.
    assert!(turned_rad.abs() / std::f64::consts::TAU > 60.0, "{turned_rad}");
}

#[test]
fn scans_are_written_wide_long_or_not_at_all() {
    let written = |trace: &str| {
        let members = format!(r#""trace": {{{trace}}}, {}"#, with_steps(MEETING, 20));
        let (_root, out) = temporary();
        run_one(&model(&members), key(0), &traced(&members, &out, 10), &Control::none()).unwrap();
        let scans = out.join("lidar.csv").exists().then(|| table(&out.join("lidar.csv")));
        (scans, names(&out))
    };
    let (wide, _) = written("");
    let (header, rows) = wide.unwrap();
    assert_eq!((header.len(), &*header[4], &*header[39]), (40, "ray_0_m", "ray_35_m"));
    assert_eq!(rows.len(), 2 * 21);
    let (long, _) = written(r#""lidar": "long""#);
    let (header, long_rows) = long.unwrap();
    assert_eq!(header.join(","), "step,time_s,car,taken_s,ray,range_m");
    assert_eq!(long_rows.len(), 36 * rows.len());
    let ranges: Vec<&str> = long_rows.iter().map(|row| &*row[5]).collect();
    assert_eq!(ranges, rows.iter().flat_map(|row| &row[4..]).map(|field| &**field).collect::<Vec<_>>());
    let (off, names) = written(r#""lidar": "off""#);
    assert!(off.is_none());
    let wanted = [
        "cars.csv",
        "events.csv",
        "imu.csv",
        "rows.sums",
        "run.json",
        "scenario.json",
        "summary.csv",
        "tables.json",
        "view.json",
    ];
    assert_eq!(names, wanted.map(str::to_owned));
}

/// Files that a scenario names are read into it: what a run writes repeats it alone.
#[test]
fn a_run_folder_repeats_its_run_without_the_files_that_the_scenario_named() {
    let place = tempfile::tempdir().unwrap();
    let picture: String = (0..20)
        .map(|y| (0..20).map(|x| if (8..12).contains(&x) && y < 6 { "0 " } else { "254 " }).collect::<String>() + "\n")
        .collect();
    fs::write(place.path().join("floor.pgm"), format!("P2\n20 20\n255\n{picture}")).unwrap();
    let yaml =
        "image: floor.pgm\nresolution: 0.5\norigin: [-5, -5, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n";
    fs::write(place.path().join("floor.yaml"), yaml).unwrap();
    fs::write(
        place.path().join("drive.csv"),
        "curvature_1_m,time_s,velocity_m_s,note\n0.1,0,0.5,go\n-0.2,1.5,0.3,on\n",
    )
    .unwrap();
    let text = r#"{"name": "x", "world": "road", "steps": 300, "map": {"file": "floor.yaml", "tolerance_m": 0.1},
        "cars": [{"sensors": {"lidar": {"increment_deg": 15}}, "driver": {"commands_csv": "drive.csv"}}]}"#;
    fs::write(place.path().join("a.json"), text).unwrap();
    let run = |path: &Path, out: &Path| {
        let scenario = load(WORLDS, path, &[]).unwrap_or_else(|error| panic!("{error}"));
        let options = RunOptions {
            out: Some(out.to_path_buf()),
            trace_every: Some(10),
            scenario_json: scenario.resolved.clone(),
            ..RunOptions::default()
        };
        run_one(&scenario.model, key(0), &options, &Control::none()).unwrap();
        scenario
    };
    let first = run(&place.path().join("a.json"), &place.path().join("first"));
    ["floor.pgm", "floor.yaml", "drive.csv"].iter().for_each(|name| fs::remove_file(place.path().join(name)).unwrap());
    let again = run(&place.path().join("first/scenario.json"), &place.path().join("again"));
    assert!(same(&first, &again));
    assert_eq!(files(&place.path().join("first")), files(&place.path().join("again")));
    // The block of 2 by 3 m stands at the upper edge of the picture, its lower left corner at (-1, 2).
    let map = &json(&place.path().join("first/scenario.json"))["map"];
    let mut corners: Vec<String> = map["solid_m"][0].as_array().unwrap().iter().map(ToString::to_string).collect();
    corners.sort();
    assert_eq!(corners, ["[-1,2]", "[-1,5]", "[1,2]", "[1,5]"]);
}

#[test]
fn the_page_of_the_measures_lists_them_in_their_order() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models/road-measures.md")).unwrap();
    let first_cells = page.lines().filter(|line| line.starts_with("| `")).map(|line| line.split(" | ").next().unwrap());
    let listed: Vec<&str> = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let names: Vec<&str> = MEASURES.iter().map(|definition| definition.name).collect();
    assert_eq!(listed, names);
}

#[test]
fn one_more_sensor_leaves_the_draws_of_the_others() {
    let gyro = |members: &str| {
        let mut world = road(members, 0);
        let mut values = Vec::new();
        for _ in 0..100 {
            world.step().unwrap();
            values.extend(
                readings(&world).into_iter().filter(|reading| reading.1 == SensorKind::Gyro).map(|reading| reading.4),
            );
        }
        values
    };
    let without = ROUTE.replace("\"lidar\": {", "\"lidar\": null, \"unused\": {");
    let from = without.find("\"unused\"").unwrap();
    let to = without.find("\"imu\"").unwrap();
    let without = format!("{}{}", &without[..from], &without[to..]);
    assert_eq!(gyro(ROUTE), gyro(&without));
}

/// Obstacles that overlap, one through the wall, and thin walls: the run folder holds all of them without the drawing.
#[test]
fn a_drawing_of_overlaps_and_lines_is_the_same_from_the_run_folder() {
    let ring = |x: i32, y: i32| format!("[[{x}, {y}], [{0}, {y}], [{0}, {1}], [{x}, {1}], [{x}, {y}]]", x + 4, y + 3);
    let drawing = format!(
        r#"{{"type": "GeometryCollection", "geometries": [
            {{"type": "Polygon", "coordinates": [[[-9, -9], [9, -9], [9, 9], [-9, 9], [-9, -9]], {}]}},
            {{"type": "MultiPolygon", "coordinates": [[{}], [{}]]}},
            {{"type": "MultiLineString", "coordinates": [[[-8, -8], [-7, -8], [-7, -7]], [[-7, -7], [0, -7]], [[1, 1], [2, 1]]]}}]}}"#,
        ring(2, 3),
        ring(3, 5),
        ring(7, -2)
    );
    let place = tempfile::tempdir().unwrap();
    let (path, repeated) = (place.path().join("a.json"), place.path().join("b.json"));
    fs::write(place.path().join("m.geojson"), &drawing).unwrap();
    fs::write(&path, r#"{"name": "x", "world": "road", "map": {"file": "m.geojson"}, "cars": [{}]}"#).unwrap();
    let map = SegmentMap::from_geojson(&drawing).unwrap();
    for path in [&path, &repeated] {
        let loaded = load(WORLDS, path, &[]).unwrap_or_else(|error| panic!("{error}"));
        fs::write(&repeated, &loaded.resolved).unwrap();
        assert_eq!(loaded.model.as_any().downcast::<RoadModel>().unwrap().map, map);
    }
    assert!([(4.5, 5.5), (8.0, -1.0), (10.0, -1.0)].into_iter().all(|at| map.is_solid_at(at.into())));
    assert_eq!(map.walls().len(), 4);
}

#[test]
fn shipped_maps_hold_their_cars() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut seen = BTreeSet::new();
    for name in ["car-loop", "car-wall", "car-traffic"] {
        let steps = [Override::from_flag("--steps", "steps", 3000)];
        let model = load(WORLDS, &folder.join(name).with_extension("json"), &steps).unwrap().model;
        let report = run_one(&model, model.key(0), &RunOptions::default(), &Control::none()).unwrap();
        assert!(sim_run::accepted(&report.metrics), "{name}");
        seen.insert(report.final_state_hash);
    }
    assert_eq!(seen.len(), 3);
}
