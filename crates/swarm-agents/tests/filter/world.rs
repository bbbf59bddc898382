//! A small world that runs the phases of a step in their order, and a judge that reads places only.

use sim_core::{DVec2, Rect, RunKey, StateHash, Tick};
use swarm_agents::filter::comparison::WishComparison;
use swarm_agents::filter::{
    FilterInput, FilterKind, FilterModel, FilterOutput, FilterScratch, FilterState, Sight, filter_step,
};
use swarm_agents::placement::place;
use swarm_agents::wish::{WishModel, WishParams, WishState, wishes};
use swarm_agents::{Agents, Clearances, Drive, Limits, SwarmModel};
use swarm_field::{
    Feet, FeetModel, FeetParams, FieldModel, FieldParams, Forecast, Gaussians, Manner, Patches, PatchesModel,
    PatchesParams,
};

/// Steps a second.
pub const STEP_HZ: u32 = 60;
/// Length of a step, s.
pub const STEP_S: f64 = 1.0 / 60.0;
/// Tolerance on distances in mm (reading A24), and relative tolerance on limits.
pub const TOLERANCE: f64 = 1e-6;

/// What a world is made of.
#[derive(Clone, Debug)]
pub struct Setting {
    pub kind: FilterKind,
    pub drive: Drive,
    pub robots: usize,
    pub wall_margin_mm: f64,
    pub a_max_mm_s2: f64,
    pub omega_max_rad_s: f64,
    pub feet: FeetParams,
    pub seed: u64,
}

impl Setting {
    /// The shipped scenario `swarm-30` with another filter, another seed and feet of this manner.
    pub fn shipped(kind: FilterKind, manner: Manner, seed: u64) -> Self {
        Self {
            kind,
            drive: Drive::Point,
            robots: 30,
            wall_margin_mm: 16.0,
            a_max_mm_s2: 3000.0,
            omega_max_rad_s: 12.0,
            feet: FeetParams { manner, ..FeetParams::default() },
            seed,
        }
    }

    /// One foot that stands still at a place, and robots to be set by hand.
    pub fn with_standing_foot(kind: FilterKind, manner: Manner, foot_mm: DVec2) -> Self {
        let feet = FeetParams {
            manner,
            home_mm: vec![foot_mm.into()],
            idle_s: [600.0, 600.0],
            idle_radius_mm: 0.0,
            noise_std_mm_s: 0.0,
            estimation_noise_mm: 0.0,
            ..FeetParams::default()
        };
        Self { feet, robots: 1, wall_margin_mm: 0.0, ..Self::shipped(kind, manner, 1) }
    }

    /// The same without any foot.
    pub fn without_feet(kind: FilterKind, manner: Manner) -> Self {
        let feet = FeetParams { manner, count: 0, ..FeetParams::default() };
        Self { feet, robots: 1, wall_margin_mm: 0.0, ..Self::shipped(kind, manner, 1) }
    }

    /// The robots' model.
    pub fn swarm(&self) -> SwarmModel {
        let clearances = Clearances { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm: self.wall_margin_mm };
        let limits = Limits { v_max_mm_s: 252.0, a_max_mm_s2: self.a_max_mm_s2, omega_max_rad_s: self.omega_max_rad_s };
        SwarmModel::new(mat(), clearances, limits, self.drive, STEP_HZ).unwrap()
    }
}

/// The spec's mat.
pub fn mat() -> Rect {
    Rect::from_size(400.0, 400.0)
}

/// What does not change in a run.
pub struct Fixed {
    pub feet: FeetModel,
    pub patches: PatchesModel,
    pub field: FieldModel,
    pub wish: WishModel,
    pub filter: FilterModel,
    pub key: RunKey,
}

/// All that a run is between two ticks.
#[derive(Clone)]
pub struct State {
    pub tick: Tick,
    pub feet: Feet,
    pub patches: Patches,
    pub agents: Agents,
    pub wish: WishState,
    pub filter: FilterState,
    pub rates: Vec<f64>,
    pub retarget: Vec<Option<DVec2>>,
}

/// A run: what is fixed, the state, and buffers that may be thrown away.
pub struct World {
    pub fixed: Fixed,
    pub state: State,
    scratch: FilterScratch,
    field: Gaussians,
    forecasts: Vec<Forecast>,
    wish_mm_s: Vec<DVec2>,
    output: FilterOutput,
}

/// What a tick did, told by places and motions.
pub struct Seen {
    pub before: Agents,
    pub feet_before_mm: Vec<DVec2>,
    pub feet_after_mm: Vec<DVec2>,
}

