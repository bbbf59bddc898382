//! Force fields: drift speeds, the propeller's law, and where they act.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use sea_sim::field::{
    Field, FieldParams, FieldPoint, Fields, PropellerCone, Push, Region, Turbulence, TurningPropeller,
};
use sim_core::{DVec3, RunKey, Tick};

const KEY: RunKey = RunKey { seed: 9, run_index: 0 };

fn north() -> FieldParams {
    FieldParams {
        push: Push::Along(DVec3::new(0.0, 3.0, 0.0)),
        force_n: 1.0,
        region: Region::Everywhere,
        only_under_water: false,
        only_above_water: false,
        turbulence: Turbulence::None,
    }
}

fn at(position_m: DVec3) -> FieldPoint {
    FieldPoint { position_m, surface_m: 0.0, submerged_depth_m: 0.03, body: 0, point: 0 }
}

fn push(params: FieldParams, position_m: DVec3) -> DVec3 {
    Fields::new(vec![Field::new(params).unwrap()]).force_n(&at(position_m), &[], (KEY, Tick(0)))
}

/// A body of ten points and 15.137 kg with a damping of 1.02 1/s drifts at F/(m d) if all are inside, and at half of it if five are.
#[test]
fn drift_is_the_share_of_points_inside() {
    let region = Region::Box { min_m: DVec3::new(0.0, -100.0, -10.0), max_m: DVec3::new(10.0, 100.0, 10.0) };
    let fields = Fields::new(vec![Field::new(FieldParams { region, ..north() }).unwrap()]);
    let drift = |x_m: f64| {
        let (mut velocity, dt) = (0.0, 0.001);
        for _ in 0..20_000 {
            let points = (0..10).map(|n| at(DVec3::new(x_m + 0.1 * f64::from(n), 0.0, -1.0)));
            let force: DVec3 = points.map(|point| fields.force_n(&point, &[], (KEY, Tick(0))) / 10.0).sum();
            velocity += dt * (force.y / 15.137 - 1.02 * velocity);
        }
        velocity
    };
    assert!((drift(1.0) - 0.064_768).abs() < 1e-6);
    assert!((drift(-0.45) - 0.032_384).abs() < 1e-6);
    assert_eq!(drift(-5.0), 0.0);
}

#[test]
fn central_fields_point_at_their_centre() {
    let center = DVec3::new(1.0, 2.0, -3.0);
    let sphere = Region::Sphere { center_m: center, radius_m: 6.0 };
    let towards = FieldParams { push: Push::Towards(center), force_n: 2.0, region: sphere, ..north() };
    let place = center + DVec3::new(3.0, 0.0, 4.0);
    assert!((push(towards, place) - DVec3::new(-1.2, 0.0, -1.6)).length() < 1e-15);
    let away = FieldParams { push: Push::AwayFrom(center), ..towards };
    assert!((push(away, place) - DVec3::new(1.2, 0.0, 1.6)).length() < 1e-15);
    assert_eq!(push(towards, center), DVec3::ZERO, "at the centre there is no direction");
    assert_eq!(push(towards, center + DVec3::new(0.0, 6.01, 0.0)), DVec3::ZERO);
}

#[test]
fn sides_of_the_surface_are_kept_apart() {
    let under = FieldParams { only_under_water: true, ..north() };
    let above = FieldParams { only_above_water: true, ..north() };
    let both = FieldParams { only_under_water: true, only_above_water: true, ..north() };
    let depths = [-1.0, 0.0, 0.01, 0.03, 5.0];
    let acts = |params| depths.map(|depth: f64| push(params, DVec3::new(0.0, 0.0, -depth)) != DVec3::ZERO);
    assert_eq!(acts(under), [false, false, true, true, true]);
    assert_eq!(acts(above), [true, true, true, false, false]);
    assert_eq!(acts(both), [false; 5]);
    assert_eq!(acts(north()), [true; 5]);
}

