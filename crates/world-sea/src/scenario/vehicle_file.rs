//! The files of vehicles, those that came along and those of users: their keys, and how they are read.

use super::spec_sensors::SensorsSpec;
use super::spec_vehicle::VehicleSpec;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use sea_sim::actuator::{Actuator, ActuatorParams};
use sea_sim::contact::MAX_CAPSULES;
use sea_sim::vehicle::{CapsuleParams, KeyMapParams, MAX_SIZE_M, MIN_SIZE_M, MotionParams, VehicleParams};
use serde_json::{Map, Value as Json, json};
use sim_core::ParamError;
use sim_input::diagnostic::{Fault, NamedFile, Origin};
use sim_input::schema::schema_of;
use sim_input::tree::{self, Node};
use sim_input::walk::walk;
use std::sync::{Arc, OnceLock};

/// The least that a file of a vehicle holds, for messages.
const LEAST: &str = r#"{"about": "...", "sources": [], "size_m": [1, 1, 1], "motion": "fixed"}"#;
/// Where the schema stands in a file.
const SCHEMA_KEY: &str = "$schema";
/// Where the equipment stands in a file.
const EQUIPMENT_KEY: &str = "sensors";

/// A vehicle: what it is, where its numbers come from, how it moves and what it carries. SI units; its own axes are x forward, y left,
/// z up, from its origin.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the keys; their values are read as `VehicleParams` and `SensorsSpec`")]
struct VehicleFile {
    /// Where editors find the schema of this file, relative to the file. The simulator does not read it.
    #[schemars(rename = "$schema", default)]
    schema: String,
    /// One sentence: what it is.
    about: String,
    /// Where its numbers come from.
    sources: Vec<String>,
    /// Length, beam and height, m: for pictures and contact.
    #[schemars(inner(range(min = MIN_SIZE_M, max = MAX_SIZE_M)))]
    size_m: [f64; 3],
    /// What of it touches, at most 16 capsules. Without any, capsules fill `size_m`.
    #[schemars(default, length(max = MAX_CAPSULES))]
    hull: Vec<CapsuleParams>,
    /// How it moves.
    motion: MotionParams,
    /// What the keys of a keyboard ask of it, by their names; `space+i` acts while both are held.
    #[schemars(default)]
    keys: KeyMapParams,
    /// What it carries, for scenarios that ask for it by `equipment`.
    #[schemars(default)]
    sensors: SensorsSpec,
}

/// The schema of vehicles' files.
pub fn vehicle_schema() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| schema_of::<VehicleFile>("Vehicle of the sea"))
}

/// Schema of keys that lie over a model's file: every key may be left out.
pub(super) fn parameters_schema(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = optional::<VehicleParams>(generator);
    schema.insert("additionalProperties".to_owned(), false.into());
    let keys = schema.get_mut("properties").and_then(Json::as_object_mut);
    let about = "Where editors find the schema of a vehicle's file. The simulator does not read it.";
    keys.map(|keys| keys.insert(SCHEMA_KEY.to_owned(), json!({ "description": about, "type": ["string", "null"] })));
    schema
}

/// Schema of keys that lie over single actuators, by their names.
pub(super) fn actuators_schema(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": optional::<ActuatorParams>(generator) })
}

fn optional<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = generator.subschema_for::<T>();
    schema.as_object_mut().map(require_nothing);
    schema
}

/// Lets every key be left out, or be removed by `null`. Lists lie over others as a whole, so what their items need stays.
fn require_nothing(schema: &mut Map<String, Json>) {
    schema.remove("required");
    let keys = schema.get_mut("properties").and_then(Json::as_object_mut).into_iter().flat_map(Map::values_mut);
    for key in keys.filter_map(Json::as_object_mut) {
        require_nothing(key);
        allow_null(key);
    }
    for word in ["oneOf", "anyOf"] {
        let parts = schema.get_mut(word).and_then(Json::as_array_mut).into_iter().flatten();
        parts.filter_map(Json::as_object_mut).for_each(require_nothing);
    }
}

fn allow_null(schema: &mut Map<String, Json>) {
    if let Some(kinds) = schema.get_mut("type") {
        let mut all = kinds.as_array().cloned().unwrap_or_else(|| vec![kinds.clone()]);
        all.push(json!("null"));
        *kinds = all.into();
    } else if let Some(parts) = ["oneOf", "anyOf"].iter().find(|word| schema.contains_key(**word)) {
        schema[*parts].as_array_mut().into_iter().for_each(|parts| parts.push(json!({ "type": "null" })));
    }
}

/// A user's file as it was read.
#[derive(Debug)]
pub(super) struct OwnVehicle {
    root: Node,
    /// How it moves, as in the scenario's `parameters`.
    pub parameters: Json,
    /// What it carries, as in the scenario's `sensors`.
    pub equipment: Json,
}

