//! The water between a level surface and a level bottom as a channel: all ways of sound up to a number of reflections.
//!
//! # Equations
//! Water of depth H, a source at depth zs, a receiver at zr, x apart. With the image sources of both planes, in water of one speed,
//!
//! ```text
//! length = sqrt(x^2 + d^2)        d = 2nH + zs - zr | 2nH + zs + zr | 2(n+1)H - zs - zr | 2(n+1)H - zs + zr        n = 0, 1, ...
//! with (surface, bottom) reflections   (n, n)       | (n+1, n)      | (n, n+1)          | (n+1, n+1)
//! level  = SL - 20 log10 length - alpha length/1000 - losses of all reflections
//! ```
//!
//! d is how far the way goes up and down in all. In layered water the same ways up and down are those of a bent ray, see `profile`.

use super::decibels;
use super::profile::SoundProfile;
use super::reflection::{Bottom, surface_loss_db};
use sim_core::{DVec3, ParamError};
use std::f64::consts::TAU;

/// Most reflections of a way.
pub const MAX_BOUNCES: u32 = 16;

/// What a channel is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelParams {
    /// Speed of sound over depth.
    pub profile: SoundProfile,
    /// Frequency, Hz.
    pub frequency_hz: f64,
    /// Absorption at it, dB/km.
    pub absorption_db_km: f64,
    /// Most reflections of a way, up to 16.
    pub bounces: u32,
    /// Standard deviation of the surface's height, m.
    pub roughness_m: f64,
    /// What the bottom is made of.
    pub bottom: Bottom,
}

/// A checked channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    params: ChannelParams,
}

/// Both ends of a way, and the water around them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Horizontal distance, m.
    pub distance_m: f64,
    /// Depth of the source below still water, m.
    pub source_depth_m: f64,
    /// Depth of the receiver, m.
    pub receiver_depth_m: f64,
    /// Depth of the bottom, m; none: there is none.
    pub bottom_depth_m: Option<f64>,
}

/// A way of sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Time, s.
    pub time_s: f64,
    /// Length of the unfolded straight way, m.
    pub length_m: f64,
    /// Sine of the angle by which the unfolded way leaves the source downwards.
    pub leaves_down: f64,
    /// Sine of the angle by which it arrives downwards.
    pub arrives_down: f64,
    /// Reflections at the surface.
    pub surface_bounces: u32,
    /// Reflections at the bottom.
    pub bottom_bounces: u32,
    /// Loss by distance, water and reflections, dB.
    pub loss_db: f64,
}

/// Nearest distance to which spreading counts, m: that of source levels.
const REFERENCE_M: f64 = 1.0;

