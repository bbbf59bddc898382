//! The tables of a sweep, each worked out once more from `runs.csv` or from a closed form.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Place, Row, assert_near, files};
use sim_core::ops;
use sim_sweep::{Shard, SweepControl, SweepOptions, merge, run_shard, run_sweep};
use std::fs;

/// Robots in numbers, ten runs each.
const ROBOTS: &str =
    r#""repeats": 10, "measures": ["speed_mean_mm_s"], "axes": [{ "path": "agents.count", "values": [2, 5, 8] }]"#;

/// The values of a column of the runs of a cell, ascending.
fn sorted(runs: &[Row], cell: &str, column: &str) -> Vec<f64> {
    let mut values: Vec<f64> =
        runs.iter().filter(|run| run.text("cell") == cell).map(|run| run.number(column)).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Linear between neighbours: the definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", 1996.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, rest) = (place.floor() as usize, place.fract());
    sorted[below] * (1.0 - rest) + sorted[(below + 1).min(sorted.len() - 1)] * rest
}

#[test]
fn a_summary_holds_the_figures_of_its_runs() {
    let place = Place::new();
    place.run(&place.sweep("tiny", ROBOTS), "a");
    let (runs, summary) = (place.table("a/runs.csv"), place.table("a/summary.csv"));
    assert_eq!(summary.len(), 3 * 3, "three measures of three cells");
    for row in summary.iter().filter(|row| row.text("measure") == "speed_mean_mm_s") {
        let values = sorted(&runs, row.text("cell"), "speed_mean_mm_s");
        let mean = values.iter().sum::<f64>() / 10.0;
        let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / 9.0;
        assert_eq!((row.text("n"), row.text("unit"), row.text("limit")), ("10", "mm/s", ""));
        assert_near(row.number("mean"), mean, "mean");
        assert_near(row.number("sd"), variance.sqrt(), "standard deviation");
        for (column, share) in
            [("min", 0.0), ("q05", 0.05), ("q25", 0.25), ("q50", 0.5), ("q75", 0.75), ("q95", 0.95), ("max", 1.0)]
        {
            assert_near(row.number(column), quantile(&values, share), column);
        }
        // Student's t with 9 degrees of freedom: 2.262157162740992 (tables).
        let reach = 2.262_157_162_740_992 * (variance / 10.0).sqrt();
        assert_near(row.number("low_95"), mean - reach, "low end");
        assert_near(row.number("high_95"), mean + reach, "high end");
        assert_eq!(row.text("interval"), "t");
    }
}

/// Student's interval of a mean, cut off at 0 for counts and at 0 and 1 for shares: no mean of such values lies beyond.
#[test]
fn intervals_of_counts_and_shares_stay_within_what_they_can_be() {
    let place = Place::new();
    let sweep = r#""repeats": 10, "set": { "safety.filter": "none" }, "measures": ["d_r_violations", "violating_step_share"],
        "axes": [{ "path": "agents.count", "values": [3, 6] }, { "path": "steps", "values": [60, 120, 240] }]"#;
    place.run(&place.sweep("tiny", sweep), "a");
    let (runs, summary) = (place.table("a/runs.csv"), place.table("a/summary.csv"));
    let mut cut_off = [0, 0, 0];
    for (kind, measure, most) in [(0, "d_r_violations", f64::INFINITY), (1, "violating_step_share", 1.0)] {
        for row in summary.iter().filter(|row| row.text("measure") == measure) {
            let values = sorted(&runs, row.text("cell"), measure);
            let mean = values.iter().sum::<f64>() / 10.0;
            let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / 9.0;
            // Student's t with 9 degrees of freedom: 2.262157162740992 (tables).
            let reach = 2.262_157_162_740_992 * (variance / 10.0).sqrt();
            assert_near(row.number("low_95"), (mean - reach).max(0.0), "low end");
            assert_near(row.number("high_95"), (mean + reach).min(most), "high end");
            cut_off[kind] += u32::from(mean - reach < 0.0);
            cut_off[2] += u32::from(mean + reach > most);
        }
    }
    assert!(cut_off.iter().all(|&count| count > 0), "no interval reaches beyond its bound: {cut_off:?}");
}

