//! LOLO by the numbers of its simulator: floating, thrust, and control surfaces in closed form.

use crate::support::{Water, rigid, run, vehicle};
use glam::DVec3;
use sea_sim::actuator::ActuatorKind;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::BodyState;
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{Vehicle, VehicleState};

const DENSITY: f64 = 997.0;

/// Wrench in body axes that gives a body without added mass its acceleration: `M a`, and what its turning adds.
fn wrench_at(state: &VehicleState) -> Vec6 {
    let vehicle = vehicle("lolo");
    let rates = vehicle.rates(state, &Water::deep(DENSITY), &Default::default(), 0.0).unwrap();
    vehicle.mass(state).unwrap().inertia().momentum(rates.acceleration)
}

/// A state under way with one actuator moved.
fn with(actuator: &str, value: f64, velocity: Vec6) -> VehicleState {
    let vehicle = vehicle("lolo");
    let mut state = vehicle.start(BodyState { velocity, ..BodyState::default() });
    state.actuators[vehicle.actuator(actuator).unwrap()] = value;
    state
}

/// What an actuator adds to the wrench at a velocity.
fn added_by(actuator: &str, value: f64, velocity: Vec6) -> Vec6 {
    wrench_at(&with(actuator, value, velocity)) - wrench_at(&with(actuator, 0.0, velocity))
}

fn assert_close(found: Vec6, expected: Vec6) {
    let error = (found - expected).to_array();
    assert!(error.iter().all(|error| error.abs() < 1e-9), "{found:?} is not {expected:?}");
}

/// Thrust is 0.5 N a turn a minute, 0.6 of that backwards, and nothing below 150; the vertical ones have 0.02 N.
#[test]
fn thrust_is_linear_and_weaker_backwards() {
    for (name, rpm, newton, axis, place) in [
        ("thruster_port", 1200.0, 600.0, DVec3::X, DVec3::new(-1.551, 0.277, 0.204)),
        ("thruster_stbd", -1000.0, -300.0, DVec3::X, DVec3::new(-1.551, -0.277, 0.204)),
        ("vertical_front_stbd", 3000.0, 60.0, DVec3::Z, DVec3::new(1.875, -0.381, 0.241)),
        ("vertical_back_port", -3000.0, -36.0, DVec3::Z, DVec3::new(-1.083, 0.102, 0.193)),
    ] {
        assert_close(added_by(name, rpm, Vec6::ZERO), Vec6::from_force_at(axis * newton, place));
    }
    assert_eq!(vehicle("lolo").command_range(0), Some([-1200.0, 1200.0]));
}

/// The angle of attack is that of the surface less that of the flow at its place: lift `k_L U² sin a` across the chord, drag
/// `k_D U² cos a` along it.
#[test]
fn a_surface_meets_the_flow_at_its_own_place() {
    let (u, w, q) = (1.7, -0.3, 0.2);
    let velocity = Vec6::new(DVec3::new(u, 0.0, w), DVec3::new(0.0, q, 0.0));
    let place = DVec3::new(-1.265, 0.0, 0.203);
    // At the elevator the water comes from ahead and below: pitching at q moves it by q x r.
    let (ahead, up) = (u + q * place.z, w - q * place.x);
    let force = |angle: f64| {
        let chord = DVec3::new(libm::cos(angle), 0.0, -libm::sin(angle));
        let normal = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
        let attack = libm::atan2(ahead * normal.x + up * normal.z, ahead * chord.x + up * chord.z);
        let square = ahead * ahead + up * up;
        normal * (-1000.0 * square * libm::sin(attack)) - chord * (100.0 * square * libm::cos(attack))
    };
    for angle in [0.3, -0.7] {
        let expected = Vec6::from_force_at(force(angle) - force(0.0), place);
        assert_close(added_by("elevator", angle, velocity), expected);
    }
}

