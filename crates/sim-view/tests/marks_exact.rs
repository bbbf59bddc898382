//! Marks of a view as the outlines of a scene: every corner against its closed form.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::bobs::{BLUE, GREEN, ON_EVENT, RED, Table, circle, line, party, sampled, scanner, table, trail, view};
use common::scene::{
    EM_PX, Shot, assert_near, assert_places, bounds, fills, is_closed, outlines, points, strokes, strokes_of, text,
    texts,
};
use sim_core::DVec2;
use sim_core::angle::unit;
use sim_view::draw::{Anchor, Shape as Drawn, Weight, font};
use sim_world::View;
use sim_world::view::{
    Axis, Color, Condition, Coord, Draw, Figure, Ink, Lettering, Limit, Line, Mark, Mount, Outline, Part, Party,
    Phrase, Place, Quantity, Rule, Shape, Tint, Wells, Width,
};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, PI};

const COLUMNS: &str = "bob:i x_m y_m z_m yaw_rad pitch_rad roll_rad u v";

/// A bob at (2, 1) that looks to the right, with the vector (0.3, 0.4), and one at (6, 3) that looks up, with (0, -1).
const BOBS: [&str; 2] = ["0,0,0,2,1,0,0,0,0,0.3,0.4", "0,0,1,6,3,0,1.5707963267948966,0,0,0,-1"];

fn bobs() -> Party {
    Party {
        place: Place { x: "x_m".into(), y: "y_m".into(), z: "z_m".into() },
        angles: ["yaw_rad", "pitch_rad", "roll_rad"].map(str::to_owned).to_vec(),
        velocity: Some(["u".into(), "v".into()]),
        ..party("bobs", "bob")
    }
}

fn shot_of(view: &View, rows: &[&str]) -> Shot {
    Shot::at(&Folder::of_view(view, &[sampled("bobs", 2, COLUMNS, rows.iter().copied())]), 0.0)
}

/// The picture of the two bobs with a mark.
fn shot(draw: Draw) -> Shot {
    shot_of(&view([bobs()], [Mark::new(draw).of("bobs")]), &BOBS)
}

fn still(draw: Draw) -> Shot {
    shot_of(&view([bobs()], [Mark::new(draw)]), &BOBS)
}

fn part(shape: Shape) -> Part {
    Part { shape, ink: Ink::fill(RED.full()), alarm: None, turn: None, when: Vec::new() }
}

fn body(parts: Vec<Part>) -> Draw {
    Draw::Body { parts, has_finder: false, shadow: None }
}

#[test]
fn a_line_runs_between_its_places_as_wide_as_it_says() {
    let from = Place { x: 1.0.into(), y: "y_m".into(), z: 0.0.into() };
    let to = Place { x: "x_m".into(), y: "u".into(), z: 0.0.into() };
    let lines = [
        (Width::Length(0.25), None),
        (Width::Px(3.0), Some([4.0, 2.0])),
        (Width::Limited(0.25, 1.5), None),
        (Width::Limited(0.001, 1.5), None),
    ];
    for (width, dash) in lines {
        let drawn = Line { dash, ..Line::new(RED.faded(0.5), width) };
        let shot = shot(Draw::Line { from: from.clone(), to: to.clone(), line: drawn });
        let found = strokes(&shot.scene, &RED);
        assert_places(&points(found[0].0), &[shot.px(1.0, 1.0), shot.px(2.0, 0.3)]);
        assert_places(&points(found[1].0), &[shot.px(1.0, 3.0), shot.px(6.0, 0.0)]);
        let wanted = match width {
            Width::Length(length) => shot.long(length),
            Width::Limited(length, px) => shot.long(length).min(shot.pen(px)),
            Width::Px(px) | Width::Fine(px) => shot.pen(px),
        };
        assert_near(found[0].1.width, wanted);
        assert_eq!((found[0].1.color.alpha, found[0].1.dash), (0.5, dash.map(|dash| dash.map(|px| shot.pen(px)))));
    }
    // Without an owner a column is no place, and a fixed line stands still.
    let fixed = still(Draw::Line { from: Place::plane(1.0, 2.0), to: Place::plane(3.0, 0.0), line: line(RED) });
    let found = strokes(&fixed.scene, &RED);
    assert_eq!(found.len(), 1);
    assert_places(&points(found[0].0), &[fixed.px(1.0, 2.0), fixed.px(3.0, 0.0)]);
}

#[test]
fn fine_lines_are_thinner_where_the_plane_is_small_but_not_too_thin() {
    let width_on = |width_m: f64, width: Width| {
        let draw = Draw::Line {
            from: Place::plane(0.0, 0.0),
            to: Place::plane(1.0, 1.0),
            line: Line::new(RED.full(), width).dashed(5.0, 3.0),
        };
        let mut view = view([bobs()], [Mark::new(draw)]);
        view.projections[0].area.fixed = Some([[0.0, 0.0], [width_m, 0.5 * width_m]]);
        let shot = shot_of(&view, &BOBS);
        let line = strokes(&shot.scene, &RED)[0].1;
        (line.width / shot.pen(1.0), line.dash.unwrap()[0] / shot.pen(1.0), shot.view.px_per_unit)
    };
    // The usual scale is 2.2 px a unit where the type is 15 px high.
    let usual = 2.2 * EM_PX / 15.0;
    let (large, large_dash, _) = width_on(100.0, Width::Fine(2.0));
    assert_near(large, 2.0);
    assert_near(large_dash, 5.0);
    let (small, dash, scale) = width_on(1000.0, Width::Fine(2.0));
    assert!(scale < usual && scale > 0.4 * usual, "{scale}");
    assert_near(small, 2.0 * scale / usual);
    assert_near(dash, 5.0 * scale / usual);
    assert_near(width_on(100_000.0, Width::Fine(2.0)).0, 0.8);
    assert_near(width_on(100_000.0, Width::Px(2.0)).1, 5.0);
}

#[test]
fn circles_have_the_radius_of_their_number_or_column_and_some_of_the_type() {
    for (radius, expected_m) in [(Coord::Fixed(0.5), [0.5, 0.5]), (Coord::Column("u".into()), [0.3, 0.0])] {
        let shot = shot(Draw::Circle { radius: (radius, 0.25), ink: Ink::fill(RED.full()), alarm: None });
        let found = fills(&shot.scene, &RED);
        for ((path, _), (at, radius_m)) in
            found.iter().zip([shot.px(2.0, 1.0), shot.px(6.0, 3.0)].into_iter().zip(expected_m))
        {
            let radius = shot.long(radius_m) + 0.25 * EM_PX;
            let corners = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y, DVec2::X].map(|way| at + way * radius);
            assert_places(&points(path), &corners);
            assert!(is_closed(path));
        }
        assert_eq!(found.len(), 2);
    }
}

