//! The JSON of views: written by hand as `page/spec.js` describes it, read, and written again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{has_the_members_of, members_of, refused, same};
use serde_json::{Value, json};
use sim_marks::{
    Area, Axis, Color, Condition, Coord, Draw, Figure, Flag, Fold, Ink, Layer, Lettering, Limit, Line, Mark, Mount,
    Outline, Panel, Part, Party, Phrase, Place, Plot, Projection, Quantity, Rule, Scanner, Section, Shape, Tint, View,
    Width,
};

fn tint() -> Value {
    json!({ "color": { "rgb": [255, 0, 7] }, "alpha": 1.0, "by": null })
}

fn line() -> Value {
    let tint = json!({ "color": "ink", "alpha": 0.5, "by": ["battery_percent", 0.0, 100.0] });
    json!({ "tint": tint, "width": { "px": 2.0 }, "dash": [3.0, 1.0] })
}

fn ink() -> Value {
    json!({ "fill": tint(), "line": line() })
}

fn lettering() -> Value {
    json!({ "tint": tint(), "size": [0.0, 1.0], "is_bold": true, "is_centred": false })
}

fn outline() -> Value {
    json!({ "points": [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]], "label": "A" })
}

fn phrase() -> Value {
    let figure = json!({ "of": { "column": "v_m_s" }, "over": null, "factor": 1.0, "digits": 2 });
    json!({ "words": "{} m/s", "figures": [figure], "when": [{ "above": [{ "column": "v_m_s" }, 0.0] }] })
}

/// Draws of the ground and of what stands still: the word of each, its type on the page, and its members.
fn still_draws() -> [(&'static str, &'static str, Value); 7] {
    let raster = json!({
        "name": "bottom", "from": [0.0, 1.0], "step": [10.0, 10.0], "columns": 2, "values": [1.0, null, 3.0, 4.0],
        "range": [0.0, 5.0], "colors": ["cool", "warm"], "words": ["Depth, m", "deep", "shallow"], "ground": ink()
    });
    let wells = json!({
        "wells": "feet", "hills": "patches", "hill": ["sigma_mm", "height"], "scale": 1.0, "sigma": 40.0,
        "stretch_s": 0.2, "beta_per_s": 2.5, "window_s": 0.6, "frames": 12, "extent": 3.0, "words": ["a", "b", "c", "d"]
    });
    let polygons = json!({
        "name": "cards", "shapes": [outline()], "is_closed": true, "z": -1.0, "ink": ink(), "labels": lettering()
    });
    let points = json!({ "places": [[1.0, 2.0, -3.0]], "radius": [0.1, 0.5], "ink": ink(), "line": line() });
    [
        ("plane", "PlaneDraw", json!({ "fill": tint(), "has_grid": true })),
        ("polygons", "PolygonsDraw", polygons),
        ("points", "PointsDraw", points),
        ("raster", "Raster", raster),
        ("scan", "ScanDraw", json!({ "stream": "lidar", "seen": tint(), "hits": null })),
        ("wells", "Wells", wells),
        ("link", "LinkDraw", json!({ "limits": ["d_r"], "gap": 17.0, "ring": 30.0 })),
    ]
}

/// The same of draws for owners.
fn draws_of_owners() -> [(&'static str, &'static str, Value); 8] {
    let place = json!({ "x": "x_m", "y": 0.5, "z": 0.0 });
    let part = json!({
        "shape": { "disc": [[0.0, 1.0], 2.0] }, "ink": ink(), "alarm": ink(), "turn": ["steer_rad", [0.3, 0.1]],
        "when": ["alarm"]
    });
    let ellipse = json!({ "sigma": 40.0, "stretch_s": 0.2, "ahead_s": [0.0, 0.3], "line": line() });
    let vector = json!({ "along": ["vx_m_s", "vy_m_s"], "up": "vz_m_s", "factor": 0.4, "gap": 0.1, "tint": tint() });
    let label = json!({
        "words": [phrase()], "at": [0.1, 0.0], "below": [0.0, 1.0], "lettering": lettering(), "alarm": tint(),
        "ground": tint()
    });
    [
        ("profile", "ProfileDraw", json!({ "raster": "bottom", "line": line() })),
        ("body", "BodyDraw", json!({ "parts": [part], "has_finder": true, "shadow": [1.0, 20.0] })),
        ("circle", "CircleDraw", json!({ "radius": ["reach_m", 0.3], "ink": ink(), "alarm": ink() })),
        ("ellipse", "EllipseDraw", ellipse),
        ("trail", "TrailDraw", json!({ "back_s": 2.0, "ahead_s": 0.5, "line": line() })),
        ("vector", "VectorDraw", vector),
        ("line", "LineDraw", json!({ "from": place, "to": place, "line": line() })),
        ("label", "LabelDraw", label),
    ]
}

