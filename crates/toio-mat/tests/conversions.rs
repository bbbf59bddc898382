//! Between mat units, the plane and the world (facts, sections 1.1 to 1.3 and 2.2).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use sim_core::DVec2;
use sim_core::angle::wrap_rad;
use std::f64::consts::{FRAC_PI_2, PI};
use toio_mat::{Dot, DotPose, Mat, MatKind, MatScale, PlanePose, plane_mm_from_world_m, world_m_from_plane_mm};

fn assert_near(found: DVec2, expected: (f64, f64)) {
    assert!((found - DVec2::new(expected.0, expected.1)).length() < 1e-9, "{found} is not {expected:?}");
}

fn ring(pose: PlanePose) -> Mat {
    Mat::new(MatKind::CollectionRing, MatScale::default(), pose).unwrap()
}

/// Sections 1.1, 1.2, 1.4, 2.2 and 3.2 give these lengths both ways; half a unit of their last digit is allowed.
#[test]
fn lengths_of_the_facts_in_dots() {
    let scale = MatScale::default();
    assert!((scale.dot_per_m() - 733.928_571).abs() < 5e-7);
    for (mm, dot, digit) in [
        (31.8, 23.34, 5e-3),
        (26.6, 19.5225, 5e-5),
        (14.9, 10.936, 1e-3),
        (9.4, 6.899, 5e-4),
        (3.8, 2.8, 5e-2),
        (1.36253, 1.0, 5e-6),
        (560.0, 411.0, 1e-9),
        // Speeds: mm/s a command unit, and at 115 units.
        (2.814_343, 2.065_527, 5e-7),
        (323.65, 237.54, 1e-2),
    ] {
        assert!((scale.dot_from_mm(mm) - dot).abs() <= digit, "{mm} mm are {} dot", scale.dot_from_mm(mm));
        assert!((scale.mm_from_dot(scale.dot_from_mm(mm)) - mm).abs() < 1e-12 * mm.max(1.0));
    }
    assert!((scale.mm_from_dot(67.0) - 91.0).abs() < 0.5);
}

/// Section 1.2: 726.19 dot/m from the sheets, 1.377 mm a dot, 2.0437 dot/s a command unit.
#[test]
fn the_scale_of_the_sheets() {
    let sheets = MatScale::A3_SHEETS;
    assert!((sheets.dot_per_m() - 726.19).abs() < 5e-3);
    assert!((sheets.mm_from_dot(1.0) - 1.377).abs() < 5e-4);
    assert!((sheets.mm_from_dot(305.0) - 420.0).abs() < 1e-9);
    assert!((sheets.mm_from_dot(915.0) - 1260.0).abs() < 1e-9);
    let given = MatScale::new(726.19).unwrap();
    assert!((given.dot_from_mm(2.814_34) - 2.0437).abs() < 5e-5);
}

/// The scale reaches every conversion of a mat: 100 mm right of the middle are 72.619 dots.
#[test]
fn a_mat_of_726_19_dots_per_metre() {
    let scale = MatScale::new(726.19).unwrap();
    let mat = Mat::new(MatKind::Simple, scale, PlanePose::new(50.0, 60.0, 0.0)).unwrap();
    assert_near(mat.dot_from_plane(DVec2::new(150.0, 60.0)), (250.0 + 72.619, 250.0));
    assert_near(mat.plane_from_dot(DVec2::new(250.0, 250.0 + 72.619)), (50.0, 160.0));
    assert!((mat.size_mm().x - 304.0 / 0.726_19).abs() < 1e-9);
    assert!(mat.contains_mm(DVec2::new(50.0 + 209.3, 60.0)) && !mat.contains_mm(DVec2::new(50.0 + 209.4, 60.0)));
}

/// Section 1.3: with no mat given the middle is (250, 250) and nothing is turned.
#[test]
fn the_middle_of_the_ring_is_250_250() {
    let mat = ring(PlanePose::ORIGIN);
    assert_near(mat.dot_from_plane(DVec2::ZERO), (250.0, 250.0));
    // x right, y down: half of 411 dots of 560 mm.
    assert_near(mat.dot_from_plane(DVec2::new(280.0, -140.0)), (250.0 + 205.5, 250.0 - 102.75));
}

