//! The report of a sweep: one HTML file that answers its question, and each of its plots as SVG beside it.
//!
//! It is made from the files of the sweep's folder alone. Tables are read row by row: of more than some thousand settings the worst are
//! kept, and what can be said of all is counted on the way. The page is put together like a replay page, its data in one block.

mod answers;
mod data;
mod figures;
mod format;
mod grid;
mod head;
mod tables;
#[cfg(test)]
mod tests;
mod worst;

use crate::error::ViewError;
use crate::file::NewFile;
use crate::folder::SweepFolder;
use crate::replay::block::{Columns, pack};
use crate::replay::html;
use data::Data;
use figures::{Figure, Section};
use head::ReportHead;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the page in the sweep's folder.
pub const REPORT_HTML: &str = "report.html";
/// Folder of the plots beside it.
pub const PLOTS: &str = "plots";

/// What was written.
#[derive(Clone, Debug)]
pub struct Report {
    /// The page.
    pub html: PathBuf,
    /// Plots beside it.
    pub plots: usize,
    /// What a reader should know; the page says it too.
    pub notes: Vec<String>,
}

/// Writes the report of a sweep's folder into it: `report.html`, and a plot in each file of `plots`. With
/// `overwrite`, those of an earlier report are replaced. Nothing is written if something in the folder is wrong.
///
/// # Errors
/// If the folder holds no sweep, if a table is missing, lacks a column, or holds something else than it should, if there is a
/// report that may not be replaced, or if a file cannot be written.
pub fn write(folder: &Path, overwrite: bool) -> Result<Report, ViewError> {
    let sweep = SweepFolder::open(folder)?;
    let path = folder.join(REPORT_HTML);
    let file = NewFile::claim(&path, overwrite)?;
    let mut columns = Columns::default();
    let head = read(&sweep, &mut columns)?;
    let page = html::page(html::Kind::Report, &head.title, &pack(&head, &columns)?);
    let plots = write_plots(&folder.join(PLOTS), &head.sections)?;
    file.write(page.as_bytes())?;
    Ok(Report { html: path, plots, notes: head.notes })
}

fn read(sweep: &SweepFolder, columns: &mut Columns) -> Result<ReportHead, ViewError> {
    let data = Data::read(sweep)?;
    let mut notes = data.notes.clone();
    notes.extend(worst::notes(&data));
    let worst = worst::worst(sweep, &data, columns, &mut notes)?;
    Ok(ReportHead {
        kind: "report",
        title: data.spec.name.clone(),
        question: data.spec.question.clone(),
        complete: data.record.complete,
        facts: head::facts(&data),
        answers: answers::answers(&data),
        method: head::method(&data),
        axes: head::axes(&data),
        sections: figures::sections(&data),
        tables: tables::tables(&data),
        failed: worst::failed(&data),
        failed_runs: data.record.failed_runs,
        infeasible: worst::infeasible(&data),
        infeasible_cells: data.cells.infeasible.1,
        worst,
        notes,
    })
}

/// Writes the plots on a light ground, and takes away those of an earlier report.
fn write_plots(folder: &Path, sections: &[Section]) -> Result<usize, ViewError> {
    fs::create_dir_all(folder).map_err(|error| ViewError::io("create", folder, error))?;
    let figures: Vec<&Figure> =
        sections.iter().flat_map(|section| section.figures.iter().chain(&section.more)).collect();
    for figure in &figures {
        NewFile::claim(&folder.join(&figure.file), true)?.write(figure.light.as_bytes())?;
    }
    let names: BTreeSet<&str> = figures.iter().map(|figure| figure.file.as_str()).collect();
    let entries = fs::read_dir(folder).map_err(|error| ViewError::io("read", folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| ViewError::io("read", folder, error))?.path();
        let is_plot = path.extension().is_some_and(|extension| extension == "svg");
        let is_ours = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| names.contains(name));
        if is_plot && !is_ours {
            fs::remove_file(&path).map_err(|error| ViewError::io("remove", &path, error))?;
        }
    }
    Ok(figures.len())
}