/// Discs at fixed places: a radius on the plane and more of it in the type, and a line from place to place.
#[test]
fn points_have_the_radius_of_their_length_and_some_of_the_type() {
    for [length_m, types] in [[0.5, 0.25], [0.0, 0.25], [0.5, 0.0]] {
        let (places, ink) = (vec![[1.0, 2.0, 0.0], [7.0, 0.5, -3.0]], Ink::fill(RED.full()));
        let shot = still(Draw::Points { places, radius: [length_m, types], ink, line: Some(line(BLUE)) });
        let (found, ends) = (fills(&shot.scene, &RED), [shot.px(1.0, 2.0), shot.px(7.0, 0.5)]);
        for ((path, _), at) in found.iter().zip(ends) {
            let radius = shot.long(length_m) + types * EM_PX;
            let corners = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y, DVec2::X].map(|way| at + way * radius);
            assert_places(&points(path), &corners);
        }
        let lines = strokes(&shot.scene, &BLUE);
        assert_eq!((found.len(), lines.len()), (2, 1));
        assert_places(&points(lines[0].0), &ends);
    }
}

#[test]
fn an_arrow_is_its_vector_times_a_factor_from_beside_the_body() {
    let draw = Draw::Vector { along: ["u".into(), "v".into()], up: None, factor: 2.0, gap: 0.5, tint: RED.full() };
    let shot = shot(draw);
    // The casing is the whole arrow, under the shaft and the head.
    let shafts = strokes(&shot.scene, &RED);
    let heads = fills(&shot.scene, &RED);
    let casings = outlines(&shot.scene)
        .filter(|(_, ink)| ink.line.is_some_and(|line| line.color == shot.theme.ground.faded(0.6)));
    assert_eq!((shafts.len(), heads.len(), casings.count()), (2, 2, 2));
    // (0.3, 0.4) is half a metre along (0.6, 0.8): from 0.5 m to 1.5 m.
    let along = DVec2::new(0.6, 0.8);
    let [from, to] = [0.5, 1.5].map(|d| DVec2::new(2.0, 1.0) + along * d);
    let (from, to) = (shot.px(from.x, from.y), shot.px(to.x, to.y));
    let (way, head) = ((to - from).normalize(), 3.6 * shafts[0].1.width);
    assert_places(&points(shafts[0].0), &[from, to - way * head]);
    let side = way.perp() * (0.45 * head);
    assert_places(&points(heads[0].0), &[to, to - way * head + side, to - way * head - side]);
    assert_near(shafts[0].1.width, shot.pen(2.0));
    // The other points down: its 2 m begin half a metre below the bob.
    assert_places(&points(shafts[1].0)[..1], &[shot.px(6.0, 2.5)]);
    assert_places(&points(heads[1].0)[..1], &[shot.px(6.0, 0.5)]);
    // One that is shorter than two of its lines is not drawn.
    let short = |factor| {
        let draw = Draw::Vector { along: ["u".into(), "v".into()], up: None, factor, gap: 0.5, tint: RED.full() };
        strokes(&self::shot(draw).scene, &RED).len()
    };
    let least = 2.0 * shot.pen(2.0) / shot.long(1.0);
    assert_eq!([short(1.01 * least), short(2.02 * least), short(0.99 * least), short(0.0)], [1, 2, 0, 0]);
}

#[test]
fn an_ellipse_lies_where_the_owner_will_be_and_is_stretched_along_its_motion() {
    let draw = Draw::Ellipse { sigma: 0.3, stretch_s: 0.8, ahead_s: vec![0.0, 1.0, 2.0], line: line(RED) };
    let shot = shot(draw);
    let found = strokes(&shot.scene, &RED);
    assert_eq!(found.len(), 6);
    for (n, (path, line)) in found.iter().take(3).enumerate() {
        // 0.5 m/s for 0.8 s are 0.4 m beside 0.3 m: half a metre long.
        let place = DVec2::new(2.0 + 0.3 * n as f64, 1.0 + 0.4 * n as f64);
        let center = bounds(path).center();
        assert_places(&[center], &[shot.px(place.x, place.y)]);
        let reach = points(path).iter().map(|at| at.distance(center) / shot.long(1.0)).collect::<Vec<_>>();
        [0.5, 0.3, 0.5, 0.3].iter().zip(&reach).for_each(|(expected, found)| assert_near(*found, *expected));
        // The later, the fainter and the thinner.
        assert_near(line.color.alpha, 1.0 - 0.22 * n as f64);
        assert_near(line.width, shot.long(0.1) * (1.0 - 0.16 * n as f64));
    }
    // The y axis points up in the picture, and the long axis goes along (0.6, 0.8) on the plane.
    let path = found[0].0;
    let tip = points(path)[0] - bounds(path).center();
    assert_near(tip.normalize().dot(DVec2::new(0.6, -0.8)).abs(), 1.0);
}

#[test]
fn an_ellipse_at_the_end_of_a_way_is_drawn_whatever_its_time() {
    for n in 1..60 {
        let ahead_s = 0.07 * f64::from(n);
        let shot = shot(Draw::Ellipse { sigma: 0.3, stretch_s: 0.0, ahead_s: vec![ahead_s], line: line(RED) });
        assert_eq!(strokes(&shot.scene, &RED).len(), 2, "{ahead_s} s");
    }
}

#[test]
fn the_last_of_many_ellipses_can_still_be_seen() {
    let ahead_s: Vec<f64> = (0..9).map(|n| f64::from(n) * 0.1).collect();
    let shot = shot(Draw::Ellipse { sigma: 0.3, stretch_s: 0.0, ahead_s, line: line(RED) });
    let last = strokes(&shot.scene, &RED)[8].1;
    assert_near(last.color.alpha, 0.1);
    assert_near(last.width, shot.long(0.1) * 0.1);
}

/// A bob on a straight way of `rows` rows, a tenth of a second apart; it begins at x 1 m and moves by 0.25 m a row.
fn trail_shot(rows: usize, time_s: f64, mark: Mark) -> Shot {
    let row = |n: usize| format!("{},{},0,{},2,0,0,0,0,2.5,0", 6 * n, n as f64 / 10.0, 1.0 + 0.25 * n as f64);
    let bobs_table = sampled("bobs", 1, COLUMNS, (0..rows).map(row));
    Shot::at(&Folder::of_view(&view([bobs()], [mark]), &[bobs_table]), time_s)
}

