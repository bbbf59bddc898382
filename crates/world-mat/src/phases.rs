//! The phases of a step on the mat. What a phase may read and write stands in its arguments.

use crate::bodies::Bodies;
use crate::cube_drive::{self, CubeDrive};
use crate::cubes::CubesScratch;
use crate::cubes::step as cubes_step;
use crate::events::WorldEvent;
use crate::inputs::FromOutside;
use crate::putting;
use crate::sensing::AgentSensing;
use crate::world::{FootRequests, MatModel, MatScratch, MatState};
use sim_core::{DVec2, Grid, RunKey, Tick};
use sim_world::StepError;
use std::borrow::Cow;
use swarm_agents::Agents;
use swarm_agents::filter::comparison::compared_every;
use swarm_agents::filter::{
    FilterInput, FilterKind, FilterModel, FilterOutput, FilterScratch, FilterState, Sight, filter_step,
};
use swarm_agents::goals::Goals;
use swarm_agents::measures::{Event, Inspector, Observation};
use swarm_agents::wish::{WishState, wishes};
use swarm_field::{
    Feet, FeetModel, FieldModel, FootDanger, FootPhase, Forecast, Gaussians, Manner, Patches, PatchesModel,
};

/// Steps between two looks at the danger that robots stand in: an exact integral for each of them, for a mean over the
/// run.
const DANGER_EVERY: u64 = 6;

/// Where the feet are and what they are doing.
#[derive(Clone, Debug, Default)]
pub struct FeetSnapshot {
    pub(crate) position_mm: Vec<DVec2>,
    pub(crate) phase: Vec<FootPhase>,
}

impl FeetSnapshot {
    /// Copies where the feet are now.
    pub(crate) fn snapshot(&mut self, feet: &Feet) {
        self.position_mm.clear();
        self.position_mm.extend((0..feet.len()).map(|k| feet.position_mm(k)));
        self.phase.clear();
        self.phase.extend((0..feet.len()).map(|k| feet.phase(k)));
    }
}

/// Hands begin what is due.
pub(crate) fn script(
    model: &MatModel,
    tick: Tick,
    bodies: &mut Bodies,
    scratch: &mut CubesScratch,
) -> Result<(), StepError> {
    match (model.bodies.cubes(), bodies.cubes_mut()) {
        (Some(model), Some(cubes)) => cubes_step::take_hold(model, tick, cubes, scratch),
        _ => Ok(()),
    }
}

/// Feet walk on, as fast as the filter asked one step earlier; one that was blocked too long chooses another way. Where robots are cubes,
/// that is decided ahead, and the feet do now what was decided for now.
pub(crate) fn move_feet(model: &FeetModel, key: RunKey, requests: &FootRequests, feet: &mut Feet, bodies: &mut Bodies) {
    let Some(drive) = bodies.drive_mut() else { return walk(model, key, requests, feet) };
    let mut decided = drive.last_feet().clone();
    walk(model, key, requests, &mut decided);
    if let Some(now) = drive.move_feet(decided) {
        *feet = now;
    }
}

fn walk(model: &FeetModel, key: RunKey, requests: &FootRequests, feet: &mut Feet) {
    for (k, from_mm) in requests.retarget.iter().enumerate() {
        if let Some(from_mm) = *from_mm {
            feet.retarget(k, model, key, from_mm);
        }
    }
    feet.advance(model, key, &requests.path_speed_factors);
}

/// Patches drift, fade and are exchanged.
pub(crate) fn drift_patches(model: &PatchesModel, key: RunKey, tick: Tick, patches: &mut Patches) {
    patches.advance(model, key, tick);
}

/// What robots know about the feet, estimation error included. Cubes decide for a moment to come; of feet that never wait they know no
/// more than what is seen now.
pub(crate) fn predict(model: &MatModel, feet: &Feet, bodies: &Bodies, forecasts: &mut [Forecast]) {
    for (k, forecast) in forecasts.iter_mut().enumerate() {
        match (model.bodies.drive(), sight(model)) {
            (Some(drive), Sight::Foretold) => feet.forecast_from(k, &model.feet, drive.lead_steps, forecast),
            _ => deciding_feet(feet, bodies).forecast(k, &model.feet, forecast),
        }
    }
}

/// How robots see the feet of the moment for which they decide.
pub(crate) fn sight(model: &MatModel) -> Sight {
    match (model.bodies.drive(), model.filter.manner) {
        (Some(_), Manner::Stubborn) => Sight::Foretold,
        _ => Sight::Present,
    }
}

/// The feet of the moment for which robots decide.
pub(crate) fn deciding_feet<'a>(feet: &'a Feet, bodies: &'a Bodies) -> &'a Feet {
    bodies.drive().map_or(feet, CubeDrive::last_feet)
}

