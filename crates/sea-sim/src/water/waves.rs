//! Waves as a sum of regular ones, and the motion of the water under them.
//!
//! # Equation
//! ```text
//! phase_i   = k_i (x cos b_i + y sin b_i) - w_i t + e_i           w_i^2 = g k_i tanh(k_i h)
//! eta       = sum A_i cos(phase_i)
//! along b_i : A_i w_i cosh k_i(z + h) / sinh(k_i h) cos(phase_i)
//! upwards   : A_i w_i sinh k_i(z + h) / sinh(k_i h) sin(phase_i)
//! pressure  : rho g A_i cosh k_i(z + h) / cosh(k_i h) cos(phase_i)
//! ```
//! In deep water the three quotients are `exp(k_i z)`. z counts upwards from still water, and what lies above still water moves as water
//! at z = 0 does. With `E = exp(k z)` and `d = exp(-2 k h)` the quotients are `(E + d/E)/(1 - d)`, `(E - d/E)/(1 - d)` and `(E + d/E)/(1 +
//! d)`: nothing overflows. Source: Dean and Dalrymple, Water Wave Mechanics, 1991, chapter 3; DNV-RP-C205, section 3.3.

use super::dispersion::wavenumber_rad_m;
use super::lanes::{self, LANES, Lanes};
use super::spectrum::Spectrum;
use crate::{GRAVITY_M_S2, purpose};
use sim_core::{DVec2, DVec3, ParamError, RunKey, ops};
use std::f64::consts::TAU;

/// Most waves that a sea may be a sum of.
pub const MAX_COMPONENTS: u32 = 10_000;

/// Height over length at which a wave breaks in deep water (Michell); on water of depth h times tanh(k h) (Miche).
pub const BREAKING_STEEPNESS: f64 = 0.142;

/// Frequencies of a sea, as multiples of its peak: outside lies less than 0.5 % of a fully developed sea's energy.
const FREQUENCIES_OF_PEAK: [f64; 2] = [0.5, 4.0];

/// One regular wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Half of its height, m, 0 to 20.
    pub amplitude_m: f64,
    /// Time between two crests at a fixed place, s, 0.1 to 10 000.
    pub period_s: f64,
    /// Direction that it travels to, rad from east towards north.
    pub direction_rad: f64,
    /// Phase at the origin at time 0, rad; with 0 a crest is there.
    pub phase_rad: f64,
}

/// A sea of many waves that have the energy of a spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeaState {
    /// Energy over frequency.
    pub spectrum: Spectrum,
    /// Mean direction that waves travel to, rad from east towards north.
    pub direction_rad: f64,
    /// Standard deviation of the directions, rad, 0 to 1.2.
    pub spreading_rad: f64,
    /// Number of waves, 1 to 10 000.
    pub components: u32,
}

/// The waves of a water.
#[derive(Clone, Debug, PartialEq)]
pub struct Waves {
    blocks: Vec<Block>,
    depth_m: f64,
    /// Sum of the amplitudes.
    most_height_m: f64,
}

/// Waves side by side; those that fill up the last block have no amplitude.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Block {
    /// Wavenumber, its parts towards east and north, angular frequency, phase at time 0.
    k: Lanes,
    k_east: Lanes,
    k_north: Lanes,
    omega: Lanes,
    phase: Lanes,
    amplitude: Lanes,
    /// `exp(-2 k h)`: 0 in deep water.
    echo: Lanes,
    /// `A w / (1 - d)` towards east, towards north and upwards.
    east: Lanes,
    north: Lanes,
    up: Lanes,
    /// `g A / (1 + d)`.
    pressure: Lanes,
}

/// The motion of the water under waves, without any current.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Orbit {
    pub elevation_m: f64,
    pub velocity_m_s: DVec3,
    /// Rate of change of the velocity at a fixed place.
    pub local_acceleration_m_s2: DVec3,
    pub pressure_over_density_m2_s2: f64,
    /// Derivatives of the velocity: xx, xy, yy, xz, yz; the flow has no curl and no divergence, which gives the other four.
    gradient: [f64; 5],
    /// How height and pressure change, if asked for.
    pub rates: Rates,
}

