//! The closest calls of a batch, out of `closest.csv`, as short films.

use super::block::Columns;
use super::columns::{CLIP_FEET, CLIP_ROBOTS, FRAMES, SERIES};
use super::head::TablesHead;
use super::series::Measures;
use super::setting::MatSetting;
use super::tables::{Frame, Recorder};
use crate::error::ViewError;
use crate::folder::{BatchFolder, CellFault, Cells, FolderError, Row};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

const CLOSEST_CSV: &str = "closest.csv";

/// Rows of clips that a page may hold; with more, it holds the clips of the runs with the closest calls.
const MOST_ROWS: usize = 1_000_000;

/// A close call and where its film is.
#[derive(Clone, Debug, Serialize)]
pub struct ClipHead {
    pub run: u64,
    pub call: u64,
    /// Whom a robot came near to: `robot` or `foot`.
    pub kind: &'static str,
    pub call_s: f64,
    pub distance_mm: f64,
    /// The robot, and whom it came near to.
    pub pair: [u64; 2],
    pub tables: TablesHead,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Clips {
    pub heads: Vec<ClipHead>,
    /// What whoever looks at them should know.
    pub note: Option<String>,
}

/// One line of `closest.csv`.
struct ClipRow {
    run: u64,
    call: u64,
    step: u64,
    time_s: f64,
    is_foot: bool,
    owner: u64,
    /// x, y, heading, vx, vy.
    motion: [Option<f64>; 5],
    distance_mm: Option<f64>,
}

impl Row for ClipRow {
    const FILE: &'static str = CLOSEST_CSV;
    const COLUMNS: &'static [&'static str] = &[
        "run",
        "call",
        "step",
        "time_s",
        "kind",
        "owner",
        "x_mm",
        "y_mm",
        "heading_rad",
        "vx_mm_s",
        "vy_mm_s",
        "distance_mm",
    ];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            run: cells.integer(0)?,
            call: cells.integer(1)?,
            step: cells.integer(2)?,
            time_s: cells.number(3)?,
            is_foot: match cells.text(4)? {
                "robot" => false,
                "foot" => true,
                other => return Err(CellFault { column: 4, problem: format!("{other:?} is neither robot nor foot") }),
            },
            owner: cells.integer(5)?,
            motion: [
                Some(cells.number(6)?),
                Some(cells.number(7)?),
                cells.maybe(8)?,
                Some(cells.number(9)?),
                Some(cells.number(10)?),
            ],
            distance_mm: cells.maybe(11)?,
        })
    }
}

/// Reads the clips of a batch into columns.
pub fn read(folder: &BatchFolder, setting: &MatSetting, columns: &mut Columns) -> Result<Clips, ViewError> {
    let Some(rows) = folder.rows::<ClipRow>()? else {
        let note = format!("the batch has no {CLOSEST_CSV}: there are no moments to play");
        return Ok(Clips { heads: Vec::new(), note: Some(note) });
    };
    let (runs, all) = runs_that_fit(rows, setting)?;
    let note = (runs.len() < all).then(|| {
        format!(
            "to stay small, the page plays the closest calls of {} of {all} runs: those with the least room",
            runs.len()
        )
    });
    let mut heads = Vec::new();
    let mut clip: Vec<ClipRow> = Vec::new();
    let mut end = |clip: &mut Vec<ClipRow>| -> Result<(), ViewError> {
        heads.extend(head(clip, columns)?);
        clip.clear();
        Ok(())
    };
    for row in folder.rows::<ClipRow>()?.into_iter().flatten() {
        let row = row?;
        if clip.first().is_some_and(|first| (first.run, first.call) != (row.run, row.call)) {
            end(&mut clip)?;
        }
        if runs.contains(&row.run) {
            clip.push(row);
        }
    }
    end(&mut clip)?;
    Ok(Clips { heads, note })
}

