//! Contact: closed forms of impulses, rest, sliding, and what must not happen.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use glam::DQuat;
use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::query::distance;
use parry3d_f64::shape::{Capsule as ParryCapsule, TriMesh};
use sea_sim::contact::{
    Capsule, ContactBody, ContactLaw, ContactParams, ContactSolver, Hull, MaterialTable, Touched, depth_in_bottom_m,
    hull_distance_m,
};
use sea_sim::pose::{Pose, Twist, halves, twist};
use sea_sim::terrain::{FlatBottom, GeneratedParams, HeightGrid, HeightGridParams, Material, Terrain};
use sim_core::{DVec2, DVec3, Purpose, RunKey, Stream, ops};
use std::f64::consts::FRAC_PI_2;

const DT: f64 = 0.02;
/// A slender vehicle: mass with added mass, kg and kg m^2, about the middle of its length. Sideways it carries its own mass of water.
const MASS: Twist = [16.0, 30.0, 30.0, 0.04, 5.0, 5.0];
const RADIUS_M: f64 = 0.07;
const LENGTH_M: f64 = 1.32;
/// Weight less buoyancy.
const NET_WEIGHT_N: f64 = 8.0;

fn stream(n: u64) -> Stream {
    RunKey { seed: 11, run_index: 0 }.stream(Purpose::new(1000), n, 0)
}

fn torpedo() -> Hull {
    Hull::new(vec![Capsule::along_x(LENGTH_M, RADIUS_M)]).unwrap()
}

fn inverse_of(mass: &Twist) -> [[f64; 6]; 6] {
    std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 1.0 / mass[row] } else { 0.0 }))
}

fn body<'a>(hull: &'a Hull, position_m: DVec3, velocity: Twist) -> ContactBody<'a> {
    let pose = Pose { position_m, world_from_body: DQuat::IDENTITY };
    ContactBody { hull, pose, displacement: velocity.map(|v| v * DT), velocity, inverse_mass: inverse_of(&MASS) }
}

/// Makes the step so short that poses do not change, as closed forms of impulses have it.
fn at_once(bodies: &mut [ContactBody<'_>]) {
    bodies.iter_mut().for_each(|body| body.displacement = body.velocity.map(|v| v * 1e-12));
}

fn flat(z_m: f64) -> Terrain {
    Terrain::Flat(FlatBottom::new(z_m, Material(1)).unwrap())
}

fn hills(relief_m: f64, slope: DVec2) -> Terrain {
    let params = GeneratedParams {
        origin_m: DVec2::splat(-30.0),
        cell_m: 0.5,
        posts: [121, 121],
        base_z_m: -5.0,
        slope,
        relief_m,
        feature_m: 4.0,
        layers: 3,
        material: Material(1),
    };
    Terrain::Grid(HeightGrid::generated(&params, RunKey { seed: 2, run_index: 0 }).unwrap())
}

/// A vehicle that sinks: mass matrix above, net weight at its origin, linear damping 1/s.
#[derive(Debug)]
struct Sinking {
    pose: Pose,
    velocity: Twist,
    damping_1_s: f64,
}

impl Sinking {
    fn at(position_m: DVec3, world_from_body: DQuat) -> Self {
        Self { pose: Pose { position_m, world_from_body }, velocity: [0.0; 6], damping_1_s: 0.5 }
    }

    /// The step without contact: velocity changes evenly, the displacement is that of the mean velocity.
    fn free<'a>(&self, hull: &'a Hull) -> ContactBody<'a> {
        let weight = self.pose.in_body(DVec3::new(0.0, 0.0, -NET_WEIGHT_N));
        let force = twist(weight, DVec3::ZERO);
        let velocity: Twist =
            std::array::from_fn(|n| self.velocity[n] + DT * (force[n] / MASS[n] - self.damping_1_s * self.velocity[n]));
        let displacement = std::array::from_fn(|n| 0.5 * DT * (self.velocity[n] + velocity[n]));
        ContactBody { hull, pose: self.pose, displacement, velocity, inverse_mass: inverse_of(&MASS) }
    }

    fn step(&mut self, hull: &Hull, solver: &mut ContactSolver, terrain: &Terrain, law: &dyn ContactLaw) -> bool {
        let mut bodies = [self.free(hull)];
        let touched = solver.resolve(&mut bodies, Some(terrain), law).iter().any(|contact| contact.impulse_n_s > 0.0);
        (self.pose, self.velocity) = (bodies[0].end_pose(), bodies[0].velocity);
        touched
    }

    fn run(&mut self, seconds: f64, terrain: &Terrain, law: &dyn ContactLaw) {
        let (hull, mut solver) = (torpedo(), ContactSolver::default());
        (0..(seconds / DT) as u32).for_each(|_| {
            self.step(&hull, &mut solver, terrain, law);
        });
    }

    /// Points of the axis.
    fn axis(&self) -> impl Iterator<Item = DVec3> {
        let half = 0.5 * LENGTH_M - RADIUS_M;
        (-10..=10).map(move |n| self.pose.point_m(DVec3::new(half * f64::from(n) / 10.0, 0.0, 0.0)))
    }

    fn energy_j(&self) -> f64 {
        0.5 * self.velocity.iter().zip(MASS).map(|(v, m)| m * v * v).sum::<f64>()
            + NET_WEIGHT_N * self.pose.position_m.z
    }
}

