//! When a cell has been run often enough.

use crate::rows::{CLEAN, Outcome};
use crate::spec::StopSpec;
use sim_stats::{Sample, rate_interval};

/// Why no more runs of a cell were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All were made.
    Repeats,
    /// Enough of them were not clean.
    Violations,
    /// The interval was narrow enough.
    Narrow,
}

impl Ended {
    /// The word of `cells.csv`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Repeats => "repeats",
            Self::Violations => "violations",
            Self::Narrow => "narrow",
        }
    }
}

/// A stopping rule, and the place of its measure among those that are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What the file says.
    pub spec: StopSpec,
    /// Place of the measure.
    pub measure: usize,
}

/// What the runs of one cell say to its rule, taken in by repeat.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    runs: u64,
    not_clean: u64,
    values: Vec<f64>,
    ended: Option<Ended>,
}

impl Verdict {
    /// Adds the next run. A rule that is checked too often meets a narrow interval by luck: it is checked after whole groups only.
    pub fn add(&mut self, outcome: &Outcome, rule: Option<&Rule>) {
        self.runs += 1;
        self.not_clean += u64::from(!outcome.is_clean());
        let Some(rule) = rule else { return };
        if let (Outcome::Done(values), true) = (outcome, rule.spec.width.is_some()) {
            self.values.push(values[rule.measure]);
        }
        if self.runs.is_multiple_of(rule.spec.every) {
            self.ended = self.decide(rule);
        }
    }

    /// Why it ended before its last repeat; `None`: it has not.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    fn decide(&self, rule: &Rule) -> Option<Ended> {
        if rule.spec.violations.is_some_and(|enough| self.not_clean >= enough) {
            return Some(Ended::Violations);
        }
        let interval = if rule.measure == CLEAN {
            rate_interval(self.runs - self.not_clean, self.runs)
        } else {
            Sample::new(self.values.iter().copied()).t_interval()
        };
        let width = interval.map_or(f64::INFINITY, |interval| interval.width());
        rule.spec.width.is_some_and(|narrow| width < narrow).then_some(Ended::Narrow)
    }
}
