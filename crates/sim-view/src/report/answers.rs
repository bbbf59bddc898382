//! The answer in words, before any plot.

use super::data::{Data, Measure, is_spotless};
use super::format::{
    axis_name, capital, interval_words, is_count, level_words, number, percent, plain_name, thousands, unit_words,
};
use super::grid::{Grid, GridAxis};
use crate::folder::{CellRow, CorrelationRow, DifferenceRow, Level};
use serde::Serialize;

/// Sentences of one kind that a report begins with; the others are folded away.
const IN_SIGHT: usize = 8;

/// Sentences of one kind that a report holds.
const MAX_ANSWERS: usize = 60;

/// Settings up to which each has its answer.
const FEW_CELLS: u64 = 12;

/// An answer to a part of the question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// For which setting; empty for all.
    pub setting: String,
    /// In few words.
    pub headline: String,
    /// In a sentence or two.
    pub words: String,
    /// `good`, `bad`, or nothing.
    pub state: &'static str,
}

/// Answers that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answers {
    pub title: String,
    pub caption: String,
    pub rows: Vec<Answer>,
    /// Those that are folded away.
    pub more: Vec<Answer>,
}

impl Answers {
    fn new(title: impl Into<String>, caption: impl Into<String>, mut rows: Vec<Answer>) -> Self {
        rows.truncate(MAX_ANSWERS);
        let more = if rows.len() > IN_SIGHT + 2 { rows.split_off(IN_SIGHT) } else { Vec::new() };
        Self { title: title.into(), caption: caption.into(), rows, more }
    }
}

/// What a sweep answers.
pub fn answers(data: &Data) -> Vec<Answers> {
    let mut all = Vec::new();
    all.push(what_matters(data));
    all.extend(data.headline().map(|measure| headline(data, measure)));
    match count_axis(data) {
        Some(axis) => all.push(largest_counts(data, axis)),
        // Of few settings, the sentences about clean runs stand beside the headline measure.
        None if data.headline().is_some() && data.cells.total <= FEW_CELLS => {}
        None => all.push(cell_by_cell(data)),
    }
    all.push(against_baseline(data));
    all.retain(|answers| !answers.rows.is_empty() || !answers.caption.is_empty());
    all
}

/// The measure that the sweep asks for first: its mean in each setting, or in the extreme ones of many, and the clean runs beside it.
fn headline(data: &Data, measure: &Measure) -> Answers {
    let mean = |row: &CellRow| measure.cells.get(&row.cell).and_then(|stats| stats.mean[1]);
    let mut rows: Vec<&CellRow> = data.cells.rows.iter().collect();
    let mut sorted: Vec<&CellRow> = rows.iter().copied().filter(|row| mean(row).is_some()).collect();
    sorted.sort_by(|a, b| mean(a).unwrap_or(0.0).total_cmp(&mean(b).unwrap_or(0.0)).then(a.cell.cmp(&b.cell)));
    let title = capital(&plain_name(&measure.name));
    let of = if data.cells.is_all() { "" } else { ", of the settings in which most runs went wrong" };
    let caption = match (sorted.first(), sorted.last()) {
        (Some(lowest), Some(highest)) if lowest.cell != highest.cell => format!(
            "From {} with {} to {} with {}{of}. Means over the runs, with two-sided intervals.",
            mean_words(measure, mean(lowest)),
            data.setting_words(lowest),
            mean_words(measure, mean(highest)),
            data.setting_words(highest)
        ),
        _ => "Mean over the runs, with its two-sided interval.".to_owned(),
    };
    if data.cells.total > FEW_CELLS {
        rows = sorted
            .iter()
            .copied()
            .take(4)
            .chain(sorted.iter().copied().skip(4.max(sorted.len().saturating_sub(4))))
            .collect();
    }
    let answer = |row: &CellRow| Answer {
        setting: data.setting_words(row),
        headline: mean_words(measure, mean(row)),
        words: measure_sentence(measure, row),
        state: if is_spotless(row) { "" } else { "bad" },
    };
    Answers::new(title, caption, rows.into_iter().map(answer).collect())
}

