//! Keys of cubes, magnets and contact: each reaches what it names. "Facts" are the toio facts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::DVec2;
use sim_world::World;
use test_runs::{key, mat_model, scenario};
use toio_cube_sim::{Characteristic, Printed};
use world_mat::cubes::Direction;
use world_mat::world::MatWorld;

/// A cube over a perfect link on a collection mat whose middle, dot (250, 250), lies at (300, 300) mm; beside it anything.
fn one_cube(keys: &str, program: &str, rest: &str) -> String {
    format!(
        r#""step_hz": 50, "agents": {{"count": 0}}, "feet": {{"count": 0}}, "patches": {{"count": 0}},
           "mat": {{"printed": [{{"kind": "collection-ring", "x_mm": 300, "y_mm": 300}}]}},
           "cubes": [{{"name": "a", "at_dot": [250, 250], "radio": {{"link": "perfect"}}, {keys} "program": [{program}]}}] {rest}"#
    )
}

fn start(members: &str) -> MatWorld {
    MatWorld::new(mat_model(members), key(0)).unwrap()
}

fn after(members: &str, steps: u64) -> MatWorld {
    let mut world = start(members);
    (0..steps).for_each(|_| world.step().unwrap());
    world
}

/// Every notification of a characteristic, with its step.
fn notified(members: &str, steps: u64, characteristic: Characteristic) -> Vec<(u64, Vec<u8>)> {
    let mut world = start(members);
    let mut all = Vec::new();
    for _ in 0..steps {
        world.step().unwrap();
        let told = world.messages().iter();
        let told = told.filter(|m| m.direction == Direction::Notify && m.characteristic == characteristic);
        all.extend(told.map(|m| (world.tick().0, m.bytes.clone())));
    }
    all
}

/// Commands of the motors in the first step that has any.
fn first_units(members: &str) -> [f64; 2] {
    let mut world = start(members);
    for _ in 0..100 {
        world.step().unwrap();
        let units = world.cubes().unwrap().view(0).actuators().motor_units;
        if units != [0.0; 2] {
            return units;
        }
    }
    panic!("the motors get no command");
}

fn read_dots(world: &MatWorld) -> [i32; 3] {
    match *world.cubes().unwrap().view(0).printed() {
        Printed::Position(id) => [id.centre_x, id.centre_y, id.centre_deg].map(i32::from),
        ref other => panic!("{other:?}"),
    }
}

fn place_mm(world: &MatWorld) -> DVec2 {
    world.cubes().unwrap().view(0).place_mm()
}

fn wheels_m_s(world: &MatWorld) -> [f64; 2] {
    world.cubes().unwrap().view(0).body().wheels.map(|wheel| wheel.motor_m_s)
}

