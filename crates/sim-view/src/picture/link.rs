//! Limits that are broken, unmistakably: rings, and lines with the distance.

use super::canvas::{Canvas, Look};
use crate::draw::{Ink, Path, font};
use crate::frame::{Actor, Break, Frame};
use sim_core::{DVec2, DVec3, Rect};
use sim_world::View;
use sim_world::view::{Limit, Rule};
use std::collections::BTreeSet;

/// A link mark.
#[derive(Clone, Copy)]
pub(super) struct LinkMark<'a> {
    pub limits: &'a [String],
    pub gap: f64,
    pub ring: Option<f64>,
}

/// Rings round those that break a limit, and a line with the distance between two; dashed where it is over.
pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &Frame, view: &View, mark: LinkMark<'_>) {
    let limits = || view.limits.iter().zip(&frame.breaks).filter(|(limit, _)| mark.limits.contains(&limit.name));
    let is_over = limits().flat_map(|(_, breaks)| breaks).all(|broken| broken.is_over);
    if let Some(radius) = mark.ring {
        let mut drawn = BTreeSet::new();
        for (limit, broken) in limits().flat_map(|(limit, breaks)| breaks.iter().map(move |broken| (limit, broken))) {
            let is_same = limit.to.as_ref() == Some(&limit.of);
            for id in [Some(broken.owner), broken.other.filter(|_| is_same)].into_iter().flatten() {
                if drawn.insert((&limit.of, id))
                    && let Some(place) = place_of(frame, view, &limit.of, id)
                {
                    draw_line(canvas, Path::circle(canvas.px_of(place), canvas.long(radius)), is_over);
                }
            }
        }
    }
    for (limit, breaks) in limits() {
        let Some(to) = &limit.to else { continue };
        for broken in breaks {
            let from = place_of(frame, view, &limit.of, broken.owner);
            let to = broken.other.and_then(|other| place_of(frame, view, to, other));
            if let (Some(from), Some(to)) = (from, to) {
                draw_link(canvas, [from, to], &words_of(limit, broken, &view.unit), (broken.is_over, mark.gap));
            }
        }
    }
}

fn place_of(frame: &Frame, view: &View, stream: &str, id: u64) -> Option<DVec3> {
    let is_it = |actor: &&Actor| actor.id == id;
    frame.party(view, stream)?.actors.iter().find(is_it).map(|actor| actor.place)
}

fn words_of(limit: &Limit, broken: &Break, unit: &str) -> String {
    let (bound, side, worst) = match limit.rule {
        Rule::AtLeast(_, bound) => (bound, "under", "down to"),
        Rule::AtMost(_, bound) => (bound, "over", "up to"),
        Rule::IsNot(..) => return String::new(),
    };
    let digits = if unit == "mm" { 1 } else { 2 };
    match broken.value {
        Some(value) if broken.is_over => format!("{worst} {value:.digits$} {unit}"),
        Some(value) => format!("{value:.digits$} {unit}"),
        None => format!("{side} {bound} {unit}"),
    }
}

fn draw_link(canvas: &mut Canvas<'_>, [from, to]: [DVec3; 2], words: &str, (is_over, gap): (bool, f64)) {
    // From body to body, so that the numbers on them stay readable.
    let inwards = (to - from).clamp_length_max(gap);
    let [a, b] = [canvas.px_of(from + inwards), canvas.px_of(to - inwards)];
    draw_line(canvas, Path::line(&[a, b]), is_over);
    let middle = (a + b) * 0.5;
    let half = DVec2::new((0.5 * font::width(words, 1.0) + 0.35).max(2.3), 0.8) * canvas.type_px;
    // Where the two are close to each other, words would hide them.
    if canvas.long(from.distance(to)) < 2.0 * half.x {
        return;
    }
    canvas.draw(Path::rect(Rect { min: middle - half, max: middle + half }), Ink::fill(canvas.theme().alarm));
    let look = Look::new(canvas.theme().on_alarm).bold().middle();
    canvas.write(middle + DVec2::new(0.0, 0.35) * canvas.type_px, words, look);
}

fn draw_line(canvas: &mut Canvas<'_>, path: Path, is_over: bool) {
    let (theme, dash) = (canvas.theme(), canvas.pen(9.0));
    let ink = Ink::line(theme.alarm, canvas.pen(4.0));
    canvas.draw(path.clone(), Ink::line(theme.ground, canvas.pen(7.0)));
    canvas.draw(path, if is_over { ink.dashed(dash, 0.7 * dash) } else { ink });
}
