//! From walls, border and chargers to what stands on the plane.

use sim_core::{DVec2, Rect};
use sim_input::diagnostic::Fault;
use toio_mat::{Ground, PlanePose};
use toio_physics::{Footprint, Wall};

use super::spec::MatScenario;
use super::spec_mat::{WallSpec, default_wall_height_mm, default_wall_thickness_mm};
use super::spec_standing::BorderSpec;
use crate::cubes::{Charger, CubeModel};
use crate::events::EventObject;

/// What stands on the plane.
#[derive(Debug)]
pub(super) struct Standing {
    /// The walls of the scenario.
    pub walls: Vec<Wall>,
    /// Numbers of those that are away at the start.
    pub away_walls: Vec<usize>,
    /// The rectangle inside the rim.
    inside_rim_mm: Option<Rect>,
    /// The chargers.
    pub chargers: Vec<Charger>,
    /// The obstacles, edge by edge.
    obstacle_edges: Vec<Vec<Wall>>,
}

/// Thickness of the walls that stand for the edges of an obstacle, mm: they lie inside.
const EDGE_MM: f64 = 2.0;

impl MatScenario {
    /// What stands on the plane, on which `ground` lies.
    pub(super) fn standing(&self, ground: &Ground) -> Standing {
        let walls: Vec<Wall> = self.mat.walls.iter().map(wall).collect();
        let charger = |spec: &super::ChargerSpec| Charger {
            pose: PlanePose::new(spec.x_mm, spec.y_mm, spec.yaw_deg.to_radians()),
            current_ma: spec.current_ma,
        };
        let chargers: Vec<Charger> = self.chargers.iter().map(charger).collect();
        let obstacle_edges: Vec<Vec<Wall>> = self
            .obstacle_rings()
            .zip(&self.mat.obstacles)
            .map(|(ring, spec)| ring.edges_mm().map(|edge| edge_wall(edge, spec.height_mm)).collect())
            .collect();
        let inside_rim_mm = (self.mat.border == BorderSpec::Rim).then(|| {
            let printed_mm = ground.mats().iter().flat_map(|mat| mat.corners_mm());
            let blocks_mm = chargers.iter().flat_map(|charger| corners_mm(&charger.block()));
            let standing_mm = walls.iter().chain(obstacle_edges.iter().flatten()).flat_map(corners_mm).chain(blocks_mm);
            extent_mm(self.mat_rect(), printed_mm.chain(standing_mm))
        });
        let is_away = |(index, spec): (usize, &WallSpec)| spec.away.then_some(index);
        let away_walls = self.mat.walls.iter().enumerate().filter_map(is_away).collect();
        Standing { walls, away_walls, inside_rim_mm, chargers, obstacle_edges }
    }
}

/// An edge of an obstacle, with the outside to its right as y runs up, as a wall just inside.
fn edge_wall([from_mm, to_mm]: [DVec2; 2], height_mm: f64) -> Wall {
    let inwards_mm = (to_mm - from_mm).perp().normalize_or_zero() * (0.5 * EDGE_MM);
    Wall {
        from_m: (from_mm + inwards_mm) / 1000.0,
        to_m: (to_mm + inwards_mm) / 1000.0,
        height_m: height_mm / 1000.0,
        thickness_m: EDGE_MM / 1000.0,
    }
}

pub(super) fn wall(spec: &WallSpec) -> Wall {
    let mm = |[x, y]: [f64; 2]| DVec2::new(x, y) / 1000.0;
    Wall {
        from_m: mm(spec.from_mm),
        to_m: mm(spec.to_mm),
        height_m: spec.height_mm / 1000.0,
        thickness_m: spec.thickness_mm / 1000.0,
    }
}

/// True if all of a cube is on the inner side of an edge of an obstacle.
fn is_left_of(edge: &Wall, cube: &Footprint) -> bool {
    let way_m = edge.to_m - edge.from_m;
    cube.corners_m().into_iter().all(|corner_m| way_m.perp_dot(corner_m - edge.from_m) > 0.0)
}

/// As high and thick as a wall of which nothing is said.
fn rim(inside_mm: Rect) -> [Wall; 4] {
    let inside_m = Rect { min: inside_mm.min / 1000.0, max: inside_mm.max / 1000.0 };
    Wall::around(inside_m, default_wall_height_mm() / 1000.0, default_wall_thickness_mm() / 1000.0)
}

