//! The words and numbers beside the plane, against the rows that they tell of.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::bobs::{BLUE, GREEN, ON_EVENT, RED, Table, circle, party, sampled, scanner, table, trail, view};
use common::scene::{
    EM_PX, Shot, WIDTH_PX, assert_near, assert_places, bounds, fills, outlines, points, strokes, text, texts,
    words_beside,
};
use sim_core::DVec2;
use sim_view::draw::{Anchor, Shape as Drawn, Weight, font};
use sim_world::View;
use sim_world::view::{
    Condition, Draw, Fact, Figure, Flag, Fold, Ink, Limit, List, Mark, Mount, Outline, Panel, Part, Party, Phrase,
    Quantity, Rule, Section, Shape, Verdict, Wells,
};

/// The panel is 19 heights of the type wide, and ends 1.4 of them from the right side.
const LEFT_PX: f64 = WIDTH_PX - (1.4 + 19.0) * EM_PX;
const RIGHT_PX: f64 = WIDTH_PX - 1.4 * EM_PX;

const COLUMNS: &str = "bob:i x_m y_m z_m yaw_rad a b tilt_rad mood:t";

/// Three bobs at one moment.
const BOBS: [&str; 3] = [
    "0,0,0,1,1,0,0,3,4,1.0471975511965976,very_glad",
    "0,0,1,4,1,2,1.5707963267948966,-6,-8,0,",
    "0,0,2,4,3,0,0,,1,,so_so",
];

fn bobs() -> Party {
    Party {
        place: sim_world::view::Place { x: "x_m".into(), y: "y_m".into(), z: "z_m".into() },
        angles: vec!["yaw_rad".into()],
        names: vec!["Ann".into(), String::new()],
        ..party("bobs", "bob")
    }
}

fn with_panel(sections: Vec<Section>) -> View {
    View { panel: Panel { height: 30.0, sections }, ..view([bobs()], []) }
}

fn shot_of(view: &View, more: impl IntoIterator<Item = Table>) -> Shot {
    let tables: Vec<Table> = [sampled("bobs", 3, COLUMNS, BOBS)].into_iter().chain(more).collect();
    Shot::without(&Folder::of_view(view, &tables), 0.0, &["grid"]).unwrap()
}

fn fact(title: Phrase, value: Phrase, is_each: bool) -> Section {
    Section::Facts(vec![Fact { of: "bobs".into(), is_each, title, value }])
}

fn owner() -> Figure {
    Figure::new(Quantity::Owner, 0)
}

/// What is said of each bob: a figure with one digit; nothing where it is missing.
fn of_each(view: View, figure: Figure, more: impl IntoIterator<Item = Table>) -> [Option<String>; 3] {
    let sections = vec![fact(Phrase::new("bob {}", [owner()]), Phrase::new("{}", [figure]), true)];
    let shot = shot_of(&View { panel: Panel { height: 30.0, sections }, ..view }, more);
    [0, 1, 2].map(|id| {
        let title = format!("bob {id}");
        let is_said = texts(&shot.scene).any(|text| text.words == title);
        is_said.then(|| words_beside(&shot.scene, &title).remove(0))
    })
}

fn quantity(of: Quantity) -> [Option<String>; 3] {
    of_each(with_panel(vec![]), Figure::new(of, 1), [])
}

fn words<const N: usize>(words: [&str; N]) -> [Option<String>; N] {
    words.map(|words| (!words.is_empty()).then(|| words.to_owned()))
}

