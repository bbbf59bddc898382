//! The CSV files that a scenario of the mat names. They are read into the scenario, so that a run can be repeated from its folder alone.

use super::spec::MatScenario;
use super::spec_agents::{GoalSpec, StartSpec};
use sim_input::columns::{Clause, NumberColumn, NumberRow, at, read_numbers};
use sim_input::diagnostic::Fault;
use sim_input::text::SIZE_MAX;
use sim_input::write::hand_written;
use sim_world::Files;
use swarm_field::RecordedPlace;

/// Places on the mat: as far as keys allow.
const PLACE_MM: [f64; 2] = [0.0, 100_000.0];
const LAST_ROBOT: f64 = 99_999.0;
const MAX_ROWS: usize = 100_000;
/// Longest run.
const MAX_TIME_S: f64 = 1e9;
const MAX_STEP: f64 = 1e9;

const START: [NumberColumn; 3] = [
    NumberColumn::new("x_mm", PLACE_MM),
    NumberColumn::new("y_mm", PLACE_MM),
    NumberColumn::new("heading_deg", [-360.0, 360.0]).optional(),
];

const RECORDING: [NumberColumn; 4] = [
    NumberColumn::new("time_s", [0.0, 1e6]),
    NumberColumn::new("foot", [0.0, 9_999.0]).whole(),
    NumberColumn::new("x_mm", PLACE_MM),
    NumberColumn::new("y_mm", PLACE_MM),
];

const GOALS: [NumberColumn; 5] = [
    NumberColumn::new("time_s", [0.0, MAX_TIME_S]).optional(),
    NumberColumn::new("step", [0.0, MAX_STEP]).whole().optional(),
    NumberColumn::new("robot", [0.0, LAST_ROBOT]).whole(),
    NumberColumn::new("x_mm", PLACE_MM).optional(),
    NumberColumn::new("y_mm", PLACE_MM).optional(),
];

/// Reads the files. What is wrong with them is said of the key that names them.
pub(super) fn read_into(scenario: &mut MatScenario, files: &dyn Files) -> Vec<Fault> {
    let mut reader = Reader { files, faults: Vec::new(), has_read: false };
    let (step_hz, agents) = (scenario.step_hz, &mut scenario.agents);
    if let Some(start) = reader.list(("agents.start_csv", "start"), &mut agents.start_csv, &agents.start, start_of) {
        agents.start = start;
    }
    let (feet, keys) = (&mut scenario.feet, ("feet.recording_csv", "recording"));
    if let Some(recording) = reader.list(keys, &mut feet.recording_csv, &feet.recording, recording_of) {
        feet.recording = recording;
    }
    if let Some(goals) = &mut agents.goals {
        let script_of = |text: &str| script_of(text, step_hz);
        let keys = ("agents.goals.script_csv", "script");
        if let Some(script) = reader.list(keys, &mut goals.script_csv, &goals.script, script_of) {
            goals.script = script;
        }
    }
    let Reader { mut faults, has_read, .. } = reader;
    if faults.is_empty() && has_read && hand_written(scenario).len() as u64 > SIZE_MAX {
        let message = format!("make the scenario larger than {} MiB with their files read into it", SIZE_MAX >> 20);
        faults.push(Fault::new("agents", message));
    }
    faults
}

/// Reads files and remembers what is wrong with them.
struct Reader<'a> {
    files: &'a dyn Files,
    faults: Vec<Fault>,
    has_read: bool,
}

impl Reader<'_> {
    /// The list in the file that a key names, if it names one. The key is emptied; the list that it stands for must be empty.
    fn list<T>(
        &mut self,
        (key, list_key): (&str, &str),
        name: &mut Option<String>,
        list: &[T],
        parse: impl Fn(&str) -> Result<Vec<T>, Clause>,
    ) -> Option<Vec<T>> {
        let name = name.take()?;
        self.has_read = true;
        let read = if list.is_empty() {
            text_of(&name, self.files).and_then(|text| parse(&text))
        } else {
            Err(format!(" cannot be read beside {list_key}: choose one of them"))
        };
        read.map_err(|why| self.faults.push(Fault::new(key, format!("{name:?}{why}")))).ok()
    }
}

fn text_of(name: &str, files: &dyn Files) -> Result<String, Clause> {
    String::from_utf8(files.read(name)?).map_err(|_| " is not UTF-8".to_owned())
}

fn start_of(text: &str) -> Result<Vec<StartSpec>, Clause> {
    let place = |row: NumberRow<3>| {
        let [x_mm, y_mm, heading_deg] = row.numbers.map(Option::unwrap_or_default);
        StartSpec { x_mm, y_mm, heading_deg }
    };
    Ok(read_numbers(text, &START, MAX_ROWS)?.into_iter().map(place).collect())
}

fn recording_of(text: &str) -> Result<Vec<RecordedPlace>, Clause> {
    let place = |row: NumberRow<4>| {
        let [time_s, foot, x_mm, y_mm] = row.numbers.map(Option::unwrap_or_default);
        RecordedPlace { time_s, foot: foot as u32, at_mm: [x_mm, y_mm] }
    };
    Ok(read_numbers(text, &RECORDING, MAX_ROWS)?.into_iter().map(place).collect())
}

fn script_of(text: &str, step_hz: u32) -> Result<Vec<GoalSpec>, Clause> {
    let goal = |NumberRow { line, numbers: [time_s, step, robot, x_mm, y_mm], .. }: NumberRow<5>| {
        let time_s = match (time_s, step) {
            (Some(time_s), None) => time_s,
            (None, Some(step)) => step / f64::from(step_hz),
            (None, None) => return Err(at(line, "time_s", "is missing, and so is step")),
            (Some(_), Some(_)) => return Err(at(line, "step", "stands beside time_s: choose one of them")),
        };
        let at_mm = match (x_mm, y_mm) {
            (Some(x_mm), Some(y_mm)) => Some([x_mm, y_mm]),
            (None, None) => None,
            (x_mm, _) => return Err(at(line, if x_mm.is_none() { "x_mm" } else { "y_mm" }, "is missing")),
        };
        Ok(GoalSpec { time_s, robot: robot.unwrap_or_default() as u32, at_mm })
    };
    read_numbers(text, &GOALS, MAX_ROWS)?.into_iter().map(goal).collect()
}
