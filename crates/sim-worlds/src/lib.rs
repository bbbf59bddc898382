//! The registry: the list of worlds, one line each, a feature each.

use sim_world::{WorldKind, Worlds};

const KINDS: &[&dyn WorldKind] = &[
    #[cfg(feature = "mat")]
    &world_mat::Mat,
    #[cfg(feature = "road")]
    &world_road::Road,
    #[cfg(feature = "sea")]
    &world_sea::Sea,
];

/// All worlds, in the order in which they are listed.
pub const WORLDS: Worlds = Worlds(KINDS);