fn mean_words(measure: &Measure, mean: Option<f64>) -> String {
    let words = |mean| format!("{} {}", number(mean), unit_words(&measure.unit)).trim_end().to_owned();
    mean.map_or_else(|| "no value".to_owned(), words)
}

/// The interval and the extremes of a measure in a cell, then the cell's own sentence about clean runs.
fn measure_sentence(measure: &Measure, row: &CellRow) -> String {
    let clean = format!("{}.", capital(&sentence_of(row)));
    let Some(stats) = measure.cells.get(&row.cell) else { return clean };
    let range = match stats.quantiles {
        [Some(least), .., Some(most)] if least < most => format!(", single runs {} to {}", number(least), number(most)),
        _ => String::new(),
    };
    match interval_words(stats.mean, 1.0) {
        Some(mean) => format!("Mean {mean}{range}. {clean}"),
        None => clean,
    }
}

/// The axis that counts something, in a grid of which all cells are held.
fn count_axis(data: &Data) -> Option<usize> {
    let is_numeric = |axis: usize| data.cells.rows.iter().all(|row| row.setting[axis].number().is_some());
    let is_grid = data.spec.design == "grid" && data.cells.is_all() && data.cells.total > 1;
    // Of two counts, the one that was tried most: how many robots, rather than one foot or two.
    let levels = |&axis: &usize| Grid::new(data.axes(), &data.cells.rows).axes[axis].levels.len();
    let counts = (0..data.axes().len()).filter(|&axis| is_grid && is_count(&data.axes()[axis]) && is_numeric(axis));
    counts.max_by_key(levels)
}

/// For each setting of the other axes, up to which count no run went wrong.
fn largest_counts(data: &Data, axis: usize) -> Answers {
    let grid = Grid::new(data.axes(), &data.cells.rows);
    let name = axis_name(&data.axes()[axis]);
    let row_of = |cell: u64| data.cells.rows.iter().find(|row| row.cell == cell);
    let mut settings: Vec<Vec<Level>> = Vec::new();
    for row in &data.cells.rows {
        let others = others(row, axis);
        if !settings.contains(&others) {
            settings.push(others);
        }
    }
    let answer = |others: &Vec<Level>| {
        let places = |count: usize| -> Option<Vec<usize>> {
            let mut others = others.iter();
            let place = |(n, of): (usize, &GridAxis)| {
                if n == axis {
                    return Some(count);
                }
                let wanted = others.next()?;
                of.levels.iter().position(|level| level == wanted)
            };
            grid.axes.iter().enumerate().map(place).collect()
        };
        let counts = 0..grid.axes[axis].levels.len();
        let rows: Vec<&CellRow> = counts.filter_map(|n| row_of(grid.cell(&places(n)?)?)).collect();
        largest_count(data, axis, &name, &rows)
    };
    let rows = settings.iter().filter_map(answer).collect();
    let caption = format!(
        "For each setting, the largest number of {name} up to which no run went wrong, of those that were tried."
    );
    Answers::new(format!("How many {name}"), caption, rows)
}

fn others(row: &CellRow, axis: usize) -> Vec<Level> {
    row.setting.iter().enumerate().filter(|(n, _)| *n != axis).map(|(_, level)| level.clone()).collect()
}

