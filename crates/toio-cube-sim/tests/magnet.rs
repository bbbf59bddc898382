//! The magnet sensor: toio facts, sections 6.5, 8.7 and 10, with the documented magnet in closed form.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sim_core::{DVec3, ops};
use std::f64::consts::{PI, TAU};
use toio_cube_sim::magnet::{MagnetParams, MagnetSensor, MagnetState};

const MU0: f64 = 1.256_637_062e-6;
/// Remanence of N40, the middle of its range, T.
const REMANENCE_T: f64 = 1.265;
/// Height of the magnet's middle above the sensor: 1.9 mm to the top face, 3.1 mm to the magnet, half of its 2 mm.
const HEIGHT_M: f64 = 0.006;
/// How far the magnet of states 3 to 6 is off the centre line.
const OFFSET_M: f64 = 0.0032;

/// Field of a square sheet of magnetic charge, 4 mm wide, in the plane z = 0 with its middle at the origin, at `p`: the integral of
/// Coulomb's law in closed form.
fn sheet_a_m(p: DVec3) -> DVec3 {
    let half = 0.002;
    let mut sum = DVec3::ZERO;
    for (i, sx) in [-half, half].into_iter().enumerate() {
        for (j, sy) in [-half, half].into_iter().enumerate() {
            let (x, y) = (p.x - sx, p.y - sy);
            let r = (x * x + y * y + p.z * p.z).sqrt();
            let corner = DVec3::new(-ops::ln(y + r), -ops::ln(x + r), ops::atan2(x * y, p.z * r));
            sum += if (i + j) % 2 == 0 { corner } else { -corner };
        }
    }
    sum * (REMANENCE_T / (4.0 * PI * MU0))
}

/// Field in the cube's axes at the sensor of the documented magnet, `right_m` to the right and `up_m` above it, pole N on top or not.
fn documented_a_m(right_m: f64, up_m: f64, north_on_top: bool) -> DVec3 {
    // The sensor as seen from the magnet, in axes with z up, x forward, y left.
    let sensor = DVec3::new(0.0, right_m, -up_m);
    let field = sheet_a_m(sensor - DVec3::Z * 0.001) - sheet_a_m(sensor + DVec3::Z * 0.001);
    let sign = if north_on_top { 1.0 } else { -1.0 };
    DVec3::new(field.x, -field.y, -field.z) * sign
}

fn sensor() -> MagnetSensor {
    MagnetSensor::new(MagnetParams::default()).unwrap()
}

/// The states of section 6.5: side (right is positive), pole N on top, number.
const STATES: [(f64, bool, u8); 6] = [
    (0.0, true, 1),
    (0.0, false, 2),
    (OFFSET_M, true, 3),
    (OFFSET_M, false, 4),
    (-OFFSET_M, true, 5),
    (-OFFSET_M, false, 6),
];

/// The closed form against the dipole far away and against a sum of 60 x 60 charges near by.
#[test]
fn the_closed_form_is_a_magnet() {
    let moment = REMANENCE_T * 32e-9 / MU0;
    let far = documented_a_m(0.0, 0.1, false).z;
    let dipole = 2.0 * moment / (4.0 * PI * 1e-3);
    assert!((far / dipole - 1.0).abs() < 1e-3, "{far} and {dipole}");
    let n = 60;
    let charge = REMANENCE_T * 16e-6 / f64::from(n * n);
    let mut sum = DVec3::ZERO;
    for (side, sign) in [(-0.001, 1.0), (0.001, -1.0)] {
        for k in 0..n * n {
            let cell = |i: i32| -0.002 + (f64::from(i) + 0.5) * 0.004 / f64::from(n);
            let r = DVec3::new(-cell(k / n), -OFFSET_M - cell(k % n), HEIGHT_M + side);
            let cube = r.length() * r.length_squared();
            sum += r * (sign * charge / (4.0 * PI * MU0 * cube));
        }
    }
    assert!((documented_a_m(OFFSET_M, HEIGHT_M, false) - sum).length() < 2e-3 * sum.length());
}