#[test]
fn quantities_of_an_owner_are_those_of_its_row() {
    let pair = || ["a".to_owned(), "b".to_owned()];
    assert_eq!(quantity(Quantity::Column("a".into())), words(["3.0", "-6.0", ""]));
    assert_eq!(quantity(Quantity::Column("mood".into())), words(["very glad", "", "so so"]));
    assert_eq!(quantity(Quantity::Owner), words(["0.0", "1.0", "2.0"]));
    assert_eq!(quantity(Quantity::Name), words(["Ann", "", ""]));
    assert_eq!(quantity(Quantity::Length(pair())), words(["5.0", "10.0", ""]));
    // From (3, 4) to (4, 3), and from (-6, -8) to (-8, -6).
    let difference = Figure::new(Quantity::Difference(pair(), ["b".into(), "a".into()]), 3);
    assert_eq!(of_each(with_panel(vec![]), difference, []), words(["1.414", "2.828", ""]));
    assert_eq!(quantity(Quantity::Middle(pair())), words(["3.5", "7.0", ""]));
    // 60 degrees by one angle; 60 degrees by both have a cosine of a quarter: 75.5 degrees.
    let tilt = |other: &str| {
        Figure::new(Quantity::Tilt(["tilt_rad".into(), other.into()]), 1).times(180.0 / std::f64::consts::PI)
    };
    assert_eq!(of_each(with_panel(vec![]), tilt("yaw_rad"), []), words(["60.0", "90.0", ""]));
    assert_eq!(of_each(with_panel(vec![]), tilt("tilt_rad"), []), words(["75.5", "0.0", ""]));
    // Upside down: 3 rad by one angle and 60 degrees by the other.
    assert_eq!(of_each(with_panel(vec![]), tilt("a"), []), words(["119.7", "16.2", ""]));
    // The places are (1, 1, 0), (4, 1, 2) and (4, 3, 0).
    assert_eq!(quantity(Quantity::Apart), words(["3.6", "2.8", "2.8"]));
}

#[test]
fn numbers_are_written_with_the_digits_and_the_factor_that_are_asked_for() {
    let digits = |digits, factor| {
        of_each(with_panel(vec![]), Figure::column("tilt_rad", digits).times(factor), [])[0].clone().unwrap()
    };
    assert_eq!([digits(0, 1.0), digits(3, 1.0), digits(2, -100.0)], ["1", "1.047", "-104.72"]);
    assert_eq!(digits(40, 1.0), "1.047197551", "no more than nine");
    assert_eq!(of_each(with_panel(vec![]), Figure::column("a", 0).times(f64::MAX), []), words(["", "", ""]));
}

