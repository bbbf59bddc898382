//! Goals: sites for robots, each robot to a site of its own, with the smallest sum of distances (spec 1.4); or a script that gives each
//! robot its goals in time.
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

/// Places that robots are sent to: sites for all, each robot to one of them, so that the sum of the ways is least; or a script.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalsParams {
    /// The sites, [x, y] each.
    pub sites_mm: Vec<[f64; 2]>,
    /// Time from one assignment of the sites to the next.
    pub every_s: f64,
    /// Pull towards the place: speed gained per distance left.
    pub gain_per_s: f64,
    /// Distance from its goal within which a robot has arrived.
    pub arrival_mm: f64,
    /// Goals that change in time, in any order; not beside sites.
    pub script: Vec<ScriptedGoal>,
}

/// From a tick on, a robot is sent to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScriptedGoal {
    /// The first tick in which the robot knows it.
    pub tick: Tick,
    /// The robot.
    pub robot: usize,
    /// The place, mm; none if it has no goal from then on.
    pub site_mm: Option<DVec2>,
}

/// Ranges of the parameters, smallest and largest.
impl GoalsParams {
    /// Of the time between two assignments.
    pub const EVERY_S: [f64; 2] = [0.1, 3600.0];
    /// Of the pull.
    pub const GAIN_PER_S: [f64; 2] = [0.0, 100.0];
    /// Of the distance of an arrival.
    pub const ARRIVAL_MM: [f64; 2] = [0.1, 1000.0];
}

impl Default for GoalsParams {
    fn default() -> Self {
        Self { sites_mm: Vec::new(), every_s: 3.0, gain_per_s: 1.0, arrival_mm: 10.0, script: Vec::new() }
    }
}

/// Checked parameters. Fixed for a run.
#[derive(Clone, Debug)]
pub struct GoalsModel {
    sites_mm: Vec<DVec2>,
    period: u64,
    gain_per_s: f64,
    arrival_mm: f64,
    /// In order of time.
    script: Vec<ScriptedGoal>,
}

impl GoalsModel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If there is no place, one lies where no robot may be, sites and a script are given, or a number is out of range.
    pub fn new(params: GoalsParams, swarm: &SwarmModel) -> Result<Self, ParamError> {
        ParamError::check_within("every_s", params.every_s, GoalsParams::EVERY_S)?;
        ParamError::check_within("gain_per_s", params.gain_per_s, GoalsParams::GAIN_PER_S)?;
        ParamError::check_within("arrival_mm", params.arrival_mm, GoalsParams::ARRIVAL_MM)?;
        let mut script = params.script;
        if params.sites_mm.is_empty() && script.is_empty() {
            return Err(ParamError::new("sites_mm", "is empty, and so is script: name at least one place"));
        }
        if !params.sites_mm.is_empty() && !script.is_empty() {
            return Err(ParamError::new("script", "stands beside sites_mm: choose one of them"));
        }
        let sites_mm: Vec<DVec2> = params.sites_mm.into_iter().map(DVec2::from).collect();
        check_places("sites_mm", sites_mm.iter().copied(), swarm)?;
        check_places("script", script.iter().filter_map(|goal| goal.site_mm), swarm)?;
        script.sort_by_key(|goal| (goal.tick, goal.robot));
        let period = ((params.every_s * f64::from(swarm.step_hz)).round() as u64).max(1);
        Ok(Self { sites_mm, period, gain_per_s: params.gain_per_s, arrival_mm: params.arrival_mm, script })
    }

    /// The sites, mm; none where there is a script.
    #[must_use]
    pub fn sites_mm(&self) -> &[DVec2] {
        &self.sites_mm
    }

    /// True if goals change by a script.
    #[must_use]
    pub fn has_script(&self) -> bool {
        !self.script.is_empty()
    }
}

fn check_places(
    field: &'static str,
    mut places_mm: impl Iterator<Item = DVec2>,
    swarm: &SwarmModel,
) -> Result<(), ParamError> {
    match places_mm.find(|&place| !swarm.bounds.contains(place)) {
        None => Ok(()),
        Some(place) => Err(ParamError::new(field, format!("holds ({}, {}), where no robot may be", place.x, place.y))),
    }
}

/// Goal of each robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Goals {
    site_mm: Vec<Option<DVec2>>,
    gain_per_s: f64,
    arrival_mm: f64,
    matched: bool,
    /// Rows of the script that were followed.
    followed: usize,
    /// Number of places that the script gave each robot.
    given: Vec<u32>,
}

impl Goals {
    /// Goals before the first matching, and before the script: no robot has a goal.
    #[must_use]
    pub fn new(model: &GoalsModel, robots: usize) -> Self {
        let GoalsModel { gain_per_s, arrival_mm, .. } = *model;
        let (site_mm, given) = (vec![None; robots], vec![0; robots]);
        Self { site_mm, gain_per_s, arrival_mm, matched: false, followed: 0, given }
    }

    /// Matches robots and sites when it is due, for the first time in the first tick; or gives the goals of the script that are due.
    pub fn advance(&mut self, model: &GoalsModel, agents: &Agents, tick: Tick) {
        if model.has_script() {
            self.follow(model, tick);
        } else if !self.matched || tick.is_due(model.period, 0) {
            self.matched = true;
            self.assign(model, agents);
        }
    }

    fn follow(&mut self, model: &GoalsModel, tick: Tick) {
        while let Some(goal) = model.script.get(self.followed).filter(|goal| goal.tick <= tick) {
            if let (Some(site_mm), Some(given)) = (self.site_mm.get_mut(goal.robot), self.given.get_mut(goal.robot)) {
                *site_mm = goal.site_mm;
                *given += u32::from(goal.site_mm.is_some());
            }
            self.followed += 1;
        }
    }

    /// Number of places that the script gave robot `i` so far.
    #[must_use]
    pub fn number(&self, i: usize) -> usize {
        self.given.get(i).map_or(0, |&given| given as usize)
    }

    /// Goal of robot `i`, mm; none if it has none.
    #[must_use]
    pub fn site_mm(&self, i: usize) -> Option<DVec2> {
        self.site_mm.get(i).copied().flatten()
    }

    /// Distance from its goal within which a robot has arrived, mm.
    #[must_use]
    pub fn arrival_mm(&self) -> f64 {
        self.arrival_mm
    }

    /// Pull of robot `i`'s goal at `p_mm`, mm/s; zero without a goal.
    #[must_use]
    pub fn pull_mm_s(&self, i: usize, p_mm: DVec2) -> DVec2 {
        self.site_mm(i).map_or(DVec2::ZERO, |site| (site - p_mm) * self.gain_per_s)
    }

    /// Adds the goals to a state hash. How far the script was followed is a function of the tick.
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
