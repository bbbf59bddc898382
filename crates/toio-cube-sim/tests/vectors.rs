//! Byte vectors V01 to V56 of the toio facts, section 14: typed to bytes and bytes to typed.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::bytes;
use toio_cube_sim::light::{LightOp, Rgb};
use toio_cube_sim::magnet::MagnetState;
use toio_cube_sim::message_text::{text_of_notification, text_of_write};
use toio_cube_sim::motion::Posture;
use toio_cube_sim::sound::{Mute, SoundOp};
use toio_cube_sim::wire::*;
use toio_cube_sim::{Characteristic, Protocol};

type Row<T> = (&'static str, u16, &'static str, T);

fn characteristic(short_id: u16) -> Characteristic {
    Characteristic::from_short_id(short_id).unwrap()
}

fn wheels(left: i16, right: i16) -> WheelCommands {
    WheelCommands { left, right }
}

fn place(x: u16, y: u16, deg: u16) -> Target {
    Target { x, y, heading: TargetHeading::new(Turn::Shorter, deg).unwrap() }
}

fn travel() -> Travel {
    Travel { request_id: 0, timeout_s: 5, movement: Movement::Arc, max_speed: 80, speed_curve: SpeedCurve::Constant }
}

fn motor_writes() -> Vec<Row<Command>> {
    let run_for = |left, right, duration_10_ms| {
        Command::Motor(MotorCommand::RunFor { wheels: wheels(left, right), duration_10_ms })
    };
    let acceleration = Acceleration {
        speed: 50,
        acceleration: 5,
        rotation_deg_s: 15,
        priority: Priority::Translation,
        duration_10_ms: 100,
        ..Acceleration::default()
    };
    let through = MotorCommand::GoThrough {
        travel: travel(),
        append: true,
        targets: vec![place(100, 100, 0), place(200, 100, 95), place(200, 200, 180)],
    };
    vec![
        ("V06", 0x102, "01 01 01 64 02 02 14", Command::Motor(MotorCommand::Run(wheels(100, -20)))),
        ("V07", 0x102, "02 01 01 64 02 02 14 0a", run_for(100, -20, 10)),
        ("V08", 0x102, "02 01 01 64 02 02 14 00", run_for(100, -20, 0)),
        ("V09", 0x102, "02 01 02 73 02 01 73 ff", run_for(-115, 115, 255)),
        (
            "V10",
            0x102,
            "03 00 05 00 50 00 00 bc 02 82 01 5a 00",
            Command::Motor(MotorCommand::GoTo { travel: travel(), target: place(700, 386, 90) }),
        ),
        (
            "V11",
            0x102,
            "04 00 05 00 50 00 00 01 64 00 64 00 00 00 c8 00 64 00 5f 00 c8 00 c8 00 b4 00",
            Command::Motor(through),
        ),
        ("V12", 0x102, "05 32 05 0f 00 00 00 00 64", Command::Motor(MotorCommand::Accelerate(acceleration))),
    ]
}

fn show_and_sound_writes() -> Vec<Row<Command>> {
    let on = |duration_10_ms, r, g, b| LightOp { duration_10_ms, color: Rgb { r, g, b } };
    let sequence = |repeat| LightCommand::Sequence { repeat, operations: vec![on(30, 0, 255, 0), on(30, 0, 0, 255)] };
    let note = |note| SoundOp { duration_10_ms: 30, note, volume: 255 };
    let melody = |repeat| SoundCommand::Notes { repeat, notes: vec![note(60), note(62), note(64)] };
    let red = LightCommand::On { duration_10_ms: 16, color: Rgb { r: 255, g: 0, b: 0 } };
    let blink = LightCommand::Blink { count: 0, period_10_ms: 10, color: Rgb { r: 255, g: 255, b: 255 } };
    vec![
        ("V16", 0x103, "03 10 01 01 ff 00 00", Command::Light(red)),
        ("V17", 0x103, "04 00 02 1e 01 01 00 ff 00 1e 01 01 00 00 ff", Command::Light(sequence(0))),
        ("V18", 0x103, "04 02 02 1e 01 01 00 ff 00 1e 01 01 00 00 ff", Command::Light(sequence(2))),
        ("V19", 0x103, "01", Command::Light(LightCommand::AllOff)),
        ("V20", 0x103, "02 01 01", Command::Light(LightCommand::Off)),
        ("V21", 0x103, "70 00 01 01 0a ff ff ff", Command::Light(blink)),
        ("V22", 0x104, "02 04 ff", Command::Sound(SoundCommand::Effect { id: 4, volume: 255 })),
        ("V23", 0x104, "03 00 03 1e 3c ff 1e 3e ff 1e 40 ff", Command::Sound(melody(0))),
        ("V24", 0x104, "03 02 03 1e 3c ff 1e 3e ff 1e 40 ff", Command::Sound(melody(2))),
        ("V25", 0x104, "01", Command::Sound(SoundCommand::Stop)),
    ]
}

