//! `cargo xtask schema`: the JSON Schema that editors use, generated from the code and committed.

use crate::shell::{self, Profile};
use anyhow::{Result, ensure};
use clap::Args;
use std::path::Path;

const FILE: &str = "scenarios/scenario.schema.json";

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
    with_binary(&shell::build_sim_cli(profile)?, options.check)
}

/// The same with a binary that is there already.
pub fn with_binary(sim_cli: &Path, check: bool) -> Result<()> {
    let wanted = shell::output(shell::program(sim_cli).arg("schema"))?;
    if !check {
        return shell::write_if_changed(FILE, &wanted);
    }
    let same = shell::read(FILE)? == wanted;
    ensure!(same, "{FILE} is not what the code says: run `cargo xtask schema` and commit the file");
    println!("{FILE} is what the code says");
    Ok(())
}
