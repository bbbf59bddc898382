//! `summary.csv`: the measures of a run, or of all runs of a batch.

use crate::tables::file::append_number;
use sim_core::measure::{Bound, Fold, Limit, Measure, Metric, Tolerance, accepted};
use sim_stats::rate_upper_95;

const HEADER: &str = "metric,value,unit,limit,ok,bound\n";

/// The table of one run, in the order of the metrics.
#[must_use]
pub fn summary_csv(metrics: &[Metric]) -> Vec<u8> {
    let mut bytes = HEADER.as_bytes().to_vec();
    metrics.iter().for_each(|metric| append_row(&mut bytes, metric.name, metric));
    bytes
}

/// A row under a name, which need not be the metric's own.
fn append_row(bytes: &mut Vec<u8>, name: &str, metric: &Metric) {
    let Metric { value, unit, bound, limit, ok, .. } = *metric;
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(b',');
    append_number(bytes, value);
    bytes.push(b',');
    bytes.extend_from_slice(unit.as_bytes());
    bytes.push(b',');
    append_number(bytes, limit.unwrap_or(f64::NAN));
    bytes.push(b',');
    bytes.extend_from_slice(match ok {
        Some(true) => b"true",
        Some(false) => b"false",
        None => b"",
    });
    bytes.push(b',');
    bytes.extend_from_slice(limit.map_or("", |_| bound.word()).as_bytes());
    bytes.push(b'\n');
}

/// A figure that is held to nothing.
fn free(name: &'static str, value: f64, unit: &'static str) -> Metric {
    Metric { name, value, unit, bound: Bound::Free, limit: None, ok: None }
}

/// The measures of many runs, folded one run at a time in the order of the run indices, in memory that does not grow
/// with them.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSummary {
    measures: &'static [Measure],
    runs: u64,
    accepted_runs: u64,
    rows: Vec<FoldedMetric>,
}

/// One measure over many runs.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldedMetric {
    /// Name of the measure.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// How runs are put together.
    pub fold: Fold,
    /// What it is held to.
    pub bound: Bound,
    /// Its limit in one run.
    pub limit: Option<f64>,
    /// False as soon as one run misses the limit, none if no run has a value.
    pub ok: Option<bool>,
    /// Runs in which it had a value.
    pub count: u64,
    /// Sum of the values.
    pub sum: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl FoldedMetric {
    fn new(metric: &Metric, fold: Fold) -> Self {
        Self {
            name: metric.name,
            unit: metric.unit,
            fold,
            bound: metric.bound,
            limit: metric.limit,
            ok: None,
            count: 0,
            sum: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        }
    }

    /// The runs as one figure.
    fn metric(&self) -> Metric {
        let &Self { name, unit, bound, limit, ok, .. } = self;
        Metric { name, value: self.value(), unit, bound, limit, ok }
    }

    fn add(&mut self, metric: &Metric) {
        if let Some(ok) = metric.ok {
            self.ok = Some(ok && self.ok != Some(false));
        }
        if metric.value.is_finite() {
            self.count += 1;
            self.sum += metric.value;
            self.min = self.min.min(metric.value);
            self.max = self.max.max(metric.value);
        }
    }

    /// The runs as one number: counts add up (one violation among a thousand runs must not shrink to 0.001), extremes
    /// stay extremes, shares and means are averaged over the runs that have a value. Not a number if none has.
    #[must_use]
    pub fn value(&self) -> f64 {
        match self.fold {
            _ if self.count == 0 => f64::NAN,
            Fold::Sum => self.sum,
            Fold::Mean => self.sum / self.count as f64,
            Fold::Min => self.min,
            Fold::Max => self.max,
            Fold::Skip => f64::NAN,
        }
    }
}

impl BatchSummary {
    /// No run yet; `measures` are those of the world.
    #[must_use]
    pub fn new(measures: &'static [Measure]) -> Self {
        Self { measures, runs: 0, accepted_runs: 0, rows: Vec::new() }
    }

    /// Adds the measures of the next run.
    pub fn add(&mut self, metrics: &[Metric]) {
        if self.runs == 0 {
            let fold = |name| self.measures.iter().find(|measure| measure.name == name).map_or(Fold::Mean, |m| m.fold);
            self.rows = metrics.iter().map(|metric| FoldedMetric::new(metric, fold(metric.name))).collect();
        }
        self.runs += 1;
        self.accepted_runs += u64::from(accepted(metrics));
        for (row, metric) in self.rows.iter_mut().zip(metrics) {
            row.add(metric);
        }
    }

    /// Runs added.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Runs in which no limit was missed.
    #[must_use]
    pub fn accepted_runs(&self) -> u64 {
        self.accepted_runs
    }

    /// The measures, in the order of a single run's.
    #[must_use]
    pub fn metrics(&self) -> &[FoldedMetric] {
        &self.rows
    }

