//! `sim-cli check`.

use crate::args::{CheckArgs, Format};
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use crate::source;
use serde_json::json;
use sim_run::scenario::{self, Diagnostics, Loaded};
use sim_run::verify::{Verified, verify_folder};
use std::path::Path;

/// Reports of each scenario whether it would run, and what is promised for it; of each folder whether it is whole and as it was written.
pub fn check(args: &CheckArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Done;
    for path in &args.paths {
        if path.is_dir() {
            let verified = verify_folder(path);
            tracing::debug!(folder = %path.display(), files = verified.files, "folder checked");
            report_folder(path, &verified, reporter)?;
            if !verified.faults.is_empty() {
                outcome = Outcome::WrongInput;
            }
            continue;
        }
        if source::is_schema(path) {
            report_skipped(path, reporter)?;
            continue;
        }
        match source::load(path, None, &args.set) {
            Ok(loaded) => report_ok(path, &loaded, reporter)?,
            Err(refused) => {
                report_wrong(path, &refused, reporter)?;
                outcome = Outcome::WrongInput;
            }
        }
    }
    Ok(outcome)
}

fn report_ok(path: &Path, loaded: &Loaded, reporter: &Reporter) -> Result<(), Failure> {
    reporter.scenario_warnings(&loaded.warnings, &loaded.text);
    let words = loaded.guarantee.as_ref().map_or_else(String::new, |guarantee| format!(": {}", guarantee.text));
    match reporter.format {
        Format::Text => reporter.result(&format!("ok     {}{words}\n", path.display())),
        Format::Json => reporter.json_result(&json!({
            "kind": "check",
            "file": path.display().to_string(),
            "ok": true,
            "name": loaded.model.info().name,
            "promise": loaded.guarantee.as_ref().map(|guarantee| guarantee.level),
            "warnings": loaded.warnings.len(),
            "errors": 0,
        })),
    }
}

/// A JSON Schema lies beside scenarios for editors, and a pattern of names finds it too.
fn report_skipped(path: &Path, reporter: &Reporter) -> Result<(), Failure> {
    match reporter.format {
        Format::Text => reporter.result(&format!("skip   {}: a JSON Schema for editors\n", path.display())),
        Format::Json => reporter.json_result(&json!({
            "kind": "check",
            "file": path.display().to_string(),
            "skipped": "a JSON Schema for editors",
        })),
    }
}

fn report_folder(path: &Path, verified: &Verified, reporter: &Reporter) -> Result<(), Failure> {
    let Verified { files, faults } = verified;
    faults.iter().for_each(|fault| reporter.folder_fault(&fault.to_string()));
    let is_true = faults.is_empty();
    match reporter.format {
        Format::Text if is_true => {
            reporter.result(&format!("ok     {}: {files} files match their checksums\n", path.display()))
        }
        Format::Text => {
            let plural = if faults.len() == 1 { "" } else { "s" };
            reporter.result(&format!("wrong  {}: {} fault{plural}\n", path.display(), faults.len()))
        }
        Format::Json => reporter.json_result(&json!({
            "kind": "check_folder",
            "folder": path.display().to_string(),
            "ok": is_true,
            "files": files,
            "errors": faults.len(),
        })),
    }
}

fn report_wrong(path: &Path, refused: &Diagnostics, reporter: &Reporter) -> Result<(), Failure> {
    reporter.scenario_errors(refused);
    let errors = refused.items.iter().filter(|item| item.severity == scenario::Severity::Error).count();
    match reporter.format {
        Format::Text => {
            let plural = if errors == 1 { "" } else { "s" };
            reporter.result(&format!("wrong  {}: {errors} error{plural}\n", path.display()))
        }
        Format::Json => reporter.json_result(&json!({
            "kind": "check",
            "file": path.display().to_string(),
            "ok": false,
            "warnings": refused.items.len() - errors,
            "errors": errors,
        })),
    }
}
