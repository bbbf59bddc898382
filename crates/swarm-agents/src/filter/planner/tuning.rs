//! Numbers of the band that were chosen by measurement. `docs/models/filter-tuning.md` lists the effect of each.

use crate::Drive;
use swarm_field::{FeetParams, Gait, Manner, Travel};

/// Knots a second. With twice as many a band needs several times the sweeps: a correction travels one knot a sweep.
const KNOTS_PER_S: u32 = 15;
/// Largest number of knots after the present one: the width of a band's row.
pub const MAX_KNOTS: usize = 12;

/// Ticks from one knot to the next: 4 at 60 Hz, and as near to a fifteenth of a second as other rates allow.
#[must_use]
pub fn ticks_per_knot(step_hz: u32) -> usize {
    ((step_hz + KNOTS_PER_S / 2) / KNOTS_PER_S).max(1) as usize
}

/// All numbers, grouped by what they change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Lengths of the band and of what it avoids.
    pub horizon: Horizon,
    /// Limits of the search for a plan.
    pub effort: Effort,
    /// Distances that the sweeps enforce.
    pub margins: Margins,
    /// Distances that the viability tube keeps from feet.
    pub tube: TubeMargins,
    /// Attraction of bands to their escape paths.
    pub escape: EscapeShares,
    /// The pull of the wish and of moving feet.
    pub pull: Pull,
    /// Shares of the drive's limits that a band may use.
    pub motion: MotionShares,
}

/// Lengths in knots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// Knots after the present one, at most [`MAX_KNOTS`].
    pub knots: usize,
    /// Knots from one plan to the next, where every robot can follow its plan.
    pub plan_knots: usize,
    /// Decisions of the filter in that time.
    pub plan_decisions: usize,
    /// Knots of the feet's path after the last knot of the band: the last knot is softly kept off them.
    pub tail_knots: usize,
    /// Knots of the viability tube; 0 where feet can seal no corner and there is no tube.
    pub tube_knots: usize,
}

/// Limits of the search for a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Maximum number of attempts at one plan.
    pub max_attempts: usize,
    /// Maximum number of sweeps of one attempt.
    pub max_sweeps: usize,
    /// Largest correction in a sweep, mm, at which the band counts as clean.
    pub clean_mm: f64,
    /// Over-relaxation of pair corrections.
    pub relaxation: f64,
}

/// Hard distances between knots, beyond `d_r_mm` and `d_h_mm`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// Distance beyond `d_r_mm` at each knot, mm.
    pub pair_mm: f64,
    /// Share of `pair_mm` that further attempts at a plan keep: a dense crowd has no space for all of it.
    pub further_pair_share: f64,
    /// Distance beyond `d_h_mm` at the present knot, error of the forecast included, mm.
    pub foot_mm: f64,
    /// Share of `foot_mm` that further attempts keep: with all of it a foot in a crowd pushes robots into each other.
    pub further_foot_share: f64,
    /// Distance beyond the foot margin within which a plan leads robots, mm; infinite where it leads all.
    pub lead_mm: f64,
    /// Growth of the foot margin, mm per second of look-ahead.
    pub foot_growth_mm_s: f64,
}

/// Distances of the viability tube from feet, beyond `d_h_mm`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeMargins {
    /// Distance now, mm.
    pub foot_mm: f64,
    /// Growth, mm per second of look-ahead: a gap that is barely open a second from now does not count.
    pub foot_growth_mm_s: f64,
    /// Further distance of the cautious tube up to the end of the forecast, in a sparse swarm, mm; less in a denser one, see
    /// [`SwarmModel::by_density`](crate::SwarmModel::by_density). With 0 there is no cautious tube.
    pub cautious_mm: f64,
}

/// Shares of the distance to its escape path by which one sweep moves a knot, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EscapeShares {
    /// For a knot outside the tube.
    pub outside: f64,
    /// For a knot inside the tube, in the first sweeps of the first attempt. A robot that has to leave then does so while others can still
    /// give way.
    pub inside_first: f64,
    /// The same in further attempts. Robots that block each other make those necessary, and a strong attraction draws them into each other.
    pub inside_further: f64,
}

/// The pull of the wish and of moving feet on the band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Time constant with which the band's velocities turn to the wish, s.
    pub time_s: f64,
    /// Time constant with which a wish fades along the band, s; infinite where it does not.
    pub wish_fade_s: f64,
    /// Largest wished speed, mm/s; infinite where the whole wish counts.
    pub max_wish_mm_s: f64,
    /// Strength of the flow round a moving foot: 1 is the dipole of a disc in an ideal fluid.
    pub flow: f64,
    /// Distance beyond `d_h_mm` within which bands are drawn away from feet in a sparse swarm, mm; less in a denser one, see
    /// [`SwarmModel::by_density`](crate::SwarmModel::by_density).
    pub foot_comfort_mm: f64,
}

