//! Active robots of an iteration that projects on one constraint after the other.
//!
//! A constraint whose robots have not moved since its last evaluation changes nothing. So a round costs little more than the few robots
//! that are still in conflict. Its result is, bit by bit, that of evaluating all constraints.

/// Moved in the present round.
const NOW: u8 = 1;
/// Moved in the round before.
const BEFORE: u8 = 2;

/// Robots that moved in the present round or in the one before.
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    moved: Vec<u8>,
}

impl ActiveSet {
    /// Makes all robots active from the next round on.
    pub fn restart(&mut self, robots: usize) {
        self.moved.clear();
        self.moved.resize(robots, NOW);
    }

    /// Starts a round.
    pub fn begin_round(&mut self) {
        self.moved.iter_mut().for_each(|moved| *moved = if *moved & NOW == 0 { 0 } else { BEFORE });
    }

    /// Records that robot `i` moves.
    #[inline]
    pub fn note(&mut self, i: usize) {
        self.moved[i] |= NOW;
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
}
