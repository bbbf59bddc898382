//! Marks of a view that no world of ours has: where they land in a picture and in which colour, against closed forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_core::DVec2;
use sim_view::draw::{Color as Rgb, pixels};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, PlaneView, Style};
use sim_view::theme::Theme;
use sim_world::View;
use sim_world::view::{
    Area, Axis, Color, Condition, Coord, Draw, Fact, Figure, Fold, Ink, Layer, Lettering, Limit, Line, Mark, Outline,
    Panel, Part, Party, Phrase, Place, Projection, Quantity, Rule, Section, Shape, Tint, Width,
};
use tiny_skia::Pixmap;

const TABLES: &str = r#"{"streams":[{"name":"bobs","about":"","cadence":{"sampled":{"owners":2}},"columns":[
    {"name":"step","kind":"integer","about":""},{"name":"time_s","kind":"number","about":""},
    {"name":"bob","kind":"integer","about":""},{"name":"x_m","kind":"number","about":""},
    {"name":"y_m","kind":"number","about":""},{"name":"z_m","kind":"number","about":""},
    {"name":"angle_rad","kind":"number","about":""},{"name":"speed_m_s","kind":"number","about":""},
    {"name":"mood","kind":"text","about":""}]}]}"#;
/// Two bobs: one that moves by 1 m to the right and falls, one that rests.
const ROWS: &str = "step,time_s,bob,x_m,y_m,z_m,angle_rad,speed_m_s,mood\n\
    0,0,0,2,1,3,0,0.5,very_glad\n0,0,1,6,3,1,1.5707963267948966,0,\n\
    10,1,0,3,1,1,0,1.5,sad\n10,1,1,6,3,1,1.5707963267948966,0,\n";

fn bobs() -> Party {
    Party {
        stream: "bobs".into(),
        one: "bob".into(),
        many: "bobs".into(),
        place: Place { x: "x_m".into(), y: "y_m".into(), z: "z_m".into() },
        angles: vec!["angle_rad".into()],
        velocity: None,
        linear: vec!["speed_m_s".into()],
        while_same: None,
        names: vec!["Ann".into()],
        reach: None,
        is_sparse: false,
    }
}

/// A plane of 8 m by 4 m, y up, with the given marks on a floor.
fn view(marks: impl IntoIterator<Item = Mark>) -> View {
    let area = Area { fixed: Some([[0.0, 0.0], [8.0, 4.0]]), holds: Vec::new(), margin: [0.0, 0.0] };
    let floor = Mark::new(Draw::Plane { fill: Some(Color::Floor.full()), has_grid: false });
    View {
        unit: "m".into(),
        projections: vec![Projection {
            name: "plan".into(),
            axes: [Axis::X, Axis::Y],
            is_up: true,
            area,
            height: None,
        }],
        layers: vec![Layer { name: "extra".into(), title: "".into(), about: "".into(), is_shown: true }],
        parties: vec![bobs()],
        marks: [floor].into_iter().chain(marks).collect(),
        ..View::default()
    }
}

/// A picture of a moment.
struct Shot {
    pixmap: Pixmap,
    plane: PlaneView,
}

impl Shot {
    fn of(view: &View, time_s: f64, hide: &[&str]) -> Result<Self, sim_view::ViewError> {
        let folder = Folder::of_rows([&[], &[], &[]]);
        folder.write("tables.json", TABLES);
        folder.write("bobs.csv", ROWS);
        folder.write("view.json", &serde_json::to_string(view).unwrap());
        let run = RunFolder::open(folder.path()).unwrap();
        let hide = ["grid"].iter().chain(hide).map(|&name| name.to_owned()).collect();
        let mut renderer = FrameRenderer::new(&run, Style { hide, ..Style::new(1600.0, Theme::light()) })?;
        let pixmap = pixels::paint(&renderer.at(time_s)?, 1.0).unwrap();
        Ok(Self { pixmap, plane: renderer.view() })
    }

    fn new(view: &View) -> Self {
        Self::of(view, 0.0, &["panel"]).unwrap()
    }

    fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let place = self.plane.px(DVec2::new(x, y));
        let pixel = self.pixmap.pixel(place.x as u32, place.y as u32).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    /// True if a place has a colour, up to what blending rounds.
    fn is(&self, (x, y): (f64, f64), color: Rgb) -> bool {
        self.at(x, y).iter().zip(color.rgb).all(|(a, b)| a.abs_diff(b) <= 2)
    }

    fn is_floor(&self, place: (f64, f64)) -> bool {
        self.is(place, Theme::light().floor())
    }
}

fn wide(color: Color) -> Line {
    Line::new(color.full(), Width::Length(0.2))
}

fn disc(radius: f64, color: Color) -> Mark {
    let draw = Draw::Circle { radius: (Coord::Fixed(radius), 0.0), ink: Ink::fill(color.full()), alarm: None };
    Mark::new(draw).of("bobs")
}

#[test]
fn a_line_goes_from_a_fixed_place_to_that_of_the_row() {
    let from = Place::plane(2.0, 4.0);
    let mark = Mark::new(Draw::Line { from, to: bobs().place, line: wide(Color::Ink) }).of("bobs");
    let (shot, theme) = (Shot::new(&view([mark])), Theme::light());
    // To (2, 1) straight down, and to (6, 3): a quarter of the way is (3, 3.75).
    assert!([(2.0, 1.2), (2.0, 2.5), (3.0, 3.75), (5.0, 3.25)].into_iter().all(|place| shot.is(place, theme.ink)));
    assert!([(1.8, 2.5), (2.2, 2.5), (3.0, 3.4), (2.0, 0.7)].into_iter().all(|place| shot.is_floor(place)));
}

#[test]
fn a_circle_is_as_large_as_its_number_or_its_column_says() {
    let by_column = Draw::Circle {
        radius: (Coord::Column("speed_m_s".into()), 0.0),
        ink: Ink::fill(Color::Cool.full()),
        alarm: None,
    };
    let marks = [disc(0.8, Color::Warm), Mark::new(by_column).of("bobs")];
    let (shot, theme) = (Shot::new(&view(marks)), Theme::light());
    // Speed 0.5 of the first, 0 of the second.
    assert!(shot.is((2.48, 1.0), theme.cool) && shot.is((2.52, 1.0), theme.warm));
    assert!(shot.is((2.0, 1.78), theme.warm) && shot.is_floor((2.0, 1.82)));
    assert!(shot.is((6.0, 3.02), theme.warm) && shot.is((6.56, 3.56), theme.warm) && shot.is_floor((6.58, 3.58)));
}

#[test]
fn marks_are_drawn_for_the_owners_and_conditions_that_they_name() {
    let theme = Theme::light();
    let seen = |mark: Mark| {
        let shot = Shot::new(&view([mark]));
        [(2.0, 1.0), (6.0, 3.0)].map(|place| shot.is(place, theme.warm))
    };
    let plain = || disc(0.3, Color::Warm);
    assert_eq!(seen(plain()), [true, true]);
    assert_eq!(seen(Mark { owners: vec![1], ..plain() }), [false, true]);
    let speed = || Quantity::Column("speed_m_s".into());
    assert_eq!(seen(Mark { when: vec![Condition::Above(speed(), 0.4)], ..plain() }), [true, false]);
    assert_eq!(seen(Mark { when: vec![Condition::Above(speed(), 0.5)], ..plain() }), [false, false]);
    assert_eq!(seen(Mark { when: vec![Condition::Below(speed(), 0.4)], ..plain() }), [false, true]);
    let either = vec![Condition::Below(speed(), 0.4), Condition::Above(speed(), 0.4)];
    assert_eq!(seen(Mark { when: either, ..plain() }), [true, true]);
    // 0.3 m are about 40 px, less than four heights of the type of 19 px and more than one.
    assert_eq!(seen(Mark { from: Some([0.3, 4.0]), ..plain() }), [false, false]);
    assert_eq!(seen(Mark { from: Some([0.3, 1.0]), ..plain() }), [true, true]);
}

