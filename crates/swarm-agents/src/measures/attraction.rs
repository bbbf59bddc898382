//! Attraction and danger: time near patches, danger at robots, and results of the proposals.

use super::catalogue::{Table, ratio, share};
use super::reuse::inner_rect;
use super::{MeasureModel, Observation};
use crate::filter::Decision;
use sim_core::DVec2;
use swarm_field::Patches;
use wide::f64x4;

/// Patches that are compared side by side.
const LANES: usize = 4;
/// Points of the free area that each step samples.
const AREA_POINTS: usize = 4;

/// Steps of the additive recurrence with the plastic number g (g^3 = g + 1): 1/g and 1/g^2. Its points fill a square evenly.
const RECURRENCE: DVec2 = DVec2::new(0.754_877_666_246_692_8, 0.569_840_290_998_053_2);

/// Number of patches beyond which a robot is sampled only every few steps, in turn, so that the cost stays proportional to the robots.
const PATCHES_A_ROBOT: usize = 16;

/// Counts of robots and of points of the free area.
#[derive(Clone, Debug, Default)]
pub(super) struct Attraction {
    area_point: DVec2,
    patches: Vec<FourPatches>,
    patch_steps: u64,
    looks: u64,
    near_patch: u64,
    inner: u64,
    robot_steps: u64,
    free_points: u64,
    free_points_with_patches: u64,
    near_points: u64,
    inner_points: u64,
    danger_sum: f64,
    danger_count: u64,
    decisions: [u64; 4],
}

/// The discs of one standard deviation of four patches. Those left over hold no place.
#[derive(Clone, Copy, Debug)]
struct FourPatches {
    x_mm: [f64; LANES],
    y_mm: [f64; LANES],
    sigma2_mm2: [f64; LANES],
}

impl FourPatches {
    const NONE: Self = Self { x_mm: [0.0; LANES], y_mm: [0.0; LANES], sigma2_mm2: [-1.0; LANES] };

    /// Bits of those that hold a place.
    #[inline]
    fn holding(&self, p: DVec2) -> u32 {
        let (dx, dy) = (f64x4::new(self.x_mm) - p.x, f64x4::new(self.y_mm) - p.y);
        (dx * dx + dy * dy).simd_le(f64x4::new(self.sigma2_mm2)).to_bitmask()
    }
}

impl Attraction {
    pub(super) fn step(&mut self, model: &MeasureModel, seen: &Observation<'_>) {
        self.place_patches(seen.patches);
        self.look_at_robots(model, seen);
        self.look_at_area(model, seen);
        self.danger_sum += seen.danger.iter().sum::<f64>();
        self.danger_count += seen.danger.len() as u64;
        for decision in seen.decisions {
            self.decisions[decision_index(*decision)] += 1;
        }
    }

    fn place_patches(&mut self, patches: &Patches) {
        self.patches.clear();
        self.patches.resize(patches.len().div_ceil(LANES), FourPatches::NONE);
        for k in 0..patches.len() {
            let (four, lane) = (&mut self.patches[k / LANES], k % LANES);
            let (center_mm, sigma_mm) = (patches.center_mm(k), patches.sigma_mm(k));
            (four.x_mm[lane], four.y_mm[lane]) = center_mm.into();
            four.sigma2_mm2[lane] = sigma_mm * sigma_mm;
        }
    }

    /// All patches are looked at: which holds a place is too random for a branch.
    fn is_near_patch(&self, p: DVec2) -> bool {
        self.patches.iter().fold(0, |held, four| held | four.holding(p)) != 0
    }

    fn look_at_robots(&mut self, model: &MeasureModel, seen: &Observation<'_>) {
        let inner = inner_rect(model);
        let robots_mm = &seen.after.position_mm;
        self.robot_steps += robots_mm.len() as u64;
        self.inner += robots_mm.iter().filter(|p| inner.contains(**p)).count() as u64;
        if self.patches.is_empty() {
            return;
        }
        let stride = seen.patches.len().div_ceil(PATCHES_A_ROBOT);
        let first = (self.patch_steps % stride as u64) as usize;
        self.patch_steps += 1;
        for &p in robots_mm.iter().skip(first).step_by(stride) {
            self.looks += 1;
            self.near_patch += u64::from(self.is_near_patch(p));
        }
    }

    /// Points spread evenly over the box of centres and outside the discs of the feet stand for the free area.
    fn look_at_area(&mut self, model: &MeasureModel, seen: &Observation<'_>) {
        let inner = inner_rect(model);
        let d_h2 = model.d_h_mm * model.d_h_mm;
        for _ in 0..AREA_POINTS {
            self.area_point = (self.area_point + RECURRENCE).fract();
            let p = model.bounds.min + self.area_point * model.bounds.size();
            if seen.feet_after_mm.iter().any(|foot| foot.distance_squared(p) < d_h2) {
                continue;
            }
            self.free_points += 1;
            self.inner_points += u64::from(inner.contains(p));
            if !self.patches.is_empty() {
                self.free_points_with_patches += 1;
                self.near_points += u64::from(self.is_near_patch(p));
            }
        }
    }

    pub(super) fn report_decisions(&self, table: &mut Table<'_>) {
        let decided: u64 = self.decisions.iter().sum();
        for (index, name) in ["proposal_share", "brake_share", "solo_share", "fallback_share"].into_iter().enumerate() {
            table.push(name, share(self.decisions[index], decided));
        }
    }

    pub(super) fn report_inner(&self, table: &mut Table<'_>) {
        let expected = share(self.inner_points, self.free_points);
        table.push("inner_use_ratio", ratio(share(self.inner, self.robot_steps), expected));
    }

    pub(super) fn report(&self, table: &mut Table<'_>) {
        let robots = share(self.near_patch, self.looks);
        let area = share(self.near_points, self.free_points_with_patches);
        table.push("near_patch_ratio", ratio(robots, area));
        table.push("near_patch_share", robots);
        table.push("near_patch_area_share", area);
        table.push("danger_mean", ratio(self.danger_sum, self.danger_count as f64));
    }
}

fn decision_index(decision: Decision) -> usize {
    match decision {
        Decision::Proposed => 0,
        Decision::Brake => 1,
        Decision::Solo => 2,
        Decision::Stored => 3,
    }
}
