//! The look-ahead planner: one space-time elastic band for all robots together.
//!
//! Each robot has a short future path of knots, `FRAMES_PER_KNOT` ticks apart. The whole set is kept from plan to plan,
//! shifted by the time that went by, pulled towards what the robots wish, and then repaired by sweeps that project it on the
//! constraints one after the other (Gauss-Seidel, "position based"): pairs apart *at equal times*, knots outside the predicted
//! feet, inside the box, steps no longer than the speed limit and bends no sharper than the acceleration limit. Large mats are swept
//! district by district.
//!
//! The planner promises nothing by itself: the certificate checks what it proposes. It decides how alive the swarm is and how
//! rarely anybody has to brake. It is why feet are cleared early enough: a robot at rest in front of a foot cannot be saved by
//! braking.

use super::attempts::{self, Attempts};
use super::certificate::Certificate;
use super::districts::Districts;
use super::feet_ahead::{Beyond, FeetAhead, RateAhead};
use super::near_feet::NearFeet;
use super::tube::Tubes;
use super::ways_out::WaysOut;
use super::{Decision, FilterInput, FilterModel};
use crate::purpose;
use crate::{Agents, Drive, Neighbours};
use sim_core::{DVec2, Rect, StateHash, ops};
use std::ops::Range;
use swarm_field::{FeetParams, Gait, Manner, Travel};

/// Ticks from one knot to the next, and from one plan to the next where every robot could follow its plan. Knots half as far apart would
/// need several times the sweeps: a correction travels one knot a sweep.
pub const FRAMES_PER_KNOT: usize = 4;
/// Plans after which a band that its robot still cannot follow is begun anew: sweeps of several plans add up, so most are mended before.
const PLANS_TO_MEND: u32 = 6;
/// Sweeps for which a list of contacts is good: between two lists nobody moves much farther than its slack.
const SWEEPS_PER_LIST: usize = 8;
/// Distance beyond the one to be kept up to which a pair is listed as a contact, mm.
const CONTACT_SLACK_MM: f64 = 4.0;
/// The same for a robot and a foot, mm.
const FOOT_SLACK_MM: f64 = 10.0;
/// Contacts per robot and knot that room is made for; six discs touch a seventh.
const CONTACTS_PER_ROBOT: usize = 6;
/// Distance beyond `d_r_mm` up to which two bands are listed as a pair, mm.
const PAIR_SLACK_MM: f64 = 25.0;
/// Distance of two robots, in `d_r_mm`, up to which their bands are asked whether they come near each other; where pairs are listed anew up
/// to the second, since two that leave for one way out meet from farther away.
const MEETING_REACH: (f64, f64) = (2.75, 5.0);
/// Distance beyond `d_r_mm` and beyond `d_h_mm` that knots of a plan without faults keep, mm: less than the sweeps aim at, since most plans
/// that lack no more than that can be followed.
const FAULT_SLACK_MM: (f64, f64) = (0.5, 1.0);
/// Pairs per robot that room is made for.
const PAIRS_PER_ROBOT: usize = 15;
/// Weight with which a sweep pushes the last knot off the way that a foot goes after it.
const TAIL_WEIGHT: f64 = 0.15;
/// Time in which a band would make good what it lacks to the comfort distance from a foot, s.
const FOOT_COMFORT_S: f64 = 0.3;
/// Sweeps that push softly towards the comfort distance.
const COMFORT_SWEEPS: usize = 6;
/// Sweeps of an attempt that lead robots along their ways out although they still could linger.
const EARLY_LEAD_SWEEPS: usize = 100;
/// Expected growth of a considerate foot's play rate per tick.
const RATE_CLIMB: f64 = 0.02;
/// Least share of that growth that a foot which stands blocked is expected to show: somebody has to make room for it in the end.
const LEAST_PATIENCE: f64 = 0.3;
/// The band keeps this much inside the box, so that following it never touches the box's border.
const WALL_MARGIN_MM: f64 = 0.25;

