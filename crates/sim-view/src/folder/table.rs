//! A table as a stream of rows.

use super::cells::{CellFault, Cells};
use super::error::FolderError;
use csv::ByteRecord;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Take};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Bytes that are looked at in one go.
const BLOCK: usize = 1 << 16;

/// What is read from one line of a table. Columns that are not named are skipped; their order in the file does not matter.
pub trait Row: Sized {
    /// File name of the table.
    const FILE: &'static str;
    /// The columns that are wanted.
    const COLUMNS: &'static [&'static str];

    /// Reads a line; columns are counted as in [`Row::COLUMNS`].
    ///
    /// # Errors
    /// What is wrong with the first cell that is.
    fn read(cells: &Cells<'_>) -> Result<Self, CellFault>;
}

/// A table on disk: its header, and where its whole lines begin and end. What comes after the last line end is left alone.
#[derive(Debug)]
pub(super) struct TableFile {
    pub path: PathBuf,
    pub header: Vec<String>,
    file: File,
    /// Where the rows begin.
    pub body: u64,
    /// Where the last whole line ends.
    pub end: u64,
    /// True if something came after it.
    pub is_cut_off: bool,
}

impl TableFile {
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let mut file = File::open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => FolderError::MissingFile { path: path.to_path_buf(), why: String::new() },
            _ => FolderError::read(path, error),
        })?;
        let length = file.seek(SeekFrom::End(0)).map_err(|error| FolderError::read(path, error))?;
        let path = path.to_path_buf();
        let mut table = Self { path, header: Vec::new(), file, body: 0, end: length, is_cut_off: false };
        table.end = table.line_start(length)?;
        table.is_cut_off = table.end < length;
        let mut header = ByteRecord::new();
        let mut reader = table.reader(0)?;
        if !read_record(&table, &mut reader, 0, &mut header)? {
            return Err(FolderError::NoHeader { path: table.path });
        }
        table.body = reader.position().byte();
        table.header = header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        Ok(table)
    }

    /// Where each of `columns` stands in a row.
    pub fn places(&self, columns: &[&str]) -> Result<Vec<usize>, FolderError> {
        let place = |column: &str| {
            self.header.iter().position(|name| name == column).ok_or_else(|| FolderError::MissingColumn {
                path: self.path.clone(),
                column: column.to_owned(),
                found: self.header.join(",").escape_debug().to_string(),
            })
        };
        columns.iter().map(|column| place(column)).collect()
    }

    /// Rows from `start`, which must be the start of a line, to the last whole line.
    pub fn reader(&self, start: u64) -> Result<csv::Reader<Take<File>>, FolderError> {
        let open = || -> std::io::Result<Take<File>> {
            let mut file = self.file.try_clone()?;
            file.seek(SeekFrom::Start(start))?;
            Ok(file.take(self.end.saturating_sub(start)))
        };
        let bytes = open().map_err(|error| FolderError::read(&self.path, error))?;
        let mut builder = csv::ReaderBuilder::new();
        Ok(builder.has_headers(false).flexible(true).buffer_capacity(BLOCK).from_reader(bytes))
    }

    /// Start of the line that `byte` lies in; a line reaches up to and includes its line end, so this is `byte` itself after one.
    pub fn line_start(&self, byte: u64) -> Result<u64, FolderError> {
        let mut high = byte;
        while high > 0 {
            let low = high.saturating_sub(BLOCK as u64);
            let block = self.bytes(low, high)?;
            if let Some(at) = block.iter().rposition(|&b| b == b'\n') {
                return Ok(low + at as u64 + 1);
            }
            high = low;
        }
        Ok(0)
    }

    fn bytes(&self, low: u64, high: u64) -> Result<Vec<u8>, FolderError> {
        let mut bytes = Vec::with_capacity(BLOCK);
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(low)).and_then(|_| file.take(high - low).read_to_end(&mut bytes));
        read.map_err(|error| FolderError::read(&self.path, error)).map(|_| bytes)
    }

    /// Number of the line that begins at `byte`. Reads the file up to there: for errors only.
    fn line_number(&self, byte: u64) -> u64 {
        let mut line = 1;
        let mut low = 0;
        while low < byte {
            let high = byte.min(low + BLOCK as u64);
            let Ok(block) = self.bytes(low, high) else { break };
            line += block.iter().filter(|&&b| b == b'\n').count() as u64;
            low = high;
        }
        line
    }
}

