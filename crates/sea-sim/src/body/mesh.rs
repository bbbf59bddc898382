//! Hydrostatics of closed triangle meshes: volume, pressure on submerged triangles, clipping at the surface.
//!
//! The pressure on a flat triangle is linear in depth, so force and centre of pressure have closed forms: with corner
//! depths `d_i`, mean `d` and area `A`, the force is `rho g d A`, and the moment of the depths puts the centre at
//! `sum(p_i (d_i + 3 d)) / (12 d)`.

use super::params::MeshParams;
use crate::check;
use glam::DVec3;
use sim_core::ParamError;

/// A closed mesh, its volume and the centre of that volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices_m: Vec<DVec3>,
    triangles: Vec<[usize; 3]>,
    volume_m3: f64,
    center_m: DVec3,
}

impl Mesh {
    /// A mesh from its corners and triangles.
    ///
    /// # Errors
    /// If a corner is not finite, a scale is not above 0, a triangle names no corner, an edge has not two triangles in opposite directions,
    /// or the volume is not positive: the triangles must be counter-clockwise seen from outside.
    pub fn new(params: &MeshParams) -> Result<Self, ParamError> {
        const NAME: &str = "body.buoyancy.mesh.triangles";
        params.vertices_m.iter().try_for_each(|v| check::all_finite("body.buoyancy.mesh.vertices_m", v))?;
        check::not_empty(NAME, params.triangles.len())?;
        params.scale.iter().try_for_each(|&factor| check::positive("body.buoyancy.mesh.scale", factor))?;
        let scale = DVec3::from_array(params.scale);
        let vertices_m: Vec<DVec3> = params.vertices_m.iter().map(|&v| DVec3::from_array(v) * scale).collect();
        let triangles: Vec<[usize; 3]> = params.triangles.iter().map(|corners| corners.map(|c| c as usize)).collect();
        if let Some(corner) = triangles.iter().flatten().find(|&&corner| corner >= vertices_m.len()) {
            let last = vertices_m.len() as i64 - 1;
            return Err(ParamError::new(NAME, format!("names the corner {corner}, the last one is {last}")));
        }
        check_closed(NAME, &triangles)?;
        let (volume_m3, moment) = volume_and_moment(&vertices_m, &triangles);
        if volume_m3 <= 0.0 {
            return Err(ParamError::new(
                NAME,
                format!("encloses {volume_m3} m³: turn the triangles counter-clockwise seen from outside"),
            ));
        }
        Ok(Self { vertices_m, triangles, volume_m3, center_m: moment / volume_m3 })
    }

    /// Volume, m³.
    #[must_use]
    pub fn volume_m3(&self) -> f64 {
        self.volume_m3
    }

    /// Centre of the volume, m.
    #[must_use]
    pub fn center_m(&self) -> DVec3 {
        self.center_m
    }

    /// Distance of the farthest corner from the origin, m.
    #[must_use]
    pub fn radius_m(&self) -> f64 {
        self.vertices_m.iter().fold(0.0, |most, v| v.length().max(most))
    }

    /// Volume under water (m³) and its first moment (m⁴) across `up`, for the depth of each corner. Clips at the
    /// depth 0.
    ///
    /// The vertical part of the pressure on the wet surface is the weight of the water displaced.
    #[must_use]
    pub fn submerged(&self, up: DVec3, depth_of: impl Fn(DVec3) -> f64) -> (f64, DVec3) {
        let (mut volume, mut moment) = (0.0, DVec3::ZERO);
        for corners in &self.triangles {
            let points = corners.map(|corner| self.vertices_m[corner]);
            let mut add = |p: [DVec3; 3], d: [f64; 3]| {
                let column = vertical_column(up, p, d);
                volume += column.0;
                moment += column.1;
            };
            for_each_wet_part(points, points.map(&depth_of), &mut add);
        }
        (volume, moment)
    }
}

/// Refuses a surface that has a hole or an edge used twice in one direction.
fn check_closed(field: &'static str, triangles: &[[usize; 3]]) -> Result<(), ParamError> {
    let mut edges: Vec<(usize, usize)> = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.sort_unstable();
    let open = edges.iter().find(|(from, to)| edges.binary_search(&(*to, *from)).is_err());
    let twice = edges.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| &pair[0]);
    match open.or(twice) {
        None => Ok(()),
        Some((from, to)) => {
            let message =
                format!("is no closed surface: the edge from corner {from} to {to} has not one triangle on each side");
            Err(ParamError::new(field, message))
        }
    }
}

/// Volume enclosed and its first moment, by signed tetrahedra from the origin.
fn volume_and_moment(vertices: &[DVec3], triangles: &[[usize; 3]]) -> (f64, DVec3) {
    triangles.iter().fold((0.0, DVec3::ZERO), |(volume, moment), corners| {
        let [a, b, c] = corners.map(|corner| vertices[corner]);
        let part = a.dot(b.cross(c)) / 6.0;
        (volume + part, moment + (a + b + c) * (0.25 * part))
    })
}

/// Force of hydrostatic pressure on a submerged triangle over `rho g` (m³), and the centre of pressure.
#[must_use]
pub fn pressure_on_triangle(points: [DVec3; 3], depths_m: [f64; 3]) -> (f64, DVec3) {
    let [a, b, c] = points;
    let area = 0.5 * (b - a).cross(c - a).length();
    let total: f64 = depths_m.iter().sum();
    if total <= 0.0 {
        return (0.0, (a + b + c) / 3.0);
    }
    let weighted: DVec3 = points.iter().zip(depths_m).map(|(&p, d)| p * (d + total)).sum();
    (area * total / 3.0, weighted / (4.0 * total))
}

/// Upward part of the pressure on a submerged triangle over `rho g`, and that part times the centre of pressure.
fn vertical_column(up: DVec3, points: [DVec3; 3], depths_m: [f64; 3]) -> (f64, DVec3) {
    let [a, b, c] = points;
    let normal_up = 0.5 * (b - a).cross(c - a).dot(up);
    let total: f64 = depths_m.iter().sum();
    let volume = -normal_up * total / 3.0;
    let weighted: DVec3 = points.iter().zip(depths_m).map(|(&p, d)| p * (d + total)).sum();
    (volume, weighted * (-normal_up / 12.0))
}

/// Calls `add` with the triangles that make up the part of a triangle under water.
fn for_each_wet_part(points: [DVec3; 3], depths: [f64; 3], add: &mut impl FnMut([DVec3; 3], [f64; 3])) {
    let wet = depths.map(|d| d > 0.0);
    match wet.iter().filter(|&&is_wet| is_wet).count() {
        0 => {}
        3 => add(points, depths),
        count => {
            // The corner that stands alone: the wet one of one, or the dry one of two.
            let alone = wet.iter().position(|&is_wet| is_wet == (count == 1)).unwrap_or(0);
            let [i, j, k] = [alone, (alone + 1) % 3, (alone + 2) % 3];
            let cut = |n: usize| points[i] + (points[n] - points[i]) * (depths[i] / (depths[i] - depths[n]));
            let (to_j, to_k) = (cut(j), cut(k));
            if count == 1 {
                add([points[i], to_j, to_k], [depths[i], 0.0, 0.0]);
            } else {
                add([to_j, points[j], points[k]], [0.0, depths[j], depths[k]]);
                add([to_j, points[k], to_k], [0.0, depths[k], 0.0]);
            }
        }
    }
}
