//! How vehicles of each kind are steered: from headings, depths and speeds to commands of their actuators.

use super::{Orders, Setpoint};
use sea_sim::actuator::MAX_ACTUATORS;
use sea_sim::driver::{
    DepthAutopilot, DepthAutopilotParams, HeadingPid, HeadingPidParams, HeadingSmc, HeadingSmcParams, Level, Readings,
    TrimHold, TrimHoldParams, twin_propeller_speeds,
};
use sea_sim::{GRAVITY_M_S2, M_S_PER_KN, vehicle};
use sim_core::angle::wrap_rad;
use sim_core::{ParamError, StateHash, ops};

/// How a vehicle is steered: its actuators by their places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Helm {
    /// By a rudder and stern planes, with one propeller.
    Fins {
        /// Rudder, stern planes, propeller.
        actuators: [usize; 3],
    },
    /// By propellers in a nozzle; ballast and a sliding battery hold depth and pitch at rest.
    Nozzle {
        /// Yaw and pitch of the nozzle.
        hinges: [usize; 2],
        /// Both propellers.
        propellers: [usize; 2],
        /// Ballast and battery, where it has both.
        trim: Option<[usize; 2]>,
    },
    /// By two propellers side by side.
    Twin {
        /// Left and right propeller.
        propellers: [usize; 2],
        /// Thrust per square of speed, N s²/rad².
        factor: f64,
        /// Distance of each from the middle, m.
        arm_m: f64,
    },
    /// By four level thrusters in the corners, which point to the middle line ahead, and four that lift.
    Thrusters {
        /// Front right, front left, rear right, rear left.
        level: [usize; 4],
        /// Those that lift.
        up: [usize; 4],
    },
    /// By speed and roll of a hydrofoil.
    Hydrofoil,
}

/// Whether propellers in a nozzle stand still: it steers nothing then.
fn is_rest(speed: Option<f64>) -> bool {
    speed == Some(0.0)
}

/// How autopilots are set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    depth: DepthAutopilot,
    heading: HeadingSmc,
    heading_pid: HeadingPid,
    trim: TrimHold,
    neutral: [f64; 2],
}

impl Gains {
    /// Checks the gains.
    ///
    /// # Errors
    /// If a gain is out of its range.
    pub fn new(
        depth: DepthAutopilotParams,
        heading: HeadingSmcParams,
        heading_pid: HeadingPidParams,
        trim: TrimHoldParams,
    ) -> Result<Self, ParamError> {
        Ok(Self {
            depth: DepthAutopilot::new(depth)?,
            heading: HeadingSmc::new(heading)?,
            heading_pid: HeadingPid::new(heading_pid)?,
            trim: TrimHold::new(trim)?,
            neutral: [trim.neutral_percent, trim.level_percent],
        })
    }
}

impl Helm {
    /// Actuators that turn the vehicle towards a yaw while `speed` is asked for; none: it keeps no yaw.
    #[must_use]
    pub fn turned_by(&self, speed: Option<f64>) -> &[usize] {
        match self {
            Self::Fins { actuators } => &actuators[..1],
            Self::Nozzle { .. } if is_rest(speed) => &[],
            Self::Nozzle { hinges, .. } => &hinges[..1],
            Self::Twin { propellers, .. } => propellers,
            Self::Thrusters { level, .. } => level,
            Self::Hydrofoil => &[vehicle::HYDROFOIL_ROLL],
        }
    }

    /// Actuators that bring the vehicle to a depth or an altitude while `speed` is asked for; none: it keeps neither.
    #[must_use]
    pub fn levelled_by(&self, speed: Option<f64>) -> &[usize] {
        match self {
            Self::Fins { actuators } => &actuators[1..2],
            Self::Nozzle { trim, .. } if is_rest(speed) => trim.as_ref().map_or(&[], |trim| &trim[..1]),
            Self::Nozzle { hinges, .. } => &hinges[1..],
            Self::Thrusters { up, .. } => up,
            Self::Twin { .. } | Self::Hydrofoil => &[],
        }
    }

    /// Gains for a vehicle of this kind, to be changed by a scenario.
    #[must_use]
    pub fn default_gains(
        &self,
        is_route: bool,
    ) -> (DepthAutopilotParams, HeadingSmcParams, HeadingPidParams, TrimHoldParams) {
        // The published reference is for steps of the heading; a line of sight moves faster.
        let reference_rad_s = if is_route { 0.5 } else { 0.1 };
        let mut depth = DepthAutopilotParams { filter_rad_s: 0.1, ..DepthAutopilotParams::default() };
        let mut heading = HeadingSmcParams { reference_rad_s, ..HeadingSmcParams::default() };
        if matches!(self, Self::Nozzle { .. }) {
            // A nozzle of 7 degrees turns SAM at about 0.15 rad/s and holds pitches up to 20 degrees.
            depth = DepthAutopilotParams {
                pitch_gain: 1.5,
                rate_gain_s: 1.0,
                pitch_integral_per_s: 0.1,
                heave_gain_rad_s_m: 0.0,
                pitch_max_rad: 0.3,
                ..depth
            };
            heading = HeadingSmcParams { nomoto_s: 1.0, nomoto_gain_per_s: 1.2, ..heading };
        }
        (depth, heading, HeadingPidParams::default(), TrimHoldParams::default())
    }
}

