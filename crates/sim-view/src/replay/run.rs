//! The page of one run: what pages of all worlds share, and the tables of the mat.

use super::block::{Columns, pack};
use super::columns::{AGENTS, CUBES, FEET, FRAMES, PATCHES, SERIES};
use super::head::{Common, Event, Fact, Measure, RunHead, TablesHead};
use super::series::{Measures, of_agents, of_cubes, together};
use super::setting::{MatSetting, Setting};
use super::tables::{Frame, Recorder};
use super::{Page, html, road};
use crate::error::ViewError;
use crate::folder::{AgentRow, CubeRow, EventRow, FolderError, FootRow, PatchRow, RunFolder, World};
use crate::folder::{Moment, StepRow, StepTable, SummaryRow};

/// Values that a page may hold; a run with more is thinned out. The default run of ten minutes has 2.4 million, which take 4 MB.
pub(super) const MOST_VALUES: u64 = 6_000_000;

/// Moments that the plots of a page may hold: far more than pixels. Ten minutes at 60 rows a second are 36,001.
const MOST_PLOTTED: u64 = 60_000;

/// Makes the page.
pub fn page(folder: &RunFolder) -> Result<Page, ViewError> {
    let mut columns = Columns::default();
    let Recorded { setting, tables, note } = match &folder.world()? {
        World::Mat(scenario) => {
            let (tables, every) = record(folder, &mut columns)?;
            let setting = Setting::Mat(MatSetting::new(scenario));
            Recorded { setting, tables, note: every.note(folder.span().every) }
        }
        World::Road(scenario) => road::record(folder, scenario, &mut columns)?,
    };
    let head = RunHead {
        kind: "run",
        common: common(folder, setting, note)?,
        events: folder.events()?.into_iter().flatten().map(|row| row.map(event)).collect::<Result<_, FolderError>>()?,
        tables,
    };
    let html = html::page(html::Kind::Replay, &head.common.title, &pack(&head, &columns)?);
    Ok(Page { html, notes: head.common.notes })
}

/// What a world puts into a page.
pub(super) struct Recorded {
    pub setting: Setting,
    pub tables: TablesHead,
    /// What is left out of it.
    pub note: Option<String>,
}

fn common(folder: &RunFolder, setting: Setting, note: Option<String>) -> Result<Common, ViewError> {
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
        setting,
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

/// How many recorded moments there are for one that is kept, and for one that is plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Every {
    kept: u64,
    plotted: u64,
}

impl Every {
    fn of(moments: u64, values_of_one: u64) -> Self {
        let kept = moments.saturating_mul(values_of_one).div_ceil(MOST_VALUES).max(1);
        Self { kept, plotted: moments.div_ceil(MOST_PLOTTED).max(1) }
    }

    /// What whoever looks at the page should know, if the run has a row every so many steps.
    fn note(self, row_steps: u64) -> Option<String> {
        let Self { kept, plotted } = self;
        let plots = match plotted {
            1 => "the plots hold all of them".to_owned(),
            _ => format!(
                "in the plots, {plotted} of them are one: smallest distances, largest speeds, means of the rest"
            ),
        };
        let steps = kept * row_steps;
        (kept > 1 || plotted > 1).then(|| {
            format!("to stay small, the page holds one of {kept} recorded moments (every {steps} steps); {plots}")
        })
    }
}

/// Reads the tables into columns.
fn record(folder: &RunFolder, columns: &mut Columns) -> Result<(TablesHead, Every), ViewError> {
    let span = folder.span();
    let mut streams = Streams::open(folder)?;
    let moments = (span.last.step - span.first.step) / span.every.max(1) + 1;
    let every = Every::of(moments, streams.values());
    let mut recorders = Recorders::new(every);
    while let Some(moment) = streams.next_moment(span.last.step) {
        recorders.take(&mut streams, moment)?;
        streams.pass(moment.step)?;
    }
    Ok((recorders.close(columns)?, every))
}

/// The tables of the page as they grow.
struct Recorders {
    frames: Recorder,
    agents: Recorder,
    feet: Recorder,
    patches: Recorder,
    cubes: Recorder,
    series: Recorder,
    every: Every,
    moments: u64,
    kept: usize,
    /// Moments that will be one in the plots, and how many of those there are.
    together: Vec<(Moment, Measures)>,
    plotted: usize,
}

impl Recorders {
    fn new(every: Every) -> Self {
        Self {
            frames: Recorder::new("the steps", FRAMES),
            agents: Recorder::new("agents.csv", AGENTS),
            feet: Recorder::new("feet.csv", FEET),
            patches: Recorder::new("patches.csv", PATCHES),
            cubes: Recorder::new("cubes.csv", CUBES),
            series: Recorder::new("the plots", SERIES),
            every,
            moments: 0,
            kept: 0,
            together: Vec::new(),
            plotted: 0,
        }
    }

    fn take(&mut self, streams: &mut Streams, moment: Moment) -> Result<(), ViewError> {
        let Moment { step, time_s } = moment;
        let agents = streams.agents.rows_of(step)?;
        let feet = streams.feet.rows_of(step)?;
        let patches = streams.patches.rows_of(step)?;
        let cubes = streams.cubes.rows_of(step)?;
        let measures = if agents.is_empty() { of_cubes(cubes) } else { of_agents(agents, patches) };
        self.together.push((moment, measures));
        if self.together.len() as u64 == self.every.plotted {
            self.plot()?;
        }
        let is_kept = self.moments.is_multiple_of(self.every.kept);
        self.moments += 1;
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

    /// The moments that are to be one become one, at the time of the first.
    fn plot(&mut self) -> Result<(), ViewError> {
        let Some(&(Moment { step, time_s }, _)) = self.together.first() else { return Ok(()) };
        let measures: Vec<Measures> = self.together.drain(..).map(|(_, measures)| measures).collect();
        let cells = [Some(step as f64), Some(time_s)].into_iter().chain(together(&measures));
        let frame = Frame { row: self.plotted, step };
        self.plotted += 1;
        self.series.row(frame, 0, &cells.collect::<Vec<_>>())
    }

    fn close(mut self, columns: &mut Columns) -> Result<TablesHead, ViewError> {
        self.plot()?;
        Ok(TablesHead {
            frames: self.frames.close(self.kept, columns),
            agents: self.agents.close(self.kept, columns),
            feet: self.feet.close(self.kept, columns),
            patches: self.patches.close(self.kept, columns),
            cubes: self.cubes.close(self.kept, columns),
            series: self.series.close(self.plotted, columns),
            ..TablesHead::default()
        })
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
        assert_eq!(Every::of(6001, 30 * 11 + 5 + 10 * 4), Every { kept: 1, plotted: 1 });
        for (moments, values) in [(6001, 11_000), (601, 110_000), (1_000_000, 375), (1, 10_000_000), (3, 1)] {
            let Every { kept: every, plotted } = Every::of(moments, values);
            assert!(moments.div_ceil(plotted) <= MOST_PLOTTED);
            let kept = moments.div_ceil(every);
            assert!(kept == 1 || (kept - 1) * values <= MOST_VALUES, "{moments} moments of {values}: every {every}");
            assert!(
                every == 1 || moments * values > (every - 1) * MOST_VALUES,
                "{moments} moments of {values}: every {every}"
            );
        }
    }
}
