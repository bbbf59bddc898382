//! Views with a plan and side views: where marks land in each of them, against closed forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_core::DVec2;
use sim_view::ViewError;
use sim_view::draw::{Color as Rgb, Shape as Drawn, pixels, svg};
use sim_view::film::{self, Film, Format};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, PlaneView, Style};
use sim_view::theme::Theme;
use sim_world::View;
use sim_world::view::{
    Area, Axis, Color, Coord, Draw, Ink, Lettering, Line, Mark, Outline, Panel, Part, Party, Phrase, Place, Projection,
    Raster, Section, Shape, Width,
};
use std::fs::File;
use tiny_skia::Pixmap;

const TABLES: &str = r#"{"streams":[{"name":"boats","about":"","cadence":{"sampled":{"owners":2}},"columns":[
    {"name":"step","kind":"integer","about":""},{"name":"time_s","kind":"number","about":""},
    {"name":"boat","kind":"integer","about":""},{"name":"x_m","kind":"number","about":""},
    {"name":"y_m","kind":"number","about":""},{"name":"z_m","kind":"number","about":""},
    {"name":"yaw_rad","kind":"number","about":""},{"name":"pitch_rad","kind":"number","about":""},
    {"name":"roll_rad","kind":"number","about":""},{"name":"vx_m_s","kind":"number","about":""},
    {"name":"vz_m_s","kind":"number","about":""}]}]}"#;
/// A boat that dives eastwards, 10 m a second and 4 m down, and one that rests with its front 30 degrees up.
const ROWS: &str = "step,time_s,boat,x_m,y_m,z_m,yaw_rad,pitch_rad,roll_rad,vx_m_s,vz_m_s\n\
    0,0,0,20,10,-4,0,0,0,10,-4\n0,0,1,70,30,-10,0,0.5235987755982988,0,0,0\n\
    10,1,0,30,10,-8,0,0,0,10,-4\n10,1,1,70,30,-10,0,0.5235987755982988,0,0,0\n";
/// Numbers of the projections.
const PLAN: usize = 0;
const SIDE: usize = 1;
const END: usize = 2;

fn projection(name: &str, axes: [Axis; 2], fixed: [[f64; 2]; 2]) -> Projection {
    let area = Area { fixed: Some(fixed), holds: Vec::new(), margin: [0.0, 0.0] };
    Projection { name: name.into(), axes, is_up: true, area, height: None }
}

/// A plan of 100 m by 40 m, a side view along y and one along x, 22 m high, with marks on a floor.
fn view(marks: impl IntoIterator<Item = Mark>) -> View {
    let floor = Mark::new(Draw::Plane { fill: Some(Color::Floor.full()), has_grid: false });
    let boats = Party {
        stream: "boats".into(),
        one: "boat".into(),
        many: "boats".into(),
        place: Place { x: "x_m".into(), y: "y_m".into(), z: "z_m".into() },
        angles: ["yaw_rad", "pitch_rad", "roll_rad"].map(str::to_owned).into(),
        velocity: None,
        linear: Vec::new(),
        while_same: None,
        names: Vec::new(),
        reach: None,
        is_sparse: false,
    };
    View {
        unit: "m".into(),
        projections: vec![
            projection("plan", [Axis::X, Axis::Y], [[0.0, 0.0], [100.0, 40.0]]),
            projection("side", [Axis::X, Axis::Z], [[0.0, -20.0], [100.0, 2.0]]),
            projection("end", [Axis::Y, Axis::Z], [[0.0, -20.0], [40.0, 2.0]]),
        ],
        parties: vec![boats],
        marks: [floor].into_iter().chain(marks).collect(),
        ..View::default()
    }
}

fn folder(view: &View) -> Folder {
    let folder = Folder::of_rows([&[], &[], &[]]);
    folder.write("tables.json", TABLES);
    folder.write("boats.csv", ROWS);
    folder.write("view.json", &serde_json::to_string(view).unwrap());
    folder
}

fn style(hide: &[&str]) -> Style {
    let hide = hide.iter().map(|&name| name.to_owned()).collect();
    Style { hide, ..Style::new(1600.0, Theme::light()) }
}

