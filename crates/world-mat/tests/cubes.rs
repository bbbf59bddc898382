//! Cubes on the mat: what programs and hands bring about, as the tables tell it. "Facts" are the toio facts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use sim_run::scenario::parse;
use sim_run::{Control, run_one};
use sim_world::World;
use sim_worlds::WORLDS;
use std::path::PathBuf;
use test_runs::{key, mat_model, model, table, temporary, traced};
use toio_cube_sim::message_text::text_of_write;
use toio_cube_sim::micros::Micros;
use toio_cube_sim::wire::{Command, MotorCommand, Notification, WheelCommands};
use toio_cube_sim::{Characteristic, PowerState, Printed, Protocol, Refusal};
use world_mat::cubes::{CubesScratch, Direction, Loss};
use world_mat::world::{MatState, MatWorld};

/// Facts, section 2.2: m/s per command unit, in mm/s.
const MM_S_PER_UNIT: f64 = 2.814_343;
/// Facts, section 1.2: mm per dot.
const MM_PER_DOT: f64 = 560.0 / 411.0;

/// No swarm, and a collection mat whose middle, dot (250, 250), lies at (300, 300) mm.
fn members(rest: &str) -> String {
    format!(
        r#""agents": {{"count": 0}}, "feet": {{"count": 0}}, "patches": {{"count": 0}},
           "mat": {{"printed": [{{"kind": "collection-ring", "x_mm": 300, "y_mm": 300}}]}}, {rest}"#
    )
}