/// Shares of the drive's limits, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionShares {
    /// Share of the speed limit for the distance of two knots.
    pub speed: f64,
    /// Share of the acceleration limit for a bend.
    pub bend: f64,
}

/// What decides the numbers: the drive, and what feet do.
#[derive(Clone, Copy, Debug)]
struct Case {
    is_differential: bool,
    feet_orbit: bool,
    feet_wait: bool,
    feet_stay_inside: bool,
    /// Feet that never wait and may come near an edge.
    feet_walk_anywhere: bool,
    /// All robots are led: a foot can catch any, or bodies follow decisions late and motions have to be calm.
    leads_all: bool,
    /// Bands flow round feet before they come: feet press robots against walls or against each other, or bodies follow late. Wheels between
    /// several feet do better without.
    flows: bool,
    /// Bands follow the whole wish: feet press robots against nothing.
    follows_wish: bool,
    /// Robots on wheels, and feet that never wait and stay inside.
    wheels_in_core: bool,
}

impl Case {
    fn new(drive: Drive, feet: &FeetParams, bodies_lag: bool) -> Self {
        let feet_orbit = feet.gait == Gait::Orbit;
        let feet_wait = feet.manner == Manner::Considerate;
        let feet_stay_inside = feet.travel == Travel::Core;
        let feet_walk_anywhere = !feet_wait && !feet_stay_inside;
        let is_differential = drive == Drive::Differential;
        let feet_press = !feet_wait && feet.count > 1 && !is_differential;
        let flows = feet_orbit || feet_walk_anywhere || feet_press || bodies_lag;
        let follows_wish = !flows && !feet_wait;
        let wheels_in_core = follows_wish && is_differential;
        Self {
            is_differential,
            feet_orbit,
            feet_wait,
            feet_stay_inside,
            feet_walk_anywhere,
            leads_all: feet_walk_anywhere || bodies_lag,
            flows,
            follows_wish,
            wheels_in_core,
        }
    }
}

impl Tuning {
    /// The numbers for a drive and the feet of a scenario. Bodies that follow decisions late are led at all times, by a calm plan.
    #[must_use]
    pub fn new(drive: Drive, feet: &FeetParams, bodies_lag: bool) -> Self {
        let case = Case::new(drive, feet, bodies_lag);
        let anywhere = case.feet_walk_anywhere;
        Self {
            horizon: Horizon::for_case(case),
            effort: Effort {
                max_attempts: match case {
                    // Feet that wait need no better plan.
                    Case { feet_wait: true, .. } => 1,
                    // Between several such feet nearly every plan has faults in all attempts.
                    Case { feet_walk_anywhere: true, .. } if feet.count > 1 => 3,
                    Case { wheels_in_core: true, .. } => 16,
                    Case { leads_all: true, .. } | Case { follows_wish: true, .. } => 36,
                    _ => 72,
                },
                max_sweeps: match case {
                    Case { feet_wait: true, .. } | Case { follows_wish: true, .. } => 48,
                    _ => 200,
                },
                clean_mm: 0.4,
                relaxation: 1.7,
            },
            margins: Margins::for_case(case, feet.acceleration_s[0]),
            tube: TubeMargins { foot_mm: 4.0, foot_growth_mm_s: 5.0, cautious_mm: if anywhere { 5.0 } else { 0.0 } },
            escape: EscapeShares {
                outside: if anywhere { 0.2 } else { 1.0 },
                inside_first: if anywhere { 0.05 } else { 0.0 },
                inside_further: 0.02,
            },
            pull: Pull {
                time_s: match case {
                    Case { wheels_in_core: true, .. } => 1.0,
                    Case { follows_wish: true, .. } => 0.2,
                    Case { flows: true, feet_walk_anywhere: false, .. } => 0.3,
                    _ => 0.6,
                },
                wish_fade_s: if case.follows_wish { f64::INFINITY } else { 0.5 },
                max_wish_mm_s: if case.follows_wish { f64::INFINITY } else { 140.0 },
                flow: if case.flows { 1.0 } else { 0.0 },
                foot_comfort_mm: if anywhere { 80.0 } else { 0.0 },
            },
            motion: MotionShares { speed: 0.96, bend: 0.6 },
        }
    }
}