/// A picture of a moment.
struct Shot {
    pixmap: Pixmap,
    views: Vec<PlaneView>,
}

impl Shot {
    fn at(view: &View, time_s: f64) -> Self {
        let folder = folder(view);
        let run = RunFolder::open(folder.path()).unwrap();
        let mut renderer = FrameRenderer::new(&run, style(&["grid", "panel"])).unwrap();
        let pixmap = pixels::paint(&renderer.at(time_s).unwrap(), 1.0).unwrap();
        Self { pixmap, views: renderer.views().collect() }
    }

    fn new(view: &View) -> Self {
        Self::at(view, 0.0)
    }

    /// The colour of a place of a projection.
    fn color(&self, pane: usize, (right, across): (f64, f64)) -> [u8; 3] {
        let place = self.views[pane].px(DVec2::new(right, across));
        let pixel = self.pixmap.pixel(place.x as u32, place.y as u32).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    fn is(&self, pane: usize, place: (f64, f64), color: Rgb) -> bool {
        self.color(pane, place).iter().zip(color.rgb).all(|(a, b)| a.abs_diff(b) <= 3)
    }

    fn is_floor(&self, pane: usize, place: (f64, f64)) -> bool {
        self.is(pane, place, Theme::light().floor())
    }

    /// Pixels of a projection's picture.
    fn pane(&self, pane: usize) -> Vec<[u8; 3]> {
        let area = self.views[pane].plane_px();
        let rows = area.min.y.ceil() as u32..area.max.y.floor() as u32;
        let pixels = rows.flat_map(|y| (area.min.x.ceil() as u32..area.max.x.floor() as u32).map(move |x| (x, y)));
        pixels.map(|(x, y)| self.pixmap.pixel(x, y).unwrap()).map(|p| [p.red(), p.green(), p.blue()]).collect()
    }
}

fn disc(radius: f64) -> Mark {
    let ink = Ink::fill(Color::Warm.full());
    Mark::new(Draw::Circle { radius: (Coord::Fixed(radius), 0.0), ink, alarm: None }).of("boats")
}

fn wide(color: Color) -> Line {
    Line::new(color.full(), Width::Length(1.0))
}

fn body(shape: Shape) -> Mark {
    let parts = vec![Part { shape, ink: Ink::fill(Color::Body.full()), alarm: None, turn: None, when: Vec::new() }];
    Mark::new(Draw::Body { parts, has_finder: false, shadow: None }).of("boats")
}

#[test]
fn each_projection_shows_its_own_axes_below_the_one_before_it() {
    let (shot, theme) = (Shot::new(&view([disc(1.5)])), Theme::light());
    for (pane, [diver, rester]) in [
        (PLAN, [(20.0, 10.0), (70.0, 30.0)]),
        (SIDE, [(20.0, -4.0), (70.0, -10.0)]),
        (END, [(10.0, -4.0), (30.0, -10.0)]),
    ] {
        assert!(shot.is(pane, diver, theme.warm) && shot.is(pane, rester, theme.warm), "{pane}");
        assert!(
            shot.is_floor(pane, (diver.0 + 1.8, diver.1)) && shot.is_floor(pane, (diver.0, diver.1 + 1.8)),
            "{pane}"
        );
    }
    // Both 100 m wide ones have the same scale; the one of 40 m is as wide, unless it would be too high for a third of the picture.
    let [plan, side, end] = shot.views[..] else { panic!("three projections") };
    assert!((plan.px_per_unit - side.px_per_unit).abs() < 1e-9 && end.px_per_unit > 1.5 * plan.px_per_unit);
    assert!(plan.plane_px().max.y < side.plane_px().min.y && side.plane_px().max.y < end.plane_px().min.y);
    assert!(end.plane_px().max.y < f64::from(shot.pixmap.height()));
}

#[test]
fn what_reaches_beyond_a_projection_is_cut_off() {
    let bare = Shot::new(&view([]));
    // At the upper rim of the side view, and 60 m large.
    let mark = disc(60.0).seen_in("side");
    let full = Shot::new(&view([mark]));
    assert_eq!((full.pane(PLAN), full.pane(END)), (bare.pane(PLAN), bare.pane(END)));
    assert!(full.is(SIDE, (50.0, -15.0), Theme::light().warm));
    let between = (bare.views[PLAN].plane_px().max.y + bare.views[SIDE].plane_px().min.y) / 2.0;
    let row = |shot: &Shot| (0..shot.pixmap.width()).map(|x| shot.pixmap.pixel(x, between as u32)).collect::<Vec<_>>();
    assert_eq!(row(&full), row(&bare));
}

#[test]
fn an_axis_may_have_a_scale_of_its_own() {
    let mut stretched =
        view([disc(1.5), body(Shape::Prism(vec![[-2.0, 0.0], [2.0, 0.0]], [-1.0, 1.0])).seen_in("side")]);
    stretched.projections[SIDE].height = Some(0.5);
    stretched.projections[SIDE].area.margin = [0.1, 0.0];
    let (shot, theme) = (Shot::new(&stretched), Theme::light());
    let side = shot.views[SIDE];
    let size = side.plane_px().size();
    assert!((size.y / size.x - 0.5).abs() < 1e-9, "{size}");
    // Of a margin, each side has its own share: 120 m by 26.4 m.
    assert!((side.stretch - 60.0 / 26.4).abs() < 1e-9, "{}", side.stretch);
    // A circle stays round, and a body does not: its 2 m are as high as 2.3 times as much to the right.
    let to = |dx: f64, dz: f64| (20.0 + dx, -4.0 + dz / side.stretch);
    assert!(shot.is(SIDE, to(0.0, 1.4), theme.warm) || shot.is(SIDE, to(0.0, 1.4), theme.body));
    assert!(shot.is(SIDE, (20.0, -4.0 + 0.9), theme.body) && !shot.is(SIDE, (20.0, -4.0 + 1.1), theme.body));
    let place = DVec2::new(33.0, -7.5);
    assert!(side.place(side.px(place)).abs_diff_eq(place, 1e-9));
}

#[test]
fn a_prism_is_its_silhouette_from_all_sides_and_turns_with_its_body() {
    // 12 m long, 4 m wide, 2 m high.
    let outline = vec![[-6.0, -2.0], [6.0, -2.0], [6.0, 2.0], [-6.0, 2.0]];
    let hull = || body(Shape::Prism(outline.clone(), [-1.0, 1.0]));
    let (shot, theme) = (Shot::new(&view([hull()])), Theme::light());
    let is_body = |shot: &Shot, pane: usize, place: (f64, f64)| shot.is(pane, place, theme.body);
    // The level one.
    assert!(is_body(&shot, PLAN, (25.7, 11.7)) && !is_body(&shot, PLAN, (25.7, 12.3)));
    assert!(is_body(&shot, SIDE, (25.7, -3.2)) && !is_body(&shot, SIDE, (25.7, -2.8)));
    assert!(is_body(&shot, END, (11.8, -3.2)) && !is_body(&shot, END, (12.2, -3.2)));
    // The other one, front up by 30 degrees: places along its own x and z axes.
    let (sin, cos) = (0.5, 3.0_f64.sqrt() / 2.0);
    let own = |x: f64, z: f64, sign: f64| (70.0 + x * cos - sign * z * sin, -10.0 + sign * x * sin + z * cos);
    assert!(is_body(&shot, SIDE, own(5.7, 0.8, 1.0)) && !is_body(&shot, SIDE, own(5.7, 1.3, 1.0)));
    assert!(!is_body(&shot, SIDE, own(5.7, 0.0, -1.0)));
    // From above it is shorter, 12 m cos + 2 m sin, and its silhouette is that of the upper and the lower side.
    let half = 6.0 * cos + sin;
    assert!(is_body(&shot, PLAN, (70.0 + half - 0.3, 30.0)) && !is_body(&shot, PLAN, (70.0 + half + 0.3, 30.0)));
    // By the right-hand rule about y, the same pitch has its front down.
    let turned = Shot::new(&View { is_right_handed: true, ..view([hull()]) });
    assert!(is_body(&turned, SIDE, own(5.7, 0.8, -1.0)) && !is_body(&turned, SIDE, own(5.7, 0.0, 1.0)));
}

#[test]
fn a_flat_body_is_a_disc_from_the_side() {
    let (shot, theme) = (Shot::new(&view([body(Shape::Box([-6.0, -2.0], [6.0, 2.0], 0.0))])), Theme::light());
    assert!(shot.is(PLAN, (25.7, 11.7), theme.body) && shot.is(SIDE, (20.0, -4.0), theme.body));
    assert!(shot.is_floor(SIDE, (25.7, -4.0)) && shot.is(END, (30.0, -10.0), theme.body));
}

#[test]
fn trails_arrows_and_lines_go_up_and_down() {
    let dark = Color::Rgb([0, 0, 0]);
    let trail = Mark::new(Draw::Trail { back_s: 5.0, ahead_s: 0.0, line: wide(dark.clone()) }).of("boats");
    let shot = Shot::at(&view([trail]), 1.0);
    // From (20, -4) to (30, -8): half way.
    assert!(
        !shot.is_floor(SIDE, (25.0, -6.0)) && shot.is_floor(SIDE, (25.0, -4.5)) && shot.is_floor(SIDE, (32.0, -8.8))
    );
    assert!(!shot.is_floor(PLAN, (25.0, 10.0)) && !shot.is_floor(END, (10.0, -6.0)));

    let along = ["vx_m_s".to_owned(), "vz_m_s".to_owned()];
    let arrow = |up: Option<&str>| {
        let along = [along[0].clone(), "roll_rad".to_owned()];
        let draw = Draw::Vector { along, up: up.map(str::to_owned), factor: 2.0, gap: 0.0, tint: dark.clone().full() };
        Shot::new(&view([Mark::new(draw).of("boats")]))
    };
    let is_dark = |shot: &Shot, place: (f64, f64)| shot.color(SIDE, place)[0] < 100;
    let near = |shot: &Shot, (x, z): (f64, f64)| (-3..=3).any(|n| is_dark(shot, (x, z + 0.1 * f64::from(n))));
    // (20, -8) m long, from (20, -4); and level without its column.
    assert!(near(&arrow(Some("vz_m_s")), (30.0, -8.0)) && !near(&arrow(Some("vz_m_s")), (30.0, -4.0)));
    assert!(near(&arrow(None), (30.0, -4.0)) && !near(&arrow(None), (30.0, -8.0)));

    let to = Place { x: "x_m".into(), y: "y_m".into(), z: "z_m".into() };
    let cable = Mark::new(Draw::Line { from: Place::plane(20.0, 0.0), to, line: wide(dark) }).of("boats");
    let shot = Shot::new(&view([cable]));
    assert!(
        !shot.is_floor(SIDE, (20.0, -2.0)) && !shot.is_floor(SIDE, (45.0, -5.0)) && !shot.is_floor(END, (5.0, -2.0))
    );
}

#[test]
fn points_outlines_and_words_stand_at_their_heights() {
    let dark = || Color::Rgb([0, 0, 0]);
    let points = Mark::new(Draw::Points {
        places: vec![[10.0, 5.0, -15.0], [50.0, 25.0, -5.0]],
        radius: [1.5, 0.0],
        ink: Ink::fill(Color::Cool.full()),
        line: Some(wide(dark())),
    });
    let (shot, theme) = (Shot::new(&view([points])), Theme::light());
    assert!(shot.is(PLAN, (10.0, 5.0), theme.cool) && shot.is(PLAN, (50.0, 25.0), theme.cool));
    assert!(shot.is(SIDE, (10.0, -15.0), theme.cool) && shot.is(END, (25.0, -5.0), theme.cool));
    assert!(shot.is(SIDE, (30.0, -10.0), Rgb::hex(0)) && shot.is(PLAN, (30.0, 15.0), Rgb::hex(0)));

    let shapes = vec![Outline { points: vec![[30.0, 5.0], [60.0, 5.0], [60.0, 35.0], [30.0, 35.0]], label: None }];
    let ink = Ink::fill(Color::Cool.full()).with_line(wide(dark()));
    let plate = Mark::new(Draw::Polygons { name: None, shapes, is_closed: true, z: -12.0, ink, labels: None });
    let shot = Shot::new(&view([plate]));
    assert!(shot.is(PLAN, (45.0, 20.0), theme.cool) && shot.is(SIDE, (45.0, -12.0), Rgb::hex(0)));
    assert!(
        shot.is_floor(SIDE, (45.0, -11.0))
            && shot.is_floor(SIDE, (25.0, -12.0))
            && shot.is(END, (20.0, -12.0), Rgb::hex(0))
    );

    let lettering = Lettering { tint: dark().full(), size: [4.0, 0.0], is_bold: true, is_centred: true };
    let label = Draw::Label {
        words: vec![Phrase::new("M", [])],
        at: [10.0, 0.0],
        below: [0.0, 0.0],
        lettering,
        alarm: None,
        ground: Some(Color::Warm.full()),
    };
    let shot = Shot::new(&view([Mark::new(label).of("boats")]));
    let is_said =
        |place: (f64, f64)| (-20..20).any(|n| shot.color(SIDE, (place.0 + 0.1 * f64::from(n), place.1))[0] < 60);
    // 10 m ahead of the boat, at its height, however its front points.
    assert!(is_said((30.0, -4.0)) && is_said((80.0, -10.0)) && !is_said((20.0, -4.0)));
}

/// Depths of -16 m in the west to -4 m in the east, 2 m deeper in the north; nothing is known of a corner in the north-east.
fn depths() -> Raster {
    let values = (0..5).flat_map(|row| {
        (0..11).map(move |column| {
            let depth = -16.0 + 1.2 * f64::from(column) - 0.5 * f64::from(row);
            (row < 3 || column < 9).then_some(depth)
        })
    });
    Raster {
        name: "bottom".into(),
        from: [0.0, 0.0],
        step: [10.0, 10.0],
        columns: 11,
        values: values.collect(),
        range: [-18.0, -4.0],
        colors: vec![Color::Rgb([0, 0, 200]), Color::Rgb([0, 100, 200]), Color::Rgb([200, 200, 200])],
        words: ["depth, m", "deep", "shallow"].map(str::to_owned),
        ground: Some(Ink::fill(Color::Rgb([120, 80, 40]).faded(0.5))),
    }
}

#[test]
fn a_raster_is_colours_in_the_plan_and_ground_from_the_side() {
    let (shot, theme) = (Shot::new(&view([Mark::new(Draw::Raster(depths()))])), Theme::light());
    // -16 + 0.12 x - 0.05 y, over 14 m of colours, the middle one at -11 m.
    let expected = |x: f64, y: f64| {
        let at = (-16.0 + 0.12 * x - 0.05 * y + 18.0) / 7.0;
        if at < 1.0 { [0.0, 100.0 * at, 200.0] } else { [200.0 * (at - 1.0), 100.0 * at, 200.0] }
    };
    for (x, y) in [(5.0, 3.0), (33.0, 17.0), (61.0, 38.0), (94.0, 12.0)] {
        let found = shot.color(PLAN, (x, y));
        let off = found.iter().zip(expected(x, y)).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
        // 129 colours: steps of less than 3.2.
        assert!(off < 4.0, "({x}, {y}): {found:?}, expected {:?}", expected(x, y));
    }
    assert!(shot.is_floor(PLAN, (95.0, 35.0)), "not known");
    let floor = theme.floor().rgb.map(f64::from);
    let ground =
        |share: f64| [120.0, 80.0, 40.0].iter().zip(floor).map(|(a, b)| b + (a - b) * share).collect::<Vec<_>>();
    let is_ground = |pane: usize, place: (f64, f64), share: f64| {
        let found = shot.color(pane, place);
        found.iter().zip(ground(share)).all(|(a, b)| (f64::from(*a) - b).abs() < 4.0)
    };
    // At x = 50, from -10 m in the south to -12 m in the north.
    assert!(
        is_ground(SIDE, (50.0, -9.6), 0.0)
            && is_ground(SIDE, (50.0, -11.0), 0.5)
            && is_ground(SIDE, (50.0, -12.5), 0.75)
    );
    assert!(is_ground(SIDE, (50.0, -19.5), 0.75));
    // At y = 40, from -18 m in the west to -8.4 m, where it ends to be known.
    assert!(
        is_ground(END, (39.9, -8.0), 0.0) && is_ground(END, (39.9, -10.0), 0.5) && is_ground(END, (39.9, -18.6), 0.75)
    );
    let silent = Raster { ground: None, ..depths() };
    let shot = Shot::new(&view([Mark::new(Draw::Raster(silent))]));
    assert!(shot.is_floor(SIDE, (50.0, -15.0)));
}

#[test]
fn a_profile_is_the_ground_under_each_boat() {
    let dark = Line::new(Color::Rgb([0, 0, 0]).full(), Width::Length(0.4));
    let ground = Mark::new(Draw::Raster(Raster { ground: None, ..depths() }));
    let profile = Mark::new(Draw::Profile { raster: "bottom".into(), line: dark }).of("boats");
    let bare = Shot::new(&view([ground.clone()]));
    let shot = Shot::new(&view([ground, profile]));
    assert_eq!(shot.pane(PLAN), bare.pane(PLAN), "nothing in the plan");
    let is_line = |pane: usize, place: (f64, f64)| shot.is(pane, place, Rgb::hex(0));
    // Along x at y = 10 and y = 30, along y at x = 20 and x = 70.
    assert!(is_line(SIDE, (50.0, -10.5)) && is_line(SIDE, (50.0, -11.5)) && !is_line(SIDE, (50.0, -11.0)));
    assert!(is_line(END, (20.0, -14.6)) && is_line(END, (20.0, -8.6)) && !is_line(END, (20.0, -10.0)));
    // In the north, nothing is known east of 80 m.
    assert!(is_line(SIDE, (95.0, -5.1)) && !is_line(SIDE, (95.0, -6.1)) && is_line(SIDE, (79.0, -8.02)));
}

#[test]
fn a_mark_is_drawn_in_the_projections_that_it_names() {
    let theme = Theme::light();
    let shot = Shot::new(&view([disc(1.5).seen_in("side")]));
    let seen = [(PLAN, (20.0, 10.0)), (SIDE, (20.0, -4.0)), (END, (10.0, -4.0))];
    assert_eq!(seen.map(|(pane, place)| shot.is(pane, place, theme.warm)), [false, true, false]);
    // Ellipses lie on the plane.
    let ellipse = Draw::Ellipse { sigma: 3.0, stretch_s: 0.0, ahead_s: vec![0.0, 0.5], line: wide(Color::Warm) };
    let shot = Shot::new(&view([Mark::new(ellipse).of("boats")]));
    assert!(shot.is(PLAN, (23.0, 10.0), theme.warm) && shot.is_floor(SIDE, (23.0, -4.0)));
}

#[test]
fn each_picture_says_which_axes_it_has() {
    let mut stretched = view([]);
    stretched.projections[SIDE].height = Some(0.44);
    let words = |view: &View| {
        let folder = folder(view);
        let run = RunFolder::open(folder.path()).unwrap();
        let scene = FrameRenderer::new(&run, style(&[])).unwrap().at(0.0).unwrap();
        let text = svg::document(&scene, 1.0);
        assert_eq!(text.matches("<svg").count(), text.matches("</svg>").count());
        let is_clip = |shape: &&Drawn| matches!(shape, Drawn::Clip(..));
        (scene.shapes.iter().filter(is_clip).count(), text)
    };
    let (clips, text) = words(&stretched);
    assert_eq!(clips, 3);
    for caption in ["plan: y over x in m<", "side: z over x in m, vertical exaggeration 2.0<", "end: z over y in m<"] {
        assert!(text.contains(caption), "{caption}");
    }
    assert!(text.matches(" m</text>").count() >= 3, "each has the unit at its scale");
    // One picture alone needs neither.
    stretched.projections.truncate(1);
    let (clips, text) = words(&stretched);
    assert!(clips == 0 && !text.contains("over x in m"));
}

#[test]
fn the_panel_has_the_colours_of_a_raster() {
    let panel = Panel { height: 20.0, sections: vec![Section::Scale] };
    let folder = folder(&View { panel, ..view([Mark::new(Draw::Raster(depths()))]) });
    let run = RunFolder::open(folder.path()).unwrap();
    let scene = FrameRenderer::new(&run, style(&[])).unwrap().at(0.0).unwrap();
    let has =
        |wanted: &str| scene.shapes.iter().any(|shape| matches!(shape, Drawn::Text(text) if text.words == wanted));
    assert!(has("depth, m") && has("-18  deep") && has("shallow  -4"));
    let bar = scene.shapes.iter().find_map(|shape| match shape {
        Drawn::Image(_, image) => Some((image.pixels[0], image.pixels[image.width - 1], image.pixels[image.width / 2])),
        _ => None,
    });
    assert_eq!(bar, Some(([0, 0, 200], [200, 200, 200], [0, 100, 200])));
}

#[test]
fn a_frame_of_a_film_and_a_picture_with_few_colours_show_all_projections() {
    let marks = [Mark::new(Draw::Raster(depths())), disc(3.0)];
    let folder = folder(&view(marks));
    let run = RunFolder::open(folder.path()).unwrap();
    let out = folder.path().join("film.gif");
    let film =
        Film { format: Format::Gif, from_s: None, to_s: None, fps: 2.0, speed: 1.0, scale: 1.0, overwrite: false };
    assert_eq!(film::write(&run, style(&["panel"]), &film, &out, &mut |_| true).unwrap(), 3);
    let mut renderer = FrameRenderer::new(&run, style(&["panel"])).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(&out).unwrap()).unwrap();
    let frame = decoder.read_next_frame().unwrap().unwrap();
    let expected = pixels::paint(&renderer.at(0.0).unwrap(), 1.0).unwrap();
    assert_eq!([u32::from(frame.width), u32::from(frame.height)], [expected.width(), expected.height()]);
    let pairs = expected.data().chunks_exact(4).zip(frame.buffer.chunks_exact(4));
    let off: Vec<u8> = pairs.map(|(a, b)| (0..3).map(|n| a[n].abs_diff(b[n])).max().unwrap_or(0)).collect();
    let far = off.iter().filter(|off| **off > 40).count() as f64 / off.len() as f64;
    let mean = off.iter().map(|off| f64::from(*off)).sum::<f64>() / off.len() as f64;
    // Of 255 colours 121 are the raster's; edges between two of them may be off.
    assert!(far < 0.01 && mean < 2.0, "{far} {mean}");
}