impl World {
    /// A world at its start; none if no start was found.
    pub fn new(setting: &Setting) -> Option<Self> {
        let key = RunKey { seed: setting.seed, run_index: 0 };
        let swarm = setting.swarm();
        let feet_model = FeetModel::new(setting.feet.clone(), mat(), 0.6, STEP_HZ).unwrap();
        let feet = Feet::new(&feet_model, key);
        let feet_mm: Vec<DVec2> = (0..feet.len()).map(|k| feet.position_mm(k)).collect();
        let agents = place(&swarm, setting.robots, &feet_mm, key).ok()?;
        let fixed = Fixed {
            patches: PatchesModel::new(PatchesParams::default(), mat(), STEP_HZ).unwrap(),
            field: FieldModel::new(FieldParams::default(), mat()).unwrap(),
            wish: WishModel::new(WishParams::default(), &swarm).unwrap(),
            filter: FilterModel::new(swarm, setting.kind, &feet_model).unwrap(),
            feet: feet_model,
            key,
        };
        let state = State {
            tick: Tick(0),
            patches: Patches::new(&fixed.patches, key),
            wish: WishState::new(&fixed.wish, agents.len(), key),
            filter: FilterState::default(),
            rates: vec![fixed.filter.initial_path_speed_factor(); feet.len()],
            retarget: vec![None; feet.len()],
            agents,
            feet,
        };
        Some(Self::resume(fixed, state))
    }

    /// The same with robots at rest at these places.
    pub fn with_robots(setting: &Setting, places_mm: &[DVec2]) -> Self {
        let mut world = Self::new(setting).unwrap();
        world.state.agents = Agents::at_rest(places_mm.to_vec());
        world.state.wish = WishState::new(&world.fixed.wish, places_mm.len(), world.fixed.key);
        world.drop_scratch();
        world
    }

    /// A world that goes on from a state.
    pub fn resume(fixed: Fixed, state: State) -> Self {
        Self {
            scratch: FilterScratch::default(),
            field: Gaussians::default(),
            forecasts: vec![Forecast::default(); state.feet.len()],
            wish_mm_s: vec![DVec2::ZERO; state.agents.len()],
            output: FilterOutput::default(),
            fixed,
            state,
        }
    }

    /// Throws away all buffers.
    pub fn drop_scratch(&mut self) {
        self.scratch = FilterScratch::default();
        self.field = Gaussians::default();
        self.forecasts = vec![Forecast::default(); self.state.feet.len()];
        self.wish_mm_s = vec![DVec2::ZERO; self.state.agents.len()];
        self.output = FilterOutput::default();
    }

    /// One tick with the wishes of field and noise.
    pub fn step(&mut self) -> Seen {
        self.step_with(|_, _, _| {})
    }

    /// One tick; `change` may replace the wishes, seeing robots and feet.
    pub fn step_with(&mut self, change: impl Fn(&Agents, &Feet, &mut [DVec2])) -> Seen {
        let (fixed, state) = (&self.fixed, &mut self.state);
        let feet_before_mm = places(&state.feet);
        state.tick = state.tick.next();
        for (k, from_mm) in state.retarget.iter().enumerate() {
            if let Some(from_mm) = *from_mm {
                state.feet.retarget(k, &fixed.feet, fixed.key, from_mm);
            }
        }
        state.feet.advance(&fixed.feet, fixed.key, &state.rates);
        state.patches.advance(&fixed.patches, fixed.key, state.tick);
        for (k, forecast) in self.forecasts.iter_mut().enumerate() {
            state.feet.forecast(k, &fixed.feet, forecast);
        }
        self.field.refresh(&fixed.field, &self.forecasts, &state.patches);
        let (agents, out) = (&state.agents, &mut self.wish_mm_s);
        wishes(&fixed.wish, &mut state.wish, &self.field, agents, None, fixed.key, state.tick, out);
        change(agents, &state.feet, out);
        let input = FilterInput {
            agents,
            wish_mm_s: out,
            feet: &state.feet,
            forecasts: &self.forecasts,
            sight: Sight::Present,
            key: fixed.key,
            tick: state.tick,
        };
        filter_step(&fixed.filter, &mut state.filter, &mut self.scratch, &input, &mut self.output);
        state.rates.clone_from(&self.output.path_speed_factors);
        state.retarget.clone_from(&self.output.retarget);
        let before = std::mem::replace(&mut state.agents, self.output.next.clone());
        Seen { before, feet_before_mm, feet_after_mm: places(&state.feet) }
    }

    /// What could be made of these wishes in the coming tick, with the feet where they are.
    pub fn compare(&self, wish_mm_s: &[DVec2]) -> WishComparison {
        let (fixed, state) = (&self.fixed, &self.state);
        let mut comparison = WishComparison::default();
        comparison.compare(
            &fixed.filter,
            &FilterInput {
                agents: &state.agents,
                wish_mm_s,
                feet: &state.feet,
                forecasts: &self.forecasts,
                sight: Sight::Present,
                key: fixed.key,
                tick: state.tick,
            },
        );
        comparison
    }

