//! Numbers and words about owners, as a view asks for them.

use super::{Actor, Frame, PartyFrame};
use crate::folder::{FolderError, RunFolder, no_such_column, places_of, text_at};
use sim_core::{DVec2, angle::unit, ops};
use sim_world::view::{Condition, Draw, Figure, Fold, Outline, Party, Phrase, Quantity};
use sim_world::{ColumnKind, Stream};

/// A quantity of an owner.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text, in words.
    Text(String),
    /// Nothing.
    Missing,
}

impl Value {
    /// A finite number, or nothing.
    fn from_number(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Missing }
    }

    /// The number that it is; not a number if it is none.
    #[must_use]
    pub fn number(&self) -> f64 {
        if let Self::Number(number) = self { *number } else { f64::NAN }
    }
}

/// A text of a table in words: `move_out` is `move out`.
#[must_use]
pub fn text_of(text: &str) -> String {
    text.replace('_', " ")
}

/// Tells numbers and words about the owners of one party at a moment.
#[derive(Clone, Copy)]
pub(crate) struct Teller<'a> {
    pub folder: &'a RunFolder,
    pub frame: &'a Frame,
    pub party: &'a Party,
    /// None where the party is sparse and has no rows.
    stream: Option<&'a Stream>,
    pub now: &'a PartyFrame,
}

impl<'a> Teller<'a> {
    /// For the party of a stream; nothing if it has no rows.
    pub fn new(folder: &'a RunFolder, frame: &'a Frame, stream: &str) -> Result<Self, FolderError> {
        let view = folder.view();
        let party = view.parties.iter().position(|party| party.stream == stream);
        let found = party.and_then(|at| Some((view.parties.get(at)?, frame.parties.get(at)?)));
        match (found, folder.tables().stream(stream)) {
            (Some((party, now)), stream) if stream.is_some() || party.is_sparse => {
                Ok(Self { folder, frame, party, stream, now })
            }
            _ => Err(FolderError::Stream {
                path: folder.path().join("view.json"),
                problem: format!("{stream:?} is no stream of a party"),
            }),
        }
    }

    /// Place of a column in a row; 0 where there are no rows.
    pub fn place(&self, column: &str) -> Result<usize, FolderError> {
        let Some(stream) = self.stream else { return Ok(0) };
        let places = places_of(stream, column).filter(|places| !places.is_empty());
        places.map(|places| places.start).ok_or_else(|| no_such_column(stream, column))
    }

    fn vector(&self, actor: &Actor, [x, y]: &[String; 2]) -> Result<DVec2, FolderError> {
        Ok(DVec2::new(actor.row[self.place(x)?], actor.row[self.place(y)?]))
    }

    /// A quantity of an owner.
    pub fn value(&self, actor: &Actor, quantity: &Quantity) -> Result<Value, FolderError> {
        Ok(match quantity {
            Quantity::Column(column) => self.column(actor, column)?,
            Quantity::Owner => Value::Number(actor.id as f64),
            Quantity::Name => self.party.name_of(actor.id).map_or(Value::Missing, |name| Value::Text(name.to_owned())),
            Quantity::Length(columns) => Value::from_number(self.vector(actor, columns)?.length()),
            Quantity::Difference(a, b) => Value::from_number(self.vector(actor, a)?.distance(self.vector(actor, b)?)),
            Quantity::Middle(columns) => {
                let pair = self.vector(actor, columns)?;
                Value::from_number((0.5 * (pair.x + pair.y)).abs())
            }
            Quantity::Tilt(columns) => {
                let angles = self.vector(actor, columns)?;
                Value::from_number(ops::acos((ops::cos(angles.x) * ops::cos(angles.y)).clamp(-1.0, 1.0)))
            }
            Quantity::Nearest(stream) => self.nearest_range(actor, stream),
            Quantity::Apart => {
                let others = self.now.actors.iter().filter(|other| other.id != actor.id);
                let nearest = others.map(|other| other.place.distance(actor.place)).reduce(f64::min);
                nearest.map_or(Value::Missing, Value::from_number)
            }
            Quantity::Within(stream, column) => {
                let others = Self::new(self.folder, self.frame, stream)?;
                let at = others.place(column)?;
                let is_near = |other: &Actor| other.place.distance(actor.place) <= other.row[at];
                Value::Number(if others.now.actors.iter().any(is_near) { 1.0 } else { 0.0 })
            }
            Quantity::Over { polygons, at, up_to } => self.under(actor, polygons, *at, *up_to),
        })
    }

