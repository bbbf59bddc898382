//! Contact of vehicles with the bottom and each other.

use crate::events::{EventObject, Moment, SeaEvent};
use crate::model::SeaModel;
use crate::world::{Strike, VehicleRun};
use sea_sim::Sea;
use sea_sim::body::BodyState;
use sea_sim::contact::{Contact, ContactBody, ContactSolver, Touched, sweep};
use sea_sim::spatial::Vec6;
use sea_sim::terrain::{HeightGrid, Terrain};
use sim_core::DVec3;

/// Inverse mass of what does not move by forces: a body of a million million kilograms.
const FIXED_PER_KG: f64 = 1e-12;
/// How much farther than its own way a point of a vehicle may come in a step.
const REACH: f64 = 4.0;
/// Clearance below which contact is looked for at least, m.
const MIN_REACH_M: f64 = 0.01;
/// Most posts of a grid that are looked at for a vehicle; more of them count as near.
const MAX_POSTS: usize = 1024;

/// Buffers of contact.
#[derive(Clone, Debug, Default)]
pub(crate) struct TouchScratch {
    solver: ContactSolver,
    bodies: Vec<ContactBody<'static>>,
    /// Numbers of the vehicles of `bodies`.
    numbers: Vec<usize>,
    /// Vehicles along the axis on which they spread most.
    along: Vec<usize>,
    /// How far any point of each may come in the step, m.
    reaches_m: Vec<f64>,
    is_near: Vec<bool>,
    /// Vehicles that touched something in the last step.
    pub has_touched: Vec<bool>,
}

/// How far any point of a vehicle may come in its step, from its place at the beginning.
fn reach_m(model: &SeaModel, number: usize, before: &BodyState, after: &BodyState) -> f64 {
    let hull_m = model.vehicles[number].hull.radius_m();
    // The root of the larger square is the larger of both lengths.
    let squares = [before, after].map(|body| body.velocity.angular.length_squared());
    let turn_rad = squares[1].max(squares[0]).sqrt() * model.step_s();
    let way_m = after.position_m.distance(before.position_m) + turn_rad * hull_m;
    hull_m + REACH * way_m + MIN_REACH_M
}

/// Makes the vehicles of a step obey what they touch. `before` are their states where the step began.
pub(crate) fn resolve(
    model: &SeaModel,
    sea: &Sea<'_>,
    (runs, before): (&mut [VehicleRun], &[BodyState]),
    (scratch, strikes): (&mut TouchScratch, &mut Vec<Strike>),
    (moment, events): (Moment, &mut Vec<SeaEvent>),
) {
    strikes.retain(|strike| strike.step + silence_steps(model) >= moment.tick.0);
    scratch.find_near(model, runs, before);
    scratch.has_touched.clear();
    scratch.has_touched.resize(model.vehicles.len(), false);
    scratch.numbers.clear();
    scratch.numbers.extend(model.by_name.iter().copied().filter(|&number| scratch.is_near[number]));
    if scratch.numbers.is_empty() {
        return;
    }
    let mut bodies = recycled(std::mem::take(&mut scratch.bodies));
    bodies.extend(
        scratch
            .numbers
            .iter()
            .map(|&number| contact_body(model, sea, number, (&before[number], &runs[number]), moment.time_s)),
    );
    let contacts = scratch.solver.resolve(&mut bodies, model.terrain.as_ref(), &model.contact);
    for contact in contacts {
        let number = scratch.numbers[contact.body];
        let is_ashore = runs_ashore(contact, &before[number], &runs[number].motion.body)
            && model.vehicles[number].vehicle.rules().is_some();
        if contact.impulse_n_s <= 0.0 && !is_ashore {
            continue;
        }
        note(model, contact, &scratch.numbers, (runs, strikes), (moment, events));
        if is_ashore {
            model.vehicles[number].vehicle.halt(&mut runs[number].motion, &before[number], sea, moment.time_s);
        }
        let other = if let Touched::Body(other) = contact.touched { Some(other) } else { None };
        for place in [Some(contact.body), other].into_iter().flatten() {
            scratch.has_touched[scratch.numbers[place]] = true;
        }
    }
    for (&number, body) in scratch.numbers.iter().zip(&bodies) {
        let is_moved = scratch.has_touched[number] && model.vehicles[number].vehicle.body().is_some();
        if is_moved {
            let motion = &mut runs[number].motion;
            motion.body = motion.body.at_pose(&body.end_pose());
            motion.body.velocity = Vec6::from_array(body.velocity);
        }
    }
    scratch.bodies = recycled(bodies);
}

/// Whether a step leads against a bottom that rises and is touched.
fn runs_ashore(contact: &Contact, before: &BodyState, after: &BodyState) -> bool {
    let way_m = (after.position_m - before.position_m).truncate();
    let is_touched = contact.impulse_n_s > 0.0 || contact.gap_m < 0.0;
    is_touched && matches!(contact.touched, Touched::Bottom(_)) && way_m.dot(contact.normal.truncate()) < 0.0
}

/// An empty list with the memory of another one.
#[expect(clippy::unnecessary_filter_map, reason = "`filter` would keep the lifetime")]
fn recycled<'a>(mut bodies: Vec<ContactBody<'_>>) -> Vec<ContactBody<'a>> {
    bodies.clear();
    // Collecting from a list into one of the same layout keeps its memory; there is nothing to map.
    bodies.into_iter().filter_map(|_| None).collect()
}