/// Reads the next record of a reader that began at `base`; false at the end.
fn read_record<R: Read>(
    table: &TableFile,
    reader: &mut csv::Reader<R>,
    base: u64,
    record: &mut ByteRecord,
) -> Result<bool, FolderError> {
    let read = reader.read_byte_record(record);
    let is_row = read.map_err(|error| FolderError::read(&table.path, std::io::Error::other(error)))?;
    if is_row && !table.header.is_empty() && record.len() != table.header.len() {
        let line = table.line_number(base + record.position().map_or(0, csv::Position::byte));
        let (cells, columns) = (record.len() as u64, table.header.len() as u64);
        return Err(FolderError::RowLength { path: table.path.clone(), line, cells, columns });
    }
    Ok(is_row)
}

/// The raw rows of a table, from any line on.
#[derive(Debug)]
pub(super) struct Records {
    pub table: TableFile,
    places: Vec<usize>,
    names: Vec<String>,
    reader: csv::Reader<Take<File>>,
    base: u64,
    record: ByteRecord,
}

impl Records {
    /// All rows; `places` are the wanted columns.
    pub fn new(table: TableFile, places: Vec<usize>) -> Result<Self, FolderError> {
        let names = places.iter().map(|&place| table.header[place].clone()).collect();
        let (reader, base) = (table.reader(table.body)?, table.body);
        Ok(Self { table, places, names, reader, base, record: ByteRecord::new() })
    }

    /// Goes on from the line that begins at `start`.
    pub fn restart(&mut self, start: u64) -> Result<(), FolderError> {
        self.reader = self.table.reader(start)?;
        self.base = start;
        Ok(())
    }

    /// The next row, read by `read`.
    pub fn next<T>(&mut self, read: impl FnOnce(&Cells<'_>) -> Result<T, CellFault>) -> Result<Option<T>, FolderError> {
        if !read_record(&self.table, &mut self.reader, self.base, &mut self.record)? {
            return Ok(None);
        }
        read(&Cells::new(&self.record, &self.places)).map(Some).map_err(|fault| self.cell_error(fault))
    }

    /// Where the line of the last row begins.
    pub fn at(&self) -> u64 {
        self.base + self.record.position().map_or(0, csv::Position::byte)
    }

    /// Number of the line of the last row.
    pub fn line(&self) -> u64 {
        self.table.line_number(self.at())
    }

    fn cell_error(&self, fault: CellFault) -> FolderError {
        let column = self.names.get(fault.column).cloned().unwrap_or_default();
        FolderError::Cell { path: self.table.path.clone(), line: self.line(), column, problem: fault.problem }
    }
}

/// A table, row by row: an iterator that ends after its first error.
#[derive(Debug)]
pub struct Table<R> {
    records: Records,
    has_failed: bool,
    rows: PhantomData<R>,
}

impl<R: Row> Table<R> {
    pub(super) fn open(path: &Path) -> Result<Self, FolderError> {
        let table = TableFile::open(path)?;
        let places = table.places(R::COLUMNS)?;
        Ok(Self { records: Records::new(table, places)?, has_failed: false, rows: PhantomData })
    }

    pub(super) fn is_cut_off(&self) -> bool {
        self.records.table.is_cut_off
    }
}

impl<R: Row> Iterator for Table<R> {
    type Item = Result<R, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let row = self.records.next(R::read).transpose();
        self.has_failed = matches!(row, Some(Err(_)));
        row
    }
}
