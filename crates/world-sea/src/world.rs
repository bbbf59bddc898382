//! The sea: vehicles in moving water over a bottom, with actuators, sensors and drivers.
//!
//! [`SeaModel`] is fixed for the run, [`SeaState`] is complete, [`SeaScratch`] may be thrown away between any two steps.
//! [`SeaWorld::step_with`] is the table of contents of a step.
//!
//! SI units and radians; world east, north, up; vehicles forward, left, up.

use crate::acoustics::{AcousticLog, AcousticState};
use crate::control::ControlSource;
use crate::events::{Moment, Named, SeaEvent};
use crate::forces::{self, Struck};
use crate::inputs;
use crate::inspector::SeaInspector;
use crate::kind::Sea;
use crate::loads::PointForce;
use crate::model::SeaModel;
use crate::network::Network;
use crate::particles::{self, Particle};
use crate::phases;
use crate::pilot::{Held, Pilot, Setpoint};
use crate::readings::Readings;
use crate::scanner::{ScanScratch, ScannerSetup};
use crate::sonar::{SonarScratch, SonarSetup};
use crate::streams;
use crate::survey::SurveyMap;
use crate::touch::{self, TouchScratch};
use crate::view;
use sea_sim::Sea as MovingWater;
use sea_sim::actuator::MAX_ACTUATORS;
use sea_sim::body::BodyState;
use sea_sim::current::CurrentState;
use sea_sim::field::TurningPropeller;
use sea_sim::vehicle::VehicleState;
use sea_sim::water::{Nearby, Water};
use sim_core::measure::Metric;
use sim_core::sensing::Sensor;
use sim_core::{RunKey, StateHash, Tick};
use sim_world::{
    Event, EventRows, Input, Model, RowFault, RowSink, RunInfo, StartError, StepError, Stream, StreamSet, View, World,
    WorldKind,
};
use std::sync::Arc;

/// How a vehicle is, beyond its motion: what events are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions {
    /// Whether its hull is under water.
    pub is_under: bool,
    /// Step in which it last touched the bottom.
    pub bottom_step: Option<u64>,
    /// Height of its origin above the bottom at its last touch, m, until it has risen clear of it.
    pub aground_at_m: Option<f64>,
    /// Step in which it last touched another vehicle.
    pub struck_step: Option<u64>,
    /// Whether it is beyond the border of the bottom.
    pub is_outside: bool,
    /// Whether there is water inside.
    pub is_leaking: bool,
    /// Whether its hull is out of the water.
    pub is_in_air: bool,
    /// Step in which the command of each actuator was last beyond its range.
    pub saturated_step: [Option<u64>; MAX_ACTUATORS],
}

/// One vehicle in a run.
#[derive(Clone, Debug)]
pub struct VehicleRun {
    /// Motion, actuators and commands.
    pub motion: VehicleState,
    /// Its sensors, in the order of its setup.
    pub sensors: Vec<Sensor>,
    /// Its sonars, in the order of its setup.
    pub sonars: Vec<Sensor>,
    /// Returns of the rays of the last ping of each sonar that needs them; empty of others.
    pub sonar_returns: Vec<Vec<f64>>,
    /// Its lidars and depth cameras, in the order of its setup.
    pub scanners: Vec<Sensor>,
    /// Whose commands it obeys.
    pub control_source: ControlSource,
    /// Its driver.
    pub pilot: Pilot,
    /// Actuators whose commands come from outside.
    pub(crate) is_held: Held,
    /// Steps since the last command from outside.
    pub(crate) held_age: u64,
    /// The force of the script that pulls at it.
    pub(crate) force: PointForce,
    /// Measurements of its leak detector that found water.
    pub(crate) leaks_found: u64,
    /// What events are made of.
    pub conditions: Conditions,
}

/// The complete state of the sea after a step.
#[derive(Clone, Debug)]
pub struct SeaState {
    /// The step.
    pub tick: Tick,
    /// The currents that wander.
    pub currents: CurrentState,
    /// The vehicles.
    pub vehicles: Vec<VehicleRun>,
    /// Entries of the script that have happened.
    pub scripted: usize,
    /// Pairs of vehicles that touched not long ago, in order.
    pub strikes: Vec<Strike>,
    /// The particles that show force fields.
    pub particles: Vec<Particle>,
    /// Modems, and what is under way between them.
    pub acoustics: AcousticState,
}

