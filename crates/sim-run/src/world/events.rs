//! What happened in a step, as rows of `events.csv`.

use sim_core::Tick;
use std::fmt;
use swarm_agents::measures::{Event, Party};
use swarm_field::FootPhase;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldEvent {
    /// The step in which it happened.
    pub tick: Tick,
    /// When, s, where that is known better than by the step.
    pub time_s: Option<f64>,
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
    /// A robot or a foot, or nobody.
    Party(Party),
    /// A cube by its number.
    Cube(u32),
    /// A wall by its place in the list.
    Wall(u32),
    /// A car by its number.
    Car(u32),
    /// A waypoint by its place in a car's route.
    Waypoint(u32),
    /// A word, such as the name of a phase.
    Word(&'static str),
}

impl fmt::Display for EventObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Party(party) => party.fmt(f),
            Self::Cube(number) => write!(f, "cube {number}"),
            Self::Wall(number) => write!(f, "wall {number}"),
            Self::Car(number) => write!(f, "car {number}"),
            Self::Waypoint(number) => write!(f, "waypoint {number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

impl EventObject {
    /// Nobody, or nothing: the cell stays empty.
    pub const NOBODY: Self = Self::Party(Party::Nobody);

    fn foot(foot: usize) -> Self {
        Self::Party(Party::Foot(foot as u32))
    }
}

impl WorldEvent {
    /// A foot began a phase.
    #[must_use]
    pub fn foot_phase(tick: Tick, foot: usize, phase: FootPhase) -> Self {
        let object = EventObject::Word(phase.as_str());
        Self { object, ..Self::new(tick, "foot_phase", EventObject::foot(foot)) }
    }

    /// A foot that was blocked turned to another way.
    #[must_use]
    pub fn foot_re_aims(tick: Tick, foot: usize) -> Self {
        Self::new(tick, "foot_re_aim", EventObject::foot(foot))
    }

    /// A hand began something, by its word in the script.
    #[must_use]
    pub fn hand(tick: Tick, cube: usize, word: &'static str) -> Self {
        Self::of_cube(tick, "hand", cube, Some(word))
    }

    /// A cube began to press on another one or on a wall.
    #[must_use]
    pub fn touch(tick: Tick, cube: usize, other: EventObject, impulse_n_s: f64) -> Self {
        Self { object: other, value: impulse_n_s, unit: "N s", ..Self::of_cube(tick, "cube_touch", cube, None) }
    }

    /// A car hit another one, or a wall, at a time within the step and at a speed.
    #[must_use]
    pub fn collision(tick: Tick, time_s: f64, car: usize, other: Option<usize>, speed_m_s: f64) -> Self {
        let object = other.map_or(EventObject::Word("wall"), |other| EventObject::Car(other as u32));
        let event = Self::new(tick, "collision", EventObject::Car(car as u32));
        Self { time_s: Some(time_s), object, value: speed_m_s, unit: "m/s", ..event }
    }

    /// A car passed a waypoint of its route.
    #[must_use]
    pub fn waypoint(tick: Tick, car: usize, waypoint: usize) -> Self {
        let object = EventObject::Waypoint(waypoint as u32);
        Self { object, ..Self::new(tick, "waypoint", EventObject::Car(car as u32)) }
    }

    /// A car came to the end of its route.
    #[must_use]
    pub fn arrival(tick: Tick, car: usize, waypoint: usize) -> Self {
        Self { kind: "arrival", ..Self::waypoint(tick, car, waypoint) }
    }

    /// A car passed the first waypoint of a closed route, so long after it did so before.
    #[must_use]
    pub fn lap(tick: Tick, car: usize, lap_s: f64) -> Self {
        Self { value: lap_s, unit: "s", ..Self::new(tick, "lap", EventObject::Car(car as u32)) }
    }

    /// Something about a cube that a word says.
    #[must_use]
    pub fn of_cube(tick: Tick, kind: &'static str, cube: usize, word: Option<&'static str>) -> Self {
        let object = word.map_or(EventObject::NOBODY, EventObject::Word);
        Self { object, ..Self::new(tick, kind, EventObject::Cube(cube as u32)) }
    }

    /// Something about a subject alone, at the end of a step.
    fn new(tick: Tick, kind: &'static str, subject: EventObject) -> Self {
        Self { tick, time_s: None, kind, subject, object: EventObject::NOBODY, value: f64::NAN, unit: "" }
    }
}

impl From<&Event> for WorldEvent {
    fn from(event: &Event) -> Self {
        let row = event.row();
        let (subject, object) = (EventObject::Party(row.subject), EventObject::Party(row.object));
        Self { object, value: row.value, unit: row.unit, ..Self::new(event.tick(), row.kind, subject) }
    }
}
