//! The stream of events, the same in every world.

use sim_core::Tick;
use sim_world::{Cadence, Event, EventRows, Value, check_row, event_stream};
use std::fmt;

/// The rows that some events become, as `{:?}` of their values.
fn rows(events: &[Event<'_>]) -> Vec<String> {
    let (stream, mut rows, mut buffers) = (event_stream(), Vec::new(), EventRows::default());
    for event in events {
        buffers.write(event, &mut |row| {
            assert!(event.value.is_nan() || check_row(&stream, row) == Ok(()), "{row:?}");
            rows.push(format!("{row:?}"));
        });
    }
    rows
}

#[test]
fn events_have_a_moment_a_kind_two_parties_and_a_value_with_its_unit() {
    let stream = event_stream();
    let names: Vec<_> = stream.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["step", "time_s", "kind", "subject", "object", "value", "unit"]);
    assert_eq!((&*stream.name, stream.cadence), ("events", Cadence::OnEvent { at_most: None }));
    // Parties are words, so that an event belongs to no single owner.
    assert_eq!(stream.owner(), None);
}

#[test]
fn an_event_is_a_row_of_its_stream() {
    let collision = Event {
        tick: Tick(352),
        time_s: 3.519,
        kind: "collision",
        subject: &format_args!("car {}", 0),
        object: &"wall",
        value: 0.8,
        unit: "m/s",
    };
    let expected = [
        Value::Integer(352),
        Value::Number(3.519),
        Value::Text("collision"),
        Value::Text("car 0"),
        Value::Text("wall"),
        Value::Number(0.8),
        Value::Text("m/s"),
    ];
    EventRows::default().write(&collision, &mut |row| assert_eq!(row, expected));
    assert_eq!(rows(&[collision]), [format!("{expected:?}")]);
}

/// The buffers are used again: nothing of a long name may stay behind a short one.
#[test]
fn words_of_an_event_do_not_reach_into_the_next_one() {
    let event = |subject: &'static dyn fmt::Display, object: &'static dyn fmt::Display| Event {
        tick: Tick(1),
        time_s: 0.5,
        kind: "tap",
        subject,
        object,
        value: 1.0,
        unit: "",
    };
    let written = rows(&[event(&"a long subject", &"a long object"), event(&"b", &""), event(&"", &"c")]);
    let parties =
        ["Text(\"a long subject\"), Text(\"a long object\")", "Text(\"b\"), Text(\"\")", "Text(\"\"), Text(\"c\")"];
    for (row, parties) in written.iter().zip(parties) {
        assert!(row.contains(parties), "{row}");
    }
    assert_eq!(written.len(), 3);
}

/// A value that means nothing is not a number, which counts as missing.
#[test]
fn an_event_without_a_value_has_none_that_counts() {
    let event = Event { tick: Tick(0), time_s: 0.0, kind: "lap", subject: &0, object: &"", value: f64::NAN, unit: "" };
    EventRows::default().write(&event, &mut |row| assert_eq!(row[5].as_number(), None));
}
