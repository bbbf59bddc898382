//! The road: cars among walls, with lidar, inertial unit, odometry and position sensor, each with a driver.
//!
//! [`RoadModel`] is fixed for the run, [`RoadState`] is complete, [`RoadScratch`] may be thrown away between any two steps.
//! [`RoadWorld::step`] is the table of contents of a step. A step is a whole number of integration steps of the cars, 1 ms each: drivers
//! decide once a step, timed commands and sensors keep to the ms.
//!
//! SI units and radians; x and y on the plane, yaw counter-clockwise from +x.

mod driver;
mod inspector;
mod model;
mod phases;
mod readings;
mod view;

pub use driver::{DriverModel, WallEyes};
pub use inspector::{DEFINITIONS, RoadInspector, limit};
pub use model::{CarSetup, LidarRows, MapOutlines, RoadModel, SUBSTEP_NS, SensorKind, SensorSetup, TICKS_PER_S};
pub use readings::{Arrival, Readings};
pub use view::view;

use super::events::WorldEvent;
use super::seam::{Head, RunWorld};
use crate::error::RunError;
use crate::tables::road::RoadTables;
use car_sim::driver::Progress;
use car_sim::{Car, CarReport, ScanBuffers, Traffic};
use sim_core::sensing::Sensor;
use sim_core::{RunKey, StateHash, Tick};
use std::sync::Arc;
use swarm_agents::measures::Metric;

/// One car: how it moves, what its sensors have under way, and how far its driver has come.
#[derive(Clone, Debug)]
pub struct CarState {
    /// Its motion.
    pub car: Car,
    /// Its sensors, in the order of its setup.
    pub sensors: Vec<Sensor>,
    /// Its way along a route, if it follows one.
    pub progress: Progress,
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
                DriverModel::Nobody | DriverModel::Plan(_) | DriverModel::Wall(_) => Progress::default(),
            };
            let sensors = setup.sensors.iter().map(|sensor| sensor.instrument.start()).collect();
            cars.push(CarState { car, sensors, progress });
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
        for CarState { car, sensors, progress } in &self.cars {
            car.hash(&mut hash);
            sensors.iter().for_each(|sensor| sensor.hash(&mut hash));
            progress.hash(&mut hash);
        }
        hash.finish()
    }
}

/// Buffers of a step; fresh ones may take over between any two steps.
#[derive(Debug, Default)]
pub struct RoadScratch {
    traffic: Traffic,
    scans: ScanBuffers,
}

/// One run on the road.
#[derive(Debug)]
pub struct RoadWorld {
    model: Arc<RoadModel>,
    key: RunKey,
    state: RoadState,
    scratch: RoadScratch,
    inspector: RoadInspector,
    readings: Readings,
    events: Vec<WorldEvent>,
}

impl RoadWorld {
    /// A run at its start, with what sensors deliver there.
    ///
    /// # Errors
    /// If a car would start in an obstacle or in another car.
    pub fn new(model: Arc<RoadModel>, key: RunKey) -> Result<Self, RunError> {
        let state =
            RoadState::start(&model).map_err(|(car, why)| RunError::Start(format!("the place of car {car} {why}")))?;
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

    /// One step: drivers decide on what has arrived; cars move, hit walls and each other; sensors measure and deliver.
    ///
    /// # Errors
    /// If a car's place stops being finite.
    pub fn step(&mut self) -> Result<(), RunError> {
        let Self { model, key, state, scratch, inspector, readings, events } = self;
        let (model, key, before) = (&**model, *key, state.tick);
        state.tick = before.next();
        readings.clear();
        events.clear();

        phases::decide(model, before, state);
        for substep in 1..=model.substeps() {
            let now = Tick(before.0 * model.substeps() + substep);
            phases::read_plans(model, now, state);
            phases::move_cars(model, state);
            phases::collide(model, now, state, &mut scratch.traffic, events);
            phases::sense((model, key), now, state, scratch, readings);
        }
        phases::check_finite(model, state)?;
        inspector.look(model, state, events);
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

    /// Hash of the state.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.state.hash()
    }

    /// The last step made.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.state.tick
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
    pub fn events(&self) -> &[WorldEvent] {
        &self.events
    }

    /// Throws the buffers away. Nothing that happens later changes, which is why this exists: a test holds it.
    pub fn drop_scratch(&mut self) {
        self.scratch = RoadScratch::default();
    }
}

impl RunWorld for RoadWorld {
    type Model = RoadModel;
    type Tables = RoadTables;

    fn begin(model: Arc<RoadModel>, key: RunKey) -> Result<Self, RunError> {
        Self::new(model, key)
    }

    fn head(&self) -> Head<'_> {
        self.model.head()
    }

    fn key(&self) -> RunKey {
        self.key
    }

    fn tick(&self) -> Tick {
        self.state.tick
    }

    fn step(&mut self) -> Result<(), RunError> {
        Self::step(self)
    }

    fn state_hash(&self) -> u64 {
        self.state.hash()
    }

    fn violations(&self) -> u64 {
        self.inspector.collisions()
    }

    fn finish(&mut self) -> Vec<Metric> {
        self.events.clear();
        self.inspector.finish(&self.model)
    }
}
