//! `cargo xtask bench`: how fast it is, measured on this machine, with a peer in the same run.
//!
//! Speed inside a process is measured by the programs `benches/step`, `lidar`, `sea` and `echo`, speed as users have it by the release
//! binary. Figures that are compared are measured in turn, pair by pair. The middle pair counts, because other work on the
//! machine disturbs single measurements.

use crate::markdown;
use crate::shell::{self, Profile};
use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Options {
    /// A tenth of the steps, but for the plazas: to see that it works
    #[arg(long)]
    quick: bool,
    /// Write the table into docs/results.md
    #[arg(long, conflicts_with = "quick")]
    write: bool,
}

/// `plaza-1000` as cubes: a mat that is printed all over, and no feet, so that the decisions before it take little time.
const THOUSAND_CUBES: [&str; 3] = [
    "agents.drive=cube",
    "feet.count=0",
    r#"mat.printed=[{"kind":"custom","x_mm":1200,"y_mm":1200,"range_dot":[100,100,2000,2000]}]"#,
];

/// A lidar of 1080 rays and an inertial unit that measure every 10 ms, without errors, which are a matter of taste.
const CAR_SENSORS: &str =
    r#"cars[0].sensors={"lidar": {"increment_deg": 0.333333333333}, "imu": {"gyro": {}, "accelerometer": {}}}"#;

/// Steps a second of the shipped scenarios of the mat.
const MAT_HZ: f64 = 60.0;

/// Pairs of a comparison.
const PAIRS: usize = 5;

pub fn run(options: &Options) -> Result<()> {
    let sim_cli = shell::build_sim_cli(Profile::Release)?;
    shell::run(shell::cargo().args(["bench", "--package", "xtask", "--benches", "--no-run"]))?;
    let bench = Bench { sim_cli: &sim_cli, part: if options.quick { 10 } else { 1 } };
    let mut rows = bench.thirty()?;
    rows.extend(bench.depths()?);
    rows.extend(bench.plazas()?);
    rows.push(bench.tables("swarm-30", 36_000)?);
    rows.push(bench.tables("plaza-1000", 600)?);
    rows.push(bench.jobs()?);
    rows.extend(lidars()?);
    rows.push(bench.car()?);
    rows.extend(sea()?);
    rows.extend(sonars()?);
    rows.push(bench.sonar_fleet(true, 2, "100 times")?);
    rows.push(bench.sonar_fleet(true, 1, "aim: 100 times")?);
    rows.push(bench.sonar_fleet(false, 1, "200 times")?);
    rows.push(bench.waves()?);
    rows.push(bench.thousand_vehicles()?);
    let cells: Vec<Vec<String>> =
        rows.into_iter().map(|Row { what, value, asked }| vec![what, value, asked.into()]).collect();
    let table = markdown::table(&["what", "measured", "asked"], &cells);
    let body = format!("Measured by `cargo xtask bench` on {}:\n\n{table}", machine());
    println!("\n{body}");
    if options.write {
        markdown::write_result("bench", &body)?;
    }
    Ok(())
}

struct Row {
    what: String,
    value: String,
    asked: &'static str,
}

fn row(what: impl Into<String>, value: String, asked: &'static str) -> Row {
    Row { what: what.into(), value, asked }
}

struct Bench<'a> {
    sim_cli: &'a Path,
    part: u64,
}

