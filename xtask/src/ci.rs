//! `cargo xtask ci`: everything that a change has to pass, cheap things first.

use crate::shell::{self, Profile, Watch};
use crate::{golden, layers, picture, schema, test, tidy};
use anyhow::{Result, bail};
use clap::Args;

#[derive(Args)]
pub struct Options {
    /// Go on after a failure, so that one run shows all of them
    #[arg(long)]
    keep_going: bool,
}

/// A check with the name under which it is reported.
type Check = (&'static str, fn() -> Result<()>);

const CHECKS: &[Check] = &[
    ("format", format),
    ("tidy", || tidy::run(&tidy::Options::default())),
    ("layers", layers::run),
    ("lints", lints),
    ("documentation", documentation),
    ("schema", committed_schema),
    ("pictures", committed_pictures),
    ("golden, release", || golden_run(Profile::Release, false)),
    ("golden, release without fused multiply-add", || golden_run(Profile::Release, true)),
    ("golden, debug", || golden_run(Profile::Debug, false)),
    ("test", || test::run(&test::Options::default())),
];

pub fn run(options: &Options) -> Result<()> {
    let mut failed = Vec::new();
    for (name, check) in CHECKS {
        println!("\n== {name}");
        let watch = Watch::start();
        let outcome = check();
        println!("== {name}: {} ({:.0} s)", if outcome.is_ok() { "ok" } else { "FAILED" }, watch.seconds());
        if let Err(error) = outcome {
            eprintln!("error: {error:#}");
            failed.push(*name);
            if !options.keep_going {
                break;
            }
        }
    }
    if failed.is_empty() {
        println!("\nall {} checks passed", CHECKS.len());
        return Ok(());
    }
    bail!("failed: {}", failed.join("; "))
}

/// A copy of the toolchain without rustfmt skips the check with a word; one with it must agree.
fn format() -> Result<()> {
    if !shell::works(shell::cargo().args(["fmt", "--version"])) {
        println!("skipped: this toolchain has no rustfmt");
        return Ok(());
    }
    shell::run(shell::cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Result<()> {
    if !shell::works(shell::cargo().args(["clippy", "--version"])) {
        println!("skipped: this toolchain has no clippy");
        return Ok(());
    }
    shell::run(shell::cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

fn documentation() -> Result<()> {
    shell::run(shell::cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))
}

fn committed_schema() -> Result<()> {
    schema::run(&schema::Options { check: true, debug: false })
}

fn committed_pictures() -> Result<()> {
    picture::run(&picture::Options { check: true })
}

fn golden_run(profile: Profile, without_fma: bool) -> Result<()> {
    golden::run(&golden::Options { debug: profile == Profile::Debug, without_fma, ..golden::Options::default() })
}
