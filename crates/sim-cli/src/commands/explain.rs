//! `sim-cli explain`.

use crate::args::ExplainArgs;
use crate::outcome::{Failure, Outcome};
use crate::say::Voice;
use sim_run::scenario;
use sim_worlds::WORLDS;

/// Prints the scenario with every default written out.
pub fn explain(args: &ExplainArgs, voice: &Voice) -> Result<Outcome, Failure> {
    let loaded = scenario::load(WORLDS, &args.scenario, &args.set)?;
    voice.scenario_warnings(&loaded.warnings, &loaded.text);
    voice.result(&loaded.resolved)?;
    Ok(Outcome::Done)
}
