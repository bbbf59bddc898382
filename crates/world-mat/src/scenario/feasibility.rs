//! What only several keys together can say: does it fit, can it move, can it be safe.
//!
//! Sources: swarm spec, readings A10 to A12 and A19; the packing and feasibility figures are the project's own measurements.

use swarm_agents::filter::FilterKind;
use swarm_field::{Domain, FeetModel, Manner, Travel};

use super::capacity::{fitting_robots, widest_margin};
use super::guarantee::{SafetyGuarantee, Unmeasured, unmeasured};
use super::params::SwarmModels;
use super::spec::MatScenario;
use super::{goals, measured, movable, obstacles, shape, start};
use crate::kind;
use sim_input::checks::Checks;
use sim_input::diagnostic::Fault;
use sim_input::schema::all_paths;

/// Lowest acceleration limit at which stubborn feet in the core were evaded with hardly a violation, mm/s² (zero was measured
/// from 3000 on, a few violations at 2000, dozens at 1500).
const A_MAX_LEAST_MM_S2: f64 = 2000.0;
/// Above this share of the densest packing a crowd hardly flows (swarm facts, 5.5).
const FLOWING_SHARE: f64 = 0.8;
/// Up to this share of the densest packing every start could be laid out (measured: 40 of 43, 46 of 52, none failed in 40 seeds).
const STARTING_SHARE: f64 = 0.94;
/// Wall margin of the measured figures, mm (reading A10).
const USUAL_MARGIN_MM: f64 = 16.0;
/// Most nodes of the field's grid.
const MAX_NODES: f64 = 4e6;

/// Checks everything and makes the models of the swarm; none if anything is wrong. `faults` are those of the cubes and sensors.
pub(super) fn check(scenario: &MatScenario, faults: Vec<Fault>, checks: &mut Checks) -> Option<SwarmModels> {
    spans(scenario, checks);
    geometry(scenario, checks);
    obstacles::check(scenario, checks);
    movable::check(scenario, checks);
    shape::check(scenario, checks);
    homes(scenario, checks);
    goals::check(scenario, checks);
    faults.into_iter().for_each(|fault| checks.fault(fault));
    let models = if checks.has_errors() { None } else { models(scenario, checks) };
    if let (Some(models), false) = (&models, checks.has_errors()) {
        start::check(scenario, models, checks);
        crowd(scenario, checks);
        stubborn_feet(scenario, &models.feet, checks);
    }
    let is_sound = !checks.has_errors();
    if is_sound {
        guarantees(scenario, checks);
    }
    models.filter(|_| is_sound)
}

/// Pairs are [smallest, largest].
fn spans(scenario: &MatScenario, checks: &mut Checks) {
    let (feet, patches) = (&scenario.feet, &scenario.patches);
    for (key, span) in [
        ("feet.idle_s", feet.idle_s),
        ("feet.acceleration_s", feet.acceleration_s),
        ("feet.speed_mm_s", feet.speed_mm_s),
        ("feet.roam_s", feet.roam_s),
        ("patches.radius_mm", patches.radius_mm),
        ("patches.peak", patches.peak),
        ("patches.speed_mm_s", patches.speed_mm_s),
        ("patches.lifetime_s", patches.lifetime_s),
    ] {
        if span[0] > span[1] {
            let turned = format!("[{}, {}]", span[1], span[0]);
            let message =
                format!("runs from {} down to {}; the smaller number comes first: {turned}", span[0], span[1]);
            checks.error(&[key], message, Some(turned));
        }
    }
}

/// Rooms that must not be empty.
fn geometry(scenario: &MatScenario, checks: &mut Checks) {
    let half_mm = half_side_mm(scenario);
    let margin_mm = scenario.safety.wall_margin_mm;
    if margin_mm >= half_mm {
        let message =
            format!("is {margin_mm}, which leaves robots no space on the mat; must be less than {half_mm} mm");
        checks.error(&["safety.wall_margin_mm", "mat.width_mm", "mat.height_mm"], message, None);
    }
    let nodes = (scenario.mat.width_mm / scenario.field.cell_mm + 1.0)
        * (scenario.mat.height_mm / scenario.field.cell_mm + 1.0);
    if nodes > MAX_NODES {
        let least = (scenario.mat.width_mm * scenario.mat.height_mm / MAX_NODES).sqrt().ceil() + 1.0;
        let message = format!(
            "is {}, which makes a grid of {:.0} million nodes on this mat; must be at least {least} mm",
            scenario.field.cell_mm,
            nodes / 1e6
        );
        checks.error(&["field.cell_mm", "mat.width_mm", "mat.height_mm"], message, Some(least.to_string()));
    }
}

fn half_side_mm(scenario: &MatScenario) -> f64 {
    scenario.mat.width_mm.min(scenario.mat.height_mm) / 2.0
}

