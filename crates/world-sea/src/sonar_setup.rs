//! What is fixed of a sonar for a run.

use crate::sonar::{IMAGE_HEAD, LOCATED, POINT};
use sea_echo::acoustic::quantised;
use sea_echo::{Acoustics, ImagingSonar, Multibeam};
use sim_core::sensing::{Address, ErrorModel, ErrorParams, Mount, MountParams, Sensor, SensorModel, SensorParams};
use sim_core::{DQuat, DVec3, ParamError, Tick};

/// Kinds of sonars. The number is part of the address of a sonar's draws: append, never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SonarKind {
    /// Distances along beams side by side.
    Multibeam,
    /// A distance along one beam.
    SingleBeam,
    /// Levels over distance to port and to starboard.
    SideScan,
    /// Levels over distance along beams ahead.
    ForwardLooking,
    /// The same along one beam that turns from ping to ping.
    Scanning,
}

impl SonarKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Multibeam, Self::SingleBeam, Self::SideScan, Self::ForwardLooking, Self::Scanning];

    /// Its key in the section `sensors`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Multibeam => "mbes",
            Self::SingleBeam => "single_beam",
            Self::SideScan => "sss",
            Self::ForwardLooking => "fls",
            Self::Scanning => "msis",
        }
    }

    /// What the names of its tables begin with.
    #[must_use]
    pub fn table(self) -> &'static str {
        match self {
            Self::Multibeam => "mbes",
            Self::SingleBeam => "singlebeam",
            Self::SideScan => "sidescan",
            Self::ForwardLooking => "fls",
            Self::Scanning => "msis",
        }
    }
}

/// What a sonar reads with.
#[derive(Clone, Debug)]
pub enum Device {
    /// Distances.
    Beams(Multibeam),
    /// Levels over distance.
    Image(Imager),
}

/// A sonar that makes images.
#[derive(Clone, Debug)]
pub struct Imager {
    /// Its rays.
    pub sonar: ImagingSonar,
    /// Angle from the first beam to the last, rad.
    pub width_rad: f64,
    /// How its levels are written.
    pub display: Display,
    /// How it turns.
    pub scan: Option<Scan>,
}

impl Imager {
    /// Number of beams.
    #[must_use]
    pub fn beams(&self) -> usize {
        self.sonar.beams()
    }

    /// Direction of a beam from straight ahead towards port in the ping of a number, rad.
    #[must_use]
    pub fn beam_angle_rad(&self, beam: usize, ping: u64) -> f64 {
        let last = self.beams().saturating_sub(1);
        let of_beam = if last > 0 { self.width_rad * (0.5 - beam as f64 / last as f64) } else { 0.0 };
        self.scan.map_or(of_beam, |scan| scan.angle_rad(ping))
    }
}

/// How levels are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    /// Bits of a level: 8 or 16 for whole numbers from 0; 32 for the level itself.
    pub bits: u32,
    /// Levels that 0 and the largest number stand for, dB.
    pub range_db: [f64; 2],
}

impl Display {
    /// A level as it is written: of a share of 1, or in dB.
    pub(crate) fn shown(&self, level: f64, is_db: bool) -> f64 {
        let [low_db, high_db] = self.range_db;
        match is_db && self.bits < 32 {
            true => quantised((level - low_db) / (high_db - low_db), self.bits),
            false => quantised(level, self.bits),
        }
    }

    /// The largest number that is written; none without a limit.
    #[must_use]
    pub fn most(&self, is_db: bool) -> Option<f64> {
        (self.bits < 32 || !is_db).then(|| quantised(1.0, self.bits))
    }
}

/// How a beam turns from ping to ping, about the sensor's z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan {
    /// Pings of a way through the sector.
    pub steps: u64,
    /// Angle between two pings, rad.
    pub step_rad: f64,
    /// Where the first ping looks, rad from straight ahead to port.
    pub first_rad: f64,
    /// Whether it turns all round, and not back and forth.
    pub is_round: bool,
}

