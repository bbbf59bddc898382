//! Acoustic transceivers by the rules of the SMaRC simulator: straight ways that a narrow tube must have free, one echo of the surface,
//! and echoes of the bottom by a shotgun of rays.
//!
//! Source: REF 9 of the sea facts, with two mends that it names: the surface is mirrored at its own height, and an echo goes no farther
//! than its share of the range. Of several echoes of the bottom that are heard, a single one is the earliest.

use crate::ray::Ray;
use sim_core::{DVec3, ParamError, ops};
use std::f64::consts::PI;

/// Settings of a transceiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransceiverParams {
    /// Speed of sound, m/s, 100 to 10 000.
    pub sound_speed_m_s: f64,
    /// How far a straight way reaches, m, 0.01 to 1e5.
    pub range_m: f64,
    /// Radius of the tube that must be free, m, 0.001 to 100.
    pub channel_radius_m: f64,
    /// Whether straight ways and echoes of the surface pass through everything.
    pub ignores_occlusion: bool,
    /// Whether the surface and the bottom echo.
    pub echoes: bool,
    /// Share of the range that a whole way with an echo may have, 0 to 1.
    pub echo_range_ratio: f64,
    /// Angle between rays of the shotgun on opposite sides, seen from above, rad, 0 to pi.
    pub bottom_opening_rad: f64,
    /// How often the faces of an icosahedron are split into four: its corners are the rays. 0 to 3.
    pub bottom_resolution: u32,
    /// How far beside the receiver a ray off the bottom may pass at its depth, m, 0 to 1000.
    pub bottom_tolerance_m: f64,
    /// Whether the earliest echo of the bottom alone is heard.
    pub single_bottom_echo: bool,
}

impl Default for TransceiverParams {
    fn default() -> Self {
        Self {
            sound_speed_m_s: 1500.0,
            range_m: 100.0,
            channel_radius_m: 0.2,
            ignores_occlusion: false,
            echoes: true,
            echo_range_ratio: 0.5,
            bottom_opening_rad: 120.0_f64.to_radians(),
            bottom_resolution: 2,
            bottom_tolerance_m: 1.0,
            single_bottom_echo: true,
        }
    }
}

/// What a ball on its way strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The bottom.
    Bottom,
    /// The body that carries the receiver.
    Target,
    /// Anything else.
    Other,
}

/// What is in the water around a sender and a receiver, the sender's own body left out.
pub trait Surroundings {
    /// What a ball of a radius, m, strikes first along a way: how far its centre goes, m, the normal there, and what it is.
    fn strike(&self, way: &Ray, radius_m: f64) -> Option<(f64, DVec3, Obstacle)>;
}

/// By which way a packet arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EchoKind {
    /// Straight.
    Direct,
    /// Off the surface.
    Surface,
    /// Off the bottom.
    Bottom,
}

/// An arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Echo {
    /// By which way.
    pub kind: EchoKind,
    /// Length of the way, m.
    pub length_m: f64,
    /// Where it bounced, m; of a straight way the receiver's place.
    pub bounce_m: DVec3,
}

/// A checked transceiver with the rays of its shotgun.
#[derive(Clone, Debug, PartialEq)]
pub struct Transceiver {
    params: TransceiverParams,
    /// Directions, x forward, y left, z up.
    shotgun: Vec<DVec3>,
}

