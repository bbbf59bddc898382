//! Sweeps: many cells of a design, many runs of each, and what can be said of them.
//!
//! 1. [`load`]: a file to a checked [`Sweep`], which knows its cells as functions of their number and keeps none of them.
//! 2. [`run_sweep`]: the runs, in any order, to `runs.csv`, in one order. An interrupted sweep goes on from the rows of that table; in
//!    parts for several machines by [`run_shard`] and [`merge`].
//! 3. From `runs.csv` the tables of cells, measures, differences and correlations, and the worst runs once more with their near misses.
//!
//! It must not know how a report looks: that is made from the files.

mod aggregate;
mod cells;
pub mod design;
mod execute;
mod folder;
mod load;
mod plan;
mod progress;
pub mod purpose;
mod rows;
mod run;
mod schedule;
mod shard;
pub mod spec;
mod stop;
mod worst;

pub use aggregate::{CellSummary, SweepSummary, WorstRun};
pub use cells::Sweep;
pub use folder::{SweepRecord, build_of};
pub use load::{Library, load, load_with_library};
pub use plan::{SweepPlan, plan};
pub use progress::{SweepControl, SweepObserver, SweepProgress};
pub use run::{SweepOptions, SweepReport, run_sweep};
pub use shard::{Shard, ShardError, ShardReport, merge, run_shard};
pub use spec::{AxisValue, schema_json};
