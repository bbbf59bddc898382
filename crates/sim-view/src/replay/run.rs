//! The page of one run.

use super::block::{Columns, pack};
use super::columns::{AGENTS, CUBES, FEET, FRAMES, PATCHES, SERIES};
use super::head::{Common, Event, Fact, Measure, RunHead, TablesHead};
use super::series::{Measures, of_agents, of_cubes};
use super::setting::Setting;
use super::tables::{Frame, Recorder};
use super::{Page, html};
use crate::error::ViewError;
use crate::folder::{AgentRow, CubeRow, EventRow, FolderError, FootRow, PatchRow, RunFolder};
use crate::folder::{Moment, StepRow, StepTable, SummaryRow};

/// Values that a page may hold; a run with more is thinned out. The default run of ten minutes has 2.4 million, which take 4 MB.
const MOST_VALUES: u64 = 6_000_000;

/// Makes the page.
pub fn page(folder: &RunFolder) -> Result<Page, ViewError> {
    let mut columns = Columns::default();
    let (tables, keep_every) = record(folder, &mut columns)?;
    let head = RunHead {
        kind: "run",
        common: common(folder, keep_every)?,
        events: folder.events()?.into_iter().flatten().map(|row| row.map(event)).collect::<Result<_, FolderError>>()?,
        tables,
    };
    let html = html::page(html::Kind::Replay, &head.common.title, &pack(&head, &columns)?);
    Ok(Page { html, notes: head.common.notes })
}

