//! `cargo xtask schema`: the JSON Schemas that editors use, generated from the code and committed.

use crate::shell::{self, Profile};
use anyhow::{Result, ensure};
use clap::Args;

/// The files, and the flags with which `sim-cli schema` prints them.
const FILES: [(&str, &[&str]); 2] =
    [("scenarios/scenario.schema.json", &["schema"]), ("sweeps/sweep.schema.json", &["schema", "--sweep"])];
/// The file that an example of a crate prints: crate, example, file.
const OF_VEHICLES: [&str; 3] = ["world-sea", "vehicle_schema", "vehicles/vehicle.schema.json"];

#[derive(Args)]
pub struct Options {
    /// Only compare; fail if the committed file is not what the code says
    #[arg(long)]
    pub check: bool,
    /// Use the debug build
    #[arg(long)]
    pub debug: bool,
}

pub fn run(options: &Options) -> Result<()> {
    let profile = if options.debug { Profile::Debug } else { Profile::Release };
    let sim_cli = shell::build_sim_cli(profile)?;
    for (file, flags) in FILES {
        written(file, &shell::output(shell::program(&sim_cli).args(flags))?, options.check)?;
    }
    let [package, example, file] = OF_VEHICLES;
    written(file, &shell::output(&mut shell::program(shell::build_example(package, example)?))?, options.check)
}

/// Writes a file, or compares it.
fn written(file: &str, wanted: &str, check: bool) -> Result<()> {
    if !check {
        return shell::write_if_changed(file, wanted);
    }
    ensure!(shell::read(file)? == wanted, "{file} is not what the code says: run `cargo xtask schema` and commit it");
    println!("{file} is what the code says");
    Ok(())
}
