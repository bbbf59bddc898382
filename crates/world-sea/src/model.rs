//! Everything about a run on the sea that does not change while it goes on.

use crate::acoustics::{AcousticsModel, ModemSetup, PacketKind};
use crate::control::ControlSource;
use crate::loads::{PointForce, PushedPlace};
use crate::particles::ParticlePool;
use crate::pilot::DriverModel;
use crate::scanner::{self, ScannerSetup};
use crate::sonar::{self, EchoScene, SonarKind, SonarSetup};
use crate::streams::Outputs;
use crate::survey::MapGrid;
use sea_echo::{HeightGrid, TriangleMesh};
use sea_sim::body::BodyState;
use sea_sim::contact::{Hull, MaterialTable};
use sea_sim::current::Currents;
use sea_sim::field::Fields;
use sea_sim::georef::Georef;
use sea_sim::sensor::{Battery, Dvl, Instrument};
use sea_sim::terrain::{Ground, Terrain};
use sea_sim::vehicle::{Vehicle, VehicleState};
use sea_sim::water::{SeaState as SeaSpectrum, SeaWater, SurfaceShape, Water, Wave, Waves};
use sim_core::sensing::SensorModel;
use sim_core::{DVec3, ParamError, RunKey};
use sim_world::Stream;
use std::sync::Arc;

/// What may be mounted on a vehicle. The number is part of the address of a sensor's draws: append, never renumber. Sensors of which a
/// vehicle may carry several have numbers from `FIRST_` of their kind on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SensorKind {
    /// Turn rates.
    Gyro,
    /// Specific force.
    Accelerometer,
    /// Roll, pitch and yaw.
    Attitude,
    /// Pressure.
    Pressure,
    /// Place by satellites.
    Gnss,
    /// Heading.
    Compass,
    /// Voltage.
    Battery,
    /// Distances along the beams of a velocity log.
    DvlRanges,
    /// Speeds along the same beams.
    DvlVelocities,
    /// Height above the bottom.
    Altimeter,
    /// Water inside.
    Leak,
    /// A sonar, by its kind and its place in the vehicle's list of that kind.
    Sonar(SonarKind, u32),
    /// A scan of a lidar, by its place among the vehicle's scanners.
    Lidar(u32),
    /// A picture of a depth camera, by its place among the vehicle's scanners.
    DepthCamera(u32),
    /// Distance to a beacon, by its place in the scenario's list.
    Range(u32),
}

impl SensorKind {
    /// Number of the first sonar, and how many numbers each kind has.
    pub const FIRST_SONAR: u32 = 100;
    const SONARS: u32 = 20;
    /// Number of the first lidar.
    pub const FIRST_LIDAR: u32 = 400;
    /// Number of the first depth camera.
    pub const FIRST_DEPTH_CAMERA: u32 = 500;
    /// Number of the receiver of the first beacon.
    pub const FIRST_RANGE: u32 = 1000;

    /// The number in addresses of draws.
    #[must_use]
    pub fn address(self) -> u32 {
        match self {
            Self::Gyro => 0,
            Self::Accelerometer => 1,
            Self::Attitude => 2,
            Self::Pressure => 3,
            Self::Gnss => 4,
            Self::Compass => 5,
            Self::Battery => 6,
            Self::DvlRanges => 7,
            Self::DvlVelocities => 8,
            Self::Altimeter => 9,
            Self::Leak => 10,
            Self::Sonar(kind, place) => Self::FIRST_SONAR + Self::SONARS * kind as u32 + place,
            Self::Lidar(place) => Self::FIRST_LIDAR + place,
            Self::DepthCamera(place) => Self::FIRST_DEPTH_CAMERA + place,
            Self::Range(beacon) => Self::FIRST_RANGE + beacon,
        }
    }
}

/// A sensor of a vehicle.
#[derive(Clone, Debug)]
pub struct SensorSetup {
    /// What it is. A vehicle has at most one of a kind.
    pub kind: SensorKind,
    /// What it measures, when, and how badly.
    pub instrument: Instrument,
}

