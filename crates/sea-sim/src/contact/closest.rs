//! The nearest points of pieces of line. Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.

use sim_core::DVec3;

/// Share of the way along a piece of line at which it is nearest to a point, 0 to 1.
pub(super) fn share_along([a, b]: [DVec3; 2], point: DVec3) -> f64 {
    let along = b - a;
    let length2 = along.length_squared();
    if length2 > 0.0 { ((point - a).dot(along) / length2).clamp(0.0, 1.0) } else { 0.0 }
}

/// Shares of the way along two pieces of line at which they are nearest to each other.
pub(super) fn shares_between(first: [DVec3; 2], second: [DVec3; 2]) -> (f64, f64) {
    let (d1, d2) = (first[1] - first[0], second[1] - second[0]);
    let r = first[0] - second[0];
    let (a, e, b, c, f) = (d1.length_squared(), d2.length_squared(), d1.dot(d2), d1.dot(r), d2.dot(r));
    let parallel = a * e - b * b;
    // Of parallel pieces any place of the first one will do; the second is then nearest to it.
    let s = if parallel > PARALLEL * a * e { ((b * f - c * e) / parallel).clamp(0.0, 1.0) } else { 0.0 };
    let on_second = share_along(second, first[0] + d1 * s);
    (share_along(first, second[0] + d2 * on_second), on_second)
}

/// Squared sine of the angle below which pieces of line count as parallel.
const PARALLEL: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::{Purpose, RunKey};

    /// Against a fine search along both pieces.
    #[test]
    fn no_other_pair_of_points_is_nearer() {
        for n in 0..200 {
            let mut stream = RunKey { seed: 1, run_index: 0 }.stream(Purpose::new(1000), n, 0);
            let mut point = || DVec3::new(stream.range(-1.0, 1.0), stream.range(-1.0, 1.0), stream.range(-1.0, 1.0));
            let (first, second) = ([point(), point()], [point(), point()]);
            let distance = |s: f64, t: f64| first[0].lerp(first[1], s).distance(second[0].lerp(second[1], t));
            let (s, t) = shares_between(first, second);
            let shares = || (0..=50).map(|n| f64::from(n) / 50.0);
            let best =
                shares().flat_map(|s| shares().map(move |t| (s, t))).map(|(s, t)| distance(s, t)).fold(9.0, f64::min);
            assert!(distance(s, t) <= best + 1e-12, "{n}: {} {best}", distance(s, t));
        }
    }

    #[test]
    fn points_and_parallels_have_an_answer() {
        let (o, x) = (DVec3::ZERO, DVec3::X);
        assert_eq!(share_along([o, o], x), 0.0);
        assert_eq!(shares_between([o, o], [x, x]), (0.0, 0.0));
        let (s, t) = shares_between([o, x], [o + DVec3::Y, x + DVec3::Y]);
        assert!((x * s - x * t).length() < 1e-12);
    }
}