#[test]
fn a_view_whose_projections_or_rasters_are_wrong_is_refused() {
    let refused = |view: &View| {
        let folder = folder(view);
        let run = RunFolder::open(folder.path()).unwrap();
        match FrameRenderer::new(&run, style(&[])) {
            Err(ViewError::Wrong(words)) => words,
            _ => String::new(),
        }
    };
    let mut flat = view([]);
    flat.projections[SIDE].height = Some(0.0);
    assert_eq!(refused(&flat), "view.json: a projection has height 0, must be from 0.05 to 1.6");
    assert!(refused(&view([disc(1.0).seen_in("back")])).contains("names projection \"back\""));
    let profile = Draw::Profile { raster: "top".into(), line: wide(Color::Ink) };
    assert!(refused(&view([Mark::new(profile).of("boats")])).contains("names raster \"top\""));
    let wrong = [
        Raster { columns: 1, ..depths() },
        Raster { columns: 10, ..depths() },
        Raster { values: vec![Some(1.0); 11], ..depths() },
        Raster { step: [10.0, 0.0], ..depths() },
        Raster { range: [3.0, 3.0], ..depths() },
        Raster { colors: Vec::new(), ..depths() },
    ];
    for raster in wrong {
        assert!(refused(&view([Mark::new(Draw::Raster(raster))])).contains("raster \"bottom\""));
    }
    assert_eq!(refused(&view([Mark::new(Draw::Raster(depths()))])), "");
}
