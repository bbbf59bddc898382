//! What a sweep would make, without making it.

use crate::cells::Sweep;
use crate::shard::Shard;

/// Cells that are looked at one by one: all of a small sweep, evenly chosen ones of a large sweep.
const LOOKED_AT: u64 = 1_000;

/// Bytes that a row takes, on average, for each run and for each number in it.
const ROW_BYTES: u64 = 40;
const NUMBER_BYTES: u64 = 16;

/// What a sweep would make.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    /// Cells of the design.
    pub cells: u64,
    /// Cells that were looked at.
    pub looked_at: u64,
    /// Those of them that cannot be run.
    pub infeasible: u64,
    /// The first of these, and why.
    pub first_infeasible: Option<(u64, String)>,
    /// Runs if no cell ends early; cells that cannot be run are left out, as far as they are known.
    pub runs_at_most: u64,
    /// Shards beyond this number would have nothing to do.
    pub shards_at_most: u64,
    /// Processor time of these runs, s. Rough.
    pub cpu_seconds: f64,
    /// Room of the tables on disk, bytes. Rough.
    pub disk_bytes: u64,
}

/// Looks at the cells of a sweep.
#[must_use]
pub fn plan(sweep: &Sweep) -> SweepPlan {
    let looked_at = sweep.cells().min(LOOKED_AT);
    let mut cpu_seconds = 0.0;
    let mut infeasible = 0;
    let mut first_infeasible = None;
    for n in 0..looked_at {
        let cell = (u128::from(n) * u128::from(sweep.cells()) / u128::from(looked_at)) as u64;
        match sweep.model(cell) {
            Ok(model) => cpu_seconds += model.cpu_estimate_s() * sweep.repeats() as f64,
            Err(cause) => {
                infeasible += 1;
                first_infeasible.get_or_insert((cell, cause));
            }
        }
    }
    let scale = sweep.cells() as f64 / looked_at.max(1) as f64;
    let runs_at_most = ((looked_at - infeasible) as f64 * scale).round() as u64 * sweep.repeats();
    let numbers = (sweep.measures().count() + sweep.axis_paths().count()) as u64;
    let run_bytes = ROW_BYTES + NUMBER_BYTES * numbers;
    // A row of the summary has about as many numbers as there are statistics, and there is one for each measure.
    let cell_bytes = sweep.measures().count() as u64 * 15 * NUMBER_BYTES;
    let disk_bytes = runs_at_most.saturating_mul(run_bytes) + sweep.cells().saturating_mul(cell_bytes);
    SweepPlan {
        cells: sweep.cells(),
        looked_at,
        infeasible,
        first_infeasible,
        runs_at_most,
        shards_at_most: Shard::units(sweep),
        cpu_seconds: cpu_seconds * scale,
        disk_bytes,
    }
}
