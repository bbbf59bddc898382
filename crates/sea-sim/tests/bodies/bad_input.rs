//! What a vehicle cannot have is refused by the name of the quantity; what only looks wrong is warned of.

use crate::support::{NAMES, file, params, rigid, vehicle};
use sea_sim::actuator::{ActuatorKind, TorqueLaw};
use sea_sim::body::{BodyParams, BuoyancyParams, CrossFlowParams, DecayParams, Matrix6, MeshParams, PointParams};
use sea_sim::vehicle::{MotionParams, RigidParams, TorpedoParams, Vehicle, VehicleParams};

fn fault(change: impl FnOnce(&mut RigidParams)) -> String {
    let mut params = rigid("custom");
    change(&mut params);
    Vehicle::from_rigid(&params).unwrap_err().to_string()
}

fn body_fault(change: impl FnOnce(&mut BodyParams)) -> String {
    fault(|params| change(&mut params.body))
}

#[test]
fn every_vehicle_that_comes_along_is_valid_and_names_its_sources() {
    for name in NAMES {
        let params = params(name);
        assert!(Vehicle::new(&params).is_ok() && !params.sources.is_empty() && params.warnings().is_empty(), "{name}");
        let written = serde_json::to_string(&params).unwrap();
        assert_eq!(serde_json::from_str::<VehicleParams>(&written).unwrap(), params, "{name} survives a round trip");
    }
    let files = std::fs::read_dir(format!("{}/../../vehicles", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let names = files.filter(|file| !file.as_ref().unwrap().path().ends_with("vehicle.schema.json"));
    assert_eq!(names.count(), NAMES.len(), "each file is in the list of the tests");
}

#[test]
fn the_schema_knows_every_part_of_a_vehicle() {
    let schema = serde_json::to_string(&schemars::schema_for!(VehicleParams)).unwrap();
    for part in ["TorpedoParams", "HydrofoilParams", "BodyParams", "PropellerParams", "\"additionalProperties\":false"]
    {
        assert!(schema.contains(part), "{part}");
    }
}

#[test]
fn an_unknown_key_is_refused() {
    let text = file("custom").replace("\"mass_kg\"", "\"mass\"");
    assert!(serde_json::from_str::<VehicleParams>(&text).unwrap_err().to_string().contains("unknown field `mass`"));
}

#[test]
fn numbers_that_no_body_has_are_named() {
    assert_eq!(body_fault(|b| b.mass_kg = f64::NAN), "body.mass_kg is NaN, must be above 0");
    assert_eq!(body_fault(|b| b.mass_kg = -3.0), "body.mass_kg is -3, must be above 0");
    assert_eq!(
        body_fault(|b| b.center_of_gravity_m[2] = f64::INFINITY),
        "body.center_of_gravity_m is inf, must be from -1000 to 1000"
    );
    assert_eq!(
        body_fault(|b| b.damping.linear = Matrix6::Diagonal([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0])),
        "body.damping.linear is -1, must not be below 0"
    );
    assert_eq!(
        body_fault(|b| b.damping.cross_flow.push(CrossFlowParams { width_m: 0.1, ..CrossFlowParams::default() })),
        "body.damping.cross_flow.length_m is 0, must be above 0"
    );
    assert_eq!(
        body_fault(|b| b.buoyancy =
            BuoyancyParams::Points(PointParams { depth_before_submerged_m: 0.1, ..Default::default() })),
        "body.buoyancy.points.points_m is empty, must have at least one element"
    );
    let decay = |air_linear_per_s| Some(DecayParams { air_linear_per_s, ..Default::default() });
    assert_eq!(
        body_fault(|b| b.damping.decay = decay(-2.0)),
        "body.damping.decay.air_linear_per_s is -2, must not be below 0"
    );
    let mean = PointParams {
        depth_before_submerged_m: 0.1,
        points_m: vec![[0.0; 3]],
        is_center_of_gravity: true,
        ..Default::default()
    };
    assert_eq!(
        body_fault(|b| b.buoyancy = BuoyancyParams::Points(mean)),
        "body.center_of_gravity_m is [0.0, 0.0, -0.02], must be 0: it is the mean of the points"
    );
}

#[test]
fn matrices_must_be_symmetric_and_definite() {
    let rows = |change: fn(&mut [[f64; 6]; 6])| {
        body_fault(|b| {
            let mut rows = b.added_mass.rows();
            change(&mut rows);
            b.added_mass = Matrix6::Rows(rows);
        })
    };
    assert_eq!(
        rows(|m| m[4][0] = 0.7),
        "body.added_mass is not symmetric: row 5, column 1 is 0.7, its mirror image 0.5"
    );
    assert_eq!(rows(|m| m[2][2] = -30.0), "body.added_mass has the eigenvalue -30.0: none may be below zero");
    assert_eq!(
        body_fault(|b| b.inertia_kg_m2[1][1] = 0.0),
        "body.inertia_kg_m2 has the eigenvalue 0.0: all must be above zero"
    );
    assert_eq!(
        body_fault(|b| b.inertia_kg_m2[0][0] = 7.0),
        "body.inertia_kg_m2 has 7, 3, 3 on its diagonal: one is more than the sum of the others"
    );
}

#[test]
fn meshes_must_be_closed_and_turned_outward() {
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mesh = |triangles: Vec<[u32; 3]>| {
        body_fault(|b| {
            b.buoyancy =
                BuoyancyParams::Mesh(MeshParams { vertices_m: corners.clone(), triangles, ..Default::default() })
        })
    };
    assert_eq!(mesh(Vec::new()), "body.buoyancy.mesh.triangles is empty, must have at least one element");
    assert_eq!(mesh(vec![[0, 1, 9]]), "body.buoyancy.mesh.triangles names the corner 9, the last one is 3");
    assert_eq!(
        mesh(vec![[0, 2, 1], [0, 1, 3], [0, 3, 2]]),
        "body.buoyancy.mesh.triangles is no closed surface: the edge from corner 1 to 3 has not one triangle on each side"
    );
    assert!(
        mesh(vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
            .starts_with("body.buoyancy.mesh.triangles encloses -0.16")
    );
    let mirrored = MeshParams {
        vertices_m: corners.clone(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        scale: [1.0, -1.0, 1.0],
    };
    assert_eq!(
        body_fault(|b| b.buoyancy = BuoyancyParams::Mesh(mirrored)),
        "body.buoyancy.mesh.scale is -1, must be above 0"
    );
}

#[test]
fn actuators_must_fit_together() {
    assert_eq!(fault(|p| p.actuators.push(p.actuators[0].clone())), "actuators has two actuators with the name `main`");
    assert_eq!(
        fault(|p| {
            let one = p.actuators[0].clone();
            p.actuators = vec![one; 17];
        }),
        "actuators has 17 elements, must have at most 16"
    );
    assert_eq!(
        fault(|p| p.actuators[0].response.watchdog_hz = Some(-2.0)),
        "actuator.response.watchdog_hz is -2, must be above 0"
    );
    assert_eq!(
        fault(|p| {
            p.actuators[0].response.time_constant_s = 0.0;
            p.actuators[0].response.rate_limit_per_s = Some(1.0);
        }),
        "actuator.response.time_constant_s is 0, must be above 0 where a rate limit is given"
    );
    let propeller = |change: fn(&mut sea_sim::actuator::PropellerParams)| {
        fault(|p| {
            if let ActuatorKind::Propeller(propeller) = &mut p.actuators[0].kind {
                change(propeller);
            }
        })
    };
    assert_eq!(propeller(|p| p.axis = [0.0; 3]), "actuator.propeller.axis is [0, 0, 0], must be a direction");
    assert_eq!(
        propeller(|p| p.range = [5.0, -5.0]),
        "actuator.propeller.range is [5, -5], must run from the smaller to the larger"
    );
    assert_eq!(
        propeller(|p| p.torque = TorqueLaw::OpenWater(1.0)),
        "actuator.propeller.torque.open_water needs a thrust law of the kind open_water"
    );
    assert_eq!(
        propeller(|p| p.nozzle = Some(sea_sim::actuator::NozzleParams { yaw: "nose".into(), ..Default::default() })),
        "actuator.propeller.nozzle.yaw is `nose`, no actuator of this vehicle"
    );
}

#[test]
fn shapes_and_rules_have_their_ranges() {
    let torpedo = TorpedoParams { diameter_m: 2.0, ..TorpedoParams::default() };
    assert_eq!(
        torpedo.to_rigid().unwrap_err().to_string(),
        "torpedo.diameter_m is 2, must be less than the length of 1.6"
    );
    let mut evolo = params("evolo");
    let MotionParams::Hydrofoil(rules) = &mut evolo.motion else { panic!("a hydrofoil") };
    rules.flying_kn = [13.0, 8.0];
    let text = Vehicle::new(&evolo).unwrap_err().to_string();
    assert_eq!(text, "hydrofoil.flying_kn is [13, 8], must run from the smaller to the larger");
}

#[test]
fn a_center_of_gravity_outside_of_the_hull_is_warned_of() {
    let mut params = params("custom");
    let MotionParams::Rigid(rigid) = &mut params.motion else { panic!("a rigid body") };
    rigid.body.center_of_gravity_m[2] = -0.2;
    assert!(Vehicle::new(&params).is_ok());
    assert_eq!(
        params.warnings()[0].to_string(),
        "body.center_of_gravity_m is [0.0, 0.0, -0.2], outside of a hull of 1 x 0.4 x 0.3 m around the origin"
    );
}

/// The file of REMUS is the torpedo with the default numbers, written out.
#[test]
fn the_torpedo_by_its_formulae_is_the_remus_of_the_file() {
    let (by_formulae, by_numbers) = (rigid("torpedo").body, rigid("remus100").body);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * b.abs().max(1.0);
    assert!(near(by_formulae.mass_kg, by_numbers.mass_kg));
    let same =
        |a: &Matrix6, b: &Matrix6| a.rows().iter().flatten().zip(b.rows().iter().flatten()).all(|(a, b)| near(*a, *b));
    assert!(same(&by_formulae.added_mass, &by_numbers.added_mass));
    assert!(same(&by_formulae.damping.linear, &by_numbers.damping.linear));
    let [one, other] = [&by_formulae, &by_numbers].map(|body| body.damping.lift_drag.unwrap());
    assert!(near(one.zero_lift_drag, other.zero_lift_drag) && near(one.area_m2, other.area_m2));
}

#[test]
fn commands_for_no_actuator_and_without_a_number_do_nothing() {
    let vehicle = vehicle("custom");
    let start = vehicle.start(Default::default());
    let mut state = start;
    vehicle.command(&mut state, 7, 1.0);
    vehicle.command(&mut state, 0, f64::NAN);
    assert_eq!(state, start);
}
