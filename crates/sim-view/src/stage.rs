//! The stage: a page that draws a run while it goes on, and the messages that tell it the state.
//!
//! The page is that of a replay with another source of rows. It gets a head once (`hello`, JSON) and then frames. A frame is binary, the
//! lowest byte first:
//!
//! ```text
//! u8 kind = 1, u8 version = 1, u16 blocks, u32 step, f64 time in s
//! block: u16 stream by its place in the head, u16 rows, then for each row an f32 for each number of its columns
//! ```
//!
//! A missing value is not a number. A text is its place in a list of words, which is sent as it grows. A block of a sampled stream has
//! the rows of the step; one of events has the rows since the frame before.
//!
//! Rows that a page lists (`lists` of the head: events, and the logs of the view) come as JSON before the frame:
//! `{"lists":{"STREAM":[[step, time_s, ...]]}}`, values in the order of the head, bytes as pairs of hexadecimal digits.

use crate::error::ViewError;
use crate::picture::with_margin;
use crate::replay::columns::PageColumn;
use crate::replay::head::Scenery;
use crate::replay::html;
use serde::Serialize;
use serde_json::Value as Json;
use sim_core::{DVec2, Rect};
use sim_world::view::{Axis, Coord, Party, Projection, View};
use sim_world::{Cadence, Column, ColumnKind, RowSink, Stream, Value};
use std::collections::{BTreeMap, VecDeque};

/// Kind and version of a frame.
const FRAME: [u8; 2] = [1, 1];
/// Words that are told apart; further ones count as missing.
const MAX_WORDS: usize = 4096;
/// Rows of events that a frame has of a stream at most: the newest ones.
const MAX_EVENTS: usize = 256;
/// The stream of events of any world.
const EVENTS: &str = "events";

/// The text of the page. `nonce` is what the policy of its server wants of scripts and styles.
#[must_use]
pub fn page(title: &str, nonce: &str) -> String {
    html::stage(title, nonce)
}

/// Hands the rows of an output stream, by its place in the model's list.
pub type Rows<'a> = dyn Fn(usize, &mut RowSink<'_>) + 'a;

/// What a page needs to know of a run before its first frame.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    #[serde(flatten)]
    scenery: Scenery,
    streams: Vec<StreamHead>,
    /// Columns of the rows that are listed, by stream; the owner's is called `owner`.
    lists: BTreeMap<String, Vec<String>>,
}

/// A stream of the frames.
#[derive(Clone, Debug, Serialize)]
struct StreamHead {
    name: String,
    is_sampled: bool,
    /// Most owners of a step.
    owners: u64,
    /// Place of the number of the owner among the columns.
    owner: Option<usize>,
    columns: Vec<ColumnHead>,
}

#[derive(Clone, Debug, Serialize)]
struct ColumnHead {
    name: String,
    decimals: u8,
    width: usize,
    is_text: bool,
}

/// Where a stream of the frames comes from.
#[derive(Clone, Debug)]
struct Source {
    /// Place of the stream in the model's list.
    place: usize,
    is_sampled: bool,
    /// Its columns that a page gets: places and numbers of a value.
    columns: Vec<(usize, usize)>,
    /// Texts by which flags choose rows of events, a list for each flag; without any, all rows count.
    flags: Vec<Vec<(usize, String)>>,
    /// Rows of events since the last frame.
    events: Vec<f32>,
}

impl Source {
    fn width(&self) -> usize {
        self.columns.iter().map(|(_, width)| width).sum()
    }

