//! Scenarios of the road: what their files say ([`spec`](RoadScenario)), the files that these name in turn (`files`), and the model made
//! of both (`build`).

mod build;
mod files;
mod spec;
mod spec_driver;
mod spec_sensors;

pub use spec::{CarParamsSpec, CarSpec, LidarRowsSpec, MapSpec, RoadScenario, RoadTraceSpec, StartSpec};
pub use spec_driver::{DriverSpec, RecordingSpec, TimedCommandSpec, WallHandSpec, WallSpec, WaypointsSpec};
pub use spec_sensors::{ImuSpec, LidarMountSpec, LidarSpec, OdometrySpec, PositionSpec, SensorMountSpec, SensorsSpec};

use sim_input::checks::Checks;
use sim_input::diagnostic::Fault;
use sim_input::tree::Node;
use std::collections::BTreeSet;
use std::path::Path;

/// Reads the files that a scenario names into it and says what is wrong with them, or with several keys together.
pub(super) fn complete(
    scenario: &mut RoadScenario,
    root: &Node,
    known_wrong: &BTreeSet<String>,
    folder: &Path,
) -> Vec<Fault> {
    let mut checks = Checks::new(root, known_wrong);
    files::read_into(scenario, folder).into_iter().for_each(|fault| checks.fault(fault));
    if checks.faults.is_empty() {
        scenario.faults().into_iter().for_each(|fault| checks.fault(fault));
    }
    checks.faults
}
