//! Mats, cards and walls that hands lay, put and take away, and what cubes then read and run into.

use crate::cubes::Cubes;
use crate::events::WorldEvent;
use crate::things::{Spot, ThingKind, Things};
use crate::world::MatModel;
use sim_core::{DVec2, ParamError, Tick};
use sim_world::StepError;
use toio_mat::PlanePose;
use toio_physics::Wall;

/// What a hand does to a thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handling {
    pub kind: ThingKind,
    pub number: usize,
    /// It is brought, else taken.
    pub brings: bool,
    /// Place of its middle, mm, if another one is given.
    pub place_mm: Option<DVec2>,
    /// Its yaw, if another one is given.
    pub yaw_rad: Option<f64>,
}

/// Moves a thing, and what cubes see of it or run into. Returns the event, if anything happened; a wall that would stand in a cube stays as
/// it is.
///
/// # Errors
/// If a place is out of its range.
pub(crate) fn handle(
    model: &MatModel,
    tick: Tick,
    handling: Handling,
    things: &mut Things,
    cubes: Option<&mut Cubes>,
) -> Result<Option<WorldEvent>, StepError> {
    let Handling { kind, number, brings, place_mm, yaw_rad } = handling;
    let Some(before) = things.spot(kind, number).filter(|spot| spot.is_there || brings) else { return Ok(None) };
    let position_mm = place_mm.unwrap_or(before.pose.position_mm);
    let heading_rad = yaw_rad.unwrap_or(before.pose.heading_rad);
    let first = Spot::first(PlanePose { position_mm, heading_rad }, brings);
    let spot = Spot { has_moved: model.things.spot(kind, number) != Some(first), ..first };
    let wall = (kind == ThingKind::Wall && brings).then(|| wall_at(model, number, spot.pose));
    if let Some(cube) = wall.and_then(|wall| cubes.as_deref().and_then(|cubes| cubes.cube_in_wall(&wall))) {
        return Ok(Some(WorldEvent::wall_put_refused(tick, number, cube)));
    }
    things.set(kind, number, spot);
    let wrong = |error: ParamError| StepError::other(tick, error);
    match (cubes, model.bodies.cubes()) {
        (Some(cubes), Some(fixed)) if kind == ThingKind::Wall => {
            cubes.set_wall(fixed, number, wall.as_ref()).map_err(wrong)?;
        }
        (Some(cubes), _) => cubes.lay(things.ground(&model.ground).map_err(wrong)?),
        (None, _) => {}
    }
    Ok(Some(WorldEvent::thing(tick, kind, number, brings.then_some(position_mm))))
}

/// A wall at a pose. At its first one it is the scenario's to the last bit.
fn wall_at(model: &MatModel, number: usize, pose: PlanePose) -> Wall {
    let first = model.walls[number];
    let is_first = model.things.spot(ThingKind::Wall, number).is_some_and(|spot| spot.pose == pose);
    if is_first { first } else { first.moved_to(pose.position_mm / 1000.0, pose.heading_rad) }
}