impl Bench<'_> {
    /// One core, thirty robots, everything on but tables, beside the peer.
    fn thirty(&self) -> Result<Vec<Row>> {
        let duel = inside("duel", "swarm-30", 36_000 / self.part, &[])?;
        let of = |name: &str| duel.get(name);
        let million = |value: f64| format!("{:.2} million agent-steps/s", value / 1e6);
        let range = format!("{:.2} ({:.2} to {:.2})", of("ratio")?, of("ratio_low")?, of("ratio_high")?);
        Ok(vec![
            row("30 robots, one core, no tables", million(of("agent_steps_per_s")?), "0.6 (aim 3)"),
            row("`dodgy_2d` on the same places, avoidance alone", million(of("peer_agent_steps_per_s")?), ""),
            row("the same with the mat's walls", million(of("peer_in_walls_agent_steps_per_s")?), ""),
            row(
                "our speed over its speed without walls, in the same run (middle; 10 % to 90 % of pairs)",
                range,
                "aim above 1",
            ),
            row("step, half of them below", format!("{:.0} µs", of("step_us_p50")?), ""),
            row("step, 99 % below", format!("{:.0} µs", of("step_us_p99")?), "300 µs"),
            row("step, longest of ten minutes", format!("{:.0} µs", of("step_us_max")?), "3000 µs"),
        ])
    }

    /// The same swarm at its three depths, each one's whole step, and what cubes cost beside the swarm's decisions: bodies, contact,
    /// sensors, firmware, radio and the programs that drive them.
    fn depths(&self) -> Result<Vec<Row>> {
        let phases = |name, steps: u64, changes: &[&str]| inside("phases", name, (steps / self.part).max(60), changes);
        let whole = |name, drive, phases: &Figures| {
            row(format!("`{name}`: 30 robots, {drive}, one core"), real_time(phases.sum(), MAT_HZ), "")
        };
        let point = phases("swarm-30", 12_000, &[])?;
        let parts: Vec<String> = point.0.iter().map(|(phase, us)| format!("{phase} {us:.1}")).collect();
        let differential = phases("swarm-30-differential", 12_000, &[])?;
        let cubes = phases("swarm-30-cubes", 2400, &[])?;
        let thirty_us = cubes.get("act")?;
        let thousand_us = phases("plaza-1000", 300, &THOUSAND_CUBES)?.get("act")?;
        let growth = thousand_us / 1000.0 / (thirty_us / 30.0);
        Ok(vec![
            row("mean µs of a step by phase", parts.join(", "), ""),
            whole("swarm-30", "point drive", &point),
            whole("swarm-30-differential", "differential drive", &differential),
            whole("swarm-30-cubes", "full cubes, feet that wait", &cubes),
            row(
                "30 full cubes: bodies, contact, sensors, firmware, radio, programs",
                real_time(thirty_us, MAT_HZ),
                "100 times",
            ),
            row("1000 full cubes: cost of one against that of one of 30", format!("{growth:.2} times"), "33 (linear)"),
        ])
    }

    /// Cost per robot and memory as the swarm grows. Never less than these steps: a part of them would tell of a moment only, and
    /// most of the time goes into the start and the warm-up anyway.
    fn plazas(&self) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for (name, steps) in [("plaza-1000", 600), ("plaza-10000", 240)] {
            let large = inside("growth", name, steps, &[&scenario("swarm-30")])?;
            let (cost, low, high) = (large.get("cost")?, large.get("cost_low")?, large.get("cost_high")?);
            rows.push(row(
                format!("`{name}`: cost of an agent-step against 30 robots (middle; 10 % to 90 % of pairs)"),
                format!("{cost:.2} times ({low:.2} to {high:.2})"),
                "2",
            ));
            if let Ok(peak_kb) = large.get("peak_memory_kb") {
                let per_robot = peak_kb / large.get("agents")?;
                let value = format!("{:.0} MB, {per_robot:.1} kB a robot", peak_kb / 1024.0);
                rows.push(row(format!("`{name}`: memory at its peak"), value, "linear"));
            }
        }
        Ok(rows)
    }

    /// What tables cost.
    fn tables(&self, scenario: &str, steps: u64) -> Result<Row> {
        let ratio = middle((0..PAIRS).map(|_| {
            let without_s = self.wall_s(scenario, steps, &["--no-trace"])?;
            Ok(self.wall_s(scenario, steps, &[])? / without_s)
        }))?;
        Ok(row(format!("`{scenario}`: time with tables over time without"), format!("{ratio:.2}"), "1.3"))
    }

    /// What a second core brings.
    fn jobs(&self) -> Result<Row> {
        let batch = |jobs| self.wall_s("swarm-30", 3600, &["--no-trace", "--runs", "64", "--jobs", jobs]);
        let ratio = middle((0..PAIRS).map(|_| Ok(batch("1")? / batch("2")?)))?;
        Ok(row("64 runs: two jobs against one", format!("{ratio:.2} times"), "1.8"))
    }

    /// A whole step of a car at 100 Hz with a scan and the inertial unit in each.
    fn car(&self) -> Result<Row> {
        let step_us = inside("road", "car-loop", 18_000 / self.part, &[CAR_SENSORS])?.get("step_us")?;
        let what = "a car: motion and collision at 1 kHz, scan of 1080 rays and inertial unit at 100 Hz";
        Ok(row(what, real_time(step_us, 100.0), "1000 times"))
    }

    /// Ten SAMs with the original's equipment over two million triangles; the shortest of all runs counts.
    fn sonar_fleet(&self, has_side_scan: bool, cores: u32, asked: &'static str) -> Result<Row> {
        let scenario = sam_fleet(has_side_scan)?;
        let steps = 60 * SAM_FLEET_HZ;
        let jobs = cores.to_string();
        let wall_s = (0..PAIRS).map(|_| self.wall_s_of(&scenario, steps, &["--no-trace", "--jobs", &jobs]));
        let wall_s = wall_s.reduce(|one, other| Ok(one?.min(other?))).context("nothing was measured")??;
        let step_us = 1e6 * wall_s / (steps / self.part) as f64;
        let side_scan = if has_side_scan { "side scan (2 x 256 rays, 20 Hz), " } else { "" };
        let what = format!(
            "10 SAMs over 2 million triangles: multibeam (256 rays, 10 Hz), {side_scan}log, inertial unit, GNSS, pressure, modem; {SAM_FLEET_HZ} steps a second, cores: {cores}, no tables"
        );
        Ok(row(what, real_time(step_us, SAM_FLEET_HZ as f64), asked))
    }

    /// What a sea of 200 waves costs a SAM.
    fn waves(&self) -> Result<Row> {
        let waves = r#"water.waves={"kind":"jonswap","height_m":1,"period_s":6,"components":200}"#;
        let ratio = middle((0..PAIRS).map(|_| {
            let flat_s = self.wall_s("sea-dive", 30_000, &["--no-trace"])?;
            Ok(self.wall_s("sea-dive", 30_000, &["--no-trace", "--set", waves])? / flat_s)
        }))?;
        Ok(row("`sea-dive`: time in a sea of 200 waves over time in flat water", format!("{ratio:.2}"), "3"))
    }

    /// What one of many vehicles costs beside one alone.
    fn thousand_vehicles(&self) -> Result<Row> {
        let (one, thousand) = (remus_fleet(1)?, remus_fleet(1000)?);
        let ratio = middle((0..PAIRS).map(|_| {
            let one_s = self.wall_s_of(&one, 300_000, &["--no-trace"])?;
            Ok(self.wall_s_of(&thousand, 300, &["--no-trace"])? / one_s)
        }))?;
        Ok(row("1000 REMUS 100 in one run: cost of one against one alone", format!("{ratio:.2} times"), "1.5"))
    }

    fn wall_s(&self, name: &str, steps: u64, flags: &[&str]) -> Result<f64> {
        self.wall_s_of(&shell::root().join(format!("scenarios/{name}.json")), steps, flags)
    }

    fn wall_s_of(&self, scenario: &Path, steps: u64, flags: &[&str]) -> Result<f64> {
        let out = shell::scratch("bench")?.join("out");
        let mut command = shell::program(self.sim_cli);
        command.arg("run").arg(scenario).args(["--steps", &(steps / self.part).to_string()]);
        command.args(["--overwrite", "-q", "--out"]).arg(&out).args(flags);
        println!("measuring: {}", shell::describe(&command));
        shell::output(&mut command)?;
        let timing: Value = serde_json::from_str(&std::fs::read_to_string(out.join("timing.json"))?)?;
        timing["wall_s"].as_f64().context("timing.json has no wall_s")
    }
}

