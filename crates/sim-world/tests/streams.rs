//! Streams and their columns: units, owners, the columns of a table, and how values become numbers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value as Json, json};
use sim_world::{Cadence, Column, ColumnKind, Stream, StreamSet, Value};

fn unit(name: &'static str) -> &'static str {
    Column::number(name, "").unit()
}

/// SI Brochure, chapter 5: a product has a space, a quotient a solidus, powers are raised.
#[test]
fn every_suffix_has_its_unit() {
    let units = [
        ("jerk_mm_s3", "mm/s\u{b3}"),
        ("accel_mm_s2", "mm/s\u{b2}"),
        ("accel_m_s2", "m/s\u{b2}"),
        ("speed_mm_s", "mm/s"),
        ("speed_m_s", "m/s"),
        ("turn_rad_s2", "rad/s\u{b2}"),
        ("turn_rad_s", "rad/s"),
        ("turn_deg_s", "\u{b0}/s"),
        ("impulse_n_s", "N s"),
        ("density_kg_m3", "kg/m\u{b3}"),
        ("beta_per_s", "1/s"),
        ("bends_per_m", "1/m"),
        ("curvature_1_m", "1/m"),
        ("yaw_rad", "rad"),
        ("yaw_deg", "\u{b0}"),
        ("x_mm", "mm"),
        ("x_m", "m"),
        ("interval_ms", "ms"),
        ("latency_us", "\u{b5}s"),
        ("time_s", "s"),
        ("pitch_hz", "Hz"),
        ("motor_rps", "1/s"),
        ("thruster_rpm", "1/min"),
        ("battery_percent", "%"),
        ("level_db", "dB"),
        ("pressure_pa", "Pa"),
    ];
    for (name, expected) in units {
        assert_eq!(unit(name), expected, "{name}");
    }
}

#[test]
fn a_suffix_is_a_whole_word_and_not_the_whole_name() {
    for name in ["mm", "rad", "_mm", "s", "", "items", "grad", "radius", "x_mm_", "note_Hz", "foot_km"] {
        assert_eq!(unit(name), "", "{name}");
    }
    // The longest suffix counts, whatever shorter one it ends with.
    assert_eq!((unit("a_m_s"), unit("a_s"), unit("a_b_m_s")), ("m/s", "s", "m/s"));
    assert_eq!(Column::new("ray_#_mm", ColumnKind::Numbers(2), "").unit(), "mm");
}

#[test]
fn a_table_has_a_column_for_each_number() {
    let columns = [
        Column::integer("step", ""),
        Column::new("#_of_#_m", ColumnKind::Numbers(3), ""),
        Column::new("none_#", ColumnKind::Numbers(0), ""),
        Column::text("note_#", ""),
    ];
    let stream = Stream::new("scan", "", Cadence::AtEnd, columns);
    let names: Vec<_> = stream.csv_columns().collect();
    // Only a list is spread; a hash in another name is a hash.
    assert_eq!(names, ["step", "0_of_0_m", "1_of_1_m", "2_of_2_m", "note_#"]);
}

#[test]
fn columns_are_found_by_their_whole_names() {
    let columns = Column::moment().into_iter().chain([Column::number("x_mm", ""), Column::number("x_mm_s", "")]);
    let stream = Stream::new("a", "", Cadence::Sampled { owners: 1 }, columns);
    let found = ["step", "time_s", "x_mm", "x_mm_s", "x", "X_MM", ""].map(|name| stream.column(name));
    assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), None, None, None]);
}

#[test]
fn an_owner_is_a_whole_number_in_the_third_column_of_a_stream_that_goes_on() {
    let with = |cadence, third: Option<Column>| {
        Stream::new("a", "", cadence, Column::moment().into_iter().chain(third)).owner()
    };
    let (sampled, on_event) = (Cadence::Sampled { owners: 2 }, Cadence::OnEvent { at_most: Some(3) });
    let agent = || Some(Column::integer("agent", ""));
    assert_eq!((with(sampled, agent()), with(on_event, agent())), (Some(2), Some(2)));
    assert_eq!(with(Cadence::AtEnd, agent()), None);
    assert_eq!(with(sampled, None), None);
    for other in [ColumnKind::Number, ColumnKind::Text, ColumnKind::Bytes, ColumnKind::Numbers(1)] {
        assert_eq!(with(sampled, Some(Column::new("agent", other, ""))), None, "{other:?}");
    }
}

