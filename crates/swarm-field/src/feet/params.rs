//! Parameters of feet, and the checked model made from them.

use super::noise::TrackNoise;
use super::recording::{RecordedPlace, RecordedWay};
use super::routes::Routes;
use crate::domain::{Domain, Travel};
use crate::ease;
use crate::obstacles::Obstacles;
use sim_core::{DVec2, OrnsteinUhlenbeck, ParamError, Rect};
use std::sync::Arc;

/// Range of how far forecasts reach.
pub(crate) const FORECAST_S: [f64; 2] = [0.05, 5.0];

/// Half the width of a shoe: distance of a foot's centre from obstacles, mm.
const SHOE_MM: f64 = 40.0;

/// What a foot does about a robot in its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Manner {
    /// Walks on as if there were no robots: the spec to the letter.
    #[default]
    Stubborn,
    /// Slows down or waits while a robot is in the way.
    Considerate,
}

/// Where a walking foot goes: the target of Move-out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Destination {
    /// To an edge or to a random place, with equal chance.
    #[default]
    Mixed,
    /// Always to an edge, as far as `travel` allows.
    Edge,
    /// Always to a corner, as far as `travel` allows.
    Corner,
}

/// How a foot walks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Gait {
    /// Stands, goes somewhere, roams there, comes back: the spec's four states.
    #[default]
    Walk,
    /// Goes round in a circle without pause.
    Orbit,
}

/// State of a foot's walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootPhase {
    /// Stepping in place, or at rest on a point that it follows.
    Idle,
    /// Straight to a far target.
    MoveOut,
    /// Circles or lines back and forth round its target, or behind a point that it follows.
    Roam,
    /// Back to near its home.
    Return,
    /// On the orbit of [`Gait::Orbit`].
    Orbit,
}

impl FootPhase {
    /// Name in the tables.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::MoveOut => "move_out",
            Self::Roam => "roam",
            Self::Return => "return",
            Self::Orbit => "orbit",
        }
    }
}

/// All parameters of feet. The defaults are the spec's.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct FeetParams {
    /// Number of feet.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = Self::MAX_COUNT)))]
    pub count: usize,
    /// Where the centre of a foot may be.
    pub travel: Travel,
    /// What a foot does about a robot in its way.
    // Nothing here acts on it: the filter chooses the path speed factors.
    pub manner: Manner,
    /// Distance of the feet's centres from the mat's edge when `travel` is `core`; side of the forbidden squares at the mat's
    /// corners when it is `edge`.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::CORE_INSET_MM[0], max = Self::CORE_INSET_MM[1])))]
    pub core_inset_mm: f64,
    /// How a foot walks.
    pub gait: Gait,
    /// Where a walking foot goes.
    pub destination: Destination,
    /// How long a foot stands before it goes, shortest and longest.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::IDLE_S[0], max = Self::IDLE_S[1]))))]
    pub idle_s: [f64; 2],
    /// How far a standing foot shifts about its place, offset of the noise not counted.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::IDLE_RADIUS_MM[0], max = Self::IDLE_RADIUS_MM[1])))]
    pub idle_radius_mm: f64,
    /// Highest speed of a standing foot's shifting, noise not counted.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::PACE_MM_S[0], max = Self::PACE_MM_S[1])))]
    pub idle_speed_max_mm_s: f64,
    /// How long a foot takes to reach its speed, and to lose it, shortest and longest.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::ACCELERATION_S[0], max = Self::ACCELERATION_S[1]))))]
    pub acceleration_s: [f64; 2],
    /// Walking speed, lowest and highest.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::PACE_MM_S[0], max = Self::PACE_MM_S[1]))))]
    pub speed_mm_s: [f64; 2],
    /// How long a foot roams about its destination, shortest and longest.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = Self::ROAM_S[0], max = Self::ROAM_S[1]))))]
    pub roam_s: [f64; 2],
    /// Radius of the circle when `gait` is `orbit`.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::ORBIT_RADIUS_MM[0], max = Self::ORBIT_RADIUS_MM[1])))]
    pub orbit_radius_mm: f64,
    /// Speed on the circle when `gait` is `orbit`.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::PACE_MM_S[0], max = Self::PACE_MM_S[1])))]
    pub orbit_speed_mm_s: f64,
    /// Standard deviation of the noise on each component of a foot's velocity.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::NOISE_STD_MM_S[0], max = Self::NOISE_STD_MM_S[1])))]
    pub noise_std_mm_s: f64,
    /// How much faster than planned a foot may get through noise; at least three times `noise_std_mm_s`.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::SPEED_SLACK_MM_S[0], max = Self::SPEED_SLACK_MM_S[1])))]
    pub speed_slack_mm_s: f64,
    /// Largest error of the feet's predicted places that robots get.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::ESTIMATION_NOISE_MM[0], max = Self::ESTIMATION_NOISE_MM[1])))]
    pub estimation_noise_mm: f64,
    /// Where each foot begins and comes back to, [x, y] each, one for each foot; empty: drawn by chance.
    #[cfg_attr(feature = "schema", schemars(length(max = Self::MAX_COUNT), inner(inner(range(min = 0, max = 100_000)))))]
    pub home_mm: Vec<[f64; 2]>,
    /// Recorded places that feet follow instead of walks of their own; times of a foot ascend, and each foot has at least one. They are
    /// averaged over half a second.
    #[cfg_attr(feature = "schema", serde(skip_serializing_if = "Vec::is_empty"), schemars(length(max = 1_000_000)))]
    pub recording: Vec<RecordedPlace>,
    /// A CSV file in place of `recording`, relative to the scenario: columns `time_s`, `foot`, `x_mm`, `y_mm`, at any rate.
    // Only its reader knows files.
    #[cfg_attr(feature = "schema", serde(skip_serializing_if = "Option::is_none"), schemars(with = "String"))]
    pub recording_csv: Option<String>,
}

