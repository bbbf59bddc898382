//! Sendings and arrivals of a step in the order of their times.

use crate::acoustics::{
    AcousticLog, AcousticState, AcousticsModel, DELIVERED, ECHO, Medium, Message, PacketKind, PathArrival, Ranging,
    Reception, Usbl, Waiting,
};
use crate::model::SeaModel;
use crate::sound_ways::{Link, Sight};
use crate::world::VehicleRun;
use sea_echo::modem::{Signal, SignalKey, nanoseconds};
use sea_sim::purpose;
use sea_sim::water::Water;
use sim_core::{DVec3, Purpose, RunKey, ops, random::Stream};

/// Modems, what is under way between them, and the vehicles that carry them.
pub(crate) struct Network<'a> {
    own: &'a AcousticsModel,
    key: RunKey,
    sight: Sight<'a>,
    state: &'a mut AcousticState,
    log: &'a mut AcousticLog,
}

/// A packet on its way out.
#[derive(Clone, Copy)]
struct Packet {
    message: Message,
    number: u64,
    sent_s: f64,
    source_m: DVec3,
}

impl<'a> Network<'a> {
    /// None without modems. `now_s` is the end of the step.
    pub fn new(
        (model, key, water): (&'a SeaModel, RunKey, &'a Water),
        (state, vehicles, now_s): (&'a mut AcousticState, &'a [VehicleRun], f64),
        log: &'a mut AcousticLog,
    ) -> Option<Self> {
        let own = model.acoustics.as_ref()?;
        Some(Self { own, key, sight: Sight { model, water, vehicles, now_s }, state, log })
    }

    /// Sends what is due and hears what arrives up to the end of the step.
    pub fn advance(&mut self) {
        self.schedule();
        let now_ns = nanoseconds(self.sight.now_s);
        loop {
            let next = self.next_waiting().filter(|(_, send_s)| nanoseconds(*send_s) <= now_ns);
            let send_ns = next.map_or(now_ns, |(_, send_s)| nanoseconds(send_s));
            if let Some(signal) = self.state.arrivals.next_due(send_ns) {
                self.receive(&signal);
            } else if let Some((place, send_s)) = next {
                let Waiting { message, .. } = self.state.waiting.remove(place);
                self.send(message, send_s);
            } else {
                return;
            }
        }
    }

    /// Puts the messages of the scenario that are due among those that wait.
    fn schedule(&mut self) {
        for (place, scheduled) in self.own.messages.iter().enumerate() {
            loop {
                let count = self.state.scheduled[place];
                let due_s = scheduled.at_s + scheduled.every_s.unwrap_or(0.0) * count as f64;
                let is_over = due_s > scheduled.until_s || (count > 0 && scheduled.every_s.is_none());
                if is_over || due_s > self.sight.now_s {
                    break;
                }
                self.state.scheduled[place] += 1;
                if !self.state.wait(due_s, scheduled.message) {
                    self.record_unsent(scheduled.message, due_s);
                }
            }
        }
    }

    /// The message that is sent next, by its place, and when that is, s: a modem that sends is busy.
    fn next_waiting(&self) -> Option<(usize, f64)> {
        let send_s = |waiting: &Waiting| waiting.due_s.max(self.state.modems[waiting.message.from as usize].free_s);
        let waiting = self.state.waiting.iter().enumerate().map(|(place, waiting)| (place, send_s(waiting)));
        waiting.reduce(|first, other| if other.1 < first.1 { other } else { first })
    }

    fn send(&mut self, message: Message, sent_s: f64) {
        let sender = message.from as usize;
        let airtime_s = self.own.airtime_s(message.bytes);
        let modem = &mut self.state.modems[sender];
        let number = modem.packets;
        modem.packets += 1;
        // A transceiver of the original sends one packet a step.
        let pause_s = if airtime_s > 0.0 { airtime_s } else { self.sight.model.step_s() };
        modem.free_s = sent_s + pause_s;
        if airtime_s > 0.0 {
            self.state.arrivals.deafen(message.from, [sent_s, sent_s + airtime_s].map(nanoseconds));
        }
        let packet = Packet { message, number, sent_s, source_m: self.sight.modem_m(sender) };
        let own = self.own;
        for &receiver in own.modems.iter().filter(|&&receiver| receiver != sender) {
            self.send_to(&packet, receiver);
        }
    }

