//! What is wrong with a scenario beyond single keys, and where to say so.

use std::collections::BTreeSet;

use crate::input::diagnostic::Finding;
use crate::input::tree::Node;
use crate::input::walk::FINDINGS_MAX;
use sim_core::ParamError;

/// Findings about a scenario that was read. Those about a key in `known_wrong` are left out: it is reported already.
pub(super) struct Checks<'a> {
    root: &'a Node,
    known_wrong: &'a BTreeSet<String>,
    pub findings: Vec<Finding>,
}

impl<'a> Checks<'a> {
    pub fn new(root: &'a Node, known_wrong: &'a BTreeSet<String>) -> Self {
        Self { root, known_wrong, findings: Vec::new() }
    }

    /// A finding about the first of `keys`, which is where to change something; it also depends on the others. It points at
    /// the first of them that the file writes.
    pub fn add(&mut self, keys: &[&str], message: String) -> Option<&mut Finding> {
        let depends = |wrong: &String| keys.iter().any(|key| is_part_of(wrong, key) || is_part_of(key, wrong));
        if self.findings.len() >= FINDINGS_MAX || self.known_wrong.iter().any(depends) {
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
        let mut finding = Finding::error(Some(origin), key, message);
        finding.value = node.map(Node::shown);
        self.findings.push(finding);
        self.findings.last_mut()
    }

    pub fn error(&mut self, keys: &[&str], message: String, suggestion: Option<String>) {
        if let Some(finding) = self.add(keys, message) {
            finding.suggestion = suggestion;
        }
    }

    pub fn fault(&mut self, fault: Fault) {
        let depends = fault.depends.iter().map(String::as_str);
        let keys: Vec<&str> = std::iter::once(fault.path.as_str()).chain(depends).collect();
        self.error(&keys, fault.message, fault.suggestion);
    }

    pub fn warning(&mut self, keys: &[&str], message: String) {
        if let Some(finding) = self.add(keys, message) {
            *finding = finding.clone().warning();
        }
    }
}

/// True if `path` is `whole` or lies in it: `mat.width_mm` is part of `mat`, `material` is not.
fn is_part_of(path: &str, whole: &str) -> bool {
    path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Something that is wrong with a scenario.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    /// Where: `cubes[2].radio.interval_ms`.
    pub path: String,
    /// What, in words that follow the path.
    pub message: String,
    /// What would be right, if there is one such thing.
    pub suggestion: Option<String>,
    /// Other places that it depends on.
    pub depends: Vec<String>,
}

impl Fault {
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), suggestion: None, depends: Vec::new() }
    }

    pub fn depends(mut self, path: impl Into<String>) -> Self {
        self.depends.push(path.into());
        self
    }

    /// What a model says of a field, at the key of the section that means it.
    pub fn of(section: &str, key: &str, error: &ParamError) -> Self {
        Self::new(join(section, key), error.message.clone())
    }
}

fn join(section: &str, key: &str) -> String {
    if key.is_empty() { section.to_owned() } else { format!("{section}.{key}") }
}
