//! Scenario files of any world: reading, checking, explaining.
//!
//! A file is JSON to the letter (no comments, no trailing commas), and all that can be known to be wrong is reported at once, with its
//! place in the text:
//!
//! 1. `sim_input::tree`: text to a tree that remembers where everything stands; `--set` overrides are laid over it.
//! 2. `sim_input::walk`: the tree against the JSON Schema of its kind of world. The schema that editors use and the checks made here are
//!    therefore the same thing.
//! 3. The [`WorldKind`] makes the resolved scenario and the model of what passed, and says what only several keys together can say. A
//!    scenario is loaded once.
//!
//! ```
//! use sim_run::scenario;
//! use sim_worlds::WORLDS;
//!
//! let text = r#"{ "name": "mine", "world": "mat", "agents": { "cuont": 20 } }"#;
//! let error = scenario::parse(WORLDS, text, "mine.json", &[]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     r#"mine.json:1:47: agents.cuont: unknown key; did you mean "count"?"#
//! );
//! ```

use crate::inputs::{INPUTS_KEY, InputFiles, Recording};
use crate::inputs::{edited, has_errors, hint, name_inputs, read_folder, with_inputs};
use crate::run::RunOptions;
use crate::source::{FilesBeside, InputSource};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use sim_input::checks::Checks;
use sim_input::diagnostic::{Fault, Locator, Origin};
use sim_input::schema::{properties, schema_text};
use sim_input::text;
use sim_input::tree::{self, Node, Value};
use sim_input::walk::{self, walk};
use sim_input::words::allowed;
use sim_world::{Guarantee, LoadedWorld, Model, WorldKind, Worlds, run_length};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::source::{NamedFiles, Source};
pub use sim_input::diagnostic::{Diagnostic, Diagnostics, Severity};
pub use sim_input::nearest::{did_you_mean, nearest};
pub use sim_input::overrides::{Override, OverrideError};
pub use sim_input::text::SIZE_MAX;

/// The smallest scenario.
const SMALLEST: &str = r#"{ "name": "my-swarm", "world": "mat" }"#;

/// What it is called.
pub(crate) const NOUN: &str = "a scenario";
const THE_NOUN: &str = "the scenario";

/// The key of the address of the schema.
const SCHEMA_KEY: &str = "$schema";

/// A scenario that can be run.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its model.
    pub model: Arc<dyn Model>,
    /// The scenario with every default written out, in the order of the documentation, ending with a line feed. Reading it gives the
    /// same model again, bit for bit.
    pub resolved: String,
    /// What is known about the safety of its runs with these inputs, where anything is.
    pub guarantee: Option<Guarantee>,
    /// What comes in, out of the files that the scenario names for it or those of a folder in their place.
    pub inputs: Arc<Recording>,
    /// What the user should know before running it.
    pub warnings: Vec<Diagnostic>,
    /// The text of the file, which the spans of the warnings count in.
    pub text: String,
}

impl Loaded {
    /// How a run is written into a folder: tables as the scenario asks for them, and what comes in from the files that it names.
    #[must_use]
    pub fn options(&self, folder: impl Into<PathBuf>) -> RunOptions {
        RunOptions {
            out: Some(folder.into()),
            trace_every: Some(self.model.info().trace_every),
            scenario_json: with_inputs(&self.resolved, &[]),
            inputs: Arc::clone(&self.inputs),
            ..RunOptions::default()
        }
    }

    /// The resolved scenario without the address of its schema, for other scenarios that are made of it. It names the files of
    /// [`Recording::files`].
    #[must_use]
    pub fn resolved_without_schema(&self) -> String {
        edited(&self.resolved, |root| {
            name_inputs(root, &self.inputs.streams(&*self.model, u64::MAX));
            root.remove(SCHEMA_KEY);
        })
    }
}

/// Reads and checks a scenario file, and the files that it names, relative to its own folder; `overrides` are laid over it in their order.
///
/// # Errors
/// If the file cannot be read, or for all that is wrong with it.
pub fn load(worlds: Worlds, path: &Path, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    Source::read(path)?.load(worlds, None, overrides)
}

