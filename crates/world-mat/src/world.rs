//! The mat: robots on a flat mat among walking feet and drifting patches.
//!
//! [`MatModel`] is fixed for the run, [`MatState`] is complete (clone it, or hash it, and nothing is missing),
//! [`MatScratch`] may be thrown away between any two steps. [`MatWorld::step`] is the table of contents of a step; its
//! phases stand in the order in which they run, and each one's arguments say what it reads and what it writes.

use crate::bodies::{Bodies, BodiesModel};
use crate::controls::controls;
use crate::cube_measures::CubeInspector;
use crate::cubes::{Cubes, CubesScratch, TracedMessage};
use crate::devices;
use crate::events::WorldEvent;
use crate::inputs::{self, FromOutside, Inputs};
use crate::kind::{CUBE_WORDS, Mat};
use crate::near_misses::{Clip, NearMissRecorder, near_miss_rows};
use crate::phase_timer::{NoTimer, Phase, PhaseTimer};
use crate::phases;
use crate::scenario::{SafetyGuarantee, ShapeSpec};
use crate::sensing::{AgentSensing, AgentSensingModel};
use crate::streams::{self, MatStream, Outputs};
use crate::things::Things;
use crate::view;
use sim_core::measure::{Measure, Metric};
use sim_core::{DVec2, Rect, RunKey, StateHash, Tick};
use sim_world::{
    Control, Device, DeviceState, EventRows, Guarantee, Input, Model, RowFault, RowSink, RunInfo, StartError,
    StepError, Stream, StreamSet, View, Words, World, WorldKind,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use swarm_agents::filter::comparison::WishComparison;
use swarm_agents::filter::{
    FilterInput, FilterKind, FilterModel, FilterOutput, FilterScratch, FilterState, clear_distances_mm,
};
use swarm_agents::goals::{Goals, GoalsModel};
use swarm_agents::measures::{Inspector, MeasureModel};
use swarm_agents::placement::place_among;
use swarm_agents::wish::{WishModel, WishState};
use swarm_agents::{Agents, SwarmModel};
use swarm_field::{Feet, FeetModel, FieldModel, Forecast, Gaussians, Patches, PatchesModel, Ring};
use toio_mat::Ground;
use toio_physics::Wall;

/// Everything about a run on the mat that does not change while it goes on.
#[derive(Clone, Debug)]
pub struct MatModel {
    /// Name of the scenario.
    pub name: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// Steps of a run.
    pub steps: u64,
    /// Steps a second.
    pub step_hz: u32,
    /// Steps between two rows of a table, as the scenario asks for it.
    pub trace_every: u64,
    /// Number of robots.
    pub agent_count: usize,
    /// How feet walk.
    pub feet: FeetModel,
    /// How patches drift.
    pub patches: PatchesModel,
    /// The potential of both.
    pub field: FieldModel,
    /// What robots can do and must keep.
    pub swarm: SwarmModel,
    /// What robots want.
    pub wish: WishModel,
    /// Outline of robots that are no cubes, if the scenario gives one.
    pub shape: Option<ShapeSpec>,
    /// The robots at their start, if the scenario gives their places.
    pub start: Option<Agents>,
    /// Where robots are sent, if anywhere.
    pub goals: Option<GoalsModel>,
    /// How well robots know where they are; none: exactly.
    pub sensing: Option<AgentSensingModel>,
    /// Who keeps them safe, unless another filter comes in.
    pub filter: FilterModel,
    /// What the run is judged by.
    pub measures: MeasureModel,
    /// What is promised about the distances if nothing comes in.
    pub guarantee: SafetyGuarantee,
    /// What the robots are, and which cubes there are.
    pub bodies: BodiesModel,
    /// The streams that its runs yield.
    pub(crate) outputs: Outputs,
    /// The streams that its runs take.
    pub(crate) inputs: Inputs,
    /// Printed mats and cards, with cubes and without.
    pub ground: Ground,
    /// Walls, with cubes and without.
    pub walls: Vec<Wall>,
    /// Obstacles beside walls, with cubes and without.
    pub obstacles: Vec<Ring>,
    /// Outer edge of the rim, if there is one.
    pub rim_mm: Option<Rect>,
    /// Where the printed mats, cards and walls that can be moved are at the start.
    pub things: Things,
    /// What cards are called, by their Standard IDs; empty where no card can be moved.
    pub(crate) card_titles: BTreeMap<u32, String>,
}

impl MatModel {
    /// Cubes stand on the mat, and nothing that the measures of the swarm speak of.
    fn has_only_cubes(&self) -> bool {
        self.agent_count == 0 && self.bodies.cubes().is_some()
    }

    /// The filter of a kind.
    pub(crate) fn filter_of(&self, kind: FilterKind) -> FilterModel {
        FilterModel { kind, ..self.filter.clone() }
    }

    /// True if goals change by a script.
    pub(crate) fn has_goal_script(&self) -> bool {
        self.goals.as_ref().is_some_and(GoalsModel::has_script)
    }
}

impl Model for MatModel {
    fn kind(&self) -> &'static dyn WorldKind {
        &Mat
    }

    fn view(&self) -> View {
        view::view(self)
    }

    fn controls(&self) -> Vec<Control> {
        controls(self)
    }

    fn info(&self) -> RunInfo<'_> {
        RunInfo {
            name: &self.name,
            seed: self.seed,
            steps: self.steps,
            step_hz: self.step_hz,
            trace_every: self.trace_every,
            agents: self.agent_count,
        }
    }

    fn outputs(&self) -> &[Stream] {
        &self.outputs.streams
    }

    fn inputs(&self) -> &[Stream] {
        &self.inputs.streams
    }

    fn check_input(&self, input: &Input<'_>) -> Result<(), RowFault> {
        inputs::check(self, input)
    }

    fn words(&self) -> &'static Words {
        if self.has_only_cubes() { &CUBE_WORDS } else { self.kind().words() }
    }

    fn devices(&self) -> Vec<Device> {
        self.bodies.cubes().map_or_else(Vec::new, |cubes| cubes.cubes.iter().map(devices::device).collect())
    }

    fn limit(&self, measure: &Measure) -> Option<f64> {
        self.measures.limit(measure)
    }

    fn guarantee(&self, taken: &StreamSet) -> Option<Guarantee> {
        let takes =
            |name| self.inputs().iter().position(|stream| stream.name == name).is_some_and(|at| taken.contains(at));
        let takes_wishes = takes("wishes") || takes("places");
        let guarantee = self.guarantee.with_inputs(takes("filters"), takes("feet"), takes_wishes).in_words();
        Some(match &self.shape {
            Some(shape) if self.agent_count > 0 => guarantee_of_centres(guarantee, shape),
            _ => guarantee,
        })
    }

    fn cpu_estimate_s(&self) -> f64 {
        let of_a_step = AGENT_STEP_S[usize::from(self.bodies.drive().is_some())];
        // An empty mat takes its time too.
        self.steps as f64 * self.agent_count.max(1) as f64 * of_a_step
    }

    fn start(self: Arc<Self>, key: RunKey, wanted: &StreamSet) -> Result<Box<dyn World>, StartError> {
        let records_near_misses = self.outputs.place(MatStream::NearMisses).is_some_and(|place| wanted.contains(place));
        let mut world = MatWorld::new(self, key)?;
        world.near_misses = records_near_misses.then(|| Box::new(NearMissRecorder::new(&world)));
        Ok(Box::new(world))
    }
}

