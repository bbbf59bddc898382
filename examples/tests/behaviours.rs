//! What `behaviours` shows, against the geometry of the behaviours.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use sim_core::DVec2;
use sim_core::angle::unit;
use sim_run::{Control, RunOptions, run_one, scenario};
use sim_worlds::WORLDS;
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A filter delays a wish by less than this, s; times the speed of a goal it is how far a robot may be off.
const MAX_LAG_S: f64 = 0.1;
const MIDDLE_MM: DVec2 = DVec2::splat(200.0);

/// One run of each case: what was printed, and the folder.
struct Show {
    printed: String,
    folder: TempDir,
}

/// A line of the table: cells by their heads, and those without a number are missing.
struct Line {
    case: String,
    has_foot: bool,
    figures: BTreeMap<String, f64>,
}

impl Line {
    fn figure(&self, name: &str) -> f64 {
        *self.figures.get(name).unwrap_or_else(|| panic!("{}: no {name}", self.case))
    }
}

impl Show {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let output = program().arg(folder.path()).arg("1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self { printed: String::from_utf8(output.stdout).unwrap(), folder }
    }

    fn table(&self) -> Vec<Line> {
        let rows = self.printed.lines().map(|line| line.trim_matches('|').split('|').map(str::trim));
        let mut rows = rows.map(Iterator::collect::<Vec<_>>).filter(|cells| !cells[0].starts_with("---"));
        let head = rows.next().unwrap();
        let line = |cells: Vec<&str>| {
            let cell = |(name, cell): (&&str, &&str)| Some((name.to_string(), cell.parse().ok()?));
            // Of two columns of one name the first one, the distance, counts.
            let figures = head.iter().zip(&cells).skip(3).rev().filter_map(cell).collect();
            Line { case: format!("{} {}", cells[0], cells[1]), has_foot: cells[2] == "1", figures }
        };
        rows.map(line).collect()
    }

    /// Places of robots in mm by the step, every sixth one, out of the first run of a case.
    fn tracks_mm(&self, case: &str) -> BTreeMap<u64, Vec<DVec2>> {
        let table = fs::read_to_string(self.folder.path().join(case).join("agents.csv")).unwrap();
        let mut steps = BTreeMap::<u64, Vec<DVec2>>::new();
        for line in table.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let place_mm = DVec2::new(cells[3].parse().unwrap(), cells[4].parse().unwrap());
            steps.entry(cells[0].parse().unwrap()).or_default().push(place_mm);
        }
        assert_eq!(steps.len(), 7200 / 6 + 1);
        steps
    }
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_behaviours"))
}

fn time_s(step: u64) -> f64 {
    step as f64 / 60.0
}

/// One test, so that the runs are made once.
#[test]
fn behaviours_are_seen() {
    let show = Show::new();
    without_a_foot_a_square_of_eight_follows_the_point(&show);
    without_a_foot_twelve_march_in_their_order(&show);
    without_a_foot_robots_scatter_to_the_edges_and_gather_in_the_middle(&show);
    figures_are_those_of_the_tracks(&show);
    the_filter_keeps_all_distances_and_without_a_foot_costs_nothing(&show);
    scattered_robots_are_back_soon_after_the_foot(&show);
    a_run_repeats_from_its_folder(&show);
    the_picture_has_three_rows_of_four(&show);
}

fn without_a_foot_a_square_of_eight_follows_the_point(show: &Show) {
    for (step, robots_mm) in show.tracks_mm("follow-joint") {
        // A square with 126 mm from the middle to its sides, but for the corners that two waves leave round; a lap in 16 s.
        let lap_rad = TAU * (time_s(step) / 16.0 + 0.125);
        let [once, thrice] = [unit(lap_rad), unit(3.0 * lap_rad)];
        let point_mm = MIDDLE_MM + 126.0 * DVec2::new(once.x - thrice.x / 9.0, once.y + thrice.y / 9.0);
        // No goal is faster than 4/3 of a point on a circle of 126 mm.
        let off_mm = MAX_LAG_S * 4.0 / 3.0 * 126.0 * TAU / 16.0;
        assert!(mean(&robots_mm).distance(point_mm) < off_mm, "step {step}");
        for (robot, place_mm) in robots_mm.iter().enumerate() {
            let from_point_mm = *place_mm - point_mm;
            assert!((from_point_mm.abs().max_element() - 66.0).abs() < off_mm, "step {step}, robot {robot}");
            assert!((robots_mm[(robot + 1) % 8].distance(*place_mm) - 66.0).abs() < 2.0 * off_mm, "step {step}");
        }
    }
}

fn without_a_foot_twelve_march_in_their_order(show: &Show) {
    for (step, robots_mm) in show.tracks_mm("march-joint") {
        // 150 mm times a turn in 15 s.
        let off_mm = MAX_LAG_S * 150.0 * TAU / 15.0;
        for (robot, robot_off_mm) in march_off_mm(step, &robots_mm).into_iter().enumerate() {
            assert!(robot_off_mm < off_mm, "step {step}, robot {robot}");
        }
    }
}

/// Distances of robots from places on the ring.
fn march_off_mm(step: u64, robots_mm: &[DVec2]) -> Vec<f64> {
    let goal_mm = |robot: usize| MIDDLE_MM + 150.0 * unit(TAU * (time_s(step) / 15.0 + robot as f64 / 12.0));
    robots_mm.iter().enumerate().map(|(robot, place_mm)| goal_mm(robot).distance(*place_mm)).collect()
}

