//! Marks of a view, drawn one after the other.

use super::body::{self, Body};
use super::canvas::{Canvas, Look};
use super::check::raster_of;
use super::ink::Of;
use super::{grid, link, raster, scan, wells};
use crate::draw::{Anchor, Ink, Path, Weight, font};
use crate::folder::{FolderError, RunFolder};
use crate::frame::{Actor, Frame, Teller};
use sim_core::{DVec2, DVec3, Rect, angle::unit};
use sim_world::view::{Coord, Draw, Lettering, Mark, Outline, Place, Tint};

/// Parts of a trail, the older the fainter.
const TRAIL_PARTS: usize = 4;

/// What is drawn.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub folder: &'a RunFolder,
    pub frame: &'a Frame,
}

/// Draws a mark.
pub(super) fn draw(canvas: &mut Canvas<'_>, subject: Subject<'_>, mark: &Mark) -> Result<(), FolderError> {
    let is_shown = mark.layer.as_ref().is_none_or(|layer| canvas.shows(layer));
    let is_large = mark.from.is_none_or(|[length, types]| canvas.long(length) >= types * canvas.type_px);
    if !is_large || !(is_shown || insists(&mark.draw)) {
        return Ok(());
    }
    let Subject { folder, frame } = subject;
    let Some(stream) = &mark.of else { return draw_still(canvas, subject, &mark.draw) };
    let teller = Teller::new(folder, frame, stream)?;
    for actor in &teller.now.actors {
        let is_meant = mark.owners.is_empty() || mark.owners.contains(&actor.id);
        if is_meant && teller.holds(Some(actor), &mark.when)? && (is_shown || teller.is_alarm(actor)) {
            draw_one(canvas, &teller, actor, &mark.draw)?;
        }
    }
    Ok(())
}

/// True for marks that are shown in alarm though their layer is not.
fn insists(draw: &Draw) -> bool {
    matches!(draw, Draw::Circle { alarm: Some(_), .. })
}

/// What stands still, or is drawn for all owners at once.
fn draw_still(canvas: &mut Canvas<'_>, subject: Subject<'_>, draw: &Draw) -> Result<(), FolderError> {
    let Subject { folder, frame } = subject;
    match draw {
        Draw::Plane { fill, has_grid } => {
            if let Some(fill) = fill {
                let color = canvas.tint(fill, Of::STILL)?;
                canvas.draw(Path::rect(canvas.view.plane_px()), Ink::fill(color));
            }
            if *has_grid {
                grid::draw(canvas);
            }
        }
        Draw::Polygons { shapes, is_closed, z, ink, labels, .. } => {
            let ink = canvas.ink(ink, Of::STILL)?.with_holes();
            let outlines = shapes.iter().map(|shape| outline(canvas, shape, *is_closed, *z));
            let path = outlines.fold(Path::default(), Path::and);
            canvas.draw(path, ink);
            if let Some(lettering) = labels {
                shapes.iter().try_for_each(|shape| write_on(canvas, shape, *z, lettering))?;
            }
        }
        Draw::Points { places, radius: [length, types], ink, line } => {
            let places: Vec<DVec2> = places.iter().map(|&place| canvas.px_of(DVec3::from_array(place))).collect();
            if let Some(line) = line {
                let ink = canvas.line(line, Of::STILL)?;
                canvas.draw(Path::line(&places), ink);
            }
            let (ink, radius) = (canvas.ink(ink, Of::STILL)?, canvas.long(*length) + types * canvas.type_px);
            places.into_iter().for_each(|place| canvas.draw(Path::circle(place, radius), ink));
        }
        Draw::Raster(raster) => raster::draw(canvas, raster)?,
        Draw::Wells(_) if canvas.view.plane.level_axis().is_some() => {}
        Draw::Wells(wells) => {
            let image = wells::image((folder, frame), wells, &canvas.view, &canvas.theme().potential)?;
            canvas.scene.shapes.extend(image);
        }
        Draw::Link { limits, gap, ring } => {
            link::draw(canvas, frame, folder.view(), link::LinkMark { limits, gap: *gap, ring: *ring });
        }
        Draw::Scan { stream, seen, hits } => draw_scans(canvas, subject, stream, [seen.as_ref(), hits.as_ref()])?,
        Draw::Line { from, to, line } => {
            let ink = canvas.line(line, Of::STILL)?;
            let fixed = |place: &Place| place_of(place, |_| Ok(f64::NAN));
            let ends = [fixed(from)?, fixed(to)?].map(|end| canvas.px_of(end));
            canvas.draw(Path::line(&ends), ink);
        }
        Draw::Body { .. } | Draw::Circle { .. } | Draw::Ellipse { .. } | Draw::Trail { .. } => {}
        Draw::Vector { .. } | Draw::Label { .. } | Draw::Profile { .. } => {}
    }
    Ok(())
}

