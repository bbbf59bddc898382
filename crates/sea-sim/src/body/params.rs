//! What describes a body: mass, added mass, damping, buoyancy. Body axes: forward, left, up; SI units.

use super::mesh::Mesh;
use crate::check;
use crate::spatial::{Inertia6, eigenvalues};
use glam::{DMat3, DVec3};
use sim_core::ParamError;

/// A rate of decay that keeps the body's own.
const KEPT: f64 = -1.0;

/// A 6 x 6 matrix, by its diagonal or in rows. Order: forward, left, up, about forward, about left, about up.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(untagged))]
#[expect(clippy::large_enum_variant, reason = "a description is made once")]
pub enum Matrix6 {
    /// The six numbers on the diagonal; all others are zero.
    Diagonal([f64; 6]),
    /// All 36 numbers, row by row.
    Rows([[f64; 6]; 6]),
}

impl Default for Matrix6 {
    fn default() -> Self {
        Self::Diagonal([0.0; 6])
    }
}

impl Matrix6 {
    /// The matrix in rows.
    #[must_use]
    pub fn rows(&self) -> [[f64; 6]; 6] {
        match self {
            Self::Rows(rows) => *rows,
            Self::Diagonal(values) => {
                std::array::from_fn(|i| std::array::from_fn(|j| if i == j { values[i] } else { 0.0 }))
            }
        }
    }
}

/// A body that water carries, pushes and resists.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct BodyParams {
    /// Mass without the masses that actuators move, kg.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub mass_kg: f64,
    /// Centre of gravity of that mass, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub center_of_gravity_m: [f64; 3],
    /// Inertia of that mass about its centre of gravity, kg m², in rows.
    pub inertia_kg_m2: [[f64; 3]; 3],
    /// Added mass about the origin: kg, kg m, kg m².
    pub added_mass: Matrix6,
    /// Which Coriolis terms of the added mass act.
    pub added_coriolis: AddedCoriolis,
    /// Forces against the velocity through the water.
    pub damping: DampingParams,
    /// How the water carries the body.
    pub buoyancy: BuoyancyParams,
}

/// Coriolis and centripetal terms of the added mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum AddedCoriolis {
    /// All of them, the Munk moment included.
    #[default]
    Full,
    /// Only those of rolling. The moments in pitch and yaw destabilise a slender body whose model has no quadratic
    /// damping of turning.
    RollOnly,
}

/// Forces and moments against the velocity relative to the water.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct DampingParams {
    /// Linear: N s/m and N m s/rad.
    pub linear: Matrix6,
    /// Linear and fading with speed.
    pub low_speed: Option<LowSpeedDamping>,
    /// Quadratic: element (i, j) times `|velocity_j| velocity_j`; N s²/m² and N m s²/rad².
    pub quadratic: Matrix6,
    /// Decay of velocity, as physics engines of games have it.
    pub decay: Option<DecayParams>,
    /// Cross-flow drag on strips along the hull.
    pub cross_flow: Vec<CrossFlowParams>,
    /// Lift and drag of the hull as a wing in its vertical plane.
    pub lift_drag: Option<LiftDragParams>,
}

/// Linear damping that fades as `exp(-fade U)` with the speed U through the water.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct LowSpeedDamping {
    /// At rest, on the diagonal: N s/m and N m s/rad.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0))))]
    pub linear: [f64; 6],
    /// Fading, s/m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub fade_s_m: f64,
}

/// Decay of velocity `v' = -d v`, with one pair of rates in water and one in air. The first wet point switches. A rate of
/// -1 keeps the body's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct DecayParams {
    /// The body's own of linear velocity, 1/s.
    #[cfg_attr(feature = "schema", serde(default))]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub own_linear_per_s: f64,
    /// The body's own of turn rate, 1/s.
    #[cfg_attr(feature = "schema", serde(default))]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub own_angular_per_s: f64,
    /// Of linear velocity in water, 1/s, or -1.
    #[cfg_attr(feature = "schema", schemars(range(min = KEPT)))]
    pub water_linear_per_s: f64,
    /// Of turn rate in water, 1/s, or -1.
    #[cfg_attr(feature = "schema", schemars(range(min = KEPT)))]
    pub water_angular_per_s: f64,
    /// Of linear velocity in air, 1/s, or -1.
    #[cfg_attr(feature = "schema", schemars(range(min = KEPT)))]
    pub air_linear_per_s: f64,
    /// Of turn rate in air, 1/s, or -1.
    #[cfg_attr(feature = "schema", schemars(range(min = KEPT)))]
    pub air_angular_per_s: f64,
}

