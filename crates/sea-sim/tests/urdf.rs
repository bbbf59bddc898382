//! Vehicles out of URDF: inertia by closed forms, frames, driven joints, components by name, JSON, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sea_sim::actuator::ActuatorKind;
use sea_sim::body::{BodyState, BuoyancyParams};
use sea_sim::urdf::{Components, Imported, ShapeKind, Structure, import};
use sea_sim::vehicle::{MotionParams, RigidParams, Vehicle, VehicleParams};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A link of a mass and diagonal inertia, its centre of gravity somewhere.
fn link(name: &str, mass: f64, [xx, yy, zz]: [f64; 3], origin: &str) -> String {
    format!(
        r#"<link name="{name}"><inertial><origin {origin}/><mass value="{mass}"/>
        <inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
    )
}

fn joint(name: &str, kind: &str, [parent, child]: [&str; 2], rest: &str) -> String {
    format!(r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{rest}</joint>"#)
}

fn robot(parts: &[String]) -> String {
    format!("<robot name=\"test\">\n{}\n</robot>", parts.join("\n"))
}

fn structure(parts: &[String]) -> Structure {
    Structure::from_urdf(&robot(parts)).unwrap_or_else(|error| panic!("{error}"))
}

fn plain() -> Components {
    Components { size_m: [2.0, 1.0, 1.0], ..Components::default() }
}

fn components(json: &str) -> Components {
    serde_json::from_str(json).unwrap()
}

fn rigid(imported: &Imported) -> &RigidParams {
    let MotionParams::Rigid(rigid) = &imported.vehicle.motion else { panic!("no rigid body") };
    rigid
}

fn assert_close(found: &[f64], expected: &[f64]) {
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-14, "{found:?} is not {expected:?}");
    }
    assert_eq!(found.len(), expected.len());
}

