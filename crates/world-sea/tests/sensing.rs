//! What sensors tell of a run, and what drivers make of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{events, numbers, steps, world};
use sim_world::Model;
use std::fs;
use std::path::Path;
use world_sea::MEASURES;

/// Steps until a stream has rows, at most so many; the last row's column.
fn next(world: &mut world_sea::SeaWorld, stream: &str, column: &str) -> f64 {
    for _ in 0..100 {
        world.step().unwrap();
        if let Some(number) = numbers(world, stream, column).last() {
            return *number;
        }
    }
    panic!("no row of {stream}");
}

#[test]
fn an_inertial_unit_at_rest_on_the_bottom_feels_gravity_alone() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -5}, "water": {"density_kg_m3": 900},
        "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -4.7, "yaw_deg": 30}, "sensors": {"imu": {}}}]"#,
    );
    steps(&mut world, 1500);
    for (column, expected) in [("accel_x_m_s2", 0.0), ("accel_y_m_s2", 0.0), ("accel_z_m_s2", 9.81)] {
        let found = next(&mut world, "imu", column);
        assert!((found - expected).abs() < 1e-3, "{column} {found}");
    }
    assert!((next(&mut world, "imu", "yaw_rad") - 30_f64.to_radians()).abs() < 1e-3);
}

/// 10 m of water of 997 and 1025 kg/m^3 below the air: 199130.7 and 201877.5 Pa. A gauge that ends between them says so where it does.
#[test]
fn a_pressure_gauge_flags_the_end_of_its_range() {
    for (density, expected_pa, saturated) in [(997, 199_130.7, 0.0), (1025, 200_000.0, 1.0)] {
        let mut world = world(&format!(
            r#""water": {{"density_kg_m3": {density}}}, "vehicles": [{{"name": "a", "model": "station", "start": {{"z_m": -10}},
                "sensors": {{"pressure": {{"sensing": {{"range": [0, 200000]}}}}}}}}]"#
        ));
        let pressure_pa = next(&mut world, "pressure", "pressure_pa");
        assert!((pressure_pa - expected_pa).abs() < 0.05, "{pressure_pa}");
        assert_eq!(numbers(&world, "pressure", "saturated"), [saturated]);
    }
    let world = world(r#""vehicles": [{"name": "a", "model": "station", "sensors": {"pressure": {}}}]"#);
    let stream = world.model().outputs().iter().find(|stream| stream.name == "pressure").unwrap();
    let names: Vec<_> = stream.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["step", "time_s", "vehicle", "sensor", "taken_s", "pressure_pa", "saturated"]);
}

/// Water from the step at 1 s to that at 2 s; of the measurements every 200 ms those of steps 60, 70, 80, 90 and 100 find it.
#[test]
fn a_leak_detector_counts_its_finds() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "station", "sensors": {"leak": {"every_ms": 200}}}],
        "script": [{"at_s": 1, "vehicle": "a", "leak": true}, {"at_s": 2, "vehicle": "a", "leak": false}]"#,
    );
    let mut told = Vec::new();
    for _ in 0..120 {
        steps(&mut world, 1);
        let rows = numbers(&world, "leak", "leak").into_iter().zip(numbers(&world, "leak", "count"));
        told.extend(rows.map(|(leak, count)| (world.state().tick.0, leak, count)));
    }
    let dry = [1, 2, 3, 4, 5].map(|k| (10 * k, 0.0, 0.0));
    let wet = [1, 2, 3, 4, 5].map(|k| (50 + 10 * k, 1.0, k as f64));
    let after = [11, 12].map(|k| (10 * k, 0.0, 5.0));
    assert_eq!(told, [&dry[..], &wet, &after].concat());
}

/// A field of 20 N ahead on a neutral body of 30 kg that drags 10 kg of water along: 20 N / 40 kg, at the start and after the first step.
/// The centre of gravity 2 cm below the origin and the coupling of the added mass make it pitch: `[40, -0.1; -0.1, 5.012] a = [20, 0]`.
#[test]
fn a_field_is_felt_from_the_start_on() {
    let mut world = world(
        r#""water": {"density_kg_m3": 1000, "fields": [{"along": [0, 1, 0], "force_n": 20}]},
        "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -10, "yaw_deg": 90}, "sensors": {"imu": {}}}]"#,
    );
    let expected_m_s2 = 20.0 * 5.012 / (40.0 * 5.012 - 0.01);
    let at_start_m_s2 = numbers(&world, "imu", "accel_x_m_s2")[0];
    assert!((at_start_m_s2 - expected_m_s2).abs() < 1e-9, "{at_start_m_s2} {expected_m_s2}");
    steps(&mut world, 1);
    // Linear damping of 10 N s/m over a step of 20 ms takes 0.25 % on the mean.
    let after_m_s2 = numbers(&world, "imu", "accel_x_m_s2")[0];
    assert!((after_m_s2 / expected_m_s2 - 1.0).abs() < 0.005, "{after_m_s2}");
}

