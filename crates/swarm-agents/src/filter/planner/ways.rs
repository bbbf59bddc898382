//! New ways for bands at fault: where a further attempt at a plan lets them start.

use super::limits::SweepLimits;
use super::restarts::squared_lack_mm2;
use super::rows::{KnotSet, Row};
use super::surroundings::Surroundings;
use crate::Agents;
use crate::filter::trajectories::StoredMotion;
use sim_core::{DVec2, Stream};

/// Number of directions that the freest way is chosen from.
const DIRECTIONS: usize = 16;
/// The unit vector of a sixteenth of a turn.
const SIXTEENTH: DVec2 = DVec2::new(0.923_879_532_511_286_7, 0.382_683_432_365_089_8);
/// Chances of the freest way where it is tried, beside one each to stand, to follow the stored trajectory and to go straight to the band's
/// end.
const FREEST_CHANCES: u64 = 2;

/// What new ways are chosen by.
pub(super) struct Ways<'a> {
    pub(super) limits: &'a SweepLimits,
    pub(super) surroundings: &'a Surroundings,
    pub(super) stored: &'a StoredMotion<'a>,
    pub(super) agents: &'a Agents,
    /// The last knot.
    pub(super) last: usize,
    /// Ticks from one knot to the next.
    pub(super) knot_ticks: usize,
    /// Whether the freest way is tried.
    pub(super) tries_freest: bool,
}

