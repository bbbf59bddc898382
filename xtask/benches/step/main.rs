//! The program that `cargo xtask bench` runs: it times steps inside one process and prints `name value` lines.
//!
//! - `duel SCENARIO STEPS`: our step and a peer's, chunk by chunk in turn, so that both see the same moods of the machine;
//! - `phases SCENARIO STEPS`: where the time of a step goes;
//! - `pace SCENARIO STEPS`: cost of a step, and the memory of the process.

#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

mod peer;

use anyhow::{Context, Result, bail};
use peer::{Peer, Snapshot};
use sim_core::RunKey;
use sim_run::world::laps::{Phase, PhaseTimes};
use sim_run::world::mat::MatWorld;
use sim_run::{Stopwatch, scenario};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Steps before the first one that is timed: buffers have their size then, and the feet have left their places.
const WARM_UP: u64 = 600;
/// Steps between two turns of the duel.
const CHUNK: u64 = 300;

fn main() -> Result<()> {
    // Cargo passes `--bench` along.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [mode, path, steps] = &words[..] else { bail!("usage: duel|phases|pace SCENARIO STEPS") };
    let steps = steps.parse().with_context(|| format!("`{steps}` is no number of steps"))?;
    let mut world = warm_world(Path::new(path))?;
    match mode.as_str() {
        "duel" => duel(&mut world, steps),
        "phases" => phases(&mut world, steps),
        "pace" => pace(&mut world, steps),
        other => bail!("`{other}` is none of duel, phases, pace"),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock of the bench")]
fn now() -> Instant {
    Instant::now()
}

fn warm_world(path: &Path) -> Result<MatWorld> {
    let model = Arc::new(scenario::load(path, &[])?.scenario.mat_world()?);
    let key = RunKey { seed: model.seed, run_index: 0 };
    let warm_up = WARM_UP.min(model.steps / 4);
    let mut world = MatWorld::new(model, key)?;
    for _ in 0..warm_up {
        world.step()?;
    }
    Ok(world)
}

fn say(name: &str, value: f64) {
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
    say("agent_steps_per_s", agent_steps / durations_s.iter().sum::<f64>());
    say("peer_agent_steps_per_s", agent_steps / peer_s);
    say("peer_in_walls_agent_steps_per_s", agent_steps / peer_in_walls_s);
    say("ratio", quantile(&mut ratios, 0.5));
    say("ratio_low", quantile(&mut ratios, 0.1));
    say("ratio_high", quantile(&mut ratios, 0.9));
    for (name, share) in [("step_us_p50", 0.5), ("step_us_p99", 0.99), ("step_us_max", 1.0)] {
        say(name, 1e6 * quantile(&mut durations_s, share));
    }
    Ok(())
}

/// The value that a share of the values does not exceed.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = (share * values.len() as f64).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// The clock of the bench: seconds since its making.
struct WallClock(Instant);

impl Stopwatch for WallClock {
    fn now_s(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

fn phases(world: &mut MatWorld, steps: u64) -> Result<()> {
    let clock = WallClock(now());
    let mut times = PhaseTimes::new(&clock);
    for _ in 0..steps {
        times.begin();
        world.step_with(&mut times)?;
    }
    for phase in Phase::ALL {
        say(phase.name(), 1e6 * times.total_s(phase) / steps as f64);
    }
    Ok(())
}

fn pace(world: &mut MatWorld, steps: u64) -> Result<()> {
    let agents = world.model().agent_count as f64;
    let start = now();
    for _ in 0..steps {
        world.step()?;
    }
    let duration_s = start.elapsed().as_secs_f64();
    say("agents", agents);
    say("agent_steps_per_s", agents * steps as f64 / duration_s);
    if let Some(peak_kb) = peak_memory_kb() {
        say("peak_memory_kb", peak_kb);
    }
    Ok(())
}

/// Most memory that the process had at one time; only where the system tells it.
fn peak_memory_kb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
