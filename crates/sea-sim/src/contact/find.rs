//! Where surfaces may meet during a step.
//!
//! A capsule meets a grid of heights at its ends over faces, and anywhere along its axis over convex edges and at posts. A place counts if
//! it is a local minimum of the distance: the direction from the bottom to the axis must not lean over a neighbouring face. So a flat
//! piece of bottom acts like one plane, however finely it is cut.

use super::closest::{share_along, shares_between};
use super::hull::{Capsule, Hull};
use super::sweep::sweep;
use super::{Contact, ContactBody, Round, Touched};
use crate::pose::Pose;
use crate::terrain::{Cell, HeightGrid, Material, Terrain};
use sim_core::DVec3;

/// Most places where one capsule meets the bottom: the nearest ones.
const MAX_PLACES: usize = 8;

/// A bend of the bottom below this (m of height a m) is none.
const FLATNESS: f64 = 1e-9;

/// Places nearer than this that face the same way are one, m.
const SAME_PLACE_M: f64 = 1e-6;

/// Axes nearer to each other than this cross: the direction between them is that of rounding, m.
const CROSSING_M: f64 = 1e-9;

/// A place where a capsule may meet something.
#[derive(Clone, Copy)]
struct Place {
    point_m: DVec3,
    normal: DVec3,
    gap_m: f64,
    material: Material,
    rounds: [Round; 2],
}

impl Place {
    fn contact(self, body: usize, touched: Touched) -> Contact {
        let Self { point_m, normal, gap_m, rounds, .. } = self;
        Contact { body, touched, point_m, normal, gap_m, impulse_n_s: 0.0, rounds }
    }
}

/// The nearest places of a capsule, nearest first.
struct Places {
    places: [Option<Place>; MAX_PLACES],
    /// Places farther than this cannot be reached.
    reach_m: f64,
}

impl Places {
    fn add(&mut self, place: Place) {
        // A place that is not a number is none.
        if place.gap_m > self.reach_m || place.gap_m.is_nan() {
            return;
        }
        let same = |other: &Place| {
            other.point_m.distance_squared(place.point_m) < SAME_PLACE_M * SAME_PLACE_M
                && other.normal.dot(place.normal) > 1.0 - FLATNESS
        };
        if self.places.iter().flatten().any(same) {
            return;
        }
        let Some(at) = self.places.iter().position(|other| other.is_none_or(|other| place.gap_m < other.gap_m)) else {
            return;
        };
        self.places[at..].rotate_right(1);
        self.places[at] = Some(place);
    }
}

/// Contacts of a body with the bottom.
pub(super) fn bottom(index: usize, body: &ContactBody<'_>, terrain: &Terrain, mut add: impl FnMut(Contact)) {
    let reach_m = body.reach_m();
    for capsule in body.hull.capsules() {
        let capsule = capsule.at(&body.pose);
        let mut places = Places { places: [None; MAX_PLACES], reach_m };
        match terrain {
            Terrain::Flat(flat) => capsule.ends_m.into_iter().for_each(|end| {
                places.add(over_plane(&capsule, end, end.with_z(flat.z_m()), DVec3::Z, flat.material()));
            }),
            Terrain::Grid(grid) => CapsuleOverGrid { capsule: &capsule, grid }.find(&mut places),
        }
        let found = places.places.into_iter().flatten();
        found.for_each(|place| add(place.contact(index, Touched::Bottom(place.material))));
    }
}

/// A point of the axis over (or under) a plane.
fn over_plane(capsule: &Capsule, axis: DVec3, on_plane: DVec3, normal: DVec3, material: Material) -> Place {
    let height = (axis - on_plane).dot(normal);
    let round = Round { axis_m: axis, radius_m: capsule.radius_m };
    let rounds = [round, Round::default()];
    Place { point_m: axis - normal * height, normal, gap_m: height - capsule.radius_m, material, rounds }
}

struct CapsuleOverGrid<'a> {
    capsule: &'a Capsule,
    grid: &'a HeightGrid,
}

