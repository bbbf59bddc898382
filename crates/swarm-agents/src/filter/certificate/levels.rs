//! Levels of caution of a robot in the search for a clear set.
//!
//! Levels 0 to 3 follow the plan for shorter and shorter times and then brake. One that would follow as long as the one before, up to the
//! next decision, is left out. Then come steps of the robot's own up to the next decision, and last its stored trajectory.

use crate::filter::exchange::Decision;
use crate::filter::model::FilterModel;

/// Ticks for which a proposal follows the plan before it brakes: a knot and a half at level 0, half as many at each further one, and at
/// least up to the next decision.
pub(super) fn follow_ticks(model: &FilterModel, level: u8) -> usize {
    ((3 * model.knot_ticks / 2) >> level).max(model.decision_ticks())
}

/// The next, more cautious level: one that follows the plan for a shorter time, steps of the robot's own, or its stored trajectory.
pub(super) fn next(model: &FilterModel, level: u8) -> u8 {
    let is_shorter = |&next: &u8| next >= SOLO || follow_ticks(model, next) < follow_ticks(model, level);
    (level + 1..STORED).find(is_shorter).unwrap_or(STORED)
}

/// Last level that follows the plan long enough to be better than an older trajectory.
pub(super) const LAST_FOLLOWING: u8 = 1;
/// Level at which a robot takes steps of its own, after the four that follow the plan.
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
    use crate::filter::model::fixture::in_the_core;

    /// A knot and a half, and half of it each time, but at least up to the next decision: half of a plan, and no more than four ticks.
    #[test]
    fn each_level_follows_for_half_the_time() {
        let mut model = in_the_core().0;
        let mut ticks = |knot_ticks, plan_knots| {
            (model.knot_ticks, model.tuning.horizon.plan_knots) = (knot_ticks, plan_knots);
            [0, 1, 2, 3].map(|level| follow_ticks(&model, level))
        };
        assert_eq!([ticks(4, 1), ticks(4, 2)], [[6, 3, 2, 2], [6, 4, 4, 4]]);
        assert_eq!([ticks(8, 1), ticks(8, 2)], [[12, 6, 4, 4]; 2]);
        assert_eq!([ticks(2, 1), ticks(2, 2)], [[3, 1, 1, 1], [3, 2, 2, 2]]);
        assert_eq!([ticks(1, 1), ticks(1, 2)], [[1; 4]; 2]);
    }

    /// Levels that follow for as long as the one before are left out.
    #[test]
    fn the_next_level_is_more_cautious() {
        let mut model = in_the_core().0;
        let mut levels = |plan_decisions| {
            model.tuning.horizon.plan_decisions = plan_decisions;
            let next = |&level: &u8| (level < STORED).then(|| next(&model, level));
            std::iter::successors(Some(0), next).collect::<Vec<_>>()
        };
        assert_eq!([2, 4].map(&mut levels), [vec![0, 1, SOLO, STORED], vec![0, 1, 2, SOLO, STORED]]);
        assert_eq!(levels(8), [0, 1, 2, SOLO, STORED]);
    }
}