/// What is promised of centres, with what that means for bodies of an outline that no run was measured with.
fn guarantee_of_centres(Guarantee { level, text }: Guarantee, shape: &ShapeSpec) -> Guarantee {
    let (pair, contact_mm) = (shape.pair_in_words(), shape.contact_mm());
    Guarantee {
        level,
        text: format!("{text}; distances are between centres, and {pair} cannot touch beyond {contact_mm:.1} mm"),
    }
}

/// Time that one robot's step takes, s: without cubes, and as a cube. Rough: a crowd takes longer.
const AGENT_STEP_S: [f64; 2] = [1.5e-6, 25e-6];

/// The complete state of the mat after a step.
#[derive(Clone, Debug)]
pub struct MatState {
    /// The step.
    pub tick: Tick,
    /// The feet.
    pub feet: Feet,
    /// The patches.
    pub patches: Patches,
    /// The robots: where they really are.
    pub agents: Agents,
    /// Where robots believe to be, if they do not know it.
    pub sensing: Option<AgentSensing>,
    /// What the wish remembers.
    pub wish: WishState,
    /// Who is sent where.
    pub goals: Option<Goals>,
    /// What the filter remembers.
    pub filter: FilterState,
    /// What the filter asked of the feet for the coming step.
    pub requests: FootRequests,
    /// The cubes, and what robots that are cubes have still to do.
    pub bodies: Bodies,
    /// What is in force of what came in.
    pub outside: FromOutside,
    /// Where the things are that can be moved.
    pub things: Things,
}