    /// Puts all ways of a packet to a receiver under way.
    fn send_to(&mut self, packet: &Packet, receiver: usize) {
        let message = packet.message;
        let is_addressed = message.to.is_none_or(|to| to as usize == receiver);
        self.log.sent += u64::from(is_addressed);
        let mut ways = std::mem::take(&mut self.log.ways);
        let link = Link { sight: self.sight, from: message.from as usize, to: receiver };
        match link.ways(self.own, &mut ways) {
            Err(outcome) if is_addressed => self.record_lost(packet, receiver, outcome),
            Err(_) => {}
            Ok(()) => {
                // The loudest way, or without levels the shortest.
                let is_better = |one: usize, other: usize| match ways[one].power.total_cmp(&ways[other].power) {
                    std::cmp::Ordering::Equal => ways[one].delay_s < ways[other].delay_s,
                    order => order.is_gt(),
                };
                let main = (1..ways.len()).fold(0, |best, place| if is_better(place, best) { place } else { best });
                let airtime_s = self.own.airtime_s(message.bytes);
                let free_ns = nanoseconds(self.state.modems[receiver].free_s);
                for (place, way) in ways.iter().enumerate() {
                    let starts_s = packet.sent_s + way.delay_s;
                    let [starts_ns, ends_ns] = [starts_s, starts_s + airtime_s].map(nanoseconds);
                    let key = SignalKey {
                        ends_ns,
                        starts_ns,
                        from: message.from,
                        packet: packet.number,
                        to: receiver as u32,
                        path: place as u32,
                    };
                    let arrival = PathArrival {
                        sent_s: packet.sent_s,
                        delay_s: way.delay_s,
                        path: way.path,
                        bounces: way.bounces,
                        level_db: way.level_db,
                        doppler: way.doppler,
                        bytes: message.bytes,
                        is_main: place == main,
                        is_addressed,
                        kind: message.kind,
                        source_m: packet.source_m,
                    };
                    let is_deaf = airtime_s > 0.0 && starts_ns < free_ns;
                    let signal = Signal { key, power: way.power, others: 0.0, is_deaf, arrival };
                    if !self.state.arrivals.push(signal) && is_addressed && arrival.is_main {
                        self.record_lost(packet, receiver, "dropped");
                    }
                }
            }
        }
        self.log.ways = ways;
    }

    /// A packet does not get to a receiver.
    fn record_lost(&mut self, packet: &Packet, receiver: usize, outcome: &'static str) {
        self.log.receptions.push(Reception {
            from: packet.message.from,
            to: receiver as u32,
            sent_s: packet.sent_s,
            arrived_s: f64::NAN,
            path: "",
            bounces: [0; 2],
            level_db: f64::NAN,
            snr_db: f64::NAN,
            doppler: f64::NAN,
            outcome,
            bytes: packet.message.bytes,
        });
    }

    /// A message finds no place among those that wait.
    pub fn record_unsent(&mut self, message: Message, due_s: f64) {
        let packet = Packet { message, number: 0, sent_s: due_s, source_m: DVec3::ZERO };
        let own = self.own;
        let is_meant =
            |receiver: usize| message.to.map_or(receiver != message.from as usize, |to| to as usize == receiver);
        for &receiver in own.modems.iter().filter(|&&receiver| is_meant(receiver)) {
            self.log.sent += 1;
            self.record_lost(&packet, receiver, "dropped");
        }
    }

