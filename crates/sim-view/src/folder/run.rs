//! The folder of one run.

use super::error::FolderError;
use super::files::{Kind, kind_of, locate, read_json, read_text};
use super::record::{RUN_JSON, RunRecord, is_newer};
use super::road::RoadScenario;
use super::rows::{AgentRow, CarRow, CubeRow, EventRow, FootRow, MessageRow, PatchRow, SummaryRow};
use super::scans::{LIDAR_CSV, NewestScans, ScanTable};
use super::scenario::MatScenario;
use super::step_table::{Moment, StepRow, StepTable};
use super::table::{Row, Table};
use super::world::World;
use std::path::{Path, PathBuf};

const SCENARIO_JSON: &str = "scenario.json";

/// The steps that every table of a run holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The first one.
    pub first: Moment,
    /// The last one.
    pub last: Moment,
    /// Steps from one row to the next; 1 if there is only one.
    pub every: u64,
}

impl Span {
    /// Time of the row that is nearest to `time_s`.
    #[must_use]
    pub fn nearest_row_s(&self, time_s: f64) -> f64 {
        let row_s = self.row_s();
        if row_s == 0.0 {
            return self.first.time_s;
        }
        let rows = ((self.last.time_s - self.first.time_s) / row_s).round();
        let row = ((time_s - self.first.time_s) / row_s).round().clamp(0.0, rows);
        self.first.time_s + row * row_s
    }

    /// Time from one row to the next; 0 if there is only one.
    #[must_use]
    pub fn row_s(&self) -> f64 {
        let rows = (self.last.step - self.first.step) / self.every.max(1);
        (self.last.time_s - self.first.time_s) / rows.max(1) as f64
    }
}

/// A run that can be read.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    record: RunRecord,
    world: World,
    scenario_text: String,
    span: Span,
    notes: Vec<String>,
}

impl RunFolder {
    /// Reads what the run is, and where its tables begin and end. Rows between are looked at when they are asked for.
    ///
    /// # Errors
    /// If it is no run, or a batch, or made by a newer version; if a file or a column is missing or wrong; if no step was recorded.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        match kind_of(path)? {
            Kind::Run => {}
            Kind::Batch => return Err(FolderError::Batch { path: path.to_path_buf() }),
            Kind::Sweep => return Err(FolderError::Sweep { path: path.to_path_buf() }),
        }
        let record: RunRecord = read_json(&path.join(RUN_JSON))?;
        let scenario_json = path.join(SCENARIO_JSON);
        let scenario_text = read_text(&scenario_json)?;
        let world = World::parse(record.world, &scenario_json, &scenario_text)?;
        let mut survey = Survey { folder: path, span: None, notes: first_notes(&record) };
        match &world {
            World::Mat(scenario) => survey.look_at_mat(scenario)?,
            World::Road(scenario) => survey.look_at_road(scenario)?,
        }
        let Survey { span, notes, .. } = survey;
        let span = span.ok_or_else(|| FolderError::NoTables { path: path.to_path_buf() })?;
        Ok(Self { path: path.to_path_buf(), record, world, scenario_text, span, notes })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run is and how far it came.
    #[must_use]
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The scenario, as far as a picture needs it.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The scenario of a run on the mat.
    ///
    /// # Errors
    /// If the run is one of another world.
    pub fn mat(&self) -> Result<&MatScenario, FolderError> {
        match &self.world {
            World::Mat(scenario) => Ok(scenario.as_ref()),
            World::Road(_) => Err(self.wrong_world("road")),
        }
    }

    /// The scenario of a run on the road.
    ///
    /// # Errors
    /// If the run is one of another world.
    pub fn road(&self) -> Result<&RoadScenario, FolderError> {
        match &self.world {
            World::Road(scenario) => Ok(scenario),
            World::Mat(_) => Err(self.wrong_world("mat")),
        }
    }

    fn wrong_world(&self, world: &str) -> FolderError {
        FolderError::World { path: self.path.clone(), what: "run", world: world.to_owned() }
    }

    /// `scenario.json` as it stands: all of the scenario.
    #[must_use]
    pub fn scenario_text(&self) -> &str {
        &self.scenario_text
    }

    /// The steps that all tables hold.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// What whoever looks at the run should know: that it is not complete, where tables were cut, a newer version.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A table that has a row for each owner in each recorded step: [`AgentRow`], [`FootRow`], [`PatchRow`], [`CubeRow`],
    /// [`CarRow`], or a row type of your own with fewer columns. Nothing if the run has no such table.
    ///
    /// # Errors
    /// If the table cannot be read, or its header, first or last rows are wrong.
    pub fn steps<R: StepRow>(&self) -> Result<Option<StepTable<R>>, FolderError> {
        locate(&self.path, R::FILE).map(|file| StepTable::open(&file.path)).transpose()
    }

    /// A table row by row, for those without owners: [`EventRow`], [`MessageRow`], or a row type of your own. Nothing if the run has no
    /// such table.
    ///
    /// # Errors
    /// If the table cannot be read, or its header is wrong.
    pub fn rows<R: Row>(&self) -> Result<Option<Table<R>>, FolderError> {
        locate(&self.path, R::FILE).map(|file| Table::open(&file.path)).transpose()
    }

    /// The scans of all lidars; nothing if the run has no such table.
    ///
    /// # Errors
    /// If the table cannot be read, or its header is wrong.
    pub fn scans(&self) -> Result<Option<ScanTable>, FolderError> {
        locate(&self.path, LIDAR_CSV).map(|file| ScanTable::open(&file.path)).transpose()
    }

    /// The last scan of each car, as time goes on; never any if the run has no table of scans.
    ///
    /// # Errors
    /// As [`RunFolder::scans`].
    pub fn newest_scans(&self) -> Result<NewestScans, FolderError> {
        Ok(NewestScans::new(self.scans()?))
    }

    /// What happened.
    ///
    /// # Errors
    /// As [`RunFolder::rows`].
    pub fn events(&self) -> Result<Option<Table<EventRow>>, FolderError> {
        self.rows()
    }

    /// The measures; nothing if the run did not come to its end.
    ///
    /// # Errors
    /// As [`RunFolder::rows`], or if a row is wrong.
    pub fn summary(&self) -> Result<Option<Vec<SummaryRow>>, FolderError> {
        self.rows()?.map(Iterator::collect).transpose()
    }
}

