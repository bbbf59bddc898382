//! Patches of interest: round Gaussian hills that drift over the mat (spec 1.2.4, readings A20 and A21).
//!
//! ```text
//! U_patch(x) = lambda_rho peak fade(t) exp(-|x - c|^2 / (2 sigma^2)),   sigma = the patch's radius
//! ```
//!
//! The centre moves at a speed inside the declared range, along a heading that turns at a random rate. Rate and speed follow targets drawn
//! about once a second, each patch with a phase of its own. At the mat's border the centre is mirrored. A patch fades to nothing by the end
//! of its life, and another one takes its number at a new place. So the potential stays continuous.
//!
//! Draws are addressed by (purpose, patch, generation or draw number): one more patch leaves the others as they were.

use crate::ease::quintic;
use crate::obstacles::Obstacles;
use crate::purpose;
use sim_core::{DVec2, ParamError, Rect, RunKey, StateHash, Tick, angle::unit, angle::wrap_rad, ops};
use std::f64::consts::PI;
use std::sync::Arc;

/// Time constant with which turn rate and speed follow their targets.
const FOLLOW_S: f64 = 0.7;
/// Time between new targets.
const TARGET_S: f64 = 1.0;
/// Places that are drawn for a patch until one is in no obstacle.
const MAX_PLACES: usize = 1000;
/// Distance of a patch's centre from obstacles, mm: rounding must not place it inside.
const TOUCH_MM: f64 = 1e-6;
/// Largest target of the turn rate.
const TURN_RAD_S: f64 = 1.0;

/// All parameters of patches. The defaults are the spec's.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct PatchesParams {
    /// Number of patches.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = Self::MAX_COUNT)))]
    pub count: usize,
    /// Radius of a patch, the standard deviation of its hill, smallest and largest.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::RADIUS_MM[0], max = Self::RADIUS_MM[1]))))]
    pub radius_mm: [f64; 2],
    /// Height of a patch in units of `lambda_rho`, lowest and highest; the spec allows at most 0.3.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::PEAK[0], max = Self::PEAK[1]))))]
    pub peak: [f64; 2],
    /// Speed of the drift, lowest and highest.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::SPEED_MM_S[0], max = Self::SPEED_MM_S[1]))))]
    pub speed_mm_s: [f64; 2],
    /// How long a patch stays before it is exchanged, shortest and longest.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::LIFETIME_S[0], max = Self::LIFETIME_S[1]))))]
    pub lifetime_s: [f64; 2],
    /// How long a patch takes to appear, and to vanish.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::FADE_S[0], max = Self::FADE_S[1])))]
    pub fade_s: f64,
}

/// Ranges of the parameters, smallest and largest.
impl PatchesParams {
    /// Most patches.
    pub const MAX_COUNT: usize = 100_000;
    const RADIUS_MM: [f64; 2] = [5.0, 1000.0];
    const PEAK: [f64; 2] = [0.0, 0.3];
    const SPEED_MM_S: [f64; 2] = [0.0, 500.0];
    const LIFETIME_S: [f64; 2] = [1.0, 100_000.0];
    const FADE_S: [f64; 2] = [0.0, 600.0];
}

impl Default for PatchesParams {
    fn default() -> Self {
        Self {
            count: 10,
            radius_mm: [30.0, 60.0],
            peak: [0.15, 0.3],
            speed_mm_s: [5.0, 15.0],
            lifetime_s: [20.0, 60.0],
            fade_s: 2.0,
        }
    }
}

/// Checked parameters. Fixed for a run.
#[derive(Clone, Debug)]
pub struct PatchesModel {
    params: PatchesParams,
    mat: Rect,
    step_s: f64,
    step_hz: u32,
    follow: f64,
    target_ticks: u64,
    obstacles: Arc<Obstacles>,
}

