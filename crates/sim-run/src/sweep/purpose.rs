//! What sweeps draw for. The numbers are part of every result.

use sim_core::Purpose;

/// Resamples of a bootstrap interval. Run: cell of a sweep. Owner: measure. Tick: 0 for its values, 1 for their differences to a
/// baseline.
pub const BOOTSTRAP: Purpose = Purpose::new(17);
/// Place of a sweep's cell on an axis. Owner: axis. Tick: cell.
pub const DESIGN_POINT: Purpose = Purpose::new(18);
/// How a sweep's cells are spread over the strata of an axis, or where its sequence starts. Owner: axis.
pub const DESIGN_SHUFFLE: Purpose = Purpose::new(19);

/// All of them.
pub const ALL: [Purpose; 3] = [BOOTSTRAP, DESIGN_POINT, DESIGN_SHUFFLE];
