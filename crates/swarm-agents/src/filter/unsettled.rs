//! Who has to be looked at again in an iteration that projects on one constraint after the other.
//!
//! A constraint whose robots have not moved since it was looked at last would change nothing. So in a swarm of which only a few
//! robots are still in conflict a round costs little more than those few, and its result is, bit by bit, that of looking at all.

/// Moved in the present round.
const NOW: u8 = 1;
/// Moved in the round before.
const BEFORE: u8 = 2;

/// Robots that moved in the present round or in the one before.
#[derive(Clone, Debug, Default)]
pub struct Unsettled {
    moved: Vec<u8>,
}

impl Unsettled {
    /// From the next round on every one of so many robots is to be looked at.
    pub fn restart(&mut self, robots: usize) {
        self.moved.clear();
        self.moved.resize(robots, NOW);
    }

    /// A round begins.
    pub fn begin_round(&mut self) {
        self.moved.iter_mut().for_each(|moved| *moved = if *moved & NOW == 0 { 0 } else { BEFORE });
    }

    /// Robot `i` moves.
    #[inline]
    pub fn note(&mut self, i: usize) {
        self.moved[i] |= NOW;
    }

    /// True if robot `i` has to be looked at.
    #[inline]
    #[must_use]
    pub fn has(&self, i: usize) -> bool {
        self.moved[i] != 0
    }

    /// True if one of two robots has to be looked at.
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
    fn a_robot_is_looked_at_in_the_round_of_its_move_and_the_next() {
        let mut unsettled = Unsettled::default();
        unsettled.restart(2);
        unsettled.begin_round();
        assert!(unsettled.has(0) && unsettled.has(1), "everybody at first");
        unsettled.note(1);
        unsettled.begin_round();
        assert!(!unsettled.has(0) && unsettled.has(1) && unsettled.has_either(0, 1));
        unsettled.begin_round();
        assert!(!unsettled.has_either(0, 1));
        unsettled.note(0);
        assert!(unsettled.has(0));
    }
}
