//! The viability tube: places from which one robot alone can still get away from the predicted feet.
//!
//! A corner that a foot will seal is still free now. The tube tells it in time. It consists of bit grids over the box, one per layer of
//! time. They are computed backwards from the last one: `V_last = free minus pockets`, `V_k = free_k and dilate(V_k+1, reach)`. `free_k`
//! holds the cells that no foot covers at that time. *Pockets* are the parts of the last layer that a somewhat enlarged foot cuts off from
//! the rest of the box. The tube ignores other robots, so its reach is slower than one robot can be. It looks farther ahead than the band:
//! a corner has to be empty before the foot is there.
//!
//! The motion of a foot beyond its forecast is a guess, worst while it sets out. So where feet never wait there is a second, *cautious*
//! tube. It avoids a foot that goes on turning and one that goes straight on, in a sparse swarm by more the farther ahead. With the
//! first tube alone robots run for gaps that may never open.
//!
//! The box may be up to 128 cells wide ([`Cells`]); on larger boxes there is no tube.

use super::cells::{Cell, Cells};
use super::foot_prediction::{Extrapolation, FootPrediction, RatePrediction};
use super::tuning::TubeMargins;
use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use sim_core::{DVec2, Rect};
use swarm_field::Manner;

/// Knots from one layer to the next. [`super::escape_paths`] relies on an even split.
pub const KNOTS_PER_LAYER: usize = 2;
/// Smallest width of a cell, mm.
const MIN_CELL_MM: f64 = 3.3;
/// Largest width of a cell with which a tube is still useful, mm.
const MAX_CELL_MM: f64 = 6.0;
/// Growth of the feet in the search for pockets, mm: a narrow gap lets no robot out in time. The first is for a sparse swarm, the second
/// for one that fills the box, since a crowd needs every place.
const POCKET_GROWTH_MM: (f64, f64) = (60.0, 22.0);
/// Smallest component of the last layer that is no pocket, mm^2.
const MIN_PART_MM2: f64 = 20_000.0;
/// Share of the speed limit that a robot among others can count on.
const REACH_SHARE: f64 = 0.5;

/// Relative growth of the cautious margin, 1/s^2: a factor of `1 + this t^2` at t seconds beyond the forecast, as an unexpected
/// acceleration displaces a foot.
const CAUTIOUS_GROWTH_PER_S2: f64 = 5.0;

/// Upper bound on the distance of two cells of a grid.
const ANYWHERE: f64 = 256.0;

/// A path through the layers of a tube.
#[derive(Clone, Debug, Default)]
pub struct EscapePath {
    /// Place in each layer, mm.
    pub places_mm: Vec<DVec2>,
    /// Cells that a lone robot can reach without passing under a foot, layer by layer, until it can enter the tube.
    reached: Vec<Cells>,
}

