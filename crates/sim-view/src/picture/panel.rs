//! The sections of the panel beside the plane.

use super::canvas::{Canvas, Look};
use super::column::Column;
use super::ink::Of;
use super::layout::Layout;
use super::marks::Subject;
use super::{body, grid, raster, wells};
use crate::draw::{Color, Image, Ink, Path, Shape};
use crate::folder::FolderError;
use crate::frame::{Actor, Frame, Teller};
use sim_core::{DVec2, Rect};
use sim_world::View;
use sim_world::view::{Coord, Draw, Fact, Limit, List, Raster, Rule, Section, Verdict, Wells};
use std::collections::BTreeMap;

/// More owners than this are counted, not named.
const MAX_NAMED: usize = 4;
/// Owners by their numbers, with the names of those that have one.
type Owners<'a> = BTreeMap<u64, Option<&'a str>>;
/// A value is missed by more than this when it counts as broken, as in the measures.
const TOLERANCE: f64 = 1e-6;

pub(super) fn draw(canvas: &mut Canvas<'_>, layout: &Layout, subject: Subject<'_>) -> Result<(), FolderError> {
    let Some(area) = layout.panel else { return Ok(()) };
    let Subject { folder, frame } = subject;
    let mut column = Column::new(canvas, area);
    column.heading(folder.record(), frame.time_s, frame.step);
    for section in &folder.view().panel.sections {
        match section {
            Section::Distances { title, rows } => column.distances(subject, title, rows),
            Section::Verdict(verdict) => column.verdict(subject, verdict),
            Section::Facts(facts) => column.facts(subject, facts)?,
            Section::Scale => column.scale(subject),
            Section::List(list) => column.list(subject, list)?,
            Section::Key { has_bar } => column.key(subject, *has_bar)?,
        }
    }
    column.notes(folder.notes());
    Ok(())
}

impl Column<'_, '_> {
    /// Smallest values now and so far, with what is asked.
    fn distances(&mut self, Subject { folder, frame }: Subject<'_>, title: &str, rows: &[[String; 2]]) {
        let view = folder.view();
        let limits: Vec<(&str, &Limit, usize)> = rows
            .iter()
            .filter_map(|[words, name]| {
                let at = view.limits.iter().position(|limit| limit.name == *name)?;
                Some((words.as_str(), &view.limits[at], at))
            })
            .collect();
        let is_there = |limit: &Limit| frame.party(view, &limit.of).is_some_and(|party| !party.actors.is_empty());
        if !limits.iter().any(|(_, limit, _)| is_there(limit)) {
            return;
        }
        self.rule();
        let width = self.area.size().x;
        let columns = [0.62, 0.82, 1.0].map(|share| self.area.min.x + share * width);
        for (x, words) in columns.into_iter().zip(["now", "so far", "at least"]) {
            self.write(self.at(x), words, self.faint().size(0.85).end());
        }
        self.write(self.left(), title, self.faint().size(0.85));
        for (words, limit, at) in limits {
            let (Rule::AtLeast(_, bound) | Rule::AtMost(_, bound)) = limit.rule else { continue };
            self.skip(1.5);
            self.write(self.left(), words, self.ink());
            let so_far = frame.so_far.get(at).and_then(|so_far| so_far.worst);
            for (x, value) in columns.into_iter().zip([worst_now(frame, view, limit), so_far]) {
                let is_broken = value.is_some_and(|value| is_broken(&limit.rule, value));
                let look = if is_broken { Look::new(self.canvas.theme().alarm).bold() } else { self.ink() };
                self.write(self.at(x), value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}")), look.end());
            }
            self.write(self.at(columns[2]), format!("{bound}"), self.faint().end());
        }
    }

