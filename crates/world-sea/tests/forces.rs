//! What force fields and forces of the script do to vehicles.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{numbers, steps, world};
use sim_core::DVec3;
use world_sea::SeaWorld;

/// A neutral body of a mass, kg, with an inertia, kg m2, that bears at force points and whose velocity decays, 1/s.
fn body(name: &str, (mass_kg, inertia): (f64, f64), points: &str, decay_per_s: f64) -> String {
    format!(
        r#""name": "{name}", "model": "inline", "parameters": {{"about": "A body.", "sources": [], "size_m": [1.2, 0.2, 0.2],
        "motion": {{"rigid": {{"body": {{"mass_kg": {mass_kg}, "center_of_gravity_m": [0, 0, 0],
            "inertia_kg_m2": [[{inertia}, 0, 0], [0, {inertia}, 0], [0, 0, {inertia}]], "added_mass": [0, 0, 0, 0, 0, 0],
            "damping": {{"decay": {{"water_linear_per_s": {decay_per_s}, "water_angular_per_s": 0,
                "air_linear_per_s": 0, "air_angular_per_s": 0}}}},
            "buoyancy": {{"points": {{"volume_m3": {}, "depth_before_submerged_m": 0.03, "max_force_n": 1e6,
                "points_m": {points}}}}}}}}}}}}}"#,
        mass_kg / 1000.0
    )
}

/// The points of SAM's prefab, and its mass.
const SAM_POINTS: &str = "[[0.55, 0.055, 0], [0.55, -0.055, 0], [0.275, 0.055, 0], [0.275, -0.055, 0], [0, 0.055, 0],
    [0, -0.055, 0], [-0.275, 0.055, 0], [-0.275, -0.055, 0], [-0.55, 0.055, 0], [-0.55, -0.055, 0]]";
const SAM_KG: f64 = 15.137;

/// A body with SAM's points under water, heading east, in a field of 1 N in a region.
fn in_field(inertia: f64, decay_per_s: f64, field: &str) -> SeaWorld {
    let body = body("a", (SAM_KG, inertia), SAM_POINTS, decay_per_s);
    world(&format!(
        r#""water": {{"density_kg_m3": 1000, "fields": [{{"force_n": 1, {field}}}]}},
        "vehicles": [{{{body}, "start": {{"z_m": -10}}, "sensors": {{"imu": {{}}}}}}]"#
    ))
}

fn velocity(world: &SeaWorld) -> DVec3 {
    world.state().vehicles[0].motion.body.world_velocity_m_s()
}

