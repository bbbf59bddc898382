//! What sensors draw for. The purposes are public so that a test can compare those of all crates.

use crate::Purpose;

/// Offset of a sensor that stays for a run.
pub const SENSOR_BIAS: Purpose = Purpose::new(20);
/// Random walk of a sensor's offset. Tick: place of the walk and channel.
pub const SENSOR_WALK: Purpose = Purpose::new(21);
/// White noise of a sensor.
pub const SENSOR_NOISE: Purpose = Purpose::new(22);
/// Single values that a sensor loses.
pub const SENSOR_DROPOUT: Purpose = Purpose::new(23);
/// Whole readings that a sensor loses.
pub const SENSOR_LOSS: Purpose = Purpose::new(24);

/// All of them.
pub const ALL: [Purpose; 5] = [SENSOR_BIAS, SENSOR_WALK, SENSOR_NOISE, SENSOR_DROPOUT, SENSOR_LOSS];
