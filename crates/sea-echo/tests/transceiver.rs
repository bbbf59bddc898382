//! Transceivers by the rules of the SMaRC simulator: ways, echoes, what blocks them. Expected values: REF 9 of the sea facts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sea_echo::modem::{Echo, EchoKind, Obstacle, Surroundings, Transceiver, TransceiverParams};
use sea_echo::{Ball, Capsule, HeightGrid, MeshParams, Ray, Touchable, TriangleMesh};
use sim_core::{DVec2, DVec3, ops};

/// A bottom, walls, and the body of the receiver.
#[derive(Default)]
struct Water {
    bottom: Option<HeightGrid>,
    walls: Option<TriangleMesh>,
    target: Option<Capsule>,
}

impl Surroundings for Water {
    fn strike(&self, way: &Ray, radius_m: f64) -> Option<(f64, DVec3, Obstacle)> {
        let ball = Ball { way, radius_m };
        let bottom = self.bottom.as_ref().and_then(|grid| Some((grid.touch(&ball)?, Obstacle::Bottom)));
        let walls = self.walls.as_ref().and_then(|mesh| Some((mesh.touch(&ball)?, Obstacle::Other)));
        let target = self.target.and_then(|body| Some((ball.touch_capsule(&body)?, Obstacle::Target)));
        let struck = [bottom, walls, target].into_iter().flatten();
        let (touch, what) = struck.min_by(|a, b| a.0.distance_m.total_cmp(&b.0.distance_m))?;
        Some((touch.distance_m, touch.normal, what))
    }
}

fn level_bottom(z_m: f64) -> Option<HeightGrid> {
    Some(HeightGrid::new(DVec2::splat(-500.0), 25.0, 41, vec![z_m; 41 * 41]).unwrap())
}

