//! Whole dots and whole degrees (facts, sections 1.3 and 9): nearest, ties to even, degrees in 0 to 359.

use proptest::prelude::*;
use sim_core::DVec2;
use toio_mat::{CenterPoint, Dot, DotRange, Ground, Mat, MatKind, MatScale, PlanePose, Printed};
use toio_mat::{normalized_degrees, rounded_degrees};

#[test]
fn dots_go_to_the_nearest_and_ties_to_the_even_one() {
    for (exact, whole) in [
        (44.499_999, 44),
        (44.5, 44),
        (44.500_001, 45),
        (45.5, 46),
        (46.5, 46),
        (0.5, 0),
        (1.5, 2),
        (-0.5, 0),
        (-1.5, -2),
        (-2.5, -2),
        (-2.500_001, -3),
    ] {
        assert_eq!(Dot::rounded(DVec2::new(exact, 7.0)), Dot { x: whole, y: 7 }, "{exact}");
        assert_eq!(Dot::rounded(DVec2::new(7.0, exact)), Dot { x: 7, y: whole }, "{exact}");
    }
}

#[test]
fn degrees_go_to_the_nearest_and_ties_to_the_even_one_within_0_to_359() {
    for (exact, whole) in [
        (0.5, 0),
        (1.5, 2),
        (2.5, 2),
        (89.5, 90),
        (90.5, 90),
        (359.499, 359),
        (359.5, 0),
        (359.9, 0),
        (360.0, 0),
        (-0.4, 0),
        (-0.5, 0),
        (-1.0, 359),
        (-1.5, 358),
        (-90.0, 270),
        (720.0, 0),
        (725.0, 5),
        (-1e-300, 0),
    ] {
        assert_eq!(rounded_degrees(exact), whole, "{exact}");
    }
}

/// 360 less a tiny angle is 360 in floating point, which is no longer a normal angle; and no zero is negative.
#[test]
fn angles_just_below_zero_become_zero() {
    for degrees in [-1e-300, -0.0, 0.0, 360.0, -360.0] {
        let normal = normalized_degrees(degrees);
        assert!(normal == 0.0 && normal.is_sign_positive(), "{degrees} became {normal}");
    }
}

/// With 1000 dot/m and the range's middle at the origin a dot is exactly a millimetre, so ties come through from the plane.
#[test]
fn ties_of_a_reading_go_to_the_even_dot() {
    let kind = MatKind::Custom(DotRange::new([0, 0], [200, 200]).unwrap());
    let mut ground = Ground::default();
    ground.add_mat(Mat::new(kind, MatScale::new(1000.0).unwrap(), PlanePose::ORIGIN).unwrap());
    let center = CenterPoint::new(2.0, 1.0).unwrap();
    for (place, sensor, center_dot) in [
        ((0.5, 1.5), (100, 102), (102, 102)),
        ((1.5, 2.5), (102, 102), (104, 104)),
        ((-0.5, -1.5), (100, 98), (102, 100)),
    ] {
        let Printed::Position(read) = ground.printed_under(PlanePose::new(place.0, place.1, 0.0), center) else {
            panic!("{place:?} is on the mat")
        };
        assert_eq!((read.sensor.x, read.sensor.y), sensor, "{place:?}");
        assert_eq!((read.center.x, read.center.y), center_dot, "{place:?}");
    }
}

/// The Unity simulator's document converts to negative degrees (facts, section 9: "negative values possible"); ours never does.
#[test]
fn readings_are_never_negative_and_never_360() {
    let mut ground = Ground::default();
    ground.add_mat(Mat::new(MatKind::CollectionRing, MatScale::default(), PlanePose::new(0.0, 0.0, 0.3)).unwrap());
    let mut seen = std::collections::BTreeSet::new();
    for tenth in -7200..7200 {
        let heading_rad = (f64::from(tenth) / 10.0).to_radians();
        match ground.printed_under(PlanePose::new(5.0, 5.0, heading_rad), CenterPoint::default()) {
            Printed::Position(read) => seen.insert(read.degrees),
            other => panic!("{other:?}"),
        };
    }
    assert!(seen.into_iter().eq(0..360), "every whole degree from 0 to 359 comes up, and nothing else");
}

proptest! {
    #[test]
    fn normalized_degrees_keep_the_direction(degrees in -1e5_f64..1e5) {
        let normal = normalized_degrees(degrees);
        prop_assert!((0.0..360.0).contains(&normal));
        let turns = (degrees - normal) / 360.0;
        prop_assert!((turns - turns.round()).abs() < 1e-9);
    }

    #[test]
    fn rounding_moves_by_half_a_unit_at_most(x in -1e5_f64..1e5, degrees in -720.0_f64..720.0) {
        prop_assert!((f64::from(Dot::rounded(DVec2::new(x, 0.0)).x) - x).abs() <= 0.5);
        let off = (f64::from(rounded_degrees(degrees)) - degrees).rem_euclid(360.0);
        prop_assert!(off.min(360.0 - off) <= 0.5 + 1e-9);
    }
}
