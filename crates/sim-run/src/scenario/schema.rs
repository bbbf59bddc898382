//! The JSON Schema of scenario files, generated from the structs in `spec`.

use serde_json::Value;
use std::sync::OnceLock;

use super::spec::Scenario;
use crate::input::schema::{schema_of, schema_text};

/// The schema as text, as it is committed in `scenarios/scenario.schema.json`. Ends with a line feed.
#[must_use]
pub fn schema_json() -> String {
    schema_text(schema())
}

/// The schema.
pub(crate) fn schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| schema_of::<Scenario>("Scenario"))
}
