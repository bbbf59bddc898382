//! The plots of a report: which ones, and in which order.

use super::data::{Data, MAX_LEVELS, Measure, Stats};
use super::format::{
    axis_name, capital, clipped, level_name, level_words, plain_name, setting_words, slug, unit_words,
};
use super::grid::{Cut, Grid, MAX_CURVES, spread};
use crate::draw::{Scene, svg};
use crate::folder::{AxisSpec, CellRow, CorrelationRow, DifferenceRow, Level};
use crate::plot::{
    Band, BoxPlot, Chart, Guide, Interval, Quantity, Series, Steps, box_plots, curves, heat_map, histogram, intervals,
    scatter,
};
use crate::theme::Theme;
use serde::Serialize;
use sim_core::DVec2;
use std::collections::BTreeSet;

/// Width and height of a plot, px.
const SIZE: DVec2 = DVec2::new(480.0, 300.0);

/// Height of a row of a plot that has rows, and of what is round them, px.
const ROW_PX: f64 = 22.0;
const ROUND_ROWS_PX: f64 = 118.0;

/// Plots of a report.
const MAX_FIGURES: usize = 90;

/// Rows of a plot that has rows.
const MAX_ROWS: usize = 40;

/// Letters of the name of such a row.
const MAX_ROW_LETTERS: usize = 34;

/// Cuts through a grid that differ only in the values of further axes; of measures that are folded away there is one.
const MAX_CUTS: usize = 3;

/// Values of an axis of a map.
const MAX_STEPS: usize = 60;

/// Dots of a plot.
const MAX_DOTS: usize = 800;

/// Measures of which plots are in sight; those of the others are folded away.
const IN_SIGHT: usize = 3;

/// A plot, drawn for both themes.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// File name below `plots`.
    pub file: String,
    pub title: String,
    pub light: String,
    pub dark: String,
}

/// Plots that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    pub id: &'static str,
    pub title: &'static str,
    /// How to read them.
    pub caption: String,
    pub figures: Vec<Figure>,
    /// Those that are folded away.
    pub more: Vec<Figure>,
}

/// Draws the plots of a report.
pub fn sections(data: &Data) -> Vec<Section> {
    let mut plots = ReportPlots { data, files: BTreeSet::new(), left_out: 0 };
    let mut sections = Vec::new();
    if !data.cells.is_all() {
        sections.push(plots.effects());
    } else if data.cells.total <= 1 {
        sections.push(plots.values());
    } else if data.spec.design == "grid" {
        let grid = Grid::new(data.axes(), &data.cells.rows);
        sections.push(plots.curves(&grid));
        sections.push(plots.maps(&grid));
    }
    if data.cells.total > 1 {
        sections.push(plots.shares());
    }
    sections.push(plots.differences());
    sections.push(plots.correlations());
    if data.cells.is_all() && data.spec.design != "grid" {
        sections.push(plots.dots());
    }
    if data.cells.total > 1 {
        sections.push(plots.box_plots());
    }
    sections.retain(|section| !section.figures.is_empty() || !section.more.is_empty());
    if let Some(last) = sections.last_mut().filter(|_| plots.left_out > 0) {
        last.caption += &format!(" {} further plots would be too many for a page and are not drawn.", plots.left_out);
    }
    sections
}

/// A measure as it is drawn: shares of clean runs in percent, with its limit.
struct Shown {
    quantity: Quantity,
    factor: f64,
    /// From the smallest to the largest mean of a setting, and the same with their intervals: the same in all plots of the measure.
    means: [f64; 2],
    bands: [f64; 2],
    /// For file names.
    slug: String,
}

impl Shown {
    fn new(measure: &Measure) -> Self {
        if measure.name == "clean" {
            let quantity = Quantity::new("clean runs", "%").within([0.0, 100.0]);
            let all = [0.0, 100.0];
            return Self { quantity, factor: 100.0, means: all, bands: all, slug: "clean".into() };
        }
        let quantity = Quantity::new(clipped(&plain_name(&measure.name)), unit_words(&measure.unit));
        let ends_of = |of: fn(&Stats) -> [Option<f64>; 3]| ends(measure.cells.values().flat_map(of).flatten());
        let [low, high] = ends_of(|stats| stats.mean);
        let margin = 0.04 * (high - low);
        let limit = measure.limit.unwrap_or(high);
        Self {
            quantity: Quantity { guide: measure.limit.map(Guide::limit), ..quantity },
            factor: 1.0,
            means: ends_of(|stats| [stats.mean[1]; 3]),
            bands: [low.min(limit) - margin, high.max(limit) + margin],
            slug: slug(&plain_name(&measure.name)),
        }
    }

