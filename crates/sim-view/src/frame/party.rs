//! The owners of a stream at a moment.

use super::ahead::{Sample, way_of};
use super::track::{Around, Pair, SAME_S, Track};
use super::{Actor, FARTHEST, PartyFrame, Way};
use crate::folder::{FolderError, Moment, RunFolder, StreamTable};
use sim_core::angle::wrap_rad;
use sim_core::{DVec2, DVec3};
use sim_world::View;
use sim_world::view::{Coord, Draw, Party, Rule};

/// Most times of a way ahead.
const MAX_FRAMES: f64 = 10_000.0;
/// Longest way back and ahead.
const LONGEST_S: f64 = 3600.0;

/// Reads a party. Memory holds the rows of its trail and of its way ahead.
#[derive(Debug)]
pub(super) struct PartyReader {
    track: Option<Track>,
    columns: Columns,
    back_s: f64,
    /// How far ahead, and at how many times.
    ahead: Option<[f64; 2]>,
    limited: Vec<(String, usize)>,
}

/// Where the columns of a party stand in a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// None where rows have no owner: there is one.
    owner: Option<usize>,
    place: [Source; 3],
    angles: Vec<usize>,
    /// True if pitch and roll are positive the other way.
    is_right_handed: bool,
    velocity: Option<[usize; 2]>,
    linear: Vec<usize>,
    while_same: Option<usize>,
}

/// Where a coordinate comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Fixed(f64),
    Column(usize),
}

impl Default for Source {
    fn default() -> Self {
        Self::Fixed(0.0)
    }
}

impl Columns {
    pub fn new(table: &mut StreamTable, party: &Party, is_right_handed: bool) -> Result<Self, FolderError> {
        let mut place = [Source::default(); 3];
        for (source, coord) in place.iter_mut().zip([&party.place.x, &party.place.y, &party.place.z]) {
            *source = match coord {
                Coord::Fixed(number) => Source::Fixed(number.clamp(-FARTHEST, FARTHEST)),
                Coord::Column(column) => {
                    table.bound(column, FARTHEST)?;
                    Source::Column(table.places(column)?.start)
                }
            };
        }
        let at = |column: &String| table.places(column).map(|places| places.start);
        let all = |columns: &[String]| columns.iter().map(at).collect::<Result<Vec<_>, _>>();
        Ok(Self {
            owner: table.stream().owner(),
            place,
            angles: all(&party.angles)?,
            is_right_handed,
            velocity: match &party.velocity {
                Some([x, y]) => Some([at(x)?, at(y)?]),
                None => None,
            },
            linear: all(&party.linear)?,
            while_same: party.while_same.as_ref().map(at).transpose()?,
        })
    }

    /// Number of the owner of a row.
    fn owner_of(&self, row: &[f64]) -> u64 {
        self.owner.map_or(0, |at| row[at] as u64)
    }

    pub fn place(&self, row: &[f64]) -> DVec3 {
        DVec3::from_array(self.place.map(|source| match source {
            Source::Fixed(number) => number,
            Source::Column(at) => row[at],
        }))
    }

    fn velocity(&self, row: &[f64]) -> DVec2 {
        let velocity = self.velocity.map_or(DVec2::ZERO, |[x, y]| DVec2::new(row[x], row[y]));
        if velocity.is_finite() { velocity } else { DVec2::ZERO }
    }

    /// A row between two others of the same owner.
    fn between(&self, Pair { before, after, nearer }: &Pair<'_>, share: f64) -> Vec<f64> {
        let mut row = nearer.to_vec();
        if self.while_same.is_some_and(|at| before[at] != after[at]) {
            return row;
        }
        let places = self.place.iter().filter_map(|source| match source {
            Source::Fixed(_) => None,
            Source::Column(at) => Some(*at),
        });
        for at in places.chain(self.linear.iter().copied()) {
            row[at] = before[at] + (after[at] - before[at]) * share;
        }
        for &at in &self.angles {
            row[at] = turned(before[at], after[at], share);
        }
        row
    }

    fn actor(&self, row: Vec<f64>) -> Actor {
        let mut angles = [0.0; 3];
        for (angle, &at) in angles.iter_mut().zip(&self.angles) {
            *angle = row[at];
        }
        if self.is_right_handed {
            angles = [angles[0], -angles[1], -angles[2]];
        }
        let (trail, way) = (Vec::new(), Way::default());
        Actor { id: self.owner_of(&row), place: self.place(&row), angles, row, trail, way }
    }
}

/// An angle between two others, the short way round.
fn turned(from_rad: f64, to_rad: f64, share: f64) -> f64 {
    wrap_rad(from_rad + wrap_rad(to_rad - from_rad) * share)
}

impl PartyReader {
    pub fn new(folder: &RunFolder, party: &Party) -> Result<Self, FolderError> {
        let mut reader =
            Self { track: None, columns: Columns::default(), back_s: 0.0, ahead: None, limited: Vec::new() };
        let Some(mut table) = folder.stream(&party.stream, |_| true)? else { return Ok(reader) };
        reader.columns = Columns::new(&mut table, party, folder.view().is_right_handed)?;
        for limit in folder.view().limits.iter().filter(|limit| limit.of == party.stream) {
            let (Rule::AtLeast(column, _) | Rule::AtMost(column, _) | Rule::IsNot(column, _)) = &limit.rule;
            reader.limited.push((limit.name.clone(), table.places(column)?.start));
        }
        reader.track = Some(Track::new(table, folder.span()));
        (reader.back_s, reader.ahead) = asked_for(folder.view(), &party.stream, folder.span().row_s());
        Ok(reader)
    }

