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
            of_model!(
                "remus100",
                r#""sensors": {"imu": {"device": "adis16448", "gyro": {"noise_std": 0.1, "every_ms": 20}, "accelerometer": {"every_ms": 40}}}"#
            ),
            "vehicles[0].sensors.imu.gyro: means nothing beside the device adis16448, which has its own",
        ),
        (
            of_model!(
                "remus100",
                r#""sensors": {"dvl": {"device": "pathfinder", "beam_angle_deg": 20, "water_layer_m": [20, 50], "ranges": {"delay_ms": 40, "every_ms": 200}}}"#
            ),
            "vehicles[0].sensors.dvl.beam_angle_deg: means nothing beside the device pathfinder, which has its own\nvehicles[0].sensors.dvl.water_layer_m: is [20.0, 50.0], that of the device pathfinder is [20.0, 60.0]",
        ),
        (of_model!("remus100", r#""sensors": {"dvl": {"device": "pathfinder", "water_layer_m": [20, 60]}}"#), ""),
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
            r#""vehicles": [{"name": "a", "model": "buoy"}, {"name": "b", "model": "buoy", "start": {"x_m": 5}},
                {"name": "a", "model": "otter", "start": {"x_m": 9}}]"#,
            r#"vehicles[2].name: is "a", the name of vehicles[0] too"#,
        ),
        (
            of_model!("remus100", r#""parameters": {"motion": {"rigid": {"body": {"mass_kg": -3}}}}"#),
            "vehicles[0].parameters.motion.rigid.body.mass_kg: is -3, must be a number of at least 0 or null",
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
            "vehicles[0].actuators.front_right.response.watchdog_hz: is -2, must be a number of at least 0 Hz or null",
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
            concat!(
                r#""water": {"density_kg_m3": 997}, "#,
                of_model!(
                    "sam",
                    r#""sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 3, "speed": 0}]}}"#
                )
            ),
            "vehicles[0].driver.setpoints: needs the sensor dvl: a driver knows what sensors tell",
        ),
        (
            concat!(
                r#""water": {"density_kg_m3": 997}, "#,
                of_model!(
                    "sam",
                    r#""sensors": {"imu": {}, "altimeter": {}}, "driver": {"setpoints": {"list": [{"altitude_m": 3, "speed": 0}]}}"#
                )
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
                    r#""sensors": {"imu": {"gyro": {"every_ms": 1000}, "accelerometer": {"every_ms": 1000}, "attitude": {"every_ms": 1000}}, "pressure": {"sensing": {"every_ms": 1000}}}, "driver": {"setpoints": {"list": [{"depth_m": 3, "yaw_deg": 40}]}}"#
                )
            ),
            "warning: step_hz: is 1, too low for vehicles[0]: its driver decides once a step and swings below 10 decisions a second",
        ),
        (
            concat!(
                r#""step_hz": 10, "#,
                of_model!(
                    "bluerov2",
                    r#""sensors": {"imu": {"gyro": {"every_ms": 100}, "accelerometer": {"every_ms": 100}, "attitude": {"every_ms": 100}}, "pressure": {"sensing": {"every_ms": 100}}}, "driver": {"setpoints": {"list": [{"depth_m": 3, "yaw_deg": 40}]}}"#
                )
            ),
            "",
        ),
        (
            concat!(
                r#""step_hz": 12, "#,
                of_model!(
                    "quadrotor",
                    r#""sensors": {"imu": {"gyro": {"every_ms": 250}, "accelerometer": {"every_ms": 250}, "attitude": {"every_ms": 250}}, "gnss": {}}, "driver": {"hover": {"list": [{"z_m": 5}]}}"#
                )
            ),
            "warning: step_hz: is 12, too low for vehicles[0]: its driver decides once a step and swings below 20 decisions a second\nwarning: vehicles[0].sensors.gnss.sensing.every_ms: is 1000, too seldom for the driver hover: it swings or is lost where fixes come more than 60 ms apart",
        ),
        (
            of_model!(
                "quadrotor",
                r#""sensors": {"imu": {}, "gnss": {"sensing": {"every_ms": 60}}}, "driver": {"hover": {"list": [{"z_m": 5}]}}"#
            ),
            "",
        ),
    ]);
}

