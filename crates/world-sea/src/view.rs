//! How the sea is drawn.

use crate::model::SeaModel;
use sim_world::View;

/// How a run on the sea is drawn.
#[must_use]
pub fn view(_model: &SeaModel) -> View {
    View { unit: "m".into(), ..View::default() }
}
