//! No ray leaves a closed surface through a crack.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod scenes;

use scenes::{cuboid, direction, sphere, stream, torus};
use sea_echo::{MeshParams, Ray, Surface, TriangleMesh};
use sim_core::{DVec2, DVec3, Stream};

/// Rays of each of the five surfaces.
const RAYS: u32 = 200_000;

/// A closed surface and a place inside it.
struct Solid {
    name: &'static str,
    surface: MeshParams,
    inside: fn(&mut Stream) -> DVec3,
}

fn near_the_middle(s: &mut Stream) -> DVec3 {
    direction(s) * s.range(0.0, 0.4)
}

/// On the ring of the torus, up to half the tube beside it.
fn in_the_torus(s: &mut Stream) -> DVec3 {
    let ring = s.direction() * 5.0;
    ring.extend(0.0) + direction(s) * 0.5
}

fn solids() -> [Solid; 5] {
    let mut spiky = sphere(1.0, 5);
    let mut s = stream(77);
    spiky.vertices_m.iter_mut().for_each(|vertex| *vertex *= [1.0, 1.001, 3.0, 1000.0][s.below(4) as usize]);
    [
        Solid { name: "sphere", surface: sphere(1.0, 5), inside: near_the_middle },
        Solid { name: "sphere with spikes of 1 km", surface: spiky, inside: near_the_middle },
        Solid { name: "cube", surface: cuboid(DVec3::ONE), inside: near_the_middle },
        Solid {
            name: "tunnel of 1 x 1 m and 10 km",
            surface: cuboid(DVec3::new(1e4, 1.0, 1.0)),
            inside: near_the_middle,
        },
        Solid { name: "torus", surface: torus([5.0, 1.0], [60, 30]), inside: in_the_torus },
    ]
}

#[test]
fn no_ray_leaves_a_closed_surface() {
    for Solid { name, surface, inside } in solids() {
        surface.check_closed().unwrap();
        let mesh = TriangleMesh::new(surface).unwrap();
        let mut s = stream(5);
        for n in 0..RAYS {
            let from = inside(&mut s);
            let [a, b, c] = mesh.corners_m(s.below(u64::from(mesh.triangle_count())) as u32);
            // Anywhere, to a corner, to the middle of an edge, to any place of an edge, and along an axis.
            let axis = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z][s.below(6) as usize];
            let ways = [direction(&mut s), a - from, b.midpoint(c) - from, c.lerp(a, s.uniform()) - from, axis];
            let ray = Ray::new(from, ways[(n % 5) as usize], 1e6).unwrap();
            assert!(mesh.cast(&ray).is_some(), "{name}: {ray:?}");
        }
    }
}

#[test]
fn holes_and_turned_triangles_are_found() {
    let refused = |surface: &MeshParams| surface.check_closed().unwrap_err().to_string();
    let mut holed = cuboid(DVec3::splat(2.0));
    holed.triangles.pop();
    assert_eq!(refused(&holed), "triangles has 3 open edges, one from [1, -1, -1] to [1, -1, 1]: must be closed");
    let mut turned = sphere(1.0, 1);
    turned.triangles[0].swap(0, 1);
    assert!(refused(&turned).starts_with("triangles has 3 open edges"));
    // Two cubes that share an edge are closed.
    let mut two = cuboid(DVec3::ONE);
    let shifted = DVec2::ONE.extend(0.0);
    let other = cuboid(DVec3::ONE).triangles.into_iter().map(|corners| corners.map(|corner| corner + 8));
    two.triangles.extend(other);
    two.vertices_m.extend(cuboid(DVec3::ONE).vertices_m.iter().map(|&vertex| vertex + shifted));
    two.check_closed().unwrap();
}
