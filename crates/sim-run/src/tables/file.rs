//! A table on disk that is readable at any moment.
//!
//! Rows collect in memory and reach the file in whole lines. While it grows, the table is called `NAME.partial`; it
//! takes its name when it is complete. If the disk is full, a line that got there by half is cut off again.

use crate::checksum::Checksum;
use crate::disk::{Access, DiskFile, try_lock};
use crate::error::RunError;
use crate::partial::{create_unique, partial_name};
use crate::run_folder::RunFolder;
use crate::tables::order::{read_row, split_rows, step_of, take_earlier};
use crate::tables::sums::{RowSums, SUMS_SUFFIX, push_short};
use sim_world::{Column, ColumnKind, Value};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

/// Rows are sent to the file when this many bytes have collected.
const BUFFER_BYTES: usize = 1 << 16;

/// A place for bytes that can be cut back to its first bytes.
trait Sink: Write {
    fn cut(&mut self, bytes: u64) -> std::io::Result<()>;
}

impl Sink for DiskFile {
    fn cut(&mut self, bytes: u64) -> std::io::Result<()> {
        Self::cut(self, bytes)
    }
}

/// Lines of a table that were sent to its file together: their number, and the digits of their checksums.
pub(crate) type LineGroup = (u64, Vec<u8>);

/// A table that is being written.
#[derive(Debug)]
pub struct TableFile {
    file: DiskFile,
    folder: RunFolder,
    name: String,
    rows: Vec<u8>,
    written: u64,
    /// That of the bytes in the file.
    checksum: Checksum,
    /// Those of the rows, for tables that others go on with or put together.
    sums: Option<RowSums>,
    /// Those of the last rows, for the file of all other tables.
    digits: Vec<u8>,
}

