//! A table on its way into a page: numbers of owners over frames.

use super::block::{Columns, TOO_NEAR};
use super::columns::PageColumn;
use super::head::{ColumnHead, TableHead};
use crate::error::ViewError;
use std::collections::BTreeMap;

/// Collects the rows of one table.
#[derive(Debug)]
pub struct Recorder {
    /// What errors call it.
    table: String,
    columns: Vec<PageColumn>,
    /// Numbers of each owner, one series for each number of a row. An owner that comes late or goes early has gaps.
    owners: BTreeMap<u64, Vec<Vec<Option<i32>>>>,
}

/// Which row of a page a value belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Place of the row.
    pub row: usize,
    /// Its step.
    pub step: u64,
}

impl Recorder {
    /// An empty table.
    pub fn new(table: impl Into<String>, columns: impl IntoIterator<Item = PageColumn>) -> Self {
        Self { table: table.into(), columns: columns.into_iter().collect(), owners: BTreeMap::new() }
    }

    /// Numbers of a row of one owner.
    pub fn width(&self) -> usize {
        self.columns.iter().map(|column| column.width).sum()
    }

    /// Takes a row: its numbers in the order of the columns, of which a missing one is not a number.
    ///
    /// # Errors
    /// If a number is too large to be stored.
    pub fn row(&mut self, frame: Frame, owner: u64, numbers: impl Iterator<Item = f64>) -> Result<(), ViewError> {
        let width = self.width();
        let series = self.owners.entry(owner).or_insert_with(|| vec![Vec::new(); width]);
        let columns = self.columns.iter().flat_map(|column| std::iter::repeat_n(column, column.width));
        for ((values, number), column) in series.iter_mut().zip(numbers).zip(columns) {
            let quanta = quantum(number, column.decimals).map_err(|()| {
                let (table, step, name) = (&self.table, frame.step, &column.name);
                ViewError::Wrong(format!(
                    "{table}: {name} is {number:?} in step {step}, which is too large to be drawn"
                ))
            })?;
            values.resize(frame.row, None);
            values.push(quanta);
        }
        Ok(())
    }

    /// Appends the numbers to the page's columns and says where they are; nothing without any rows. `words` are those that texts stand for.
    pub fn close(mut self, rows: usize, words: &[String], columns: &mut Columns) -> Option<TableHead> {
        self.owners.values_mut().flatten().for_each(|values| values.resize(rows, None));
        let mut first = 0;
        let heads = self.columns.into_iter().map(|PageColumn { name, decimals, is_text, width }| {
            let at = columns.end();
            for series in self.owners.values() {
                series[first..first + width].iter().for_each(|values| columns.push(values));
            }
            first += width;
            ColumnHead { name, decimals, width, words: is_text.then(|| words.to_vec()), at }
        });
        let heads = heads.collect();
        (!self.owners.is_empty()).then(|| TableHead { owners: self.owners.into_keys().collect(), rows, columns: heads })
    }
}

/// A number in whole steps of its last decimal, halves away from zero; nothing where it is missing. An error if that does not fit.
fn quantum(number: f64, decimals: u8) -> Result<Option<i32>, ()> {
    if number.is_nan() {
        return Ok(None);
    }
    if number == f64::NEG_INFINITY {
        return Ok(Some(TOO_NEAR));
    }
    let scale = (0..decimals).fold(1.0, |scale, _| scale * 10.0);
    let quanta = (number * scale).round();
    if quanta.abs() < f64::from(i32::MAX) { Ok(Some(quanta as i32)) } else { Err(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, decimals: u8, width: usize) -> PageColumn {
        PageColumn { name: name.into(), decimals, is_text: false, width }
    }

    #[test]
    fn values_keep_their_decimals() {
        let cases =
            [(384.0, 2, 38_400), (78.308_674_382, 2, 7_831), (-0.004_9, 2, 0), (-12.345_6, 3, -12_346), (7.0, 0, 7)];
        for (value, decimals, wanted) in cases {
            assert_eq!(quantum(value, decimals), Ok(Some(wanted)), "{value}");
        }
        assert_eq!([quantum(1e12, 2), quantum(f64::INFINITY, 0)], [Err(()); 2]);
        assert_eq!([quantum(f64::NAN, 0), quantum(f64::NEG_INFINITY, 3)], [Ok(None), Ok(Some(TOO_NEAR))]);
    }

    #[test]
    fn owners_that_come_late_or_go_early_have_gaps() {
        let mut recorder = Recorder::new("agents.csv", [column("x_mm", 0, 1)]);
        let frame = |row| Frame { row, step: 6 * row as u64 };
        recorder.row(frame(0), 4, [1.0].into_iter()).unwrap();
        recorder.row(frame(2), 9, [1.0].into_iter()).unwrap();
        let mut columns = Columns::default();
        let head = recorder.close(3, &[], &mut columns).unwrap();
        assert_eq!((head.owners, head.rows, columns.end()), (vec![4, 9], 3, 6));
        assert!(Recorder::new("feet.csv", [column("x_mm", 0, 1)]).close(3, &[], &mut columns).is_none());
    }

    #[test]
    fn a_value_of_many_numbers_is_as_many_series_of_its_column() {
        let mut recorder = Recorder::new("lidar.csv", [column("taken_s", 0, 1), column("ray_#_m", 0, 3)]);
        for row in 0..2 {
            recorder.row(Frame { row, step: 0 }, 0, [7.0, 1.0, f64::NAN, 2.0].into_iter()).unwrap();
        }
        let mut columns = Columns::default();
        let head = recorder.close(2, &[], &mut columns).unwrap();
        let places: Vec<_> = head.columns.iter().map(|column| (column.at, column.width)).collect();
        assert_eq!((places, columns.end()), (vec![(0, 1), (2, 3)], 8));
    }

    #[test]
    fn what_is_too_large_is_named() {
        let mut recorder = Recorder::new("agents.csv", [column("x_mm", 2, 1)]);
        let error = recorder.row(Frame { row: 0, step: 12 }, 0, [1e9].into_iter()).unwrap_err();
        assert_eq!(error.to_string(), "agents.csv: x_mm is 1000000000.0 in step 12, which is too large to be drawn");
    }
}
