//! The viability tube: places from which one robot alone can still get away from the predicted feet.
//!
//! A corner that a foot is about to seal is free today and lost tomorrow. The tube tells it in time: bit grids over the box, one
//! per layer of time, computed backwards from the last one: `V_last = free minus pockets`, `V_k = free_k and dilate(V_k+1, reach)`.
//! `free_k` is what no foot covers at that time; *pockets* are the parts of the last layer that a foot, somewhat fattened, cuts
//! off from the rest of the box. The tube knows nothing of other robots, so its reach is slower than one robot could be. It looks
//! farther ahead than the planner's band: a corner has to be empty before the foot is there.
//!
//! What a foot does beyond its forecast is a guess, worst while it sets out. So where feet never wait there is a second tube, which is
//! *cautious*: it keeps clear of a foot that goes on as it turned and of one that goes straight on, and, where robots have room, by more
//! the farther ahead. By the first tube alone robots run for gaps that are only guessed to open.
//!
//! A row is a `u128`, so the box may be up to 128 cells wide; on larger boxes there is no tube.

use super::feet_ahead::{Beyond, FeetAhead, RateAhead};
use super::planner::FRAMES_PER_KNOT;
use super::{FilterInput, FilterModel};
use sim_core::{DVec2, Rect};
use swarm_field::Manner;

/// Knots from one layer to the next, an even split of which [`super::ways_out`] relies on.
pub const KNOTS_PER_LAYER: usize = 2;
/// Aimed-at width of a cell, mm.
const CELL_MM: f64 = 3.3;
/// Largest cell, mm, with which a tube still tells something.
const CELL_MAX_MM: f64 = 6.0;
/// Feet are fattened when pockets are looked for, because a narrow gap lets nobody out in time: where robots have room by the first, mm,
/// where they fill the box by the second, since a crowd needs every place.
const POCKET_MM: (f64, f64) = (60.0, 22.0);
/// Components of the last layer smaller than this are pockets, mm^2.
const POCKET_AREA_MM2: f64 = 20_000.0;
/// Share of the speed limit that a robot in company can count on.
const REACH_SHARE: f64 = 0.5;

/// Relative growth of the room that a cautious tube keeps in doubt, 1/s^2: times `1 + this t^2`, t seconds beyond the forecast, for that is
/// how a place goes wrong by a change of speed that nobody foresaw.
const DOUBT_GROWTH_PER_S2: f64 = 5.0;

/// A set of cells.
#[derive(Clone, Debug)]
struct Cells([u128; 128]);

impl Cells {
    fn contains(&self, (column, row): (usize, usize)) -> bool {
        self.0[row] >> column & 1 == 1
    }
}

/// The layers of one plan.
#[derive(Clone, Debug)]
pub struct Tube {
    bounds: Rect,
    cell_mm: f64,
    columns: usize,
    rows: usize,
    layers: Vec<Cells>,
    /// What no foot covers, layer by layer, where feet never wait.
    free: Vec<Cells>,
    /// Whether feet wait for robots that run across their way.
    feet_wait: bool,
    last_knot: usize,
    /// How far a lone robot comes from layer to layer, in cells.
    stride_cells: f64,
    dilated: Box<Cells>,
    active: bool,
}

impl Default for Tube {
    fn default() -> Self {
        let empty = Cells([0; 128]);
        Self {
            bounds: Rect::from_size(0.0, 0.0),
            cell_mm: CELL_MM,
            columns: 0,
            rows: 0,
            layers: Vec::new(),
            free: Vec::new(),
            feet_wait: false,
            last_knot: 0,
            stride_cells: 0.0,
            dilated: Box::new(empty),
            active: false,
        }
    }
}