#[test]
fn sensors() {
    check(&[
        (
            of_model!("buoy", r#""sensors": {"mbes": [{}]}"#),
            "vehicles[0].sensors.mbes: hears nothing: the scenario has no terrain",
        ),
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
            r#""water": {"waves": {"kind": "pierson_moskowitz", "height_m": 0.5, "phase_deg": 3}}"#,
            "water.waves.height_m: means nothing to waves of the kind pierson_moskowitz\nwater.waves.phase_deg: means nothing to waves of the kind pierson_moskowitz",
        ),
        (
            r#""water": {"waves": {"period_s": 5, "depth_m": 9}}"#,
            "water.waves.period_s: means nothing to waves of the kind flat\nwater.waves.depth_m: means nothing to waves of the kind flat",
        ),
        (
            r#""water": {"waves": {"kind": "regular", "gamma": 2, "components": 3, "spreading_deg": 5}}"#,
            "water.waves.gamma: means nothing to waves of the kind regular\nwater.waves.components: means nothing to waves of the kind regular\nwater.waves.spreading_deg: means nothing to waves of the kind regular",
        ),
        (
            r#""water": {"waves": {"kind": "jonswap", "phase_deg": 0, "steepness": 0.5, "components": 9}}"#,
            "water.waves.phase_deg: means nothing to waves of the kind jonswap",
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
            r#""water": {"fields": [{"along": [0, 0, 0], "force_n": 3}]}"#,
            "water.fields[0].along: is [0, 0, 0], must be a direction",
        ),
        (
            r#""water": {"fields": [{"along": [1, 0, 0], "box_m": [[0, 0, 0], [1, -1, 1]], "force_n": 3}]}"#,
            "water.fields[0].box_m: is [0, -1], must run from the smaller to the larger",
        ),
        (
            r#""water": {"fields": [{"along": [1, 0, 0], "only_under_water": true, "only_above_water": true}]}"#,
            "warning: water.fields[0].only_above_water: is true beside only_under_water: the field pushes nothing",
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
            "script[0].at_s: stands alone: one of teleport, push_n_s, force, leak and control_source must be given",
        ),
        (
            r#""trace": {"particles": {}}, "water": {"fields": [{"along": [1, 0, 0], "force_n": 1}]}"#,
            "trace.particles: have no place: no field has a box_m, a sphere or a propeller with a reach",
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

/// SAM displaces 0.0151829 m^3 and weighs 12.012 + 2.7 + 0.3 kg and up to 0.25 l of water of 997 kg/m^3; the buoy displaces 0.113097 m^3, a
/// REMUS 0.0302431 m^3.
#[test]
fn depths_that_a_volume_cannot_hold() {
    check(&[
        (
            of_model!(
                "sam",
                r#""start": {"z_m": -2}, "sensors": {"imu": {}, "pressure": {}, "dvl": {}},
                "driver": {"setpoints": {"list": [{"depth_m": 0, "speed": 0}, {"at_s": 9, "depth_m": 5}]}}"#
            ),
            "vehicles[0].driver.setpoints.list[1].depth_m: is 5 at rest, where it can only rise: it weighs 15.012 to 15.261 kg, its volume carries 15.562 kg",
        ),
        (
            of_model!(
                "sam",
                r#""sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 5, "speed": 500}]}}"#
            ),
            "warning: vehicles[0].driver.setpoints.list[0].depth_m: is 5, which takes speed: at rest it can only rise; it weighs 15.012 to 15.261 kg, its volume carries 15.562 kg",
        ),
        (
            concat!(
                r#""water": {"density_kg_m3": 997}, "#,
                of_model!(
                    "sam",
                    r#""sensors": {"imu": {}, "pressure": {}, "dvl": {}},
                    "driver": {"setpoints": {"list": [{"depth_m": 5, "speed": 0}]}}"#
                )
            ),
            "",
        ),
        (
            concat!(
                r#""water": {"density_kg_m3": 997}, "#,
                of_model!(
                    "remus100",
                    r#""start": {"z_m": -5}, "sensors": {"imu": {}, "gnss": {}, "pressure": {}},
                    "driver": {"waypoints": {"points": [{"x_m": 9, "y_m": 0, "depth_m": 4}], "speed": 0}}"#
                )
            ),
            "vehicles[0].driver.waypoints.points[0].depth_m: is 4 at rest, where it can only sink: it weighs 31.029 kg, its volume carries 30.152 kg",
        ),
        // What turns from the start on is not at rest.
        (
            concat!(
                r#""water": {"density_kg_m3": 997}, "#,
                of_model!(
                    "remus100",
                    r#""start": {"z_m": -5, "commands": {"propeller": 1000}}, "sensors": {"imu": {}, "pressure": {}},
                    "driver": {"setpoints": {"list": [{"depth_m": 4}]}}"#
                )
            ),
            "warning: vehicles[0].driver.setpoints.list[0].depth_m: is 4, which takes speed: at rest it can only sink; it weighs 31.029 kg, its volume carries 30.152 kg",
        ),
    ]);
}

/// The upward thrusters of a BlueROV give 4 x 30.4 N, which carry 12.4 kg more than its 0.0134 m^3.
#[test]
fn depths_that_thrusters_cannot_hold() {
    check(&[
        (
            of_model!(
                "bluerov2",
                r#""start": {"z_m": -2}, "sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 5}]}},
                "parameters": {"motion": {"rigid": {"body": {"mass_kg": 27}}}}"#
            ),
            "vehicles[0].driver.setpoints.list[0].depth_m: is 5 at rest, where it can only sink: it weighs 27 kg, its volume carries 13.735 kg",
        ),
        (
            of_model!(
                "bluerov2",
                r#""start": {"z_m": -2}, "sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [{"depth_m": 5}]}},
                "parameters": {"motion": {"rigid": {"body": {"mass_kg": 25}}}}"#
            ),
            "",
        ),
    ]);
}

#[test]
fn volumes_that_cannot_float() {
    check(&[
        (
            of_model!("buoy", r#""parameters": {"motion": {"rigid": {"body": {"mass_kg": 500}}}}"#),
            "vehicles[0].start.z_m: is 0, at the surface, where it cannot float: it weighs 500 kg, its volume carries 115.925 kg",
        ),
        // Below the surface it may sink.
        (
            of_model!(
                "buoy",
                r#""start": {"z_m": -1}, "parameters": {"motion": {"rigid": {"body": {"mass_kg": 500}}}}"#
            ),
            "",
        ),
        (
            of_model!("custom", r#""parameters": {"motion": {"rigid": {"body": {"mass_kg": 300}}}}"#),
            "warning: vehicles[0].start.z_m: is 0, at the surface, where it sinks at rest: it weighs 300 kg, its volume carries 30.75 kg",
        ),
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"buoyancy": {"submerged": {"volume_m3": 0, "center_m": [0, 0, 0]}}}}}}"#
            ),
            "warning: vehicles[0].start.z_m: is 0, at the surface, where it sinks at rest: it weighs 30 kg, its volume carries 0 kg",
        ),
    ]);
}

