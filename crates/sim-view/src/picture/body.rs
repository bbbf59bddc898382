//! Bodies: parts in their own axes, turned, tilted and lifted with their owner.

use super::canvas::Canvas;
use super::ink::Of;
use crate::draw::{Color, Ink, Path};
use crate::folder::FolderError;
use crate::frame::{Actor, Teller};
use sim_core::{DVec2, DVec3, Rect, angle::unit, ops};
use sim_world::view::{self, Part, Shape};

/// Bodies that are shown shorter than this many heights of the type get a ring that can be seen.
const MIN_LENGTH: f64 = 0.8;
/// Corners of a round corner.
const CORNERS: usize = 8;

/// A body mark.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub parts: &'a [Part],
    pub has_finder: bool,
    pub shadow: Option<[f64; 2]>,
}

/// Where a body's axes are in the picture.
#[derive(Clone, Copy)]
struct Pose {
    place: DVec3,
    ahead: DVec3,
    side: DVec3,
    up: DVec3,
}

impl Pose {
    fn from_actor(actor: &Actor) -> Self {
        let [yaw_rad, pitch_rad, roll_rad] = actor.angles;
        let (ahead, side) = (unit(yaw_rad), unit(yaw_rad).perp());
        let ((sin_p, cos_p), (sin_r, cos_r)) = (ops::sin_cos(pitch_rad), ops::sin_cos(roll_rad));
        let ahead_3d = (ahead * cos_p).extend(sin_p);
        let side_3d = (side * cos_r + ahead * (sin_r * sin_p)).extend(-sin_r * cos_p);
        Self { place: actor.place, ahead: ahead_3d, side: side_3d, up: ahead_3d.cross(side_3d) }
    }

    fn px(&self, canvas: &Canvas<'_>, at: DVec2) -> DVec2 {
        canvas.px_of(self.place + self.ahead * at.x + self.side * at.y)
    }

    fn px_at(&self, canvas: &Canvas<'_>, at: DVec2, height: f64) -> DVec2 {
        canvas.px_of(self.place + self.ahead * at.x + self.side * at.y + self.up * height)
    }
}

/// Draws the body of an owner.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    body: Body<'_>,
    teller: &Teller<'_>,
    actor: &Actor,
) -> Result<(), FolderError> {
    let (pose, of, is_alarm) = (Pose::from_actor(actor), Of::actor(teller, actor), teller.is_alarm(actor));
    if body.has_finder {
        draw_finder(canvas, body.parts, of, is_alarm)?;
    }
    let is_from_side = canvas.view.plane.level_axis().is_some();
    if is_from_side && !body.parts.iter().any(|part| matches!(part.shape, Shape::Prism(..))) {
        return draw_disc(canvas, body.parts, of, is_alarm);
    }
    if !is_from_side {
        draw_shadow(canvas, body, pose);
    }
    for part in body.parts {
        if !teller.holds(Some(actor), &part.when)? {
            continue;
        }
        let ink = part.alarm.as_ref().filter(|_| is_alarm).unwrap_or(&part.ink);
        let turn_rad = match &part.turn {
            Some((column, about)) => Some((actor.row[teller.place(column)?], DVec2::from_array(*about))),
            None => None,
        };
        let path = path_of(canvas, part, pose, turn_rad);
        let ink = canvas.ink(ink, of)?;
        canvas.draw(path, ink);
    }
    Ok(())
}

fn path_of(canvas: &Canvas<'_>, part: &Part, pose: Pose, turn: Option<(f64, DVec2)>) -> Path {
    let turned = |at: DVec2| turn.map_or(at, |(angle_rad, about)| about + unit(angle_rad).rotate(at - about));
    let px = |at: DVec2| pose.px(canvas, turned(at));
    let all = |points: &[[f64; 2]]| points.iter().map(|&at| px(DVec2::from_array(at))).collect::<Vec<_>>();
    match &part.shape {
        Shape::Polygon(points) => Path::polygon(&all(points)),
        Shape::Line(points) => Path::line(&all(points)),
        Shape::Disc(center, radius) => Path::circle(px(DVec2::from_array(*center)), canvas.long(*radius)),
        Shape::Box(min, max, corner) => Path::polygon(&all(&rounded(*min, *max, *corner))),
        Shape::Prism(points, heights) => {
            let corners = points.iter().flat_map(|&at| heights.map(|height| (DVec2::from_array(at), height)));
            Path::polygon(&hull(corners.map(|(at, height)| pose.px_at(canvas, turned(at), height)).collect()))
        }
    }
}

/// A body of no known height from the side.
fn draw_disc(canvas: &mut Canvas<'_>, parts: &[Part], of: Of<'_>, is_alarm: bool) -> Result<(), FolderError> {
    let (Some(actor), Some(first)) = (of.actor, parts.first()) else { return Ok(()) };
    let ink = first.alarm.as_ref().filter(|_| is_alarm).unwrap_or(&first.ink);
    let Some(tint) = ink.fill.as_ref().or(ink.line.as_ref().map(|line| &line.tint)) else { return Ok(()) };
    let ink = Ink::fill(canvas.tint(tint, of)?).with_line(canvas.theme().on_body, canvas.pen(1.0));
    canvas.draw(Path::circle(canvas.px_of(actor.place), 0.5 * MIN_LENGTH * canvas.type_px), ink);
    Ok(())
}

