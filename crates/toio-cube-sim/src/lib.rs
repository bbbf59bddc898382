//! The toio Core Cube as a state machine: bytes in, bytes and actuators out, for every protocol version from 2.0.0 to 2.5.0.
//!
//! A [`Cube`] takes writes and reads on the characteristics of its GATT service, and once a step turns the values of its sensors
//! ([`Senses`]) into actuators ([`Actuators`]) and notifications ([`Outputs`]). It has no clock but the count of its steps, and no state
//! but its own. Where the sources on real cubes disagree, a [`Profile`] decides: [`Profile::Device`] follows the device specification,
//! [`Profile::Unity`] the law of the Unity simulator. Models: `docs/models/cube.md` and `docs/models/id-sensing.md`.
//!
//! It must not know what a mat looks like, how a body moves, swarms or scenario files. Units are the wire's: dots and degrees of a
//! mat, command units of a motor; senses are SI in the cube's own axes.
//!
//! ```
//! use toio_cube_sim::wire::{Notification, PositionId};
//! use toio_cube_sim::{Characteristic, Cube, CubeParams, Printed, Senses};
//!
//! let mut cube = Cube::new(CubeParams::default())?;
//! assert!(cube.connect());
//! cube.subscribe_all();
//! // Left wheel 100 forwards, right wheel 20 backwards, for 100 ms.
//! cube.write(Characteristic::Motor, &[0x02, 1, 1, 100, 2, 2, 20, 10]);
//! let mat = PositionId { centre_x: 250, centre_y: 250, ..PositionId::default() };
//! let outputs = cube.step(&Senses { printed: Printed::Position(mat), ..Senses::default() });
//! assert_eq!(outputs.actuators.motor_units, [100.0, -20.0]);
//! assert!(matches!(outputs.messages[0].decode(), Ok(Notification::Id(_))));
//! # Ok::<(), sim_core::ParamError>(())
//! ```

pub mod cube;
pub mod event;

pub mod advertising;
pub mod att;
pub mod behaviour;
pub mod gatt;
pub mod message_text;
pub mod profile;
pub mod version;
pub mod wire;

mod id_sensing;
pub mod motor;
mod periodic;
mod power;
pub mod purpose;

pub mod attitude;
pub mod battery;
pub mod light;
pub mod magnet;
pub mod motion;
mod sequence;
pub mod sound;

pub mod micros;
pub mod radio;

pub use cube::{Actuators, Change, Cube, CubeParams, Outputs, Senses};
pub use event::{Event, Refusal};
pub use gatt::Characteristic;
pub use id_sensing::Printed;
pub use power::PowerState;
pub use profile::Profile;
pub use version::Protocol;
