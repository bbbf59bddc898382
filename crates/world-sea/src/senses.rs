//! What the sensors of a vehicle told last, made ready for its navigator.

use crate::model::{SeaModel, SensorKind, VehicleSetup};
use crate::pilot::Heard;
use sea_sim::GRAVITY_M_S2;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::sensor::BEAMS;
use sim_core::sensing::Sensor;
use sim_core::{DVec3, Tick};

/// What the sensors of a vehicle told up to now.
pub fn heard(model: &SeaModel, setup: &VehicleSetup, sensors: &[Sensor]) -> Heard {
    let senses = Senses { setup, sensors };
    Heard {
        attitude: senses.attitude(),
        turn_rate_rad_s: senses.vector(SensorKind::Gyro).map(|(_, rate)| rate),
        log_m_s: senses.log_m_s(),
        altitude_m: senses.altitude_m(),
        depth_m: senses.depth_m(model.made_of.density_kg_m3),
        fix: senses.vector(SensorKind::Gnss),
        antenna_m: setup.antenna_m,
        level_m: model.level_m,
    }
}

/// The sensors of a vehicle with their states.
#[derive(Clone, Copy)]
struct Senses<'a> {
    setup: &'a VehicleSetup,
    sensors: &'a [Sensor],
}

impl<'a> Senses<'a> {
    /// The newest values of a sensor, if none of them was lost.
    fn values(&self, kind: SensorKind) -> Option<(Tick, &'a [f64])> {
        let reading = self.sensors[self.setup.sensor(kind)?].latest()?;
        reading.values.iter().all(|value| value.is_finite()).then_some((reading.taken, reading.values))
    }

    fn vector(&self, kind: SensorKind) -> Option<(Tick, DVec3)> {
        let (taken, values) = self.values(kind)?;
        Some((taken, DVec3::from_slice(values)))
    }

    fn attitude(&self) -> Option<RollPitchYaw> {
        let (_, angles) = self.vector(SensorKind::Attitude)?;
        Some(RollPitchYaw { roll_rad: angles.x, pitch_rad: angles.y, yaw_rad: angles.z })
    }

    /// Velocity by the log, along the vehicle's axes.
    fn log_m_s(&self) -> Option<DVec3> {
        self.setup.dvl?.velocity_m_s(&self.beams(SensorKind::DvlVelocities)?)
    }

    /// An echo sounder that hits nothing tells its height over still water, which is no altitude of a vehicle under water.
    fn altitude_m(&self) -> Option<f64> {
        let sounded = self.values(SensorKind::Altimeter).map(|(_, values)| values[0]);
        sounded
            .filter(|&altitude_m| altitude_m > 0.0)
            .or_else(|| self.setup.dvl?.altitude_m(&self.beams(SensorKind::DvlRanges)?))
    }

    /// Lost beams are infinite.
    fn beams(&self, kind: SensorKind) -> Option<[f64; BEAMS]> {
        let reading = self.sensors[self.setup.sensor(kind)?].latest()?;
        reading.values.try_into().ok()
    }

    fn depth_m(&self, density_kg_m3: f64) -> Option<f64> {
        let (_, values) = self.values(SensorKind::Pressure)?;
        Some((values[0] - self.setup.in_air_pa) / (density_kg_m3 * GRAVITY_M_S2))
    }
}
