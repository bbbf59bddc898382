//! Drives, speeds and masses of joints: SAM's by the published lags, others by closed forms, and what no vehicle has a place for.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use sea_sim::actuator::{Actuator, ActuatorKind};
use sea_sim::urdf::{Components, Imported, Structure, import};
use sea_sim::vehicle::{MotionParams, RigidParams};

/// A base of 5 kg with one joint that carries a link `part`; `rest` stands inside the joint.
fn robot(kind: &str, rest: &str, part: &str) -> Structure {
    let base = r#"<inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>"#;
    Structure::from_urdf(&format!(
        r#"<robot name="r"><link name="base">{base}</link><link name="part">{part}</link>
        <joint name="j" type="{kind}"><parent link="base"/><child link="part"/>{rest}</joint></robot>"#
    ))
    .unwrap()
}

const PART: &str = r#"<inertial><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.3"/></inertial>"#;
const STOPS: &str = r#"<limit lower="-0.2" upper="0.2"/>"#;

fn components(keys: &str) -> Components {
    serde_json::from_str(&format!(r#"{{"size_m": [2, 1, 1], {keys}}}"#)).unwrap()
}

/// A drive of `part` along its joint's axis.
fn drive(x: &str) -> Components {
    components(&format!(r#""articulations": [{{"path": "base/part", "drives": {{"x": {{{x}}}}}}}]"#))
}

fn rigid(imported: &Imported) -> &RigidParams {
    let MotionParams::Rigid(rigid) = &imported.vehicle.motion else { panic!("no rigid body") };
    rigid
}

fn actuator(imported: &Imported, name: &str) -> Actuator {
    let all = &rigid(imported).actuators;
    let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
    Actuator::new(all.iter().find(|it| it.name == name).unwrap(), &names).unwrap()
}

fn omitted(imported: &Imported) -> Vec<String> {
    imported.omitted.iter().map(|it| format!("{}: {}", it.component, it.what)).collect()
}

/// SAM's nozzle, battery and ballast in the URDF, and the drives of its prefab beside it.
const SAM: &str = r#"<robot name="sam">
    <link name="base_link"><inertial><origin xyz="-0.0075 0 -0.015"/><mass value="12.012"/>
        <inertia ixx="0.0293" iyy="1.6202" izz="1.6202"/></inertial></link>
    <link name="thruster_yaw_link"/>
    <joint name="thruster_yaw_joint" type="revolute"><origin xyz="-0.677 0 0"/><axis xyz="0 0 1"/>
        <parent link="base_link"/><child link="thruster_yaw_link"/><limit lower="-0.2" upper="0.2" effort="100" velocity="0"/></joint>
    <link name="battery_link"><inertial><origin xyz="0.12115 0 0"/><mass value="2.7"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial></link>
    <joint name="battery_joint" type="prismatic"><origin xyz="-0.08 0 0"/><axis xyz="1 0 0"/>
        <parent link="base_link"/><child link="battery_link"/><limit lower="0" upper="0.06"/></joint>
    <link name="vbs_link"/>
    <joint name="vbs_joint" type="prismatic"><origin xyz="-0.273 0 -0.0125"/><axis xyz="1 0 0"/>
        <parent link="base_link"/><child link="vbs_link"/><limit lower="0" upper="0.05"/></joint></robot>"#;

const SAM_COMPONENTS: &str = r#"
    "articulations": [
        {"path": "base_link/thruster_yaw_link", "drives": {"x": {"stiffness": 10000, "damping": 1000, "force_limit": 100,
            "lower": -0.12217304763960307, "upper": 0.12217304763960307, "type": "force"}}},
        {"path": "base_link/battery_link", "angular_damping_per_s": 0.05,
            "drives": {"x": {"stiffness": 1000, "damping": 500, "force_limit": 40, "lower": 0, "upper": 0.057}}},
        {"path": "base_link/vbs_link", "drives": {"x": {"stiffness": 2000, "damping": 6000, "lower": 0.006, "upper": 0.05}}}],
    "joints": [{"joint": "thruster_yaw_joint", "command_max_rad": 0.2}],
    "actuators": [{"mount": {"link": "vbs_link"}, "actuator": {"name": "vbs", "response": {"rest": 50}, "kind": {"ballast":
        {"piston_kg": 0.3, "water_m3": 0.00025, "water_density_kg_m3": 997, "radius_m": 0.0425,
         "position_m": [0, 0, 0], "travel_m": 0.044}}}}]"#;

/// Lags of 0.1, 0.5 and 3.0 s: the published percentages after a command from 50 to 100, and the hinge at its stop of 7 degrees.
#[test]
fn the_drives_of_sam_are_the_published_lags() {
    let found = import(&Structure::from_urdf(SAM).unwrap(), &components(SAM_COMPONENTS)).unwrap();
    let (battery, vbs) = (actuator(&found, "battery_joint"), actuator(&found, "vbs"));
    let of_battery = [(0.25, 69.6735), (0.5, 81.6060), (1.0, 93.2332), (2.0, 99.0842)];
    let of_vbs = [(1.0, 64.1734), (3.0, 81.6060), (6.0, 93.2332), (9.0, 97.5107), (12.0, 99.0842)];
    let rows = of_battery.map(|row| (&battery, row)).into_iter().chain(of_vbs.map(|row| (&vbs, row)));
    for (actuator, (time_s, percent)) in rows {
        let reached = actuator.advanced(50.0, 100.0, time_s);
        // A unit of the last printed digit.
        assert!((reached - percent).abs() < 1e-4, "{time_s}: {reached}");
    }
    let hinge = actuator(&found, "thruster_yaw_joint");
    assert!((hinge.advanced(0.0, 0.2, 60.0) - 0.122173).abs() < 5e-7);
    assert_eq!(hinge.advanced(0.0, 0.1, 60.0), 0.1);
    // From 0 to 0.1 in one lag of 0.1 s.
    assert!((hinge.advanced(0.0, 0.1, 0.1) - 0.1 * (1.0 - libm::exp(-1.0))).abs() < 1e-15);
    let battery = rigid(&found).actuators.iter().find(|it| it.name == "battery_joint").unwrap();
    let ActuatorKind::Slider(slider) = battery.kind else { panic!("no slider") };
    assert_eq!((slider.mass_kg, slider.travel_m), (2.7, 0.057));
    // The ballast stands where its link is at the drive's lower end.
    let vbs = rigid(&found).actuators.iter().find(|it| it.name == "vbs").unwrap();
    let ActuatorKind::Ballast(ballast) = vbs.kind else { panic!("no ballast") };
    assert!((ballast.position_m[0] - (-0.273 + 0.006)).abs() < 1e-15);
    assert_eq!(
        omitted(&found),
        [
            "articulation of thruster_yaw_link: force limit of drive x of 100",
            "articulation of battery_link: angular damping of 0.05",
            "articulation of battery_link: force limit of drive x of 40",
            "thruster_yaw_joint: a largest effort of 100",
        ]
    );
}

#[test]
fn articulations_go_to_json_and_back() {
    let whole = components(SAM_COMPONENTS);
    let text = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<Components>(&text).unwrap(), whole);
    let structure = Structure::from_urdf(SAM).unwrap();
    assert_eq!(serde_json::from_str::<Structure>(&serde_json::to_string(&structure).unwrap()).unwrap(), structure);
    let found = import(&structure, &whole).unwrap();
    assert_eq!(serde_json::from_str::<Imported>(&serde_json::to_string(&found).unwrap()).unwrap(), found);
}

/// Moments 0.5, 0.3, 0.6 turned by 45 degrees about up: their mean 0.4, and 0.1 beside the diagonal. 2 kg at 0.7 m join 5 kg at 0.
#[test]
fn masses_take_the_inertia_and_the_centre_of_the_articulation() {
    let keys = r#""articulations": [{"path": "part", "center_of_mass_m": [0.7, 0, 0],
        "inertia": {"moments_kg_m2": [0.5, 0.3, 0.6], "rpy_rad": [0, 0, 0.7853981633974483]}}]"#;
    let body = rigid(&import(&robot("fixed", "", PART), &components(keys)).unwrap()).body.clone();
    assert!((body.center_of_gravity_m[0] - 0.2).abs() < 1e-15);
    let steiner = 5.0 * 2.0 / 7.0 * 0.49;
    let expected = [[0.5, 0.1, 0.0], [0.1, 0.5 + steiner, 0.0], [0.0, 0.0, 0.7 + steiner]];
    for (found, expected) in body.inertia_kg_m2.as_flattened().iter().zip(expected.as_flattened()) {
        assert!((found - expected).abs() < 1e-14, "{:?}", body.inertia_kg_m2);
    }
    let bare = import(&robot("fixed", "", ""), &components(keys)).unwrap();
    assert_eq!(omitted(&bare), ["articulation of part: inertia and centre of mass of a link without a mass"]);
}

/// 0.2 rad at 0.5 rad/s with a lag of 0.1 s: straight for 0.3 s to 0.15 rad, then a lag. A slide of 0.1 m at 0.02 m/s: 20 percent a second.
#[test]
fn the_speed_of_a_joint_limits_its_actuator() {
    let with = |kind, limit: &str, lag_s: f64| {
        let keys = format!(r#""joints": [{{"joint": "j", "response": {{"time_constant_s": {lag_s}}}}}]"#);
        import(&robot(kind, limit, PART), &components(&keys)).unwrap()
    };
    let turn = r#"<limit lower="-0.2" upper="0.2" velocity="0.5"/>"#;
    let hinge = actuator(&with("revolute", turn, 0.1), "j");
    assert!((hinge.advanced(0.0, 0.2, 0.3) - 0.15).abs() < 1e-15);
    assert!((hinge.advanced(0.0, 0.2, 0.4) - (0.2 - 0.05 * libm::exp(-1.0))).abs() < 1e-15);
    let slide = r#"<limit lower="0" upper="0.1" velocity="0.02"/>"#;
    assert!((actuator(&with("prismatic", slide, 0.5), "j").advanced(0.0, 100.0, 1.0) - 20.0).abs() < 1e-12);
    assert_eq!(omitted(&with("revolute", turn, 0.0)), ["j: a largest speed, which needs a lag, of 0.5"]);
    let held = r#"<limit lower="-0.2" upper="0.2" velocity="0" effort="0"/><dynamics damping="3" friction="0.25"/>"#;
    assert_eq!(omitted(&with("revolute", held, 0.1)), ["j: damping of 3", "j: friction of 0.25"]);
    let follower =
        import(&robot("revolute", &format!(r#"{STOPS}<mimic joint="k" multiplier="-1"/>"#), PART), &drive(""));
    assert!(omitted(&follower.unwrap()).contains(&"j: motion with joint `k`".to_owned()));
}

/// The lag that a joint or an actuator says itself takes the place of the drive's.
#[test]
fn an_own_lag_counts_before_that_of_the_drive() {
    let keys = r#""articulations": [{"path": "part", "drives": {"x": {"stiffness": 10, "damping": 1}}}],
        "joints": [{"joint": "j", "response": {"time_constant_s": 2.5}}]"#;
    let found = import(&robot("revolute", STOPS, ""), &components(keys)).unwrap();
    assert_eq!(rigid(&found).actuators[0].response.time_constant_s, 2.5);
    let alone = import(&robot("revolute", STOPS, ""), &drive(r#""stiffness": 10, "damping": 1"#)).unwrap();
    assert_eq!(rigid(&alone).actuators[0].response.time_constant_s, 0.1);
    // A drive that is at its command at once, and one whose ends make a hinge of an endless joint.
    let target = drive(r#""type": "target", "lower": -0.5, "upper": 0.5"#);
    let hinge = actuator(&import(&robot("continuous", "", ""), &target).unwrap(), "j");
    assert_eq!(hinge.advanced(0.0, 0.7, 1e-9), 0.5);
}

#[test]
fn drives_without_an_actuator_are_named_and_the_joint_rests() {
    let push = r#""stiffness": 10, "damping": 1"#;
    let of = |kind: &str, rest: &str, components: &Components| {
        let found = import(&robot(kind, rest, PART), components).unwrap();
        assert!(rigid(&found).actuators.is_empty());
        assert_eq!(rigid(&found).body.mass_kg, 7.0);
        omitted(&found)
    };
    assert_eq!(of("fixed", "", &drive(push)), ["articulation of part: drive x: no joint moves the link"]);
    assert_eq!(
        of("revolute", STOPS, &drive(r#""damping": 1"#)),
        ["articulation of part: drive x without stiffness: it holds no command"]
    );
    assert_eq!(
        of("revolute", STOPS, &drive(r#""stiffness": 1, "type": "velocity""#)),
        ["articulation of part: drive x of a speed: actuators follow places and angles"]
    );
    assert_eq!(
        of("revolute", STOPS, &drive(&format!(r#"{push}, "upper": 0.3"#))),
        ["j: its drive: joint `j`: stops at -0.2 and 0.3 rad, a hinge stops at the same angle on either side"]
    );
    assert_eq!(
        of("continuous", "", &drive(push)),
        ["j: its drive: joint `j`: must turn or slide between stops to obey commands"]
    );
    let up = format!(r#"<axis xyz="0 0 1"/>{STOPS}"#);
    assert_eq!(
        of("prismatic", &up, &drive(push)),
        ["j: its drive: joint `j`: slides along [0, 0, 1], a mass slides along the forward axis only"]
    );
    let across = components(
        r#""articulations": [{"path": "part", "joint_friction": 0.5, "linear_damping_per_s": 2,
        "drives": {"y": {"stiffness": 1}, "z": {}}}]"#,
    );
    assert_eq!(
        of("revolute", STOPS, &across),
        [
            "articulation of part: linear damping of 2",
            "articulation of part: joint friction of 0.5",
            "articulation of part: drive y: a joint of a URDF has one axis",
            "articulation of part: drive z: a joint of a URDF has one axis",
        ]
    );
    let lost = import(&robot("fixed", "", PART), &components(r#""articulations": [{"path": "base/wing"}]"#)).unwrap();
    let disabled = &lost.disabled[0];
    assert_eq!(
        (disabled.component.as_str(), disabled.reason.as_str()),
        ("articulation of wing", "there is no link `wing`")
    );
}

#[test]
fn wrong_numbers_of_an_articulation_are_refused() {
    let refused = |keys: &str| {
        let keys = format!(r#""articulations": [{{"path": "part", {keys}}}]"#);
        import(&robot("revolute", STOPS, PART), &components(&keys)).unwrap_err().to_string()
    };
    let below = |what: &str| format!("articulation of part: {what} is -1, must not be below 0");
    assert_eq!(refused(r#""drives": {"x": {"stiffness": -1}}"#), below("drives.x.stiffness"));
    assert_eq!(refused(r#""drives": {"z": {"damping": -1}}"#), below("drives.z.damping"));
    assert_eq!(refused(r#""drives": {"y": {"force_limit": -1}}"#), below("drives.y.force_limit"));
    assert_eq!(refused(r#""linear_damping_per_s": -1"#), below("linear_damping_per_s"));
    assert_eq!(refused(r#""angular_damping_per_s": -1"#), below("angular_damping_per_s"));
    assert_eq!(refused(r#""joint_friction": -1"#), below("joint_friction"));
    assert_eq!(refused(r#""inertia": {"moments_kg_m2": [1, -1, 1]}"#), below("inertia.moments_kg_m2"));
    assert_eq!(
        refused(r#""drives": {"x": {"lower": 0.5}}"#),
        "articulation of part: drives.x: lower is 0.5, must not be above upper, 0.2"
    );
    let wrong = serde_json::from_str::<Components>(r#"{"articulations": [{"path": "a", "drive": {}}]}"#).unwrap_err();
    assert!(wrong.to_string().starts_with("unknown field `drive`"), "{wrong}");
    let limit = r#"<limit lower="0" upper="1" effort="-2"/>"#;
    let text = format!(
        "<robot><link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>{limit}</joint></robot>"
    );
    let told = Structure::from_urdf(&text).unwrap_err().to_string();
    assert_eq!(told, "line 2: joint `j`, limit: `effort` is -2, must not be below 0");
    let mut stiff = robot("revolute", STOPS, PART);
    stiff.joints[0].dynamics.friction = f64::NAN;
    let told = import(&stiff, &drive("")).unwrap_err().to_string();
    assert_eq!(told, "joint `j`: dynamics hold NaN, must not be below 0");
}
