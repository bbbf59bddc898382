//! A live session, whatever comes in, is an ordinary run: its folder repeats it, bit for bit. No test waits for a clock.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use sim_live::{Command, Door, Inbox, Live, LiveOptions, News, Speed};
use sim_run::scenario::{self, Override};
use sim_run::{Control, RunOptions, Session, run_one};
use sim_world::{Column, ColumnKind, Value};
use sim_worlds::WORLDS;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Anything at any step: rows of all input streams with numbers in and out of their ranges, words that exist and others, pauses, steps.
struct Monkey {
    seed: u64,
    /// Words that texts are made of.
    words: Vec<&'static str>,
    resets: u64,
}

impl Monkey {
    fn new(seed: u64) -> Self {
        let words =
            vec!["lift", "place", "drag", "tilt", "turn", "push", "shake", "tap", "press", "power_on", "release"];
        Self {
            seed,
            words: [words, vec!["take_away", "bring", "top", "left", "102", "103", "", "none", "joint", "orca"]]
                .concat(),
            resets: 0,
        }
    }

    /// The next of a row of numbers (SplitMix64).
    fn next(&mut self, below: u64) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    fn value(&mut self, column: &Column) -> Value<'static> {
        let share = self.next(1201) as f64 / 1000.0 - 0.1;
        let [low, high] = column.range.unwrap_or([-10.0, 10.0]);
        // Most places are near the mat, however far the column reaches.
        let (low, high) = (low.max(-600.0), high.min(600.0));
        let number = low + share * (high - low);
        match (self.next(8), column.kind) {
            (0, _) => Value::Missing,
            (_, ColumnKind::Integer) => Value::Integer(number.round() as i64),
            (_, ColumnKind::Text) => {
                let word = self.next(self.words.len() as u64) as usize;
                Value::Text(self.words[word])
            }
            (_, ColumnKind::Bytes) => Value::Bytes(&[0x02, 0x01, 0x01, 0x1e, 0x02, 0x01, 0x1e, 0x64]),
            (_, _) => Value::Number(number),
        }
    }
}

impl Door for Monkey {
    fn begin(&mut self, _session: &Session) {}

    fn hear(&mut self, session: &Session, inbox: &mut Inbox) {
        let streams = session.model().inputs();
        for _ in 0..self.next(4) {
            let place = self.next(streams.len() as u64) as usize;
            let row: Vec<Value<'_>> = streams[place].columns.iter().map(|column| self.value(column)).collect();
            inbox.push(place, &row);
        }
        match self.next(97) {
            0 => inbox.command(Command::Step(1 + self.next(9))),
            1 if self.resets > 0 => {
                self.resets -= 1;
                inbox.command(Command::Reset { is_other: true });
            }
            _ => inbox.command(Command::Pause(false)),
        }
    }
}

/// Makes a session with a monkey; returns the folders and end states of its runs.
fn monkey_session(scenario: &Path, overrides: &[Override], out: &Path, monkey: Monkey) -> Vec<(PathBuf, u64, u64)> {
    let loaded = scenario::load(WORLDS, scenario, overrides).unwrap();
    let options = LiveOptions { run: loaded.options(out), key: loaded.model.key(0), speed: Speed::Max, listen: None };
    let mut ended = Vec::new();
    let mut news = |news: News<'_>| {
        if let News::Ended { folder, report, .. } = news {
            assert!(report.complete, "step {}", report.steps_done);
            ended.push((folder.unwrap().to_owned(), report.run_index, report.final_state_hash));
        }
    };
    let stop = AtomicBool::new(false);
    Live::start(&loaded.model, options, vec![Box::new(monkey)], &mut news, &stop).unwrap().run().unwrap();
    ended
}

/// The end state of a folder's scenario, run by itself.
fn repeated(folder: &Path, run_index: u64) -> u64 {
    let loaded = scenario::load(WORLDS, &folder.join("scenario.json"), &[]).unwrap();
    let options = RunOptions { inputs: loaded.inputs.clone(), ..RunOptions::default() };
    run_one(&loaded.model, loaded.model.key(run_index), &options, &Control::none()).unwrap().final_state_hash
}