/// What is drawn for one owner.
fn draw_one(canvas: &mut Canvas<'_>, teller: &Teller<'_>, actor: &Actor, draw: &Draw) -> Result<(), FolderError> {
    let of = Of::actor(teller, actor);
    match draw {
        Draw::Body { parts, has_finder, shadow } => {
            body::draw(canvas, Body { parts, has_finder: *has_finder, shadow: *shadow }, teller, actor)?;
        }
        Draw::Circle { radius: (length, types), ink, alarm } => {
            let ink = alarm.as_ref().filter(|_| teller.is_alarm(actor)).unwrap_or(ink);
            let ink = canvas.ink(ink, of)?;
            let radius = canvas.long(coord(length, |column| Ok(actor.row[teller.place(column)?]))?);
            canvas.draw(Path::circle(canvas.px_of(actor.place), radius + types * canvas.type_px), ink);
        }
        Draw::Profile { raster, line } => {
            let ink = canvas.line(line, of)?;
            if let Some(raster) = raster_of(teller.folder.view(), raster) {
                raster::draw_profile(canvas, raster, actor.place, ink);
            }
        }
        Draw::Ellipse { .. } if canvas.view.plane.level_axis().is_some() => {}
        Draw::Ellipse { sigma, stretch_s, ahead_s, line } => {
            for (n, &ahead_s) in ahead_s.iter().enumerate() {
                let Some((place, velocity)) = actor.way.at(ahead_s) else { continue };
                let (half_axes, heading_rad) = wells::spread(velocity, *sigma, *stretch_s);
                let turn_rad = if canvas.view.plane.is_up { -heading_rad } else { heading_rad };
                let path = Path::ellipse(canvas.px_of(place), half_axes.map(|half| canvas.long(half)), turn_rad);
                canvas.draw(path, faded(canvas.line(line, of)?, n));
            }
        }
        Draw::Trail { back_s, ahead_s, line } => {
            let ink = canvas.line(line, of)?;
            if *back_s > 0.0 {
                draw_trail(canvas, actor, ink);
            }
            if *ahead_s > 0.0 {
                let way: Vec<DVec2> = actor.way.places.iter().map(|&place| canvas.px_of(place)).collect();
                canvas.draw(Path::line(&way), ink);
            }
        }
        Draw::Vector { along: [x, y], up, factor, gap, tint } => {
            let read = |column: &String| Ok::<f64, FolderError>(actor.row[teller.place(column)?]);
            let vector = DVec3::new(read(x)?, read(y)?, up.as_ref().map_or(Ok(0.0), read)?);
            let ends = [vector.normalize_or_zero() * *gap, vector.normalize_or_zero() * *gap + vector * *factor];
            let color = canvas.tint(tint, of)?;
            canvas.arrow(ends.map(|end| canvas.px_of(actor.place + end)), color, canvas.theme().ground.faded(0.6));
        }
        Draw::Line { from, to, line } => {
            let ink = canvas.line(line, of)?;
            let read = |place: &Place| place_of(place, |column| Ok(actor.row[teller.place(column)?]));
            let ends = [read(from)?, read(to)?].map(|end| canvas.px_of(end));
            canvas.draw(Path::line(&ends), ink);
        }
        Draw::Label { .. } => draw_label(canvas, teller, actor, draw)?,
        Draw::Plane { .. } | Draw::Polygons { .. } | Draw::Wells(_) | Draw::Link { .. } | Draw::Scan { .. } => {}
        Draw::Points { .. } | Draw::Raster(_) => {}
    }
    Ok(())
}

fn outline(canvas: &Canvas<'_>, shape: &Outline, is_closed: bool, z: f64) -> Path {
    let points: Vec<DVec2> = shape.points.iter().map(|&at| canvas.px_of(DVec2::from_array(at).extend(z))).collect();
    if is_closed { Path::polygon(&points) } else { Path::line(&points) }
}

fn write_on(canvas: &mut Canvas<'_>, shape: &Outline, z: f64, lettering: &Lettering) -> Result<(), FolderError> {
    let Some(label) = &shape.label else { return Ok(()) };
    let points: Vec<DVec2> = shape.points.iter().map(|&at| canvas.px_of(DVec2::from_array(at).extend(z))).collect();
    let (Some(low), Some(high)) =
        (points.iter().copied().reduce(DVec2::min), points.iter().copied().reduce(DVec2::max))
    else {
        return Ok(());
    };
    let mut look = look_of(canvas, lettering, Of::STILL)?;
    if !lettering.is_centred {
        look.anchor = Anchor::Start;
        canvas.write(low + DVec2::new(0.4, 1.1) * canvas.type_px, label.as_str(), look);
        return Ok(());
    }
    let widest = points.windows(2).map(|side| side[0].distance(side[1])).next().unwrap_or(high.x - low.x);
    look.size = look.size.min(0.94 * widest / font::width(label, 1.0).max(1e-9) / canvas.type_px);
    canvas.write((low + high) * 0.5 + DVec2::new(0.0, 0.37 * look.size) * canvas.type_px, label.as_str(), look);
    Ok(())
}

