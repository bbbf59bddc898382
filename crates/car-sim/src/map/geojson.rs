//! Maps as GeoJSON: a `FeatureCollection` of polygons in metres.
//!
//! ```text
//! { "type": "FeatureCollection", "features": [ { "type": "Feature", "geometry": { "type": "Polygon", "coordinates": [ RING, ... ] } } ] }
//! RING = [ [x, y], [x, y], ..., the first point again ]
//! ```
//!
//! Every edge of every ring is a wall, seen from both sides. The outermost rings are the walls of floors; a ring on a floor is something
//! solid, whether it is written as a hole of the floor's polygon or as a polygon of its own. Other members are ignored.

use super::rings::Ring;
use super::{MapError, Outermost, SegmentMap};
use serde_json::{Map, Value};
use sim_core::DVec2;

impl SegmentMap {
    /// Reads a map from GeoJSON.
    ///
    /// # Errors
    /// If it is no JSON, no collection of polygons, a ring is not closed or has fewer than three corners, edges cross, or a coordinate is
    /// beyond [`super::FARTHEST_M`]. The error names the line or the member.
    pub fn from_geojson(text: &str) -> Result<Self, MapError> {
        let root: Value =
            serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| syntax_error(&error))?;
        let mut rings = Vec::new();
        let root = object(&root, "the file")?;
        expect_type(root, "FeatureCollection", "type")?;
        for (index, feature) in array(member(root, "features", "the file")?, "features")?.iter().enumerate() {
            read_feature(feature, &format!("features[{index}]"), &mut rings)?;
        }
        if rings.is_empty() {
            return Err(MapError::new("features", "is empty; for a free plane, give no map"));
        }
        Self::from_rings(&rings, Outermost::Floor)
    }
}

fn syntax_error(error: &serde_json::Error) -> MapError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    MapError::new(format!("line {}, column {}", error.line(), error.column()), format!("is not JSON: {message}"))
}

fn read_feature(feature: &Value, place: &str, rings: &mut Vec<Ring>) -> Result<(), MapError> {
    let feature = object(feature, place)?;
    expect_type(feature, "Feature", &format!("{place}.type"))?;
    let place = format!("{place}.geometry");
    let geometry = object(member(feature, "geometry", &place)?, &place)?;
    expect_type(geometry, "Polygon", &format!("{place}.type"))?;
    let place = format!("{place}.coordinates");
    let coordinates = array(member(geometry, "coordinates", &place)?, &place)?;
    if coordinates.is_empty() {
        return Err(MapError::new(place, "is empty, a polygon has at least one ring"));
    }
    for (index, ring) in coordinates.iter().enumerate() {
        rings.push(read_ring(ring, format!("{place}[{index}]"))?);
    }
    Ok(())
}

fn read_ring(ring: &Value, place: String) -> Result<Ring, MapError> {
    let points =
        array(ring, &place)?.iter().enumerate().map(|(index, point)| read_point(point, &format!("{place}[{index}]")));
    let mut points_m = points.collect::<Result<Vec<_>, _>>()?;
    if points_m.len() < 4 {
        return Err(MapError::new(place, format!("has {} points, a ring has at least four", points_m.len())));
    }
    let (first, last) = (points_m[0], points_m.pop());
    if last != Some(first) {
        let message = format!("does not end where it begins: repeat [{}, {}] as its last point", first.x, first.y);
        return Err(MapError::new(place, message));
    }
    Ok(Ring { place, points_m })
}

fn read_point(point: &Value, place: &str) -> Result<DVec2, MapError> {
    let coordinates = array(point, place)?;
    let number = |index: usize| coordinates.get(index).and_then(Value::as_f64);
    match (number(0), number(1)) {
        (Some(x), Some(y)) => Ok(DVec2::new(x, y)),
        _ => Err(MapError::new(place, format!("is {point}, must be [x, y] in metres"))),
    }
}

fn expect_type(object: &Map<String, Value>, expected: &str, place: &str) -> Result<(), MapError> {
    match object.get("type") {
        Some(Value::String(found)) if found == expected => Ok(()),
        Some(found) => Err(MapError::new(place, format!("is {}, must be \"{expected}\"", shown(found)))),
        None => Err(MapError::new(place, format!("is missing, must be \"{expected}\""))),
    }
}

fn member<'a>(object: &'a Map<String, Value>, key: &str, place: &str) -> Result<&'a Value, MapError> {
    object.get(key).ok_or_else(|| MapError::new(place, format!("has no \"{key}\"")))
}

fn object<'a>(value: &'a Value, place: &str) -> Result<&'a Map<String, Value>, MapError> {
    value.as_object().ok_or_else(|| MapError::new(place, format!("is {}, must be an object", shown(value))))
}

fn array<'a>(value: &'a Value, place: &str) -> Result<&'a [Value], MapError> {
    let found = value.as_array().map(Vec::as_slice);
    found.ok_or_else(|| MapError::new(place, format!("is {}, must be a list", shown(value))))
}

/// A value in an error: itself if it is short.
fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".into(),
        Value::Array(_) => "a list".into(),
        Value::String(text) if text.chars().count() > 40 => "a long text".into(),
        plain => plain.to_string(),
    }
}
