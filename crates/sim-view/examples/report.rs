//! Writes the report of a sweep's folder: `cargo run -p sim-view --example report -- FOLDER`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program says what it did")]
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: report FOLDER");
        return ExitCode::from(2);
    };
    match sim_view::report::write(folder.as_ref()) {
        Ok(report) => {
            println!("{} and {} plots", report.html.display(), report.plots);
            report.notes.iter().for_each(|note| println!("note: {note}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
