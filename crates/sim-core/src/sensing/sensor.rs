//! A sensor in time: when it measures, what is under way, what has arrived.

use super::errors::{Address, ErrorModel, ErrorParams};
use super::purpose;
use crate::{ParamError, StateHash, Tick};

/// Most readings that may be under way at once.
const MAX_UNDER_WAY: u64 = 10_000;

/// All parameters of a sensor but what it measures and where it is mounted. The default is a perfect one that measures at
/// every tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorParams {
    /// Ticks from one measurement to the next, 1 or more.
    pub period_ticks: u64,
    /// Tick of the first measurement.
    pub phase_ticks: u64,
    /// Ticks from the measurement to its delivery; at most 10 000 readings may be under way.
    pub delay_ticks: u64,
    /// Share of whole readings that never arrive, 0 to 1. Single values are lost by `errors.dropout`.
    pub loss: f64,
    /// What is wrong with the values.
    pub errors: ErrorParams,
}

impl Default for SensorParams {
    fn default() -> Self {
        Self { period_ticks: 1, phase_ticks: 0, delay_ticks: 0, loss: 0.0, errors: ErrorParams::default() }
    }
}

/// Checked parameters of a sensor at a given step. Fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorModel {
    params: SensorParams,
    errors: ErrorModel,
}

impl SensorModel {
    /// Checks the parameters. A tick is `step_s` long.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: SensorParams, step_s: f64) -> Result<Self, ParamError> {
        if params.period_ticks == 0 {
            return Err(ParamError::new("period_ticks", "is 0, must be 1 or more"));
        }
        if params.delay_ticks / params.period_ticks > MAX_UNDER_WAY {
            let message = format!(
                "is {}, must be at most {MAX_UNDER_WAY} times the period of {}",
                params.delay_ticks, params.period_ticks
            );
            return Err(ParamError::new("delay_ticks", message));
        }
        ParamError::check_range("loss", params.loss, 0.0, 1.0)?;
        Ok(Self { params, errors: ErrorModel::new(params.errors, step_s)? })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &SensorParams {
        &self.params
    }

    /// What is wrong with the values, for a caller that measures without a schedule.
    #[must_use]
    pub fn errors(&self) -> &ErrorModel {
        &self.errors
    }

    fn is_due(&self, tick: Tick) -> bool {
        tick.is_due(self.params.period_ticks, self.params.phase_ticks)
    }

    fn is_lost(&self, address: Address, tick: Tick) -> bool {
        self.params.loss > 0.0 && address.stream(purpose::SENSOR_LOSS, tick.0).uniform() < self.params.loss
    }

    /// Readings that can be under way at once, the one that is measured included.
    fn slots(&self) -> u64 {
        self.params.delay_ticks / self.params.period_ticks + 1
    }

    /// Which slot the measurement of a tick goes to.
    fn slot(&self, taken: Tick) -> usize {
        ((taken.0 - self.params.phase_ticks) / self.params.period_ticks % self.slots()) as usize
    }
}

/// A reading that has been delivered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading<'a> {
    /// When it was measured.
    pub taken: Tick,
    /// One value a channel, in the unit of the quantity; +infinity where a value was lost.
    pub values: &'a [f64],
}

/// Complete state of a sensor: readings under way and the latest one delivered. It allocates when it is made and never again.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    channels: usize,
    /// A ring of readings under way, one after the other, and when each was taken.
    under_way: Vec<f64>,
    under_way_taken: Vec<Option<Tick>>,
    latest: Vec<f64>,
    taken: Option<Tick>,
}

impl Sensor {
    /// A sensor that has not measured yet.
    #[must_use]
    pub fn new(model: &SensorModel, channels: usize) -> Self {
        let slots = model.slots() as usize;
        Self {
            channels,
            under_way: vec![0.0; channels * slots],
            under_way_taken: vec![None; slots],
            latest: vec![0.0; channels],
            taken: None,
        }
    }