#[test]
fn a_trail_has_four_parts_the_older_the_fainter() {
    let shot = trail_shot(9, 0.8, trail("bobs", 10.0, 0.0));
    let parts = strokes(&shot.scene, &RED);
    // Nine rows and the moment itself: nine legs, the last without length, cut after 2, 4 and 6 of them.
    let ends: Vec<usize> = [0, 2, 4, 6, 9].to_vec();
    assert_eq!(parts.len(), 4);
    for (n, (path, line)) in parts.iter().enumerate() {
        let places: Vec<DVec2> =
            (ends[n]..=ends[n + 1]).map(|leg| shot.px(1.0 + 0.25 * leg.min(8) as f64, 2.0)).collect();
        assert_places(&points(path), &places);
        assert_near(line.color.alpha, 0.25 + 0.2 * n as f64);
        assert!(!is_closed(path));
    }
    // At the start there is one leg without length, in the newest part.
    let start = trail_shot(9, 0.0, trail("bobs", 10.0, 0.0));
    let parts = strokes(&start.scene, &RED);
    assert_eq!(parts.len(), 1);
    assert_near(parts[0].1.color.alpha, 0.85);
}

#[test]
fn a_way_ahead_is_one_line_beside_the_trail() {
    let shot = trail_shot(5, 0.1, trail("bobs", 0.0, 0.2));
    let found = strokes(&shot.scene, &RED);
    assert_eq!((found.len(), found[0].1.color.alpha), (1, 1.0));
    let places: Vec<DVec2> = (0..9).map(|n| shot.px(1.25 + 0.0625 * f64::from(n), 2.0)).collect();
    assert_places(&points(found[0].0), &places);
    assert_eq!(strokes(&trail_shot(5, 0.1, trail("bobs", 0.2, 0.2)).scene, &RED).len(), 3, "two legs and the way");
    assert_eq!(strokes(&trail_shot(5, 0.1, trail("bobs", 0.0, 0.0)).scene, &RED).len(), 0);
    // A mark that does not look back draws no trail, though another does.
    let row = |n: usize| format!("{},{},0,{n},2,0,0,0,0,2.5,0", 6 * n, n as f64 / 10.0);
    let back = Mark::new(Draw::Trail { back_s: 0.2, ahead_s: 0.0, line: line(BLUE) }).of("bobs");
    let view = view([bobs()], [trail("bobs", 0.0, 0.2), back]);
    let shot = Shot::at(&Folder::of_view(&view, &[sampled("bobs", 1, COLUMNS, (0..5).map(row))]), 0.2);
    assert_eq!((strokes(&shot.scene, &RED).len(), strokes(&shot.scene, &BLUE).len()), (1, 3));
}

#[test]
fn parts_of_a_body_turn_with_their_owner_and_about_their_own_place() {
    let turned =
        Part { turn: Some(("u".into(), [0.2, 0.1])), ..part(Shape::Polygon(vec![[0.2, 0.1], [0.7, 0.1], [0.7, 0.2]])) };
    let shot =
        shot(body(vec![part(Shape::Line(vec![[0.0, 0.0], [0.5, 0.25]])), turned, part(Shape::Disc([0.5, 0.0], 0.1))]));
    let found = fills(&shot.scene, &RED);
    let at = |center: DVec2, yaw_rad: f64, x: f64, y: f64| {
        let place = center + unit(yaw_rad).rotate(DVec2::new(x, y));
        shot.px(place.x, place.y)
    };
    for (n, (center, yaw_rad, turn_rad)) in
        [(DVec2::new(2.0, 1.0), 0.0, 0.3), (DVec2::new(6.0, 3.0), FRAC_PI_2, 0.0)].into_iter().enumerate()
    {
        let of = &found[3 * n..3 * n + 3];
        assert_places(&points(of[0].0), &[at(center, yaw_rad, 0.0, 0.0), at(center, yaw_rad, 0.5, 0.25)]);
        assert!(!is_closed(of[0].0) && is_closed(of[1].0));
        let corner = |x: f64, y: f64| {
            let corner = DVec2::new(0.2, 0.1) + unit(turn_rad).rotate(DVec2::new(x, y));
            at(center, yaw_rad, corner.x, corner.y)
        };
        assert_places(&points(of[1].0), &[corner(0.0, 0.0), corner(0.5, 0.0), corner(0.5, 0.1)]);
        let disc = bounds(of[2].0);
        assert_places(&[disc.center()], &[at(center, yaw_rad, 0.5, 0.0)]);
        assert_near(disc.size().x, 2.0 * shot.long(0.1));
    }
}

#[test]
fn a_box_has_corners_or_quarters_of_circles() {
    let sharp = shot(body(vec![part(Shape::Box([-0.5, -0.25], [0.5, 0.25], 0.0))]));
    let corners = [[2.5, 1.25], [1.5, 1.25], [1.5, 0.75], [2.5, 0.75]].map(|[x, y]| sharp.px(x, y));
    assert_places(&points(fills(&sharp.scene, &RED)[0].0), &corners);
    let round = shot(body(vec![part(Shape::Box([-0.5, -0.25], [0.5, 0.25], 0.1))]));
    let found = points(fills(&round.scene, &RED)[0].0);
    assert_eq!(found.len(), 36);
    // Each corner is a quarter of a circle of 0.1 m round a place 0.1 m inside.
    for (n, at) in found.iter().enumerate() {
        let (quarter, part) = (n / 9, n % 9);
        let [x, y] = [[2.4, 1.15], [1.6, 1.15], [1.6, 0.85], [2.4, 0.85]][quarter];
        let around = unit((quarter as f64 + part as f64 / 8.0) * FRAC_PI_2) * 0.1;
        assert_places(&[*at], &[round.px(x + around.x, y + around.y)]);
    }
}