impl Tube {
    /// Computes the layers for feet that may go by any of `guesses`, with `doubt_mm` more room from the second layer on, and still more
    /// beyond the forecast.
    pub fn rebuild(&mut self, model: &FilterModel, guesses: &[&FeetAhead], doubt_mm: f64, input: &FilterInput<'_>) {
        let foot_count = input.feet.len();
        let size = model.swarm.bounds.size();
        self.bounds = model.swarm.bounds;
        self.cell_mm = CELL_MM.max(size.max_element() / 127.0);
        self.last_knot = model.tuning.tube_knots;
        self.active = self.last_knot > 0 && foot_count > 0 && self.cell_mm <= CELL_MAX_MM;
        if !self.active {
            return;
        }
        self.columns = (size.x / self.cell_mm) as usize + 1;
        self.rows = (size.y / self.cell_mm) as usize + 1;
        self.layers.resize(self.last_knot.div_ceil(KNOTS_PER_LAYER) + 1, Cells([0; 128]));
        let layer_s = (KNOTS_PER_LAYER * FRAMES_PER_KNOT) as f64 * model.swarm.step_s;
        let forecast_s = model.forecast_frames as f64 * model.swarm.step_s;
        let kept_in_doubt_mm = |layer: usize| {
            let beyond_s = (layer_s * layer as f64 - forecast_s).max(0.0);
            if layer == 0 { 0.0 } else { doubt_mm * (1.0 + DOUBT_GROWTH_PER_S2 * beyond_s * beyond_s) }
        };
        let clearance_mm = |layer: usize| {
            let margin_mm = model.tuning.tube_margin_mm + model.tuning.tube_margin_mm_s * layer_s * layer as f64;
            model.swarm.clearances.d_h_mm + margin_mm
        };
        for layer in 0..self.layers.len() {
            self.cover_feet(layer, guesses, foot_count, clearance_mm(layer) + kept_in_doubt_mm(layer));
        }
        self.feet_wait = model.manner == Manner::Considerate;
        if !self.feet_wait {
            self.free.clone_from(&self.layers);
        }
        let last = self.layers.len() - 1;
        let pocket_mm = model.swarm.by_room(input.agents.len(), POCKET_MM);
        for feet in guesses {
            self.remove_pockets(feet, foot_count, clearance_mm(last), pocket_mm);
        }
        let fastest_cells = model.swarm.limits.v_max_mm_s * layer_s / self.cell_mm;
        self.stride_cells = model.tuning.speed_share * fastest_cells;
        for layer in (0..last).rev() {
            dilate(&self.layers[layer + 1], &mut self.dilated, self.rows, REACH_SHARE * fastest_cells);
            for (row, dilated) in self.layers[layer].0.iter_mut().zip(&self.dilated.0) {
                *row &= dilated;
            }
        }
    }

    /// Width of a cell.
    #[must_use]
    pub fn cell_mm(&self) -> f64 {
        self.cell_mm
    }

    /// True if the last rebuild made a tube.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Writes the quickest way from `from_mm` to the place of the last layer where a robot ends that lingers at `linger_mm(layer)` for as
    /// long as it can: one place per layer. False if there is none, or no tube.
    pub fn way_out(&self, from_mm: DVec2, linger_mm: impl Fn(usize) -> DVec2, way_mm: &mut Vec<DVec2>) -> bool {
        way_mm.clear();
        if !self.active {
            return false;
        }
        way_mm.reserve(self.layers.len());
        let end = self.walk(from_mm, linger_mm, |_| ());
        end.and_then(|end_mm| self.walk(from_mm, |_| end_mm, |place_mm| way_mm.push(place_mm))).is_some()
    }

    /// Walks through the layers, in each to the place nearest to `aim_mm(layer)` within the reach of a lone robot; returns the last.
    ///
    /// From a place in the tube every layer has a place of the next within reach, so the walk does not end early. From a place outside
    /// it begins straight towards the tube, where that can be reached first; where feet never wait, not through one of them. Rather than
    /// that a robot has no way: ahead of a foot it may still find room, or the foot turn out to go elsewhere.
    fn walk(&self, from_mm: DVec2, aim_mm: impl Fn(usize) -> DVec2, mut visit: impl FnMut(DVec2)) -> Option<DVec2> {
        let start = self.cell_of(from_mm);
        let last = self.layers.len() - 1;
        let enter = |layer: usize| {
            let cell = self.nearest(layer, start, start, layer as f64 * self.stride_cells)?;
            let before_mm = |at: usize| from_mm.lerp(self.center_mm(cell), at as f64 / layer as f64);
            let is_clear = self.feet_wait || (1..layer).all(|at| self.is_free(at, before_mm(at)));
            is_clear.then_some((layer, cell))
        };
        let (entry_layer, mut cell) =
            if self.is_outside(0, from_mm) { (1..=last).find_map(enter)? } else { (0, start) };
        visit(from_mm);
        for layer in 1..=entry_layer {
            visit(from_mm.lerp(self.center_mm(cell), layer as f64 / entry_layer as f64));
        }
        for layer in entry_layer + 1..=last {
            cell = self.nearest(layer, cell, self.cell_of(aim_mm(layer)), self.stride_cells)?;
            visit(self.center_mm(cell));
        }
        Some(self.center_mm(cell))
    }