#[test]
fn a_limit_that_is_broken_paints_its_owner_and_the_frame_and_shows_what_is_hidden() {
    let limit = |most: f64| Limit {
        name: "slow".into(),
        of: "bobs".into(),
        rule: Rule::AtMost("speed_m_s".into(), most),
        to: None,
        paints: Vec::new(),
        events: None,
        least: None,
    };
    let alarm = Some(Ink::fill(Color::Alarm.full()));
    let draw = Draw::Circle { radius: (Coord::Fixed(0.3), 0.0), ink: Ink::fill(Color::Cool.full()), alarm };
    let mark = Mark::new(draw).of("bobs").on("extra");
    let theme = Theme::light();
    let shot = |most: f64, hide: &[&str]| {
        let view = View { limits: vec![limit(most)], ..view([mark.clone()]) };
        Shot::of(&view, 0.0, hide).unwrap()
    };
    let frame = |shot: &Shot| {
        let corner = shot.plane.plane_px().min;
        let alarm = |p: &&tiny_skia::PremultipliedColorU8| [p.red(), p.green(), p.blue()] == theme.alarm.rgb;
        (corner, shot.pixmap.pixels().iter().filter(alarm).count())
    };
    let kept = shot(0.5, &["panel"]);
    assert!(kept.is((2.0, 1.0), theme.cool) && frame(&kept).1 == 0);
    let broken = shot(0.49, &["panel"]);
    assert!(broken.is((2.0, 1.0), theme.alarm) && broken.is((6.0, 3.0), theme.cool) && frame(&broken).1 > 10_000);
    // Without its layer, only the one in alarm is there.
    let hidden = shot(0.49, &["panel", "extra"]);
    assert!(hidden.is((2.0, 1.0), theme.alarm) && hidden.is_floor((6.0, 3.0)));
}

#[test]
fn parts_of_a_body_turn_with_it_and_about_their_own_place() {
    let part = |low, high, color: Color| Part {
        shape: Shape::Box(low, high, 0.0),
        ink: Ink::fill(color.full()),
        alarm: None,
        turn: None,
        when: Vec::new(),
    };
    let long = part([-0.2, -0.1], [1.0, 0.1], Color::Body);
    // A bar 0.6 m to the side that turns by the yaw again, about its own end.
    let bar = Part { turn: Some(("angle_rad".into(), [0.0, 0.6])), ..part([0.0, 0.5], [0.8, 0.7], Color::Warm) };
    let body = Draw::Body { parts: vec![long, bar], has_finder: false, shadow: None };
    let (shot, theme) = (Shot::new(&view([Mark::new(body).of("bobs")])), Theme::light());
    // The first points to the right, its side is up.
    assert!(shot.is((2.9, 1.0), theme.body) && shot.is_floor((1.7, 1.0)) && shot.is((2.7, 1.6), theme.warm));
    // The second points up, its side is to the left, and its bar points to the left of that again: to the left.
    assert!(shot.is((6.0, 3.9), theme.body) && shot.is_floor((6.0, 2.7)));
    assert!(shot.is((4.7, 3.0), theme.warm) && shot.is_floor((5.4, 3.7)));
}

#[test]
fn a_column_decides_how_much_of_a_colour_is_seen() {
    let tint = Tint { color: Color::Rgb([0, 0, 0]), alpha: 1.0, by: Some(("speed_m_s".into(), 0.2, 1.0)) };
    let draw = Draw::Circle { radius: (Coord::Fixed(0.3), 0.0), ink: Ink::fill(tint), alarm: None };
    let shot = Shot::new(&view([Mark::new(draw).of("bobs")]));
    let floor = f64::from(Theme::light().floor().rgb[1]);
    // At speed 0.5 of 1: 0.2 + 0.8 * 0.5 = 60 % black; at 0: 20 %.
    for (x, y, share) in [(2.0, 1.0, 0.6), (6.0, 3.0, 0.2)] {
        let found = f64::from(shot.at(x, y)[1]);
        assert!((found - floor * (1.0 - share)).abs() < 2.0, "{found}");
    }
}

