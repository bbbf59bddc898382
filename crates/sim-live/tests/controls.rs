//! What a model lets people do is made of its own streams: a gesture cannot become a row that the model does not take.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use sim_run::scenario;
use sim_world::RowSpec;
use sim_worlds::WORLDS;
use std::path::Path;

#[test]
fn gestures_become_rows_of_streams_and_columns_that_there_are() {
    for (name, least) in [("swarm-30", 4), ("cubes-tour", 14), ("swarm-30-cubes", 4), ("car-traffic", 1)] {
        let file = Path::new("../../scenarios").join(name).with_extension("json");
        let model = scenario::load(WORLDS, &file, &[]).unwrap().model;
        let controls = model.controls();
        assert!(controls.len() >= least, "{name}: {}", controls.len());
        let is_known = |RowSpec { stream, cells }: &RowSpec| {
            let stream = model.inputs().iter().find(|known| known.name == *stream).unwrap();
            cells.iter().all(|(column, _)| stream.column(column).is_some())
        };
        for control in &controls {
            let rows = [Some(&control.row), control.lifted.as_ref(), control.end.as_ref()];
            assert!(rows.into_iter().flatten().all(is_known), "{name}: {}", control.about);
            let is_output = |of: &String| model.outputs().iter().any(|stream| stream.name == *of);
            assert!(control.of.iter().all(is_output) && control.times >= 1, "{name}: {}", control.about);
        }
    }
}
