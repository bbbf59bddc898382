//! What is wrong with a file that somebody wrote: where, what, and what would be right.

use serde::Serialize;
use std::fmt;
use std::ops::Range;

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
    /// Bytes of the text concerned (see [`Diagnostics::text`]).
    pub span: Option<Range<usize>>,
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

/// All that is wrong with a file, in the order of the text; at least one of them is an error.
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

/// Where a piece of a file was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Bytes of the file's text.
    Text(Range<usize>),
    /// The override with this number.
    Override(usize),
}

/// What is wrong, before it is known how files are named and lines counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub severity: Severity,
    pub origin: Option<Origin>,
    pub path: String,
    pub message: String,
    pub value: Option<String>,
    pub allowed: Option<String>,
    pub suggestion: Option<String>,
}

impl Finding {
    pub fn error(origin: Option<Origin>, path: &str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            origin,
            path: path.to_owned(),
            message: message.into(),
            value: None,
            allowed: None,
            suggestion: None,
        }
    }

    pub fn warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    pub fn value(self, value: impl Into<String>) -> Self {
        Self { value: Some(value.into()), ..self }
    }

    pub fn allowed(self, allowed: impl Into<String>) -> Self {
        Self { allowed: Some(allowed.into()), ..self }
    }
}

/// Turns findings into diagnostics of a named text.
pub(crate) struct Locator<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pub flags: &'a [String],
}

impl Locator<'_> {
    pub fn diagnostics(&self, findings: Vec<Finding>) -> Vec<Diagnostic> {
        let mut items: Vec<_> = findings.into_iter().map(|finding| self.diagnostic(finding)).collect();
        items.sort_by_key(|item| (item.span.is_none(), item.span.as_ref().map(|span| span.start)));
        items
    }

    fn diagnostic(&self, finding: Finding) -> Diagnostic {
        let (file, span) = match finding.origin {
            Some(Origin::Text(span)) => (self.file.to_owned(), Some(span)),
            Some(Origin::Override(index)) => (self.flags.get(index).cloned().unwrap_or_default(), None),
            None => (self.file.to_owned(), None),
        };
        let place = span.as_ref().map(|span| line_and_column(self.text, span.start));
        Diagnostic {
            severity: finding.severity,
            file,
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            path: finding.path,
            message: finding.message,
            value: finding.value,
            allowed: finding.allowed,
            suggestion: finding.suggestion,
            span,
        }
    }
}

/// Line and column of a byte, both from 1; columns count characters.
pub(crate) fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..char_start(text, byte)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// First byte of the character that a byte belongs to; the end of the text if there is none.
pub(crate) fn char_start(text: &str, byte: usize) -> usize {
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
