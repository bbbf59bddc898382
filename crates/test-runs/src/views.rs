//! Views hold names of streams, columns, limits, layers and measures: those that name nothing.

use serde_json::Value as Json;
use sim_run::Model;
use sim_world::view::{Condition, Coord, Draw, Figure, Mark, Party, Phrase, Place, Quantity, Rule, Section};
use sim_world::{Cadence, Stream, View};

/// Layers that every picture has.
const OF_EVERY_PICTURE: [&str; 2] = ["grid", "panel"];
/// Columns of events that tell of breaks.
const OF_BREAKS: [&str; 4] = ["kind", "subject", "object", "value"];

/// What the view of a model names and its runs do not have; a line each.
#[must_use]
pub fn missing(model: &dyn Model) -> Vec<String> {
    let view = model.view();
    let mut search = Search { model, view: &view, missing: Vec::new() };
    search.view();
    search.missing
}

struct Search<'a> {
    model: &'a dyn Model,
    view: &'a View,
    missing: Vec<String>,
}

impl<'a> Search<'a> {
    fn expect(&mut self, is_there: bool, what: impl Into<String>) {
        if !is_there {
            self.missing.push(what.into());
        }
    }

    fn stream(&mut self, name: &str) -> Option<&'a Stream> {
        let found = self.model.outputs().iter().find(|stream| stream.name == name);
        self.expect(found.is_some(), format!("stream {name}"));
        found
    }

    fn column(&mut self, stream: &str, column: &str) {
        if let Some(found) = self.stream(stream) {
            self.expect(found.column(column).is_some(), format!("{stream}.{column}"));
        }
    }

    fn columns<'b>(&mut self, stream: &str, columns: impl IntoIterator<Item = &'b String>) {
        columns.into_iter().for_each(|column| self.column(stream, column));
    }

    /// A stream whose owners are drawn.
    fn party(&mut self, stream: &str) {
        let is_party = self.view.parties.iter().any(|party| party.stream == stream);
        self.expect(is_party, format!("party {stream}"));
        self.expect(self.owners(stream).is_some(), format!("owners of {stream}"));
    }

    fn owners(&self, stream: &str) -> Option<u64> {
        let found = self.model.outputs().iter().find(|known| known.name == stream)?;
        if let Cadence::Sampled { owners } = found.cadence { Some(owners) } else { None }
    }

    /// Owners by their numbers.
    fn numbers(&mut self, stream: &str, mut numbers: impl Iterator<Item = u64>) {
        let owners = self.owners(stream).unwrap_or_default();
        self.expect(numbers.all(|number| number < owners), format!("number of an owner of {stream}"));
    }

    fn limit(&mut self, name: &str) {
        let is_there = self.view.limits.iter().any(|limit| limit.name == name);
        self.expect(is_there, format!("limit {name}"));
    }

    fn scanner(&mut self, stream: &str) {
        let is_there = self.view.scanners.iter().any(|scanner| scanner.stream == stream);
        self.expect(is_there, format!("scanner {stream}"));
    }

    fn view(&mut self) {
        let view = self.view;
        view.projections
            .iter()
            .flat_map(|projection| &projection.area.holds)
            .for_each(|(stream, _)| self.party(stream));
        view.parties.iter().for_each(|party| self.motion(party));
        for scanner in &view.scanners {
            self.columns(&scanner.stream, [&scanner.taken, &scanner.ranges].into_iter().chain(&scanner.ray));
            self.party(&scanner.on);
            self.numbers(&scanner.on, scanner.mounts.iter().map(|mount| mount.owner));
        }
        for flag in &view.flags {
            self.party(&flag.of);
            self.columns(&flag.events, flag.matching.iter().chain([&flag.holds]).map(|[column, _]| column));
        }
        self.limits();
        view.marks.iter().for_each(|mark| self.mark(mark));
        for plot in &view.plots {
            self.party(&plot.of);
            let stream = plot.readings.as_ref().unwrap_or(&plot.of);
            plot.curves.iter().for_each(|figure| self.figure(stream, figure));
            plot.limit.iter().for_each(|limit| self.limit(limit));
        }
        view.panel.sections.iter().for_each(|section| self.section(section));
        view.sound.iter().for_each(|[stream, column]| self.column(stream, column));
    }

    fn motion(&mut self, party: &Party) {
        self.party(&party.stream);
        self.place(&party.stream, &party.place);
        let velocity = party.velocity.iter().flatten();
        let columns = party.angles.iter().chain(velocity).chain(&party.linear).chain(&party.while_same);
        self.columns(&party.stream, columns);
        let is_named = party.names.is_empty() || self.owners(&party.stream) == Some(party.names.len() as u64);
        self.expect(is_named, format!("names of {}", party.stream));
    }

    fn place(&mut self, stream: &str, place: &Place) {
        [&place.x, &place.y, &place.z].into_iter().for_each(|coord| self.coord(stream, coord));
    }

    fn coord(&mut self, stream: &str, coord: &Coord) {
        if let Coord::Column(column) = coord {
            self.column(stream, column);
        }
    }

    fn limits(&mut self) {
        for limit in &self.view.limits {
            self.party(&limit.of);
            let (Rule::AtLeast(column, _) | Rule::AtMost(column, _) | Rule::IsNot(column, _)) = &limit.rule;
            self.column(&limit.of, column);
            // What it paints beside its own party need not be there.
            limit.to.iter().for_each(|stream| self.party(stream));
            if let Some(breaks) = &limit.events {
                OF_BREAKS.iter().for_each(|column| self.column(&breaks.stream, column));
            }
            for name in limit.least.iter().flatten() {
                let is_measure = self.model.kind().measures().iter().any(|measure| measure.name == name);
                self.expect(is_measure, format!("measure {name}"));
            }
        }
    }

    fn mark(&mut self, mark: &Mark) {
        if let Some(layer) = &mark.layer {
            let is_there =
                OF_EVERY_PICTURE.contains(&layer.as_str()) || self.view.layers.iter().any(|known| known.name == *layer);
            self.expect(is_there, format!("layer {layer}"));
        }
        let of = mark.of.as_deref().unwrap_or_default();
        if mark.of.is_some() {
            self.party(of);
            self.numbers(of, mark.owners.iter().copied());
        }
        mark.when.iter().for_each(|condition| self.condition(of, condition));
        self.draw(of, &mark.draw);
        self.tints(of, &serde_json::to_value(&mark.draw).unwrap_or_default());
    }

    fn draw(&mut self, of: &str, draw: &Draw) {
        match draw {
            Draw::Circle { radius: (radius, _), .. } => self.coord(of, radius),
            Draw::Vector { along, up, .. } => {
                self.columns(of, along);
                up.iter().for_each(|column| self.column(of, column));
            }
            Draw::Profile { raster, .. } => {
                let is_there = self
                    .view
                    .marks
                    .iter()
                    .any(|mark| matches!(&mark.draw, Draw::Raster(known) if known.name == *raster));
                self.expect(is_there, format!("raster {raster}"));
            }
            Draw::Scan { stream, .. } => self.scanner(stream),
            Draw::Wells(wells) => {
                // A mat may have feet without patches, or patches without feet.
                let is_there = |stream: &String| self.owners(stream).is_some();
                let (has_wells, has_hills) = (is_there(&wells.wells), is_there(&wells.hills));
                self.expect(has_wells || has_hills, format!("{} or {}", wells.wells, wells.hills));
                if has_hills {
                    self.columns(&wells.hills, &wells.hill);
                }
            }
            Draw::Line { from, to, .. } => [from, to].into_iter().for_each(|place| self.place(of, place)),
            Draw::Link { limits, .. } => limits.iter().for_each(|limit| self.limit(limit)),
            Draw::Label { words, .. } => words.iter().for_each(|phrase| self.phrase(of, phrase)),
            Draw::Body { parts, .. } => {
                for part in parts {
                    part.turn.iter().for_each(|(column, _)| self.column(of, column));
                    part.when.iter().for_each(|condition| self.condition(of, condition));
                }
            }
            Draw::Plane { .. }
            | Draw::Polygons { .. }
            | Draw::Points { .. }
            | Draw::Raster(_)
            | Draw::Ellipse { .. }
            | Draw::Trail { .. } => {}
        }
    }

    /// Columns that colours are made of, wherever they stand in a mark.
    fn tints(&mut self, of: &str, json: &Json) {
        match json {
            Json::Array(items) => items.iter().for_each(|item| self.tints(of, item)),
            Json::Object(map) => {
                for (key, value) in map {
                    let columns = match (key.as_str(), value.as_array()) {
                        ("lamp", Some(columns)) => columns.as_slice(),
                        ("by", Some(by)) => &by[..1],
                        _ => &[],
                    };
                    columns.iter().filter_map(Json::as_str).for_each(|column| self.column(of, column));
                    self.tints(of, value);
                }
            }
            _ => {}
        }
    }

    fn section(&mut self, section: &Section) {
        match section {
            Section::Distances { rows, .. } => rows.iter().for_each(|[_, limit]| self.limit(limit)),
            Section::Verdict(verdict) => verdict.limits.iter().for_each(|limit| self.limit(limit)),
            Section::Facts(facts) => {
                for fact in facts {
                    self.party(&fact.of);
                    [&fact.title, &fact.value].into_iter().for_each(|phrase| self.phrase(&fact.of, phrase));
                }
            }
            Section::List(list) => {
                self.party(&list.of);
                let cells = list.cells.iter().flat_map(|(_, _, phrases)| phrases);
                cells.chain(&list.below).chain([&list.name]).for_each(|phrase| self.phrase(&list.of, phrase));
            }
            Section::Scale | Section::Key { .. } => {}
        }
    }

    fn phrase(&mut self, of: &str, phrase: &Phrase) {
        let gaps = phrase.words.matches("{}").count();
        self.expect(gaps == phrase.figures.len(), format!("numbers of {:?}", phrase.words));
        phrase.figures.iter().for_each(|figure| self.figure(of, figure));
        phrase.when.iter().for_each(|condition| self.condition(of, condition));
    }

    fn figure(&mut self, of: &str, figure: &Figure) {
        self.quantity(of, &figure.of);
    }

    fn condition(&mut self, of: &str, condition: &Condition) {
        match condition {
            Condition::Above(quantity, _) | Condition::Below(quantity, _) => self.quantity(of, quantity),
            Condition::Flag(name) => {
                let is_there = self.view.flags.iter().any(|flag| flag.name == *name && flag.of == of);
                self.expect(is_there, format!("flag {name} of {of}"));
            }
            Condition::Alarm => {
                let is_there =
                    self.view.limits.iter().any(|limit| limit.of == of || limit.paints.iter().any(|s| s == of));
                self.expect(is_there, format!("limit of {of}"));
            }
        }
    }

    fn quantity(&mut self, of: &str, quantity: &Quantity) {
        match quantity {
            Quantity::Column(column) => self.column(of, column),
            Quantity::Length(columns) | Quantity::Middle(columns) | Quantity::Tilt(columns) => {
                self.columns(of, columns)
            }
            Quantity::Difference(first, second) => self.columns(of, first.iter().chain(second)),
            Quantity::Nearest(stream) => self.scanner(stream),
            Quantity::Within(stream, column) => {
                self.party(stream);
                self.column(stream, column);
            }
            Quantity::Over { polygons, .. } => {
                let is_named =
                    |mark: &Mark| matches!(&mark.draw, Draw::Polygons { name: Some(name), .. } if name == polygons);
                // Without polygons there is nothing to be over.
                let is_there = polygons.is_empty() || self.view.marks.iter().any(is_named);
                self.expect(is_there, format!("polygons {polygons}"));
            }
            Quantity::Name => {
                let is_named = self.view.parties.iter().any(|party| party.stream == of && !party.names.is_empty());
                self.expect(is_named, format!("names of {of}"));
            }
            Quantity::Owner | Quantity::Apart => {}
        }
    }
}