/// Ranges of the parameters, smallest and largest.
impl FeetParams {
    /// Most feet.
    pub const MAX_COUNT: usize = 10_000;
    const CORE_INSET_MM: [f64; 2] = [0.0, 50_000.0];
    const IDLE_S: [f64; 2] = [2.0, 3600.0];
    const IDLE_RADIUS_MM: [f64; 2] = [0.0, 500.0];
    /// Speeds of feet, whatever they do.
    const PACE_MM_S: [f64; 2] = [1.0, 2000.0];
    const ACCELERATION_S: [f64; 2] = [0.1, 60.0];
    const ROAM_S: [f64; 2] = [2.0, 3600.0];
    const ORBIT_RADIUS_MM: [f64; 2] = [1.0, 50_000.0];
    const NOISE_STD_MM_S: [f64; 2] = [0.0, 100.0];
    const SPEED_SLACK_MM_S: [f64; 2] = [0.0, 1000.0];
    const ESTIMATION_NOISE_MM: [f64; 2] = [0.0, 100.0];
}

impl Default for FeetParams {
    fn default() -> Self {
        Self {
            count: 1,
            travel: Travel::Core,
            core_inset_mm: 120.0,
            manner: Manner::Stubborn,
            gait: Gait::Walk,
            destination: Destination::Mixed,
            idle_s: [5.0, 8.0],
            idle_radius_mm: 30.0,
            idle_speed_max_mm_s: 120.0,
            acceleration_s: [1.0, 2.0],
            speed_mm_s: [120.0, 200.0],
            roam_s: [3.0, 6.0],
            orbit_radius_mm: 80.0,
            orbit_speed_mm_s: 200.0,
            noise_std_mm_s: 5.0,
            speed_slack_mm_s: 15.0,
            estimation_noise_mm: 5.0,
            home_mm: Vec::new(),
            recording: Vec::new(),
            recording_csv: None,
        }
    }
}

/// Checked parameters and derived values. Fixed for a run.
#[derive(Clone, Debug)]
pub struct FeetModel {
    params: FeetParams,
    domain: Domain,
    plan_domain: Domain,
    window_s: f64,
    step_hz: u32,
    forecast_frames: usize,
    pub(super) noise: TrackNoise,
    pub(super) estimate: OrnsteinUhlenbeck,
    /// Places from which drawn homes keep a distance, mm.
    keep_from: (Vec<DVec2>, f64),
    pub(super) routes: Routes,
    /// By foot; none without a recording.
    recorded: Vec<RecordedWay>,
}