/// A box between two corners.
fn walls(boxes: &[[DVec3; 2]]) -> Option<TriangleMesh> {
    let mut mesh = MeshParams::default();
    for &[low, high] in boxes {
        let first = mesh.vertices_m.len() as u32;
        let corner = |n: u32| {
            let pick = |bit: u32, axis: usize| if n >> bit & 1 == 1 { high[axis] } else { low[axis] };
            DVec3::new(pick(0, 0), pick(1, 1), pick(2, 2))
        };
        mesh.vertices_m.extend((0..8).map(corner));
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        for [a, b, c, d] in quads.map(|quad| quad.map(|corner| first + corner)) {
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Some(TriangleMesh::new(mesh).unwrap())
}

fn heard(params: TransceiverParams, ends_m: [DVec3; 2], surface_z_m: f64, around: &Water) -> Vec<Echo> {
    let mut echoes = Vec::new();
    Transceiver::new(params).unwrap().arrivals(ends_m, surface_z_m, around, |echo| echoes.push(echo));
    echoes
}

fn far() -> TransceiverParams {
    TransceiverParams { range_m: 500.0, ..TransceiverParams::default() }
}

fn one(echoes: &[Echo], kind: EchoKind) -> Option<Echo> {
    let mut of_kind = echoes.iter().filter(|echo| echo.kind == kind);
    let first = of_kind.next().copied();
    assert!(of_kind.next().is_none(), "{echoes:?}");
    first
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

/// T-50: half a digit of the printed lengths. A ray off the bottom passes the receiver within its tolerance.
#[test]
fn straight_surface_and_bottom_delays_t50() {
    let ends_m = [DVec3::new(0.0, 0.0, -10.0), DVec3::new(100.0, 0.0, -10.0)];
    let around = Water { bottom: level_bottom(-50.0), ..Water::default() };
    let params = TransceiverParams { bottom_resolution: 3, bottom_tolerance_m: 15.0, ..far() };
    let echoes = heard(params, ends_m, 0.0, &around);
    let direct = one(&echoes, EchoKind::Direct).unwrap();
    near(direct.length_m / 1500.0, 66.666_667e-3, 5e-10);
    near(one(&echoes, EchoKind::Surface).unwrap().length_m, 101.980_390, 5e-7);
    near(one(&echoes, EchoKind::Surface).unwrap().length_m / 1500.0, 67.986_927e-3, 5e-10);
    let bottom = one(&echoes, EchoKind::Bottom).unwrap();
    near(bottom.length_m, 128.062_485, 15.0);
    near(bottom.bounce_m.z, -50.0, 1e-9);
}

/// T-51, with the tube of 0.2 m. The shotgun finds the bottom near the mirror's way: with many rays and a wide tolerance.
#[test]
fn oblique_delays_and_bounces_t51() {
    let ends_m = [DVec3::new(0.0, 0.0, -5.0), DVec3::new(60.0, 30.0, -20.0)];
    let around = Water { bottom: level_bottom(-40.0), ..Water::default() };
    let params = TransceiverParams { bottom_resolution: 3, bottom_tolerance_m: 10.0, ..far() };
    let echoes = heard(params, ends_m, 0.0, &around);
    near(one(&echoes, EchoKind::Direct).unwrap().length_m, 68.738_635, 5e-7);
    let surface = one(&echoes, EchoKind::Surface).unwrap();
    near(surface.length_m, 71.589_105, 5e-7);
    near(surface.length_m / 1500.0, 47.726_070e-3, 5e-10);
    assert!(surface.bounce_m.distance(DVec3::new(12.0, 6.0, 0.0)) < 1e-9, "{surface:?}");
    near(ends_m[0].distance(surface.bounce_m), 14.317_821, 5e-7);
    let bottom = one(&echoes, EchoKind::Bottom).unwrap();
    // A ball that bounces 0.2 m above the bottom and passes within 10 m.
    near(bottom.length_m, 86.746_758, 10.0);
    near(bottom.bounce_m.z, -40.0, 1e-9);
    assert!(bottom.bounce_m.distance(DVec3::new(38.1818, 19.0909, -40.0)) < 10.0, "{bottom:?}");
}

/// T-52: the mirror of 5 m below a level of 2 m is at 9 m. From there a receiver right below at -5 m is 14 m away.
#[test]
fn the_surface_mirrors_at_its_own_height_t52() {
    let ends_m = [DVec3::new(0.0, 0.0, -5.0), DVec3::new(48.0, 0.0, -5.0)];
    let surface = one(&heard(far(), ends_m, 2.0, &Water::default()), EchoKind::Surface).unwrap();
    near(surface.length_m, DVec2::new(48.0, 14.0).length(), 1e-12);
    near(surface.bounce_m.z, 2.0, 0.0);
    // Out of the water there is no echo.
    assert_eq!(one(&heard(far(), ends_m, -5.0, &Water::default()), EchoKind::Surface), None);
}

/// T-53: a wall of the depths of both ends leaves the way over it, which is 5 m deep there; a gap must be wider than the tube.
#[test]
fn walls_block_what_does_not_pass_them_t53() {
    let ends_m = [DVec3::new(0.0, 0.0, -10.0), DVec3::new(40.0, 0.0, -10.0)];
    let wall = |low_y: f64, high_y: f64, top: f64| [DVec3::new(19.0, low_y, -30.0), DVec3::new(21.0, high_y, top)];
    let kinds = |boxes: &[[DVec3; 2]]| {
        let around = Water { walls: walls(boxes), ..Water::default() };
        heard(far(), ends_m, 0.0, &around).iter().map(|echo| echo.kind).collect::<Vec<_>>()
    };
    use EchoKind::{Direct, Surface};
    assert_eq!(kinds(&[wall(-30.0, 30.0, -8.0)]), [Surface]);
    assert_eq!(kinds(&[wall(-30.0, 30.0, 1.0)]), []);
    assert_eq!(kinds(&[wall(-30.0, -0.5 * 0.41, 1.0), wall(0.5 * 0.41, 30.0, 1.0)]), [Direct, Surface]);
    assert_eq!(kinds(&[wall(-30.0, -0.5 * 0.39, 1.0), wall(0.5 * 0.39, 30.0, 1.0)]), []);
    let around = Water { walls: walls(&[wall(-30.0, 30.0, 1.0)]), ..Water::default() };
    let deaf = TransceiverParams { ignores_occlusion: true, ..far() };
    assert_eq!(heard(deaf, ends_m, 0.0, &around).len(), 2);
}

/// T-54 with the mend: an echo of 63.2 m is farther than half of 100 m. T-56 beside it: distances in whole ratios.
#[test]
fn echoes_go_no_farther_than_their_share_t54() {
    let ends_m = [DVec3::new(0.0, 0.0, -10.0), DVec3::new(60.0, 0.0, -10.0)];
    let kinds = |range_m: f64| {
        let params = TransceiverParams { range_m, ..TransceiverParams::default() };
        heard(params, ends_m, 0.0, &Water::default()).iter().map(|echo| echo.kind).collect::<Vec<_>>()
    };
    let echo_m = DVec2::new(60.0, 20.0).length();
    assert_eq!(kinds(100.0), [EchoKind::Direct]);
    assert_eq!(kinds(2.0 * echo_m + 1e-9), [EchoKind::Direct, EchoKind::Surface]);
    assert_eq!(kinds(2.0 * echo_m - 1e-9), [EchoKind::Direct]);
    assert_eq!(kinds(59.999), []);
}

/// REF 9: 3, 9, 31 and 113 rays at 120 degrees.
#[test]
fn the_shotgun_has_as_many_rays_as_the_original() {
    let rays = [0, 1, 2, 3].map(|bottom_resolution| {
        Transceiver::new(TransceiverParams { bottom_resolution, ..TransceiverParams::default() }).unwrap().bottom_rays()
    });
    assert_eq!(rays, [3, 9, 31, 113]);
}

/// The receiver stands where a ray of the shotgun, mirrored at a bottom 20 m below, comes by: the way is that of the mirror.
#[test]
fn a_ray_off_the_bottom_finds_the_body_of_the_receiver() {
    let radius_m = 0.2;
    // The corner straight ahead and down by the angle whose tangent is the golden ratio less one.
    let slope = 0.5 * (5.0_f64.sqrt() - 1.0);
    let source_m = DVec3::new(0.0, 0.0, -10.0);
    // The centre of a ball of 0.2 m turns 0.2 m above the bottom.
    let turn_x_m = (20.0 - radius_m) / slope;
    let target_m = DVec3::new(2.0 * turn_x_m, 0.0, -10.0);
    let around = |reach_m: f64| Water {
        bottom: level_bottom(-30.0),
        target: Some(Capsule { ends_m: [target_m; 2], radius_m: reach_m }),
        ..Water::default()
    };
    let params =
        |tolerance_m: f64| TransceiverParams { bottom_resolution: 0, bottom_tolerance_m: tolerance_m, ..far() };
    let expected_m = {
        let down_m = (20.0 - radius_m) * (1.0 + 1.0 / (slope * slope)).sqrt();
        down_m + DVec3::new(turn_x_m, 0.0, -30.0).distance(target_m)
    };
    let by_body = one(&heard(params(0.0), [source_m, target_m], 0.0, &around(0.5)), EchoKind::Bottom).unwrap();
    // The second way starts a hair off the bottom.
    near(by_body.length_m, expected_m, 1e-3);
    // Without a body it passes within millimetres; 2 m beside it does not.
    let alone = Water { bottom: level_bottom(-30.0), ..Water::default() };
    assert!(one(&heard(params(0.01), [source_m, target_m], 0.0, &alone), EchoKind::Bottom).is_some());
    let beside_m = target_m + DVec3::X * 2.0;
    assert_eq!(one(&heard(params(0.01), [source_m, beside_m], 0.0, &alone), EchoKind::Bottom), None);
    // Without any tolerance it takes the body; a wall in the way takes the echo.
    let walled = Water {
        walls: walls(&[[DVec3::new(1.4 * turn_x_m, -9.0, -29.0), DVec3::new(1.5 * turn_x_m, 9.0, -12.0)]]),
        ..around(0.5)
    };
    assert_eq!(one(&heard(params(5.0), [source_m, target_m], 0.0, &walled), EchoKind::Bottom), None);
}

/// A ball over a level bottom, beside an edge and towards a sphere: closed forms.
#[test]
fn balls_touch_where_geometry_says() {
    let fall = |x_m: f64, y_m: f64| Ray::new(DVec3::new(x_m, y_m, 7.0), DVec3::new(0.6, 0.0, -0.8), 100.0).unwrap();
    let grid = HeightGrid::new(DVec2::ZERO, 1.0, 41, vec![0.0; 41 * 41]).unwrap();
    for (x_m, y_m) in [(3.0, 4.0), (3.3, 4.4), (20.5, 30.9)] {
        let touch = grid.touch(&Ball { way: &fall(x_m, y_m), radius_m: 0.7 }).unwrap();
        near(touch.distance_m, 6.3 / 0.8, 1e-12);
        assert!(touch.normal.distance(DVec3::Z) < 1e-12);
    }
    // Level, 0.3 m above an edge and 0.4 m beside it when they meet: a ball of 0.5 m.
    let edge = [DVec3::new(10.0, -5.0, 0.0), DVec3::new(10.0, 5.0, 0.0), DVec3::new(20.0, 0.0, -9.0)];
    let level = Ray::new(DVec3::new(0.0, 0.0, 0.3), DVec3::X, 100.0).unwrap();
    let touch = Ball { way: &level, radius_m: 0.5 }.touch_triangle(edge).unwrap();
    near(touch.distance_m, 9.6, 1e-12);
    assert!(touch.normal.distance(DVec3::new(-0.8, 0.0, 0.6)) < 1e-12, "{touch:?}");
    let ball = |radius_m: f64| Capsule { ends_m: [DVec3::new(50.0, 0.6, 0.3), DVec3::new(50.0, 0.6, 0.3)], radius_m };
    near(Ball { way: &level, radius_m: 0.5 }.touch_capsule(&ball(0.5)).unwrap().distance_m, 49.2, 1e-12);
    assert_eq!(Ball { way: &level, radius_m: 0.3 }.touch_capsule(&ball(0.29)), None);
}

/// Over hills, a ball touches at once where its centre is nearer than its radius to any triangle, and never before.
#[test]
fn balls_over_hills_agree_with_every_triangle_alone() {
    let height_m = |n: usize| 3.0 * ops::sin(0.9 * (n % 33) as f64) * ops::cos(0.7 * (n / 33) as f64);
    let grid = HeightGrid::new(DVec2::ZERO, 1.5, 33, (0..33 * 33).map(height_m).collect()).unwrap();
    let mut touched = 0;
    for n in 0..400_u32 {
        let turn = f64::from(n);
        let from_m =
            DVec3::new(24.0 + 23.0 * ops::sin(turn), 24.0 + 23.0 * ops::cos(1.7 * turn), 6.0 + ops::sin(3.0 * turn));
        let way = DVec3::new(ops::cos(2.3 * turn), ops::sin(2.3 * turn), -0.1 - 0.3 * ops::sin(turn).abs());
        let ray = Ray::new(from_m, way, 60.0).unwrap();
        let ball = Ball { way: &ray, radius_m: 0.1 + 0.01 * f64::from(n % 90) };
        use sea_echo::Surface;
        let alone = (0..grid.triangle_count()).filter_map(|triangle| ball.touch_triangle(grid.corners_m(triangle)));
        let expected = alone.map(|touch| touch.distance_m).reduce(f64::min);
        assert_eq!(grid.touch(&ball).map(|touch| touch.distance_m), expected, "{n}");
        touched += usize::from(expected.is_some());
    }
    assert!((150..350).contains(&touched), "{touched}");
}

/// Rays and capsules: a sphere, a tube from the side, a cap from its end, from inside.
#[test]
fn rays_meet_capsules_where_geometry_says() {
    let along = Capsule { ends_m: [DVec3::new(10.0, -2.0, 0.0), DVec3::new(10.0, 2.0, 0.0)], radius_m: 0.5 };
    let cast = |from: [f64; 3], way: [f64; 3]| along.cast(&Ray::new(from.into(), way.into(), 100.0).unwrap());
    near(cast([0.0, 1.0, 0.3], [1.0, 0.0, 0.0]).unwrap(), 9.6, 1e-12);
    near(cast([10.0, -9.0, 0.3], [0.0, 1.0, 0.0]).unwrap(), 6.6, 1e-12);
    near(cast([10.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), 2.5, 1e-12);
    near(cast([0.0, 2.3, 0.0], [1.0, 0.0, 0.0]).unwrap(), 9.6, 1e-12);
    assert_eq!(cast([0.0, 2.51, 0.0], [1.0, 0.0, 0.0]), None);
    assert_eq!(cast([0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), None);
}
