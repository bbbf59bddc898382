//! Start places: legal, at rest, and not jammed.
//!
//! Points are drawn at random and pushed apart until every pair keeps the spacing, every foot its distance and no point lies in a pocket.
//! (Random placing one by one jams long before 30 robots fit.) A start that does not come clear is replaced by another draw. Every second
//! one begins from a hexagonal lattice, which helps in a crowd. The distances are `d_r + 2` and `d_h + 5` mm at first (`d_h + 40` mm in a
//! sparse swarm), then less. The least is `sqrt(d^2 + (v_max dt)^2)`, which two robots need that pass each other between two steps.
//! Pockets are the last resort. Everything is a pure function of the model, the feet and the run's address.

mod free_space;

use crate::capacity::capacity;
use crate::purpose;
use crate::{Agents, Neighbours, SwarmModel, Walls};
use free_space::FreeSpace;
use sim_core::{DVec2, RunKey, Stream, angle};
use std::fmt;

/// Maximum number of sweeps of a start.
const MAX_SWEEPS: usize = 500;
/// Sweeps between two searches for near pairs.
const SWEEPS_PER_SEARCH: usize = 4;
/// Distance beyond the spacing that pushes aim at, mm, so that points arrive in finitely many sweeps.
const AIM_MM: f64 = 0.12;
/// Over-relaxation: factor on the push of a pair.
const RELAXATION: f64 = 1.25;
/// Shake in the first sweeps, mm: without it rows along a wall never buckle.
const SHAKE_MM: f64 = 1.0;
/// Robots times starts at one level of spacing.
const EFFORT: usize = 2_000;
/// Maximum number of starts at one level of spacing.
const MAX_STARTS: usize = 40;
/// Number of robots from which on they are numbered along strips of the mat.
const NUMBERED_BY_PLACE_FROM: usize = 256;
/// Width of a strip, mm: several times the distance that robots look at.
const STRIP_MM: f64 = 300.0;

/// No start was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacementError {
    /// Robots asked for.
    pub robots: usize,
    /// Feet among them.
    pub feet: usize,
    /// Number of robots that fit, approximately.
    pub fitting: usize,
    /// Width and height of the box of centres, mm.
    pub size_mm: DVec2,
    /// Smallest spacing that was tried, mm.
    pub spacing_mm: f64,
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { robots, feet, fitting, size_mm, spacing_mm } = self;
        let feet = match feet {
            0 => String::new(),
            1 => " beside a foot".to_owned(),
            feet => format!(" beside {feet} feet"),
        };
        write!(
            f,
            "found no start places for {robots} robots{feet}: their centres have {:.0} x {:.0} mm and must be \
             {spacing_mm:.1} mm apart; about {fitting} fit",
            size_mm.x, size_mm.y
        )
    }
}

impl std::error::Error for PlacementError {}

/// Distances of a start.
#[derive(Clone, Copy, Debug)]
struct Spacing {
    robots_mm: f64,
    foot_mm: f64,
    pockets: bool,
    /// Factor on the number of starts.
    patience: usize,
}

/// The same as [`place_among`] on a mat without walls.
///
/// # Errors
/// As there.
pub fn place(model: &SwarmModel, robots: usize, feet_mm: &[DVec2], key: RunKey) -> Result<Agents, PlacementError> {
    place_among(model, &Walls::default(), robots, feet_mm, key)
}

