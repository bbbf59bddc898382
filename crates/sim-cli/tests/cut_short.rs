//! Runs that are cut short: interrupted, killed, or met by a full disk. Rows that are there are whole, the folder says
//! that it is not complete, and the message says what happened.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]
#![allow(clippy::print_stderr, reason = "a skipped check says so")]

mod common;

use common::{Place, program, rows};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Starts the program in `place`, and waits until it has written rows to the file `until`.
fn start(place: &Place, line: &str, until: &str) -> Child {
    let mut command = Command::new(program());
    command.current_dir(place.path("")).args(line.split_whitespace());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_rows(place, until);
    child
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status().unwrap();
    assert!(sent.success());
}

fn end(child: Child) -> (ExitStatus, String) {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"");
    (output.status, String::from_utf8(output.stderr).unwrap())
}

fn assert_marked(place: &Place, folder: &str) {
    assert_eq!(place.json(&format!("{folder}/run.json"))["complete"], false);
    assert!(!place.path(folder).join("agents.csv").exists() && !place.path(folder).join("summary.csv").exists());
}

/// Steps of the rows, each with all its cells and all five robots.
fn assert_rows_whole(table: &Path) -> u64 {
    let rows = rows(table);
    assert!(!rows.is_empty());
    assert!(fs::read(table).unwrap().ends_with(b"\n"));
    rows.last().unwrap()[0].parse().unwrap()
}

#[test]
fn an_interrupted_run_ends_cleanly() {
    let place = Place::new();
    let child = start(&place, "run endless.json --out a", "a/agents.csv.partial");
    signal(&child, "INT");
    let (status, err) = end(child);
    assert_eq!(status.signal(), Some(2), "{err}");
    assert!(err.contains("\nstopping after the current step") || err.starts_with("stopping after"), "{err}");
    let last = err.lines().last().unwrap();
    assert!(last.starts_with("error: interrupted after ") && last.contains(" of 100000000 steps"), "{err}");
    assert!(last.ends_with("what was written is kept in a, marked as not complete"), "{err}");
    assert_marked(&place, "a");
    let run = place.json("a/run.json");
    let steps_done = run["steps_done"].as_u64().unwrap();
    let reason = run["reason"].as_str().unwrap();
    assert!(steps_done > 0 && reason == format!("stopped after {steps_done} of 100000000 steps"), "{reason}");
    // The last row that was due is there.
    assert_eq!(assert_rows_whole(&place.path("a/agents.csv.partial")), steps_done / 60 * 60);
    // What only the end of a run shows stands at its step.
    let events = rows(&place.path("a/events.csv.partial"));
    assert!(events.iter().any(|row| row[2] == "closest_robot_robot"));
    assert!(events.is_sorted_by_key(|row| row[0].parse::<u64>().unwrap()), "{events:?}");
    assert!(!place.path("a/events.csv.partial.partial").exists());
    // The folder is known as ours: it may be overwritten, and only then.
    place.ends("run small.json --out a", 2);
    place.ends("run small.json --out a --overwrite -q", 0);
    assert!(!place.path("a/agents.csv.partial").exists());
}

/// A shell in a process group of its own, as a terminal has it, with the program as `$0`.
fn shell(place: &Place, name: &str, script: &str) -> Child {
    let mut command = Command::new(name);
    command.args(["-c", script, program()]).current_dir(place.path("")).process_group(0);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Half a minute at most; the header alone is shorter than this.
fn wait_for_rows(place: &Place, file: &str) {
    let grown = || fs::metadata(place.path(file)).is_ok_and(|data| data.len() > 500);
    (0..3000).take_while(|_| !grown()).for_each(|_| sleep(Duration::from_millis(10)));
}

#[test]
fn shells_read_130_after_an_interrupt_and_143_after_a_request_to_stop() {
    let place = Place::new();
    for (name, status) in [("INT", "130"), ("TERM", "143"), ("HUP", "129")] {
        let mut child = shell(&place, "sh", &format!("$0 run endless.json --out {name} & echo $!; wait $!; echo $?"));
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let pid = lines.next().unwrap();
        wait_for_rows(&place, &format!("{name}/agents.csv.partial"));
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
        assert_eq!(lines.next().as_deref(), Some(status));
        assert!(child.wait().unwrap().success());
        assert_marked(&place, name);
        assert_rows_whole(&place.path(&format!("{name}/agents.csv.partial")));
    }
}

/// A shell goes on with its loop after a program that ends with a status, even with 130.
#[test]
fn an_interrupt_ends_the_loop_of_a_shell() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: bash is not installed");
        return;
    }
    let place = Place::new();
    let child = shell(&place, "bash", "for n in 1 2; do $0 run endless.json --out $n; done");
    wait_for_rows(&place, "1/agents.csv.partial");
    let group = format!("kill -INT -- -{}", child.id());
    assert!(Command::new("bash").args(["-c", &group]).status().unwrap().success());
    assert_eq!(child.wait_with_output().unwrap().status.signal(), Some(2));
    assert_marked(&place, "1");
    assert!(!place.path("2").exists());
}