/// The outline of the places that lie farthest out, counter-clockwise by y up (Andrew 1979).
fn hull(mut places: Vec<DVec2>) -> Vec<DVec2> {
    places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |places: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for place in places {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(place - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(place);
        }
        chain.pop();
        chain
    };
    let lower = half(&mut places.iter().copied());
    [lower, half(&mut places.iter().rev().copied())].concat()
}

/// Corners of a rectangle with round corners.
fn rounded(min: [f64; 2], max: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let ([x0, y0], [x1, y1]) = (min, max);
    let sharp = [(x1, y1, 1.0, 1.0), (x0, y1, -1.0, 1.0), (x0, y0, -1.0, -1.0), (x1, y0, 1.0, -1.0)];
    if radius <= 0.0 {
        return sharp.map(|(x, y, ..)| [x, y]).to_vec();
    }
    let mut corners = Vec::with_capacity(4 * (CORNERS + 1));
    for (quarter, (x, y, u, v)) in sharp.into_iter().enumerate() {
        for n in 0..=CORNERS {
            let angle_rad = (quarter as f64 + n as f64 / CORNERS as f64) * std::f64::consts::FRAC_PI_2;
            let round = unit(angle_rad) * radius;
            corners.push([x - u * radius + round.x, y - v * radius + round.y]);
        }
    }
    corners
}

/// Least and largest corner of all parts, in the body's axes.
pub(super) fn extent(parts: &[Part]) -> Rect {
    let points = parts.iter().flat_map(|part| match &part.shape {
        Shape::Polygon(points) | Shape::Line(points) | Shape::Prism(points, _) => points.clone(),
        Shape::Disc([x, y], radius) => vec![[x - radius, y - radius], [x + radius, y + radius]],
        Shape::Box(min, max, _) => vec![*min, *max],
    });
    let points = points.map(DVec2::from_array);
    let extent = points.map(|at| Rect { min: at, max: at });
    extent
        .reduce(|a, b| Rect { min: a.min.min(b.min), max: a.max.max(b.max) })
        .unwrap_or(Rect { min: DVec2::ZERO, max: DVec2::ZERO })
}

/// A ring round a body that is too small to be seen.
fn draw_finder(canvas: &mut Canvas<'_>, parts: &[Part], of: Of<'_>, is_alarm: bool) -> Result<(), FolderError> {
    let (length, least) = (canvas.long(extent(parts).size().x), MIN_LENGTH * canvas.type_px);
    let Some(actor) = of.actor.filter(|_| length < least) else { return Ok(()) };
    let color = if is_alarm { view::Color::Alarm } else { view::Color::Owner };
    let ink = Ink::line(canvas.color(&color, of)?, canvas.pen(2.0));
    canvas.draw(Path::circle(canvas.px_of(actor.place), 0.5 * least), ink);
    Ok(())
}

/// The higher a body is, the farther off its shadow lies.
fn draw_shadow(canvas: &mut Canvas<'_>, body: Body<'_>, pose: Pose) {
    let Some([from, most]) = body.shadow.filter(|[from, _]| pose.place.z > *from) else { return };
    let off = DVec2::splat(canvas.long(0.35 * pose.place.z.min(most.max(from))));
    let Rect { min, max } = extent(body.parts);
    let corners = [(max.x, min.y), (max.x, max.y), (min.x, max.y), (min.x, min.y)];
    let corners = corners.map(|(x, y)| pose.px(canvas, DVec2::new(x, y)) + off);
    canvas.draw(Path::polygon(&corners), Ink::fill(Color::hex(0x000000).faded(0.45)));
}

/// A small picture of a body for the key, as long as two heights of the type at most.
pub(super) fn sign(
    canvas: &Canvas<'_>,
    parts: &[Part],
    at: DVec2,
    width: f64,
) -> Result<Vec<(Path, Ink)>, FolderError> {
    let extent = extent(parts);
    let scale = width / extent.size().max_element().max(1e-9);
    let px = |point: [f64; 2]| at + (DVec2::from_array(point) - extent.center()) * scale;
    let mut drawings = Vec::new();
    for part in parts.iter().filter(|part| part.when.is_empty()) {
        let path = match &part.shape {
            Shape::Polygon(points) | Shape::Prism(points, _) => {
                Path::polygon(&points.iter().map(|&point| px(point)).collect::<Vec<_>>())
            }
            Shape::Line(points) => Path::line(&points.iter().map(|&point| px(point)).collect::<Vec<_>>()),
            Shape::Disc(center, radius) => Path::circle(px(*center), radius * scale),
            Shape::Box(min, max, corner) => {
                Path::polygon(&rounded(*min, *max, *corner).into_iter().map(px).collect::<Vec<_>>())
            }
        };
        let mut ink = canvas.ink(&part.ink, Of::STILL)?;
        if let Some(line) = &mut ink.line {
            line.width = match part.ink.line.as_ref().map(|line| line.width) {
                Some(view::Width::Length(length)) => length * scale,
                _ => canvas.pen(0.8),
            };
        }
        drawings.push((path, ink));
    }
    Ok(drawings)
}
