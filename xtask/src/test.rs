//! `cargo xtask test`: all tests, and one closing line that speaks for all of them.

use crate::accept;
use crate::python;
use crate::shell::{self, Profile, Watch};
use crate::tally::{self, Tally};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Args, Default)]
pub struct Options {
    /// Only the Rust tests: no release build, no seeds, no shell and Python checks
    #[arg(long)]
    rust_only: bool,
}

/// Exit status by which a check says that it could not be made here.
const SKIPPED: i32 = 77;

/// Scenarios of which every step is written down and recomputed in Python, with the flags of `tests/check_run.py`. The last one breaks
/// distances, so that counting them is checked as well.
const RECOMPUTED: [(&str, &[&str]); 4] = [
    ("swarm-30", &["--expect-zero"]),
    ("swarm-30-considerate", &["--expect-zero"]),
    ("swarm-30-differential", &[]),
    ("baseline-orca", &[]),
];

pub fn run(options: &Options) -> Result<()> {
    let watch = Watch::start();
    let mut tally = rust_tests()?;
    if !options.rust_only {
        let sim_cli = shell::build_sim_cli(Profile::Release)?;
        tally.add(shell_checks(&sim_cli)?);
        tally.add(python_checks(&sim_cli)?);
        tally.add(accept::part(&sim_cli)?);
    }
    println!("\n{tally}; finished in {:.2}s", watch.seconds());
    ensure!(tally.failed == 0, "{} tests failed", tally.failed);
    Ok(())
}

fn rust_tests() -> Result<Tally> {
    let has_nextest = shell::works(shell::cargo().args(["nextest", "--version"]));
    if !has_nextest {
        return tally::run_counted(shell::cargo().args(["test", "--workspace", "--no-fail-fast"]));
    }
    let mut tally = tally::run_counted(shell::cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]))?;
    // Nextest leaves the examples in the documentation out.
    tally.add(tally::run_counted(shell::cargo().args(["test", "--doc", "--workspace", "--no-fail-fast"]))?);
    Ok(tally)
}

/// `tests/*.sh`: the binary as a user has it, given as `$SIM_CLI`, and as the tests build it, given as `$SIM_CLI_DEBUG`.
fn shell_checks(sim_cli: &Path) -> Result<Tally> {
    let debug = shell::build_sim_cli(Profile::Debug)?;
    let scratch = shell::scratch("shell")?;
    let mut tally = Tally::default();
    for script in shell_scripts()? {
        let mut check = shell::program("bash");
        check.arg(script).env("SIM_CLI", sim_cli).env("SIM_CLI_DEBUG", &debug).env("SCRATCH", &scratch);
        tally.add(counted(&mut check)?);
    }
    Ok(tally)
}

fn shell_scripts() -> Result<Vec<PathBuf>> {
    let folder = shell::root().join("tests");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("could not read {}", folder.display()))?;
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut scripts: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "sh")).collect();
    scripts.sort();
    ensure!(!scripts.is_empty(), "there is no tests/*.sh");
    Ok(scripts)
}

/// Independent looks at the folders of fresh runs, and at the drives of a car.
fn python_checks(sim_cli: &Path) -> Result<Tally> {
    let Some(python) = python::prepare()? else {
        return Ok(Tally { skipped: 2 * RECOMPUTED.len() as u64 + 3, ..Tally::default() });
    };
    let script = |name: &str| {
        let mut check = shell::program(&python);
        check.arg("-B").arg(shell::root().join("tests").join(name));
        check
    };
    let mut tally = Tally::default();
    for (name, flags) in RECOMPUTED {
        let folder = fresh_run(sim_cli, name, &["--steps", "3600", "--trace-every", "1"])?;
        tally.add(counted(script("check_run.py").arg(&folder).args(flags))?);
        tally.add(counted(script("tables_in_pandas.py").arg(&folder))?);
    }
    let batch = fresh_run(sim_cli, "swarm-10", &["--steps", "600", "--runs", "3"])?;
    tally.add(counted(script("tables_in_pandas.py").arg(&batch))?);
    tally.add(counted(script("sweep_statistics.py").arg(sweep_statistics()?))?);
    let drive = shell::build_example("car-sim", "drive")?;
    tally.add(counted(script("car_commonroad.py").arg(&drive))?);
    Ok(tally)
}

/// Data, and what the statistics of sweeps make of them.
fn sweep_statistics() -> Result<PathBuf> {
    let name = "sweep_statistics";
    let program = shell::build_example("sim-sweep", name)?;
    let path = shell::scratch("python")?.join(format!("{name}.json"));
    std::fs::write(&path, shell::output(&mut shell::program(program))?)?;
    Ok(path)
}

fn fresh_run(sim_cli: &Path, name: &str, flags: &[&str]) -> Result<PathBuf> {
    let folder = shell::scratch("python")?.join(name);
    let mut command = shell::program(sim_cli);
    command.args(["run", &format!("scenarios/{name}.json"), "--overwrite", "-q"]).args(flags).arg("--out").arg(&folder);
    shell::run(&mut command)?;
    Ok(folder)
}

/// Runs a check that counts as one test.
fn counted(check: &mut Command) -> Result<Tally> {
    let line = shell::describe(check);
    println!("\n$ {line}");
    let status = check.status().with_context(|| format!("`{line}` could not be started"))?;
    let mut tally = Tally::default();
    match status.code() {
        Some(0) => tally.passed = 1,
        Some(SKIPPED) => tally.skipped = 1,
        _ => {
            println!("FAILED ({status}): {line}");
            tally.failed = 1;
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_passes_fails_or_is_skipped() {
        let outcome = |script: &str| counted(shell::program("sh").args(["-c", script])).unwrap();
        assert_eq!(outcome("exit 0"), Tally { passed: 1, ..Tally::default() });
        assert_eq!(outcome("exit 77"), Tally { skipped: 1, ..Tally::default() });
        assert_eq!(outcome("exit 1"), Tally { failed: 1, ..Tally::default() });
        assert_eq!(outcome("kill -9 $$"), Tally { failed: 1, ..Tally::default() });
    }
}
