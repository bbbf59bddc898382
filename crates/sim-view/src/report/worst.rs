//! The worst runs, and what went wrong altogether: each with the command that makes it again.

use super::data::Data;
use super::words::{counted, fixed, plain_name, setting_words};
use crate::error::ViewError;
use crate::folder::{BatchFolder, CellRow, FailureRow, FolderError, MatScenario, RANKING, SweepFolder, WorstRow};
use crate::replay::block::Columns;
use crate::replay::clips::{self, ClipHead};
use crate::replay::setting::{MatSetting, Setting};
use serde::Serialize;
use std::path::{Component, Path, PathBuf};

/// One of the worst runs, and its closest calls.
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
    let mut missing = Vec::new();
    let one = |row: &WorstRow| {
        let worst = without_calls(data, row);
        let Some(path) = folder_of_run(folder, row) else {
            missing.push(row.run.to_string());
            return Ok(worst);
        };
        with_calls(worst, &path, columns, notes)
    };
    let runs: Vec<Worst> = data.worst.iter().map(one).collect::<Result<_, ViewError>>()?;
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

fn without_calls(data: &Data, row: &WorstRow) -> Worst {
    let ranking = data.spec.measures.get(RANKING).zip(row.ranking);
    Worst {
        run: row.run,
        title: setting_words(data.axes(), &row.setting),
        words: ranking.map(|(name, value)| ranking_words(name, value)).unwrap_or_default(),
        is_clean: row.clean == Some(1.0),
        command: row.command.clone(),
        setting: None,
        clips: Vec::new(),
    }
}

/// The measure that ranks runs with its value; counts are whole.
fn ranking_words(name: &str, value: f64) -> String {
    let words = plain_name(name);
    match name.strip_suffix("_mm") {
        Some(_) => format!("{words} {} mm", fixed(value, 2)),
        None => format!("{words} {}", fixed(value, if value.fract() == 0.0 { 0 } else { 2 })),
    }
}

/// Where the calls of a run lie; nothing outside of the sweep's folder is read.
fn folder_of_run(folder: &SweepFolder, row: &WorstRow) -> Option<PathBuf> {
    let inside = Path::new(&row.folder);
    let is_inside = !row.folder.is_empty() && inside.components().all(|part| matches!(part, Component::Normal(_)));
    Some(folder.path().join(inside)).filter(|path| is_inside && path.is_dir())
}

fn with_calls(
    mut worst: Worst,
    path: &Path,
    columns: &mut Columns,
    notes: &mut Vec<String>,
) -> Result<Worst, ViewError> {
    let batch = match BatchFolder::open(path) {
        // A world whose batches cannot be shown has no calls.
        Err(FolderError::World { .. }) => return Ok(worst),
        opened => opened?,
    };
    let scenario_json = path.join("scenario.json");
    let scenario: MatScenario = serde_json::from_str(&batch.scenario_text()?)
        .map_err(|source| FolderError::Json { path: scenario_json, source })?;
    let setting = MatSetting::new(&scenario);
    let found = clips::read(&batch, &setting, columns)?;
    notes.extend(found.note.map(|note| format!("run {}: {note}", worst.run)));
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

#[cfg(test)]
mod tests {
    use super::ranking_words;

    #[test]
    fn a_ranking_is_told_with_its_unit_or_as_a_count() {
        assert_eq!(ranking_words("least_room_mm", 0.25), "least room 0.25 mm");
        assert_eq!(ranking_words("collisions", 3.0), "collisions 3");
    }
}
