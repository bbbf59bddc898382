//! The motion sensor: flat, posture, collision, double tap and shake, really detected from the motion of the body.
//!
//! # From motion to events
//! ```text
//! a      = f + g d                                 f specific force, d down, in the body's axes; a is the acceleration of the body
//! sudden = a less what the wheels' traction and a loss of support explain          (own_motion)
//! J      = integral of it over the last 40 ms, m/s                                 (window)
//! pulse  : J rises above the level's threshold and falls below half of its peak within 80 ms         (pulse)
//! collision: a pulse in the plane of the wheels, or any pulse at the end of a fall
//! tap:       a pulse along Z with 30 ms of quiet behind it; two of them within the level's time are a double tap       (tap)
//! shake:     swings of the acceleration back and forth; the middle one of three peaks is the level    (shake)
//! ```
//! J does not depend on the step: a shock of a few milliseconds and the same shock averaged over a step of 20 ms give the same. Collision
//! and shake work on means over about 20 ms, so that ripple of the contacts within that time is averaged out at every step rate.
//! The meaning of the levels is not published; ours, with their reasons and limits, are in `docs/models/motion-events.md`. Flat and
//! posture follow toio facts, sections 6.5, 8.7 and 9.

mod own_motion;
mod posture;
mod pulse;
mod shake;
mod tap;
mod window;

pub use posture::Posture;

use crate::attitude::Euler;
use crate::behaviour::PostureCones;
use own_motion::OwnMotion;
use pulse::{Pulse, PulseGauge};
use shake::ShakeGauge;
use sim_core::{DVec3, ParamError, StateHash, ops};
use tap::TapGauge;
use toio_hardware::GRAVITY_M_S2;
use window::Window;

/// Specific force below which nothing holds the cube, m/s².
const FREE_FALL_M_S2: f64 = 0.35 * GRAVITY_M_S2;
/// Shortest fall, s: 12 mm deep. A cube that falls less lands like one that is put down.
const SHORTEST_FALL_S: f64 = 0.05;
/// Time after a fall in which a shock in any direction counts as the landing, s.
const LANDING_S: f64 = 0.3;
/// Time after a collision in which whatever follows belongs to it, s: bounces, and friction that brings the cube to rest.
const AFTERMATH_S: f64 = 0.2;
/// Time over which input is averaged, s, as near as whole steps come to it.
const BLOCK_S: f64 = 0.02;
/// Time over which the acceleration is summed for pulses, s.
const JOLT_WINDOW_S: f64 = 0.04;

/// Jolt, in m/s² averaged over 40 ms, at which collision level `level` (1 to 10) answers: 0.75 m/s² at level 1, ten times as much at
/// level 10, in equal ratios.
#[must_use]
pub fn collision_jolt_m_s2(level: u8) -> f64 {
    0.75 * ops::exp(std::f64::consts::LN_10 * (f64::from(level) - 1.0) / 9.0)
}

/// Longest time in seconds between the beginnings of two taps at double-tap level `level`, 0 to 7; higher ones count as 7.
#[must_use]
pub fn double_tap_s(level: u8) -> f64 {
    tap::longest_gap_s(level)
}

/// Peak acceleration in m/s² from which a shake has level `level` (1 to 10): 4 m/s² at level 1, 40 m/s² at level 10, in equal
/// ratios.
#[must_use]
pub fn shake_m_s2(level: u8) -> f64 {
    shake::least_m_s2(level)
}

/// What the sensor measures in one step, in the cube's axes: X forward, Y right, Z down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionInput {
    /// Acceleration of the body centre less gravity, m/s², averaged over the step: (0, 0, -9.8) at rest on the wheels, zero in free fall.
    pub specific_force_m_s2: DVec3,
    /// Angular rate, rad/s.
    pub angular_rate_rad_s: DVec3,
    /// Exact attitude.
    pub attitude: Euler,
    /// Speed of the left and of the right wheel at its rim, m/s, forwards positive.
    pub wheel_speed_m_s: [f64; 2],
}

/// What the central may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionSettings {
    flat_threshold_deg: u8,
    collision_level: u8,
    double_tap_level: u8,
}

impl Default for MotionSettings {
    fn default() -> Self {
        Self { flat_threshold_deg: 45, collision_level: 7, double_tap_level: 5 }
    }
}

impl MotionSettings {
    /// Tilt above which the cube is not flat, degrees.
    #[must_use]
    pub fn flat_threshold_deg(&self) -> u8 {
        self.flat_threshold_deg
    }

    /// Collision level; taps have the same one.
    #[must_use]
    pub fn collision_level(&self) -> u8 {
        self.collision_level
    }

    /// Level of the time between two taps.
    #[must_use]
    pub fn double_tap_level(&self) -> u8 {
        self.double_tap_level
    }

    /// Sets the flat threshold, 1 to 45 degrees.
    ///
    /// # Errors
    /// If it is out of range; nothing changes then.
    pub fn set_flat_threshold_deg(&mut self, degrees: u8) -> Result<(), ParamError> {
        ParamError::check_range("flat_threshold_deg", f64::from(degrees), 1.0, 45.0)?;
        self.flat_threshold_deg = degrees;
        Ok(())
    }

