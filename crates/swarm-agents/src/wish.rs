//! The wished velocity of a robot: up the potential, with a fluctuation (spec 1.3, readings A1, A4, A5, A6).
//!
//! # Equation
//! ```text
//! wish = cut(cut(+alpha grad U(p)) + goal pull + noise)        alpha = 60 * 1000 * alpha_spec  mm^2/s,  54 000 for 0.9
//! coloured:  dn = -n/tau dt + ..., standard deviation 60 * sigma_v mm/s in each component, whatever the step rate
//! white:     a fresh n of that deviation in each tick
//! boltzmann: instead of gradient and noise, a candidate v_c drawn with probability ~ exp(+U(p + v_c T) / T_e)
//! ```
//! U has no unit and the spec's sign: negative at feet, positive at patches. Robots *climb* it, away from feet and
//! towards patches (reading A1). The spec's numbers are mm per frame of a sixtieth of a second and slopes per metre
//! (reading A4), hence the factors. `cut` shortens a vector to v_max; the pull is cut separately, so that close to a
//! foot the other terms still count.
//!
//! # Boltzmann mode
//! Candidates are standing still and sixteen directions at a quarter and at half of v_max, without those that lead out
//! of the box. A robot draws a new one each `correlation_s`, robots in turns. Its wish approaches the drawn one with
//! that time constant, without jumps. T is 0.6 s, the spec's window.
//!
//! # Where it stops being true
//! The pull ignores other robots, and time beyond the field's window. Keeping distances is the filter's task.

use crate::goals::Goals;
use crate::purpose;
use crate::{Agents, SwarmModel};
use sim_core::{DVec2, OrnsteinUhlenbeck, ParamError, Rect, RunKey, StateHash, Tick, angle, ops};
use std::f64::consts::TAU;
use swarm_field::{Gaussians, Lookup};

/// Frames a second in which the spec counts velocities (reading A4).
const SPEC_FRAMES_PER_S: f64 = 60.0;
/// Slopes of the spec are per metre.
const MM_PER_M: f64 = 1000.0;
/// Look-ahead of the Boltzmann mode, s: the spec's window T.
const LOOKAHEAD_S: f64 = 0.6;
/// Directions that the Boltzmann mode chooses from.
const DIRECTIONS: usize = 16;
/// Speeds that it chooses from, as shares of v_max.
const SPEED_SHARES: [f64; 2] = [0.25, 0.5];
/// All candidates, standing still included.
const CANDIDATES: usize = 1 + DIRECTIONS * SPEED_SHARES.len();

/// Where the fluctuation of a robot's wish comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum NoiseMode {
    /// Noise with a memory of `noise_correlation_s`, the same at every step rate.
    Coloured,
    /// A fresh draw each step: the spec to the letter.
    White,
    /// No added noise: a direction is drawn, better ones more often, by the potential ahead over `temperature`.
    Boltzmann,
}

/// Parameters of wishes, in the spec's own numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WishParams {
    /// Gain of the gradient: mm per frame for a slope of one per metre.
    pub alpha: f64,
    /// Standard deviation of the fluctuation in each component, mm per frame.
    pub sigma_v: f64,
    /// Kind of fluctuation.
    pub noise: NoiseMode,
    /// Memory of the coloured noise and of a Boltzmann choice, s.
    pub correlation_s: f64,
    /// Temperature T_e of the Boltzmann mode, in units of U.
    pub temperature: f64,
}

/// Ranges of the parameters, smallest and largest.
impl WishParams {
    /// Gain of the gradient.
    pub const ALPHA: [f64; 2] = [0.0, 100.0];
    /// Standard deviation of the fluctuation.
    pub const SIGMA_V: [f64; 2] = [0.0, 10.0];
    /// Memory; without any, each tick draws afresh.
    pub const CORRELATION_S: [f64; 2] = [0.0, 60.0];
    /// Temperature of the Boltzmann mode.
    pub const TEMPERATURE: [f64; 2] = [1e-3, 100.0];
}

impl Default for WishParams {
    fn default() -> Self {
        Self { alpha: 0.9, sigma_v: 0.05, noise: NoiseMode::Coloured, correlation_s: 0.25, temperature: 0.3 }
    }
}

/// Checked parameters. Fixed for a run.
#[derive(Clone, Debug)]
pub struct WishModel {
    mode: NoiseMode,
    gain_mm2_s: f64,
    noise_std_mm_s: f64,
    colour: OrnsteinUhlenbeck,
    v_max_mm_s: f64,
    bounds: Rect,
    temperature: f64,
    /// Ticks between two choices of the Boltzmann mode.
    choice_period: u64,
    /// Share of the difference to the chosen velocity that one tick removes.
    approach: f64,
    candidates_mm_s: [DVec2; CANDIDATES],
}

