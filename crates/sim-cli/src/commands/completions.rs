//! `sim-cli completions`.

use crate::args::{Cli, CompletionsArgs};
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use clap::CommandFactory;

/// Prints the script with which a shell completes what is typed.
pub fn completions(args: &CompletionsArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sim-cli", &mut script);
    reporter.result(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}
