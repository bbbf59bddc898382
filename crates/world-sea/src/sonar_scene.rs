//! What sonars look at: the bottom, what lies on it, hulls, ropes, and small targets.

use crate::bodies;
use crate::model::{SeaModel, VehicleSetup};
use crate::world::VehicleRun;
use sea_echo::{
    Bodies, Body, BodyShape, Capsule, HeightGrid, Material, PointTarget, Surface, SurfaceSet, TriangleMesh, WithBodies,
};
use sea_sim::terrain::Terrain;
use sim_core::{DVec2, DVec3, ParamError};
use std::sync::Arc;

/// A level bottom without borders, as a grid: half its side, m, and a cell of it, m. No ray goes beyond.
const LEVEL_HALF_M: f64 = 1e7;
const LEVEL_CELL_M: f64 = 1e5;

/// Number of the bottom among what is told apart; vehicles follow in their order, then objects, then ropes. 0 is nothing.
pub(crate) const BOTTOM: u32 = 1;

/// Number of a vehicle.
pub(crate) fn vehicle_instance(vehicle: usize) -> u32 {
    vehicle as u32 + BOTTOM + 1
}

/// What sonars look at.
#[derive(Clone, Debug)]
pub(crate) struct EchoScene {
    /// The bottom, then each fixed object.
    fixed: SurfaceSet<Arc<dyn Surface>>,
    /// Their materials and numbers.
    labels: Vec<(Material, u32)>,
    /// Small targets.
    pub targets: Vec<PointTarget>,
    /// By vehicle.
    hulls: Vec<HullMaterial>,
    /// Objects on vehicles.
    carried: Vec<ObjectShape>,
    ropes: Vec<Rope>,
    /// Height of still water, m.
    level_m: f64,
}

/// What a hull is made of, and whether objects stand in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullMaterial {
    pub material: Material,
    pub is_replaced: bool,
}

/// An object in the world, or on a vehicle.
#[derive(Clone, Debug)]
pub(crate) struct ObjectShape {
    pub vehicle: Option<usize>,
    pub mesh: Arc<TriangleMesh>,
    pub material: Material,
    pub instance: u32,
}

/// A chain of capsules.
#[derive(Clone, Debug)]
pub(crate) struct Rope {
    pub points: Vec<RopePoint>,
    pub radius_m: f64,
    pub material: Material,
    pub instance: u32,
}

/// A place in the world, or along the axes of a vehicle, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RopePoint {
    pub vehicle: Option<usize>,
    pub place_m: DVec3,
}

/// What a scene is made of beside the bottom.
pub(crate) struct SceneParts {
    pub bottom: Material,
    pub objects: Vec<ObjectShape>,
    pub targets: Vec<PointTarget>,
    pub hulls: Vec<HullMaterial>,
    pub ropes: Vec<Rope>,
    pub level_m: f64,
}

/// The scene as the sonars of a vehicle meet it.
pub(crate) type SonarView<'a> = WithBodies<'a, SurfaceSet<Arc<dyn Surface>>>;

impl EchoScene {
    /// Puts the bodies where vehicles are now: hulls in the order of the vehicles, objects on them, ropes.
    pub fn place_bodies(&self, model: &SeaModel, vehicles: &[VehicleRun], placed: &mut Bodies) {
        placed.clear();
        for (number, (setup, run)) in model.vehicles.iter().zip(vehicles).enumerate() {
            let HullMaterial { material, is_replaced } = self.hulls[number];
            let (owner, instance) = (Some(number as u32), vehicle_instance(number));
            let capsules = bodies::capsules(setup, run).filter(|_| !is_replaced);
            capsules.for_each(|capsule| {
                placed.push(Body { shape: BodyShape::Capsule(capsule), material, owner, instance });
            });
        }
        for ObjectShape { vehicle, mesh, material, instance } in &self.carried {
            let Some(number) = *vehicle else { continue };
            let pose = vehicles[number].motion.body.pose();
            let shape = BodyShape::Mesh(Arc::clone(mesh), pose.position_m, pose.world_from_body);
            let owner = Some(number as u32);
            placed.push(Body { shape, material: *material, owner, instance: *instance });
        }
        for rope in &self.ropes {
            let place_m = |point: &RopePoint| match point.vehicle {
                Some(number) => vehicles[number].motion.body.pose().point_m(point.place_m),
                None => point.place_m,
            };
            for pair in rope.points.windows(2) {
                let capsule = Capsule { ends_m: [place_m(&pair[0]), place_m(&pair[1])], radius_m: rope.radius_m };
                let shape = BodyShape::Capsule(capsule);
                placed.push(Body { shape, material: rope.material, owner: None, instance: rope.instance });
            }
        }
    }

    /// What the sonars of a vehicle meet.
    pub fn seen_by<'a>(&'a self, vehicle: usize, bodies: &'a Bodies) -> SonarView<'a> {
        WithBodies { fixed: &self.fixed, bodies, own: vehicle as u32, surface_z_m: self.level_m }
    }

    /// Material and number of a triangle.
    pub fn label(&self, seen: &SonarView<'_>, triangle: u32) -> (Material, u32) {
        let fixed = || self.labels[self.fixed.part_of(triangle).0];
        seen.body_of(triangle).map_or_else(fixed, |(body, _)| (body.material, body.instance))
    }
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
    grid: Option<&Arc<HeightGrid>>,
    vehicles: &[VehicleSetup],
    parts: SceneParts,
) -> Result<Option<EchoScene>, ParamError> {
    let Some(grid) = grid.filter(|_| vehicles.iter().any(|vehicle| !vehicle.sonars.is_empty())) else {
        return Ok(None);
    };
    let SceneParts { bottom, objects, targets, hulls, ropes, level_m } = parts;
    let (carried, lying): (Vec<_>, Vec<_>) = objects.into_iter().partition(|object| object.vehicle.is_some());
    let grid = Arc::clone(grid) as Arc<dyn Surface>;
    let of_objects = lying.iter().map(|object| (object.material, object.instance));
    let labels = std::iter::once((bottom, BOTTOM)).chain(of_objects).collect();
    let meshes = lying.into_iter().map(|object| object.mesh as Arc<dyn Surface>);
    let fixed = SurfaceSet::new(std::iter::once(grid).chain(meshes))?;
    Ok(Some(EchoScene { fixed, labels, targets, hulls, carried, ropes, level_m }))
}
