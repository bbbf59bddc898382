//! What the sensors of a cube measure, from its body, the ground and the magnets.

use super::model::CubesModel;
use sim_core::{DVec2, DVec3};
use toio_cube_sim::attitude::Euler;
use toio_cube_sim::wire::{PositionId, StandardId};
use toio_cube_sim::{Printed, Senses};
use toio_mat::{Ground, PlanePose, PositionReading, plane_mm_from_world_m};
use toio_physics::{Attitude, CubeReport, Physics, geometry};

/// How far below the ID sensor a print may be (toio facts, section 3.1).
const ID_REACH_M: f64 = 0.005;

/// What cube number `k` measures of its motion and of the plane, on which `ground` lies.
pub(super) fn senses_of(model: &CubesModel, ground: &Ground, physics: &Physics, k: usize) -> Senses {
    let report = &physics.reports()[k];
    let Attitude { roll_rad, pitch_rad, yaw_rad } = report.attitude;
    Senses {
        printed: printed_under(model, ground, physics, k),
        attitude: Euler { roll_rad, pitch_rad, yaw_rad },
        specific_force_m_s2: report.specific_force_m_s2,
        angular_rate_rad_s: report.omega_rad_s,
        wheel_speed_m_s: report.wheels.map(|wheel| wheel.motor_m_s),
        magnetic_field_a_m: physics.field_at_sensor_a_m(k).unwrap_or(DVec3::ZERO),
        ..Senses::default()
    }
}

/// What the ID sensor of cube number `k` sees along its own axis, if the ground is within its reach.
pub(super) fn printed_under(model: &CubesModel, ground: &Ground, physics: &Physics, k: usize) -> Printed {
    let report = &physics.reports()[k];
    let Some(place_mm) = place_seen_mm(report) else { return Printed::Nothing };
    let sensor = PlanePose { position_mm: place_mm, heading_rad: report.heading_rad() };
    match ground.printed_under(sensor, model.cubes[k].center) {
        toio_mat::Printed::Position(reading) => Printed::Position(position_id(reading)),
        toio_mat::Printed::Standard(reading) => {
            Printed::Standard(StandardId { value: reading.value, deg: reading.degrees })
        }
        toio_mat::Printed::Nothing => Printed::Nothing,
    }
}

/// Where the axis of the ID sensor meets the plane; nowhere for a cube that is away.
fn place_seen_mm(report: &CubeReport) -> Option<DVec2> {
    let sensor_m = report.world_of(geometry::ID_SENSOR);
    let down = report.world_of(geometry::ID_SENSOR + DVec3::Z) - sensor_m;
    let is_level_enough = down.z < -1e-3;
    // A wheel sinks into the ground by a few micrometres: a distance below 0 is one of 0.
    let distance_m = sensor_m.z / -down.z;
    let place_m = sensor_m + down * distance_m;
    (!report.is_away && is_level_enough && distance_m < ID_REACH_M)
        .then(|| plane_mm_from_world_m(DVec2::new(place_m.x, place_m.y)))
}

/// A reading in the 16 bits of the wire. A centre that lies left of or above the numbering reads 0.
fn position_id(reading: PositionReading) -> PositionId {
    let word = |dots: i32| dots.clamp(0, i32::from(u16::MAX)) as u16;
    PositionId {
        centre_x: word(reading.center.x),
        centre_y: word(reading.center.y),
        centre_deg: reading.degrees,
        sensor_x: word(reading.sensor.x),
        sensor_y: word(reading.sensor.y),
        sensor_deg: reading.degrees,
    }
}
