//! `cargo xtask picture`: the pictures of README and guide, drawn from runs made now, by `sim-cli render` or by an example, so that they
//! cannot go stale.

use crate::shell::{self, Profile};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fs;
use std::path::Path;

#[derive(Args)]
pub struct Options {
    /// Only compare; fail if a committed picture is not what the program draws
    #[arg(long)]
    pub check: bool,
}

/// A picture, and where it lies.
struct Picture {
    file: &'static str,
    source: Source,
}

/// How a picture is made. README and guide show the same commands.
enum Source {
    /// A run of this scenario, drawn with these flags.
    Run(&'static str, &'static [&'static str]),
    /// A program of `examples/`, which leaves the picture under its own name in the folder that it is given.
    Example(&'static str),
}

const PICTURES: [Picture; 6] = [
    Picture {
        file: "docs/picture/swarm-30.png",
        source: Source::Run("swarm-30", &["--at", "244.6", "--size", "1000", "--small"]),
    },
    Picture {
        file: "docs/picture/cubes-tour.png",
        source: Source::Run("cubes-tour", &["--at", "4.5", "--size", "1000", "--small", "--theme", "light"]),
    },
    Picture {
        file: "docs/picture/car-loop.png",
        source: Source::Run("car-loop", &["--at", "40.3", "--size", "1000", "--small"]),
    },
    Picture {
        file: "docs/picture/sea-fleet.png",
        source: Source::Run("sea-fleet", &["--at", "300", "--size", "1000", "--small"]),
    },
    Picture {
        file: "docs/picture/sea-map-error.png",
        source: Source::Run("survey", &["--chart", "map-error", "--size", "900"]),
    },
    Picture { file: "docs/picture/behaviours.png", source: Source::Example("behaviours") },
];

/// A picture that is larger makes a page slow.
const MAX_BYTES: usize = 200_000;

pub fn run(options: &Options) -> Result<()> {
    let sim_cli = shell::build_sim_cli(Profile::Release)?;
    let scratch = shell::scratch("picture")?;
    for picture in &PICTURES {
        let Picture { file, source } = picture;
        let drawn = match source {
            Source::Run(scenario, flags) => draw(&sim_cli, (scenario, flags), &scratch)?,
            Source::Example(name) => draw_by_example(name, &scratch)?,
        };
        ensure!(drawn.len() <= MAX_BYTES, "{file} would have {} bytes, more than {MAX_BYTES}", drawn.len());
        let path = shell::root().join(file);
        let is_same = fs::read(&path).is_ok_and(|committed| committed == drawn);
        ensure!(
            is_same || !options.check,
            "{file} is not what the program draws: run `cargo xtask picture`, look at it, commit it"
        );
        if !is_same {
            fs::create_dir_all(path.parent().context("a picture lies in a folder")?)?;
            fs::write(&path, &drawn).with_context(|| format!("{file} could not be written"))?;
        }
        println!("{file} {}, {} bytes", if is_same { "is what the program draws" } else { "is new" }, drawn.len());
    }
    Ok(())
}

fn draw(sim_cli: &Path, (scenario, flags): (&str, &[&str]), scratch: &Path) -> Result<Vec<u8>> {
    let (run, out) = (scratch.join(scenario), scratch.join("picture.png"));
    let scenario = format!("scenarios/{scenario}.json");
    shell::output(shell::program(sim_cli).args(["run", &scenario, "--quiet", "--overwrite", "--out"]).arg(&run))?;
    let mut render = shell::program(sim_cli);
    render.arg("render").arg(&run).args(flags).args(["--quiet", "--overwrite", "--out"]).arg(&out);
    shell::output(&mut render)?;
    read(&out)
}

/// Examples replace no run, so the folder goes before and after.
fn draw_by_example(name: &str, scratch: &Path) -> Result<Vec<u8>> {
    let out = scratch.join(name);
    let remove = || fs::remove_dir_all(&out).with_context(|| format!("{} could not be removed", out.display()));
    if out.exists() {
        remove()?;
    }
    shell::output(
        shell::cargo().args(["run", "--release", "--quiet", "-p", "examples", "--bin", name]).arg("--").arg(&out),
    )?;
    let drawn = read(&out.join(format!("{name}.png")))?;
    remove()?;
    Ok(drawn)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{} could not be read", path.display()))
}