/// As [`load`], with the files of inputs in a folder, such as that of a run, in place of all files that the scenario names for them.
///
/// # Errors
/// If a file cannot be read, or for all that is wrong with the scenario or with what the folder holds.
pub fn load_with_inputs(
    worlds: Worlds,
    path: &Path,
    inputs: &Path,
    overrides: &[Override],
) -> Result<Loaded, Diagnostics> {
    Source::read(path)?.load(worlds, Some(inputs), overrides)
}

/// Checks the bytes of a scenario file; `origin` is the name that messages give it, and files that it names lie beside that.
///
/// # Errors
/// For all that is wrong with it.
pub fn parse_bytes(worlds: Worlds, bytes: &[u8], origin: &str, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    Source::from_bytes(bytes, origin)?.load(worlds, None, overrides)
}

/// Checks the text of a scenario; `origin` is the name that messages give it, and files that it names lie beside that.
///
/// # Errors
/// For all that is wrong with it.
pub fn parse(worlds: Worlds, text: &str, origin: &str, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    parse_bytes(worlds, text.as_bytes(), origin, overrides)
}

/// As [`parse`], with the files of inputs that the scenario names by their names: none of them is read from a disk.
///
/// # Errors
/// For all that is wrong with the scenario or with those files.
pub fn parse_with_inputs(
    worlds: Worlds,
    text: &str,
    origin: &str,
    inputs: &InputFiles,
    overrides: &[Override],
) -> Result<Loaded, Diagnostics> {
    checked(worlds, &Source::from_bytes(text.as_bytes(), origin)?, InputSource::Given(inputs), overrides)
}

pub(crate) fn checked(
    worlds: Worlds,
    source: &Source,
    inputs: InputSource<'_>,
    overrides: &[Override],
) -> Result<Loaded, Diagnostics> {
    let Source { origin, text, named } = source;
    let flags: Vec<String> = overrides.iter().map(Override::to_string).collect();
    let Checked { world, inputs, faults, of_inputs } = match overlaid(text, overrides) {
        Ok(root) => check(worlds, &root, text, &FilesBeside { named, inputs }),
        Err(faults) => Checked { faults, ..Checked::default() },
    };
    match world {
        Some(LoadedWorld { resolved, model }) if !has_fault(&faults) && !has_errors(&of_inputs) => {
            let locator = Locator { file: origin, text, flags: &flags };
            let warnings = locator.diagnostics(faults).into_iter().chain(of_inputs).collect();
            let guarantee = model.guarantee(&inputs.taken(&*model));
            Ok(Loaded { model, resolved, guarantee, inputs: Arc::new(inputs), warnings, text: text.clone() })
        }
        _ => {
            let mut refused = text::refused(text, origin, &flags, faults);
            refused.items.extend(of_inputs);
            Err(refused)
        }
    }
}

/// All that can be said of a scenario, and what was made of it.
#[derive(Default)]
struct Checked {
    world: Option<LoadedWorld>,
    inputs: Recording,
    faults: Vec<Fault>,
    /// What is to be said about files of inputs.
    of_inputs: Vec<Diagnostic>,
}

fn has_fault(faults: &[Fault]) -> bool {
    faults.iter().any(|fault| fault.severity == Severity::Error)
}

/// The tree of the text with the overrides laid over it.
fn overlaid(text: &str, overrides: &[Override]) -> Result<Node, Vec<Fault>> {
    let mut root = tree::parse(text, SMALLEST, &Origin::Text).map_err(|fault| vec![*fault])?;
    let mut failed: Vec<Fault> = Vec::new();
    for (index, item) in overrides.iter().enumerate() {
        match item.apply(index, &mut root) {
            Ok(()) => run_length::replace_other(&mut root, item.path()),
            Err(fault) => failed.push(*fault),
        }
    }
    if failed.is_empty() { Ok(root) } else { Err(failed) }
}