/// Numbers of the band that were chosen by measurement; see `docs/models/filter.md` for what each one buys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Knots after the present one.
    pub knots: usize,
    /// Knots after the last one up to which the feet's way is looked at: the last knot is softly kept off it.
    pub tail_knots: usize,
    /// Knots that the viability tube looks ahead; 0 where feet can seal no corner and there is no tube.
    pub tube_knots: usize,
    /// Whether pairs and contacts are listed anew when bands have strayed far in the sweeps. Where feet wait, robots stand more for it and
    /// feet wait as long.
    pub relists: bool,
    /// Most attempts at one plan where there is a tube.
    pub attempts: usize,
    /// Most sweeps of one attempt.
    pub sweeps: usize,
    /// Largest correction in a sweep, mm, at which the band counts as clean.
    pub clean_mm: f64,
    /// Distance kept beyond `d_r_mm` at each knot.
    pub pair_margin_mm: f64,
    /// Share of that distance that further attempts at a plan keep: where robots have no room it is better to have less of it.
    pub tight_share: f64,
    /// Distance kept beyond `d_h_mm` at the first knot, forecast error included.
    pub foot_margin_mm: f64,
    /// Growth of the foot margin, mm per second of look-ahead.
    pub foot_margin_mm_s: f64,
    /// Distance beyond `d_h_mm` that the viability tube keeps from feet now.
    pub tube_margin_mm: f64,
    /// Growth of that distance, mm per second of look-ahead: no gap counts that is open by a hair a second from now.
    pub tube_margin_mm_s: f64,
    /// Room beyond the tube's margin that a cautious tube keeps from feet up to the end of the forecast, where robots have room; less among
    /// more robots, see [`SwarmModel::by_room`](crate::SwarmModel::by_room), and with 0 there is no such tube.
    pub doubt_mm: f64,
    /// Share of the way to its way out that a sweep moves a place outside the tube.
    pub lead_share: f64,
    /// The same for a place inside the tube, in the first sweeps of the first attempt: who has to leave does so while others still can make
    /// room.
    pub early_lead_share: f64,
    /// The same in further attempts, which robots in each other's way made necessary: who is drawn hard is drawn into others.
    pub further_lead_share: f64,
    /// Over-relaxation of pair corrections.
    pub relaxation: f64,
    /// Time constant with which the band's velocities turn to the wish, s.
    pub pull_s: f64,
    /// Time constant with which a wish fades along the band, s.
    pub wish_fade_s: f64,
    /// Largest wished speed that the band is pulled with, mm/s.
    pub wish_cap_mm_s: f64,
    /// Strength of the flow round a moving foot: 1 is the dipole of a disc in an ideal fluid.
    pub flow: f64,
    /// Standard deviation of the jitter on knots, mm.
    pub jitter_mm: f64,
    /// Distance beyond `d_h_mm` within which bands are drawn away from feet where robots have room; less among more robots, see
    /// [`SwarmModel::by_room`](crate::SwarmModel::by_room).
    pub foot_comfort_mm: f64,
    /// Soft distance that the first sweeps aim at, and its weight.
    pub comfort_mm: f64,
    /// Weight of the soft distance.
    pub comfort_weight: f64,
    /// Share of the speed limit that a segment may use.
    pub speed_share: f64,
    /// Share of the acceleration limit that a bend may use.
    pub bend_share: f64,
}

impl Tuning {
    /// The numbers for a drive and what feet do.
    ///
    /// The band looks 0.7 s ahead; 0.8 s where feet wait and may come near an edge: emptying a corner takes that long. Where such feet do
    /// not wait, ways out see to it that robots leave in time, and a longer or a more eager band only makes them change their minds.
    /// A foot on an orbit drives a dense ring of robots all the time: there the band looks 0.4 s ahead, and its end keeps off the way that
    /// the foot goes in the third of a second after that. A robot right in front would otherwise be pushed along until it meets somebody
    /// who cannot make room. Feet that never wait and pinch robots against walls ask for more room and more shaking. A differential drive
    /// follows its band less closely, so it keeps more room.
    #[must_use]
    pub fn new(drive: Drive, feet: &FeetParams) -> Self {
        let turns = drive == Drive::Differential;
        let orbits = feet.gait == Gait::Orbit;
        let waits = feet.manner == Manner::Considerate;
        let inside = feet.travel == Travel::Core;
        let walks_anywhere = !waits && !inside;
        let pinches = orbits || walks_anywhere;
        Self {
            knots: match (inside, orbits) {
                (true, true) => 6,
                (false, _) if waits => 12,
                _ => 10,
            },
            tail_knots: if orbits { 5 } else { 0 },
            tube_knots: if inside { 0 } else { 20 },
            relists: walks_anywhere,
            attempts: if walks_anywhere { attempts::among(feet.count) } else { 1 },
            sweeps: if walks_anywhere { 200 } else { 120 },
            clean_mm: 0.4,
            pair_margin_mm: match (turns, pinches) {
                (true, _) => 6.0,
                (_, true) => 5.0,
                _ => 4.0,
            },
            tight_share: 0.5,
            foot_margin_mm: match (turns, waits) {
                (true, _) => 8.0,
                (_, true) => 6.0,
                _ => 4.0,
            },
            foot_margin_mm_s: if waits {
                0.0
            } else if pinches {
                10.0
            } else if turns {
                30.0
            } else {
                20.0
            },
            tube_margin_mm: 4.0,
            tube_margin_mm_s: 5.0,
            doubt_mm: if walks_anywhere { 5.0 } else { 0.0 },
            lead_share: if walks_anywhere { 0.2 } else { 1.0 },
            early_lead_share: if walks_anywhere { 0.05 } else { 0.0 },
            further_lead_share: 0.02,
            relaxation: 1.7,
            pull_s: if walks_anywhere { 0.6 } else { 0.3 },
            wish_fade_s: 0.5,
            wish_cap_mm_s: 140.0,
            flow: 1.0,
            jitter_mm: if pinches { 0.2 } else { 0.1 },
            foot_comfort_mm: if walks_anywhere { 80.0 } else { 0.0 },
            comfort_mm: 68.0,
            comfort_weight: 0.06,
            speed_share: 0.96,
            bend_share: if orbits { 0.5 } else { 0.6 },
        }
    }
}

