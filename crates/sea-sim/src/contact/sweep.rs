//! Pairs of spheres that overlap, found without a look at all pairs.

use sim_core::DVec3;

/// Calls `meet` with each pair of spheres that overlap, and tells how many pairs were compared. Spheres are sorted along x or y, where they
/// spread more; `along` is the order of the last call, which is nearly that of this one.
pub fn sweep(
    along: &mut Vec<usize>,
    center_m: impl Fn(usize) -> DVec3,
    radii_m: &[f64],
    mut meet: impl FnMut(usize, usize),
) -> usize {
    if along.len() != radii_m.len() {
        *along = (0..radii_m.len()).collect();
    }
    let spread_m = |axis: usize| {
        let at_m = || (0..radii_m.len()).map(|number| center_m(number)[axis]);
        at_m().fold(f64::NEG_INFINITY, f64::max) - at_m().fold(f64::INFINITY, f64::min)
    };
    let axis = usize::from(spread_m(1) > spread_m(0));
    let at_m = |number: usize| center_m(number)[axis];
    along.sort_unstable_by(|&a, &b| at_m(a).total_cmp(&at_m(b)).then(a.cmp(&b)));
    let most_m = radii_m.iter().copied().fold(0.0, f64::max);
    let mut compared = 0;
    for (place, &a) in along.iter().enumerate() {
        for &b in along[place + 1..].iter().take_while(|&&b| at_m(b) - at_m(a) <= radii_m[a] + most_m) {
            compared += 1;
            let reach_m = radii_m[a] + radii_m[b];
            if center_m(a).distance_squared(center_m(b)) < reach_m * reach_m {
                meet(a, b);
            }
        }
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spheres of 1 m, 1.5 m apart in a line along any axis or diagonal of the plane: each meets its two neighbours, and few are compared.
    #[test]
    fn a_line_is_not_compared_pair_by_pair() {
        for step_m in [DVec3::X, DVec3::Y, DVec3::new(0.8, -0.6, 0.0)] {
            let (mut along, mut met) = (Vec::new(), 0);
            let compared = sweep(
                &mut along,
                |n| step_m * (1.5 * n as f64),
                &[1.0; 2000],
                |a, b| {
                    assert_eq!(a.abs_diff(b), 1);
                    met += 1;
                },
            );
            assert_eq!(met, 1999);
            assert!(compared < 2 * 2000, "{compared}");
        }
    }

    /// A large sphere meets one far away that is sorted behind small ones.
    #[test]
    fn sizes_differ() {
        let places_m = [0.0, 3.0, 6.0, 9.0];
        let (mut along, mut met) = (Vec::new(), Vec::new());
        sweep(&mut along, |n| DVec3::Y * places_m[n], &[0.1, 0.1, 0.1, 8.95], |a, b| met.push((a, b)));
        met.sort_unstable();
        assert_eq!(met, [(0, 3), (1, 3), (2, 3)]);
    }
}