impl FeetModel {
    /// Checks the parameters. `window_s` is the length of the forecast (T of the spec).
    ///
    /// # Errors
    /// If a value is out of range, the domain of a foot is empty, or a home lies outside it.
    pub fn new(params: FeetParams, mat: Rect, window_s: f64, step_hz: u32) -> Result<Self, ParamError> {
        check_numbers(&params, window_s, step_hz)?;
        let step_s = 1.0 / f64::from(step_hz);
        let noise = TrackNoise::new(params.noise_std_mm_s, step_s);
        let domain = Domain::new(params.travel, mat, params.core_inset_mm);
        let model = Self {
            domain,
            plan_domain: domain.shrunk(noise.offset_bound_mm()),
            window_s,
            step_hz,
            forecast_frames: (window_s * f64::from(step_hz) - 1e-9).ceil() as usize,
            noise,
            estimate: OrnsteinUhlenbeck::new(0.5, 0.5, step_s),
            keep_from: (Vec::new(), 0.0),
            routes: Routes::default(),
            recorded: RecordedWay::all(&params)?,
            params,
        };
        model.check_domain()?;
        model.check_recorded(|place_mm| model.domain.contains(place_mm))?;
        Ok(model)
    }

    /// The same feet, with homes that are drawn at least `distance_mm` from all of `places_mm`, as far as there are such places.
    #[must_use]
    pub fn with_homes_clear_of(self, places_mm: Vec<DVec2>, distance_mm: f64) -> Self {
        Self { keep_from: (places_mm, distance_mm), ..self }
    }

    /// The same feet among obstacles. Their centres keep `core_inset_mm` from these where `travel` is `core`, and half the width of a
    /// shoe, 40 mm, elsewhere.
    ///
    /// # Errors
    /// If the obstacles leave a foot no place, one is on a given home or on an orbit, or there are too many corners.
    pub fn among(self, obstacles: Arc<Obstacles>) -> Result<Self, ParamError> {
        if self.params.count == 0 || obstacles.is_empty() {
            return Ok(self);
        }
        let clear_mm = self.obstacle_distance_mm();
        let plan_mm = clear_mm + self.offset_bound_mm();
        let refused = |why: String| match self.params.travel {
            Travel::Core => ParamError::new("core_inset_mm", format!("is {}, and {why}", self.params.core_inset_mm)),
            Travel::Edge | Travel::Full => ParamError::new("count", format!("is {}, and {why}", self.params.count)),
        };
        let routes = Routes::new(obstacles, &self.plan_domain, plan_mm).map_err(refused)?;
        self.check_recorded(|place_mm| routes.is_clear(place_mm))?;
        let orbit_mm = self.params.orbit_radius_mm;
        for home in self.given_homes_mm() {
            let is_clear = match self.params.gait {
                Gait::Walk => routes.is_clear(self.plan_domain.clamp(home)),
                Gait::Orbit => routes.is_circle_clear(home, orbit_mm),
            };
            if !is_clear {
                let message = format!(
                    "[{}, {}] is too near to a wall or an obstacle, from which a foot keeps {plan_mm:.1} mm",
                    home.x, home.y
                );
                return Err(ParamError::new("home_mm", message));
            }
        }
        let middle = self.domain.shared().center();
        let is_drawn = self.params.home_mm.is_empty();
        if self.params.gait == Gait::Orbit && is_drawn && !routes.is_circle_clear(middle, orbit_mm) {
            let message = format!("is {orbit_mm}; the circle comes too near to a wall or an obstacle");
            return Err(ParamError::new("orbit_radius_mm", message));
        }
        Ok(Self { routes, ..self })
    }

    /// Distance that the centre of a foot keeps from obstacles, mm.
    #[must_use]
    pub fn obstacle_distance_mm(&self) -> f64 {
        if self.params.travel == Travel::Core { self.params.core_inset_mm } else { SHOE_MM }
    }

