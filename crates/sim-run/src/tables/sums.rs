//! Checksums of the lines of tables: a row that was changed, lost or added is found and named, and the table itself stays plain CSV. Each
//! is the checksum of the table up to the end of a line. There are two kinds of files of them.
//!
//! - `NAME.sums` beside a table that others go on with or put together: a line for each line of the table.
//! - `rows.sums` for all other tables of a folder: `NAME DIGITS`, with the last four digits for each of the next lines of a table. They
//!   only say where a table is damaged; whether it is, the checksum of the whole file in `run.json` says. Two tables are the same up to a
//!   damaged row with a chance of 1 in 65,536; a later row is named then. `NAME -` makes the digits of a table before it void.

use crate::checksum::{Checksum, FileSum};
use crate::disk::{Disk, DiskFile};
use crate::error::RunError;
use crate::partial::{PARTIAL_SUFFIX, partial_name};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Added to the name of a table.
pub const SUMS_SUFFIX: &str = ".sums";

/// Name of the file for all tables of a folder that have none of their own.
pub const ROWS_SUMS: &str = "rows.sums";

/// Digits of a row in that file.
const SHORT_DIGITS: usize = 4;

/// In place of digits: those of the table that came before are void, for its lines were written again.
const VOID: &[u8] = b"-";

/// They are sent to the file when this many bytes have collected.
const BUFFER_BYTES: usize = 1 << 16;

/// Bytes of a line of `NAME.sums`: 16 digits and its end.
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

/// Adds the last digits of a checksum.
pub(crate) fn push_short(digits: &mut Vec<u8>, checksum: &Checksum) {
    digits.extend_from_slice(&short(checksum));
}

fn short(checksum: &Checksum) -> [u8; SHORT_DIGITS] {
    let value = checksum.value();
    std::array::from_fn(|place| {
        let digit = (value >> (4 * (SHORT_DIGITS - 1 - place))) & 0xf;
        b"0123456789abcdef"[digit as usize]
    })
}

/// The file `rows.sums` of a folder that is being written.
#[derive(Debug, Default)]
pub(crate) struct ShortSums {
    /// Under its partial name, once there is much to write.
    file: Option<DiskFile>,
    lines: Vec<u8>,
    checksum: Checksum,
}

impl ShortSums {
    /// True before the first line of any table.
    pub fn is_empty(&self) -> bool {
        self.file.is_none() && self.lines.is_empty()
    }

    /// Adds the digits of the next lines of a table in a folder.
    pub fn add(&mut self, (disk, folder): (&Disk, &Path), table: &str, digits: &[u8]) -> Result<(), RunError> {
        [table.as_bytes(), b" ", digits, b"\n"].iter().for_each(|part| self.lines.extend_from_slice(part));
        if self.lines.len() < BUFFER_BYTES { Ok(()) } else { self.flush(disk, folder).map(|_| ()) }
    }

    /// Makes the digits void that a table in a folder has so far.
    pub fn void(&mut self, place: (&Disk, &Path), table: &str) -> Result<(), RunError> {
        self.add(place, table, VOID)
    }

    fn flush(&mut self, disk: &Disk, folder: &Path) -> Result<&DiskFile, RunError> {
        let path = partial_name(&folder.join(ROWS_SUMS));
        let file = match &mut self.file {
            Some(file) => file,
            empty => empty.insert(disk.create(&path).map_err(|e| RunError::io("create", &path, e))?),
        };
        self.checksum.add(&self.lines);
        let outcome = file.write_all(&self.lines);
        self.lines.clear();
        outcome.map_err(|e| RunError::io("write", &path, e))?;
        Ok(file)
    }

