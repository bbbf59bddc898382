//! The seam between runs and worlds: all that a run, a batch, a sweep and the command line know of a world.
//!
//! A new world is a module beside `mat` and `road`, a variant of [`Model`], and the lines here that the compiler then asks for.

use super::mat::MatModel;
use super::road::{self, RoadModel};
use crate::closest::ClosestCalls;
use crate::error::RunError;
use sim_core::measure::{Measure, Metric};
use sim_core::{RunKey, Tick};
use std::path::Path;
use std::sync::Arc;

/// What every model says of its runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    /// Kind of world, as scenarios name it.
    pub world: &'static str,
    /// Name of the scenario.
    pub name: &'a str,
    /// Seed of the scenario.
    pub seed: u64,
    /// Steps of a run.
    pub steps: u64,
    /// Steps a second.
    pub step_hz: u32,
    /// Steps between two rows of a table, as the scenario asks for it.
    pub trace_every: u64,
    /// Robots or cars.
    pub agents: usize,
}

/// The model of any world: fixed, made once from a scenario, shared by all runs. A clone is the same model.
#[derive(Clone, Debug)]
pub enum Model {
    /// Robots, feet and cubes on a mat.
    Mat(Arc<MatModel>),
    /// Cars on a road.
    Road(Arc<RoadModel>),
}

impl Model {
    /// What every model says.
    #[must_use]
    pub fn head(&self) -> Head<'_> {
        match self {
            Self::Mat(model) => model.head(),
            Self::Road(model) => model.head(),
        }
    }

    /// Address of the draws of a run.
    #[must_use]
    pub fn key(&self, run_index: u64) -> RunKey {
        RunKey { seed: self.head().seed, run_index }
    }

    /// Its tables whose length is known before the run.
    #[must_use]
    pub fn tables(&self) -> Vec<TableLength> {
        match self {
            Self::Mat(model) => model.tables(),
            Self::Road(model) => model.tables(),
        }
    }

    /// What a measure of its runs is held to, in the measure's unit.
    #[must_use]
    pub fn limit(&self, measure: &Measure) -> Option<f64> {
        match self {
            Self::Mat(model) => model.measures.limit(measure),
            Self::Road(_) => road::limit(measure),
        }
    }

    /// Rough time that a run takes on one core of a machine of 2024, s.
    #[must_use]
    pub fn core_s(&self) -> f64 {
        match self {
            Self::Mat(model) => model.core_s(),
            Self::Road(model) => model.core_s(),
        }
    }
}

impl From<MatModel> for Model {
    fn from(model: MatModel) -> Self {
        Self::Mat(Arc::new(model))
    }
}

impl From<RoadModel> for Model {
    fn from(model: RoadModel) -> Self {
        Self::Road(Arc::new(model))
    }
}

/// How long a table of a run will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableLength {
    /// File name.
    pub table: &'static str,
    /// What decides its length.
    pub rows: Rows,
}

/// Rows of a table, without its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// One for each of so many owners, whenever a row is due.
    OfOwners(u64),
    /// So many at most, however often other rows are written.
    Fixed(u64),
}

/// What the loop over the steps of a run asks of a world, and nothing else.
pub trait RunWorld: Sized {
    /// Fixed for the run.
    type Model;
    /// The tables that it writes.
    type Tables: RunTables<World = Self>;

    /// A run at its start.
    ///
    /// # Errors
    /// If the start cannot be laid out.
    fn begin(model: Arc<Self::Model>, key: RunKey) -> Result<Self, RunError>;

    /// What its model says.
    fn head(&self) -> Head<'_>;

    /// Address of the run's draws.
    fn key(&self) -> RunKey;

    /// The last step made.
    fn tick(&self) -> Tick;

    /// One step.
    ///
    /// # Errors
    /// If a number stops being finite.
    fn step(&mut self) -> Result<(), RunError>;

    /// Hash of the complete state.
    fn state_hash(&self) -> u64;

    /// Acceptance lines broken so far, as far as a watcher should know at once.
    fn violations(&self) -> u64;

    /// Ends the measuring. The events are then those of the end.
    fn finish(&mut self) -> Vec<Metric>;

    /// What looks for the run's closest calls, if the world knows any.
    fn watch_closest(&self) -> Option<ClosestCalls> {
        None
    }

    /// Shows it the step that has just been made.
    fn show_closest(&self, _calls: &mut ClosestCalls) {}
}

/// The tables of a run that is going on.
pub trait RunTables: Sized {
    /// The world whose rows they hold.
    type World;

    /// Starts the tables in `folder` with the rows of the start; further rows come every `every` steps.
    ///
    /// # Errors
    /// If a file cannot be made or written.
    fn create(folder: &Path, world: &Self::World, every: u64) -> Result<Self, RunError>;

    /// Writes what the world's step has brought, and the rows that are due.
    ///
    /// # Errors
    /// If a file cannot be written; whole rows that were written are kept.
    fn record(&mut self, world: &Self::World) -> Result<(), RunError>;

    /// Writes the events that the world has not forgotten yet.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn record_events(&mut self, world: &Self::World) -> Result<(), RunError>;

    /// Sends all rows to the files.
    ///
    /// # Errors
    /// The first error; the other tables are sent all the same.
    fn flush(&mut self) -> Result<(), RunError>;

    /// Writes what is left and gives all tables their names.
    ///
    /// # Errors
    /// If a file cannot be written or renamed; no table is renamed before all are written.
    fn finish(self) -> Result<(), RunError>;
}
