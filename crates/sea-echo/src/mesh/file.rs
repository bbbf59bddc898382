//! Triangles out of mesh files: OBJ, and STL as text or in binary.
//!
//! Corners at one place become one corner, and triangles with two corners at one place are left out: they have no area. Sources: Wavefront,
//! "Object files (.obj)"; 3D Systems, "StereoLithography interface specification", 1988.

use super::{MAX_FILE_BYTES, MAX_TRIANGLES, MeshParams};
use sim_core::{DVec3, ParamError};
use std::str::SplitAsciiWhitespace;

/// Bytes of a binary STL before its first triangle, and bytes of a triangle.
const STL_HEAD: usize = 84;
const STL_TRIANGLE: usize = 50;

impl MeshParams {
    /// The surface in the bytes of an OBJ file, in its own unit and axes. Faces are polygons; each becomes a fan about its first corner.
    /// Normals, textures, groups and materials are passed over.
    ///
    /// # Errors
    /// With the line, if a coordinate is not a finite number, a face has fewer than three corners or names one that was not listed before;
    /// without, if the file is too long, not text, or has no triangle.
    pub fn from_obj(bytes: &[u8]) -> Result<Self, ParamError> {
        check_file_bytes(bytes.len() as u64)?;
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        for line in lines(text_of(bytes)?) {
            match line.keyword {
                "v" => corners.push(line.corner(corners.len())?),
                "f" => line.read_face(corners.len(), &mut triangles)?,
                _ => {}
            }
        }
        welded(corners, triangles)
    }

    /// The surface in the bytes of an STL file, in its own unit and axes, as text or in binary. Normals are passed over.
    ///
    /// # Errors
    /// With the line of a text, if it begins with an unknown word, a coordinate is not a finite number, or a loop has not three corners;
    /// without, if the file is too long, is not as long as its head says, or has no triangle.
    pub fn from_stl(bytes: &[u8]) -> Result<Self, ParamError> {
        check_file_bytes(bytes.len() as u64)?;
        let count = bytes.get(STL_HEAD - 4..STL_HEAD).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
        let wanted = count.map(|count| STL_HEAD as u64 + u64::from(count) * STL_TRIANGLE as u64);
        let corners = match wanted {
            Some(wanted) if wanted == bytes.len() as u64 => binary_stl(&bytes[STL_HEAD..])?,
            _ if bytes.trim_ascii_start().starts_with(b"solid") => text_stl(text_of(bytes)?)?,
            _ => {
                let wanted = wanted.map_or("84 or more".into(), |wanted| format!("{wanted} by its head"));
                return Err(wrong(format!("is a binary STL of {} bytes, must have {wanted}", bytes.len())));
            }
        };
        let triangles = (0..corners.len() as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
        welded(corners, triangles)
    }
}

/// Refuses a mesh file by its length: what a caller asks before it reads one.
///
/// # Errors
/// If it is longer than [`MAX_FILE_BYTES`].
pub fn check_file_bytes(bytes: u64) -> Result<(), ParamError> {
    if bytes > MAX_FILE_BYTES {
        return Err(wrong(format!("is {bytes} bytes long, must be at most {MAX_FILE_BYTES}")));
    }
    Ok(())
}

fn wrong(message: impl Into<String>) -> ParamError {
    ParamError::new("mesh", message)
}

fn text_of(bytes: &[u8]) -> Result<&str, ParamError> {
    std::str::from_utf8(bytes).map_err(|_| wrong("is not text"))
}

/// A line of a text: its number, its first word and those behind it.
struct Line<'a> {
    number: usize,
    keyword: &'a str,
    words: SplitAsciiWhitespace<'a>,
}

/// Lines that are neither blank nor comments, counted from 1.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let mut words = line.split_ascii_whitespace();
        let keyword = words.next().filter(|keyword| !keyword.starts_with('#'))?;
        Some(Line { number, keyword, words })
    })
}

