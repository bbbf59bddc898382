//! What a surface is made of, as a sonar hears it. Source: REF 12.7 of the sea facts.

/// A material with its echo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Material {
    /// Rock.
    Rock,
    /// Mud.
    Mud,
    /// Algae, as on a farm.
    Algae,
    /// A buoy.
    Buoy,
    /// A rope.
    Rope,
    /// Anything else.
    #[default]
    Other,
}

impl Material {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Rock, Self::Mud, Self::Algae, Self::Buoy, Self::Rope, Self::Other];

    /// Share of the sound that returns, 0 to 1.
    #[must_use]
    pub fn reflectivity(self) -> f64 {
        match self {
            Self::Rock => 0.8,
            Self::Mud => 0.2,
            Self::Algae => 0.25,
            Self::Buoy => 0.99,
            Self::Rope => 0.4,
            Self::Other => 0.5,
        }
    }

    /// Class of what is seen: 1 the bottom, 2 algae, 3 a buoy, 4 a rope, 0 none of these.
    #[must_use]
    pub fn class(self) -> u8 {
        match self {
            Self::Rock | Self::Mud => 1,
            Self::Algae => 2,
            Self::Buoy => 3,
            Self::Rope => 4,
            Self::Other => 0,
        }
    }
}
