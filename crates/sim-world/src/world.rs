//! The contract between worlds and everything that runs, sweeps, writes, draws or drives them.
//!
//! ```text
//! WorldKind   `mat`, `road`: one static value each; reads a scenario once
//!   Model     fixed and checked; shared by all runs of a batch
//!     World   one run: state, input rows of this tick -> state
//! ```
//!
//! Outside, these are trait objects: one virtual call a step and one a stream that is read. Inside, a world is as it likes.

use crate::{Control, Device, DeviceState, Input, RowFault, Stream, StreamSet, View};
use serde_json::Value as Json;
use sim_core::measure::{Measure, Metric};
use sim_core::{RunKey, Tick};
use sim_input::checks::Checks;
use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A kind of world: what is known of it before any scenario is read.
pub trait WorldKind: fmt::Debug + Sync {
    /// Its word in scenario files.
    fn name(&self) -> &'static str;

    /// JSON Schema of its scenarios.
    fn schema(&self) -> &'static Json;

    /// The measures of its runs, in the order of their table.
    fn measures(&self) -> &'static [Measure];

    /// The measures that a sweep keeps if its user names none: all, unless a world has too many.
    fn default_measures(&self) -> Vec<&'static str> {
        self.measures().iter().map(|measure| measure.name).collect()
    }

    /// How bad a run was, for lists of the worst ones.
    fn ranking(&self) -> &'static Ranking;

    /// The words for its parties and for what its runs show.
    fn words(&self) -> &'static Words;

    /// The resolved scenario and the model, once; all that is wrong goes to `checks`. None if no model can be made.
    ///
    /// `scenario` has passed the schema. Files that it names are read into it, so that the resolved one needs them no more.
    fn load(&self, scenario: Json, files: &dyn Files, checks: &mut Checks<'_>) -> Option<LoadedWorld>;
}

/// The kinds of world that a program knows, in the order in which they are listed.
#[derive(Clone, Copy, Debug)]
pub struct Worlds(pub &'static [&'static dyn WorldKind]);

impl Worlds {
    /// The kind with this name.
    #[must_use]
    pub fn find(self, name: &str) -> Option<&'static dyn WorldKind> {
        self.0.iter().copied().find(|kind| kind.name() == name)
    }

    /// Their names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|kind| kind.name())
    }
}

/// Files that a scenario names.
pub trait Files {
    /// The bytes of a file whose name is relative to the scenario's own.
    ///
    /// # Errors
    /// Why it cannot be read, as a clause that follows its name: ` cannot be opened: ...`.
    fn read(&self, name: &str) -> Result<Vec<u8>, String>;

    /// The name under which a user finds the file, for messages about lines of it.
    fn shown(&self, name: &str) -> String {
        name.to_owned()
    }
}

/// What a kind of world makes of a scenario.
#[derive(Debug)]
pub struct LoadedWorld {
    /// The scenario with every default and every file that it named written out, as JSON text. Reading it gives the same model.
    pub resolved: String,
    /// The model.
    pub model: Arc<dyn Model>,
}

/// What is known about the safety of a scenario's runs, before any of them is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// One word for programs.
    pub level: &'static str,
    /// A clause for people.
    pub text: String,
}

/// What runs, tables and messages need to know of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunInfo<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// Seed of the scenario.
    pub seed: u64,
    /// Steps of a run.
    pub steps: u64,
    /// Steps a second.
    pub step_hz: u32,
    /// Steps between two rows of a sampled stream, as the scenario asks for it.
    pub trace_every: u64,
    /// Robots, cars or vehicles: what speed is counted in.
    pub agents: usize,
}

/// The model of a world: fixed, made once from a scenario, shared by all runs.
pub trait Model: Any + fmt::Debug + Send + Sync {
    /// Which kind of world it is of.
    fn kind(&self) -> &'static dyn WorldKind;

    /// What runs need to know of it.
    fn info(&self) -> RunInfo<'_>;

    /// The streams that its runs yield.
    fn outputs(&self) -> &[Stream];

    /// The streams that its runs take. The first column of one with owners is the owner's number.
    fn inputs(&self) -> &[Stream] {
        &[]
    }

    /// Checks what the columns of an input stream cannot say of a row. The row has passed [`check_row`](crate::check_row).
    ///
    /// # Errors
    /// What is wrong with it.
    fn check_input(&self, _input: &Input<'_>) -> Result<(), RowFault> {
        Ok(())
    }

