//! What a cube does where the sources disagree (toio facts, section 9): each choice of a profile by itself.

use crate::profile::Profile;

/// When a target counts as reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum ArrivalRule {
    /// At most 15 dots away in x and in y, and at most 4 degrees from the heading.
    Specified,
    /// Less than 10 dots away and less than 15 degrees from the heading, which is looked at from the next step on.
    Unity,
}

/// What happens to wheel commands that are more than the motors can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Limiting {
    /// Both are lowered by the same amount: the turn is kept, left and right turns mirror each other.
    Symmetric,
    /// The left one is cut first, then both by what the right one exceeds. Left and right turns differ.
    LeftFirst,
}

/// Which heading a relative angle of `04` starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum RelativeOrigin {
    /// The heading when the command was written.
    Writing,
    /// The heading on arrival.
    Arrival,
}

/// What the first `05` after another command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum FirstRamp {
    /// Goes to its speed at once.
    Jump,
    /// Accelerates from 0.
    FromRest,
}

/// How far from straight up a side may point and still be the posture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum PostureCones {
    /// 45 degrees.
    Fixed,
    /// The flat threshold that the client sets.
    FlatThreshold,
}

/// Each choice by itself; start from [`Behaviour::for_profile`] a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Behaviour {
    /// When a target counts as reached.
    pub arrival: ArrivalRule,
    /// What happens to wheel commands that are too large.
    pub limiting: Limiting,
    /// Which heading a relative angle of `04` starts from.
    pub relative_origin: RelativeOrigin,
    /// What the first `05` does.
    pub first_ramp: FirstRamp,
    /// Least interval between ID reports until a client sets it, in units of 10 ms.
    pub id_interval_10_ms: u8,
    /// How long an ID must be gone to be missed until a client sets it, in units of 10 ms.
    pub id_missed_10_ms: u8,
    /// Time between two looks at the wheel speed.
    pub wheel_speed_period_ms: u32,
    /// The motors stand still while the button is pressed.
    pub button_stops_motors: bool,
    /// How far from straight up a side may point and still be the posture.
    pub posture_cones: PostureCones,
}

impl Behaviour {
    /// The choices of a profile.
    #[must_use]
    pub fn for_profile(profile: Profile) -> Self {
        match profile {
            Profile::Device => Self {
                arrival: ArrivalRule::Specified,
                limiting: Limiting::Symmetric,
                relative_origin: RelativeOrigin::Writing,
                first_ramp: FirstRamp::Jump,
                id_interval_10_ms: 1,
                id_missed_10_ms: 7,
                wheel_speed_period_ms: 100,
                button_stops_motors: false,
                posture_cones: PostureCones::Fixed,
            },
            Profile::Unity => Self {
                arrival: ArrivalRule::Unity,
                limiting: Limiting::LeftFirst,
                relative_origin: RelativeOrigin::Arrival,
                first_ramp: FirstRamp::FromRest,
                id_interval_10_ms: 0,
                id_missed_10_ms: 0,
                wheel_speed_period_ms: 20,
                button_stops_motors: true,
                posture_cones: PostureCones::FlatThreshold,
            },
        }
    }
}

impl Default for Behaviour {
    fn default() -> Self {
        Self::for_profile(Profile::default())
    }
}
