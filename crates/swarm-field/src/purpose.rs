//! What this crate draws for. The numbers are part of every result.

use sim_core::Purpose;

/// Segments of a foot's walk. Tick: segment number.
pub const FOOT_GAIT: Purpose = Purpose::new(1);
/// Velocity noise of a foot's track. Tick: path frame.
pub const FOOT_NOISE: Purpose = Purpose::new(2);
/// Error of the foot forecast that robots see.
pub const FOOT_ESTIMATE: Purpose = Purpose::new(3);
/// Birth of a patch. Tick: generation.
pub const PATCH_BIRTH: Purpose = Purpose::new(4);
/// Drift of a patch.
pub const PATCH_DRIFT: Purpose = Purpose::new(5);

/// All of them.
pub const ALL: [Purpose; 5] = [FOOT_GAIT, FOOT_NOISE, FOOT_ESTIMATE, PATCH_BIRTH, PATCH_DRIFT];
