//! A scene as pixels.

use super::color::{Color, distance, nearest};
use super::font;
use super::path::{Path, Step};
use super::scene::{Image, Ink, Line, Scene, Shape};
use sim_core::Rect;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tiny_skia::{
    FillRule, FilterQuality, IntSize, LineCap, LineJoin, Paint, PathBuilder, Pixmap, PixmapPaint, Stroke, StrokeDash,
    Transform,
};

/// More pixels along a side are refused.
pub const MAX_PIXELS: f64 = 16_000.0;

/// A picture larger than [`MAX_PIXELS`] along a side, or without any.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a picture of {width:.0} x {height:.0} pixels cannot be drawn: each side must have from 1 to {MAX_PIXELS}")]
pub struct BadSize {
    /// Pixels along x.
    pub width: f64,
    /// Pixels along y.
    pub height: f64,
}

/// Draws a scene with `scale` pixels for each of its px.
///
/// # Errors
/// If there are no or too many pixels.
pub fn paint(scene: &Scene, scale: f64) -> Result<Pixmap, BadSize> {
    let size = (scene.size * scale).round();
    let bad = BadSize { width: size.x, height: size.y };
    if !(size.min_element() >= 1.0 && size.max_element() <= MAX_PIXELS) {
        return Err(bad);
    }
    let mut pixmap = Pixmap::new(size.x as u32, size.y as u32).ok_or(bad)?;
    pixmap.fill(skia_color(scene.ground));
    let transform = Transform::from_scale(scale as f32, scale as f32);
    paint_all(&mut pixmap, &scene.shapes, transform);
    Ok(pixmap)
}

fn paint_all(pixmap: &mut Pixmap, shapes: &[Shape], transform: Transform) {
    for shape in shapes {
        match shape {
            Shape::Outline(path, ink) => draw(pixmap, path, ink, transform),
            Shape::Text(text) => {
                let ink = Ink::fill(text.color).with_line(text.color, font::thickening(text));
                draw(pixmap, &font::outline(text), &ink, transform);
            }
            Shape::Image(frame, image) => stretch(pixmap, *frame, image, transform),
            Shape::Clip(frame, shapes) => paint_clipped(pixmap, *frame, shapes, transform),
        }
    }
}

/// Paints on a copy and takes over the rows and columns of the frame, to whole pixels.
fn paint_clipped(pixmap: &mut Pixmap, frame: Rect, shapes: &[Shape], transform: Transform) {
    let mut copy = pixmap.clone();
    paint_all(&mut copy, shapes, transform);
    let [width, height] = [pixmap.width() as usize, pixmap.height() as usize];
    let pixel = |px: f64, most: usize| ((px * f64::from(transform.sx)).round().max(0.0) as usize).min(most);
    let [left, right] = [frame.min.x, frame.max.x].map(|x| 4 * pixel(x, width));
    for row in pixel(frame.min.y, height)..pixel(frame.max.y, height) {
        let bytes = 4 * width * row + left..4 * width * row + right.max(left);
        pixmap.data_mut()[bytes.clone()].copy_from_slice(&copy.data()[bytes]);
    }
}

/// The bytes of a PNG file.
///
/// # Errors
/// If they do not fit into memory.
pub fn png(pixmap: &Pixmap) -> std::io::Result<Vec<u8>> {
    pixmap.encode_png().map_err(std::io::Error::other)
}

/// The bytes of a PNG file with a palette: the index of each pixel's colour, and red, green and blue of each colour.
///
/// # Errors
/// If there are not as many indices as pixels.
pub fn indexed_png(pixmap: &Pixmap, indices: &[u8], palette: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette);
    encoder.set_compression(png::Compression::High);
    // Neighbours in a palette are not alike, so the rows are left as they are.
    encoder.set_filter(png::Filter::NoFilter);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(indices));
    written.map_err(std::io::Error::other)?;
    Ok(bytes)
}

/// The bytes of a PNG file with at most 256 colours of a picture as its palette. Every colour becomes the nearest of these; they are
/// frequent ones, as far apart as it takes.
///
/// # Errors
/// If they do not fit into memory.
pub fn small_png(pixmap: &Pixmap) -> std::io::Result<Vec<u8>> {
    let colors = || pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    let mut counts = BTreeMap::<[u8; 3], usize>::new();
    colors().for_each(|color| *counts.entry(color).or_default() += 1);
    let mut frequent: Vec<[u8; 3]> = counts.keys().copied().collect();
    frequent.sort_by_key(|color| Reverse(counts[color]));
    let palette = few_colors(&frequent);
    let index: BTreeMap<_, _> = counts.into_keys().map(|color| (color, nearest(&palette, color) as u8)).collect();
    let indices: Vec<u8> = colors().map(|color| index[&color]).collect();
    indexed_png(pixmap, &indices, palette.concat())
}