#[test]
fn what_is_near_or_under_an_owner_is_told() {
    let posts = || sampled("posts", 2, "post:i x_m y_m reach", ["0,0,0,1,2,1", "0,0,1,4,3,0.5"]);
    let two = View { parties: vec![bobs(), party("posts", "post")], ..with_panel(vec![]) };
    let within = Figure::new(Quantity::Within("posts".into(), "reach".into()), 0);
    // The first bob is as far from its post as that reaches; the second is above it; the third stands on one.
    assert_eq!(of_each(two.clone(), within.clone(), [posts()]), words(["1", "0", "1"]));
    // A post that reaches a thousandth less does not reach it.
    let shorter = sampled("posts", 2, "post:i x_m y_m reach", ["0,0,0,1,2,0.999", "0,0,1,4,3,0.5"]);
    assert_eq!(of_each(two, within, [shorter]), words(["0", "0", "1"]));
    let square = |low: f64, label: Option<&str>| Outline {
        points: vec![[low, 0.5], [low + 2.0, 0.5], [low + 2.0, 1.5], [low, 1.5]],
        label: label.map(str::to_owned),
    };
    let floor = Mark::new(Draw::Polygons {
        name: Some("floor".into()),
        shapes: vec![square(0.0, Some("left")), square(3.0, Some("right")), square(3.5, None)],
        is_closed: true,
        z: 0.0,
        ink: Ink::fill(RED.full()),
        labels: None,
    });
    let marked = || View { marks: vec![floor.clone()], ..with_panel(vec![]) };
    let over = |polygons: &str, at: [f64; 2], up_to: f64| {
        let polygons = polygons.to_owned();
        of_each(marked(), Figure::new(Quantity::Over { polygons, at, up_to }, 0), [])
    };
    // The second is 2 m up, over a square without a label that lies on the right one; the third is beside all of them.
    assert_eq!(over("floor", [0.0, 0.0], 0.5), words(["left", "", ""]));
    assert_eq!(over("floor", [0.0, 0.0], 2.0), words(["left", "", ""]));
    // Half a metre to the right of a bob that looks up lies on the right one alone; 2 m ahead of the first too.
    assert_eq!(over("floor", [0.25, 0.7], 2.0), words(["", "right", ""]));
    assert_eq!(over("floor", [2.2, 0.0], 2.0), words(["right", "", ""]));
    assert_eq!(over("roof", [0.0, 0.0], 2.0), words(["", "", ""]));
    // Between the prongs of a fork there is nothing, and a prong is part of it however many sides lie beyond.
    let points = vec![[0.0, 0.0], [8.0, 0.0], [8.0, 2.0], [5.0, 2.0], [5.0, 0.5], [3.0, 0.5], [3.0, 2.0], [0.0, 2.0]];
    let fork = Outline { points, label: Some("fork".into()) };
    let draw = Draw::Polygons {
        name: Some("fork".into()),
        shapes: vec![fork],
        is_closed: true,
        z: 0.0,
        ink: Ink::fill(RED.full()),
        labels: None,
    };
    let forked = View { marks: vec![Mark::new(draw)], ..with_panel(vec![]) };
    let figure = Figure::new(Quantity::Over { polygons: "fork".into(), at: [0.0, 0.0], up_to: 2.0 }, 0);
    assert_eq!(of_each(forked, figure, []), words(["fork", "", ""]));
}

#[test]
fn the_nearest_range_is_that_of_the_owners_newest_scan() {
    let mount = Mount { owner: 1, at: [0.0; 2], first_rad: 0.0, step_rad: 1.0, is_full_turn: true, least: 0.5 };
    let scanner = scanner(vec![Mount { owner: 0, ..mount }, mount]);
    let scans = table("scans", ON_EVENT, "bob:i taken_s ray_#_m:2", ["0,0,1,0,7.25,", "0,0,0,0,,"]);
    let view = View { scanners: vec![scanner], ..with_panel(vec![]) };
    let nearest = |stream: &str| Figure::new(Quantity::Nearest(stream.into()), 2);
    assert_eq!(of_each(view.clone(), nearest("scans"), [scans]), words(["", "7.25", ""]));
    let scans = table("scans", ON_EVENT, "bob:i taken_s ray_#_m:2", ["0,0,1,0,7.25,"]);
    assert_eq!(of_each(view, nearest("radar"), [scans]), words(["", "", ""]));
}

#[test]
fn folds_go_over_the_owners_that_have_a_number() {
    let told = |figure: Figure| {
        let shot =
            shot_of(&with_panel(vec![fact(Phrase::new("all", []), Phrase::new("{} of them", [figure]), false)]), []);
        texts(&shot.scene).any(|text| text.words == "all").then(|| words_beside(&shot.scene, "all").remove(0))
    };
    let a = |fold| told(Figure::column("a", 1).over(fold));
    let folds = [Fold::Min, Fold::Max, Fold::Mean, Fold::ShareAbove(-6.0), Fold::Count];
    let expected = ["-6.0 of them", "3.0 of them", "-1.5 of them", "0.5 of them", "3.0 of them"];
    assert_eq!(folds.map(a), words(expected));
    // One number is enough for a mean and a share.
    let one = |fold| {
        let value = Phrase::new("{}", [Figure::column("b", 2).over(fold)]);
        let table = sampled("bobs", 2, COLUMNS, ["0,0,0,1,1,0,0,,2.5,,", "0,0,1,1,1,0,0,,,,"]);
        let view = with_panel(vec![fact(Phrase::new("all", []), value, false)]);
        let shot = Shot::without(&Folder::of_view(&view, &[table]), 0.0, &["grid"]).unwrap();
        words_beside(&shot.scene, "all").remove(0)
    };
    assert_eq!([Fold::Mean, Fold::ShareAbove(2.4), Fold::ShareAbove(2.5)].map(one), ["2.50", "1.00", "0.00"]);
    assert_eq!(told(Figure::new(Quantity::Name, 1).over(Fold::Mean)), None);
    assert_eq!(told(Figure::column("a", 1)), None, "a number of one owner is none of all");
}

