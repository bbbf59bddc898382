//! The mats of the facts, section 3.1: names, ranges, sizes, and what no mat can be.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::DVec2;
use toio_mat::{CenterPoint, Dot, DotRange, Ground, Mat, MatKind, MatScale, PlanePose, Printed};

/// Section 3.1, row by row: name, x1, y1, x2, y2.
const TABLE: [(&str, [i32; 4]); 22] = [
    ("collection-ring", [45, 45, 455, 455]),
    ("collection-tiles", [545, 45, 955, 455]),
    ("picotons-play-front", [59, 2088, 437, 2285]),
    ("picotons-play-back", [59, 2303, 437, 2499]),
    ("picotons-control", [764, 2093, 953, 2290]),
    ("picotons-auto-play", [554, 2093, 742, 2290]),
    ("simple", [98, 142, 402, 358]),
    ("developer-1", [34, 35, 339, 250]),
    ("developer-2", [34, 251, 339, 466]),
    ("developer-3", [34, 467, 339, 682]),
    ("developer-4", [34, 683, 339, 898]),
    ("developer-5", [340, 35, 644, 250]),
    ("developer-6", [340, 251, 644, 466]),
    ("developer-7", [340, 467, 644, 682]),
    ("developer-8", [340, 683, 644, 898]),
    ("developer-9", [645, 35, 949, 250]),
    ("developer-10", [645, 251, 949, 466]),
    ("developer-11", [645, 467, 949, 682]),
    ("developer-12", [645, 683, 949, 898]),
    ("developer-field", [34, 35, 949, 898]),
    ("gesundroid", [1050, 45, 1460, 455]),
    ("custom", [98, 142, 402, 358]),
];

fn corners(range: DotRange) -> [i32; 4] {
    [range.min().x, range.min().y, range.max().x, range.max().y]
}

fn at_origin(kind: MatKind) -> Mat {
    Mat::new(kind, MatScale::default(), PlanePose::ORIGIN).unwrap()
}

#[test]
fn every_row_of_the_table_has_its_name_and_range() {
    assert_eq!(MatKind::ALL.len(), TABLE.len());
    for ((name, expected), listed) in TABLE.into_iter().zip(MatKind::ALL) {
        let kind: MatKind = name.parse().unwrap();
        assert_eq!(kind, listed, "{name}");
        assert_eq!((kind.name(), kind.to_string().as_str()), (name, name));
        assert_eq!(corners(kind.range()), expected, "{name}");
    }
}

/// A look-up by name alone would also pass if variants were mixed up among each other.
#[test]
fn variants_are_what_they_are_called() {
    for (kind, name) in [
        (MatKind::CollectionRing, "collection-ring"),
        (MatKind::CollectionTiles, "collection-tiles"),
        (MatKind::PicotonsPlayFront, "picotons-play-front"),
        (MatKind::PicotonsPlayBack, "picotons-play-back"),
        (MatKind::PicotonsControl, "picotons-control"),
        (MatKind::PicotonsAutoPlay, "picotons-auto-play"),
        (MatKind::Simple, "simple"),
        (MatKind::Developer1, "developer-1"),
        (MatKind::Developer2, "developer-2"),
        (MatKind::Developer3, "developer-3"),
        (MatKind::Developer4, "developer-4"),
        (MatKind::Developer5, "developer-5"),
        (MatKind::Developer6, "developer-6"),
        (MatKind::Developer7, "developer-7"),
        (MatKind::Developer8, "developer-8"),
        (MatKind::Developer9, "developer-9"),
        (MatKind::Developer10, "developer-10"),
        (MatKind::Developer11, "developer-11"),
        (MatKind::Developer12, "developer-12"),
        (MatKind::DeveloperField, "developer-field"),
        (MatKind::Gesundroid, "gesundroid"),
        (MatKind::CUSTOM_DEFAULT, "custom"),
    ] {
        assert_eq!(kind.name(), name);
    }
}

#[test]
fn an_unknown_name_is_answered_with_all_names() {
    let error = "ring".parse::<MatKind>().unwrap_err();
    assert_eq!(error.known, TABLE.map(|(name, _)| name));
    let text = error.to_string();
    assert!(text.starts_with("\"ring\" is no mat, must be one of collection-ring, collection-tiles, "), "{text}");
    assert!(text.ends_with(", developer-field, gesundroid, custom"), "{text}");
    assert!("Simple".parse::<MatKind>().is_err() && "".parse::<MatKind>().is_err());
}

