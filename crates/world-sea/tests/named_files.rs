//! Files that scenarios name: bottoms, vehicles, currents and commands.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{WORLDS, text};
use sea_sim::contact::{Capsule, Hull};
use sea_sim::terrain::Terrain;
use serde_json::{Value as Json, json};
use sim_run::scenario::{Loaded, load, parse};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use world_sea::SeaModel;

/// A scenario with these members beside files.
fn beside(files: &[(&str, &[u8])], members: &str) -> Result<Loaded, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().join("a.json");
    fs::write(&path, text(members)).unwrap();
    load(WORLDS, &path, &[]).map_err(|refused| {
        let plain = |said: String| said.split_once(": ").map(|parts| parts.1.to_owned()).unwrap_or_default();
        refused.items.iter().map(|item| plain(item.to_string())).collect::<Vec<_>>().join("\n")
    })
}

fn model(loaded: &Loaded) -> Arc<SeaModel> {
    loaded.model.clone().as_any().downcast().unwrap()
}

const BUOY: &str = r#""vehicles": [{"name": "a", "model": "buoy", "start": {"x_m": 2, "y_m": 1}}]"#;

/// The vehicle of a scenario in all its parts.
fn vehicle(members: &str) -> String {
    let loaded = parse(WORLDS, &text(members), "a.json", &[]).unwrap();
    format!("{:?}", model(&loaded).vehicles[0].vehicle)
}

