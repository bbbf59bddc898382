//! The streams that a view names, as tables of a page.

use super::block::Columns;
use super::columns::PageColumn;
use super::head::{TableHead, TablesHead};
use super::tables::{Frame, Recorder};
use super::{pings, readings, scans};
use crate::error::ViewError;
use crate::folder::{Moment, RunFolder, StepRows, StreamTable, file_of};
use sim_world::view::{Flag, View};
use sim_world::{Cadence, Stream};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers that a page may hold; a run with more is decimated. Ten minutes of 30 robots have 2.4 million, which take 4 MB.
const MAX_NUMBERS: u64 = 6_000_000;

/// What a run puts into a page.
#[derive(Debug)]
pub struct Recorded {
    pub tables: TablesHead,
    /// What is left out of it.
    pub note: Option<String>,
}

/// Reads the streams into columns.
///
/// # Errors
/// If a table cannot be read, or a number in it is too large.
pub fn record(folder: &RunFolder, columns: &mut Columns) -> Result<Recorded, ViewError> {
    let view = folder.view();
    let charts = pings::shown(view);
    let tables = (view.scanners.len() + charts.len()) as u64;
    let most = if tables == 0 { MAX_NUMBERS } else { MAX_NUMBERS / 2 };
    let mut events = BTreeMap::new();
    let mut scans_every = 1;
    for scanner in &view.scanners {
        let (every, heads) = scans::record(folder, scanner, MAX_NUMBERS / 2 / tables, columns)?;
        scans_every = scans_every.max(every);
        events.insert(scanner.stream.clone(), heads);
    }
    for chart in charts {
        let (every, heads) = pings::record(folder, chart, MAX_NUMBERS / 2 / tables, columns)?;
        scans_every = scans_every.max(every);
        events.insert(chart.stream.clone(), heads);
    }
    for flag in &view.flags {
        events.insert(flag.events.clone(), record_events(folder, flag, columns)?);
    }
    let mut readings_every = 1;
    for (stream, names) in readings::plotted(view) {
        let (every, heads) = readings::record(folder, stream, &names, columns)?;
        readings_every = readings_every.max(every);
        events.entry(stream.to_owned()).or_insert(heads);
    }
    events.retain(|_, heads| !heads.is_empty());
    let mut logs = BTreeMap::new();
    let mut unlisted = Vec::new();
    for log in &view.logs {
        let (head, left) = readings::list(folder, log, columns)?;
        logs.extend(head.map(|head| (log.stream.clone(), head)));
        unlisted.extend(left);
    }
    let mut sampled = Sampled::open(folder, view)?;
    let every = sampled.every(folder, most);
    sampled.record(folder, every)?;
    let note = note([every, scans_every, readings_every], folder.span().every, unlisted);
    let (frames, sampled) = sampled.close(columns);
    Ok(Recorded { tables: TablesHead { frames, sampled, events, logs }, note })
}

/// What is left out, if one of so many recorded moments, of so many scans and of so many readings is kept, and of some lists only a part.
fn note([moments, scans, readings]: [u64; 3], row_steps: u64, lists: Vec<String>) -> Option<String> {
    let moments = (moments > 1).then(|| {
        let steps = moments * row_steps;
        format!("one of {moments} recorded moments (every {steps} steps)")
    });
    let scans = (scans > 1).then(|| format!("one of {scans} scans or pings of each sensor"));
    let readings = (readings > 1).then(|| format!("one of {readings} plotted readings of each sensor"));
    let left: Vec<String> = moments.into_iter().chain(scans).chain(readings).chain(lists).collect();
    (!left.is_empty()).then(|| format!("to stay small, the page holds {}", left.join(" and ")))
}

/// The rows of a flag's events that matter, for each owner.
fn record_events(folder: &RunFolder, flag: &Flag, columns: &mut Columns) -> Result<Vec<TableHead>, ViewError> {
    let names: BTreeSet<&str> = flag.matching.iter().chain([&flag.holds]).map(|[column, _]| column.as_str()).collect();
    let Some(mut table) = folder.stream(&flag.events, |name| names.contains(name))? else { return Ok(Vec::new()) };
    let stream = table.stream().clone();
    let owner = stream.owner();
    let kept: Vec<usize> = (0..stream.columns.len()).filter(|&n| names.contains(&*stream.columns[n].name)).collect();
    let page = || PageColumn::moment().into_iter().chain(kept.iter().map(|&n| PageColumn::new(&stream.columns[n])));
    let mut owners: BTreeMap<u64, (Recorder, usize)> = BTreeMap::new();
    let matching: Vec<_> =
        flag.matching.iter().filter_map(|[column, text]| Some((stream.column(column)?, text))).collect();
    while let Some((moment, row)) = table.next_row()? {
        let row = row.to_vec();
        if !matching.iter().all(|&(place, text)| table.words().text(row[place]) == text) {
            continue;
        }
        let id = owner.map_or(0, |place| row[place] as u64);
        let (recorder, rows) = owners.entry(id).or_insert_with(|| (Recorder::new(file_of(&stream.name), page()), 0));
        let numbers = [moment.step as f64, moment.time_s].into_iter().chain(kept.iter().map(|&n| row[n]));
        recorder.row(Frame { row: *rows, step: moment.step }, id, numbers)?;
        *rows += 1;
    }
    let words = table.words().texts();
    Ok(owners.into_values().filter_map(|(recorder, rows)| recorder.close(rows, words, columns)).collect())
}