/// The band: knots of all robots, kept from plan to plan.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    robots: usize,
    /// The last knot.
    last: usize,
    /// Place of robot `i` at knot `k`, at `k * robots + i`, for `k` in `0..=last`. Knot 0 is where the robot was when planning.
    knots_mm: Vec<DVec2>,
    /// Plans in a row that robot `i` could not follow.
    refused: Vec<u32>,
    /// How much of their way considerate feet are expected to make, 0 to 1: a foot that stands blocked is expected to go on waiting.
    patience: Vec<f64>,
    rates: Vec<RateAhead>,
    /// How each foot is expected to go on beyond its forecast.
    beyond: Vec<Beyond>,
}

/// Pairs that are near each other, knot by knot: those of knot `k` stand at `start[k]..start[k + 1]`.
#[derive(Clone, Debug, Default)]
struct Contacts {
    candidates: Vec<(u32, u32)>,
    start: Vec<usize>,
    pairs: Vec<(u32, u32)>,
}

impl Contacts {
    fn of(&self, k: usize) -> &[(u32, u32)] {
        &self.pairs[self.start[k]..self.start[k + 1]]
    }

    /// Makes room for so many candidates and pairs.
    fn reserve(&mut self, candidates: usize, pairs: usize) {
        self.candidates.reserve(candidates.saturating_sub(self.candidates.len()));
        self.pairs.reserve(pairs.saturating_sub(self.pairs.len()));
    }

    /// Takes down who may be in contact.
    fn propose(&mut self, candidates: impl Iterator<Item = (u32, u32)>) {
        self.candidates.clear();
        self.candidates.extend(candidates);
    }

    /// Keeps, for each knot from 1 to `last`, the candidates whose squared distance there is below that knot's `near_mm` squared.
    fn select(&mut self, last: usize, near_mm: impl Fn(usize) -> f64, distance2: impl Fn(usize, u32, u32) -> f64) {
        self.pairs.clear();
        self.start.clear();
        self.start.resize(2, 0);
        for k in 1..=last {
            let near2 = near_mm(k) * near_mm(k);
            self.pairs.extend(self.candidates.iter().filter(|&&(i, j)| distance2(k, i, j) < near2));
            self.start.push(self.pairs.len());
        }
    }
}

/// Buffers of the planner.
#[derive(Clone, Debug, Default)]
pub struct PlannerScratch {
    /// Sweeps done so far, for the profile.
    pub sweeps_done: u64,
    near: Neighbours,
    /// Pairs whose bands come near each other, district by district; one across a border stands in both.
    pairs: Vec<(u32, u32)>,
    /// Pairs of district `d` stand at `pairs_start[d]..pairs_start[d + 1]`.
    pairs_start: Vec<usize>,
    contacts: Contacts,
    foot_contacts: Contacts,
    /// Robots whose last knot is near the way that a foot goes after it.
    tail_contacts: Vec<(u32, u32)>,
    districts: Districts,
    moved: Vec<bool>,
    /// How far a knot may have moved since pairs were listed, mm.
    strayed_from_pairs_mm: f64,
    /// The same since contacts were listed.
    strayed_from_contacts_mm: f64,
    feet: FeetAhead,
    near_feet: NearFeet,
    tubes: Tubes,
    ways_out: WaysOut,
    attempts: Attempts,
}

impl Plan {
    /// Place of robot `i` at a time of `frames` ticks after planning, linear between knots and constant after the last.
    #[must_use]
    pub fn place_mm(&self, i: usize, frames: usize) -> DVec2 {
        let knot = frames / FRAMES_PER_KNOT;
        if knot >= self.last {
            return self.knots_mm[self.last * self.robots + i];
        }
        let part = (frames % FRAMES_PER_KNOT) as f64 / FRAMES_PER_KNOT as f64;
        let (a, b) = (self.knots_mm[knot * self.robots + i], self.knots_mm[(knot + 1) * self.robots + i]);
        a + (b - a) * part
    }

    /// Remembers which proposals were refused: their robots plan on from the trajectory that they execute instead.
    pub fn note_decisions(&mut self, decisions: &[Decision]) {
        for (count, decision) in self.refused.iter_mut().zip(decisions) {
            let refused = matches!(decision, Decision::Solo | Decision::Stored);
            *count = if refused { *count + 1 } else { 0 };
        }
    }

    /// Takes the band into a state hash.
    #[expect(clippy::should_implement_trait, reason = "it feeds the state hash, as every part of the state does")]
    pub fn hash(&self, hash: &mut StateHash) {
        self.knots_mm.iter().for_each(|&p| hash.vec2(p));
        self.refused.iter().for_each(|&c| hash.u64(u64::from(c)));
        self.patience.iter().for_each(|&p| hash.f64(p));
        self.beyond.iter().for_each(|foot| foot.hash(hash));
    }

    /// Expects the feet to speed up from their present rates, blocked ones less and less.
    fn expect_rates(&mut self, rates: &[f64], frames: usize) {
        self.patience.resize(rates.len(), 1.0);
        self.rates.clear();
        for (patience, &now) in self.patience.iter_mut().zip(rates) {
            for _ in 0..frames {
                *patience =
                    if now > 0.0 { (*patience + 0.02).min(1.0) } else { (*patience * 0.97).max(LEAST_PATIENCE) };
            }
            self.rates.push(RateAhead { now, climb: RATE_CLIMB * *patience });
        }
    }

