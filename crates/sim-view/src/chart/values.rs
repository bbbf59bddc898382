//! The values of a chart, found by their places in it.

use crate::folder::{FolderError, RunFolder, StreamTable};
use sim_core::{DVec2, ops};
use sim_world::view::{Chart, ChartLayout, Strip};
use std::ops::Range;

/// Most values of a chart: 400 MB.
const MAX_VALUES: usize = 50_000_000;

/// Rows of a stream, as a chart shows them.
pub(super) struct Values<'a> {
    layout: &'a ChartLayout,
    /// What rows lie along: times, angles; of cells both coordinates one after the other.
    keys: Vec<f64>,
    /// Values of a row, and all values, row by row.
    width: usize,
    values: Vec<f64>,
    /// Of cells: the least coordinates, the number along both, and which row is where.
    grid: Option<Grid>,
}

struct Grid {
    low: DVec2,
    size: DVec2,
    columns: usize,
    rows: Vec<usize>,
}

impl<'a> Values<'a> {
    /// All rows up to a time; of sectors the newest ones.
    pub fn read(folder: &RunFolder, chart: &'a Chart, until_s: f64) -> Result<Self, FolderError> {
        let layout = &chart.layout;
        let (keys, columns) = columns(layout);
        let is_wanted = |name: &str| keys.iter().chain(&columns).any(|&wanted| wanted == name);
        let mut read = Self { layout, keys: Vec::new(), width: 0, values: Vec::new(), grid: None };
        let Some(mut table) = folder.stream(&chart.stream, is_wanted)? else { return Ok(read) };
        let key_places = places(&table, &keys)?;
        let value_places = places(&table, &columns)?;
        read.width = value_places.iter().map(Range::len).sum();
        while let Some((moment, row)) = table.next_row()? {
            if moment.time_s > until_s || read.values.len() + read.width > MAX_VALUES {
                break;
            }
            if keys.is_empty() {
                read.keys.push(moment.time_s);
            }
            key_places.iter().for_each(|place| read.keys.extend_from_slice(&row[place.clone()]));
            value_places.iter().for_each(|place| read.values.extend_from_slice(&row[place.clone()]));
        }
        read.keep_newest();
        read.find_cells();
        Ok(read)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn keep_newest(&mut self) {
        if let ChartLayout::Sectors { rows, .. } = self.layout {
            let old = self.len().saturating_sub(*rows);
            self.keys.drain(..old);
            self.values.drain(..old * self.width);
        }
    }

    fn find_cells(&mut self) {
        let ChartLayout::Cells { size, .. } = self.layout else { return };
        let size = DVec2::from_array(*size);
        let places: Vec<DVec2> = self.keys.chunks_exact(2).map(DVec2::from_slice).collect();
        let low = places.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = places.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        let count = ((high - low) / size).round() + 1.0;
        if !(count.is_finite() && count.x * count.y <= MAX_VALUES as f64) {
            return;
        }
        let columns = count.x as usize;
        let mut rows = vec![usize::MAX; columns * count.y as usize];
        for (row, place) in places.iter().enumerate() {
            let cell = ((*place - low) / size).round();
            rows[cell.y as usize * columns + cell.x as usize] = row;
        }
        self.grid = Some(Grid { low, size, columns, rows });
    }

    /// Values at both ends of the colours.
    pub fn range(&self, chart: &Chart) -> [f64; 2] {
        let finite = || self.values.iter().copied().filter(|value| value.is_finite());
        let found = || [finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max)];
        let [low, high] = chart.range.unwrap_or_else(found);
        let most = low.abs().max(high.abs());
        let [low, high] = if chart.is_even { [-most, most] } else { [low, high] };
        if low < high { [low, high] } else { [low.min(0.0) - 0.5, low.max(0.0) + 0.5] }
    }