#[test]
fn a_body_that_is_tilted_is_seen_shorter() {
    let rows = ["0,0,0,2,1,0,0,1.0471975511965976,0,0,0", "0,0,1,6,3,0,0,0,1.0471975511965976,0,0"];
    let square = || body(vec![part(Shape::Box([-1.0, -1.0], [1.0, 1.0], 0.0))]);
    let shot = shot_of(&view([bobs()], [Mark::new(square()).of("bobs")]), &rows);
    let found = fills(&shot.scene, &RED);
    let sizes = [bounds(found[0].0).size(), bounds(found[1].0).size()].map(|size| size / shot.long(1.0));
    // Pitched by 60 degrees, its length is seen as half; rolled, its width.
    assert_places(&sizes, &[DVec2::new(1.0, 2.0), DVec2::new(2.0, 1.0)]);
    // From the side: x and z. With its front up, the front corner is 0.87 m higher; rolled, the side of larger y is lower.
    // A body shows its flat parts there if another part has a height.
    let mast = || Part {
        ink: Ink::fill(BLUE.full()),
        ..part(Shape::Prism(vec![[0.0, 0.0], [0.1, 0.0], [0.0, 0.1]], [0.0, 0.5]))
    };
    let flat = part(Shape::Box([-1.0, -1.0], [1.0, 1.0], 0.0));
    let mut side = view([bobs()], [Mark::new(body(vec![flat, mast()])).of("bobs")]);
    side.projections[0].axes = [Axis::X, Axis::Z];
    let shot = shot_of(&side, &rows);
    let found = fills(&shot.scene, &RED);
    let high = sim_core::ops::sin(FRAC_PI_3);
    assert_places(&points(found[0].0)[..2], &[shot.px(2.5, high), shot.px(1.5, -high)]);
    assert_places(
        &points(found[1].0),
        &[(7.0, -high), (5.0, -high), (5.0, high), (7.0, high)].map(|(x, y)| shot.px(x, y)),
    );
    // Pitched and rolled at once, both axes stay at right angles and as long as they are.
    let both = ["0,0,0,2,1,0,0.4,0.7,-0.5,0,0", BOBS[1]];
    let axis = Part {
        ink: Ink::fill(GREEN.full()),
        ..part(Shape::Line(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]))
    };
    let seen = |axes| {
        let mut view = view([bobs()], [Mark::new(body(vec![axis.clone(), mast()])).of("bobs")]);
        view.projections[0].axes = axes;
        let shot = shot_of(&view, &both);
        let ends = points(fills(&shot.scene, &GREEN)[0].0);
        [ends[1] - ends[0], ends[3] - ends[2]].map(|way| way * DVec2::new(1.0, -1.0) / shot.long(1.0))
    };
    let ([ahead, side], [ahead_z, side_z]) = (seen([Axis::X, Axis::Y]), seen([Axis::X, Axis::Z]).map(|way| way.y));
    let [ahead, side] = [ahead.extend(ahead_z), side.extend(side_z)];
    assert_near(ahead.length(), 1.0);
    assert_near(side.length(), 1.0);
    assert!(ahead.dot(side).abs() < 1e-9, "{ahead} {side}");
    assert_near(ahead.z, sim_core::ops::sin(0.7));
}

#[test]
fn a_lifted_body_throws_a_shadow_the_farther_the_higher() {
    let draw = || Draw::Body {
        parts: vec![part(Shape::Box([-0.5, -0.25], [0.5, 0.25], 0.0))],
        has_finder: false,
        shadow: Some([0.1, 1.0]),
    };
    let rows = ["0,0,0,2,1,0.5,0,0,0,0,0", "0,0,1,6,3,9,0,0,0,0,0"];
    let shadows = |rows: &[&str]| {
        let shot = shot_of(&view([bobs()], [Mark::new(draw()).of("bobs")]), rows);
        let dark = |(_, ink): &(_, &sim_view::draw::Ink)| {
            ink.fill.is_some_and(|fill| fill.rgb == [0; 3] && fill.alpha == 0.45)
        };
        let off: Vec<DVec2> = outlines(&shot.scene).filter(dark).map(|(path, _)| bounds(path).center()).collect();
        let bodies = fills(&shot.scene, &RED);
        off.iter().zip(bodies).map(|(at, (path, _))| (*at - bounds(path).center()) / shot.long(1.0)).collect::<Vec<_>>()
    };
    // To the right and down, by 0.35 of the height, which counts up to 1 m.
    assert_places(&shadows(&rows), &[DVec2::splat(0.175), DVec2::splat(0.35)]);
    assert_eq!(shadows(&["0,0,0,2,1,0.1,0,0,0,0,0", BOBS[1]]).len(), 0);
}

#[test]
fn a_body_that_is_too_small_gets_a_ring() {
    let rings = |half_m: f64, has_finder: bool| {
        let parts = vec![part(Shape::Box([-half_m, -0.5], [half_m, 0.5], 0.0)), part(Shape::Disc([0.0, 0.0], 0.01))];
        let shot = shot(Draw::Body { parts, has_finder, shadow: None });
        let ring = strokes_of(&shot.scene, shot.theme.series[1].rgb);
        ring.first()
            .map(|(path, line)| (bounds(path).size().x, line.width, bounds(path).center().distance(shot.px(6.0, 3.0))))
    };
    // Shorter than 0.8 heights of the type, 24 px.
    let px_m = 1.0 / shot(body(vec![])).long(1.0);
    assert_eq!([rings(12.1 * px_m, true), rings(11.9 * px_m, false)], [None; 2]);
    let (size, width, off) = rings(11.9 * px_m, true).unwrap();
    assert_near(size, 0.8 * EM_PX);
    assert_near(width, 4.0);
    assert!(off < 1e-9);
}

fn lettering(size: [f64; 2], is_centred: bool) -> Lettering {
    Lettering { tint: RED.full(), size, is_bold: false, is_centred }
}

#[test]
fn a_label_stands_in_its_owners_axes_on_its_ground() {
    let label = Draw::Label {
        words: vec![Phrase::new("bob {}", [Figure::new(Quantity::Owner, 0)])],
        at: [0.5, 0.25],
        below: [0.1, 2.0],
        lettering: Lettering { is_bold: true, ..lettering([0.2, 0.5], true) },
        alarm: None,
        ground: Some(GREEN.faded(0.5)),
    };
    let shot = shot(label);
    // The second looks up: ahead is up, and its side is left.
    for (words, place) in [("bob 0", DVec2::new(2.5, 1.25)), ("bob 1", DVec2::new(5.75, 3.5))] {
        let found = text(&shot.scene, words);
        let size = shot.long(0.2) + 0.5 * EM_PX;
        assert_near(found.size, size);
        assert_eq!((found.anchor, found.weight), (Anchor::Middle, Weight::Bold));
        let middle = shot.px(place.x, place.y) + DVec2::new(0.0, shot.long(0.1) + 2.0 * EM_PX);
        assert_places(&[found.at], &[middle + DVec2::new(0.0, 0.35 * size)]);
        let grounds = fills(&shot.scene, &GREEN);
        let ground =
            grounds.iter().map(|(path, _)| bounds(path)).find(|rect| rect.center().distance(middle) < 1e-6).unwrap();
        assert_near(ground.size().x, font::width(words, size) + 0.7 * EM_PX);
        assert_near(ground.size().y, 1.2 * EM_PX);
    }
}