    /// Moves the band on by the ticks since the last plan, at most a knot, and starts it at the robots' places. The band of a robot that
    /// could not follow it is now and then replaced by the trajectory that the certificate holds, which is clear; a torn one is
    /// forgotten. Either would otherwise tunnel through a foot or a neighbour for ever.
    fn shift(&mut self, agents: &Agents, last: usize, certificate: &Certificate, torn_mm: f64) {
        let n = agents.len();
        if self.robots != n || self.last != last {
            self.robots = n;
            self.last = last;
            self.knots_mm.clear();
            (0..=last).for_each(|_| self.knots_mm.extend_from_slice(&agents.position_mm));
            self.refused.clear();
            self.refused.resize(n, 0);
            return;
        }
        let part = (certificate.age() as f64 / FRAMES_PER_KNOT as f64).min(1.0);
        let end = last * n;
        for i in 0..n {
            let last_step = self.knots_mm[end + i] - self.knots_mm[end - n + i];
            for k in 0..last {
                let (here, next) = (self.knots_mm[k * n + i], self.knots_mm[(k + 1) * n + i]);
                self.knots_mm[k * n + i] = if part < 1.0 { here + (next - here) * part } else { next };
            }
            self.knots_mm[end + i] += last_step * part;
            self.knots_mm[i] = agents.position_mm[i];
            let torn = (0..last)
                .any(|k| self.knots_mm[k * n + i].distance_squared(self.knots_mm[(k + 1) * n + i]) > torn_mm * torn_mm);
            if self.refused[i] % PLANS_TO_MEND == 1 {
                (1..=last).for_each(|k| self.knots_mm[k * n + i] = certificate.stored_place_mm(i, k * FRAMES_PER_KNOT));
            } else if torn {
                (0..=last).for_each(|k| self.knots_mm[k * n + i] = agents.position_mm[i]);
            }
        }
    }
}

/// Makes the plan of this tick.
///
/// `rates` are the play rates of the feet in the last tick, `age` the ticks since the last plan.
pub fn plan(
    model: &FilterModel,
    plan: &mut Plan,
    scratch: &mut PlannerScratch,
    certificate: &Certificate,
    input: &FilterInput<'_>,
) {
    let knot_s = FRAMES_PER_KNOT as f64 * model.swarm.step_s;
    let reach_mm = model.swarm.limits.v_max_mm_s * knot_s;
    plan.shift(input.agents, model.tuning.knots, certificate, 1.1 * reach_mm);
    plan.expect_rates(certificate.last_rates(), certificate.age());
    Beyond::follow(&mut plan.beyond, model, input.forecasts, certificate.age());
    scratch.feet.predict(model, &plan.rates, plan.beyond.iter().copied(), input);
    scratch.tubes.rebuild(model, &scratch.feet, &plan.rates, &plan.beyond, input);
    scratch.near_feet.rebuild(&input.agents.position_mm, input.feet_mm(), foot_radius_mm(model));
    let tries_again = scratch.tries_again(model);
    if tries_again {
        scratch.attempts.begin(&plan.knots_mm);
    }
    pull(model, plan, scratch, input, knot_s);
    scratch.make_room(plan);
    let limits = SweepLimits::new(model, knot_s);
    repair(model, &limits, plan, scratch, input.agents, true);
    if tries_again {
        try_again(model, &limits.tight(model), plan, scratch, certificate, input);
    }
}

/// Keeps the first attempt if it lacks nothing, else the best of further ones. The second goes on with the plan before, the others with the
/// best so far.
fn try_again(
    model: &FilterModel,
    limits: &SweepLimits,
    plan: &mut Plan,
    scratch: &mut PlannerScratch,
    certificate: &Certificate,
    input: &FilterInput<'_>,
) {
    scratch.judge(model, plan);
    for attempt in 1..model.tuning.attempts {
        if scratch.attempts.is_flawless() {
            break;
        }
        if attempt == 1 {
            scratch.attempts.recall(&mut plan.knots_mm);
        } else {
            let address = input.tick.0 * attempts::MOST as u64 + attempt as u64;
            let draw = |i: usize| input.key.stream(purpose::PLAN_ATTEMPT, i as u64, address).below(attempts::WAYS);
            let stored_mm = |i: usize, k: usize| certificate.stored_place_mm(i, k * FRAMES_PER_KNOT);
            scratch.attempts.begin_anew(&mut plan.knots_mm, draw, stored_mm);
        }
        repair(model, limits, plan, scratch, input.agents, false);
        scratch.judge(model, plan);
    }
    scratch.attempts.restore(&mut plan.knots_mm);
}