/// Two vehicles that touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strike {
    /// Their numbers, the smaller one first.
    pub vehicles: [u32; 2],
    /// Step in which they last did.
    pub step: u64,
}

impl SeaState {
    /// All vehicles at their starts; nothing measured yet, and no particles.
    #[must_use]
    pub fn start(model: &SeaModel, key: RunKey) -> Self {
        let vehicle = |setup: &crate::model::VehicleSetup| VehicleRun {
            motion: setup.start,
            sensors: setup.sensors.iter().map(|sensor| sensor.instrument.start()).collect(),
            sonars: setup.sonars.iter().map(SonarSetup::start).collect(),
            sonar_returns: setup.sonars.iter().map(SonarSetup::start_returns).collect(),
            scanners: setup.scanners.iter().map(ScannerSetup::start).collect(),
            control_source: setup.control_sources.first().copied().unwrap_or_default(),
            pilot: Pilot::start(&setup.driver, setup.start.body.position_m),
            is_held: Held::default(),
            held_age: 0,
            force: PointForce::default(),
            leaks_found: 0,
            conditions: Conditions::default(),
        };
        Self {
            tick: Tick(0),
            currents: model.currents.start(key),
            vehicles: model.vehicles.iter().map(vehicle).collect(),
            scripted: 0,
            strikes: Vec::new(),
            particles: Vec::new(),
            acoustics: AcousticState::start(model.acoustics.as_ref(), model.vehicles.len()),
        }
    }

    /// Hash of the whole state: equal hashes, equal future.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.u64(self.tick.0);
        hash.u64(self.scripted as u64);
        self.currents.hash_into(&mut hash);
        self.vehicles.iter().for_each(|vehicle| vehicle.hash_into(&mut hash));
        for Strike { vehicles, step } in &self.strikes {
            vehicles.iter().for_each(|&vehicle| hash.u64(u64::from(vehicle)));
            hash.u64(*step);
        }
        self.particles.iter().for_each(|particle| particle.hash_into(&mut hash));
        self.acoustics.hash_into(&mut hash);
        hash.finish()
    }
}

impl VehicleRun {
    /// Obeys another source of commands; what the one before asked for is forgotten, but for commands in force.
    pub(crate) fn obey(&mut self, source: ControlSource) {
        self.control_source = source;
        match source {
            ControlSource::Shared => {}
            ControlSource::Driver => {
                self.is_held = Held::default();
                self.pilot.take(Setpoint::default());
            }
            ControlSource::Inputs => self.pilot.rest(),
        }
    }

    fn hash_into(&self, hash: &mut StateHash) {
        self.motion.hash_into(hash);
        self.sensors.iter().chain(&self.sonars).chain(&self.scanners).for_each(|sensor| sensor.hash_into(hash));
        self.sonar_returns.iter().flatten().for_each(|&value| hash.f64(value));
        self.pilot.hash_into(hash);
        let held = self.is_held.iter().enumerate().map(|(place, &is_held)| u64::from(is_held) << place);
        hash.u64(held.sum());
        hash.u64(self.held_age);
        if !self.control_source.is_shared() {
            hash.u64(self.control_source as u64);
        }
        if self.leaks_found > 0 {
            hash.u64(self.leaks_found);
        }
        if self.force != PointForce::default() {
            let PointForce { force_n, at_m } = self.force;
            [force_n, at_m].iter().flat_map(|vector| vector.to_array()).for_each(|value| hash.f64(value));
        }
        self.conditions.hash_into(hash);
    }
}

impl Conditions {
    fn hash_into(&self, hash: &mut StateHash) {
        let Self {
            is_under,
            bottom_step,
            aground_at_m,
            struck_step,
            is_outside,
            is_leaking,
            is_in_air,
            saturated_step,
        } = *self;
        let flags = [is_under, is_outside, is_leaking, is_in_air].map(u64::from);
        hash.u64(flags.into_iter().rev().fold(0, |all, flag| all << 1 | flag));
        for step in [bottom_step, struck_step].into_iter().chain(saturated_step) {
            hash.u64(step.unwrap_or(u64::MAX));
        }
        if let Some(height_m) = aground_at_m {
            hash.f64(height_m);
        }
    }
}