impl TableFile {
    /// Starts the table `name` of a folder under its partial name and writes the header line.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub fn create(folder: &RunFolder, name: &str, header: &str) -> Result<Self, RunError> {
        let partial = partial_name(&folder.path().join(name));
        let file = folder.disk().create(&partial).map_err(|e| RunError::io("create", &partial, e))?;
        Self::at(file, folder, name).begin(header)
    }

    /// As [`TableFile::create`], with a file of checksums of its rows beside it.
    ///
    /// # Errors
    /// If the files cannot be made or written.
    pub fn create_with_sums(folder: &RunFolder, name: &str, header: &str) -> Result<Self, RunError> {
        let partial = partial_name(&folder.path().join(name));
        let file = folder.disk().create(&partial).map_err(|e| RunError::io("create", &partial, e))?;
        Self::at(file, folder, name).with_sums()?.begin(header)
    }

    /// As [`TableFile::create_with_sums`], under a partial name of its own: several processes may write the same table at the
    /// same time, and the last one to finish gives it its name.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub fn create_among_others(folder: &RunFolder, name: &str, header: &str) -> Result<Self, RunError> {
        let (file, _) = create_unique(folder.disk(), &folder.path().join(name))?;
        Self::at(file, folder, name).with_sums()?.begin(header)
    }

    fn with_sums(mut self) -> Result<Self, RunError> {
        self.sums = Some(RowSums::create(self.folder.disk(), self.file.path())?);
        Ok(self)
    }

    fn begin(mut self, header: &str) -> Result<Self, RunError> {
        self.rows.extend_from_slice(header.as_bytes());
        self.rows.push(b'\n');
        self.flush()?;
        Ok(self)
    }

    fn at(file: DiskFile, folder: &RunFolder, name: &str) -> Self {
        Self {
            file,
            folder: folder.clone(),
            name: name.to_owned(),
            rows: Vec::with_capacity(2 * BUFFER_BYTES),
            written: 0,
            checksum: Checksum::default(),
            sums: None,
            digits: Vec::new(),
        }
    }

    /// Goes on with the table `name` of a folder under its partial name and with its checksums, after its first `bytes`, which are
    /// `lines` lines; what follows them is cut off.
    ///
    /// # Errors
    /// If a file cannot be opened, read or cut, or another process is writing the table.
    pub fn resume(folder: &RunFolder, name: &str, bytes: u64, lines: u64) -> Result<Self, RunError> {
        let partial = partial_name(&folder.path().join(name));
        let file = folder.disk().open(&partial).map_err(|e| RunError::io("open", &partial, e))?;
        let mut table = Self::at(file, folder, name);
        table.lock()?;
        let kept = table.file.file().take(bytes);
        table.checksum = Checksum::from_reader(kept).map_err(|e| RunError::io("read", &partial, e))?;
        table.sums = Some(RowSums::resume(folder.disk(), &partial, lines)?);
        table.written = bytes;
        table.file.cut(bytes).map_err(|e| RunError::io("cut", &partial, e))?;
        Ok(table)
    }

    /// Goes on with the table `name` of a folder under its partial name, without checksums of its own, after the last line for which
    /// `group_of` has a group; what follows is cut off. Also returns the digits of the lines of each group, in their order.
    ///
    /// # Errors
    /// If the file cannot be opened, read or cut.
    pub(crate) fn resume_by_groups(
        folder: &RunFolder,
        name: &str,
        group_of: impl Fn(&[u8]) -> Option<u64>,
    ) -> Result<(Self, Vec<LineGroup>), RunError> {
        let partial = partial_name(&folder.path().join(name));
        let file = folder.disk().open(&partial).map_err(|e| RunError::io("open", &partial, e))?;
        let mut table = Self::at(file, folder, name);
        let mut groups: Vec<LineGroup> = Vec::new();
        let mut lines = BufReader::new(table.file.file());
        let mut line = Vec::new();
        loop {
            line.clear();
            lines.read_until(b'\n', &mut line).map_err(|e| RunError::io("read", &partial, e))?;
            let Some(group) = group_of(&line).filter(|_| line.ends_with(b"\n")) else { break };
            table.checksum.add(&line);
            table.written += line.len() as u64;
            if groups.last().is_none_or(|(last, _)| *last != group) {
                groups.push((group, Vec::new()));
            }
            if let Some((_, digits)) = groups.last_mut() {
                push_short(digits, &table.checksum);
            }
        }
        table.file.cut(table.written).map_err(|e| RunError::io("cut", &partial, e))?;
        Ok((table, groups))
    }

    /// Keeps other programs from going on with the table until this one is done.
    ///
    /// # Errors
    /// If another program does that.
    pub fn lock(&self) -> Result<(), RunError> {
        if try_lock(self.file.file(), Access::Alone) { Ok(()) } else { Err(RunError::in_use(self.file.path())) }
    }

    /// Waits until the disk has all rows that were sent to the file, so that even a loss of power leaves them.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn sync(&self) -> Result<(), RunError> {
        self.file.sync().map_err(|e| RunError::io("sync", self.file.path(), e))?;
        self.sums.as_ref().map_or(Ok(()), RowSums::sync)
    }

    /// Begins a row; it counts once [`Row::end`] is called.
    pub fn row(&mut self) -> Row<'_> {
        Row::begin(&mut self.rows)
    }

    /// Appends whole lines that were made elsewhere.
    pub fn append_lines(&mut self, lines: &[u8]) {
        self.rows.extend_from_slice(lines);
    }

    /// Sends the rows to the file if many have collected.
    ///
    /// # Errors
    /// If the file does not take them; whole rows that did fit are kept.
    pub fn flush_if_large(&mut self) -> Result<(), RunError> {
        if self.rows.len() < BUFFER_BYTES { Ok(()) } else { self.flush() }
    }

    /// Sends all rows to the file.
    ///
    /// # Errors
    /// If the file does not take them; whole rows that did fit are kept.
    pub fn flush(&mut self) -> Result<(), RunError> {
        let outcome = append_lines(&mut self.file, &self.rows, &mut self.written);
        let outcome = outcome.map_err(|e| RunError::io("write", self.file.path(), e)).and_then(|()| self.add_sums());
        self.rows.clear();
        outcome
    }

    fn add_sums(&mut self) -> Result<(), RunError> {
        for line in self.rows.split_inclusive(|&byte| byte == b'\n') {
            self.checksum.add(line);
            match &mut self.sums {
                Some(sums) => sums.push(&self.checksum),
                None => push_short(&mut self.digits, &self.checksum),
            }
        }
        match &mut self.sums {
            Some(sums) => sums.flush(),
            None => {
                let added = self.folder.add_row_sums(&self.name, &self.digits);
                self.digits.clear();
                added
            }
        }
    }

    /// Sends the rows of the end of a run to the file, a table without checksums of its own. Rows of steps before `last_step`, which only
    /// the end of the run has brought, are put behind those of their steps: the file is then written again and takes the place of the old
    /// one when it is whole. The table is read a row at a time.
    ///
    /// # Errors
    /// If a file cannot be read, written or renamed; the old one is then left without the rows.
    pub fn flush_end(&mut self, last_step: u64) -> Result<(), RunError> {
        let is_late = |row: &&[u8]| step_of(row).is_some_and(|step| step < last_step);
        if !split_rows(&self.rows).iter().any(is_late) {
            return self.flush();
        }
        let lines = std::mem::take(&mut self.rows);
        let mut rows = split_rows(&lines);
        rows.sort_by_key(|row| step_of(row));
        let path = partial_name(self.file.path());
        let file = self.folder.disk().create(&path).map_err(|e| RunError::io("create", &path, e))?;
        let mut ordered = Self::at(file, &self.folder, &self.name);
        self.folder.void_row_sums(&self.name)?;
        match ordered.merge(self.file.path(), rows) {
            Err(error) => {
                ordered.discard();
                Err(error)
            }
            Ok(()) => self.replace(ordered),
        }
    }

    /// Writes the rows of another table and `rows`, which are in the order of their steps, by step.
    fn merge(&mut self, other: &Path, rows: Vec<&[u8]>) -> Result<(), RunError> {
        let unreadable = |e| RunError::io("read", other, e);
        let mut table = BufReader::new(File::open(other).map_err(unreadable)?);
        let mut rows = rows.into_iter().peekable();
        let mut row = Vec::new();
        while read_row(&mut table, &mut row).map_err(unreadable)? {
            self.append_lines(&take_earlier(&mut rows, &row));
            self.append_lines(&row);
            self.flush_if_large()?;
            row.clear();
        }
        rows.for_each(|row| self.append_lines(row));
        self.flush()?;
        self.sync()
    }

    /// Puts another table into the place of this one.
    fn replace(&mut self, mut other: Self) -> Result<(), RunError> {
        let partial = self.file.path().to_path_buf();
        other.file.rename(&partial).map_err(|e| RunError::io("rename", &partial, e))?;
        *self = other;
        Ok(())
    }

    /// Removes a table that is of no use in part.
    pub fn discard(self) {
        let sums = self.sums.as_ref().map(RowSums::path);
        for path in [self.file.path()].into_iter().chain(sums) {
            let _ = self.folder.disk().remove(path);
        }
    }

    /// Writes what is left, waits until the disk has it, and gives the table its name.
    ///
    /// # Errors
    /// If the file cannot be written or renamed.
    pub fn finish(mut self) -> Result<(), RunError> {
        self.flush()?;
        self.sync()?;
        if let Some(sums) = &self.sums {
            self.folder.rename(sums.path(), &format!("{}{SUMS_SUFFIX}", self.name))?;
        }
        self.folder.rename(self.file.path(), &self.name)?;
        self.folder.add_file(&self.name, self.checksum.file_sum());
        Ok(())
    }
}