impl Scan {
    /// A beam that turns by steps through a sector, both in rad: all round if that is a turn, else back and forth about straight ahead.
    ///
    /// # Errors
    /// If a step is not from 0.001 rad to the sector, or the sector not up to a turn.
    pub fn new(step_rad: f64, sector_rad: f64) -> Result<Self, ParamError> {
        let turn_rad = std::f64::consts::TAU;
        ParamError::check_range("sector_rad", sector_rad, 0.001, turn_rad + 1e-9)?;
        ParamError::check_range("step_rad", step_rad, 0.001, sector_rad)?;
        let is_round = sector_rad > turn_rad - 1e-9;
        // Rounding may leave a step short of its sector.
        let steps = (sector_rad / step_rad + 1e-9).floor().max(1.0);
        let first_rad = if is_round { 0.0 } else { 0.5 * steps * step_rad };
        Ok(Self { steps: steps as u64, step_rad, first_rad, is_round })
    }

    /// Direction of a ping from straight ahead to port, rad: it turns to starboard first.
    #[must_use]
    pub fn angle_rad(&self, ping: u64) -> f64 {
        let place = match self.is_round {
            true => ping % self.steps,
            false => self.steps - (ping % (2 * self.steps)).abs_diff(self.steps),
        };
        self.first_rad - place as f64 * self.step_rad
    }
}

/// What a table has beyond distances or levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Classes of what was met.
    pub classes: bool,
    /// Numbers that tell apart what was met.
    pub instances: bool,
    /// Angles of what was met, of an interferometric side scan.
    pub angles: bool,
    /// A table of the places that rays met.
    pub points: bool,
    /// A row a beam or a bin, not a row a ping.
    pub long: bool,
    /// Where the vehicle believed to be, for a map of what beams read.
    pub located: bool,
}

/// A sonar of a vehicle.
#[derive(Clone, Debug)]
pub struct SonarSetup {
    /// Its name; a vehicle has no other sonar of that name and kind.
    pub name: String,
    /// Its kind.
    pub kind: SonarKind,
    /// Its place in the vehicle's list of that kind.
    pub place: u32,
    /// What it reads with.
    pub device: Device,
    /// Its sound; none in the mode `rays`.
    pub acoustics: Option<Acoustics>,
    /// What else it writes.
    pub extras: Extras,
    pub(crate) position_in_body_m: DVec3,
    pub(crate) body_from_sensor: DQuat,
    pub(crate) sensor: SensorModel,
    errors: ErrorModel,
}

/// What a sonar is made of.
#[derive(Clone, Debug)]
pub(crate) struct SonarParts {
    pub name: String,
    pub kind: SonarKind,
    pub place: u32,
    pub mount: MountParams,
    pub device: Device,
    pub acoustics: Option<Acoustics>,
    pub extras: Extras,
}

/// The lists of a reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists<'a> {
    pub head: &'a [f64],
    /// Distances of beams, or levels of bins, beam by beam.
    pub first: &'a [f64],
    /// Levels of beams, or angles of bins; empty if there are none.
    pub second: &'a [f64],
    pub classes: &'a [f64],
    pub instances: &'a [f64],
    pub points: &'a [f64],
}

