//! A step of a cube that only feels, drives and reports allocates nothing. Each thread counts its own:
//! the harness allocates whenever it likes.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use test_alloc::allocations_of;
use toio_cube_sim::wire::PositionId;
use toio_cube_sim::{Characteristic, Cube, CubeParams, Printed, Senses};

/// Reports of everything, all the time, and a journey that lasts longer than the test: a cube held in its place never arrives.
const WRITES: [(Characteristic, &[u8]); 6] = [
    (Characteristic::Configuration, &[0x18, 0, 1, 0]),
    (Characteristic::Configuration, &[0x1b, 0, 2, 1, 0]),
    (Characteristic::Configuration, &[0x1c, 0, 1]),
    (Characteristic::Configuration, &[0x1d, 0, 2, 1, 0]),
    (Characteristic::Configuration, &[0x1e, 0, 1, 0]),
    (Characteristic::Motor, &[3, 0, 255, 0, 80, 3, 0, 100, 0, 100, 0, 90, 0]),
];

#[test]
fn a_step_allocates_nothing() {
    assert_eq!(allocations_of(|| drop(std::hint::black_box(Box::new(1)))), 1, "the counter counts");
    let mut cube = Cube::new(CubeParams::default()).unwrap();
    assert!(cube.connect());
    cube.subscribe_all();
    WRITES.iter().for_each(|(characteristic, bytes)| cube.write(*characteristic, bytes));
    let mat = PositionId { centre_x: 300, centre_y: 300, ..PositionId::default() };
    let senses = |tick: u64| Senses {
        printed: Printed::Position(mat),
        wheel_speed_m_s: [0.001 * (tick % 300) as f64; 2],
        ..Senses::default()
    };
    for tick in 0..100 {
        cube.step(&senses(tick));
    }
    let mut messages = 0;
    let allocations =
        allocations_of(|| (100..3000).for_each(|tick| messages += cube.step(&senses(tick)).messages.len()));
    assert_eq!(allocations, 0);
    // ID, magnet, attitude and serialized info in every step: all of it was really made.
    assert!(messages > 4 * 2900, "{messages}");
}
