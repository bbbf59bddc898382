//! Rows that hold lists of numbers: the table spreads a list over columns, and a file reads back as it was written.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value as Json;
use sim_core::measure::{Measure, Metric};
use sim_core::{RunKey, StateHash, Tick};
use sim_input::checks::Checks;
use sim_run::{Control, Recording, RunOptions, Session, run_one};
use sim_world::{
    Cadence, Column, ColumnKind, Files, Input, LoadedWorld, Model, Ranking, RowSink, RunInfo, StartError, StepError,
    Stream, StreamSet, Value, View, Words, World, WorldKind,
};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use test_runs::{files, temporary};

/// A drum that remembers taps of three fingers.
#[derive(Debug)]
struct Drum;

#[rustfmt::skip] // A getter is a line.
impl WorldKind for Drum {
    fn name(&self) -> &'static str { "drum" }
    fn schema(&self) -> &'static Json { &Json::Null }
    fn measures(&self) -> &'static [Measure] { &[] }
    fn ranking(&self) -> &'static Ranking { &Ranking::Largest { measure: "taps", unit: "count" } }
    fn words(&self) -> &'static Words { &Words { agent: "drum", heading: "Drumming", highlights: &[] } }
    fn load(&self, _: Json, _: &dyn Files, _: &mut Checks<'_>) -> Option<LoadedWorld> { None }
}

#[derive(Debug)]
struct DrumModel([Stream; 1]);

#[rustfmt::skip] // A getter is a line.
impl Model for DrumModel {
    fn kind(&self) -> &'static dyn WorldKind { &Drum }
    fn info(&self) -> RunInfo<'_> {
        RunInfo { name: "drum", seed: 1, steps: 6, step_hz: 1, trace_every: 1, agents: 1 }
    }
    fn outputs(&self) -> &[Stream] { &[] }
    fn inputs(&self) -> &[Stream] { &self.0 }
    fn view(&self) -> View { View::default() }
    fn start(self: Arc<Self>, _: RunKey, _: &StreamSet) -> Result<Box<dyn World>, StartError> {
        Ok(Box::new(Taps(Tick(0), StateHash::new().finish())))
    }
}

/// The step, and a hash of all taps so far.
#[derive(Clone)]
struct Taps(Tick, u64);

#[rustfmt::skip] // A getter is a line.
impl World for Taps {
    fn tick(&self) -> Tick { self.0 }
    fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        let mut hash = StateHash::new();
        hash.u64(self.1);
        for input in inputs {
            // An empty list comes as a missing value.
            let taps = if let Value::Numbers(taps) = input.row[0] { taps } else { &[] };
            hash.u64(taps.len() as u64);
            taps.iter().for_each(|tap| hash.f64(*tap));
        }
        *self = Self(self.0.next(), hash.finish());
        Ok(())
    }
    fn rows(&self, _: usize, _: &mut RowSink<'_>) {}
    fn state_hash(&self) -> u64 { self.1 }
    fn finish(&mut self) -> Vec<Metric> { Vec::new() }
}

fn drum() -> Arc<dyn Model> {
    let taps = Column::new("tap_#_mm_s", ColumnKind::Numbers(3), "speed of a finger");
    Arc::new(DrumModel([Stream::new("taps", "taps of three fingers", Cadence::OnEvent { at_most: None }, [taps])]))
}

fn read(folder: &Path, model: &Arc<dyn Model>) -> Result<Recording, String> {
    Recording::read_folder(folder, &**model).map_err(|error| error.to_string())
}

/// A file may have the columns in any order, and numbers that are missing at the end of a list stay missing.
#[test]
fn lists_of_numbers_read_back_as_they_were_written() {
    let ((place, mine), model) = (temporary(), drum());
    let options = |out: &Path| RunOptions { out: Some(out.to_path_buf()), ..RunOptions::default() };
    let lists: [&[f64]; 4] = [&[0.1, -0.25, 1.0 / 3.0], &[2.0], &[-0.0, 1e-300], &[]];
    let mut session = Session::start(&model, model.key(0), &options(&mine)).unwrap();
    let taps = session.input("taps").unwrap();
    while !session.is_done() {
        let row = lists.get(session.tick().0 as usize).map(|list| [[Value::Numbers(list)]]);
        session.step(&row.as_ref().map_or_else(Vec::new, |row| Input::rows(taps, row))).unwrap();
    }
    let hash = session.finish().unwrap().final_state_hash;
    let record =
        "step,tap_0_mm_s,tap_1_mm_s,tap_2_mm_s\n1,0.1,-0.25,0.3333333333333333\n2,2.0,,\n3,0.0,1e-300,\n4,,,\n";
    assert_eq!(fs::read_to_string(mine.join("inputs-taps.csv")).unwrap(), record);

    let recording = read(&mine, &model).unwrap();
    let out = place.path().join("again");
    let again = RunOptions { inputs: Arc::new(recording.clone()), ..options(&out) };
    assert_eq!(run_one(&model, model.key(0), &again, &Control::none()).unwrap().final_state_hash, hash);
    assert_eq!(files(&mine), files(&out));

    let other = place.path().join("other");
    fs::create_dir(&other).unwrap();
    let text = "tap_2_mm_s,step,tap_1_mm_s,tap_0_mm_s\n0.3333333333333333,1,-0.25,0.1\n,2,,2\n,3,1e-300,-0\n,4,,\n";
    fs::write(other.join("inputs-taps.csv"), text).unwrap();
    assert_eq!(read(&other, &model).unwrap(), recording);
}

#[test]
fn faulty_lists_of_numbers_are_told_by_line_and_column() {
    let ((_place, out), model) = (temporary(), drum());
    fs::create_dir_all(&out).unwrap();
    for (text, message) in [
        (
            "step,tap_0_mm_s,tap_1_mm_s\n1,,2\n",
            ":2:3: tap_#_mm_s: lacks number 0, which stands before others; they count from 0",
        ),
        ("step,tap_0_mm_s\n1,inf\n", r#":2:3: tap_#_mm_s: is "inf", must be a finite number"#),
        ("step,tap_3_mm_s\n1,1\n", r#":1:6: tap_3_mm_s: is no column; did you mean "tap_0_mm_s"?"#),
    ] {
        fs::write(out.join("inputs-taps.csv"), text).unwrap();
        let refused = read(&out, &model).unwrap_err();
        assert!(refused.contains(&format!("inputs-taps.csv{message}")), "{refused}");
    }
}
