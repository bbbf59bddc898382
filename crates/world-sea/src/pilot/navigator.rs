//! Where a vehicle believes to be, from what its sensors told: the last fix of its satellite receiver, and from there on the velocity log
//! and the attitude. It knows where it started.

use super::hash_option;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::driver::Readings;
use sim_core::{DVec3, StateHash, Tick};

/// Fixes farther apart than this tell no velocity, and a velocity by fixes is forgotten this long after the last of them, s.
const FIX_AGE_MAX_S: f64 = 2.5;

/// Where a vehicle believes to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Navigator {
    place_m: DVec3,
    /// From when on it is there. What was measured before tells of another place.
    since: Tick,
    /// The last fix of the antenna.
    fix: Option<(Tick, DVec3)>,
    /// Velocity by the log along the vehicle's axes at its last lock, m/s: it holds until the next one.
    log_m_s: Option<DVec3>,
    /// Velocity in the world between the last two fixes, m/s.
    velocity_m_s: Option<DVec3>,
}

/// What the sensors of a vehicle told last; none: nothing, or a value was lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    /// Attitude.
    pub attitude: Option<RollPitchYaw>,
    /// Turn rates about the vehicle's axes, rad/s.
    pub turn_rate_rad_s: Option<DVec3>,
    /// Velocity by the log, along the vehicle's axes, m/s.
    pub log_m_s: Option<DVec3>,
    /// Height above the bottom, m.
    pub altitude_m: Option<f64>,
    /// Depth of the pressure gauge, m.
    pub depth_m: Option<f64>,
    /// When a fix of the antenna was taken, and where it was, m.
    pub fix: Option<(Tick, DVec3)>,
    /// Where the antenna is on the vehicle, m.
    pub antenna_m: DVec3,
    /// Height of the surface at rest, m.
    pub level_m: f64,
}

impl Navigator {
    /// At a place, m, from a step on.
    #[must_use]
    pub fn start(place_m: DVec3, since: Tick) -> Self {
        Self { place_m, since, fix: None, log_m_s: None, velocity_m_s: None }
    }

    /// Where it believes to be, m.
    #[must_use]
    pub fn place_m(&self) -> DVec3 {
        self.place_m
    }

    /// What the sensors told up to now, and where that leads in a step.
    pub(crate) fn read(&mut self, heard: &Heard, (now, step_s): (Tick, f64)) -> Readings {
        let world_from_body = heard.attitude.map(RollPitchYaw::to_quat);
        self.log_m_s = heard.log_m_s.or(self.log_m_s);
        if let Some((taken, antenna_m)) = heard.fix.filter(|(taken, _)| self.is_new(*taken)) {
            let arm_m = world_from_body.map_or(DVec3::ZERO, |rotation| rotation * heard.antenna_m);
            self.fix_at(taken, antenna_m, step_s);
            self.place_m = antenna_m - arm_m;
        } else {
            self.forget_velocity(now, step_s);
            let by_log = self.log_m_s.zip(world_from_body).map(|(velocity_m_s, rotation)| rotation * velocity_m_s);
            self.place_m += by_log.or(self.velocity_m_s).unwrap_or(DVec3::ZERO) * step_s;
        }
        if let Some(depth_m) = heard.depth_m.filter(|&depth_m| depth_m > 0.0) {
            self.place_m.z = heard.level_m - depth_m;
        }
        let by_fixes = self.velocity_m_s.zip(world_from_body).map(|(v, rotation)| rotation.conjugate() * v);
        Readings {
            position_m: Some(self.place_m),
            depth_m: heard.depth_m,
            altitude_m: heard.altitude_m,
            attitude: heard.attitude,
            turn_rate_rad_s: heard.turn_rate_rad_s,
            velocity_m_s: self.log_m_s.or(by_fixes),
        }
    }

    fn is_new(&self, taken: Tick) -> bool {
        taken.0 >= self.since.0 && self.fix.is_none_or(|(before, _)| taken.0 > before.0)
    }