impl CapsuleOverGrid<'_> {
    fn find(&self, places: &mut Places) {
        let [a, b] = self.capsule.ends_m;
        let margin = DVec3::splat(self.capsule.radius_m + places.reach_m);
        let (low, high) = (a.min(b) - margin, a.max(b) + margin);
        let Some([from, to]) = self.grid.cells_between(low.truncate(), high.truncate()) else {
            return;
        };
        for row in from.row..=to.row {
            for column in from.column..=to.column {
                let cell = Cell { column, row };
                // Nothing of the cell is as high as the lowest point of the capsule can come.
                if self.grid.corners(cell).iter().all(|post| post.z < low.z) {
                    continue;
                }
                self.cell(cell, places);
            }
        }
    }

    /// Faces of a cell, its southern and western edges and diagonal, its south-western post, and those of the far side. Neighbouring cells
    /// share edges and posts; what is found twice counts once.
    fn cell(&self, cell: Cell, places: &mut Places) {
        let material = self.grid.material(cell);
        let [south_west, south_east, north_west, north_east] = self.grid.corners(cell);
        for end in self.capsule.ends_m {
            if let Some(place) = self.below_ground(end) {
                places.add(place);
                continue;
            }
            for triangle in self.grid.triangles(cell) {
                self.over_face(end, triangle, material, places);
            }
        }
        let beyond = |column: isize, row: isize| self.grid.post_beside(cell, column, row);
        let edges = [
            ([south_west, north_east], [Some(south_east), Some(north_west)]),
            ([south_west, south_east], [Some(north_east), beyond(0, -1)]),
            ([south_west, north_west], [Some(north_east), beyond(-1, 0)]),
            ([north_west, north_east], [Some(south_west), beyond(1, 2)]),
            ([south_east, north_east], [Some(south_west), beyond(2, 1)]),
        ];
        for (edge, beside) in edges {
            self.over_edge(edge, beside, material, places);
        }
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            self.over_post(cell, (column, row), material, places);
        }
    }

    /// A point of the axis that is under the bottom: the face above it pushes it out.
    fn below_ground(&self, axis: DVec3) -> Option<Place> {
        let ground = self.grid.ground(axis.x, axis.y).filter(|ground| axis.z < ground.z_m)?;
        Some(over_plane(self.capsule, axis, axis.with_z(ground.z_m), ground.normal, ground.material))
    }

    fn over_face(&self, end: DVec3, [a, b, c]: [DVec3; 3], material: Material, places: &mut Places) {
        let normal = (b - a).cross(c - a).normalize();
        let inside = [(a, b), (b, c), (c, a)].iter().all(|&(p, q)| (q - p).cross(end - p).dot(normal) >= 0.0);
        if inside {
            places.add(over_plane(self.capsule, end, a, normal, material));
        }
    }

    fn over_edge(&self, edge: [DVec3; 2], beside: [Option<DVec3>; 2], material: Material, places: &mut Places) {
        if !is_convex(edge, beside) {
            return;
        }
        let (on_axis, on_edge) = shares_between(self.capsule.ends_m, edge);
        if on_edge <= 0.0 || on_edge >= 1.0 {
            return;
        }
        let (axis, foot) =
            (self.capsule.ends_m[0].lerp(self.capsule.ends_m[1], on_axis), edge[0].lerp(edge[1], on_edge));
        if let Some(place) = self.below_ground(axis) {
            places.add(place);
            return;
        }
        let along = edge[1] - edge[0];
        let leans_over = |third: DVec3| {
            let into = third - edge[0];
            let across = into - along * (into.dot(along) / along.length_squared());
            (axis - foot).dot(across) > 0.0
        };
        if !beside.into_iter().flatten().any(leans_over) {
            self.add_round(axis, foot, material, places);
        }
    }

    fn over_post(&self, cell: Cell, (column, row): (isize, isize), material: Material, places: &mut Places) {
        let Some(post) = self.grid.post_beside(cell, column, row) else {
            return;
        };
        let ends = self.capsule.ends_m;
        let axis = ends[0].lerp(ends[1], share_along(ends, post));
        if let Some(place) = self.below_ground(axis) {
            places.add(place);
            return;
        }
        let around = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];
        let neighbours = around.into_iter().filter_map(|(x, y)| self.grid.post_beside(cell, column + x, row + y));
        if neighbours.into_iter().all(|neighbour| (axis - post).dot(neighbour - post) <= 0.0) {
            self.add_round(axis, post, material, places);
        }
    }

    /// A point of the axis over a convex edge or a post.
    fn add_round(&self, axis: DVec3, foot: DVec3, material: Material, places: &mut Places) {
        let (offset, distance) = (axis - foot, axis.distance(foot));
        if distance > 0.0 {
            places.add(over_plane(self.capsule, axis, foot, offset / distance, material));
        }
    }
}

/// The direction in which a capsule leaves another whose axis it crosses: towards its body's origin, or else across both axes.
fn out_of(capsules: &[&Capsule; 2], apart: DVec3) -> DVec3 {
    let [one, other] = capsules.map(|capsule| capsule.ends_m[1] - capsule.ends_m[0]);
    let along = if one == DVec3::ZERO { other } else { one };
    let beside = || along.try_normalize().map(|along| along.any_orthonormal_vector());
    let directions = [apart.try_normalize(), one.cross(other).try_normalize()];
    directions.into_iter().flatten().next().or_else(beside).unwrap_or(DVec3::Z)
}

