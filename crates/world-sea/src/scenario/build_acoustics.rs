//! From the section `acoustics` and the modems of vehicles to the network.

use super::build::rad;
use super::spec::SeaScenario;
use super::spec_acoustics::{
    AcousticsSpec, ChannelSpec, LinearSpeedSpec, MessageSpec, ModemSpec, ModulationSpec, SoundSpeedSpec,
    TransceiverSpec, UsblSpec,
};
use crate::acoustics::{AcousticsModel, Medium, Message, ModemSetup, PacketKind, ScheduledMessage, Usbl};
use crate::model::VehicleSetup;
use sea_echo::modem::{
    Bottom, Channel, ChannelParams, Loss, Modulation, Receiver, SoundProfile, Transceiver, TransceiverParams,
};
use sim_core::ParamError;
use sim_input::diagnostic::Fault;
use sim_input::nearest::{did_you_mean, nearest};

/// Most modems of a scenario: each packet has ways to all of them.
const MODEMS_MAX: usize = 200;

impl ModemSpec {
    pub(super) fn setup(&self) -> ModemSetup {
        let usbl = |spec: UsblSpec| Usbl {
            range_m: [spec.range_std_m, spec.range_step_m],
            angles_rad: [spec.azimuth_std_deg, spec.elevation_std_deg].map(rad),
            angle_step_rad: rad(spec.angle_step_deg),
        };
        ModemSetup {
            position_in_body_m: self.position_m.into(),
            turnaround_s: 1e-3 * self.turnaround_ms,
            assumed_speed_m_s: self.assumed_speed_m_s,
            usbl: self.usbl.map(usbl),
        }
    }
}

impl SeaScenario {
    /// Writes the defaults of `acoustics` into it where a vehicle carries a modem.
    pub(super) fn write_acoustics(&mut self) {
        if self.vehicles.iter().any(|vehicle| vehicle.sensors.modem.is_some()) {
            let own = self.acoustics.get_or_insert_default();
            if own.channel.is_none() {
                own.transceiver.get_or_insert_default();
            }
        }
    }

    /// The network; none without modems, or if something is wrong with it, which is noted.
    pub(super) fn network(&self, vehicles: &[VehicleSetup], faults: &mut Vec<Fault>) -> Option<AcousticsModel> {
        let modems: Vec<usize> = (0..vehicles.len()).filter(|&number| vehicles[number].modem.is_some()).collect();
        let spec = self.acoustics.clone().unwrap_or_default();
        if modems.is_empty() {
            let unused = |_: &AcousticsSpec| Fault::new("acoustics", "means nothing: no vehicle carries a modem");
            faults.extend(self.acoustics.as_ref().map(unused));
            return None;
        }
        if modems.len() > MODEMS_MAX {
            let message = format!("carry {} modems, at most {MODEMS_MAX} are allowed", modems.len());
            faults.push(Fault::new("vehicles", message));
            return None;
        }
        let mut build = NetworkBuild { scenario: self, vehicles, faults };
        let medium = build.medium(&spec);
        let messages = spec.messages.iter().enumerate().filter_map(|(place, message)| build.message(place, message));
        let messages = messages.collect();
        build.check_in_water(&spec);
        Some(AcousticsModel { medium: medium?, messages, modems })
    }
}

struct NetworkBuild<'a> {
    scenario: &'a SeaScenario,
    vehicles: &'a [VehicleSetup],
    faults: &'a mut Vec<Fault>,
}