    fn fix_at(&mut self, taken: Tick, antenna_m: DVec3, step_s: f64) {
        let since = self.fix.map(|(before, from_m)| ((taken.0 - before.0) as f64 * step_s, antenna_m - from_m));
        self.velocity_m_s = since.filter(|(gap_s, _)| *gap_s <= FIX_AGE_MAX_S).map(|(gap_s, way_m)| way_m / gap_s);
        self.fix = Some((taken, antenna_m));
    }

    /// A vehicle that went under water has turned since.
    fn forget_velocity(&mut self, now: Tick, step_s: f64) {
        let age_s = self.fix.map(|(taken, _)| now.0.saturating_sub(taken.0) as f64 * step_s);
        self.velocity_m_s = self.velocity_m_s.filter(|_| age_s.is_some_and(|age_s| age_s <= FIX_AGE_MAX_S));
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.since.0);
        hash.u64(self.fix.map_or(u64::MAX, |(taken, _)| taken.0));
        let fix = self.fix.map(|(_, antenna_m)| antenna_m);
        for vector in [Some(self.place_m), fix, self.log_m_s, self.velocity_m_s] {
            [0, 1, 2].into_iter().for_each(|axis| hash_option(vector.map(|vector| vector[axis]), hash));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Heard = Heard {
        attitude: None,
        turn_rate_rad_s: None,
        log_m_s: None,
        altitude_m: None,
        depth_m: None,
        fix: None,
        antenna_m: DVec3::ZERO,
        level_m: 0.0,
    };

    /// A log that loses its lock after a second at 1 m/s: the vehicle reckons on with that velocity, from another place without any.
    #[test]
    fn the_velocity_of_the_last_lock_holds() {
        let mut navigator = Navigator::start(DVec3::ZERO, Tick(0));
        let read = |navigator: &mut Navigator, tick: u64, log_m_s: Option<DVec3>| {
            navigator.read(&Heard { attitude: Some(RollPitchYaw::default()), log_m_s, ..NOTHING }, (Tick(tick), 0.02))
        };
        for tick in 0..100 {
            let seen = read(&mut navigator, tick, (tick < 50).then_some(DVec3::X));
            assert_eq!(seen.velocity_m_s, Some(DVec3::X), "{tick}");
        }
        assert!(navigator.place_m().distance(DVec3::X * 2.0) < 1e-12, "{}", navigator.place_m());
        let mut elsewhere = Navigator::start(DVec3::Y, Tick(100));
        assert_eq!(read(&mut elsewhere, 100, None).velocity_m_s, None);
    }

    /// Two fixes a second and a metre apart, then none: 2.5 s later it is 2.5 m farther, and stays there.
    #[test]
    fn a_velocity_by_fixes_is_forgotten() {
        let mut navigator = Navigator::start(DVec3::ZERO, Tick(0));
        let mut read = |tick: u64, fix: Option<DVec3>| {
            let fix = fix.map(|place_m| (Tick(tick), place_m));
            let attitude = Some(RollPitchYaw::default());
            navigator.read(&Heard { attitude, fix, ..NOTHING }, (Tick(tick), 0.02))
        };
        for tick in 0..=50 {
            read(tick, tick.is_multiple_of(50).then(|| DVec3::X * (tick / 50) as f64));
        }
        let mut seen = Readings::default();
        for tick in 51..=175 {
            seen = read(tick, None);
        }
        let place_m = |seen: &Readings| seen.position_m.unwrap_or(DVec3::NAN);
        assert!(place_m(&seen).distance(DVec3::X * 3.5) < 1e-9, "{seen:?}");
        assert!(seen.velocity_m_s.is_some_and(|velocity| velocity.distance(DVec3::X) < 1e-12));
        for tick in 176..300 {
            seen = read(tick, None);
        }
        assert!(place_m(&seen).distance(DVec3::X * 3.5) < 1e-9, "{seen:?}");
        assert_eq!(seen.velocity_m_s, None);
    }
}