/// Start places for `robots` robots among walls and feet, at rest, with headings drawn at random. Many robots are numbered along strips of
/// the mat.
///
/// # Errors
/// If no start was found; the error says how many robots fit.
pub fn place_among(
    model: &SwarmModel,
    walls: &Walls,
    robots: usize,
    feet_mm: &[DVec2],
    key: RunKey,
) -> Result<Agents, PlacementError> {
    let levels = spacings(model, robots);
    if robots <= max_robots(model) {
        let starts = (EFFORT / robots.max(1)).clamp(2, MAX_STARTS);
        let mut draw = 0;
        for spacing in &levels {
            let space = FreeSpace::new((model, walls), feet_mm, spacing.foot_mm, spacing.pockets);
            for _ in 0..starts * spacing.patience {
                if let Some(mut position_mm) = try_start(model, robots, spacing, &space, key, draw) {
                    number_by_place(model, &mut position_mm);
                    return Ok(with_headings(position_mm, key));
                }
                draw += 1;
            }
        }
    }
    Err(PlacementError {
        robots,
        feet: feet_mm.len(),
        fitting: capacity(model.bounds, &model.clearances, feet_mm.len()).robots.min(robots.saturating_sub(1)),
        size_mm: model.bounds.size(),
        spacing_mm: levels[levels.len() - 1].robots_mm,
    })
}

/// From wide to the tightest that the certificate accepts. A foot that never waits can reach a robot beside it before that robot has
/// sped up, so a sparse swarm starts farther away.
fn spacings(model: &SwarmModel, robots: usize) -> Vec<Spacing> {
    let (d_r, d_h) = (model.clearances.d_r_mm, model.clearances.d_h_mm);
    let travel_mm = model.limits.v_max_mm_s * model.step_s;
    let tight = |d: f64| (d * d + travel_mm * travel_mm).sqrt() + 0.05;
    let level = |robot: f64, foot: f64, pockets, patience| Spacing {
        robots_mm: (d_r + robot).max(tight(d_r)),
        foot_mm: (d_h + foot).max(tight(d_h)),
        pockets,
        patience,
    };
    // A crowd at the limit comes clear in few of many starts.
    let usual =
        [level(2.0, 5.0, false, 1), level(0.5, 2.0, false, 1), level(0.0, 0.5, false, 3), level(0.0, 0.5, true, 3)];
    let sparse = model.is_sparse(robots).then(|| level(2.0, 40.0, false, 1));
    sparse.into_iter().chain(usual).collect()
}

/// Oler's bound on points with mutual distance d in a convex region: `2 A / (sqrt(3) d^2) + P / (2 d) + 1`. More never
/// fit.
fn max_robots(model: &SwarmModel) -> usize {
    let (size, d) = (model.bounds.size(), model.clearances.d_r_mm);
    (2.0 / 3.0_f64.sqrt() * size.x * size.y / (d * d) + (size.x + size.y) / d + 1.0) as usize
}

/// Numbers robots of a large swarm strip by strip, along x in each: neighbours then stand near each other in memory.
fn number_by_place(model: &SwarmModel, position_mm: &mut [DVec2]) {
    if position_mm.len() >= NUMBERED_BY_PLACE_FROM {
        let strip = |p: &DVec2| ((p.y - model.bounds.min.y) / STRIP_MM).floor();
        position_mm.sort_by(|p, q| strip(p).total_cmp(&strip(q)).then(p.x.total_cmp(&q.x)));
    }
}

fn with_headings(position_mm: Vec<DVec2>, key: RunKey) -> Agents {
    let mut agents = Agents::at_rest(position_mm);
    for (i, heading) in agents.heading_rad.iter_mut().enumerate() {
        *heading = angle::heading_of(key.stream(purpose::PLACEMENT, i as u64, 1).direction());
    }
    agents
}

/// One start: random or latticed points, pushed apart. None if they do not come clear.
fn try_start(
    model: &SwarmModel,
    robots: usize,
    spacing: &Spacing,
    space: &FreeSpace<'_>,
    key: RunKey,
    draw: u64,
) -> Option<Vec<DVec2>> {
    // Owners from 2^32 on are starts; below are robots.
    let mut stream = key.stream(purpose::PLACEMENT, (1 << 32) + draw, 0);
    let mut points = if draw % 2 == 1 { lattice(model, spacing.robots_mm, space, &mut stream) } else { Vec::new() };
    points.truncate(robots);
    while points.len() < robots {
        let p = DVec2::new(
            stream.range(model.bounds.min.x, model.bounds.max.x),
            stream.range(model.bounds.min.y, model.bounds.max.y),
        );
        points.push(space.nearest_mm(p)?);
    }
    push_apart(spacing, space, &mut stream, &mut points).then_some(points)
}

