//! Walls and obstacles: robots keep off them, feet walk round them, starts and points of interest are outside, and they are drawn.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{numbers, said_beside, start, walk};
use sim_core::DVec2;
use sim_world::view::Draw;
use sim_world::{Model, World};
use test_runs::{key, mat_model};
use world_mat::MatWorld;

/// Two walls with a passage between them, and a pillar, in a room of 800 x 600 mm.
const ROOM: &str = r#""width_mm": 800, "height_mm": 600,
    "walls": [{"from_mm": [400, 0], "to_mm": [400, 200]}, {"from_mm": [400, 400], "to_mm": [400, 600]}],
    "obstacles": [{"corners_mm": [[180, 280], [220, 280], [220, 320], [180, 320]]}]"#;

/// What stands in the room, as rectangles [x from, y from, x to, y to]: walls are 10 mm thick.
const RECTANGLES: [[f64; 4]; 3] =
    [[395.0, 0.0, 405.0, 200.0], [395.0, 400.0, 405.0, 600.0], [180.0, 280.0, 220.0, 320.0]];

fn room(members: &str) -> String {
    format!(r#""mat": {{{ROOM}}}, {members}"#)
}

/// Least distance of a point from the rectangles, by hand.
fn distance_mm(p: DVec2) -> f64 {
    let of_one = |[x0, y0, x1, y1]: [f64; 4]| {
        let off = DVec2::new((x0 - p.x).max(p.x - x1).max(0.0), (y0 - p.y).max(p.y - y1).max(0.0));
        off.length()
    };
    RECTANGLES.into_iter().map(of_one).fold(f64::INFINITY, f64::min)
}

/// Least distance on a straight way, at every fiftieth of it: a robot's way in a step is 4.2 mm.
fn least_on_way_mm(from: DVec2, to: DVec2) -> f64 {
    (0..=50).map(|i| distance_mm(from.lerp(to, f64::from(i) / 50.0))).fold(f64::INFINITY, f64::min)
}

struct Least {
    robot_mm: f64,
    foot_mm: f64,
    patch_mm: f64,
    crossings: u32,
}

/// Runs, and looks at places alone.
fn least(world: &mut MatWorld, steps: u64) -> Least {
    let mut least = Least { robot_mm: f64::INFINITY, foot_mm: f64::INFINITY, patch_mm: f64::INFINITY, crossings: 0 };
    for _ in 0..steps {
        let before = world.agents().position_mm.clone();
        world.step().unwrap();
        for (&from, &to) in before.iter().zip(&world.agents().position_mm) {
            least.robot_mm = least.robot_mm.min(least_on_way_mm(from, to));
            least.crossings += u32::from((from.x - 400.0) * (to.x - 400.0) < 0.0);
        }
        for k in 0..world.feet().len() {
            least.foot_mm = least.foot_mm.min(distance_mm(world.feet().position_mm(k)));
        }
        for k in 0..world.patches().len() {
            least.patch_mm = least.patch_mm.min(distance_mm(world.patches().center_mm(k)));
        }
    }
    least
}

fn value(world: &mut MatWorld, name: &str) -> f64 {
    world.finish().iter().find(|metric| metric.name == name).unwrap().value
}

/// Finding of a swarm that walked through a wall: none does, in any drive, between steps as little as in them; nor do feet, and no point
/// of interest lies in one. Robots get from room to room through the passage.
#[test]
fn nothing_walks_through_walls() {
    let mut crossings = 0;
    for (drive, manner, travel, run) in [
        ("point", "considerate", "full", 0),
        ("point", "stubborn", "core", 1),
        ("differential", "considerate", "core", 2),
        ("point", "considerate", "edge", 3),
    ] {
        let members = room(&format!(
            r#""agents": {{"count": 20, "drive": "{drive}"}},
               "feet": {{"count": 2, "manner": "{manner}", "travel": "{travel}", "core_inset_mm": 116, "idle_s": [2, 3]}}"#
        ));
        let mut world = MatWorld::new(mat_model(&members), key(run)).unwrap();
        let least = least(&mut world, 7200);
        assert!(least.robot_mm >= 16.0 - 1e-6, "{drive} {manner}: a robot at {}", least.robot_mm);
        let foot_mm = if travel == "core" { 116.0 } else { 40.0 };
        assert!(least.foot_mm >= foot_mm - 1e-6, "{drive} {manner}: a foot at {}", least.foot_mm);
        assert!(least.patch_mm > 0.0, "{drive} {manner}: a patch in a wall");
        assert_eq!(value(&mut world, "outside_mat"), 0.0);
        if manner == "considerate" {
            assert_eq!(world.violations(), 0);
        }
        crossings += least.crossings;
    }
    assert!(crossings > 0, "the passage is used");
}

/// A robot sent through a wall by wishes from all sides, with a fluctuation ten times the spec's.
#[test]
fn robots_pressed_against_a_wall_stay_in_front_of_it() {
    let goals = r#""goals": {"gain_per_s": 50, "sites_mm": [[440, 60], [440, 125], [440, 540], [360, 60], [360, 540], [200, 250]]}"#;
    let members = room(&format!(
        r#""agents": {{"count": 6, "sigma_v": 0.5, {goals}}}, "feet": {{"count": 0}}, "patches": {{"count": 0}}"#
    ));
    let mut world = start(&members);
    let least = least(&mut world, 3600);
    assert!(least.robot_mm >= 16.0 - 1e-6, "{}", least.robot_mm);
    assert_eq!(value(&mut world, "outside_mat"), 0.0);
}

/// The judge is able to see it: without a filter robots come nearer than their margin to a wall or not, and the count says the same as
/// places do.
#[test]
fn what_comes_too_near_to_a_wall_is_counted() {
    let members = r#""mat": {"width_mm": 600, "height_mm": 600, "walls": [{"from_mm": [300, 0], "to_mm": [300, 600]}]},
        "feet": {"count": 0}, "patches": {"count": 0}, "agents": {"count": 1, "sigma_v": 0, "start": [{"x_mm": 278, "y_mm": 300}]}"#;
    let model = mat_model(members);
    let mut inspector = swarm_agents::measures::Inspector::new(&model.measures);
    let robot = |x: f64| swarm_agents::Agents::at_rest(vec![DVec2::new(x, 300.0)]);
    let world = start(members);
    for (tick, [from, to]) in [[279.0, 279.0], [279.0, 280.0], [294.0, 306.0], [321.0, 321.0]].into_iter().enumerate() {
        inspector.step(&swarm_agents::measures::Observation {
            tick: sim_core::Tick(tick as u64 + 1),
            before: &robot(from),
            after: &robot(to),
            decided: None,
            feet_before_mm: &[],
            feet_after_mm: &[],
            feet_phase: &[],
            wish_mm_s: &[DVec2::ZERO],
            goals: None,
            comparison: None,
            path_speed_factors: &[],
            decisions: &[],
            patches: world.patches(),
            danger: &[],
        });
    }
    let metrics = inspector.finish();
    let value = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value;
    // 280 mm is 15 mm from the wall's face at 295; the way through the wall is 12 mm, beside the whole margin of 16.
    assert_eq!([value("outside_mat"), value("outside_max_mm")], [2.0, 28.0]);
}

#[test]
fn starts_are_clear_of_walls_in_a_crowd() {
    for run in 0..20 {
        let members =
            room(r#""agents": {"count": 60}, "feet": {"count": 1, "manner": "considerate", "travel": "full"}"#);
        let world = MatWorld::new(mat_model(&members), key(run)).unwrap();
        let least = world.agents().position_mm.iter().map(|&p| distance_mm(p)).fold(f64::INFINITY, f64::min);
        assert!(least >= 16.0, "run {run}: {least}");
    }
}

/// A foot whose home and targets are on both sides of a wall goes round its end, and back.
#[test]
fn feet_walk_round_walls() {
    let members = r#""mat": {"width_mm": 800, "height_mm": 600, "walls": [{"from_mm": [400, 0], "to_mm": [400, 420]}]},
        "agents": {"count": 0}, "patches": {"count": 0},
        "feet": {"count": 1, "travel": "full", "home_mm": [[100, 100]], "idle_s": [2, 2.5], "roam_s": [2, 2.5]}"#;
    let mut world = start(members);
    let mut sides = Vec::new();
    for _ in 0..18_000 {
        walk(&mut world, 1);
        let place = world.feet().position_mm(0);
        let off = DVec2::new(((place.x - 400.0).abs() - 5.0).max(0.0), (place.y - 420.0).max(0.0));
        assert!(off.length() >= 40.0 - 1e-6, "{place}");
        let side = place.x > 400.0;
        if sides.last() != Some(&side) {
            sides.push(side);
        }
    }
    assert!(sides.len() >= 5, "it was on both sides, several times: {sides:?}");
}

#[test]
fn walls_are_part_of_the_model_and_drawn() {
    let model = mat_model(&room(r#""feet": {"count": 0}"#));
    let filled =
        |mark: &&sim_world::view::Mark| matches!(&mark.draw, Draw::Polygons { shapes, .. } if shapes.len() == 1);
    assert_eq!(model.view().marks.iter().filter(filled).count(), 3);
    assert_eq!(model.filter.walls.obstacles().rings().len(), 3);
    let world = start(&room(r#""agents": {"count": 5}, "feet": {"count": 0}"#));
    assert_eq!(numbers(&world, "agents", "agent").len(), 5);
}

#[test]
fn wrong_walls() {
    let said_of = |mat: &str, more: &str| {
        said_beside(
            &[],
            &format!(r#""mat": {{"width_mm": 800, "height_mm": 600, {mat}}}, "feet": {{"count": 0}}{more}"#),
        )
    };
    let corners = |list: &str| format!(r#""obstacles": [{{"corners_mm": [{list}]}}]"#);
    let pillar = corners("[380, 280], [420, 280], [420, 320], [380, 320]");
    assert_eq!(
        said_of(r#""walls": [{"from_mm": [400, 0], "to_mm": [400, 0]}]"#, ""),
        ["mat.walls[0].to_mm: is less than 1 mm from from_mm, [400, 0]"]
    );
    assert_eq!(
        said_of(&corners("[100, 100], [200, 200], [200, 100], [100, 200]"), ""),
        [
            "mat.obstacles[0].corners_mm: crosses itself: the edges from corner 0 and from corner 2 meet; name corners in their order round the outline"
        ]
    );
    assert_eq!(
        said_of(&corners("[100, 100], [200, 100], [300, 100]"), ""),
        ["mat.obstacles[0].corners_mm: has no area: its corners lie on a line"]
    );
    assert_eq!(
        said_of(&corners("[100, 100], [200, 100]"), ""),
        [
            "mat.obstacles[0].corners_mm: is a list of 2, must be a list of 3 to 200 lists of 2 numbers from -100000 to 100000 mm"
        ]
    );
    assert_eq!(
        said_of(r#""obstacles": [{"corners": []}]"#, "")[1],
        r#"mat.obstacles[0].corners: unknown key; did you mean "corners_mm"?"#
    );
    assert_eq!(
        said_of(&pillar, r#", "agents": {"count": 1, "start": [{"x_mm": 400, "y_mm": 270}]}"#),
        [
            "agents.start[0]: is [400, 270], where no robot may be: robots keep 16.1 mm from walls and obstacles; the nearest place is [400.0, 263.8]"
        ]
    );
    assert_eq!(
        said_of(&pillar, r#", "agents": {"count": 1, "goals": {"sites_mm": [[400, 310]]}}"#),
        [
            "agents.goals.sites_mm[0]: is [400, 310], where no robot may be: robots keep 16.1 mm from walls and obstacles; the nearest place is [400.0, 336.2]"
        ]
    );
    assert_eq!(
        said_of(&corners("[20, 20], [780, 20], [780, 580], [20, 580]"), r#", "agents": {"count": 9}"#),
        ["agents.count: is 9, but only 0 robots fit, 60 mm apart and 16 mm from the edge; must be at most 0"]
    );
}

#[test]
fn walls_that_leave_feet_no_place_and_promises_that_are_not_made() {
    let pillar = r#""obstacles": [{"corners_mm": [[380, 280], [420, 280], [420, 320], [380, 320]]}]"#;
    let with_feet = |feet: &str| {
        said_beside(&[], &format!(r#""mat": {{"width_mm": 800, "height_mm": 600, {pillar}}}, "feet": {{{feet}}}"#))
    };
    assert_eq!(
        with_feet(r#""manner": "considerate", "home_mm": [[400, 230]]"#),
        ["feet.home_mm: [400, 230] is too near to a wall or an obstacle, from which a foot keeps 126.0 mm"]
    );
    assert_eq!(
        with_feet(r#""manner": "considerate", "gait": "orbit", "orbit_radius_mm": 100"#),
        ["feet.orbit_radius_mm: is 100; the circle comes too near to a wall or an obstacle"]
    );
    assert_eq!(
        said_beside(&[], r#""mat": {"walls": [{"from_mm": [200, 0], "to_mm": [200, 400]}]}, "agents": {"count": 5}"#),
        [
            "feet.core_inset_mm: is 120, and walls and obstacles leave no place for a foot, whose centre keeps 126.0 mm from them"
        ]
    );
    assert_eq!(
        said_beside(&[], &room(r#""agents": {"count": 5}, "feet": {"core_inset_mm": 116}"#)),
        [
            "warning: mat.walls: robots keep their distance from walls, obstacles and one another (proven); their distance from feet that never wait was not measured there, and a foot can shut a robot up between walls (set feet.manner to \"considerate\" for a promise)"
        ]
    );
    assert_eq!(
        said_beside(&[], &room(r#""agents": {"count": 5}, "feet": {"count": 0}, "safety": {"filter": "none"}"#))[0],
        "warning: mat.walls: this filter brakes before walls and obstacles, but nothing proves that it keeps its distance"
    );
}

/// What is promised with walls: all of it where feet wait, nothing about feet where they do not.
#[test]
fn promises_with_walls() {
    let level = |feet: &str| {
        mat_model(&room(&format!(r#""agents": {{"count": 5}}, "feet": {{{feet}, "core_inset_mm": 116}}"#)))
            .guarantee(&Default::default())
            .unwrap()
            .level
    };
    assert_eq!(level(r#""manner": "considerate""#), "proven");
    assert_eq!(level(r#""manner": "stubborn""#), "best_effort");
}
