//! What the tests of the program share: a place to work in, scenarios to run, and readers of the results.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A quick scenario: five robots for four seconds.
pub const SMALL: &str = r#"{
  "name": "small",
  "world": "mat",
  "steps": 240,
  "agents": { "count": 5 },
  "patches": { "count": 3 }
}
"#;

/// Thirty robots without a safety filter.
pub const CARELESS: &str = r#"{
  "name": "careless",
  "world": "mat",
  "steps": 600,
  "safety": { "filter": "none" }
}
"#;

/// Two cars in a square room, one of which drives against its wall.
pub const ROAD: &str = r#"{
  "name": "road",
  "world": "road",
  "steps": 400,
  "map": { "floor_m": [[[0, 0], [4, 0], [4, 3], [0, 3]]] },
  "cars": [
    {
      "start": { "x_m": 1, "y_m": 1 },
      "sensors": { "lidar": { "increment_deg": 45, "sensing": { "every_ms": 100 } } },
      "driver": { "commands": [{ "at_s": 0, "velocity_m_s": 0.5, "curvature_1_m": 0.5 }] }
    },
    { "start": { "x_m": 3.4, "y_m": 2 }, "driver": { "commands": [{ "at_s": 1, "velocity_m_s": 0.8 }] } }
  ]
}
"#;

/// A run that lasts until it is stopped.
pub const ENDLESS: &str = r#"{
  "name": "endless",
  "world": "mat",
  "steps": 100000000,
  "agents": { "count": 5 },
  "trace": { "every": 60 }
}
"#;

/// A folder of its own, with the scenarios above in it.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for (name, text) in
            [("small.json", SMALL), ("careless.json", CARELESS), ("road.json", ROAD), ("endless.json", ENDLESS)]
        {
            place.write(name, text);
        }
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The program, at home in this folder; `line` is split at blanks.
    pub fn sim(&self, line: &str) -> Command {
        self.sim_words(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub fn sim_words(&self, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.0.path()).args(words);
        for name in ["COLUMNS", "NO_COLOR", "TERM", "RUST_LOG", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs it and holds it to its exit status.
    pub fn ends(&self, line: &str, status: i32) -> Said {
        Said::new(&self.sim(line).assert().code(status))
    }

    /// Every file below `folder` but the one that depends on the clock.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(folder), "", &mut files);
        files
    }
}

pub fn program() -> &'static str {
    env!("CARGO_BIN_EXE_sim-cli")
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else if !name.ends_with("timing.json") {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// What the program said.
pub struct Said {
    pub out: String,
    pub err: String,
}

impl Said {
    pub fn new(assert: &Assert) -> Self {
        let output = assert.get_output();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self { out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// The one JSON object of standard output.
    pub fn result(&self) -> Value {
        let lines = objects(&self.out);
        assert_eq!(lines.len(), 1, "{}", self.out);
        lines[0].clone()
    }
}

/// One JSON object a line, nothing else.
pub fn objects(text: &str) -> Vec<Value> {
    let line = |line: &str| serde_json::from_str::<Value>(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    let objects: Vec<Value> = text.lines().map(line).collect();
    assert!(objects.iter().all(Value::is_object), "{text}");
    objects
}

/// Cells of a table; panics if a row is not whole.
pub fn rows(table: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(table).unwrap_or_else(|e| panic!("{}: {e}", table.display()));
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}