    /// Without the limit, which says nothing about differences.
    fn difference(&self) -> Quantity {
        let unit = if self.slug == "clean" { "percentage points" } else { &self.quantity.unit };
        let guide = Guide { at: 0.0, words: "no difference".into(), is_alarm: false };
        Quantity::new(format!("difference in {}", self.quantity.name), unit).guided(guide)
    }

    /// Lower end, mean and upper end. One run has no interval: its ends are its value.
    fn band(&self, [low, mean, high]: [Option<f64>; 3]) -> [f64; 3] {
        self.values([low.or(mean), mean, high.or(mean)])
    }

    fn values<const N: usize>(&self, values: [Option<f64>; N]) -> [f64; N] {
        values.map(|value| value.map_or(f64::NAN, |value| value * self.factor))
    }

    /// As the first word of a title.
    fn title(&self) -> String {
        capital(&self.quantity.name)
    }
}

struct ReportPlots<'a> {
    data: &'a Data,
    files: BTreeSet<String>,
    left_out: usize,
}

impl<'a> ReportPlots<'a> {
    /// Draws a plot in both themes; nothing if there are too many already.
    fn draw(&mut self, file: &str, title: String, size: DVec2, scene: impl Fn(&Chart) -> Scene) -> Option<Figure> {
        if self.files.len() >= MAX_FIGURES {
            self.left_out += 1;
            return None;
        }
        let [light, dark] = [Theme::light(), Theme::dark()]
            .map(|theme| svg::document(&scene(&Chart { title: title.clone(), size, theme }), 1.0));
        let mut name = format!("{file}.svg");
        let mut number = 2;
        while !self.files.insert(name.clone()) {
            name = format!("{file}-{number}.svg");
            number += 1;
        }
        Some(Figure { file: name, title, light, dark })
    }

    /// Plots of each measure, those of the first ones in sight.
    fn by_measure(
        &mut self,
        (id, title, caption): (&'static str, &'static str, String),
        in_sight: usize,
        mut draw: impl FnMut(&mut Self, usize, &Shown) -> Vec<Figure>,
    ) -> Section {
        let mut section = Section { id, title, caption, figures: Vec::new(), more: Vec::new() };
        for (n, measure) in self.data.measures.iter().enumerate().filter(|(_, measure)| !measure.is_empty()) {
            let figures = draw(self, n, &Shown::new(measure));
            if n < in_sight { section.figures.extend(figures) } else { section.more.extend(figures) }
        }
        section
    }

    fn stats(&self, measure: usize, cell: u64) -> Option<&Stats> {
        self.data.measures.get(measure)?.cells.get(&cell)
    }

    /// With more than two axes there are many plots of a measure.
    fn in_sight(&self, grid: &Grid) -> usize {
        if grid.varied().len() > 2 { 1 } else { IN_SIGHT }
    }

    fn curves(&mut self, grid: &Grid) -> Section {
        let caption = "A dot is the mean over the runs of one setting; the band or line is its two-sided 95 % interval, \
                    which one run does not have. Dots of one value stand side by side; between values nothing was tried.";
        let (cuts, few) = (grid.curves(MAX_CUTS), grid.curves(1));
        let in_sight = self.in_sight(grid);
        self.by_measure(("curves", "Along the axes", caption.into()), in_sight, |plots, n, shown| {
            let cuts = if n < in_sight { &cuts } else { &few };
            cuts.iter().filter_map(|cut| plots.curve(grid, cut, n, shown)).collect()
        })
    }

