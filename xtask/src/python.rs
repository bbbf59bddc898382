//! A Python for the checks that must not share code with us: one with pandas if that can be had, any other if not.

use crate::shell;
use anyhow::Result;
use std::path::PathBuf;

/// What the environment gets. A range, because any of these reads CSV the same way.
const PACKAGES: &str = "pandas>=2.0,<4";

/// Finds an interpreter, or makes a virtual environment with pandas under the target folder. What is missing is said and is no error.
pub fn prepare() -> Result<Option<PathBuf>> {
    let folder = shell::target_folder()?.join("venv");
    let python = folder.join("bin/python");
    let has_pandas = || shell::works(shell::program(&python).args(["-c", "import pandas"]));
    if has_pandas() {
        return Ok(Some(python));
    }
    if !shell::works(shell::program("python3").arg("--version")) {
        println!("SKIPPED: the Python checks: there is no python3 on this machine");
        return Ok(None);
    }
    println!("making a Python environment with pandas in {}", folder.display());
    let made = shell::works(shell::program("python3").args(["-m", "venv"]).arg(&folder));
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGES];
    if made && shell::works(shell::program(&python).args(pip)) && has_pandas() {
        return Ok(Some(python));
    }
    let reason =
        if made { "pandas could not be installed (is there a network?)" } else { "Debian packs it in python3-venv" };
    println!("no environment with pandas: {reason}. Checks that need pandas will be skipped.");
    Ok(Some("python3".into()))
}