/// True if the two faces beside an edge bend downwards from it, or one is missing.
fn is_convex([a, b]: [DVec3; 2], beside: [Option<DVec3>; 2]) -> bool {
    let [Some(left), Some(right)] = beside else {
        return true;
    };
    let normal = (b - a).cross(left - a).normalize();
    let upwards = if normal.z < 0.0 { -normal } else { normal };
    let across = right - a;
    upwards.dot(across) < -FLATNESS * across.length()
}

/// Contacts between bodies: of those whose surroundings overlap.
pub(super) fn pairs(bodies: &[ContactBody<'_>], neighbours: &mut Neighbours, contacts: &mut Vec<Contact>) {
    neighbours.find(bodies);
    for &(first, second) in &neighbours.pairs {
        pair(bodies, first, second, contacts);
    }
}

/// Pairs of bodies that may meet, and the buffers to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    /// Bodies along the axis on which they spread most.
    along: Vec<usize>,
    /// How far any point of each may be from its origin during the step, m.
    radii_m: Vec<f64>,
    /// In the order of bodies, whatever their places.
    pairs: Vec<(usize, usize)>,
}

impl Neighbours {
    fn find(&mut self, bodies: &[ContactBody<'_>]) {
        let Self { along, radii_m, pairs } = self;
        radii_m.clear();
        radii_m.extend(bodies.iter().map(|body| body.hull.radius_m() + body.reach_m()));
        pairs.clear();
        sweep(
            along,
            |body| bodies[body].pose.position_m,
            radii_m,
            |first, second| pairs.push((first.min(second), first.max(second))),
        );
        pairs.sort_unstable();
    }
}

fn pair(bodies: &[ContactBody<'_>], first: usize, second: usize, contacts: &mut Vec<Contact>) {
    let (a, b) = (&bodies[first], &bodies[second]);
    let reach_m = a.reach_m() + b.reach_m();
    for one in a.hull.capsules().iter().map(|capsule| capsule.at(&a.pose)) {
        for other in b.hull.capsules().iter().map(|capsule| capsule.at(&b.pose)) {
            let mut places = Places { places: [None; MAX_PLACES], reach_m };
            between(&one, &other, a.pose.position_m - b.pose.position_m, &mut places);
            let found = places.places.into_iter().flatten();
            contacts.extend(found.map(|place| place.contact(first, Touched::Body(second))));
        }
    }
}

/// Distance between two hulls at their poses, m; negative where they overlap.
#[must_use]
pub fn hull_distance_m(one: (&Hull, &Pose), other: (&Hull, &Pose)) -> f64 {
    let mut least_m = f64::INFINITY;
    for a in one.0.capsules().iter().map(|capsule| capsule.at(one.1)) {
        for b in other.0.capsules().iter().map(|capsule| capsule.at(other.1)) {
            let (s, t) = shares_between(a.ends_m, b.ends_m);
            let axes_m = a.ends_m[0].lerp(a.ends_m[1], s).distance(b.ends_m[0].lerp(b.ends_m[1], t));
            least_m = least_m.min(axes_m - a.radius_m - b.radius_m);
        }
    }
    least_m
}

/// How deep a hull at a pose lies in the bottom, m; 0 if it does not.
#[must_use]
pub fn depth_in_bottom_m(hull: &Hull, pose: &Pose, terrain: &Terrain) -> f64 {
    let body =
        ContactBody { hull, pose: *pose, displacement: [0.0; 6], velocity: [0.0; 6], inverse_mass: [[0.0; 6]; 6] };
    let mut deepest_m = 0.0_f64;
    bottom(0, &body, terrain, |contact| deepest_m = deepest_m.max(-contact.gap_m));
    deepest_m
}

/// Places where two capsules may meet: where they are nearest, and at their ends, so that one that lies along another rests on two places.
fn between(one: &Capsule, other: &Capsule, apart: DVec3, places: &mut Places) {
    let ([a, b], [c, d]) = (one.ends_m, other.ends_m);
    let nearest = shares_between(one.ends_m, other.ends_m);
    let ends = [
        (0.0, share_along(other.ends_m, a)),
        (1.0, share_along(other.ends_m, b)),
        (share_along(one.ends_m, c), 0.0),
        (share_along(one.ends_m, d), 1.0),
    ];
    for (s, t) in [nearest].into_iter().chain(ends) {
        let (p, q) = (a.lerp(b, s), c.lerp(d, t));
        let distance = p.distance(q);
        let normal = if distance > CROSSING_M { (p - q) / distance } else { out_of(&[one, other], apart) };
        let gap_m = distance - one.radius_m - other.radius_m;
        let point_m = q + normal * (other.radius_m + 0.5 * gap_m);
        let round = |axis_m: DVec3, capsule: &Capsule| Round { axis_m, radius_m: capsule.radius_m };
        let rounds = [round(p, one), round(q, other)];
        places.add(Place { point_m, normal, gap_m, material: Material::default(), rounds });
    }
}
