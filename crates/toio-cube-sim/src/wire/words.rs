//! What writes and notifications mean, in a few words for a log.

use super::{
    AttitudeReport, Command, ConfigCommand, ConfigReport, IdReport, LightCommand, MotionReport, MotorCommand,
    MotorReport, Notification, SensorRequest, SoundCommand, Target, Turn,
};
use crate::{light::Rgb, wire::KEEP};
use std::fmt::{self, Display, Formatter};

impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Motor(command) => command.fmt(f),
            Self::Light(command) => command.fmt(f),
            Self::Sound(command) => command.fmt(f),
            Self::Sensor(SensorRequest::Motion) => f.write_str("ask for motion"),
            Self::Sensor(SensorRequest::Magnet) => f.write_str("ask for magnet"),
            Self::Sensor(SensorRequest::Attitude(kind)) => write!(f, "ask for attitude as {kind:?}"),
            Self::Config(command) => command.fmt(f),
        }
    }
}

impl Display for MotorCommand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(wheels) => write!(f, "wheels {} {}", wheels.left, wheels.right),
            Self::RunFor { wheels, duration_10_ms } => {
                write!(f, "wheels {} {} for {} ms", wheels.left, wheels.right, 10 * u32::from(*duration_10_ms))
            }
            Self::GoTo { travel, target } => {
                write!(f, "request {}: go to {target} at most {} fast", travel.request_id, travel.max_speed)
            }
            Self::GoThrough { travel, append, targets } => {
                let how = if *append { "then " } else { "" };
                write!(f, "request {}: {how}go through {} targets:", travel.request_id, targets.len())?;
                targets.iter().try_for_each(|target| write!(f, " {target}"))?;
                write!(f, " at most {} fast", travel.max_speed)
            }
            Self::Accelerate(a) => {
                let sign = |is_negative: bool| if is_negative { "-" } else { "" };
                let (way, turn) = (sign(a.is_backward), sign(a.is_counter_clockwise));
                let (speed, step, rate) = (a.speed, a.acceleration, a.rotation_deg_s);
                write!(f, "speed {way}{speed} by {step} per 100 ms, turn {turn}{rate} deg/s")?;
                write!(f, " for {} ms", 10 * u32::from(a.duration_10_ms))
            }
        }
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = |dots: u16| if dots == KEEP { "-".to_owned() } else { dots.to_string() };
        write!(f, "({}, {})", place(self.x), place(self.y))?;
        let deg = self.heading.deg();
        match self.heading.turn() {
            Turn::Shorter => write!(f, " {deg} deg"),
            Turn::Clockwise => write!(f, " {deg} deg clockwise"),
            Turn::CounterClockwise => write!(f, " {deg} deg counter-clockwise"),
            Turn::RelativeClockwise => write!(f, " turned by {deg} deg"),
            Turn::RelativeCounterClockwise => write!(f, " turned by -{deg} deg"),
            Turn::None => f.write_str(" as it comes"),
            Turn::AsWritten => f.write_str(" as before"),
        }
    }
}

impl Display for LightCommand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::On { duration_10_ms, color } => {
                write!(f, "light {} for {} ms", hex(*color), 10 * u32::from(*duration_10_ms))
            }
            Self::Sequence { repeat, operations } => {
                write!(f, "light sequence of {}, {repeat} times", operations.len())
            }
            Self::AllOff | Self::Off => f.write_str("light off"),
            Self::Blink { count, period_10_ms, color } => {
                write!(f, "blink {} every {} ms, {count} times", hex(*color), 10 * u32::from(*period_10_ms))
            }
        }
    }
}

fn hex(Rgb { r, g, b }: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

impl Display for SoundCommand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Effect { id, volume } => write!(f, "sound effect {id} at volume {volume}"),
            Self::Notes { repeat, notes } => write!(f, "{} notes, {repeat} times", notes.len()),
            Self::Stop => f.write_str("sound off"),
        }
    }
}

