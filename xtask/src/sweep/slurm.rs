//! A sweep as a job array of Slurm.
//!
//! Slurm is asked to start commands and to say when they have ended, nothing else. What is done is what lies in `DIR/shards`: shards
//! that are not there are submitted again, whatever became of them. So it does not matter how a task was lost, and the same command goes
//! on with a sweep that was left.
//!
//! What belongs to the cluster lies in `DIR/slurm`: a log of each shard, and a copy of the program. A copy, because the next build would
//! replace it under running tasks, and there, because all nodes have to see that folder anyway.

use super::shards::{self, Plan};
use super::{Options, Passed, become_program, program};
use crate::shell;
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const GUIDE: &str = "docs/guide/clusters.md";

/// How often a request to stop is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Exit status of `sim-cli` if what it was given is wrong.
const WRONG_INPUT: i32 = 2;

/// Lines of a log that a message shows.
const LOG_LINES: usize = 4;

#[derive(Args)]
pub struct Cluster {
    /// Parts to split the sweep into [default: some minutes of work each, fewer than 1,000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=shards::MAX_SHARDS))]
    shards: Option<u64>,
    /// How often shards that are missing are submitted [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    tries: Option<u64>,
    /// More flags for sbatch, as in "--partition=short --account=mine"; they come last and overrule ours
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    sbatch: Option<String>,
}

/// Flags of a cluster mean nothing on one machine: a user who gives them wants a cluster.
pub fn refuse_if_local(cluster: &Cluster) -> Result<()> {
    let Cluster { shards, tries, sbatch } = cluster;
    let given = shards.is_some() || tries.is_some() || sbatch.is_some();
    ensure!(!given, "--shards, --tries and --sbatch belong to --engine slurm");
    Ok(())
}

pub fn run(options: &Options) -> Result<()> {
    let Passed { overwrite, shard, merge, .. } = &options.passed;
    ensure!(shard.is_none() && !merge, "--shard and --merge are what --engine slurm does: leave them out");
    ensure!(!overwrite, "--engine slurm goes on with what the folder holds: remove it, or name another with --out");
    let built = program(options.binary.as_deref())?;
    let mut ask = Command::new(&built);
    ask.arg("sweep").arg(&options.sweep).args(["--plan", "--format", "json"]);
    let plan = Plan::read(&shell::output(&mut ask)?)?;
    let count = options.slurm.shards.unwrap_or_else(|| plan.shards());
    if options.passed.plan {
        eprintln!("shards: {count}, each of about {:.1} minutes at most", plan.cpu_seconds / 60.0 / count as f64);
        let mut say = Command::new(&built);
        return become_program(options.passed.add_to(say.arg("sweep").arg(&options.sweep)));
    }
    let out = options.passed.out.clone().unwrap_or_else(|| Path::new("out").join(&plan.name));
    let own = absolute(&out)?.join("slurm");
    fs::create_dir_all(&own).with_context(|| format!("could not create {}", own.display()))?;
    let program = if options.binary.is_some() { built } else { copy(&built, &own)? };
    let array = Array {
        name: format!("{}-{}", plan.name, std::process::id()),
        script: script(&program, &absolute(&options.sweep)?, &absolute(&out)?, count)?,
        logs: own,
        shards: out.join("shards"),
        count,
        sbatch_flags: options.slurm.sbatch.clone().unwrap_or_default(),
    };
    if !out.join("runs.csv").exists() {
        array.make(options.slurm.tries.unwrap_or(3), options.passed.quiet)?;
    }
    let rest = Passed { out: Some(out), merge: true, resume: false, ..options.passed.clone() };
    let mut end = Command::new(program);
    become_program(rest.add_to(end.arg("sweep").arg(&options.sweep)))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("could not make {} absolute", path.display()))
}

/// Tasks that run the program from there keep the file that they began with.
fn copy(program: &Path, folder: &Path) -> Result<PathBuf> {
    let (new, copy) = (folder.join("sim-cli.new"), folder.join("sim-cli"));
    let failed = || format!("could not copy {} to {}", program.display(), copy.display());
    fs::copy(program, &new).and_then(|_| fs::rename(&new, &copy)).with_context(failed)?;
    Ok(copy)
}

/// What a task does: its shard.
fn script(program: &Path, sweep: &Path, out: &Path, count: u64) -> Result<String> {
    let [program, sweep, out] = [quoted(program)?, quoted(sweep)?, quoted(out)?];
    let shard = format!("\"$SLURM_ARRAY_TASK_ID/{count}\"");
    Ok(format!("#!/bin/sh\nexec {program} sweep {sweep} --shard {shard} --out {out} --jobs 1 --quiet\n"))
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(format!("'{}'", text.replace('\'', r"'\''")))
}

/// Tasks that are numbered as their shards are.
struct Array {
    /// By which Slurm's own commands find it.
    name: String,
    script: String,
    /// Folder where they write what they say.
    logs: PathBuf,
    /// Folder where they leave what they make.
    shards: PathBuf,
    count: u64,
    sbatch_flags: String,
}

