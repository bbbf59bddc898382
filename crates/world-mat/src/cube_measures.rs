//! What a run is judged by where there are cubes: their messages, their targets, what they touch, and their ways.

use crate::cubes::{Cubes, CubesScratch, Direction, TracedMessage};
use crate::events::{EventObject, WorldEvent};
use sim_core::DVec2;
use sim_core::measure::{Bound, Fold, Measure, Metric};
use toio_cube_sim::wire::{ErrorCode, MotorReport};
use toio_cube_sim::{Characteristic, Printed};

/// The measures of cubes, which follow those of the swarm. `docs/models/cube-measures.md` says what each one means.
pub const CUBE_MEASURES: [Measure; 8] = [
    Measure::new("cube_messages", "count", Bound::Free, Fold::Sum),
    Measure::new("cube_messages_lost", "count", Bound::Free, Fold::Sum),
    Measure::new("cube_targets_reached", "count", Bound::Free, Fold::Sum),
    Measure::new("cube_targets_missed", "count", Bound::Free, Fold::Sum),
    Measure::new("cube_touches", "count", Bound::Free, Fold::Sum),
    Measure::new("cube_exits", "count", Bound::Free, Fold::Sum),
    Measure::new("cube_way_mean_mm", "mm", Bound::Free, Fold::Mean),
    Measure::new("cube_position_share", "1", Bound::Free, Fold::Mean),
];

/// Counts what cubes do, step by step.
#[derive(Clone, Debug, Default)]
pub(crate) struct CubeInspector {
    /// Places after the last step, mm; none of a cube that was away then.
    places_mm: Vec<Option<DVec2>>,
    messages: u64,
    lost: u64,
    reached: u64,
    missed: u64,
    touches: u64,
    exits: u64,
    /// Ways of all cubes together, mm.
    way_mm: f64,
    cube_steps: u64,
    /// Cube-steps with a Position ID under the sensor.
    positions: u64,
}

impl CubeInspector {
    pub fn new(cubes: Option<&Cubes>) -> Self {
        let places_mm = cubes.map_or_else(Vec::new, |cubes| (0..cubes.len()).map(|k| place_mm(cubes, k)).collect());
        Self { places_mm, ..Self::default() }
    }

    /// Counts what the last step brought.
    pub fn step(&mut self, cubes: Option<&Cubes>, told: &CubesScratch) {
        let Some(cubes) = cubes else { return };
        self.forget_brought(told);
        for k in 0..self.places_mm.len() {
            let now_mm = place_mm(cubes, k);
            let before_mm = std::mem::replace(&mut self.places_mm[k], now_mm);
            self.way_mm += now_mm.zip(before_mm).map_or(0.0, |(now, before)| now.distance(before));
            self.cube_steps += u64::from(now_mm.is_some());
            self.positions += u64::from(matches!(cubes.view(k).printed(), Printed::Position(_)));
        }
        told.messages().iter().for_each(|message| self.count_message(message));
        let count = |kind| told.events().iter().filter(|event| event.kind == kind).count() as u64;
        self.touches += count("cube_touch");
        self.exits += count("cube_left");
    }

    /// The way of a cube begins where it was brought, also in the step in which it was taken away.
    fn forget_brought(&mut self, told: &CubesScratch) {
        for event in told.events().iter().filter(|event| event.kind == WorldEvent::BROUGHT) {
            if let EventObject::Cube(cube) = event.subject {
                self.places_mm[cube as usize] = None;
            }
        }
    }

    fn count_message(&mut self, message: &TracedMessage) {
        if message.direction.is_drop() {
            self.lost += 1;
            return;
        }
        self.messages += 1;
        if (message.direction, message.characteristic) != (Direction::Notify, Characteristic::Motor) {
            return;
        }
        let Ok(MotorReport::Target { code, .. } | MotorReport::Targets { code, .. }) =
            MotorReport::decode(&message.bytes)
        else {
            return;
        };
        let ended = if code == ErrorCode::Arrived { &mut self.reached } else { &mut self.missed };
        *ended += 1;
    }

    /// The figures in the order of [`CUBE_MEASURES`]; none has a value without cubes.
    pub fn finish(&self) -> impl Iterator<Item = Metric> {
        let has_cubes = !self.places_mm.is_empty();
        let values = [
            self.messages as f64,
            self.lost as f64,
            self.reached as f64,
            self.missed as f64,
            self.touches as f64,
            self.exits as f64,
            self.way_mm / self.places_mm.len() as f64,
            self.positions as f64 / self.cube_steps as f64,
        ];
        CUBE_MEASURES.iter().zip(values).map(move |(measure, value)| {
            let value = if has_cubes { value } else { f64::NAN };
            measure.metric(value, None)
        })
    }
}

/// The middle of a cube's body, unless it is away.
fn place_mm(cubes: &Cubes, cube: usize) -> Option<DVec2> {
    (!cubes.is_away(cube)).then(|| cubes.view(cube).place_mm())
}