/// Labels of bobs at one place: a label has a ground of 1.2 heights of the type, and moves down by at most three of those.
#[test]
fn labels_do_not_cover_each_other() {
    let label = |ground: Option<Tint>| Draw::Label {
        words: vec![Phrase::new("bob {}", [Figure::new(Quantity::Owner, 0)])],
        at: [0.0, 0.0],
        below: [0.0, 0.0],
        lettering: lettering([0.0, 1.0], true),
        alarm: None,
        ground,
    };
    let labels = |places: &[(f64, f64)], ground: Option<Tint>| {
        let rows = places.iter().enumerate().map(|(n, (x_m, y_m))| format!("0,0,{n},{x_m},{y_m},0,0,0,0,0,0"));
        let tables = [sampled("bobs", places.len() as u64, COLUMNS, rows)];
        let shot = Shot::at(&Folder::of_view(&view([bobs()], [Mark::new(label(ground)).of("bobs")]), &tables), 0.0);
        let down = |at: DVec2| (at.y - 0.35 * EM_PX - shot.px(0.0, 2.0).y) / EM_PX;
        texts(&shot.scene).map(|text| (text.words.clone(), down(text.at))).collect::<Vec<_>>()
    };
    let ground = || Some(GREEN.faded(0.5));
    let found = labels(&[(2.0, 2.0); 6], ground());
    let expected = [("bob 0", 0.0), ("bob 1", 1.2), ("bob 2", 2.4), ("bob 3", 3.6)];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((words, down), (name, place)) in found.iter().zip(expected) {
        assert_eq!(words, name);
        assert_near(*down, place);
    }
    // A label's width apart, to the right or down, they stay; words without a ground do too.
    let width_m = (font::width("bob 0", EM_PX) + 0.7 * EM_PX + 0.1) / shot(body(vec![])).long(1.0);
    for places in [[(2.0, 2.0), (2.0 + width_m, 2.0)], [(2.0, 2.0), (2.0 - width_m, 2.0)]] {
        assert!(labels(&places, ground()).iter().all(|(_, down)| down.abs() < 1e-9));
    }
    let nearer = labels(&[(2.0, 2.0), (2.0 + 0.9 * width_m, 2.0)], ground());
    assert_near(nearer[1].1, 1.2);
    assert!(labels(&[(2.0, 2.0); 6], None).iter().all(|(_, down)| down.abs() < 1e-9));
}

#[test]
fn a_label_is_as_high_as_its_owner_and_in_alarm_where_a_limit_is_broken() {
    let label = Draw::Label {
        words: vec![Phrase::new("bob {}", [Figure::new(Quantity::Owner, 0)])],
        at: [0.5, 0.0],
        below: [0.0, 0.0],
        lettering: lettering([0.0, 1.0], true),
        alarm: Some(BLUE.faded(0.5)),
        ground: None,
    };
    let limits = vec![limit("slow", Rule::AtMost("u".into(), 0.2), None)];
    let mut side = View { limits, ..view([bobs()], [Mark::new(label).of("bobs")]) };
    side.projections[0].axes = [Axis::X, Axis::Z];
    let shot = shot_of(&side, &["0,0,0,2,1,0.75,0,0,0,0.3,0.4", BOBS[1]]);
    let [first, second] = ["bob 0", "bob 1"].map(|words| text(&shot.scene, words));
    assert_places(&[first.at], &[shot.px(2.5, 0.75) + DVec2::new(0.0, 0.35 * EM_PX)]);
    assert_places(&[second.at], &[shot.px(6.0, 0.0) + DVec2::new(0.0, 0.35 * EM_PX)]);
    assert_eq!((first.color.rgb, first.color.alpha), ([5, 6, 252], 0.5));
    assert_eq!((second.color.rgb, second.color.alpha), ([250, 3, 2], 1.0));
}

#[test]
fn labels_of_polygons_fit_into_them_or_stand_in_their_corner() {
    let square = |words: &str| Outline {
        points: vec![[1.0, 1.0], [2.0, 1.0], [2.0, 3.0], [1.0, 3.0]],
        label: Some(words.into()),
    };
    let of = |words: &str, is_centred: bool| {
        let shapes = vec![
            square(words),
            Outline { label: None, ..square("") },
            Outline { points: vec![], label: Some("nowhere".into()) },
            Outline { points: vec![[4.0, 1.0]], label: Some("dot".into()) },
        ];
        let labels = Some(lettering([0.0, 2.0], is_centred));
        still(Draw::Polygons { name: None, shapes, is_closed: true, z: 0.0, ink: Ink::line(line(BLUE)), labels })
    };
    let short = of("a", true);
    let found = text(&short.scene, "a");
    assert_eq!((found.size, found.anchor), (2.0 * EM_PX, Anchor::Middle));
    assert_places(&[found.at], &[short.px(1.5, 2.0) + DVec2::new(0.0, 0.37 * 2.0 * EM_PX)]);
    assert_eq!(text(&short.scene, "dot").size, 0.0, "on a corner alone there is no space for words");
    // A long one is as wide as 94 % of the first side.
    let words = "a label that is far longer than its square";
    let long = of(words, true);
    assert_near(font::width(words, text(&long.scene, words).size), 0.94 * long.long(1.0));
    // Of a line of two ends that is its length.
    let diagonal = Outline { points: vec![[1.0, 1.0], [2.2, 1.5]], label: Some(words.into()) };
    let labels = Some(lettering([0.0, 2.0], true));
    let ink = Ink::line(line(BLUE));
    let shot = still(Draw::Polygons { name: None, shapes: vec![diagonal], is_closed: false, z: 0.0, ink, labels });
    assert_near(font::width(words, text(&shot.scene, words).size), 0.94 * shot.long(1.3));
    let corner = of(words, false);
    let found = text(&corner.scene, words);
    assert_eq!((found.size, found.anchor), (2.0 * EM_PX, Anchor::Start));
    assert_places(&[found.at], &[corner.px(1.0, 3.0) + DVec2::new(0.4, 1.1) * EM_PX]);
    assert!(texts(&corner.scene).all(|text| text.words != "nowhere"));
}

#[test]
fn polygons_are_one_path_at_their_height() {
    let shapes =
        || [1.0, 2.0].map(|x| Outline { points: vec![[x, 1.0], [x + 0.5, 1.0], [x, 2.0]], label: None }).to_vec();
    let draw = |is_closed| Draw::Polygons {
        name: None,
        shapes: shapes(),
        is_closed,
        z: 0.75,
        ink: Ink::fill(RED.full()).with_line(line(BLUE)),
        labels: None,
    };
    for is_closed in [true, false] {
        let shot = still(draw(is_closed));
        let found = fills(&shot.scene, &RED);
        assert_eq!(found.len(), 1);
        let corners: Vec<DVec2> =
            [1.0, 2.0].iter().flat_map(|x| [shot.px(*x, 1.0), shot.px(x + 0.5, 1.0), shot.px(*x, 2.0)]).collect();
        assert_places(&points(found[0].0), &corners);
        assert_eq!(is_closed_twice(found[0].0), is_closed);
        let ink = outlines(&shot.scene).find(|(path, _)| *path == found[0].0).unwrap().1;
        assert!(ink.has_holes && ink.line.is_some());
    }
    let mut side = view([bobs()], [Mark::new(draw(true))]);
    side.projections[0].axes = [Axis::X, Axis::Z];
    let shot = shot_of(&side, &BOBS);
    let found = fills(&shot.scene, &RED);
    assert!(points(found[0].0).iter().all(|at| (at.y - shot.px(0.0, 0.75).y).abs() < 1e-9), "{:?}", found[0].0);
}

