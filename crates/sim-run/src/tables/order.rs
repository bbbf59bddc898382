//! Rows of a table in the order of their steps.

use std::io::{self, BufRead};
use std::iter::Peekable;

/// Step of a row: the number before its first comma. A header has none.
#[must_use]
pub fn step_of(row: &[u8]) -> Option<u64> {
    let digits = row.split(|&byte| byte == b',').next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Appends the next row of a table to `row`; false at the end of the table. A row with line ends in its quoted text is several lines long.
///
/// # Errors
/// If the table cannot be read.
pub fn read_row(table: &mut impl BufRead, row: &mut Vec<u8>) -> io::Result<bool> {
    let start = row.len();
    while table.read_until(b'\n', row)? > 0 {
        if row[start..].iter().filter(|&&byte| byte == b'"').count().is_multiple_of(2) {
            return Ok(true);
        }
    }
    Ok(row.len() > start)
}

/// The rows of some lines.
#[must_use]
pub fn split_rows(lines: &[u8]) -> Vec<&[u8]> {
    let mut is_quoted = false;
    let ends_row = |&byte: &u8| {
        is_quoted ^= byte == b'"';
        byte == b'\n' && !is_quoted
    };
    lines.split_inclusive(ends_row).collect()
}

/// Takes the first rows of an earlier step than that of `row`.
pub fn take_earlier<'a>(rows: &mut Peekable<impl Iterator<Item = &'a [u8]>>, row: &[u8]) -> Vec<u8> {
    std::iter::from_fn(|| rows.next_if(|earlier| step_of(earlier) < step_of(row))).flatten().copied().collect()
}