#[test]
fn a_ring_in_a_ring_is_a_hole_and_an_open_line_is_not_closed() {
    let ring =
        |low: f64, high: f64| Outline { points: vec![[low, low], [high, low], [high, high], [low, high]], label: None };
    let polygons =
        |shapes, is_closed, ink| Mark::new(Draw::Polygons { name: None, shapes, is_closed, z: 0.0, ink, labels: None });
    let theme = Theme::light();
    let filled =
        Shot::new(&view([polygons(vec![ring(0.5, 3.5), ring(1.0, 2.0)], true, Ink::fill(Color::Solid.full()))]));
    assert!(filled.is((0.8, 0.8), theme.solid) && filled.is_floor((1.5, 1.5)) && filled.is((2.5, 2.5), theme.solid));
    for (is_closed, is_there) in [(true, true), (false, false)] {
        let shot = Shot::new(&view([polygons(vec![ring(1.0, 3.0)], is_closed, Ink::line(wide(Color::Ink)))]));
        // The last side, from the upper left to the lower left corner.
        assert_eq!((shot.is((3.0, 2.0), theme.ink), shot.is((1.0, 2.0), theme.ink)), (true, is_there));
    }
}

#[test]
fn an_arrow_is_as_long_as_its_vector_says_and_begins_beside_the_body() {
    let along = ["speed_m_s".to_owned(), "speed_m_s".to_owned()];
    let draw = Draw::Vector { along, up: None, factor: 4.0, gap: 0.5, tint: Color::Rgb([0, 0, 0]).full() };
    let shot = Shot::new(&view([Mark::new(draw).of("bobs")]));
    // (2, 2) m long from 0.5 m along (1, 1): from (2.35, 1.35) to (4.35, 3.35).
    let dark = |d: f64| (-4..=4).any(|n| shot.at(2.0 + d + 0.01 * f64::from(n), 1.0 + d)[0] < 128);
    assert!([0.45, 1.0, 2.0, 2.25].into_iter().all(dark) && ![0.25, 2.45].into_iter().any(dark));
}

#[test]
fn a_trail_goes_where_the_owner_was_and_moves_on_between_rows() {
    let draw = Draw::Trail { back_s: 5.0, ahead_s: 0.0, line: wide(Color::Rgb([0, 0, 0])) };
    let mark = Mark::new(draw).of("bobs");
    let shot = |time_s: f64| Shot::of(&view([mark.clone()]), time_s, &["panel"]).unwrap();
    let (early, late) = (shot(0.5), shot(1.0));
    assert!(!early.is_floor((2.45, 1.0)) && early.is_floor((2.65, 1.0)));
    assert!(!late.is_floor((2.65, 1.0)) && !late.is_floor((2.1, 1.0)) && late.is_floor((1.85, 1.0)));
}

#[test]
fn a_side_view_shows_the_height() {
    let mut side = view([disc(0.3, Color::Warm)]);
    side.projections[0].axes = [Axis::X, Axis::Z];
    let (shot, theme) = (Shot::new(&side), Theme::light());
    // The first is 3 m up, the second 1 m.
    assert!(shot.is((2.0, 3.0), theme.warm) && shot.is((6.0, 1.0), theme.warm));
    assert!(shot.is_floor((2.0, 1.0)) && shot.is_floor((6.0, 3.0)));
}

#[test]
fn the_area_holds_all_places_and_as_much_round_them_as_their_owners_reach() {
    let mut held = view([]);
    held.projections[0].area = Area {
        fixed: Some([[4.0, 0.0], [5.0, 1.0]]),
        holds: vec![("bobs".into(), vec![0.5, 1.5])],
        margin: [0.1, 0.2],
    };
    let area = Shot::new(&held).plane.plane.area;
    // x from 2 - 0.5 to 6 + 1.5, y from 0 to 3 + 1.5, and a tenth of 6 m round it.
    let expected = [0.9, -0.6, 8.1, 5.1];
    let found = [area.min.x, area.min.y, area.max.x, area.max.y];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
}