/// Facts, section 6.2 and 9: 12 dots away is there for the device (15 on each axis), not for the Unity simulator (10).
#[test]
fn arrival_is_a_key() {
    let go = r#"{"at_s": 0.1, "motor_target": {"x": 262, "y": 250, "turn": "none"}}"#;
    let left_dot = |keys| 262 - read_dots(&after(&one_cube(keys, go, ""), 200))[0];
    assert_eq!(left_dot(""), 12);
    assert!(left_dot(r#""behaviour": {"arrival": "unity"},"#) < 10);
    let unity = r#""profile": "unity", "center": "body_center", "#;
    assert!(left_dot(unity) < 10);
    assert_eq!(left_dot(&format!(r#"{unity} "behaviour": {{"arrival": "specified"}},"#)), 12);
}

/// toio-spec, "Motor control", target angle: option 5 has no turn, so a cube keeps the heading of its way, 90 degrees along +y but for the
/// angle at which 15 dots on each axis are left. Option 0 turns it to the angle, to 4 degrees.
#[test]
fn a_target_without_an_angle_leaves_the_heading_as_it_comes() {
    let heading_deg = |keys: &str| {
        let place = format!(r#""x": 250, "y": 330{keys}"#);
        let one = format!(r#"{{"at_s": 0.1, "motor_target": {{"max_speed": 40, {place}}}}}"#);
        let many = format!(r#"{{"at_s": 0.1, "motor_targets": {{"max_speed": 40, "targets": [{{{place}}}]}}}}"#);
        [one, many].map(|go| read_dots(&after(&one_cube("", &go, ""), 400))[2])
    };
    assert!(heading_deg("").iter().all(|deg| (deg - 90).abs() < 25), "{:?}", heading_deg(""));
    for keys in [r#", "angle_deg": 0"#, r#", "turn": "shorter""#, r#", "angle_deg": 0, "turn": "shorter""#] {
        let turned = heading_deg(keys);
        assert!(turned.iter().all(|&deg| deg.min(360 - deg) <= 5), "{keys} {turned:?}");
    }
}

/// Facts, section 15: a target at 90 degrees, type 0, largest speed 80: (156.539, 3.461) before limiting; both lowered by as much give
/// (115, -38.078), the left one first (115, 3.461).
#[test]
fn limiting_is_a_key() {
    let go = r#"{"at_s": 0.1, "motor_target": {"x": 250, "y": 350, "max_speed": 80}}"#;
    for (keys, right) in [("", -38.078), (r#""behaviour": {"limiting": "left_first"},"#, 3.461)] {
        let [left_units, right_units] = first_units(&one_cube(keys, go, ""));
        assert!((left_units - 115.0).abs() < 1e-3 && (right_units - right).abs() < 1e-3, "{left_units} {right_units}");
    }
}

/// Facts, section 6.2: 90 degrees from the heading at the time of writing, 0, or from that on arrival, about 90.
#[test]
fn the_origin_of_relative_angles_is_a_key() {
    let go = r#"{"at_s": 0.1, "motor_targets": {"max_speed": 40,
        "targets": [{"x": 250, "y": 330, "turn": "relative_clockwise", "angle_deg": 90}]}}"#;
    for (keys, expected_deg) in [("", 90), (r#""behaviour": {"relative_origin": "arrival"},"#, 180)] {
        let [_, _, deg] = read_dots(&after(&one_cube(keys, go, ""), 400));
        // It arrives along +y but for the angle at which 15 dots on each axis are left.
        assert!((deg - expected_deg).abs() < 25, "{keys} {deg}");
    }
}

/// Facts, section 6.2: the device jumps to its speed, the Unity simulator ramps from 0 by 5 units in 100 ms.
#[test]
fn the_first_ramp_is_a_key() {
    let go = r#"{"at_s": 0.1, "motor_accelerate": {"speed": 50, "acceleration": 5}}"#;
    assert_eq!(first_units(&one_cube("", go, "")), [50.0; 2]);
    let ramp = one_cube(r#""behaviour": {"first_ramp": "from_rest"},"#, go, "");
    let units = after(&ramp, 5 + 25).cubes().unwrap().view(0).actuators().motor_units;
    // Half a second after the write, give or take a step of one unit.
    assert!((units[0] - 25.0).abs() <= 1.0 && units[0] == units[1], "{units:?}");
}

/// A moving cube reports as often as its interval allows: in every step of 20 ms, or every half second.
#[test]
fn the_id_interval_is_a_key() {
    let go = r#"{"at_s": 0.1, "motor_run": {"left": 40, "right": 40}}"#;
    let count = |keys| {
        let told = notified(&one_cube(keys, go, ""), 100, Characteristic::Id);
        told.iter().filter(|(step, _)| (50..100).contains(step)).count()
    };
    assert_eq!(count(""), 50);
    assert_eq!(count(r#""behaviour": {"id_interval_ms": 500},"#), 2);
}

/// A cube that is lifted reports a missed ID after the time that the key names, to the step.
#[test]
fn the_time_of_a_missed_id_is_a_key() {
    let hand = r#", "script": [{"at_s": 0.5, "cube": "a", "lift": {"height_mm": 50, "duration_s": 0.1}}]"#;
    let missed = |keys| {
        let told = notified(&one_cube(keys, "", hand), 100, Characteristic::Id);
        told.iter().find(|(_, bytes)| bytes == &[3]).unwrap().0
    };
    let at_once = missed(r#""behaviour": {"id_missed_ms": 0},"#);
    // 70 ms end in the fourth step of 20 ms.
    assert_eq!(missed(""), at_once + 4);
    assert_eq!(missed(r#""behaviour": {"id_missed_ms": 500},"#), at_once + 25);
}

/// A speed that changes in every step is told once a period.
#[test]
fn the_period_of_the_wheel_speed_is_a_key() {
    let program = r#"{"at_s": 0, "set_wheel_speed": {"on": true}}, {"at_s": 0.5, "motor_accelerate": {"speed": 1, "acceleration": 1}},
        {"at_s": 0.52, "motor_accelerate": {"speed": 100, "acceleration": 5}}"#;
    let count = |keys| {
        let told = notified(&one_cube(keys, program, ""), 125, Characteristic::Motor);
        told.iter().filter(|(step, bytes)| (50..100).contains(step) && bytes[0] == 0xe0).count()
    };
    assert_eq!(count(""), 10);
    assert_eq!(count(r#""behaviour": {"wheel_speed_period_ms": 500},"#), 2);
}

/// Facts, section 8.6: the button holds the motors of the Unity simulator.
#[test]
fn whether_the_button_stops_the_motors_is_a_key() {
    let go = r#"{"at_s": 0.1, "motor_run": {"left": 40, "right": 40}}"#;
    let press = r#", "script": [{"at_s": 0.5, "cube": "a", "press": {"duration_s": 1}}]"#;
    let units = |keys| after(&one_cube(keys, go, press), 50).cubes().unwrap().view(0).actuators().motor_units;
    assert_eq!(units(""), [40.0; 2]);
    assert_eq!(units(r#""behaviour": {"button_stops_motors": true},"#), [0.0; 2]);
    assert_eq!(units(r#""profile": "unity", "behaviour": {"button_stops_motors": false},"#), [40.0; 2]);
}

/// Facts, section 9: at a flat threshold of 10 degrees a roll of 75 is within the fixed cone of the left side (6), and in the shrunken one
/// of none, so that the posture stays (1).
#[test]
fn posture_cones_are_a_key() {
    let program = r#"{"at_s": 0.1, "set_flat_threshold": {"tilt_deg": 10}}, {"at_s": 2, "request_motion": {}}"#;
    let tilt = r#", "script": [{"at_s": 0.5, "cube": "a", "tilt": {"roll_deg": 75}}]"#;
    for (keys, posture) in [("", 6), (r#""behaviour": {"posture_cones": "flat_threshold"},"#, 1)] {
        let told = notified(&one_cube(keys, program, tilt), 150, Characteristic::Sensor);
        assert_eq!(told.last().unwrap().1[4], posture, "{keys}");
    }
}

/// Facts, section 2.3: Euler's rule with 40 ms gains a quarter of what is missing in 10 ms; the exact law with 28.9 ms 1 - exp(-10 / 28.9).
#[test]
fn the_law_of_the_lag_is_a_key() {
    let go = r#"{"at_s": 0.1, "motor_run": {"left": 100, "right": 100}}"#;
    for (keys, share) in [("", 0.2925), (r#""behaviour": {"lag_law": "unity"},"#, 0.25)] {
        let members = one_cube(keys, go, "").replace(r#""step_hz": 50"#, r#""step_hz": 100"#);
        let mut world = start(&members);
        let speed_m_s = (0..100).find_map(|_| {
            world.step().unwrap();
            Some(wheels_m_s(&world)[0]).filter(|&speed| speed > 0.0)
        });
        let units = speed_m_s.unwrap() / 0.002_814_343;
        assert!((units - 100.0 * share).abs() < 0.02, "{keys} {units}");
    }
}

/// Facts, section 2.3: without a client the wheels of the Unity simulator stand at once; a motor's lag lets them run out.
#[test]
fn the_forced_stop_is_a_key() {
    let program = r#"{"at_s": 0.1, "motor_run": {"left": 100, "right": 100}}, {"at_s": 1, "disconnect": {}}"#;
    let run = |keys: &str| {
        let members = one_cube(keys, program, "");
        (wheels_m_s(&after(&members, 52)), place_mm(&after(&members, 52)).x, place_mm(&after(&members, 100)).x)
    };
    let (wheels, from_mm, to_mm) = run(r#""behaviour": {"forced_stop": true},"#);
    assert!(wheels == [0.0; 2] && (to_mm - from_mm).abs() < 0.2, "{wheels:?} {from_mm} {to_mm}");
    let (wheels, from_mm, to_mm) = run("");
    // A speed that fades with 28.9 ms goes on for as long at its present value.
    assert!(wheels[0] > 0.05 && to_mm - from_mm > 0.7 * 28.9 * wheels[0], "{wheels:?} {from_mm} {to_mm}");
}

/// Yaw in fractions of degrees, the last that was notified.
fn yaw_deg(keys: &str, at_s: f64, rest: &str) -> f64 {
    let program = format!(r#"{{"at_s": {at_s}, "request_attitude": {{"format": "fine_euler"}}}}"#);
    let steps = (50.0 * at_s) as u64 + 5;
    let told = notified(&one_cube(keys, &program, rest), steps, Characteristic::Sensor);
    let bytes = &told.iter().rfind(|(_, bytes)| bytes[..2] == [3, 3]).unwrap().1;
    f32::from_le_bytes([bytes[10], bytes[11], bytes[12], bytes[13]]).into()
}

/// The drift is linear in its factor (docs/models/attitude.md), and none at 0.
#[test]
fn the_drift_of_the_yaw_is_a_key() {
    let at_rest = |drift| yaw_deg(&format!(r#""attitude": {{"drift": {drift}, "turn_error": 0}},"#), 20.0, "");
    let [none, usual, triple] = [0, 1, 3].map(at_rest);
    assert!(none.abs() < 1e-3, "{none}");
    assert!(usual.abs() > 0.05 && (triple - 3.0 * usual).abs() < 1e-3, "{usual} {triple}");
    assert!((yaw_deg(r#""attitude": {"turn_error": 0},"#, 20.0, "") - usual).abs() < 1e-6);
}

/// A cube that is turned once by hand is wrong by its share of the turn: twice as much for twice the error, and no more than it.
#[test]
fn the_error_of_turns_is_a_key() {
    let turn = r#", "script": [{"at_s": 0.5, "cube": "a", "turn": {"angle_deg": 360, "duration_s": 2}}]"#;
    let error_deg = |error: f64| {
        let keys = format!(r#""attitude": {{"drift": 0, "turn_error": {error}}},"#);
        yaw_deg(&keys, 4.0, turn)
    };
    let [none, tenth, fifth] = [0.0, 0.1, 0.2].map(error_deg);
    assert!(none.abs() < 0.05, "{none}");
    assert!((tenth - none).abs() > 0.1 && (tenth - none).abs() < 36.1, "{tenth}");
    assert!((fifth - none - 2.0 * (tenth - none)).abs() < 1e-3, "{none} {tenth} {fifth}");
}

/// Facts, section 9: a level cube at yaw 0 is (1, 0, 0, 0), and in the form of 2021, rolled by 180 degrees, (0, 1, 0, 0), each
/// component rounded down to a multiple of 0.0001.
#[test]
fn the_form_of_the_quaternion_is_a_key() {
    let program = r#"{"at_s": 1, "request_attitude": {"format": "quaternion"}}"#;
    let quaternion = |form: &str| {
        let keys = format!(r#""attitude": {{"drift": 0, "turn_error": 0{form}}},"#);
        let told = notified(&one_cube(&keys, program, ""), 60, Characteristic::Sensor);
        let bytes = told.iter().find(|(_, bytes)| bytes[..2] == [3, 2]).unwrap().1.clone();
        [2, 6, 10, 14].map(|at| f64::from(f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])))
    };
    let near = |found: [f64; 4], expected: [f64; 4]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 2.1e-4), "{found:?}");
    };
    near(quaternion(""), [1.0, 0.0, 0.0, 0.0]);
    near(quaternion(r#", "quaternion": "documented""#), [1.0, 0.0, 0.0, 0.0]);
    let faulty = quaternion(r#", "quaternion": "firmware2021""#);
    near(faulty, [0.0, 1.0, 0.0, 0.0]);
    assert!(faulty.iter().all(|c| (c * 1e4 - (c * 1e4).round()).abs() < 1e-3), "{faulty:?}");
}

/// 36 mA are 0.01 mAh a second: a hundredth of 1 mAh, and half of it of 2 mAh.
#[test]
fn capacity_and_currents_are_keys() {
    let lost = |battery: &str| {
        let program =
            r#"{"at_s": 0, "motor_run": {"left": 115, "right": -115}}, {"at_s": 0, "light": {"rgb": [255, 255, 255]}}"#;
        let world = after(&one_cube(&format!(r#""battery": {{{battery}}},"#), program, ""), 501);
        100.0 - world.cubes().unwrap().view(0).firmware().charge_percent()
    };
    // Ten seconds; programs begin within a step of 20 ms.
    for (battery, percent) in [
        (r#""capacity_mah": 1, "base_ma": 36, "motor_ma": 0, "lamp_ma": 0"#, 10.0),
        (r#""capacity_mah": 2, "base_ma": 36, "motor_ma": 0, "lamp_ma": 0"#, 5.0),
        (r#""capacity_mah": 1, "base_ma": 0, "motor_ma": 36, "lamp_ma": 0"#, 20.0),
        (r#""capacity_mah": 1, "base_ma": 0, "motor_ma": 0, "lamp_ma": 36"#, 10.0),
    ] {
        assert!((lost(battery) - percent).abs() < 0.005 * percent, "{battery}: {}", lost(battery));
    }
    // docs/models/lamp-and-sound.md: 60 + 2 * 58 + 15 mA of 260 mAh.
    assert!((lost("") - 100.0 * 191.0 / 260.0 * 10.0 / 3600.0).abs() < 0.002, "{}", lost(""));
}

/// Facts, section 8.7, in closed form: two charges of 9 q at l above and below the middle, d over the sensor, make
/// 9 q / (4 pi mu0) (1 / (d - l)² - 1 / (d + l)²); a unit of strength is 450 A/m.
#[test]
fn charge_and_sizes_of_a_magnet_are_keys() {
    let program = r#"{"at_s": 0, "set_magnet": {"mode": "strength", "on_change": false}}"#;
    let strength = |keys: &str| {
        // The sensor is 9.3 mm over the middle of the body, 11.5 mm ahead of it.
        let magnet = format!(r#", "magnets": [{{"cube": "a", "at_mm": [11.5, 0, -19.3], {keys}}}]"#);
        let told = notified(&one_cube("", program, &magnet), 50, Characteristic::Sensor);
        told.iter().find(|(_, bytes)| bytes[0] == 2).unwrap().1[2]
    };
    let expected = |charge_mx: f64, half_length_m: f64| {
        let (low, high) = (0.01 - half_length_m, 0.01 + half_length_m);
        let flux = 9.0 * charge_mx * 1e-8 / (4.0 * std::f64::consts::PI * 1.2566e-6);
        (flux * (1.0 / (low * low) - 1.0 / (high * high)) / 450.0).round() as u8
    };
    let found = [(100, 2.0), (300, 2.0), (300, 4.0)].map(|(charge, half_mm)| {
        strength(&format!(r#""charge_mx": {charge}, "half_length_mm": {half_mm}, "pitch_mm": 0"#))
    });
    assert_eq!(found, [expected(100.0, 0.002), expected(300.0, 0.002), expected(300.0, 0.004)]);
    assert_eq!(found, [11, 33, 86]);
    // Wider faces are weaker on the axis.
    assert!(strength(r#""charge_mx": 300, "half_length_mm": 4, "pitch_mm": 5"#) < 60);
}

/// Coulomb: 25 g weigh 0.245 N, 13 / 16.8 of it on the wheels: they hold 0.038 N at 0.2 and 0.171 N at 0.9, the skid 0.011 N.
#[test]
fn the_friction_of_standing_tyres_is_a_key() {
    let push =
        r#", "script": [{"at_s": 0.5, "cube": "a", "push": {"force_n": 0.12, "direction_deg": 0, "duration_s": 0.5}}]"#;
    let moved_mm = |contact: &str| {
        let members = one_cube("", "", push).replace(r#""mat": {"#, &format!(r#""mat": {{"contact": {contact}, "#));
        place_mm(&after(&members, 75)).x - place_mm(&start(&members)).x
    };
    assert!(moved_mm("{}") > 20.0);
    assert!(moved_mm(r#"{"resting_friction": 0.9}"#).abs() < 0.5);
    // A smooth tyre brings down the friction of one that stands.
    assert!(moved_mm(r#"{"tyre_friction": 0.1}"#) > moved_mm("{}") + 5.0);
}

/// What is left out stays out of the resolved scenario; what is written stands in it.
#[test]
fn keys_that_are_left_out_are_not_written() {
    let plain = scenario(&one_cube("", "", "")).resolved;
    for key in ["behaviour", "\"battery\"", "\"attitude\"", "resting_friction", "border", "chargers"] {
        assert!(!plain.contains(key), "{key}");
    }
    let chosen = scenario(&one_cube(r#""behaviour": {"lag_law": "unity", "id_missed_ms": 30},"#, "", "")).resolved;
    assert!(chosen.contains(r#""lag_law": "unity""#) && chosen.contains(r#""id_missed_ms": 30"#), "{chosen}");
}
