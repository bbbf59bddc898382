//! The command that makes a run again.

use crate::args::RunArgs;
use sim_run::shell::quoted;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What the command of every run of this scenario has in common.
#[derive(Clone, Debug)]
pub struct Repeat {
    words: Vec<String>,
    trace: Vec<String>,
}

impl Repeat {
    /// Takes over what the user typed, as far as it decides what comes out.
    pub fn new(args: &RunArgs, seed: u64) -> Self {
        let mut words = vec!["sim-cli".to_owned(), "run".to_owned(), args.scenario.display().to_string()];
        // An override shows itself as its flag and value; the value may hold blanks, the flag does not.
        let sets = args.set.iter().map(|set| set.to_string().replacen("--set ", "", 1));
        words.extend(sets.flat_map(|set| ["--set".to_owned(), set]));
        words.extend(args.steps.iter().flat_map(|steps| ["--steps".to_owned(), steps.to_string()]));
        words.extend(args.duration.iter().flat_map(|time| ["--duration".to_owned(), time.0.to_string()]));
        words.extend(["--seed".to_owned(), seed.to_string()]);
        words.extend(args.inputs.iter().flat_map(|folder| ["--inputs".to_owned(), folder.display().to_string()]));
        let mut trace = Vec::new();
        trace.extend(args.trace_every.iter().flat_map(|every| ["--trace-every".to_owned(), every.to_string()]));
        trace.extend(args.no_trace.then(|| "--no-trace".to_owned()));
        Self { words, trace }
    }

    /// The command for the run that went to `out`, into a folder beside it.
    pub fn one(&self, run_index: u64, out: &Path) -> String {
        self.command(&["--run-index".to_owned(), run_index.to_string()], &self.trace, &beside(out, "again"))
    }

    /// The command for one run of the batch that went to `out`, into a folder beside it, with its tables.
    pub fn of_batch(&self, run_index: u64, out: &Path) -> String {
        let trace: Vec<String> = self.trace.iter().filter(|word| *word != "--no-trace").cloned().collect();
        let folder = beside(out, &format!("run-{run_index}"));
        self.command(&["--run-index".to_owned(), run_index.to_string()], &trace, &folder)
    }

    /// The command for the whole batch that went to `out`, into a folder beside it.
    pub fn batch(&self, runs: u64, out: &Path) -> String {
        self.command(&["--runs".to_owned(), runs.to_string()], &self.trace, &beside(out, "again"))
    }

    fn command(&self, which: &[String], trace: &[String], out: &Path) -> String {
        let out = ["--out".to_owned(), out.display().to_string()];
        let words = self.words.iter().chain(which).chain(trace).chain(&out);
        words.map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// `out/a` and `again` make `out/a-again`.
fn beside(out: &Path, word: &str) -> PathBuf {
    match out.file_name().and_then(OsStr::to_str) {
        Some(name) => out.with_file_name(format!("{name}-{word}")),
        None => out.join(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn repeat(line: &[&str]) -> Repeat {
        let words = ["sim-cli", "run", "my swarm.json"].iter().chain(line);
        let Command::Run(args) = Cli::try_parse_from(words).unwrap().command else { panic!("not a run") };
        Repeat::new(&args, 7)
    }

    #[test]
    fn what_decides_the_run_is_kept_and_the_rest_is_not() {
        let repeat =
            repeat(&["--set", "agents.count=20", "--steps", "60", "--runs", "9", "--no-trace", "--accept", "-v"]);
        let base = "sim-cli run 'my swarm.json' --set agents.count=20 --steps 60 --seed 7";
        let out = Path::new("out/a");
        assert_eq!(repeat.one(3, out), format!("{base} --run-index 3 --no-trace --out out/a-again"));
        assert_eq!(repeat.of_batch(3, out), format!("{base} --run-index 3 --out out/a-run-3"));
        assert_eq!(repeat.batch(9, out), format!("{base} --runs 9 --no-trace --out out/a-again"));
    }

    #[test]
    fn folders_are_beside_each_other() {
        assert_eq!(beside(Path::new(".."), "again"), Path::new("../again"));
    }
}
