//! From a scenario's sections to the checked parameters of the models.

use sim_core::sensing::SensorModel;
use sim_core::{DVec2, ParamError, Rect, Tick};
use swarm_agents::filter::FilterModel;
use swarm_agents::goals::{GoalsModel, GoalsParams, ScriptedGoal};
use swarm_agents::measures::MeasureModel;
use swarm_agents::wish::{WishModel, WishParams};
use swarm_agents::{Clearances, Drive, SwarmModel, Walls};
use swarm_field::{FeetModel, FieldModel, PatchesModel};

use super::spec::{DriveSpec, MatScenario};
use super::spec_agents::{GoalSpec, GoalsSpec};
use crate::sensing::AgentSensingModel;
use sim_input::diagnostic::Fault;
use sim_world::sensing::SensingSpec;

/// How much farther than `d_h_mm` from the robots' given start places homes of feet are drawn, mm.
const START_CLEARANCE_MM: f64 = 5.0;

impl From<DriveSpec> for Drive {
    fn from(spec: DriveSpec) -> Self {
        match spec {
            DriveSpec::Point => Self::Point,
            DriveSpec::Differential | DriveSpec::Cube => Self::Differential,
        }
    }
}

impl MatScenario {
    /// The mat, mm.
    #[must_use]
    pub fn mat_rect(&self) -> Rect {
        Rect::from_size(self.mat.width_mm, self.mat.height_mm)
    }

    /// The distances that decided motions keep: those to keep, and what bodies may be off them. At the edge it is always the whole of it.
    #[must_use]
    pub fn clearances(&self) -> Clearances {
        let (safety, off_mm) = (&self.safety, self.tracking_mm().unwrap_or(0.0));
        let margin_mm = self.agents.cube.margin_mm.filter(|_| off_mm > 0.0).unwrap_or(off_mm);
        Clearances {
            d_h_mm: safety.d_h_mm + margin_mm,
            d_r_mm: safety.d_r_mm + 2.0 * margin_mm,
            wall_margin_mm: safety.wall_margin_mm + off_mm,
        }
    }

    /// Most that a body may be off its decided motion, mm; none where robots do as decided.
    pub(super) fn tracking_mm(&self) -> Option<f64> {
        (self.agents.drive == DriveSpec::Cube).then_some(self.agents.cube.tracking_mm)
    }

    /// What a run is judged by.
    pub(super) fn measures(&self, swarm: &SwarmModel) -> MeasureModel {
        let safety = &self.safety;
        MeasureModel {
            bounds: swarm.mat.inset(safety.wall_margin_mm),
            d_r_mm: safety.d_r_mm,
            d_h_mm: safety.d_h_mm,
            tracking_mm: self.tracking_mm(),
            walls: Walls::new(self.obstacles(), safety.wall_margin_mm, swarm),
            ..MeasureModel::new(swarm, self.agents.count as usize, self.feet.count)
        }
    }

    /// Parameters of the robots' wishes.
    #[must_use]
    pub fn wish_params(&self) -> WishParams {
        let agents = &self.agents;
        WishParams {
            alpha: agents.alpha,
            sigma_v: agents.sigma_v,
            noise: agents.noise,
            correlation_s: agents.noise_correlation_s,
            temperature: agents.temperature,
        }
    }