#[test]
fn phrases_are_said_if_one_of_their_conditions_holds() {
    let limit = |name: &str, rule| Limit {
        name: name.into(),
        of: "bobs".into(),
        rule,
        to: None,
        paints: Vec::new(),
        events: None,
        least: None,
    };
    let flag = |name: &str, of: &str| Flag {
        name: name.into(),
        of: of.into(),
        events: "calls".into(),
        matching: Vec::new(),
        holds: ["what".into(), "up".into()],
    };
    let is_said = |when: Vec<Condition>| {
        let title = Phrase { when, ..Phrase::new("bob {}", [owner()]) };
        let view = View {
            limits: vec![limit("small", Rule::AtMost("b".into(), 3.0))],
            flags: vec![flag("up", "bobs"), flag("others", "cats")],
            ..with_panel(vec![fact(title, Phrase::new("yes", []), true)])
        };
        let calls = table("calls", ON_EVENT, "bob:i what:t", ["0,0,2,up"]);
        let shot = shot_of(&view, [calls]);
        [0, 1, 2].map(|id| texts(&shot.scene).any(|text| text.words == format!("bob {id}")))
    };
    let a = || Quantity::Column("a".into());
    assert_eq!(is_said(vec![]), [true; 3]);
    assert_eq!(is_said(vec![Condition::Above(a(), 2.9)]), [true, false, false]);
    assert_eq!(is_said(vec![Condition::Above(a(), 3.0)]), [false; 3]);
    assert_eq!(is_said(vec![Condition::Below(a(), -5.9)]), [false, true, false]);
    assert_eq!(is_said(vec![Condition::Below(a(), -6.0)]), [false; 3]);
    assert_eq!(is_said(vec![Condition::Alarm]), [true, false, false]);
    assert_eq!(is_said(vec![Condition::Flag("up".into())]), [false, false, true]);
    assert_eq!(is_said(vec![Condition::Flag("others".into())]), [false; 3]);
    assert_eq!(is_said(vec![Condition::Flag("up".into()), Condition::Alarm]), [true, false, true]);
}

#[test]
fn facts_stand_in_lines_from_side_to_side() {
    let shot = shot_of(&with_panel(vec![fact(Phrase::new("bob {}", [owner()]), Phrase::new("yes", []), true)]), []);
    let lines = [0, 1, 2].map(|id| text(&shot.scene, &format!("bob {id}")).at);
    assert!(lines.iter().all(|at| (at.x - LEFT_PX).abs() < 1e-9), "{lines:?}");
    assert_near(lines[1].y - lines[0].y, 1.5 * EM_PX);
    let values: Vec<_> = texts(&shot.scene).filter(|text| text.words == "yes").collect();
    assert!(values.iter().all(|text| text.anchor == Anchor::End && (text.at.x - RIGHT_PX).abs() < 1e-9));
    assert_eq!(values.len(), 3);
}

