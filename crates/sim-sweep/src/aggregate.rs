//! From `runs.csv` to what people read: the tables of cells, measures, differences, correlations, failures and worst runs.
//!
//! The table is read cell by cell: what is kept grows with the number of cells at most, and by a few bytes for each.

use crate::purpose;
use std::path::Path;

use crate::cells::Sweep;
use crate::rows::{CLEAN, Outcome, RANKING, Reader};
use crate::spec::{AxisValue, DesignSpec, IntervalSpec};
use crate::stop::{Ended, Verdict};
use sim_core::RunKey;
use sim_core::measure::Measure;
use sim_run::error::RunError;
use sim_run::run_folder::{
    CELLS_CSV, CORRELATIONS_CSV, DIFFERENCES_CSV, FAILURES_CSV, RUNS_CSV, RunFolder, SUMMARY_CSV,
};
use sim_run::tables::file::{Row as Line, TableFile};
use sim_stats::{Interval, Sample, rate_interval, rate_words, spearman};
use sim_world::Ranking;

/// Runs that are listed as the worst.
pub const WORST_RUNS: usize = 5;

/// Cells that a summary describes in a sentence.
pub const CELLS_IN_WORDS: usize = 60;

/// Most cells for which rank correlations are reckoned: all their values must be at hand.
const CORRELATED_CELLS: u64 = 100_000;

/// A run with a small margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstRun {
    /// Its cell.
    pub cell: u64,
    /// Its number in the cell.
    pub repeat: u64,
    /// Whether every acceptance line was met.
    pub is_clean: bool,
    /// Its value in the world's ranking.
    pub ranking: f64,
}

/// What the tables say in short.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepSummary {
    /// Runs made, failed ones among them.
    pub runs: u64,
    /// Those in which every acceptance line was met.
    pub clean_runs: u64,
    /// Those that failed.
    pub failed_runs: u64,
    /// Cells that cannot be run.
    pub infeasible_cells: u64,
    /// The runs with the smallest margins, the worst first.
    pub worst: Vec<WorstRun>,
    /// The first cells.
    pub cells: Vec<CellSummary>,
    /// The cells with the smallest and the largest mean of the headline measure.
    pub extremes: Option<[CellSummary; 2]>,
}

/// A cell in short.
#[derive(Clone, Debug, PartialEq)]
pub struct CellSummary {
    /// Values of its axes.
    pub values: Vec<AxisValue>,
    /// How many of its runs were clean, in a sentence; of a cell that cannot be run, the cause.
    pub words: String,
    /// Mean of the headline measure over its runs, in the measure's unit; NaN without values.
    pub mean: f64,
    /// Two-sided 95 % interval of that mean.
    pub interval: Option<Interval>,
}

impl CellSummary {
    fn new(runs: &CellRuns, values: Vec<AxisValue>, (mean, interval): (f64, Option<Interval>)) -> Self {
        Self { values, words: runs.words(), mean, interval }
    }
}

/// The runs of a cell, by repeat.
struct CellRuns {
    cell: u64,
    outcomes: Vec<Outcome>,
    /// Byte of the table where its rows begin.
    at: u64,
}

impl CellRuns {
    /// The next cell of the table.
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>, RunError> {
        let at = reader.whole_bytes();
        let Some(first) = reader.next()? else { return Ok(None) };
        let mut runs = Self { cell: first.cell, outcomes: vec![first.outcome], at };
        while let Some(row) = reader.next_of(runs.cell)? {
            runs.outcomes.push(row.outcome);
        }
        Ok(Some(runs))
    }

    fn infeasible(&self) -> Option<&str> {
        match self.outcomes.first() {
            Some(Outcome::Infeasible(cause)) => Some(cause),
            _ => None,
        }
    }

    fn clean(&self) -> u64 {
        self.outcomes.iter().filter(|outcome| outcome.is_clean()).count() as u64
    }

    fn failed(&self) -> u64 {
        self.outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Failed(_))).count() as u64
    }

    /// What they say, in a sentence.
    fn words(&self) -> String {
        let made = self.outcomes.len() as u64;
        self.infeasible().map_or_else(|| rate_words(made - self.clean(), made), str::to_owned)
    }

    /// Values of a measure by repeat. A run that failed was not clean, and has no other value.
    fn values(&self, measure: usize) -> Vec<f64> {
        let value = |outcome: &Outcome| match outcome {
            Outcome::Done(values) => values[measure],
            Outcome::Failed(_) if measure == CLEAN => 0.0,
            Outcome::Failed(_) | Outcome::Infeasible(_) => f64::NAN,
        };
        self.outcomes.iter().map(value).collect()
    }
}

