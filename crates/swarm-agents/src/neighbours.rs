//! Neighbours: all pairs of points closer than a radius, found in O(N) through a uniform grid.
//!
//! Pairs come in a fixed order (first id, then second id), so sums over them do not depend on how the points are stored. Buffers are
//! kept from call to call: after the first calls nothing is allocated.

use sim_core::{DVec2, Grid, Ones};
use wide::f64x4;

/// Number of points up to which all pairs are compared: cheaper than any grid. They are bits of a word.
const ALL_PAIRS_UP_TO: usize = 48;

/// Distances that are compared side by side.
const LANES: usize = 4;

/// Fours of a small set.
const FOURS: usize = ALL_PAIRS_UP_TO / LANES;

/// Reserved pairs per point in a large crowd: at 60 mm spacing 24 reach 170 mm even in the densest packing.
const RESERVED_PER_POINT: usize = 24;

/// Pairs of points within a radius.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// Neighbours of point `i` stand at `start[i]..start[i + 1]` of `ids`, those with larger numbers from `later[i]` on.
    start: Vec<u32>,
    later: Vec<u32>,
    ids: Vec<u32>,
    /// Pairs in the order in which the grid has them, the smaller number first.
    found: Vec<(u32, u32)>,
    /// Where the next neighbour of each point goes.
    next: Vec<u32>,
    grid: Grid,
    /// Reaches in the order of the grid, mm.
    slot_reach_mm: Vec<f64>,
}

impl Neighbours {
    /// Finds all pairs with a distance of at most `radius_mm`.
    pub fn rebuild(&mut self, positions_mm: &[DVec2], radius_mm: f64) {
        self.find(positions_mm, radius_mm, 0.0, |_| 0.0);
    }

    /// Finds all pairs with a distance of at most `distance_mm` and the reaches of both, mm.
    pub fn rebuild_by_reach(&mut self, positions_mm: &[DVec2], distance_mm: f64, reach_mm: &[f64]) {
        let farthest_mm = reach_mm.iter().fold(0.0_f64, |farthest, &reach| farthest.max(reach));
        self.find(positions_mm, distance_mm, farthest_mm, |i| reach_mm[i]);
    }

    /// Finds all pairs with a distance of at most `distance_mm` and the reaches of both; none is larger than `farthest_mm`.
    #[inline]
    fn find(&mut self, positions_mm: &[DVec2], distance_mm: f64, farthest_mm: f64, reach_mm: impl Fn(usize) -> f64) {
        self.reserve(positions_mm.len());
        if positions_mm.len() <= ALL_PAIRS_UP_TO {
            self.compare_all(positions_mm, distance_mm, reach_mm);
        } else {
            self.grid.rebuild(positions_mm, distance_mm + 2.0 * farthest_mm);
            self.compare_near(distance_mm, reach_mm);
            self.list_found(positions_mm.len());
        }
    }

    /// Compares the pairs that the grid has near each other, in its order.
    fn compare_near(&mut self, distance_mm: f64, reach_mm: impl Fn(usize) -> f64) {
        let Self { grid, slot_reach_mm, found, .. } = self;
        slot_reach_mm.clear();
        slot_reach_mm.extend(grid.all().ids.iter().map(|&i| reach_mm(i as usize)));
        found.clear();
        grid.for_each_with_later(|slot, later| {
            let (i, p) = (grid.id(slot), grid.place_mm(slot));
            let mut find = |j: u32| found.push((i.min(j), i.max(j)));
            for span in later {
                span.for_each_in_reach(p, distance_mm, slot_reach_mm[slot], slot_reach_mm, &mut find);
            }
        });
    }

    /// Lists the pairs that were found by point, in order, without sorting. Each point in turn is written into the lists of its smaller
    /// neighbours, so their larger ones are ascending; then into those of its larger ones, so their smaller ones are, too.
    fn list_found(&mut self, count: usize) {
        self.count_found(count);
        let Self { start, later, ids, found, next, .. } = self;
        ids.resize(2 * found.len(), 0);
        next.clone_from(start);
        found.iter().for_each(|&(i, j)| push(ids, next, j, i));
        next.clone_from(later);
        for j in 0..count {
            for at in start[j]..later[j] {
                let i = ids[at as usize];
                push(ids, next, i, j as u32);
            }
        }
        next.clone_from(start);
        for i in 0..count {
            for at in later[i]..start[i + 1] {
                let j = ids[at as usize];
                push(ids, next, j, i as u32);
            }
        }
    }

    /// Finds where the neighbours of each point stand.
    fn count_found(&mut self, count: usize) {
        let Self { start, later, found, .. } = self;
        start.clear();
        start.resize(count + 1, 0);
        later.clear();
        later.resize(count, 0);
        for &(i, j) in &*found {
            start[i as usize + 1] += 1;
            start[j as usize + 1] += 1;
            later[j as usize] += 1;
        }
        for i in 0..count {
            start[i + 1] += start[i];
            later[i] += start[i];
        }
    }

    /// Compares all pairs, and lists them by point. Each point looks at all others: which are near is too random for a branch.
    fn compare_all(&mut self, positions_mm: &[DVec2], distance_mm: f64, reach_mm: impl Fn(usize) -> f64) {
        let few = Few::new(positions_mm, reach_mm);
        self.ids.clear();
        self.start.clear();
        self.later.clear();
        for i in 0..positions_mm.len() {
            let near = few.near(i, distance_mm) & !(1 << i);
            let first = self.ids.len() as u32;
            self.start.push(first);
            self.later.push(first + (near & !(u64::MAX << i)).count_ones());
            self.ids.extend(Ones(near));
        }
        self.start.push(self.ids.len() as u32);
    }