/// A vehicle of the sea.
#[derive(Clone, Debug)]
pub struct VehicleSetup {
    /// Its name.
    pub name: String,
    /// A number made of the name alone: whose draws they are.
    pub draws: u32,
    /// How it moves.
    pub vehicle: Vehicle,
    /// Length, beam and height, m.
    pub size_m: [f64; 3],
    /// What may touch.
    pub hull: Hull,
    /// Where force fields push it.
    pub pushed: Vec<PushedPlace>,
    /// State at the start, commands included.
    pub start: VehicleState,
    /// What it carries.
    pub sensors: Vec<SensorSetup>,
    /// Its sonars, in the order of their kinds.
    pub sonars: Vec<SonarSetup>,
    /// Its lidars and depth cameras.
    pub scanners: Vec<ScannerSetup>,
    /// Its modem.
    pub modem: Option<ModemSetup>,
    /// Its velocity log, to make a velocity out of beams.
    pub dvl: Option<Dvl>,
    /// Its battery.
    pub battery: Option<Battery>,
    /// Where its satellite antenna is, m.
    pub antenna_m: DVec3,
    /// Pressure that its gauge reads in air, Pa.
    pub in_air_pa: f64,
    /// Who drives it.
    pub driver: DriverModel,
    /// Whose commands it obeys: at the start, then what the script changes that to, each once.
    pub control_sources: Vec<ControlSource>,
    /// Steps after which what came from outside is forgotten.
    pub watchdog_steps: Option<u64>,
}

impl VehicleSetup {
    /// Whether it carries a sonar, a modem, a lidar or a depth camera.
    pub(crate) fn casts_rays(&self) -> bool {
        !self.sonars.is_empty() || self.modem.is_some() || !self.scanners.is_empty()
    }

    /// Place of the sensor of a kind in its list.
    #[must_use]
    pub fn sensor(&self, kind: SensorKind) -> Option<usize> {
        self.sensors.iter().position(|sensor| sensor.kind == kind)
    }

    /// The sonar at a place of its kind's list.
    #[must_use]
    pub fn sonar(&self, kind: SonarKind, place: u32) -> Option<&SonarSetup> {
        self.sonars.iter().find(|own| (own.kind, own.place) == (kind, place))
    }
}

/// The waves, to be drawn for each run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WavesModel {
    /// None.
    Flat,
    /// One wave.
    Regular(Wave),
    /// A sea.
    Sea(SeaSpectrum),
}

impl WavesModel {
    /// The waves of a run on water of a depth, m.
    ///
    /// # Errors
    /// If a value is out of its range or waves would break.
    pub fn of_run(&self, depth_m: f64, key: RunKey) -> Result<Waves, ParamError> {
        match self {
            Self::Flat => Ok(Waves::none()),
            Self::Regular(wave) => Waves::from_components(&[*wave], depth_m),
            Self::Sea(sea) => Waves::from_sea_state(sea, depth_m, key),
        }
    }
}

/// A place at which the water is written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Its name.
    pub name: String,
    /// Its place, m.
    pub position_m: DVec3,
}

/// A beacon.
#[derive(Clone, Debug, PartialEq)]
pub struct Beacon {
    /// Its name.
    pub name: String,
}

/// A propeller whose stream pushes other vehicles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPropeller {
    /// Number of the vehicle.
    pub vehicle: usize,
    /// Its actuator.
    pub actuator: usize,
}

/// What happens to a vehicle by the script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScriptedChange {
    /// It is at another place.
    Teleport(BodyState),
    /// An impulse at its origin along the world's axes, N s.
    Push(DVec3),
    /// A force that pulls at it from now on.
    Force(PointForce),
    /// Whether there is water inside.
    Leak(bool),
    /// Whose commands it obeys from now on.
    ControlSource(ControlSource),
}

/// An entry of the script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScriptEntry {
    /// The step at whose beginning it happens.
    pub step: u64,
    /// Number of the vehicle.
    pub vehicle: usize,
    /// What happens.
    pub change: ScriptedChange,
}