/// Drift speed `F/(m d)` of 1 N northwards on 15.137 kg at 1.02/s: 0.064768 m/s; with the five points on the left inside, half of it. The
/// inertia is so large that the body hardly turns. After 20 s all but e^-20 of the way to the drift speed is made.
#[test]
fn a_body_half_inside_a_field_drifts_half_as_fast() {
    for (region, share) in [("", 1.0), (r#", "box_m": [[-100, 0, -100], [100, 100, 100]]"#, 0.5)] {
        let mut world = in_field(1e9, 1.02, &format!(r#""along": [1, 0, 0]{region}"#));
        steps(&mut world, 1000);
        let expected_m_s = share / (SAM_KG * 1.02);
        assert!((velocity(&world).x - expected_m_s).abs() < 1e-8, "{} {expected_m_s}", velocity(&world));
        if share == 1.0 {
            assert!((velocity(&world).x - 0.064768).abs() < 5e-7);
        }
    }
}

/// Five points 5.5 cm to the left of the origin feel 0.1 N each: 0.5 N ahead turn the nose to the right with 0.0275 N m on 3 kg m2.
#[test]
fn a_field_on_one_side_turns_the_body() {
    let mut world = in_field(3.0, 0.0, r#""along": [1, 0, 0], "box_m": [[-100, 0, -100], [100, 100, 100]]"#);
    steps(&mut world, 1);
    let rates = world.state().vehicles[0].motion.body.velocity.angular;
    assert!((rates - DVec3::new(0.0, 0.0, -0.5 * 0.055 / 3.0 * 0.02)).length() < 1e-12, "{rates}");
    assert!((velocity(&world).x - 0.5 / SAM_KG * 0.02).abs() < 1e-12);
}

/// Centre and points of a body at a place; the mean of the unit vectors towards the centre is the sum of the shares.
#[test]
fn a_central_field_pulls_each_point_its_own_way() {
    let mut world = in_field(3.0, 0.0, r#""towards": [0, 0.3, -10]"#);
    steps(&mut world, 1);
    let (mut force, mut moment) = (DVec3::ZERO, DVec3::ZERO);
    for x in [0.55, 0.275, 0.0, -0.275, -0.55] {
        for y in [0.055, -0.055] {
            let toward = 0.1 * DVec3::new(-x, 0.3 - y, 0.0).normalize();
            force += toward;
            moment += DVec3::new(x, y, 0.0).cross(toward);
        }
    }
    let motion = world.state().vehicles[0].motion.body.velocity;
    // The forces hold through the step; the body has not turned yet.
    assert!((motion.linear - force / SAM_KG * 0.02).length() < 1e-12, "{}", motion.linear);
    assert!((motion.angular - moment / 3.0 * 0.02).length() < 1e-12, "{}", motion.angular);
}

/// A hull half out of the water: only the lower of two points feels a field under water.
#[test]
fn a_field_under_water_leaves_points_in_air_alone() {
    let points = "[[0, 0, 0.2], [0, 0, -0.2]]";
    let body = body("a", (10.0, 1e9), points, 0.0);
    let mut world = world(&format!(
        r#""water": {{"density_kg_m3": 1000, "fields": [{{"force_n": 1, "along": [0, 1, 0], "only_under_water": true}}]}},
        "vehicles": [{{{body}}}]"#
    ));
    steps(&mut world, 1);
    assert!((velocity(&world).y - 0.5 / 10.0 * 0.02).abs() < 1e-12, "{}", velocity(&world));
}

/// Overlapping fields add up: 1 N east, 2 N north.
#[test]
fn fields_add_up() {
    let body = body("a", (SAM_KG, 3.0), SAM_POINTS, 0.0);
    let mut world = world(&format!(
        r#""water": {{"density_kg_m3": 1000, "fields": [{{"force_n": 1, "along": [1, 0, 0]}}, {{"force_n": 2, "along": [0, 5, 0]}}]}},
        "vehicles": [{{{body}, "start": {{"z_m": -10}}}}]"#
    ));
    steps(&mut world, 1);
    assert!((velocity(&world) - DVec3::new(1.0, 2.0, 0.0) / SAM_KG * 0.02).length() < 1e-12, "{}", velocity(&world));
}

/// The mean of ten draws of a standard deviation of 1 N at ten points has one of 1/sqrt(10) N. Of 4000 steps along two axes the estimate
/// scatters by 0.8 %; 4 % is five times that.
#[test]
fn turbulence_is_drawn_for_each_point() {
    let mut world = in_field(1e9, 0.0, r#""along": [0, 0, 1], "gaussian_n": [1, 1, 0]"#);
    let (mut sum, mut before) = (0.0, DVec3::ZERO);
    for _ in 0..4000 {
        steps(&mut world, 1);
        let force_n = (velocity(&world) - before) * (SAM_KG / 0.02);
        before = velocity(&world);
        sum += force_n.truncate().length_squared() / 2.0;
    }
    let deviation_n = (sum / 4000.0).sqrt();
    assert!((deviation_n * 10_f64.sqrt() - 1.0).abs() < 0.04, "{deviation_n}");
}

/// 2128.77 turns a minute at 0.005 N: 10.64385, 2.66096 and 1.18265 N at 1, 2 and 3 m from the tip, and with a cap of 1 N that. The loads
/// of one point fall `g dt^2/2` before the step in which the rotors turn.
#[test]
fn a_propeller_pushes_by_the_square_of_the_distance() {
    for (cap_n, expected_n) in [(100.0, [10.64385, 2.66096, 1.18265]), (1.0, [1.0; 3])] {
        let load = |(number, below_m): (usize, f64)| {
            let body = body(&format!("load{number}"), (5.0, 1.0), "[[0, 0, 0]]", 0.0);
            let z_m = 50.2 - below_m + 0.5 * 9.81 * 0.02 * 0.02;
            format!(r#"{{{body}, "start": {{"x_m": 0.315, "z_m": {z_m}}}, "sensors": {{"imu": {{}}}}}}"#)
        };
        let loads = [1.0, 2.0, 3.0].into_iter().enumerate().map(load).collect::<Vec<_>>().join(", ");
        let mut world = world(&format!(
            r#""water": {{"fields": [{{"propeller": {{"vehicle": "drone", "actuator": "front", "max_force_n": {cap_n}}}}}]}},
            "vehicles": [{loads}, {{"name": "drone", "model": "quadrotor", "start": {{"z_m": 50, "hover": true,
                "commands": {{"front": 2128.77}}}}}}]"#
        ));
        steps(&mut world, 2);
        let felt_m_s2 = numbers(&world, "imu", "accel_z_m_s2");
        for (felt_m_s2, expected_n) in felt_m_s2.iter().zip(expected_n) {
            assert!((-5.0 * felt_m_s2 - expected_n).abs() < 6e-6, "{felt_m_s2} {expected_n}");
        }
        assert_eq!(felt_m_s2.len(), 3);
    }
}

const SQUARE: &str = "[[0.5, 0.5, 0], [0.5, -0.5, 0], [-0.5, 0.5, 0], [-0.5, -0.5, 0]]";

/// A neutral level body of four points feels no force and no moment. 4 N to the east at one of its points from 1 s to 2 s move it as 4 N,
/// not as the quarter that the point bears, and turn it: `r x F = (0.5, 0.5, 0) x (4, 0, 0) = (0, 0, -2)` N m.
#[test]
fn a_force_of_the_script_pulls_whole_at_its_place() {
    let body = body("a", (20.0, 8.0), SQUARE, 0.0);
    let mut world = world(&format!(
        r#""water": {{"density_kg_m3": 1000}}, "vehicles": [{{{body}, "start": {{"z_m": -10}}, "sensors": {{"imu": {{}}}}}}],
        "script": [{{"at_s": 1, "vehicle": "a", "force": {{"world_n": [4, 0, 0], "at_m": [0.5, 0.5, 0]}}}},
            {{"at_s": 1.02, "vehicle": "a", "force": {{"world_n": [0, 0, 0]}}}}]"#
    ));
    steps(&mut world, 50);
    let motion = world.state().vehicles[0].motion.body;
    assert!(motion.velocity.to_array().iter().all(|value| value.abs() < 1e-13), "{motion:?}");
    steps(&mut world, 1);
    let motion = world.state().vehicles[0].motion.body.velocity;
    // Along axes that turn by 5e-5 rad in the step, the speed of 4 mm/s has a part of 2e-7 m/s aside.
    assert!((motion.linear - DVec3::new(4.0 / 20.0 * 0.02, 0.0, 0.0)).length() < 1e-6, "{}", motion.linear);
    assert!((motion.angular - DVec3::new(0.0, 0.0, -2.0 / 8.0 * 0.02)).length() < 1e-12, "{}", motion.angular);
    // The inertial unit feels it: 4 N on 20 kg.
    assert!((numbers(&world, "imu", "accel_x_m_s2")[0] - 0.2).abs() < 1e-4);
    let before = velocity(&world);
    steps(&mut world, 100);
    assert!((velocity(&world) - before).length() < 1e-13, "{before}");
}