    fn column(&self, actor: &Actor, column: &str) -> Result<Value, FolderError> {
        let value = actor.row[self.place(column)?];
        let is_text = |kind| matches!(kind, ColumnKind::Text | ColumnKind::Bytes);
        let mut columns = self.stream.iter().flat_map(|stream| &stream.columns);
        let kind = columns.find(|candidate| candidate.name == column).map(|column| column.kind);
        if !kind.is_some_and(is_text) {
            return Ok(Value::from_number(value));
        }
        Ok(if value.is_nan() { Value::Missing } else { Value::Text(text_of(text_at(&self.now.texts, value))) })
    }

    fn nearest_range(&self, actor: &Actor, stream: &str) -> Value {
        let scanner = self.folder.view().scanners.iter().position(|scanner| scanner.stream == stream);
        let scans = scanner.and_then(|at| self.frame.scans.get(at));
        let scan = scans.and_then(|scans| scans.iter().find(|scan| scan.owner == actor.id));
        scan.and_then(|scan| scan.nearest).map_or(Value::Missing, Value::from_number)
    }

    fn under(&self, actor: &Actor, polygons: &str, at: [f64; 2], up_to: f64) -> Value {
        if actor.place.z > up_to {
            return Value::Missing;
        }
        let place = actor.place.truncate() + unit(actor.angles[0]).rotate(DVec2::from_array(at));
        let shapes = self.folder.view().marks.iter().find_map(|mark| match &mark.draw {
            Draw::Polygons { name: Some(name), shapes, .. } if name == polygons => Some(shapes),
            _ => None,
        });
        let label = shapes.and_then(|shapes| shapes.iter().rev().find(|shape| holds(shape, place))?.label.clone());
        label.map_or(Value::Missing, Value::Text)
    }

    /// A figure of one owner, or of all of them if none is given.
    pub fn figure(&self, actor: Option<&Actor>, figure: &Figure) -> Result<Value, FolderError> {
        let value = match (figure.over, actor) {
            (Some(fold), _) => self.fold(&figure.of, fold)?,
            (None, Some(actor)) => self.value(actor, &figure.of)?,
            (None, None) => Value::Missing,
        };
        Ok(match value {
            Value::Number(number) => Value::from_number(number * figure.factor),
            other => other,
        })
    }

    fn fold(&self, quantity: &Quantity, fold: Fold) -> Result<Value, FolderError> {
        if fold == Fold::Count {
            return Ok(Value::Number(self.now.actors.len() as f64));
        }
        let mut numbers = Vec::with_capacity(self.now.actors.len());
        for actor in &self.now.actors {
            let number = self.value(actor, quantity)?.number();
            numbers.extend((!number.is_nan()).then_some(number));
        }
        Ok(folded(&numbers, fold).map_or(Value::Missing, Value::from_number))
    }

    /// Words with their numbers; nothing if one of them is missing or no condition holds.
    pub fn phrase(&self, actor: Option<&Actor>, phrase: &Phrase) -> Result<Option<String>, FolderError> {
        if !self.holds(actor, &phrase.when)? {
            return Ok(None);
        }
        let mut parts = phrase.words.split("{}");
        let mut words = parts.next().unwrap_or_default().to_owned();
        for (figure, part) in phrase.figures.iter().zip(parts) {
            match self.figure(actor, figure)? {
                Value::Number(number) => words += &format!("{number:.*}", usize::from(figure.digits.min(MAX_DIGITS))),
                Value::Text(text) => words += &text,
                Value::Missing => return Ok(None),
            }
            words += part;
        }
        Ok(Some(words))
    }

