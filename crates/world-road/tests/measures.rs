//! Measures of the road, each worked out once more from closed forms or from the rows of the tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_near, measured, number, numbers, step_with, texts, walk};
use sim_core::{DVec2, ops};
use sim_world::{Model, World};
use test_runs::{ROUTE, road, road_model};
use world_road::{MEASURES, RoadWorld, limit};

const ROUNDING: f64 = 1e-9;

/// A car on a circle of 2 m at 0.6 m/s from its start on.
fn circling(more: &str) -> String {
    let turn: f64 = 0.5 * 0.2025;
    let steering_deg = ops::atan2(0.5 * 0.405, (1.0 - turn * turn).sqrt()).to_degrees();
    format!(
        r#""cars": [{{"start": {{"velocity_m_s": 0.6, "steering_deg": {steering_deg}}},
            "driver": {{"commands": [{{"at_s": 0, "velocity_m_s": 0.6, "curvature_1_m": 0.5}}]}}}} {more}]"#
    )
}

/// The way between two steps is a chord, 2 R sin(v dt / 2 R).
#[test]
fn a_car_on_a_circle_has_its_measures_in_closed_form() {
    let mut world = road(&circling(""), 0);
    walk(&mut world, 500);
    let chord_m = 2.0 * 2.0 * ops::sin(0.6 * 0.01 / (2.0 * 2.0));
    let expected = [
        ("collisions", 0.0),
        ("non_finite", 0.0),
        ("distance_m", 500.0 * chord_m),
        ("speed_mean_m_s", 100.0 * chord_m),
        ("speed_max_m_s", 0.6),
        ("yaw_rate_max_rad_s", 0.3),
        ("lateral_accel_max_m_s2", 0.18),
        ("standing_share", 0.0),
    ];
    for (name, value) in expected {
        assert_near(measured(&mut world, name), value, ROUNDING, name);
    }
    // Without a route there is nothing to be measured of one.
    for name in ["waypoints_passed", "laps", "lap_mean_s", "lap_best_s", "off_route_max_m", "off_route_mean_m"] {
        assert!(measured(&mut world, name).is_nan(), "{name}");
    }
}