/// Turn rates and attitude arrive at once, the specific force of the step before with them: two rows, as many as the stream's limit says.
#[test]
fn readings_of_one_moment_share_a_row_whatever_arrives_between_them() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "station",
            "sensors": {"imu": {"accelerometer": {"every_ms": 20, "delay_ms": 20}}}}]"#,
    );
    steps(&mut world, 2);
    assert_eq!(numbers(&world, "imu", "taken_s"), [0.04, 0.02]);
    let is_told =
        |column: &str| numbers(&world, "imu", column).iter().map(|value| value.is_finite()).collect::<Vec<_>>();
    assert_eq!(is_told("gyro_x_rad_s"), [true, false]);
    assert_eq!(is_told("roll_rad"), [true, false]);
    assert_eq!(is_told("accel_x_m_s2"), [false, true]);
}

/// A quadrotor that hovers over another one does not feel its own rotor; the one below is pushed down.
#[test]
fn a_propeller_does_not_push_its_own_vehicle() {
    let mut world = world(
        r#""water": {"fields": [{"propeller": {"vehicle": "drone", "actuator": "front", "max_force_n": 100}}]},
        "vehicles": [{"name": "drone", "model": "quadrotor", "start": {"z_m": 50,
                "commands": {"front": 2128.77, "right": 2128.77, "back": 2128.77, "left": 2128.77}}, "sensors": {"imu": {}}},
            {"name": "load", "model": "quadrotor", "start": {"x_m": 0.315, "z_m": 47.8}, "sensors": {"imu": {}}}]"#,
    );
    steps(&mut world, 2);
    let [own_m_s2, felt_m_s2] = numbers(&world, "imu", "accel_z_m_s2")[..] else { panic!() };
    assert!((own_m_s2 - 9.81).abs() < 1e-6, "{own_m_s2}");
    assert!(felt_m_s2 < -0.1, "{felt_m_s2}");
}

/// A neutral body that drifts: the log tells the velocity over the bottom, the gauge the weight of the water, the beacon its distance.
#[test]
fn a_drifting_body_is_told_its_drift_and_its_depth() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -30}, "beacons": [{"name": "b", "x_m": 3, "y_m": 4, "z_m": -10}],
        "water": {"density_kg_m3": 1000, "currents": [{"uniform_m_s": [0.3, 0.1, 0]}]},
        "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -10, "yaw_deg": 90, "u_m_s": 0.1, "v_m_s": -0.3},
            "sensors": {"dvl": {"velocities": {"every_ms": 20}, "ranges": {"every_ms": 20}}, "compass": {},
                "pressure": {"sensing": {"every_ms": 20}}, "range": {"sensing": {"every_ms": 20}}, "altimeter": {}}}]"#,
    );
    // At the start nothing has moved: a distance of 5 m.
    assert_eq!(numbers(&world, "range", "range_m"), [5.0]);
    // North is ahead: a current to the east sets it to the right.
    for (stream, column, expected) in [
        ("dvl", "u_m_s", 0.1),
        ("dvl", "v_m_s", -0.3),
        ("dvl", "altitude_m", 20.0),
        ("altimeter", "altitude_m", 20.0),
        ("pressure", "pressure_pa", 101_325.0 + 1000.0 * 9.81 * 10.0),
        ("compass", "heading_rad", 0.0),
    ] {
        let found = next(&mut world, stream, column);
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1e-3), "{stream} {column} {found}");
    }
}

#[test]
fn a_receiver_under_water_has_no_fix_and_one_above_has_the_place_on_earth() {
    let vehicles = |z_m: f64| {
        format!(
            r#""origin": {{"lat_deg": 59, "lon_deg": 18}}, "vehicles": [{{"name": "a", "model": "station",
            "start": {{"y_m": 1000, "z_m": {z_m}}}, "sensors": {{"gnss": {{"sensing": {{"every_ms": 20}}}}}}}}]"#
        )
    };
    let mut deep = world(&vehicles(-5.0));
    steps(&mut deep, 10);
    assert!(numbers(&deep, "gnss", "x_m").is_empty());
    let mut high = world(&vehicles(1.0));
    // A degree of latitude is 111 132.954 - 559.822 cos 2p + 1.175 cos 4p m at p = 59 degrees (WGS84): 111 395.1 m.
    let latitude_deg = next(&mut high, "gnss", "lat_deg");
    assert!((latitude_deg - (59.0 + 1000.0 / 111_395.1)).abs() < 1e-7, "{latitude_deg}");
    assert!((next(&mut high, "gnss", "lon_deg") - 18.0).abs() < 1e-9);
}

