//! From the words of the script to what hands do.

use sim_core::{DVec2, DVec3, Tick, angle};
use toio_mat::PlanePose;
use toio_physics::{HandAction, geometry};

use super::params_cubes::axle_m;
use super::spec_commands::NothingSpec;
use super::spec_script::{
    BringSpec, DragSpec, HandSpec, LiftSpec, PlaceSpec, PressSpec, PullSpec, PushSpec, ShakeSpec, SideSpec, TapSpec,
    TiltSpec, TurnHandSpec, a_second, along_x, half_a_second,
};
use crate::cubes::HandDoes;

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
            ("pull", self.pull.as_ref().map(pull)),
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
        let others = [
            press,
            self.button_down.map(|_| ("button_down", HandDoes::PressUntil(Tick(u64::MAX)))),
            self.button_up.map(|_| ("button_up", HandDoes::ReleaseButton)),
            self.power_on.map(|_| ("power_on", HandDoes::SwitchOn)),
            self.power_off.map(|_| ("power_off", HandDoes::SwitchOff)),
            self.take_away.map(|_| ("take_away", HandDoes::TakeAway)),
            self.bring.as_ref().map(|spec| ("bring", bring(spec))),
        ];
        moves.chain(others.into_iter().flatten()).collect()
    }
}

/// Column of a row of the input stream `hands`, and what is wrong with it.
type CellFault = (&'static str, String);

const WORDS: &str = "must be lift, place, drag, pull, tilt, turn, push, shake, tap, press, button_down, button_up, \
                     power_on, power_off, take_away, bring or release";

/// Why cubes that are robots are not taken away, in words that follow what was asked.
pub(crate) const STAYING: &str = "cubes that the swarm drives stay on the mat";

impl HandSpec {
    /// The same from the cells of a row of the input stream `hands`, whose columns have the names of the script's keys.
    ///
    /// # Errors
    /// A word that is not known, or a cell that is missing for it.
    pub(crate) fn from_cells(
        does: Option<&str>,
        side: Option<&str>,
        number: impl Fn(&str) -> Option<f64>,
    ) -> Result<Self, CellFault> {
        let does = does.ok_or_else(|| ("does", WORDS.to_owned()))?;
        let needed = |column: &'static str| number(column).ok_or_else(|| (column, format!("is missing for {does}")));
        let lasts = |usual_s: f64| number("duration_s").unwrap_or(usual_s);
        let or_zero = |column: &str| number(column).unwrap_or(0.0);
        let mut hand = Self::default();
        match does {
            "lift" => {
                hand.lift = Some(LiftSpec { height_mm: needed("height_mm")?, duration_s: lasts(half_a_second()) })
            }
            "place" => {
                let (x_mm, y_mm) = (needed("x_mm")?, needed("y_mm")?);
                let (heading_deg, height_mm) = (or_zero("angle_deg"), or_zero("height_mm"));
                hand.place = Some(PlaceSpec { x_mm, y_mm, heading_deg, height_mm, duration_s: lasts(a_second()) });
            }
            "drag" => {
                let (x_mm, y_mm) = (needed("x_mm")?, needed("y_mm")?);
                let (heading_deg, height_mm) = (or_zero("angle_deg"), or_zero("height_mm"));
                hand.drag = Some(DragSpec { x_mm, y_mm, heading_deg, height_mm });
            }
            "pull" => {
                let (x_mm, y_mm) = (needed("x_mm")?, needed("y_mm")?);
                hand.pull = Some(PullSpec { x_mm, y_mm, ahead_mm: or_zero("ahead_mm"), right_mm: or_zero("right_mm") });
            }
            "tilt" => {
                let (roll_deg, pitch_deg) = (or_zero("roll_deg"), or_zero("pitch_deg"));
                hand.tilt = Some(TiltSpec { roll_deg, pitch_deg, duration_s: lasts(half_a_second()) });
            }
            "turn" => {
                hand.turn = Some(TurnHandSpec { angle_deg: needed("angle_deg")?, duration_s: lasts(half_a_second()) })
            }
            "push" => {
                let (force_n, direction_deg) = (needed("force_n")?, or_zero("angle_deg"));
                hand.push = Some(PushSpec { force_n, direction_deg, duration_s: lasts(half_a_second()) });
            }
            "shake" => {
                let (amplitude_mm, frequency_hz) = (needed("amplitude_mm")?, needed("frequency_hz")?);
                let direction = along_x();
                hand.shake = Some(ShakeSpec { direction, amplitude_mm, frequency_hz, duration_s: lasts(a_second()) });
            }
            "tap" => hand.tap = Some(TapSpec { side: side_of(side)?, impulse_mn_s: needed("impulse_mn_s")? }),
            "press" => hand.press = Some(PressSpec { duration_s: lasts(half_a_second()) }),
            "button_down" => hand.button_down = Some(NothingSpec {}),
            "button_up" => hand.button_up = Some(NothingSpec {}),
            "power_on" => hand.power_on = Some(NothingSpec {}),
            "power_off" => hand.power_off = Some(NothingSpec {}),
            "take_away" => hand.take_away = Some(NothingSpec {}),
            "bring" => {
                let (x_mm, y_mm, heading_deg) = (number("x_mm"), number("y_mm"), number("angle_deg"));
                hand.bring = Some(BringSpec { x_mm, y_mm, heading_deg });
            }
            "release" => hand.release = Some(NothingSpec {}),
            other => return Err(("does", format!("is {other:?}, {WORDS}"))),
        }
        Ok(hand)
    }

    /// The one thing that is to be done, within what the bodies accept.
    ///
    /// # Errors
    /// A time or a frequency that they do not.
    pub(crate) fn only_action(&self, step_hz: u32) -> Result<(&'static str, HandDoes), CellFault> {
        let (word, does) = self.actions(step_hz).into_iter().next().ok_or_else(|| ("does", WORDS.to_owned()))?;
        if let Some(missing) = self.bring.as_ref().and_then(BringSpec::missing) {
            return Err((missing, "is missing beside the other one".to_owned()));
        }
        if let HandDoes::Move(action) = &does {
            action.check(step_hz).map_err(|error| (column_of(error.field), error.message))?;
        }
        Ok((word, does))
    }
}

fn side_of(word: Option<&str>) -> Result<SideSpec, CellFault> {
    match word {
        None | Some("top") => Ok(SideSpec::Top),
        Some("front") => Ok(SideSpec::Front),
        Some("rear") => Ok(SideSpec::Rear),
        Some("left") => Ok(SideSpec::Left),
        Some("right") => Ok(SideSpec::Right),
        Some(other) => Err(("side", format!("is {other:?}, must be top, front, rear, left or right"))),
    }
}

/// The column that a parameter of the bodies stands in.
fn column_of(field: &str) -> &'static str {
    match field {
        "frequency_hz" => "frequency_hz",
        "duration_s" => "duration_s",
        "angle_rad" => "angle_deg",
        _ => "does",
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

impl BringSpec {
    /// The coordinate that is missing beside the other one.
    pub(super) fn missing(&self) -> Option<&'static str> {
        match (self.x_mm, self.y_mm) {
            (None, Some(_)) => Some("x_mm"),
            (Some(_), None) => Some("y_mm"),
            _ => None,
        }
    }
}

fn bring(spec: &BringSpec) -> HandDoes {
    let place_mm = spec.x_mm.zip(spec.y_mm).map(|(x_mm, y_mm)| DVec2::new(x_mm, y_mm));
    HandDoes::Bring { place_mm, heading_rad: spec.heading_deg.map(f64::to_radians) }
}

fn pull(spec: &PullSpec) -> HandAction {
    HandAction::Pull {
        goal_m: DVec2::new(spec.x_mm, spec.y_mm) / 1000.0,
        at_m: DVec2::new(spec.ahead_mm, spec.right_mm) / 1000.0,
    }
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
