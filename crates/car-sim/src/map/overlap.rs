//! Rings that overlap: which of them are solid.
//!
//! A ring takes its kind from the smallest larger ring with which it has area in common:
//!
//! | it lies | that ring is a floor | that ring is solid |
//! |---|---|---|
//! | within it | solid | a hollow, which is free |
//! | across its border | solid | solid: the two are one thing |
//!
//! A ring without such a larger one is outermost. Where rings only nest, this is the rule that kinds take turns. Touching is no overlap.

use super::rings::do_cross;
use super::segment::{Segment, bounds_m};
use super::{Outermost, TOUCH_M, is_left_of};
use sim_core::{DVec2, Rect};
use std::collections::BTreeSet;

/// What a ring is on a map on which some rings touch or overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RingKind {
    /// Free within: an outermost floor, or a hollow in another ring.
    Floor { hollow_of: Option<usize> },
    /// Solid within, but for its hollows.
    Solid,
    /// The same line as a ring before it, which counts.
    Repeated,
}

/// Where a ring lies, seen from one that is at least as large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Apart,
    Within,
    Across,
    Same,
}

/// A ring with what saves most comparisons.
struct Measured<'a> {
    edges: &'a [Segment],
    area_m2: f64,
    bounds_m: Rect,
}

/// Kinds of rings, given by their edges. `contacts` are the pairs of rings, the smaller number first, whose edges touch or cross.
pub(super) fn kinds(rings: &[&[Segment]], contacts: &BTreeSet<(usize, usize)>, outermost: Outermost) -> Vec<RingKind> {
    let measured: Vec<Measured<'_>> = rings.iter().map(|edges| Measured::new(edges)).collect();
    let mut by_size: Vec<usize> = (0..measured.len()).collect();
    // The sort is stable: of equal rings the first one counts.
    by_size.sort_by(|&a, &b| measured[b].area_m2.total_cmp(&measured[a].area_m2));
    let mut kinds = vec![RingKind::Repeated; rings.len()];
    for (place, &ring) in by_size.iter().enumerate() {
        let larger = by_size[..place].iter().rev().copied().filter(|&other| kinds[other] != RingKind::Repeated);
        let mut kinds_in_larger = larger.filter_map(|other| {
            let is_in_contact = contacts.contains(&(ring.min(other), ring.max(other)));
            kind_in(other, kinds[other], measured[ring].relation_to(&measured[other], is_in_contact))
        });
        let kind = kinds_in_larger.next();
        kinds[ring] = kind.unwrap_or(match outermost {
            Outermost::Floor => RingKind::Floor { hollow_of: None },
            Outermost::Solid => RingKind::Solid,
        });
    }
    kinds
}

/// Kind of a ring by its relation to a larger one; none if the two have no area in common.
fn kind_in(larger: usize, kind_of_larger: RingKind, relation: Relation) -> Option<RingKind> {
    match (relation, kind_of_larger) {
        (Relation::Apart, _) => None,
        (Relation::Same, _) => Some(RingKind::Repeated),
        (Relation::Within, RingKind::Solid) => Some(RingKind::Floor { hollow_of: Some(larger) }),
        (Relation::Within | Relation::Across, _) => Some(RingKind::Solid),
    }
}

impl<'a> Measured<'a> {
    fn new(edges: &'a [Segment]) -> Self {
        let doubled_m2: f64 = edges.iter().map(|edge| edge.from_m.perp_dot(edge.to_m)).sum();
        let nowhere = Rect { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
        Self { edges, area_m2: 0.5 * doubled_m2.abs(), bounds_m: bounds_m(edges).unwrap_or(nowhere) }
    }

    /// Without contact, one corner tells where the whole ring lies. Otherwise each edge is cut where the larger ring meets it, and the
    /// middle of each piece is looked at.
    fn relation_to(&self, larger: &Self, is_in_contact: bool) -> Relation {
        let (a, b) = (self.bounds_m, larger.bounds_m);
        if a.max.cmplt(b.min).any() || b.max.cmplt(a.min).any() {
            return Relation::Apart;
        }
        if !is_in_contact {
            return if is_within(self.edges[0].from_m, larger.edges) { Relation::Within } else { Relation::Apart };
        }
        let middles = self.edges.iter().flat_map(|edge| middles_of_pieces(edge, larger.edges));
        let off_border = middles.filter(|&point_m| larger.edges.iter().all(|edge| edge.distance_m(point_m) > TOUCH_M));
        let (mut some_in, mut some_out) = (false, false);
        for point_m in off_border {
            *(if is_within(point_m, larger.edges) { &mut some_in } else { &mut some_out }) = true;
            if some_in && some_out {
                return Relation::Across;
            }
        }
        match (some_in, some_out) {
            (true, _) => Relation::Within,
            (false, true) => Relation::Apart,
            (false, false) => Relation::Same,
        }
    }
}

/// The middles of the pieces into which a border cuts a segment.
fn middles_of_pieces(segment: &Segment, border: &[Segment]) -> Vec<DVec2> {
    let (span_m, length_m) = (segment.span_m(), segment.span_m().length());
    let mut cuts = vec![0.0, 1.0];
    for edge in border {
        if do_cross(segment, edge) {
            cuts.push((edge.from_m - segment.from_m).perp_dot(edge.span_m()) / span_m.perp_dot(edge.span_m()));
        }
        if segment.distance_m(edge.from_m) <= TOUCH_M {
            cuts.push((edge.from_m - segment.from_m).dot(span_m) / (length_m * length_m));
        }
    }
    cuts.sort_by(f64::total_cmp);
    let pieces = cuts.windows(2).filter(|piece| (piece[1] - piece[0]) * length_m > 2.0 * TOUCH_M);
    pieces.map(|piece| segment.from_m + span_m * (0.5 * (piece[0] + piece[1]))).collect()
}

/// True if a point lies within a ring. Points on its border may count as either.
pub(super) fn is_within(point_m: DVec2, ring: &[Segment]) -> bool {
    ring.iter().filter(|edge| is_left_of(point_m, edge)).count() % 2 == 1
}

/// True if a point is solid that lies within the rings `around`: in a solid ring, and not in a hollow of it.
pub(super) fn is_solid(kinds: &[RingKind], around: &[usize]) -> bool {
    let is_hollowed = |ring: usize| around.iter().any(|&r| kinds[r] == RingKind::Floor { hollow_of: Some(ring) });
    around.iter().any(|&ring| kinds[ring] == RingKind::Solid && !is_hollowed(ring))
}