impl DecayParams {
    fn check(&self) -> Result<(), ParamError> {
        check::not_negative("body.damping.decay.own_linear_per_s", self.own_linear_per_s)?;
        check::not_negative("body.damping.decay.own_angular_per_s", self.own_angular_per_s)?;
        let rates = [
            ("body.damping.decay.water_linear_per_s", self.water_linear_per_s),
            ("body.damping.decay.water_angular_per_s", self.water_angular_per_s),
            ("body.damping.decay.air_linear_per_s", self.air_linear_per_s),
            ("body.damping.decay.air_angular_per_s", self.air_angular_per_s),
        ];
        let mut given = rates.into_iter().filter(|(_, rate)| *rate != KEPT);
        given.try_for_each(|(field, rate)| check::not_negative(field, rate))
    }

    /// The same with the body's own rates where they are kept.
    pub(crate) fn resolved(self) -> Self {
        let rate = |rate: f64, own: f64| if rate == KEPT { own } else { rate };
        Self {
            water_linear_per_s: rate(self.water_linear_per_s, self.own_linear_per_s),
            water_angular_per_s: rate(self.water_angular_per_s, self.own_angular_per_s),
            air_linear_per_s: rate(self.air_linear_per_s, self.own_linear_per_s),
            air_angular_per_s: rate(self.air_angular_per_s, self.own_angular_per_s),
            ..self
        }
    }
}

/// Plane of a cross flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum FlowPlane {
    /// Sideways: sway and yaw.
    #[default]
    Horizontal,
    /// Up and down: heave and pitch.
    Vertical,
}

/// Cross-flow drag by strip theory, 21 stations a twentieth of the length apart, as in Fossen's toolboxes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct CrossFlowParams {
    /// Plane of the flow.
    pub plane: FlowPlane,
    /// Length of the hull, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub length_m: f64,
    /// Diameter or draught, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub width_m: f64,
    /// Two-dimensional drag coefficient.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub drag_coefficient: f64,
}

/// Lift and drag of a hull as a low-aspect wing (Beard and McLain 2012): linear lift, induced drag.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct LiftDragParams {
    /// Span, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub span_m: f64,
    /// Area, m².
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub area_m2: f64,
    /// Drag coefficient at no angle of attack.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub zero_lift_drag: f64,
    /// Oswald's efficiency number.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub oswald: f64,
}

/// How the water carries a body.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum BuoyancyParams {
    /// Not at all: a vehicle of the air.
    #[default]
    None,
    /// A displacement that is always under water.
    Submerged(SubmergedParams),
    /// Cells of water displaced, each under water by its own depth.
    Cells(Vec<CellParams>),
    /// Points that share one volume: the force grows over a depth.
    Points(PointParams),
    /// A closed mesh, clipped at the surface.
    Mesh(MeshParams),
    /// A hull that floats: linear stiffness about its waterline.
    Waterline(WaterlineParams),
}

/// A displacement that is always under water.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct SubmergedParams {
    /// Displaced volume, m³.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub volume_m3: f64,
    /// Centre of buoyancy, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub center_m: [f64; 3],
}

/// A part of the hull: its share of the volume under water grows linearly over its height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct CellParams {
    /// Centre, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub center_m: [f64; 3],
    /// Volume, m³.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub volume_m3: f64,
    /// Height over which it goes under, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub height_m: f64,
}

/// Points that share one volume equally. The force of a point grows from its own depth 0 to a full depth.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct PointParams {
    /// Volume of the whole body, m³.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub volume_m3: f64,
    /// Depth from which a point bears its full share, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub depth_before_submerged_m: f64,
    /// Largest force of the whole body, N.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub max_force_n: f64,
    /// Where the points are, m.
    #[cfg_attr(feature = "schema", schemars(inner(inner(range(min = -check::FAR_M, max = check::FAR_M)))))]
    pub points_m: Vec<[f64; 3]>,
    /// Whether their mean is the body's centre of gravity, which must then be left at 0.
    #[cfg_attr(feature = "schema", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub is_center_of_gravity: bool,
}

impl PointParams {
    /// Mean of the points, m.
    pub(crate) fn mean_m(&self) -> DVec3 {
        let sum: DVec3 = self.points_m.iter().map(|&point| DVec3::from_array(point)).sum();
        sum / self.points_m.len() as f64
    }
}

