//! Scenarios of the mat: what their files say (`spec*`), what only several keys together can say (`feasibility`, `capacity`,
//! `guarantee`), and the checked parameters and models made of them (`params*`, `build`).

mod build;
mod capacity;
mod encode;
mod feasibility;
mod files;
mod goals;
mod guarantee;
mod hands;
mod measured;
mod movable;
mod named;
mod obstacles;
mod params;
mod params_cube_drive;
mod params_cubes;
mod shape;
pub mod spec;
mod spec_agents;
mod spec_behaviour;
mod spec_commands;
mod spec_cubes;
mod spec_mat;
mod spec_program;
mod spec_script;
mod spec_standing;
mod standing;
mod start;

pub use guarantee::SafetyGuarantee;
pub(crate) use hands::STAYING;
pub(crate) use named::short_name;
pub use spec::{AgentSensingSpec, AgentsSpec, CubeDriveSpec, DriveSpec, MatName, MatScenario, SafetySpec, TraceSpec};
pub use spec_agents::{GoalSpec, GoalsSpec, OutlineSpec, ShapeSpec, StartSpec};
pub use spec_behaviour::{AttitudeSpec, BatterySpec, BehaviourSpec};
pub use spec_commands::{
    CollisionThresholdSpec, ConnectionIntervalSpec, DoubleTapIntervalSpec, EffectSpec, FlatThresholdSpec, IdMissedSpec,
    IdNotificationSpec, LightBlinkSpec, LightSequenceSpec, LightSpec, MotorAccelerateSpec, MotorRunForSpec,
    MotorTargetSpec, MotorTargetsSpec, NoteSpec, NothingSpec, PowerOffSpec, RequestAttitudeSpec, SetAttitudeSpec,
    SetMagnetSpec, SetMuteSpec, SetSerializedInfoSpec, SetWheelSpeedSpec, SoundEffectSpec, SoundNotesSpec,
    WaypointSpec,
};
pub use spec_cubes::{CenterSpec, CubeSpec, LinkSpec, RadioSpec};
pub use spec_mat::{
    CardSpec, ContactSpec, MagnetKindSpec, MagnetSpec, MatSpec, ObstacleSpec, PrintedMatSpec, WallSpec,
};
pub use spec_program::CommandSpec;
pub use spec_script::{
    HandSpec, LiftSpec, PlaceSpec, PressSpec, PushSpec, ShakeSpec, SideSpec, TapSpec, TiltSpec, TurnHandSpec,
};
pub use spec_standing::{BorderSpec, ChargerSpec};