/// What the filter asks of the feet; stubborn feet are never asked anything but rate 1.
#[derive(Clone, Debug, Default)]
pub struct FootRequests {
    /// Path speed factor of each foot, 0 to 1.
    pub path_speed_factors: Vec<f64>,
    /// Feet that are to choose another way, with the place that they turn away from in mm.
    pub retarget: Vec<Option<DVec2>>,
}

impl FootRequests {
    fn at_start(feet: usize, rate: f64) -> Self {
        Self { path_speed_factors: vec![rate; feet], retarget: vec![None; feet] }
    }

    fn hash_into(&self, hash: &mut StateHash) {
        self.path_speed_factors.iter().for_each(|&rate| hash.f64(rate));
        for from_mm in &self.retarget {
            hash.u64(u64::from(from_mm.is_some()));
            hash.vec2(from_mm.unwrap_or(DVec2::ZERO));
        }
    }
}

impl MatState {
    /// The start: feet and patches at their first places, robots laid out between them, all at rest.
    ///
    /// # Errors
    /// If the robots do not fit.
    pub fn start(model: &MatModel, key: RunKey) -> Result<Self, StartError> {
        let feet = Feet::new(&model.feet, key);
        let feet_mm: Vec<DVec2> = (0..feet.len()).map(|k| feet.position_mm(k)).collect();
        let agents = match &model.start {
            Some(agents) => clear_of_feet(model, agents, &feet_mm)?.clone(),
            None => {
                let walls = &model.filter.walls;
                place_among(&model.swarm, walls, model.agent_count, &feet_mm, key)
                    .map_err(|error| StartError(error.to_string()))?
            }
        };
        let rates = vec![model.filter.initial_path_speed_factor(); feet.len()];
        let ahead = std::iter::successors(Some(feet.clone()), |feet| {
            let mut next = feet.clone();
            next.advance(&model.feet, key, &rates);
            Some(next)
        });
        let bodies =
            Bodies::start(&model.bodies, &agents, ahead.skip(1), key).map_err(|error| StartError(error.to_string()))?;
        Ok(Self {
            tick: Tick(0),
            patches: Patches::new(&model.patches, key),
            wish: WishState::new(&model.wish, model.agent_count, key),
            goals: model.goals.as_ref().map(|goals| Goals::new(goals, model.agent_count)),
            filter: FilterState::default(),
            requests: FootRequests::at_start(feet.len(), model.filter.initial_path_speed_factor()),
            bodies,
            outside: FromOutside::default(),
            things: model.things.clone(),
            sensing: model.sensing.as_ref().map(|sensing| AgentSensing::start(sensing, &agents)),
            agents,
            feet,
        })
    }

    /// Hash of the whole state: equal hashes, equal future.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.u64(self.tick.0);
        self.feet.hash_into(&mut hash);
        self.patches.hash_into(&mut hash);
        self.agents.hash_into(&mut hash);
        if let Some(sensing) = &self.sensing {
            sensing.hash_into(&mut hash);
        }
        self.wish.hash_into(&mut hash);
        if let Some(goals) = &self.goals {
            goals.hash_into(&mut hash);
        }
        self.filter.hash_into(&mut hash);
        self.requests.hash_into(&mut hash);
        self.bodies.hash_into(&mut hash);
        self.outside.hash_into(&mut hash);
        self.things.hash_into(&mut hash);
        hash.finish()
    }
}

