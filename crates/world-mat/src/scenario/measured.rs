//! Settings with feet that never wait for which the rate of broken distances was measured: the rows of `docs/results.md`.
//!
//! `cargo xtask accept --write` writes `measured.json` from that page. Nothing is said of a setting that no row has.

use super::spec::{MatScenario, TraceSpec};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// Rates with the settings that they were measured with.
static RATES: LazyLock<Vec<(Rate, MatScenario)>> = LazyLock::new(|| ROWS.iter().map(MeasuredRow::rate).collect());

static ROWS: LazyLock<Vec<MeasuredRow>> =
    LazyLock::new(|| serde_json::from_str(include_str!("measured.json")).unwrap_or_default());

/// A row of the page.
#[derive(Deserialize)]
struct MeasuredRow {
    run_as: String,
    runs: u32,
    clean: u32,
    is_promised: bool,
    scenario: MatScenario,
}

/// How many of the measured runs broke no distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Scenario and overrides of the runs, as in a command.
    run_as: &'static str,
    /// Number of runs, each of ten simulated minutes.
    runs: u32,
    /// Number of those that broke none.
    clean: u32,
    /// Robots in them.
    robots: u32,
    /// Whether `cargo xtask accept` fails if a run breaks one.
    is_promised: bool,
}

impl Rate {
    /// True if zero is promised, and no run broke a distance.
    pub(super) fn is_promised(self) -> bool {
        self.is_promised && self.clean == self.runs
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run_as, runs, clean, robots, .. } = *self;
        let broken = match runs - clean {
            0 => "none".to_owned(),
            broken => broken.to_string(),
        };
        write!(
            f,
            "in {broken} of {runs} runs of ten minutes (measured with {robots} robots: {run_as}; feet never wait)"
        )
    }
}

/// The rate for the settings of a scenario with as many robots, or the next larger number that was measured.
pub(super) fn rate(scenario: &MatScenario) -> Option<Rate> {
    rates_but_for_robots(scenario).filter(|rate| rate.robots >= scenario.agents.count).min_by_key(|rate| rate.robots)
}

/// Most robots for which zero is promised with otherwise the same settings; 0 if it is for none.
pub(super) fn most_promised_robots(scenario: &MatScenario) -> u32 {
    rates_but_for_robots(scenario).filter(|rate| rate.is_promised()).map(|rate| rate.robots).max().unwrap_or(0)
}

fn rates_but_for_robots(scenario: &MatScenario) -> impl Iterator<Item = Rate> {
    let settings = settings(scenario);
    RATES.iter().filter(move |(_, measured)| *measured == settings).map(|(rate, _)| *rate)
}

impl MeasuredRow {
    fn rate(&'static self) -> (Rate, MatScenario) {
        let Self { run_as, runs, clean, is_promised, scenario } = self;
        let (runs, clean, is_promised, robots) = (*runs, *clean, *is_promised, scenario.agents.count);
        (Rate { run_as, runs, clean, robots, is_promised }, settings(scenario))
    }
}

/// What the rate depends on: all but name, seed, length, traces and the number of robots. What comes in from outside is judged apart.
fn settings(scenario: &MatScenario) -> MatScenario {
    let mut settings = MatScenario {
        schema: None,
        name: String::new(),
        seed: 0,
        steps: 0,
        inputs: BTreeMap::new(),
        trace: TraceSpec::default(),
        ..scenario.clone()
    };
    settings.agents.count = 0;
    // Nothing in a run depends on it.
    settings.agents.shape = None;
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_found_by_its_own_settings() {
        assert!(ROWS.len() > 10);
        for row in ROWS.iter() {
            let found = rate(&row.scenario).map(|rate| (rate.run_as, rate.runs, rate.clean));
            assert_eq!(found, Some((row.run_as.as_str(), row.runs, row.clean)));
        }
    }
}