fn sensor_and_config_writes() -> Vec<Row<Command>> {
    use ConfigCommand as C;
    let config = |row, hex, command| (row, 0x1ff, hex, Command::Config(command));
    let kind = AttitudeKind::Euler;
    vec![
        ("V31", 0x106, "81", Command::Sensor(SensorRequest::Motion)),
        ("V32", 0x106, "82", Command::Sensor(SensorRequest::Magnet)),
        ("V33", 0x106, "83 01", Command::Sensor(SensorRequest::Attitude(kind))),
        config("V38", "01 00", C::AskVersion),
        config("V40", "05 00 0a", C::FlatThreshold(10)),
        config("V41", "06 00 0a", C::CollisionThreshold(10)),
        config("V42", "17 00 07", C::DoubleTapInterval(7)),
        config("V43", "18 00 01 01", C::IdNotify { interval_10_ms: 1, condition: IdCondition::OnChange }),
        config("V44", "19 00 0a", C::IdMissed(10)),
        config("V45", "1b 00 01 01 01", C::Magnet { mode: MagnetMode::State, interval_20_ms: 1, on_change: true }),
        config("V46", "1c 00 01", C::WheelSpeed(true)),
        config("V47", "1d 00 01 01 01", C::Attitude { kind, interval_10_ms: 1, on_change: true }),
        config("V48", "1e 00 01 01", C::SerializedInfo { interval_10_ms: 1, on_change: true }),
        config("V49", "30 00 08 00 50 00", C::ConnectionInterval { min: 8, max: 80 }),
        config("V50 requested", "31 00", C::AskRequestedInterval),
        config("V50 actual", "32 00", C::AskActualInterval),
        config("V51", "34 00 0a", C::PowerOffAfter(10)),
        config("V52", "33 00 01", C::Mute(Mute::All)),
    ]
}

#[test]
fn writes_v06_to_v52_mean_and_are_encoded_as_listed() {
    let rows = [motor_writes(), show_and_sound_writes(), sensor_and_config_writes()].concat();
    assert_eq!(rows.len(), 7 + 10 + 18);
    for (row, short_id, hex, command) in rows {
        let decoded = Command::decode(characteristic(short_id), &bytes(hex), Protocol::V2_5_0);
        assert_eq!(decoded.as_ref(), Ok(&command), "{row}");
        assert_eq!(command.characteristic(), characteristic(short_id), "{row}");
        assert_eq!(command.encode(Protocol::V2_5_0), bytes(hex), "{row}");
    }
}

fn position(centre: [u16; 3], sensor: [u16; 3]) -> Notification {
    let [centre_x, centre_y, centre_deg] = centre;
    let [sensor_x, sensor_y, sensor_deg] = sensor;
    Notification::Id(IdReport::Position(PositionId { centre_x, centre_y, centre_deg, sensor_x, sensor_y, sensor_deg }))
}