/// Readers in other languages go by these words.
#[test]
fn cadences_and_kinds_have_their_words_in_json() {
    let words = [
        (json!(Cadence::Sampled { owners: 30 }), json!({"sampled": {"owners": 30}})),
        (json!(Cadence::OnEvent { at_most: None }), json!({"on_event": {}})),
        (json!(Cadence::OnEvent { at_most: Some(7) }), json!({"on_event": {"at_most": 7}})),
        (json!(Cadence::AtEnd), json!("at_end")),
        (json!(ColumnKind::Integer), json!("integer")),
        (json!(ColumnKind::Number), json!("number")),
        (json!(ColumnKind::Text), json!("text")),
        (json!(ColumnKind::Bytes), json!("bytes")),
        (json!(ColumnKind::Numbers(360)), json!({"numbers": 360})),
        (
            json!(Column::number("x_mm", "place").with_range(0.0, 400.0)),
            json!({"name": "x_mm", "kind": "number", "about": "place", "range": [0.0, 400.0]}),
        ),
        (json!(Column::text("kind", "what")), json!({"name": "kind", "kind": "text", "about": "what"})),
    ];
    for (written, expected) in words {
        assert_eq!(written, expected);
    }
}

#[test]
fn streams_of_every_cadence_read_back() {
    let kinds = [ColumnKind::Integer, ColumnKind::Number, ColumnKind::Text, ColumnKind::Bytes, ColumnKind::Numbers(4)];
    let cadences = [
        Cadence::Sampled { owners: 0 },
        Cadence::Sampled { owners: u64::MAX },
        Cadence::OnEvent { at_most: None },
        Cadence::OnEvent { at_most: Some(0) },
        Cadence::AtEnd,
    ];
    for cadence in cadences {
        let columns =
            kinds.map(|kind| Column::new(format!("{kind:?}"), kind, "a \"word\", \u{e4}").with_range(-0.1, 1e300));
        let stream = Stream::new("s".to_owned(), "about", cadence, columns);
        let text = serde_json::to_string(&stream).unwrap();
        assert_eq!(serde_json::from_str::<Stream>(&text).unwrap(), stream, "{text}");
    }
    let unknown: Json = json!({"name": "x", "kind": "complex", "about": ""});
    assert!(serde_json::from_value::<Column>(unknown).is_err());
}

#[test]
fn plain_values_become_values_of_a_row() {
    assert_eq!(Value::from(2.5), Value::Number(2.5));
    assert_eq!((Value::from(Some(2.5)), Value::from(None::<f64>)), (Value::Number(2.5), Value::Missing));
    assert_eq!((Value::from(7_u64), Value::from(7_usize)), (Value::Integer(7), Value::Integer(7)));
    assert_eq!(Value::from("lift"), Value::Text("lift"));
}

#[test]
fn a_number_is_what_is_finite() {
    let numbers = [
        (Value::Integer(-3), Some(-3.0)),
        (Value::Number(0.25), Some(0.25)),
        (Value::Number(f64::NAN), None),
        (Value::Number(f64::INFINITY), None),
        (Value::Number(f64::NEG_INFINITY), None),
        (Value::Text("3"), None),
        (Value::Bytes(&[3]), None),
        (Value::Numbers(&[3.0]), None),
        (Value::Missing, None),
    ];
    for (value, expected) in numbers {
        assert_eq!(value.as_number(), expected, "{value:?}");
    }
}

#[test]
fn sets_of_streams_are_asked_by_place() {
    let stream = |name: &'static str| Stream::new(name, "", Cadence::AtEnd, []);
    let streams = [stream("a"), stream("b"), stream("c")];
    let mut asked = Vec::new();
    let set = StreamSet::from_filter(&streams, |stream| {
        asked.push(stream.name.clone());
        stream.name != "b"
    });
    assert_eq!(asked, ["a", "b", "c"]);
    let places = |set: &StreamSet| (0..5).filter(|&place| set.contains(place)).collect::<Vec<_>>();
    assert_eq!(places(&set), [0, 2]);
    assert_eq!(places(&StreamSet::all(&streams)), [0, 1, 2]);
    assert_eq!(places(&StreamSet::none()), [0; 0]);
    assert_eq!(StreamSet::none(), StreamSet::default());
}
