//! What the bytes of a message mean, as text for people: the words of `messages.csv` and of logs.

use crate::light::Rgb;
use crate::magnet::MagnetState;
use crate::motion::Posture;
use crate::sound::{Mute, REST};
use crate::wire::{
    Acceleration, AttitudeKind, AttitudeReport, Command, ConfigCommand, ConfigReport, ErrorCode, IdCondition, IdReport,
    KEEP, LightCommand, MagnetMode, MagnetReport, MotionReport, MotorCommand, MotorReport, Movement, Notification,
    Priority, SensorRequest, SerializedInfo, Setting, SoundCommand, SpeedCurve, Target, Travel, Turn, WheelCommands,
};
use crate::{Characteristic, Protocol};
use std::fmt::Write;

/// Title of the card or sticker with a Standard ID, if it has one.
pub type ItemTitle = fn(u32) -> Option<&'static str>;

/// The text of a write to a cube of this version; the reason why it has no meaning, if so.
#[must_use]
pub fn text_of_write(characteristic: Characteristic, bytes: &[u8], protocol: Protocol) -> String {
    match Command::decode(characteristic, bytes, protocol) {
        Ok(Command::Motor(command)) => motor(&command),
        Ok(Command::Light(command)) => light(&command),
        Ok(Command::Sound(command)) => sound(&command),
        Ok(Command::Sensor(request)) => sensor_request(request),
        Ok(Command::Config(command)) => config(command),
        Err(error) => format!("no meaning: {error}"),
    }
}

/// The text of a notification or of the answer to a read. `item_title` names the item of a Standard ID.
#[must_use]
pub fn text_of_notification(characteristic: Characteristic, bytes: &[u8], item_title: ItemTitle) -> String {
    match Notification::decode(characteristic, bytes) {
        Ok(Notification::Id(report)) => id(&report, item_title),
        Ok(Notification::Motor(report)) => motor_report(report),
        Ok(Notification::Motion(report)) => motion(&report),
        Ok(Notification::Magnet(report)) => magnet(&report),
        Ok(Notification::Attitude(report)) => attitude(&report),
        Ok(Notification::Button { is_pressed: true }) => "button pressed".to_owned(),
        Ok(Notification::Button { is_pressed: false }) => "button released".to_owned(),
        Ok(Notification::Battery { percent }) => format!("battery {percent} %"),
        Ok(Notification::Config(report)) => config_report(&report, item_title),
        Err(error) => format!("no meaning: {error}"),
    }
}

fn ms(units_of_10_ms: u8) -> u32 {
    10 * u32::from(units_of_10_ms)
}

/// `for 100 ms`, or what 0 means.
fn lasting(duration_10_ms: u8, endless: &str) -> String {
    if duration_10_ms == 0 { endless.to_owned() } else { format!("for {} ms", ms(duration_10_ms)) }
}

