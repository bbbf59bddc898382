//! What of the plane can be moved while the world runs: where it is at the start, and what it does not go with.

use super::spec::{DriveSpec, MatScenario};
use crate::things::{Spot, Things};
use sim_core::{DVec2, ops};
use sim_input::checks::Checks;
use toio_mat::PlanePose;

impl MatScenario {
    /// Where what can be moved is at the start.
    pub(super) fn things(&self) -> Things {
        let spot = |movable: bool, away: bool, pose: PlanePose| (movable || away).then(|| Spot::first(pose, !away));
        let mats = self
            .mat
            .printed
            .iter()
            .map(|mat| spot(mat.movable, mat.away, PlanePose::new(mat.x_mm, mat.y_mm, mat.yaw_deg.to_radians())));
        let cards = self
            .cards
            .iter()
            .map(|card| spot(card.movable, card.away, PlanePose::new(card.x_mm, card.y_mm, card.yaw_deg.to_radians())));
        let walls = self.mat.walls.iter().map(|wall| {
            let [from, to] = [wall.from_mm, wall.to_mm].map(DVec2::from);
            let way = to - from;
            let pose = PlanePose { position_mm: 0.5 * (from + to), heading_rad: ops::atan2(way.y, way.x) };
            spot(wall.movable, wall.away, pose)
        });
        Things::new(mats.collect(), cards.collect(), walls.collect())
    }
}

/// Robots, feet and pilots rely on what stands and lies where they know it.
pub(super) fn check(scenario: &MatScenario, checks: &mut Checks) {
    let key =
        |list: &str, index: usize, away: bool| format!("{list}[{index}].{}", if away { "away" } else { "movable" });
    let walks = scenario.agents.count > 0 || scenario.feet.count > 0;
    for (index, wall) in scenario.mat.walls.iter().enumerate().filter(|(_, wall)| walks && (wall.movable || wall.away))
    {
        let message = "lets a wall be moved, but robots and feet plan among walls that stand; set agents.count and \
                       feet.count to 0, or leave this key out";
        let keys = [key("mat.walls", index, wall.away), "agents.count".to_owned(), "feet.count".to_owned()];
        checks.error(&keys.each_ref().map(String::as_str), message.to_owned(), None);
    }
    let drives = scenario.agents.drive == DriveSpec::Cube;
    for (index, mat) in scenario.mat.printed.iter().enumerate().filter(|(_, mat)| drives && (mat.movable || mat.away)) {
        let message = "lets a mat be moved, but robots of drive \"cube\" find their places by the printed mats; leave \
                       this key out";
        let keys = [key("mat.printed", index, mat.away), "agents.drive".to_owned()];
        checks.error(&keys.each_ref().map(String::as_str), message.to_owned(), None);
    }
}
