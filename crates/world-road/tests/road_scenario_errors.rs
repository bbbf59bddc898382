//! Wrong scenarios of the road, each with the exact words that the user reads.
#![allow(clippy::unwrap_used, reason = "a test that cannot make its input fails")]

use sim_run::scenario::{self, Override};
use sim_worlds::WORLDS;
use std::fs;

/// What is said of a scenario with these members, a line each, without the name of the file.
fn said_about(members: &str) -> Vec<String> {
    let text = format!("{{\"name\": \"x\", \"world\": \"road\",\n{members}}}");
    let items = match scenario::parse(WORLDS, &text, "a.json", &[]) {
        Ok(loaded) => loaded.warnings,
        Err(refused) => refused.items,
    };
    items.iter().map(|item| item.to_string().replacen("a.json:", "", 1)).collect()
}

fn check(cases: &[(&str, &[&str])]) {
    for (members, said) in cases {
        assert_eq!(said_about(members), *said, "{members}");
    }
}

#[test]
fn keys_and_values_of_the_road() {
    check(&[
        (r#""cars": [{}]"#, &[]),
        ("\"seed\": 2", &["1:1: cars: is missing; must be a list of 1 to 1000 objects { ... }"]),
        (r#""cars": []"#, &["2:9: cars: is an empty list, must be a list of 1 to 1000 objects { ... }"]),
        (
            r#""car": [{}]"#,
            &[
                "1:1: cars: is missing; must be a list of 1 to 1000 objects { ... }",
                r#"2:1: car: unknown key; did you mean "cars"?"#,
            ],
        ),
        (
            r#""cars": [{"driver": {"waypionts": {}}}]"#,
            &[r#"2:22: cars[0].driver.waypionts: unknown key; did you mean "waypoints"?"#],
        ),
        (
            r#""cars": [{}], "agents": {"count": 3}"#,
            &[
                "2:15: agents: unknown key; known here: $schema, cars, duration_s, inputs, map, name, seed, step_hz, steps, trace, world",
            ],
        ),
        (
            r#""cars": [{"sensors": {"lidar": {"sensing": {"noise": 0.1}}}}]"#,
            &[r#"2:45: cars[0].sensors.lidar.sensing.noise: unknown key; did you mean "noise_std"?"#],
        ),
        (
            r#""cars": [{"sensors": {"lidar": {"sensing": {"noise_std": -0.1}}}}]"#,
            &["2:58: cars[0].sensors.lidar.sensing.noise_std: is -0.1, must be a number from 0 to 1000000"],
        ),
        (
            r#""cars": [{"sensors": {"imu": {"gyro": {"every_ms": 2.5}}}}]"#,
            &["2:52: cars[0].sensors.imu.gyro.every_ms: is 2.5, must be a whole number from 1 to 1000000 ms"],
        ),
        (
            r#""cars": [{"params": {"velocity_max_m_s": "fast"}}]"#,
            &[r#"2:42: cars[0].params.velocity_max_m_s: is "fast", must be a number from 0.000001 to 1000 m/s"#],
        ),
        (
            r#""cars": [{"driver": {"wall": {"side": "rihgt"}}}]"#,
            &[r#"2:39: cars[0].driver.wall.side: is "rihgt", must be one of "left", "right"; did you mean "right"?"#],
        ),
        (
            r#""cars": [{"driver": {"commands": [{"velocity_m_s": 1}]}}]"#,
            &["2:35: cars[0].driver.commands[0].at_s: is missing; must be a number from 0 to 1000000000 s"],
        ),
        (
            r#""map": {"walls_m": [[[0, 0]]]}, "cars": [{}]"#,
            &[
                "2:21: map.walls_m[0]: is a list of 1, must be a list of 2 to 20000 lists of 2 numbers from -100000 to 100000 m",
            ],
        ),
    ]);
}

#[test]
fn another_world_is_asked_for() {
    let refused = scenario::parse(WORLDS, r#"{"name": "x", "world": "raod", "cars": 3}"#, "a.json", &[]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        r#"a.json:1:24: world: is "raod", must be one of "mat", "road", "sea"; did you mean "road"?"#
    );
}

#[test]
fn what_only_several_keys_together_can_say() {
    check(&[
        (r#""step_hz": 60, "cars": [{}]"#, &["2:12: step_hz: is 60, must divide 1000; the nearest that does is 50"]),
        (
            r#""cars": [{"params": {"base_to_rear_axle_m": 0.5}}]"#,
            &["2:45: cars[0].params.base_to_rear_axle_m: is 0.5, must be from 0 to 0.405"],
        ),
        (
            r#""cars": [{"start": {"steering_deg": 60}}]"#,
            &["2:37: cars[0].start.steering_deg: is 60, beyond what this car steers: 34.5 degrees"],
        ),
        (
            r#""cars": [{"start": {"velocity_m_s": 2}}]"#,
            &["2:37: cars[0].start.velocity_m_s: is 2, this car drives at -0.5 to 0.8 m/s"],
        ),
        (
            r#""cars": [{"sensors": {"lidar": {"angle_min_deg": 90, "angle_max_deg": 45}}}]"#,
            &["2:71: cars[0].sensors.lidar.angle_max_deg: is 45, must be above angle_min_deg"],
        ),
        (
            r#""cars": [{"sensors": {"lidar": {"angle_min_deg": -180, "angle_max_deg": 270}}}]"#,
            &[
                "2:73: cars[0].sensors.lidar.angle_max_deg: is 450 after angle_min_deg, at most a turn of 360 is allowed",
            ],
        ),
        (
            r#""cars": [{"sensors": {"lidar": {"range_min_m": 9, "range_max_m": 9}}}]"#,
            &["2:48: cars[0].sensors.lidar.range_min_m: is 9, must be below range_max_m"],
        ),
        (
            r#""cars": [{"sensors": {"imu": {"mount": {"orientation_xyzw": [1, 1, 0, 0]}}}}]"#,
            &[
                "2:61: cars[0].sensors.imu.mount.orientation_xyzw: is [1.0, 1.0, 0.0, 0.0], must be a quaternion (x, y, z, w) of length 1",
            ],
        ),
        (
            r#""cars": [{"sensors": {"position": {"sensing": {"range": [5, 1]}}}}]"#,
            &["2:57: cars[0].sensors.position.sensing.range: is [5, 1], must run from the smaller to the larger"],
        ),
    ]);
}

#[test]
fn drivers_that_cannot_be() {
    check(&[
        (
            r#""cars": [{"driver": {"wall": {}}}]"#,
            &["2:30: cars[0].driver.wall: needs a lidar: give the car sensors.lidar, {} for the default one"],
        ),
        (
            r#""cars": [{"driver": {"wall": {}, "commands": [{"at_s": 0, "velocity_m_s": 1}]}}]"#,
            &["2:30: cars[0].driver.wall: cannot be given beside commands: a car has one driver"],
        ),
        (
            r#""cars": [{"driver": {"commands": [{"at_s": 2, "velocity_m_s": 1}, {"at_s": 2, "velocity_m_s": 0}]}}]"#,
            &["2:76: cars[0].driver.commands[1].at_s: is 2, must be later than 2 of the one before"],
        ),
        (
            r#""cars": [{"driver": {"recording": {"time_s": [0, 1], "velocity_m_s": [1], "curvature_1_m": [0, 0]}}}]"#,
            &["2:70: cars[0].driver.recording.velocity_m_s: has 1 numbers, must have 2 as time_s"],
        ),
        (
            r#""cars": [{"driver": {"waypoints": {"points_m": [[0, 0], [1, 0]]}}}]"#,
            &["2:48: cars[0].driver.waypoints.points_m: has 2 points, must have 3 or more"],
        ),
        (
            r#""cars": [{"driver": {"waypoints": {"points_m": [[0, 0], [1, 0], [0, 1]], "speed_m_s": 3}}}]"#,
            &["2:87: cars[0].driver.waypoints.speed_m_s: is 3, must be from 0.001 to 0.8"],
        ),
        (
            r#""cars": [{"driver": {"waypoints": {"points_m": [[0, 0], [1, 0], [0, 1]], "lookahead_m": [2, 1]}}}]"#,
            &["2:89: cars[0].driver.waypoints.lookahead_m: is 1, must be from 2 to 1000"],
        ),
    ]);
}

#[test]
fn maps_and_starts() {
    let floor = r#""floor_m": [[[0, 0], [9, 0], [9, 9], [0, 9]], [[4, 4], [6, 4], [6, 6], [4, 6]]]"#;
    let case = |map: &str, cars: &str| said_about(&format!("\"map\": {{{map}}},\n\"cars\": [{cars}]"));
    assert_eq!(case(floor, r#"{"start": {"x_m": 2, "y_m": 2}}"#), [""; 0]);
    assert_eq!(
        case(floor, r#"{"start": {"x_m": 5, "y_m": 5}}"#),
        ["3:20: cars[0].start: puts the car into an obstacle: base at [5, 5], yaw 0"]
    );
    assert_eq!(
        case(floor, r#"{"start": {"x_m": 2, "y_m": 2}}, {"start": {"x_m": 2.3, "y_m": 2}}"#),
        ["3:53: cars[1].start: puts the car into car 0"]
    );
    // A start that the file does not write is looked for where the car is.
    assert_eq!(case(floor, "{}"), ["3:10: cars[0].start: puts the car into an obstacle: base at [0, 0], yaw 0"]);
    assert_eq!(
        case(r#""floor_m": [[[0, 0], [1, 0], [1, 1]]], "solid_m": [[[2, 2], [3, 2], [3, 3]]]"#, "{}"),
        ["2:59: map.solid_m: cannot be given beside floor_m: choose one of them"]
    );
    // A thin wall on a floor stops a car as any other does.
    let fence = format!(r#"{floor}, "walls_m": [[[1, 2], [3, 2]]]"#);
    assert_eq!(case(&fence, r#"{"start": {"x_m": 2, "y_m": 3}}"#), [""; 0]);
    assert_eq!(
        case(&fence, r#"{"start": {"x_m": 2, "y_m": 2}}"#),
        ["3:20: cars[0].start: puts the car into an obstacle: base at [2, 2], yaw 0"]
    );
    assert_eq!(
        case(r#""floor_m": [[[0, 0], [9, 9], [9, 0], [0, 9]]]"#, "{}"),
        [
            "2:21: map.floor_m[0]: its edge from [0, 0] to [9, 9] crosses the edge from [9, 0] to [0, 9] of the same ring"
        ]
    );
}

/// What is said about a scenario beside which a file lies. What is wrong in the file is said of the key that names it, with the place
/// in the file.
fn said_beside(name: &str, bytes: &str, members: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(name), bytes).unwrap();
    let path = place.path().join("a.json");
    fs::write(&path, format!(r#"{{"name": "x", "world": "road", {members}}}"#)).unwrap();
    let said = scenario::load(WORLDS, &path, &[]).map_or_else(|refused| refused.to_string(), |_| "fine".to_owned());
    said.replace(&path.display().to_string(), "a.json")
}

#[test]
fn map_files() {
    let map =
        |name: &str, bytes: &str| said_beside(name, bytes, &format!(r#""map": {{"file": {name:?}}}, "cars": [{{}}]"#));
    let square = r#"[[2, 2], [3, 2], [3, 3], [2, 2]]"#;
    let geojson = |ring: &str| {
        format!(
            r#"{{"type": "FeatureCollection", "features": [{{"type": "Feature", "geometry": {{"type": "Polygon", "coordinates": [{ring}]}}}}]}}"#
        )
    };
    assert_eq!(map("m.geojson", &geojson(square)), "fine");
    // Obstacles that overlap, in a file and in the scenario that it is read into.
    assert_eq!(map("m.geojson", &geojson(&format!("{square}, [[2, 2.5], [4, 2.5], [4, 4], [2, 2.5]]"))), "fine");
    assert_eq!(
        map("m.geojson", &geojson("[[2, 2], [3, 2], [3, 3]]")),
        r#"a.json:1:48: map.file: "m.geojson": features[0].geometry.coordinates[0]: has 3 points, a ring has at least four"#
    );
    assert_eq!(
        map("m.txt", ""),
        r#"a.json:1:48: map.file: "m.txt" is no map: its name must end in .geojson, .json, .yaml or .yml"#
    );
    assert_eq!(
        map(
            "m.yaml",
            "image: none.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n"
        ),
        r#"a.json:1:48: map.file: "m.yaml": its picture "none.pgm" cannot be opened: No such file or directory (os error 2)"#
    );
    assert_eq!(map("m.yaml", "image: a.pgm\n"), r#"a.json:1:48: map.file: "m.yaml": resolution: is missing"#);
    assert_eq!(
        said_beside(
            "m.geojson",
            &geojson(square),
            r#""map": {"file": "m.geojson", "walls_m": [[[0, 0], [1, 0]]]}, "cars": [{}]"#
        ),
        r#"a.json:1:48: map.file: "m.geojson" cannot be read beside walls_m: choose one of them"#
    );
    // Where a file is missing, the folder of the scenario is where it was looked for.
    assert_eq!(
        said_beside("other", "", r#""map": {"file": "nowhere.geojson"}, "cars": [{}]"#),
        r#"a.json:1:48: map.file: "nowhere.geojson" cannot be opened: No such file or directory (os error 2)"#
    );
}

#[test]
fn recorded_commands() {
    let recording = |bytes: &str| said_beside("c.csv", bytes, r#""cars": [{"driver": {"commands_csv": "c.csv"}}]"#);
    assert_eq!(recording("time_s,velocity_m_s,curvature_1_m\n0,0.5,0\n1.5,0,0\n"), "fine");
    for (bytes, clause) in [
        ("time_s,velocity,curvature_1_m\n", r#" has no column velocity_m_s; did you mean "velocity"?"#),
        (
            "time_s,velocity_m_s,curvature_1_m,acceleration_m_s2\n0,1,0,2\n1,1,0,\n",
            ", line 3, column acceleration_m_s2: is missing: give all of them, or none",
        ),
        ("time_s,velocity_m_s,curvature_1_m\n", " has no rows"),
        (
            "time_s,velocity_m_s,curvature_1_m\n0,x,0\n",
            r#", line 2, column velocity_m_s: is "x", must be a number from -1000 to 1000"#,
        ),
        (
            "time_s,velocity_m_s,curvature_1_m\n0,1,0\n1,nan,0\n",
            r#", line 3, column velocity_m_s: is "nan", must be a number from -1000 to 1000"#,
        ),
    ] {
        assert_eq!(recording(bytes), format!(r#"a.json:1:69: cars[0].driver.commands_csv: "c.csv"{clause}"#));
    }
    assert_eq!(
        recording("time_s,velocity_m_s,curvature_1_m\n1,1,0\n1,0,0\n"),
        r#"a.json:1:69: cars[0].driver.commands_csv: "c.csv", line 3, column time_s: is 1, must be later than 1 of the one before"#
    );
}

#[test]
fn overrides_reach_keys_and_items() {
    let set = |flag: &str| {
        let overrides: [Override; 1] = [flag.parse().unwrap()];
        let text = r#"{"name": "x", "world": "road", "cars": [{}]}"#;
        scenario::parse(WORLDS, text, "a.json", &overrides)
            .map_or_else(|refused| refused.to_string(), |_| "fine".to_owned())
    };
    assert_eq!(set("trace.lidar=long"), "fine");
    assert_eq!(set("cars[0].params.velocity_max_m_s=1.5"), "fine");
    assert_eq!(
        set("cars[0].params.velocity_max_m_s=-1"),
        "--set cars[0].params.velocity_max_m_s=-1: cars[0].params.velocity_max_m_s: is -1, must be a number from 0.000001 to 1000 m/s"
    );
    assert_eq!(
        set("cars[1].start={}"),
        "--set cars[1].start={}: cars[1].start: cars is a list of 1 and has no item 1; items count from 0"
    );
    assert_eq!(set("step_hz=30"), "--set step_hz=30: step_hz: is 30, must divide 1000; the nearest that does is 25");
    assert_eq!(
        set("cars.0.start=3"),
        "--set cars.0.start=3: cars.0.start: cars is a list of 1 and has no keys; a list is set as a whole, --set cars=[...], or item by item, --set cars[0]=..."
    );
}
