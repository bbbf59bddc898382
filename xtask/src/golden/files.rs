//! The SHA-256 of every file that short runs, batches and sweeps leave. Left out are `timing.json`, which holds the clock's figures, and
//! the line of a sweep's `run.json` that holds a hash of the program.
//!
//! Together the runs write every table in every form, so that a change of code that is not meant to change results is seen in any of
//! them. Their folders stay below the target folder, to be compared with those of another binary.

use super::{Simulator, committed, entries};
use crate::checksum::sha256;
use crate::shell;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

const FILE: &str = "golden/files.txt";
const HEAD: &str =
    "# run, file, SHA-256 of the file. Written by `cargo xtask golden --bless`: say in the commit why.\n";

/// Name of a folder, and the commands that fill it one after the other. Each gets `--out` with the folder.
const RUNS: [(&str, &[&str]); 24] = [
    ("one-foot", &["run scenarios/swarm-30.json --steps 600"]),
    ("two-feet", &["run scenarios/swarm-30-two-feet.json --steps 600 --trace-every 1"]),
    ("considerate", &["run scenarios/swarm-30-considerate.json --steps 600"]),
    ("differential", &["run scenarios/swarm-30-differential.json --steps 600"]),
    ("baseline-orca", &["run scenarios/baseline-orca.json --steps 600 --seed 7"]),
    ("baseline-penalty", &["run scenarios/baseline-penalty.json --steps 600"]),
    ("patches-only", &["run scenarios/patches-only.json --steps 600"]),
    ("squeeze", &["run scenarios/squeeze.json --steps 600 --run-index 2"]),
    ("stir", &["run scenarios/stir.json --steps 600"]),
    ("cubes-tour", &["run scenarios/cubes-tour.json --trace-every 4"]),
    ("driven-cubes", &["run scenarios/swarm-20-cubes.json --steps 300"]),
    (
        "noisy-sensing",
        &[
            r#"run scenarios/swarm-30-differential.json --steps 600 --set agents.sensing={"position":{"every_ms":50,"delay_ms":30,"noise_std":2,"quantum":0.5,"loss":0.05},"heading":{"noise_std":0.02,"bias_std":0.01,"walk_std_per_sqrt_s":0.01}}"#,
        ],
    ),
    (
        "goals",
        &[
            r#"run scenarios/swarm-10.json --steps 600 --set agents.goals={"sites_mm":[[60,60],[340,60],[200,340]]} --set agents.noise=boltzmann"#,
        ],
    ),
    ("car-loop", &["run scenarios/car-loop.json --steps 4000"]),
    (
        "car-crash",
        &[
            r#"run scenarios/car-loop.json --steps 2400 --set cars[0].driver={"commands":[{"at_s":0,"velocity_m_s":1}]}"#,
        ],
    ),
    ("car-traffic", &["run scenarios/car-traffic.json --steps 2000"]),
    ("car-wall", &["run scenarios/car-wall.json --steps 2000"]),
    ("sea-dive", &["run scenarios/sea-dive.json --steps 6000"]),
    ("sea-fleet", &["run scenarios/sea-fleet.json --steps 1000 --trace-every 10"]),
    ("batch-mat", &["run scenarios/swarm-10-full.json --steps 300 --runs 3"]),
    ("batch-road", &["run scenarios/car-wall.json --steps 500 --runs 3 --set trace.lidar=off"]),
    ("batch-sea", &["run scenarios/sea-fleet.json --steps 300 --runs 3"]),
    ("sweep-mat", &["sweep golden/sweep-mat.json"]),
    (
        "sweep-road",
        &[
            "sweep golden/sweep-road.json --shard 0/2",
            "sweep golden/sweep-road.json --shard 1/2",
            "sweep golden/sweep-road.json --merge",
        ],
    ),
];

/// Writes the list, or complains of what differs from it.
pub fn run(simulator: &Simulator, bless: bool) -> Result<Vec<String>> {
    let mut new = Hashes::new();
    for (name, commands) in RUNS {
        let folder = shell::scratch("golden-files")?.join(name);
        fill(simulator, &folder, commands)?;
        let mut found = BTreeMap::new();
        hash_below(&folder, "", &mut found)?;
        new.insert(name.to_owned(), found);
    }
    if bless {
        shell::write_if_changed(FILE, &text(&new))?;
        return Ok(Vec::new());
    }
    let complaints = differences(&parse(&committed(FILE)?)?, &new);
    if complaints.is_empty() {
        println!("{} files of {} runs are as {FILE} says", new.values().map(BTreeMap::len).sum::<usize>(), new.len());
    }
    Ok(complaints)
}

/// Hash of each file by its path in the folder, by the name of the run.
type Hashes = BTreeMap<String, BTreeMap<String, String>>;

/// Makes the folder from nothing: a file that an older program left there must not be taken for one of this one's.
fn fill(simulator: &Simulator, folder: &Path, commands: &[&str]) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("could not remove {}", folder.display()))?;
    }
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        shell::output(&mut simulator.command(&words, folder))?;
    }
    Ok(())
}