    fn curve(&mut self, grid: &Grid, cut: &Cut, measure: usize, shown: &Shown) -> Option<Figure> {
        let axis = &grid.axes[cut.along];
        let by = cut.by.map(|by| spread(grid.axes[by].levels.len(), MAX_CURVES)).unwrap_or_else(|| vec![0]);
        let places = |by: usize| {
            let place = |(n, level): (usize, &Level)| {
                let stats = self.stats(measure, grid.cell_of(cut, n, by)?)?;
                Some(Band { x: level.number()?, values: shown.band(stats.mean) })
            };
            axis.levels.iter().enumerate().filter_map(place).collect::<Vec<_>>()
        };
        let specs = self.data.axes();
        let series: Vec<Series> = by
            .into_iter()
            .map(|n| Series {
                name: cut.by.map_or_else(String::new, |by| clipped(&series_name(&specs[by], &grid.axes[by].levels[n]))),
                places: places(n),
            })
            .filter(|series| !series.places.is_empty())
            .collect();
        if series.is_empty() {
            return None;
        }
        let x = axis_quantity(&specs[cut.along], axis);
        let by_name = cut.by.map_or_else(String::new, |by| format!(" by {}", clipped(&axis_name(&specs[by]))));
        let title = format!("{} over {}{by_name}{}", shown.title(), x.name, held_words(specs, grid, cut));
        let file =
            format!("{}-over-{}{}{}", shown.slug, slug(&x.name), slug_or_none(&by_name), held_slug(specs, grid, cut));
        let y = shown.quantity.clone().within(shown.bands);
        self.draw(&file, title, SIZE, |chart| curves(chart, [&x, &y], &series))
    }

    fn maps(&mut self, grid: &Grid) -> Section {
        let caption = "Each field is one setting, its number the mean over its runs. Yellow is high, blue is low; \
                       an empty frame was not run.";
        let (cuts, few) = (grid.maps(MAX_CUTS), grid.maps(1));
        let in_sight = self.in_sight(grid);
        self.by_measure(("maps", "Over two axes", caption.into()), in_sight, |plots, n, shown| {
            let cuts = if n < in_sight { &cuts } else { &few };
            cuts.iter().filter_map(|cut| plots.map(grid, cut, n, shown)).collect()
        })
    }

    fn map(&mut self, grid: &Grid, cut: &Cut, measure: usize, shown: &Shown) -> Option<Figure> {
        let by = cut.by?;
        let [columns, rows] = [cut.along, by].map(|axis| spread(grid.axes[axis].levels.len(), MAX_STEPS));
        let specs = self.data.axes();
        let steps = |axis: usize, places: &[usize]| Steps {
            quantity: Quantity::new(clipped(&axis_name(&specs[axis])), unit_words(&specs[axis].unit)),
            names: places.iter().map(|&n| clipped(&level_name(&grid.axes[axis].levels[n]))).collect(),
        };
        let (x, y) = (steps(cut.along, &columns), steps(by, &rows));
        let value = |along: usize, by: usize| {
            self.stats(measure, grid.cell_of(cut, along, by)?)?.mean[1].map(|value| value * shown.factor)
        };
        let cells: Vec<Option<f64>> = rows
            .iter()
            .flat_map(|&row| columns.iter().map(move |&column| (column, row)))
            .map(|(c, r)| value(c, r))
            .collect();
        if cells.iter().all(Option::is_none) {
            return None;
        }
        let (x_name, y_name) = (&x.quantity.name, &y.quantity.name);
        let title = format!("{} over {x_name} and {y_name}{}", shown.title(), held_words(specs, grid, cut));
        let file = format!("{}-map-{}-{}{}", shown.slug, slug(x_name), slug(y_name), held_slug(specs, grid, cut));
        let quantity = shown.quantity.clone().within(shown.means);
        self.draw(&file, title, SIZE, |chart| heat_map(chart, [&x, &y], &quantity, &cells))
    }

    /// The clean share of each setting with its interval: for settings of words the first plot to look at.
    fn shares(&mut self) -> Section {
        let is_grid_of_words = self.data.spec.design == "grid"
            && self.data.cells.rows.iter().all(|row| row.setting.iter().all(|level| level.number().is_none()));
        let mut section = Section {
            id: "settings",
            title: "Setting by setting",
            caption: format!(
                "A dot is the mean over the runs, the line its two-sided 95 % interval, which one run does not have.{}",
                self.row_words()
            ),
            figures: Vec::new(),
            more: Vec::new(),
        };
        if !is_grid_of_words || !self.data.cells.is_all() {
            return section;
        }
        let rows = self.rows();
        for (n, measure) in self.data.measures.iter().enumerate().filter(|(_, measure)| !measure.is_empty()) {
            let shown = Shown::new(measure);
            let row = |row: &&CellRow| {
                let stats = measure.cells.get(&row.cell)?;
                Some(Interval { name: self.row_name(row), values: shown.band(stats.mean) })
            };
            let lines: Vec<Interval> = rows.iter().filter_map(row).collect();
            if lines.is_empty() {
                continue;
            }
            let size = rows_size(lines.len());
            let draw = |chart: &Chart| intervals(chart, &shown.quantity, &lines);
            let figure = self.draw(&format!("{}-by-setting", shown.slug), shown.title(), size, draw);
            if n < IN_SIGHT { section.figures.extend(figure) } else { section.more.extend(figure) }
        }
        section
    }

