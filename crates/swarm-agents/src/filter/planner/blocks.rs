//! Blocks: parts of a large mat whose bands are swept separately.
//!
//! Thirty robots on the spec's mat are clean after about thirty sweeps. Among a thousand, some robot is always in a jam that takes all
//! sweeps. So the mat is cut into blocks about as large as the spec's mat. Each rests as soon as its own corrections are small, until a
//! push across its border wakes it. The data of a block also fits into the processor's nearest cache. A mat of less than two blocks'
//! width is one block.

use sim_core::{DVec2, Rect};

/// Smallest side of a block, mm: that of the spec's mat.
const MIN_SIDE_MM: f64 = 400.0;

/// The robots of each block, and what sweeps did to it.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// Block of each robot.
    of: Vec<u32>,
    /// Robots of block `d`, in ascending order, stand at `start[d]..start[d + 1]`.
    robots: Vec<u32>,
    start: Vec<u32>,
    /// Largest correction in each block in its last sweep, or by a push across its border since, mm.
    max_correction_mm: Vec<f64>,
    stray: Vec<Stray>,
}

/// Upper bounds on the motion of the knots of a block, mm.
#[derive(Clone, Copy, Debug, Default)]
struct Stray {
    /// Since the contacts of the block were listed.
    from_contacts_mm: f64,
    /// Since pairs were listed.
    from_pairs_mm: f64,
}

impl Blocks {
    /// Assigns the robots by their places. No block is clean afterwards.
    pub fn rebuild(&mut self, bounds: Rect, places_mm: &[DVec2]) {
        let counts = (bounds.size() / MIN_SIDE_MM).floor().max(DVec2::ONE);
        let last = counts - DVec2::ONE;
        let block = |&place_mm: &DVec2| {
            let at = ((place_mm - bounds.min) / bounds.size() * counts).floor().clamp(DVec2::ZERO, last);
            (at.y * counts.x + at.x) as u32
        };
        self.of.clear();
        self.of.extend(places_mm.iter().map(block));
        let blocks = (counts.x * counts.y) as usize;
        self.max_correction_mm.clear();
        self.max_correction_mm.resize(blocks, f64::INFINITY);
        self.stray.clear();
        self.stray.resize(blocks, Stray::default());
        self.sort(blocks);
    }

    /// Sorts the robots by block.
    fn sort(&mut self, blocks: usize) {
        self.start.clear();
        self.start.resize(blocks + 1, 0);
        self.of.iter().for_each(|&block| self.start[block as usize + 1] += 1);
        (0..blocks).for_each(|block| self.start[block + 1] += self.start[block]);
        self.robots.resize(self.of.len(), 0);
        for (i, &block) in self.of.iter().enumerate() {
            let slot = &mut self.start[block as usize];
            self.robots[*slot as usize] = i as u32;
            *slot += 1;
        }
        // Each start now stands at its block's end, which is the next one's start.
        self.start.rotate_right(1);
        self.start[0] = 0;
    }

    /// Number of blocks.
    #[must_use]
    pub fn count(&self) -> usize {
        self.max_correction_mm.len()
    }

    /// Block of a robot.
    #[must_use]
    pub fn of(&self, robot: u32) -> usize {
        self.of[robot as usize] as usize
    }

    /// Robots of a block, in ascending order.
    #[must_use]
    pub fn robots(&self, block: usize) -> &[u32] {
        &self.robots[self.start[block] as usize..self.start[block + 1] as usize]
    }

    /// Records that the contacts of a block were listed.
    pub fn contacts_listed(&mut self, block: usize) {
        self.stray[block].from_contacts_mm = 0.0;
    }

    /// Records that all pairs were listed.
    pub fn pairs_listed(&mut self) {
        self.stray.iter_mut().for_each(|stray| stray.from_pairs_mm = 0.0);
    }

    /// Records the end of a sweep of a block: its largest correction, and an upper bound on the motion of a knot, mm.
    pub fn end_sweep(&mut self, block: usize, max_correction_mm: f64, moved_mm: f64) {
        self.max_correction_mm[block] = max_correction_mm;
        self.stray[block].from_contacts_mm += moved_mm;
        self.stray[block].from_pairs_mm += moved_mm;
    }

