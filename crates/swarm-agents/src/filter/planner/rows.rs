//! Rows of knots: the band of one robot, axis by axis, so that a few wide instructions compare or move all of its knots.
//!
//! Each lane rounds like the scalar form: the same sums, products and roots in the same order, never fused.

use super::tuning::MAX_KNOTS;
use sim_core::{DVec2, Rect};
use std::ops::{Add, BitAnd, Mul, Sub};
use wide::f64x4;

/// Knots in one wide number, an [`f64x4`]: one register of AVX2, two of NEON or SSE2.
const LANES: usize = 4;
/// Index of the present knot: the knots after it begin at a multiple of [`LANES`], where loads are cheapest.
const PRESENT: usize = LANES - 1;
/// Length of a row: all knots, and a neighbour beyond each end.
const WIDTH: usize = (PRESENT + MAX_KNOTS + 2).next_multiple_of(LANES);

/// All bits of a lane.
const ALL: f64 = f64::from_bits(u64::MAX);
/// Masks of the lanes whose bits are set.
static MASKS: [[f64; LANES]; 1 << LANES] = {
    let mut masks = [[0.0; LANES]; 1 << LANES];
    let mut at = 0;
    while at < LANES << LANES {
        let (set, lane) = (at / LANES, at % LANES);
        masks[set][lane] = if set >> lane & 1 == 1 { ALL } else { 0.0 };
        at += 1;
    }
    masks
};

/// Places of one robot at its knots, mm. Knot 0 is the present place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Row {
    x_mm: [f64; WIDTH],
    y_mm: [f64; WIDTH],
}

impl Row {
    /// The row of a robot that stays at a place.
    #[must_use]
    pub fn at_rest(place_mm: DVec2) -> Self {
        Self { x_mm: [place_mm.x; WIDTH], y_mm: [place_mm.y; WIDTH] }
    }

    /// The row with these places at the knots up to `last`, mm.
    #[must_use]
    pub fn along(last: usize, place_mm: impl Fn(usize) -> DVec2) -> Self {
        let mut row = Self::at_rest(place_mm(0));
        (1..=last).for_each(|k| row.set_mm(k, place_mm(k)));
        row
    }

    /// Place at knot `k`, mm.
    #[inline]
    #[must_use]
    pub fn at_mm(&self, k: usize) -> DVec2 {
        DVec2::new(self.x_mm[k + PRESENT], self.y_mm[k + PRESENT])
    }

    /// Sets the place at knot `k`, mm.
    #[inline]
    pub fn set_mm(&mut self, k: usize, place_mm: DVec2) {
        self.x_mm[k + PRESENT] = place_mm.x;
        self.y_mm[k + PRESENT] = place_mm.y;
    }

    /// Those of `knots` at which two rows are nearer than `distance_mm` to each other.
    #[inline]
    #[must_use]
    pub fn nearer_than(&self, distance_mm: f64, other: &Self, knots: KnotSet) -> KnotSet {
        let distance2 = f64x4::splat(distance_mm * distance_mm);
        knots.where_true(|k| (self.wide(k) - other.wide(k)).length_squared().simd_lt(distance2))
    }

    /// True if two rows are nearer than `distance_mm` to each other at one of these knots.
    #[inline]
    #[must_use]
    pub fn meets(&self, other: &Self, distance_mm: f64, knots: KnotSet) -> bool {
        !self.nearer_than(distance_mm, other, knots).is_empty()
    }

    /// Those of `knots` that are outside a rectangle.
    #[inline]
    #[must_use]
    pub fn outside(&self, bounds: Rect, knots: KnotSet) -> KnotSet {
        let (min, max) = (Places::splat(bounds.min), Places::splat(bounds.max));
        knots.where_true(|k| {
            let at = self.wide(k);
            at.x.simd_lt(min.x) | at.x.simd_gt(max.x) | at.y.simd_lt(min.y) | at.y.simd_gt(max.y)
        })
    }

    /// Moves the given knots into a rectangle; returns the longest step, mm.
    #[inline]
    pub fn clamp(&mut self, knots: KnotSet, bounds: Rect) -> f64 {
        let (min, max) = (Places::splat(bounds.min), Places::splat(bounds.max));
        let mut longest2 = f64x4::ZERO;
        for (k, mask) in knots.chunks() {
            let from = self.wide(k);
            let inside = |at: f64x4, min: f64x4, max: f64x4| at.fast_max(min).fast_min(max);
            let clamped = Places { x: inside(from.x, min.x, max.x), y: inside(from.y, min.y, max.y) };
            let to = Places { x: mask.select(clamped.x, from.x), y: mask.select(clamped.y, from.y) };
            self.set_wide(k, to);
            longest2 = longest2.fast_max((to - from).length_squared());
        }
        longest2.to_array().into_iter().fold(0.0, f64::max).sqrt()
    }

