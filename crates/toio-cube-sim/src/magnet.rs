//! The magnet sensor: state by pattern, strength and direction, from the field at the sensor **in the cube's own axes**.
//!
//! # Law
//! With H the field (A/m; X forward, Y right, Z down) and h its length:
//!
//! | condition | state |
//! |---|---|
//! | h < `none_a_m` | 0 |
//! | h > `center_a_m` and H within `cos_min` of (0, 0, -1) / (0, 0, 1) | 1 / 2 |
//! | h > `side_a_m` and H within `cos_min` of (0, 1, -1) / (0, -1, 1), over the root of 2 | 3 / 4 |
//! | h > `side_a_m` and H within `cos_min` of (0, -1, -1) / (0, 1, 1), over the root of 2 | 5 / 6 |
//! | anything else | stays as it is |
//!
//! Strength is `h / strength_step_a_m`, rounded, at most 255; the direction is the unit vector of H times 10, rounded. The form is the
//! Unity simulator's (toio facts, section 8.7), but the field is in correct units and in the cube's axes: faults 15 and 23 do not
//! occur. Why the thresholds are what they are: `docs/models/magnet-sensing.md`.

use sim_core::{DVec3, ParamError, StateHash};
use std::f64::consts::FRAC_1_SQRT_2;

/// Length of a reported direction.
const DIRECTION_LENGTH: f64 = 10.0;

/// Thresholds of the sensor, the same in both profiles.
#[derive(Clone, Debug, PartialEq)]
pub struct MagnetParams {
    /// Least field of a magnet on the centre line, A/m.
    pub center_a_m: f64,
    /// Least field of a magnet on one side, A/m.
    pub side_a_m: f64,
    /// Field below which there is no magnet, A/m.
    pub none_a_m: f64,
    /// Least cosine of the angle between the field and a pattern's direction.
    pub cos_min: f64,
    /// Field of one step of the reported strength, A/m.
    pub strength_step_a_m: f64,
}

impl Default for MagnetParams {
    /// The documented magnet, 4 x 4 x 2 mm of N40 at its documented place, makes 20.1 kA/m at the sensor on the centre line and
    /// 13.8 kA/m on a side; the thresholds are 0.45 and 0.43 of that, so that it may sit 2 mm too high. They are also the Unity
    /// simulator's numbers, which were tuned to fields ten times too strong for its magnet (fault 15) and so fit a real one.
    fn default() -> Self {
        Self { center_a_m: 9000.0, side_a_m: 6000.0, none_a_m: 200.0, cos_min: 0.95, strength_step_a_m: 450.0 }
    }
}

/// Which pattern the sensor sees. The numbers are the wire's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum MagnetState {
    /// No magnet.
    #[default]
    None = 0,
    /// On the centre line, pole N on top: S faces the sensor.
    CenterS = 1,
    /// On the centre line, pole S on top: N faces the sensor.
    CenterN = 2,
    /// On the right, pole N on top.
    RightS = 3,
    /// On the right, pole S on top.
    RightN = 4,
    /// On the left, pole N on top.
    LeftS = 5,
    /// On the left, pole S on top.
    LeftN = 6,
}

/// Directions of the patterns' fields in the cube's axes: a field that points down comes from a pole N above.
const PATTERNS: [(MagnetState, DVec3); 6] = [
    (MagnetState::CenterS, DVec3::new(0.0, 0.0, -1.0)),
    (MagnetState::CenterN, DVec3::new(0.0, 0.0, 1.0)),
    (MagnetState::RightS, DVec3::new(0.0, FRAC_1_SQRT_2, -FRAC_1_SQRT_2)),
    (MagnetState::RightN, DVec3::new(0.0, -FRAC_1_SQRT_2, FRAC_1_SQRT_2)),
    (MagnetState::LeftS, DVec3::new(0.0, -FRAC_1_SQRT_2, -FRAC_1_SQRT_2)),
    (MagnetState::LeftN, DVec3::new(0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2)),
];

/// The sensor with what it last saw.
#[derive(Clone, Debug, PartialEq)]
pub struct MagnetSensor {
    params: MagnetParams,
    state: MagnetState,
    strength: u8,
    direction: [i8; 3],
}

impl MagnetSensor {
    /// A sensor that has seen nothing.
    ///
    /// # Errors
    /// If a threshold is out of range, or one for a magnet is not above that for none.
    pub fn new(params: MagnetParams) -> Result<Self, ParamError> {
        ParamError::check_range("none_a_m", params.none_a_m, 0.0, 1e7)?;
        for (field, value) in [("center_a_m", params.center_a_m), ("side_a_m", params.side_a_m)] {
            ParamError::check_range(field, value, params.none_a_m, 1e7)?;
        }
        // Below cos 22.5 degrees two patterns would overlap.
        ParamError::check_range("cos_min", params.cos_min, 0.93, 1.0)?;
        ParamError::check_range("strength_step_a_m", params.strength_step_a_m, 1e-3, 1e7)?;
        Ok(Self { params, state: MagnetState::None, strength: 0, direction: [0; 3] })
    }

    /// Reads the field at the sensor, A/m in the cube's axes. All values follow at once, whether anything is notified or not.
    pub fn step(&mut self, field_a_m: DVec3) {
        let strength_a_m = field_a_m.length();
        if let Some(state) = self.pattern(field_a_m, strength_a_m) {
            self.state = state;
        }
        self.strength = (strength_a_m / self.params.strength_step_a_m).round_ties_even().min(255.0) as u8;
        self.direction = [0; 3];
        if self.strength > 0 {
            let scaled = field_a_m / strength_a_m * DIRECTION_LENGTH;
            self.direction = scaled.to_array().map(|c| c.round_ties_even() as i8);
        }
    }

    /// The state that the field says, or nothing if it matches no pattern.
    fn pattern(&self, field_a_m: DVec3, strength_a_m: f64) -> Option<MagnetState> {
        if strength_a_m < self.params.none_a_m {
            return Some(MagnetState::None);
        }
        let least_a_m = |state| match state {
            MagnetState::CenterS | MagnetState::CenterN => self.params.center_a_m,
            _ => self.params.side_a_m,
        };
        let matches = |&(state, direction): &(MagnetState, DVec3)| {
            strength_a_m > least_a_m(state) && field_a_m.dot(direction) > self.params.cos_min * strength_a_m
        };
        PATTERNS.iter().find(|pattern| matches(pattern)).map(|&(state, _)| state)
    }

    /// The pattern that was last seen.
    #[must_use]
    pub fn state(&self) -> MagnetState {
        self.state
    }

    /// Strength of the field, 0 to 255.
    #[must_use]
    pub fn strength(&self) -> u8 {
        self.strength
    }

    /// Direction of the field in the cube's axes, about 10 long; zero if the strength is 0.
    #[must_use]
    pub fn direction(&self) -> [i8; 3] {
        self.direction
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.state as u64);
        hash.u64(self.strength.into());
        self.direction.iter().for_each(|&c| hash.u64(c as u64));
    }
}