    /// The cells that plots with rows show: all, or those in which most went wrong.
    fn rows(&self) -> Vec<&'a CellRow> {
        let mut rows: Vec<&'a CellRow> = self.data.cells.rows.iter().filter(|row| row.clean[1].is_some()).collect();
        if rows.len() > MAX_ROWS {
            rows.sort_by(|a, b| {
                a.clean[1].unwrap_or(1.0).total_cmp(&b.clean[1].unwrap_or(1.0)).then(a.cell.cmp(&b.cell))
            });
            rows.truncate(MAX_ROWS);
        }
        rows
    }

    /// What a row is called: the setting in words, or only its values where that is too long.
    fn row_name(&self, row: &CellRow) -> String {
        let values = || row.setting.iter().map(level_name).collect::<Vec<_>>().join(" · ");
        let name = if self.is_terse() { values() } else { setting_words(self.data.axes(), &row.setting) };
        if name.chars().count() > MAX_ROW_LETTERS { format!("cell {}: {}", row.cell, clipped(&name)) } else { name }
    }

    fn is_terse(&self) -> bool {
        let axes = self.data.axes();
        self.rows().iter().any(|row| setting_words(axes, &row.setting).chars().count() > MAX_ROW_LETTERS)
    }

    /// How rows are to be read, if they are terse.
    fn row_words(&self) -> String {
        if !self.is_terse() {
            return String::new();
        }
        let names: Vec<String> = self.data.axes().iter().map(axis_name).collect();
        format!(" Rows are named {}.", names.join(" · "))
    }

    fn box_plots(&mut self) -> Section {
        let rows = self.rows();
        let mut caption = "How the runs of a setting are spread: the box holds the middle half, the line nine tenths, the whisker all of \
                        them; the gap in the box is the median."
            .to_owned();
        if (rows.len() as u64) < self.data.cells.total - self.data.cells.infeasible.1 {
            caption += &format!(" Shown are the {} settings with the smallest share of clean runs.", rows.len());
        }
        caption += &self.row_words();
        self.by_measure(("spread", "How the runs are spread", caption), IN_SIGHT + 1, |plots, n, shown| {
            let measure = &plots.data.measures[n];
            if measure.name == "clean" {
                return Vec::new();
            }
            let row = |row: &&CellRow| {
                let quantiles = shown.values(measure.cells.get(&row.cell)?.quantiles);
                Some(BoxPlot { name: plots.row_name(row), quantiles })
            };
            let lines: Vec<BoxPlot> = rows.iter().filter_map(row).collect();
            let title = format!("{}: all runs", shown.title());
            let draw = |chart: &Chart| box_plots(chart, &shown.quantity, &lines);
            if lines.is_empty() {
                return Vec::new();
            }
            plots.draw(&format!("{}-spread", shown.slug), title, rows_size(lines.len()), draw).into_iter().collect()
        })
    }

    fn differences(&mut self) -> Section {
        let words = self.data.baseline_words();
        let caption = format!(
            "Each setting less the baseline ({words}), run by run on the same draws. An interval that does not touch the line is a \
             difference that luck alone would hardly make.{}",
            if self.data.is_compared_by_axis() {
                " Shown are the settings that differ from it in one axis."
            } else {
                ""
            }
        );
        let compared: BTreeSet<u64> = self.data.compared().into_iter().collect();
        self.by_measure(("differences", "Against the baseline", caption), IN_SIGHT, |plots, n, shown| {
            let measure = &plots.data.measures[n].name;
            let is_it = |row: &&DifferenceRow| row.measure == *measure && compared.contains(&row.cell);
            let of_it = plots.data.differences.iter().filter(is_it);
            let name = |row: &DifferenceRow| {
                let name = plots.data.difference_words(row);
                if name.chars().count() > MAX_ROW_LETTERS { clipped(&name) } else { name }
            };
            let row = |row: &DifferenceRow| Interval { name: name(row), values: shown.band(row.mean) };
            let mut lines: Vec<Interval> = of_it.map(row).collect();
            if lines.is_empty() {
                return Vec::new();
            }
            if lines.len() > MAX_ROWS {
                lines.sort_by(|a, b| b.values[1].abs().total_cmp(&a.values[1].abs()));
                lines.truncate(MAX_ROWS);
            }
            let title = format!("{} against the baseline", shown.title());
            let quantity = shown.difference();
            let draw = |chart: &Chart| intervals(chart, &quantity, &lines);
            plots
                .draw(&format!("{}-against-baseline", shown.slug), title, rows_size(lines.len()), draw)
                .into_iter()
                .collect()
        })
    }

    fn correlations(&mut self) -> Section {
        let caption = "Spearman's rank correlation of each axis with the mean of a measure, with its 95 % interval: +1 if the measure \
                    always grows with the axis, \u{2212}1 if it always falls, 0 if neither. The strongest stands above.";
        self.by_measure(("sensitivity", "What matters most", caption.into()), IN_SIGHT, |plots, n, shown| {
            let measure = &plots.data.measures[n].name;
            let mut rows: Vec<&CorrelationRow> = plots
                .data
                .correlations
                .iter()
                .filter(|row| row.measure == *measure && row.spearman[1].is_some())
                .collect();
            if rows.is_empty() {
                return Vec::new();
            }
            let size = |row: &CorrelationRow| row.spearman[1].unwrap_or(0.0).abs();
            rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
            rows.truncate(MAX_ROWS);
            let specs = plots.data.axes();
            let name =
                |path: &str| specs.iter().find(|axis| axis.path == path).map_or_else(|| path.to_owned(), axis_name);
            let line = |row: &&CorrelationRow| Interval {
                name: clipped(&name(&row.axis)),
                values: row.spearman.map(|value| value.unwrap_or(f64::NAN)),
            };
            let lines: Vec<Interval> = rows.iter().map(line).collect();
            let guide = Guide { at: 0.0, words: "no relation".into(), is_alarm: false };
            let quantity = Quantity::new("rank correlation", "").within([-1.0, 1.0]).guided(guide);
            let title = format!("What {} depends on", shown.quantity.name);
            let draw = |chart: &Chart| intervals(chart, &quantity, &lines);
            plots
                .draw(&format!("{}-sensitivity", shown.slug), title, rows_size(lines.len()), draw)
                .into_iter()
                .collect()
        })
    }

    /// Each setting as a dot over each axis of numbers.
    fn dots(&mut self) -> Section {
        let rows = &self.data.cells.rows;
        let chosen: Vec<&CellRow> = spread(rows.len(), MAX_DOTS).into_iter().map(|n| &rows[n]).collect();
        let mut caption = "Each dot is the mean over the runs of one setting.".to_owned();
        if chosen.len() < rows.len() {
            caption += &format!(" Shown are {} of {} settings, evenly chosen.", chosen.len(), rows.len());
        }
        let specs = self.data.axes();
        self.by_measure(("dots", "Dot by dot", caption), 2, |plots, n, shown| {
            let figure = |axis: usize, plots: &mut Self| {
                let pair = |row: &&CellRow| {
                    let mean = plots.stats(n, row.cell)?.mean[1]?;
                    Some([row.setting.get(axis)?.number()?, mean * shown.factor])
                };
                let pairs: Vec<[f64; 2]> = chosen.iter().filter_map(pair).collect();
                if pairs.is_empty() {
                    return None;
                }
                let is_log = specs[axis].choice.keys().any(|kind| kind.starts_with("log"));
                let x = Quantity {
                    is_log,
                    range: is_log.then(|| ends(pairs.iter().map(|pair| pair[0]))),
                    ..Quantity::new(clipped(&axis_name(&specs[axis])), unit_words(&specs[axis].unit))
                };
                let title = format!("{} over {}", shown.title(), x.name);
                let file = format!("{}-dots-{}", shown.slug, slug(&x.name));
                plots.draw(&file, title, SIZE, |chart| scatter(chart, [&x, &shown.quantity], &pairs))
            };
            (0..specs.len()).filter_map(|axis| figure(axis, plots)).collect()
        })
    }

    /// The values of the only cell.
    fn values(&mut self) -> Section {
        let caption = "How the runs are spread.".to_owned();
        self.by_measure(("values", "All runs", caption), 6, |plots, n, shown| {
            let Some(decimated) = plots.data.runs.values.get(n).filter(|decimated| !decimated.values.is_empty()) else {
                return Vec::new();
            };
            let values = &decimated.values;
            if shown.slug == "clean" {
                return Vec::new();
            }
            let limit = plots.data.measures[n].limit;
            let draw = |chart: &Chart| histogram(chart, &shown.quantity, values, limit);
            plots.draw(&format!("{}-histogram", shown.slug), shown.title(), SIZE, draw).into_iter().collect()
        })
    }

    /// What can be said of too many cells: how clean they are, and how that goes with each axis.
    fn effects(&mut self) -> Section {
        let cells = &self.data.cells;
        let caption = format!(
            "There are {} settings: too many to draw one by one. Curves are means over all settings with the same value of an axis; \
             they have no bands, since these settings differ in more than luck.",
            super::format::thousands(cells.total)
        );
        let mut section =
            Section { id: "effects", title: "All settings together", caption, figures: Vec::new(), more: Vec::new() };
        let shares: Vec<f64> = cells.shares.values.iter().map(|share| 100.0 * share).collect();
        let clean = Quantity::new("clean runs", "%");
        let draw = |chart: &Chart| histogram(chart, &clean, &shares, None);
        section.figures.extend(self.draw("clean-of-all-settings", "Clean runs of all settings".into(), SIZE, draw));
        for (axis, effect) in self.data.axes().iter().zip(&cells.effects) {
            let mut places: Vec<Band> = effect
                .iter()
                .filter_map(|(level, (sum, count))| {
                    let mean = 100.0 * sum / *count as f64;
                    Some(Band { x: level.parse().ok()?, values: [mean; 3] })
                })
                .collect();
            places.sort_by(|a, b| a.x.total_cmp(&b.x));
            if places.len() < 2 || places.len() < effect.len() || effect.len() > MAX_LEVELS {
                continue;
            }
            let x = Quantity::new(clipped(&axis_name(axis)), unit_words(&axis.unit))
                .within(ends(places.iter().map(|p| p.x)));
            let title = format!("Clean runs over {}", x.name);
            let file = format!("clean-over-{}-all-settings", slug(&x.name));
            let y = clean.clone().within([0.0, 100.0]);
            let series = [Series { name: "mean of all settings".into(), places }];
            section.figures.extend(self.draw(&file, title, SIZE, |chart| curves(chart, [&x, &y], &series)));
        }
        section
    }
}