/// Tilt, yaw and lift of thrusters: share of the most per rad, per rad/s, per m, per m/s and per m s.
const TILT_PER_RAD: f64 = 1.0;
const TILT_PER_RAD_S: f64 = 0.3;
const TURN_PER_RAD: f64 = 0.4;
const TURN_PER_RAD_S: f64 = 0.25;
const LIFT_PER_M: f64 = 0.4;
const LIFT_PER_M_S: f64 = 0.6;
const LIFT_PER_M_S_INTEGRAL: f64 = 0.05;
/// Largest share that the integral of the lift may have.
const LIFT_INTEGRAL_MAX: f64 = 0.5;
/// Turn rate that a hydrofoil is asked for per rad of heading error, 1/s.
const BANK_PER_S: f64 = 0.5;

/// States of the autopilots of a vehicle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Autopilots {
    set: Option<Gains>,
    lift_integral: f64,
    /// What its depth autopilot steered for in the last step: an altitude or a depth; none: nothing.
    was_altitude: Option<bool>,
}

impl Autopilots {
    pub fn start(gains: &Gains) -> Self {
        Self { set: Some(*gains), lift_integral: 0.0, was_altitude: None }
    }

    /// Commands for a goal.
    pub fn steer(&mut self, helm: &Helm, goal: &Setpoint, seen: &Readings, step_s: f64) -> Orders {
        let mut orders = [None; MAX_ACTUATORS];
        match *helm {
            Helm::Fins { actuators: [rudder, stern, propeller] } => {
                orders[stern] = self.dive(goal, seen, step_s);
                orders[rudder] = self.turn(goal, seen, step_s);
                orders[propeller] = goal.speed;
            }
            Helm::Nozzle { hinges, propellers, trim } => {
                propellers.iter().for_each(|&propeller| orders[propeller] = goal.speed);
                if is_rest(goal.speed) {
                    self.was_altitude = None;
                    hinges.iter().for_each(|&hinge| orders[hinge] = Some(0.0));
                    self.hold(goal, (trim, seen, step_s), &mut orders);
                    return orders;
                }
                orders[hinges[0]] = self.turn(goal, seen, step_s);
                orders[hinges[1]] = self.dive(goal, seen, step_s).map(|lowering_rad| -lowering_rad);
                for (actuator, percent) in trim.into_iter().flatten().zip(self.set.map_or([50.0; 2], |set| set.neutral))
                {
                    orders[actuator] = Some(percent);
                }
            }
            Helm::Twin { propellers, factor, arm_m } => {
                let moment_n_m = match (&mut self.set, goal.yaw_rad) {
                    (Some(set), Some(yaw_rad)) => set.heading_pid.decide(yaw_rad, seen, step_s),
                    _ => 0.0,
                };
                let speeds = twin_propeller_speeds(goal.speed.unwrap_or(0.0), moment_n_m, factor, arm_m);
                propellers.iter().zip(speeds).for_each(|(&propeller, speed)| orders[propeller] = Some(speed));
            }
            Helm::Thrusters { level, up } => self.thrust(goal, seen, (level, up, step_s), &mut orders),
            Helm::Hydrofoil => {
                orders[vehicle::HYDROFOIL_SPEED] = goal.speed;
                orders[vehicle::HYDROFOIL_ROLL] = bank_rad(goal, seen);
            }
        }
        orders
    }

    /// Angle of stern planes, positive lowers the nose.
    fn dive(&mut self, goal: &Setpoint, seen: &Readings, step_s: f64) -> Option<f64> {
        let (wanted_m, measured_m) = downwards(goal.level?, seen);
        let depth = &mut self.set.as_mut()?.depth;
        let is_altitude = Some(matches!(goal.level, Some(Level::AltitudeM(_))));
        if self.was_altitude != is_altitude {
            depth.restart();
        }
        self.was_altitude = is_altitude;
        Some(depth.decide(wanted_m, measured_m, seen, step_s))
    }

    /// Angle of a rudder, positive turns to starboard.
    fn turn(&mut self, goal: &Setpoint, seen: &Readings, step_s: f64) -> Option<f64> {
        Some(self.set.as_mut()?.heading.decide(goal.yaw_rad?, seen, step_s))
    }

