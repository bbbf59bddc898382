//! Distances on the way between two frames.

use sim_core::DVec2;

/// Smallest squared distance from the origin to the straight way from `before_mm` to `after_mm`, mm^2. For two points that move straight
/// and evenly these are their differences.
#[inline]
#[must_use]
pub fn swept_mm2(before_mm: DVec2, after_mm: DVec2) -> f64 {
    let travel_mm = after_mm - before_mm;
    let along = -before_mm.dot(travel_mm);
    let travel2 = travel_mm.length_squared();
    if along <= 0.0 {
        before_mm.length_squared()
    } else if along >= travel2 {
        after_mm.length_squared()
    } else {
        (before_mm + travel_mm * (along / travel2)).length_squared()
    }
}