/// The figures that docs/models/magnet-sensing.md derives the thresholds from.
#[test]
fn the_documented_field_is_what_the_thresholds_say() {
    let center = documented_a_m(0.0, HEIGHT_M, true).length();
    let side = documented_a_m(OFFSET_M, HEIGHT_M, true).length();
    assert!((center / 20_130.0 - 1.0).abs() < 2e-3 && (side / 13_810.0 - 1.0).abs() < 2e-3, "{center}, {side}");
    let params = MagnetParams::default();
    assert!((0.4..0.5).contains(&(params.center_a_m / center)) && (0.4..0.5).contains(&(params.side_a_m / side)));
}

#[test]
fn the_documented_magnet_gives_the_documented_states() {
    for (right_m, north_on_top, number) in STATES {
        // Up to 2 mm too high and half a millimetre too low.
        for up_m in [HEIGHT_M - 0.0005, HEIGHT_M, HEIGHT_M + 0.001, HEIGHT_M + 0.002 - 1e-5] {
            let mut sensor = sensor();
            sensor.step(documented_a_m(right_m, up_m, north_on_top));
            assert_eq!(sensor.state() as u8, number, "{right_m} m right, {up_m} m up, N on top: {north_on_top}");
        }
    }
}

/// Fault 23, as seen by the sensor: it takes the field in the cube's own axes, so a heading never enters. The field of a magnet that is
/// carried along is the same at every heading; summed in world axes, as the Unity simulator does, it would turn, and only one
/// heading would give the right state.
#[test]
fn fault_23_states_do_not_depend_on_the_heading() {
    for (right_m, north_on_top, number) in STATES {
        let in_cube = documented_a_m(right_m, HEIGHT_M, north_on_top);
        let mut wrong_by_world_axes = 0;
        for heading in 0..8 {
            let (sin, cos) = ops::sin_cos(f64::from(heading) * TAU / 8.0);
            let turn = |v: DVec3, sin: f64| DVec3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, v.z);
            let in_world = turn(in_cube, sin);
            let back_in_cube = turn(in_world, -sin);
            let mut ours = sensor();
            ours.step(back_in_cube);
            assert_eq!(ours.state() as u8, number, "heading {heading}");
            let mut theirs = sensor();
            theirs.step(in_world);
            wrong_by_world_axes += usize::from(theirs.state() as u8 != number);
        }
        assert_eq!(wrong_by_world_axes, if right_m == 0.0 { 0 } else { 7 }, "state {number}");
    }
}

/// Section 8.7 row by row, just inside and just outside of each threshold.
#[test]
fn thresholds_of_field_and_angle() {
    let root = std::f64::consts::FRAC_1_SQRT_2;
    let rows = [
        (DVec3::NEG_Z, 9000.0, 1),
        (DVec3::Z, 9000.0, 2),
        (DVec3::new(0.0, root, -root), 6000.0, 3),
        (DVec3::new(0.0, -root, root), 6000.0, 4),
        (DVec3::new(0.0, -root, -root), 6000.0, 5),
        (DVec3::new(0.0, root, root), 6000.0, 6),
    ];
    let angle = ops::acos(0.95);
    for (direction, least, number) in rows {
        for (strength, tilt, expected) in [
            (least + 1.0, 0.0, number),
            (least - 1.0, 0.0, 0),
            (least + 1.0, angle - 1e-3, number),
            (least + 1.0, angle + 1e-3, 0),
        ] {
            let (sin, cos) = ops::sin_cos(tilt);
            let mut sensor = sensor();
            sensor.step((direction * cos + DVec3::X * sin) * strength);
            assert_eq!(sensor.state() as u8, expected, "{direction}, {strength} A/m, {tilt} rad");
        }
    }
}

