//! Where a vehicle believes to be, from what its sensors told: the last fix of its satellite receiver, and from there on the velocity log
//! and the attitude. It knows where it started.

use super::hash_option;
use crate::model::{SensorKind, VehicleSetup};
use sea_sim::GRAVITY_M_S2;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::driver::Readings;
use sea_sim::sensor::BEAMS;
use sim_core::sensing::Sensor;
use sim_core::{DVec3, StateHash, Tick};

/// Fixes farther apart than this tell no velocity, s.
const FIX_GAP_MAX_S: f64 = 2.5;

/// Where a vehicle believes to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Navigator {
    place_m: DVec3,
    /// The last fix of the antenna.
    fix: Option<(Tick, DVec3)>,
    /// Velocity in the world between the last two fixes, m/s.
    velocity_m_s: Option<DVec3>,
}

/// The sensors of a vehicle with their states.
#[derive(Clone, Copy)]
pub(crate) struct Senses<'a> {
    pub setup: &'a VehicleSetup,
    pub sensors: &'a [Sensor],
    pub density_kg_m3: f64,
    pub level_m: f64,
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

    fn altitude_m(&self) -> Option<f64> {
        let sounded = self.values(SensorKind::Altimeter).map(|(_, values)| values[0]);
        sounded.or_else(|| self.setup.dvl?.altitude_m(&self.beams(SensorKind::DvlRanges)?))
    }

    /// Lost beams are infinite.
    fn beams(&self, kind: SensorKind) -> Option<[f64; BEAMS]> {
        let reading = self.sensors[self.setup.sensor(kind)?].latest()?;
        reading.values.try_into().ok()
    }

    fn depth_m(&self) -> Option<f64> {
        let (_, values) = self.values(SensorKind::Pressure)?;
        Some((values[0] - self.setup.in_air_pa) / (self.density_kg_m3 * GRAVITY_M_S2))
    }
}

impl Navigator {
    /// At a place, m.
    #[must_use]
    pub fn start(place_m: DVec3) -> Self {
        Self { place_m, fix: None, velocity_m_s: None }
    }

    /// Where it believes to be, m.
    #[must_use]
    pub fn place_m(&self) -> DVec3 {
        self.place_m
    }

    /// What the sensors told up to now, and where that leads in a step.
    pub(crate) fn read(&mut self, senses: &Senses<'_>, step_s: f64) -> Readings {
        let attitude = senses.attitude();
        let world_from_body = attitude.map(RollPitchYaw::to_quat);
        let depth_m = senses.depth_m();
        let logged_m_s = senses.log_m_s();
        if let Some((taken, antenna_m)) = senses.vector(SensorKind::Gnss).filter(|(taken, _)| self.is_new(*taken)) {
            let arm_m = world_from_body.map_or(DVec3::ZERO, |rotation| rotation * senses.setup.antenna_m);
            self.fix_at(taken, antenna_m, step_s);
            self.place_m = antenna_m - arm_m;
        } else {
            let by_log = logged_m_s.zip(world_from_body).map(|(velocity_m_s, rotation)| rotation * velocity_m_s);
            self.place_m += by_log.or(self.velocity_m_s).unwrap_or(DVec3::ZERO) * step_s;
        }
        if let Some(depth_m) = depth_m.filter(|&depth_m| depth_m > 0.0) {
            self.place_m.z = senses.level_m - depth_m;
        }
        let by_fixes = self.velocity_m_s.zip(world_from_body).map(|(v, rotation)| rotation.conjugate() * v);
        Readings {
            position_m: Some(self.place_m),
            depth_m,
            altitude_m: senses.altitude_m(),
            attitude,
            turn_rate_rad_s: senses.vector(SensorKind::Gyro).map(|(_, rate)| rate),
            velocity_m_s: logged_m_s.or(by_fixes),
        }
    }

    fn is_new(&self, taken: Tick) -> bool {
        self.fix.is_none_or(|(before, _)| taken.0 > before.0)
    }

    fn fix_at(&mut self, taken: Tick, antenna_m: DVec3, step_s: f64) {
        let since = self.fix.map(|(before, from_m)| ((taken.0 - before.0) as f64 * step_s, antenna_m - from_m));
        self.velocity_m_s = since.filter(|(gap_s, _)| *gap_s <= FIX_GAP_MAX_S).map(|(gap_s, way_m)| way_m / gap_s);
        self.fix = Some((taken, antenna_m));
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.fix.map_or(u64::MAX, |(taken, _)| taken.0));
        let fix = self.fix.map(|(_, antenna_m)| antenna_m);
        for vector in [Some(self.place_m), fix, self.velocity_m_s] {
            [0, 1, 2].into_iter().for_each(|axis| hash_option(vector.map(|vector| vector[axis]), hash));
        }
    }
}
