//! How many shards, which of them are missing, and their numbers in one line.

use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

/// Work of a shard that is aimed at, s on one core. A scheduler takes about a second to start a task, and a task that is lost is made again
/// as a whole.
const SHARD_S: f64 = 300.0;

/// Most shards: a job array of Slurm has 1,001 places by default.
pub const MAX_SHARDS: u64 = 999;

/// What `sim-cli sweep --plan --format json` says, as far as it matters here.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Name of the sweep.
    pub name: String,
    /// Time of all runs on one core, s.
    pub cpu_seconds: f64,
    /// Shards beyond this number would have nothing to do.
    pub shards_at_most: u64,
}

impl Plan {
    pub fn read(text: &str) -> Result<Self> {
        let plan: Value = serde_json::from_str(text).context("the plan is not JSON")?;
        Ok(Self {
            name: plan["name"].as_str().context("the plan has no name")?.to_owned(),
            cpu_seconds: plan["core_s"].as_f64().context("the plan has no core_s")?,
            shards_at_most: plan["shards_at_most"].as_u64().context("the plan has no shards_at_most")?,
        })
    }

    /// Some minutes of work each, and none without any.
    pub fn shards(&self) -> u64 {
        let by_time = (self.cpu_seconds / SHARD_S).ceil() as u64;
        by_time.min(MAX_SHARDS).min(self.shards_at_most).max(1)
    }
}

/// The shards of a split into `of` whose files are not in a folder. A file gets its name when it is whole.
pub fn missing(folder: &Path, of: u64) -> Vec<u64> {
    (0..of).filter(|&index| !folder.join(file_name(index, of)).exists()).collect()
}

fn file_name(index: u64, of: u64) -> String {
    format!("runs-{index:05}-of-{of:05}.csv")
}

/// Numbers as Slurm wants those of a job array, and as people like to read them: `0,3,7-9`.
pub fn listed(numbers: &[u64]) -> String {
    let spans = numbers.chunk_by(|a, b| a + 1 == *b).map(|span| match span {
        [first, .., last] => format!("{first}-{last}"),
        _ => span.iter().map(u64::to_string).collect(),
    });
    spans.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(cpu_seconds: f64, shards_at_most: u64) -> u64 {
        Plan { name: String::new(), cpu_seconds, shards_at_most }.shards()
    }

    #[test]
    fn a_shard_takes_minutes() {
        assert_eq!(shards(299.0, 1000), 1);
        assert_eq!(shards(301.0, 1000), 2);
        assert_eq!(shards(3600.0, 1000), 12);
    }

    #[test]
    fn there_are_neither_too_many_shards_nor_empty_ones_nor_none() {
        assert_eq!(shards(1e9, 1_000_000), 999);
        assert_eq!(shards(1e9, 18), 18);
        assert_eq!(shards(0.0, 0), 1);
    }

    #[test]
    fn the_plan_is_read_and_what_it_lacks_is_named() {
        let text = r#"{"kind":"plan","name":"n","cells":3,"core_s":12.5,"shards_at_most":3}"#;
        assert_eq!(Plan::read(text).unwrap(), Plan { name: "n".into(), cpu_seconds: 12.5, shards_at_most: 3 });
        assert!(Plan::read(r#"{"name":"n","core_s":1.0}"#).unwrap_err().to_string().contains("shards_at_most"));
        assert!(Plan::read("18 cells").is_err());
    }

    #[test]
    fn only_whole_shards_of_the_same_split_count() {
        let folder = crate::shell::scratch("missing-shards").unwrap();
        for entry in std::fs::read_dir(&folder).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        assert_eq!(missing(&folder.join("not-there"), 2), [0, 1]);
        for name in ["runs-00001-of-00004.csv", "runs-00002-of-00004.csv.0.partial", "runs-00003-of-00005.csv"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        assert_eq!(missing(&folder, 4), [0, 2, 3]);
    }

    #[test]
    fn numbers_in_a_row_are_a_span() {
        assert_eq!(listed(&[0, 3, 7, 8, 9]), "0,3,7-9");
        assert_eq!(listed(&[0, 1, 2]), "0-2");
        assert_eq!(listed(&[5]), "5");
        assert_eq!(listed(&[2, 4]), "2,4");
        assert_eq!(listed(&[]), "");
    }
}