fn look_of(canvas: &Canvas<'_>, lettering: &Lettering, of: Of<'_>) -> Result<Look, FolderError> {
    let [length, types] = lettering.size;
    let weight = if lettering.is_bold { Weight::Bold } else { Weight::Regular };
    let size = canvas.long(length) / canvas.type_px + types;
    Ok(Look { size, anchor: Anchor::Middle, weight, color: canvas.tint(&lettering.tint, of)? })
}

fn draw_scans(
    canvas: &mut Canvas<'_>,
    Subject { folder, frame }: Subject<'_>,
    stream: &str,
    [seen, hits]: [Option<&Tint>; 2],
) -> Result<(), FolderError> {
    let scanners = &folder.view().scanners;
    let Some(at) = scanners.iter().position(|scanner| scanner.stream == stream) else { return Ok(()) };
    let teller = Teller::new(folder, frame, &scanners[at].on)?;
    let scans = frame.scans.get(at).map_or(&[][..], Vec::as_slice);
    if let Some(tint) = seen {
        scan::draw_seen(canvas, scans, tint, &teller)?;
    }
    if let Some(tint) = hits {
        scan::draw_hits(canvas, scans, tint, &teller)?;
    }
    Ok(())
}

/// The ink of the `n`-th of several that fade.
fn faded(mut ink: Ink, n: usize) -> Ink {
    if let Some(line) = &mut ink.line {
        line.color = line.color.faded(line.color.alpha * (1.0 - 0.22 * n as f64).max(0.1));
        line.width *= (1.0 - 0.16 * n as f64).max(0.1);
    }
    ink
}

fn draw_trail(canvas: &mut Canvas<'_>, actor: &Actor, ink: Ink) {
    let places: Vec<DVec2> = actor.trail.iter().map(|&place| canvas.px_of(place)).collect();
    let legs = places.len().saturating_sub(1);
    for part in 0..TRAIL_PARTS {
        let [from, to] = [part, part + 1].map(|part| legs * part / TRAIL_PARTS);
        if to > from {
            let mut ink = ink;
            if let Some(line) = &mut ink.line {
                line.color = line.color.faded(line.color.alpha * (0.25 + 0.2 * part as f64));
            }
            canvas.draw(Path::line(&places[from..=to]), ink);
        }
    }
}

fn draw_label(canvas: &mut Canvas<'_>, teller: &Teller<'_>, actor: &Actor, draw: &Draw) -> Result<(), FolderError> {
    let Draw::Label { words, at, below, lettering, alarm, ground } = draw else { return Ok(()) };
    let Some(words) = teller.first_phrase(Some(actor), words)? else { return Ok(()) };
    let of = Of::actor(teller, actor);
    let mut look = look_of(canvas, lettering, of)?;
    if let Some(alarm) = alarm.as_ref().filter(|_| teller.is_alarm(actor)) {
        look.color = canvas.tint(alarm, of)?;
    }
    let shift = unit(actor.angles[0]).rotate(DVec2::from_array(*at)).extend(0.0);
    let down = canvas.long(below[0]) + below[1] * canvas.type_px;
    let mut middle = canvas.px_of(actor.place + shift) + DVec2::new(0.0, down);
    if let Some(ground) = ground {
        let half = DVec2::new(0.5 * font::width(&words, look.size) + 0.35, 0.6) * canvas.type_px;
        let Some(free) = canvas.label_place(middle, half) else { return Ok(()) };
        middle = free;
        let color = canvas.tint(ground, of)?;
        canvas.draw(Path::rect(Rect { min: middle - half, max: middle + half }), Ink::fill(color));
    }
    canvas.write(middle + DVec2::new(0.0, 0.35 * look.size * canvas.type_px), words, look);
    Ok(())
}

fn coord(coord: &Coord, column: impl Fn(&str) -> Result<f64, FolderError>) -> Result<f64, FolderError> {
    match coord {
        Coord::Fixed(number) => Ok(*number),
        Coord::Column(name) => column(name),
    }
}

fn place_of(place: &Place, column: impl Fn(&str) -> Result<f64, FolderError>) -> Result<DVec3, FolderError> {
    Ok(DVec3::new(coord(&place.x, &column)?, coord(&place.y, &column)?, coord(&place.z, &column)?))
}
