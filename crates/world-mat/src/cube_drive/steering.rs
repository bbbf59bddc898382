//! From an error of the pose to wheel commands: feed-forward of the decided motion over a short stretch, feedback on what is missing, and
//! the inverse of the wheels' lag.
//!
//! ```text
//! v = v_d cos(e_h) + k_x e_x        omega = omega_d + k_y v_d e_y + k_h e_h          (tracking law of Kanayama et al., 1990)
//! V u = s + (wanted - s) / (1 - g tau / T (1 - exp(-T / tau)))                        for each wheel
//! ```
//! e is the decided pose in the frame of the predicted one, v_d and omega_d are means over the stretch T that the command is for, s is
//! the predicted speed of the wheel. With g = 1 the wheel's mean speed over T would be the wanted one.

use super::estimate::Rolling;
use super::pilot::PilotModel;
use sim_core::{angle, ops};
use swarm_agents::drive::Motion;
use toio_cube_sim::wire::WheelCommands;

/// Numbers of the law, chosen by measurement; see `docs/models/cube-drive.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// k_x, 1/s.
    pub along_per_s: f64,
    /// k_y, rad/mm^2.
    pub across_rad_mm2: f64,
    /// k_h, 1/s.
    pub heading_per_s: f64,
    /// g, how much of the lag is made up for.
    pub lag: f64,
    /// T, steps.
    pub stretch_steps: usize,
    /// Share of the least command that turns a wheel from which that command is given instead of none.
    pub rouse_share: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self {
            along_per_s: 6.0,
            across_rad_mm2: 0.0094,
            heading_per_s: 20.0,
            lag: 1.0,
            stretch_steps: 4,
            rouse_share: 0.45,
        }
    }
}

/// Commands for a cube that will roll as `from` when they reach it, to follow `decided`: its pose at that moment, and after it.
pub(super) fn steer(model: &PilotModel, from: &Rolling, decided: &[Motion]) -> WheelCommands {
    let gains = &model.gains;
    let Some((at, ahead)) = decided.split_first() else { return WheelCommands { left: 0, right: 0 } };
    let ahead = if ahead.is_empty() { decided } else { &ahead[..ahead.len().min(gains.stretch_steps)] };
    let steps = ahead.len() as f64;
    let mean = |value: fn(&Motion) -> f64| ahead.iter().map(value).sum::<f64>() / steps;
    let (decided_mm_s, decided_rad_s) = (mean(|motion| motion.speed_mm_s), mean(|motion| motion.omega_rad_s));
    let way = angle::unit(from.pose.heading_rad);
    let off_mm = at.position_mm - from.pose.place_mm;
    let (along_mm, across_mm) = (off_mm.dot(way), way.perp_dot(off_mm));
    let heading_rad = angle::wrap_rad(at.heading_rad - from.pose.heading_rad);
    let forward_mm_s = decided_mm_s * angle::unit(heading_rad).x + gains.along_per_s * along_mm;
    let turn_rad_s =
        decided_rad_s + gains.across_rad_mm2 * decided_mm_s * across_mm + gains.heading_per_s * heading_rad;
    let half_mm_s = 0.5 * model.tread_mm * turn_rad_s;
    let answered = 1.0 - gains.lag * lag_mean(model, steps);
    let units = |wanted_mm_s: f64, speed_mm_s: f64| {
        units_for(model, speed_mm_s + (wanted_mm_s - speed_mm_s) / answered.max(0.1))
    };
    let [left, right] = from.wheels_mm_s();
    WheelCommands { left: units(forward_mm_s + half_mm_s, left), right: units(forward_mm_s - half_mm_s, right) }
}

/// Mean share of a wheel's error in speed that is left over so many steps.
fn lag_mean(model: &PilotModel, steps: f64) -> f64 {
    let stretch_s = steps * model.step_s();
    model.motor.tau_s / stretch_s * (1.0 - ops::exp(-stretch_s / model.motor.tau_s))
}

/// The command nearest to a speed. Below the least one that turns the wheel it is that or none.
fn units_for(model: &PilotModel, speed_mm_s: f64) -> i16 {
    let (least, most) = (model.motor.characteristic.least_units(), model.motor.characteristic.greatest_units());
    let exact = (speed_mm_s / (1000.0 * toio_physics::SPEED_PER_UNIT_M_S)).clamp(-most, most);
    let units = exact.round();
    if units.abs() >= least {
        return units as i16;
    }
    if exact.abs() > model.gains.rouse_share * least { least.copysign(exact) as i16 } else { 0 }
}
