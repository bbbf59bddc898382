//! The attitude that the cube reports: Euler angles as integers and as floats, quaternion, with yaw zero at power-on and yaw drift.
//!
//! # Frame
//! Right-handed, X forward, Y right, Z down; order yaw (Z), pitch (Y), roll (X). Positive roll is right side down, positive pitch nose
//! up, positive yaw clockwise seen from above (toio facts, section 1.5).
//!
//! # Equation
//! ```text
//! yaw = wrap(yaw_true - yaw_at_power_on + bias + s * turned)
//! every 20 ms:  D <- clamp(D + 0.1 u1, -1, 1)      bias <- bias + 0.01 (D + u2)      (degrees; u1, u2 uniform in [-1/2, 1/2))
//! ```
//! The drift law is that of the Unity simulator (section 8.7), stepped every 20 ms whatever the simulation's step; it gives about one
//! degree every few seconds at rest, as documented. `turned` is the angle turned about the vertical since power-on and s the error of the
//! cube's turn rate, drawn once per cube: a few degrees per full turn, as documented (section 1.5). All draws are found by address.
//!
//! # Where it stops being true
//! Roll and pitch have no error, no filter settles after a shock, and temperature has no effect.

use crate::profile::Profile;
use crate::purpose;
use sim_core::{DVec3, ParamError, RunKey, StateHash, Tick, angle::wrap_rad, ops};
use std::f64::consts::{FRAC_PI_2, PI};

/// Frames of the drift law in a second.
const DRIFT_HZ: u128 = 50;

/// An attitude as three angles in the order yaw, pitch, roll, in the frame of the module.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Euler {
    /// About X forward, rad; positive is right side down.
    pub roll_rad: f64,
    /// About Y right, rad; positive is nose up.
    pub pitch_rad: f64,
    /// About Z down, rad; positive is clockwise seen from above.
    pub yaw_rad: f64,
}

impl Euler {
    /// Unit vector that points down in the world, in the body's axes.
    #[must_use]
    pub fn down_in_body(&self) -> DVec3 {
        let (sin_roll, cos_roll) = ops::sin_cos(self.roll_rad);
        let (sin_pitch, cos_pitch) = ops::sin_cos(self.pitch_rad);
        DVec3::new(-sin_pitch, sin_roll * cos_pitch, cos_roll * cos_pitch)
    }

    /// The same attitude with roll and yaw in (-pi, pi] and pitch in [-pi/2, pi/2].
    #[must_use]
    pub fn canonical(&self) -> Self {
        let pitch_rad = wrap_rad(self.pitch_rad);
        if pitch_rad.abs() <= FRAC_PI_2 {
            return Self { roll_rad: wrap_rad(self.roll_rad), pitch_rad, yaw_rad: wrap_rad(self.yaw_rad) };
        }
        // Over the top: the same attitude is reached from behind, rolled over.
        Self {
            roll_rad: wrap_rad(self.roll_rad + PI),
            pitch_rad: wrap_rad(PI - pitch_rad),
            yaw_rad: wrap_rad(self.yaw_rad + PI),
        }
    }

    /// The rotation from body to world, `Rz(yaw) Ry(pitch) Rx(roll)`, as a unit quaternion w, x, y, z.
    #[must_use]
    pub fn quaternion(&self) -> [f64; 4] {
        let (sr, cr) = ops::sin_cos(0.5 * self.roll_rad);
        let (sp, cp) = ops::sin_cos(0.5 * self.pitch_rad);
        let (sy, cy) = ops::sin_cos(0.5 * self.yaw_rad);
        [
            cy * cp * cr + sy * sp * sr,
            cy * cp * sr - sy * sp * cr,
            cy * sp * cr + sy * cp * sr,
            sy * cp * cr - cy * sp * sr,
        ]
    }
}

/// What the quaternion of a report is (toio facts, section 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum QuaternionForm {
    /// `Rz(yaw) Ry(pitch) Rx(roll)`, as documented.
    #[default]
    Documented,
    /// The fault of a firmware of 2021: `Rz(-yaw) Ry(-pitch) Rx(roll + 180 degrees)`, each component rounded down to a multiple of 0.0001.
    Firmware2021,
}