    /// True if a robot that gets to `place_mm` in time can stay there: it is in the last layer.
    #[must_use]
    pub fn lasts(&self, place_mm: DVec2) -> bool {
        !self.is_outside(self.last_knot, place_mm)
    }

    /// The cell of a layer that is nearest to `to`, among those no farther than `reach` cells from `around`.
    fn nearest(&self, layer: usize, around: (usize, usize), to: (usize, usize), reach: f64) -> Option<(usize, usize)> {
        let most = reach as usize;
        let mut best = None;
        let mut least = usize::MAX;
        let first = around.1.saturating_sub(most);
        for (r, &row) in
            self.layers[layer].0[..self.rows].iter().enumerate().skip(first).take(around.1 + most + 1 - first)
        {
            let away = r.abs_diff(around.1);
            let half = (reach * reach - (away * away) as f64).max(0.0).sqrt() as usize;
            let span = all_columns(around.0 + half + 1) & !((1_u128 << around.0.saturating_sub(half)) - 1);
            if let Some(c) = nearest_bit(row & span, to.0) {
                let d2 = r.abs_diff(to.1).pow(2) + c.abs_diff(to.0).pow(2);
                if d2 < least {
                    least = d2;
                    best = Some((c, r));
                }
            }
        }
        best
    }

    /// True if `place_mm` is outside the tube at knot `k`.
    #[must_use]
    pub fn is_outside(&self, k: usize, place_mm: DVec2) -> bool {
        self.active && !self.layers[k.div_ceil(KNOTS_PER_LAYER)].contains(self.cell_of(place_mm))
    }

    fn is_free(&self, layer: usize, place_mm: DVec2) -> bool {
        self.free[layer].contains(self.cell_of(place_mm))
    }

    /// Column and row of the cell whose centre is nearest; a negative number becomes 0 when it is cast.
    fn cell_of(&self, place_mm: DVec2) -> (usize, usize) {
        let at = (place_mm - self.bounds.min) / self.cell_mm + DVec2::splat(0.5);
        ((at.x as usize).min(self.columns.max(1) - 1), (at.y as usize).min(self.rows.max(1) - 1))
    }

    fn center_mm(&self, (column, row): (usize, usize)) -> DVec2 {
        self.bounds.clamp(self.bounds.min + DVec2::new(column as f64, row as f64) * self.cell_mm)
    }

    /// Leaves those cells of a layer that no foot covers by any of the guesses.
    fn cover_feet(&mut self, layer: usize, guesses: &[&FeetAhead], foot_count: usize, clearance_mm: f64) {
        let full = all_columns(self.columns);
        let cells = &mut self.layers[layer].0;
        cells[..self.rows].fill(full);
        cells[self.rows..].fill(0);
        let knot = (layer * KNOTS_PER_LAYER).min(self.last_knot);
        for (feet, foot) in guesses.iter().flat_map(|&feet| (0..foot_count).map(move |foot| (feet, foot))) {
            let center = (feet.place_mm(foot, knot) - self.bounds.min) / self.cell_mm;
            cover_disc(&mut cells[..self.rows], center, clearance_mm / self.cell_mm, self.columns);
        }
    }

