//! The program that `cargo xtask bench` runs: it times steps inside one process and prints `name value` lines.
//!
//! - `duel SCENARIO STEPS`: our step and a peer's, chunk by chunk in turn, so that both see the same moods of the machine;
//! - `phases SCENARIO STEPS [CHANGE...]`: where the time of a step goes, in a scenario with changes as `--set` takes them;
//! - `growth SCENARIO STEPS SMALL`: cost of an agent-step against that of a small scenario, chunk by chunk in turn, and the memory;
//! - `road SCENARIO STEPS [CHANGE...]`: a step of the road.

#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

mod peer;

use anyhow::{Context, Result, anyhow, bail};
use peer::{Peer, Snapshot};
use sim_core::RunKey;
use sim_run::scenario::{self, Override};
use sim_worlds::WORLDS;
use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use world_mat::phase_timer::{Phase, PhaseTimes};
use world_mat::{MatModel, MatWorld};
use world_road::{RoadModel, RoadWorld};

/// Steps before the first one that is timed: buffers have their size then, robots have spread, and feet have left their places.
const WARM_UP: u64 = 600;
/// Steps between two turns of the duel.
const CHUNK: u64 = 300;
/// Pairs of chunks that a growth is the middle of.
const GROWTH_PAIRS: u64 = 10;

