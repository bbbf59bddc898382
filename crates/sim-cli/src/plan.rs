//! From the flags of `run` to what is to be done: the one place where each flag gets its meaning.

use crate::args::RunArgs;
use crate::duration::Duration;
use crate::outcome::Failure;
use crate::repeat::Repeat;
use crate::source;
use sim_run::scenario::{Loaded, Override};
use sim_run::tables::sheet::{SHEET_ROWS, too_long_for_a_sheet};
use sim_run::{BatchOptions, Model, RunInfo, RunOptions};
use sim_world::{Guarantee, Words};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which runs are to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one with this index.
    One(u64),
    /// As many, from index 0.
    Batch(u64),
}

/// What is to be done.
pub struct Plan {
    /// The scenario, changed as the flags say.
    pub loaded: Loaded,
    /// Which runs.
    pub which: Which,
    /// How they are written down.
    pub options: RunOptions,
    /// Where they are written.
    pub out: PathBuf,
    /// Threads: each makes a run, or parts of one.
    pub jobs: usize,
    /// The command that repeats a run.
    pub repeat: Repeat,
}

impl Plan {
    /// Reads the scenario and takes the flags into account.
    pub fn new(args: &RunArgs) -> Result<Self, Failure> {
        let RunArgs { steps, duration, seed, trace_every, .. } = *args;
        let flags = KeyFlags { steps, duration, seed, trace_every };
        let loaded = source::load(&args.scenario, args.inputs.as_deref(), &overrides(&args.set, flags))?;
        let RunInfo { name, seed, trace_every, .. } = loaded.model.info();
        let out = args.out.clone().unwrap_or_else(|| Path::new("out").join(name));
        let options = RunOptions {
            overwrite: args.overwrite,
            resume: args.resume,
            trace_every: (!args.no_trace).then_some(trace_every),
            ..loaded.options(&out)
        };
        let which = match (args.run_index, args.runs) {
            (Some(index), _) => Which::One(index),
            (None, 1) if args.resume => {
                return Err(Failure::Usage(
                    "--resume goes on with a batch: give its number of runs by --runs".to_owned(),
                ));
            }
            (None, 1) => Which::One(0),
            (None, runs) => Which::Batch(runs),
        };
        Ok(Self { repeat: Repeat::new(args, seed), jobs: jobs_or_cores(args.jobs), loaded, which, options, out })
    }

    /// The model.
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.loaded.model
    }

    /// What is known of its runs.
    pub fn info(&self) -> RunInfo<'_> {
        self.loaded.model.info()
    }

    /// The words of its world.
    pub fn words(&self) -> &'static Words {
        self.loaded.model.words()
    }

    /// How the runs of a batch are made.
    pub fn batch(&self, runs: u64) -> BatchOptions {
        BatchOptions { run_indices: 0..runs, jobs: self.jobs }
    }

    /// Steps that all runs together will make.
    pub fn steps(&self) -> u64 {
        match self.which {
            Which::One(_) => self.info().steps,
            Which::Batch(runs) => self.info().steps.saturating_mul(runs),
        }
    }

    /// Time that `steps` steps simulate, s.
    pub fn simulated_s(&self, steps: u64) -> f64 {
        steps as f64 / f64::from(self.info().step_hz)
    }

    /// What is known about the safety of its runs, where anything is.
    pub fn guarantee(&self) -> Option<&Guarantee> {
        self.loaded.guarantee.as_ref()
    }

    /// What is to be said about tables that no spreadsheet will open.
    pub fn tables_too_long(&self) -> Vec<String> {
        let Some(every) = self.options.trace_every else { return Vec::new() };
        let too_long = too_long_for_a_sheet(&**self.model(), every);
        let said = too_long.into_iter().map(|table| {
            let advice = match table.every_that_fits {
                Some(fits) => format!("--trace-every {fits} fits"),
                None => "no --trace-every fits; --no-trace leaves the tables out".to_owned(),
            };
            let (name, rows) = (table.table, table.rows);
            format!("{name} will have {rows} rows, more than the {SHEET_ROWS} that a spreadsheet holds; {advice}")
        });
        said.collect()
    }
}

/// The flags that stand for a key of the scenario.
#[derive(Clone, Copy, Debug)]
pub struct KeyFlags {
    /// `--steps`.
    pub steps: Option<u64>,
    /// `--duration`.
    pub duration: Option<Duration>,
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--trace-every`.
    pub trace_every: Option<u64>,
}

/// `--set`, then the flags that stand for a key: what has a flag of its own wins.
pub fn overrides(set: &[Override], flags: KeyFlags) -> Vec<Override> {
    let KeyFlags { steps, duration, seed, trace_every } = flags;
    let flags = [
        steps.map(|steps| Override::from_flag("--steps", "steps", steps)),
        duration.map(|Duration(seconds)| Override::from_flag("--duration", "duration_s", seconds)),
        seed.map(|seed| Override::from_flag("--seed", "seed", seed)),
        trace_every.map(|every| Override::from_flag("--trace-every", "trace.every", every)),
    ];
    set.iter().cloned().chain(flags.into_iter().flatten()).collect()
}

/// As many as were asked for, or as there are cores.
pub fn jobs_or_cores(jobs: Option<u32>) -> usize {
    jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |jobs| jobs as usize)
}
