//! How the water carries a body: displaced volume, its centre, and the wrench of hydrostatic pressure.

use super::mesh::Mesh;
use super::params::{BuoyancyParams, CellParams, PointParams, SubmergedParams, WaterlineParams};
use crate::GRAVITY_M_S2;
use crate::medium::{Medium, WaterSample};
use crate::spatial::Vec6;
use glam::{DMat3, DVec3};
use sim_core::{ParamError, ops};

/// The slope up to which a wave counts: a surface farther than this from the origin, in radii, cannot touch the body.
const CLEARANCE_IN_RADII: f64 = 1.5;

/// Where a body is at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub position_m: DVec3,
    /// Rotation from body to world.
    pub rotation: DMat3,
    /// The world's up in body axes.
    pub up: DVec3,
    pub time_s: f64,
}

/// What the water bears.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Support {
    /// Wrench of the water at rest, about the origin.
    pub wrench: Vec6,
    /// Share of the volume under water, 0 to 1.
    pub wet: f64,
    /// Mass of the water displaced, kg.
    pub displaced_kg: f64,
    /// Centre of the volume under water, m.
    pub center_m: DVec3,
}

/// A checked description of buoyancy, ready for steps.
#[derive(Clone, Debug)]
pub(crate) enum Buoyancy {
    None,
    Submerged(Displacement),
    Cells { cells: Vec<Cell>, whole: Displacement },
    Points { params: PointParams, points_m: Vec<DVec3>, whole: Displacement },
    Mesh { mesh: Mesh, whole: Displacement },
    Waterline(WaterlineParams),
}

/// A volume with its centre and how far it reaches from the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Displacement {
    volume_m3: f64,
    center_m: DVec3,
    radius_m: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    center_m: DVec3,
    volume_m3: f64,
    per_height: f64,
}

impl Displacement {
    /// The support of the volume under water, by a wrench of its weight of water.
    fn support(&self, up: DVec3, density: f64) -> Support {
        // As the weight is worked out: a neutral body feels exactly no force.
        let force = up * GRAVITY_M_S2 * (density * self.volume_m3);
        let wrench = Vec6::from_force_at(force, self.center_m);
        Support { wrench, wet: 1.0, displaced_kg: density * self.volume_m3, center_m: self.center_m }
    }

    /// Whether the surface is so far above that all is under water, or so far below that none is.
    fn settled(&self, surface_m: f64) -> Option<bool> {
        (surface_m.abs() > CLEARANCE_IN_RADII * self.radius_m).then_some(surface_m > 0.0)
    }
}

impl Buoyancy {
    pub(crate) fn new(params: &BuoyancyParams) -> Result<Self, ParamError> {
        Ok(match params {
            BuoyancyParams::None => Self::None,
            BuoyancyParams::Submerged(SubmergedParams { volume_m3, center_m }) => {
                let center_m = DVec3::from_array(*center_m);
                Self::Submerged(Displacement { volume_m3: *volume_m3, center_m, radius_m: 0.0 })
            }
            BuoyancyParams::Cells(cells) => from_cells(cells),
            BuoyancyParams::Points(params) => from_points(params),
            BuoyancyParams::Mesh(params) => {
                let mesh = Mesh::new(params)?;
                let (volume_m3, center_m, radius_m) = (mesh.volume_m3(), mesh.center_m(), mesh.radius_m());
                Self::Mesh { mesh, whole: Displacement { volume_m3, center_m, radius_m } }
            }
            BuoyancyParams::Waterline(params) => Self::Waterline(*params),
        })
    }