/// The table's figures again, from the rows of a tenth of a second.
fn figures_are_those_of_the_tracks(show: &Show) {
    let again = |case: &str| {
        let tracks_mm = show.tracks_mm(case).into_iter().skip(1);
        let off_mm: Vec<f64> = tracks_mm.flat_map(|(step, robots_mm)| march_off_mm(step, &robots_mm)).collect();
        off_mm.iter().sum::<f64>() / off_mm.len() as f64
    };
    for line in show.table().into_iter().filter(|line| line.case.starts_with("march")) {
        let folder = format!("{}{}", line.case.replace(' ', "-"), if line.has_foot { "-foot" } else { "" });
        // A mean over every sixth step differs little from one over all; the table rounds to 0.1 mm.
        assert!((line.figure("off, mm") - again(&folder)).abs() < 0.5, "{folder}: {}", again(&folder));
    }
}

fn without_a_foot_robots_scatter_to_the_edges_and_gather_in_the_middle(show: &Show) {
    // The longest way, from (-37.5, 0) to (-160, 53.3), as half a wave of 4 s.
    let off_mm = MAX_LAG_S * 0.5 * DVec2::new(122.5, 160.0 / 3.0).length() * TAU / 8.0;
    let tracks_mm = show.tracks_mm("scatter-joint");
    let from_middle_mm = |step: u64| tracks_mm[&step].iter().map(|place_mm| *place_mm - MIDDLE_MM).collect::<Vec<_>>();
    for period in 0..15 {
        for place_mm in from_middle_mm(480 * period) {
            assert!((place_mm.abs().max_element() - 160.0).abs() < off_mm, "{place_mm} in period {period}");
        }
        // Four by three, 75 mm apart, in the order of rows.
        for (robot, place_mm) in from_middle_mm(480 * period + 240).into_iter().enumerate() {
            let lattice_mm = 75.0 * DVec2::new((robot % 4) as f64 - 1.5, (robot / 4) as f64 - 1.0);
            assert!(lattice_mm.distance(place_mm) < off_mm, "{place_mm} in period {period}");
        }
    }
}

fn the_filter_keeps_all_distances_and_without_a_foot_costs_nothing(show: &Show) {
    let lines = show.table();
    assert_eq!(lines.len(), 15);
    let (alone, among_feet): (Vec<_>, Vec<_>) = lines.iter().partition(|line| !line.has_foot);
    for filtered in lines.iter().filter(|line| line.case.ends_with("joint")) {
        assert_eq!(filtered.figure("broken"), 0.0, "{}", filtered.case);
        assert!(filtered.figure("nearest robot, mm") >= 60.0, "{}", filtered.case);
    }
    for line in &alone {
        // No goal is faster than 66 mm/s, and goals are never nearer than 61 mm, so nothing has to be changed.
        assert!(line.figure("off, mm") < MAX_LAG_S * 66.0, "{}", line.case);
        assert!(line.figure("followed") > 0.95 && line.figure("feasible") > 0.95, "{}", line.case);
        assert_eq!([line.figure("in place"), line.figure("forced, mm")], [1.0, 0.0], "{}", line.case);
    }
    for line in among_feet.iter().filter(|line| line.case.ends_with("none")) {
        // The foot is in the way of every behaviour: without a filter it is run over.
        assert!(line.figure("broken") > 0.0 && line.figure("foot, mm") < 100.0, "{}", line.case);
        assert!(line.figure("forced, mm") > 0.0, "{}", line.case);
    }
    for line in among_feet.iter().filter(|line| line.case.ends_with("joint")) {
        assert!(line.figure("foot, mm") >= 100.0, "{}", line.case);
        assert!(line.figure("off, mm") >= line.figure("forced, mm"), "{}", line.case);
    }
}

fn scattered_robots_are_back_soon_after_the_foot(show: &Show) {
    let lines = show.table();
    let among_feet = |line: &&Line| line.case == "scatter joint" && line.has_foot;
    let line = lines.iter().find(among_feet).unwrap();
    // The law alone takes ln(100 / 10) / 2 = 1.15 s from 100 mm to 10 mm; as much again for the filter.
    assert!(line.figure("back, s") < 2.0 * 1.15, "{}", show.printed);
    assert!(line.figure("not back") < 0.25, "{}", show.printed);
}

fn a_run_repeats_from_its_folder(show: &Show) {
    let folder = show.folder.path().join("march-joint-foot");
    let loaded = scenario::load(WORLDS, &folder.join("scenario.json"), &[]).unwrap();
    let options = RunOptions { inputs: loaded.inputs.clone(), ..RunOptions::default() };
    let again = run_one(&loaded.model, loaded.model.key(0), &options, &Control::none()).unwrap();
    let record = fs::read_to_string(folder.join("run.json")).unwrap();
    let hash = format!("\"final_state_hash\": \"{:016x}\"", again.final_state_hash);
    assert!(record.contains(&hash), "{hash} is not in {record}");
}

fn the_picture_has_three_rows_of_four(show: &Show) {
    let png = fs::read(show.folder.path().join("behaviours.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    // Four panels of 235 px and five gaps of 12 px.
    assert_eq!(side(16), 4 * 235 + 5 * 12);
    assert!(side(20) > 3 * 235);
}

#[test]
fn a_folder_is_needed_and_some_runs() {
    let place = tempfile::tempdir().unwrap();
    let nowhere = place.path().join("nowhere");
    let fails = |runs: &str| {
        let output = program().arg(&nowhere).arg(runs).output().unwrap();
        assert!(output.status.code() == Some(1) && output.stdout.is_empty() && !nowhere.exists(), "{runs}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(fails("many").contains("many") && fails("0").contains('0'));
    let said = program().output().unwrap().stderr;
    assert!(String::from_utf8(said).unwrap().contains("give a folder"));
}

fn mean(places_mm: &[DVec2]) -> DVec2 {
    places_mm.iter().sum::<DVec2>() / places_mm.len() as f64
}