/// All that can be said of a tree, and what its kind of world made of it.
fn check(worlds: Worlds, root: &Node, text: &str, files: &FilesBeside<'_>) -> Checked {
    let kind = match kind_of(worlds, root, text) {
        Ok(kind) => kind,
        // Another world has other keys: nothing else can be said of such a file.
        Err(fault) => return Checked { faults: vec![*fault], ..Checked::default() },
    };
    let mut walked = walk(root, THE_NOUN, kind.schema(), text);
    if !matches!(root.value, Value::Object(_)) {
        return Checked { faults: walked.faults, ..Checked::default() };
    }
    if root.member("world").is_none() {
        name_all_worlds(&mut walked.faults, world_fault(worlds, root, text));
    }
    stand_in(&mut walked.json, kind);
    let duration_s = run_length::settle(root, text, kind.schema(), &mut walked);
    let known_wrong = walk::paths_of(&walked.faults);
    let mut checks = Checks::new(root, &known_wrong);
    let world = kind.load(walked.json, files, &mut checks).map(|world| match &duration_s {
        Some(duration_s) => named_by_duration(world, duration_s),
        None => world,
    });
    let (inputs, of_inputs) = match &world {
        Some(world) if names_known_inputs(world, &mut checks) && !has_fault(&walked.faults) => {
            read_inputs(world, files, &mut checks)
        }
        _ => Default::default(),
    };
    let mut faults = walked.faults;
    faults.extend(checks.faults);
    Checked { world, inputs, faults, of_inputs }
}

/// The same with its length in the resolved scenario as it was given.
fn named_by_duration(world: LoadedWorld, duration_s: &Json) -> LoadedWorld {
    LoadedWorld { resolved: edited(&world.resolved, |root| run_length::name_duration(root, duration_s)), ..world }
}

/// The files of what comes in, by stream, of a resolved scenario.
fn named_inputs(resolved: &str) -> BTreeMap<String, String> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        inputs: BTreeMap<String, String>,
    }
    serde_json::from_str(resolved).map(|Named { inputs }| inputs).unwrap_or_default()
}

/// True if the scenario is right so far, and every stream whose file it names is one of its input streams.
fn names_known_inputs(world: &LoadedWorld, checks: &mut Checks<'_>) -> bool {
    for name in named_inputs(&world.resolved).keys() {
        if !world.model.inputs().iter().any(|stream| stream.name == *name) {
            let message = format!("is no input stream of this scenario{}", hint(&*world.model, name));
            checks.fault(Fault::new(format!("{INPUTS_KEY}.{name}"), message));
        }
    }
    !checks.has_errors()
}

/// What comes in, and what is to be said about its files. One that cannot be read is a fault of the key that names it.
fn read_inputs(world: &LoadedWorld, files: &FilesBeside<'_>, checks: &mut Checks<'_>) -> (Recording, Vec<Diagnostic>) {
    let model = &*world.model;
    if let InputSource::Folder(folder) = files.inputs {
        return read_folder(folder, model);
    }
    let mut found = Vec::new();
    for (name, file) in named_inputs(&world.resolved) {
        let Some(place) = model.inputs().iter().position(|stream| stream.name == name) else { continue };
        match files.input(&file) {
            Ok(file) => found.push((place, file)),
            Err(message) => checks.fault(Fault::new(format!("{INPUTS_KEY}.{name}"), format!("{file:?} {message}"))),
        }
    }
    Recording::read_from(&found, model)
}

/// The kind of world of a scenario; where none is named, the first one stands in.
fn kind_of(worlds: Worlds, root: &Node, text: &str) -> Result<&'static dyn WorldKind, Box<Fault>> {
    let Some(first) = worlds.0.first().copied() else {
        return Err(Box::new(Fault::new("world", "names a world, but this program was built without any")));
    };
    let Some(named) = root.member("world") else { return Ok(first) };
    if let Value::Text(name) = &named.value
        && let Some(kind) = worlds.find(name)
    {
        return Ok(kind);
    }
    world_fault(worlds, root, text).map_or(Ok(first), |fault| Err(Box::new(fault)))
}

/// What is wrong with the key `world`.
fn world_fault(worlds: Worlds, root: &Node, text: &str) -> Option<Fault> {
    let names: Vec<&str> = worlds.names().collect();
    let world = json!({ "type": "string", "enum": names });
    let schema = json!({ "type": "object", "properties": { "world": world }, "required": ["world"] });
    walk(root, THE_NOUN, &schema, text).faults.into_iter().find(|fault| fault.path == "world")
}

