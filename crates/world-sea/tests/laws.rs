//! What must hold of every run on the sea.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, model, numbers, steps, world};
use sea_sim::spatial::Vec6;
use sim_core::{DVec3, RunKey, ops};
use sim_world::{Fork, Input, Model, Value, World};
use world_sea::SeaWorld;

/// A vehicle of 30 kg and 0.03 m3: neutral in water of 1000 kg/m3.
const NEUTRAL: &str = r#""water": {"density_kg_m3": 1000, "currents": [{"uniform_m_s": [0.3, 0.1, 0.05]}]},
    "vehicles": [{"name": "a", "model": "custom",
        "start": {"z_m": -100, "u_m_s": 0.3, "v_m_s": 0.1, "w_m_s": 0.05}}]"#;

#[test]
fn a_neutral_body_that_moves_with_a_uniform_current_keeps_its_velocity() {
    let mut world = world(NEUTRAL);
    steps(&mut world, 30_000);
    let velocity = world.state().vehicles[0].motion.body.velocity;
    let error = velocity - Vec6::new(DVec3::new(0.3, 0.1, 0.05), DVec3::ZERO);
    assert!(error.to_array().iter().all(|error| error.abs() < 1e-12), "{error:?}");
    // The place is that of the water, up to the rounding of 30 000 sums.
    let way_m = world.state().vehicles[0].motion.body.position_m - DVec3::new(180.0, 60.0, -70.0);
    assert!(way_m.length() < 1e-8, "{way_m}");
}

#[test]
fn a_body_at_rest_in_a_current_ends_up_with_the_water() {
    let mut world = world(&NEUTRAL.replace(r#", "u_m_s": 0.3, "v_m_s": 0.1, "w_m_s": 0.05"#, ""));
    steps(&mut world, 50);
    let early = (world.state().vehicles[0].motion.body.world_velocity_m_s() - DVec3::new(0.3, 0.1, 0.05)).length();
    steps(&mut world, 29_950);
    let late = (world.state().vehicles[0].motion.body.world_velocity_m_s() - DVec3::new(0.3, 0.1, 0.05)).length();
    assert!(early > 0.05 && late < 0.01, "{early} {late}");
}

/// A REMUS that turns and dives.
fn manoeuvre(x_m: f64, y_m: f64, yaw_deg: f64) -> SeaWorld {
    world(&format!(
        r#""vehicles": [{{"name": "a", "model": "remus100",
            "start": {{"x_m": {x_m}, "y_m": {y_m}, "z_m": -60, "yaw_deg": {yaw_deg}, "u_m_s": 1,
                "commands": {{"propeller": 1200, "rudder": 0.1, "stern": -0.03}}}}}}]"#
    ))
}

#[test]
fn the_same_commands_give_the_same_motion_from_everywhere() {
    let poses = [(0.0, 0.0, 0.0), (100.0, -40.0, 90.0), (-350.0, 20.0, 217.0), (12.5, 900.0, -33.3)];
    let mut runs = poses.map(|(x, y, yaw)| manoeuvre(x, y, yaw));
    for _ in 0..60 {
        runs.iter_mut().for_each(|run| steps(run, 50));
        let [first, others @ ..] = runs.each_ref().map(|run| run.state().vehicles[0].motion.body);
        for (other, (x_m, y_m, yaw_deg)) in others.iter().zip(&poses[1..]) {
            let error = (other.velocity - first.velocity).to_array();
            assert!(error.iter().all(|error| error.abs() < 1e-9), "{error:?}");
            let (sin, cos) = ops::sin_cos(yaw_deg.to_radians());
            let way_m = first.position_m;
            let turned = DVec3::new(x_m + cos * way_m.x - sin * way_m.y, y_m + sin * way_m.x + cos * way_m.y, way_m.z);
            assert!(other.position_m.distance(turned) < 1e-9, "{} {turned}", other.position_m);
        }
    }
    // It did turn and did not stand.
    assert!(runs[0].state().vehicles[0].motion.body.velocity.angular.z.abs() > 0.05);
}