/// A sphere 0.5 m ahead of the origin hits the bottom at 1 m/s: p = (1 + e) v/(1/M33 + x^2/M55).
#[test]
fn one_impulse_obeys_the_full_mass_matrix() {
    for restitution in [0.0, 0.4] {
        let hull = Hull::new(vec![Capsule::sphere(DVec3::new(0.5, 0.0, 0.0), 0.1)]).unwrap();
        let mut bodies = [body(&hull, DVec3::new(3.0, -2.0, 0.1), [0.0, 0.0, -1.0, 0.0, 0.0, 0.0])];
        at_once(&mut bodies);
        let params = ContactParams { friction: 0.0, restitution };
        let mut solver = ContactSolver::default();
        let contacts = solver.resolve(&mut bodies, Some(&flat(0.0)), &params);
        let impulse = (1.0 + restitution) / (1.0 / MASS[2] + 0.25 / MASS[4]);
        assert_eq!(contacts.len(), 1);
        assert_eq!(contacts[0].touched, Touched::Bottom(Material(1)));
        assert!((contacts[0].impulse_n_s - impulse).abs() < 1e-9, "{contacts:?}");
        // The lift at the nose pitches it up: a negative turn about y, which points left.
        let [u, v, w, p, q, r] = bodies[0].velocity;
        assert!((w - (-1.0 + impulse / MASS[2])).abs() < 1e-9 && (q + 0.5 * impulse / MASS[4]).abs() < 1e-3, "{w} {q}");
        assert!(u.abs() < 2e-3 && v == 0.0 && p == 0.0 && r == 0.0, "{u}");
        let lowest = bodies[0].end_pose().point_m(DVec3::new(0.5, 0.0, 0.0)).z - 0.1;
        assert!(lowest.abs() < 1e-4, "{lowest}");
    }
}

/// Struck amidships the vehicle answers with M22, at its nose with 1/M22 + x^2/M66: not with its dry mass.
#[test]
fn a_sideways_bump_is_shared_by_both_vehicles() {
    let (hull, ball) = (torpedo(), Hull::new(vec![Capsule::sphere(DVec3::ZERO, 0.1)]).unwrap());
    for x in [0.0, 0.4] {
        let mut bodies = [
            body(&hull, DVec3::ZERO, [0.0; 6]),
            body(&ball, DVec3::new(x, 0.17, 0.0), [0.0, -2.0, 0.0, 0.0, 0.0, 0.0]),
        ];
        at_once(&mut bodies);
        let params = ContactParams { friction: 0.0, restitution: 0.0 };
        let mut solver = ContactSolver::default();
        let contacts = solver.resolve(&mut bodies, None, &params).to_vec();
        let response = 1.0 / MASS[1] + x * x / MASS[5] + 1.0 / MASS[1];
        let impulse: f64 = contacts.iter().map(|contact| contact.impulse_n_s).sum();
        assert!((impulse - 2.0 / response).abs() < 1e-9, "{impulse} {contacts:?}");
        assert_eq!((contacts[0].body, contacts[0].touched), (0, Touched::Body(1)));
        assert!((bodies[0].velocity[1] + impulse / MASS[1]).abs() < 1e-9);
        assert!((bodies[0].velocity[5] + x * impulse / MASS[5]).abs() < 1e-9);
        assert!((bodies[1].velocity[1] - (-2.0 + impulse / MASS[1])).abs() < 1e-12);
    }
}

