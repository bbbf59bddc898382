//! A Python for the checks that must not share code with us: one with the libraries that they want if those can be had, any other if not.

use crate::shell;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// A library that some check imports, and what pip is asked for.
struct Library {
    import: &'static str,
    package: &'static str,
}

/// What the environment gets. Ranges where any version reads or computes the same.
const LIBRARIES: [Library; 3] = [
    Library { import: "pandas", package: "pandas>=2.0,<4" },
    Library { import: "scipy", package: "scipy>=1.11,<2" },
    Library { import: "vehiclemodels", package: "commonroad-vehicle-models==3.0.2" },
];

/// Finds an interpreter. With `install`, makes a virtual environment under the target folder and installs what is missing there;
/// without, takes that environment if it is there and any other Python if not. A check skips itself if its library is not there.
pub fn prepare(install: bool) -> Result<Option<PathBuf>> {
    let folder = shell::target_folder()?.join("venv");
    let python = folder.join("bin/python");
    if !shell::works(shell::program("python3").arg("--version")) {
        println!("SKIPPED: the Python checks: there is no python3 on this machine");
        return Ok(None);
    }
    let has_pip = || shell::works(shell::program(&python).args(["-m", "pip", "--version"]));
    if !install {
        return Ok(Some(if has_pip() { python } else { "python3".into() }));
    }
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
        is_there() || (shell::works(shell::program(python).args(pip).arg(self.package)) && is_there())
    }
}
