//! The JSON Schema of scenario files, generated from the structs of the worlds' specs.

use serde_json::{Value, json};
use std::sync::OnceLock;

use super::road::RoadScenario;
use super::spec::MatScenario;
use super::worlds::World;
use sim_input::schema::{schema_of, schema_text};

/// The schema as text, as it is committed in `scenarios/scenario.schema.json`: one part a world, of which `world` chooses. Ends with a line
/// feed.
#[must_use]
pub fn schema_json() -> String {
    let parts: Vec<Value> = World::ALL.into_iter().map(part).collect();
    schema_text(&json!({
        "$schema": schema_of_world(World::Mat)["$schema"],
        "title": "Scenario",
        "description": "A scenario of the simulator. Which keys there are depends on its world.",
        "type": "object",
        "oneOf": parts,
    }))
}

/// The schema of a world's scenarios. Its key `world` may still be any of them.
pub(crate) fn schema_of_world(world: World) -> &'static Value {
    static MAT: OnceLock<Value> = OnceLock::new();
    static ROAD: OnceLock<Value> = OnceLock::new();
    match world {
        World::Mat => MAT.get_or_init(|| schema_of::<MatScenario>("Scenario of the mat")),
        World::Road => ROAD.get_or_init(|| schema_of::<RoadScenario>("Scenario of the road")),
    }
}

/// A world's schema as a part of the whole: its key `world` is that word, by which editors choose.
fn part(world: World) -> Value {
    let mut schema = schema_of_world(world).clone();
    if let Some(part) = schema.as_object_mut() {
        part.remove("$schema");
    }
    let key = &mut schema["properties"]["world"];
    let choices = key["oneOf"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let own = choices.into_iter().find(|choice| choice["const"] == world.name());
    if let (Some(Value::Object(own)), Some(key)) = (own, key.as_object_mut()) {
        key.remove("oneOf");
        key.extend(own);
    }
    schema
}
