//! From the words of a program's command to what the client does: bytes on a characteristic.

use sim_core::ParamError;
use toio_cube_sim::att::Request;
use toio_cube_sim::light::{LightOp, Rgb};
use toio_cube_sim::radio::INTERVAL_UNIT_MS;
use toio_cube_sim::sound::SoundOp;
use toio_cube_sim::wire::{
    Acceleration, Command, ConfigCommand, KEEP, LightCommand, MotorCommand, Movement, SensorRequest, SoundCommand,
    SpeedCurve, Target, TargetHeading, Travel, WheelCommands,
};
use toio_cube_sim::{Characteristic, Protocol};

use super::named::short_name;
use super::spec_commands::{
    ConnectionIntervalSpec, LightSpec, MotorAccelerateSpec, MotorTargetSpec, MotorTargetsSpec, NoteSpec, WaypointSpec,
};
use super::spec_program::CommandSpec;
use crate::cubes::ClientAct;
use sim_input::walk::bytes_of_hex;

/// What one key of a command asks for.
pub(super) enum Asked {
    /// A write that has words.
    Command(Command),
    /// Something that is no write, or bytes as they are.
    Act(ClientAct),
}

impl Asked {
    /// The act of a client of a cube that speaks `protocol`.
    pub fn act(self, protocol: Protocol) -> ClientAct {
        match self {
            Self::Command(command) => {
                ClientAct::Ask(Request::Write(command.characteristic(), command.encode(protocol)))
            }
            Self::Act(act) => act,
        }
    }
}

/// Everything that a command asks for, by key: one thing, if the file is right.
pub(super) fn asked(spec: &CommandSpec) -> Result<Vec<(&'static str, Asked)>, ParamError> {
    let groups = [motor(spec)?, light(spec), sound(spec), sensor(spec), config(spec), connection(spec), raw(spec)];
    Ok(groups.into_iter().flatten().collect())
}