/// Writes a scenario of REMUS 100 that turn slowly, far from each other and the bottom.
fn remus_fleet(count: u32) -> Result<PathBuf> {
    let vehicle = |number: u32| {
        let (x_m, y_m) = (100 * (number % 32), 100 * (number / 32));
        let start = json!({"x_m": x_m, "y_m": y_m, "z_m": -20, "commands": {"propeller": 1525, "rudder": 0.05}});
        json!({"name": format!("remus-{number}"), "model": "remus100", "start": start})
    };
    let vehicles: Vec<Value> = (0..count).map(vehicle).collect();
    let scenario = json!({"world": "sea", "name": "fleet", "terrain": {"flat_z_m": -1000}, "vehicles": vehicles});
    write_scenario(&format!("remus-{count}"), &scenario)
}

/// Steps a second of ten SAMs with sonars: both sonars ping in whole steps.
const SAM_FLEET_HZ: u64 = 40;

/// Writes a scenario of ten SAMs that follow lines side by side over hills, with the sonars of the original.
fn sam_fleet(has_side_scan: bool) -> Result<PathBuf> {
    let vehicle = |number: u32| {
        let x_m = 185 + 70 * number;
        let side_scan = json!([{"rays_per_beam": 256, "opening_deg": 45, "tilt_deg": 45, "sensing": {"every_ms": 50}}]);
        let mut sensors = json!({"mbes": [{"sensing": {"every_ms": 100}}], "modem": {}});
        if has_side_scan {
            sensors["sss"] = side_scan;
        }
        let [there, back] = [800, 200].map(|y_m| json!({"x_m": x_m, "y_m": y_m, "depth_m": 25}));
        let start = json!({"x_m": x_m, "y_m": 200, "z_m": -25, "yaw_deg": 90, "u_m_s": 1});
        let driver = json!({"waypoints": {"points": [there, back], "speed": 800}});
        json!({"name": format!("sam-{number}"), "model": "sam", "equipment": "model", "start": start,
            "sensors": sensors, "driver": driver})
    };
    let message = |number: u32| json!({"from": format!("sam-{number}"), "at_s": number, "every_s": 10, "bytes": 32});
    let terrain = json!({"from_m": [0, 0], "size_m": [1000, 1000], "cell_m": 1, "base_z_m": -50, "slope": [0.01, -0.01],
        "relief_m": 5, "feature_m": 60, "layers": 6});
    let (vehicles, messages): (Vec<Value>, Vec<Value>) =
        (0..10).map(|number| (vehicle(number), message(number))).unzip();
    let scenario = json!({"world": "sea", "name": "sonars", "step_hz": SAM_FLEET_HZ, "terrain": {"generated": terrain},
        "acoustics": {"messages": messages}, "vehicles": vehicles});
    write_scenario(if has_side_scan { "sam-fleet-side-scan" } else { "sam-fleet" }, &scenario)
}

