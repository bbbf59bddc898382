//! The block of data in a page: four bytes of length (the lowest first), a head in JSON, and the columns; deflated, in base64.
//!
//! A column is a list of whole numbers. Each is written as its difference from the one before it in zigzag order, plus one, in groups of
//! seven bits with the lowest first; 0 stands for a missing value, which leaves the one before it as it was. `page/data.js` reads it.

use crate::error::ViewError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use std::fmt::Display;
use std::io::Write;

/// Stands for minus infinity, a range finder's "too near": less than any number that is stored.
pub const TOO_NEAR: i32 = i32::MIN + 1;

/// Columns as they collect.
#[derive(Debug, Default)]
pub struct Columns(Vec<u8>);

impl Columns {
    /// Where the next column begins, counted from the first.
    pub fn end(&self) -> usize {
        self.0.len()
    }

    /// Appends numbers of one owner; the first counts from 0.
    pub fn push(&mut self, values: &[Option<i32>]) {
        let mut last = 0;
        for value in values {
            let code = value.map_or(0, |value| {
                let difference = i64::from(value) - last;
                last = i64::from(value);
                zigzag(difference) + 1
            });
            push_groups(&mut self.0, code);
        }
    }
}

/// 0, -1, 1, -2, … as 0, 1, 2, 3, …
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

fn push_groups(bytes: &mut Vec<u8>, mut code: u64) {
    while code >= 128 {
        bytes.push((code % 128) as u8 | 128);
        code /= 128;
    }
    bytes.push(code as u8);
}

/// The block as text.
pub fn pack(head: &impl Serialize, columns: &Columns) -> Result<String, ViewError> {
    let json = serde_json::to_vec(head).map_err(too_much)?;
    let length = u32::try_from(json.len()).map_err(too_much)?;
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut put = |bytes: &[u8]| packer.write_all(bytes).map_err(too_much);
    put(&length.to_le_bytes())?;
    put(&json)?;
    put(&columns.0)?;
    Ok(STANDARD.encode(packer.finish().map_err(too_much)?))
}

fn too_much(error: impl Display) -> ViewError {
    ViewError::Wrong(format!("the run does not fit into a page: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_take_a_byte_and_gaps_leave_the_count() {
        let mut columns = Columns::default();
        columns.push(&[Some(0), Some(-1), None, Some(0), Some(100)]);
        // Differences 0, -1, gap, +1, +100: codes 1, 2, 0, 3, 201 = 73 + 1 * 128.
        assert_eq!(columns.0, [1, 2, 0, 3, 128 | 73, 1]);
        assert_eq!(columns.end(), 6);
    }

    #[test]
    fn the_largest_step_is_written() {
        let mut columns = Columns::default();
        columns.push(&[Some(i32::MIN), Some(i32::MAX)]);
        // -2^31 in zigzag is 2^32 - 1, plus one 2^32: four empty groups and 16. The difference of 2^32 - 1 is 2^33 - 2, plus one.
        assert_eq!(columns.0, [128, 128, 128, 128, 16, 255, 255, 255, 255, 31]);
    }
}