/// Two masses joined at a distance d: about their common centre `I = I1 + I2 + m1 m2/(m1 + m2) (d² 1 - d dᵀ)`.
#[test]
fn links_that_do_not_move_become_one_body_by_the_parallel_axis_theorem() {
    // The arm's frame is turned by a quarter about up: its y is the root's -x, and its moments about x and y change places.
    let found = import(
        &structure(&[
            link("base", 3.0, [0.3, 0.4, 0.5], r#"xyz="0.1 0 0""#),
            joint("fix", "fixed", ["base", "arm"], r#"<origin xyz="1.1 -0.2 0.1" rpy="0 0 1.5707963267948966"/>"#),
            link("arm", 1.0, [0.03, 0.02, 0.04], r#"xyz="0 0.5 0""#),
        ]),
        &plain(),
    )
    .unwrap();
    let body = &rigid(&found).body;
    let (d, reduced) = ([0.5, -0.2, 0.1], 0.75);
    let square: f64 = d.iter().map(|x| x * x).sum();
    assert_eq!(body.mass_kg, 4.0);
    assert_close(&body.center_of_gravity_m, &[0.1 + 0.25 * d[0], 0.25 * d[1], 0.25 * d[2]]);
    let own = [0.3 + 0.02, 0.4 + 0.03, 0.5 + 0.04];
    for (i, row) in body.inertia_kg_m2.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            let diagonal = if i == j { own[i] + reduced * square } else { 0.0 };
            assert!((value - (diagonal - reduced * d[i] * d[j])).abs() < 1e-14, "{i} {j}: {value}");
        }
    }
}

/// A frame of the inertia turned by 45 degrees about up: xx and yy become their mean, xy half of their difference.
#[test]
fn the_frame_of_an_inertia_may_be_turned() {
    let parts = [link("base", 2.0, [0.5, 0.3, 0.6], r#"xyz="0 0 -0.1" rpy="0 0 0.7853981633974483""#)];
    let body = rigid(&import(&structure(&parts), &plain()).unwrap()).body.clone();
    assert_close(body.inertia_kg_m2.as_flattened(), &[0.4, 0.1, 0.0, 0.1, 0.4, 0.0, 0.0, 0.0, 0.6]);
    assert_close(&body.center_of_gravity_m, &[0.0, 0.0, -0.1]);
    // The same by products of inertia in the file.
    let text = robot(&[link("base", 2.0, [0.4, 0.4, 0.6], r#"xyz="0 0 -0.1""#)]).replace("ixy=\"0\"", "ixy=\"0.1\"");
    let other = rigid(&import(&Structure::from_urdf(&text).unwrap(), &plain()).unwrap()).body.clone();
    assert_close(other.inertia_kg_m2.as_flattened(), body.inertia_kg_m2.as_flattened());
}

/// The frames of SAM as far as its masses need them (SMARCUnityAssets): a hull, a battery on a slide, and the ballast's cylinder.
fn sam(vbs_mass_kg: f64) -> Vec<String> {
    let vbs = if vbs_mass_kg > 0.0 {
        link("vbs_link", vbs_mass_kg, [0.001, 0.001, 0.001], "")
    } else {
        r#"<link name="vbs_link"/>"#.to_owned()
    };
    vec![
        link("base_link", 12.012, [0.0293, 1.6202, 1.6202], r#"xyz="-0.0075 0 -0.015""#),
        joint(
            "battery_joint",
            "prismatic",
            ["base_link", "battery_link"],
            r#"<origin xyz="-0.08 0 0"/><axis xyz="1 0 0"/><limit lower="0" upper="0.057" effort="1" velocity="1"/>"#,
        ),
        link("battery_link", 2.7, [0.01, 0.02, 0.02], r#"xyz="0.12115 0 0""#),
        joint("vbs_joint", "fixed", ["base_link", "vbs_link"], r#"<origin xyz="-0.273 0 -0.0125"/>"#),
        vbs,
        link("prop", 0.0, [1e-6, 1e-6, 1e-6], ""),
        joint("prop_joint", "fixed", ["base_link", "prop"], r#"<origin xyz="-0.677 0 0"/>"#),
    ]
}

const SAM_COMPONENTS: &str = r#"{
    "urdf": "sam.urdf", "about": "SAM out of its URDF.", "sources": ["SMARCUnityAssets"], "size_m": [1.334, 0.126, 0.126],
    "buoyancy": { "submerged": { "volume_m3": 0.0151829, "center_m": [0, 0, 0] } },
    "joints": [{ "joint": "battery_joint", "response": { "time_constant_s": 0.5, "rest": 50 } }],
    "actuators": [
        { "mount": { "link": "vbs_link", "origin": { "xyz_m": [0.006, 0, 0], "rpy_rad": [0, 0, 0] } },
          "actuator": { "name": "vbs", "response": { "rest": 50 }, "kind": { "ballast": { "piston_kg": 0.3, "water_m3": 0.00025,
            "water_density_kg_m3": 997, "radius_m": 0.0425, "position_m": [0, 0, 0], "travel_m": 0.044 } } } }
    ]
}"#;

/// The sum of 12.012, 2.7 and 0.24925 kg; links without a mass count nothing.
#[test]
fn the_mass_of_sam_is_the_sum_of_its_links() {
    assert!((structure(&sam(0.24925)).mass_kg() - 14.96125).abs() < 1e-12);
}

/// The published trim table of SAM: mass, centre of gravity and pitch by ballast and battery, to its printed digits.
#[test]
fn sam_out_of_a_urdf_has_the_published_trim() {
    let imported = import(&structure(&sam(0.0)), &components(SAM_COMPONENTS)).unwrap();
    let vehicle = Vehicle::new(&imported.vehicle).unwrap();
    let (battery, vbs) = (vehicle.actuator("battery_joint").unwrap(), vehicle.actuator("vbs").unwrap());
    for (vbs_percent, lcg_percent, mass_kg, x_mm, z_mm, pitch_deg) in [
        (0.0, 50.0, 15.01200, 1.190, -12.252, 5.548),
        (50.0, 50.0, 15.13663, -0.401, -12.254, -1.874),
        (50.3, 50.0, 15.13737, -0.409, -12.254, -1.913),
        (100.0, 50.0, 15.26125, -1.607, -12.256, -7.468),
        (50.0, 0.0, 15.13663, -5.485, -12.254, -24.112),
        (50.0, 100.0, 15.13663, 4.683, -12.254, 20.914),
    ] {
        let mut state = vehicle.start(BodyState::default());
        (state.actuators[vbs], state.actuators[battery]) = (vbs_percent, lcg_percent);
        let mass = vehicle.mass(&state).unwrap();
        let center = mass.center_m();
        let row = format!("{vbs_percent} {lcg_percent}: {} {center}", mass.mass_kg);
        assert!((mass.mass_kg - mass_kg).abs() < 5.1e-6, "{row}");
        assert!((1e3 * center.x - x_mm).abs() < 5.1e-4 && (1e3 * center.z - z_mm).abs() < 5.1e-4, "{row}");
        assert!((libm::atan2(center.x, -center.z).to_degrees() - pitch_deg).abs() < 5.1e-4, "{row}");
    }
}

/// A slide whose axis points aft starts at its lower end and travels backwards. What hangs on it moves along.
#[test]
fn what_hangs_on_a_slide_moves_with_it() {
    let parts = [
        link("base", 5.0, [0.1, 0.1, 0.1], ""),
        joint(
            "slide",
            "prismatic",
            ["base", "cart"],
            r#"<origin xyz="0.3 0 0.1"/><axis xyz="-2 0 0"/><limit lower="0.05" upper="0.25"/>"#,
        ),
        link("cart", 1.0, [0.01, 0.02, 0.02], ""),
        joint("fix", "fixed", ["cart", "load"], r#"<origin xyz="0.4 0 0"/>"#),
        link("load", 3.0, [0.03, 0.01, 0.01], ""),
    ];
    let imported = import(&structure(&parts), &Components { ..driving("slide") }).unwrap();
    let ActuatorKind::Slider(slider) = rigid(&imported).actuators[0].kind else { panic!("no slider") };
    assert_eq!((rigid(&imported).body.mass_kg, slider.mass_kg), (5.0, 4.0));
    // Cart at 0.25, load at 0.65; their centre is three quarters of the way.
    assert_close(&slider.position_m, &[0.55, 0.0, 0.1]);
    assert_close(&[slider.travel_m], &[-0.2]);
    let reduced = 0.75 * 0.16;
    assert_close(&slider.inertia_kg_m2, &[0.04, 0.03 + reduced, 0.03 + reduced]);
}

fn driving(joint: &str) -> Components {
    let json = format!(r#"{{ "size_m": [2, 1, 1], "joints": [{{ "joint": "{joint}" }}] }}"#);
    components(&json)
}

/// Places and directions of a propeller are those of its link; hinges take their stops from the joints.
#[test]
fn actuators_take_place_and_direction_from_their_links() {
    let parts = [
        link("base", 5.0, [0.1, 0.1, 0.1], ""),
        joint(
            "yaw",
            "revolute",
            ["base", "nozzle"],
            r#"<origin xyz="-0.6 0 0.1"/><axis xyz="0 0 1"/><limit lower="-0.122" upper="0.122"/>"#,
        ),
        r#"<link name="nozzle"/>"#.to_owned(),
        joint("fix", "fixed", ["base", "side"], r#"<origin xyz="0.2 0.3 0" rpy="0 0 1.5707963267948966"/>"#),
        r#"<link name="side"/>"#.to_owned(),
    ];
    let json = r#"{ "size_m": [2, 1, 1],
        "joints": [{ "joint": "yaw", "command_max_rad": 0.1, "reversed": true }],
        "actuators": [{ "mount": { "link": "side" }, "actuator": { "name": "thruster", "kind": { "propeller": {
            "unit": "rpm", "range": [-1, 1], "position_m": [0.1, 0, 0.05], "axis": [1, 0, 0],
            "thrust": { "linear": { "forward": 1, "reverse": 1 } } } } } }],
        "frames": [{ "name": "camera", "mount": { "link": "side", "origin": { "xyz_m": [0, 0, 1], "rpy_rad": [0, 0, 0] },
            "ros_camera": true } }] }"#;
    let imported = import(&structure(&parts), &components(json)).unwrap();
    let [hinge, thruster] = &rigid(&imported).actuators[..] else { panic!("not two actuators") };
    let ActuatorKind::Hinge(hinge) = &hinge.kind else { panic!("no hinge") };
    assert_eq!((hinge.stop_rad, hinge.command_max_rad, hinge.reversed), (0.122, 0.1, true));
    let ActuatorKind::Propeller(propeller) = &thruster.kind else { panic!("no propeller") };
    assert_close(&propeller.position_m, &[0.2, 0.4, 0.05]);
    assert_close(&propeller.axis, &[0.0, 1.0, 0.0]);
    // The link looks left: the camera's z does, its x points ahead of the vehicle, its y down.
    let camera = imported.frames[0].origin.pose();
    assert_close(&(camera.world_from_body * glam::DVec3::Z).to_array(), &[0.0, 1.0, 0.0]);
    assert_close(&(camera.world_from_body * glam::DVec3::X).to_array(), &[1.0, 0.0, 0.0]);
    assert_close(&(camera.world_from_body * glam::DVec3::Y).to_array(), &[0.0, 0.0, -1.0]);
    assert_close(&camera.position_m.to_array(), &[0.2, 0.3, 1.0]);
}

/// A component on a link that is not there is named, and the rest works without it.
#[test]
fn components_without_a_link_are_named_and_left_out() {
    let json = r#"{ "size_m": [2, 1, 1],
        "joints": [{ "joint": "tail" }],
        "actuators": [{ "mount": { "link": "stern" }, "actuator": { "name": "rudder", "kind": { "hinge":
            { "command_max_rad": 1, "stop_rad": 1 } } } }],
        "frames": [{ "name": "dvl", "mount": { "link": "belly" } }, { "name": "imu", "mount": { "link": "base" } }],
        "force_points": { "volume_m3": 0.01, "depth_before_submerged_m": 0.1, "max_force_n": 1e3, "points": [
            { "link": "base", "position_m": [0.5, 0, 0] }, { "link": "bow", "position_m": [0, 0, 0] } ] } }"#;
    let imported = import(&structure(&[link("base", 5.0, [0.1, 0.1, 0.1], "")]), &components(json)).unwrap();
    let named: Vec<String> = imported.disabled.iter().map(|it| format!("{}: {}", it.component, it.reason)).collect();
    let expected = [
        "tail: there is no joint `tail`",
        "rudder: there is no link `stern`",
        "force point 2: there is no link `bow`",
        "dvl: there is no link `belly`",
    ];
    assert_eq!(named, expected);
    assert_eq!(imported.frames.len(), 1);
    let BuoyancyParams::Points(points) = &rigid(&imported).body.buoyancy else { panic!("no points") };
    assert_eq!(points.points_m, [[0.5, 0.0, 0.0]]);
    assert!(rigid(&imported).actuators.is_empty());
    Vehicle::new(&imported.vehicle).unwrap();
}

/// A robot of one link with the components of a shipped vehicle is that vehicle, number for number.
#[test]
fn one_link_with_the_components_of_a_vehicle_is_that_vehicle() {
    let path = format!("{}/../../vehicles/custom.json", env!("CARGO_MANIFEST_DIR"));
    let expected: VehicleParams = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let MotionParams::Rigid(model) = &expected.motion else { panic!("no rigid body") };
    let mount = serde_json::json!({ "link": "base" });
    let actuators: Vec<_> =
        model.actuators.iter().map(|it| serde_json::json!({ "mount": mount, "actuator": it })).collect();
    let json = serde_json::json!({
        "about": expected.about, "sources": expected.sources, "size_m": expected.size_m,
        "added_mass": model.body.added_mass, "damping": model.body.damping, "buoyancy": model.body.buoyancy,
        "actuators": actuators,
    });
    let parts = [link("base", 30.0, [0.9, 3.0, 3.0], r#"xyz="0 0 -0.02""#)];
    assert_eq!(import(&structure(&parts), &components(&json.to_string())).unwrap().vehicle, expected);
}

/// A file without any mass, as many are: LOLO's numbers stand among the components, and give the shipped vehicle's body and thruster.
#[test]
fn masses_may_stand_among_the_components() {
    let path = format!("{}/../../vehicles/lolo.json", env!("CARGO_MANIFEST_DIR"));
    let shipped: VehicleParams = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let MotionParams::Rigid(expected) = &shipped.motion else { panic!("no rigid body") };
    let frames = ["base_link", "gravity_center_link", "thruster_port"].map(|name| format!("<link name=\"{name}\"/>"));
    let joints = [
        joint("g", "fixed", ["base_link", "gravity_center_link"], r#"<origin xyz="0.598 0 0.168"/>"#),
        joint("t", "continuous", ["base_link", "thruster_port"], r#"<origin xyz="-1.551 0.277 0.204"/>"#),
    ];
    let robot = structure(&[frames.to_vec(), joints.to_vec()].concat());
    assert_eq!(robot.mass_kg(), 0.0);
    let mut thruster = expected.actuators[0].clone();
    if let ActuatorKind::Propeller(propeller) = &mut thruster.kind {
        propeller.position_m = [0.0; 3];
    }
    let json = serde_json::json!({
        "size_m": shipped.size_m, "damping": expected.body.damping, "buoyancy": expected.body.buoyancy,
        "inertials": [
            { "link": "gravity_center_link", "inertial": { "mass_kg": 750, "moments_kg_m2": [180.84, 1061.76, 986.73] } },
            { "link": "keel", "inertial": { "mass_kg": 1, "moments_kg_m2": [1, 1, 1] } },
        ],
        "actuators": [{ "mount": { "link": "thruster_port" }, "actuator": thruster }],
    });
    let imported = import(&robot, &components(&json.to_string())).unwrap();
    let body = &rigid(&imported).body;
    assert_eq!(body.mass_kg, 750.0);
    assert_close(&body.center_of_gravity_m, &expected.body.center_of_gravity_m);
    for (found, expected) in body.inertia_kg_m2.iter().flatten().zip(expected.body.inertia_kg_m2.as_flattened()) {
        // Moved to the origin and back: rounding of 750 kg times 0.4 m².
        assert!((found - expected).abs() < 1e-11, "{found} {expected}");
    }
    assert_eq!(rigid(&imported).actuators[0], expected.actuators[0]);
    assert_eq!(imported.disabled[0].component, "mass of keel");
    let wrong = json.to_string().replace("750", "-750");
    let error = import(&robot, &components(&wrong)).unwrap_err().to_string();
    assert_eq!(error, "link `gravity_center_link`: mass_kg is -750, must not be below 0");
    let mut bent = robot;
    bent.joints[1].axis = [2.0, 0.0, 0.0];
    let error = import(&bent, &components(&json.to_string())).unwrap_err().to_string();
    assert_eq!(error, "joint `t`: axis has the length 2, must have 1");
}

#[test]
fn shapes_keep_names_and_sizes() {
    let text = r#"<robot name="r"><link name="base">
        <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
        <visual><origin xyz="0 0 0.5"/><geometry><mesh filename="package://sam/hull.stl" scale="0.001 0.001 0.002"/></geometry></visual>
        <visual><geometry><mesh filename="fin.dae"/></geometry></visual>
        <collision><geometry><cylinder radius="0.0696" length="1.318"/></geometry></collision>
        <collision><geometry><box size="1 2 3"/></geometry></collision>
        <collision><geometry><sphere radius="0.25"/></geometry></collision>
    </link></robot>"#;
    let shapes = import(&Structure::from_urdf(text).unwrap(), &plain()).unwrap().shapes;
    let kinds: Vec<_> = shapes.iter().map(|shape| (shape.collides, shape.kind.clone())).collect();
    let mesh = |file: &str, scale| (false, ShapeKind::Mesh { file: file.to_owned(), scale });
    let expected = [
        mesh("package://sam/hull.stl", [0.001, 0.001, 0.002]),
        mesh("fin.dae", [1.0; 3]),
        (true, ShapeKind::Cylinder { radius_m: 0.0696, length_m: 1.318 }),
        (true, ShapeKind::Box { size_m: [1.0, 2.0, 3.0] }),
        (true, ShapeKind::Sphere { radius_m: 0.25 }),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(shapes[0].origin.xyz_m, [0.0, 0.0, 0.5]);
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string_pretty(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value);
}

/// Structure, components and what becomes of them are written and read back as they were.
#[test]
fn everything_goes_to_json_and_back() {
    let (structure, components) = (structure(&sam(0.24925)), components(SAM_COMPONENTS));
    let imported = import(&structure, &components).unwrap();
    round_trip(&structure);
    round_trip(&components);
    round_trip(&imported);
    // What was written gives the same vehicle again.
    let text = serde_json::to_string(&structure).unwrap();
    assert_eq!(import(&serde_json::from_str(&text).unwrap(), &components).unwrap(), imported);
}

fn refused(text: &str) -> String {
    Structure::from_urdf(text).unwrap_err().to_string()
}

#[test]
fn wrong_files_are_refused_with_line_and_name() {
    let base = "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n";
    let with = |part: &str| refused(&format!("{base}{part}\n</robot>"));
    let inertial = |inside: &str| with(&format!("<link name=\"c\">\n<inertial>{inside}</inertial></link>"));
    assert_eq!(inertial("<mass value=\"2\"/>"), "line 5: link `c`, inertial: has no `inertia`");
    assert_eq!(inertial("<inertia ixx=\"1\"/>"), "line 5: link `c`, inertial: has no `mass`");
    assert_eq!(inertial("<mass value=\"-2\"/>"), "line 5: link `c`, mass: `value` is -2, must not be below 0");
    assert_eq!(inertial("<mass value=\"heavy\"/>"), "line 5: link `c`, mass: `value` is \"heavy\", must be a number");
    assert_eq!(inertial("<mass/>"), "line 5: link `c`, mass: `value` is missing");
    assert_eq!(
        inertial("<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\"/>"),
        "line 5: link `c`, inertia: `izz` is missing"
    );
    assert_eq!(
        inertial("<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"-1\" izz=\"1\"/>"),
        "line 5: link `c`, inertia: the moments [1.0, -1.0, 1.0] must not be below 0"
    );
    assert_eq!(
        inertial("<origin xyz=\"0 0\"/><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>"),
        "line 5: link `c`, origin: `xyz` is \"0 0\", must be three numbers"
    );
    let hung = |kind: &str, rest: &str| with(&joint("j", kind, ["a", "b"], rest));
    assert_eq!(hung("screw", ""), "line 4: joint `j`: type `screw` must be fixed, revolute, continuous or prismatic");
    assert_eq!(
        hung("floating", ""),
        "line 4: joint `j`: type `floating` must be fixed, revolute, continuous or prismatic"
    );
    assert_eq!(hung("revolute", ""), "line 4: joint `j`: has no `limit`");
    assert_eq!(
        hung("revolute", "<limit lower=\"1\" upper=\"0\"/>"),
        "line 4: joint `j`, limit: `lower` is 1, must not be above `upper`, 0"
    );
    assert_eq!(
        hung("continuous", "<axis xyz=\"0 0 0\"/>"),
        "line 4: joint `j`, axis: `xyz` is 0 0 0, must be a direction"
    );
    assert_eq!(with("<link name=\"a\"/>"), "line 4: link `a` stands there twice");
    let shape = "<link name=\"c\"><visual><geometry><torus/></geometry></visual></link>";
    assert_eq!(with(shape), "line 4: link `c`, visual: `torus` must be mesh, box, cylinder or sphere");
    assert_eq!(refused("<model/>"), "line 1: the root is `model`, must be `robot`");
    assert!(refused("<robot>\n<link></robot>").starts_with("line 2: no XML: "));
    let xacro = "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\">\n<xacro:include filename=\"a\"/></robot>";
    assert_eq!(refused(xacro), "line 2: holds macros of xacro: expand them with xacro first");
    // An entity that would grow without end: documents that define their own are not read.
    assert!(refused("<!DOCTYPE r [<!ENTITY a \"aa\">]><robot name=\"&a;\"/>").contains("no XML: "));
}

#[test]
fn links_that_are_no_tree_are_refused() {
    let frames = |names: &[&str]| names.iter().map(|name| format!("<link name=\"{name}\"/>")).collect::<Vec<_>>();
    let of = |names: &[&str], pairs: &[[&str; 2]]| {
        let joints = pairs.iter().enumerate().map(|(n, pair)| joint(&format!("j{n}"), "fixed", *pair, ""));
        refused(&robot(&frames(names).into_iter().chain(joints).collect::<Vec<_>>()))
    };
    assert_eq!(of(&["a", "b"], &[["a", "b"], ["b", "a"]]), "these links hang on a loop of joints: `a`, `b`");
    assert_eq!(of(&["a", "b", "c"], &[["b", "c"], ["c", "b"]]), "these links hang on a loop of joints: `b`, `c`");
    assert_eq!(of(&["a"], &[["a", "a"]]), "these links hang on a loop of joints: `a`");
    assert_eq!(of(&["a", "b", "c"], &[["a", "c"], ["b", "c"]]), "link `c` hangs on several joints: `j0`, `j1`");
    assert_eq!(of(&["a", "b"], &[]), "several links hang on nothing: `a`, `b`");
    assert_eq!(of(&["a", "b"], &[["a", "b"], ["b", "x"]]), "joint `j1`: there is no link `x`");
    assert_eq!(of(&[], &[]), "the robot has no link");
}

#[test]
fn joints_that_cannot_be_driven_are_refused() {
    let of = |kind: &str, rest: &str, mass: f64| {
        let parts = [
            link("base", 5.0, [0.1, 0.1, 0.1], ""),
            joint("j", kind, ["base", "part"], rest),
            link("part", mass, [0.1, 0.2, 0.2], ""),
        ];
        import(&structure(&parts), &driving("j")).unwrap_err().to_string()
    };
    let limits = "<limit lower=\"-0.1\" upper=\"0.2\"/>";
    assert_eq!(
        of("revolute", limits, 1.0),
        "joint `j`: stops at -0.1 and 0.2 rad, a hinge stops at the same angle on either side"
    );
    assert_eq!(of("continuous", "", 1.0), "joint `j`: must turn or slide between stops to obey commands");
    assert_eq!(
        of("prismatic", &format!("<axis xyz=\"0 0 1\"/>{limits}"), 1.0),
        "joint `j`: slides along [0, 0, 1], a mass slides along the forward axis only"
    );
    assert_eq!(of("prismatic", limits, 0.0), "joint `j`: moves no mass");
    let turned = format!("<origin rpy=\"0 0 0\"/><axis xyz=\"1 0 0\"/>{limits}");
    let parts = |inner: &str| {
        structure(&[
            link("base", 5.0, [0.1, 0.1, 0.1], ""),
            joint("j", "prismatic", ["base", "part"], &turned),
            link("part", 1.0, [0.1, 0.2, 0.2], inner),
        ])
    };
    let error = import(&parts(r#"rpy="0 0 0.7853981633974483""#), &driving("j")).unwrap_err().to_string();
    assert!(error.starts_with("joint `j`: has products of inertia up to 0.05"), "{error}");
    let error = import(&structure(&[r#"<link name="base"/>"#.to_owned()]), &plain()).unwrap_err().to_string();
    assert_eq!(error, "no link has a mass, but for those that slide");
    let error = import(&parts(""), &Components { size_m: [0.0; 3], ..driving("j") }).unwrap_err().to_string();
    assert_eq!(error, "the vehicle: size_m is 0, must be from 0.002 to 2000");
}

proptest! {
    #[test]
    fn any_change_of_a_file_is_read_or_refused(at in 0..1600_usize, word in "[<>/\" a-z0-9.-]{0,6}", cut in 0..20_usize) {
        let mut text = robot(&sam(0.3));
        let (from, to) = (at.min(text.len()), (at + cut).min(text.len()));
        text.replace_range(from..to, &word);
        if let Ok(structure) = Structure::from_urdf(&text) {
            let _ = import(&structure, &components(SAM_COMPONENTS));
        }
    }
}
