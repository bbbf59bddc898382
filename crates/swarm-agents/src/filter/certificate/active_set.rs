//! Active robots of an iteration that projects on one constraint after the other.
//!
//! A constraint whose robots have not moved since its last evaluation changes nothing. So a round costs little more than the few robots
//! that are still in conflict.

use sim_core::Ones;

/// Moved in the present round.
const NOW: u8 = 1;
/// Moved in the round before.
const BEFORE: u8 = 2;
/// Robots in a word of bits.
const WORD: usize = u64::BITS as usize;

/// Robots that moved in the present round or in the one before.
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    moved: Vec<u8>,
    /// Bits of the robots that others moved since they were last limited: which they are is too random for a branch.
    unlimited: Vec<u64>,
}

impl ActiveSet {
    /// Makes all robots active from the next round on, and to be limited at once.
    pub fn restart(&mut self, robots: usize) {
        self.moved.clear();
        self.moved.resize(robots, NOW);
        self.unlimited.clear();
        self.unlimited.resize(robots / WORD, u64::MAX);
        self.unlimited.push(!(u64::MAX << (robots % WORD)));
    }

    /// Starts a round.
    pub fn begin_round(&mut self) {
        self.moved.iter_mut().for_each(|moved| *moved = if *moved & NOW == 0 { 0 } else { BEFORE });
    }

    /// Records that a foot or another robot moves robot `i`.
    #[inline]
    pub fn note(&mut self, i: usize) {
        self.moved[i] |= NOW;
        self.unlimited[i / WORD] |= 1 << (i % WORD);
    }

    /// Limits all robots that others moved since they were limited last, in ascending order; `limit` returns whether it moves the robot.
    #[inline]
    pub fn limit_each(&mut self, mut limit: impl FnMut(usize) -> bool) {
        for (word, unlimited) in self.unlimited.iter_mut().enumerate() {
            for bit in Ones(std::mem::take(unlimited)) {
                let i = word * WORD + bit as usize;
                self.moved[i] |= if limit(i) { NOW } else { 0 };
            }
        }
    }

    /// True if robot `i` is active.
    #[inline]
    #[must_use]
    pub fn has(&self, i: usize) -> bool {
        self.moved[i] != 0
    }

    /// True if one of two robots is active.
    #[inline]
    #[must_use]
    pub fn has_either(&self, i: usize, j: usize) -> bool {
        self.moved[i] | self.moved[j] != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_is_active_in_the_round_of_its_move_and_the_next() {
        let mut active = ActiveSet::default();
        active.restart(2);
        active.begin_round();
        assert!(active.has(0) && active.has(1), "all at first");
        active.note(1);
        active.begin_round();
        assert!(!active.has(0) && active.has(1) && active.has_either(0, 1));
        active.begin_round();
        assert!(!active.has_either(0, 1));
        active.note(0);
        assert!(active.has(0));
    }

    /// The robots that are limited now; `moves` is one that its limit moves.
    fn limited(active: &mut ActiveSet, moves: usize) -> Vec<usize> {
        let mut limited = Vec::new();
        active.limit_each(|i| {
            limited.push(i);
            i == moves
        });
        limited
    }

    #[test]
    fn a_robot_is_limited_once_for_each_round_in_which_others_move_it() {
        for robots in [2, 64, 130] {
            let mut active = ActiveSet::default();
            active.restart(robots);
            assert_eq!(limited(&mut active, 1), (0..robots).collect::<Vec<_>>(), "all at first");
            assert!(limited(&mut active, 0).is_empty());
            active.begin_round();
            active.begin_round();
            active.note(robots - 1);
            active.note(0);
            active.begin_round();
            active.begin_round();
            assert!(!active.has(0));
            assert_eq!(limited(&mut active, 0), [0, robots - 1]);
            assert!(active.has(0), "a limit moves a robot, too");
            assert!(limited(&mut active, 0).is_empty());
        }
    }
}