impl PatchesModel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of range, or a patch would have to fade out before it has faded in.
    pub fn new(params: PatchesParams, mat: Rect, step_hz: u32) -> Result<Self, ParamError> {
        ParamError::check_range("step_hz", f64::from(step_hz), 10.0, 1000.0)?;
        ParamError::check_range("count", params.count as f64, 0.0, PatchesParams::MAX_COUNT as f64)?;
        ParamError::check_span("radius_mm", params.radius_mm, PatchesParams::RADIUS_MM)?;
        ParamError::check_span("peak", params.peak, PatchesParams::PEAK)?;
        ParamError::check_span("speed_mm_s", params.speed_mm_s, PatchesParams::SPEED_MM_S)?;
        ParamError::check_within("fade_s", params.fade_s, PatchesParams::FADE_S)?;
        ParamError::check_span("lifetime_s", params.lifetime_s, PatchesParams::LIFETIME_S)?;
        if params.lifetime_s[0] < 2.0 * params.fade_s {
            let message =
                format!("starts at {}, must be at least 2 fade_s = {}", params.lifetime_s[0], 2.0 * params.fade_s);
            return Err(ParamError::new("lifetime_s", message));
        }
        let step_s = 1.0 / f64::from(step_hz);
        let target_ticks = (TARGET_S * f64::from(step_hz)).round() as u64;
        let (follow, obstacles) = (1.0 - ops::exp(-step_s / FOLLOW_S), Arc::default());
        Ok(Self { params, mat, step_s, step_hz, follow, target_ticks, obstacles })
    }

    /// The same patches on a mat with obstacles, which hold no centre of a patch.
    #[must_use]
    pub fn among(self, obstacles: Arc<Obstacles>) -> Self {
        Self { obstacles, ..self }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &PatchesParams {
        &self.params
    }

    fn ticks(&self, seconds: f64) -> u64 {
        (seconds * f64::from(self.step_hz)).round() as u64
    }
}

/// One patch.
#[derive(Clone, Debug)]
struct Patch {
    generation: u64,
    /// First tick of its life, which may lie before the run, and the tick at which another takes over.
    born: i64,
    dies: i64,
    fade: f64,
    center_mm: DVec2,
    sigma_mm: f64,
    peak: f64,
    heading_rad: f64,
    turn_rad_s: f64,
    turn_target_rad_s: f64,
    speed_mm_s: f64,
    speed_target_mm_s: f64,
    /// Phase within the second at which its targets change.
    phase_ticks: u64,
}

impl Patch {
    fn birth(model: &PatchesModel, key: RunKey, index: usize, generation: u64, born: i64) -> Self {
        let p = &model.params;
        let mut stream = key.stream(purpose::PATCH_BIRTH, index as u64, generation);
        let mut within = |range: [f64; 2]| stream.range(range[0], range[1]);
        let mut center_mm = DVec2::ZERO;
        for _ in 0..MAX_PLACES {
            center_mm =
                DVec2::new(within([model.mat.min.x, model.mat.max.x]), within([model.mat.min.y, model.mat.max.y]));
            if model.obstacles.is_clear(center_mm, TOUCH_MM) {
                break;
            }
        }
        let (sigma_mm, peak, speed_mm_s) = (within(p.radius_mm), within(p.peak), within(p.speed_mm_s));
        let heading_rad = within([-PI, PI]);
        let life = model.ticks(within(p.lifetime_s)) as i64;
        let phase_ticks = stream.below(model.target_ticks);
        Self {
            generation,
            born,
            dies: born + life.max(1),
            fade: 0.0,
            center_mm,
            sigma_mm,
            peak,
            heading_rad,
            turn_rad_s: 0.0,
            turn_target_rad_s: 0.0,
            speed_mm_s,
            speed_target_mm_s: speed_mm_s,
            phase_ticks,
        }
    }

    /// A patch of the start: at a random time between the end of its fading in and the start of its fading out.
    fn first(model: &PatchesModel, key: RunKey, index: usize) -> Self {
        let mut patch = Self::birth(model, key, index, 0, 0);
        let fade = model.ticks(model.params.fade_s) as i64;
        let spare = (patch.dies - 2 * fade).max(0) as u64;
        let age = fade + key.stream(purpose::PATCH_DRIFT, index as u64, u64::MAX).below(spare + 1) as i64;
        patch.born -= age;
        patch.dies -= age;
        patch.fade = patch.fade_at(model, 0);
        patch
    }

    fn fade_at(&self, model: &PatchesModel, tick: i64) -> f64 {
        if model.params.fade_s <= 0.0 {
            return 1.0;
        }
        let fade_ticks = model.params.fade_s * f64::from(model.step_hz);
        let (since, until) = ((tick - self.born) as f64, (self.dies - tick) as f64);
        quintic(since / fade_ticks) * quintic(until / fade_ticks)
    }

    fn advance(&mut self, model: &PatchesModel, key: RunKey, index: usize, tick: u64) {
        if tick as i64 >= self.dies {
            *self = Self::birth(model, key, index, self.generation + 1, tick as i64);
        }
        if (tick + self.phase_ticks).is_multiple_of(model.target_ticks) {
            self.draw_targets(model, key, index, tick);
        }
        self.turn_rad_s += (self.turn_target_rad_s - self.turn_rad_s) * model.follow;
        self.speed_mm_s += (self.speed_target_mm_s - self.speed_mm_s) * model.follow;
        self.heading_rad = wrap_rad(self.heading_rad + self.turn_rad_s * model.step_s);
        let velocity = unit(self.heading_rad) * self.speed_mm_s;
        let (center_mm, mirrored) = reflect(model.mat, self.center_mm + velocity * model.step_s, velocity);
        let (center_mm, mirrored) = turned_back(&model.obstacles, [self.center_mm, center_mm], mirrored);
        self.center_mm = center_mm;
        if mirrored != velocity {
            self.heading_rad = sim_core::angle::heading_of(mirrored);
        }
        self.fade = self.fade_at(model, tick as i64);
    }