    /// Radio devices that programs of users can talk to, by their numbers. A model with devices has the streams of
    /// [their page](crate::DEVICE_REQUESTS).
    fn devices(&self) -> Vec<Device> {
        Vec::new()
    }

    /// How its runs are drawn, by the columns of its outputs.
    fn view(&self) -> View;

    /// The words for its parties and for what its runs show; those of its kind, unless parts of the world are missing.
    fn words(&self) -> &'static Words {
        self.kind().words()
    }

    /// What people on a live stage can do to its runs, by rows of its inputs.
    fn controls(&self) -> Vec<Control> {
        Vec::new()
    }

    /// What a measure of its runs is held to, in the measure's unit.
    fn limit(&self, measure: &Measure) -> Option<f64> {
        measure.bound.limit(|_| None)
    }

    /// What is known about the safety of runs that take rows of the input streams `taken`; none where nothing is.
    fn guarantee(&self, _taken: &StreamSet) -> Option<Guarantee> {
        None
    }

    /// Rough processor time of a run on a machine of 2024, s; if nothing better is known, 1 us for a step of an agent.
    fn cpu_estimate_s(&self) -> f64 {
        let info = self.info();
        info.steps as f64 * info.agents as f64 * 1e-6
    }

    /// A run at its start. `wanted` says which streams will be read: the others may stay empty.
    ///
    /// # Errors
    /// If the start cannot be laid out.
    fn start(self: Arc<Self>, key: RunKey, wanted: &StreamSet) -> Result<Box<dyn World>, StartError>;
}

impl dyn Model {
    /// Address of the draws of a run.
    #[must_use]
    pub fn key(&self, run_index: u64) -> RunKey {
        RunKey { seed: self.info().seed, run_index }
    }

    /// The same value, for tests and benches that know its type.
    #[must_use]
    pub fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// A copy of a run that goes on by itself; every run that can be cloned has it.
pub trait Fork {
    /// The copy.
    fn fork(&self) -> Box<dyn World>;
}

impl<T: World + Clone + 'static> Fork for T {
    fn fork(&self) -> Box<dyn World> {
        Box::new(self.clone())
    }
}

/// One run of a world.
pub trait World: Fork + Send {
    /// The last step made; 0 at the start.
    fn tick(&self) -> Tick;

    /// One step. The inputs are those of this step, in the order of their streams; they have passed the checks of their columns.
    ///
    /// A worker of a rayon pool may be the caller. A world may then share parts of a step out among the pool's idle workers, as long as
    /// the bytes do not depend on it.
    ///
    /// # Errors
    /// If a number stops being finite; the state is then as the failing phase left it.
    fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError>;

    /// Hands the rows of a stream to `out`: of a sampled stream those of the last step, of one on events those that the last step
    /// brought (after [`World::finish`] those of the end), of one at the end all of them.
    fn rows(&self, stream: usize, out: &mut RowSink<'_>);

    /// What a device of the model does after the last step.
    fn device_state(&self, _device: usize) -> DeviceState {
        DeviceState::Off
    }

    /// Hash of the complete state: equal hashes, equal future.
    fn state_hash(&self) -> u64;

    /// Acceptance lines broken so far, as far as an observer should know at once.
    fn violations(&self) -> u64 {
        0
    }

    /// Ends the measuring and returns the measures in the order of [`WorldKind::measures`].
    fn finish(&mut self) -> Vec<Metric>;
}

/// Receives the rows of a stream, one call a row.
pub type RowSink<'a> = dyn FnMut(&[crate::Value<'_>]) + 'a;

/// The start of a run could not be laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartError(pub String);

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StartError {}

/// A step could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepError {
    /// The step.
    pub tick: Tick,
    /// Who failed, and in which phase, as a whole sentence that names the step.
    pub message: String,
}

impl StepError {
    /// A party, such as `robot 7`, is no longer at a finite place.
    #[must_use]
    pub fn not_finite(party: impl fmt::Display, phase: &str, tick: Tick) -> Self {
        let message = format!("{party} is no longer at a finite place after the {phase} phase of step {}", tick.0);
        Self { tick, message }
    }