    /// A signal has arrived to its end.
    fn receive(&mut self, signal: &Signal<PathArrival>) {
        let (key, arrival) = (&signal.key, &signal.arrival);
        if !arrival.is_addressed {
            return;
        }
        let snr_db = match &self.own.medium {
            Medium::Channel { receiver, .. } => receiver.snr_db(arrival.level_db),
            Medium::Transceiver { .. } => f64::NAN,
        };
        let outcome = if arrival.is_main { self.outcome(signal, snr_db) } else { ECHO };
        self.log.receptions.push(Reception {
            from: key.from,
            to: key.to,
            sent_s: arrival.sent_s,
            arrived_s: arrival.sent_s + arrival.delay_s,
            path: arrival.path,
            bounces: arrival.bounces,
            level_db: arrival.level_db,
            snr_db,
            doppler: arrival.doppler,
            outcome,
            bytes: arrival.bytes,
        });
        if outcome == DELIVERED {
            match arrival.kind {
                PacketKind::Plain => {}
                PacketKind::Request => self.reply(key, arrival),
                PacketKind::Reply { asked_s, spent_s } => self.range(key, arrival, [asked_s, spent_s]),
            }
        }
    }

    fn outcome(&self, signal: &Signal<PathArrival>, snr_db: f64) -> &'static str {
        let Medium::Channel { receiver, .. } = &self.own.medium else { return DELIVERED };
        let loss = receiver.loss(snr_db, signal.arrival.bytes);
        if signal.is_deaf {
            "half_duplex"
        } else if !receiver.survives(signal.arrival.level_db, signal.others) {
            "collision"
        } else if self.draws(purpose::PACKET_LOSS, &signal.key).uniform() < loss {
            "noise"
        } else {
            DELIVERED
        }
    }

    /// Draws for a packet between two vehicles.
    fn draws(&self, purpose: Purpose, key: &SignalKey) -> Stream {
        let of = |vehicle: u32| u64::from(self.sight.model.vehicles[vehicle as usize].draws);
        self.key.stream(purpose, of(key.from) << 32 | of(key.to), key.packet)
    }

    fn reply(&mut self, key: &SignalKey, arrival: &PathArrival) {
        let Some(modem) = self.sight.model.vehicles[key.to as usize].modem else { return };
        let spent_s = self.own.airtime_s(arrival.bytes) + modem.turnaround_s;
        let kind = PacketKind::Reply { asked_s: arrival.sent_s, spent_s };
        let message = Message { from: key.to, to: Some(key.from), bytes: arrival.bytes, kind };
        let due_s = arrival.sent_s + arrival.delay_s + spent_s;
        if !self.state.wait(due_s, message) {
            self.record_unsent(message, due_s);
        }
    }

    /// A reply came back: a range, and with a short baseline a direction.
    fn range(&mut self, key: &SignalKey, arrival: &PathArrival, [asked_s, spent_s]: [f64; 2]) {
        let vehicle = key.to as usize;
        let Some(modem) = self.sight.model.vehicles[vehicle].modem else { return };
        let arrived_s = arrival.sent_s + arrival.delay_s;
        let two_way_s = arrived_s - asked_s - spent_s;
        let plain_m = 0.5 * modem.assumed_speed_m_s * two_way_s;
        let towards = arrival.source_m - self.sight.modem_m(vehicle);
        let towards = self.sight.vehicles[vehicle].motion.body.pose().in_body(towards);
        let draws = || self.draws(purpose::ACOUSTIC_FIX, key);
        let (range_m, angles_rad) =
            modem.usbl.map_or((plain_m, [f64::NAN; 2]), |usbl| usbl.read(plain_m, towards, &mut draws()));
        let (vehicle, target) = (key.to, key.from);
        self.log.rangings.push(Ranging {
            vehicle,
            target,
            span_s: [asked_s, arrived_s],
            two_way_s,
            range_m,
            angles_rad,
        });
    }
}

impl Usbl {
    /// Range, m, and angles, rad, with errors.
    fn read(&self, range_m: f64, towards: DVec3, draws: &mut Stream) -> (f64, [f64; 2]) {
        let rounded = |value: f64, step: f64| if step > 0.0 { (value / step).round() * step } else { value };
        let errors = [draws.normal(), draws.normal(), draws.normal()];
        let [std_m, step_m] = self.range_m;
        let across = towards.truncate().length();
        let angles = [ops::atan2(towards.y, towards.x), ops::atan2(towards.z, across)];
        let read = |axis: usize| rounded(angles[axis] + self.angles_rad[axis] * errors[1 + axis], self.angle_step_rad);
        (rounded(range_m + std_m * errors[0], step_m), [read(0), read(1)])
    }
}
