//! Printed mats, cards and walls that can be moved, laid down and taken away while a run goes on.

use sim_core::{ParamError, StateHash};
use toio_mat::{Ground, PlanePose};

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

    /// Something happens to one that can be moved.
    pub(crate) fn set(&mut self, kind: ThingKind, number: usize, spot: Spot) {
        self.0[kind as usize][number] = Some(spot);
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
