//! The view of the sea names only what its runs have, whatever its scenarios hold.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::model;
use sim_world::Model;
use test_runs::views;

/// Each vehicle that came along, 20 m apart.
fn all_vehicles() -> String {
    let vehicle = |(number, name): (usize, &str)| {
        let inputs = if name == "evolo" { r#""u_m_s": 0, "# } else { "" };
        format!(r#"{{"name": "v{number}", "model": "{name}", "start": {{{inputs}"x_m": {}, "z_m": -1}}}}"#, 20 * number)
    };
    let names =
        ["remus100", "otter", "bluerov2", "sam", "sam_kth", "lolo", "evolo", "buoy", "station", "torpedo", "custom"];
    format!("\"vehicles\": [{}]", names.into_iter().enumerate().map(vehicle).collect::<Vec<_>>().join(", "))
}

const ROUTE: &str =
    r#""driver": {"waypoints": {"points": [{"x_m": 10, "y_m": 0}, {"x_m": 90, "y_m": 5}], "speed": 90}}"#;
const STATION: &str = r#"{"name": "s", "model": "station", "start": {"x_m": -40}}"#;
const SENSORS: &str = r#""sensors": {"imu": {}, "gnss": {}, "pressure": {}, "battery": {}, "dvl": {}}"#;
const SONARS: &str = r#""sensors": {"mbes": [{}, {"name": "b", "long": true}],
    "single_beam": [{}], "sss": [{}], "fls": [{}], "msis": [{}]}"#;
const FIELD: &str = r#""fields": [{"along": [3, 0, 0], "force_n": 2, "box_m": [[-5, 2, -8], [5, 6, -6]]}]"#;

#[test]
fn every_stream_and_column_of_a_view_is_there() {
    let boat = |rest: &str| format!(r#""vehicles": [{STATION}, {{"name": "a", "model": "otter", {rest}}}]"#);
    let scenarios = [
        all_vehicles(),
        boat(&format!("{SENSORS}, {ROUTE}")),
        // Without a bottom, over a flat one, and over hills.
        format!(r#""terrain": {{"flat_z_m": -20}}, {}"#, boat(SENSORS)),
        format!(
            r#""terrain": {{"generated": {{"from_m": [-80, -80], "size_m": [160, 160], "cell_m": 4, "base_z_m": -30,
            "relief_m": 3}}}}, {}"#,
            boat(&format!("{SENSORS}, {ROUTE}"))
        ),
        // Layers and tables that a scenario asks for.
        format!(r#""water": {{{FIELD}}}, "trace": {{"particles": {{"count": 5}}, "forces": true}}, {}"#, boat(SENSORS)),
        format!(
            r#""water": {{{FIELD}, "sound_hz": [1000], "probes": [{{"name": "p", "x_m": 0, "y_m": 0, "z_m": -2}}]}},
            "beacons": [{{"name": "b", "x_m": 0, "y_m": 9, "z_m": -2}}], "trace": {{"sensors": false}}, {}"#,
            boat(r#""sensors": {"range": {}}"#)
        ),
        format!(r#""vehicles": [{STATION}]"#),
        // Pings beside the plan, and charts.
        format!(r#""terrain": {{"flat_z_m": -20}}, "sonar": {{}}, {}"#, boat(SONARS)),
    ];
    for members in scenarios {
        assert_eq!(views::missing(&*model(&members)), [""; 0], "{members}");
    }
}

/// What a sensor reads is plotted if its table is written, and only then.
#[test]
fn readings_are_plotted_where_a_run_has_them() {
    let plotted = |trace: &str| {
        let members = format!(r#"{trace}"vehicles": [{{"name": "a", "model": "otter", {SENSORS}}}]"#);
        model(&members).view().plots.into_iter().filter_map(|plot| plot.readings).collect::<Vec<_>>()
    };
    assert_eq!(plotted(""), ["imu", "imu", "dvl", "pressure", "gnss", "battery"]);
    assert_eq!(plotted(r#""trace": {"sensors": false}, "#), [""; 0]);
}

/// More vehicles than the panel lists by name.
#[test]
fn a_view_of_many_vehicles_names_what_is_there() {
    let station =
        |number: usize| format!(r#"{{"name": "s{number}", "model": "station", "start": {{"x_m": {}}}}}"#, 2 * number);
    let stations = (0..40).map(station).collect::<Vec<_>>().join(", ");
    assert_eq!(views::missing(&*model(&format!("\"vehicles\": [{stations}]"))), [""; 0]);
}