fn times(count: u8) -> String {
    match count {
        0 => "for ever".to_owned(),
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

fn motor(command: &MotorCommand) -> String {
    const UNTIL_NEXT: &str = "until the next motor command";
    match command {
        MotorCommand::Run(wheels) => format!("run {} {UNTIL_NEXT}", wheel_text(*wheels)),
        MotorCommand::RunFor { wheels, duration_10_ms } => {
            format!("run {} {}", wheel_text(*wheels), lasting(*duration_10_ms, UNTIL_NEXT))
        }
        MotorCommand::GoTo { travel, target } => format!("go to {}; {}", target_text(target), travel_text(travel)),
        MotorCommand::GoThrough { travel, append, targets } => {
            let places: Vec<String> = targets.iter().map(target_text).collect();
            let how = if *append { "afterwards go through" } else { "go through" };
            format!("{how} {}; {}", places.join(" then "), travel_text(travel))
        }
        MotorCommand::Accelerate(acceleration) => accelerate(acceleration),
    }
}

fn wheel_text(WheelCommands { left, right }: WheelCommands) -> String {
    format!("left {left} right {right}")
}

fn target_text(target: &Target) -> String {
    let coordinate = |dots: u16| if dots == KEEP { "as now".to_owned() } else { dots.to_string() };
    let deg = target.heading.deg();
    let heading = match target.heading.turn() {
        Turn::Shorter => format!("heading {deg} deg"),
        Turn::Clockwise => format!("heading {deg} deg clockwise"),
        Turn::CounterClockwise => format!("heading {deg} deg counter-clockwise"),
        Turn::RelativeClockwise => format!("turned by {deg} deg"),
        Turn::RelativeCounterClockwise => format!("turned by -{deg} deg"),
        Turn::None => "any heading".to_owned(),
        Turn::AsWritten => "heading as now".to_owned(),
    };
    format!("({} {}) {heading}", coordinate(target.x), coordinate(target.y))
}

fn travel_text(travel: &Travel) -> String {
    let movement = match travel.movement {
        Movement::Arc => "turning on the way",
        Movement::ArcForward => "turning on the way and never backwards",
        Movement::TurnThenMove => "turning first",
    };
    let curve = match travel.speed_curve {
        SpeedCurve::Constant => "at a constant speed",
        SpeedCurve::Accelerate => "faster and faster",
        SpeedCurve::Decelerate => "slower and slower",
        SpeedCurve::AccelerateThenDecelerate => "faster then slower",
    };
    let timeout_s = if travel.timeout_s == 0 { 10 } else { travel.timeout_s };
    format!("{movement} {curve} up to {} within {timeout_s} s; request {}", travel.max_speed, travel.request_id)
}

fn accelerate(a: &Acceleration) -> String {
    let sign = |is_negative: bool| if is_negative { "-" } else { "" };
    let ramp = match a.acceleration {
        0 => "at once".to_owned(),
        units => format!("by {units} per 100 ms"),
    };
    let kept = match a.priority {
        Priority::Translation => "translation first",
        Priority::Rotation => "rotation first",
    };
    format!(
        "go at {}{} {ramp} turning at {}{} deg/s {}; {kept}",
        sign(a.is_backward),
        a.speed,
        sign(a.is_counter_clockwise),
        a.rotation_deg_s,
        lasting(a.duration_10_ms, "for ever"),
    )
}

fn color_text(Rgb { r, g, b }: Rgb) -> String {
    format!("colour ({r} {g} {b})")
}

fn light(command: &LightCommand) -> String {
    match command {
        LightCommand::On { duration_10_ms, color } => {
            format!("lamp {} {}", color_text(*color), lasting(*duration_10_ms, "for ever"))
        }
        LightCommand::Sequence { repeat, operations } => {
            format!("lamp: {} colours in turn {}", operations.len(), times(*repeat))
        }
        LightCommand::AllOff => "all lamps off".to_owned(),
        LightCommand::Off => "lamp 1 off".to_owned(),
        LightCommand::Blink { count, period_10_ms, color } => {
            format!("lamp blinks {} every {} ms {}", color_text(*color), ms(*period_10_ms), times(*count))
        }
    }
}

fn sound(command: &SoundCommand) -> String {
    match command {
        SoundCommand::Effect { id, volume: 0 } => format!("sound effect {id} silently"),
        SoundCommand::Effect { id, .. } => format!("sound effect {id}"),
        SoundCommand::Notes { repeat, notes } => {
            let names: Vec<String> = notes
                .iter()
                .map(|note| if note.note == REST { "rest".to_owned() } else { note.note.to_string() })
                .collect();
            format!("notes {} {}", names.join(" "), times(*repeat))
        }
        SoundCommand::Stop => "silence".to_owned(),
    }
}

fn sensor_request(request: SensorRequest) -> String {
    match request {
        SensorRequest::Motion => "report the motion once".to_owned(),
        SensorRequest::Magnet => "report the magnet once".to_owned(),
        SensorRequest::Attitude(kind) => format!("report the attitude once as {}", attitude_kind(kind)),
    }
}

fn attitude_kind(kind: AttitudeKind) -> &'static str {
    match kind {
        AttitudeKind::Euler => "whole degrees",
        AttitudeKind::Quaternion => "quaternion",
        AttitudeKind::FineEuler => "fractions of degrees",
    }
}

fn config(command: ConfigCommand) -> String {
    match command {
        ConfigCommand::AskVersion => "which protocol version".to_owned(),
        ConfigCommand::FlatThreshold(deg) => format!("flat up to {deg} deg"),
        ConfigCommand::CollisionThreshold(level) => format!("collision level {level}"),
        ConfigCommand::DoubleTapInterval(level) => format!("double-tap interval level {level}"),
        ConfigCommand::IdNotify { interval_10_ms, condition } => {
            let when = match condition {
                IdCondition::Always => "always",
                IdCondition::OnChange => "on change",
                IdCondition::PauseUnchanged => "on change or after 300 ms",
            };
            format!("report IDs every {} ms {when}", ms(interval_10_ms))
        }
        ConfigCommand::IdMissed(time_10_ms) => format!("ID missed after {} ms", ms(time_10_ms)),
        ConfigCommand::Magnet { mode: MagnetMode::Off, .. } => "magnet sensor off".to_owned(),
        ConfigCommand::Magnet { mode, interval_20_ms, on_change } => {
            let what = if mode == MagnetMode::State { "magnet state" } else { "magnet strength" };
            periodic(what, 2 * ms(interval_20_ms), on_change)
        }
        ConfigCommand::WheelSpeed(true) => "report the wheel speed".to_owned(),
        ConfigCommand::WheelSpeed(false) => "do not report the wheel speed".to_owned(),
        ConfigCommand::Attitude { kind, interval_10_ms, on_change } => {
            periodic(&format!("attitude as {}", attitude_kind(kind)), ms(interval_10_ms), on_change)
        }
        ConfigCommand::SerializedInfo { interval_10_ms, on_change } => {
            periodic("everything in one message", ms(interval_10_ms), on_change)
        }
        ConfigCommand::ConnectionInterval { min, max } => {
            format!("connection interval {} please", interval_text(min, max))
        }
        ConfigCommand::AskRequestedInterval => "which connection interval was asked for".to_owned(),
        ConfigCommand::AskActualInterval => "which connection interval is in use".to_owned(),
        ConfigCommand::Mute(Mute::Nothing) => "mute nothing".to_owned(),
        ConfigCommand::Mute(Mute::All) => "mute all sounds".to_owned(),
        ConfigCommand::Mute(Mute::System) => "mute the system's sounds".to_owned(),
        ConfigCommand::Reset => "forget what is saved".to_owned(),
        ConfigCommand::PowerOffAfter(delay_s) => format!("switch off after {delay_s} s"),
    }
}

fn periodic(what: &str, interval_ms: u32, on_change: bool) -> String {
    match (interval_ms, on_change) {
        (0, _) => format!("do not report {what}"),
        (_, true) => format!("report {what} every {interval_ms} ms on change"),
        (_, false) => format!("report {what} every {interval_ms} ms"),
    }
}

fn interval_text(min: u16, max: u16) -> String {
    let word = |units: u16| if units == 0xffff { "any".to_owned() } else { interval_ms(units) };
    format!("from {} to {}", word(min), word(max))
}

fn interval_ms(units: u16) -> String {
    format!("{} ms", f64::from(units) * 1.25)
}

fn id(report: &IdReport, item_title: ItemTitle) -> String {
    match report {
        IdReport::Position(p) => format!(
            "at ({} {}) {} deg; sensor ({} {}) {} deg",
            p.centre_x, p.centre_y, p.centre_deg, p.sensor_x, p.sensor_y, p.sensor_deg
        ),
        IdReport::Standard(id) => {
            let name = item_title(id.value).map_or_else(String::new, |title| format!(" ({title})"));
            format!("on Standard ID {}{name} at {} deg", id.value, id.deg)
        }
        IdReport::PositionMissed => "Position ID missed".to_owned(),
        IdReport::StandardMissed => "Standard ID missed".to_owned(),
    }
}

fn motor_report(report: MotorReport) -> String {
    match report {
        MotorReport::Target { request_id, code } => format!("target of request {request_id}: {}", code_text(code)),
        MotorReport::Targets { request_id, code } => format!("targets of request {request_id}: {}", code_text(code)),
        MotorReport::WheelSpeed { left, right } => format!("wheel speed left {left} right {right}"),
    }
}

fn code_text(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Arrived => "arrived",
        ErrorCode::Timeout => "timeout",
        ErrorCode::IdMissed => "toio ID missed",
        ErrorCode::BadCombination => "it asks for nothing",
        ErrorCode::PoweringOff => "power is being switched off",
        ErrorCode::Replaced => "replaced by another motor command",
        ErrorCode::Unsupported => "the largest speed is too low",
        ErrorCode::AppendRefused => "one waits already",
    }
}