/// n of n clean: the interval of Clopper and Pearson goes from 0.025^(1/n) to 1.
#[test]
fn a_cell_without_a_violation_has_the_interval_of_the_closed_form() {
    let place = Place::new();
    place.run(&place.sweep("car", r#""repeats": 7"#), "a");
    let cells = place.table("a/cells.csv");
    let low = ops::exp(ops::ln(0.025) / 7.0);
    assert_eq!((cells.len(), cells[0].text("runs"), cells[0].text("clean_runs")), (1, "7", "7"));
    assert_near(cells[0].number("clean_share"), 1.0, "share");
    assert_near(cells[0].number("clean_low_95"), low, "low end");
    assert_near(cells[0].number("clean_high_95"), 1.0, "high end");
    // In words only one end is open: 1 - 0.05^(1/7) is 34.8 %, rounded upwards.
    assert_eq!(
        cells[0].text("words"),
        "none of 7 runs went wrong: with 95 % confidence fewer than 34.9 % would (one-sided)"
    );
    let summary = place.table("a/summary.csv");
    let clean = summary.iter().find(|row| row.text("measure") == "clean").unwrap();
    assert_eq!((clean.text("limit"), clean.text("interval"), clean.text("unit")), ("1.0", "clopper-pearson", "1"));
    assert_near(clean.number("low_95"), low, "low end");
}

/// From rest at 1 m/s^2 to v: v^2 / 2 while it speeds up, then v, a second in all.
#[test]
fn the_rows_of_a_cell_are_those_of_its_scenario() {
    let place = Place::new();
    let members = r#""repeats": 2, "seed": 77, "measures": ["distance_m", "speed_max_m_s", "lap_mean_s"],
        "set": { "cars[0].start.y_m": 3 },
        "axes": [{ "path": "cars[0].driver.commands[0].velocity_m_s", "values": [0.2, 0.5, 0.8] }]"#;
    let sweep = place.sweep("car", members);
    place.run(&sweep, "a");
    let runs = place.table("a/runs.csv");
    assert_eq!(runs.len(), 6);
    for (number, run) in runs.iter().enumerate() {
        let speed_m_s = [0.2, 0.5, 0.8][number / 2];
        assert_near(run.number("cars[0].driver.commands[0].velocity_m_s"), speed_m_s, "axis");
        assert_near(run.number("distance_m"), speed_m_s * speed_m_s / 2.0 + speed_m_s * (1.0 - speed_m_s), "way");
        assert_near(run.number("speed_max_m_s"), speed_m_s, "speed");
        // A measure without a value has an empty cell.
        assert_eq!((run.text("lap_mean_s"), run.text("status"), run.text("cause")), ("", "done", ""));
        assert_eq!((run.text("run"), run.text("seed")), (number.to_string().as_str(), "77"));
    }
    let scenario: serde_json::Value = serde_json::from_str(sweep.scenario_json()).unwrap();
    assert_eq!((&scenario["cars"][0]["start"]["y_m"], &scenario["seed"]), (&3.into(), &77.into()));
    // Of a measure without values the summary says that there are none.
    let summary = place.table("a/summary.csv");
    let laps = summary.iter().find(|row| row.text("measure") == "lap_mean_s").unwrap();
    assert_eq!((laps.text("n"), laps.text("mean"), laps.text("low_95")), ("0", "", ""));
}

#[test]
fn runs_of_cells_that_are_not_paired_have_draws_of_their_own() {
    let place = Place::new();
    let members = r#""repeats": 3, "paired_seeds": false, "measures": ["speed_mean_mm_s"],
        "axes": [{ "path": "trace.every", "values": [1, 2] }]"#;
    let sweep = place.sweep("tiny", members);
    place.run(&sweep, "a");
    let runs = place.table("a/runs.csv");
    let indices: Vec<&str> = runs.iter().map(|run| run.text("run_index")).collect();
    assert_eq!(indices, ["0", "1", "2", "3", "4", "5"]);
    // The axis changes nothing that is measured, so only the draws make a difference.
    let speeds = |cell: &str| sorted(&runs, cell, "speed_mean_mm_s");
    assert!(speeds("0").iter().all(|speed| !speeds("1").contains(speed)), "{:?}", speeds("0"));
    let paired = place.sweep("tiny", &members.replace(r#""paired_seeds": false, "#, ""));
    place.run(&paired, "b");
    let runs = place.table("b/runs.csv");
    assert_eq!(sorted(&runs, "0", "speed_mean_mm_s"), sorted(&runs, "1", "speed_mean_mm_s"));
}

#[test]
fn the_worst_runs_are_those_with_the_least_margin() {
    let place = Place::new();
    place.run(&place.sweep("tiny", ROBOTS), "a");
    let (runs, worst) = (place.table("a/runs.csv"), place.table("a/worst.csv"));
    let mut ranked: Vec<(f64, &str)> = runs.iter().map(|run| (run.number("least_room_mm"), run.text("run"))).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(worst.len(), 5);
    for (rank, row) in worst.iter().enumerate() {
        assert_eq!((row.number("least_room_mm"), row.text("run")), ranked[rank]);
        assert_eq!(row.text("rank"), (rank + 1).to_string());
        // Each has a folder of its own, and the command that makes it again.
        assert!(place.path("a").join(row.text("folder")).join("run.json").exists());
        assert!(row.text("command").ends_with(&format!("--run-index {}", row.text("run_index"))));
    }
}

/// Spearman's coefficient: Pearson's of the ranks, without ties 1 - 6 sum d^2 / (n (n^2 - 1)).
#[test]
fn correlations_are_those_of_the_ranks() {
    let place = Place::new();
    let members = r#""repeats": 1, "cells": 9, "design": "random", "measures": ["distance_m"], "axes": [
        { "path": "cars[0].driver.commands[0].velocity_m_s", "uniform": { "from": 0.1, "to": 0.8 } },
        { "path": "cars[0].start.y_m", "uniform": { "from": -5, "to": 5 } }]"#;
    place.run(&place.sweep("car", members), "a");
    let cells = place.table("a/cells.csv");
    let runs = place.table("a/runs.csv");
    let ranks = |rows: &[Row], column: &str| -> Vec<f64> {
        let values: Vec<f64> = rows.iter().map(|row| row.number(column)).collect();
        values.iter().map(|value| values.iter().filter(|other| *other < value).count() as f64).collect()
    };
    let correlations = place.table("a/correlations.csv");
    let distances = ranks(&runs, "distance_m");
    for row in correlations.iter().filter(|row| row.text("measure") == "distance_m") {
        let axis = ranks(&cells, row.text("axis"));
        let squares: f64 = axis.iter().zip(&distances).map(|(a, b)| (a - b) * (a - b)).sum();
        assert_near(row.number("spearman"), 1.0 - 6.0 * squares / (9.0 * 80.0), row.text("axis"));
    }
    // The faster the car, the farther it comes.
    assert_near(
        correlations.iter().find(|row| row.text("measure") == "distance_m").unwrap().number("spearman"),
        1.0,
        "speed",
    );
}

/// A rule about clean runs: after n of n clean ones the interval is 1 - 0.025^(1/n) wide, which is below 0.6 from n = 5 on.
#[test]
fn a_rule_is_asked_after_whole_groups() {
    let ends_after = |stop: &str| {
        let place = Place::new();
        place.run(&place.sweep("car", &format!(r#""repeats": 12, "stop": {stop}"#)), "a");
        let cell = &place.table("a/cells.csv")[0];
        (cell.text("runs").to_owned(), cell.text("ended").to_owned())
    };
    let ends = |runs: &str, word: &str| (runs.to_owned(), word.to_owned());
    assert_eq!(ends_after(r#"{ "every": 1, "width": 0.6 }"#), ends("5", "narrow"));
    assert_eq!(ends_after(r#"{ "every": 2, "width": 0.6 }"#), ends("6", "narrow"));
    assert_eq!(ends_after(r#"{ "every": 5, "width": 0.1 }"#), ends("12", "repeats"));
    assert_eq!(ends_after(r#"{ "every": 1, "violations": 1 }"#), ends("12", "repeats"));
    // A measure that is always the same is known exactly from two runs on.
    let measure = r#"{ "every": 1, "width": 1e-9, "measure": "distance_m" }"#;
    assert_eq!(ends_after(measure), ends("2", "narrow"));
}

#[test]
fn a_sweep_goes_on_from_every_row_of_its_table() {
    let place = Place::new();
    let members =
        r#""repeats": 3, "measures": ["distance_m"], "axes": [{ "path": "step_hz", "values": [50, 60, 100] }]"#;
    let sweep = place.sweep("car", members);
    place.run(&sweep, "a");
    let (folder, whole) = (place.path("a"), files(&place.path("a")));
    let rows = String::from_utf8(whole["runs.csv"].clone()).unwrap();
    let lines: Vec<&str> = rows.split_inclusive('\n').collect();
    // Three runs of two cells, one row for the rate that does not divide 1000, and the header.
    assert_eq!(lines.len(), 8, "{rows}");
    for kept in 0..=lines.len() {
        for more in [0, 1] {
            fs::remove_file(folder.join("runs.csv")).unwrap();
            let cut = (lines[..kept].concat().len() + more).min(rows.len());
            fs::write(folder.join("runs.csv.partial"), &rows.as_bytes()[..cut]).unwrap();
            let options = SweepOptions { resume: true, ..place.options("a") };
            assert!(run_sweep(&sweep, &options, &SweepControl::none()).unwrap().complete);
            assert!(files(&folder) == whole, "{kept} rows and {more} bytes");
        }
    }
}

/// More parts than runs: those that have none are whole and empty.
#[test]
fn parts_without_runs_are_whole() {
    let place = Place::new();
    let sweep = place.sweep("car", r#""repeats": 2, "measures": ["distance_m"]"#);
    place.run(&sweep, "whole");
    let made: Vec<u64> = (0..5)
        .map(|index| {
            let shard = Shard { of: 5, index };
            let report = run_shard(&sweep, shard, &place.options("parts"), &SweepControl::none()).unwrap();
            assert!(report.complete && !report.skipped, "{shard}");
            shard.numbers(&sweep).count() as u64
        })
        .collect();
    assert_eq!((made.iter().sum::<u64>(), made.iter().filter(|runs| **runs == 0).count()), (2, 3));
    merge(&sweep, &place.options("parts"), &SweepControl::none()).unwrap();
    let mut parts = files(&place.path("parts"));
    parts.retain(|name, _| !name.starts_with("shards/"));
    assert!(parts == files(&place.path("whole")));
}