/// Appends `lines` after the first `written` bytes; if the sink fails, it ends after the last line that it took whole.
fn append_lines(sink: &mut impl Sink, lines: &[u8], written: &mut u64) -> std::io::Result<()> {
    let mut taken = 0;
    while taken < lines.len() {
        match sink.write(&lines[taken..]) {
            Ok(0) => return Err(cut_to_lines(sink, &lines[..taken], written, std::io::ErrorKind::WriteZero.into())),
            Ok(bytes) => taken += bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cut_to_lines(sink, &lines[..taken], written, error)),
        }
    }
    *written += taken as u64;
    Ok(())
}

fn cut_to_lines(sink: &mut impl Sink, taken: &[u8], written: &mut u64, error: std::io::Error) -> std::io::Error {
    let whole = taken.iter().rposition(|&b| b == b'\n').map_or(0, |last| last + 1);
    *written += whole as u64;
    // The first error is the one to report: a device that cannot be cut keeps a torn last line.
    let _ = sink.cut(*written);
    error
}

/// One row: fields in the order of the header, then [`Row::end`]. A row that is dropped before its end leaves no trace.
#[derive(Debug)]
pub struct Row<'a> {
    bytes: &'a mut Vec<u8>,
    start: usize,
    ended: bool,
}

impl<'a> Row<'a> {
    /// A row at the end of some bytes.
    pub(crate) fn begin(bytes: &'a mut Vec<u8>) -> Self {
        Self { start: bytes.len(), bytes, ended: false }
    }