    /// Those of `knots` with a bend longer than `bend_mm`, or with a step longer than `step_mm` after them.
    #[inline]
    #[must_use]
    pub fn strained(&self, bend_mm: f64, step_mm: f64, knots: KnotSet) -> KnotSet {
        let [bend2, step2] = [bend_mm * bend_mm, step_mm * step_mm].map(f64x4::splat);
        knots.where_true(|k| {
            let [before, here, after] = [self.wide(k - 1), self.wide(k), self.wide(k + 1)];
            let bend = Places { x: before.x - here.x * 2.0 + after.x, y: before.y - here.y * 2.0 + after.y };
            bend.length_squared().simd_gt(bend2) | (after - here).length_squared().simd_gt(step2)
        })
    }

    /// The places at [`LANES`] knots from `k` on.
    #[inline(always)]
    pub(super) fn wide(&self, k: usize) -> Places {
        let lanes = |axis: &[f64; WIDTH]| f64x4::new(std::array::from_fn(|lane| axis[k + PRESENT + lane]));
        Places { x: lanes(&self.x_mm), y: lanes(&self.y_mm) }
    }

    /// Sets the places at [`LANES`] knots from `k` on.
    #[inline(always)]
    pub(super) fn set_wide(&mut self, k: usize, places: Places) {
        self.x_mm[k + PRESENT..][..LANES].copy_from_slice(&places.x.to_array());
        self.y_mm[k + PRESENT..][..LANES].copy_from_slice(&places.y.to_array());
    }
}

/// Places or differences of places at [`LANES`] knots, mm.
#[derive(Clone, Copy)]
pub(super) struct Places {
    x: f64x4,
    y: f64x4,
}

impl Places {
    #[inline(always)]
    fn splat(place_mm: DVec2) -> Self {
        Self { x: f64x4::splat(place_mm.x), y: f64x4::splat(place_mm.y) }
    }

    #[inline(always)]
    fn length_squared(self) -> f64x4 {
        self.x * self.x + self.y * self.y
    }

    /// Directions and lengths of differences of places; the direction of equal places is chosen.
    #[inline(always)]
    pub(super) fn directions(self) -> (Self, f64x4) {
        let length = self.length_squared().sqrt();
        let differs = length.simd_gt(f64x4::splat(1e-6));
        let (x, y) = (self.x / length, self.y / length);
        (Self { x: differs.select(x, f64x4::ONE), y: differs.select(y, f64x4::ZERO) }, length)
    }
}

impl Add for Places {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Mul<f64x4> for Places {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factors: f64x4) -> Self {
        Self { x: self.x * factors, y: self.y * factors }
    }
}

impl BitAnd<f64x4> for Places {
    type Output = Self;

    /// Zero where the mask is not set.
    #[inline(always)]
    fn bitand(self, mask: f64x4) -> Self {
        Self { x: self.x & mask, y: self.y & mask }
    }
}

impl Sub for Places {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

/// Knots after the present one, as bits. As an iterator it yields them in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnotSet(u32);

impl KnotSet {
    /// The knots from 1 to `last`.
    #[inline]
    #[must_use]
    pub fn up_to(last: usize) -> Self {
        Self((2 << last) - 2)
    }

    /// The even ones of these knots.
    #[inline]
    #[must_use]
    pub fn even(self) -> Self {
        Self(self.0 & 0x5555_5555)
    }

    /// The knots of the set after knot `k`.
    #[inline]
    #[must_use]
    pub fn after(self, k: usize) -> Self {
        Self(self.0 & (u32::MAX << (k + 1)))
    }

    /// True if there is no knot.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Knots of the set at which a condition holds; `condition(k)` decides for `LANES` knots from `k` on. Knots before the first one of the
    /// set are looked at, too: a loop that is the same for most sets is foreseen.
    #[inline(always)]
    fn where_true(self, condition: impl Fn(usize) -> f64x4) -> Self {
        let chunks = (1..).step_by(LANES).take_while(|&k| self.0 >> k != 0);
        self & Self(chunks.fold(0, |bits, k| bits | condition(k).to_bitmask() << k))
    }