/// Points of a hexagonal lattice at a random offset, in random order, as far as they lie in the free space.
fn lattice(model: &SwarmModel, spacing_mm: f64, space: &FreeSpace<'_>, stream: &mut Stream) -> Vec<DVec2> {
    let size = model.bounds.size();
    let row_mm = spacing_mm * 0.75_f64.sqrt();
    let upright = stream.below(2) == 1;
    let (length, height) = if upright { (size.y, size.x) } else { (size.x, size.y) };
    let offset = DVec2::new(stream.uniform() * spacing_mm, stream.uniform() * row_mm);
    let mut points = Vec::new();
    for row in 0..=(height / row_mm) as usize {
        let shift = if row % 2 == 1 { 0.5 * spacing_mm } else { 0.0 };
        for column in 0..=(length / spacing_mm) as usize {
            let along = (column as f64 * spacing_mm + shift + offset.x) % (length + spacing_mm);
            let p = DVec2::new(along, row as f64 * row_mm + offset.y);
            let p = model.bounds.min + if upright { DVec2::new(p.y, p.x) } else { p };
            if space.holds(p) {
                points.push(p);
            }
        }
    }
    for i in (1..points.len()).rev() {
        points.swap(i, stream.below(i as u64 + 1) as usize);
    }
    points
}

/// Pushes points apart and into the free space. True if in the end every distance is kept.
fn push_apart(spacing: &Spacing, space: &FreeSpace<'_>, stream: &mut Stream, points: &mut [DVec2]) -> bool {
    let aim_mm = spacing.robots_mm + AIM_MM;
    let mut near = Neighbours::default();
    for sweep in 0..MAX_SWEEPS {
        if sweep % SWEEPS_PER_SEARCH == 0 {
            near.rebuild(points, aim_mm * 1.5);
        }
        let mut max_lack_mm = separate(near.pairs(), aim_mm, stream, points);
        let shake_mm = SHAKE_MM * (1.0 - 2.0 * sweep as f64 / MAX_SWEEPS as f64);
        for p in points.iter_mut() {
            if shake_mm > 0.0 && max_lack_mm > 1.0 {
                *p += stream.direction() * (shake_mm * stream.uniform());
            }
            let Some(inside) = space.nearest_mm(*p) else { return false };
            max_lack_mm = max_lack_mm.max(inside.distance(*p));
            *p = inside;
        }
        if max_lack_mm < AIM_MM && is_clear(spacing, space, &mut near, points) {
            return true;
        }
    }
    false
}

/// Moves both points of every pair that is too near; returns the largest lack of distance, mm.
fn separate(pairs: impl Iterator<Item = (u32, u32)>, aim_mm: f64, stream: &mut Stream, points: &mut [DVec2]) -> f64 {
    let mut max_lack_mm = 0.0_f64;
    for (i, j) in pairs {
        let (i, j) = (i as usize, j as usize);
        let apart = points[i] - points[j];
        let distance2 = apart.length_squared();
        if distance2 >= aim_mm * aim_mm {
            continue;
        }
        let distance = distance2.sqrt();
        let direction = if distance > 1e-6 { apart / distance } else { stream.direction() };
        let push = direction * (0.5 * RELAXATION * (aim_mm - distance));
        points[i] += push;
        points[j] -= push;
        max_lack_mm = max_lack_mm.max(aim_mm - distance);
    }
    max_lack_mm
}

fn is_clear(spacing: &Spacing, space: &FreeSpace<'_>, near: &mut Neighbours, points: &[DVec2]) -> bool {
    near.rebuild(points, spacing.robots_mm * (1.0 - 1e-12));
    near.pairs().next().is_none() && points.iter().all(|&p| space.holds(p))
}
