//! Printed mats, cards and walls that are moved, taken away and brought while a world of cubes runs, through files of inputs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use std::collections::BTreeMap;
use std::fs;

/// A cube that rests and one that drives along +x; a mat of 1 dot a millimetre, a card and a wall. `MOVABLE` stands for the keys that let
/// them be moved.
const TABLE: &str = r#"{ "name": "table", "world": "mat", "step_hz": 60, "steps": 300, "trace": { "every": 1 },
  "agents": { "count": 0 }, "feet": { "count": 0 }, "patches": { "count": 0 },
  "mat": { "width_mm": 900, "height_mm": 600, "dot_per_m": 1000,
    "printed": [{ "kind": "custom", "range_dot": [0, 0, 400, 400], "x_mm": 200, "y_mm": 200 MOVABLE }],
    "walls": [{ "from_mm": [10, 0], "to_mm": [10, 90] }, { "from_mm": [300, 450], "to_mm": [300, 550] MOVABLE }] },
  "cards": [{ "item": "typhoon", "x_mm": 700, "y_mm": 300 }, { "value": 4000000001, "x_mm": 600, "y_mm": 300, "size_mm": [60, 60] AWAY }],
  "cubes": [
    { "name": "ann", "at_mm": [600, 300], "radio": { "link": "perfect" } },
    { "name": "bob", "at_mm": [200, 500], "radio": { "link": "perfect" },
      "program": [{ "at_s": 0, "motor_run": { "left": 50, "right": 50 } }] }] }"#;

fn table() -> String {
    TABLE.replace("MOVABLE", r#", "movable": true"#).replace("AWAY", r#", "away": true"#)
}

fn place(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.write("table.json", &table());
    give(&place, files);
    place
}

fn give(place: &Place, files: &[(&str, &str)]) {
    let _ = fs::remove_dir_all(place.path("in"));
    fs::create_dir(place.path("in")).unwrap();
    files.iter().for_each(|(stream, text)| place.write(&format!("in/inputs-{stream}.csv"), text));
}

/// Cells of a column by step, of the rows of one owner; all rows if there is none.
fn column(place: &Place, table: &str, column: &str, owner: Option<(&str, &str)>) -> BTreeMap<u64, String> {
    let mut reader = csv::Reader::from_path(place.path(table)).unwrap();
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|known| known == name).unwrap_or_else(|| panic!("{table}: {name}"));
    let rows = reader.records().map(Result::unwrap);
    let is_meant = |row: &csv::StringRecord| owner.is_none_or(|(name, number)| &row[at(name)] == number);
    rows.filter(is_meant).map(|row| (row[at("step")].parse().unwrap(), row[at(column)].to_owned())).collect()
}

fn cells(place: &Place, name: &str, cube: &str) -> BTreeMap<u64, String> {
    column(place, "out/cubes.csv", name, Some(("cube", cube)))
}

/// Events of a kind: step, subject and object.
fn events(place: &Place, kind: &str) -> Vec<String> {
    let rows = common::rows(&place.path("out/events.csv"));
    let of_kind = rows.into_iter().filter(|row| row[2] == kind);
    of_kind.map(|row| format!("{} {}: {}", row[0], row[3], row[4])).collect()
}