impl SonarSetup {
    /// Checks the mount, the times and the errors, which are those of distances. A step is `step_s` long.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub(crate) fn new(parts: SonarParts, (sensing, step_s): (SensorParams, f64)) -> Result<Self, ParamError> {
        let SonarParts { name, kind, place, mount, device, acoustics, extras } = parts;
        let times = SensorParams { errors: ErrorParams::default(), ..sensing };
        Ok(Self {
            name,
            kind,
            place,
            position_in_body_m: Mount::new(mount)?.position_in_body_m(),
            body_from_sensor: DQuat::from_array(mount.body_from_sensor_xyzw).normalize(),
            device,
            acoustics,
            extras,
            sensor: SensorModel::new(times, step_s)?,
            errors: ErrorModel::new(sensing.errors, step_s)?,
        })
    }

    /// When it pings.
    #[must_use]
    pub fn sensor(&self) -> &SensorModel {
        &self.sensor
    }

    /// Number in addresses of draws.
    #[must_use]
    pub fn address(&self) -> u32 {
        crate::model::SensorKind::Sonar(self.kind, self.place).address()
    }

    /// Place on the vehicle, m, and rotation from the sensor's axes to the vehicle's.
    pub(crate) fn mounted(&self) -> (DVec3, DQuat) {
        (self.position_in_body_m, self.body_from_sensor)
    }

    pub(crate) fn scan(&self) -> Option<Scan> {
        match &self.device {
            Device::Beams(_) => None,
            Device::Image(imager) => imager.scan,
        }
    }

    /// Rays of a ping.
    #[must_use]
    pub fn rays(&self) -> usize {
        match &self.device {
            Device::Beams(beams) => beams.params().beams as usize * beams.params().rays_per_beam as usize,
            Device::Image(imager) => imager.beams() * imager.sonar.params().rays_per_beam as usize,
        }
    }

    /// Values of a list: beams, or bins of all beams.
    #[must_use]
    pub fn list(&self) -> usize {
        match &self.device {
            Device::Beams(beams) => beams.params().beams as usize,
            Device::Image(imager) => imager.beams() * imager.sonar.params().buckets as usize,
        }
    }

    /// Most rows of its table in a ping.
    #[must_use]
    pub fn rows(&self) -> usize {
        match &self.device {
            _ if self.extras.long => self.list(),
            Device::Image(imager) if self.kind != SonarKind::SideScan => imager.beams(),
            _ => 1,
        }
    }

    fn head(&self) -> usize {
        match self.device {
            Device::Beams(_) if self.extras.located => LOCATED,
            Device::Beams(_) => 0,
            Device::Image(_) => IMAGE_HEAD,
        }
    }

    /// Whether there is a second list: levels of beams, angles of bins.
    pub(crate) fn has_second(&self) -> bool {
        match self.device {
            Device::Beams(_) => self.acoustics.is_some(),
            Device::Image(_) => self.extras.angles,
        }
    }

    /// Values of a reading.
    #[must_use]
    pub fn channels(&self) -> usize {
        let Extras { classes, instances, .. } = self.extras;
        let lists = 1 + [self.has_second(), classes, instances].map(usize::from).iter().sum::<usize>();
        self.head() + lists * self.list() + if self.extras.points { POINT * self.rays() } else { 0 }
    }

    /// The lists of a reading.
    pub(crate) fn lists<'a>(&self, values: &'a [f64]) -> Lists<'a> {
        let (head, rest) = values.split_at(self.head());
        let (first, rest) = rest.split_at(self.list());
        let (second, rest) = rest.split_at(if self.has_second() { self.list() } else { 0 });
        let (classes, rest) = rest.split_at(if self.extras.classes { self.list() } else { 0 });
        let (instances, points) = rest.split_at(if self.extras.instances { self.list() } else { 0 });
        Lists { head, first, second, classes, instances, points }
    }

    /// Its state before the first ping.
    pub(crate) fn start(&self) -> Sensor {
        Sensor::new(&self.sensor, self.channels())
    }

    /// Returns of its rays before the first ping, if the next ping depends on them.
    pub(crate) fn start_returns(&self) -> Vec<f64> {
        match &self.device {
            Device::Image(imager) if imager.sonar.params().slips.returns_of_previous => vec![0.0; self.rays()],
            _ => Vec::new(),
        }
    }

    /// Number of the ping that was sent after a step, from 0.
    pub(crate) fn ping_number(&self, taken: Tick) -> u64 {
        let params = self.sensor.params();
        (taken.0 - params.phase_ticks) / params.period_ticks
    }

    /// Puts errors on distances.
    pub(crate) fn add_errors(&self, address: Address, tick: Tick, values: &mut [f64]) {
        if matches!(self.device, Device::Beams(_)) {
            self.errors.apply(address, tick, &mut values[self.head()..][..self.list()]);
        }
    }
}
