//! Maps made of rings: what a ring may be, and what lies inside.

use super::{Insides, MapError, Outermost, Segment, SegmentMap, check_place};
use sim_core::DVec2;

/// Farther than this beyond each other, edges cross, m; nearer they touch, which they may.
const TOUCH_M: f64 = 1e-9;

/// A closed line, its first point not repeated at the end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ring {
    /// Where it stands in the file.
    pub place: String,
    /// Its corners, m.
    pub points_m: Vec<DVec2>,
}

impl Ring {
    /// Its edges, without those of zero length.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        let next = self.points_m.iter().cycle().skip(1);
        self.points_m
            .iter()
            .zip(next)
            .map(|(&from, &to)| Segment::new(from, to))
            .filter(|edge| edge.from_m != edge.to_m)
    }

    fn check(&self) -> Result<(), MapError> {
        for (index, &point_m) in self.points_m.iter().enumerate() {
            check_place(point_m).map_err(|message| MapError::new(format!("{}[{index}]", self.place), message))?;
        }
        let corners = self.edges().count();
        if corners < 3 {
            let message = format!("has {corners} different corners, a ring needs three");
            return Err(MapError::new(&self.place, message));
        }
        Ok(())
    }
}

impl SegmentMap {
    /// A map of closed lines, given by their corners, the first one not repeated at the end. Rings within rings take turns being free and
    /// solid; `outermost` says what the inside of the outermost ones is.
    ///
    /// # Errors
    /// If there is no ring, one has fewer than three corners, edges cross, or a coordinate is not finite or beyond
    /// [`super::FARTHEST_M`]. The place is the ring's number, as in `[2]`, and perhaps the corner's.
    pub fn from_corners(rings_m: &[Vec<DVec2>], outermost: Outermost) -> Result<Self, MapError> {
        let ring = |(number, points_m): (usize, &Vec<DVec2>)| Ring {
            place: format!("[{number}]"),
            points_m: points_m.clone(),
        };
        Self::from_rings(&rings_m.iter().enumerate().map(ring).collect::<Vec<_>>(), outermost)
    }

    /// The corners of its rings and what the outermost ones hold, from which [`SegmentMap::from_corners`] makes the same map; none for a
    /// map of thin walls.
    #[must_use]
    pub fn corners(&self) -> Option<(Vec<Vec<DVec2>>, Outermost)> {
        let Insides::Rings { ends, outermost } = &self.insides else { return None };
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let corners =
            starts.zip(ends).map(|(start, &end)| self.segments[start..end].iter().map(|edge| edge.from_m).collect());
        Some((corners.collect(), *outermost))
    }

    /// A map of rings that do not cross themselves or each other.
    pub(super) fn from_rings(rings: &[Ring], outermost: Outermost) -> Result<Self, MapError> {
        rings.iter().try_for_each(Ring::check)?;
        let map = Self::from_unchecked_rings(rings, outermost)?;
        let crossing = map.crossings().next();
        crossing.map_or(Ok(()), |(first, second)| Err(map.crossing_error(rings, first, second)))?;
        Ok(map)
    }

    /// The same without a look at how they lie.
    pub(super) fn from_unchecked_rings(rings: &[Ring], outermost: Outermost) -> Result<Self, MapError> {
        let mut ends = Vec::with_capacity(rings.len());
        let mut segments = Vec::new();
        for ring in rings {
            segments.extend(ring.edges());
            ends.push(segments.len());
        }
        Self::from_parts(segments, Insides::Rings { ends, outermost })
    }

    /// Pairs of edges that cross, by number; some of them more than once.
    pub(super) fn crossings(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.cell_index.cells().count()).flat_map(|cell| {
            let numbers = self.cell_index.in_cell(cell);
            let pairs = numbers.iter().enumerate().flat_map(|(k, &a)| numbers[k + 1..].iter().map(move |&b| (a, b)));
            pairs.filter(|&(a, b)| do_cross(&self.segments[a as usize], &self.segments[b as usize]))
        })
    }

    /// The ring that an edge belongs to.
    pub(super) fn ring_of(&self, segment: u32) -> usize {
        match &self.insides {
            Insides::Nowhere => 0,
            Insides::Rings { ends, .. } => ends.partition_point(|&end| end <= segment as usize),
        }
    }

    fn crossing_error(&self, rings: &[Ring], first: u32, second: u32) -> MapError {
        let show = |number: u32| {
            let Segment { from_m: a, to_m: b } = self.segments[number as usize];
            format!("from [{}, {}] to [{}, {}]", a.x, a.y, b.x, b.y)
        };
        let place_of = |number: u32| &rings[self.ring_of(number)].place;
        let other = if place_of(first) == place_of(second) { "the same ring" } else { place_of(second) };
        let message = format!("its edge {} crosses the edge {} of {other}", show(first), show(second));
        MapError::new(place_of(first), message)
    }
}

/// True if two segments pass through each other; touching is not crossing.
fn do_cross(a: &Segment, b: &Segment) -> bool {
    divides(a, b) && divides(b, a)
}

/// True if the ends of `other` are on different sides of the line through `segment`.
fn divides(segment: &Segment, other: &Segment) -> bool {
    let span = segment.span_m();
    let off_m = |point_m: DVec2| span.perp_dot(point_m - segment.from_m) / span.length();
    let (from, to) = (off_m(other.from_m), off_m(other.to_m));
    from.abs() > TOUCH_M && to.abs() > TOUCH_M && (from > 0.0) != (to > 0.0)
}