    /// What lies between the ends of both axes.
    pub fn ranges(&self) -> [[f64; 2]; 2] {
        match self.layout {
            ChartLayout::Waterfall { strips, .. } => {
                let ends = || strips.iter().flat_map(|strip| strip.span);
                let [first, last] = [self.keys.first(), self.keys.last()].map(|key| key.copied().unwrap_or_default());
                let across = [ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max)];
                [across, [first, last.max(first + 1e-3)]]
            }
            ChartLayout::Cells { .. } => self.grid.as_ref().map_or([[0.0, 1.0]; 2], |grid| {
                let count = DVec2::new(grid.columns as f64, (grid.rows.len() / grid.columns) as f64);
                let [low, high] = [grid.low - 0.5 * grid.size, grid.low + (count - 0.5) * grid.size];
                [[low.x, high.x], [low.y, high.y]]
            }),
            ChartLayout::Sectors { strip, width, .. } => {
                let reach = strip.span[0].max(strip.span[1]);
                let corners = self.keys.iter().flat_map(|&angle| [angle - 0.5 * width, angle, angle + 0.5 * width]);
                let corners = corners.map(|angle| DVec2::new(-ops::sin(angle), ops::cos(angle)) * reach);
                let [low, high] = corners.fold([DVec2::ZERO; 2], |[low, high], at| [low.min(at), high.max(at)]);
                [[low.x, high.x], [low.y, high.y.max(low.y + 1e-3)]]
            }
        }
    }

    /// The value at a place; none where there is none.
    pub fn at(&self, place: DVec2) -> Option<f64> {
        match self.layout {
            ChartLayout::Waterfall { strips, .. } => self.in_strips(self.nearest_key(place.y), strips, place.x),
            ChartLayout::Cells { .. } => {
                let grid = self.grid.as_ref()?;
                let cell = ((place - grid.low) / grid.size + 0.5).floor();
                let is_inside = cell.min_element() >= 0.0 && cell.x < grid.columns as f64;
                let cell = cell.y as usize * grid.columns + cell.x as usize;
                self.values.get(*grid.rows.get(cell).filter(|_| is_inside)?).copied()
            }
            ChartLayout::Sectors { width, strip, .. } => {
                let angle = ops::atan2(-place.x, place.y);
                let off = |row: usize| sim_core::angle::wrap_rad(self.keys[row] - angle).abs();
                // The newest of those that are equally near.
                let row = (0..self.len()).rev().min_by(|&a, &b| off(a).total_cmp(&off(b)))?;
                (off(row) <= 0.5 * width + 1e-9)
                    .then(|| self.in_strips(row, std::slice::from_ref(strip), place.length()))?
            }
        }
    }

    /// The row whose time is nearest.
    fn nearest_key(&self, time_s: f64) -> usize {
        let after = self.keys.partition_point(|&key| key < time_s).min(self.len() - 1);
        let before = after.saturating_sub(1);
        if time_s - self.keys[before] < self.keys[after] - time_s { before } else { after }
    }

    /// The value of a row at a place across its strips, which lie one after the other in it.
    fn in_strips(&self, row: usize, strips: &[Strip], at: f64) -> Option<f64> {
        let count = self.width / strips.len().max(1);
        strips.iter().enumerate().find_map(|(number, strip)| {
            let [from, to] = strip.span;
            let share = (at - from) / (to - from);
            let place = ((share * count as f64) as usize).min(count - 1);
            (0.0..=1.0).contains(&share).then(|| self.values[row * self.width + number * count + place])
        })
    }
}

/// Columns of the places of rows, and those of their values.
fn columns(layout: &ChartLayout) -> (Vec<&str>, Vec<&str>) {
    match layout {
        ChartLayout::Waterfall { strips, .. } => {
            (Vec::new(), strips.iter().map(|strip| strip.column.as_str()).collect())
        }
        ChartLayout::Cells { place, value, .. } => (place.iter().map(String::as_str).collect(), vec![value]),
        ChartLayout::Sectors { angle, strip, .. } => (vec![angle], vec![&strip.column]),
    }
}

fn places(table: &StreamTable, columns: &[&str]) -> Result<Vec<Range<usize>>, FolderError> {
    columns.iter().map(|column| table.places(column)).collect()
}