/// The robots of the moment for which they decide: cubes will be there, but for the tracking error.
pub(crate) fn deciding_robots<'a>(agents: &'a Agents, bodies: &'a Bodies) -> &'a Agents {
    bodies.drive().map_or(agents, CubeDrive::last_decided)
}

/// What robots know. Nothing else reaches the phases that decide, but for the filter, which may hold back considerate
/// feet.
pub(crate) struct Belief<'a> {
    /// Own places and motions, as sensors tell them. Cubes know of themselves what was decided for them.
    pub agents: &'a Agents,
    /// The shared potential.
    pub field: &'a Gaussians,
    /// The feet as they are foretold.
    pub forecasts: &'a [Forecast],
}

/// Sensors of the robots measure and deliver.
pub(crate) fn sense(
    model: &MatModel,
    (key, tick): (RunKey, Tick),
    robots: &Agents,
    sensing: &mut Option<AgentSensing>,
) {
    if let (Some(model), Some(sensing)) = (&model.sensing, sensing) {
        sensing.step(model, key, tick, robots);
    }
}

/// The filter of this step: that of the scenario, or the one that came in. One with a certificate waits until robots can stop clear of each
/// other; up to then they part.
pub(crate) fn filter_in_force<'a>(
    model: &'a MatModel,
    outside: &mut FromOutside,
    state: &mut FilterState,
    robots: &Agents,
) -> Cow<'a, FilterModel> {
    let Some(switched) = &mut outside.filter else { return Cow::Borrowed(&model.filter) };
    let wanted = model.filter_of(switched.kind);
    if switched.waits {
        switched.waits = !state.start_moving(&wanted, robots, model.feet.params().count);
    }
    Cow::Owned(if switched.waits { model.filter_of(FilterKind::None) } else { wanted })
}

/// Robots read their own places, the potential and the forecast.
pub(crate) fn belief<'a>(
    robots: &'a Agents,
    sensing: &'a Option<AgentSensing>,
    field: &'a Gaussians,
    forecasts: &'a [Forecast],
) -> Belief<'a> {
    Belief { agents: believed(robots, sensing), field, forecasts }
}

/// The robots as they believe to be.
pub(crate) fn believed<'a>(robots: &'a Agents, sensing: &'a Option<AgentSensing>) -> &'a Agents {
    sensing.as_ref().map_or(robots, AgentSensing::estimated)
}

/// The robots for which the filter decides. One that carries on its plans knows from them where all robots are, since drives do
/// as decided; one that looks at the present only has nothing but what is sensed.
pub(crate) fn filtered_robots<'a>(filter: &FilterModel, robots: &'a Agents, belief: &Belief<'a>) -> &'a Agents {
    if filter.is_certified() { robots } else { belief.agents }
}

/// Turns what was decided for where robots believe to be into what their bodies do.
pub(crate) fn apply_actuation(
    (model, filter): (&MatModel, &FilterModel),
    agents: &Agents,
    sensing: &Option<AgentSensing>,
    next: &mut Agents,
) {
    if let (Some(sensing_model), Some(sensing), false) = (&model.sensing, sensing, filter.is_certified()) {
        sensing.apply_actuation(sensing_model, model.swarm.step_s, agents, next);
    }
}

/// Preferred velocities: the pull of the field, goals if there are any, and a fluctuation.
pub(crate) fn wish(
    model: &MatModel,
    (key, tick): (RunKey, Tick),
    belief: &Belief<'_>,
    goals: &mut Option<Goals>,
    state: &mut WishState,
    wishes_mm_s: &mut [DVec2],
) {
    if let (Some(model), Some(goals)) = (&model.goals, goals.as_mut()) {
        goals.advance(model, belief.agents, tick);
    }
    wishes(&model.wish, state, belief.field, belief.agents, goals.as_ref(), key, tick, wishes_mm_s);
}

/// Wishes that came in take the place of the robots' own; robots that must part wish for that alone.
pub(crate) fn take_over_wishes(model: &MatModel, outside: &FromOutside, robots: &Agents, wishes_mm_s: &mut [DVec2]) {
    outside.replace_wishes(wishes_mm_s);
    if outside.filter_waits() {
        putting::part(model, robots, wishes_mm_s);
    }
}

/// Refuses to go on with a motion that is not finite.
pub(crate) fn check_motion(phase: &'static str, tick: Tick, robots: &Agents) -> Result<(), StepError> {
    check_finite(phase, tick, &robots.velocity_mm_s)?;
    check_finite(phase, tick, &robots.position_mm)
}

/// Refuses to go on with a number that is not finite.
pub(crate) fn check_finite(phase: &'static str, tick: Tick, values: &[DVec2]) -> Result<(), StepError> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(robot) => Err(StepError::not_finite(format_args!("robot {robot}"), phase, tick)),
    }
}