#[test]
fn a_cube_reads_a_card_exactly_while_it_lies_under_it() {
    let place = place(&[(
        "cards",
        "step,card,does,x_mm,y_mm,yaw_deg\n40,1,lay,,,\n80,1,take,,,\n120,1,lay,605,295,30\n160,1,lay,700,420,\n200,1,lay,,,\n",
    )]);
    place.ends("run table.json --inputs in --out out", 0);
    let lies_there = |step: u64| (40..80).contains(&step) || (120..160).contains(&step);
    let read = cells(&place, "card", "0");
    assert!(read.len() >= 300);
    for (step, card) in read {
        assert_eq!(card, if lies_there(step) { "4000000001" } else { "" }, "step {step}");
    }
    // A Standard ID notification: 02, the value with its lowest byte first, the angle; 03 is nothing under the sensor.
    let said = column(&place, "out/messages.csv", "hex", Some(("characteristic", "101")));
    let mut said: Vec<&str> = said.values().map(String::as_str).filter(|hex| hex.starts_with("02")).collect();
    said.dedup();
    assert_eq!(said, ["02 01 28 6b ee 00 00", "02 01 28 6b ee 4a 01"], "0 and 330 degrees");
    let laid = ["40 card 1: 600 300", "120 card 1: 605 295", "160 card 1: 700 420", "200 card 1: 700 420"];
    assert_eq!(events(&place, "card_laid")[..3], laid[..3]);
    assert_eq!(events(&place, "card_taken"), ["80 card 1: "]);
    let x_mm = column(&place, "out/cards.csv", "x_mm", None);
    assert!(x_mm.iter().all(|(step, _)| (40..80).contains(step) || *step >= 120), "{x_mm:?}");
    assert_eq!((&*x_mm[&40], &*x_mm[&159], &*x_mm[&300]), ("600.0", "605.0", "700.0"));
}

