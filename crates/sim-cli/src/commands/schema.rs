//! `sim-cli schema`.

use crate::args::SchemaArgs;
use crate::outcome::{Failure, Outcome};
use crate::say::Voice;
use anyhow::Context;
use sim_run::scenario::schema_json;

/// Prints the JSON Schema of scenario files, or writes it to a file.
pub fn schema(args: &SchemaArgs, voice: &Voice) -> Result<Outcome, Failure> {
    match &args.write {
        None => voice.result(&schema_json())?,
        Some(path) => std::fs::write(path, schema_json())
            .with_context(|| format!("could not write the schema to {}", path.display()))?,
    }
    Ok(Outcome::Done)
}
