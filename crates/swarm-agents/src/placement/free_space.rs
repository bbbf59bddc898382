//! Where robots may start: the box without the feet's discs and without pockets.
//!
//! A pocket is a part of the free space that a foot cuts off, or nearly so (safety-filter notes, section 5). It is a
//! small part that separates from the rest when the feet are enlarged by the width of a narrow neck.

use crate::{SwarmModel, Walls};
use sim_core::{DVec2, Rect};

/// Smallest side of a cell, mm.
const CELL_MM: f64 = 4.0;
/// Maximum number of cells along a side.
const MAX_CELLS: f64 = 1_000.0;
/// Half the width of a neck, in units of the robots' spacing: 22 mm for 60 mm.
const NECK: f64 = 22.0 / 60.0;
/// Smallest part that is no pocket, in units of the spacing squared: 20 000 mm2 for 60 mm.
const MIN_PART: f64 = 20_000.0 / 3_600.0;
/// No cell.
const NOWHERE: u32 = u32::MAX;

/// The free space as a grid of cells.
pub(super) struct FreeSpace<'a> {
    walls: &'a Walls,
    /// Cells whose middles are clear of walls.
    passable: Vec<bool>,
    bounds: Rect,
    feet_mm: Vec<DVec2>,
    foot_mm: f64,
    cell_mm: DVec2,
    columns: usize,
    rows: usize,
    /// Cells that lie wholly at the distance from all feet.
    far: Vec<bool>,
    /// Cells outside pockets; their middles may still be too near to a foot.
    open: Vec<bool>,
    /// Nearest open cell, approximately, whose middle is clear of feet.
    refuge: Vec<u32>,
}

