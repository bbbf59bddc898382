//! From a file to a checked sweep.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::cells::{AxisOfKey, Drawn, Sweep};
use crate::design::{Axis, Design, DesignError, Sampling, Value as Point};
use crate::rows::{CLEAN, always_kept};
use crate::spec::{
    AxisSpec, AxisValue, BetweenSpec, DesignSpec, LogRangeSpec, NormalSpec, RangeSpec, SweepSpec, schema,
};
use crate::stop::Rule;
use sim_core::ParamError;
use sim_input::diagnostic::{Diagnostics, Fault, Origin};
use sim_input::nearest::{did_you_mean, nearest};
use sim_input::refused::from_json;
use sim_input::schema::{kinds, schema_at, split_unit};
use sim_input::text;
use sim_input::tree::{self, Node};
use sim_input::walk::walk;
use sim_run::scenario::{self, Loaded, Override, Source, check_key, refused_file};
use sim_world::{WorldKind, Worlds, run_length};

/// The smallest sweep.
const SMALLEST: &str = r#"{ "name": "my-sweep", "scenario": "../scenarios/swarm-30.json" }"#;

/// What it is called.
const NOUN: &str = "a sweep";

/// The scenario of a name that came along with the program, or why there is none.
pub type Library<'a> = &'a dyn Fn(&str) -> Result<Source, Diagnostics>;

/// Reads and checks a sweep file, and the scenario that it names.
///
/// # Errors
/// If a file cannot be read, or for all that is wrong with one of them.
pub fn load(worlds: Worlds, path: &Path) -> Result<Sweep, Diagnostics> {
    load_with_library(worlds, path, &|name| Err(refused_file(&format!("@{name}"), "this program holds no scenarios")))
}

/// As [`load`]; a scenario `@NAME` is that of the library.
///
/// # Errors
/// If a file cannot be read, or for all that is wrong with one of them.
pub fn load_with_library(worlds: Worlds, path: &Path, library: Library<'_>) -> Result<Sweep, Diagnostics> {
    let text = text::read(path, NOUN)?;
    let origin = path.display().to_string();
    let refused = |faults: Vec<Fault>| text::refused(&text, &origin, &[], faults);
    let root = tree::parse(&text, SMALLEST, &Origin::Text).map_err(|fault| refused(vec![*fault]))?;
    let spec = spec_of(&root, &text).map_err(refused)?;
    let source = match spec.scenario.strip_prefix('@') {
        Some(name) => library(name)?,
        None => Source::read(&path.with_file_name(&spec.scenario))?,
    };
    let base = base_scenario(worlds, &spec, &source, &root, &refused)?;
    let mut check = Check { root: &root, faults: Vec::new() };
    let sweep = check.sweep(worlds, spec, &base);
    match sweep {
        Some(sweep) if check.faults.is_empty() => Ok(sweep),
        _ => Err(refused(check.faults)),
    }
}

fn spec_of(root: &Node, text: &str) -> Result<SweepSpec, Vec<Fault>> {
    let walked = walk(root, "the sweep", schema(), text);
    if !walked.faults.is_empty() {
        return Err(walked.faults);
    }
    let spec: SweepSpec = from_json(&walked.json).map_err(|refused| {
        let origin = root.find(&refused.path).0.origin.clone();
        vec![Fault::at(origin, refused.path, refused.message)]
    })?;
    second_length(root, &spec).map_or(Ok(spec), |fault| Err(vec![fault]))
}

/// The fault of a `set` that names the length of runs in steps and in seconds.
fn second_length(root: &Node, spec: &SweepSpec) -> Option<Fault> {
    let other = |path: &String| spec.set.keys().find(|other| run_length::are_both_lengths(path, other));
    let (path, other) = spec.set.keys().find_map(|path| Some((path, other(path)?)))?;
    let origin = root.member("set")?.member(path)?.origin.clone();
    Some(Fault::at(origin, format!("set: {path}"), format!("cannot be given beside {other}: choose one of them")))
}

