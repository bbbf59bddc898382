//! `sim-cli render` and `sim-cli replay` of runs on the road: what they draw, and what they say of folders that are not as they should be.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::{Place, rows};
use std::fs;

/// What is done to a folder.
type Damage<'a> = Box<dyn Fn() + 'a>;

/// A place with a run of the small road in `out/road`.
fn with_run() -> Place {
    let place = Place::new();
    place.ends("run road.json -q", 0);
    place
}

/// The step at which a car hit the wall.
fn hit_step(place: &Place) -> u64 {
    let events = rows(&place.path("out/road/events.csv"));
    events.iter().find(|row| row[2] == "collision").unwrap()[0].parse().unwrap()
}

#[test]
fn a_still_says_the_same_as_the_tables() {
    let place = with_run();
    let said = place.ends("render out/road --at 0.52 --out frame.svg", 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("frame.svg: the row at 0.50 s\n", ""));
    let svg = place.read("frame.svg");
    let cars = rows(&place.path("out/road/cars.csv"));
    let car = cars.iter().find(|row| row[0] == "50" && row[2] == "0").unwrap();
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    let scan = rows(&place.path("out/road/lidar.csv")).into_iter().rfind(|row| number(&row[1]) <= 0.5).unwrap();
    let nearest_m = scan[4..].iter().filter(|cell| !cell.is_empty()).map(|cell| number(cell)).reduce(f64::min).unwrap();
    for words in [
        ">road<".to_owned(),
        ">0.50<".to_owned(),
        ">step 50 of 400<".to_owned(),
        ">no collision so far<".to_owned(),
        format!(">{:.2}<", number(&car[6])),
        format!(">{:.1}\u{b0} left<", number(&car[8]).to_degrees()),
        format!(">{nearest_m:.2}<"),
    ] {
        assert!(svg.contains(&words), "{words}");
    }
    assert!(hit_step(&place) > 50);
    place.ends("render out/road --at 4 --out hit.svg", 0);
    assert!(place.read("hit.svg").contains(">COLLISION: car 1<"));
    // The same run and flags give the same bytes.
    place.ends("render out/road --at 4 --out again.svg", 0);
    assert_eq!(place.read("again.svg"), place.read("hit.svg"));
}

#[test]
fn films_pictures_and_a_page_are_made_and_sounds_are_not() {
    let place = with_run();
    let said = place.ends("render out/road --gif film.gif --from 1 --to 2 --fps 5 --size 320", 0);
    assert_eq!(said.out, "film.gif: 6 frames, 1.2 s\n");
    place.ends("render out/road --out small.png --small --hide scans,trails", 0);
    assert_eq!(&fs::read(place.path("small.png")).unwrap()[..8], b"\x89PNG\r\n\x1a\n");
    let said = place.ends("render out/road --wav song.wav", 2);
    assert_eq!(said.err, "error: out/road has no cubes, so nothing was played\n");
    let said = place.ends("replay out/road", 0);
    assert!(said.err.is_empty() && said.out.ends_with("kB): open it in a browser\n"), "{} {}", said.out, said.err);
    place.ends("replay out/road --out again.html", 0);
    assert_eq!(place.read("again.html"), place.read("out/road/replay.html"));
}

#[test]
fn damaged_folders_are_refused_alike_by_both() {
    let place = with_run();
    let whole = |name: &str| place.read(&format!("out/road/{name}"));
    let (cars, lidar) = (whole("cars.csv"), whole("lidar.csv"));
    let put = |name: &str, text: &str| place.write(&format!("out/road/{name}"), text);
    let mend = || {
        put("cars.csv", &cars);
        put("lidar.csv", &lidar);
    };
    let cases: [(&str, Damage<'_>); 3] = [
        (
            "out/road/cars.csv is missing, though 2 owners have rows in it",
            Box::new(|| fs::remove_file(place.path("out/road/cars.csv")).unwrap()),
        ),
        (
            "out/road/lidar.csv, line 2, column taken_s: \"soon\" is not a number",
            Box::new(|| put("lidar.csv", &lidar.replacen("0,0.0,0,0.0", "0,0.0,0,soon", 1))),
        ),
        (
            "out/road/cars.csv, line 3: 2 cells where the header has 24",
            Box::new(|| put("cars.csv", &cars.replacen("0,0.0,1,", "0,0.0\n0,0.0,1,", 1))),
        ),
    ];
    for (words, damage) in &cases {
        damage();
        for line in ["render out/road --out a.svg", "replay out/road"] {
            assert_eq!(place.ends(line, 2).err, format!("error: {words}\n"), "{line}");
        }
        assert!(!place.path("a.svg").exists() && !place.path("out/road/replay.html").exists(), "{words}");
        mend();
    }
    place.ends("render out/road --out a.svg", 0);
}

#[test]
fn what_was_cut_short_is_shown_with_a_warning() {
    let place = with_run();
    let cars = place.read("out/road/cars.csv");
    place.write("out/road/cars.csv", cars.trim_end());
    let warning = "warning: cars.csv ends in the middle of a step; it counts up to step 390\n";
    assert_eq!(place.ends("render out/road --out a.svg", 0).err, warning);
    assert!(place.read("a.svg").contains("ends in the middle of a step"), "the picture says it too");
    assert_eq!(place.ends("replay out/road", 0).err, warning);
}

#[test]
fn a_table_of_readings_that_is_missing_is_named() {
    let place = with_run();
    fs::remove_file(place.path("out/road/lidar.csv")).unwrap();
    let warning = "warning: lidar.csv is missing, though run.json lists it; its rows are left out\n";
    for line in ["render out/road --out a.svg", "replay out/road"] {
        assert_eq!(place.ends(line, 0).err, warning, "{line}");
    }
}

#[test]
fn a_batch_on_the_road_has_a_page() {
    let place = Place::new();
    place.ends("run road.json -q --runs 2 --out out/batch", 0);
    place.ends("replay out/batch", 0);
    assert!(place.read("out/batch/replay.html").contains("<title>"));
    place.ends("replay out/batch/run-00001", 0);
}
