//! What a report is made of: the tables of a sweep, read in one go each, with a bound on what stays in memory.

use super::format;
use crate::error::ViewError;
use crate::folder::{
    AxisSpec, CellRow, CorrelationRow, DifferenceRow, FailureRow, Level, MeasureRow, SweepFolder, SweepRecord,
    SweepRunRow, SweepSpec, WorstRow,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Cells up to which a report holds them all.
pub const MAX_CELLS: usize = 4000;

/// Cells that a report holds of more: those in which most went wrong.
const MAX_WORST: usize = 300;

/// Failed runs, and cells that no scenario can have, that a report lists.
const MAX_LISTED: usize = 100;

/// Settings up to which each is compared with the baseline.
const MAX_COMPARED: usize = 14;

/// Values of an axis up to which the cells of each are counted together.
pub const MAX_LEVELS: usize = 200;

/// Values that a histogram is made of.
const MAX_VALUES: usize = 100_000;

/// A sweep, as far as a report shows it.
#[derive(Debug)]
pub struct Data {
    pub record: SweepRecord,
    pub spec: SweepSpec,
    pub cells: Cells,
    /// The measures of the sweep, in its order behind the headline.
    pub measures: Vec<Measure>,
    /// Nothing without a baseline.
    pub differences: Vec<DifferenceRow>,
    /// Nothing for grids.
    pub correlations: Vec<CorrelationRow>,
    pub worst: Vec<WorstRow>,
    pub runs: Runs,
    pub notes: Vec<String>,
}

/// The cells.
#[derive(Debug, Default)]
pub struct Cells {
    /// All of them in their order, or, of too many, those in which most went wrong.
    pub rows: Vec<CellRow>,
    /// All that there are.
    pub total: u64,
    /// Cells with runs none of which went wrong.
    pub spotless: u64,
    /// Cells that no scenario can have: some, and how many there are.
    pub infeasible: (Vec<CellRow>, u64),
    /// Runs, and those of them that kept all limits.
    pub runs: [u64; 2],
    /// The share of clean runs of many cells.
    pub shares: Decimated,
    /// Of each axis, by the value as it is written: the sum of the cells' shares of clean runs, and their number. Where there are more
    /// values than [`MAX_LEVELS`], one more than that, and then they say nothing.
    pub effects: Vec<BTreeMap<String, (f64, u64)>>,
}

/// A measure over the cells that are held.
#[derive(Debug)]
pub struct Measure {
    pub name: String,
    pub unit: String,
    pub limit: Option<f64>,
    /// By the number of the cell.
    pub cells: BTreeMap<u64, Stats>,
}

impl Measure {
    /// True if no run of any cell has a value.
    pub fn is_empty(&self) -> bool {
        self.cells.values().all(|stats| stats.mean[1].is_none())
    }
}

/// A measure in a cell.
#[derive(Clone, Debug)]
pub struct Stats {
    pub n: u64,
    pub mean: [Option<f64>; 3],
    pub sd: Option<f64>,
    pub quantiles: [Option<f64>; 7],
    pub interval: String,
}

/// What the single runs have to tell.
#[derive(Debug, Default)]
pub struct Runs {
    /// Failed runs: some of them.
    pub failed: Vec<FailureRow>,
    /// Of a sweep of one cell, the values of each measure.
    pub values: Vec<Decimated>,
}

/// Some of many values, evenly chosen.
#[derive(Debug)]
pub struct Decimated {
    pub values: Vec<f64>,
    /// One of so many is kept.
    pub every: u64,
    seen: u64,
}

impl Default for Decimated {
    fn default() -> Self {
        Self { values: Vec::new(), every: 1, seen: 0 }
    }
}

impl Decimated {
    pub fn push(&mut self, value: f64) {
        if self.seen.is_multiple_of(self.every) {
            self.values.push(value);
        }
        self.seen += 1;
        if self.values.len() > MAX_VALUES {
            let mut place = 0;
            self.values.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.every *= 2;
        }
    }
}

impl Cells {
    pub fn is_all(&self) -> bool {
        self.rows.len() as u64 == self.total
    }

    fn read(folder: &SweepFolder) -> Result<Self, ViewError> {
        let mut cells = Self { effects: vec![BTreeMap::new(); folder.spec().axes.len()], ..Self::default() };
        for row in folder.rows::<CellRow>()? {
            cells.take(row?);
        }
        if cells.total > MAX_CELLS as u64 {
            cells.keep_worst(MAX_WORST);
        }
        Ok(cells)
    }

    fn take(&mut self, row: CellRow) {
        self.total += 1;
        if row.status == "infeasible" {
            self.infeasible.1 += 1;
            if self.infeasible.0.len() < MAX_LISTED {
                self.infeasible.0.push(row.clone());
            }
        }
        self.runs[0] += row.runs;
        self.runs[1] += row.clean_runs;
        self.spotless += u64::from(is_spotless(&row));
        if let Some(share) = row.clean[1] {
            self.shares.push(share);
            for (effect, level) in self.effects.iter_mut().zip(&row.setting) {
                let name = level.to_string();
                if effect.len() <= MAX_LEVELS || effect.contains_key(&name) {
                    let (sum, count) = effect.entry(name).or_default();
                    *sum += share;
                    *count += 1;
                }
            }
        }
        self.rows.push(row);
        if self.rows.len() > 2 * MAX_CELLS {
            self.keep_worst(MAX_CELLS);
        }
    }

    fn keep_worst(&mut self, most: usize) {
        self.rows.sort_by(|a, b| badness(b).total_cmp(&badness(a)).then(a.cell.cmp(&b.cell)));
        self.rows.truncate(most);
    }
}

/// True if a cell has runs, and none of them went wrong.
pub fn is_spotless(row: &CellRow) -> bool {
    row.runs > 0 && row.clean_runs == row.runs
}

/// The share of runs that went wrong; a cell without runs is the least of worries.
fn badness(row: &CellRow) -> f64 {
    row.clean[1].map_or(-1.0, |clean| 1.0 - clean)
}

impl Data {
    /// Reads the tables.
    ///
    /// # Errors
    /// If one is missing, lacks a column, or holds something else than it should.
    pub fn read(folder: &SweepFolder) -> Result<Self, ViewError> {
        let spec = folder.spec().clone();
        let cells = Cells::read(folder)?;
        let held: BTreeSet<u64> = cells.rows.iter().map(|row| row.cell).collect();
        let mut differences = Vec::new();
        for row in folder.rows_if_any::<DifferenceRow>()?.into_iter().flatten() {
            differences.extend(Some(row?).filter(|row| held.contains(&row.cell)));
        }
        let correlations = match folder.plain_rows_if_any()? {
            Some(rows) => rows.collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        let (mut measures, mut runs) = (read_measures(folder, &held)?, Runs::read(folder, &cells)?);
        if let Some(headline) = measures.iter().position(|measure| measure.name == spec.headline) {
            measures[..=headline].rotate_right(1);
            if let Some(values) = runs.values.get_mut(..=headline) {
                values.rotate_right(1);
            }
        }
        Ok(Self {
            measures,
            runs,
            worst: folder.rows_if_any::<WorstRow>()?.into_iter().flatten().collect::<Result<_, _>>()?,
            record: folder.record().clone(),
            notes: folder.notes().to_vec(),
            spec,
            cells,
            differences,
            correlations,
        })
    }

    /// True if cells are compared with others.
    pub fn has_baseline(&self) -> bool {
        self.spec.baseline.as_ref().is_some_and(|baseline| !baseline.is_empty())
    }

    /// The measure that runs are ranked by: a sweep keeps it right after `clean`.
    pub fn ranking(&self) -> Option<&str> {
        self.spec.measures.iter().map(String::as_str).find(|name| *name != "clean")
    }

    /// The measure that is answered first; none if that is the share of clean runs.
    pub fn headline(&self) -> Option<&Measure> {
        self.measures.first().filter(|measure| measure.name == self.spec.headline && measure.name != "clean")
    }

    /// What cells are compared with, in words: the values of the axes that the baseline names.
    pub fn baseline_words(&self) -> String {
        let named = self
            .spec
            .axes
            .iter()
            .filter_map(|axis| Some((axis, level_of(self.spec.baseline.as_ref()?.get(&axis.path)?)?)));
        named.map(|(axis, level)| format::level_words(axis, &level)).collect::<Vec<_>>().join(", ")
    }

    /// True if the baseline names all axes, so that there is one for all cells.
    fn is_one_baseline(&self) -> bool {
        self.spec
            .baseline
            .as_ref()
            .is_some_and(|baseline| self.spec.axes.iter().all(|axis| baseline.contains_key(&axis.path)))
    }

    pub fn setting_words(&self, row: &CellRow) -> String {
        format::setting_words(&self.spec.axes, &row.setting)
    }

    /// The one axis in which a setting differs from its baseline, if it is one.
    fn axis_off(&self, setting: &[Level]) -> Option<usize> {
        let baseline = self.spec.baseline.as_ref()?;
        let differs = |axis: usize| {
            baseline.get(&self.spec.axes[axis].path).is_some_and(|value| level_of(value).as_ref() != setting.get(axis))
        };
        let mut off = (0..self.spec.axes.len()).filter(|&axis| differs(axis));
        off.next().filter(|_| off.next().is_none())
    }

    /// True if only settings that differ from the baseline in one axis are compared with it, since there are many others.
    pub fn is_compared_by_axis(&self) -> bool {
        let others = self.cells.rows.len().saturating_sub(1);
        let is_near = |row: &CellRow| self.axis_off(&row.setting).is_some();
        self.is_one_baseline() && others > MAX_COMPARED && self.cells.rows.iter().any(is_near)
    }

    /// The cells that are compared with the baseline.
    pub fn compared(&self) -> Vec<u64> {
        let by_axis = self.is_compared_by_axis();
        let rows = self.cells.rows.iter().filter(|row| !by_axis || self.axis_off(&row.setting).is_some());
        rows.map(|row| row.cell).collect()
    }

    /// What a cell that is compared with the baseline is called.
    pub fn difference_words(&self, row: &DifferenceRow) -> String {
        match self.axis_off(&row.setting).filter(|_| self.is_compared_by_axis()) {
            Some(axis) => format::level_words(&self.spec.axes[axis], &row.setting[axis]),
            None => format::setting_words(&self.spec.axes, &row.setting),
        }
    }

    pub fn axes(&self) -> &[AxisSpec] {
        &self.spec.axes
    }
}

/// A value of a JSON file as one of an axis.
fn level_of(value: &Value) -> Option<Level> {
    match value {
        Value::Number(number) => number.as_f64().map(Level::Number),
        Value::String(text) => Some(Level::Text(text.clone())),
        Value::Bool(value) => Some(Level::Text(value.to_string())),
        _ => None,
    }
}

fn read_measures(folder: &SweepFolder, held: &BTreeSet<u64>) -> Result<Vec<Measure>, ViewError> {
    let empty =
        |name: &String| Measure { name: name.clone(), unit: String::new(), limit: None, cells: BTreeMap::new() };
    let mut measures: Vec<Measure> = folder.spec().measures.iter().map(empty).collect();
    for row in folder.rows::<MeasureRow>()? {
        let row = row?;
        let Some(measure) = measures.iter_mut().find(|measure| measure.name == row.measure) else { continue };
        // A limit may depend on the setting: then it is not one of the measure.
        let is_first = measure.unit.is_empty() && measure.cells.is_empty();
        measure.limit = if is_first { row.limit } else { measure.limit.filter(|limit| Some(*limit) == row.limit) };
        measure.unit = row.unit;
        if held.contains(&row.cell) {
            let MeasureRow { cell, n, mean, sd, quantiles, interval, .. } = row;
            measure.cells.insert(cell, Stats { n, mean, sd, quantiles, interval });
        }
    }
    Ok(measures)
}

impl Runs {
    /// The single runs are only looked through where there is one cell, whose values are shown.
    fn read(folder: &SweepFolder, cells: &Cells) -> Result<Self, ViewError> {
        let mut runs = Self::default();
        let failed = folder.rows_if_any::<FailureRow>()?;
        runs.failed = failed.into_iter().flatten().take(MAX_LISTED).collect::<Result<_, _>>()?;
        let rows = folder.rows::<SweepRunRow>()?;
        if cells.total > 1 {
            return Ok(runs);
        }
        runs.values = folder.spec().measures.iter().map(|_| Decimated::default()).collect();
        for row in rows {
            for (values, value) in runs.values.iter_mut().zip(row?.values) {
                value.iter().for_each(|&value| values.push(value));
            }
        }
        Ok(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_values_are_evenly_chosen_and_bounded() {
        let mut decimated = Decimated::default();
        (0..1_000_000).for_each(|n| decimated.push(f64::from(n)));
        assert!(decimated.values.len() <= MAX_VALUES && decimated.values.len() > MAX_VALUES / 3);
        let step = decimated.every as f64;
        assert!(decimated.values.iter().enumerate().all(|(n, value)| *value == n as f64 * step), "{step}");
    }

    #[test]
    fn of_too_many_cells_the_worst_are_held() {
        let mut cells = Cells::default();
        let total = 3 * MAX_CELLS as u64;
        for cell in 0..total {
            // One cell in a thousand is worse than all others.
            let share = if cell % 1000 == 999 { 0.5 } else { 0.9 + 0.1 * cell as f64 / total as f64 };
            let row = CellRow {
                cell,
                setting: Vec::new(),
                status: "done".into(),
                runs: 10,
                failed_runs: 0,
                clean_runs: 9,
                clean: [Some(0.0), Some(share), Some(1.0)],
                ended: String::new(),
                words: String::new(),
            };
            cells.take(row);
            assert!(cells.rows.len() <= 2 * MAX_CELLS + 1);
        }
        cells.keep_worst(MAX_WORST);
        assert!(!cells.is_all() && cells.total == total && cells.shares.values.len() as u64 == total);
        let worst: Vec<u64> = cells.rows.iter().map(|row| row.cell).take(13).collect();
        let planted: Vec<u64> = (0..total / 1000).map(|n| 1000 * n + 999).collect();
        assert_eq!(worst[..planted.len()], planted);
        assert_eq!(worst[planted.len()], 0, "next comes the one with the smallest share");
    }
}
