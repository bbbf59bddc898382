//! The program that `cargo xtask bench` runs for sonars: pings over two million triangles beside a peer's rays, place by place in turn
//! within one process; prints `name value` lines.
//!
//! The peer is `parry3d`: the same triangles as one mesh under its tree of boxes, and one `cast_local_ray` a ray, its rays ready. Our time
//! includes turning the fan. Each side pings a few times in a row, as a slow vehicle sees the same bottom again. Of every place the
//! shortest time of all rounds counts, since other programs can only make it longer.
//!
//! - `mbes`: 256 rays over 45 deg, up to 100 m, downwards; also our rays one by one, cell by cell and down our tree;
//! - `sss`: two sides of 500 rays over 80 deg, from 5 deg below the horizon on, up to 100 m;
//! - `fls`: 512 upright fans of 64 rays, 140 deg wide, from the horizon to 60 deg below it, up to 50 m.

#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

#[path = "../clock.rs"]
mod clock;

use anyhow::{Result, ensure};
use clock::keep_shortest;
use parry3d_f64::math::Vector;
use parry3d_f64::query::{Ray as ParryRay, RayCast};
use parry3d_f64::shape::TriMesh;
use sea_echo::{Fan, HeightGrid, Hit, MeshParams, Ray, Surface, TriangleMesh};
use sea_sim::terrain::{GeneratedParams, HeightGrid as Hills, Material};
use sim_core::{DVec2, DVec3, Purpose, RunKey, Stream, angle};
use std::f64::consts::TAU;
use std::hint::black_box;

/// Posts along a side, 1 m apart: two million triangles.
const POSTS: usize = 1001;
/// Turns of each side, and places from which is pinged.
const ROUNDS: usize = 8;
const PLACES: usize = 40;
/// Pings in a row.
const PINGS: usize = 4;
const KEY: RunKey = RunKey { seed: 1, run_index: 0 };

fn main() -> Result<()> {
    let bottom = bottom()?;
    let mesh = mesh_of(&bottom);
    let peer = TriMesh::new(mesh.vertices_m.iter().copied().map(vector).collect(), mesh.triangles.clone())?;
    let tree = TriangleMesh::new(mesh)?;
    let mut stream = KEY.stream(Purpose::new(7), 0, 0);
    let places: Vec<Place> = (0..PLACES).map(|_| Place::random(&mut stream, &bottom)).collect::<Result<_>>()?;
    let bench = Bench { bottom, peer, places };
    bench.duel(
        "mbes",
        vec![Ping::new([-22.5, 22.5], 256, 100.0, 90.0)?],
        &[("walk", &bench.bottom), ("tree", &tree)],
    )?;
    let side = |from_deg, to_deg| Ping::new([from_deg, to_deg], 500, 100.0, 90.0);
    bench.duel("sss", vec![side(-85.0, -5.0)?, side(5.0, 85.0)?], &[])?;
    let upright = |n| Ping::new([30.0, 90.0], 64, 50.0, -70.0 + 140.0 * f64::from(n) / 511.0);
    bench.duel("fls", (0..512).map(upright).collect::<Result<_>>()?, &[])
}

/// Hills and holes of up to 8 m.
fn bottom() -> Result<HeightGrid> {
    let params = GeneratedParams {
        origin_m: DVec2::ZERO,
        cell_m: 1.0,
        posts: [POSTS; 2],
        base_z_m: -60.0,
        slope: DVec2::new(0.01, -0.02),
        relief_m: 8.0,
        feature_m: 60.0,
        layers: 6,
        material: Material(0),
    };
    let hills = Hills::generated(&params, KEY)?;
    Ok(HeightGrid::new(params.origin_m, params.cell_m, POSTS, hills.params().heights_m.clone())?)
}

/// The triangles of the bottom, with corners that they share.
fn mesh_of(bottom: &HeightGrid) -> MeshParams {
    let mut vertices_m = vec![DVec3::ZERO; POSTS * POSTS];
    let mut number = |corner_m: DVec3| {
        let post = corner_m.y as usize * POSTS + corner_m.x as usize;
        vertices_m[post] = corner_m;
        post as u32
    };
    let triangles = (0..bottom.triangle_count()).map(|n| bottom.corners_m(n).map(&mut number)).collect();
    MeshParams { vertices_m, triangles }
}

fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// Where a sonar is, and how it is turned.
struct Place {
    position_m: DVec3,
    forward: DVec3,
    starboard: DVec3,
}

impl Place {
    /// 10 to 50 m over the bottom, more than 100 m from its border, up to 5 deg or so off the level.
    fn random(stream: &mut Stream, bottom: &HeightGrid) -> Result<Self> {
        let over = DVec3::new(stream.range(150.0, 850.0), stream.range(150.0, 850.0), 0.0);
        let down = Ray::new(over, DVec3::NEG_Z, 200.0)?;
        let altitude_m = stream.range(10.0, 50.0);
        let depth_m = bottom.cast(&down).map_or(0.0, |hit| hit.distance_m);
        let forward = angle::unit(stream.range(0.0, TAU)).extend(stream.range(-0.1, 0.1)).normalize();
        let up = DVec3::new(stream.range(-0.1, 0.1), stream.range(-0.1, 0.1), 1.0);
        Ok(Self { position_m: over.with_z(altitude_m - depth_m), forward, starboard: forward.cross(up).normalize() })
    }
}