/// Custom: 40 kg forward with its added mass. Otter: 2743.37 N m/rad on 21.517 + 80 (0.1531^2 + 0.2469^2) + 17.213 = 45.482 kg m^2 in pitch
/// are 7.7665 rad/s, faster than 7541.4 N/m on 135 kg in heave; a part is 1/150 of a period. A part of damping is 0.5.
#[test]
fn steps_that_are_too_long() {
    // Surge couples with pitch by 0.5 - 0.6 kg m: the first number is 0.02 s * (64990 + 0) / (40 - 0.1^2 / 5.012).
    check(&[
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"damping": {"linear": [64990, 20, 25, 1, 4, 4]}}}}}"#
            ),
            "warning: step_hz: is 50, too low for vehicles[0]: damping times a step (lambda dt) is 32.497 at its start, which takes 65 parts; from 65 on it takes 50 or fewer",
        ),
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"damping": {"linear": [5999900, 20, 25, 1, 4, 4]}}}}}"#
            ),
            "step_hz: is 50, too low for vehicles[0]: damping times a step (lambda dt) is 3000.100 at its start, which takes 6001 parts, at most 1000 are possible; from 301 on it takes 1000 or fewer",
        ),
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"damping": {"linear": [999990000, 20, 25, 1, 4, 4]}}}}}"#
            ),
            "step_hz: is 50, too low for vehicles[0]: damping times a step (lambda dt) is 500019.941 at its start, which takes 1000040 parts, at most 1000 are possible; no step_hz up to 10000 is enough",
        ),
        (
            r#""step_hz": 1, "vehicles": [{"name": "a", "model": "otter"}]"#,
            "warning: step_hz: is 1, too low for vehicles[0]: its free oscillation times a step (omega dt) is 7.766 at its start, which takes 186 parts; from 4 on it takes 50 or fewer",
        ),
        (r#""step_hz": 4, "vehicles": [{"name": "a", "model": "otter"}]"#, ""),
    ]);
}

