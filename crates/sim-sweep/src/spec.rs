//! What a sweep file may say. The JSON Schema of sweep files is generated from these structs, and a file is checked against it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use sim_input::schema::{NAME_PATTERN, SEED_MAX, schema_of, schema_text};

/// Most runs of a cell.
pub const MAX_REPEATS: u64 = 1_000_000;

/// Many runs of one scenario: some of its keys vary from cell to cell, and each cell is run several times. The same file gives the same
/// numbers on any machine, with any number of jobs or shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepSpec {
    /// Where editors find the schema of this file, relative to the file. The simulator does not read it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub schema: Option<String>,
    /// Name of the sweep: letters, digits, `-` and `_`, at most 64. Its folder is called so.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// The question that it answers, in words: the report opens with it.
    #[serde(default)]
    pub question: String,
    /// The scenario that every cell starts from: a path from the folder of this file, or `@NAME` for one that came along.
    pub scenario: String,
    /// Values that all cells have in place of the scenario's, by path, as in `{"agents.count": 20}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "any_values")]
    pub set: BTreeMap<String, Value>,
    /// How cells lie in the space of the axes.
    #[serde(default)]
    pub design: DesignSpec,
    /// What varies. Without any there is one cell.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub axes: Vec<AxisSpec>,
    /// Number of cells, for the designs that do not have it from their axes.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub cells: Option<u64>,
    /// Runs of each cell; with a stopping rule, the most.
    #[serde(default = "default_repeats")]
    #[schemars(range(min = 1, max = MAX_REPEATS))]
    pub repeats: u64,
    /// Seed of all runs, and of the cells' places; `null`: the scenario's.
    #[serde(default)]
    #[schemars(range(min = 0, max = SEED_MAX))]
    pub seed: Option<u64>,
    /// Whether the first run of each cell has the same random draws, the second too, and so on: what differs between two cells is then
    /// due to the setting and not to luck, and fewer runs show it.
    #[serde(default = "yes")]
    pub paired_seeds: bool,
    /// Measures to keep, as `summary.csv` of a run names them; `clean` and the value that ranks runs are always kept. Left out: the most
    /// asked for of the scenario's world.
    #[serde(default)]
    #[schemars(with = "Vec<String>", length(max = 200))]
    pub measures: Option<Vec<String>>,
    /// The measure that report and terminal answer first, one of the kept ones. Left out: the first of `measures`; `clean` where those are
    /// left out too.
    #[serde(default)]
    #[schemars(with = "String")]
    pub headline: Option<String>,
    /// How the interval of a mean is found.
    #[serde(default)]
    pub interval: IntervalSpec,
    /// When a cell has been run often enough; `null`: after all its repeats.
    #[serde(default)]
    pub stop: Option<StopSpec>,
    /// The cell that all others are compared with, by the values of its axes, as in `{"safety.filter": "joint"}`; `null`: none.
    #[serde(default)]
    #[schemars(schema_with = "axis_values_or_null")]
    pub baseline: Option<BTreeMap<String, AxisValue>>,
}

fn default_repeats() -> u64 {
    20
}

fn yes() -> bool {
    true
}

fn any_values(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": {} })
}

fn axis_values_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["object", "null"], "additionalProperties": { "type": ["number", "string", "boolean"] } })
}

/// How cells lie in the space of the axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DesignSpec {
    /// Every combination of the axes' values; the first axis varies slowest.
    #[default]
    Grid,
    /// Each value drawn by itself.
    Random,
    /// As random, but each axis' range is cut into as many equal parts as there are cells, and each part is met once.
    LatinHypercube,
    /// Sobol's sequence: points that fill the space evenly.
    Sobol,
}

/// One key of the scenario that varies. Where the key is a whole number, so are its values: what is drawn is rounded. Exactly one
/// of `values`, `range`, `log_range`, `uniform`, `log_uniform`, `normal` and `choice` says how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisSpec {
    /// Path of the key in the scenario, as in `agents.count`.
    pub path: String,
    /// What people call it in tables and plots [default: the last part of the path].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Its unit [default: what the key ends in].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub unit: Option<String>,
    /// These values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<AxisValue>", length(min = 1, max = 100_000))]
    pub values: Option<Vec<AxisValue>>,
    /// Values in equal steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RangeSpec")]
    pub range: Option<RangeSpec>,
    /// Values in equal ratios.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LogRangeSpec")]
    pub log_range: Option<LogRangeSpec>,
    /// Drawn evenly between two numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BetweenSpec")]
    pub uniform: Option<BetweenSpec>,
    /// Drawn so that its logarithm is even between those of two numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BetweenSpec")]
    pub log_uniform: Option<BetweenSpec>,
    /// Drawn from a normal distribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NormalSpec")]
    pub normal: Option<NormalSpec>,
    /// One of these, each as often as the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<AxisValue>", length(min = 1, max = 100_000))]
    pub choice: Option<Vec<AxisValue>>,
}

