//! Robots that do not know exactly where they are: what they believe, what their bodies do, and what the filter makes of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::{DVec2, angle};
use sim_run::scenario;
use sim_world::World;
use sim_worlds::WORLDS;
use test_runs::world;
use world_mat::world::MatWorld;

/// Nothing on the mat but robots that are sent to goals, without fluctuation and without anybody who keeps them apart.
fn sent(to: &str, sensing: &str) -> MatWorld {
    let members = format!(
        r#""agents": {{"count": 1, "sigma_v": 0, "goals": {{"sites_mm": [{to}]}}, "sensing": {sensing}}},
           "feet": {{"count": 0}}, "patches": {{"count": 0}}, "safety": {{"filter": "none"}}"#
    );
    world(&members, 0)
}

fn believed_mm(world: &MatWorld, robot: usize) -> DVec2 {
    world.state().sensing.as_ref().unwrap().estimated().position_mm[robot]
}

#[test]
fn perfect_sensors_change_no_bit() {
    for filter in ["joint", "orca", "penalty", "nearest", "none"] {
        for drive in ["point", "differential"] {
            let members = |sensing: &str| {
                format!(
                    r#""agents": {{"count": 9, "drive": "{drive}", "sensing": {sensing}}}, "safety": {{"filter": "{filter}"}}"#
                )
            };
            let (mut exact, mut sensed) = (world(&members("null"), 3), world(&members("{}"), 3));
            for step in 1..=400 {
                exact.step().unwrap();
                sensed.step().unwrap();
                assert_eq!(exact.state().agents, sensed.state().agents, "{filter}, {drive}, step {step}");
            }
        }
    }
}