fn rows_size(rows: usize) -> DVec2 {
    DVec2::new(SIZE.x, ROUND_ROWS_PX + ROW_PX * rows as f64)
}

fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
    if low < high { [low, high] } else { [low - 0.5, low + 0.5] }
}

/// An axis of a grid: marked at its values, with a little margin at both ends.
fn axis_quantity(spec: &AxisSpec, axis: &super::grid::GridAxis) -> Quantity {
    let numbers: Vec<f64> = axis.levels.iter().filter_map(Level::number).collect();
    let [low, high] = ends(numbers.iter().copied());
    let range = if axis.is_log {
        let margin = sim_core::ops::exp(0.04 * sim_core::ops::ln(high / low));
        [low / margin, high * margin]
    } else {
        let margin = 0.04 * (high - low);
        [low - margin, high + margin]
    };
    let quantity = Quantity::new(clipped(&axis_name(spec)), unit_words(&spec.unit)).within(range);
    let marks = axis.levels.iter().filter_map(|level| Some((level.number()?, level_name(level)))).collect();
    Quantity { is_log: axis.is_log, marks, ..quantity }
}

/// A word alone says enough, since the title names the axis; a number does not.
fn series_name(axis: &AxisSpec, level: &Level) -> String {
    match level {
        Level::Text(text) => text.clone(),
        Level::Number(_) => level_words(axis, level),
    }
}

fn held_words(specs: &[AxisSpec], grid: &Grid, cut: &Cut) -> String {
    let varied = grid.varied();
    let held = cut.held.iter().filter(|(axis, _)| varied.contains(axis));
    held.map(|&(axis, place)| format!(", {}", clipped(&level_words(&specs[axis], &grid.axes[axis].levels[place]))))
        .collect()
}

fn held_slug(specs: &[AxisSpec], grid: &Grid, cut: &Cut) -> String {
    slug_or_none(&held_words(specs, grid, cut))
}

fn slug_or_none(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("-{}", slug(words)) }
}
