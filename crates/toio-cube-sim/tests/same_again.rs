//! The same again: cubes that are told the same say the same, the typed calls are the bytes, and a whole session is pinned.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes};
use sim_core::{DVec3, RunKey, StateHash};
use toio_cube_sim::light::Rgb;
use toio_cube_sim::wire::*;
use toio_cube_sim::{Cube, CubeParams, Profile, Protocol};

fn hash(cube: &Cube) -> u64 {
    let mut hash = StateHash::new();
    cube.hash_into(&mut hash);
    hash.finish()
}

/// A minute of everything, random drift included.
fn session(seed: u64, owner: u64) -> Rig {
    let key = RunKey { seed, run_index: 0 };
    let mut rig = Rig::with(CubeParams { key, owner, ..CubeParams::default() });
    for hex in ["1d 00 03 02 00", "1e 00 02 00", "1c 00 01", "18 00 01 00", "1b 00 02 01 00"] {
        rig.write(0x1ff, hex);
    }
    for lap in 0..10 {
        rig.write(0x102, "04 01 05 00 50 03 00 01 64 00 64 00 00 00 c8 00 64 00 5f 00 c8 00 c8 00 b4 00");
        rig.senses.magnetic_field_a_m = DVec3::new(100.0 * f64::from(lap), -3000.0, 500.0);
        rig.run(300);
    }
    rig
}

/// Fault 18: runs are repeatable. Same seed and number: same bytes, step by step. Another seed: other drift.
#[test]
fn fault_18_runs_are_repeatable() {
    let (first, second) = (session(5, 3), session(5, 3));
    assert!(first.heard.len() > 5000);
    assert_eq!(first.heard, second.heard);
    assert_eq!(hash(&first.cube), hash(&second.cube));
    let differs = |other: &Rig| hash(&first.cube) != hash(&other.cube) && first.heard != other.heard;
    assert!(differs(&session(6, 3)) && differs(&session(5, 4)));
}

/// State is complete: a copy made in mid-run goes on as the original does.
#[test]
fn a_copy_goes_on_as_the_original() {
    let mut rig = session(5, 3);
    rig.write(0x102, "03 01 05 00 50 00 00 64 00 64 00 00 00");
    rig.run(10);
    let mut copy = rig.clone();
    rig.run(200);
    copy.run(200);
    assert_eq!(rig.heard, copy.heard);
    assert_eq!(hash(&rig.cube), hash(&copy.cube));
}

