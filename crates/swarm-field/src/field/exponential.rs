//! Exponentials of four numbers at once. Products and sums alone give the same bits on every machine.

use wide::f64x4;

/// Exponents from here on give nothing.
const FAR: f64 = -40.0;
/// `1 / n!` for n from 0 on.
const INVERSE_FACTORIALS: [f64; 8] = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0];

/// `exp(x)` for x up to 0, with a relative error below 3e-9.
#[inline(always)]
pub(super) fn exp_up_to_zero(x: f64x4) -> f64x4 {
    exp_by_squaring::<7, 8>(x.fast_max(f64x4::splat(FAR)))
}

/// `exp(x)` for x from -12.5 up to 0, with an error below 1.2e-8: a shorter way to it.
#[inline(always)]
pub(super) fn exp_near_zero(x: f64x4) -> f64x4 {
    exp_by_squaring::<4, 6>(x)
}

/// The series of `exp(x / 2^SQUARINGS)` up to a power, squared so many times.
#[inline(always)]
fn exp_by_squaring<const POWER: usize, const SQUARINGS: i32>(x: f64x4) -> f64x4 {
    let y = x * f64x4::splat(1.0 / f64::from(1 << SQUARINGS));
    let coefficient = |n: usize| f64x4::splat(INVERSE_FACTORIALS[n]);
    let series = (0..POWER).rev().fold(coefficient(POWER), |sum, n| sum * y + coefficient(n));
    (0..SQUARINGS).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::ops;

    /// Numbers from `hundredths` up to zero, with what `exp` is wrong there.
    fn errors(exp: fn(f64x4) -> f64x4, hundredths: i32) -> impl Iterator<Item = (f64, f64)> {
        assert_eq!(exp(f64x4::ZERO).to_array(), [1.0; 4]);
        (hundredths..=0).map(|n| 0.01 * f64::from(n)).map(move |x| {
            let [one, .., another] = exp(f64x4::new([x, 0.0, 0.0, x])).to_array();
            assert_eq!(one, another, "{x}");
            (x, one - ops::exp(x))
        })
    }

    #[test]
    fn up_to_zero_it_is_right_to_a_part_in_three_hundred_million() {
        errors(exp_up_to_zero, -4000).for_each(|(x, e)| assert!(e.abs() < 3e-9 * ops::exp(x), "{x}: {e:e}"));
        assert!(exp_up_to_zero(f64x4::splat(-1e9)).to_array()[0] < 1e-17);
    }

    #[test]
    fn near_zero_it_is_right_to_a_part_in_eighty_million_of_one() {
        errors(exp_near_zero, -1250).for_each(|(x, e)| assert!(e.abs() < 1.2e-8, "{x}: {e:e}"));
    }
}