fn check(name: &str, overrides: &[&str], seeds: std::ops::Range<u64>) {
    let scenario = Path::new("../../scenarios").join(name);
    let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().unwrap()).collect();
    for seed in seeds {
        let folder = tempfile::tempdir().unwrap();
        let ended = monkey_session(&scenario, &overrides, &folder.path().join("live"), Monkey::new(seed));
        let [(folder, run_index, hash)] = &ended[..] else { panic!("{ended:?}") };
        assert!(
            std::fs::read_dir(folder)
                .unwrap()
                .flatten()
                .any(|file| { file.file_name().to_string_lossy().starts_with("inputs-") })
        );
        assert_eq!(repeated(folder, *run_index), *hash, "{name}, seed {seed}");
    }
}

#[test]
fn robots_and_feet_under_a_monkey_repeat_from_their_record() {
    check("swarm-30.json", &["steps=240", "agents.count=8"], 1..3);
}

#[test]
fn cubes_under_a_monkey_repeat_from_their_record() {
    check("cubes-tour.json", &["steps=400"], 1..3);
}

#[test]
fn cars_under_a_monkey_repeat_from_their_record() {
    check("car-loop.json", &["steps=300"], 1..3);
}

/// Without a client a session is the run itself.
#[test]
fn a_session_without_clients_ends_as_the_run_does() {
    let overrides: [Override; 2] = ["steps=120".parse().unwrap(), "agents.count=4".parse().unwrap()];
    let loaded = scenario::load(WORLDS, Path::new("../../scenarios/swarm-10.json"), &overrides).unwrap();
    let alone = run_one(&loaded.model, loaded.model.key(0), &RunOptions::default(), &Control::none()).unwrap();
    let options = LiveOptions { run: RunOptions::default(), key: loaded.model.key(0), speed: Speed::Max, listen: None };
    let (stop, mut hash) = (AtomicBool::new(false), None);
    let mut news = |news: News<'_>| {
        if let News::Ended { report, .. } = news {
            hash = Some(report.final_state_hash);
        }
    };
    Live::start(&loaded.model, options, Vec::new(), &mut news, &stop).unwrap().run().unwrap();
    assert_eq!(hash, Some(alone.final_state_hash));
}

/// A run that is ended by a reset, at whatever step, is complete, and repeats by itself with its own draws.
#[test]
fn runs_that_a_reset_ends_are_complete_and_repeat() {
    let folder = tempfile::tempdir().unwrap();
    let overrides = ["steps=300".parse().unwrap(), "agents.count=5".parse().unwrap()];
    let monkey = Monkey { resets: 2, ..Monkey::new(7) };
    let ended =
        monkey_session(Path::new("../../scenarios/swarm-30.json"), &overrides, &folder.path().join("live"), monkey);
    let names: Vec<_> =
        ended.iter().map(|(path, run, _)| (path.file_name().unwrap().to_str().unwrap(), *run)).collect();
    assert_eq!(names, [("live", 0), ("live-2", 1), ("live-3", 2)]);
    for (folder, run_index, hash) in &ended {
        assert_eq!(repeated(folder, *run_index), *hash, "{}", folder.display());
    }
}

/// What ends a session early leaves a whole folder of so many steps as were made.
#[test]
fn a_session_that_is_stopped_leaves_a_whole_folder_of_its_length() {
    struct EndAt(u64);
    impl Door for EndAt {
        fn begin(&mut self, _session: &Session) {}
        fn hear(&mut self, session: &Session, inbox: &mut Inbox) {
            if session.tick().0 == self.0 {
                inbox.command(Command::End);
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let loaded = scenario::load(WORLDS, Path::new("../../scenarios/swarm-30.json"), &[]).unwrap();
    let run = loaded.options(folder.path().join("live"));
    let options = LiveOptions { run, key: loaded.model.key(0), speed: Speed::Max, listen: None };
    let stop = AtomicBool::new(false);
    let (mut steps, mut hash) = (0, 0);
    let mut news = |news: News<'_>| {
        if let News::Ended { report, .. } = news {
            (steps, hash) = (report.steps_done, report.final_state_hash);
        }
    };
    Live::start(&loaded.model, options, vec![Box::new(EndAt(37))], &mut news, &stop).unwrap().run().unwrap();
    assert_eq!(steps, 37);
    let live = folder.path().join("live");
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(live.join("run.json")).unwrap()).unwrap();
    assert_eq!((&record["steps"], &record["steps_done"], &record["complete"]), (&37.into(), &37.into(), &true.into()));
    assert!(live.join("agents.csv").exists() && !live.join("agents.csv.partial").exists());
    assert_eq!(repeated(&live, 0), hash);
}
