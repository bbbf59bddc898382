//! What a client learns of the timing of its link from when notifications arrive.
//!
//! A cube that notifies in every step numbers its notifications by that, so the smallest delay seen lately tells how old each one is.
//! Radio packets go out at connection events, `phase + k interval`. The phase is not known, but every arrival speaks for some phases and
//! against others. With it a client knows in which step a write will reach its cube, but for repeated packets.

use sim_core::{DVec2, StateHash, angle};
use std::collections::VecDeque;
use std::f64::consts::TAU;
use std::sync::LazyLock;

/// Phases that are distinguished.
const PHASES: usize = 32;
/// Notifications among which the quickest is looked for.
const WINDOW: usize = 60;
/// Subtracted from moments, in steps, before they are rounded up, so that one on a step's boundary is in that step.
const EARLY: f64 = 1e-9;

/// Each phase as a direction.
static CIRCLE: LazyLock<[DVec2; PHASES]> =
    LazyLock::new(|| std::array::from_fn(|index| angle::unit(TAU * index as f64 / PHASES as f64)));

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
    /// Steps until the first connection event at or after `ready` from now, if `since` intervals (0 to 1) have passed since some event.
    fn arrival(&self, ready: f64, since: f64) -> f64 {
        let ready = ready / self.interval;
        let events = if ready + since <= ready.ceil() { ready.ceil() } else { ready.ceil() + 1.0 };
        (events - since) * self.interval
    }

    /// Where a moment lies between events at whole intervals: a share of the interval.
    fn phase(&self, moment: f64) -> f64 {
        let intervals = moment / self.interval;
        intervals - intervals.floor()
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
        let (made, step) = (link.phase(now as f64 - age as f64), age as f64 + EARLY);
        for (index, misfit) in self.misfits.iter_mut().enumerate() {
            let since = within_interval(made - index as f64 / PHASES as f64);
            let [first, last] = link.notify_ready.map(|ready| link.arrival(ready, since));
            *misfit += u32::from(!(first <= step && step < last + 1.0));
        }
        age
    }

    /// The step in which a write of step `now` will reach the cube.
    pub fn write_arrives(&self, link: Option<&LinkTiming>, now: u64) -> u64 {
        let Some(link) = link else { return now + 1 };
        let since = within_interval(link.phase(now as f64) - self.likeliest_phase());
        let ready = 0.5 * (link.write_ready[0] + link.write_ready[1]);
        now + ((link.arrival(ready, since) - EARLY).ceil() as u64).max(1)
    }

    /// The middle of the phases that explain most, as a share of the interval.
    fn likeliest_phase(&self) -> f64 {
        let least = self.misfits.iter().fold(u32::MAX, |least, &misfit| least.min(misfit));
        let best = self.misfits.iter().zip(&*CIRCLE).filter(|&(&misfit, _)| misfit == least);
        within_interval(angle::heading_of(best.map(|(_, &way)| way).sum()) / TAU)
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.heard as u64);
        self.delays.iter().for_each(|&delay| hash.u64(delay as u64));
        self.misfits.iter().for_each(|&misfit| hash.u64(u64::from(misfit)));
    }
}

/// The same phase in 0 to 1, of one in -1 to 1.
fn within_interval(phase: f64) -> f64 {
    if phase < 0.0 { phase + 1.0 } else { phase }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: LinkTiming = LinkTiming { interval: 2.3, write_ready: [0.2, 0.4], notify_ready: [0.5, 0.9] };

    /// Step in which something arrives that can be sent from `ready` on, if events are at `(phase + k) interval`.
    fn arrival_step(ready: f64, phase: f64) -> u64 {
        let event = (0..).map(|k| (f64::from(k) + phase) * LINK.interval).find(|&event| event >= ready);
        event.map_or(0, |event| event.ceil() as u64)
    }

    /// A client that has heard 300 notifications over a link with that phase, ready in turn as early and as late as can be.
    fn listened(phase: f64) -> Connection {
        let mut arrivals: Vec<(u64, u64)> = (0..300_u64)
            .map(|made| (arrival_step(made as f64 + LINK.notify_ready[(made % 2) as usize], phase), made))
            .collect();
        arrivals.sort_unstable();
        let mut connection = Connection::default();
        for (now, made) in arrivals {
            let age = connection.hear(Some(&LINK), now);
            assert!(
                made < 10 || age == now - made,
                "phase {phase}: made at {made}, heard at {now}, taken for {age} old"
            );
        }
        connection
    }

    #[test]
    fn a_client_learns_when_its_writes_arrive() {
        for phase in [0.03, 0.25, 0.47, 0.61, 0.88, 0.99] {
            let connection = listened(phase);
            let is_foreseen = |&now: &u64| {
                connection.write_arrives(Some(&LINK), now) == arrival_step(now as f64 + 0.3, phase).max(now + 1)
            };
            let foreseen = (300..500).filter(is_foreseen).count();
            assert!(foreseen >= 190, "phase {phase}: {foreseen} of 200 writes");
        }
    }

    #[test]
    fn over_a_perfect_link_nothing_is_old_and_writes_arrive_in_the_next_step() {
        let mut connection = Connection::default();
        for now in 5..100 {
            assert_eq!(connection.hear(None, now), 0);
            assert_eq!(connection.write_arrives(None, now), now + 1);
        }
        assert_eq!(connection.hear(None, 103), 3);
    }
}
