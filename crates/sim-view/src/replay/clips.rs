//! The near misses of a batch as short films.

use super::block::Columns;
use super::columns::PageColumn;
use super::head::{Scenery, TablesHead};
use super::tables::{Frame, Recorder};
use crate::error::ViewError;
use crate::folder::{BatchFolder, FolderError, NearMissRow};
use crate::picture::{check, with_margin};
use serde::Serialize;
use sim_core::{DVec2, Rect};
use sim_world::Column;
use sim_world::view::{Axis, Coord, Limit, Party, Projection, Rule, View};
use std::collections::{BTreeMap, BTreeSet};

/// Rows of clips that a page may hold; with more, it holds the clips of the runs that came nearest to a limit.
const MAX_ROWS: usize = 1_000_000;

/// A near miss and where its film is.
#[derive(Clone, Debug, Serialize)]
pub struct ClipHead {
    pub run: u64,
    pub call: u64,
    /// Name of the limit that was nearly broken.
    pub limit: String,
    pub call_s: f64,
    pub distance: f64,
    /// The two that came near: `robot 3`.
    pub pair: [String; 2],
    pub tables: TablesHead,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Clips {
    pub heads: Vec<ClipHead>,
    /// How they are drawn; nothing without any.
    pub scenery: Option<Scenery>,
    /// What a reader of the page should know.
    pub note: Option<String>,
}

/// Reads the near misses of a batch into columns. A world without them, or a batch without a view, has none.
///
/// # Errors
/// If a file cannot be read, or a number in it is too large.
pub fn read(folder: &BatchFolder, columns: &mut Columns) -> Result<Clips, ViewError> {
    let (Some(view), Some(rows)) = (folder.view()?, folder.near_misses()?) else {
        let note = "the batch has no closest.csv: there are no moments to play";
        return Ok(Clips { note: folder.lacks_near_misses().then(|| note.to_owned()), ..Clips::default() });
    };
    let (runs, all) = runs_that_fit(rows, &view)?;
    let note = (runs.len() < all).then(|| {
        format!(
            "to stay small, the page plays the near misses of {} of {all} runs: those nearest to a limit",
            runs.len()
        )
    });
    let Some(rows) = folder.near_misses()? else { return Ok(Clips::default()) };
    let names = rows.columns().to_vec();
    let mut heads = Vec::new();
    let mut areas: Vec<Option<Rect>> = vec![None; view.projections.len()];
    for call in Calls::new(rows) {
        let call = call?;
        if !call.first().is_some_and(|row| runs.contains(&row.run)) {
            continue;
        }
        for (area, projection) in areas.iter_mut().zip(&view.projections) {
            *area = widened(*area, &call, &names, (&view, projection));
        }
        heads.extend(head(&call, &names, &view, columns)?);
    }
    let scenery = if heads.is_empty() { None } else { Some(scenery(view, &areas)?) };
    Ok(Clips { heads, scenery, note })
}

/// The rows of one near miss after the other.
struct Calls<R: Iterator> {
    rows: std::iter::Peekable<R>,
}

impl<R: Iterator<Item = Result<NearMissRow, FolderError>>> Calls<R> {
    fn new(rows: R) -> Self {
        Self { rows: rows.peekable() }
    }
}

impl<R: Iterator<Item = Result<NearMissRow, FolderError>>> Iterator for Calls<R> {
    type Item = Result<Vec<NearMissRow>, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.rows.next()? {
            Ok(row) => row,
            Err(error) => return Some(Err(error)),
        };
        let key = (first.run, first.call);
        let mut call = vec![first];
        while let Some(Ok(row)) = self.rows.next_if(|row| row.as_ref().is_ok_and(|row| (row.run, row.call) == key)) {
            call.push(row);
        }
        Some(Ok(call))
    }
}

