//! Random draws found by address.
//!
//! A draw belongs to (scenario seed, run index, purpose, owner, tick). Its generator is made on the spot and thrown away, so
//! adding a robot, a patch or a thread leaves every other draw as it was, and nothing has to be stored or restored. The address
//! is folded through SplitMix64 into the 128-bit state of PCG (`Pcg64Mcg`), whose output is documented and portable.

use crate::{DVec2, hash::mix, ops};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// What a draw is for: a number that is part of every result. Each crate that draws names its own in a module `purpose`; no number is
/// used twice in the whole house, and none is ever changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Purpose(u64);

impl Purpose {
    /// The purpose with this number. Take the smallest that no crate uses yet.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }
}

/// The part of an address that is fixed during one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunKey {
    /// Seed of the scenario.
    pub seed: u64,
    /// Index of the run in its batch, from 0.
    pub run_index: u64,
}

impl RunKey {
    /// The generator at an address. Two streams whose addresses differ are independent to all practical purposes.
    #[must_use]
    pub fn stream(self, purpose: Purpose, owner: u64, tick: u64) -> Stream {
        let folded = [self.run_index, purpose.0, owner, tick].iter().fold(mix(self.seed), |h, &word| mix(h ^ word));
        let state = (u128::from(mix(folded)) << 64) | u128::from(mix(folded ^ 0xa076_1d64_78bd_642f));
        Stream { generator: Pcg64Mcg::new(state) }
    }

    /// Two independent standard normal deviates of each owner from 0 on, those that [`Stream::normal2`] draws at its address.
    ///
    /// One pass draws, one draws again where the first place is outside the disc, one shapes: a processor overlaps the owners of a pass
    /// without choices, but not the long way of one deviate.
    pub fn normals2(self, purpose: Purpose, tick: u64, deviates: &mut [DVec2]) {
        let stream = |owner: usize| self.stream(purpose, owner as u64, tick);
        for (owner, deviate) in deviates.iter_mut().enumerate() {
            *deviate = stream(owner).in_square();
        }
        for (owner, deviate) in deviates.iter_mut().enumerate().filter(|(_, place)| !is_in_disc(**place)) {
            *deviate = stream(owner).in_disc();
        }
        deviates.iter_mut().for_each(|deviate| *deviate = normal2_of(*deviate));
    }
}

/// A short-lived generator: draw what the address is for, then drop it.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: Pcg64Mcg,
}

impl Stream {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform in [`min`, `max`).
    #[inline]
    pub fn range(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.uniform()
    }

    /// Whole number below `n`; 0 if `n` is 0. Its bias is below n / 2^64.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// Two independent standard normal deviates (Marsaglia's polar method).
    pub fn normal2(&mut self) -> DVec2 {
        normal2_of(self.in_disc())
    }

    /// A place uniform in the square of side 2 round the middle.
    #[inline]
    fn in_square(&mut self) -> DVec2 {
        DVec2::new(self.range(-1.0, 1.0), self.range(-1.0, 1.0))
    }

    /// A place other than the middle, uniform in the open unit disc.
    #[inline]
    fn in_disc(&mut self) -> DVec2 {
        loop {
            let place = self.in_square();
            if is_in_disc(place) {
                return place;
            }
        }
    }

    /// A standard normal deviate.
    pub fn normal(&mut self) -> f64 {
        self.normal2().x
    }

    /// A direction, uniform on the circle.
    pub fn direction(&mut self) -> DVec2 {
        loop {
            let v = self.in_square();
            let s = v.length_squared();
            if s > 1e-4 && s < 1.0 {
                return v / s.sqrt();
            }
        }
    }
}

/// True for a place other than the middle in the open unit disc.
#[inline]
fn is_in_disc(place: DVec2) -> bool {
    let s = place.length_squared();
    s > 0.0 && s < 1.0
}

/// Two independent standard normal deviates from a place in the unit disc.
#[inline]
fn normal2_of(v: DVec2) -> DVec2 {
    let s = v.length_squared();
    v * (-2.0 * ops::ln(s) / s).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAIT: Purpose = Purpose::new(1);
    const NOISE: Purpose = Purpose::new(7);

    const KEY: RunKey = RunKey { seed: 42, run_index: 3 };

    #[test]
    fn every_part_of_the_address_counts() {
        let first = |key: RunKey, purpose, owner, tick| key.stream(purpose, owner, tick).bits();
        let base = first(KEY, GAIT, 5, 9);
        assert_eq!(base, first(KEY, GAIT, 5, 9));
        assert_ne!(base, first(RunKey { seed: 43, ..KEY }, GAIT, 5, 9));
        assert_ne!(base, first(RunKey { run_index: 4, ..KEY }, GAIT, 5, 9));
        assert_ne!(base, first(KEY, NOISE, 5, 9));
        assert_ne!(base, first(KEY, GAIT, 6, 9));
        assert_ne!(base, first(KEY, GAIT, 5, 10));
    }

    /// Moments over addresses, not over one stream: 1e5 draws have a standard error of 0.003 (mean), 0.0045 (variance).
    #[test]
    fn normal_deviates_over_addresses_have_mean_0_and_variance_1() {
        let n = 100_000;
        let draws = |f: &dyn Fn(f64) -> f64| -> f64 {
            (0..n).map(|t| f(KEY.stream(NOISE, t % 30, t / 30).normal())).sum::<f64>() / n as f64
        };
        assert!(draws(&|x| x).abs() < 0.015);
        assert!((draws(&|x| x * x) - 1.0).abs() < 0.025);
        assert!((draws(&|x| x * x * x * x) - 3.0).abs() < 0.2);
    }

    #[test]
    fn deviates_of_many_owners_are_those_of_each() {
        let mut all = [DVec2::ZERO; 40];
        KEY.normals2(NOISE, 9, &mut all);
        let each = |owner: usize| KEY.stream(NOISE, owner as u64, 9).normal2();
        assert!(all.iter().enumerate().all(|(owner, deviate)| *deviate == each(owner)));
    }

    #[test]
    fn ranges_hold_and_are_filled() {
        let mut stream = KEY.stream(NOISE, 0, 0);
        let mut counts = [0_u32; 7];
        for _ in 0..7_000 {
            let x = stream.range(-2.0, 5.0);
            assert!((-2.0..5.0).contains(&x));
            counts[stream.below(7) as usize] += 1;
            assert!((stream.direction().length() - 1.0).abs() < 1e-12);
        }
        // 1000 expected in each, standard deviation 29.
        assert!(counts.iter().all(|&c| (850..1150).contains(&c)), "{counts:?}");
        assert_eq!(stream.below(0), 0);
    }
}
