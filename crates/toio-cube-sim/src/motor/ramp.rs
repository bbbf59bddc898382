//! A running `05`: a speed that is approached at an acceleration, and a turn rate (toio facts, section 8.5).

use super::constants::rotation_units;
use super::law::MotorLimits;
use crate::micros::Micros;
use crate::wire::{Acceleration, Priority};
use sim_core::StateHash;

/// A `05` under way. Translations are command units, forwards positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ramp {
    start: f64,
    target: f64,
    units_per_s: f64,
    rotation: f64,
    priority: Priority,
    pub(super) started: Micros,
    /// When it ends, if it does.
    pub(super) end: Option<Micros>,
}

/// The translation that a command asks for, command units, forwards positive.
pub(super) fn target_translation(command: &Acceleration, limits: &MotorLimits) -> f64 {
    let speed = f64::from(command.speed).min(limits.max_command);
    if command.is_backward { -speed } else { speed }
}

impl Ramp {
    /// From the translation `start`.
    pub(super) fn new(
        command: &Acceleration,
        start: f64,
        limits: &MotorLimits,
        span: (Micros, Option<Micros>),
    ) -> Self {
        let rotation = rotation_units(f64::from(command.rotation_deg_s));
        Self {
            start,
            target: target_translation(command, limits),
            units_per_s: f64::from(command.acceleration) * 10.0,
            rotation: if command.is_counter_clockwise { -rotation } else { rotation },
            priority: command.priority,
            started: span.0,
            end: span.1,
        }
    }

    /// Translation after a time.
    pub(super) fn translation(&self, elapsed_s: f64) -> f64 {
        if self.units_per_s == 0.0 {
            return self.target;
        }
        let change = self.target - self.start;
        let reached = (self.units_per_s * elapsed_s).min(change.abs());
        self.start + reached.copysign(change)
    }

    /// Commands of the left and the right wheel at a translation.
    pub(super) fn wheels(&self, translation: f64, limits: &MotorLimits) -> [f64; 2] {
        let max = limits.max_command;
        let (translation, rotation) = match self.priority {
            Priority::Translation => {
                let margin = max - translation.abs();
                (translation, self.rotation.clamp(-margin, margin))
            }
            Priority::Rotation => {
                let rotation = self.rotation.clamp(-max, max);
                let margin = max - rotation.abs();
                (translation.clamp(-margin, margin), rotation)
            }
        };
        [translation + rotation, translation - rotation]
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        [self.start, self.target, self.units_per_s, self.rotation].iter().for_each(|&value| hash.f64(value));
        hash.u64(self.priority as u64);
        hash.u64(self.started.0);
        hash.u64(self.end.map_or(0, |end| end.0 + 1));
    }
}
