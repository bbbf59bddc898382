//! `cargo xtask dist`: archives of the program for people who build nothing.

use crate::checksum::sha256;
use crate::shell;
use anyhow::{Context, Result, ensure};
use clap::Args;
use flate2::{Compression, GzBuilder};
use std::fs;
use std::path::{Path, PathBuf};
use tar::{Builder, Header};

#[derive(Args)]
pub struct Options {
    /// A target to build for, as `rustup target list` names them; may be given many times [default: this machine's, and 64-bit ARM]
    #[arg(long)]
    target: Vec<String>,
    /// Folder for the archives
    #[arg(long, default_value = "dist")]
    out: PathBuf,
}

/// What lies in an archive beside the program and its completions.
const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
const FOLDERS: [&str; 4] = ["docs", "scenarios", "sweeps", "vehicles"];

/// Shells whose completions are packed, and the files in which these shells look for them.
const SHELLS: [(&str, &str); 3] = [("bash", "sim-cli.bash"), ("fish", "sim-cli.fish"), ("zsh", "_sim-cli")];

/// 64-bit ARM without a system library: small computers, phones, clouds.
const ARM: &str = "aarch64-unknown-linux-musl";

type Archive = Builder<flate2::write::GzEncoder<fs::File>>;

pub fn run(options: &Options) -> Result<()> {
    let targets = if options.target.is_empty() { default_targets()? } else { options.target.clone() };
    let out = shell::root().join(&options.out);
    for target in targets {
        let binary = build(&target)?;
        let runs_here = shell::works(shell::program(&binary).arg("--version"));
        let completing = if runs_here { binary.clone() } else { shell::build_sim_cli(shell::Profile::Release)? };
        let archive = pack(&binary, &completing, &target, &out)?;
        let megabytes = fs::metadata(&archive)?.len() as f64 / 1e6;
        println!("{} ({megabytes:.1} MB), and its checksum beside it", archive.display());
    }
    Ok(())
}

/// This machine's target and 64-bit ARM; the forms that need no system library, where their standard library is installed.
fn default_targets() -> Result<Vec<String>> {
    let host = host()?;
    let still = host.replace("-linux-gnu", "-linux-musl");
    let mut targets = vec![if is_installed(&still)? { still } else { host }];
    if is_installed(ARM)? {
        targets.push(ARM.to_owned());
    } else {
        println!("without {ARM}: `rustup target add {ARM}` installs its standard library");
    }
    targets.dedup();
    Ok(targets)
}

fn host() -> Result<String> {
    let about = shell::output(shell::program("rustc").arg("-vV"))?;
    let line = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc names no host")?.to_owned())
}

/// True if the compiler has the standard library of a target.
fn is_installed(target: &str) -> Result<bool> {
    let root = shell::output(shell::program("rustc").args(["--print", "sysroot"]))?;
    Ok(Path::new(root.trim()).join("lib/rustlib").join(target).join("lib").is_dir())
}

/// The stripped program of a target. The linker that comes with Rust serves targets that need no system library.
fn build(target: &str) -> Result<PathBuf> {
    ensure!(is_installed(target)?, "{target} is not installed: `rustup target add {target}`");
    let mut cargo = shell::cargo();
    cargo.args(["build", "--locked", "--package", "sim-cli", "--profile", "dist", "--target", target]);
    if target.ends_with("-linux-musl") {
        let linker = format!("CARGO_TARGET_{}_LINKER", target.replace('-', "_").to_uppercase());
        cargo.env(linker, "rust-lld");
    }
    eprintln!("a whole build for {target}: about three minutes on two cores");
    shell::run(&mut cargo)?;
    let name = if target.contains("-windows-") { "sim-cli.exe" } else { "sim-cli" };
    Ok(shell::target_folder()?.join(target).join("dist").join(name))
}

/// Packs a program with all that belongs to it; `completing` is one that runs here. The same files give the same bytes.
pub fn pack(binary: &Path, completing: &Path, target: &str, out: &Path) -> Result<PathBuf> {
    let name = format!("sim-cli-{}-{target}", env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(out).with_context(|| format!("could not create {}", out.display()))?;
    let path = out.join(format!("{name}.tar.gz"));
    let file = fs::File::create(&path).with_context(|| format!("could not write {}", path.display()))?;
    let mut archive = Builder::new(GzBuilder::new().mtime(0).write(file, Compression::best()));

    let program = binary.file_name().context("a program without a name")?.to_string_lossy();
    add(&mut archive, &format!("{name}/{program}"), &read(binary)?, true)?;
    for file in FILES {
        add(&mut archive, &format!("{name}/{file}"), &read(&shell::root().join(file))?, false)?;
    }
    for folder in FOLDERS {
        add_folder(&mut archive, &format!("{name}/{folder}"), &shell::root().join(folder))?;
    }
    for (shell_name, file) in SHELLS {
        let text = shell::output(shell::program(completing).args(["completions", shell_name]))?;
        add(&mut archive, &format!("{name}/completions/{file}"), text.as_bytes(), false)?;
    }
    archive.into_inner()?.finish()?.sync_all()?;

    let sum = sha256(&read(&path)?);
    fs::write(out.join(format!("{name}.tar.gz.sha256")), format!("{sum}  {name}.tar.gz\n"))?;
    Ok(path)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("could not read {}", path.display()))
}

/// A folder with all below it, in the order of names.
fn add_folder(archive: &mut Archive, name: &str, folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    for path in paths {
        let name = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            add_folder(archive, &name, &path)?;
        } else {
            add(archive, &name, &read(&path)?, false)?;
        }
    }
    Ok(())
}

/// A file that knows neither its moment nor its owner.
fn add(archive: &mut Archive, name: &str, bytes: &[u8], is_program: bool) -> Result<()> {
    let mut header = Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(if is_program { 0o755 } else { 0o644 });
    header.set_mtime(0);
    archive.append_data(&mut header, name, bytes).with_context(|| format!("could not pack {name}"))
}
