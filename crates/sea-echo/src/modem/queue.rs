//! What is under way: a bounded queue of signals, ordered by whole nanoseconds.
//!
//! Signals that end at one nanosecond are heard in the order of their beginnings, their senders' numbers, the senders' counts, the
//! receivers' numbers and the paths. Nothing in this order depends on when a signal was put into the queue.

use std::cmp::Reverse;

/// Seconds in whole nanoseconds, rounded to the nearest. Exact to 104 days.
#[must_use]
pub fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// What a signal is, and when it is heard. Keys are in order of hearing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalKey {
    /// When its end arrives, ns.
    pub ends_ns: u64,
    /// When its front arrives, ns.
    pub starts_ns: u64,
    /// Number of the sender.
    pub from: u32,
    /// Number of the packet among the sender's.
    pub packet: u64,
    /// Number of the receiver.
    pub to: u32,
    /// Number of the way by which it comes.
    pub path: u32,
}

/// A packet on one way to one receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal<T> {
    /// What it is, and when it is heard.
    pub key: SignalKey,
    /// Its power at the receiver, as a ratio; 0 where levels mean nothing.
    pub power: f64,
    /// Powers of other packets that overlap it there, added up.
    pub others: f64,
    /// Whether the receiver was sending meanwhile.
    pub is_deaf: bool,
    /// What else is to be known on arrival.
    pub arrival: T,
}

/// Signals under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals<T> {
    /// The next one to be heard is the last.
    signals: Vec<Signal<T>>,
    capacity: usize,
}

impl<T: Copy> Arrivals<T> {
    /// Room for so many signals.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { signals: Vec::with_capacity(capacity), capacity }
    }

    /// Signals under way, the last to be heard first.
    #[must_use]
    pub fn signals(&self) -> &[Signal<T>] {
        &self.signals
    }

    /// Puts a signal under way, and notes which others overlap it at its receiver. False if there is no room.
    pub fn push(&mut self, mut signal: Signal<T>) -> bool {
        if self.signals.len() >= self.capacity {
            return false;
        }
        // A copy of a queue has no room yet.
        self.signals.reserve(self.capacity - self.signals.len());
        for other in self.signals.iter_mut().filter(|other| other.key.disturbs(&signal.key)) {
            other.others += signal.power;
            signal.others += other.power;
        }
        let place = self.signals.partition_point(|other| Reverse(other.key) < Reverse(signal.key));
        self.signals.insert(place, signal);
        true
    }

    /// A receiver sends from a moment to another, ns: it is deaf for all that arrives meanwhile.
    pub fn deafen(&mut self, receiver: u32, [from_ns, to_ns]: [u64; 2]) {
        let at_receiver = self.signals.iter_mut().filter(|signal| signal.key.to == receiver);
        for signal in at_receiver {
            signal.is_deaf |= signal.key.starts_ns < to_ns && signal.key.ends_ns > from_ns;
        }
    }

    /// The next signal whose end has arrived at a moment, ns.
    pub fn next_due(&mut self, now_ns: u64) -> Option<Signal<T>> {
        self.signals.pop_if(|signal| signal.key.ends_ns <= now_ns)
    }
}

impl SignalKey {
    /// Whether both are at one receiver at one time and come from different packets.
    fn disturbs(&self, other: &Self) -> bool {
        let is_other = (self.from, self.packet) != (other.from, other.packet);
        is_other && self.to == other.to && self.starts_ns < other.ends_ns && other.starts_ns < self.ends_ns
    }
}