    /// The first phrase that can be said.
    pub fn first_phrase(&self, actor: Option<&Actor>, phrases: &[Phrase]) -> Result<Option<String>, FolderError> {
        for phrase in phrases {
            if let Some(words) = self.phrase(actor, phrase)? {
                return Ok(Some(words));
            }
        }
        Ok(None)
    }

    /// True if one of the conditions holds, or there are none.
    pub fn holds(&self, actor: Option<&Actor>, conditions: &[Condition]) -> Result<bool, FolderError> {
        let Some(actor) = actor.filter(|_| !conditions.is_empty()) else { return Ok(conditions.is_empty()) };
        for condition in conditions {
            let holds = match condition {
                Condition::Above(quantity, bound) => self.value(actor, quantity)?.number() > *bound,
                Condition::Below(quantity, bound) => self.value(actor, quantity)?.number() < *bound,
                Condition::Flag(name) => self.has_flag(actor, name),
                Condition::Alarm => self.is_alarm(actor),
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_flag(&self, actor: &Actor, name: &str) -> bool {
        let is_it = |flag: &sim_world::view::Flag| flag.name == name && flag.of == self.party.stream;
        let flag = self.folder.view().flags.iter().position(is_it);
        flag.and_then(|at| self.frame.flags.get(at)).is_some_and(|owners| owners.contains(&actor.id))
    }

    /// True if the owner, or another party's of the same number that paints it, breaks a limit, or one is broken towards it.
    pub fn is_alarm(&self, actor: &Actor) -> bool {
        let stream = &self.party.stream;
        self.folder.view().limits.iter().zip(&self.frame.breaks).any(|(limit, breaks)| {
            let is_owner = limit.of == *stream || limit.paints.contains(stream);
            let is_other = limit.to.as_ref().is_some_and(|to| to == stream || (*to == limit.of && is_owner));
            let id = actor.id;
            breaks.iter().any(|broken| (is_owner && broken.owner == id) || (is_other && broken.other == Some(id)))
        })
    }
}

/// More digits of a number are not written.
const MAX_DIGITS: u8 = 9;

fn folded(numbers: &[f64], fold: Fold) -> Option<f64> {
    let count = numbers.len() as f64;
    let numbers = numbers.iter().copied();
    match fold {
        Fold::Min => numbers.reduce(f64::min),
        Fold::Max => numbers.reduce(f64::max),
        Fold::Mean => (count > 0.0).then(|| numbers.sum::<f64>() / count),
        Fold::ShareAbove(bound) => {
            (count > 0.0).then(|| numbers.filter(|number| *number > bound).count() as f64 / count)
        }
        Fold::Count => Some(count),
    }
}

/// True if a place is inside a closed outline: a line from it to the right crosses its sides an odd number of times.
fn holds(outline: &Outline, place: DVec2) -> bool {
    let points = &outline.points;
    let sides = points.iter().zip(points.iter().cycle().skip(1)).take(points.len());
    let crosses = |(a, b): (&[f64; 2], &[f64; 2])| {
        (a[1] > place.y) != (b[1] > place.y) && place.x < a[0] + (b[0] - a[0]) * (place.y - a[1]) / (b[1] - a[1])
    };
    sides.filter(|&side| crosses(side)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_what_their_names_say() {
        let numbers = [4.0, 1.0, 7.0, 12.0];
        assert_eq!(folded(&numbers, Fold::Min), Some(1.0));
        assert_eq!(folded(&numbers, Fold::Max), Some(12.0));
        assert_eq!(folded(&numbers, Fold::Mean), Some(6.0));
        assert_eq!(folded(&numbers, Fold::ShareAbove(4.0)), Some(0.5));
        assert_eq!(folded(&[], Fold::Mean), None);
    }

    #[test]
    fn a_place_is_inside_a_turned_square_or_not() {
        let square = Outline { points: vec![[0.0, 2.0], [2.0, 0.0], [4.0, 2.0], [2.0, 4.0]], label: None };
        for (x, y, inside) in
            [(2.0, 2.0, true), (1.1, 1.1, true), (0.9, 0.9, false), (3.5, 0.7, false), (5.0, 2.0, false)]
        {
            assert_eq!(holds(&square, DVec2::new(x, y)), inside, "({x}, {y})");
        }
    }
}