    /// Takes the small components of the fattened last layer out of it, never the largest.
    fn remove_pockets(&mut self, feet: &FeetAhead, foot_count: usize, clearance_mm: f64, pocket_mm: f64) {
        let mut open = Cells([0; 128]);
        open.0[..self.rows].fill(all_columns(self.columns));
        for foot in 0..foot_count {
            let center = (feet.place_mm(foot, self.last_knot) - self.bounds.min) / self.cell_mm;
            cover_disc(&mut open.0[..self.rows], center, (clearance_mm + pocket_mm) / self.cell_mm, self.columns);
        }
        let mut largest = (0, Cells([0; 128]));
        let mut keep = Cells([0; 128]);
        let enough = (POCKET_AREA_MM2 / (self.cell_mm * self.cell_mm)) as u32;
        while let Some(row) = open.0.iter().position(|&r| r != 0) {
            let component = take_component(&mut open, row);
            let area: u32 = component.0.iter().map(|r| r.count_ones()).sum();
            if area >= enough {
                union(&mut keep, &component);
            }
            if area > largest.0 {
                largest = (area, component);
            }
        }
        union(&mut keep, &largest.1);
        // What the fattening took away next to a kept component is kept too.
        dilate(&keep, &mut self.dilated, self.rows, pocket_mm / self.cell_mm + 1.0);
        if let Some(last) = self.layers.last_mut() {
            last.0.iter_mut().zip(&self.dilated.0).for_each(|(row, kept)| *row &= kept);
        }
    }
}

/// The tubes of one plan.
#[derive(Clone, Debug, Default)]
pub struct Tubes {
    /// For feet where they are expected.
    pub expected: Tube,
    /// For feet that go on turning and for feet that go straight on. Inactive for feet that wait.
    pub cautious: Tube,
    straight_on: FeetAhead,
}

impl Tubes {
    /// Computes the tubes for feet that are expected at `feet`, at these `rates` and `beyond` their forecasts.
    pub fn rebuild(
        &mut self,
        model: &FilterModel,
        feet: &FeetAhead,
        rates: &[RateAhead],
        beyond: &[Beyond],
        input: &FilterInput<'_>,
    ) {
        self.expected.rebuild(model, &[feet], 0.0, input);
        if model.tuning.doubt_mm > 0.0 && self.expected.active {
            let doubt_mm = model.swarm.by_room(input.agents.len(), (model.tuning.doubt_mm, 0.0));
            self.straight_on.predict(model, rates, beyond.iter().map(Beyond::straight_on), input);
            self.cautious.rebuild(model, &[feet, &self.straight_on], doubt_mm, input);
        } else {
            self.cautious.active = false;
        }
    }

    /// The tube that the band of a robot at `place_mm` should keep to: the cautious one if the robot is in it.
    #[must_use]
    pub fn around(&self, place_mm: DVec2) -> &Tube {
        if self.cautious.active && !self.cautious.is_outside(0, place_mm) { &self.cautious } else { &self.expected }
    }
}

fn all_columns(columns: usize) -> u128 {
    if columns >= 128 { u128::MAX } else { (1 << columns) - 1 }
}

fn union(into: &mut Cells, other: &Cells) {
    into.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
}

/// Clears the cells of a disc; `center` and `radius` in cells.
fn cover_disc(rows: &mut [u128], center: DVec2, radius: f64, columns: usize) {
    for (r, row) in rows.iter_mut().enumerate() {
        let dy = r as f64 - center.y;
        let left = radius * radius - dy * dy;
        if left < 0.0 {
            continue;
        }
        let half = left.sqrt();
        let first = (center.x - half).ceil().max(0.0) as usize;
        let last = (center.x + half).floor();
        if last < 0.0 || first >= columns {
            continue;
        }
        let last = (last as usize).min(columns - 1);
        if first <= last {
            *row &= !(all_columns(last + 1) & !((1_u128 << first) - 1));
        }
    }
}

