//! A session with its doors, as the loop of a live session drives them: step by step, without a clock on the wall.

use sim_live::link::{Link, LinkOptions};
use sim_live::{Door, Inbox};
use sim_run::{Control, Model, Recording, RunOptions, Session, run_one, scenario};
use sim_worlds::WORLDS;
use std::path::Path;
use std::sync::Arc;

/// Two cubes on a mat that wait for clients.
const CUBES: &str = r#"{ "name": "link", "world": "mat", "steps": 100000,
  "mat": { "width_mm": 600, "height_mm": 480, "printed": [{ "kind": "simple", "x_mm": 300, "y_mm": 240 }] },
  "feet": { "count": 0 }, "patches": { "count": 0 }, "agents": { "count": 0 },
  "cubes": [
    { "name": "a", "at_dot": [200, 250], "connected": false, "radio": { "link": "perfect" } },
    { "name": "b", "at_dot": [300, 250], "connected": false, "radio": { "link": "perfect" } }] }"#;

/// A session with its doors, as the loop of a live session drives them.
pub struct Stage {
    pub session: Session,
    pub link: Link,
    pub inbox: Inbox,
    pub folder: tempfile::TempDir,
}

impl Stage {
    pub fn new(options: &LinkOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let loaded = scenario::parse(WORLDS, CUBES, "link.json", &[]).unwrap();
        let run = loaded.options(folder.path().join("run"));
        let session = Session::start(&loaded.model, loaded.model.key(0), &run).unwrap();
        let mut link = Link::open(&*loaded.model, folder.path().join("doors"), options).unwrap();
        link.begin(&session);
        Self { session, link, inbox: Inbox::default(), folder }
    }

    pub fn hear(&mut self) {
        self.link.hear(&self.session, &mut self.inbox);
    }

    pub fn step(&mut self) {
        self.hear();
        self.inbox.step(&mut self.session).unwrap();
        self.link.tell(&self.session);
    }

    /// Ends the session. What programs did is in the record: the run repeats without them.
    pub fn repeats(self) -> bool {
        let (tick, hash) = (self.session.tick(), self.session.state_hash());
        let Self { session, folder, .. } = self;
        session.finish_here().unwrap();
        repeated(folder.path(), tick.0) == hash
    }

    pub fn hand(&mut self, cube: i64, does: &'static str) {
        let place = self.session.input("hands").unwrap();
        let stream = &self.session.model().inputs()[place];
        let mut row = vec![sim_world::Value::Missing; stream.columns.len()];
        (row[0], row[1]) = (sim_world::Value::Integer(cube), sim_world::Value::Text(does));
        assert!(self.inbox.push(place, &row));
    }
}

/// End state of the run whose record lies in a folder.
pub fn repeated(folder: &Path, steps: u64) -> u64 {
    let loaded = scenario::load(WORLDS, &folder.join("run/scenario.json"), &[]).unwrap();
    let model: &Arc<dyn Model> = &loaded.model;
    assert_eq!(model.info().steps, steps);
    let inputs: Arc<Recording> = Arc::clone(&loaded.options(folder.join("again")).inputs);
    let options = RunOptions { inputs, ..RunOptions::default() };
    run_one(model, model.key(0), &options, &Control::none()).unwrap().final_state_hash
}
