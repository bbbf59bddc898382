//! Where the centre of a reading is (facts, section 1.4).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use sim_core::DVec2;
use toio_mat::{CenterPoint, Dot, ExactPrinted, Ground, Mat, MatKind, MatScale, PlanePose, PositionReading, Printed};

/// Byte vector V01: centre (709, 383) 306 degrees, sensor (700, 386) 306 degrees.
const V01: [u8; 13] = [0x01, 0xc5, 0x02, 0x7f, 0x01, 0x32, 0x01, 0xbc, 0x02, 0x82, 0x01, 0x32, 0x01];

fn v01() -> PositionReading {
    let word = |at: usize| u16::from_le_bytes([V01[at], V01[at + 1]]);
    let dot = |at: usize| Dot { x: i32::from(word(at)), y: i32::from(word(at + 2)) };
    assert_eq!(word(5), word(11), "both angles of the notification are the same");
    PositionReading { center: dot(1), sensor: dot(7), degrees: word(5) }
}

/// The tile side, on which V01 was read, somewhere on the plane; the reading must not depend on where.
fn tiles(pose: PlanePose) -> (Ground, Mat) {
    let mat = Mat::new(MatKind::CollectionTiles, MatScale::default(), pose).unwrap();
    let mut ground = Ground::default();
    ground.add_mat(mat);
    (ground, mat)
}

fn exact_center_at_v01(center: CenterPoint) -> DVec2 {
    let (ground, mat) = tiles(PlanePose::new(120.0, -30.0, 0.7));
    let sensor = mat.pose_from_dots(v01().sensor_pose());
    match ground.exactly_printed_under(sensor, center) {
        ExactPrinted::Position(exact) => exact.center_dot,
        other => panic!("{other:?}"),
    }
}

/// Section 1.4 derives from V01 that its centre lies 10.5 mm ahead and 7.5 mm right of its sensor. So does ours.
#[test]
fn v01_with_the_offsets_that_it_implies() {
    let (ground, mat) = tiles(PlanePose::new(120.0, -30.0, 0.7));
    let sensor = mat.pose_from_dots(v01().sensor_pose());
    let read = ground.printed_under(sensor, CenterPoint::new(10.5, 7.5).unwrap());
    assert_eq!(read, Printed::Position(v01()));
}

/// With cos 306 = 0.587785 and sin 306 = -0.809017, f and r in dots, by hand: the body's centre comes within 1.5 dots of the
/// example's, the axle's middle does not.
#[test]
fn v01_fits_the_body_centre_and_not_the_axle() {
    let (cos, sin) = (0.587_785, -0.809_017);
    for (center, f, r, fits) in
        [(CenterPoint::BODY_CENTER, 8.1466, 6.8989, true), (CenterPoint::AXLE_MIDPOINT, 10.9355, 6.8989, false)]
    {
        let exact = exact_center_at_v01(center);
        let by_hand = DVec2::new(700.0 + f * cos - r * sin, 386.0 + f * sin + r * cos);
        assert!(exact.distance(by_hand) < 1e-3, "{exact} is not {by_hand}");
        assert_eq!(exact.distance(v01().center.exact()) < 1.5, fits, "{exact}");
    }
}

/// Section 1.1: 14.9 mm behind the axle, 11.1 mm behind the centre, 9.4 mm left; section 1.4: 10.936 and 6.899 dots.
#[test]
fn the_two_conventions_of_the_facts() {
    let (body, axle) = (CenterPoint::BODY_CENTER, CenterPoint::AXLE_MIDPOINT);
    assert_eq!((body.forward_mm(), body.right_mm()), (11.1, 9.4));
    assert_eq!((axle.forward_mm(), axle.right_mm()), (14.9, 9.4));
    assert_eq!(("body-center".parse(), "axle-midpoint".parse()), (Ok(body), Ok(axle)));
    assert_eq!(CenterPoint::default(), body);
    let error = "axle".parse::<CenterPoint>().unwrap_err();
    assert_eq!(error.to_string(), "\"axle\" is no centre point, must be one of body-center, axle-midpoint");
}