impl NetworkBuild<'_> {
    fn wrong(&mut self, key: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Fault::new(key, message));
    }

    fn medium(&mut self, spec: &AcousticsSpec) -> Option<Medium> {
        match (&spec.transceiver, &spec.channel) {
            (Some(_), Some(_)) => {
                self.wrong("acoustics.channel", "cannot be given beside transceiver: sound goes by one of them");
                None
            }
            (_, Some(channel)) => self.channel(channel),
            (transceiver, None) => {
                let spec = transceiver.unwrap_or_default();
                let made = Transceiver::new(transceiver_params(&spec));
                let refused =
                    |error: ParamError| self.wrong(format!("acoustics.transceiver.{}", error.field), error.message);
                let works_in_air = spec.works_in_air;
                made.map(|transceiver| Medium::Transceiver { transceiver, works_in_air }).map_err(refused).ok()
            }
        }
    }

    fn channel(&mut self, spec: &ChannelSpec) -> Option<Medium> {
        let water = self.scenario.water.made_of();
        let profile = match &spec.sound_speed {
            None => SoundProfile::Uniform(water.sound_speed_m_s(0.0)),
            Some(speed) => self.profile(speed)?,
        };
        let absorption_db_km = || water.absorption_db_km(1e-3 * spec.frequency_hz, 0.0);
        let params = ChannelParams {
            profile,
            frequency_hz: spec.frequency_hz,
            absorption_db_km: spec.absorption_db_km.unwrap_or_else(absorption_db_km),
            bounces: spec.bounces,
            roughness_m: spec.roughness_m,
            bottom: Bottom { density_ratio: spec.bottom_density_ratio, speed_ratio: spec.bottom_speed_ratio },
        };
        let receiver = receiver(spec);
        let made = Channel::new(params).and_then(|channel| receiver.check().map(|()| channel));
        let refused = |error: ParamError| {
            let key = match error.field {
                "layers" => "sound_speed.layers",
                "loss" => "loss_table",
                field => field,
            };
            self.wrong(format!("acoustics.channel.{key}"), error.message);
        };
        let source_level_db = spec.source_level_db;
        made.map(|channel| Medium::Channel { channel, receiver, source_level_db }).map_err(refused).ok()
    }

    fn profile(&mut self, spec: &SoundSpeedSpec) -> Option<SoundProfile> {
        let linear =
            |LinearSpeedSpec { surface_m_s, gradient_per_s }| SoundProfile::Linear { surface_m_s, gradient_per_s };
        let given = [
            spec.uniform_m_s.map(SoundProfile::Uniform),
            spec.linear.map(linear),
            spec.layers.clone().map(SoundProfile::Layered),
        ];
        let mut given = given.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(profile), None) => Some(profile),
            (one, _) => {
                let what = if one.is_some() { "has several keys" } else { "is empty" };
                let message = format!("{what}: give one of uniform_m_s, linear and layers");
                self.wrong("acoustics.channel.sound_speed", message);
                None
            }
        }
    }

    fn message(&mut self, place: usize, spec: &MessageSpec) -> Option<ScheduledMessage> {
        let path = format!("acoustics.messages[{place}]");
        let from = self.modem(&format!("{path}.from"), &spec.from);
        let to = spec.to.as_ref().map(|to| self.modem(&format!("{path}.to"), to));
        if spec.until_s.is_some() && spec.every_s.is_none() {
            self.wrong(format!("{path}.until_s"), "means nothing without every_s");
        }
        let (from, to) = (from?, if let Some(to) = to { Some(to?) } else { None });
        if to == Some(from) {
            self.wrong(format!("{path}.to"), format!("is {:?}, which is the sender", spec.from));
            return None;
        }
        let kind = if spec.reply { PacketKind::Request } else { PacketKind::Plain };
        let message = Message { from, to, bytes: spec.bytes, kind };
        let until_s = spec.until_s.unwrap_or(f64::INFINITY);
        Some(ScheduledMessage { at_s: spec.at_s, every_s: spec.every_s, until_s, message })
    }

    /// Number of a vehicle with a modem by its name.
    fn modem(&mut self, key: &str, name: &str) -> Option<u32> {
        let found = self.vehicles.iter().position(|vehicle| vehicle.name == name);
        if let Some(number) = found.filter(|&number| self.vehicles[number].modem.is_some()) {
            return Some(number as u32);
        }
        let with_modems = || self.vehicles.iter().filter(|vehicle| vehicle.modem.is_some());
        let message = match found {
            Some(_) => format!("is {name:?}, which has no modem"),
            None => {
                let hint = did_you_mean(nearest(name, with_modems().map(|vehicle| vehicle.name.as_str())));
                format!("is {name:?}, the name of no vehicle{hint}")
            }
        };
        self.faults.push(Fault::new(key, message).depends("vehicles"));
        None
    }

    /// Warns of modems that are in air where they start, and of one that is alone.
    fn check_in_water(&mut self, spec: &AcousticsSpec) {
        let level_m = self.scenario.water.level_m;
        let works_in_air = spec.channel.is_none() && spec.transceiver.is_some_and(|own| own.works_in_air);
        let with_modems =
            || self.vehicles.iter().enumerate().filter_map(|(number, setup)| Some((number, setup, setup.modem?)));
        let mut warnings = Vec::new();
        for (number, setup, modem) in with_modems() {
            let height_m = setup.start.body.pose().point_m(modem.position_in_body_m).z - level_m;
            if height_m >= 0.0 && !works_in_air {
                let message =
                    format!("is {height_m:.3} m above still water at its start: in air it sends and hears nothing");
                warnings.push((format!("vehicles[{number}].sensors.modem"), message));
            }
        }
        let mut alone = with_modems();
        if let (Some((number, ..)), None) = (alone.next(), alone.next()) {
            let message = "hears nothing: no other vehicle has a modem";
            warnings.push((format!("vehicles[{number}].sensors.modem"), message.to_owned()));
        }
        self.faults.extend(warnings.into_iter().map(|(key, message)| Fault::new(key, message).warning()));
    }
}

fn receiver(spec: &ChannelSpec) -> Receiver {
    let modulation = match spec.modulation {
        ModulationSpec::Fsk => Modulation::Fsk,
        ModulationSpec::Dpsk => Modulation::Dpsk,
        ModulationSpec::Bpsk => Modulation::Bpsk,
    };
    Receiver {
        noise_db_hz: spec.noise_db_hz,
        bandwidth_hz: spec.bandwidth_hz,
        bit_rate: spec.bit_rate,
        loss: spec.loss_table.clone().map_or(Loss::Bits(modulation), Loss::Table),
        capture_db: spec.capture_db,
    }
}

fn transceiver_params(spec: &TransceiverSpec) -> TransceiverParams {
    TransceiverParams {
        sound_speed_m_s: spec.sound_speed_m_s,
        range_m: spec.range_m,
        channel_radius_m: spec.channel_radius_m,
        ignores_occlusion: spec.ignores_occlusion,
        echoes: spec.echoes,
        echo_range_ratio: spec.echo_range_ratio,
        bottom_opening_rad: rad(spec.bottom_opening_deg),
        bottom_resolution: spec.bottom_resolution,
        bottom_tolerance_m: spec.bottom_tolerance_m,
        single_bottom_echo: spec.single_bottom_echo,
    }
}
