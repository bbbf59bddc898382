//! What this crate draws for. The numbers are part of every result.

use sim_core::Purpose;

/// Drift of a cube's yaw. Tick: frame of 20 ms.
pub const YAW_DRIFT: Purpose = Purpose::new(12);
/// Error of a cube's turn rate.
pub const GYRO_SCALE: Purpose = Purpose::new(13);
/// Moments of a radio link's connection events.
pub const RADIO_PHASE: Purpose = Purpose::new(14);
/// Time that a message spends in the stacks at both ends of a radio link. Tick: number of the message.
pub const RADIO_DELAY: Purpose = Purpose::new(15);
/// Packets that a radio link loses. Tick: connection event.
pub const RADIO_LOSS: Purpose = Purpose::new(16);

/// All of them.
pub const ALL: [Purpose; 5] = [YAW_DRIFT, GYRO_SCALE, RADIO_PHASE, RADIO_DELAY, RADIO_LOSS];