    /// Hash of robots, feet and the filter's memory.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.state.agents.hash_into(&mut hash);
        self.state.feet.hash_into(&mut hash);
        self.state.filter.hash_into(&mut hash);
        self.state.rates.iter().for_each(|&rate| hash.f64(rate));
        hash.finish()
    }
}

fn places(feet: &Feet) -> Vec<DVec2> {
    (0..feet.len()).map(|k| feet.position_mm(k)).collect()
}

/// All robots want to go to the first foot, or to the mat's centre where there is none.
pub fn towards_the_foot(agents: &Agents, feet: &Feet, wish_mm_s: &mut [DVec2]) {
    let target = if feet.is_empty() { mat().center() } else { feet.position_mm(0) };
    for (wish, &place) in wish_mm_s.iter_mut().zip(&agents.position_mm) {
        *wish = (target - place).normalize_or_zero() * 250.0;
    }
}

/// Smallest distance of two points that go straight from `before` to `after`, both given relative to each other.
pub fn swept_mm(before: DVec2, after: DVec2) -> f64 {
    let way = after - before;
    let at = if way == DVec2::ZERO { 0.0 } else { (-before.dot(way) / way.length_squared()).clamp(0.0, 1.0) };
    (before + way * at).length()
}

/// Smallest distances of a tick, between its ends included; infinite where there is no pair.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    pub pair_mm: f64,
    pub foot_mm: f64,
}

impl Nearest {
    pub const NONE: Self = Self { pair_mm: f64::INFINITY, foot_mm: f64::INFINITY };

    /// The nearest of a tick.
    pub fn from_tick(seen: &Seen, after: &Agents) -> Self {
        let mut nearest = Self::NONE;
        let (p, q) = (&seen.before.position_mm, &after.position_mm);
        for i in 0..q.len() {
            for j in 0..i {
                nearest.pair_mm = nearest.pair_mm.min(swept_mm(p[i] - p[j], q[i] - q[j]));
            }
            for (foot_before, foot_after) in seen.feet_before_mm.iter().zip(&seen.feet_after_mm) {
                nearest.foot_mm = nearest.foot_mm.min(swept_mm(p[i] - *foot_before, q[i] - *foot_after));
            }
        }
        nearest
    }

    pub fn and(self, other: Self) -> Self {
        Self { pair_mm: self.pair_mm.min(other.pair_mm), foot_mm: self.foot_mm.min(other.foot_mm) }
    }
}

/// What a tick broke, in words, feet left aside; nothing if it kept everything.
pub fn broken(world: &World, seen: &Seen) -> Option<String> {
    let (swarm, after) = (&world.fixed.filter.swarm, &world.state.agents);
    let (limits, more) = (&swarm.limits, 1.0 + TOLERANCE);
    let pair_mm = Nearest::from_tick(seen, after).pair_mm;
    if pair_mm < 60.0 - TOLERANCE {
        return Some(format!("two robots at {pair_mm} mm"));
    }
    for i in 0..after.len() {
        let (place, velocity) = (after.position_mm[i], after.velocity_mm_s[i]);
        let low = (place - mat().min).min(mat().max - place).min_element();
        if !place.is_finite() || low < swarm.clearances.wall_margin_mm - TOLERANCE {
            return Some(format!("robot {i} outside at {place}"));
        }
        let moved = (place - seen.before.position_mm[i]) * f64::from(STEP_HZ);
        if moved.distance(velocity) > 1e-6 {
            return Some(format!("robot {i} says {velocity} mm/s and went {moved}"));
        }
        let change = moved.distance(seen.before.velocity_mm_s[i]);
        if change > limits.a_max_mm_s2 / f64::from(STEP_HZ) * more || moved.length() > limits.v_max_mm_s * more {
            return Some(format!("robot {i} beyond its limits: {velocity} mm/s, changed by {change}"));
        }
        if after.omega_rad_s[i].abs() > limits.omega_max_rad_s * more {
            return Some(format!("robot {i} turns at {} rad/s", after.omega_rad_s[i]));
        }
    }
    let rates = &world.state.rates;
    rates.iter().any(|rate| !(0.0..=1.0).contains(rate)).then(|| format!("rates {rates:?}"))
}

/// The same with feet.
pub fn broken_with_feet(world: &World, seen: &Seen) -> Option<String> {
    let foot_mm = Nearest::from_tick(seen, &world.state.agents).foot_mm;
    let met = (foot_mm < 100.0 - TOLERANCE).then(|| format!("a robot and a foot at {foot_mm} mm"));
    broken(world, seen).or(met)
}