/// Writes a scenario for a measurement; where it lies.
fn write_scenario(name: &str, scenario: &Value) -> Result<PathBuf> {
    let path = shell::scratch("bench")?.join(format!("{name}.json"));
    std::fs::write(&path, scenario.to_string()).with_context(|| format!("could not write {}", path.display()))?;
    Ok(path)
}

/// Where a shipped scenario lies.
fn scenario(name: &str) -> String {
    shell::root().join(format!("scenarios/{name}.json")).display().to_string()
}

/// Runs a mode of the program that makes steps, on a scenario, with what else it needs.
fn inside(mode: &str, name: &str, steps: u64, rest: &[&str]) -> Result<Figures> {
    let (scenario, steps) = (scenario(name), steps.to_string());
    println!("measuring: {mode} {name}");
    program("step", &[&[mode, &scenario, &steps], rest].concat())
}

/// Vehicles of the sea in water at rest, 50 steps a second, and what a step of the originals costs in Python.
fn sea() -> Result<Vec<Row>> {
    println!("measuring: sea");
    let ours = program("sea", &[])?;
    let mut script = shell::program("bash");
    script.args(["tests/compare_remus.sh", "cost"]).env("SCRATCH", shell::scratch("shell")?).env("MAY_INSTALL", "yes");
    // Where there is no Python, there is no peer.
    let peers = shell::output(&mut script).map_or_else(|_| Ok(Figures(Vec::new())), |text| parse(&text))?;
    let of = |name: &str, what: &str, asked| -> Result<Row> {
        let step_us = ours.get(&format!("{name}_step_us"))?;
        Ok(row(what, format!("{step_us:.2} µs a step, {:.0} times real time", 1e6 / 50.0 / step_us), asked))
    };
    let beside = |name: &str, peer: &str, what: &str, asked| -> Result<Row> {
        let step_us = ours.get(&format!("{name}_step_us"))?;
        let value = peers.get(&format!("{peer}_step_us")).map_or_else(
            |_| "not measured: not here".into(),
            |peer_us| format!("{:.0} times ({step_us:.2} µs against {peer_us:.0} µs)", peer_us / step_us),
        );
        Ok(row(what, value, asked))
    };
    Ok(vec![
        of("remus100", "a REMUS 100 on one core, no tables", "10,000 times")?,
        of("otter", "an Otter, four parts a step", "")?,
        of("sam", "a SAM with moving masses", "5,000 times")?,
        beside("remus100", "scheme", "a step of our REMUS 100 and an Euler step of its equations in plain Python", "")?,
        beside("remus100", "pvs", "the same and PythonVehicleSimulator (`PVS`)", "100 times")?,
        beside("sam", "sam_py", "a step of our SAM and of SAM.py (`SAM_PY`)", "500 times")?,
    ])
}