/// Makes the tables of a folder whose `runs.csv` is whole.
pub(super) fn aggregate(sweep: &Sweep, folder: &RunFolder) -> Result<SweepSummary, RunError> {
    let runs_csv = folder.path().join(RUNS_CSV);
    let mut tables = Tables::create(sweep, folder)?;
    let mut correlations = Correlations::new(sweep);
    let mut summary = SweepSummary::default();
    let mut starts = Vec::new();
    let mut reader = open(sweep, &runs_csv)?;
    while let Some(runs) = CellRuns::read(&mut reader)? {
        let values = sweep.values(runs.cell);
        let headline = tables.add(&runs, &values)?;
        correlations.add(&runs, &values);
        summary.add(sweep.kind().ranking(), &runs, CellSummary::new(&runs, values, headline));
        if sweep.baseline_of(runs.cell) == Some(runs.cell) {
            starts.push((runs.cell, runs.at));
        }
    }
    tables.finish()?;
    correlations.write(folder)?;
    if sweep.spec().baseline.is_some() {
        write_differences(sweep, folder, &runs_csv, &starts)?;
    }
    Ok(summary)
}

fn open<'a>(sweep: &'a Sweep, path: &'a Path) -> Result<Reader<'a>, RunError> {
    Reader::open(path, sweep)?.ok_or_else(|| RunError::Options(format!("{} is not whole", path.display())))
}

impl SweepSummary {
    fn add(&mut self, ranking: &Ranking, runs: &CellRuns, cell: CellSummary) {
        self.add_extreme(&cell);
        if self.cells.len() < CELLS_IN_WORDS {
            self.cells.push(cell);
        }
        if runs.infeasible().is_some() {
            self.infeasible_cells += 1;
            return;
        }
        self.runs += runs.outcomes.len() as u64;
        self.clean_runs += runs.clean();
        self.failed_runs += runs.failed();
        for (outcome, repeat) in runs.outcomes.iter().zip(0..) {
            if let Outcome::Done(values) = outcome
                && values[RANKING].is_finite()
            {
                let (is_clean, ranking) = (outcome.is_clean(), values[RANKING]);
                self.worst.push(WorstRun { cell: runs.cell, repeat, is_clean, ranking });
            }
        }
        // Stable: of equals the earlier run stays first.
        self.worst.sort_by(|a, b| ranking.compare(a.ranking, b.ranking));
        self.worst.truncate(WORST_RUNS);
    }

    /// Of equal means the earlier cell stays.
    fn add_extreme(&mut self, cell: &CellSummary) {
        match &mut self.extremes {
            _ if cell.mean.is_nan() => {}
            None => self.extremes = Some([cell.clone(), cell.clone()]),
            Some([lowest, _]) if cell.mean < lowest.mean => *lowest = cell.clone(),
            Some([_, highest]) if cell.mean > highest.mean => *highest = cell.clone(),
            Some(_) => {}
        }
    }
}

/// The tables that are written cell by cell.
struct Tables<'a> {
    sweep: &'a Sweep,
    cells: TableFile,
    summary: TableFile,
    failures: TableFile,
}

impl<'a> Tables<'a> {
    fn create(sweep: &'a Sweep, folder: &RunFolder) -> Result<Self, RunError> {
        let axes: String = sweep.axis_paths().flat_map(|path| [path, ","]).collect();
        let cells =
            format!("cell,{axes}status,runs,failed_runs,clean_runs,clean_share,clean_low_95,clean_high_95,ended,words");
        let summary =
            format!("cell,{axes}measure,unit,limit,n,mean,sd,min,q05,q25,q50,q75,q95,max,low_95,high_95,interval");
        let failures = format!("run,cell,repeat,seed,run_index,{axes}cause,command");
        Ok(Self {
            sweep,
            cells: TableFile::create(folder, CELLS_CSV, &cells)?,
            summary: TableFile::create(folder, SUMMARY_CSV, &summary)?,
            failures: TableFile::create(folder, FAILURES_CSV, &failures)?,
        })
    }

    /// Adds the rows of a cell; returns mean and interval of the headline measure, NaN and none of a cell that cannot be run.
    fn add(&mut self, runs: &CellRuns, values: &[AxisValue]) -> Result<(f64, Option<Interval>), RunError> {
        let mut headline = (f64::NAN, None);
        self.add_cell(runs, values);
        if runs.infeasible().is_none() {
            headline = self.add_measures(runs, values);
            self.add_failures(runs, values);
        }
        let mut tables = [&mut self.cells, &mut self.summary, &mut self.failures].into_iter();
        tables.try_for_each(TableFile::flush_if_large)?;
        Ok(headline)
    }

