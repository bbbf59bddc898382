//! Rows of the tables that every world has in the same shape.

use super::cells::{CellFault, Cells};
use super::moment::Moment;
use super::table::Row;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// When.
    pub moment: Moment,
    /// What.
    pub kind: String,
    /// To whom, as `agent 3`.
    pub subject: String,
    /// With whom, or into what.
    pub object: String,
    /// How much.
    pub value: Option<f64>,
    /// In which unit.
    pub unit: String,
}

/// A measure of a run or of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryRow {
    /// Name.
    pub metric: String,
    /// Value, if it has one.
    pub value: Option<f64>,
    /// Unit.
    pub unit: String,
    /// What is asked.
    pub limit: Option<f64>,
    /// Whether it is met.
    pub ok: Option<bool>,
}

impl Row for EventRow {
    const FILE: &'static str = "events.csv";
    const COLUMNS: &'static [&'static str] = &["step", "time_s", "kind", "subject", "object", "value", "unit"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            moment: Moment { step: cells.integer(0)?, time_s: cells.number(1)? },
            kind: cells.text(2)?.to_owned(),
            subject: cells.text(3)?.to_owned(),
            object: cells.text(4)?.to_owned(),
            value: cells.maybe(5)?,
            unit: cells.text(6)?.to_owned(),
        })
    }
}

impl Row for SummaryRow {
    const FILE: &'static str = "summary.csv";
    const COLUMNS: &'static [&'static str] = &["metric", "value", "unit", "limit", "ok"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        let ok = match cells.text(4)? {
            "true" => Some(true),
            "false" => Some(false),
            "" => None,
            other => return Err(CellFault { column: 4, problem: format!("{other:?} is neither true nor false") }),
        };
        Ok(Self {
            metric: cells.text(0)?.to_owned(),
            value: cells.maybe(1)?,
            unit: cells.text(2)?.to_owned(),
            limit: cells.maybe(3)?,
            ok,
        })
    }
}