/// Homes must be where feet may be; the rest of a foot's space is the model's to judge.
fn homes(scenario: &MatScenario, checks: &mut Checks) {
    let feet = &scenario.feet;
    let domain = Domain::new(feet.travel, scenario.mat_rect(), feet.core_inset_mm);
    for (index, home) in feet.home_mm.iter().enumerate() {
        let nearest = domain.clamp((*home).into());
        if !domain.contains((*home).into()) {
            let path = format!("feet.home_mm[{index}]");
            let nearest = format!("[{}, {}]", nearest.x, nearest.y);
            let message =
                format!("is [{}, {}], where no foot may be; the nearest place is {nearest}", home[0], home[1]);
            checks.error(&[&path, "feet.home_mm", "feet.core_inset_mm", "mat"], message, Some(nearest));
        }
    }
}

/// The models themselves, and what they refuse.
fn models(scenario: &MatScenario, checks: &mut Checks) -> Option<SwarmModels> {
    let refused = match scenario.swarm_models() {
        Ok(models) => return Some(models),
        Err(refused) => refused,
    };
    for (section, error) in refused {
        let path = path_of(section, error.field);
        // Space is a matter of the mat too: a user who made it smaller looks there.
        let space = matches!(error.field, "core_inset_mm" | "orbit_radius_mm" | "wall_margin_mm");
        let mat: &[&str] = if space { &["mat.width_mm", "mat.height_mm"] } else { &[] };
        let keys: Vec<&str> = [path.as_str()].into_iter().chain(mat.iter().copied()).chain([section]).collect();
        checks.error(&keys, error.message, None);
    }
    None
}

/// Path of a model's field: the section's own key, or the key of that name elsewhere.
fn path_of(section: &str, field: &str) -> String {
    let (own, elsewhere) = (format!("{section}.{field}"), format!(".{field}"));
    let paths = all_paths(kind::schema());
    let known = |wanted: &dyn Fn(&str) -> bool| paths.iter().find(|path| wanted(path)).cloned();
    known(&|path| path == own).or_else(|| known(&|path| path == field || path.ends_with(&elsewhere))).unwrap_or(own)
}

/// More robots than fit.
fn crowd(scenario: &MatScenario, checks: &mut Checks) {
    let fits = fitting_robots(scenario);
    let (count, feet, safety) = (scenario.agents.count, scenario.feet.count, &scenario.safety);
    let with_feet = match feet {
        0 => String::new(),
        1 => " with a foot at the worst place".to_owned(),
        _ => format!(" with {feet} feet at the worst places"),
    };
    let keys = ["agents.count", "feet.count", "safety.wall_margin_mm", "mat", "safety"];
    if fits < 1.0 && feet > 0 {
        let message = format!("is {feet}, but no robot fits{with_feet}; take fewer feet or a larger mat");
        checks.error(&["feet.count", "mat", "safety"], message, None);
    } else if f64::from(count) > fits {
        let message = format!(
            "is {count}, but only {fits} robots fit{with_feet}, {} mm apart and {} mm from the edge; must be at most {fits}",
            safety.d_r_mm, safety.wall_margin_mm
        );
        checks.error(&keys, message, Some(fits.to_string()));
    } else if f64::from(count) > STARTING_SHARE * fits {
        let message =
            format!("is {count} of {fits} that fit: with some seeds no place will be found for all at the start");
        checks.warning(&keys, message);
    }
}

/// What cannot work when feet never wait and the filter is asked to keep the distances all the same.
fn stubborn_feet(scenario: &MatScenario, model: &FeetModel, checks: &mut Checks) {
    let (feet, limits, safety) = (&scenario.feet, &scenario.limits, &scenario.safety);
    if feet.count == 0 || feet.manner == Manner::Considerate || safety.filter != FilterKind::Joint {
        return;
    }
    let fastest = model.speed_bound_mm_s();
    if limits.v_max_mm_s <= fastest {
        let least = fastest + 1.0;
        let message = format!(
            "is {}, but feet that never wait walk at up to {fastest} mm/s and would run robots over; must be at least \
             {least} mm/s, or set feet.manner to \"considerate\"",
            limits.v_max_mm_s
        );
        checks.error(
            &["limits.v_max_mm_s", "feet.speed_mm_s", "feet.orbit_speed_mm_s", "feet.speed_slack_mm_s", "feet.gait"],
            message,
            Some(least.to_string()),
        );
    }
    if feet.travel == Travel::Core {
        core_limits(scenario, checks);
        core_space(scenario, checks);
    }
}

/// Limits with which evading is hopeless.
fn core_limits(scenario: &MatScenario, checks: &mut Checks) {
    let a_max = scenario.limits.a_max_mm_s2;
    if a_max < A_MAX_LEAST_MM_S2 {
        let message = format!(
            "is {a_max}, too little to evade feet that never wait; must be at least {A_MAX_LEAST_MM_S2} mm/s² (zero \
             violations were measured from 3000), or set feet.manner to \"considerate\""
        );
        checks.error(&["limits.a_max_mm_s2"], message, Some(A_MAX_LEAST_MM_S2.to_string()));
    }
}