impl Transceiver {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: TransceiverParams) -> Result<Self, ParamError> {
        ParamError::check_range("sound_speed_m_s", params.sound_speed_m_s, 100.0, 10_000.0)?;
        ParamError::check_range("range_m", params.range_m, 0.01, 1e5)?;
        ParamError::check_range("channel_radius_m", params.channel_radius_m, 0.001, 100.0)?;
        ParamError::check_range("echo_range_ratio", params.echo_range_ratio, 0.0, 1.0)?;
        ParamError::check_range("bottom_opening_rad", params.bottom_opening_rad, 0.0, PI)?;
        ParamError::check_range("bottom_resolution", f64::from(params.bottom_resolution), 0.0, 3.0)?;
        ParamError::check_range("bottom_tolerance_m", params.bottom_tolerance_m, 0.0, 1000.0)?;
        Ok(Self { params, shotgun: shotgun(&params) })
    }

    /// What it was made with.
    #[must_use]
    pub fn params(&self) -> &TransceiverParams {
        &self.params
    }

    /// Number of rays of the shotgun.
    #[must_use]
    pub fn bottom_rays(&self) -> usize {
        self.shotgun.len()
    }

    /// Most arrivals of a packet at a receiver.
    #[must_use]
    pub fn most_echoes(&self) -> usize {
        let bottom = if self.params.single_bottom_echo { 1 } else { self.shotgun.len() };
        if self.params.echoes { 2 + bottom } else { 1 }
    }

    /// Hands on by which ways a packet arrives from one place at another, m: straight, off the surface at a height, off the bottom.
    pub fn arrivals(
        &self,
        [source_m, target_m]: [DVec3; 2],
        surface_z_m: f64,
        around: &impl Surroundings,
        mut heard: impl FnMut(Echo),
    ) {
        let length_m = source_m.distance(target_m);
        if length_m > self.params.range_m {
            return;
        }
        if self.is_clear(source_m, target_m, around) {
            heard(Echo { kind: EchoKind::Direct, length_m, bounce_m: target_m });
        }
        if !self.params.echoes {
            return;
        }
        self.surface_echo([source_m, target_m], surface_z_m, around).into_iter().for_each(&mut heard);
        let echoes = self.shotgun.iter().filter_map(|way| self.bottom_echo(*way, [source_m, target_m], around));
        if self.params.single_bottom_echo {
            let nearer = |one: Echo, other: Echo| if other.length_m < one.length_m { other } else { one };
            echoes.reduce(nearer).into_iter().for_each(heard);
        } else {
            echoes.for_each(heard);
        }
    }

    /// Whether the tube between two places is free, up to the receiver's own body.
    fn is_clear(&self, from_m: DVec3, to_m: DVec3, around: &impl Surroundings) -> bool {
        let radius_m = self.params.channel_radius_m;
        let length_m = from_m.distance(to_m) - 2.0 * radius_m;
        if self.params.ignores_occlusion || length_m <= 0.0 {
            return true;
        }
        let towards = (to_m - from_m).normalize();
        let Ok(way) = Ray::new(from_m + towards * radius_m, towards, length_m) else { return false };
        around.strike(&way, radius_m).is_none_or(|(_, _, what)| what == Obstacle::Target)
    }

    fn surface_echo(&self, ends_m: [DVec3; 2], surface_z_m: f64, around: &impl Surroundings) -> Option<Echo> {
        let depths_m = ends_m.map(|end_m| surface_z_m - end_m.z);
        if depths_m.iter().any(|depth_m| *depth_m <= 0.0) {
            return None;
        }
        let [source_m, target_m] = ends_m;
        let share = depths_m[0] / (depths_m[0] + depths_m[1]);
        let bounce_m = DVec3 { z: surface_z_m, ..source_m.lerp(target_m, share) };
        let length_m = source_m.distance(bounce_m) + bounce_m.distance(target_m);
        let is_heard = length_m <= self.params.echo_range_ratio * self.params.range_m
            && self.is_clear(source_m, bounce_m, around)
            && self.is_clear(bounce_m, target_m, around);
        is_heard.then_some(Echo { kind: EchoKind::Surface, length_m, bounce_m })
    }

    /// One ray of the shotgun off the bottom to the receiver.
    fn bottom_echo(&self, way: DVec3, [source_m, target_m]: [DVec3; 2], around: &impl Surroundings) -> Option<Echo> {
        let TransceiverParams { range_m, channel_radius_m: radius_m, echo_range_ratio, bottom_tolerance_m, .. } =
            self.params;
        let ahead = (target_m - source_m).with_z(0.0).normalize_or(DVec3::X);
        let way = ahead * way.x + DVec3::Z.cross(ahead) * way.y + DVec3::Z * way.z;
        let down = Ray::new(source_m, way, range_m).ok()?;
        let (gone_m, normal, Obstacle::Bottom) = around.strike(&down, radius_m)? else { return None };
        let rest_m = echo_range_ratio * range_m - gone_m;
        if rest_m <= 0.0 {
            return None;
        }
        let center_m = down.at(gone_m);
        let bounce_m = center_m - normal * radius_m;
        let mirrored = way - normal * (2.0 * way.dot(normal));
        // Off the bottom by a hair, so that the ball does not begin in touch with it.
        let up = Ray::new(center_m + normal * (1e-6 * range_m), mirrored, rest_m).ok()?;
        let is_heard = match around.strike(&up, radius_m) {
            Some((_, _, what)) => what == Obstacle::Target,
            None => passes_m(center_m, mirrored, target_m)? <= bottom_tolerance_m,
        };
        let length_m = gone_m + bounce_m.distance(target_m);
        is_heard.then_some(Echo { kind: EchoKind::Bottom, length_m, bounce_m })
    }
}

/// How far from a place a line passes on the level plane of the place, m; none if it does not get there.
fn passes_m(from_m: DVec3, way: DVec3, target_m: DVec3) -> Option<f64> {
    let distance_m = (target_m.z - from_m.z) / way.z;
    (distance_m >= 0.0 && distance_m.is_finite()).then(|| (from_m + way * distance_m).distance(target_m))
}

/// Corners of an icosphere that point down and, seen from above, forward within half the opening to either side.
fn shotgun(params: &TransceiverParams) -> Vec<DVec3> {
    const ROUNDING: f64 = 1e-9;
    let widest = ops::cos(0.5 * params.bottom_opening_rad);
    let mut corners = icosphere(params.bottom_resolution);
    corners.retain(|way| way.z <= ROUNDING && way.x >= widest * way.truncate().length() - ROUNDING);
    corners
}

/// Corners of an icosahedron whose faces are split into four so many times, on the unit sphere, each once.
fn icosphere(splits: u32) -> Vec<DVec3> {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for one in [-1.0, 1.0] {
        for long in [-golden, golden] {
            let corner = DVec3::new(0.0, one, long);
            corners.extend([corner, DVec3::new(corner.y, corner.z, 0.0), DVec3::new(corner.z, 0.0, corner.y)]);
        }
    }
    let mut faces = Vec::new();
    let is_near = |a: DVec3, b: DVec3| (a.distance(b) - 2.0).abs() < 1e-9;
    for (a, b, c) in (0..12).flat_map(|a| (a + 1..12).flat_map(move |b| (b + 1..12).map(move |c| (a, b, c)))) {
        if is_near(corners[a], corners[b]) && is_near(corners[b], corners[c]) && is_near(corners[c], corners[a]) {
            faces.push([corners[a], corners[b], corners[c]].map(DVec3::normalize));
        }
    }
    for _ in 0..splits {
        let split = |[a, b, c]: &[DVec3; 3]| {
            let [ab, bc, ca] = [*a + *b, *b + *c, *c + *a].map(DVec3::normalize);
            [[*a, ab, ca], [ab, *b, bc], [ca, bc, *c], [ab, bc, ca]]
        };
        faces = faces.iter().flat_map(split).collect();
    }
    let mut unique: Vec<DVec3> = Vec::new();
    for corner in faces.into_iter().flatten() {
        if !unique.iter().any(|known| known.distance(corner) < 1e-6) {
            unique.push(corner);
        }
    }
    unique
}
