//! The tables of the mat world: robots, feet, patches and cubes every few steps, and everything that happened.

use crate::error::RunError;
use crate::run_folder::{AGENTS_CSV, EVENTS_CSV, FEET_CSV, PATCHES_CSV};
use crate::tables::cubes::CubesTables;
use crate::tables::file::TableFile;
use crate::world::events::WorldEvent;
use crate::world::mat::MatWorld;
use std::path::Path;

const AGENTS_HEADER: &str = "step,time_s,agent,x_mm,y_mm,heading_rad,speed_mm_s,omega_rad_s,\
    vx_mm_s,vy_mm_s,wish_x_mm_s,wish_y_mm_s,nearest_agent_mm,nearest_foot_mm";
const FEET_HEADER: &str = "step,time_s,foot,state,x_mm,y_mm,vx_mm_s,vy_mm_s";
const PATCHES_HEADER: &str = "step,time_s,patch,x_mm,y_mm,sigma_mm,peak";
const EVENTS_HEADER: &str = "step,time_s,kind,subject,object,value,unit";

/// Rows are sent to the files at least this often, counted in recorded steps: a run that is killed loses no more.
const FLUSH_EVERY_RECORDS: u64 = 60;

/// The tables of a run that is going on. But for `events.csv`, a table exists where there is something to tell.
#[derive(Debug)]
pub struct MatTables {
    every: u64,
    records: u64,
    agents: Option<TableFile>,
    feet: Option<TableFile>,
    patches: Option<TableFile>,
    cubes: Option<CubesTables>,
    events: TableFile,
}

impl MatTables {
    /// Starts the tables in `folder` with the rows of the start; further rows come every `every` steps.
    ///
    /// # Errors
    /// If a file cannot be made or written.
    pub fn create(folder: &Path, world: &MatWorld, every: u64) -> Result<Self, RunError> {
        let some = |count: usize, name: &str, header: &str| {
            (count > 0).then(|| TableFile::create(folder, name, header)).transpose()
        };
        let mut tables = Self {
            every: every.max(1),
            records: 0,
            agents: some(world.agents().len(), AGENTS_CSV, AGENTS_HEADER)?,
            feet: some(world.feet().len(), FEET_CSV, FEET_HEADER)?,
            patches: some(world.patches().len(), PATCHES_CSV, PATCHES_HEADER)?,
            cubes: world.cubes().map(|_| CubesTables::create(folder)).transpose()?,
            events: TableFile::create(folder, EVENTS_CSV, EVENTS_HEADER)?,
        };
        tables.record(world)?;
        Ok(tables)
    }

    /// Writes what the world's step has brought: its events and messages, and its rows if they are due.
    ///
    /// # Errors
    /// If a file cannot be written; whole rows that were written are kept.
    pub fn record(&mut self, world: &MatWorld) -> Result<(), RunError> {
        self.record_events(world)?;
        if let (Some(tables), Some(cubes)) = (&mut self.cubes, world.cubes()) {
            tables.record_messages(world, cubes)?;
        }
        if !world.tick().is_due(self.every, 0) {
            return Ok(());
        }
        if let Some(agents) = &mut self.agents {
            write_agents(agents, world);
        }
        if let Some(feet) = &mut self.feet {
            write_feet(feet, world);
        }
        if let Some(patches) = &mut self.patches {
            write_patches(patches, world);
        }
        if let (Some(tables), Some(cubes)) = (&mut self.cubes, world.cubes()) {
            tables.record_cubes(world, cubes);
        }
        self.records += 1;
        if self.records.is_multiple_of(FLUSH_EVERY_RECORDS) {
            return self.flush();
        }
        self.agents.as_mut().map_or(Ok(()), TableFile::flush_if_large)
    }

    /// Writes the events that the world has not forgotten yet.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn record_events(&mut self, world: &MatWorld) -> Result<(), RunError> {
        world.events().for_each(|event| write_event(&mut self.events, world.model().step_hz, &event));
        self.events.flush_if_large()
    }

    /// Sends all rows to the files.
    ///
    /// # Errors
    /// The first error; the other tables are sent all the same.
    pub fn flush(&mut self) -> Result<(), RunError> {
        let mut outcome = Ok(());
        self.for_each_table(|table| outcome = std::mem::replace(&mut outcome, Ok(())).and(table.flush()));
        outcome
    }

    /// Writes what is left and gives all tables their names.
    ///
    /// # Errors
    /// If a file cannot be written or renamed; no table is renamed before all are written.
    pub fn finish(mut self) -> Result<(), RunError> {
        self.flush()?;
        let Self { agents, feet, patches, cubes, events, .. } = self;
        let cubes = cubes.into_iter().flat_map(CubesTables::tables);
        let swarm = [agents, feet, patches].into_iter().flatten();
        swarm.chain(cubes).chain([events]).try_for_each(TableFile::finish)
    }

    fn for_each_table(&mut self, mut visit: impl FnMut(&mut TableFile)) {
        let Self { agents, feet, patches, .. } = self;
        [agents, feet, patches].into_iter().flatten().for_each(&mut visit);
        if let Some(cubes) = &mut self.cubes {
            cubes.for_each_table(&mut visit);
        }
        visit(&mut self.events);
    }
}

fn write_agents(table: &mut TableFile, world: &MatWorld) {
    let (step, time_s) = (world.tick().0, world.time_s());
    let agents = world.agents();
    for (i, wish) in world.wishes_mm_s().iter().enumerate() {
        let (place, velocity) = (agents.position_mm[i], agents.velocity_mm_s[i]);
        let row = table.row().integer(step).number(time_s).integer(i as u64);
        let row = row.number(place.x).number(place.y).number(agents.heading_rad[i]);
        let row = row.number(agents.speed_mm_s[i]).number(agents.omega_rad_s[i]);
        let row = row.number(velocity.x).number(velocity.y).number(wish.x).number(wish.y);
        row.maybe(world.inspector().nearest_robot_mm(i)).maybe(world.inspector().nearest_foot_mm(i)).end();
    }
}

fn write_feet(table: &mut TableFile, world: &MatWorld) {
    let (step, time_s, feet) = (world.tick().0, world.time_s(), world.feet());
    for k in 0..feet.len() {
        let (place, velocity) = (feet.position_mm(k), feet.velocity_mm_s(k));
        let row = table.row().integer(step).number(time_s).integer(k as u64).text(feet.phase(k).as_str());
        row.number(place.x).number(place.y).number(velocity.x).number(velocity.y).end();
    }
}

fn write_patches(table: &mut TableFile, world: &MatWorld) {
    let (step, time_s, patches) = (world.tick().0, world.time_s(), world.patches());
    for k in 0..patches.len() {
        let place = patches.center_mm(k);
        let row = table.row().integer(step).number(time_s).integer(k as u64);
        row.number(place.x).number(place.y).number(patches.sigma_mm(k)).number(patches.peak(k)).end();
    }
}

fn write_event(table: &mut TableFile, step_hz: u32, event: &WorldEvent) {
    let row = table.row().integer(event.tick.0).number(event.tick.seconds(step_hz));
    row.text(event.kind).show(&event.subject).show(&event.object).number(event.value).text(event.unit).end();
}
