//! `runs.csv`: one row a run, in the order of cells and repeats. It is the only thing that a sweep must not lose: all other files are made
//! from it.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use crate::cells::Sweep;
use crate::spec::AxisValue;
use sim_run::error::RunError;
use sim_run::tables::file::TableFile;
use sim_world::WorldKind;

/// Result of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The kept measures, in the order of the sweep's list; not a number where a run has none.
    Done(Vec<f64>),
    /// It failed; why.
    Failed(String),
    /// The cell's scenario cannot be run; why. Stands in place of all its runs.
    Infeasible(String),
}

impl Outcome {
    /// True for a run in which every acceptance line was met.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        matches!(self, Self::Done(values) if values[CLEAN] == 1.0)
    }
}

/// Place of the measure that says whether a run was clean.
pub const CLEAN: usize = 0;
/// Place of the value that ranks runs.
pub const RANKING: usize = 1;

/// The names of both, which every sweep keeps.
pub fn always_kept(kind: &dyn WorldKind) -> [&'static str; 2] {
    ["clean", kind.ranking().name()]
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the cell.
    pub cell: u64,
    /// Number of the run in its cell; 0 for an infeasible cell.
    pub repeat: u64,
    /// Its result.
    pub outcome: Outcome,
}

/// The header line.
#[must_use]
pub fn header(sweep: &Sweep) -> String {
    let axes = sweep.axis_paths();
    let words = ["run", "cell", "repeat", "seed", "run_index"].into_iter().chain(axes).chain(["status"]);
    words.chain(sweep.measures()).chain(["cause"]).collect::<Vec<_>>().join(",")
}

/// Appends a row; it reaches the file with the next flush.
pub fn append(table: &mut TableFile, sweep: &Sweep, values: &[AxisValue], row: &Row) {
    let Row { cell, repeat, outcome } = row;
    let line = table.row().integer(sweep.run_number(*cell, *repeat)).integer(*cell);
    let line = match outcome {
        Outcome::Infeasible(_) => line.text("").integer(sweep.seed()).text(""),
        _ => line.integer(*repeat).integer(sweep.seed()).integer(sweep.run_index(*cell, *repeat)),
    };
    let line = values.iter().fold(line, |line, value| line.text(&value.to_string()));
    let (status, measures, cause) = match outcome {
        Outcome::Done(measures) => ("done", measures.as_slice(), ""),
        Outcome::Failed(cause) => ("failed", [].as_slice(), cause.as_str()),
        Outcome::Infeasible(cause) => ("infeasible", [].as_slice(), cause.as_str()),
    };
    let line = line.text(status);
    let missing = sweep.measures().count() - measures.len();
    let line = measures.iter().fold(line, |line, &value| line.number(value));
    let line = (0..missing).fold(line, |line, _| line.text(""));
    line.text(&cause.replace(['\n', '\r'], " ")).end();
}

/// Reads rows one by one, so that a file of any length takes the same memory.
pub struct Reader<'a> {
    sweep: &'a Sweep,
    lines: BufReader<File>,
    path: &'a Path,
    line: Vec<u8>,
    /// A row that was read and not wanted yet; it is that of `line`.
    kept: Option<Row>,
    /// Bytes up to the end of the last whole row.
    whole_bytes: u64,
}

impl<'a> Reader<'a> {
    /// Opens a table of the sweep's runs. `None` if not even its header line is whole.
    ///
    /// # Errors
    /// If the file cannot be read, or its header is not this sweep's.
    pub fn open(path: &'a Path, sweep: &'a Sweep) -> Result<Option<Self>, RunError> {
        let file = File::open(path).map_err(|e| RunError::io("open", path, e))?;
        let mut reader =
            Self { sweep, lines: BufReader::new(file), path, line: Vec::new(), kept: None, whole_bytes: 0 };
        if !reader.read_line()? {
            return Ok(None);
        }
        reader.whole_bytes = reader.line.len() as u64;
        if reader.line.trim_ascii_end() != header(sweep).as_bytes() {
            return Err(RunError::Options(format!("{} has other columns than this sweep", path.display())));
        }
        Ok(Some(reader))
    }

    /// The next whole row. What is not whole and in order ends the table: the rest was being written when the program was killed.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next(&mut self) -> Result<Option<Row>, RunError> {
        if self.kept.is_none() {
            self.kept = if self.read_line()? { parse(self.sweep, &self.line) } else { None };
        }
        let row = self.kept.take();
        if row.is_some() {
            self.whole_bytes += self.line.len() as u64;
        }
        Ok(row)
    }

    /// The next whole row, if it is one of `cell`; otherwise it stays for the next call.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_of(&mut self, cell: u64) -> Result<Option<Row>, RunError> {
        match self.next()? {
            Some(row) if row.cell == cell => Ok(Some(row)),
            other => {
                if other.is_some() {
                    self.whole_bytes -= self.line.len() as u64;
                }
                self.kept = other;
                Ok(None)
            }
        }
    }

    /// Goes to a byte where a row begins.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn seek(&mut self, byte: u64) -> Result<(), RunError> {
        self.kept = None;
        self.whole_bytes = byte;
        self.lines.seek(SeekFrom::Start(byte)).map(drop).map_err(|e| RunError::io("read", self.path, e))
    }

    /// Bytes up to the end of the last row that was whole.
    #[must_use]
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }

    /// False at the end, and for a line without its end.
    fn read_line(&mut self) -> Result<bool, RunError> {
        self.line.clear();
        self.lines.read_until(b'\n', &mut self.line).map_err(|e| RunError::io("read", self.path, e))?;
        Ok(self.line.last() == Some(&b'\n'))
    }
}

/// A row from its line; `None` if it is not one of this sweep's.
fn parse(sweep: &Sweep, line: &[u8]) -> Option<Row> {
    let fields = split(std::str::from_utf8(line).ok()?.strip_suffix('\n')?)?;
    let (axes, measures) = (sweep.axis_paths().count(), sweep.measures().count());
    if fields.len() != 5 + axes + 1 + measures + 1 {
        return None;
    }
    let cell: u64 = fields[1].parse().ok()?;
    let status = &fields[5 + axes];
    let repeat = if status == "infeasible" { 0 } else { fields[2].parse().ok()? };
    let numbers = fields.iter().skip(6 + axes).take(measures);
    let number = |text: &str| if text.is_empty() { Some(f64::NAN) } else { text.parse().ok() };
    let cause = || fields[6 + axes + measures].to_owned();
    let outcome = match status {
        "done" => Outcome::Done(numbers.map(number).collect::<Option<_>>()?),
        "failed" => Outcome::Failed(cause()),
        "infeasible" => Outcome::Infeasible(cause()),
        _ => return None,
    };
    let is_in_place = fields[0].parse() == Ok(sweep.run_number(cell, repeat));
    is_in_place.then_some(Row { cell, repeat, outcome })
}

/// Fields of a line.
fn split(line: &str) -> Option<csv::StringRecord> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    reader.records().next()?.ok()
}
