//! Printed mats, cards and walls that can be moved, laid down and taken away while a run goes on.

use crate::cubes::Cubes;
use crate::events::WorldEvent;
use crate::world::MatModel;
use sim_core::{DVec2, ParamError, StateHash, Tick};
use sim_world::StepError;
use toio_mat::{Ground, PlanePose};
use toio_physics::Wall;

/// What can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThingKind {
    Mat,
    Card,
    Wall,
}

impl ThingKind {
    /// In the order in which streams and hashes have them.
    pub const ALL: [Self; 3] = [Self::Mat, Self::Card, Self::Wall];

    /// Its streams, in and out.
    pub fn stream(self) -> &'static str {
        ["mats", "cards", "walls"][self as usize]
    }

    /// One of them, and the column of its number.
    pub fn word(self) -> &'static str {
        ["mat", "card", "wall"][self as usize]
    }

    /// The word that brings one.
    pub fn bring(self) -> &'static str {
        ["lay", "lay", "put"][self as usize]
    }

    /// The list of the scenario.
    pub fn list(self) -> &'static str {
        ["mat.printed", "cards", "mat.walls"][self as usize]
    }
}

/// The word that takes one away.
pub(crate) const TAKE: &str = "take";

/// Where a thing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Place of its middle and its yaw: the last ones, while it is away.
    pub pose: PlanePose,
    /// It lies or stands there; else it is beside the table.
    pub is_there: bool,
    /// It is not as at the start.
    pub has_moved: bool,
}

impl Spot {
    /// A thing at its start.
    #[must_use]
    pub fn first(pose: PlanePose, is_there: bool) -> Self {
        Self { pose, is_there, has_moved: false }
    }
}

/// Where the things are that can be moved, by kind and by their numbers in the scenario; none for those that are fixed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Things([Vec<Option<Spot>>; 3]);

impl Things {
    /// Where mats, cards and walls are, each list in the order of the scenario.
    #[must_use]
    pub fn new(mats: Vec<Option<Spot>>, cards: Vec<Option<Spot>>, walls: Vec<Option<Spot>>) -> Self {
        Self([mats, cards, walls])
    }

    /// How many of a kind the scenario lists, fixed ones too, if one of them can be moved; else 0.
    pub(crate) fn count(&self, kind: ThingKind) -> usize {
        if self.movable(kind).next().is_some() { self.0[kind as usize].len() } else { 0 }
    }

    /// Where one of them is, if it can be moved.
    pub(crate) fn spot(&self, kind: ThingKind, number: usize) -> Option<Spot> {
        self.0[kind as usize].get(number).copied().flatten()
    }

    /// Those that can be moved, with their numbers.
    pub(crate) fn movable(&self, kind: ThingKind) -> impl Iterator<Item = (usize, Spot)> + '_ {
        self.0[kind as usize].iter().enumerate().filter_map(|(number, spot)| spot.map(|spot| (number, spot)))
    }

    /// What is printed on the plane: of `all` that the scenario lists, what is fixed, and on top of it what can be moved and lies there.
    ///
    /// # Errors
    /// If a place is out of its range.
    pub fn ground(&self, all: &Ground) -> Result<Ground, ParamError> {
        let mut ground = Ground::default();
        let fixed = |kind, number: &usize| self.spot(kind, *number).is_none();
        let lying = |kind| self.movable(kind).filter(|(_, spot)| spot.is_there);
        for number in (0..all.mats().len()).filter(|number| fixed(ThingKind::Mat, number)) {
            ground.add_mat(all.mats()[number]);
        }
        for (number, spot) in lying(ThingKind::Mat) {
            ground.add_mat(all.mats()[number].moved_to(spot.pose)?);
        }
        for number in (0..all.cards().len()).filter(|number| fixed(ThingKind::Card, number)) {
            ground.add_card(all.cards()[number]);
        }
        for (number, spot) in lying(ThingKind::Card) {
            ground.add_card(all.cards()[number].moved_to(spot.pose)?);
        }
        Ok(ground)
    }

    /// Adds what is not as at the start to a state hash.
    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        for kind in ThingKind::ALL {
            for (number, spot) in self.movable(kind).filter(|(_, spot)| spot.has_moved) {
                hash.u64(kind as u64);
                hash.u64(number as u64);
                hash.u64(u64::from(spot.is_there));
                hash.vec2(spot.pose.position_mm);
                hash.f64(spot.pose.heading_rad);
            }
        }
    }
}

/// What a hand does to a thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handling {
    pub kind: ThingKind,
    pub number: usize,
    /// It is brought, else taken.
    pub brings: bool,
    /// Place of its middle, mm, if another one is given.
    pub place_mm: Option<DVec2>,
    /// Its yaw, if another one is given.
    pub yaw_rad: Option<f64>,
}

/// Moves a thing, and what cubes see of it or run into. Returns the event, if anything happened; a wall that would stand in a cube stays as
/// it is.
///
/// # Errors
/// If a place is out of its range.
pub(crate) fn handle(
    model: &MatModel,
    tick: Tick,
    handling: Handling,
    things: &mut Things,
    cubes: Option<&mut Cubes>,
) -> Result<Option<WorldEvent>, StepError> {
    let Handling { kind, number, brings, place_mm, yaw_rad } = handling;
    let Some(before) = things.spot(kind, number).filter(|spot| spot.is_there || brings) else { return Ok(None) };
    let position_mm = place_mm.unwrap_or(before.pose.position_mm);
    let heading_rad = yaw_rad.unwrap_or(before.pose.heading_rad);
    let first = Spot::first(PlanePose { position_mm, heading_rad }, brings);
    let spot = Spot { has_moved: model.things.spot(kind, number) != Some(first), ..first };
    let wall = (kind == ThingKind::Wall && brings).then(|| wall_at(model, number, spot.pose));
    if let Some(cube) = wall.and_then(|wall| cubes.as_deref().and_then(|cubes| cubes.cube_in_wall(&wall))) {
        return Ok(Some(WorldEvent::wall_put_refused(tick, number, cube)));
    }
    things.0[kind as usize][number] = Some(spot);
    let wrong = |error: ParamError| StepError::other(tick, error);
    match (cubes, model.bodies.cubes()) {
        (Some(cubes), Some(fixed)) if kind == ThingKind::Wall => {
            cubes.set_wall(fixed, number, wall.as_ref()).map_err(wrong)?;
        }
        (Some(cubes), _) => cubes.lay(things.ground(&model.ground).map_err(wrong)?),
        (None, _) => {}
    }
    Ok(Some(WorldEvent::thing(tick, kind, number, brings.then_some(position_mm))))
}

/// A wall at a pose. At its first one it is the scenario's to the last bit.
fn wall_at(model: &MatModel, number: usize, pose: PlanePose) -> Wall {
    let first = model.walls[number];
    let is_first = model.things.spot(ThingKind::Wall, number).is_some_and(|spot| spot.pose == pose);
    if is_first { first } else { first.moved_to(pose.position_mm / 1000.0, pose.heading_rad) }
}
