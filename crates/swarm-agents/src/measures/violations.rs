//! Episodes: runs of steps in which the same pair stays too near.

use super::distances::{ALL_PAIRS_UP_TO, Contact};
use super::events::{Event, EventLog, Separation};
use super::pockets::Pockets;
use sim_core::Tick;
use std::cmp::Ordering;

/// A pair that is too near at present.
#[derive(Clone, Copy, Debug)]
struct Open {
    agent: u32,
    other: u32,
    deepest_mm: f64,
    steps: u64,
}

/// Follows the pairs of one kind.
#[derive(Clone, Debug)]
pub(super) struct Episodes {
    separation: Separation,
    limit_mm: f64,
    open: Vec<Open>,
    still_open: Vec<Open>,
    contacts: u64,
    violating_steps: u64,
    episodes: u64,
    deepest_mm: f64,
}

impl Episodes {
    pub(super) fn new(separation: Separation, limit_mm: f64, robots: usize, others: usize) -> Self {
        let capacity = (robots * others).min(ALL_PAIRS_UP_TO);
        Self {
            separation,
            limit_mm,
            open: Vec::with_capacity(capacity),
            still_open: Vec::with_capacity(capacity),
            contacts: 0,
            violating_steps: 0,
            episodes: 0,
            deepest_mm: 0.0,
        }
    }

    /// Reads the contacts of a step, in ascending order, and records the pairs that met and those that parted.
    pub(super) fn step(&mut self, tick: Tick, contacts: &[Contact], pockets: &mut Pockets, log: &mut EventLog) {
        if contacts.is_empty() && self.open.is_empty() {
            return;
        }
        self.contacts += contacts.len() as u64;
        self.violating_steps += u64::from(!contacts.is_empty());
        self.still_open.clear();
        let mut past = 0;
        for contact in contacts {
            while past < self.open.len() && order(&self.open[past], contact) == Ordering::Less {
                self.end(tick, past, log);
                past += 1;
            }
            let sealed_pocket = pockets.note(self.separation, contact);
            let is_open = past < self.open.len() && order(&self.open[past], contact) == Ordering::Equal;
            let before = if is_open { Some(self.open[past]) } else { None };
            past += usize::from(is_open);
            self.go_on(tick, before, contact, sealed_pocket, log);
        }
        for rest in past..self.open.len() {
            self.end(tick, rest, log);
        }
        std::mem::swap(&mut self.open, &mut self.still_open);
    }

    fn go_on(&mut self, tick: Tick, before: Option<Open>, contact: &Contact, sealed_pocket: bool, log: &mut EventLog) {
        let Contact { agent, other, distance_mm } = *contact;
        let depth_mm = self.limit_mm - distance_mm;
        self.deepest_mm = self.deepest_mm.max(depth_mm);
        if before.is_none() {
            self.episodes += 1;
            log.push(Event::ViolationBegin {
                tick,
                separation: self.separation,
                agent,
                other,
                distance_mm,
                sealed_pocket,
            });
        }
        let (deepest_mm, steps) = before.map_or((depth_mm, 1), |open| (open.deepest_mm.max(depth_mm), open.steps + 1));
        self.still_open.push(Open { agent, other, deepest_mm, steps });
    }

    fn end(&self, tick: Tick, index: usize, log: &mut EventLog) {
        let Open { agent, other, deepest_mm, steps } = self.open[index];
        log.push(Event::ViolationEnd { tick, separation: self.separation, agent, other, depth_mm: deepest_mm, steps });
    }

    /// Pairs too near, counted once a step.
    pub(super) fn contacts(&self) -> u64 {
        self.contacts
    }

    /// Steps with at least one pair too near.
    pub(super) fn violating_steps(&self) -> u64 {
        self.violating_steps
    }

    /// Runs of steps per pair.
    pub(super) fn episodes(&self) -> u64 {
        self.episodes
    }

    /// Deepest shortfall, mm; 0 if there was none.
    pub(super) fn deepest_mm(&self) -> f64 {
        self.deepest_mm
    }
}

fn order(open: &Open, contact: &Contact) -> Ordering {
    (open.agent, open.other).cmp(&(contact.agent, contact.other))
}
