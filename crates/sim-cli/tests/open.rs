//! `sim-cli run --open` and `sim-cli live --open`: the page, and the browser that shows it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread::sleep;
use std::time::Duration;

/// A place whose only programs are those in `bin`: a browser that notes what it is to show.
fn place_with_browser() -> Place {
    let place = Place::new();
    let (bin, shown) = (place.path("bin"), place.path("shown.txt"));
    fs::create_dir(&bin).unwrap();
    let opener = bin.join("xdg-open");
    fs::write(&opener, format!("#!/bin/sh\necho \"$1\" > {0}.part && /bin/mv {0}.part {0}\n", shown.display()))
        .unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    place
}

/// What the browser was asked for. It is not waited for.
fn shown(place: &Place) -> String {
    let read = |_| {
        sleep(Duration::from_millis(100));
        fs::read_to_string(place.path("shown.txt")).ok()
    };
    (0..600).find_map(read).unwrap()
}

#[test]
fn the_page_of_a_run_is_made_and_shown() {
    let place = place_with_browser();
    let run = |line: &str| place.sim(line).env("PATH", place.path("bin")).assert().success();
    run("run small.json --out a -q --open");
    assert!(place.read("a/replay.html").starts_with("<!doctype html>"));
    assert_eq!(shown(&place), "a/replay.html\n");
    let first = place.read("a/replay.html");
    run("run small.json --seed 5 --out a -q --open --overwrite");
    assert_ne!(place.read("a/replay.html"), first, "the page shows the new run");
}

#[test]
fn the_page_of_a_live_session_is_shown_at_its_address() {
    let place = place_with_browser();
    let live =
        place.sim("live small.json --out a --open --speed max --steps 50").env("PATH", place.path("bin")).assert();
    let said = String::from_utf8(live.success().get_output().stdout.clone()).unwrap();
    let shown = shown(&place);
    assert!(shown.starts_with("http://127.0.0.1:") && shown.contains("/?token="), "{shown}");
    assert_eq!(said.lines().next(), Some(shown.trim_end()));
}

#[test]
fn a_machine_without_a_browser_says_where_the_page_is() {
    let place = Place::new();
    let said = place.sim("run small.json --runs 2 --out a --open").env("PATH", place.path("none")).assert().success();
    let error = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(error.contains("warning: no browser shows a/replay.html: "), "{error}");
    assert!(place.read("a/replay.html").starts_with("<!doctype html>"));
}
