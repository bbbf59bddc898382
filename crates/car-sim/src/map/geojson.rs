//! Maps as GeoJSON (RFC 7946), in metres.
//!
//! ```text
//! { "type": "FeatureCollection", "features": [ { "type": "Feature", "geometry": { "type": "Polygon", "coordinates": [ RING, ... ] } } ] }
//! RING = [ [x, y], [x, y], ..., the first point again ]
//! ```
//!
//! A feature or a geometry may stand alone as well. Every edge of every ring is a wall, seen from both sides. The outermost rings are the
//! walls of floors; a ring on a floor is something solid, whether it is written as a hole of the floor's polygon or as a polygon of its
//! own. Line strings are thin walls. A geometry that is `null` adds nothing, and other members are ignored.

use super::rings::Ring;
use super::{MapError, Outermost, Segment, SegmentMap, check_place};
use serde_json::{Map, Value};
use sim_core::DVec2;

impl SegmentMap {
    /// Reads a map from GeoJSON: polygons, line strings, their `Multi` forms and collections of them.
    ///
    /// # Errors
    /// If it is no JSON, no GeoJSON, has no obstacle, a ring is not closed, has fewer than three corners or crosses itself, or a coordinate
    /// is beyond [`super::FARTHEST_M`]. The error names the line or the member.
    pub fn from_geojson(text: &str) -> Result<Self, MapError> {
        let root: Value =
            serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| syntax_error(&error))?;
        let mut drawing = Drawing::default();
        drawing.read_object(&root, "")?;
        if drawing.rings.is_empty() && drawing.walls.is_empty() {
            return Err(MapError::new("the file", "has no obstacle; for a free plane, give no map"));
        }
        Self::from_rings(&drawing.rings, Outermost::Floor, drawing.walls)
    }
}

fn syntax_error(error: &serde_json::Error) -> MapError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    MapError::new(format!("line {}, column {}", error.line(), error.column()), format!("is not JSON: {message}"))
}

/// What was read so far.
#[derive(Default)]
struct Drawing {
    rings: Vec<Ring>,
    walls: Vec<Segment>,
}

impl Drawing {
    /// A geometry, a feature or a collection. Collections are nested no deeper than JSON is read.
    fn read_object(&mut self, value: &Value, place: &str) -> Result<(), MapError> {
        let object = object(value, named(place))?;
        let part = |key: &str| member(object, key, named(place)).map(|value| (value, joined(place, key)));
        match type_of(object, place)? {
            "FeatureCollection" => self.read_list(part("features")?, Self::read_object),
            "GeometryCollection" => self.read_list(part("geometries")?, Self::read_object),
            "Feature" => match part("geometry")? {
                (Value::Null, _) => Ok(()),
                (geometry, place) => self.read_object(geometry, &place),
            },
            "Polygon" => self.read_polygon(part("coordinates")?.0, &joined(place, "coordinates")),
            "MultiPolygon" => self.read_list(part("coordinates")?, Self::read_polygon),
            "LineString" => self.read_line(part("coordinates")?.0, &joined(place, "coordinates")),
            "MultiLineString" => self.read_list(part("coordinates")?, Self::read_line),
            found => {
                let message = format!("is \"{found}\", must be one of {}", TYPES.join(", "));
                Err(MapError::new(joined(place, "type"), message))
            }
        }
    }

    fn read_list(
        &mut self,
        (list, place): (&Value, String),
        read: impl Fn(&mut Self, &Value, &str) -> Result<(), MapError>,
    ) -> Result<(), MapError> {
        let items = array(list, &place)?.iter().enumerate();
        items.map(|(index, item)| (item, format!("{place}[{index}]"))).try_for_each(|(item, at)| read(self, item, &at))
    }

    fn read_polygon(&mut self, rings: &Value, place: &str) -> Result<(), MapError> {
        let rings = array(rings, place)?;
        if rings.is_empty() {
            return Err(MapError::new(place, "is empty, a polygon has at least one ring"));
        }
        for (index, ring) in rings.iter().enumerate() {
            self.rings.push(read_ring(ring, format!("{place}[{index}]"))?);
        }
        Ok(())
    }

    fn read_line(&mut self, points: &Value, place: &str) -> Result<(), MapError> {
        let points_m = read_points(points, place)?;
        if points_m.len() < 2 {
            return Err(MapError::new(place, format!("has {} points, a line has at least two", points_m.len())));
        }
        for (index, &point_m) in points_m.iter().enumerate() {
            check_place(point_m).map_err(|message| MapError::new(format!("{place}[{index}]"), message))?;
        }
        let pieces = points_m.windows(2).map(|ends| Segment::new(ends[0], ends[1]));
        self.walls.extend(pieces.filter(|piece| piece.from_m != piece.to_m));
        Ok(())
    }
}

/// The types that are read.
const TYPES: [&str; 7] =
    ["FeatureCollection", "Feature", "Polygon", "MultiPolygon", "LineString", "MultiLineString", "GeometryCollection"];

fn read_ring(ring: &Value, place: String) -> Result<Ring, MapError> {
    let mut points_m = read_points(ring, &place)?;
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

fn read_points(points: &Value, place: &str) -> Result<Vec<DVec2>, MapError> {
    let points = array(points, place)?.iter().enumerate();
    points.map(|(index, point)| read_point(point, &format!("{place}[{index}]"))).collect()
}

fn read_point(point: &Value, place: &str) -> Result<DVec2, MapError> {
    let coordinates = array(point, place)?;
    let number = |index: usize| coordinates.get(index).and_then(Value::as_f64);
    match (number(0), number(1)) {
        (Some(x), Some(y)) => Ok(DVec2::new(x, y)),
        _ => Err(MapError::new(place, format!("is {point}, must be [x, y] in metres"))),
    }
}

fn type_of<'a>(object: &'a Map<String, Value>, place: &str) -> Result<&'a str, MapError> {
    match object.get("type") {
        Some(Value::String(found)) => Ok(found),
        Some(found) => Err(MapError::new(joined(place, "type"), format!("is {}, must be a text", shown(found)))),
        None => Err(MapError::new(joined(place, "type"), format!("is missing, must be one of {}", TYPES.join(", ")))),
    }
}

/// Path of a member of the object at `place`.
fn joined(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}

/// A place in an error; that of the outermost object is the file.
fn named(place: &str) -> &str {
    if place.is_empty() { "the file" } else { place }
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
