//! The worst runs of a batch, kept while it goes on.

use sim_run::{Metric, RunReport, accepted};
use sim_world::Ranking;
use std::cmp::Ordering;

/// Runs that are kept.
const KEPT: usize = 5;

/// What is remembered of a bad run.
#[derive(Clone, Debug, PartialEq)]
pub struct BadRun {
    /// Its index.
    pub run_index: u64,
    /// Acceptance lines that it missed, with the values.
    pub missed: Vec<(&'static str, f64)>,
    /// Violations of all kinds.
    pub violations: f64,
    /// Its value in the world's ranking.
    pub ranking: f64,
}

impl BadRun {
    fn new(run_index: u64, metrics: &[Metric], ranking: f64) -> Self {
        let missed: Vec<&Metric> = metrics.iter().filter(|metric| metric.ok == Some(false)).collect();
        Self {
            run_index,
            missed: missed.iter().map(|metric| (metric.name, metric.value)).collect(),
            violations: missed.iter().filter(|metric| metric.unit == "count").map(|metric| metric.value).sum(),
            ranking,
        }
    }

    /// More violations are worse; among equals, the world's ranking decides; among equals, nothing: the earlier run stays first.
    fn is_worse_than(&self, other: &Self, ranking: &Ranking) -> bool {
        let by_violations = self.missed.is_empty().cmp(&other.missed.is_empty());
        let by_violations = by_violations.then(other.violations.total_cmp(&self.violations));
        let by_ranking = if self.ranking.is_nan() || other.ranking.is_nan() {
            Ordering::Equal
        } else {
            ranking.compare(self.ranking, other.ranking)
        };
        by_violations.then(by_ranking) == Ordering::Less
    }
}

/// The worst runs so far, the worst first.
#[derive(Clone, Debug)]
pub struct Worst {
    runs: Vec<BadRun>,
    ranking: &'static Ranking,
}

impl Worst {
    /// None so far, of a world with this ranking.
    pub fn new(ranking: &'static Ranking) -> Self {
        Self { runs: Vec::new(), ranking }
    }

    /// Adds a finished run; one that was stopped is not judged.
    pub fn add(&mut self, report: &RunReport) {
        if report.complete {
            self.insert(BadRun::new(report.run_index, &report.metrics, report.ranking));
            debug_assert!(accepted(&report.metrics) || self.runs.first().is_some_and(|run| !run.missed.is_empty()));
        }
    }

    fn insert(&mut self, run: BadRun) {
        let at = self.runs.iter().position(|kept| run.is_worse_than(kept, self.ranking)).unwrap_or(self.runs.len());
        self.runs.insert(at, run);
        self.runs.truncate(KEPT);
    }

    /// Those that were not accepted; if all were, the one that came nearest to it.
    pub fn to_show(&self) -> &[BadRun] {
        let bad = self.runs.iter().take_while(|run| !run.missed.is_empty()).count();
        &self.runs[..bad.max(1).min(self.runs.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_run::measure::Bound;

    fn metrics(violations: f64, nearest_mm: f64) -> [Metric; 2] {
        let held =
            |name, value, unit, limit, ok| Metric { name, value, unit, bound: Bound::Free, limit: Some(limit), ok };
        [
            held("d_r_violations", violations, "count", 0.0, Some(violations == 0.0)),
            held("min_robot_robot_mm", nearest_mm, "mm", 60.0, (!nearest_mm.is_nan()).then_some(nearest_mm >= 60.0)),
        ]
    }

    const RANKING: Ranking = Ranking::SmallestMargin { name: "margin_mm", unit: "mm", of: &["min_robot_robot_mm"] };

    fn bad_run(index: u64, metrics: &[Metric]) -> BadRun {
        BadRun::new(index, metrics, RANKING.value(metrics))
    }

    fn order(runs: &[(f64, f64)]) -> Vec<u64> {
        let mut worst = Worst::new(&RANKING);
        for (index, &(violations, nearest_mm)) in runs.iter().enumerate() {
            worst.insert(bad_run(index as u64, &metrics(violations, nearest_mm)));
        }
        worst.to_show().iter().map(|run| run.run_index).collect()
    }

    #[test]
    fn more_violations_come_first_and_then_smaller_margins() {
        assert_eq!(order(&[(0.0, 61.0), (2.0, 58.0), (9.0, 59.5), (2.0, 57.0), (0.0, 60.5)]), [2, 3, 1]);
    }

    #[test]
    fn if_all_are_accepted_the_narrowest_escape_is_shown() {
        assert_eq!(order(&[(0.0, 63.0), (0.0, 60.2), (0.0, f64::NAN)]), [1]);
        assert!(order(&[]).is_empty());
    }

    #[test]
    fn only_a_few_are_kept_and_equals_stay_in_their_order() {
        let runs = [(1.0, 59.0); 20];
        assert_eq!(order(&runs), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn what_was_missed_is_named_with_its_value() {
        let run = bad_run(3, &metrics(2.0, 58.0));
        assert_eq!(run.missed, [("d_r_violations", 2.0), ("min_robot_robot_mm", 58.0)]);
        assert_eq!((run.violations, run.ranking), (2.0, -2.0));
    }
}
