//! `closest.csv` against the tables of every step of the same runs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::{Control, RunOptions, run_batch};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use test_runs::{batch, files, model, table, temporary, traced};

/// A swarm without a safety filter, with a foot among it: robots and feet come near.
const CARELESS: &str =
    r#""steps": 1500, "agents": {"count": 12}, "patches": {"count": 3}, "safety": {"filter": "none"}"#;
const STEP_HZ: u64 = 60;
const D_R_MM: f64 = 60.0;
const D_H_MM: f64 = 100.0;

type Places = BTreeMap<u64, Vec<[f64; 2]>>;

/// Places by step, in the order of the owners, and columns by name.
fn places(path: &Path) -> Places {
    let (header, rows) = table(path);
    let [x, y] = ["x_mm", "y_mm"].map(|name| header.iter().position(|column| column == name).unwrap());
    let mut places = Places::new();
    for row in rows {
        let place = [row[x].parse().unwrap(), row[y].parse().unwrap()];
        places.entry(row[0].parse().unwrap()).or_default().push(place);
    }
    places
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

/// The least room of a step: to another robot beyond D_r, or to a foot beyond D_h.
fn room(robots: &[[f64; 2]], feet: &[[f64; 2]]) -> f64 {
    let pairs = (0..robots.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let between = pairs.map(|(i, j)| apart(robots[i], robots[j]) - D_R_MM);
    let feet = robots.iter().flat_map(|&robot| feet.iter().map(move |&foot| apart(robot, foot) - D_H_MM));
    between.chain(feet).fold(f64::INFINITY, f64::min)
}

/// The rule of the guide: a step is a call if it is nearer than all within two seconds before; a nearer one within two seconds takes its
/// place; the five with the least room are kept.
fn by_the_rule(rooms: &BTreeMap<u64, f64>) -> Vec<u64> {
    let mut calls: Vec<u64> = Vec::new();
    for (&step, room) in rooms {
        if let Some(recent) = calls.iter().position(|call| step - call < 2 * STEP_HZ) {
            if *room < rooms[&calls[recent]] {
                calls[recent] = step;
            }
            continue;
        }
        calls.push(step);
        calls.sort_by(|a, b| rooms[a].total_cmp(&rooms[b]).then(a.cmp(b)));
        calls.truncate(5);
    }
    calls
}

/// One row of `closest.csv`.
struct Row {
    step: u64,
    kind: String,
    owner: usize,
    place: [f64; 2],
    distance: Option<f64>,
}

/// The calls of each run.
fn calls(path: &Path) -> BTreeMap<(u64, u64), Vec<Row>> {
    let (header, rows) = table(path);
    assert_eq!(header.join(","), "run,call,step,time_s,kind,owner,x_mm,y_mm,heading_rad,vx_mm_s,vy_mm_s,distance_mm");
    let mut calls = BTreeMap::<_, Vec<Row>>::new();
    for row in rows {
        let read = Row {
            step: row[2].parse().unwrap(),
            kind: row[4].clone(),
            owner: row[5].parse().unwrap(),
            place: [row[6].parse().unwrap(), row[7].parse().unwrap()],
            distance: row[11].parse().ok(),
        };
        calls.entry((row[0].parse().unwrap(), row[1].parse().unwrap())).or_default().push(read);
    }
    calls
}

#[test]
fn the_calls_are_the_closest_steps_and_their_clips_are_what_happened() {
    let (_root, out) = temporary();
    run_batch(&model(CARELESS), &traced(CARELESS, &out, 1), &batch(0..2, 2), &Control::none()).unwrap();
    let calls = calls(&out.join("closest.csv"));
    for run in 0..2 {
        let folder = out.join(format!("run-{run:05}"));
        let (robots, feet) = (places(&folder.join("agents.csv")), places(&folder.join("feet.csv")));
        let rooms: BTreeMap<u64, f64> =
            robots.iter().filter(|&(&step, _)| step > 0).map(|(&step, r)| (step, room(r, &feet[&step]))).collect();
        let mut found = Vec::new();
        for (_, rows) in calls.range((run, 0)..(run + 1, 0)) {
            let pair: Vec<&Row> = rows.iter().filter(|row| row.distance.is_some()).collect();
            let limit = if pair.iter().any(|row| row.kind == "foot") { D_H_MM } else { D_R_MM };
            let steps: BTreeSet<u64> = rows.iter().map(|row| row.step).collect();
            // The call is the step of the clip with the least room of all robots, and its pair is the one that has it.
            let call = *steps.iter().min_by(|a, b| rooms[a].total_cmp(&rooms[b])).unwrap();
            let said = pair.iter().find(|row| row.step == call).unwrap().distance.unwrap() - limit;
            assert!((said - rooms[&call]).abs() < 1e-4, "run {run}, step {call}: {said}, not {}", rooms[&call]);
            let whole = call.saturating_sub(STEP_HZ).max(1)..=(call + STEP_HZ / 2).min(1500);
            assert_eq!(steps, whole.collect(), "a second before and half a second after");
            for row in rows {
                let table = if row.kind == "robot" { &robots } else { &feet };
                assert!(apart(row.place, table[&row.step][row.owner]) < 1e-4, "run {run}, step {}", row.step);
            }
            found.push((call, rooms[&call]));
        }
        assert_eq!(found.len(), 5);
        assert!(found.is_sorted_by(|a, b| a.1 <= b.1), "the closest first: {found:?}");
        let least = rooms.values().fold(f64::INFINITY, |least, &room| least.min(room));
        assert_eq!(found[0].1, least, "the closest step of the run is there");
        let steps: BTreeSet<u64> = found.iter().map(|&(call, _)| call).collect();
        assert!(steps.iter().zip(steps.iter().skip(1)).all(|(a, b)| b - a >= 2 * STEP_HZ), "{steps:?}");
        let wanted: BTreeSet<u64> = by_the_rule(&rooms).into_iter().collect();
        assert_eq!(steps, wanted);
    }
}

#[test]
fn clips_do_not_depend_on_tables_or_on_jobs() {
    let (_a, with) = temporary();
    let (_b, without) = temporary();
    run_batch(&model(CARELESS), &traced(CARELESS, &with, 600), &batch(0..3, 2), &Control::none()).unwrap();
    let options = RunOptions { trace_every: None, ..traced(CARELESS, &without, 600) };
    run_batch(&model(CARELESS), &options, &batch(0..3, 1), &Control::none()).unwrap();
    let read = |folder: &Path| std::fs::read(folder.join("closest.csv")).unwrap();
    assert_eq!(read(&with), read(&without));
    assert!(files(&without).keys().all(|name| !name.starts_with("run-")), "no tables, no folders");
}

#[test]
fn where_no_robot_can_come_near_there_are_no_calls() {
    let (_root, out) = temporary();
    let alone = r#""steps": 120, "agents": {"count": 1}, "feet": {"count": 0}"#;
    run_batch(&model(alone), &traced(alone, &out, 6), &batch(0..2, 1), &Control::none()).unwrap();
    assert_eq!(calls(&out.join("closest.csv")).len(), 0);
}