#[test]
fn a_vehicle_rests_without_creeping() {
    for (terrain, attitude) in [
        (flat(-5.0), DQuat::from_rotation_z(0.4)),
        (hills(0.0, DVec2::ZERO), DQuat::from_rotation_y(0.3)),
        // 20 degrees; friction 0.5 holds up to 26.6.
        (hills(0.0, DVec2::new(0.364, 0.0)), DQuat::IDENTITY),
        (hills(0.0, DVec2::new(0.2, 0.3)), DQuat::from_rotation_z(0.982_793_723_247_329)),
    ] {
        let mut vehicle = Sinking::at(DVec3::new(0.3, 0.2, -4.0), attitude);
        vehicle.run(20.0, &terrain, &ContactParams::default());
        let before = vehicle.pose.position_m;
        vehicle.run(60.0, &terrain, &ContactParams::default());
        let crept = vehicle.pose.position_m.distance(before);
        assert!(crept < 1e-6, "{crept} m: {vehicle:?}", vehicle = vehicle.pose);
        let ground = terrain.ground(before.x, before.y).unwrap();
        let gap = (vehicle.pose.position_m.z - ground.z_m) * ground.normal.z - RADIUS_M;
        assert!(gap.abs() < 1e-4, "{gap}");
    }
}

/// On a slope of angle a above the friction angle: acceleration w (sin a - mu cos a)/M11 along it.
#[test]
fn a_vehicle_slides_down_a_steep_slope() {
    let angle = 0.6;
    let terrain = hills(0.0, DVec2::new(ops::tan(angle), 0.0));
    let normal = DVec3::new(-ops::sin(angle), 0.0, ops::cos(angle));
    let place = DVec3::new(5.0, 0.1, -5.0 + 5.0 * ops::tan(angle)) + normal * RADIUS_M;
    // Nose uphill: pitching up is a negative turn about y.
    let mut vehicle = Sinking { damping_1_s: 0.0, ..Sinking::at(place, DQuat::from_rotation_y(-angle)) };
    vehicle.run(1.0, &terrain, &ContactParams::default());
    let acceleration = NET_WEIGHT_N * (ops::sin(angle) - 0.5 * ops::cos(angle)) / MASS[0];
    assert!((vehicle.velocity[0] + acceleration).abs() < 1e-6, "{:?} {acceleration}", vehicle.velocity);
    assert!((vehicle.pose.position_m.distance(place) - 0.5 * acceleration).abs() < 1e-6);
}

/// A plane that rises eastwards at an angle: material 1 in its southern half (y below 0), material 2 in its northern half.
fn two_materials(angle: f64) -> Terrain {
    let heights_m = [-30.0, 0.0, 30.0].map(|x: f64| -5.0 + x * ops::tan(angle)).repeat(3);
    let materials = [Material(1), Material(1), Material(2), Material(2)].to_vec();
    let origin_m = DVec2::splat(-30.0);
    let params = HeightGridParams { origin_m, cell_m: 30.0, columns: 3, rows: 3, heights_m, materials };
    Terrain::Grid(HeightGrid::new(params).unwrap())
}

