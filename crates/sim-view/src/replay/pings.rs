//! Pings of sonars that charts are about, decimated until they fit into a page.

use super::block::Columns;
use super::columns::PageColumn;
use super::head::TableHead;
use super::scans::{KeptScans, Scan};
use super::tables::{Frame, Recorder};
use crate::error::ViewError;
use crate::folder::{RunFolder, file_of};
use sim_world::view::{Chart, ChartLayout, View};
use std::ops::Range;

/// The charts of which a page shows the newest rows.
pub fn shown(view: &View) -> Vec<&Chart> {
    view.charts.iter().filter(|chart| !columns_of(chart).is_empty()).collect()
}

/// Columns of a chart whose rows come one after the other; none of another one.
fn columns_of(chart: &Chart) -> Vec<&str> {
    match &chart.layout {
        ChartLayout::Waterfall { strips, .. } => strips.iter().map(|strip| strip.column.as_str()).collect(),
        ChartLayout::Sectors { angle, strip, .. } => vec![angle, &strip.column],
        ChartLayout::Cells { .. } => Vec::new(),
    }
}

/// Reads the rows of a chart into columns, at most so many numbers: one of how many pings is kept, and a table for each owner. Rows of one
/// step are one ping.
///
/// # Errors
/// If the table cannot be read or lacks a column, or a number in it is too large.
pub fn record(
    folder: &RunFolder,
    chart: &Chart,
    most: u64,
    columns: &mut Columns,
) -> Result<(u64, Vec<TableHead>), ViewError> {
    let names = columns_of(chart);
    let Some(mut table) = folder.stream(&chart.stream, |name| names.contains(&name))? else {
        return Ok((1, Vec::new()));
    };
    let stream = table.stream().clone();
    let places: Vec<Range<usize>> = names.iter().map(|name| table.places(name)).collect::<Result<_, _>>()?;
    let width: usize = places.iter().map(Range::len).sum();
    let mut kept = KeptScans::new(most);
    let mut ping: Option<Scan> = None;
    while let Some((moment, row)) = table.next_row()? {
        let owner = stream.owner().map_or(0, |place| row[place] as u64);
        let is_same = ping.as_ref().is_some_and(|ping| (ping.moment.step, ping.owner) == (moment.step, owner));
        if !is_same {
            let next = Scan { moment, owner, taken_s: moment.time_s, ranges: Vec::new() };
            ping.replace(next).into_iter().for_each(|ping| kept.take(ping));
        }
        let values = places.iter().flat_map(|place| &row[place.clone()]);
        ping.iter_mut().for_each(|ping| ping.ranges.extend(values.clone()));
    }
    ping.into_iter().for_each(|ping| kept.take(ping));
    let every = kept.every();
    let page = names.iter().filter_map(|name| stream.column(name)).map(|at| PageColumn::new(&stream.columns[at]));
    let page: Vec<PageColumn> = PageColumn::moment().into_iter().chain(page).collect();
    let mut heads = Vec::new();
    for (owner, pings) in kept.into_owners() {
        let mut recorder = Recorder::new(file_of(&stream.name), page.iter().cloned());
        let mut rows = 0;
        for ping in &pings {
            for values in ping.ranges.chunks_exact(width) {
                let moment = [ping.moment.step as f64, ping.moment.time_s];
                let numbers = moment.into_iter().chain(values.iter().copied());
                recorder.row(Frame { row: rows, step: ping.moment.step }, owner, numbers)?;
                rows += 1;
            }
        }
        heads.extend(recorder.close(rows, &[], columns));
    }
    Ok((every, heads))
}
