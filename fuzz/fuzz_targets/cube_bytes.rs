//! Any bytes to any characteristic of a cube of any version, at any pace.
//!
//! The first byte chooses version, profile and whether a hand holds the button. Then come records: a byte for characteristic and
//! steps to wait after it, one for the length, and so many bytes. No panic, no hang, motors within their reach, every notification
//! readable. That a dropped write changes nothing is tested in `crates/toio-cube-sim/tests/random_bytes.rs`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toio_cube_sim::wire::PositionId;
use toio_cube_sim::{Characteristic, Cube, CubeParams, Printed, Profile, Protocol, Senses};

/// What makes a record: whom it goes to, how many steps follow, and the bytes.
struct Record<'a> {
    characteristic: Characteristic,
    steps: u8,
    bytes: &'a [u8],
}

fuzz_target!(|input: &[u8]| {
    let Some((&first, mut rest)) = input.split_first() else { return };
    let protocol = Protocol::ALL[usize::from(first) % Protocol::ALL.len()];
    let profile = if first < 128 { Profile::Device } else { Profile::Unity };
    let mat = PositionId { centre_x: 250, centre_y: 250, sensor_x: 242, sensor_y: 243, ..PositionId::default() };
    let button_is_pressed = first & 64 != 0;
    let senses = Senses { printed: Printed::Position(mat), button_is_pressed, ..Senses::default() };
    let mut cube = Cube::new(CubeParams::for_profile(protocol, profile)).expect("the defaults are in range");
    cube.connect();
    cube.subscribe_all();
    while let Some(record) = take_record(&mut rest) {
        cube.write(record.characteristic, record.bytes);
        for _ in 0..=record.steps {
            step(&mut cube, &senses, protocol);
        }
    }
});

fn take_record<'a>(rest: &mut &'a [u8]) -> Option<Record<'a>> {
    let (&[head, length], after) = rest.split_first_chunk()?;
    let (bytes, after) = after.split_at(usize::from(length).min(after.len()));
    *rest = after;
    Some(Record { characteristic: Characteristic::ALL[usize::from(head & 7)], steps: head >> 3, bytes })
}

fn step(cube: &mut Cube, senses: &Senses, protocol: Protocol) {
    let outputs = cube.step(senses);
    assert!(outputs.actuators.motor_units.iter().all(|units| units.abs() <= protocol.max_command()));
    assert!(outputs.messages.iter().all(|message| message.decode().is_ok()));
}
