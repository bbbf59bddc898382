//! Smallest distances and violations from the start of a run up to a moment.

use super::violations::Violations;
use super::{SoFar, Violation};
use crate::folder::{
    CellFault, Cells, EventRow, FolderError, MatScenario, Moment, Row, RunFolder, StepRow, StepTable, SummaryRow, Table,
};

/// The distances of a robot, without the rest of its row.
#[derive(Debug)]
struct Distances {
    moment: Moment,
    robot_mm: Option<f64>,
    foot_mm: Option<f64>,
}

impl Row for Distances {
    const FILE: &'static str = "agents.csv";
    const COLUMNS: &'static [&'static str] = &["step", "time_s", "nearest_agent_mm", "nearest_foot_mm"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        let moment = Moment { step: cells.integer(0)?, time_s: cells.number(1)? };
        Ok(Self { moment, robot_mm: cells.maybe(2)?, foot_mm: cells.maybe(3)? })
    }
}

impl StepRow for Distances {
    fn moment(&self) -> Moment {
        self.moment
    }
}

/// Follows a run from its start. Distances are those of the rows; once the moment has come that the summary names for the smallest
/// distance of all steps, it is that one.
#[derive(Debug)]
pub(super) struct SoFarReader {
    agents: Option<StepTable<Distances>>,
    rows: Vec<Distances>,
    events: Option<Table<EventRow>>,
    next_event: Option<EventRow>,
    robot_of_all: Option<Smallest>,
    foot_of_all: Option<Smallest>,
    violations: Violations,
    known: SoFar,
    known_to: Option<u64>,
}

/// The smallest distance of a whole run.
#[derive(Clone, Copy, Debug)]
struct Smallest {
    distance_mm: f64,
    at_s: f64,
}

impl SoFarReader {
    pub fn new(folder: &RunFolder, scenario: &MatScenario) -> Result<Self, FolderError> {
        let summary = folder.summary()?.unwrap_or_default();
        let safety = &scenario.safety;
        Ok(Self {
            agents: folder.steps()?,
            rows: Vec::new(),
            events: folder.events()?,
            next_event: None,
            robot_of_all: smallest(&summary, "min_robot_robot_mm", "min_robot_robot_at_s"),
            foot_of_all: smallest(&summary, "min_robot_foot_mm", "min_robot_foot_at_s"),
            violations: Violations::new(safety.d_r_mm, safety.d_h_mm),
            known: SoFar::default(),
            known_to: None,
        })
    }

    /// Reads on to a moment, which must not be before the last one.
    pub fn up_to(&mut self, step: u64, time_s: f64) -> Result<SoFar, FolderError> {
        self.read_distances(step)?;
        self.read_events(step)?;
        let mut so_far = self.known.clone();
        for (mine, of_all) in
            [(&mut so_far.robot_robot_mm, self.robot_of_all), (&mut so_far.robot_foot_mm, self.foot_of_all)]
        {
            if let Some(smallest) = of_all.filter(|smallest| smallest.at_s <= time_s) {
                *mine = least(*mine, Some(smallest.distance_mm));
            }
        }
        Ok(so_far)
    }

    /// Distances that are broken at the last moment that was read to, or were less than `shown_s` before.
    pub fn violations(&mut self, time_s: f64, shown_s: f64) -> Vec<Violation> {
        self.violations.at(time_s, shown_s)
    }

    fn read_distances(&mut self, step: u64) -> Result<(), FolderError> {
        let Some(table) = &mut self.agents else { return Ok(()) };
        let last = table.last().map_or(0, |last| last.step.min(step));
        while self.known_to.is_none_or(|known_to| known_to < last) {
            let Some(moment) = table.next_step(&mut self.rows)? else { break };
            if moment.step > step {
                table.seek(moment.step)?;
                break;
            }
            self.known_to = Some(moment.step);
            for row in &self.rows {
                self.known.robot_robot_mm = least(self.known.robot_robot_mm, row.robot_mm);
                self.known.robot_foot_mm = least(self.known.robot_foot_mm, row.foot_mm);
            }
        }
        Ok(())
    }

    fn read_events(&mut self, step: u64) -> Result<(), FolderError> {
        let Some(events) = &mut self.events else { return Ok(()) };
        loop {
            let event = match self.next_event.take() {
                Some(event) => event,
                None => match events.next() {
                    Some(event) => event?,
                    None => return Ok(()),
                },
            };
            if event.moment.step > step {
                self.next_event = Some(event);
                return Ok(());
            }
            self.violations.hear(&event);
            self.known.robot_violations += u64::from(event.kind.starts_with("d_r_violation_begin"));
            self.known.foot_violations += u64::from(event.kind.starts_with("d_h_violation_begin"));
        }
    }
}

fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn smallest(summary: &[SummaryRow], distance: &str, time: &str) -> Option<Smallest> {
    let value = |name: &str| summary.iter().find(|row| row.metric == name)?.value;
    Some(Smallest { distance_mm: value(distance)?, at_s: value(time)? })
}