    /// One tick: measures if that is due (`measure` fills in the ideal values, one a channel) and delivers what arrives at this tick.
    /// True if something arrived. To be called at every tick, in order.
    pub fn step(
        &mut self,
        model: &SensorModel,
        address: Address,
        tick: Tick,
        measure: impl FnOnce(&mut [f64]),
    ) -> bool {
        self.step_if(model, address, tick, |values| {
            measure(values);
            true
        })
    }

    /// The same for a sensor that does not always find something to measure, such as a receiver without a fix: `measure` is false where
    /// there is no reading, and then none arrives later.
    pub fn step_if(
        &mut self,
        model: &SensorModel,
        address: Address,
        tick: Tick,
        measure: impl FnOnce(&mut [f64]) -> bool,
    ) -> bool {
        if model.is_due(tick) && !model.is_lost(address, tick) {
            let slot = model.slot(tick);
            let values = &mut self.under_way[slot * self.channels..][..self.channels];
            // What a slot held before is no longer under way: it is delivered before it is measured over.
            if measure(values) {
                model.errors.apply(address, tick, values);
                self.under_way_taken[slot] = Some(tick);
            }
        }
        self.deliver(model, tick)
    }

    fn deliver(&mut self, model: &SensorModel, tick: Tick) -> bool {
        let Some(taken) = tick.0.checked_sub(model.params.delay_ticks).map(Tick) else {
            return false;
        };
        if !model.is_due(taken) {
            return false;
        }
        let slot = model.slot(taken);
        // The slot of a reading that was lost still holds an older one.
        if self.under_way_taken[slot] != Some(taken) {
            return false;
        }
        self.latest.copy_from_slice(&self.under_way[slot * self.channels..][..self.channels]);
        self.taken = Some(taken);
        true
    }

