//! Coefficients of friction and restitution, one pair for everything or by the material of the bottom.

use super::Touched;
use crate::terrain::Material;
use sim_core::ParamError;

/// How surfaces touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParams {
    /// Coefficient of friction, 0 to 10.
    pub friction: f64,
    /// Share of the approach speed that is given back, 0 to 1.
    pub restitution: f64,
}

impl Default for ContactParams {
    /// Friction 0.5, no bounce.
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0 }
    }
}

impl ContactParams {
    /// Refuses what is out of its range.
    ///
    /// # Errors
    /// Names the value.
    pub fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("friction", self.friction, 0.0, 10.0)?;
        ParamError::check_range("restitution", self.restitution, 0.0, 1.0)
    }
}

/// Which coefficients hold where.
pub trait ContactLaw {
    /// Coefficients between a body and what it touches.
    fn between(&self, touched: Touched) -> ContactParams;
}

/// The same everywhere.
impl ContactLaw for ContactParams {
    fn between(&self, _: Touched) -> ContactParams {
        *self
    }
}

/// Coefficients by the material of the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialTable {
    /// Between two bodies, and on materials that are not listed.
    others: ContactParams,
    /// By the number of a material; no longer than the largest number listed.
    listed: Vec<Option<ContactParams>>,
}

impl MaterialTable {
    /// A table of materials. `others` holds between bodies, and on materials that the table does not list.
    ///
    /// # Errors
    /// If a coefficient is out of its range or a material stands there twice.
    pub fn new(others: ContactParams, materials: &[(Material, ContactParams)]) -> Result<Self, ParamError> {
        others.check()?;
        let length = materials.iter().map(|(material, _)| usize::from(material.0) + 1).max().unwrap_or(0);
        let mut listed = vec![None; length];
        for &(Material(number), params) in materials {
            let of_material = |error: ParamError| {
                ParamError::new(error.field, format!("of material {number} {message}", message = error.message))
            };
            params.check().map_err(of_material)?;
            if listed[usize::from(number)].replace(params).is_some() {
                return Err(ParamError::new("materials", format!("lists material {number} twice")));
            }
        }
        Ok(Self { others, listed })
    }
}

impl ContactLaw for MaterialTable {
    fn between(&self, touched: Touched) -> ContactParams {
        let of_bottom = match touched {
            Touched::Bottom(Material(number)) => self.listed.get(usize::from(number)).copied().flatten(),
            Touched::Body(_) => None,
        };
        of_bottom.unwrap_or(self.others)
    }
}
