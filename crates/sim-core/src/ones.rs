//! The set bits of a word.

/// Yields the numbers of the bits that are set, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Ones(pub u64);

impl Iterator for Ones {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_in_order_and_are_counted() {
        let ones = Ones(1 << 63 | 0b1001_0010);
        assert_eq!(ones.size_hint(), (4, Some(4)));
        assert_eq!(ones.collect::<Vec<_>>(), [1, 4, 7, 63]);
        assert_eq!(Ones(0).next(), None);
    }
}
