//! A sweep that has been checked: its cells, as functions of their number, and what belongs to each of its runs.

use crate::design::{Design, Value};
use crate::rows::{CLEAN, always_kept};
use crate::spec::{AxisValue, IntervalSpec, SweepSpec};
use crate::stop::Rule;
use sim_input::write::hand_written;
use sim_run::inputs::InputFiles;
use sim_run::run_folder::{SCENARIO_JSON, SWEEP_JSON};
use sim_run::scenario::{self, Loaded, Override, Severity};
use sim_run::shell::quoted;
use sim_run::{Recording, RunReport};
use sim_world::{Model, WorldKind, Worlds};
use std::sync::Arc;

/// Digits of a drawn value: enough for any setting, and short enough to be typed again.
const DRAWN_DIGITS: usize = 6;

/// A sweep that can be run. It keeps no cells: a million of them take no memory until they are run.
#[derive(Clone, Debug)]
pub struct Sweep {
    pub(super) worlds: Worlds,
    pub(super) kind: &'static dyn WorldKind,
    pub(super) spec: SweepSpec,
    /// The scenario that all cells start from, every default written out.
    pub(super) scenario_json: String,
    /// The inputs of every run, as files and as read for the scenario that all cells start from.
    pub(super) input_files: InputFiles,
    pub(super) inputs: Arc<Recording>,
    pub(super) design: Design,
    pub(super) axes: Vec<AxisOfKey>,
    pub(super) rule: Option<Rule>,
    pub(super) baseline: Vec<(usize, u64)>,
}

/// What the runs of a cell are made of.
#[derive(Clone, Debug)]
pub(super) struct CellSetup {
    pub model: Arc<dyn Model>,
    pub inputs: Arc<Recording>,
}

/// How the values of an axis become values of its key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisOfKey {
    pub path: String,
    /// What a place in a list stands for.
    pub list: Vec<AxisValue>,
    /// What drawn values are rounded to, and where they end.
    pub drawn: Option<Drawn>,
}

/// What becomes of a drawn number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drawn {
    pub whole: bool,
    pub ends: [f64; 2],
}

impl Drawn {
    pub fn rounded(self, value: f64) -> f64 {
        let short = if self.whole { value.round() } else { short(value) };
        short.clamp(self.ends[0], self.ends[1])
    }
}

fn short(value: f64) -> f64 {
    format!("{value:.*e}", DRAWN_DIGITS - 1).parse().unwrap_or(value)
}

impl Sweep {
    /// Name of the sweep.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// What its file says, every default written out.
    #[must_use]
    pub fn spec(&self) -> &SweepSpec {
        &self.spec
    }

    /// The file, every default written out, for a folder that holds [`Self::scenario_json`] under the name `scenario.json`.
    #[must_use]
    pub fn sweep_json(&self) -> String {
        hand_written(&self.spec)
    }

    /// The scenario that all cells start from, every default written out.
    #[must_use]
    pub fn scenario_json(&self) -> &str {
        &self.scenario_json
    }

    /// The files of inputs that every run takes, by the names that [`Self::scenario_json`] gives them.
    #[must_use]
    pub fn input_files(&self) -> &InputFiles {
        &self.input_files
    }

    /// The files that define the sweep, by name.
    pub(super) fn definition(&self) -> InputFiles {
        let mut files = self.input_files.clone();
        files.insert(SWEEP_JSON.to_owned(), self.sweep_json().into_bytes());
        files.insert(SCENARIO_JSON.to_owned(), self.scenario_json.clone().into_bytes());
        files
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.design.cells()
    }

    /// Most runs of a cell.
    #[must_use]
    pub fn repeats(&self) -> u64 {
        self.spec.repeats
    }

    /// Runs if every cell can be run and none ends early. Saturates.
    #[must_use]
    pub fn runs_at_most(&self) -> u64 {
        self.cells().saturating_mul(self.repeats())
    }

