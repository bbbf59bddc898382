//! The scenarios and the schema that the repository ships.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its files fails")]

use serde_json::{Value, json};
use sim_run::scenario::{self, Loaded, Override, schema_json};
use sim_run::{Control, RunOptions, run_one};
use sim_world::WorldKind;
use sim_worlds::WORLDS;
use std::path::{Path, PathBuf};
use test_runs::{changed, loaded, resolved, same};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

fn load(name: &str) -> Loaded {
    scenario::load(WORLDS, &folder().join(name).with_extension("json"), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = files
        .filter_map(|file| file.strip_suffix(".json").map(str::to_owned))
        .filter(|name| name != "scenario.schema")
        .collect();
    names.sort();
    names
}

#[test]
fn the_shipped_scenarios_are_the_ones_that_the_guide_explains() {
    let guide = std::fs::read_to_string(folder().join("../docs/guide/scenarios.md")).unwrap();
    let explained: Vec<&str> =
        guide.lines().filter_map(|line| line.strip_prefix("### `")).filter_map(|rest| rest.split('`').next()).collect();
    let mut explained: Vec<String> = explained.into_iter().map(str::to_owned).collect();
    explained.sort();
    assert_eq!(explained, names());
    assert_eq!(names().len(), 29);
}

#[test]
fn every_shipped_scenario_loads_under_its_own_name_and_with_the_words_expected() {
    let warned: Vec<String> = names().into_iter().filter(|name| !load(name).warnings.is_empty()).collect();
    assert_eq!(
        warned,
        [
            "baseline-orca",
            "baseline-penalty",
            "swarm-10-full",
            "swarm-20-cubes",
            "swarm-30-cubes",
            "swarm-30-differential",
            "swarm-30-edge",
            "swarm-30-full",
            "swarm-30-two-feet",
        ]
    );
    for name in names() {
        let loaded = load(&name);
        assert_eq!(loaded.model.info().name, name);
        assert_eq!(resolved(&loaded)["$schema"], "./scenario.schema.json");
    }
}

/// Its world is built and its robots are laid out; the largest ones, which take their time, are left to the benches.
#[test]
fn every_shipped_scenario_starts() {
    for name in names().into_iter().filter(|name| !name.starts_with("plaza")) {
        let steps = [Override::from_flag("--steps", "steps", 1)];
        let path = folder().join(&name).with_extension("json");
        let loaded = scenario::load(WORLDS, &path, &steps).unwrap_or_else(|error| panic!("{error}"));
        let report = run_one(&loaded.model, loaded.model.key(0), &RunOptions::default(), &Control::none());
        assert!(report.unwrap_or_else(|error| panic!("{name}: {error}")).complete);
    }
}

#[test]
fn what_is_guaranteed() {
    for (name, level) in [
        ("swarm-30", "measured"),
        ("swarm-10", "measured"),
        ("stir", "best_effort"),
        ("swarm-30-considerate", "proven"),
        ("swarm-30-cubes", "bounded"),
        ("swarm-20-cubes", "best_effort"),
        ("squeeze", "proven"),
        ("plaza-1000", "proven"),
        ("plaza-10000", "proven"),
        ("patches-only", "proven"),
        ("hall", "proven"),
        ("swarm-gallery", "proven"),
        ("swarm-30-full", "best_effort"),
        ("swarm-10-full", "best_effort"),
        ("swarm-30-two-feet", "best_effort"),
        ("swarm-30-differential", "best_effort"),
        ("baseline-orca", "nothing"),
    ] {
        assert_eq!(load(name).guarantee.unwrap().level, level, "{name}");
    }
}

/// The spec's numbers (swarm spec 1.7 and readings A3 to A21), not ours.
#[test]
fn an_almost_empty_file_is_the_specs_own_scenario() {
    let scenario = loaded(r#"{"name": "swarm-30", "world": "mat"}"#);
    let agreed = json!({
        "name": "swarm-30", "world": "mat", "seed": 1, "step_hz": 60, "steps": 36000,
        "mat": {"width_mm": 400, "height_mm": 400, "printed": [], "dot_per_m": 411.0 / 0.560, "tilt_deg": 0,
            "downhill_deg": 0, "walls": [], "contact": {"mass_g": 25, "tyre_friction": 0.9, "skid_friction": 0.2,
            "side_friction": 0.3, "restitution": 0.2, "substeps": 1}},
        "feet": {"count": 1, "travel": "core", "manner": "stubborn", "core_inset_mm": 120, "gait": "walk",
            "destination": "mixed", "idle_s": [5, 8], "idle_radius_mm": 30, "idle_speed_max_mm_s": 120,
            "acceleration_s": [1, 2], "speed_mm_s": [120, 200], "roam_s": [3, 6], "orbit_radius_mm": 80,
            "orbit_speed_mm_s": 200, "noise_std_mm_s": 5, "speed_slack_mm_s": 15, "estimation_noise_mm": 5, "home_mm": []},
        "patches": {"count": 10, "radius_mm": [30, 60], "peak": [0.15, 0.3], "speed_mm_s": [5, 15],
            "lifetime_s": [20, 60], "fade_s": 2},
        "field": {"lambda_rho": 1, "beta_per_s": 2.5, "window_s": 0.6, "cell_mm": 5, "sigma_mm": 40, "stretch_s": 0.2},
        "agents": {"count": 30, "drive": "point", "alpha": 0.9, "sigma_v": 0.05, "noise": "coloured",
            "noise_correlation_s": 0.25, "temperature": 0.3, "sensing": null, "goals": null,
            "cube": {"tracking_mm": 5, "margin_mm": null, "lead_steps": 5, "radio": {"link": "ble", "interval_ms": 10,
                "to_cube_delay_ms": [3, 5], "from_cube_delay_ms": [3, 5], "loss": 0.02, "packets_per_event": 4,
                "packet_bytes": 27, "mtu_bytes": 23, "buffer": 16}}},
        "safety": {"d_h_mm": 100, "d_r_mm": 60, "wall_margin_mm": 16, "filter": "joint"},
        "limits": {"v_max_mm_s": 252, "a_max_mm_s2": 3000, "omega_max_rad_s": 12},
        "cubes": [], "cards": [], "magnets": [], "script": [],
        "trace": {"every": 6}
    });
    assert_eq!(resolved(&scenario), agreed);
    assert!(same(&Loaded { resolved: load("swarm-30").resolved_without_schema(), ..load("swarm-30") }, &scenario));
}

#[test]
fn what_explain_writes_reads_back_as_the_same_scenario() {
    for name in names() {
        let scenario = load(&name);
        assert!(same(&loaded(&scenario.resolved), &scenario), "{name}");
    }
}

#[test]
fn odd_numbers_survive_the_way_through_explain() {
    let text = r#"{"name": "x", "world": "mat", "seed": 9007199254740991, "steps": 3.6e4, "agents": {"count": 10, "alpha":
        0.1000000000000000055, "sigma_v": 1e-300, "temperature": 0.30000000000000004,
        "goals": {"sites_mm": [[100.5, 1.999999999999999e2]]}}, "feet": {"home_mm": [[200, 133.33333333333334]]}}"#;
    let scenario = loaded(text);
    assert_eq!((scenario.model.info().seed, scenario.model.info().steps), (9_007_199_254_740_991, 36_000));
    let bits = |number: &Value| number.as_f64().unwrap().to_bits();
    assert_eq!(bits(&resolved(&scenario)["agents"]["temperature"]), 0.300_000_000_000_000_04_f64.to_bits());
    let again = loaded(&scenario.resolved);
    assert!(same(&again, &scenario));
    let site_mm = &resolved(&again)["agents"]["goals"]["sites_mm"][0];
    assert_eq!(bits(&site_mm[1]), 199.999_999_999_999_9_f64.to_bits());
}