    /// Anything else.
    #[must_use]
    pub fn other(tick: Tick, cause: impl fmt::Display) -> Self {
        Self { tick, message: format!("step {}: {cause}", tick.0) }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StepError {}

/// How bad a run was, for lists of the worst ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// By the smallest margin that some measures keep to their floors: the smaller, the worse.
    SmallestMargin {
        /// Name of the margin in tables.
        name: &'static str,
        /// Its unit.
        unit: &'static str,
        /// The measures.
        of: &'static [&'static str],
    },
    /// By a measure: the larger, the worse.
    Largest {
        /// The measure.
        measure: &'static str,
        /// Its unit.
        unit: &'static str,
    },
}

impl Ranking {
    /// Name of its value in tables.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::SmallestMargin { name, .. } => name,
            Self::Largest { measure, .. } => measure,
        }
    }

    /// Whether it is made of a measure.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        match self {
            Self::SmallestMargin { of, .. } => of.contains(&name),
            Self::Largest { measure, .. } => *measure == name,
        }
    }

    /// Unit of its value.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::SmallestMargin { unit, .. } | Self::Largest { unit, .. } => unit,
        }
    }

    /// What its value is held to, where it has a limit of its own: a measure has that of the measure.
    #[must_use]
    pub fn limit(&self) -> Option<f64> {
        match self {
            Self::SmallestMargin { .. } => Some(0.0),
            Self::Largest { .. } => None,
        }
    }

    /// The value of a run; not finite if none of the measures has one.
    #[must_use]
    pub fn value(&self, metrics: &[Metric]) -> f64 {
        match self {
            Self::SmallestMargin { of, .. } => {
                let ranked = metrics.iter().filter(|metric| of.contains(&metric.name));
                let margins = ranked.filter_map(|metric| metric.limit.map(|limit| metric.value - limit));
                // `f64::min` leaves out what is not a number: a run without feet has no distance to them.
                margins.fold(f64::INFINITY, f64::min)
            }
            Self::Largest { measure, .. } => {
                metrics.iter().find(|metric| metric.name == *measure).map_or(f64::NAN, |metric| metric.value)
            }
        }
    }

    /// Which of two values is worse: the lesser in this order.
    #[must_use]
    pub fn compare(&self, a: f64, b: f64) -> Ordering {
        match self {
            Self::SmallestMargin { .. } => a.total_cmp(&b),
            Self::Largest { .. } => b.total_cmp(&a),
        }
    }
}

/// The words of a world for messages.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// What [`RunInfo::agents`] counts, in the singular: `robot`.
    pub agent: &'static str,
    /// Heading over the highlights of a run.
    pub heading: &'static str,
    /// Measures that say how a run went beside its limits, each with an explanation.
    pub highlights: &'static [(&'static str, &'static str)],
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::measure::Bound;

    fn metric(name: &'static str, value: f64, limit: Option<f64>) -> Metric {
        Metric { name, value, unit: "mm", bound: Bound::Free, limit, ok: None }
    }

    #[test]
    fn the_smallest_margin_ranks_a_run() {
        let ranking = Ranking::SmallestMargin { name: "margin_mm", unit: "mm", of: &["a_mm", "b_mm"] };
        let metrics =
            [metric("a_mm", 63.0, Some(60.0)), metric("b_mm", 101.0, Some(100.0)), metric("c_mm", 0.0, Some(9.0))];
        assert_eq!(ranking.value(&metrics), 1.0);
        assert_eq!(ranking.value(&[metric("a_mm", f64::NAN, Some(60.0))]), f64::INFINITY);
        assert_eq!(ranking.value(&[metric("a_mm", 5.0, None)]), f64::INFINITY);
        assert_eq!(ranking.compare(-1.0, 2.0), Ordering::Less);
    }

    #[test]
    fn the_largest_value_ranks_a_run() {
        let ranking = Ranking::Largest { measure: "collisions", unit: "count" };
        assert_eq!(ranking.value(&[metric("laps", 9.0, None), metric("collisions", 2.0, None)]), 2.0);
        assert!(ranking.value(&[]).is_nan());
        assert_eq!(ranking.compare(3.0, 1.0), Ordering::Less);
    }

    #[test]
    fn a_step_error_names_party_phase_and_step() {
        let error = StepError::not_finite("robot 7", "filter", Tick(41));
        assert_eq!(error.to_string(), "robot 7 is no longer at a finite place after the filter phase of step 41");
        assert_eq!(StepError::other(Tick(3), "bodies overlap").to_string(), "step 3: bodies overlap");
    }
}