    fn wants(&self, row: &[Value<'_>]) -> bool {
        let holds = |(at, text): &(usize, String)| row[*at] == Value::Text(text);
        self.flags.is_empty() || self.flags.iter().any(|texts| texts.iter().all(holds))
    }
}

/// Rows that pages list, since the last frame.
#[derive(Clone, Debug)]
struct Listed {
    /// Place of the stream in the model's list.
    place: usize,
    name: String,
    /// Places of its columns.
    columns: Vec<usize>,
    rows: VecDeque<Vec<Json>>,
}

impl Listed {
    fn note(&mut self, rows: &Rows<'_>) {
        let Self { place, columns, rows: kept, .. } = self;
        rows(*place, &mut |row| {
            if kept.len() == MAX_EVENTS {
                kept.pop_front();
            }
            kept.push_back(columns.iter().map(|&at| json(&row[at])).collect());
        });
    }
}

fn json(value: &Value<'_>) -> Json {
    match value {
        Value::Integer(integer) => (*integer).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(text) => (*text).into(),
        Value::Bytes(bytes) => hex(bytes).into(),
        Value::Numbers(numbers) => numbers.to_vec().into(),
        Value::Missing => Json::Null,
    }
}

/// Bytes as pairs of hexadecimal digits with blanks between, as tables have them.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Makes the frames of a run.
#[derive(Clone, Debug)]
pub struct FrameWriter {
    sources: Vec<Source>,
    lists: Vec<Listed>,
    words: Words,
}

/// Words of texts, by their place.
#[derive(Clone, Debug, Default)]
struct Words {
    list: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Words {
    fn place(&mut self, text: &str) -> f32 {
        if let Some(place) = self.places.get(text) {
            return *place as f32;
        }
        if self.list.len() == MAX_WORDS {
            return f32::NAN;
        }
        self.places.insert(text.to_owned(), self.list.len());
        self.list.push(text.to_owned());
        (self.list.len() - 1) as f32
    }

    fn push(&mut self, (value, width): (&Value<'_>, usize), out: &mut Vec<f32>) {
        let end = out.len() + width;
        match value {
            Value::Numbers(numbers) => out.extend(numbers.iter().take(width).map(|&number| number as f32)),
            Value::Number(number) => out.push(*number as f32),
            Value::Integer(integer) => out.push(*integer as f32),
            Value::Text(text) => out.push(self.place(text)),
            Value::Bytes(bytes) => out.push(self.place(&hex(bytes))),
            Value::Missing => {}
        }
        out.resize(end, f32::NAN);
    }
}

impl FrameWriter {
    /// The frames of a run that is drawn by `view`, and what a page must know of them. `rows` are those of the start, for the area that
    /// is seen.
    ///
    /// # Errors
    /// If the view names a party that it does not have.
    pub fn new(view: &View, outputs: &[Stream], rows: &Rows<'_>) -> Result<(Self, Scene), ViewError> {
        let (mut sources, mut streams) = (Vec::new(), Vec::new());
        for (place, stream) in outputs.iter().enumerate() {
            let Some(columns) = columns_for(view, stream) else { continue };
            let heads: Vec<(usize, PageColumn)> =
                columns.into_iter().map(|at| (at, PageColumn::new(&stream.columns[at]))).collect();
            streams.push(StreamHead {
                name: stream.name.clone().into_owned(),
                is_sampled: is_sampled(stream),
                owners: if let Cadence::Sampled { owners } = stream.cadence { owners } else { 0 },
                owner: stream.owner().and_then(|owner| heads.iter().position(|(at, _)| *at == owner)),
                columns: heads.iter().map(|(_, column)| ColumnHead::from(column)).collect(),
            });
            let columns = heads.into_iter().map(|(at, column)| (at, column.width)).collect();
            let flags = flags_of(view, stream);
            sources.push(Source { place, is_sampled: is_sampled(stream), columns, flags, events: Vec::new() });
        }
        let lists = lists(view, outputs);
        let names = |list: &Listed| {
            let (stream, owner) = (&outputs[list.place], outputs[list.place].owner());
            let name =
                |&at: &usize| if owner == Some(at) { "owner".into() } else { stream.columns[at].name.to_string() };
            (list.name.clone(), list.columns.iter().map(name).collect())
        };
        let heads = lists.iter().map(names).collect();
        let areas = view.projections.iter().map(|projection| area_at_start(view, projection, outputs, rows));
        let scenery = Scenery::new(view.clone(), areas.collect::<Result<Vec<_>, _>>()?);
        Ok((Self { sources, lists, words: Words::default() }, Scene { scenery, streams, lists: heads }))
    }

    /// Keeps the events of the step that was just made for the next frame.
    pub fn note_events(&mut self, rows: &Rows<'_>) {
        let words = &mut self.words;
        for source in self.sources.iter_mut().filter(|source| !source.is_sampled) {
            let most = MAX_EVENTS * source.width();
            let mut events = std::mem::take(&mut source.events);
            rows(source.place, &mut |row| {
                if source.wants(row) {
                    source.columns.iter().for_each(|&(at, width)| words.push((&row[at], width), &mut events));
                }
            });
            if events.len() > most {
                events.drain(..events.len() - most);
            }
            source.events = events;
        }
        self.lists.iter_mut().for_each(|list| list.note(rows));
    }

    /// The rows to be listed since this was asked last, as a message; none if there are none.
    pub fn take_lists(&mut self) -> Option<String> {
        let mut lists = serde_json::Map::new();
        for list in self.lists.iter_mut().filter(|list| !list.rows.is_empty()) {
            let rows = list.rows.drain(..).map(Json::from).collect();
            lists.insert(list.name.clone(), Json::Array(rows));
        }
        (!lists.is_empty()).then(|| serde_json::json!({ "lists": lists }).to_string())
    }

    /// The frame of a moment.
    pub fn frame(&mut self, step: u64, time_s: f64, rows: &Rows<'_>) -> Vec<u8> {
        let mut bytes = FRAME.to_vec();
        bytes.extend((self.sources.len() as u16).to_le_bytes());
        bytes.extend((step as u32).to_le_bytes());
        bytes.extend(time_s.to_le_bytes());
        let words = &mut self.words;
        for (n, source) in self.sources.iter_mut().enumerate() {
            let mut numbers = std::mem::take(&mut source.events);
            if source.is_sampled {
                let columns = &source.columns;
                rows(source.place, &mut |row| {
                    columns.iter().for_each(|&(at, width)| words.push((&row[at], width), &mut numbers));
                });
            }
            let count = numbers.len() / source.width().max(1);
            bytes.extend((n as u16).to_le_bytes());
            bytes.extend((count as u16).to_le_bytes());
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// The words of texts so far; a place in this list never changes.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words.list
    }
}

impl From<&PageColumn> for ColumnHead {
    fn from(column: &PageColumn) -> Self {
        let PageColumn { name, decimals, is_text, width } = column.clone();
        Self { name, decimals, width, is_text }
    }
}

fn is_sampled(stream: &Stream) -> bool {
    matches!(stream.cadence, Cadence::Sampled { .. })
}

/// Which columns of a stream a page gets; none if the view does not name the stream.
fn columns_for(view: &View, stream: &Stream) -> Option<Vec<usize>> {
    let all = || stream.columns.iter().enumerate();
    if is_sampled(stream) {
        let is_party = view.parties.iter().any(|party| party.stream == stream.name);
        return is_party
            .then(|| all().filter(|(_, column)| column.kind != ColumnKind::Bytes).map(|(at, _)| at).collect());
    }
    let flags = view.flags.iter().filter(|flag| flag.events == stream.name);
    let mut names: Vec<&str> =
        flags.flat_map(|flag| flag.matching.iter().chain([&flag.holds]).map(|[column, _]| &**column)).collect();
    let scanners = view.scanners.iter().filter(|scanner| scanner.stream == stream.name);
    names.extend(scanners.flat_map(|one| [&one.taken, &one.ranges].into_iter().chain(&one.ray).map(|name| &**name)));
    if names.is_empty() {
        return None;
    }
    let moment = Column::moment();
    let owner = stream.owner();
    let is_wanted = |(at, column): &(usize, &Column)| {
        Some(*at) == owner || names.contains(&&*column.name) || moment.iter().any(|one| one.name == column.name)
    };
    Some(all().filter(is_wanted).map(|(at, _)| at).collect())
}

/// Texts by which flags choose rows of a stream: places of columns with what stands there.
fn flags_of(view: &View, stream: &Stream) -> Vec<Vec<(usize, String)>> {
    let is_scanned = view.scanners.iter().any(|scanner| scanner.stream == stream.name);
    let flags = view.flags.iter().filter(|flag| flag.events == stream.name && !is_scanned);
    let text = |[column, text]: &[String; 2]| Some((stream.column(column)?, text.clone()));
    flags.map(|flag| flag.matching.iter().filter_map(text).collect()).collect()
}

/// What pages list: what happened, and the logs of the view.
fn lists(view: &View, outputs: &[Stream]) -> Vec<Listed> {
    let mut lists = Vec::new();
    for (place, stream) in outputs.iter().enumerate() {
        let log = view.logs.iter().find(|log| log.stream == stream.name);
        let moment = Column::moment();
        let is_wanted = |(at, column): &(usize, &Column)| match log {
            None => true,
            Some(log) => {
                let names = log.kinds.iter().chain(&log.words).map(String::as_str);
                Some(*at) == stream.owner()
                    || names.chain(moment.iter().map(|one| &*one.name)).any(|name| name == column.name)
            }
        };
        if log.is_some() || stream.name == EVENTS {
            let columns = stream.columns.iter().enumerate().filter(is_wanted).map(|(at, _)| at).collect();
            lists.push(Listed { place, name: stream.name.clone().into_owned(), columns, rows: VecDeque::new() });
        }
    }
    lists
}

/// What a projection shows of a run that has just begun: what is fixed, and the parties that it holds where they start.
fn area_at_start(view: &View, projection: &Projection, outputs: &[Stream], rows: &Rows<'_>) -> Result<Rect, ViewError> {
    let mut area = projection.area.fixed.map(|[min, max]| Rect { min: min.into(), max: max.into() });
    for (name, reaches) in &projection.area.holds {
        let unknown = || ViewError::Wrong(format!("the view holds {name}, which no party has"));
        let party = view.parties.iter().find(|party| party.stream == *name).ok_or_else(unknown)?;
        let Some(place) = outputs.iter().position(|stream| stream.name == *name) else { continue };
        let reach = DVec2::splat(reaches.iter().copied().fold(0.0, f64::max));
        rows(place, &mut |row| {
            let at = DVec2::from_array(projection.axes.map(|axis| coord(party, axis, &outputs[place], row)));
            if at.is_finite() {
                let known = area.unwrap_or(Rect { min: at, max: at });
                area = Some(Rect { min: known.min.min(at - reach), max: known.max.max(at + reach) });
            }
        });
    }
    let area = with_margin(area, projection);
    // A run may leave what a single place at the start shows.
    let least = DVec2::splat(1e-3 * area.size().max_element().max(1.0));
    let pad = (least - area.size()).max(DVec2::ZERO);
    Ok(Rect { min: area.min - pad, max: area.max + pad })
}

fn coord(party: &Party, axis: Axis, stream: &Stream, row: &[Value<'_>]) -> f64 {
    let coord = match axis {
        Axis::X => &party.place.x,
        Axis::Y => &party.place.y,
        Axis::Z => &party.place.z,
    };
    match coord {
        Coord::Fixed(number) => *number,
        Coord::Column(name) => stream.column(name).and_then(|at| row[at].as_number()).unwrap_or(f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_world::view::{Flag, Place};

    fn view() -> View {
        let party = Party::new("cars", ["car", "cars"], Place::plane("x_m", 0.0));
        let flag = Flag {
            name: "button".into(),
            of: "cars".into(),
            events: "heard".into(),
            matching: vec![["what".into(), "button".into()]],
            holds: ["value".into(), "down".into()],
        };
        View { parties: vec![party], flags: vec![flag], ..View::default() }
    }

    fn streams() -> Vec<Stream> {
        let columns = |last: Vec<Column>| Column::moment().into_iter().chain([Column::integer("car", "")]).chain(last);
        let cars = columns(vec![Column::number("x_m", ""), Column::text("state", "")]);
        let heard = columns(vec![Column::text("what", ""), Column::text("value", ""), Column::text("more", "")]);
        vec![
            Stream::new("other", "", Cadence::Sampled { owners: 1 }, Column::moment()),
            Stream::new("heard", "", Cadence::OnEvent { at_most: None }, heard),
            Stream::new("cars", "", Cadence::Sampled { owners: 2 }, cars),
        ]
    }

    fn rows(place: usize, out: &mut RowSink<'_>) {
        let moment = [Value::Integer(7), Value::Number(0.7)];
        if place == 1 {
            let row = ["button", "down", "long"].map(Value::Text);
            out(&[&moment[..], &[Value::Integer(1)], &row].concat());
        }
        if place == 2 {
            out(&[&moment[..], &[Value::Integer(0), Value::Number(1.5), Value::Text("stands")]].concat());
            out(&[&moment[..], &[Value::Integer(1), Value::Missing, Value::Text("stands")]].concat());
        }
    }

    /// The numbers of a frame, by stream, read by the layout at the head of this file.
    fn read(bytes: &[u8]) -> Vec<(u16, u16, Vec<f32>)> {
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let widths = [5, 5];
        let mut at = 16;
        let blocks = (0..u16_at(2)).map(|n| {
            let (stream, count) = (u16_at(at), u16_at(at + 2));
            let end = at + 4 + 4 * widths[usize::from(n)] * usize::from(count);
            let numbers =
                bytes[at + 4..end].chunks(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            at = end;
            (stream, count, numbers.collect())
        });
        let blocks = blocks.collect();
        assert_eq!(at, bytes.len());
        blocks
    }

    #[test]
    fn a_frame_has_the_rows_of_parties_and_the_events_since_the_last_one() {
        let (mut frames, scene) = FrameWriter::new(&view(), &streams(), &rows).unwrap();
        let json = serde_json::to_value(&scene).unwrap();
        assert_eq!(json["streams"][0]["name"], "heard");
        assert_eq!((&json["streams"][1]["owner"], &json["streams"][1]["owners"]), (&2.into(), &2.into()));
        frames.note_events(&rows);
        frames.note_events(&rows);
        let bytes = frames.frame(7, 0.7, &rows);
        assert_eq!(bytes[..8], [1, 1, 2, 0, 7, 0, 0, 0]);
        assert_eq!(bytes[8..16], 0.7_f64.to_le_bytes());
        let blocks = read(&bytes);
        assert_eq!((blocks[0].0, blocks[0].1), (0, 2));
        assert_eq!(blocks[0].2[2..5], [1.0, 0.0, 1.0]);
        assert_eq!(blocks[1].2[2..5], [0.0, 1.5, 2.0]);
        assert!(blocks[1].2[8].is_nan() && blocks[1].2[9] == 2.0);
        assert_eq!(frames.words(), ["button", "down", "stands"]);
        // No step since: the events are told.
        assert_eq!(read(&frames.frame(7, 0.7, &rows))[0].1, 0);
    }

    /// Bytes stand as tables have them, and rows that no flag is about do not fill the list of words.
    #[test]
    fn rows_of_bytes_are_told_as_texts_and_chosen_by_their_flags() {
        let about = Column::new("hex", ColumnKind::Bytes, "");
        let columns = Column::moment().into_iter().chain([Column::integer("car", ""), Column::text("what", ""), about]);
        let streams = [Stream::new("heard", "", Cadence::OnEvent { at_most: None }, columns)];
        let rows = |_: usize, out: &mut RowSink<'_>| {
            let row =
                |what, bytes| [Value::Integer(7), Value::Number(0.7), Value::Integer(1), Value::Text(what), bytes];
            out(&row("button", Value::Bytes(&[1, 0x80])));
            out(&row("other", Value::Bytes(&[9])));
        };
        let mut view = view();
        view.flags[0].holds = ["hex".into(), "01 80".into()];
        let words = vec!["hex".to_owned()];
        let (stream, of) = ("heard".to_owned(), "cars".to_owned());
        view.logs = vec![sim_world::view::Log { stream, title: "Heard".into(), of, kinds: vec!["what".into()], words }];
        let (mut frames, scene) = FrameWriter::new(&view, &streams, &rows).unwrap();
        let json = serde_json::to_value(&scene).unwrap();
        assert_eq!(json["lists"]["heard"], serde_json::json!(["step", "time_s", "owner", "what", "hex"]));
        frames.note_events(&rows);
        let lists = frames.take_lists().unwrap();
        assert_eq!(lists, r#"{"lists":{"heard":[[7,0.7,1,"button","01 80"],[7,0.7,1,"other","09"]]}}"#);
        assert_eq!(frames.take_lists(), None);
        assert_eq!(read(&frames.frame(7, 0.7, &rows))[0].1, 1);
        assert_eq!(frames.words(), ["button", "01 80"]);
    }

    #[test]
    fn events_beyond_the_bound_are_the_newest() {
        let (mut frames, _) = FrameWriter::new(&view(), &streams(), &rows).unwrap();
        (0..300).for_each(|_| frames.note_events(&rows));
        assert_eq!(read(&frames.frame(300, 3.0, &rows))[0].1, 256);
    }
}