fn sensor_notifications() -> Vec<Row<(Notification, Protocol)>> {
    let latest = Protocol::V2_5_0;
    let motion = |is_flat, collision, posture, shake| {
        Notification::Motion(MotionReport { is_flat, collision, double_tap: false, posture, shake })
    };
    let quaternion = AttitudeReport::Quaternion { w: 1.0, x: 0.0, y: 0.0, z: 0.0 };
    let fine = AttitudeReport::FineEuler { roll_deg: 180.0, pitch_deg: 0.0, yaw_deg: 0.0 };
    let euler = AttitudeReport::Euler { roll_deg: 180, pitch_deg: 0, yaw_deg: -178 };
    vec![
        ("V26", 0x107, "01 80", (Notification::Button { is_pressed: true }, latest)),
        ("V27", 0x108, "50", (Notification::Battery { percent: 80 }, latest)),
        ("V28", 0x106, "01 00 00 00 01 00", (motion(false, false, Some(Posture::Top), 0), latest)),
        ("V29", 0x106, "01 00 00 00 00 00", (motion(false, false, None, 0), latest)),
        ("V30", 0x106, "01 00 01 00 04", (motion(false, true, Some(Posture::Front), 0), Protocol::V2_1_0)),
        ("V34", 0x106, "02 00 00 00 00 00", (Notification::Magnet(MagnetReport::default()), latest)),
        ("V35", 0x106, "03 01 b4 00 00 00 4e ff", (Notification::Attitude(euler), latest)),
        (
            "V36",
            0x106,
            "03 02 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00",
            (Notification::Attitude(quaternion), latest),
        ),
        ("V37", 0x106, "03 03 00 00 34 43 00 00 00 00 00 00 00 00", (Notification::Attitude(fine), latest)),
    ]
}

/// What V56 says: Position ID (709, 383) at 306 degrees, posture 1, flat, battery 80 %, all else 0.
fn v56() -> SerializedInfo {
    let centre = PositionId { centre_x: 709, centre_y: 383, centre_deg: 306, ..PositionId::default() };
    SerializedInfo {
        button: false,
        id: IdReport::Position(centre),
        last_deg: 306,
        left_speed: 0,
        right_speed: 0,
        motor_code: 0,
        posture: Some(Posture::Top),
        battery_percent: 80,
        is_flat: true,
        shake: 0,
        collision: false,
        double_tap: false,
        euler_deg: [0; 3],
        magnet_state: MagnetState::None,
        magnet_strength: 0,
    }
}

fn other_notifications() -> Vec<Row<(Notification, Protocol)>> {
    let latest = Protocol::V2_5_0;
    let report = |report: ConfigReport| (Notification::Config(report), latest);
    let id = |report: IdReport| (Notification::Id(report), latest);
    let motor = |report: MotorReport| (Notification::Motor(report), latest);
    let code = ErrorCode::Arrived;
    let typhoon = StandardId { value: 3_670_016, deg: 21 };
    vec![
        ("V01", 0x101, "01 c5 02 7f 01 32 01 bc 02 82 01 32 01", (position([709, 383, 306], [700, 386, 306]), latest)),
        ("V02", 0x101, "02 00 00 38 00 15 00", id(IdReport::Standard(typhoon))),
        ("V03", 0x101, "03", id(IdReport::PositionMissed)),
        ("V04", 0x101, "04", id(IdReport::StandardMissed)),
        ("V05", 0x101, "01 01 00 02 00 03 00 04 00 05 00 06 00", (position([1, 2, 3], [4, 5, 6]), latest)),
        ("V13", 0x102, "83 00 00", motor(MotorReport::Target { request_id: 0, code })),
        ("V14", 0x102, "84 00 00", motor(MotorReport::Targets { request_id: 0, code })),
        ("V15", 0x102, "e0 32 00", motor(MotorReport::WheelSpeed { left: 50, right: 0 })),
        ("V39", 0x1ff, "81 00 32 2e 34 2e 30", report(ConfigReport::version(Protocol::V2_4_0))),
        ("V53", 0x1ff, "98 00 00", report(ConfigReport::Result { setting: Setting::IdNotify, result: 0 })),
        ("V54", 0x1ff, "b1 00 08 00 50 00", report(ConfigReport::RequestedInterval { min: 8, max: 80 })),
        ("V55", 0x1ff, "b2 00 08 00", report(ConfigReport::ActualInterval(8))),
        (
            "V56",
            0x1ff,
            "f0 40 99 c5 c2 5f 00 00 00 00 00 00 20 d0 00 00 00 00 00 00",
            report(ConfigReport::Serialized(v56())),
        ),
    ]
}