/// Friction 0.6 on material 1 (31.0 degrees), 0.2 on material 2 (11.3 degrees), 0 on all others.
fn rough_and_smooth() -> MaterialTable {
    let of = |friction| ContactParams { friction, restitution: 0.0 };
    MaterialTable::new(of(0.0), &[(Material(1), of(0.6)), (Material(2), of(0.2))]).unwrap()
}

/// On each material a body stays below the friction angle of that material, and above it slides with w (sin a - mu cos a)/M11.
#[test]
fn each_material_has_its_own_friction_angle() {
    for (angle_deg, friction, y_m) in
        [(30.0_f64, 0.6, -3.0), (32.0, 0.6, -3.0), (10.5, 0.2, 3.0), (12.5, 0.2, 3.0), (30.0, 0.2, 3.0)]
    {
        let angle = angle_deg.to_radians();
        let terrain = two_materials(angle);
        let normal = DVec3::new(-ops::sin(angle), 0.0, ops::cos(angle));
        let place = DVec3::new(5.0, y_m, -5.0 + 5.0 * ops::tan(angle)) + normal * RADIUS_M;
        let mut vehicle = Sinking { damping_1_s: 0.0, ..Sinking::at(place, DQuat::from_rotation_y(-angle)) };
        vehicle.run(1.0, &terrain, &rough_and_smooth());
        let drive = ops::sin(angle) - friction * ops::cos(angle);
        assert!(drive.abs() > 0.01, "the case tells nothing: {drive}");
        let acceleration = (NET_WEIGHT_N * drive / MASS[0]).max(0.0);
        let slid_m = vehicle.pose.position_m.distance(place);
        assert!((slid_m - 0.5 * acceleration).abs() < 1e-6, "{angle_deg} deg, {friction}: {slid_m}");
        assert!((vehicle.velocity[0] + acceleration).abs() < 1e-6, "{angle_deg} deg, {friction}: {vehicle:?}");
    }
}

