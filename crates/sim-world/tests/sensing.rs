//! The block `sensing` of a scenario: its defaults, its range, and what it becomes in steps of any length.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value as Json, json};
use sim_core::sensing::ValueRange;
use sim_input::schema::schema_of;
use sim_world::sensing::SensingSpec;

fn spec(json: Json) -> SensingSpec {
    serde_json::from_value(json).unwrap()
}

#[test]
fn a_sensor_without_keys_is_perfect_and_measures_every_ten_milliseconds() {
    let params = spec(json!({})).params(1000, false);
    assert_eq!((params.period_ticks, params.phase_ticks, params.delay_ticks), (10, 0, 0));
    assert_eq!((params.loss, params.errors.dropout, params.errors.quantum), (0.0, 0.0, 0.0));
    assert_eq!((params.errors.scale, params.errors.bias, params.errors.bias_std), (1.0, 0.0, 0.0));
    assert_eq!((params.errors.walk_std_per_sqrt_s, params.errors.noise_std), (0.0, 0.0));
    assert!(matches!(params.errors.range, ValueRange::Unlimited));
    assert_eq!(spec(json!({})), SensingSpec::default());
}

/// Half a step is rounded up, and a sensor measures at most once a step.
#[test]
fn times_are_rounded_to_whole_steps() {
    // (steps a second, ms, steps)
    let cases =
        [(60, 0, 0), (60, 8, 0), (60, 9, 1), (60, 25, 2), (60, 1000, 60), (100, 4, 0), (100, 5, 1), (240, 1, 0)];
    for (step_hz, ms, ticks) in cases {
        let params = spec(json!({"every_ms": ms.max(1), "phase_ms": ms, "delay_ms": ms})).params(step_hz, false);
        assert_eq!((params.phase_ticks, params.delay_ticks), (ticks, ticks), "{ms} ms at {step_hz} Hz");
        assert_eq!(params.period_ticks, ticks.max(1), "{ms} ms at {step_hz} Hz");
    }
    // The longest times at the most steps: a thousand seconds.
    let longest =
        spec(json!({"every_ms": 1_000_000, "phase_ms": 1_000_000, "delay_ms": 1_000_000})).params(1000, false);
    assert_eq!([longest.period_ticks, longest.phase_ticks, longest.delay_ticks], [1_000_000; 3]);
}

#[test]
fn every_key_reaches_its_parameter() {
    let keys = json!({
        "every_ms": 20, "phase_ms": 3, "delay_ms": 7, "loss": 0.11, "scale": 1.02, "bias": 0.13, "bias_std": 0.14,
        "walk_std_per_sqrt_s": 0.15, "noise_std": 0.16, "quantum": 0.17, "range": [-18, 19], "dropout": 0.2
    });
    let params = spec(keys).params(1000, false);
    let errors = params.errors;
    assert_eq!([params.period_ticks, params.phase_ticks, params.delay_ticks], [20, 3, 7]);
    assert_eq!([params.loss, errors.scale, errors.bias, errors.bias_std], [0.11, 1.02, 0.13, 0.14]);
    assert_eq!([errors.walk_std_per_sqrt_s, errors.noise_std, errors.quantum, errors.dropout], [0.15, 0.16, 0.17, 0.2]);
    assert!(matches!(errors.range, ValueRange::Saturating { min: -18.0, max: 19.0 }));
}

/// A range finder says that it cannot tell; any other sensor reads the nearer end.
#[test]
fn a_range_ends_the_values_of_a_sensor_and_the_returns_of_a_range_finder() {
    let limited = spec(json!({"range": [0.2, 8]}));
    assert!(matches!(limited.params(100, true).errors.range, ValueRange::Signalling { min: 0.2, max: 8.0 }));
    assert!(matches!(limited.params(100, false).errors.range, ValueRange::Saturating { min: 0.2, max: 8.0 }));
    let any = spec(json!({"range": null}));
    assert!(
        [true, false].into_iter().all(|finder| matches!(any.params(100, finder).errors.range, ValueRange::Unlimited))
    );
}

#[test]
fn unknown_keys_and_other_types_are_refused() {
    for wrong in [
        json!({"noise": 0.1}),
        json!({"every_ms": 0.5}),
        json!({"every_ms": -1}),
        json!({"range": [1]}),
        json!({"range": [1, 2, 3]}),
        json!({"loss": "0.1"}),
        json!(3),
    ] {
        assert!(serde_json::from_value::<SensingSpec>(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_written_out_reads_back() {
    let specs =
        [json!({}), json!({"every_ms": 7, "range": [-0.1, 1e-9], "loss": 1, "scale": 0.001}), json!({"range": null})];
    for keys in specs {
        let spec = spec(keys);
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<SensingSpec>(&text).unwrap(), spec, "{text}");
    }
}

/// The schema that editors and the walk use holds the ranges of the keys.
#[test]
fn the_schema_holds_the_ranges() {
    let schema = schema_of::<SensingSpec>("");
    let range =
        |key: &str| [&schema["properties"][key]["minimum"], &schema["properties"][key]["maximum"]].map(Json::as_f64);
    assert_eq!(range("every_ms"), [Some(1.0), Some(1e6)]);
    assert_eq!(range("phase_ms"), [Some(0.0), Some(1e6)]);
    assert_eq!(range("loss"), [Some(0.0), Some(1.0)]);
    assert_eq!(range("scale"), [Some(0.001), Some(1000.0)]);
    assert_eq!(range("bias"), [Some(-1e6), Some(1e6)]);
    assert_eq!(schema["properties"].as_object().unwrap().len(), 12);
    assert_eq!(schema["additionalProperties"], false);
}
