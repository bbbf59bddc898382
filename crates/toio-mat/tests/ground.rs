//! What is under a sensor: several mats and cards, what lies on what, borders, and the way back to the plane.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use sim_core::angle::{unit, wrap_rad};
use sim_core::{DVec2, ops};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use toio_mat::{Card, CenterPoint, Dot, DotRange, ExactPrinted, Ground, Mat, MatKind, MatScale, PlanePose};
use toio_mat::{PositionReading, Printed, StandardReading};

const BODY: CenterPoint = CenterPoint::BODY_CENTER;

fn mat(kind: MatKind, x_mm: f64, y_mm: f64, yaw_rad: f64) -> Mat {
    Mat::new(kind, MatScale::default(), PlanePose::new(x_mm, y_mm, yaw_rad)).unwrap()
}

fn card(name: &str, x_mm: f64, y_mm: f64, yaw_rad: f64) -> Card {
    Card::new(name.parse().unwrap(), PlanePose::new(x_mm, y_mm, yaw_rad)).unwrap()
}

fn ground(mats: &[Mat], cards: &[Card]) -> Ground {
    let mut ground = Ground::default();
    mats.iter().for_each(|mat| ground.add_mat(*mat));
    cards.iter().for_each(|card| ground.add_card(*card));
    ground
}

/// The Standard ID at a place, or the sensor's dot, in a form short to compare.
#[derive(Debug, PartialEq)]
enum Seen {
    Id(u32),
    At(i32, i32),
    Nothing,
}

fn seen(ground: &Ground, x_mm: f64, y_mm: f64) -> Seen {
    match ground.printed_under(PlanePose::new(x_mm, y_mm, 0.0), BODY) {
        Printed::Position(read) => Seen::At(read.sensor.x, read.sensor.y),
        Printed::Standard(read) => Seen::Id(read.value),
        Printed::Nothing => Seen::Nothing,
    }
}

#[test]
fn an_empty_ground_shows_nothing() {
    assert_eq!(seen(&Ground::default(), 0.0, 0.0), Seen::Nothing);
}

#[test]
fn several_mats_each_show_their_own_numbers() {
    let ground = ground(
        &[
            mat(MatKind::CollectionRing, 0.0, 0.0, 0.0),
            mat(MatKind::Gesundroid, 700.0, 0.0, 0.0),
            mat(MatKind::PicotonsControl, 0.0, 600.0, PI),
        ],
        &[],
    );
    assert_eq!(seen(&ground, 0.0, 0.0), Seen::At(250, 250));
    assert_eq!(seen(&ground, 700.0, 0.0), Seen::At(1255, 250));
    // The control mat lies upside down: 10 mm (7.34 dots) right of its middle (858.5, 2191.5) is left on the mat.
    assert_eq!(seen(&ground, 10.0, 600.0 + 10.0), Seen::At(851, 2184));
    assert_eq!(seen(&ground, 350.0, 0.0), Seen::Nothing, "the gap between two mats");
}

#[test]
fn of_two_mats_the_later_one_lies_on_top() {
    let (ring, simple) = (mat(MatKind::CollectionRing, 0.0, 0.0, 0.0), mat(MatKind::Gesundroid, 100.0, 0.0, 0.0));
    assert_eq!(seen(&ground(&[ring, simple], &[]), 100.0, 0.0), Seen::At(1255, 250));
    assert_eq!(seen(&ground(&[simple, ring], &[]), 100.0, 0.0), Seen::At(323, 250));
    // Where only the lower one lies it is still seen.
    assert_eq!(seen(&ground(&[ring, simple], &[]), -250.0, 0.0), Seen::At(67, 250));
}

#[test]
fn a_card_lies_on_mats_whenever_they_were_laid() {
    let mut ground = Ground::default();
    ground.add_card(card("typhoon", 0.0, 0.0, 0.0));
    ground.add_mat(mat(MatKind::CollectionRing, 0.0, 0.0, 0.0));
    assert_eq!(seen(&ground, 0.0, 0.0), Seen::Id(3_670_016));
    assert_eq!(seen(&ground, 28.7, -28.7), Seen::Id(3_670_016));
    assert_eq!(seen(&ground, 28.8, 0.0), Seen::At(271, 250), "beside the card, the mat");
    ground.add_card(card("simple-a", 20.0, 0.0, 0.0));
    assert_eq!(seen(&ground, 10.0, 0.0), Seen::Id(3_670_337), "the later card on top");
    assert_eq!(seen(&ground, -10.0, 0.0), Seen::Id(3_670_016));
    assert_eq!((ground.mats().len(), ground.cards().len()), (1, 2));
}

