//! The section `script` of a scenario file: what hands do to cubes, and when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::spec_commands::NothingSpec;
use toio_physics::{HandAction, geometry};

/// One thing that a hand does: a moment, a cube, and exactly one of the other keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandSpec {
    /// When it begins.
    #[schemars(range(min = 0, max = 100_000_000))]
    pub at_s: f64,
    /// Name of the cube.
    pub cube: String,
    /// Raise it as it is, and hold it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LiftSpec")]
    pub lift: Option<LiftSpec>,
    /// Carry it to where it stands on its wheels, and let go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PlaceSpec")]
    pub place: Option<PlaceSpec>,
    /// Hold it level and lead it after a goal; each further drag moves the goal. It is held until something else is done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DragSpec")]
    pub drag: Option<DragSpec>,
    /// Pull it by a point of it after a goal, as by a soft spring; each further pull moves the goal. It is held until something else is
    /// done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PullSpec")]
    pub pull: Option<PullSpec>,
    /// Tilt it over its lowest point, which stays as high as it is, and hold it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TiltSpec")]
    pub tilt: Option<TiltSpec>,
    /// Turn it about the vertical, and hold it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TurnHandSpec")]
    pub turn: Option<TurnHandSpec>,
    /// Press on it with a force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PushSpec")]
    pub push: Option<PushSpec>,
    /// Shake it back and forth from where it is; then let go, or hold on if it was held before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ShakeSpec")]
    pub shake: Option<ShakeSpec>,
    /// Tap it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TapSpec")]
    pub tap: Option<TapSpec>,
    /// Hold its button down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PressSpec")]
    pub press: Option<PressSpec>,
    /// Press its button, and hold it down until `button_up`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub button_down: Option<NothingSpec>,
    /// Let go of its button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub button_up: Option<NothingSpec>,
    /// Switch it on, if it is off and its battery is not empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub power_on: Option<NothingSpec>,
    /// Switch it off, if it is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub power_off: Option<NothingSpec>,
    /// Take it off the mat and switch it off: nothing of it is left until it is brought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub take_away: Option<NothingSpec>,
    /// Bring it, if it is away, to where it stands on its wheels, and switch it on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BringSpec")]
    pub bring: Option<BringSpec>,
    /// Let go of it where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub release: Option<NothingSpec>,
}

/// Raising a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiftSpec {
    /// Height of its lowest point above the mat in the end.
    #[schemars(range(min = 1000.0 * HandAction::HEIGHT_M[0], max = 1000.0 * HandAction::HEIGHT_M[1]))]
    pub height_mm: f64,
    /// How long it takes.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = HandAction::DURATION_S[0], max = HandAction::DURATION_S[1]))]
    pub duration_s: f64,
}

/// Putting a cube down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceSpec {
    /// Where the middle of its body goes on the plane, along x.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x_mm: f64,
    /// Where the middle of its body goes on the plane, along y.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y_mm: f64,
    /// Heading in the end, clockwise seen from above.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub heading_deg: f64,
    /// Height of what it is put on, above the mat: 0, or 24.3 for another cube.
    #[serde(default)]
    #[schemars(range(min = 1000.0 * HandAction::HEIGHT_M[0], max = 1000.0 * HandAction::HEIGHT_M[1]))]
    pub height_mm: f64,
    /// How long it takes.
    #[serde(default = "a_second")]
    #[schemars(range(min = HandAction::DURATION_S[0], max = HandAction::DURATION_S[1]))]
    pub duration_s: f64,
}

/// Bringing a cube that is away. Without a place or a heading it stands as it did when it was taken away, or as at its start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BringSpec {
    /// Where the middle of its body goes on the plane, along x; only with `y_mm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -100_000, max = 100_000))]
    pub x_mm: Option<f64>,
    /// Where the middle of its body goes on the plane, along y; only with `x_mm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -100_000, max = 100_000))]
    pub y_mm: Option<f64>,
    /// Heading, clockwise seen from above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -360, max = 360))]
    pub heading_deg: Option<f64>,
}

/// Dragging a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragSpec {
    /// Where the middle of its body goes on the plane, along x.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x_mm: f64,
    /// Where the middle of its body goes on the plane, along y.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y_mm: f64,
    /// Heading, clockwise seen from above.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub heading_deg: f64,
    /// Height of its wheels above the mat; below 5 its ID sensor still reads.
    #[serde(default)]
    #[schemars(range(min = 1000.0 * HandAction::HEIGHT_M[0], max = 1000.0 * HandAction::HEIGHT_M[1]))]
    pub height_mm: f64,
}