/// How surface, pressure and acceleration change at a fixed place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rates {
    pub slope: DVec2,
    pub elevation_m_s: f64,
    pub pressure_over_density_m2_s3: f64,
    pub acceleration_m_s3: DVec3,
}

impl Orbit {
    /// Change of the velocity for a small displacement, m.
    pub fn change_along(&self, d: DVec3) -> DVec3 {
        let [xx, xy, yy, xz, yz] = self.gradient;
        DVec3::new(
            xx * d.x + xy * d.y + xz * d.z,
            xy * d.x + yy * d.y + yz * d.z,
            xz * d.x + yz * d.y - (xx + yy) * d.z,
        )
    }
}

impl Waves {
    /// No waves at all.
    #[must_use]
    pub fn none() -> Self {
        Self { blocks: Vec::new(), depth_m: f64::INFINITY, most_height_m: 0.0 }
    }

    /// The sum of regular waves on water of a depth, m (infinite: deep water; otherwise 0.1 to 12 000).
    ///
    /// # Errors
    /// If a value is out of its range or a wave would break.
    pub fn from_components(waves: &[Wave], depth_m: f64) -> Result<Self, ParamError> {
        check_depth(depth_m)?;
        check_count(waves.len() as u64)?;
        waves.iter().try_for_each(|wave| check_wave(wave, depth_m))?;
        Ok(Self::from_checked(waves, depth_m))
    }

    /// A sea of a spectrum on water of a depth, m, drawn for a run. The span of frequencies, half to four times the peak, is cut into
    /// equal pieces with a wave each: its energy is that of the piece, its phase uniform, its direction normal. Where in its piece a wave
    /// lies follows the golden ratio: no two waves are nearer than 0.6 pieces, and the sea never repeats. Amplitudes are scaled to the
    /// significant height.
    ///
    /// # Errors
    /// If a value is out of its range or waves of the significant height and the period of the peak would break.
    pub fn from_sea_state(sea: &SeaState, depth_m: f64, key: RunKey) -> Result<Self, ParamError> {
        check_depth(depth_m)?;
        check_count(u64::from(sea.components))?;
        sea.spectrum.check()?;
        ParamError::check_range("direction_rad", sea.direction_rad, -100.0, 100.0)?;
        ParamError::check_range("spreading_rad", sea.spreading_rad, 0.0, 1.2)?;
        check_steepness(sea.spectrum.significant_height_m(), sea.spectrum.peak_period_s(), depth_m)?;
        Ok(Self::from_checked(&draw(sea, key), depth_m))
    }

    fn from_checked(waves: &[Wave], depth_m: f64) -> Self {
        let block = |waves: &[Wave]| {
            let mut block = Block::default();
            waves.iter().enumerate().for_each(|(lane, wave)| block.set(lane, wave, depth_m));
            block
        };
        let most_height_m = waves.iter().map(|wave| wave.amplitude_m).sum();
        Self { blocks: waves.chunks(LANES).map(block).collect(), depth_m, most_height_m }
    }

    /// Depth that the waves feel, m; infinite in deep water.
    #[must_use]
    pub fn depth_m(&self) -> f64 {
        self.depth_m
    }

    /// Standard deviation of the surface, m: the square root of half the sum of squared amplitudes.
    #[must_use]
    pub fn surface_std_m(&self) -> f64 {
        (0.5 * self.blocks.iter().flat_map(|block| block.amplitude).map(|a| a * a).sum::<f64>()).sqrt()
    }

    /// The largest height above still water that the surface can have, and depth below it, m.
    #[must_use]
    pub fn most_height_m(&self) -> f64 {
        self.most_height_m
    }

    /// Sum of amplitude times wavenumber: the steepest slope that the surface can have.
    #[must_use]
    pub fn max_slope(&self) -> f64 {
        let slopes = self.blocks.iter().flat_map(|block| (0..LANES).map(|lane| block.amplitude[lane] * block.k[lane]));
        slopes.sum()
    }