/// Degrees of a Standard ID are relative to the card, clockwise.
#[test]
fn cards_are_read_relative_to_themselves() {
    let ground = ground(&[], &[card("rush", 0.0, 0.0, 30_f64.to_radians())]);
    let read = |degrees: f64| match ground.printed_under(PlanePose::new(5.0, 5.0, degrees.to_radians()), BODY) {
        Printed::Standard(StandardReading { value: 3_670_054, degrees }) => degrees,
        other => panic!("{other:?}"),
    };
    assert_eq!((read(30.0), read(51.0), read(29.0), read(-150.0)), (0, 21, 359, 180));
    let rush = ground.cards()[0];
    assert!((rush.heading_from_degrees(21.0) - 51_f64.to_radians()).abs() < 1e-12);
    assert!((rush.degrees_from_heading(51_f64.to_radians()) - 21.0).abs() < 1e-9);
}

/// A long card turned by 45 degrees covers the diagonal and not its own unturned place.
#[test]
fn turned_cards_cover_what_they_cover() {
    let ground = ground(&[], &[card("skunk-blue", 100.0, 0.0, FRAC_PI_4)]);
    let along = |mm: f64| seen(&ground, 100.0 + mm * 0.5_f64.sqrt(), mm * 0.5_f64.sqrt());
    assert_eq!((along(89.4), along(-89.4)), (Seen::Id(3_670_078), Seen::Id(3_670_078)));
    assert_eq!((along(89.6), along(-89.6)), (Seen::Nothing, Seen::Nothing));
    assert_eq!(seen(&ground, 160.0, 0.0), Seen::Nothing);
    assert_eq!(seen(&ground, 100.0 + 60.0, 60.0), Seen::Id(3_670_078));
    assert_eq!(seen(&ground, 100.0 + 60.0, -60.0), Seen::Nothing, "clockwise is towards +y");
}

/// Facts 3.1: x1 <= x <= x2 and y1 <= y <= y2. The border is the dot's place, not half a dot beyond.
#[test]
fn borders_belong_to_the_mat() {
    for kind in MatKind::ALL {
        let mat = mat(kind, 37.0, -81.0, 1.1);
        let ground = ground(&[mat], &[]);
        let at = |x: f64, y: f64| {
            let place = mat.plane_from_dot(DVec2::new(x, y));
            seen(&ground, place.x, place.y)
        };
        let (min, max) = (mat.range().min(), mat.range().max());
        for (x, y) in [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)] {
            assert_eq!(at(f64::from(x), f64::from(y)), Seen::At(x, y), "{kind}");
        }
        let middle = mat.range().center_dot();
        for (x, y) in [
            (f64::from(min.x) - 0.01, middle.y),
            (f64::from(max.x) + 0.01, middle.y),
            (middle.x, f64::from(min.y) - 0.01),
            (middle.x, f64::from(max.y) + 0.01),
        ] {
            assert_eq!(at(x, y), Seen::Nothing, "{kind} at ({x}, {y})");
        }
    }
}

#[test]
fn borders_belong_to_the_card() {
    let ground = ground(&[], &[card("simple-5", 0.0, 0.0, FRAC_PI_2)]);
    // 40 x 37.5 mm, turned a quarter.
    for (x, y) in [(18.75, 20.0), (-18.75, 20.0), (18.75, -20.0), (-18.75, -20.0)] {
        assert_eq!(seen(&ground, x, y), Seen::Id(3_670_325));
        assert_eq!(seen(&ground, x * 1.001, y), Seen::Nothing);
        assert_eq!(seen(&ground, x, y * 1.001), Seen::Nothing);
    }
}

#[test]
fn a_pose_that_is_not_finite_reads_nothing() {
    let ground = ground(&[mat(MatKind::CollectionRing, 0.0, 0.0, 0.0)], &[card("dash", 0.0, 0.0, 0.0)]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for pose in [PlanePose::new(bad, 0.0, 0.0), PlanePose::new(0.0, bad, 0.0), PlanePose::new(0.0, 0.0, bad)] {
            assert_eq!(ground.exactly_printed_under(pose, BODY), ExactPrinted::Nothing, "{pose:?}");
        }
    }
}