    fn add_cell(&mut self, runs: &CellRuns, values: &[AxisValue]) {
        let line = with_axes(self.cells.row().integer(runs.cell), values);
        if runs.infeasible().is_some() {
            let line = line.text("infeasible").integer(0).integer(0).integer(0);
            return line.maybe(None).maybe(None).maybe(None).text("").text(&runs.words()).end();
        }
        let (made, clean) = (runs.outcomes.len() as u64, runs.clean());
        let mut verdict = Verdict::default();
        runs.outcomes.iter().for_each(|outcome| verdict.add(outcome, self.sweep.rule()));
        let line = line.text("done").integer(made).integer(runs.failed()).integer(clean);
        let line = with_interval(line.number(clean as f64 / made as f64), rate_interval(clean, made));
        let ended = verdict.ended().unwrap_or(Ended::Repeats);
        line.text(ended.word()).text(&runs.words()).end();
    }

    fn add_measures(&mut self, runs: &CellRuns, values: &[AxisValue]) -> (f64, Option<Interval>) {
        let mut headline = (f64::NAN, None);
        let model = self.sweep.model(runs.cell);
        for (measure, name) in self.sweep.measures().enumerate() {
            let own_limit = || measure_of(self.sweep, name).and_then(|measure| model.as_ref().ok()?.limit(measure));
            let limit = match measure {
                CLEAN => Some(1.0),
                RANKING => self.sweep.kind().ranking().limit().or_else(own_limit),
                _ => own_limit(),
            };
            let sample = Sample::new(runs.values(measure));
            let line = with_axes(self.summary.row().integer(runs.cell), values);
            let line = line.text(name).text(unit_of(self.sweep, measure, name)).maybe(limit).integer(sample.n() as u64);
            let line = line.number(sample.mean()).number(sample.sd()).number(sample.min());
            let shares = [0.05, 0.25, 0.5, 0.75, 0.95];
            let line = shares.into_iter().fold(line, |line, share| line.number(sample.quantile(share)));
            let (interval, kind) = interval_of(self.sweep, runs, measure, &sample);
            with_interval(line.number(sample.max()), interval).text(kind).end();
            if measure == self.sweep.headline() {
                headline = (sample.mean(), interval);
            }
        }
        headline
    }

    fn add_failures(&mut self, runs: &CellRuns, values: &[AxisValue]) {
        let sweep = self.sweep;
        for (outcome, repeat) in runs.outcomes.iter().zip(0..) {
            if let Outcome::Failed(cause) = outcome {
                let line = self.failures.row().integer(sweep.run_number(runs.cell, repeat)).integer(runs.cell);
                let line = line.integer(repeat).integer(sweep.seed()).integer(sweep.run_index(runs.cell, repeat));
                with_axes(line, values).text(cause).text(&sweep.command(runs.cell, repeat)).end();
            }
        }
    }

    fn finish(self) -> Result<(), RunError> {
        [self.cells, self.summary, self.failures].into_iter().try_for_each(TableFile::finish)
    }
}

/// The measure of the sweep's world that has this name.
fn measure_of(sweep: &Sweep, name: &str) -> Option<&'static Measure> {
    sweep.kind().measures().iter().find(|measure| measure.name == name)
}

fn unit_of(sweep: &Sweep, measure: usize, name: &str) -> &'static str {
    match measure {
        CLEAN => "1",
        RANKING => sweep.kind().ranking().unit(),
        _ => measure_of(sweep, name).map_or("", |measure| measure.unit),
    }
}

fn with_axes<'a>(line: Line<'a>, values: &[AxisValue]) -> Line<'a> {
    values.iter().fold(line, |line, value| line.text(&value.to_string()))
}

