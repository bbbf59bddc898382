//! `sim-cli schema`.

use crate::args::SchemaArgs;
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use anyhow::Context;
use sim_run::scenario;
use sim_worlds::WORLDS;

/// Prints the JSON Schema of scenario or sweep files, or writes it to a file.
pub fn schema(args: &SchemaArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let schema = if args.sweep { sim_sweep::schema_json() } else { scenario::schema_json(WORLDS) };
    match &args.write {
        None => reporter.result(&schema)?,
        Some(path) => {
            std::fs::write(path, schema).with_context(|| format!("could not write the schema to {}", path.display()))?
        }
    }
    Ok(Outcome::Done)
}