#[test]
fn exact_answers_name_the_sheet_that_was_read() {
    let ground = ground(
        &[mat(MatKind::CollectionRing, 0.0, 0.0, 0.0), mat(MatKind::Gesundroid, 700.0, 0.0, 0.0)],
        &[card("dash", 50.0, 0.0, 0.0), card("baton", 200.0, 0.0, 0.0)],
    );
    let exact = |x_mm| ground.exactly_printed_under(PlanePose::new(x_mm, 0.0, 0.25), BODY);
    assert!(matches!(exact(0.0), ExactPrinted::Position(read) if read.mat == 0));
    let ExactPrinted::Position(read) = exact(701.0) else { panic!("on the second mat") };
    assert_eq!(read.mat, 1);
    assert!((read.sensor_dot - DVec2::new(1255.0 + 0.411 / 0.560, 250.0)).length() < 1e-9);
    assert!((read.degrees - 0.25_f64.to_degrees()).abs() < 1e-9);
    let ExactPrinted::Standard(read) = exact(200.0) else { panic!("on the second card") };
    assert_eq!((read.card, read.value), (1, 3_670_110));
    assert!((read.degrees - 0.25_f64.to_degrees()).abs() < 1e-9);
}

/// What a controlling program makes of a notification: the centre's place, within rounding.
#[test]
fn readings_lead_back_to_the_plane() {
    let ground =
        ground(&[mat(MatKind::CollectionRing, 0.0, 0.0, 0.4), mat(MatKind::Gesundroid, 700.0, 0.0, -2.0)], &[]);
    for (x_mm, y_mm) in [(0.0, 0.0), (-200.0, 130.0), (650.0, 77.0)] {
        for degrees in (0..360).step_by(45) {
            let body = PlanePose::new(x_mm, y_mm, f64::from(degrees).to_radians());
            let Printed::Position(read) = ground.printed_under(BODY.sensor_from_center(body), BODY) else {
                panic!("{body:?} is on a mat")
            };
            let learnt = ground.pose_from_reading(read).unwrap();
            // Half a dot along each axis, half a degree.
            assert!(learnt.position_mm.distance(body.position_mm) <= 0.5_f64.sqrt() * 1.3626, "{body:?}");
            assert!(wrap_rad(learnt.heading_rad - body.heading_rad).abs() <= 0.5_f64.to_radians() + 1e-12);
        }
    }
    let nowhere = PositionReading { center: Dot { x: 500, y: 250 }, sensor: Dot { x: 500, y: 250 }, degrees: 0 };
    assert_eq!(ground.pose_from_reading(nowhere), None);
}

/// The sensor says which mat it is, not the centre, which may lie over the other one's numbers.
#[test]
fn the_sensor_decides_whose_numbers_they_are() {
    let custom = |x1: u16, x2: u16| MatKind::Custom(DotRange::new([x1, 0], [x2, 100]).unwrap());
    let (left, right) = (mat(custom(0, 100), 0.0, 0.0, 0.0), mat(custom(101, 200), 0.0, 500.0, 0.0));
    let ground = ground(&[left, right], &[]);
    let read = PositionReading { center: Dot { x: 105, y: 50 }, sensor: Dot { x: 95, y: 50 }, degrees: 0 };
    let pose = ground.pose_from_reading(read).unwrap();
    // 55 dots right of the left mat's middle.
    assert!((pose.position_mm - DVec2::new(55.0 * 0.560 / 0.411, 0.0)).length() < 1e-9);
    // A second copy of a mat cannot be distinguished from the first: the one on top is meant.
    let mut doubled = ground.clone();
    doubled.add_mat(mat(custom(0, 100), 0.0, -900.0, 0.0));
    assert!((doubled.pose_from_reading(read).unwrap().position_mm.y + 900.0).abs() < 1e-9);
}

/// A rigid motion of everything, sheets and cube, changes no reading.
fn moved(pose: PlanePose, by: PlanePose) -> PlanePose {
    let (axis, p) = (unit(by.heading_rad), pose.position_mm);
    PlanePose {
        position_mm: by.position_mm + axis * p.x + axis.perp() * p.y,
        heading_rad: pose.heading_rad + by.heading_rad,
    }
}