/// Going astern the drag points ahead, and a surface across the flow has its whole force along the normal.
#[test]
fn a_surface_drags_against_any_flow() {
    let heaving = wrench_at(&with("rudder_port", 0.0, Vec6::new(DVec3::Z, DVec3::ZERO)));
    let still = wrench_at(&with("rudder_port", 0.0, Vec6::ZERO));
    // Two elevons of 500 and an elevator of 1000 N s²/m² lie flat in the rising hull; the decay takes 1.02 of 750 kg a second.
    assert!((heaving.linear.z - still.linear.z + 2000.0 + 765.0).abs() < 1e-9, "{heaving:?}");
    let astern = wrench_at(&with("rudder_port", 0.0, Vec6::new(DVec3::NEG_X, DVec3::ZERO)));
    assert!((astern.linear.x - still.linear.x - 300.0 - 765.0).abs() < 1e-9, "{astern:?}");
}

#[test]
fn rudders_turn_and_elevators_lift_as_the_file_says() {
    let ahead = Vec6::new(DVec3::X * 1.5, DVec3::ZERO);
    assert!(added_by("rudder_port", 0.2, ahead).angular.z < -10.0, "to starboard: clockwise seen from above");
    assert!(added_by("elevator", 0.2, ahead).angular.y < -10.0, "nose up: a negative turn about left");
}

/// It comes to rest with the share of its volume under water that carries 750 kg, upright.
#[test]
fn it_floats_with_the_weight_of_its_water() {
    let vehicle = vehicle("lolo");
    let water = Water::flat(DENSITY);
    let start = BodyState { position_m: DVec3::new(0.0, 0.0, -2.0), ..BodyState::default() };
    run(&vehicle, &water, start, &[], (0.02, &[300.0]), |_, state| {
        let wet = vehicle.body().unwrap().wet_share(&state.body, &water, 300.0);
        let angles = RollPitchYaw::from_quat(state.body.attitude);
        assert!((wet - 750.0 / (DENSITY * 0.76)).abs() < 1e-6, "{wet}");
        assert!(angles.roll_rad.abs() < 1e-6 && angles.pitch_rad.abs() < 0.01, "{angles:?}");
        assert!(state.body.velocity.linear.length() < 1e-5, "{:?}", state.body.velocity);
    });
}

/// Both thrusters full ahead, deep: 1200 N against 1.02 1/s of 750 kg and 300 N s²/m² of its surfaces, 1.0968 m/s, if it stays level. The
/// thrust line lies 36 mm above the centre of gravity, so it trims by some degrees: 3 % are left for that.
#[test]
fn full_ahead_it_has_the_speed_of_its_balance() {
    let speed = (-765.0 + (765.0_f64 * 765.0 + 4.0 * 300.0 * 1200.0).sqrt()) / 600.0;
    let commands = [("thruster_port", 1200.0), ("thruster_stbd", 1200.0)];
    run(&vehicle("lolo"), &Water::deep(DENSITY), BodyState::default(), &commands, (0.02, &[60.0]), |_, state| {
        let found = state.body.velocity.linear.length();
        assert!((found / speed - 1.0).abs() < 0.03, "{found} is not {speed}: {state:?}");
    });
}

#[test]
fn wrong_surfaces_are_refused_by_name() {
    let refused = |change: fn(&mut sea_sim::actuator::SurfaceParams)| {
        let mut params = rigid("lolo");
        let kinds = params.actuators.iter_mut().map(|actuator| &mut actuator.kind);
        for kind in kinds {
            if let ActuatorKind::Surface(surface) = kind {
                change(surface);
            }
        }
        Vehicle::from_rigid(&params).unwrap_err().to_string()
    };
    assert_eq!(refused(|it| it.axis = [0.0; 3]), "actuator.surface.axis is [0, 0, 0], must be a direction");
    assert_eq!(
        refused(|it| it.axis = [0.1, 1.0, 0.0]),
        "actuator.surface.axis is [0.1, 1.0, 0.0], must lie across the forward axis: begin with 0"
    );
    assert_eq!(refused(|it| it.lift_n_s2_m2 = -1.0), "actuator.surface.lift_n_s2_m2 is -1, must not be below 0");
    assert_eq!(refused(|it| it.drag_n_s2_m2 = f64::NAN), "actuator.surface.drag_n_s2_m2 is NaN, must not be below 0");
    assert_eq!(refused(|it| it.stop_rad = -0.1), "actuator.surface.stop_rad is -0.1, must not be below 0");
}
