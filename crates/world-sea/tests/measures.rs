//! Measures of runs whose figures are known beforehand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{step_with, steps, world};
use sim_core::{DVec3, ops};
use sim_world::World;
use world_sea::SeaWorld;

fn measure(world: &mut SeaWorld, name: &str) -> f64 {
    world.finish().iter().find(|metric| metric.name == name).unwrap().value
}

/// Its route has the depth 0 by default; an Otter floats where it floats.
#[test]
fn a_vehicle_that_cannot_dive_has_no_error_of_depth() {
    let mut otter = world(
        r#""vehicles": [{"name": "a", "model": "otter", "sensors": {"imu": {}, "gnss": {}},
            "driver": {"waypoints": {"points": [{"x_m": 10, "y_m": 0}, {"x_m": 90, "y_m": 0}], "speed": 90}}}]"#,
    );
    steps(&mut otter, 100);
    assert!(measure(&mut otter, "depth_error_mean_m").is_nan());
    assert!(measure(&mut otter, "yaw_error_mean_rad").is_finite());
    assert!(measure(&mut otter, "waypoints_passed") >= 0.0);
}

/// With its propellers at rest SAM keeps its depth by ballast and battery, and no heading.
#[test]
fn a_sam_at_rest_has_no_error_of_yaw() {
    let mut sam = world(
        r#""terrain": {"flat_z_m": -20}, "water": {"density_kg_m3": 997},
        "vehicles": [{"name": "a", "model": "sam", "start": {"z_m": -5},
            "sensors": {"imu": {}, "dvl": {}, "pressure": {}},
            "driver": {"setpoints": {"list": [{"depth_m": 5, "yaw_deg": 90, "speed": 0}]}}}]"#,
    );
    steps(&mut sam, 100);
    assert!(measure(&mut sam, "yaw_error_mean_rad").is_nan());
    assert!(measure(&mut sam, "depth_error_max_m") < 0.1);
    // There is no route that could have waypoints.
    assert!(measure(&mut sam, "waypoints_passed").is_nan());
}

/// The rudder is held from the first step on: nothing steers for the yaw, the stern planes still steer for the depth.
#[test]
fn what_is_held_from_outside_is_not_steered() {
    let mut remus = world(
        r#""water": {"density_kg_m3": 1026},
        "vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -5, "u_m_s": 1}, "sensors": {"imu": {}, "pressure": {}},
            "driver": {"setpoints": {"list": [{"depth_m": 5, "yaw_deg": 0, "speed": 1200}]}}}]"#,
    );
    step_with(&mut remus, &[("commands", &[0_usize.into(), "rudder".into(), 0.0.into()])]).unwrap();
    steps(&mut remus, 50);
    assert!(measure(&mut remus, "yaw_error_mean_rad").is_nan());
    assert!(measure(&mut remus, "depth_error_mean_m").is_finite());
}

/// A body that swings less and less, one that capsizes, and one that spins, step by step by hand.
#[test]
fn the_largest_of_a_run_are_the_largest_of_all_its_steps() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -9, "roll_deg": 25, "u_m_s": 1.5}},
            {"name": "b", "model": "quadrotor", "start": {"x_m": 40, "z_m": 90, "p_deg_s": 80, "v_m_s": -1}},
            {"name": "c", "model": "buoy", "start": {"x_m": 80, "r_deg_s": 50, "pitch_deg": -8}}]"#,
    );
    let [mut tilt_rad, mut speed_m_s, mut turn_rad_s] = [0.0_f64; 3];
    for _ in 0..200 {
        steps(&mut world, 1);
        for vehicle in &world.state().vehicles {
            let body = &vehicle.motion.body;
            let up = body.attitude * DVec3::Z;
            tilt_rad = tilt_rad.max(ops::atan2((up.x * up.x + up.y * up.y).sqrt(), up.z));
            speed_m_s = speed_m_s.max(body.velocity.linear.length());
            turn_rad_s = turn_rad_s.max(body.velocity.angular.length());
        }
        assert_eq!(measure(&mut world.clone(), "tilt_max_rad"), tilt_rad);
    }
    assert!(tilt_rad > 3.0 && speed_m_s > 10.0 && turn_rad_s > 1.0, "{tilt_rad} {speed_m_s} {turn_rad_s}");
    assert_eq!(measure(&mut world, "speed_max_m_s"), speed_m_s);
    assert_eq!(measure(&mut world, "turn_rate_max_rad_s"), turn_rad_s);
}

/// A ping at the start and one every 10 steps, 11 in all; 13 of 15 beams reach the bottom within 40.1 m, those up to 60 degrees.
#[test]
fn pings_and_their_hits_are_counted() {
    let station = |sensors: &str| {
        world(&format!(
            r#""terrain": {{"flat_z_m": -30}}, "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": -10}}, "sensors": {{{sensors}}}}}]"#
        ))
    };
    let mut sounding = station(r#""mbes": [{"beams": 15, "opening_deg": 140, "range_m": 40.1}]"#);
    steps(&mut sounding, 100);
    assert_eq!(measure(&mut sounding, "sonar_pings"), 11.0);
    assert!((measure(&mut sounding, "sonar_hit_share") - 13.0 / 15.0).abs() < 1e-15);
    let mut silent = station(r#""altimeter": {}"#);
    steps(&mut silent, 100);
    assert!(["sonar_pings", "sonar_hit_share"].iter().all(|name| measure(&mut silent, name).is_nan()));
}