    /// A whole number.
    #[must_use]
    pub fn integer(self, value: u64) -> Self {
        self.json(&value)
    }

    /// A number in the shortest decimals that read back to the same bits. What is not finite becomes an empty field.
    #[must_use]
    pub fn number(mut self, value: f64) -> Self {
        self.separate();
        append_number(self.bytes, value);
        self
    }

    /// A number that may be missing: an empty field then.
    #[must_use]
    pub fn maybe(self, value: Option<f64>) -> Self {
        self.number(value.unwrap_or(f64::NAN))
    }

    /// The values of a row of a stream. Minus infinity, a range finder's "too near", is written as such.
    #[must_use]
    pub fn values(mut self, columns: &[Column], values: &[Value<'_>]) -> Self {
        debug_assert_eq!(columns.len(), values.len(), "a row has a value for each column");
        for (column, value) in columns.iter().zip(values) {
            self = match *value {
                Value::Integer(integer) => self.json(&integer),
                Value::Number(number) => self.measured(number),
                Value::Text(text) => self.text(text),
                Value::Bytes(bytes) => self.show(&Hex(bytes)),
                Value::Numbers(numbers) => self.spread(numbers, column.kind),
                Value::Missing => self.missing(column.kind),
            };
        }
        self
    }

    fn measured(self, number: f64) -> Self {
        if number == f64::NEG_INFINITY { self.text("-inf") } else { self.number(number) }
    }

    /// Numbers over as many fields as the column has; what is not there stays empty.
    fn spread(self, numbers: &[f64], kind: ColumnKind) -> Self {
        let row = numbers.iter().fold(self, |row, &number| row.measured(number));
        (numbers.len()..fields_of(kind)).fold(row, |row, _| row.maybe(None))
    }

    fn missing(self, kind: ColumnKind) -> Self {
        (0..fields_of(kind)).fold(self, |row, _| row.maybe(None))
    }

    fn json(mut self, value: &impl serde::Serialize) -> Self {
        self.separate();
        append_json(self.bytes, value);
        self
    }

    /// Text, quoted where a comma, a quote or a line end would break the row.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.separate();
        if text.contains([',', '"', '\n', '\r']) {
            self.bytes.push(b'"');
            self.bytes.extend_from_slice(text.replace('"', "\"\"").as_bytes());
            self.bytes.push(b'"');
        } else {
            self.bytes.extend_from_slice(text.as_bytes());
        }
        self
    }

    /// What writes itself without commas and quotes.
    #[must_use]
    pub fn show(mut self, value: &impl fmt::Display) -> Self {
        self.separate();
        write!(self.bytes, "{value}").expect("memory takes all that is written");
        self
    }

    /// Ends the row.
    pub fn end(mut self) {
        self.bytes.push(b'\n');
        self.ended = true;
    }

    fn separate(&mut self) {
        if self.bytes.len() > self.start {
            self.bytes.push(b',');
        }
    }
}

impl Drop for Row<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.bytes.truncate(self.start);
        }
    }
}

