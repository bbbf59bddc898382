//! What does not move: of the mat what is printed on it, walls, limits, and the numbers of the potential; of the road walls and what cars
//! are like.

use crate::folder::{CarSpec, CardSpec, FieldSpec, MapSpec, MatScenario, MatSpec, PrintedSpec, WallSpec};
use serde::Serialize;
use toio_mat::{Card, DotRange, Mat, MatKind, MatScale, PlanePose, StandardItem};

/// Side of a robot's outline: a toio Core Cube.
const ROBOT_MM: f64 = 31.8;

/// Side of a card of one's own, if its scenario does not say.
const OWN_CARD_MM: [f64; 2] = [57.5, 57.5];

/// The unmoving part of a picture, by the world: the page draws what it says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "world", rename_all = "snake_case")]
pub enum Setting {
    Mat(MatSetting),
    Road(RoadSetting),
}

/// Of the road. Lengths in m, x right, y up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoadSetting {
    /// What is seen: its lower left and its upper right corner.
    pub area_m: [[f64; 2]; 2],
    pub map: MapSpec,
    pub cars: Vec<CarSpec>,
}

/// Of the mat. Lengths in mm from its upper left corner, x right, y down.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatSetting {
    pub width_mm: f64,
    pub height_mm: f64,
    pub sheets: Vec<Sheet>,
    pub walls: Vec<WallSpec>,
    pub d_r_mm: f64,
    pub d_h_mm: f64,
    pub v_max_mm_s: f64,
    pub robot_mm: f64,
    pub field: FieldSpec,
}

/// A printed mat or a card: a rectangle round its middle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    pub label: String,
    pub kind: &'static str,
    pub x_mm: f64,
    pub y_mm: f64,
    pub width_mm: f64,
    pub height_mm: f64,
    pub yaw_rad: f64,
}

impl MatSetting {
    /// The setting of a scenario. A sheet that this version does not know is left out.
    pub fn new(scenario: &MatScenario) -> Self {
        let MatSpec { width_mm, height_mm, printed, dot_per_m, walls } = &scenario.mat;
        let mats = printed.iter().filter_map(|spec| printed_sheet(spec, *dot_per_m));
        Self {
            width_mm: *width_mm,
            height_mm: *height_mm,
            sheets: mats.chain(scenario.cards.iter().filter_map(card_sheet)).collect(),
            walls: walls.clone(),
            d_r_mm: scenario.safety.d_r_mm,
            d_h_mm: scenario.safety.d_h_mm,
            v_max_mm_s: scenario.limits.v_max_mm_s,
            robot_mm: ROBOT_MM,
            field: scenario.field.clone(),
        }
    }
}

fn printed_sheet(spec: &PrintedSpec, dot_per_m: f64) -> Option<Sheet> {
    let kind = match (spec.kind.parse().ok()?, spec.range_dot) {
        (MatKind::Custom(_), Some([x1, y1, x2, y2])) => MatKind::Custom(DotRange::new([x1, y1], [x2, y2]).ok()?),
        (kind, _) => kind,
    };
    let center = PlanePose::new(spec.x_mm, spec.y_mm, spec.yaw_deg.to_radians());
    let size_mm = Mat::new(kind, MatScale::new(dot_per_m).ok()?, center).ok()?.size_mm();
    Some(sheet(spec.kind.clone(), "mat", center, [size_mm.x, size_mm.y]))
}

fn card_sheet(spec: &CardSpec) -> Option<Sheet> {
    let center = PlanePose::new(spec.x_mm, spec.y_mm, spec.yaw_deg.to_radians());
    let (label, card) = match (&spec.item, spec.value) {
        (Some(item), _) => {
            let item: StandardItem = item.parse().ok()?;
            (item.title.to_owned(), Card::new(item, center).ok()?)
        }
        (None, value) => {
            let value = value?;
            (format!("ID {value}"), Card::sized(value, spec.size_mm.unwrap_or(OWN_CARD_MM), center).ok()?)
        }
    };
    Some(sheet(label, "card", center, [card.size_mm().x, card.size_mm().y]))
}

fn sheet(label: String, kind: &'static str, center: PlanePose, [width_mm, height_mm]: [f64; 2]) -> Sheet {
    let [x_mm, y_mm, yaw_rad] = [center.position_mm.x, center.position_mm.y, center.heading_rad];
    Sheet { label, kind, x_mm, y_mm, width_mm, height_mm, yaw_rad }
}
