//! The tables of the mat world: robots, feet, patches and cubes every few steps, and everything that happened.

use crate::error::RunError;
use crate::run_folder::{AGENTS_CSV, EVENTS_CSV, FEET_CSV, PATCHES_CSV};
use crate::tables::cubes::CubesTables;
use crate::tables::events;
use crate::tables::file::TableFile;
use crate::world::mat::MatWorld;
use crate::world::seam::RunTables;
use std::path::Path;

const AGENTS_HEADER: &str = "step,time_s,agent,x_mm,y_mm,heading_rad,speed_mm_s,omega_rad_s,\
    vx_mm_s,vy_mm_s,wish_x_mm_s,wish_y_mm_s,nearest_agent_mm,nearest_foot_mm";
const FEET_HEADER: &str = "step,time_s,foot,state,x_mm,y_mm,vx_mm_s,vy_mm_s";
const PATCHES_HEADER: &str = "step,time_s,patch,x_mm,y_mm,sigma_mm,peak";

/// Rows are sent to the files at least this often, counted in recorded steps: a run that is killed loses no more.
pub(super) const FLUSH_EVERY_RECORDS: u64 = 60;

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

impl RunTables for MatTables {
    type World = MatWorld;

    fn create(folder: &Path, world: &MatWorld, every: u64) -> Result<Self, RunError> {
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
            events: TableFile::create(folder, EVENTS_CSV, events::HEADER)?,
        };
        tables.record(world)?;
        Ok(tables)
    }

    fn record(&mut self, world: &MatWorld) -> Result<(), RunError> {
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

    fn record_events(&mut self, world: &MatWorld) -> Result<(), RunError> {
        world.events().for_each(|event| events::append(&mut self.events, world.model().step_hz, &event));
        self.events.flush_if_large()
    }

    fn flush(&mut self) -> Result<(), RunError> {
        let mut outcome = Ok(());
        self.for_each_table(|table| outcome = std::mem::replace(&mut outcome, Ok(())).and(table.flush()));
        outcome
    }

    fn finish(mut self) -> Result<(), RunError> {
        self.flush()?;
        let Self { agents, feet, patches, cubes, events, .. } = self;
        let cubes = cubes.into_iter().flat_map(CubesTables::tables);
        let swarm = [agents, feet, patches].into_iter().flatten();
        swarm.chain(cubes).chain([events]).try_for_each(TableFile::finish)
    }
}

impl MatTables {
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