#[test]
fn the_heading_names_the_run_and_the_moment() {
    let table = sampled("bobs", 1, COLUMNS, ["0,0,0,1,1,0,0,3,4,1,glad", "6,0.125,0,1,1,0,0,3,4,1,glad"]);
    let folder = Folder::of_view(&with_panel(vec![]), &[table]);
    let long = "a name that is far too long to stand in one line of the panel of a picture";
    folder.write("run.json", &folder.read("run.json").replace("hand-made", long));
    let shot = Shot::without(&folder, 0.125, &["grid"]).unwrap();
    let heading = texts(&shot.scene).next().unwrap();
    let kept = heading.words.strip_suffix('\u{2026}').unwrap();
    assert!(long.starts_with(kept) && heading.weight == Weight::Bold);
    // As much of it as there is room for.
    let width = |letters: usize| font::width(&format!("{}\u{2026}", &long[..letters]), 1.35 * EM_PX);
    assert!(width(kept.len()) <= 19.0 * EM_PX && width(kept.len() + 1) > 19.0 * EM_PX, "{kept}");
    for words in ["seed 7, run 0, version 0.1.0", "0.12", "s", "step 6 of 600"] {
        text(&shot.scene, words);
    }
}

fn limit(name: &str, rule: Rule) -> Limit {
    Limit { name: name.into(), of: "bobs".into(), rule, to: None, paints: Vec::new(), events: None, least: None }
}

#[test]
fn distances_are_told_now_and_so_far_and_those_that_are_broken_in_alarm() {
    let rows = [["a, least", "low"], ["b, most", "high"], ["word", "mood"], ["none", "lost"]];
    let section = Section::Distances { title: "Numbers".into(), rows: rows.map(|row| row.map(str::to_owned)).to_vec() };
    let limits = vec![
        limit("low", Rule::AtLeast("a".into(), -6.5)),
        limit("high", Rule::AtMost("b".into(), 3.5)),
        limit("mood", Rule::IsNot("mood".into(), "sad".into())),
    ];
    let view = View { limits, ..with_panel(vec![section]) };
    let early = ["-7", "2"].map(|a| format!("0,0,0,1,1,0,0,{a},3,0,glad"));
    let late = ["-6.5", "4"].map(|a| format!("6,0.1,0,1,1,0,0,{a},3.75,0,glad"));
    let bobs = |rows: &[String; 2]| {
        rows.iter().enumerate().map(|(id, row)| row.replacen(",0,1,1,", &format!(",{id},1,1,"), 1)).collect::<Vec<_>>()
    };
    let table = sampled("bobs", 2, COLUMNS, [bobs(&early), bobs(&late)].concat());
    let shot = Shot::without(&Folder::of_view(&view, &[table]), 0.1, &["grid"]).unwrap();
    assert_eq!(words_beside(&shot.scene, "Numbers"), ["now", "so far", "at least"]);
    assert_eq!(words_beside(&shot.scene, "a, least"), ["-6.5", "-7.0", "-6.5"]);
    assert_eq!(words_beside(&shot.scene, "b, most"), ["3.8", "3.8", "3.5"]);
    let looks = |words: &str| {
        let height = text(&shot.scene, words).at.y;
        let line = texts(&shot.scene).filter(|text| text.at.y == height && text.anchor == Anchor::End);
        line.map(|text| text.color == shot.theme.alarm && text.weight == Weight::Bold).collect::<Vec<_>>()
    };
    assert_eq!((looks("a, least"), looks("b, most")), (vec![false, true, false], vec![true, true, false]));
    // Words have no distance, and a limit that is not there has no line.
    assert!(texts(&shot.scene).all(|text| !["word", "none"].contains(&text.words.as_str())));
    // The right ends lie at 62 %, 82 % and all of the width.
    let ends: Vec<f64> = ["now", "so far", "at least"].map(|words| text(&shot.scene, words).at.x).to_vec();
    ends.iter().zip([0.62, 0.82, 1.0]).for_each(|(x, share)| assert_near(*x, LEFT_PX + share * 19.0 * EM_PX));
}

