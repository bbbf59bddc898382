//! A sweep in parts, for machines that share nothing but a folder. A part is a command that may be repeated: it skips what is whole, and
//! the way in which a sweep is split never changes a number.

use crate::cells::Sweep;
use crate::execute::{Past, Sweeping, Swept, make_run};
use crate::folder::{self, SweepRecord};
use crate::progress::{SweepControl, SweepProgress};
use crate::rows::{Reader, append, header};
use crate::run::{SweepOptions, SweepReport, conclude};
use sim_run::disk::{Access, Disk};
use sim_run::error::RunError;
use sim_run::partial::PARTIAL_SUFFIX;
use sim_run::run_folder::{RUNS_CSV, RunFolder, SHARDS};
use sim_run::tables::file::TableFile;
use sim_run::tables::sums::{Matching, SUMS_SUFFIX};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One of several parts of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// How many there are.
    pub of: u64,
    /// Which one, from 0.
    pub index: u64,
}

/// The text is not a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write i/N with i from 0 to N - 1: of four shards 0/4, 1/4, 2/4 and 3/4")]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, of) = text.split_once('/').ok_or(ShardError)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| ShardError);
        let shard = Self { of: number(of)?, index: number(index)? };
        if shard.index < shard.of { Ok(shard) } else { Err(ShardError) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Shard {
    /// Its runs, by number.
    #[must_use]
    pub fn numbers(self, sweep: &Sweep) -> Range<u64> {
        let units = Self::units(sweep);
        let unit = sweep.runs_at_most() / units.max(1);
        let bound = |index: u64| (u128::from(units) * u128::from(index) / u128::from(self.of)) as u64 * unit;
        bound(self.index)..bound(self.index + 1)
    }

    /// What is not split: runs, or cells if there is a stopping rule, which looks at a cell as a whole.
    pub(super) fn units(sweep: &Sweep) -> u64 {
        if sweep.rule().is_some() { sweep.cells() } else { sweep.runs_at_most() }
    }

    fn file_name(self) -> String {
        format!("runs-{:05}-of-{:05}.csv", self.index, self.of)
    }

    fn from_file_name(name: &str) -> Option<Self> {
        let (index, of) = name.strip_prefix("runs-")?.strip_suffix(".csv")?.split_once("-of-")?;
        Some(Self { of: of.parse().ok()?, index: index.parse().ok()? })
    }
}

/// Result of a shard.
#[derive(Clone, Debug)]
pub struct ShardReport {
    /// True if it is whole.
    pub complete: bool,
    /// True if it was whole already.
    pub skipped: bool,
    /// Its runs.
    pub progress: SweepProgress,
    /// Its file, if it is whole; the table of the whole sweep if that is there instead.
    pub path: PathBuf,
}

/// Makes one part of a sweep, unless it is there.
///
/// # Errors
/// If the folder holds something else or cannot be written.
pub fn run_shard(
    sweep: &Sweep,
    shard: Shard,
    options: &SweepOptions,
    control: &SweepControl<'_>,
) -> Result<ShardReport, RunError> {
    let folder = folder::join(options, Access::Shared, sweep, &SweepRecord::new(sweep, &options.build))?;
    let path = folder.path().join(SHARDS).join(shard.file_name());
    let runs_csv = folder.path().join(RUNS_CSV);
    let skipped = |path| ShardReport { complete: true, skipped: true, progress: SweepProgress::default(), path };
    // A part that does not match its checksums is made again.
    if path.exists() && Matching::from_table(&path)?.is_whole {
        return Ok(skipped(path));
    }
    if runs_csv.exists() {
        return Ok(skipped(runs_csv));
    }
    let shards = folder.inside(SHARDS)?;
    let table = TableFile::create_among_others(&shards, &shard.file_name(), &header(sweep))?;
    let sweeping = Sweeping::new(Past::nothing(sweep, shard.numbers(sweep), options.jobs), table, control);
    let Swept { table, complete, progress } = sweeping.finish(options.jobs, &make_run)?;
    if complete {
        table.finish()?;
        shards.sync()?;
    } else {
        table.discard();
    }
    Ok(ShardReport { complete, skipped: false, progress, path })
}

/// Puts the parts of a sweep together and makes its tables: the same bytes as if it had been made in one go.
///
/// # Errors
/// If parts are missing or not whole, naming them; if the folder cannot be read or written.
pub fn merge(sweep: &Sweep, options: &SweepOptions, control: &SweepControl<'_>) -> Result<SweepReport, RunError> {
    let record = SweepRecord::new(sweep, &options.build);
    let folder = folder::join(options, Access::Alone, sweep, &record)?;
    let mut progress = SweepProgress::default();
    let runs_csv = folder.path().join(RUNS_CSV);
    if runs_csv.exists() {
        refuse_damaged(&runs_csv, "--resume makes it again")?;
    } else {
        let shards = folder.path().join(SHARDS);
        progress = put_together(sweep, &shards, &whole_set(&shards)?, &folder)?;
        remove_leftovers(folder.disk(), &shards);
    }
    conclude(sweep, &folder, options, control, (record, progress))
}

/// The parts of the first split of which all are there.
fn whole_set(shards: &Path) -> Result<Vec<Shard>, RunError> {
    let mut sets: BTreeMap<u64, Vec<Shard>> = BTreeMap::new();
    for entry in fs::read_dir(shards).into_iter().flatten().filter_map(Result::ok) {
        if let Some(shard) = entry.file_name().to_str().and_then(Shard::from_file_name) {
            sets.entry(shard.of).or_default().push(shard);
        }
    }
    for (of, set) in &mut sets {
        set.sort();
        if set.len() as u64 == *of {
            return Ok(std::mem::take(set));
        }
    }
    let words = match sets.last_key_value() {
        None => "none is there; make them with --shard i/N".to_owned(),
        Some((&of, set)) => {
            let missing = (0..of).filter(|&index| !set.contains(&Shard { of, index }));
            let named: Vec<String> = missing.clone().take(8).map(|index| Shard { of, index }.to_string()).collect();
            let more = missing.count() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("missing are {}{more}", named.join(", "))
        }
    };
    Err(RunError::Options(format!("not all shards are in {}: {words}", shards.display())))
}

fn put_together(sweep: &Sweep, shards: &Path, set: &[Shard], folder: &RunFolder) -> Result<SweepProgress, RunError> {
    let mut table = TableFile::create_with_sums(folder, RUNS_CSV, &header(sweep))?;
    let mut progress = SweepProgress::default();
    for shard in set {
        let path = shards.join(shard.file_name());
        let mut past = Past::nothing(sweep, shard.numbers(sweep), 1);
        let lines = refuse_damaged(&path, "make that shard again")?;
        past.read(&path, lines)?;
        if !past.is_whole() {
            let words = "is not whole: remove it and make that shard again";
            return Err(RunError::Options(format!("{} {words}", path.display())));
        }
        if let Some(mut reader) = Reader::open(&path, sweep)? {
            while let Some(row) = reader.next()? {
                append(&mut table, sweep, &sweep.values(row.cell), &row);
                table.flush_if_large()?;
            }
        }
        progress.add(&past.progress);
    }
    table.finish()?;
    Ok(progress)
}

/// Number of lines of a table that matches its checksums; `remedy` ends the message about another.
fn refuse_damaged(table: &Path, remedy: &str) -> Result<u64, RunError> {
    let matching = Matching::from_table(table)?;
    if matching.is_whole {
        return Ok(matching.lines);
    }
    let (table, place) = (table.display(), matching.place());
    Err(RunError::Options(format!("{table}: {place} is missing or does not match its checksum; {remedy}")))
}

/// What attempts that were killed have left. They are of no use now, and nothing depends on them.
fn remove_leftovers(disk: &Disk, shards: &Path) {
    let files = fs::read_dir(shards).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let endings = [PARTIAL_SUFFIX, SUMS_SUFFIX].map(|suffix| OsStr::new(suffix.trim_start_matches('.')));
    let is_of_shard = |file: &Path| file.with_extension("").extension() == Some(OsStr::new("csv"));
    let is_left = |file: &Path| match file.extension() {
        Some(ending) if ending == endings[0] => true,
        // Those of a shard that is whole are beside it.
        Some(ending) => ending == endings[1] && !is_of_shard(file),
        None => false,
    };
    for file in files.filter(|file| is_left(file)) {
        let _ = disk.remove(&file);
    }
}
