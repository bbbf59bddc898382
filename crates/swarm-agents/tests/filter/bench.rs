//! Parts of the filter set up by hand: a model, robots, and the forecast of a foot.

use crate::world::{STEP_S, Setting, World};
use sim_core::angle::unit;
use sim_core::{DVec2, RunKey, Tick};
use swarm_agents::filter::certificate::projection::{MAX_ROUNDS, Near, ProjectionScratch, project};
use swarm_agents::filter::near_feet::NearFeet;
use swarm_agents::filter::planner::foot_prediction::{Extrapolation, FootPrediction, RatePrediction};
use swarm_agents::filter::planner::tube::{Tube, Tubes};
use swarm_agents::filter::{FilterInput, FilterKind, Sight};
use swarm_agents::{Agents, Neighbours};
use swarm_field::{Forecast, Manner, Travel};

/// The path speed factor of a foot that never waits.
pub const STUBBORN: RatePrediction = RatePrediction { now: 1.0, climb: 0.0 };

/// The model of a world, its robots, and a foot whose forecast is written by hand.
pub struct Bench {
    pub world: World,
    pub agents: Agents,
    pub forecasts: Vec<Forecast>,
    pub sight: Sight,
}

impl Bench {
    /// A stubborn foot.
    pub fn new(travel: Travel, foot_mm: DVec2, robots_mm: &[DVec2]) -> Self {
        Self::with_manner(Manner::Stubborn, travel, foot_mm, robots_mm)
    }

    pub fn with_manner(manner: Manner, travel: Travel, foot_mm: DVec2, robots_mm: &[DVec2]) -> Self {
        let mut setting = Setting::with_standing_foot(FilterKind::Joint, manner, foot_mm);
        setting.wall_margin_mm = 16.0;
        setting.feet.travel = travel;
        let world = World::new(&setting).unwrap();
        let agents = Agents::at_rest(robots_mm.to_vec());
        let mut bench = Self { world, agents, forecasts: vec![Forecast::default()], sight: Sight::Present };
        bench.set_forecast(foot_mm, DVec2::ZERO);
        bench
    }

    /// Sets a forecast of 0.6 s: the foot goes straight on from a place.
    pub fn set_forecast(&mut self, from_mm: DVec2, velocity_mm_s: DVec2) {
        let mean_mm = (0..37).map(|tick| from_mm + velocity_mm_s * (f64::from(tick) * STEP_S)).collect();
        self.forecasts = vec![Forecast { mean_mm, velocity_mm_s: vec![velocity_mm_s; 37] }];
    }

    pub fn input<'a>(&'a self, wish_mm_s: &'a [DVec2]) -> FilterInput<'a> {
        FilterInput {
            agents: &self.agents,
            wish_mm_s,
            feet: &self.world.state.feet,
            forecasts: &self.forecasts,
            sight: self.sight,
            key: RunKey { seed: 1, run_index: 0 },
            tick: Tick(1),
        }
    }

    /// The projected velocities. Robots move with the given ones already, so that acceleration does not matter.
    pub fn projected(&mut self, velocities_mm_s: &[DVec2]) -> Vec<DVec2> {
        self.agents.velocity_mm_s.copy_from_slice(velocities_mm_s);
        let mut out = velocities_mm_s.to_vec();
        let mut neighbours = Neighbours::default();
        neighbours.rebuild(&self.agents.position_mm, 200.0);
        let mut feet = NearFeet::default();
        feet.rebuild(&self.agents.position_mm, self.input(&[]).feet_mm(), 200.0);
        let near = Near { robots: &neighbours, feet: &feet, led: &[], ahead_ticks: 0.0, max_rounds: MAX_ROUNDS };
        let (input, scratch) = (self.input(velocities_mm_s), &mut ProjectionScratch::default());
        project(&self.world.fixed.filter, scratch, &input, &near, (60.0, 100.0), &mut out);
        out
    }

    /// The tube for the foot at its predicted places.
    pub fn tube(&self) -> Tube {
        self.cautious_tube(0.0)
    }

    /// The same with a cautious margin.
    pub fn cautious_tube(&self, cautious_mm: f64) -> Tube {
        let mut tube = Tube::default();
        let feet = self.predicted(&mut Vec::new(), 4);
        tube.rebuild(&self.world.fixed.filter, &[&feet], cautious_mm, &self.input(&[]));
        tube
    }

    /// The tubes of a plan.
    pub fn tubes(&self) -> Tubes {
        let mut extrapolations = Vec::new();
        let feet = self.predicted(&mut extrapolations, 4);
        let mut tubes = Tubes::default();
        tubes.rebuild(&self.world.fixed.filter, &feet, &[STUBBORN], &extrapolations, &self.input(&[]));
        tubes
    }

    /// The predicted foot, `age_ticks` after the last update of `extrapolations`.
    pub fn predicted(&self, extrapolations: &mut Vec<Extrapolation>, age_ticks: usize) -> FootPrediction {
        Extrapolation::update(extrapolations, &self.world.fixed.filter, &self.forecasts, age_ticks);
        self.predicted_at(STUBBORN, extrapolations)
    }

    /// The predicted foot with this path speed factor.
    pub fn predicted_at(&self, rate: RatePrediction, extrapolations: &[Extrapolation]) -> FootPrediction {
        let mut feet = FootPrediction::default();
        feet.predict(&self.world.fixed.filter, &[rate], extrapolations.iter().copied(), &self.input(&[]));
        feet
    }

    /// Sets a forecast of a foot that turns at `turn_rad_s` at 100 mm/s, along x at its end.
    pub fn turn_foot(&mut self, turn_rad_s: f64) {
        for (tick, velocity) in self.forecasts[0].velocity_mm_s.iter_mut().enumerate() {
            *velocity = unit(turn_rad_s * (tick as f64 - 36.0) * STEP_S) * 100.0;
        }
    }
}
