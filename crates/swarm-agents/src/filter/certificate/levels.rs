//! Levels of caution of a robot in the search for a clear set.
//!
//! Levels 0 to 3 follow the plan for fewer and fewer ticks and then brake. Then comes a step of the robot's own, and last its stored
//! trajectory.

use crate::filter::exchange::Decision;

/// Ticks for which a proposal follows the plan before it brakes, level by level.
pub(super) const FOLLOW_FRAMES: [usize; 4] = [8, 4, 2, 1];
/// Last level that follows the plan long enough to be better than an older trajectory.
pub(super) const LAST_FOLLOWING: u8 = 1;
/// Level at which a robot takes a step of its own.
pub(super) const SOLO: u8 = FOLLOW_FRAMES.len() as u8;
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
