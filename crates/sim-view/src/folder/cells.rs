//! The cells of one row, asked for by the columns that the reader wants.

use std::str;

/// What is wrong with a cell: which of the wanted columns, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFault {
    /// Place of the column among the wanted ones.
    pub column: usize,
    /// What is wrong, in words.
    pub problem: String,
}

/// One row. Columns are counted as they were wanted, whatever their order in the file.
#[derive(Debug)]
pub struct Cells<'a> {
    record: &'a csv::ByteRecord,
    places: &'a [usize],
}

impl<'a> Cells<'a> {
    pub(super) fn new(record: &'a csv::ByteRecord, places: &'a [usize]) -> Self {
        Self { record, places }
    }

    /// Text.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn text(&self, column: usize) -> Result<&'a str, CellFault> {
        let bytes = self.places.get(column).and_then(|&place| self.record.get(place)).unwrap_or_default();
        str::from_utf8(bytes).map_err(|_| CellFault { column, problem: "the text is not UTF-8".into() })
    }

    /// A whole number from 0.
    ///
    /// # Errors
    /// If it is none.
    pub fn integer(&self, column: usize) -> Result<u64, CellFault> {
        let text = self.text(column)?;
        text.parse().map_err(|_| CellFault { column, problem: format!("{text:?} is not a whole number") })
    }

    /// A finite number.
    ///
    /// # Errors
    /// If the cell is empty, or holds something else or a number that is not finite.
    pub fn number(&self, column: usize) -> Result<f64, CellFault> {
        let fault = |problem: String| CellFault { column, problem };
        match self.maybe(column)? {
            Some(value) => Ok(value),
            None => {
                Err(fault("the cell is empty where a number must be; a number that is not finite is written so".into()))
            }
        }
    }

    /// A finite number, or an empty cell.
    ///
    /// # Errors
    /// If the cell holds something else or a number that is not finite.
    pub fn maybe(&self, column: usize) -> Result<Option<f64>, CellFault> {
        let text = self.text(column)?;
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            Ok(_) => Err(CellFault { column, problem: format!("{text} is not a finite number") }),
            Err(_) => Err(CellFault { column, problem: format!("{text:?} is not a number") }),
        }
    }
}
