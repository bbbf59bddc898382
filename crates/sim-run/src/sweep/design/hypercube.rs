//! A Latin hypercube without storing it: each axis is cut into as many strata as there are cells, and a keyed bijection says which
//! stratum a cell has.
//!
//! The bijection is a Feistel network on the smallest even number of bits that holds the strata (Luby and Rackoff, SIAM J. Comput.
//! 17, 1988). A result beyond the last stratum is sent through again until it is one (cycle walking; Black and Rogaway, CT-RSA 2002).

use crate::sweep::purpose;
use sim_core::{RunKey, hash::mix};

const ROUNDS: usize = 8;

/// A place in the open interval (0, 1) out of random bits: the middle of one of 2^52 equal parts.
pub(super) fn open_unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// The largest number below 1.
const LAST: f64 = 1.0 - 0.5 * f64::EPSILON;

/// Strata of one axis.
#[derive(Clone, Debug)]
pub(super) struct LatinAxis {
    key: RunKey,
    axis: u64,
    shuffle: Shuffle,
}

impl LatinAxis {
    pub(super) fn new(key: RunKey, axis: u64, cells: u64) -> Self {
        let mut stream = key.stream(purpose::DESIGN_SHUFFLE, axis, 0);
        Self { key, axis, shuffle: Shuffle::new(cells, std::array::from_fn(|_| stream.bits())) }
    }

    /// A random place within the cell's stratum.
    pub(super) fn coordinate(&self, cell: u64) -> f64 {
        let jitter = open_unit(self.key.stream(purpose::DESIGN_POINT, self.axis, cell).bits());
        ((self.shuffle.at(cell) as f64 + jitter) / self.shuffle.size as f64).min(LAST)
    }
}

/// A bijection of the whole numbers below `size`.
#[derive(Clone, Debug)]
struct Shuffle {
    size: u64,
    half_bits: u32,
    round_keys: [u64; ROUNDS],
}

impl Shuffle {
    fn new(size: u64, round_keys: [u64; ROUNDS]) -> Self {
        let bits = u64::BITS - (size - 1).leading_zeros();
        Self { size, half_bits: bits.div_ceil(2).max(1), round_keys }
    }

    fn at(&self, index: u64) -> u64 {
        let mut place = self.network(index);
        while place >= self.size {
            place = self.network(place);
        }
        place
    }

    fn network(&self, word: u64) -> u64 {
        let mask = (1_u64 << self.half_bits) - 1;
        let halves = (word >> self.half_bits, word & mask);
        let round = |(left, right): (u64, u64), key: &u64| (right, left ^ (mix(right ^ key) & mask));
        let (left, right) = self.round_keys.iter().fold(halves, round);
        left << self.half_bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(seed: u64, axis: u64, cells: u64) -> LatinAxis {
        LatinAxis::new(RunKey { seed, run_index: 0 }, axis, cells)
    }

    #[test]
    fn every_stratum_is_used_once() {
        for cells in [1, 2, 3, 5, 16, 17, 100, 1000, 65_537] {
            for number in 0..3 {
                let axis = axis(9, number, cells);
                let mut used = vec![false; cells as usize];
                for cell in 0..cells {
                    let place = axis.coordinate(cell);
                    assert!(0.0 < place && place < 1.0);
                    used[(place * cells as f64) as usize] = true;
                }
                assert!(used.iter().all(|&used| used), "{cells}");
            }
        }
    }

    #[test]
    fn the_largest_designs_stay_inside() {
        for cells in [1 << 40, (1 << 62) + 1, u64::MAX] {
            let axis = axis(1, 0, cells);
            for cell in [0, 1, cells / 2, cells - 1] {
                assert!(axis.shuffle.at(cell) < cells);
                assert!((0.0..1.0).contains(&axis.coordinate(cell)));
            }
        }
    }

    /// Over 6,000 keys each of the 36 pairs (stratum of cell 0 on two axes) is expected 166.7 times, standard deviation 12.7; 5 of them.
    #[test]
    fn small_shuffles_are_even_and_axes_do_not_know_each_other() {
        let mut pairs = [[0_u32; 6]; 6];
        for seed in 0..6_000 {
            pairs[axis(seed, 0, 6).shuffle.at(0) as usize][axis(seed, 1, 6).shuffle.at(0) as usize] += 1;
        }
        assert!(pairs.iter().flatten().all(|count| (103..230).contains(count)), "{pairs:?}");
    }

    /// Cells 0 and 1 share no stratum; each of the 20 ordered pairs out of five is expected 300 times, standard deviation 16.9; 5 of them.
    #[test]
    fn neighbouring_cells_do_not_know_each_other() {
        let mut pairs = [[0_u32; 5]; 5];
        for seed in 0..6_000 {
            let shuffle = axis(seed, 0, 5).shuffle;
            pairs[shuffle.at(0) as usize][shuffle.at(1) as usize] += 1;
        }
        for (first, row) in pairs.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                assert!(if first == second { count == 0 } else { (215..385).contains(&count) }, "{pairs:?}");
            }
        }
    }

    /// Ranks of two axes of 1,000 cells: the correlation has a standard error of 1 / sqrt(999); 4 of them.
    #[test]
    fn axes_are_not_correlated() {
        let column = |number| (0..1_000).map(|cell| axis(3, number, 1_000).coordinate(cell)).collect::<Vec<_>>();
        for (a, b) in [(0, 1), (1, 2), (0, 7)] {
            let r = sim_stats::spearman(&column(a), &column(b)).spearman;
            assert!(r.abs() < 4.0 / 31.6, "{a} {b}: {r}");
        }
    }
}