/// The words of the bar where bobs have some numbers, of which those above 10 break a limit; and whether it is filled.
fn verdict_of(numbers: &[i32], named: bool, past: Option<&[&str]>) -> (String, bool) {
    let strings = |one: &str, many: &str| [one.to_owned(), many.to_owned()];
    let events = sim_world::view::Breaks {
        stream: "events".into(),
        begin: "begin".into(),
        end: Some("end".into()),
        subject: "bob".into(),
        object: None,
    };
    let limit = Limit { events: Some(events), ..limit("calm", Rule::AtMost("a".into(), 10.0)) };
    let verdict = Verdict {
        limits: vec!["calm".into()],
        none: "all calm".into(),
        now: "WILD: {}".into(),
        just_now: Some("JUST NOW".into()),
        counted: strings("{} bob", "{} bobs"),
        named: named.then(|| strings("bob {}", "bobs {}")),
        past: past.map(|_| strings("{} time so far", "{} times so far")),
    };
    let view = View { limits: vec![limit], ..with_panel(vec![Section::Verdict(verdict)]) };
    let rows = numbers.iter().enumerate().map(|(id, a)| format!("60,1,{id},1,1,0,0,{a},0,0,"));
    let bobs = sampled("bobs", numbers.len() as u64, COLUMNS, rows);
    let events = table("events", ON_EVENT, "kind:t subject:t object:t value", past.unwrap_or_default().iter().copied());
    let shot = Shot::without(&Folder::of_view(&view, &[bobs, events]), 1.0, &["grid"]).unwrap();
    let middle = texts(&shot.scene).find(|text| text.anchor == Anchor::Middle).unwrap();
    assert_near(middle.at.x, 0.5 * (LEFT_PX + RIGHT_PX));
    let is_filled = outlines(&shot.scene).any(|(_, ink)| ink.fill == Some(shot.theme.alarm));
    (middle.words.clone(), is_filled)
}

#[test]
fn a_verdict_says_what_is_broken_now_and_what_was() {
    let said = |words: &str, is_now: bool| (words.to_owned(), is_now);
    assert_eq!(verdict_of(&[1, 10], true, None), said("all calm", false));
    assert_eq!(verdict_of(&[1, 11], true, None), said("WILD: bob 1", true));
    // Names take the place of words and numbers where all have one.
    assert_eq!(verdict_of(&[11, 1], true, None), said("WILD: Ann", true));
    assert_eq!(verdict_of(&[11, 1, 12], true, None), said("WILD: bobs 0, 2", true));
    assert_eq!(verdict_of(&[11; 4], true, None), said("WILD: bobs 0, 1, 2, 3", true));
    assert_eq!(verdict_of(&[11; 5], true, None), said("WILD: 5 bobs", true));
    assert_eq!(verdict_of(&[11, 1], false, None), said("WILD: 1 bob", true));
    assert_eq!(verdict_of(&[11; 3], false, None), said("WILD: 3 bobs", true));
    // Broken and over long ago, once or twice; and broken now beside it.
    let one: &[&str] = &["0,0,begin,bob 0,,1", "1,0.01,end,bob 0,,1"];
    let two: &[&str] = &["0,0,begin,bob 0,,1", "1,0.01,end,bob 0,,1", "3,0.05,begin,bob 0,,1", "4,0.06,end,bob 0,,1"];
    assert_eq!(verdict_of(&[1], false, Some(one)), said("1 time so far", false));
    assert_eq!(verdict_of(&[1], false, Some(two)), said("2 times so far", false));
    assert_eq!(verdict_of(&[11], false, Some(two)), said("WILD: 1 bob, 2 times so far", true));
    let just: &[&str] = &["58,0.97,begin,bob 0,,1", "59,0.98,end,bob 0,,1"];
    assert_eq!(verdict_of(&[1], false, Some(just)), said("JUST NOW, 1 time so far", true));
    assert_eq!(verdict_of(&[1], false, Some(&[])), said("all calm", false));
}

