//! The peer: `dodgy_2d`, the fastest collision avoidance library that we know of, on the same places, velocities and wishes.
//!
//! It does less than a step of ours: avoidance alone, in f32, without a field, feet that walk, limits of acceleration or measures.
//! Robots see all others and all feet within 150 mm; feet give way to none. Looking for these neighbours is part of its time,
//! building its agents is not. It is timed without the mat's walls, which is the least that it can do, and with them.

use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};
use std::borrow::Cow;
use std::hint::black_box;
use world_mat::MatWorld;

/// How far a robot looks, mm.
const NEIGHBOURS_MM: f32 = 150.0;
/// How far ahead it looks, s: the spec's window.
const HORIZON_S: f32 = 0.6;

/// What both get to see of a step.
pub struct Snapshot {
    agents: Vec<Agent>,
    feet: Vec<Agent>,
    wishes_mm_s: Vec<Vec2>,
}

impl Snapshot {
    /// The present of a world.
    pub fn new(world: &MatWorld) -> Self {
        let mut snapshot = Self { agents: Vec::new(), feet: Vec::new(), wishes_mm_s: Vec::new() };
        snapshot.take(world);
        snapshot
    }

    /// The present of a world, in the same buffers.
    pub fn take(&mut self, world: &MatWorld) {
        let robot_radius_mm = world.model().swarm.clearances.d_r_mm / 2.0;
        let foot_radius_mm = world.model().swarm.clearances.d_h_mm - robot_radius_mm;
        let (agents, feet) = (world.agents(), world.feet());
        let vec2 = |x: f64, y: f64| Vec2::new(x as f32, y as f32);
        let agent = |position, velocity, radius_mm, avoidance_responsibility| Agent {
            position,
            velocity,
            radius: radius_mm as f32,
            avoidance_responsibility,
        };
        self.agents.clear();
        self.agents.extend(
            agents
                .position_mm
                .iter()
                .zip(&agents.velocity_mm_s)
                .map(|(p, v)| agent(vec2(p.x, p.y), vec2(v.x, v.y), robot_radius_mm, 1.0)),
        );
        self.feet.clear();
        self.feet.extend((0..feet.len()).map(|k| {
            let (p, v) = (feet.position_mm(k), feet.velocity_mm_s(k));
            agent(vec2(p.x, p.y), vec2(v.x, v.y), foot_radius_mm, 0.0)
        }));
        self.wishes_mm_s.clear();
        self.wishes_mm_s.extend(world.wishes_mm_s().iter().map(|wish| vec2(wish.x, wish.y)));
    }
}

/// The library with our limits.
pub struct Peer {
    walls: Vec<Obstacle>,
    max_speed_mm_s: f32,
    step_s: f32,
    options: AvoidanceOptions,
}

impl Peer {
    /// With the limits of a world, and its walls if they are wanted.
    pub fn new(world: &MatWorld, with_walls: bool) -> Self {
        let swarm = &world.model().swarm;
        let corner = |x: f64, y: f64| Vec2::new(x as f32, y as f32);
        let (min, max) = (swarm.bounds.min, swarm.bounds.max);
        // In this order the inside is free.
        let vertices = vec![corner(min.x, min.y), corner(min.x, max.y), corner(max.x, max.y), corner(max.x, min.y)];
        Self {
            walls: if with_walls { vec![Obstacle::Closed { vertices }] } else { Vec::new() },
            max_speed_mm_s: swarm.limits.v_max_mm_s as f32,
            step_s: swarm.step_s as f32,
            options: AvoidanceOptions {
                obstacle_margin: 0.0,
                time_horizon: HORIZON_S,
                obstacle_time_horizon: HORIZON_S,
            },
        }
    }

    /// New velocities for all robots of a snapshot.
    pub fn step(&self, snapshot: &Snapshot) {
        let Snapshot { agents, feet, wishes_mm_s } = snapshot;
        let walls: Vec<Cow<'_, Obstacle>> = self.walls.iter().map(Cow::Borrowed).collect();
        let mut neighbours: Vec<Cow<'_, Agent>> = Vec::with_capacity(agents.len() + feet.len());
        for (i, (agent, &wish_mm_s)) in agents.iter().zip(wishes_mm_s).enumerate() {
            let is_near =
                |other: &Agent| agent.position.distance_squared(other.position) < NEIGHBOURS_MM * NEIGHBOURS_MM;
            let others = agents[..i].iter().chain(&agents[i + 1..]).chain(feet);
            neighbours.clear();
            neighbours.extend(others.filter(|other| is_near(other)).map(Cow::Borrowed));
            let (max_speed, step_s) = (self.max_speed_mm_s, self.step_s);
            black_box(agent.compute_avoiding_velocity(
                &neighbours,
                &walls,
                wish_mm_s,
                max_speed,
                step_s,
                &self.options,
            ));
        }
    }
}
