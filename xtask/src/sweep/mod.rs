//! `cargo xtask sweep`: a sweep by the release binary, on this machine or on a cluster.
//!
//! Here the binary takes over: its words, its exit status, its Ctrl-C. On a cluster it is started many times, as a command that may be
//! repeated; [`slurm`] says how.

mod shards;
mod slurm;

use crate::shell::{self, Profile};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Args)]
pub struct Options {
    /// The sweep to make; it and --out are looked for from where you stand, as sim-cli does
    #[arg(value_name = "SWEEP.json")]
    sweep: PathBuf,
    #[command(flatten)]
    passed: Passed,
    /// What makes the runs
    #[arg(long, value_enum, default_value_t = Engine::Local)]
    engine: Engine,
    /// Use this sim-cli and build none; with --engine slurm it is started where it lies, so all nodes must see it there
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    #[command(flatten)]
    slurm: slurm::Cluster,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// This machine
    Local,
    /// A cluster with Slurm, whose nodes see the folders that you see
    Slurm,
}

/// Flags that `sim-cli sweep` gets as they are; its help says more about them.
#[derive(Args, Clone)]
struct Passed {
    /// Folder for the results [default: out/NAME, by the sweep's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Runs made at the same time [default: number of cores]; a shard on a cluster has one core
    #[arg(long, value_name = "J")]
    jobs: Option<u32>,
    /// Go on with the sweep that the folder holds; on a cluster that is always done
    #[arg(long)]
    resume: bool,
    /// Replace what the folder already holds
    #[arg(long)]
    overwrite: bool,
    /// Say what would be run, without running
    #[arg(long)]
    plan: bool,
    /// Make part i of N only
    #[arg(long, value_name = "i/N")]
    shard: Option<String>,
    /// Put the parts together
    #[arg(long)]
    merge: bool,
    /// How results and messages are written: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: String,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(options: &Options) -> Result<()> {
    match options.engine {
        Engine::Local => {
            slurm::refuse_if_local(&options.slurm)?;
            let mut sweep = Command::new(program(options.binary.as_deref())?);
            become_program(options.passed.add_to(sweep.arg("sweep").arg(&options.sweep)))
        }
        Engine::Slurm => slurm::run(options),
    }
}

/// The simulator to use: the one that is named, or one that is built now.
fn program(named: Option<&Path>) -> Result<PathBuf> {
    let Some(path) = named else { return shell::build_sim_cli(Profile::Release) };
    ensure!(path.is_file(), "--binary {}: there is no such file", path.display());
    std::path::absolute(path).with_context(|| format!("could not make {} absolute", path.display()))
}

impl Passed {
    fn add_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        if let Some(out) = &self.out {
            command.arg("--out").arg(out);
        }
        if let Some(jobs) = self.jobs {
            command.args(["--jobs", &jobs.to_string()]);
        }
        if let Some(shard) = &self.shard {
            command.args(["--shard", shard]);
        }
        let switches = [
            (self.resume, "--resume"),
            (self.overwrite, "--overwrite"),
            (self.plan, "--plan"),
            (self.merge, "--merge"),
            (self.quiet, "--quiet"),
        ];
        command.args(switches.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag));
        command.args(["--format", &self.format])
    }
}

/// Gives this process to a program: from here on its signals and its exit status are that program's own.
#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec()).with_context(|| format!("`{}` could not be started", shell::describe(command)))
}

/// The next best thing: waits for the program and ends as it ended.
#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("`{}` could not be started", shell::describe(command)))?;
    std::process::exit(status.code().unwrap_or(1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn what_is_not_ours_is_passed_on() {
        let words = "x a.json --engine local --resume --jobs 2 --out o -q --binary sh --format json";
        let Line { options } = Line::parse_from(words.split(' '));
        let mut command = Command::new("sim-cli");
        let line = shell::describe(options.passed.add_to(&mut command));
        assert_eq!(line, "sim-cli --out o --jobs 2 --resume --quiet --format json");
    }

    #[test]
    fn a_binary_that_is_not_there_is_named() {
        let error = program(Some(Path::new("no/such/sim-cli"))).unwrap_err().to_string();
        assert!(error.contains("no/such/sim-cli"), "{error}");
    }
}
