//! Runs and batches of any world, into run folders: the public library.
//!
//! It must not know worlds by name, flags or terminals, and it cannot ask for the time: the caller brings a [`timing::Stopwatch`] and a
//! [`progress::Observer`].
//!
//! ```
//! use sim_run::{Control, RunOptions, run_one, scenario};
//! use sim_worlds::WORLDS;
//!
//! let text = r#"{ "name": "short", "world": "mat", "steps": 120, "agents": { "count": 5 } }"#;
//! let model = scenario::parse(WORLDS, text, "short.json", &[])?.model;
//! let report = run_one(&model, model.key(0), &RunOptions::default(), &Control::none())?;
//! assert!(report.complete && sim_run::accepted(&report.metrics));
//! // The same run again, somewhere in the middle of a batch or on another machine, ends in the same state.
//! let again = run_one(&model, model.key(0), &RunOptions::default(), &Control::none())?;
//! assert_eq!(report.final_state_hash, again.final_state_hash);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod scenario;
mod source;

pub mod batch;
pub mod inputs;
pub mod run;
pub mod worker_pool;

pub mod checksum;
pub mod differences;
pub mod disk;
pub mod partial;
pub mod run_folder;
pub mod shell;
pub mod summary;
pub mod tables;
pub mod timing;
pub mod verify;

pub mod error;
pub mod progress;
pub mod report;
mod resume;

pub use batch::{BatchOptions, BatchReport, run_batch};
pub use disk::Disk;
pub use error::RunError;
pub use inputs::Recording;
pub use progress::{Control, NoObserver, Observer, Progress};
pub use report::{RefusedRows, RunReport};
pub use run::{RunOptions, Session, run_one, version};
pub use sim_core::measure::{self, Metric, accepted};
pub use sim_core::{RunKey, Tick};
pub use sim_world::{Model, RunInfo, Worlds};
pub use timing::{NoStopwatch, Stopwatch};