    /// Sets the collision level, 1 to 10.
    ///
    /// # Errors
    /// If it is out of range; nothing changes then.
    pub fn set_collision_level(&mut self, level: u8) -> Result<(), ParamError> {
        ParamError::check_range("collision_level", f64::from(level), 1.0, 10.0)?;
        self.collision_level = level;
        Ok(())
    }

    /// Sets the double-tap level, 0 to 7.
    ///
    /// # Errors
    /// If it is out of range; nothing changes then.
    pub fn set_double_tap_level(&mut self, level: u8) -> Result<(), ParamError> {
        ParamError::check_range("double_tap_level", f64::from(level), 0.0, 7.0)?;
        self.double_tap_level = level;
        Ok(())
    }
}

/// Everything that a motion report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionReport {
    /// True if the cube is flat.
    pub flat: bool,
    /// True if something has hit the cube since the last report.
    pub collision: bool,
    /// True if the cube has been tapped twice since the last report.
    pub double_tap: bool,
    /// Which side is up.
    pub posture: Posture,
    /// 0 for none, 1 to 10 by strength.
    pub shake: u8,
}

/// Input of the steps of a block, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Block {
    steps: u32,
    specific_force_m_s2: DVec3,
    acceleration_m_s2: DVec3,
    angular_rate_rad_s: DVec3,
}

impl Block {
    fn add(&mut self, input: &MotionInput, acceleration_m_s2: DVec3) {
        self.steps += 1;
        self.specific_force_m_s2 += input.specific_force_m_s2;
        self.acceleration_m_s2 += acceleration_m_s2;
        self.angular_rate_rad_s += input.angular_rate_rad_s;
    }

    fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.steps.into());
        let vectors = [self.specific_force_m_s2, self.acceleration_m_s2, self.angular_rate_rad_s];
        vectors.iter().flat_map(DVec3::to_array).for_each(|value| hash.f64(value));
    }
}

/// The sensor with all that it has to remember.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionSensor {
    posture_cones: PostureCones,
    settings: MotionSettings,
    step_s: f64,
    /// Steps of a block, and their time.
    block_steps: u32,
    block_s: f64,
    block: Block,
    own_motion: OwnMotion,
    /// Sudden changes of velocity, m/s; support that is lost left out.
    shocks: Window<DVec3>,
    /// Absolute changes of velocity along Z, m/s: a tap and the mat's answer to it add up.
    along_z: Window<f64>,
    collisions: PulseGauge,
    /// How long ago the last pulse was over that was a collision, s.
    since_collision_s: f64,
    taps: TapGauge,
    shakes: ShakeGauge,
    /// How long the cube has been falling, and how long ago it last ended a fall, s.
    falling_s: f64,
    since_fall_s: f64,
    report: MotionReport,
}

impl MotionSensor {
    /// A sensor at rest on the wheels, with default settings.
    ///
    /// # Errors
    /// If the step rate is not from 50 to 1000 Hz.
    pub fn new(posture_cones: PostureCones, step_hz: u32) -> Result<Self, ParamError> {
        ParamError::check_range("step_hz", f64::from(step_hz), 50.0, 1000.0)?;
        let step_s = 1.0 / f64::from(step_hz);
        let block_steps = ((BLOCK_S / step_s).round() as u32).max(1);
        let block_s = f64::from(block_steps) * step_s;
        Ok(Self {
            posture_cones,
            settings: MotionSettings::default(),
            step_s,
            block_steps,
            block_s,
            block: Block::default(),
            own_motion: OwnMotion::default(),
            shocks: Window::new(JOLT_WINDOW_S, block_s),
            along_z: Window::new(JOLT_WINDOW_S, step_s),
            collisions: PulseGauge::default(),
            since_collision_s: f64::INFINITY,
            taps: TapGauge::default(),
            shakes: ShakeGauge::new(block_s),
            falling_s: 0.0,
            since_fall_s: f64::INFINITY,
            report: MotionReport { flat: true, collision: false, double_tap: false, posture: Posture::Top, shake: 0 },
        })
    }

