//! The worst value of a limit's column from the start of a run up to a moment.

use crate::folder::{FolderError, RunFolder, StepRows, StreamTable};
use sim_world::view::{Limit, Rule};

/// Follows a column from the start. Values are those of the rows; once the moment has come that the summary names for the worst of all
/// steps, it is that one.
#[derive(Debug)]
pub(super) struct SoFarReader {
    table: Option<(StreamTable, usize)>,
    rows: StepRows,
    is_least: bool,
    /// The worst value of the whole run, and its time in s.
    of_all: Option<[f64; 2]>,
    worst: Option<f64>,
    known_to: Option<u64>,
}

impl SoFarReader {
    pub fn new(folder: &RunFolder, limit: &Limit) -> Result<Self, FolderError> {
        let (column, is_least) = match &limit.rule {
            Rule::AtLeast(column, _) => (Some(column), true),
            Rule::AtMost(column, _) => (Some(column), false),
            Rule::IsNot(..) => (None, true),
        };
        let mut table = None;
        if let Some(column) = column
            && let Some(opened) = folder.stream(&limit.of, |name| name == column)?
        {
            let at = opened.places(column)?.start;
            table = Some((opened, at));
        }
        let of_all = match &limit.least {
            Some(names) => measures(folder, names)?,
            None => None,
        };
        Ok(Self { table, rows: StepRows::default(), is_least, of_all, worst: None, known_to: None })
    }

    /// Reads on to a moment, which must not be before the last one.
    pub fn up_to(&mut self, step: u64, time_s: f64) -> Result<Option<f64>, FolderError> {
        self.read_on(step)?;
        let of_all = self.of_all.filter(|[_, at_s]| *at_s <= time_s).map(|[value, _]| value);
        Ok(of_all.into_iter().chain(self.worst).reduce(|a, b| self.worse(a, b)))
    }

    fn worse(&self, a: f64, b: f64) -> f64 {
        if self.is_least { a.min(b) } else { a.max(b) }
    }

    fn read_on(&mut self, step: u64) -> Result<(), FolderError> {
        let Some((table, _)) = &self.table else { return Ok(()) };
        let last = table.ends().map_or(0, |[_, last]| last.step.min(step));
        while self.known_to.is_none_or(|known_to| known_to < last) {
            let Some((table, at)) = &mut self.table else { break };
            let Some(moment) = table.next_step(&mut self.rows)? else { break };
            if moment.step > step {
                table.seek(moment.step)?;
                break;
            }
            let values = self.rows.iter().map(|row| row[*at]).filter(|value| !value.is_nan());
            let of_step = values.reduce(if self.is_least { f64::min } else { f64::max });
            self.known_to = Some(moment.step);
            self.worst = self.worst.into_iter().chain(of_step).reduce(|a, b| self.worse(a, b));
        }
        Ok(())
    }
}

fn measures(folder: &RunFolder, names: &[String; 2]) -> Result<Option<[f64; 2]>, FolderError> {
    let summary = folder.summary()?.unwrap_or_default();
    let value = |name: &String| summary.iter().find(|row| row.metric == *name).and_then(|row| row.value);
    Ok(value(&names[0]).zip(value(&names[1])).map(|(value, at_s)| [value, at_s]))
}
