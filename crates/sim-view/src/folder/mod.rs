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
mod moment;
mod near_misses;
mod record;
mod rows;
mod run;
mod stream_table;
mod sweep;
mod sweep_rows;
mod table;
mod tables;

pub use batch::{BatchFolder, BatchRow, BatchRows};
pub use cells::{CellFault, Cells};
pub use error::FolderError;
pub use files::{Kind, kind_of};
pub use moment::Moment;
pub use near_misses::{NearMissRow, NearMisses};
pub use record::{BatchRecord, RunRecord};
pub use rows::{EventRow, SummaryRow};
pub use run::{RunFolder, Span};
pub(crate) use stream_table::no_such_column;
pub use stream_table::{StepRows, StreamTable, Words, text_at};
pub use sweep::{AxisSpec, StopSpec, SweepFolder, SweepRecord, SweepSpec, SweepTable};
pub use sweep_rows::{
    CellRow, CorrelationRow, DifferenceRow, FailureRow, Level, MeasureRow, Measures, More, SweepRow, SweepRunRow,
    WorstRow,
};
pub use table::{Row, Table};
pub use tables::{Tables, file_of, places_of};
