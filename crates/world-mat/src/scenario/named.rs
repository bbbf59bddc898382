//! Words whose tables stand in other crates: mats, cards, versions and characteristics, as choices in the schema.

use schemars::{Schema, SchemaGenerator, json_schema};
use toio_cube_sim::{Characteristic, Protocol};
use toio_mat::{MatKind, STANDARD_ITEMS};

/// Kinds of printed mats.
pub(super) fn mat_names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": MatKind::ALL.map(MatKind::name)})
}

/// Items with a Standard ID.
pub(super) fn card_names(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = STANDARD_ITEMS.iter().map(|item| item.name).collect();
    json_schema!({"type": "string", "enum": names})
}

/// Protocol versions.
pub(super) fn protocol_versions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": Protocol::ALL.map(Protocol::as_str)})
}

/// Characteristics by their short numbers.
pub(super) fn characteristics(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": Characteristic::ALL.map(short_name)})
}

/// The short number of a characteristic as people write it: `102`, `1FF`.
pub(crate) fn short_name(characteristic: Characteristic) -> String {
    format!("{:03X}", characteristic.short_id())
}