/// Errors of the reported attitude.
#[derive(Clone, Debug, PartialEq)]
pub struct AttitudeParams {
    /// Factor on the yaw drift at rest: 1 is the law of the module, 0 switches it off.
    pub drift: f64,
    /// Largest error of the turn rate, as a share: a cube's own is drawn between plus and minus this. 0.01 is 3.6 degrees per turn.
    pub turn_error: f64,
    /// What the quaternion is.
    pub quaternion: QuaternionForm,
}

impl AttitudeParams {
    /// The defaults of a profile. The Unity simulator knows no error of the turn rate.
    #[must_use]
    pub fn for_profile(profile: Profile) -> Self {
        let turn_error = match profile {
            Profile::Device => 0.01,
            Profile::Unity => 0.0,
        };
        Self { drift: 1.0, turn_error, quaternion: QuaternionForm::Documented }
    }

    /// A perfect sensor.
    #[must_use]
    pub fn exact() -> Self {
        Self { drift: 0.0, turn_error: 0.0, quaternion: QuaternionForm::Documented }
    }
}

/// The sensor with its error.
#[derive(Clone, Debug, PartialEq)]
pub struct AttitudeSensor {
    params: AttitudeParams,
    step_hz: u32,
    /// The cube's own error of the turn rate, as a share.
    turn_error: f64,
    zero_yaw_rad: f64,
    /// D of the law.
    drift: f64,
    /// Drift at rest since power-on, degrees.
    bias_deg: f64,
    /// Error by turning since power-on, rad.
    turn_bias_rad: f64,
    /// Frames of the drift law that are over; nothing before the first step with power.
    frames: Option<u64>,
    now: Euler,
}

impl AttitudeSensor {
    /// A sensor of cube `owner` that gets its power now, with the exact attitude `at_power_on`: its heading is yaw zero.
    ///
    /// # Errors
    /// If a parameter or the step rate is out of range.
    pub fn new(
        params: AttitudeParams,
        step_hz: u32,
        key: RunKey,
        owner: u64,
        at_power_on: &Euler,
    ) -> Result<Self, ParamError> {
        ParamError::check_range("step_hz", f64::from(step_hz), 10.0, 10_000.0)?;
        ParamError::check_range("drift", params.drift, 0.0, 1000.0)?;
        ParamError::check_range("turn_error", params.turn_error, 0.0, 0.5)?;
        let turn_error = key.stream(purpose::GYRO_SCALE, owner, 0).range(-1.0, 1.0) * params.turn_error;
        let mut sensor = Self {
            params,
            step_hz,
            turn_error,
            zero_yaw_rad: 0.0,
            drift: 0.0,
            bias_deg: 0.0,
            turn_bias_rad: 0.0,
            frames: None,
            now: Euler::default(),
        };
        sensor.power_on(at_power_on);
        Ok(sensor)
    }

    /// Power comes on: the present heading is yaw zero, whichever way the cube got its power, and the drift starts again.
    pub fn power_on(&mut self, exact: &Euler) {
        self.zero_yaw_rad = exact.canonical().yaw_rad;
        self.drift = 0.0;
        self.frames = None;
        self.bias_deg = 0.0;
        self.turn_bias_rad = 0.0;
        self.now = self.reported(exact);
    }

    /// Reads the exact attitude and angular rate (rad/s, body axes) at `tick`; the values to report follow at once, whether
    /// anything is notified or not.
    pub fn step(&mut self, tick: Tick, key: RunKey, owner: u64, exact: &Euler, angular_rate_rad_s: DVec3) {
        // Without power nothing has drifted: the first step counts from the one before it.
        let over = self.frames.unwrap_or_else(|| self.frames_at(tick.0.saturating_sub(1)));
        let frames = self.frames_at(tick.0);
        if self.params.drift > 0.0 {
            (over..frames).for_each(|frame| self.advance_drift(key, owner, frame));
        }
        self.frames = Some(frames);
        let turn_rad = angular_rate_rad_s.dot(exact.down_in_body()) / f64::from(self.step_hz);
        self.turn_bias_rad += self.turn_error * turn_rad;
        self.now = self.reported(exact);
    }

