//! How a run is drawn.

use crate::theme::Theme;
use std::collections::BTreeSet;

/// Something that can be shown or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The potential in colours.
    Heat,
    /// The grid.
    Grid,
    /// Centres and radii of patches.
    Patches,
    /// Where feet will be: an ellipse for each of [`ELLIPSES_S`](super::ELLIPSES_S).
    Ellipses,
    /// Feet where they are.
    Feet,
    /// Distances that must be kept, as circles.
    Limits,
    /// Where cars were in the last seconds.
    Trails,
    /// What lidars saw.
    Scans,
    /// Velocities as arrows.
    Velocities,
    /// The velocities that robots would have liked.
    Wishes,
    /// Numbers of robots, feet and cars.
    Ids,
    /// The words and numbers beside the plane.
    Panel,
}

impl Layer {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Heat,
        Self::Grid,
        Self::Patches,
        Self::Ellipses,
        Self::Feet,
        Self::Limits,
        Self::Trails,
        Self::Scans,
        Self::Velocities,
        Self::Wishes,
        Self::Ids,
        Self::Panel,
    ];

    /// What is shown unless somebody says otherwise: all but the wishes.
    #[must_use]
    pub fn usual() -> BTreeSet<Self> {
        Self::ALL.into_iter().filter(|layer| *layer != Self::Wishes).collect()
    }
}

/// How a run is drawn.
#[derive(Clone, Debug)]
pub struct Style {
    /// Width of the picture in px.
    pub width_px: f64,
    /// Its colours.
    pub theme: Theme,
    /// What is shown.
    pub layers: BTreeSet<Layer>,
}

impl Style {
    pub(super) fn shows(&self, layer: Layer) -> bool {
        self.layers.contains(&layer)
    }
}