impl Ways<'_> {
    /// A new band for robot `i` among these bands.
    pub(super) fn draw(&self, i: usize, bands: &[Row], mut stream: Stream) -> Row {
        let band = &bands[i];
        let (here, end) = (band.at_mm(0), band.at_mm(self.last));
        match stream.below(if self.tries_freest { 3 + FREEST_CHANCES } else { 3 }) {
            0 => Row::along(self.last, |_| here),
            1 => Row::along(self.last, |k| if k == 0 { here } else { self.stored.place_mm(i, k * self.knot_ticks) }),
            2 => Row::along(self.last, |k| here.lerp(end, k as f64 / self.last as f64)),
            _ => self.freest(i, bands, stream.direction()),
        }
    }

    /// The way of robot `i` with the smallest sum of squared lacks of distance. One after the other it tries the sixteen directions from
    /// `direction` on; the first of equal ones is the freest. Walls on the mat are left to the sweeps.
    fn freest(&self, i: usize, bands: &[Row], mut direction: DVec2) -> Row {
        let mut freest = (f64::INFINITY, bands[i]);
        for _ in 0..DIRECTIONS {
            let way = self.towards(i, &bands[i], direction);
            let lacks_mm2 = self.lacks_mm2(i, &way, bands);
            if lacks_mm2 < freest.0 {
                freest = (lacks_mm2, way);
            }
            direction = direction.rotate(SIXTEENTH);
        }
        freest.1
    }

    /// The way that turns from the present velocity to full speed in a direction, inside the box.
    fn towards(&self, i: usize, band: &Row, direction: DVec2) -> Row {
        let motion = &self.limits.motion;
        let (mut place, mut step) = (band.at_mm(0), self.agents.velocity_mm_s[i] * motion.knot_s);
        let mut way = *band;
        for k in 1..=self.last {
            step += (direction * motion.segment_mm - step).clamp_length_max(motion.bend_mm);
            place += step;
            way.set_mm(k, place);
        }
        way.clamp(KnotSet::up_to(self.last), self.limits.bounds);
        way
    }

    /// Sum of the squared lacks of distance of a way of robot `i` to the bands of others and to feet, mm^2.
    fn lacks_mm2(&self, i: usize, way: &Row, bands: &[Row]) -> f64 {
        let knots = KnotSet::up_to(self.last);
        let lack_mm2 =
            |k: usize, other_mm: DVec2, distance_mm: f64| squared_lack_mm2((way.at_mm(k), other_mm), distance_mm);
        let Surroundings { neighbours, near_feet, feet, .. } = self.surroundings;
        let apart_mm = self.limits.pair.apart_mm;
        let of_robot = |&j: &u32| {
            let other = &bands[j as usize];
            way.nearer_than(apart_mm, other, knots).map(|k| lack_mm2(k, other.at_mm(k), apart_mm)).sum::<f64>()
        };
        let of_foot =
            |foot: usize| knots.map(|k| lack_mm2(k, feet.place_mm(foot, k), self.limits.foot.at_mm(k))).sum::<f64>();
        neighbours.of(i).iter().map(of_robot).sum::<f64>() + near_feet.of(i).map(of_foot).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::model::fixture::in_the_core;
    use crate::filter::planner::Plan;
    use crate::filter::trajectories::Trajectories;
    use crate::filter::{FilterInput, Sight};
    use crate::{Drive, purpose};
    use sim_core::{RunKey, Tick, ops};
    use std::f64::consts::TAU;
    use swarm_field::{Feet, Forecast};

    const HERE: DVec2 = DVec2::splat(200.0);
    const KEY: RunKey = RunKey { seed: 1, run_index: 0 };

    /// Robots at rest, of which robot 0 stands at [`HERE`] and has to get away, and a foot that stands.
    fn with_ways<T>(others_mm: &[DVec2], foot_mm: DVec2, look: impl Fn(&Ways<'_>, &[Row]) -> T) -> T {
        let (model, feet_model) = in_the_core();
        let places_mm: Vec<DVec2> = [HERE].into_iter().chain(others_mm.iter().copied()).collect();
        let agents = Agents::at_rest(places_mm.clone());
        let forecasts = [Forecast { mean_mm: vec![foot_mm; 37], velocity_mm_s: vec![DVec2::ZERO; 37] }];
        let input = FilterInput {
            agents: &agents,
            wish_mm_s: &[],
            feet: &Feet::new(&feet_model, KEY),
            forecasts: &forecasts,
            sight: Sight::Foretold,
            key: KEY,
            tick: Tick(0),
        };
        let mut trajectories = Trajectories::default();
        trajectories.resize(Drive::Point, places_mm.len(), 30);
        for frame in 0..30 {
            trajectories.set(0, frame, HERE + DVec2::new(0.0, frame as f64 + 1.0), DVec2::X);
        }
        let stored = StoredMotion { trajectories: &trajectories, age: 0, path_speed_factors: &[1.0] };
        let mut plan = Plan::default();
        plan.knot_ticks = model.knot_ticks;
        plan.shift(&agents, model.tuning.horizon.knots, &stored, 1e3);
        plan.predict_rates(&stored, 1.0);
        let mut surroundings = Surroundings::default();
        surroundings.rebuild(&model, &mut plan, &input);
        let (limits, last, knot_ticks) = (&SweepLimits::new(&model), plan.last, model.knot_ticks);
        let (stored, agents, surroundings) = (&stored, &agents, &surroundings);
        look(&Ways { limits, surroundings, stored, agents, last, knot_ticks, tries_freest: true }, &plan.rows)
    }

    /// Directions in which the search may begin.
    fn directions() -> impl Iterator<Item = DVec2> {
        (0..40).map(|i| DVec2::from_angle(TAU * f64::from(i) / 40.0))
    }

    /// Six robots shut a robot in on all sides but one: no direction of the sixteen is farther from that than a thirty-second of a turn.
    #[test]
    fn the_freest_way_leads_out_on_the_open_side() {
        for open in directions() {
            let others: Vec<DVec2> =
                (2..=6).map(|i| HERE + open.rotate(DVec2::from_angle(TAU * f64::from(i) / 8.0)) * 62.0).collect();
            with_ways(&others, DVec2::new(-900.0, 0.0), |ways, bands| {
                for direction in directions() {
                    let out = ways.freest(0, bands, direction).at_mm(ways.last) - HERE;
                    // Steps of 8, 16 and three times 16.1 mm.
                    assert!((out.length() - 72.4).abs() < 0.1, "{out}");
                    assert!(out.normalize().dot(open) > ops::cos(TAU / 32.0 + 1e-9), "{out} for {open}");
                }
            });
        }
    }

    /// A robot 11 mm inside the margin of a foot is still 3.7 mm inside at the first knot, 8 mm farther on. The freest way leads straight
    /// away from the foot, as near as sixteenths come.
    #[test]
    fn the_freest_way_leads_away_from_a_foot() {
        for away in directions() {
            with_ways(&[], HERE - away * 95.0, |ways, bands| {
                let end = ways.freest(0, bands, DVec2::X).at_mm(ways.last) - HERE;
                assert!(end.normalize().dot(away) > ops::cos(TAU / 32.0 + 1e-9), "{end} for {away}");
            });
        }
    }

    /// Two of five draws choose the freest way. The others stand, follow the stored trajectory (4 mm a knot along y), or go straight to the
    /// band's end.
    #[test]
    fn each_kind_is_drawn() {
        with_ways(&[], DVec2::new(-900.0, 0.0), |ways, bands| {
            let mut bands = bands.to_vec();
            bands[0].set_mm(1, HERE + DVec2::new(9.0, 9.0));
            bands[0].set_mm(ways.last, HERE + DVec2::new(50.0, 0.0));
            let mut counts = [0; 4];
            for owner in 0..1000 {
                let way = ways.draw(0, &bands, KEY.stream(purpose::PLAN_ATTEMPT, owner, 0));
                let steps_mm = [DVec2::ZERO, DVec2::new(0.0, 4.0), DVec2::new(10.0, 0.0)];
                let is_along =
                    |step: &DVec2| (0..=ways.last).all(|k| way.at_mm(k).distance(HERE + *step * k as f64) < 1e-9);
                counts[steps_mm.iter().position(is_along).unwrap_or(3)] += 1;
            }
            // Three standard deviations of a thousand draws.
            assert!(counts[..3].iter().all(|count| (162..=238).contains(count)), "{counts:?}");
            assert!((353..=447).contains(&counts[3]), "{counts:?}");
        });
    }
}
