//! Outlines, words and images as SVG and as pixels, against closed forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::scene::{assert_near, assert_places, bounds, points};
use proptest::prelude::*;
use sim_core::angle::unit;
use sim_core::{DVec2, Rect};
use sim_view::draw::path::Step;
use sim_view::draw::{Anchor, Color, Image, Ink, Path, Scene, Shape, Text, Weight, font, pixels, svg};
use std::f64::consts::{FRAC_PI_2, PI};

const WHITE: Color = Color::hex(0xffffff);
const RED: Color = Color::hex(0xff0000);
const BLUE: Color = Color::hex(0x0000ff);

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect {
    Rect { min: DVec2::new(x0, y0), max: DVec2::new(x1, y1) }
}

fn scene(shapes: Vec<Shape>) -> Scene {
    Scene { shapes, ..Scene::new(DVec2::new(20.0, 10.0), WHITE) }
}

/// A place on a cubic curve (Bezier's form).
fn on_curve([a, b, c, d]: [DVec2; 4], t: f64) -> DVec2 {
    let s = 1.0 - t;
    a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
}

/// Places along the curves of an outline.
fn along(path: &Path) -> Vec<DVec2> {
    let mut here = DVec2::ZERO;
    let mut found = Vec::new();
    for step in &path.0 {
        match *step {
            Step::Move(to) | Step::Line(to) => {
                found.push(to);
                here = to;
            }
            Step::Cubic(a, b, to) => {
                found.extend((1..=20).map(|n| on_curve([here, a, b, to], f64::from(n) / 20.0)));
                here = to;
            }
            Step::Close => {}
        }
    }
    found
}

proptest! {
    #[test]
    fn an_ellipse_is_one(
        center in [-9.0_f64..9.0, -9.0..9.0], half in [0.1_f64..50.0, 0.1..50.0], turn_rad in -PI..PI
    ) {
        let center = DVec2::from_array(center);
        let path = Path::ellipse(center, half, turn_rad);
        for at in along(&path) {
            let local = unit(-turn_rad).rotate(at - center);
            let off = (local / DVec2::from_array(half)).length() - 1.0;
            // Four cubic curves are a circle up to 0.03 % of its radius (Goldapp 1991).
            prop_assert!(off.abs() < 3e-4, "{off}");
        }
        prop_assert_eq!(path.0.last(), Some(&Step::Close));
    }

    #[test]
    fn a_round_square_has_straight_sides_and_round_corners(
        side in 1.0_f64..50.0, share in 0.01_f64..0.49, turn_rad in -PI..PI
    ) {
        let (center, corner) = (DVec2::new(3.0, -2.0), share * side);
        for at in along(&Path::round_square(center, side, corner, turn_rad)) {
            // Distance from the square of the corners' middles.
            let local = unit(-turn_rad).rotate(at - center).abs() - DVec2::splat(0.5 * side - corner);
            let outside = local.max(DVec2::ZERO).length();
            prop_assert!((outside / corner - 1.0).abs() < 4e-4, "{local}");
        }
    }

    #[test]
    fn words_are_as_wide_as_their_letters_and_their_height(words in "[ -~]{0,20}", more in "[ -~]{0,20}", size in 1.0_f64..99.0) {
        let both = font::width(&format!("{words}{more}"), size);
        prop_assert!((both - font::width(&words, size) - font::width(&more, size)).abs() < 1e-6);
        prop_assert!((font::width(&words, 2.0 * size) - 2.0 * font::width(&words, size)).abs() < 1e-6);
    }
}

#[test]
fn paths_go_through_their_places() {
    let places = [DVec2::new(1.0, 2.0), DVec2::new(3.0, 4.0), DVec2::new(5.0, 0.0)];
    assert_eq!(Path::line(&places).0, [Step::Move(places[0]), Step::Line(places[1]), Step::Line(places[2])]);
    assert_eq!(Path::polygon(&places).0[..3], Path::line(&places).0);
    assert_eq!((Path::polygon(&places).0.len(), Path::line(&[]).0.len()), (4, 0));
    let rect = Path::rect(rect(1.0, 2.0, 5.0, 4.0));
    assert_places(&points(&rect), &[(1.0, 2.0), (5.0, 2.0), (5.0, 4.0), (1.0, 4.0)].map(|(x, y)| DVec2::new(x, y)));
    let both = Path::line(&places).and(Path::circle(places[0], 2.0));
    assert_eq!((both.0.len(), bounds(&Path::circle(places[0], 2.0)).size()), (3 + 6, DVec2::splat(4.0)));
    let quarter = Path::ellipse(DVec2::ZERO, [2.0, 1.0], FRAC_PI_2);
    assert_places(&points(&quarter)[..2], &[DVec2::new(0.0, 2.0), DVec2::new(-1.0, 0.0)]);
}