    /// A bar that says whether a limit is broken now, was broken before, or never.
    fn verdict(&mut self, Subject { folder, frame }: Subject<'_>, verdict: &Verdict) {
        let view = folder.view();
        let limits = || view.limits.iter().enumerate().filter(|(_, limit)| verdict.limits.contains(&limit.name));
        let is_there = |limit: &Limit| frame.party(view, &limit.of).is_some_and(|party| !party.actors.is_empty());
        if !limits().any(|(_, limit)| is_there(limit)) {
            return;
        }
        let breaks = || {
            let of_limit = |(at, limit)| frame.breaks.get(at).into_iter().flatten().map(move |broken| (limit, broken));
            limits().flat_map(of_limit)
        };
        let times: u64 = limits().filter_map(|(at, _)| frame.so_far.get(at)).map(|so_far| so_far.times).sum();
        let party_of = |limit: &Limit| view.parties.iter().find(|party| party.stream == limit.of);
        let name_of = |limit: &Limit, owner| party_of(limit)?.name_of(owner);
        let owners: Owners<'_> = breaks().map(|(limit, broken)| (broken.owner, name_of(limit, broken.owner))).collect();
        let pairs = breaks().filter(|(_, broken)| !broken.is_over).count();
        let is_now = breaks().next().is_some();
        let past = verdict.past.as_ref().filter(|_| times > 0).map(|words| counted(words, times as usize));
        let words = match (said_now(verdict, is_now, pairs, &owners), past.clone()) {
            (None, None) => verdict.none.clone(),
            (Some(now), None) => now,
            (None, Some(past)) => past,
            (Some(now), Some(past)) => format!("{now}, {past}"),
        };
        self.verdict_bar(&words, is_now, past.is_some());
    }

    /// Lines of words and numbers.
    fn facts(&mut self, Subject { folder, frame }: Subject<'_>, facts: &[Fact]) -> Result<(), FolderError> {
        let mut lines = Vec::new();
        for fact in facts {
            let teller = Teller::new(folder, frame, &fact.of)?;
            let actors: Vec<Option<&Actor>> = match (fact.is_each, teller.now.actors.is_empty()) {
                (_, true) => Vec::new(),
                (true, _) => teller.now.actors.iter().map(Some).collect(),
                (false, _) => vec![None],
            };
            for actor in actors {
                lines.extend(teller.phrase(actor, &fact.title)?.zip(teller.phrase(actor, &fact.value)?));
            }
        }
        if !lines.is_empty() {
            self.rule();
            self.y -= self.em(1.5);
            lines.iter().for_each(|(title, value)| self.fact(title, value));
        }
        Ok(())
    }

    /// The colours of the wells, or of a raster.
    fn scale(&mut self, Subject { folder, frame }: Subject<'_>) {
        let is_shown = |layer: &Option<String>| layer.as_ref().is_none_or(|layer| self.canvas.shows(layer));
        let mut shown = folder.view().marks.iter().filter(|mark| is_shown(&mark.layer)).map(|mark| &mark.draw);
        match shown.find(|draw| matches!(draw, Draw::Wells(_) | Draw::Raster(_))) {
            Some(Draw::Wells(wells)) => self.scale_of_wells(folder.view(), frame, wells),
            Some(Draw::Raster(raster)) => self.scale_of_raster(raster),
            _ => {}
        }
    }

    fn scale_of_wells(&mut self, view: &View, frame: &Frame, wells: &Wells) {
        let Wells { wells, hills, extent, words: [title, remark, low, high], .. } = wells;
        let is_empty = |stream| frame.party(view, stream).is_none_or(|party| party.actors.is_empty());
        if is_empty(wells) && is_empty(hills) {
            return;
        }
        self.rule();
        self.write(self.left(), title.as_str(), self.ink());
        self.write(self.right(), remark.as_str(), self.faint().size(0.85).end());
        let middle = self.color_bar(wells::colors(&self.canvas.theme().potential));
        let look = self.faint().size(0.85);
        self.write(self.left(), format!("\u{2264} \u{2212}{extent:.2}  {low}"), look);
        self.write(self.at(middle), "0", look.middle());
        self.write(self.right(), format!("{high}  +{extent:.2} \u{2264}"), look.end());
    }

