//! From a scenario's sections to the checked parameters of the models.

use sim_core::sensing::SensorModel;
use sim_core::{DVec2, ParamError, Rect};
use swarm_agents::filter::{FilterKind, FilterModel};
use swarm_agents::goals::{GoalsModel, GoalsParams};
use swarm_agents::measures::MeasureModel;
use swarm_agents::wish::{NoiseMode, WishModel, WishParams};
use swarm_agents::{Clearances, Drive, Limits, SwarmModel};
use swarm_field::{
    Destination, FeetModel, FeetParams, FieldModel, FieldParams, Gait, Manner, PatchesModel, PatchesParams, Travel,
};

use super::spec::{DriveSpec, FilterSpec, MatScenario, NoiseSpec};
use super::spec_feet::{DestinationSpec, GaitSpec, MannerSpec, TravelSpec};
use crate::sensing::AgentSensingModel;
use sim_input::diagnostic::Fault;
use sim_world::sensing::SensingSpec;

impl From<TravelSpec> for Travel {
    fn from(spec: TravelSpec) -> Self {
        match spec {
            TravelSpec::Core => Self::Core,
            TravelSpec::Edge => Self::Edge,
            TravelSpec::Full => Self::Full,
        }
    }
}

impl From<MannerSpec> for Manner {
    fn from(spec: MannerSpec) -> Self {
        match spec {
            MannerSpec::Stubborn => Self::Stubborn,
            MannerSpec::Considerate => Self::Considerate,
        }
    }
}

impl From<GaitSpec> for Gait {
    fn from(spec: GaitSpec) -> Self {
        match spec {
            GaitSpec::Walk => Self::Walk,
            GaitSpec::Orbit => Self::Orbit,
        }
    }
}

impl From<DestinationSpec> for Destination {
    fn from(spec: DestinationSpec) -> Self {
        match spec {
            DestinationSpec::Mixed => Self::Mixed,
            DestinationSpec::Edge => Self::Edge,
            DestinationSpec::Corner => Self::Corner,
        }
    }
}

impl From<DriveSpec> for Drive {
    fn from(spec: DriveSpec) -> Self {
        match spec {
            DriveSpec::Point => Self::Point,
            DriveSpec::Differential | DriveSpec::Cube => Self::Differential,
        }
    }
}

impl From<NoiseSpec> for NoiseMode {
    fn from(spec: NoiseSpec) -> Self {
        match spec {
            NoiseSpec::Coloured => Self::Coloured,
            NoiseSpec::White => Self::White,
            NoiseSpec::Boltzmann => Self::Boltzmann,
        }
    }
}

impl From<FilterSpec> for FilterKind {
    fn from(spec: FilterSpec) -> Self {
        match spec {
            FilterSpec::Joint => Self::Joint,
            FilterSpec::Penalty => Self::Penalty,
            FilterSpec::Orca => Self::Orca,
            FilterSpec::None => Self::None,
        }
    }
}

impl MatScenario {
    /// The mat, mm.
    #[must_use]
    pub fn mat_rect(&self) -> Rect {
        Rect::from_size(self.mat.width_mm, self.mat.height_mm)
    }

    /// What the scenario says of feet.
    #[must_use]
    pub fn feet_params(&self) -> FeetParams {
        let feet = &self.feet;
        FeetParams {
            count: feet.count as usize,
            travel: feet.travel.into(),
            core_inset_mm: feet.core_inset_mm,
            manner: feet.manner.into(),
            gait: feet.gait.into(),
            destination: feet.destination.into(),
            idle_s: feet.idle_s,
            idle_radius_mm: feet.idle_radius_mm,
            idle_speed_max_mm_s: feet.idle_speed_max_mm_s,
            acceleration_s: feet.acceleration_s,
            speed_mm_s: feet.speed_mm_s,
            roam_s: feet.roam_s,
            orbit_radius_mm: feet.orbit_radius_mm,
            orbit_speed_mm_s: feet.orbit_speed_mm_s,
            noise_std_mm_s: feet.noise_std_mm_s,
            speed_slack_mm_s: feet.speed_slack_mm_s,
            estimation_noise_mm: feet.estimation_noise_mm,
            home_mm: feet.home_mm.iter().map(|home| DVec2::from(*home)).collect(),
        }
    }

    /// What the scenario says of patches.
    #[must_use]
    pub fn patches_params(&self) -> PatchesParams {
        let patches = &self.patches;
        PatchesParams {
            count: patches.count as usize,
            radius_mm: patches.radius_mm,
            peak: patches.peak,
            speed_mm_s: patches.speed_mm_s,
            lifetime_s: patches.lifetime_s,
            fade_s: patches.fade_s,
        }
    }

    /// What the scenario says of the field.
    #[must_use]
    pub fn field_params(&self) -> FieldParams {
        let field = &self.field;
        FieldParams {
            lambda_rho: field.lambda_rho,
            beta_per_s: field.beta_per_s,
            window_s: field.window_s,
            cell_mm: field.cell_mm,
            sigma_mm: field.sigma_mm,
            stretch_s: field.stretch_s,
        }
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
            ..MeasureModel::new(swarm, self.agents.count as usize, self.feet.count as usize)
        }
    }

    /// What a robot's drive can do.
    #[must_use]
    pub fn drive_limits(&self) -> Limits {
        let limits = &self.limits;
        Limits {
            v_max_mm_s: limits.v_max_mm_s,
            a_max_mm_s2: limits.a_max_mm_s2,
            omega_max_rad_s: limits.omega_max_rad_s,
        }
    }

    /// What the scenario says of the robots' wishes.
    #[must_use]
    pub fn wish_params(&self) -> WishParams {
        let agents = &self.agents;
        WishParams {
            alpha: agents.alpha,
            sigma_v: agents.sigma_v,
            noise: agents.noise.into(),
            correlation_s: agents.noise_correlation_s,
            temperature: agents.temperature,
        }
    }

    /// Where the scenario sends robots, if anywhere.
    #[must_use]
    pub fn goals_params(&self) -> Option<GoalsParams> {
        self.agents.goals.as_ref().map(|goals| GoalsParams {
            sites_mm: goals.sites_mm.iter().map(|site| DVec2::from(*site)).collect(),
            every_s: goals.every_s,
            gain_per_s: goals.gain_per_s,
        })
    }

    /// The feet's model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn feet_model(&self) -> Result<FeetModel, ParamError> {
        FeetModel::new(self.feet_params(), self.mat_rect(), self.field.window_s, self.step_hz)
    }

    /// The patches' model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn patches_model(&self) -> Result<PatchesModel, ParamError> {
        PatchesModel::new(self.patches_params(), self.mat_rect(), self.step_hz)
    }

    /// The field's model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn field_model(&self) -> Result<FieldModel, ParamError> {
        FieldModel::new(self.field_params(), self.mat_rect())
    }

    /// The robots' model.
    ///
    /// # Errors
    /// If the parameters do not go together.
    pub fn swarm_model(&self) -> Result<SwarmModel, ParamError> {
        let drive = self.agents.drive.into();
        let swarm = SwarmModel::new(self.mat_rect(), self.clearances(), self.drive_limits(), drive, self.step_hz)?;
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
        FilterModel::new(swarm, self.safety.filter.into(), feet)
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
