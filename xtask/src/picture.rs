//! `cargo xtask picture`: the pictures of README and guide, drawn by `sim-cli render` from runs made now, so that they cannot go stale.

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

/// A picture: where it lies, the scenario, and how it is drawn. README and guide show the same flags.
struct Picture {
    file: &'static str,
    scenario: &'static str,
    flags: &'static [&'static str],
}

const PICTURES: [Picture; 5] = [
    Picture {
        file: "docs/picture/swarm-30.png",
        scenario: "swarm-30",
        flags: &["--at", "244.6", "--size", "1000", "--small"],
    },
    Picture {
        file: "docs/picture/cubes-tour.png",
        scenario: "cubes-tour",
        flags: &["--at", "4.5", "--size", "1000", "--small", "--theme", "light"],
    },
    Picture {
        file: "docs/picture/car-loop.png",
        scenario: "car-loop",
        flags: &["--at", "40.3", "--size", "1000", "--small"],
    },
    Picture {
        file: "docs/picture/sea-fleet.png",
        scenario: "sea-fleet",
        flags: &["--at", "300", "--size", "1000", "--small"],
    },
    Picture {
        file: "docs/picture/sea-map-error.png",
        scenario: "survey",
        flags: &["--chart", "map-error", "--size", "900"],
    },
];

/// A picture that is larger makes a page slow.
const MAX_BYTES: usize = 200_000;

pub fn run(options: &Options) -> Result<()> {
    let sim_cli = shell::build_sim_cli(Profile::Release)?;
    let scratch = shell::scratch("picture")?;
    for picture in &PICTURES {
        let drawn = draw(&sim_cli, picture, &scratch)?;
        let Picture { file, .. } = picture;
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

fn draw(sim_cli: &Path, picture: &Picture, scratch: &Path) -> Result<Vec<u8>> {
    let (run, out) = (scratch.join(picture.scenario), scratch.join("picture.png"));
    let scenario = format!("scenarios/{}.json", picture.scenario);
    shell::output(shell::program(sim_cli).args(["run", &scenario, "--quiet", "--overwrite", "--out"]).arg(&run))?;
    let mut render = shell::program(sim_cli);
    render.arg("render").arg(&run).args(picture.flags).args(["--quiet", "--overwrite", "--out"]).arg(&out);
    shell::output(&mut render)?;
    fs::read(&out).with_context(|| format!("{} could not be read", out.display()))
}