proptest! {
    #[test]
    fn readings_do_not_depend_on_where_everything_lies(
        x in -400.0..400.0, y in -300.0..300.0, heading in -3.0..3.0,
        dx in -1e4..1e4, dy in -1e4..1e4, turn in -3.0..3.0,
    ) {
        let poses = [PlanePose::new(0.0, 0.0, 0.2), PlanePose::new(150.0, 20.0, -0.5)];
        let by = PlanePose::new(dx, dy, turn);
        let laid = |by: PlanePose| {
            let mut ground = Ground::default();
            ground.add_mat(Mat::new(MatKind::CollectionRing, MatScale::default(), moved(poses[0], by)).unwrap());
            ground.add_card(Card::new("skunk-brown".parse().unwrap(), moved(poses[1], by)).unwrap());
            ground
        };
        let cube = PlanePose::new(x, y, heading);
        let here = laid(PlanePose::ORIGIN).exactly_printed_under(cube, BODY);
        let there = laid(by).exactly_printed_under(moved(cube, by), BODY);
        let turn_between = |a: f64, b: f64| wrap_rad((a - b).to_radians()).abs();
        match (here, there) {
            (ExactPrinted::Nothing, ExactPrinted::Nothing) => {}
            (ExactPrinted::Standard(a), ExactPrinted::Standard(b)) => {
                prop_assert!(a.value == b.value && turn_between(a.degrees, b.degrees) < 1e-9);
            }
            (ExactPrinted::Position(a), ExactPrinted::Position(b)) => {
                prop_assert!(a.sensor_dot.distance(b.sensor_dot) < 1e-7);
                prop_assert!(a.center_dot.distance(b.center_dot) < 1e-7);
                prop_assert!(turn_between(a.degrees, b.degrees) < 1e-9);
            }
            // Only within the slack of a border, a millionth of a dot, could last digits decide: no draw comes that near.
            (a, b) => prop_assert!(false, "{a:?} became {b:?}"),
        }
    }

    /// Whatever is asked, an answered position is on its mat, and the sensor's dot is in the range.
    #[test]
    fn positions_are_always_in_range(x in -400.0..400.0, y in -400.0..400.0, heading in -10.0..10.0, yaw in -10.0..10.0) {
        let mat = mat(MatKind::CollectionTiles, 12.0, 34.0, yaw);
        let ground = ground(&[mat], &[]);
        match ground.printed_under(PlanePose::new(x, y, heading), BODY) {
            Printed::Position(read) => {
                prop_assert!(mat.contains_mm(DVec2::new(x, y)) && mat.range().contains(read.sensor));
                prop_assert!(read.degrees < 360);
            }
            other => prop_assert!(other == Printed::Nothing && !mat.contains_mm(DVec2::new(x, y))),
        }
    }
}

/// A mat that was moved shows `(xc, yc) + k Rot(-w) (X - P)` and `h - w`, as one that always lay there (toio facts, section 1.3).
#[test]
fn a_moved_mat_shows_its_numbers_round_its_new_middle() {
    let (yaw_rad, to) = (FRAC_PI_4 / 3.0, DVec2::new(-340.5, 77.25));
    let moved = mat(MatKind::CollectionRing, 10.0, 20.0, 1.0).moved_to(PlanePose::new(to.x, to.y, yaw_rad)).unwrap();
    let place = DVec2::new(-290.0, 30.0);
    let ground = ground(&[moved], &[]);
    let ExactPrinted::Position(read) = ground.exactly_printed_under(PlanePose::new(place.x, place.y, 0.5), BODY) else {
        panic!("it lies there");
    };
    let (sin, cos) = ops::sin_cos(yaw_rad);
    let (dx, dy, k) = (place.x - to.x, place.y - to.y, MatScale::default().dot_per_m() / 1000.0);
    let dot = DVec2::new(250.0 + k * (cos * dx + sin * dy), 250.0 + k * (cos * dy - sin * dx));
    assert!(read.sensor_dot.distance(dot) < 1e-9, "{} {dot}", read.sensor_dot);
    assert!((read.degrees - (0.5 - yaw_rad).to_degrees()).abs() < 1e-9);
    assert_eq!(seen(&ground, 10.0, 20.0), Seen::Nothing);
}

#[test]
fn a_moved_card_is_the_same_card() {
    let here = card("typhoon", 0.0, 0.0, 0.0);
    let there = here.moved_to(PlanePose::new(100.0, 0.0, FRAC_PI_2)).unwrap();
    assert_eq!((there.value(), there.size_mm()), (here.value(), here.size_mm()));
    let ground = ground(&[], &[there]);
    assert_eq!([seen(&ground, 100.0, 0.0), seen(&ground, 0.0, 0.0)], [Seen::Id(3_670_016), Seen::Nothing]);
    assert!(here.moved_to(PlanePose::new(2e6, 0.0, 0.0)).is_err());
}