impl EscapePath {
    fn reserve(&mut self, layers: usize) {
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
    /// Cells clear of walls; empty before the grid is laid.
    open: Option<Box<Cells>>,
    /// Cells that no foot covers, layer by layer, where feet never wait.
    free: Vec<Cells>,
    /// Whether feet wait for robots that cross their path.
    feet_wait: bool,
    last_knot: usize,
    /// Distance of a lone robot from layer to layer, in cells.
    stride_cells: f64,
    dilated: Box<Cells>,
    is_active: bool,
}

impl Default for Tube {
    fn default() -> Self {
        Self {
            bounds: Rect::from_size(0.0, 0.0),
            cell_mm: MIN_CELL_MM,
            columns: 0,
            rows: 0,
            layers: Vec::new(),
            open: None,
            free: Vec::new(),
            feet_wait: false,
            last_knot: 0,
            stride_cells: 0.0,
            dilated: Box::new(Cells::EMPTY),
            is_active: false,
        }
    }
}

impl Tube {
    /// Computes the layers for feet that may move by any of `guesses`. From the second layer on their distance grows by `cautious_mm`, and
    /// beyond the forecast by more.
    pub fn rebuild(
        &mut self,
        model: &FilterModel,
        guesses: &[&FootPrediction],
        cautious_mm: f64,
        input: &FilterInput<'_>,
    ) {
        self.set_grid(model, input.feet.len());
        if !self.is_active {
            return;
        }
        let clearances = LayerClearances::new(model, cautious_mm);
        for layer in 0..self.layers.len() {
            self.cover_feet(layer, guesses, input.feet.len(), clearances.cautious_mm(layer));
        }
        self.feet_wait = model.manner == Manner::Considerate;
        if !self.feet_wait {
            self.free.clone_from(&self.layers);
        }
        let last = self.layers.len() - 1;
        let growth_mm = model.swarm.by_density(input.agents.len(), POCKET_GROWTH_MM);
        for feet in guesses {
            self.remove_pockets(feet, input.feet.len(), clearances.at_mm(last), growth_mm);
        }
        let fastest_cells = model.swarm.limits.v_max_mm_s * clearances.layer_s / self.cell_mm;
        self.stride_cells = model.tuning.motion.speed * fastest_cells;
        for layer in (0..last).rev() {
            self.dilated.grow(&self.layers[layer + 1], self.rows, REACH_SHARE * fastest_cells);
            self.layers[layer].keep(&self.dilated);
        }
    }

    /// Lays the grid over the box. Inactive without feet, and where the box is too large.
    fn set_grid(&mut self, model: &FilterModel, foot_count: usize) {
        let size = model.swarm.bounds.size();
        self.bounds = model.swarm.bounds;
        self.cell_mm = MIN_CELL_MM.max(size.max_element() / 127.0);
        self.last_knot = model.tuning.horizon.tube_knots;
        self.is_active = self.last_knot > 0 && foot_count > 0 && self.cell_mm <= MAX_CELL_MM;
        if self.is_active {
            self.columns = (size.x / self.cell_mm) as usize + 1;
            self.rows = (size.y / self.cell_mm) as usize + 1;
            self.layers.resize(self.last_knot.div_ceil(KNOTS_PER_LAYER) + 1, Cells::EMPTY);
            if self.open.is_none() {
                self.open = Some(Box::new(self.open_cells(model)));
            }
        }
    }