fn draws() -> Vec<(&'static str, &'static str, Value)> {
    still_draws().into_iter().chain(draws_of_owners()).collect()
}

#[test]
fn every_mark_reads_back_and_has_the_members_that_the_page_reads() {
    let mut words: Vec<_> = draws().iter().map(|(word, ..)| (*word).to_owned()).collect();
    words.sort_unstable();
    assert_eq!(members_of("Draws").into_keys().collect::<Vec<_>>(), words);
    for (word, name, members) in draws() {
        has_the_members_of(&members, name);
        let mark = json!({
            "layer": "bodies", "key": "a mark", "of": "cars", "projections": ["plan"], "owners": [0, 3],
            "when": [{ "flag": "button" }], "from": [0.1, 2.0], "draw": { word: members }
        });
        has_the_members_of(&same::<Mark>(&mark), "Mark");
    }
}

fn without(members: &Value, key: &str) -> Value {
    let mut members = members.clone();
    members.as_object_mut().unwrap().remove(key);
    members
}

/// A member that may be null, or that the page can do without, may be left out; the others must be there.
#[test]
fn a_draw_that_lacks_a_member_is_refused_by_its_name() {
    for (word, name, members) in draws() {
        let optional = members_of(name);
        for (key, may_lack) in &optional {
            let mut nulled = members.clone();
            nulled[key] = Value::Null;
            let may_be_null = serde_json::from_value::<Draw>(json!({ word: nulled })).is_ok();
            let left = serde_json::from_value::<Draw>(json!({ word: without(&members, key) }));
            match left {
                Ok(_) => assert!(may_be_null || *may_lack, "{word} takes no {key}"),
                Err(error) => assert_eq!(error.to_string(), format!("missing field `{key}`"), "{word}"),
            }
        }
    }
    assert!(refused::<Draw>(&json!({ "planes": {} })).starts_with("unknown variant `planes`"));
    let link = json!({ "link": { "limits": "d_r", "gap": 1.0, "ring": null } });
    assert!(refused::<Draw>(&link).contains("expected a sequence"));
}

#[test]
fn what_a_mark_does_not_say_is_written_as_the_page_expects_it() {
    let mark = Mark::new(Draw::Plane { fill: None, has_grid: false });
    let empty = json!({
        "layer": null, "key": null, "of": null, "owners": [], "when": [], "from": null,
        "draw": { "plane": { "fill": null, "has_grid": false } }
    });
    assert_eq!(serde_json::to_value(&mark).unwrap(), empty);
    let full = mark.of("cars").on("bodies").seen_in("side").keyed("a car");
    assert_eq!((full.of.as_deref(), full.layer.as_deref()), (Some("cars"), Some("bodies")));
    assert_eq!((full.projections, full.key.as_deref()), (vec!["side".to_owned()], Some("a car")));
    // Nothing points up unless a column says so.
    let arrow = json!({ "along": ["vx", "vy"], "factor": 1.0, "gap": 0.0, "tint": tint() });
    assert!(matches!(same::<Draw>(&json!({ "vector": arrow })), Draw::Vector { up: None, .. }));
}

#[test]
fn a_party_of_a_stream_and_a_plot_of_it_leave_everything_else_open() {
    let party = Party::new("bob", ["bob", "bobs"], Place::plane("x_m", 2.0));
    let expected = json!({
        "stream": "bob", "one": "bob", "many": "bobs", "place": { "x": "x_m", "y": 2.0, "z": 0.0 }, "angles": [],
        "velocity": null, "linear": [], "while_same": null, "names": [], "reach": null
    });
    assert_eq!(serde_json::to_value(&party).unwrap(), expected);
    has_the_members_of(&party, "Party");
    let plot = Plot::new("bob", "Angle", "rad", vec![Figure::column("angle_rad", 3).times(2.0)]);
    let figure = json!({ "of": { "column": "angle_rad" }, "over": null, "factor": 2.0, "digits": 3 });
    let expected =
        json!({ "title": "Angle", "unit": "rad", "of": "bob", "curves": [figure], "limit": null, "range": null });
    assert_eq!(serde_json::to_value(&plot).unwrap(), expected);
    has_the_members_of(&plot, "PlotSpec");
    has_the_members_of(&plot.curves[0], "Figure");
}

