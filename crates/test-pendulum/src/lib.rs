//! A pendulum, `angle'' = -(g / length) sin(angle)` by velocity Verlet: the smallest whole world, for tests of the contract.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sim_core::measure::{Bound, Fold, Measure, Metric};
use sim_core::{DVec2, Purpose, RunKey, StateHash, Tick, ops};
use sim_input::{checks::Checks, checks::deserialize, schema::schema_of, write::hand_written};
use sim_world::view::{Area, Axis, Color, Draw, Figure, Ink, Line, Mark, Party, Place, Plot, Projection, Width};
use sim_world::*;
use std::{collections::BTreeMap, sync::Arc, sync::OnceLock};

const STEP_HZ: u32 = 100;
const START_DRAW: Purpose = Purpose::new(1_000_000);
const SWING: Measure = Measure::new("angle_max_rad", "rad", Bound::Free, Fold::Max);

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

impl WorldKind for Pendulum {
    fn name(&self) -> &'static str {
        "pendulum"
    }
    fn schema(&self) -> &'static Json {
        static SCHEMA: OnceLock<Json> = OnceLock::new();
        SCHEMA.get_or_init(|| schema_of::<PendulumScenario>("Scenario of a pendulum"))
    }
    fn measures(&self) -> &'static [Measure] {
        &[SWING]
    }
    fn ranking(&self) -> &'static Ranking {
        &Ranking::Largest { measure: "angle_max_rad", unit: "rad" }
    }
    fn words(&self) -> &'static Words {
        &Words { agent: "pendulum", heading: "Swinging", highlights: &[("angle_max_rad", "how far it swung")] }
    }
    fn load(&self, scenario: Json, _: &dyn Files, checks: &mut Checks<'_>) -> Option<LoadedWorld> {
        let scenario: PendulumScenario = deserialize(&scenario, checks)?;
        Some(LoadedWorld { resolved: hand_written(&scenario), model: Arc::new(scenario) })
    }
}

impl Model for PendulumScenario {
    fn kind(&self) -> &'static dyn WorldKind {
        &Pendulum
    }
    fn info(&self) -> RunInfo<'_> {
        let Self { name, seed, steps, .. } = self;
        RunInfo { name, seed: *seed, steps: *steps, step_hz: STEP_HZ, trace_every: 1, agents: 1 }
    }
    fn outputs(&self) -> &[Stream] {
        static OUTPUTS: OnceLock<[Stream; 1]> = OnceLock::new();
        OUTPUTS.get_or_init(|| {
            let head = Column::moment().into_iter().chain([Column::integer("pendulum", "its number")]);
            let motion = ["angle_rad", "x_m", "z_m"].map(|name| Column::number(name, "from the plumb line, right, up"));
            [Stream::new("pendulum", "where it is", Cadence::Sampled { owners: 1 }, head.chain(motion))]
        })
    }
    fn inputs(&self) -> &[Stream] {
        static INPUTS: OnceLock<[Stream; 1]> = OnceLock::new();
        INPUTS.get_or_init(|| {
            let kick = Column::number("kick_rad_s", "what is added to its rate").with_range(-10.0, 10.0);
            [Stream::new("push", "a push", Cadence::OnEvent { at_most: None }, [kick])]
        })
    }
    fn view(&self) -> View {
        let length_m = self.length_m;
        let projection = |name: &str, axes, across_m: f64| {
            let fixed = Some([[-length_m, -across_m], [length_m, across_m]]);
            Projection { name: name.into(), axes, is_up: true, area: Area { fixed, ..Area::default() }, height: None }
        };
        let bob_at = Place { x: "x_m".into(), y: 0.0.into(), z: "z_m".into() };
        let rod = Line::new(Color::Ink.full(), Width::Px(2.0));
        let rod = Draw::Line { from: Place::plane(0.0, 0.0), to: bob_at.clone(), line: rod };
        let (radius, ink) = ((0.05 * length_m).into(), Ink::fill(Color::Warm.full()));
        let bob = Draw::Circle { radius: (radius, 0.0), ink, alarm: None };
        let [plan, side] = [[Axis::X, Axis::Y], [Axis::X, Axis::Z]];
        View {
            unit: "m".into(),
            projections: vec![projection("plan", plan, 0.2 * length_m), projection("side", side, length_m)],
            parties: vec![Party::new("pendulum", ["pendulum", "pendulums"], bob_at)],
            marks: [rod, bob].map(|draw| Mark::new(draw).of("pendulum")).into(),
            plots: vec![Plot::new("pendulum", "Angle", "rad", vec![Figure::column("angle_rad", 3)])],
            ..View::default()
        }
    }
    fn start(self: Arc<Self>, key: RunKey, _: &StreamSet) -> Result<Box<dyn World>, StartError> {
        let off_rad = self.spread_rad * key.stream(START_DRAW, 0, 0).range(-1.0, 1.0);
        let angle_rad = self.start_rad + off_rad;
        let (tick, rate_rad_s, angle_max_rad) = (Tick(0), 0.0, angle_rad.abs());
        Ok(Box::new(Swing { model: self, tick, angle_rad, rate_rad_s, angle_max_rad }))
    }
}

#[derive(Clone)]
struct Swing {
    model: Arc<PendulumScenario>,
    tick: Tick,
    angle_rad: f64,
    rate_rad_s: f64,
    angle_max_rad: f64,
}

impl World for Swing {
    fn tick(&self) -> Tick {
        self.tick
    }
    fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), StepError> {
        let step_s = 1.0 / f64::from(STEP_HZ);
        let half_rad_s = |angle_rad| -0.5 * step_s * 9.81 / self.model.length_m * ops::sin(angle_rad);
        let kicks_rad_s: f64 = inputs.iter().filter_map(|input| input.row[0].as_number()).sum();
        let middle_rad_s = self.rate_rad_s + kicks_rad_s + half_rad_s(self.angle_rad);
        let angle_rad = self.angle_rad + step_s * middle_rad_s;
        (self.angle_rad, self.rate_rad_s) = (angle_rad, middle_rad_s + half_rad_s(angle_rad));
        (self.tick, self.angle_max_rad) = (self.tick.next(), self.angle_max_rad.max(angle_rad.abs()));
        Ok(())
    }
    fn rows(&self, _: usize, out: &mut RowSink<'_>) {
        let (time_s, angle_rad) = (self.tick.seconds(STEP_HZ), self.angle_rad);
        let [x_m, z_m] = [ops::sin(angle_rad), -ops::cos(angle_rad)].map(|part| part * self.model.length_m);
        out(&[self.tick.0.into(), time_s.into(), Value::Integer(0), angle_rad.into(), x_m.into(), z_m.into()]);
    }
    fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.u64(self.tick.0);
        hash.vec2(DVec2::new(self.angle_rad, self.rate_rad_s));
        hash.finish()
    }
    fn finish(&mut self) -> Vec<Metric> {
        vec![SWING.metric(self.angle_max_rad, None)]
    }
}