    /// Height above still water, m, and its slopes towards east and north.
    pub(super) fn surface(&self, x_m: f64, y_m: f64, time_s: f64) -> (f64, DVec2) {
        let [mut eta, mut east, mut north] = [[0.0; LANES]; 3];
        for block in &self.blocks {
            let (sin, cos) = lanes::sin_cos(&block.phase_at(x_m, y_m, time_s));
            for lane in 0..LANES {
                let slope = block.amplitude[lane] * sin[lane];
                eta[lane] += block.amplitude[lane] * cos[lane];
                east[lane] -= block.k_east[lane] * slope;
                north[lane] -= block.k_north[lane] * slope;
            }
        }
        (sum(&eta), DVec2::new(sum(&east), sum(&north)))
    }

    /// How far the crests of trochoidal waves pull particles that rest at (x, y), and the derivatives xx, xy, yy of that pull; both for a
    /// steepness of 1.
    pub(super) fn pull(&self, at_m: DVec2, time_s: f64) -> (DVec2, [f64; 3]) {
        let [mut east, mut north, mut xx, mut xy, mut yy] = [[0.0; LANES]; 5];
        for block in &self.blocks {
            let (sin, cos) = lanes::sin_cos(&block.phase_at(at_m.x, at_m.y, time_s));
            for lane in 0..LANES {
                // A wave of no amplitude, which fills up a block, has no direction either.
                let per_k = block.amplitude[lane] / block.k[lane].max(f64::MIN_POSITIVE);
                let (k_east, k_north) = (block.k_east[lane], block.k_north[lane]);
                east[lane] += per_k * k_east * sin[lane];
                north[lane] += per_k * k_north * sin[lane];
                xx[lane] += per_k * k_east * k_east * cos[lane];
                xy[lane] += per_k * k_east * k_north * cos[lane];
                yy[lane] += per_k * k_north * k_north * cos[lane];
            }
        }
        (DVec2::new(sum(&east), sum(&north)), [sum(&xx), sum(&xy), sum(&yy)])
    }

    /// How fast particles that rest at (x, y) rise, m/s, and how fast their pull changes, m/s for a steepness of 1.
    pub(super) fn rise_and_pull_rate(&self, at_m: DVec2, time_s: f64) -> (f64, DVec2) {
        let [mut rise, mut east, mut north] = [[0.0; LANES]; 3];
        for block in &self.blocks {
            let (sin, cos) = lanes::sin_cos(&block.phase_at(at_m.x, at_m.y, time_s));
            for lane in 0..LANES {
                let speed = block.omega[lane] * block.amplitude[lane];
                let per_k = speed * cos[lane] / block.k[lane].max(f64::MIN_POSITIVE);
                rise[lane] += speed * sin[lane];
                east[lane] -= block.k_east[lane] * per_k;
                north[lane] -= block.k_north[lane] * per_k;
            }
        }
        (sum(&rise), DVec2::new(sum(&east), sum(&north)))
    }

    /// The motion of the water at a place whose z counts from still water, m; its rates stay zero.
    pub(super) fn orbit(&self, place_m: DVec3, time_s: f64) -> Orbit {
        self.orbit_with::<false>(place_m, time_s)
    }

    /// The same with its rates.
    pub(super) fn orbit_and_rates(&self, place_m: DVec3, time_s: f64) -> Orbit {
        self.orbit_with::<true>(place_m, time_s)
    }

    fn orbit_with<const RATES: bool>(&self, place_m: DVec3, time_s: f64) -> Orbit {
        if self.blocks.is_empty() {
            return Orbit::default();
        }
        let place_m = place_m.with_z(place_m.z.min(0.0).max(-self.depth_m));
        if self.depth_m.is_finite() {
            self.sum::<false, RATES>(place_m, time_s)
        } else {
            self.sum::<true, RATES>(place_m, time_s)
        }
    }

