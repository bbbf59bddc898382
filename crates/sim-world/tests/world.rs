//! The contract of worlds, on the least world there is: a counter.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value as Json, json};
use sim_core::measure::{Bound, Fold, Measure, Metric};
use sim_core::{RunKey, Tick};
use sim_input::checks::Checks;
use sim_input::nearest::nearest;
use sim_world::{
    Cadence, Column, Files, Input, LoadedWorld, Model, Ranking, RowFault, RowSink, RunInfo, StartError, StepError,
    Stream, StreamSet, Value, View, Words, World, WorldKind, Worlds,
};
use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

/// Counts what comes in and one more a step. Its schema is its name.
#[derive(Debug)]
struct Counter(&'static str);

const RANKING: Ranking = Ranking::Largest { measure: "count", unit: "count" };
const WORDS: Words = Words { agent: "counter", heading: "Counting", highlights: &[("count", "steps and more")] };
const MEASURES: &[Measure] = &[Measure::new("count", "count", Bound::Free, Fold::Sum)];

#[rustfmt::skip] // A getter is a line.
impl WorldKind for Counter {
    fn name(&self) -> &'static str { self.0 }
    fn schema(&self) -> &'static Json {
        static SCHEMA: OnceLock<Json> = OnceLock::new();
        SCHEMA.get_or_init(|| json!({"type": "object"}))
    }
    fn measures(&self) -> &'static [Measure] { MEASURES }
    fn ranking(&self) -> &'static Ranking { &RANKING }
    fn words(&self) -> &'static Words { &WORDS }
    fn load(&self, scenario: Json, _: &dyn Files, _: &mut Checks<'_>) -> Option<LoadedWorld> {
        let model = CounterModel { start: scenario["start"].as_u64()?, inputs: [more()] };
        Some(LoadedWorld { resolved: scenario.to_string(), model: Arc::new(model) })
    }
}

fn more() -> Stream {
    Stream::new("more", "what is added", Cadence::OnEvent { at_most: None }, [Column::integer("by", "how much")])
}

#[derive(Debug)]
struct CounterModel {
    start: u64,
    inputs: [Stream; 1],
}

static COUNTER: Counter = Counter("counter");

#[rustfmt::skip] // A getter is a line.
impl Model for CounterModel {
    fn kind(&self) -> &'static dyn WorldKind { &COUNTER }
    fn info(&self) -> RunInfo<'_> {
        RunInfo { name: "count", seed: 41, steps: 10, step_hz: 1, trace_every: 1, agents: 1 }
    }
    fn outputs(&self) -> &[Stream] { &[] }
    fn inputs(&self) -> &[Stream] { &self.inputs }
    fn view(&self) -> View { View::default() }
    fn start(self: Arc<Self>, key: RunKey, _: &StreamSet) -> Result<Box<dyn World>, StartError> {
        if key.run_index == 7 { return Err(StartError("the counter does not count run 7".to_owned())); }
        Ok(Box::new(Count { tick: Tick(0), count: self.start }))
    }
}

#[derive(Clone)]
struct Count {
    tick: Tick,
    count: u64,
}

#[rustfmt::skip] // A getter is a line.
impl World for Count {
    fn tick(&self) -> Tick { self.tick }
    fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        self.tick = self.tick.next();
        let more: f64 = inputs.iter().filter_map(|input| input.row[0].as_number()).sum();
        self.count += 1 + more as u64;
        Ok(())
    }
    fn rows(&self, _: usize, _: &mut RowSink<'_>) {}
    fn state_hash(&self) -> u64 { self.count }
    fn finish(&mut self) -> Vec<Metric> { vec![MEASURES[0].metric(self.count as f64, None)] }
}

struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err(" cannot be opened: there are no files here".to_owned())
    }
}

fn model(start: u64) -> Arc<dyn Model> {
    let tree = sim_input::tree::parse("{}", "{}", &sim_input::diagnostic::Origin::Text).unwrap();
    let known_wrong = std::collections::BTreeSet::new();
    let mut checks = Checks::new(&tree, &known_wrong);
    COUNTER.load(json!({"start": start}), &NoFiles, &mut checks).unwrap().model
}

const KINDS: &[&dyn WorldKind] = &[&Counter("mat"), &Counter("road"), &Counter("mat")];

#[test]
fn kinds_are_found_by_their_whole_names_in_the_order_of_their_list() {
    let worlds = Worlds(KINDS);
    assert_eq!(worlds.names().collect::<Vec<_>>(), ["mat", "road", "mat"]);
    assert_eq!(worlds.find("road").map(WorldKind::name), Some("road"));
    // Of two with one name the first: they are the same static values.
    let found = std::ptr::from_ref(worlds.find("mat").unwrap()).cast::<()>();
    assert_eq!(found, std::ptr::from_ref(KINDS[0]).cast::<()>());
    for unknown in ["", "Road", "roa", "road ", "sea"] {
        assert!(worlds.find(unknown).is_none(), "{unknown:?}");
    }
    assert!(Worlds(&[]).find("mat").is_none() && Worlds(&[]).names().next().is_none());
}