/// n k / r^2 with 2128.77 turns a minute and k 0.005.
#[test]
fn a_propeller_pushes_with_the_inverse_square() {
    let free = PropellerCone { tip_m: 0.2, force_n_per_rpm: 0.005, max_force_n: 1e6, reach_m: 100.0 };
    let propeller =
        TurningPropeller { body: 7, position_m: DVec3::new(1.0, 0.0, 0.0), forward: DVec3::Z, rpm: 2128.77 };
    let tip = DVec3::new(1.0, 0.0, 0.2);
    for (distance, force) in [(1.0, 10.643_85), (2.0, 2.660_96), (3.0, 1.182_65)] {
        // Behind the tip along the line from it, ahead of it along the axis.
        let slanted = DVec3::new(0.6, 0.0, -0.8);
        assert!((free.force_n(&propeller, tip + slanted * distance) - slanted * force).length() < 6e-6);
        let ahead = DVec3::new(0.6, 0.0, 0.8);
        assert!((free.force_n(&propeller, tip + ahead * distance) - DVec3::Z * force).length() < 6e-6);
    }
    let capped = PropellerCone { max_force_n: 1.0, ..free };
    assert_eq!(capped.force_n(&propeller, tip - DVec3::Z), DVec3::NEG_Z);
    assert_eq!(capped.force_n(&propeller, tip), DVec3::ZERO, "at the tip there is no direction");
    assert_eq!(free.force_n(&TurningPropeller { rpm: -500.0, ..propeller }, tip - DVec3::Z), DVec3::ZERO);
    assert_eq!(PropellerCone { reach_m: 0.5, ..free }.force_n(&propeller, tip - DVec3::Z), DVec3::ZERO);
}

#[test]
fn fields_that_overlap_add_up() {
    let field = |direction: DVec3| Field::new(FieldParams { push: Push::Along(direction), ..north() }).unwrap();
    let fields = Fields::new(vec![field(DVec3::X), field(DVec3::X), field(DVec3::Z)]);
    assert_eq!(fields.force_n(&at(DVec3::ZERO), &[], (KEY, Tick(3))), DVec3::new(2.0, 0.0, 1.0));
}

/// Means and deviations over 40 000 draws: standard errors 0.5 % and 0.35 % of the deviation.
#[test]
fn turbulence_has_its_size_and_addresses() {
    let size = DVec3::new(0.5, 0.0, 2.0);
    for (turbulence, deviation) in
        [(Turbulence::Gaussian(size), 1.0), (Turbulence::Uniform(size), 1.0 / 3.0_f64.sqrt())]
    {
        let fields = Fields::new(vec![Field::new(FieldParams { turbulence, ..north() }).unwrap()]);
        let draws: Vec<DVec3> =
            (0..40_000).map(|n| fields.force_n(&at(DVec3::ZERO), &[], (KEY, Tick(n))) - DVec3::Y).collect();
        let mean = draws.iter().copied().sum::<DVec3>() / 40_000.0;
        let variance = draws.iter().map(|f| *f * *f).sum::<DVec3>() / 40_000.0;
        for axis in 0..3 {
            assert!(mean[axis].abs() <= 0.02 * size[axis], "{mean}");
            assert!((variance[axis].sqrt() - deviation * size[axis]).abs() <= 0.02 * size[axis], "{variance}");
        }
        let force =
            |body, point, tick| fields.force_n(&FieldPoint { body, point, ..at(DVec3::ZERO) }, &[], (KEY, Tick(tick)));
        assert_eq!(force(1, 2, 3), force(1, 2, 3));
        assert!(
            force(1, 2, 3) != force(2, 2, 3) && force(1, 2, 3) != force(1, 3, 3) && force(1, 2, 3) != force(1, 2, 4)
        );
    }
}

#[test]
fn wrong_values_are_refused_by_name() {
    let refused = |params| Field::new(params).unwrap_err().to_string();
    assert_eq!(refused(FieldParams { force_n: -1.0, ..north() }), "force_n is -1, must be from 0 to 1000000");
    assert!(
        refused(FieldParams { push: Push::Along(DVec3::ZERO), ..north() })
            .starts_with("direction is [0, 0, 0], must be")
    );
    assert!(refused(FieldParams { push: Push::Towards(DVec3::NAN), ..north() }).starts_with("center_m is NaN"));
    let inverted = Region::Box { min_m: DVec3::ONE, max_m: DVec3::ZERO };
    assert_eq!(
        refused(FieldParams { region: inverted, ..north() }),
        "region is [1, 0], must run from the smaller to the larger"
    );
    let noisy = FieldParams { turbulence: Turbulence::Gaussian(DVec3::new(0.0, -1.0, 0.0)), ..north() };
    assert_eq!(refused(noisy), "turbulence is -1, must be from 0 to 1000000");
    let cone = PropellerCone { tip_m: f64::NAN, force_n_per_rpm: 0.005, max_force_n: 1.0, reach_m: 5.0 };
    assert_eq!(cone.check().unwrap_err().to_string(), "tip_m is NaN, must be from 0 to 100");
}