#[test]
fn a_list_names_its_first_owners_and_counts_the_others() {
    let cell = |heading: &str, share: f64, phrases: Vec<Phrase>| (heading.to_owned(), share, phrases);
    let list = List {
        of: "bobs".into(),
        title: "All bobs".into(),
        at_most: 2,
        sign: GREEN.full(),
        name: Phrase::new("{}", [Figure::new(Quantity::Name, 0)]),
        cells: vec![
            cell(
                "mood",
                0.6,
                vec![Phrase::new("{}", [Figure::column("mood", 0)]), Phrase::new("b {}", [Figure::column("b", 0)])],
            ),
            cell(
                "none",
                1.0,
                vec![Phrase::new("{}", [Figure::column("lost", 0)]).when(Condition::Above(Quantity::Owner, 9.0))],
            ),
        ],
        below: vec![Phrase::new("first", []), Phrase::new("{} a", [Figure::column("a", 0)])],
    };
    let shot = shot_of(&with_panel(vec![Section::List(list)]), []);
    assert_eq!(words_beside(&shot.scene, "All bobs"), ["mood", "none"]);
    assert_eq!(words_beside(&shot.scene, "Ann"), ["very glad", "-"]);
    // Without a name the number stands for it; without a mood, the next phrase.
    assert_eq!(words_beside(&shot.scene, "1"), ["b -8", "-"]);
    for words in ["first, 3 a", "first, -6 a", "and 1 more"] {
        text(&shot.scene, words);
    }
    let signs = fills(&shot.scene, &GREEN);
    assert_eq!(signs.len(), 2);
    let first = bounds(signs[0].0);
    assert_near(first.size().x, 2.0 * 0.42 * EM_PX);
    assert_near(first.center().x, LEFT_PX + 0.45 * EM_PX);
    assert_near(first.center().y, text(&shot.scene, "Ann").at.y - 0.33 * EM_PX);
}

#[test]
fn the_key_draws_each_mark_that_is_shown_and_has_owners() {
    let part = |shape| Part { shape, ink: Ink::fill(BLUE.full()), alarm: None, turn: None, when: Vec::new() };
    let body =
        Draw::Body { parts: vec![part(Shape::Box([-1.0, -0.5], [1.0, 0.5], 0.0))], has_finder: false, shadow: None };
    let arrow = Draw::Vector {
        up: None,
        along: ["a".into(), "b".into()],
        factor: 1.0,
        gap: 0.0,
        tint: sim_world::view::Color::Rgb([9, 8, 7]).full(),
    };
    let marks = vec![
        circle("bobs", 1.0, RED).keyed("a large circle"),
        circle("bobs", 0.01, GREEN).keyed("a small circle"),
        Mark::new(body).of("bobs").keyed("a body"),
        trail("bobs", 0.5, 0.0).keyed("a trail"),
        Mark::new(arrow).of("bobs").keyed("an arrow"),
        circle("cats", 1.0, RED).keyed("a cat"),
        circle("bobs", 1.0, RED),
    ];
    let view =
        View { parties: vec![bobs(), party("cats", "cat")], marks, ..with_panel(vec![Section::Key { has_bar: true }]) };
    let cats = sampled("cats", 0, "cat:i x_m y_m", [""; 0]);
    let shot = shot_of(&view, [cats]);
    let beside = |words: &str| text(&shot.scene, words).at.y - 0.3 * EM_PX;
    // In the panel, that is right of the plane.
    let sign = |found: Vec<(&sim_view::draw::Path, sim_view::draw::Color)>| {
        found.into_iter().map(|(path, _)| bounds(path)).find(|rect| rect.min.x >= LEFT_PX - 1.0).unwrap()
    };
    for (color, words, width) in [(RED, "a large circle", 1.2), (GREEN, "a small circle", 0.7), (BLUE, "a body", 1.3)] {
        let found = sign(fills(&shot.scene, &color));
        assert_near(found.size().x, width * EM_PX);
        assert_places(&[found.center()], &[DVec2::new(LEFT_PX + 0.9 * EM_PX, beside(words))]);
    }
    // The arrow's head ends 0.8 heights of the type right of the middle.
    let head = sign(fills(&shot.scene, &sim_world::view::Color::Rgb([9, 8, 7])));
    assert_near(head.max.x, LEFT_PX + 1.7 * EM_PX);
    let lines = strokes(&shot.scene, &RED);
    let line = lines.iter().map(|(path, _)| points(path)).find(|points| points.len() == 2 && points[0].x > LEFT_PX);
    let at = |x: f64| DVec2::new(LEFT_PX + x * EM_PX, beside("a trail"));
    assert_places(&line.unwrap(), &[at(0.1), at(1.7)]);
    assert!(texts(&shot.scene).all(|text| text.words != "a cat"));
    // Eight metres by four: 0.5 m is a twenty-fourth of the longer side or more, and an eighth of the shorter one.
    let bar = outlines(&shot.scene).map(|(path, _)| points(path)).find(|points| points.len() == 6).unwrap();
    assert_near(bar[3].x - bar[2].x, shot.long(0.5));
    text(&shot.scene, "0.5 m");
}

