//! Start places: legal, at rest, and not jammed.
//!
//! Points are drawn at random and pushed apart until every two keep the spacing, every foot its distance and nobody
//! stands in a pocket (random placing one by one jams long before 30 robots fit). A start that does not come clear is
//! thrown away for another draw; every second one begins from a hexagonal lattice, which helps in a crowd. What is
//! asked for is `d_r + 2` and `d_h + 5` mm at first (`d_h + 40` mm where robots have room), then less, down to what two
//! robots need that pass each other between two steps, `sqrt(d^2 + (v_max dt)^2)`. Pockets are used only if there is no
//! other way. Everything is a pure function of the model, the feet and the run's address.

mod room;

use crate::capacity::capacity;
use crate::{Agents, Neighbours, SwarmModel};
use room::Room;
use sim_core::{DVec2, Purpose, RunKey, Stream, angle};
use std::fmt;

/// Sweeps after which a start is given up.
const SWEEPS: usize = 500;
/// Sweeps between two looks at who is near whom.
const SWEEPS_PER_LOOK: usize = 4;
/// How much farther than asked points are pushed, mm, so that they arrive in finitely many sweeps.
const AIM_MM: f64 = 0.12;
/// A push moves a pair this much farther than to the distance.
const RELAXATION: f64 = 1.25;
/// Shake in the first sweeps, mm: rows along a wall would not buckle without it.
const SHAKE_MM: f64 = 1.0;
/// Robots times starts that are tried at a level, and most starts.
const EFFORT: usize = 2_000;
const STARTS_MOST: usize = 40;

/// Robots do not fit at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacementError {
    /// Robots asked for.
    pub robots: usize,
    /// Feet among them.
    pub feet: usize,
    /// How many fit, about.
    pub fitting: usize,
    /// Width and height of the room for centres, mm.
    pub room_mm: DVec2,
    /// Smallest spacing that was tried, mm.
    pub spacing_mm: f64,
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { robots, feet, fitting, room_mm, spacing_mm } = self;
        let feet = match feet {
            0 => String::new(),
            1 => " beside a foot".to_owned(),
            feet => format!(" beside {feet} feet"),
        };
        write!(
            f,
            "found no start places for {robots} robots{feet}: their centres have {:.0} x {:.0} mm and must be \
             {spacing_mm:.1} mm apart; about {fitting} fit",
            room_mm.x, room_mm.y
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
    /// How often the usual number of starts is tried.
    patience: usize,
}

