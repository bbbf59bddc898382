//! What the page, views that are written already, and hands that write JSON rely on.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{definition_of, members_of, refused, same};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sim_marks::{
    Axis, Breaks, Color, Condition, Draw, Fact, Figure, Flag, Fold, Ink, Layer, Limit, Line, List, Mark, Mount, Party,
    Phrase, Place, Plot, Projection, Quantity, Rule, Scanner, Section, Shape, Tint, Verdict, View, Width,
};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// The themes of the page.
const THEMES: &str = include_str!("../../sim-view/page/colour.js");

/// The words with which a value of an enum may begin, by the message that refuses any other.
fn words_of<T: DeserializeOwned + Debug>() -> BTreeSet<String> {
    let message = refused::<T>(&json!("no such word"));
    message.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

/// The same of a union on the page: quoted words, and the only members of objects.
fn words_on_page(name: &str) -> BTreeSet<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in definition_of(name).chars() {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        match c {
            '|' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut().unwrap().push(c),
        }
    }
    let word = |part: String| part.split([':', ']']).next().unwrap().trim_matches([' ', '{', '\'']).to_owned();
    parts.into_iter().map(word).collect()
}

#[test]
fn the_page_knows_each_word_and_no_other() {
    assert_eq!(words_of::<Condition>(), words_on_page("Condition"));
    assert_eq!(words_of::<Quantity>(), words_on_page("Quantity"));
    assert_eq!(words_of::<Fold>(), words_on_page("Fold"));
    assert_eq!(words_of::<Axis>(), words_on_page("Axis"));
    assert_eq!(words_of::<Rule>(), words_on_page("Rule"));
    assert_eq!(words_of::<Width>(), words_on_page("Width"));
    assert_eq!(words_of::<Shape>(), words_on_page("Shape"));
    assert_eq!(words_of::<Section>(), words_on_page("Section"));
    assert_eq!(words_of::<Draw>(), members_of("Draws").into_keys().collect());
}

/// A colour of the theme that a page lacks would be drawn as black.
#[test]
fn both_themes_of_the_page_have_each_colour() {
    let themes: Vec<BTreeSet<String>> = THEMES.split("colors: {").skip(1).map(colours_in).collect();
    // The page reads those of owners, of lamps and by numbers elsewhere.
    let mut named = words_of::<Color>();
    assert!(["owner", "lamp", "rgb"].into_iter().all(|word| named.remove(word)));
    assert_eq!(themes, [named.clone(), named]);
}

fn colours_in(text: &str) -> BTreeSet<String> {
    let lines = text.lines().skip(1).take_while(|line| line.trim() != "},");
    lines.map(|line| line.trim().split_once(':').unwrap().0.to_owned()).collect()
}

/// Views of runs that stand on disks: of a swarm, of cubes, and of cars.
#[test]
fn views_that_are_written_already_read_and_are_written_alike() {
    let swarm = include_str!("../../sim-view/tests/views/swarm.json");
    let cubes = include_str!("../../sim-view/tests/views/cubes.json");
    let road = include_str!("../../sim-view/tests/views/road.json");
    let [swarm, cubes, road] = [swarm, cubes, road].map(|text| same::<View>(&serde_json::from_str(text).unwrap()));
    assert_eq!((swarm.unit.as_str(), cubes.unit.as_str(), road.unit.as_str()), ("mm", "mm", "m"));
    assert_eq!(cubes.parties[0].names, ["one", "two", "three"]);
    assert_eq!(cubes.sound, Some(["cubes".into(), "sound".into()]));
    assert!(swarm.parties.iter().chain(&road.parties).all(|party| party.names.is_empty()));
}

/// The page tells a scale of its own from none by whether the member is there at all.
#[test]
fn a_projection_with_one_scale_is_written_without_a_height() {
    let plan = json!({
        "name": "plan", "axes": ["y", "x"], "is_up": false, "area": { "fixed": null, "holds": [], "margin": [0.0, 0.0] }
    });
    assert_eq!(same::<Projection>(&plan).height, None);
    assert_eq!(members_of("Projection").get("height"), Some(&true));
}