/// One cube, over a perfect link, with a program.
fn one_cube(place: &str, program: &str) -> String {
    members(&format!(r#""cubes": [{{"name": "a", {place}, "radio": {{"link": "perfect"}}, "program": [{program}]}}]"#))
}

fn after(members: &str, steps: u64) -> MatWorld {
    let mut world = MatWorld::new(mat_model(members), key(0)).unwrap();
    (0..steps).for_each(|_| world.step().unwrap());
    world
}

/// Every message of a run, with its step.
fn messages(members: &str, steps: u64) -> Vec<(u64, Direction, Characteristic, Vec<u8>)> {
    let mut world = MatWorld::new(mat_model(members), key(0)).unwrap();
    let mut all = Vec::new();
    for _ in 0..steps {
        world.step().unwrap();
        let told = world.messages().iter();
        all.extend(told.map(|m| (world.tick().0, m.direction, m.characteristic, m.bytes.clone())));
    }
    all
}

fn notified(members: &str, steps: u64, characteristic: Characteristic) -> Vec<(u64, Vec<u8>)> {
    let all = messages(members, steps).into_iter();
    all.filter(|m| m.1 == Direction::Notify && m.2 == characteristic).map(|m| (m.0, m.3)).collect()
}

#[test]
fn a_cube_at_rest_reads_the_dot_that_it_was_put_on() {
    for (place, expected) in [
        (r#""at_dot": [100, 400], "heading_deg": 30"#, (100, 400, 30)),
        // 136.25 mm are 100 dots (facts 1.2).
        (r#""at_mm": [436.25, 163.75], "heading_deg": -90"#, (350, 150, 270)),
    ] {
        let world = after(&one_cube(place, ""), 60);
        let Printed::Position(id) = *world.cubes().unwrap().view(0).printed() else { panic!("{place}") };
        assert_eq!((id.centre_x, id.centre_y, id.centre_deg), expected, "{place}");
    }
}

#[test]
fn a_mat_that_is_turned_turns_what_is_read_on_it() {
    let turned = r#""agents": {"count": 0}, "feet": {"count": 0}, "patches": {"count": 0},
        "mat": {"printed": [{"kind": "simple", "x_mm": 0, "y_mm": 0}, {"kind": "simple", "x_mm": 900, "y_mm": 200, "yaw_deg": 120}]},
        "cubes": [{"name": "a", "at_dot": [300, 200], "mat": 1, "heading_deg": 45}]"#;
    let world = after(turned, 60);
    let view = world.cubes().unwrap().view(0);
    let Printed::Position(id) = *view.printed() else { panic!("on no mat") };
    assert_eq!((id.centre_x, id.centre_y, id.centre_deg), (300, 200, 45));
    // The middle of the simple mat is (250, 250): 50 dots right and 50 up, turned by 120 degrees clockwise.
    let (right, down) = (50.0 * MM_PER_DOT, -50.0 * MM_PER_DOT);
    let (sin, cos) = (0.75_f64.sqrt(), -0.5);
    let expected = [900.0 + right * cos - down * sin, 200.0 + right * sin + down * cos];
    assert!((view.place_mm().x - expected[0]).abs() < 0.1 && (view.place_mm().y - expected[1]).abs() < 0.1, "{view:?}");
}

/// Facts, section 2.3: travel from rest to rest is speed per unit times units times time, whatever the lag.
#[test]
fn a_timed_run_goes_as_far_as_the_facts_say() {
    let run = r#"{"at_s": 0.5, "motor_run_for": {"left": 50, "right": 50, "duration_ms": 1000}}"#;
    let world = after(&one_cube(r#""at_mm": [200, 300]"#, run), 180);
    let travel_mm = world.cubes().unwrap().view(0).place_mm().x - 200.0;
    let expected_mm = MM_S_PER_UNIT * 50.0;
    // A step of 1/60 s more or less is 2.3 mm; slip is less.
    assert!((travel_mm - expected_mm).abs() < 2.5, "{travel_mm} {expected_mm}");
}

#[test]
fn a_target_is_reached_and_answered_once() {
    let go = r#"{"at_s": 0.5, "motor_target": {"x": 320, "y": 200, "angle_deg": 90, "request_id": 7}}"#;
    let members = one_cube(r#""at_dot": [250, 250]"#, go);
    let answers = notified(&members, 400, Characteristic::Motor);
    assert_eq!(answers.iter().map(|(_, bytes)| bytes.as_slice()).collect::<Vec<_>>(), [[0x83, 7, 0]]);
    let world = after(&members, 400);
    let Printed::Position(id) = *world.cubes().unwrap().view(0).printed() else { panic!("on no mat") };
    // Facts 6.2: arrived at 15 dots along each axis and 4 degrees. The law of 8.3 turns at 12 degrees a second for each degree of
    // error, and what it sees is two steps old while the wheels lag by 40 ms: up to 10 degrees of coasting.
    assert!(
        id.centre_x.abs_diff(320) <= 17 && id.centre_y.abs_diff(200) <= 17 && id.centre_deg.abs_diff(90) <= 14,
        "{id:?}"
    );
}

#[test]
fn named_commands_and_their_bytes_are_the_same_run() {
    // Facts 14: V07, V10 with other numbers, V16, V22, V43.
    let named = r#"{"at_s": 0.1, "set_id_notification": {"interval_ms": 10, "condition": "on_change"}},
        {"at_s": 0.2, "light": {"rgb": [255, 0, 0], "duration_ms": 160}},
        {"at_s": 0.3, "sound_effect": {"effect": "mat_in"}},
        {"at_s": 0.4, "motor_run_for": {"left": 100, "right": -20, "duration_ms": 100}},
        {"at_s": 1, "motor_target": {"x": 300, "y": 300, "angle_deg": 90, "timeout_s": 5}}"#;
    let raw = r#"{"at_s": 1, "write": "102", "hex": "03 00 05 00 50 00 00 2c 01 2c 01 5a 00"},
        {"at_s": 0.4, "write": "102", "hex": "020101640202140a"},
        {"at_s": 0.3, "write": "104", "hex": "0204ff"},
        {"at_s": 0.2, "write": "103", "hex": "03100101ff0000"},
        {"at_s": 0.1, "write": "1FF", "hex": "18000101"}"#;
    let place = r#""at_dot": [250, 250]"#;
    assert_eq!(after(&one_cube(place, named), 240).state_hash(), after(&one_cube(place, raw), 240).state_hash());
}

/// Facts, section 3.1: an ID is read up to 5 mm below the sensor; section 6.7: it is missed 70 ms later.
#[test]
fn a_lifted_cube_misses_its_id_and_reads_it_again_when_it_is_put_back() {
    let lifted = |height_mm: f64| {
        members(&format!(
            r#""cubes": [{{"name": "a", "at_mm": [300, 300], "radio": {{"link": "perfect"}}}}],
               "script": [{{"at_s": 1, "cube": "a", "lift": {{"height_mm": {height_mm}, "duration_s": 0.2}}}},
                          {{"at_s": 3, "cube": "a", "place": {{"x_mm": 300, "y_mm": 300}}}}]"#
        ))
    };
    let first_bytes = |height_mm| {
        let mut kinds: Vec<u8> =
            notified(&lifted(height_mm), 300, Characteristic::Id).iter().map(|(_, b)| b[0]).collect();
        kinds.dedup();
        kinds
    };
    assert_eq!(first_bytes(4.0), [1], "4 mm are within reach");
    assert_eq!(first_bytes(6.0), [1, 3, 1], "6 mm are not");
}

#[test]
fn a_press_is_told_with_its_release() {
    let members = members(
        r#""cubes": [{"name": "a", "at_mm": [300, 300], "radio": {"link": "perfect"}}],
           "script": [{"at_s": 1, "cube": "a", "press": {"duration_s": 0.5}}]"#,
    );
    let told = notified(&members, 120, Characteristic::Button);
    // Facts 14, V26. The press begins at step 60 and lasts 30 steps.
    assert_eq!(told, [(61, vec![1, 0x80]), (91, vec![1, 0])]);
}

/// Facts 6.5: 3 is rear up and 4 front up, 5 right side up and 6 left side up; flat, collision, double tap, posture, shake.
#[test]
fn what_hands_do_is_what_the_motion_sensor_tells() {
    let told = |script: &str| {
        let cube = r#""cubes": [{"name": "a", "at_mm": [300, 300], "radio": {"link": "perfect"}}]"#;
        notified(&members(&format!(r#"{cube}, "script": [{script}]"#)), 150, Characteristic::Sensor)
    };
    for (tilt, posture) in [
        (r#""pitch_deg": 90"#, 4),
        (r#""pitch_deg": -90"#, 3),
        (r#""roll_deg": -90"#, 5),
        (r#""roll_deg": 90"#, 6),
        (r#""roll_deg": 180"#, 2),
    ] {
        let told = told(&format!(r#"{{"at_s": 0.5, "cube": "a", "tilt": {{{tilt}}}}}"#));
        let last = told.last().unwrap().1.clone();
        // Upside down the bottom is level too.
        assert_eq!((last[1], last[4]), (u8::from(posture == 2), posture), "{tilt}: {told:?}");
    }
    let tap = |at_s: f64| format!(r#"{{"at_s": {at_s}, "cube": "a", "tap": {{"impulse_mn_s": 6}}}}"#);
    let double_taps = |script: &str| told(script).iter().filter(|(_, bytes)| bytes[3] == 1).count();
    assert_eq!(double_taps(&tap(0.5)), 0);
    assert_eq!(double_taps(&format!("{}, {}", tap(0.5), tap(0.8))), 1);
    assert_eq!(double_taps(&format!("{}, {}", tap(0.5), tap(1.5))), 0, "a second is too long for two taps");
    let shake = r#"{"at_s": 0.5, "cube": "a", "shake": {"amplitude_mm": 20, "frequency_hz": 4, "duration_s": 1.5}}"#;
    assert!(told(shake).iter().any(|(_, bytes)| bytes[5] > 0), "{:?}", told(shake));
}

/// Facts 14, V02: Typhoon is Standard ID 3670016.
#[test]
fn a_card_is_read_instead_of_the_mat_below_it() {
    let members = members(
        r#""cards": [{"item": "typhoon", "x_mm": 300, "y_mm": 300, "yaw_deg": 20}],
           "cubes": [{"name": "a", "at_mm": [300, 300], "heading_deg": 41, "radio": {"link": "perfect"}}]"#,
    );
    let told = notified(&members, 10, Characteristic::Id);
    assert_eq!(told[0].1, [0x02, 0x00, 0x00, 0x38, 0x00, 0x15, 0x00]);
}

/// Facts 6.5: state 1 is a magnet on the centre line with N on top, 3 mm above the front of the top face.
#[test]
fn a_magnet_that_a_cube_carries_is_felt() {
    let with = |y_mm: f64, north: i32| {
        members(&format!(
            r#""magnets": [{{"cube": "a", "at_mm": [11.5, {y_mm}, -15.3], "north": [0, 0, {north}]}}],
               "cubes": [{{"name": "a", "at_mm": [300, 300], "heading_deg": 77, "radio": {{"link": "perfect"}},
                 "program": [{{"at_s": 0.1, "set_magnet": {{"mode": "state"}}}}]}}]"#
        ))
    };
    // A cube's Z points down, so that north up is -1. Right is positive.
    for (y_mm, north, state) in [(0.0, -1, 1), (0.0, 1, 2), (3.2, -1, 3), (3.2, 1, 4), (-3.2, -1, 5), (-3.2, 1, 6)] {
        let told = notified(&with(y_mm, north), 30, Characteristic::Sensor);
        assert_eq!(told.last().map(|(_, bytes)| bytes[..2].to_vec()), Some(vec![2, state]), "{y_mm} {north}");
    }
}

/// Eight cubes, one for each heading 45 degrees apart, far enough from one another to feel their own magnet alone. Each has a magnet
/// that stands in the world `over_mm` = (forward, right) of the middle of its body, 5.7 mm over the magnet sensor.
fn eight_headings(over_mm: [f64; 2], north: i32, program: &str, script: &str) -> String {
    let (mut cubes, mut magnets, mut scripts) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..8 {
        let heading_deg = 45.0 * f64::from(k);
        let (sin, cos) = sim_core::ops::sin_cos(f64::to_radians(heading_deg));
        let [x_mm, y_mm] = [150.0 + 150.0 * f64::from(k % 4), 150.0 + 300.0 * f64::from(k / 4)];
        let [forward_mm, right_mm] = over_mm;
        let (east_mm, south_mm) = (forward_mm * cos - right_mm * sin, forward_mm * sin + right_mm * cos);
        cubes.push(format!(
            r#"{{"name": "c{k}", "at_mm": [{x_mm}, {y_mm}], "heading_deg": {heading_deg}, "radio": {{"link": "perfect"}},
                "program": [{{"at_s": 0.1, "set_magnet": {{"mode": "state"}}}} {program}]}}"#
        ));
        magnets.push(format!(
            r#"{{"at_mm": [{}, {}, 26.2], "north": [0, 0, {north}]}}"#,
            x_mm + east_mm,
            y_mm + south_mm
        ));
        if !script.is_empty() {
            scripts.push(format!(r#"{{"at_s": 0.5, "cube": "c{k}", {script}}}"#));
        }
    }
    let [cubes, magnets, scripts] = [cubes, magnets, scripts].map(|entries| entries.join(",\n"));
    members(&format!(r#""cubes": [{cubes}], "magnets": [{magnets}], "script": [{scripts}]"#))
}

/// The magnet states that each cube's client hears, one after another.
fn states_heard(members: &str, steps: u64) -> Vec<Vec<u8>> {
    let mut world = MatWorld::new(mat_model(members), key(0)).unwrap();
    let mut heard = vec![Vec::new(); world.cubes().unwrap().len()];
    for _ in 0..steps {
        world.step().unwrap();
        for told in world.messages() {
            if let Ok(Notification::Magnet(magnet)) = Notification::decode(told.characteristic, &told.bytes)
                && told.direction == Direction::Notify
            {
                heard[told.cube].push(magnet.state as u8);
            }
        }
    }
    heard
}

/// Facts 6.5 and fault 23: a cube that drives along under a magnet is told of it once, as the state of the side and of the pole, and of
/// its end: whichever way it heads.
#[test]
fn a_magnet_passed_on_each_side_is_its_state_at_eight_headings() {
    // The sensor is 11.5 mm ahead of the body's middle; it starts 45 mm before the magnet and goes 90 mm.
    let drive = r#", {"at_s": 0.5, "motor_run_for": {"left": 40, "right": 40, "duration_ms": 800}}"#;
    for (right_mm, north, state) in [(0.0, 1, 1), (0.0, -1, 2), (3.2, 1, 3), (3.2, -1, 4), (-3.2, 1, 5), (-3.2, -1, 6)]
    {
        let heard = states_heard(&eight_headings([11.5 + 45.0, right_mm], north, drive, ""), 120);
        assert_eq!(heard, vec![vec![0, state, 0]; 8], "{right_mm} mm right, north {north}");
    }
}

/// A cube that is turned under a magnet carries its sensor past it sideways: from the right over the middle to the left when it turns
/// clockwise. The sensor goes round at 11.5 mm, so that it begins too far aside for any state.
#[test]
fn a_magnet_that_goes_from_side_to_side_is_three_states_at_eight_headings() {
    for (north, turn_deg, states) in
        [(1, 120, [0, 3, 1, 5]), (1, -120, [0, 5, 1, 3]), (-1, 120, [0, 4, 2, 6]), (-1, -120, [0, 6, 2, 4])]
    {
        let half_turn = f64::to_radians(0.5 * f64::from(turn_deg));
        let (sin, cos) = sim_core::ops::sin_cos(half_turn);
        let turn = format!(r#""turn": {{"angle_deg": {turn_deg}, "duration_s": 2}}"#);
        let heard = states_heard(&eight_headings([11.5 * cos, 11.5 * sin], north, "", &turn), 180);
        assert_eq!(heard, vec![states.to_vec(); 8], "turned by {turn_deg}, north {north}");
    }
}

/// The last motion report of a cube, and how many collisions it has told.
fn last_motion(told: &[(u64, Vec<u8>)]) -> (u8, u8, usize) {
    let last = &told.last().unwrap().1;
    (last[1], last[4], told.iter().filter(|(_, bytes)| bytes[2] == 1).count())
}

/// "Must be shown" 2: dropped flat, flipped, on a side or on an edge, the posture is that of the side that comes to lie on top, and the
/// landing is felt.
#[test]
fn a_dropped_cube_tells_how_it_has_come_to_lie() {
    // Roll, pitch, and the postures in which it may end: an edge has two.
    let drops: [(f64, f64, &[u8]); 8] = [
        (0.0, 0.0, &[1]),
        (180.0, 0.0, &[2]),
        (0.0, -90.0, &[3]),
        (0.0, 90.0, &[4]),
        (-90.0, 0.0, &[5]),
        (90.0, 0.0, &[6]),
        (45.0, 0.0, &[1, 6]),
        (0.0, 45.0, &[1, 4]),
    ];
    for (roll_deg, pitch_deg, postures) in drops {
        let members = members(&format!(
            r#""cubes": [{{"name": "a", "at_mm": [300, 300], "radio": {{"link": "perfect"}}, "program": [
                 {{"at_s": 3.9, "request_motion": {{}}}}]}}],
               "script": [{{"at_s": 0.2, "cube": "a", "lift": {{"height_mm": 80}}}},
                          {{"at_s": 1.2, "cube": "a", "tilt": {{"roll_deg": {roll_deg}, "pitch_deg": {pitch_deg}}}}},
                          {{"at_s": 2, "cube": "a", "lift": {{"height_mm": 40}}}},
                          {{"at_s": 2.8, "cube": "a", "release": {{}}}}]"#
        ));
        let told = notified(&members, 240, Characteristic::Sensor);
        let (is_flat, posture, collisions) = last_motion(&told);
        assert!(postures.contains(&posture), "roll {roll_deg}, pitch {pitch_deg}: {told:?}");
        assert_eq!(is_flat, u8::from(posture <= 2), "roll {roll_deg}, pitch {pitch_deg}: {told:?}");
        assert!(collisions >= 1, "roll {roll_deg}, pitch {pitch_deg}: {told:?}");
    }
}

/// "Must be shown" 2: two cubes head-on feel each other in the same moment, as one collision; the same drive without the other is none.
#[test]
fn cubes_head_on_both_tell_of_one_collision() {
    let run = r#""radio": {"link": "perfect"}, "program": [{"at_s": 0.5, "motor_run_for": {"left": 80, "right": 80, "duration_ms": 900}}]"#;
    let a = format!(r#"{{"name": "a", "at_mm": [220, 300], {run}}}"#);
    let b = format!(r#"{{"name": "b", "at_mm": [380, 300], "heading_deg": 180, {run}}}"#);
    let collisions = |cubes: &str| {
        let mut world = MatWorld::new(mat_model(&members(&format!(r#""cubes": [{cubes}]"#))), key(0)).unwrap();
        let mut felt = vec![Vec::new(); world.cubes().unwrap().len()];
        for _ in 0..120 {
            world.step().unwrap();
            let tick = world.tick().0;
            for told in world.messages().iter().filter(|told| told.direction == Direction::Notify) {
                if told.characteristic == Characteristic::Sensor && told.bytes[2] == 1 {
                    felt[told.cube].push(tick);
                }
            }
        }
        felt
    };
    assert_eq!(collisions(&a), [Vec::<u64>::new()]);
    let felt = collisions(&format!("{a}, {b}"));
    assert!(felt.iter().all(|ticks| ticks.len() == 1) && felt[0] == felt[1], "{felt:?}");
}

/// Facts, section 5: settings return to their defaults on disconnect; so does the interval that was agreed on (V54, and 30 ms of the link).
#[test]
fn a_new_connection_has_the_interval_of_the_scenario() {
    let members = members(
        r#""cubes": [{"name": "a", "at_mm": [300, 300], "radio": {"loss": 0, "interval_ms": 30}, "program": [
            {"at_s": 0.2, "set_connection_interval": {"min_ms": 50, "max_ms": 80}},
            {"at_s": 1, "ask_actual_interval": {}},
            {"at_s": 1.5, "disconnect": {}},
            {"at_s": 1.5, "connect": {}},
            {"at_s": 2, "ask_actual_interval": {}},
            {"at_s": 2.2, "ask_requested_interval": {}}]}]"#,
    );
    let told = notified(&members, 180, Characteristic::Configuration);
    let told: Vec<Vec<u8>> = told.into_iter().map(|(_, bytes)| bytes).collect();
    let hex = ["b2001800", "b00000", "b2002800", "b2002800", "b2001800", "b2001800", "b10008005000"];
    assert_eq!(told, hex.map(bytes));
}

#[test]
fn what_cannot_be_done_is_dropped_and_told() {
    let program = r#"{"at_s": 0.1, "write": "102", "hex": "010101640202"},
        {"at_s": 0.2, "write": "101", "hex": "01"},
        {"at_s": 0.3, "disconnect": {}},
        {"at_s": 0.4, "light_off": {}},
        {"at_s": 0.5, "connect": {}},
        {"at_s": 0.6, "light_off": {}}"#;
    let drops: Vec<(u64, String)> = messages(&one_cube(r#""at_mm": [300, 300]"#, program), 60)
        .into_iter()
        .filter_map(|(step, direction, ..)| match direction {
            Direction::DropWrite(why) => Some((step, why.to_string())),
            _ => None,
        })
        .collect();
    let expected =
        [(6, "wrong length: 6 bytes"), (12, "this characteristic takes no writes"), (24, "no client is connected")];
    assert_eq!(drops, expected.map(|(step, why)| (step, why.to_owned())));
}

/// Facts, section 5: 20 bytes at the default MTU; two targets are 8 + 12 bytes, three are 26.
#[test]
fn the_radio_takes_no_more_than_its_mtu() {
    let go = |targets: &str| {
        members(&format!(
            r#""cubes": [{{"name": "a", "at_dot": [250, 250], "radio": {{"loss": 0}},
               "program": [{{"at_s": 0.1, "motor_targets": {{"targets": [{targets}]}}}}]}}]"#
        ))
    };
    let kinds = |targets: &str| -> Vec<Direction> {
        let all = messages(&go(targets), 30).into_iter();
        all.filter(|m| m.2 == Characteristic::Motor && m.1 != Direction::Notify).map(|m| m.1).collect()
    };
    let targets = |count: usize| vec![r#"{"x": 1, "y": 1}"#; count].join(", ");
    assert_eq!(kinds(&targets(1)), [Direction::Write]);
    assert_eq!(kinds(&targets(2)), [Direction::Write]);
    let three = kinds(&targets(3));
    assert!(matches!(three[..], [Direction::DropWrite(_)]), "{three:?}");
}

/// A write waits in the stacks for 20 ms and then for the next of the events, 30 ms apart.
#[test]
fn the_radio_delays_what_goes_over_it() {
    let members = members(
        r#""step_hz": 200, "cubes": [{"name": "a", "at_dot": [250, 250],
            "radio": {"loss": 0, "interval_ms": 30, "to_cube_delay_ms": [20, 0]},
            "program": [{"at_s": 0.1, "light_off": {}}, {"at_s": 0.311, "light_off": {}}, {"at_s": 0.523, "light_off": {}}]}]"#,
    );
    let writes: Vec<u64> =
        messages(&members, 200).into_iter().filter(|m| m.1 == Direction::Write).map(|m| m.0).collect();
    for (sent_s, step) in [0.1, 0.311, 0.523].into_iter().zip(&writes) {
        let delay_s = *step as f64 / 200.0 - sent_s;
        // One step of 5 ms at either end.
        assert!((0.015..=0.060).contains(&delay_s), "{delay_s}");
    }
    assert_eq!(writes.len(), 3);
}

/// A controller that writes through the same door as programs do moves the cube, and hears what it answers.
#[test]
fn a_controller_outside_drives_a_cube_and_hears_it() {
    let members = one_cube(r#""at_mm": [200, 300]"#, "");
    let model = mat_model(&members);
    let mut state = MatState::start(&model, key(0)).unwrap();
    let run = Command::Motor(MotorCommand::Run(WheelCommands { left: 50, right: 50 }));
    let mut trace = CubesScratch::default();
    state.bodies.cubes_mut().unwrap().send(0, Micros(0), &run, &mut trace);
    assert!(trace.messages().is_empty(), "nothing was dropped");
    let mut world = MatWorld::resume(model, key(0), state);
    let mut heard = Vec::new();
    for _ in 0..60 {
        world.step().unwrap();
        let inbox = world.cubes().unwrap().inbox(0);
        heard.extend(inbox.iter().filter_map(|message| message.decode().ok()));
    }
    assert!(world.cubes().unwrap().view(0).place_mm().x > 320.0);
    let places = heard.iter().filter(|told| matches!(told, Notification::Id(_))).count();
    assert!(places > 20, "{places}");
}

/// The draws of a cube's radio and drift have its own address, and bodies that are apart do not know each other.
#[test]
fn one_more_cube_leaves_the_others_as_they_were() {
    let a = r#"{"name": "a", "at_dot": [250, 250], "radio": {"loss": 0.3},
        "program": [{"at_s": 0.2, "motor_run": {"left": 30, "right": 40}}]}"#;
    let b = r#"{"name": "b", "at_dot": [400, 400], "radio": {"loss": 0.3}}"#;
    let of_a = |cubes: &str| {
        let mut world = MatWorld::new(mat_model(&members(&format!(r#""cubes": [{cubes}]"#))), key(0)).unwrap();
        let mut rows = Vec::new();
        for _ in 0..120 {
            world.step().unwrap();
            let own = world.messages().iter().filter(|m| m.cube == 0).map(|m| m.bytes.clone());
            rows.push((own.collect::<Vec<_>>(), world.cubes().unwrap().view(0).place_mm()));
        }
        rows
    };
    assert_eq!(of_a(a), of_a(&format!("{a}, {b}")));
}

#[test]
fn the_hash_notices_a_cube() {
    let world = after(test_runs::CUBES, 120);
    let mut state = world.state().clone();
    let before = state.hash();
    let run = Command::Motor(MotorCommand::Run(WheelCommands { left: 1, right: 1 }));
    state.bodies.cubes_mut().unwrap().send(0, Micros(2_000_000), &run, &mut CubesScratch::default());
    assert_ne!(state.hash(), before, "a write under way");
}

#[test]
fn the_tables_have_the_columns_of_the_design() {
    let (_root, out): (_, PathBuf) = temporary();
    let members = format!(r#""steps": 60, {}"#, test_runs::CUBES);
    run_one(&model(&members), key(0), &traced(&members, &out, 6), &Control::none()).unwrap();
    let (header, rows) = table(&out.join("cubes.csv"));
    assert_eq!(
        header.join(","),
        "step,time_s,cube,x_mm,y_mm,z_mm,yaw_rad,pitch_rad,roll_rad,mat_x,mat_y,mat_deg,left_mm_s,right_mm_s,led_r,led_g,led_b,sound,battery_percent"
    );
    assert_eq!(rows.len(), 3 * 11);
    let last = &rows[3 * 10 + 2];
    assert_eq!(last[..3], ["60", "1.0", "2"]);
    assert_eq!(last[14..17], ["1", "2", "3"], "the lamp that its program lit");
    let (header, rows) = table(&out.join("messages.csv"));
    assert_eq!(header.join(","), "step,time_s,cube,dir,characteristic,hex,meaning");
    let light = rows.iter().find(|row| row[2] == "2" && row[3] == "write").unwrap();
    assert_eq!(light[4..], ["103", "03 00 01 01 01 02 03", "lamp colour (1 2 3) for ever"]);
    let (_, events) = table(&out.join("events.csv"));
    let hand = events.iter().find(|row| row[2] == "hand").unwrap();
    assert_eq!(hand[3..5], ["cube 2", "lift"]);
}

/// A moment, a characteristic and bytes, of which some begin as a command does.
fn any_write() -> impl Strategy<Value = String> {
    let operation =
        prop::sample::select(vec![0x01_u8, 0x02, 0x03, 0x04, 0x05, 0x18, 0x1b, 0x1d, 0x30, 0x34, 0x70, 0x81]);
    let bytes = (prop::option::of(operation), prop::collection::vec(any::<u8>(), 0..19));
    (0..50_u32, prop::sample::select(Characteristic::ALL.to_vec()), bytes).prop_map(
        |(at, characteristic, (first, rest))| {
            let hex: String = first.into_iter().chain(rest).map(|byte| format!("{byte:02x}")).collect();
            format!(
                r#"{{"at_s": {}, "write": "{:03X}", "hex": "{hex}"}}"#,
                f64::from(at) / 50.0,
                characteristic.short_id()
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever a client writes: the run goes on, every write is told of, and those who look away get the same run.
    #[test]
    fn any_bytes_at_any_time(writes in prop::collection::vec(any_write(), 1..12)) {
        let members = one_cube(r#""at_dot": [250, 250]"#, &writes.join(","));
        let told = messages(&members, 90);
        let came = told.iter().filter(|m| m.1 == Direction::Write).count();
        let nowhere = told.iter().filter(|m| m.1 == Direction::DropWrite(Loss::Refused(Refusal::NotConnected))).count();
        prop_assert!(came + nowhere >= writes.len(), "{} {} {:?}", came, nowhere, told);
        let world = after(&members, 90);
        prop_assert!(world.cubes().unwrap().view(0).place_mm().is_finite());
        prop_assert_eq!(world.state_hash(), after(&members, 90).state_hash());
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// Every key of a program's command says something to a cube of the newest version.
#[test]
fn every_command_of_the_schema_has_a_meaning() {
    let schema: serde_json::Value = serde_json::from_str(&sim_run::scenario::schema_json(WORLDS)).unwrap();
    let keys = schema["oneOf"][0]["properties"]["cubes"]["items"]["properties"]["program"]["items"]["properties"]
        .as_object()
        .unwrap();
    let not_alone = ["at_s", "write", "hex"];
    assert_eq!(keys.len() - not_alone.len(), 37);
    for (key, command) in keys.iter().filter(|(key, _)| !not_alone.contains(&key.as_str())) {
        let value = smallest(command);
        let program = format!(r#"{{"at_s": 0.1, "{key}": {value}}}"#);
        let text = format!(r#"{{"name": "x", "world": "mat", {}}}"#, one_cube(r#""at_mm": [300, 300]"#, &program));
        parse(WORLDS, &text, "a", &[]).unwrap_or_else(|error| panic!("{key}: {error}"));
        let writes: Vec<_> = messages(&one_cube(r#""at_mm": [300, 300]"#, &program), 10)
            .into_iter()
            .filter(|m| m.1 == Direction::Write)
            .collect();
        let is_no_write = matches!(key.as_str(), "connect" | "disconnect" | "read" | "subscribe" | "unsubscribe");
        assert_eq!(writes.len(), usize::from(!is_no_write), "{key}");
        for (_, _, characteristic, bytes) in writes {
            let words = text_of_write(characteristic, &bytes, Protocol::V2_5_0);
            let is_refused = matches!(
                key.as_str(),
                "motor_targets"
                    | "light_sequence"
                    | "light_blink"
                    | "sound_notes"
                    | "set_flat_threshold"
                    | "set_collision_threshold"
            );
            assert_eq!(words.contains("no meaning"), is_refused, "{key}: {words}");
        }
    }
}

/// The least that a schema takes: required keys at their smallest.
fn smallest(schema: &serde_json::Value) -> serde_json::Value {
    use serde_json::{Map, Value, json};
    if let Some(choice) = schema["oneOf"].get(0) {
        return choice["const"].clone();
    }
    if let Some(choice) = schema["enum"].get(0) {
        return choice.clone();
    }
    match schema["type"].as_str().unwrap_or_default() {
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let keys = required.iter().filter_map(Value::as_str);
            keys.map(|key| (key.to_owned(), smallest(&schema["properties"][key]))).collect::<Map<_, _>>().into()
        }
        "array" => {
            let count = schema["minItems"].as_u64().unwrap_or(0) as usize;
            vec![smallest(&schema["items"]); count].into()
        }
        "boolean" => json!(false),
        _ => schema["minimum"].clone(),
    }
}

/// `messages.csv` promises every message: writes and notifications that are on the radio when the client goes have a row each, with why.
#[test]
fn messages_under_way_at_a_disconnection_are_told() {
    let cube = r#"{"name": "a", "at_mm": [300, 300],
        "radio": {"interval_ms": 100, "to_cube_delay_ms": [3, 0], "from_cube_delay_ms": [3, 0], "loss": 0},
        "program": [{"at_s": 0.5, "write": "1FF", "hex": "1d 00 01 01 00"}, {"at_s": 0.9, "light": {"rgb": [255, 0, 0]}},
                    {"at_s": 0.9, "disconnect": {}}, {"at_s": 0.9, "connect": {}}]}"#;
    let messages = messages(&members(&format!(r#""cubes": [{cube}]"#)), 120);
    let lost = |direction: Direction| {
        messages
            .iter()
            .filter(|(_, found, ..)| *found == direction)
            .map(|(_, _, characteristic, _)| *characteristic)
            .collect::<Vec<_>>()
    };
    assert_eq!(lost(Direction::DropWrite(Loss::Disconnected)), [Characteristic::Light]);
    assert!(!lost(Direction::DropNotify(Loss::Disconnected)).is_empty(), "{messages:?}");
    assert_eq!(Loss::Disconnected.to_string(), "the connection ended while it was under way");
}

/// A client that has subscribed to the battery alone: a read is answered, the battery is notified, and nothing else comes.
#[test]
fn a_program_reads_and_subscribes() {
    let program =
        r#"{"at_s": 0.5, "read": "108"}, {"at_s": 1.0, "subscribe": "108"}, {"at_s": 7.0, "unsubscribe": "108"}"#;
    let place = r#""at_mm": [300, 300], "subscribes": false"#;
    let found = messages(&one_cube(place, program), 20 * 60);
    let rows: Vec<_> =
        found.iter().map(|(_, direction, characteristic, bytes)| (*direction, *characteristic, &bytes[..])).collect();
    let battery = Characteristic::Battery;
    let expected: [(Direction, Characteristic, &[u8]); 5] = [
        (Direction::Read, battery, &[]),
        (Direction::Answer, battery, &[100]),
        (Direction::Subscribe, battery, &[1, 0]),
        (Direction::Notify, battery, &[100]),
        (Direction::Subscribe, battery, &[0, 0]),
    ];
    assert_eq!(rows, expected);
}

/// Off after `34`, on again by hand, and connected again.
#[test]
fn a_hand_switches_a_cube_on_again() {
    let program = r#"{"at_s": 0.5, "power_off": {"after_s": 0}}, {"at_s": 4.0, "connect": {}}"#;
    let script = r#", "script": [{"at_s": 3.0, "cube": "a", "power_on": {}}]"#;
    let members = one_cube(r#""at_mm": [300, 300]"#, program) + script;
    let state = |steps| after(&members, steps).cubes().unwrap().view(0).actuators().power;
    assert_eq!(state(150), PowerState::Off);
    assert_eq!(state(190), PowerState::Starting);
    let on = after(&members, 300);
    let view = on.cubes().unwrap().view(0);
    assert!(view.actuators().power == PowerState::On && view.actuators().is_connected);
}

/// A cube that drives off its mat and the plane leaves a row, once.
#[test]
fn a_cube_that_leaves_is_told() {
    let program = r#"{"at_s": 0.1, "motor_run": {"left": 115, "right": 115}}"#;
    let mut world = MatWorld::new(mat_model(&one_cube(r#""at_mm": [500, 300]"#, program)), key(0)).unwrap();
    let mut left = Vec::new();
    for _ in 0..240 {
        world.step().unwrap();
        let x_mm = world.cubes().unwrap().view(0).place_mm().x;
        left.extend(world.events().filter(|event| event.kind == "cube_left").map(|_| x_mm));
    }
    // The plane ends at 400 mm, the mat of 410 dots at 579.3.
    assert_eq!(left.len(), 1);
    assert!((579.3..590.0).contains(&left[0]), "{left:?}");
}