    fn scale_of_raster(&mut self, raster: &Raster) {
        let Raster { range: [from, to], words: [title, low, high], .. } = raster;
        let colors = raster::colors(self.canvas.theme(), raster, raster::COLORS);
        self.rule();
        self.write(self.left(), title.as_str(), self.ink());
        self.color_bar(colors);
        let look = self.faint().size(0.85);
        self.write(self.left(), format!("{from}  {low}"), look);
        self.write(self.right(), format!("{high}  {to}"), look.end());
    }

    /// A bar of colours; returns where its middle is.
    fn color_bar(&mut self, colors: Vec<[u8; 3]>) -> f64 {
        self.skip(0.6);
        let bar = Rect { min: self.left(), max: self.right() + DVec2::new(0.0, self.em(0.9)) };
        self.canvas.scene.shapes.push(Shape::Image(bar, Image { width: colors.len(), pixels: colors }));
        self.skip(1.9);
        bar.center().x
    }

    /// Owners, one by one.
    fn list(&mut self, Subject { folder, frame }: Subject<'_>, list: &List) -> Result<(), FolderError> {
        let teller = Teller::new(folder, frame, &list.of)?;
        if teller.now.actors.is_empty() {
            return Ok(());
        }
        self.rule();
        let (left, width) = (self.area.min.x, self.area.size().x);
        self.write(self.left(), list.title.as_str(), self.faint().size(0.85));
        for (heading, share, _) in &list.cells {
            self.write(self.at(left + share * width), heading.as_str(), self.faint().size(0.85).end());
        }
        for actor in teller.now.actors.iter().take(list.at_most) {
            self.skip(1.5);
            self.list_line(&teller, actor, list)?;
        }
        let more = teller.now.actors.len().saturating_sub(list.at_most);
        if more > 0 {
            self.skip(1.5);
            self.write(self.left(), format!("and {more} more"), self.faint().size(0.85));
        }
        Ok(())
    }

    fn list_line(&mut self, teller: &Teller<'_>, actor: &Actor, list: &List) -> Result<(), FolderError> {
        let (left, width) = (self.area.min.x, self.area.size().x);
        let look = if teller.is_alarm(actor) { Look::new(self.canvas.theme().alarm).bold() } else { self.ink() };
        let color = self.canvas.tint(&list.sign, Of::actor(teller, actor))?;
        self.list_sign(color);
        let name = teller.phrase(Some(actor), &list.name)?.unwrap_or_else(|| actor.id.to_string());
        self.write(self.at(left + self.em(1.3)), name, look);
        for (_, share, phrases) in &list.cells {
            let words = teller.first_phrase(Some(actor), phrases)?.unwrap_or_else(|| "-".to_owned());
            self.write(self.at(left + share * width), words, look.end());
        }
        if list.below.is_empty() {
            return Ok(());
        }
        let mut words = Vec::new();
        for phrase in &list.below {
            words.extend(teller.phrase(Some(actor), phrase)?);
        }
        self.skip(1.15);
        let words = self.fitted(&words.join(", "), 0.85, width - self.em(1.3));
        self.write(self.at(left + self.em(1.3)), words, self.faint().size(0.85));
        self.y -= self.em(0.05);
        Ok(())
    }

    /// A small disc in the colour of an owner.
    fn list_sign(&mut self, color: Color) {
        let disc = Path::circle(self.left() + DVec2::new(self.em(0.45), -self.em(0.33)), self.em(0.42));
        let ink = Ink::fill(color).with_line(self.canvas.theme().faint, self.canvas.pen(1.0));
        self.canvas.draw(disc, ink);
    }

