//! The page of a batch: its runs, how each measure is spread, and the near misses.

use super::block::{Columns, pack};
use super::clips::{self, ClipHead};
use super::head::{Common, Fact, Scenery};
use super::run::measure;
use super::{Page, html};
use crate::error::ViewError;
use crate::folder::{BatchFolder, BatchRow, FolderError, SummaryRow};
use serde::Serialize;

/// The head of a batch's page.
#[derive(Clone, Debug, Serialize)]
struct BatchHead {
    kind: &'static str,
    #[serde(flatten)]
    common: Common,
    runs: Vec<u64>,
    measures: Vec<BatchMeasure>,
    /// Nothing if there is nothing to play.
    scenery: Option<Scenery>,
    clips: Vec<ClipHead>,
}

/// One measure of all runs.
#[derive(Clone, Debug, Serialize)]
struct BatchMeasure {
    name: String,
    unit: String,
    limit: Option<f64>,
    values: Vec<Option<f64>>,
}

/// Makes the page.
pub fn page(folder: &BatchFolder) -> Result<Page, ViewError> {
    let scenario_text = folder.scenario_text()?;
    let wrong = |error: serde_json::Error| ViewError::Wrong(format!("scenario.json: {error}"));
    let summary = folder.summary()?.unwrap_or_default();
    let mut columns = Columns::default();
    let clips = clips::read(folder, &mut columns)?;
    let mut notes = folder.notes().to_vec();
    notes.extend(clips.note);
    let record = folder.record();
    let fact = |label, value: String| Fact { label, value };
    let rows = folder.runs()?;
    let names = rows.metrics().to_vec();
    let rows: Vec<BatchRow> = rows.collect::<Result<_, FolderError>>()?;
    let head = BatchHead {
        kind: "batch",
        runs: rows.iter().map(|row| row.run).collect(),
        measures: names.into_iter().enumerate().map(|(at, name)| batch_measure(name, at, &rows, &summary)).collect(),
        scenery: clips.scenery,
        clips: clips.heads,
        common: Common {
            title: record.scenario.clone(),
            complete: record.complete,
            facts: vec![
                fact("runs", format!("{} of {}", record.runs_done.max(rows.len() as u64), record.runs)),
                fact("seed", record.seed.to_string()),
                fact("version", record.version.clone()),
            ],
            notes,
            summary: summary.into_iter().map(measure).collect(),
            scenario: serde_json::from_str(&scenario_text).map_err(wrong)?,
        },
    };
    let html = html::page(html::Kind::Replay, &head.common.title, &pack(&head, &columns)?);
    Ok(Page { html, notes: head.common.notes })
}

/// The values of a measure; its unit and limit stand in the summary over all runs, if there is one.
fn batch_measure(name: String, at: usize, rows: &[BatchRow], summary: &[SummaryRow]) -> BatchMeasure {
    let listed = summary.iter().find(|row| row.metric == name);
    BatchMeasure {
        unit: listed.map_or_else(String::new, |row| row.unit.clone()),
        limit: listed.and_then(|row| row.limit),
        values: rows.iter().map(|row| row.values.get(at).copied().flatten()).collect(),
        name,
    }
}