fn is_closed_twice(path: &sim_view::draw::Path) -> bool {
    path.0.iter().filter(|step| **step == sim_view::draw::path::Step::Close).count() == 2
}

fn limit(name: &str, rule: Rule, to: Option<&str>) -> Limit {
    Limit {
        name: name.into(),
        of: "bobs".into(),
        rule,
        to: to.map(str::to_owned),
        paints: Vec::new(),
        events: None,
        least: None,
    }
}

/// Two bobs that are as near as their vector's first number says, at 1 m and at another place, with a link.
fn link_shot(x_m: f64, rule: Rule, ring: Option<f64>, unit: &str) -> Shot {
    let draw = Draw::Link { limits: vec!["room".into()], gap: 0.25, ring };
    let limits = vec![limit("room", rule, Some("bobs")), limit("other", Rule::AtLeast("u".into(), 99.0), Some("bobs"))];
    let view = View { limits, unit: unit.into(), ..view([bobs()], [Mark::new(draw)]) };
    let rows = ["0,0,0,1,2,0,0,0,0,1.25,0".to_owned(), format!("0,0,1,{x_m},2,0,0,0,0,1.25,0")];
    shot_of(&view, &[&rows[0], &rows[1]])
}

#[test]
fn a_link_runs_from_body_to_body_with_its_value_in_the_middle() {
    let shot = link_shot(7.0, Rule::AtLeast("u".into(), 2.0), Some(0.5), "m");
    let alarms = strokes_of(&shot.scene, shot.theme.alarm.rgb);
    let rings: Vec<_> = alarms.iter().filter(|(path, _)| points(path).len() == 5 && is_closed(path)).collect();
    assert_eq!(rings.len(), 2, "one round each of the two");
    for ((path, line), x) in rings.iter().zip([1.0, 7.0]) {
        assert_places(&[bounds(path).center()], &[shot.px(x, 2.0)]);
        assert_near(bounds(path).size().x, 2.0 * shot.long(0.5));
        assert_eq!((line.width, line.dash), (shot.pen(4.0), None));
    }
    let link = alarms.iter().find(|(path, _)| points(path).len() == 2).unwrap();
    assert_places(&points(link.0), &[shot.px(1.25, 2.0), shot.px(6.75, 2.0)]);
    // Under it lies the same in the colour of the ground, wider.
    let under = strokes_of(&shot.scene, shot.theme.ground.rgb);
    assert!(under.iter().any(|(path, line)| *path == link.0 && line.width == shot.pen(7.0)));
    let words = text(&shot.scene, "1.25 m");
    assert_places(&[words.at], &[shot.px(4.0, 2.0) + DVec2::new(0.0, 0.35 * EM_PX)]);
    let grounds: Vec<_> = outlines(&shot.scene).filter(|(_, ink)| ink.fill == Some(shot.theme.alarm)).collect();
    assert_places(&[bounds(grounds[0].0).size()], &[DVec2::new(2.0 * 2.3, 1.6) * EM_PX]);
}

#[test]
fn a_link_of_millimetres_has_one_digit_and_rings_are_only_drawn_if_asked_for() {
    let shot = link_shot(7.0, Rule::AtMost("u".into(), 1.0), None, "mm");
    text(&shot.scene, "1.2 mm");
    let alarms = strokes_of(&shot.scene, shot.theme.alarm.rgb);
    assert!(alarms.iter().all(|(path, _)| points(path).len() != 5));
}

#[test]
fn words_between_two_that_are_close_are_left_out() {
    // Words are at least 4.6 heights of the type wide.
    let least_m = |shot: &Shot| 4.6 * EM_PX / shot.long(1.0);
    let far = link_shot(7.0, Rule::AtLeast("u".into(), 2.0), None, "m");
    let has_words = |x_m: f64| {
        texts(&link_shot(x_m, Rule::AtLeast("u".into(), 2.0), None, "m").scene).any(|text| text.words == "1.25 m")
    };
    assert_eq!([has_words(1.0 + 1.01 * least_m(&far)), has_words(1.0 + 0.99 * least_m(&far))], [true, false]);
}

#[test]
fn the_link_of_what_is_over_is_dashed_and_says_the_worst() {
    let events = sim_world::view::Breaks {
        stream: "events".into(),
        begin: "begin".into(),
        end: Some("end".into()),
        subject: "bob".into(),
        object: Some("bob".into()),
    };
    let of = |rule: Rule, rows: &[&str]| {
        let room = Limit { events: Some(events.clone()), ..limit("room", rule, Some("bobs")) };
        let draw = Draw::Link { limits: vec!["room".into()], gap: 0.25, ring: Some(0.5) };
        let view = View { limits: vec![room], ..view([bobs()], [Mark::new(draw)]) };
        let tables: [Table; 2] = [
            sampled("bobs", 2, COLUMNS, BOBS),
            table("events", ON_EVENT, "kind:t subject:t object:t value", rows.iter().copied()),
        ];
        Shot::at(&Folder::of_view(&view, &tables), 0.0)
    };
    let both = ["0,0,begin,bob 0,bob 1,1", "0,0,end,bob 0,bob 1,0.5"];
    let shot = of(Rule::AtLeast("u".into(), -5.0), &both);
    text(&shot.scene, "down to -5.50 m");
    let alarms = strokes_of(&shot.scene, shot.theme.alarm.rgb);
    assert!(
        alarms
            .iter()
            .filter(|(path, _)| points(path).len() != 4)
            .all(|(_, line)| line.dash == Some([18.0, 0.7 * 18.0]))
    );
    text(&of(Rule::AtMost("u".into(), 5.0), &both).scene, "up to 5.50 m");
    // Where only the beginning is known, so is only the limit.
    text(&of(Rule::AtLeast("u".into(), -5.0), &both[..1]).scene, "under -5 m");
    text(&of(Rule::AtMost("u".into(), 5.0), &both[..1]).scene, "over 5 m");
}