/// Start places for `robots` robots, at rest, with headings drawn at random.
///
/// # Errors
/// If no start was found; the error says how many robots fit.
pub fn place(model: &SwarmModel, robots: usize, feet_mm: &[DVec2], key: RunKey) -> Result<Agents, PlacementError> {
    let levels = spacings(model, robots);
    if robots <= most_ever(model) {
        let starts = (EFFORT / robots.max(1)).clamp(2, STARTS_MOST);
        let mut draw = 0;
        for spacing in &levels {
            let room = Room::new(model, feet_mm, spacing.foot_mm, spacing.pockets);
            for _ in 0..starts * spacing.patience {
                if let Some(position_mm) = try_start(model, robots, spacing, &room, key, draw) {
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
        room_mm: model.bounds.size(),
        spacing_mm: levels[levels.len() - 1].robots_mm,
    })
}

/// From roomy to as tight as the certificate can bear. A foot that never waits can come for a robot that stands beside it before that has
/// got going, so robots that have room begin farther away.
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
    // A crowd at the limit comes clear in one of many starts only.
    let usual =
        [level(2.0, 5.0, false, 1), level(0.5, 2.0, false, 1), level(0.0, 0.5, false, 3), level(0.0, 0.5, true, 3)];
    let roomy = model.is_sparse(robots).then(|| level(2.0, 40.0, false, 1));
    roomy.into_iter().chain(usual).collect()
}

/// Oler's bound on points with mutual distance d in a convex region: `2 A / (sqrt(3) d^2) + P / (2 d) + 1`. More never
/// fit.
fn most_ever(model: &SwarmModel) -> usize {
    let (size, d) = (model.bounds.size(), model.clearances.d_r_mm);
    (2.0 / 3.0_f64.sqrt() * size.x * size.y / (d * d) + (size.x + size.y) / d + 1.0) as usize
}

fn with_headings(position_mm: Vec<DVec2>, key: RunKey) -> Agents {
    let mut agents = Agents::at_rest(position_mm);
    for (i, heading) in agents.heading_rad.iter_mut().enumerate() {
        *heading = angle::heading_of(key.stream(Purpose::Placement, i as u64, 1).direction());
    }
    agents
}

/// One start: random or latticed points, pushed apart. None if they do not come clear.
fn try_start(
    model: &SwarmModel,
    robots: usize,
    spacing: &Spacing,
    room: &Room,
    key: RunKey,
    draw: u64,
) -> Option<Vec<DVec2>> {
    // Owners from 2^32 on are starts; below are robots.
    let mut stream = key.stream(Purpose::Placement, (1 << 32) + draw, 0);
    let mut points = if draw % 2 == 1 { lattice(model, spacing.robots_mm, room, &mut stream) } else { Vec::new() };
    points.truncate(robots);
    while points.len() < robots {
        let p = DVec2::new(
            stream.range(model.bounds.min.x, model.bounds.max.x),
            stream.range(model.bounds.min.y, model.bounds.max.y),
        );
        points.push(room.nearest_mm(p)?);
    }
    push_apart(spacing, room, &mut stream, &mut points).then_some(points)
}

/// Points of a hexagonal lattice at a random offset, in random order, as far as they are in the room.
fn lattice(model: &SwarmModel, spacing_mm: f64, room: &Room, stream: &mut Stream) -> Vec<DVec2> {
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
            if room.holds(p) {
                points.push(p);
            }
        }
    }
    for i in (1..points.len()).rev() {
        points.swap(i, stream.below(i as u64 + 1) as usize);
    }
    points
}

/// Pushes points apart, out of feet and into the room. True if in the end every distance is kept.
fn push_apart(spacing: &Spacing, room: &Room, stream: &mut Stream, points: &mut [DVec2]) -> bool {
    let aim_mm = spacing.robots_mm + AIM_MM;
    let mut near = Neighbours::default();
    for sweep in 0..SWEEPS {
        if sweep % SWEEPS_PER_LOOK == 0 {
            near.rebuild(points, aim_mm * 1.5);
        }
        let mut worst_mm = separate(near.pairs(), aim_mm, stream, points);
        let shake_mm = SHAKE_MM * (1.0 - 2.0 * sweep as f64 / SWEEPS as f64);
        for p in points.iter_mut() {
            if shake_mm > 0.0 && worst_mm > 1.0 {
                *p += stream.direction() * (shake_mm * stream.uniform());
            }
            let Some(inside) = room.nearest_mm(*p) else { return false };
            worst_mm = worst_mm.max(inside.distance(*p));
            *p = inside;
        }
        if worst_mm < AIM_MM && is_clear(spacing, room, &mut near, points) {
            return true;
        }
    }
    false
}

/// Moves both points of every pair that is too near; returns the worst lack of distance, mm.
fn separate(pairs: &[(u32, u32)], aim_mm: f64, stream: &mut Stream, points: &mut [DVec2]) -> f64 {
    let mut worst_mm = 0.0_f64;
    for &(i, j) in pairs {
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
        worst_mm = worst_mm.max(aim_mm - distance);
    }
    worst_mm
}

fn is_clear(spacing: &Spacing, room: &Room, near: &mut Neighbours, points: &[DVec2]) -> bool {
    near.rebuild(points, spacing.robots_mm * (1.0 - 1e-12));
    near.pairs().is_empty() && points.iter().all(|&p| room.holds(p))
}
