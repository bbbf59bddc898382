//! From the words of the script to what hands do.

use sim_core::{DVec3, Tick, angle};
use toio_mat::PlanePose;
use toio_physics::{HandAction, geometry};

use super::params_cubes::axle_m;
use super::spec_script::{DragSpec, HandSpec, PlaceSpec, PushSpec, ShakeSpec, SideSpec, TapSpec};
use crate::world::cubes::HandDoes;

impl HandSpec {
    /// Everything that is to be done, by its word: one thing, if the file is right. A press lasts until a step counted from its own
    /// beginning.
    pub(super) fn actions(&self, step_hz: u32) -> Vec<(&'static str, HandDoes)> {
        let lift =
            self.lift.map(|lift| HandAction::Lift { height_m: lift.height_mm / 1000.0, duration_s: lift.duration_s });
        let tilt = self.tilt.map(|tilt| HandAction::Tilt {
            roll_rad: tilt.roll_deg.to_radians(),
            pitch_rad: tilt.pitch_deg.to_radians(),
            duration_s: tilt.duration_s,
        });
        let turn = self
            .turn
            .map(|turn| HandAction::Turn { angle_rad: turn.angle_deg.to_radians(), duration_s: turn.duration_s });
        let moves = [
            ("lift", lift),
            ("place", self.place.as_ref().map(place)),
            ("drag", self.drag.as_ref().map(drag)),
            ("tilt", tilt),
            ("turn", turn),
            ("push", self.push.as_ref().map(push)),
            ("shake", self.shake.as_ref().map(shake)),
            ("tap", self.tap.as_ref().map(tap)),
            ("release", self.release.map(|_| HandAction::Release {})),
        ];
        let steps = |duration_s: f64| Tick(((duration_s * f64::from(step_hz)).round() as u64).max(1));
        let press = self.press.map(|press| ("press", HandDoes::PressUntil(steps(press.duration_s))));
        let moves = moves.into_iter().filter_map(|(word, action)| action.map(|action| (word, HandDoes::Move(action))));
        let power_on = self.power_on.map(|_| ("power_on", HandDoes::SwitchOn));
        moves.chain(press).chain(power_on).collect()
    }
}

fn place(spec: &PlaceSpec) -> HandAction {
    let pose = PlanePose::new(spec.x_mm, spec.y_mm, spec.heading_deg.to_radians());
    HandAction::Place {
        axle_m: axle_m(pose),
        heading_rad: pose.heading_rad,
        height_m: spec.height_mm / 1000.0,
        duration_s: spec.duration_s,
    }
}

fn drag(spec: &DragSpec) -> HandAction {
    let pose = PlanePose::new(spec.x_mm, spec.y_mm, spec.heading_deg.to_radians());
    HandAction::Drag { axle_m: axle_m(pose), heading_rad: pose.heading_rad, height_m: spec.height_mm / 1000.0 }
}

/// Level, through the middle of the body.
fn push(spec: &PushSpec) -> HandAction {
    let direction = angle::unit(spec.direction_deg.to_radians());
    // The plane's y runs against the world's.
    let force_n = DVec3::new(direction.x, -direction.y, 0.0) * spec.force_n;
    HandAction::Push { force_n, at_m: DVec3::ZERO, duration_s: spec.duration_s }
}

fn shake(spec: &ShakeSpec) -> HandAction {
    let [x, y, up] = spec.direction;
    HandAction::Shake {
        direction: DVec3::new(x, -y, up),
        amplitude_m: spec.amplitude_mm / 1000.0,
        frequency_hz: spec.frequency_hz,
        duration_s: spec.duration_s,
    }
}

/// From outside against the middle of the side.
fn tap(spec: &TapSpec) -> HandAction {
    let half_m = geometry::FOOTPRINT_M / 2.0;
    let at_m = match spec.side {
        SideSpec::Top => geometry::TOP,
        SideSpec::Front => DVec3::new(half_m, 0.0, 0.0),
        SideSpec::Rear => DVec3::new(-half_m, 0.0, 0.0),
        SideSpec::Left => DVec3::new(0.0, -half_m, 0.0),
        SideSpec::Right => DVec3::new(0.0, half_m, 0.0),
    };
    HandAction::Tap { impulse_n_s: at_m.normalize() * (-spec.impulse_mn_s / 1000.0), at_m }
}