/// Section 3.1: 410 dot are 558.6 mm; section 1.2: 411 dot are 560 mm, and 915 dot are 1260 mm on the A3 sheets.
#[test]
fn prints_have_the_sizes_of_the_facts() {
    assert!((at_origin(MatKind::CollectionRing).size_mm() - DVec2::splat(558.6375)).length() < 1e-3);
    let eleven = MatKind::Custom(DotRange::new([45, 45], [456, 456]).unwrap());
    assert!((at_origin(eleven).size_mm() - DVec2::splat(560.0)).length() < 1e-9);
    let field = Mat::new(MatKind::DeveloperField, MatScale::A3_SHEETS, PlanePose::ORIGIN).unwrap();
    // 863 dot of 420 / 305 mm; the sheets are 4 x 297 = 1188 mm high.
    assert!((field.size_mm() - DVec2::new(1260.0, 863.0 * 420.0 / 305.0)).length() < 1e-9);
    assert!((field.size_mm().y - 1188.0).abs() < 0.5);
}

#[test]
fn corners_run_clockwise_from_the_upper_left() {
    let mat = Mat::new(
        MatKind::Custom(DotRange::new([0, 0], [200, 100]).unwrap()),
        MatScale::new(1000.0).unwrap(),
        PlanePose::new(10.0, 20.0, std::f64::consts::FRAC_PI_2),
    )
    .unwrap();
    // 200 x 100 mm, turned a quarter clockwise: the mat's x runs down, its y to the left.
    let expected = [(60.0, -80.0), (60.0, 120.0), (-40.0, 120.0), (-40.0, -80.0)];
    for (corner, (x, y)) in mat.corners_mm().into_iter().zip(expected) {
        assert!((corner - DVec2::new(x, y)).length() < 1e-9, "{corner} is not ({x}, {y})");
    }
}

/// Fault 21: the Unity simulator's static look-up hands x, x, y, y to what wants x, y, width, height. It makes 98 to 240 by
/// 402 to 760 of the default custom mat.
#[test]
fn fault_21_custom_mats_have_the_rectangle_that_was_given() {
    assert_eq!(corners(MatKind::CUSTOM_DEFAULT.range()), [98, 142, 402, 358]);
    let given = MatKind::Custom(DotRange::new([10, 400], [330, 900]).unwrap());
    assert_eq!(corners(given.range()), [10, 400, 330, 900]);
    for (kind, inside, outside) in [
        (MatKind::CUSTOM_DEFAULT, Dot { x: 300, y: 200 }, Dot { x: 150, y: 500 }),
        (given, Dot { x: 320, y: 890 }, Dot { x: 331, y: 890 }),
    ] {
        let mat = at_origin(kind);
        let mut ground = Ground::default();
        ground.add_mat(mat);
        let read = |dot: Dot| {
            let at = mat.plane_from_dot(dot.exact());
            ground.printed_under(PlanePose::new(at.x, at.y, 0.0), CenterPoint::default())
        };
        assert!(matches!(read(inside), Printed::Position(read) if read.sensor == inside), "{inside:?}");
        assert_eq!(read(outside), Printed::Nothing);
    }
}

#[test]
fn impossible_rectangles_are_refused() {
    for (min, max, field) in [
        ([402, 142], [98, 358], "x2_dot"),
        ([98, 358], [402, 142], "y2_dot"),
        ([98, 142], [98, 358], "x2_dot"),
        ([98, 142], [402, 142], "y2_dot"),
    ] {
        let error = DotRange::new(min, max).unwrap_err();
        assert_eq!(error.field, field, "{min:?} {max:?}");
        assert!(error.message.contains("must be greater"), "{error}");
    }
    assert!(DotRange::new([0, 0], [u16::MAX, 1]).is_ok());
}

#[test]
fn impossible_scales_are_refused() {
    for bad in [0.0, -733.93, 0.73393, 99.9, 10_000.1, f64::NAN, f64::INFINITY] {
        assert_eq!(MatScale::new(bad).unwrap_err().field, "dot_per_m", "{bad}");
    }
    assert_eq!(MatScale::new(726.19).unwrap().dot_per_m(), 726.19);
}

#[test]
fn impossible_poses_are_refused() {
    let scale = MatScale::default();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e9] {
        for (pose, field) in [
            (PlanePose::new(bad, 0.0, 0.0), "x_mm"),
            (PlanePose::new(0.0, bad, 0.0), "y_mm"),
            (PlanePose::new(0.0, 0.0, bad), "yaw_rad"),
        ] {
            assert_eq!(Mat::new(MatKind::Simple, scale, pose).unwrap_err().field, field);
            assert_eq!(Mat::anchored(MatKind::Simple, scale, Dot { x: 0, y: 0 }, pose).unwrap_err().field, field);
        }
    }
    let far = Dot { x: i32::MAX, y: 0 };
    assert_eq!(Mat::anchored(MatKind::Simple, scale, far, PlanePose::ORIGIN).unwrap_err().field, "x_mm");
}
