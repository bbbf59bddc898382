//! What a client learns of the timing of its link from when notifications arrive.
//!
//! A cube that notifies in every step numbers its notifications by that, so the smallest delay seen lately tells how old each one is.
//! Radio packets go out at connection events, `phase + k interval`. The phase is not told, but every arrival speaks for some phases and
//! against others. With it a client knows in which step a write will reach its cube, but for repeated packets.

use sim_core::{StateHash, ops};
use std::collections::VecDeque;
use std::f64::consts::TAU;

/// Phases that are told apart.
const PHASES: usize = 32;
/// Notifications among which the quickest is looked for.
const WINDOW: usize = 60;

/// What a client knows of its link, times in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkTiming {
    /// Connection interval.
    pub interval: f64,
    /// Shortest and longest time from a write to the moment from which it can be sent.
    pub write_ready: [f64; 2],
    /// The same for a notification.
    pub notify_ready: [f64; 2],
}

impl LinkTiming {
    /// Steps until the first connection event at or after `ready`, both counted from a moment at which `since` has passed since some event.
    fn arrival(&self, ready: f64, since: f64) -> f64 {
        ((ready + since) / self.interval).ceil() * self.interval - since
    }
}

/// What has been learnt.
#[derive(Clone, Debug, Default)]
pub(super) struct Connection {
    heard: i64,
    delays: VecDeque<i64>,
    /// Arrivals that each phase could not explain.
    misfits: [u32; PHASES],
}

impl Connection {
    /// A notification has come at step `now`: returns how many steps ago it was made.
    pub fn hear(&mut self, link: Option<&LinkTiming>, now: u64) -> u64 {
        let delay = now as i64 - self.heard;
        self.heard += 1;
        self.delays.push_back(delay);
        if self.delays.len() > WINDOW {
            self.delays.pop_front();
        }
        let quickest = self.delays.iter().fold(delay, |least, &other| least.min(other));
        let Some(link) = link else { return (delay - quickest) as u64 };
        let age = (delay - quickest) as u64 + (link.notify_ready[0].ceil() as u64).max(1);
        let made = now as f64 - age as f64;
        for (index, misfit) in self.misfits.iter_mut().enumerate() {
            let since = since_event(link, made, index as f64 / PHASES as f64);
            let [first, last] = link.notify_ready.map(|ready| (link.arrival(ready, since) - 1e-9).ceil() as u64);
            *misfit += u32::from(!(first..=last).contains(&age));
        }
        age
    }

    /// The step in which a write of step `now` will reach the cube.
    pub fn write_arrives(&self, link: Option<&LinkTiming>, now: u64) -> u64 {
        let Some(link) = link else { return now + 1 };
        let since = since_event(link, now as f64, self.likeliest_phase());
        let ready = 0.5 * (link.write_ready[0] + link.write_ready[1]);
        now + ((link.arrival(ready, since) - 1e-9).ceil() as u64).max(1)
    }

    /// The middle of the phases that explain most, as a share of the interval.
    fn likeliest_phase(&self) -> f64 {
        let least = self.misfits.iter().fold(u32::MAX, |least, &misfit| least.min(misfit));
        let (mut sine, mut cosine) = (0.0, 0.0);
        for (index, _) in self.misfits.iter().enumerate().filter(|&(_, &misfit)| misfit == least) {
            let (sin, cos) = ops::sin_cos(TAU * index as f64 / PHASES as f64);
            sine += sin;
            cosine += cos;
        }
        ops::atan2(sine, cosine) / TAU
    }

    pub fn hash(&self, hash: &mut StateHash) {
        hash.u64(self.heard as u64);
        self.delays.iter().for_each(|&delay| hash.u64(delay as u64));
        self.misfits.iter().for_each(|&misfit| hash.u64(u64::from(misfit)));
    }
}

/// Time since the last event at `moment`, if events are at `phase`, a share of the interval.
fn since_event(link: &LinkTiming, moment: f64, phase: f64) -> f64 {
    let intervals = moment / link.interval - phase;
    (intervals - intervals.floor()) * link.interval
}
