//! The sea: vehicles in moving water over a bottom, with actuators, sensors and drivers.
//!
//! [`Sea`] is the kind of world, [`SeaModel`] is fixed for a run, [`SeaWorld`] is one run. [`SeaWorld::step_with`] is the table of contents
//! of a step.
//!
//! It must not know other worlds, files or how runs are written.

mod acoustic_tables;
mod acoustics;
mod bodies;
mod charts;
mod control;
mod events;
mod forces;
mod inputs;
mod inspector;
mod kind;
mod loads;
mod model;
mod network;
mod particles;
mod phases;
mod pilot;
mod place;
mod readings;
mod scanner;
pub mod scenario;
mod senses;
mod sonar;
mod sonar_scene;
mod sonar_setup;
mod sonar_tables;
mod sound;
mod sound_ways;
mod streams;
mod survey;
mod touch;
mod view;
mod waypoints;
mod world;

pub use acoustics::{
    AcousticLog, AcousticState, AcousticsModel, Medium, Message, ModemRun, ModemSetup, PacketKind, PathArrival,
    Ranging, Reception, ScheduledMessage, Usbl, Waiting,
};
pub use control::ControlSource;
pub use events::{EventObject, SeaEvent};
pub use inspector::{MEASURES, SeaInspector, limit};
pub use kind::Sea;
pub use model::{
    Beacon, Probe, ScriptEntry, ScriptedChange, SeaModel, SensorKind, SensorSetup, VehicleSetup, WavesModel,
};
pub use pilot::{DriverModel, Helm, Hover, Pilot, Plan, Setpoint, Steering, TimedSetpoint, TimedTarget};
pub use readings::{Arrival, Readings};
pub use scanner::{ScannerKind, ScannerParams, ScannerSetup};
pub use scenario::SeaScenario;
pub use sonar::{Device, Display, Extras, Imager, Scan, SonarKind, SonarSetup};
pub use world::{Conditions, SeaScratch, SeaState, SeaWorld, VehicleRun};