/// The robots at given places, if no foot is too near to one of them.
fn clear_of_feet<'a>(model: &MatModel, agents: &'a Agents, feet_mm: &[DVec2]) -> Result<&'a Agents, StartError> {
    let (_, least_mm) = clear_distances_mm(&model.filter);
    for (k, foot_mm) in feet_mm.iter().enumerate() {
        for (i, place_mm) in agents.position_mm.iter().enumerate() {
            let distance_mm = place_mm.distance(*foot_mm);
            if distance_mm < least_mm {
                return Err(StartError(format!(
                    "robot {i} starts {distance_mm:.1} mm from foot {k}, and must be {least_mm:.1} mm away; move it in \
                     agents.start, or give feet.home_mm"
                )));
            }
        }
    }
    Ok(agents)
}

/// Buffers of a step; a fresh one may take over between any two steps.
#[derive(Clone, Debug)]
pub struct MatScratch {
    pub(crate) feet_before: phases::FeetSnapshot,
    pub(crate) feet_after: phases::FeetSnapshot,
    pub(crate) forecasts: Vec<Forecast>,
    pub(crate) field: Gaussians,
    pub(crate) danger: phases::RobotDanger,
    pub(crate) wishes_mm_s: Vec<DVec2>,
    pub(crate) filter: FilterScratch,
    pub(crate) output: FilterOutput,
    /// What could be made of the wishes, in the steps that compare them.
    pub(crate) comparison: WishComparison,
    pub(crate) cubes: CubesScratch,
    /// What came in and is worth an event.
    pub(crate) input_events: Vec<WorldEvent>,
    /// The robots before the step, where they are bodies.
    pub(crate) bodies_before: Agents,
}

impl MatScratch {
    /// Empty buffers.
    #[must_use]
    pub fn new(model: &MatModel) -> Self {
        let feet = model.feet.params().count;
        Self {
            feet_before: phases::FeetSnapshot::default(),
            feet_after: phases::FeetSnapshot::default(),
            forecasts: vec![Forecast::default(); feet],
            field: Gaussians::default(),
            danger: phases::RobotDanger::default(),
            wishes_mm_s: vec![DVec2::ZERO; model.agent_count],
            filter: FilterScratch::default(),
            output: FilterOutput::default(),
            comparison: WishComparison::default(),
            cubes: CubesScratch::default(),
            input_events: Vec::new(),
            bodies_before: Agents::default(),
        }
    }
}

/// One run on the mat.
#[derive(Clone, Debug)]
pub struct MatWorld {
    model: Arc<MatModel>,
    key: RunKey,
    state: MatState,
    scratch: MatScratch,
    inspector: Inspector,
    cube_inspector: CubeInspector,
    foot_events: Vec<WorldEvent>,
    violations: u64,
    /// None where the stream of near misses is not wanted, and after the end.
    near_misses: Option<Box<NearMissRecorder>>,
    /// The near misses, after the end.
    clips: Vec<Clip>,
}

impl MatWorld {
    /// A run at its start.
    ///
    /// # Errors
    /// If the robots do not fit.
    pub fn new(model: Arc<MatModel>, key: RunKey) -> Result<Self, StartError> {
        let state = MatState::start(&model, key)?;
        Ok(Self::resume(model, key, state))
    }

    /// A run that goes on from a state. Its measures begin here.
    #[must_use]
    pub fn resume(model: Arc<MatModel>, key: RunKey, state: MatState) -> Self {
        let mut scratch = MatScratch::new(&model);
        let mut inspector = Inspector::new(&model.measures);
        scratch.feet_after.snapshot(&state.feet);
        inspector.start(&state.agents, &scratch.feet_after.position_mm);
        let cube_inspector = CubeInspector::new(state.bodies.cubes());
        // A foot changes its phase or its way at most once in a step.
        let foot_events = Vec::with_capacity(2 * state.feet.len());
        let (near_misses, clips) = (None, Vec::new());
        Self { scratch, inspector, cube_inspector, foot_events, violations: 0, near_misses, clips, model, key, state }
    }

