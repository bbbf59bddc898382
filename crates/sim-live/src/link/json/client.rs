//! One client: what it asks for, and what it is told.

use super::channel::Channel;
use super::message::{self, Action, Request, plain};
use crate::link::gatt::{ClientId, Gatt, GattEvent, LINK_DELAY_US, Refusal, strength_dbm};
use serde_json::Value;
use sim_world::Device;
use std::collections::VecDeque;

/// A client with the answers that it waits for.
#[derive(Debug)]
pub struct Client {
    pub channel: Channel,
    /// Its number among all devices' clients.
    pub id: ClientId,
    /// Its place among the clients that are there, which tells its nearest device.
    pub place: usize,
    /// Services whose devices it scans for; an empty list is all.
    scan: Option<Vec<String>>,
    /// Answers by device, in the order of the questions.
    answers: Vec<VecDeque<Answer>>,
    next_token: u64,
}

/// An answer that goes after those before it.
#[derive(Debug)]
enum Answer {
    /// From a moment on.
    From(u64, Value),
    /// Once the connection stands.
    Connect,
    /// Once the device has answered.
    Read { token: u64 },
}

impl Client {
    /// A client that has just come.
    pub fn new(channel: Channel, id: ClientId, place: usize, devices: usize) -> Self {
        let answers = (0..devices).map(|_| VecDeque::new()).collect();
        let mut client = Self { channel, id, place, scan: None, answers, next_token: 0 };
        client.send(&message::powered_on());
        client
    }

    fn send(&mut self, message: &Value) {
        self.channel.send(&message.to_string());
    }

    /// Hears what it asks for. Returns why messages are refused.
    pub fn hear(&mut self, now_us: u64, gatt: &mut Gatt) -> Vec<String> {
        let mut refused = Vec::new();
        for text in self.channel.hear() {
            let taken = Request::parse(&text).and_then(|request| self.take(&request, now_us, gatt));
            if let Err(why) = taken {
                self.send(&message::refused(&why));
                refused.push(why);
            }
        }
        self.advance(now_us);
        refused
    }

    fn take(&mut self, request: &Request, now_us: u64, gatt: &mut Gatt) -> Result<(), String> {
        match request.action {
            Action::StartScanning => self.scan = Some(request.services()),
            Action::StopScanning => self.scan = None,
            _ => {
                let device = request.device(gatt.devices())?;
                let answer = match request.action {
                    Action::Connect => Some(self.connect(device, now_us, gatt)),
                    Action::Disconnect => self.disconnect(device, now_us, gatt),
                    Action::UpdateRssi => Some(Answer::From(now_us, self.strength(device, gatt.devices().len()))),
                    Action::DiscoverServices | Action::DiscoverIncludedServices | Action::DiscoverCharacteristics => {
                        Some(Answer::From(now_us, message::found(request, device, &gatt.devices()[device])))
                    }
                    _ => {
                        let characteristic = request.characteristic(&gatt.devices()[device])?;
                        Some(self.value(request, (device, characteristic), now_us, gatt)?)
                    }
                };
                self.answers[device].extend(answer);
            }
        }
        Ok(())
    }

    fn connect(&mut self, device: usize, now_us: u64, gatt: &mut Gatt) -> Answer {
        let answer = message::of_device("connect", device);
        if gatt.holder(device) == Some(self.id) {
            return Answer::From(now_us, answer);
        }
        match gatt.connect(self.id, device) {
            Ok(()) => Answer::Connect,
            Err(refusal) => Answer::From(now_us, message::failed(answer, refusal.text())),
        }
    }

    /// The answer of a client that holds the device is the event that the connection has ended.
    fn disconnect(&self, device: usize, now_us: u64, gatt: &mut Gatt) -> Option<Answer> {
        let is_held = gatt.holder(device) == Some(self.id);
        gatt.disconnect(self.id, device);
        (!is_held).then(|| Answer::From(now_us, message::of_device("disconnect", device)))
    }

    fn strength(&self, device: usize, count: usize) -> Value {
        let mut answer = message::of_device("rssiUpdate", device);
        answer["rssi"] = strength_dbm(device, self.place, count).into();
        answer
    }