#[test]
fn a_scan_is_the_space_that_its_rays_crossed_and_a_square_at_each_end() {
    let of = |is_full_turn: bool, carriers: usize| {
        let mount =
            |owner| Mount { owner, at: [0.0; 2], first_rad: 0.0, step_rad: FRAC_PI_2, is_full_turn, least: 0.0 };
        let scanner = scanner((0..carriers as u64).map(mount).collect());
        let draw = Draw::Scan { stream: "scans".into(), seen: Some(RED.faded(0.5)), hits: Some(BLUE.full()) };
        let view = View { scanners: vec![scanner], ..view([bobs()], [Mark::new(draw)]) };
        let bobs = (0..carriers).map(|id| format!("0,0,{id},4,2,0,0,0,0,0,0"));
        let scans = (0..carriers).map(|id| format!("0,0,{id},0,1,,0.5,1.5"));
        let tables = [
            sampled("bobs", carriers as u64, COLUMNS, bobs),
            table("scans", ON_EVENT, "bob:i taken_s ray_#_m:4", scans),
        ];
        Shot::at(&Folder::of_view(&view, &tables), 0.0)
    };
    // 1 m to the right, nothing up, 0.5 m to the left, 1.5 m down.
    let shot = of(true, 1);
    let ends = [shot.px(5.0, 2.0), shot.px(3.5, 2.0), shot.px(4.0, 0.5)];
    let seen = fills(&shot.scene, &RED);
    assert_eq!((seen.len(), seen[0].1.alpha), (1, 0.5));
    assert_places(&points(seen[0].0), &[ends[0], shot.px(4.0, 2.0), ends[1], ends[2]]);
    let hits = fills(&shot.scene, &BLUE);
    let half = 0.5 * shot.pen(2.6);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v)| DVec2::new(u, v) * half);
    let squares: Vec<DVec2> = ends.iter().flat_map(|end| corners.map(|corner| *end + corner)).collect();
    assert_places(&points(hits[0].0), &squares);
    // A part of a turn begins at the scanner.
    let fan = of(false, 1);
    assert_places(&points(fills(&fan.scene, &RED)[0].0)[..2], &[fan.px(4.0, 2.0), fan.px(5.0, 2.0)]);
    // More than six of them are fainter each.
    let many = of(true, 8);
    let seen = fills(&many.scene, &RED);
    assert_eq!(seen.len(), 8);
    assert_near(seen[7].1.alpha, 0.5 * 6.0 / 8.0);
    assert_eq!(fills(&of(true, 6).scene, &RED)[0].1.alpha, 0.5);
}

#[test]
fn the_wells_are_an_image_of_the_potential() {
    let (sigma, beta_per_s, window_s, extent) = (0.5, 1.5, 0.8, 1.0);
    let wells = Wells {
        wells: "bobs".into(),
        hills: "hills".into(),
        hill: ["sigma_m".into(), "peak".into()],
        scale: 2.0,
        sigma,
        stretch_s: 0.0,
        beta_per_s,
        window_s,
        frames: 16,
        extent,
        words: Default::default(),
    };
    let parties = [bobs(), party("hills", "hill")];
    let rows = ["0,0,0,2,1,0,0,0,0,0,0", "0,0,1,2,3,0,0,0,0,0,0"];
    let hills = sampled("hills", 1, "hill:i x_m y_m sigma_m peak", ["0,0,0,6,2,0.4,0.3"]);
    let folder =
        Folder::of_view(&view(parties, [Mark::new(Draw::Wells(wells))]), &[sampled("bobs", 2, COLUMNS, rows), hills]);
    let shot = Shot::at(&folder, 0.0);
    let image = shot.scene.shapes.iter().find_map(|shape| match shape {
        Drawn::Image(frame, image) => Some((frame, image)),
        _ => None,
    });
    let (frame, image) = image.unwrap();
    let plane = shot.view.plane_px();
    assert_eq!((frame.min, frame.max), (plane.min.floor(), plane.max.ceil()));
    let gauss = |d: DVec2, sigma: f64| sim_core::ops::exp(-0.5 * d.length_squared() / (sigma * sigma));
    let depth = (1.0 - sim_core::ops::exp(-beta_per_s * window_s)) / beta_per_s;
    for (x, y) in [(2.0, 1.0), (2.0, 3.0), (2.0, 2.0), (2.4, 1.3), (6.0, 2.0), (6.3, 2.4), (4.0, 2.0), (7.9, 0.1)] {
        let at = DVec2::new(x, y);
        let wells: f64 = [DVec2::new(2.0, 1.0), DVec2::new(2.0, 3.0)].iter().map(|well| gauss(at - *well, sigma)).sum();
        let potential = 2.0 * (0.3 * gauss(at - DVec2::new(6.0, 2.0), 0.4) - depth * wells);
        let px = shot.px(x, y) - frame.min;
        let found = image.pixels[px.y as usize * image.width + px.x as usize];
        let expected = shot.theme.potential.at(potential / extent);
        let off = (0..3).map(|n| found[n].abs_diff(expected[n])).max().unwrap();
        assert!(off <= 3, "({x}, {y}): {found:?}, not {expected:?}");
    }
}

#[test]
fn colours_are_those_of_the_theme_and_as_faint_as_a_column_says() {
    let ink = |tint: Tint| {
        let shot = shot(Draw::Circle { radius: (Coord::Fixed(0.5), 0.0), ink: Ink::fill(tint), alarm: None });
        let theme = shot.theme.clone();
        let found: Vec<_> =
            outlines(&shot.scene).filter(|(path, _)| points(path).len() == 5).filter_map(|(_, ink)| ink.fill).collect();
        (found, theme)
    };
    let (found, theme) = ink(Color::Owner.full());
    assert_eq!(found, theme.series[..2]);
    let named = [
        (Color::Ground, theme.ground),
        (Color::Ink, theme.ink),
        (Color::Faint, theme.faint),
        (Color::Floor, theme.floor()),
        (Color::Solid, theme.solid),
        (Color::Body, theme.body),
        (Color::OnBody, theme.on_body),
        (Color::Arrow, theme.arrow),
        (Color::Warm, theme.warm),
        (Color::OnWarm, theme.on_warm),
        (Color::Cool, theme.cool),
        (Color::Alarm, theme.alarm),
        (Color::OnAlarm, theme.on_alarm),
    ];
    for (color, expected) in named {
        assert_eq!(ink(color.clone().full()).0[0], expected, "{color:?}");
    }
    // By 0.3 and 0 of 1: from 0.2 up to 0.7.
    let by = Tint { by: Some(("u".into(), 0.2, 1.0)), ..RED.faded(0.7) };
    let alphas: Vec<f64> = ink(by).0.iter().map(|color| color.alpha).collect();
    assert_near(alphas[0], 0.2 + 0.5 * 0.3);
    assert_near(alphas[1], 0.2);
    let lamp = Color::Lamp(["x_m", "yaw_rad", "v"].map(str::to_owned));
    assert_eq!(ink(lamp.full()).0.iter().map(|color| color.rgb).collect::<Vec<_>>(), [[2, 0, 0], [6, 1, 0]]);
}

