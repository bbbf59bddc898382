//! A table on its way into a page: numbers of owners over frames.

use super::block::Columns;
use super::columns::Column;
use super::head::{ColumnHead, TableHead};
use crate::error::ViewError;
use std::collections::BTreeMap;

/// Collects the rows of one table.
#[derive(Debug)]
pub struct Recorder {
    table: &'static str,
    columns: &'static [Column],
    /// Values of each owner, column by column. An owner that comes late or goes early has gaps.
    owners: BTreeMap<u64, Vec<Vec<Option<i32>>>>,
    words: Vec<String>,
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
    pub fn new(table: &'static str, columns: &'static [Column]) -> Self {
        Self { table, columns, owners: BTreeMap::new(), words: Vec::new() }
    }

    /// The number that stands for a word.
    pub fn word(&mut self, word: &str) -> Option<f64> {
        let at = self.words.iter().position(|known| known == word).unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        });
        Some(at as f64)
    }

    /// True if somebody has a value in this row already.
    pub fn has_row(&self, frame: Frame) -> bool {
        self.owners.values().flatten().any(|values| values.len() > frame.row)
    }

    /// Takes in a row; `cells` are in the order of the columns.
    pub fn row(&mut self, frame: Frame, owner: u64, cells: &[Option<f64>]) -> Result<(), ViewError> {
        let columns = self.columns.len();
        let series = self.owners.entry(owner).or_insert_with(|| vec![Vec::new(); columns]);
        for ((values, &cell), &(column, decimals)) in series.iter_mut().zip(cells).zip(self.columns) {
            let too_large = |value: f64| {
                let (table, step) = (self.table, frame.step);
                ViewError::Wrong(format!(
                    "{table}: {column} is {value:?} in step {step}, which is too large to be drawn"
                ))
            };
            let quanta = cell.map(|value| quantum(value, decimals).ok_or_else(|| too_large(value))).transpose()?;
            values.resize(frame.row, None);
            values.push(quanta);
        }
        Ok(())
    }

    /// Appends the values to the page's columns and says where they are; nothing if nobody had a row.
    pub fn close(self, rows: usize, columns: &mut Columns) -> Option<TableHead> {
        let Self { columns: named, mut owners, words, .. } = self;
        owners.values_mut().flatten().for_each(|values| values.resize(rows, None));
        let heads = named.iter().enumerate().map(|(at, &(name, decimals))| {
            let begin = columns.end();
            owners.values().for_each(|series| columns.push(&series[at]));
            let words = ["state", "status"].contains(&name).then(|| words.clone());
            ColumnHead { name, decimals, words, at: begin }
        });
        let heads = heads.collect();
        (!owners.is_empty()).then(|| TableHead { owners: owners.into_keys().collect(), rows, columns: heads })
    }
}

/// A value in whole steps of its last decimal, halves away from zero; nothing if that does not fit.
fn quantum(value: f64, decimals: u8) -> Option<i32> {
    let scale = (0..decimals).fold(1.0, |scale, _| scale * 10.0);
    let quanta = (value * scale).round();
    (quanta.abs() < f64::from(i32::MAX)).then_some(quanta as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_decimals() {
        let cases =
            [(384.0, 2, 38_400), (78.308_674_382, 2, 7_831), (-0.004_9, 2, 0), (-12.345_6, 3, -12_346), (7.0, 0, 7)];
        for (value, decimals, wanted) in cases {
            assert_eq!(quantum(value, decimals), Some(wanted), "{value}");
        }
        assert_eq!([quantum(1e12, 2), quantum(f64::INFINITY, 0), quantum(f64::NAN, 0)], [None; 3]);
    }

    #[test]
    fn owners_that_come_late_or_go_early_have_gaps() {
        const COLUMNS: &[Column] = &[("x_mm", 0)];
        let mut recorder = Recorder::new("agents.csv", COLUMNS);
        let frame = |row| Frame { row, step: 6 * row as u64 };
        recorder.row(frame(0), 4, &[Some(1.0)]).unwrap();
        recorder.row(frame(2), 9, &[Some(1.0)]).unwrap();
        let mut columns = Columns::default();
        let head = recorder.close(3, &mut columns).unwrap();
        assert_eq!((head.owners, head.rows, columns.end()), (vec![4, 9], 3, 6));
        assert!(Recorder::new("feet.csv", COLUMNS).close(3, &mut columns).is_none());
    }

    #[test]
    fn what_is_too_large_is_named() {
        const COLUMNS: &[Column] = &[("x_mm", 2)];
        let mut recorder = Recorder::new("agents.csv", COLUMNS);
        let error = recorder.row(Frame { row: 0, step: 12 }, 0, &[Some(1e9)]).unwrap_err();
        assert_eq!(error.to_string(), "agents.csv: x_mm is 1000000000.0 in step 12, which is too large to be drawn");
    }
}
