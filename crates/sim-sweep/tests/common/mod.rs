//! Sweeps of small scenarios in a folder of their own.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(dead_code, reason = "each test uses a part of it")]

use sim_run::Disk;
use sim_sweep::{Sweep, SweepControl, SweepOptions, load, run_sweep};
use sim_worlds::WORLDS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Five robots for a fifth of a second.
pub const TINY: &str =
    r#"{ "name": "tiny", "world": "mat", "steps": 12, "agents": { "count": 5 }, "patches": { "count": 2 } }"#;

/// A car that speeds up from rest for a second; nothing about it is random.
pub const CAR: &str = r#"{ "name": "car", "world": "road", "steps": 100,
    "cars": [{ "driver": { "commands": [{ "at_s": 0, "velocity_m_s": 0.5 }] } }] }"#;

pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("tiny.json"), TINY).unwrap();
        fs::write(place.path("car.json"), CAR).unwrap();
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A sweep of a scenario with these members.
    pub fn sweep(&self, scenario: &str, members: &str) -> Sweep {
        let path = self.path("sweep.json");
        fs::write(&path, format!(r#"{{ "name": "s", "scenario": "{scenario}.json", {members} }}"#)).unwrap();
        load(WORLDS, &path).unwrap_or_else(|refused| panic!("{refused}"))
    }

    pub fn options(&self, out: &str) -> SweepOptions {
        let disk = Disk::default().without_sync();
        SweepOptions { out: self.path(out), jobs: 2, build: "test".into(), disk, ..SweepOptions::default() }
    }

    /// Makes the sweep in the folder `out`.
    pub fn run(&self, sweep: &Sweep, out: &str) {
        assert!(run_sweep(sweep, &self.options(out), &SweepControl::none()).unwrap().complete);
    }

    pub fn table(&self, name: &str) -> Vec<Row> {
        let mut reader = csv::Reader::from_path(self.path(name)).unwrap();
        reader.deserialize().map(Result::unwrap).map(Row).collect()
    }
}

/// A row by the names of its columns.
pub struct Row(BTreeMap<String, String>);

impl Row {
    pub fn text(&self, column: &str) -> &str {
        self.0.get(column).unwrap_or_else(|| panic!("no {column} in {:?}", self.0))
    }

    /// Not a number where the cell is empty.
    pub fn number(&self, column: &str) -> f64 {
        let text = self.text(column);
        if text.is_empty() { f64::NAN } else { text.parse().unwrap() }
    }
}

/// All files below a folder that do not depend on the clock.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    test_runs::files(folder)
}

pub fn assert_near(value: f64, expected: f64, what: &str) {
    assert!((value - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what} is {value}, expected {expected}");
}
