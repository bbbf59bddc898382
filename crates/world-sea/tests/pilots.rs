//! Goals of another kind, and vehicles that are put elsewhere.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{events, numbers, steps, world};
use sim_core::DVec3;

/// From a depth of 20 m over a bottom at -30 m to an altitude of 8 m: 2 m down, and not by the reference of the depth into the ground.
#[test]
fn an_altitude_after_a_depth_is_approached_from_where_the_vehicle_is() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -30}, "water": {"density_kg_m3": 1026},
        "vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -20, "u_m_s": 1.5},
            "sensors": {"imu": {}, "pressure": {}, "altimeter": {}},
            "driver": {"setpoints": {"list": [{"at_s": 0, "depth_m": 20, "yaw_deg": 0, "speed": 1200},
                {"at_s": 60, "altitude_m": 8}]}}}]"#,
    );
    steps(&mut world, 3000);
    let mut least_m = f64::INFINITY;
    for _ in 0..9000 {
        world.step().unwrap();
        least_m = least_m.min(numbers(&world, "vehicles", "altitude_m")[0]);
    }
    assert!(least_m > 6.0, "{least_m}");
    assert!((numbers(&world, "vehicles", "altitude_m")[0] - 8.0).abs() < 0.5);
}

/// The fix of the surface at x = 0 tells nothing of a place that is 100 m to the east and under water.
#[test]
fn a_vehicle_that_is_put_elsewhere_knows_where_it_is() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "torpedo", "sensors": {"imu": {}, "gnss": {}, "pressure": {}, "dvl": {}},
            "driver": {"waypoints": {"points": [{"x_m": 5, "y_m": 0}, {"x_m": 500, "y_m": 0, "depth_m": 10}],
                "speed": 500, "radius_m": 10}}}],
        "terrain": {"flat_z_m": -60},
        "script": [{"at_s": 10, "vehicle": "a", "teleport": {"x_m": 100, "y_m": 300, "z_m": -20}}]"#,
    );
    steps(&mut world, 500);
    let told = events(&mut world, 50);
    assert!(told.iter().all(|(_, what)| !what.contains("arrival")), "{told:?}");
    let (believed_m, true_m) =
        (world.state().vehicles[0].pilot.navigator.place_m(), world.state().vehicles[0].motion.body.position_m);
    assert!(true_m.distance(DVec3::new(100.0, 300.0, -20.0)) < 5.0, "{true_m}");
    assert!(believed_m.distance(true_m) < 2.0, "believes {believed_m}, is at {true_m}");
}

/// The route ends at its second point; a vehicle that is put back goes there once more.
#[test]
fn a_route_begins_again_where_the_vehicle_is_put() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "otter", "sensors": {"imu": {}, "gnss": {}},
            "driver": {"waypoints": {"points": [{"x_m": 10, "y_m": 0}, {"x_m": 20, "y_m": 0}], "speed": 90, "radius_m": 4}}}],
        "script": [{"at_s": 60, "vehicle": "a", "teleport": {"x_m": 0, "z_m": 0}}]"#,
    );
    let first: Vec<String> = events(&mut world, 3000).into_iter().map(|(_, what)| what).collect();
    let again: Vec<String> = events(&mut world, 3000).into_iter().map(|(_, what)| what).collect();
    let passes = |told: &[String]| {
        told.iter()
            .filter(|what| what.starts_with("waypoint") || what.starts_with("arrival"))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(passes(&first).len(), 2, "{first:?}");
    assert_eq!(passes(&again), passes(&first));
}

/// The Otter starts within the radius of its first two waypoints and of its last: one step passes all of them, and each is told.
#[test]
fn all_waypoints_that_are_passed_in_a_step_are_told() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "otter", "sensors": {"imu": {}, "gnss": {}},
            "driver": {"waypoints": {"points": [{"x_m": 2, "y_m": 0}, {"x_m": 4, "y_m": 0}, {"x_m": 6, "y_m": 0}], "speed": 90}}}]"#,
    );
    let told: Vec<String> = events(&mut world, 1).into_iter().map(|(_, what)| what).collect();
    assert_eq!(told, ["waypoint 0 waypoint 0", "waypoint 0 waypoint 1", "arrival 0 waypoint 2"]);
    let metrics = sim_world::World::finish(&mut world);
    let passed = metrics.iter().find(|metric| metric.name == "waypoints_passed").unwrap();
    assert_eq!(passed.value, 3.0);
}

/// An echo sounder that reaches 30 m tells its height over the water where the bottom is 60 m deep: the velocity log is believed.
#[test]
fn a_sounder_out_of_reach_is_not_an_altitude() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -60}, "water": {"density_kg_m3": 1026},
        "vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -20, "u_m_s": 1.5},
            "sensors": {"imu": {}, "pressure": {}, "altimeter": {"reach_m": 30}, "dvl": {}},
            "driver": {"setpoints": {"list": [{"at_s": 0, "altitude_m": 10, "yaw_deg": 0, "speed": 1200}]}}}]"#,
    );
    steps(&mut world, 3000);
    let altitude_m = numbers(&world, "vehicles", "altitude_m")[0];
    assert!(altitude_m < 38.0, "{altitude_m}");
}

