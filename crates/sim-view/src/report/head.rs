//! The head of a report's data, as `page/report.js` reads it, and what was run in plain words.

use super::answers::Answers;
use super::data::Data;
use super::figures::Section;
use super::format::{axis_name, counted, number, thousands};
use super::tables::Table;
use super::worst::{Fault, Worst};
use crate::folder::{AxisSpec, StopSpec};
use crate::replay::head::Fact;
use serde::Serialize;
use serde_json::Value;

/// Everything that a report shows.
#[derive(Clone, Debug, Serialize)]
pub struct ReportHead {
    pub kind: &'static str,
    pub title: String,
    pub question: String,
    pub complete: bool,
    pub facts: Vec<Fact>,
    pub notes: Vec<String>,
    pub answers: Vec<Answers>,
    /// What was run, in sentences.
    pub method: Vec<String>,
    pub axes: Vec<AxisHead>,
    pub sections: Vec<Section>,
    pub tables: Vec<Table>,
    pub worst: Vec<Worst>,
    pub failed: Vec<Fault>,
    /// Runs that failed, listed or not.
    pub failed_runs: u64,
    pub infeasible: Vec<Fault>,
    /// Cells that no scenario can have, listed or not.
    pub infeasible_cells: u64,
}

/// An axis.
#[derive(Clone, Debug, Serialize)]
pub struct AxisHead {
    pub name: String,
    pub path: String,
    pub unit: String,
    /// Its values in words.
    pub values: String,
}

/// What stands at the top of the page.
pub fn facts(data: &Data) -> Vec<Fact> {
    let fact = |label, value| Fact { label, value };
    let record = &data.record;
    vec![
        fact("runs", thousands(record.runs)),
        fact("settings", thousands(data.cells.total)),
        fact("seed", data.spec.seed.to_string()),
        fact("version", record.version.clone()),
    ]
}

/// What was run, in sentences.
pub fn method(data: &Data) -> Vec<String> {
    let spec = &data.spec;
    let cells = counted(data.cells.total, "setting", "settings");
    let design = match spec.design.as_str() {
        _ if spec.axes.is_empty() => "One setting: the scenario as it is.".to_owned(),
        "grid" => format!("Grid: {cells}, every combination of the values below."),
        "random" => format!("Random: {cells}, each drawn on its own from the ranges below."),
        "latin_hypercube" => format!(
            "Latin hypercube: {cells}. Each range below is cut into as many strata as there are settings, and each stratum is used once."
        ),
        "sobol" => format!("Sobol sequence: {cells} that fill the ranges below evenly."),
        other => format!("Design {other}: {cells}."),
    };
    let repeats = counted(spec.repeats, "run", "runs");
    let mut method = vec![design];
    if !spec.set.is_empty() {
        let set: Vec<String> = spec.set.iter().map(|(path, value)| format!("{path} {}", plain(value))).collect();
        method.push(format!("In place of the scenario's own values, all of them have {}.", set.join(", ")));
    }
    method.push(match &spec.stop {
        None => format!("{repeats} of each setting."),
        Some(stop) => format!("At most {repeats} of each setting. {}", stop_words(stop)),
    });
    let paired = if spec.paired_seeds {
        "Paired: run k of every setting meets the same random draws as run k of every other one. So settings are compared run by run, \
         and most of the luck cancels."
            .to_owned()
    } else {
        "Not paired: every setting has a luck of its own, and a difference between two settings holds the luck of both."
            .to_owned()
    };
    method.extend(Some(paired).filter(|_| !spec.axes.is_empty()));
    let means = if spec.interval == "bootstrap" { "by bootstrap" } else { "by Student's t" };
    method.push(format!(
        "A run is clean if it keeps all limits of its scenario. Of 100 sweeps like this one, the intervals of about 95 hold the true \
         value; they are made as Clopper and Pearson do for shares of clean runs, and {means} for means. They are two-sided, and \
         those of counts and shares end at what a count or a share can be. Where no run or every run \
         went wrong, the sentence about it has a one-sided bound."
    ));
    method
}

fn stop_words(stop: &StopSpec) -> String {
    let every = stop.every.map_or_else(
        || "A setting".into(),
        |every| format!("Looked at every {}, a setting", counted(every, "run", "runs")),
    );
    let width = stop.width.map(|width| {
        let measure = stop.measure.as_deref().unwrap_or("clean");
        format!("the 95 % interval of {measure} is narrower than {}", number(width))
    });
    let violations = stop.violations.map(|most| format!("{} went wrong", counted(most, "run", "runs")));
    let reasons: Vec<String> = [violations, width].into_iter().flatten().collect();
    if reasons.is_empty() { String::new() } else { format!("{every} stops early if {}.", reasons.join(", or if ")) }
}

/// The axes.
pub fn axes(data: &Data) -> Vec<AxisHead> {
    let head = |axis: &AxisSpec| AxisHead {
        name: axis_name(axis),
        path: axis.path.clone(),
        unit: axis.unit.clone(),
        values: choice_words(axis),
    };
    data.axes().iter().map(head).collect()
}

/// The values of an axis in words.
fn choice_words(axis: &AxisSpec) -> String {
    let words = |(kind, value): (&String, &Value)| {
        let kind = kind.replace('_', " ");
        match value {
            Value::Array(values) if kind == "values" => list_words(values),
            Value::Array(values) => format!("{kind}: {}", list_words(values)),
            Value::Object(parts) => {
                let parts: Vec<String> = parts.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect();
                format!("{kind}, {}", parts.join(", "))
            }
            other => format!("{kind} {}", plain(other)),
        }
    };
    axis.choice.iter().map(words).collect::<Vec<_>>().join("; ")
}

fn list_words(values: &[Value]) -> String {
    const MAX_VALUES: usize = 24;
    let mut words: Vec<String> = values.iter().take(MAX_VALUES).map(plain).collect();
    if values.len() > MAX_VALUES {
        words.push(format!("… {} (of {})", values.last().map(plain).unwrap_or_default(), values.len()));
    }
    words.join(", ")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
