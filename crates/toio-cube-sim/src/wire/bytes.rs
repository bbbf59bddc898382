//! The bytes of a notification, held in place: a step that only notifies does not allocate.

use sim_core::StateHash;
use std::{fmt, ops::Deref};

/// Length of the longest notification.
pub const MAX_MESSAGE_BYTES: usize = 20;

/// Up to 20 bytes; reads as a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bytes {
    length: usize,
    bytes: [u8; MAX_MESSAGE_BYTES],
}

impl Bytes {
    /// The given bytes. Layouts are no longer than 20 bytes; more would be cut off.
    pub(super) fn from_slice(given: &[u8]) -> Self {
        let mut bytes = Self { length: 0, bytes: [0; MAX_MESSAGE_BYTES] };
        bytes.extend(given.iter().copied());
        bytes
    }

    /// The same with more bytes behind.
    pub(super) fn with(mut self, more: impl IntoIterator<Item = u8>) -> Self {
        self.extend(more);
        self
    }

    fn extend(&mut self, more: impl IntoIterator<Item = u8>) {
        for (place, byte) in self.bytes[self.length..].iter_mut().zip(more) {
            *place = byte;
            self.length += 1;
        }
    }
}

/// Mixes a byte string that may be absent into `hash`: presence and length count, so that no two chains of such strings are alike.
pub(crate) fn hash_optional(bytes: Option<&[u8]>, hash: &mut StateHash) {
    hash.u64(bytes.map_or(0, |bytes| bytes.len() as u64 + 1));
    bytes.into_iter().flatten().for_each(|&byte| hash.u64(byte.into()));
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x?}", &**self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(chain: &[Option<&[u8]>]) -> u64 {
        let mut hash = StateHash::new();
        chain.iter().for_each(|bytes| hash_optional(*bytes, &mut hash));
        hash.finish()
    }

    /// The same bytes, cut elsewhere or with another one absent, are another state.
    #[test]
    fn presence_and_length_of_byte_strings_are_hashed() {
        let chains: [&[Option<&[u8]>]; 9] = [
            &[None, None],
            &[None, Some(&[])],
            &[Some(&[]), None],
            &[Some(&[]), Some(&[])],
            &[None, Some(&[0])],
            &[Some(&[0]), None],
            &[Some(&[1, 2]), Some(&[3])],
            &[Some(&[1]), Some(&[2, 3])],
            &[Some(&[1, 2, 3]), None],
        ];
        for (n, chain) in chains.iter().enumerate() {
            for other in &chains[..n] {
                assert_ne!(hash(chain), hash(other), "{chain:?} and {other:?}");
            }
        }
        assert_eq!(hash(chains[6]), hash(chains[6]));
    }
}
