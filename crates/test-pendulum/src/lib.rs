//! A pendulum, `angle'' = -(g / length) sin(angle)` by velocity Verlet: the smallest whole world, for tests of the contract.

mod view;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sim_core::measure::{Bound, Fold, Measure, Metric};
use sim_core::{DVec2, Purpose, RunKey, StateHash, Tick, ops};
use sim_input::{checks::Checks, checks::deserialize, schema::schema_of, write::hand_written};
use sim_world::*;
use std::{any::Any, collections::BTreeMap, sync::Arc, sync::OnceLock};

const GRAVITY_M_S2: f64 = 9.81;
const STEP_HZ: u32 = 100;
const START_DRAW: Purpose = Purpose::new(1_000_000);

/// Every key must be given but `inputs`. The start of a run is off by up to `spread_rad`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PendulumScenario {
    name: String,
    world: String,
    seed: u64,
    steps: u64,
    #[schemars(range(min = 0.01, max = 100))]
    length_m: f64,
    start_rad: f64,
    spread_rad: f64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    inputs: BTreeMap<String, String>,
}

/// The kind of world.
#[derive(Debug)]
pub struct Pendulum;

#[rustfmt::skip] // A getter is a line.
impl WorldKind for Pendulum {
    fn name(&self) -> &'static str { "pendulum" }
    fn schema(&self) -> &'static Json {
        static SCHEMA: OnceLock<Json> = OnceLock::new();
        SCHEMA.get_or_init(|| schema_of::<PendulumScenario>("Scenario of a pendulum"))
    }
    fn measures(&self) -> &'static [Measure] {
        const PERIOD: Measure = Measure::new("period_s", "s", Bound::Free, Fold::Mean);
        const ANGLE: Measure = Measure::new("angle_max_rad", "rad", Bound::Free, Fold::Max);
        &[PERIOD, ANGLE]
    }
    fn default_measures(&self) -> &'static [&'static str] { &["period_s", "angle_max_rad"] }
    fn ranking(&self) -> &'static Ranking { &Ranking::Largest { measure: "angle_max_rad", unit: "rad" } }
    fn words(&self) -> &'static Words {
        &Words { agent: "pendulum", heading: "Swinging", highlights: &[("period_s", "mean time of a swing")] }
    }
    fn load(&self, scenario: Json, _: &dyn Files, checks: &mut Checks<'_>) -> Option<LoadedWorld> {
        let scenario: PendulumScenario = deserialize(&scenario, checks)?;
        let number = Column::number;
        let head = Column::moment().into_iter().chain([Column::integer("pendulum", "number of the pendulum")]);
        let motion = [number("angle_rad", "angle from the plumb line"), number("rate_rad_s", "rate of the angle")];
        let columns = head.chain(motion).chain([number("x_m", "place, to the right"), number("z_m", "place, up")]);
        let swing = Stream::new("pendulum", "where it is", Cadence::Sampled { owners: 1 }, columns);
        let kick = number("kick_rad_s", "what is added to its rate").with_range(-10.0, 10.0);
        let taps = Column::new("tap_#_rad_s", ColumnKind::Numbers(3), "what a finger adds to its rate");
        let of_rows = |name, about, column| Stream::new(name, about, Cadence::OnEvent { at_most: None }, [column]);
        let inputs = [of_rows("push", "a push", kick), of_rows("taps", "taps of three fingers", taps)];
        let (resolved, outputs) = (hand_written(&scenario), [swing, event_stream()]);
        Some(LoadedWorld { resolved, model: Arc::new(PendulumModel { scenario, outputs, inputs }) })
    }
}

#[derive(Debug)]
struct PendulumModel {
    scenario: PendulumScenario,
    outputs: [Stream; 2],
    inputs: [Stream; 2],
}

