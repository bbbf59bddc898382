//! Result of a run, for its observer and its batch.

use crate::timing::{StepTimes, Timing};
use sim_core::measure::Metric;
use sim_world::Stream;
use std::collections::BTreeMap;
use std::fmt;

/// Messages of refused rows that are kept.
const MAX_MESSAGES: usize = 10;

/// Rows of live clients that were wrong, so that no step took them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedRows {
    /// How many there were of each input stream; streams without any are left out.
    pub rows: BTreeMap<String, u64>,
    /// What was wrong with the first of them, 10 at most.
    pub messages: Vec<String>,
}

impl RefusedRows {
    pub(crate) fn add(&mut self, stream: Option<&Stream>, message: impl fmt::Display) {
        // A row of a stream that the model does not have is counted under a name that no stream has.
        let name = stream.map_or("", |stream| &*stream.name);
        match self.rows.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.rows.insert(name.to_owned(), 1);
            }
        }
        if self.messages.len() < MAX_MESSAGES {
            self.messages.push(message.to_string());
        }
    }
}

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
    /// Rows of live clients that were refused.
    pub refused: RefusedRows,
    /// The rows of each stream at the end, as lines of CSV that begin with the run's index; none if they were not asked for.
    pub end_lines: Vec<Vec<u8>>,
}
