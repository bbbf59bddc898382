//! The swarm driven through full cubes: bodies follow what was decided within the declared bound, and the acceptance lines hold for bodies.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::{Control, run_batch, run_one, scenario};
use sim_world::World;
use sim_worlds::WORLDS;
use test_runs::{SWARM_OF_CUBES, batch, files, key, model, temporary, traced, world};

const MAT: &str = r#""mat": {"printed": [{"kind": "collection-ring", "x_mm": 200, "y_mm": 200}]}"#;
const WAITING: &str =
    r#""feet": {"manner": "considerate"}, "limits": {"v_max_mm_s": 220, "a_max_mm_s2": 2000, "omega_max_rad_s": 6}"#;
/// Evading takes more turning and more acceleration than being waited for.
const STUBBORN: &str = r#""limits": {"v_max_mm_s": 220, "a_max_mm_s2": 2500, "omega_max_rad_s": 9}"#;

/// A swarm of cubes with these members of `agents.cube`.
fn swarm(count: u32, cube: &str, more: &str) -> String {
    format!(r#"{MAT}, "agents": {{"count": {count}, "drive": "cube", "cube": {{{cube}}}}}, {more}"#)
}

/// Measures of a run of so many steps.
fn measured<const N: usize>(members: &str, steps: u64, names: [&str; N]) -> [f64; N] {
    let mut world = world(members, 0);
    (0..steps).for_each(|_| world.step().unwrap());
    let metrics = world.finish();
    names.map(|name| metrics.iter().find(|metric| metric.name == name).unwrap().value)
}

fn off_mm(cube: &str) -> f64 {
    let [off_mm] = measured(&swarm(12, cube, WAITING), 900, ["tracking_error_max_mm"]);
    off_mm
}

/// Twenty seconds each; what long runs say stands in `docs/models/cube-drive.md`. That bodies are off at all shows that they are bodies.
#[test]
fn with_considerate_feet_bodies_keep_every_distance_and_the_bound() {
    for count in [20, 30] {
        let members = swarm(count, r#""tracking_mm": 4"#, WAITING);
        let counts = ["d_r_violations", "d_h_violations", "outside_mat", "non_finite", "accel_limit_violations"];
        assert_eq!(measured(&members, 1200, counts), [0.0; 5], "{count} robots");
        let [off_mm, mm_s] = measured(&members, 1200, ["tracking_error_max_mm", "speed_mean_mm_s"]);
        assert!((0.5..4.0).contains(&off_mm), "{count} robots: {off_mm} mm");
        assert!(mm_s > 5.0, "{count} robots move at {mm_s} mm/s");
    }
}

/// A command takes one to three steps to act and wheels lag by 40 ms: what is decided one step ahead comes too late, and the bound that
/// holds with five breaks.
#[test]
fn latency_costs_the_bound_where_decisions_are_not_ahead() {
    let (late_mm, ahead_mm) = (off_mm(r#""lead_steps": 1"#), off_mm(r#""lead_steps": 5"#));
    assert!(ahead_mm < 4.0 && late_mm > 5.0, "one step ahead {late_mm} mm, five steps ahead {ahead_mm} mm");
}

/// A link that takes a command every 100 ms cannot follow; one every 10 ms and a perfect one can.
#[test]
fn a_slow_radio_costs_the_bound() {
    let [slow_mm, quick_mm, perfect_mm] = [r#""interval_ms": 100"#, r#""interval_ms": 10"#, r#""link": "perfect""#]
        .map(|radio| off_mm(&format!(r#""radio": {{{radio}}}"#)));
    assert!(slow_mm > 10.0 && quick_mm < 4.0 && perfect_mm < 4.0, "{slow_mm}, {quick_mm}, {perfect_mm} mm");
}

/// What is measured and written is the bodies, the middle of the axle as the place of each.
#[test]
fn robots_are_where_their_bodies_are() {
    let mut world = world(SWARM_OF_CUBES, 2);
    (0..300).for_each(|_| world.step().unwrap());
    let cubes = world.cubes().unwrap();
    assert_eq!(cubes.len(), 6);
    for i in 0..6 {
        let body = cubes.view(i).body();
        assert!(world.agents().position_mm[i].distance(body.axle_m() * 1000.0) < 1e-9, "robot {i}");
        assert_eq!(world.agents().heading_rad[i], body.heading_rad(), "robot {i}");
    }
}

/// All that pilots do goes over the radio: motor commands `02` with a time-out of 200 ms in, position IDs of 13 bytes out.
#[test]
fn pilots_write_motor_commands_and_hear_position_ids() {
    let mut world = world(SWARM_OF_CUBES, 0);
    let (mut written, mut heard) = (0, 0);
    for _ in 0..120 {
        world.step().unwrap();
        for message in world.messages() {
            written += u32::from(matches!(message.bytes[..], [2, 1, _, _, 2, _, _, 20]));
            heard += u32::from(message.bytes.len() == 13 && message.bytes[0] == 1);
        }
    }
    // Six cubes, 120 steps; the last ones are still under way.
    assert!((680..=720).contains(&written) && (680..=720).contains(&heard), "{written} written, {heard} heard");
}

/// Feet that never wait walk as they would without robots, and cubes keep off them.
#[test]
fn stubborn_feet_walk_on_and_are_evaded() {
    let mut with = world(&swarm(12, "", STUBBORN), 0);
    let mut alone = world(r#""agents": {"count": 0}"#, 0);
    let (mut walked, mut walked_alone) = (Vec::new(), Vec::new());
    for _ in 0..1200 {
        with.step().unwrap();
        alone.step().unwrap();
        walked.push(with.feet().position_mm(0));
        walked_alone.push(alone.feet().position_mm(0));
    }
    assert_eq!(walked, walked_alone);
    let metrics = with.finish();
    assert!(metrics.iter().filter(|metric| metric.name.ends_with("violations")).all(|metric| metric.value == 0.0));
}

/// Tables, messages and summary of each run, whatever runs beside it; another index is another run.
#[test]
fn the_same_bytes_on_one_thread_on_two_and_alone() {
    let members = format!(r#""steps": 240, {SWARM_OF_CUBES}"#);
    let (_a, one) = temporary();
    let (_b, two) = temporary();
    let (_c, alone) = temporary();
    run_batch(&model(&members), &traced(&members, &one, 6), &batch(0..3, 1), &Control::none()).unwrap();
    run_batch(&model(&members), &traced(&members, &two, 6), &batch(0..3, 2), &Control::none()).unwrap();
    assert_eq!(files(&one), files(&two));
    run_one(&model(&members), key(2), &traced(&members, &alone, 6), &Control::none()).unwrap();
    assert_eq!(files(&alone), files(&one.join("run-00002")));
    let agents = |run: &str| std::fs::read(one.join(run).join("agents.csv")).unwrap();
    assert_ne!(agents("run-00000"), agents("run-00001"));
}

#[test]
fn a_swarm_of_cubes_that_cannot_drive_is_refused() {
    let only = |members: &str, words: &str| {
        let text = format!(
            r#"{{"name": "x", "world": "mat", "feet": {{"count": 0}}, "agents": {{"count": 6, "drive": "cube"}}, {members}}}"#
        );
        let refused = scenario::parse(WORLDS, &text, "a.json", &[]).unwrap_err();
        let said: Vec<String> = refused.items.iter().map(ToString::to_string).collect();
        assert!(said.len() == 1 && said[0].contains(words), "{members}: {said:?}");
    };
    only(r#""seed": 2"#, "has no position IDs at [");
    only(&MAT.replace("200,", "400,"), "has no position IDs at [");
    only(&format!(r#"{MAT}, "limits": {{"v_max_mm_s": 310}}"#), "the wheels of a cube allow 258 mm/s");
    only(&format!(r#"{MAT}, "step_hz": 120"#), "need 50 to 100 steps a second");
    only(&format!(r#"{MAT}, "cubes": [{{"name": "a", "at_mm": [50, 50]}}]"#), "the swarm brings its own cubes");
}
