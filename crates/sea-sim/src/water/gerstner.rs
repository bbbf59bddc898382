//! The surface of trochoidal waves above a fixed place.
//!
//! # Equation
//! A particle that rests at `a` stands at `x = a - q P`, `z = sum A_i cos(phase_i(a))`, with `P = sum A_i b_i sin(phase_i(a))`. The
//! height above a given `x` is found by Newton's method on `a`. The derivative of `x` by `a` is `M = I - q sum A_i k_i b_i b_i^T
//! cos(phase_i)`, which stays positive definite while `q sum A_i k_i < 1`. With it the slope is `M^-1 dz/da`. Above a fixed `x` a
//! particle's place of rest moves by `M a_t = q P_t`, so that the height changes by `z_t + slope . q P_t`. Source: Tessendorf,
//! Simulating Ocean Water, 2001; Fréchot, 2006, for the inversion.

use super::waves::Waves;
use sim_core::DVec2;

const MAX_NEWTON_STEPS: u32 = 30;
const TOLERANCE_M: f64 = 1e-12;

/// Height above still water, m, and slopes of the trochoidal surface above `at_m`.
pub(super) fn surface(waves: &Waves, steepness: f64, at_m: DVec2, time_s: f64) -> (f64, DVec2) {
    let (rest_m, matrix) = rest(waves, steepness, at_m, time_s);
    let (height_m, slope_at_rest) = waves.surface(rest_m.x, rest_m.y, time_s);
    (height_m, solve(matrix, slope_at_rest))
}

/// The same, and how fast the height above `at_m` changes, m/s.
pub(super) fn surface_and_rate(waves: &Waves, steepness: f64, at_m: DVec2, time_s: f64) -> (f64, DVec2, f64) {
    let (rest_m, matrix) = rest(waves, steepness, at_m, time_s);
    let (height_m, slope_at_rest) = waves.surface(rest_m.x, rest_m.y, time_s);
    let slope = solve(matrix, slope_at_rest);
    let (rise_m_s, pull_m_s) = waves.rise_and_pull_rate(rest_m, time_s);
    (height_m, slope, rise_m_s + slope.dot(steepness * pull_m_s))
}

/// Where the particle above `at_m` rests, m, and the entries xx, xy, yy of the derivative of its place by that.
fn rest(waves: &Waves, steepness: f64, at_m: DVec2, time_s: f64) -> (DVec2, [f64; 3]) {
    let mut rest_m = at_m;
    let mut matrix = [1.0, 0.0, 1.0];
    for _ in 0..MAX_NEWTON_STEPS {
        let (pull, [xx, xy, yy]) = waves.pull(rest_m, time_s);
        matrix = [1.0 - steepness * xx, -steepness * xy, 1.0 - steepness * yy];
        let change = solve(matrix, rest_m - steepness * pull - at_m);
        rest_m -= change;
        if change.length_squared() < TOLERANCE_M * TOLERANCE_M {
            break;
        }
    }
    (rest_m, matrix)
}

/// `v` with `m v = right`, for the symmetric matrix with entries xx, xy, yy.
fn solve([xx, xy, yy]: [f64; 3], right: DVec2) -> DVec2 {
    DVec2::new(yy * right.x - xy * right.y, xx * right.y - xy * right.x) / (xx * yy - xy * xy)
}
