//! Checksums of a table's lines, in a file beside it. `NAME.sums` has a line for each line of the table: the checksum of the table up to
//! the end of that line. So a row that was changed, lost or added is found and named, and the table itself stays plain CSV.

use crate::checksum::Checksum;
use crate::disk::{Disk, DiskFile};
use crate::error::RunError;
use crate::tables::file::PARTIAL_SUFFIX;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Added to the name of a table.
pub const SUMS_SUFFIX: &str = ".sums";

/// Bytes of a line: 16 digits and its end.
const LINE_BYTES: u64 = 17;

/// The file of a table's checksums. A table that grows has that of its final name.
#[must_use]
pub fn sums_path(table: &Path) -> PathBuf {
    let is_partial = table.extension().is_some_and(|ending| ending == PARTIAL_SUFFIX.trim_start_matches('.'));
    let mut name = if is_partial { table.with_extension("") } else { table.to_path_buf() }.into_os_string();
    name.push(SUMS_SUFFIX);
    name.into()
}

/// The checksums of a table that is being written.
#[derive(Debug)]
pub struct RowSums {
    file: DiskFile,
    lines: Vec<u8>,
}

impl RowSums {
    /// Starts the file of a table.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(disk: &Disk, table: &Path) -> Result<Self, RunError> {
        let path = sums_path(table);
        let file = disk.create(&path).map_err(|e| RunError::io("create", &path, e))?;
        Ok(Self { file, lines: Vec::new() })
    }

    /// Goes on after the first `lines` of the table.
    ///
    /// # Errors
    /// If the file cannot be opened or cut.
    pub fn resume(disk: &Disk, table: &Path, lines: u64) -> Result<Self, RunError> {
        let path = sums_path(table);
        let mut file = disk.open(&path).map_err(|e| RunError::io("open", &path, e))?;
        file.cut(LINE_BYTES * lines).map_err(|e| RunError::io("cut", &path, e))?;
        Ok(Self { file, lines: Vec::new() })
    }

    /// Adds the checksum of the table up to the end of its next line.
    pub fn push(&mut self, checksum: &Checksum) {
        self.lines.extend_from_slice(checksum.text().as_bytes());
        self.lines.push(b'\n');
    }

    /// Sends all lines to the file.
    ///
    /// # Errors
    /// If the file does not take them.
    pub fn flush(&mut self) -> Result<(), RunError> {
        let outcome = self.file.write_all(&self.lines);
        self.lines.clear();
        outcome.map_err(|e| RunError::io("write", self.file.path(), e))
    }

    /// Waits until the disk has all lines that were sent to the file.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn sync(&self) -> Result<(), RunError> {
        self.file.sync().map_err(|e| RunError::io("sync", self.file.path(), e))
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }
}

/// How far a table matches its checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matching {
    /// Its first lines, the header among them, that match. This is also the number of the first row that does not, from 1.
    pub lines: u64,
    /// True if that is all of both files.
    pub is_whole: bool,
}

impl Matching {
    /// Compares a table with the file beside it. Without that file nothing matches.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn of_table(table: &Path) -> Result<Self, RunError> {
        let unreadable = |e| RunError::io("read", table, e);
        let mut rows = BufReader::new(File::open(table).map_err(unreadable)?);
        let Ok(sums) = File::open(sums_path(table)) else { return Ok(Self { lines: 0, is_whole: false }) };
        Self::compare(&mut rows, &mut BufReader::new(sums)).map_err(unreadable)
    }

    fn compare(rows: &mut impl BufRead, sums: &mut impl BufRead) -> io::Result<Self> {
        let (mut checksum, mut lines) = (Checksum::default(), 0);
        let (mut row, mut sum) = (Vec::new(), Vec::new());
        loop {
            row.clear();
            sum.clear();
            let (row_bytes, sum_bytes) = (rows.read_until(b'\n', &mut row)?, sums.read_until(b'\n', &mut sum)?);
            checksum.add(&row);
            let matches = row.ends_with(b"\n") && sum.strip_suffix(b"\n") == Some(checksum.text().as_bytes());
            if !matches {
                return Ok(Self { lines, is_whole: row_bytes == 0 && sum_bytes == 0 && lines > 0 });
            }
            lines += 1;
        }
    }

    /// The first line that does not match, for a message.
    #[must_use]
    pub fn place(&self) -> String {
        if self.lines == 0 { "the header".to_owned() } else { format!("row {}", self.lines) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "run,x\n0,1.5\n1,2.5\n2,3.5\n";

    fn sums_of(table: &str) -> String {
        let mut checksum = Checksum::default();
        let line = |line: &str| {
            checksum.add(line.as_bytes());
            format!("{}\n", checksum.text())
        };
        table.split_inclusive('\n').map(line).collect()
    }

    fn compared(table: &[u8], sums: &[u8]) -> Matching {
        Matching::compare(&mut &table[..], &mut &sums[..]).unwrap()
    }

    #[test]
    fn a_flipped_bit_of_either_file_is_found_at_its_line() {
        let sums = sums_of(TABLE);
        assert_eq!(compared(TABLE.as_bytes(), sums.as_bytes()), Matching { lines: 4, is_whole: true });
        for (which, text) in [TABLE, &sums].into_iter().enumerate() {
            for bit in 0..8 * text.len() {
                let mut flipped = text.as_bytes().to_vec();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let files = [TABLE.as_bytes(), sums.as_bytes()].map(<[u8]>::to_vec);
                let [table, sums] = if which == 0 { [flipped, files[1].clone()] } else { [files[0].clone(), flipped] };
                let line = text.as_bytes()[..bit / 8].iter().filter(|&&byte| byte == b'\n').count() as u64;
                assert_eq!(compared(&table, &sums), Matching { lines: line, is_whole: false }, "{which} {bit}");
            }
        }
    }

    #[test]
    fn a_lost_row_and_a_cut_of_either_file_are_found() {
        let sums = sums_of(TABLE);
        for length in 0..TABLE.len() {
            let whole_lines = TABLE[..length].matches('\n').count() as u64;
            let found = compared(&TABLE.as_bytes()[..length], sums.as_bytes());
            assert_eq!(found, Matching { lines: whole_lines, is_whole: false }, "{length}");
        }
        for length in 0..sums.len() {
            assert!(!compared(TABLE.as_bytes(), &sums.as_bytes()[..length]).is_whole, "{length}");
        }
        for (lost, row) in [("0,1.5\n", 1), ("1,2.5\n", 2), ("2,3.5\n", 3)] {
            let found = compared(TABLE.replace(lost, "").as_bytes(), sums.as_bytes());
            assert_eq!((found.lines, found.is_whole, found.place()), (row, false, format!("row {row}")));
        }
        assert_eq!(compared(b"", b""), Matching { lines: 0, is_whole: false });
    }

    #[test]
    fn a_table_that_grows_has_the_file_of_its_name() {
        for (table, sums) in [("a/runs.csv", "a/runs.csv.sums"), ("a/runs.csv.partial", "a/runs.csv.sums")] {
            assert_eq!(sums_path(Path::new(table)), Path::new(sums));
        }
        assert_eq!(sums_path(Path::new("runs.csv.0.partial")), Path::new("runs.csv.0.sums"));
    }
}
