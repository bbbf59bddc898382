//! The state that every scenario ends in after some steps.

use super::{Simulator, committed, entries};
use crate::shell;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

const FILE: &str = "golden/hashes.txt";
const HEAD: &str = "# scenario, steps, hash of the state after them. Written by `cargo xtask golden --bless`: say in the commit why.\n";

/// Writes the list, or complains of what differs from it.
pub fn run(simulator: &Simulator, bless: bool) -> Result<Vec<String>> {
    let old = parse(&committed(FILE)?)?;
    let mut new = Lines::new();
    for name in shell::scenarios()? {
        let steps = old.get(&name).map_or_else(|| default_steps(&name), |line| line.steps);
        let hash = hash_after(simulator, &name, steps)?;
        new.insert(name, Line { steps, hash });
    }
    if bless {
        shell::write_if_changed(FILE, &text(&new))?;
        return Ok(Vec::new());
    }
    let complaints = differences(&old, &new);
    if complaints.is_empty() {
        println!("{} scenarios end as {FILE} says", new.len());
    }
    Ok(complaints)
}

/// What the file says about one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    steps: u64,
    hash: String,
}

type Lines = BTreeMap<String, Line>;

/// Long enough for a foot to leave its place and for the swarm to answer; fewer steps for the large ones.
fn default_steps(name: &str) -> u64 {
    match name {
        "plaza-10000" => 60,
        "plaza-1000" => 300,
        _ => 1200,
    }
}

fn parse(text: &str) -> Result<Lines> {
    let mut lines = Lines::new();
    for (line, words) in entries(text) {
        let [name, steps, hash] = words[..] else { bail!("{FILE}: `{line}` is not `scenario steps hash`") };
        let steps = steps.parse().with_context(|| format!("{FILE}: `{steps}` is no number of steps"))?;
        lines.insert(name.to_owned(), Line { steps, hash: hash.to_owned() });
    }
    Ok(lines)
}

fn text(lines: &Lines) -> String {
    let mut text = HEAD.to_owned();
    for (name, Line { steps, hash }) in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} {steps} {hash}");
    }
    text
}

fn differences(old: &Lines, new: &Lines) -> Vec<String> {
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    let mut complaints: Vec<String> = gone.map(|name| format!("{FILE} lists {name}, which is no scenario")).collect();
    for (name, line) in new {
        match old.get(name) {
            None => complaints.push(format!("{FILE} has no line for {name}")),
            Some(known) if known != line => {
                complaints
                    .push(format!("{name} ends in {} after {} steps, not in {}", line.hash, line.steps, known.hash));
            }
            Some(_) => {}
        }
    }
    complaints
}

fn hash_after(simulator: &Simulator, name: &str, steps: u64) -> Result<String> {
    let out = shell::scratch("golden")?.join(name);
    let (scenario, steps) = (format!("scenarios/{name}.json"), steps.to_string());
    let words = ["run", &scenario, "--no-trace", "--overwrite", "--steps", &steps];
    shell::output(&mut simulator.command(&words, &out))?;
    let record: Value = serde_json::from_str(&std::fs::read_to_string(out.join("run.json"))?)?;
    let hash = record["final_state_hash"].as_str();
    Ok(hash.with_context(|| format!("the run.json of {name} has no final_state_hash"))?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        parse(text).unwrap()
    }

    #[test]
    fn the_file_reads_back_as_it_was_written() {
        let written = lines("# words\nstir 1200 00ff\nplaza-1000 300 abcd\n");
        assert_eq!(lines(&text(&written)), written);
        assert!(parse("stir 1200").unwrap_err().to_string().contains("stir 1200"));
        assert!(parse("stir many 00ff").is_err());
    }

    #[test]
    fn a_changed_a_new_and_a_gone_scenario_are_told_apart() {
        let complaints = differences(&lines("a 10 01\nb 10 02\n"), &lines("a 10 03\nc 10 04\n"));
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert!(complaints[0].contains("lists b"));
        assert!(complaints[1].contains("a ends in 03"));
        assert!(complaints[2].contains("no line for c"));
        assert!(differences(&lines("a 10 01\n"), &lines("a 10 01\n")).is_empty());
    }
}
