//! `cargo xtask golden`: what the simulator computes and writes, compared with what is committed.
//!
//! Two lists: the [state](states) that every scenario ends in, and the [files] that short runs, batches and sweeps leave.
//! A difference means that results changed. That may be right: then `--bless` writes both lists, and the commit says in a sentence why
//! they differ.

mod files;
mod states;

use crate::shell::{self, Profile};
use anyhow::{Result, ensure};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

const ADVICE: &str = "if the change is meant, run `cargo xtask golden --bless` and say in the commit why";

#[derive(Args, Default)]
pub struct Options {
    /// Write the hashes instead of comparing them
    #[arg(long, conflicts_with_all = ["debug", "without_fma"])]
    pub bless: bool,
    /// Only the files of short runs, not the states of all scenarios: seconds instead of a minute
    #[arg(long)]
    pub files_only: bool,
    /// Use the debug build
    #[arg(long)]
    pub debug: bool,
    /// Hide the fused multiply-add instructions of the processor from the C library (x86-64 with glibc; elsewhere no effect)
    #[arg(long)]
    pub without_fma: bool,
    /// Use this binary of the simulator instead of building one
    #[arg(long, value_name = "PATH", conflicts_with = "debug")]
    pub sim_cli: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<()> {
    let profile = if options.debug { Profile::Debug } else { Profile::Release };
    let binary = options.sim_cli.clone().map_or_else(|| shell::build_sim_cli(profile), Ok)?;
    let simulator = Simulator { binary, without_fma: options.without_fma };
    let mut complaints = files::run(&simulator, options.bless)?;
    if !options.files_only {
        complaints.extend(states::run(&simulator, options.bless)?);
    }
    ensure!(complaints.is_empty(), "{}\n{ADVICE}", complaints.join("\n"));
    Ok(())
}

/// The binary, and how it is started.
struct Simulator {
    binary: PathBuf,
    without_fma: bool,
}

impl Simulator {
    /// A quiet command with a folder to write in.
    fn command(&self, words: &[&str], out: &Path) -> Command {
        let mut command = shell::program(&self.binary);
        command.args(words).args(["-q", "--out"]).arg(out);
        if self.without_fma {
            command.env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-FMA4");
        }
        command
    }
}

/// A committed list without its comments; empty if it is not there yet.
fn committed(file: &str) -> Result<String> {
    if shell::root().join(file).is_file() { shell::read(file) } else { Ok(String::new()) }
}

/// The lines of a list that are neither empty nor comments, as words.
fn entries(text: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| (line, line.split_whitespace().collect()))
}
