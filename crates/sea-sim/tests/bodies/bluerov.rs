//! BlueROV2 against von Benzon's coefficients: thrust polynomial, terminal speeds, step responses.

use crate::support::{Water, assert_printed, body_load, flu, fossen, rigid, run_loaded};
use sea_sim::actuator::ActuatorKind;
use sea_sim::body::{BodyState, BuoyancyParams, SubmergedParams};
use sea_sim::vehicle::Vehicle;

/// The vehicle with as much buoyancy as weight, both at the origin.
fn neutral() -> Vehicle {
    let mut params = rigid("bluerov2");
    params.body.buoyancy = BuoyancyParams::Submerged(SubmergedParams { volume_m3: 0.0135, center_m: [0.0; 3] });
    Vehicle::from_rigid(&params).unwrap()
}

/// A wrench of a published table in the body's own axes.
fn wrench(frd: [f64; 6]) -> [f64; 6] {
    let (force, moment) = (flu([frd[0], frd[1], frd[2]]), flu([frd[3], frd[4], frd[5]]));
    [force.x, force.y, force.z, moment.x, moment.y, moment.z]
}

#[test]
fn the_thrust_polynomial_is_odd_and_as_published() {
    let params = rigid("bluerov2");
    let ActuatorKind::Propeller(propeller) = &params.actuators[0].kind else { panic!("a thruster") };
    let names: Vec<&str> = params.actuators.iter().map(|actuator| actuator.name.as_str()).collect();
    let thruster = sea_sim::actuator::Actuator::new(&params.actuators[0], &names).unwrap();
    let thrust = |command: f64| thruster.propeller().unwrap().static_thrust_n(command, 1000.0);
    for (command, newton) in [(0.1, 1.0620), (0.25, 4.6036), (0.5, 16.5939), (0.75, 26.5412), (1.0, 30.4)] {
        assert_printed(&format!("{command}"), thrust(command), newton, 4);
        assert_eq!(thrust(-command), -thrust(command));
    }
    assert_eq!(propeller.range, [-1.0, 1.0]);
}

/// Arms of the eight thrusters: 0.1888 m in yaw, 0.218 m in roll, 0.12 m in pitch.
#[test]
fn the_thrusters_have_their_arms() {
    for actuator in rigid("bluerov2").actuators {
        let ActuatorKind::Propeller(p) = actuator.kind else { panic!("a thruster") };
        let moment = glam::DVec3::from_array(p.position_m).cross(glam::DVec3::from_array(p.axis)).abs();
        let expected =
            if p.axis[2] == 0.0 { glam::DVec3::new(0.0, 0.0, 0.1888) } else { glam::DVec3::new(0.218, 0.12, 0.0) };
        assert!((moment - expected).length() < 1e-12, "{}: {moment}", actuator.name);
    }
}

#[test]
fn it_reaches_the_speeds_at_which_damping_balances() {
    let vehicle = neutral();
    let speeds = [0.548888, 0.480015, 0.433446, 2.049800, 2.519783, 1.825742];
    for (axis, speed) in speeds.into_iter().enumerate() {
        let mut load = [0.0; 6];
        load[axis] = if axis < 3 { 50.0 } else { 5.0 };
        let state = run_loaded(
            &vehicle,
            &Water::deep(1000.0),
            vehicle.start(BodyState::default()),
            &body_load(load),
            (0.02, 2000),
        );
        assert_printed(&format!("axis {axis}"), state.body.velocity.to_array()[axis], speed, 6);
    }
}

/// DOP853 at 1e-10 of an independent derivation.
#[test]
fn its_step_responses_are_as_computed_elsewhere() {
    #[rustfmt::skip]
    let rows = [
        ([50.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.5, [0.189535, 0.0, 0.0], 0.0, [0.534465, 0.0, 0.0]),
        ([50.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1.0, [0.462293, 0.0, 0.0], 0.0, [0.548678, 0.0, 0.0]),
        ([50.0, 0.0, 0.0, 0.0, 0.0, 0.0], 10.0, [5.402262, 0.0, 0.0], 0.0, [0.548888, 0.0, 0.0]),
        ([50.0, 0.0, 0.0, 0.0, 0.0, 2.0], 0.5, [0.189661, 0.008237, 0.0], 18.646468, [0.524449, -0.122967, 1.045373]),
        ([50.0, 0.0, 0.0, 0.0, 0.0, 2.0], 1.0, [0.456508, 0.080514, 0.0], 51.088597, [0.518448, -0.222245, 1.170855]),
        ([50.0, 0.0, 0.0, 0.0, 0.0, 2.0], 5.0, [-0.184412, 0.294426, 0.0], 321.634895, [0.513798, -0.235654, 1.180966]),
        ([50.0, 0.0, 0.0, 0.0, 0.0, 2.0], 20.0, [-0.134902, 0.806635, 0.0], 1336.600103, [0.513798, -0.235654, 1.180966]),
    ];
    let vehicle = neutral();
    // Damping settles the start within some 0.1 s: at 20 ms the first steps leave (0.02/0.1)^5/120 of half a metre a second, 1.3e-6, and of
    // 50 degrees a second some more of the angle.
    for ((load, time, place, yaw, [u, v, r]), (step_s, most)) in
        rows.into_iter().flat_map(|row| [(row, (0.002, 0.5e-6)), (row, (0.02, 5e-6))])
    {
        let steps = f64::round(time / step_s) as u64;
        let start = vehicle.start(BodyState::default());
        let state = run_loaded(&vehicle, &Water::deep(1000.0), start, &body_load(wrench(load)), (step_s, steps));
        let found = fossen(&state.body);
        let turned = found.angles_deg[2] + 360.0 * ((yaw - found.angles_deg[2]) / 360.0).round();
        let ([x, y, z], [speed, sway, _]) = (found.position_m, found.speed_m_s);
        let pairs = [(x, place[0]), (y, place[1]), (z, place[2]), (turned, yaw)];
        for (found, printed) in pairs.into_iter().chain([(speed, u), (sway, v), (found.rates_rad_s[2], r)]) {
            assert!(
                (found - printed).abs() < 1.000_001 * most + 1e-12,
                "{load:?} at {time} s by {step_s} s: {found} is not {printed}"
            );
        }
    }
}