/// The safety filter decides the next motion of every robot and what is asked of the feet.
pub(crate) fn filter(
    model: &FilterModel,
    input: &FilterInput<'_>,
    state: &mut FilterState,
    scratch: &mut FilterScratch,
    output: &mut FilterOutput,
) {
    filter_step(model, state, scratch, input, output);
}

/// The decided motion becomes the present, or what cubes are to follow. What was the present stays in `output`, with the rates of this
/// step.
pub(crate) fn commit(agents: &mut Agents, bodies: &mut Bodies, requests: &mut FootRequests, output: &mut FilterOutput) {
    match bodies.drive_mut() {
        Some(drive) => drive.decide(&mut output.next),
        None => std::mem::swap(agents, &mut output.next),
    }
    std::mem::swap(&mut requests.path_speed_factors, &mut output.path_speed_factors);
    std::mem::swap(&mut requests.retarget, &mut output.retarget);
}

/// Cubes: bodies move, sensors are read, clients write, and firmware answers with motor commands for the step to come.
pub(crate) fn step_cubes(
    model: &MatModel,
    tick: Tick,
    bodies: &mut Bodies,
    scratch: &mut CubesScratch,
) -> Result<(), StepError> {
    if let (Some(model), Some(cubes)) = (model.bodies.cubes(), bodies.cubes_mut()) {
        cubes_step::move_bodies(model, tick, cubes, scratch)?;
        cubes_step::read_sensors(model, tick, cubes, scratch);
        cubes_step::run_programs(model, tick, cubes, scratch);
        cubes_step::run_firmware(model, tick, cubes, scratch);
    }
    Ok(())
}

/// Clients of a swarm's cubes read what has come and write.
pub(crate) fn steer(model: &MatModel, state: &mut MatState, scratch: &mut CubesScratch) {
    if let (Some(model), Bodies::Driven(cubes, drive)) = (model.bodies.drive(), &mut state.bodies) {
        drive.steer(model, state.tick, cubes, scratch);
    }
}

/// Robots that are cubes are where their bodies are.
pub(crate) fn follow(model: &MatModel, state: &mut MatState, before: &mut Agents) {
    if let Bodies::Driven(cubes, _) = &state.bodies {
        std::mem::swap(&mut state.agents, before);
        cube_drive::bodies(cubes, before, model.swarm.step_s, &mut state.agents);
    }
}

/// Danger at the robots.
#[derive(Clone, Debug, Default)]
pub(crate) struct RobotDanger {
    /// Danger at each robot, in the steps in which it is looked at; empty in the others.
    pub(crate) at_robots: Vec<f64>,
    reaches_mm: Vec<f64>,
    grid: Grid,
}

/// Looks at the danger where robots are, if a look is due. Each foot counts as far as its well reaches, added up in the order of the feet.
pub(crate) fn danger(
    model: &FieldModel,
    forecasts: &[Forecast],
    places_mm: &[DVec2],
    tick: Tick,
    danger: &mut RobotDanger,
) {
    let RobotDanger { at_robots, reaches_mm, grid } = danger;
    at_robots.clear();
    if !tick.is_due(DANGER_EVERY, 0) {
        return;
    }
    at_robots.resize(places_mm.len(), 0.0);
    reaches_mm.clear();
    reaches_mm.extend(forecasts.iter().map(|forecast| well_reach_mm(model, forecast)));
    let farthest_mm = reaches_mm.iter().fold(0.0_f64, |farthest, &reach| farthest.max(reach));
    if farthest_mm == 0.0 {
        return;
    }
    grid.rebuild(places_mm, farthest_mm);
    for (forecast, &reach_mm) in forecasts.iter().zip(&*reaches_mm) {
        let Some(&center_mm) = forecast.mean_mm.first() else { continue };
        let foot = FootDanger::new(model, forecast);
        grid.for_each_near(center_mm, |span| {
            for (i, place_mm) in span.iter() {
                if place_mm.distance_squared(center_mm) < reach_mm * reach_mm {
                    at_robots[i as usize] += foot.at(place_mm);
                }
            }
        });
    }
}

/// Distance from a foot beyond which its well is shallower than 1e-8: six standard deviations, and the way that it goes. None without a
/// forecast.
fn well_reach_mm(model: &FieldModel, forecast: &Forecast) -> f64 {
    let Some(&center_mm) = forecast.mean_mm.first() else { return 0.0 };
    let travel_mm = forecast.mean_mm.iter().map(|mean| mean.distance(center_mm)).fold(0.0, f64::max);
    let speed_mm_s = forecast.velocity_mm_s.iter().map(|velocity| velocity.length()).fold(0.0, f64::max);
    let params = model.params();
    travel_mm + 6.0 * (params.sigma_mm + params.stretch_s * speed_mm_s)
}