/// Scans beside a peer's rays, and many cars.
fn lidars() -> Result<Vec<Row>> {
    println!("measuring: lidars");
    let (duel, fleet) = (program("lidar", &["duel"])?, program("lidar", &["fleet"])?);
    let beside_peer = |name: &str, segments: &str, asked| {
        let figure = |what: &str| duel.get(&format!("{name}_{what}"));
        let value = format!(
            "{:.1} times ({:.1} µs against {:.0} µs)",
            figure("ratio")?,
            figure("scan_us")?,
            figure("peer_us")?
        );
        let what = format!(
            "lidar of 1080 rays, {segments} segments: our speed over that of `parry2d`, ray by ray, in the same run"
        );
        Ok::<_, anyhow::Error>(row(what, value, asked))
    };
    Ok(vec![
        beside_peer("hundred", "100", "20 times")?,
        beside_peer("ten_thousand", "10,000", "5 times")?,
        row(
            "1000 cars that see each other, lidars of 64 rays: a step",
            format!("{:.1} ms", fleet.get("fleet_step_ms")?),
            "5 ms",
        ),
    ])
}

/// Pings over two million triangles beside a peer's rays.
fn sonars() -> Result<Vec<Row>> {
    println!("measuring: sonars");
    let figures = program("echo", &[])?;
    let beside_peer = |name: &str, what: &str, asked| {
        let of = |figure: &str| figures.get(&format!("{name}_{figure}"));
        let value = format!("{:.1} times ({:.0} µs against {:.0} µs)", of("ratio")?, of("ping_us")?, of("peer_us")?);
        let what =
            format!("{what}, 2 million triangles: our speed over that of `parry3d`, ray by ray, in the same run");
        Ok::<_, anyhow::Error>(row(what, value, asked))
    };
    Ok(vec![
        beside_peer("mbes", "a multibeam ping of 256 rays over 45 deg", "5 times")?,
        beside_peer("sss", "a side-scan ping of 2 x 500 rays", "6 times")?,
        row(
            "a forward-looking ping of 512 x 64 rays, 50 m",
            format!("{:.1} ms", figures.get("fls_ping_us")? / 1e3),
            "8 ms",
        ),
    ])
}

/// Runs a program of `benches/` with what it needs.
fn program(name: &str, words: &[&str]) -> Result<Figures> {
    let mut command = shell::cargo();
    command.args(["bench", "--quiet", "--package", "xtask", "--bench", name, "--"]).args(words);
    parse(&shell::output(&mut command)?)
}

/// The middle value.
fn middle(values: impl Iterator<Item = Result<f64>>) -> Result<f64> {
    let mut values: Vec<f64> = values.collect::<Result<_>>()?;
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().context("nothing was measured")
}

/// What the bench printed, in its order.
struct Figures(Vec<(String, f64)>);

impl Figures {
    fn get(&self, name: &str) -> Result<f64> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value).with_context(|| format!("the bench did not print {name}"))
    }

    fn sum(&self) -> f64 {
        self.0.iter().map(|(_, value)| value).sum()
    }
}

/// Reads `name value` lines.
fn parse(text: &str) -> Result<Figures> {
    let entry = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    let entries = text.lines().map(|line| entry(line).with_context(|| format!("`{line}` is not `name value`")));
    Ok(Figures(entries.collect::<Result<_>>()?))
}

/// How much faster than the world's clock a step of so many a second is that takes so long, in words.
fn real_time(step_us: f64, step_hz: f64) -> String {
    format!("{step_us:.0} µs a step, {:.0} times real time", 1e6 / step_hz / step_us)
}

/// The processor in words.
fn machine() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("an unnamed processor");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} ({cores} cores)", model.trim_start_matches([' ', '\t', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_bench_prints_is_read() {
        let read = parse("ratio 1.5\nstep_us_max 250\n").unwrap();
        assert_eq!(read.get("ratio").unwrap(), 1.5);
        assert!(read.get("speed").is_err());
        assert!(parse("ratio fast").is_err());
    }

    #[test]
    fn the_middle_pair_counts() {
        assert_eq!(middle([9.0, 1.0, 2.0].into_iter().map(Ok)).unwrap(), 2.0);
        assert!(middle(std::iter::empty()).is_err());
    }
}
