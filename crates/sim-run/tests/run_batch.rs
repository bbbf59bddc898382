//! Batches: the same bytes for any number of jobs, alone or together, and nothing lost when one stops.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::{Control, Observer, RunError, RunOptions, RunReport, run_batch, run_one};
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use test_runs::{CUBES, StopAt, batch, files, json, key, model, names, numbers, quiet, table, temporary, traced};

const SMALL: &str = r#""steps": 240, "agents": {"count": 5}, "patches": {"count": 3}"#;

#[test]
fn one_job_or_three_alone_or_together_give_the_same_bytes() {
    let (_a, one) = temporary();
    let (_b, three) = temporary();
    let (_c, alone) = temporary();
    run_batch(&model(SMALL), &traced(SMALL, &one, 6), &batch(0..7, 1), &Control::none()).unwrap();
    run_batch(&model(SMALL), &traced(SMALL, &three, 6), &batch(0..7, 3), &Control::none()).unwrap();
    assert_eq!(files(&one), files(&three));
    run_one(&model(SMALL), key(4), &traced(SMALL, &alone, 6), &Control::none()).unwrap();
    assert_eq!(files(&alone), files(&one.join("run-00004")));
}

/// Bodies, firmware, radio, programs and hands: nothing of them depends on threads or on the runs beside.
#[test]
fn cubes_give_the_same_bytes_on_one_thread_on_two_and_alone() {
    let members = format!(r#""steps": 300, {CUBES}"#);
    let (_a, one) = temporary();
    let (_b, two) = temporary();
    let (_c, alone) = temporary();
    run_batch(&model(&members), &traced(&members, &one, 6), &batch(0..4, 1), &Control::none()).unwrap();
    run_batch(&model(&members), &traced(&members, &two, 6), &batch(0..4, 2), &Control::none()).unwrap();
    assert_eq!(files(&one), files(&two));
    run_one(&model(&members), key(3), &traced(&members, &alone, 6), &Control::none()).unwrap();
    assert_eq!(files(&alone), files(&one.join("run-00003")));
    assert_eq!(
        names(&alone),
        [
            "cubes.csv",
            "events.csv",
            "messages.csv",
            "rows.sums",
            "run.json",
            "scenario.json",
            "summary.csv",
            "tables.json",
            "view.json"
        ]
    );
    let messages = |run: &str| fs::read(one.join(run).join("messages.csv")).unwrap();
    assert_ne!(messages("run-00000"), messages("run-00001"), "another run index is another run");
}

#[test]
fn a_batch_has_a_folder_a_run_and_a_row_a_run() {
    let (_root, out) = temporary();
    let report = run_batch(&model(SMALL), &traced(SMALL, &out, 60), &batch(0..3, 2), &Control::none()).unwrap();
    assert!(report.complete && report.summary.runs() == 3);
    assert!(
        ["run-00000/agents.csv", "run-00001/run.json", "run-00002/summary.csv", "runs.csv", "summary.csv", "run.json"]
            .iter()
            .all(|name| out.join(name).exists())
    );
    let (header, rows) = table(&out.join("runs.csv"));
    assert_eq!(header[..3], ["run", "seed", "d_r_violations"]);
    assert_eq!(rows.iter().map(|r| r[..2].join(",")).collect::<Vec<_>>(), ["0,1", "1,1", "2,1"]);
    let run = json(&out.join("run.json"));
    assert_eq!((run["runs"].as_u64(), run["runs_done"].as_u64()), (Some(3), Some(3)));
    assert_eq!(run["complete"], true);
    // Each row repeats the run's own summary.
    for (index, row) in rows.iter().enumerate() {
        let own = table(&out.join(format!("run-{index:05}/summary.csv"))).1;
        assert_eq!(own.iter().map(|r| &r[0]).collect::<Vec<_>>(), header[2..].iter().collect::<Vec<_>>());
        assert_eq!(own.iter().map(|r| &r[1]).collect::<Vec<_>>(), row[2..].iter().collect::<Vec<_>>());
    }
}

#[test]
fn the_summary_over_all_runs_folds_the_rows() {
    let (_root, out) = temporary();
    run_batch(&model(SMALL), &traced(SMALL, &out, 60), &batch(0..5, 2), &Control::none()).unwrap();
    let (header, _) = table(&out.join("runs.csv"));
    let rows = numbers(&out.join("runs.csv"));
    let summary = table(&out.join("summary.csv")).1;
    let column = |name: &str| {
        let at = header.iter().position(|h| h == name).unwrap();
        rows.iter().map(|r| r[at]).collect::<Vec<f64>>()
    };
    let value = |name: &str| summary.iter().find(|r| r[0] == name).unwrap()[1].parse::<f64>().unwrap();
    let speeds = column("speed_mean_mm_s");
    assert!((value("speed_mean_mm_s") - speeds.iter().sum::<f64>() / 5.0).abs() < 1e-12);
    assert_eq!(value("speed_mean_mm_s_max"), speeds.iter().copied().fold(0.0, f64::max));
    assert_eq!(value("min_robot_robot_mm"), column("min_robot_robot_mm").iter().copied().fold(f64::INFINITY, f64::min));
    assert_eq!(value("d_r_violations"), column("d_r_violations").iter().sum::<f64>());
    assert_eq!(value("runs"), 5.0);
}

#[test]
fn without_tables_a_batch_is_a_few_files() {
    let (_root, out) = temporary();
    let options = RunOptions { trace_every: None, ..traced(SMALL, &out, 6) };
    run_batch(&model(SMALL), &options, &batch(0..4, 2), &Control::none()).unwrap();
    let wanted = [
        "closest.csv",
        "rows.sums",
        "run.json",
        "runs.csv",
        "runs.csv.sums",
        "scenario.json",
        "summary.csv",
        "tables.json",
        "view.json",
    ];
    assert_eq!(names(&out), wanted);
}

#[test]
fn a_batch_may_begin_at_any_index() {
    let (_a, all) = temporary();
    let (_b, tail) = temporary();
    run_batch(&model(SMALL), &traced(SMALL, &all, 60), &batch(0..6, 2), &Control::none()).unwrap();
    run_batch(&model(SMALL), &traced(SMALL, &tail, 60), &batch(4..6, 2), &Control::none()).unwrap();
    let (all_rows, tail_rows) = (table(&all.join("runs.csv")).1, table(&tail.join("runs.csv")).1);
    assert_eq!(all_rows[4..], tail_rows[..]);
    assert_eq!(files(&all.join("run-00005")), files(&tail.join("run-00005")));
}

#[test]
fn an_empty_batch_is_refused() {
    let error = run_batch(&model(SMALL), &RunOptions::default(), &batch(3..3, 1), &Control::none()).unwrap_err();
    assert!(error.is_input(), "{error}");
}

#[test]
fn results_are_told_in_the_order_of_the_runs_however_many_there_are() {
    #[derive(Default)]
    struct Order(Mutex<Vec<u64>>);
    impl Observer for Order {
        fn finished(&self, report: &RunReport) {
            self.0.lock().unwrap().push(report.run_index);
        }
    }
    let short = r#""steps": 2, "agents": {"count": 1}, "feet": {"count": 0}, "patches": {"count": 0}"#;
    let order = Order::default();
    let stop = AtomicBool::new(false);
    let control = Control { observer: &order, ..quiet(&stop) };
    // Far more runs than may wait for an older one.
    let report = run_batch(&model(short), &RunOptions::default(), &batch(10..400, 4), &control).unwrap();
    assert_eq!(report.summary.runs(), 390);
    assert_eq!(*order.0.lock().unwrap(), (10..400).collect::<Vec<_>>());
}

#[test]
fn a_stopped_batch_keeps_whole_runs_whole_and_marks_the_rest() {
    let (_root, out) = temporary();
    let (_other, whole) = temporary();
    let stop = StopAt::new(3, 120);
    let report = run_batch(&model(SMALL), &traced(SMALL, &out, 6), &batch(0..8, 1), &stop.control()).unwrap();
    assert!(!report.complete && report.summary.runs() == 3);
    run_batch(&model(SMALL), &traced(SMALL, &whole, 6), &batch(0..8, 2), &Control::none()).unwrap();
    for index in 0..3 {
        let name = format!("run-{index:05}");
        assert_eq!(files(&out.join(&name)), files(&whole.join(&name)), "{name}");
    }
    assert!(out.join("run-00003/agents.csv.partial").exists() && !out.join("run-00004").exists());
    assert_eq!(json(&out.join("run-00003/run.json"))["complete"], false);
    let run = json(&out.join("run.json"));
    assert_eq!((&run["complete"], run["runs_done"].as_u64()), (&serde_json::Value::Bool(false), Some(3)));
    assert_eq!(run["reason"], "stopped");
    let part = fs::read_to_string(out.join("runs.csv.partial")).unwrap();
    let all = fs::read_to_string(whole.join("runs.csv")).unwrap();
    assert!(all.starts_with(&part) && part.lines().count() == 4);
    assert!(!out.join("summary.csv").exists());
}

#[test]
fn a_run_that_cannot_be_written_ends_the_batch_and_is_named() {
    let (_root, out) = temporary();
    // A file of the user's own stands where the third run wants to write.
    fs::create_dir_all(out.join("run-00002")).unwrap();
    fs::write(out.join("run-00002/feet.csv"), "mine").unwrap();
    let error = run_batch(&model(SMALL), &traced(SMALL, &out, 6), &batch(0..50, 2), &Control::none()).unwrap_err();
    assert!(matches!(error, RunError::InTheWay { .. }), "{error}");
    assert!(error.to_string().contains("run-00002/feet.csv"), "{error}");
    assert_eq!(fs::read_to_string(out.join("run-00002/feet.csv")).unwrap(), "mine");
    let run = json(&out.join("run.json"));
    assert_eq!(run["complete"], false);
    assert_eq!(run["reason"], error.to_string());
    assert!(run["runs_done"].as_u64().unwrap() < 40, "the batch ends soon after");
    assert_eq!(json(&out.join("run-00001/run.json"))["complete"], true);
}

#[test]
fn overwriting_a_larger_batch_leaves_none_of_its_runs() {
    let (_root, out) = temporary();
    run_batch(&model(SMALL), &traced(SMALL, &out, 60), &batch(0..5, 2), &Control::none()).unwrap();
    let refused = run_batch(&model(SMALL), &traced(SMALL, &out, 60), &batch(0..2, 2), &Control::none()).unwrap_err();
    assert!(matches!(refused, RunError::HoldsRun { .. }));
    let again = RunOptions { overwrite: true, ..traced(SMALL, &out, 60) };
    run_batch(&model(SMALL), &again, &batch(0..2, 2), &Control::none()).unwrap();
    assert!(out.join("run-00001").exists() && !out.join("run-00002").exists());
}
