//! `cargo xtask schema`: the JSON Schemas that editors use, generated from the code and committed.

use crate::shell::{self, Profile};
use anyhow::{Result, ensure};
use clap::Args;
use std::path::Path;

/// The files, and the flags with which `sim-cli schema` prints them.
const FILES: [(&str, &[&str]); 2] =
    [("scenarios/scenario.schema.json", &["schema"]), ("sweeps/sweep.schema.json", &["schema", "--sweep"])];

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
    for (file, flags) in FILES {
        let wanted = shell::output(shell::program(sim_cli).args(flags))?;
        if !check {
            shell::write_if_changed(file, &wanted)?;
            continue;
        }
        ensure!(
            shell::read(file)? == wanted,
            "{file} is not what the code says: run `cargo xtask schema` and commit it"
        );
        println!("{file} is what the code says");
    }
    Ok(())
}