impl Line<'_> {
    fn fault(&self, message: &str) -> ParamError {
        wrong(format!("line {}: {message}", self.number))
    }

    /// Three finite numbers behind the keyword; so many corners stand before.
    fn corner(&self, before: usize) -> Result<DVec3, ParamError> {
        if before >= 3 * MAX_TRIANGLES {
            return Err(self.fault(&format!("one corner more than {}", 3 * MAX_TRIANGLES)));
        }
        let mut numbers = self.words.clone().map_while(|word| word.parse::<f64>().ok().filter(|n| n.is_finite()));
        let mut next =
            || numbers.next().ok_or_else(|| self.fault(&format!("`{}` needs three finite numbers", self.keyword)));
        Ok(DVec3::new(next()?, next()?, next()?))
    }

    /// The triangles of a polygon, as a fan about its first corner.
    fn read_face(&self, listed: usize, triangles: &mut Vec<[u32; 3]>) -> Result<(), ParamError> {
        let needs = || self.fault("`f` needs three corners or more, each listed before");
        let mut corners = self.words.clone().map(|word| corner_named(word, listed).ok_or_else(needs));
        let mut next = || corners.next().unwrap_or_else(|| Err(needs()));
        let (first, mut second, mut third) = (next()?, next()?, next()?);
        loop {
            if triangles.len() >= MAX_TRIANGLES {
                return Err(self.fault(&format!("one triangle more than {MAX_TRIANGLES}")));
            }
            triangles.push([first, second, third]);
            let Some(corner) = corners.next() else { return Ok(()) };
            (second, third) = (third, corner?);
        }
    }
}

/// A corner of a face, `7`, `7/1/3` or `-1`: counted from 1, or backward from the last one.
fn corner_named(word: &str, listed: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let place = if number < 0 { number.checked_add(listed as i64)? } else { number - 1 };
    u32::try_from(place).ok().filter(|&place| (place as usize) < listed)
}

fn binary_stl(triangles: &[u8]) -> Result<Vec<DVec3>, ParamError> {
    let count = triangles.len() / STL_TRIANGLE;
    if count > MAX_TRIANGLES {
        return Err(wrong(format!("has {count} triangles, must have at most {MAX_TRIANGLES}")));
    }
    let mut corners = Vec::with_capacity(3 * count);
    for (number, triangle) in triangles.chunks_exact(STL_TRIANGLE).enumerate() {
        // A normal, three corners, and two bytes without a meaning.
        let value = |k: usize| f64::from(f32::from_le_bytes([0, 1, 2, 3].map(|byte| triangle[4 * k + byte])));
        let places = [3, 6, 9].map(|k| DVec3::new(value(k), value(k + 1), value(k + 2)));
        if !places.iter().all(|place| place.is_finite()) {
            return Err(wrong(format!("has a corner in triangle {number} that is not finite")));
        }
        corners.extend(places);
    }
    Ok(corners)
}

fn text_stl(text: &str) -> Result<Vec<DVec3>, ParamError> {
    let (mut corners, mut in_loop) = (Vec::new(), 0);
    for line in lines(text) {
        match line.keyword {
            "vertex" => {
                corners.push(line.corner(corners.len())?);
                in_loop += 1;
            }
            "endloop" if in_loop == 3 => in_loop = 0,
            "endloop" => return Err(line.fault(&format!("a loop of {in_loop} corners, must have three"))),
            "solid" | "facet" | "outer" | "endfacet" | "endsolid" => {}
            unknown => return Err(line.fault(&format!("the unknown word `{unknown}`"))),
        }
    }
    if in_loop > 0 {
        return Err(wrong("ends within a loop"));
    }
    Ok(corners)
}

/// A surface whose corners at one place are one corner, numbered as they come first, without triangles that lack an area by that.
fn welded(mut corners: Vec<DVec3>, mut triangles: Vec<[u32; 3]>) -> Result<MeshParams, ParamError> {
    // A zero has one sign here.
    corners.iter_mut().for_each(|corner| *corner += 0.0);
    let bits = |corner: u32| corners[corner as usize].to_array().map(f64::to_bits);
    let mut order: Vec<u32> = (0..corners.len() as u32).collect();
    order.sort_unstable_by_key(|&corner| (bits(corner), corner));
    let mut numbers = vec![0; corners.len()];
    for same in order.chunk_by(|&one, &other| bits(one) == bits(other)) {
        same.iter().for_each(|&corner| numbers[corner as usize] = same[0]);
    }
    let mut vertices_m = Vec::new();
    for (corner, &place) in corners.iter().enumerate() {
        let first = numbers[corner] as usize;
        if first == corner {
            numbers[corner] = vertices_m.len() as u32;
            vertices_m.push(place);
        } else {
            numbers[corner] = numbers[first];
        }
    }
    triangles.iter_mut().flatten().for_each(|corner| *corner = numbers[*corner as usize]);
    triangles.retain(|&[a, b, c]| a != b && b != c && c != a);
    let mesh = MeshParams { vertices_m, triangles };
    mesh.check()?;
    Ok(mesh)
}