#[test]
fn notifications_v01_to_v56_mean_and_are_encoded_as_listed() {
    let rows = [other_notifications(), sensor_notifications()].concat();
    assert_eq!(rows.len(), 13 + 9);
    for (row, short_id, hex, (notification, protocol)) in rows {
        let decoded = Notification::decode(characteristic(short_id), &bytes(hex));
        assert_eq!(decoded, Ok(notification), "{row}");
        assert_eq!(notification.characteristic(), characteristic(short_id), "{row}");
        assert_eq!(notification.encode(protocol).to_vec(), bytes(hex), "{row}");
    }
}

/// Layouts of section 6 that no vector shows, worked out by hand from the tables there.
#[test]
fn layouts_without_a_vector() {
    let heading = |turn, deg| Target { x: 0xffff, y: 1, heading: TargetHeading::new(turn, deg).unwrap() };
    let words = [
        (Turn::Shorter, 90, "5a 00"),
        (Turn::Clockwise, 90, "5a 20"),
        (Turn::CounterClockwise, 90, "5a 40"),
        (Turn::RelativeClockwise, 90, "5a 60"),
        (Turn::RelativeCounterClockwise, 90, "5a 80"),
        (Turn::None, 0, "00 a0"),
        (Turn::AsWritten, 0, "00 c0"),
    ];
    for (turn, deg, word) in words {
        let hex = format!("03 07 00 02 0a 03 00 ff ff 01 00 {word}");
        let travel = Travel {
            request_id: 7,
            timeout_s: 0,
            movement: Movement::TurnThenMove,
            max_speed: 10,
            speed_curve: SpeedCurve::AccelerateThenDecelerate,
        };
        let command = MotorCommand::GoTo { travel, target: heading(turn, deg) };
        assert_eq!(command.encode(), bytes(&hex));
        assert_eq!(MotorCommand::decode(&bytes(&hex), Protocol::V2_5_0), Ok(command));
    }
    // The older quaternion that toio.js reads: ten-thousandths.
    let old = Notification::decode(Characteristic::Sensor, &bytes("03 02 10 27 00 00 f0 d8 00 00"));
    assert_eq!(old, Ok(Notification::Attitude(AttitudeReport::Quaternion { w: 1.0, x: 0.0, y: -1.0, z: 0.0 })));
    let strength = MagnetReport { state: MagnetState::None, strength: 60, direction: [0, -7, 10] };
    assert_eq!(strength.encode(Protocol::V2_3_0).to_vec(), bytes("02 00 3c 00 f9 0a"));
    assert_eq!(strength.encode(Protocol::V2_2_0).to_vec(), bytes("02 00"));
    assert_eq!(Notification::Button { is_pressed: false }.encode(Protocol::V2_0_0).to_vec(), bytes("01 00"));
    assert_eq!(ConfigCommand::Reset.encode(Protocol::V2_5_0), bytes("0f 00"));
}

/// Fields of the serialized info that V56 leaves 0, each by its bit in section 6.8.
#[test]
fn serialized_info_bit_by_bit() {
    let with = |change: &dyn Fn(&mut SerializedInfo)| {
        let mut info = v56();
        change(&mut info);
        assert_eq!(SerializedInfo::decode(&info.encode()), Ok(info));
        let (plain, changed) = (v56().encode(), info.encode());
        let byte = (1..20).filter(|&index| plain[index] != changed[index]);
        byte.map(|index| (index - 1, plain[index] ^ changed[index])).collect::<Vec<_>>()
    };
    assert_eq!(with(&|info| info.button = true), [(0, 0x10)]);
    assert_eq!(with(&|info| info.left_speed = 115), [(9, 115)]);
    assert_eq!(with(&|info| info.right_speed = 255), [(10, 255)]);
    assert_eq!(with(&|info| info.motor_code = CODE_WHILE_RUNNING), [(11, 0x1f)]);
    assert_eq!(with(&|info| info.posture = Some(Posture::Left)), [(11, (6 ^ 1) << 5)]);
    assert_eq!(with(&|info| info.battery_percent = 100), [(12, 100 ^ 80)]);
    assert_eq!(with(&|info| info.is_flat = false), [(12, 0x80)]);
    assert_eq!(with(&|info| info.shake = 10), [(13, 10)]);
    assert_eq!(with(&|info| info.collision = true), [(13, 0x20)]);
    assert_eq!(with(&|info| info.double_tap = true), [(13, 0x40)]);
    assert_eq!(with(&|info| info.euler_deg = [-179, 0, 0]), [(14, 179), (17, 1)]);
    assert_eq!(with(&|info| info.euler_deg = [0, 90, 0]), [(15, 90)]);
    assert_eq!(with(&|info| info.euler_deg = [0, 0, -1]), [(16, 1), (17, 4)]);
    assert_eq!(with(&|info| info.magnet_state = MagnetState::LeftN), [(17, 6 << 5)]);
    assert_eq!(with(&|info| info.magnet_strength = 44), [(18, 44)]);
    // Bits 44 to 71 hold the Standard ID: 3670016 is 0x380000, the lowest four bits in the upper half of byte 5.
    let card = SerializedInfo { id: IdReport::Standard(StandardId { value: 0x38_0131, deg: 306 }), ..v56() };
    assert_eq!(card.encode()[1..10], bytes("20 99 00 00 00 10 13 80 03")[..]);
    assert_eq!(SerializedInfo::decode(&card.encode()), Ok(card));
    let gone = SerializedInfo { id: IdReport::PositionMissed, last_deg: 1, ..v56() };
    assert_eq!(gone.encode()[1..3], bytes("e0 00")[..]);
}

