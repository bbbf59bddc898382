//! Scenario files: reading, checking, explaining.
//!
//! A file is JSON to the letter (no comments, no trailing commas). It is read in five steps, each in a file of its own, and
//! all that can be known to be wrong is reported at once, with its place in the text:
//!
//! 1. `tree`: text to a tree that remembers where everything stands; `--set` overrides are laid over it (`overrides`).
//! 2. `walk`: the tree against the JSON Schema, which is generated from the structs in [`spec`]. The schema that editors use
//!    and the checks made here are therefore the same thing.
//! 3. serde makes a [`Scenario`] of what passed, defaults filled in.
//! 4. `feasibility`: what only several keys together can say (does the swarm fit, can it be safe, what is promised).
//! 5. `params`: the checked parameters of the models.
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
mod diagnostic;
mod feasibility;
mod load;
mod nearest;
mod overrides;
mod params;
mod promise;
mod schema;
pub mod spec;
mod spec_feet;
mod tree;
mod walk;
mod words;
mod write;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use load::{Loaded, SIZE_MAX, load, parse, parse_bytes};
pub use overrides::{Override, OverrideError};
pub use promise::Promise;
pub use schema::schema_json;
pub use spec::{
    AgentsSpec, DriveSpec, FieldSpec, FilterSpec, GoalsSpec, LimitsSpec, MatSpec, NoiseSpec, SafetySpec, Scenario,
    TraceSpec, World,
};
pub use spec_feet::{DestinationSpec, FeetSpec, GaitSpec, MannerSpec, PatchesSpec, TravelSpec};
pub use write::resolved_json;
