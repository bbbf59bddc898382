//! The chores of this repository, one verb each. `cargo xtask` alone lists them.
//!
//! What the gate runs is what you run: `.ci/run` calls `cargo xtask ci`, and nothing else decides whether a change is good.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

mod accept;
mod bench;
mod checksum;
mod ci;
mod dist;
mod golden;
mod layers;
mod markdown;
mod picture;
mod python;
mod schema;
mod shell;
mod sweep;
mod table;
mod tally;
mod test;
mod tidy;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The chores of this repository",
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run all tests: Rust, documentation, shell and Python checks, and a part of the acceptance seeds
    Test(test::Options),
    /// Run everything that a change has to pass, tests included
    Ci(ci::Options),
    /// Measure the claims of docs/results.md over many seeds and print its tables
    Accept(accept::Options),
    /// Measure the speed, with a peer in the same run
    Bench(bench::Options),
    /// Compare the final states of all scenarios and the files of short runs with golden/
    Golden(golden::Options),
    /// Write the schemas of scenario and sweep files from the code
    Schema(schema::Options),
    /// Make a sweep with the release binary, here or on a cluster
    Sweep(sweep::Options),
    /// Make archives of the program, with scenarios, pages and completions, for this machine and for 64-bit ARM
    Dist(dist::Options),
    /// Draw the pictures of README and guide again
    Picture(picture::Options),
    /// Compare the dependencies between crates with the table in docs/architecture.md
    Layers,
    /// Check what the compiler does not: function lengths, file endings, links, left-over notes, plain words
    Tidy(tidy::Options),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().verb {
        Verb::Test(options) => test::run(&options),
        Verb::Ci(options) => ci::run(&options),
        Verb::Accept(options) => accept::run(&options),
        Verb::Bench(options) => bench::run(&options),
        Verb::Golden(options) => golden::run(&options),
        Verb::Schema(options) => schema::run(&options),
        Verb::Sweep(options) => sweep::run(&options),
        Verb::Dist(options) => dist::run(&options),
        Verb::Picture(options) => picture::run(&options),
        Verb::Layers => layers::run(),
        Verb::Tidy(options) => tidy::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