    /// What the marks mean, and how long a round length is.
    fn key(&mut self, Subject { folder, frame }: Subject<'_>, has_bar: bool) -> Result<(), FolderError> {
        let view = folder.view();
        let mut entries: Vec<(&str, &Draw)> = Vec::new();
        for mark in &view.marks {
            let is_shown = mark.layer.as_ref().is_none_or(|layer| self.canvas.shows(layer));
            let stream = match &mark.draw {
                Draw::Scan { stream, .. } => {
                    view.scanners.iter().find(|scanner| scanner.stream == *stream).map(|s| &s.on)
                }
                _ => mark.of.as_ref(),
            };
            let party = stream.and_then(|stream| frame.party(view, stream));
            let is_there = stream.is_none() || party.is_some_and(|party| !party.actors.is_empty());
            entries.extend(mark.key.as_deref().filter(|_| is_shown && is_there).map(|words| (words, &mark.draw)));
        }
        if entries.is_empty() && !has_bar {
            return Ok(());
        }
        self.rule();
        for (words, draw) in entries {
            let at = self.left() + DVec2::new(self.em(0.9), -self.em(0.3));
            let drawings = sign_of(self.canvas, draw, at)?;
            self.sign(words, drawings);
        }
        if has_bar {
            self.scale_bar(&view.unit);
        }
        Ok(())
    }

    fn scale_bar(&mut self, unit: &str) {
        let round = grid::step(self.canvas.view.plane);
        let (length, tick) = (self.canvas.long(round), DVec2::new(0.0, 0.3 * self.canvas.type_px));
        let from = self.left() + DVec2::new(self.canvas.pen(1.0), -self.em(0.3));
        let to = from + DVec2::new(length, 0.0);
        let bar = Path::line(&[from - tick, from + tick]).and(Path::line(&[from, to]));
        let ink = Ink::line(self.canvas.theme().ink, self.canvas.pen(1.6));
        self.canvas.draw(bar.and(Path::line(&[to - tick, to + tick])), ink);
        self.write(self.at(to.x + self.em(0.5)), format!("{round} {unit}"), self.faint().size(0.85));
        self.skip(1.55);
    }
}

fn is_broken(rule: &Rule, value: f64) -> bool {
    match rule {
        Rule::AtLeast(_, bound) => value < bound - TOLERANCE,
        Rule::AtMost(_, bound) => value > bound + TOLERANCE,
        Rule::IsNot(..) => false,
    }
}

/// The worst value of a limit's column in the rows of the moment.
fn worst_now(frame: &Frame, view: &View, limit: &Limit) -> Option<f64> {
    let party = frame.party(view, &limit.of)?;
    let (_, at) = party.limited.iter().find(|(name, _)| *name == limit.name)?;
    let values = party.actors.iter().map(|actor| actor.row[*at]).filter(|value| !value.is_nan());
    values.reduce(if matches!(limit.rule, Rule::AtMost(..)) { f64::max } else { f64::min })
}

/// What is said of limits that are broken now.
fn said_now(verdict: &Verdict, is_now: bool, pairs: usize, owners: &Owners<'_>) -> Option<String> {
    if !is_now {
        return None;
    }
    let parties = match &verdict.named {
        None if pairs == 0 => return Some(verdict.just_now.clone().unwrap_or_else(|| verdict.now.replace("{}", ""))),
        None => counted(&verdict.counted, pairs),
        Some(_) if owners.len() > MAX_NAMED => counted(&verdict.counted, owners.len()),
        Some([one, many]) => {
            let names: Option<Vec<&str>> = owners.values().copied().collect();
            let numbers = || owners.keys().map(u64::to_string).collect::<Vec<_>>().join(", ");
            let words = if owners.len() == 1 { one } else { many };
            names.map_or_else(|| words.replace("{}", &numbers()), |names| names.join(", "))
        }
    };
    Some(verdict.now.replace("{}", &parties))
}

/// `{} pair` for one, `{} pairs` for many.
fn counted([one, many]: &[String; 2], count: usize) -> String {
    if count == 1 { one } else { many }.replace("{}", &count.to_string())
}

