//! Rows with times of their own: readings that are plotted, and rows that are listed.

use super::block::Columns;
use super::columns::PageColumn;
use super::head::TableHead;
use super::tables::{Frame, Recorder};
use crate::error::ViewError;
use crate::folder::{RunFolder, StreamTable, Words, file_of};
use sim_world::Stream;
use sim_world::view::{Log, View};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of readings that a page holds of one stream.
const MAX_NUMBERS: u64 = 600_000;

/// Rows that a page lists of one stream.
const MAX_LISTED: usize = 50_000;

/// Columns of the moment, the first ones.
const MOMENT: usize = 2;

/// The streams of readings that plots are about, each with the columns that they show.
pub fn plotted(view: &View) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut streams: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for plot in &view.plots {
        let Some(readings) = &plot.readings else { continue };
        let columns = plot.curves.iter().filter_map(|figure| figure.of.as_column());
        streams.entry(readings).or_default().extend(columns);
    }
    streams
}

/// Columns of some names with their places, after those of the moment.
#[derive(Debug)]
struct Kept {
    stream: Stream,
    owner: Option<usize>,
    places: Vec<usize>,
    page: Vec<PageColumn>,
}

impl Kept {
    fn new<'a>(table: &StreamTable, names: impl IntoIterator<Item = &'a str>) -> Result<Self, ViewError> {
        let stream = table.stream().clone();
        let mut page: Vec<PageColumn> = PageColumn::moment().into();
        let mut places = Vec::new();
        for name in names {
            places.push(table.places(name)?.start);
            page.extend(stream.column(name).map(|at| PageColumn::new(&stream.columns[at])));
        }
        Ok(Self { owner: stream.owner(), stream, places, page })
    }

    fn owner_of(&self, row: &[f64]) -> u64 {
        self.owner.map_or(0, |place| row[place] as u64)
    }

    fn recorder(&self) -> Recorder {
        Recorder::new(file_of(&self.stream.name), self.page.clone())
    }
}

/// Reads columns of a stream of readings, a table for each owner; of too many readings of an owner one of how many is kept.
///
/// # Errors
/// If the table cannot be read or lacks a column, or a number in it is too large.
pub fn record(
    folder: &RunFolder,
    stream: &str,
    names: &BTreeSet<&str>,
    columns: &mut Columns,
) -> Result<(u64, Vec<TableHead>), ViewError> {
    let open = || folder.stream(stream, |name| names.contains(name));
    let (Some(mut table), Some(mut counted)) = (open()?, open()?) else { return Ok((1, Vec::new())) };
    let kept = Kept::new(&table, names.iter().copied())?;
    let mut numbers: u64 = 0;
    while counted.next_row()?.is_some() {
        numbers += kept.page.len() as u64;
    }
    let every = numbers.div_ceil(MAX_NUMBERS).max(1);
    let mut owners: BTreeMap<u64, (Recorder, u64)> = BTreeMap::new();
    while let Some((moment, row)) = table.next_row()? {
        let id = kept.owner_of(row);
        let (recorder, count) = owners.entry(id).or_insert_with(|| (kept.recorder(), 0));
        if count.is_multiple_of(every) {
            let frame = Frame { row: (*count / every) as usize, step: moment.step };
            let numbers = kept.places.iter().map(|&place| row[place]);
            recorder.row(frame, id, [moment.step as f64, moment.time_s].into_iter().chain(numbers))?;
        }
        *count += 1;
    }
    let heads = owners
        .into_values()
        .filter_map(|(recorder, count)| recorder.close(count.div_ceil(every) as usize, &[], columns));
    Ok((every, heads.collect()))
}

/// Reads the rows that a page lists: one table with the owner as a column, and what is left out of it.
///
/// # Errors
/// If the table cannot be read or lacks a column, or a number in it is too large.
pub fn list(
    folder: &RunFolder,
    log: &Log,
    columns: &mut Columns,
) -> Result<(Option<TableHead>, Option<String>), ViewError> {
    let names = || log.kinds.iter().chain(&log.words).map(String::as_str);
    let Some(mut table) = folder.stream(&log.stream, |name| names().any(|one| one == name))? else {
        return Ok((None, None));
    };
    let mut kept = Kept::new(&table, names())?;
    kept.page.insert(MOMENT, PageColumn { name: "owner".into(), decimals: 0, is_text: false, width: 1 });
    let mut recorder = kept.recorder();
    // Each column has words of its own: those of its rows that are listed.
    let mut words = vec![Words::default(); kept.places.len()];
    let mut rows: usize = 0;
    while let Some((moment, row)) = table.next_row()? {
        if rows < MAX_LISTED {
            let row = row.to_vec();
            let first = [moment.step as f64, moment.time_s, kept.owner_of(&row) as f64];
            let texts =
                kept.places.iter().zip(&kept.page[MOMENT + 1..]).zip(&mut words).map(|((&place, column), own)| {
                    let is_word = column.is_text && !row[place].is_nan();
                    if is_word { own.place_of(table.words().text(row[place])) as f64 } else { row[place] }
                });
            recorder.row(Frame { row: rows, step: moment.step }, 0, first.into_iter().chain(texts))?;
        }
        rows += 1;
    }
    let listed = rows.min(MAX_LISTED);
    let mut head = recorder.close(listed, &[], columns);
    for (column, own) in head.iter_mut().flat_map(|head| &mut head.columns[MOMENT + 1..]).zip(&words) {
        column.words = column.words.is_some().then(|| own.texts().to_vec());
    }
    let note = (rows > listed).then(|| format!("the first {listed} of {rows} rows of {}", file_of(&log.stream)));
    Ok((head, note))
}
