//! Where a scenario comes from: a file, `-` for standard input, `@NAME` for one that came along.

use crate::library;
use serde_json::Value;
use sim_run::scenario::{Diagnostics, Loaded, Override, SIZE_MAX, Source, did_you_mean, nearest, refused_file};
use sim_run::shell::quoted;
use sim_sweep::Sweep;
use sim_worlds::WORLDS;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name of standard input in messages.
const STDIN: &str = "standard input";

/// How the files of JSON Schemas end that lie beside scenarios and sweeps.
const SCHEMA_END: &str = ".schema.json";

/// Reads and checks a scenario. All files of inputs in the folder `inputs` take the place of those that it names.
pub fn load(path: &Path, inputs: Option<&Path>, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
    let source = read(path)?;
    tracing::debug!(file = source.origin, bytes = source.text.len(), "scenario read");
    source.load(WORLDS, inputs, overrides).map_err(|refused| match no_scenario(&source) {
        Some(words) => refused_file(&source.origin, &words),
        None => refused,
    })
}

/// Reads and checks a sweep and the scenario that it names.
pub fn load_sweep(path: &Path) -> Result<Sweep, Diagnostics> {
    tracing::debug!(file = %path.display(), "sweep is read");
    sim_sweep::load_with_library(WORLDS, path, &library::source).map_err(|refused| {
        let is_scenario = |text| keys_of(text).is_some_and(|has| has("world") && !has("scenario"));
        match std::fs::read_to_string(path) {
            Err(_) => with_near_file(path, Path::new("sweeps"), refused),
            Ok(text) if is_scenario(&text) => {
                let words = format!("is a scenario, not a sweep; {} runs it", command("run", path));
                refused_file(&path.display().to_string(), &words)
            }
            Ok(_) => refused,
        }
    })
}

/// True if a file is, by its name, a JSON Schema that lies beside scenarios for editors.
pub fn is_schema(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.ends_with(SCHEMA_END))
}

fn read(path: &Path) -> Result<Source, Diagnostics> {
    match path.to_str() {
        Some("-") => from_stdin(),
        Some(name) if name.starts_with('@') => library::source(name),
        _ => Source::read(path).map_err(|refused| with_near_file(path, Path::new("scenarios"), refused)),
    }
}

fn from_stdin() -> Result<Source, Diagnostics> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(SIZE_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| refused_file(STDIN, &format!("cannot be read: {error}")))?;
    Source::from_bytes(&bytes, STDIN)
}

/// What a file is that was given as a scenario and is none.
fn no_scenario(source: &Source) -> Option<String> {
    let has = keys_of(&source.text).filter(|has| !has("world"))?;
    if has("scenario") {
        return Some(format!("is a sweep, not a scenario; {} runs it", command("sweep", Path::new(&source.origin))));
    }
    (has("oneOf") || has("properties")).then(|| "is a JSON Schema, which editors read, not a scenario".to_owned())
}

/// Tells which keys an object has.
fn keys_of(text: &str) -> Option<impl Fn(&str) -> bool> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.is_object().then_some(move |key: &str| value.get(key).is_some())
}

fn command(name: &str, path: &Path) -> String {
    format!("`sim-cli {name} {}`", quoted(&path.display().to_string()))
}

/// The same for a file that is not there, with the name of one that was probably meant.
fn with_near_file(path: &Path, home: &Path, mut refused: Diagnostics) -> Diagnostics {
    if let (false, Some(item)) = (path.exists(), refused.items.first_mut()) {
        item.suggestion = near_file(path, home);
        item.message += &did_you_mean(item.suggestion.as_deref());
    }
    refused
}

/// A file of a near name in the same folder, in the folder where such files usually lie, or among those that came along.
fn near_file(path: &Path, home: &Path) -> Option<String> {
    let beside = files_in(path.parent().unwrap_or(Path::new("")));
    let came_along = library::SCENARIOS.iter().map(|entry| (entry.name.to_owned(), format!("@{}", entry.name)));
    let came_along = came_along.filter(|_| home.ends_with("scenarios"));
    let known: Vec<(String, String)> = beside.into_iter().chain(files_in(home)).chain(came_along).collect();
    let word = path.file_stem()?.to_str()?;
    let meant = nearest(word, known.iter().map(|(stem, _)| stem.as_str()))?;
    known.iter().find(|(stem, _)| stem == meant).map(|(_, shown)| shown.clone())
}

/// The JSON files of a folder but schemas, in the order of their names: stems, and paths as a user would type them.
fn files_in(folder: &Path) -> Vec<(String, String)> {
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(listed).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| folder.join(entry.file_name())).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new("json")) && !is_schema(path));
    paths.sort();
    let named = |path: &PathBuf| Some((path.file_stem()?.to_str()?.to_owned(), path.display().to_string()));
    paths.iter().filter_map(named).collect()
}
