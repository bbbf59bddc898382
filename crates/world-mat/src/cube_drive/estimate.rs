//! Where a client believes its cube to be: the wheels' model driven by what was written, corrected by what was notified.
//!
//! ```text
//! ds/dt = (V u - s) / tau      v = (s_left + s_right) / 2      omega = (s_left - s_right) / b      V u = 0 within the dead zone
//! ```
//! s speed of a wheel, u its command, tau its lag, b the tread: toio facts, sections 2.1 to 2.3. The headings of the mat run clockwise, so
//! a faster left wheel adds to them. A notification is held against the pose that was estimated at the step in which it was made; a share
//! of the difference is added to that pose and all later ones.

use super::pilot::PilotModel;
use sim_core::{DVec2, StateHash, angle};
use std::collections::VecDeque;
use toio_physics::Motor;

/// Poses that are remembered: more than the oldest notification needs.
const MEMORY: usize = 48;
/// Share of a difference in place that is taken over.
const PLACE_GAIN: f64 = 0.3;
/// Share of a difference in heading that is taken over.
const HEADING_GAIN: f64 = 0.13;

/// Place of the axle's middle and heading.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pose {
    pub place_mm: DVec2,
    pub heading_rad: f64,
}

/// Pose and wheels, left and right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rolling {
    pub pose: Pose,
    wheels: [Motor; 2],
}

impl Rolling {
    /// One step later, under these commands.
    pub fn advanced(mut self, model: &PilotModel, units: [i16; 2]) -> Self {
        let mut mean_mm_s = [0.0; 2];
        for ((wheel, mean), units) in self.wheels.iter_mut().zip(&mut mean_mm_s).zip(units) {
            *mean = 1000.0 * wheel.advance(&model.motor, f64::from(units), model.step_s());
        }
        let [left, right] = mean_mm_s;
        let turn_rad = (left - right) / model.tread_mm * model.step_s();
        let middle_rad = self.pose.heading_rad + 0.5 * turn_rad;
        self.pose.place_mm += angle::unit(middle_rad) * (0.5 * (left + right) * model.step_s());
        self.pose.heading_rad = angle::wrap_rad(self.pose.heading_rad + turn_rad);
        self
    }

    /// Speeds of the wheels.
    pub fn wheels_mm_s(&self) -> [f64; 2] {
        self.wheels.map(|wheel| 1000.0 * wheel.speed_m_s())
    }
}

/// The estimate, step by step.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    /// Poses up to the present one.
    poses: VecDeque<Pose>,
    wheels: [Motor; 2],
}

impl Estimate {
    pub fn at_rest(pose: Pose) -> Self {
        Self { poses: VecDeque::from([pose]), wheels: [Motor::default(); 2] }
    }

    pub fn now(&self) -> Rolling {
        Rolling { pose: self.poses.back().copied().unwrap_or_default(), wheels: self.wheels }
    }

    /// A step has passed under these commands.
    pub fn advance(&mut self, model: &PilotModel, units: [i16; 2]) {
        let next = self.now().advanced(model, units);
        self.wheels = next.wheels;
        self.poses.push_back(next.pose);
        if self.poses.len() > MEMORY {
            self.poses.pop_front();
        }
    }

    /// The cube was seen at `seen`, so many steps ago. What is older than the memory is left aside.
    pub fn correct(&mut self, seen: Pose, steps_ago: u64) {
        let Some(at) = self.poses.len().checked_sub(1 + steps_ago as usize) else { return };
        let then = self.poses[at];
        let place_mm = (seen.place_mm - then.place_mm) * PLACE_GAIN;
        let heading_rad = angle::wrap_rad(seen.heading_rad - then.heading_rad) * HEADING_GAIN;
        for pose in self.poses.iter_mut().skip(at) {
            pose.place_mm += place_mm;
            pose.heading_rad = angle::wrap_rad(pose.heading_rad + heading_rad);
        }
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        for pose in &self.poses {
            hash.vec2(pose.place_mm);
            hash.f64(pose.heading_rad);
        }
        self.wheels.iter().for_each(|wheel| wheel.hash_into(hash));
    }
}
