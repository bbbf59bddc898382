//! Walking feet, drifting patches and the potential that both make on the mat.
//!
//! Plane: the mat, x right, y down, origin at its top-left corner. Units: mm, mm/s, s, rad; the potential has no unit.
//! The crate must not know robots. One tick of it reads:
//!
//! ```
//! use sim_core::{Rect, RunKey, Tick};
//! use swarm_field::{
//!     Feet, FeetModel, FeetParams, FieldModel, FieldParams, Forecast, Gaussians, Patches, PatchesModel, PatchesParams,
//! };
//!
//! let (mat, step_hz) = (Rect::from_size(400.0, 400.0), 60);
//! let key = RunKey { seed: 1, run_index: 0 };
//! let field_model = FieldModel::new(FieldParams::default(), mat)?;
//! let feet_model = FeetModel::new(FeetParams::default(), mat, field_model.params().window_s, step_hz)?;
//! let patches_model = PatchesModel::new(PatchesParams::default(), mat, step_hz)?;
//!
//! let mut feet = Feet::new(&feet_model, key);
//! let mut patches = Patches::new(&patches_model, key);
//! let mut field = Gaussians::default();
//! let mut forecasts = vec![Forecast::default(); feet.len()];
//!
//! feet.advance(&feet_model, key, &[1.0]);
//! patches.advance(&patches_model, key, Tick(1));
//! for (k, forecast) in forecasts.iter_mut().enumerate() {
//!     feet.forecast(k, &feet_model, forecast);
//! }
//! field.refresh(&field_model, &forecasts, &patches);
//! let uphill = field.gradient(feet.position_mm(0) + sim_core::DVec2::new(40.0, 0.0));
//! assert!(uphill.x > 0.0, "the potential climbs away from a foot");
//! # Ok::<(), sim_core::ParamError>(())
//! ```

mod domain;
pub mod ease;
pub mod feet;
pub mod field;
pub mod obstacles;
pub mod patches;
pub mod purpose;

pub use domain::{Domain, Travel};
pub use feet::{
    Destination, Feet, FeetModel, FeetParams, FootPhase, Forecast, Gait, Manner, RecordedPlace, SMOOTHING_S,
};
pub use field::{
    Field, FieldModel, FieldParams, FootDanger, Gaussians, Lookup, closed_form_danger, danger, exact_gradient,
    exact_potential,
};
pub use obstacles::{Obstacles, Ring};
pub use patches::{Hill, Patches, PatchesModel, PatchesParams};
