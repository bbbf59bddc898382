//! Which tables would not fit into a spreadsheet.

use super::streams::table_name;
use sim_world::{Cadence, Model};

/// Rows that a sheet of the usual spreadsheet programs holds, header included.
pub const SHEET_ROWS: u64 = 1_048_576;

/// A table that is longer than a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// File name of the table.
    pub table: String,
    /// Its rows, header included.
    pub rows: u64,
    /// Smallest number of steps between rows with which it fits; none if even the first and the last step alone are too
    /// long.
    pub every_that_fits: Option<u64>,
}

/// The tables of a run that would not fit into a sheet, with sampled rows every `every` steps.
#[must_use]
pub fn too_long_for_a_sheet(model: &dyn Model, every: u64) -> Vec<TooLong> {
    let steps = model.info().steps;
    let too_long = |stream| match stream {
        (Cadence::Sampled { owners }, table) => check(table, owners, steps, every),
        (Cadence::OnEvent { at_most: Some(rows) }, table) => {
            let rows = rows.saturating_add(1);
            (rows > SHEET_ROWS).then_some(TooLong { table, rows, every_that_fits: None })
        }
        (Cadence::OnEvent { at_most: None } | Cadence::AtEnd, _) => None,
    };
    let dense = model.outputs().iter().filter(|stream| !stream.is_sparse);
    dense.map(|stream| (stream.cadence, table_name(stream))).filter_map(too_long).collect()
}

fn check(table: String, owners: u64, steps: u64, every: u64) -> Option<TooLong> {
    let every = every.max(1);
    let rows = (steps / every + 1).saturating_mul(owners).saturating_add(1);
    if rows <= SHEET_ROWS {
        return None;
    }
    // owners * (steps / k + 1) + 1 <= SHEET_ROWS, in whole numbers.
    let times = (SHEET_ROWS - 1) / owners;
    let every_that_fits = (times >= 2).then(|| steps / times + 1);
    Some(TooLong { table, rows, every_that_fits })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents() -> String {
        "agents.csv".to_owned()
    }

    #[test]
    fn the_spec_at_ten_rows_a_second_fits_and_at_sixty_does_not() {
        assert_eq!(check(agents(), 30, 36_000, 6), None);
        let warned = check(agents(), 30, 36_000, 1).unwrap();
        assert_eq!(warned.rows, 30 * 36_001 + 1);
        assert_eq!(warned.every_that_fits, Some(2));
    }

    #[test]
    fn what_is_advised_fits_and_is_the_smallest_that_does() {
        for (owners, steps) in [(1, 2_000_000), (30, 40_000), (30, 1_000_000), (1_000, 36_000), (10_000, 36_000)] {
            let advised = check(agents(), owners, steps, 1).unwrap().every_that_fits.unwrap();
            assert_eq!(check(agents(), owners, steps, advised), None, "{owners} owners, every {advised}");
            assert!(
                advised == 1 || check(agents(), owners, steps, advised - 1).is_some(),
                "{owners} owners, every {advised}"
            );
        }
        assert_eq!(check(agents(), 600_000, 36_000, 6).unwrap().every_that_fits, None);
    }
}