pub(super) fn corners_mm(wall: &Wall) -> [DVec2; 4] {
    Footprint::from_wall(wall).corners_m().map(|corner_m| corner_m * 1000.0)
}

/// The least rectangle that holds another one and all places.
fn extent_mm(rect_mm: Rect, places_mm: impl Iterator<Item = DVec2>) -> Rect {
    places_mm.fold(rect_mm, |extent, place| Rect { min: extent.min.min(place), max: extent.max.max(place) })
}

impl Standing {
    /// Walls and rim, as they are drawn.
    pub fn visible_walls(&self) -> Vec<Wall> {
        self.walls.iter().copied().chain(self.inside_rim_mm.into_iter().flat_map(rim)).collect()
    }

    /// All of it in the order in which bodies know it: walls, rim, chargers, edges of obstacles.
    pub fn bodies(&self) -> Vec<Wall> {
        let walls = self.visible_walls().into_iter().chain(self.chargers.iter().map(Charger::block));
        walls.chain(self.obstacle_edges.iter().flatten().copied()).collect()
    }

    /// What each of the [`Self::bodies`] is.
    pub fn objects(&self) -> Vec<EventObject> {
        let numbered = |count: usize, object: fn(u32) -> EventObject| (0..count as u32).map(object);
        let rim = std::iter::repeat_n(EventObject::Word("rim"), self.visible_walls().len() - self.walls.len());
        let edges = |(obstacle, edges): (usize, &Vec<Wall>)| {
            std::iter::repeat_n(EventObject::Obstacle(obstacle as u32), edges.len())
        };
        numbered(self.walls.len(), EventObject::Wall)
            .chain(rim)
            .chain(numbered(self.chargers.len(), EventObject::Charger))
            .chain(self.obstacle_edges.iter().enumerate().flat_map(edges))
            .collect()
    }

    /// Outer edge of the rim.
    pub fn rim_mm(&self) -> Option<Rect> {
        self.inside_rim_mm.map(|inside_mm| inside_mm.inset(-default_wall_thickness_mm()))
    }

    /// The plane of the scenario with everything that stands on it.
    pub fn extent_mm(&self, plane_mm: Rect) -> Rect {
        let ends_m = self.bodies().into_iter().flat_map(|wall| [wall.from_m, wall.to_m]);
        extent_mm(plane_mm, ends_m.map(|end_m| end_m * 1000.0))
    }

    /// Cubes that start in it, or beyond the rim.
    pub fn faults(&self, cubes: &[CubeModel]) -> Vec<Fault> {
        let fault = |(index, cube): (usize, &CubeModel)| {
            if cube.start.is_away {
                return None;
            }
            let (place, stands_in) = self.place_of(&Footprint::from_start(&cube.start))?;
            let message = format!("({:?}) {stands_in}", cube.name);
            Some(Fault::new(format!("cubes[{index}]"), message).depends(place))
        };
        cubes.iter().enumerate().filter_map(fault).collect()
    }

    /// What is in the way of a cube, by its path in the scenario, and in words.
    fn place_of(&self, cube: &Footprint) -> Option<(String, String)> {
        let is_in = |wall: &Wall| Footprint::from_wall(wall).overlaps(cube);
        let blocks = |&(index, wall): &(usize, &Wall)| !self.away_walls.contains(&index) && is_in(wall);
        if let Some((wall, _)) = self.walls.iter().enumerate().find(blocks) {
            return Some((format!("mat.walls[{wall}]"), format!("stands in mat.walls[{wall}]")));
        }
        let is_on = |edges: &&Vec<Wall>| edges.iter().any(is_in) || edges.iter().all(|edge| is_left_of(edge, cube));
        if let Some(obstacle) = self.obstacle_edges.iter().position(|edges| is_on(&edges)) {
            let place = format!("mat.obstacles[{obstacle}]");
            return Some((place.clone(), format!("stands in {place}")));
        }
        if let Some(charger) = self.chargers.iter().position(|charger| charger.is_under(cube)) {
            let place = format!("chargers[{charger}]");
            return Some((place.clone(), format!("stands in {place}; a hand puts a cube on a charger")));
        }
        let inside_mm = self.inside_rim_mm?;
        let is_beyond = cube.corners_m().into_iter().any(|corner_m| !inside_mm.contains(corner_m * 1000.0));
        is_beyond.then(|| ("mat.border".to_owned(), "stands in or beyond the rim of mat.border".to_owned()))
    }
}