#[test]
fn the_time_of_all_cars_counts() {
    let mut world = road(&circling(r#", {"start": {"y_m": -5}}, {"start": {"y_m": -8}}"#), 0);
    walk(&mut world, 300);
    let chord_m = 2.0 * 2.0 * ops::sin(0.6 * 0.01 / (2.0 * 2.0));
    assert_near(measured(&mut world, "distance_m"), 300.0 * chord_m, ROUNDING, "way");
    assert_near(measured(&mut world, "speed_mean_m_s"), 100.0 * chord_m / 3.0, ROUNDING, "mean speed");
    assert_near(measured(&mut world, "standing_share"), 2.0 / 3.0, ROUNDING, "two of three stand");
}

/// Up to 1 mm/s a car stands: at 1 m/s^2 for the first ms, and again after its collision.
#[test]
fn a_car_stands_before_it_drives_and_after_it_has_hit_something() {
    let mut world = road(r#""map": {"walls_m": [[[1.0525, -1], [1.0525, 1]]]}, "cars": [{}]"#, 0);
    walk(&mut world, 100);
    step_with(&mut world, &[(0, [Some(0.8), None, None])]);
    // 0.8 m: 0.32 m while it speeds up for 0.8 s, then 0.6 s at 0.8 m/s.
    walk(&mut world, 299);
    assert_eq!((measured(&mut world, "collisions"), world.violations()), (1.0, 1));
    assert_near(measured(&mut world, "distance_m"), 0.8, 0.0009, "way, to a ms");
    // The step in which it touches still counts as driven: 140 of them, or one more for the last ms.
    let standing = measured(&mut world, "standing_share") * 400.0;
    assert!((standing - 260.0).abs() <= 1.0 + ROUNDING, "{standing} steps");
    assert_near(measured(&mut world, "speed_max_m_s"), 0.8, ROUNDING, "speed");
}

#[test]
fn backwards_is_a_speed_too() {
    let mut world = road(r#""cars": [{}]"#, 0);
    step_with(&mut world, &[(0, [Some(-0.4), Some(0.3), None])]);
    walk(&mut world, 199);
    let (tan, back) = (ops::tan(0.3), 0.4);
    let rate_rad_s = back / (1.0 + 0.25 * tan * tan).sqrt() * tan / 0.405;
    assert_near(measured(&mut world, "speed_max_m_s"), back, ROUNDING, "speed");
    assert_near(measured(&mut world, "yaw_rate_max_rad_s"), rate_rad_s, ROUNDING, "turn rate");
    assert_near(measured(&mut world, "lateral_accel_max_m_s2"), back * rate_rad_s, ROUNDING, "sideways");
}

/// What the tables of a run say, gathered at every step.
#[derive(Default)]
struct Seen {
    way_m: f64,
    speed_max_m_s: f64,
    rate_max_rad_s: f64,
    standing: f64,
    steps: f64,
    /// Kind, object, time and value of events.
    events: Vec<(String, String, f64, f64)>,
    axles_m: Vec<DVec2>,
}

fn seen(world: &mut RoadWorld, steps: u64) -> Seen {
    let mut seen = Seen::default();
    let base_m = |world: &RoadWorld| DVec2::new(number(world, "cars", "x_m"), number(world, "cars", "y_m"));
    for _ in 0..steps {
        let before_m = base_m(world);
        walk(world, 1);
        let now_m = base_m(world);
        let speed_m_s = number(world, "cars", "speed_m_s").abs();
        seen.way_m += (now_m - before_m).length();
        seen.speed_max_m_s = seen.speed_max_m_s.max(speed_m_s);
        seen.rate_max_rad_s = seen.rate_max_rad_s.max(number(world, "cars", "yaw_rate_rad_s").abs());
        seen.standing += f64::from(u8::from(speed_m_s < 1e-3));
        seen.steps += 1.0;
        let (sin, cos) = ops::sin_cos(number(world, "cars", "yaw_rad"));
        seen.axles_m.push(now_m - 0.2025 * DVec2::new(cos, sin));
        let kinds = texts(world, "events", "kind").into_iter().zip(texts(world, "events", "object"));
        let values = numbers(world, "events", "time_s").into_iter().zip(numbers(world, "events", "value"));
        seen.events.extend(kinds.zip(values).map(|((kind, object), (time_s, value))| (kind, object, time_s, value)));
    }
    seen
}

/// Distance of a point from the nearest point of a closed line.
fn apart_m(point_m: DVec2, corners_m: &[DVec2]) -> f64 {
    let next = corners_m.iter().cycle().skip(1);
    let from_side = |(&a, &b): (&DVec2, &DVec2)| {
        let along = ((point_m - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        point_m.distance(a + along * (b - a))
    };
    corners_m.iter().zip(next).map(from_side).fold(f64::INFINITY, f64::min)
}

/// The route of [`ROUTE`].
const CORNERS_M: [DVec2; 8] = [
    DVec2::new(2.0, 1.2),
    DVec2::new(6.0, 1.2),
    DVec2::new(6.6, 2.0),
    DVec2::new(6.6, 4.2),
    DVec2::new(6.0, 4.8),
    DVec2::new(2.0, 4.8),
    DVec2::new(1.4, 4.0),
    DVec2::new(1.4, 2.0),
];

#[test]
fn measures_of_a_route_are_those_of_its_events_and_rows() {
    let mut world = road(ROUTE, 0);
    let seen = seen(&mut world, 8000);
    assert_near(measured(&mut world, "distance_m"), seen.way_m, ROUNDING, "way");
    assert_near(measured(&mut world, "speed_mean_m_s"), seen.way_m / 80.0, ROUNDING, "mean speed");
    assert_near(measured(&mut world, "speed_max_m_s"), seen.speed_max_m_s, ROUNDING, "speed");
    assert_near(measured(&mut world, "yaw_rate_max_rad_s"), seen.rate_max_rad_s, ROUNDING, "turn rate");
    assert_near(measured(&mut world, "standing_share"), seen.standing / seen.steps, ROUNDING, "standing");

    let of_kind = |kind: &'static str| seen.events.iter().filter(move |event| event.0 == kind);
    assert_eq!(measured(&mut world, "waypoints_passed"), of_kind("waypoint").count() as f64);
    // A lap goes from one pass of the first waypoint to the next.
    let passes_s: Vec<f64> = of_kind("waypoint").filter(|event| event.1 == "waypoint 0").map(|event| event.2).collect();
    let laps_s: Vec<f64> = passes_s.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(laps_s.len() >= 2, "{passes_s:?}");
    for (told, expected_s) in of_kind("lap").zip(&laps_s) {
        assert_near(told.3, *expected_s, ROUNDING, "lap");
    }
    assert_near(
        measured(&mut world, "lap_mean_s"),
        laps_s.iter().sum::<f64>() / laps_s.len() as f64,
        ROUNDING,
        "mean lap",
    );
    assert_near(
        measured(&mut world, "lap_best_s"),
        laps_s.iter().copied().fold(f64::INFINITY, f64::min),
        ROUNDING,
        "best lap",
    );
    // The rear axle starts 0.2 m behind the first waypoint and ends on the way: whole lengths of the route.
    let length_m: f64 = CORNERS_M.iter().zip(CORNERS_M.iter().cycle().skip(1)).map(|(a, b)| a.distance(*b)).sum();
    assert_eq!(measured(&mut world, "laps"), (seen.way_m / length_m).floor());

    let apart: Vec<f64> = seen.axles_m.iter().map(|axle_m| apart_m(*axle_m, &CORNERS_M)).collect();
    let most_m = apart.iter().copied().fold(0.0, f64::max);
    let mean_m = apart.iter().sum::<f64>() / apart.len() as f64;
    // The point is that of the driver's decision, up to a step's way of 8 mm behind; where a corner is cut it lies farther on.
    let (told_most_m, told_mean_m) =
        (measured(&mut world, "off_route_max_m"), measured(&mut world, "off_route_mean_m"));
    assert!((most_m - ROUNDING..1.1 * most_m + 0.008).contains(&told_most_m), "{told_most_m} m, at least {most_m} m");
    assert!((mean_m - ROUNDING..1.1 * mean_m + 0.008).contains(&told_mean_m), "{told_mean_m} m, at least {mean_m} m");
}

/// Beside a straight route the point to which a car has come is the foot of the perpendicular, at the driver's decision.
#[test]
fn a_car_beside_its_route_is_off_it_by_its_offset() {
    let members = r#""cars": [{"start": {"y_m": 0.3},
        "driver": {"waypoints": {"points_m": [[-1, 0], [40, 0]], "closed": false, "speed_m_s": 0.5}}}]"#;
    let mut world = road(members, 0);
    let seen = seen(&mut world, 1500);
    let first_m = DVec2::new(-0.2025, 0.3);
    let before_m = std::iter::once(&first_m).chain(&seen.axles_m);
    let off: Vec<f64> =
        before_m.zip(&seen.axles_m).map(|(before_m, axle_m)| axle_m.distance(DVec2::new(before_m.x, 0.0))).collect();
    let (most_m, mean_m) = (off.iter().copied().fold(0.0, f64::max), off.iter().sum::<f64>() / off.len() as f64);
    assert_near(measured(&mut world, "off_route_max_m"), most_m, ROUNDING, "most");
    assert_near(measured(&mut world, "off_route_mean_m"), mean_m, ROUNDING, "mean");
    assert_near(most_m, 0.3, 1e-4, "the start");
    assert!(mean_m < 0.1 && seen.axles_m[1499].y.abs() < 0.01, "it comes back to its route: {mean_m} m");
    assert!(measured(&mut world, "laps").is_nan(), "an open route has no laps");
    assert_eq!(measured(&mut world, "waypoints_passed"), 0.0);
}

#[test]
fn only_collisions_and_numbers_that_are_not_finite_have_a_limit() {
    let model = road_model(ROUTE);
    for measure in MEASURES {
        let expected = ["collisions", "non_finite"].contains(&measure.name).then_some(0.0);
        assert_eq!((limit(measure), model.limit(measure)), (expected, expected), "{}", measure.name);
    }
    let mut world = road(ROUTE, 0);
    walk(&mut world, 10);
    for metric in world.finish() {
        assert_eq!(metric.ok, metric.limit.map(|_| true), "{}", metric.name);
    }
}

/// Ending the measuring twice tells the same; no row of the last step is told again at the end.
#[test]
fn measuring_ends_without_a_trace() {
    let mut world = road(ROUTE, 0);
    walk(&mut world, 20);
    assert!(!numbers(&world, "imu", "taken_s").is_empty());
    let first = format!("{:?}", world.finish());
    assert_eq!(first, format!("{:?}", world.finish()));
    for stream in ["lidar", "imu", "odometry", "position", "events"] {
        assert!(numbers(&world, stream, "time_s").is_empty(), "{stream}");
    }
    assert_eq!(numbers(&world, "cars", "step"), [20.0]);
}

/// What people ask of a run before it is made.
#[test]
fn a_model_tells_its_length_and_what_it_costs() {
    let model = |members: &str| road_model(&format!(r#""steps": 700, "step_hz": 50, "seed": 9, {members}"#));
    let plain = model(r#""cars": [{}, {"start": {"x_m": 2}}], "trace": {"every": 25}"#);
    let info = plain.info();
    assert_eq!((info.name, info.seed, info.steps, info.step_hz), ("test", 9, 700, 50));
    assert_eq!((info.trace_every, info.agents, plain.substeps()), (25, 2, 20));
    let cost_s = |members: &str| model(members).cpu_estimate_s();
    let (one, two) = (cost_s(r#""cars": [{}]"#), plain.cpu_estimate_s());
    assert_near(two, 2.0 * one, 1e-12, "twice the cars");
    assert!(cost_s(r#""cars": [{"sensors": {"lidar": {}}}]"#) > one, "a lidar costs");
}
