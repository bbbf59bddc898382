//! What turns the truth into what a sensor reports: where it is mounted, when it measures, and what goes wrong on the way.
//!
//! # Model
//! ```text
//! measure   at the ticks phase, phase + period, phase + 2 period, ...        a pure function of the truth gives the ideal values
//! err       y = limit(round(scale x + bias + walk(t) + noise))               value by value; or lost: +infinity
//! deliver   delay ticks later; some readings never arrive
//! ```
//! Every draw is found by (seed, run index, purpose, owner, tick), the random walk included. So the reading of a tick depends neither on
//! how often it is read nor on other sensors, and switching one error on leaves the others' draws as they are.
//!
//! [`SensorParams`] is the block that a scenario writes for any sensor; [`SensorModel`] is what it means at a given step; [`Sensor`] is the
//! state of one sensor: readings under way and the latest one delivered. A sensor measures one quantity in one unit, on any number of
//! channels: a scan is one sensor, the gyro of an IMU another, its accelerometer a third.
//!
//! # Where it stops being true
//! Errors are independent of the truth but for scale, rounding and limits: no heating up, no vibration, no cross talk between axes.
//!
//! ```
//! use sim_core::sensing::{Address, ErrorParams, Sensor, SensorModel, SensorParams};
//! use sim_core::{RunKey, Tick};
//!
//! // A position sensor: every 100 ms, 20 ms late, a standard deviation of 0.5 m.
//! let errors = ErrorParams { noise_std: 0.5, ..ErrorParams::default() };
//! let params = SensorParams { period_ticks: 100, delay_ticks: 20, errors, ..SensorParams::default() };
//! let model = SensorModel::new(params, 0.001)?;
//! let mut sensor = Sensor::new(&model, 2);
//! let address = Address::new(RunKey { seed: 7, run_index: 0 }, 0, 0);
//! for step in 0..=120 {
//!     let x_m = 0.01 * step as f64;
//!     sensor.step(&model, address, Tick(step), |values| values.copy_from_slice(&[x_m, 0.0]));
//! }
//! let reading = sensor.latest().expect("the reading of tick 100 arrived at tick 120");
//! assert_eq!(reading.taken, Tick(100));
//! assert!((reading.values[0] - 1.0).abs() < 2.5);
//! # Ok::<(), sim_core::ParamError>(())
//! ```

mod errors;
mod mount;
pub mod purpose;
mod sensor;
mod walk;

pub use errors::{Address, ErrorModel, ErrorParams, ValueRange};
pub use mount::{Mount, MountParams};
pub use sensor::{Reading, Sensor, SensorModel, SensorParams};
