//! Sine, cosine and exponential of eight numbers at once, without branches, so that the compiler uses vector instructions for them.
//!
//! Only additions, multiplications and bit operations are used, in a fixed order: each lane has the same bits on every machine, whether
//! vector instructions are used or not. Sums of waves spend nearly all their time here. Error: below 3e-16 for `|x| <= 1e6` (sine,
//! cosine, absolute) and 4e-16 (exponential, relative); beyond 1e6 the absolute error of sine and cosine grows with the argument.
//! Coefficients of sine and cosine: FreeBSD msun `k_sin.c`, `k_cos.c` (minimax on a quarter of pi); of the exponential: Taylor.

/// Numbers side by side: enough that a processor with registers of two has work while it waits for results.
pub(super) const LANES: usize = 8;

/// Numbers side by side.
pub(super) type Lanes = [f64; LANES];

/// Adding it rounds a number below 2^51 to a whole one, which the lowest bits of the sum hold.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Half of pi in two parts; the first has 33 bits, so that its product with a count below 2^20 is exact.
const HALF_PI: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// The logarithm of 2 in two parts, the first with 33 bits.
const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

const SIN: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

const COS: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// 1/n! for n = 2 to 13.
const EXP: [f64; 12] = [
    0.5,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// Smallest argument of the exponential: its square is still a normal number.
const MIN_EXPONENT: f64 = -350.0;

/// The lanes of `f(lane)`.
#[inline(always)]
pub(super) fn each(f: impl FnMut(usize) -> f64) -> Lanes {
    std::array::from_fn(f)
}

/// Sine and cosine of angles in radians.
#[inline(always)]
pub(super) fn sin_cos(x: &Lanes) -> (Lanes, Lanes) {
    let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        (sin[lane], cos[lane]) = sin_cos_of(x[lane]);
    }
    (sin, cos)
}

/// e to the power x for x up to 0; what is below -350 counts as -350.
#[inline(always)]
pub(super) fn exp(x: &Lanes) -> Lanes {
    each(|lane| exp_of(x[lane]))
}

#[inline(always)]
fn sin_cos_of(x: f64) -> (f64, f64) {
    let rounded = x * std::f64::consts::FRAC_2_PI + ROUNDER;
    let (quadrant, count) = (rounded.to_bits(), rounded - ROUNDER);
    let r = (x - count * HALF_PI[0]) - count * HALF_PI[1];
    let z = r * r;
    let sin = r + r * z * polynomial(&SIN, z);
    let cos = (1.0 - 0.5 * z) + z * z * polynomial(&COS, z);
    // Odd quadrants exchange the two; the second bit of the quadrant, or of the next one, is the sign.
    let exchange = 0_u64.wrapping_sub(quadrant & 1);
    let (sin_bits, cos_bits) = (sin.to_bits(), cos.to_bits());
    let difference = (sin_bits ^ cos_bits) & exchange;
    let sin_sign = (quadrant & 2) << 62;
    let cos_sign = (quadrant.wrapping_add(1) & 2) << 62;
    (f64::from_bits(sin_bits ^ difference ^ sin_sign), f64::from_bits(cos_bits ^ difference ^ cos_sign))
}

#[inline(always)]
fn exp_of(x: f64) -> f64 {
    let x = if x < MIN_EXPONENT { MIN_EXPONENT } else { x };
    let rounded = x * std::f64::consts::LOG2_E + ROUNDER;
    let count = rounded - ROUNDER;
    let r = (x - count * LN_2[0]) - count * LN_2[1];
    let power_of_two = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    (1.0 + (r + r * r * polynomial(&EXP, r))) * power_of_two
}

/// Horner's rule, the constant term first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let last = coefficients[N - 1];
    coefficients[..N - 1].iter().rev().fold(last, |sum, &c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::ops;

    /// Arguments over all quadrants and magnitudes, both signs; the reference is libm, exact to half a unit in the last place or so.
    fn arguments(largest: f64) -> impl Iterator<Item = f64> {
        (0..200_000_u32).map(move |n| {
            let fraction = f64::from(n.wrapping_mul(2_654_435_761)) / f64::from(u32::MAX) * 2.0 - 1.0;
            fraction * fraction.abs() * largest
        })
    }

    #[test]
    fn sines_and_cosines_are_those_of_the_library() {
        for largest in [1.0, 10.0, 1e3, 1e6] {
            for x in arguments(largest) {
                let (sin, cos) = sin_cos_of(x);
                let (true_sin, true_cos) = ops::sin_cos(x);
                assert!((sin - true_sin).abs() < 3e-16 && (cos - true_cos).abs() < 3e-16, "{x}: {sin} {cos}");
            }
        }
        assert_eq!(sin_cos_of(0.0), (0.0, 1.0));
        assert!(sin_cos_of(f64::NAN).0.is_nan());
    }

    #[test]
    fn the_exponential_is_that_of_the_library_down_to_its_limit() {
        for x in arguments(349.0).map(|x| -x.abs()) {
            assert!((exp_of(x) / ops::exp(x) - 1.0).abs() < 4e-16, "{x}");
        }
        assert_eq!(exp_of(0.0), 1.0);
        assert!(exp_of(-1e9) > 0.0 && exp_of(-1e9) < 1e-150);
    }

    #[test]
    fn lanes_do_not_mix() {
        let x = [0.1, -2.0, 3.7, 1e4, 0.0, -7.5, 12.0, -1e-9];
        let (sin, cos) = sin_cos(&x);
        let below = x.map(|x: f64| -x.abs());
        let e = exp(&below);
        for lane in 0..LANES {
            assert_eq!((sin[lane], cos[lane]), sin_cos_of(x[lane]));
            assert_eq!(e[lane], exp_of(below[lane]));
        }
    }
}