    /// The settings, to be changed by the central.
    pub fn settings_mut(&mut self) -> &mut MotionSettings {
        &mut self.settings
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &MotionSettings {
        &self.settings
    }

    /// Processes one step. Returns true if there is something new to report: a change of flat, posture or shake, a collision or a double
    /// tap.
    pub fn step(&mut self, input: &MotionInput) -> bool {
        let before = self.report;
        let down = input.attitude.down_in_body();
        self.report.flat = posture::is_flat(down, self.settings.flat_threshold_deg);
        let cone_deg = posture::cone_deg(self.posture_cones, self.settings.flat_threshold_deg);
        self.report.posture = posture::from_down(down, cone_deg).unwrap_or(before.posture);
        let acceleration_m_s2 = input.specific_force_m_s2 + down * GRAVITY_M_S2;
        self.block.add(input, acceleration_m_s2);
        self.along_z.push((acceleration_m_s2.z * self.step_s).abs());
        let threshold_m_s = collision_jolt_m_s2(self.settings.collision_level) * JOLT_WINDOW_S;
        let mut collided = false;
        if self.block.steps == self.block_steps {
            self.integrate(input, down);
            self.report.shake = self.shakes.level();
            collided = self.detect_collision(threshold_m_s);
        }
        let tapped = self.detect_double_tap(threshold_m_s);
        self.report.collision |= collided;
        self.report.double_tap |= tapped;
        let lasting = |r: &MotionReport| (r.flat, r.posture, r.shake);
        collided || tapped || lasting(&before) != lasting(&self.report)
    }

    /// Moves all windows and gauges on by the block that is complete, but for the decisions. `last` is its last step, `down` points down in
    /// the body's axes.
    fn integrate(&mut self, last: &MotionInput, down: DVec3) {
        let Block { steps, specific_force_m_s2, acceleration_m_s2, angular_rate_rad_s } =
            std::mem::take(&mut self.block);
        let mean = |sum: DVec3| sum / f64::from(steps);
        let specific_force_m_s2 = mean(specific_force_m_s2);
        let input = MotionInput { specific_force_m_s2, angular_rate_rad_s: mean(angular_rate_rad_s), ..*last };
        let is_falling = specific_force_m_s2.length() < FREE_FALL_M_S2;
        self.time_fall(is_falling);
        let unexplained = self.own_motion.step(&input, mean(acceleration_m_s2), is_falling, self.block_s);
        let shock = own_motion::without_lost_support(unexplained, down, GRAVITY_M_S2 * self.block_s);
        self.shocks.push(shock);
        // Between two bounces gravity alternates in sign; that is no hand.
        self.shakes.step(if is_falling { DVec3::ZERO } else { unexplained / self.block_s });
    }

    fn time_fall(&mut self, is_falling: bool) {
        self.since_fall_s += self.block_s;
        if is_falling {
            self.falling_s += self.block_s;
            // Rounding must not make a fall of just this length depend on the step.
            if self.falling_s >= SHORTEST_FALL_S - 1e-9 {
                self.since_fall_s = 0.0;
            }
        } else {
            self.falling_s = 0.0;
        }
    }

    /// Both detectors take the change of velocity, m/s, at which a pulse begins.
    fn detect_collision(&mut self, threshold_m_s: f64) -> bool {
        let jolt = self.shocks.sum();
        let in_plane = jolt.truncate().extend(0.0);
        let has_landed = self.since_fall_s < LANDING_S;
        let counts = if has_landed {
            jolt
        } else if in_plane.length() > jolt.z.abs() {
            in_plane
        } else {
            DVec3::ZERO
        };
        let pulse = self.collisions.step(counts, threshold_m_s, self.block_s);
        self.since_collision_s += self.block_s;
        let is_hit = |pulse: Pulse| pulse.is_short() && self.since_collision_s - pulse.width_s > AFTERMATH_S;
        let is_collision = pulse.is_some_and(is_hit) && self.report.shake == 0;
        if is_collision {
            self.since_collision_s = 0.0;
        }
        is_collision
    }

    fn detect_double_tap(&mut self, threshold_m_s: f64) -> bool {
        let along_z = self.along_z.sum();
        let in_plane = self.shocks.sum().truncate().length().max(self.open_shock_m_s());
        let strength_m_s = if along_z >= in_plane { along_z } else { 0.0 };
        self.taps.step(strength_m_s, threshold_m_s, self.settings.double_tap_level, self.step_s)
    }

    /// Least change of velocity in the plane of the wheels, in the block that is still open, that traction cannot explain.
    fn open_shock_m_s(&self) -> f64 {
        let Block { steps, acceleration_m_s2, .. } = self.block;
        let most_m_s2 = own_motion::TRACTION_M_S2 * f64::from(steps);
        (acceleration_m_s2.truncate().length() - most_m_s2) * self.step_s
    }

    /// What a report would say now; nothing is cleared.
    #[must_use]
    pub fn peek(&self) -> MotionReport {
        self.report
    }

    /// What a report says; collision and double tap clear themselves by it.
    pub fn take_report(&mut self) -> MotionReport {
        let report = self.report;
        self.report.collision = false;
        self.report.double_tap = false;
        report
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        let MotionSettings { flat_threshold_deg, collision_level, double_tap_level } = self.settings;
        let report = self.report;
        let flags = [report.flat, report.collision, report.double_tap].map(u64::from);
        let bytes = [flat_threshold_deg, collision_level, double_tap_level, report.posture as u8, report.shake];
        flags.into_iter().chain(bytes.map(u64::from)).for_each(|word| hash.u64(word));
        self.block.hash_into(hash);
        self.own_motion.hash_into(hash);
        self.shocks.iter().flat_map(|step| step.to_array()).for_each(|value| hash.f64(value));
        self.along_z.iter().for_each(|value| hash.f64(value));
        self.collisions.hash_into(hash);
        self.taps.hash_into(hash);
        self.shakes.hash_into(hash);
        hash.f64(self.falling_s);
        hash.f64(self.since_collision_s);
        // An infinite time is portable too: it is one bit pattern.
        hash.f64(self.since_fall_s);
    }
}
