//! What arrived from sensors in a step.

use crate::model::SensorKind;
use sim_core::Tick;
use sim_core::sensing::Reading;
use std::ops::Range;

/// A reading on its arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Number of the vehicle.
    pub vehicle: usize,
    /// Which sensor of the vehicle.
    pub kind: SensorKind,
    /// The step after which it was measured.
    pub taken: Tick,
    values: Range<usize>,
}

/// Readings by vehicle and sensor.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    arrivals: Vec<Arrival>,
    values: Vec<f64>,
}

impl Readings {
    pub(crate) fn clear(&mut self) {
        self.arrivals.clear();
        self.values.clear();
    }

    pub(crate) fn push(&mut self, vehicle: usize, kind: SensorKind, reading: Option<Reading<'_>>) {
        let Some(Reading { taken, values }) = reading else { return };
        let start = self.values.len();
        self.values.extend_from_slice(values);
        self.arrivals.push(Arrival { vehicle, kind, taken, values: start..self.values.len() });
    }

    /// Which sensors arrived.
    #[must_use]
    pub fn arrivals(&self) -> &[Arrival] {
        &self.arrivals
    }

    /// The values of one of them, one a channel, in the unit of its quantity; infinite where one was lost.
    #[must_use]
    pub fn values(&self, arrival: &Arrival) -> &[f64] {
        &self.values[arrival.values.clone()]
    }
}
