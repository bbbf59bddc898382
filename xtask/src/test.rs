//! `cargo xtask test`: all tests, and one closing line that speaks for all of them.

use crate::shell::{self, Profile, Watch};
use crate::tally::{self, Tally};
use crate::{accept, dist, golden, python};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Args, Default)]
pub struct Options {
    /// Only the Rust tests: no release build, no seeds, no shell and Python checks
    #[arg(long)]
    pub rust_only: bool,
    /// A check of about a minute with the release build: golden results, and what a new user does first
    #[arg(long, conflicts_with_all = ["rust_only", "install"])]
    pub quick: bool,
    /// Install what checks lack: packages of Debian (as root), PyPI and npm. Without it such checks are skipped; CI=true says the same
    #[arg(long)]
    pub install: bool,
}

impl Options {
    fn may_install(&self) -> bool {
        self.install || std::env::var("CI").is_ok_and(|value| value == "true")
    }
}

/// Exit status by which a check says that it could not be made here.
const SKIPPED: i32 = 77;

/// Runs whose tables are read with pandas, beside those that are recomputed: scenario and flags.
const READ: [(&str, &[&str]); 3] = [
    ("swarm-10", &["--steps", "600", "--runs", "3"]),
    (
        "sea-fleet",
        &["--steps", "3000", "--runs", "2", "--set", "trace.forces=true", "--set", r#"trace.particles={"count": 50}"#],
    ),
    ("sea-dive", &["--steps", "3000"]),
];

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
    let tally = if options.quick { smoke_test()? } else { all_tests(options)? };
    println!("\n{tally}; finished in {:.2}s", watch.seconds());
    ensure!(tally.failed == 0, "{} tests failed", tally.failed);
    Ok(())
}

fn all_tests(options: &Options) -> Result<Tally> {
    let install = options.may_install();
    println!("all Rust tests: the first build takes about 10 minutes on two cores and 5 GB; `--quick` takes a minute");
    let mut tally = rust_tests()?;
    if !options.rust_only {
        let sim_cli = shell::build_sim_cli(Profile::Release)?;
        tally.add(shell_checks(&sim_cli, install)?);
        tally.add(python_checks(&sim_cli, install)?);
        println!("\na part of the acceptance runs: about a minute on two cores");
        tally.add(accept::part(&sim_cli)?);
        if !install {
            println!("\nnothing was installed: `--install` lets checks that were skipped above get what they lack");
        }
    }
    Ok(tally)
}

/// What a visitor wants to know: does this build compute and write here what it does elsewhere, and do the first commands work?
fn smoke_test() -> Result<Tally> {
    let sim_cli = shell::build_sim_cli(Profile::Release)?;
    let options = golden::Options { sim_cli: Some(sim_cli.clone()), ..golden::Options::default() };
    let mut tally = Tally::default();
    match golden::run(&options) {
        Ok(()) => tally.passed = 1,
        Err(error) => {
            println!("FAILED: {error:#}");
            tally.failed = 1;
        }
    }
    let script = shell::root().join("tests/new_user.sh");
    let scratch = shell::scratch("shell")?;
    let mut check = shell::program("bash");
    check.arg(script).env("ARCHIVE", dist::pack(&sim_cli, &sim_cli, "here", &scratch)?).env("SCRATCH", scratch);
    tally.add(counted(&mut check)?);
    Ok(tally)
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

/// `tests/*.sh`: the binary as a user has it, given as `$SIM_CLI`, packed as users get it, given as `$ARCHIVE`, and as the tests build it,
/// given as `$SIM_CLI_DEBUG`. They install what they lack only if `$MAY_INSTALL` is `yes`.
fn shell_checks(sim_cli: &Path, install: bool) -> Result<Tally> {
    let debug = shell::build_sim_cli(Profile::Debug)?;
    let scratch = shell::scratch("shell")?;
    let archive = dist::pack(sim_cli, sim_cli, "here", &scratch)?;
    let mut tally = Tally::default();
    for script in shell_scripts()? {
        let mut check = shell::program("bash");
        check.arg(script).env("SIM_CLI", sim_cli).env("SIM_CLI_DEBUG", &debug).env("SCRATCH", &scratch);
        check.env("ARCHIVE", &archive).env("MAY_INSTALL", if install { "yes" } else { "no" });
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
fn python_checks(sim_cli: &Path, install: bool) -> Result<Tally> {
    let Some(python) = python::prepare(install)? else {
        return Ok(Tally { skipped: (2 * RECOMPUTED.len() + READ.len()) as u64 + 2, ..Tally::default() });
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
    for (name, flags) in READ {
        let folder = fresh_run(sim_cli, name, flags)?;
        tally.add(counted(script("tables_in_pandas.py").arg(&folder))?);
    }
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
    fn checks_lack_what_they_lack_unless_installing_was_asked_for() {
        let root = shell::root();
        for (script, missing) in [("replay_page", "is not installed"), ("page_types", "TypeScript is not installed")] {
            let scratch = shell::scratch(&format!("install-test-{script}")).unwrap();
            let mut check = shell::program("bash");
            check.arg(root.join(format!("tests/{script}.sh"))).env("SCRATCH", &scratch).env("MAY_INSTALL", "no");
            let output = check.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(output.status.code(), Some(SKIPPED), "{said}");
            assert!(said.contains(missing) && said.lines().count() == 1, "{said}");
            assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0, "{script} wrote something");
        }
    }

    #[test]
    fn a_check_passes_fails_or_is_skipped() {
        let outcome = |script: &str| counted(shell::program("sh").args(["-c", script])).unwrap();
        assert_eq!(outcome("exit 0"), Tally { passed: 1, ..Tally::default() });
        assert_eq!(outcome("exit 77"), Tally { skipped: 1, ..Tally::default() });
        assert_eq!(outcome("exit 1"), Tally { failed: 1, ..Tally::default() });
        assert_eq!(outcome("kill -9 $$"), Tally { failed: 1, ..Tally::default() });
    }
}