    /// Volume of the whole body, m³.
    pub(crate) fn volume_m3(&self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Submerged(whole)
            | Self::Cells { whole, .. }
            | Self::Points { whole, .. }
            | Self::Mesh { whole, .. } => whole.volume_m3,
            Self::Waterline(params) => params.volume_m3,
        }
    }

    /// Mass of the water that holds the whole body up, kg. None if it floats by stiffness or is not carried by water.
    pub(crate) fn displaced_kg(&self, density_kg_m3: f64) -> Option<f64> {
        match self {
            Self::None | Self::Waterline(_) => None,
            Self::Points { params, whole, .. } => {
                Some((density_kg_m3 * whole.volume_m3).min(params.max_force_n / GRAVITY_M_S2))
            }
            Self::Submerged(whole) | Self::Cells { whole, .. } | Self::Mesh { whole, .. } => {
                Some(density_kg_m3 * whole.volume_m3)
            }
        }
    }

    /// The fastest free oscillation of a hull that floats by stiffness, rad/s, given the inertias on the diagonal.
    pub(crate) fn natural_rate(&self, inertia: [f64; 6]) -> f64 {
        let Self::Waterline(params) = self else { return 0.0 };
        let pairs = [(params.heave_n_m, inertia[2]), (params.roll_n_m, inertia[3]), (params.pitch_n_m, inertia[4])];
        pairs.into_iter().fold(0.0, |most, (stiffness, inertia)| (stiffness / inertia).max(0.0).sqrt().max(most))
    }

    /// Whether forces are counted from a rest position in which the water carries the body already.
    pub(crate) fn balances_weight(&self) -> bool {
        matches!(self, Self::Waterline(_))
    }

    pub(crate) fn support<M: Medium + ?Sized>(&self, at: &Placement, water: &WaterSample, medium: &M) -> Support {
        let density = water.density_kg_m3;
        match self {
            Self::None => Support::default(),
            Self::Submerged(whole) => whole.support(at.up, density),
            Self::Waterline(params) => waterline(params, at, density, medium),
            Self::Cells { whole, .. } | Self::Mesh { whole, .. } if whole.settled(water.surface_m) == Some(true) => {
                whole.support(at.up, density)
            }
            Self::Cells { whole, .. } | Self::Points { whole, .. } | Self::Mesh { whole, .. }
                if whole.settled(water.surface_m) == Some(false) =>
            {
                Support::default()
            }
            Self::Cells { cells, whole } => in_cells(cells, whole, at, density, medium),
            Self::Points { params, points_m, whole } => {
                let is_deep = whole.settled(water.surface_m) == Some(true);
                in_points(params, points_m, at, density, |place| {
                    if is_deep { f64::INFINITY } else { medium.at(place, at.time_s).surface_m }
                })
            }
            Self::Mesh { mesh, whole } => in_mesh(mesh, whole, at, density, medium),
        }
    }
}

fn from_cells(cells: &[CellParams]) -> Buoyancy {
    let volume_m3 = cells.iter().map(|cell| cell.volume_m3).sum::<f64>();
    let moment: DVec3 = cells.iter().map(|cell| DVec3::from_array(cell.center_m) * cell.volume_m3).sum();
    let reach = |cell: &CellParams| DVec3::from_array(cell.center_m).length() + cell.height_m;
    let radius_m = cells.iter().map(reach).fold(0.0, f64::max);
    let prepared = |cell: &CellParams| Cell {
        center_m: DVec3::from_array(cell.center_m),
        volume_m3: cell.volume_m3,
        per_height: 1.0 / cell.height_m,
    };
    let center_m = if volume_m3 > 0.0 { moment / volume_m3 } else { DVec3::ZERO };
    Buoyancy::Cells {
        cells: cells.iter().map(prepared).collect(),
        whole: Displacement { volume_m3, center_m, radius_m },
    }
}

fn from_points(params: &PointParams) -> Buoyancy {
    let points_m: Vec<DVec3> = params.points_m.iter().map(|&point| DVec3::from_array(point)).collect();
    let center_m = params.mean_m();
    let farthest = points_m.iter().map(|point| point.length()).fold(0.0, f64::max);
    let radius_m = farthest + params.depth_before_submerged_m;
    let whole = Displacement { volume_m3: params.volume_m3, center_m, radius_m };
    Buoyancy::Points { params: params.clone(), points_m, whole }
}

fn in_cells<M: Medium + ?Sized>(
    cells: &[Cell],
    whole: &Displacement,
    at: &Placement,
    density: f64,
    medium: &M,
) -> Support {
    let (mut volume, mut moment) = (0.0, DVec3::ZERO);
    for cell in cells {
        let depth = medium.at(at.position_m + at.rotation * cell.center_m, at.time_s).surface_m;
        let part = cell.volume_m3 * (depth * cell.per_height + 0.5).clamp(0.0, 1.0);
        volume += part;
        moment += cell.center_m * part;
    }
    partial_support(volume, moment, whole, at, density)
}

