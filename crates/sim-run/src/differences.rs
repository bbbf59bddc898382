//! How what a folder holds differs from what is asked for: numbers of two scenarios, or of two programs, must not get into one table.

use crate::error::RunError;
use serde_json::Value;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::Path;

/// Differences that a message lists.
const LISTED: usize = 8;

/// What differs, in words.
#[derive(Debug, Default)]
pub struct Differences(Vec<String>);

impl Differences {
    /// Compares a value, such as the program's version.
    pub fn value<T: PartialEq + Display>(&mut self, name: &str, was: &T, is: &T) {
        if was != is {
            self.0.push(format!("{name} was {was} and is {is}"));
        }
    }

    /// Compares a file with the bytes that it should have: JSON key by key, a table by its first other line.
    ///
    /// # Errors
    /// If it cannot be read. One that is missing is a difference.
    pub fn file(&mut self, path: &Path, wanted: &[u8]) -> Result<(), RunError> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match fs::read(path) {
            Ok(held) if held == wanted => {}
            Ok(held) if name.ends_with(".json") => {
                let [was, is] =
                    [held.as_slice(), wanted].map(|text| serde_json::from_slice(text).unwrap_or(Value::Null));
                compare(name.trim_end_matches(".json"), &was, &is, &mut self.0);
            }
            Ok(held) => self.0.extend(first_other_line(name, &held, wanted)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => self.0.push(format!("{name} is missing there")),
            Err(e) => return Err(RunError::io("read", path, e)),
        }
        Ok(())
    }

    /// Nothing if nothing differs.
    ///
    /// # Errors
    /// If anything does: what is in the folder cannot be gone on with.
    pub fn refuse(mut self, folder: &Path, what: &str) -> Result<(), RunError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let more = self.0.len().saturating_sub(LISTED);
        self.0.truncate(LISTED);
        let more = if more > 0 { format!("; {more} more") } else { String::new() };
        Err(RunError::Options(format!(
            "{} holds another {what}, which cannot be gone on with: {}{more}",
            folder.display(),
            self.0.join("; ")
        )))
    }
}

/// The first line in which two tables differ.
fn first_other_line(name: &str, was: &[u8], is: &[u8]) -> Option<String> {
    let lines = |bytes| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    let (was, is) = (lines(was), lines(is));
    let other = (0..was.len().max(is.len())).find(|&n| was.get(n) != is.get(n))?;
    let shown = |lines: &[String]| lines.get(other).map_or_else(|| "missing".to_owned(), |line| format!("{line:?}"));
    Some(format!("line {} of {name} was {} and is {}", other + 1, shown(&was), shown(&is)))
}

/// Adds what differs between two values, key by key.
fn compare(path: &str, was: &Value, is: &Value, differences: &mut Vec<String>) {
    if let (Value::Object(was), Value::Object(is)) = (was, is) {
        let new = is.keys().filter(|key| !was.contains_key(*key));
        for key in was.keys().chain(new) {
            let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
            compare(&format!("{path}.{key}"), &of(was), &of(is), differences);
        }
    } else if let (Value::Array(was), Value::Array(is)) = (was, is)
        && was.len() == is.len()
    {
        for (n, (was, is)) in was.iter().zip(is).enumerate() {
            compare(&format!("{path}[{n}]"), was, is, differences);
        }
    } else if was != is {
        differences.push(format!("{path} was {was} and is {is}"));
    }
}
