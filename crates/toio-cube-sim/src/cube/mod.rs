//! The cube: a state machine that takes writes and reads, and once a step turns sensor values into actuators and notifications.

mod configure;
mod params;
mod ports;
mod reports;
mod typed;

pub use params::CubeParams;
pub use ports::{Actuators, Change, Outputs, Senses};

use crate::advertising::{Advertisement, gap_device_name};
use crate::att::{ReadAnswer, Request, Subscriptions};
use crate::attitude::{AttitudeSensor, Euler};
use crate::battery::{Battery, Load};
use crate::event::{Event, Refusal};
use crate::gatt::Characteristic;
use crate::id_sensing::{IdSensor, IdSettings};
use crate::light::Lamp;
use crate::magnet::MagnetSensor;
use crate::micros::Micros;
use crate::motion::{MotionSensor, MotionSettings};
use crate::motor::{MotorControl, Step, WheelUnits, constants::TREAD_M, law::MotorLimits};
use crate::power::{ALARM, Power, PowerChange, PowerState};
use crate::sound::{Jingle, Speaker};
use crate::version::Protocol;
use crate::wire::{
    Bytes, Command, ConfigReport, ErrorCode, LightCommand, MotorCommand, Notification, SensorRequest, Setting,
    SoundCommand, WireError, hash_optional,
};
use configure::ClientSettings;
use reports::Reports;
use sim_core::{ParamError, StateHash, Tick};

/// A toio cube.
#[derive(Clone, Debug)]
pub struct Cube {
    params: CubeParams,
    /// The step that comes next.
    tick: Tick,
    power: Power,
    is_connected: bool,
    subscriptions: Subscriptions,
    has_yaw_zero: bool,
    settings: ClientSettings,
    id: IdSensor,
    attitude: AttitudeSensor,
    motion: MotionSensor,
    magnet: MagnetSensor,
    motor: MotorControl,
    lamp: Lamp,
    speaker: Speaker,
    battery: Battery,
    reports: Reports,
    /// Motor writes that the next step accepts, after the sensors have been read: with their bytes, for the log.
    motor_writes: Vec<(MotorCommand, Vec<u8>)>,
    /// Requests that the next step answers.
    requests: Vec<SensorRequest>,
    outputs: Outputs,
    /// The outputs have been handed over: whatever comes next belongs to the next step's.
    outputs_are_old: bool,
}

