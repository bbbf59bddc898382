//! Checks of numbers that every parameter goes through.

use crate::contact::Hull;
use sim_core::ParamError;

/// Refuses a number that is not finite.
pub(crate) fn finite(field: &'static str, value: f64) -> Result<(), ParamError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(ParamError::new(field, format!("is {value}, must be a finite number")))
}

/// Refuses a list with a number that is not finite.
pub(crate) fn all_finite(field: &'static str, values: &[f64]) -> Result<(), ParamError> {
    values.iter().try_for_each(|&value| finite(field, value))
}

/// Farthest place on a vehicle from its origin along an axis, m: as far as a hull reaches.
pub(crate) const FAR_M: f64 = Hull::MAX_END_M;

/// Refuses coordinates of a place on a vehicle that are too far from its origin, m.
pub(crate) fn place(field: &'static str, coordinates_m: &[f64]) -> Result<(), ParamError> {
    coordinates_m.iter().try_for_each(|&at_m| ParamError::check_range(field, at_m, -FAR_M, FAR_M))
}

/// Refuses what is not above zero.
pub(crate) fn positive(field: &'static str, value: f64) -> Result<(), ParamError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ParamError::new(field, format!("is {value}, must be above 0")))
}

/// Refuses what is below zero.
pub(crate) fn not_negative(field: &'static str, value: f64) -> Result<(), ParamError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ParamError::new(field, format!("is {value}, must not be below 0")))
}

/// Refuses a range whose ends are not finite or in the wrong order.
pub(crate) fn ordered(field: &'static str, [from, to]: [f64; 2]) -> Result<(), ParamError> {
    all_finite(field, &[from, to])?;
    if from <= to {
        return Ok(());
    }
    Err(ParamError::new(field, format!("is [{from}, {to}], must run from the smaller to the larger")))
}

/// Refuses a direction without a length.
pub(crate) fn direction(field: &'static str, vector: [f64; 3]) -> Result<(), ParamError> {
    all_finite(field, &vector)?;
    if vector.iter().any(|&part| part != 0.0) {
        return Ok(());
    }
    Err(ParamError::new(field, "is [0, 0, 0], must be a direction"))
}

/// Refuses an empty list.
pub(crate) fn not_empty(field: &'static str, length: usize) -> Result<(), ParamError> {
    if length > 0 {
        return Ok(());
    }
    Err(ParamError::new(field, "is empty, must have at least one element"))
}
