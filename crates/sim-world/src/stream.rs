//! Streams: named, typed sequences of rows. A world yields rows of its output streams and takes rows of its input streams.
//!
//! A row is borrowed for the time of a call, so that neither a table nor a picture costs an allocation a row.

use crate::check::in_words;
use serde::{Deserialize, Serialize};
use sim_input::nearest::{did_you_mean, nearest};
use std::borrow::Cow;

/// A column of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Name with its unit as the suffix: `x_mm`, `heading_rad`. In a column of [`ColumnKind::Numbers`], `#` stands for the index.
    pub name: Cow<'static, str>,
    /// Type of its values.
    pub kind: ColumnKind,
    /// Meaning, in one sentence without a full stop.
    pub about: Cow<'static, str>,
    /// Smallest and largest value that can occur, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Of a whole number that stands for one of several parties: their names by number. A row that comes in may have the name in place of
    /// the number; the world gets the number, and so does the record. Digits are a number, whatever parties are called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Cow<'static, str>>,
}

/// Type of the values of a column. Any of them may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// A whole number.
    Integer,
    /// A real number.
    Number,
    /// A word or sentence.
    Text,
    /// Bytes, written as hexadecimal digits.
    Bytes,
    /// So many real numbers in one value, such as a scan. CSV spreads it over as many columns.
    Numbers(u32),
}

impl Column {
    /// A column without a known range.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>, kind: ColumnKind, about: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), kind, about: about.into(), range: None, names: Vec::new() }
    }

    /// A whole number.
    #[must_use]
    pub fn integer(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ColumnKind::Integer, about)
    }

    /// A real number.
    #[must_use]
    pub fn number(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ColumnKind::Number, about)
    }

    /// A text.
    #[must_use]
    pub fn text(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ColumnKind::Text, about)
    }

    /// The same with a range.
    #[must_use]
    pub fn with_range(mut self, min: f64, max: f64) -> Self {
        self.range = Some([min, max]);
        self
    }

    /// The same as the number of one of several parties, by their names.
    ///
    /// ```
    /// use sim_world::Column;
    ///
    /// let column = Column::integer("car", "number or name of the car").with_names(["red", "blue"]);
    /// assert_eq!(column.range, Some([0.0, 1.0]));
    /// assert_eq!(column.number_of("blue"), Ok(1));
    /// assert_eq!(column.number_of("bleu").unwrap_err(), r#"is "bleu", the name of no car; did you mean "blue"?"#);
    /// ```
    #[must_use]
    pub fn with_names<N: Into<Cow<'static, str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        let last = self.names.len().saturating_sub(1) as f64;
        self.with_range(0.0, last)
    }

    /// Number of the party with a name.
    ///
    /// # Errors
    /// What is wrong with the name, in words that follow the column's: no party has it, or the column stands for none.
    pub fn number_of(&self, name: &str) -> Result<i64, String> {
        if self.names.is_empty() {
            return Err(format!("is {name:?}, must be {}", in_words(self.kind)));
        }
        let number = self.names.iter().position(|known| known == name);
        number.map(|number| number as i64).ok_or_else(|| {
            let hint = did_you_mean(nearest(name, self.names.iter().map(|known| &**known)));
            format!("is {name:?}, the name of no {}{hint}", self.name)
        })
    }

    /// `step` and `time_s`, the first two columns of every stream that is sampled or comes on events.
    #[must_use]
    pub fn moment() -> [Self; 2] {
        [Self::integer("step", "number of the step, 0 at the start"), Self::number("time_s", "time since the start")]
    }

    /// Names of the columns of its table: a column of many numbers is spread over as many.
    pub fn csv_names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let (count, is_spread) = match self.kind {
            ColumnKind::Numbers(count) => (count, true),
            _ => (1, false),
        };
        (0..count).map(
            move |index| {
                if is_spread { self.name.replace('#', &index.to_string()).into() } else { (&*self.name).into() }
            },
        )
    }

    /// Unit of the values, given by the suffix of the name; empty for a number without a unit.
    ///
    /// ```
    /// use sim_world::{Column, ColumnKind};
    ///
    /// assert_eq!(Column::number("vx_mm_s", "").unit(), "mm/s");
    /// assert_eq!(Column::new("ray_#_m", ColumnKind::Numbers(3), "").unit(), "m");
    /// assert_eq!(Column::integer("agent", "").unit(), "");
    /// ```
    #[must_use]
    pub fn unit(&self) -> &'static str {
        let is_stem = |stem: &str| stem.ends_with('_') && stem.len() > 1;
        let has_suffix = |suffix: &str| {
            let is_whole = suffix == CURVATURE && *self.name == *suffix;
            is_whole || self.name.strip_suffix(suffix).is_some_and(is_stem)
        };
        UNITS.iter().find(|(suffix, _)| has_suffix(suffix)).map_or("", |(_, unit)| unit)
    }
}

