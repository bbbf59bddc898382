//! Whatever is thrown at the loader: it answers, and what it says has a place.
#![allow(clippy::unwrap_used, reason = "a test that cannot make its input fails")]

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use sim_run::scenario::{self, Override, Severity};
use sim_worlds::WORLDS;
use test_runs::same;

/// Any JSON, of modest size.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-10.0..500.0_f64).prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["mat", "road", "core", "considerate", "joint", "differential"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,8}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// The full scenario.
fn plain() -> String {
    test_runs::scenario("").resolved
}

/// Paths of all keys of the full scenario.
fn paths() -> Vec<String> {
    let resolved: Value = serde_json::from_str(&plain()).unwrap();
    let mut paths = Vec::new();
    for (key, value) in resolved.as_object().unwrap() {
        paths.push(key.clone());
        paths.extend(value.as_object().into_iter().flatten().map(|(inner, _)| format!("{key}.{inner}")));
    }
    paths
}

/// The answer makes sense: a scenario that reads back as itself, or errors with their places in the text.
fn answers(text: &str, overrides: &[Override]) -> Result<(), TestCaseError> {
    match scenario::parse(WORLDS, text, "a.json", overrides) {
        Ok(loaded) => {
            match scenario::parse(WORLDS, &loaded.resolved, "a.json", &[]) {
                Ok(again) => prop_assert!(same(&again, &loaded), "{} is not {}", again.resolved, loaded.resolved),
                Err(refused) => prop_assert!(false, "{}", refused),
            }
            prop_assert!(loaded.warnings.iter().all(|item| item.severity == Severity::Warning));
        }
        Err(refused) => {
            prop_assert!(refused.items.iter().any(|item| item.severity == Severity::Error));
            for item in &refused.items {
                prop_assert!(!item.message.is_empty() && !item.message.contains('\n'), "{}", item);
                if let Some(span) = &item.span {
                    prop_assert!(span.start <= span.end && refused.text.get(span.clone()).is_some(), "{}", item);
                    prop_assert!(item.line.is_some_and(|line| line <= refused.text.lines().count().max(1)), "{}", item);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(text) = std::str::from_utf8(&bytes) {
            answers(text, &[])?;
        }
        let _ = scenario::parse_bytes(WORLDS, &bytes, "a.json", &[]);
    }

    #[test]
    fn any_json_at_the_root(json in any_json()) {
        answers(&json.to_string(), &[])?;
    }

    /// One or two keys of a whole scenario replaced by anything.
    #[test]
    fn anything_in_place_of_a_value(
        changes in prop::collection::vec((prop::sample::select(paths()), any_json()), 1..3),
    ) {
        let text = plain();
        let overrides: Vec<Override> =
            changes.iter().map(|(path, json)| format!("{path}={json}").parse().unwrap()).collect();
        answers(&text, &overrides)?;
        let mut edited: Value = serde_json::from_str(&text).unwrap();
        for (path, json) in changes {
            let (section, key) = path.split_once('.').map_or((path.as_str(), None), |(a, b)| (a, Some(b)));
            match (key, edited[section].as_object_mut()) {
                (Some(key), Some(object)) => drop(object.insert(key.to_owned(), json)),
                _ => edited[section] = json,
            }
        }
        answers(&edited.to_string(), &[])?;
    }

    /// A good text with a few letters lost, doubled or replaced.
    #[test]
    fn a_damaged_file(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3, prop::char::any()), 1..4),
    ) {
        let mut letters: Vec<char> = plain().chars().collect();
        for (place, kind, letter) in edits {
            let at = place.index(letters.len());
            match kind {
                0 => drop(letters.remove(at)),
                1 => letters.insert(at, letter),
                _ => letters[at] = letter,
            }
        }
        answers(&letters.into_iter().collect::<String>(), &[])?;
    }

    #[test]
    fn a_file_that_ends_early(cut in any::<prop::sample::Index>()) {
        let text = plain();
        let end = cut.index(text.trim_end().len());
        let refused = scenario::parse(WORLDS, &text[..end], "a.json", &[]);
        prop_assert!(refused.is_err());
        answers(&text[..end], &[])?;
    }

    /// Whatever is allowed key by key is either refused with a reason or reads back as itself.
    #[test]
    fn numbers_all_over_their_ranges(
        count in 1..60_u32, feet in 0..5_u32, margin in 0.0..60.0_f64, inset in 80.0..200.0_f64,
        speed in 50.0..400.0_f64, a_max in 500.0..6000.0_f64, side in 100.0..900.0_f64,
        travel in prop::sample::select(vec!["core", "edge", "full"]),
        manner in prop::sample::select(vec!["stubborn", "considerate"]),
        drive in prop::sample::select(vec!["point", "differential"]),
    ) {
        let json = json!({
            "name": "x", "world": "mat", "mat": {"width_mm": side, "height_mm": 400},
            "feet": {"count": feet, "travel": travel, "manner": manner, "core_inset_mm": inset},
            "agents": {"count": count, "drive": drive}, "safety": {"wall_margin_mm": margin},
            "limits": {"v_max_mm_s": speed, "a_max_mm_s2": a_max},
        });
        answers(&json.to_string(), &[])?;
    }

    /// Following the advice leads to a scenario that works, one error at a time.
    #[test]
    fn the_suggested_value_is_allowed(count in 10..60_u32, margin in 0.0..40.0_f64, speed in 100.0..400.0_f64, a_max in 500.0..4000.0_f64) {
        let json = json!({
            "name": "x", "world": "mat", "agents": {"count": count}, "safety": {"wall_margin_mm": margin},
            "limits": {"v_max_mm_s": speed, "a_max_mm_s2": a_max},
        }).to_string();
        let mut overrides: Vec<Override> = Vec::new();
        for _ in 0..8 {
            let Err(refused) = scenario::parse(WORLDS, &json, "a.json", &overrides) else { return Ok(()) };
            let error = refused.items.iter().find(|item| item.severity == Severity::Error).unwrap();
            let meant = error.suggestion.as_ref().expect("an error of this kind names the nearest value that works");
            overrides.push(format!("{}={meant}", error.path).parse().unwrap());
        }
        prop_assert!(false, "no end of errors: {:?}", scenario::parse(WORLDS, &json, "a.json", &overrides));
    }
}
