//! The attitude: toio facts, sections 1.5, 6.5, 8.7, 9 and 10.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sim_core::{DVec3, RunKey, Tick, ops};
use std::f64::consts::PI;
use toio_cube_sim::attitude::{AttitudeParams, AttitudeSensor, Euler, QuaternionForm};
use toio_cube_sim::profile::Profile;

const KEY: RunKey = RunKey { seed: 11, run_index: 2 };

fn euler(roll_deg: f64, pitch_deg: f64, yaw_deg: f64) -> Euler {
    Euler { roll_rad: roll_deg.to_radians(), pitch_rad: pitch_deg.to_radians(), yaw_rad: yaw_deg.to_radians() }
}

/// A perfect sensor that was switched on at heading 0 and is now at `exact`.
fn exact_at(exact: &Euler) -> AttitudeSensor {
    let mut sensor = AttitudeSensor::new(AttitudeParams::exact(), 50, KEY, 0, &Euler::default()).unwrap();
    sensor.step(Tick(1), KEY, 0, exact, DVec3::ZERO);
    sensor
}

/// Rotation matrix of right-handed angles by the textbook: Rz(yaw) Ry(pitch) Rx(roll), rows.
fn matrix(e: &Euler) -> [[f64; 3]; 3] {
    let ((sr, cr), (sp, cp), (sy, cy)) = (ops::sin_cos(e.roll_rad), ops::sin_cos(e.pitch_rad), ops::sin_cos(e.yaw_rad));
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

/// Rotation matrix of a quaternion w, x, y, z, rows.
fn matrix_of([w, x, y, z]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn distance(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> f64 {
    (0..9).map(|k| (a[k / 3][k % 3] - b[k / 3][k % 3]).abs()).fold(0.0, f64::max)
}

/// Fault 2: yaw is 0 at the heading the cube had at power-on, however it got its power. The Unity simulator takes it in one of the
/// ways only, so that yaw starts at the heading in the world.
#[test]
fn fault_2_yaw_zero_is_taken_at_every_power_on() {
    for heading_deg in [0.0, 37.0, 90.0, 179.0, -120.0, 270.0] {
        // Power at the start.
        let mut sensor =
            AttitudeSensor::new(AttitudeParams::exact(), 50, KEY, 0, &euler(0.0, 0.0, heading_deg)).unwrap();
        assert_eq!(sensor.euler_deg(), [0, 0, 0]);
        sensor.step(Tick(1), KEY, 0, &euler(0.0, 0.0, heading_deg + 30.0), DVec3::ZERO);
        assert_eq!(sensor.euler_deg(), [0, 0, 30]);
        // Switched off and on again at another heading.
        sensor.power_on(&euler(0.0, 0.0, heading_deg + 200.0));
        assert_eq!(sensor.euler_deg(), [0, 0, 0]);
        sensor.step(Tick(2), KEY, 0, &euler(0.0, 0.0, heading_deg + 190.0), DVec3::ZERO);
        assert_eq!(sensor.euler_deg(), [0, 0, -10]);
    }
}

/// Fault 3: roll and yaw stay within -179 to 180 (whole) and (-180, 180] (floats), and half a turn is +180, never -180.
#[test]
fn fault_3_angles_wrap_into_their_range() {
    let rows = [
        (180.0, 180),
        (-180.0, 180),
        (181.0, -179),
        (-181.0, 179),
        (-179.4, -179),
        (-179.6, 180),
        (179.6, 180),
        (359.0, -1),
        (-359.0, 1),
        (540.0, 180),
        (-540.0, 180),
        (-725.0, -5),
        (0.4, 0),
        (-0.4, 0),
    ];
    for (given_deg, whole) in rows {
        let yaw = exact_at(&euler(0.0, 0.0, given_deg));
        assert_eq!(yaw.euler_deg(), [0, 0, whole], "yaw {given_deg}");
        let float = yaw.euler_f32_deg()[2];
        assert!(float > -180.0 && float <= 180.0, "yaw {given_deg}: {float}");
        let roll = exact_at(&euler(given_deg, 0.0, 0.0));
        assert_eq!(roll.euler_deg(), [whole, 0, 0], "roll {given_deg}");
        assert!(roll.euler_f32_deg()[0] > -180.0 && roll.euler_f32_deg()[0] <= 180.0);
    }
    assert_eq!(exact_at(&euler(-180.0, 0.0, 0.0)).euler_f32_deg()[0], 180.0);
}

/// Section 6.5: pitch -90 to 90 whole, (-90, 90] as a float. A cube pitched beyond the vertical is rolled over instead.
#[test]
fn pitch_has_its_own_range() {
    assert_eq!(exact_at(&euler(0.0, 90.0, 0.0)).euler_deg()[1], 90);
    let down = exact_at(&euler(0.0, -90.0, 0.0));
    assert_eq!(down.euler_deg()[1], -90);
    assert!(down.euler_f32_deg()[1] > -90.0 && down.euler_f32_deg()[1] < -89.999);
    assert_eq!(exact_at(&euler(0.0, 100.0, 0.0)).euler_deg(), [180, 80, 180]);
    assert_eq!(exact_at(&euler(10.0, -170.0, 20.0)).euler_deg(), [-170, -10, -160]);
}

/// Section 14, V35 to V37: roll 180, pitch 0, yaw -178; the identity; roll 180.0.
#[test]
fn v35_v36_v37_values() {
    assert_eq!(exact_at(&euler(180.0, 0.0, -178.0)).euler_deg(), [180, 0, -178]);
    assert_eq!(exact_at(&Euler::default()).quaternion(), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(exact_at(&euler(180.0, 0.0, 0.0)).euler_f32_deg(), [180.0, 0.0, 0.0]);
}

/// Section 1.5: X forward, Y right, Z down, right-handed: quarter turns about each axis by the textbook.
#[test]
fn the_quaternion_is_right_handed() {
    let half = std::f64::consts::FRAC_1_SQRT_2 as f32;
    let rows = [
        (euler(90.0, 0.0, 0.0), [half, half, 0.0, 0.0]),
        (euler(0.0, 90.0, 0.0), [half, 0.0, half, 0.0]),
        (euler(0.0, 0.0, 90.0), [half, 0.0, 0.0, half]),
    ];
    for (attitude, expected) in rows {
        let found = exact_at(&attitude).quaternion();
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{attitude:?}: {found:?}");
    }
}

/// Section 9: SEED's quaternion is Rz(-yaw) Ry(-pitch) Rx(roll + 180 degrees), components rounded down to 0.0001; Euler is unaffected.
#[test]
fn the_fault_of_2021_is_an_option() {
    let params = AttitudeParams { quaternion: QuaternionForm::Firmware2021, ..AttitudeParams::exact() };
    let mut sensor = AttitudeSensor::new(params, 50, KEY, 0, &Euler::default()).unwrap();
    for (roll, pitch, yaw) in [(0.0, 0.0, 0.0), (20.0, 30.0, 40.0), (-100.0, -70.0, 170.0)] {
        sensor.step(Tick(1), KEY, 0, &euler(roll, pitch, yaw), DVec3::ZERO);
        let found = sensor.quaternion();
        let expected = matrix(&euler(roll + 180.0, -pitch, -yaw));
        assert!(distance(matrix_of(found.map(f64::from)), expected) < 5e-4, "{found:?}");
        for c in found {
            let steps = f64::from(c) * 1e4;
            assert!((steps - steps.round()).abs() < 1e-2, "{c}");
        }
        assert_eq!(sensor.euler_deg(), [roll as i16, pitch as i16, yaw as i16]);
    }
    // Rounded down, not towards zero: half a turn about x at yaw 40 has y = -sin 20 = -0.34202, which becomes -0.3421.
    sensor.step(Tick(1), KEY, 0, &euler(0.0, 0.0, 40.0), DVec3::ZERO);
    assert_eq!(sensor.quaternion()[2], -0.3421);
    assert_eq!(sensor.quaternion()[1], 0.9396);
}

/// Fault 13, values: they follow the body at every step, whether anybody is told or not, and every format is there at once; in
/// the Unity simulator they change only when they are notified, and a request is ignored while the interval is 0.
#[test]
fn fault_13_values_follow_at_once_in_every_format() {
    let mut sensor = exact_at(&Euler::default());
    for k in 1..=90_u8 {
        let yaw = 2.0 * f64::from(k);
        sensor.step(Tick(k.into()), KEY, 0, &euler(0.0, 0.0, yaw), DVec3::ZERO);
        assert_eq!(sensor.euler_deg()[2], yaw as i16);
        assert!((sensor.euler_f32_deg()[2] - yaw as f32).abs() < 1e-4);
        assert!((f64::from(sensor.quaternion()[3]) - ops::sin(yaw.to_radians() / 2.0)).abs() < 1e-6);
    }
}

fn drifting(profile: Profile, step_hz: u32, owner: u64, at_s: u64) -> AttitudeSensor {
    let mut sensor =
        AttitudeSensor::new(AttitudeParams::for_profile(profile), step_hz, KEY, owner, &Euler::default()).unwrap();
    for tick in 1..=at_s * u64::from(step_hz) {
        sensor.step(Tick(tick), KEY, owner, &Euler::default(), DVec3::ZERO);
    }
    sensor
}

/// Section 8.7: D is a random walk held within 1, 0.01 D degrees every 20 ms: at most half a degree a second plus the white part.
/// Section 1.5: about one degree every few seconds at rest, here within a factor of three over 40 cubes and a minute.
#[test]
fn yaw_drifts_by_a_degree_every_few_seconds() {
    let mut sum = 0.0;
    for owner in 0..40 {
        let mut sensor =
            AttitudeSensor::new(AttitudeParams::for_profile(Profile::Device), 50, KEY, owner, &Euler::default())
                .unwrap();
        let mut before = 0.0;
        for second in 1..=60_u64 {
            for tick in (second - 1) * 50 + 1..=second * 50 {
                sensor.step(Tick(tick), KEY, owner, &Euler::default(), DVec3::ZERO);
            }
            let change = (sensor.yaw_error_deg() - before).abs();
            before = sensor.yaw_error_deg();
            assert!(change <= 0.5 + 50.0 * 0.005, "{change}");
            sum += if second > 10 { change } else { 0.0 };
        }
        assert_eq!(sensor.euler_deg()[2], sensor.yaw_error_deg().round_ties_even() as i16);
        assert_eq!(&sensor.euler_deg()[..2], &[0, 0]);
    }
    let deg_per_s = sum / (40.0 * 50.0);
    assert!((0.1..0.5).contains(&deg_per_s), "{deg_per_s}");
}

/// The drift is a function of time, not of the step: after any whole second it is the same at every step rate.
#[test]
fn the_drift_does_not_depend_on_the_step() {
    let at_50 = drifting(Profile::Device, 50, 3, 20).yaw_error_deg();
    assert!(at_50.abs() > 1e-3);
    for step_hz in [60, 100, 333, 1000] {
        assert_eq!(drifting(Profile::Device, step_hz, 3, 20).yaw_error_deg(), at_50, "{step_hz} Hz");
    }
}

/// A cube that was off for ten minutes starts without an error: one step moves it by 0.01 (0.05 + 0.5) degrees at most.
#[test]
fn nothing_drifts_without_power() {
    for step_hz in [50, 60, 1000] {
        let mut sensor = drifting(Profile::Device, step_hz, 3, 20);
        sensor.power_on(&Euler::default());
        assert_eq!(sensor.yaw_error_deg(), 0.0);
        sensor.step(Tick(620 * u64::from(step_hz)), KEY, 3, &Euler::default(), DVec3::ZERO);
        assert!(sensor.yaw_error_deg().abs() <= 0.0055, "{}", sensor.yaw_error_deg());
    }
}

#[test]
fn cubes_drift_apart_and_the_same_cube_drifts_alike() {
    let [a, b, again] = [1, 2, 1].map(|owner| drifting(Profile::Device, 50, owner, 10).yaw_error_deg());
    assert_eq!(a, again);
    assert!((a - b).abs() > 1e-3, "{a} and {b}");
}

/// Section 1.5: a few degrees per full turn, each cube its own; none in the Unity profile.
#[test]
fn turning_adds_an_error_of_a_few_degrees_per_turn() {
    let error_deg = |profile, owner| {
        let params = AttitudeParams { drift: 0.0, ..AttitudeParams::for_profile(profile) };
        let mut sensor = AttitudeSensor::new(params, 50, KEY, owner, &Euler::default()).unwrap();
        for tick in 1..=500_u64 {
            let yaw = tick as f64 * 2.0 * PI / 50.0;
            sensor.step(Tick(tick), KEY, owner, &euler(0.0, 0.0, yaw.to_degrees()), DVec3::Z * (2.0 * PI));
        }
        sensor.yaw_error_deg() / 10.0
    };
    let errors: Vec<f64> = (0..50).map(|owner| error_deg(Profile::Device, owner)).collect();
    assert!(errors.iter().all(|e| e.abs() <= 3.6));
    let mean_size = errors.iter().map(|e| e.abs()).sum::<f64>() / 50.0;
    // Uniform within 3.6 degrees: a mean size of 1.8, with a standard error of 0.15.
    assert!((1.2..2.4).contains(&mean_size), "{mean_size}");
    assert!(errors.iter().any(|&e| e > 0.0) && errors.iter().any(|&e| e < 0.0));
    assert!((0..5).all(|owner| error_deg(Profile::Unity, owner) == 0.0));
}

#[test]
fn parameters_are_checked() {
    let make = |drift, turn_error, step_hz| {
        let params = AttitudeParams { drift, turn_error, quaternion: QuaternionForm::Documented };
        AttitudeSensor::new(params, step_hz, KEY, 0, &Euler::default())
    };
    assert!(make(1.0, 0.01, 50).is_ok());
    assert!(make(-1.0, 0.01, 50).is_err() && make(1.0, 0.6, 50).is_err() && make(1.0, 0.01, 0).is_err());
    assert!(make(f64::NAN, 0.01, 50).is_err());
}

proptest! {
    /// All formats say the same rotation as the exact angles, whatever their range; floats stay in range.
    #[test]
    fn formats_agree(roll in -720.0_f64..720.0, pitch in -720.0_f64..720.0, yaw in -720.0_f64..720.0) {
        let exact = euler(roll, pitch, yaw);
        let sensor = exact_at(&exact);
        prop_assert!(distance(matrix(&sensor.euler()), matrix(&exact)) < 1e-9);
        prop_assert!(distance(matrix_of(sensor.quaternion().map(f64::from)), matrix(&exact)) < 1e-5);
        let [r, p, y] = sensor.euler_f32_deg();
        prop_assert!(r > -180.0 && r <= 180.0 && p > -90.0 && p <= 90.0 && y > -180.0 && y <= 180.0);
        prop_assert!(distance(matrix(&euler(r.into(), p.into(), y.into())), matrix(&exact)) < 1e-5);
        let [r, p, y] = sensor.euler_deg();
        prop_assert!((-179..=180).contains(&r) && (-90..=90).contains(&p) && (-179..=180).contains(&y));
        // Down in the body is the last row of the rotation from body to world.
        let down = exact.down_in_body();
        let row = matrix(&exact)[2];
        prop_assert!((down - DVec3::from_array(row)).length() < 1e-12);
    }
}