#[test]
fn a_misspelt_kind_is_near_to_one_that_is_there() {
    let near = |word| nearest(word, Worlds(KINDS).names());
    assert_eq!((near("raod"), near("Road"), near("amt")), (Some("road"), Some("road"), Some("mat")));
    assert_eq!((near("moon"), near("")), (None, None));
}

/// A draw is addressed by the seed of the scenario and the number of the run.
#[test]
fn runs_have_the_seed_of_their_scenario_and_their_number() {
    let model = model(0);
    for run_index in [0, 1, u64::MAX] {
        assert_eq!(model.key(run_index), RunKey { seed: 41, run_index });
    }
}

#[test]
fn a_model_without_further_checks_takes_every_row_of_its_columns() {
    let model = model(0);
    let row = [Value::Integer(3)];
    assert_eq!(model.check_input(&Input { stream: 0, row: &row }), Ok::<(), RowFault>(()));
}

#[test]
fn a_run_behind_the_contract_steps_forks_and_measures() {
    let model = model(100);
    let mut run = Arc::clone(&model).start(model.key(0), &StreamSet::none()).unwrap();
    let row = [Value::Integer(5)];
    run.step(&[Input { stream: 0, row: &row }, Input { stream: 0, row: &row }]).unwrap();
    let mut fork = run.fork();
    fork.step(&[]).unwrap();
    assert_eq!((run.tick(), run.state_hash()), (Tick(1), 111));
    assert_eq!((fork.tick(), fork.state_hash()), (Tick(2), 112));
    assert_eq!(fork.finish()[0].value, 112.0);
    assert!(Arc::clone(&model).as_any().downcast::<CounterModel>().is_ok());
    let refused = model.start(RunKey { seed: 41, run_index: 7 }, &StreamSet::none()).err().unwrap();
    assert_eq!(refused.to_string(), "the counter does not count run 7");
}

#[test]
fn a_scenario_that_makes_no_model_makes_none() {
    let tree = sim_input::tree::parse("{}", "{}", &sim_input::diagnostic::Origin::Text).unwrap();
    let known_wrong = std::collections::BTreeSet::new();
    assert!(COUNTER.load(json!({}), &NoFiles, &mut Checks::new(&tree, &known_wrong)).is_none());
}

fn metric(name: &'static str, value: f64, limit: Option<f64>) -> Metric {
    Metric { name, value, unit: "mm", bound: Bound::Free, limit, ok: None }
}

const MARGIN: Ranking = Ranking::SmallestMargin { name: "margin_mm", unit: "mm", of: &["d_r_mm", "d_h_mm"] };

#[test]
fn rankings_have_a_name_a_unit_and_at_most_a_limit() {
    assert_eq!((MARGIN.name(), MARGIN.unit(), MARGIN.limit()), ("margin_mm", "mm", Some(0.0)));
    assert_eq!((RANKING.name(), RANKING.unit(), RANKING.limit()), ("count", "count", None));
}

#[test]
fn a_margin_is_the_smallest_distance_from_a_floor() {
    let value = |metrics: &[Metric]| MARGIN.value(metrics);
    let (near, far) = (metric("d_r_mm", 59.5, Some(60.0)), metric("d_h_mm", 140.0, Some(100.0)));
    assert_eq!(value(&[near, far]), -0.5);
    assert_eq!(value(std::slice::from_ref(&far)), 40.0);
    // Neither another measure nor one that has no value makes a margin.
    let none = metric("d_r_mm", f64::NAN, Some(60.0));
    assert_eq!(value(&[none, far, metric("other_mm", 0.0, Some(9.0))]), 40.0);
    assert_eq!((value(&[none]), value(&[])), (f64::INFINITY, f64::INFINITY));
}

/// Lists of the worst runs: the smallest margin first, or the largest measure; runs without a value last.
#[test]
fn the_worst_runs_come_first() {
    let sorted = |ranking: &Ranking, values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(|a, b| ranking.compare(*a, *b));
        values
    };
    assert_eq!(sorted(&MARGIN, &[3.0, f64::INFINITY, -1.0, 0.0]), [-1.0, 0.0, 3.0, f64::INFINITY]);
    assert_eq!(sorted(&RANKING, &[3.0, 0.0, 7.0]), [7.0, 3.0, 0.0]);
    assert_eq!((MARGIN.compare(2.0, 2.0), RANKING.compare(2.0, 2.0)), (Ordering::Equal, Ordering::Equal));
    let value = RANKING.value(&[metric("laps", 9.0, None)]);
    assert!(value.is_nan());
    assert_eq!(sorted(&MARGIN, &[f64::NAN, 5.0])[0], 5.0);
}

#[test]
fn errors_are_sentences_that_name_the_step() {
    let error = StepError::not_finite(format_args!("car {}", 2), "contact", Tick(u64::MAX));
    let expected = "car 2 is no longer at a finite place after the contact phase of step 18446744073709551615";
    assert_eq!((error.tick, error.to_string().as_str()), (Tick(u64::MAX), expected));
    let other: Box<dyn std::error::Error> = Box::new(StepError::other(Tick(0), StartError("no place".to_owned())));
    assert_eq!(other.to_string(), "step 0: no place");
    assert!(other.source().is_none());
}
