//! The replay page: one HTML file that plays a run, with everything in it.
//!
//! The page is ours: modules, styles and a frame under `page/`, put together here. Its data is one block (`block`): a head in JSON and
//! columns of whole numbers, deflated and in base64, so that nothing that stands in a file of the folder can be read as markup or script.
//! What the page shows of a table is rounded to the decimals of its columns (`columns`). It knows no world: `view.json` says how the
//! streams of the run are drawn, and `page/marks.js` interprets it.

mod batch;
pub(crate) mod block;
pub(crate) mod clips;
pub(crate) mod columns;
mod differences;
pub(crate) mod head;
pub(crate) mod html;
mod pair;
mod pings;
mod readings;
mod run;
mod scans;
mod streams;
mod tables;

use crate::error::ViewError;
use crate::file::NewFile;
use crate::folder::{BatchFolder, FolderError, Kind, RunFolder, kind_of};
use std::path::Path;

/// Name that the page gets beside the run's files, unless another is wanted.
pub const REPLAY_HTML: &str = "replay.html";

/// Name of the page of two runs in the folder of the first, unless another is wanted.
pub const COMPARE_HTML: &str = "compare.html";

/// A page, ready to be written to a file.
#[derive(Clone, Debug)]
pub struct Page {
    /// The file's text.
    pub html: String,
    /// What its reader should know; the page says it too.
    pub notes: Vec<String>,
}

/// Makes the page of a run's folder, or of a batch's.
///
/// # Errors
/// If the folder holds no run, or something in it cannot be read or shown.
pub fn page(folder: &Path) -> Result<Page, ViewError> {
    match kind_of(folder)? {
        Kind::Run => run::page(&RunFolder::open(folder)?),
        Kind::Batch => batch::page(&BatchFolder::open(folder)?),
        Kind::Sweep => Err(FolderError::Sweep { path: folder.to_path_buf() }.into()),
    }
}

/// Makes the page of a run's folder and writes it to `out`, which is only replaced if `overwrite` says so.
///
/// # Errors
/// As [`page`], and if the file is there already or cannot be written.
pub fn write(folder: &Path, out: &Path, overwrite: bool) -> Result<Page, ViewError> {
    let file = NewFile::claim(out, overwrite)?;
    let page = page(folder)?;
    file.write(page.html.as_bytes())?;
    Ok(page)
}

/// Makes the page of two runs side by side and writes it to `out`, which is only replaced if `overwrite` says so.
///
/// # Errors
/// As [`write()`], and if the runs are of different worlds.
pub fn write_pair(folders: [&Path; 2], out: &Path, overwrite: bool) -> Result<Page, ViewError> {
    let file = NewFile::claim(out, overwrite)?;
    let [one, other] = folders;
    let page = pair::page([&RunFolder::open(one)?, &RunFolder::open(other)?])?;
    file.write(page.html.as_bytes())?;
    Ok(page)
}