/// The hashes of all files below a folder; `inside` is the way to it, with `/` at its end.
fn hash_below(folder: &Path, inside: &str, found: &mut BTreeMap<String, String>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            hash_below(&path, &format!("{inside}{name}/"), found)?;
        } else if name != "timing.json" {
            let bytes = std::fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
            let bytes = if name == "run.json" { without_build(&bytes) } else { bytes };
            found.insert(format!("{inside}{name}"), sha256(&bytes));
        }
    }
    Ok(())
}

/// A record without the line that says which build of the program made it, and without its own checksum, which depends on that.
fn without_build(record: &[u8]) -> Vec<u8> {
    let lines = record.split_inclusive(|byte| *byte == b'\n');
    let of_build = |line: &[u8]| {
        [&b"\"build\":"[..], b"\"checksum\": \""]
            .iter()
            .any(|key| line.strip_prefix(b"  ").is_some_and(|line| line.starts_with(key)))
    };
    lines.filter(|line| !of_build(line)).flatten().copied().collect()
}

fn parse(text: &str) -> Result<Hashes> {
    let mut hashes = Hashes::new();
    for (line, words) in entries(text) {
        let [run, path, hash] = words[..] else { bail!("{FILE}: `{line}` is not `run file hash`") };
        hashes.entry(run.to_owned()).or_default().insert(path.to_owned(), hash.to_owned());
    }
    Ok(hashes)
}

fn text(hashes: &Hashes) -> String {
    let mut text = HEAD.to_owned();
    for (run, files) in hashes {
        for (path, hash) in files {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{run} {path} {hash}");
        }
    }
    text
}

/// A line for each run and kind of difference, with the files.
fn differences(old: &Hashes, new: &Hashes) -> Vec<String> {
    let none = BTreeMap::new();
    let runs: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let of_run = |run: &String| {
        let (old, new) = (old.get(run).unwrap_or(&none), new.get(run).unwrap_or(&none));
        let changed = old.iter().filter(|(path, hash)| new.get(*path).is_some_and(|other| other != *hash));
        let kinds: [(&str, Vec<&str>); 3] = [
            ("has other bytes in", changed.map(|(path, _)| path.as_str()).collect()),
            ("lacks", old.keys().filter(|path| !new.contains_key(*path)).map(String::as_str).collect()),
            ("has besides", new.keys().filter(|path| !old.contains_key(*path)).map(String::as_str).collect()),
        ];
        let complaints = kinds.into_iter().filter(|(_, files)| !files.is_empty());
        complaints.map(|(what, files)| format!("{FILE}: {run} {what} {}", files.join(", "))).collect::<Vec<_>>()
    };
    runs.into_iter().flat_map(of_run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(text: &str) -> Hashes {
        parse(text).unwrap()
    }

    /// FIPS 180-4: the digest of "abc", and of nothing.
    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn the_file_reads_back_as_it_was_written() {
        let written = hashes("# words\nstir agents.csv 00ff\nstir a/b.csv abcd\nloop cars.csv 11\n");
        assert_eq!(hashes(&text(&written)), written);
        assert!(parse("stir agents.csv").unwrap_err().to_string().contains("stir agents.csv"));
    }

    #[test]
    fn changed_missing_and_new_files_are_named_with_their_run() {
        let old = hashes("a same 1\na changed 2\na gone 3\nb only 4\n");
        let new = hashes("a same 1\na changed 5\na new 6\n");
        let complaints = differences(&old, &new);
        let wanted = ["a has other bytes in changed", "a lacks gone", "a has besides new", "b lacks only"];
        assert_eq!(complaints, wanted.map(|complaint| format!("{FILE}: {complaint}")));
        assert!(differences(&old, &old).is_empty());
    }

    #[test]
    fn files_are_found_in_folders_and_the_clock_is_left_out() {
        let folder = shell::scratch("golden-test").unwrap();
        std::fs::create_dir_all(folder.join("inner")).unwrap();
        for path in ["a.csv", "timing.json", "inner/timing.json", "inner/b.csv"] {
            std::fs::write(folder.join(path), "abc").unwrap();
        }
        let mut found = BTreeMap::new();
        hash_below(&folder, "", &mut found).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a.csv", "inner/b.csv"]);
        assert!(found.values().all(|hash| *hash == sha256(b"abc")));
    }

    #[test]
    fn a_record_is_the_same_from_any_build() {
        let record = |build: &str| format!("{{\n  \"version\": \"1\",\n  \"build\": \"{build}\",\n  \"runs\": 2\n}}\n");
        assert_eq!(without_build(record("00ff").as_bytes()), without_build(record("abcd").as_bytes()));
        assert_eq!(without_build(b"{\n  \"runs\": 2\n}\n"), b"{\n  \"runs\": 2\n}\n");
    }

    #[test]
    fn names_of_runs_differ() {
        let names: BTreeSet<_> = RUNS.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), RUNS.len());
    }
}
