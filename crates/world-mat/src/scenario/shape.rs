//! The outline of robots: do the distances between centres keep outlines apart.

use super::spec::{DriveSpec, MatScenario};
use sim_input::checks::Checks;

/// Checks an outline that the scenario gives against the distances that are kept.
pub(super) fn check(scenario: &MatScenario, checks: &mut Checks) {
    let Some(shape) = &scenario.agents.shape else { return };
    if scenario.agents.drive == DriveSpec::Cube {
        let message = "is for robots of drive \"point\" or \"differential\": a cube is a square of 31.8 mm";
        checks.error(&["agents.shape", "agents.drive"], message.to_owned(), None);
        return;
    }
    let (safety, size_mm, contact_mm) = (&scenario.safety, shape.size_mm, shape.contact_mm());
    let keys = ["agents.shape.size_mm", "agents.shape", "safety"];
    if contact_mm > safety.d_r_mm {
        let most_mm = shape.largest_within_mm(safety.d_r_mm);
        let message = format!(
            "is {size_mm}, and {} can touch when their centres are {contact_mm:.1} mm apart, which safety.d_r_mm ({}) \
             allows; must be at most {most_mm} mm",
            shape.pair_in_words(),
            safety.d_r_mm
        );
        checks.error(&keys, message, Some(most_mm.to_string()));
    }
    let reach_mm = 0.5 * contact_mm;
    if reach_mm >= safety.d_h_mm {
        let message = format!(
            "is {size_mm}, so that a robot reaches over the centre of a foot safety.d_h_mm ({}) away",
            safety.d_h_mm
        );
        checks.error(&keys, message, None);
    }
    if scenario.has_walls() && reach_mm > safety.wall_margin_mm {
        let message = format!(
            "is {size_mm}: a robot reaches {reach_mm:.1} mm from its centre, so it can touch walls, from which \
             safety.wall_margin_mm keeps its centre {} mm",
            safety.wall_margin_mm
        );
        checks.warning(&keys, message);
    }
}