#[test]
fn coordinates_are_numbers_or_columns() {
    assert_eq!((same::<Coord>(&json!(0.5)), same::<Coord>(&json!("z_m"))), (0.5.into(), "z_m".into()));
    assert!(refused::<Coord>(&json!([1.0])).contains("did not match any variant"));
}

#[test]
fn numbers_about_owners_read_back() {
    let quantities = [
        json!("owner"),
        json!("name"),
        json!("apart"),
        json!({ "column": "x_m" }),
        json!({ "length": ["vx", "vy"] }),
        json!({ "difference": [["a", "b"], ["c", "d"]] }),
        json!({ "middle": ["left", "right"] }),
        json!({ "tilt": ["pitch_rad", "roll_rad"] }),
        json!({ "nearest": "lidar" }),
        json!({ "within": ["patches", "sigma_mm"] }),
        json!({ "over": { "polygons": "cards", "at": [-11.1, 0.0], "up_to": 5.0 } }),
    ];
    for quantity in quantities {
        let below: Condition = same(&json!({ "below": [quantity, 1.0] }));
        assert_eq!(below, Condition::Below(same::<Quantity>(&quantity), 1.0));
    }
    let folds = [json!("min"), json!("max"), json!("mean"), json!("count"), json!({ "share_above": 10.0 })];
    let folds: Vec<Fold> = folds.iter().map(same).collect();
    assert_eq!(folds, [Fold::Min, Fold::Max, Fold::Mean, Fold::Count, Fold::ShareAbove(10.0)]);
    let over = Figure::new(Quantity::Apart, 2).over(Fold::Min);
    assert_eq!((over.over, over.factor, over.digits), (Some(Fold::Min), 1.0, 2));
    let said = Phrase::new("{} m", [over]).when(Condition::Alarm);
    assert_eq!((said.figures.len(), said.when.as_slice()), (1, &[Condition::Alarm][..]));
    has_the_members_of(&said, "Phrase");
    assert!(refused::<Figure>(&json!({ "of": "owner", "over": null, "factor": 1.0, "digits": 256 })).contains("256"));
}

#[test]
fn colours_and_lines_read_back() {
    let colors = ["ground", "ink", "faint", "floor", "solid", "body", "on_body", "arrow"];
    for color in colors.into_iter().chain(["warm", "on_warm", "cool", "alarm", "on_alarm", "owner"]) {
        same::<Color>(&json!(color));
    }
    same::<Color>(&json!({ "lamp": ["r", "g", "b"] }));
    assert!(refused::<Color>(&json!({ "rgb": [256, 0, 0] })).contains("256"));
    let widths =
        [json!({ "px": 1.0 }), json!({ "fine": 1.0 }), json!({ "length": 0.1 }), json!({ "limited": [0.1, 4] })];
    let widths = widths.map(|width| serde_json::from_value::<Width>(width).unwrap());
    assert_eq!(widths, [Width::Px(1.0), Width::Fine(1.0), Width::Length(0.1), Width::Limited(0.1, 4.0)]);
    has_the_members_of(&same::<Lettering>(&lettering()), "Lettering");
    has_the_members_of(&same::<Tint>(&tint()), "Tint");
    let dashed = Line::new(Color::Ink.faded(0.5), Width::Px(1.0)).dashed(4.0, 2.0);
    has_the_members_of(&dashed, "Line");
    assert_eq!((dashed.dash, dashed.tint.alpha), (Some([4.0, 2.0]), 0.5));
    let both = Ink::fill(Color::Warm.full()).with_line(dashed.clone());
    assert_eq!((both.fill.is_some(), both.line.as_ref()), (true, Some(&dashed)));
    has_the_members_of(&both, "Ink");
    assert_eq!(Ink::line(dashed.clone()), Ink { fill: None, line: Some(dashed) });
}

#[test]
fn shapes_read_back() {
    for shape in [
        json!({ "polygon": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] }),
        json!({ "line": [[0.0, 0.0], [1.0, 0.0]] }),
        json!({ "box": [[-1.0, -1.0], [1.0, 1.0], 0.2] }),
        json!({ "prism": [[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [-0.5, 0.5]] }),
    ] {
        let part =
            json!({ "shape": shape, "ink": { "fill": null, "line": null }, "alarm": null, "turn": null, "when": [] });
        has_the_members_of(&same::<Part>(&part), "Part");
    }
    has_the_members_of(&same::<Outline>(&outline()), "Outline");
    assert!(matches!(same::<Shape>(&json!({ "disc": [[0.0, 0.0], 1.0] })), Shape::Disc([0.0, 0.0], 1.0)));
}