fn common(folder: &RunFolder, keep_every: u64) -> Result<Common, ViewError> {
    let record = folder.record();
    let mut notes: Vec<String> = folder.notes().to_vec();
    if keep_every > 1 {
        notes.push(format!(
            "to stay small, the page holds one of {keep_every} recorded moments (every {} steps); the plots hold all of them",
            keep_every * folder.span().every
        ));
    }
    let fact = |label, value: String| Fact { label, value };
    let hash = record.final_state_hash.clone().unwrap_or_else(|| "none".to_owned());
    Ok(Common {
        title: record.scenario.clone(),
        complete: record.complete,
        facts: vec![
            fact("seed", record.seed.to_string()),
            fact("run", record.run_index.to_string()),
            fact("steps", format!("{} of {}", record.steps_done, record.steps)),
            fact("version", record.version.clone()),
            fact("hash", hash),
        ],
        notes,
        setting: Setting::new(folder.scenario()),
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

/// A table whose steps are asked for in their order.
struct Stream<R> {
    table: Option<StepTable<R>>,
    rows: Vec<R>,
    moment: Option<Moment>,
}

impl<R: StepRow> Stream<R> {
    fn open(folder: &RunFolder) -> Result<Self, ViewError> {
        let mut stream = Self { table: folder.steps()?, rows: Vec::new(), moment: None };
        if let Some(table) = &mut stream.table {
            table.seek(folder.span().first.step)?;
        }
        stream.next()?;
        Ok(stream)
    }

    fn next(&mut self) -> Result<(), ViewError> {
        self.moment = match &mut self.table {
            Some(table) => table.next_step(&mut self.rows)?,
            None => None,
        };
        Ok(())
    }

    /// The rows of a step; none if it was not recorded in this table.
    fn rows_of(&mut self, step: u64) -> Result<&[R], ViewError> {
        while self.moment.is_some_and(|moment| moment.step < step) {
            self.next()?;
        }
        Ok(if self.moment.is_some_and(|moment| moment.step == step) { &self.rows } else { &[] })
    }

    fn owners(&self) -> u64 {
        self.rows.len() as u64
    }
}

/// All tables of a run, side by side.
struct Streams {
    agents: Stream<AgentRow>,
    feet: Stream<FootRow>,
    patches: Stream<PatchRow>,
    cubes: Stream<CubeRow>,
}

impl Streams {
    fn open(folder: &RunFolder) -> Result<Self, ViewError> {
        let (agents, feet) = (Stream::open(folder)?, Stream::open(folder)?);
        Ok(Self { agents, feet, patches: Stream::open(folder)?, cubes: Stream::open(folder)? })
    }

    /// The next step that any table has, up to `last`.
    fn next_moment(&self, last: u64) -> Option<Moment> {
        let next = [self.agents.moment, self.feet.moment, self.patches.moment, self.cubes.moment];
        next.into_iter().flatten().min_by_key(|moment| moment.step).filter(|moment| moment.step <= last)
    }

    /// Goes on to the first step after `step`.
    fn pass(&mut self, step: u64) -> Result<(), ViewError> {
        self.agents.rows_of(step + 1)?;
        self.feet.rows_of(step + 1)?;
        self.patches.rows_of(step + 1)?;
        self.cubes.rows_of(step + 1).map(|_| ())
    }

    fn values(&self) -> u64 {
        let columns = |columns: &[_], owners: u64| columns.len() as u64 * owners;
        columns(AGENTS, self.agents.owners())
            + columns(FEET, self.feet.owners())
            + columns(PATCHES, self.patches.owners())
            + columns(CUBES, self.cubes.owners())
    }
}

/// Reads the tables into columns; says how many recorded moments there are for one that is kept.
fn record(folder: &RunFolder, columns: &mut Columns) -> Result<(TablesHead, u64), ViewError> {
    let span = folder.span();
    let mut streams = Streams::open(folder)?;
    let moments = (span.last.step - span.first.step) / span.every.max(1) + 1;
    let keep_every = keep_every(moments, streams.values());
    let mut recorders = Recorders::new();
    while let Some(moment) = streams.next_moment(span.last.step) {
        recorders.take(&mut streams, moment, keep_every)?;
        streams.pass(moment.step)?;
    }
    Ok((recorders.close(columns), keep_every))
}

/// Of how many moments one is kept, so that the page holds no more than it may.
fn keep_every(moments: u64, values_of_one: u64) -> u64 {
    moments.saturating_mul(values_of_one).div_ceil(MOST_VALUES).max(1)
}

/// The tables of the page as they grow.
struct Recorders {
    frames: Recorder,
    agents: Recorder,
    feet: Recorder,
    patches: Recorder,
    cubes: Recorder,
    series: Recorder,
    moments: usize,
    kept: usize,
}

impl Recorders {
    fn new() -> Self {
        Self {
            frames: Recorder::new("the steps", FRAMES),
            agents: Recorder::new("agents.csv", AGENTS),
            feet: Recorder::new("feet.csv", FEET),
            patches: Recorder::new("patches.csv", PATCHES),
            cubes: Recorder::new("cubes.csv", CUBES),
            series: Recorder::new("the plots", SERIES),
            moments: 0,
            kept: 0,
        }
    }

    fn take(&mut self, streams: &mut Streams, moment: Moment, keep_every: u64) -> Result<(), ViewError> {
        let Moment { step, time_s } = moment;
        let agents = streams.agents.rows_of(step)?;
        let feet = streams.feet.rows_of(step)?;
        let patches = streams.patches.rows_of(step)?;
        let cubes = streams.cubes.rows_of(step)?;
        let measures = if agents.is_empty() { of_cubes(cubes) } else { of_agents(agents, patches) };
        self.measures(moment, measures)?;
        let is_kept = (self.moments as u64 - 1).is_multiple_of(keep_every);
        if !is_kept {
            return Ok(());
        }
        let frame = Frame { row: self.kept, step };
        self.kept += 1;
        self.frames.row(frame, 0, &[Some(step as f64), Some(time_s)])?;
        agents.iter().try_for_each(|row| self.agents.row(frame, row.agent, &agent_cells(row)))?;
        for row in feet {
            let state = self.feet.word(&row.state);
            self.feet.row(frame, row.foot, &foot_cells(row, state))?;
        }
        patches.iter().try_for_each(|row| self.patches.row(frame, row.patch, &patch_cells(row)))?;
        cubes.iter().try_for_each(|row| self.cubes.row(frame, row.cube, &cube_cells(row)))
    }

    fn measures(&mut self, Moment { step, time_s }: Moment, measures: Measures) -> Result<(), ViewError> {
        let frame = Frame { row: self.moments, step };
        self.moments += 1;
        let cells: Vec<Option<f64>> = [Some(step as f64), Some(time_s)].into_iter().chain(measures).collect();
        self.series.row(frame, 0, &cells)
    }

    fn close(self, columns: &mut Columns) -> TablesHead {
        TablesHead {
            frames: self.frames.close(self.kept, columns),
            agents: self.agents.close(self.kept, columns),
            feet: self.feet.close(self.kept, columns),
            patches: self.patches.close(self.kept, columns),
            cubes: self.cubes.close(self.kept, columns),
            series: self.series.close(self.moments, columns),
        }
    }
}

/// In the order of [`AGENTS`].
fn agent_cells(row: &AgentRow) -> [Option<f64>; 11] {
    [
        Some(row.position_mm.x),
        Some(row.position_mm.y),
        Some(row.heading_rad),
        Some(row.speed_mm_s),
        Some(row.omega_rad_s),
        Some(row.velocity_mm_s.x),
        Some(row.velocity_mm_s.y),
        Some(row.wish_mm_s.x),
        Some(row.wish_mm_s.y),
        row.nearest_agent_mm,
        row.nearest_foot_mm,
    ]
}

/// In the order of [`FEET`].
fn foot_cells(row: &FootRow, state: Option<f64>) -> [Option<f64>; 5] {
    let (place, velocity) = (row.position_mm, row.velocity_mm_s);
    [state, Some(place.x), Some(place.y), Some(velocity.x), Some(velocity.y)]
}

/// In the order of [`PATCHES`].
fn patch_cells(row: &PatchRow) -> [Option<f64>; 4] {
    [row.position_mm.x, row.position_mm.y, row.sigma_mm, row.peak].map(Some)
}

/// In the order of [`CUBES`].
fn cube_cells(row: &CubeRow) -> [Option<f64>; 16] {
    let dots = row.mat.map_or([None; 3], |dots| dots.map(Some));
    let led = row.led.map(|part| Some(f64::from(part)));
    [
        Some(row.position_mm.x),
        Some(row.position_mm.y),
        Some(row.z_mm),
        Some(row.yaw_rad),
        Some(row.pitch_rad),
        Some(row.roll_rad),
        dots[0],
        dots[1],
        dots[2],
        Some(row.wheels_mm_s[0]),
        Some(row.wheels_mm_s[1]),
        led[0],
        led[1],
        led[2],
        row.sound.map(f64::from),
        Some(row.battery_percent),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_no_more_than_it_may_and_no_less_than_it_can() {
        // Ten minutes of 30 robots, a foot and ten patches, ten rows a second.
        assert_eq!(keep_every(6001, 30 * 11 + 5 + 10 * 4), 1);
        for (moments, values) in [(6001, 11_000), (601, 110_000), (1_000_000, 375), (1, 10_000_000), (3, 1)] {
            let every = keep_every(moments, values);
            let kept = moments.div_ceil(every);
            assert!(kept == 1 || (kept - 1) * values <= MOST_VALUES, "{moments} moments of {values}: every {every}");
            assert!(
                every == 1 || moments * values > (every - 1) * MOST_VALUES,
                "{moments} moments of {values}: every {every}"
            );
        }
    }
}