/// Pockets that a foot can seal, and a wall margin that jams.
fn core_space(scenario: &MatScenario, checks: &mut Checks) {
    let (feet, safety) = (&scenario.feet, &scenario.safety);
    let least_mm = safety.d_h_mm + safety.wall_margin_mm;
    if feet.core_inset_mm < least_mm {
        let message = format!(
            "is {}, so that a foot can shut robots up in a corner; must be at least {least_mm} mm (d_h_mm + \
             wall_margin_mm)",
            feet.core_inset_mm
        );
        checks.error(
            &["feet.core_inset_mm", "safety.wall_margin_mm", "safety.d_h_mm"],
            message,
            Some(least_mm.to_string()),
        );
    }
    if feet.count == 1 {
        jam(scenario, checks);
    }
}

/// A crowd that fits but hardly moves: a wider wall margin than the default is to blame first.
fn jam(scenario: &MatScenario, checks: &mut Checks) {
    let fits = fitting_robots(scenario);
    let (count, margin_mm) = (f64::from(scenario.agents.count), scenario.safety.wall_margin_mm);
    if count <= FLOWING_SHARE * fits || count > fits {
        return;
    }
    let filled = format!("fill {:.0} % of the free space and jam", 100.0 * count / fits);
    let most = (FLOWING_SHARE * fits).floor();
    let narrower = widest_margin(scenario, count / FLOWING_SHARE).filter(|_| margin_mm > USUAL_MARGIN_MM);
    if let Some(narrower) = narrower {
        let message = format!(
            "is {margin_mm}, where {count} robots {filled}; must be at most {narrower} mm, or set agents.count to at most \
             {most}"
        );
        let keys = ["safety.wall_margin_mm", "agents.count", "feet.count", "mat", "safety"];
        checks.error(&keys, message, Some(narrower.to_string()));
    } else {
        let message = format!("is {count}, which {filled}; must be at most {most}");
        checks.error(&["agents.count", "feet.count", "safety", "mat"], message, Some(most.to_string()));
    }
}

/// What the user should know although it runs.
fn guarantees(scenario: &MatScenario, checks: &mut Checks) {
    let robots = scenario.agents.count;
    if !scenario.cubes.is_empty() && robots > 0 {
        let message =
            format!("is {robots}, but the swarm's robots and the cubes do not know each other: they pass through");
        checks.warning(&["agents.count", "cubes"], message);
    }
    walls_and_feet(scenario, checks);
    match scenario.guarantee() {
        SafetyGuarantee::Measured(_)
        | SafetyGuarantee::NoSwarm
        | SafetyGuarantee::FeetFromOutside
        | SafetyGuarantee::FilterFromOutside => {}
        SafetyGuarantee::Proven | SafetyGuarantee::Bounded => long_waits(scenario, checks),
        SafetyGuarantee::Nothing => {
            let message = "this filter is a baseline for comparison: distances will be broken";
            checks.warning(&["safety.filter"], message.to_owned());
        }
        SafetyGuarantee::BestEffort(_) if scenario.feet.travel != Travel::Core => {
            let message = "feet that never wait and may come near a wall cannot always be evaded: no promise of zero \
                           violations (set feet.manner to \"considerate\" or feet.travel to \"core\" for one)";
            checks.warning(&["feet.travel", "feet.manner"], message.to_owned());
        }
        SafetyGuarantee::BestEffort(_) => unmeasured_core(scenario, checks),
    }
}

/// What is proven of walls, and what is not.
fn walls_and_feet(scenario: &MatScenario, checks: &mut Checks) {
    let key = if scenario.mat.walls.is_empty() { "mat.obstacles" } else { "mat.walls" };
    let keys = [key, "mat.walls", "mat.obstacles", "feet.manner", "safety.filter"];
    if !scenario.has_walls() || scenario.agents.count == 0 {
        return;
    }
    match scenario.guarantee() {
        SafetyGuarantee::Nothing => {
            let message =
                "this filter brakes before walls and obstacles, but nothing proves that it keeps its distance";
            checks.warning(&keys, message.to_owned());
        }
        SafetyGuarantee::Measured(_) | SafetyGuarantee::BestEffort(_) => {
            let message = "robots keep their distance from walls, obstacles and one another (proven); their distance from \
                           feet that never wait was not measured there, and a foot can shut a robot up between walls (set \
                           feet.manner to \"considerate\" for a promise)";
            checks.warning(&keys, message.to_owned());
        }
        _ => {}
    }
}

fn long_waits(scenario: &MatScenario, checks: &mut Checks) {
    let (count, fits) = (f64::from(scenario.agents.count), fitting_robots(scenario));
    if scenario.feet.count > 0 && count > FLOWING_SHARE * fits {
        let share = 100.0 * count / fits;
        let message =
            format!("is {count}, which fill {share:.0} % of the free space: safe, but feet will often have to wait");
        checks.warning(&["agents.count", "feet.count", "safety", "mat"], message);
    }
}

fn unmeasured_core(scenario: &MatScenario, checks: &mut Checks) {
    for Unmeasured { path, message } in unmeasured(scenario) {
        checks.warning(&[path], message);
    }
    let (robots, most) = (scenario.agents.count, measured::most_promised_robots(scenario));
    if most > 0 && robots > most {
        let message = format!(
            "is {robots}, but zero violations were measured up to {most} robots with these feet: no promise here"
        );
        checks.warning(&["agents.count", "feet.count", "agents.drive"], message);
    }
}