#[test]
fn the_plane_is_filled_and_has_lines_at_round_distances() {
    let shot = still(Draw::Plane { fill: Some(RED.full()), has_grid: true });
    let plane = fills(&shot.scene, &RED);
    assert_places(&points(plane[0].0), &[(0.0, 4.0), (8.0, 4.0), (8.0, 0.0), (0.0, 0.0)].map(|(x, y)| shot.px(x, y)));
    let faint = shot.theme.ink.faded(0.08);
    let grid = outlines(&shot.scene).find(|(_, ink)| ink.line.is_some_and(|line| line.color == faint)).unwrap().0;
    // Half a metre apart: 17 lines up, and 9 across.
    let mut expected: Vec<DVec2> = (0..17).flat_map(|n| [0.0, 4.0].map(|y| shot.px(0.5 * f64::from(n), y))).collect();
    expected.extend((0..9).flat_map(|n| [0.0, 8.0].map(|x| shot.px(x, 0.5 * f64::from(n)))));
    assert_places(&points(grid), &expected);
    let bare = still(Draw::Plane { fill: None, has_grid: false });
    assert!(outlines(&bare.scene).all(|(_, ink)| ink.line.is_none_or(|line| line.color != faint)));
}

#[test]
fn a_mark_is_drawn_on_its_layer_from_its_size_on_and_for_its_owners() {
    let count = |mark: Mark, hide: &[&str]| {
        let layer = |name: &str, is_shown| sim_world::view::Layer {
            name: name.into(),
            title: "".into(),
            about: "".into(),
            is_shown,
        };
        let view = View { layers: vec![layer("usual", true), layer("extra", false)], ..view([bobs()], [mark]) };
        let folder = Folder::of_view(&view, &[sampled("bobs", 2, COLUMNS, BOBS)]);
        let hidden = [&["grid", "panel"], hide].concat();
        fills(&Shot::without(&folder, 0.0, &hidden).unwrap().scene, &RED).len()
    };
    let mark = || circle("bobs", 0.5, RED);
    assert_eq!(count(mark(), &[]), 2);
    assert_eq!(
        [count(mark().on("usual"), &[]), count(mark().on("usual"), &["usual"]), count(mark().on("extra"), &[])],
        [2, 0, 0]
    );
    assert_eq!(count(Mark { owners: vec![1, 7], ..mark() }, &[]), 1);
    let px_m = 1.0 / shot(body(vec![])).long(1.0);
    let from = |length_px: f64| count(Mark { from: Some([length_px * px_m, 2.0]), ..mark() }, &[]);
    assert_eq!([from(60.001), from(59.999)], [2, 0]);
    // What is drawn for owners is not drawn without them.
    assert_eq!(count(Mark { of: None, ..mark() }, &[]), 0);
    assert_eq!(count(Mark::new(Draw::Plane { fill: Some(RED.full()), has_grid: false }).of("bobs"), &[]), 0);
}

/// The bobs, posts and hats that are in alarm, by number. Bobs and hats stand at x 1, 2 and 4, and a gap below 1.5 m is too small.
fn alarms(to: &str, post_xs: [i32; 3], gaps: [&str; 3], paints: &[&str]) -> [Vec<u64>; 3] {
    let names = ["bobs", "posts", "hats"];
    let (colors, xs) = ([RED, GREEN, BLUE], [[1, 2, 4], post_xs, [1, 2, 4]]);
    let mark = |n: usize| Mark { when: vec![Condition::Alarm], ..circle(names[n], 0.1, colors[n].clone()) };
    let paints = paints.iter().map(|&name| name.to_owned()).collect();
    let room = Limit { paints, ..limit("room", Rule::AtLeast("gap".into(), 1.5), Some(to)) };
    let row = |n: usize, id: usize| format!("0,0,{id},{},0,{}", xs[n][id], gaps[id]);
    let tables =
        [0, 1, 2].map(|n| sampled(names[n], 3, "id:i x_m y_m gap", (0..3).map(|id| row(n, id)).collect::<Vec<_>>()));
    let view = View { limits: vec![room], ..view(names.map(|name| party(name, name)), [0, 1, 2].map(mark)) };
    let shot = Shot::at(&Folder::of_view(&view, &tables), 0.0);
    [0, 1, 2].map(|n| {
        let found =
            fills(&shot.scene, &colors[n]).into_iter().map(|(path, _)| shot.view.place(bounds(path).center()).x);
        found.map(|x| xs[n].iter().position(|at| (f64::from(*at) - x).abs() < 1e-6).unwrap() as u64).collect()
    })
}

#[test]
fn a_broken_distance_paints_both_and_those_that_go_with_the_owner() {
    let (none, posts) = (vec![], [1, 2, 4]);
    assert_eq!(alarms("bobs", posts, ["2"; 3], &["hats"]), [none.clone(), none.clone(), none.clone()]);
    // Posts at the same places: the nearest has the same number.
    assert_eq!(alarms("posts", posts, ["2", "1", "2"], &[]), [vec![1], vec![1], none.clone()]);
    assert_eq!(alarms("posts", posts, ["1", "2", "1"], &["hats"]), [vec![0, 2], vec![0, 2], vec![0, 2]]);
    // In the opposite order: the other one is painted by its own number, and a hat goes with the owner alone.
    assert_eq!(alarms("posts", [4, 2, 1], ["2", "2", "1"], &["hats"]), [vec![2], vec![0], vec![2]]);
    // The last bob is nearest to the one in the middle: both must keep the distance, and so both hats are painted.
    assert_eq!(alarms("bobs", posts, ["2", "2", "1"], &[]), [vec![1, 2], none.clone(), none.clone()]);
    assert_eq!(alarms("bobs", posts, ["2", "2", "1"], &["hats"]), [vec![1, 2], none, vec![1, 2]]);
}

#[test]
fn half_a_turn_is_half_a_turn() {
    // The y axis points up on the plane and down in the picture: an owner that looks down on the plane has its front below.
    let rows = ["0,0,0,2,2,0,-1.5707963267948966,0,0,0,0", "0,0,1,6,2,0,3.141592653589793,0,0,0,0"];
    let front = body(vec![part(Shape::Line(vec![[0.0, 0.0], [1.0, 0.0]]))]);
    let shot = shot_of(&view([bobs()], [Mark::new(front).of("bobs")]), &rows);
    let found = fills(&shot.scene, &RED);
    assert_places(&points(found[0].0), &[shot.px(2.0, 2.0), shot.px(2.0, 1.0)]);
    assert_places(&points(found[1].0), &[shot.px(6.0, 2.0), shot.px(6.0 + sim_core::ops::cos(PI), 2.0)]);
}