#[test]
fn what_must_be_kept_reads_back() {
    let breaks = json!({ "stream": "events", "begin": "collision", "end": null, "subject": "car", "object": "car" });
    for rule in
        [json!({ "at_least": ["a", 60.0] }), json!({ "at_most": ["b", 1.0] }), json!({ "is_not": ["status", "hit"] })]
    {
        let limit = json!({
            "name": "d_r", "of": "agents", "rule": rule, "to": "feet", "paints": ["cubes"], "events": breaks,
            "least": ["min_mm", "min_at_s"]
        });
        has_the_members_of(&same::<Limit>(&limit), "Limit");
    }
    has_the_members_of(&breaks, "Breaks");
    assert!(refused::<Rule>(&json!({ "at_least": ["a_mm"] })).contains("length 1"));
    let flag = json!({
        "name": "button", "of": "cubes", "events": "messages", "matching": [["kind", "notify"]],
        "holds": ["text", "pressed"]
    });
    has_the_members_of(&same::<Flag>(&flag), "Flag");
}

#[test]
fn the_panel_reads_back() {
    let fact = json!({ "of": "cars", "is_each": true, "title": phrase(), "value": phrase() });
    let list = json!({
        "of": "cars", "title": "Cars", "at_most": 5, "sign": tint(), "name": phrase(),
        "cells": [["v", 0.5, [phrase()]]], "below": []
    });
    let verdict = json!({
        "limits": ["d_r"], "none": "no", "now": "NEAR: {}", "just_now": null, "counted": ["{} pair", "{} pairs"],
        "named": ["car {}", "cars {}"], "past": null
    });
    let distances = json!({ "title": "Distances", "rows": [["now", "d_r"]] });
    for (members, name) in [(&distances, "Distances"), (&verdict, "Verdict"), (&fact, "FactSpec"), (&list, "List")] {
        has_the_members_of(members, name);
    }
    let sections = json!([
        "scale", { "distances": distances }, { "verdict": verdict }, { "facts": [fact] }, { "list": list },
        { "key": { "has_bar": true } }
    ]);
    let panel = same::<Panel>(&json!({ "height": 20.0, "sections": sections }));
    assert!(matches!(panel.sections[..], [Section::Scale, .., Section::Key { has_bar: true }]));
}

#[test]
fn a_whole_view_has_the_members_that_the_page_reads() {
    let view = View::default();
    has_the_members_of(&view, "ViewSpec");
    assert_eq!(serde_json::to_value(&view).unwrap().get("is_right_handed"), None, "left-handed is not written");
    let right = View { is_right_handed: true, ..View::default() };
    assert_eq!(serde_json::to_value(&right).unwrap()["is_right_handed"], true);
    let side: Projection = same(&json!({
        "name": "side", "axes": ["x", "z"], "is_up": true, "height": 0.3,
        "area": { "fixed": [[0.0, -5.0], [9.0, 0.0]], "holds": [["cars", [0.5]]], "margin": [0.1, 0.0] }
    }));
    has_the_members_of(&side, "Projection");
    has_the_members_of(&side.area, "AreaSpec");
    assert_eq!((side.axes, side.height), ([Axis::X, Axis::Z], Some(0.3)));
    assert_eq!(Area::default(), Area { fixed: None, holds: Vec::new(), margin: [0.0, 0.0] });
    let mount = json!({
        "owner": 1, "at": [0.1, 0.0], "first_rad": -1.0, "step_rad": 0.01, "is_full_turn": false, "least": 0.05
    });
    let scanner = json!({
        "stream": "lidar", "on": "cars", "taken": "taken_s", "ranges": "ray_#_m", "ray": null, "mounts": [mount]
    });
    has_the_members_of(&same::<Scanner>(&scanner), "Scanner");
    has_the_members_of(&same::<Mount>(&mount), "Mount");
    let layer = json!({ "name": "trails", "title": "trails", "about": "where it was", "is_shown": false });
    has_the_members_of(&same::<Layer>(&layer), "LayerSpec");
    assert_eq!(refused::<View>(&json!({ "unit": "m" })), "missing field `projections`");
}
