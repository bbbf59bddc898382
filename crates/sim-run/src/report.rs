//! Result of a run, for its observer and its batch.

use crate::timing::{StepTimes, Timing};
use sim_core::measure::Metric;

/// Result of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Index of the run in its batch.
    pub run_index: u64,
    /// Steps made.
    pub steps_done: u64,
    /// False if it was stopped before its last step.
    pub complete: bool,
    /// Hash of the state after the last step.
    pub final_state_hash: u64,
    /// Hash of the state after every [`HASH_EVERY`](crate::run_folder::HASH_EVERY) steps.
    pub state_hashes: Vec<u64>,
    /// Measures, in the order of their table.
    pub metrics: Vec<Metric>,
    /// Wall-clock figures; zeros without a stopwatch.
    pub timing: Timing,
    /// Durations of the steps.
    pub times: StepTimes,
    /// How bad the run was, by the value of its world's [`Ranking`](sim_world::Ranking).
    pub ranking: f64,
    /// The rows of each stream at the end, as lines of CSV that begin with the run's index; none if they were not asked for.
    pub end_lines: Vec<Vec<u8>>,
}