/// The nearest moment of a near miss: its rows of the two, the limit, and by how much it was kept.
struct Nearest<'a> {
    pair: [&'a NearMissRow; 2],
    distance: f64,
    limit: &'a Limit,
    /// The parties, the limit's own first.
    parties: [&'a Party; 2],
}

/// Finds the nearest moment; nothing if no two came near, or no limit is about such two.
fn nearest<'a>(call: &'a [NearMissRow], view: &'a View) -> Option<Nearest<'a>> {
    let measured = call.iter().filter_map(|row| row.distance.map(|distance| (row, distance)));
    let (least, distance) = measured.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let of_pair = |row: &&NearMissRow| row.moment.step == least.moment.step && row.distance.is_some();
    let pair: Vec<&NearMissRow> = call.iter().filter(of_pair).collect();
    let [one, other] = pair[..] else { return None };
    let party = |row: &NearMissRow| view.parties.iter().find(|party| party.one == row.kind);
    let parties = [party(one)?, party(other)?];
    let is_between =
        |limit: &&Limit, [a, b]: [&Party; 2]| limit.of == a.stream && limit.to.as_deref() == Some(&*b.stream);
    let limit = |parties| view.limits.iter().find(|limit| is_between(limit, parties));
    match (limit(parties), limit([parties[1], parties[0]])) {
        (Some(limit), _) => Some(Nearest { pair: [one, other], distance, limit, parties }),
        (None, Some(limit)) => Some(Nearest { pair: [other, one], distance, limit, parties: [parties[1], parties[0]] }),
        (None, None) => None,
    }
}

/// The runs whose clips fit, those nearest to a limit first, and how many runs there are.
fn runs_that_fit(
    rows: impl Iterator<Item = Result<NearMissRow, FolderError>>,
    view: &View,
) -> Result<(BTreeSet<u64>, usize), ViewError> {
    let mut runs = BTreeMap::<u64, (f64, usize)>::new();
    for call in Calls::new(rows) {
        let call = call?;
        let Some(first) = call.first() else { continue };
        let (margin, count) = runs.entry(first.run).or_insert((f64::INFINITY, 0));
        *count += call.len();
        if let Some(Nearest { distance, limit, .. }) = nearest(&call, view) {
            *margin = margin.min(distance - bound_of(limit));
        }
    }
    let all = runs.len();
    let mut order: Vec<(u64, (f64, usize))> = runs.into_iter().collect();
    order.sort_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.0.cmp(&b.0)));
    let mut sum = 0;
    let fitting = order.into_iter().take_while(|&(_, (_, count))| {
        sum += count;
        sum <= MAX_ROWS
    });
    Ok((fitting.map(|(run, _)| run).collect(), all))
}

fn bound_of(limit: &Limit) -> f64 {
    match limit.rule {
        Rule::AtLeast(_, bound) | Rule::AtMost(_, bound) => bound,
        Rule::IsNot(..) => 0.0,
    }
}

/// Packs one near miss.
fn head(
    call: &[NearMissRow],
    names: &[String],
    view: &View,
    columns: &mut Columns,
) -> Result<Option<ClipHead>, ViewError> {
    let Some(Nearest { pair, distance, limit, parties }) = nearest(call, view) else { return Ok(None) };
    let mut film = ClipFilm::new(call, names, limit);
    call.iter().try_for_each(|row| film.take(row, view))?;
    let [one, other] = pair;
    Ok(Some(ClipHead {
        run: one.run,
        call: one.call,
        limit: limit.name.clone(),
        call_s: one.moment.time_s,
        distance,
        pair: [(parties[0], one), (parties[1], other)].map(|(party, row)| format!("{} {}", party.one, row.owner)),
        tables: film.close(columns),
    }))
}

/// The tables of a clip as they grow.
struct ClipFilm<'a> {
    limit: &'a Limit,
    /// Columns of all parties: those of the table, and the one that the limit is about.
    page: Vec<PageColumn>,
    frames: Recorder,
    sampled: BTreeMap<String, Recorder>,
    /// The step of the last row, and the number of steps.
    step: Option<u64>,
    rows: usize,
}

