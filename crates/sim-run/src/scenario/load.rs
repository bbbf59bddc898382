//! From a file to a checked scenario, and back.

use serde_json::{Value as Json, json};
use std::path::Path;

use super::feasibility;
use super::overrides::Override;
use super::schema::schema;
use super::spec::Scenario;
use crate::input::diagnostic::{Diagnostic, Diagnostics, Finding, Locator, Origin, Severity};
use crate::input::text;
use crate::input::tree::{self, Node, Value};
use crate::input::walk::{self, walk};
use crate::input::write::hand_written;

/// The smallest scenario.
const LEAST: &str = r#"{ "name": "my-swarm", "world": "mat" }"#;

/// What it is called.
const NOUN: &str = "a scenario";

/// A scenario that can be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The scenario, defaults filled in.
    pub scenario: Scenario,
    /// What the user should know before running it.
    pub warnings: Vec<Diagnostic>,
    /// The text of the file, which the spans of the warnings count in.
    pub text: String,
}

/// Reads and checks a scenario file; `overrides` are laid over it in their order.
///
/// # Errors
/// If the file cannot be read, or for all that is wrong with it.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    checked(text::read(path, NOUN)?, &path.display().to_string(), overrides)
}

/// Checks the bytes of a scenario file; `origin` is the name that messages give it.
///
/// # Errors
/// For all that is wrong with it.
pub fn parse_bytes(bytes: &[u8], origin: &str, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    checked(text::decode(bytes, origin, NOUN)?, origin, overrides)
}

/// Checks the text of a scenario; `origin` is the name that messages give it.
///
/// # Errors
/// For all that is wrong with it.
pub fn parse(text: &str, origin: &str, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    parse_bytes(text.as_bytes(), origin, overrides)
}

fn checked(text: String, origin: &str, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    let flags: Vec<String> = overrides.iter().map(Override::to_string).collect();
    let (scenario, findings) = match overlaid(&text, overrides) {
        Ok(root) => check(&root, &text),
        Err(findings) => (None, findings),
    };
    match scenario {
        Some(scenario) if findings.iter().all(|finding| finding.severity == Severity::Warning) => {
            let locator = Locator { file: origin, text: &text, flags: &flags };
            Ok(Loaded { scenario, warnings: locator.diagnostics(findings), text })
        }
        _ => Err(text::refused(&text, origin, &flags, findings)),
    }
}

/// The tree of the text with the overrides laid over it.
fn overlaid(text: &str, overrides: &[Override]) -> Result<Node, Vec<Finding>> {
    let mut root = tree::parse(text, LEAST, &Origin::Text).map_err(|finding| vec![*finding])?;
    let applied = overrides.iter().enumerate().filter_map(|(index, item)| item.apply(index, &mut root).err());
    let failed: Vec<Finding> = applied.map(|finding| *finding).collect();
    if failed.is_empty() { Ok(root) } else { Err(failed) }
}

/// All that can be said of a tree. The scenario is None if nothing can be made of it.
fn check(root: &Node, text: &str) -> (Option<Scenario>, Vec<Finding>) {
    let Value::Object(_) = root.value else {
        return (None, walk(root, "the scenario", schema(), text).findings);
    };
    if let Some(finding) = other_world(root, text) {
        return (None, vec![finding]);
    }
    let mut walked = walk(root, "the scenario", schema(), text);
    stand_in(&mut walked.json);
    match serde_path_to_error::deserialize::<_, Scenario>(walked.json) {
        Ok(scenario) => {
            let known_wrong = walk::paths_of(&walked.findings);
            let mut findings = walked.findings;
            findings.extend(feasibility::check(&scenario, root, &known_wrong));
            (Some(scenario), findings)
        }
        Err(error) => {
            let path = error.path().to_string();
            let origin = root.find(&path).0.origin.clone();
            walked.findings.push(Finding::error(Some(origin), &path, error.into_inner().to_string()));
            (None, walked.findings)
        }
    }
}

/// Another world has other keys: nothing else can be said of such a file.
fn other_world(root: &Node, text: &str) -> Option<Finding> {
    let world = root.member("world")?;
    if world.value == Value::Text("mat".to_owned()) {
        return None;
    }
    walk(root, "the scenario", schema(), text).findings.into_iter().find(|finding| finding.path == "world")
}

/// Keys that have no default and were wrong or missing: something harmless, so that the rest can be checked. The findings
/// about them stay.
fn stand_in(json: &mut Json) {
    if let Json::Object(map) = json {
        map.entry("name").or_insert(json!("unnamed"));
        map.entry("world").or_insert(json!("mat"));
    }
}

/// What is wrong with a value for a key, whatever the rest of a scenario says.
pub(crate) fn check_key(path: &str, value: &str) -> Option<Finding> {
    let mut root = Node { value: Value::Object(Vec::new()), origin: Origin::Override(0) };
    if let Err(finding) = Override::new(path, value).apply(0, &mut root) {
        return Some(*finding);
    }
    let findings = walk(&root, "the scenario", schema(), "").findings;
    // Keys that every scenario needs are missing here.
    findings.into_iter().find(|finding| path.starts_with(&finding.path) || finding.path.starts_with(path))
}

/// The scenario with every default written out, in the order of the documentation, ending with a line feed. Reading it
/// gives the same scenario again, bit for bit.
#[must_use]
pub fn resolved_json(scenario: &Scenario) -> String {
    hand_written(scenario)
}
