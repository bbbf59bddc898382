//! Three behaviours of a designer, with and without the safety filter, with and without a foot that never waits.
//!
//! ```text
//! cargo run --release -p examples --bin behaviours -- out/behaviours
//! sim-cli run out/behaviours/march-joint-foot/scenario.json --out out/again
//! ```
//!
//! The first line prints a table of [figures] over eight runs of each case, two minutes each; a number after the folder is another
//! count of runs. The folder gets the first run of each case, and a picture of them, `behaviours.png`. The second line repeats such a
//! run from its record, bit for bit.

#![expect(clippy::print_stdout, reason = "it is a program")]

mod figures;
mod laws;
mod picture;

use figures::{Figures, HEAD, Moment, Run};
use laws::{BEHAVIOURS, Behaviour};
use picture::Panel;
use sim_core::DVec2;
use sim_run::{RunError, RunOptions, Session, scenario};
use sim_world::{Input, Value};
use sim_worlds::WORLDS;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Runs of a case, if no other number is given.
const RUNS: u64 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let out: PathBuf = words.next().ok_or("give a folder, and if you like a number of runs")?.into();
    let runs = words.next().map_or(Ok(RUNS), |word| count(&word.to_string_lossy()))?;
    println!("{HEAD}");
    let mut panels = Vec::new();
    for case in BEHAVIOURS.iter().flat_map(cases) {
        let runs = (0..runs).map(|index| case.run(index, &out)).collect::<Result<Vec<_>, _>>()?;
        let figures = Figures::from_runs(case.behaviour, &runs);
        println!("| {} | {} | {} {figures}", case.behaviour.name, case.filter, case.feet);
        // The filter without a plan is a measuring stick, which has no column in the picture.
        let first = runs.into_iter().next().filter(|_| case.filter != "nearest");
        panels.extend(first.map(|run| Panel { behaviour: case.behaviour, run, figures }));
    }
    picture::write(&panels, &out.join("behaviours.png"))
}

fn count(word: &str) -> Result<u64, String> {
    word.parse().ok().filter(|runs| *runs > 0).ok_or_else(|| format!("{word} is no number of runs"))
}

/// A behaviour among so many feet, with a filter.
struct Case {
    behaviour: &'static Behaviour,
    filter: &'static str,
    feet: u32,
}

/// All cases of a behaviour, in the order of the columns of the picture.
fn cases(behaviour: &'static Behaviour) -> [Case; 5] {
    let cases = [("none", 0), ("joint", 0), ("none", 1), ("joint", 1), ("nearest", 1)];
    cases.map(|(filter, feet)| Case { behaviour, filter, feet })
}

impl Case {
    /// Makes a run; the first one is also written into a folder below `out`.
    fn run(&self, run_index: u64, out: &Path) -> Result<Run, Box<dyn Error>> {
        let name = self.name();
        let loaded = scenario::parse(WORLDS, &self.scenario(), &name, &[])?;
        let options = if run_index == 0 { loaded.options(out.join(name)) } else { RunOptions::default() };
        let mut session = Session::start(&loaded.model, loaded.model.key(run_index), &options)?;
        let wishes = session.input("wishes")?;
        let mut now = self.moment(&session)?;
        let mut moments = Vec::new();
        while !session.is_done() {
            let row = |(robot, place_mm): (usize, &DVec2)| {
                let [vx_mm_s, vy_mm_s] = self.behaviour.wish_mm_s(robot, *place_mm, now.time_s).to_array();
                [Value::from(robot), vx_mm_s.into(), vy_mm_s.into()]
            };
            let rows: Vec<_> = now.robots_mm.iter().enumerate().map(row).collect();
            session.step(&Input::rows(wishes, &rows))?;
            now = self.moment(&session)?;
            moments.push(now.clone());
        }
        Ok(Run { moments, metrics: session.finish()?.metrics })
    }

    fn name(&self) -> String {
        format!("{}-{}{}", self.behaviour.name, self.filter, if self.feet > 0 { "-foot" } else { "" })
    }

    /// Robots begin at their goals.
    fn scenario(&self) -> String {
        let Self { behaviour: Behaviour { robots, .. }, filter, feet } = self;
        let place = |robot| {
            let [x_mm, y_mm] = self.behaviour.goal(robot, 0.0).place_mm.to_array();
            format!(r#"{{ "x_mm": {x_mm}, "y_mm": {y_mm} }}"#)
        };
        let start = (0..*robots).map(place).collect::<Vec<_>>().join(", ");
        format!(
            r#"{{ "name": "{}", "world": "mat", "steps": 7200, "patches": {{ "count": 0 }}, "safety": {{ "filter": "{filter}" }},
              "feet": {{ "count": {feet}, "travel": "core", "manner": "stubborn" }},
              "agents": {{ "count": {robots}, "drive": "point", "start": [{start}] }} }}"#,
            self.name()
        )
    }

    fn moment(&self, session: &Session) -> Result<Moment, RunError> {
        let places = |stream| session.numbers(stream, ["x_mm", "y_mm"]);
        let foot = if self.feet > 0 { places("feet")?.first().copied() } else { None };
        Ok(Moment {
            time_s: session.time_s(),
            robots_mm: places("agents")?.into_iter().map(DVec2::from).collect(),
            foot_mm: foot.map(DVec2::from),
        })
    }
}