impl Horizon {
    /// The band covers a third of a second where feet press robots against nothing: a longer one leads more robots than it has to. Wheels
    /// have to turn first, and get half a second, as late bodies before feet that wait do. Where feet press, the band covers 0.7 s.
    ///
    /// It covers 0.8 s where feet wait and may come near an edge: emptying a corner takes that long. Where such feet do not wait, escape
    /// paths make robots leave in time, and a longer band only changes sides more often.
    ///
    /// A foot on an orbit drives a dense ring of robots all the time. There the band covers 0.4 s, and its end keeps off the foot's path of
    /// the third of a second after that. Without the tail a robot right in front is pushed along until it meets one that cannot give way.
    ///
    /// A plan is good for two knots, unless feet press, and for three where points meet feet that wait. It lasts four decisions, but points
    /// decide once a knot where nothing presses: they keep as clear. So do late bodies before feet that wait, which wait less then.
    fn for_case(case: Case) -> Self {
        let (plan_knots, plan_decisions) = match case {
            Case { feet_stay_inside: false, .. }
            | Case { feet_orbit: true, .. }
            | Case { leads_all: true, feet_wait: false, .. } => (1, 4),
            Case { leads_all: true, .. } => (2, 2),
            Case { flows: true, .. } | Case { is_differential: true, .. } => (2, 4),
            Case { feet_wait: true, .. } => (3, 3),
            _ => (2, 2),
        };
        Self {
            plan_knots,
            plan_decisions,
            knots: match case {
                Case { feet_stay_inside: true, feet_orbit: true, .. } => 6,
                Case { feet_stay_inside: false, feet_wait: true, .. } => MAX_KNOTS,
                Case { wheels_in_core: true, .. } => 7,
                Case { feet_stay_inside: true, flows: false, .. } => 5,
                Case { leads_all: true, feet_wait: true, .. } => 8,
                _ => 10,
            },
            tail_knots: if case.feet_orbit { 5 } else { 0 },
            tube_knots: if case.feet_stay_inside { 0 } else { 20 },
        }
    }
}

impl Margins {
    /// Feet that may come near an edge ask for larger margins. A differential drive follows its band less closely and keeps more. A
    /// foot that starts in less than a second, `start_s`, may be farther on than expected, now and later.
    fn for_case(case: Case, start_s: f64) -> Self {
        let starts_per_s = 1.0 / start_s.clamp(0.25, 1.0);
        Self {
            pair_mm: match case {
                Case { is_differential: true, .. } => 6.0,
                Case { feet_walk_anywhere: true, .. } => 5.0,
                _ => 4.0,
            },
            further_pair_share: 0.5,
            foot_mm: match case {
                Case { wheels_in_core: true, .. } => 12.0,
                Case { is_differential: true, .. } => 10.0,
                _ => 6.0 + 1.3 * (starts_per_s - 1.0),
            },
            further_foot_share: if case.leads_all || case.is_differential { 1.0 } else { 0.5 },
            lead_mm: match case {
                Case { leads_all: true, .. } => f64::INFINITY,
                Case { flows: true, .. } => 10.0,
                _ => 0.0,
            },
            foot_growth_mm_s: match case {
                Case { feet_wait: true, .. } => 0.0,
                Case { wheels_in_core: true, .. } => 20.0,
                Case { feet_orbit: false, feet_walk_anywhere: false, is_differential: true, .. } => 40.0,
                _ => 10.0 * starts_per_s,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances now and their growth, mm and mm/s.
    #[test]
    fn margins_are_larger_and_grow_faster_before_feet_that_start_quickly() {
        let margins = |start_s| {
            let feet = FeetParams { acceleration_s: [start_s, 2.0], ..FeetParams::default() };
            let Margins { foot_mm, foot_growth_mm_s, .. } = Tuning::new(Drive::Point, &feet, false).margins;
            (foot_mm, foot_growth_mm_s)
        };
        let expected = [(9.9, 40.0), (9.9, 40.0), (7.3, 20.0), (6.0, 10.0), (6.0, 10.0)];
        for (start_s, (foot_mm, growth_mm_s)) in [0.0, 0.25, 0.5, 1.0, 2.0].into_iter().zip(expected) {
            let found = margins(start_s);
            assert!((found.0 - foot_mm).abs() < 1e-9 && found.1 == growth_mm_s, "{start_s} s: {found:?}");
        }
    }

    /// A fifteenth of a second, as near as whole ticks come to it, and never none.
    #[test]
    fn knots_are_a_fifteenth_of_a_second_apart() {
        let ticks = [5, 15, 30, 50, 60, 90, 100, 120, 240].map(ticks_per_knot);
        assert_eq!(ticks, [1, 1, 2, 3, 4, 6, 7, 8, 16]);
    }
}