    /// One step.
    ///
    /// # Errors
    /// If a robot's wish or place, or a cube's motion, stops being finite; the state is then as the phase left it.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_with(&[], &mut NoTimer)
    }

    /// One step, with word of each phase's end. What robots know of themselves comes from their sensors, if they have any; what they
    /// know of the feet, the forecast, carries the estimation error. Cubes act on what their programs wrote in the steps before. Rows
    /// for the tables are taken from outside, after the step.
    ///
    /// # Errors
    /// As [`MatWorld::step`].
    pub fn step_with(&mut self, inputs: &[Input<'_>], timer: &mut impl PhaseTimer) -> Result<(), StepError> {
        let Self { model, key, state, scratch, inspector, cube_inspector, foot_events, violations, .. } = self;
        let (model, key) = (&**model, *key);
        let tick = state.tick.next();
        state.tick = tick;

        inputs::take(model, tick, inputs, state, scratch)?;
        phases::script(model, tick, &mut state.bodies, &mut scratch.cubes)?;
        timer.ended(Phase::Script);

        scratch.feet_before.snapshot(&state.feet);
        phases::move_feet(&model.feet, key, &state.requests, &mut state.feet, &mut state.bodies);
        phases::drift_patches(&model.patches, key, tick, &mut state.patches);
        scratch.feet_after.snapshot(&state.feet);
        timer.ended(Phase::Feet);

        let robots = phases::deciding_robots(&state.agents, &state.bodies);
        phases::sense(model, (key, tick), robots, &mut state.sensing);
        phases::predict(model, &state.feet, &state.bodies, &mut scratch.forecasts);
        scratch.field.refresh(&model.field, &scratch.forecasts, &state.patches);
        timer.ended(Phase::Field);

        let filter = phases::filter_in_force(model, &mut state.outside, &mut state.filter, robots);
        let belief = phases::belief(robots, &state.sensing, &scratch.field, &scratch.forecasts);
        phases::wish(model, (key, tick), &belief, &mut state.goals, &mut state.wish, &mut scratch.wishes_mm_s);
        phases::take_over_wishes(model, &state.outside, robots, &mut scratch.wishes_mm_s);
        phases::check_finite("wish", tick, &scratch.wishes_mm_s)?;
        timer.ended(Phase::Wish);

        let input = FilterInput {
            agents: phases::filtered_robots(&filter, robots, &belief),
            wish_mm_s: &scratch.wishes_mm_s,
            feet: phases::deciding_feet(&state.feet, &state.bodies),
            forecasts: belief.forecasts,
            sight: phases::sight(model),
            key,
            tick,
        };
        phases::filter(&filter, &input, &mut state.filter, &mut scratch.filter, &mut scratch.output);
        phases::check_motion("filter", tick, &scratch.output.next)?;
        timer.ended(Phase::Filter);

        phases::apply_actuation((model, &filter), &state.agents, &state.sensing, &mut scratch.output.next);
        // The frozen present stays in `output.next` until the next step, for those who compare.
        phases::commit(&mut state.agents, &mut state.bodies, &mut state.requests, &mut scratch.output);
        phases::step_cubes(model, tick, &mut state.bodies, &mut scratch.cubes)?;
        phases::steer(model, state, &mut scratch.cubes);
        phases::follow(model, state, &mut scratch.bodies_before);
        timer.ended(Phase::Act);

        let robots = phases::deciding_robots(&state.agents, &state.bodies);
        phases::danger(&model.field, &scratch.forecasts, &robots.position_mm, tick, &mut scratch.danger);
        phases::record_foot_events(tick, scratch, foot_events);
        *violations += phases::inspect(model, key, state, scratch, inspector);
        cube_inspector.step(state.bodies.cubes(), &scratch.cubes);
        timer.ended(Phase::Inspect);
        self.record_near_misses();
        Ok(())
    }

    fn record_near_misses(&mut self) {
        if let Some(mut recorder) = self.near_misses.take() {
            recorder.record(self);
            self.near_misses = Some(recorder);
        }
    }
}