/// The model of the sea.
#[derive(Clone, Debug)]
pub struct SeaModel {
    /// Name of the scenario.
    pub name: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// Steps of a run.
    pub steps: u64,
    /// Steps a second.
    pub step_hz: u32,
    /// Steps between two rows of sampled streams, as the scenario asks for it.
    pub trace_every: u64,
    /// Whether readings of sensors are written.
    pub has_sensor_tables: bool,
    /// Whether forces on vehicles are written.
    pub has_forces: bool,
    /// Where on Earth the world lies.
    pub georef: Georef,
    /// The bottom.
    pub terrain: Option<Terrain>,
    /// The bottom as sonars, sound between modems and light meet it; none without any of them.
    pub(crate) echo_bottom: Option<Arc<HeightGrid>>,
    /// Objects in the world, which sound between modems does not pass.
    pub(crate) echo_objects: Vec<Arc<TriangleMesh>>,
    /// What sonars look at; none without a sonar.
    pub(crate) echo_scene: Option<EchoScene>,
    /// The cells of the map that sonars make.
    pub(crate) map: Option<MapGrid>,
    /// Height of its highest place, m; minus infinity without a bottom.
    pub highest_z_m: f64,
    /// How hulls touch.
    pub contact: MaterialTable,
    /// Height of still water, m.
    pub level_m: f64,
    /// What the water is made of.
    pub made_of: SeaWater,
    /// Its waves.
    pub waves: WavesModel,
    /// Depth that waves feel, m.
    pub wave_depth_m: f64,
    /// Shape of crests.
    pub shape: SurfaceShape,
    /// Its currents.
    pub currents: Currents,
    /// Force fields.
    pub fields: Fields,
    /// Whether there are any.
    pub has_fields: bool,
    /// The particles that show them; none: they are not shown.
    pub particles: Option<ParticlePool>,
    /// The propellers that fields belong to, in the order of these fields.
    pub propellers: Vec<FieldPropeller>,
    /// Where the water is written down.
    pub probes: Vec<Probe>,
    /// Frequencies of sound that are written down there, Hz.
    pub sound_hz: Vec<f64>,
    /// The beacons.
    pub beacons: Vec<Beacon>,
    /// Their places, m.
    pub beacons_m: Vec<DVec3>,
    /// Sound between modems; none without a modem.
    pub acoustics: Option<AcousticsModel>,
    /// The vehicles.
    pub vehicles: Vec<VehicleSetup>,
    /// Numbers of the vehicles in the order of their names: contact is found in this order.
    pub by_name: Vec<usize>,
    /// The script, in the order of its steps.
    pub script: Vec<ScriptEntry>,
    /// The streams that its runs yield.
    pub(crate) outputs: Outputs,
    /// The streams that its runs take.
    pub(crate) inputs: Vec<Stream>,
}

/// Time that a step of a vehicle takes, and a wave in it, s. Rough.
const STEP_S: f64 = 1.5e-6;
const WAVE_S: f64 = 15e-9;
/// Time that a ray of a sonar takes, s. Rough.
const RAY_S: f64 = 60e-9;

impl SeaModel {
    /// Length of a step, s.
    #[must_use]
    pub fn step_s(&self) -> f64 {
        1.0 / f64::from(self.step_hz)
    }

    /// The water of a run.
    ///
    /// # Errors
    /// If waves would break; the model's own waves were tried when it was made.
    pub fn water(&self, key: RunKey) -> Result<Water, ParamError> {
        let waves = self.waves.of_run(self.wave_depth_m, key)?;
        Water::new(self.level_m, self.made_of, waves, self.shape)
    }

    /// The bottom under a place, m.
    #[must_use]
    pub fn ground(&self, position_m: DVec3) -> Option<Ground> {
        self.terrain.as_ref()?.ground(position_m.x, position_m.y)
    }

    /// Most readings of a sensor in a run.
    pub(crate) fn readings(&self, sensor: &SensorModel) -> u64 {
        self.steps / sensor.params().period_ticks + 1
    }

    /// Whether replies of modems may come, of which ranges are made.
    pub(crate) fn asks_for_ranges(&self) -> bool {
        let is_request = |kind: PacketKind| kind == PacketKind::Request;
        self.acoustics.iter().flat_map(|own| &own.messages).any(|scheduled| is_request(scheduled.message.kind))
    }

    /// Number of a vehicle by its name.
    #[must_use]
    pub fn vehicle(&self, name: &str) -> Option<usize> {
        self.vehicles.iter().position(|vehicle| vehicle.name == name)
    }

    /// Rough processor time of a run on a machine of 2024, s.
    pub(crate) fn cpu_s(&self) -> f64 {
        let waves = match self.waves {
            WavesModel::Flat => 0.0,
            WavesModel::Regular(_) => 1.0,
            WavesModel::Sea(sea) => f64::from(sea.components),
        };
        let rays = sonar::sonars(self).map(|(_, _, own)| self.readings(own.sensor()) as f64 * own.rays() as f64);
        let scans = scanner::scanners(self).map(|(_, _, own)| self.readings(own.sensor()) as f64 * own.rays() as f64);
        let vehicle_steps = self.steps as f64 * self.vehicles.len() as f64;
        vehicle_steps * (STEP_S + waves * WAVE_S) + (rays.sum::<f64>() + scans.sum::<f64>()) * RAY_S
    }
}

/// A number made of a name: FNV-1a of its bytes, of 32 bits.
#[must_use]
pub(crate) fn draws_of(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
