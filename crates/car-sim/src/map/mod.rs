//! Obstacle maps: straight segments that cars hit and lidars see.
//!
//! A map comes from segments, from a drawing ([`SegmentMap::from_geojson`]) or from the picture of an occupancy grid
//! ([`SegmentMap::from_occupancy`]). Reading makes a new map or an error, so a bad file never harms the map in use.

mod error;
mod geojson;
mod occupancy;
mod outline;
mod overlap;
mod rings;
mod segment;

pub use error::MapError;
pub use occupancy::{GrayImage, OccupancySpec};
pub use outline::Outline;
pub use segment::Segment;

use crate::cells::{CellIndex, Cells};
use overlap::RingKind;
use sim_core::{DVec2, Rect};

/// Farthest from the origin that a point of a map may lie, along each axis, m. Places are then exact to 1.5e-11 m.
pub const FARTHEST_M: f64 = 1e5;

/// Most segments of a map.
pub const MAX_SEGMENTS: usize = 1 << 22;

/// Cells that segments pass through on average, at most.
const CELLS_PER_SEGMENT: f64 = 16.0;

/// Nearer than this, borders touch, m: they cross only if they pass each other by more.
const TOUCH_M: f64 = 1e-9;

/// Obstacles as segments. Fixed once made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SegmentMap {
    segments: Vec<Segment>,
    bounds_m: Option<Rect>,
    cell_index: CellIndex,
    insides: Insides,
}

/// Which places are solid though no segment is there.
#[derive(Clone, Debug, Default, PartialEq)]
enum Insides {
    /// None: the segments are thin walls.
    #[default]
    Nowhere,
    /// Segments form rings, and thin walls follow; `ends` are the ends of the rings. Rings within rings take turns, from the outside in.
    /// Where some touch or overlap, `kinds` has one entry a ring, and counts instead.
    Rings { ends: Vec<usize>, outermost: Outermost, kinds: Vec<RingKind> },
}

/// What the inside of a ring is that lies within no other ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outermost {
    /// A floor with walls around it: free, and what lies within it is solid. Outside of all rings it is free as well.
    Floor,
    /// A solid thing.
    Solid,
}

impl SegmentMap {
    /// A map without obstacles.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// Thin walls, without insides. They may cross each other. Segments of zero length are dropped.
    ///
    /// # Errors
    /// If a coordinate is not finite or beyond [`FARTHEST_M`], or if no segment has a length.
    pub fn from_segments(segments: &[Segment]) -> Result<Self, MapError> {
        Self::from_parts(checked_walls(segments)?, Insides::Nowhere)
    }

    fn from_parts(segments: Vec<Segment>, insides: Insides) -> Result<Self, MapError> {
        let Some(bounds_m) = segment::bounds_m(&segments) else {
            return Err(MapError::new("map", "has no obstacle; for a free plane, give no map"));
        };
        if segments.len() > MAX_SEGMENTS {
            return Err(MapError::new("map", format!("has {} segments, {MAX_SEGMENTS} are allowed", segments.len())));
        }
        let cells = cells_for(&segments, bounds_m);
        let mut cell_index = CellIndex::default();
        cell_index.fill(cells, segments.len(), |number, insert| {
            cells.walk(&segments[number], 0.0, |cell, _| {
                insert(cell);
                true
            });
        });
        Ok(Self { segments, bounds_m: Some(bounds_m), cell_index, insides })
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

    /// True if the outline has a point in common with a segment, borders included. An outline that lies wholly in a solid thing touches
    /// none: where one is placed, [`SegmentMap::is_solid_at`] has to be asked as well. It cannot come there by moving unless it touches.
    #[must_use]
    pub fn touches(&self, outline: &Outline) -> bool {
        let mut touches = false;
        self.cell_index.cells().visit_rect(outline.bounds_m(), |cell| {
            let mut numbers = self.cell_index.in_cell(cell).iter();
            touches = touches || numbers.any(|&number| outline.touches_segment(&self.segments[number as usize]));
        });
        touches
    }

    /// True if a point lies within a solid thing: in a pillar on a floor, in an occupied cell. The outside of all walls is free.
    /// Looks at all segments.
    #[must_use]
    pub fn is_solid_at(&self, point_m: DVec2) -> bool {
        let Insides::Rings { ends, outermost, kinds } = &self.insides else { return false };
        let around: Vec<usize> = self
            .rings(ends)
            .enumerate()
            .filter(|(_, ring)| overlap::is_within(point_m, ring))
            .map(|(number, _)| number)
            .collect();
        if !kinds.is_empty() {
            return overlap::is_solid(kinds, &around);
        }
        match outermost {
            Outermost::Floor => around.len() >= 2 && around.len().is_multiple_of(2),
            Outermost::Solid => !around.len().is_multiple_of(2),
        }
    }

    /// The edges of each ring.
    fn rings<'a>(&'a self, ends: &'a [usize]) -> impl Iterator<Item = &'a [Segment]> {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| &self.segments[start..end])
    }

    /// The segments by the cells that they pass through.
    pub(crate) fn cell_index(&self) -> &CellIndex {
        &self.cell_index
    }
}

/// About as many cells as segments; fewer where long segments would pass through too many.
fn cells_for(segments: &[Segment], bounds_m: Rect) -> Cells {
    let length_m: f64 = segments.iter().map(|segment| segment.span_m().abs().element_sum()).sum();
    let mut cells = Cells::over(bounds_m, segments.len());
    while cells.count() > 4 && length_m / cells.size_m() > CELLS_PER_SEGMENT * segments.len() as f64 {
        cells = Cells::over(bounds_m, cells.count() / 4);
    }
    cells
}

/// True if the line from the point along +x crosses the segment.
fn is_left_of(point_m: DVec2, segment: &Segment) -> bool {
    let [low, high] =
        if segment.from_m.y < segment.to_m.y { [segment.from_m, segment.to_m] } else { [segment.to_m, segment.from_m] };
    low.y <= point_m.y && point_m.y < high.y && (high - low).perp_dot(point_m - low) > 0.0
}

/// Thin walls at places that a map may have, without those of zero length.
fn checked_walls(segments: &[Segment]) -> Result<Vec<Segment>, MapError> {
    for (index, segment) in segments.iter().enumerate() {
        for point_m in [segment.from_m, segment.to_m] {
            check_place(point_m).map_err(|message| MapError::new(format!("segment {index}"), message))?;
        }
    }
    Ok(segments.iter().copied().filter(|s| s.from_m != s.to_m).collect())
}

fn check_place(point_m: DVec2) -> Result<(), String> {
    let is_placed = |c: f64| (-FARTHEST_M..=FARTHEST_M).contains(&c);
    if is_placed(point_m.x) && is_placed(point_m.y) {
        return Ok(());
    }
    Err(format!("[{}, {}] must be within {FARTHEST_M} m of the origin along each axis", point_m.x, point_m.y))
}
