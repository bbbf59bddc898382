//! Mesh files: what is read out of them, and what is refused with which words.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sea_echo::mesh::{MAX_FILE_BYTES, check_file_bytes};
use sea_echo::{MeshParams, Ray, Surface, TriangleMesh};
use sim_core::DVec3;

/// A tetrahedron; its faces are counter-clockwise seen from outside.
const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.5]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

fn binary(triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    // Heads of binary files may begin like texts.
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, 0);
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        let numbers = [0.0; 3].iter().chain(triangle.iter().flatten());
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn faces() -> Vec<[[f32; 3]; 3]> {
    FACES.map(|face| face.map(|corner| CORNERS[corner])).to_vec()
}

fn text_stl() -> String {
    let vertex = |[x, y, z]: [f32; 3]| format!("vertex {x} {y} {z}\n");
    let facet = |face: [[f32; 3]; 3]| {
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", face.map(vertex).concat())
    };
    format!("solid tetrahedron\n{}endsolid\n", faces().into_iter().map(facet).collect::<String>())
}

const OBJ: &str = "# a tetrahedron
o body
v 0 0 0
v 1 0 0 0.5 0.5 0.5
v 0 2 0
v 0 0 .5
vn 0 0 1
f 1/1/1 3//1 2
f -4 -3 -1
f 2 3 4
f 1 4 3
";

#[test]
fn all_formats_hold_the_same_surface() {
    let from_text = MeshParams::from_stl(text_stl().as_bytes()).unwrap();
    let from_binary = MeshParams::from_stl(&binary(&faces())).unwrap();
    let from_obj = MeshParams::from_obj(OBJ.as_bytes()).unwrap();
    assert_eq!(from_text, from_binary);
    assert_eq!(from_obj.vertices_m, CORNERS.map(|corner| DVec3::from(corner.map(f64::from))));
    assert_eq!(from_obj.triangles, FACES.map(|face| face.map(|corner| corner as u32)));
    for mesh in [from_text, from_obj] {
        mesh.check_closed().unwrap();
        let mesh = TriangleMesh::new(mesh).unwrap();
        // x + y/2 + 2 z = 1 along the diagonal (t, t, t).
        let ray = Ray::new(DVec3::splat(3.0), DVec3::NEG_ONE, 10.0).unwrap();
        let hit = mesh.cast(&ray).unwrap();
        assert!((ray.at(hit.distance_m) - DVec3::splat(1.0 / 3.5)).length() < 1e-14);
        assert!((mesh.normal(hit.triangle) - DVec3::new(1.0, 0.5, 2.0).normalize()).length() < 1e-15);
    }
}

#[test]
fn polygons_are_fans_and_corners_at_one_place_are_one() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 -0.0\nv 0 1 0\nf 1 2 3 4\nf 1 4 5\n";
    let mesh = MeshParams::from_obj(square.as_bytes()).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.vertices_m.len(), 4);
    let open = "triangles has 4 open edges, one from [0, 0, 0] to [1, 0, 0]: must be closed";
    assert_eq!(mesh.check_closed().unwrap_err().to_string(), open);
}

#[test]
fn wrong_obj_files_are_refused_with_their_line() {
    let refused = |text: &str| MeshParams::from_obj(text.as_bytes()).unwrap_err().to_string();
    let corner = |line| format!("mesh line {line}: `v` needs three finite numbers");
    let face = |line| format!("mesh line {line}: `f` needs three corners or more, each listed before");
    assert_eq!(refused("v 0 0"), corner(1));
    assert_eq!(refused("\n\nv 0 NaN 0"), corner(3));
    assert_eq!(refused("v 0 inf 0"), corner(1));
    assert_eq!(refused("v 0 one 0"), corner(1));
    let three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for words in ["f 1 2", "f", "f 1 2 4", "f 0 1 2", "f 1 2 -4", "f 1 2 x", "f 1 2 3 9", "f 1 2 -9223372036854775808"]
    {
        assert_eq!(refused(&format!("{three}{words}")), face(4), "{words}");
    }
    let none = "triangles has no triangle, must have 1 or more";
    assert_eq!(refused(""), none);
    assert_eq!(refused(three), none);
    // Two corners at one place: no area.
    assert_eq!(refused("v 0 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3"), none);
    assert_eq!(MeshParams::from_obj(&[0xff, 0xfe]).unwrap_err().to_string(), "mesh is not text");
}

