//! Vehicles in moving water: waves, currents, the bottom, contact; bodies as published, their actuators, sensors and drivers.
//!
//! World: east, north, up. Bodies: forward, left, up. SI units and radians, f64 everywhere. The crate must not know
//! scenario files, tables, where data files lie, or the wall clock.
//!
//! ```
//! use sea_sim::current::Flow;
//! use sea_sim::water::{SeaWater, SurfaceShape, Water, Wave, Waves};
//! use sim_core::DVec3;
//!
//! // Waves of 1 m and 5 s that travel east on deep water, with a crest at the origin.
//! let wave = Wave { amplitude_m: 0.5, period_s: 5.0, direction_rad: 0.0, phase_rad: 0.0 };
//! let waves = Waves::from_components(&[wave], f64::INFINITY)?;
//! let water = Water::new(0.0, SeaWater::default(), waves, SurfaceShape::Airy)?;
//! let sample = water.sample(DVec3::new(0.0, 0.0, -1.0), 0.0, &Flow::STILL);
//! assert!((sample.surface_m - 1.5).abs() < 1e-12);
//! assert!((sample.velocity_m_s.x - 0.534897).abs() < 1e-6);
//! # Ok::<(), sim_core::ParamError>(())
//! ```
//!
//! ```
//! use sea_sim::body::{BodyState, Loads};
//! use sea_sim::vehicle::{MotionParams, TorpedoParams, Vehicle, VehicleParams};
//! use sea_sim::{Medium, WaterSample};
//! use sim_core::DVec3;
//!
//! struct Current(DVec3);
//! impl Medium for Current {
//!     fn at(&self, position_m: DVec3, _time_s: f64) -> WaterSample {
//!         let (surface_m, still) = (-position_m.z, DVec3::ZERO);
//!         let velocity_m_s = self.0;
//!         WaterSample { surface_m, velocity_m_s, acceleration_m_s2: still, dynamic_pressure_pa: 0.0, density_kg_m3: 1026.0 }
//!     }
//! }
//!
//! let motion = MotionParams::Torpedo(TorpedoParams::default());
//! let (sources, hull, keys) = Default::default();
//! let params = VehicleParams { about: "a drifter".into(), sources, size_m: [1.6, 0.19, 0.19], hull, motion, keys };
//! let vehicle = Vehicle::new(&params)?;
//! let mut state = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, -10.0), ..BodyState::default() });
//! let current = Current(DVec3::new(0.3, 0.0, 0.0));
//! for step in 0..10_000 {
//!     vehicle.step(&mut state, &current, &Loads::default(), (f64::from(step) * 0.02, 0.02))?;
//! }
//! // It ends up drifting with the water, up to what drag leaves after 200 s.
//! assert!((state.body.world_velocity_m_s() - current.0).length() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actuator;
pub mod attitude;
pub mod body;
mod check;
pub mod contact;
pub mod current;
pub mod driver;
pub mod field;
pub mod georef;
pub mod medium;
pub mod pose;
pub mod purpose;
pub mod rk4;
mod sea;
pub mod sensor;
pub mod spatial;
pub mod terrain;
#[cfg(feature = "urdf")]
pub mod urdf;
pub mod vehicle;
pub mod water;

pub use medium::{Medium, WaterSample};
pub use sea::Sea;

/// Gravity, m/s².
pub const GRAVITY_M_S2: f64 = 9.81;
/// Metres a second of a knot.
pub const M_S_PER_KN: f64 = 1852.0 / 3600.0;