fn contact_body<'a>(
    model: &'a SeaModel,
    sea: &Sea<'_>,
    number: usize,
    (before, run): (&BodyState, &VehicleRun),
    time_s: f64,
) -> ContactBody<'a> {
    let setup = &model.vehicles[number];
    let factor = setup.vehicle.inertia_factor(&run.motion, sea, time_s);
    let fixed = || std::array::from_fn(|i| std::array::from_fn(|j| if i == j { FIXED_PER_KG } else { 0.0 }));
    ContactBody {
        hull: &setup.hull,
        pose: before.pose(),
        displacement: before.pose().displacement_to(&run.motion.body.pose()),
        velocity: run.motion.body.velocity.to_array(),
        inverse_mass: factor.map_or_else(fixed, |factor| factor.inverse_rows()),
    }
}

/// Steps without a touch after which the next one is told again: a second.
fn silence_steps(model: &SeaModel) -> u64 {
    u64::from(model.step_hz)
}

/// Notes who touched what, and tells of the first touch.
fn note(
    model: &SeaModel,
    contact: &Contact,
    numbers: &[usize],
    (runs, strikes): (&mut [VehicleRun], &mut Vec<Strike>),
    (moment, events): (Moment, &mut Vec<SeaEvent>),
) {
    let number = numbers[contact.body];
    // An impulse on what moves by rules alone would be that of a made-up mass.
    let has_forces = |number: usize| model.vehicles[number].vehicle.body().is_some();
    let with_impulse = |event: SeaEvent, is_true: bool| match is_true {
        true => event.of(contact.impulse_n_s, "N s"),
        false => event,
    };
    match contact.touched {
        // A station stands where it stands.
        Touched::Bottom(_) if model.vehicles[number].vehicle.is_fixed() => {}
        Touched::Bottom(_) => {
            let conditions = &mut runs[number].conditions;
            let is_silent = conditions.bottom_step.is_none_or(|step| step + silence_steps(model) < moment.tick.0);
            if is_silent && conditions.aground_at_m.is_none() {
                let event = moment.event("grounded", number).about(EventObject::Bottom);
                events.push(with_impulse(event, has_forces(number)));
            }
            conditions.bottom_step = Some(moment.tick.0);
        }
        Touched::Body(other) => {
            let other = numbers[other];
            let [first, second] = [number.min(other), number.max(other)];
            for one in [first, second] {
                runs[one].conditions.struck_step = Some(moment.tick.0);
            }
            let strike = Strike { vehicles: [first as u32, second as u32], step: moment.tick.0 };
            match strikes.binary_search_by_key(&strike.vehicles, |known| known.vehicles) {
                Ok(place) => strikes[place] = strike,
                Err(place) => {
                    strikes.insert(place, strike);
                    let event = moment.event("collision", first).about(EventObject::Vehicle(second as u32));
                    events.push(with_impulse(event, has_forces(first) || has_forces(second)));
                }
            }
        }
    }
}

impl TouchScratch {
    /// Marks the vehicles that the bottom or another vehicle is near enough to.
    fn find_near(&mut self, model: &SeaModel, runs: &[VehicleRun], before: &[BodyState]) {
        self.reaches_m.clear();
        let reach = |(number, run): (usize, &VehicleRun)| reach_m(model, number, &before[number], &run.motion.body);
        self.reaches_m.extend(runs.iter().enumerate().map(reach));
        self.is_near.clear();
        self.is_near.extend(before.iter().zip(&self.reaches_m).enumerate().map(|(number, (before, &reach_m))| {
            !model.vehicles[number].vehicle.is_fixed() && is_near_bottom(model, before.position_m, reach_m)
        }));
        let Self { along, reaches_m, is_near, .. } = self;
        sweep(along, |number| before[number].position_m, reaches_m, |a, b| (is_near[a], is_near[b]) = (true, true));
    }
}

/// Whether a sphere may touch the bottom.
fn is_near_bottom(model: &SeaModel, center_m: DVec3, radius_m: f64) -> bool {
    let lowest_m = center_m.z - radius_m;
    if lowest_m > model.highest_z_m {
        return false;
    }
    match &model.terrain {
        None => false,
        Some(Terrain::Flat(_)) => true,
        Some(Terrain::Grid(grid)) => highest_around_m(grid, center_m, radius_m).is_none_or(|z_m| lowest_m <= z_m),
    }
}

/// Height of the highest post around a place; none if there are too many posts.
fn highest_around_m(grid: &HeightGrid, center_m: DVec3, radius_m: f64) -> Option<f64> {
    let params = grid.params();
    let span = |at_m: f64, from_m: f64, count: usize| {
        let post = |m: f64| ((m - from_m) / params.cell_m).clamp(0.0, (count - 1) as f64);
        (post(at_m - radius_m).floor() as usize, post(at_m + radius_m).ceil() as usize)
    };
    let (west, east) = span(center_m.x, params.origin_m.x, params.columns);
    let (south, north) = span(center_m.y, params.origin_m.y, params.rows);
    if (east - west + 1) * (north - south + 1) > MAX_POSTS {
        return None;
    }
    let rows = (south..=north).map(|row| &params.heights_m[row * params.columns..][west..=east]);
    Some(rows.flatten().copied().fold(f64::NEG_INFINITY, f64::max))
}
