//! What a ray of a sonar returns, as all sonars by rays have it.
//!
//! # Equation
//! A ray that meets something at distance d below the range R, at incidence i, returns `(R - d)/R |cos i| reflectivity`, between 0 and 1.
//! Source: REF 12.7 of the sea facts, with a cast and a reading in the same instant and without readings of misses.

use crate::fan::Fan;
use crate::material::Material;
use crate::ray::{Hit, Ray};
use crate::surface::Surface;
use sim_core::{DQuat, DVec3, ParamError};

/// Where a sensor is, and how it is turned. Its axes: x forward, y to port, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorPose {
    /// Place in the world, m.
    pub position_m: DVec3,
    /// Rotation from the sensor's axes to the world's, of length 1.
    pub world_from_sensor: DQuat,
}

/// What a sonar looks at: triangles, and a material for each.
#[derive(Clone, Copy)]
pub struct Scene<'a, S: Surface + ?Sized, M: Fn(u32) -> Material> {
    /// The triangles.
    pub surface: &'a S,
    /// The material of a triangle.
    pub material_of: M,
}

/// What a ray returned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Echo {
    /// Distance, m.
    pub distance_m: f64,
    /// Where it met something, in the world, m.
    pub place_m: DVec3,
    /// Unit vector that stands on what it met.
    pub normal: DVec3,
    /// What that is made of.
    pub material: Material,
    /// Cosine of the incidence, 0 to 1.
    pub cos_incidence: f64,
    /// Strength of the return, 0 to 1.
    pub intensity: f64,
    /// Class of what it met: [`Material::class`].
    pub class: u8,
    /// Number of the triangle that it met.
    pub triangle: u32,
}

impl Echo {
    #[inline]
    fn new(ray: &Ray, Hit { distance_m, triangle }: Hit, normal: DVec3, material: Material) -> Self {
        let range_m = ray.length_m();
        let cos_incidence = ray.direction().dot(normal).abs();
        let intensity = (range_m - distance_m) / range_m * cos_incidence * material.reflectivity();
        let (place_m, intensity, class) = (ray.at(distance_m), intensity.clamp(0.0, 1.0), material.class());
        Self { distance_m, place_m, normal, material, cos_incidence, intensity, class, triangle }
    }

    /// The intensity in 255ths, rounded down.
    #[must_use]
    pub fn byte(&self) -> u8 {
        byte(self.intensity)
    }
}

/// A share of 1 in 255ths, rounded down.
pub(crate) fn byte(share: f64) -> u8 {
    (255.0 * share) as u8
}

/// Angle of one of several directions that are spread evenly over a span about 0, both ends included; a single one is in the middle.
pub(crate) fn even_angle_rad(number: u32, count: u32, span_rad: f64) -> f64 {
    if count < 2 { 0.0 } else { f64::from(number) * span_rad / f64::from(count - 1) - 0.5 * span_rad }
}

impl SensorPose {
    /// Moves a fan whose angle 0 and right angle are along two directions of the sensor.
    pub(crate) fn place(&self, fan: &mut Fan, in_sensor: [DVec3; 2]) -> Result<(), ParamError> {
        fan.place(self.position_m, in_sensor.map(|way| self.world_from_sensor * way))
    }
}

impl<S: Surface + ?Sized, M: Fn(u32) -> Material> Scene<'_, S, M> {
    /// What rays return, each with what it has met. Neighbours often meet one triangle, which is looked up once unless it is round.
    pub(crate) fn echoes<'a>(
        &self,
        met: impl Iterator<Item = (&'a Ray, Option<Hit>)>,
    ) -> impl Iterator<Item = Option<Echo>> {
        let mut last: Option<(u32, DVec3, Material)> = None;
        met.map(move |(ray, hit)| {
            let hit = hit?;
            let (_, normal, material) = match last {
                Some(known @ (number, ..)) if number == hit.triangle => known,
                _ => {
                    let normal = self.surface.normal_at(hit.triangle, ray.at(hit.distance_m));
                    let met = (hit.triangle, normal, (self.material_of)(hit.triangle));
                    last = (!self.surface.is_round(hit.triangle)).then_some(met);
                    met
                }
            };
            Some(Echo::new(ray, hit, normal, material))
        })
    }
}