impl OwnVehicle {
    /// The vehicle of a text; `file` is the file's name in messages.
    ///
    /// # Errors
    /// All that is wrong with the text, each at its place.
    pub fn read(text: &str, file: String) -> Result<Self, Vec<Fault>> {
        let named = Arc::new(NamedFile { file, text: text.to_owned() });
        let origin = |span| Origin::Named(Arc::clone(&named), span);
        let root = tree::parse(text, LEAST, &origin).map_err(|fault| vec![*fault])?;
        let walked = walk(&root, "the vehicle", vehicle_schema(), text);
        if !walked.faults.is_empty() {
            return Err(walked.faults);
        }
        let (parameters, equipment) = parts(walked.json);
        Ok(Self { root, parameters, equipment })
    }

    /// What a model of the vehicle refuses, at its place in the file; none if the scenario gave the value. `laid` are the file's keys
    /// with those of the scenario over them.
    pub fn fault(&self, (params, laid): (&VehicleParams, &Json), error: &ParamError) -> Option<Fault> {
        let path = path_of(params, error.field);
        let (written, message) = at_written(&path, error, |path| self.root.find(path).1);
        let pointer = pointer_of(written);
        let is_own = laid.pointer(&pointer) == self.parameters.pointer(&pointer);
        let node = self.root.find(written).0;
        is_own.then(|| Fault::at(node.origin.clone(), written, message).value(node.shown()))
    }
}

/// Takes the place of the schema out of a vehicle's keys.
pub(super) fn drop_schema(keys: &mut Json) {
    keys.as_object_mut().map(|keys| keys.remove(SCHEMA_KEY));
}

/// The keys of a file that say how a vehicle moves, and those that say what it carries.
pub(super) fn parts(mut file: Json) -> (Json, Json) {
    drop_schema(&mut file);
    let equipment = file.as_object_mut().and_then(|keys| keys.remove(EQUIPMENT_KEY));
    let equipment = equipment.unwrap_or_else(|| Json::Object(Map::new()));
    (file, equipment)
}

/// Where a scenario laid a value that a model of the vehicle refuses, below the vehicle, and what is wrong there.
pub(super) fn laid_over(spec: &VehicleSpec, params: &VehicleParams, error: &ParamError) -> (String, String) {
    let path = path_of(params, error.field);
    let of_actuator = actuator_in(&path).and_then(|(number, rest)| {
        let name = &actuators_of(params).1.get(number)?.name;
        let (keys, path) = (spec.actuators.get(name)?, format!("{name}{rest}"));
        Some((keys, path, name.len()))
    });
    if let Some((keys, path, length)) = of_actuator {
        let is_written = |path: &str| path.len() == length || keys.pointer(&pointer_of(&path[length + 1..])).is_some();
        let (written, message) = at_written(&path, error, is_written);
        return (format!("actuators.{written}"), message);
    }
    let (written, message) = at_written(&path, error, |path| spec.parameters.pointer(&pointer_of(path)).is_some());
    (["parameters", written].join(".").trim_end_matches('.').to_owned(), message)
}

/// The longest part of a path that is written, and what is wrong with the rest of it. The whole is always written.
fn at_written<'a>(path: &'a str, error: &ParamError, is_written: impl Fn(&str) -> bool) -> (&'a str, String) {
    let mut written = path;
    while !written.is_empty() && !is_written(written) {
        written = written.rsplit_once('.').map_or("", |(whole, _)| whole);
    }
    let key = path[written.len()..].trim_start_matches('.');
    (written, [key, &error.message].join(" ").trim_start().to_owned())
}

/// A path as a pointer into JSON.
fn pointer_of(path: &str) -> String {
    format!("/{}", path.replace(['.', '['], "/").replace(']', ""))
}

/// Number of the actuator that a path is about, and the path below it, with its dot.
fn actuator_in(path: &str) -> Option<(usize, &str)> {
    let (number, rest) = path.split_once(".actuators[")?.1.split_once(']')?;
    Some((number.parse().ok()?, rest))
}

/// Path of the motion, and its actuators.
fn actuators_of(params: &VehicleParams) -> (&'static str, &[ActuatorParams]) {
    match &params.motion {
        MotionParams::Rigid(rigid) => ("motion.rigid", &rigid.actuators),
        MotionParams::Torpedo(torpedo) => ("motion.torpedo", &torpedo.actuators),
        MotionParams::Hydrofoil(_) | MotionParams::Fixed => ("motion", &[]),
    }
}

/// Path in a file of what a model of the vehicle calls by its own name.
fn path_of(params: &VehicleParams, field: &str) -> String {
    let (motion, actuators) = actuators_of(params);
    let names: Vec<&str> = actuators.iter().map(|actuator| actuator.name.as_str()).collect();
    let refused = |actuator: &ActuatorParams| Actuator::new(actuator, &names).is_err();
    match field.split_once('.') {
        Some(("actuator", key)) => {
            let number = actuators.iter().position(refused).unwrap_or(0);
            let section = if key.starts_with("response.") { "" } else { "kind." };
            format!("{motion}.actuators[{number}].{section}{key}")
        }
        Some(("torpedo" | "hydrofoil", _)) => format!("motion.{field}"),
        Some(("body", _)) | None if !matches!(field, "size_m" | "hull") => format!("{motion}.{field}"),
        _ => field.to_owned(),
    }
}