impl AxisSpec {
    /// How it varies, in words: " = 10, 20, 30", " from 1 to 3 in steps of 1".
    #[must_use]
    pub fn words(&self) -> String {
        let list = |values: &[AxisValue]| {
            let shown: Vec<String> = values.iter().take(LISTED).map(AxisValue::to_string).collect();
            let more = values.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            shown.join(", ") + &more
        };
        let between = |BetweenSpec { from, to }: BetweenSpec| format!(" between {from} and {to}");
        let ways = [
            self.values.as_deref().map(|values| format!(" = {}", list(values))),
            self.choice.as_deref().map(|values| format!(", one of {}", list(values))),
            self.range.map(|RangeSpec { from, to, step }| format!(" from {from} to {to} in steps of {step}")),
            self.log_range
                .map(|LogRangeSpec { from, to, count }| format!(" from {from} to {to} in {count} equal ratios")),
            self.uniform.map(|ends| format!(", drawn evenly{}", between(ends))),
            self.log_uniform.map(|ends| format!(", drawn evenly in its logarithm{}", between(ends))),
            self.normal
                .map(|NormalSpec { mean, sd }| format!(", drawn normally round {mean}, standard deviation {sd}")),
        ];
        ways.into_iter().flatten().collect()
    }
}

/// Values that a sentence lists.
const LISTED: usize = 12;

/// A value of an axis: a number, a word, or yes and no.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AxisValue {
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

impl JsonSchema for AxisValue {
    fn schema_name() -> Cow<'static, str> {
        "AxisValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string", "boolean"] })
    }
}

impl AxisValue {
    /// As `--set` takes it: a word that would be read as something else is quoted.
    #[must_use]
    pub fn to_flag(&self) -> String {
        match self {
            Self::Word(word) if serde_json::from_str::<Value>(word).is_ok() => Value::from(word.as_str()).to_string(),
            _ => self.to_string(),
        }
    }
}

/// As tables write it: whole numbers without a point.
impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Values from one number to another, both among them if the step fits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeSpec {
    /// The first.
    pub from: f64,
    /// The last that may be.
    pub to: f64,
    /// From one to the next.
    pub step: f64,
}

/// Values from one number to another, each the same multiple of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogRangeSpec {
    /// The first, above 0.
    pub from: f64,
    /// The last.
    pub to: f64,
    /// How many.
    #[schemars(range(min = 2, max = 100_000))]
    pub count: u32,
}

/// Between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BetweenSpec {
    /// The smallest.
    pub from: f64,
    /// The largest.
    pub to: f64,
}

/// A normal distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NormalSpec {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation, above 0.
    pub sd: f64,
}

/// How the interval of a mean is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntervalSpec {
    /// Student's t: for means of many runs, or of measures without long tails.
    #[default]
    T,
    /// Runs are drawn again and again from those that were made: for skew measures.
    Bootstrap,
}

/// When a cell has been run often enough. It is asked after every so many runs; what is met first ends the cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopSpec {
    /// Runs between two questions.
    #[serde(default = "default_every")]
    #[schemars(range(min = 1, max = MAX_REPEATS))]
    pub every: u64,
    /// Enough once this many runs were not clean; `null`: not asked.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_REPEATS))]
    pub violations: Option<u64>,
    /// Enough once the 95 % interval is narrower than this; `null`: not asked.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub width: Option<f64>,
    /// The measure whose interval that is: `clean` (a share of runs) or one of `measures` (its mean).
    #[serde(default = "default_stop_measure")]
    pub measure: String,
}

fn default_every() -> u64 {
    10
}

fn default_stop_measure() -> String {
    "clean".to_owned()
}

/// The schema as text, as it is committed in `sweeps/sweep.schema.json`. Ends with a line feed.
#[must_use]
pub fn schema_json() -> String {
    schema_text(schema())
}

/// The schema.
pub(super) fn schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| schema_of::<SweepSpec>("Sweep"))
}