    /// Questions about the value of a characteristic.
    fn value(&mut self, request: &Request, at: (usize, usize), now_us: u64, gatt: &mut Gatt) -> Result<Answer, String> {
        let of = |kind: &str, gatt: &Gatt| message::of_characteristic(kind, at, gatt.devices());
        let answer = |message: Value, done: Result<(), Refusal>| match done {
            Ok(()) => Answer::From(now_us, message),
            Err(refusal) => Answer::From(now_us, message::failed(message, refusal.text())),
        };
        Ok(match request.action {
            Action::Read => {
                let token = self.next_token;
                self.next_token += 1;
                match gatt.read(self.id, at, token) {
                    Ok(()) => Answer::Read { token },
                    failed => answer(message::value(at, gatt.devices(), &[], false), failed),
                }
            }
            Action::Write => {
                let done = gatt.write(self.id, at, request.bytes()?);
                answer(of("write", gatt), done)
            }
            Action::Notify => {
                let done = gatt.subscribe(self.id, at, request.is_on());
                let mut message = of("notify", gatt);
                message["state"] = (request.is_on() && done.is_ok()).into();
                answer(message, done)
            }
            _ => {
                let mut message = of("descriptorsDiscover", gatt);
                message["descriptors"] = Value::Array(Vec::new());
                Answer::From(now_us, message)
            }
        })
    }

    /// Something has come of its requests, or a device has notified.
    pub fn note(&mut self, event: &GattEvent, now_us: u64, devices: &[Device]) {
        let later_us = now_us + LINK_DELAY_US;
        match event {
            GattEvent::Connected { device, .. } => {
                self.settle_connections(*device, later_us, &message::of_device("connect", *device));
            }
            GattEvent::ConnectFailed { device, .. } => {
                let answer = message::failed(message::of_device("connect", *device), "the device does not answer");
                self.settle_connections(*device, later_us, &answer);
            }
            GattEvent::Disconnected { device, .. } => {
                let ended = message::of_device("disconnect", *device);
                self.settle_connections(
                    *device,
                    now_us,
                    &message::failed(message::of_device("connect", *device), "ended"),
                );
                self.answers[*device].push_back(Answer::From(later_us, ended));
            }
            GattEvent::Notified { device, characteristic, bytes, .. } => {
                self.send(&message::value((*device, *characteristic), devices, bytes, true));
            }
            GattEvent::Answered { device, characteristic, token, bytes, .. } => {
                let answer =
                    message::value((*device, *characteristic), devices, bytes.as_deref().unwrap_or_default(), false);
                let waits = self.answers[*device]
                    .iter_mut()
                    .find(|answer| matches!(answer, Answer::Read { token: of } if of == token));
                if let Some(waits) = waits {
                    *waits = Answer::From(now_us, answer);
                }
            }
        }
    }

    fn settle_connections(&mut self, device: usize, from_us: u64, answer: &Value) {
        for waits in self.answers[device].iter_mut().filter(|answer| matches!(answer, Answer::Connect)) {
            *waits = Answer::From(from_us, answer.clone());
        }
    }

    /// A device that advertises, if it scans for such.
    pub fn advertise(&mut self, device: usize, wavers_dbm: i16, devices: &[Device]) {
        let service = plain(&devices[device].service);
        if self.scan.as_ref().is_some_and(|wanted| wanted.is_empty() || wanted.contains(&service)) {
            let rssi_dbm = strength_dbm(device, self.place, devices.len()) + wavers_dbm;
            self.send(&message::discovered(device, &devices[device], rssi_dbm));
        }
    }

    /// Answers that are due go out.
    pub fn advance(&mut self, now_us: u64) {
        for device in 0..self.answers.len() {
            while let Some(Answer::From(from_us, _)) = self.answers[device].front()
                && *from_us <= now_us
                && let Some(Answer::From(_, message)) = self.answers[device].pop_front()
            {
                self.send(&message);
            }
        }
        self.channel.flush();
    }
}