/// The answer of one setting; `rows` are its cells, the smallest count first.
fn largest_count(data: &Data, axis: usize, name: &str, rows: &[&CellRow]) -> Option<Answer> {
    let count = |row: &CellRow| row.setting[axis].number().map(number).unwrap_or_default();
    let parts = data.axes().iter().zip(&rows.first()?.setting).enumerate().filter(|(n, _)| *n != axis);
    let setting = parts.map(|(_, (spec, level))| level_words(spec, level)).collect::<Vec<_>>().join(", ");
    let spotless = rows.iter().take_while(|row| is_spotless(row)).count();
    let next = rows.get(spotless).map(|row| format!("With {} {name}, {}.", count(row), sentence_of(row)));
    let Some(last) = spotless.checked_sub(1).map(|n| rows[n]) else {
        let words = next.unwrap_or_default();
        return Some(Answer { setting, headline: format!("not even {}", count(rows[0])), words, state: "bad" });
    };
    let first = format!("With {} {name}, {}.", count(last), sentence_of(last));
    let words = format!("{first} {}", next.unwrap_or_else(|| "More were not tried.".into()));
    let headline = if spotless == rows.len() { format!("at least {}", count(last)) } else { count(last) };
    Some(Answer { setting, headline, words, state: "good" })
}

/// The sweep's words about a cell, with its failed runs.
fn sentence_of(row: &CellRow) -> String {
    let words = row.words.trim_end_matches('.');
    match (row.status.as_str(), row.failed_runs) {
        ("infeasible", _) => format!("no scenario is possible: {words}"),
        (_, 0) => words.to_owned(),
        (_, failed) => format!("{words} (it failed in {failed} of them)"),
    }
}

/// The cells' own sentences: all of few, or of many how many are without fault, and the worst.
fn cell_by_cell(data: &Data) -> Answers {
    let answer = |row: &CellRow| Answer {
        setting: data.setting_words(row),
        headline: row.clean[1].map(|share| format!("{} clean", percent(share))).unwrap_or_default(),
        words: format!("{}.", capital(&sentence_of(row))),
        state: if is_spotless(row) { "good" } else { "bad" },
    };
    let cells = &data.cells;
    if cells.total <= FEW_CELLS {
        let title = if cells.total == 1 { "All runs" } else { "Setting by setting" };
        return Answers::new(title, "", cells.rows.iter().map(answer).collect());
    }
    let mut worst: Vec<&CellRow> =
        cells.rows.iter().filter(|row| row.clean[1].is_some_and(|share| share < 1.0)).collect();
    worst.sort_by(|a, b| a.clean[1].unwrap_or(1.0).total_cmp(&b.clean[1].unwrap_or(1.0)).then(a.cell.cmp(&b.cell)));
    let caption = format!(
        "In {} of {} settings no run went wrong; over all settings, {} of {} runs kept all limits.{}",
        thousands(cells.spotless),
        thousands(cells.total - cells.infeasible.1),
        thousands(cells.runs[1]),
        thousands(cells.runs[0]),
        if worst.is_empty() { "" } else { " These settings are the worst." }
    );
    Answers::new("All settings", caption, worst.into_iter().take(4).map(answer).collect())
}

/// How the headline measure of settings differs from the baseline's, how much more or less often they are clean, and how the measure that
/// runs are ranked by differs.
fn against_baseline(data: &Data) -> Answers {
    if !data.has_baseline() {
        return Answers::new("", "", Vec::new());
    }
    let cells = data.compared();
    let find =
        |cell: u64, measure: &str| data.differences.iter().find(|row| row.cell == cell && row.measure == measure);
    let answer = |&cell: &u64| {
        let clean = find(cell, "clean")?;
        let ranking = data.ranking().and_then(|measure| find(cell, measure));
        let asked = data.headline().and_then(|measure| find(cell, &measure.name));
        let ranking = ranking.filter(|row| asked.is_none_or(|asked| asked.measure != row.measure));
        let (headline, state) = match asked {
            Some(asked) => (way_words(asked), ""),
            None => verdict(clean, ranking),
        };
        let parts = [asked.and_then(ranking_words), clean_words(clean), ranking.and_then(ranking_words)];
        let words = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let setting = data.difference_words(clean);
        Some(Answer { setting, headline, words, state })
    };
    let which = if data.is_compared_by_axis() { "Settings that differ in one axis from" } else { "Each setting less" };
    let caption = format!("{which} the baseline, {}, run by run.", data.baseline_words());
    Answers::new("Against the baseline", caption, cells.iter().filter_map(answer).collect())
}

