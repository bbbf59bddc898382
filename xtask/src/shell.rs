//! Starting other programs from the root of the repository.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The root of the repository.
pub fn root() -> PathBuf {
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    own.parent().map_or(own.clone(), Path::to_path_buf)
}

/// A command that starts in the root of the repository.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The same cargo that started us.
pub fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Says what is run, runs it, and fails if it fails. Standard output is left to the program.
pub fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    eprintln!("$ {line}");
    let status = command.status().with_context(|| format!("`{line}` could not be started"))?;
    ensure!(status.success(), "`{line}` failed ({status})");
    Ok(())
}

/// Runs a command quietly and returns what it printed; its standard error is shown only if it fails.
pub fn output(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command.output().with_context(|| format!("`{line}` could not be started"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` printed something that is not UTF-8"))
}

/// True if the command can be started and succeeds; nothing of it is shown.
pub fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The command as one would type it, with paths below the root shortened.
pub fn describe(command: &Command) -> String {
    let root = format!("{}/", root().display());
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<String> = words.map(|word| word.to_string_lossy().replace(&root, "")).collect();
    let line = line.join(" ");
    match line.split_once(' ') {
        Some((first, rest)) if first.ends_with("/cargo") => format!("cargo {rest}"),
        _ => line,
    }
}

/// How the simulator is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// As users run it.
    Release,
    /// As tests run it.
    Debug,
}

/// Builds `sim-cli` and returns the path of the binary.
pub fn build_sim_cli(profile: Profile) -> Result<PathBuf> {
    let (folder, flags, minutes): (_, &[&str], _) = match profile {
        Profile::Release => ("release", &["--release"], 3),
        Profile::Debug => ("debug", &[], 4),
    };
    let binary = target_folder()?.join(folder).join(format!("sim-cli{}", std::env::consts::EXE_SUFFIX));
    if !binary.is_file() {
        eprintln!("the first {folder} build of the simulator takes about {minutes} minutes on two cores");
    }
    run(cargo().args(["build", "--package", "sim-cli"]).args(flags))?;
    ensure!(binary.is_file(), "{} is not there after a build without errors", binary.display());
    Ok(binary)
}

/// Builds an example of a crate as tests run it and returns the path of the binary.
pub fn build_example(package: &str, example: &str) -> Result<PathBuf> {
    run(cargo().args(["build", "--package", package, "--example", example]))?;
    let name = format!("{example}{}", std::env::consts::EXE_SUFFIX);
    let binary = target_folder()?.join("debug/examples").join(name);
    ensure!(binary.is_file(), "{} is not there after a build without errors", binary.display());
    Ok(binary)
}

/// Where cargo puts what it builds.
pub fn target_folder() -> Result<PathBuf> {
    let text = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).context("cargo metadata")?;
    let folder = metadata["target_directory"].as_str().context("cargo metadata names no target_directory")?;
    Ok(folder.into())
}

/// A folder below the target folder for what a chore writes.
pub fn scratch(name: &str) -> Result<PathBuf> {
    let folder = target_folder()?.join("xtask").join(name);
    std::fs::create_dir_all(&folder).with_context(|| format!("could not create {}", folder.display()))?;
    Ok(folder)
}

/// All scenarios: the JSON files under `scenarios/` without the schema, by name.
pub fn scenarios() -> Result<Vec<String>> {
    let folder = root().join("scenarios");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("could not read {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(stem) = name.strip_suffix(".json").filter(|stem| !stem.ends_with(".schema")) {
            names.push(stem.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The wall clock, for the chores that time something.
#[derive(Clone, Copy, Debug)]
pub struct Watch(Instant);

impl Watch {
    /// Starts now.
    #[expect(clippy::disallowed_methods, reason = "chores may look at the clock; results may not")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start.
    pub fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// Reads a text file below the root.
pub fn read(path: impl AsRef<Path>) -> Result<String> {
    let path = root().join(path);
    std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))
}

/// Writes a text file below the root, unless it already says so; tells which of the two.
pub fn write_if_changed(path: impl AsRef<Path>, text: &str) -> Result<()> {
    let shown = path.as_ref().display().to_string();
    let path = root().join(path);
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        println!("{shown} is up to date");
        return Ok(());
    }
    std::fs::write(&path, text).with_context(|| format!("could not write {}", path.display()))?;
    println!("{shown} written");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("/somewhere/bin/cargo");
        command.args(["build".into(), root().join("a/b").into_os_string()]);
        assert_eq!(describe(&command), "cargo build a/b");
        assert_eq!(describe(&Command::new("git")), "git");
    }

    #[test]
    fn a_failing_command_is_named_with_what_it_said() {
        let error = output(program("sh").args(["-c", "echo broken >&2; exit 3"])).unwrap_err().to_string();
        assert!(error.contains("sh -c") && error.contains("broken"), "{error}");
        assert!(run(&mut program("false")).is_err());
        assert!(!works(&mut program("a-program-that-is-not-there")));
    }
}
