//! What happened in a step on the mat.

use crate::things::ThingKind;
use sim_core::{DVec2, Tick};
use std::fmt;
use swarm_agents::measures::{Event, Party};
use swarm_field::FootPhase;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldEvent {
    /// When.
    pub tick: Tick,
    /// What.
    pub kind: &'static str,
    /// Who did it.
    pub subject: EventObject,
    /// To whom, or what.
    pub object: EventObject,
    /// How much; not a number where that means nothing.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
}

/// Who a [`WorldEvent`] is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventObject {
    /// A robot or a foot, or neither.
    Party(Party),
    /// A cube by its number.
    Cube(u32),
    /// A printed mat by its place in the list.
    Mat(u32),
    /// A card by its place in the list.
    Card(u32),
    /// A wall by its place in the list.
    Wall(u32),
    /// A charger by its place in the list.
    Charger(u32),
    /// An obstacle by its place in the list.
    Obstacle(u32),
    /// A place on the mat, mm.
    Place(DVec2),
    /// A word, such as the name of a phase.
    Word(&'static str),
}

impl fmt::Display for EventObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Party(party) => party.fmt(f),
            Self::Cube(number) => write!(f, "cube {number}"),
            Self::Mat(number) => write!(f, "mat {number}"),
            Self::Card(number) => write!(f, "card {number}"),
            Self::Wall(number) => write!(f, "wall {number}"),
            Self::Charger(number) => write!(f, "charger {number}"),
            Self::Obstacle(number) => write!(f, "obstacle {number}"),
            Self::Place(place_mm) => write!(f, "{} {}", place_mm.x, place_mm.y),
            Self::Word(word) => f.write_str(word),
        }
    }
}

impl EventObject {
    /// Neither body nor thing: the cell stays empty.
    pub const NONE: Self = Self::Party(Party::None);

    fn robot(robot: usize) -> Self {
        Self::Party(Party::Agent(robot as u32))
    }

    fn foot(foot: usize) -> Self {
        Self::Party(Party::Foot(foot as u32))
    }
}

impl WorldEvent {
    /// Kind of the event of a cube that was brought.
    pub(crate) const BROUGHT: &'static str = "cube_brought";

    /// A foot began a phase.
    #[must_use]
    pub fn foot_phase(tick: Tick, foot: usize, phase: FootPhase) -> Self {
        let object = EventObject::Word(phase.as_str());
        Self { tick, kind: "foot_phase", subject: EventObject::foot(foot), object, value: f64::NAN, unit: "" }
    }

    /// A foot that was blocked turned to another way.
    #[must_use]
    pub fn foot_re_aims(tick: Tick, foot: usize) -> Self {
        let object = EventObject::NONE;
        Self { tick, kind: "foot_re_aim", subject: EventObject::foot(foot), object, value: f64::NAN, unit: "" }
    }

    /// The target pole was put at a place, or taken away.
    #[must_use]
    pub fn target(tick: Tick, target_mm: Option<DVec2>) -> Self {
        let object = target_mm.map_or(EventObject::NONE, EventObject::Place);
        Self { tick, kind: "target", subject: EventObject::Word("target"), object, value: f64::NAN, unit: "mm" }
    }

    /// A hand put a robot at another place.
    #[must_use]
    pub fn put(tick: Tick, robot: usize, place_mm: DVec2) -> Self {
        let (subject, object) = (EventObject::robot(robot), EventObject::Place(place_mm));
        Self { tick, kind: "agent_put", subject, object, value: f64::NAN, unit: "mm" }
    }

    /// A robot was not put at another place: something is too near to that.
    #[must_use]
    pub fn put_refused(tick: Tick, robot: usize, object: EventObject) -> Self {
        let subject = EventObject::robot(robot);
        Self { tick, kind: "agent_put_refused", subject, object, value: f64::NAN, unit: "" }
    }

    /// Another filter decides from now on, by its word in the scenario.
    #[must_use]
    pub fn filter(tick: Tick, word: &'static str) -> Self {
        let (subject, object) = (EventObject::Word("filter"), EventObject::Word(word));
        Self { tick, kind: "filter", subject, object, value: f64::NAN, unit: "" }
    }