/// A closed mesh of triangles, counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct MeshParams {
    /// Corners, m.
    pub vertices_m: Vec<[f64; 3]>,
    /// Three numbers of corners each.
    pub triangles: Vec<[u32; 3]>,
    /// Factor of the corners along each axis, above 0: 0.001 for a mesh in mm.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0))))]
    pub scale: [f64; 3],
}

impl Default for MeshParams {
    fn default() -> Self {
        Self { vertices_m: Vec::new(), triangles: Vec::new(), scale: [1.0; 3] }
    }
}

/// A hull that floats upright: restoring forces linear in heave, roll and pitch against the surface, about the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct WaterlineParams {
    /// Displaced volume at rest, m³.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub volume_m3: f64,
    /// Heave stiffness, N/m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub heave_n_m: f64,
    /// Heave force of a pitch and pitch moment of a heave, N/rad and N m/m.
    pub heave_pitch_n: f64,
    /// Roll stiffness, N m/rad.
    pub roll_n_m: f64,
    /// Pitch stiffness, N m/rad.
    pub pitch_n_m: f64,
    /// Half of the length and half of the beam between the places where the surface is read, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0))))]
    pub half_extent_m: [f64; 2],
    /// Weight that the waterline at rest does not carry yet, kg; part of the body's mass.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub payload_kg: f64,
    /// Where that weight is, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub payload_at_m: [f64; 3],
}

impl BodyParams {
    /// Refuses what no body can have, the first fault by the name of its quantity.
    ///
    /// # Errors
    /// If a number is not finite or out of range, or a matrix is not symmetric or not positive (semi)definite.
    pub fn check(&self) -> Result<(), ParamError> {
        check::positive("body.mass_kg", self.mass_kg)?;
        check::place("body.center_of_gravity_m", &self.center_of_gravity_m)?;
        if self.center_is_mean().is_some() && self.center_of_gravity_m != [0.0; 3] {
            let message = format!("is {:?}, must be 0: it is the mean of the points", self.center_of_gravity_m);
            return Err(ParamError::new("body.center_of_gravity_m", message));
        }
        check_inertia(&self.inertia_kg_m2)?;
        check_matrix("body.added_mass", &self.added_mass.rows(), true)?;
        self.damping.check()?;
        self.buoyancy.check()
    }

    /// Centre of gravity, m: as given, or the mean of the force points.
    #[must_use]
    pub fn center_m(&self) -> DVec3 {
        self.center_is_mean().map_or(DVec3::from_array(self.center_of_gravity_m), PointParams::mean_m)
    }

    /// The force points whose mean is the centre of gravity.
    fn center_is_mean(&self) -> Option<&PointParams> {
        let BuoyancyParams::Points(points) = &self.buoyancy else { return None };
        Some(points).filter(|points| points.is_center_of_gravity)
    }

    /// Added mass as blocks.
    pub(crate) fn added_inertia(&self) -> Inertia6 {
        Inertia6::from_rows(&self.added_mass.rows())
    }

    /// Inertia about the centre of gravity as a matrix.
    pub(crate) fn central_inertia(&self) -> DMat3 {
        let column = |j: usize| DVec3::from_array(self.inertia_kg_m2.map(|row| row[j]));
        DMat3::from_cols(column(0), column(1), column(2))
    }
}

fn check_inertia(rows: &[[f64; 3]; 3]) -> Result<(), ParamError> {
    const NAME: &str = "body.inertia_kg_m2";
    let embedded: [[f64; 6]; 6] = std::array::from_fn(|i| {
        std::array::from_fn(|j| match (i < 3, j < 3) {
            (true, true) => rows[i][j],
            _ => f64::from(u8::from(i == j)) * rows[0][0].max(1e-300),
        })
    });
    check_matrix(NAME, &embedded, false)?;
    let [x, y, z] = [rows[0][0], rows[1][1], rows[2][2]];
    if x > y + z || y > z + x || z > x + y {
        return Err(ParamError::new(
            NAME,
            format!("has {x}, {y}, {z} on its diagonal: one is more than the sum of the others"),
        ));
    }
    Ok(())
}

