//! `sim-cli new`.

use crate::args::{Format, NewArgs};
use crate::library::{self, Entry, FILES};
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use anyhow::Context;
use serde_json::{Value, json};
use sim_run::scenario::{self, keys};
use sim_run::shell::quoted;
use sim_worlds::WORLDS;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A swarm with the keys that are changed first, all at their defaults but the number of robots: `@swarm-10` in more words.
const START: Entry = Entry {
    name: "start",
    about: "",
    text: r#"{
  "$schema": "./scenario.schema.json",
  "name": "start",
  "world": "mat",
  "seed": 1,
  "duration_s": 600,
  "mat": { "width_mm": 400, "height_mm": 400 },
  "feet": { "count": 1, "travel": "core", "manner": "stubborn" },
  "patches": { "count": 10 },
  "agents": { "count": 10, "drive": "point" },
  "safety": { "d_h_mm": 100, "d_r_mm": 60, "filter": "joint" }
}
"#,
};

/// The name of the schema beside scenarios, as they name it.
const SCHEMA: &str = "scenario.schema.json";

/// Writes a scenario to start from, with the files that it needs beside it, and explains its keys.
pub fn new(args: &NewArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let entry = args.from.as_deref().map_or(Ok(&START), library::find)?;
    let text = named(entry, &args.file)?;
    let folder = args.file.parent().unwrap_or(Path::new(""));
    write_new(&args.file, text.as_bytes())?;
    let mut beside = vec![(SCHEMA, scenario::schema_json(WORLDS).into_bytes())];
    let named = FILES.iter().filter(|(name, _)| text.contains(&format!("\"{name}\"")));
    beside.extend(named.map(|(name, bytes)| (*name, bytes.to_vec())));
    let mut written = Vec::new();
    for (name, bytes) in &beside {
        written.extend(write_missing(&folder.join(name), bytes)?);
    }
    match reporter.format {
        Format::Text => reporter.result(&in_words(&args.file, &written, &text))?,
        Format::Json => reporter.json_result(&json!({ "kind": "new", "file": args.file, "beside": written }))?,
    }
    Ok(Outcome::Done)
}

/// The text of a scenario under the name of its new file.
fn named(entry: &Entry, file: &Path) -> Result<String, Failure> {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if file.extension().is_none_or(|end| end != "json") {
        return Err(Failure::Usage(format!("{} does not end in .json, as scenarios do", file.display())));
    }
    let text = entry.text.replacen(&format!("\"name\": \"{}\"", entry.name), &format!("\"name\": {}", json!(stem)), 1);
    // A name becomes that of a folder: other letters are refused, with the ones that are allowed.
    let named = scenario::Source { origin: file.display().to_string(), ..library::held(text) };
    named.load(WORLDS, None, &[])?;
    Ok(named.text)
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
    }
    match File::create_new(path).and_then(|mut file| file.write_all(bytes)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::Usage(format!("{} is already there and stays as it is; choose another name", path.display())))
        }
        done => Ok(done.with_context(|| format!("could not write {}", path.display()))?),
    }
}

/// Writes a file unless it is there; returns its path if it was written.
fn write_missing(path: &Path, bytes: &[u8]) -> Result<Option<PathBuf>, Failure> {
    if path.exists() {
        return Ok(None);
    }
    write_new(path, bytes).map(|()| Some(path.to_path_buf()))
}

/// What was written, what its keys mean, and what can be done next.
fn in_words(file: &Path, written: &[PathBuf], text: &str) -> String {
    let mut words = format!("{} is written", file.display());
    for path in written {
        words += &format!(", and {} beside it", path.display());
    }
    words += "\n\n";
    let explained = explained(text);
    let width = explained.iter().map(|(path, ..)| path.len()).max().unwrap_or(0);
    let wide = explained.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or(0);
    for (path, value, about) in &explained {
        words += &format!("  {path:<width$}  {value:<wide$}  {about}\n");
    }
    let file = quoted(&file.display().to_string());
    words
        + &format!(
            "\nsim-cli run {file} runs it, sim-cli explain {file} prints it with every default,\n\
         sim-cli docs keys explains all keys. Editors show the same while you type: $schema names {SCHEMA}.\n"
        )
}

/// The keys of a scenario with their values and the first sentence about each; lists count as one key.
fn explained(text: &str) -> Vec<(String, String, String)> {
    let root: Value = serde_json::from_str(text).unwrap_or_default();
    let Some(kind) = root["world"].as_str().and_then(|name| WORLDS.find(name)) else { return Vec::new() };
    let found = keys(kind).into_iter().filter_map(|key| {
        let value = root.pointer(&format!("/{}", key.path.replace('.', "/")))?;
        let shown = match value {
            Value::Object(_) => return None,
            Value::Array(items) => format!("[{}]", items.len()),
            value => value.to_string(),
        };
        let about = key.about.split_inclusive(". ").next().unwrap_or_default().trim_end().to_owned();
        (key.path != "$schema").then_some((key.path, shown, about))
    });
    found.collect()
}
