//! Designs: which values the axes of a sweep have in each of its cells.
//!
//! A [`Design`] keeps no cells. [`Design::value`] is a pure function of cell and axis, so a million cells cost nothing until they
//! are run, and any of them can be asked for alone, in any order, on any machine. How points are spread over the unit cube, and how
//! a coordinate becomes a value, stands in `docs/models/statistics.md`.
//!
//! ```
//! use sim_sweep::design::{Axis, Design, Sampling, Value};
//!
//! let robots = Axis::Range { from: 10.0, to: 30.0, step: 10.0 };
//! let filter = Axis::List { count: 2 };
//! let grid = Design::grid(vec![robots, filter])?;
//! assert_eq!(grid.cells(), 6);
//! assert_eq!((grid.value(3, 0), grid.value(3, 1)), (Value::Number(20.0), Value::Listed(1)));
//!
//! let latency_s = Axis::LogUniform { from: 0.01, to: 1.0 };
//! let spread = Design::sampled(Sampling::LatinHypercube, vec![latency_s], 1_000_000, 7)?;
//! assert!(matches!(spread.value(999_999, 0), Value::Number(s) if (0.01..=1.0).contains(&s)));
//! # Ok::<(), sim_sweep::design::DesignError>(())
//! ```

mod axis;
mod decimal;
mod hypercube;
mod sobol;

pub use axis::{Axis, Value};
pub use sobol::DIMENSIONS as SOBOL_DIMENSIONS;

use crate::purpose;
use axis::CheckedAxis;
use hypercube::{LatinAxis, open_unit};
use sim_core::{ParamError, RunKey};
use sobol::SobolAxis;
use std::fmt;

/// How cells are spread where they are not a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Each cell drawn on its own.
    Random,
    /// Each axis cut into as many strata as there are cells, each of them used once.
    LatinHypercube,
    /// The Sobol sequence, moved by a digital shift that the seed decides. Best with a power of two of cells; up to
    /// [`SOBOL_DIMENSIONS`] axes and 2^32 cells.
    Sobol,
}

/// A design that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignError {
    /// The axis that is at fault, from 0; none if it is the design as a whole.
    pub axis: Option<usize>,
    /// What is wrong.
    pub error: ParamError,
}

impl DesignError {
    fn whole(field: &'static str, message: impl Into<String>) -> Self {
        Self { axis: None, error: ParamError::new(field, message) }
    }
}

impl fmt::Display for DesignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.axis {
            Some(axis) => write!(f, "axis {axis}: {}", self.error),
            None => self.error.fmt(f),
        }
    }
}

impl std::error::Error for DesignError {}

/// Values of all axes in all cells, as a function.
#[derive(Clone, Debug)]
pub struct Design {
    cells: u64,
    axes: Vec<CheckedAxis>,
    places: Places,
}

/// Where on each axis a cell lies.
#[derive(Clone, Debug)]
enum Places {
    Grid,
    Random(RunKey),
    Latin(Vec<LatinAxis>),
    Sobol(Vec<SobolAxis>),
}

impl Design {
    /// Every combination of the axes' values, the first axis slowest. Without axes: one cell.
    ///
    /// # Errors
    /// If an axis is wrong or has no list of values, or if there would be 2^64 cells or more.
    pub fn grid(axes: Vec<Axis>) -> Result<Self, DesignError> {
        let axes = checked(&axes)?;
        let mut cells = 1_u64;
        for (index, axis) in axes.iter().enumerate() {
            let no_list =
                || ParamError::new("values", "are a distribution; a grid needs a list, a range or a log range");
            let points = axis.points().ok_or_else(|| DesignError { axis: Some(index), error: no_list() })?;
            cells = cells.checked_mul(points).ok_or_else(|| DesignError::whole("axes", "make 2^64 cells or more"))?;
        }
        Ok(Self { cells, axes, places: Places::Grid })
    }

