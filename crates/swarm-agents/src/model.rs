//! Model of the robots: limits, clearances, drive and density.

use crate::drive::WALL_SHARE;
use sim_core::{ParamError, Rect};

/// Densities up to which a swarm is sparse and from which it fills the box: shares of the box that robots take up.
const SPARSE_AND_FULL: (f64, f64) = (0.25, 0.65);

/// Kind of motion of a robot (reading A18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// The velocity is free in its direction; the heading follows it within its turn limit. The spec's own.
    Point,
    /// Two wheels: the velocity lies along the heading, forwards or backwards.
    Differential,
}

/// What a robot's drive can do (reading A19). The defaults are the spec's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct Limits {
    /// Highest speed.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::V_MAX_MM_S[0], max = Self::V_MAX_MM_S[1])))]
    pub v_max_mm_s: f64,
    /// Largest change of the velocity vector.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::A_MAX_MM_S2[0], max = Self::A_MAX_MM_S2[1])))]
    pub a_max_mm_s2: f64,
    /// Highest turn rate of the heading.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::OMEGA_MAX_RAD_S[0], max = Self::OMEGA_MAX_RAD_S[1])))]
    pub omega_max_rad_s: f64,
}

/// Ranges of the parameters, smallest and largest.
impl Limits {
    const V_MAX_MM_S: [f64; 2] = [1.0, 2000.0];
    const A_MAX_MM_S2: [f64; 2] = [10.0, 100_000.0];
    const OMEGA_MAX_RAD_S: [f64; 2] = [0.1, 100.0];

    fn stopping_mm(&self) -> f64 {
        self.v_max_mm_s * self.v_max_mm_s / (2.0 * self.a_max_mm_s2)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { v_max_mm_s: 252.0, a_max_mm_s2: 3000.0, omega_max_rad_s: 12.0 }
    }
}

/// Distances between centres that are never to be broken (readings A7, A8, A10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearances {
    /// Robot to foot, mm.
    pub d_h_mm: f64,
    /// Robot to robot, mm.
    pub d_r_mm: f64,
    /// Robot to the mat's edge, mm.
    pub wall_margin_mm: f64,
}

impl Default for Clearances {
    /// The spec's.
    fn default() -> Self {
        Self { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm: 16.0 }
    }
}

/// Checked parameters of the robots. Fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwarmModel {
    /// Limits of motion.
    pub limits: Limits,
    /// Distances to be kept.
    pub clearances: Clearances,
    /// Kind of motion.
    pub drive: Drive,
    /// Where centres may be: the mat less the wall margin.
    pub bounds: Rect,
    /// The mat.
    pub mat: Rect,
    /// Length of a step, s.
    pub step_s: f64,
    /// Steps a second.
    pub step_hz: u32,
    /// Wheels of a differential drive, which limit it further.
    pub wheels: Wheels,
    /// Distance from an edge beyond which it bounds no motion, mm: a stop with [`WALL_SHARE`] of the acceleration, and a step before it.
    pub(crate) edge_reach_mm: f64,
}

/// Wheels of a differential drive: speed and turning together stay within the largest speed of each wheel,
/// `|v| + |omega| tread / 2 <= speed_max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheels {
    /// Largest speed of a wheel along the ground, mm/s.
    pub speed_max_mm_s: f64,
    /// Distance between the wheels, mm.
    pub tread_mm: f64,
}

impl Wheels {
    /// Wheels that limit no motion.
    pub const UNLIMITED: Self = Self { speed_max_mm_s: f64::INFINITY, tread_mm: 1.0 };

    /// Largest turn rate at a speed, rad/s.
    #[must_use]
    pub fn omega_max_rad_s(&self, speed_mm_s: f64) -> f64 {
        2.0 * (self.speed_max_mm_s - speed_mm_s.abs()).max(0.0) / self.tread_mm
    }

    /// Largest speed at a turn rate, mm/s.
    #[must_use]
    pub fn speed_at_mm_s(&self, omega_rad_s: f64) -> f64 {
        (self.speed_max_mm_s - 0.5 * self.tread_mm * omega_rad_s.abs()).max(0.0)
    }
}