    /// Records that a sweep pushed a robot, possibly of another block, mm.
    #[inline]
    pub fn note_push(&mut self, robot: u32, correction_mm: f64) {
        let max_correction_mm = &mut self.max_correction_mm[self.of[robot as usize] as usize];
        if correction_mm > *max_correction_mm {
            *max_correction_mm = correction_mm;
        }
    }

    /// True if neither the last sweep of a block nor a push across its border since was as large as `clean_mm`.
    #[must_use]
    pub fn is_clean(&self, block: usize, clean_mm: f64) -> bool {
        self.max_correction_mm[block] < clean_mm
    }

    /// True if a knot of the block may have moved farther than `slack_mm` since the contacts of the block were listed.
    #[must_use]
    pub fn strays_from_contacts(&self, block: usize, slack_mm: f64) -> bool {
        self.stray[block].from_contacts_mm > slack_mm
    }

    /// True if a knot of some block may have moved farther than `slack_mm` since pairs were listed.
    #[must_use]
    pub fn stray_from_pairs(&self, slack_mm: f64) -> bool {
        self.stray.iter().any(|stray| stray.from_pairs_mm > slack_mm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two robots in the first block of a wide mat and one in the last.
    fn blocks(width_mm: f64) -> Blocks {
        let mut blocks = Blocks::default();
        let places = [DVec2::new(10.0, 10.0), DVec2::new(width_mm, 400.0), DVec2::new(100.0, 10.0)];
        blocks.rebuild(Rect::from_size(width_mm, 400.0), &places);
        blocks
    }

    #[test]
    fn robots_belong_to_the_block_that_they_are_in() {
        let blocks = blocks(1200.0);
        assert_eq!([0, 1, 2].map(|block| blocks.robots(block)), [&[0, 2][..], &[], &[1]]);
        assert_eq!([0, 1, 2].map(|robot| blocks.of(robot)), [0, 2, 0]);
    }

    #[test]
    fn a_block_is_clean_until_one_of_its_robots_is_pushed() {
        let mut blocks = blocks(1200.0);
        assert!((0..3).all(|block| !blocks.is_clean(block, 0.4)), "nothing is clean at first");
        blocks.end_sweep(0, 0.3, 0.3);
        blocks.end_sweep(1, 0.4, 0.4);
        blocks.end_sweep(2, 0.0, 0.0);
        assert_eq!([0, 1, 2].map(|block| blocks.is_clean(block, 0.4)), [true, false, true]);
        blocks.note_push(2, 5.0);
        blocks.note_push(0, 0.3);
        blocks.note_push(1, 0.3);
        blocks.end_sweep(1, 0.0, 0.0);
        assert_eq!([0, 1, 2].map(|block| blocks.is_clean(block, 0.4)), [false, true, true]);
    }

    #[test]
    fn motions_add_up_until_lists_are_made_again() {
        let mut blocks = blocks(1200.0);
        let stray = |blocks: &Blocks| (blocks.strays_from_contacts(1, 2.0), blocks.stray_from_pairs(4.0));
        [1.0, 1.0].iter().for_each(|&moved_mm| blocks.end_sweep(1, 0.0, moved_mm));
        assert_eq!(stray(&blocks), (false, false));
        blocks.end_sweep(1, 0.0, 0.5);
        assert_eq!(stray(&blocks), (true, false));
        assert!(!blocks.strays_from_contacts(0, 2.0));
        blocks.contacts_listed(1);
        blocks.end_sweep(1, 0.0, 2.0);
        assert_eq!(stray(&blocks), (false, true));
        blocks.pairs_listed();
        assert_eq!(stray(&blocks), (false, false));
    }

    #[test]
    fn a_small_mat_is_one_block() {
        let blocks = blocks(790.0);
        assert_eq!((blocks.count(), blocks.robots(0)), (1, &[0, 1, 2][..]));
    }
}