/// Feet that began another phase or another way in this step.
pub(crate) fn record_foot_events(tick: Tick, scratch: &MatScratch, events: &mut Vec<WorldEvent>) {
    events.clear();
    for (k, (&before, &after)) in scratch.feet_before.phase.iter().zip(&scratch.feet_after.phase).enumerate() {
        if scratch.output.retarget.get(k).is_some_and(Option::is_some) {
            events.push(WorldEvent::foot_re_aims(tick, k));
        }
        if before != after {
            events.push(WorldEvent::foot_phase(tick, k, after));
        }
    }
}

/// True in the steps that compare wishes. Cubes do later what is decided now, so for them nothing is compared.
fn compares_wishes(model: &MatModel, tick: Tick) -> bool {
    model.bodies.drive().is_none() && tick.is_due(compared_every(model.agent_count), 0)
}

/// What could be made of the wishes of this step, where robots truly were.
fn compare_wishes(model: &MatModel, (key, tick): (RunKey, Tick), feet: &Feet, scratch: &mut MatScratch) {
    let MatScratch { comparison, output, wishes_mm_s, forecasts, .. } = scratch;
    let (agents, sight) = (&output.next, Sight::Present);
    comparison
        .compare(&model.filter, &FilterInput { agents, wish_mm_s: wishes_mm_s, feet, forecasts, sight, key, tick });
}

/// Measures of the step that has just been made, and how many violations began in it. Nothing in the run reads them.
pub(crate) fn inspect(
    model: &MatModel,
    key: RunKey,
    state: &MatState,
    scratch: &mut MatScratch,
    inspector: &mut Inspector,
) -> u64 {
    let tick = state.tick;
    let compares = compares_wishes(model, tick);
    if compares {
        compare_wishes(model, (key, tick), &state.feet, scratch);
    }
    inspector.clear_events();
    inspector.step(&Observation {
        tick,
        before: if state.bodies.drive().is_some() { &scratch.bodies_before } else { &scratch.output.next },
        after: &state.agents,
        decided: state.bodies.drive().map(CubeDrive::due),
        feet_before_mm: &scratch.feet_before.position_mm,
        feet_after_mm: &scratch.feet_after.position_mm,
        feet_phase: &scratch.feet_after.phase,
        wish_mm_s: &scratch.wishes_mm_s,
        goals: state.goals.as_ref(),
        comparison: compares.then_some(&scratch.comparison),
        path_speed_factors: &scratch.output.path_speed_factors,
        decisions: &scratch.output.decisions,
        patches: &state.patches,
        danger: &scratch.danger.at_robots,
    });
    inspector.events().iter().filter(|event| matches!(event, Event::ViolationBegin { .. })).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::Rect;
    use swarm_field::{FeetParams, FieldParams};

    #[test]
    fn danger_without_far_feet_is_the_danger_of_all_feet() {
        let mat = Rect::from_size(3000.0, 3000.0);
        let field = FieldModel::new(FieldParams::default(), mat).unwrap();
        let params = FeetParams { count: 6, ..FeetParams::default() };
        let feet_model = FeetModel::new(params, mat, field.params().window_s, 60).unwrap();
        let key = RunKey { seed: 3, run_index: 0 };
        let mut feet = Feet::new(&feet_model, key);
        let mut forecasts = vec![Forecast::default(); 6];
        let places: Vec<DVec2> = (0..3600).map(|i| DVec2::new(f64::from(i % 60), f64::from(i / 60)) * 50.0).collect();
        let mut looked = RobotDanger::default();
        for tick in 1..=1200 {
            feet.advance(&feet_model, key, &[1.0; 6]);
            for (k, forecast) in forecasts.iter_mut().enumerate() {
                feet.forecast(k, &feet_model, forecast);
            }
            danger(&field, &forecasts, &places, Tick(tick), &mut looked);
            let found = &looked.at_robots;
            assert_eq!(found.len(), if tick % 6 == 0 { places.len() } else { 0 });
            if tick % 300 == 0 {
                let worst =
                    places.iter().zip(found).map(|(&p, d)| (swarm_field::danger(&field, &forecasts, p) - d).abs());
                assert!(worst.fold(0.0, f64::max) < 1e-7, "tick {tick}");
                assert!(found.iter().any(|&d| d > 0.1), "somewhere a foot is near");
            }
        }
    }

    #[test]
    fn the_first_number_that_is_not_finite_is_named() {
        let values = [DVec2::ZERO, DVec2::new(1.0, f64::INFINITY), DVec2::NAN];
        match check_finite("wish", Tick(9), &values) {
            Err(error) => {
                assert_eq!(error.to_string(), "robot 1 is no longer at a finite place after the wish phase of step 9");
            }
            Ok(()) => panic!("infinity was taken"),
        }
        assert!(check_finite("wish", Tick(9), &values[..1]).is_ok());
    }
}
