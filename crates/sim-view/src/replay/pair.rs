//! The page of two runs side by side.

use super::block::{Columns, pack};
use super::differences::{StreamDifference, differences};
use super::head::{Common, Fact, RunHead};
use super::{Page, html, run};
use crate::error::ViewError;
use crate::folder::RunFolder;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The head of a page of two runs.
#[derive(Clone, Debug, Serialize)]
struct PairHead {
    kind: &'static str,
    #[serde(flatten)]
    common: Common,
    /// Their folders as they were named.
    names: [String; 2],
    runs: [RunHead; 2],
    differences: Vec<StreamDifference>,
    settings: Vec<Setting>,
}

/// A key of the scenarios that is not the same in both, by its path, with the values.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Setting {
    key: String,
    values: [String; 2],
}

/// Makes the page.
pub fn page(folders: [&RunFolder; 2]) -> Result<Page, ViewError> {
    let worlds = folders.map(|folder| folder.record().world.as_str());
    let names = folders.map(|folder| folder.path().display().to_string());
    if worlds[0] != worlds[1] {
        let [one, other] = &names;
        return Err(ViewError::Wrong(format!(
            "{one} is a run of the world {}, {other} of the world {}: two runs side by side are of one world",
            worlds[0], worlds[1]
        )));
    }
    let mut columns = Columns::default();
    let runs = [run::head(folders[0], &mut columns)?, run::head(folders[1], &mut columns)?];
    let settings = settings([&runs[0].common.scenario, &runs[1].common.scenario]);
    let head = PairHead {
        kind: "pair",
        common: common(&names, &runs),
        differences: differences(folders)?,
        names,
        runs,
        settings,
    };
    let html = html::page(html::Kind::Replay, &head.common.title, &pack(&head, &columns)?);
    Ok(Page { html, notes: head.common.notes })
}

fn common(names: &[String; 2], runs: &[RunHead; 2]) -> Common {
    let notes = names
        .iter()
        .zip(runs)
        .flat_map(|(name, run)| run.common.notes.iter().map(move |note| format!("{name}: {note}")));
    let of = |run: &RunHead| {
        run.common.facts.iter().map(|Fact { label, value }| format!("{label} {value}")).collect::<Vec<_>>()
    };
    let facts = ["A", "B"].into_iter().zip(runs);
    Common {
        title: format!("{} and {}", names[0], names[1]),
        complete: runs.iter().all(|run| run.common.complete),
        facts: facts.map(|(label, run)| Fact { label, value: of(run)[..2].join(", ") }).collect(),
        notes: notes.collect(),
        summary: Vec::new(),
        scenario: Value::Null,
    }
}

/// The values of both scenarios that are not the same.
fn settings(scenarios: [&Value; 2]) -> Vec<Setting> {
    let leaves = scenarios.map(|scenario| {
        let mut leaves = BTreeMap::new();
        flatten(scenario, String::new(), &mut leaves);
        leaves
    });
    let keys: std::collections::BTreeSet<&String> = leaves.iter().flat_map(BTreeMap::keys).collect();
    let value = |n: usize, key: &String| leaves[n].get(key).cloned().unwrap_or_default();
    let settings = keys.into_iter().map(|key| Setting { key: key.clone(), values: [value(0, key), value(1, key)] });
    settings.filter(|setting| setting.values[0] != setting.values[1]).collect()
}

fn flatten(value: &Value, path: String, leaves: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) => {
            for (key, part) in map {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(part, format!("{path}{dot}{key}"), leaves);
            }
        }
        Value::Array(parts) => {
            for (n, part) in parts.iter().enumerate() {
                flatten(part, format!("{path}[{n}]"), leaves);
            }
        }
        Value::String(text) => drop(leaves.insert(path, text.clone())),
        plain => drop(leaves.insert(path, plain.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_those_that_differ_by_their_paths() {
        let one = json!({"name": "a", "agents": {"count": 3, "at": [1, 2]}, "same": true});
        let other = json!({"name": "b", "agents": {"count": 3, "at": [1]}, "same": true, "new": null});
        let found = settings([&one, &other]);
        let keys: Vec<(&str, [&str; 2])> =
            found.iter().map(|one| (one.key.as_str(), [one.values[0].as_str(), one.values[1].as_str()])).collect();
        assert_eq!(keys, [("agents.at[1]", ["2", ""]), ("name", ["a", "b"]), ("new", ["", "null"])]);
        assert!(settings([&one, &one]).is_empty());
    }
}
