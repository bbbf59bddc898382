//! A scene as SVG text.

use super::color::Color;
use super::font;
use super::path::{Path, Step};
use super::pixels;
use super::scene::{Anchor, Image, Ink, Scene, Shape, Text, Weight};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sim_core::{DVec2, Rect};
use std::fmt::Write as _;

/// Writing into a text cannot fail.
macro_rules! put {
    ($svg:expr, $($words:tt)*) => { write!($svg, $($words)*).expect("a text takes all that is written") };
}

/// The document. With `scale` 2 it says to be shown at twice its px.
#[must_use]
pub fn document(scene: &Scene, scale: f64) -> String {
    let DVec2 { x: width, y: height } = scene.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" font-family=\"{}, sans-serif\">\n",
        Px(width * scale),
        Px(height * scale),
        Px(width),
        Px(height),
        font::NAME
    );
    outline(&mut svg, &Path::rect(Rect { min: DVec2::ZERO, max: scene.size }), &Ink::fill(scene.ground));
    all(&mut svg, &scene.shapes);
    svg.push_str("</svg>\n");
    svg
}

fn all(svg: &mut String, shapes: &[Shape]) {
    for shape in shapes {
        match shape {
            Shape::Outline(path, ink) => outline(svg, path, ink),
            Shape::Text(text) => words(svg, text),
            Shape::Image(frame, picture) => image(svg, *frame, picture),
            Shape::Clip(frame, shapes) => clip(svg, *frame, shapes),
        }
    }
}

/// A picture in the picture, which hides what reaches beyond its frame.
fn clip(svg: &mut String, frame: Rect, shapes: &[Shape]) {
    let ([x, y], [width, height]) = (frame.min.to_array().map(Px), frame.size().to_array().map(Px));
    put!(svg, "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    put!(svg, " viewBox=\"{x} {y} {width} {height}\" overflow=\"hidden\">\n");
    all(svg, shapes);
    svg.push_str("</svg>\n");
}

/// A number of px with two decimals at most.
struct Px(f64);

impl std::fmt::Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding 0 makes -0 a plain zero.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

fn outline(svg: &mut String, path: &Path, ink: &Ink) {
    svg.push_str("<path d=\"");
    for step in &path.0 {
        match step {
            Step::Move(to) => put!(svg, "M{} {}", Px(to.x), Px(to.y)),
            Step::Line(to) => put!(svg, "L{} {}", Px(to.x), Px(to.y)),
            Step::Cubic(a, b, to) => {
                put!(svg, "C{} {} {} {} {} {}", Px(a.x), Px(a.y), Px(b.x), Px(b.y), Px(to.x), Px(to.y));
            }
            Step::Close => svg.push('Z'),
        }
    }
    svg.push('"');
    paint(svg, "fill", ink.fill);
    if ink.has_holes {
        svg.push_str(" fill-rule=\"evenodd\"");
    }
    if let Some(line) = &ink.line {
        paint(svg, "stroke", Some(line.color));
        put!(svg, " stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"", Px(line.width));
        if let Some([on, off]) = line.dash {
            put!(svg, " stroke-dasharray=\"{} {}\"", Px(on), Px(off));
        }
    }
    svg.push_str("/>\n");
}

fn paint(svg: &mut String, name: &str, color: Option<Color>) {
    match color {
        None => put!(svg, " {name}=\"none\""),
        Some(color) => {
            put!(svg, " {name}=\"{color}\"");
            if color.alpha < 1.0 {
                put!(svg, " {name}-opacity=\"{}\"", Px(color.alpha));
            }
        }
    }
}

fn words(svg: &mut String, text: &Text) {
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    put!(svg, "<text x=\"{}\" y=\"{}\" font-size=\"{}\"", Px(text.at.x), Px(text.at.y), Px(text.size));
    put!(svg, " text-anchor=\"{anchor}\"");
    // Whatever typeface is at hand, the words take the width that they were given.
    put!(svg, " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", Px(font::width(&text.words, text.size)));
    if text.weight == Weight::Bold {
        svg.push_str(" font-weight=\"bold\"");
    }
    paint(svg, "fill", Some(text.color));
    put!(svg, ">{}</text>\n", escaped(&text.words));
}

/// Text in which nothing means anything to XML; control characters, which XML cannot hold, become blanks.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

fn image(svg: &mut String, frame: Rect, image: &Image) {
    let size = frame.size();
    put!(
        svg,
        "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
        Px(frame.min.x),
        Px(frame.min.y),
        Px(size.x),
        Px(size.y)
    );
    let png = STANDARD.encode(pixels::png_of_image(image));
    put!(svg, " preserveAspectRatio=\"none\" href=\"data:image/png;base64,{png}\"/>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_files_say_cannot_break_out_of_a_text() {
        let mut scene = Scene::new(DVec2::new(10.0, 10.0), Color::hex(0xffffff));
        scene.write(Text {
            at: DVec2::new(1.0, 2.0),
            size: 12.0,
            anchor: Anchor::End,
            weight: Weight::Bold,
            color: Color::hex(0x102030).faded(0.5),
            words: "</text><script>&\u{7}".into(),
        });
        let svg = document(&scene, 2.0);
        assert!(
            svg.starts_with(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\" viewBox=\"0 0 10 10\""
            ),
            "{svg}"
        );
        assert!(
            svg.contains("fill=\"#102030\" fill-opacity=\"0.5\">&lt;/text&gt;&lt;script&gt;&amp; </text>\n</svg>"),
            "{svg}"
        );
    }
}