    /// Depth or altitude, and pitch, at rest.
    fn hold(
        &mut self,
        goal: &Setpoint,
        (trim, seen, step_s): (Option<[usize; 2]>, &Readings, f64),
        orders: &mut Orders,
    ) {
        if let (Some([ballast, battery]), Some(set), Some(level)) = (trim, &mut self.set, goal.level) {
            let commands = set.trim.decide(downwards(level, seen), 0.0, seen, step_s);
            orders[ballast] = Some(commands.ballast_percent);
            orders[battery] = Some(commands.battery_percent);
        }
    }

    /// Level thrusters turn and push; the others lift.
    fn thrust(
        &mut self,
        goal: &Setpoint,
        seen: &Readings,
        (level, up, step_s): ([usize; 4], [usize; 4], f64),
        orders: &mut Orders,
    ) {
        let turn = match (goal.yaw_rad, seen.attitude, seen.turn_rate_rad_s) {
            (Some(yaw_rad), Some(attitude), Some(rate)) => {
                TURN_PER_RAD * wrap_rad(yaw_rad - attitude.yaw_rad) - TURN_PER_RAD_S * rate.z
            }
            _ => 0.0,
        };
        let push = goal.speed.unwrap_or(0.0);
        for (thruster, sign) in level.into_iter().zip([1.0, -1.0, 1.0, -1.0]) {
            orders[thruster] = Some((push + sign * turn).clamp(-1.0, 1.0));
        }
        let [left_side, nose] = levelling(seen);
        // What keeps it level comes first: a strong lift beside a push ahead would turn it over.
        let most = (1.0 - left_side.abs() - nose.abs()).max(0.0);
        let lift = self.lift(goal, seen, step_s).clamp(-most, most);
        for (thruster, [left, front]) in up.into_iter().zip([[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]) {
            orders[thruster] = Some((lift + left * left_side + front * nose).clamp(-1.0, 1.0));
        }
    }

    fn lift(&mut self, goal: &Setpoint, seen: &Readings, step_s: f64) -> f64 {
        let Some((wanted_m, Some(measured_m))) = goal.level.map(|level| downwards(level, seen)) else { return 0.0 };
        let too_low_m = measured_m - wanted_m;
        let rise_m_s = seen.velocity_m_s.map_or(0.0, |velocity| velocity.z);
        let by_error = LIFT_PER_M * too_low_m - LIFT_PER_M_S * rise_m_s;
        // Far away the rest has its say already; what would be summed up there would only overshoot.
        if by_error.abs() < 1.0 {
            let sum = self.lift_integral + LIFT_PER_M_S_INTEGRAL * too_low_m * step_s;
            self.lift_integral = sum.clamp(-LIFT_INTEGRAL_MAX, LIFT_INTEGRAL_MAX);
        }
        (by_error + self.lift_integral).clamp(-1.0, 1.0)
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.f64(self.lift_integral);
        hash.u64(self.was_altitude.map_or(2, u64::from));
        if let Some(set) = &self.set {
            set.depth.hash_into(hash);
            set.heading.hash_into(hash);
            set.heading_pid.hash_into(hash);
            set.trim.hash_into(hash);
        }
    }
}

/// Shares that lift the left side and the nose until the vehicle is level.
fn levelling(seen: &Readings) -> [f64; 2] {
    let (Some(attitude), Some(rate)) = (seen.attitude, seen.turn_rate_rad_s) else { return [0.0; 2] };
    [
        -TILT_PER_RAD * attitude.roll_rad - TILT_PER_RAD_S * rate.x,
        TILT_PER_RAD * attitude.pitch_rad + TILT_PER_RAD_S * rate.y,
    ]
}

/// A wanted level and the measured one, both growing downwards, m: an altitude is minus itself.
fn downwards(level: Level, seen: &Readings) -> (f64, Option<f64>) {
    match level {
        Level::DepthM(depth_m) => (depth_m, seen.depth_m),
        Level::AltitudeM(altitude_m) => (-altitude_m, seen.altitude_m.map(|measured_m| -measured_m)),
    }
}

/// Roll of a hydrofoil that turns it to a yaw; a positive one turns right.
fn bank_rad(goal: &Setpoint, seen: &Readings) -> Option<f64> {
    let error_rad = wrap_rad(goal.yaw_rad? - seen.attitude?.yaw_rad);
    let told_m_s = seen.velocity_m_s.map(|velocity| velocity.x);
    let speed_m_s = told_m_s.unwrap_or(goal.speed.unwrap_or(0.0) * M_S_PER_KN);
    Some(-ops::atan2(BANK_PER_S * error_rad * speed_m_s, GRAVITY_M_S2))
}