/// A mat turned by 90 degrees has its x pointing down the plane and its y to the left.
#[test]
fn yaw_turns_the_mat_clockwise() {
    let mat = ring(PlanePose::new(1000.0, 500.0, FRAC_PI_2));
    let dots = 100.0 * 0.411 / 0.560;
    assert_near(mat.dot_from_plane(DVec2::new(1000.0, 600.0)), (250.0 + dots, 250.0));
    assert_near(mat.dot_from_plane(DVec2::new(900.0, 500.0)), (250.0, 250.0 + dots));
    assert_near(mat.plane_from_dot(DVec2::new(250.0 - dots, 250.0)), (1000.0, 400.0));
    assert!((mat.degrees_from_heading(FRAC_PI_2) - 0.0).abs() < 1e-9);
    assert!((mat.degrees_from_heading(PI) - 90.0).abs() < 1e-9);
    assert!((mat.degrees_from_heading(0.0) - 270.0).abs() < 1e-9);
    assert!((mat.heading_from_degrees(90.0) - PI).abs() < 1e-9);
}

/// Section 1.3 in Unity's own terms: `mat = (xc, yc) + DotPerM Rot(-phi) (X - Px, -(Z - Pz))`, metres, and
/// `matDeg = UnityYaw - phi - 90`. A cube with Unity yaw 90 drives along Unity's X, which is the plane's x.
#[test]
fn the_formula_of_the_unity_simulator() {
    let (phi_deg, place, mat_place, unity_yaw_deg) = (30.0_f64, (0.20, -0.05), (0.15, 0.10), 200.0_f64);
    let mat = ring(PlanePose::new(mat_place.0 * 1000.0, -mat_place.1 * 1000.0, phi_deg.to_radians()));
    let (dx, dy) = (place.0 - mat_place.0, -(place.1 - mat_place.1));
    // Rot(-30 degrees), with its cosine and sine in closed form.
    let (cos, sin) = (3.0_f64.sqrt() / 2.0, 0.5);
    let expected = (250.0 + 411.0 / 0.560 * (dx * cos + dy * sin), 250.0 + 411.0 / 0.560 * (dy * cos - dx * sin));
    assert_near(mat.dot_from_plane(DVec2::new(place.0 * 1000.0, -place.1 * 1000.0)), expected);
    let heading_rad = (unity_yaw_deg - 90.0).to_radians();
    assert!((mat.degrees_from_heading(heading_rad) - 80.0).abs() < 1e-9);
}

/// World: x right, y up the picture, z up, so a clockwise heading is a negative yaw.
#[test]
fn the_world_is_the_plane_in_metres_with_y_against_it() {
    assert_eq!(world_m_from_plane_mm(DVec2::new(1500.0, 250.0)), DVec2::new(1.5, -0.25));
    assert_eq!(plane_mm_from_world_m(DVec2::new(1.5, -0.25)), DVec2::new(1500.0, 250.0));
    let pose = PlanePose::from_world(DVec2::new(0.1, 0.2), FRAC_PI_2);
    assert_eq!(pose, PlanePose::new(100.0, -200.0, -FRAC_PI_2));
    assert_eq!(pose.world_yaw_rad(), FRAC_PI_2);
    // Half a turn is +pi on both sides.
    assert_eq!(PlanePose::from_world(DVec2::ZERO, PI).heading_rad, PI);
    assert_eq!(PlanePose::new(0.0, 0.0, PI).world_yaw_rad(), PI);
}

#[test]
fn an_anchored_mat_has_its_dot_at_the_anchor() {
    let anchor = PlanePose::new(30.0, -40.0, 2.5);
    for dot in [Dot { x: 45, y: 45 }, Dot { x: 455, y: 200 }, Dot { x: 0, y: 0 }, Dot { x: -300, y: 9000 }] {
        let mat = Mat::anchored(MatKind::CollectionRing, MatScale::A3_SHEETS, dot, anchor).unwrap();
        assert_near(mat.plane_from_dot(dot.exact()), (30.0, -40.0));
        assert_eq!(mat.pose().heading_rad, 2.5);
        assert_eq!(mat.scale(), MatScale::A3_SHEETS);
    }
    // The upper left corner at the origin: the mat lies where a swarm's plane does.
    let mat = Mat::anchored(MatKind::Simple, MatScale::default(), Dot { x: 98, y: 142 }, PlanePose::ORIGIN).unwrap();
    assert!((mat.corners_mm()[0]).length() < 1e-9);
    assert_near(mat.corners_mm()[2], (304.0 / 0.411 * 0.560, 216.0 / 0.411 * 0.560));
}