/// Leads the band to ways out where there is need, from the start if it `begins_there`, and sweeps it until it is clean.
fn repair(
    model: &FilterModel,
    limits: &SweepLimits,
    plan: &mut Plan,
    scratch: &mut PlannerScratch,
    agents: &Agents,
    begins_there: bool,
) {
    scratch.ways_out.find(&scratch.tubes, &plan.knots_mm, plan.robots, plan.last);
    if begins_there {
        scratch.ways_out.begin_anew(&mut plan.knots_mm, plan.robots);
    }
    scratch.districts.rebuild(model.swarm.bounds, &agents.position_mm);
    scratch.find_pairs(model, plan);
    for first in (0..model.tuning.sweeps).step_by(SWEEPS_PER_LIST) {
        let sweeps = first..(first + SWEEPS_PER_LIST).min(model.tuning.sweeps);
        let looks_again = scratch.have_bands_strayed(model, plan);
        let mut is_clean = true;
        for district in 0..scratch.districts.count() {
            if looks_again || !scratch.districts.is_clean(district, limits.clean_mm) {
                is_clean = false;
                sweep_district(limits, plan, scratch, agents, district, sweeps.clone());
            }
        }
        if is_clean {
            break;
        }
    }
}

/// Sweeps a district until it is clean or the sweeps are used up.
fn sweep_district(
    limits: &SweepLimits,
    plan: &mut Plan,
    scratch: &mut PlannerScratch,
    agents: &Agents,
    district: usize,
    sweeps: Range<usize>,
) {
    scratch.find_contacts(limits, plan, district);
    for sweep in sweeps {
        scratch.sweeps_done += 1;
        let worst_mm = sweep_once(limits, plan, scratch, agents, district, sweep);
        scratch.districts.end_sweep(district, worst_mm);
        if scratch.districts.is_clean(district, limits.clean_mm) {
            break;
        }
    }
}

/// Turns the band's velocities towards wish and flow and away from near feet, and shakes it a little: exact rows of robots along a wall
/// would never buckle otherwise.
fn pull(model: &FilterModel, plan: &mut Plan, scratch: &PlannerScratch, input: &FilterInput<'_>, knot_s: f64) {
    let tuning = &model.tuning;
    let n = plan.robots;
    let weight = 1.0 - ops::exp(-knot_s / tuning.pull_s);
    let fade = ops::exp(-knot_s / tuning.wish_fade_s);
    let d_h_mm = model.swarm.clearances.d_h_mm;
    let comfort_mm = model.swarm.by_room(n, (tuning.foot_comfort_mm, 0.0));
    for i in 0..n {
        let mut wish = input.wish_mm_s[i].clamp_length_max(tuning.wish_cap_mm_s);
        let mut stream = input.key.stream(purpose::FILTER_JITTER, i as u64, input.tick.0);
        let jitter = stream.normal2() * tuning.jitter_mm;
        let mut old = plan.knots_mm[i];
        let mut place = old;
        for k in 0..plan.last {
            let next_old = plan.knots_mm[(k + 1) * n + i];
            let velocity = (next_old - old) / knot_s;
            let mut wanted = wish;
            for foot in scratch.near_feet.of(i) {
                wanted += scratch.feet.flow_mm_s(foot, k, place, d_h_mm) * tuning.flow;
                if comfort_mm > 0.0 {
                    wanted += scratch.feet.lack_mm(foot, k, place, d_h_mm + comfort_mm) / FOOT_COMFORT_S;
                }
            }
            place += (velocity + (wanted - velocity) * weight) * knot_s;
            old = next_old;
            plan.knots_mm[(k + 1) * n + i] = place + jitter * if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            wish *= fade;
        }
    }
}

/// Distance within which a foot could meet a robot before the horizon, mm.
fn foot_radius_mm(model: &FilterModel) -> f64 {
    let tuning = &model.tuning;
    let knot_s = FRAMES_PER_KNOT as f64 * model.swarm.step_s;
    let (horizon_s, tail_s) = (tuning.knots as f64 * knot_s, tuning.tail_knots as f64 * knot_s);
    let closing_mm_s = model.swarm.limits.v_max_mm_s + model.foot_speed_max_mm_s;
    model.swarm.clearances.d_h_mm
        + tuning.foot_margin_mm
        + horizon_s * (tuning.foot_margin_mm_s + closing_mm_s)
        + tail_s * model.foot_speed_max_mm_s
}

impl PlannerScratch {
    /// Room for the worst case, a swarm that crowds into one district.
    fn make_room(&mut self, plan: &Plan) {
        let (n, last) = (plan.robots, plan.last);
        self.contacts.reserve(n * PAIRS_PER_ROBOT, last * n * CONTACTS_PER_ROBOT);
        self.foot_contacts.reserve(self.near_feet.room(), last * n);
        self.tail_contacts.reserve(n.saturating_sub(self.tail_contacts.len()));
        self.moved.resize(n, false);
    }

    /// True if contacts have to be looked for although everything seems clean; lists pairs anew if that is due, too. Bands that are led to
    /// ways out stray far in a few sweeps, into robots that no list names: a plan can seem clean in which two robots share a place.
    fn have_bands_strayed(&mut self, model: &FilterModel, plan: &Plan) -> bool {
        if !self.relists(model) {
            return false;
        }
        if self.strayed_from_pairs_mm > PAIR_SLACK_MM / 3.0 {
            self.find_pairs(model, plan);
        }
        self.strayed_from_contacts_mm > CONTACT_SLACK_MM / 2.0
    }

    fn relists(&self, model: &FilterModel) -> bool {
        model.tuning.relists && self.tubes.expected.is_active()
    }

