//! Feet that may wait: no distance is ever broken, whoever proposes, in any setting that fits. The distances are recomputed here, between
//! ticks too, from places alone.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use sim_core::{DVec2, Rect, RunKey, Tick};
use swarm_agents::filter::{
    FilterInput, FilterKind, FilterModel, FilterOutput, FilterScratch, FilterState, Sight, filter_step,
};
use swarm_agents::placement::place;
use swarm_agents::{Agents, Clearances, Drive, Limits, SwarmModel};
use swarm_field::{Feet, FeetModel, FeetParams, Forecast, Manner, Travel};

/// Tolerance on distances, mm (reading A24), and relative tolerance on limits.
const TOLERANCE: f64 = 1e-6;
const STEP_HZ: u32 = 60;

/// What a case is made of.
#[derive(Clone, Copy, Debug)]
struct Setting {
    kind: FilterKind,
    drive: Drive,
    travel: Travel,
    feet: usize,
    robots: usize,
    wall_margin_mm: f64,
    a_max_mm_s2: f64,
    seed: u64,
}

fn settings() -> impl Strategy<Value = Setting> {
    let kinds = [FilterKind::Joint, FilterKind::Penalty, FilterKind::Orca, FilterKind::None, FilterKind::Random];
    let travels = [Travel::Core, Travel::Edge, Travel::Full];
    let shape =
        (prop::sample::select(kinds.to_vec()), any::<bool>(), prop::sample::select(travels.to_vec()), 1_usize..5);
    (shape, 1_usize..31, 0.0_f64..20.0, 1000.0_f64..4000.0, 0_u64..1 << 40).prop_map(
        |((kind, turns, travel, feet), robots, wall_margin_mm, a_max_mm_s2, seed)| Setting {
            kind,
            drive: if turns { Drive::Differential } else { Drive::Point },
            travel,
            feet,
            // Four feet leave room for about 26 robots at margin 16.
            robots: robots.min(32 - 4 * feet),
            wall_margin_mm,
            a_max_mm_s2,
            seed,
        },
    )
}

/// One little world: feet, robots and the filter, with a wish that pushes everybody towards the first foot.
struct World {
    feet_model: FeetModel,
    model: FilterModel,
    key: RunKey,
    feet: Feet,
    agents: Agents,
    state: FilterState,
    scratch: FilterScratch,
    output: FilterOutput,
    rates: Vec<f64>,
    forecasts: Vec<Forecast>,
    wish_mm_s: Vec<DVec2>,
    tick: Tick,
}

impl World {
    fn new(setting: &Setting, manner: Manner) -> Option<Self> {
        let mat = Rect::from_size(400.0, 400.0);
        let params = FeetParams { count: setting.feet, travel: setting.travel, manner, ..FeetParams::default() };
        let feet_model = FeetModel::new(params, mat, 0.6, STEP_HZ).unwrap();
        let clearances = Clearances { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm: setting.wall_margin_mm };
        let limits = Limits { v_max_mm_s: 252.0, a_max_mm_s2: setting.a_max_mm_s2, omega_max_rad_s: 12.0 };
        let swarm = SwarmModel::new(mat, clearances, limits, setting.drive, STEP_HZ).unwrap();
        let model = FilterModel::new(swarm, setting.kind, &feet_model).unwrap();
        let key = RunKey { seed: setting.seed, run_index: 0 };
        let feet = Feet::new(&feet_model, key);
        let feet_mm: Vec<DVec2> = (0..feet.len()).map(|k| feet.position_mm(k)).collect();
        // Some layouts of four feet leave no room; what cannot start is not a case.
        let agents = place(&model.swarm, setting.robots, &feet_mm, key).ok()?;
        Some(Self {
            rates: vec![model.initial_rate(); feet.len()],
            forecasts: vec![Forecast::default(); feet.len()],
            wish_mm_s: vec![DVec2::ZERO; agents.len()],
            state: FilterState::default(),
            scratch: FilterScratch::default(),
            output: FilterOutput::default(),
            tick: Tick(0),
            feet_model,
            model,
            key,
            feet,
            agents,
        })
    }

    /// One tick; returns the robots and the feet before it.
    fn step(&mut self) -> (Agents, Vec<DVec2>) {
        let feet_before = (0..self.feet.len()).map(|k| self.feet.position_mm(k)).collect();
        self.tick = self.tick.next();
        self.feet.advance(&self.feet_model, self.key, &self.rates);
        for k in 0..self.feet.len() {
            if let Some(from) = self.output.re_aim.get(k).copied().flatten() {
                self.feet.re_aim(k, &self.feet_model, self.key, from);
            }
            self.feet.forecast(k, &self.feet_model, &mut self.forecasts[k]);
        }
        let towards = self.feet.position_mm(0);
        for (wish, &place) in self.wish_mm_s.iter_mut().zip(&self.agents.position_mm) {
            *wish = (towards - place).normalize_or_zero() * 200.0;
        }
        let input = FilterInput {
            agents: &self.agents,
            wish_mm_s: &self.wish_mm_s,
            feet: &self.feet,
            forecasts: &self.forecasts,
            sight: Sight::Present,
            key: self.key,
            tick: self.tick,
        };
        filter_step(&self.model, &mut self.state, &mut self.scratch, &input, &mut self.output);
        self.rates.clone_from(&self.output.play_rates);
        (std::mem::replace(&mut self.agents, self.output.next.clone()), feet_before)
    }
}

