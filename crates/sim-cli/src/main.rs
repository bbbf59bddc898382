//! `sim-cli`: flags, progress, messages and exit codes of the simulator.
//!
//! [`args`] says what may be typed, [`commands`] what is done about it, [`reporter`] how it is said. This file is the only place
//! where an outcome becomes an exit code.

mod args;
mod browser;
mod clock;
mod commands;
mod duration;
mod figures;
mod interrupt;
mod library;
mod links;
mod log;
mod outcome;
mod pages;
mod plan;
mod progress;
mod repeat;
mod reporter;
mod snippet;
mod source;
mod summary;
mod terminal;
mod worst;

use args::{Cli, Command, Format, ReportArgs};
use clap::Parser;
use outcome::{Failure, Outcome};
use reporter::Reporter;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => execute(&cli.command),
        Err(error) => answer_usage(&error),
    };
    ExitCode::from(match outcome {
        Outcome::Done => 0,
        Outcome::Failed => 1,
        Outcome::WrongInput => 2,
        Outcome::NotAccepted => 3,
        Outcome::Program(code) => code as u8,
        Outcome::Interrupted => interrupt::end_by_signal(),
    })
}

/// Runs a command and says what went wrong with it, if anything did.
fn execute(command: &Command) -> Outcome {
    let ReportArgs { format, quiet, verbose } = command.report();
    log::show(verbose);
    let reporter = Reporter::new(format, quiet);
    let done = match command {
        Command::Run(args) => commands::run::run(args, &reporter),
        Command::Check(args) => commands::check::check(args, &reporter),
        Command::Explain(args) => commands::explain::explain(args, &reporter),
        Command::Scenarios(args) => commands::scenarios::scenarios(args, &reporter),
        Command::New(args) => commands::new::new(args, &reporter),
        Command::Docs(args) => commands::docs::docs(args, &reporter),
        Command::Streams(args) => commands::streams::streams(args, &reporter),
        Command::Render(args) => commands::render::render(args, &reporter),
        Command::Schema(args) => commands::schema::schema(args, &reporter),
        Command::Replay(args) => commands::replay::replay(args, &reporter),
        Command::Live(args) => commands::live::live(args, &reporter),
        Command::Sweep(args) => commands::sweep::sweep(args, &reporter),
        Command::Completions(args) => commands::completions::completions(args, &reporter),
    };
    done.unwrap_or_else(|failure| {
        reporter.failure(&failure);
        failure.outcome()
    })
}

/// Prints help and version where they were asked for, and says what is wrong with the flags otherwise.
fn answer_usage(error: &clap::Error) -> Outcome {
    if !error.use_stderr() {
        // A reader of the help who closes the pipe has read enough.
        let _ = error.print();
        return Outcome::Done;
    }
    match Format::guess(std::env::args_os().skip(1)) {
        Format::Text => drop(error.print()),
        Format::Json => Reporter::new(Format::Json, false).failure(&Failure::Usage(usage_line(error))),
    }
    Outcome::WrongInput
}

/// What clap has to say, on one line and without its colours.
fn usage_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let line = lines.collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").map(str::to_owned).unwrap_or(line)
}