const REMUS: &str = r#"{"name": "remus", "model": "remus100", "start": {"x_m": 0, "z_m": -5, "u_m_s": 1},
    "sensors": {"imu": {"device": "adis16448"}, "pressure": {"sensing": {"noise_std": 50}},
        "dvl": {"device": "pathfinder"}, "range": {"sensing": {"noise_std": 0.1, "every_ms": 100}}},
    "driver": {"setpoints": {"list": [{"depth_m": 8, "yaw_deg": 40, "speed": 1200}]}}}"#;
const OTTER: &str = r#"{"name": "otter", "model": "otter", "start": {"x_m": 30},
    "sensors": {"imu": {"device": "sparton_m2"}, "gnss": {"sensing": {"noise_std": 0.1, "loss": 0.1}}},
    "driver": {"setpoints": {"list": [{"yaw_deg": -90, "speed": 80}]}}}"#;
const BUOY: &str = r#"{"name": "buoy", "model": "buoy", "start": {"x_m": -30},
    "sensors": {"compass": {"sensing": {"noise_std": 0.01}}}}"#;
const SEA: &str = r#""terrain": {"flat_z_m": -25}, "beacons": [{"name": "b", "x_m": 10, "y_m": 10, "z_m": -3}],
    "water": {"waves": {"kind": "jonswap", "height_m": 0.5, "period_s": 5, "components": 20},
        "currents": [{"gauss_markov": {"std_m_s": 0.1, "correlation_s": 20}}],
        "fields": [{"along": [1, 0, 0], "force_n": 0.5, "gaussian_n": [0.1, 0.1, 0.1]}]}"#;

fn fleet(vehicles: &[&str]) -> SeaWorld {
    world(&format!("{SEA}, \"vehicles\": [{}]", vehicles.join(", ")))
}

/// Motion and readings of the vehicle with a name, as bits.
fn of(world: &SeaWorld, name: &str) -> String {
    let number = world.model().vehicle(name).unwrap();
    let run = &world.state().vehicles[number];
    format!("{:?} {:?}", run.motion, run.sensors)
}

#[test]
fn a_vehicle_more_and_another_order_leave_the_others_as_they_were() {
    let mut alone = fleet(&[REMUS]);
    let mut all = fleet(&[REMUS, OTTER, BUOY]);
    let mut shuffled = fleet(&[BUOY, REMUS, OTTER]);
    for _ in 0..20 {
        [&mut alone, &mut all, &mut shuffled].into_iter().for_each(|world| steps(world, 25));
        assert_eq!(of(&alone, "remus"), of(&all, "remus"));
        for name in ["remus", "otter", "buoy"] {
            assert_eq!(of(&all, name), of(&shuffled, name));
        }
    }
}

#[test]
fn runs_repeat_bit_for_bit_and_seeds_differ() {
    let model = model(&format!("{SEA}, \"vehicles\": [{REMUS}, {OTTER}]"));
    let hash = |key: RunKey, drops: bool| {
        let mut world = SeaWorld::new(model.clone(), key).unwrap();
        for _ in 0..300 {
            world.step().unwrap();
            if drops {
                world.drop_scratch();
            }
        }
        let mut fork = world.fork();
        fork.step(&[]).unwrap();
        world.step().unwrap();
        assert_eq!(fork.state_hash(), world.state_hash());
        world.state_hash()
    };
    assert_eq!(hash(KEY, false), hash(KEY, false));
    assert_ne!(hash(KEY, false), hash(RunKey { run_index: 1, ..KEY }, false));
    assert_ne!(hash(KEY, false), hash(RunKey { seed: 2, ..KEY }, false));
}

#[test]
fn a_step_does_not_allocate() {
    let mut world = fleet(&[REMUS, OTTER, BUOY]);
    steps(&mut world, 100);
    let count = test_alloc::allocations_of(|| steps(&mut world, 500));
    assert_eq!(count, 0);
}

#[test]
fn contact_does_not_allocate() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -5}, "water": {"density_kg_m3": 900},
        "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -4.7}},
            {"name": "b", "model": "custom", "start": {"z_m": -4.2}}]"#,
    );
    steps(&mut world, 200);
    let count = test_alloc::allocations_of(|| steps(&mut world, 200));
    assert_eq!(count, 0);
}