impl Array {
    /// Submits what is missing until nothing is.
    fn make(&self, tries: u64, is_quiet: bool) -> Result<()> {
        let wants_to_stop = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&wants_to_stop);
        ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed)).context("could not listen for Ctrl-C")?;
        for _ in 0..tries {
            let wanted = self.missing();
            if wanted.is_empty() {
                return Ok(());
            }
            if !is_quiet {
                eprintln!("submitting shards {} of {}", shards::listed(&wanted), self.count);
                eprintln!("`squeue --name {}` shows them, Ctrl-C cancels them", self.name);
            }
            self.submit(&wanted, &wants_to_stop)?;
        }
        ensure!(self.missing().is_empty(), "{}\nthe same command goes on with them", self.complaint());
        Ok(())
    }

    fn missing(&self) -> Vec<u64> {
        shards::missing(&self.shards, self.count)
    }

    /// Submits tasks and waits until all have ended, one way or another.
    fn submit(&self, tasks: &[u64], wants_to_stop: &AtomicBool) -> Result<()> {
        let mut sbatch = self.sbatch(tasks).spawn().map_err(explain)?;
        sbatch.stdin.take().context("sbatch has no standard input")?.write_all(self.script.as_bytes())?;
        let status = loop {
            if wants_to_stop.load(Ordering::Relaxed) {
                return self.cancel(&mut sbatch);
            }
            match sbatch.try_wait()? {
                Some(status) => break status,
                None => thread::sleep(POLL_INTERVAL),
            }
        };
        let mut job = String::new();
        sbatch.stdout.take().context("sbatch has no standard output")?.read_to_string(&mut job)?;
        ensure!(!job.trim().is_empty(), "sbatch did not take the job ({status}); why stands above");
        // The highest status of all tasks. Wrong input is wrong on every node; what failed otherwise may do better elsewhere.
        ensure!(status.code() != Some(WRONG_INPUT), "{}", self.complaint());
        ensure!(status.code().is_some(), "sbatch was ended; `squeue --name {}` shows what it has submitted", self.name);
        Ok(())
    }

    fn sbatch(&self, tasks: &[u64]) -> Command {
        let mut command = Command::new("sbatch");
        command.args(["--wait", "--parsable", "--requeue", "--ntasks=1", "--cpus-per-task=1"]);
        command.args([format!("--job-name={}", self.name), format!("--array={}", shards::listed(tasks))]);
        command.arg("--chdir").arg(&self.logs).arg("--output=shard-%a.log");
        command.args(self.sbatch_flags.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    }

    /// Ends sbatch, which would wait, and its tasks.
    fn cancel(&self, sbatch: &mut Child) -> Result<()> {
        sbatch.kill().and_then(|()| sbatch.wait()).context("could not end sbatch")?;
        let ended = shell::works(Command::new("scancel").args(["--name", &self.name]));
        let ended = if ended { "its tasks are cancelled" } else { "but its tasks could not be cancelled" };
        bail!(
            "stopped; {ended} (`squeue --name {}` shows them). Whole shards stay, and the same command goes on",
            self.name
        )
    }

    /// Which shards are not there, and what the first of them said last.
    fn complaint(&self) -> String {
        let missing = self.missing();
        let path = self.logs.join(format!("shard-{}.log", missing.first().copied().unwrap_or_default()));
        let log = fs::read_to_string(&path).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        let last = lines[lines.len().saturating_sub(LOG_LINES)..].join("\n  ");
        format!("shards that are missing: {}\n{} ends with:\n  {last}", shards::listed(&missing), path.display())
    }
}

/// Why sbatch could not be started.
fn explain(error: std::io::Error) -> anyhow::Error {
    if error.kind() != ErrorKind::NotFound {
        return anyhow!("sbatch could not be started: {error}");
    }
    anyhow!(
        "there is no sbatch here: Slurm's commands are on the machine from which a cluster is used, often called its login node. \
         {GUIDE} says how to make a sweep without Slurm"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_makes_the_shard_of_its_number() {
        let script = script(Path::new("/a/sim-cli"), Path::new("/it's here/s.json"), Path::new("/o"), 8).unwrap();
        let command = r#"exec '/a/sim-cli' sweep '/it'\''s here/s.json' --shard "$SLURM_ARRAY_TASK_ID/8" --out '/o' --jobs 1 --quiet"#;
        assert_eq!(script, format!("#!/bin/sh\n{command}\n"));
    }

    fn array(logs: PathBuf, sbatch_flags: &str) -> Array {
        let shards = logs.join("shards");
        Array { name: "n-1".into(), script: String::new(), logs, shards, count: 5, sbatch_flags: sbatch_flags.into() }
    }

    #[test]
    fn flags_of_the_user_come_last() {
        let line = shell::describe(&array("/l".into(), " --partition=short  --no-requeue ").sbatch(&[0, 1, 2, 4]));
        assert!(line.contains("--job-name=n-1 --array=0-2,4 --chdir /l "), "{line}");
        assert!(line.ends_with("--output=shard-%a.log --partition=short --no-requeue"), "{line}");
    }

    #[test]
    fn a_machine_without_slurm_is_told_what_to_do() {
        let words = explain(ErrorKind::NotFound.into()).to_string();
        assert!(words.contains("no sbatch here") && words.contains(GUIDE), "{words}");
    }

    #[test]
    fn what_a_missing_shard_said_last_is_shown() {
        let logs = shell::scratch("shard-logs").unwrap();
        fs::create_dir_all(logs.join("shards")).unwrap();
        for index in [0, 1, 4] {
            fs::write(logs.join(format!("shards/runs-{index:05}-of-00005.csv")), "").unwrap();
        }
        fs::write(logs.join("shard-2.log"), "one\ntwo\nthree\nfour\nerror: no space\n").unwrap();
        let words = array(logs, "").complaint();
        assert!(
            words.contains("missing: 2-3") && words.ends_with("error: no space") && !words.contains("one"),
            "{words}"
        );
    }
}