fn main() -> Result<()> {
    // Cargo passes `--bench` along.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [mode, path, steps, rest @ ..] = &words[..] else { bail!("usage: duel|phases|growth SCENARIO STEPS ...") };
    let steps = steps.parse().with_context(|| format!("`{steps}` is no number of steps"))?;
    let path = Path::new(path);
    match (mode.as_str(), rest) {
        ("duel", []) => duel(&mut warm_world(path, &[])?, steps),
        ("phases", changes) => phases(&mut warm_world(path, changes)?, steps),
        ("growth", [small]) => growth(&mut warm_world(path, &[])?, steps, Path::new(small)),
        ("road", changes) => road(path, steps, changes),
        (other, _) => bail!("`{other}` is none of duel, phases, growth, road with what they need"),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock of the bench")]
fn now() -> Instant {
    Instant::now()
}

fn model<M: Any + Send + Sync>(path: &Path, changes: &[String]) -> Result<Arc<M>> {
    let change = |words: &String| words.parse::<Override>().map_err(|why| anyhow!("`{words}`: {why}"));
    let changes: Vec<Override> = changes.iter().map(change).collect::<Result<_>>()?;
    let model = scenario::load(WORLDS, path, &changes)?.model.as_any();
    model.downcast().map_err(|_| anyhow!("{} is of another world", path.display()))
}

fn warm_world(path: &Path, changes: &[String]) -> Result<MatWorld> {
    let model: Arc<MatModel> = model(path, changes)?;
    let key = RunKey { seed: model.seed, run_index: 0 };
    let mut world = MatWorld::new(model, key)?;
    make_steps(&mut world, WARM_UP)?;
    Ok(world)
}

fn output(name: &str, value: f64) {
    println!("{name} {value}");
}

fn duel(world: &mut MatWorld, steps: u64) -> Result<()> {
    let agents = world.model().agent_count as f64;
    let (peer, peer_in_walls) = (Peer::new(world, false), Peer::new(world, true));
    let mut snapshots: Vec<Snapshot> = (0..CHUNK).map(|_| Snapshot::new(world)).collect();
    let (mut durations_s, mut peer_s, mut peer_in_walls_s, mut ratios) = (Vec::new(), 0.0, 0.0, Vec::new());
    for _ in 0..steps.div_ceil(CHUNK) {
        let mut chunk_s = 0.0;
        for snapshot in &mut snapshots {
            let start = now();
            world.step()?;
            let duration_s = start.elapsed().as_secs_f64();
            chunk_s += duration_s;
            durations_s.push(duration_s);
            snapshot.take(world);
        }
        let time_of = |peer: &Peer| {
            let start = now();
            snapshots.iter().for_each(|snapshot| peer.step(snapshot));
            start.elapsed().as_secs_f64()
        };
        let peer_chunk_s = time_of(&peer);
        peer_s += peer_chunk_s;
        peer_in_walls_s += time_of(&peer_in_walls);
        ratios.push(peer_chunk_s / chunk_s);
    }
    let agent_steps = agents * durations_s.len() as f64;
    output("agent_steps_per_s", agent_steps / durations_s.iter().sum::<f64>());
    output("peer_agent_steps_per_s", agent_steps / peer_s);
    output("peer_in_walls_agent_steps_per_s", agent_steps / peer_in_walls_s);
    output("ratio", quantile(&mut ratios, 0.5));
    output("ratio_low", quantile(&mut ratios, 0.1));
    output("ratio_high", quantile(&mut ratios, 0.9));
    for (name, share) in [("step_us_p50", 0.5), ("step_us_p99", 0.99), ("step_us_max", 1.0)] {
        output(name, 1e6 * quantile(&mut durations_s, share));
    }
    Ok(())
}

/// The value that a share of the values does not exceed.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = (share * values.len() as f64).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

fn phases(world: &mut MatWorld, steps: u64) -> Result<()> {
    let start = now();
    let clock = || start.elapsed().as_secs_f64();
    let mut times = PhaseTimes::new(&clock);
    for _ in 0..steps {
        times.begin();
        world.step_with(&[], &mut times)?;
    }
    for phase in Phase::ALL {
        output(phase.name(), 1e6 * times.total_s(phase) / steps as f64);
    }
    Ok(())
}

/// The small world makes about as many agent-steps in its turns as the large one in its own.
fn growth(large: &mut MatWorld, steps: u64, small: &Path) -> Result<()> {
    let peak_kb = peak_memory_kb();
    let mut small = warm_world(small, &[])?;
    let agents = |world: &MatWorld| world.model().agent_count as u64;
    let chunk = steps.div_ceil(GROWTH_PAIRS);
    let small_chunk = (chunk * agents(large)).div_ceil(agents(&small));
    let mut ratios = Vec::new();
    for _ in 0..GROWTH_PAIRS {
        let small_s = agent_step_s(&mut small, small_chunk)?;
        ratios.push(agent_step_s(large, chunk)? / small_s);
    }
    output("agents", agents(large) as f64);
    output("cost", quantile(&mut ratios, 0.5));
    output("cost_low", quantile(&mut ratios, 0.1));
    output("cost_high", quantile(&mut ratios, 0.9));
    if let Some(peak_kb) = peak_kb {
        output("peak_memory_kb", peak_kb);
    }
    Ok(())
}

/// Seconds that an agent-step takes, over so many steps.
fn agent_step_s(world: &mut MatWorld, steps: u64) -> Result<f64> {
    let start = now();
    make_steps(world, steps)?;
    Ok(start.elapsed().as_secs_f64() / (steps * world.model().agent_count as u64) as f64)
}

fn make_steps(world: &mut MatWorld, steps: u64) -> Result<()> {
    for _ in 0..steps {
        world.step()?;
    }
    Ok(())
}

/// The middle of the times of many steps, since other programs can only make some of them longer.
fn road(path: &Path, steps: u64, changes: &[String]) -> Result<()> {
    let model: Arc<RoadModel> = model(path, changes)?;
    let key = RunKey { seed: model.seed, run_index: 0 };
    let mut world = RoadWorld::new(model, key)?;
    let mut durations_s = Vec::new();
    for _ in 0..steps {
        let start = now();
        world.step()?;
        durations_s.push(start.elapsed().as_secs_f64());
    }
    output("step_us", 1e6 * quantile(&mut durations_s, 0.5));
    Ok(())
}

/// Most memory that the process had at one time; only where the system tells it.
fn peak_memory_kb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
