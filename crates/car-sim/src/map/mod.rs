//! Obstacle maps: straight segments that cars hit and lidars see.

mod error;
mod outline;
mod segment;

pub use error::MapError;
pub use outline::Outline;
pub use segment::Segment;

use sim_core::Rect;

/// Farthest from the origin that a point of a map may lie, along each axis, m. Places are then exact to 1.5e-11 m.
pub const FARTHEST_M: f64 = 1e5;

/// Obstacles as segments. Fixed once made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SegmentMap {
    segments: Vec<Segment>,
    bounds_m: Option<Rect>,
}

impl SegmentMap {
    /// A map without obstacles.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// Obstacles that have no inside. Segments of zero length are dropped.
    ///
    /// # Errors
    /// If a coordinate is not finite or beyond [`FARTHEST_M`], or if no segment has a length.
    pub fn from_segments(segments: &[Segment]) -> Result<Self, MapError> {
        for (index, segment) in segments.iter().enumerate() {
            check_place(segment).map_err(|message| MapError::new(format!("segment {index}"), message))?;
        }
        let segments: Vec<Segment> = segments.iter().copied().filter(|s| s.from_m != s.to_m).collect();
        if segments.is_empty() {
            return Err(MapError::new("map", "has no segment; a map without obstacles is made by erasing it"));
        }
        Ok(Self { bounds_m: bounds_m(&segments), segments })
    }

    /// All segments.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The smallest rectangle that holds all segments, m; none without obstacles.
    #[must_use]
    pub fn bounds_m(&self) -> Option<Rect> {
        self.bounds_m
    }

    /// True if the outline has a point in common with a segment, borders included.
    #[must_use]
    pub fn touches(&self, outline: &Outline) -> bool {
        self.segments.iter().any(|segment| outline.touches_segment(segment))
    }
}

fn check_place(segment: &Segment) -> Result<(), String> {
    let is_placed = |c: f64| (-FARTHEST_M..=FARTHEST_M).contains(&c);
    match [segment.from_m, segment.to_m].into_iter().find(|p| !(is_placed(p.x) && is_placed(p.y))) {
        Some(p) => Err(format!(
            "a point is at [{}, {}], must be within {FARTHEST_M} m of the origin along each axis",
            p.x, p.y
        )),
        None => Ok(()),
    }
}

fn bounds_m(segments: &[Segment]) -> Option<Rect> {
    let boxes = segments.iter().map(|s| Rect { min: s.from_m.min(s.to_m), max: s.from_m.max(s.to_m) });
    boxes.reduce(|a, b| Rect { min: a.min.min(b.min), max: a.max.max(b.max) })
}
