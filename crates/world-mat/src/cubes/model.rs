//! What is fixed about the cubes of a run.

use super::charger::Charger;
use crate::events::EventObject;
use sim_core::{DVec2, Rect, Tick};
use swarm_field::Ring;
use toio_cube_sim::CubeParams;
use toio_cube_sim::att::Request;
use toio_cube_sim::micros::Micros;
use toio_cube_sim::radio::RadioParams;
use toio_mat::{CenterPoint, Ground};
use toio_physics::{CubeStart, Footprint, HandAction, PhysicsModel, PlacedMagnet};

/// Everything about the cubes of a run that does not change while it goes on.
#[derive(Clone, Debug)]
pub struct CubesModel {
    /// Bodies, ground and what stands on it: the walls of the scenario, a rim if there is one, the blocks of the chargers.
    pub physics: PhysicsModel,
    /// What each of its walls is.
    pub standing: Vec<EventObject>,
    /// The obstacles, of which bodies know the edges alone.
    pub obstacles: Vec<Ring>,
    /// The chargers.
    pub chargers: Vec<Charger>,
    /// What is printed where at the start.
    pub ground: Ground,
    /// The plane of the scenario with all walls on it. A cube outside of it and off all mats has left.
    pub extent_mm: Rect,
    /// The cubes, by their numbers.
    pub cubes: Vec<CubeModel>,
    /// Magnets at the start.
    pub magnets: Vec<PlacedMagnet>,
    /// What hands do, by time.
    pub script: Vec<Hand>,
}

impl CubesModel {
    /// True if a cube whose body's middle is there is off all mats of `ground`, off the plane and beyond all walls of the start.
    #[must_use]
    pub fn is_outside(&self, ground: &Ground, place_mm: DVec2) -> bool {
        !self.extent_mm.contains(place_mm) && !ground.contains_mm(place_mm)
    }

    /// The obstacle at a place, mm.
    #[must_use]
    pub fn obstacle_at(&self, place_mm: DVec2) -> Option<EventObject> {
        let number = self.obstacles.iter().position(|ring| ring.contains(place_mm))?;
        Some(EventObject::Obstacle(number as u32))
    }

    /// The same action, but what ends over a charger ends on top of it.
    #[must_use]
    pub fn over_chargers(&self, action: HandAction) -> HandAction {
        let lift = |axle_m, heading_rad, height_m: f64| {
            let cube = Footprint::from_axle(axle_m, heading_rad);
            let is_over = self.chargers.iter().any(|charger| charger.is_under(&cube));
            if is_over { height_m.max(Charger::ground_m()) } else { height_m }
        };
        match action {
            HandAction::Place { axle_m, heading_rad, height_m, duration_s } => {
                let height_m = lift(axle_m, heading_rad, height_m);
                HandAction::Place { axle_m, heading_rad, height_m, duration_s }
            }
            HandAction::Drag { axle_m, heading_rad, height_m } => {
                HandAction::Drag { axle_m, heading_rad, height_m: lift(axle_m, heading_rad, height_m) }
            }
            action => action,
        }
    }

    /// The moment of a step, as firmware and radio count it.
    #[must_use]
    pub fn moment(&self, tick: Tick) -> Micros {
        Micros::from_tick(tick, self.physics.params().step_hz)
    }
}

/// One cube.
#[derive(Clone, Debug)]
pub struct CubeModel {
    /// What the scenario calls it.
    pub name: String,
    /// Where it stands at the start, and its motors.
    pub start: CubeStart,
    /// Its firmware; seed and run are those of the run, not of these parameters.
    pub firmware: CubeParams,
    /// Its radio; none: a perfect link.
    pub radio: Option<RadioParams>,
    /// Which point its position readings call the centre.
    pub center: CenterPoint,
    /// Whether its client is connected from the start.
    pub is_connected: bool,
    /// Whether its client subscribes to all notifications as it connects.
    pub subscribes: bool,
    /// Its wheels stop without lag when no client is connected or the button is held, as in the Unity simulator.
    pub stops_at_once: bool,
    /// What its client does, by time.
    pub program: Vec<ProgramStep>,
}

/// One thing that a client does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramStep {
    /// When.
    pub tick: Tick,
    /// What.
    pub act: ClientAct,
}

/// What a client can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientAct {
    /// Write, read, or begin or end notifications.
    Ask(Request),
    /// Connect.
    Connect,
    /// Go.
    Disconnect,
}

/// One thing that a hand does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    /// The step that ends when it begins: 0 is the start.
    pub tick: Tick,
    /// The cube, by its number.
    pub cube: usize,
    /// Its word, as the scenario has it.
    pub word: &'static str,
    /// What.
    pub does: HandDoes,
}

/// What a hand can do to a cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandDoes {
    /// Something to the body.
    Move(HandAction),
    /// Hold the button down until this step.
    PressUntil(Tick),
    /// Let go of the button.
    ReleaseButton,
    /// Press the switch of a cube that is off.
    SwitchOn,
    /// Press the switch of a cube that is on.
    SwitchOff,
    /// Take it off the mat, and switch it off.
    TakeAway,
    /// Bring it back, and switch it on.
    Bring {
        /// Where the middle of its body goes; none: where it stood when it was taken away, or its start place.
        place_mm: Option<DVec2>,
        /// Heading, likewise.
        heading_rad: Option<f64>,
    },
}