/// Pulling a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PullSpec {
    /// Where the held point goes on the plane, along x.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x_mm: f64,
    /// Where the held point goes on the plane, along y.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y_mm: f64,
    /// The held point, ahead of the middle of the body.
    #[serde(default)]
    #[schemars(range(min = -500.0 * geometry::FOOTPRINT_M, max = 500.0 * geometry::FOOTPRINT_M))]
    pub ahead_mm: f64,
    /// The held point, to the right of the middle of the body.
    #[serde(default)]
    #[schemars(range(min = -500.0 * geometry::FOOTPRINT_M, max = 500.0 * geometry::FOOTPRINT_M))]
    pub right_mm: f64,
}

/// Tilting a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TiltSpec {
    /// Roll in the end: right side down is positive.
    #[serde(default)]
    #[schemars(range(min = -180, max = 180))]
    pub roll_deg: f64,
    /// Pitch in the end: nose up is positive.
    #[serde(default)]
    #[schemars(range(min = -90, max = 90))]
    pub pitch_deg: f64,
    /// How long it takes.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = HandAction::DURATION_S[0], max = HandAction::DURATION_S[1]))]
    pub duration_s: f64,
}

/// Turning a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnHandSpec {
    /// By how much, clockwise seen from above.
    #[schemars(range(min = -5000, max = 5000))]
    pub angle_deg: f64,
    /// How long it takes.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = HandAction::DURATION_S[0], max = HandAction::DURATION_S[1]))]
    pub duration_s: f64,
}

/// Pushing a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PushSpec {
    /// How hard; 25 g stand on their locked wheels up to 0.2.
    #[schemars(range(min = HandAction::FORCE_N[0], max = HandAction::FORCE_N[1]))]
    pub force_n: f64,
    /// Where to, as a heading on the plane.
    #[schemars(range(min = -360, max = 360))]
    pub direction_deg: f64,
    /// How long the force lasts.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = HandAction::DURATION_S[0], max = HandAction::DURATION_S[1]))]
    pub duration_s: f64,
}

/// Shaking a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShakeSpec {
    /// Which way: [x, y, up] on the plane; any length but 0.
    #[serde(default = "along_x")]
    #[schemars(inner(range(min = -1000, max = 1000)))]
    pub direction: [f64; 3],
    /// Largest distance from the middle.
    #[schemars(range(min = 1000.0 * HandAction::AMPLITUDE_M[0], max = 1000.0 * HandAction::AMPLITUDE_M[1]))]
    pub amplitude_mm: f64,
    /// Swings a second; at most a tenth of `step_hz`.
    #[schemars(range(min = HandAction::MIN_FREQUENCY_HZ, max = 24))]
    pub frequency_hz: f64,
    /// How long the shaking lasts.
    #[serde(default = "a_second")]
    #[schemars(range(min = HandAction::DURATION_S[0], max = HandAction::DURATION_S[1]))]
    pub duration_s: f64,
}

/// Sides of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideSpec {
    /// The top.
    Top,
    /// The front.
    Front,
    /// The rear.
    Rear,
    /// The left side.
    Left,
    /// The right side.
    Right,
}

/// Tapping a cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TapSpec {
    /// Which side is hit, in its middle.
    #[serde(default = "top")]
    pub side: SideSpec,
    /// How hard: momentum given to the cube in mN s. 25 g at 0.4 m/s have 10.
    #[schemars(range(min = 1000.0 * HandAction::IMPULSE_N_S[0], max = 1000.0 * HandAction::IMPULSE_N_S[1]))]
    pub impulse_mn_s: f64,
}

/// Pressing the button.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PressSpec {
    /// How long the button is held.
    #[serde(default = "half_a_second")]
    #[schemars(range(min = 0.01, max = 3600))]
    pub duration_s: f64,
}

pub(super) fn half_a_second() -> f64 {
    0.5
}

pub(super) fn a_second() -> f64 {
    1.0
}

pub(super) fn along_x() -> [f64; 3] {
    [1.0, 0.0, 0.0]
}

fn top() -> SideSpec {
    SideSpec::Top
}
