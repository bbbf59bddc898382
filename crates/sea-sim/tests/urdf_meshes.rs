//! Shapes of URDF: volumes of meshes by signed tetrahedra, what they displace, and what touches.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use sea_sim::body::mesh::Mesh;
use sea_sim::body::{BuoyancyParams, MeshParams};
use sea_sim::urdf::{Components, Disabled, Imported, Structure, import, import_with, mesh_volume_m3, read_mesh};
use sea_sim::vehicle::{CapsuleParams, MotionParams};
use std::f64::consts::PI;

/// A box of 2 x 3 x 4 with a corner at the origin: its corners, and its sides counter-clockwise seen from outside.
const CORNERS: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0],
    [2.0, 3.0, 0.0],
    [0.0, 3.0, 0.0],
    [0.0, 0.0, 4.0],
    [2.0, 0.0, 4.0],
    [2.0, 3.0, 4.0],
    [0.0, 3.0, 4.0],
];
const SIDES: [[usize; 4]; 6] = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

fn box_obj() -> String {
    let corners = CORNERS.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat();
    let sides = SIDES.map(|side| format!("f {}\n", side.map(|corner| format!("{}//1", corner + 1)).join(" "))).concat();
    format!("# a box\no hull\n{corners}vn 0 0 1\n{sides}")
}

fn triangles() -> Vec<[[f64; 3]; 3]> {
    let halves = SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    halves.map(|corners| corners.map(|corner| CORNERS[corner])).collect()
}

fn box_text_stl() -> String {
    let corner = |[x, y, z]: [f64; 3]| format!("      vertex {x:e} {y:e} {z:e}\n");
    let facet = |corners: [[f64; 3]; 3]| {
        format!("  facet normal 0 0 0\n    outer loop\n{}    endloop\n  endfacet\n", corners.map(corner).concat())
    };
    format!("solid hull\n{}endsolid hull\n", triangles().into_iter().map(facet).collect::<String>())
}