/// Tables whose rows are sampled, side by side.
#[derive(Debug)]
struct Sampled {
    sources: Vec<Source>,
    frames: Recorder,
    kept: usize,
}

/// A table of them: its rows of the next step.
#[derive(Debug)]
struct Source {
    table: StreamTable,
    owner: Option<usize>,
    /// Places of the numbers that a page keeps: not step, time and owner.
    places: Vec<usize>,
    rows: StepRows,
    moment: Option<Moment>,
    recorder: Recorder,
}

impl Sampled {
    fn open(folder: &RunFolder, view: &View) -> Result<Self, ViewError> {
        let names: BTreeSet<&str> = view.parties.iter().map(|party| party.stream.as_str()).collect();
        let mut sources = Vec::new();
        for name in names {
            let is_sampled = |stream: &Stream| matches!(stream.cadence, Cadence::Sampled { .. });
            let Some(table) = folder.stream(name, |_| true)? else { continue };
            if is_sampled(table.stream()) {
                sources.push(Source::new(table, folder.span().first.step)?);
            }
        }
        Ok(Self { sources, frames: Recorder::new("the steps", PageColumn::moment()), kept: 0 })
    }

    /// How many recorded moments there are for one that is kept.
    fn every(&self, folder: &RunFolder, most: u64) -> u64 {
        let span = folder.span();
        let moments = (span.last.step - span.first.step) / span.every.max(1) + 1;
        let numbers: usize = self.sources.iter().map(|source| source.rows.len() * source.recorder.width()).sum();
        moments.saturating_mul(numbers as u64).div_ceil(most).max(1)
    }

    fn record(&mut self, folder: &RunFolder, every: u64) -> Result<(), ViewError> {
        let last = folder.span().last.step;
        let mut moments: u64 = 0;
        while let Some(moment) = self.next_moment(last) {
            let is_kept = moments.is_multiple_of(every);
            moments += 1;
            let frame = Frame { row: self.kept, step: moment.step };
            if is_kept {
                self.kept += 1;
                self.frames.row(frame, 0, [moment.step as f64, moment.time_s].into_iter())?;
            }
            for source in &mut self.sources {
                if source.moment.is_some_and(|at| at.step == moment.step) {
                    source.take(frame, is_kept)?;
                }
            }
        }
        Ok(())
    }

    /// The next step that any table has, up to `last`.
    fn next_moment(&self, last: u64) -> Option<Moment> {
        let next = self.sources.iter().filter_map(|source| source.moment);
        next.min_by_key(|moment| moment.step).filter(|moment| moment.step <= last)
    }

    fn close(self, columns: &mut Columns) -> (Option<TableHead>, BTreeMap<String, TableHead>) {
        let Self { sources, frames, kept } = self;
        let frames = frames.close(kept, &[], columns);
        let tables = sources.into_iter().filter_map(|Source { table, recorder, .. }| {
            let head = recorder.close(kept, table.words().texts(), columns)?;
            Some((table.stream().name.clone().into_owned(), head))
        });
        (frames, tables.collect())
    }
}

impl Source {
    fn new(mut table: StreamTable, first: u64) -> Result<Self, ViewError> {
        table.seek(first)?;
        let stream = table.stream().clone();
        let owner = stream.owner();
        let kept = stream.columns.iter().enumerate().filter(|(n, _)| *n > 1 && Some(*n) != owner);
        let mut places = Vec::new();
        for (_, column) in kept.clone() {
            places.extend(table.places(&column.name)?);
        }
        let recorder = Recorder::new(file_of(&stream.name), kept.map(|(_, column)| PageColumn::new(column)));
        let mut source = Self { table, owner, places, rows: StepRows::default(), moment: None, recorder };
        source.moment = source.table.next_step(&mut source.rows)?;
        Ok(source)
    }

    /// Keeps the rows of the step, if they are to be kept, and goes on to the next step.
    fn take(&mut self, frame: Frame, is_kept: bool) -> Result<(), ViewError> {
        let Self { rows, places, owner, recorder, .. } = self;
        for (n, row) in rows.iter().enumerate().filter(|_| is_kept) {
            // Without a column of owners, the rows of a step are numbered.
            let id = owner.map_or(n as u64, |place| row[place] as u64);
            recorder.row(frame, id, places.iter().map(|&place| row[place]))?;
        }
        self.moment = self.table.next_step(&mut self.rows)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_said() {
        assert_eq!(note([1, 1, 1], 10, Vec::new()), None);
        let words = "to stay small, the page holds one of 2 recorded moments (every 20 steps) and one of 16 scans or pings of each sensor";
        assert_eq!(note([2, 16, 1], 10, Vec::new()).as_deref(), Some(words));
        let words =
            "to stay small, the page holds one of 3 plotted readings of each sensor and the first 5 of 9 rows of a.csv";
        let lists = vec!["the first 5 of 9 rows of a.csv".to_owned()];
        assert_eq!(note([1, 1, 3], 10, lists).as_deref(), Some(words));
    }
}