    /// The chunks that have knots of the set: their first knots, and masks of these knots.
    #[inline(always)]
    pub(super) fn chunks(mut self) -> impl Iterator<Item = (usize, f64x4)> {
        std::iter::from_fn(move || {
            let set = self.0;
            let k = (self.next()? - 1) / LANES * LANES + 1;
            self.0 &= u32::MAX << (k + LANES);
            Some((k, f64x4::new(MASKS[(set >> k) as usize % MASKS.len()])))
        })
    }
}

impl BitAnd for KnotSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl FromIterator<usize> for KnotSet {
    fn from_iter<I: IntoIterator<Item = usize>>(knots: I) -> Self {
        Self(knots.into_iter().fold(0, |bits, k| bits | 1 << k))
    }
}

impl Iterator for KnotSet {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let k = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (k <= MAX_KNOTS).then_some(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(places: &[(f64, f64)]) -> Row {
        let mut row = Row::at_rest(DVec2::ZERO);
        places.iter().enumerate().for_each(|(k, &(x, y))| row.set_mm(k, DVec2::new(x, y)));
        row
    }

    #[test]
    fn a_set_yields_its_knots_in_order() {
        let set: KnotSet = [7, 1, 12].into_iter().collect();
        assert_eq!(set.collect::<Vec<_>>(), [1, 7, 12]);
        assert_eq!((set & KnotSet::up_to(7)).collect::<Vec<_>>(), [1, 7]);
        assert_eq!(KnotSet::up_to(6).even().collect::<Vec<_>>(), [2, 4, 6]);
        assert_eq!(KnotSet::up_to(4).after(2).collect::<Vec<_>>(), [3, 4]);
        assert!(set.even() == [12].into_iter().collect() && (set & KnotSet::up_to(0)).is_empty());
        let chunks = KnotSet(set.0 | 1 << 8).chunks().map(|(k, mask)| (k, mask.to_bitmask()));
        assert_eq!(chunks.collect::<Vec<_>>(), [(1, 0b0001), (5, 0b1100), (9, 0b1000)]);
    }

    /// The direction of a difference of 3, 4 is 0.6, 0.8; places that were set stand where they are read.
    #[test]
    fn directions_of_wide_differences() {
        let places = [(0.0, 0.0), (5.0, 6.0), (2.0, 2.0), (2.0, -1.0), (-2.0, 5.0), (9.0, 9.0)];
        let (mut a, b) = (row(&places), Row::at_rest(DVec2::splat(2.0)));
        let (along, length) = (a.wide(1) - b.wide(1)).directions();
        assert_eq!(length.to_array(), [5.0, 0.0, 3.0, 5.0]);
        a.set_wide(1, along);
        let directions = [DVec2::new(0.6, 0.8), DVec2::X, DVec2::NEG_Y, DVec2::new(-0.8, 0.6)];
        assert_eq!([1, 2, 3, 4].map(|k| a.at_mm(k)), directions);
        assert_eq!([0, 5].map(|k| a.at_mm(k)), [DVec2::ZERO, DVec2::splat(9.0)]);
    }

    proptest! {
        /// Each comparison finds the knots that one knot after the other finds, places on the border included.
        #[test]
        fn wide_comparisons_are_the_scalar_ones(
            a in prop::collection::vec((0.0..9.0_f64, 0.0..9.0_f64), MAX_KNOTS + 2),
            b in prop::collection::vec((0.0..9.0_f64, 0.0..9.0_f64), MAX_KNOTS + 2),
        ) {
            let all = KnotSet::up_to(MAX_KNOTS);
            let whole = |places: &[(f64, f64)]| places.iter().map(|&(x, y)| (x.floor(), y.floor())).collect::<Vec<_>>();
            for (a, b) in [(row(&a), row(&b)), (row(&whole(&a)), row(&whole(&b)))] {
                let knots = |is_found: &dyn Fn(usize) -> bool| (1..=MAX_KNOTS).filter(|&k| is_found(k)).collect::<KnotSet>();
                prop_assert_eq!(a.nearer_than(5.0, &b, all), knots(&|k| a.at_mm(k).distance_squared(b.at_mm(k)) < 25.0));
                let bounds = Rect { min: DVec2::new(1.0, 2.0), max: DVec2::new(7.0, 6.0) };
                prop_assert_eq!(a.outside(bounds, all), knots(&|k| !bounds.contains(a.at_mm(k))));
                let (mut inside, some) = (a, KnotSet::up_to(MAX_KNOTS - 2));
                let steps = some.map(|k| bounds.clamp(a.at_mm(k)).distance(a.at_mm(k)));
                prop_assert_eq!(inside.clamp(some, bounds), steps.fold(0.0, f64::max));
                prop_assert!(some.into_iter().all(|k| inside.at_mm(k) == bounds.clamp(a.at_mm(k))));
                prop_assert_eq!(inside.at_mm(MAX_KNOTS), a.at_mm(MAX_KNOTS));
                prop_assert_eq!(a.strained(5.0, 1e9, all), knots(&|k| {
                    (a.at_mm(k - 1) - a.at_mm(k) * 2.0 + a.at_mm(k + 1)).length_squared() > 25.0
                }));
                prop_assert_eq!(a.strained(1e9, 5.0, all), knots(&|k| (a.at_mm(k + 1) - a.at_mm(k)).length_squared() > 25.0));
            }
        }
    }
}