/// Text of some of the vectors.
#[test]
fn messages_as_text() {
    let written = |characteristic, hex: &str| text_of_write(characteristic, &bytes(hex), Protocol::V2_5_0);
    let title = |value| (value == 3_670_016).then_some("Typhoon");
    let notified = |characteristic, hex: &str| text_of_notification(characteristic, &bytes(hex), title);
    use Characteristic::{Battery, Button, Configuration, Id, Light, Motor, Sensor, Sound};
    for (text, expected) in [
        (notified(Id, "01 c5 02 7f 01 32 01 bc 02 82 01 32 01"), "at (709 383) 306 deg; sensor (700 386) 306 deg"),
        (notified(Id, "02 00 00 38 00 15 00"), "on Standard ID 3670016 (Typhoon) at 21 deg"),
        (notified(Id, "03"), "Position ID missed"),
        (written(Motor, "01 01 01 64 02 02 14"), "run left 100 right -20 until the next motor command"),
        (written(Motor, "02 01 01 64 02 02 14 0a"), "run left 100 right -20 for 100 ms"),
        (
            written(Motor, "03 00 05 00 50 00 00 bc 02 82 01 5a 00"),
            "go to (700 386) heading 90 deg; turning on the way at a constant speed up to 80 within 5 s; request 0",
        ),
        (
            written(Motor, "05 32 05 0f 00 00 00 00 64"),
            "go at 50 by 5 per 100 ms turning at 15 deg/s for 1000 ms; translation first",
        ),
        (notified(Motor, "83 00 00"), "target of request 0: arrived"),
        (notified(Motor, "e0 32 00"), "wheel speed left 50 right 0"),
        (written(Light, "03 10 01 01 ff 00 00"), "lamp colour (255 0 0) for 160 ms"),
        (written(Light, "70 00 01 01 0a ff ff ff"), "lamp blinks colour (255 255 255) every 100 ms for ever"),
        (written(Sound, "03 00 03 1e 3c ff 1e 3e ff 1e 40 ff"), "notes 60 62 64 for ever"),
        (notified(Button, "01 80"), "button pressed"),
        (notified(Battery, "50"), "battery 80 %"),
        (notified(Sensor, "01 00 00 00 01 00"), "not flat; top up"),
        (notified(Sensor, "03 01 b4 00 00 00 4e ff"), "roll 180 pitch 0 yaw -178 deg"),
        (written(Configuration, "01 00"), "which protocol version"),
        (notified(Configuration, "81 00 32 2e 34 2e 30"), "protocol version 2.4.0"),
        (written(Configuration, "30 00 08 00 50 00"), "connection interval from 10 ms to 100 ms please"),
        (notified(Configuration, "98 00 00"), "ID notification: done"),
        (written(Motor, "09"), "no meaning: unknown operation"),
    ] {
        assert_eq!(text, expected);
    }
}
