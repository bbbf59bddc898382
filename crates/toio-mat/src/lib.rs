//! What is printed on the floor: mats with position IDs and cards with Standard IDs, and the only door between mat units (dots
//! and whole degrees), millimetres on the plane and metres in the 3D world.
//!
//! It must not know cubes, physics, bytes or scenario files. Facts are the toio facts, sections 1.2 to 1.4, 3 and 4.
//!
//! | frame | unit | axes |
//! |---|---|---|
//! | plane | mm, rad | x right, y down, headings from +x towards +y: clockwise seen from above |
//! | mat, card | dots (mats) or mm (cards), degrees | the same, turned by the sheet's yaw |
//! | world | m, rad | x as the plane's, y against it, z up, yaw counter-clockwise seen from above |
//!
//! One question has one answer, [`Ground::printed_under`]:
//!
//! ```
//! use toio_mat::{Card, CenterPoint, Dot, Ground, Mat, MatKind, MatScale, PlanePose, Printed, StandardItem};
//!
//! // The ring side of the collection mat with its middle at the plane's origin, and a card that lies on it.
//! let mat = Mat::new(MatKind::CollectionRing, MatScale::default(), PlanePose::ORIGIN)?;
//! let typhoon: StandardItem = "typhoon".parse()?;
//! let mut ground = Ground::default();
//! ground.add_mat(mat);
//! ground.add_card(Card::new(typhoon, PlanePose::new(150.0, 0.0, 0.0))?);
//!
//! let under = |x_mm, y_mm| ground.printed_under(PlanePose::new(x_mm, y_mm, 0.0), CenterPoint::BODY_CENTER);
//! let Printed::Position(read) = under(0.0, 0.0) else { panic!("the middle of the mat shows a position") };
//! assert_eq!((read.sensor, read.degrees), (Dot { x: 250, y: 250 }, 0));
//! // The sensor sits 11.1 mm behind the centre and 9.4 mm left of it: 8.1 and 6.9 dots.
//! assert_eq!(read.center, Dot { x: 258, y: 257 });
//! assert!(matches!(under(150.0, 0.0), Printed::Standard(read) if read.value == 3_670_016));
//! assert_eq!(under(400.0, 0.0), Printed::Nothing);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod card;
mod center;
mod dot;
mod ground;
mod kind;
mod mat;
mod name;
mod plane;
mod scale;
mod sheet;
mod standard_id;

pub use card::Card;
pub use center::CenterPoint;
pub use dot::{Dot, DotPose, DotRange, normalized_degrees, rounded_degrees};
pub use ground::{ExactPosition, ExactPrinted, ExactStandard, Ground, PositionReading, Printed, StandardReading};
pub use kind::MatKind;
pub use mat::Mat;
pub use name::UnknownName;
pub use plane::{PlanePose, plane_mm_from_world_m, world_m_from_plane_mm};
pub use scale::MatScale;
pub use standard_id::{STANDARD_ITEMS, StandardItem};