/// With the mat's middle (200, 200) dots at P and its yaw w, the dot of X is (200, 200) + Rot(-w) (X - P), and the angle is -w (toio facts,
/// section 1.3, at 1 dot a millimetre).
#[test]
fn a_cube_reads_the_numbers_of_a_moved_mat() {
    let rows = "step,mat,does,x_mm,y_mm,yaw_deg\n10,0,lay,620,290,\n60,0,lay,,,90\n110,0,take,,,\n150,0,lay,,,\n200,0,lay,500,350,-30\n";
    let place = place(&[("mats", rows)]);
    place.ends("run table.json --inputs in --out out", 0);
    let expected = |step: u64| {
        let (x, y, yaw_deg, [sin, cos]): (f64, f64, f64, [f64; 2]) = match step {
            0..10 | 110..150 => return None,
            10..60 => (620.0, 290.0, 0.0, [0.0, 1.0]),
            60..110 | 150..200 => (620.0, 290.0, 90.0, [1.0, 0.0]),
            _ => (500.0, 350.0, -30.0, [-0.5, 0.75_f64.sqrt()]),
        };
        let (dx, dy) = (600.0 - x, 300.0 - y);
        Some([200.0 + cos * dx + sin * dy, 200.0 - sin * dx + cos * dy, (-yaw_deg).rem_euclid(360.0)])
    };
    for (at, name) in ["mat_x", "mat_y", "mat_deg"].into_iter().enumerate() {
        for (step, cell) in cells(&place, name, "0") {
            let wanted = expected(step).map_or(String::new(), |values| (values[at].round() + 0.0).to_string());
            assert_eq!(cell, wanted, "{name} in step {step}");
        }
    }
    assert_eq!(events(&place, "mat_taken"), ["110 mat 0: "]);
    let yaw: f64 = column(&place, "out/mats.csv", "yaw_rad", None)[&100].parse().unwrap();
    assert!((yaw - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
}

/// The face of the wall is at 295 mm, the front of a cube 15.9 mm ahead of its middle.
#[test]
fn a_wall_blocks_a_cube_exactly_while_it_stands() {
    let place = place(&[(
        "walls",
        "step,wall,does,x_mm,y_mm,yaw_deg\n140,1,take,,,\n180,1,put,370,500,\n190,1,put,500,500,\n191,1,put,450,500,90\n",
    )]);
    place.ends("run table.json --inputs in --out out", 0);
    let x_mm: BTreeMap<u64, f64> =
        cells(&place, "x_mm", "1").into_iter().map(|(step, x)| (step, x.parse().unwrap())).collect();
    assert!((x_mm[&139] - 279.1).abs() < 0.5 && (x_mm[&100] - 279.1).abs() < 0.5, "{x_mm:?}");
    assert!(x_mm[&190] > 340.0, "{}", x_mm[&190]);
    assert!((x_mm[&300] - (445.0 - 15.9)).abs() < 0.5, "{}", x_mm[&300]);
    assert!(x_mm.values().all(|x| *x < 430.0));
    assert_eq!(events(&place, "wall_taken"), ["140 wall 1: "]);
    assert_eq!(events(&place, "wall_put_refused"), ["180 wall 1: cube 1"]);
    assert_eq!(events(&place, "wall_put"), ["190 wall 1: 500 500", "191 wall 1: 450 500"]);
    assert_eq!(events(&place, "cube_touch").len(), 2);
    let stands = column(&place, "out/walls.csv", "x_mm", None);
    assert!((140..190).all(|step| !stands.contains_key(&step)), "a refused wall stays away");
    assert_eq!((&*stands[&139], &*stands[&191]), ("300.0", "450.0"));
}

const ALL: [(&str, &str); 3] = [
    ("mats", "step,mat,does,x_mm,y_mm,yaw_deg\n10,0,lay,600,300,12\n90,0,take,,,\n"),
    ("cards", "step,card,does\n50,1,lay\n70,1,take\n200,1,lay\n"),
    ("walls", "step,wall,does,x_mm,y_mm\n20,1,put,260,500\n150,1,take,,\n"),
];

#[test]
fn runs_repeat_from_their_record_with_any_number_of_threads() {
    let place = place(&ALL);
    let hash =
        |folder: &str| place.json(&format!("{folder}/run.json"))["final_state_hash"].as_str().unwrap().to_owned();
    place.ends("run table.json --inputs in --out out", 0);
    place.ends("run table.json --inputs out --out out/again", 0);
    assert_eq!(hash("out"), hash("out/again"));
    place.ends("run out/scenario.json --out named", 0);
    assert_eq!(place.files("named"), place.files("out/again"));
    for jobs in [1, 2] {
        place.ends(&format!("run table.json --inputs in --runs 3 --jobs {jobs} --out jobs-{jobs}"), 0);
    }
    assert_eq!(place.files("jobs-1"), place.files("jobs-2"));
    assert_eq!(place.files("jobs-1/run-00000")["cubes.csv"], place.files("named")["cubes.csv"]);
}

/// What is not moved is where it was: nothing of it is in the state. What is brought back leaves nothing of its way.
#[test]
fn only_what_is_elsewhere_counts() {
    let place = place(&[]);
    let run = |line: &str, out: &str| {
        place.ends(&format!("run {line} --steps 30 --out {out}"), 0);
        place.json(&format!("{out}/run.json"))["final_state_hash"].as_str().unwrap().to_owned()
    };
    place.write("fixed.json", &TABLE.replace("MOVABLE", "").replace("AWAY", ""));
    place.write("movable.json", &table().replace(r#""away""#, r#""movable""#));
    let fixed = run("fixed.json", "fixed");
    assert_eq!(run("movable.json", "movable"), fixed);
    let moves = [
        ("walls", "step,wall,does,x_mm,y_mm\n5,1,put,800,500\n7,1,put,300,500\n9,1,take,,\n12,1,put,,\n"),
        ("cards", "step,card,does,x_mm,y_mm,yaw_deg\n5,1,lay,800,100,40\n9,1,take,,,\n"),
    ];
    give(&place, &moves[..1]);
    assert_eq!(run("movable.json --inputs in", "back"), fixed);
    for moved in moves.map(|(stream, text)| (stream, text.lines().take(2).collect::<Vec<_>>().join("\n"))) {
        give(&place, &[(moved.0, &moved.1)]);
        assert_ne!(run("movable.json --inputs in", moved.0), fixed);
    }
}

/// Only what can be moved has streams, out and in.
#[test]
fn sessions_without_the_keys_have_their_streams_only() {
    let place = place(&[]);
    place.write("fixed.json", &TABLE.replace("MOVABLE", "").replace("AWAY", ""));
    let named = |scenario: &str, side: &str| {
        let streams: serde_json::Value =
            serde_json::from_str(&place.ends(&format!("streams {scenario} --format json"), 0).out).unwrap();
        let names = streams[side].as_array().unwrap().iter().map(|stream| stream["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(named("fixed.json", "inputs"), "hands clients writes target");
    assert_eq!(named("fixed.json", "outputs"), "cubes messages target events closest");
    assert_eq!(named("table.json", "inputs"), "hands clients writes target mats cards walls");
    assert_eq!(named("table.json", "outputs"), "cubes messages target mats cards walls events closest");
    place.ends("run fixed.json --steps 9 --out fixed", 0);
    assert!(place.read("fixed/cubes.csv").lines().next().unwrap().ends_with(",sound,battery_percent"));
}

/// A stream, the row of step 9, the column at which it is wrong, and the message.
const WRONG: [(&str, &str, &str); 10] = [
    ("mats", "1,lay,1,1,", "mat: is 1, must be from 0 to 0"),
    ("cards", "0,take,,,", "card: is 0, which is fixed; set cards[0].movable in the scenario"),
    ("walls", "0,put,1,1,", "wall: is 0, which is fixed; set mat.walls[0].movable in the scenario"),
    ("walls", "1,lay,1,1,", r#"does: is "lay", must be put or take"#),
    ("cards", "1,put,1,1,", r#"does: is "put", must be lay or take"#),
    ("mats", "0,,1,1,", r#"does: is "", must be lay or take"#),
    ("mats", "0,lay,1,,", "y_mm: is missing beside the other one"),
    ("cards", "1,take,1,1,", "x_mm: must be missing for take"),
    ("walls", "1,take,,,9", "yaw_deg: must be missing for take"),
    ("cards", "1,lay,200000,1,", "x_mm: is 200000, must be from -100000 to 100000"),
];

#[test]
fn rows_that_mean_nothing_are_refused() {
    let place = place(&[]);
    for (stream, row, message) in WRONG {
        let word = &stream[..stream.len() - 1];
        give(&place, &[(stream, &format!("step,{word},does,x_mm,y_mm,yaw_deg\n9,{row}\n"))]);
        let said = place.ends("run table.json --inputs in --out out", 2).err;
        assert!(said.contains(&format!("/inputs-{stream}.csv:2:")), "{said}");
        assert!(said.contains(message), "{message}: {said}");
    }
}

/// What relies on things that stay is told so.
#[test]
fn walls_of_a_swarm_and_mats_of_pilots_stay() {
    let place = Place::new();
    let check = |members: &str| {
        place.write("a.json", &format!(r#"{{ "name": "a", "world": "mat", {members} }}"#));
        place.ends("check a.json", 2).err
    };
    let wall =
        r#""mat": { "walls": [{ "from_mm": [0, 9], "to_mm": [90, 9], "movable": true }] }, "patches": { "count": 0 }"#;
    for who in [r#""agents": { "count": 2 }, "feet": { "count": 0 }"#, r#""agents": { "count": 0 }"#] {
        let said = check(&format!("{wall}, {who}"));
        assert!(
            said.contains("mat.walls[0].movable: lets a wall be moved, but robots and feet plan among walls"),
            "{said}"
        );
    }
    let mat = r#"{"kind": "collection-ring", "x_mm": 200, "y_mm": 200, "away": true}"#;
    let swarm = r#""agents": {"count": 2, "drive": "cube"}, "feet": {"manner": "considerate"},
        "limits": {"v_max_mm_s": 220, "a_max_mm_s2": 2000, "omega_max_rad_s": 6}"#;
    let said = check(&format!(r#"{swarm}, "mat": {{ "printed": [{mat}] }}"#));
    assert!(said.contains("mat.printed[0].away: lets a mat be moved, but robots of drive \"cube\" find"), "{said}");
}

/// A cube may start where a wall comes later, but not where one stands.
#[test]
fn a_wall_that_is_away_is_in_no_cubes_way() {
    let place = Place::new();
    let text = table().replace(r#""from_mm": [300, 450], "to_mm": [300, 550] , "movable": true"#, "WALL");
    let wall =
        |key: &str| text.replace("WALL", &format!(r#""from_mm": [200, 450], "to_mm": [200, 550], "{key}": true"#));
    place.write("here.json", &wall("movable"));
    assert!(place.ends("check here.json", 2).err.contains(r#"cubes[1]: ("bob") stands in mat.walls[1]"#));
    place.write("away.json", &wall("away"));
    place.ends("run away.json --out out", 0);
    assert!(events(&place, "cube_touch").is_empty());
}
