//! What happened in a step on the sea.

use crate::control::ControlSource;
use sim_core::Tick;
use std::fmt;

/// One thing that happened, at the end of its step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeaEvent {
    /// The step in which it happened.
    pub tick: Tick,
    /// When, s.
    pub time_s: f64,
    /// What.
    pub kind: &'static str,
    /// The vehicle that it happened to.
    pub vehicle: u32,
    /// To whom, or what.
    pub object: EventObject,
    /// How much; not a number where that means nothing.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
}

/// What a [`SeaEvent`] is about, beside its vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventObject {
    /// A vehicle by its number.
    Vehicle(u32),
    /// The bottom.
    Bottom,
    /// An actuator by its place in the vehicle's list.
    Actuator(u32),
    /// A waypoint by its place in the vehicle's route.
    Waypoint(u32),
    /// What came from outside.
    Input,
    /// Whose commands it obeys.
    Control(ControlSource),
    /// Nothing: the cell stays empty.
    None,
}

impl fmt::Display for EventObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vehicle(number) => write!(f, "vehicle {number}"),
            Self::Bottom => f.write_str("bottom"),
            Self::Actuator(number) => write!(f, "actuator {number}"),
            Self::Waypoint(number) => write!(f, "waypoint {number}"),
            Self::Input => f.write_str("input"),
            Self::Control(source) => f.write_str(source.word()),
            Self::None => Ok(()),
        }
    }
}

/// What an event is about, in words: an actuator by its name.
pub(crate) struct Named<'a> {
    pub object: EventObject,
    /// Of the vehicle's actuators, in order.
    pub actuators: &'a [String],
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.object {
            EventObject::Actuator(number) => self.actuators.get(number as usize),
            _ => None,
        };
        match name {
            Some(name) => write!(f, "actuator {name}"),
            None => self.object.fmt(f),
        }
    }
}

/// The moment at which events of a step happen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub tick: Tick,
    pub time_s: f64,
}

impl Moment {
    /// Something about a vehicle alone.
    pub fn event(self, kind: &'static str, vehicle: usize) -> SeaEvent {
        let Self { tick, time_s } = self;
        SeaEvent { tick, time_s, kind, vehicle: vehicle as u32, object: EventObject::None, value: f64::NAN, unit: "" }
    }
}

impl SeaEvent {
    /// The same about an object.
    pub(crate) fn about(self, object: EventObject) -> Self {
        Self { object, ..self }
    }

    /// The same with a value.
    pub(crate) fn of(self, value: f64, unit: &'static str) -> Self {
        Self { value, unit, ..self }
    }
}