    fn draw_targets(&mut self, model: &PatchesModel, key: RunKey, index: usize, tick: u64) {
        let mut stream = key.stream(purpose::PATCH_DRIFT, index as u64, tick);
        let [slow, fast] = model.params.speed_mm_s;
        self.turn_target_rad_s = stream.range(-TURN_RAD_S, TURN_RAD_S);
        self.speed_target_mm_s = stream.range(slow, fast);
    }

    fn hash_into(&self, hash: &mut StateHash) {
        for v in [self.generation, self.born as u64, self.dies as u64, self.phase_ticks] {
            hash.u64(v);
        }
        hash.vec2(self.center_mm);
        for v in [self.sigma_mm, self.peak, self.fade, self.heading_rad, self.speed_mm_s, self.speed_target_mm_s] {
            hash.f64(v);
        }
        hash.f64(self.turn_rad_s);
        hash.f64(self.turn_target_rad_s);
    }
}

/// Mirrors a place beyond a side of `mat` back inside, and its velocity with it.
fn reflect(mat: Rect, p: DVec2, velocity: DVec2) -> (DVec2, DVec2) {
    let axis = |x: f64, v: f64, min: f64, max: f64| {
        if x < min {
            (2.0 * min - x, v.abs())
        } else if x > max {
            (2.0 * max - x, -v.abs())
        } else {
            (x, v)
        }
    };
    let (x, vx) = axis(p.x, velocity.x, mat.min.x, mat.max.x);
    let (y, vy) = axis(p.y, velocity.y, mat.min.y, mat.max.y);
    (mat.clamp(DVec2::new(x, y)), DVec2::new(vx, vy))
}

/// A centre that would enter an obstacle stays where it is, and its velocity is turned round.
fn turned_back(obstacles: &Obstacles, [before, after]: [DVec2; 2], velocity: DVec2) -> (DVec2, DVec2) {
    if obstacles.is_empty() || obstacles.is_way_clear(before, after, TOUCH_MM) {
        (after, velocity)
    } else {
        (before, -velocity)
    }
}

/// A patch as the field sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// Centre.
    pub center_mm: DVec2,
    /// Standard deviation.
    pub sigma_mm: f64,
    /// Height now, fading included, as a share of lambda_rho.
    pub peak: f64,
}

/// State of all patches: complete and hashable.
#[derive(Clone, Debug)]
pub struct Patches {
    patches: Vec<Patch>,
}

impl Patches {
    /// All patches at tick 0, each at full height in the middle of its own life.
    #[must_use]
    pub fn new(model: &PatchesModel, key: RunKey) -> Self {
        Self { patches: (0..model.params.count).map(|index| Patch::first(model, key, index)).collect() }
    }

    /// Number of patches.
    #[must_use]
    pub fn len(&self) -> usize {
        self.patches.len()
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }

    /// Centre of patch `k`.
    #[must_use]
    pub fn center_mm(&self, k: usize) -> DVec2 {
        self.patches[k].center_mm
    }

    /// Radius of patch `k`, which is the hill's standard deviation.
    #[must_use]
    pub fn sigma_mm(&self, k: usize) -> f64 {
        self.patches[k].sigma_mm
    }

    /// Height of patch `k` now, fading included, as a share of lambda_rho.
    #[must_use]
    pub fn peak(&self, k: usize) -> f64 {
        self.patches[k].peak * self.patches[k].fade
    }

    /// All patches as the field sees them now.
    pub fn hills(&self) -> impl Iterator<Item = Hill> + '_ {
        (0..self.len()).map(|k| Hill { center_mm: self.center_mm(k), sigma_mm: self.sigma_mm(k), peak: self.peak(k) })
    }

    /// Number of patches that had the number `k` before this one.
    #[must_use]
    pub fn generation(&self, k: usize) -> u64 {
        self.patches[k].generation
    }

    /// Drifts, fades and exchanges patches by one tick; `tick` is the number of the new tick.
    pub fn advance(&mut self, model: &PatchesModel, key: RunKey, tick: Tick) {
        for (index, patch) in self.patches.iter_mut().enumerate() {
            patch.advance(model, key, index, tick.0);
        }
    }

    /// Adds the complete state to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.patches.iter().for_each(|patch| patch.hash_into(hash));
    }
}