    /// Frames of the drift law that are over when tick number `tick` begins.
    fn frames_at(&self, tick: u64) -> u64 {
        (u128::from(tick) * DRIFT_HZ / u128::from(self.step_hz)) as u64
    }

    fn advance_drift(&mut self, key: RunKey, owner: u64, frame: u64) {
        let mut stream = key.stream(purpose::YAW_DRIFT, owner, frame);
        self.drift = (self.drift + 0.1 * stream.range(-0.5, 0.5)).clamp(-1.0, 1.0);
        self.bias_deg += 0.01 * self.params.drift * (self.drift + stream.range(-0.5, 0.5));
    }

    fn reported(&self, exact: &Euler) -> Euler {
        let exact = exact.canonical();
        let yaw_rad = exact.yaw_rad - self.zero_yaw_rad + self.bias_deg.to_radians() + self.turn_bias_rad;
        Euler { yaw_rad: wrap_rad(yaw_rad), ..exact }
    }

    /// What the cube believes its attitude to be.
    #[must_use]
    pub fn euler(&self) -> Euler {
        self.now
    }

    /// Yaw error of both kinds since power-on, degrees.
    #[must_use]
    pub fn yaw_error_deg(&self) -> f64 {
        self.bias_deg + self.turn_bias_rad.to_degrees()
    }

    /// Roll, pitch and yaw in whole degrees: roll and yaw -179 to 180, pitch -90 to 90; ties go to the even number.
    #[must_use]
    pub fn euler_deg(&self) -> [i16; 3] {
        let whole = |rad: f64| rad.to_degrees().round_ties_even() as i16;
        let half_open = |deg: i16| if deg == -180 { 180 } else { deg };
        [half_open(whole(self.now.roll_rad)), whole(self.now.pitch_rad), half_open(whole(self.now.yaw_rad))]
    }

    /// Roll, pitch and yaw in degrees: roll and yaw in (-180, 180], pitch in (-90, 90].
    #[must_use]
    pub fn euler_f32_deg(&self) -> [f32; 3] {
        let full = |rad: f64| half_open_f32(rad.to_degrees() as f32, 180.0);
        let pitch_deg = self.now.pitch_rad.to_degrees() as f32;
        // No other Euler angles with an allowed pitch describe an attitude of -90 degrees: the next number above it does.
        let pitch_deg = if pitch_deg <= -90.0 { (-90.0_f32).next_up() } else { pitch_deg };
        [full(self.now.roll_rad), pitch_deg, full(self.now.yaw_rad)]
    }

    /// The quaternion w, x, y, z in the form that the parameters ask for.
    #[must_use]
    pub fn quaternion(&self) -> [f32; 4] {
        match self.params.quaternion {
            QuaternionForm::Documented => self.now.quaternion().map(|c| c as f32),
            QuaternionForm::Firmware2021 => {
                let Euler { roll_rad, pitch_rad, yaw_rad } = self.now;
                let faulty = Euler { roll_rad: roll_rad + PI, pitch_rad: -pitch_rad, yaw_rad: -yaw_rad };
                faulty.quaternion().map(|c| ((c * 1e4).floor() / 1e4) as f32)
            }
        }
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        for value in [self.zero_yaw_rad, self.drift, self.bias_deg, self.turn_bias_rad] {
            hash.f64(value);
        }
        for value in [self.now.roll_rad, self.now.pitch_rad, self.now.yaw_rad] {
            hash.f64(value);
        }
        hash.u64(self.frames.map_or(0, |frames| frames + 1));
    }
}

/// The upper end of a half-open range instead of the lower one, which rounding to f32 may reach.
fn half_open_f32(deg: f32, half_turn: f32) -> f32 {
    if deg <= -half_turn { half_turn } else { deg }
}