#[test]
fn overrides_are_the_same_as_an_edited_file() {
    let overrides: Vec<Override> = ["agents.count=20", "feet.idle_s=[6,7]", "agents.drive=differential", "name=y"]
        .iter()
        .map(|text| text.parse().unwrap())
        .chain([Override::from_flag("--seed", "seed", 5)])
        .collect();
    let text = r#"{"name": "x", "world": "mat", "agents": {"count": 3}}"#;
    let edited = r#"{"name": "y", "world": "mat", "seed": 5, "agents": {"count": 20, "drive": "differential"},
        "feet": {"idle_s": [6, 7]}}"#;
    assert!(same(&changed(text, &overrides), &loaded(edited)));
}

#[test]
fn a_byte_order_mark_and_foreign_line_ends_do_no_harm() {
    let text = "\u{feff}{\r\n  \"name\": \"x\",\r\n  \"world\": \"mat\"\r\n}\r\n";
    assert!(same(&loaded(text), &loaded(r#"{"name": "x", "world": "mat"}"#)));
}

#[test]
fn the_committed_schema_is_the_generated_one() {
    let committed = std::fs::read_to_string(folder().join("scenario.schema.json")).unwrap();
    assert!(
        committed == schema_json(WORLDS),
        "run `cargo xtask schema`: scenarios/scenario.schema.json is not up to date"
    );
}

/// The part of the schema that is about a world.
fn part(world: &dyn WorldKind) -> Value {
    let schema: Value = serde_json::from_str(&schema_json(WORLDS)).unwrap();
    let parts = schema["oneOf"].as_array().unwrap();
    parts.iter().find(|part| part["properties"]["world"]["const"] == world.name()).unwrap().clone()
}

/// Every key of the schema, with its path.
fn leaves(schema: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if property["properties"].is_object() {
            leaves(property, &path, found);
        } else if property["items"]["properties"].is_object() {
            leaves(&property["items"], &format!("{path}[]"), found);
        } else {
            found.push((path, property.clone()));
        }
    }
}

/// What stands below one of several kinds, such as the motion of a vehicle, is not among these keys: its model names its limits.
#[test]
fn every_key_of_the_schema_is_explained_and_has_its_limits() {
    let mut found = Vec::new();
    let counts: Vec<usize> = WORLDS
        .0
        .iter()
        .map(|&world| {
            let before = found.len();
            leaves(&part(world), "", &mut found);
            found.len() - before
        })
        .collect();
    assert_eq!(counts, [315, 140, 703], "keys of the mat, the road and the sea");
    for (path, schema) in found {
        let description = schema["description"].as_str().unwrap_or_default();
        assert!(description.ends_with('.') && description.len() > 10, "{path}: {description}");
        assert!(schema["title"].is_string(), "{path}");
        let number = if schema["type"] == "array" { innermost(&schema) } else { &schema };
        if number["type"] == "number" || number["type"] == "integer" {
            assert!(number["minimum"].is_number() && number["maximum"].is_number(), "{path}");
        }
    }
}

fn innermost(schema: &Value) -> &Value {
    if schema["items"].is_object() { innermost(&schema["items"]) } else { schema }
}

/// The ends of each range are allowed by the loader, and nothing beyond them is.
#[test]
fn the_loader_allows_what_the_schema_allows() {
    for &world in WORLDS.0 {
        check_limits(world);
    }
}

fn check_limits(world: &dyn WorldKind) {
    let mut found = Vec::new();
    leaves(&part(world), "", &mut found);
    let mut checked = 0;
    // Keys of the things in a list are another matter: `--set` sets a list as a whole.
    found.retain(|(path, _)| !path.contains("[]"));
    for (path, schema) in found.iter().filter(|(_, schema)| schema["minimum"].is_number()) {
        let (least, most) = (schema["minimum"].as_f64().unwrap(), schema["maximum"].as_f64().unwrap());
        assert!(least < most, "{path}");
        for (value, allowed) in [(least, true), (most, true), (least - 1.0, false), (most * 1.001 + 1.0, false)] {
            assert_eq!(allows(world, path, &value.to_string()), allowed, "{path} = {value}");
        }
        checked += 1;
    }
    for (path, schema) in found.iter().filter(|(_, schema)| schema["oneOf"].is_array()) {
        for choice in schema["oneOf"].as_array().unwrap() {
            assert!(allows(world, path, choice["const"].as_str().unwrap()), "{path}");
        }
        assert!(!allows(world, path, "nonsense"), "{path}");
        checked += 1;
    }
    assert!(checked > if world.name() == "mat" { 40 } else { 5 }, "{checked}");
}

/// True if nothing is said about the key itself; other checks may still object.
fn allows(world: &dyn WorldKind, path: &str, value: &str) -> bool {
    let set = format!("{path}={value}").parse::<Override>().unwrap();
    let (text, overrides) = match world.name() {
        "mat" => {
            let site = "agents.goals.sites_mm=[[200,200]]".parse::<Override>().unwrap();
            (r#"{"name": "x", "world": "mat"}"#, vec![site, set])
        }
        "road" => (r#"{"name": "x", "world": "road", "cars": [{}]}"#, vec![set]),
        "sea" => (r#"{"name": "x", "world": "sea", "vehicles": [{"name": "a", "model": "buoy"}]}"#, vec![set]),
        other => panic!("a scenario of the world {other} is needed here"),
    };
    match scenario::parse(WORLDS, text, "a", &overrides) {
        Ok(_) => true,
        Err(refused) => !refused.items.iter().any(|item| item.path == path && item.allowed.is_some()),
    }
}