/// Against the whole file written with the other kinds in their places. The place of its schema stays and is not read.
#[test]
fn another_kind_takes_the_place_of_the_models_and_null_removes_a_key() {
    let changed = vehicle(
        r#""vehicles": [{"name": "a", "model": "custom", "parameters": {"motion": {"rigid": {"body": {
            "damping": {"quadratic": null},
            "buoyancy": {"cells": [{"center_m": [0, 0, 0], "volume_m3": 0.03, "height_m": 0.3}]}}}}},
            "actuators": {"main": {"response": {"watchdog_hz": null},
                "kind": {"propeller": {"thrust": {"linear": {"forward": 0.02, "reverse": 0.01}}}}}}}]"#,
    );
    let mut whole: serde_json::Value =
        serde_json::from_str(world_sea::scenario::vehicle_text("custom").unwrap()).unwrap();
    let rigid = &mut whole["motion"]["rigid"];
    rigid["body"]["buoyancy"] =
        serde_json::json!({"cells": [{"center_m": [0, 0, 0], "volume_m3": 0.03, "height_m": 0.3}]});
    rigid["body"]["damping"]["quadratic"] = serde_json::json!([0, 0, 0, 0, 0, 0]);
    let main = &mut rigid["actuators"][0];
    main["response"] = serde_json::json!({"time_constant_s": 0.2});
    main["kind"]["propeller"]["thrust"] = serde_json::json!({"linear": {"forward": 0.02, "reverse": 0.01}});
    let members = format!(r#""vehicles": [{{"name": "a", "model": "inline", "parameters": {whole}}}]"#);
    assert_eq!(changed, vehicle(&members));
    assert_ne!(changed, vehicle(r#""vehicles": [{"name": "a", "model": "custom"}]"#));
}

/// SAM's published collider; a hull that is not said fills the size.
#[test]
fn a_hull_is_as_the_file_says() {
    let hull = |members: &str| model(&parse(WORLDS, &text(members), "a.json", &[]).unwrap()).vehicles[0].hull.clone();
    let capsule = |length_m: f64, radius_m: f64| Hull::new(vec![Capsule::along_x(length_m, radius_m)]).unwrap();
    assert_eq!(hull(r#""vehicles": [{"name": "a", "model": "sam"}]"#), capsule(1.318, 0.0696));
    let without = r#""vehicles": [{"name": "a", "model": "sam", "parameters": {"hull": null}}]"#;
    assert_eq!(hull(without), capsule(1.334, 0.063));
}

const ASC: &str = "ncols 3\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 2\n-4 -5 -6\n-1 -2 -3\n";

#[test]
fn a_grid_of_heights_is_read_into_the_scenario() {
    let members = format!(r#""terrain": {{"file": "b.asc"}}, {BUOY}"#);
    let loaded = beside(&[("b.asc", ASC.as_bytes())], &members).unwrap();
    let Some(Terrain::Grid(grid)) = &model(&loaded).terrain else { panic!() };
    // The first line of such a file is its north.
    assert_eq!(grid.params().heights_m, [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
    let again = parse(WORLDS, &loaded.resolved, "b.json", &[]).unwrap();
    assert_eq!(again.resolved, loaded.resolved);
    assert_eq!(model(&again).terrain, model(&loaded).terrain);
}

#[test]
fn wrong_grids_are_refused_in_words() {
    let said = |bytes: &str, keys: &str| {
        let members = format!(r#""terrain": {{"file": "b.asc"{keys}}}, {BUOY}"#);
        beside(&[("b.asc", bytes.as_bytes())], &members).map(|_| ()).unwrap_err()
    };
    assert_eq!(
        said(&ASC.replace(" -3\n", "\n"), ""),
        r#"terrain.file: "b.asc": heights_m has 5 heights, must have 2 rows of 3"#
    );
    assert_eq!(said(ASC, r#", "cell_m": 1"#), r#"terrain.file: "b.asc" has cells of 2 m, cell_m is 1"#);
    assert_eq!(
        said(ASC, r#", "picture_at_m": [3, 4]"#),
        r#"terrain.file: "b.asc" says its heights and its place itself: picture_at_m is for pictures"#
    );
    assert_eq!(
        said(ASC, r#", "picture_z_m": [-3, 0]"#),
        r#"terrain.file: "b.asc" says its heights and its place itself: picture_z_m is for pictures"#
    );
    assert_eq!(
        said(ASC, r#", "flat_z_m": -3"#),
        r#"terrain.file: "b.asc" cannot be read beside flat_z_m: choose one of them"#
    );
}

/// What a run writes into its folder must load again, so files obey the limits of the keys that they are read into.
#[test]
fn files_beyond_the_limits_of_a_scenario_are_refused() {
    let terrain = format!(r#""terrain": {{"file": "b.asc"}}, {BUOY}"#);
    let far = ASC.replace("xllcenter 0", "xllcenter 2000000");
    assert_eq!(
        beside(&[("b.asc", far.as_bytes())], &terrain).map(|_| ()).unwrap_err(),
        r#"terrain.file: "b.asc": from_m[0] is 2000000, must be a number from -1000000 to 1000000 m"#
    );
    // A million and two heights of one digit are 2 MB of text, and more than the key takes.
    let many = format!("ncols 2\nnrows 500001\nxllcenter 0\nyllcenter 0\ncellsize 1\n{}", "-9 ".repeat(1_000_002));
    let said = beside(&[("b.asc", many.as_bytes())], &terrain).map(|_| ()).unwrap_err();
    assert!(
        said.starts_with(r#"terrain.file: "b.asc": z_m is a list of 1000002, must be a list of 4 to 1000000"#),
        "{said}"
    );
    let grid = r#"{"from_m": [0, -3e6], "cell_m": 10, "columns": 2, "rows": 2, "depths_m": [0],
        "velocities_m_s": [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]}"#;
    let currents = format!(r#""water": {{"currents": [{{"grid_file": "c.json"}}]}}, {BUOY}"#);
    assert_eq!(
        beside(&[("c.json", grid.as_bytes())], &currents).map(|_| ()).unwrap_err(),
        r#"water.currents[0].grid_file: "c.json": from_m[1] is -3000000, must be a number from -1000000 to 1000000 m"#
    );
}

/// Three by two points of 16 bits: black is -10 m, white 0 m; the top is north.
#[test]
fn a_picture_is_heights() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let levels: [u16; 6] = [65_535, 0, 13_107, 0, 0, 65_535];
    let data: Vec<u8> = levels.iter().flat_map(|level| level.to_be_bytes()).collect();
    encoder.write_header().unwrap().write_image_data(&data).unwrap();
    let members = format!(
        r#""terrain": {{"file": "b.png", "cell_m": 2, "picture_z_m": [-10, 0]}}, {}"#,
        BUOY.replace(r#""y_m": 1"#, r#""y_m": 1, "z_m": 3"#)
    );
    let loaded = beside(&[("b.png", &bytes)], &members).unwrap();
    let Some(Terrain::Grid(grid)) = &model(&loaded).terrain else { panic!() };
    assert_eq!(grid.params().heights_m, [-10.0, -10.0, 0.0, 0.0, -10.0, -8.0]);
    let without = members.replace(r#""cell_m": 2, "#, "");
    assert_eq!(
        beside(&[("b.png", &bytes)], &without).map(|_| ()).unwrap_err(),
        r#"terrain.file: "b.png" is a picture: cell_m must be given beside it"#
    );
}

#[test]
fn a_vehicle_of_ones_own_is_a_file() {
    let own = world_sea::scenario::vehicle_text("custom").unwrap().replace("\"mass_kg\": 30", "\"mass_kg\": 29");
    let members = r#""vehicles": [{"name": "a", "model": "mine.json"}]"#;
    let loaded = beside(&[("mine.json", own.as_bytes())], members).unwrap();
    let mass_kg = |loaded: &Loaded| model(loaded).vehicles[0].vehicle.body().unwrap().mass().mass_kg;
    assert_eq!(mass_kg(&loaded), 29.0);
    assert_eq!(mass_kg(&parse(WORLDS, &loaded.resolved, "b.json", &[]).unwrap()), 29.0);
    let changed = members
        .replace("\"mine.json\"", r#""mine.json", "parameters": {"motion": {"rigid": {"body": {"mass_kg": 28}}}}"#);
    assert_eq!(mass_kg(&beside(&[("mine.json", own.as_bytes())], &changed).unwrap()), 28.0);
    let missing = beside(&[], members).map(|_| ()).unwrap_err();
    assert!(missing.starts_with(r#"vehicles[0].model: "mine.json" cannot be opened"#), "{missing}");
}

#[test]
fn recorded_commands_are_read_into_the_scenario() {
    let members = r#""vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -5}, "driver": {"commands_csv": "c.csv"}}]"#;
    let said = |text: &str| beside(&[("c.csv", text.as_bytes())], members).map(|_| ()).unwrap_err();
    assert!(beside(&[("c.csv", b"actuator,value,time_s\nrudder,0.1,2\n")], members).is_ok());
    let path = "vehicles[0].driver.commands_csv: \"c.csv\"";
    assert_eq!(said("time,actuator,value\n"), format!("{path} has no column time_s; did you mean \"time\"?"));
    assert_eq!(said("time_s,actuator,value\n"), format!("{path} has no rows"));
    assert_eq!(
        said("time_s,actuator,value\n1,rudder,x\n"),
        format!("{path}, line 2, column value: is \"x\", must be a number from -1000000 to 1000000")
    );
    assert_eq!(
        said("time_s,actuator,value\n1,ruder,0\n"),
        "vehicles[0].driver.commands[0].actuator: is \"ruder\", the name of no actuator; it has rudder, stern, propeller; did you mean \"rudder\"?"
    );
}

/// A mesh becomes part of the scenario; what is no closed surface, no mesh or too large is refused at its key.
#[test]
fn meshes_are_read_into_the_scenario() {
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let with = |name: &str, bytes: &[u8]| {
        let object = format!(r#"{{"position_m": [0, 0, -9], "mesh_file": "{name}"}}"#);
        let members = format!(r#""terrain": {{"flat_z_m": -9}}, "sonar": {{"objects": [{object}]}}, {BUOY}"#);
        beside(&[(name, bytes)], &members)
    };
    let loaded = with("a.obj", tetrahedron.as_bytes()).unwrap();
    let resolved: Json = serde_json::from_str(&loaded.resolved).unwrap();
    let object = &resolved["sonar"]["objects"][0];
    assert_eq!((object["mesh"]["vertices_m"].as_array().unwrap().len(), object.get("mesh_file")), (4, None));
    assert_eq!(parse(WORLDS, &loaded.resolved, "b.json", &[]).unwrap().resolved, loaded.resolved);
    let said = |name: &str, text: &str| with(name, text.as_bytes()).map(|_| ()).unwrap_err();
    let path = "sonar.objects[0].mesh";
    assert_eq!(said("a.ply", ""), format!(r#"{path}_file: "a.ply" is no mesh: its name must end in .obj or .stl"#));
    let hole = said("a.obj", &tetrahedron.replace("f 1 4 3\n", ""));
    assert!(hole.starts_with(&format!("{path}: triangles has 3 open edges, one from")), "{hole}");
    let no_number = said("a.obj", &tetrahedron.replace("v 0 0 1", "v 0 0 nan"));
    assert!(
        no_number.starts_with(&format!(r#"{path}_file: "a.obj": "#)) && no_number.contains("line 4"),
        "{no_number}"
    );
    let empty = said("a.obj", "v 0 0 0\n");
    assert!(empty.contains("no triangle"), "{empty}");
    // A file of 4 GB that takes no place on the disk.
    let folder = tempfile::tempdir().unwrap();
    fs::File::create(folder.path().join("huge.stl")).unwrap().set_len(4_000_000_000).unwrap();
    let members = format!(
        r#""terrain": {{"flat_z_m": -9}}, "sonar": {{"objects": [{{"position_m": [0, 0, 0], "mesh_file": "huge.stl"}}]}}, {BUOY}"#
    );
    fs::write(folder.path().join("a.json"), text(&members)).unwrap();
    let huge = load(WORLDS, &folder.path().join("a.json"), &[]).map(|_| ()).unwrap_err().to_string();
    assert!(huge.contains(r#"mesh_file: "huge.stl" is larger than"#), "{huge}");
}

#[test]
fn the_scenarios_that_came_along_are_right() {
    for name in ["sea-dive", "sea-fleet", "survey"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenarios/{name}.json"));
        let loaded = load(WORLDS, &path, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    }
}

/// What a scenario leaves out is written into that of its run: of waves, the keys that mean something to their kind.
#[test]
fn defaults_are_written_out() {
    let of_waves = [
        (r#""kind": "flat""#, json!({"kind": "flat", "depth_m": null})),
        (
            r#""kind": "regular", "period_s": 6"#,
            json!({"kind": "regular", "depth_m": null, "height_m": 0.5, "period_s": 6, "heading_deg": 0, "phase_deg": 0, "steepness": 0}),
        ),
        (
            r#""kind": "pierson_moskowitz", "components": 40"#,
            json!({"kind": "pierson_moskowitz", "depth_m": null, "period_s": 5, "heading_deg": 0, "spreading_deg": 20, "components": 40,
                "steepness": 0}),
        ),
        (
            r#""kind": "jonswap""#,
            json!({"kind": "jonswap", "depth_m": null, "height_m": 0.5, "period_s": 5, "heading_deg": 0, "spreading_deg": 20,
                "components": 100, "gamma": 3.3, "steepness": 0}),
        ),
    ];
    for (waves, expected) in of_waves {
        let members = format!(r#""water": {{"waves": {{{waves}}}}}, "vehicles": [{{"name": "a", "model": "buoy"}}]"#);
        let loaded = common::loaded(&members);
        let resolved: Json = serde_json::from_str(&loaded.resolved).unwrap();
        assert_eq!(resolved["water"]["waves"], expected);
        assert_eq!(resolved["origin"], json!({"lat_deg": 58.8226, "lon_deg": 17.6317, "frame": "tangent"}));
        let again = parse(WORLDS, &loaded.resolved, "b.json", &[]).unwrap();
        assert_eq!((&again.resolved, again.warnings.len()), (&loaded.resolved, 0));
    }
}
