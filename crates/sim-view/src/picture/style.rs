//! How a run is drawn.

use crate::error::ViewError;
use crate::theme::Theme;
use sim_world::View;
use std::collections::BTreeSet;

/// Layer of the grid and its scale, in every picture.
pub const GRID: &str = "grid";
/// Layer of the words and numbers beside the plane, in every picture.
pub const PANEL: &str = "panel";

/// How a run is drawn.
#[derive(Clone, Debug)]
pub struct Style {
    /// Width of the picture in px.
    pub width_px: f64,
    /// Its colours.
    pub theme: Theme,
    /// Names of layers that are shown beside the usual ones.
    pub show: Vec<String>,
    /// Names of layers that are left out.
    pub hide: Vec<String>,
}

/// A style for a view.
#[derive(Debug)]
pub(super) struct ViewStyle {
    pub width_px: f64,
    pub theme: Theme,
    /// Names of the layers that are shown.
    layers: BTreeSet<String>,
}

impl Style {
    /// With the usual layers.
    #[must_use]
    pub fn new(width_px: f64, theme: Theme) -> Self {
        Self { width_px, theme, show: Vec::new(), hide: Vec::new() }
    }

    /// The same for the layers of a view.
    ///
    /// # Errors
    /// If a layer is to be shown or left out that the view does not have.
    pub(super) fn for_view(self, view: &View) -> Result<ViewStyle, ViewError> {
        let known: Vec<&str> = view.layers.iter().map(|layer| layer.name.as_str()).chain([GRID, PANEL]).collect();
        if let Some(name) = self.show.iter().chain(&self.hide).find(|name| !known.contains(&name.as_str())) {
            let words = format!("the run has no layer {name:?}; its layers are {}", known.join(", "));
            return Err(ViewError::Wrong(words));
        }
        let usual = view.layers.iter().filter(|layer| layer.is_shown).map(|layer| layer.name.clone());
        let shown = usual.chain([GRID, PANEL].map(str::to_owned)).chain(self.show);
        let layers = shown.filter(|name| !self.hide.contains(name)).collect();
        Ok(ViewStyle { width_px: self.width_px, theme: self.theme, layers })
    }
}

impl ViewStyle {
    pub fn shows(&self, layer: &str) -> bool {
        self.layers.contains(layer)
    }
}