impl Display for ConfigCommand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ms = |units: u8, unit_ms: u32| unit_ms * u32::from(units);
        match *self {
            Self::AskVersion => f.write_str("ask for the version"),
            Self::FlatThreshold(deg) => write!(f, "flat up to {deg} deg"),
            Self::CollisionThreshold(level) => write!(f, "collision level {level}"),
            Self::DoubleTapInterval(level) => write!(f, "double-tap level {level}"),
            Self::IdNotify { interval_10_ms, condition } => {
                write!(f, "IDs every {} ms, {condition:?}", ms(interval_10_ms, 10))
            }
            Self::IdMissed(time_10_ms) => write!(f, "IDs missed after {} ms", ms(time_10_ms, 10)),
            Self::Magnet { mode, interval_20_ms, on_change } => {
                write!(f, "magnet {mode:?} every {} ms, {}", ms(interval_20_ms, 20), when(on_change))
            }
            Self::WheelSpeed(is_on) => write!(f, "wheel speed {}", if is_on { "on" } else { "off" }),
            Self::Attitude { kind, interval_10_ms, on_change } => {
                write!(f, "attitude {kind:?} every {} ms, {}", ms(interval_10_ms, 10), when(on_change))
            }
            Self::SerializedInfo { interval_10_ms, on_change } => {
                write!(f, "serialized info every {} ms, {}", ms(interval_10_ms, 10), when(on_change))
            }
            Self::ConnectionInterval { min, max } => {
                write!(f, "want a connection interval of {min} to {max} x 1.25 ms")
            }
            Self::AskRequestedInterval => f.write_str("ask for the wanted connection interval"),
            Self::AskActualInterval => f.write_str("ask for the connection interval"),
            Self::Mute(mute) => write!(f, "mute {mute:?}"),
            Self::Reset => f.write_str("reset what is saved"),
            Self::PowerOffAfter(delay_s) => write!(f, "power off after {delay_s} s"),
        }
    }
}

fn when(on_change: bool) -> &'static str {
    if on_change { "on change" } else { "always" }
}

impl Display for Notification {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(report) => report.fmt(f),
            Self::Motor(report) => report.fmt(f),
            Self::Motion(report) => report.fmt(f),
            Self::Magnet(report) => {
                let [x, y, z] = report.direction;
                write!(f, "magnet state {}, strength {} along ({x}, {y}, {z})", report.state as u8, report.strength)
            }
            Self::Attitude(report) => report.fmt(f),
            Self::Button { is_pressed } => write!(f, "button {}", if *is_pressed { "pressed" } else { "released" }),
            Self::Battery { percent } => write!(f, "battery {percent} %"),
            Self::Config(report) => report.fmt(f),
        }
    }
}

impl Display for IdReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(id) => write!(f, "at ({}, {}) {} deg", id.centre_x, id.centre_y, id.centre_deg),
            Self::Standard(id) => write!(f, "on Standard ID {} {} deg", id.value, id.deg),
            Self::PositionMissed => f.write_str("Position ID missed"),
            Self::StandardMissed => f.write_str("Standard ID missed"),
        }
    }
}

impl Display for MotorReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target { request_id, code } => write!(f, "request {request_id}: target {code:?}"),
            Self::Targets { request_id, code } => write!(f, "request {request_id}: targets {code:?}"),
            Self::WheelSpeed { left, right } => write!(f, "wheel speed {left} {right}"),
        }
    }
}

impl Display for MotionReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_flat { "flat" } else { "not flat" })?;
        if let Some(posture) = self.posture {
            write!(f, ", {posture:?} up")?;
        }
        for (has_happened, what) in [(self.collision, ", collision"), (self.double_tap, ", double tap")] {
            f.write_str(if has_happened { what } else { "" })?;
        }
        if self.shake > 0 { write!(f, ", shake {}", self.shake) } else { Ok(()) }
    }
}

impl Display for AttitudeReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Euler { roll_deg, pitch_deg, yaw_deg } => {
                write!(f, "roll {roll_deg} pitch {pitch_deg} yaw {yaw_deg} deg")
            }
            Self::Quaternion { w, x, y, z } => write!(f, "quaternion {w} {x} {y} {z}"),
            Self::FineEuler { roll_deg, pitch_deg, yaw_deg } => {
                write!(f, "roll {roll_deg} pitch {pitch_deg} yaw {yaw_deg} deg")
            }
        }
    }
}

impl Display for ConfigReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(text) => write!(f, "version {}", text.escape_ascii()),
            Self::Result { setting, result: 0 } => write!(f, "{setting:?} done"),
            Self::Result { setting, result } => write!(f, "{setting:?} refused ({result})"),
            Self::RequestedInterval { min, max } => write!(f, "wanted connection interval {min} to {max} x 1.25 ms"),
            Self::ActualInterval(units) => write!(f, "connection interval {units} x 1.25 ms"),
            Self::Serialized(info) => {
                write!(f, "state: {}, motor code {}, battery {} %", info.id, info.motor_code, info.battery_percent)
            }
        }
    }
}