    /// Seed of all runs.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.spec.seed.unwrap_or_default()
    }

    /// The stopping rule.
    #[must_use]
    pub fn rule(&self) -> Option<&Rule> {
        self.rule.as_ref()
    }

    /// How intervals of means are found.
    #[must_use]
    pub fn interval(&self) -> IntervalSpec {
        self.spec.interval
    }

    /// Paths of the axes.
    pub fn axis_paths(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(|axis| axis.path.as_str())
    }

    /// Names of the kept measures.
    pub fn measures(&self) -> impl Iterator<Item = &str> {
        self.spec.measures.iter().flatten().map(String::as_str)
    }

    /// Place of the measure that is answered first, among the kept ones.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.measures().position(|name| Some(name) == self.spec.headline.as_deref()).unwrap_or(CLEAN)
    }

    /// The kind of its world.
    #[must_use]
    pub fn kind(&self) -> &'static dyn WorldKind {
        self.kind
    }

    /// Number of a run in the whole sweep.
    #[must_use]
    pub fn run_number(&self, cell: u64, repeat: u64) -> u64 {
        cell * self.repeats() + repeat
    }

    /// Index under which `sim-cli run --run-index` makes the run again.
    #[must_use]
    pub fn run_index(&self, cell: u64, repeat: u64) -> u64 {
        if self.spec.paired_seeds { repeat } else { self.run_number(cell, repeat) }
    }

    /// Values of the axes in a cell.
    #[must_use]
    pub fn values(&self, cell: u64) -> Vec<AxisValue> {
        (0..self.axes.len()).map(|axis| self.value(cell, axis)).collect()
    }

    fn value(&self, cell: u64, axis: usize) -> AxisValue {
        let AxisOfKey { list, drawn, .. } = &self.axes[axis];
        match self.design.value(cell, axis) {
            Value::Listed(place) => list[place].clone(),
            Value::Number(value) => AxisValue::Number(drawn.map_or(value, |drawn| drawn.rounded(value))),
        }
    }

    /// What makes a cell's scenario of the one that all start from.
    #[must_use]
    pub fn overrides(&self, cell: u64) -> Vec<Override> {
        self.axis_paths().zip(self.values(cell)).map(|(path, value)| Override::new(path, &value.to_flag())).collect()
    }

    /// The scenario of a cell.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn scenario(&self, cell: u64) -> Result<Loaded, String> {
        let (text, overrides) = (&self.scenario_json, self.overrides(cell));
        let loaded = scenario::parse_with_inputs(self.worlds, text, SCENARIO_JSON, &self.input_files, &overrides);
        let mut loaded = loaded.map_err(|refused| self.first_error(&refused))?;
        // A million cells share one recording.
        if loaded.inputs == self.inputs {
            loaded.inputs = Arc::clone(&self.inputs);
        }
        Ok(loaded)
    }

    fn first_error(&self, refused: &scenario::Diagnostics) -> String {
        let error = refused.items.iter().find(|item| item.severity == Severity::Error);
        let words = |item: &scenario::Diagnostic| {
            let is_of_input = self.input_files.contains_key(&item.file);
            if is_of_input { item.to_string() } else { format!("{}: {}", item.path, item.message) }
        };
        error.map_or_else(String::new, words)
    }

    /// The model of a cell.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn model(&self, cell: u64) -> Result<Arc<dyn Model>, String> {
        Ok(self.setup(cell)?.model)
    }

    /// What the runs of a cell are made of.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub(super) fn setup(&self, cell: u64) -> Result<CellSetup, String> {
        let Loaded { model, inputs, .. } = self.scenario(cell)?;
        Ok(CellSetup { model, inputs })
    }

    /// The cell that a cell is compared with; `None` without a baseline.
    #[must_use]
    pub fn baseline_of(&self, cell: u64) -> Option<u64> {
        let moved = |cell, &(axis, point): &(usize, u64)| self.design.moved(cell, axis, point);
        (!self.baseline.is_empty()).then(|| self.baseline.iter().fold(cell, moved))
    }

    /// The kept measures of a run, in their order.
    #[must_use]
    pub fn kept(&self, report: &RunReport) -> Vec<f64> {
        let named = |name: &str| report.metrics.iter().find(|metric| metric.name == name).map_or(f64::NAN, |m| m.value);
        let clean = f64::from(u8::from(sim_run::accepted(&report.metrics)));
        let always = [clean, report.ranking];
        always.into_iter().chain(self.measures().skip(always_kept(self.kind).len()).map(named)).collect()
    }

    /// The command that makes a run again, to be given in the folder of the sweep.
    #[must_use]
    pub fn command(&self, cell: u64, repeat: u64) -> String {
        let sets = self.axis_paths().zip(self.values(cell));
        let sets = sets.map(|(path, value)| format!("--set {} ", quoted(&format!("{path}={}", value.to_flag()))));
        let index = self.run_index(cell, repeat);
        format!("sim-cli run scenario.json {}--run-index {index}", sets.collect::<String>())
    }
}
