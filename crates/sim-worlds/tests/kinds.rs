//! What every kind of world in the registry keeps to before any scenario is read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::Purpose;
use sim_world::{Ranking, WorldKind};
use sim_worlds::WORLDS;
use std::collections::BTreeSet;
use test_runs::loaded;

/// True if no item comes twice.
fn are_unique<T: Ord>(items: impl IntoIterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    items.into_iter().all(|item| seen.insert(item))
}

/// Two draws for one purpose at the same address would be the same number.
#[test]
fn purposes_of_draws_are_unique_over_all_crates() {
    let crates: [&[Purpose]; 6] = [
        &sim_core::sensing::purpose::ALL,
        &swarm_field::purpose::ALL,
        &swarm_agents::purpose::ALL,
        &toio_cube_sim::purpose::ALL,
        &sim_sweep::purpose::ALL,
        &sea_sim::purpose::ALL,
    ];
    assert!(are_unique(crates.concat()), "{crates:?}");
}

#[test]
fn worlds_have_names_of_their_own_and_are_found_by_them() {
    assert!(WORLDS.names().count() > 1 && are_unique(WORLDS.names()));
    for kind in WORLDS.0 {
        assert_eq!(WORLDS.find(kind.name()).unwrap().name(), kind.name());
    }
    assert!(WORLDS.find("sea of tranquillity").is_none());
}

/// The measures that a ranking reads.
fn ranked(kind: &dyn WorldKind) -> Vec<&'static str> {
    match kind.ranking() {
        Ranking::SmallestMargin { of, .. } => of.to_vec(),
        Ranking::Largest { measure, .. } => vec![measure],
    }
}

#[test]
fn measures_have_names_of_their_own_and_those_that_are_pointed_out_are_among_them() {
    for kind in WORLDS.0 {
        let names: Vec<&str> = kind.measures().iter().map(|measure| measure.name).collect();
        assert!(are_unique(&names), "{}: {names:?}", kind.name());
        let highlights = kind.words().highlights.iter().map(|(name, _)| *name);
        let pointed_out = [kind.default_measures(), highlights.collect(), ranked(*kind)];
        for list in pointed_out {
            assert!(!list.is_empty() && are_unique(&list), "{}: {list:?}", kind.name());
            let unknown: Vec<_> = list.iter().filter(|name| !names.contains(name)).collect();
            assert!(unknown.is_empty(), "{}: no measures are called {unknown:?}", kind.name());
        }
    }
}

/// A ranking by margins needs floors: without a limit a measure has no margin.
#[test]
fn ranking_by_a_margin_reads_measures_that_have_limits() {
    for kind in WORLDS.0 {
        if let Ranking::SmallestMargin { of, unit, .. } = kind.ranking() {
            let model = loaded(&smallest(*kind)).model;
            for measure in kind.measures().iter().filter(|measure| of.contains(&measure.name)) {
                assert!(model.limit(measure).is_some() && measure.unit == *unit, "{}", measure.name);
            }
        }
    }
}

/// A scenario with nothing but what the schema requires.
fn smallest(kind: &dyn WorldKind) -> String {
    let member = |key: &str| match key {
        "name" => r#""name": "smallest""#.to_owned(),
        "world" => format!(r#""world": "{}""#, kind.name()),
        "cars" => r#""cars": [{}]"#.to_owned(),
        "vehicles" => r#""vehicles": [{"name": "a", "model": "buoy"}]"#.to_owned(),
        other => panic!("{} requires {other:?}: how is that written?", kind.name()),
    };
    let required = kind.schema()["required"].as_array().unwrap();
    let members: Vec<String> = required.iter().map(|key| member(key.as_str().unwrap())).collect();
    format!("{{{}}}", members.join(", "))
}

#[test]
fn schemas_require_little_and_what_they_require_is_enough() {
    for kind in WORLDS.0 {
        let schema = kind.schema();
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#", "{}", kind.name());
        assert!(schema["properties"].as_object().is_some_and(|keys| keys.len() > 5), "{}", kind.name());
        assert_eq!(schema["additionalProperties"], false, "{}", kind.name());
        assert_eq!(loaded(&smallest(*kind)).model.kind().name(), kind.name());
    }
}