/// Refuses a matrix that is not symmetric, or has an eigenvalue below zero (at zero too unless that is allowed).
fn check_matrix(field: &'static str, rows: &[[f64; 6]; 6], may_be_singular: bool) -> Result<(), ParamError> {
    for row in rows {
        check::all_finite(field, row)?;
    }
    let largest = rows.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    for (i, row) in rows.iter().enumerate() {
        for (j, &value) in row.iter().enumerate().take(i) {
            if (value - rows[j][i]).abs() > 1e-9 * largest {
                let message = format!(
                    "is not symmetric: row {}, column {} is {value}, its mirror image {}",
                    i + 1,
                    j + 1,
                    rows[j][i]
                );
                return Err(ParamError::new(field, message));
            }
        }
    }
    let least = eigenvalues(rows).into_iter().fold(f64::INFINITY, f64::min);
    let allowed = if may_be_singular { least >= -1e-9 * largest } else { least > 0.0 };
    if allowed {
        return Ok(());
    }
    let wanted = if may_be_singular { "none may be below zero" } else { "all must be above zero" };
    Err(ParamError::new(field, format!("has the eigenvalue {:?}: {wanted}", in_six_digits(least))))
}

/// A number for a message: what rounding did to it is none of its reader's concern.
fn in_six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

impl DampingParams {
    fn check(&self) -> Result<(), ParamError> {
        for (field, matrix) in [("body.damping.linear", &self.linear), ("body.damping.quadratic", &self.quadratic)] {
            let rows = matrix.rows();
            for (i, row) in rows.iter().enumerate() {
                check::all_finite(field, row)?;
                check::not_negative(field, row[i])?;
            }
        }
        if let Some(low) = &self.low_speed {
            low.linear.iter().try_for_each(|&d| check::not_negative("body.damping.low_speed.linear", d))?;
            check::not_negative("body.damping.low_speed.fade_s_m", low.fade_s_m)?;
        }
        if let Some(decay) = &self.decay {
            decay.check()?;
        }
        for strips in &self.cross_flow {
            check::positive("body.damping.cross_flow.length_m", strips.length_m)?;
            check::not_negative("body.damping.cross_flow.width_m", strips.width_m)?;
            check::not_negative("body.damping.cross_flow.drag_coefficient", strips.drag_coefficient)?;
        }
        if let Some(wing) = &self.lift_drag {
            check::positive("body.damping.lift_drag.span_m", wing.span_m)?;
            check::positive("body.damping.lift_drag.area_m2", wing.area_m2)?;
            check::not_negative("body.damping.lift_drag.zero_lift_drag", wing.zero_lift_drag)?;
            check::positive("body.damping.lift_drag.oswald", wing.oswald)?;
        }
        Ok(())
    }
}

impl BuoyancyParams {
    fn check(&self) -> Result<(), ParamError> {
        match self {
            Self::None => Ok(()),
            Self::Submerged(submerged) => {
                check::not_negative("body.buoyancy.submerged.volume_m3", submerged.volume_m3)?;
                check::place("body.buoyancy.submerged.center_m", &submerged.center_m)
            }
            Self::Cells(cells) => cells.iter().try_for_each(|cell| {
                check::place("body.buoyancy.cells.center_m", &cell.center_m)?;
                check::positive("body.buoyancy.cells.volume_m3", cell.volume_m3)?;
                check::positive("body.buoyancy.cells.height_m", cell.height_m)
            }),
            Self::Points(points) => {
                const NAME: &str = "body.buoyancy.points.points_m";
                check::not_negative("body.buoyancy.points.volume_m3", points.volume_m3)?;
                check::positive("body.buoyancy.points.depth_before_submerged_m", points.depth_before_submerged_m)?;
                check::not_negative("body.buoyancy.points.max_force_n", points.max_force_n)?;
                check::not_empty(NAME, points.points_m.len())?;
                points.points_m.iter().try_for_each(|point| check::place(NAME, point))
            }
            Self::Mesh(params) => Mesh::new(params).map(|_| ()),
            Self::Waterline(line) => line.check(),
        }
    }
}

impl WaterlineParams {
    fn check(&self) -> Result<(), ParamError> {
        check::positive("body.buoyancy.waterline.volume_m3", self.volume_m3)?;
        check::positive("body.buoyancy.waterline.heave_n_m", self.heave_n_m)?;
        check::all_finite("body.buoyancy.waterline.heave_pitch_n", &[self.heave_pitch_n])?;
        check::all_finite("body.buoyancy.waterline.roll_n_m", &[self.roll_n_m])?;
        check::all_finite("body.buoyancy.waterline.pitch_n_m", &[self.pitch_n_m])?;
        self.half_extent_m
            .iter()
            .try_for_each(|&half| check::positive("body.buoyancy.waterline.half_extent_m", half))?;
        check::not_negative("body.buoyancy.waterline.payload_kg", self.payload_kg)?;
        check::place("body.buoyancy.waterline.payload_at_m", &self.payload_at_m)
    }
}