    /// The feet's model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn feet_model(&self) -> Result<FeetModel, ParamError> {
        let feet = FeetModel::new(self.feet.clone(), self.mat_rect(), self.field.window_s, self.step_hz)?;
        let clear_mm = self.clearances().d_h_mm + START_CLEARANCE_MM;
        feet.with_homes_clear_of(self.start_places_mm(), clear_mm).among(self.obstacles())
    }

    /// The patches' model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn patches_model(&self) -> Result<PatchesModel, ParamError> {
        Ok(PatchesModel::new(self.patches.clone(), self.mat_rect(), self.step_hz)?.among(self.obstacles()))
    }

    /// The field's model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn field_model(&self) -> Result<FieldModel, ParamError> {
        FieldModel::new(self.field.clone(), self.mat_rect())
    }

    /// The robots' model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn swarm_model(&self) -> Result<SwarmModel, ParamError> {
        let drive = self.agents.drive.into();
        let swarm = SwarmModel::new(self.mat_rect(), self.clearances(), self.limits, drive, self.step_hz)?;
        Ok(if self.agents.drive == DriveSpec::Cube { swarm.on_wheels(self.wheels()) } else { swarm })
    }

    /// The model of the wishes of `swarm`'s robots.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn wish_model(&self, swarm: &SwarmModel) -> Result<WishModel, ParamError> {
        WishModel::new(self.wish_params(), swarm)
    }

    /// The model of the goals of `swarm`'s robots, if they have any.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn goals_model(&self, swarm: &SwarmModel) -> Result<Option<GoalsModel>, ParamError> {
        self.goals_params().map(|params| GoalsModel::new(params, swarm)).transpose()
    }

    /// Parameters of the robots' goals, if they have any. A robot knows of a goal in the first step that ends after its time.
    fn goals_params(&self) -> Option<GoalsParams> {
        let GoalsSpec { sites_mm, every_s, gain_per_s, arrival_mm, script, .. } = self.agents.goals.as_ref()?;
        let goal = |goal: &GoalSpec| ScriptedGoal {
            tick: Tick((goal.time_s * f64::from(self.step_hz)).round() as u64),
            robot: goal.robot as usize,
            site_mm: goal.at_mm.map(DVec2::from),
        };
        Some(GoalsParams {
            sites_mm: sites_mm.clone(),
            every_s: *every_s,
            gain_per_s: *gain_per_s,
            arrival_mm: *arrival_mm,
            script: script.iter().map(goal).collect(),
        })
    }

    /// How well robots know where they are, if not exactly, and what is wrong with it.
    pub(super) fn sensing_model(&self) -> (Option<AgentSensingModel>, Vec<Fault>) {
        let Some(spec) = &self.agents.sensing else { return (None, Vec::new()) };
        if self.agents.drive == DriveSpec::Cube {
            let message = "is for robots without sensors of their own: cubes hear from their cameras where they are";
            return (None, vec![Fault::new("agents.sensing", message).depends("agents.drive")]);
        }
        let mut faults = Vec::new();
        let mut sensor = |key: &str, spec: &SensingSpec| {
            let section = format!("agents.sensing.{key}");
            let refused = |error: ParamError| {
                faults.push(match error.field {
                    "delay_ticks" => {
                        let message = format!("is {}; counted in steps it {}", spec.delay_ms, error.message);
                        Fault::new(format!("{section}.delay_ms"), message)
                    }
                    field => Fault::from_param(&section, field, &error),
                });
            };
            SensorModel::new(spec.params(self.step_hz, false), 1.0 / f64::from(self.step_hz)).map_err(refused).ok()
        };
        let (position, heading) = (sensor("position", &spec.position), sensor("heading", &spec.heading));
        let mat = self.mat_rect();
        let model = position.zip(heading).map(|(position, heading)| AgentSensingModel { position, heading, mat });
        (model, faults)
    }

    /// The safety filter's model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn filter_model(&self, swarm: SwarmModel, feet: &FeetModel) -> Result<FilterModel, ParamError> {
        let filter = FilterModel::new(swarm, self.safety.filter, feet)?.among(self.walls(&swarm));
        Ok(if self.agents.drive == DriveSpec::Cube { filter.for_late_bodies(feet) } else { filter })
    }

    /// The models of the swarm and its surroundings.
    ///
    /// # Errors
    /// What they refuse, each with the section concerned.
    pub(super) fn swarm_models(&self) -> Result<SwarmModels, Vec<(&'static str, ParamError)>> {
        let mut refused = Vec::new();
        let patches = kept("patches", self.patches_model(), &mut refused);
        let field = kept("field", self.field_model(), &mut refused);
        let swarm = self.swarm_model();
        let feet = self.feet_model();
        let wish = swarm.as_ref().ok().and_then(|swarm| kept("agents", self.wish_model(swarm), &mut refused));
        let goals = swarm.as_ref().ok().and_then(|swarm| kept("agents.goals", self.goals_model(swarm), &mut refused));
        let filter = match (&swarm, &feet) {
            (Ok(swarm), Ok(feet)) => kept("safety", self.filter_model(*swarm, feet), &mut refused),
            _ => None,
        };
        let (swarm, feet) = (kept("safety", swarm, &mut refused), kept("feet", feet, &mut refused));
        match (patches, field, swarm, feet, wish, goals, filter) {
            (Some(patches), Some(field), Some(swarm), Some(feet), Some(wish), Some(goals), Some(filter)) => {
                Ok(SwarmModels { patches, field, swarm, feet, wish, goals, filter })
            }
            _ => Err(refused),
        }
    }
}

/// A model, or a note of what was refused.
fn kept<T>(
    section: &'static str,
    model: Result<T, ParamError>,
    refused: &mut Vec<(&'static str, ParamError)>,
) -> Option<T> {
    model.map_err(|error| refused.push((section, error))).ok()
}

/// The models of the swarm and its surroundings, each made once.
pub(super) struct SwarmModels {
    pub patches: PatchesModel,
    pub field: FieldModel,
    pub swarm: SwarmModel,
    pub feet: FeetModel,
    pub wish: WishModel,
    pub goals: Option<GoalsModel>,
    pub filter: FilterModel,
}
