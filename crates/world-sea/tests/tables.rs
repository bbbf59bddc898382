//! Rows of streams that tell more than the truth and readings: waypoints ahead, forces, sound, a log without lock, watchdogs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{model, numbers, step_with, steps, world};
use sim_core::ops;
use sim_world::{Model, Value};
use world_sea::SeaWorld;

/// Names of the streams of a scenario.
fn streams(members: &str) -> Vec<String> {
    model(members).outputs().iter().map(|stream| stream.name.to_string()).collect()
}

/// A boat at the origin that drives to waypoints.
fn boat(name: &str, points: &str) -> String {
    format!(
        r#"{{"name": "{name}", "model": "otter", "start": {{"y_m": 0}}, "sensors": {{"imu": {{}}, "gnss": {{}}}},
        "driver": {{"waypoints": {{"points": [{points}], "speed": 60, "radius_m": 4}}}}}}"#
    )
}

/// Values of PROJ for the grid around Asko: 100 m east, 100 m north, and 1000 m east with 500 m south of the origin. Their digits stand
/// for 0.1 mm.
#[test]
fn waypoints_by_latitude_are_where_the_grid_says() {
    let places = [
        (58.811_446_188, 17.597_907_341, [100.0, 0.0]),
        (58.812_378_169, 17.596_245_082, [0.0, 100.0]),
        (58.806_646_052, 17.613_133_650, [1000.0, -500.0]),
    ];
    let boats = places.iter().enumerate().map(|(number, (lat_deg, lon_deg, _))| {
        let boat = boat(&format!("b{number}"), &format!(r#"{{"lat_deg": {lat_deg}, "lon_deg": {lon_deg}}}"#));
        boat.replace(r#""y_m": 0"#, &format!(r#""y_m": {}"#, 5 * number))
    });
    let boats = boats.collect::<Vec<_>>().join(", ");
    let world = world(&format!(
        r#""origin": {{"lat_deg": 58.811481, "lon_deg": 17.596178, "frame": "grid"}}, "vehicles": [{boats}]"#
    ));
    let found = numbers(&world, "waypoints", "x_m").into_iter().zip(numbers(&world, "waypoints", "y_m"));
    for ((x_m, y_m), (_, _, [east_m, north_m])) in found.zip(places) {
        assert!((x_m - east_m).abs() < 1e-3 && (y_m - north_m).abs() < 1e-3, "{x_m} {y_m}");
    }
    assert_eq!(numbers(&world, "waypoints", "vehicle"), [0.0, 1.0, 2.0]);
}

/// The second of two waypoints is ahead once the boat is within 4 m of the first; it is 2 m above a bottom at -20 m.
#[test]
fn the_waypoint_ahead_is_the_next_after_one_is_passed() {
    let boat = boat("a", r#"{"x_m": 10, "y_m": 0, "depth_m": 3}, {"x_m": 60, "y_m": 5, "altitude_m": 2}"#);
    let station = r#"{"name": "s", "model": "station", "start": {"x_m": -50}}"#;
    let mut world = world(&format!(
        r#""terrain": {{"flat_z_m": -20}}, "water": {{"level_m": 1}}, "vehicles": [{station}, {boat}]"#
    ));
    let row = |world: &SeaWorld| {
        ["vehicle", "waypoint", "x_m", "y_m", "z_m", "radius_m"].map(|column| numbers(world, "waypoints", column)[0])
    };
    assert_eq!(row(&world), [1.0, 0.0, 10.0, 0.0, -2.0, 4.0]);
    let mut passed_at_m = f64::NAN;
    for _ in 0..1500 {
        steps(&mut world, 1);
        if row(&world)[1] == 1.0 {
            passed_at_m = numbers(&world, "waypoints", "from_x_m")[0];
            break;
        }
    }
    assert_eq!(row(&world), [1.0, 1.0, 60.0, 5.0, -18.0, 4.0]);
    // Within a fix, a tenth of a second at 2 m/s, of the circle.
    assert!((passed_at_m - 6.0).abs() < 0.3, "{passed_at_m}");
    assert_eq!(numbers(&world, "waypoints", "from_x_m")[0], numbers(&world, "vehicles", "x_m")[1]);
}

#[test]
fn without_a_route_there_are_no_waypoints() {
    let names = streams(r#""vehicles": [{"name": "s", "model": "station"}]"#);
    assert_eq!(names, ["vehicles", "events"]);
}

/// Sound speed after Mackenzie and absorption after Francois and Garrison, worked out from the published formulas by an independent script:
/// the Baltic at 20 m, the ocean at 50 m. Half a unit of the last digit.
#[test]
fn sound_follows_from_temperature_salinity_and_acidity() {
    let tables = [
        (r#""temperature_c": 8, "salinity_psu": 7, "ph": 8"#, (-20, 1447.5171), [0.2539, 1.2298, 9.2868, 76.8969]),
        (r#""temperature_c": 10, "salinity_psu": 35, "ph": 8"#, (-50, 1490.6188), [0.9565, 4.963, 33.3995, 109.1982]),
    ];
    for (water, (z_m, speed_m_s), absorption_db_km) in tables {
        let mut world = world(&format!(
            r#""water": {{{water}, "probes": [{{"name": "p", "x_m": 0, "y_m": 0, "z_m": {z_m}}},
                {{"name": "in_air", "x_m": 0, "y_m": 0, "z_m": 1}}]}},
            "vehicles": [{{"name": "s", "model": "station"}}]"#
        ));
        assert_eq!(numbers(&world, "sound", "frequency_hz"), [10e3, 25e3, 100e3, 450e3]);
        assert_eq!(numbers(&world, "sound", "depth_m"), [-f64::from(z_m); 4]);
        for (found, expected) in numbers(&world, "sound", "absorption_db_km").iter().zip(absorption_db_km) {
            assert!((found - expected).abs() < 6e-5, "{found} {expected}");
        }
        for found in numbers(&world, "sound", "sound_speed_m_s") {
            assert!((found - speed_m_s).abs() < 6e-5, "{found} {speed_m_s}");
        }
        steps(&mut world, 1);
        assert!(numbers(&world, "sound", "depth_m").is_empty());
    }
}

#[test]
fn sound_is_told_at_frequencies_that_are_asked_for() {
    let probed = |sound_hz: &str| {
        format!(
            r#""water": {{"sound_hz": {sound_hz}, "probes": [{{"name": "p", "x_m": 0, "y_m": 0, "z_m": -50}}]}},
            "vehicles": [{{"name": "s", "model": "station"}}]"#
        )
    };
    assert_eq!(streams(&probed("[]")), ["vehicles", "water", "events"]);
    let world = world(&probed("[900000]"));
    assert!((numbers(&world, "sound", "absorption_db_km")[0] - 298.6289).abs() < 6e-5);
}

/// 80 m above the bottom nothing comes back from within 50 m; 30 m above it all does.
#[test]
fn a_log_without_lock_says_so() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -100}, "script": [{"at_s": 1, "vehicle": "a", "teleport": {"z_m": -70}}],
        "vehicles": [{"name": "a", "model": "station", "start": {"z_m": -20},
            "sensors": {"dvl": {"ranges": {"every_ms": 200}, "velocities": {"every_ms": 200}}}}]"#,
    );
    let row = |world: &SeaWorld| {
        let columns = ["taken_s", "u_m_s", "altitude_m", "beam_1_m", "beam_4_m", "lock"];
        columns.map(|column| numbers(world, "dvl", column).first().copied())
    };
    let missing = |value: Option<f64>| value.is_some_and(f64::is_nan);
    for step in 1..=50 {
        let told = row(&world);
        if (step - 1) % 10 == 0 {
            assert!(told[1..5].iter().all(|&value| missing(value)) && told[5] == Some(0.0), "{told:?}");
        } else {
            assert_eq!(told, [None; 6]);
        }
        steps(&mut world, 1);
    }
    steps(&mut world, 10);
    let told = row(&world);
    let slant_m = 30.0 / ops::cos(22.5_f64.to_radians());
    assert!((told[2].unwrap() - 30.0).abs() < 1e-9 && (told[3].unwrap() - slant_m).abs() < 1e-9, "{told:?}");
    assert_eq!((told[1], told[5]), (Some(0.0), Some(1.0)));
}

/// The propeller of `custom` expects 2 commands a second, the vehicle something from outside every second: 500 turns at step 50, then
/// nothing. The actuator gives up 26 steps later, the first with an age above 0.5 s, and had heard 50/26 times a second at most.
#[test]
fn a_watchdog_tells_how_often_something_came() {
    let mut world = world(r#""vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -10}, "watchdog_s": 1}]"#);
    steps(&mut world, 49);
    step_with(&mut world, &[("commands", &[Value::Integer(0), Value::Text("main"), Value::Number(500.0)])]).unwrap();
    let mut told = Vec::new();
    for _ in 0..100 {
        steps(&mut world, 1);
        let watchdogs = world.events().iter().filter(|event| event.kind == "watchdog");
        told.extend(watchdogs.map(|event| (event.tick.0, event.object.to_string(), event.value, event.unit)));
    }
    // One over 26 steps of 0.02 s, and over 51 of them.
    let expected = [(76, "actuator 0".to_owned(), 1.0 / 0.52, "Hz"), (101, "input".to_owned(), 50.0 / 51.0, "Hz")];
    assert_eq!(told, expected);
}

/// Forces on a vehicle by source: force and moment, six numbers each.
fn forces(world: &SeaWorld, vehicle: usize) -> Vec<[f64; 6]> {
    let columns =
        ["x_n", "y_n", "z_n", "roll_n_m", "pitch_n_m", "yaw_n_m"].map(|column| numbers(world, "forces", column));
    (8 * vehicle..8 * vehicle + 8).map(|row| columns.each_ref().map(|column| column[row])).collect()
}

fn sum(forces: &[[f64; 6]]) -> [f64; 6] {
    forces.iter().fold([0.0; 6], |sum, force| std::array::from_fn(|axis| sum[axis] + force[axis]))
}

/// `M_RB + M_A` of `custom`: 30 kg, 2 cm below the origin, with inertias about that place, and its added mass.
const CUSTOM_M: [[f64; 6]; 6] = [
    [40.0, 0.0, 0.0, 0.0, 0.5 - 0.6, 0.0],
    [0.0, 55.0, 0.0, 0.6 - 0.5, 0.0, 0.0],
    [0.0, 0.0, 60.0, 0.0, 0.0, 0.0],
    [0.0, 0.6 - 0.5, 0.0, 1.4 + 0.012, 0.0, 0.0],
    [0.5 - 0.6, 0.0, 0.0, 0.0, 5.0 + 0.012, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 5.0],
];

/// A body that turns and dives under a propeller, in a field: the sum of its forces is the inertia times the acceleration that its inertial
/// unit and its gyro tell. Rates over 1 ms on both sides of a step differ from those at the step by a third derivative: 1e-4 of the force.
#[test]
fn forces_add_up_to_inertia_times_acceleration() {
    let mut world = world(
        r#""step_hz": 1000, "trace": {"forces": true},
        "water": {"density_kg_m3": 1000, "fields": [{"along": [1, 2, 3], "force_n": 7}]},
        "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -20, "yaw_deg": 40, "pitch_deg": 10, "roll_deg": -5,
            "u_m_s": 0.8, "v_m_s": -0.2, "w_m_s": 0.1, "p_deg_s": 10, "q_deg_s": -7, "r_deg_s": 15, "commands": {"main": 900}},
            "driver": {"commands": [{"at_s": 0, "actuator": "main", "value": 900}]}}]"#,
    );
    steps(&mut world, 400);
    let before = world.state().vehicles[0].motion.body.velocity;
    steps(&mut world, 1);
    let told = forces(&world, 0);
    let motion = world.state().vehicles[0].motion;
    steps(&mut world, 1);
    let after = world.state().vehicles[0].motion.body.velocity;
    let rate = ((after - before) * 500.0).to_array();
    let expected: [f64; 6] = CUSTOM_M.map(|row| row.iter().zip(rate).map(|(m, a)| m * a).sum());
    for (found, expected) in sum(&told).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4 * 20.0, "{:?} {expected}", sum(&told));
    }
    // At the very moment, by the vehicle's own equation of motion: equal up to rounding.
    let vehicle = &world.model().vehicles[0].vehicle;
    let push = sim_core::DVec3::new(1.0, 2.0, 3.0).normalize() * 7.0;
    let world_load = sea_sim::spatial::Vec6::new(push, sim_core::DVec3::ZERO);
    let loads = sea_sim::body::Loads { world: world_load, ..Default::default() };
    let rate = vehicle.rates(&motion, &world.sea(), &loads, 0.401).unwrap().acceleration.to_array();
    let expected: [f64; 6] = CUSTOM_M.map(|row| row.iter().zip(rate).map(|(m, a)| m * a).sum());
    for (found, expected) in sum(&told).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{:?} {expected}", sum(&told));
    }
    // 30 kg weigh 294.3 N and displace as much; the propeller pulls 2e-5 N n^2 once it has run up, tau 0.2 s.
    let length = |force: &[f64; 6]| (force[0] * force[0] + force[1] * force[1] + force[2] * force[2]).sqrt();
    let [_, weight, buoyancy, _, waves, actuators, fields, contact] = &told[..] else { panic!() };
    assert!((length(weight) - 294.3).abs() < 1e-9 && (length(buoyancy) - 294.3).abs() < 1e-9);
    assert!((length(fields) - 7.0).abs() < 1e-12 && *waves == [0.0; 6] && *contact == [0.0; 6]);
    let turns = 900.0 * (1.0 - ops::exp(-0.401_f64 / 0.2));
    assert!((actuators[0] - 2e-5 * turns * turns).abs() < 1e-9, "{actuators:?}");
}

