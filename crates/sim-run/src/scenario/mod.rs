//! Scenario files: reading, checking, explaining.
//!
//! A file is JSON to the letter (no comments, no trailing commas). It is read in five steps, each in a file of its own, and
//! all that can be known to be wrong is reported at once, with its place in the text:
//!
//! 1. `input::tree`: text to a tree that remembers where everything stands; `--set` overrides are laid over it (`overrides`).
//! 2. `input::walk`: the tree against the JSON Schema, which is generated from the structs in [`spec`]. The schema that editors use
//!    and the checks made here are therefore the same thing.
//! 3. serde makes a [`Scenario`] of what passed, defaults filled in.
//! 4. `feasibility` for the mat, `road` for the road: what only several keys together can say (does the swarm fit, can it be safe, what is
//!    promised; does a car start in a wall). Files that a scenario names are read into it, so that it needs them no more.
//! 5. `params` for the mat, `road` for the road: the checked parameters of the models.
//!
//! What differs from world to world is listed in `worlds`.
//!
//! ```
//! use sim_run::scenario;
//!
//! let text = r#"{ "name": "mine", "world": "mat", "agents": { "cuont": 20 } }"#;
//! let error = scenario::parse(text, "mine.json", &[]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     r#"mine.json:1:47: agents.cuont: unknown key; did you mean "count"?"#
//! );
//! ```

mod build;
mod capacity;
mod encode;
mod feasibility;
mod hands;
mod load;
mod named;
mod params;
mod params_cube_drive;
mod params_cubes;
mod promise;
pub mod road;
mod schema;
pub mod spec;
mod spec_commands;
mod spec_cubes;
mod spec_feet;
mod spec_mat;
mod spec_program;
mod spec_script;
mod spec_sensing;
mod worlds;

pub(crate) use load::check_key;
pub use load::{Loaded, load, parse, parse_bytes, resolved_json};
pub(crate) use named::short_name;
pub use promise::Promise;
pub use schema::schema_json;
pub(crate) use schema::schema_of_world;
pub use sim_input::diagnostic::{Diagnostic, Diagnostics, Severity};
pub use sim_input::overrides::{Override, OverrideError};
pub use sim_input::text::SIZE_MAX;
pub use spec::{
    AgentSensingSpec, AgentsSpec, CubeDriveSpec, DriveSpec, FieldSpec, FilterSpec, GoalsSpec, LimitsSpec, MatScenario,
    NoiseSpec, SafetySpec, TraceSpec,
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
pub use spec_sensing::SensingSpec;
pub use worlds::{Scenario, World};