fn first_notes(record: &RunRecord) -> Vec<String> {
    let mut notes = Vec::new();
    if is_newer(&record.version) {
        let ours = env!("CARGO_PKG_VERSION");
        notes.push(format!("the run was made by version {}, which is newer than this one, {ours}", record.version));
    }
    if !record.complete {
        notes.push(format!("the run is not complete: {}", record.reason.as_deref().unwrap_or("nobody said why")));
    }
    notes
}

/// What is found out about the tables of a folder.
struct Survey<'a> {
    folder: &'a Path,
    span: Option<Span>,
    notes: Vec<String>,
}

impl Survey<'_> {
    fn look_at_mat(&mut self, scenario: &MatScenario) -> Result<(), FolderError> {
        if scenario.agents.count == 0 && scenario.cubes.is_empty() {
            self.notes.push("the run has no robots".to_owned());
        }
        self.find_any(&[AgentRow::FILE, FootRow::FILE, PatchRow::FILE, CubeRow::FILE, EventRow::FILE])?;
        self.look_at::<AgentRow>(scenario.agents.count, "robots")?;
        self.look_at::<FootRow>(scenario.feet.count, "feet")?;
        self.look_at::<PatchRow>(scenario.patches.count, "patches")?;
        self.look_at::<CubeRow>(scenario.cubes.len() as u64, "cubes")?;
        self.look_at_rows::<EventRow>()?;
        self.look_at_rows::<MessageRow>()
    }

    fn look_at_road(&mut self, scenario: &RoadScenario) -> Result<(), FolderError> {
        self.find_any(&[CarRow::FILE, LIDAR_CSV, EventRow::FILE])?;
        self.look_at::<CarRow>(scenario.cars.len() as u64, "cars")?;
        self.look_at_rows::<EventRow>()?;
        match locate(self.folder, LIDAR_CSV) {
            Some(file) => self.note_cut_row(LIDAR_CSV, ScanTable::open(&file.path)?.is_cut_off()),
            None if scenario.has_scans() => {
                let why = ", though a car of the scenario has a lidar".to_owned();
                return Err(FolderError::MissingFile { path: self.folder.join(LIDAR_CSV), why });
            }
            None => {}
        }
        Ok(())
    }

    /// Tables are left out of a run as a whole.
    fn find_any(&self, names: &[&str]) -> Result<(), FolderError> {
        if names.iter().all(|name| locate(self.folder, name).is_none()) {
            return Err(FolderError::NoTables { path: self.folder.to_path_buf() });
        }
        Ok(())
    }

    /// Checks a table that must be there if there are owners.
    fn look_at<R: StepRow>(&mut self, owners: u64, who: &str) -> Result<(), FolderError> {
        let Some(file) = locate(self.folder, R::FILE) else {
            let path = self.folder.join(R::FILE);
            let why = format!(", though the scenario has {owners} {who}");
            return if owners == 0 { Ok(()) } else { Err(FolderError::MissingFile { path, why }) };
        };
        let mut table = StepTable::<R>::open(&file.path)?;
        let (Some(first), Some(last)) = (table.first(), table.last()) else {
            self.notes.push(format!("{} has no rows", R::FILE));
            return Ok(());
        };
        if table.is_cut_off() || table.lost_rows() > 0 {
            let within = if table.lost_rows() > 0 { "a step" } else { "a row" };
            self.notes.push(format!("{} ends in the middle of {within}; it counts up to step {}", R::FILE, last.step));
        }
        let mut rows = Vec::new();
        table.next_step(&mut rows)?;
        let second = table.next_step(&mut rows)?;
        let every = second.map_or(1, |second| second.step - first.step);
        self.narrow(Span { first, last, every });
        Ok(())
    }

    fn look_at_rows<R: Row>(&mut self) -> Result<(), FolderError> {
        let Some(file) = locate(self.folder, R::FILE) else { return Ok(()) };
        self.note_cut_row(R::FILE, Table::<R>::open(&file.path)?.is_cut_off());
        Ok(())
    }

    fn note_cut_row(&mut self, name: &str, is_cut_off: bool) {
        if is_cut_off {
            self.notes.push(format!("{name} ends in the middle of a row, which does not count"));
        }
    }

    fn narrow(&mut self, table: Span) {
        let narrowed = self.span.map_or(table, |span| Span {
            first: if table.first.step > span.first.step { table.first } else { span.first },
            last: if table.last.step < span.last.step { table.last } else { span.last },
            every: span.every.max(table.every),
        });
        self.span = Some(narrowed);
    }
}
