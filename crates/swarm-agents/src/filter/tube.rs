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
//! The box may be up to 128 cells wide ([`Cells`]); on larger boxes there is no tube.

use super::cells::{Cell, Cells};
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

/// Farther than any two cells of a grid are from each other.
const ANYWHERE: f64 = 256.0;

/// A way through the layers of a tube.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// Place in each layer, mm.
    pub places_mm: Vec<DVec2>,
    /// Where a lone robot can have come to without going under a foot, layer by layer, up to the one in which it can have entered the tube.
    reached: Vec<Cells>,
}

impl Way {
    fn make_room(&mut self, layers: usize) {
        self.places_mm.reserve(layers);
        self.reached.resize(layers, Cells::EMPTY);
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
            dilated: Box::new(Cells::EMPTY),
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
        self.layers.resize(self.last_knot.div_ceil(KNOTS_PER_LAYER) + 1, Cells::EMPTY);
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
            self.dilated.grow(&self.layers[layer + 1], self.rows, REACH_SHARE * fastest_cells);
            self.layers[layer].keep(&self.dilated);
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

    /// Finds the quickest way from `from_mm` to the place of the last layer where a robot ends that lingers at `linger_mm(layer)` for as
    /// long as it can. False if there is none, or no tube.
    pub fn way_out(&self, from_mm: DVec2, linger_mm: impl Fn(usize) -> DVec2, way: &mut Way) -> bool {
        way.places_mm.clear();
        if !self.active {
            return false;
        }
        way.make_room(self.layers.len());
        let Some(entry) = self.enter(from_mm, way) else { return false };
        let entry_layer = way.places_mm.len() - 1;
        let end = self.walk(entry_layer, entry, |layer| self.cell_of(linger_mm(layer)), |_| ());
        end.and_then(|end| self.walk(entry_layer, entry, |_| end, |cell| way.places_mm.push(self.center_mm(cell))))
            .is_some()
    }

    /// Walks on through the layers from a cell of the tube, in each to the cell nearest to `aim(layer)` within the reach of a lone robot;
    /// returns the last. From a cell of the tube every layer has one of the next within reach, so the walk does not end early.
    fn walk(&self, layer: usize, cell: Cell, aim: impl Fn(usize) -> Cell, mut visit: impl FnMut(Cell)) -> Option<Cell> {
        (layer + 1..self.layers.len()).try_fold(cell, |cell, layer| {
            let next = self.layers[layer].nearest(cell, aim(layer), self.stride_cells)?;
            visit(next);
            Some(next)
        })
    }

    /// Begins a way up to the first layer in which it is in the tube; returns the cell there.
    fn enter(&self, from_mm: DVec2, way: &mut Way) -> Option<Cell> {
        let start = self.cell_of(from_mm);
        way.places_mm.push(from_mm);
        if !self.is_outside(0, from_mm) {
            Some(start)
        } else if self.feet_wait {
            self.enter_straight(start, way)
        } else {
            self.enter_past_feet(start, way)
        }
    }

    /// Begins a way straight to where the tube can be reached first: feet wait for robots that run across their way.
    fn enter_straight(&self, start: Cell, way: &mut Way) -> Option<Cell> {
        let (entry_layer, cell) = (1..self.layers.len()).find_map(|layer| {
            Some((layer, self.layers[layer].nearest(start, start, layer as f64 * self.stride_cells)?))
        })?;
        let (from_mm, to_mm) = (way.places_mm[0], self.center_mm(cell));
        let places_mm = (1..=entry_layer).map(|layer| from_mm.lerp(to_mm, layer as f64 / entry_layer as f64));
        way.places_mm.extend(places_mm);
        Some(cell)
    }

    /// Begins a way to where the tube can be reached first without going under a foot. Rather than that a robot has no way: ahead of a foot
    /// it may still find room, or the foot turn out to go elsewhere.
    fn enter_past_feet(&self, start: Cell, way: &mut Way) -> Option<Cell> {
        way.reached[0] = Cells::one(start);
        let (entry_layer, cell) = (1..self.layers.len()).find_map(|layer| {
            let (before, now) = way.reached.split_at_mut(layer);
            now[0].grow(&before[layer - 1], self.rows, self.stride_cells);
            now[0].keep(&self.free[layer]);
            let mut entered = now[0].clone();
            entered.keep(&self.layers[layer]);
            Some((layer, entered.nearest(start, start, ANYWHERE)?))
        })?;
        way.places_mm.resize(entry_layer + 1, self.center_mm(cell));
        for layer in (1..entry_layer).rev() {
            let (from_mm, next_mm) = (way.places_mm[0], way.places_mm[layer + 1]);
            let straight_mm = from_mm.lerp(next_mm, layer as f64 / (layer + 1) as f64);
            let before =
                way.reached[layer].nearest(self.cell_of(next_mm), self.cell_of(straight_mm), self.stride_cells)?;
            way.places_mm[layer] = self.center_mm(before);
        }
        Some(cell)
    }

    /// True if a robot that gets to `place_mm` in time can stay there: it is in the last layer.
    #[must_use]
    pub fn lasts(&self, place_mm: DVec2) -> bool {
        !self.is_outside(self.last_knot, place_mm)
    }

    /// True if `place_mm` is outside the tube at knot `k`.
    #[must_use]
    pub fn is_outside(&self, k: usize, place_mm: DVec2) -> bool {
        self.active && !self.layers[k.div_ceil(KNOTS_PER_LAYER)].contains(self.cell_of(place_mm))
    }

    /// Column and row of a place, as fractions.
    fn grid_place(&self, place_mm: DVec2) -> DVec2 {
        (place_mm - self.bounds.min) / self.cell_mm
    }

    /// Column and row of the cell whose centre is nearest; a negative number becomes 0 when it is cast.
    fn cell_of(&self, place_mm: DVec2) -> Cell {
        let at = self.grid_place(place_mm) + DVec2::splat(0.5);
        ((at.x as usize).min(self.columns.max(1) - 1), (at.y as usize).min(self.rows.max(1) - 1))
    }

    fn center_mm(&self, (column, row): Cell) -> DVec2 {
        self.bounds.clamp(self.bounds.min + DVec2::new(column as f64, row as f64) * self.cell_mm)
    }

    /// Leaves those cells of a layer that no foot covers by any of the guesses.
    fn cover_feet(&mut self, layer: usize, guesses: &[&FeetAhead], foot_count: usize, clearance_mm: f64) {
        let mut cells = Cells::all(self.columns, self.rows);
        let knot = (layer * KNOTS_PER_LAYER).min(self.last_knot);
        for (feet, foot) in guesses.iter().flat_map(|&feet| (0..foot_count).map(move |foot| (feet, foot))) {
            cells.remove_disc(self.grid_place(feet.place_mm(foot, knot)), clearance_mm / self.cell_mm);
        }
        self.layers[layer] = cells;
    }

    /// Takes the small components of the fattened last layer out of it, never the largest.
    fn remove_pockets(&mut self, feet: &FeetAhead, foot_count: usize, clearance_mm: f64, pocket_mm: f64) {
        let mut open = Cells::all(self.columns, self.rows);
        for foot in 0..foot_count {
            let center = self.grid_place(feet.place_mm(foot, self.last_knot));
            open.remove_disc(center, (clearance_mm + pocket_mm) / self.cell_mm);
        }
        let mut largest = (0, Cells::EMPTY);
        let mut keep = Cells::EMPTY;
        let enough = (POCKET_AREA_MM2 / (self.cell_mm * self.cell_mm)) as u32;
        while let Some(component) = open.take_component() {
            let area = component.count();
            if area >= enough {
                keep.add(&component);
            }
            if area > largest.0 {
                largest = (area, component);
            }
        }
        keep.add(&largest.1);
        // What the fattening took away next to a kept component is kept too.
        self.dilated.grow(&keep, self.rows, pocket_mm / self.cell_mm + 1.0);
        if let Some(last) = self.layers.last_mut() {
            last.keep(&self.dilated);
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