#[test]
fn numbers_below_motion_have_limits() {
    check(&[
        (
            of_model!("custom", r#""parameters": {"motion": {"rigid": {"body": {"mass_kg": 0}}}}"#),
            "vehicles[0].parameters.motion.rigid.body.mass_kg: is 0, must be above 0",
        ),
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"center_of_gravity_m": [0, 1001, 0]}}}}"#
            ),
            "vehicles[0].parameters.motion.rigid.body.center_of_gravity_m[1]: is 1001, must be a number from -1000 to 1000 m",
        ),
        (
            of_model!("torpedo", r#""parameters": {"motion": {"torpedo": {"time_constants_s": [20, -1, 20]}}}"#),
            "vehicles[0].parameters.motion.torpedo.time_constants_s[1]: is -1, must be a number of at least 0 s",
        ),
        (
            of_model!("evolo", r#""parameters": {"motion": {"hydrofoil": {"roll_max_rad": 1.6}}}"#),
            "vehicles[0].parameters.motion.hydrofoil.roll_max_rad: is 1.6, must be a number from 0 to 1.5 rad or null",
        ),
    ]);
}

/// A level bottom of 100 x 100 m at a depth of 10 m.
#[test]
fn goals_below_the_bottom_and_beyond_it_are_warned_of() {
    let with = |vehicle: &str| {
        format!(
            r#""terrain": {{"heights": {{"from_m": [0, 0], "cell_m": 100, "columns": 2, "z_m": [-10, -10, -10, -10]}}}},
            "vehicles": [{{"name": "a", "start": {{"x_m": 50, "y_m": 50, "z_m": -2, "u_m_s": 1}}, {vehicle}}}]"#
        )
    };
    let route = |model: &str| {
        with(&format!(
            r#""model": "{model}", "sensors": {{"imu": {{}}, "pressure": {{}}, "dvl": {{}}, "gnss": {{}}}}, "driver": {{"waypoints":
                {{"speed": 100, "points": [{{"x_m": 20, "y_m": 30, "depth_m": 9}}, {{"x_m": 20, "y_m": 40, "depth_m": 11}},
                    {{"x_m": 101, "y_m": 30}}]}}}}"#
        ))
    };
    let beyond = "warning: vehicles[0].driver.waypoints.points[2]: is at [101, 30], beyond the bottom, which ends at [0, 0] and \
        [100, 100]";
    let below = "warning: vehicles[0].driver.waypoints.points[1]: is 11 m deep, where the bottom is at -10.00 m";
    let setpoints = with(
        r#""model": "remus100", "sensors": {"imu": {}, "pressure": {}}, "driver": {"setpoints": {"list": [
            {"depth_m": 9, "yaw_deg": 0, "speed": 1000}, {"at_s": 9, "depth_m": 10.5}]}}"#,
    );
    let deepest = "warning: vehicles[0].driver.setpoints.list[1].depth_m: is 10.5, below the bottom, which is at -10.00 m where it is \
        deepest";
    check(&[
        (&*route("remus100"), &*format!("{below}\n{beyond}")),
        // A boat goes by its place alone.
        (&*route("otter").replace(r#""z_m": -2, "#, ""), beyond),
        (&*setpoints, deepest),
    ]);
}

#[test]
fn bodies_that_cannot_be() {
    check(&[
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"added_mass": [[10, 0, 0, 0, 0.7, 0], [0, 25, 0, -0.5, 0, 0],
                    [0, 0, 30, 0, 0, 0], [0, -0.5, 0, 0.5, 0, 0], [0.5, 0, 0, 0, 2, 0], [0, 0, 0, 0, 0, 2]]}}}}"#
            ),
            "vehicles[0].parameters.motion.rigid.body.added_mass: is not symmetric: row 5, column 1 is 0.5, its mirror image 0.7",
        ),
        // The block [[10, 60], [60, 10]] has the eigenvalues 70 and -50.
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"added_mass": [[10, 60, 0, 0, 0, 0], [60, 10, 0, 0, 0, 0],
                    [0, 0, 30, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 2, 0], [0, 0, 0, 0, 0, 2]]}}}}"#
            ),
            "vehicles[0].parameters.motion.rigid.body.added_mass: has the eigenvalue -50.0: none may be below zero",
        ),
        (
            of_model!(
                "custom",
                r#""parameters": {"motion": {"rigid": {"body": {"center_of_gravity_m": [0, 0, -0.2]}}}}"#
            ),
            "warning: vehicles[0].parameters.motion.rigid.body.center_of_gravity_m: is [0.0, 0.0, -0.2], outside of a hull of 1 x 0.4 x 0.3 m around the origin",
        ),
        (
            of_model!("custom", r#""parameters": {"size_m": [1000000000, 0.4, 0.3]}"#),
            "vehicles[0].parameters.size_m[0]: is 1000000000, must be a number from 0.002 to 2000 m",
        ),
        (
            of_model!("custom", r#""parameters": {"size_m": [300, 250, 201]}"#),
            "vehicles[0].parameters.size_m: is [300.0, 250.0, 201.0], which makes no hull: its radius must be from 0.001 to 100 m, its axis within 1000 m of the origin",
        ),
        (
            of_model!("custom", r#""parameters": {"hull": [{"ends_m": [[0, 0, 0], [1001, 0, 0]], "radius_m": 0.3}]}"#),
            "vehicles[0].parameters.hull[0].ends_m[1][0]: is 1001, must be a number from -1000 to 1000 m",
        ),
        (
            of_model!("custom", r#""parameters": {"hull": [{"ends_m": [[0, 0, 0], [1, 0, 0]], "radius_m": 200}]}"#),
            "vehicles[0].parameters.hull[0].radius_m: is 200, must be a number from 0.001 to 100 m",
        ),
    ]);
}

#[test]
fn sensors_that_cannot_measure_so() {
    check(&[
        (
            of_model!("buoy", r#""sensors": {"dvl": {"azimuths_deg": [0, 180, 0, 180]}}"#),
            "vehicles[0].sensors.dvl.azimuths_deg: leave all beams in one plane, across which they tell no velocity",
        ),
        (of_model!("buoy", r#""sensors": {"dvl": {"azimuths_deg": [0, 180, 90, 180]}, "leak": {}}"#), ""),
        (
            of_model!("buoy", r#""sensors": {"compass": {"sensing": {"every_ms": 5}}, "leak": {"every_ms": 143}}"#),
            "warning: vehicles[0].sensors.compass.sensing.every_ms: is 5, no whole number of steps of 20 ms: it measures every 20 ms\nwarning: vehicles[0].sensors.leak.every_ms: is 143, no whole number of steps of 20 ms: it measures every 140 ms",
        ),
        (
            concat!(r#""step_hz": 60, "#, of_model!("buoy", r#""sensors": {"gnss": {"sensing": {"every_ms": 40}}}"#)),
            "warning: vehicles[0].sensors.gnss.sensing.every_ms: is 40, no whole number of steps of 16.667 ms: it measures every 33.333 ms",
        ),
    ]);
}

#[test]
fn starts_in_each_other_and_in_the_bottom() {
    check(&[
        (
            r#""vehicles": [{"name": "a", "model": "buoy"}, {"name": "b", "model": "buoy"}]"#,
            "vehicles[1].start: puts b 0.000 m from a (vehicles[0]): their hulls overlap by 0.600 m",
        ),
        // Two spheres of 0.3 m.
        (
            r#""vehicles": [{"name": "a", "model": "buoy"}, {"name": "c", "model": "buoy", "start": {"x_m": 9}},
                {"name": "b", "model": "buoy", "start": {"x_m": 0.3, "y_m": 0.4}}]"#,
            "vehicles[2].start: puts b 0.500 m from a (vehicles[0]): their hulls overlap by 0.100 m",
        ),
        (r#""vehicles": [{"name": "a", "model": "buoy"}, {"name": "b", "model": "buoy", "start": {"x_m": 0.61}}]"#, ""),
        // The buoy's origin is above the bottom, its lowest point 0.15 m below.
        (
            r#""terrain": {"flat_z_m": -5}, "vehicles": [{"name": "a", "model": "buoy"}],
            "script": [{"at_s": 1, "vehicle": "a", "teleport": {"z_m": -4.85}}]"#,
            "script[0].teleport.z_m: is -4.85, where the hull is 0.150 m deep in the bottom",
        ),
        // Evolo at rest has its origin 0.4 m above the water, wherever it is put, and a hull of 0.8 m below that.
        (
            r#""terrain": {"flat_z_m": 0.2}, "vehicles": [{"name": "a", "model": "evolo", "start": {"z_m": 3}}]"#,
            "vehicles[0].start.z_m: is 3, where the hull on the water is 0.200 m deep in the bottom",
        ),
        (r#""terrain": {"flat_z_m": -0.1}, "vehicles": [{"name": "a", "model": "evolo"}]"#, ""),
        // Neither of two stations moves.
        (r#""vehicles": [{"name": "a", "model": "station"}, {"name": "b", "model": "station"}]"#, ""),
        (
            r#""terrain": {"flat_z_m": -5}, "vehicles": [{"name": "a", "model": "buoy", "start": {"z_m": -4.9}}]"#,
            "vehicles[0].start.z_m: is -4.9, where the hull is 0.200 m deep in the bottom",
        ),
        (r#""terrain": {"flat_z_m": -5}, "vehicles": [{"name": "a", "model": "buoy", "start": {"z_m": -4.7}}]"#, ""),
    ]);
}

#[test]
fn vehicles_have_a_limit() {
    let list: Vec<String> = (0..10_001).map(|n| format!(r#"{{"name": "v{n}", "model": "buoy"}}"#)).collect();
    check(&[(
        &format!(r#""vehicles": [{}]"#, list.join(", ")),
        "vehicles: is a list of 10001, must be a list of 1 to 10000 objects { ... }",
    )]);
}

#[test]
fn origins() {
    check_beside_a_buoy(&[
        (
            r#""origin": {"lat_deg": 59, "utm": {"zone": 33, "hemisphere": "north", "easting_m": 649947, "northing_m": 6521968}}"#,
            "origin.utm: cannot be given beside lat_deg: the origin is one place",
        ),
        (
            r#""origin": {"utm": {"zone": 33, "hemisphere": "north", "easting_m": 649947}}"#,
            "origin.utm.northing_m: is missing; must be a number from 0 to 10000000 m",
        ),
        // Asko by the grid of the neighbouring zone.
        (
            r#""origin": {"frame": "grid", "utm": {"zone": 34, "hemisphere": "north", "easting_m": 303000, "northing_m": 6525000}}"#,
            "origin.utm.zone: is 34, the place lies in zone 33",
        ),
    ]);
}

/// A buoy with these multibeams over a bottom.
macro_rules! of_mbes {
    ($list:literal) => {
        concat!(
            r#""terrain": {"flat_z_m": -20}, "vehicles": [{"name": "a", "model": "buoy", "sensors": {"mbes": "#,
            $list,
            "}}]"
        )
    };
}

#[test]
fn keys_of_multibeams() {
    check(&[
        (of_mbes!("[{}]"), ""),
        (of_mbes!("null"), ""),
        (of_mbes!("{}"), "vehicles[0].sensors.mbes: is an object, must be a list of 1 to 8 objects { ... } or null"),
        (
            of_mbes!("[]"),
            "vehicles[0].sensors.mbes: is an empty list, must be a list of 1 to 8 objects { ... } or null",
        ),
        (of_mbes!(r#"[{"beems": 3}]"#), r#"vehicles[0].sensors.mbes[0].beems: unknown key; did you mean "beams"?"#),
        (
            of_mbes!(r#"[{"beams": 0}]"#),
            "vehicles[0].sensors.mbes[0].beams: is 0, must be a whole number from 1 to 10000",
        ),
        (
            of_mbes!(r#"[{"opening_deg": 400}]"#),
            "vehicles[0].sensors.mbes[0].opening_deg: is 400, must be a number from 0 to 180 °",
        ),
        (
            of_mbes!(r#"[{"range_m": 0}]"#),
            "vehicles[0].sensors.mbes[0].range_m: is 0, must be a number from 0.01 to 100000 m",
        ),
        (
            of_mbes!(r#"[{"mode": "loud"}]"#),
            r#"vehicles[0].sensors.mbes[0].mode: is "loud", must be one of "rays", "acoustic""#,
        ),
        (
            of_mbes!(r#"[{"rays_per_beam": 1.5}]"#),
            "vehicles[0].sensors.mbes[0].rays_per_beam: is 1.5, must be a whole number from 1 to 1000",
        ),
        (
            of_mbes!(r#"[{"sensing": {"every_ms": 0}}]"#),
            "vehicles[0].sensors.mbes[0].sensing.every_ms: is 0, must be a whole number from 1 to 1000000 ms",
        ),
    ]);
}

#[test]
fn values_of_multibeams() {
    check(&[
        (
            of_mbes!(r#"[{"name": "down-1"}]"#),
            r#"vehicles[0].sensors.mbes[0].name: is "down-1", must have no hyphen: its table is mbes-VEHICLE-NAME.csv"#,
        ),
        (
            of_mbes!(r#"[{}, {"name": "side"}, {}]"#),
            r#"vehicles[0].sensors.mbes[2].name: is "main", the name of mbes[0] too"#,
        ),
        (
            of_mbes!(r#"[{"mount": {"orientation_xyzw": [0, 0, 0, 0.5]}}]"#),
            "vehicles[0].sensors.mbes[0].mount.orientation_xyzw: is [0.0, 0.0, 0.0, 0.5], must be a quaternion (x, y, z, w) of length 1",
        ),
        (
            of_mbes!(r#"[{"beams": 2000, "rays_per_beam": 600}]"#),
            "vehicles[0].sensors.mbes[0].rays_per_beam: makes 1200000 rays in all, must be at most 1000000",
        ),
        (
            of_mbes!(r#"[{"beams": 2000, "rays_per_beam": 500}, {"name": "b", "beams": 2000, "rays_per_beam": 501}]"#),
            "vehicles[0].sensors.mbes[1].beams: makes 2002000 rays with the sonars before it, at most 2000000 are allowed",
        ),
        // 1 000 000 ms over 200 ms, and the one that is measured.
        (
            of_mbes!(r#"[{"beams": 2000, "sensing": {"delay_ms": 1000000}}]"#),
            "vehicles[0].sensors.mbes[0].sensing.delay_ms: makes 10002000 values under way with the sonars before it, at most 10000000 are allowed",
        ),
        (
            of_mbes!(r#"[{"beams": 2, "sensing": {"every_ms": 140, "range": [5, 2]}}]"#),
            "vehicles[0].sensors.mbes[0].sensing.range: is [5, 2], must run from the smaller to the larger",
        ),
        (
            of_mbes!(r#"[{"sensing": {"every_ms": 150}}]"#),
            "warning: vehicles[0].sensors.mbes[0].sensing.every_ms: is 150, no whole number of steps of 20 ms: it measures every 160 ms",
        ),
        // Mackenzie at 10 degrees and 35 psu, the default water, at the surface: 1489.8 m/s, so 134.2 ms over 200 m.
        (
            of_mbes!(r#"[{"sensing": {"every_ms": 100}}]"#),
            "warning: vehicles[0].sensors.mbes[0].sensing.every_ms: is 100, less than the 134 ms of sound over range_m 100 and back: the mode rays does not wait for it",
        ),
    ]);
}