impl Channel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: ChannelParams) -> Result<Self, ParamError> {
        params.profile.check()?;
        params.bottom.check()?;
        ParamError::check_range("frequency_hz", params.frequency_hz, 1.0, 1e7)?;
        ParamError::check_range("absorption_db_km", params.absorption_db_km, 0.0, 1e5)?;
        ParamError::check_range("roughness_m", params.roughness_m, 0.0, 100.0)?;
        ParamError::check_range("bounces", f64::from(params.bounces), 0.0, f64::from(MAX_BOUNCES))?;
        Ok(Self { params })
    }

    /// What it is made of.
    #[must_use]
    pub fn params(&self) -> &ChannelParams {
        &self.params
    }

    /// Most ways between two ends.
    #[must_use]
    pub fn most_paths(&self) -> u32 {
        2 * self.params.bounces + 1
    }

    /// All ways, with fewer reflections first, then those that leave upwards.
    pub fn paths(&self, ends: Ends) -> impl Iterator<Item = Path> {
        let reflected = (1..=self.params.bounces).flat_map(move |bounces| [true, false].map(|is_up| (bounces, is_up)));
        let reflected = reflected.filter_map(move |(bounces, is_up)| self.reflected(&ends, bounces, is_up));
        self.direct(&ends).into_iter().chain(reflected)
    }

    fn direct(&self, ends: &Ends) -> Option<Path> {
        let Ends { distance_m, source_depth_m, receiver_depth_m, bottom_depth_m } = *ends;
        let deepest_m = bottom_depth_m.unwrap_or(f64::INFINITY);
        let time_s = self.params.profile.direct_s(distance_m, [source_depth_m, receiver_depth_m], deepest_m)?;
        let down_m = receiver_depth_m - source_depth_m;
        let length_m = (distance_m * distance_m + down_m * down_m).sqrt();
        let sine = if length_m > 0.0 { down_m / length_m } else { 0.0 };
        Some(Path {
            time_s,
            length_m,
            leaves_down: sine,
            arrives_down: sine,
            surface_bounces: 0,
            bottom_bounces: 0,
            loss_db: self.spreading_db(length_m),
        })
    }

    /// The way with so many reflections that leaves the source up or down; none without a bottom to reflect at, or if the sound turns
    /// before it reaches a border.
    fn reflected(&self, ends: &Ends, bounces: u32, is_up: bool) -> Option<Path> {
        let is_last_surface = is_up == (bounces % 2 == 1);
        let [surface_bounces, bottom_bounces] =
            if is_up { [bounces.div_ceil(2), bounces / 2] } else { [bounces / 2, bounces.div_ceil(2)] };
        let bottom_m =
            if bottom_bounces == 0 { ends.source_depth_m.max(ends.receiver_depth_m) } else { ends.bottom_depth_m? };
        let span_m = |depth_m: f64, is_surface: bool| if is_surface { [0.0, depth_m] } else { [depth_m, bottom_m] };
        let legs = [
            (1.0, span_m(ends.source_depth_m, is_up)),
            (f64::from(bounces - 1), [0.0, bottom_m]),
            (1.0, span_m(ends.receiver_depth_m, is_last_surface)),
        ];
        let vertical_m: f64 = legs.iter().map(|(times, [from_m, to_m])| times * (to_m - from_m)).sum();
        let length_m = (ends.distance_m * ends.distance_m + vertical_m * vertical_m).sqrt();
        let profile = &self.params.profile;
        let (time_s, parameter_s_m) = match profile {
            SoundProfile::Uniform(speed_m_s) => {
                let cosine = if length_m > 0.0 { ends.distance_m / length_m } else { 1.0 };
                (length_m / speed_m_s, cosine / speed_m_s)
            }
            _ => {
                let way = profile.over_legs(ends.distance_m, &legs)?;
                (way.time_s, way.parameter_s_m)
            }
        };
        let sine = if length_m > 0.0 { vertical_m / length_m } else { 0.0 };
        let down = |is_down: bool| if is_down { sine } else { -sine };
        let surface_db = f64::from(surface_bounces) * self.surface_db(parameter_s_m);
        let bottom_db = if bottom_bounces > 0 {
            f64::from(bottom_bounces)
                * self.params.bottom.loss_db(grazing_sine(parameter_s_m, profile.speed_m_s(bottom_m)))
        } else {
            0.0
        };
        Some(Path {
            time_s,
            length_m,
            leaves_down: down(!is_up),
            arrives_down: down(is_last_surface),
            surface_bounces,
            bottom_bounces,
            loss_db: self.spreading_db(length_m) + surface_db + bottom_db,
        })
    }

    fn spreading_db(&self, length_m: f64) -> f64 {
        2.0 * decibels(length_m.max(REFERENCE_M)) + 1e-3 * self.params.absorption_db_km * length_m
    }

    /// Loss at the surface of a ray, dB.
    fn surface_db(&self, parameter_s_m: f64) -> f64 {
        let speed_m_s = self.params.profile.speed_m_s(0.0);
        let wave_number_per_m = TAU * self.params.frequency_hz / speed_m_s;
        surface_loss_db(wave_number_per_m, self.params.roughness_m, grazing_sine(parameter_s_m, speed_m_s))
    }
}

fn grazing_sine(parameter_s_m: f64, speed_m_s: f64) -> f64 {
    let cosine = (parameter_s_m * speed_m_s).min(1.0);
    ((1.0 - cosine) * (1.0 + cosine)).sqrt()
}

impl Path {
    /// Frequency that a receiver hears over the one that is sent: `c/(c - v)`, with v the speed at which both ends come nearer along the
    /// unfolded way. `towards` is the horizontal direction from the source to the receiver, velocities are in m/s.
    #[must_use]
    pub fn doppler(&self, speed_m_s: f64, towards: DVec3, [source_m_s, receiver_m_s]: [DVec3; 2]) -> f64 {
        let along = |down: f64| towards * ((1.0 - down) * (1.0 + down)).sqrt() - DVec3::Z * down;
        let nearer_m_s = source_m_s.dot(along(self.leaves_down)) - receiver_m_s.dot(along(self.arrives_down));
        speed_m_s / (speed_m_s - nearer_m_s)
    }
}
