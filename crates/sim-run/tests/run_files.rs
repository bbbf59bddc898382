//! What one run leaves on disk: which files, what they say, and what is left of a run that did not come to its end.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::{Control, Model, RunError, RunOptions, run_one};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use test_runs::{StopAt, files, json, key, mat_model, model, names, numbers, table, temporary, traced, world};

const SMALL: &str = r#""steps": 1300, "agents": {"count": 5}, "patches": {"count": 3}"#;

#[test]
fn a_complete_run_leaves_its_files_under_their_names() {
    let (_root, out) = temporary();
    let report = run_one(&model(SMALL), key(2), &traced(SMALL, &out, 6), &Control::none()).unwrap();
    assert_eq!(
        names(&out),
        [
            "agents.csv",
            "events.csv",
            "feet.csv",
            "patches.csv",
            "rows.sums",
            "run.json",
            "scenario.json",
            "summary.csv",
            "swarm.csv",
            "tables.json",
            "view.json"
        ]
    );
    assert!(out.join("timing.json").exists());
    let run = json(&out.join("run.json"));
    assert_eq!(run["complete"], true);
    assert_eq!(run["reason"], serde_json::Value::Null);
    assert_eq!((run["seed"].as_u64(), run["run_index"].as_u64()), (Some(1), Some(2)));
    assert_eq!((run["steps"].as_u64(), run["steps_done"].as_u64()), (Some(1300), Some(1300)));
    assert_eq!(run["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(run["final_state_hash"], format!("{:016x}", report.final_state_hash));
    // 1300 steps hold two whole spans of 600.
    assert_eq!(run["state_hashes"].as_array().unwrap().len(), 2);
    assert_eq!(json(&out.join("scenario.json"))["agents"]["count"], 5);
}

#[test]
fn headers_name_columns_with_units_and_rows_come_every_few_steps_from_the_start() {
    let (_root, out) = temporary();
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 100), &Control::none()).unwrap();
    let (header, rows) = table(&out.join("agents.csv"));
    assert_eq!(
        header.join(","),
        "step,time_s,agent,x_mm,y_mm,heading_rad,speed_mm_s,omega_rad_s,vx_mm_s,vy_mm_s,\
         wish_x_mm_s,wish_y_mm_s,nearest_agent_mm,nearest_foot_mm"
    );
    // Steps 0, 100, ... 1300, five robots each.
    assert_eq!(rows.len(), 14 * 5);
    let place: Vec<_> = rows.iter().map(|r| (r[0].parse::<u64>().unwrap(), r[2].parse::<u64>().unwrap())).collect();
    let expected: Vec<_> = (0..=13).flat_map(|s| (0..5).map(move |a| (s * 100, a))).collect();
    assert_eq!(place, expected);
    let (header, rows) = table(&out.join("feet.csv"));
    assert_eq!(header.join(","), "step,time_s,foot,state,x_mm,y_mm,vx_mm_s,vy_mm_s");
    assert_eq!(rows.len(), 14);
    assert_eq!(rows[0][3], "idle");
    let (header, rows) = table(&out.join("patches.csv"));
    assert_eq!(header.join(","), "step,time_s,patch,x_mm,y_mm,sigma_mm,peak");
    assert_eq!(rows.len(), 14 * 3);
    assert_eq!(table(&out.join("events.csv")).0.join(","), "step,time_s,kind,subject,object,value,unit");
    assert_eq!(table(&out.join("summary.csv")).0.join(","), "metric,value,unit,limit,ok,bound");
}

#[test]
fn tables_hold_the_state_to_the_bit() {
    let (_root, out) = temporary();
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 10), &Control::none()).unwrap();
    let rows = numbers(&out.join("agents.csv"));
    let mut world = world(SMALL, 0);
    for step in 0..=1300_u64 {
        if step > 0 {
            world.step().unwrap();
        }
        if step % 10 != 0 {
            continue;
        }
        for i in 0..5 {
            let row = &rows[(step / 10) as usize * 5 + i];
            let agents = world.agents();
            let (p, v, w) = (agents.position_mm[i], agents.velocity_mm_s[i], world.wishes_mm_s()[i]);
            let expected =
                [p.x, p.y, agents.heading_rad[i], agents.speed_mm_s[i], agents.omega_rad_s[i], v.x, v.y, w.x, w.y];
            assert_eq!(row[3..12], expected, "robot {i} at step {step}");
            assert_eq!(row[1], step as f64 / 60.0);
            let nearest =
                (0..5).filter(|&j| j != i).map(|j| agents.position_mm[j].distance(p)).fold(f64::INFINITY, f64::min);
            let foot = world.feet().position_mm(0).distance(p);
            assert!((row[12] - nearest).abs() < 1e-9 && (row[13] - foot).abs() < 1e-9, "robot {i} at step {step}");
        }
    }
}

