//! The motor model against toio facts, sections 2 and 15.

mod common;

use common::assert_near;
use toio_physics::{Characteristic, LagLaw, Motor, MotorParams, SPEED_PER_UNIT_M_S};

const TICK_S: f64 = 0.02;

fn motor(lag_law: LagLaw) -> MotorParams {
    MotorParams { tau_s: 0.04, ..MotorParams::with_law(lag_law) }
}

/// Section 2.2: 0.002814343 m/s per unit; 115 units are 0.32365 m/s.
#[test]
fn speed_per_unit() {
    assert_near(SPEED_PER_UNIT_M_S, 0.002_814_343, 5e-10);
    assert_near(Characteristic::V2_1.target_m_s(115.0), 0.32365, 5e-6);
}

/// Section 2.1: dead zone 0-9 and saturation 100 in 2.0.0, 0-7 and 115 from 2.1.0; 10 units are 43 rpm, 8 units 34 rpm, both ways.
#[test]
fn dead_zone_and_saturation_by_version() {
    let rpm = |version: Characteristic, units: f64| version.target_m_s(units) * 60.0 / (std::f64::consts::PI * 0.0125);
    for sign in [1.0, -1.0] {
        assert_eq!(rpm(Characteristic::V2_0, 9.0 * sign), 0.0);
        assert_near(rpm(Characteristic::V2_0, 10.0 * sign), 43.0 * sign, 1e-9);
        assert_near(rpm(Characteristic::V2_0, 100.0 * sign), 430.0 * sign, 1e-9);
        assert_near(rpm(Characteristic::V2_0, 255.0 * sign), 430.0 * sign, 1e-9);
        assert_eq!(rpm(Characteristic::V2_1, 7.0 * sign), 0.0);
        // The graph's 34 rpm is 34.4 rounded down.
        assert_near(rpm(Characteristic::V2_1, 8.0 * sign), 34.4 * sign, 1e-9);
        assert_near(rpm(Characteristic::V2_1, 115.0 * sign), 494.5 * sign, 1e-9);
        assert_near(rpm(Characteristic::V2_1, 255.0 * sign), 494.5 * sign, 1e-9);
    }
}

/// Section 15: command 100 from rest gives 50, 75, 87.5, 93.75 units at steps 1 to 4.
#[test]
fn the_unity_law_halves_the_error_each_step() {
    let mut state = Motor::default();
    for expected in [50.0, 75.0, 87.5, 93.75] {
        let mean = state.advance(&motor(LagLaw::Unity), 100.0, TICK_S);
        assert_near(state.speed_m_s() / SPEED_PER_UNIT_M_S, expected, 1e-9);
        assert_eq!(mean, state.speed_m_s());
    }
}

/// Section 2.3: tau below the step counts as the step, so that the law never overshoots.
#[test]
fn the_unity_law_does_not_overshoot() {
    let params = MotorParams { tau_s: 0.001, ..motor(LagLaw::Unity) };
    let mut state = Motor::default();
    assert_near(state.advance(&params, 50.0, TICK_S), 50.0 * SPEED_PER_UNIT_M_S, 1e-15);
}

/// The exact law is the solution s = V u (1 - exp(-t / tau)) at any step: 63.212 % after tau, 86.466 % after 2 tau.
#[test]
fn the_exact_law_does_not_depend_on_the_step() {
    for steps in [1, 2, 5, 40, 400] {
        let mut state = Motor::default();
        let mut way_m = 0.0;
        for _ in 0..2 * steps {
            let step_s = 0.04 / f64::from(steps);
            way_m += state.advance(&motor(LagLaw::Exact), 100.0, step_s) * step_s;
        }
        let share = state.speed_m_s() / (100.0 * SPEED_PER_UNIT_M_S);
        assert_near(share, 0.864_664_716_763_387, 1e-12);
        // Its integral: V u (t - tau (1 - exp(-t / tau))).
        assert_near(way_m, 100.0 * SPEED_PER_UNIT_M_S * (0.08 - 0.04 * 0.864_664_716_763_387), 1e-13);
    }
}

/// The default lags of both laws are the same motor: after whole ticks of 20 ms they have the same speed, as near as 28.9 ms is to
/// 20 ms / ln 2.
#[test]
fn both_laws_describe_one_motor() {
    let mut states = [Motor::default(); 2];
    for tick in 0..20 {
        for (state, law) in states.iter_mut().zip([LagLaw::Exact, LagLaw::Unity]) {
            state.advance(&MotorParams::with_law(law), if tick < 5 { 100.0 } else { -40.0 }, TICK_S);
        }
        let [exact, unity] = states.map(|state| state.speed_m_s() / SPEED_PER_UNIT_M_S);
        assert_near(exact, unity, 0.15);
    }
}

/// Section 15: straight 100 for 1 s travels 206.553 dot (281.4 mm) with its coast, whatever the law and the lag.
#[test]
fn a_timed_command_travels_exactly_its_command() {
    for (lag_law, tau_s) in [(LagLaw::Unity, 0.04), (LagLaw::Exact, 0.04), (LagLaw::Exact, 0.3), (LagLaw::Exact, 0.0)] {
        let params = MotorParams { lag_law, tau_s, ..MotorParams::default() };
        let mut state = Motor::default();
        let way = |state: &mut Motor, units: f64, ticks: u32| -> f64 {
            (0..ticks).map(|_| state.advance(&params, units, TICK_S) * TICK_S).sum()
        };
        let way_m = way(&mut state, 100.0, 50) + way(&mut state, 0.0, 1000);
        assert_near(way_m * 733.928_571, 206.553, 5e-4);
    }
}

/// A command of 10, 20, 40 or 70 ms that ends inside a tick travels V u T too, at every rate of ticks and with both laws.
#[test]
fn a_command_that_ends_inside_a_tick_travels_exactly_its_command() {
    for lag_law in [LagLaw::Exact, LagLaw::Unity] {
        for step_hz in [30.0, 50.0, 60.0, 100.0, 240.0] {
            for duration_s in [0.01, 0.02, 0.04, 0.07] {
                let mut state = Motor::default();
                let ticks = duration_s * step_hz;
                let way_m: f64 = (0..2000)
                    .map(|tick| {
                        let share = (ticks - f64::from(tick)).clamp(0.0, 1.0);
                        state.advance_in_part(&motor(lag_law), 50.0, share, 1.0 / step_hz) / step_hz
                    })
                    .sum();
                assert_near(way_m, 50.0 * SPEED_PER_UNIT_M_S * duration_s, 1e-9);
            }
        }
    }
}

#[test]
fn a_forced_stop_is_at_once() {
    let mut state = Motor::default();
    state.advance(&motor(LagLaw::Exact), 100.0, TICK_S);
    assert!(state.speed_m_s() > 0.1);
    state.force_stop();
    assert_eq!(state.speed_m_s(), 0.0);
}

#[test]
fn a_time_constant_out_of_range_is_refused() {
    for tau_s in [-0.01, 11.0, f64::NAN, f64::INFINITY] {
        assert_eq!(MotorParams { tau_s, ..MotorParams::default() }.check().unwrap_err().field, "tau_s");
    }
}
