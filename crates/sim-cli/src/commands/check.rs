//! `sim-cli check`.

use crate::args::{CheckArgs, Format};
use crate::outcome::{Failure, Outcome};
use crate::say::Voice;
use serde_json::json;
use sim_run::scenario::{self, Diagnostics, Loaded};
use sim_run::verify::{Verified, verify_folder};
use sim_worlds::WORLDS;
use std::path::Path;

/// Says of each scenario whether it would run, and what is promised for it; of each folder whether it is whole and as it was written.
pub fn check(args: &CheckArgs, voice: &Voice) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Done;
    for path in &args.paths {
        if path.is_dir() {
            let verified = verify_folder(path);
            say_folder(path, &verified, voice)?;
            if !verified.faults.is_empty() {
                outcome = Outcome::WrongInput;
            }
            continue;
        }
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

fn say_folder(path: &Path, verified: &Verified, voice: &Voice) -> Result<(), Failure> {
    let Verified { files, faults } = verified;
    faults.iter().for_each(|fault| voice.folder_fault(&fault.to_string()));
    let is_true = faults.is_empty();
    match voice.format {
        Format::Text if is_true => {
            voice.result(&format!("ok     {}: {files} files match their checksums\n", path.display()))
        }
        Format::Text => {
            let plural = if faults.len() == 1 { "" } else { "s" };
            voice.result(&format!("wrong  {}: {} fault{plural}\n", path.display(), faults.len()))
        }
        Format::Json => voice.json_result(&json!({
            "kind": "check_folder",
            "folder": path.display().to_string(),
            "ok": is_true,
            "files": files,
            "errors": faults.len(),
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