/// Smallest distance of two points that move in a straight line during a tick.
fn swept_mm(before: DVec2, after: DVec2) -> f64 {
    let way = after - before;
    let at = if way == DVec2::ZERO { 0.0 } else { (-before.dot(way) / way.length_squared()).clamp(0.0, 1.0) };
    (before + way * at).length()
}

/// What a tick broke, in words; nothing if it kept everything.
fn broken(world: &World, before: &Agents, feet_before_mm: &[DVec2], with_feet: bool) -> Option<String> {
    let (swarm, after) = (&world.model.swarm, &world.agents);
    for i in 0..after.len() {
        for j in i + 1..after.len() {
            let d =
                swept_mm(before.position_mm[i] - before.position_mm[j], after.position_mm[i] - after.position_mm[j]);
            if d < swarm.clearances.d_r_mm - TOLERANCE {
                return Some(format!("robots {i} and {j} at {d} mm"));
            }
        }
        for (k, &foot) in feet_before_mm.iter().enumerate().filter(|_| with_feet) {
            let d = swept_mm(before.position_mm[i] - foot, after.position_mm[i] - world.feet.position_mm(k));
            if d < swarm.clearances.d_h_mm - TOLERANCE {
                return Some(format!("robot {i} and foot {k} at {d} mm"));
            }
        }
        if swarm.bounds.outside_mm(after.position_mm[i]) > TOLERANCE {
            return Some(format!("robot {i} outside at {}", after.position_mm[i]));
        }
        let change = (after.velocity_mm_s[i] - before.velocity_mm_s[i]).length() / swarm.step_s;
        let limits = &swarm.limits;
        let more = 1.0 + TOLERANCE;
        if change > limits.a_max_mm_s2 * more || after.velocity_mm_s[i].length() > limits.v_max_mm_s * more {
            return Some(format!("robot {i} beyond its limits: {change} mm/s^2"));
        }
        if after.omega_rad_s[i].abs() > limits.omega_max_rad_s * more {
            return Some(format!("robot {i} turns at {} rad/s", after.omega_rad_s[i]));
        }
    }
    world.rates.iter().any(|rate| !(0.0..=1.0).contains(rate)).then(|| format!("rates {:?}", world.rates))
}

fn cases() -> u32 {
    std::env::var("CERTIFICATE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    /// `CERTIFICATE_CASES` asks for more cases than a test run has time for.
    #[test]
    fn feet_that_wait_are_never_met(setting in settings()) {
        if let Some(mut world) = World::new(&setting, Manner::Considerate) {
            // Past the first idling, when feet start to walk.
            for _ in 0..700 {
                let (before, feet_before) = world.step();
                prop_assert_eq!(broken(&world, &before, &feet_before, true), None, "{:?} at {:?}", setting, world.tick);
            }
        }
    }

    /// The joint filter keeps robots apart and inside even where feet never wait.
    #[test]
    fn robots_keep_their_distance_under_stubborn_feet(mut setting in settings()) {
        setting.kind = FilterKind::Joint;
        if let Some(mut world) = World::new(&setting, Manner::Stubborn) {
            for _ in 0..500 {
                let (before, feet_before) = world.step();
                prop_assert_eq!(broken(&world, &before, &feet_before, false), None, "{:?} at {:?}", setting, world.tick);
            }
        }
    }
}

/// Two robots that want to swap places come as near as the distance allows and no nearer: a filter that kept 59 mm, or 65, fails here.
#[test]
fn two_robots_meet_at_the_distance_itself() {
    let setting = Setting {
        kind: FilterKind::None,
        drive: Drive::Point,
        travel: Travel::Core,
        feet: 1,
        robots: 2,
        wall_margin_mm: 0.0,
        a_max_mm_s2: 3000.0,
        seed: 1,
    };
    let mut world = World::new(&setting, Manner::Considerate).unwrap();
    world.agents = Agents::at_rest(vec![DVec2::new(10.0, 5.0), DVec2::new(390.0, 5.0)]);
    let mut nearest = f64::INFINITY;
    for _ in 0..240 {
        let input_wish = [DVec2::new(200.0, 0.0), DVec2::new(-200.0, 0.0)];
        let input = FilterInput {
            agents: &world.agents,
            wish_mm_s: &input_wish,
            feet: &world.feet,
            forecasts: &world.forecasts,
            sight: Sight::Present,
            key: world.key,
            tick: world.tick,
        };
        filter_step(&world.model, &mut world.state, &mut world.scratch, &input, &mut world.output);
        world.agents = world.output.next.clone();
        world.tick = world.tick.next();
        nearest = nearest.min(world.agents.position_mm[0].distance(world.agents.position_mm[1]));
    }
    // The margin for motion between ticks is 0.15 mm; brought to rest, the two stand less than a tick's way farther.
    assert!((60.0..61.5).contains(&nearest), "{nearest}");
}
