//! A Python for the checks that must not share code with us: one with pandas and scipy if they can be had, any other if not.

use crate::shell;
use anyhow::Result;
use std::path::PathBuf;

/// What the environment gets. Ranges, because any of these reads CSV, and knows its distributions, the same way.
const PACKAGES: [&str; 2] = ["pandas>=2.0,<4", "scipy>=1.11,<2"];

/// Finds an interpreter, or makes a virtual environment with pandas and scipy under the target folder. What is missing is said and
/// is no error.
pub fn prepare() -> Result<Option<PathBuf>> {
    let folder = shell::target_folder()?.join("venv");
    let python = folder.join("bin/python");
    let has_packages = || shell::works(shell::program(&python).args(["-c", "import pandas, scipy"]));
    if has_packages() {
        return Ok(Some(python));
    }
    if !shell::works(shell::program("python3").arg("--version")) {
        println!("SKIPPED: the Python checks: there is no python3 on this machine");
        return Ok(None);
    }
    println!("making a Python environment with pandas and scipy in {}", folder.display());
    let made = shell::works(shell::program("python3").args(["-m", "venv"]).arg(&folder));
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    if made && shell::works(shell::program(&python).args(pip).args(PACKAGES)) && has_packages() {
        return Ok(Some(python));
    }
    let reason =
        if made { "they could not be installed (is there a network?)" } else { "Debian packs it in python3-venv" };
    println!("no environment with pandas and scipy: {reason}. Checks that need them will be skipped.");
    Ok(Some(if made { python } else { "python3".into() }))
}