/// The runs whose clips fit, those with the least room first, and how many runs there are.
fn runs_that_fit(
    rows: impl Iterator<Item = Result<ClipRow, FolderError>>,
    setting: &MatSetting,
) -> Result<(BTreeSet<u64>, usize), ViewError> {
    let mut runs = BTreeMap::<u64, (f64, usize)>::new();
    for row in rows {
        let row = row?;
        let (room_mm, count) = runs.entry(row.run).or_insert((f64::INFINITY, 0));
        *count += 1;
        if let Some(distance_mm) = row.distance_mm {
            let limit_mm = if row.is_foot { setting.d_h_mm } else { setting.d_r_mm };
            *room_mm = room_mm.min(distance_mm - limit_mm);
        }
    }
    let all = runs.len();
    let mut order: Vec<(u64, (f64, usize))> = runs.into_iter().collect();
    order.sort_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.0.cmp(&b.0)));
    let mut sum = 0;
    let fitting = order.into_iter().take_while(|&(_, (_, count))| {
        sum += count;
        sum <= MOST_ROWS
    });
    Ok((fitting.map(|(run, _)| run).collect(), all))
}

/// Packs one clip; nothing of an empty one or one without a pair.
fn head(rows: &[ClipRow], columns: &mut Columns) -> Result<Option<ClipHead>, ViewError> {
    let measured = rows.iter().filter_map(|row| row.distance_mm.map(|distance_mm| (row, distance_mm)));
    let Some((call, distance_mm)) = measured.min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(None) };
    let of_pair: Vec<&ClipRow> = rows.iter().filter(|row| row.step == call.step && row.distance_mm.is_some()).collect();
    let [robot, other] = of_pair[..] else { return Ok(None) };
    let mut film = ClipFilm::new(other.is_foot);
    rows.iter().try_for_each(|row| film.take(row))?;
    Ok(Some(ClipHead {
        run: call.run,
        call: call.call,
        kind: if other.is_foot { "foot" } else { "robot" },
        call_s: call.time_s,
        distance_mm,
        pair: [robot.owner, other.owner],
        tables: film.close(columns),
    }))
}

/// The tables of a clip as they grow.
struct ClipFilm {
    frames: Recorder,
    robots: Recorder,
    feet: Recorder,
    series: Recorder,
    /// The row of the last step, and the number of rows.
    step: Option<u64>,
    rows: usize,
    is_by_foot: bool,
}

impl ClipFilm {
    fn new(is_by_foot: bool) -> Self {
        Self {
            frames: Recorder::new(CLOSEST_CSV, FRAMES),
            robots: Recorder::new(CLOSEST_CSV, CLIP_ROBOTS),
            feet: Recorder::new(CLOSEST_CSV, CLIP_FEET),
            series: Recorder::new(CLOSEST_CSV, SERIES),
            step: None,
            rows: 0,
            is_by_foot,
        }
    }

    fn take(&mut self, row: &ClipRow) -> Result<(), ViewError> {
        let is_new = self.step != Some(row.step);
        if is_new {
            self.step = Some(row.step);
            self.rows += 1;
        }
        let frame = Frame { row: self.rows - 1, step: row.step };
        let when = [Some(row.step as f64), Some(row.time_s)];
        if is_new {
            self.frames.row(frame, 0, &when)?;
        }
        let [x, y, heading, vx, vy] = row.motion;
        if row.is_foot {
            return self.feet.row(frame, row.owner, &[x, y, vx, vy]);
        }
        let [robot_mm, foot_mm] = if self.is_by_foot { [None, row.distance_mm] } else { [row.distance_mm, None] };
        if row.distance_mm.is_some() && !self.series.has_row(frame) {
            let measures: Measures = [robot_mm, foot_mm, None, None, None, None, None, None];
            let cells: Vec<Option<f64>> = when.into_iter().chain(measures).collect();
            self.series.row(frame, 0, &cells)?;
        }
        self.robots.row(frame, row.owner, &[x, y, heading, vx, vy, robot_mm, foot_mm])
    }

    fn close(self, columns: &mut Columns) -> TablesHead {
        TablesHead {
            frames: self.frames.close(self.rows, columns),
            agents: self.robots.close(self.rows, columns),
            feet: self.feet.close(self.rows, columns),
            series: self.series.close(self.rows, columns),
            ..TablesHead::default()
        }
    }
}
