//! What pulls at a vehicle beside water and actuators: force fields, and a force of the script.
//!
//! # Model
//! ```text
//! F = sum s_i f(p_i) + f_0        M = sum r_i x s_i f(p_i) + r_0 x f_0
//! ```
//! f is a field's force on a whole body at a place p_i, s_i the share of that place, r_i its arm about the origin. Shares are equal at
//! force points and stations; of cells they are those of their volumes. f_0 is a force of the script at a place of the body: it is not
//! divided. All hold through a step as they are at its beginning. Source: SMaRC's `ForceField`, which pushes each force point with its
//! share.

use crate::model::{FieldPropeller, SeaModel, VehicleSetup};
use crate::world::VehicleRun;
use sea_sim::Medium;
use sea_sim::body::{BuoyancyParams, Loads};
use sea_sim::field::{FieldPoint, TurningPropeller};
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{MotionParams, VehicleParams};
use sim_core::{DVec3, ParamError, RunKey, Tick};

/// Stations along a hull without force points or cells, and beside each other.
const STATIONS: [u8; 2] = [5, 2];

/// A place of a body that fields push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushedPlace {
    /// On the body, m.
    pub at_m: DVec3,
    /// Share of the force on the whole body, 0 to 1.
    pub share: f64,
    /// Depth at which it counts as fully submerged, m.
    pub submerged_depth_m: f64,
}

/// A constant force along the world's axes at a place of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointForce {
    /// The force, N.
    pub force_n: DVec3,
    /// The place on the body, m.
    pub at_m: DVec3,
}

/// What force fields depend on beside the place.
pub(crate) struct FieldMoment<'a> {
    pub propellers: &'a [TurningPropeller],
    pub key: RunKey,
    pub tick: Tick,
}

/// How the propellers of fields turn.
pub(crate) fn turning(model: &SeaModel, vehicles: &[VehicleRun]) -> impl Iterator<Item = TurningPropeller> {
    model.propellers.iter().filter_map(|&FieldPropeller { vehicle, actuator }| {
        let (setup, motion) = (&model.vehicles[vehicle], &vehicles[vehicle].motion);
        let (position_m, forward) = setup.vehicle.propeller(motion, actuator)?;
        Some(TurningPropeller { body: setup.draws, position_m, forward, rpm: motion.actuators[actuator] })
    })
}

/// The places of a vehicle that fields push; none if it moves by rules or not at all.
///
/// # Errors
/// If a torpedo's numbers are out of their ranges.
pub(crate) fn pushed_places(params: &VehicleParams) -> Result<Vec<PushedPlace>, ParamError> {
    match &params.motion {
        MotionParams::Rigid(rigid) => Ok(places_of(&rigid.body.buoyancy, params.size_m)),
        MotionParams::Torpedo(torpedo) => Ok(places_of(&torpedo.to_rigid()?.body.buoyancy, params.size_m)),
        MotionParams::Hydrofoil(_) | MotionParams::Fixed => Ok(Vec::new()),
    }
}

fn places_of(buoyancy: &BuoyancyParams, size_m: [f64; 3]) -> Vec<PushedPlace> {
    match buoyancy {
        BuoyancyParams::Points(params) => {
            let share = 1.0 / params.points_m.len() as f64;
            let submerged_depth_m = params.depth_before_submerged_m;
            let place = |&at_m: &[f64; 3]| PushedPlace { at_m: at_m.into(), share, submerged_depth_m };
            params.points_m.iter().map(place).collect()
        }
        BuoyancyParams::Cells(cells) => {
            let volume_m3: f64 = cells.iter().map(|cell| cell.volume_m3).sum();
            let place = |cell: &sea_sim::body::CellParams| PushedPlace {
                at_m: cell.center_m.into(),
                share: cell.volume_m3 / volume_m3,
                submerged_depth_m: 0.5 * cell.height_m,
            };
            cells.iter().map(place).collect()
        }
        BuoyancyParams::None
        | BuoyancyParams::Submerged(_)
        | BuoyancyParams::Mesh(_)
        | BuoyancyParams::Waterline(_) => stations(size_m),
    }
}

/// The middles of equal parts of a hull's length and beam.
fn stations([length_m, beam_m, height_m]: [f64; 3]) -> Vec<PushedPlace> {
    let [ahead, aside] = STATIONS;
    let middle_m = |part: u8, parts: u8, size_m: f64| size_m * ((f64::from(part) + 0.5) / f64::from(parts) - 0.5);
    let share = 1.0 / (f64::from(ahead) * f64::from(aside));
    let place = |i: u8, j: u8| PushedPlace {
        at_m: DVec3::new(middle_m(i, ahead, length_m), middle_m(j, aside, beam_m), 0.0),
        share,
        submerged_depth_m: 0.5 * height_m,
    };
    (0..ahead).flat_map(|i| (0..aside).map(move |j| place(i, j))).collect()
}

/// The loads on a vehicle at the beginning of a step.
pub(crate) fn loads(
    model: &SeaModel,
    (setup, run): (&VehicleSetup, &VehicleRun),
    (around, time_s): (&impl Medium, f64),
    fields: &FieldMoment<'_>,
) -> Loads {
    let body = &run.motion.body;
    let at = |force_n: DVec3, at_m: DVec3| Vec6::from_force_at(force_n, body.attitude * at_m);
    let mut world = at(run.force.force_n, run.force.at_m);
    let places = if model.has_fields { &setup.pushed[..] } else { &[] };
    for (number, place) in places.iter().enumerate() {
        let position_m = body.position_m + body.attitude * place.at_m;
        let point = FieldPoint {
            position_m,
            surface_m: position_m.z + around.at(position_m, time_s).surface_m,
            submerged_depth_m: place.submerged_depth_m,
            body: setup.draws,
            point: number as u16,
        };
        let force_n = model.fields.force_n(&point, fields.propellers, (fields.key, fields.tick));
        world += at(force_n * place.share, place.at_m);
    }
    Loads { world, ..Loads::default() }
}
