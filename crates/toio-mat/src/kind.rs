//! The mats there are, with their names and printed ranges (toio facts, section 3.1).

use crate::dot::DotRange;
use crate::name::UnknownName;
use std::fmt;
use std::str::FromStr;

/// A printed mat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatKind {
    /// Mat of toio collection, side with the ring.
    CollectionRing,
    /// Mat of toio collection, side with the coloured tiles.
    CollectionTiles,
    /// Picotons play mat, front.
    PicotonsPlayFront,
    /// Picotons play mat, back.
    PicotonsPlayBack,
    /// Picotons control mat.
    PicotonsControl,
    /// Picotons auto-play mat.
    PicotonsAutoPlay,
    /// Simple play mat, one A3 sheet; the fronts of the developer mats 1 to 6 are the same.
    Simple,
    /// Developer mat 1, back: first column, first row of the field.
    Developer1,
    /// Developer mat 2, back: first column, second row.
    Developer2,
    /// Developer mat 3, back: first column, third row.
    Developer3,
    /// Developer mat 4, back: first column, fourth row.
    Developer4,
    /// Developer mat 5, back: second column, first row.
    Developer5,
    /// Developer mat 6, back: second column, second row.
    Developer6,
    /// Developer mat 7, back: second column, third row.
    Developer7,
    /// Developer mat 8, back: second column, fourth row.
    Developer8,
    /// Developer mat 9, back: third column, first row.
    Developer9,
    /// Developer mat 10, back: third column, second row.
    Developer10,
    /// Developer mat 11, back: third column, third row.
    Developer11,
    /// Developer mat 12, back: third column, fourth row.
    Developer12,
    /// The backs of the twelve developer mats, laid edge to edge as 3 columns of 4 rows, without seams.
    DeveloperField,
    /// Gesundroid mat.
    Gesundroid,
    /// A rectangle of one's own.
    Custom(DotRange),
}

impl MatKind {
    /// Custom rectangle of a scenario that gives no corners: that of the simple mat.
    pub const CUSTOM_DEFAULT: Self = Self::Custom(DotRange::from_corners(98, 142, 402, 358));

    /// Every kind once, in the order of the facts, the custom one with its default range.
    pub const ALL: [Self; 22] = [
        Self::CollectionRing,
        Self::CollectionTiles,
        Self::PicotonsPlayFront,
        Self::PicotonsPlayBack,
        Self::PicotonsControl,
        Self::PicotonsAutoPlay,
        Self::Simple,
        Self::Developer1,
        Self::Developer2,
        Self::Developer3,
        Self::Developer4,
        Self::Developer5,
        Self::Developer6,
        Self::Developer7,
        Self::Developer8,
        Self::Developer9,
        Self::Developer10,
        Self::Developer11,
        Self::Developer12,
        Self::DeveloperField,
        Self::Gesundroid,
        Self::CUSTOM_DEFAULT,
    ];

    /// Kebab-case name; every custom rectangle is called `custom`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// What is printed, in dots.
    #[must_use]
    pub const fn range(self) -> DotRange {
        self.row().1
    }

    /// The table: name and corners x1, y1, x2, y2.
    const fn row(self) -> (&'static str, DotRange) {
        match self {
            Self::CollectionRing => ("collection-ring", DotRange::from_corners(45, 45, 455, 455)),
            Self::CollectionTiles => ("collection-tiles", DotRange::from_corners(545, 45, 955, 455)),
            Self::PicotonsPlayFront => ("picotons-play-front", DotRange::from_corners(59, 2088, 437, 2285)),
            Self::PicotonsPlayBack => ("picotons-play-back", DotRange::from_corners(59, 2303, 437, 2499)),
            Self::PicotonsControl => ("picotons-control", DotRange::from_corners(764, 2093, 953, 2290)),
            Self::PicotonsAutoPlay => ("picotons-auto-play", DotRange::from_corners(554, 2093, 742, 2290)),
            Self::Simple => ("simple", DotRange::from_corners(98, 142, 402, 358)),
            Self::Developer1 => ("developer-1", DotRange::from_corners(34, 35, 339, 250)),
            Self::Developer2 => ("developer-2", DotRange::from_corners(34, 251, 339, 466)),
            Self::Developer3 => ("developer-3", DotRange::from_corners(34, 467, 339, 682)),
            Self::Developer4 => ("developer-4", DotRange::from_corners(34, 683, 339, 898)),
            Self::Developer5 => ("developer-5", DotRange::from_corners(340, 35, 644, 250)),
            Self::Developer6 => ("developer-6", DotRange::from_corners(340, 251, 644, 466)),
            Self::Developer7 => ("developer-7", DotRange::from_corners(340, 467, 644, 682)),
            Self::Developer8 => ("developer-8", DotRange::from_corners(340, 683, 644, 898)),
            Self::Developer9 => ("developer-9", DotRange::from_corners(645, 35, 949, 250)),
            Self::Developer10 => ("developer-10", DotRange::from_corners(645, 251, 949, 466)),
            Self::Developer11 => ("developer-11", DotRange::from_corners(645, 467, 949, 682)),
            Self::Developer12 => ("developer-12", DotRange::from_corners(645, 683, 949, 898)),
            Self::DeveloperField => ("developer-field", DotRange::from_corners(34, 35, 949, 898)),
            Self::Gesundroid => ("gesundroid", DotRange::from_corners(1050, 45, 1460, 455)),
            Self::Custom(range) => ("custom", range),
        }
    }
}

impl fmt::Display for MatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for MatKind {
    type Err = UnknownName;

    /// The kind with this [name](MatKind::name); `custom` is [`MatKind::CUSTOM_DEFAULT`].
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownName {
            what: "mat",
            given: name.to_owned(),
            known: Self::ALL.map(Self::name).to_vec(),
        })
    }
}