    /// True if a plan that lacks something is tried again.
    fn tries_again(&self, model: &FilterModel) -> bool {
        model.tuning.attempts > 1 && self.tubes.expected.is_active()
    }

    /// Takes down what a plan lacks, and remembers it if it is the best so far.
    fn judge(&mut self, model: &FilterModel, plan: &Plan) {
        self.find_faults(model, plan);
        self.attempts.keep_better(&plan.knots_mm);
    }

    fn find_faults(&mut self, model: &FilterModel, plan: &Plan) {
        self.find_pairs(model, plan);
        let (n, clearances) = (plan.robots, &model.swarm.clearances);
        let faults = &mut self.attempts.faults;
        faults.clear(n);
        for k in 1..=plan.last {
            let knots = &plan.knots_mm[k * n..(k + 1) * n];
            for &(i, j) in &self.pairs {
                let places_mm = (knots[i as usize], knots[j as usize]);
                faults.compare(&[i, j], places_mm, clearances.d_r_mm + FAULT_SLACK_MM.0);
            }
            for &(i, foot) in self.near_feet.pairs() {
                let places_mm = (knots[i as usize], self.feet.place_mm(foot as usize, k));
                faults.compare(&[i], places_mm, clearances.d_h_mm + FAULT_SLACK_MM.1);
            }
        }
        let ends_mm = &plan.knots_mm[plan.last * n..];
        let lost = ends_mm.iter().filter(|&&end_mm| self.tubes.expected.is_outside(plan.last, end_mm));
        lost.for_each(|_| faults.lose());
    }

    fn note_stray(&mut self, moved_mm: f64) {
        self.strayed_from_pairs_mm += moved_mm;
        self.strayed_from_contacts_mm += moved_mm;
    }

    /// Pairs whose bands come near each other at some knot.
    fn find_pairs(&mut self, model: &FilterModel, plan: &Plan) {
        let n = plan.robots;
        let d_r = model.swarm.clearances.d_r_mm;
        self.strayed_from_pairs_mm = 0.0;
        let reach = if self.relists(model) { MEETING_REACH.1 } else { MEETING_REACH.0 };
        self.near.rebuild(&plan.knots_mm[..n], reach * d_r);
        let near2 = (d_r + PAIR_SLACK_MM) * (d_r + PAIR_SLACK_MM);
        let meets = |i: usize, j: usize| {
            (0..=plan.last)
                .step_by(2)
                .any(|k| plan.knots_mm[k * n + i].distance_squared(plan.knots_mm[k * n + j]) < near2)
        };
        self.pairs.clear();
        self.pairs.reserve(n * PAIRS_PER_ROBOT);
        self.pairs_start.clear();
        self.pairs_start.push(0);
        for district in 0..self.districts.count() {
            for &i in self.districts.robots(district) {
                let others = self.near.of(i as usize).iter();
                let listed = others.filter(|&&j| j > i || self.districts.of(j) != district);
                self.pairs.extend(listed.filter(|&&j| meets(i as usize, j as usize)).map(|&j| (i, j)));
            }
            self.pairs_start.push(self.pairs.len());
        }
    }

    /// Lists, knot by knot, whom a sweep of a district may have to push from whom.
    fn find_contacts(&mut self, limits: &SweepLimits, plan: &Plan, district: usize) {
        self.strayed_from_contacts_mm = 0.0;
        let n = plan.robots;
        let knots = &plan.knots_mm;
        let robots = self.districts.robots(district);
        let pair_mm = (limits.pair_mm + CONTACT_SLACK_MM).max(limits.comfort_mm);
        let apart2 = |k: usize, i: u32, j: u32| knots[k * n + i as usize].distance_squared(knots[k * n + j as usize]);
        let pairs = self.pairs_start[district]..self.pairs_start[district + 1];
        self.contacts.propose(self.pairs[pairs].iter().copied());
        self.contacts.select(plan.last, |_| pair_mm, apart2);
        let feet = &self.feet;
        let from_foot2 =
            |k: usize, i: u32, foot: u32| knots[k * n + i as usize].distance_squared(feet.place_mm(foot as usize, k));
        let near_feet = |&i: &u32| self.near_feet.of(i as usize).map(move |foot| (i, foot as u32));
        self.foot_contacts.propose(robots.iter().flat_map(near_feet));
        self.foot_contacts.select(plan.last, |k| limits.foot_at_mm(k) + FOOT_SLACK_MM, from_foot2);
        self.tail_contacts.clear();
        if limits.tail_knots > 0 {
            let near_mm = limits.foot_at_mm(plan.last) + FOOT_SLACK_MM;
            let tail = (plan.last, limits.tail_knots);
            let near_tail = |&&(i, foot): &&(u32, u32)| {
                let place = knots[plan.last * n + i as usize];
                feet.nearest_on_tail_mm(foot as usize, tail, place).distance_squared(place) < near_mm * near_mm
            };
            self.tail_contacts.extend(self.foot_contacts.candidates.iter().filter(near_tail));
        }
        robots.iter().for_each(|&i| self.moved[i as usize] = true);
    }
}

