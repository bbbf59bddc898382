//! Pairs of a robot and a near foot, found in O(robots + feet) through a uniform grid.

use sim_core::{DVec2, Grid};

/// Number of feet up to which each robot is compared with all of them: cheaper than any grid.
const ALL_FEET_UP_TO: usize = 8;
/// Reserved feet per robot.
const FEET_PER_ROBOT: usize = 4;

/// Pairs of a robot and a foot within a radius.
#[derive(Clone, Debug, Default)]
pub struct NearFeet {
    feet_mm: Vec<DVec2>,
    /// Square of the distance of each robot to the nearest foot within the radius, mm^2.
    nearest_mm2: Vec<f64>,
    grid: Grid,
    pairs: Vec<(u32, u32)>,
    capacity: usize,
    /// Pairs of robot `i` stand at `start[i]..start[i + 1]`.
    start: Vec<u32>,
}

impl NearFeet {
    /// Finds the feet that are nearer than `radius_mm` to a robot.
    pub fn rebuild(&mut self, robots_mm: &[DVec2], feet_mm: impl ExactSizeIterator<Item = DVec2>, radius_mm: f64) {
        self.feet_mm.clear();
        self.feet_mm.extend(feet_mm);
        let compares_all = self.feet_mm.len() <= ALL_FEET_UP_TO;
        if !compares_all {
            self.grid.rebuild(&self.feet_mm, radius_mm);
        }
        self.pairs.clear();
        self.capacity = robots_mm.len() * self.feet_mm.len().min(FEET_PER_ROBOT);
        self.pairs.reserve(self.capacity);
        self.nearest_mm2.clear();
        self.nearest_mm2.resize(robots_mm.len(), f64::INFINITY);
        self.start.clear();
        self.start.reserve(robots_mm.len() + 1);
        self.start.push(0);
        for (i, &place_mm) in robots_mm.iter().enumerate() {
            let (first, nearest_mm2) = (self.pairs.len(), &mut self.nearest_mm2[i]);
            let mut compare = |k, foot_mm: DVec2| {
                let distance2 = foot_mm.distance_squared(place_mm);
                if distance2 < radius_mm * radius_mm {
                    self.pairs.push((i as u32, k));
                    *nearest_mm2 = nearest_mm2.min(distance2);
                }
            };
            if compares_all {
                self.feet_mm.iter().enumerate().for_each(|(k, &foot_mm)| compare(k as u32, foot_mm));
            } else {
                self.grid.for_each_near(place_mm, |span| span.iter().for_each(|(k, foot_mm)| compare(k, foot_mm)));
                self.pairs[first..].sort_unstable();
            }
            self.start.push(self.pairs.len() as u32);
        }
    }

    /// Pairs of a robot and a foot, ordered by robot, then by foot.
    #[must_use]
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Number of reserved pairs: lists derived from these pairs need no more.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Feet near robot `i`, in ascending order.
    pub fn of(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.start[i] as usize..self.start[i + 1] as usize;
        self.pairs[range].iter().map(|&(_, k)| k as usize)
    }

    /// Square of the distance of robot `i` to the nearest foot, infinite if none is near, mm^2.
    #[inline]
    #[must_use]
    pub fn nearest_mm2(&self, i: usize) -> f64 {
        self.nearest_mm2[i]
    }
}