#[test]
fn every_change_of_a_foot_s_phase_is_an_event() {
    let (_root, out) = temporary();
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 1), &Control::none()).unwrap();
    let states: Vec<_> =
        table(&out.join("feet.csv")).1.into_iter().map(|row| (row[0].clone(), row[3].clone())).collect();
    let changes: Vec<_> = states.windows(2).filter(|w| w[0].1 != w[1].1).map(|w| w[1].clone()).collect();
    let events = table(&out.join("events.csv")).1;
    let told: Vec<_> =
        events.into_iter().filter(|e| e[2] == "foot_phase").map(|e| (e[0].clone(), e[4].clone())).collect();
    // In 21 seconds a foot that idles for 5 to 8 has set out at least once.
    assert!(!changes.is_empty());
    assert_eq!(told, changes);
}

#[test]
fn rows_are_decimated_and_measures_are_not() {
    let (_root, out) = temporary();
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 1), &Control::none()).unwrap();
    let fine = files(&out);
    let again = RunOptions { overwrite: true, ..traced(SMALL, &out, 600) };
    run_one(&model(SMALL), key(0), &again, &Control::none()).unwrap();
    let coarse = files(&out);
    assert_eq!(fine["summary.csv"], coarse["summary.csv"]);
    assert_eq!(fine["events.csv"], coarse["events.csv"]);
    // But for the checksums of the tables, and its own.
    let record = |files: &BTreeMap<String, Vec<u8>>| {
        let mut record: serde_json::Value = serde_json::from_slice(&files["run.json"]).unwrap();
        for key in ["files", "checksum"] {
            record.as_object_mut().unwrap().remove(key).unwrap();
        }
        record
    };
    assert_eq!(record(&fine), record(&coarse));
    assert!(coarse["agents.csv"].len() * 100 < fine["agents.csv"].len());
}

#[test]
fn tables_that_do_not_apply_and_tables_that_are_not_wanted_are_not_written() {
    let members = r#""steps": 60, "agents": {"count": 3}, "feet": {"count": 0}, "patches": {"count": 0}"#;
    let (_root, out) = temporary();
    run_one(&model(members), key(0), &traced(members, &out, 6), &Control::none()).unwrap();
    assert_eq!(
        names(&out),
        [
            "agents.csv",
            "events.csv",
            "rows.sums",
            "run.json",
            "scenario.json",
            "summary.csv",
            "swarm.csv",
            "tables.json",
            "view.json"
        ]
    );
    // There is no distance to a foot that does not exist: the field is empty, in every row.
    assert!(numbers(&out.join("agents.csv")).iter().all(|row| row[13].is_nan() && !row[12].is_nan()));

    let bare = RunOptions { trace_every: None, overwrite: true, ..traced(members, &out, 6) };
    run_one(&model(members), key(0), &bare, &Control::none()).unwrap();
    assert_eq!(names(&out), ["run.json", "scenario.json", "summary.csv", "tables.json", "view.json"]);
}

#[test]
fn a_lone_robot_has_no_nearest_one() {
    let members = r#""steps": 12, "agents": {"count": 1}"#;
    let (_root, out) = temporary();
    run_one(&model(members), key(0), &traced(members, &out, 6), &Control::none()).unwrap();
    let rows = numbers(&out.join("agents.csv"));
    assert!(rows.len() == 3 && rows.iter().all(|row| row[12].is_nan()));
}

#[test]
fn a_run_without_a_folder_reports_the_same() {
    let (_root, out) = temporary();
    let written = run_one(&model(SMALL), key(0), &traced(SMALL, &out, 6), &Control::none()).unwrap();
    let silent = run_one(&model(SMALL), key(0), &RunOptions::default(), &Control::none()).unwrap();
    assert_eq!(written.final_state_hash, silent.final_state_hash);
    assert_eq!(written.state_hashes, silent.state_hashes);
    assert_eq!(format!("{:?}", written.metrics), format!("{:?}", silent.metrics));
}

#[test]
fn a_folder_that_holds_a_run_is_refused_before_anything_is_touched() {
    let (_root, out) = temporary();
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 6), &Control::none()).unwrap();
    let before = files(&out);
    let error = run_one(&model(SMALL), key(1), &traced(SMALL, &out, 6), &Control::none()).unwrap_err();
    assert!(matches!(error, RunError::HoldsRun { .. }) && error.is_input(), "{error}");
    assert_eq!(files(&out), before);
}

#[test]
fn overwriting_gives_the_same_bytes_as_an_empty_folder() {
    let (_root, out) = temporary();
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 6), &Control::none()).unwrap();
    let fresh = files(&out);
    let longer = r#""steps": 1500, "agents": {"count": 5}"#;
    let again = RunOptions { overwrite: true, ..traced(longer, &out, 1) };
    run_one(&model(longer), key(5), &again, &Control::none()).unwrap();
    assert_ne!(files(&out), fresh);
    let back = RunOptions { overwrite: true, ..traced(SMALL, &out, 6) };
    run_one(&model(SMALL), key(0), &back, &Control::none()).unwrap();
    assert_eq!(files(&out), fresh);
}

