//! Designs of sweep files: where their cells lie, by the definition of each design, and how axes are told in words.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Place;
use sim_core::ops;
use sim_sweep::Sweep;
use sim_sweep::spec::{AxisSpec, AxisValue};

/// The values of an axis over all cells.
fn numbers(sweep: &Sweep, axis: usize) -> Vec<f64> {
    let number = |cell| match sweep.values(cell)[axis] {
        AxisValue::Number(number) => number,
        ref other => panic!("{other} is no number"),
    };
    (0..sweep.cells()).map(number).collect()
}

/// How often each value of an axis comes, by its text.
fn counts(sweep: &Sweep, axis: usize) -> Vec<(String, usize)> {
    let mut texts: Vec<String> = (0..sweep.cells()).map(|cell| sweep.values(cell)[axis].to_string()).collect();
    texts.sort();
    texts.chunk_by(|a, b| a == b).map(|same| (same[0].clone(), same.len())).collect()
}

fn hypercube(place: &Place, cells: u64, axes: &str) -> Sweep {
    place.sweep("tiny", &format!(r#""design": "latin_hypercube", "cells": {cells}, "axes": [{axes}]"#))
}

/// Each of as many strata of equal probability as there are cells holds one value.
fn assert_strata(values: &[f64], share_below: impl Fn(f64) -> f64) {
    let mut strata: Vec<usize> =
        values.iter().map(|&value| (share_below(value) * values.len() as f64) as usize).collect();
    strata.sort_unstable();
    assert!(strata.iter().copied().eq(0..values.len()), "{strata:?}");
}

#[test]
fn a_hypercube_cuts_each_distribution_into_parts_of_equal_probability() {
    let place = Place::new();
    let axes = r#"{ "path": "agents.sigma_v", "uniform": { "from": 0.5, "to": 2.5 } },
        { "path": "agents.alpha", "log_uniform": { "from": 0.1, "to": 10 } },
        { "path": "limits.a_max_mm_s2", "normal": { "mean": 2000, "sd": 50 } }"#;
    let sweep = hypercube(&place, 50, axes);
    assert_eq!(sweep.cells(), 50);
    assert_strata(&numbers(&sweep, 0), |value| (value - 0.5) / 2.0);
    assert_strata(&numbers(&sweep, 1), |value| ops::ln(value / 0.1) / ops::ln(100.0));
    // The normal distribution: (1 + erf(z / sqrt 2)) / 2.
    assert_strata(&numbers(&sweep, 2), |value| 0.5 * (1.0 + ops::erf((value - 2000.0) / 50.0 / 2.0_f64.sqrt())));
}

/// Whole numbers at the ends come as often as those between, and so do words.
#[test]
fn whole_numbers_and_words_come_equally_often() {
    let place = Place::new();
    let axes = r#"{ "path": "agents.count", "uniform": { "from": 2, "to": 5 } },
        { "path": "feet.travel", "choice": ["core", "edge", "full"] }"#;
    let sweep = hypercube(&place, 24, axes);
    let of = |list: &[&str], times: usize| list.iter().map(|value| ((*value).to_owned(), times)).collect::<Vec<_>>();
    assert_eq!(counts(&sweep, 0), of(&["2", "3", "4", "5"], 6));
    assert_eq!(counts(&sweep, 1), of(&["core", "edge", "full"], 8));
}

#[test]
fn drawn_numbers_have_six_digits_and_stay_inside() {
    let place = Place::new();
    for design in ["random", "sobol", "latin_hypercube"] {
        let members = format!(
            r#""design": "{design}", "cells": 300, "axes": [
                {{ "path": "agents.sigma_v", "uniform": {{ "from": 0.123456789, "to": 0.123457 }} }},
                {{ "path": "agents.alpha", "uniform": {{ "from": 0, "to": 100 }} }}]"#
        );
        let sweep = place.sweep("tiny", &members);
        assert!(numbers(&sweep, 0).iter().all(|value| (0.123_456_789..=0.123_457).contains(value)), "{design}");
        for value in numbers(&sweep, 1) {
            let digits = value.to_string().trim_start_matches(['0', '.']).replace('.', "").len();
            assert!(digits <= 6, "{design}: {value}");
        }
    }
}

/// The same seed gives the same cells whatever else the file says; another one gives others.
#[test]
fn cells_depend_on_the_seed_alone() {
    let place = Place::new();
    let values = |more: &str| {
        let axis = r#"{ "path": "agents.sigma_v", "uniform": { "from": 0, "to": 1 } }"#;
        numbers(&place.sweep("tiny", &format!(r#""design": "random", "cells": 20, {more} "axes": [{axis}]"#)), 0)
    };
    assert_eq!(values(r#""seed": 5,"#), values(r#""seed": 5, "repeats": 3, "measures": [],"#));
    assert_ne!(values(r#""seed": 5,"#), values(r#""seed": 6,"#));
    // Without a seed it is the scenario's, which is 1.
    assert_eq!(values(""), values(r#""seed": 1,"#));
}

#[test]
fn a_grid_goes_through_its_last_axis_fastest() {
    let place = Place::new();
    let members = r#""axes": [{ "path": "agents.sigma_v", "range": { "from": 0.1, "to": 0.3, "step": 0.1 } },
        { "path": "limits.a_max_mm_s2", "log_range": { "from": 100, "to": 10000, "count": 3 } },
        { "path": "feet.travel", "values": ["core", "full"] }]"#;
    let sweep = place.sweep("tiny", members);
    let cell = |cell: u64| sweep.values(cell).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(sweep.cells(), 3 * 3 * 2);
    assert_eq!(
        [0, 1, 2, 6, 17].map(cell),
        ["0.1 100 core", "0.1 100 full", "0.1 1000 core", "0.2 100 core", "0.3 10000 full"]
    );
    assert_eq!(
        sweep.command(1, 4),
        "sim-cli run scenario.json --set agents.sigma_v=0.1 --set limits.a_max_mm_s2=100 --set feet.travel=full --run-index 4"
    );
}

#[test]
fn axes_are_told_in_words() {
    let words = |axis: &str| {
        let axis: AxisSpec = serde_json::from_str(&format!(r#"{{ "path": "a", {axis} }}"#)).unwrap();
        axis.words()
    };
    assert_eq!(words(r#""values": [1, 2.5, "full", true]"#), " = 1, 2.5, full, true");
    assert_eq!(words(r#""choice": ["core", "full"]"#), ", one of core, full");
    assert_eq!(words(r#""range": { "from": 1, "to": 3, "step": 0.5 }"#), " from 1 to 3 in steps of 0.5");
    assert_eq!(words(r#""log_range": { "from": 1, "to": 100, "count": 3 }"#), " from 1 to 100 in 3 equal ratios");
    assert_eq!(words(r#""uniform": { "from": -1, "to": 1 }"#), ", drawn evenly between -1 and 1");
    assert_eq!(words(r#""log_uniform": { "from": 1, "to": 8 }"#), ", drawn evenly in its logarithm between 1 and 8");
    assert_eq!(words(r#""normal": { "mean": 3, "sd": 0.5 }"#), ", drawn normally round 3, standard deviation 0.5");
    let many: Vec<String> = (0..15).map(|n| n.to_string()).collect();
    assert!(words(&format!(r#""values": [{}]"#, many.join(", "))).ends_with("10, 11 and 3 more"));
}

/// A word that `--set` would read as something else is quoted.
#[test]
fn values_become_flags_that_read_back() {
    let flag = |value: AxisValue| value.to_flag();
    assert_eq!(flag(AxisValue::Number(0.5)), "0.5");
    assert_eq!(flag(AxisValue::Number(20.0)), "20");
    assert_eq!(flag(AxisValue::Flag(true)), "true");
    assert_eq!(flag(AxisValue::Word("full".into())), "full");
    for word in ["7", "true", "null", "[1]"] {
        assert_eq!(flag(AxisValue::Word(word.into())), format!("{word:?}"));
    }
}
