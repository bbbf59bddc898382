//! Events up to a moment, in the order in which they come.

use crate::folder::{FolderError, Moment, StreamTable};

/// The rows of a stream up to a moment that moves on.
#[derive(Debug)]
pub(super) struct Events {
    table: StreamTable,
    /// The row that has been read and is later.
    next: Option<(Moment, Vec<f64>)>,
    is_at_end: bool,
}

impl Events {
    pub fn new(table: StreamTable) -> Self {
        Self { table, next: None, is_at_end: false }
    }

    /// Hands on the rows for which `is_due` holds, up to the first for which it does not.
    pub fn up_to(
        &mut self,
        is_due: impl Fn(Moment) -> bool,
        mut hear: impl FnMut(&StreamTable, Moment, &[f64]),
    ) -> Result<(), FolderError> {
        if let Some((moment, row)) = self.next.take_if(|(moment, _)| is_due(*moment)) {
            hear(&self.table, moment, &row);
        }
        while self.next.is_none() && !self.is_at_end {
            let Some((moment, row)) = self.table.next_row()? else {
                self.is_at_end = true;
                break;
            };
            if !is_due(moment) {
                self.next = Some((moment, row.to_vec()));
                break;
            }
            let row = row.to_vec();
            hear(&self.table, moment, &row);
        }
        Ok(())
    }
}