    /// True if every run was accepted.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.accepted_runs == self.runs
    }

    /// Largest failure rate that these runs leave open at 95 % confidence; without a failure nearly 3 over their
    /// number. Not a number without runs.
    #[must_use]
    pub fn failure_rate_upper_95(&self) -> f64 {
        rate_upper_95(self.runs - self.accepted_runs, self.runs).unwrap_or(f64::NAN)
    }

    fn count(&self) -> Metric {
        free("runs", self.runs as f64, "count")
    }

    fn clean_share(&self) -> Metric {
        let value = self.accepted_runs as f64 / self.runs as f64;
        let bound = Bound::AtLeast(Limit::Constant(1.0), Tolerance::Exact);
        Metric { name: "clean_runs_share", value, unit: "1", bound, limit: Some(1.0), ok: Some(self.is_accepted()) }
    }

    fn failure_rate(&self) -> Metric {
        free("failure_rate_upper_95", self.failure_rate_upper_95(), "1")
    }

    /// The table over all runs: each measure, then the smallest and largest value over the runs of those that are not
    /// extremes themselves. Times of day of a single run are left out.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let mut bytes = HEADER.as_bytes().to_vec();
        for metric in [self.count(), self.clean_share(), self.failure_rate()] {
            append_row(&mut bytes, metric.name, &metric);
        }
        for row in self.rows.iter().filter(|row| row.fold != Fold::Skip) {
            append_row(&mut bytes, row.name, &row.metric());
        }
        for row in self.rows.iter().filter(|row| matches!(row.fold, Fold::Sum | Fold::Mean)) {
            append_row(&mut bytes, &format!("{}_min", row.name), &free(row.name, row.min, row.unit));
            append_row(&mut bytes, &format!("{}_max", row.name), &free(row.name, row.max, row.unit));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::measure::Bound;

    const MEASURES: &[Measure] = &[
        Measure::new("d_r_violations", "count", Bound::ZERO, Fold::Sum),
        Measure::new("min_robot_robot_mm", "mm", Bound::Free, Fold::Min),
        Measure::new("min_robot_robot_at_s", "s", Bound::Free, Fold::Skip),
        Measure::new("speed_mean_mm_s", "mm/s", Bound::Free, Fold::Mean),
    ];

    fn run(violations: f64, speed_mm_s: f64, distance_mm: f64) -> [Metric; 4] {
        let floor = Bound::AtLeast(Limit::Constant(60.0), Tolerance::Exact);
        let held =
            |name, value, unit, bound, limit, ok| Metric { name, value, unit, bound, limit: Some(limit), ok: Some(ok) };
        [
            held("d_r_violations", violations, "count", Bound::ZERO, 0.0, violations == 0.0),
            held("min_robot_robot_mm", distance_mm, "mm", floor, 60.0, distance_mm >= 60.0),
            free("min_robot_robot_at_s", 12.0, "s"),
            free("speed_mean_mm_s", speed_mm_s, "mm/s"),
        ]
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn one_run_is_its_metrics_in_order() {
        assert_eq!(
            text(summary_csv(&run(2.0, 31.5, 59.5))),
            "metric,value,unit,limit,ok,bound\nd_r_violations,2.0,count,0.0,false,ceiling\n\
             min_robot_robot_mm,59.5,mm,60.0,false,floor\nmin_robot_robot_at_s,12.0,s,,,\nspeed_mean_mm_s,31.5,mm/s,,,\n"
        );
    }

    #[test]
    fn a_batch_totals_violations_keeps_extremes_and_averages_the_rest() {
        let mut batch = BatchSummary::new(MEASURES);
        for (violations, speed, distance) in
            [(0.0, 10.0, 61.0), (3.0, 20.0, 58.5), (1.0, f64::NAN, 59.0), (0.0, 60.0, 60.5)]
        {
            batch.add(&run(violations, speed, distance));
        }
        // 2 of 4 failed; the exact binomial limit at 95 % is 0.9024 (published tables).
        let bound = batch.failure_rate_upper_95();
        assert!((bound - 0.902_4).abs() < 1e-4, "{bound}");
        assert_eq!(
            text(batch.csv()).replace(&format!("{bound}"), "BOUND"),
            "metric,value,unit,limit,ok,bound\nruns,4.0,count,,,\nclean_runs_share,0.5,1,1.0,false,floor\n\
             failure_rate_upper_95,BOUND,1,,,\nd_r_violations,4.0,count,0.0,false,ceiling\n\
             min_robot_robot_mm,58.5,mm,60.0,false,floor\n\
             speed_mean_mm_s,30.0,mm/s,,,\nd_r_violations_min,0.0,count,,,\nd_r_violations_max,3.0,count,,,\n\
             speed_mean_mm_s_min,10.0,mm/s,,,\nspeed_mean_mm_s_max,60.0,mm/s,,,\n"
        );
        assert_eq!(batch.accepted_runs(), 2);
    }

    #[test]
    fn a_measure_without_any_value_stays_empty_and_without_a_verdict() {
        let mut batch = BatchSummary::new(MEASURES);
        let mut metrics = run(0.0, f64::NAN, f64::NAN);
        metrics[1].ok = None;
        batch.add(&metrics);
        let csv = text(batch.csv());
        assert!(csv.contains("\nmin_robot_robot_mm,,mm,60.0,,floor\nspeed_mean_mm_s,,mm/s,,,\n"), "{csv}");
        assert!(csv.contains("\nspeed_mean_mm_s_min,,mm/s,,,\nspeed_mean_mm_s_max,,mm/s,,,\n"), "{csv}");
    }

    #[test]
    fn clean_runs_leave_about_three_over_their_number_open() {
        let mut batch = BatchSummary::new(MEASURES);
        assert!(batch.failure_rate_upper_95().is_nan());
        (0..200).for_each(|_| batch.add(&run(0.0, 1.0, 61.0)));
        // 1 - 0.05^(1/200) = 0.01487.
        assert!((batch.failure_rate_upper_95() - 0.014_87).abs() < 1e-5);
        assert!(batch.is_accepted());
    }
}
