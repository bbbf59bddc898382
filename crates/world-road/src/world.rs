//! The road: cars among walls, with lidar, inertial unit, odometry and position sensor, each with a driver.
//!
//! [`RoadModel`] is fixed for the run, [`RoadState`] is complete, [`RoadScratch`] may be thrown away between any two steps.
//! [`RoadWorld::step`] is the table of contents of a step. A step is a whole number of integration steps of the cars, 1 ms each: drivers
//! decide once a step, timed commands and sensors keep to the ms.
//!
//! SI units and radians; x and y on the plane, yaw counter-clockwise from +x.

use crate::driver::DriverModel;
use crate::events::RoadEvent;
use crate::inputs;
use crate::inspector::RoadInspector;
use crate::kind::Road;
use crate::model::RoadModel;
use crate::phases;
use crate::readings::Readings;
use crate::streams;
use crate::view;
use car_sim::driver::Progress;
use car_sim::{Car, CarReport, Command, ScanBuffers, Traffic};
use sim_core::measure::Metric;
use sim_core::sensing::Sensor;
use sim_core::{RunKey, StateHash, Tick};
use sim_world::{
    Control, Event, EventRows, Input, Model, RowFault, RowSink, RunInfo, StartError, StepError, Stream, StreamSet,
    View, World, WorldKind,
};
use std::sync::Arc;

/// One car: how it moves, what its sensors have under way, and how far its driver has come.
#[derive(Clone, Debug)]
pub struct CarState {
    /// Its motion.
    pub car: Car,
    /// Its sensors, in the order of its setup.
    pub sensors: Vec<Sensor>,
    /// Its way along a route, if it follows one.
    pub progress: Progress,
    /// The command that came from outside, in place of its driver's.
    pub command: Option<Command>,
}

/// The complete state of the road after a step.
#[derive(Clone, Debug)]
pub struct RoadState {
    /// The step.
    pub tick: Tick,
    /// The cars.
    pub cars: Vec<CarState>,
}

impl RoadState {
    /// All cars at their starts; nothing measured yet.
    ///
    /// # Errors
    /// If a car would start in an obstacle or in another car: its number, and why.
    pub fn start(model: &RoadModel) -> Result<Self, (usize, String)> {
        let mut cars = Vec::with_capacity(model.cars.len());
        for (number, setup) in model.cars.iter().enumerate() {
            let car = Car::placed(&setup.model, &model.map, &setup.start).map_err(|error| (number, error.message))?;
            let progress = match &setup.driver {
                DriverModel::Route(pursuit) => pursuit.join(car.base(&setup.model)),
                DriverModel::None | DriverModel::Plan(_) | DriverModel::Wall(_) => Progress::default(),
            };
            let sensors = setup.sensors.iter().map(|sensor| sensor.instrument.start()).collect();
            cars.push(CarState { car, sensors, progress, command: None });
        }
        let state = Self { tick: Tick(0), cars };
        let mut traffic = Traffic::new();
        phases::show_outlines(model, &state, &mut traffic);
        for (number, outline) in traffic.outlines().iter().enumerate() {
            if let Some(other) = traffic.touched_by(outline, Some(number)).filter(|&other| other < number) {
                return Err((number, format!("puts the car into car {other}")));
            }
        }
        Ok(state)
    }

    /// Hash of the whole state: equal hashes, equal future.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.u64(self.tick.0);
        for CarState { car, sensors, progress, command } in &self.cars {
            car.hash_into(&mut hash);
            sensors.iter().for_each(|sensor| sensor.hash_into(&mut hash));
            progress.hash_into(&mut hash);
            if let Some(command) = command {
                hash_command(command, &mut hash);
            }
        }
        hash.finish()
    }
}

/// A command that came from outside is part of the state.
fn hash_command(command: &Command, hash: &mut StateHash) {
    hash.f64(command.velocity_m_s);
    hash.f64(command.curvature_1_m);
    hash.u64(u64::from(command.acceleration_m_s2.is_some()));
    hash.f64(command.acceleration_m_s2.unwrap_or_default());
}

/// Buffers of a step; fresh ones may take over between any two steps.
#[derive(Clone, Debug, Default)]
pub struct RoadScratch {
    pub(crate) traffic: Traffic,
    pub(crate) scans: ScanBuffers,
}

/// One run on the road.
#[derive(Clone, Debug)]
pub struct RoadWorld {
    model: Arc<RoadModel>,
    key: RunKey,
    state: RoadState,
    scratch: RoadScratch,
    inspector: RoadInspector,
    readings: Readings,
    events: Vec<RoadEvent>,
}

