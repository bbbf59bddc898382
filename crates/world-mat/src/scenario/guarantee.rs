//! What the simulator guarantees about the distances under a scenario's settings.

use super::measured::{self, Rate};
use super::spec::{DriveSpec, MatScenario};
use sim_input::schema::split_unit;
use sim_world::Guarantee;
use swarm_agents::filter::FilterKind;
use swarm_field::{Gait, Manner, Travel};

/// How sure it is that no distance is ever broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SafetyGuarantee {
    /// Never, whatever happens: the certificate is a proof, since no foot moves on before its way is clear.
    Proven,
    /// Never as long as no body is farther off its decided motion than declared, which is measured in every run: cubes.
    Bounded,
    /// Never in the runs that were measured; there is no proof, since feet do not wait.
    Measured(Rate),
    /// At the rate that was measured, if one was: no controller can promise zero, or ours has not shown it.
    BestEffort(Option<Rate>),
    /// Seldom, if at all: the path of a foot that follows points from outside is not known ahead, which the certificate needs.
    FeetFromOutside,
    /// Nothing: another filter may take over.
    FilterFromOutside,
    /// Nothing: a baseline, for comparison.
    Nothing,
    /// Nothing, since there is no swarm.
    NoSwarm,
}

impl SafetyGuarantee {
    /// The same for runs in which filters, feet or wishes come from outside. A proof holds for any wish and for robots that are put
    /// elsewhere; what was measured holds for robots that follow their own.
    pub(crate) fn with_inputs(self, filters: bool, feet: bool, wishes: bool) -> Self {
        match self {
            Self::NoSwarm => self,
            _ if filters => Self::FilterFromOutside,
            Self::Nothing => self,
            _ if feet => Self::FeetFromOutside,
            Self::Measured(_) | Self::BestEffort(_) if wishes => Self::BestEffort(None),
            _ => self,
        }
    }

    /// The same in the words of any world.
    pub(crate) fn in_words(self) -> Guarantee {
        let (level, text) = match self {
            Self::Proven => ("proven", "no distance is ever broken (proven: feet wait when they must)".to_owned()),
            Self::Bounded => (
                "bounded",
                "no distance is broken while cubes keep to agents.cube.tracking_mm (proven from there: feet wait when \
                 they must)"
                    .to_owned(),
            ),
            Self::Measured(rate) => ("measured", format!("no distance is broken: {rate}")),
            Self::BestEffort(Some(rate)) => ("best_effort", format!("distances are seldom broken: {rate}")),
            Self::BestEffort(None) => (
                "best_effort",
                "nothing about distances: these settings were not measured, and feet never wait (run with --runs 100 \
                 --no-trace to know)"
                    .to_owned(),
            ),
            Self::FeetFromOutside => (
                "best_effort",
                "distances are seldom broken (no promise: it does not cover feet from outside)".to_owned(),
            ),
            Self::FilterFromOutside => {
                ("nothing", "nothing about distances (no promise covers filters from outside)".to_owned())
            }
            Self::Nothing => ("nothing", "distances will be broken (a baseline, for comparison)".to_owned()),
            Self::NoSwarm => ("no_swarm", "nothing about distances (there is no swarm)".to_owned()),
        };
        Guarantee { level, text }
    }
}

impl MatScenario {
    /// What is promised about the distances.
    #[must_use]
    pub fn guarantee(&self) -> SafetyGuarantee {
        if self.agents.count == 0 {
            return SafetyGuarantee::NoSwarm;
        }
        if !self.feet.recording.is_empty() && self.safety.filter == FilterKind::Joint {
            return SafetyGuarantee::FeetFromOutside;
        }
        let considerate = self.feet.manner == Manner::Considerate;
        let joint = self.safety.filter == FilterKind::Joint;
        if considerate || (joint && self.feet.count == 0) {
            let cube = &self.agents.cube;
            return match self.agents.drive {
                DriveSpec::Cube if cube.margin_mm.is_some_and(|margin| margin < cube.tracking_mm) => {
                    SafetyGuarantee::BestEffort(None)
                }
                DriveSpec::Cube => SafetyGuarantee::Bounded,
                DriveSpec::Point | DriveSpec::Differential => SafetyGuarantee::Proven,
            };
        }
        if !joint {
            return SafetyGuarantee::Nothing;
        }
        // A rate is no promise where feet come near an edge or never rest, or where bodies stray: there a robot can be cornered.
        let is_open = self.feet.travel == Travel::Core && self.feet.gait == Gait::Walk;
        match measured::rate(self) {
            Some(rate) if rate.is_promised() && is_open && self.agents.drive != DriveSpec::Cube => {
                SafetyGuarantee::Measured(rate)
            }
            rate => SafetyGuarantee::BestEffort(rate),
        }
    }
}

/// A setting that is harder than all that was measured with stubborn feet in the core.
pub(super) struct Unmeasured {
    /// Its key.
    pub path: &'static str,
    /// What is said about it.
    pub message: String,
}

/// Settings of `scenario` that are harder than those of the measured zero (`swarm-30`, the spec's own numbers).
pub(super) fn unmeasured(scenario: &MatScenario) -> Vec<Unmeasured> {
    let MatScenario { mat, feet, safety, limits, .. } = scenario;
    let (pace_key, pace_mm_s) = match feet.gait {
        Gait::Walk => ("feet.speed_mm_s", feet.speed_mm_s[1]),
        Gait::Orbit => ("feet.orbit_speed_mm_s", feet.orbit_speed_mm_s),
    };
    // A robot of point drive moves in any direction, wherever it points.
    let turning = if scenario.agents.drive == DriveSpec::Point { f64::INFINITY } else { limits.omega_max_rad_s };
    let at_least = [
        ("mat.width_mm", mat.width_mm, 400.0),
        ("mat.height_mm", mat.height_mm, 400.0),
        ("field.window_s", scenario.field.window_s, 0.6),
        ("limits.v_max_mm_s", limits.v_max_mm_s, 252.0),
        ("limits.a_max_mm_s2", limits.a_max_mm_s2, 3000.0),
        ("limits.omega_max_rad_s", turning, 12.0),
    ];
    let at_most = [
        ("step_hz", f64::from(scenario.step_hz), 120.0),
        ("safety.d_h_mm", safety.d_h_mm, 100.0),
        ("safety.d_r_mm", safety.d_r_mm, 60.0),
        ("safety.wall_margin_mm", safety.wall_margin_mm, 16.0),
        (pace_key, pace_mm_s, 200.0),
        ("feet.noise_std_mm_s", feet.noise_std_mm_s, 5.0),
        ("feet.estimation_noise_mm", feet.estimation_noise_mm, 5.0),
    ];
    let low = at_least.into_iter().filter(|(_, value, bound)| value < bound).map(|found| (found, "from"));
    let high = at_most.into_iter().filter(|(_, value, bound)| value > bound).map(|found| (found, "up to"));
    low.chain(high)
        .map(|((path, value, bound), side)| Unmeasured { path, message: said(path, value, side, bound) })
        .collect()
}

fn said(path: &str, value: f64, side: &str, bound: f64) -> String {
    let unit = split_unit(path).1.unwrap_or_default();
    format!("is {value}, but zero violations were measured {side} {bound} {unit}: no promise here")
}