fn any_mat() -> impl Strategy<Value = Mat> {
    (0..MatKind::ALL.len(), 200.0_f64..2000.0, -1e5_f64..1e5, -1e5_f64..1e5, -10.0_f64..10.0).prop_map(
        |(kind, dot_per_m, x, y, yaw)| {
            Mat::new(MatKind::ALL[kind], MatScale::new(dot_per_m).unwrap(), PlanePose::new(x, y, yaw)).unwrap()
        },
    )
}

proptest! {
    /// Whole units of a program come back as they were: 1e5 mm away rounding errors are below 1e-9 dot.
    #[test]
    fn whole_dots_and_degrees_survive_the_plane(mat in any_mat(), x in 0..65_535, y in 0..65_535, degrees in 0_u16..360) {
        let dots = DotPose { dot: Dot { x, y }, degrees };
        prop_assert_eq!(mat.dots_from_pose(mat.pose_from_dots(dots)), dots);
    }

    #[test]
    fn places_survive_the_mat(mat in any_mat(), x in -1e5_f64..1e5, y in -1e5_f64..1e5, heading in -3.1_f64..3.1) {
        let place = DVec2::new(x, y);
        prop_assert!((mat.plane_from_dot(mat.dot_from_plane(place)) - place).length() < 1e-8);
        let back = mat.heading_from_degrees(mat.degrees_from_heading(heading));
        prop_assert!(back > -PI && back <= PI);
        prop_assert!(wrap_rad(back - heading).abs() < 1e-12);
    }

    /// A mat turns and scales, and does nothing else: distances keep their ratio, and so do signed areas (no mirror).
    #[test]
    fn a_mat_is_a_similarity(mat in any_mat(), ax in -500.0..500.0, ay in -500.0..500.0, bx in -500.0..500.0, by in -500.0..500.0) {
        let middle = mat.pose().position_mm;
        let dots = |x, y| mat.dot_from_plane(middle + DVec2::new(x, y)) - mat.range().center_dot();
        let per_mm = mat.scale().dot_per_m() / 1000.0;
        let (a, b) = (dots(ax, ay), dots(bx, by));
        prop_assert!((a.length() - per_mm * DVec2::new(ax, ay).length()).abs() < 1e-7);
        let area = per_mm * per_mm * DVec2::new(ax, ay).perp_dot(DVec2::new(bx, by));
        prop_assert!((a.perp_dot(b) - area).abs() < 1e-3);
    }

    /// What a program makes of rounded units is within half a dot along each axis of the mat, and half a degree.
    #[test]
    fn rounded_poses_are_near_the_true_ones(mat in any_mat(), x in -300.0..300.0, y in -300.0..300.0, heading in -3.1_f64..3.1) {
        let at = mat.pose().position_mm + DVec2::new(x, y);
        let pose = PlanePose { position_mm: at, heading_rad: heading };
        let learnt = mat.pose_from_dots(mat.dots_from_pose(pose));
        let half_diagonal_mm = mat.scale().mm_from_dot(0.5_f64.sqrt());
        prop_assert!(learnt.position_mm.distance(at) <= half_diagonal_mm + 1e-8);
        prop_assert!(wrap_rad(learnt.heading_rad - heading).abs() <= 0.5_f64.to_radians() + 1e-12);
    }

    #[test]
    fn the_world_and_back(x in -1e4_f64..1e4, y in -1e4_f64..1e4, yaw in -3.1_f64..3.1) {
        let pose = PlanePose::from_world(DVec2::new(x, y), yaw);
        prop_assert!((world_m_from_plane_mm(pose.position_mm) - DVec2::new(x, y)).length() < 1e-11);
        prop_assert!(wrap_rad(pose.world_yaw_rad() - yaw).abs() < 1e-15);
    }
}
