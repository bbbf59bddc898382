//! How many robots fit on a scenario's mat.

use swarm_agents::capacity::{capacity, widest_margin_mm};

use super::spec::MatScenario;
use sim_core::DVec2;

/// Cells along a side of the box, to measure what walls leave of it.
const CELLS: u32 = 100;

/// Most robots that fit with the feet at the worst places that were found.
pub(super) fn fitting_robots(scenario: &MatScenario) -> f64 {
    let bounds = scenario.mat_rect().inset(scenario.clearances().wall_margin_mm);
    let fits = capacity(bounds, &scenario.clearances(), scenario.feet.count).robots as f64;
    if scenario.has_walls() { (fits * free_share(scenario)).floor() } else { fits }
}

/// Share of the box of robots that walls and obstacles leave free: of the middles of 100 x 100 cells.
fn free_share(scenario: &MatScenario) -> f64 {
    let Ok(swarm) = scenario.swarm_model() else { return 1.0 };
    let (walls, cell_mm) = (scenario.walls(&swarm), swarm.bounds.size() / f64::from(CELLS));
    let middle_mm = |cell: u32| DVec2::new(f64::from(cell % CELLS) + 0.5, f64::from(cell / CELLS) + 0.5) * cell_mm;
    let free = (0..CELLS * CELLS).filter(|&cell| walls.is_clear(swarm.bounds.min + middle_mm(cell)));
    free.count() as f64 / f64::from(CELLS * CELLS)
}

/// Widest wall margin, in whole mm and not above the scenario's own, at which `count` robots fit.
pub(super) fn widest_margin(scenario: &MatScenario, count: f64) -> Option<f64> {
    let own_mm = scenario.safety.wall_margin_mm.floor() as u32;
    let feet = scenario.feet.count;
    widest_margin_mm(scenario.mat_rect(), &scenario.clearances(), feet, count.ceil() as usize, own_mm).map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packing table of the project's own measurements: one foot on the 400 mm mat.
    #[test]
    fn measured_margins_have_their_own_numbers_and_others_lie_between() {
        let fits = |margin_mm| {
            let mut scenario = MatScenario::named("x");
            scenario.safety.wall_margin_mm = margin_mm;
            fitting_robots(&scenario)
        };
        assert_eq!([fits(0.0), fits(16.0), fits(35.0)], [52.0, 43.0, 35.0]);
        assert_eq!(fits(25.5), 39.0);
    }

    #[test]
    fn the_widest_margin_is_the_last_that_works() {
        let mut scenario = MatScenario::named("x");
        scenario.safety.wall_margin_mm = 35.0;
        let widest = widest_margin(&scenario, 38.5).unwrap();
        scenario.safety.wall_margin_mm = widest;
        assert!(fitting_robots(&scenario) >= 39.0);
        scenario.safety.wall_margin_mm = widest + 1.0;
        assert!(fitting_robots(&scenario) < 39.0);
        assert_eq!(widest_margin(&scenario, 60.0), None);
    }
}
