//! Triangles out of mesh files: STL, as text or in binary, OBJ and Collada.

use super::UrdfError;
use super::collada::collada;
use crate::body::MeshParams;
use crate::body::mesh::Mesh;
use std::collections::BTreeMap;
use std::str::{FromStr, SplitWhitespace};

/// Bytes of a binary STL before its first triangle, and bytes of a triangle.
const STL_HEADER: usize = 84;
const STL_TRIANGLE: usize = 50;

/// The surface in a mesh file: STL and OBJ in the file's own unit and axes, Collada in metres with z up. Corners at one place become one
/// corner.
///
/// # Errors
/// If the name ends in none of `.stl`, `.obj` and `.dae`, or the file is not what its name says: then with the line, where it has lines.
pub fn read_mesh(name: &str, bytes: &[u8]) -> Result<MeshParams, UrdfError> {
    let name = name.to_ascii_lowercase();
    let mut surface = Surface::default();
    if name.ends_with(".stl") {
        if is_binary_stl(bytes) { binary_stl(bytes, &mut surface) } else { text_stl(text_of(bytes)?, &mut surface)? }
    } else if name.ends_with(".obj") {
        obj(text_of(bytes)?, &mut surface)?;
    } else if name.ends_with(".dae") {
        collada(text_of(bytes)?, &mut surface)?;
    } else {
        return Err(UrdfError::new("its name must end in .stl, .obj or .dae"));
    }
    if surface.mesh.triangles.is_empty() {
        return Err(UrdfError::new("has no triangles"));
    }
    Ok(surface.mesh)
}

/// Volume that a closed surface encloses, m³, with factors along its axes: the sum of signed tetrahedra. A mirrored surface keeps its
/// volume.
///
/// # Errors
/// If the surface is not closed, or its triangles are clockwise seen from outside.
pub fn mesh_volume_m3(mesh: &MeshParams, scale: [f64; 3]) -> Result<f64, UrdfError> {
    let own = Mesh::new(mesh).map_err(|error| UrdfError::new(error.message))?;
    Ok(own.volume_m3() * (scale[0] * scale[1] * scale[2]).abs())
}

/// Triangles whose corners are found by their place.
#[derive(Default)]
pub(super) struct Surface {
    mesh: MeshParams,
    numbers: BTreeMap<[u64; 3], u32>,
}

impl Surface {
    /// Number of the corner at a place.
    pub(super) fn corner(&mut self, place_m: [f64; 3]) -> u32 {
        // A zero has one sign here.
        let place_m = place_m.map(|value| value + 0.0);
        let next = self.mesh.vertices_m.len() as u32;
        let number = *self.numbers.entry(place_m.map(f64::to_bits)).or_insert(next);
        if number == next {
            self.mesh.vertices_m.push(place_m);
        }
        number
    }

    /// A triangle; none of one with two corners at one place.
    fn triangle(&mut self, [a, b, c]: [u32; 3]) {
        if a != b && b != c && c != a {
            self.mesh.triangles.push([a, b, c]);
        }
    }

    /// A polygon as a fan about its first corner.
    pub(super) fn polygon(&mut self, corners: &[u32]) {
        if let Some((&first, rest)) = corners.split_first() {
            rest.windows(2).for_each(|pair| self.triangle([first, pair[0], pair[1]]));
        }
    }

    /// Number of the corner whose three finite numbers follow a keyword.
    fn read_corner(&mut self, line: &Line<'_>) -> Result<u32, UrdfError> {
        let place: Option<[f64; 3]> = numbers(line.words.clone().take(3)).and_then(|all| all.try_into().ok());
        let place = place.filter(|place| place.iter().all(|number| number.is_finite()));
        place
            .map(|place| self.corner(place))
            .ok_or_else(|| line.fault(&format!("`{}` needs three finite numbers", line.keyword)))
    }
}

/// A line of a text: its first word and those behind it.
struct Line<'a> {
    number: usize,
    keyword: &'a str,
    words: SplitWhitespace<'a>,
}

impl Line<'_> {
    fn fault(&self, message: &str) -> UrdfError {
        UrdfError { line: u32::try_from(self.number).ok(), message: message.to_owned() }
    }
}

/// Lines that are not blank, counted from 1.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let mut words = line.split_whitespace();
        Some(Line { number, keyword: words.next()?, words })
    })
}

/// All words as numbers; none if one of them is no number.
pub(super) fn numbers<'a, T: FromStr>(words: impl Iterator<Item = &'a str>) -> Option<Vec<T>> {
    words.map(|word| word.parse().ok()).collect()
}

fn text_of(bytes: &[u8]) -> Result<&str, UrdfError> {
    std::str::from_utf8(bytes).map_err(|_| UrdfError::new("is neither text nor a whole binary STL"))
}

/// A binary STL counts its triangles, and is as long as they are.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(STL_HEADER - 4..STL_HEADER).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    count.is_some_and(|count| bytes.len() as u64 == STL_HEADER as u64 + u64::from(count) * STL_TRIANGLE as u64)
}

fn binary_stl(bytes: &[u8], surface: &mut Surface) {
    for triangle in bytes[STL_HEADER..].chunks_exact(STL_TRIANGLE) {
        // A normal, three corners, and two bytes without a meaning.
        let number = |k: usize| f64::from(f32::from_le_bytes([0, 1, 2, 3].map(|byte| triangle[4 * k + byte])));
        let corners = [3, 6, 9].map(|k| surface.corner([number(k), number(k + 1), number(k + 2)]));
        surface.triangle(corners);
    }
}

fn text_stl(text: &str, surface: &mut Surface) -> Result<(), UrdfError> {
    let mut corners = Vec::new();
    for line in lines(text) {
        match line.keyword {
            "vertex" => corners.push(surface.read_corner(&line)?),
            "endloop" => {
                let three = corners.as_slice().try_into();
                surface.triangle(three.map_err(|_| line.fault("a loop must have three `vertex` lines"))?);
                corners.clear();
            }
            _ => {}
        }
    }
    Ok(())
}

fn obj(text: &str, surface: &mut Surface) -> Result<(), UrdfError> {
    let mut listed = Vec::new();
    for line in lines(text) {
        match line.keyword {
            "v" => listed.push(surface.read_corner(&line)?),
            "f" => {
                let corners: Option<Vec<u32>> = line.words.clone().map(|word| corner_named(word, &listed)).collect();
                let corners = corners.filter(|corners| corners.len() >= 3);
                let corners =
                    corners.ok_or_else(|| line.fault("`f` needs three corners or more, each listed before"))?;
                surface.polygon(&corners);
            }
            _ => {}
        }
    }
    Ok(())
}

/// A corner of a face, `7`, `7/1/3` or `-1`: counted from 1, or backward from the last one.
fn corner_named(word: &str, listed: &[u32]) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let place = if number < 0 { listed.len() as i64 + number } else { number - 1 };
    usize::try_from(place).ok().and_then(|place| listed.get(place)).copied()
}
