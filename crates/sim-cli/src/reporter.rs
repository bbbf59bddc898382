//! How things are said: results on standard output, warnings and errors on standard error, for people or as JSON.

use crate::args::Format;
use crate::outcome::Failure;
use crate::snippet;
use serde_json::{Value, json};
use sim_run::RunError;
use sim_run::run_folder::{holds_batch, holds_sweep};
use sim_run::scenario::{Diagnostic, Diagnostics};
use sim_view::ViewError;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The way in which one command speaks.
#[derive(Clone, Copy, Debug)]
pub struct Reporter {
    /// For people or for programs.
    pub format: Format,
    /// Nothing but errors.
    pub quiet: bool,
    /// Colours on standard error.
    colour: bool,
}

impl Reporter {
    /// A reporter; colours are for terminals, and for those who have not said `NO_COLOR`.
    pub fn new(format: Format, quiet: bool) -> Self {
        Self { format, quiet, colour: io::stderr().is_terminal() && colours_are_welcome() }
    }

    /// True if standard output is for eyes that see colours.
    pub fn colours_results() -> bool {
        io::stdout().is_terminal() && colours_are_welcome()
    }

    /// Prints a result, which brings its own line ends. A reader that has closed the pipe has read enough.
    pub fn result(&self, text: &str) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(anyhow::Error::new(error).context("could not write to standard output").into())
            }
            _ => Ok(()),
        }
    }

    /// Prints a result as one line of JSON.
    pub fn json_result(&self, value: &Value) -> Result<(), Failure> {
        self.result(&format!("{value}\n"))
    }

    /// A line of progress, for people only.
    pub fn progress(&self, line: &str) {
        if !self.quiet && self.format == Format::Text {
            to_stderr(line);
        }
    }

    /// A warning about the run that is to come.
    pub fn warning(&self, kind: &str, message: &str) {
        if !self.quiet {
            self.message(kind, "warning", message);
        }
    }

    /// Names pictures and pages that a replaced run or sweep leaves in its folder under names that the user chose.
    pub fn drawings_that_stay(&self, folder: &Path) {
        const ENDINGS: [&str; 6] = ["gif", "html", "mp4", "png", "svg", "wav"];
        let is_drawing = |path: &PathBuf| path.extension().is_some_and(|end| ENDINGS.iter().any(|known| end == *known));
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut old: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_drawing).collect();
        old.sort();
        for path in old {
            self.warning("old_file", &format!("{} stays as it is; it does not show this run", path.display()));
        }
    }

    /// Warnings about a scenario that can be run.
    pub fn scenario_warnings(&self, warnings: &[Diagnostic], text: &str) {
        if !self.quiet {
            warnings.iter().for_each(|item| self.diagnostic(item, text));
        }
    }

    /// All that is wrong with a scenario.
    pub fn scenario_errors(&self, diagnostics: &Diagnostics) {
        diagnostics.items.iter().for_each(|item| self.diagnostic(item, &diagnostics.text));
    }

    /// Something that is wrong with a folder.
    pub fn folder_fault(&self, message: &str) {
        self.message("folder", "error", message);
    }

    /// Why a command did not do what was asked.
    pub fn failure(&self, failure: &Failure) {
        let error = |kind, message: &str| self.message(kind, "error", message);
        match failure {
            Failure::Usage(message) => error("usage", message),
            Failure::Scenario(list) => list.iter().for_each(|diagnostics| self.scenario_errors(diagnostics)),
            Failure::Run(RunError::HoldsRun { path }) => error("run", &holds_run(path)),
            Failure::Run(reason) => error("run", &reason.to_string()),
            Failure::View(ViewError::Exists { path }) => error("render", &exists(path)),
            Failure::View(reason) => error("render", &reason.to_string()),
            Failure::Interrupted(message) => error("interrupted", message),
            Failure::NotAccepted(message) => error("not_accepted", message),
            Failure::Machine(reason) => error("machine", &format!("{reason:#}")),
        }
    }

    fn diagnostic(&self, item: &Diagnostic, text: &str) {
        match self.format {
            // An empty line sets drawings apart.
            Format::Text if item.span.is_some() => {
                to_stderr(&format!("{}\n", snippet::drawn(item, text, self.colour)));
            }
            Format::Text => to_stderr(&snippet::drawn(item, text, self.colour)),
            Format::Json => {
                let mut value = serde_json::to_value(item).unwrap_or_else(|_| json!({ "message": item.message }));
                value["kind"] = json!("scenario");
                to_stderr(&value.to_string());
            }
        }
    }

    fn message(&self, kind: &str, severity: &str, message: &str) {
        match self.format {
            Format::Text => to_stderr(&snippet::plain(severity, message, self.colour)),
            Format::Json => to_stderr(&json!({ "kind": kind, "severity": severity, "message": message }).to_string()),
        }
    }
}

/// The library knows no flags; the user does.
fn holds_run(path: &Path) -> String {
    let (what, hint) = match (holds_sweep(path), holds_batch(path)) {
        (true, _) => ("sweep", "--resume goes on with it, "),
        (_, true) => ("batch", "--resume goes on with it, "),
        _ => ("run", ""),
    };
    format!(
        "{} already holds a {what}; {hint}--overwrite replaces it, --out DIR chooses another folder",
        path.display()
    )
}

fn exists(path: &Path) -> String {
    format!("{} is already there; --overwrite replaces it", path.display())
}

/// False if the user refuses colours by `NO_COLOR`, or the terminal has none.
fn colours_are_welcome() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|value| value != "dumb")
}

/// A line on standard error. A failure to write it is ignored: there is no other place to report it.
pub fn to_stderr(line: &str) {
    let mut text = line.to_owned();
    text.push('\n');
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