#[test]
fn a_scene_is_written_shape_by_shape() {
    let ink = Ink::line(BLUE.faded(0.5), 2.0).dashed(3.0, 1.5);
    let path = Path(vec![
        Step::Move(DVec2::new(1.0, 2.125)),
        Step::Cubic(DVec2::new(1.0, -0.001), DVec2::new(2.5, 3.0), DVec2::new(4.0, 5.0)),
        Step::Line(DVec2::new(-6.0, 7.0)),
        Step::Close,
    ]);
    let holes = Ink::fill(RED).with_holes().with_line(BLUE, 1.0);
    let words = Text {
        at: DVec2::new(3.0, 4.0),
        size: 8.0,
        anchor: Anchor::Middle,
        weight: Weight::Regular,
        color: RED,
        words: "a < b".into(),
    };
    let image = Image { width: 2, pixels: vec![[255, 0, 0], [0, 0, 255]] };
    let shapes = vec![
        Shape::Outline(path, ink),
        Shape::Outline(Path::rect(rect(0.0, 0.0, 1.0, 1.0)), holes),
        Shape::Text(words),
        Shape::Image(rect(1.0, 2.0, 5.0, 4.0), image),
    ];
    let text = svg::document(&scene(shapes), 1.5);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7);
    assert!(
        lines[0]
            .starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"15\" viewBox=\"0 0 20 10\"")
    );
    assert_eq!(lines[1], "<path d=\"M0 0L20 0L20 10L0 10Z\" fill=\"#ffffff\"/>");
    let round = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    let path = "<path d=\"M1 2.13C1 0 2.5 3 4 5L-6 7Z\" fill=\"none\" stroke=\"#0000ff\" stroke-opacity=\"0.5\" stroke-width=\"2\"";
    assert_eq!(lines[2], format!("{path} {round} stroke-dasharray=\"3 1.5\"/>"));
    let holes =
        "<path d=\"M0 0L1 0L1 1L0 1Z\" fill=\"#ff0000\" fill-rule=\"evenodd\" stroke=\"#0000ff\" stroke-width=\"1\"";
    assert_eq!(lines[3], format!("{holes} {round}/>"));
    let width = (font::width("a < b", 8.0) * 100.0).round() / 100.0;
    let words = "<text x=\"3\" y=\"4\" font-size=\"8\" text-anchor=\"middle\"";
    assert_eq!(
        lines[4],
        format!("{words} textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#ff0000\">a &lt; b</text>")
    );
    let image =
        "<image x=\"1\" y=\"2\" width=\"4\" height=\"2\" preserveAspectRatio=\"none\" href=\"data:image/png;base64,";
    assert!(lines[5].starts_with(image) && lines[6] == "</svg>", "{}", lines[5]);
}

/// Red, green and blue of a pixel.
fn at(pixmap: &tiny_skia::Pixmap, x: u32, y: u32) -> [u8; 3] {
    let pixel = pixmap.pixel(x, y).unwrap();
    [pixel.red(), pixel.green(), pixel.blue()]
}

#[test]
fn pixels_are_those_that_an_outline_covers() {
    let fill = |path: Path, ink: Ink| pixels::paint(&scene(vec![Shape::Outline(path, ink)]), 1.0).unwrap();
    let square = fill(Path::rect(rect(2.0, 1.0, 5.0, 4.0)), Ink::fill(RED));
    for (x, y) in (0..20).flat_map(|x| (0..10).map(move |y| (x, y))) {
        let is_inside = (2..5).contains(&x) && (1..4).contains(&y);
        assert_eq!(at(&square, x, y), if is_inside { RED.rgb } else { WHITE.rgb }, "{x} {y}");
    }
    // A ring in a ring is a hole, if that is asked for.
    let rings = || Path::rect(rect(2.0, 1.0, 12.0, 9.0)).and(Path::rect(rect(5.0, 3.0, 8.0, 6.0)));
    assert_eq!(at(&fill(rings(), Ink::fill(RED)), 6, 4), RED.rgb);
    let holed = fill(rings(), Ink::fill(RED).with_holes());
    assert_eq!((at(&holed, 6, 4), at(&holed, 3, 4)), (WHITE.rgb, RED.rgb));
    // A line two px wide covers a px on both sides, and its ends are round.
    let line = fill(Path::line(&[DVec2::new(4.0, 5.0), DVec2::new(12.0, 5.0)]), Ink::line(BLUE, 2.0));
    assert_eq!(
        [at(&line, 8, 4), at(&line, 8, 5), at(&line, 8, 3), at(&line, 8, 6)],
        [BLUE.rgb, BLUE.rgb, WHITE.rgb, WHITE.rgb]
    );
    assert!(at(&line, 3, 4) != WHITE.rgb && at(&line, 2, 4) == WHITE.rgb);
    // Half a colour lets half of the ground through.
    let half = fill(Path::rect(rect(0.0, 0.0, 20.0, 10.0)), Ink::fill(Color::hex(0).faded(0.5)));
    assert!(at(&half, 5, 5).iter().all(|byte| byte.abs_diff(128) <= 1));
    // With holes between dashes.
    let dashed =
        fill(Path::line(&[DVec2::new(0.0, 5.0), DVec2::new(20.0, 5.0)]), Ink::line(BLUE, 0.5).dashed(5.0, 5.0));
    assert!(at(&dashed, 2, 5) != WHITE.rgb && at(&dashed, 7, 5) == WHITE.rgb && at(&dashed, 12, 5) != WHITE.rgb);
}

