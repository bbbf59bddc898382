//! Particles that show force fields: the stream `particles`. They feel fields and nothing else, and nothing feels them.
//!
//! A pool has a fixed number of them. Each begins a life at a place inside a field that is drawn for it, moves by `v = m F` with a mobility
//! m, and begins another life when its time is over or when it is no longer strictly inside any field. Source: the field visualiser of
//! SMaRC, whose particles are light force points.

use crate::model::SeaModel;
use crate::world::SeaWorld;
use sea_sim::field::{FieldPoint, TurningPropeller};
use sea_sim::purpose;
use sea_sim::water::Water;
use sim_core::{DVec3, RunKey, StateHash, Tick};
use sim_world::{Cadence, Column, RowSink, Stream, Value, World};

/// Number of their body in the addresses of draws.
const BODY: u32 = u32::MAX;

/// The pool of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticlePool {
    /// How many there are.
    pub count: u32,
    /// Steps of a life.
    pub life_steps: u64,
    /// Radius in pictures, m.
    pub radius_m: f64,
    /// Velocity for each newton, m/s.
    pub m_s_per_n: f64,
}

/// A particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Its place, m.
    pub position_m: DVec3,
    /// Steps since this life began.
    pub age: u64,
    /// Number of its life, from 0.
    pub life: u64,
}

impl Particle {
    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        self.position_m.to_array().into_iter().for_each(|value| hash.f64(value));
        hash.u64(self.age);
        hash.u64(self.life);
    }
}

/// Where the particle with a number begins a life, m; none where no field has an inside.
fn born(model: &SeaModel, propellers: &[TurningPropeller], key: RunKey, (number, life): (usize, u64)) -> Option<DVec3> {
    let mut stream = key.stream(purpose::PARTICLE, number as u64, life);
    let count = model.fields.volumes(propellers).count();
    let volume = model.fields.volumes(propellers).nth(stream.below(count as u64) as usize)?;
    // A draw on the border is as rare as any other place.
    (0..4).map(|_| volume.draw(&mut stream)).find(|&place_m| volume.holds_strictly(place_m))
}

/// The pool at the start: ages are spread over a life, so that not all of them end at once.
pub(crate) fn start(model: &SeaModel, propellers: &[TurningPropeller], key: RunKey) -> Vec<Particle> {
    let Some(pool) = model.particles else { return Vec::new() };
    let count = u64::from(pool.count);
    let particle = |number: u64| {
        let position_m = born(model, propellers, key, (number as usize, 0))?;
        Some(Particle { position_m, age: number * pool.life_steps / count, life: 0 })
    };
    (0..count).filter_map(particle).collect()
}

/// One step of all particles.
pub(crate) fn advance(
    (model, key, water): (&SeaModel, RunKey, &Water),
    particles: &mut [Particle],
    propellers: &[TurningPropeller],
    (tick, begin_s): (Tick, f64),
) {
    let Some(pool) = model.particles else { return };
    for (number, particle) in particles.iter_mut().enumerate() {
        let at_m = particle.position_m;
        let surface_m = water.surface(at_m.x, at_m.y, begin_s).height_m;
        let point =
            FieldPoint { position_m: at_m, surface_m, submerged_depth_m: 0.0, body: BODY, point: number as u16 };
        let force_n = model.fields.force_n(&point, propellers, (key, tick));
        particle.position_m += force_n * (pool.m_s_per_n * model.step_s());
        particle.age += 1;
        let is_inside = model.fields.volumes(propellers).any(|volume| volume.holds_strictly(particle.position_m));
        if particle.age < pool.life_steps && is_inside {
            continue;
        }
        let life = particle.life + 1;
        let position_m = born(model, propellers, key, (number, life)).unwrap_or(at_m);
        *particle = Particle { position_m, age: 0, life };
    }
}

/// The stream; none without a pool.
pub(crate) fn stream(model: &SeaModel) -> Option<Stream> {
    let owners = u64::from(model.particles?.count);
    let columns = Column::moment().into_iter().chain([
        Column::integer("particle", "number of the particle"),
        Column::number("x_m", "its place, east"),
        Column::number("y_m", "its place, north"),
        Column::number("z_m", "its place, up"),
        Column::integer("life", "number of its life, from 0"),
    ]);
    let about = "a particle that shows force fields, after a step";
    Some(Stream::new("particles", about, Cadence::Sampled { owners }, columns))
}

/// Hands its rows on.
pub(crate) fn rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for (number, particle) in world.state().particles.iter().enumerate() {
        let [x, y, z] = particle.position_m.to_array().map(Value::Number);
        out(&[world.tick().0.into(), world.time_s().into(), number.into(), x, y, z, particle.life.into()]);
    }
}
