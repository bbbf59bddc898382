//! What is wrong with a file that a person wrote: where, what, and what would be right.

use serde::Serialize;
use sim_core::ParamError;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It cannot be run.
    Error,
    /// It runs, but not as well as one may think.
    Warning,
}

/// One thing that is wrong.
///
/// Its [`Display`](fmt::Display) form is one line: `file:line:column: path: message`. The message says all; the fields after
/// it repeat its facts for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file as the user named it, or the flag: `--set agents.count=abc`.
    pub file: String,
    /// Line of the file, from 1. None for a flag, or where no place can be named.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// JSON path, `agents.count` or `feet.home_mm[2]`; empty where the text is not even JSON.
    pub path: String,
    /// What is wrong and what is allowed, in words.
    pub message: String,
    /// The value as it was written, shortened.
    pub value: Option<String>,
    /// What is allowed, in words.
    pub allowed: Option<String>,
    /// What was probably meant, or the nearest value that works.
    pub suggestion: Option<String>,
    /// Bytes of the text concerned: that of `named`, else [`Diagnostics::text`].
    pub span: Option<Range<usize>>,
    /// The other file that it stands in, if the text names it.
    #[serde(skip)]
    pub named: Option<Arc<NamedFile>>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        if self.severity == Severity::Warning {
            f.write_str(": warning")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// All that is wrong with a file, in the order of the text, then with files that it names; at least one of them is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// The list, errors and warnings.
    pub items: Vec<Diagnostic>,
    /// The text that the spans count in; empty if there is none worth showing.
    pub text: String,
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// A file that the text of another one names.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Its name in messages.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Where a piece of a file was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Bytes of the file's text.
    Text(Range<usize>),
    /// Bytes of a file that the text names.
    Named(Arc<NamedFile>, Range<usize>),
    /// The override with this number.
    Override(usize),
}

/// One thing that is wrong, before it is known how files are named and lines counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How bad it is.
    pub severity: Severity,
    /// Where it was written; none if that is not known (yet).
    pub origin: Option<Origin>,
    /// JSON path, `cubes[2].radio.interval_ms`.
    pub path: String,
    /// What is wrong and what is allowed, in words that follow the path.
    pub message: String,
    /// The value as it was written, shortened.
    pub value: Option<String>,
    /// What is allowed, in words.
    pub allowed: Option<String>,
    /// What would be right, if there is one such thing.
    pub suggestion: Option<String>,
    /// Other paths that it depends on.
    pub depends: Vec<String>,
}

impl Fault {
    /// An error at a path.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            origin: None,
            path: path.into(),
            message: message.into(),
            value: None,
            allowed: None,
            suggestion: None,
            depends: Vec::new(),
        }
    }

    /// An error at a place of the text.
    #[must_use]
    pub fn at(origin: Origin, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { origin: Some(origin), ..Self::new(path, message) }
    }

    /// What a model refuses, at the key of a section that means the parameter.
    #[must_use]
    pub fn from_param(section: &str, key: &str, error: &ParamError) -> Self {
        let path = if key.is_empty() { section.to_owned() } else { format!("{section}.{key}") };
        Self::new(path, error.message.clone())
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// The same with the value as it was written.
    #[must_use]
    pub fn value(self, value: impl Into<String>) -> Self {
        Self { value: Some(value.into()), ..self }
    }

    /// The same with what is allowed.
    #[must_use]
    pub fn allowed(self, allowed: impl Into<String>) -> Self {
        Self { allowed: Some(allowed.into()), ..self }
    }

    /// The same with another path that it depends on.
    #[must_use]
    pub fn depends(mut self, path: impl Into<String>) -> Self {
        self.depends.push(path.into());
        self
    }
}

/// Turns faults into diagnostics of a named text.
pub struct Locator<'a> {
    /// Name of the file in messages.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The overrides that were laid over it, as flags.
    pub flags: &'a [String],
}

impl Locator<'_> {
    /// The diagnostics in the order of the text.
    #[must_use]
    pub fn diagnostics(&self, faults: Vec<Fault>) -> Vec<Diagnostic> {
        let mut items: Vec<_> = faults.into_iter().map(|fault| self.diagnostic(fault)).collect();
        let place = |item: &Diagnostic| (item.span.is_none(), item.named.as_ref().map(|named| named.file.clone()));
        items.sort_by_cached_key(|item| (place(item), item.span.as_ref().map(|span| span.start)));
        items
    }

    fn diagnostic(&self, fault: Fault) -> Diagnostic {
        let (file, span, named) = match fault.origin {
            Some(Origin::Text(span)) => (self.file.to_owned(), Some(span), None),
            Some(Origin::Named(named, span)) => (named.file.clone(), Some(span), Some(named)),
            Some(Origin::Override(index)) => (self.flags.get(index).cloned().unwrap_or_default(), None, None),
            None => (self.file.to_owned(), None, None),
        };
        let text = named.as_ref().map_or(self.text, |named| &named.text);
        let place = span.as_ref().map(|span| line_and_column(text, span.start));
        Diagnostic {
            severity: fault.severity,
            file,
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            path: fault.path,
            message: fault.message,
            value: fault.value,
            allowed: fault.allowed,
            suggestion: fault.suggestion,
            span,
            named,
        }
    }
}

/// Line and column of a byte, both from 1; columns count characters.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..char_start(text, byte)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// First byte of the character that a byte belongs to; the end of the text if there is none.
pub fn char_start(text: &str, byte: usize) -> usize {
    let start = byte.min(text.len());
    (0..=start).rev().find(|&start| text.is_char_boundary(start)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_at_line_feeds() {
        let text = "a\r\n\u{e4}\u{f6}x\n";
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, text.find('x').unwrap()), (2, 3));
        assert_eq!(line_and_column(text, 999), (3, 1));
    }
}
