//! What this crate draws for. The numbers are part of every result.

use sim_core::Purpose;

/// Start places of robots.
pub const PLACEMENT: Purpose = Purpose::new(6);
/// Fluctuation of a robot's wish.
pub const WISH_NOISE: Purpose = Purpose::new(7);
/// Choice among directions in the Boltzmann mode.
pub const WISH_BOLTZMANN: Purpose = Purpose::new(8);
/// Small jitter on the wish of a robot that another one holds back.
pub const FILTER_JITTER: Purpose = Purpose::new(9);
/// Velocities of the adversary that tests the certificate.
pub const ADVERSARY: Purpose = Purpose::new(10);
/// Goal sites that a scenario leaves to chance.
pub const GOAL_SITES: Purpose = Purpose::new(11);
/// Ways in which a robot's band is restarted. Owner: robot. Tick: tick and attempt at its plan.
pub const PLAN_ATTEMPT: Purpose = Purpose::new(25);
/// Steps aside of a robot that another one holds back. Owner: robot. Tick: third of a second.
pub const STEP_ASIDE: Purpose = Purpose::new(34);

/// All of them.
pub const ALL: [Purpose; 8] =
    [PLACEMENT, WISH_NOISE, WISH_BOLTZMANN, FILTER_JITTER, ADVERSARY, GOAL_SITES, PLAN_ATTEMPT, STEP_ASIDE];
