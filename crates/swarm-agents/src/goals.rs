//! Goals: sites for robots, each robot to a site of its own, with the smallest sum of distances (spec 1.4).
//!
//! Every few seconds robots and sites are matched by the Hungarian method (`pathfinding::kuhn_munkres_min`) on the
//! straight distances in whole micrometres. Whole numbers make the result the same on every machine. With more robots
//! than sites the rest has no goal; with more sites than robots some sites stay empty. Among matchings of equal length
//! the solver's fixed order of ids decides.
//!
//! The pull of a goal is `gain (site - p)`, in mm/s for a gain in 1/s, added to the pull of the field.
//!
//! Where it stops being true: distances are straight and ignore feet and other robots. The matching takes time
//! proportional to the smaller count squared times the larger one, and allocates. So it runs with a period of its own,
//! not in every step.

use crate::{Agents, SwarmModel};
use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;
use sim_core::{DVec2, ParamError, StateHash, Tick};

/// Micrometres in a millimetre.
const UM_PER_MM: f64 = 1000.0;

/// Places that robots are sent to, each robot to one of them, so that the sum of the ways is least.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct GoalsParams {
    /// The places, [x, y] each.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 1000), inner(inner(range(min = 0, max = 100_000)))))]
    pub sites_mm: Vec<[f64; 2]>,
    /// Time from one assignment to the next.
    #[cfg_attr(feature = "schema", serde(default = "default_every_s"))]
    #[cfg_attr(feature = "schema", schemars(range(min = Self::EVERY_S[0], max = Self::EVERY_S[1])))]
    pub every_s: f64,
    /// Pull towards the place: speed gained per distance left.
    #[cfg_attr(feature = "schema", serde(default = "default_gain_per_s"))]
    #[cfg_attr(feature = "schema", schemars(range(min = Self::GAIN_PER_S[0], max = Self::GAIN_PER_S[1])))]
    pub gain_per_s: f64,
}

/// Ranges of the parameters, smallest and largest.
impl GoalsParams {
    const EVERY_S: [f64; 2] = [0.1, 3600.0];
    const GAIN_PER_S: [f64; 2] = [0.0, 100.0];
}

#[cfg(feature = "schema")]
fn default_every_s() -> f64 {
    3.0
}

#[cfg(feature = "schema")]
fn default_gain_per_s() -> f64 {
    1.0
}

/// Checked parameters. Fixed for a run.
#[derive(Clone, Debug)]
pub struct GoalsModel {
    sites_mm: Vec<DVec2>,
    period: u64,
    gain_per_s: f64,
}

impl GoalsModel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If there is no site, one lies where no robot may be, or a number is out of range.
    pub fn new(params: GoalsParams, swarm: &SwarmModel) -> Result<Self, ParamError> {
        ParamError::check_within("every_s", params.every_s, GoalsParams::EVERY_S)?;
        ParamError::check_within("gain_per_s", params.gain_per_s, GoalsParams::GAIN_PER_S)?;
        if params.sites_mm.is_empty() {
            return Err(ParamError::new("sites_mm", "is empty, must name at least one place"));
        }
        let sites_mm: Vec<DVec2> = params.sites_mm.into_iter().map(DVec2::from).collect();
        if let Some(site) = sites_mm.iter().find(|&&site| !swarm.bounds.contains(site)) {
            let message = format!("holds ({}, {}), where no robot may be", site.x, site.y);
            return Err(ParamError::new("sites_mm", message));
        }
        let period = ((params.every_s * f64::from(swarm.step_hz)).round() as u64).max(1);
        Ok(Self { sites_mm, period, gain_per_s: params.gain_per_s })
    }

    /// The sites, mm.
    #[must_use]
    pub fn sites_mm(&self) -> &[DVec2] {
        &self.sites_mm
    }
}

/// Site of each robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Goals {
    site_mm: Vec<Option<DVec2>>,
    gain_per_s: f64,
    matched: bool,
}

impl Goals {
    /// Goals before the first matching: no robot has a site.
    #[must_use]
    pub fn new(model: &GoalsModel, robots: usize) -> Self {
        Self { site_mm: vec![None; robots], gain_per_s: model.gain_per_s, matched: false }
    }

    /// Matches robots and sites when it is due, for the first time in the first tick.
    pub fn advance(&mut self, model: &GoalsModel, agents: &Agents, tick: Tick) {
        if !self.matched || tick.is_due(model.period, 0) {
            self.matched = true;
            self.assign(model, agents);
        }
    }

    /// Site of robot `i`, mm; none if it has no goal.
    #[must_use]
    pub fn site_mm(&self, i: usize) -> Option<DVec2> {
        self.site_mm.get(i).copied().flatten()
    }

    /// Pull of robot `i`'s goal at `p_mm`, mm/s; zero without a goal.
    #[must_use]
    pub fn pull_mm_s(&self, i: usize, p_mm: DVec2) -> DVec2 {
        self.site_mm(i).map_or(DVec2::ZERO, |site| (site - p_mm) * self.gain_per_s)
    }

    /// Adds the matching to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(u64::from(self.matched));
        for site in &self.site_mm {
            hash.u64(u64::from(site.is_some()));
            hash.vec2(site.unwrap_or(DVec2::ZERO));
        }
    }

    fn assign(&mut self, model: &GoalsModel, agents: &Agents) {
        let (robots, sites) = (&agents.position_mm, &model.sites_mm);
        self.site_mm.clear();
        self.site_mm.resize(robots.len(), None);
        // The solver accepts no more rows than columns.
        if robots.len() <= sites.len() {
            for (robot, &site) in nearest_matching(robots, sites).iter().enumerate() {
                self.site_mm[robot] = Some(sites[site]);
            }
        } else {
            for (site, &robot) in nearest_matching(sites, robots).iter().enumerate() {
                self.site_mm[robot] = Some(sites[site]);
            }
        }
    }
}

/// For each place of the shorter list its partner in the longer one, with the smallest sum of distances.
fn nearest_matching(shorter_mm: &[DVec2], longer_mm: &[DVec2]) -> Vec<usize> {
    if shorter_mm.is_empty() {
        return Vec::new();
    }
    let distance_um = |(a, b): (usize, usize)| (shorter_mm[a].distance(longer_mm[b]) * UM_PER_MM).round() as i64;
    kuhn_munkres_min(&Matrix::from_fn(shorter_mm.len(), longer_mm.len(), distance_um)).1
}