/// At rest on the bottom contact carries what buoyancy does not: 30 kg less 27 kg, 29.43 N. Between contacts a step's fall of 0.2 m/s2 is
/// damped by less than 0.2 N.
#[test]
fn contact_carries_the_rest_of_the_weight() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -5}, "water": {"density_kg_m3": 900}, "trace": {"forces": true},
        "vehicles": [{"name": "s", "model": "station", "start": {"x_m": 40}},
            {"name": "a", "model": "custom", "start": {"z_m": -4.7, "yaw_deg": 30}}]"#,
    );
    steps(&mut world, 1500);
    // The station has no forces.
    assert_eq!(numbers(&world, "forces", "vehicle"), [1.0; 8]);
    let told = forces(&world, 0);
    assert!((told[7][2] - 29.43).abs() < 0.2, "{:?}", told[7]);
    assert!((told[1][2] + told[2][2] + 29.43).abs() < 1e-6, "{told:?}");
}

#[test]
fn forces_are_written_on_demand_alone() {
    let body = r#""vehicles": [{"name": "a", "model": "custom"}]"#;
    assert!(!streams(body).contains(&"forces".to_owned()));
    assert!(streams(&format!(r#""trace": {{"forces": true}}, {body}"#)).contains(&"forces".to_owned()));
}

/// A pool of 40 particles in a box of 10 x 4 x 2 m that pushes east with 2 N: at 0.5 m/s for each newton they move 1 m/s, 3 s of a life at
/// most. Those that begin within 3 m of the eastern wall leave the box before.
const POOL: &str = r#""trace": {"particles": {"count": 40, "lifetime_s": 3, "m_s_per_n": 0.5, "radius_m": 0.1}},
    "water": {"fields": [{"along": [3, 0, 0], "force_n": 2, "box_m": [[-5, 2, -8], [5, 6, -6]]}]},
    "vehicles": [{"name": "s", "model": "station", "start": {"x_m": 40}}]"#;

fn particles(world: &SeaWorld) -> Vec<[f64; 4]> {
    let columns = ["x_m", "y_m", "z_m", "life"].map(|column| numbers(world, "particles", column));
    (0..columns[0].len()).map(|number| columns.each_ref().map(|column| column[number])).collect()
}

#[test]
fn particles_stay_strictly_inside_and_begin_again() {
    let mut world = world(POOL);
    let (mut before, mut ages) = (particles(&world), [0; 40]);
    let (mut ended_early, mut ended_by_age) = (0, 0);
    for _ in 0..1000 {
        steps(&mut world, 1);
        let now = particles(&world);
        assert_eq!(now.len(), 40);
        for (number, (now, before)) in now.iter().zip(&before).enumerate() {
            let [x, y, z, life] = *now;
            assert!(-5.0 < x && x < 5.0 && 2.0 < y && y < 6.0 && -8.0 < z && z < -6.0, "{now:?}");
            ages[number] += 1;
            if life == before[3] {
                assert!((x - before[0] - 0.02).abs() < 1e-12 && (y, z) == (before[1], before[2]), "{now:?}");
                assert!(ages[number] < 150);
                continue;
            }
            assert_eq!(life, before[3] + 1.0);
            let has_left = before[0] + 0.02 >= 5.0;
            (ended_early, ended_by_age) = (ended_early + i32::from(has_left), ended_by_age + i32::from(!has_left));
            // The first lives are as old at the start as their number says.
            assert!(has_left || ages[number] == 150 || before[3] == 0.0, "{} {before:?}", ages[number]);
            ages[number] = 0;
        }
        before = now;
    }
    // A life that begins evenly over 10 m lasts `0.7 x 3 s + 0.3 x 1.5 s` on average: 40 particles begin about 40 x 20 / 2.55 = 314 lives
    // in 20 s, 30 % of them leave early.
    assert!((290..340).contains(&(ended_early + ended_by_age)), "{ended_early} {ended_by_age}");
    assert!((70..120).contains(&ended_early), "{ended_early}");
}

#[test]
fn particles_have_draws_of_their_own() {
    let first = particles(&world(POOL));
    assert_eq!(first, particles(&world(POOL)));
    let more = particles(&world(&POOL.replace(r#""count": 40"#, r#""count": 60"#)));
    assert_eq!(first[..], more[..40]);
    // They fill the box: thirds of its length hold a third each, within four standard deviations of 3.
    let in_third = |third: i32| first.iter().filter(|at| ((at[0] + 5.0) / 10.0 * 3.0) as i32 == third).count();
    assert!((0..3).all(|third| (2..26).contains(&in_third(third))));
    let mut with = world(POOL);
    let mut without =
        world(&POOL.replace(r#""particles": {"count": 40, "lifetime_s": 3, "m_s_per_n": 0.5, "radius_m": 0.1}"#, ""));
    [&mut with, &mut without].into_iter().for_each(|world| steps(world, 50));
    assert!(without.state().particles.is_empty());
    assert_eq!(with.state().vehicles[0].motion, without.state().vehicles[0].motion);
}

/// Around the tip of a propeller, 0.2 m ahead of it, with a reach of 3 m: no particle is farther from it.
#[test]
fn particles_show_the_cone_of_a_propeller() {
    let mut world = world(
        r#""trace": {"particles": {"count": 30}},
        "water": {"fields": [{"propeller": {"vehicle": "drone", "actuator": "front", "reach_m": 3}}]},
        "vehicles": [{"name": "drone", "model": "quadrotor", "start": {"z_m": 50, "hover": true}}]"#,
    );
    for _ in 0..200 {
        steps(&mut world, 1);
        let body = world.state().vehicles[0].motion.body;
        // The rotor is 0.315 m ahead of the middle; the drone has sunk a little while its rotors began to turn.
        let tip_m = body.position_m + body.attitude * sim_core::DVec3::new(0.315, 0.0, 0.2);
        for at in particles(&world) {
            let distance_m = sim_core::DVec3::from_slice(&at[..3]).distance(tip_m);
            assert!(distance_m < 3.0 + 0.01, "{distance_m}");
        }
    }
}

/// All that a view names is there: streams with their owners, and columns.
#[test]
fn a_view_names_only_what_its_runs_have() {
    let boat = boat("a", r#"{"x_m": 10, "y_m": 0}"#);
    let both = POOL.replace(r#""vehicles": ["#, &format!(r#""vehicles": [{boat}, "#));
    for members in [POOL, &both] {
        let model = model(members);
        let view = model.view();
        let stream = |name: &str| model.outputs().iter().find(|stream| stream.name == name);
        for party in &view.parties {
            let stream = stream(&party.stream).unwrap();
            assert!(matches!(stream.cadence, sim_world::Cadence::Sampled { .. }));
            let columns = party.linear.iter().chain(&party.while_same).chain(&party.angles);
            columns.for_each(|column| assert!(stream.column(column).is_some(), "{column}"));
        }
        let parties: Vec<&str> = view.parties.iter().map(|party| party.stream.as_str()).collect();
        for mark in &view.marks {
            assert!(mark.of.iter().all(|of| parties.contains(&of.as_str())), "{mark:?}");
            let layers = || view.layers.iter().map(|layer| layer.name.as_str()).chain(["grid"]);
            assert!(mark.layer.iter().all(|layer| layers().any(|known| known == layer)), "{mark:?}");
        }
        assert_eq!(parties.contains(&"waypoints"), members != POOL);
    }
}
