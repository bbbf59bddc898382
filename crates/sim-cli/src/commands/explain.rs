//! `sim-cli explain`.

use crate::args::ExplainArgs;
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use crate::source;

/// Prints the scenario with every default written out.
pub fn explain(args: &ExplainArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let loaded = source::load(&args.scenario, None, &args.set)?;
    reporter.scenario_warnings(&loaded.warnings, &loaded.text);
    reporter.result(&loaded.resolved)?;
    Ok(Outcome::Done)
}
