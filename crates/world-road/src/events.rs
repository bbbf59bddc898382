//! What happened in a step on the road.

use sim_core::Tick;
use std::fmt;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadEvent {
    /// The step in which it happened.
    pub tick: Tick,
    /// When, s; of what happens at no moment within the step, its end.
    pub time_s: f64,
    /// What.
    pub kind: &'static str,
    /// The car that it happened to.
    pub car: u32,
    /// To whom, or what.
    pub object: EventObject,
    /// How much; not a number where that means nothing.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
}

/// What a [`RoadEvent`] is about, beside its car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventObject {
    /// A car by its number.
    Car(u32),
    /// Any of the walls.
    Wall,
    /// A waypoint by its place in the car's route.
    Waypoint(u32),
    /// Nothing: the cell stays empty.
    None,
}

impl fmt::Display for EventObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Car(number) => write!(f, "car {number}"),
            Self::Wall => f.write_str("wall"),
            Self::Waypoint(number) => write!(f, "waypoint {number}"),
            Self::None => Ok(()),
        }
    }
}

impl RoadEvent {
    /// A car hit another one, or a wall, at a time within the step and at a speed.
    #[must_use]
    pub fn collision((tick, time_s): (Tick, f64), car: usize, other: Option<usize>, speed_m_s: f64) -> Self {
        let object = other.map_or(EventObject::Wall, |other| EventObject::Car(other as u32));
        Self { object, value: speed_m_s, unit: "m/s", ..Self::new((tick, time_s), "collision", car) }
    }

    /// A car passed a waypoint of its route.
    #[must_use]
    pub fn waypoint(moment: (Tick, f64), car: usize, waypoint: usize) -> Self {
        Self { object: EventObject::Waypoint(waypoint as u32), ..Self::new(moment, "waypoint", car) }
    }

    /// A car came to the end of its route.
    #[must_use]
    pub fn arrival(moment: (Tick, f64), car: usize, waypoint: usize) -> Self {
        Self { kind: "arrival", ..Self::waypoint(moment, car, waypoint) }
    }

    /// A car passed the first waypoint of a closed route, so long after it did so before.
    #[must_use]
    pub fn lap(moment: (Tick, f64), car: usize, lap_s: f64) -> Self {
        Self { value: lap_s, unit: "s", ..Self::new(moment, "lap", car) }
    }

    /// Something about a car alone.
    fn new((tick, time_s): (Tick, f64), kind: &'static str, car: usize) -> Self {
        Self { tick, time_s, kind, car: car as u32, object: EventObject::None, value: f64::NAN, unit: "" }
    }
}
