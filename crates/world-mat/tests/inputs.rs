//! What comes in from outside: what each stream does, in closed form, and which rows are refused in which words.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{
    ALONE, STEP_HZ, assert_near, check, cube, cubes, number, numbers, row, start, step_with, texts, vectors, walk,
};
use sim_core::{DVec2, ops};
use sim_world::{Model, Value, World};
use test_runs::mat_model;
use world_mat::MatWorld;

const ROUNDING: f64 = 1e-9;

fn number_of(value: f64) -> Value<'static> {
    Value::Number(value)
}

/// Streams are there for what can take them.
#[test]
fn a_mat_takes_rows_for_what_is_on_it() {
    let names = |members: &str| {
        let model = mat_model(members);
        model.inputs().iter().map(|stream| stream.name.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(r#""agents": {"count": 3}"#), "wishes feet target places filters");
    assert_eq!(names(r#""agents": {"count": 3}, "feet": {"count": 0}"#), "wishes target places filters");
    assert_eq!(names(&cubes(&cube("a", r#""at_mm": [300, 300]"#))), "hands clients writes target");
    assert_eq!(names(r#""agents": {"count": 0}, "feet": {"count": 0}"#), "target");
    assert_eq!(names(test_runs::SWARM_OF_CUBES), "wishes feet hands clients writes target filters");
}

/// Each stream's first column is its owner, with as many numbers as there are owners.
#[test]
fn owners_are_numbered_from_zero() {
    let model = mat_model(&format!(r#"{}, "feet": {{"count": 3}}, "agents": {{"count": 7}}"#, r#""seed": 1"#));
    let last = |stream: &str| {
        let stream = model.inputs().iter().find(|known| known.name == stream).unwrap();
        stream.columns[0].range
    };
    assert_eq!((last("wishes"), last("feet")), (Some([0.0, 6.0]), Some([0.0, 2.0])));
    assert_eq!(last("target"), Some([-100_000.0, 100_000.0]));
}

/// From rest, the velocity changes by a_max / step_hz a step, 3000 / 60 = 50 mm/s.
#[test]
fn a_wish_is_reached_at_the_limit_of_acceleration() {
    let members = format!(r#"{ALONE}, "limits": {{"a_max_mm_s2": 3000}}, "safety": {{"filter": "none"}}"#);
    let mut world = start(&members);
    let from = vectors(&world, "agents", ["x_mm", "y_mm"])[0];
    // Away from the nearer wall.
    let sign = if from.x < 450.0 { 1.0 } else { -1.0 };
    let wish = |x: f64| [("agent", Value::Integer(0)), ("vx_mm_s", number_of(x)), ("vy_mm_s", number_of(0.0))];
    step_with(&mut world, "wishes", &wish(sign * 120.0));
    let mut way_mm = 0.0;
    for expected_mm_s in [50.0, 100.0, 120.0, 120.0] {
        way_mm += expected_mm_s / STEP_HZ;
        assert_near(number(&world, "agents", "vx_mm_s"), sign * expected_mm_s, ROUNDING, "velocity");
        assert_near(number(&world, "agents", "x_mm"), from.x + sign * way_mm, ROUNDING, "place");
        assert_near(number(&world, "agents", "y_mm"), from.y, ROUNDING, "place across");
        assert_eq!(vectors(&world, "agents", ["wish_x_mm_s", "wish_y_mm_s"]), [DVec2::new(sign * 120.0, 0.0)]);
        walk(&mut world, 1);
    }
    // What is faster than a robot can go is cut to its limit.
    step_with(&mut world, "wishes", &wish(sign * 9000.0));
    walk(&mut world, 20);
    assert_near(number(&world, "agents", "vx_mm_s"), sign * 252.0, ROUNDING, "the limit v_max");
    assert_eq!(number(&world, "agents", "wish_x_mm_s"), sign * 9000.0);
}

#[test]
fn a_wish_is_one_robots_and_holds_until_it_is_given_back() {
    let mut world = start(r#""agents": {"count": 4}"#);
    let wish = |world: &MatWorld| vectors(world, "agents", ["wish_x_mm_s", "wish_y_mm_s"]);
    let given = DVec2::new(33.25, -7.5);
    step_with(
        &mut world,
        "wishes",
        &[("agent", Value::Integer(2)), ("vx_mm_s", number_of(given.x)), ("vy_mm_s", number_of(given.y))],
    );
    for _ in 0..30 {
        assert_eq!(wish(&world)[2], given);
        assert!([0, 1, 3].into_iter().all(|robot| wish(&world)[robot] != given));
        walk(&mut world, 1);
    }
    step_with(&mut world, "wishes", &[("agent", Value::Integer(2))]);
    assert_ne!(wish(&world)[2], given);
    // A whole number is a number.
    step_with(
        &mut world,
        "wishes",
        &[("agent", Value::Integer(1)), ("vx_mm_s", Value::Integer(10)), ("vy_mm_s", Value::Integer(0))],
    );
    assert_eq!(wish(&world)[1], DVec2::new(10.0, 0.0));
}

/// A foot that rests, on a mat on which it may go anywhere, and where it rests.
fn resting_foot() -> (MatWorld, DVec2) {
    let members = r#""agents": {"count": 0}, "patches": {"count": 0}, "feet": {"count": 1, "travel": "full"},
        "mat": {"width_mm": 1200, "height_mm": 1200}, "field": {"cell_mm": 20}"#;
    let mut world = start(members);
    // Only a foot that follows a point can be told to rest: its own walk is never stopped.
    let (x, y) = (number_of(600.0), number_of(600.0));
    step_with(&mut world, "feet", &[("foot", Value::Integer(0)), ("x_mm", x), ("y_mm", y)]);
    step_with(&mut world, "feet", &[("foot", Value::Integer(0))]);
    walk(&mut world, 240);
    let place = foot_mm(&world);
    walk(&mut world, 1);
    assert_eq!(foot_mm(&world), place, "it rests");
    (world, place)
}

fn foot_mm(world: &MatWorld) -> DVec2 {
    vectors(world, "feet", ["x_mm", "y_mm"])[0]
}

/// docs/models/feet.md: over a way L from rest `2 sqrt(L / a)`, or `L / v + v / a` from `v^2 / a` on; v = 215 mm/s, a = 215 mm/s^2.
#[test]
fn a_foot_follows_a_point_in_the_time_of_its_limits() {
    let (v, a) = (215.0, 215.0);
    for way_mm in [20.0, 150.0, 500.0] {
        let (mut world, from) = resting_foot();
        let towards = (DVec2::splat(600.0) - from).normalize_or(DVec2::X);
        let point = from + towards * way_mm;
        let foot = [("foot", Value::Integer(0)), ("x_mm", number_of(point.x)), ("y_mm", number_of(point.y))];
        step_with(&mut world, "feet", &foot);
        let expected_s: f64 = if way_mm < v * v / a { 2.0 * (way_mm / a).sqrt() } else { way_mm / v + v / a };
        // The next nine frames of its path were known before: it stands until they are over, and moves in the tenth.
        let mut waited = 0;
        while waited < 10 && foot_mm(&world) == from {
            walk(&mut world, 1);
            waited += 1;
        }
        assert!(foot_mm(&world) != from, "it stands after {waited} steps");
        let (mut steps, mut before, mut velocity) = (1.0, from, DVec2::ZERO);
        loop {
            let place = foot_mm(&world);
            let now = (place - before) * STEP_HZ;
            assert!(now.length() <= v + ROUNDING, "{} mm/s", now.length());
            assert!((now - velocity).length() <= a / STEP_HZ + 1e-6, "{} mm/s^2", (now - velocity).length() * STEP_HZ);
            assert!((place - from).length() <= way_mm + ROUNDING, "it goes no farther");
            if place.distance(point) < ROUNDING {
                break;
            }
            (before, velocity) = (place, now);
            walk(&mut world, 1);
            steps += 1.0;
        }
        assert_near(steps / STEP_HZ, expected_s, 2.5 / STEP_HZ, &format!("time for {way_mm} mm"));
        walk(&mut world, 60);
        assert!(foot_mm(&world).distance(point) < ROUNDING, "it stays");
    }
}

/// A point where no foot may be counts as the nearest place where one may be.
#[test]
fn a_foot_does_not_leave_its_domain_for_a_point() {
    let mut world = start(r#""agents": {"count": 0}, "patches": {"count": 0}, "feet": {"count": 1, "travel": "full"}"#);
    let far = [("foot", Value::Integer(0)), ("x_mm", number_of(5000.0)), ("y_mm", number_of(-5000.0))];
    step_with(&mut world, "feet", &far);
    for _ in 0..600 {
        let place = foot_mm(&world);
        assert!((0.0..=400.0).contains(&place.x) && (0.0..=400.0).contains(&place.y), "{place}");
        walk(&mut world, 1);
    }
    assert_near(foot_mm(&world).distance(DVec2::new(400.0, 0.0)), 0.0, 1e-6, "the corner");
}

#[test]
fn the_target_stands_where_it_was_put_until_it_is_taken_away() {
    let mut world = start(r#""agents": {"count": 1}, "feet": {"count": 0}"#);
    let mut other = start(r#""agents": {"count": 1}, "feet": {"count": 0}"#);
    let told = |world: &MatWorld| {
        let objects = texts(world, "events", "object").into_iter();
        texts(world, "events", "kind")
            .into_iter()
            .zip(objects)
            .filter(|(kind, _)| kind == "target")
            .map(|(_, object)| object)
            .collect::<Vec<_>>()
    };
    step_with(&mut world, "target", &[("x_mm", number_of(120.5)), ("y_mm", number_of(-80.0))]);
    assert_eq!(told(&world), ["120.5 -80"]);
    walk(&mut world, 1);
    assert!(told(&world).is_empty(), "it is told once");
    step_with(&mut world, "target", &[]);
    assert_eq!(told(&world), [""]);
    // A pole that stands is part of the state, one that was taken away is not.
    walk(&mut other, 3);
    assert_eq!(world.state_hash(), other.state_hash());
    step_with(&mut world, "target", &[("x_mm", number_of(1.0)), ("y_mm", number_of(2.0))]);
    walk(&mut other, 1);
    assert_ne!(world.state_hash(), other.state_hash());
}

/// A cube after a hand has done something to it and so many steps have passed.
fn after_hand(steps: u64, cells: &[(&str, Value<'_>)]) -> MatWorld {
    let mut world = start(&cubes(&cube("a", r#""at_mm": [300, 300]"#)));
    walk(&mut world, 30);
    let cells = [&[("cube", Value::Integer(0))], cells].concat();
    step_with(&mut world, "hands", &cells);
    let words = cells.iter().filter_map(|(_, value)| if let Value::Text(word) = value { Some(*word) } else { None });
    let told = texts(&world, "events", "kind").into_iter().zip(texts(&world, "events", "object"));
    assert!(told.into_iter().any(|(kind, object)| kind == "hand" && words.clone().any(|word| word == object)));
    walk(&mut world, steps);
    world
}

fn does(word: &'static str) -> (&'static str, Value<'static>) {
    ("does", Value::Text(word))
}

#[test]
fn hands_move_cubes_to_where_the_row_says() {
    let cell = |world: &MatWorld, column: &str| number(world, "cubes", column);
    let lifted = after_hand(60, &[does("lift"), ("height_mm", number_of(40.0))]);
    assert_near(cell(&lifted, "z_mm"), 40.0, 0.01, "height");
    assert!(cell(&lifted, "mat_x").is_nan(), "nothing is read up there");

    let place = [does("place"), ("x_mm", number_of(340.0)), ("y_mm", number_of(280.0)), ("angle_deg", number_of(90.0))];
    let placed = after_hand(120, &place);
    assert_near(cell(&placed, "x_mm"), 340.0, 0.1, "x");
    assert_near(cell(&placed, "y_mm"), 280.0, 0.1, "y");
    assert_near(cell(&placed, "yaw_rad"), std::f64::consts::FRAC_PI_2, 0.01, "yaw");
    // 411 dots are 560 mm; the middle of the mat is dot (250, 250) at (300, 300) mm.
    assert_near(cell(&placed, "mat_x"), 250.0 + 40.0 * 411.0 / 560.0, 1.0, "dot");
    assert_near(cell(&placed, "mat_y"), 250.0 - 20.0 * 411.0 / 560.0, 1.0, "dot");

    let turned = after_hand(90, &[does("turn"), ("angle_deg", number_of(-45.0)), ("duration_s", number_of(0.3))]);
    assert_near(cell(&turned, "yaw_rad"), -std::f64::consts::FRAC_PI_4, 0.02, "yaw");

    let tilt =
        [does("tilt"), ("roll_deg", number_of(30.0)), ("pitch_deg", number_of(0.0)), ("duration_s", number_of(0.2))];
    let tilted = after_hand(30, &tilt);
    assert_near(cell(&tilted, "roll_rad"), 30.0_f64.to_radians(), 0.02, "roll");
    assert_near(cell(&tilted, "pitch_rad"), 0.0, 0.02, "pitch");
}

/// A shake swings about the place where it began, as far as it says and no farther.
#[test]
fn a_shaken_cube_swings_about_its_place() {
    let shake = [
        does("shake"),
        ("amplitude_mm", number_of(8.0)),
        ("frequency_hz", number_of(3.0)),
        ("duration_s", number_of(2.0)),
    ];
    let mut world = after_hand(0, &shake);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..110 {
        let off_mm = number(&world, "cubes", "x_mm") - 300.0;
        (least, most) = (least.min(off_mm), most.max(off_mm));
        assert_near(number(&world, "cubes", "y_mm"), 300.0, 0.2, "across");
        walk(&mut world, 1);
    }
    // Twenty steps a swing: the turn lies at most half a step from one of them, cos(pi / 20) of the amplitude.
    for reached_mm in [-least, most] {
        assert!((8.0 * ops::cos(std::f64::consts::PI / 20.0) - 0.1..8.1).contains(&reached_mm), "{least} to {most} mm");
    }
}

/// Button characteristic, 107: one notification when it is pressed and one when it is released.
#[test]
fn a_button_is_told_when_it_is_pressed_and_released() {
    let mut world = after_hand(0, &[does("press"), ("duration_s", number_of(0.2))]);
    let mut told = Vec::new();
    for _ in 0..60 {
        let messages = texts(&world, "messages", "characteristic").into_iter().zip(texts(&world, "messages", "dir"));
        told.extend(messages.filter(|(characteristic, _)| characteristic == "107").map(|(_, dir)| dir));
        walk(&mut world, 1);
    }
    assert_eq!(told, ["notify", "notify"]);
}

/// 2.814343 mm/s a unit (docs/models/motor.md): both wheels at 30 units, for a second, from rest to rest.
#[test]
fn a_write_is_what_the_cube_does() {
    let mut world = start(&cubes(&cube("a", r#""at_mm": [200, 300]"#)));
    walk(&mut world, 30);
    // Facts of the motor: 02, left 1 forward 30, right 2 forward 30, for 100 times 10 ms.
    let bytes: &[u8] = &[2, 1, 1, 30, 2, 1, 30, 100];
    let write = [("cube", Value::Integer(0)), ("characteristic", Value::Text("102")), ("hex", Value::Bytes(bytes))];
    step_with(&mut world, "writes", &write);
    assert_eq!(
        (texts(&world, "messages", "dir"), texts(&world, "messages", "characteristic")),
        (vec!["write".to_owned()], vec!["102".to_owned()])
    );
    walk(&mut world, 40);
    for column in ["left_mm_s", "right_mm_s"] {
        assert_near(number(&world, "cubes", column), 30.0 * 2.814_343, 1.0, column);
    }
    walk(&mut world, 80);
    assert_near(number(&world, "cubes", "x_mm"), 200.0 + 30.0 * 2.814_343, 2.5, "place");
    assert_near(number(&world, "cubes", "left_mm_s"), 0.0, 0.1, "it stands");
}

/// Words may be written in any case, with spaces round them, as spreadsheets leave them.
#[test]
fn a_characteristic_is_found_whatever_its_case() {
    let model = mat_model(&cubes(&cube("a", r#""at_mm": [300, 300]"#)));
    for word in ["1FF", "1ff", " 1ff ", "103"] {
        let cells = [("cube", Value::Integer(0)), ("characteristic", Value::Text(word)), ("hex", Value::Bytes(&[1]))];
        let (place, row) = row(&model, "writes", &cells);
        assert_eq!(check(&model, place, &row), Ok(()), "{word:?}");
    }
}

/// What is wrong with a row for a cube or a robot; empty if nothing is.
fn fault(stream: &str, cells: &[(&str, Value<'_>)]) -> String {
    let model = mat_model(test_runs::SWARM_OF_CUBES);
    let (place, row) = row(&model, stream, cells);
    check(&model, place, &row).map_or_else(|fault| fault.in_words(&model.inputs()[place]), |()| String::new())
}

#[test]
fn rows_that_mean_nothing_are_refused() {
    let one = Value::Number(1.0);
    let robot = ("agent", Value::Integer(5));
    assert_eq!(fault("wishes", &[robot, ("vx_mm_s", one)]), "vy_mm_s is missing beside the other one");
    assert_eq!(fault("wishes", &[robot, ("vy_mm_s", one)]), "vx_mm_s is missing beside the other one");
    assert_eq!(fault("wishes", &[robot]), "");
    assert_eq!(fault("wishes", &[("agent", Value::Integer(6))]), "agent is 6, must be from 0 to 5");
    let fast = [robot, ("vx_mm_s", Value::Number(-10_000.5)), ("vy_mm_s", one)];
    assert_eq!(fault("wishes", &fast), "vx_mm_s is -10000.5, must be from -10000 to 10000");
    assert_eq!(fault("feet", &[("foot", Value::Integer(0)), ("y_mm", one)]), "x_mm is missing beside the other one");
    assert_eq!(fault("target", &[("x_mm", one)]), "y_mm is missing beside the other one");
    assert_eq!(
        fault("target", &[("x_mm", Value::Number(1e6)), ("y_mm", one)]),
        "x_mm is 1000000, must be from -100000 to 100000"
    );

    let names = "must be one of 101, 102, 103, 104, 106, 107, 108, 1FF";
    let cube = ("cube", Value::Integer(0));
    let bytes = ("hex", Value::Bytes(&[1, 2]));
    assert_eq!(fault("writes", &[cube, bytes]), format!("characteristic is missing, {names}"));
    let unknown = [cube, bytes, ("characteristic", Value::Text("105"))];
    assert_eq!(fault("writes", &unknown), format!("characteristic is \"105\", {names}"));
    let known = ("characteristic", Value::Text("102"));
    assert_eq!(fault("writes", &[cube, known]), "hex is missing");
    assert_eq!(fault("writes", &[cube, known, ("hex", Value::Bytes(&[]))]), "hex is missing");
    assert_eq!(fault("writes", &[cube, known, ("hex", one)]), "hex must be bytes as pairs of hexadecimal digits");
}

/// Each word of a hand, the cells that it needs, and what is said without the last of them.
#[test]
fn hands_are_told_what_they_need() {
    let (cube, one) = (("cube", Value::Integer(0)), Value::Number(1.0));
    let needs: [(&'static str, &[&str]); 15] = [
        ("lift", &["height_mm"]),
        ("place", &["x_mm", "y_mm"]),
        ("drag", &["x_mm", "y_mm"]),
        ("pull", &["x_mm", "y_mm"]),
        ("tilt", &[]),
        ("turn", &["angle_deg"]),
        ("push", &["force_n"]),
        ("shake", &["amplitude_mm", "frequency_hz"]),
        ("tap", &["impulse_mn_s"]),
        ("press", &[]),
        ("button_down", &[]),
        ("button_up", &[]),
        ("power_on", &[]),
        ("power_off", &[]),
        ("release", &[]),
    ];
    for (word, columns) in needs {
        let mut cells = vec![cube, does(word)];
        cells.extend(columns.iter().map(|column| (*column, one)));
        assert_eq!(fault("hands", &cells), "", "{word}");
        if let Some(last) = columns.last() {
            cells.pop();
            assert_eq!(fault("hands", &cells), format!("{last} is missing for {word}"));
        }
    }
    let words = "must be lift, place, drag, pull, tilt, turn, push, shake, tap, press, button_down, button_up, \
                 power_on, power_off, take_away, bring or release";
    assert_eq!(fault("hands", &[cube]), format!("does {words}"));
    assert_eq!(fault("hands", &[cube, does("hug")]), format!("does is \"hug\", {words}"));
    let tap = [cube, does("tap"), ("impulse_mn_s", one), ("side", Value::Text("bottom"))];
    assert_eq!(fault("hands", &tap), "side is \"bottom\", must be top, front, rear, left or right");
    for side in ["top", "front", "rear", "left", "right"] {
        assert_eq!(fault("hands", &[cube, does("tap"), ("impulse_mn_s", one), ("side", Value::Text(side))]), "");
    }
}

#[test]
fn hands_keep_to_the_ranges_of_their_columns() {
    let cube = ("cube", Value::Integer(0));
    let cases = [
        ("lift", "height_mm", -1.0, "height_mm is -1, must be from 0 to 1000"),
        ("push", "force_n", 2.5, "force_n is 2.5, must be from 0 to 2"),
        ("tap", "impulse_mn_s", 51.0, "impulse_mn_s is 51, must be from 0 to 50"),
        ("turn", "angle_deg", 5001.0, "angle_deg is 5001, must be from -5000 to 5000"),
        ("tilt", "pitch_deg", 91.0, "pitch_deg is 91, must be from -90 to 90"),
        ("pull", "ahead_mm", 16.0, "ahead_mm is 16, must be from -15.9 to 15.9"),
        ("press", "duration_s", 0.0, "duration_s is 0, must be from 0.01 to 3600"),
    ];
    for (word, column, value, expected) in cases {
        assert_eq!(fault("hands", &[cube, does(word), (column, Value::Number(value))]), expected);
    }
    // Sixty steps a second show no swing of more than six a second.
    let shake = [cube, does("shake"), ("amplitude_mm", Value::Number(5.0)), ("frequency_hz", Value::Number(7.0))];
    assert!(fault("hands", &shake).starts_with("frequency_hz is 7, must be "), "{}", fault("hands", &shake));
}

/// Rows of one step are taken in their order: of two for one robot the last one holds.
#[test]
fn of_two_rows_for_one_owner_the_last_one_holds() {
    let mut world = start(r#""agents": {"count": 2}, "feet": {"count": 0}"#);
    let of = |x: f64| [("agent", Value::Integer(0)), ("vx_mm_s", number_of(x)), ("vy_mm_s", number_of(0.0))];
    let rows = [of(10.0), of(20.0)].map(|cells| row(world.model(), "wishes", &cells));
    let inputs: Vec<_> = rows.iter().map(|(stream, row)| sim_world::Input { stream: *stream, row }).collect();
    World::step(&mut world, &inputs).unwrap();
    assert_eq!(numbers(&world, "agents", "wish_x_mm_s")[0], 20.0);
}
