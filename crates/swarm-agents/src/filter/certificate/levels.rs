//! Levels of caution of a robot in the search for a clear set.
//!
//! Levels 0 to 3 follow the plan for shorter and shorter times and then brake. Then comes a step of the robot's own, and last its stored
//! trajectory.

use crate::filter::exchange::Decision;

/// Ticks for which a proposal follows the plan before it brakes: two knots at level 0, and half as many at each further one.
pub(super) fn follow_ticks(knot_ticks: usize, level: u8) -> usize {
    ((2 * knot_ticks) >> level).max(1)
}

/// Last level that follows the plan long enough to be better than an older trajectory.
pub(super) const LAST_FOLLOWING: u8 = 1;
/// Level at which a robot takes a step of its own, after the four that follow the plan.
pub(super) const SOLO: u8 = 4;
/// Level at which a robot keeps its stored trajectory.
pub(super) const STORED: u8 = SOLO + 1;

/// The decision that a level stands for.
pub(super) fn decision(level: u8) -> Decision {
    match level {
        0 => Decision::Proposed,
        SOLO => Decision::Solo,
        STORED => Decision::Stored,
        _ => Decision::Brake,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two knots, one, a half and a quarter, but at least a tick.
    #[test]
    fn each_level_follows_for_half_the_time() {
        let ticks = |knot_ticks| [0, 1, 2, 3].map(|level| follow_ticks(knot_ticks, level));
        assert_eq!(ticks(4), [8, 4, 2, 1]);
        assert_eq!(ticks(8), [16, 8, 4, 2]);
        assert_eq!(ticks(2), [4, 2, 1, 1]);
        assert_eq!(ticks(1), [2, 1, 1, 1]);
    }
}
