//! `events`: what happened in a run, the same table in every world.

use crate::{Cadence, Column, RowSink, Stream, Value};
use sim_core::Tick;
use std::fmt::{Display, Write};

/// One thing that happened.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    /// The step in which it happened.
    pub tick: Tick,
    /// When, s.
    pub time_s: f64,
    /// What, as one word.
    pub kind: &'static str,
    /// Who did it.
    pub subject: &'a dyn Display,
    /// To whom, or what; empty if to none.
    pub object: &'a dyn Display,
    /// How much; not a number where that means nothing.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
}

/// The stream of events of any world.
#[must_use]
pub fn event_stream() -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::text("kind", "what happened"),
        Column::text("subject", "who did it"),
        Column::text("object", "to whom, or what"),
        Column::number("value", "how much"),
        Column::text("unit", "unit of the value"),
    ]);
    Stream::new("events", "something that happened", Cadence::OnEvent { at_most: None }, columns)
}

/// Writes events as rows of their stream, without an allocation for each.
#[derive(Debug, Default)]
pub struct EventRows {
    subject: String,
    object: String,
}

impl EventRows {
    /// Hands an event on as a row.
    pub fn write(&mut self, event: &Event<'_>, out: &mut RowSink<'_>) {
        let Self { subject, object } = self;
        for (text, value) in [(&mut *subject, event.subject), (&mut *object, event.object)] {
            text.clear();
            // Memory takes all that is written.
            let _ = write!(text, "{value}");
        }
        out(&[
            Value::from(event.tick.0),
            Value::Number(event.time_s),
            Value::Text(event.kind),
            Value::Text(subject),
            Value::Text(object),
            Value::Number(event.value),
            Value::Text(event.unit),
        ]);
    }
}
