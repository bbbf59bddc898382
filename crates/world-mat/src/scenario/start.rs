//! Start places that a scenario gives: as many as robots, where robots may be, and far enough apart.

use super::obstacles::too_near;
use super::params::SwarmModels;
use super::spec::MatScenario;
use sim_core::{DVec2, angle};
use sim_input::checks::Checks;
use swarm_agents::Agents;
use swarm_agents::filter::clear_distances_mm;

impl MatScenario {
    /// The start places that the scenario gives, mm.
    pub(super) fn start_places_mm(&self) -> Vec<DVec2> {
        self.agents.start.iter().map(|start| DVec2::new(start.x_mm, start.y_mm)).collect()
    }

    /// The robots at the start places that the scenario gives, if it gives any.
    pub(super) fn start_agents(&self) -> Option<Agents> {
        if self.agents.start.is_empty() {
            return None;
        }
        let mut agents = Agents::at_rest(self.start_places_mm());
        let headings_rad = self.agents.start.iter().map(|start| angle::wrap_rad(start.heading_deg.to_radians()));
        agents.heading_rad = headings_rad.collect();
        Some(agents)
    }
}

/// Checks the places against one another, the mat, and feet whose homes are given.
pub(super) fn check(scenario: &MatScenario, models: &SwarmModels, checks: &mut Checks) {
    let places_mm = scenario.start_places_mm();
    if places_mm.is_empty() {
        return;
    }
    let robots = scenario.agents.count as usize;
    if places_mm.len() != robots {
        let given = places_mm.len();
        let message = format!("has {given} places for {robots} robots: give one each, or none");
        checks.error(&["agents.start", "agents.count"], message, None);
        return;
    }
    let (pair_mm, foot_mm) = clear_distances_mm(&models.filter);
    let homes_mm: Vec<DVec2> = scenario.feet.home_mm.iter().copied().map(DVec2::from).collect();
    for (i, &place_mm) in places_mm.iter().enumerate() {
        let path = format!("agents.start[{i}]");
        let keys = [path.as_str(), "agents.start", "safety"];
        let shown = format!("[{}, {}]", place_mm.x, place_mm.y);
        if !models.swarm.bounds.contains(place_mm) {
            let nearest = models.swarm.bounds.clamp(place_mm);
            let nearest = format!("[{}, {}]", nearest.x, nearest.y);
            let message = format!("is {shown}, where no robot may be; the nearest place is {nearest}");
            checks.error(&keys, message, Some(nearest));
        } else if let Some((message, nearest)) = too_near(&models.filter.walls, &models.swarm, place_mm) {
            checks.error(&keys, message, nearest);
        }
        let others = places_mm.iter().enumerate().take(i).map(|(j, other)| (format!("robot {j}"), *other, pair_mm));
        let feet = homes_mm.iter().enumerate().map(|(k, home)| (format!("foot {k}"), *home, foot_mm));
        let near = others.chain(feet).find(|(_, other, least_mm)| place_mm.distance(*other) < *least_mm);
        if let Some((other, at_mm, least_mm)) = near {
            let distance_mm = place_mm.distance(at_mm);
            let message = format!("is {shown}, {distance_mm:.1} mm from {other}; must be at least {least_mm:.2} mm");
            checks.error(&keys, message, None);
        }
    }
}