    /// Writes what is left and waits until the disk has it: the partial name of the file, and its checksum.
    pub fn finish(mut self, disk: &Disk, folder: &Path) -> Result<(PathBuf, FileSum), RunError> {
        let file = self.flush(disk, folder)?;
        file.sync().map_err(|e| RunError::io("sync", file.path(), e))?;
        Ok((file.path().to_path_buf(), self.checksum.file_sum()))
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
    pub fn from_table(table: &Path) -> Result<Self, RunError> {
        let unreadable = |e| RunError::io("read", table, e);
        let mut rows = BufReader::new(File::open(table).map_err(unreadable)?);
        let Ok(sums) = File::open(sums_path(table)) else { return Ok(Self { lines: 0, is_whole: false }) };
        Self::with_lines(&mut rows, &mut BufReader::new(sums)).map_err(unreadable)
    }

    /// Compares a table with its digits in the bytes of a `rows.sums`; none if that has none of it.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn from_rows(table: &Path, sums: &[u8]) -> Result<Option<Self>, RunError> {
        let name = table.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
        let lines = sums.split(|&byte| byte == b'\n');
        let parts: Vec<&[u8]> = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(b" ")).collect();
        let digits = parts.rsplit(|part| *part == VOID).next().unwrap_or_default().concat();
        if digits.is_empty() {
            return Ok(None);
        }
        let mut digits = digits.chunks(SHORT_DIGITS);
        let is_next = |checksum: &Checksum| Ok(digits.next().map(|listed| listed == short(checksum)));
        let rows = File::open(table).and_then(|file| Self::compare(&mut BufReader::new(file), is_next));
        rows.map(Some).map_err(|e| RunError::io("read", table, e))
    }

    fn with_lines(rows: &mut impl BufRead, sums: &mut impl BufRead) -> io::Result<Self> {
        let mut sum = Vec::new();
        Self::compare(rows, |checksum| {
            sum.clear();
            let bytes = sums.read_until(b'\n', &mut sum)?;
            Ok((bytes > 0).then(|| sum.strip_suffix(b"\n") == Some(checksum.text().as_bytes())))
        })
    }

    /// `is_next` compares the checksum of the table so far with the one that comes next; none after the last.
    fn compare(
        rows: &mut impl BufRead,
        mut is_next: impl FnMut(&Checksum) -> io::Result<Option<bool>>,
    ) -> io::Result<Self> {
        let (mut checksum, mut row, mut lines) = (Checksum::default(), Vec::new(), 0);
        loop {
            row.clear();
            let bytes = rows.read_until(b'\n', &mut row)?;
            checksum.add(&row);
            match is_next(&checksum)? {
                Some(true) if row.ends_with(b"\n") => lines += 1,
                listed => return Ok(Self { lines, is_whole: listed.is_none() && bytes == 0 && lines > 0 }),
            }
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
        Matching::with_lines(&mut &table[..], &mut &sums[..]).unwrap()
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

    /// Two tables whose lines came by turns.
    #[test]
    fn a_damaged_row_of_any_table_is_found_by_the_digits_of_all() {
        let folder = tempfile::tempdir().unwrap();
        let (disk, mut sums) = (Disk::default(), ShortSums::default());
        let other = "step,y\n0,1\n1,2\n";
        let mut checksums = [Checksum::default(); 2];
        for (lines, name, which) in [(&TABLE[..12], "a.csv", 0), (other, "aa.csv", 1), (&TABLE[12..], "a.csv", 0)] {
            let mut digits = Vec::new();
            for line in lines.split_inclusive('\n') {
                checksums[which].add(line.as_bytes());
                push_short(&mut digits, &checksums[which]);
            }
            sums.add((&disk, folder.path()), name, &digits).unwrap();
        }
        let (partial, sum) = sums.finish(&disk, folder.path()).unwrap();
        assert_eq!(FileSum::from_file(&partial).unwrap(), sum);
        let sums = std::fs::read(&partial).unwrap();
        let table = folder.path().join("a.csv");
        let found = |bytes: &[u8]| {
            std::fs::write(&table, bytes).unwrap();
            Matching::from_rows(&table, &sums).unwrap().unwrap()
        };
        assert_eq!(found(TABLE.as_bytes()), Matching { lines: 4, is_whole: true });
        for bit in 0..8 * TABLE.len() {
            let mut flipped = TABLE.as_bytes().to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let line = TABLE.as_bytes()[..bit / 8].iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!(found(&flipped), Matching { lines: line, is_whole: false }, "{bit}");
        }
        assert_eq!(found(TABLE.replace("1,2.5\n", "").as_bytes()).place(), "row 2");
        assert_eq!(found(&TABLE.as_bytes()[..TABLE.len() - 6]).place(), "row 3");
        assert_eq!(found(format!("{TABLE}3,4.5\n").as_bytes()).place(), "row 4");
        assert_eq!(Matching::from_rows(&folder.path().join("aaa.csv"), &sums).unwrap(), None);
    }

    #[test]
    fn a_table_that_grows_has_the_file_of_its_name() {
        for (table, sums) in [("a/runs.csv", "a/runs.csv.sums"), ("a/runs.csv.partial", "a/runs.csv.sums")] {
            assert_eq!(sums_path(Path::new(table)), Path::new(sums));
        }
        assert_eq!(sums_path(Path::new("runs.csv.0.partial")), Path::new("runs.csv.0.sums"));
    }
}