/// At the four main headings the formula can be read off: forward is right, down, left, up of the plane.
#[test]
fn forward_and_right_at_the_main_headings() {
    let center = CenterPoint::new(3.0, 2.0).unwrap();
    for (degrees, x, y) in [(0.0, 3.0, 2.0), (90.0, -2.0, 3.0), (180.0, -3.0, -2.0), (270.0, 2.0, -3.0)] {
        let found = center.offset_mm(f64::to_radians(degrees));
        assert!((found - DVec2::new(x, y)).length() < 1e-12, "{degrees}: {found}");
    }
}

/// Section 1.4: turning on the spot, about the axle, moves a body centre on a circle of 3.8 mm (2.8 dots), and the axle not at all.
#[test]
fn a_spin_about_the_axle_moves_the_body_centre_on_a_circle() {
    let (ground, mat) = tiles(PlanePose::ORIGIN);
    let axle_dot = mat.range().center_dot();
    for degrees in (0..360).step_by(5) {
        let axle = PlanePose::new(0.0, 0.0, f64::from(degrees).to_radians());
        let sensor = CenterPoint::AXLE_MIDPOINT.sensor_from_center(axle);
        let distance_dot = |center| match ground.exactly_printed_under(sensor, center) {
            ExactPrinted::Position(exact) => exact.center_dot.distance(axle_dot),
            other => panic!("{other:?}"),
        };
        assert!((distance_dot(CenterPoint::BODY_CENTER) - 3.8 * 0.411 / 0.560).abs() < 1e-9);
        assert!(distance_dot(CenterPoint::AXLE_MIDPOINT) < 1e-9);
    }
}

/// At the mat's edge the sensor decides: the centre goes on being counted, even left of column 0.
#[test]
fn a_centre_may_lie_off_the_mat() {
    let kind = MatKind::Custom(toio_mat::DotRange::new([0, 0], [100, 100]).unwrap());
    let mat = Mat::new(kind, MatScale::new(1000.0).unwrap(), PlanePose::ORIGIN).unwrap();
    let mut ground = Ground::default();
    ground.add_mat(mat);
    let read = |x_mm, degrees: f64| {
        ground.printed_under(PlanePose::new(x_mm, 0.0, degrees.to_radians()), CenterPoint::new(20.0, 0.0).unwrap())
    };
    let expected = PositionReading { center: Dot { x: -18, y: 50 }, sensor: Dot { x: 2, y: 50 }, degrees: 180 };
    assert_eq!(read(-48.0, 180.0), Printed::Position(expected));
    // The other way round, the centre on the mat and the sensor off it, nothing is read.
    assert_eq!(read(-52.0, 0.0), Printed::Nothing);
}

#[test]
fn impossible_offsets_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, 100.1, -100.1] {
        assert_eq!(CenterPoint::new(bad, 0.0).unwrap_err().field, "forward_mm");
        assert_eq!(CenterPoint::new(0.0, bad).unwrap_err().field, "right_mm");
    }
}

proptest! {
    #[test]
    fn sensor_and_centre_invert_each_other(
        x in -1e4..1e4, y in -1e4..1e4, heading in -10.0..10.0, f in -100.0..100.0, r in -100.0..100.0,
    ) {
        let center = CenterPoint::new(f, r).unwrap();
        let sensor = PlanePose::new(x, y, heading);
        let there = center.center_from_sensor(sensor);
        prop_assert!((there.position_mm.distance(sensor.position_mm) - DVec2::new(f, r).length()).abs() < 1e-9);
        let back = center.sensor_from_center(there);
        prop_assert!(back.position_mm.distance(sensor.position_mm) < 1e-9);
        prop_assert_eq!(back.heading_rad, heading);
    }

    /// The centre that a mat reports is where the plane's geometry puts it, however the mat lies.
    #[test]
    fn the_reported_centre_is_the_plane_s(yaw in -4.0..4.0, x in -150.0..150.0, y in -150.0..150.0, heading in -4.0..4.0) {
        let (ground, mat) = tiles(PlanePose::new(15.0, 25.0, yaw));
        let sensor = PlanePose::new(x, y, heading);
        let ExactPrinted::Position(exact) = ground.exactly_printed_under(sensor, CenterPoint::AXLE_MIDPOINT) else {
            return Err(TestCaseError::fail("the sensor is on the mat"));
        };
        let on_plane = CenterPoint::AXLE_MIDPOINT.center_from_sensor(sensor).position_mm;
        prop_assert!(mat.plane_from_dot(exact.center_dot).distance(on_plane) < 1e-9);
    }
}