    /// The party at a moment, and the step of the nearer rows.
    pub fn at(&mut self, time_s: f64, first_s: f64) -> Result<(Option<u64>, PartyFrame), FolderError> {
        let Some(track) = &mut self.track else { return Ok((None, PartyFrame::default())) };
        let ahead_s = self.ahead.map_or(0.0, |[ahead_s, _]| ahead_s);
        track.go_to((time_s - self.back_s).max(first_s), time_s + ahead_s)?;
        let texts = track.table.words().texts().clone();
        let mut party = PartyFrame { actors: Vec::new(), texts, limited: self.limited.clone() };
        let Some(around) = track.around(time_s) else { return Ok((None, party)) };
        let step = around.step;
        party.actors = actors_of(&self.columns, &around);
        if self.back_s > 0.0 {
            self.add_trails(&mut party.actors, time_s);
        }
        if let Some(ahead) = self.ahead {
            self.add_ways(&mut party.actors, time_s, ahead);
        }
        Ok((Some(step), party))
    }

    fn add_trails(&self, actors: &mut [Actor], time_s: f64) {
        let Some(track) = &self.track else { return };
        for (_, rows) in track.window().filter(|(moment, _)| moment.time_s <= time_s + SAME_S) {
            let mut same = rows.iter();
            for actor in actors.iter_mut() {
                let is_its = |row: &&[f64]| self.columns.owner_of(row) == actor.id;
                let row = same.next().filter(is_its).or_else(|| rows.iter().find(is_its));
                actor.trail.extend(row.map(|row| self.columns.place(row)).filter(|place| place.is_finite()));
            }
        }
        actors.iter_mut().for_each(|actor| actor.trail.push(actor.place));
    }

    fn add_ways(&self, actors: &mut [Actor], time_s: f64, ahead: [f64; 2]) {
        let Some(track) = &self.track else { return };
        for (n, actor) in actors.iter_mut().enumerate() {
            let sample = |(moment, rows): (Moment, &crate::folder::StepRows)| -> Option<Sample> {
                let is_its = |row: &&[f64]| self.columns.owner_of(row) == actor.id;
                let row = rows.iter().nth(n).filter(is_its).or_else(|| rows.iter().find(is_its))?;
                let place = Some(self.columns.place(row)).filter(|place| place.is_finite())?;
                Some((moment.time_s, place, self.columns.velocity(row)))
            };
            let before = track.window().take_while(|(moment, _)| moment.time_s <= time_s + SAME_S).count();
            let samples: Vec<Sample> = track.window().skip(before.saturating_sub(1)).filter_map(sample).collect();
            actor.way = way_of(&samples, time_s, ahead);
        }
    }
}

/// The owners at a moment.
pub(super) fn actors_of(columns: &Columns, around: &Around<'_>) -> Vec<Actor> {
    let actor = |pair: Pair<'_>| columns.actor(columns.between(&pair, around.share));
    // An owner without a place is nowhere.
    around.pairs(columns.owner).map(actor).filter(|actor| actor.place.is_finite()).collect()
}

/// How far back and ahead the marks of a party look, and at how many times ahead.
fn asked_for(view: &View, stream: &str, row_s: f64) -> (f64, Option<[f64; 2]>) {
    let (mut back, mut ahead, mut wells_per_s) = (0.0_f64, 0.0_f64, 0.0_f64);
    for mark in &view.marks {
        match &mark.draw {
            Draw::Trail { back_s, ahead_s, .. } if mark.of.as_deref() == Some(stream) => {
                (back, ahead) = (back.max(*back_s), ahead.max(*ahead_s));
            }
            Draw::Ellipse { ahead_s, .. } if mark.of.as_deref() == Some(stream) => {
                ahead = ahead_s.iter().copied().fold(ahead, f64::max);
            }
            Draw::Wells(wells) if wells.wells == stream => {
                ahead = ahead.max(wells.window_s);
                wells_per_s = wells_per_s.max(f64::from(wells.frames) / wells.window_s.max(1e-9));
            }
            _ => {}
        }
    }
    let (back, ahead) = (back.min(LONGEST_S), ahead.min(LONGEST_S));
    // Where no wells say how many, the times of the rows are enough.
    let per_s = if wells_per_s > 0.0 || row_s <= 0.0 { wells_per_s } else { 4.0 / row_s };
    // What rounding leaves above a whole number of times is none of its own.
    let frames = (per_s * ahead - 1e-9).ceil().clamp(1.0, MAX_FRAMES);
    (back, (ahead > 0.0).then_some([ahead, frames]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_turn_the_short_way_round() {
        assert!((turned(3.0, -3.0, 0.5).abs() - std::f64::consts::PI).abs() < 1e-12);
        assert!((turned(-0.2, 0.4, 0.5) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn nothing_lies_between_two_of_which_one_has_taken_the_number_of_the_other() {
        let columns = Columns {
            place: [Source::Column(0), Source::Column(1), Source::Fixed(0.0)],
            linear: vec![3],
            while_same: Some(2),
            ..Columns::default()
        };
        let (before, after) = ([0.0, 10.0, 30.0, 0.2], [8.0, 20.0, 30.0, 0.4]);
        let pair = Pair { before: &before, after: &after, nearer: &before };
        assert_eq!(columns.between(&pair, 0.25), [2.0, 12.5, 30.0, 0.25]);
        let after = [8.0, 20.0, 31.0, 0.4];
        let pair = Pair { before: &before, after: &after, nearer: &after };
        assert_eq!(columns.between(&pair, 0.75), after);
    }
}
