//! Scans of range finders, decimated until they fit into a page.

use super::block::Columns;
use super::columns::PageColumn;
use super::head::TableHead;
use super::tables::{Frame, Recorder};
use crate::error::ViewError;
use crate::folder::{Moment, RunFolder, StreamTable, file_of};
use sim_world::view::Scanner;
use std::collections::BTreeMap;
use std::ops::Range;

/// A scan, at the step in which it arrived.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    pub moment: Moment,
    pub owner: u64,
    pub taken_s: f64,
    /// Not a number where nothing came back, minus infinity where it was too near.
    pub ranges: Vec<f64>,
}

/// Reads the scans of a scanner into columns, at most so many numbers: one of how many is kept, and a table for each owner.
///
/// # Errors
/// If the table cannot be read or lacks a column, or a number in it is too large.
pub fn record(
    folder: &RunFolder,
    scanner: &Scanner,
    most: u64,
    columns: &mut Columns,
) -> Result<(u64, Vec<TableHead>), ViewError> {
    let wanted = [Some(&scanner.taken), Some(&scanner.ranges), scanner.ray.as_ref()];
    let Some(table) =
        folder.stream(&scanner.stream, |name| wanted.iter().any(|one| one.is_some_and(|one| one == name)))?
    else {
        return Ok((1, Vec::new()));
    };
    let page = page_columns(&table, scanner);
    let mut kept = KeptScans::new(most);
    let mut rows = ScanRows::new(table, scanner)?;
    while let Some(scan) = rows.next_scan()? {
        kept.take(scan);
    }
    let every = kept.every;
    let mut heads = Vec::new();
    for (owner, scans) in kept.kept {
        let width = scans.iter().map(|scan| scan.ranges.len()).max().unwrap_or(0);
        let all = page
            .iter()
            .cloned()
            .map(|column| if column.name == scanner.ranges { PageColumn { width, ..column } } else { column });
        let mut recorder = Recorder::new(file_of(&scanner.stream), all);
        for (row, scan) in scans.iter().enumerate() {
            let moment = [scan.moment.step as f64, scan.moment.time_s, scan.taken_s];
            let missing = std::iter::repeat_n(f64::NAN, width - scan.ranges.len());
            let numbers = moment.into_iter().chain(scan.ranges.iter().copied()).chain(missing);
            recorder.row(Frame { row, step: scan.moment.step }, owner, numbers)?;
        }
        heads.extend(recorder.close(scans.len(), &[], columns));
    }
    Ok((every, heads))
}

/// Step, time, time at which a scan was taken, and its ranges.
fn page_columns(table: &StreamTable, scanner: &Scanner) -> Vec<PageColumn> {
    let stream = table.stream();
    let named = |name: &String| stream.column(name).map(|place| PageColumn::new(&stream.columns[place]));
    let own = [&scanner.taken, &scanner.ranges].into_iter().filter_map(named);
    PageColumn::moment().into_iter().chain(own).collect()
}

/// The scans of a table: a row a scan, or a row a ray.
#[derive(Debug)]
struct ScanRows {
    table: StreamTable,
    owner: Option<usize>,
    taken: usize,
    ranges: Range<usize>,
    is_by_ray: bool,
    /// The first ray of the next scan.
    pending: Option<Scan>,
}

impl ScanRows {
    fn new(mut table: StreamTable, scanner: &Scanner) -> Result<Self, ViewError> {
        table.read_ranges(&scanner.ranges)?;
        let (taken, ranges) = (table.places(&scanner.taken)?.start, table.places(&scanner.ranges)?);
        let owner = table.stream().owner();
        Ok(Self { table, owner, taken, ranges, is_by_ray: scanner.ray.is_some(), pending: None })
    }

    fn next_row(&mut self) -> Result<Option<Scan>, ViewError> {
        let Some((moment, row)) = self.table.next_row()? else { return Ok(None) };
        let owner = self.owner.map_or(0, |place| row[place] as u64);
        Ok(Some(Scan { moment, owner, taken_s: row[self.taken], ranges: row[self.ranges.clone()].to_vec() }))
    }

    fn next_scan(&mut self) -> Result<Option<Scan>, ViewError> {
        if !self.is_by_ray {
            return self.next_row();
        }
        let first = match self.pending.take() {
            Some(scan) => Some(scan),
            None => self.next_row()?,
        };
        let Some(mut scan) = first else { return Ok(None) };
        while let Some(ray) = self.next_row()? {
            if (ray.moment.step, ray.owner) != (scan.moment.step, scan.owner) || ray.taken_s != scan.taken_s {
                self.pending = Some(ray);
                break;
            }
            scan.ranges.extend(ray.ranges);
        }
        Ok(Some(scan))
    }
}

/// The scans of each owner, every so many of them, so that all fit.
#[derive(Debug)]
pub(super) struct KeptScans {
    every: u64,
    seen: BTreeMap<u64, u64>,
    kept: BTreeMap<u64, Vec<Scan>>,
    numbers: u64,
    most: u64,
}

impl KeptScans {
    /// One of how many scans is kept.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// The scans of each owner.
    pub fn into_owners(self) -> BTreeMap<u64, Vec<Scan>> {
        self.kept
    }

    pub fn new(most: u64) -> Self {
        Self { every: 1, seen: BTreeMap::new(), kept: BTreeMap::new(), numbers: 0, most }
    }

    /// Keeps the scan if it is one of those; each time that they grow too many, every second one goes.
    pub fn take(&mut self, scan: Scan) {
        let seen = self.seen.entry(scan.owner).or_default();
        *seen += 1;
        if !(*seen - 1).is_multiple_of(self.every) {
            return;
        }
        self.numbers += scan.ranges.len() as u64;
        self.kept.entry(scan.owner).or_default().push(scan);
        while self.numbers > self.most && self.kept.values().any(|scans| scans.len() > 1) {
            self.every *= 2;
            for scans in self.kept.values_mut() {
                let mut at = 0;
                scans.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
            }
            self.numbers = self.kept.values().flatten().map(|scan| scan.ranges.len() as u64).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_are_thinned_evenly_until_they_fit() {
        let mut kept = KeptScans::new(100);
        for n in 0..50_u64 {
            for owner in [0, 3] {
                let moment = Moment { step: n, time_s: n as f64 };
                kept.take(Scan { moment, owner, taken_s: n as f64, ranges: vec![1.0; 10] });
            }
        }
        // 100 scans of 10 rays: 16 of each car would be 320, 7 of each are 140, 4 of each are 80.
        assert_eq!((kept.every, kept.numbers), (16, 80));
        for owner in [0, 3] {
            let steps: Vec<u64> = kept.kept[&owner].iter().map(|scan| scan.moment.step).collect();
            assert_eq!(steps, [0, 16, 32, 48]);
        }
    }
}