/// A SAM 12 m over the bottom that is to hold 10 m, propellers at rest: ballast lets it sink, and keeps it there.
#[test]
fn sam_holds_an_altitude_at_rest_by_ballast_and_battery() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -20}, "water": {"density_kg_m3": 997},
        "vehicles": [{"name": "a", "model": "sam", "start": {"z_m": -8},
            "sensors": {"imu": {}, "dvl": {"velocities": {"every_ms": 20}, "ranges": {"every_ms": 20}}},
            "driver": {"setpoints": {"list": [{"altitude_m": 10, "speed": 0}]}}}]"#,
    );
    steps(&mut world, 30_000);
    for _ in 0..5000 {
        world.step().unwrap();
        let altitude_m = numbers(&world, "vehicles", "altitude_m")[0];
        assert!((altitude_m - 10.0).abs() < 0.1, "{altitude_m}");
    }
}

/// At the fewest decisions a second that are not warned of, a BlueROV comes to its heading and a quadrotor to its place, and both stay.
#[test]
fn drivers_hold_at_the_lowest_rate_without_a_warning() {
    let mut rov = world(
        r#""step_hz": 10, "water": {"density_kg_m3": 1000}, "vehicles": [{"name": "a", "model": "bluerov2", "start": {"z_m": -10},
            "sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 10, "yaw_deg": 90}]}}}]"#,
    );
    let mut drone = world(
        r#""step_hz": 20, "vehicles": [{"name": "a", "model": "quadrotor", "start": {"z_m": 5},
            "sensors": {"imu": {}, "gnss": {"sensing": {"every_ms": 20}}}, "driver": {"hover": {"list": [{"x_m": 1, "z_m": 6}]}}}]"#,
    );
    let mut seldom = world(
        r#""vehicles": [{"name": "a", "model": "quadrotor", "start": {"z_m": 5},
            "sensors": {"imu": {}, "gnss": {"sensing": {"every_ms": 60}}}, "driver": {"hover": {"list": [{"x_m": 1, "z_m": 6}]}}}]"#,
    );
    steps(&mut rov, 300);
    steps(&mut drone, 600);
    steps(&mut seldom, 1500);
    for _ in 0..200 {
        [&mut rov, &mut drone, &mut seldom].into_iter().for_each(|world| steps(world, 1));
        let yaw_rad = numbers(&rov, "vehicles", "yaw_rad")[0];
        assert!((yaw_rad - std::f64::consts::FRAC_PI_2).abs() < 0.02, "{yaw_rad}");
        for drone in [&drone, &seldom] {
            let place_m = drone.state().vehicles[0].motion.body.position_m;
            assert!(place_m.distance(DVec3::new(1.0, 0.0, 6.0)) < 0.05, "{place_m}");
        }
    }
}

/// A push ahead turns a hull that is longer than high across the flow while it dives; thrusters in the corners keep it level.
#[test]
fn bluerov_dives_level_while_it_pushes_ahead() {
    let mut world = world(
        r#""water": {"level_m": 0}, "vehicles": [{"name": "a", "model": "bluerov2", "start": {"z_m": -1, "pitch_deg": 20, "roll_deg": -25},
            "sensors": {"imu": {}, "pressure": {}, "dvl": {}},
            "driver": {"setpoints": {"list": [{"depth_m": 4, "yaw_deg": 0, "speed": 0.3}]}}}]"#,
    );
    let tilt_deg = |world: &world_sea::SeaWorld| {
        let up = world.state().vehicles[0].motion.body.attitude * DVec3::Z;
        sim_core::ops::acos(up.z.min(1.0)).to_degrees()
    };
    let first_deg = tilt_deg(&world);
    let mut most_deg = 0.0_f64;
    for _ in 0..3000 {
        steps(&mut world, 1);
        most_deg = most_deg.max(tilt_deg(&world));
    }
    assert!(most_deg < first_deg + 3.0, "{most_deg}");
    assert!(tilt_deg(&world) < 2.0, "{}", tilt_deg(&world));
    assert!((numbers(&world, "vehicles", "depth_m")[0] - 4.0).abs() < 0.1);
}

/// A current of 0.4 m/s across and a radius of half a metre: every waypoint is missed, and left behind all the same.
#[test]
fn a_route_goes_on_past_waypoints_that_are_missed() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -30}, "water": {"density_kg_m3": 1026, "currents": [{"uniform_m_s": [0, 0.4, 0]}]},
        "vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -5},
            "sensors": {"imu": {}, "gnss": {}, "pressure": {}, "dvl": {}},
            "driver": {"waypoints": {"speed": 1200, "radius_m": 0.5, "points": [{"x_m": 60, "y_m": 0, "depth_m": 5},
                {"x_m": 60, "y_m": 60, "depth_m": 5}, {"x_m": 0, "y_m": 60, "depth_m": 5}]}}}]"#,
    );
    let mut passed = Vec::new();
    for _ in 0..10_000 {
        let place_m = world.state().vehicles[0].motion.body.position_m;
        let told = events(&mut world, 1).into_iter().map(|(_, text)| text);
        passed.extend(told.filter(|text| !text.starts_with("saturated")).map(|text| (text, place_m)));
    }
    let names: Vec<&str> = passed.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(names, ["waypoint 0 waypoint 0", "waypoint 0 waypoint 1", "arrival 0 waypoint 2"]);
    // The planes are x = 60, y = 60 and x = 0; a step is 0.05 m, and the place is reckoned.
    let at_plane = [passed[0].1.x - 60.0, passed[1].1.y - 60.0, passed[2].1.x];
    assert!(at_plane.iter().all(|off_m| off_m.abs() < 0.5), "{at_plane:?}");
}