impl<'a> FreeSpace<'a> {
    /// The space free of walls, and of feet at `feet_mm` at a distance of `foot_mm`; with pockets if `pockets` is true.
    pub(super) fn new(
        (model, walls): (&SwarmModel, &'a Walls),
        feet_mm: &[DVec2],
        foot_mm: f64,
        pockets: bool,
    ) -> Self {
        let size = model.bounds.size();
        let side_mm = CELL_MM.max(size.max_element() / MAX_CELLS);
        let counts = (size / side_mm).ceil().max(DVec2::ONE);
        let (columns, rows) = (counts.x as usize, counts.y as usize);
        let mut space = Self {
            walls,
            passable: vec![true; columns * rows],
            bounds: model.bounds,
            feet_mm: feet_mm.to_vec(),
            foot_mm,
            cell_mm: size / counts,
            columns,
            rows,
            far: Vec::new(),
            open: vec![true; columns * rows],
            refuge: Vec::new(),
        };
        if !walls.is_empty() {
            space.passable = (0..columns * rows).map(|cell| walls.is_clear(space.middle_mm(cell))).collect();
        }
        space.far = space.clear_cells(foot_mm + space.cell_mm.length());
        let clear = space.clear_cells(foot_mm);
        if !pockets {
            space.close_pockets(&clear, model.clearances.d_r_mm);
        }
        space.find_refuges(&clear);
        space
    }

    /// True if a robot may start at `p`.
    pub(super) fn holds(&self, p: DVec2) -> bool {
        self.bounds.contains(p) && self.open[self.cell_of(p)] && self.is_clear_of_feet(p) && self.walls.is_clear(p)
    }

    /// A place near `p` where a robot may start; none if there is no such place in the box.
    pub(super) fn nearest_mm(&self, p: DVec2) -> Option<DVec2> {
        let mut p = self.bounds.clamp(p);
        let feet_mm = if self.far[self.cell_of(p)] { &[] } else { &self.feet_mm[..] };
        for &foot in feet_mm {
            let from_foot = p - foot;
            let distance2 = from_foot.length_squared();
            if distance2 < self.foot_mm * self.foot_mm && distance2 > 0.0 {
                p = self.bounds.clamp(foot + from_foot * (self.foot_mm * (1.0 + 1e-12) / distance2.sqrt()));
            }
        }
        if !self.walls.is_empty() {
            p = self.bounds.clamp(self.walls.obstacles().push_out_mm(p, self.walls.clear_mm() * (1.0 + 1e-9)));
        }
        if self.holds(p) {
            return Some(p);
        }
        let refuge = self.refuge[self.cell_of(p)];
        (refuge != NOWHERE).then(|| self.middle_mm(refuge as usize))
    }

    fn is_clear_of_feet(&self, p: DVec2) -> bool {
        let min2 = self.foot_mm * self.foot_mm;
        self.far[self.cell_of(p)] || self.feet_mm.iter().all(|foot| foot.distance_squared(p) >= min2)
    }

    fn cell_of(&self, p: DVec2) -> usize {
        let at = (p - self.bounds.min) / self.cell_mm;
        (at.y as usize).min(self.rows - 1) * self.columns + (at.x as usize).min(self.columns - 1)
    }

    fn middle_mm(&self, cell: usize) -> DVec2 {
        let at = DVec2::new((cell % self.columns) as f64 + 0.5, (cell / self.columns) as f64 + 0.5);
        self.bounds.min + at * self.cell_mm
    }

    /// Cells whose middles are clear of walls and at least `radius_mm` from every foot.
    fn clear_cells(&self, radius_mm: f64) -> Vec<bool> {
        let mut clear = self.passable.clone();
        for &foot in &self.feet_mm {
            let (low, high) = (foot - DVec2::splat(radius_mm), foot + DVec2::splat(radius_mm));
            let (first, last) = (self.cell_of(self.bounds.clamp(low)), self.cell_of(self.bounds.clamp(high)));
            for row in first / self.columns..=last / self.columns {
                for column in first % self.columns..=last % self.columns {
                    let cell = row * self.columns + column;
                    clear[cell] &= foot.distance_squared(self.middle_mm(cell)) >= radius_mm * radius_mm;
                }
            }
        }
        clear
    }

    /// Closes every cell that cannot be reached from a large part of the free space.
    fn close_pockets(&mut self, clear: &[bool], spacing_mm: f64) {
        let neck_mm = NECK * spacing_mm;
        let wide = self.clear_cells(self.foot_mm + neck_mm);
        let large = self.large_parts(&wide, MIN_PART * spacing_mm * spacing_mm);
        if large.is_empty() {
            return;
        }
        // From the large parts back into the rim that thickening took: a neck and a half, through clear cells only.
        let steps = (1.5 * neck_mm / self.cell_mm.min_element()).ceil() as u32;
        let mut distance = vec![NOWHERE; wide.len()];
        large.iter().for_each(|&cell| distance[cell as usize] = 0);
        self.spread(large, |cell, from| {
            if !clear[cell] || distance[cell] != NOWHERE || distance[from] >= steps {
                return false;
            }
            distance[cell] = distance[from] + 1;
            true
        });
        self.open = distance.iter().map(|&d| d != NOWHERE).collect();
    }

    /// Cells of the connected parts that are at least `min_mm2` large, and of the largest part in any case.
    fn large_parts(&self, wide: &[bool], min_mm2: f64) -> Vec<u32> {
        let mut seen = vec![false; wide.len()];
        let (mut large, mut largest) = (Vec::new(), Vec::new());
        for start in 0..wide.len() {
            if !wide[start] || seen[start] {
                continue;
            }
            seen[start] = true;
            let part = self.spread(vec![start as u32], |cell, _| {
                let is_new = wide[cell] && !seen[cell];
                seen[cell] |= is_new;
                is_new
            });
            if part.len() as f64 * self.cell_mm.x * self.cell_mm.y >= min_mm2 {
                large.extend_from_slice(&part);
            } else if large.is_empty() && part.len() > largest.len() {
                largest = part;
            }
        }
        if large.is_empty() { largest } else { large }
    }

    /// Finds for every cell the nearest open and clear one, counted in steps.
    fn find_refuges(&mut self, clear: &[bool]) {
        let sources: Vec<u32> =
            (0..clear.len()).filter(|&cell| clear[cell] && self.open[cell]).map(|cell| cell as u32).collect();
        let mut refuge = vec![NOWHERE; clear.len()];
        sources.iter().for_each(|&cell| refuge[cell as usize] = cell);
        self.spread(sources, |cell, from| {
            let is_new = refuge[cell] == NOWHERE;
            if is_new {
                refuge[cell] = refuge[from];
            }
            is_new
        });
        self.refuge = refuge;
    }

    /// Breadth first over the four neighbours of a cell: `enter(cell, from)` is true if a cell is entered. Returns all
    /// cells, in order of their distance from the sources.
    fn spread(&self, sources: Vec<u32>, mut enter: impl FnMut(usize, usize) -> bool) -> Vec<u32> {
        let mut queue = sources;
        let mut next = 0;
        while next < queue.len() {
            let from = queue[next] as usize;
            next += 1;
            let (column, row) = (from % self.columns, from / self.columns);
            let around = [
                (row > 0).then(|| from - self.columns),
                (column > 0).then(|| from - 1),
                (column + 1 < self.columns).then(|| from + 1),
                (row + 1 < self.rows).then(|| from + self.columns),
            ];
            for cell in around.into_iter().flatten() {
                if enter(cell, from) {
                    queue.push(cell as u32);
                }
            }
        }
        queue
    }
}
