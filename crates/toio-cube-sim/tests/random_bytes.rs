//! Any bytes to any characteristic: never a panic, never a stuck cube, never a change from a write that is dropped, and one answer to
//! each `03` and `04`.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use proptest::prelude::*;
use rig::Rig;
use sim_core::StateHash;
use std::collections::BTreeMap;
use toio_cube_sim::wire::{Command, MotorCommand, MotorReport, Notification};
use toio_cube_sim::{Characteristic, Event, PowerState, Profile, Protocol, Refusal};

fn state(rig: &Rig) -> u64 {
    let mut hash = StateHash::new();
    rig.cube.hash_into(&mut hash);
    hash.finish()
}

fn protocols() -> impl Strategy<Value = Protocol> {
    prop::sample::select(Protocol::ALL.to_vec())
}

fn profiles() -> impl Strategy<Value = Profile> {
    prop::sample::select(vec![Profile::Device, Profile::Unity])
}

/// Noise, and noise that begins like a write: mostly with the length of one, too.
fn writes() -> impl Strategy<Value = (Characteristic, Vec<u8>)> {
    let first_bytes = vec![
        1_u8, 2, 3, 4, 5, 6, 0x0f, 0x17, 0x18, 0x19, 0x1b, 0x1c, 0x1d, 0x1e, 0x30, 0x31, 0x32, 0x33, 0x70, 0x81, 0x82,
        0x83,
    ];
    let small = prop_oneof![4 => 0_u8..4, 1 => any::<u8>()];
    let like =
        (prop::sample::select(first_bytes), prop::collection::vec(small, 0..30)).prop_map(|(first, mut rest)| {
            rest.insert(0, first);
            rest
        });
    let noise = prop::collection::vec(any::<u8>(), 0..200);
    let motor = motor_writes();
    let any_bytes = prop_oneof![1 => noise, 3 => like];
    let anywhere = (prop::sample::select(Characteristic::ALL.to_vec()), any_bytes);
    prop_oneof![1 => anywhere, 1 => motor.prop_map(|bytes| (Characteristic::Motor, bytes))]
}

/// Targets with every field in or near its range.
fn motor_writes() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof![9 => 0_u8..3, 1 => any::<u8>()];
    let head = (0_u8..4, 0_u8..3, kind, 5_u8..130, 0_u8..4, any::<bool>());
    let place = prop_oneof![Just([0xff, 0xff]), (0_u16..500).prop_map(u16::to_le_bytes)];
    let heading = (0_u16..7, 0_u16..400).prop_map(|(turn, deg)| (turn << 13 | deg).to_le_bytes());
    let heading = prop_oneof![9 => heading, 1 => any::<[u8; 2]>()];
    let one = (place.clone(), place, heading).prop_map(|(x, y, heading)| [x, y, heading].concat());
    (3_u8..5, head, prop::collection::vec(one, 1..5)).prop_map(
        |(op, (id, timeout, kind, speed, curve, append), targets)| {
            let mut bytes = vec![op, id, timeout, kind, speed, curve, 0];
            if op == 4 {
                bytes.push(append.into());
            }
            let count = if op == 4 { targets.len() } else { 1 };
            bytes.extend(targets[..count].concat());
            bytes
        },
    )
}

/// Number of answers that writes are owed, by their first byte and request id.
fn owed(protocol: Protocol, characteristic: Characteristic, bytes: &[u8]) -> Option<(u8, u8)> {
    match Command::decode(characteristic, bytes, protocol) {
        Ok(Command::Motor(MotorCommand::GoTo { travel, .. })) => Some((0x83, travel.request_id)),
        Ok(Command::Motor(MotorCommand::GoThrough { travel, .. })) => Some((0x84, travel.request_id)),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decoding_never_panics(
        characteristic in prop::sample::select(Characteristic::ALL.to_vec()),
        bytes in prop::collection::vec(any::<u8>(), 0..260),
        protocol in protocols(),
    ) {
        if let Ok(command) = Command::decode(characteristic, &bytes, protocol) {
            // What was understood means the same when it is written again.
            prop_assert_eq!(Command::decode(characteristic, &command.encode(protocol), protocol), Ok(command));
        }
        if let Ok(said) = Notification::decode(characteristic, &bytes) {
            let again = said.encode(Protocol::V2_5_0);
            let decoded = Notification::decode(characteristic, &again);
            prop_assert_eq!(decoded.map(|said| said.encode(Protocol::V2_5_0)), Ok(again));
        }
    }

    #[test]
    fn never_a_panic_a_stuck_cube_or_a_missing_answer(
        protocol in protocols(),
        profile in profiles(),
        script in prop::collection::vec((writes(), 0_usize..20, prop::bool::weighted(0.95)), 1..60),
    ) {
        let mut rig = Rig::for_profile(protocol, profile);
        let mut expected: BTreeMap<(u8, u8), usize> = BTreeMap::new();
        for ((characteristic, bytes), steps, on_mat) in &script {
            // A timer that a random write sets would end the test early.
            if *characteristic == Characteristic::Configuration && bytes.first() == Some(&0x34) {
                continue;
            }
            rig.on_mat = *on_mat;
            rig.cube.write(*characteristic, bytes);
            if let Some(key) = owed(protocol, *characteristic, bytes) {
                *expected.entry(key).or_default() += 1;
            }
            rig.run(*steps);
            prop_assert!(rig.motor().iter().all(|units| units.abs() <= protocol.max_command()));
        }
        // At most 2 targets of 10 s run or wait for long; then all is answered, and the cube still does as it is told.
        rig.write(0x102, "01 01 01 32 02 01 32");
        rig.step();
        prop_assert_eq!(rig.motor(), [50.0; 2]);
        prop_assert_eq!(rig.outputs.actuators.power, PowerState::On);
        let mut answered: BTreeMap<(u8, u8), usize> = BTreeMap::new();
        for answer in rig.answers() {
            let key = match answer {
                MotorReport::Target { request_id, .. } => (0x83, request_id),
                MotorReport::Targets { request_id, .. } => (0x84, request_id),
                MotorReport::WheelSpeed { .. } => continue,
            };
            *answered.entry(key).or_default() += 1;
        }
        prop_assert_eq!(answered, expected);
        for message in &rig.heard {
            prop_assert!(message.decode().is_ok(), "{:?}", message);
        }
    }

    /// The whole state of a cube to which a dropped write was written is that of one to which it was not.
    #[test]
    fn a_dropped_write_changes_nothing(
        protocol in protocols(),
        before in prop::collection::vec(writes(), 0..10),
        (characteristic, bytes) in writes(),
    ) {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        before.iter().for_each(|(characteristic, bytes)| rig.cube.write(*characteristic, bytes));
        rig.run(3);
        let mut untouched = rig.clone();
        rig.events.clear();
        rig.cube.write(characteristic, &bytes);
        rig.step();
        untouched.step();
        let is_dropped = rig.events.iter().any(|event| matches!(event, Event::Dropped { .. }));
        // Refused settings and targets are answered; an answer is all that they may leave behind.
        let is_answered = |why: &Refusal| matches!(why, Refusal::TooSlow | Refusal::NothingAsked | Refusal::QueueFull);
        if is_dropped && !rig.drops().iter().any(is_answered) {
            for rig in [&mut rig, &mut untouched] {
                rig.write(0x1ff, "01 00");
                rig.step();
            }
            prop_assert_eq!(state(&rig), state(&untouched));
        }
    }
}