impl Cube {
    /// A cube that has been on for long and waits for a client. Its yaw is 0 at the attitude of its first step.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn new(params: CubeParams) -> Result<Self, ParamError> {
        ParamError::check_range("step_hz", f64::from(params.step_hz), 50.0, 1000.0)?;
        ParamError::check_range("dots_per_m", params.dots_per_m, 100.0, 10_000.0)?;
        let CubeParams { protocol, behaviour, step_hz, dots_per_m, key, owner, .. } = params;
        let limits = MotorLimits {
            dead_zone: protocol.dead_zone(),
            max_command: protocol.max_command(),
            dots_per_m,
            limiting: behaviour.limiting,
        };
        Ok(Self {
            tick: Tick(0),
            power: Power::on_since(Micros(0)),
            is_connected: false,
            subscriptions: Subscriptions::default(),
            has_yaw_zero: false,
            settings: ClientSettings::default(),
            id: IdSensor::new(protocol, IdSettings::from_behaviour(&behaviour)),
            attitude: AttitudeSensor::new(params.attitude.clone(), step_hz, key, owner, &Euler::default())?,
            motion: MotionSensor::new(behaviour.posture_cones, step_hz)?,
            magnet: MagnetSensor::new(params.magnet.clone())?,
            motor: MotorControl::new(limits, behaviour),
            lamp: Lamp::default(),
            speaker: Speaker::default(),
            battery: Battery::new(params.battery.clone(), params.charge_percent)?,
            reports: Reports::default(),
            motor_writes: Vec::new(),
            requests: Vec::new(),
            outputs: Outputs::default(),
            outputs_are_old: false,
            params,
        })
    }

    /// What the cube was made with.
    #[must_use]
    pub fn params(&self) -> &CubeParams {
        &self.params
    }

    /// What it sends while it waits for a client; nothing when it is connected or not on.
    #[must_use]
    pub fn advertisement(&self) -> Option<Advertisement> {
        let waits = self.power.state() == PowerState::On && !self.is_connected;
        waits.then(|| Advertisement::new(self.params.protocol, self.params.name))
    }

    /// The GAP Device Name that a client reads.
    #[must_use]
    pub fn device_name(&self) -> String {
        gap_device_name(self.params.protocol, self.params.name)
    }

    /// Switches a cube on that is off and has some charge. It can be connected 0.5 s later, and its yaw is 0 from now on.
    pub fn power_on(&mut self) {
        let now = self.now();
        if !self.battery.is_empty() && self.power.start(now) {
            self.has_yaw_zero = false;
            self.speaker.play_jingle(now, Jingle::PowerOn);
        }
    }

    /// Switches the cube off, which takes 0.7 s. A running `03` or `04` is answered.
    pub fn power_off(&mut self) {
        let now = self.now();
        if self.power.stop(now) {
            self.begin_to_stop();
        }
    }

    /// Takes the power away: the cube is off at once, its client is gone, and nothing is answered.
    pub fn cut_power(&mut self) {
        let now = self.now();
        self.power.cut(now);
        self.forget_client();
    }

    /// A client connects, without any subscription. Returns false if the cube is not on or has a client already.
    pub fn connect(&mut self) -> bool {
        let can = self.power.state() == PowerState::On && !self.is_connected;
        if can {
            self.is_connected = true;
            self.id.forget_reports();
            let now = self.now();
            self.speaker.play_jingle(now, Jingle::Connect);
        }
        can
    }

    /// Begins or ends notifications of a characteristic, until the client disconnects. Returns false, and changes nothing, if no client
    /// is connected or the characteristic does not notify in this version.
    pub fn subscribe(&mut self, characteristic: Characteristic, is_on: bool) -> bool {
        let can = self.is_connected && characteristic.properties(self.params.protocol).notify;
        if can {
            self.subscriptions.set(characteristic, is_on);
        }
        can
    }

    /// Begins all notifications that this version has, as many clients do right after they connect.
    pub fn subscribe_all(&mut self) {
        for characteristic in Characteristic::ALL {
            self.subscribe(characteristic, true);
        }
    }

    /// Serves a request that has come over the radio. Returns the answer to a read.
    pub fn serve(&mut self, request: &Request) -> Option<ReadAnswer> {
        match request {
            Request::Write(characteristic, bytes) => self.write(*characteristic, bytes),
            Request::Subscribe(characteristic, is_on) => _ = self.subscribe(*characteristic, *is_on),
            Request::Read(characteristic) => {
                return Some(ReadAnswer { characteristic: *characteristic, value: self.read(*characteristic) });
            }
        }
        None
    }

    /// The client goes: what it has set and started ends, but for what is saved.
    pub fn disconnect(&mut self) {
        if !self.is_connected {
            return;
        }
        self.forget_client();
        if self.power.state() == PowerState::On {
            let now = self.now();
            self.speaker.play_jingle(now, Jingle::Disconnect);
        }
    }

    /// True while a client is connected.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.is_connected
    }

    /// The exact charge of the battery, percent of its capacity; a client reads whole tens only.
    #[must_use]
    pub fn charge_percent(&self) -> f64 {
        self.battery.charge_percent()
    }

    /// The link reports its connection interval, in units of 1.25 ms. From 2.5.0 on a change is notified.
    pub fn set_connection_interval(&mut self, units: u16) {
        let is_change = self.settings.actual_interval != units;
        self.settings.actual_interval = units;
        if is_change && self.params.protocol >= Protocol::V2_5_0 {
            self.notify(&Notification::Config(ConfigReport::ActualInterval(units)));
        }
    }

    /// A client writes. What the protocol does not allow is dropped: nothing changes but the list of events, and settings that are
    /// answered are answered as refused. The next step accepts motor commands and sensor requests, after its sensors.
    pub fn write(&mut self, characteristic: Characteristic, bytes: &[u8]) {
        if let Err(why) = self.try_write(characteristic, bytes) {
            self.drop_write(characteristic, bytes, why);
        }
    }

    /// A client reads the present value: the ID, the button, the battery, the last answer of the motor or of a setting, the last
    /// report of the sensor (the motion, if there was none). Nothing if no client is connected, the characteristic cannot be read in
    /// this version, or there was no answer yet.
    #[must_use]
    pub fn read(&self, characteristic: Characteristic) -> Option<Bytes> {
        let can = self.is_connected && characteristic.properties(self.params.protocol).read;
        if can { self.value(characteristic) } else { None }
    }

    /// One step: read the sensors, run the firmware, set the actuators, notify. A cube that is off only charges.
    pub fn step(&mut self, senses: &Senses) -> &Outputs {
        let now = self.now();
        self.fresh_outputs();
        self.step_power(now);
        self.outputs.actuators = Actuators::default();
        if self.power.state() != PowerState::Off {
            self.read_sensors(now, senses);
            self.drive(now, senses);
            self.show(now);
            self.use_battery(now, senses.charger_ma);
            self.report(now);
        } else {
            self.battery.charge(self.step_s(), senses.charger_ma);
        }
        self.outputs.actuators.power = self.power.state();
        self.outputs.actuators.is_connected = self.is_connected;
        self.tick = self.tick.next();
        self.outputs_are_old = true;
        &self.outputs
    }

    /// The moment of the step that comes next.
    fn now(&self) -> Micros {
        Micros::from_tick(self.tick, self.params.step_hz)
    }

    /// The moment of the step after that.
    fn end_of_step(&self) -> Micros {
        Micros::from_tick(self.tick.next(), self.params.step_hz)
    }

    fn fresh_outputs(&mut self) -> &mut Outputs {
        if self.outputs_are_old {
            self.outputs.changes.clear();
            self.outputs.messages.clear();
            self.outputs.events.clear();
            self.outputs_are_old = false;
        }
        &mut self.outputs
    }

    fn drop_write(&mut self, characteristic: Characteristic, bytes: &[u8], why: Refusal) {
        self.fresh_outputs().events.push(Event::Dropped { characteristic, bytes: bytes.to_vec(), why });
    }

    fn try_write(&mut self, characteristic: Characteristic, bytes: &[u8]) -> Result<(), Refusal> {
        if !self.is_connected {
            return Err(Refusal::NotConnected);
        }
        if !characteristic.takes_writes(self.params.protocol) {
            return Err(Refusal::NotWritable);
        }
        let decoded = Command::decode(characteristic, bytes, self.params.protocol);
        if self.power.state() != PowerState::On {
            if let Ok(Command::Motor(command)) = &decoded {
                self.motor.refuse_for_power(command);
            }
            return Err(Refusal::PoweringOff);
        }
        match decoded {
            Ok(Command::Motor(command)) => self.motor_writes.push((command, bytes.to_vec())),
            Ok(Command::Light(command)) => self.light_up(&command),
            Ok(Command::Sound(command)) => self.make_sound(&command),
            Ok(Command::Sensor(request)) => self.requests.push(request),
            Ok(Command::Config(command)) => self.configure(command)?,
            Err(error) => {
                self.answer_refused(characteristic, bytes, error);
                return Err(Refusal::Malformed(error));
            }
        }
        Ok(())
    }

    /// A setting of the right length whose value is out of range is answered as refused.
    fn answer_refused(&mut self, characteristic: Characteristic, bytes: &[u8], error: WireError) {
        let is_value = matches!(error, WireError::OutOfRange { .. });
        let op = bytes.first().filter(|_| characteristic == Characteristic::Configuration && is_value);
        if let Some(setting) = op.and_then(|&op| Setting::from_operation(op)) {
            self.answer_setting(setting, false);
        }
    }

    fn light_up(&mut self, command: &LightCommand) {
        let now = self.now();
        let done = match command {
            LightCommand::On { duration_10_ms, color } => {
                self.lamp.on(now, *duration_10_ms, *color);
                Ok(())
            }
            LightCommand::Sequence { repeat, operations } => self.lamp.play(now, *repeat, operations),
            LightCommand::AllOff | LightCommand::Off => {
                self.lamp.off();
                Ok(())
            }
            LightCommand::Blink { count, period_10_ms, color } => self.lamp.blink(now, *count, *period_10_ms, *color),
        };
        debug_assert!(done.is_ok(), "a decoded command is in range: {done:?}");
    }

    fn make_sound(&mut self, command: &SoundCommand) {
        let now = self.now();
        let done = match command {
            SoundCommand::Effect { id, volume } => self.speaker.play_effect(now, *id, *volume),
            SoundCommand::Notes { repeat, notes } => self.speaker.play_notes(now, *repeat, notes),
            SoundCommand::Stop => {
                self.speaker.stop();
                Ok(())
            }
        };
        debug_assert!(done.is_ok(), "a decoded command is in range: {done:?}");
    }

    fn step_power(&mut self, now: Micros) {
        if self.battery.is_empty() && self.power.stop(now) {
            self.begin_to_stop();
        }
        match self.power.step(now, self.is_connected) {
            Some(PowerChange::Alarm) => self.speaker.play_jingle(now, ALARM),
            Some(PowerChange::Stopping) => self.begin_to_stop(),
            Some(PowerChange::Off) => {
                self.forget_client();
                self.speaker.stop();
            }
            None => {}
        }
    }

    /// What was asked for and not yet begun is answered too.
    fn begin_to_stop(&mut self) {
        self.motor.abort(ErrorCode::PoweringOff);
        for (command, bytes) in std::mem::take(&mut self.motor_writes) {
            self.motor.refuse_for_power(&command);
            self.drop_write(Characteristic::Motor, &bytes, Refusal::PoweringOff);
        }
        self.lamp.off();
        let now = self.now();
        self.speaker.play_jingle(now, Jingle::PowerOff);
    }

    fn forget_client(&mut self) {
        self.is_connected = false;
        self.subscriptions = Subscriptions::default();
        self.settings = ClientSettings::default();
        self.id.settings = IdSettings::from_behaviour(&self.params.behaviour);
        *self.motion.settings_mut() = MotionSettings::default();
        self.reports = Reports::default();
        self.motor.reset();
        self.motor_writes.clear();
        self.requests.clear();
        self.lamp.off();
        self.speaker.stop();
    }

    /// Motor commands of this step. Each write meets the ID of the same step.
    fn drive(&mut self, now: Micros, senses: &Senses) {
        let fix = self.id.fix();
        for (command, bytes) in std::mem::take(&mut self.motor_writes) {
            if let Err(why) = self.motor.accept(&command, now, fix.as_ref()) {
                self.drop_write(Characteristic::Motor, &bytes, why);
            }
        }
        let [left_m_s, right_m_s] = senses.wheel_speed_m_s;
        let turn_deg_s = ((left_m_s - right_m_s) / TREAD_M).to_degrees();
        let is_stopped = senses.button_is_pressed && self.params.behaviour.button_stops_motors;
        let wheels = self.motor.step(Step { now, next: self.end_of_step(), turn_deg_s }, fix.as_ref());
        let WheelUnits { units, share } = if is_stopped { WheelUnits::default() } else { wheels };
        self.outputs.actuators.motor_units = units;
        self.outputs.actuators.motor_share = share;
    }

    /// Lamp and speaker at the beginning of the step, and their changes inside it.
    fn show(&mut self, now: Micros) {
        self.outputs.actuators.lamp = self.lamp.color(now);
        self.outputs.actuators.sounding = self.speaker.sounding(now);
        let end = self.end_of_step();
        let next_change = |at| [self.lamp.next_change(at), self.speaker.next_change(at)].into_iter().flatten().min();
        let mut at = now;
        while let Some(moment) = next_change(at).filter(|&moment| moment < end) {
            let change = Change { at: moment, lamp: self.lamp.color(moment), sounding: self.speaker.sounding(moment) };
            self.outputs.changes.push(change);
            at = moment;
        }
    }

    fn step_s(&self) -> f64 {
        1.0 / f64::from(self.params.step_hz)
    }

    fn use_battery(&mut self, now: Micros, charger_ma: f64) {
        let Actuators { motor_units, motor_share, lamp, .. } = self.outputs.actuators;
        let motor_units = motor_units.map(|units| units * motor_share);
        if let Some(percent) = self.battery.step(now, self.step_s(), &Load { motor_units, lamp, charger_ma }) {
            self.notify(&Notification::Battery { percent });
        }
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.tick.0);
        hash.u64(u64::from(self.is_connected) << 1 | u64::from(self.has_yaw_zero));
        hash.u64(self.subscriptions.word());
        self.power.hash_into(hash);
        self.settings.hash_into(hash);
        self.id.hash_into(hash);
        self.attitude.hash_into(hash);
        self.motion.hash_into(hash);
        self.magnet.hash_into(hash);
        self.motor.hash_into(hash);
        self.lamp.hash_into(hash);
        self.speaker.hash_into(hash);
        self.battery.hash_into(hash);
        self.reports.hash_into(hash);
        hash.u64(self.motor_writes.len() as u64);
        self.motor_writes.iter().for_each(|(_, bytes)| hash_optional(Some(bytes), hash));
        hash.u64(self.requests.len() as u64);
        self.requests.iter().for_each(|request| hash_optional(Some(&request.encode()), hash));
    }
}