/// The only inverse length: `beam_1_m` is the first of several lengths.
const CURVATURE: &str = "curvature_1_m";

/// Suffixes of names and their units, the longest first where one ends with another.
const UNITS: [(&str, &str); 29] = [
    ("mm_s3", "mm/s\u{b3}"),
    ("mm_s2", "mm/s\u{b2}"),
    ("m_s2", "m/s\u{b2}"),
    ("mm_s", "mm/s"),
    ("m_s", "m/s"),
    ("rad_s2", "rad/s\u{b2}"),
    ("rad_s", "rad/s"),
    ("deg_s", "\u{b0}/s"),
    ("n_s", "N s"),
    ("n_m", "N m"),
    ("n", "N"),
    ("kg_m3", "kg/m\u{b3}"),
    ("per_s", "1/s"),
    ("per_m", "1/m"),
    (CURVATURE, "1/m"),
    ("rad", "rad"),
    ("deg", "\u{b0}"),
    ("mm", "mm"),
    ("m", "m"),
    ("ms", "ms"),
    ("us", "\u{b5}s"),
    ("s", "s"),
    ("hz", "Hz"),
    ("rps", "1/s"),
    ("rpm", "1/min"),
    ("percent", "%"),
    ("db_km", "dB/km"),
    ("db", "dB"),
    ("pa", "Pa"),
];

/// When rows of a stream come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cadence {
    /// One row for each owner that is there at every step that is due; which steps are due is the reader's choice.
    Sampled {
        /// Most rows of such a step.
        owners: u64,
    },
    /// Rows when something happens, at any step.
    OnEvent {
        /// Most rows of a run, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_most: Option<u64>,
    },
    /// All rows at the end of the run.
    AtEnd,
}

/// A named, typed sequence of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    /// Name, which is also that of its table: `agents` stands in `agents.csv`.
    pub name: Cow<'static, str>,
    /// What a row is, in one sentence without a full stop.
    pub about: Cow<'static, str>,
    /// When rows come.
    pub cadence: Cadence,
    /// The columns in their order.
    pub columns: Vec<Column>,
    /// True if most runs have no row of it: its table begins with its first row.
    #[serde(skip)]
    pub is_sparse: bool,
}

impl Stream {
    /// A stream.
    #[must_use]
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        about: impl Into<Cow<'static, str>>,
        cadence: Cadence,
        columns: impl IntoIterator<Item = Column>,
    ) -> Self {
        let columns = columns.into_iter().collect();
        Self { name: name.into(), about: about.into(), cadence, columns, is_sparse: false }
    }

    /// The same as a stream of which most runs have no row.
    #[must_use]
    pub fn sparse(mut self) -> Self {
        self.is_sparse = true;
        self
    }

    /// Place of a column in a row.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The column that tells whose row it is: the third one, if it is a whole number. A scenario's robots, feet and cars are numbered
    /// from 0.
    #[must_use]
    pub fn owner(&self) -> Option<usize> {
        let third = self.columns.get(2)?;
        (self.cadence != Cadence::AtEnd && third.kind == ColumnKind::Integer).then_some(2)
    }

    /// Names of the columns of its table, in their order: a column of many numbers is spread over as many.
    pub fn csv_columns(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.columns.iter().flat_map(Column::csv_names)
    }
}

/// One value of a row, borrowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A whole number.
    Integer(i64),
    /// A real number. Not a number and infinity count as missing, but for minus infinity: a range finder's "too near".
    Number(f64),
    /// A text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Real numbers, at most as many as the column has; the others are missing.
    Numbers(&'a [f64]),
    /// Nothing.
    Missing,
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Option<f64>> for Value<'_> {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Missing, Self::Number)
    }
}

impl From<u64> for Value<'_> {
    /// Counts and ids stay below 2^63.
    fn from(count: u64) -> Self {
        Self::Integer(count as i64)
    }
}

