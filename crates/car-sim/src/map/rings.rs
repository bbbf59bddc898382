//! Maps made of rings: what a ring may be, and what lies inside.

use super::overlap::{self, RingKind};
use super::{Insides, MapError, Outermost, Segment, SegmentMap, TOUCH_M, check_place};
use sim_core::DVec2;
use std::collections::BTreeSet;

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

    /// # Errors
    /// If it has fewer than three corners, or one that is not at a place that a map may have.
    pub fn check(&self) -> Result<(), MapError> {
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
    /// solid; `outermost` says what the inside of the outermost ones is. Solid rings may overlap each other and the borders of floors.
    ///
    /// # Errors
    /// If there is no ring, one has fewer than three corners, crosses itself, or has a coordinate that is not finite or beyond
    /// [`super::FARTHEST_M`]. The place is the ring's number, as in `[2]`, and perhaps the corner's.
    pub fn from_corners(rings_m: &[Vec<DVec2>], outermost: Outermost) -> Result<Self, MapError> {
        Self::from_corners_and_walls(rings_m, outermost, &[])
    }

    /// The same with thin walls beside the closed lines, wherever they are. Segments of zero length are dropped.
    ///
    /// # Errors
    /// Those of [`SegmentMap::from_corners`] and, with a place as in `segment 2`, of [`SegmentMap::from_segments`].
    pub fn from_corners_and_walls(
        rings_m: &[Vec<DVec2>],
        outermost: Outermost,
        walls: &[Segment],
    ) -> Result<Self, MapError> {
        let ring = |(number, points_m): (usize, &Vec<DVec2>)| Ring {
            place: format!("[{number}]"),
            points_m: points_m.clone(),
        };
        let rings: Vec<Ring> = rings_m.iter().enumerate().map(ring).collect();
        Self::from_rings(&rings, outermost, super::checked_walls(walls)?)
    }

    /// The corners of its rings and what the outermost ones hold; none for a map of thin walls. With [`SegmentMap::walls`],
    /// [`SegmentMap::from_corners_and_walls`] makes the same map of them.
    #[must_use]
    pub fn corners(&self) -> Option<(Vec<Vec<DVec2>>, Outermost)> {
        let Insides::Rings { ends, outermost, .. } = &self.insides else { return None };
        let corners = self.rings(ends).map(|ring| ring.iter().map(|edge| edge.from_m).collect());
        Some((corners.collect(), *outermost))
    }

    /// Its thin walls: the segments that belong to no ring.
    #[must_use]
    pub fn walls(&self) -> &[Segment] {
        &self.segments[self.ring_edges()..]
    }

    /// A map of rings that do not cross themselves, and of thin walls.
    pub(super) fn from_rings(rings: &[Ring], outermost: Outermost, walls: Vec<Segment>) -> Result<Self, MapError> {
        rings.iter().try_for_each(Ring::check)?;
        if rings.is_empty() {
            return Self::from_parts(walls, Insides::Nowhere);
        }
        let mut map = Self::from_unchecked_rings(rings, outermost, walls)?;
        map.crossings()
            .find(|&(a, b)| map.ring_of(a) == map.ring_of(b))
            .map_or(Ok(()), |(first, second)| Err(map.crossing_error(&rings[map.ring_of(first)], first, second)))?;
        let found = map.overlap_kinds();
        if let Insides::Rings { kinds, .. } = &mut map.insides {
            *kinds = found;
        }
        Ok(map)
    }

    /// The same without a look at how the rings lie: they nest, if at all.
    pub(super) fn from_unchecked_rings(
        rings: &[Ring],
        outermost: Outermost,
        walls: Vec<Segment>,
    ) -> Result<Self, MapError> {
        let mut ends = Vec::with_capacity(rings.len());
        let mut segments = Vec::new();
        for ring in rings {
            segments.extend(ring.edges());
            ends.push(segments.len());
        }
        segments.extend(walls);
        Self::from_parts(segments, Insides::Rings { ends, outermost, kinds: Vec::new() })
    }

    /// Kinds of the rings if some touch or overlap; none otherwise.
    fn overlap_kinds(&self) -> Vec<RingKind> {
        let (Insides::Rings { ends, outermost, .. }, contacts) = (&self.insides, self.contacts()) else {
            return Vec::new();
        };
        if contacts.is_empty() {
            return Vec::new();
        }
        let edges: Vec<&[Segment]> = self.rings(ends).collect();
        overlap::kinds(&edges, &contacts, *outermost)
    }

    /// Pairs of edges of rings that share a cell, by number; some of them more than once.
    fn neighbours(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let edges = self.ring_edges() as u32;
        (0..self.cell_index.cells().count()).flat_map(move |cell| {
            let numbers = self.cell_index.in_cell(cell);
            let pairs = numbers.iter().enumerate().flat_map(|(k, &a)| numbers[k + 1..].iter().map(move |&b| (a, b)));
            pairs.filter(move |&(a, b)| a < edges && b < edges)
        })
    }

    /// Pairs of edges that cross, by number; some of them more than once.
    pub(super) fn crossings(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.neighbours().filter(|&(a, b)| do_cross(&self.segments[a as usize], &self.segments[b as usize]))
    }

    /// Pairs of rings that touch or cross each other, the smaller number first.
    fn contacts(&self) -> BTreeSet<(usize, usize)> {
        let in_contact = self.neighbours().filter(|&(a, b)| {
            self.ring_of(a) != self.ring_of(b) && do_meet(&self.segments[a as usize], &self.segments[b as usize])
        });
        // Cells list segments in order, and so rings.
        in_contact.map(|(a, b)| (self.ring_of(a), self.ring_of(b))).collect()
    }

    /// Number of segments that belong to rings; they come first.
    fn ring_edges(&self) -> usize {
        match &self.insides {
            Insides::Nowhere => 0,
            Insides::Rings { ends, .. } => ends.last().copied().unwrap_or(0),
        }
    }

    /// The ring that an edge belongs to.
    pub(super) fn ring_of(&self, segment: u32) -> usize {
        match &self.insides {
            Insides::Nowhere => 0,
            Insides::Rings { ends, .. } => ends.partition_point(|&end| end <= segment as usize),
        }
    }

    fn crossing_error(&self, ring: &Ring, first: u32, second: u32) -> MapError {
        let show = |number: u32| {
            let Segment { from_m: a, to_m: b } = self.segments[number as usize];
            format!("from [{}, {}] to [{}, {}]", a.x, a.y, b.x, b.y)
        };
        let message = format!("its edge {} crosses the edge {} of the same ring", show(first), show(second));
        MapError::new(&ring.place, message)
    }
}

/// True if two segments cross, or an end of one touches the other.
fn do_meet(a: &Segment, b: &Segment) -> bool {
    let touches = |segment: &Segment, other: &Segment| {
        [other.from_m, other.to_m].into_iter().any(|end_m| segment.distance_m(end_m) <= TOUCH_M)
    };
    do_cross(a, b) || touches(a, b) || touches(b, a)
}

/// True if two segments pass through each other; touching is not crossing.
pub(super) fn do_cross(a: &Segment, b: &Segment) -> bool {
    divides(a, b) && divides(b, a)
}

/// True if the ends of `other` are on different sides of the line through `segment`.
fn divides(segment: &Segment, other: &Segment) -> bool {
    let span = segment.span_m();
    let off_m = |point_m: DVec2| span.perp_dot(point_m - segment.from_m) / span.length();
    let (from, to) = (off_m(other.from_m), off_m(other.to_m));
    from.abs() > TOUCH_M && to.abs() > TOUCH_M && (from > 0.0) != (to > 0.0)
}