/// Section 6.5: a field that matches no pattern leaves the state unchanged; a weak one ends it.
#[test]
fn a_field_without_pattern_leaves_the_state() {
    let mut sensor = sensor();
    for number in 1..=6 {
        let (right_m, north_on_top, _) = STATES[number - 1];
        sensor.step(documented_a_m(right_m, HEIGHT_M, north_on_top));
        for unclear in [DVec3::X * 30_000.0, DVec3::Y * 30_000.0, DVec3::Z * 500.0, DVec3::splat(200.0)] {
            sensor.step(unclear);
            assert_eq!(sensor.state() as usize, number, "after {unclear}");
        }
    }
    sensor.step(DVec3::Z * 199.0);
    assert_eq!(sensor.state(), MagnetState::None);
}

/// Section 8.7: strength is h / 450 rounded, at most 255; the direction is the unit vector times 10, rounded.
#[test]
fn strength_and_direction() {
    let rows = [
        (DVec3::ZERO, 0, [0, 0, 0]),
        (DVec3::Z * 200.0, 0, [0, 0, 0]),
        (DVec3::Z * 230.0, 1, [0, 0, 10]),
        (DVec3::Z * 20_130.0, 45, [0, 0, 10]),
        (DVec3::new(-900.0, 0.0, 0.0), 2, [-10, 0, 0]),
        (DVec3::new(3000.0, -4000.0, 0.0), 11, [6, -8, 0]),
        (DVec3::new(1000.0, 1000.0, -1000.0), 4, [6, 6, -6]),
        (DVec3::Y * 114_749.0, 255, [0, 10, 0]),
        (DVec3::Y * 1e9, 255, [0, 10, 0]),
    ];
    for (field, strength, direction) in rows {
        let mut sensor = sensor();
        sensor.step(field);
        assert_eq!((sensor.strength(), sensor.direction()), (strength, direction), "{field}");
    }
}

/// Fault 14, values: they follow the field at every step, whether anybody is told or not; in the Unity simulator they change only when
/// they are notified.
#[test]
fn fault_14_values_follow_at_once() {
    let mut sensor = sensor();
    for (right_m, north_on_top, number) in STATES {
        let field = documented_a_m(right_m, HEIGHT_M, north_on_top);
        sensor.step(field);
        assert_eq!(sensor.state() as u8, number);
        assert_eq!(f64::from(sensor.strength()), (field.length() / 450.0).round());
    }
    sensor.step(DVec3::ZERO);
    assert_eq!((sensor.state() as u8, sensor.strength(), sensor.direction()), (0, 0, [0; 3]));
}

#[test]
fn parameters_are_checked() {
    let bad = |change: fn(&mut MagnetParams)| {
        let mut params = MagnetParams::default();
        change(&mut params);
        MagnetSensor::new(params).is_err()
    };
    assert!(bad(|p| p.none_a_m = -1.0) && bad(|p| p.center_a_m = 100.0) && bad(|p| p.side_a_m = f64::NAN));
    assert!(bad(|p| p.cos_min = 0.9) && bad(|p| p.cos_min = 1.1) && bad(|p| p.strength_step_a_m = 0.0));
}

proptest! {
    /// The direction is about 10 long, in range, and points along the field; the state is one of seven.
    #[test]
    fn any_field_gives_lawful_values(x in -1e6_f64..1e6, y in -1e6_f64..1e6, z in -1e6_f64..1e6) {
        let mut sensor = sensor();
        let field = DVec3::new(x, y, z);
        sensor.step(field);
        let direction = DVec3::from_array(sensor.direction().map(f64::from));
        if sensor.strength() > 0 {
            // Each component is off by half at most.
            prop_assert!((direction - field.normalize() * 10.0).abs().max_element() <= 0.5 + 1e-9);
        }
        prop_assert!((sensor.state() as u8) <= 6);
    }
}
