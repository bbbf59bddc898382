//! Measures of runs whose figures are known beforehand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{step_with, steps, world};
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
