//! The runs with the least room, and what went wrong altogether: each with the command that makes it again.

use super::data::Data;
use super::words::{counted, fixed, setting_words};
use crate::error::ViewError;
use crate::folder::{AxisSpec, BatchFolder, CellRow, FolderError, Level, Scenario, SweepFolder, SweepRunRow, WorstRow};
use crate::replay::block::Columns;
use crate::replay::clips::{self, ClipHead};
use crate::replay::setting::Setting;
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
        failed => Some(format!("{} failed and count nowhere; see below", counted(failed, "run", "runs"))),
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
    let scenario: Scenario = serde_json::from_str(&batch.scenario_text()?)
        .map_err(|source| FolderError::Json { path: scenario_json, source })?;
    let setting = Setting::new(&scenario);
    let found = clips::read(&batch, &setting, columns)?;
    notes.extend(found.note.map(|note| format!("run {}: {note}", row.run)));
    worst.clips = found.heads;
    worst.setting = Some(setting);
    Ok(worst)
}

/// The failed runs that are listed.
pub fn failed(data: &Data) -> Vec<Fault> {
    let fault = |row: &SweepRunRow| Fault {
        title: format!("run {}: {}", row.run, setting_words(data.axes(), &row.setting))
            .trim_end_matches([' ', ':'])
            .to_owned(),
        cause: row.cause.clone(),
        command: command(data.axes(), row),
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

/// What makes a run again, inside the sweep's folder.
fn command(axes: &[AxisSpec], row: &SweepRunRow) -> String {
    let mut command = "sim-cli run scenario.json".to_owned();
    for (axis, level) in axes.iter().zip(&row.setting) {
        let value = match level {
            Level::Number(value) => value.to_string(),
            Level::Text(text) => text.clone(),
        };
        command += &format!(" --set {}", quoted(&format!("{}={value}", axis.path)));
    }
    if let (Some(seed), Some(index)) = (row.seed, row.run_index) {
        command += &format!(" --seed {seed} --run-index {index}");
    }
    command
}

/// As a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-=/:+".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_command_is_one_that_a_shell_takes() {
        let axis = |path: &str| AxisSpec {
            path: path.into(),
            name: String::new(),
            unit: String::new(),
            choice: BTreeMap::new(),
        };
        let row = SweepRunRow {
            run: 7,
            cell: 1,
            setting: vec![Level::Number(30.0), Level::Text("it's a word".into())],
            seed: Some(3),
            run_index: Some(12),
            status: "failed".into(),
            values: Vec::new(),
            cause: String::new(),
        };
        assert_eq!(
            command(&[axis("agents.count"), axis("name")], &row),
            r"sim-cli run scenario.json --set agents.count=30 --set 'name=it'\''s a word' --seed 3 --run-index 12"
        );
    }
}
