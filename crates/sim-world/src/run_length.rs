//! How long the runs of a scenario are, the same in every world: `steps`, or `duration_s` in its place.
//!
//! Worlds know steps alone. The key `duration_s` joins the schema of their scenarios here, and becomes `steps` before they load one. The
//! length in seconds is what a scenario means: a changed `step_hz` alone keeps it.

use schemars::JsonSchema;
use serde_json::{Map, Value as Json, json};
use sim_input::diagnostic::{Fault, Origin};
use sim_input::schema::schema_of;
use sim_input::tree::{self, Node, Value};
use sim_input::walk::Walked;

/// The keys of the length and of the rate of steps.
const STEPS: &str = "steps";
const DURATION_S: &str = "duration_s";
const STEP_HZ: &str = "step_hz";

/// True if both keys are for the length of a run, one in steps and the other in seconds.
#[must_use]
pub fn are_both_lengths(a: &str, b: &str) -> bool {
    [(STEPS, DURATION_S), (DURATION_S, STEPS)].contains(&(a, b))
}

/// The JSON Schema of a world's scenarios with `duration_s` beside their `steps`. The struct has the keys `steps` and `step_hz`, both with
/// a default.
pub fn scenario_schema<T: JsonSchema>(title: &str) -> Json {
    let mut schema = schema_of::<T>(title);
    schema["properties"][DURATION_S] = json!({
        "title": "duration (s)",
        "description": "Length of a run in seconds, in place of `steps`: the nearest whole number of steps, a half rounded up.",
        "type": "number",
        "minimum": 0,
        "maximum": schema["properties"][STEPS]["maximum"],
    });
    schema
}

/// After an override of the key `path`: of `steps` and `duration_s`, the later one takes the place of the other.
pub fn replace_other(root: &mut Node, path: &str) {
    match path {
        STEPS => root.remove(DURATION_S),
        DURATION_S => root.remove(STEPS),
        _ => {}
    }
}

/// Writes the length into `walked` as `steps`, and what is wrong with it. `root` is the scenario with its overrides, `text` the scenario
/// without them. Returns `duration_s` where that was given.
pub fn settle(root: &Node, text: &str, schema: &Json, walked: &mut Walked) -> Option<Json> {
    let keys = &schema["properties"];
    let Json::Object(map) = &mut walked.json else { return None };
    let given = map.remove(DURATION_S);
    let default_hz = keys[STEP_HZ]["default"].as_f64()?;
    let step_hz = map.get(STEP_HZ).and_then(Json::as_f64).unwrap_or(default_hz);
    let (key, length_s) = match (root.member(STEPS), root.member(DURATION_S)) {
        (Some(_), Some(duration)) => {
            walked.faults.push(both(duration, map, step_hz));
            return None;
        }
        (None, Some(_)) => (DURATION_S, given.as_ref()?.as_f64()?),
        (Some(steps), None) => {
            let before_hz = step_hz_before(root, steps, text)?.as_f64().filter(|hz| *hz > 0.0).unwrap_or(default_hz);
            (STEPS, map.get(STEPS)?.as_f64()? / before_hz)
        }
        (None, None) => (STEP_HZ, keys[STEPS]["default"].as_f64()? / default_hz),
    };
    let steps = (length_s * step_hz).round();
    let [least, most] =
        [("minimum", 1.0), ("maximum", 1e15)].map(|(limit, other)| keys[STEPS][limit].as_f64().unwrap_or(other));
    if steps < least || steps > most {
        let message = format!("means {length_s} s, {steps} steps at {step_hz} Hz; a run has {least} to {most} steps");
        let node = root.find(key).0;
        walked.faults.push(Fault::at(node.origin.clone(), key, message).value(node.shown()));
    }
    map.insert(STEPS.to_owned(), json!(steps.clamp(least, most) as u64));
    given
}

/// The fault of a scenario that has both keys.
fn both(duration: &Node, map: &Map<String, Json>, step_hz: f64) -> Fault {
    let steps = map.get(STEPS).and_then(Json::as_f64);
    let words =
        steps.map_or_else(String::new, |steps| format!(" ({steps} steps at {step_hz} Hz are {} s)", steps / step_hz));
    let message = format!("cannot be given beside {STEPS}{words}: choose one of them");
    Fault::at(duration.origin.clone(), DURATION_S, message)
}

/// The rate of steps that the text means, null for the default, where an override alone changes it and the text counts steps.
fn step_hz_before(root: &Node, steps: &Node, text: &str) -> Option<Json> {
    let is_override = |node: &Node| matches!(node.origin, Origin::Override(_));
    if is_override(steps) || !root.member(STEP_HZ).is_some_and(is_override) {
        return None;
    }
    let before = tree::parse(text, "{}", &Origin::Text).ok()?;
    Some(before.member(STEP_HZ).map_or(Json::Null, Node::json))
}

/// The same scenario with another length, in steps.
pub fn set_steps(root: &mut Node, steps: u64) {
    let Value::Object(members) = &mut root.value else { return };
    if let Some(length) = members.iter_mut().find(|member| [STEPS, DURATION_S].contains(&&*member.name)) {
        length.name = STEPS.to_owned();
        length.node.value = Value::Number(steps.to_string());
    }
}

/// A resolved scenario as it was written: `duration_s` in the place of `steps`.
pub fn name_duration(root: &mut Node, duration_s: &Json) {
    let Value::Object(members) = &mut root.value else { return };
    if let Some(steps) = members.iter_mut().find(|member| member.name == STEPS) {
        steps.name = DURATION_S.to_owned();
        steps.node.value = Value::Number(duration_s.to_string());
    }
}