#[test]
fn a_scale_makes_more_pixels_of_the_same_picture() {
    let scene = scene(vec![Shape::Outline(Path::rect(rect(2.0, 1.0, 5.0, 4.0)), Ink::fill(RED))]);
    let large = pixels::paint(&scene, 2.0).unwrap();
    assert_eq!((large.width(), large.height()), (40, 20));
    assert_eq!(
        [at(&large, 4, 2), at(&large, 9, 7), at(&large, 10, 7), at(&large, 3, 2)],
        [RED.rgb, RED.rgb, WHITE.rgb, WHITE.rgb]
    );
    for (scale, sides) in [(0.0, "0 x 0"), (1000.0, "20000 x 10000"), (0.04, "1 x 0"), (f64::NAN, "NaN x NaN")] {
        let fault = pixels::paint(&scene, scale).unwrap_err().to_string();
        assert_eq!(fault, format!("a picture of {sides} pixels cannot be drawn: each side must have from 1 to 16000"));
    }
}

#[test]
fn an_image_is_stretched_over_its_frame() {
    let image = Image { width: 2, pixels: vec![[255, 0, 0], [0, 0, 255], [0, 255, 0], [0, 0, 0]] };
    assert_eq!((image.height(), Image { width: 0, pixels: vec![] }.height()), (2, 0));
    let painted = pixels::paint(&scene(vec![Shape::Image(rect(4.0, 0.0, 12.0, 8.0), image)]), 1.0).unwrap();
    // Near the corners the colours are those of the corners.
    let corners = [at(&painted, 4, 0), at(&painted, 11, 0), at(&painted, 4, 7), at(&painted, 11, 7)];
    let expected = [[255, 0, 0], [0, 0, 255], [0, 255, 0], [0, 0, 0]];
    assert!(
        corners.iter().zip(expected).all(|(a, b): (_, [u8; 3])| (0..3).all(|n| a[n].abs_diff(b[n]) < 40)),
        "{corners:?}"
    );
    assert_eq!([at(&painted, 3, 4), at(&painted, 13, 4), at(&painted, 8, 9)], [WHITE.rgb; 3]);
    // One without pixels shows nothing.
    let none = Image { width: 0, pixels: vec![] };
    let bare = pixels::paint(&scene(vec![Shape::Image(rect(0.0, 0.0, 9.0, 9.0), none)]), 1.0).unwrap();
    assert!(bare.pixels().iter().all(|pixel| pixel.red() == 255));
}

#[test]
fn what_is_far_off_or_no_number_is_no_reason_to_fail() {
    let far = Path::line(&[DVec2::new(-1e300, 5.0), DVec2::new(1e300, 5.0)]);
    let lost = Path::line(&[DVec2::new(f64::NAN, 5.0), DVec2::new(3.0, f64::NAN)]);
    let shapes = vec![Shape::Outline(far, Ink::line(RED, 2.0)), Shape::Outline(lost, Ink::line(BLUE, 1e9))];
    let painted = pixels::paint(&scene(shapes), 1.0).unwrap();
    assert_eq!([at(&painted, 0, 5), at(&painted, 19, 5), at(&painted, 10, 2)], [RED.rgb, RED.rgb, WHITE.rgb]);
}

