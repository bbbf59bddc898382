//! The vehicles that came along: the files under `vehicles/`, held in the program.

use serde_json::Value as Json;

/// A vehicle by its name and its file.
const VEHICLES: [(&str, &str); 12] = [
    ("bluerov2", include_str!("../../../../vehicles/bluerov2.json")),
    ("buoy", include_str!("../../../../vehicles/buoy.json")),
    ("custom", include_str!("../../../../vehicles/custom.json")),
    ("evolo", include_str!("../../../../vehicles/evolo.json")),
    ("lolo", include_str!("../../../../vehicles/lolo.json")),
    ("otter", include_str!("../../../../vehicles/otter.json")),
    ("quadrotor", include_str!("../../../../vehicles/quadrotor.json")),
    ("remus100", include_str!("../../../../vehicles/remus100.json")),
    ("sam", include_str!("../../../../vehicles/sam.json")),
    ("sam_kth", include_str!("../../../../vehicles/sam_kth.json")),
    ("station", include_str!("../../../../vehicles/station.json")),
    ("torpedo", include_str!("../../../../vehicles/torpedo.json")),
];

/// The text of a vehicle's file.
pub fn text(name: &str) -> Option<&'static str> {
    VEHICLES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A vehicle's file as JSON.
pub(super) fn json(name: &str) -> Option<Json> {
    text(name).and_then(|text| serde_json::from_str(text).ok())
}

/// Names of all of them.
pub fn names() -> impl Iterator<Item = &'static str> {
    VEHICLES.iter().map(|(name, _)| *name)
}