type Keys = Vec<(&'static str, Asked)>;

/// The keys that are given.
fn given<const N: usize>(keys: [(&'static str, Option<Command>); N]) -> Keys {
    keys.into_iter().filter_map(|(key, command)| command.map(|command| (key, Asked::Command(command)))).collect()
}

/// Tens of ms, which is how the wire counts. The schema allows nothing that does not fit.
fn tens(ms: u16) -> u8 {
    u8::try_from(ms / 10).unwrap_or(u8::MAX)
}

fn motor(spec: &CommandSpec) -> Result<Keys, ParamError> {
    let target = spec.motor_target.as_ref().map(go_to).transpose()?;
    let targets = spec.motor_targets.as_ref().map(go_through).transpose()?;
    let run_for = spec.motor_run_for.map(|run| MotorCommand::RunFor {
        wheels: WheelCommands { left: run.left, right: run.right },
        duration_10_ms: tens(run.duration_ms),
    });
    let keys = [
        ("motor_run", spec.motor_run.map(MotorCommand::Run)),
        ("motor_run_for", run_for),
        ("motor_target", target),
        ("motor_targets", targets),
        ("motor_accelerate", spec.motor_accelerate.map(|spec| MotorCommand::Accelerate(acceleration(&spec)))),
    ];
    Ok(given(keys.map(|(key, command)| (key, command.map(Command::Motor)))))
}

fn go_to(spec: &MotorTargetSpec) -> Result<MotorCommand, ParamError> {
    let how = travel(spec.request_id, spec.timeout_s, spec.movement, spec.max_speed, spec.speed_curve);
    let place = WaypointSpec { x: spec.x, y: spec.y, angle_deg: spec.angle_deg, turn: spec.turn };
    Ok(MotorCommand::GoTo { travel: how, target: target(&place)? })
}

fn go_through(spec: &MotorTargetsSpec) -> Result<MotorCommand, ParamError> {
    let how = travel(spec.request_id, spec.timeout_s, spec.movement, spec.max_speed, spec.speed_curve);
    let targets: Result<Vec<Target>, ParamError> = spec.targets.iter().map(target).collect();
    Ok(MotorCommand::GoThrough { travel: how, append: spec.append, targets: targets? })
}

/// What both have in common.
fn travel(request_id: u8, timeout_s: u8, movement: Movement, max_speed: u8, speed_curve: SpeedCurve) -> Travel {
    Travel { request_id, timeout_s, movement, max_speed, speed_curve }
}

fn target(spec: &WaypointSpec) -> Result<Target, ParamError> {
    let heading = match (spec.turn, spec.angle_deg) {
        (None, None) => TargetHeading::NONE,
        (turn, angle_deg) => TargetHeading::new(turn.unwrap_or_default(), angle_deg.unwrap_or_default())?,
    };
    Ok(Target { x: spec.x.unwrap_or(KEEP), y: spec.y.unwrap_or(KEEP), heading })
}

fn acceleration(spec: &MotorAccelerateSpec) -> Acceleration {
    Acceleration {
        speed: u8::try_from(spec.speed.unsigned_abs()).unwrap_or(u8::MAX),
        acceleration: spec.acceleration,
        rotation_deg_s: u16::try_from(spec.rotation_deg_s.unsigned_abs()).unwrap_or(u16::MAX),
        is_counter_clockwise: spec.rotation_deg_s < 0,
        is_backward: spec.speed < 0,
        priority: spec.priority,
        duration_10_ms: tens(spec.duration_ms),
    }
}

fn color([r, g, b]: [u8; 3]) -> Rgb {
    Rgb::new(r, g, b)
}

fn light(spec: &CommandSpec) -> Keys {
    let operation = |light: &LightSpec| LightOp { duration_10_ms: tens(light.duration_ms), color: color(light.rgb) };
    let on =
        spec.light.map(|light| LightCommand::On { duration_10_ms: tens(light.duration_ms), color: color(light.rgb) });
    let sequence = spec.light_sequence.as_ref().map(|sequence| LightCommand::Sequence {
        repeat: sequence.repeat,
        operations: sequence.operations.iter().map(operation).collect(),
    });
    let blink = spec.light_blink.map(|blink| LightCommand::Blink {
        count: blink.count,
        period_10_ms: tens(blink.period_ms),
        color: color(blink.rgb),
    });
    let keys = [
        ("light", on),
        ("light_sequence", sequence),
        ("light_off", spec.light_off.map(|_| LightCommand::AllOff)),
        ("light_one_off", spec.light_one_off.map(|_| LightCommand::Off)),
        ("light_blink", blink),
    ];
    given(keys.map(|(key, command)| (key, command.map(Command::Light))))
}

fn sound(spec: &CommandSpec) -> Keys {
    let operation =
        |note: &NoteSpec| SoundOp { duration_10_ms: tens(note.duration_ms), note: note.note, volume: note.volume };
    let effect = spec.sound_effect.map(|sound| SoundCommand::Effect { id: sound.effect as u8, volume: sound.volume });
    let notes = spec
        .sound_notes
        .as_ref()
        .map(|sound| SoundCommand::Notes { repeat: sound.repeat, notes: sound.notes.iter().map(operation).collect() });
    let keys =
        [("sound_effect", effect), ("sound_notes", notes), ("sound_stop", spec.sound_stop.map(|_| SoundCommand::Stop))];
    given(keys.map(|(key, command)| (key, command.map(Command::Sound))))
}

fn sensor(spec: &CommandSpec) -> Keys {
    let attitude = spec.request_attitude.map(|request| SensorRequest::Attitude(request.format));
    let keys = [
        ("request_motion", spec.request_motion.map(|_| SensorRequest::Motion)),
        ("request_magnet", spec.request_magnet.map(|_| SensorRequest::Magnet)),
        ("request_attitude", attitude),
    ];
    given(keys.map(|(key, request)| (key, request.map(Command::Sensor))))
}

fn config(spec: &CommandSpec) -> Keys {
    let keys = [
        ("ask_version", spec.ask_version.map(|_| ConfigCommand::AskVersion)),
        ("set_flat_threshold", spec.set_flat_threshold.map(|set| ConfigCommand::FlatThreshold(set.tilt_deg))),
        (
            "set_collision_threshold",
            spec.set_collision_threshold.map(|set| ConfigCommand::CollisionThreshold(set.level)),
        ),
        (
            "set_double_tap_interval",
            spec.set_double_tap_interval.map(|set| ConfigCommand::DoubleTapInterval(set.level)),
        ),
        ("ask_requested_interval", spec.ask_requested_interval.map(|_| ConfigCommand::AskRequestedInterval)),
        ("ask_actual_interval", spec.ask_actual_interval.map(|_| ConfigCommand::AskActualInterval)),
        ("set_connection_interval", spec.set_connection_interval.as_ref().map(connection_interval)),
        ("set_mute", spec.set_mute.map(|set| ConfigCommand::Mute(set.mute))),
        ("reset_settings", spec.reset_settings.map(|_| ConfigCommand::Reset)),
        ("power_off", spec.power_off.map(|set| ConfigCommand::PowerOffAfter(set.after_s))),
    ];
    let mut keys = given(keys.map(|(key, command)| (key, command.map(Command::Config))));
    keys.extend(reports(spec));
    keys
}

/// Settings of what is reported when.
fn reports(spec: &CommandSpec) -> Keys {
    let id_notify = spec
        .set_id_notification
        .map(|set| ConfigCommand::IdNotify { interval_10_ms: tens(set.interval_ms), condition: set.condition });
    let magnet = spec.set_magnet.map(|set| ConfigCommand::Magnet {
        mode: set.mode,
        interval_20_ms: tens(set.interval_ms / 2),
        on_change: set.on_change,
    });
    let attitude = spec.set_attitude.map(|set| ConfigCommand::Attitude {
        kind: set.format,
        interval_10_ms: tens(set.interval_ms),
        on_change: set.on_change,
    });
    let serialized = spec
        .set_serialized_info
        .map(|set| ConfigCommand::SerializedInfo { interval_10_ms: tens(set.interval_ms), on_change: set.on_change });
    let keys = [
        ("set_id_notification", id_notify),
        ("set_id_missed", spec.set_id_missed.map(|set| ConfigCommand::IdMissed(tens(set.after_ms)))),
        ("set_magnet", magnet),
        ("set_wheel_speed", spec.set_wheel_speed.map(|set| ConfigCommand::WheelSpeed(set.on))),
        ("set_attitude", attitude),
        ("set_serialized_info", serialized),
    ];
    given(keys.map(|(key, command)| (key, command.map(Command::Config))))
}

/// The wire counts units of 1.25 ms; 0xFFFF is any.
fn connection_interval(spec: &ConnectionIntervalSpec) -> ConfigCommand {
    let units = |ms: Option<f64>| ms.map_or(0xffff, |ms| (ms / INTERVAL_UNIT_MS).round() as u16);
    ConfigCommand::ConnectionInterval { min: units(spec.min_ms), max: units(spec.max_ms) }
}

fn connection(spec: &CommandSpec) -> Keys {
    let connect = spec.connect.map(|_| ("connect", Asked::Act(ClientAct::Connect)));
    let disconnect = spec.disconnect.map(|_| ("disconnect", Asked::Act(ClientAct::Disconnect)));
    let ask = |key, name: &Option<String>, request: fn(Characteristic) -> Request| {
        let characteristic = name.as_deref().and_then(characteristic_of);
        characteristic.map(|characteristic| (key, Asked::Act(ClientAct::Ask(request(characteristic)))))
    };
    let read = ask("read", &spec.read, Request::Read);
    let subscribe = ask("subscribe", &spec.subscribe, |characteristic| Request::Subscribe(characteristic, true));
    let unsubscribe = ask("unsubscribe", &spec.unsubscribe, |characteristic| Request::Subscribe(characteristic, false));
    [connect, disconnect, read, subscribe, unsubscribe].into_iter().flatten().collect()
}

/// Bytes as they are; nothing if one of the two keys is missing.
fn raw(spec: &CommandSpec) -> Keys {
    let characteristic = spec.write.as_deref().and_then(characteristic_of);
    let bytes = spec.hex.as_deref().and_then(bytes_of_hex);
    match (characteristic, bytes) {
        (Some(characteristic), Some(bytes)) => {
            vec![("write", Asked::Act(ClientAct::Ask(Request::Write(characteristic, bytes))))]
        }
        _ => Vec::new(),
    }
}

fn characteristic_of(name: &str) -> Option<Characteristic> {
    Characteristic::ALL.into_iter().find(|characteristic| short_name(*characteristic) == name)
}