#[test]
fn wrong_stl_files_are_refused() {
    let refused = |bytes: &[u8]| MeshParams::from_stl(bytes).unwrap_err().to_string();
    assert_eq!(refused(b""), "mesh is a binary STL of 0 bytes, must have 84 or more");
    let mut whole = binary(&faces());
    whole[..5].copy_from_slice(b"mesh ");
    assert_eq!(refused(&whole[..283]), "mesh is a binary STL of 283 bytes, must have 284 by its head");
    // A head that counts 4294967295 triangles: refused before memory is asked for.
    whole[80..84].copy_from_slice(&[0xff; 4]);
    assert_eq!(refused(&whole), "mesh is a binary STL of 284 bytes, must have 214748364834 by its head");
    let nan = binary(&[[[0.0; 3], [1.0, f32::NAN, 0.0], [0.0, 1.0, 0.0]]]);
    assert_eq!(refused(&nan), "mesh has a corner in triangle 0 that is not finite");
    assert_eq!(refused(&binary(&[])), "triangles has no triangle, must have 1 or more");
    let facet = |inside: &str| format!("solid\nfacet normal 0 0 1\nouter loop\n{inside}endloop\nendfacet\nendsolid\n");
    let three = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";
    assert!(MeshParams::from_stl(facet(three).as_bytes()).is_ok());
    assert_eq!(refused(b"solid\nendsolid"), "triangles has no triangle, must have 1 or more");
    assert_eq!(refused(facet("vertex 0 0 0\n").as_bytes()), "mesh line 5: a loop of 1 corners, must have three");
    assert_eq!(refused(facet(&three.repeat(2)).as_bytes()), "mesh line 10: a loop of 6 corners, must have three");
    let number = "mesh line 4: `vertex` needs three finite numbers";
    assert_eq!(refused(facet("vertex 0 nan 0\n").as_bytes()), number);
    assert_eq!(refused(facet("corner 0 0 0\n").as_bytes()), "mesh line 4: the unknown word `corner`");
    assert_eq!(refused(format!("solid\n{three}").as_bytes()), "mesh ends within a loop");
}

#[test]
fn wrong_meshes_are_refused() {
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    let refused = |vertices_m: &[DVec3], triangles: &[[u32; 3]]| {
        let params = MeshParams { vertices_m: vertices_m.into(), triangles: triangles.into() };
        TriangleMesh::new(params).unwrap_err().to_string()
    };
    assert_eq!(refused(&corners, &[]), "triangles has no triangle, must have 1 or more");
    let unknown = "triangles has the corners [0, 1, 3] in triangle 1, must be below 3";
    assert_eq!(refused(&corners, &[[0, 1, 2], [0, 1, 3]]), unknown);
    for (bad, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (1.1e7, "11000000")] {
        let message = format!("vertices_m is {shown}, must be from -10000000 to 10000000");
        assert_eq!(refused(&[DVec3::ZERO, DVec3::X, DVec3::ZERO.with_y(bad)], &[[0, 1, 2]]), message);
    }
    check_file_bytes(MAX_FILE_BYTES).unwrap();
    let huge = "mesh is 4000000000 bytes long, must be at most 2000000000";
    assert_eq!(check_file_bytes(4_000_000_000).unwrap_err().to_string(), huge);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(place in 0..284_usize, value: u8, end in 0..285_usize) {
        let mut bytes = binary(&faces());
        bytes[place] = value;
        let _ = MeshParams::from_stl(&bytes[..end]);
        let mut text = text_stl().into_bytes();
        let place = place % text.len();
        text[place] = value;
        let _ = MeshParams::from_stl(&text);
        let mut text = OBJ.as_bytes().to_vec();
        let place = place % text.len();
        text[place] = value;
        let _ = MeshParams::from_obj(&text);
    }
}