impl From<usize> for Value<'_> {
    fn from(count: usize) -> Self {
        Self::Integer(count as i64)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl Value<'_> {
    /// The number that it is, if it is one: an integer or a finite real number.
    #[must_use]
    pub fn as_number(self) -> Option<f64> {
        match self {
            Self::Integer(integer) => Some(integer as f64),
            Self::Number(number) if number.is_finite() => Some(number),
            _ => None,
        }
    }
}

/// One row that comes in from outside: a program, a recorded file, a live client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input<'a> {
    /// Place of the stream in the model's list of inputs.
    pub stream: usize,
    /// Values of the row, in the order of the stream's columns.
    pub row: &'a [Value<'a>],
}

impl<'a> Input<'a> {
    /// Rows of one input stream, in their order.
    ///
    /// ```
    /// use sim_world::{Input, Value};
    ///
    /// let rows = [[Value::from(3_usize), 40.0.into(), 0.0.into()]];
    /// assert_eq!(Input::rows(0, &rows), [Input { stream: 0, row: &rows[0] }]);
    /// ```
    #[must_use]
    pub fn rows<const COLUMNS: usize>(stream: usize, rows: &'a [[Value<'a>; COLUMNS]]) -> Vec<Self> {
        rows.iter().map(|row| Self { stream, row }).collect()
    }
}

/// Which output streams a reader wants, by their place in the model's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamSet(Vec<bool>);

impl StreamSet {
    /// None of them.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Those for which `wanted` is true.
    #[must_use]
    pub fn from_filter(streams: &[Stream], wanted: impl FnMut(&Stream) -> bool) -> Self {
        Self(streams.iter().map(wanted).collect())
    }

    /// All of them.
    #[must_use]
    pub fn all(streams: &[Stream]) -> Self {
        Self(vec![true; streams.len()])
    }

    /// True if the stream at this place is wanted.
    #[must_use]
    pub fn contains(&self, stream: usize) -> bool {
        self.0.get(stream).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan() -> Stream {
        let columns = Column::moment().into_iter().chain([
            Column::integer("car", "the car"),
            Column::new("ray_#_m", ColumnKind::Numbers(3), "range of a ray"),
        ]);
        Stream::new("lidar", "a scan", Cadence::OnEvent { at_most: None }, columns)
    }

    #[test]
    fn a_table_spreads_many_numbers_over_as_many_columns() {
        let names: Vec<_> = scan().csv_columns().map(Cow::into_owned).collect();
        assert_eq!(names, ["step", "time_s", "car", "ray_0_m", "ray_1_m", "ray_2_m"]);
    }

    #[test]
    fn the_owner_is_the_third_column_if_it_is_a_number() {
        assert_eq!(scan().owner(), Some(2));
        let events = Stream { columns: vec![Column::integer("step", ""), Column::text("kind", "")], ..scan() };
        assert_eq!(events.owner(), None);
        assert_eq!(Stream { cadence: Cadence::AtEnd, ..scan() }.owner(), None);
    }

    #[test]
    fn units_are_told_by_suffixes_and_not_by_whole_names() {
        let unit = |name: &'static str| Column::number(name, "").unit();
        assert_eq!(unit("accel_x_m_s2"), "m/s\u{b2}");
        assert_eq!(unit("yaw_rate_rad_s"), "rad/s");
        assert_eq!(unit("time_s"), "s");
        assert_eq!(unit("battery_percent"), "%");
        assert_eq!((unit("curvature_1_m"), unit("beam_1_m"), unit("beam_2_m")), ("1/m", "m", "m"));
        assert_eq!((unit("peak"), unit("m"), unit("status")), ("", "", ""));
    }

    #[test]
    fn streams_read_back_from_their_json() {
        let text = serde_json::to_string(&scan()).unwrap();
        assert!(text.contains(r#""cadence":{"on_event":{}}"#) && text.contains(r#""kind":{"numbers":3}"#), "{text}");
        assert_eq!(serde_json::from_str::<Stream>(&text).unwrap(), scan());
    }

    #[test]
    fn a_set_knows_only_what_was_asked_for() {
        let streams = [scan(), Stream { name: "imu".into(), ..scan() }];
        let set = StreamSet::from_filter(&streams, |stream| stream.name == "imu");
        assert_eq!([0, 1, 2].map(|place| set.contains(place)), [false, true, false]);
        assert!(StreamSet::all(&streams).contains(0) && !StreamSet::none().contains(0));
    }
}