/// At most 256 of the colours, the first ones of any that are alike, with all others alike to one of them.
fn few_colors(colors: &[[u8; 3]]) -> Vec<[u8; 3]> {
    let mut alike = 0;
    loop {
        let mut kept: Vec<[u8; 3]> = Vec::new();
        for &color in colors {
            if kept.len() <= 256 && kept.iter().all(|other| distance(*other, color) > alike) {
                kept.push(color);
            }
        }
        if kept.len() <= 256 {
            return kept;
        }
        alike += alike / 8 + 1;
    }
}

/// The bytes of a PNG file with the pixels of an image; none if it has no pixels.
pub(super) fn png_of_image(image: &Image) -> Vec<u8> {
    pixmap_of(image).and_then(|pixmap| pixmap.encode_png().ok()).unwrap_or_default()
}

fn draw(pixmap: &mut Pixmap, path: &Path, ink: &Ink, transform: Transform) {
    let Some(path) = skia_path(path) else { return };
    if let Some(color) = ink.fill {
        let rule = if ink.has_holes { FillRule::EvenOdd } else { FillRule::Winding };
        pixmap.fill_path(&path, &skia_paint(color), rule, transform, None);
    }
    if let Some(line) = &ink.line {
        pixmap.stroke_path(&path, &skia_paint(line.color), &skia_stroke(line), transform, None);
    }
}

/// What lies farther out than this is drawn there, px: beyond any picture, and near enough for the rasteriser.
const FARTHEST_PX: f64 = 4.0 * MAX_PIXELS;

/// Nothing for an outline without extent or with a place that is not a number.
fn skia_path(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for step in &path.0 {
        match step.map(|v| v.clamp(-FARTHEST_PX, FARTHEST_PX) as f32) {
            Flat::Move(to) => builder.move_to(to[0], to[1]),
            Flat::Line(to) => builder.line_to(to[0], to[1]),
            Flat::Cubic(a, b, to) => builder.cubic_to(a[0], a[1], b[0], b[1], to[0], to[1]),
            Flat::Close => builder.close(),
        }
    }
    builder.finish()
}

/// A step in single precision.
enum Flat {
    Move([f32; 2]),
    Line([f32; 2]),
    Cubic([f32; 2], [f32; 2], [f32; 2]),
    Close,
}

impl Step {
    fn map(self, flat: impl Fn(f64) -> f32) -> Flat {
        let place = |p: sim_core::DVec2| [flat(p.x), flat(p.y)];
        match self {
            Self::Move(to) => Flat::Move(place(to)),
            Self::Line(to) => Flat::Line(place(to)),
            Self::Cubic(a, b, to) => Flat::Cubic(place(a), place(b), place(to)),
            Self::Close => Flat::Close,
        }
    }
}

fn skia_color(color: Color) -> tiny_skia::Color {
    let [r, g, b] = color.rgb;
    tiny_skia::Color::from_rgba8(r, g, b, (255.0 * color.alpha).round() as u8)
}

fn skia_paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(skia_color(color));
    paint
}

fn skia_stroke(line: &Line) -> Stroke {
    Stroke {
        width: line.width.min(MAX_PIXELS) as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash: line.dash.and_then(|[on, off]| StrokeDash::new(vec![on as f32, off as f32], 0.0)),
        ..Stroke::default()
    }
}

fn pixmap_of(image: &Image) -> Option<Pixmap> {
    let size = IntSize::from_wh(image.width as u32, image.height() as u32)?;
    Pixmap::from_vec(image.pixels.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect(), size)
}

fn stretch(pixmap: &mut Pixmap, frame: Rect, image: &Image, transform: Transform) {
    let Some(source) = pixmap_of(image) else { return };
    let size = frame.size();
    let scale = [size.x / image.width as f64, size.y / image.height() as f64];
    let place = Transform::from_row(scale[0] as f32, 0.0, 0.0, scale[1] as f32, frame.min.x as f32, frame.min.y as f32);
    let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
    pixmap.draw_pixmap(0, 0, source.as_ref(), &paint, place.post_concat(transform), None);
}