fn motion(report: &MotionReport) -> String {
    let mut words = if report.is_flat { "flat" } else { "not flat" }.to_owned();
    if report.collision {
        words += "; collision";
    }
    if report.double_tap {
        words += "; double tap";
    }
    if let Some(posture) = report.posture {
        words += "; ";
        words += posture_text(posture);
    }
    if report.shake > 0 {
        // Writing to a string cannot fail.
        let _ = write!(words, "; shake {}", report.shake);
    }
    words
}

fn posture_text(posture: Posture) -> &'static str {
    match posture {
        Posture::Top => "top up",
        Posture::Bottom => "bottom up",
        Posture::Rear => "rear up",
        Posture::Front => "front up",
        Posture::Right => "right side up",
        Posture::Left => "left side up",
    }
}

fn magnet(report: &MagnetReport) -> String {
    let [x, y, z] = report.direction;
    match (report.state, report.strength) {
        (MagnetState::None, 0) => "no magnet".to_owned(),
        (MagnetState::None, strength) => format!("magnet of strength {strength} along ({x} {y} {z})"),
        (state, _) => format!("magnet state {}: {}", state as u8, magnet_text(state)),
    }
}

fn magnet_text(state: MagnetState) -> &'static str {
    match state {
        MagnetState::None => "none",
        MagnetState::CenterS => "S in the middle",
        MagnetState::CenterN => "N in the middle",
        MagnetState::RightS => "S on the right",
        MagnetState::RightN => "N on the right",
        MagnetState::LeftS => "S on the left",
        MagnetState::LeftN => "N on the left",
    }
}

