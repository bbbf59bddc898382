//! The simulator's CSV tables, read back. They never quote, so a line is split at its commas.

use anyhow::{Context, Result, bail};
use std::path::Path;

/// A table with a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("in {}", path.display()))
    }

    /// Reads a text; every row must have as many cells as the header.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let header = lines.next().context("the table is empty")?;
        let rows: Vec<_> = lines.collect();
        if let Some(index) = rows.iter().position(|row| row.len() != header.len()) {
            bail!("row {} has {} cells, the header has {}", index + 1, rows[index].len(), header.len());
        }
        Ok(Self { header, rows })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// A column as numbers; an empty cell is left out, so that means are over the rows that have a value.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>> {
        let index = self.header.iter().position(|cell| cell == name).with_context(|| format!("no column `{name}`"))?;
        let cells = self.rows.iter().map(|row| row[index].as_str()).filter(|cell| !cell.is_empty());
        cells.map(|cell| cell.parse().with_context(|| format!("`{cell}` in column `{name}` is no number"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_empty_cells_left_out() {
        let table = Table::parse("run,waits\n0,0.25\n1,\n2,0.75\n").unwrap();
        assert_eq!(table.len(), 3);
        assert_eq!(table.numbers("waits").unwrap(), [0.25, 0.75]);
        assert!(table.numbers("wait").unwrap_err().to_string().contains("`wait`"));
    }

    #[test]
    fn a_torn_row_and_a_word_are_errors() {
        assert!(Table::parse("a,b\n1,2\n3\n").unwrap_err().to_string().contains("row 2"));
        assert!(Table::parse("").is_err());
        assert!(Table::parse("a\nx\n").unwrap().numbers("a").is_err());
    }
}