impl RoadWorld {
    /// A run at its start, with what sensors deliver there.
    ///
    /// # Errors
    /// If a car would start in an obstacle or in another car.
    pub fn new(model: Arc<RoadModel>, key: RunKey) -> Result<Self, StartError> {
        let state =
            RoadState::start(&model).map_err(|(car, why)| StartError(format!("the place of car {car} {why}")))?;
        let mut world = Self::resume(model, key, state);
        let Self { model, state, scratch, readings, .. } = &mut world;
        phases::show_outlines(model, state, &mut scratch.traffic);
        phases::sense((model, key), Tick(0), state, scratch, readings);
        Ok(world)
    }

    /// A run that goes on from a state. Its measures begin here.
    #[must_use]
    pub fn resume(model: Arc<RoadModel>, key: RunKey, state: RoadState) -> Self {
        let inspector = RoadInspector::new(&model, &state);
        Self {
            model,
            key,
            state,
            scratch: RoadScratch::default(),
            inspector,
            readings: Readings::default(),
            events: Vec::new(),
        }
    }

    /// One step into which nothing comes from outside.
    ///
    /// # Errors
    /// As [`RoadWorld::step_with`].
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_with(&[])
    }

    /// One step: commands come in; drivers decide on what has arrived; cars move, hit walls and each other; sensors measure and deliver.
    ///
    /// # Errors
    /// If a car's place stops being finite.
    pub fn step_with(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        let Self { model, key, state, scratch, inspector, readings, events } = self;
        let (model, key, before) = (&**model, *key, state.tick);
        state.tick = before.next();
        readings.clear();
        events.clear();

        inputs::take(model, inputs, state);
        phases::decide(model, before, state);
        for substep in 1..=model.substeps() {
            let now = Tick(before.0 * model.substeps() + substep);
            phases::read_plans(model, now, state);
            phases::move_cars(model, state);
            phases::collide(model, now, state, &mut scratch.traffic, events);
            phases::sense((model, key), now, state, scratch, readings);
        }
        phases::check_finite(model, state)?;
        inspector.observe(model, state, events);
        Ok(())
    }

    /// What is fixed.
    #[must_use]
    pub fn model(&self) -> &RoadModel {
        &self.model
    }

    /// The complete state after the last step.
    #[must_use]
    pub fn state(&self) -> &RoadState {
        &self.state
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        self.state.tick.seconds(self.model.step_hz)
    }

    /// The cars as engines tell of them, by number.
    pub fn reports(&self) -> impl Iterator<Item = CarReport> + '_ {
        self.model.cars.iter().zip(&self.state.cars).map(|(setup, state)| state.car.report(&setup.model))
    }

    /// What arrived from sensors in the last step, in the order of its arrival.
    #[must_use]
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// What happened in the last step.
    #[must_use]
    pub fn events(&self) -> &[RoadEvent] {
        &self.events
    }

    /// Throws the buffers away. Nothing that happens later changes, which is why this exists: a test holds it.
    pub fn drop_scratch(&mut self) {
        self.scratch = RoadScratch::default();
    }
}

impl RoadWorld {
    pub(crate) fn event_rows(&self, out: &mut RowSink<'_>) {
        let mut rows = EventRows::default();
        for RoadEvent { tick, time_s, kind, car, object, value, unit } in &self.events {
            let subject = format_args!("car {car}");
            let event = Event { tick: *tick, time_s: *time_s, kind, subject: &subject, object, value: *value, unit };
            rows.write(&event, out);
        }
    }
}

impl Model for RoadModel {
    fn kind(&self) -> &'static dyn WorldKind {
        &Road
    }

    fn view(&self) -> View {
        view::view(self)
    }

    fn controls(&self) -> Vec<Control> {
        inputs::controls(self)
    }

    fn info(&self) -> RunInfo<'_> {
        RunInfo {
            name: &self.name,
            seed: self.seed,
            steps: self.steps,
            step_hz: self.step_hz,
            trace_every: self.trace_every,
            agents: self.cars.len(),
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
        Ok(Box::new(RoadWorld::new(self, key)?))
    }
}

impl World for RoadWorld {
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
        self.inspector.collisions()
    }

    fn finish(&mut self) -> Vec<Metric> {
        self.events.clear();
        self.readings.clear();
        self.inspector.finish(&self.model)
    }
}