impl MatWorld {
    /// What is fixed.
    #[must_use]
    pub fn model(&self) -> &MatModel {
        &self.model
    }

    /// Address of the run's draws.
    #[must_use]
    pub fn key(&self) -> RunKey {
        self.key
    }

    /// The complete state after the last step.
    #[must_use]
    pub fn state(&self) -> &MatState {
        &self.state
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        self.state.tick.seconds(self.model.step_hz)
    }

    /// The robots.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.state.agents
    }

    /// Place of the target pole, mm; none as long as none stands.
    #[must_use]
    pub fn target_mm(&self) -> Option<DVec2> {
        self.state.outside.target_mm
    }

    /// The feet.
    #[must_use]
    pub fn feet(&self) -> &Feet {
        &self.state.feet
    }

    /// The patches.
    #[must_use]
    pub fn patches(&self) -> &Patches {
        &self.state.patches
    }

    /// The cubes; nothing if there are none.
    #[must_use]
    pub fn cubes(&self) -> Option<&Cubes> {
        self.state.bodies.cubes()
    }

    /// What went over the cubes' radios in the last step.
    #[must_use]
    pub fn messages(&self) -> &[TracedMessage] {
        self.scratch.cubes.messages()
    }

    /// What each robot wished in the last step, mm/s; zero at the start.
    #[must_use]
    pub fn wishes_mm_s(&self) -> &[DVec2] {
        &self.scratch.wishes_mm_s
    }

    /// The measures so far.
    #[must_use]
    pub fn inspector(&self) -> &Inspector {
        &self.inspector
    }

    /// What happened in the last step: what hands began, at the step before; then cubes, feet and robots.
    pub fn events(&self) -> impl Iterator<Item = WorldEvent> + '_ {
        let scratch = &self.scratch;
        let noted = scratch.input_events.iter().chain(scratch.cubes.events()).chain(&self.foot_events).copied();
        noted.chain(self.inspector.events().iter().map(WorldEvent::from))
    }

    /// Throws the buffers away. Nothing that happens later changes, which is why this exists: a test holds it.
    pub fn drop_scratch(&mut self) {
        self.scratch = MatScratch::new(&self.model);
    }
}

impl MatWorld {
    pub(crate) fn event_rows(&self, out: &mut RowSink<'_>) {
        let mut rows = EventRows::default();
        self.events().for_each(|event| rows.write(&event.row(self.model.step_hz), out));
    }

    pub(crate) fn near_miss_rows(&self, out: &mut RowSink<'_>) {
        near_miss_rows(&self.clips, self.model.step_hz, out);
    }
}

impl World for MatWorld {
    fn tick(&self) -> Tick {
        self.state.tick
    }

    fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        self.step_with(inputs, &mut NoTimer)
    }

    fn rows(&self, stream: usize, out: &mut RowSink<'_>) {
        if let Some(stream) = self.model.outputs.kind(stream) {
            streams::rows(self, stream, out);
        }
    }

    fn device_state(&self, device: usize) -> DeviceState {
        self.cubes().map_or(DeviceState::Off, |cubes| devices::state(cubes, device))
    }

    fn state_hash(&self) -> u64 {
        self.state.hash()
    }

    /// A pair that is too near for many steps on end counts once.
    fn violations(&self) -> u64 {
        self.violations
    }

    /// The events are then those of the end: episodes that were still open, closest approaches.
    fn finish(&mut self) -> Vec<Metric> {
        if let Some(recorder) = self.near_misses.take() {
            self.clips = recorder.finish();
        }
        self.foot_events.clear();
        self.scratch.cubes.forget();
        self.scratch.input_events.clear();
        self.inspector.clear_events();
        self.inspector.close();
        let mut metrics = self.inspector.finish();
        metrics.extend(self.cube_inspector.finish());
        metrics
    }
}