    fn sum<const DEEP: bool, const RATES: bool>(&self, place_m: DVec3, time_s: f64) -> Orbit {
        let mut sums = [[0.0; LANES]; SUMS];
        for block in &self.blocks {
            block.add::<DEEP, RATES>(place_m, time_s, &mut sums);
        }
        let [eta, vx, vy, vz, ax, ay, az, pressure, xx, xy, yy, xz, yz, eta_x, eta_y, eta_t, pressure_t, jx, jy, jz] =
            sums.map(|lanes| sum(&lanes));
        Orbit {
            elevation_m: eta,
            velocity_m_s: DVec3::new(vx, vy, vz),
            local_acceleration_m_s2: DVec3::new(ax, ay, az),
            pressure_over_density_m2_s2: pressure,
            gradient: [xx, xy, yy, xz, yz],
            rates: Rates {
                slope: DVec2::new(eta_x, eta_y),
                elevation_m_s: eta_t,
                pressure_over_density_m2_s3: pressure_t,
                acceleration_m_s3: DVec3::new(jx, jy, jz),
            },
        }
    }
}

/// Sums of an orbit: height, velocity, acceleration, pressure, gradient; slope and rate of the height, rates of pressure and acceleration.
const SUMS: usize = 20;

/// The lanes in a fixed order.
fn sum(lanes: &Lanes) -> f64 {
    lanes.iter().sum()
}

impl Block {
    fn set(&mut self, lane: usize, wave: &Wave, depth_m: f64) {
        let omega = TAU / wave.period_s;
        let k = wavenumber_rad_m(omega, depth_m);
        let (sin, cos) = ops::sin_cos(wave.direction_rad);
        let echo = if depth_m.is_finite() { ops::exp(-2.0 * k * depth_m) } else { 0.0 };
        let speed = wave.amplitude_m * omega / (1.0 - echo);
        self.k[lane] = k;
        (self.k_east[lane], self.k_north[lane]) = (k * cos, k * sin);
        (self.omega[lane], self.phase[lane], self.amplitude[lane]) = (omega, wave.phase_rad, wave.amplitude_m);
        self.echo[lane] = echo;
        (self.east[lane], self.north[lane], self.up[lane]) = (speed * cos, speed * sin, speed);
        self.pressure[lane] = GRAVITY_M_S2 * wave.amplitude_m / (1.0 + echo);
    }

    #[inline(always)]
    fn phase_at(&self, x_m: f64, y_m: f64, time_s: f64) -> Lanes {
        lanes::each(|lane| {
            (self.k_east[lane] * x_m + self.k_north[lane] * y_m) - self.omega[lane] * time_s + self.phase[lane]
        })
    }

    /// Adds the lanes of a block to the sums of each lane.
    #[inline(always)]
    fn add<const DEEP: bool, const RATES: bool>(&self, place_m: DVec3, time_s: f64, sums: &mut [Lanes; SUMS]) {
        let (sin, cos) = lanes::sin_cos(&self.phase_at(place_m.x, place_m.y, time_s));
        let decay = lanes::exp(&lanes::each(|lane| self.k[lane] * place_m.z));
        let echo = lanes::each(|lane| if DEEP { 0.0 } else { self.echo[lane] / decay[lane] });
        let [eta, vx, vy, vz, ax, ay, az, pressure, xx, xy, yy, xz, yz, eta_x, eta_y, eta_t, pressure_t, jx, jy, jz] =
            sums;
        for lane in 0..LANES {
            let (along, upwards) = (decay[lane] + echo[lane], decay[lane] - echo[lane]);
            let (along_cos, along_sin) = (along * cos[lane], along * sin[lane]);
            let (up_cos, up_sin) = (upwards * cos[lane], upwards * sin[lane]);
            let (east, north, up) = (self.east[lane], self.north[lane], self.up[lane]);
            let (east_sin, north_sin) = (east * along_sin, north * along_sin);
            let (k_up_cos, omega) = (self.k[lane] * up_cos, self.omega[lane]);
            eta[lane] += self.amplitude[lane] * cos[lane];
            vx[lane] += east * along_cos;
            vy[lane] += north * along_cos;
            vz[lane] += up * up_sin;
            ax[lane] += omega * east_sin;
            ay[lane] += omega * north_sin;
            az[lane] -= omega * (up * up_cos);
            pressure[lane] += self.pressure[lane] * along_cos;
            xx[lane] -= self.k_east[lane] * east_sin;
            xy[lane] -= self.k_north[lane] * east_sin;
            yy[lane] -= self.k_north[lane] * north_sin;
            xz[lane] += east * k_up_cos;
            yz[lane] += north * k_up_cos;
            if RATES {
                let height_sin = self.amplitude[lane] * sin[lane];
                eta_x[lane] -= self.k_east[lane] * height_sin;
                eta_y[lane] -= self.k_north[lane] * height_sin;
                eta_t[lane] += omega * height_sin;
                pressure_t[lane] += omega * (self.pressure[lane] * along_sin);
                let square = omega * omega;
                jx[lane] -= square * (east * along_cos);
                jy[lane] -= square * (north * along_cos);
                jz[lane] -= square * (up * up_sin);
            }
        }
    }
}

