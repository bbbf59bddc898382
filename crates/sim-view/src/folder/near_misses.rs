//! The near misses of a batch: an at-end stream that says in its column `kind` whose row it is, by the word for one of a party.

use super::cells::{CellFault, Cells};
use super::error::FolderError;
use super::files::locate;
use super::moment::Moment;
use super::table::{Records, TableFile};
use super::tables::{Tables, file_of};
use std::path::Path;

const NEAR_MISSES: &str = "closest";
const OWN_COLUMNS: [&str; 6] = ["run", "call", "step", "time_s", "kind", "owner"];

/// An owner at a moment of a near miss.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMissRow {
    /// Index of the run.
    pub run: u64,
    /// Number of the near miss in the run.
    pub call: u64,
    /// When.
    pub moment: Moment,
    /// The word for one of the owner's party: `robot`.
    pub kind: String,
    /// Number of the owner.
    pub owner: u64,
    /// Distance of the two that came near, in their rows only.
    pub distance: Option<f64>,
    /// Numbers of the other columns, in the order of [`NearMisses::columns`]; not a number where one is missing.
    pub numbers: Vec<f64>,
}

/// The rows: an iterator that ends after its first error.
#[derive(Debug)]
pub struct NearMisses {
    columns: Vec<String>,
    records: Records,
    has_failed: bool,
}

impl NearMisses {
    /// Opens the table of a batch; nothing if it has none.
    pub(super) fn open(folder: &Path) -> Result<Option<Self>, FolderError> {
        let Some(file) = locate(folder, &file_of(NEAR_MISSES)) else { return Ok(None) };
        let table = TableFile::open(&file.path)?;
        let mut places = table.places(&OWN_COLUMNS)?;
        let is_distance = |name: &String| name.starts_with("distance_");
        let distance = table.header.iter().position(is_distance);
        places.push(distance.map_or_else(|| table.places(&["distance_m"]).map(|places| places[0]), Ok)?);
        let rest: Vec<usize> = (0..table.header.len()).filter(|place| !places.contains(place)).collect();
        let columns = rest.iter().map(|&place| table.header[place].clone()).collect();
        places.extend(rest);
        Ok(Some(Self { columns, records: Records::new(table, places)?, has_failed: false }))
    }

    /// Whether a batch lists the table and does not have it.
    pub(super) fn are_missing(folder: &Path) -> bool {
        let are_listed = || Tables::read(folder).is_ok_and(|tables| tables.stream(NEAR_MISSES).is_some());
        locate(folder, &file_of(NEAR_MISSES)).is_none() && are_listed()
    }

    /// Names of the columns that are not part of every such table.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }
}

impl Iterator for NearMisses {
    type Item = Result<NearMissRow, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let columns = self.columns.len();
        let row = self.records.next(|cells| read_row(cells, columns)).transpose();
        self.has_failed = matches!(row, Some(Err(_)));
        row
    }
}

fn read_row(cells: &Cells<'_>, columns: usize) -> Result<NearMissRow, CellFault> {
    let first = OWN_COLUMNS.len() + 1;
    let number = |column| cells.maybe(column).map(|number| number.unwrap_or(f64::NAN));
    Ok(NearMissRow {
        run: cells.integer(0)?,
        call: cells.integer(1)?,
        moment: Moment { step: cells.integer(2)?, time_s: cells.number(3)? },
        kind: cells.text(4)?.to_owned(),
        owner: cells.integer(5)?,
        distance: cells.maybe(6)?,
        numbers: (first..first + columns).map(number).collect::<Result<_, _>>()?,
    })
}