/// Buffers of a step; fresh ones may take over between any two steps.
#[derive(Clone, Debug, Default)]
pub struct SeaScratch {
    /// States of the bodies where the step began.
    pub(crate) before: Vec<BodyState>,
    /// How the propellers of fields turned there.
    pub(crate) propellers: Vec<TurningPropeller>,
    /// The water around each vehicle in the middle of the step; none before it.
    pub(crate) around: Vec<Nearby>,
    pub(crate) touch: TouchScratch,
    pub(crate) sonar: SonarScratch,
    pub(crate) scan: ScanScratch,
}

/// One run on the sea.
#[derive(Clone, Debug)]
pub struct SeaWorld {
    model: Arc<SeaModel>,
    key: RunKey,
    water: Arc<Water>,
    state: SeaState,
    scratch: SeaScratch,
    inspector: SeaInspector,
    map: SurveyMap,
    readings: Readings,
    struck: Struck,
    acoustic_log: AcousticLog,
    events: Vec<SeaEvent>,
}

impl SeaWorld {
    /// A run at its start, with what sensors deliver there.
    ///
    /// # Errors
    /// If the waves that are drawn for it would break.
    pub fn new(model: Arc<SeaModel>, key: RunKey) -> Result<Self, StartError> {
        let state = SeaState::start(&model, key);
        let mut world = Self::resume(model, key, state)?;
        let Self { model, key, water, state, scratch, inspector, map, readings, events, .. } = &mut world;
        phases::settle(model, water, state);
        phases::look_back(model, &state.vehicles, scratch);
        state.particles = particles::start(model, &scratch.propellers, *key);
        phases::observe(model, water, state, (Moment { tick: Tick(0), time_s: 0.0 }, events));
        // What holds at the start has not happened.
        events.clear();
        phases::sense((model, *key, water), state, scratch, readings);
        inspector.count_pings(model, readings);
        map.add(model, readings);
        Ok(world)
    }

    /// A run that goes on from a state. Its measures begin here.
    ///
    /// # Errors
    /// If the waves that are drawn for it would break.
    pub fn resume(model: Arc<SeaModel>, key: RunKey, state: SeaState) -> Result<Self, StartError> {
        let water = model.water(key).map_err(|error| StartError(format!("the waves: {error}")))?;
        let (inspector, map) = (SeaInspector::new(&state), SurveyMap::new(&model));
        let (scratch, readings, struck, events) = Default::default();
        let acoustic_log = AcousticLog::new(model.acoustics.as_ref());
        let water = Arc::new(water);
        Ok(Self { model, key, water, state, scratch, inspector, map, readings, struck, acoustic_log, events })
    }

