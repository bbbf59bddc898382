//! The potential that feet and patches make: exactly, as robots read it, and on a grid (spec 1.2.1 to 1.2.4, readings A1 to A3).
//!
//! ```text
//! U(x) = -lambda sum_k int_0^T exp(-beta tau) G(x - mu_k(tau), Sigma_k(tau)) dtau  +  lambda sum_p peak_p G(x - c_p, sigma_p^2 I)
//! G(d, S) = exp(-d' S^-1 d / 2)                       peak 1, not a density (reading A3)
//! Sigma_k(tau) = s0^2 I + kappa^2 v v'                v the foot's velocity at tau; long along the motion, round at rest
//! ```
//!
//! lambda (`lambda_rho`) has no unit, beta is in 1/s, T, tau and kappa in s, s0 in mm. U keeps the sign of the spec: negative at feet,
//! positive at patches; robots climb it. A resting foot is `lambda (1 - exp(-beta T)) / beta` deep: 0.3107 with the spec's numbers.
//!
//! The integral over tau is a Gauss-Legendre sum. It has six nodes in [`exact_potential`] (error below 1e-6 of the depth up to 200 mm/s),
//! four in [`Gaussians`], which robots read, and on the grid (below 3e-5). [`closed_form_danger`] is the integral itself for a foot that
//! keeps its velocity. A velocity whose stretch kappa |v| exceeds 6 s0 counts as one of that stretch: 1200 mm/s with the spec's numbers.

mod closed_form;
mod exponential;
mod gaussians;
mod grid;
mod kernel;
mod lookup;
mod wells;

pub use closed_form::closed_form_danger;
pub use gaussians::Gaussians;
pub use grid::Field;
pub use lookup::Lookup;

use crate::feet::{FORECAST_S, Forecast};
use crate::patches::{Hill, Patches};
use gaussians::{Four, Lanes as _};
use sim_core::{DVec2, ParamError, Rect, ops};
use wells::{GL6, MAX_STRETCH, Well};

/// All parameters of the field. The defaults are the spec's.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct FieldParams {
    /// Scale of the whole potential (lambda rho of the spec).
    #[cfg_attr(feature = "schema", schemars(range(min = Self::LAMBDA_RHO[0], max = Self::LAMBDA_RHO[1])))]
    pub lambda_rho: f64,
    /// How fast a foot's predicted future counts less (beta): weight exp(-beta tau).
    #[cfg_attr(feature = "schema", schemars(range(min = Self::BETA_PER_S[0], max = Self::BETA_PER_S[1])))]
    pub beta_per_s: f64,
    /// How far a foot's future is predicted and counts (T).
    #[cfg_attr(feature = "schema", schemars(range(min = Self::WINDOW_S[0], max = Self::WINDOW_S[1])))]
    pub window_s: f64,
    /// Distance between the nodes of the grid of the potential, for programs that ask for one. Robots read no grid.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::CELL_MM[0], max = Self::CELL_MM[1])))]
    pub cell_mm: f64,
    /// Width of a resting foot's well: standard deviation of its Gaussian.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::SIGMA_MM[0], max = Self::SIGMA_MM[1])))]
    pub sigma_mm: f64,
    /// How much a moving foot's well is stretched along the motion: seconds of travel added to its width.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::STRETCH_S[0], max = Self::STRETCH_S[1])))]
    pub stretch_s: f64,
}

/// Ranges of the parameters, smallest and largest.
impl FieldParams {
    const LAMBDA_RHO: [f64; 2] = [0.0, 100.0];
    const BETA_PER_S: [f64; 2] = [0.0, 100.0];
    const WINDOW_S: [f64; 2] = FORECAST_S;
    const CELL_MM: [f64; 2] = [1.0, 100.0];
    const SIGMA_MM: [f64; 2] = [5.0, 1000.0];
    const STRETCH_S: [f64; 2] = [0.0, 5.0];
}

impl Default for FieldParams {
    fn default() -> Self {
        Self { lambda_rho: 1.0, beta_per_s: 2.5, window_s: 0.6, cell_mm: 5.0, sigma_mm: 40.0, stretch_s: 0.2 }
    }
}

/// Checked parameters. Fixed for a run.
#[derive(Clone, Debug)]
pub struct FieldModel {
    params: FieldParams,
    mat: Rect,
}

