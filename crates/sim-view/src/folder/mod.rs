//! The folder of a run or of a batch, read back.
//!
//! [`RunFolder::open`] reads the small files, `tables.json` and `view.json` among them, and looks at the ends of the tables. Tables then
//! stream step by step, so that memory holds one step however long the run is; [`StreamTable::seek`] finds a step by its place in the
//! file, without reading what comes before.
//!
//! ```no_run
//! use sim_view::folder::{RunFolder, StepRows};
//!
//! let folder = RunFolder::open("out/swarm-30".as_ref())?;
//! folder.notes().iter().for_each(|note| eprintln!("note: {note}"));
//! let mut rows = StepRows::default();
//! if let Some(mut agents) = folder.stream("agents", |_| true)? {
//!     let x_mm = agents.places("x_mm")?.start;
//!     agents.seek(600)?;
//!     while let Some(moment) = agents.next_step(&mut rows)? {
//!         println!("{} s: the first robot at {:?} mm", moment.time_s, rows.iter().next().map(|row| row[x_mm]));
//!     }
//! }
//! # Ok::<(), sim_view::folder::FolderError>(())
//! ```
//!
//! A table of a run that was cut short goes by its partial name and may end in the middle of a row or of a step: it counts up to its
//! last whole step, and [`RunFolder::notes`] says so. Anything else that is wrong in a table is a [`FolderError`] which names file, line
//! and column.

mod batch;
mod cells;
mod error;
mod files;
mod record;
mod road;
mod rows;
mod run;
mod scans;
mod scenario;
mod step_table;
mod stream_table;
mod sweep;
mod sweep_rows;
mod table;
mod tables;
mod world;

pub use batch::{BatchFolder, BatchRow, BatchRows};
pub use cells::{CellFault, Cells};
pub use error::FolderError;
pub use files::{Kind, kind_of};
pub use record::{BatchRecord, RunRecord};
pub use road::{
    CarParamsSpec, CarSpec, Corners, LidarMountSpec, LidarSpec, MapSpec, RoadScenario, RoadTraceSpec, SensorsSpec,
};
pub use rows::{AgentRow, CarRow, CubeRow, EventRow, FootRow, MessageRow, PatchRow, SummaryRow};
pub use run::{RunFolder, Span};
pub use scans::{NewestScans, Scan, ScanTable};
pub use scenario::{AgentsSpec, CardSpec, CountSpec, CubeSpec, FeetSpec, FieldSpec, LimitsSpec, MatScenario, MatSpec};
pub use scenario::{PrintedSpec, SafetySpec, TraceSpec, WallSpec};
pub use step_table::{Moment, StepRow, StepTable};
pub(crate) use stream_table::no_such_column;
pub use stream_table::{StepRows, StreamTable, Words, text_at};
pub use sweep::{AxisSpec, StopSpec, SweepFolder, SweepRecord, SweepSpec, SweepTable};
pub use sweep_rows::{
    CellRow, CorrelationRow, DifferenceRow, FailureRow, Level, MeasureRow, More, SweepRow, SweepRunRow, WorstRow,
};
pub use table::{Row, Table};
pub use tables::{Tables, file_of, places_of};
pub use world::World;