/// The same blow on two materials: each gives back its own share of the approach speed, in one call of the solver.
#[test]
fn each_material_has_its_own_restitution() {
    let of = |restitution| ContactParams { friction: 0.0, restitution };
    let table = MaterialTable::new(of(0.1), &[(Material(1), of(0.5)), (Material(2), of(0.25))]).unwrap();
    let ball = Hull::new(vec![Capsule::sphere(DVec3::ZERO, 0.1)]).unwrap();
    let falling = |place: DVec3| body(&ball, place, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    let mut bodies = [falling(DVec3::new(-9.0, -9.0, -4.9)), falling(DVec3::new(-9.0, 9.0, -4.9))];
    at_once(&mut bodies);
    ContactSolver::default().resolve(&mut bodies, Some(&two_materials(0.0)), &table);
    assert!((bodies[0].velocity[2] - 0.5).abs() < 1e-9 && (bodies[1].velocity[2] - 0.25).abs() < 1e-9, "{bodies:?}");
    // Between bodies, and on a material that the table does not list.
    let mut pair = [body(&ball, DVec3::ZERO, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), body(&ball, DVec3::X * 0.2, [0.0; 6])];
    at_once(&mut pair);
    ContactSolver::default().resolve(&mut pair, None, &table);
    assert!((pair[1].velocity[0] - pair[0].velocity[0] - 0.1).abs() < 1e-9, "{pair:?}");
    assert_eq!(table.between(Touched::Bottom(Material(7))), of(0.1));
}

#[test]
fn wrong_tables_of_materials_are_refused() {
    let of = |friction, restitution| ContactParams { friction, restitution };
    let refused = |rows: &[(Material, ContactParams)]| {
        MaterialTable::new(ContactParams::default(), rows).unwrap_err().to_string()
    };
    let wrong = refused(&[(Material(3), of(0.4, 0.0)), (Material(9), of(-1.0, 0.0))]);
    assert_eq!(wrong, "friction of material 9 is -1, must be from 0 to 10");
    assert_eq!(
        refused(&[(Material(255), of(0.1, f64::NAN))]),
        "restitution of material 255 is NaN, must be from 0 to 1"
    );
    assert_eq!(
        refused(&[(Material(3), of(0.4, 0.0)), (Material(3), of(0.5, 0.0))]),
        "materials lists material 3 twice"
    );
    assert_eq!(MaterialTable::new(of(11.0, 0.0), &[]).unwrap_err().to_string(), "friction is 11, must be from 0 to 10");
}

/// Shot at hills at 10 m/s from any side: the axis never comes under the bottom.
#[test]
fn nothing_passes_through_the_bottom_at_ten_metres_a_second() {
    for terrain in [flat(-5.0), hills(1.5, DVec2::new(0.1, 0.0))] {
        let (hull, mut solver) = (torpedo(), ContactSolver::default());
        for n in 0..100 {
            let mut s = stream(n);
            let attitude =
                DQuat::from_rotation_z(s.range(-3.0, 3.0)) * DQuat::from_rotation_y(s.range(-FRAC_PI_2, FRAC_PI_2));
            let mut vehicle = Sinking::at(DVec3::new(s.range(-15.0, 15.0), s.range(-15.0, 15.0), -1.0), attitude);
            let direction = DVec3::new(s.range(-1.0, 1.0), s.range(-1.0, 1.0), s.range(-1.5, -0.2)).normalize();
            vehicle.velocity = twist(vehicle.pose.in_body(direction * 10.0), DVec3::ZERO);
            for _ in 0..60 {
                vehicle.step(&hull, &mut solver, &terrain, &ContactParams::default());
                for point in vehicle.axis() {
                    let Some(ground) = terrain.ground(point.x, point.y) else { continue };
                    assert!(point.z > ground.z_m, "{n}: {point} {ground:?}");
                }
            }
        }
    }
}

#[test]
fn a_thousand_drops_stay_finite_and_lose_energy() {
    let (hull, mut solver) = (torpedo(), ContactSolver::default());
    let terrain = hills(1.5, DVec2::ZERO);
    let mut touches = 0;
    for n in 0..1000 {
        let mut s = stream(5000 + n);
        let attitude = DQuat::from_rotation_z(s.range(-3.0, 3.0)) * DQuat::from_rotation_y(s.range(-1.5, 1.5));
        let mut vehicle = Sinking::at(DVec3::new(s.range(-20.0, 20.0), s.range(-20.0, 20.0), -2.8), attitude);
        vehicle.velocity = twist(DVec3::new(s.range(-1.5, 1.5), s.range(-1.5, 1.5), s.range(-2.0, 0.0)), DVec3::ZERO);
        let start_j = vehicle.energy_j();
        let mut touched = false;
        for _ in 0..250 {
            touched |= vehicle.step(&hull, &mut solver, &terrain, &ContactParams::default());
        }
        assert!(vehicle.pose.position_m.is_finite() && vehicle.velocity.iter().all(|v| v.is_finite()), "{n}");
        assert!(vehicle.energy_j() < start_j, "{n}: {} {start_j}", vehicle.energy_j());
        touches += u32::from(touched);
    }
    assert!(touches > 700, "{touches}");
}

/// A ball in a groove touches both of its sides, and one on a ridge the ridge alone.
#[test]
fn grooves_and_ridges_are_touched_where_they_should() {
    let profile = |height: f64| {
        let heights_m = [height, 0.0, height].repeat(3);
        let origin_m = DVec2::new(-1.0, -1.0);
        let params =
            HeightGridParams { origin_m, cell_m: 1.0, columns: 3, rows: 3, heights_m, materials: vec![Material(1)] };
        Terrain::Grid(HeightGrid::new(params).unwrap())
    };
    let ball = Hull::new(vec![Capsule::sphere(DVec3::ZERO, 0.2)]).unwrap();
    let normals = |terrain: &Terrain, z: f64| {
        // A displacement upwards, so that all contacts within 0.1 m are listed and none acts.
        let mut bodies = [body(&ball, DVec3::new(0.0, 0.1, z), [0.0, 0.0, 5.0, 0.0, 0.0, 0.0])];
        let contacts = ContactSolver::default().resolve(&mut bodies, Some(terrain), &ContactParams::default()).to_vec();
        assert!(
            contacts.iter().all(|contact| contact.impulse_n_s == 0.0 && contact.gap_m.abs() < 1e-12),
            "{contacts:?}"
        );
        let mut normals: Vec<f64> = contacts.iter().map(|contact| contact.normal.x).collect();
        normals.sort_by(f64::total_cmp);
        normals
    };
    let half = 0.5_f64.sqrt();
    let groove = normals(&profile(1.0), 0.2 / half);
    assert!(groove.len() == 2 && (groove[0] + half).abs() < 1e-12 && (groove[1] - half).abs() < 1e-12, "{groove:?}");
    assert_eq!(normals(&profile(-1.0), 0.2), [0.0]);
}

/// The nearest of the places found is as far as another library says, for capsules anywhere over hills.
#[test]
fn distances_to_hills_are_those_of_another_library() {
    let terrain = hills(1.5, DVec2::ZERO);
    let Terrain::Grid(grid) = &terrain else { unreachable!() };
    let p = grid.params();
    let vertices = p.heights_m.iter().enumerate().map(|(n, &z)| {
        Vector::new(
            p.origin_m.x + p.cell_m * (n % p.columns) as f64,
            p.origin_m.y + p.cell_m * (n / p.columns) as f64,
            z,
        )
    });
    let triangles = (0..p.rows - 1).flat_map(|row| {
        (0..p.columns - 1).flat_map(move |column| {
            let at = |east: usize, north: usize| ((row + north) * p.columns + column + east) as u32;
            [[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]
        })
    });
    let mesh = TriMesh::new(vertices.collect(), triangles.collect()).unwrap();
    let hull = torpedo();
    let half = 0.5 * LENGTH_M - RADIUS_M;
    let capsule = ParryCapsule::new(Vector::new(-half, 0.0, 0.0), Vector::new(half, 0.0, 0.0), RADIUS_M);
    let mut compared = 0;
    for n in 0..2000 {
        let mut s = stream(20_000 + n);
        let (x, y) = (s.range(-20.0, 20.0), s.range(-20.0, 20.0));
        let z = terrain.ground(x, y).unwrap().z_m + s.range(0.0, 1.2);
        let turn = DQuat::from_rotation_z(s.range(-3.0, 3.0)) * DQuat::from_rotation_y(s.range(-1.5, 1.5));
        let axis = |share: f64| DVec3::new(x, y, z) + turn * DVec3::new(half * share, 0.0, 0.0);
        let above = |point: DVec3| terrain.ground(point.x, point.y).is_some_and(|ground| point.z > ground.z_m);
        if !(-50..=50).all(|k| above(axis(f64::from(k) / 50.0))) {
            continue;
        }
        let mut bodies = [body(&hull, DVec3::new(x, y, z), [0.0; 6])];
        bodies[0].pose.world_from_body = turn;
        bodies[0].displacement = twist(bodies[0].pose.in_body(DVec3::Z), DVec3::ZERO);
        let mut solver = ContactSolver::default();
        let contacts = solver.resolve(&mut bodies, Some(&terrain), &ContactParams::default());
        let ours = contacts.iter().map(|contact| contact.gap_m).fold(f64::INFINITY, f64::min);
        let mut pose = ParryPose::from_translation(Vector::new(x, y, z));
        pose.rotation = parry3d_f64::math::Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w);
        let theirs = distance(&pose, &capsule, &ParryPose::IDENTITY, &mesh).unwrap().distance;
        if theirs > 0.0 && theirs < 0.95 {
            compared += 1;
            assert!((ours - theirs).abs() < 1e-6, "{n}: {ours} {theirs}");
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn vehicles_do_not_pass_through_each_other() {
    let hull = torpedo();
    let mut solver = ContactSolver::default();
    for n in 0..200 {
        let mut s = stream(40_000 + n);
        let mut place = |x: f64| DVec3::new(x, s.range(-0.1, 0.1), s.range(-0.05, 0.05));
        let (mut left, mut right) = (body(&hull, place(-3.0), [0.0; 6]), body(&hull, place(3.0), [0.0; 6]));
        left.velocity = [10.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        right.velocity = [-10.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let mut touched = false;
        for _ in 0..30 {
            (left.displacement, right.displacement) = (left.velocity.map(|v| v * DT), right.velocity.map(|v| v * DT));
            let mut bodies = [left, right];
            touched |= !solver.resolve(&mut bodies, None, &ContactParams::default()).is_empty();
            [left, right] = bodies;
            (left.pose, right.pose) = (left.end_pose(), right.end_pose());
            let nose = left.pose.point_m(DVec3::new(0.5 * LENGTH_M, 0.0, 0.0));
            let apart = left.pose.position_m.x < right.pose.position_m.x;
            assert!(apart && nose.is_finite(), "{n}: {} {}", left.pose.position_m, right.pose.position_m);
        }
        assert!(touched);
    }
}

/// Two vehicles at one place, upright, level, and as spheres: each ends beside the other, the same way in each run.
#[test]
fn vehicles_at_one_place_leave_each_other() {
    let sphere = Hull::new(vec![Capsule::sphere(DVec3::ZERO, RADIUS_M)]).unwrap();
    let upright = DQuat::from_rotation_y(FRAC_PI_2);
    for (hull, turn) in [(torpedo(), upright), (torpedo(), DQuat::IDENTITY), (sphere, DQuat::IDENTITY)] {
        let end_of_run = || {
            let (mut solver, mut poses) =
                (ContactSolver::default(), [Pose { world_from_body: turn, ..Pose::ORIGIN }; 2]);
            for _ in 0..60 {
                let at_rest = |&pose: &Pose| ContactBody { pose, ..body(&hull, DVec3::ZERO, [0.0; 6]) };
                let mut bodies = [at_rest(&poses[0]), at_rest(&poses[1])];
                solver.resolve(&mut bodies, None, &ContactParams::default());
                poses = [bodies[0].end_pose(), bodies[1].end_pose()];
            }
            poses
        };
        let [one, other] = end_of_run();
        let apart_m = hull_distance_m((&hull, &one), (&hull, &other));
        // A fifth of the overlap of two radii remains from each step to the next: 0.14 m 0.8^60 = 2e-7 m.
        assert!(apart_m > -1e-6, "{apart_m}");
        // The shortest way out is across the axes.
        assert!((one.position_m.distance(other.position_m) - 2.0 * RADIUS_M).abs() < 1e-3, "{one:?} {other:?}");
        assert_eq!(end_of_run(), [one, other]);
    }
}

/// Capsules of known places, and one whose round end is 0.05 m under a plane.
#[test]
fn distances_of_hulls_are_those_of_their_axes() {
    let (hull, level) = (torpedo(), |x, y, z| Pose { position_m: DVec3::new(x, y, z), ..Pose::ORIGIN });
    let between = |other: Pose| hull_distance_m((&hull, &Pose::ORIGIN), (&hull, &other));
    assert!((between(level(0.5, 0.3, 0.4)) - (0.5 - 2.0 * RADIUS_M)).abs() < 1e-15);
    assert!((between(level(2.0, 0.0, 0.0)) - (2.0 - LENGTH_M)).abs() < 1e-15);
    assert!((between(level(0.5, 0.0, 0.1)) + 0.04).abs() < 1e-15);
    assert!((depth_in_bottom_m(&hull, &level(0.0, 0.0, 0.02), &flat(0.0)) - 0.05).abs() < 1e-15);
    assert_eq!(depth_in_bottom_m(&hull, &level(0.0, 0.0, 0.0701), &flat(0.0)), 0.0);
}

/// What two vehicles give to each other is equal and opposite: the sum of their momenta in the world stays.
#[test]
fn a_collision_keeps_the_sum_of_momenta() {
    let hull = Hull::new(vec![Capsule::along_x(LENGTH_M, RADIUS_M), Capsule::sphere(DVec3::new(0.3, 0.0, 0.1), 0.05)])
        .unwrap();
    let mass: Twist = [20.0, 20.0, 20.0, 1.0, 3.0, 3.0];
    let momentum = |bodies: &[ContactBody<'_>; 2]| {
        bodies.iter().map(|b| b.end_pose().world_from_body * (halves(&b.velocity).0 * 20.0)).sum::<DVec3>()
    };
    let mut hits = 0;
    for n in 0..100 {
        let mut s = stream(60_000 + n);
        let mut random =
            |scale: f64| DVec3::new(s.range(-scale, scale), s.range(-scale, scale), s.range(-scale, scale));
        let mut bodies = [body(&hull, DVec3::ZERO, [0.0; 6]), body(&hull, random(0.4), [0.0; 6])];
        for b in &mut bodies {
            b.inverse_mass = inverse_of(&mass);
            b.pose.world_from_body = DQuat::from_scaled_axis(random(2.0));
            b.velocity = twist(random(2.0), random(2.0));
        }
        let before = momentum(&bodies);
        let end = bodies;
        let contacts = ContactSolver::default().resolve(&mut bodies, None, &ContactParams::default()).to_vec();
        // The attitude at the end of the step belongs to the velocity; it changed with the displacement, so the sum is taken with it.
        let after: DVec3 = bodies.iter().map(|b| b.end_pose().world_from_body * (halves(&b.velocity).0 * 20.0)).sum();
        let turned: DVec3 =
            bodies.iter().zip(end).map(|(b, e)| b.end_pose().world_from_body * (halves(&e.velocity).0 * 20.0)).sum();
        hits += u32::from(contacts.iter().any(|contact| contact.impulse_n_s > 0.0));
        assert!((after - turned).length() < 1e-10 * before.length().max(1.0), "{n}: {after} {turned}");
    }
    assert!(hits > 15, "{hits}");
}

/// Two pairs that collide far from each other: neither their order nor their company matters.
#[test]
fn the_order_of_bodies_does_not_matter() {
    let hull = torpedo();
    let ahead = [2.0, 0.1, 0.0, 0.0, 0.0, 0.0];
    let four = [
        body(&hull, DVec3::ZERO, ahead),
        body(&hull, DVec3::new(1.33, 0.02, 0.0), [0.0; 6]),
        body(&hull, DVec3::new(50.0, 0.0, 0.0), [0.0; 6]),
        body(&hull, DVec3::new(48.68, 0.05, 0.03), ahead),
    ];
    let mut straight = four;
    ContactSolver::default().resolve(&mut straight, None, &ContactParams::default());
    assert!(straight[1].velocity[0] > 0.5 && straight[2].velocity[0] > 0.5);
    let mut back = [four[3], four[2], four[1], four[0]];
    ContactSolver::default().resolve(&mut back, None, &ContactParams::default());
    for (n, body) in straight.iter().enumerate() {
        for (a, b) in body.velocity.iter().zip(back[3 - n].velocity) {
            assert!((a - b).abs() < 1e-12, "{n}");
        }
    }
    let mut two = [four[2], four[3]];
    ContactSolver::default().resolve(&mut two, None, &ContactParams::default());
    assert_eq!((two[0].velocity, two[1].velocity), (straight[2].velocity, straight[3].velocity));
}

#[test]
fn wrong_hulls_are_refused_by_name() {
    let refused = |capsules| Hull::new(capsules).unwrap_err().to_string();
    assert_eq!(refused(Vec::new()), "hull has 0 capsules, must have 1 to 16");
    assert_eq!(refused(vec![Capsule::along_x(1.0, f64::NAN)]), "radius_m is NaN, must be from 0.001 to 100");
    assert_eq!(refused(vec![Capsule::sphere(DVec3::NAN, 1.0)]), "ends_m is NaN, must be from -1000 to 1000");
    let params = ContactParams { friction: -0.1, restitution: 0.0 };
    assert_eq!(params.check().unwrap_err().to_string(), "friction is -0.1, must be from 0 to 10");
}