/// The scenario that all cells start from. What is wrong with a value of `set` is said where that stands.
fn base_scenario(
    worlds: Worlds,
    spec: &SweepSpec,
    source: &Source,
    root: &Node,
    refused: &dyn Fn(Vec<Fault>) -> Diagnostics,
) -> Result<Loaded, Diagnostics> {
    let mut overrides: Vec<Override> =
        spec.set.iter().map(|(path, value)| Override::new(path, &value.to_string())).collect();
    overrides.extend(spec.seed.map(|seed| Override::new("seed", &seed.to_string())));
    source.load(worlds, None, &overrides).map_err(|errors| {
        let set = root.member("set");
        let of_set = |item: &scenario::Diagnostic| {
            let (path, _) = item.file.split_once('=')?;
            let origin = set?.member(path)?.origin.clone();
            Some(Fault::at(origin, format!("set: {}", item.path), item.message.clone()))
        };
        let faults: Vec<Fault> = errors.items.iter().filter_map(of_set).collect();
        if faults.is_empty() { errors } else { refused(faults) }
    })
}

/// Collects all that is wrong.
struct Check<'a> {
    root: &'a Node,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn wrong(&mut self, path: &str, message: impl Into<String>) {
        let origin = self.root.find(path).0.origin.clone();
        self.faults.push(Fault::at(origin, path, message));
    }

    fn sweep(&mut self, worlds: Worlds, mut spec: SweepSpec, base: &Loaded) -> Option<Sweep> {
        let kind = base.model.kind();
        spec.schema = None;
        spec.scenario = "scenario.json".to_owned();
        spec.seed = Some(base.model.info().seed);
        self.measures(&mut spec, kind);
        let axes: Vec<Option<(AxisOfKey, Axis)>> =
            (0..spec.axes.len()).map(|n| self.axis(&mut spec.axes[n], n, base)).collect();
        self.same_path_twice(&spec);
        let rule = self.rule(&spec);
        let (axes, kinds): (Vec<AxisOfKey>, Vec<Axis>) =
            axes.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let design = self.design(&spec, kinds)?;
        let mut sweep = Sweep {
            worlds,
            kind,
            spec,
            scenario_json: base.resolved_without_schema(),
            input_files: base.inputs.files(&*base.model),
            inputs: Arc::clone(&base.inputs),
            design,
            axes,
            rule,
            baseline: Vec::new(),
        };
        sweep.baseline = self.baseline(&sweep);
        Some(sweep)
    }

    /// The two measures that are always kept come first; no measure comes twice. The headline is one of them.
    fn measures(&mut self, spec: &mut SweepSpec, kind: &dyn WorldKind) {
        let known = || always_kept(kind).into_iter().chain(kind.measures().iter().map(|measure| measure.name));
        let first = spec.measures.iter().flatten().next().cloned();
        let named =
            spec.measures.take().unwrap_or_else(|| kind.default_measures().into_iter().map(str::to_owned).collect());
        for (n, name) in named.iter().enumerate() {
            if !known().any(|known| known == name) {
                let hint = did_you_mean(nearest(name, known()));
                self.wrong(&format!("measures[{n}]"), format!("no measure is called {name:?}{hint}"));
            }
        }
        let mut seen = BTreeSet::new();
        let all = always_kept(kind).map(str::to_owned).into_iter().chain(named);
        let kept: Vec<String> = all.filter(|name| seen.insert(name.clone())).collect();
        match &spec.headline {
            Some(name) if !kept.contains(name) => {
                self.wrong("headline", format!("{name:?} is not kept; kept are {}", kept.join(", ")));
            }
            Some(_) => {}
            None => spec.headline = Some(first.unwrap_or_else(|| kept[CLEAN].clone())),
        }
        spec.measures = Some(kept);
    }

    fn same_path_twice(&mut self, spec: &SweepSpec) {
        for (n, axis) in spec.axes.iter().enumerate() {
            if spec.axes[..n].iter().any(|other| other.path == axis.path) {
                self.wrong(&format!("axes[{n}].path"), format!("{} has an axis already", axis.path));
            }
            let is_length = |other: &&AxisSpec| run_length::are_both_lengths(&other.path, &axis.path);
            if let Some(other) = spec.axes[..n].iter().find(is_length) {
                let words = format!("{} cannot have an axis beside {}: choose one of them", axis.path, other.path);
                self.wrong(&format!("axes[{n}].path"), words);
            }
        }
    }

    fn rule(&mut self, spec: &SweepSpec) -> Option<Rule> {
        let stop = spec.stop.as_ref()?;
        if stop.violations.is_none() && stop.width.is_none() {
            self.wrong("stop", "asks nothing: give violations, width, or both");
        }
        let measure = spec.measures.iter().flatten().position(|name| *name == stop.measure);
        if measure.is_none() {
            let kept = spec.measures.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ");
            self.wrong("stop.measure", format!("{:?} is not kept; kept are {kept}", stop.measure));
        }
        Some(Rule { spec: stop.clone(), measure: measure? })
    }

    /// An axis of the file as an axis of the design; its name and unit are filled in.
    fn axis(&mut self, spec: &mut AxisSpec, n: usize, base: &Loaded) -> Option<(AxisOfKey, Axis)> {
        let place = format!("axes[{n}]");
        if spec.path == "inputs" || spec.path.starts_with("inputs.") {
            let words = "names files of inputs, which are the same in all cells: make a sweep for each of them";
            self.wrong(&format!("{place}.path"), format!("{} {words}", spec.path));
            return None;
        }
        let key = schema_at(base.model.kind().schema(), &spec.path);
        let is_whole = key.is_some_and(|key| kinds(key).all(|kind| kind == "integer"));
        let axis = self.kind_of_axis(spec, &place)?;
        let (axis, list, drawn) = match axis {
            KindOfAxis::List(list) => (Axis::List { count: list.len() as u64 }, list, None),
            KindOfAxis::Points(axis) => (axis, Vec::new(), None),
            KindOfAxis::Drawn(axis, ends) => {
                (widened(axis, is_whole), Vec::new(), Some(Drawn { whole: is_whole, ends }))
            }
        };
        if let Err(error) = axis.check() {
            self.wrong(&place, said(&error));
            return None;
        }
        let of_key = AxisOfKey { path: spec.path.clone(), list, drawn };
        self.values_fit(&of_key, axis, &place, base);
        let (words, unit) = split_unit(&spec.path);
        spec.name.get_or_insert_with(|| words.to_owned());
        spec.unit.get_or_insert_with(|| unit.unwrap_or_default().to_owned());
        Some((of_key, axis))
    }

    fn kind_of_axis(&mut self, spec: &AxisSpec, place: &str) -> Option<KindOfAxis> {
        let between = |spec: BetweenSpec| [spec.from, spec.to];
        let endless = [f64::NEG_INFINITY, f64::INFINITY];
        let drawn = |axis, ends| KindOfAxis::Drawn(axis, ends);
        let mut kinds = [
            spec.values.clone().map(KindOfAxis::List),
            spec.choice.clone().map(KindOfAxis::List),
            spec.range.map(|RangeSpec { from, to, step }| KindOfAxis::Points(Axis::Range { from, to, step })),
            spec.log_range.map(|LogRangeSpec { from, to, count }| {
                KindOfAxis::Points(Axis::LogRange { from, to, count: u64::from(count) })
            }),
            spec.uniform.map(|ends| drawn(Axis::Uniform { from: ends.from, to: ends.to }, between(ends))),
            spec.log_uniform.map(|ends| drawn(Axis::LogUniform { from: ends.from, to: ends.to }, between(ends))),
            spec.normal.map(|NormalSpec { mean, sd }| drawn(Axis::Normal { mean, sd }, endless)),
        ]
        .into_iter()
        .flatten();
        let first = kinds.next();
        if first.is_none() || kinds.next().is_some() {
            let all = "values, range, log_range, uniform, log_uniform, normal or choice";
            self.wrong(place, format!("needs exactly one of {all}"));
            return None;
        }
        first
    }

    /// Whether the key takes the values, as far as that can be said of a key alone: of a distribution, its ends.
    fn values_fit(&mut self, axis: &AxisOfKey, kind: Axis, place: &str, base: &Loaded) {
        let values: Vec<(String, AxisValue)> = match (kind, axis.drawn) {
            (Axis::List { .. }, _) => {
                let key = if self.root.find(&format!("{place}.choice")).1 { "choice" } else { "values" };
                let named = |(n, value): (usize, &AxisValue)| (format!("{place}.{key}[{n}]"), value.clone());
                axis.list.iter().enumerate().map(named).collect()
            }
            (_, Some(drawn)) if drawn.ends[0].is_finite() => {
                drawn.ends.map(|end| (place.to_owned(), AxisValue::Number(end))).into()
            }
            (Axis::Normal { mean, .. }, Some(drawn)) => {
                vec![(place.to_owned(), AxisValue::Number(drawn.rounded(mean)))]
            }
            (Axis::Range { from, to, .. } | Axis::LogRange { from, to, .. }, _) => {
                [from, to].map(|end| (place.to_owned(), AxisValue::Number(end))).into()
            }
            _ => Vec::new(),
        };
        let is_known = schema_at(base.model.kind().schema(), &axis.path).is_some();
        for (place_of_value, value) in values {
            let Some(fault) = check_key(base.model.kind(), &base.resolved, &axis.path, &value.to_flag()) else {
                continue;
            };
            if !is_known {
                return self.wrong(&format!("{place}.path"), format!("{}: {}", fault.path, fault.message));
            }
            self.wrong(&place_of_value, format!("{} {}", axis.path, fault.message));
        }
    }

    fn design(&mut self, spec: &SweepSpec, axes: Vec<Axis>) -> Option<Design> {
        let sampling = match spec.design {
            DesignSpec::Grid if spec.cells.is_some() => {
                self.wrong(
                    "cells",
                    "a grid has as many cells as its axes make: leave it out, or choose another design",
                );
                return None;
            }
            DesignSpec::Grid => None,
            DesignSpec::Random => Some(Sampling::Random),
            DesignSpec::LatinHypercube => Some(Sampling::LatinHypercube),
            DesignSpec::Sobol => Some(Sampling::Sobol),
        };
        let design = match (sampling, spec.cells) {
            (None, _) => Design::grid(axes),
            (Some(sampling), Some(cells)) => Design::sampled(sampling, axes, cells, spec.seed.unwrap_or_default()),
            (Some(_), None) => {
                self.wrong("cells", "is missing: how many cells shall this design have?");
                return None;
            }
        };
        let design = design.map_err(|DesignError { axis, error }| match axis {
            Some(n) => self.wrong(&format!("axes[{n}]"), said(&error)),
            None => self.wrong(error.field, error.message.clone()),
        });
        let design = design.ok()?;
        if design.cells().checked_mul(spec.repeats).is_none() {
            self.wrong("axes", "make more runs than can be counted");
            return None;
        }
        Some(design)
    }

    /// The baseline as points of axes.
    fn baseline(&mut self, sweep: &Sweep) -> Vec<(usize, u64)> {
        let Some(baseline) = &sweep.spec.baseline else { return Vec::new() };
        if sweep.spec.design != DesignSpec::Grid || !sweep.spec.paired_seeds {
            self.wrong("baseline", "is for a grid with paired seeds: run by run, only those can be compared");
            return Vec::new();
        }
        if baseline.is_empty() {
            self.wrong("baseline", "names no axis");
        }
        let points = baseline.iter().filter_map(|(path, value)| {
            let axis = sweep.axes.iter().position(|axis| axis.path == *path);
            let point = axis.and_then(|axis| point_of(sweep, axis, value));
            if axis.is_none() {
                self.wrong("baseline", format!("no axis has the path {path:?}"));
            } else if point.is_none() {
                self.wrong("baseline", format!("the axis {path} never is {value}"));
            }
            axis.zip(point)
        });
        points.collect()
    }
}

/// What an axis of the file says.
enum KindOfAxis {
    List(Vec<AxisValue>),
    Points(Axis),
    /// With its ends.
    Drawn(Axis, [f64; 2]),
}

/// Rounding gives the whole numbers at both ends as much space as the others have.
fn widened(axis: Axis, is_whole: bool) -> Axis {
    match axis {
        Axis::Uniform { from, to } if is_whole => Axis::Uniform { from: from - 0.5, to: to + 0.5 },
        other => other,
    }
}

fn point_of(sweep: &Sweep, axis: usize, value: &AxisValue) -> Option<u64> {
    let is_it = |point: &u64| match sweep.design.value(sweep.design.moved(0, axis, *point), axis) {
        Point::Listed(place) => sweep.axes[axis].list[place] == *value,
        Point::Number(number) => AxisValue::Number(number) == *value,
    };
    (0..sweep.design.points(axis)?).find(is_it)
}

fn said(error: &ParamError) -> String {
    format!("{} {}", error.field, error.message)
}
