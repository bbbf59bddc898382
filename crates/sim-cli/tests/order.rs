//! The tables of all that came along are in the order of time, and match their checksums.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::{Place, rows};
use std::fs;
use std::path::PathBuf;

/// The tables in a folder that have a step in each row.
fn tables(place: &Place, folder: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(place.path(folder)).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
    tables.filter(|path| fs::read_to_string(path).unwrap().starts_with("step,")).collect()
}

#[test]
fn rows_of_every_table_of_every_scenario_are_in_the_order_of_their_steps() {
    let place = Place::new();
    let listed = place.ends("scenarios --format json", 0).result();
    let names: Vec<&str> =
        listed["scenarios"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert!(names.len() > 20);
    let mut late = 0;
    for name in names {
        place.ends(&format!("run @{name} --duration 2s --out out -q --overwrite"), 0);
        let tables = tables(&place, "out");
        assert!(!tables.is_empty(), "{name}");
        for table in tables {
            let rows = rows(&table);
            let steps: Vec<u64> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
            assert!(steps.is_sorted(), "{name}: {}: {steps:?}", table.display());
            late += rows[..rows.len().saturating_sub(1)].iter().filter(|row| row[2].starts_with("closest_")).count();
        }
        place.ends("check out", 0);
    }
    assert!(late > 10, "rows that only the end of a run shows stand before others: {late}");
}