fn with_interval(line: Line<'_>, interval: Option<Interval>) -> Line<'_> {
    line.maybe(interval.map(|interval| interval.low)).maybe(interval.map(|interval| interval.high))
}

/// Two-sided 95 % interval of the mean of a measure over the runs of a cell, and the method; `sample` holds the values of these runs.
fn interval_of(sweep: &Sweep, runs: &CellRuns, measure: usize, sample: &Sample) -> (Option<Interval>, &'static str) {
    match measure {
        CLEAN => (rate_interval(runs.clean(), runs.outcomes.len() as u64), "clopper-pearson"),
        _ => {
            let (interval, kind) = interval_of_mean(sweep, sample, (runs.cell, measure), 0);
            let name = sweep.measures().nth(measure).unwrap_or_default();
            let bounds = natural_bounds(name, unit_of(sweep, measure, name));
            // A value beyond them would show that they are none.
            let kept = [bounds[0].min(sample.min()), bounds[1].max(sample.max())];
            (interval.map(|interval| interval.within(kept)), kind)
        }
    }
}

/// What no value of a measure can pass, in its unit: counts are zero or more, shares lie between 0 and 1.
fn natural_bounds(name: &str, unit: &str) -> [f64; 2] {
    match unit {
        "count" => [0.0, f64::INFINITY],
        "1" if name.split('_').any(|word| word == "share") => [0.0, 1.0],
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    }
}

/// `draw` is 0 for a cell's own values and 1 for differences: both are resampled by draws of their own.
fn interval_of_mean(
    sweep: &Sweep,
    sample: &Sample,
    (cell, measure): (u64, usize),
    draw: u64,
) -> (Option<Interval>, &'static str) {
    match sweep.interval() {
        IntervalSpec::T => (sample.t_interval(), "t"),
        IntervalSpec::Bootstrap => {
            let key = RunKey { seed: sweep.seed(), run_index: cell };
            (sample.bootstrap_interval(&mut key.stream(purpose::BOOTSTRAP, measure as u64, draw)), "bootstrap")
        }
    }
}

/// `differences.csv`: each cell less its baseline, run by run. `starts` are the baselines' cells with their places in the table.
fn write_differences(
    sweep: &Sweep,
    folder: &RunFolder,
    runs_csv: &Path,
    starts: &[(u64, u64)],
) -> Result<(), RunError> {
    let axes: String = sweep.axis_paths().flat_map(|path| [path, ","]).collect();
    let header = format!("cell,{axes}measure,unit,pairs,mean_difference,sd,low_95,high_95,interval");
    let mut table = TableFile::create(folder, DIFFERENCES_CSV, &header)?;
    let (mut cells, mut baselines) = (open(sweep, runs_csv)?, open(sweep, runs_csv)?);
    while let Some(runs) = CellRuns::read(&mut cells)? {
        let Some(baseline) = sweep.baseline_of(runs.cell).filter(|&baseline| baseline != runs.cell) else { continue };
        let Ok(at) = starts.binary_search_by_key(&baseline, |&(cell, _)| cell) else { continue };
        baselines.seek(starts[at].1)?;
        let Some(base) = CellRuns::read(&mut baselines)? else { continue };
        if runs.infeasible().or(base.infeasible()).is_some() {
            continue;
        }
        for (measure, name) in sweep.measures().enumerate() {
            let sample = Sample::from_differences(&runs.values(measure), &base.values(measure));
            let line = with_axes(table.row().integer(runs.cell), &sweep.values(runs.cell));
            let line = line.text(name).text(unit_of(sweep, measure, name)).integer(sample.n() as u64);
            let (interval, kind) = interval_of_mean(sweep, &sample, (runs.cell, measure), 1);
            with_interval(line.number(sample.mean()).number(sample.sd()), interval).text(kind).end();
        }
        table.flush_if_large()?;
    }
    table.finish()
}

/// Rank correlations of the axes that are numbers with the means of the cells.
struct Correlations<'a> {
    sweep: &'a Sweep,
    /// By axis, then by cell; the same for measures. Empty where they are not wanted.
    axes: Vec<Vec<f64>>,
    measures: Vec<Vec<f64>>,
}

impl<'a> Correlations<'a> {
    fn new(sweep: &'a Sweep) -> Self {
        let wanted = sweep.spec().design != DesignSpec::Grid && sweep.cells() <= CORRELATED_CELLS;
        let columns = |count: usize| vec![Vec::new(); if wanted { count } else { 0 }];
        Self { sweep, axes: columns(sweep.axis_paths().count()), measures: columns(sweep.measures().count()) }
    }

    fn add(&mut self, runs: &CellRuns, values: &[AxisValue]) {
        for (column, value) in self.axes.iter_mut().zip(values) {
            column.push(if let AxisValue::Number(number) = value { *number } else { f64::NAN });
        }
        for (measure, column) in self.measures.iter_mut().enumerate() {
            column.push(Sample::new(runs.values(measure)).mean());
        }
    }

    fn write(self, folder: &RunFolder) -> Result<(), RunError> {
        if self.axes.is_empty() {
            return Ok(());
        }
        let mut table = TableFile::create(folder, CORRELATIONS_CSV, "axis,measure,n,spearman,low_95,high_95")?;
        for (path, axis) in
            self.sweep.axis_paths().zip(&self.axes).filter(|(_, axis)| axis.iter().any(|v| v.is_finite()))
        {
            for (name, measure) in self.sweep.measures().zip(&self.measures) {
                let found = spearman(axis, measure);
                let line = table.row().text(path).text(name).integer(found.n as u64).number(found.spearman);
                with_interval(line, found.interval).end();
            }
        }
        table.finish()
    }
}
