//! A Python for the checks that must not share code with us: one with pandas and scipy if they can be had, any other if not.
//! A Python for the checks that must not share code with us: one with the libraries that they want if those can be had, any other if not.

use crate::shell;
use anyhow::Result;
use std::path::{Path, PathBuf};

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
/// A library that some check imports, and what pip is asked for.
struct Library {
    import: &'static str,
    packages: &'static [&'static str],
}

/// What the environment gets. Ranges where any version reads or computes the same.
const LIBRARIES: [Library; 2] = [
    Library { import: "pandas", packages: &["pandas>=2.0,<4"] },
    Library { import: "vehiclemodels, scipy", packages: &["commonroad-vehicle-models==3.0.2", "scipy>=1.10,<2"] },
];

/// Finds an interpreter, or makes a virtual environment under the target folder and installs what is missing there. What cannot be had
/// is said and is no error: a check skips itself if its library is not there.
pub fn prepare() -> Result<Option<PathBuf>> {
    let folder = shell::target_folder()?.join("venv");
    let python = folder.join("bin/python");
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
    let has_pip = || shell::works(shell::program(&python).args(["-m", "pip", "--version"]));
    if !has_pip() {
        println!("making a Python environment in {}", folder.display());
        let made = shell::works(shell::program("python3").args(["-m", "venv"]).arg(&folder));
        if !made || !has_pip() {
            println!(
                "no Python environment: Debian packs it in python3-venv. Checks that need a library will be skipped."
            );
            return Ok(Some("python3".into()));
        }
    }
    for library in LIBRARIES.iter().filter(|library| !library.install(&python)) {
        let Library { import, .. } = library;
        println!("no {import} in Python (is there a network?): checks that need it will be skipped");
    }
    Ok(Some(python))
}

impl Library {
    /// True if the library can be imported in the end.
    fn install(&self, python: &Path) -> bool {
        let is_there = || shell::works(shell::program(python).args(["-c", &format!("import {}", self.import)]));
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        is_there() || (shell::works(shell::program(python).args(pip).args(self.packages)) && is_there())
    }
}
