//! The Sobol sequence with the direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008, set new-joe-kuo-6): points that fill
//! the unit cube more evenly than chance.
//!
//! Point `i` is found without its predecessors: the bits of `i ^ (i >> 1)` (Gray code, so that the order is the published one) say
//! which direction numbers of an axis are added modulo 2. The first point is the corner 0, where a normal distribution has no value.
//! So the bits of each axis are flipped where a random word has ones (a digital shift): that leaves every binary box as evenly filled
//! as it was, and makes another seed another sample.

use crate::sweep::purpose;
use sim_core::RunKey;

/// Axes that the table serves.
pub const DIMENSIONS: usize = 1 + TABLE.len();

const BITS: usize = 32;

/// Inner coefficients of the primitive polynomial, whose degree is the length of the list, and the first direction numbers.
/// Axis 0 needs none.
type Row = (u32, &'static [u32]);

const TABLE: [Row; 31] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, &[1, 1, 3, 13, 7, 35, 63]),
    (8, &[1, 3, 5, 9, 1, 25, 53]),
    (14, &[1, 3, 1, 13, 9, 35, 107]),
    (19, &[1, 3, 1, 5, 27, 61, 31]),
    (21, &[1, 1, 5, 11, 19, 41, 61]),
    (28, &[1, 3, 5, 3, 3, 13, 69]),
    (31, &[1, 1, 7, 13, 1, 19, 1]),
    (32, &[1, 3, 7, 5, 13, 19, 59]),
    (37, &[1, 1, 3, 9, 25, 29, 41]),
    (41, &[1, 3, 5, 13, 23, 1, 55]),
    (42, &[1, 3, 7, 3, 13, 59, 17]),
];

/// Direction numbers of one axis, and its digital shift.
#[derive(Clone, Debug)]
pub(super) struct SobolAxis {
    directions: [u32; BITS],
    shift: u32,
}

impl SobolAxis {
    /// `axis` is below [`DIMENSIONS`].
    pub(super) fn new(key: RunKey, axis: usize) -> Self {
        let shift = (key.stream(purpose::DESIGN_SHUFFLE, axis as u64, 0).bits() >> BITS) as u32;
        Self { directions: directions(axis), shift }
    }

    /// The middle of one of 2^32 equal parts of the unit interval. `cell` is below 2^32.
    pub(super) fn coordinate(&self, cell: u64) -> f64 {
        (f64::from(self.word(cell as u32) ^ self.shift) + 0.5) / (1_u64 << BITS) as f64
    }

    /// The sequence itself, as 32 binary places.
    fn word(&self, index: u32) -> u32 {
        let gray = index ^ (index >> 1);
        (0..BITS).filter(|bit| gray >> bit & 1 == 1).fold(0, |word, bit| word ^ self.directions[bit])
    }
}

/// Bratley and Fox's recurrence, for the binary places of the direction numbers.
fn directions(axis: usize) -> [u32; BITS] {
    let Some((coefficients, first)) = axis.checked_sub(1).map(|row| TABLE[row]) else {
        return std::array::from_fn(|bit| 1 << (BITS - 1 - bit));
    };
    let degree = first.len();
    let mut directions = [0; BITS];
    for bit in 0..BITS {
        directions[bit] = if bit < degree {
            first[bit] << (BITS - 1 - bit)
        } else {
            let last = directions[bit - degree] ^ directions[bit - degree] >> degree;
            let inner = (1..degree).filter(|back| coefficients >> (degree - 1 - back) & 1 == 1);
            inner.fold(last, |word, back| word ^ directions[bit - back])
        };
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(axis: usize) -> SobolAxis {
        SobolAxis { directions: directions(axis), shift: 0 }
    }

    fn unit(axis: usize, index: u32) -> f64 {
        f64::from(plain(axis).word(index)) / 4_294_967_296.0
    }

    /// The first ten points in three dimensions, as printed by Joe and Kuo with their direction numbers.
    #[test]
    fn first_points_are_the_published_ones() {
        let published = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
            [0.1875, 0.3125, 0.9375],
            [0.6875, 0.8125, 0.4375],
        ];
        for (index, point) in published.iter().enumerate() {
            let ours = [0, 1, 2].map(|axis| unit(axis, index as u32));
            assert_eq!(&ours, point, "point {index}");
        }
    }

    /// A polynomial over two elements is primitive if x has the order 2^degree - 1; a direction number m_i is odd and below 2^i.
    #[test]
    fn the_table_is_of_primitive_polynomials_and_odd_numbers() {
        let mut seen = std::collections::BTreeSet::new();
        for (coefficients, first) in TABLE {
            let degree = first.len();
            let polynomial = 1_u32 << degree | coefficients << 1 | 1;
            assert!(seen.insert(polynomial) && coefficients < 1 << (degree - 1), "{polynomial}");
            let times_x = |word: u32| if word >> (degree - 1) & 1 == 1 { word << 1 ^ polynomial } else { word << 1 };
            let one = |power: u32| (0..power).fold(1, |word, _| times_x(word)) == 1;
            let order = (1_u32 << degree) - 1;
            let steps_to_one = (1..=order).find(|&power| one(power));
            assert_eq!(steps_to_one, Some(order), "{polynomial}");
            assert!(first.iter().enumerate().all(|(i, m)| m % 2 == 1 && *m < 2 << i), "{first:?}");
        }
    }

    /// Every axis fills every interval of length 1 / 256 once with each 256 points that follow each other from a multiple of 256,
    /// shifted or not.
    #[test]
    fn each_axis_is_evenly_filled() {
        for number in 0..DIMENSIONS {
            let axis = SobolAxis::new(RunKey { seed: 4, run_index: 0 }, number);
            for start in [0, 256, 1 << 20] {
                let mut used = [false; 256];
                (start..start + 256).for_each(|cell| used[(axis.coordinate(cell) * 256.0) as usize] = true);
                assert!(used.iter().all(|&used| used), "axis {number}");
            }
        }
    }

    #[test]
    fn no_coordinate_is_0_or_1() {
        let last = SobolAxis { directions: [u32::MAX; BITS], shift: 0 };
        assert!(plain(0).coordinate(0) > 0.0 && last.coordinate(1) < 1.0);
        assert_eq!(plain(0).coordinate(1), 0.5 + 0.5 / 4_294_967_296.0);
    }
}