    /// One step into which nothing comes from outside.
    ///
    /// # Errors
    /// As [`SeaWorld::step_with`].
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_with(&[])
    }

    /// One step: rows come in; the script; drivers decide on what has arrived; vehicles move through the water and touch; currents
    /// wander; sensors measure and deliver; modems send and hear.
    ///
    /// # Errors
    /// If a vehicle's place stops being finite.
    pub fn step_with(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        let Self { model, key, water, state, scratch, inspector, map, readings, struck, acoustic_log, events } = self;
        let (model, key, water) = (&**model, *key, &**water);
        let begin_s = state.tick.seconds(model.step_hz);
        state.tick = state.tick.next();
        let moment = Moment { tick: state.tick, time_s: state.tick.seconds(model.step_hz) };
        readings.clear();
        acoustic_log.clear();
        events.clear();

        inputs::take((model, water), inputs, (state, begin_s), (moment, events));
        phases::play_script(model, water, (state, begin_s), (moment, events));
        phases::decide(model, state, (moment, events));
        phases::move_vehicles((model, key, water), (state, begin_s), scratch, (moment, events))?;
        let sea = MovingWater { water, currents: &model.currents, state: &state.currents };
        particles::advance((model, key, water), &mut state.particles, &scratch.propellers, (state.tick, begin_s));
        struck.begin(model, &state.vehicles);
        let bodies = (&mut *state.vehicles, &*scratch.before);
        touch::resolve(model, &sea, bodies, (&mut scratch.touch, &mut state.strikes), (moment, events));
        struck.end(&state.vehicles);
        model.currents.step(&mut state.currents, key);
        phases::observe(model, water, state, (moment, events));
        phases::sense((model, key, water), state, scratch, readings);
        let network = (&mut state.acoustics, &*state.vehicles, moment.time_s);
        Network::new((model, key, water), network, acoustic_log).iter_mut().for_each(Network::advance);
        phases::check_finite(model, state)?;
        inspector.look((model, water), state, &scratch.before, (events, readings, acoustic_log));
        map.add(model, readings);
        Ok(())
    }

    /// What is fixed for the run.
    #[must_use]
    pub fn model(&self) -> &SeaModel {
        &self.model
    }

    /// Address of its draws.
    pub(crate) fn key(&self) -> RunKey {
        self.key
    }

    /// The water of the run.
    #[must_use]
    pub fn water(&self) -> &Water {
        &self.water
    }

    /// The state after the last step.
    #[must_use]
    pub fn state(&self) -> &SeaState {
        &self.state
    }

    /// The water with its currents at the end of the last step.
    #[must_use]
    pub fn sea(&self) -> MovingWater<'_> {
        MovingWater { water: &self.water, currents: &self.model.currents, state: &self.state.currents }
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        self.state.tick.seconds(self.model.step_hz)
    }

    /// The map that sonars made up to now.
    pub(crate) fn map(&self) -> &SurveyMap {
        &self.map
    }

    /// What arrived from sensors in the last step, by vehicle.
    #[must_use]
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// What modems received in the last step.
    #[must_use]
    pub fn acoustic_log(&self) -> &AcousticLog {
        &self.acoustic_log
    }

    /// What happened in the last step.
    #[must_use]
    pub fn events(&self) -> &[SeaEvent] {
        &self.events
    }

    /// Throws the buffers away. Nothing that happens later changes, which is why this exists: a test holds it.
    pub fn drop_scratch(&mut self) {
        self.scratch = SeaScratch::default();
    }

    pub(crate) fn force_rows(&self, out: &mut RowSink<'_>) {
        forces::rows(self, &self.struck, out);
    }

    pub(crate) fn event_rows(&self, out: &mut RowSink<'_>) {
        let mut rows = EventRows::default();
        for SeaEvent { tick, time_s, kind, vehicle, object, value, unit } in &self.events {
            let subject = format_args!("vehicle {vehicle}");
            let actuators = self.model.vehicles[*vehicle as usize].vehicle.actuator_names();
            let object = &Named { object: *object, actuators };
            let event = Event { tick: *tick, time_s: *time_s, kind, subject: &subject, object, value: *value, unit };
            rows.write(&event, out);
        }
    }
}

impl Model for SeaModel {
    fn kind(&self) -> &'static dyn WorldKind {
        &Sea
    }

    fn view(&self) -> View {
        view::view(self)
    }

    fn info(&self) -> RunInfo<'_> {
        RunInfo {
            name: &self.name,
            seed: self.seed,
            steps: self.steps,
            step_hz: self.step_hz,
            trace_every: self.trace_every,
            agents: self.vehicles.len(),
        }
    }

    fn outputs(&self) -> &[Stream] {
        &self.outputs.streams
    }

    fn inputs(&self) -> &[Stream] {
        &self.inputs
    }

    fn check_input(&self, input: &Input<'_>) -> Result<(), RowFault> {
        inputs::check(self, input)
    }

    fn cpu_estimate_s(&self) -> f64 {
        self.cpu_s()
    }

    fn start(self: Arc<Self>, key: RunKey, _wanted: &StreamSet) -> Result<Box<dyn World>, StartError> {
        Ok(Box::new(SeaWorld::new(self, key)?))
    }
}

impl World for SeaWorld {
    fn tick(&self) -> Tick {
        self.state.tick
    }

    fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        self.step_with(inputs)
    }

    fn rows(&self, stream: usize, out: &mut RowSink<'_>) {
        if let Some(stream) = self.model.outputs.kind(stream) {
            streams::rows(self, stream, out);
        }
    }

    fn state_hash(&self) -> u64 {
        self.state.hash()
    }

    fn violations(&self) -> u64 {
        self.inspector.violations()
    }

    fn finish(&mut self) -> Vec<Metric> {
        self.events.clear();
        self.readings.clear();
        self.acoustic_log.clear();
        self.map.finish();
        self.inspector.finish(&self.model, self.map.measures(&self.model))
    }
}
