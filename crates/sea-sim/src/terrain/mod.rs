//! The bottom: a plane or a grid of heights, its material, and rays against it.
//!
//! World axes: x east, y north, z up. Model and limits: `docs/models/terrain.md`.

mod esri;
mod generate;
mod grid;
mod png;
mod ray;

pub use generate::GeneratedParams;
pub(crate) use grid::Cell;
pub use grid::{HeightGrid, HeightGridParams, Material};
pub use png::PngParams;
pub use ray::{Hit, Ray};

use sim_core::{DVec3, ParamError};

/// The bottom of a world. Fixed for a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Terrain {
    /// A plane without borders.
    Flat(FlatBottom),
    /// A grid of heights; there is nothing beyond its border.
    Grid(HeightGrid),
}

/// A level bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatBottom {
    z_m: f64,
    material: Material,
}

impl FlatBottom {
    /// The plane at `z_m`, -12 000 to 12 000.
    ///
    /// # Errors
    /// If it is out of range.
    pub fn new(z_m: f64, material: Material) -> Result<Self, ParamError> {
        ParamError::check_range("flat_z_m", z_m, -12_000.0, 12_000.0)?;
        Ok(Self { z_m, material })
    }

    /// Height, m.
    #[must_use]
    pub fn z_m(&self) -> f64 {
        self.z_m
    }

    /// What it is made of.
    #[must_use]
    pub fn material(&self) -> Material {
        self.material
    }

    fn cast(&self, ray: &Ray) -> Option<Hit> {
        let distance_m = (self.z_m - ray.origin_m.z) / ray.direction.z;
        (distance_m >= 0.0 && distance_m <= ray.length_m).then(|| Hit {
            distance_m,
            position_m: ray.at(distance_m).with_z(self.z_m),
            normal: DVec3::Z,
            material: self.material,
        })
    }
}

/// The bottom under a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height on the world's z axis, m.
    pub z_m: f64,
    /// Unit vector that stands on it, upwards.
    pub normal: DVec3,
    /// What it is made of.
    pub material: Material,
}

impl Terrain {
    /// The bottom under (x, y), m; none beyond the border of a grid, or where a coordinate is not a number.
    #[must_use]
    pub fn ground(&self, x_m: f64, y_m: f64) -> Option<Ground> {
        match self {
            Self::Flat(flat) => Some(Ground { z_m: flat.z_m, normal: DVec3::Z, material: flat.material }),
            Self::Grid(grid) => grid.ground(x_m, y_m),
        }
    }

    /// The first place where a ray meets the bottom, from either side; none if it ends before.
    #[must_use]
    pub fn cast(&self, ray: &Ray) -> Option<Hit> {
        match self {
            Self::Flat(flat) => flat.cast(ray),
            Self::Grid(grid) => grid.cast(ray),
        }
    }
}