/// Commands, setpoints, places that are taken and places that are refused.
#[test]
fn rows_from_outside_do_not_allocate() {
    let mut world = world(
        r#""terrain": {"generated": {"from_m": [-100, -100], "size_m": [200, 200], "relief_m": 0, "base_z_m": -20}},
        "vehicles": [{"name": "a", "model": "sam", "start": {"z_m": -5}, "sensors": {"imu": {}, "pressure": {}, "dvl": {}},
            "driver": {"setpoints": {"list": [{"depth_m": 5, "yaw_deg": 0, "speed": 500}]}}},
            {"name": "b", "model": "evolo", "start": {"x_m": 30}}]"#,
    );
    steps(&mut world, 100);
    let place = |name: &str| world.model().inputs().iter().position(|stream| stream.name == name).unwrap();
    let [commands, setpoints, teleport] = ["commands", "setpoints", "teleport"].map(place);
    let number = Value::Number;
    let propeller = [Value::Integer(0), Value::Text("propeller_front"), number(300.0)];
    let mut deeper = [Value::Missing; 8];
    (deeper[0], deeper[2]) = (Value::Integer(0), number(7.0));
    let to = |vehicle: i64, [x, y, z]: [Option<f64>; 3]| {
        let [x, y, z] = [x, y, z].map(|value| value.map_or(Value::Missing, number));
        [Value::Integer(vehicle), x, y, z, Value::Missing, Value::Missing, Value::Missing]
    };
    // Elsewhere, beyond the border, below the bottom, in it with its hull; another vehicle elsewhere.
    let places = [
        to(0, [Some(10.0), Some(5.0), Some(-6.0)]),
        to(0, [Some(900.0), None, None]),
        to(0, [None, None, Some(-21.0)]),
        to(0, [None, None, Some(-19.98)]),
        to(1, [Some(20.0), None, None]),
    ];
    let mut inputs: Vec<Input<'_>> =
        vec![Input { stream: commands, row: &propeller }, Input { stream: setpoints, row: &deeper }];
    inputs.extend(places.iter().map(|row| Input { stream: teleport, row }));
    world.step_with(&inputs).unwrap();
    let refused = world.events().iter().filter(|event| event.kind == "refused").count();
    assert_eq!((refused, world.state().vehicles[1].motion.body.position_m.x), (3, 20.0));
    let count = test_alloc::allocations_of(|| (0..20).for_each(|_| world.step_with(&inputs).unwrap()));
    assert_eq!(count, 0);
}

/// A wave of 1 m and 6 s that travels east on deep water: eta = A cos(k x - w t), and its motion fades as exp(k z).
#[test]
fn probes_tell_the_water_of_airy_waves() {
    let mut world = world(
        r#""water": {"density_kg_m3": 1000, "waves": {"kind": "regular", "height_m": 1, "period_s": 6},
            "probes": [{"name": "p", "x_m": 0, "y_m": 0, "z_m": -3}]},
        "vehicles": [{"name": "s", "model": "station", "start": {"x_m": 50, "z_m": -3}}]"#,
    );
    let omega = std::f64::consts::TAU / 6.0;
    let (k, amplitude_m) = (omega * omega / 9.81, 0.5);
    for step in 1..300_u32 {
        steps(&mut world, 1);
        let phase = -omega * f64::from(step) * 0.02;
        let decay = ops::exp(-3.0 * k);
        let expected = [
            ("eta_m", amplitude_m * ops::cos(phase)),
            ("vx_m_s", amplitude_m * omega * decay * ops::cos(phase)),
            ("vy_m_s", 0.0),
            ("vz_m_s", amplitude_m * omega * decay * ops::sin(phase)),
            ("pressure_pa", 1000.0 * 9.81 * (3.0 + amplitude_m * decay * ops::cos(phase))),
        ];
        for (column, expected) in expected {
            let found = numbers(&world, "water", column)[0];
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{column} {found} {expected}");
        }
    }
}
