//! `run.json`: what a run or a batch is, and how far it came.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) const RUN_JSON: &str = "run.json";
/// Format mark of one run.
pub(super) const RUN_FORMAT: &str = "sim-run/1";
/// Format mark of a batch.
pub(super) const BATCH_FORMAT: &str = "sim-batch/1";
/// Format mark of a sweep.
pub(super) const SWEEP_FORMAT: &str = "sim-sweep/1";

/// `run.json` of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Version of the simulator that made it.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Kind of its world.
    #[serde(default)]
    pub world: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// Index of the run in its batch.
    pub run_index: u64,
    /// Steps that were asked for.
    pub steps: u64,
    /// Steps that were made; 0 for a run that was killed.
    pub steps_done: u64,
    /// True if all steps were made and every table is whole.
    pub complete: bool,
    /// Why it is not complete.
    pub reason: Option<String>,
    /// Hash of the state after the last step, 16 hexadecimal digits.
    pub final_state_hash: Option<String>,
}

/// The files that `run.json` lists as finished, by name.
#[derive(Debug, Deserialize)]
pub(super) struct FinishedFiles {
    #[serde(default)]
    files: BTreeMap<String, IgnoredAny>,
}

impl FinishedFiles {
    /// True if the file was finished, wherever it is now.
    pub fn contains(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }
}

/// `run.json` of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchRecord {
    /// Version of the simulator that made it.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// Index of the first run.
    pub first_run_index: u64,
    /// Runs that were asked for.
    pub runs: u64,
    /// Runs that were made; 0 for a batch that was killed.
    pub runs_done: u64,
    /// True if all runs were made.
    pub complete: bool,
    /// Why it is not complete.
    pub reason: Option<String>,
}

/// True if `made_by` is a later version than this one; what is no version is not.
pub(super) fn is_newer(made_by: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        version.split(['-', '+']).next()?.split('.').map(|part| part.parse().ok()).collect()
    };
    match (numbers(made_by), numbers(env!("CARGO_PKG_VERSION"))) {
        (Some(made_by), Some(ours)) => made_by > ours,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert!(is_newer("99.0.0") && is_newer("0.10.0") && is_newer("99.1.0-beta"));
        assert!(!is_newer(env!("CARGO_PKG_VERSION")) && !is_newer("0.0.9") && !is_newer("tomorrow"));
    }
}
