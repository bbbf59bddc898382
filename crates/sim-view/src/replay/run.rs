//! The page of one run.

use super::block::{Columns, pack};
use super::head::{Common, Event, Fact, Measure, RunHead, Scenery};
use super::streams::{self, Recorded};
use super::{Page, html};
use crate::error::ViewError;
use crate::folder::{EventRow, FolderError, RunFolder, SummaryRow};
use crate::picture::planes_of;

/// Makes the page.
///
/// # Errors
/// If something in the folder cannot be read or shown.
pub fn page(folder: &RunFolder) -> Result<Page, ViewError> {
    let mut columns = Columns::default();
    let head = head(folder, &mut columns)?;
    let html = html::page(html::Kind::Replay, &head.common.title, &pack(&head, &columns)?);
    Ok(Page { html, notes: head.common.notes })
}

/// What a page holds of a run.
pub(super) fn head(folder: &RunFolder, columns: &mut Columns) -> Result<RunHead, ViewError> {
    let Recorded { tables, note } = streams::record(folder, columns)?;
    Ok(RunHead {
        kind: "run",
        common: common(folder, note)?,
        scenery: Scenery::new(folder.view().clone(), planes_of(folder)?.into_iter().map(|plane| plane.area)),
        events: events(folder)?,
        tables,
    })
}

/// All events in the order of time: what is only known at the end of a run stands last in the table.
fn events(folder: &RunFolder) -> Result<Vec<Event>, FolderError> {
    let rows = folder.events()?.into_iter().flatten();
    let mut events = rows.map(|row| row.map(event)).collect::<Result<Vec<Event>, FolderError>>()?;
    events.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    Ok(events)
}

fn common(folder: &RunFolder, note: Option<String>) -> Result<Common, ViewError> {
    let record = folder.record();
    let mut notes: Vec<String> = folder.notes().to_vec();
    notes.extend(note);
    let fact = |label, value: String| Fact { label, value };
    let hash = record.final_state_hash.clone().unwrap_or_else(|| "none".to_owned());
    Ok(Common {
        title: record.scenario.clone(),
        complete: record.complete,
        facts: vec![
            fact("seed", record.seed.to_string()),
            fact("run", record.run_index.to_string()),
            // A run that was killed could not write down how far it came.
            fact("steps", format!("{} of {}", record.steps_done.max(folder.span().last.step), record.steps)),
            fact("version", record.version.clone()),
            fact("hash", hash),
        ],
        notes,
        summary: folder.summary()?.unwrap_or_default().into_iter().map(measure).collect(),
        scenario: serde_json::from_str(folder.scenario_text())
            .map_err(|error| ViewError::Wrong(format!("scenario.json: {error}")))?,
    })
}

fn event(row: EventRow) -> Event {
    let EventRow { moment, kind, subject, object, value, unit } = row;
    Event { step: moment.step, time_s: moment.time_s, kind, subject, object, value, unit }
}

pub(super) fn measure(row: SummaryRow) -> Measure {
    let SummaryRow { metric, value, unit, limit, ok } = row;
    Measure { metric, value, unit, limit, ok }
}