/// The constraints of one plan in the band's own units.
struct SweepLimits {
    pair_mm: f64,
    relaxation: f64,
    comfort_mm: f64,
    comfort_weight: f64,
    foot_mm: f64,
    foot_growth_mm: f64,
    tail_knots: usize,
    segment_mm: f64,
    bend_mm: f64,
    first_bend_mm: f64,
    knot_s: f64,
    clean_mm: f64,
    lead_share: f64,
    early_lead_share: f64,
    bounds: Rect,
}

impl SweepLimits {
    /// Distance to keep from a foot at knot `k`.
    fn foot_at_mm(&self, k: usize) -> f64 {
        self.foot_mm + self.foot_growth_mm * k as f64
    }

    fn new(model: &FilterModel, knot_s: f64) -> Self {
        let (clearances, limits, tuning) = (&model.swarm.clearances, &model.swarm.limits, &model.tuning);
        let s = FRAMES_PER_KNOT as f64;
        Self {
            pair_mm: clearances.d_r_mm + tuning.pair_margin_mm,
            relaxation: tuning.relaxation,
            comfort_mm: tuning.comfort_mm,
            comfort_weight: tuning.comfort_weight,
            foot_mm: clearances.d_h_mm + tuning.foot_margin_mm,
            foot_growth_mm: tuning.foot_margin_mm_s * knot_s,
            tail_knots: tuning.tail_knots,
            segment_mm: tuning.speed_share * limits.v_max_mm_s * knot_s,
            bend_mm: tuning.bend_share * limits.a_max_mm_s2 * knot_s * knot_s,
            // What a constant acceleration from the present velocity reaches in the first s ticks: s (s + 1) / 2 of a dt^2.
            first_bend_mm: tuning.bend_share
                * limits.a_max_mm_s2
                * model.swarm.step_s
                * model.swarm.step_s
                * s
                * (s + 1.0)
                / 2.0,
            knot_s,
            clean_mm: tuning.clean_mm,
            lead_share: tuning.lead_share,
            early_lead_share: tuning.early_lead_share,
            bounds: model.swarm.bounds.inset(WALL_MARGIN_MM),
        }
    }

    /// Those of further attempts.
    fn tight(&self, model: &FilterModel) -> Self {
        let pair_mm = model.swarm.clearances.d_r_mm + model.tuning.tight_share * model.tuning.pair_margin_mm;
        Self { pair_mm, early_lead_share: model.tuning.further_lead_share, ..*self }
    }

    /// Shares of the way to their ways out by which a sweep moves places outside and inside the tube.
    fn lead_shares(&self, sweep: usize) -> (f64, f64) {
        (self.lead_share, if sweep < EARLY_LEAD_SWEEPS { self.early_lead_share } else { 0.0 })
    }
}

/// Projects the band once on every constraint of a district; returns the largest correction of a hard one, mm.
fn sweep_once(
    limits: &SweepLimits,
    plan: &mut Plan,
    scratch: &mut PlannerScratch,
    agents: &Agents,
    district: usize,
    sweep: usize,
) -> f64 {
    let n = plan.robots;
    let mut worst = Worst(0.0);
    let mut led_mm = 0.0_f64;
    let comfort = if sweep < COMFORT_SWEEPS { limits.comfort_weight } else { 0.0 };
    let shares = limits.lead_shares(sweep);
    for step in 0..plan.last {
        let k = if sweep.is_multiple_of(2) { step + 1 } else { plan.last - step };
        let knots = &mut plan.knots_mm[k * n..(k + 1) * n];
        let push =
            Push { hard_mm: limits.pair_mm, weight: limits.relaxation, soft_mm: limits.comfort_mm, soft: comfort };
        push.apart(knots, scratch, k, &mut worst);
        push_from_feet(knots, scratch, k, limits.foot_at_mm(k), &mut worst);
        if k == plan.last {
            push_off_tail(limits, knots, scratch, k);
        }
        led_mm = led_mm.max(scratch.ways_out.lead(&scratch.tubes, k, shares, knots, &mut scratch.moved));
        keep_inside(limits.bounds, knots, scratch, district, &mut worst);
    }
    limit_motion(limits, plan, agents, scratch, district, &mut worst);
    scratch.note_stray(worst.0 + led_mm);
    worst.0
}

/// The largest correction of a sweep so far, mm.
struct Worst(f64);

impl Worst {
    #[inline]
    fn note(&mut self, correction_mm: f64) {
        if correction_mm > self.0 {
            self.0 = correction_mm;
        }
    }
}

/// How pairs are pushed apart: hard below one distance, softly below another.
struct Push {
    hard_mm: f64,
    weight: f64,
    soft_mm: f64,
    soft: f64,
}

impl Push {
    /// Moves pairs that are too near apart, half each.
    fn apart(&self, knots: &mut [DVec2], scratch: &mut PlannerScratch, k: usize, worst: &mut Worst) {
        let PlannerScratch { contacts, moved, districts, .. } = scratch;
        let from_mm = if self.soft > 0.0 { self.soft_mm } else { self.hard_mm };
        let from2 = from_mm * from_mm;
        for &(first, second) in contacts.of(k) {
            let (i, j) = (first as usize, second as usize);
            let d = knots[i] - knots[j];
            let d2 = d.length_squared();
            if d2 >= from2 {
                continue;
            }
            let length = d2.sqrt();
            let along = if length > 1e-6 { d / length } else { DVec2::X };
            let lack = self.hard_mm - length;
            let mut by = self.soft * (self.soft_mm - length);
            if lack > 0.0 {
                by += self.weight * lack;
                worst.note(lack);
                districts.note_push(second, lack);
            }
            knots[i] += along * (0.5 * by);
            knots[j] -= along * (0.5 * by);
            moved[i] = true;
            moved[j] = true;
        }
    }
}