#[test]
fn words_are_said_as_far_as_their_numbers_are_known() {
    let lettering = Lettering { tint: Color::Rgb([0, 0, 0]).full(), size: [0.5, 0.0], is_bold: true, is_centred: true };
    let label = |words| {
        let (at, below, lettering) = ([0.0, 0.0], [0.0, 0.0], lettering.clone());
        Mark::new(Draw::Label { words, at, below, lettering, alarm: None, ground: None }).of("bobs")
    };
    let is_written = |words: Vec<Phrase>| {
        let shot = Shot::new(&view([label(words)]));
        let dark = |x: f64, y: f64| (-60..60).any(|n| shot.at(x + f64::from(n) * 0.005, y)[0] < 100);
        [dark(2.0, 1.0), dark(6.0, 3.0)]
    };
    let mood = || Phrase::new("{}", [Figure::column("mood", 0)]);
    assert_eq!(is_written(vec![mood()]), [true, false]);
    assert_eq!(is_written(vec![mood(), Phrase::new("m", [])]), [true, true]);
    assert_eq!(is_written(vec![Phrase::new("{}", [Figure::new(Quantity::Name, 0)])]), [true, false]);
}

#[test]
fn the_panel_tells_numbers_of_all_and_of_each() {
    let speed = |fold| Figure::column("speed_m_s", 2).over(fold);
    let fact = |title: Phrase, value: Phrase, is_each| Fact { of: "bobs".into(), is_each, title, value };
    let facts = vec![
        fact(
            Phrase::new("{} bobs", [Figure::new(Quantity::Owner, 0).over(Fold::Count)]),
            Phrase::new("{} to {} m/s", [speed(Fold::Min), speed(Fold::Max)]),
            false,
        ),
        fact(
            Phrase::new("bob {}", [Figure::new(Quantity::Owner, 0)]),
            Phrase::new("is {}", [Figure::column("mood", 0)]),
            true,
        ),
    ];
    let panel = Panel { height: 20.0, sections: vec![Section::Facts(facts)] };
    let folder = Folder::of_rows([&[], &[], &[]]);
    folder.write("tables.json", TABLES);
    folder.write("bobs.csv", ROWS);
    folder.write("view.json", &serde_json::to_string(&View { panel, ..view([]) }).unwrap());
    let run = RunFolder::open(folder.path()).unwrap();
    let scene = FrameRenderer::new(&run, Style::new(1600.0, Theme::light())).unwrap().at(0.0).unwrap();
    let words: Vec<String> = scene
        .shapes
        .iter()
        .filter_map(|shape| match shape {
            sim_view::draw::Shape::Text(text) => Some(text.words.clone()),
            _ => None,
        })
        .collect();
    let has = |wanted: &str| words.iter().any(|words| words == wanted);
    assert!(has("2 bobs") && has("0.00 to 0.50 m/s") && has("bob 0") && has("is very glad"), "{words:?}");
    // Of the second one the mood is missing.
    assert!(!has("bob 1"), "{words:?}");
}

#[test]
fn a_view_that_names_what_is_not_there_is_refused() {
    let wrong = |mark: Mark| match Shot::of(&view([mark]), 0.0, &[]) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let along = ["speed_m_s".to_owned(), "spin_rad_s".to_owned()];
    let arrow = Draw::Vector { along, up: None, factor: 1.0, gap: 0.0, tint: Color::Arrow.full() };
    assert_eq!(
        wrong(Mark::new(arrow).of("bobs")),
        "bobs.csv: view.json asks for column \"spin_rad_s\", which stream \"bobs\" does not have"
    );
    assert!(
        wrong(Mark { of: Some("ropes".into()), ..disc(1.0, Color::Warm) })
            .ends_with("\"ropes\" is no stream of a party")
    );
    let mut blank = view([]);
    blank.projections.clear();
    assert!(Shot::of(&blank, 0.0, &[]).is_err());
    blank = view([]);
    blank.projections[0].area.fixed = Some([[0.0, 0.0], [0.0, 4.0]]);
    assert!(Shot::of(&blank, 0.0, &[]).is_err());
}