/// Whether the interval of a difference leaves zero out: that of the share of clean runs, and if not, that of the measure that runs are
/// ranked by.
fn verdict(clean: &DifferenceRow, ranking: Option<&DifferenceRow>) -> (String, &'static str) {
    match (way(clean), ranking) {
        (Some(true), _) => ("better".into(), "good"),
        (Some(false), _) => ("worse".into(), "bad"),
        (None, Some(ranking)) => (way_words(ranking), ""),
        (None, None) => (NO_DIFFERENCE.into(), ""),
    }
}

const NO_DIFFERENCE: &str = "no clear difference";

/// True if the interval of a difference lies above zero, false if below; none if it holds zero.
fn way(row: &DifferenceRow) -> Option<bool> {
    is_clear(row.mean).then(|| row.mean[0].is_some_and(|low| low > 0.0))
}

fn way_words(row: &DifferenceRow) -> String {
    let name = plain_name(&row.measure);
    match way(row) {
        Some(true) => format!("{name} higher"),
        Some(false) => format!("{name} lower"),
        None => NO_DIFFERENCE.to_owned(),
    }
}

fn clean_words(row: &DifferenceRow) -> Option<String> {
    let mean = row.mean[1]?;
    let pairs = thousands(row.pairs);
    if mean == 0.0 && row.mean.iter().all(|value| *value == Some(0.0)) {
        return Some(format!("In {pairs} pairs of runs the same number kept all limits."));
    }
    let words = interval_words(row.mean, 100.0)?;
    Some(format!("Clean runs differ by {words} percentage points in {pairs} pairs of runs."))
}

fn ranking_words(row: &DifferenceRow) -> Option<String> {
    let (name, unit) = (capital(&plain_name(&row.measure)), unit_words(&row.unit));
    Some(format!("{name}: difference {} {unit}", interval_words(row.mean, 1.0)?).trim_end().to_owned() + ".")
}

/// The axes that go most along with the first measures.
fn what_matters(data: &Data) -> Answers {
    let of_measure = |measure: &str| {
        let mut rows: Vec<&CorrelationRow> = data.correlations.iter().filter(|row| row.measure == measure).collect();
        let size = |row: &CorrelationRow| row.spearman[1].unwrap_or(0.0).abs();
        rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
        rows
    };
    let name =
        |path: &str| data.axes().iter().find(|axis| axis.path == path).map_or_else(|| path.to_owned(), axis_name);
    let answer = |measure: &Measure| {
        let rows = of_measure(&measure.name);
        let clear: Vec<&&CorrelationRow> = rows.iter().filter(|row| is_clear(row.spearman)).collect();
        rows.first()?;
        let what = if measure.name == "clean" { "clean runs".to_owned() } else { plain_name(&measure.name) };
        let words = |row: &&&CorrelationRow| {
            let way = if row.spearman[1]? < 0.0 { "Falls" } else { "Grows" };
            Some(format!("{way} with {}: rank correlation {}.", name(&row.axis), interval_words(row.spearman, 1.0)?))
        };
        let sentences: Vec<String> = clear.iter().take(4).filter_map(words).collect();
        let words = if sentences.is_empty() {
            "No axis goes along with it clearly: every interval of a rank correlation holds zero.".to_owned()
        } else {
            sentences.join(" ")
        };
        let headline = clear.first().map_or_else(|| "nothing clearly".to_owned(), |row| name(&row.axis));
        Some(Answer { setting: what, headline, words, state: "" })
    };
    let caption = "For each measure, the axis that it goes along with most, over all settings.";
    let rows: Vec<Answer> = data.measures.iter().filter_map(answer).collect();
    Answers::new("What matters most", if rows.is_empty() { "" } else { caption }, rows)
}

fn is_clear([low, _, high]: [Option<f64>; 3]) -> bool {
    low.is_some_and(|low| low > 0.0) || high.is_some_and(|high| high < 0.0)
}
