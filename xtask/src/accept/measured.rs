//! The measured rates that `sim-cli check` states, taken from `docs/results.md`: the program and the page say the same.

use super::claims::{CLAIMS, Claim};
use super::expect::Expect;
use super::report::setting;
use crate::{markdown, shell};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

/// The file that the mat reads.
const FILE: &str = "crates/world-mat/src/scenario/measured.json";

/// Writes the file from the page.
pub fn write() -> Result<()> {
    shell::write_if_changed(FILE, &from_page(&shell::read(markdown::RESULTS)?)?)
}

/// The rows of feet that never wait, as JSON.
fn from_page(page: &str) -> Result<String> {
    let mut rows = Vec::new();
    for name in ["accept", "accept-cubes"] {
        for cells in markdown::table_rows(markdown::between(page, name)?) {
            let claim = CLAIMS.iter().find(|claim| setting(claim) == cells[1]);
            let claim = claim.with_context(|| format!("docs/results.md: no claim has the setting {}", cells[1]))?;
            let scenario = changed_scenario(claim)?;
            if scenario["feet"]["manner"] != "considerate" {
                rows.push(row(claim, scenario, (&cells[2], &cells[3]))?);
            }
        }
    }
    Ok(format!("{}\n", serde_json::to_string_pretty(&rows)?))
}

fn row(claim: &Claim, scenario: Value, (runs, clean): (&str, &str)) -> Result<Value> {
    let number = |cell: &str| -> Result<u64> {
        let digits = cell.split(' ').next().unwrap_or_default();
        digits.parse().with_context(|| format!("docs/results.md: {cell} is no number of runs"))
    };
    let run_as: String = std::iter::once(claim.scenario.to_owned())
        .chain(claim.changes.iter().map(|change| format!(" --set {change}")))
        .collect();
    Ok(json!({
        "run_as": run_as,
        "runs": number(runs)?,
        "clean": number(clean)?,
        "is_promised": claim.expect.contains(&Expect::Clean),
        "scenario": scenario,
    }))
}

/// The scenario's file with the changes laid over it.
fn changed_scenario(claim: &Claim) -> Result<Value> {
    let mut scenario: Value = serde_json::from_str(&shell::read(format!("scenarios/{}.json", claim.scenario))?)?;
    for change in claim.changes {
        let (path, text) = change.split_once('=').with_context(|| format!("{change} has no ="))?;
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        let key = path.split('.').try_fold(&mut scenario, |at, key| {
            let members = at.as_object_mut()?;
            Some(members.entry(key).or_insert_with(|| Value::Object(Map::new())))
        });
        *key.with_context(|| format!("{path} is no path of keys"))? = value;
    }
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_what_the_page_says() {
        let page = shell::read(markdown::RESULTS).unwrap();
        assert_eq!(shell::read(FILE).unwrap(), from_page(&page).unwrap(), "cargo xtask accept --write makes it");
    }

    #[test]
    fn changes_are_laid_over_a_scenario() {
        let claim = CLAIMS.iter().find(|claim| claim.changes == ["agents.count=20"]).unwrap();
        assert_eq!(changed_scenario(claim).unwrap()["agents"]["count"], 20);
    }
}
