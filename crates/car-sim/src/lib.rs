//! Cars with Ackermann steering, the maps that they drive on, and what their sensors read.
//!
//! SI units and radians. World: x and y on the plane, z up, yaw counter-clockwise from +x. A car's own axes: x forward, y left.
//! Facts and test numbers: the Ackermann reference, cited as "car facts".
//!
//! The crate must not know scenario files, tables, or where map files lie: it takes their text.
//!
//! ```
//! use car_sim::{Outline, Pose, Segment, SegmentMap};
//! use sim_core::{DVec2, Rect};
//!
//! let wall = Segment::new(DVec2::new(2.0, -1.0), DVec2::new(2.0, 1.0));
//! let map = SegmentMap::from_segments(&[wall])?;
//! let body = Rect { min: DVec2::new(-0.25, -0.15), max: DVec2::new(0.25, 0.15) };
//! assert!(!map.touches(&Outline::new(body, Pose::new(1.7, 0.0, 0.0))));
//! assert!(map.touches(&Outline::new(body, Pose::new(1.75, 0.0, 0.0))));
//! # Ok::<(), car_sim::MapError>(())
//! ```

mod cells;
pub mod driver;
mod instrument;
pub mod lidar;
pub mod map;
mod pose;
mod simulator;
mod traffic;
mod vehicle;

pub use instrument::{Instrument, InstrumentKind, Observed, ScanBuffers};
pub use lidar::{Lidar, LidarParams, Scanner, Scene};
pub use map::{GrayImage, MapError, OccupancySpec, Outermost, Outline, Segment, SegmentMap};
pub use pose::Pose;
pub use simulator::{Simulator, SimulatorParams, TruckMotion, TruckState};
pub use traffic::Traffic;
pub use vehicle::{
    Ackermann, Car, CarModel, CarParams, CarReport, Command, DEFAULT_IMU_MOUNT, DRIVE_QUANTITIES, GRAVITY_M_S2,
    Inertial, Motion, Start, Status, Steering, Twist, WheelSpeeds,
};
