//! The vehicle: its parameters, its steering geometry, how it moves, what it hits, what its IMU feels.

mod ackermann;
mod car;
mod clearance;
mod imu;
mod motion;
mod params;
mod report;

pub(crate) use ackermann::arc_end;
pub use ackermann::{Ackermann, Steering, Twist, WheelSpeeds};
pub use car::{Car, Command, Start, Status};
pub use imu::{DEFAULT_IMU_MOUNT, GRAVITY_M_S2, Inertial};
pub use motion::Motion;
pub use params::{CarModel, CarParams};
pub use report::{CarReport, DRIVE_QUANTITIES};
