//! Cubes that are taken off the mat and brought back while a run goes on, by scripts and by rows.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{check, cube, cubes, numbers, row, said_beside, start, step_with, texts, vectors, walk};
use sim_core::DVec2;
use sim_run::{Control, RunOptions, run_batch, run_one, scenario};
use sim_world::{Cell, DeviceState, Gesture, Model, Value, World};
use sim_worlds::WORLDS;
use std::path::Path;
use test_runs::{batch, files, key, mat_model, mat_text, model, temporary, traced};
use toio_cube_sim::PowerState;
use world_mat::MatWorld;

/// Two cubes 100 mm apart on a mat of position IDs, the second one in the box as `more` says.
fn two(more: &str) -> String {
    let second = format!(r#""at_mm": [350, 300]{more}"#);
    cubes(&format!("{}, {}", cube("a", r#""at_mm": [250, 300]"#), cube("b", &second)))
}

fn hand(world: &mut MatWorld, cube: i64, does: &'static str, cells: &[(&str, Value<'_>)]) {
    let cells = [&[("cube", Value::Integer(cube)), ("does", Value::Text(does))], cells].concat();
    step_with(world, "hands", &cells);
}

/// Kind, subject and object of what happened in the last step.
fn told(world: &MatWorld) -> Vec<String> {
    let columns = ["kind", "subject", "object"].map(|column| texts(world, "events", column));
    let [kinds, subjects, objects] = columns;
    kinds.iter().zip(&subjects).zip(&objects).map(|((kind, who), what)| format!("{kind} {who} {what}")).collect()
}

fn has(world: &MatWorld, event: &str) -> bool {
    told(world).iter().any(|row| row.trim_end() == event)
}

fn owners(world: &MatWorld) -> Vec<f64> {
    numbers(world, "cubes", "cube")
}

/// Off at once: no row, no radio, no sensors; and nothing that its program asks comes through.
#[test]
fn a_cube_that_is_taken_away_is_nowhere() {
    let program = r#", "program": [{"at_s": 2, "light": {"rgb": [255, 0, 0]}}, {"at_s": 2.5, "connect": {}}]"#;
    let mut world = start(&two(program));
    walk(&mut world, 60);
    assert_eq!((owners(&world), world.device_state(1)), (vec![0.0, 1.0], DeviceState::Connected));
    hand(&mut world, 1, "take_away", &[]);
    assert_eq!(told(&world), ["cube_taken_away cube 1 ", "cube_disconnected cube 1 ", "cube_power cube 1 off"]);
    assert_eq!((owners(&world), world.device_state(1)), (vec![0.0], DeviceState::Off));
    let mut lost = 0;
    for _ in 0..120 {
        world.step().unwrap();
        assert_eq!((owners(&world), world.device_state(1)), (vec![0.0], DeviceState::Off));
        assert!(told(&world).is_empty(), "{:?}", told(&world));
        lost += texts(&world, "messages", "dir").iter().filter(|dir| *dir == "drop_write").count();
    }
    assert_eq!(lost, 1, "the lamp of its program");
    let view = world.cubes().unwrap().view(1);
    assert!(view.is_away() && view.actuators().power == PowerState::Off);
}

/// Half a second after it stands again, its radio advertises: what a cube needs to come on (toio facts, section 8.1).
#[test]
fn a_cube_that_is_brought_stands_where_it_was_taken_and_comes_on() {
    let mut world =
        start(&two(r#", "heading_deg": 30, "program": [{"at_s": 0.5, "motor_run": {"left": 40, "right": 40}}]"#));
    walk(&mut world, 90);
    let (place, yaw) = (vectors(&world, "cubes", ["x_mm", "y_mm"])[1], numbers(&world, "cubes", "yaw_rad")[1]);
    assert!(place.distance(DVec2::new(350.0, 300.0)) > 50.0, "{place}");
    hand(&mut world, 1, "take_away", &[]);
    walk(&mut world, 30);
    hand(&mut world, 1, "bring", &[]);
    assert_eq!(told(&world).len(), 2, "{:?}", told(&world));
    assert!(told(&world)[0].starts_with("cube_brought cube 1 ") && has(&world, "cube_power cube 1 starting"));
    let back = vectors(&world, "cubes", ["x_mm", "y_mm"])[1];
    assert!(back.distance(place) < 0.1, "{back} {place}");
    assert!((numbers(&world, "cubes", "yaw_rad")[1] - yaw).abs() < 1e-3);
    assert!(numbers(&world, "cubes", "mat_x")[1].is_finite(), "it reads the mat in the step in which it is brought");
    let mut steps = 0;
    while world.device_state(1) == DeviceState::Off {
        world.step().unwrap();
        steps += 1;
    }
    assert_eq!((world.device_state(1), steps), (DeviceState::Free, 30));
    assert!(vectors(&world, "cubes", ["x_mm", "y_mm"])[1].distance(place) < 0.2, "its motors rest");
}

#[test]
fn a_cube_is_brought_to_a_place_and_a_heading() {
    let mut world = start(&two(""));
    hand(&mut world, 1, "take_away", &[]);
    let [x, y, angle] = [420.0, 180.0, -60.0].map(Value::Number);
    hand(&mut world, 1, "bring", &[("x_mm", x), ("y_mm", y), ("angle_deg", angle)]);
    assert!(has(&world, "cube_brought cube 1 420 180"), "{:?}", told(&world));
    walk(&mut world, 10);
    assert!(vectors(&world, "cubes", ["x_mm", "y_mm"])[1].distance(DVec2::new(420.0, 180.0)) < 0.1);
    assert!((numbers(&world, "cubes", "yaw_rad")[1].to_degrees() + 60.0).abs() < 0.05);
}

/// What is in the way is named, whichever it is; nothing has changed then.
#[test]
fn what_is_in_the_way_keeps_a_cube_away() {
    let standing = r#", "chargers": [{"x_mm": 100, "y_mm": 100}]"#;
    let mat = r#""mat": {"border": "rim", "width_mm": 600, "height_mm": 600, "walls": [{"from_mm": [500, 0], "to_mm": [500, 90]}],
        "obstacles": [{"corners_mm": [[200, 100], [320, 100], [320, 220], [200, 220]]}]}"#;
    let list =
        format!("{}, {}", cube("a", r#""at_mm": [250, 300]"#), cube("b", r#""at_mm": [350, 300], "away": true"#));
    let members = format!(
        r#""agents": {{"count": 0}}, "feet": {{"count": 0}}, "patches": {{"count": 0}}, {mat}, "cubes": [{list}]{standing}"#
    );
    let mut world = start(&members);
    walk(&mut world, 5);
    for ([x, y], object) in [
        ([250.0, 300.0], "cube 0"),
        ([275.0, 325.0], "cube 0"),
        ([500.0, 60.0], "wall 0"),
        ([5.0, 300.0], "rim"),
        ([110.0, 110.0], "charger 0"),
        ([200.0, 150.0], "obstacle 0"),
        // Bodies know its edges alone, which are far from here.
        ([260.0, 160.0], "obstacle 0"),
    ] {
        hand(&mut world, 1, "bring", &[("x_mm", Value::Number(x)), ("y_mm", Value::Number(y))]);
        assert_eq!(told(&world), [format!("cube_bring_refused cube 1 {object}")]);
        assert_eq!(owners(&world), [0.0]);
    }
    hand(&mut world, 0, "bring", &[]);
    assert_eq!(told(&world), ["cube_bring_refused cube 0 there"]);
    hand(&mut world, 1, "bring", &[]);
    assert_eq!(vectors(&world, "cubes", ["x_mm", "y_mm"])[1].round(), DVec2::new(350.0, 300.0), "its start place");
}

/// One rule for all hands: with a cube that is away they do nothing, and are told.
#[test]
fn hands_do_nothing_with_a_cube_that_is_away() {
    let mut world = start(&two(r#", "away": true"#));
    let one = Value::Number(1.0);
    walk(&mut world, 1);
    let mut quiet = world.clone();
    for (word, cells) in [
        ("lift", vec![("height_mm", one)]),
        ("drag", vec![("x_mm", one), ("y_mm", one)]),
        ("tap", vec![("impulse_mn_s", one)]),
        ("press", vec![]),
        ("button_down", vec![]),
        ("power_on", vec![]),
        ("power_off", vec![]),
        ("release", vec![]),
        ("take_away", vec![]),
    ] {
        hand(&mut world, 1, word, &cells);
        walk(&mut quiet, 1);
        assert_eq!(told(&world), [format!("hand_refused cube 1 {word}")]);
        assert_eq!(world.state().hash(), quiet.state().hash(), "{word}");
    }
}

/// Its place is that of another one, its client is not connected, and no event tells of a cube that was never there.
#[test]
fn a_cube_in_its_box_takes_no_place() {
    let list =
        format!("{}, {}", cube("a", r#""at_mm": [250, 300]"#), cube("b", r#""at_mm": [255, 305], "away": true"#));
    assert!(said_beside(&[], &cubes(&list)).is_empty());
    let mut world = start(&cubes(&list));
    assert_eq!((owners(&world), world.device_state(1)), (vec![0.0], DeviceState::Off));
    for _ in 0..60 {
        world.step().unwrap();
        assert!(!told(&world).iter().any(|row| row.contains("cube 1")), "{:?}", told(&world));
    }
    hand(&mut world, 1, "bring", &[]);
    assert_eq!(told(&world), ["cube_bring_refused cube 1 cube 0"]);
}

/// Away, a cube is not outside, whether it was or not, and one that was on a charger is off it.
#[test]
fn a_cube_that_is_away_has_neither_left_nor_charges() {
    let scenario = |at: &str, more: &str| {
        format!(
            r#""agents": {{"count": 0}}, "feet": {{"count": 0}}, "patches": {{"count": 0}},
               "mat": {{"width_mm": 400, "height_mm": 400}}, "cubes": [{}]{more}"#,
            cube("a", &format!(r#""at_mm": [{at}]"#))
        )
    };
    let mut world = start(&scenario("500, 200", ""));
    hand(&mut world, 0, "take_away", &[]);
    assert!(!told(&world).iter().any(|row| row.starts_with("cube_returned")), "{:?}", told(&world));
    hand(&mut world, 0, "bring", &[]);
    walk(&mut world, 5);
    let exits = world.finish().into_iter().find(|metric| metric.name == "cube_exits").unwrap().value;
    assert_eq!(exits, 0.0, "it was outside when it was brought");

    let charger = r#", "chargers": [{"x_mm": 200, "y_mm": 200}],
        "script": [{"at_s": 0.1, "cube": "a", "place": {"x_mm": 200, "y_mm": 200, "duration_s": 0.3}}]"#;
    let mut world = start(&scenario("100, 100", charger));
    walk(&mut world, 120);
    hand(&mut world, 0, "take_away", &[]);
    assert!(has(&world, "cube_off_charger cube 0 charger 0"), "{:?}", told(&world));
}

/// Counted once more from the rows: cube-steps and ways are those of cubes that are there.
#[test]
fn measures_count_a_cube_while_it_is_there() {
    let away = r#", "program": [{"at_s": 0.2, "motor_run": {"left": 30, "right": 30}}]"#;
    let mut world = start(&two(away));
    let (mut way_mm, mut rows, mut reading) = (0.0, 0, 0);
    let mut before = vectors(&world, "cubes", ["x_mm", "y_mm"]);
    for step in 1..=240 {
        let [x, y] = [450.0, 150.0].map(Value::Number);
        match step {
            60 => hand(&mut world, 1, "take_away", &[]),
            120 => hand(&mut world, 1, "bring", &[("x_mm", x), ("y_mm", y)]),
            _ => world.step().unwrap(),
        }
        let now = vectors(&world, "cubes", ["x_mm", "y_mm"]);
        if now.len() == before.len() {
            way_mm += before.iter().zip(&now).map(|(before, now)| before.distance(*now)).sum::<f64>();
        } else {
            way_mm += before[0].distance(now[0]);
        }
        let read = numbers(&world, "cubes", "mat_x");
        (rows, reading) = (rows + read.len(), reading + read.iter().filter(|dot| dot.is_finite()).count());
        before = now;
    }
    assert_eq!(rows, 240 * 2 - 60);
    let measures = world.finish();
    let measure = |name: &str| measures.iter().find(|metric| metric.name == name).unwrap().value;
    assert!((measure("cube_way_mean_mm") - way_mm / 2.0).abs() < 1e-9 && way_mm > 40.0, "{way_mm}");
    assert_eq!(measure("cube_position_share"), reading as f64 / rows as f64);

    let mut never = start(&cubes(&cube("a", r#""at_mm": [250, 300], "away": true"#)));
    walk(&mut never, 10);
    let share = never.finish().into_iter().find(|metric| metric.name == "cube_position_share").unwrap().value;
    assert!(share.is_nan(), "{share}");
}

/// A run of a scenario with files of inputs, into a folder.
fn run(folder: &Path, name: &str, members: &str, hands: Option<&str>) -> u64 {
    let text = mat_text(&format!(r#""steps": 300, "trace": {{"every": 2}}, {members}"#));
    let file = folder.join(format!("{name}.json"));
    if let Some(rows) = hands {
        std::fs::write(folder.join("hands.csv"), rows).unwrap();
    }
    std::fs::write(&file, text).unwrap();
    run_again(&file, &folder.join(name))
}

fn run_again(file: &Path, out: &Path) -> u64 {
    let loaded = scenario::load(WORLDS, file, &[]).unwrap_or_else(|refused| panic!("{refused}"));
    let options: RunOptions = loaded.options(out);
    run_one(&loaded.model, key(0), &options, &Control::none()).unwrap().final_state_hash
}

/// The script and the rows of a file do the same, and the folder of either repeats it.
#[test]
fn a_script_and_rows_of_a_file_do_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let program = r#", "program": [{"at_s": 0.1, "motor_run": {"left": 60, "right": 60}}, {"at_s": 3, "connect": {}}]"#;
    // What the script begins at the end of step k, a row of step k + 1 begins.
    let script = r#""script": [{"at_s": 1, "cube": "b", "take_away": {}}, {"at_s": 1.5, "cube": "b", "lift": {"height_mm": 20}},
        {"at_s": 2, "cube": "b", "bring": {"x_mm": 300, "y_mm": 200, "heading_deg": 90}},
        {"at_s": 3.5, "cube": "a", "take_away": {}}, {"at_s": 4, "cube": "a", "bring": {}}]"#;
    let rows = "step,cube,does,x_mm,y_mm,angle_deg,height_mm\n61,b,take_away,,,,\n91,1,lift,,,,20\n121,b,bring,300,200,90,\n\
                211,0,take_away,,,,\n241,a,bring,,,,\n";
    let scripted = run(folder.path(), "scripted", &format!("{}, {script}", two(program)), None);
    let inputs = format!(r#"{}, "inputs": {{"hands": "hands.csv"}}"#, two(program));
    let given = run(folder.path(), "given", &inputs, Some(rows));
    let read = |name: &str, table: &str| std::fs::read_to_string(folder.path().join(name).join(table)).unwrap();
    for table in ["cubes.csv", "events.csv", "messages.csv", "summary.csv"] {
        assert_eq!(read("scripted", table), read("given", table), "{table}");
    }
    let of_b = read("given", "cubes.csv").lines().filter(|line| line.split(',').nth(2) == Some("1")).count();
    // Steps 0 to 300 by twos are 151 rows; of them, 62 to 120 lack b.
    assert_eq!(of_b, 151 - 30);
    assert_eq!(run_again(&folder.path().join("scripted.json"), &folder.path().join("again")), scripted);
    // The record has numbers, whatever the file had.
    assert!(read("given", "inputs-hands.csv").contains("\n61,1,take_away"), "{}", read("given", "inputs-hands.csv"));
    assert_eq!(run_again(&folder.path().join("given/scenario.json"), &folder.path().join("from-record")), given);
}

/// The same bytes on one thread and on two, with a radio that loses packets.
#[test]
fn runs_with_cubes_that_come_and_go_are_the_same_on_any_number_of_threads() {
    let list = r#"{"name": "a", "at_mm": [250, 300], "radio": {"loss": 0.2}}, {"name": "b", "at_mm": [350, 300], "radio": {"loss": 0.2},
        "program": [{"at_s": 0.1, "motor_run": {"left": 60, "right": 40}}, {"at_s": 2.5, "connect": {}}]}"#;
    let script = r#""script": [{"at_s": 1, "cube": "b", "take_away": {}}, {"at_s": 1.8, "cube": "b", "bring": {}}]"#;
    let members = format!(r#""steps": 240, {}, {script}"#, cubes(list));
    let [(_a, one), (_b, two)] = [temporary(), temporary()];
    for (out, jobs) in [(&one, 1), (&two, 2)] {
        run_batch(&model(&members), &traced(&members, out, 6), &batch(0..4, jobs), &Control::none()).unwrap();
    }
    assert_eq!(files(&one), files(&two));
}

#[test]
fn rows_that_cannot_be_are_refused() {
    let fault = |members: &str, cells: &[(&str, Value<'_>)]| {
        let model = mat_model(members);
        let (place, row) = row(&model, "hands", cells);
        check(&model, place, &row).err().map(|fault| fault.in_words(&model.inputs()[place]))
    };
    let does = |word: &'static str| [("cube", Value::Integer(0)), ("does", Value::Text(word))];
    let bring = |cell| [does("bring").to_vec(), vec![cell]].concat();
    let two = two("");
    assert_eq!(fault(&two, &does("take_away")), None);
    assert_eq!(fault(&two, &[("cube", Value::Text("b")), ("does", Value::Text("bring"))]), None);
    let half = |column: &str| Some(format!("{column} is missing beside the other one"));
    assert_eq!(fault(&two, &bring(("x_mm", Value::Number(1.0)))), half("y_mm"));
    assert_eq!(fault(&two, &bring(("y_mm", Value::Number(1.0)))), half("x_mm"));
    let named = [("cube", Value::Text("c")), ("does", Value::Text("bring"))];
    assert_eq!(fault(&two, &named).unwrap().split(';').next(), Some(r#"cube is "c", the name of no cube"#));
    for word in ["take_away", "bring"] {
        let words = format!("does is {word:?}, but cubes that the swarm drives stay on the mat");
        assert_eq!(fault(test_runs::SWARM_OF_CUBES, &does(word)), Some(words));
    }
}

#[test]
fn scripts_that_cannot_be_are_refused() {
    let scripted = |hand: &str| format!(r#"{}, "script": [{{"at_s": 1, {hand}}}]"#, two(""));
    let said = |hand: &str| said_beside(&[], &scripted(hand)).join("\n");
    assert_eq!(said(r#""cube": "b", "bring": {}"#), "");
    assert!(
        said(r#""cube": "b", "bring": {"x_mm": 3}"#).ends_with("script[0].bring.y_mm: is missing beside the other one")
    );
    assert!(said(r#""cube": "b", "bring": {}, "take_away": {}"#).contains("says take_away and bring"));
    let words = "does not go with agents.drive \"cube\": cubes that the swarm drives stay on the mat";
    for (hand, key) in [(r#""take_away": {}"#, "take_away"), (r#""bring": {}"#, "bring")] {
        let members = format!(r#"{}, "script": [{{"at_s": 1, "cube": "robot-0", {hand}}}]"#, test_runs::SWARM_OF_CUBES);
        let said = said_beside(&[], &members).join("\n");
        assert!(said.contains(&format!("script[0].{key}: {words}")), "{said}");
    }
}

/// A key and a list, only where cubes are not those of a swarm. The empty text is first: no cube is chosen as a run begins.
#[test]
fn stages_offer_to_take_away_and_to_bring() {
    let of = |members: &str| mat_model(members).controls();
    let has_key = |members: &str| of(members).iter().any(|control| control.gesture == Gesture::Key('t'));
    let names = |members: &str| {
        of(members).into_iter().filter(|control| control.row.stream == "hands").find_map(|control| {
            let choice = |(_, cell)| if let Cell::Choice(texts) = cell { Some(texts) } else { None };
            control.row.cells.into_iter().find_map(choice)
        })
    };
    assert!(has_key(&two("")) && !has_key(test_runs::SWARM_OF_CUBES) && !has_key(r#""agents": {"count": 2}"#));
    assert_eq!(names(&two("")), Some(["", "a", "b"].map(str::to_owned).to_vec()));
    assert_eq!(names(test_runs::SWARM_OF_CUBES), None);
}

/// A fork, and a state that goes on with fresh buffers, are the run itself.
#[test]
fn a_fork_with_a_cube_away_goes_on_as_its_original() {
    let mut world = start(&two(r#", "program": [{"at_s": 0.1, "motor_run": {"left": 60, "right": 40}}]"#));
    walk(&mut world, 40);
    hand(&mut world, 1, "take_away", &[]);
    walk(&mut world, 10);
    let mut fork = world.clone();
    fork.drop_scratch();
    for world in [&mut world, &mut fork] {
        hand(world, 1, "bring", &[]);
        walk(world, 60);
    }
    assert_eq!(world.state().hash(), fork.state().hash());
}
