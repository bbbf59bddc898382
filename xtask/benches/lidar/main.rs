//! The program that `cargo xtask bench` runs for lidars: scans beside a peer's rays, place by place in turn within one process; prints
//! `name value` lines.
//!
//! The peer is `parry2d`: the segments of the map as one polyline under its tree of boxes, and one `cast_local_ray` a ray, the directions
//! turned from a table as ours are. Of every place the shortest time of all rounds counts, since other programs can only make it longer.
//!
//! - `duel`: floors of 100 and of 10,000 segments, 1,080 rays all round up to 25 m;
//! - `fleet`: a step of 1,000 cars that see each other and a walled floor of 200 x 200 m, 64 rays each.

#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

#[path = "../clock.rs"]
mod clock;
mod scenes;

use anyhow::{Result, bail, ensure};
use car_sim::{Lidar, LidarParams, Pose, Scanner, Scene, Traffic};
use clock::keep_shortest;
use parry2d_f64::query::{Ray, RayCast};
use parry2d_f64::shape::Polyline;
use scenes::Floor;
use sim_core::{DVec2, angle};
use std::f64::consts::TAU;
use std::hint::black_box;

/// How far lidars see, m.
const RANGE_M: f64 = 25.0;
/// Turns of each side.
const ROUNDS: usize = 30;
/// Places from which is scanned.
const PLACES: usize = 100;
/// Cars of the fleet, and how many are timed together.
const FLEET: (usize, usize) = (1000, 20);

fn main() -> Result<()> {
    // Cargo passes `--bench` along.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match &words[..] {
        [mode] if mode == "duel" => {
            duel("hundred", &Floor::with_pillars(24, 30.0, 20.0))?;
            duel("ten_thousand", &Floor::with_pillars(2499, 250.0, 250.0))
        }
        [mode] if mode == "fleet" => fleet(&Floor::with_pillars(100, 200.0, 200.0)),
        _ => bail!("usage: duel|fleet"),
    }
}

fn all_round(rays: f64) -> Result<Lidar> {
    Ok(Lidar::new(LidarParams { increment_rad: TAU / rays, range_max_m: RANGE_M, ..LidarParams::default() })?)
}

/// Our scans against the peer's rays from the same places.
fn duel(name: &str, floor: &Floor) -> Result<()> {
    let (map, lidar, traffic) = (floor.map()?, all_round(1080.0)?, Traffic::new());
    let scene = Scene { map: &map, traffic: &traffic, own_car: None };
    let peer = floor.polyline();
    let table: Vec<DVec2> = (0..lidar.ray_count()).map(|ray| angle::unit(lidar.angle_rad(ray))).collect();
    let places = floor.free_places(PLACES);
    let (mut scanner, mut ranges_m) = (Scanner::new(), Vec::new());
    for &car in &places {
        lidar.scan(scene, car, &mut scanner, &mut ranges_m);
        check_against(&peer, &table, car, &ranges_m)?;
    }
    let mut shortest_s = [[f64::INFINITY; 2]; PLACES];
    for _ in 0..ROUNDS {
        for (&car, [ours_s, peer_s]) in places.iter().zip(&mut shortest_s) {
            keep_shortest(ours_s, || {
                lidar.scan(scene, car, &mut scanner, &mut ranges_m);
                black_box(&ranges_m);
            });
            keep_shortest(peer_s, || {
                black_box(
                    cast_rays(&peer, &table, car)
                        .fold(0, |hits, range_m| hits + usize::from(black_box(range_m).is_some())),
                );
            });
        }
    }
    let [ours_s, peer_s] = [0, 1].map(|side| shortest_s.iter().map(|pair| pair[side]).sum::<f64>());
    println!("{name}_scan_us {}", 1e6 * ours_s / PLACES as f64);
    println!("{name}_peer_us {}", 1e6 * peer_s / PLACES as f64);
    println!("{name}_ratio {}", peer_s / ours_s);
    Ok(())
}

/// The peer's ranges, ray by ray.
fn cast_rays(peer: &Polyline, table: &[DVec2], car: Pose) -> impl Iterator<Item = Option<f64>> {
    let forward = angle::unit(car.yaw_rad);
    table.iter().map(move |&direction| {
        let ray = Ray::new(car.position_m, forward.rotate(direction));
        peer.cast_local_ray(&ray, RANGE_M, true)
    })
}

/// Both see the same. They round differently, most of all along walls.
fn check_against(peer: &Polyline, table: &[DVec2], car: Pose, ranges_m: &[f64]) -> Result<()> {
    for (ray, (peer_m, &ours_m)) in cast_rays(peer, table, car).zip(ranges_m).enumerate() {
        let peer_m = peer_m.unwrap_or(f64::INFINITY);
        let is_same = ours_m == peer_m || (ours_m - peer_m).abs() < 1e-9;
        ensure!(is_same, "from {car:?} ray {ray} reads {ours_m}, the peer says {peer_m}");
    }
    Ok(())
}

/// A step of many cars: file them all, then scan from each.
fn fleet(floor: &Floor) -> Result<()> {
    let (map, lidar) = (floor.map()?, all_round(64.0)?);
    let (count, together) = FLEET;
    let cars = floor.free_places(count);
    let (mut traffic, mut scanner, mut ranges_m) = (Traffic::new(), Scanner::new(), Vec::new());
    let mut indexing_s = f64::INFINITY;
    let mut shortest_s = vec![f64::INFINITY; count.div_ceil(together)];
    for _ in 0..ROUNDS {
        keep_shortest(&mut indexing_s, || traffic.replace(cars.iter().map(|&car| scenes::outline(car))));
        for (part, shortest_s) in shortest_s.iter_mut().enumerate() {
            let numbers = part * together..((part + 1) * together).min(count);
            keep_shortest(shortest_s, || {
                for number in numbers {
                    let scene = Scene { map: &map, traffic: &traffic, own_car: Some(number) };
                    lidar.scan(scene, cars[number], &mut scanner, &mut ranges_m);
                    black_box(&ranges_m);
                }
            });
        }
    }
    println!("fleet_step_ms {}", 1e3 * (indexing_s + shortest_s.iter().sum::<f64>()));
    Ok(())
}
