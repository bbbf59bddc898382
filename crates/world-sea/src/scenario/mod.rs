//! Scenarios of the sea: what their files say ([`spec`](SeaScenario)), the files that these name in turn (`files`), and the model made of
//! both (`build*`).

mod build;
mod build_acoustics;
mod build_buoyancy;
mod build_driver;
mod build_places;
mod build_scanners;
mod build_sonar;
mod build_vehicle;
mod build_water;
mod files;
mod library;
mod spec;
mod spec_acoustics;
mod spec_scanners;
mod spec_sensors;
mod spec_sonar;
mod spec_vehicle;
mod spec_water;
mod vehicle_file;

pub use library::{names as vehicle_names, text as vehicle_text};
pub use spec::{
    ContactSpec, ForceSpec, FrameSpec, GeneratedSpec, HeightsSpec, HemisphereSpec, MaterialSpec, NamedPlaceSpec,
    OriginSpec, ParticlesSpec, ScriptSpec, SeaName, SeaScenario, SeaTraceSpec, TerrainSpec, UtmSpec,
};
pub(crate) use spec_acoustics::BYTES_MAX;
pub use spec_acoustics::{
    AcousticsSpec, ChannelSpec, LinearSpeedSpec, MessageSpec, ModemSpec, ModulationSpec, SoundSpeedSpec,
    TransceiverSpec, UsblSpec,
};
pub use spec_scanners::{DepthCameraSpec, LidarDevice, LidarSpec};
pub use spec_sensors::{
    AltimeterSpec, BatterySpec, CompassSpec, DvlDeviceName, DvlSpec, GnssSpec, ImuDevice, ImuSpec, LeakSpec, MountSpec,
    PressureSpec, RangeSpec, SensorsSpec,
};
pub use spec_sonar::{
    AcousticSpec, CompatSpec, ImagingSpec, MapSpec, MaterialName, MeshSpec, MultibeamSpec, ObjectSpec, PatternName,
    PingSpec, ScatteringSpec, SingleBeamSpec, SonarMode, SonarSpec, TargetSpec,
};
pub use spec_vehicle::{
    DriverSpec, EquipmentSpec, GainsSpec, HoverSpec, HoverTargetSpec, SetpointSpec, SetpointsSpec, StartSpec,
    TimedCommandSpec, VehicleSpec, WaypointSpec, WaypointsSpec,
};
pub use spec_water::{
    CurrentGridSpec, CurrentSpec, DriftSpec, FieldSpec, LayerSpec, PropellerFieldSpec, SphereSpec, WaterSpec,
    WavesKind, WavesSpec,
};
pub use vehicle_file::vehicle_schema;

use crate::model::SeaModel;
use serde_json::Value as Json;
use sim_input::checks::Checks;
use sim_input::diagnostic::{Fault, Severity};
use sim_world::Files;

impl SeaScenario {
    /// Reads the files that the scenario names into it and makes its model; all that is wrong goes to `checks`.
    ///
    /// `written` is the same scenario as its text says it, without defaults.
    pub(crate) fn complete(&mut self, written: &Json, files: &dyn Files, checks: &mut Checks<'_>) -> Option<SeaModel> {
        let (own, faults) = files::read_into(self, written, files);
        report(faults, checks);
        if checks.has_errors() {
            return None;
        }
        let mut faults = Vec::new();
        let model = self.build(&own, &mut faults);
        report(faults, checks);
        self.write_acoustics();
        self.origin.write_default();
        self.water.waves.write_defaults();
        model.filter(|_| !checks.has_errors())
    }
}

/// Hands faults on as errors or warnings.
fn report(faults: Vec<Fault>, checks: &mut Checks<'_>) {
    for fault in faults {
        match fault.severity {
            Severity::Warning if fault.origin.is_none() => checks.warning(&[&fault.path], fault.message),
            _ => checks.fault(fault),
        }
    }
}
