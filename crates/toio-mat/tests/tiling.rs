//! The twelve developer mats as one field of 3 columns and 4 rows (facts, section 3.1).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::DVec2;
use toio_mat::{CenterPoint, Dot, DotRange, Ground, Mat, MatKind, MatScale, PlanePose, Printed};

const CORNER: Dot = Dot { x: 34, y: 35 };
const ANCHOR: PlanePose = PlanePose::new(25.0, -60.0, 0.35);

fn sheets() -> Vec<MatKind> {
    (1..=12).map(|n| format!("developer-{n}").parse().unwrap()).collect()
}

fn anchored(kind: MatKind) -> Mat {
    Mat::anchored(kind, MatScale::A3_SHEETS, CORNER, ANCHOR).unwrap()
}

fn ground_of(kinds: &[MatKind]) -> Ground {
    let mut ground = Ground::default();
    kinds.iter().for_each(|kind| ground.add_mat(anchored(*kind)));
    ground
}

fn read(ground: &Ground, dot: DVec2) -> Printed {
    let at = anchored(MatKind::DeveloperField).plane_from_dot(dot);
    ground.printed_under(PlanePose::new(at.x, at.y, 1.9), CenterPoint::BODY_CENTER)
}

fn holders(x: i32, y: i32) -> usize {
    sheets().iter().filter(|kind| kind.range().contains(Dot { x, y })).count()
}

/// Numbering goes on from sheet to sheet: every dot of the field is on exactly one of them, and none is outside.
#[test]
fn every_dot_of_the_field_is_on_exactly_one_sheet() {
    for x in 30..955 {
        for y in 30..905 {
            let on_field = MatKind::DeveloperField.range().contains(Dot { x, y });
            assert_eq!(holders(x, y), usize::from(on_field), "({x}, {y})");
        }
    }
}

/// Sheets go down a column first: 1 to 4, then 5 to 8, then 9 to 12.
#[test]
fn sheets_are_numbered_down_the_columns() {
    let sheets = sheets();
    let column = |n: usize| sheets[n - 1].range().min().x;
    let row = |n: usize| sheets[n - 1].range().min().y;
    for n in 1..=12 {
        assert_eq!(column(n), [34, 340, 645][(n - 1) / 4], "{n}");
        assert_eq!(row(n), 35 + 216 * ((n as i32 - 1) % 4), "{n}");
    }
}

/// Sheets laid at one anchor and the field as one mat give the same readings, at every whole dot, centres and degrees included.
#[test]
fn separate_sheets_and_the_field_read_the_same() {
    let (separate, field) = (ground_of(&sheets()), ground_of(&[MatKind::DeveloperField]));
    let mut on_sheets = 0;
    for x in (34..=949).step_by(9).chain([339, 340, 644, 645, 949]) {
        for y in (35..=898).step_by(9).chain([250, 251, 466, 467, 682, 683, 898]) {
            let dot = Dot { x, y };
            let answer = read(&separate, dot.exact());
            assert!(matches!(answer, Printed::Position(read) if read.sensor == dot), "{dot:?} reads {answer:?}");
            assert_eq!(answer, read(&field, dot.exact()), "{dot:?}");
            on_sheets += 1;
        }
    }
    assert!(on_sheets > 10_000);
}

/// Across the seams the field's numbers never jump: a tenth of a dot on the plane is a tenth of a dot in the reading.
#[test]
fn the_field_has_no_seams_and_separate_sheets_have_one_of_a_dot() {
    let (separate, field) = (ground_of(&sheets()), ground_of(&[MatKind::DeveloperField]));
    for tenth in 3300..6600 {
        let x = f64::from(tenth) / 10.0;
        let dot = DVec2::new(x, 100.25);
        let Printed::Position(on_field) = read(&field, dot) else { panic!("{x} is on the field") };
        assert!((f64::from(on_field.sensor.x) - x).abs() <= 0.5 + 1e-9, "{x} reads {}", on_field.sensor.x);
        let in_seam = (x > 339.01 && x < 339.99) || (x > 644.01 && x < 644.99);
        assert_eq!(read(&separate, dot) == Printed::Nothing, in_seam, "{x}");
    }
}

/// The A3 sheets' own scale makes the field 1260 mm wide (facts, section 3.1).
#[test]
fn the_field_spans_its_sheets() {
    let (field, first, last) =
        (anchored(MatKind::DeveloperField), anchored(MatKind::Developer1), anchored(MatKind::Developer12));
    assert!(field.corners_mm()[0].distance(ANCHOR.position_mm) < 1e-9);
    assert!(field.corners_mm()[0].distance(first.corners_mm()[0]) < 1e-9);
    assert!(field.corners_mm()[2].distance(last.corners_mm()[2]) < 1e-9);
    assert!((field.corners_mm()[0].distance(field.corners_mm()[1]) - 1260.0).abs() < 1e-9);
    assert_eq!(field.range(), DotRange::new([34, 35], [949, 898]).unwrap());
}
