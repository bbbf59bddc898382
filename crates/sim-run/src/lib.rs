//! Scenario files, worlds and their step, tables and batches: the public library.
//!
//! It must not know flags or terminals, and it cannot ask for the time: whoever calls brings a [`timing::Stopwatch`]
//! and a [`progress::Observer`].
//!
//! ```
//! use sim_run::{Control, RunOptions, run_one, scenario};
//!
//! let text = r#"{ "name": "short", "world": "mat", "steps": 120, "agents": { "count": 5 } }"#;
//! let scenario = scenario::parse(text, "short.json", &[])?.scenario;
//! let model = scenario.model()?;
//! let report = run_one(&model, model.key(0), &RunOptions::default(), &Control::none())?;
//! assert!(report.complete && sim_run::accepted(&report.metrics));
//! // The same run again, somewhere in the middle of a batch or on another machine, ends in the same state.
//! let again = run_one(&model, model.key(0), &RunOptions::default(), &Control::none())?;
//! assert_eq!(report.final_state_hash, again.final_state_hash);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod crew;
pub mod scenario;
pub mod world;

pub mod batch;
pub mod closest;
pub mod run;
pub mod sweep;

pub mod run_folder;
pub mod shell;
pub mod summary;
pub mod tables;
pub mod timing;

pub mod error;
pub mod progress;

pub use batch::{BatchOptions, BatchReport, run_batch};
pub use error::RunError;
pub use progress::{Control, NoObserver, Observer, Progress, SweepProgress};
pub use run::{RunOptions, RunReport, run_one, version};
pub use sim_core::measure::{Metric, accepted};
pub use sim_core::{RunKey, Tick};
pub use timing::{NoStopwatch, Stopwatch};
pub use world::seam::Model;