#[test]
fn builders_keep_what_was_said_before() {
    let figure = Figure::column("z_m", 3).times(-2.0).over(Fold::Max);
    let read = json!({ "of": { "column": "z_m" }, "over": "max", "factor": -2.0, "digits": 3 });
    assert_eq!(figure, same::<Figure>(&read));
    let turned = Figure::column("z_m", 3).over(Fold::Max).times(-2.0);
    assert_eq!(turned, figure);
    let phrase = Phrase::new("{} of {}", [figure, turned]).when(Condition::Flag("button".into()));
    assert_eq!((phrase.words.as_str(), phrase.figures.len()), ("{} of {}", 2));
    let draw = Draw::Plane { fill: Some(Color::Floor.faded(0.25)), has_grid: true };
    let told = Mark { owners: vec![4], when: vec![Condition::Alarm], from: Some([0.1, 2.0]), ..Mark::new(draw) };
    let mark = told.clone().of("cars").on("bodies").seen_in("side").keyed("a car");
    assert_eq!(Mark { of: None, layer: None, projections: Vec::new(), key: None, ..mark }, told);
    let line = Line::new(Tint { by: Some(("peak".into(), 0.1, 1.0)), ..Color::Warm.full() }, Width::Fine(2.5));
    assert_eq!(Line { dash: None, ..line.clone().dashed(3.0, 1.0) }, line);
    let ink = Ink::fill(Color::Cool.full()).with_line(line);
    assert_eq!(Ink { line: None, ..ink }, Ink::fill(Color::Cool.full()));
    assert_eq!((Color::Solid.full().alpha, Color::Solid.full().by), (1.0, None));
}

/// Hands and other programs write `1` where they mean `1.0`.
#[test]
fn whole_numbers_are_numbers() {
    let place: Place = serde_json::from_value(json!({ "x": 1, "y": -2, "z": "z_m" })).unwrap();
    assert_eq!(place, Place { z: "z_m".into(), ..Place::plane(1.0, -2.0) });
    let tint = json!({ "color": "faint", "alpha": 1, "by": ["peak", 0, 1] });
    assert_eq!(serde_json::from_value::<Tint>(tint).unwrap().by, Some(("peak".into(), 0.0, 1.0)));
    let disc: Shape = serde_json::from_value(json!({ "disc": [[0, 0], 3] })).unwrap();
    assert_eq!(disc, Shape::Disc([0.0, 0.0], 3.0));
}

/// A type is refused without one of the members that the page cannot do without, by the name of the member.
fn needs<T: DeserializeOwned + Debug>(name: &str, full: &Value) {
    serde_json::from_value::<T>(full.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    for key in full.as_object().unwrap().keys() {
        let (mut nulled, mut left) = (full.clone(), full.clone());
        nulled[key] = Value::Null;
        left.as_object_mut().unwrap().remove(key);
        if members_of(name)[key] || serde_json::from_value::<T>(nulled).is_ok() {
            serde_json::from_value::<T>(left).unwrap_or_else(|error| panic!("{name}: {error}"));
        } else {
            assert_eq!(refused::<T>(&left), format!("missing field `{key}`"), "{name}");
        }
    }
}

#[test]
fn what_lacks_a_member_is_refused_by_its_name() {
    let place = Place::plane("x_m", "y_m");
    needs::<Party>("Party", &json!(Party::new("cars", ["car", "cars"], place)));
    needs::<Plot>("PlotSpec", &json!(Plot::new("cars", "Speed", "m/s", Vec::new())));
    needs::<View>("ViewSpec", &json!(View::default()));
    needs::<Mark>("Mark", &json!(Mark::new(Draw::Plane { fill: None, has_grid: true })));
    let phrase = json!(Phrase::new("{} m/s", [Figure::column("v_m_s", 2)]));
    needs::<Phrase>("Phrase", &phrase);
    needs::<Figure>("Figure", &phrase["figures"][0]);
    let full = Color::Ink.full();
    needs::<List>(
        "List",
        &json!({ "of": "cars", "title": "", "at_most": 5, "sign": full, "name": phrase, "cells": [], "below": [] }),
    );
    needs::<Fact>("FactSpec", &json!({ "of": "cars", "is_each": true, "title": phrase, "value": phrase }));
    let words = ["{} pair", "{} pairs"];
    let verdict =
        json!({ "limits": [], "none": "", "now": "", "just_now": null, "counted": words, "named": null, "past": null });
    needs::<Verdict>("Verdict", &verdict);
    let breaks = json!({ "stream": "events", "begin": "hit", "end": null, "subject": "car", "object": null });
    needs::<Breaks>("Breaks", &breaks);
    let rule = json!({ "at_most": ["v_m_s", 1.0] });
    let limit =
        json!({ "name": "v", "of": "cars", "rule": rule, "to": null, "paints": [], "events": breaks, "least": null });
    needs::<Limit>("Limit", &limit);
    let flag = json!({ "name": "on", "of": "cars", "events": "events", "matching": [], "holds": ["kind", "on"] });
    needs::<Flag>("Flag", &flag);
    let mount =
        json!({ "owner": 0, "at": [0.1, 0.0], "first_rad": 0.0, "step_rad": 0.1, "is_full_turn": true, "least": 0.1 });
    needs::<Mount>("Mount", &mount);
    let scanner = json!({ "stream": "lidar", "on": "cars", "taken": "t", "ranges": "r", "ray": null, "mounts": [] });
    needs::<Scanner>("Scanner", &scanner);
    needs::<Layer>("LayerSpec", &json!({ "name": "ids", "title": "Names", "about": "names", "is_shown": true }));
}