/// What the golden ratio has beyond 1.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

/// The waves of a sea, in order of frequency.
fn draw(sea: &SeaState, key: RunKey) -> Vec<Wave> {
    let [low, high] = FREQUENCIES_OF_PEAK.map(|factor| factor * sea.spectrum.peak_rad_s());
    let width = (high - low) / f64::from(sea.components);
    // Enough for the steep side of a sharp peak, whatever the number of waves.
    let simpson_pieces = 8 + 400 / sea.components;
    let energies_m2: Vec<f64> = (0..sea.components)
        .map(|n| low + width * f64::from(n))
        .map(|from| sea.spectrum.energy_m2(from, from + width, simpson_pieces))
        .collect();
    let height_m = sea.spectrum.significant_height_m();
    let scale = height_m * height_m / 16.0 / energies_m2.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let wave = |(n, energy_m2): (usize, &f64)| {
        let mut stream = key.stream(purpose::WAVE, n as u64, 0);
        Wave {
            amplitude_m: (2.0 * energy_m2 * scale).sqrt(),
            period_s: TAU / (low + width * (n as f64 + (GOLDEN_RATIO * n as f64).fract())),
            phase_rad: stream.range(0.0, TAU),
            direction_rad: sea.direction_rad + sea.spreading_rad * stream.normal(),
        }
    };
    energies_m2.iter().enumerate().map(wave).collect()
}

fn check_depth(depth_m: f64) -> Result<(), ParamError> {
    if depth_m == f64::INFINITY {
        return Ok(());
    }
    ParamError::check_range("depth_m", depth_m, 0.1, 12_000.0)
}

fn check_count(components: u64) -> Result<(), ParamError> {
    if (1..=u64::from(MAX_COMPONENTS)).contains(&components) {
        return Ok(());
    }
    Err(ParamError::new("components", format!("is {components}, must be from 1 to {MAX_COMPONENTS}")))
}

fn check_wave(wave: &Wave, depth_m: f64) -> Result<(), ParamError> {
    ParamError::check_range("amplitude_m", wave.amplitude_m, 0.0, 20.0)?;
    ParamError::check_range("period_s", wave.period_s, 0.1, 10_000.0)?;
    ParamError::check_range("direction_rad", wave.direction_rad, -100.0, 100.0)?;
    ParamError::check_range("phase_rad", wave.phase_rad, -100.0, 100.0)?;
    check_steepness(2.0 * wave.amplitude_m, wave.period_s, depth_m)
}

fn check_steepness(height_m: f64, period_s: f64, depth_m: f64) -> Result<(), ParamError> {
    let k = wavenumber_rad_m(TAU / period_s, depth_m);
    let length_m = TAU / k;
    let limit = BREAKING_STEEPNESS * if depth_m.is_finite() { ops::tanh(k * depth_m) } else { 1.0 };
    if height_m <= limit * length_m {
        return Ok(());
    }
    let message = format!(
        "is {height_m}: waves of {period_s} s are {length_m:.2} m long here and break above {:.2} m",
        limit * length_m
    );
    Err(ParamError::new("height_m", message))
}
