//! The cells of a grid by their values, and the cuts through it that are worth a picture.

use crate::folder::{AxisSpec, CellRow, Level};
use std::collections::BTreeMap;

/// Curves in one plot.
pub const MAX_CURVES: usize = crate::plot::MAX_CURVES;

/// A grid of cells.
#[derive(Debug)]
pub struct Grid {
    pub axes: Vec<GridAxis>,
    /// Numbers of the cells, by the place of their value on each axis.
    cells: BTreeMap<Vec<usize>, u64>,
}

/// An axis of a grid.
#[derive(Debug)]
pub struct GridAxis {
    /// Its values: numbers from below, words as they come.
    pub levels: Vec<Level>,
    pub is_numeric: bool,
    /// True if its values grow by factors.
    pub is_log: bool,
}

/// A cut: one or two axes, and the places on all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The axis along which it goes.
    pub along: usize,
    /// The other axis of which it shows the values.
    pub by: Option<usize>,
    /// Axes that are held, and at which place.
    pub held: Vec<(usize, usize)>,
}

impl Grid {
    pub fn new(specs: &[AxisSpec], rows: &[CellRow]) -> Self {
        let axes: Vec<GridAxis> = (0..specs.len()).map(|axis| GridAxis::new(rows, axis)).collect();
        let places = |row: &CellRow| -> Option<Vec<usize>> {
            let place = |(axis, level): (&GridAxis, &Level)| axis.levels.iter().position(|known| known == level);
            axes.iter().zip(&row.setting).map(place).collect()
        };
        let cells = rows.iter().filter_map(|row| Some((places(row)?, row.cell))).collect();
        Self { axes, cells }
    }

    /// The cell at some places.
    pub fn cell(&self, places: &[usize]) -> Option<u64> {
        self.cells.get(places).copied()
    }

    /// The cell of a cut.
    pub fn cell_of(&self, cut: &Cut, along: usize, by: usize) -> Option<u64> {
        let mut places = vec![0; self.axes.len()];
        for &(axis, place) in &cut.held {
            places[axis] = place;
        }
        places[cut.along] = along;
        if let Some(axis) = cut.by {
            places[axis] = by;
        }
        self.cell(&places)
    }

    /// Axes with more than one value.
    pub fn varied(&self) -> Vec<usize> {
        (0..self.axes.len()).filter(|&axis| self.axes[axis].levels.len() > 1).collect()
    }

    /// Cuts along each axis of numbers, by another axis; of those that differ in the values of further axes, at most `most`.
    pub fn curves(&self, most: usize) -> Vec<Cut> {
        let varied = self.varied();
        let mut numeric: Vec<usize> = varied.into_iter().filter(|&axis| self.axes[axis].is_numeric).collect();
        // The axis that was looked at most closely comes first.
        numeric.sort_by_key(|&axis| std::cmp::Reverse(self.axes[axis].levels.len()));
        numeric.into_iter().flat_map(|along| self.cuts(along, self.companion(along), most)).collect()
    }

    /// Cuts through each pair of axes.
    pub fn maps(&self, most: usize) -> Vec<Cut> {
        let varied = self.varied();
        let pairs = varied.iter().enumerate().flat_map(|(n, &a)| varied[n + 1..].iter().map(move |&b| (a, b)));
        pairs.flat_map(|(a, b)| self.cuts(a, Some(b), most)).collect()
    }

    /// The axis whose values become curves: the first with few values, else the one with the fewest.
    fn companion(&self, along: usize) -> Option<usize> {
        let others = || self.varied().into_iter().filter(move |&axis| axis != along);
        let count = |axis: &usize| self.axes[*axis].levels.len();
        others().find(|axis| count(axis) <= MAX_CURVES).or_else(|| others().min_by_key(count))
    }

    fn cuts(&self, along: usize, by: Option<usize>, most: usize) -> Vec<Cut> {
        let is_free = |axis: usize| axis == along || Some(axis) == by;
        let held: Vec<usize> = (0..self.axes.len()).filter(|&axis| !is_free(axis)).collect();
        let sizes: Vec<usize> = held.iter().map(|&axis| self.axes[axis].levels.len()).collect();
        let cut = |number| Cut { along, by, held: held.iter().copied().zip(mixed_radix(number, &sizes)).collect() };
        spread(sizes.iter().product(), most).into_iter().map(cut).collect()
    }
}