    /// A number of cells spread over the axes. Lists and ranges are cut into equal shares.
    ///
    /// # Errors
    /// If an axis is wrong, if there are no cells or no axes, or more than the Sobol sequence has.
    pub fn sampled(sampling: Sampling, axes: Vec<Axis>, cells: u64, seed: u64) -> Result<Self, DesignError> {
        let axes = checked(&axes)?;
        if cells == 0 {
            return Err(DesignError::whole("cells", "is 0, must be at least 1"));
        }
        if axes.is_empty() {
            return Err(DesignError::whole("axes", "are none: all cells would be the same"));
        }
        let key = RunKey { seed, run_index: 0 };
        let places = match sampling {
            Sampling::Random => Places::Random(key),
            Sampling::LatinHypercube => {
                Places::Latin((0..axes.len() as u64).map(|axis| LatinAxis::new(key, axis, cells)).collect())
            }
            Sampling::Sobol => Places::Sobol(sobol_axes(key, axes.len(), cells)?),
        };
        Ok(Self { cells, axes, places })
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Value of an axis in a cell. `cell` is below [`Self::cells`], `axis` below the number of axes.
    #[must_use]
    pub fn value(&self, cell: u64, axis: usize) -> Value {
        debug_assert!(cell < self.cells, "cell {cell} of {}", self.cells);
        match self.coordinate(cell, axis) {
            Some(coordinate) => self.axes[axis].at(coordinate),
            None => self.axes[axis].point(self.digit(cell, axis)),
        }
    }

    /// Place of a cell along an axis, in the open interval (0, 1); none in a grid.
    #[must_use]
    pub fn coordinate(&self, cell: u64, axis: usize) -> Option<f64> {
        match &self.places {
            Places::Grid => None,
            Places::Random(key) => Some(open_unit(key.stream(purpose::DESIGN_POINT, axis as u64, cell).bits())),
            Places::Latin(axes) => Some(axes[axis].coordinate(cell)),
            Places::Sobol(axes) => Some(axes[axis].coordinate(cell)),
        }
    }

    /// Number of values that a grid visits on an axis; none for a distribution.
    #[must_use]
    pub fn points(&self, axis: usize) -> Option<u64> {
        self.axes[axis].points()
    }

    /// In a grid, the cell that differs from `cell` on one axis only, where it has point number `point`.
    #[must_use]
    pub fn moved(&self, cell: u64, axis: usize, point: u64) -> u64 {
        let below = self.cells_below(axis);
        cell - self.digit(cell, axis) * below + point * below
    }

    /// The cell's number has one digit for each axis, the last one fastest.
    fn digit(&self, cell: u64, axis: usize) -> u64 {
        cell / self.cells_below(axis) % self.points(axis).unwrap_or(1)
    }

    /// Cells from one point of an axis to the next.
    fn cells_below(&self, axis: usize) -> u64 {
        self.axes[axis + 1..].iter().map(|axis| axis.points().unwrap_or(1)).product()
    }
}

fn checked(axes: &[Axis]) -> Result<Vec<CheckedAxis>, DesignError> {
    let check = |(index, axis): (usize, &Axis)| {
        CheckedAxis::new(*axis).map_err(|error| DesignError { axis: Some(index), error })
    };
    axes.iter().enumerate().map(check).collect()
}

fn sobol_axes(key: RunKey, axes: usize, cells: u64) -> Result<Vec<SobolAxis>, DesignError> {
    if axes > sobol::DIMENSIONS {
        let message = format!("are {axes}; the table of the Sobol sequence has {} dimensions", sobol::DIMENSIONS);
        return Err(DesignError::whole("axes", message));
    }
    if cells > 1 << 32 {
        return Err(DesignError::whole("cells", format!("is {cells}; the Sobol sequence has 2^32 points")));
    }
    Ok((0..axes).map(|axis| SobolAxis::new(key, axis)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(design: &Design, axis: usize) -> Vec<f64> {
        let number = |cell| match design.value(cell, axis) {
            Value::Number(number) => number,
            Value::Listed(index) => index as f64,
        };
        (0..design.cells()).map(number).collect()
    }

    fn unit() -> Axis {
        Axis::Uniform { from: 0.0, to: 1.0 }
    }

    #[test]
    fn a_grid_counts_with_the_last_axis_fastest() {
        let axes = vec![
            Axis::List { count: 2 },
            Axis::Range { from: 0.1, to: 0.3, step: 0.1 },
            Axis::LogRange { from: 1.0, to: 1000.0, count: 4 },
        ];
        let grid = Design::grid(axes).unwrap();
        assert_eq!(grid.cells(), 24);
        let slow: Vec<f64> = (0..24).map(|cell| f64::from(cell / 12)).collect();
        assert_eq!(numbers(&grid, 0), slow);
        assert_eq!(numbers(&grid, 1)[..12], [0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.3]);
        assert_eq!(numbers(&grid, 2)[..5], [1.0, 10.0, 100.0, 1000.0, 1.0]);
    }

    #[test]
    fn a_grid_without_axes_is_one_cell() {
        assert_eq!(Design::grid(Vec::new()).unwrap().cells(), 1);
    }

    #[test]
    fn log_ranges_end_where_they_were_told_to() {
        let grid = Design::grid(vec![Axis::LogRange { from: 0.07, to: 1.3, count: 5 }]).unwrap();
        let values = numbers(&grid, 0);
        assert_eq!((values[0], values[4]), (0.07, 1.3));
        for pair in values.windows(2) {
            assert!((pair[1] / pair[0] / (1.3_f64 / 0.07).sqrt().sqrt() - 1.0).abs() < 1e-11);
        }
    }

    /// A million million cells, and the last of them at once.
    #[test]
    fn cells_cost_nothing_until_they_are_asked_for() {
        let axis = Axis::Range { from: 0.0, to: 999_999.0, step: 1.0 };
        let grid = Design::grid(vec![axis, axis]).unwrap();
        assert_eq!(grid.cells(), 1_000_000_000_000);
        assert_eq!(grid.value(123_456_654_321, 0), Value::Number(123_456.0));
        assert_eq!(grid.value(123_456_654_321, 1), Value::Number(654_321.0));
    }

    #[test]
    fn an_axis_more_leaves_the_others_as_they_were() {
        for sampling in [Sampling::Random, Sampling::LatinHypercube, Sampling::Sobol] {
            let design = |axes| Design::sampled(sampling, vec![unit(); axes], 50, 3).unwrap();
            assert_eq!(numbers(&design(2), 1), numbers(&design(5), 1), "{sampling:?}");
            assert_ne!(numbers(&design(2), 0), numbers(&design(2), 1), "{sampling:?}");
        }
    }

    #[test]
    fn another_seed_is_another_sample() {
        for sampling in [Sampling::Random, Sampling::LatinHypercube, Sampling::Sobol] {
            let column = |seed| numbers(&Design::sampled(sampling, vec![unit()], 64, seed).unwrap(), 0);
            assert_eq!(column(1), column(1));
            assert_ne!(column(1), column(2), "{sampling:?}");
        }
    }

    /// Two axes of 4,096 Sobol points: each of 64 x 64 squares has one.
    #[test]
    fn sobol_points_fill_squares_too() {
        let design = Design::sampled(Sampling::Sobol, vec![unit(); 2], 4_096, 8).unwrap();
        let mut used = vec![false; 4_096];
        for (x, y) in numbers(&design, 0).iter().zip(numbers(&design, 1)) {
            used[(x * 64.0) as usize * 64 + (y * 64.0) as usize] = true;
        }
        assert!(used.iter().all(|&used| used));
    }

    /// 400 cells of a Latin hypercube over lists and ranges: each of 4 entries and each of 5 values has its share.
    #[test]
    fn lists_and_ranges_get_equal_shares_of_a_sampled_design() {
        let axes = vec![Axis::List { count: 4 }, Axis::Range { from: 10.0, to: 50.0, step: 10.0 }];
        let design = Design::sampled(Sampling::LatinHypercube, axes, 400, 1).unwrap();
        let count = |axis, value| numbers(&design, axis).iter().filter(|&&v| v == value).count();
        assert_eq!([0.0, 1.0, 2.0, 3.0].map(|value| count(0, value)), [100; 4]);
        assert_eq!([10.0, 20.0, 30.0, 40.0, 50.0].map(|value| count(1, value)), [80; 5]);
    }

    fn refusal(design: Result<Design, DesignError>) -> String {
        design.unwrap_err().to_string()
    }

    #[test]
    fn wrong_axes_are_refused_with_the_number_that_is_wrong() {
        let refusals = [
            (Axis::Uniform { from: 2.0, to: 2.0 }, "axis 1: to is 2, must be above `from`, which is 2"),
            (Axis::LogUniform { from: 0.0, to: 2.0 }, "axis 1: from is 0, must be above 0"),
            (Axis::LogRange { from: -1.0, to: 2.0, count: 3 }, "axis 1: from is -1, must be above 0"),
            (Axis::LogRange { from: 1.0, to: 2.0, count: 1 }, "axis 1: count is 1, must be at least 2"),
            (Axis::List { count: 0 }, "axis 1: count is 0, must be at least 1"),
            (Axis::Normal { mean: 1.0, sd: 0.0 }, "axis 1: sd is 0, must be above 0"),
            (Axis::Normal { mean: f64::NAN, sd: 1.0 }, "axis 1: mean is NaN, must be a finite number"),
            (Axis::Range { from: 1.0, to: 0.0, step: 0.1 }, "axis 1: to is 0, must be above `from`, which is 1"),
            (Axis::Range { from: 0.0, to: 1.0, step: -0.1 }, "axis 1: step is -0.1, must be above 0"),
            (Axis::Range { from: 0.0, to: 1.0, step: 1.5 }, "axis 1: step is 1.5, longer than the way from 0 to 1"),
        ];
        for (axis, message) in refusals {
            let axes = vec![Axis::List { count: 1 }, axis];
            assert_eq!(refusal(Design::grid(axes.clone())), message);
            assert_eq!(refusal(Design::sampled(Sampling::Random, axes, 5, 1)), message);
            assert!(message.ends_with(&axis.check().unwrap_err().to_string()));
        }
    }

    #[test]
    fn designs_that_cannot_be_made_are_refused() {
        assert_eq!(
            refusal(Design::grid(vec![unit()])),
            "axis 0: values are a distribution; a grid needs a list, a range or a log range"
        );
        let long = Axis::List { count: 1 << 40 };
        assert_eq!(refusal(Design::grid(vec![long, long])), "axes make 2^64 cells or more");
        let sampled = |sampling, axes, cells| refusal(Design::sampled(sampling, vec![unit(); axes], cells, 1));
        assert_eq!(sampled(Sampling::Random, 1, 0), "cells is 0, must be at least 1");
        assert_eq!(sampled(Sampling::Random, 0, 5), "axes are none: all cells would be the same");
        assert_eq!(
            sampled(Sampling::Sobol, SOBOL_DIMENSIONS + 1, 5),
            "axes are 33; the table of the Sobol sequence has 32 dimensions"
        );
        assert_eq!(
            sampled(Sampling::Sobol, 1, (1 << 32) + 1),
            "cells is 4294967297; the Sobol sequence has 2^32 points"
        );
    }
}