#[rustfmt::skip] // A getter is a line.
impl Model for PendulumModel {
    fn kind(&self) -> &'static dyn WorldKind { &Pendulum }
    fn info(&self) -> RunInfo<'_> {
        let PendulumScenario { name, seed, steps, .. } = &self.scenario;
        RunInfo { name, seed: *seed, steps: *steps, step_hz: STEP_HZ, trace_every: 1, agents: 1 }
    }
    fn outputs(&self) -> &[Stream] { &self.outputs }
    fn inputs(&self) -> &[Stream] { &self.inputs }
    fn view(&self) -> View { view::view(self.scenario.length_m) }
    fn limit(&self, measure: &Measure) -> Option<f64> { measure.bound.limit(|_| None) }
    fn cpu_estimate_s(&self) -> f64 { self.scenario.steps as f64 * 1e-7 }
    fn start(self: Arc<Self>, key: RunKey, _: &StreamSet) -> Result<Box<dyn World>, StartError> {
        let angle_rad = self.scenario.start_rad + self.scenario.spread_rad * key.stream(START_DRAW, 0, 0).range(-1.0, 1.0);
        let (tick, rate_rad_s, angle_max_rad, passes_s) = (Tick(0), 0.0, angle_rad.abs(), Vec::new());
        Ok(Box::new(Swing { model: self, tick, angle_rad, rate_rad_s, angle_max_rad, passes_s }))
    }
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> { self }
}

/// What a row of either stream adds to the rate.
fn added_rad_s(input: &Input<'_>) -> f64 {
    match input.row[0] {
        Value::Numbers(taps) => taps.iter().sum(),
        kick => kick.as_number().unwrap_or_default(),
    }
}

/// One run. `passes_s`: when it swung through its lowest place, to the right.
#[derive(Clone)]
struct Swing {
    model: Arc<PendulumModel>,
    tick: Tick,
    angle_rad: f64,
    rate_rad_s: f64,
    angle_max_rad: f64,
    passes_s: Vec<f64>,
}

#[rustfmt::skip] // A getter is a line.
impl World for Swing {
    fn tick(&self) -> Tick { self.tick }
    fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        let (step_s, before_rad, before_s) = (1.0 / f64::from(STEP_HZ), self.angle_rad, self.tick.seconds(STEP_HZ));
        let half_rad_s = |angle_rad| -0.5 * step_s * GRAVITY_M_S2 / self.model.scenario.length_m * ops::sin(angle_rad);
        let kicks_rad_s: f64 = inputs.iter().map(added_rad_s).sum();
        let middle_rad_s = self.rate_rad_s + kicks_rad_s + half_rad_s(before_rad);
        let angle_rad = before_rad + step_s * middle_rad_s;
        let rate_rad_s = middle_rad_s + half_rad_s(angle_rad);
        if before_rad < 0.0 && angle_rad >= 0.0 {
            self.passes_s.push(before_s + step_s * before_rad / (before_rad - angle_rad));
        }
        (self.tick, self.angle_max_rad) = (self.tick.next(), self.angle_max_rad.max(angle_rad.abs()));
        (self.angle_rad, self.rate_rad_s) = (angle_rad, rate_rad_s);
        if angle_rad.is_finite() { Ok(()) } else { Err(StepError::not_finite("the pendulum", "swing", self.tick)) }
    }
    fn rows(&self, stream: usize, out: &mut RowSink<'_>) {
        let (tick, time_s) = (self.tick, self.tick.seconds(STEP_HZ));
        if stream == 0 {
            let (sin, cos) = ops::sin_cos(self.angle_rad);
            let [x_m, z_m] = [sin, -cos].map(|part| part * self.model.scenario.length_m);
            let head = [Value::from(tick.0), time_s.into(), Value::Integer(0)];
            return out(&[head.as_slice(), &[self.angle_rad, self.rate_rad_s, x_m, z_m].map(Value::Number)].concat());
        }
        if let Some(&pass_s) = self.passes_s.last().filter(|&&pass_s| pass_s > time_s - 1.0 / f64::from(STEP_HZ)) {
            let (kind, subject, value) = ("pass", &"pendulum 0", self.rate_rad_s);
            let event = Event { tick, time_s: pass_s, kind, subject, object: &"", value, unit: "rad/s" };
            EventRows::default().write(&event, out);
        }
    }
    fn fork(&self) -> Box<dyn World> { Box::new(self.clone()) }
    fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.u64(self.tick.0);
        hash.vec2(DVec2::new(self.angle_rad, self.rate_rad_s));
        hash.finish()
    }
    fn violations(&self) -> u64 { 0 }
    fn finish(&mut self) -> Vec<Metric> {
        let passes_s = std::mem::take(&mut self.passes_s);
        let period_s = passes_s.last().map_or(f64::NAN, |last_s| (last_s - passes_s[0]) / (passes_s.len() as f64 - 1.0));
        let measured = Pendulum.measures().iter().zip([period_s, self.angle_max_rad]);
        measured.map(|(measure, value)| measure.metric(value, None)).collect()
    }
}