/// Fields that a column takes.
fn fields_of(kind: ColumnKind) -> usize {
    match kind {
        ColumnKind::Numbers(count) => count as usize,
        _ => 1,
    }
}

/// Bytes as pairs of hexadecimal digits with blanks between: without them a spreadsheet takes `5e10` and `0300` for numbers.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blanks = std::iter::once("").chain(std::iter::repeat(" "));
        self.0.iter().zip(blanks).try_for_each(|(byte, blank)| write!(f, "{blank}{byte:02x}"))
    }
}

/// Appends the shortest decimals that read back to the same bits; nothing for what is not finite. Both zeros are `0.0`.
pub fn append_number(bytes: &mut Vec<u8>, value: f64) {
    if value.is_finite() {
        append_json(bytes, &(value + 0.0));
    }
}

/// JSON's numbers are the tables' numbers: one way of writing for both.
fn append_json(bytes: &mut Vec<u8>, value: &impl serde::Serialize) {
    serde_json::to_writer(bytes, value).expect("a number always serialises into memory");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Disk;
    use crate::tables::sums::{Matching, ROWS_SUMS};
    use std::fs;

    /// Takes `free` bytes, at most seven at a time, and then says that the disk is full.
    struct SmallDisk {
        bytes: Vec<u8>,
        free: usize,
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let taken = bytes.len().min(7).min(self.free - self.bytes.len());
            if taken == 0 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            self.bytes.extend_from_slice(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Sink for SmallDisk {
        fn cut(&mut self, bytes: u64) -> std::io::Result<()> {
            self.bytes.truncate(bytes as usize);
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_keeps_every_whole_line_and_no_half_one() {
        for free in 0..40 {
            let mut disk = SmallDisk { bytes: Vec::new(), free };
            let mut written = 0;
            let lines = ["step,x\n", "0,1.5\n1,2.5\n", "2,3.5\n3,4.5\n"];
            let failed = lines.iter().any(|l| append_lines(&mut disk, l.as_bytes(), &mut written).is_err());
            let all = lines.concat();
            assert_eq!(failed, free < all.len(), "free {free}");
            let expected = all[..free.min(all.len())].rfind('\n').map_or(0, |last| last + 1);
            assert_eq!(String::from_utf8(disk.bytes).unwrap(), all[..expected], "free {free}");
            assert_eq!(written, expected as u64);
        }
    }

    #[test]
    fn the_name_comes_with_the_last_row() {
        let folder = tempfile::tempdir().unwrap();
        let ours = RunFolder::enter(&Disk::default(), folder.path(), Access::Alone).unwrap();
        let mut table = TableFile::create(&ours, "a.csv", "step,x_mm").unwrap();
        table.row().integer(0).number(1.5).end();
        let (whole, partial) = (folder.path().join("a.csv"), folder.path().join("a.csv.partial"));
        table.flush().unwrap();
        assert!(!whole.exists());
        assert_eq!(fs::read_to_string(&partial).unwrap(), "step,x_mm\n0,1.5\n");
        table.row().integer(1).maybe(None).end();
        table.finish().unwrap();
        assert!(!partial.exists());
        assert_eq!(fs::read_to_string(&whole).unwrap(), "step,x_mm\n0,1.5\n1,\n");
    }

    #[test]
    fn a_row_that_is_not_ended_leaves_no_trace_and_text_is_quoted() {
        let folder = tempfile::tempdir().unwrap();
        let ours = RunFolder::enter(&Disk::default(), folder.path(), Access::Alone).unwrap();
        let mut table = TableFile::create(&ours, "a.csv", "kind,n").unwrap();
        drop(table.row().text("lost").integer(1));
        table.row().text("a, \"b\"").integer(u64::MAX).end();
        table.finish().unwrap();
        let text = fs::read_to_string(folder.path().join("a.csv")).unwrap();
        assert_eq!(text, "kind,n\n\"a, \"\"b\"\"\",18446744073709551615\n");
    }

    /// Rows at the end of a run: late ones go behind those of their steps, whatever line ends their texts hold; checksums follow.
    #[test]
    fn late_rows_stand_at_their_steps_and_the_checksums_are_those_of_the_new_lines() {
        let folder = tempfile::tempdir().unwrap();
        let ours = RunFolder::enter(&Disk::default(), folder.path(), Access::Alone).unwrap();
        let mut table = TableFile::create(&ours, "a.csv", "step,kind").unwrap();
        let add = |table: &mut TableFile, rows: &[(u64, &str)]| {
            rows.iter().for_each(|(step, kind)| table.row().integer(*step).text(kind).end());
        };
        add(&mut table, &[(0, "a"), (3, "b\n2,\"c\""), (3, "d"), (10, "e")]);
        table.flush().unwrap();
        add(&mut table, &[(12, "f"), (9, "g"), (3, "h\n1"), (9, "i"), (12, "j")]);
        table.flush_end(12).unwrap();
        let expected = "step,kind\n0,a\n3,\"b\n2,\"\"c\"\"\"\n3,d\n3,\"h\n1\"\n9,g\n9,i\n10,e\n12,f\n12,j\n";
        let partial = folder.path().join("a.csv.partial");
        assert_eq!(fs::read_to_string(&partial).unwrap(), expected);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        table.row().integer(13).text("k").end();
        table.finish().unwrap();
        ours.finish_row_sums().unwrap();
        let expected = format!("{expected}13,k\n");
        let path = folder.path().join("a.csv");
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(ours.files()["a.csv"], Checksum::from_bytes(expected.as_bytes()).file_sum());
        let sums = fs::read(folder.path().join(ROWS_SUMS)).unwrap();
        let matching = Matching::from_rows(&path, &sums).unwrap().unwrap();
        assert_eq!(matching, Matching { lines: 13, is_whole: true });
    }

    /// More rows than are in memory at once, in a table that takes late rows at its start, middle and end.
    #[test]
    fn late_rows_find_their_place_in_a_long_table() {
        let folder = tempfile::tempdir().unwrap();
        let ours = RunFolder::enter(&Disk::default(), folder.path(), Access::Alone).unwrap();
        let mut table = TableFile::create(&ours, "a.csv", "step,n").unwrap();
        for step in 0..50_000 {
            table.row().integer(2 * step).integer(0).end();
            table.flush_if_large().unwrap();
        }
        table.flush().unwrap();
        for step in [99_999, 70_001, 0, 1] {
            table.row().integer(step).integer(1).end();
        }
        table.flush_end(100_000).unwrap();
        table.finish().unwrap();
        let text = fs::read_to_string(folder.path().join("a.csv")).unwrap();
        let rows: Vec<(u64, u64)> = text
            .lines()
            .skip(1)
            .map(|line| line.split_once(',').map(|(step, n)| (step.parse().unwrap(), n.parse().unwrap())).unwrap())
            .collect();
        assert_eq!(rows.len(), 50_004);
        assert!(rows.is_sorted());
    }

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        let mut stream = sim_core::RunKey { seed: 1, run_index: 0 }.stream(sim_core::Purpose::new(6), 0, 0);
        let any = std::iter::repeat_with(|| f64::from_bits(stream.bits())).filter(|x| x.is_finite()).take(20_000);
        let edges = [0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, 1e21, 123_456_789.0, 1.0];
        for value in any.chain(edges) {
            let mut bytes = Vec::new();
            append_number(&mut bytes, value);
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
            let shortest = format!("{value:e}");
            let digits = |t: &str| {
                let mantissa = t.split('e').next().unwrap().replace(['.', '-'], "");
                mantissa.trim_matches('0').len()
            };
            assert_eq!(digits(&text), digits(&shortest), "{text} is not as short as {shortest}");
        }
    }

    #[test]
    fn zeros_have_no_sign_and_what_is_not_finite_is_empty() {
        let mut bytes = Vec::new();
        append_number(&mut bytes, -0.0);
        append_number(&mut bytes, f64::INFINITY);
        append_number(&mut bytes, f64::NAN);
        assert_eq!(bytes, b"0.0");
    }
}
