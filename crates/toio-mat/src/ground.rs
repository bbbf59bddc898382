//! Everything that is printed and lies on the plane, and the question what a sensor sees of it.

use crate::card::Card;
use crate::center::CenterPoint;
use crate::dot::{Dot, DotPose, rounded_degrees};
use crate::mat::Mat;
use crate::plane::PlanePose;
use sim_core::DVec2;

/// Mats and cards in the order in which they were laid down.
///
/// Cards lie on top of mats, whenever they were laid; of two mats or two cards the later one lies on top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ground {
    mats: Vec<Mat>,
    cards: Vec<Card>,
}

/// What a cube reads, in the whole numbers that it reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A mat.
    Position(PositionReading),
    /// A card.
    Standard(StandardReading),
    /// Neither mat nor card.
    Nothing,
}

/// A position ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionReading {
    /// The cube's centre; it may lie off the mat, and does not change which mat is read.
    pub center: Dot,
    /// The sensor, on the mat.
    pub sensor: Dot,
    /// Heading on the mat, 0 to 359 degrees clockwise from its +x.
    pub degrees: u16,
}

impl PositionReading {
    /// Centre and heading.
    #[must_use]
    pub fn center_pose(self) -> DotPose {
        DotPose { dot: self.center, degrees: self.degrees }
    }

    /// Sensor and heading.
    #[must_use]
    pub fn sensor_pose(self) -> DotPose {
        DotPose { dot: self.sensor, degrees: self.degrees }
    }
}

/// A Standard ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandardReading {
    /// Which one.
    pub value: u32,
    /// Heading relative to the card, 0 to 359 degrees clockwise from its +x.
    pub degrees: u16,
}

/// What a cube reads, before anything is rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExactPrinted {
    /// A mat.
    Position(ExactPosition),
    /// A card.
    Standard(ExactStandard),
    /// Neither mat nor card.
    Nothing,
}

/// A position ID before rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactPosition {
    /// Index in [`Ground::mats`] of the mat that is read.
    pub mat: usize,
    /// The cube's centre, dots.
    pub center_dot: DVec2,
    /// The sensor, dots.
    pub sensor_dot: DVec2,
    /// Heading on the mat, in [0, 360).
    pub degrees: f64,
}

/// A Standard ID before rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactStandard {
    /// Index in [`Ground::cards`] of the card that is read.
    pub card: usize,
    /// Standard ID on it.
    pub value: u32,
    /// Heading relative to the card, in [0, 360).
    pub degrees: f64,
}

impl ExactPrinted {
    /// The whole numbers that a cube reports: nearest integers, ties to even.
    #[must_use]
    pub fn rounded(self) -> Printed {
        match self {
            Self::Position(exact) => Printed::Position(PositionReading {
                center: Dot::rounded(exact.center_dot),
                sensor: Dot::rounded(exact.sensor_dot),
                degrees: rounded_degrees(exact.degrees),
            }),
            Self::Standard(exact) => {
                Printed::Standard(StandardReading { value: exact.value, degrees: rounded_degrees(exact.degrees) })
            }
            Self::Nothing => Printed::Nothing,
        }
    }
}

impl Ground {
    /// Lays a mat on the mats that are there, under all cards.
    pub fn add_mat(&mut self, mat: Mat) {
        self.mats.push(mat);
    }

    /// Lays a card on everything that is there.
    pub fn add_card(&mut self, card: Card) {
        self.cards.push(card);
    }

    /// Mats, the lowest first.
    #[must_use]
    pub fn mats(&self) -> &[Mat] {
        &self.mats
    }

    /// Cards, the lowest first.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// True if a mat lies at a place of the plane.
    #[must_use]
    pub fn contains_mm(&self, place_mm: DVec2) -> bool {
        self.mats.iter().any(|mat| mat.contains_mm(place_mm))
    }

    /// What a cube reads whose ID sensor is at `sensor` on the plane and whose heading is that of `sensor`; `center` says which
    /// point it calls its centre. A pose that is not finite reads nothing.
    #[must_use]
    pub fn printed_under(&self, sensor: PlanePose, center: CenterPoint) -> Printed {
        self.exactly_printed_under(sensor, center).rounded()
    }

    /// The same before rounding.
    #[must_use]
    pub fn exactly_printed_under(&self, sensor: PlanePose, center: CenterPoint) -> ExactPrinted {
        if !sensor.is_finite() {
            return ExactPrinted::Nothing;
        }
        self.card_under(sensor).or_else(|| self.mat_under(sensor, center)).unwrap_or(ExactPrinted::Nothing)
    }

    fn card_under(&self, sensor: PlanePose) -> Option<ExactPrinted> {
        let index = self.cards.iter().rposition(|card| card.contains_mm(sensor.position_mm))?;
        let card = &self.cards[index];
        let degrees = card.degrees_from_heading(sensor.heading_rad);
        Some(ExactPrinted::Standard(ExactStandard { card: index, value: card.value(), degrees }))
    }

    fn mat_under(&self, sensor: PlanePose, center: CenterPoint) -> Option<ExactPrinted> {
        let index = self.mats.iter().rposition(|mat| mat.contains_mm(sensor.position_mm))?;
        let mat = &self.mats[index];
        let sensor_dot = mat.dot_from_plane(sensor.position_mm);
        let offset_mm = center.offset_mm(sensor.heading_rad - mat.pose().heading_rad);
        Some(ExactPrinted::Position(ExactPosition {
            mat: index,
            center_dot: sensor_dot + mat.dots_of_mm(offset_mm),
            sensor_dot,
            degrees: mat.degrees_from_heading(sensor.heading_rad),
        }))
    }

    /// Pose on the plane of the centre that a position reading names: what a controlling program makes of a notification. None
    /// if no mat here shows the sensor's dot.
    ///
    /// A reading does not distinguish two mats with the same numbers; the one that lies on top is taken. A program that knows which mat
    /// its cube is on asks that one: [`Mat::pose_from_dots`].
    #[must_use]
    pub fn pose_from_reading(&self, reading: PositionReading) -> Option<PlanePose> {
        let mat = self.mats.iter().rfind(|mat| mat.range().contains(reading.sensor))?;
        Some(mat.pose_from_dots(reading.center_pose()))
    }
}