/// Begins with `solid`, as some programs write it, and is binary all the same.
fn box_binary_stl() -> Vec<u8> {
    let mut bytes = b"solid hull".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(12_u32.to_le_bytes());
    for triangle in triangles() {
        bytes.extend([0; 12]);
        triangle.iter().flatten().for_each(|&number| bytes.extend((number as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// A part of a Collada mesh and the scene that shows it.
struct Dae<'a> {
    asset: &'a str,
    part: &'a str,
    node: &'a str,
}

/// Six quadrilaterals with numbers of normals between those of corners.
fn sides_of_a_box() -> String {
    let sides = SIDES.map(|side| side.map(|corner| format!("{corner} 0 ")).concat()).concat();
    format!("<polylist count=\"6\">INPUTS<vcount>4 4 4 4 4 4</vcount><p>{sides}</p></polylist>")
}

impl Dae<'_> {
    fn text(&self) -> String {
        let corners = CORNERS.map(|[x, y, z]| format!("{x} {y}\n{z} ")).concat();
        let inputs =
            r##"<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>"##;
        let part = self.part.replace("INPUTS", inputs);
        let Self { asset, node, .. } = self;
        format!(
            r##"<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset>{asset}</asset>
            <library_geometries><geometry id="g"><mesh>
            <source id="s"><float_array id="a" count="24">{corners}</float_array>
            <technique_common><accessor source="#a" count="8" stride="3"/></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{part}</mesh></geometry></library_geometries>
            <library_visual_scenes><visual_scene id="scene">{node}</visual_scene>
            <visual_scene id="other"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#scene"/></scene></COLLADA>"##
        )
    }

    fn mesh(&self) -> MeshParams {
        read_mesh("a.dae", self.text().as_bytes()).unwrap_or_else(|error| panic!("{error}"))
    }
}

const SHOWN: &str = r##"<node><instance_geometry url="#g"/></node>"##;

/// The corner of the box that was at 2, 3, 4.
fn far_corner(mesh: &MeshParams) -> [f64; 3] {
    mesh.vertices_m[6]
}

/// Metres and the axis that points up are those of the file; what is up becomes z and what is to the right becomes x. In a file
/// with x up, right is -y.
#[test]
fn collada_is_read_in_metres_with_z_up() {
    for (asset, expected, volume_m3) in [
        ("<up_axis>Z_UP</up_axis>", [2.0, 3.0, 4.0], 24.0),
        ("<unit name=\"inch\" meter=\"0.5\"/><up_axis>Z_UP</up_axis>", [1.0, 1.5, 2.0], 3.0),
        ("<up_axis> Y_UP </up_axis>", [2.0, -4.0, 3.0], 24.0),
        ("", [2.0, -4.0, 3.0], 24.0),
        ("<up_axis>X_UP</up_axis>", [-3.0, -4.0, 2.0], 24.0),
    ] {
        let mesh = Dae { asset, part: &sides_of_a_box(), node: SHOWN }.mesh();
        assert_eq!((mesh.vertices_m.len(), mesh.triangles.len(), far_corner(&mesh)), (8, 12, expected), "{asset}");
        assert!((mesh_volume_m3(&mesh, [1.0; 3]).unwrap() - volume_m3).abs() < 1e-13, "{asset}");
    }
}

/// Triangles, polygons and lists of polygons of the same box; without a scene the mesh stands as it is.
#[test]
fn collada_polygons_of_any_kind_make_the_same_box() {
    let asset = "<up_axis>Z_UP</up_axis>";
    let halves: String = SIDES.iter().map(|[a, b, c, d]| format!("{a} 0 {b} 0 {c} 0 {a} 0 {c} 0 {d} 0\n")).collect();
    let triangles = format!("<triangles count=\"12\">INPUTS<p>{halves}</p></triangles>");
    let each = SIDES.map(|side| format!("<p>{}</p>", side.map(|corner| format!("{corner} 0 ")).concat())).concat();
    let polygons = format!("<lines/><polygons count=\"6\">INPUTS{each}</polygons>");
    let whole = Dae { asset, part: &sides_of_a_box(), node: SHOWN }.mesh();
    for (part, node) in [(&triangles, SHOWN), (&polygons, SHOWN), (&triangles, "")] {
        assert_eq!(Dae { asset, part, node }.mesh(), whole);
    }
}

/// Each node's transforms act in the order of the file, inner nodes first. A mirrored box keeps its outside.
#[test]
fn collada_nodes_move_turn_stretch_and_mirror() {
    let place = |transforms: &str| {
        let node = format!(r##"<node>{transforms}<instance_geometry url="#g"/></node>"##);
        let mesh = Dae { asset: "<up_axis>Z_UP</up_axis>", part: &sides_of_a_box(), node: &node }.mesh();
        (far_corner(&mesh), mesh_volume_m3(&mesh, [1.0; 3]).unwrap())
    };
    let near = |(found, volume_m3): ([f64; 3], f64), expected: [f64; 3], expected_m3: f64| {
        let gap =
            found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold((volume_m3 - expected_m3).abs(), f64::max);
        assert!(gap < 1e-12, "{found:?} {volume_m3}");
    };
    near(place("<translate>1 0 -1</translate><scale>2 1 1</scale>"), [5.0, 3.0, 3.0], 48.0);
    // A quarter about up takes (2, 3) to (-3, 2).
    near(place("<translate>0 10 0</translate><rotate>0 0 2 90</rotate>"), [-3.0, 12.0, 4.0], 24.0);
    near(place("<matrix>0 -1 0 7  1 0 0 0  0 0 1 0  0 0 0 1</matrix>"), [4.0, 2.0, 4.0], 24.0);
    near(place("<scale>-1 1 1</scale>"), [-2.0, 3.0, 4.0], 24.0);
    let nested = r##"<node><rotate>0 0 1 90</rotate><node><translate>1 0 0</translate><instance_geometry url="#g"/></node></node>"##;
    let mesh = Dae { asset: "<up_axis>Z_UP</up_axis>", part: &sides_of_a_box(), node: nested }.mesh();
    near((far_corner(&mesh), 0.0), [-3.0, 3.0, 4.0], 0.0);
}

#[test]
fn collada_that_cannot_be_read_is_refused_with_its_line() {
    let said = |text: &str| read_mesh("a.dae", text.as_bytes()).unwrap_err().to_string();
    let sides = sides_of_a_box();
    let good = Dae { asset: "<up_axis>Z_UP</up_axis>", part: &sides, node: SHOWN }.text();
    let changed = |from: &str, to: &str| said(&good.replacen(from, to, 1));
    assert!(said("").starts_with("line 1: no XML: "));
    assert_eq!(said("<mesh/>"), "line 1: the root is `mesh`, must be `COLLADA`");
    assert_eq!(said(&good.replace("polylist", "lines")), "has no triangles");
    assert_eq!(changed("Z_UP", "UP"), "line 1: `up_axis` is `UP`, must be X_UP, Y_UP or Z_UP");
    assert_eq!(changed("<vcount>4", "<vcount>400"), "line 13: `p` has fewer corners than `vcount` says");
    assert_eq!(changed("<p>0", "<p>8"), "line 13: a corner's number is beyond the list of places");
    assert_eq!(changed("<p>0", "<p>-1"), "line 13: `p` must hold numbers");
    assert_eq!(changed("count=\"24\">0", "count=\"24\">inf"), "line 3: `float_array` must hold finite numbers");
    assert_eq!(changed("source=\"#v\"", "source=\"#w\""), "line 13: there is no element `w`");
    assert_eq!(changed("<node>", "<node><scale>1 2</scale>"), "line 14: `scale` must hold 3 finite numbers");
    assert_eq!(
        changed("<instance_geometry url", "<instance_node url"),
        "line 14: `instance_node` is not read here: save the mesh as STL or OBJ"
    );
}

#[test]
fn a_box_of_any_format_has_its_volume() {
    let files =
        [("a.obj", box_obj().into_bytes()), ("a.stl", box_text_stl().into_bytes()), ("b.STL", box_binary_stl())];
    for (name, bytes) in files {
        let mesh = read_mesh(name, &bytes).unwrap();
        assert_eq!((mesh.vertices_m.len(), mesh.triangles.len()), (8, 12), "{name}");
        // Whole numbers, halves and sixths of them: exact to a rounding each.
        for (scale, volume_m3) in
            [([1.0; 3], 24.0), ([0.5, 2.0, 1.0], 24.0), ([0.1; 3], 0.024), ([-1.0, 1.0, 1.0], 24.0)]
        {
            let found_m3 = mesh_volume_m3(&mesh, scale).unwrap();
            assert!((found_m3 - volume_m3).abs() < 1e-13, "{name}: {found_m3}");
        }
    }
}

/// Octahedra whose triangles are cut in four and pushed out to the unit sphere, written as STL: 4/3 pi from below, the lack a quarter a
/// cut.
#[test]
fn a_finer_sphere_tends_to_the_volume_of_a_ball_from_below() {
    let unit = |p: [f64; 3]| {
        let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        p.map(|x| x / length)
    };
    let middle = |a: [f64; 3], b: [f64; 3]| unit([a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    let mut faces: Vec<[[f64; 3]; 3]> = Vec::new();
    for [x, y, z] in
        [[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1], [-1, -1, -1]]
    {
        let axes = [[f64::from(x), 0.0, 0.0], [0.0, f64::from(y), 0.0], [0.0, 0.0, f64::from(z)]];
        faces.push(if x * y * z > 0 { axes } else { [axes[0], axes[2], axes[1]] });
    }
    let mut lacks = Vec::new();
    for _ in 0..5 {
        let line = |corners: &[[f64; 3]; 3]| {
            let text = corners.map(|[x, y, z]| format!("vertex {x} {y} {z}\n")).concat();
            format!("outer loop\n{text}endloop\n")
        };
        let text: String = faces.iter().map(line).collect();
        lacks.push(4.0 / 3.0 * PI - mesh_volume_m3(&read_mesh("s.stl", text.as_bytes()).unwrap(), [1.0; 3]).unwrap());
        let cut = |[a, b, c]: [[f64; 3]; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        faces = faces.into_iter().flat_map(cut).collect();
    }
    assert!((4.0 / 3.0 * PI - lacks[0] - 4.0 / 3.0).abs() < 1e-12, "an octahedron");
    assert!(lacks.windows(2).all(|pair| 0.0 < pair[1] && pair[1] < 0.5 * pair[0]), "{lacks:?}");
    // The error is of second order in the edges, which each cut halves.
    assert!((lacks[3] / lacks[4] - 4.0).abs() < 0.1, "{lacks:?}");
}

#[test]
fn wrong_meshes_are_refused_with_their_lines() {
    let said = |name: &str, text: &str| read_mesh(name, text.as_bytes()).unwrap_err().to_string();
    assert_eq!(said("a.ply", ""), "its name must end in .stl, .obj or .dae");
    assert_eq!(said("a.obj", "v 0 0 0\n"), "has no triangles");
    assert_eq!(said("a.obj", "v 0 0 0\nv 1 x 0\n"), "line 2: `v` needs three finite numbers");
    assert_eq!(said("a.obj", "v 0 0 0\nf 1 2 3\n"), "line 2: `f` needs three corners or more, each listed before");
    assert_eq!(said("a.stl", "vertex 0 0\n"), "line 1: `vertex` needs three finite numbers");
    assert_eq!(said("a.stl", "vertex 0 0 0\nendloop\n"), "line 2: a loop must have three `vertex` lines");
    let bytes = box_binary_stl();
    let cut = read_mesh("a.stl", &[&bytes[..300], &[0xff]].concat()).unwrap_err().to_string();
    assert_eq!(cut, "is neither text nor a whole binary STL");
    let open = box_obj().replace("f 1//1 4//1 3//1 2//1\n", "");
    let said = mesh_volume_m3(&read_mesh("a.obj", open.as_bytes()).unwrap(), [1.0; 3]).unwrap_err().to_string();
    assert!(said.starts_with("is no closed surface"), "{said}");
}

/// A robot of one link with these shapes.
fn robot(shapes: &str) -> Structure {
    let inertial = r#"<inertial><mass value="10"/><inertia ixx="1" iyy="1" izz="1"/></inertial>"#;
    Structure::from_urdf(&format!(r#"<robot name="r"><link name="base">{inertial}{shapes}</link></robot>"#)).unwrap()
}

fn components(keys: &str) -> Components {
    serde_json::from_str(&format!(r#"{{"size_m": [2, 1, 1]{keys}}}"#)).unwrap()
}

const HULL: &str = r#"<collision><origin xyz="1 0 0"/>
    <geometry><mesh filename="package://r/hull.obj" scale="0.1 0.1 0.1"/></geometry></collision>"#;

fn read(name: &str) -> Result<Vec<u8>, String> {
    if name == "package://r/hull.obj" { Ok(box_obj().into_bytes()) } else { Err("is not there".to_owned()) }
}

fn volume_m3(imported: &Imported) -> f64 {
    let MotionParams::Rigid(rigid) = &imported.vehicle.motion else { panic!("no rigid body") };
    let BuoyancyParams::Points(points) = &rigid.body.buoyancy else { panic!("no points") };
    points.volume_m3
}

/// Force points that share the volume of a link's shapes; one that is given directly takes its place.
fn force_points(volume: &str) -> Components {
    components(&format!(
        r#", "force_points": {{{volume}, "depth_before_submerged_m": 0.1, "max_force_n": 1e3,
        "points": [{{"link": "base", "position_m": [0, 0, 0]}}]}}"#
    ))
}

#[test]
fn a_link_displaces_the_volume_of_its_shapes() {
    let of_base = force_points(r#""volume_of": "base""#);
    let found = import_with(&robot(HULL), &of_base, &read).unwrap();
    assert!((volume_m3(&found) - 0.024).abs() < 1e-15, "{}", volume_m3(&found));
    let own = force_points(r#""volume_of": "base", "volume_m3": 0.02"#);
    assert_eq!(volume_m3(&import_with(&robot(HULL), &own, &read).unwrap()), 0.02);
    // 4/3 pi 0.3³ + pi 0.1² 0.5 + 0.1 x 0.2 x 0.3
    let solids = r#"<visual><geometry><sphere radius="0.3"/></geometry></visual>
        <visual><geometry><cylinder radius="0.1" length="0.5"/></geometry></visual>
        <visual><geometry><box size="0.1 0.2 0.3"/></geometry></visual>"#;
    let wanted_m3 = PI * (0.036 + 0.005) + 0.006;
    assert!((volume_m3(&import(&robot(solids), &of_base).unwrap()) - wanted_m3).abs() < 1e-15);
}

#[test]
fn volumes_that_are_not_there_are_told() {
    let said = |shapes: &str, volume: &str| import(&robot(shapes), &force_points(volume)).unwrap_err().to_string();
    let of_base = r#""volume_of": "base""#;
    assert_eq!(said(HULL, of_base), "`package://r/hull.obj` is a mesh, which is not read here");
    assert_eq!(said("", of_base), "link `base` has no shapes that could displace a volume");
    assert_eq!(said("", r#""volume_of": null"#), "`force_points` need `volume_m3` or `volume_of`");
    let found = import(&robot(""), &force_points(r#""volume_of": "bace""#)).unwrap();
    let reason = "there is no link `bace`".to_owned();
    assert_eq!(found.disabled, [Disabled { component: "volume of the force points".to_owned(), reason }]);
}

fn assert_hull(found: &[CapsuleParams], expected: &[([[f64; 3]; 2], f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (capsule, (ends_m, radius_m)) in found.iter().zip(expected) {
        let gaps = capsule.ends_m.iter().flatten().zip(ends_m.iter().flatten()).map(|(a, b)| (a - b).abs());
        assert!(gaps.fold((capsule.radius_m - radius_m).abs(), f64::max) < 1e-12, "{found:?} is not {expected:?}");
    }
}

/// SAM's collision: a capsule of radius 0.0696 m and 1.318 m in all, along the hull.
#[test]
fn shapes_that_touch_become_the_hull() {
    let along = r#"<collision><origin xyz="0.1 0 0" rpy="0 1.5707963267948966 0"/>
        <geometry><cylinder radius="0.0696" length="1.318"/></geometry></collision>"#;
    let found = import(&robot(along), &components("")).unwrap();
    assert_hull(&found.vehicle.hull, &[([[-0.4894, 0.0, 0.0], [0.6894, 0.0, 0.0]], 0.0696)]);
    assert!(found.vehicle.hull().is_ok());
    // The box around the mesh reaches from 0 to 0.2, 0.3, 0.4 m: spheres of 0.1 m, two by two, at 1 m ahead.
    let found = import_with(&robot(HULL), &components(""), &read).unwrap();
    let ball = |y: f64, z: f64| ([[1.1, y, z]; 2], 0.1);
    assert_hull(&found.vehicle.hull, &[ball(0.1, 0.1), ball(0.1, 0.3), ball(0.2, 0.1), ball(0.2, 0.3)]);
}

#[test]
fn colliders_of_the_components_take_the_place_of_shapes() {
    let own = r#", "colliders": [
        {"mount": {"link": "base"}, "kind": {"sphere": {"radius_m": 0.5}}},
        {"mount": {"link": "base", "origin": {"xyz_m": [0, 0, 2]}}, "kind": {"capsule": {"radius_m": 0.1, "length_m": 0.6}}},
        {"mount": {"link": "bow"}, "kind": {"sphere": {"radius_m": 1}}},
        {"mount": {"link": "base"}, "kind": {"mesh": {"file": "fin.dae", "scale": [1, 1, 1]}}}]"#;
    let found = import_with(&robot(HULL), &components(own), &read).unwrap();
    assert_hull(&found.vehicle.hull, &[([[0.0; 3]; 2], 0.5), ([[0.0, 0.0, 1.8], [0.0, 0.0, 2.2]], 0.1)]);
    let told: Vec<String> = found.disabled.iter().map(|it| format!("{}: {}", it.component, it.reason)).collect();
    assert_eq!(told, ["collider 3: there is no link `bow`", "collider 4: `fin.dae` is not there"]);
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Imported>(&text).unwrap(), found);
}

/// The volume of a mesh among a vehicle's own keys is the same.
#[test]
fn a_mesh_that_was_read_is_a_mesh_of_a_vehicle() {
    let mesh = read_mesh("a.obj", box_obj().as_bytes()).unwrap();
    assert!((Mesh::new(&mesh).unwrap().volume_m3() - 24.0).abs() < 1e-13);
}
