//! The 64-bit hash of a state: two runs are the same if and only if (to all practical purposes) their hashes are.
//!
//! Each word is mixed into the running value by a multiply and an xor-shift (the finaliser of SplitMix64), so that order and every
//! bit count. The value is the same on every machine.

use crate::DVec2;

/// Running hash of the words put in so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHash(u64);

impl Default for StateHash {
    fn default() -> Self {
        Self::new()
    }
}

impl StateHash {
    /// Hash of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self(0x243f_6a88_85a3_08d3)
    }

    /// Adds one word.
    #[inline]
    pub fn u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    /// Adds the bits of a number; both zeros count as one. Do not add NaN: its bits are not portable.
    #[inline]
    pub fn f64(&mut self, value: f64) {
        self.u64((value + 0.0).to_bits());
    }

    /// Adds both components.
    #[inline]
    pub fn vec2(&mut self, v: DVec2) {
        self.f64(v.x);
        self.f64(v.y);
    }

    /// The hash of all that was put in.
    #[must_use]
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// SplitMix64's step: a bijection of the 64-bit words in which each input bit changes about half of the output bits.
#[inline]
#[must_use]
pub fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of SplitMix64 from seed 0, as published with the generator.
    #[test]
    fn mix_is_splitmix64() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn order_and_last_bit_count_but_the_sign_of_zero_does_not() {
        let of = |values: &[f64]| {
            let mut h = StateHash::new();
            values.iter().for_each(|&v| h.f64(v));
            h.finish()
        };
        assert_ne!(of(&[1.0, 2.0]), of(&[2.0, 1.0]));
        assert_ne!(of(&[1.0]), of(&[1.0 + f64::EPSILON]));
        assert_eq!(of(&[0.0]), of(&[-0.0]));
    }
}