impl WishModel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If one is out of range.
    pub fn new(params: WishParams, swarm: &SwarmModel) -> Result<Self, ParamError> {
        ParamError::check_within("alpha", params.alpha, WishParams::ALPHA)?;
        ParamError::check_within("sigma_v", params.sigma_v, WishParams::SIGMA_V)?;
        ParamError::check_within("correlation_s", params.correlation_s, WishParams::CORRELATION_S)?;
        ParamError::check_within("temperature", params.temperature, WishParams::TEMPERATURE)?;
        let noise_std_mm_s = SPEC_FRAMES_PER_S * params.sigma_v;
        let memory_s = params.correlation_s.max(swarm.step_s);
        Ok(Self {
            mode: params.noise,
            gain_mm2_s: SPEC_FRAMES_PER_S * MM_PER_M * params.alpha,
            noise_std_mm_s,
            colour: OrnsteinUhlenbeck::new(noise_std_mm_s, params.correlation_s, swarm.step_s),
            v_max_mm_s: swarm.limits.v_max_mm_s,
            bounds: swarm.bounds,
            temperature: params.temperature,
            choice_period: ((memory_s / swarm.step_s).round() as u64).max(1),
            approach: -ops::exp_m1(-swarm.step_s / memory_s),
            candidates_mm_s: candidates(swarm.limits.v_max_mm_s),
        })
    }

    /// Gain of the gradient, mm2/s: 54 000 with the spec's alpha.
    #[must_use]
    pub fn gain_mm2_s(&self) -> f64 {
        self.gain_mm2_s
    }

    /// Standard deviation of the noise in each component, mm/s: 3 with the spec's sigma_v.
    #[must_use]
    pub fn noise_std_mm_s(&self) -> f64 {
        self.noise_std_mm_s
    }

    /// Writes the pull of the potential at each place, mm/s, no longer than v_max: none in the Boltzmann mode.
    fn pulls(&self, field: &Gaussians, places_mm: &[DVec2], lookup: &mut Lookup, pulls_mm_s: &mut [DVec2]) {
        if self.mode == NoiseMode::Boltzmann {
            pulls_mm_s.fill(DVec2::ZERO);
            return;
        }
        field.gradients(places_mm, lookup, pulls_mm_s);
        for pull in pulls_mm_s {
            *pull = (*pull * self.gain_mm2_s).clamp_length_max(self.v_max_mm_s);
        }
    }

    /// True if robot `i` makes a choice in the Boltzmann mode.
    fn is_choice_due(&self, i: usize, tick: Tick) -> bool {
        (tick.0 + i as u64).is_multiple_of(self.choice_period)
    }

    /// Draws a candidate with probability proportional to `exp(U / T_e)` where it leads; `potentials` are those of the candidates.
    fn choose(&self, p_mm: DVec2, potentials: &[f64], uniform: f64) -> DVec2 {
        let mut weights = [0.0; CANDIDATES];
        // Standing still.
        let here = potentials[0];
        let mut sum = 0.0;
        for ((weight, &v), there) in weights.iter_mut().zip(&self.candidates_mm_s).zip(potentials) {
            if v == DVec2::ZERO || self.bounds.contains(p_mm + v * LOOKAHEAD_S) {
                // Relative to the present place: the same probabilities, without overflow.
                *weight = ops::exp(((there - here) / self.temperature).min(500.0));
                sum += *weight;
            }
        }
        let mut left = uniform * sum;
        for (weight, &v) in weights.iter().zip(&self.candidates_mm_s) {
            left -= weight;
            if left < 0.0 {
                return v;
            }
        }
        DVec2::ZERO
    }
}

/// Standing still, then rings of directions.
fn candidates(v_max_mm_s: f64) -> [DVec2; CANDIDATES] {
    let mut all = [DVec2::ZERO; CANDIDATES];
    for (ring, share) in SPEED_SHARES.iter().enumerate() {
        for direction in 0..DIRECTIONS {
            let heading_rad = TAU * direction as f64 / DIRECTIONS as f64;
            all[1 + ring * DIRECTIONS + direction] = angle::unit(heading_rad) * (share * v_max_mm_s);
        }
    }
    all
}