#[test]
fn a_stopped_run_keeps_its_rows_under_partial_names_and_says_so() {
    let (_root, out) = temporary();
    let (_other, whole) = temporary();
    let stop = StopAt::new(0, 700);
    let report = run_one(&model(SMALL), key(0), &traced(SMALL, &out, 6), &stop.control()).unwrap();
    // Progress comes once a second: 720 is the first word at or after 700.
    assert!(!report.complete && report.steps_done == 720);
    assert_eq!(
        names(&out),
        [
            "agents.csv.partial",
            "events.csv.partial",
            "feet.csv.partial",
            "patches.csv.partial",
            "run.json",
            "scenario.json",
            "swarm.csv.partial",
            "tables.json",
            "view.json"
        ]
    );
    let run = json(&out.join("run.json"));
    assert_eq!((&run["complete"], run["steps_done"].as_u64()), (&serde_json::Value::Bool(false), Some(720)));
    assert_eq!(run["reason"], "stopped after 720 of 1300 steps");
    assert_eq!(run["final_state_hash"], serde_json::Value::Null);

    run_one(&model(SMALL), key(0), &traced(SMALL, &whole, 6), &Control::none()).unwrap();
    for name in ["agents.csv", "feet.csv", "patches.csv"] {
        let part = fs::read_to_string(out.join(format!("{name}.partial"))).unwrap();
        let all = fs::read_to_string(whole.join(name)).unwrap();
        assert!(all.starts_with(&part) && part.ends_with('\n'), "{name}");
        let last = part.lines().last().unwrap();
        assert!(last.starts_with("720,12.0,"), "{name} ends with {last}");
    }
}

#[test]
fn a_run_that_was_cut_short_counts_as_a_run_when_its_folder_is_asked_for() {
    let (_root, out) = temporary();
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 6), &StopAt::new(0, 60).control()).unwrap();
    let refused = run_one(&model(SMALL), key(0), &traced(SMALL, &out, 6), &Control::none()).unwrap_err();
    assert!(matches!(refused, RunError::HoldsRun { .. }));
    let again = RunOptions { overwrite: true, ..traced(SMALL, &out, 6) };
    run_one(&model(SMALL), key(0), &again, &Control::none()).unwrap();
    assert!(names(&out).iter().all(|name| !name.ends_with(".partial")));
}

/// Killed without a word: what is on disk at any moment is a run that calls itself unfinished and tables of whole
/// lines.
#[test]
fn at_any_moment_the_folder_reads_as_an_unfinished_run() {
    struct Look<'a>(&'a std::path::Path);
    impl sim_run::Observer for Look<'_> {
        fn progress(&self, progress: &sim_run::Progress) {
            let run = json(&self.0.join("run.json"));
            assert_eq!(run["complete"], false);
            assert_eq!(run["reason"], "not finished: still going on, or killed");
            let text = fs::read_to_string(self.0.join("agents.csv.partial")).unwrap();
            assert!(text.starts_with("step,") && text.ends_with('\n'));
            // Rows reach the file at least every 60 recorded steps.
            let last: u64 = text.lines().last().unwrap().split(',').next().unwrap().parse().unwrap_or(0);
            assert!(last + 60 * 6 > progress.steps_done, "{last} of {}", progress.steps_done);
        }
    }
    let (_root, out) = temporary();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let look = Look(&out);
    let control = Control { observer: &look, ..test_runs::quiet(&stop) };
    run_one(&model(SMALL), key(0), &traced(SMALL, &out, 6), &control).unwrap();
    assert_eq!(json(&out.join("run.json"))["complete"], true);
}

#[test]
fn rows_every_zero_steps_are_refused() {
    let (_root, out) = temporary();
    let error = run_one(&model(SMALL), key(0), &traced(SMALL, &out, 0), &Control::none()).unwrap_err();
    assert!(error.is_input() && error.to_string().contains("every 0 steps"), "{error}");
    assert!(!out.exists());
}

#[test]
fn more_robots_than_fit_are_refused_before_the_folder_is_made() {
    let members = r#""mat": {"width_mm": 150, "height_mm": 150}, "feet": {"count": 0}, "agents": {"count": 2}"#;
    // The scenario's own check would refuse this; a library user may come without it.
    let mut crowded = mat_model(members);
    Arc::make_mut(&mut crowded).agent_count = 12;
    let model: Arc<dyn Model> = crowded;
    let (_root, out) = temporary();
    let error = run_one(&model, key(0), &traced(SMALL, &out, 6), &Control::none()).unwrap_err();
    assert!(error.is_input() && error.to_string().contains("12 robots"), "{error}");
    assert!(!out.exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_its_path() {
    let (_root, out) = temporary();
    fs::write(&out, "a file").unwrap();
    let inside = out.join("run");
    let error = run_one(&model(SMALL), key(0), &traced(SMALL, &inside, 6), &Control::none()).unwrap_err();
    assert!(!error.is_input());
    assert!(error.to_string().starts_with(&format!("could not create {}", inside.display())), "{error}");
}
