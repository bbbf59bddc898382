//! What sonars look at: the bottom, what lies on it, and small targets.

use crate::model::VehicleSetup;
use sea_echo::{HeightGrid, Material, PointTarget, Surface, SurfaceSet, TriangleMesh};
use sea_sim::terrain::Terrain;
use sim_core::{DVec2, ParamError};
use std::sync::Arc;

/// A level bottom without borders, as a grid: half its side, m, and a cell of it, m. No ray goes beyond.
const LEVEL_HALF_M: f64 = 1e7;
const LEVEL_CELL_M: f64 = 1e5;

/// What sonars look at.
#[derive(Clone, Debug)]
pub(crate) struct EchoScene {
    /// The bottom, then each object.
    pub surface: SurfaceSet<Arc<dyn Surface>>,
    /// Their materials.
    materials: Vec<Material>,
    /// Small targets.
    pub targets: Vec<PointTarget>,
}

impl EchoScene {
    pub fn material_of(&self, triangle: u32) -> Material {
        self.materials[self.surface.part_of(triangle).0]
    }
}

/// An object on the bottom.
pub(crate) struct ObjectShape {
    pub mesh: TriangleMesh,
    pub material: Material,
}

/// The bottom as rays meet it: the same heights as the terrain, in the same two triangles a cell. None without a bottom, or if no vehicle
/// has anything that casts rays.
///
/// # Errors
/// If the bottom ends farther from the origin than rays go.
pub(crate) fn bottom(
    terrain: Option<&Terrain>,
    vehicles: &[VehicleSetup],
) -> Result<Option<Arc<HeightGrid>>, ParamError> {
    let Some(terrain) = terrain.filter(|_| vehicles.iter().any(VehicleSetup::casts_rays)) else { return Ok(None) };
    let grid = match terrain {
        Terrain::Flat(flat) => {
            let posts = (2.0 * LEVEL_HALF_M / LEVEL_CELL_M) as usize + 1;
            let heights_m = vec![flat.z_m(); posts * posts];
            HeightGrid::new(DVec2::splat(-LEVEL_HALF_M), LEVEL_CELL_M, posts, heights_m)
        }
        Terrain::Grid(grid) => {
            let params = grid.params();
            HeightGrid::new(params.origin_m, params.cell_m, params.columns, params.heights_m.clone())
        }
    };
    grid.map(|grid| Some(Arc::new(grid)))
}

/// What the sonars of these vehicles look at. None without a bottom, or if no vehicle has a sonar.
///
/// # Errors
/// If there are too many triangles.
pub(crate) fn scene(
    (grid, bottom): (Option<&Arc<HeightGrid>>, Material),
    vehicles: &[VehicleSetup],
    (objects, targets): (Vec<ObjectShape>, Vec<PointTarget>),
) -> Result<Option<EchoScene>, ParamError> {
    let Some(grid) = grid.filter(|_| vehicles.iter().any(|vehicle| !vehicle.sonars.is_empty())) else {
        return Ok(None);
    };
    let grid = Arc::clone(grid) as Arc<dyn Surface>;
    let materials = std::iter::once(bottom).chain(objects.iter().map(|object| object.material)).collect();
    let objects = objects.into_iter().map(|object| Arc::new(object.mesh) as Arc<dyn Surface>);
    let surface = SurfaceSet::new(std::iter::once(grid).chain(objects))?;
    Ok(Some(EchoScene { surface, materials, targets }))
}