    /// Reserves as many pairs as a crowd can have, so that a denser moment later on does not allocate.
    fn reserve(&mut self, count: usize) {
        let is_small = count <= ALL_PAIRS_UP_TO;
        let pairs = if is_small { count * count.saturating_sub(1) / 2 } else { RESERVED_PER_POINT * count };
        reserve(&mut self.start, count + 1);
        reserve(&mut self.later, count);
        reserve(&mut self.ids, 2 * pairs);
        if !is_small {
            reserve(&mut self.found, pairs);
        }
    }

    /// Pairs `(i, j)` with `i < j`, in ascending order.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.later.len()).flat_map(|i| self.later(i).iter().map(move |&j| (i as u32, j)))
    }

    /// Neighbours of point `i`, in ascending order.
    #[must_use]
    pub fn of(&self, i: usize) -> &[u32] {
        &self.ids[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// Those neighbours of point `i` that have larger numbers, in ascending order.
    #[must_use]
    pub fn later(&self, i: usize) -> &[u32] {
        &self.ids[self.later[i] as usize..self.start[i + 1] as usize]
    }
}

/// Room for so many in all.
fn reserve<T>(list: &mut Vec<T>, capacity: usize) {
    list.reserve(capacity.saturating_sub(list.len()));
}

/// Adds an entry to one of the lists that stand side by side.
#[inline]
fn push(entries: &mut [u32], next: &mut [u32], list: u32, entry: u32) {
    let slot = &mut next[list as usize];
    entries[*slot as usize] = entry;
    *slot += 1;
}

/// The points of a small set, four by four. Those left over are infinitely far away.
struct Few {
    count: usize,
    x_mm: [[f64; LANES]; FOURS],
    y_mm: [[f64; LANES]; FOURS],
    reach_mm: [[f64; LANES]; FOURS],
}

impl Few {
    #[inline]
    fn new(positions_mm: &[DVec2], reach_mm: impl Fn(usize) -> f64) -> Self {
        let far = [[f64::INFINITY; LANES]; FOURS];
        let mut few = Self { count: positions_mm.len(), x_mm: far, y_mm: far, reach_mm: [[0.0; LANES]; FOURS] };
        for (i, place_mm) in positions_mm.iter().enumerate() {
            let (four, lane) = (i / LANES, i % LANES);
            few.x_mm[four][lane] = place_mm.x;
            few.y_mm[four][lane] = place_mm.y;
            few.reach_mm[four][lane] = reach_mm(i);
        }
        few
    }

    /// Bits of the points with a distance from point `i` of at most `distance_mm` and the reaches of both, point `i` among them.
    #[inline]
    fn near(&self, i: usize, distance_mm: f64) -> u64 {
        let of_i = |fours: &[[f64; LANES]; FOURS]| f64x4::splat(fours[i / LANES][i % LANES]);
        let (x_mm, y_mm, reach_mm) = (of_i(&self.x_mm), of_i(&self.y_mm), of_i(&self.reach_mm));
        let mut near = 0;
        for four in 0..self.count.div_ceil(LANES) {
            let (dx, dy) = (f64x4::new(self.x_mm[four]) - x_mm, f64x4::new(self.y_mm[four]) - y_mm);
            let limits_mm = distance_mm + (reach_mm + f64x4::new(self.reach_mm[four]));
            let is_near = (dx * dx + dy * dy).simd_le(limits_mm * limits_mm);
            near |= u64::from(is_near.to_bitmask()) << (four * LANES);
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute_force(points: &[DVec2], limit: impl Fn(usize, usize) -> f64) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                if (points[i] - points[j]).length_squared() <= limit(i, j) * limit(i, j) {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
        pairs
    }

    proptest! {
        #[test]
        fn grid_and_all_pairs_agree(
            xy in prop::collection::vec((-300.0_f64..900.0, 0.0_f64..500.0), 0..150), radius in 5.0_f64..200.0
        ) {
            let points: Vec<DVec2> = xy.into_iter().map(DVec2::from).collect();
            let mut neighbours = Neighbours::default();
            neighbours.rebuild(&points, radius);
            let expected = brute_force(&points, |_, _| radius);
            prop_assert_eq!(neighbours.pairs().collect::<Vec<_>>(), &expected[..]);
            for i in 0..points.len() {
                let of_i: Vec<u32> = (0..points.len() as u32)
                    .filter(|&j| expected.contains(&(i as u32, j)) || expected.contains(&(j, i as u32)))
                    .collect();
                prop_assert_eq!(neighbours.of(i), &of_i[..]);
            }
        }

        #[test]
        fn pairs_are_near_by_the_reaches_of_both(
            xyr in prop::collection::vec((-300.0_f64..900.0, 0.0_f64..500.0, 0.0_f64..80.0), 0..150), distance in 5.0_f64..90.0
        ) {
            let points: Vec<DVec2> = xyr.iter().map(|&(x, y, _)| DVec2::new(x, y)).collect();
            let reach: Vec<f64> = xyr.iter().map(|&(_, _, reach)| reach).collect();
            let mut neighbours = Neighbours::default();
            neighbours.rebuild_by_reach(&points, distance, &reach);
            let expected = brute_force(&points, |i, j| distance + reach[i] + reach[j]);
            prop_assert_eq!(neighbours.pairs().collect::<Vec<_>>(), expected);
        }
    }
}
