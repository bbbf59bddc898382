//! `cargo xtask accept`: the claims of `docs/results.md`, measured through the release binary, and the tables that state them.
//!
//! No setting was tuned with the default seed; `--seed` measures with another one.

mod claims;
mod expect;
mod measured;
mod report;

use crate::shell::{self, Profile};
use crate::table::Table;
use crate::tally::Tally;
use crate::{markdown, shell::Watch};
use anyhow::{Context, Result, ensure};
use claims::{CLAIMS, COMPARED, COMPARED_ON, COMPARED_RUNS, CUBES, Claim};
use clap::Args;
use expect::Answer;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Seed of the acceptance runs.
const SEED: u64 = 770_001;
/// Seed of the part that every test run makes.
const SEED_IN_TEST: u64 = 770_002;

#[derive(Args)]
pub struct Options {
    /// Make one in N of the runs, at least two of each claim
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    part: u64,
    /// Only claims with this letter; may be given more than once
    #[arg(long, value_name = "LETTER", value_parser = ["a", "b", "c", "d", "e"])]
    item: Vec<String>,
    /// The claims of the swarm driven through cubes instead: their own table, and as long again
    #[arg(long, conflicts_with = "item")]
    cubes: bool,
    /// Seed of the scenarios
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Runs at the same time; all cores without it
    #[arg(long)]
    jobs: Option<usize>,
    /// Write the tables into docs/results.md, and the rates that `sim-cli check` states
    #[arg(long, conflicts_with = "item")]
    write: bool,
}

pub fn run(options: &Options) -> Result<()> {
    let sim_cli = shell::build_sim_cli(Profile::Release)?;
    let batch = |scenario, changes: &[&str], runs: u64| {
        let runs = (runs / options.part).max(2);
        Batch { sim_cli: &sim_cli, scenario, changes, runs, seed: options.seed, jobs: options.jobs }.run()
    };
    let is_wanted = |item: &str| match options.item.as_slice() {
        [] => (item == CUBES) == options.cubes,
        letters => letters.iter().any(|letter| letter == item),
    };
    let watch = Watch::start();

    let mut judged = Vec::new();
    for claim in CLAIMS.iter().filter(|claim| is_wanted(claim.item)) {
        let outcome = batch(claim.scenario, claim.changes, claim.runs)?;
        judged.push(Judged::new(claim, outcome)?);
    }
    let mut compared = Vec::new();
    for filter in COMPARED.into_iter().filter(|_| is_wanted("e")) {
        compared.push((filter, batch(COMPARED_ON, &[&format!("safety.filter={filter}")], COMPARED_RUNS)?));
    }

    let (marker, flag) = if options.cubes { ("accept-cubes", " --cubes") } else { ("accept", "") };
    let part = if options.part > 1 { format!(" --part {}", options.part) } else { String::new() };
    let command = format!("cargo xtask accept{flag}{part} --seed {}", options.seed);
    let body = report::body(&judged, &compared, &command)?;
    println!("\n{body}\n{:.0} s in all", watch.seconds());
    if options.write {
        markdown::write_result(marker, &body)?;
        measured::write()?;
    }
    let failures: Vec<String> = judged.iter().flat_map(Judged::failures).collect();
    ensure!(failures.is_empty(), "not met:\n{}", failures.join("\n"));
    Ok(())
}

/// The part of the claims that every test run makes, each counted as one test.
pub fn part(sim_cli: &Path) -> Result<Tally> {
    let mut tally = Tally::default();
    for claim in CLAIMS.iter().filter(|claim| claim.runs_in_test > 0) {
        let Claim { scenario, changes, runs_in_test, .. } = *claim;
        let batch = Batch { sim_cli, scenario, changes, runs: runs_in_test, seed: SEED_IN_TEST, jobs: None };
        let judged = Judged::new(claim, batch.run()?)?;
        let failures: Vec<String> = judged.failures().collect();
        failures.iter().for_each(|failure| println!("FAILED {failure}"));
        match failures.len() {
            0 => tally.passed += 1,
            _ => tally.failed += 1,
        }
    }
    Ok(tally)
}

/// Some runs of one scenario.
struct Batch<'a> {
    sim_cli: &'a Path,
    scenario: &'a str,
    changes: &'a [&'a str],
    runs: u64,
    seed: u64,
    jobs: Option<usize>,
}

/// Result of a batch.
pub struct Outcome {
    /// One row a run.
    runs: Table,
    /// Robots times steps per second over all jobs.
    agent_steps_per_s: f64,
}

impl Batch<'_> {
    fn run(&self) -> Result<Outcome> {
        let folder = self.folder()?;
        let mut command = shell::program(self.sim_cli);
        command.args(["run", &format!("scenarios/{}.json", self.scenario), "--no-trace", "--overwrite", "-q"]);
        command.args(["--runs", &self.runs.to_string(), "--seed", &self.seed.to_string()]);
        if let Some(jobs) = self.jobs {
            command.args(["--jobs", &jobs.to_string()]);
        }
        command.args(self.changes.iter().flat_map(|change| ["--set", change]));
        shell::run(command.arg("--out").arg(&folder))?;
        let runs = Table::read(&folder.join("runs.csv"))?;
        ensure!(runs.len() as u64 == self.runs, "{} of {} runs are in runs.csv", runs.len(), self.runs);
        let timing: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("timing.json"))?)?;
        let agent_steps_per_s = timing["agent_steps_per_s"].as_f64().context("timing.json has no agent_steps_per_s")?;
        Ok(Outcome { runs, agent_steps_per_s })
    }

    fn folder(&self) -> Result<PathBuf> {
        let words = std::iter::once(self.scenario).chain(self.changes.iter().copied());
        let name: Vec<String> = words.map(|word| word.replace(['=', '.'], "-")).collect();
        Ok(shell::scratch("accept")?.join(name.join("_")))
    }
}

/// A claim with its answers.
pub struct Judged {
    claim: Claim,
    outcome: Outcome,
    answers: Vec<Answer>,
}

impl Judged {
    fn new(claim: &Claim, outcome: Outcome) -> Result<Self> {
        let answers: Vec<Answer> =
            claim.expect.iter().map(|expect| expect.judge(&outcome.runs)).collect::<Result<_>>()?;
        answers.iter().for_each(|answer| println!("    {}", answer.words));
        Ok(Self { claim: claim.clone(), outcome, answers })
    }

    fn failures(&self) -> impl Iterator<Item = String> {
        let failed = self.answers.iter().filter(|answer| answer.is_failure);
        failed.map(|answer| format!("({}) {}: {}", self.claim.item, self.claim.title, answer.words))
    }
}
