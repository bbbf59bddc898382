//! What a view must keep to before anything of it is drawn.

use super::layout::STEEPEST;
use crate::error::ViewError;
use sim_world::View;
use sim_world::view::{Draw, Raster};

/// A picture with a height of its own is at least this many times as high as wide.
const FLATTEST: f64 = 0.05;

/// Checks the projections and rasters of a view.
///
/// # Errors
/// If it has no projection, a height is out of range, a mark names a projection or a raster that is not there, or a raster is no grid.
pub(crate) fn check(view: &View) -> Result<(), ViewError> {
    match problem(view) {
        Some(problem) => Err(ViewError::Wrong(format!("view.json: {problem}"))),
        None => Ok(()),
    }
}

fn problem(view: &View) -> Option<String> {
    if view.projections.is_empty() {
        return Some("it has no projection".to_owned());
    }
    let mut heights = view.projections.iter().filter_map(|projection| projection.height);
    if let Some(height) = heights.find(|height| !(FLATTEST..=STEEPEST).contains(height)) {
        return Some(format!("a projection has height {height}, must be from {FLATTEST} to {STEEPEST}"));
    }
    let has = |name: &String| view.projections.iter().any(|projection| projection.name == *name);
    if let Some(name) = view.marks.iter().flat_map(|mark| &mark.projections).find(|name| !has(name)) {
        return Some(format!("a mark names projection {name:?}, which is not there"));
    }
    view.marks.iter().find_map(|mark| match &mark.draw {
        Draw::Raster(raster) if !is_grid(raster) => {
            Some(format!("raster {:?} needs rows of two values or more, and ends and steps that grow", raster.name))
        }
        Draw::Profile { raster, .. } if raster_of(view, raster).is_none() => {
            Some(format!("a profile names raster {raster:?}, which is not there"))
        }
        _ => None,
    })
}

fn is_grid(raster: &Raster) -> bool {
    let Raster { from, step, columns, values, range: [low, high], colors, .. } = raster;
    let is_full = *columns >= 2 && values.len() >= 2 * columns && values.len() % columns == 0;
    let is_finite = from.iter().chain([low, high]).chain(values.iter().flatten()).all(|value| value.is_finite());
    is_full && is_finite && step.iter().all(|step| *step > 0.0 && step.is_finite()) && low < high && !colors.is_empty()
}

/// The raster with a name.
pub(super) fn raster_of<'a>(view: &'a View, name: &str) -> Option<&'a Raster> {
    view.marks.iter().find_map(|mark| match &mark.draw {
        Draw::Raster(raster) if raster.name == name => Some(raster),
        _ => None,
    })
}