#[test]
fn the_scale_of_the_wells_has_its_ends_and_its_words() {
    let wells = Wells {
        wells: "bobs".into(),
        hills: "bobs".into(),
        hill: ["a".into(), "b".into()],
        scale: 1.0,
        sigma: 1.0,
        stretch_s: 0.0,
        beta_per_s: 1.0,
        window_s: 1.0,
        frames: 4,
        extent: 0.375,
        words: ["Potential", "in units", "away", "near"].map(str::to_owned),
    };
    let view = View { marks: vec![Mark::new(Draw::Wells(wells))], ..with_panel(vec![Section::Scale]) };
    let shot = shot_of(&view, []);
    assert_eq!(words_beside(&shot.scene, "Potential"), ["in units"]);
    assert_eq!(words_beside(&shot.scene, "0"), ["\u{2264} \u{2212}0.38  away", "near  +0.38 \u{2264}"]);
    let bar = shot.scene.shapes.iter().rev().find_map(|shape| match shape {
        Drawn::Image(frame, image) => Some((frame, image)),
        _ => None,
    });
    let (frame, image) = bar.unwrap();
    assert_places(&[DVec2::new(frame.min.x, frame.max.x)], &[DVec2::new(LEFT_PX, RIGHT_PX)]);
    let ends = [image.pixels[0], image.pixels[image.width / 2], image.pixels[image.width - 1]];
    assert_eq!((ends, image.width % 2), ([-1.0, 0.0, 1.0].map(|end| shot.theme.potential.at(end)), 1));
    // Without owners there is no potential, and without the mark none either.
    let none = shot_of(&with_panel(vec![Section::Scale]), []);
    assert!(texts(&none.scene).all(|text| text.words != "Potential"));
}

#[test]
fn notes_are_broken_into_lines_that_fit() {
    let remark = "the lidar of the second car was switched off for the whole run, so that its readings are missing";
    let view = View { remarks: vec![remark.into()], ..with_panel(vec![]) };
    let shot = shot_of(&view, []);
    let lines: Vec<_> = texts(&shot.scene).filter(|text| text.color == shot.theme.alarm).collect();
    let words: Vec<&str> = lines.iter().map(|text| text.words.as_str()).collect();
    assert!(lines.len() > 1 && words.join(" ") == remark, "{words:?}");
    for pair in lines.windows(2) {
        assert_near(pair[1].at.y - pair[0].at.y, 1.2 * EM_PX);
        let next = pair[1].words.split(' ').next().unwrap();
        let [is, would_be] =
            [pair[0].words.clone(), format!("{} {next}", pair[0].words)].map(|words| font::width(&words, 0.85 * EM_PX));
        assert!(is <= 19.0 * EM_PX && would_be > 19.0 * EM_PX, "{:?}", pair[0].words);
    }
}