/// Moves knots out of the predicted feet.
fn push_from_feet(knots: &mut [DVec2], scratch: &mut PlannerScratch, k: usize, distance_mm: f64, worst: &mut Worst) {
    for &(robot, foot) in scratch.foot_contacts.of(k) {
        let i = robot as usize;
        let place = scratch.feet.place_mm(foot as usize, k);
        let d = knots[i] - place;
        let d2 = d.length_squared();
        if d2 < distance_mm * distance_mm {
            let length = d2.sqrt();
            let along = if length > 1e-6 { d / length } else { DVec2::X };
            knots[i] = place + along * distance_mm;
            worst.note(distance_mm - length);
            scratch.moved[i] = true;
        }
    }
}

/// Moves last knots softly off the way that a foot goes after them.
fn push_off_tail(limits: &SweepLimits, knots: &mut [DVec2], scratch: &mut PlannerScratch, last: usize) {
    let distance_mm = limits.foot_at_mm(last);
    for &(i, foot) in &scratch.tail_contacts {
        let i = i as usize;
        let d = knots[i] - scratch.feet.nearest_on_tail_mm(foot as usize, (last, limits.tail_knots), knots[i]);
        let length = d.length();
        if length > 0.0 && length < distance_mm {
            knots[i] += d * (TAIL_WEIGHT * (distance_mm - length) / length);
            scratch.moved[i] = true;
        }
    }
}

/// Moves knots of a district back into the box.
fn keep_inside(bounds: Rect, knots: &mut [DVec2], scratch: &mut PlannerScratch, district: usize, worst: &mut Worst) {
    for &robot in scratch.districts.robots(district) {
        let p = &mut knots[robot as usize];
        if !bounds.contains(*p) {
            let inside = bounds.clamp(*p);
            worst.note(inside.distance(*p));
            *p = inside;
            scratch.moved[robot as usize] = true;
        }
    }
}

/// Shortens steps and bends that the drive could not follow, of the robots of a district that were moved.
fn limit_motion(
    limits: &SweepLimits,
    plan: &mut Plan,
    agents: &Agents,
    scratch: &mut PlannerScratch,
    district: usize,
    worst: &mut Worst,
) {
    let n = plan.robots;
    for i in scratch.districts.robots(district).iter().map(|&i| i as usize) {
        if std::mem::take(&mut scratch.moved[i]) {
            let straight = plan.knots_mm[i] + agents.velocity_mm_s[i] * limits.knot_s;
            let mut moved = reach_first_knot(limits, straight, &mut plan.knots_mm[n + i], worst);
            for k in 1..plan.last {
                moved |= straighten(limits, &mut plan.knots_mm, (k, n, i), worst);
            }
            scratch.moved[i] = moved;
        }
    }
}

/// Brings the first knot within reach of the present velocity; true if that moved it.
fn reach_first_knot(limits: &SweepLimits, straight_mm: DVec2, knot_mm: &mut DVec2, worst: &mut Worst) -> bool {
    let off = *knot_mm - straight_mm;
    let off2 = off.length_squared();
    if off2 <= limits.first_bend_mm * limits.first_bend_mm {
        return false;
    }
    let length = off2.sqrt();
    *knot_mm = straight_mm + off * (limits.first_bend_mm / length);
    worst.note(length - limits.first_bend_mm);
    true
}

/// Limits the bend at knot `k` of robot `i` and the step after it; true if that moved knots.
fn straighten(limits: &SweepLimits, x: &mut [DVec2], (k, n, i): (usize, usize, usize), worst: &mut Worst) -> bool {
    let (a, b, c) = ((k - 1) * n + i, k * n + i, (k + 1) * n + i);
    let mut moved = false;
    let bend = x[a] - x[b] * 2.0 + x[c];
    let bend2 = bend.length_squared();
    if bend2 > limits.bend_mm * limits.bend_mm {
        let length = bend2.sqrt();
        let excess = bend * (1.0 - limits.bend_mm / length);
        if k == 1 {
            // The first knot of the three is where the robot is.
            x[b] += excess * 0.4;
            x[c] -= excess * 0.2;
        } else {
            x[a] -= excess / 6.0;
            x[b] += excess / 3.0;
            x[c] -= excess / 6.0;
        }
        worst.note(0.25 * (length - limits.bend_mm));
        moved = true;
    }
    let step = x[c] - x[b];
    let step2 = step.length_squared();
    if step2 > limits.segment_mm * limits.segment_mm {
        let length = step2.sqrt();
        let excess = step * (0.5 * (1.0 - limits.segment_mm / length));
        x[b] += excess;
        x[c] -= excess;
        worst.note(length - limits.segment_mm);
        moved = true;
    }
    moved
}
