//! `check` of folders: a run, a batch and a sweep as they were made, and damaged.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use std::fs;

/// Commands that fill a folder, and files that are damaged there with what is said of it.
const FOLDERS: [(&str, &[(&str, &str)]); 3] = [
    (
        "run small.json --steps 30 --out a -q",
        &[
            ("agents.csv", "agents.csv: row 2 is missing or does not match its checksum"),
            ("rows.sums", "rows.sums: does not match its checksum; it had "),
            ("scenario.json", "scenario.json: does not match its checksum; it had "),
            ("run.json", "run.json: "),
        ],
    ),
    (
        "run small.json --steps 30 --runs 3 --out a -q",
        &[
            ("runs.csv", "runs.csv: row 2 is missing or does not match its checksum"),
            ("runs.csv.sums", "runs.csv: row 2 is missing or does not match its checksum"),
            ("run-00001/feet.csv", "run-00001/feet.csv: row 2 is missing or does not match its checksum"),
            ("run-00002/run.json", "run-00002/run.json: "),
            ("summary.csv", "summary.csv: does not match its checksum; it had "),
        ],
    ),
    (
        "sweep sweep.json --out a -q",
        &[
            ("runs.csv", "runs.csv: row 2 is missing or does not match its checksum"),
            ("cells.csv", "cells.csv: row 1 is missing or does not match its checksum"),
            (
                "worst/run-00000/closest.csv",
                "worst/run-00000/closest.csv: row 2 is missing or does not match its checksum",
            ),
        ],
    ),
];

const SWEEP: &str = r#"{ "name": "s", "scenario": "small.json", "set": { "steps": 30 }, "repeats": 3 }"#;

#[test]
fn a_folder_is_true_as_it_was_made_and_each_damage_is_named() {
    for (line, damages) in FOLDERS {
        let place = Place::new();
        place.write("sweep.json", SWEEP);
        place.ends(line, 0);
        let said = place.ends("check a", 0);
        assert!(
            said.out.starts_with("ok     a: ") && said.out.ends_with(" files match their checksums\n"),
            "{}",
            said.out
        );
        for (file, wanted) in damages {
            let path = place.path("a").join(file);
            let whole = fs::read(&path).unwrap();
            // The third line, or the end: of `runs.csv` the second row.
            let third = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(n, _)| n).nth(1);
            let mut flipped = whole.clone();
            flipped[(third.unwrap() + 3).min(whole.len() - 2)] ^= 1;
            fs::write(&path, flipped).unwrap();
            let said = place.ends("check a", 2);
            assert!(said.err.starts_with(&format!("error: a/{wanted}")), "{file}: {}", said.err);
            assert!(said.out.starts_with("wrong  a: 1 fault"), "{}", said.out);
            fs::remove_file(&path).unwrap();
            assert!(place.ends("check a", 2).err.contains(file.trim_end_matches(".sums")), "{file}");
            fs::write(&path, &whole).unwrap();
        }
        place.ends("check a", 0);
    }
}

#[test]
fn what_is_no_complete_folder_is_said() {
    let place = Place::new();
    fs::create_dir(place.path("a")).unwrap();
    let said = place.ends("check a --format json", 2);
    assert!(common::objects(&said.err)[0]["message"].as_str().unwrap().starts_with("a/run.json: cannot be read: "));
    assert_eq!(common::objects(&said.out)[0]["ok"], false);
    place.write("a/run.json", r#"{ "format": "sim-run/1", "complete": true, "reason": null }"#);
    let said = place.ends("check a small.json", 2);
    assert_eq!(said.err, "error: a/run.json: lists no checksums: an older version wrote it\n");
    assert!(said.out.ends_with("ok     small.json\n") || said.out.contains("ok     small.json: "), "{}", said.out);
}