/// Memory of the wish from tick to tick, and buffers.
#[derive(Clone, Debug)]
pub struct WishState {
    /// Noise of each robot, mm/s; in the Boltzmann mode its smoothed choice.
    value_mm_s: Vec<DVec2>,
    /// In the Boltzmann mode the choice itself, mm/s.
    chosen_mm_s: Vec<DVec2>,
    lookup: Lookup,
    /// Where the candidates of the robots lead that choose in a tick, mm, and the potential there.
    ahead_mm: Vec<DVec2>,
    potentials: Vec<f64>,
}

impl WishState {
    /// The start for `robots` robots. Coloured noise starts in its stationary distribution.
    #[must_use]
    pub fn new(model: &WishModel, robots: usize, key: RunKey) -> Self {
        let mut value_mm_s = vec![DVec2::ZERO; robots];
        if model.mode == NoiseMode::Coloured {
            key.normals2(purpose::WISH_NOISE, 0, &mut value_mm_s);
            value_mm_s.iter_mut().for_each(|value| *value *= model.noise_std_mm_s);
        }
        let choices =
            if model.mode == NoiseMode::Boltzmann { robots.div_ceil(model.choice_period as usize) } else { 0 };
        Self {
            value_mm_s,
            chosen_mm_s: vec![DVec2::ZERO; robots],
            lookup: Lookup::default(),
            ahead_mm: Vec::with_capacity(choices * CANDIDATES),
            potentials: Vec::with_capacity(choices * CANDIDATES),
        }
    }

    /// Adds the whole memory to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.value_mm_s.iter().chain(&self.chosen_mm_s).for_each(|&v| hash.vec2(v));
    }
}

/// Writes the wished velocity of each robot, mm/s, to `out_mm_s`. Reads only the field, the goals and the robots' own
/// places.
#[expect(clippy::too_many_arguments, reason = "a phase lists all that it reads and writes")]
pub fn wishes(
    model: &WishModel,
    state: &mut WishState,
    field: &Gaussians,
    agents: &Agents,
    goals: Option<&Goals>,
    key: RunKey,
    tick: Tick,
    out_mm_s: &mut [DVec2],
) {
    let out_mm_s = &mut out_mm_s[..agents.len()];
    fluctuate(model, state, field, &agents.position_mm, (key, tick), out_mm_s);
    model.pulls(field, &agents.position_mm, &mut state.lookup, out_mm_s);
    for (i, wish) in out_mm_s.iter_mut().enumerate() {
        let (pull, noise) = (*wish, state.value_mm_s[i]);
        let goal = goals.map_or(DVec2::ZERO, |goals| goals.pull_mm_s(i, agents.position_mm[i]));
        *wish = (pull + goal.clamp_length_max(model.v_max_mm_s) + noise).clamp_length_max(model.v_max_mm_s);
    }
}

/// Advances the noise of all robots; `deviates` is a buffer.
fn fluctuate(
    model: &WishModel,
    state: &mut WishState,
    field: &Gaussians,
    places_mm: &[DVec2],
    (key, tick): (RunKey, Tick),
    deviates: &mut [DVec2],
) {
    match model.mode {
        NoiseMode::Boltzmann => choose(model, state, field, places_mm, (key, tick)),
        NoiseMode::Coloured | NoiseMode::White => key.normals2(purpose::WISH_NOISE, tick.0, deviates),
    }
    for (i, value) in state.value_mm_s.iter_mut().enumerate() {
        match model.mode {
            NoiseMode::Coloured => *value = model.colour.next2(*value, deviates[i]),
            NoiseMode::White => *value = deviates[i] * model.noise_std_mm_s,
            NoiseMode::Boltzmann => *value += (state.chosen_mm_s[i] - *value) * model.approach,
        }
    }
}

/// Draws candidates of the robots whose choice is due.
fn choose(
    model: &WishModel,
    state: &mut WishState,
    field: &Gaussians,
    places_mm: &[DVec2],
    (key, tick): (RunKey, Tick),
) {
    let WishState { chosen_mm_s, lookup, ahead_mm, potentials, .. } = state;
    let due = || (0..places_mm.len()).filter(|&i| model.is_choice_due(i, tick));
    ahead_mm.clear();
    for i in due() {
        ahead_mm.extend(model.candidates_mm_s.map(|v| places_mm[i] + v * LOOKAHEAD_S));
    }
    potentials.resize(ahead_mm.len(), 0.0);
    field.potentials(ahead_mm, lookup, potentials);
    for (i, potentials) in due().zip(potentials.chunks_exact(CANDIDATES)) {
        let uniform = key.stream(purpose::WISH_BOLTZMANN, i as u64, tick.0).uniform();
        chosen_mm_s[i] = model.choose(places_mm[i], potentials, uniform);
    }
}
