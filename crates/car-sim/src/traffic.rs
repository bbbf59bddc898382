//! The outlines of all cars at one moment: obstacles that move.

use crate::cells::{CellIndex, Cells};
use crate::map::Outline;
use sim_core::{DVec2, Rect};

/// Share by which radii are rounded up, far above the rounding of a square root.
const ROUND_UP: f64 = 1.0 + 1e-12;

/// Outlines of cars, indexed by place. Filled again at every step; it keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    outlines: Vec<Outline>,
    centers_m: Vec<DVec2>,
    radius_m: f64,
    cell_index: CellIndex,
}

impl Traffic {
    /// No cars.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces all outlines. The first one belongs to car 0, and so on.
    pub fn replace(&mut self, outlines: impl IntoIterator<Item = Outline>) {
        self.outlines.clear();
        self.outlines.extend(outlines);
        self.centers_m.clear();
        self.radius_m = 0.0;
        for outline in &self.outlines {
            self.centers_m.push(outline.center_m());
            self.radius_m = self.radius_m.max(outline.radius_m() * ROUND_UP);
        }
        let places = self.centers_m.iter().map(|&center| Rect { min: center, max: center });
        let area = places.reduce(|a, b| Rect { min: a.min.min(b.min), max: a.max.max(b.max) });
        let cells = area.map_or_else(Cells::default, |area| Cells::over(area, self.outlines.len()));
        let centers_m = &self.centers_m;
        self.cell_index.fill(cells, centers_m.len(), |car, insert| insert(cells.cell_of(centers_m[car])));
    }

    /// The outlines, by car.
    #[must_use]
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// The first car but `own` that the outline touches; none if there is none.
    #[must_use]
    pub fn touched_by(&self, outline: &Outline, own: Option<usize>) -> Option<usize> {
        let mut touched = None;
        self.cell_index.cells().visit_rect(outline.bounds_m().inset(-self.radius_m), |cell| {
            for &car in self.cell_index.in_cell(cell) {
                let car = car as usize;
                if Some(car) != own && touched.is_none_or(|first| car < first) && outline.touches(&self.outlines[car]) {
                    touched = Some(car);
                }
            }
        });
        touched
    }

    /// Place of a car's middle, m.
    pub(crate) fn center_m(&self, car: u32) -> DVec2 {
        self.centers_m[car as usize]
    }

    /// No outline reaches farther from its middle, m.
    pub(crate) fn radius_m(&self) -> f64 {
        self.radius_m
    }

    /// The cars by the cell of their middle.
    pub(crate) fn cell_index(&self) -> &CellIndex {
        &self.cell_index
    }
}