/// The schema of a kind knows only its own word for the key `world`: the fault that knows all of them takes the place of its fault.
fn name_all_worlds(faults: &mut [Fault], of_all: Option<Fault>) {
    let own = faults.iter_mut().find(|fault| fault.path == "world");
    if let (Some(own), Some(of_all)) = (own, of_all) {
        *own = of_all;
    }
}

/// Keys that have no default and were wrong or missing: something harmless, so that the rest can be checked. The faults
/// about them stay.
fn stand_in(json: &mut Json, kind: &dyn WorldKind) {
    let Json::Object(map) = json else { return };
    let schema = kind.schema();
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        let harmless = match (key, schema["properties"][key]["type"].as_str()) {
            ("world", _) => json!(kind.name()),
            (_, Some("array")) => json!([]),
            (_, Some("string")) => json!("unnamed"),
            (_, Some("number" | "integer")) => schema["properties"][key].get("minimum").cloned().unwrap_or(json!(0)),
            _ => continue,
        };
        map.entry(key).or_insert(harmless);
    }
}

/// What is wrong with a value for a key of a resolved scenario, whatever its other keys say.
#[must_use]
pub fn check_key(kind: &dyn WorldKind, resolved: &str, path: &str, value: &str) -> Option<Fault> {
    let root = match overlaid(resolved, &[Override::new(path, value)]) {
        Ok(root) => root,
        Err(faults) => return faults.into_iter().next(),
    };
    walk(&root, THE_NOUN, kind.schema(), resolved).faults.into_iter().next()
}

/// All that is wrong with a file as a whole.
#[must_use]
pub fn refused_file(origin: &str, message: &str) -> Diagnostics {
    text::refused("", origin, &[], vec![Fault::new("", message)])
}

/// The schema of the scenarios of all worlds as text, as it is committed in `scenarios/scenario.schema.json`: one part a world, of which
/// `world` chooses. Ends with a line feed.
#[must_use]
pub fn schema_json(worlds: Worlds) -> String {
    let parts: Vec<Json> = worlds.0.iter().map(|kind| schema_part(*kind)).collect();
    let dialect = worlds.0.first().map_or(&Json::Null, |kind| &kind.schema()["$schema"]);
    schema_text(&json!({
        "$schema": dialect,
        "title": "Scenario",
        "description": "A scenario of the simulator. Which keys there are depends on its world.",
        "type": "object",
        "oneOf": parts,
    }))
}

/// A world's schema as a part of the whole: its key `world` is that word, by which editors choose.
fn schema_part(kind: &dyn WorldKind) -> Json {
    let mut schema = kind.schema().clone();
    if let Some(part) = schema.as_object_mut() {
        part.remove("$schema");
    }
    let key = &mut schema["properties"]["world"];
    let choices = key["oneOf"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let own = choices.into_iter().find(|choice| choice["const"] == kind.name());
    if let (Some(Json::Object(own)), Some(key)) = (own, key.as_object_mut()) {
        key.remove("oneOf");
        key.extend(own);
    }
    schema
}

/// A key that scenarios of a world may have.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its path, `agents.count`; `cars[].start` in each item of a list.
    pub path: String,
    /// What it may be, in words.
    pub allowed: String,
    /// What it is if it is left out; none where that depends on other keys, or where it must be given.
    pub default: Option<Json>,
    /// Its meaning.
    pub about: String,
}

/// The keys of a world's scenarios, in the order of their paths: those of the schema, but for what stands inside one of several kinds.
#[must_use]
pub fn keys(kind: &dyn WorldKind) -> Vec<Key> {
    let mut found = Vec::new();
    collect_keys(kind.schema(), "", &mut found);
    found
}

fn collect_keys(schema: &Json, prefix: &str, found: &mut Vec<Key>) {
    for (name, property) in properties(schema).into_iter().flatten() {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        let about = property["description"].as_str().unwrap_or_default().to_owned();
        let (allowed, default) = (allowed(property, name), property.get("default").cloned());
        found.push(Key { path: path.clone(), allowed, default, about });
        collect_keys(property, &path, found);
        collect_keys(&property["items"], &format!("{path}[]"), found);
    }
}