/// PROJ: Asko (58.811481 N, 17.596178 E) is 33V 649947.1332 E 6521967.5822 N, and 100 m east or north of it on the grid are these places.
#[test]
fn an_origin_by_the_grid_is_the_place_of_another_library() {
    for (x_m, y_m, latitude_deg, longitude_deg) in
        [(0, 0, 58.811481, 17.596178), (100, 0, 58.811446188, 17.597907341), (0, 100, 58.812378169, 17.596245082)]
    {
        let mut world = world(&format!(
            r#""origin": {{"frame": "grid", "utm": {{"zone": 33, "hemisphere": "north", "easting_m": 649947.1332,
                "northing_m": 6521967.5822}}}},
            "vehicles": [{{"name": "a", "model": "station", "start": {{"x_m": {x_m}, "y_m": {y_m}, "z_m": 1}}, "sensors": {{"gnss": {{}}}}}}]"#
        ));
        let found = ["lat_deg", "lon_deg"].map(|column| next(&mut world, "gnss", column));
        // The grid is printed to 0.05 mm, 1e-9 degrees at most, and the places to 5e-10 degrees.
        assert!((found[0] - latitude_deg).abs() < 2e-9 && (found[1] - longitude_deg).abs() < 2e-9, "{found:?}");
    }
}

/// Without a fix the vehicle reckons by its log and attitude; both are perfect here.
#[test]
fn a_vehicle_under_water_knows_its_place_by_reckoning() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -40}, "water": {"density_kg_m3": 1026, "currents": [{"uniform_m_s": [0, 0.2, 0]}]},
        "vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -8, "u_m_s": 1.5},
            "sensors": {"imu": {}, "pressure": {"sensing": {"every_ms": 20}}, "dvl": {"velocities": {"every_ms": 20}}},
            "driver": {"waypoints": {"points": [{"x_m": 150, "y_m": 0, "depth_m": 10}, {"x_m": 150, "y_m": 80, "depth_m": 12}],
                "speed": 1200}}}]"#,
    );
    let told = events(&mut world, 10_000);
    let kinds: Vec<&str> = told.iter().map(|(_, text)| text.as_str()).filter(|text| !text.starts_with("sat")).collect();
    assert_eq!(kinds, ["waypoint 0 waypoint 0", "arrival 0 waypoint 1"]);
    let run = &world.state().vehicles[0];
    let error_m = run.pilot.navigator.place_m().distance(run.motion.body.position_m);
    assert!(error_m < 0.5, "{error_m}");
}

#[test]
fn a_quadrotor_comes_to_its_place_and_stays() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "quadrotor", "start": {"z_m": 3},
            "sensors": {"imu": {}, "gnss": {"antenna_m": [0, 0, 0.1], "sensing": {"every_ms": 20}}},
            "driver": {"hover": {"list": [{"x_m": 2, "y_m": -1, "z_m": 6, "yaw_deg": 90}]}}}]"#,
    );
    steps(&mut world, 1500);
    for (column, expected) in [("x_m", 2.0), ("y_m", -1.0), ("z_m", 6.0), ("yaw_rad", std::f64::consts::FRAC_PI_2)] {
        let found = numbers(&world, "vehicles", column)[0];
        assert!((found - expected).abs() < 0.01, "{column} {found}");
    }
}

#[test]
fn sam_holds_its_depth_at_rest_by_ballast_and_battery() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -20}, "water": {"density_kg_m3": 997},
        "vehicles": [{"name": "a", "model": "sam", "start": {"z_m": -5, "pitch_deg": 3},
            "sensors": {"imu": {}, "dvl": {"velocities": {"every_ms": 20}}, "pressure": {"sensing": {"every_ms": 20}}},
            "driver": {"setpoints": {"list": [{"depth_m": 5, "speed": 0}]}}}]"#,
    );
    steps(&mut world, 10_000);
    for _ in 0..20_000 {
        world.step().unwrap();
        let depth_m = -world.state().vehicles[0].motion.body.position_m.z;
        assert!((depth_m - 5.0).abs() < 0.1, "{depth_m}");
    }
    assert!(numbers(&world, "vehicles", "pitch_rad")[0].abs() < 0.05_f64.to_radians());
}

#[test]
fn the_page_of_the_measures_lists_them_in_their_order() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models/sea-measures.md")).unwrap();
    let first_cells = page.lines().filter(|line| line.starts_with("| `")).map(|line| line.split(" | ").next().unwrap());
    let listed: Vec<&str> = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let names: Vec<&str> = MEASURES.iter().map(|definition| definition.name).collect();
    assert_eq!(listed, names);
}