fn in_mesh<M: Medium + ?Sized>(mesh: &Mesh, whole: &Displacement, at: &Placement, density: f64, medium: &M) -> Support {
    let depth_of = |point: DVec3| medium.at(at.position_m + at.rotation * point, at.time_s).surface_m;
    let (volume, moment) = mesh.submerged(at.up, depth_of);
    partial_support(volume, moment, whole, at, density)
}

fn partial_support(volume: f64, moment: DVec3, whole: &Displacement, at: &Placement, density: f64) -> Support {
    if volume <= 0.0 {
        return Support::default();
    }
    let part = Displacement { volume_m3: volume, center_m: moment / volume, radius_m: 0.0 };
    Support { wet: (volume / whole.volume_m3).min(1.0), ..part.support(at.up, density) }
}

/// Points that share a volume and a largest force equally; a point bears its full share from its full depth on.
fn in_points(
    params: &PointParams,
    points_m: &[DVec3],
    at: &Placement,
    density: f64,
    depth_at: impl Fn(DVec3) -> f64,
) -> Support {
    let full_n = density * GRAVITY_M_S2 * params.volume_m3;
    let share = 1.0 / points_m.len() as f64;
    let (mut support, mut moment) = (Support::default(), DVec3::ZERO);
    for &point in points_m {
        let depth = depth_at(at.position_m + at.rotation * point);
        let fraction = (depth / params.depth_before_submerged_m).clamp(0.0, 1.0);
        let force_n = (full_n * fraction).min(params.max_force_n) * share;
        support.wrench += Vec6::from_force_at(at.up * force_n, point);
        support.wet += fraction * share;
        moment += point * (fraction * share);
    }
    if support.wet > 0.0 {
        support.center_m = moment / support.wet;
    }
    support.displaced_kg = density * params.volume_m3 * support.wet;
    support
}

/// Linear stiffness of heave, roll and pitch against the plane through four places of the surface, and the payload's
/// weight.
fn waterline<M: Medium + ?Sized>(params: &WaterlineParams, at: &Placement, density: f64, medium: &M) -> Support {
    let (nose, side, mast) = (at.rotation.x_axis, at.rotation.y_axis, at.rotation.z_axis);
    let (pitch_rad, roll_rad) = (ops::asin((-nose.z).clamp(-1.0, 1.0)), ops::atan2(side.z, mast.z));
    // A vessel that stands on its bow has no heading; it has left the model anyway.
    let ahead_of = DVec3::new(nose.x, nose.y, 0.0).normalize_or(DVec3::X);
    let left_of = DVec3::new(-ahead_of.y, ahead_of.x, 0.0);
    let [ahead, aside] = params.half_extent_m;
    let surface = |x: f64, y: f64| medium.at(at.position_m + ahead_of * x + left_of * y, at.time_s).surface_m;
    let (bow, stern, left, right) =
        (surface(ahead, 0.0), surface(-ahead, 0.0), surface(0.0, aside), surface(0.0, -aside));
    let heave = -0.25 * (bow + stern + left + right);
    let pitch = pitch_rad + (bow - stern) / (2.0 * ahead);
    let roll = roll_rad - (left - right) / (2.0 * aside);
    let force = -params.heave_n_m * heave - params.heave_pitch_n * pitch;
    let moment_left = -params.heave_pitch_n * heave - params.pitch_n_m * pitch;
    let stiffness = Vec6::new(DVec3::new(0.0, 0.0, force), DVec3::new(-params.roll_n_m * roll, moment_left, 0.0));
    let weight = at.up * (-params.payload_kg * GRAVITY_M_S2);
    let payload = Vec6::from_force_at(weight, DVec3::from_array(params.payload_at_m));
    Support { wrench: stiffness + payload, wet: 1.0, displaced_kg: density * params.volume_m3, center_m: DVec3::ZERO }
}
