//! Scenarios of the road: what their files say ([`spec`](RoadScenario)), the files that these name in turn (`files`), and the model made
//! of both (`build`).

mod build;
mod files;
mod spec;
mod spec_driver;
mod spec_sensors;

pub use spec::{CarParamsSpec, CarSpec, MapSpec, RoadName, RoadScenario, RoadTraceSpec, StartSpec};
pub use spec_driver::{DriverSpec, RecordingSpec, TimedCommandSpec, WaypointsSpec};
pub use spec_sensors::{ImuSpec, LidarMountSpec, LidarSpec, OdometrySpec, PositionSpec, SensorMountSpec, SensorsSpec};

use crate::model::RoadModel;
use sim_input::checks::Checks;
use sim_world::Files;

impl RoadScenario {
    /// Reads the files that the scenario names into it and makes its model; all that is wrong goes to `checks`.
    pub(crate) fn complete(&mut self, files: &dyn Files, checks: &mut Checks<'_>) -> Option<RoadModel> {
        files::read_into(self, files).into_iter().for_each(|fault| checks.fault(fault));
        if !checks.faults.is_empty() {
            return None;
        }
        let mut faults = Vec::new();
        let model = self.build(&mut faults);
        faults.into_iter().for_each(|fault| checks.fault(fault));
        model.filter(|_| checks.faults.is_empty())
    }
}
