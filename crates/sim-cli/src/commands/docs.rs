//! `sim-cli docs`.

use crate::args::{DocsArgs, DocsTable, Format};
use crate::outcome::{Failure, Outcome};
use crate::pages;
use crate::reporter::Reporter;
use serde_json::{Value, json};
use sim_run::measure::{Bound, Fold, Limit, Measure};
use sim_run::scenario::{did_you_mean, keys, nearest};
use sim_world::WorldKind;
use sim_worlds::WORLDS;

/// One row of a table: for people, and for programs.
struct Row {
    text: String,
    json: Value,
}

/// Prints the table of measures, of keys or of events.
pub fn docs(args: &DocsArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let worlds = worlds(args)?;
    let rows: Vec<Row> = match args.table {
        DocsTable::Measures => worlds.iter().flat_map(|kind| measures(*kind)).collect(),
        DocsTable::Keys => worlds.iter().flat_map(|kind| keys_of(*kind)).collect(),
        DocsTable::Events => events(),
    };
    match args.format {
        Format::Text => reporter.result(&rows.into_iter().map(|row| row.text).collect::<String>())?,
        Format::Json => {
            let rows: Vec<Value> = rows.into_iter().map(|row| row.json).collect();
            reporter.json_result(&json!({ "kind": "docs", "rows": rows }))?;
        }
    }
    Ok(Outcome::Done)
}

/// The world that is asked for, or all.
fn worlds(args: &DocsArgs) -> Result<Vec<&'static dyn WorldKind>, Failure> {
    let Some(name) = &args.world else { return Ok(WORLDS.0.to_vec()) };
    match WORLDS.find(name) {
        Some(kind) => Ok(vec![kind]),
        None => {
            let hint = did_you_mean(nearest(name, WORLDS.names()));
            let known = WORLDS.names().collect::<Vec<_>>().join(", ");
            Err(Failure::Usage(format!("{name:?} is no world: there are {known}{hint}")))
        }
    }
}

fn measures(kind: &'static dyn WorldKind) -> Vec<Row> {
    let world = kind.name();
    let width = kind.measures().iter().map(|measure| measure.name.len()).max().unwrap_or(0);
    let row = |measure: &Measure| {
        let Measure { name, unit, .. } = measure;
        let (bound, runs, about) = (bound(measure.bound), fold(measure.fold), pages::meaning(world, name));
        let text = format!("{world:<4}  {name:<width$}  {unit:<6}  {bound:<22}  {runs:<4}  {about}\n");
        let json =
            json!({ "world": world, "measure": name, "unit": unit, "bound": bound, "runs": runs, "about": about });
        Row { text, json }
    };
    kind.measures().iter().map(row).collect()
}

/// What a measure is held to.
fn bound(bound: Bound) -> String {
    let limit = |limit: Limit| match limit {
        Limit::Constant(value) => value.to_string(),
        Limit::Parameter(name) => name.to_owned(),
    };
    match bound {
        Bound::Free => String::new(),
        Bound::AtMost(most, _) => format!("<= {}", limit(most)),
        Bound::AtLeast(least, _) => format!(">= {}", limit(least)),
    }
}

/// How the figures of several runs become one.
fn fold(fold: Fold) -> &'static str {
    match fold {
        Fold::Sum => "sum",
        Fold::Mean => "mean",
        Fold::Min => "min",
        Fold::Max => "max",
        Fold::Skip => "",
    }
}

fn keys_of(kind: &'static dyn WorldKind) -> Vec<Row> {
    let world = kind.name();
    let row = |key: sim_run::scenario::Key| {
        let default = key.default.as_ref().map_or_else(String::new, |value| format!(" = {value}"));
        let text = format!("{world}  {}{default}\n      {}. {}\n", key.path, key.allowed, key.about);
        let json = json!({
            "world": world, "key": key.path, "allowed": key.allowed, "default": key.default, "about": key.about,
        });
        Row { text, json }
    };
    keys(kind).into_iter().map(row).collect()
}

fn events() -> Vec<Row> {
    let row = |(kinds, about): (String, String)| Row {
        text: format!("{kinds}\n      {about}\n"),
        json: json!({ "events": kinds.split(", ").collect::<Vec<_>>(), "about": about }),
    };
    pages::events().into_iter().map(row).collect()
}