/// 100 ms are 6 steps of 1/60 s; a reading taken every 50 ms, which are 3 steps, holds until the next one arrives.
#[test]
fn readings_are_late_and_held() {
    let mut world = sent("[330, 330]", r#"{"position": {"every_ms": 50, "delay_ms": 100}}"#);
    let mut truth_mm = vec![world.state().agents.position_mm[0]];
    for step in 1..=120_usize {
        world.step().unwrap();
        // A step measures what the one before left behind.
        let taken = step.saturating_sub(6) / 3 * 3;
        let was_mm = if taken == 0 { truth_mm[0] } else { truth_mm[taken - 1] };
        assert_eq!(believed_mm(&world, 0), was_mm, "step {step}");
        truth_mm.push(world.state().agents.position_mm[0]);
    }
    assert!(truth_mm[0].distance(truth_mm[119]) > 20.0, "it moved");
}

#[test]
fn a_robot_comes_to_rest_where_it_believes_its_goal_to_be() {
    let mut world = sent("[200, 240]", r#"{"position": {"bias": 30}}"#);
    for _ in 0..60 * 20 {
        world.step().unwrap();
    }
    let off_mm = world.state().agents.position_mm[0] - DVec2::new(170.0, 210.0);
    assert!(off_mm.length() < 0.1, "{off_mm}");
}

/// Who takes its heading for `bias` more than it is moves `bias` less than it wants to, whichever way its body points.
#[test]
fn a_wrong_compass_turns_the_way() {
    let bias = 0.4;
    let mut exact = sent("[330, 60]", "null");
    let mut turned = sent("[330, 60]", &format!(r#"{{"heading": {{"bias": {bias}}}}}"#));
    exact.step().unwrap();
    turned.step().unwrap();
    let (wanted, made) = (exact.state().agents.velocity_mm_s[0], turned.state().agents.velocity_mm_s[0]);
    assert!((made - angle::unit(-bias).rotate(wanted)).length() < 1e-9 * wanted.length(), "{wanted} {made}");
    assert!(wanted.length() > 1.0);
}

/// The joint filter carries on its plans and knows from them where all robots are; what robots feel of the field is sensed.
#[test]
fn a_filter_that_plans_stays_safe_with_bad_sensors() {
    let members = |sensing: &str| {
        format!(
            r#""agents": {{"count": 20, "sensing": {sensing}}}, "feet": {{"travel": "full", "manner": "considerate"}}"#
        )
    };
    let bad = r#"{"position": {"noise_std": 20, "delay_ms": 500, "loss": 0.5}, "heading": {"bias_std": 1}}"#;
    let (mut exact, mut sensed) = (world(&members("null"), 0), world(&members(bad), 0));
    for _ in 0..60 * 20 {
        exact.step().unwrap();
        sensed.step().unwrap();
    }
    assert_eq!(sensed.violations(), 0);
    assert_ne!(exact.state().agents.position_mm, sensed.state().agents.position_mm, "wishes are what is believed");
}

#[test]
fn the_rim_holds_who_is_lost() {
    let mut world = sent("[330, 60]", r#"{"position": {"loss": 1}}"#);
    let (start_mm, goal_mm) = (world.state().agents.position_mm[0], DVec2::new(330.0, 60.0));
    let mat = world.model().swarm.mat;
    for step in 0..60 * 30 {
        world.step().unwrap();
        assert!(mat.contains(world.state().agents.position_mm[0]), "step {step}");
    }
    // It never hears that it has arrived, and slides along the rim to a corner.
    let way = goal_mm - start_mm;
    let corner_mm = DVec2::new(if way.x > 0.0 { mat.max.x } else { 0.0 }, if way.y > 0.0 { mat.max.y } else { 0.0 });
    assert_eq!(world.state().agents.position_mm[0], corner_mm);
    assert_eq!(world.state().agents.velocity_mm_s[0], DVec2::ZERO);
}

#[test]
fn one_more_robot_leaves_the_noise_of_the_others() {
    let errors_mm = |count: usize| {
        let members = format!(
            r#""agents": {{"count": {count}, "sensing": {{"position": {{"noise_std": 3, "bias_std": 2, "walk_std_per_sqrt_s": 1}}}}}},
               "safety": {{"filter": "orca"}}"#
        );
        let mut world = world(&members, 0);
        let before_mm = world.state().agents.position_mm.clone();
        world.step().unwrap();
        (0..3).map(|i| believed_mm(&world, i) - before_mm[i]).collect::<Vec<_>>()
    };
    for (few, many) in errors_mm(3).into_iter().zip(errors_mm(4)) {
        assert!((few - many).length() < 1e-9 && few.length() > 0.0, "{few} {many}");
    }
}

#[test]
fn sensing_that_cannot_be() {
    let said = |agents: &str| -> Vec<String> {
        let text =
            format!("{{\"name\": \"x\", \"world\": \"mat\", \"feet\": {{\"count\": 0}},\n\"agents\": {agents}}}");
        scenario::parse(WORLDS, &text, "a.json", &[]).unwrap_err().items.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        said(r#"{"count": 5, "sensing": {"positoin": {}}}"#),
        [r#"a.json:2:36: agents.sensing.positoin: unknown key; did you mean "position"?"#]
    );
    assert_eq!(
        said(r#"{"count": 5, "sensing": {"position": {"loss": 2}}}"#),
        ["a.json:2:57: agents.sensing.position.loss: is 2, must be a number from 0 to 1"]
    );
    assert_eq!(
        said(r#"{"count": 5, "sensing": {"position": {"delay_ms": 200000}}}"#),
        [
            "a.json:2:61: agents.sensing.position.delay_ms: is 200000; counted in steps it is 12000, must be at most 10000 times the period of 1"
        ]
    );
    assert_eq!(
        said(r#"{"count": 5, "sensing": {"heading": {"range": [2, 1]}}}"#),
        ["a.json:2:57: agents.sensing.heading.range: is [2, 1], must run from the smaller to the larger"]
    );
    let words =
        "agents.sensing: is for robots without sensors of their own: cubes hear from their cameras where they are";
    let cubes = said(r#"{"count": 5, "drive": "cube", "sensing": {}}"#);
    assert!(cubes.iter().any(|said| said.ends_with(words)), "{cubes:?}");
}