impl<'a> ClipFilm<'a> {
    fn new(call: &[NearMissRow], names: &[String], limit: &'a Limit) -> Self {
        debug_assert!(call.iter().all(|row| row.numbers.len() == names.len()));
        let column = |name: &str| PageColumn::new(&Column::new(name.to_owned(), sim_world::ColumnKind::Number, ""));
        let of_limit = match &limit.rule {
            Rule::AtLeast(name, _) | Rule::AtMost(name, _) | Rule::IsNot(name, _) => name,
        };
        let page = names.iter().chain([of_limit]).map(|name| column(name)).collect();
        let frames = Recorder::new("closest.csv", PageColumn::moment());
        Self { limit, page, frames, sampled: BTreeMap::new(), step: None, rows: 0 }
    }

    fn take(&mut self, row: &NearMissRow, view: &View) -> Result<(), ViewError> {
        let Some(party) = view.parties.iter().find(|party| party.one == row.kind) else { return Ok(()) };
        let is_new = self.step != Some(row.moment.step);
        if is_new {
            self.step = Some(row.moment.step);
            self.rows += 1;
        }
        let frame = Frame { row: self.rows - 1, step: row.moment.step };
        if is_new {
            self.frames.row(frame, 0, [row.moment.step as f64, row.moment.time_s].into_iter())?;
        }
        let distance = row.distance.filter(|_| party.stream == self.limit.of).unwrap_or(f64::NAN);
        let page = &self.page;
        let table = self.sampled.entry(party.stream.clone());
        let table = table.or_insert_with(|| Recorder::new("closest.csv", page.iter().cloned()));
        table.row(frame, row.owner, row.numbers.iter().copied().chain([distance]))
    }

    fn close(self, columns: &mut Columns) -> TablesHead {
        let Self { frames, sampled, rows, .. } = self;
        let frames = frames.close(rows, &[], columns);
        let close = |(stream, table): (String, Recorder)| Some((stream, table.close(rows, &[], columns)?));
        TablesHead { frames, sampled: sampled.into_iter().filter_map(close).collect(), ..TablesHead::default() }
    }
}

/// The area that holds the owners of a clip too, where the view asks for all places of their party.
fn widened(
    area: Option<Rect>,
    call: &[NearMissRow],
    names: &[String],
    (view, projection): (&View, &Projection),
) -> Option<Rect> {
    let place = |coord: &Coord, row: &NearMissRow| match coord {
        Coord::Fixed(number) => Some(*number),
        Coord::Column(name) => names.iter().position(|one| one == name).map(|at| row.numbers[at]),
    };
    let around = call.iter().filter_map(|row| {
        let party = view.parties.iter().find(|party| party.one == row.kind)?;
        let (_, reaches) = projection.area.holds.iter().find(|(stream, _)| *stream == party.stream)?;
        let reach = reaches.get(row.owner as usize).or(reaches.last())?;
        let [right, across] = projection.axes.map(|axis| match axis {
            Axis::X => place(&party.place.x, row),
            Axis::Y => place(&party.place.y, row),
            Axis::Z => place(&party.place.z, row),
        });
        let at = DVec2::new(right?, across?);
        at.is_finite().then(|| Rect { min: at - DVec2::splat(*reach), max: at + DVec2::splat(*reach) })
    });
    area.into_iter().chain(around).reduce(joined)
}

fn joined(a: Rect, b: Rect) -> Rect {
    Rect { min: a.min.min(b.min), max: a.max.max(b.max) }
}

fn scenery(view: View, areas: &[Option<Rect>]) -> Result<Scenery, ViewError> {
    check(&view)?;
    let area = |(projection, held): (&Projection, &Option<Rect>)| {
        let fixed = projection.area.fixed.map(|corners| corners.map(DVec2::from_array));
        let fixed = fixed.map(|[min, max]| Rect { min, max });
        with_margin(fixed.into_iter().chain(*held).reduce(joined), projection)
    };
    let areas: Vec<Rect> = view.projections.iter().zip(areas).map(area).collect();
    Ok(Scenery::new(view, areas))
}
