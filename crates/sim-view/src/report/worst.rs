//! The worst runs, and what went wrong altogether: each with the command that makes it again.

use super::data::Data;
use super::format::{counted, fixed, plain_name, setting_words, unit_words};
use crate::error::ViewError;
use crate::folder::{BatchFolder, CellRow, FailureRow, SweepFolder, WorstRow};
use crate::replay::block::Columns;
use crate::replay::clips::{self, ClipHead};
use crate::replay::head::Scenery;
use serde::Serialize;
use std::path::{Component, Path, PathBuf};

/// One of the worst runs, and its near misses.
#[derive(Clone, Debug, Serialize)]
pub struct Worst {
    pub run: u64,
    pub title: String,
    pub words: String,
    pub is_clean: bool,
    pub command: String,
    /// How its near misses are drawn; nothing without any.
    pub scenery: Option<Scenery>,
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

/// Reads the near misses of the worst runs.
///
/// # Errors
/// If a folder of theirs is damaged. One that is missing is a note.
pub fn worst(
    folder: &SweepFolder,
    data: &Data,
    columns: &mut Columns,
    notes: &mut Vec<String>,
) -> Result<Vec<Worst>, ViewError> {
    let runs = data.worst.iter().map(|row| one(folder, data, row, columns, notes));
    let runs: Vec<Worst> = runs.collect::<Result<_, _>>()?;
    let gone = data.worst.iter().filter(|row| !row.folder.is_empty() && folder_of(folder, row).is_none());
    let gone: Vec<String> = gone.map(|row| row.run.to_string()).collect();
    if !gone.is_empty() {
        notes.push(format!(
            "the near misses of these runs are not in the folder and cannot be played: {}",
            gone.join(", ")
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
    data: &Data,
    row: &WorstRow,
    columns: &mut Columns,
    notes: &mut Vec<String>,
) -> Result<Worst, ViewError> {
    let mut worst = Worst {
        run: row.run,
        title: setting_words(data.axes(), &row.setting),
        words: ranking_words(data, row),
        is_clean: row.clean == Some(1.0),
        command: row.command.clone(),
        scenery: None,
        clips: Vec::new(),
    };
    let Some(path) = folder_of(folder, row) else { return Ok(worst) };
    let found = clips::read(&BatchFolder::open(&path)?, columns)?;
    notes.extend(found.note.map(|note| format!("run {}: {note}", row.run)));
    worst.clips = found.heads;
    worst.scenery = found.scenery;
    Ok(worst)
}

/// The folder of a run's near misses, if it is there. Nothing outside of the sweep's folder is read.
fn folder_of(folder: &SweepFolder, row: &WorstRow) -> Option<PathBuf> {
    let inside = Path::new(&row.folder);
    let is_inside = !row.folder.is_empty() && inside.components().all(|part| matches!(part, Component::Normal(_)));
    let path = folder.path().join(inside);
    (is_inside && path.is_dir()).then_some(path)
}

/// The measures that the run is ranked by: `least room 0.25 mm`.
fn ranking_words(data: &Data, row: &WorstRow) -> String {
    let unit =
        |name: &str| data.measures.iter().find(|measure| measure.name == name).map_or("", |m| unit_words(&m.unit));
    let words = row.ranked_by.iter().filter_map(|(name, value)| {
        let value = fixed((*value)?, 2);
        Some(format!("{} {value} {}", plain_name(name), unit(name)).trim_end().to_owned())
    });
    words.collect::<Vec<_>>().join(", ")
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