/// A fan and the azimuth of its plane, clockwise from forward.
struct Ping {
    fan: Fan,
    azimuth: DVec2,
    hits: Vec<Option<Hit>>,
}

impl Ping {
    /// Rays between two angles from straight down towards the azimuth.
    fn new([from_deg, to_deg]: [f64; 2], rays: u32, length_m: f64, azimuth_deg: f64) -> Result<Self> {
        let angle = |n: u32| (from_deg + (to_deg - from_deg) * f64::from(n) / f64::from(rays - 1)).to_radians();
        let fan = Fan::new(&(0..rays).map(angle).collect::<Vec<_>>(), length_m)?;
        Ok(Self { fan, azimuth: angle::unit(azimuth_deg.to_radians()), hits: vec![None; rays as usize] })
    }

    fn aim(&mut self, place: &Place) -> Result<()> {
        let out = place.forward * self.azimuth.x + place.starboard * self.azimuth.y;
        Ok(self.fan.place(place.position_m, [place.forward.cross(place.starboard), out])?)
    }
}

struct Bench {
    bottom: HeightGrid,
    peer: TriMesh,
    places: Vec<Place>,
}

impl Bench {
    /// Our pings against the peer's rays, and against other ways of our own ray by ray.
    fn duel(&self, name: &str, mut pings: Vec<Ping>, others: &[(&str, &dyn Surface)]) -> Result<()> {
        let mut shortest_s = vec![vec![f64::INFINITY; PLACES]; 2 + others.len()];
        for round in 0..ROUNDS {
            for (number, place) in self.places.iter().enumerate() {
                let mut placed = Ok(());
                keep_shortest(&mut shortest_s[0][number], || {
                    placed = (0..PINGS).try_for_each(|_| self.ping(&mut pings, place));
                });
                placed?;
                let rays = peer_rays(&pings);
                keep_shortest(&mut shortest_s[1][number], || {
                    for (ray, length_m) in (0..PINGS).flat_map(|_| &rays) {
                        black_box(self.peer.cast_local_ray(ray, *length_m, true));
                    }
                });
                for ((_, surface), shortest_s) in others.iter().zip(&mut shortest_s[2..]) {
                    keep_shortest(&mut shortest_s[number], || {
                        for ray in (0..PINGS).flat_map(|_| &pings).flat_map(|ping| ping.fan.rays()) {
                            black_box(surface.cast(ray));
                        }
                    });
                }
                if round == 0 {
                    self.check(&pings, others)?;
                }
            }
        }
        let us = |way: usize| 1e6 * shortest_s[way].iter().sum::<f64>() / (PLACES * PINGS) as f64;
        println!("{name}_ping_us {}\n{name}_peer_us {}\n{name}_ratio {}", us(0), us(1), us(1) / us(0));
        (2..).zip(others).for_each(|(way, (other, _))| println!("{name}_{other}_us {}", us(way)));
        Ok(())
    }

    fn ping(&self, pings: &mut [Ping], place: &Place) -> Result<()> {
        for ping in pings {
            ping.aim(place)?;
            self.bottom.cast_fan(&ping.fan, &mut ping.hits);
            black_box(&ping.hits);
        }
        Ok(())
    }

    /// Our other ways give the same bits, and the peer the same to its rounding.
    fn check(&self, pings: &[Ping], others: &[(&str, &dyn Surface)]) -> Result<()> {
        let rays = pings.iter().flat_map(|ping| ping.fan.rays().iter().zip(&ping.hits));
        for ((ray, hit), (peer_ray, length_m)) in rays.zip(peer_rays(pings)) {
            let peer_m = self.peer.cast_local_ray(&peer_ray, length_m, true);
            let is_same = match (hit, peer_m) {
                (Some(hit), Some(peer_m)) => (hit.distance_m - peer_m).abs() < 1e-9,
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            };
            ensure!(is_same, "{ray:?} meets {hit:?}, the peer says {peer_m:?}");
            ensure!(
                others.iter().all(|(_, surface)| surface.cast(ray) == *hit),
                "{ray:?} meets {hit:?}, another way of ours something else"
            );
        }
        Ok(())
    }
}

/// The same rays for the peer, with their lengths.
fn peer_rays(pings: &[Ping]) -> Vec<(ParryRay, f64)> {
    let peer_ray = |ray: &Ray| (ParryRay::new(vector(ray.origin_m()), vector(ray.direction())), ray.length_m());
    pings.iter().flat_map(|ping| ping.fan.rays().iter().map(peer_ray)).collect()
}
