//! `sim-cli scenarios`.

use crate::args::{Format, ScenariosArgs};
use crate::library::SCENARIOS;
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use serde_json::{Value, json};

/// Lists the scenarios that came along.
pub fn scenarios(args: &ScenariosArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    match args.format {
        Format::Text => {
            let width = SCENARIOS.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
            let lines = SCENARIOS.iter().map(|entry| format!("@{:<width$}  {}\n", entry.name, entry.about));
            let next = "\n`sim-cli run @swarm-30` runs the first; `check`, `explain`, `streams` and sweeps read such names too.\n";
            reporter.result(&(lines.collect::<String>() + next))?;
        }
        Format::Json => {
            let list = SCENARIOS.iter().map(|entry| json!({ "name": entry.name, "about": entry.about }));
            reporter.json_result(&json!({ "kind": "scenarios", "scenarios": list.collect::<Vec<Value>>() }))?;
        }
    }
    Ok(Outcome::Done)
}
