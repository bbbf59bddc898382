//! The constraints of one plan, as distances between knots.

use crate::filter::certificate::proof::ClearDistances;
use crate::filter::model::FilterModel;
use sim_core::Rect;

/// The band keeps this distance inside the box, so that a robot that follows it never touches the box's border, mm.
const WALL_MARGIN_MM: f64 = 0.25;
/// Sweeps of an attempt that attract knots inside the tube to their escape paths.
const INSIDE_ESCAPE_SWEEPS: usize = 100;

/// All constraints.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepLimits {
    pub(super) pair: PairLimits,
    pub(super) foot: FootLimits,
    pub(super) motion: MotionLimits,
    /// Distance beyond that to feet within which robots are led, mm; infinite where all are.
    pub(super) lead_mm: f64,
    /// Shares of the distance to its escape path by which a sweep moves a knot outside the tube, and one inside.
    escape_shares: (f64, f64),
    /// Largest correction of a sweep at which a block counts as clean, mm.
    pub(super) clean_mm: f64,
    /// Where knots may be.
    pub(super) bounds: Rect,
    /// Distance that knots keep from walls on the mat, mm.
    pub(super) wall_mm: f64,
}

/// Distances of two robots.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairLimits {
    /// Distance that robots keep that no plan leads, mm. Nearer to a robot that is led, another one is in its way.
    pub(super) clear_mm: f64,
    /// Distance to which the sweeps push robots apart, mm.
    pub(super) apart_mm: f64,
    /// Share of a lack to that distance that one push corrects.
    pub(super) relaxation: f64,
}

/// Distance to a foot, growing with the look-ahead.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootLimits {
    now_mm: f64,
    growth_mm: f64,
    /// Knots of a foot's path after the last knot, which that knot keeps off softly.
    pub(super) tail_knots: usize,
}

/// Motion from knot to knot.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotionLimits {
    /// Longest distance of two knots, mm.
    pub(super) segment_mm: f64,
    /// Largest second difference of three knots, mm.
    pub(super) bend_mm: f64,
    /// Farthest that the first knot may be from straight on at the present velocity, mm.
    pub(super) first_bend_mm: f64,
    /// Time from knot to knot, s.
    pub(super) knot_s: f64,
}

impl FootLimits {
    /// Distance to keep from a foot at knot `k`, mm.
    #[inline]
    pub(super) fn at_mm(&self, k: usize) -> f64 {
        self.now_mm + self.growth_mm * k as f64
    }
}

impl MotionLimits {
    fn new(model: &FilterModel) -> Self {
        let (limits, shares, knot_s) = (&model.swarm.limits, &model.tuning.motion, model.knot_s());
        let s = model.knot_ticks as f64;
        Self {
            segment_mm: shares.speed * limits.v_max_mm_s * knot_s,
            bend_mm: shares.bend * limits.a_max_mm_s2 * knot_s * knot_s,
            // Displacement by a constant acceleration in the first s ticks: s (s + 1) / 2 of a dt^2.
            first_bend_mm: shares.bend * limits.a_max_mm_s2 * model.swarm.step_s * model.swarm.step_s * s * (s + 1.0)
                / 2.0,
            knot_s,
        }
    }
}

impl SweepLimits {
    /// The constraints of a first attempt.
    pub(super) fn new(model: &FilterModel) -> Self {
        let (clearances, tuning) = (&model.swarm.clearances, &model.tuning);
        Self {
            pair: PairLimits {
                clear_mm: ClearDistances::new(model).pair_mm,
                apart_mm: clearances.d_r_mm + tuning.margins.pair_mm,
                relaxation: tuning.effort.relaxation,
            },
            foot: FootLimits {
                now_mm: clearances.d_h_mm + tuning.margins.foot_mm,
                growth_mm: tuning.margins.foot_growth_mm_s * model.knot_s(),
                tail_knots: tuning.horizon.tail_knots,
            },
            motion: MotionLimits::new(model),
            lead_mm: tuning.margins.lead_mm,
            escape_shares: (tuning.escape.outside, tuning.escape.inside_first),
            clean_mm: tuning.effort.clean_mm,
            bounds: model.swarm.bounds.inset(WALL_MARGIN_MM),
            wall_mm: model.walls.clear_mm() + WALL_MARGIN_MM,
        }
    }

    /// True if a plan leads all robots.
    pub(super) fn leads_all(&self) -> bool {
        self.lead_mm.is_infinite()
    }

    /// The constraints of further attempts.
    pub(super) fn for_further_attempts(&self, model: &FilterModel) -> Self {
        let (margins, escape) = (&model.tuning.margins, &model.tuning.escape);
        let apart_mm = self.pair.apart_mm - (1.0 - margins.further_pair_share) * margins.pair_mm;
        let now_mm = self.foot.now_mm - (1.0 - margins.further_foot_share) * margins.foot_mm;
        Self {
            pair: PairLimits { apart_mm, ..self.pair },
            foot: FootLimits { now_mm, ..self.foot },
            escape_shares: (escape.outside, escape.inside_further),
            ..*self
        }
    }

    /// Shares by which a sweep moves a knot outside and one inside the tube towards its escape path.
    #[inline]
    pub(super) fn escape_shares_in(&self, sweep: usize) -> (f64, f64) {
        let (outside, inside) = self.escape_shares;
        (outside, if sweep < INSIDE_ESCAPE_SWEEPS { inside } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::model::fixture::in_the_core;

    /// Points before a foot in the core keep 64 mm from each other and 106 mm from the foot at first. Further attempts keep half of what
    /// goes beyond 60 and 100 mm. The distance to the foot grows by 10 mm/s, which is two thirds of a millimetre a knot.
    #[test]
    fn further_attempts_keep_half_of_both_margins() {
        let (model, _) = in_the_core();
        let first = SweepLimits::new(&model);
        let further = first.for_further_attempts(&model);
        let distances_mm = |limits: SweepLimits| [limits.pair.apart_mm, limits.foot.at_mm(0), limits.foot.at_mm(3)];
        assert_eq!(distances_mm(first), [64.0, 106.0, 108.0]);
        assert_eq!(distances_mm(further), [62.0, 103.0, 105.0]);
    }
}