/// Takes the component that holds the first cell of `row` out of `open`.
fn take_component(open: &mut Cells, row: usize) -> Cells {
    let mut component = Cells([0; 128]);
    component.0[row] = 1 << open.0[row].trailing_zeros();
    let mut grown = true;
    while grown {
        grown = false;
        for r in (0..128).chain((0..128).rev()) {
            let mut seeds = component.0[r];
            if r > 0 {
                seeds |= component.0[r - 1];
            }
            if r < 127 {
                seeds |= component.0[r + 1];
            }
            let filled = fill_row(seeds & open.0[r], open.0[r]);
            if filled & !component.0[r] != 0 {
                component.0[r] |= filled;
                grown = true;
            }
        }
    }
    open.0.iter_mut().zip(&component.0).for_each(|(o, c)| *o &= !c);
    component
}

/// Spreads seeds along the runs of set cells that they lie in.
fn fill_row(mut seeds: u128, open: u128) -> u128 {
    // Parallel-prefix flood in both directions: log2(128) doubling steps.
    let (mut up, mut down) = (open, open);
    let mut low = seeds;
    for shift in [1_u32, 2, 4, 8, 16, 32, 64] {
        seeds |= up & (seeds << shift);
        up &= up << shift;
        low |= down & (low >> shift);
        down &= down >> shift;
    }
    seeds | low
}

/// Grows a set by a disc of `radius` cells. From the disc's top row to its middle the half widths grow, so one copy of the set is
/// widened on and on.
fn dilate(from: &Cells, into: &mut Cells, rows: usize, radius: f64) {
    into.0.fill(0);
    let mut wide = from.clone();
    let mut done = 0;
    for away in (0..=radius as usize).rev() {
        let half = (radius * radius - (away * away) as f64).sqrt() as u32;
        for _ in done..half {
            wide.0[..rows].iter_mut().for_each(|row| *row |= *row << 1 | *row >> 1);
        }
        done = half;
        for (to, row) in into.0[..rows - away].iter_mut().zip(&wide.0[away..rows]) {
            *to |= row;
        }
        for (to, row) in into.0[away..rows].iter_mut().zip(&wide.0[..rows - away]) {
            *to |= row;
        }
    }
}

/// The set cell nearest to `column`.
fn nearest_bit(row: u128, column: usize) -> Option<usize> {
    let above = row >> column;
    let below = row << (127 - column);
    let up = (above != 0).then(|| column + above.trailing_zeros() as usize);
    let down = (below != 0).then(|| column - below.leading_zeros() as usize);
    match (up, down) {
        (Some(u), Some(d)) => Some(if u - column < column - d { u } else { d }),
        (u, d) => u.or(d),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dilation_is_a_disc() {
        let mut from = Cells([0; 128]);
        from.0[50] = 1 << 40;
        let mut into = Cells([0; 128]);
        dilate(&from, &mut into, 128, 7.3);
        for r in 0..128_usize {
            for c in 0..128_usize {
                let inside = (r.abs_diff(50).pow(2) + c.abs_diff(40).pow(2)) as f64 <= 7.3 * 7.3;
                assert_eq!(into.0[r] >> c & 1 == 1, inside, "{r} {c}");
            }
        }
    }

    #[test]
    fn nearest_bit_looks_both_ways() {
        assert_eq!(nearest_bit(1 << 3 | 1 << 100, 40), Some(3));
        assert_eq!(nearest_bit(1 << 3 | 1 << 100, 90), Some(100));
        assert_eq!(nearest_bit(0, 5), None);
        assert_eq!(nearest_bit(1 << 5, 5), Some(5));
    }

    #[test]
    fn a_component_ends_at_closed_cells() {
        let mut open = Cells([0; 128]);
        open.0[..100].fill(all_columns(100));
        (0..100).for_each(|r| open.0[r] &= !(1 << 30));
        let left = take_component(&mut open, 0);
        assert_eq!(left.0.iter().map(|r| r.count_ones()).sum::<u32>(), 30 * 100);
        assert_eq!(open.0.iter().map(|r| r.count_ones()).sum::<u32>(), 69 * 100);
    }

    #[test]
    fn a_row_fills_its_run_only() {
        assert_eq!(fill_row(1 << 5, 0b1111_0111_1110), 0b0111_1110);
        assert_eq!(fill_row(1 << 5 | 1 << 9, 0b1111_0111_1110), 0b1111_0111_1110);
    }
}