/// The typed calls go the way of the bytes: the states are the same, write by write.
#[test]
fn typed_calls_are_the_bytes() {
    let travel = Travel { request_id: 0, timeout_s: 5, max_speed: 80, ..Travel::default() };
    let target = Target { x: 700, y: 386, heading: TargetHeading::new(Turn::Shorter, 90).unwrap() };
    let acceleration =
        Acceleration { speed: 50, acceleration: 5, rotation_deg_s: 15, duration_10_ms: 100, ..Acceleration::default() };
    let wheels = WheelCommands { left: 100, right: -20 };
    let red = LightCommand::On { duration_10_ms: 16, color: Rgb::new(255, 0, 0) };
    type Call<'a> = Box<dyn Fn(&mut Cube) + 'a>;
    let calls: [(u16, &str, Call<'_>); 9] = [
        (0x102, "01 01 01 64 02 02 14", Box::new(|cube| cube.motor_run(wheels))),
        (0x102, "02 01 01 64 02 02 14 0a", Box::new(|cube| cube.motor_run_for(wheels, 10))),
        (0x102, "03 00 05 00 50 00 00 bc 02 82 01 5a 00", Box::new(|cube| cube.motor_target(travel, target))),
        (
            0x102,
            "04 00 05 00 50 00 00 01 bc 02 82 01 5a 00 bc 02 82 01 5a 00",
            Box::new(|cube| cube.motor_targets(travel, true, &[target, target])),
        ),
        (0x102, "05 32 05 0f 00 00 00 00 64", Box::new(|cube| cube.motor_accelerate(acceleration))),
        (0x103, "03 10 01 01 ff 00 00", Box::new(|cube| cube.light(red.clone()))),
        (0x104, "02 04 ff", Box::new(|cube| cube.sound(SoundCommand::Effect { id: 4, volume: 255 }))),
        (0x106, "83 01", Box::new(|cube| cube.request(SensorRequest::Attitude(AttitudeKind::Euler)))),
        (0x1ff, "05 00 0a", Box::new(|cube| cube.set(ConfigCommand::FlatThreshold(10)))),
    ];
    let (mut by_bytes, mut by_name) = (Rig::device(), Rig::device());
    for (short_id, hex, call) in &calls {
        let before = hash(&by_name.cube);
        by_bytes.write(*short_id, hex);
        call(&mut by_name.cube);
        assert_eq!(hash(&by_bytes.cube), hash(&by_name.cube), "{hex}");
        assert_ne!(hash(&by_name.cube), before, "{hex}");
        by_bytes.step();
        by_name.step();
        assert_eq!(by_bytes.outputs, by_name.outputs, "{hex}");
    }
    // What the layout cannot hold is refused like any other wrong write: 30 targets.
    by_name.cube.motor_targets(travel, false, &[target; 30]);
    by_name.step();
    assert_eq!(by_name.drops().len(), 1);
    assert!(TargetHeading::new(Turn::Shorter, 8192).is_err());
}

/// The two-byte thresholds of 2.0.0 come out of the same call.
#[test]
fn typed_calls_speak_the_version_of_the_cube() {
    for protocol in Protocol::ALL {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        rig.cube.set(ConfigCommand::FlatThreshold(10));
        rig.cube.set(ConfigCommand::CollisionThreshold(3));
        rig.step();
        assert_eq!(rig.drops(), [], "{protocol}");
    }
}

/// Fault 22: an example without an assertion tests nothing. This session is a client's typical one, and every byte that the cube
/// says in it is written down beforehand, from the tables of sections 6 and 8.
#[test]
fn fault_22_a_session_with_every_byte_asserted() {
    let params = CubeParams {
        protocol: Protocol::V2_4_0,
        attitude: toio_cube_sim::attitude::AttitudeParams::exact(),
        ..CubeParams::default()
    };
    let mut rig = Rig::with(params).at(250.0, 200.0, 0.0);
    let said = |rig: &mut Rig| -> Vec<(u16, Vec<u8>)> {
        let said = rig.outputs.messages.iter();
        said.map(|message| (message.characteristic.short_id(), message.bytes.to_vec())).collect()
    };
    rig.write(0x1ff, "01 00");
    rig.write(0x1ff, "18 00 01 01");
    rig.write(0x1ff, "1c 00 01");
    rig.write(0x106, "81");
    rig.step();
    let here = bytes("01 fa 00 c8 00 00 00 fa 00 c8 00 00 00");
    let expected = [
        (0x1ff, bytes("81 00 32 2e 34 2e 30")),
        (0x1ff, bytes("98 00 00")),
        (0x1ff, bytes("9c 00 00")),
        (0x101, here),
        (0x102, bytes("e0 00 00")),
        (0x106, bytes("01 01 00 00 01 00")),
    ];
    assert_eq!(said(&mut rig), expected);
    // 60 ms at 20 units: the wheels reach 10, 15, 17.5 and fall.
    rig.write(0x102, "02 01 01 14 02 01 14 06");
    let mut log = Vec::new();
    for step in 0..10 {
        rig.step();
        log.extend(said(&mut rig).into_iter().map(|(short_id, bytes)| (step, short_id, bytes)));
    }
    // Way in dots before each step, by section 2.3: 0.02 s of 2.0655 dots a second and unit.
    let speeds = [10.0, 15.0, 17.5, 8.75, 4.375, 2.1875, 1.09, 0.55, 0.27, 0.14];
    let way = |steps: usize| speeds[..steps].iter().sum::<f64>() * 0.02 * 2.0655;
    let first_report = (0..10).find(|&steps| (250.0 + way(steps)).round_ties_even() >= 252.0).unwrap();
    let there = bytes("01 fc 00 c8 00 00 00 fc 00 c8 00 00 00");
    // The wheel speed is looked at every 100 ms: 8.75 units in the fifth step, 0.27 in the tenth.
    let speed = |units: u8| vec![0xe0, units, units];
    assert_eq!(log, [(first_report, 0x101, there), (4, 0x102, speed(9)), (9, 0x102, speed(0))]);
}