impl SwarmModel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of range, or the wall margin leaves no box for centres.
    pub fn new(
        mat: Rect,
        clearances: Clearances,
        limits: Limits,
        drive: Drive,
        step_hz: u32,
    ) -> Result<Self, ParamError> {
        ParamError::check_within("v_max_mm_s", limits.v_max_mm_s, Limits::V_MAX_MM_S)?;
        ParamError::check_within("a_max_mm_s2", limits.a_max_mm_s2, Limits::A_MAX_MM_S2)?;
        ParamError::check_within("omega_max_rad_s", limits.omega_max_rad_s, Limits::OMEGA_MAX_RAD_S)?;
        ParamError::check_range("d_h_mm", clearances.d_h_mm, 0.0, 1e5)?;
        ParamError::check_range("d_r_mm", clearances.d_r_mm, 1.0, 1e5)?;
        ParamError::check_range("wall_margin_mm", clearances.wall_margin_mm, 0.0, 1e5)?;
        ParamError::check_range("step_hz", f64::from(step_hz), 1.0, 1e4)?;
        let size = mat.size();
        if !(size.min_element() > 0.0 && size.is_finite() && mat.min.is_finite()) {
            return Err(ParamError::new("mat", format!("is {} x {} mm, must have an area", size.x, size.y)));
        }
        let bounds = mat.inset(clearances.wall_margin_mm);
        if bounds.size().min_element() <= 0.0 {
            let message = format!(
                "is {} mm, which leaves robots no space on a mat of {} x {} mm",
                clearances.wall_margin_mm, size.x, size.y
            );
            return Err(ParamError::new("wall_margin_mm", message));
        }
        let (step_s, wheels) = (1.0 / f64::from(step_hz), Wheels::UNLIMITED);
        let edge_reach_mm = limits.stopping_mm() / WALL_SHARE + limits.v_max_mm_s * step_s;
        Ok(Self { limits, clearances, drive, bounds, mat, step_s, step_hz, wheels, edge_reach_mm })
    }

    /// The same swarm on these wheels.
    #[must_use]
    pub fn on_wheels(self, wheels: Wheels) -> Self {
        Self { wheels, ..self }
    }

    /// Stopping distance from the largest speed, mm: `v_max^2 / (2 a_max)`.
    #[must_use]
    pub fn stopping_mm(&self) -> f64 {
        self.limits.stopping_mm()
    }

    /// Density: share of the box that the robots take up, each with the area of its cell in the densest packing, `sqrt(3) / 2 d_r^2`.
    fn density(&self, robots: usize) -> f64 {
        let size = self.bounds.size();
        let cell_mm2 = 0.75_f64.sqrt() * self.clearances.d_r_mm * self.clearances.d_r_mm;
        robots as f64 * cell_mm2 / (size.x * size.y)
    }

    /// True if the swarm is sparse: its robots take up a quarter of the box or less.
    #[must_use]
    pub fn is_sparse(&self, robots: usize) -> bool {
        self.density(robots) <= SPARSE_AND_FULL.0
    }

    /// A number by the density of a swarm. It is the first in a sparse one, the second in one that fills 0.65 of the box or more, and
    /// linear in between.
    #[must_use]
    pub fn by_density(&self, robots: usize, (sparse, full): (f64, f64)) -> f64 {
        let share =
            ((self.density(robots) - SPARSE_AND_FULL.0) / (SPARSE_AND_FULL.1 - SPARSE_AND_FULL.0)).clamp(0.0, 1.0);
        sparse + (full - sparse) * share
    }

    /// Largest change of the velocity vector in one step, mm/s.
    #[inline]
    #[must_use]
    pub fn velocity_step_mm_s(&self) -> f64 {
        self.limits.a_max_mm_s2 * self.step_s
    }

    /// Largest turn in one step, rad.
    #[inline]
    #[must_use]
    pub fn turn_step_rad(&self) -> f64 {
        self.limits.omega_max_rad_s * self.step_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::DVec2;

    const LIMITS: Limits = Limits { v_max_mm_s: 252.0, a_max_mm_s2: 3000.0, omega_max_rad_s: 12.0 };
    const CLEARANCES: Clearances = Clearances { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm: 16.0 };

    fn new(clearances: Clearances, limits: Limits, step_hz: u32) -> Result<SwarmModel, ParamError> {
        SwarmModel::new(Rect::from_size(400.0, 400.0), clearances, limits, Drive::Point, step_hz)
    }

    /// Numbers of reading A10 (a box of 368 mm) and A19 (50 mm/s and 0.2 rad a frame), stopping distance of swarm facts 5.2.
    #[test]
    fn the_default_swarm() {
        let model = new(CLEARANCES, LIMITS, 60).unwrap();
        assert_eq!(model.bounds.size(), DVec2::splat(368.0));
        assert!((model.velocity_step_mm_s() - 50.0).abs() < 1e-9 && (model.turn_step_rad() - 0.2).abs() < 1e-12);
        assert!((model.stopping_mm() - 10.6).abs() < 0.05);
    }

    /// A robot of 60 mm has a cell of 3117.7 mm^2 in the densest packing; the box has 135 424: ten fill 0.2302 of it, eleven 0.2532,
    /// thirty 0.6906.
    #[test]
    fn ten_robots_are_sparse_and_thirty_fill_the_box() {
        let model = new(CLEARANCES, LIMITS, 60).unwrap();
        assert!((model.density(10) - 0.230_217).abs() < 1e-6);
        assert!(model.is_sparse(10) && !model.is_sparse(11));
        assert_eq!(model.by_density(0, (80.0, 20.0)), 80.0);
        assert_eq!(model.by_density(10, (80.0, 20.0)), 80.0);
        assert_eq!(model.by_density(30, (80.0, 20.0)), 20.0);
        // (0.460434 - 0.25) / 0.4 of the way from 80 to 20.
        assert!((model.by_density(20, (80.0, 20.0)) - 48.4349).abs() < 1e-3);
    }

    #[test]
    fn impossible_values_are_refused_by_name() {
        let field = |clearances, limits, hz| new(clearances, limits, hz).unwrap_err().field;
        assert_eq!(field(CLEARANCES, Limits { v_max_mm_s: f64::NAN, ..LIMITS }, 60), "v_max_mm_s");
        assert_eq!(field(CLEARANCES, Limits { a_max_mm_s2: 0.0, ..LIMITS }, 60), "a_max_mm_s2");
        assert_eq!(field(CLEARANCES, Limits { omega_max_rad_s: -1.0, ..LIMITS }, 60), "omega_max_rad_s");
        assert_eq!(field(Clearances { d_r_mm: 0.0, ..CLEARANCES }, LIMITS, 60), "d_r_mm");
        assert_eq!(field(Clearances { d_h_mm: f64::INFINITY, ..CLEARANCES }, LIMITS, 60), "d_h_mm");
        assert_eq!(field(Clearances { wall_margin_mm: 200.0, ..CLEARANCES }, LIMITS, 60), "wall_margin_mm");
        assert_eq!(field(CLEARANCES, LIMITS, 0), "step_hz");
        let flat = SwarmModel::new(Rect::from_size(400.0, 0.0), CLEARANCES, LIMITS, Drive::Point, 60);
        assert_eq!(flat.unwrap_err().field, "mat");
    }
}