/// A small drawing of a mark.
fn sign_of(canvas: &Canvas<'_>, draw: &Draw, at: DVec2) -> Result<Vec<(Path, Ink)>, FolderError> {
    let (em, pen, still) = (canvas.type_px, canvas.pen(1.6), Of::STILL);
    let arm = DVec2::new(0.8 * em, 0.0);
    let with_width = |mut ink: Ink, width: f64| {
        if let Some(line) = &mut ink.line {
            line.width = width;
            line.dash = line.dash.map(|[on, off]| [on.min(0.3 * em), off.min(0.27 * em)]);
        }
        ink
    };
    Ok(match draw {
        Draw::Body { parts, .. } => body::sign(canvas, parts, at, 1.3 * em)?,
        Draw::Circle { radius: (length, types), ink, .. } => {
            let is_small = matches!(length, Coord::Fixed(length) if canvas.long(*length) + types * em < 0.5 * em);
            let radius = if is_small { 0.35 * em } else { 0.6 * em };
            vec![(Path::circle(at, radius), with_width(canvas.ink(ink, still)?, pen))]
        }
        Draw::Ellipse { line, .. } => {
            let ink = canvas.line(line, still)?;
            let ring = |x: f64, alpha: f64| {
                let mut ink = with_width(ink, 0.8 * pen);
                ink.line = ink.line.map(|line| crate::draw::Line { color: line.color.faded(alpha), ..line });
                (Path::ellipse(at + DVec2::new(x * em, 0.0), [0.5 * em, 0.4 * em], 0.0), ink)
            };
            vec![ring(-0.35, 1.0), ring(0.0, 0.7), ring(0.35, 0.4)]
        }
        Draw::Trail { line, .. } | Draw::Line { line, .. } | Draw::Profile { line, .. } => {
            vec![(Path::line(&[at - arm, at + arm]), canvas.line(line, still)?)]
        }
        Draw::Vector { tint, .. } => {
            let (color, side) = (canvas.tint(tint, still)?, DVec2::new(0.0, 0.22 * em));
            let neck = at + arm * 0.4;
            let head = Path::polygon(&[at + arm, neck + side, neck - side]);
            vec![(Path::line(&[at - arm, neck]), Ink::line(color, pen)), (head, Ink::fill(color))]
        }
        Draw::Scan { seen, hits, .. } => scan_sign(canvas, at, [seen, hits])?,
        Draw::Polygons { ink, .. } => {
            let half = DVec2::new(0.7, 0.4) * em;
            vec![(Path::rect(Rect { min: at - half, max: at + half }), with_width(canvas.ink(ink, still)?, pen))]
        }
        Draw::Points { ink, .. } => vec![(Path::circle(at, 0.35 * em), with_width(canvas.ink(ink, still)?, pen))],
        Draw::Plane { .. } | Draw::Wells(_) | Draw::Raster(_) | Draw::Link { .. } | Draw::Label { .. } => Vec::new(),
    })
}

fn scan_sign(
    canvas: &Canvas<'_>,
    at: DVec2,
    tints: [&Option<sim_world::view::Tint>; 2],
) -> Result<Vec<(Path, Ink)>, FolderError> {
    let half = DVec2::new(0.8, 0.45) * canvas.type_px;
    let fan = [at - DVec2::new(half.x, 0.0), at + DVec2::new(half.x, -half.y), at + half];
    let Some(tint) = tints.into_iter().flatten().next() else { return Ok(Vec::new()) };
    let color = canvas.color(&tint.color, Of::STILL)?;
    let point = |at: DVec2| Path::circle(at, 0.6 * canvas.pen(2.0));
    let points = point(fan[1]).and(point(fan[2])).and(point((fan[1] + fan[2]) * 0.5));
    Ok(vec![(Path::polygon(&fan), Ink::fill(color.faded(0.2))), (points, Ink::fill(color))])
}