    /// Cells whose centres are clear of walls.
    fn open_cells(&self, model: &FilterModel) -> Cells {
        let mut open = Cells::all(self.columns, self.rows);
        if !model.walls.is_empty() {
            let cells = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row)));
            let closed = cells.filter(|&cell| !model.walls.is_clear(self.center_mm(cell)));
            closed.for_each(|cell| open.remove(cell));
        }
        open
    }

    fn all_open(&self) -> Cells {
        self.open.as_ref().map_or_else(|| Cells::all(self.columns, self.rows), |open| (**open).clone())
    }

    /// Width of a cell, mm.
    #[must_use]
    pub fn cell_mm(&self) -> f64 {
        self.cell_mm
    }

    /// True if the last rebuild made a tube.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.is_active
    }

    /// Finds the quickest path from `from_mm` to a place of the last layer. That is the end of a robot that lingers at `linger_mm(layer)`
    /// for as long as it can. False if there is none, or no tube.
    pub fn escape_path(&self, from_mm: DVec2, linger_mm: impl Fn(usize) -> DVec2, path: &mut EscapePath) -> bool {
        path.places_mm.clear();
        if !self.is_active {
            return false;
        }
        path.reserve(self.layers.len());
        let Some(entry) = self.enter(from_mm, path) else { return false };
        let entry_layer = path.places_mm.len() - 1;
        let end = self.walk(entry_layer, entry, |layer| self.cell_of(linger_mm(layer)), |_| ());
        end.and_then(|end| self.walk(entry_layer, entry, |_| end, |cell| path.places_mm.push(self.center_mm(cell))))
            .is_some()
    }

    /// Walks through the layers from a cell of the tube and returns the last cell. Each step goes to the cell nearest to `aim(layer)`
    /// within the reach of a lone robot. From a cell of the tube the next layer always has one within reach, so the walk does not end
    /// early.
    fn walk(&self, layer: usize, cell: Cell, aim: impl Fn(usize) -> Cell, mut visit: impl FnMut(Cell)) -> Option<Cell> {
        (layer + 1..self.layers.len()).try_fold(cell, |cell, layer| {
            let next = self.layers[layer].nearest(cell, aim(layer), self.stride_cells)?;
            visit(next);
            Some(next)
        })
    }

    /// Starts a path up to the first layer in which it is in the tube; returns the cell there.
    fn enter(&self, from_mm: DVec2, path: &mut EscapePath) -> Option<Cell> {
        let start = self.cell_of(from_mm);
        path.places_mm.push(from_mm);
        if !self.is_outside(0, from_mm) {
            Some(start)
        } else if self.feet_wait {
            self.enter_straight(start, path)
        } else {
            self.enter_past_feet(start, path)
        }
    }

    /// Starts a path straight to where the tube can be reached first: feet wait for robots that cross their path.
    fn enter_straight(&self, start: Cell, path: &mut EscapePath) -> Option<Cell> {
        let (entry_layer, cell) = (1..self.layers.len()).find_map(|layer| {
            Some((layer, self.layers[layer].nearest(start, start, layer as f64 * self.stride_cells)?))
        })?;
        let (from_mm, to_mm) = (path.places_mm[0], self.center_mm(cell));
        let places_mm = (1..=entry_layer).map(|layer| from_mm.lerp(to_mm, layer as f64 / entry_layer as f64));
        path.places_mm.extend(places_mm);
        Some(cell)
    }

    /// Starts a path to where the tube can be reached first without passing under a foot. Without one there is no path: ahead of the foot
    /// the robot may still find space, or the foot may turn elsewhere.
    fn enter_past_feet(&self, start: Cell, path: &mut EscapePath) -> Option<Cell> {
        path.reached[0] = Cells::one(start);
        let (entry_layer, cell) = (1..self.layers.len()).find_map(|layer| {
            let (before, now) = path.reached.split_at_mut(layer);
            now[0].grow(&before[layer - 1], self.rows, self.stride_cells);
            now[0].keep(&self.free[layer]);
            let mut entered = now[0].clone();
            entered.keep(&self.layers[layer]);
            Some((layer, entered.nearest(start, start, ANYWHERE)?))
        })?;
        path.places_mm.resize(entry_layer + 1, self.center_mm(cell));
        for layer in (1..entry_layer).rev() {
            let (from_mm, next_mm) = (path.places_mm[0], path.places_mm[layer + 1]);
            let straight_mm = from_mm.lerp(next_mm, layer as f64 / (layer + 1) as f64);
            let before =
                path.reached[layer].nearest(self.cell_of(next_mm), self.cell_of(straight_mm), self.stride_cells)?;
            path.places_mm[layer] = self.center_mm(before);
        }
        Some(cell)
    }

    /// True if a robot that arrives at `place_mm` in time can stay there: the place is in the last layer.
    #[must_use]
    pub fn lasts(&self, place_mm: DVec2) -> bool {
        !self.is_outside(self.last_knot, place_mm)
    }

    /// True if `place_mm` is outside the tube at knot `k`.
    #[must_use]
    pub fn is_outside(&self, k: usize, place_mm: DVec2) -> bool {
        self.is_active && !self.layers[k.div_ceil(KNOTS_PER_LAYER)].contains(self.cell_of(place_mm))
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

    /// Sets a layer to the cells that no foot covers by any of the guesses.
    fn cover_feet(&mut self, layer: usize, guesses: &[&FootPrediction], foot_count: usize, clearance_mm: f64) {
        let mut cells = self.all_open();
        let knot = (layer * KNOTS_PER_LAYER).min(self.last_knot);
        for (feet, foot) in guesses.iter().flat_map(|&feet| (0..foot_count).map(move |foot| (feet, foot))) {
            cells.remove_disc(self.grid_place(feet.place_mm(foot, knot)), clearance_mm / self.cell_mm);
        }
        self.layers[layer] = cells;
    }

    /// Removes the small components of the last layer, as enlarged feet cut it, but never the largest.
    fn remove_pockets(&mut self, feet: &FootPrediction, foot_count: usize, clearance_mm: f64, growth_mm: f64) {
        let mut open = self.all_open();
        for foot in 0..foot_count {
            let center = self.grid_place(feet.place_mm(foot, self.last_knot));
            open.remove_disc(center, (clearance_mm + growth_mm) / self.cell_mm);
        }
        let mut largest = (0, Cells::EMPTY);
        let mut keep = Cells::EMPTY;
        let enough = (MIN_PART_MM2 / (self.cell_mm * self.cell_mm)) as u32;
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
        // Cells that the enlargement removed next to a kept component are kept, too.
        self.dilated.grow(&keep, self.rows, growth_mm / self.cell_mm + 1.0);
        if let Some(last) = self.layers.last_mut() {
            last.keep(&self.dilated);
        }
    }
}