impl GridAxis {
    fn new(rows: &[CellRow], axis: usize) -> Self {
        let mut levels: Vec<Level> = Vec::new();
        for level in rows.iter().filter_map(|row| row.setting.get(axis)) {
            if !levels.contains(level) {
                levels.push(level.clone());
            }
        }
        let numbers: Option<Vec<f64>> = levels.iter().map(Level::number).collect();
        let Some(mut numbers) = numbers else { return Self { levels, is_numeric: false, is_log: false } };
        numbers.sort_by(f64::total_cmp);
        let is_log = grows_by_factors(&numbers);
        Self { levels: numbers.into_iter().map(Level::Number).collect(), is_numeric: true, is_log }
    }
}

/// True if the factors between numbers differ less than the steps between them, and these differ much.
fn grows_by_factors(numbers: &[f64]) -> bool {
    let ratio = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        high / low
    };
    let is_positive = numbers.first().is_some_and(|&first| first > 0.0);
    let steps = ratio(&mut numbers.windows(2).map(|pair| pair[1] - pair[0]));
    let factors = ratio(&mut numbers.windows(2).map(|pair| pair[1] / pair[0]));
    numbers.len() > 2 && is_positive && steps > 2.9 && factors < steps
}

/// The digits of a number in a system of these sizes, the first changing slowest.
fn mixed_radix(mut number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut digits: Vec<usize> = sizes
        .iter()
        .rev()
        .map(|&size| {
            let digit = number % size;
            number /= size;
            digit
        })
        .collect();
    digits.reverse();
    digits
}

/// At most `most` of so many places, the first and the last among them, evenly apart.
pub fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    if most < 2 {
        return (0..most).collect();
    }
    (0..most).map(|n| (n * (count - 1) + (most - 1) / 2) / (most - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(path: &str) -> AxisSpec {
        AxisSpec { path: path.into(), name: String::new(), unit: String::new(), choice: BTreeMap::new() }
    }

    fn row(cell: u64, setting: Vec<Level>) -> CellRow {
        CellRow {
            cell,
            setting,
            status: "done".into(),
            runs: 1,
            failed_runs: 0,
            clean_runs: 1,
            clean: [None; 3],
            ended: String::new(),
            words: String::new(),
        }
    }

    /// Robots by filter by noise: 3 by 2 by 2 cells, without the last.
    fn grid() -> Grid {
        let specs = ["agents.count", "safety.filter", "noise_mm"].map(spec);
        let mut rows = Vec::new();
        for robots in [30.0, 10.0, 20.0] {
            for filter in ["orca", "joint"] {
                for noise in [0.5, 1.0] {
                    let setting = vec![Level::Number(robots), Level::Text(filter.into()), Level::Number(noise)];
                    rows.push(row(rows.len() as u64, setting));
                }
            }
        }
        rows.pop();
        Grid::new(&specs, &rows)
    }

    #[test]
    fn numbers_are_sorted_and_words_are_not() {
        let grid = grid();
        assert_eq!(grid.axes[0].levels, [10.0, 20.0, 30.0].map(Level::Number));
        assert_eq!(grid.axes[1].levels, ["orca", "joint"].map(|word| Level::Text(word.into())));
        // 30 robots came first: cells 0 to 3. 20 robots with joint and noise 1 was never there.
        assert_eq!((grid.cell(&[2, 0, 0]), grid.cell(&[1, 1, 1])), (Some(0), None));
    }

    #[test]
    fn curves_go_along_numbers_by_another_axis() {
        let cut = |along, by, held| Cut { along, by: Some(by), held: vec![held] };
        // Along robots by filter, for each noise; along noise by robots, for each filter.
        let wanted = [cut(0, 1, (2, 0)), cut(0, 1, (2, 1)), cut(2, 0, (1, 0)), cut(2, 0, (1, 1))];
        assert_eq!(grid().curves(4), wanted);
        assert_eq!(grid().curves(1).len(), 2);
        assert_eq!(grid().maps(4).len(), 2 + 2 + 3);
        let first = &wanted[0];
        assert_eq!(grid().cell_of(first, 2, 1), Some(2), "30 robots, joint, noise 0.5");
    }

    #[test]
    fn a_selection_holds_both_ends() {
        assert_eq!(spread(3, 5), [0, 1, 2]);
        assert_eq!(spread(10, 4), [0, 3, 6, 9]);
        assert_eq!(spread(11, 2), [0, 10]);
        assert_eq!((spread(0, 3).len(), spread(5, 1)), (0, vec![0]));
    }

    #[test]
    fn factors_and_steps_are_told_apart() {
        let is_log = [
            &[1.0, 10.0, 100.0][..],
            &[100.0, 200.0, 400.0, 800.0],
            &[10.0, 20.0, 30.0],
            &[0.0, 1.0, 10.0],
            &[1.0, 9.0],
        ];
        assert_eq!(is_log.map(grows_by_factors), [true, true, false, false, false]);
    }
}