/// The record holds all rows that the steps took, so it repeats them.
#[test]
fn an_interrupted_run_with_inputs_repeats_from_its_folder() {
    let place = Place::new();
    fs::create_dir(place.path("in")).unwrap();
    let feet = "step,foot,x_mm,y_mm\n1,0,210,190\n30,0,180,220\n99999999,0,,\n";
    place.write("in/inputs-feet.csv", feet);
    // No step that is made takes any of its rows.
    place.write("in/inputs-wishes.csv", "step,agent\n99999999,0\n");
    let child = start(&place, "run endless.json --inputs in --out a", "a/agents.csv.partial");
    signal(&child, "INT");
    assert_eq!(end(child).0.signal(), Some(2));
    assert_eq!(place.read("a/inputs-feet.csv.partial"), "step,foot,x_mm,y_mm\n1,0,210.0,190.0\n30,0,180.0,220.0\n");
    let steps = place.json("a/run.json")["steps_done"].as_u64().unwrap();
    assert!(steps > 30);
    let said = place.ends("check a/scenario.json", 0).err;
    let warning = format!("no rows come after step {steps}; --steps {steps} repeats that run");
    assert!(said.contains("a/inputs-feet.csv.partial") && said.contains(&warning), "{said}");
    let original = format!("run endless.json --inputs in --steps {steps} --out b");
    assert!(place.ends(&original, 0).err.contains("step: is 99999999, after the last step"));
    for (at, line) in ["run a/scenario.json", "run endless.json --inputs a"].into_iter().enumerate() {
        let said = place.ends(&format!("{line} --steps {steps} --out again-{at}"), 0).err;
        assert!(!said.contains("cut short"), "{said}");
        assert_eq!(place.files("b"), place.files(&format!("again-{at}")), "{line}");
    }
}

#[test]
fn a_stopped_batch_keeps_its_finished_runs_whole() {
    let place = Place::new();
    let child =
        start(&place, "run small.json --runs 1000000 --jobs 1 --out a --format json", "a/run-00003/summary.csv");
    signal(&child, "TERM");
    let (status, err) = end(child);
    assert_eq!(status.signal(), Some(15), "{err}");
    let said = common::objects(&err);
    assert_eq!((said.len(), said[0]["kind"].as_str()), (1, Some("interrupted")));
    let run = place.json("a/run.json");
    let done = run["runs_done"].as_u64().unwrap();
    assert!(run["complete"] == false && done >= 4);
    assert!(
        said[0]["message"].as_str().unwrap().starts_with(&format!("interrupted after {done} of 1000000 runs")),
        "{err}"
    );
    assert_eq!(rows(&place.path("a/runs.csv.partial")).len() as u64, done);
    // Finished runs are as if nothing had happened.
    place.ends("run small.json --run-index 2 --out b -q", 0);
    assert_eq!(place.files("a/run-00002"), place.files("b"));
    for index in 0..done {
        assert_eq!(place.json(&format!("a/run-{index:05}/run.json"))["complete"], true);
    }
}

#[test]
fn a_killed_run_leaves_a_readable_partial() {
    let place = Place::new();
    let child = start(&place, "run endless.json --set trace.every=6 --out a", "a/agents.csv.partial");
    signal(&child, "KILL");
    let (status, _) = end(child);
    assert_eq!(status.code(), None);
    assert_marked(&place, "a");
    assert!(place.json("a/run.json")["reason"].as_str().unwrap().contains("killed"));
    assert_rows_whole(&place.path("a/agents.csv.partial"));
}

/// Placing a crowd takes long enough to press twice; the flag is only looked at between steps. The warning about long tables tells
/// that the program listens.
#[test]
fn the_second_request_to_stop_aborts_at_once() {
    let place = Place::new();
    let crowd = "run endless.json --set mat.width_mm=12000 --set mat.height_mm=12000 --set agents.count=30000 \
                 --set feet.count=0 --set patches.count=0 --set field.cell_mm=40 --out a";
    let mut command = Command::new(program());
    command.current_dir(place.path("")).args(crowd.split_whitespace());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(said.any(|line| line.starts_with("warning: swarm.csv will have ")), "the last of two warnings");
    signal(&child, "INT");
    assert!(said.any(|line| line.starts_with("stopping after the current step")));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(said.next(), None, "it is not told what was kept");
    assert!(!place.path("a").exists());
}

#[test]
fn a_full_disk_ends_the_run_with_what_fitted() {
    let place = Place::new();
    let small = place.path("small");
    fs::create_dir(&small).unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&small).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no small file system can be mounted here; the limit on file sizes below stands for it");
        return;
    }
    let outcome = std::panic::catch_unwind(|| {
        let said = place.ends("run endless.json --set trace.every=1 --out small/a", 1);
        assert!(said.err.contains("error: could not write small/a/"), "{}", said.err);
        assert!(said.err.contains("No space left on device"), "{}", said.err);
        assert!(said.err.contains("what was written up to step"), "{}", said.err);
        assert_marked(&place, "small/a");
        assert_rows_whole(&place.path("small/a/agents.csv.partial"));
    });
    assert!(Command::new("umount").arg(&small).status().unwrap().success());
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// A limit on the size of a file is met in the same way as the end of the disk, and needs no rights.
#[test]
fn a_table_that_may_not_grow_ends_the_run_with_what_fitted() {
    let place = Place::new();
    let line = format!("trap '' XFSZ; ulimit -f 256; exec {} run endless.json --set trace.every=1 --out a", program());
    let output = Command::new("sh").args(["-c", &line]).current_dir(place.path("")).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    let last = err.lines().last().unwrap();
    assert!(last.starts_with("error: could not write a/agents.csv.partial: File too large"), "{err}");
    assert_marked(&place, "a");
    assert_rows_whole(&place.path("a/agents.csv.partial"));
}
