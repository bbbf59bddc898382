//! A small stage: robots and feet are put where a test wants them, step by step.

use sim_core::measure::Metric;
use sim_core::{DVec2, Rect, RunKey, Tick};
use swarm_agents::filter::Decision;
use swarm_agents::filter::comparison::WishComparison;
use swarm_agents::goals::Goals;
use swarm_agents::measures::{Event, Inspector, MeasureModel, Observation};
use swarm_agents::{Agents, measures};
use swarm_field::{FootPhase, Patches, PatchesModel, PatchesParams};

/// Steps a second on the stage.
pub const HZ: f64 = 60.0;

pub struct Stage {
    pub model: MeasureModel,
    pub inspector: Inspector,
    pub agents: Agents,
    pub feet_mm: Vec<DVec2>,
    pub phases: Vec<FootPhase>,
    pub rates: Vec<f64>,
    /// Wish of every robot; `None` wishes for what is executed.
    pub wish_mm_s: Option<Vec<DVec2>>,
    pub goals: Option<Goals>,
    pub comparison: Option<WishComparison>,
    pub decisions: Vec<Decision>,
    pub danger: Vec<f64>,
    pub patches: Patches,
    pub events: Vec<Event>,
    pub tick: u64,
}

/// The spec's mat and limits with a wall margin of 16 mm.
pub fn model(robots: usize, feet: usize) -> MeasureModel {
    let mat = Rect::from_size(400.0, 400.0);
    MeasureModel {
        robots,
        feet,
        bounds: mat.inset(16.0),
        walls: swarm_agents::Walls::default(),
        mat,
        d_r_mm: 60.0,
        d_h_mm: 100.0,
        v_max_mm_s: 252.0,
        a_max_mm_s2: 3000.0,
        omega_max_rad_s: 12.0,
        tracking_mm: None,
        step_hz: 60,
    }
}

/// Robots at rest, heading along +x.
pub fn at_rest(position_mm: &[DVec2]) -> Agents {
    let n = position_mm.len();
    Agents {
        position_mm: position_mm.to_vec(),
        velocity_mm_s: vec![DVec2::ZERO; n],
        heading_rad: vec![0.0; n],
        speed_mm_s: vec![0.0; n],
        omega_rad_s: vec![0.0; n],
    }
}

pub fn patches(count: usize, mat: Rect) -> Patches {
    let params = PatchesParams {
        count,
        radius_mm: [30.0, 60.0],
        peak: [0.15, 0.3],
        speed_mm_s: [5.0, 15.0],
        lifetime_s: [20.0, 60.0],
        fade_s: 2.0,
    };
    let model = PatchesModel::new(params, mat, 60).expect("legal patches");
    Patches::new(&model, RunKey { seed: 5, run_index: 0 })
}

impl Stage {
    pub fn new(robots_mm: &[DVec2], feet_mm: &[DVec2]) -> Self {
        Self::with_model(model(robots_mm.len(), feet_mm.len()), robots_mm, feet_mm)
    }

    pub fn with_model(model: MeasureModel, robots_mm: &[DVec2], feet_mm: &[DVec2]) -> Self {
        Self {
            inspector: Inspector::new(&model),
            agents: at_rest(robots_mm),
            feet_mm: feet_mm.to_vec(),
            phases: vec![FootPhase::Idle; feet_mm.len()],
            rates: vec![1.0; feet_mm.len()],
            wish_mm_s: None,
            goals: None,
            comparison: None,
            decisions: Vec::new(),
            danger: Vec::new(),
            patches: patches(0, model.mat),
            events: Vec::new(),
            tick: 0,
            model,
        }
    }

    /// Moves robots and feet straight to new places; velocities are what that takes, headings stay.
    pub fn go(&mut self, robots_mm: &[DVec2], feet_mm: &[DVec2]) {
        let mut after = self.agents.clone();
        for (i, &p) in robots_mm.iter().enumerate() {
            after.velocity_mm_s[i] = (p - self.agents.position_mm[i]) * HZ;
            after.speed_mm_s[i] = after.velocity_mm_s[i].length();
            after.position_mm[i] = p;
        }
        self.show(after, feet_mm);
    }

    /// No robot moves for `steps` steps.
    pub fn rest(&mut self, steps: usize) {
        let (robots_mm, feet_mm) = (self.agents.position_mm.clone(), self.feet_mm.clone());
        (0..steps).for_each(|_| self.go(&robots_mm, &feet_mm));
    }

    /// Shows the inspector any next state.
    pub fn show(&mut self, after: Agents, feet_mm: &[DVec2]) {
        self.tick += 1;
        let wish_mm_s = self.wish_mm_s.clone().unwrap_or_else(|| after.velocity_mm_s.clone());
        self.inspector.step(&Observation {
            tick: Tick(self.tick),
            before: &self.agents,
            after: &after,
            decided: None,
            feet_before_mm: &self.feet_mm,
            feet_after_mm: feet_mm,
            feet_phase: &self.phases,
            wish_mm_s: &wish_mm_s,
            goals: self.goals.as_ref(),
            comparison: self.comparison.as_ref(),
            path_speed_factors: &self.rates,
            decisions: &self.decisions,
            patches: &self.patches,
            danger: &self.danger,
        });
        self.events.extend_from_slice(self.inspector.events());
        self.inspector.clear_events();
        self.agents = after;
        self.feet_mm = feet_mm.to_vec();
    }

    pub fn close(&mut self) {
        self.inspector.close();
        self.events.extend_from_slice(self.inspector.events());
        self.inspector.clear_events();
    }

    pub fn metric(&self, name: &str) -> Metric {
        let metrics = self.inspector.finish();
        *metrics.iter().find(|metric| metric.name == name).unwrap_or_else(|| panic!("no measure {name}"))
    }

    pub fn value(&self, name: &str) -> f64 {
        self.metric(name).value
    }

    /// Asserts a measure to a relative tolerance that covers rounding.
    #[track_caller]
    pub fn expect(&self, name: &str, expected: f64) {
        let value = self.value(name);
        let tolerance = 1e-9 * expected.abs().max(1.0);
        assert!((value - expected).abs() <= tolerance, "{name} is {value}, expected {expected}");
    }
}

pub fn mm(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// All names that measures have, so that a test can walk over them.
pub fn names() -> Vec<&'static str> {
    measures::MEASURES.iter().map(|line| line.name).collect()
}
