//! Flat and posture: toio facts, sections 6.5, 8.7 and 9.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::GRAVITY;
use sim_core::DVec3;
use toio_cube_sim::attitude::Euler;
use toio_cube_sim::behaviour::Behaviour;
use toio_cube_sim::motion::{MotionInput, MotionReport, MotionSensor, Posture};
use toio_cube_sim::profile::Profile;

fn euler(roll_deg: f64, pitch_deg: f64) -> Euler {
    Euler { roll_rad: roll_deg.to_radians(), pitch_rad: pitch_deg.to_radians(), yaw_rad: 0.7 }
}

fn held(attitude: Euler) -> MotionInput {
    MotionInput {
        specific_force_m_s2: -attitude.down_in_body() * GRAVITY,
        angular_rate_rad_s: DVec3::ZERO,
        attitude,
        wheel_speed_m_s: [0.0; 2],
    }
}

fn sensor(profile: Profile, threshold_deg: u8) -> MotionSensor {
    let mut sensor = MotionSensor::new(Behaviour::for_profile(profile).posture_cones, 50).unwrap();
    sensor.settings_mut().set_flat_threshold_deg(threshold_deg).unwrap();
    sensor
}

fn seen(profile: Profile, threshold_deg: u8, roll_deg: f64, pitch_deg: f64) -> MotionReport {
    let mut sensor = sensor(profile, threshold_deg);
    sensor.step(&held(euler(roll_deg, pitch_deg)));
    sensor.peek()
}

/// Section 9, row "flat": not flat when threshold < tilt < 180 degrees - threshold, in both profiles.
#[test]
fn flat_until_the_tilt_exceeds_the_threshold_either_way_up() {
    for profile in [Profile::Device, Profile::Unity] {
        for threshold_deg in [1, 10, 30, 45] {
            let t = f64::from(threshold_deg);
            for (tilt_deg, flat) in [
                (0.0, true),
                (t - 0.1, true),
                (t + 0.1, false),
                (90.0, false),
                (179.9 - t, false),
                (180.1 - t, true),
                (180.0, true),
            ] {
                for sign in [1.0, -1.0] {
                    let by_roll = seen(profile, threshold_deg, sign * tilt_deg, 0.0).flat;
                    assert_eq!(by_roll, flat, "{profile:?}, threshold {threshold_deg}, roll {tilt_deg}");
                    let by_pitch = seen(profile, threshold_deg, 0.0, sign * tilt_deg).flat;
                    assert_eq!(by_pitch, flat, "{profile:?}, threshold {threshold_deg}, pitch {tilt_deg}");
                }
            }
        }
    }
}

#[test]
fn the_tilt_is_that_of_the_bottom_not_of_one_angle() {
    // Roll and pitch of 33 degrees tilt the bottom by acos(cos 33 cos 33) = 45.3 degrees.
    assert!(!seen(Profile::Device, 45, 33.0, 33.0).flat);
    assert!(seen(Profile::Device, 45, 32.0, 32.0).flat);
}

/// Section 6.5: 1 top up, 2 bottom up, 3 rear up, 4 front up, 5 right side up, 6 left side up. Positive roll is right side down, positive
/// pitch nose up (section 1.5).
#[test]
fn six_postures() {
    let rows = [
        (0.0, 0.0, Posture::Top, 1),
        (180.0, 0.0, Posture::Bottom, 2),
        (0.0, 180.0, Posture::Bottom, 2),
        (0.0, -90.0, Posture::Rear, 3),
        (0.0, 90.0, Posture::Front, 4),
        (-90.0, 0.0, Posture::Right, 5),
        (90.0, 0.0, Posture::Left, 6),
    ];
    for (roll_deg, pitch_deg, posture, wire) in rows {
        for profile in [Profile::Device, Profile::Unity] {
            let found = seen(profile, 45, roll_deg, pitch_deg).posture;
            assert_eq!((found, found as u8), (posture, wire), "{profile:?}, roll {roll_deg}, pitch {pitch_deg}");
        }
    }
}

/// Fault 4: the Unity simulator calls nose up 3; the device, and toio-rs, call it 4.
#[test]
fn fault_4_nose_up_is_front_up() {
    assert_eq!(seen(Profile::Device, 45, 0.0, 80.0).posture as u8, 4);
    assert_eq!(seen(Profile::Unity, 45, 0.0, 80.0).posture as u8, 4);
    assert_eq!(seen(Profile::Device, 45, 0.0, -80.0).posture as u8, 3);
}

#[test]
fn cones_are_45_degrees_and_the_posture_stays_between_them() {
    for (roll_deg, pitch_deg, posture) in [(44.9, 0.0, 1), (45.1, 0.0, 6), (134.9, 0.0, 6), (135.1, 0.0, 2)] {
        assert_eq!(seen(Profile::Device, 10, roll_deg, pitch_deg).posture as u8, posture, "roll {roll_deg}");
    }
    // Standing on a corner, each of three sides is 54.7 degrees from up: none is within its cone.
    let corner = Euler { roll_rad: std::f64::consts::FRAC_PI_4, pitch_rad: 0.615_479_708_670_387_3, yaw_rad: 0.0 };
    for start in [euler(0.0, 0.0), euler(90.0, 0.0), euler(0.0, 90.0)] {
        let mut sensor = sensor(Profile::Device, 45);
        sensor.step(&held(start));
        let before = sensor.peek().posture;
        sensor.step(&held(corner));
        assert_eq!(sensor.peek().posture, before);
    }
}

/// Section 9, row "posture cone": in the Unity simulator a flat threshold of 10 degrees shrinks the cones of the postures too.
#[test]
fn the_unity_profile_shrinks_the_cones_with_the_flat_threshold() {
    for (profile, posture) in [(Profile::Device, 6), (Profile::Unity, 1)] {
        let mut sensor = sensor(profile, 10);
        sensor.step(&held(euler(0.0, 0.0)));
        sensor.step(&held(euler(75.0, 0.0)));
        assert_eq!(sensor.peek().posture as u8, posture, "{profile:?}");
        sensor.step(&held(euler(85.0, 0.0)));
        assert_eq!(sensor.peek().posture as u8, 6, "{profile:?}");
    }
}

/// Section 8.7: the callback fires on a change, and only then.
#[test]
fn a_change_is_news_once() {
    let mut sensor = sensor(Profile::Device, 45);
    assert!(!sensor.step(&held(euler(0.0, 0.0))));
    assert!(sensor.step(&held(euler(60.0, 0.0))));
    assert!(!sensor.step(&held(euler(61.0, 0.0))));
    assert!(sensor.step(&held(euler(0.0, 0.0))));
    assert!(!sensor.step(&held(euler(5.0, 0.0))));
}
