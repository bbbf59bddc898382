//! Active robots of an iteration that projects on one constraint after the other.
//!
//! A constraint whose robots have not moved since its last evaluation changes nothing. So a round costs little more than the few robots
//! that are still in conflict.

/// Moved in the present round.
const NOW: u8 = 1;
/// Moved in the round before.
const BEFORE: u8 = 2;
/// Moved by others since it was last limited.
const UNLIMITED: u8 = 4;

/// Robots that moved in the present round or in the one before.
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    moved: Vec<u8>,
}

impl ActiveSet {
    /// Makes all robots active from the next round on, and to be limited at once.
    pub fn restart(&mut self, robots: usize) {
        self.moved.clear();
        self.moved.resize(robots, NOW | UNLIMITED);
    }

    /// Starts a round.
    pub fn begin_round(&mut self) {
        self.moved.iter_mut().for_each(|moved| *moved = if *moved & NOW == 0 { 0 } else { BEFORE });
    }

    /// Records that a foot or another robot moves robot `i`.
    #[inline]
    pub fn note(&mut self, i: usize) {
        self.moved[i] |= NOW | UNLIMITED;
    }

    /// True if robot `i` is to be limited: others moved it since it was limited last.
    #[inline]
    #[must_use]
    pub fn is_unlimited(&self, i: usize) -> bool {
        self.moved[i] & UNLIMITED != 0
    }

    /// Records that robot `i` is limited, and whether that moves it.
    #[inline]
    pub fn note_limited(&mut self, i: usize, moves: bool) {
        self.moved[i] = self.moved[i] & !UNLIMITED | if moves { NOW } else { 0 };
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

    #[test]
    fn a_robot_is_limited_once_for_each_round_in_which_others_move_it() {
        let mut active = ActiveSet::default();
        active.restart(2);
        assert!(active.is_unlimited(0) && active.is_unlimited(1), "all at first");
        active.note_limited(0, false);
        active.note_limited(1, true);
        assert!(!active.is_unlimited(0) && !active.is_unlimited(1));
        active.begin_round();
        active.begin_round();
        active.note(0);
        active.note_limited(1, true);
        assert!(active.is_unlimited(0) && !active.is_unlimited(1) && active.has(1), "a limit moves a robot, too");
    }
}
