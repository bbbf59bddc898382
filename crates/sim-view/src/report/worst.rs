//! The runs with the least room, and what went wrong altogether: each with the command that makes it again.

use super::data::Data;
use super::words::{counted, fixed, setting_words};
use crate::error::ViewError;
use crate::folder::{AxisSpec, BatchFolder, CellRow, FailureRow, FolderError, MatScenario, SweepFolder, WorstRow};
use crate::replay::block::Columns;
use crate::replay::clips::{self, ClipHead};
use crate::replay::setting::{MatSetting, Setting};
use serde::Serialize;
use std::path::{Component, Path};

/// A run with little room, and its closest calls.
#[derive(Clone, Debug, Serialize)]
pub struct Worst {
    pub run: u64,
    pub title: String,
    pub words: String,
    pub is_clean: bool,
    pub command: String,
    /// What does not move in its calls; nothing without calls.
    pub setting: Option<Setting>,
    pub clips: Vec<ClipHead>,
}

/// A run that failed, or a cell that no scenario can have.
#[derive(Clone, Debug, Serialize)]
pub struct Fault {
    pub title: String,
    pub cause: String,
    /// Nothing if there is nothing to run.
    pub command: String,
}

/// Reads the closest calls of the worst runs.
///
/// # Errors
/// If a folder of theirs is damaged. One that is missing is a note.
pub fn worst(
    folder: &SweepFolder,
    data: &Data,
    columns: &mut Columns,
    notes: &mut Vec<String>,
) -> Result<Vec<Worst>, ViewError> {
    let runs = data.worst.iter().map(|row| one(folder, data.axes(), row, columns, notes));
    let runs: Vec<Worst> = runs.collect::<Result<_, _>>()?;
    let missing: Vec<String> = runs.iter().filter(|run| run.setting.is_none()).map(|run| run.run.to_string()).collect();
    if !missing.is_empty() {
        notes.push(format!(
            "the closest calls of these runs are not in the folder and cannot be played: {}",
            missing.join(", ")
        ));
    }
    Ok(runs)
}

/// What went wrong, in short.
pub fn notes(data: &Data) -> Vec<String> {
    let failed = match data.record.failed_runs {
        0 => None,
        failed => Some(format!("{} failed, which counts as gone wrong; see below", counted(failed, "run", "runs"))),
    };
    let infeasible = match data.cells.infeasible.1 {
        0 => None,
        cells => Some(format!("{} cannot be; see below", counted(cells, "setting", "settings"))),
    };
    failed.into_iter().chain(infeasible).collect()
}

fn one(
    folder: &SweepFolder,
    axes: &[AxisSpec],
    row: &WorstRow,
    columns: &mut Columns,
    notes: &mut Vec<String>,
) -> Result<Worst, ViewError> {
    let room = row.least_room_mm.map(|room| format!("least room {} mm", fixed(room, 2))).unwrap_or_default();
    let mut worst = Worst {
        run: row.run,
        title: setting_words(axes, &row.setting),
        words: room,
        is_clean: row.clean == Some(1.0),
        command: row.command.clone(),
        setting: None,
        clips: Vec::new(),
    };
    // Nothing outside of the sweep's folder is read.
    let inside = Path::new(&row.folder);
    let path = folder.path().join(inside);
    if row.folder.is_empty() || !inside.components().all(|part| matches!(part, Component::Normal(_))) || !path.is_dir()
    {
        return Ok(worst);
    }
    let batch = BatchFolder::open(&path)?;
    let scenario_json = path.join("scenario.json");
    let scenario: MatScenario = serde_json::from_str(&batch.scenario_text()?)
        .map_err(|source| FolderError::Json { path: scenario_json, source })?;
    let setting = MatSetting::new(&scenario);
    let found = clips::read(&batch, &setting, columns)?;
    notes.extend(found.note.map(|note| format!("run {}: {note}", row.run)));
    worst.clips = found.heads;
    worst.setting = Some(Setting::Mat(setting));
    Ok(worst)
}

/// The failed runs that are listed.
pub fn failed(data: &Data) -> Vec<Fault> {
    let fault = |row: &FailureRow| Fault {
        title: format!("run {}: {}", row.run, setting_words(data.axes(), &row.setting))
            .trim_end_matches(": ")
            .to_owned(),
        cause: row.cause.clone(),
        command: row.command.clone(),
    };
    data.runs.failed.iter().map(fault).collect()
}

/// The infeasible cells that are listed.
pub fn infeasible(data: &Data) -> Vec<Fault> {
    let fault = |row: &CellRow| Fault {
        title: format!("cell {}: {}", row.cell, data.setting_words(row)),
        cause: row.words.clone(),
        command: String::new(),
    };
    data.cells.infeasible.0.iter().map(fault).collect()
}
