//! What comes into runs: each stream has its effect, every run with inputs repeats from its record, and no file makes a program panic.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use proptest::sample::{Index, select};
use sim_run::run_folder::RunFolder;
use sim_run::scenario::Loaded;
use sim_run::{Control, Disk, Recording, RunOptions, Session, run_one};
use sim_world::{Input, Model, Value};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use test_runs::{ROUTE, SWARM_OF_CUBES, files, json, numbers, road_scenario, scenario, table, temporary};

/// The first steps of a swarm of cubes, which takes every stream of the mat.
fn swarm() -> Loaded {
    scenario(&format!(r#""steps": 240, "trace": {{"every": 2}}, {SWARM_OF_CUBES}"#))
}

fn road() -> Loaded {
    road_scenario(&format!(r#""steps": 400, {ROUTE}"#))
}

/// A row that a step takes.
#[derive(Clone)]
struct Row {
    step: u64,
    stream: &'static str,
    cells: Vec<(&'static str, Value<'static>)>,
}

fn row<const CELLS: usize>(step: u64, stream: &'static str, cells: [(&'static str, Value<'static>); CELLS]) -> Row {
    Row { step, stream, cells: cells.to_vec() }
}

fn number(value: f64) -> Value<'static> {
    Value::Number(value)
}

/// A run by a program that gives these rows.
fn run_with(loaded: &Loaded, rows: &[Row], options: &RunOptions) -> u64 {
    let mut session = Session::start(&loaded.model, loaded.model.key(0), options).unwrap();
    while !session.is_done() {
        let due = rows.iter().filter(|row| row.step == session.tick().0 + 1);
        let taken: Vec<(usize, Vec<Value<'_>>)> = due.map(|row| values(&session, &*loaded.model, row)).collect();
        let inputs: Vec<_> = taken.iter().map(|(stream, row)| Input { stream: *stream, row }).collect();
        session.step(&inputs).unwrap();
    }
    session.finish().unwrap().final_state_hash
}

fn values(session: &Session, model: &dyn Model, row: &Row) -> (usize, Vec<Value<'static>>) {
    let place = session.input(row.stream).unwrap();
    let stream = &model.inputs()[place];
    let mut values = vec![Value::Missing; stream.columns.len()];
    row.cells.iter().for_each(|(name, value)| values[stream.column(name).unwrap()] = *value);
    (place, values)
}

/// The folder of a run by a program with these rows.
fn written(loaded: &Loaded, rows: &[Row]) -> (tempfile::TempDir, std::path::PathBuf) {
    let (place, out) = temporary();
    run_with(loaded, rows, &loaded.options(&out));
    (place, out)
}

/// Rows of every stream of the mat.
fn rows_of_the_mat() -> Vec<Row> {
    let none = Value::Missing;
    vec![
        row(1, "wishes", [("agent", Value::Integer(0)), ("vx_mm_s", number(40.0)), ("vy_mm_s", Value::Integer(-20))]),
        row(7, "wishes", [("agent", Value::Integer(4)), ("vx_mm_s", number(-1.0 / 3.0)), ("vy_mm_s", number(9999.9))]),
        row(7, "wishes", [("agent", Value::Integer(4)), ("vx_mm_s", number(1e-300)), ("vy_mm_s", number(-0.0))]),
        row(150, "wishes", [("agent", Value::Integer(0)), ("vx_mm_s", none), ("vy_mm_s", none)]),
        row(3, "feet", [("foot", Value::Integer(0)), ("x_mm", number(210.0)), ("y_mm", number(190.5))]),
        row(160, "feet", [("foot", Value::Integer(0)), ("x_mm", none), ("y_mm", none)]),
        // The streams of a step are given in any order.
        row(
            20,
            "writes",
            [
                ("cube", Value::Integer(2)),
                ("characteristic", Value::Text("103")),
                ("hex", Value::Bytes(&[3, 0, 1, 1, 200, 100, 50])),
            ],
        ),
        row(
            30,
            "clients",
            [
                ("cube", Value::Integer(3)),
                ("does", Value::Text("write")),
                ("characteristic", Value::Text("103")),
                ("hex", Value::Bytes(&[3, 0, 1, 1, 10, 20, 250])),
            ],
        ),
        row(40, "clients", [("cube", Value::Integer(2)), ("does", Value::Text("disconnect"))]),
        row(
            20,
            "hands",
            [
                ("cube", Value::Integer(2)),
                ("does", Value::Text("lift")),
                ("height_mm", number(30.0)),
                ("duration_s", number(0.2)),
            ],
        ),
        row(60, "hands", [("cube", Value::Integer(3)), ("does", Value::Text("tap")), ("impulse_mn_s", number(4.0))]),
        row(90, "hands", [("cube", Value::Integer(2)), ("does", Value::Text("release"))]),
        row(5, "target", [("x_mm", number(120.5)), ("y_mm", number(80.0))]),
        row(100, "target", [("x_mm", none), ("y_mm", none)]),
        row(200, "target", [("x_mm", number(80.0)), ("y_mm", number(-1.5))]),
        row(15, "filters", [("filter", Value::Text("none"))]),
        row(120, "filters", [("filter", Value::Text("joint"))]),
    ]
}

fn rows_of_the_road() -> Vec<Row> {
    let car = ("car", Value::Integer(0));
    vec![
        row(10, "commands", [car, ("speed_m_s", number(0.4)), ("steer_rad", number(0.2))]),
        row(100, "commands", [car, ("speed_m_s", number(0.8)), ("acceleration_m_s2", number(0.25))]),
        row(250, "commands", [car]),
    ]
}

/// The same hash and the same bytes of every file from the record as from the program.
fn assert_repeats(loaded: &Loaded, rows: &[Row]) {
    let (place, mine) = temporary();
    let hash = run_with(loaded, rows, &loaded.options(&mine));
    assert_ne!(hash, run_with(loaded, &[], &RunOptions::default()), "the rows change the run");

    let inputs = Arc::new(Recording::read_folder(&mine, &*loaded.model).unwrap_or_else(|e| panic!("{e}")));
    let again = RunOptions { inputs, ..loaded.options(place.path().join("again")) };
    let report = run_one(&loaded.model, loaded.model.key(0), &again, &Control::none()).unwrap();
    assert_eq!(report.final_state_hash, hash);
    assert_eq!(files(&mine), files(&place.path().join("again")));
}

#[test]
fn runs_with_rows_of_one_stream_repeat_from_their_record() {
    let (swarm, rows) = (swarm(), rows_of_the_mat());
    for stream in swarm.model.inputs() {
        let of_stream: Vec<Row> = rows.iter().filter(|row| row.stream == stream.name).cloned().collect();
        assert!(!of_stream.is_empty(), "no row of {}", stream.name);
        assert_repeats(&swarm, &of_stream);
    }
    assert_repeats(&road(), &rows_of_the_road());
}

/// Robots that are no cubes are put elsewhere, some where they may not stand, and filters change meanwhile.
#[test]
fn a_run_in_which_robots_are_put_elsewhere_repeats_from_its_record() {
    let put = |step, agent, x: f64, y: f64| {
        row(step, "places", [("agent", Value::Integer(agent)), ("x_mm", number(x)), ("y_mm", number(y))])
    };
    let filter = |step, word| row(step, "filters", [("filter", Value::Text(word))]);
    let puts = [put(3, 0, 40.0, 40.0), put(9, 1, 60.0, 40.0), put(9, 2, 360.0, 350.0), put(80, 3, -5.0, 40.0)];
    let rows = [puts.to_vec(), vec![filter(20, "orca"), filter(60, "joint"), put(61, 0, 360.0, 40.0)]].concat();
    assert_repeats(&scenario(r#""steps": 200, "agents": {"count": 4}"#), &rows);
}

#[test]
fn a_run_with_rows_of_all_streams_repeats_from_its_record() {
    assert_repeats(&swarm(), &rows_of_the_mat());
}

/// A robot alone on a mat without hills wishes nothing but its fluctuation, which is the same in both runs.
#[test]
fn a_robot_goes_where_it_was_wished_until_it_is_given_back() {
    let alone = r#""steps": 480, "trace": {"every": 1}, "agents": {"count": 1}, "feet": {"count": 0},
        "patches": {"count": 0}, "mat": {"width_mm": 900, "height_mm": 900}, "field": {"cell_mm": 15}"#;
    let (alone, agent) = (scenario(alone), ("agent", Value::Integer(0)));
    let (_place, own) = written(&alone, &[]);
    let own = numbers(&own.join("agents.csv"));
    // Away from the nearer wall.
    let vx_mm_s = if own[0][3] < 450.0 { 50.0 } else { -50.0 };
    let wishes = [
        row(1, "wishes", [agent, ("vx_mm_s", number(vx_mm_s)), ("vy_mm_s", number(0.0))]),
        row(301, "wishes", [agent]),
    ];
    let (_place, mine) = written(&alone, &wishes);
    let mine = numbers(&mine.join("agents.csv"));
    let wish = |row: &Vec<f64>| [row[10], row[11]];
    let velocity = |row: &Vec<f64>| [row[8], row[9]];
    assert!(mine[1..=300].iter().all(|row| wish(row) == [vx_mm_s, 0.0]), "{:?}", mine[300]);
    // The filter has the last word: it may go slower, but it goes there.
    let [vx, vy] = velocity(&mine[300]);
    assert!((0.5..1.01).contains(&(vx / vx_mm_s)) && vy.abs() < 1.0, "{:?}", mine[300]);
    let way_mm = mine[300][3] - mine[0][3];
    assert!((0.5..1.01).contains(&(way_mm / (5.0 * vx_mm_s))), "five seconds at up to 50 mm/s: {way_mm} mm");
    assert!(own[301..].iter().zip(&mine[301..]).all(|(own, mine)| wish(own) == wish(mine)), "{:?}", mine[301]);
    assert!(own[30..300].iter().all(|row| wish(row) != [vx_mm_s, 0.0]));
}

#[test]
fn a_foot_comes_to_the_point_and_rests_where_it_is_left() {
    let walk = scenario(
        r#""steps": 1200, "trace": {"every": 1}, "agents": {"count": 0}, "patches": {"count": 0}, "feet": {"count": 1, "travel": "full"}"#,
    );
    let foot = ("foot", Value::Integer(0));
    let feet = [
        row(1, "feet", [foot, ("x_mm", number(300.0)), ("y_mm", number(120.0))]),
        row(800, "feet", [foot, ("x_mm", number(100.0)), ("y_mm", number(120.0))]),
        row(830, "feet", [foot]),
    ];
    let (_place, out) = written(&walk, &feet);
    let (_, rows) = table(&out.join("feet.csv"));
    let place = |step: usize| [4, 5].map(|column: usize| rows[step][column].parse::<f64>().unwrap());
    assert!((place(0)[0] - 300.0).abs() > 1.0, "it starts elsewhere");
    assert!((790..800).all(|step| place(step) == [300.0, 120.0]), "{:?}", place(799));
    let left = place(1199);
    assert!(left[0] < 299.0 && left[0] > 101.0, "it was on its way: {left:?}");
    assert!((1100..1200).all(|step| place(step) == left), "it rests: {:?} {left:?}", place(1100));
}

#[test]
fn a_lifted_cube_is_lifted_and_a_written_lamp_shines() {
    let cube = scenario(
        r#""steps": 90, "trace": {"every": 1}, "agents": {"count": 0}, "feet": {"count": 0}, "patches": {"count": 0},
           "cubes": [{"name": "a", "at_mm": [100, 100]}, {"name": "b", "at_mm": [300, 300]}]"#,
    );
    let (a, b) = (("cube", Value::Integer(0)), ("cube", Value::Integer(1)));
    let light = ("hex", Value::Bytes(&[3, 0, 1, 1, 200, 100, 50]));
    let rows = [
        row(1, "hands", [a, ("does", Value::Text("lift")), ("height_mm", number(30.0)), ("duration_s", number(0.5))]),
        row(1, "writes", [b, ("characteristic", Value::Text("103")), light]),
        row(2, "target", [("x_mm", number(120.5)), ("y_mm", number(80.0))]),
    ];
    let (_place, out) = written(&cube, &rows);
    let (header, last) = table(&out.join("cubes.csv"));
    let cell = |cube: usize, name: &str| {
        let place = header.iter().position(|column| column == name).unwrap();
        last[last.len() - 2 + cube][place].parse::<f64>().unwrap()
    };
    assert!((cell(0, "z_mm") - 30.0).abs() < 0.1 && cell(1, "z_mm").abs() < 0.1, "{:?}", last.last());
    let lamp = |cube| ["led_r", "led_g", "led_b"].map(|name| cell(cube, name));
    assert_eq!((lamp(0), lamp(1)), ([0.0; 3], [200.0, 100.0, 50.0]));
    let events = fs::read_to_string(out.join("events.csv")).unwrap();
    assert!(events.contains(",hand,cube 0,lift,"), "{events}");
    assert!(events.contains(",target,target,120.5 80.0,") || events.contains("target"), "{events}");
    let messages = fs::read_to_string(out.join("messages.csv")).unwrap();
    assert!(messages.contains(",1,write,103,03 00 01 01 c8 64 32,"), "{messages}");
}

/// A program reads the pole as long as it stands; a run without one has no table of it.
#[test]
fn programs_read_the_target_and_its_table_begins_with_it() {
    let (swarm, (_place, out)) = (swarm(), temporary());
    let rows: Vec<Row> = rows_of_the_mat().into_iter().filter(|row| row.stream == "target").collect();
    let mut session = Session::start(&swarm.model, swarm.model.key(0), &swarm.options(&out)).unwrap();
    let mut seen = Vec::new();
    while !session.is_done() {
        let due = rows.iter().filter(|row| row.step == session.tick().0 + 1);
        let taken: Vec<_> = due.map(|row| values(&session, &*swarm.model, row)).collect();
        let inputs: Vec<_> = taken.iter().map(|(stream, row)| Input { stream: *stream, row }).collect();
        session.step(&inputs).unwrap();
        seen.extend(session.numbers("target", ["step", "x_mm", "y_mm"]).unwrap());
        assert_eq!(out.join("target.csv.partial").exists(), session.tick().0 >= 6, "rows come every second step");
    }
    session.finish().unwrap();
    let stands =
        |[first, last]: [u32; 2], x_mm: f64, y_mm: f64| (first..=last).map(move |step| [f64::from(step), x_mm, y_mm]);
    let expected: Vec<_> = stands([5, 99], 120.5, 80.0).chain(stands([200, 240], 80.0, -1.5)).collect();
    assert_eq!(seen, expected);
    let (header, table) = table(&out.join("target.csv"));
    assert_eq!(header.join(","), "step,time_s,x_mm,y_mm");
    let read: Vec<_> = table.iter().map(|row| [0, 2, 3].map(|cell| row[cell].parse::<f64>().unwrap())).collect();
    assert_eq!(read, expected.into_iter().filter(|row| row[0] % 2.0 == 0.0).collect::<Vec<_>>());
    let described = |out: &Path| fs::read_to_string(out.join("tables.json")).unwrap().matches("x_mm\"").count();
    let (_place, without) = written(&swarm, &[]);
    assert!(!without.join("target.csv").exists());
    assert_eq!(described(&out), described(&without) + 1);
}

/// A car with its base point in the middle of a wheelbase L turns at w = v_rear tan(steer) / L, and v_base = v_rear
/// sqrt(1 + (tan(steer) / 2)^2).
#[test]
fn a_car_turns_as_commanded_and_goes_back_to_its_driver() {
    let free = road_scenario(
        r#""steps": 500, "trace": {"every": 1}, "cars": [{"params": {"wheelbase_m": 0.3, "base_to_rear_axle_m": 0.15}}]"#,
    );
    let car = ("car", Value::Integer(0));
    let commands = [
        row(1, "commands", [car, ("speed_m_s", number(0.5)), ("steer_rad", number(0.2))]),
        row(301, "commands", [car]),
    ];
    let (_place, out) = written(&free, &commands);
    let cars = table(&out.join("cars.csv")).1;
    let cell = |step: usize, column: usize| cars[step][column].parse::<f64>().unwrap();
    let tan = sim_core::ops::tan(0.2);
    let expected_rad_s = 0.5 / (1.0 + tan * tan / 4.0).sqrt() * tan / 0.3;
    assert!((cell(300, 6) - 0.5).abs() < 1e-3, "speed {}", cell(300, 6));
    assert!((cell(300, 7) - expected_rad_s).abs() < 1e-3, "{} rad/s, expected {expected_rad_s}", cell(300, 7));
    assert!(cell(499, 6).abs() < 1e-6, "without a driver it stands again: {}", cell(499, 6));
}

#[test]
fn rows_of_a_program_are_refused_one_by_one_and_the_run_goes_on() {
    let swarm = swarm();
    let mut session = Session::start(&swarm.model, swarm.model.key(0), &RunOptions::default()).unwrap();
    let wishes = session.input("wishes").unwrap();
    let wrong = [[Value::Integer(6), number(0.0), number(0.0)]];
    let message = session.step(&Input::rows(wishes, &wrong)).unwrap_err().to_string();
    assert_eq!(message, "step 1: a row of wishes agent is 6, must be from 0 to 5");
    assert_eq!(session.tick().0, 0);
    while !session.is_done() {
        session.step(&[]).unwrap();
    }
    assert_eq!(session.step(&[]).unwrap_err().to_string(), "all 240 steps of the run are made");
    assert_eq!(session.finish().unwrap().final_state_hash, run_with(&swarm, &[], &RunOptions::default()));
}

/// The rows that are right are taken as if the wrong ones had never come.
#[test]
fn wrong_rows_of_live_clients_are_left_out_and_counted() {
    let (swarm, (_place, out)) = (swarm(), temporary());
    let mut session = Session::start(&swarm.model, swarm.model.key(0), &swarm.options(&out)).unwrap();
    let (wishes, target) = (session.input("wishes").unwrap(), session.input("target").unwrap());
    let wish = |agent: i64, speed: f64| [Value::Integer(agent), number(speed), number(0.0)];
    let rows = [wish(6, 0.0), wish(0, 40.0), wish(1, f64::NAN)];
    let pole = [[number(80.0), Value::Missing]];
    while !session.is_done() {
        let live: Vec<Input<'_>> = match session.tick().0 {
            0..6 => Input::rows(wishes, &rows).into_iter().chain(Input::rows(target, &pole)).collect(),
            _ => Vec::new(),
        };
        session.step_live(&live).unwrap();
    }
    let refused = session.refused().clone();
    assert_eq!(
        refused.rows.iter().map(|(name, rows)| (name.as_str(), *rows)).collect::<Vec<_>>(),
        [("target", 6), ("wishes", 12)]
    );
    assert_eq!(refused.messages.len(), 10, "the first ones");
    assert_eq!(
        refused.messages[..3],
        [
            "step 1: a row of wishes agent is 6, must be from 0 to 5",
            "step 1: a row of wishes vx_mm_s is NaN, must be a finite number",
            "step 1: a row of target y_mm is missing beside the other one",
        ]
    );
    let report = session.finish().unwrap();
    assert_eq!(report.refused, refused);
    assert_eq!(json(&out.join("run.json"))["refused_inputs"].to_string(), r#"{"target":6,"wishes":12}"#);
    assert!(!out.join("inputs-target.csv").exists());
    let accepted: Vec<Row> = (1..=6)
        .map(|step| {
            row(step, "wishes", [("agent", Value::Integer(0)), ("vx_mm_s", number(40.0)), ("vy_mm_s", number(0.0))])
        })
        .collect();
    let (_place, strict) = written(&swarm, &accepted);
    assert!(json(&strict.join("run.json")).get("refused_inputs").is_none());
    let without_record = |folder: &Path| {
        let mut files = files(folder);
        files.remove("run.json");
        files
    };
    assert_eq!(without_record(&out), without_record(&strict));
    assert_eq!(run_with(&swarm, &accepted, &RunOptions::default()), report.final_state_hash);
}

#[test]
fn names_of_streams_and_columns_that_are_not_there_are_answered_with_those_that_are() {
    let road = road();
    let session = Session::start(&road.model, road.model.key(0), &RunOptions::default()).unwrap();
    let message = session.input("wishes").unwrap_err().to_string();
    assert_eq!(message, r#"this scenario has no input stream "wishes"; it has commands"#);
    let message = session.numbers("imu", ["car", "gyro"]).unwrap_err().to_string();
    assert!(
        message.starts_with(r#"imu has no column "gyro"; it has step, time_s, car, taken_s, gyro_x_rad_s"#),
        "{message}"
    );
}

/// What a run writes never replaces a file that is no part of a run.
#[test]
fn a_file_of_inputs_that_a_person_wrote_is_in_the_way() {
    let (place, _) = temporary();
    fs::write(place.path().join("inputs-wishes.csv"), "step,agent\n").unwrap();
    let swarm = swarm();
    let refused = Session::start(&swarm.model, swarm.model.key(0), &swarm.options(place.path())).err().unwrap();
    assert!(refused.to_string().contains("inputs-wishes.csv is in the way"), "{refused}");
}

/// What a file may hold: bytes of any kind, and lines of words that come near to right ones.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let words = vec![
        "step",
        "agent",
        "cube",
        "foot",
        "x_mm",
        "vx_mm_s",
        "vy_mm_s",
        "does",
        "side",
        "characteristic",
        "hex",
        "lift",
        "height_mm",
        "0",
        "1",
        "5",
        "103",
        "-0",
        "1e308",
        "-1e400",
        "inf",
        "NaN",
        "0301",
        "\"",
        "\"a,b\"",
        " ",
        "\u{e9}",
        "",
    ];
    let line = prop::collection::vec(select(words), 0..6).prop_map(|fields| fields.join(","));
    let lines = prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n").into_bytes());
    prop_oneof![prop::collection::vec(any::<u8>(), 0..300), lines]
}

/// Reads a file of a stream; what is wrong with it is told in whole lines.
fn read(folder: &Path, model: &dyn Model, place: usize, bytes: &[u8]) -> Option<Recording> {
    let path = folder.join("any.csv");
    fs::write(&path, bytes).unwrap();
    match Recording::read_files(&[(place, path)], model) {
        Ok(recording) => Some(recording),
        Err(refused) => {
            let is_told = |text: &str| !text.is_empty() && !text.contains('\n');
            assert!(!refused.items.is_empty() && refused.items.iter().all(|item| is_told(&item.message)), "{refused}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in any_file(), place in any::<Index>()) {
        let (swarm, (folder, _)) = (swarm(), temporary());
        read(folder.path(), &*swarm.model, place.index(swarm.model.inputs().len()), &bytes);
    }

    /// What was read and written is read again as the same rows.
    #[test]
    fn a_record_is_read_as_it_was_written(rows in prop::collection::vec((1..9_u64, 0..6_i64, any_speed(), any_speed()), 1..20)) {
        let (swarm, (folder, _)) = (swarm(), temporary());
        let mut rows = rows;
        rows.sort_by_key(|row| row.0);
        let lines: Vec<String> = rows.iter().map(|(step, agent, x, y)| format!("{step},{agent},{x:?},{y:?}")).collect();
        let text = format!("step,agent,vx_mm_s,vy_mm_s\n{}\n", lines.join("\n"));
        let recording = read(folder.path(), &*swarm.model, 0, text.as_bytes()).unwrap();
        let again = folder.path().join("again");
        let claimed = RunFolder::claim(&Disk::default().without_sync(), &again, false, &[]).unwrap();
        recording.write(&claimed, &*swarm.model).unwrap();
        prop_assert_eq!(Recording::read_folder(&again, &*swarm.model).unwrap(), recording);
    }
}

/// Speeds of all sizes that a wish may have.
fn any_speed() -> impl Strategy<Value = f64> {
    prop_oneof![-10_000.0..10_000.0_f64, -1.0..1.0_f64, Just(-0.0), Just(5e-324), Just(10_000.0)]
}
