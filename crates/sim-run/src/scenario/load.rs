//! From a file to a checked scenario, and back.

use serde_json::{Value as Json, json};
use std::path::Path;

use super::schema::schema_of_world;
use super::worlds::{Scenario, World};
use sim_input::diagnostic::{Diagnostic, Diagnostics, Fault, Locator, Origin, Severity};
use sim_input::overrides::Override;
use sim_input::text;
use sim_input::tree::{self, Node, Value};
use sim_input::walk::{self, walk};
use sim_input::write::hand_written;

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

/// Reads and checks a scenario file, and the files that it names, relative to its own folder; `overrides` are laid over it in their order.
///
/// # Errors
/// If the file cannot be read, or for all that is wrong with it.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    let folder = path.parent().unwrap_or(Path::new(""));
    checked(text::read(path, NOUN)?, &path.display().to_string(), folder, overrides)
}

/// Checks the bytes of a scenario file; `origin` is the name that messages give it, and files that it names lie beside that.
///
/// # Errors
/// For all that is wrong with it.
pub fn parse_bytes(bytes: &[u8], origin: &str, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    let folder = Path::new(origin).parent().unwrap_or(Path::new(""));
    checked(text::decode(bytes, origin, NOUN)?, origin, folder, overrides)
}

/// Checks the text of a scenario; `origin` is the name that messages give it, and files that it names lie beside that.
///
/// # Errors
/// For all that is wrong with it.
pub fn parse(text: &str, origin: &str, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    parse_bytes(text.as_bytes(), origin, overrides)
}

fn checked(text: String, origin: &str, folder: &Path, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    let flags: Vec<String> = overrides.iter().map(Override::to_string).collect();
    let (scenario, faults) = match overlaid(&text, overrides) {
        Ok(root) => check(&root, &text, folder),
        Err(faults) => (None, faults),
    };
    match scenario {
        Some(scenario) if faults.iter().all(|fault| fault.severity == Severity::Warning) => {
            let locator = Locator { file: origin, text: &text, flags: &flags };
            Ok(Loaded { scenario, warnings: locator.diagnostics(faults), text })
        }
        _ => Err(text::refused(&text, origin, &flags, faults)),
    }
}

/// The tree of the text with the overrides laid over it.
fn overlaid(text: &str, overrides: &[Override]) -> Result<Node, Vec<Fault>> {
    let mut root = tree::parse(text, LEAST, &Origin::Text).map_err(|fault| vec![*fault])?;
    let applied = overrides.iter().enumerate().filter_map(|(index, item)| item.apply(index, &mut root).err());
    let failed: Vec<Fault> = applied.map(|fault| *fault).collect();
    if failed.is_empty() { Ok(root) } else { Err(failed) }
}

/// All that can be said of a tree. The scenario is None if nothing can be made of it.
fn check(root: &Node, text: &str, folder: &Path) -> (Option<Scenario>, Vec<Fault>) {
    let world = match world_of(root, text) {
        Ok(world) => world,
        // Another world has other keys: nothing else can be said of such a file.
        Err(fault) => return (None, vec![*fault]),
    };
    let mut walked = walk(root, "the scenario", schema_of_world(world), text);
    if !matches!(root.value, Value::Object(_)) {
        return (None, walked.faults);
    }
    stand_in(&mut walked.json, world);
    match Scenario::of_json(world, walked.json) {
        Ok(mut scenario) => {
            let known_wrong = walk::paths_of(&walked.faults);
            let mut faults = walked.faults;
            faults.extend(scenario.complete(root, &known_wrong, folder));
            (Some(scenario), faults)
        }
        Err(error) => {
            let path = error.path().to_string();
            let origin = root.find(&path).0.origin.clone();
            walked.faults.push(Fault::at(origin, path, error.into_inner().to_string()));
            (None, walked.faults)
        }
    }
}

/// The world of a scenario; where none is named, the first one stands in.
fn world_of(root: &Node, text: &str) -> Result<World, Box<Fault>> {
    let named =
        |world: &World| root.member("world").is_none_or(|node| node.value == Value::Text(world.name().to_owned()));
    if let Some(world) = World::ALL.into_iter().find(named) {
        return Ok(world);
    }
    let faults = walk(root, "the scenario", schema_of_world(World::Mat), text).faults;
    faults.into_iter().find(|fault| fault.path == "world").map_or(Ok(World::Mat), |fault| Err(Box::new(fault)))
}

/// Keys that have no default and were wrong or missing: something harmless, so that the rest can be checked. The faults
/// about them stay.
fn stand_in(json: &mut Json, world: World) {
    if let Json::Object(map) = json {
        map.entry("name").or_insert(json!("unnamed"));
        map.entry("world").or_insert(json!(world.name()));
        if world == World::Road {
            map.entry("cars").or_insert(json!([]));
        }
    }
}

/// What is wrong with a value for a key of a scenario, whatever its other keys say.
pub(crate) fn check_key(scenario: &Scenario, path: &str, value: &str) -> Option<Fault> {
    let text = resolved_json(scenario);
    let root = match overlaid(&text, &[Override::new(path, value)]) {
        Ok(root) => root,
        Err(faults) => return faults.into_iter().next(),
    };
    walk(&root, "the scenario", schema_of_world(scenario.world()), &text).faults.into_iter().next()
}

/// The scenario with every default written out, in the order of the documentation, ending with a line feed. Reading it
/// gives the same scenario again, bit for bit.
#[must_use]
pub fn resolved_json(scenario: &Scenario) -> String {
    hand_written(scenario)
}
