//! Reuse of the middle of the mat after a foot has left it.
//!
//! The inner square (200 mm a side, or half of a smaller mat's shorter side) is cut into 4 x 4 blocks. A block is *held* while its middle
//! is within D_h of a foot: no robot may be there. When the last foot releases it, a clock runs until a robot is in it.

use super::{MeasureModel, Observation};
use sim_core::{DVec2, Rect};

/// Blocks along one side of the inner square.
const BLOCKS: usize = 4;

/// The inner square of a mat.
pub(super) fn inner_rect(model: &MeasureModel) -> Rect {
    let side_mm = (0.5 * model.mat.size().min_element()).min(200.0);
    let half = DVec2::splat(0.5 * side_mm);
    Rect { min: model.mat.center() - half, max: model.mat.center() + half }
}

/// State of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    /// In use, or never held by a foot.
    Used,
    /// Held by a foot.
    Held,
    /// Free for this many steps, and not used since.
    Empty(u64),
}

/// Clocks of all blocks.
#[derive(Clone, Debug)]
pub(super) struct InnerReuse {
    inner: Rect,
    blocks: [Block; BLOCKS * BLOCKS],
    occupied: [bool; BLOCKS * BLOCKS],
    reused: u64,
    empty_steps: u64,
    longest_steps: u64,
}

impl InnerReuse {
    pub(super) fn new(model: &MeasureModel) -> Self {
        Self {
            inner: inner_rect(model),
            blocks: [Block::Used; BLOCKS * BLOCKS],
            occupied: [false; BLOCKS * BLOCKS],
            reused: 0,
            empty_steps: 0,
            longest_steps: 0,
        }
    }

    pub(super) fn step(&mut self, model: &MeasureModel, seen: &Observation<'_>) {
        if seen.feet_after_mm.is_empty() {
            return;
        }
        let block_mm = self.inner.size() / BLOCKS as f64;
        self.occupied.fill(false);
        for &p in &seen.after.position_mm {
            if self.inner.contains(p) {
                let at = ((p - self.inner.min) / block_mm).min(DVec2::splat(BLOCKS as f64 - 0.5));
                self.occupied[at.y as usize * BLOCKS + at.x as usize] = true;
            }
        }
        let d_h2 = model.d_h_mm * model.d_h_mm;
        for block in 0..BLOCKS * BLOCKS {
            let at = DVec2::new((block % BLOCKS) as f64 + 0.5, (block / BLOCKS) as f64 + 0.5);
            let middle = self.inner.min + at * block_mm;
            let held = seen.feet_after_mm.iter().any(|foot| foot.distance_squared(middle) < d_h2);
            self.blocks[block] = self.next(self.blocks[block], held, self.occupied[block]);
        }
    }

    fn next(&mut self, now: Block, held: bool, occupied: bool) -> Block {
        if held {
            return Block::Held;
        }
        let steps = match now {
            Block::Used => return Block::Used,
            Block::Held => 0,
            Block::Empty(steps) => steps + 1,
        };
        self.longest_steps = self.longest_steps.max(steps);
        if !occupied {
            return Block::Empty(steps);
        }
        self.reused += 1;
        self.empty_steps += steps;
        Block::Used
    }

    /// Mean time from release to use, s; NaN if no block was ever used again.
    pub(super) fn mean_s(&self, model: &MeasureModel) -> f64 {
        self.empty_steps as f64 / self.reused as f64 / model.rate_hz()
    }

    /// Longest time that a free block stayed empty, those never used again included, s; NaN if no foot ever released one.
    pub(super) fn max_s(&self, model: &MeasureModel) -> f64 {
        let any = self.reused > 0 || self.longest_steps > 0;
        if any { model.seconds(self.longest_steps) } else { f64::NAN }
    }
}
