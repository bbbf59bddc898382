//! `sim-cli replay`: the page it writes, and its messages about folders that it cannot show.

mod common;

use common::Place;
use std::fs;

const CUT_AT: usize = 6 * 5 + 1;

/// A place with a short run in `a`.
fn place_with_run() -> Place {
    let place = Place::new();
    place.ends("run small.json --out a -q", 0);
    place
}

/// Changes a file of the run.
fn change(place: &Place, file: &str, with: impl Fn(&str) -> String) {
    let name = format!("a/{file}");
    place.write(&name, &with(&place.read(&name)));
}

/// What is said of the folder, with status 2 and no page.
fn refused(place: &Place) -> String {
    let said = place.ends("replay a", 2);
    assert!(!place.path("a/replay.html").exists() && !place.path("a/replay.html.partial").exists());
    assert_eq!(said.out, "");
    said.err.trim_end().to_owned()
}

/// The cell in a row (from 1, the header is 0) and a column of a table, replaced.
fn with_cell(text: &str, row: usize, column: usize, cell: &str) -> String {
    let lines = text.lines().enumerate().map(|(n, line)| {
        let mut cells: Vec<&str> = line.split(',').collect();
        if n == row {
            cells[column] = cell;
        }
        cells.join(",") + "\n"
    });
    lines.collect()
}

#[test]
fn a_run_becomes_one_file_and_the_same_one_each_time() {
    let place = place_with_run();
    let said = place.ends("replay a", 0);
    assert!(
        said.out.starts_with("a/replay.html (") && said.out.ends_with("kB): open it in a browser\n"),
        "{}",
        said.out
    );
    place.ends("replay a --out b.html", 0);
    assert_eq!(place.read("a/replay.html"), place.read("b.html"));
    assert!(place.read("b.html").starts_with("<!doctype html>"));
    let result = place.ends("replay a --out c.html --format json", 0).result();
    assert_eq!(result["bytes"], place.read("c.html").len());
}

#[test]
fn two_runs_become_one_page_beside_the_first() {
    let place = place_with_run();
    place.ends("run small.json --out b -q --seed 7", 0);
    let said = place.ends("replay a b", 0);
    assert!(said.out.starts_with("a/compare.html ("), "{}", said.out);
    place.ends("replay a b --out both.html", 0);
    assert_eq!(place.read("a/compare.html"), place.read("both.html"));
    assert!(place.read("both.html").contains("<title>a and b</title>"));
    // A run that replaces the first takes the page with it.
    place.ends("run small.json --out a -q --overwrite", 0);
    assert!(!place.path("a/compare.html").exists());
}

#[test]
fn runs_of_different_worlds_and_what_is_no_run_are_not_compared() {
    let place = place_with_run();
    place.write("car.json", r#"{ "name": "car", "world": "road", "steps": 60, "cars": [{}] }"#);
    place.ends("run car.json --out c -q", 0);
    let said = place.ends("replay a c", 2);
    let words = "a is a run of the world mat, c of the world road: two runs side by side are of one world";
    assert_eq!(said.err, format!("error: {words}\n"));
    assert!(!place.path("a/compare.html").exists() && !place.path("a/compare.html.partial").exists());
    assert_eq!(place.ends("replay a nowhere", 2).err, "error: there is no folder nowhere\n");
    place.ends("run small.json --runs 2 --out d -q", 0);
    let said = place.ends("replay a d", 2);
    assert!(said.err.starts_with("error: d holds a batch"), "{}", said.err);
}

#[test]
fn a_file_that_is_there_is_replaced_only_if_that_is_said() {
    let place = place_with_run();
    place.write("mine.html", "mine");
    let said = place.ends("replay a --out mine.html", 2);
    assert_eq!(said.err, "error: mine.html is already there; --overwrite replaces it\n");
    assert_eq!(place.read("mine.html"), "mine");
    place.ends("replay a --out mine.html --overwrite", 0);
    assert!(place.read("mine.html").starts_with("<!doctype html>"));
}

#[test]
fn a_batch_becomes_a_page_too_with_tables_or_without() {
    let place = Place::new();
    place.ends("run careless.json --runs 2 --no-trace --out a -q", 0);
    assert_eq!(place.ends("replay a", 0).err, "");
    fs::remove_file(place.path("a/closest.csv")).unwrap();
    let said = place.ends("replay a --overwrite", 0);
    assert_eq!(said.err, "warning: the batch has no closest.csv: there are no moments to play\n");
}

#[test]
fn no_folder_no_run_and_no_tables_are_said() {
    let place = Place::new();
    assert_eq!(refused(&place), "error: there is no folder a");
    place.write("a", "");
    assert_eq!(refused(&place), "error: a is a file; name the folder of a run, which holds it");
    fs::remove_file(place.path("a")).unwrap();
    fs::create_dir(place.path("a")).unwrap();
    assert_eq!(refused(&place), "error: a holds no run: it has no run.json");
    place.ends("run small.json --out a -q --no-trace", 0);
    assert_eq!(refused(&place), "error: a holds no tables: a run with --no-trace writes none");
}

#[test]
fn a_missing_column_is_named() {
    let place = place_with_run();
    change(&place, "agents.csv", |text| text.replacen("heading_rad", "direction", 1));
    let said = refused(&place);
    assert!(
        said.starts_with("error: a/agents.csv: column heading_rad is missing; it has step,time_s,agent,"),
        "{said}"
    );
}

#[test]
fn a_number_that_is_none_is_found_by_line_and_column() {
    let place = place_with_run();
    change(&place, "agents.csv", |text| with_cell(text, 8, 3, "NaN"));
    assert_eq!(refused(&place), "error: a/agents.csv, line 9, column x_mm: NaN is not a finite number");
    change(&place, "agents.csv", |text| with_cell(text, 8, 3, "1e12"));
    assert_eq!(refused(&place), "error: agents.csv: x_mm is 1000000000000.0 in step 6, which is too large to be drawn");
}

#[test]
fn a_cut_off_last_row_is_left_out_with_a_word() {
    let place = place_with_run();
    change(&place, "agents.csv", |text| {
        let rows: Vec<&str> = text.lines().take(CUT_AT).collect();
        rows.join("\n")
    });
    let said = place.ends("replay a", 0);
    assert!(said.err.starts_with("warning: agents.csv ends in the middle of a"), "{}", said.err);
    assert!(said.err.contains("it counts up to step 24"), "{}", said.err);
}

#[test]
fn a_run_without_robots_is_shown_and_said() {
    let place = Place::new();
    place.write("none.json", r#"{ "name": "none", "world": "mat", "steps": 60, "agents": { "count": 0 } }"#);
    place.ends("run none.json --out a -q", 0);
    assert_eq!(place.ends("replay a", 0).err, "warning: the run has no robots\n");
}

#[test]
fn a_newer_version_is_read_with_a_word_and_a_newer_format_is_refused() {
    let place = place_with_run();
    change(&place, "run.json", |text| text.replace("\"version\": \"0.1.0\"", "\"version\": \"99.0.0\""));
    let said = place.ends("replay a", 0);
    assert_eq!(said.err, "warning: the run was made by version 99.0.0, which is newer than this one, 0.1.0\n");
    fs::remove_file(place.path("a/replay.html")).unwrap();
    change(&place, "run.json", |text| text.replace("sim-run/1", "sim-run/2"));
    let said = refused(&place);
    assert!(said.contains("says format \"sim-run/2\"") && said.contains("made by a newer version"), "{said}");
}
