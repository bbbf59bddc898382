//! Checksums of files: 64 bits against disks that lose or flip bits, not against people who mean to.

use serde::{Deserialize, Serialize};
use sim_core::StateHash;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a word of the hash.
const WORD_BYTES: usize = 8;

/// Running checksum of bytes: a [`StateHash`] of their words, lowest byte first, the last one filled up with zeros, and of their number.
/// However the bytes are divided, it is the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checksum {
    hash: StateHash,
    /// The word that is not full.
    word: u64,
    bytes: u64,
}

impl Checksum {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let filled = self.bytes as usize % WORD_BYTES;
        let (head, rest) = bytes.split_at(bytes.len().min((WORD_BYTES - filled) % WORD_BYTES));
        head.iter().for_each(|&byte| self.add_byte(byte));
        let mut words = rest.chunks_exact(WORD_BYTES);
        for word in &mut words {
            self.hash.u64(word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
            self.bytes += WORD_BYTES as u64;
        }
        words.remainder().iter().for_each(|&byte| self.add_byte(byte));
    }

    fn add_byte(&mut self, byte: u8) {
        let filled = self.bytes as usize % WORD_BYTES;
        self.word |= u64::from(byte) << (8 * filled);
        self.bytes += 1;
        if filled + 1 == WORD_BYTES {
            self.hash.u64(std::mem::take(&mut self.word));
        }
    }

    /// Checksum of all bytes so far.
    #[must_use]
    pub fn value(&self) -> u64 {
        let mut hash = self.hash;
        hash.u64(self.word);
        hash.u64(self.bytes);
        hash.finish()
    }

    /// The same in 16 hexadecimal digits.
    #[must_use]
    pub fn text(&self) -> String {
        hash_text(self.value())
    }

    /// Checksum of some bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut checksum = Self::default();
        checksum.add(bytes);
        checksum
    }

    /// Checksum of what a reader has.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn from_reader(mut reader: impl Read) -> io::Result<Self> {
        let mut checksum = Self::default();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(checksum),
                Ok(bytes) => checksum.add(&buffer[..bytes]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Size and checksum, as `run.json` has them.
    #[must_use]
    pub fn file_sum(&self) -> FileSum {
        FileSum { bytes: self.bytes, checksum: self.text() }
    }
}

/// Size and checksum of a finished file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSum {
    /// Size, bytes.
    pub bytes: u64,
    /// [`Checksum::text`] of all bytes.
    pub checksum: String,
}

impl FileSum {
    /// That of a file on disk.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn from_file(path: &Path) -> io::Result<Self> {
        Ok(Checksum::from_reader(File::open(path)?)?.file_sum())
    }
}

/// A hash as the files write it.
#[must_use]
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word by word.
    #[test]
    fn words_come_lowest_byte_first_and_the_length_last() {
        let mut hash = StateHash::new();
        [0x0807_0605_0403_0201, 0x0a09, 10].into_iter().for_each(|word| hash.u64(word));
        assert_eq!(Checksum::from_bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).text(), hash_text(hash.finish()));
    }

    #[test]
    fn a_division_of_the_bytes_never_matters_and_each_bit_and_byte_does() {
        let bytes: Vec<u8> = (0..61).map(|n: u32| (n * 89 % 251) as u8).collect();
        let whole = Checksum::from_bytes(&bytes).text();
        for (first, second) in (0..=61).flat_map(|first| (first..=61).map(move |second| (first, second))) {
            let mut checksum = Checksum::from_bytes(&bytes[..first]);
            checksum.add(&bytes[first..second]);
            checksum.add(&bytes[second..]);
            assert_eq!(checksum.text(), whole);
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(Checksum::from_bytes(&flipped).text(), whole, "bit {bit}");
        }
        for length in 0..61 {
            assert_ne!(Checksum::from_bytes(&bytes[..length]).text(), whole);
        }
        assert_ne!(Checksum::from_bytes(&[0]).text(), Checksum::from_bytes(&[0, 0]).text());
    }

    #[test]
    fn a_file_has_the_checksum_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = (folder.path().join("a"), vec![7; 200_001]);
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(FileSum::from_file(&path).unwrap(), Checksum::from_bytes(&bytes).file_sum());
    }
}
