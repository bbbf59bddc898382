//! `sim-cli live`: a session that ends by itself or by Ctrl-C leaves a whole folder that repeats it. No test waits for the clock.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::{Place, objects};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn a_session_without_clients_is_the_run_and_its_folder_repeats_it() {
    let place = Place::new();
    let said = place.ends("live small.json --no-page --speed max --out live --format json", 0);
    let ended = said.result();
    assert_eq!((&ended["kind"], &ended["steps"]), (&"live".into(), &240.into()));
    place.ends("run small.json --out run -q", 0);
    assert_eq!(place.files("live"), place.files("run"));
}

#[test]
fn rows_of_files_come_in_beside_those_of_clients() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).unwrap();
    place.write("in/inputs-wishes.csv", "step,agent,vx_mm_s,vy_mm_s\n1,0,40,0\n90,1,40,0\n");
    place.ends("live small.json --inputs in --no-page --speed max --out live -q", 0);
    place.ends("run small.json --inputs in --out run -q", 0);
    assert_eq!(place.files("live"), place.files("run"));
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_a_whole_folder_and_the_status_of_a_signal() {
    use std::os::unix::process::ExitStatusExt;

    let place = Place::new();
    let mut command = Command::new(common::program());
    command.current_dir(place.path("")).args("live endless.json --speed max --out live --format json".split(' '));
    let mut session = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(session.stdout.take().unwrap()).lines();
    let serving = objects(&lines.next().unwrap().unwrap());
    assert!(serving[0]["url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{serving:?}");
    // The first rows of a table are on the disk: steps are being made.
    while place.read("live/agents.csv.partial").lines().count() < 3 {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &session.id().to_string()]).status().unwrap().success());
    assert_eq!(session.wait().unwrap().signal(), Some(2));
    let record = place.json("live/run.json");
    assert_eq!((&record["complete"], &record["steps"]), (&true.into(), &record["steps_done"]));
    let ended = objects(&lines.next().unwrap().unwrap());
    assert_eq!(ended[0]["steps"], record["steps"]);
    place.ends("run live/scenario.json --out again -q", 0);
    assert_eq!(place.json("again/run.json")["final_state_hash"], record["final_state_hash"]);
}

#[test]
fn a_speed_out_of_range_and_an_address_that_is_taken_are_errors() {
    let place = Place::new();
    assert!(place.ends("live small.json --speed 51", 2).err.contains("write max or a number from 0.1 to 50"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let line = format!("live small.json --out live --listen {}", taken.local_addr().unwrap());
    assert!(place.ends(&line, 1).err.contains("cannot listen on 127.0.0.1:"));
}

#[test]
fn doors_that_do_not_go_together_are_errors() {
    let place = Place::new();
    let lockstep = place.ends("live small.json --link lockstep --link noble", 2);
    assert!(lockstep.err.contains("waits for Python programs alone"), "{}", lockstep.err);
    let web = place.ends("live small.json --link web --no-page", 2);
    assert!(web.err.contains("needs the server of the page"), "{}", web.err);
    for (flag, wrong) in
        [("--token", "short"), ("--allow-origin", "*"), ("--allow-origin", "null"), ("--osc-listen", "65536")]
    {
        place.ends(&format!("live small.json --link web {flag} {wrong}"), 2);
    }
}
