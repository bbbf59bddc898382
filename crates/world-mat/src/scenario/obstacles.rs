//! Walls and obstacles of a scenario, as robots, feet and points of interest know them.

use super::spec::MatScenario;
use super::standing;
use sim_core::DVec2;
use sim_input::checks::Checks;
use std::sync::Arc;
use swarm_agents::{SwarmModel, Walls};
use swarm_field::obstacles::{crossing, twice_area_mm2};
use swarm_field::{Obstacles, Ring};

/// Least area of an obstacle, mm^2.
const MIN_AREA_MM2: f64 = 1.0;

impl MatScenario {
    /// All that stands on the plane: walls, then obstacles.
    pub(super) fn obstacles(&self) -> Arc<Obstacles> {
        let walls = self.mat.walls.iter().map(|wall| Ring::new(standing::corners_mm(&standing::wall(wall)).into()));
        Arc::new(Obstacles::new(walls.chain(self.obstacle_rings()).collect()))
    }

    /// The obstacles, without the walls.
    pub(super) fn obstacle_rings(&self) -> impl Iterator<Item = Ring> + '_ {
        self.mat.obstacles.iter().map(|obstacle| Ring::new(corners(&obstacle.corners_mm)))
    }

    /// What robots of `swarm` keep a distance from.
    pub(super) fn walls(&self, swarm: &SwarmModel) -> Walls {
        Walls::new(self.obstacles(), self.clearances().wall_margin_mm, swarm)
    }

    /// True if anything stands on the plane.
    pub(super) fn has_walls(&self) -> bool {
        !self.mat.walls.is_empty() || !self.mat.obstacles.is_empty()
    }
}

fn corners(corners_mm: &[[f64; 2]]) -> Vec<DVec2> {
    corners_mm.iter().copied().map(DVec2::from).collect()
}

/// Obstacles have an area and an outline that does not cross itself.
pub(super) fn check(scenario: &MatScenario, checks: &mut Checks) {
    for (index, obstacle) in scenario.mat.obstacles.iter().enumerate() {
        let path = format!("mat.obstacles[{index}].corners_mm");
        let keys = [path.as_str(), "mat.obstacles"];
        let corners = corners(&obstacle.corners_mm);
        if let Some([one, other]) = crossing(&corners) {
            let message = format!(
                "crosses itself: the edges from corner {one} and from corner {other} meet; name corners in their order \
                 round the outline"
            );
            checks.error(&keys, message, None);
        } else if twice_area_mm2(&corners).abs() < 2.0 * MIN_AREA_MM2 {
            checks.error(&keys, "has no area: its corners lie on a line".to_owned(), None);
        }
    }
}

/// What is wrong with a place for a robot among walls, and the nearest one that is clear, if there is one at hand.
pub(super) fn too_near(walls: &Walls, swarm: &SwarmModel, place_mm: DVec2) -> Option<(String, Option<String>)> {
    if walls.is_clear(place_mm) {
        return None;
    }
    let nearest = swarm.bounds.clamp(walls.obstacles().push_out_mm(place_mm, (10.0 * walls.clear_mm()).ceil() / 10.0));
    let nearest = walls.is_clear(nearest).then(|| format!("[{:.1}, {:.1}]", nearest.x, nearest.y));
    let advice = nearest.as_ref().map_or_else(String::new, |nearest| format!("; the nearest place is {nearest}"));
    let message = format!(
        "is [{}, {}], where no robot may be: robots keep {:.1} mm from walls and obstacles{advice}",
        place_mm.x,
        place_mm.y,
        walls.clear_mm()
    );
    Some((message, nearest))
}
