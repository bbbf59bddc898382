//! Chargers and the rim: what stands on the plane beside walls.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use test_runs::{key, mat_model};
use toio_cube_sim::{Characteristic, PowerState, Printed};
use world_mat::cubes::Direction;
use world_mat::world::MatWorld;

/// A cube at (300, 300) mm on a collection mat of 558.6 mm around it, a plane of 400 mm, and more members.
fn one_cube(keys: &str, program: &str, rest: &str) -> String {
    format!(
        r#""step_hz": 50, "agents": {{"count": 0}}, "feet": {{"count": 0}}, "patches": {{"count": 0}},
           "mat": {{"printed": [{{"kind": "collection-ring", "x_mm": 300, "y_mm": 300}}]}},
           "cubes": [{{"name": "a", "at_mm": [300, 300], "radio": {{"link": "perfect"}}, {keys} "program": [{program}]}}] {rest}"#
    )
}

fn start(members: &str) -> MatWorld {
    MatWorld::new(mat_model(members), key(0)).unwrap()
}

/// Events of cubes with their steps, in words.
fn events(world: &mut MatWorld, steps: u64) -> Vec<(u64, String)> {
    let mut all = Vec::new();
    for _ in 0..steps {
        world.step().unwrap();
        let told = world.events().filter(|event| event.kind.starts_with("cube"));
        all.extend(told.map(|event| (event.tick.0, format!("{} {}", event.kind, event.object))));
    }
    all
}

fn percent(world: &MatWorld) -> f64 {
    world.cubes().unwrap().view(0).firmware().charge_percent()
}

const CHARGER: &str = r#", "chargers": [{"x_mm": 420, "y_mm": 300, "yaw_deg": 30}]"#;
const ONTO_IT: &str = r#"{"at_s": 1, "cube": "a", "place": {"x_mm": 420, "y_mm": 300, "heading_deg": 75}}"#;

