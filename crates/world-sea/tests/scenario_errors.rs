//! Wrong scenarios of the sea, each with the exact words that the user reads.
#![allow(clippy::unwrap_used, reason = "a test that cannot make its input fails")]

mod common;

use common::{WORLDS, text};
use sim_run::scenario;

/// What is said of a scenario with these members, a line each, without the name of the file and the place.
fn said_about(members: &str) -> Vec<String> {
    let items = match scenario::parse(WORLDS, &text(members), "a.json", &[]) {
        Ok(loaded) => loaded.warnings,
        Err(refused) => refused.items,
    };
    let plain = |item: String| item.splitn(3, ' ').skip(1).collect::<Vec<_>>().join(" ");
    items.iter().map(|item| plain(item.to_string())).collect()
}

fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (members, said) in cases {
        let found = said_about(members);
        if found != *said.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>() {
            wrong.push(format!("{members}\n   {found:#?}\n   {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A vehicle with these members beside name and model.
macro_rules! of_model {
    ($model:literal, $members:literal) => {
        concat!(r#""vehicles": [{"name": "a", "model": ""#, $model, r#"", "#, $members, "}]")
    };
}

#[test]
fn keys_and_values() {
    check(&[
        (r#""vehicles": [{"name": "a", "model": "buoy"}]"#, ""),
        ("\"seed\": 2", "vehicles: is missing; must be a list of 1 to 10000 objects { ... }"),
        (r#""vehicles": []"#, "vehicles: is an empty list, must be a list of 1 to 10000 objects { ... }"),
        (
            r#""vehicles": [{"model": "buoy"}]"#,
            "vehicles[0].name: is missing; must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
        ),
        (of_model!("remus100", r#""sensor": {}"#), r#"vehicles[0].sensor: unknown key; did you mean "sensors"?"#),
        (
            of_model!("buoy", r#""start": {"z_m": "deep"}"#),
            r#"vehicles[0].start.z_m: is "deep", must be a number from -12000 to 12000 m"#,
        ),
        (
            of_model!("remus100", r#""watchdog_s": -1"#),
            "vehicles[0].watchdog_s: is -1, must be a number from 0.001 to 1000000 s or null",
        ),
        (
            of_model!("remus100", r#""sensors": {"imu": {"device": "adis"}}"#),
            r#"vehicles[0].sensors.imu.device: is "adis", must be one of "perfect", "adis16448", "sparton_m2""#,
        ),
        (
            of_model!("remus100", r#""sensors": {"dvl": {"azimuths_deg": [45, 135]}}"#),
            "vehicles[0].sensors.dvl.azimuths_deg: is a list of 2, must be a list of 4 numbers from -360 to 360 °",
        ),
    ]);
}

#[test]
fn vehicles() {
    check(&[
        (
            r#""vehicles": [{"name": "a", "model": "remus"}]"#,
            r#"vehicles[0].model: is "remus", which is no model; did you mean "remus100"?"#,
        ),
        (
            r#""vehicles": [{"name": "a", "model": "zeppelin"}]"#,
            "vehicles[0].model: is \"zeppelin\", which is no model; known are bluerov2, buoy, custom, evolo, lolo, otter, quadrotor, remus100, sam, sam_kth, station, torpedo, and files that end in .json",
        ),
        (
            r#""vehicles": [{"name": "a", "model": "buoy"}, {"name": "b", "model": "buoy"}, {"name": "a", "model": "otter"}]"#,
            r#"vehicles[2].name: is "a", the name of vehicles[0] too"#,
        ),
        (
            of_model!("remus100", r#""parameters": {"motion": {"rigid": {"body": {"mass_kg": -3}}}}"#),
            "vehicles[0].parameters: body.mass_kg is -3, must be above 0",
        ),
        (
            of_model!("remus100", r#""parameters": {"motion": {"rigid": {"body": {"mass": 3}}}}"#),
            "vehicles[0].parameters.motion.rigid.body.mass: unknown key; did you mean \"mass_kg\"?",
        ),
        (
            of_model!("remus100", r#""actuators": {"ruder": {}}"#),
            r#"vehicles[0].actuators.ruder: is "ruder", the name of no actuator; it has rudder, stern, propeller; did you mean "rudder"?"#,
        ),
        (
            of_model!("bluerov2", r#""actuators": {"front_right": {"response": {"watchdog_hz": -2}}}"#),
            "vehicles[0].parameters: actuator.response.watchdog_hz is -2, must be above 0",
        ),
        (
            of_model!("remus100", r#""start": {"commands": {"propeller": 2000}}"#),
            "vehicles[0].start.commands.propeller: is 2000, propeller goes from -1525 to 1525 rpm",
        ),
        (
            of_model!("remus100", r#""start": {"hover": true}"#),
            "vehicles[0].start.hover: cannot be: the vehicle has no propellers that could carry it so",
        ),
        // 2128.77 rpm over the cosine of 89 degrees.
        (
            of_model!("quadrotor", r#""start": {"hover": true, "roll_deg": 89}"#),
            "vehicles[0].start.hover: is 121975.72911505902, front goes from 0 to 20000 rpm",
        ),
        (of_model!("inline", r#""start": {}"#), "vehicles[0].parameters: is refused: missing field `about`"),
        (
            r#""terrain": {"flat_z_m": -5}, "vehicles": [{"name": "a", "model": "buoy", "start": {"z_m": -6}}]"#,
            "vehicles[0].start.z_m: is -6, below the bottom, which is at -5.00 m there",
        ),
        (
            r#""terrain": {"generated": {"from_m": [0, 0], "size_m": [10, 10], "cell_m": 1}}, "vehicles": [{"name": "a", "model": "buoy", "start": {"x_m": 11}}]"#,
            "vehicles[0].start.x_m: is 11 with y_m 0, beyond the bottom, which ends at [0, 0] and [10, 10]",
        ),
    ]);
}

#[test]
fn starts_of_hydrofoils() {
    check(&[
        (
            r#""vehicles": [{"name": "a", "model": "evolo", "start": {"v_m_s": 1}}]"#,
            "vehicles[0].start.v_m_s: cannot be: a hydrofoil moves by rules that give it no value but 0",
        ),
        (
            r#""vehicles": [{"name": "a", "model": "evolo", "start": {"u_m_s": 7}}]"#,
            "vehicles[0].start.u_m_s: is 7, it goes from -1.543 to 6.688 m/s",
        ),
        (
            r#""vehicles": [{"name": "a", "model": "evolo", "start": {"u_m_s": 5, "roll_deg": 14}}]"#,
            "vehicles[0].start.roll_deg: is 14, at this speed it rolls up to 13.0 deg to either side",
        ),
    ]);
}

#[test]
fn drivers() {
    check(&[
        (
            of_model!("remus100", r#""driver": {"commands": [{"at_s": 0, "actuator": "rudr", "value": 0}]}"#),
            r#"vehicles[0].driver.commands[0].actuator: is "rudr", the name of no actuator; it has rudder, stern, propeller; did you mean "rudder"?"#,
        ),
        (
            of_model!("remus100", r#""driver": {"commands": [{"at_s": 0, "actuator": "rudder", "value": 1}]}"#),
            "vehicles[0].driver.commands[0].value: is 1, rudder goes from -0.2617993877991494 to 0.2617993877991494 rad",
        ),
        (
            of_model!(
                "remus100",
                r#""driver": {"commands": [{"at_s": 0, "actuator": "rudder", "value": 0}], "setpoints": {"list": [{}]}}"#
            ),
            "vehicles[0].driver.setpoints: cannot be given beside commands: a vehicle has one driver",
        ),
        (
            of_model!("remus100", r#""driver": {"setpoints": {"list": [{"depth_m": 3}]}}"#),
            "vehicles[0].driver.setpoints: needs the sensor imu: a driver knows what sensors tell\nvehicles[0].driver.setpoints: needs the sensor pressure: a driver knows what sensors tell",
        ),
        (
            of_model!(
                "sam",
                r#""sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 3, "speed": 0}]}}"#
            ),
            "vehicles[0].driver.setpoints: needs the sensor dvl: a driver knows what sensors tell",
        ),
        (
            of_model!(
                "sam",
                r#""sensors": {"imu": {}, "altimeter": {}}, "driver": {"setpoints": {"list": [{"altitude_m": 3, "speed": 0}]}}"#
            ),
            "vehicles[0].driver.setpoints: needs the sensor dvl: a driver knows what sensors tell",
        ),
        // At the end of its route SAM holds its depth by ballast, which takes a velocity.
        (
            of_model!(
                "sam",
                r#""sensors": {"imu": {}, "gnss": {}, "pressure": {}}, "driver": {"waypoints": {"points": [{"x_m": 50, "y_m": 0}], "speed": 500}}"#
            ),
            "vehicles[0].driver.waypoints: needs the sensor dvl: a driver knows what sensors tell",
        ),
        (
            of_model!(
                "sam",
                r#""sensors": {"imu": {}, "gnss": {}, "pressure": {}}, "driver": {"waypoints": {"points": [{"x_m": 50, "y_m": 0}, {"x_m": 0, "y_m": 50}], "speed": 500, "closed": true}}"#
            ),
            "",
        ),
    ]);
}

#[test]
fn plans_of_drivers() {
    check(&[
        (
            of_model!(
                "otter",
                r#""sensors": {"imu": {}}, "driver": {"setpoints": {"list": [{"yaw_deg": 3}, {"depth_m": 3}]}}"#
            ),
            "vehicles[0].driver.setpoints.list[1].depth_m: means nothing to this vehicle: its driver has no actuators for depth or altitude",
        ),
        (
            of_model!(
                "otter",
                r#""sensors": {"imu": {}, "gnss": {}}, "driver": {"waypoints": {"points": [{"x_m": 50, "y_m": 0}], "speed": 50, "closed": true}}"#
            ),
            "vehicles[0].driver.waypoints: route.waypoints all lie within the radius of the first: a loop must lead away from it",
        ),
        // An Otter never reads the altitude of a waypoint.
        (
            of_model!(
                "otter",
                r#""sensors": {"imu": {}, "gnss": {}}, "driver": {"waypoints": {"points": [{"x_m": 50, "y_m": 0, "altitude_m": 5}], "speed": 50}}"#
            ),
            "",
        ),
        (
            of_model!("buoy", r#""driver": {"setpoints": {"list": [{"yaw_deg": 3}]}}"#),
            "vehicles[0].driver.setpoints: cannot steer this vehicle: it needs a rudder with stern planes, a nozzle, two equal propellers side by side (left and right, with quadratic thrust), eight thrusters, or the rules of a hydrofoil",
        ),
        (
            of_model!(
                "otter",
                r#""sensors": {"imu": {}}, "driver": {"setpoints": {"list": [{"at_s": 5}, {"at_s": 4}]}}"#
            ),
            "vehicles[0].driver.setpoints.list[1].at_s: is 4, must not be before 5 of the one before",
        ),
        (
            of_model!(
                "remus100",
                r#""sensors": {"imu": {}, "pressure": {}, "dvl": {}}, "driver": {"setpoints": {"list": [{"depth_m": 3, "altitude_m": 4}]}}"#
            ),
            "vehicles[0].driver.setpoints.list[0].altitude_m: cannot be given beside depth_m",
        ),
        (
            of_model!(
                "otter",
                r#""sensors": {"imu": {}}, "driver": {"waypoints": {"points": [{"x_m": 5, "y_m": 0}], "speed": 50}}"#
            ),
            "vehicles[0].driver.waypoints: needs the sensor gnss or dvl: a driver knows what sensors tell",
        ),
        (
            of_model!("otter", r#""sensors": {"imu": {}, "gnss": {}}, "driver": {"hover": {"list": [{}]}}"#),
            "vehicles[0].driver.hover: needs the actuators front, right, back, left",
        ),
    ]);
}

#[test]
fn drivers_that_decide_too_seldom() {
    check(&[
        (
            concat!(
                r#""step_hz": 1, "#,
                of_model!(
                    "bluerov2",
                    r#""sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 3, "yaw_deg": 40}]}}"#
                )
            ),
            "warning: step_hz: is 1, too low for vehicles[0]: its driver decides once a step and swings below 10 decisions a second",
        ),
        (
            concat!(
                r#""step_hz": 10, "#,
                of_model!(
                    "bluerov2",
                    r#""sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 3, "yaw_deg": 40}]}}"#
                )
            ),
            "",
        ),
        (
            concat!(
                r#""step_hz": 12, "#,
                of_model!(
                    "quadrotor",
                    r#""sensors": {"imu": {}, "gnss": {}}, "driver": {"hover": {"list": [{"z_m": 5}]}}"#
                )
            ),
            "warning: step_hz: is 12, too low for vehicles[0]: its driver decides once a step and swings below 20 decisions a second",
        ),
    ]);
}

#[test]
fn sensors() {
    check(&[
        (
            of_model!("buoy", r#""sensors": {"range": {}}"#),
            "vehicles[0].sensors.range: hears nothing: the scenario has no beacons",
        ),
        (
            of_model!("buoy", r#""sensors": {"altimeter": {"direction": [0, 0, 0]}}"#),
            "vehicles[0].sensors.altimeter.direction: is [0, 0, 0], must be a direction",
        ),
        (
            of_model!("buoy", r#""sensors": {"imu": {"mount": {"orientation_xyzw": [1, 1, 0, 0]}}}"#),
            "vehicles[0].sensors.imu.mount.orientation_xyzw: is [1.0, 1.0, 0.0, 0.0], must be a quaternion (x, y, z, w) of length 1",
        ),
    ]);
}

const BUOY: &str = r#""vehicles": [{"name": "a", "model": "buoy"}]"#;

/// The same with a buoy beside it.
fn check_beside_a_buoy(cases: &[(&str, &str)]) {
    let cases: Vec<(String, &str)> = cases.iter().map(|(text, said)| (format!("{text}, {BUOY}"), *said)).collect();
    check(&cases.iter().map(|(text, said)| (text.as_str(), *said)).collect::<Vec<_>>());
}

#[test]
fn waves_and_currents() {
    check_beside_a_buoy(&[
        (
            r#""water": {"waves": {"kind": "regular", "height_m": 2, "period_s": 2}}"#,
            "water.waves.height_m: is 2: waves of 2 s are 6.25 m long here and break above 0.89 m",
        ),
        (
            r#""water": {"waves": {"kind": "regular", "height_m": 0.1, "period_s": 30, "depth_m": 4}}"#,
            "warning: water.waves.period_s: is 30, which makes waves of 187 m on water of 4 m: small waves are at most 25 depths long",
        ),
        // T = 30 s on 4 m of water: w^2 = g k tanh(k h) gives 187 m, whichever key says how deep it is.
        (
            r#""terrain": {"flat_z_m": -4}, "water": {"waves": {"kind": "regular", "height_m": 0.1, "period_s": 30}}"#,
            "warning: water.waves.period_s: is 30, which makes waves of 187 m on water of 4 m: small waves are at most 25 depths long",
        ),
        (
            r#""terrain": {"flat_z_m": -40}, "water": {"waves": {"kind": "regular", "height_m": 0.1, "period_s": 30}}"#,
            "",
        ),
        (
            r#""water": {"currents": [{}]}"#,
            "water.currents[0]: is empty: one of uniform_m_s, layers, grid, grid_file and gauss_markov",
        ),
        (
            r#""water": {"currents": [{"uniform_m_s": [0, 0, 0], "gauss_markov": {}}]}"#,
            "water.currents[0].gauss_markov: cannot be given beside uniform_m_s: write two currents, they add up",
        ),
        (
            r#""water": {"currents": [{"layers": [{"depth_m": 5, "velocity_m_s": [0, 0, 0]}, {"depth_m": 5, "velocity_m_s": [1, 0, 0]}]}]}"#,
            "water.currents[0].layers: depth_m is 5 after 5, must increase",
        ),
    ]);
}

#[test]
fn fields() {
    check_beside_a_buoy(&[
        (
            r#""water": {"fields": [{"force_n": 3}]}"#,
            "water.fields[0].force_n: has no direction: give along, towards, away_from or propeller",
        ),
        (
            r#""water": {"fields": [{"propeller": {"vehicle": "b", "actuator": "front"}}]}"#,
            "water.fields[0].propeller.vehicle: is \"b\", the name of no vehicle",
        ),
        (
            r#""water": {"fields": [{"propeller": {"vehicle": "a", "actuator": "front"}}]}"#,
            "water.fields[0].propeller.actuator: is \"front\", no propeller in rpm of a; it has none",
        ),
        (
            r#""water": {"fields": [{"force_n": 3, "propeller": {"vehicle": "a", "actuator": "front"}}]}"#,
            "water.fields[0].force_n: means nothing beside propeller, whose force is bounded by max_force_n\nwater.fields[0].propeller.actuator: is \"front\", no propeller in rpm of a; it has none",
        ),
    ]);
}

#[test]
fn terrain() {
    check_beside_a_buoy(&[
        (
            r#""terrain": {"flat_z_m": -5, "generated": {}}"#,
            "terrain.generated: cannot be given beside flat_z_m: there is one bottom",
        ),
        (
            r#""terrain": {"heights": {"from_m": [0, 0], "cell_m": 1, "columns": 3, "z_m": [0, 0, 0, 0]}}"#,
            "terrain.heights: rows is 1, must be 2 or more",
        ),
        (
            r#""contact": {"materials": [{"material": 3, "friction": 1}, {"material": 3}]}"#,
            "contact.materials: lists material 3 twice",
        ),
        (
            r#""terrain": {"heights": {"from_m": [0, 0], "cell_m": 1, "columns": 3, "z_m": [0, 0, 0, 0, 0, 0], "materials": [1, 2, 3]}}"#,
            "terrain.heights: materials has 3 entries, must have 1 or 2",
        ),
        (r#""terrain": {"cell_m": 2}"#, "terrain.cell_m: means nothing without file"),
        (r#""terrain": {"picture_at_m": [2, 3]}"#, "terrain.picture_at_m: means nothing without file"),
    ]);
}

#[test]
fn script() {
    check_beside_a_buoy(&[
        (
            r#""script": [{"at_s": 1, "vehicle": "aa", "leak": true}]"#,
            r#"script[0].vehicle: is "aa", the name of no vehicle; did you mean "a"?"#,
        ),
        (
            r#""script": [{"at_s": 1, "vehicle": "a"}]"#,
            "script[0].at_s: stands alone: one of teleport, push_n_s and leak must be given",
        ),
        (
            r#""terrain": {"flat_z_m": -5}, "script": [{"at_s": 1, "vehicle": "a", "teleport": {"z_m": -6}}]"#,
            "script[0].teleport.z_m: is -6, below the bottom, which is at -5.00 m there",
        ),
        (
            r#""terrain": {"generated": {"from_m": [-5, 0], "size_m": [10, 10], "cell_m": 1}}, "script": [{"at_s": 1, "vehicle": "a", "teleport": {"x_m": 6}}]"#,
            "script[0].teleport.x_m: is 6 with y_m 0, beyond the bottom, which ends at [-5, 0] and [5, 10]",
        ),
        (
            r#""script": [{"at_s": 1, "vehicle": "a", "teleport": {"commands": {"main": 3}}}]"#,
            "script[0].teleport.commands: means nothing here: a teleport changes place, attitude and velocity alone",
        ),
    ]);
}

#[test]
fn receivers_and_beacons_have_a_limit_together() {
    let list = |count: usize, of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<Vec<_>>().join(", ");
    let vehicles = list(101, &|n| format!(r#"{{"name": "v{n}", "model": "buoy", "sensors": {{"range": {{}}}}}}"#));
    let beacons = list(1000, &|n| format!(r#"{{"name": "b{n}", "x_m": 0, "y_m": 0, "z_m": 0}}"#));
    check(&[(
        &format!(r#""vehicles": [{vehicles}], "beacons": [{beacons}]"#),
        "beacons: make with 101 receivers 101000 distances, at most 100000 are allowed",
    )]);
}

/// Propellers in the middle turn nothing.
#[test]
fn two_propellers_steer_from_the_sides_only() {
    check(&[(
        of_model!(
            "otter",
            r#""sensors": {"imu": {}}, "driver": {"setpoints": {"list": [{"yaw_deg": 3}]}},
                "actuators": {"left": {"kind": {"propeller": {"position_m": [0, 0, 0]}}}}"#
        ),
        "vehicles[0].driver.setpoints: cannot steer this vehicle: it needs a rudder with stern planes, a nozzle, two equal propellers side by side (left and right, with quadratic thrust), eight thrusters, or the rules of a hydrofoil",
    )]);
}