impl FieldModel {
    /// Maximum number of cells of a grid along one side.
    const MAX_CELLS: f64 = 20_000.0;

    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of range or the grid would be too large.
    pub fn new(params: FieldParams, mat: Rect) -> Result<Self, ParamError> {
        ParamError::check_within("lambda_rho", params.lambda_rho, FieldParams::LAMBDA_RHO)?;
        ParamError::check_within("beta_per_s", params.beta_per_s, FieldParams::BETA_PER_S)?;
        ParamError::check_within("window_s", params.window_s, FieldParams::WINDOW_S)?;
        ParamError::check_within("cell_mm", params.cell_mm, FieldParams::CELL_MM)?;
        ParamError::check_within("sigma_mm", params.sigma_mm, FieldParams::SIGMA_MM)?;
        ParamError::check_within("stretch_s", params.stretch_s, FieldParams::STRETCH_S)?;
        let side_mm = mat.size().max_element();
        if !(mat.size().min_element() > 0.0 && side_mm.is_finite()) {
            return Err(ParamError::new(
                "mat",
                format!("is {} x {} mm, must have an area", mat.size().x, mat.size().y),
            ));
        }
        // A cell wider than a well does not resolve it.
        ParamError::check_range("cell_mm", params.cell_mm, side_mm / Self::MAX_CELLS, side_mm.min(params.sigma_mm))?;
        Ok(Self { params, mat })
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &FieldParams {
        &self.params
    }

    /// The mat that the grid covers.
    #[must_use]
    pub fn mat(&self) -> Rect {
        self.mat
    }

    /// Depth of a resting foot's well: lambda (1 - exp(-beta T)) / beta.
    #[must_use]
    pub fn resting_depth(&self) -> f64 {
        let FieldParams { lambda_rho, beta_per_s, window_s, .. } = self.params;
        if beta_per_s == 0.0 {
            lambda_rho * window_s
        } else {
            lambda_rho * -ops::exp_m1(-beta_per_s * window_s) / beta_per_s
        }
    }

    /// Standard deviations of the well of a foot at this speed: along its motion and across.
    #[must_use]
    pub fn foot_spread_mm(&self, speed_mm_s: f64) -> [f64; 2] {
        let FieldParams { sigma_mm, stretch_s, .. } = self.params;
        let stretch_mm = (stretch_s * speed_mm_s.abs()).min(MAX_STRETCH * sigma_mm);
        [(sigma_mm * sigma_mm + stretch_mm * stretch_mm).sqrt(), sigma_mm]
    }
}

/// Danger at `p_mm`: the depth of all feet's wells there, `-U_foot`, never negative. Six nodes over the window.
#[must_use]
pub fn danger(model: &FieldModel, forecasts: &[Forecast], p_mm: DVec2) -> f64 {
    wells_of(model, forecasts).map(|well| well.value(p_mm)).sum()
}

/// Danger of one foot at many places.
#[derive(Clone, Debug)]
pub struct FootDanger([Four; 2]);

impl FootDanger {
    /// The wells of a foot.
    #[must_use]
    pub fn new(model: &FieldModel, forecast: &Forecast) -> Self {
        let wells = GL6.wells(model, forecast);
        Self([Four::of(&wells[..4]), Four::of(&wells[4..])])
    }

    /// The same as [`danger`] of this foot alone at `p_mm`, with a relative error below 3e-9 where it is not next to nothing.
    #[must_use]
    pub fn at(&self, p_mm: DVec2) -> f64 {
        gaussians::sum_at(&self.0, p_mm)
    }
}

/// The potential at `p_mm` without the grid, in the spec's sign. Six nodes over the window.
#[must_use]
pub fn exact_potential(model: &FieldModel, forecasts: &[Forecast], patches: &Patches, p_mm: DVec2) -> f64 {
    hills_of(model, patches.hills()).map(|hill| hill.value(p_mm)).sum::<f64>() - danger(model, forecasts, p_mm)
}

/// The gradient of [`exact_potential`], per mm.
#[must_use]
pub fn exact_gradient(model: &FieldModel, forecasts: &[Forecast], patches: &Patches, p_mm: DVec2) -> DVec2 {
    let up: DVec2 = hills_of(model, patches.hills()).map(|hill| hill.gradient(p_mm)).sum();
    let down: DVec2 = wells_of(model, forecasts).map(|well| well.gradient(p_mm)).sum();
    up - down
}

fn wells_of<'a>(model: &'a FieldModel, forecasts: &'a [Forecast]) -> impl Iterator<Item = Well> + 'a {
    forecasts.iter().flat_map(|forecast| GL6.wells(model, forecast))
}

fn hills_of(model: &FieldModel, hills: impl Iterator<Item = Hill>) -> impl Iterator<Item = Well> {
    let lambda = model.params.lambda_rho;
    hills.map(move |hill| Well::round(hill.center_mm, hill.sigma_mm, lambda * hill.peak))
}