    /// True if a home may be drawn at a place.
    pub(super) fn may_be_home(&self, home_mm: DVec2) -> bool {
        let (places_mm, distance_mm) = &self.keep_from;
        self.routes.is_clear(home_mm)
            && places_mm.iter().all(|place_mm| place_mm.distance_squared(home_mm) >= distance_mm * distance_mm)
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &FeetParams {
        &self.params
    }

    /// Where feet begin; nothing if that is drawn.
    pub(super) fn given_homes_mm(&self) -> impl Iterator<Item = DVec2> {
        let given = self.params.home_mm.iter().copied().map(DVec2::from);
        given.chain(self.recorded.iter().map(|way| way.place_mm(0.0)))
    }

    /// True if feet follow recorded ways.
    #[must_use]
    pub fn has_recording(&self) -> bool {
        !self.recorded.is_empty()
    }

    /// The point to follow at a time, s, so that foot `k` is then on its recorded way; none without one.
    pub(super) fn recorded_target_mm(&self, k: usize, time_s: f64) -> Option<DVec2> {
        let way = self.recorded.get(k)?;
        let time_s = time_s + self.committed_frames() as f64 / f64::from(self.step_hz);
        let stopping_s = 0.5 * way.velocity_mm_s(time_s).length() / self.follow_acceleration_mm_s2();
        Some(way.place_mm(time_s + stopping_s))
    }

    fn check_recorded(&self, is_allowed: impl Fn(DVec2) -> bool) -> Result<(), ParamError> {
        let limit_mm_s = self.speed_bound_mm_s();
        self.recorded.iter().try_for_each(|way| way.check(limit_mm_s, &is_allowed))
    }

    /// Where foot centres may be, noise included.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Domain of the plan, smaller so that the noise cannot push a foot out of [`FeetModel::domain`].
    #[must_use]
    pub fn plan_domain(&self) -> &Domain {
        &self.plan_domain
    }

    /// Number of ticks that a forecast reaches ahead: the window, rounded up.
    #[must_use]
    pub fn forecast_frames(&self) -> usize {
        self.forecast_frames
    }

    /// Path frames that hold for a foot that follows a point, whatever points come: 0.15 s, rounded up.
    ///
    /// A considerate foot needs 8.5 of them at 60 Hz: its speed profile stays at 1 for up to 4 ticks between two plans, then falls by a
    /// tenth a tick, `4 + 0.9 + 0.8 + ... + 0.1`. Profiles last as many seconds at other rates.
    #[must_use]
    pub fn committed_frames(&self) -> usize {
        frames_of_sixtieths(9, self.step_hz)
    }

    /// Frames that are known beyond the forecast: 0.4 s, and at least 24. A foot at rate 1 needs less than half of them to stop.
    pub(super) fn frames_beyond_forecast(&self) -> usize {
        frames_of_sixtieths(24, self.step_hz).max(24)
    }

    /// Length of the window that a forecast covers.
    #[must_use]
    pub fn window_s(&self) -> f64 {
        self.window_s
    }

    /// Steps, and path frames, per second.
    #[must_use]
    pub fn step_hz(&self) -> u32 {
        self.step_hz
    }

    /// Largest distance between a foot and its plan.
    #[must_use]
    pub fn offset_bound_mm(&self) -> f64 {
        self.noise.offset_bound_mm()
    }

    /// Largest speed of a plan.
    #[must_use]
    pub fn plan_speed_bound_mm_s(&self) -> f64 {
        match self.params.gait {
            Gait::Walk => self.params.speed_mm_s[1].max(self.params.idle_speed_max_mm_s),
            Gait::Orbit => self.params.orbit_speed_mm_s,
        }
    }

    /// Largest speed of a foot, mm/s: that of the plan and the declared slack of the noise. No foot ever exceeds it in a tick.
    #[must_use]
    pub fn speed_bound_mm_s(&self) -> f64 {
        self.plan_speed_bound_mm_s() + self.params.speed_slack_mm_s
    }

    /// Acceleration of a foot that follows a point, mm/s^2: its largest speed over the shortest ramp, 215 mm/s^2 with the defaults.
    #[must_use]
    pub fn follow_acceleration_mm_s2(&self) -> f64 {
        self.speed_bound_mm_s() / self.params.acceleration_s[0]
    }

    /// Largest acceleration of a plan (a_f of the reference), mm/s^2: 1.875 v / t_a with the fastest cruise and the shortest ramp, 375
    /// mm/s^2 for the spec's numbers. Idle and Roam are kept below the same value. An orbit adds its centripetal part v^2 / r. The noise is
    /// not included: it changes the velocity a little in every frame, within the slack.
    #[must_use]
    pub fn acceleration_bound_mm_s2(&self) -> f64 {
        match self.params.gait {
            Gait::Walk => self.walk_acceleration_mm_s2(),
            Gait::Orbit => {
                let (v, r) = (self.params.orbit_speed_mm_s, self.params.orbit_radius_mm);
                let along = ease::PEAK_SLOPE * v / self.params.acceleration_s[1];
                (along * along + (v * v / r) * (v * v / r)).sqrt()
            }
        }
    }

    pub(super) fn walk_acceleration_mm_s2(&self) -> f64 {
        ease::PEAK_SLOPE * self.params.speed_mm_s[1] / self.params.acceleration_s[0]
    }

    fn check_domain(&self) -> Result<(), ParamError> {
        let refuse = |field, message: String| Err(ParamError::new(field, message));
        if self.params.count > 0 && self.plan_domain.is_empty() {
            return refuse(
                "core_inset_mm",
                format!("of {} leaves a foot no space on this mat", self.params.core_inset_mm),
            );
        }
        if !self.params.home_mm.is_empty() && self.params.home_mm.len() != self.params.count {
            let given = self.params.home_mm.len();
            return refuse(
                "home_mm",
                format!("has {given} places for {} feet: give one each, or none", self.params.count),
            );
        }
        for home in self.given_homes_mm() {
            if !home.is_finite() || !self.domain.contains(home) {
                return refuse("home_mm", format!("[{}, {}] is outside of where this foot may be", home.x, home.y));
            }
        }
        self.check_orbit()
    }

    fn check_orbit(&self) -> Result<(), ParamError> {
        if self.params.gait == Gait::Walk || self.params.count == 0 {
            return Ok(());
        }
        let middle = self.params.home_mm.is_empty().then(|| self.domain.shared().center());
        let ring = self.domain.shrunk(self.params.orbit_radius_mm + self.offset_bound_mm());
        if self.given_homes_mm().chain(middle).all(|centre| ring.contains(centre)) {
            return Ok(());
        }
        let (radius, rim) = (self.params.orbit_radius_mm, self.offset_bound_mm());
        Err(ParamError::new(
            "orbit_radius_mm",
            format!("is {radius}; with {rim} mm for the noise the circle leaves where this foot may be"),
        ))
    }
}

fn check_numbers(p: &FeetParams, window_s: f64, step_hz: u32) -> Result<(), ParamError> {
    ParamError::check_range("step_hz", f64::from(step_hz), 10.0, 1000.0)?;
    ParamError::check_within("window_s", window_s, FORECAST_S)?;
    ParamError::check_range("count", p.count as f64, 0.0, FeetParams::MAX_COUNT as f64)?;
    ParamError::check_within("core_inset_mm", p.core_inset_mm, FeetParams::CORE_INSET_MM)?;
    ParamError::check_span("idle_s", p.idle_s, FeetParams::IDLE_S)?;
    ParamError::check_within("idle_radius_mm", p.idle_radius_mm, FeetParams::IDLE_RADIUS_MM)?;
    ParamError::check_within("idle_speed_max_mm_s", p.idle_speed_max_mm_s, FeetParams::PACE_MM_S)?;
    ParamError::check_span("acceleration_s", p.acceleration_s, FeetParams::ACCELERATION_S)?;
    ParamError::check_span("speed_mm_s", p.speed_mm_s, FeetParams::PACE_MM_S)?;
    ParamError::check_span("roam_s", p.roam_s, FeetParams::ROAM_S)?;
    ParamError::check_within("orbit_radius_mm", p.orbit_radius_mm, FeetParams::ORBIT_RADIUS_MM)?;
    ParamError::check_within("orbit_speed_mm_s", p.orbit_speed_mm_s, FeetParams::PACE_MM_S)?;
    ParamError::check_within("noise_std_mm_s", p.noise_std_mm_s, FeetParams::NOISE_STD_MM_S)?;
    ParamError::check_within("speed_slack_mm_s", p.speed_slack_mm_s, FeetParams::SPEED_SLACK_MM_S)?;
    ParamError::check_within("estimation_noise_mm", p.estimation_noise_mm, FeetParams::ESTIMATION_NOISE_MM)?;
    let needed = TrackNoise::SPEED_STDS * p.noise_std_mm_s;
    if p.speed_slack_mm_s >= needed {
        return Ok(());
    }
    let message = format!("is {}, must be at least 3 noise_std_mm_s = {needed}", p.speed_slack_mm_s);
    Err(ParamError::new("speed_slack_mm_s", message))
}

/// Frames that last at least as long as some sixtieths of a second.
fn frames_of_sixtieths(sixtieths: u32, step_hz: u32) -> usize {
    (sixtieths * step_hz).div_ceil(60) as usize
}
