//! Limits that are broken: by the rows of a moment, and by events at or shortly before it.

use super::events::Events;
use super::{Break, PartyFrame};
use crate::folder::{FolderError, Moment, RunFolder, StreamTable, text_at};
use sim_world::view::{Breaks, Limit, Rule};
use std::collections::BTreeMap;

/// A limit counts as broken when it is missed by more than this, as in the measures.
const TOLERANCE: f64 = 1e-6;

/// An owner, and the other one of a distance.
type Pair = (u64, Option<u64>);

/// A limit as the events of a run come.
#[derive(Debug)]
pub(super) struct BreakReader {
    events: Option<Events>,
    /// Places of kind, subject, object and value.
    places: [usize; 4],
    record: BreakRecord,
}

/// What the events state.
#[derive(Debug)]
struct BreakRecord {
    limit: Limit,
    /// The last episode of each pair, as long as it can still be shown.
    episodes: BTreeMap<Pair, Episode>,
    times: u64,
}

#[derive(Clone, Copy, Debug)]
struct Episode {
    begin_s: f64,
    end_s: Option<f64>,
    worst: Option<f64>,
}

impl BreakReader {
    pub fn new(folder: &RunFolder, limit: &Limit) -> Result<Self, FolderError> {
        const COLUMNS: [&str; 4] = ["kind", "subject", "object", "value"];
        let record = BreakRecord { limit: limit.clone(), episodes: BTreeMap::new(), times: 0 };
        let mut reader = Self { events: None, places: [0; 4], record };
        let Some(breaks) = &limit.events else { return Ok(reader) };
        if let Some(table) = folder.stream(&breaks.stream, |column| COLUMNS.contains(&column))? {
            for (place, column) in reader.places.iter_mut().zip(COLUMNS) {
                *place = table.places(column)?.start;
            }
            reader.events = Some(Events::new(table));
        }
        Ok(reader)
    }

    /// Reads the events up to a step, which must not be before the last one, and returns how many breaks began.
    pub fn up_to(&mut self, step: u64) -> Result<u64, FolderError> {
        let Self { events, places, record } = self;
        if let Some(events) = events {
            events.up_to(
                |moment| moment.step <= step,
                |table, moment, row| record.hear(table, moment, places.map(|place| row[place])),
            )?;
        }
        Ok(record.times)
    }

    /// Limits that are broken at `time_s`, or were less than `shown_s` before. Times must not go back.
    pub fn breaks(&mut self, parties: [&PartyFrame; 2], time_s: f64, shown_s: f64) -> Vec<Break> {
        let is_shown =
            |episode: &Episode| episode.end_s.is_none_or(|end_s| time_s <= end_s.max(episode.begin_s + shown_s));
        self.record.episodes.retain(|_, episode| is_shown(episode));
        let mut breaks = Vec::new();
        add_rows(&self.record.limit, parties, &mut breaks);
        let pair_of = |a: &Break| self.record.pair(a.owner, a.other);
        let [party, others] = parties;
        let is_there = |party: &PartyFrame, id: u64| party.actors.iter().any(|actor| actor.id == id);
        for (&(owner, other), episode) in &self.record.episodes {
            let is_known = breaks.iter().any(|known| pair_of(known) == (owner, other));
            if is_known || !is_there(party, owner) || other.is_some_and(|other| !is_there(others, other)) {
                continue;
            }
            let is_over = episode.end_s.is_some_and(|end_s| end_s <= time_s);
            breaks.push(Break { owner, other, is_over, value: episode.worst });
        }
        breaks
    }
}

impl BreakRecord {
    fn hear(&mut self, table: &StreamTable, moment: Moment, [kind, subject, object, value]: [f64; 4]) {
        let Some(breaks) = &self.limit.events else { return };
        let kind = table.words().text(kind);
        let is_begin = kind.starts_with(&breaks.begin);
        let is_end = breaks.end.as_ref().is_some_and(|end| kind.starts_with(end));
        let texts = [subject, object].map(|text| table.words().text(text));
        let Some(pair) = parties_of(breaks, texts).filter(|_| is_begin || is_end) else { return };
        let pair = self.pair(pair.0, pair.1);
        if is_begin {
            self.times += 1;
            self.episodes.insert(pair, Episode { begin_s: moment.time_s, end_s: None, worst: None });
        } else if let Some(episode) = self.episodes.get_mut(&pair) {
            episode.end_s = Some(moment.time_s);
            // The end tells by how much the limit was missed at most.
            episode.worst = match self.limit.rule {
                Rule::AtLeast(_, bound) => Some(bound - value).filter(|worst| worst.is_finite()),
                Rule::AtMost(_, bound) => Some(bound + value).filter(|worst| worst.is_finite()),
                Rule::IsNot(..) => None,
            };
        }
    }

    /// Two of the same kind are the same pair in either order.
    fn pair(&self, owner: u64, other: Option<u64>) -> Pair {
        match other {
            Some(other) if self.limit.to.as_ref() == Some(&self.limit.of) => (owner.min(other), Some(owner.max(other))),
            other => (owner, other),
        }
    }
}

/// Whom an event is about: `agent 3`, and `foot 0`.
fn parties_of(breaks: &Breaks, [subject, object]: [&str; 2]) -> Option<Pair> {
    let number = |words: &str, kind: &str| words.strip_prefix(kind)?.strip_prefix(' ')?.parse::<u64>().ok();
    let owner = number(subject, &breaks.subject)?;
    match &breaks.object {
        Some(kind) => Some((owner, Some(number(object, kind)?))),
        None => Some((owner, None)),
    }
}

/// Breaks that rows tell: a distance is one to the nearest.
fn add_rows(limit: &Limit, [party, others]: [&PartyFrame; 2], breaks: &mut Vec<Break>) {
    let mut pairs: Vec<Pair> = Vec::new();
    let is_same = limit.to.as_ref() == Some(&limit.of);
    for actor in &party.actors {
        let value =
            party.limited.iter().find(|(name, _)| *name == limit.name).map_or(f64::NAN, |&(_, at)| actor.row[at]);
        let value = match &limit.rule {
            Rule::AtLeast(_, bound) if value < bound - TOLERANCE => Some(value),
            Rule::AtMost(_, bound) if value > bound + TOLERANCE => Some(value),
            Rule::IsNot(_, text) if text_at(&party.texts, value) == text => None,
            _ => continue,
        };
        let nearest = limit.to.as_ref().and_then(|_| {
            let others = others.actors.iter().filter(|other| !(is_same && other.id == actor.id));
            let distance = |id: &super::Actor| id.place.distance_squared(actor.place);
            others.min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|other| other.id)
        });
        let pair = match nearest {
            Some(other) if is_same => (actor.id.min(other), Some(actor.id.max(other))),
            other => (actor.id, other),
        };
        if !pairs.contains(&pair) {
            pairs.push(pair);
            breaks.push(Break { owner: actor.id, other: nearest, is_over: false, value });
        }
    }
}