fn attitude(report: &AttitudeReport) -> String {
    match report {
        AttitudeReport::Euler { roll_deg, pitch_deg, yaw_deg } => {
            format!("roll {roll_deg} pitch {pitch_deg} yaw {yaw_deg} deg")
        }
        AttitudeReport::Quaternion { w, x, y, z } => format!("quaternion w {w} x {x} y {y} z {z}"),
        AttitudeReport::FineEuler { roll_deg, pitch_deg, yaw_deg } => {
            format!("roll {roll_deg} pitch {pitch_deg} yaw {yaw_deg} deg")
        }
    }
}

fn config_report(report: &ConfigReport, item_title: ItemTitle) -> String {
    match report {
        ConfigReport::Version(text) => format!("protocol version {}", String::from_utf8_lossy(text)),
        ConfigReport::Result { setting, result: 0 } => format!("{}: done", setting_text(*setting)),
        ConfigReport::Result { setting, .. } => format!("{}: refused", setting_text(*setting)),
        ConfigReport::RequestedInterval { min, max } => {
            format!("connection interval asked for: {}", interval_text(*min, *max))
        }
        ConfigReport::ActualInterval(units) => format!("connection interval in use: {}", interval_ms(*units)),
        ConfigReport::Serialized(info) => serialized(info, item_title),
    }
}

fn setting_text(setting: Setting) -> &'static str {
    match setting {
        Setting::Reset => "reset",
        Setting::IdNotify => "ID notification",
        Setting::IdMissed => "ID missed",
        Setting::Magnet => "magnet sensor",
        Setting::WheelSpeed => "wheel speed",
        Setting::Attitude => "attitude",
        Setting::SerializedInfo => "serialized info",
        Setting::ConnectionInterval => "connection interval",
        Setting::Mute => "mute",
        Setting::PowerOff => "power off",
    }
}

fn serialized(info: &SerializedInfo, item_title: ItemTitle) -> String {
    let place = match info.id {
        IdReport::Position(p) => format!("at ({} {}) {} deg", p.centre_x, p.centre_y, p.centre_deg),
        ref other => id(other, item_title),
    };
    let [roll, pitch, yaw] = info.euler_deg;
    let posture = info.posture.map_or("posture unknown", posture_text);
    format!(
        "everything: {place}; roll {roll} pitch {pitch} yaw {yaw} deg; {posture}; wheels {} {}; battery {} %",
        info.left_speed, info.right_speed, info.battery_percent
    )
}
