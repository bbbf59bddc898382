//! `sim-cli completions`.

use crate::args::{Cli, CompletionsArgs};
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use clap::CommandFactory;

/// Prints the script with which a shell completes what is typed.
pub fn completions(args: &CompletionsArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sim-cli", &mut script);
    // The script for bash finds a command by one spelling of the program's name and has its flags under another: its generator writes a
    // hyphen in two ways.
    reporter.result(&String::from_utf8_lossy(&script).replace("sim__subcmd__cli", "sim__cli"))?;
    Ok(Outcome::Done)
}
