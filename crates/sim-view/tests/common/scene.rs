//! What stands in a scene: outlines by their colour, words by what they say, all with their exact places.

use super::Folder;
use sim_core::{DVec2, Rect};
use sim_view::ViewError;
use sim_view::draw::path::Step;
use sim_view::draw::{Color, Ink, Path, Scene, Shape, Text};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, PlaneView, Style};
use sim_view::theme::Theme;
use sim_world::view;

/// Width of the pictures, px, and the height of their type: 15 px of 1280.
pub const WIDTH_PX: f64 = 2560.0;
pub const EM_PX: f64 = 30.0;

/// The scene of a moment, and where the plane is in it.
pub struct Shot {
    pub scene: Scene,
    pub view: PlaneView,
    pub theme: Theme,
}

impl Shot {
    /// With the usual layers, less some.
    pub fn without(folder: &Folder, time_s: f64, hide: &[&str]) -> Result<Self, ViewError> {
        let run = RunFolder::open(folder.path())?;
        let theme = Theme::light();
        let hide = hide.iter().map(|&name| name.to_owned()).collect();
        let mut renderer = FrameRenderer::new(&run, Style { hide, ..Style::new(WIDTH_PX, theme.clone()) })?;
        Ok(Self { scene: renderer.at(time_s)?, view: renderer.view(), theme })
    }

    /// Without grid and panel.
    pub fn at(folder: &Folder, time_s: f64) -> Self {
        Self::without(folder, time_s, &["grid", "panel"]).unwrap()
    }

    /// A place of the plan, px.
    pub fn px(&self, x: f64, y: f64) -> DVec2 {
        self.view.px(DVec2::new(x, y))
    }

    /// A length on the plan, px.
    pub fn long(&self, length: f64) -> f64 {
        length * self.view.px_per_unit
    }

    /// A pen of so many px in a picture of the usual width.
    pub fn pen(&self, px: f64) -> f64 {
        px * EM_PX / 15.0
    }
}

/// The colour of a view's plain red, green and blue.
pub fn rgb(color: &view::Color) -> [u8; 3] {
    match color {
        view::Color::Rgb(rgb) => *rgb,
        other => panic!("{other:?} is not plain"),
    }
}

/// Outlines that are filled with a colour, whatever lets it through.
pub fn fills<'a>(scene: &'a Scene, color: &view::Color) -> Vec<(&'a Path, Color)> {
    let rgb = rgb(color);
    outlines(scene).filter_map(|(path, ink)| Some((path, ink.fill.filter(|fill| fill.rgb == rgb)?))).collect()
}

/// Outlines whose line has a colour.
pub fn strokes<'a>(scene: &'a Scene, color: &view::Color) -> Vec<(&'a Path, sim_view::draw::Line)> {
    strokes_of(scene, rgb(color))
}

/// The same by red, green and blue.
pub fn strokes_of(scene: &Scene, rgb: [u8; 3]) -> Vec<(&Path, sim_view::draw::Line)> {
    outlines(scene).filter_map(|(path, ink)| Some((path, ink.line.filter(|line| line.color.rgb == rgb)?))).collect()
}

pub fn outlines(scene: &Scene) -> impl Iterator<Item = (&Path, &Ink)> {
    scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Outline(path, ink) => Some((path, ink)),
        _ => None,
    })
}

pub fn texts(scene: &Scene) -> impl Iterator<Item = &Text> {
    scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Text(text) => Some(text),
        _ => None,
    })
}

/// The text that says so.
pub fn text<'a>(scene: &'a Scene, words: &str) -> &'a Text {
    let all = || texts(scene).map(|text| text.words.as_str()).collect::<Vec<_>>();
    texts(scene).find(|text| text.words == words).unwrap_or_else(|| panic!("{words:?} is not among {:?}", all()))
}

/// The words on the line of others, from left to right, without those.
pub fn words_beside(scene: &Scene, words: &str) -> Vec<String> {
    let height = text(scene, words).at.y;
    let mut line: Vec<&Text> = texts(scene).filter(|text| text.at.y == height && text.words != words).collect();
    line.sort_by(|a, b| a.at.x.total_cmp(&b.at.x));
    line.into_iter().map(|text| text.words.clone()).collect()
}

/// Ends of the pieces of an outline.
pub fn points(path: &Path) -> Vec<DVec2> {
    let end = |step: &Step| match step {
        Step::Move(to) | Step::Line(to) | Step::Cubic(_, _, to) => Some(*to),
        Step::Close => None,
    };
    path.0.iter().filter_map(end).collect()
}

/// The rectangle round these ends.
pub fn bounds(path: &Path) -> Rect {
    let points = points(path);
    let fold = |of: fn(DVec2, DVec2) -> DVec2| points.iter().copied().reduce(of).unwrap();
    Rect { min: fold(DVec2::min), max: fold(DVec2::max) }
}

/// True if it ends where it began.
pub fn is_closed(path: &Path) -> bool {
    path.0.last() == Some(&Step::Close)
}

/// Fails unless places are the same, up to rounding.
#[track_caller]
pub fn assert_places(found: &[DVec2], expected: &[DVec2]) {
    let are_near = found.iter().zip(expected).all(|(a, b)| a.distance(*b) < 1e-6);
    assert!(found.len() == expected.len() && are_near, "{found:?}, not {expected:?}");
}

/// Fails unless numbers are the same, up to rounding.
#[track_caller]
pub fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
}