    /// A mat, a card or a wall was brought to a place, or taken away.
    #[must_use]
    pub(crate) fn thing(tick: Tick, kind: ThingKind, number: usize, place_mm: Option<DVec2>) -> Self {
        let number = number as u32;
        let (subject, [brought, taken]) = match kind {
            ThingKind::Mat => (EventObject::Mat(number), ["mat_laid", "mat_taken"]),
            ThingKind::Card => (EventObject::Card(number), ["card_laid", "card_taken"]),
            ThingKind::Wall => (EventObject::Wall(number), ["wall_put", "wall_taken"]),
        };
        let (kind, object) =
            place_mm.map_or((taken, EventObject::NONE), |place_mm| (brought, EventObject::Place(place_mm)));
        Self { tick, kind, subject, object, value: f64::NAN, unit: "mm" }
    }

    /// A wall was not put: it would stand in a cube.
    #[must_use]
    pub(crate) fn wall_put_refused(tick: Tick, wall: usize, cube: usize) -> Self {
        let (subject, object) = (EventObject::Wall(wall as u32), EventObject::Cube(cube as u32));
        Self { tick, kind: "wall_put_refused", subject, object, value: f64::NAN, unit: "" }
    }

    /// A hand began something, by its word in the script.
    #[must_use]
    pub fn hand(tick: Tick, cube: usize, word: &'static str) -> Self {
        Self::for_cube(tick, "hand", cube, Some(word))
    }

    /// A hand did nothing, by its word in the script: the cube is away.
    #[must_use]
    pub fn hand_refused(tick: Tick, cube: usize, word: &'static str) -> Self {
        Self::for_cube(tick, "hand_refused", cube, Some(word))
    }

    /// A hand took a cube off the mat.
    #[must_use]
    pub fn taken_away(tick: Tick, cube: usize) -> Self {
        Self::for_cube(tick, "cube_taken_away", cube, None)
    }

    /// A hand brought a cube that was away.
    #[must_use]
    pub fn brought(tick: Tick, cube: usize, place_mm: DVec2) -> Self {
        let object = EventObject::Place(place_mm);
        Self { object, unit: "mm", ..Self::for_cube(tick, Self::BROUGHT, cube, None) }
    }

    /// A cube was not brought: something is in the way, or it is there.
    #[must_use]
    pub fn bring_refused(tick: Tick, cube: usize, object: EventObject) -> Self {
        Self { object, ..Self::for_cube(tick, "cube_bring_refused", cube, None) }
    }

    /// A cube began to press on another one, a wall, the rim or a charger.
    #[must_use]
    pub fn touch(tick: Tick, cube: usize, other: EventObject, impulse_n_s: f64) -> Self {
        Self { object: other, value: impulse_n_s, unit: "N s", ..Self::for_cube(tick, "cube_touch", cube, None) }
    }

    /// A cube comes onto a charger, or off it.
    #[must_use]
    pub fn charger(tick: Tick, kind: &'static str, cube: usize, charger: usize) -> Self {
        Self { object: EventObject::Charger(charger as u32), ..Self::for_cube(tick, kind, cube, None) }
    }

    /// Something about a cube that a word says.
    #[must_use]
    pub fn for_cube(tick: Tick, kind: &'static str, cube: usize, word: Option<&'static str>) -> Self {
        let object = word.map_or(EventObject::NONE, EventObject::Word);
        Self { tick, kind, subject: EventObject::Cube(cube as u32), object, value: f64::NAN, unit: "" }
    }
}

impl WorldEvent {
    /// The event as a row of the stream of events.
    pub(crate) fn row(&self, step_hz: u32) -> sim_world::Event<'_> {
        let Self { tick, kind, subject, object, value, unit } = self;
        let time_s = tick.seconds(step_hz);
        sim_world::Event { tick: *tick, time_s, kind, subject, object, value: *value, unit }
    }
}

impl From<&Event> for WorldEvent {
    fn from(event: &Event) -> Self {
        let row = event.row();
        let (subject, object) = (EventObject::Party(row.subject), EventObject::Party(row.object));
        Self { tick: event.tick(), kind: row.kind, subject, object, value: row.value, unit: row.unit }
    }
}
