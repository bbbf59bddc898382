//! Scenarios of the mat: what their files say (`spec*`), what only several keys together can say (`feasibility`, `capacity`,
//! `guarantee`), and the checked parameters and models made of them (`params*`, `build`).

mod build;
mod capacity;
mod encode;
mod feasibility;
mod guarantee;
mod hands;
mod named;
mod params;
mod params_cube_drive;
mod params_cubes;
pub mod spec;
mod spec_commands;
mod spec_cubes;
mod spec_feet;
mod spec_mat;
mod spec_program;
mod spec_script;

pub use guarantee::SafetyGuarantee;
pub(crate) use named::short_name;
pub use spec::{
    AgentSensingSpec, AgentsSpec, CubeDriveSpec, DriveSpec, FieldSpec, FilterSpec, GoalsSpec, LimitsSpec, MatName,
    MatScenario, NoiseSpec, SafetySpec, TraceSpec,
};
pub use spec_commands::{
    AttitudeFormatSpec, CollisionThresholdSpec, ConnectionIntervalSpec, DoubleTapIntervalSpec, EffectSpec,
    FlatThresholdSpec, IdConditionSpec, IdMissedSpec, IdNotificationSpec, LightBlinkSpec, LightSequenceSpec, LightSpec,
    MagnetModeSpec, MotorAccelerateSpec, MotorRunForSpec, MotorRunSpec, MotorTargetSpec, MotorTargetsSpec,
    MovementSpec, MuteSpec, NoteSpec, NothingSpec, PowerOffSpec, PrioritySpec, RequestAttitudeSpec, SetAttitudeSpec,
    SetMagnetSpec, SetMuteSpec, SetSerializedInfoSpec, SetWheelSpeedSpec, SoundEffectSpec, SoundNotesSpec,
    SpeedCurveSpec, TurnSpec, WaypointSpec,
};
pub use spec_cubes::{CenterSpec, CubeSpec, LinkSpec, ProfileSpec, RadioSpec};
pub use spec_feet::{DestinationSpec, FeetSpec, GaitSpec, MannerSpec, PatchesSpec, TravelSpec};
pub use spec_mat::{CardSpec, ContactSpec, MagnetKindSpec, MagnetSpec, MatSpec, PrintedMatSpec, WallSpec};
pub use spec_program::CommandSpec;
pub use spec_script::{
    HandSpec, LiftSpec, PlaceSpec, PressSpec, PushSpec, ShakeSpec, SideSpec, TapSpec, TiltSpec, TurnHandSpec,
};
