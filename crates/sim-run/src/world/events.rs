//! What happened in a step, as rows of `events.csv`.

use sim_core::Tick;
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
    pub subject: Party,
    /// To whom, or what.
    pub object: EventObject,
    /// How much; not a number where that means nothing.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
}

/// What a [`WorldEvent`] is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventObject {
    /// A robot or a foot, or nobody.
    Party(Party),
    /// A word, such as the name of a phase.
    Word(&'static str),
}

impl fmt::Display for EventObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Party(party) => party.fmt(f),
            Self::Word(word) => f.write_str(word),
        }
    }
}

impl WorldEvent {
    /// A foot began a phase.
    #[must_use]
    pub fn foot_phase(tick: Tick, foot: usize, phase: FootPhase) -> Self {
        let object = EventObject::Word(phase.as_str());
        Self { tick, kind: "foot_phase", subject: Party::Foot(foot as u32), object, value: f64::NAN, unit: "" }
    }

    /// A foot that was blocked turned to another way.
    #[must_use]
    pub fn foot_re_aims(tick: Tick, foot: usize) -> Self {
        let object = EventObject::Party(Party::Nobody);
        Self { tick, kind: "foot_re_aim", subject: Party::Foot(foot as u32), object, value: f64::NAN, unit: "" }
    }
}

impl From<&Event> for WorldEvent {
    fn from(event: &Event) -> Self {
        let row = event.row();
        let object = EventObject::Party(row.object);
        Self { tick: event.tick(), kind: row.kind, subject: row.subject, object, value: row.value, unit: row.unit }
    }
}