#[test]
fn png_files_read_back_to_the_pixel() {
    let painted =
        pixels::paint(&scene(vec![Shape::Outline(Path::rect(rect(2.0, 1.0, 5.0, 4.0)), Ink::fill(RED))]), 1.0).unwrap();
    let bytes = pixels::png(&painted).unwrap();
    assert_eq!(tiny_skia::Pixmap::decode_png(&bytes).unwrap().data(), painted.data());
    // With a palette: white, red, and one that is not used.
    let indices: Vec<u8> = painted.pixels().iter().map(|pixel| u8::from(pixel.green() == 0)).collect();
    let palette = [WHITE.rgb, RED.rgb, BLUE.rgb].concat();
    let indexed = pixels::indexed_png(&painted, &indices, palette).unwrap();
    assert_eq!(tiny_skia::Pixmap::decode_png(&indexed).unwrap().data(), painted.data());
    assert!(pixels::indexed_png(&painted, &indices[1..], WHITE.rgb.to_vec()).is_err());
}

#[test]
fn a_small_png_keeps_all_colours_or_comes_near_to_them() {
    let shape = Shape::Outline(Path::rect(rect(0.0, 0.0, 20.0, 2.0)), Ink::fill(RED));
    let mut painted = pixels::paint(&scene(vec![shape]), 4.0).unwrap();
    let read = |painted: &tiny_skia::Pixmap| {
        let bytes = pixels::small_png(painted).unwrap();
        tiny_skia::Pixmap::decode_png(&bytes).unwrap()
    };
    assert_eq!(read(&painted).data(), painted.data());
    // Below the red a blue pixel, and 100 levels of grey, each on a pixel by itself and on two with one level more of blue and two: too
    // many colours by 47.
    let dot = |[red, green, blue]: [u8; 3]| tiny_skia::PremultipliedColorU8::from_rgba(red, green, blue, 255).unwrap();
    let dots = painted.pixels_mut();
    dots[2000] = dot(BLUE.rgb);
    for n in 0..300 {
        let (level, blue) = (n % 100, n / 100);
        dots[2001 + n] = dot([level as u8, level as u8, (level + blue) as u8]);
    }
    let read = read(&painted);
    let off = |(a, b): (&u8, &u8)| a.abs_diff(*b);
    assert_eq!(read.data()[..8004], painted.data()[..8004]);
    assert_eq!(read.data().iter().zip(painted.data()).map(off).max(), Some(1));
}

#[test]
fn letters_stand_on_their_line_at_the_end_that_is_held() {
    let text = |words: &str, anchor, weight| Text {
        at: DVec2::new(100.0, 50.0),
        size: 20.0,
        anchor,
        weight,
        color: RED,
        words: words.into(),
    };
    let outline = |anchor| bounds(&font::outline(&text("HH", anchor, Weight::Regular)));
    let [start, middle, end] = [Anchor::Start, Anchor::Middle, Anchor::End].map(outline);
    let width = font::width("HH", 20.0);
    assert_near(start.max.y, 50.0);
    assert!(start.min.y < 40.0 && start.min.y > 30.0, "{start:?}");
    assert_near(start.min.x - middle.min.x, 0.5 * width);
    assert_near(start.min.x - end.min.x, width);
    assert!(font::outline(&text("   ", Anchor::Start, Weight::Regular)).0.is_empty());
    // A letter that the typeface lacks takes space too, and a bold one has a thicker line.
    assert!(font::width("\u{4e16}", 20.0) > 0.0);
    let [regular, bold] =
        [Weight::Regular, Weight::Bold].map(|weight| font::thickening(&text("H", Anchor::Start, weight)));
    assert!(bold > 2.0 * regular && regular > 0.0);
    // Letters with round sides are drawn to scale: an o is twice as large in twice the type.
    let size = |size: f64| bounds(&font::outline(&Text { size, ..text("o", Anchor::Start, Weight::Regular) })).size();
    assert_places(&[size(40.0)], &[2.0 * size(20.0)]);
    let [o, p] = ["o", "p"].map(|words| bounds(&font::outline(&text(words, Anchor::Start, Weight::Regular))));
    assert!(p.max.y > o.max.y + 3.0, "a p reaches below the line");
}

#[test]
fn colours_are_written_as_they_are() {
    assert_eq!((Color::hex(0x01_02_ff).rgb, Color::hex(0x01_02_ff).to_string()), ([1, 2, 255], "#0102ff".into()));
    assert_eq!(RED.faded(0.25).alpha, 0.25);
    let ink = Ink::fill(RED).dashed(1.0, 2.0);
    assert_eq!((ink.line, ink.fill), (None, Some(RED)), "without a line there are no dashes");
}