/// Distances from feet, layer by layer.
struct LayerClearances {
    d_h_mm: f64,
    margins: TubeMargins,
    cautious_mm: f64,
    /// Time from layer to layer, s.
    layer_s: f64,
    /// Length of the forecast, s.
    forecast_s: f64,
}

impl LayerClearances {
    fn new(model: &FilterModel, cautious_mm: f64) -> Self {
        Self {
            d_h_mm: model.swarm.clearances.d_h_mm,
            margins: model.tuning.tube,
            cautious_mm,
            layer_s: (KNOTS_PER_LAYER * model.knot_ticks) as f64 * model.swarm.step_s,
            forecast_s: model.forecast_frames as f64 * model.swarm.step_s,
        }
    }

    fn at_mm(&self, layer: usize) -> f64 {
        let margin_mm = self.margins.foot_mm + self.margins.foot_growth_mm_s * self.layer_s * layer as f64;
        self.d_h_mm + margin_mm
    }

    /// The same with the cautious margin.
    fn cautious_mm(&self, layer: usize) -> f64 {
        let beyond_s = (self.layer_s * layer as f64 - self.forecast_s).max(0.0);
        let growth = 1.0 + CAUTIOUS_GROWTH_PER_S2 * beyond_s * beyond_s;
        self.at_mm(layer) + if layer == 0 { 0.0 } else { self.cautious_mm * growth }
    }
}

/// The tubes of one plan.
#[derive(Clone, Debug, Default)]
pub struct Tubes {
    /// For feet at their predicted places.
    pub expected: Tube,
    /// For feet that go on turning and for feet that go straight on. Inactive for feet that wait.
    pub cautious: Tube,
    straight_on: FootPrediction,
}

impl Tubes {
    /// Computes the tubes for predicted `feet`, from the predictions that made them.
    pub fn rebuild(
        &mut self,
        model: &FilterModel,
        feet: &FootPrediction,
        rates: &[RatePrediction],
        extrapolations: &[Extrapolation],
        input: &FilterInput<'_>,
    ) {
        self.expected.rebuild(model, &[feet], 0.0, input);
        if model.tuning.tube.cautious_mm > 0.0 && self.expected.is_active {
            let cautious_mm = model.swarm.by_density(input.agents.len(), (model.tuning.tube.cautious_mm, 0.0));
            self.straight_on.predict(model, rates, extrapolations.iter().map(Extrapolation::straight_on), input);
            self.cautious.rebuild(model, &[feet, &self.straight_on], cautious_mm, input);
        } else {
            self.cautious.is_active = false;
        }
    }

    /// The tube that the band of a robot at `place_mm` should keep to: the cautious one if the robot is in it.
    #[must_use]
    pub fn around(&self, place_mm: DVec2) -> &Tube {
        if self.cautious.is_active && !self.cautious.is_outside(0, place_mm) { &self.cautious } else { &self.expected }
    }
}