/// 300 mA of the charger less 60 mA of the cube are 240 mA: 1 / 15 mAh a second. On it, wheels roll on nothing and no ID is read.
#[test]
fn a_cube_charges_where_a_hand_puts_it() {
    let keys = r#""battery_percent": 20, "battery": {"capacity_mah": 2},"#;
    let drive = r#"{"at_s": 4, "motor_run_for": {"left": 60, "right": -60, "duration_ms": 1000}}"#;
    let script =
        format!(r#"{CHARGER}, "script": [{ONTO_IT}, {{"at_s": 9, "cube": "a", "lift": {{"height_mm": 60}}}}]"#);
    let mut world = start(&one_cube(keys, drive, &script));
    let before = events(&mut world, 120);
    assert!(before.iter().any(|(_, words)| words == "cube_on_charger charger 0"), "{before:?}");
    assert!(before.iter().any(|(_, words)| words == "cube_touch charger 0"), "{before:?}");
    let [from, at] = [percent(&world), world.cubes().unwrap().view(0).body().heading_rad()];
    let quiet = events(&mut world, 60);
    assert_eq!(quiet, []);
    // 1.2 s of 1 / 15 mAh in 2 mAh.
    assert!((percent(&world) - from - 100.0 * 1.2 / 15.0 / 2.0).abs() < 0.01, "{from} {}", percent(&world));
    assert_eq!(*world.cubes().unwrap().view(0).printed(), Printed::Nothing);
    events(&mut world, 60);
    let spun = world.cubes().unwrap().view(0);
    assert!(spun.body().wheels.iter().all(|wheel| wheel.motor_m_s.abs() > 0.1), "the motors turn");
    assert!((spun.body().heading_rad() - at).abs() < 0.01 && (at - 75.0_f64.to_radians()).abs() < 0.01, "{at}");
    assert!(spun.place_mm().distance(sim_core::DVec2::new(420.0, 300.0)) < 1.0);
    let off = events(&mut world, 240);
    let left = off.iter().find(|(_, words)| words == "cube_off_charger charger 0").unwrap().0;
    assert!((451..475).contains(&left), "{off:?}");
    let full = percent(&world);
    events(&mut world, 50);
    // 60 mA for 1 s are 1 / 60 mAh.
    assert!((full - percent(&world) - 100.0 / 60.0 / 2.0).abs() < 0.01, "{full} {}", percent(&world));
}

/// An empty cube on a charger stays off until it is switched on; without any charge it could not be.
#[test]
fn a_cube_that_is_off_charges_and_can_be_switched_on() {
    let script =
        |charger: &str| format!(r#"{charger}, "script": [{ONTO_IT}, {{"at_s": 5, "cube": "a", "power_on": {{}}}}]"#);
    for (charger, power, is_charged) in [(CHARGER, PowerState::On, true), ("", PowerState::Off, false)] {
        let mut world = start(&one_cube(r#""battery_percent": 0,"#, "", &script(charger)));
        events(&mut world, 240);
        assert_eq!(world.cubes().unwrap().view(0).actuators().power, PowerState::Off);
        assert_eq!(percent(&world) > 0.0, is_charged);
        events(&mut world, 100);
        assert_eq!(world.cubes().unwrap().view(0).actuators().power, power);
    }
}

/// The current of the charger is a key, and a client hears of the charge in whole tens.
#[test]
fn a_client_hears_a_charge_that_rises() {
    let charger = CHARGER.replace(r#""yaw_deg": 30"#, r#""current_ma": 420"#);
    let rest = format!(r#"{charger}, "script": [{ONTO_IT}]"#);
    let mut world = start(&one_cube(r#""battery_percent": 40, "battery": {"capacity_mah": 1},"#, "", &rest));
    let mut told = Vec::new();
    for _ in 0..550 {
        world.step().unwrap();
        let battery = |m: &&world_mat::cubes::TracedMessage| {
            m.direction == Direction::Notify && m.characteristic == Characteristic::Battery
        };
        told.extend(world.messages().iter().filter(battery).map(|m| m.bytes[0]));
    }
    // 60 mA drain 1.67 % a second for the 2 s until it is there, then 360 mA charge 10 % a second.
    assert_eq!(told, [70, 100]);
}

/// A cube runs into a charger as into a wall, and a drag over it ends on top.
#[test]
fn a_charger_has_a_body() {
    let go = r#"{"at_s": 0.1, "motor_run": {"left": 40, "right": 40}}"#;
    let charger = r#", "chargers": [{"x_mm": 420, "y_mm": 300}]"#;
    let mut world = start(&one_cube("", go, charger));
    events(&mut world, 200);
    // Its face is at 398 mm, half of the cube is 15.9 mm long.
    let x_mm = world.cubes().unwrap().view(0).place_mm().x;
    assert!((x_mm - 382.1).abs() < 1.0, "{x_mm}");
    let drag = r#", "script": [{"at_s": 0.5, "cube": "a", "drag": {"x_mm": 420, "y_mm": 300}}, {"at_s": 4, "cube": "a", "release": {}}]"#;
    let mut world = start(&one_cube("", "", &format!("{charger}{drag}")));
    let told = events(&mut world, 250);
    assert_eq!(told.last().map(|(_, words)| words.as_str()), Some("cube_on_charger charger 0"), "{told:?}");
}

/// Mat and plane reach to 579.3 mm: the rim stands there and keeps the cube, which is 31.8 mm long; without it the cube leaves.
#[test]
fn a_rim_keeps_a_cube_on_the_table() {
    let go = r#"{"at_s": 0.1, "motor_run": {"left": 115, "right": 115}}"#;
    let rim = |members: String| members.replace(r#""mat": {"#, r#""mat": {"border": "rim", "#);
    let edge_mm = 300.0 + 205.0 * 560.0 / 411.0;
    for heading_deg in [0, 90, 180, 270] {
        let members = one_cube(&format!(r#""heading_deg": {heading_deg},"#), go, "");
        let mut free = start(&members);
        assert!(events(&mut free, 300).iter().any(|(_, words)| words == "cube_left "));
        let mut kept = start(&rim(members));
        let told = events(&mut kept, 300);
        assert!(told.iter().any(|(_, words)| words == "cube_touch rim"), "{told:?}");
        assert!(!told.iter().any(|(_, words)| words.starts_with("cube_left")), "{told:?}");
        let place_mm = kept.cubes().unwrap().view(0).place_mm();
        // The plane begins at 0, the mat at 20.7.
        let expected_mm = match heading_deg {
            0 => [edge_mm - 15.9, 300.0],
            90 => [300.0, edge_mm - 15.9],
            180 => [15.9, 300.0],
            _ => [300.0, 15.9],
        };
        // At full speed a cube veers by a few millimetres on the way (docs/models/contact.md).
        let off = (place_mm - sim_core::DVec2::from(expected_mm)).abs();
        let (along, across) = if heading_deg % 180 == 0 { (off.x, off.y) } else { (off.y, off.x) };
        assert!(along < 1.0 && across < 10.0, "{heading_deg} {place_mm}");
    }
}

/// The rim, 10 mm thick, and chargers are drawn, and the picture reaches as far as the rim.
#[test]
fn rim_and_chargers_are_drawn() {
    let members = one_cube("", "", CHARGER).replace(r#""mat": {"#, r#""mat": {"border": "rim", "#);
    let edge_mm = 300.0 + 205.0 * 560.0 / 411.0 + 10.0;
    let model = test_runs::model(&members);
    let view = model.view();
    let [least, most] = view.projections[0].area.fixed.unwrap();
    assert_eq!(least, [-10.0; 2]);
    assert!(most.iter().all(|value| (value - edge_mm).abs() < 1e-9), "{most:?}");
    let plain = test_runs::model(&one_cube("", "", "")).view();
    assert_eq!(view.marks.len(), plain.marks.len() + 4 + 1);
}
