//! `sim-cli check`.

use crate::args::{CheckArgs, Format};
use crate::outcome::{Failure, Outcome};
use crate::say::Voice;
use serde_json::json;
use sim_run::scenario::{self, Diagnostics, Loaded};
use sim_worlds::WORLDS;
use std::path::Path;

/// Says of each file whether it would run, and what is promised for it.
pub fn check(args: &CheckArgs, voice: &Voice) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Done;
    for path in &args.scenarios {
        match scenario::load(WORLDS, path, &args.set) {
            Ok(loaded) => say_ok(path, &loaded, voice)?,
            Err(refused) => {
                say_wrong(path, &refused, voice)?;
                outcome = Outcome::WrongInput;
            }
        }
    }
    Ok(outcome)
}

fn say_ok(path: &Path, loaded: &Loaded, voice: &Voice) -> Result<(), Failure> {
    voice.scenario_warnings(&loaded.warnings, &loaded.text);
    let words = loaded.guarantee.map_or_else(String::new, |guarantee| format!(": {}", guarantee.text));
    match voice.format {
        Format::Text => voice.result(&format!("ok     {}{words}\n", path.display())),
        Format::Json => voice.json_result(&json!({
            "kind": "check",
            "file": path.display().to_string(),
            "ok": true,
            "name": loaded.model.info().name,
            "promise": loaded.guarantee.map(|guarantee| guarantee.level),
            "warnings": loaded.warnings.len(),
            "errors": 0,
        })),
    }
}

fn say_wrong(path: &Path, refused: &Diagnostics, voice: &Voice) -> Result<(), Failure> {
    voice.scenario_errors(refused);
    let errors = refused.items.iter().filter(|item| item.severity == scenario::Severity::Error).count();
    match voice.format {
        Format::Text => {
            let plural = if errors == 1 { "" } else { "s" };
            voice.result(&format!("wrong  {}: {errors} error{plural}\n", path.display()))
        }
        Format::Json => voice.json_result(&json!({
            "kind": "check",
            "file": path.display().to_string(),
            "ok": false,
            "warnings": refused.items.len() - errors,
            "errors": errors,
        })),
    }
}