    /// The latest reading delivered; none before the first one has arrived.
    #[must_use]
    pub fn latest(&self) -> Option<Reading<'_>> {
        self.taken.map(|taken| Reading { taken, values: &self.latest })
    }

    /// Puts the state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        for taken in self.under_way_taken.iter().chain([&self.taken]) {
            hash.u64(taken.map_or(u64::MAX, |taken| taken.0));
        }
        self.latest.iter().chain(&self.under_way).for_each(|&value| hash.f64(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunKey;
    use proptest::prelude::*;

    fn address() -> Address {
        Address::new(RunKey { seed: 2, run_index: 0 }, 1, 1)
    }

    /// What arrives at each of the first ticks of a sensor that measures the tick itself: (arrived at, taken at, value).
    fn arrivals(params: SensorParams, ticks: u64) -> Vec<(u64, u64, f64)> {
        let model = SensorModel::new(params, 0.001).unwrap();
        let mut sensor = Sensor::new(&model, 1);
        let mut seen = Vec::new();
        for tick in 0..ticks {
            if sensor.step(&model, address(), Tick(tick), |values| values[0] = tick as f64) {
                let reading = sensor.latest().unwrap();
                seen.push((tick, reading.taken.0, reading.values[0]));
            }
        }
        seen
    }

    #[test]
    fn readings_come_late_by_the_delay_and_hold_what_was_true_then() {
        let params = SensorParams { period_ticks: 3, phase_ticks: 1, delay_ticks: 7, ..SensorParams::default() };
        assert_eq!(arrivals(params, 16), [(8, 1, 1.0), (11, 4, 4.0), (14, 7, 7.0)]);
    }

    #[test]
    fn without_a_delay_a_reading_is_there_at_once() {
        assert_eq!(arrivals(SensorParams::default(), 3), [(0, 0, 0.0), (1, 1, 1.0), (2, 2, 2.0)]);
    }

    #[test]
    fn nothing_is_there_before_the_first_arrival() {
        let model = SensorModel::new(SensorParams { delay_ticks: 2, ..SensorParams::default() }, 0.001).unwrap();
        let mut sensor = Sensor::new(&model, 2);
        assert!(sensor.latest().is_none());
        assert!(!sensor.step(&model, address(), Tick(0), |values| values.fill(1.0)));
        assert!(sensor.latest().is_none());
    }

    /// What was measured before stays the latest, and nothing arrives in place of what was not found.
    #[test]
    fn a_tick_that_finds_nothing_reports_nothing() {
        let model = SensorModel::new(SensorParams { delay_ticks: 2, ..SensorParams::default() }, 0.001).unwrap();
        let mut sensor = Sensor::new(&model, 1);
        let arrived: Vec<bool> = (0..8)
            .map(|tick| {
                sensor.step_if(&model, address(), Tick(tick), |values| {
                    values[0] = tick as f64;
                    !(3..=4).contains(&tick)
                })
            })
            .collect();
        assert_eq!(arrived, [false, false, true, true, true, false, false, true]);
        assert_eq!(sensor.latest().unwrap(), Reading { taken: Tick(5), values: &[5.0] });
    }

    /// 20 000 readings at 0.3: standard error 0.0032.
    #[test]
    fn whole_readings_are_lost_at_the_declared_share() {
        let params = SensorParams { loss: 0.3, delay_ticks: 5, ..SensorParams::default() };
        let share = 1.0 - arrivals(params, 20_005).len() as f64 / 20_000.0;
        assert!((share - 0.3).abs() < 0.016, "{share}");
    }

    #[test]
    fn bad_parameters_are_named() {
        let field = |params| SensorModel::new(params, 0.001).unwrap_err().field;
        let good = SensorParams::default();
        assert_eq!(field(SensorParams { period_ticks: 0, ..good }), "period_ticks");
        assert_eq!(field(SensorParams { delay_ticks: 10_001, ..good }), "delay_ticks");
        assert_eq!(field(SensorParams { delay_ticks: u64::MAX, ..good }), "delay_ticks");
        assert_eq!(field(SensorParams { loss: f64::NAN, ..good }), "loss");
    }

    proptest! {
        /// A list of everything measured, searched at each tick, is the reference.
        #[test]
        fn the_ring_agrees_with_a_list(period in 1_u64..6, phase in 0_u64..9, delay in 0_u64..20, loss in 0.0_f64..0.9) {
            let params = SensorParams { period_ticks: period, phase_ticks: phase, delay_ticks: delay, loss, ..SensorParams::default() };
            let model = SensorModel::new(params, 0.001).unwrap();
            let due = (0..60).filter(|&t| t >= phase && (t - phase) % period == 0);
            let kept = due.filter(|&t| !model.is_lost(address(), Tick(t)) && t + delay < 60);
            let expected: Vec<_> = kept.map(|t| (t + delay, t, t as f64)).collect();
            prop_assert_eq!(arrivals(params, 60), expected);
        }

        #[test]
        fn a_clone_goes_on_like_the_original(delay in 0_u64..20, cut in 1_u64..40) {
            let errors = ErrorParams { noise_std: 1.0, walk_std_per_sqrt_s: 1.0, ..ErrorParams::default() };
            let params = SensorParams { period_ticks: 3, delay_ticks: delay, errors, ..SensorParams::default() };
            let model = SensorModel::new(params, 0.001).unwrap();
            let step = |sensor: &mut Sensor, t: u64| sensor.step(&model, address(), Tick(t), |values| values.fill(t as f64));
            let mut sensor = Sensor::new(&model, 3);
            (0..cut).for_each(|t| { step(&mut sensor, t); });
            let mut copy = sensor.clone();
            (cut..60).for_each(|t| { step(&mut sensor, t); step(&mut copy, t); });
            let hash = |sensor: &Sensor| { let mut h = StateHash::new(); sensor.hash_into(&mut h); h.finish() };
            prop_assert_eq!(hash(&sensor), hash(&copy));
        }
    }
}
