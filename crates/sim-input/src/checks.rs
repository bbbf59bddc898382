//! Faults of a file beyond single keys, located in its text.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::BTreeSet;

use crate::diagnostic::{Fault, Severity};
use crate::refused::from_json;
use crate::tree::Node;
use crate::walk::MAX_FAULTS;

/// Collects the faults of a file that was read. Those that depend on a key in `known_wrong` are left out: it is reported already.
pub struct Checks<'a> {
    root: &'a Node,
    known_wrong: &'a BTreeSet<String>,
    /// What was found, at most [`MAX_FAULTS`].
    pub faults: Vec<Fault>,
}

impl<'a> Checks<'a> {
    /// Nothing found yet in the file whose text is `root`.
    #[must_use]
    pub fn new(root: &'a Node, known_wrong: &'a BTreeSet<String>) -> Self {
        Self { root, known_wrong, faults: Vec::new() }
    }

    /// True if anything found is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.faults.iter().any(|fault| fault.severity == Severity::Error)
    }

    /// A fault about the first of `keys`, which is where to change something; it also depends on the others. It points at
    /// the first of them that the file writes.
    pub fn add(&mut self, keys: &[&str], message: String) -> Option<&mut Fault> {
        let depends = |wrong: &String| keys.iter().any(|key| is_part_of(wrong, key) || is_part_of(key, wrong));
        if self.faults.len() >= MAX_FAULTS || self.known_wrong.iter().any(depends) {
            return None;
        }
        let key = keys.first()?;
        let (node, origin) = keys
            .iter()
            .map(|key| (self.root.find(key), key))
            .find(|((_, whole), _)| *whole)
            .map_or((None, self.root.find(key).0.origin.clone()), |((node, _), written)| {
                ((written == key).then_some(node), node.origin.clone())
            });
        self.faults.push(Fault { value: node.map(Node::shown), ..Fault::at(origin, *key, message) });
        self.faults.last_mut()
    }

    /// An error at the first of `keys` that depends on the others, too.
    pub fn error(&mut self, keys: &[&str], message: String, suggestion: Option<String>) {
        if let Some(fault) = self.add(keys, message) {
            fault.suggestion = suggestion;
        }
    }

    /// A fault that knows its path, and the paths that it depends on, but not its place; or one of a file that the text names, which
    /// knows its place.
    pub fn fault(&mut self, fault: Fault) {
        if fault.origin.is_some() {
            if self.faults.len() < MAX_FAULTS {
                self.faults.push(fault);
            }
            return;
        }
        let depends = fault.depends.iter().map(String::as_str);
        let keys: Vec<&str> = std::iter::once(fault.path.as_str()).chain(depends).collect();
        self.error(&keys, fault.message, fault.suggestion);
    }

    /// A warning at the first of `keys`.
    pub fn warning(&mut self, keys: &[&str], message: String) {
        if let Some(fault) = self.add(keys, message) {
            *fault = fault.clone().warning();
        }
    }
}

/// True if `path` is `whole` or lies in it: `mat.width_mm` is part of `mat`, `material` is not.
fn is_part_of(path: &str, whole: &str) -> bool {
    path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The value that JSON which has passed its schema stands for; what serde refuses all the same goes to `checks`.
pub fn deserialize<T: DeserializeOwned>(json: &Json, checks: &mut Checks<'_>) -> Option<T> {
    from_json(json)
        .map_err(|refused| {
            let origin = checks.root.find(&refused.path).0.origin.clone();
            checks.faults.push(Fault::at(origin, refused.path, refused.message));
        })
        .ok()
}
