//! From the sections `mat`, `cubes`, `cards`, `magnets` and `script` to the checked model of the cubes.

use sim_core::{DVec2, DVec3, RunKey, Tick, angle};
use toio_cube_sim::advertising::NameSuffix;
use toio_cube_sim::radio::{INTERVAL_UNIT_MS, Radio, RadioParams, StackDelay};
use toio_cube_sim::{Cube, CubeParams, Profile, Protocol};
use toio_mat::{Card, CenterPoint, DotRange, Ground, Mat, MatKind, MatScale, PlanePose, StandardItem};
use toio_physics::{
    BodyParams, Characteristic, CubeStart, Footprint, HandAction, LagLaw, Magnet, MotorParams, Mount, Physics,
    PhysicsModel, PhysicsParams, PlacedMagnet, geometry,
};

use super::encode::asked;
use super::hands::STAYING;
use super::spec::{DriveSpec, MatScenario};
use super::spec_cubes::{CenterSpec, CubeSpec, LinkSpec, RadioSpec};
use super::spec_mat::{CardSpec, ContactSpec, MagnetKindSpec, MagnetSpec, PrintedMatSpec};
use super::spec_program::CommandSpec;
use super::spec_script::{BringSpec, HandSpec};
use super::standing::Standing;
use crate::cubes::{CubeModel, CubesModel, Hand, HandDoes, ProgramStep};
use sim_input::diagnostic::Fault;
use sim_input::nearest::{did_you_mean, nearest};

/// Side of a print of one's own, if nothing is said: that of a card of the collection.
const OWN_CARD_MM: [f64; 2] = [57.5, 57.5];
/// Lowest step rate that the firmware takes.
const MIN_STEP_HZ: u32 = 50;

fn radians(deg: f64) -> f64 {
    deg.to_radians()
}

impl MatScenario {
    /// The model of the cubes, or nothing if there are none, and everything that is wrong with what it is made of.
    pub(super) fn cubes_model(&self) -> (Option<CubesModel>, Vec<Fault>) {
        let mut faults = Vec::new();
        let ground = self.ground(&mut faults);
        let standing = self.standing(&ground);
        let physics = self.physics_model(&standing, &mut faults);
        let mut cubes = self.cube_models(&ground, &mut faults);
        if self.agents.drive == DriveSpec::Cube {
            cubes = self.swarm_cubes(&ground, &mut faults);
        }
        if physics.is_some() && self.agents.drive != DriveSpec::Cube {
            faults.extend(standing.faults(&cubes));
        }
        let magnets = self.placed_magnets(&mut faults);
        let script = self.hands(&mut faults);
        let (Some(physics), true, false) = (physics, faults.is_empty(), cubes.is_empty()) else {
            return (None, faults);
        };
        let extent_mm = standing.extent_mm(self.mat_rect());
        let ground = match self.things().ground(&ground) {
            Ok(ground) => ground,
            Err(error) => return (None, vec![Fault::from_param("mat.printed", error.field, &error)]),
        };
        let (standing, chargers, obstacles) = (standing.objects(), standing.chargers, self.obstacle_rings().collect());
        let model = CubesModel { physics, standing, obstacles, chargers, ground, extent_mm, cubes, magnets, script };
        if self.agents.drive != DriveSpec::Cube {
            faults.extend(rehearsal(&model).err());
        }
        (Some(model).filter(|_| faults.is_empty()), faults)
    }

    fn scale(&self) -> MatScale {
        // The schema allows what the scale does.
        MatScale::new(self.mat.dot_per_m).unwrap_or_default()
    }

    /// The printed mats and cards.
    pub(super) fn ground(&self, faults: &mut Vec<Fault>) -> Ground {
        let mut ground = Ground::default();
        for (index, spec) in self.mat.printed.iter().enumerate() {
            match printed_mat(spec, self.scale(), &format!("mat.printed[{index}]")) {
                Ok(mat) => ground.add_mat(mat),
                Err(fault) => faults.push(fault),
            }
        }
        for (index, spec) in self.cards.iter().enumerate() {
            match card(spec, &format!("cards[{index}]")) {
                Ok(card) => ground.add_card(card),
                Err(fault) => faults.push(fault),
            }
        }
        ground
    }

    fn physics_model(&self, standing: &Standing, faults: &mut Vec<Fault>) -> Option<PhysicsModel> {
        let mat = &self.mat;
        for (index, (wall, spec)) in standing.walls.iter().zip(&mat.walls).enumerate() {
            if wall.from_m.distance(wall.to_m) < 0.001 {
                let message = format!("is less than 1 mm from from_mm, [{}, {}]", spec.from_mm[0], spec.from_mm[1]);
                faults.push(Fault::new(format!("mat.walls[{index}].to_mm"), message));
            }
        }
        let contact = &mat.contact;
        let resting_friction = resting_friction(contact).map_err(|fault| faults.push(fault)).ok()?;
        if !faults.is_empty() {
            return None;
        }
        let body = BodyParams {
            mass_kg: contact.mass_g / 1000.0,
            tyre_friction: contact.tyre_friction,
            resting_friction,
            skid_friction: contact.skid_friction,
            side_friction: contact.side_friction,
            restitution: contact.restitution,
            ..BodyParams::default()
        };
        let params = PhysicsParams {
            step_hz: self.step_hz,
            substeps: contact.substeps,
            tilt_rad: radians(mat.tilt_deg),
            downhill_rad: radians(mat.downhill_deg),
            walls: standing.bodies(),
            away_walls: standing.away_walls.clone(),
            body,
        };
        PhysicsModel::new(params).map_err(|error| faults.push(Fault::from_param("mat", error.field, &error))).ok()
    }

    fn cube_models(&self, ground: &Ground, faults: &mut Vec<Fault>) -> Vec<CubeModel> {
        if !self.cubes.is_empty() && self.step_hz < MIN_STEP_HZ {
            let message =
                format!("is {}, too slow for the firmware of cubes; must be at least {MIN_STEP_HZ} Hz", self.step_hz);
            faults.push(Fault {
                suggestion: Some(MIN_STEP_HZ.to_string()),
                ..Fault::new("step_hz", message).depends("cubes")
            });
            return Vec::new();
        }
        let mut models: Vec<CubeModel> = Vec::with_capacity(self.cubes.len());
        for (index, spec) in self.cubes.iter().enumerate() {
            let path = format!("cubes[{index}]");
            let same = self.cubes[..index].iter().position(|other| other.name == spec.name);
            if let Some(other) = same {
                let message = format!("is {:?}, which is the name of cubes[{other}] already", spec.name);
                faults.push(Fault::new(format!("{path}.name"), message));
            }
            match self.cube_model(index, spec, ground, &path) {
                Ok(model) => models.push(model),
                Err(found) => faults.extend(found),
            }
        }
        if models.len() == self.cubes.len() {
            faults.extend(overlaps(&models));
        }
        models
    }

    fn cube_model(&self, index: usize, spec: &CubeSpec, ground: &Ground, path: &str) -> Result<CubeModel, Vec<Fault>> {
        let mut faults = Vec::new();
        let pose = start_pose(spec, ground, path).map_err(|fault| faults.push(fault)).ok();
        let firmware = self.firmware(index, spec);
        let program = self.program(spec, firmware.protocol, path, &mut faults);
        let radio = radio_params(&spec.radio);
        let key = RunKey { seed: self.seed, run_index: 0 };
        if let Some(error) = radio.as_ref().and_then(|radio| Radio::<()>::new(radio.clone(), key, 0).err()) {
            faults.push(Fault::from_param(&format!("{path}.radio"), error.field, &error));
        }
        if let Err(error) = Cube::new(firmware.clone()) {
            faults.push(Fault::from_param(path, error.field, &error));
        }
        let (Some(pose), true) = (pose, faults.is_empty()) else { return Err(faults) };
        Ok(CubeModel {
            name: spec.name.clone(),
            start: CubeStart {
                id: index as u32,
                axle_m: axle_m(pose),
                heading_rad: pose.heading_rad,
                motor: motor_params(spec, firmware.protocol),
                is_away: spec.away,
            },
            firmware,
            radio,
            center: center_point(spec),
            is_connected: spec.connected,
            subscribes: spec.subscribes,
            stops_at_once: spec.behaviour.forced_stop.unwrap_or(spec.profile == Profile::Unity),
            program,
        })
    }

    pub(super) fn firmware(&self, index: usize, spec: &CubeSpec) -> CubeParams {
        let protocol = Protocol::from_text(&spec.protocol).unwrap_or_default();
        let of_profile = CubeParams::for_profile(protocol, spec.profile);
        CubeParams {
            behaviour: spec.behaviour.over(of_profile.behaviour),
            battery: spec.battery.over(&of_profile.battery),
            attitude: spec.attitude.over(&of_profile.attitude),
            step_hz: self.step_hz,
            dots_per_m: self.scale().dot_per_m(),
            name: NameSuffix::from_number(index as u64),
            owner: index as u64,
            charge_percent: spec.battery_percent,
            ..of_profile
        }
    }

    /// The program by time. Of two commands of one moment, the one that is written first goes first.
    fn program(&self, spec: &CubeSpec, protocol: Protocol, path: &str, faults: &mut Vec<Fault>) -> Vec<ProgramStep> {
        let mut steps = Vec::with_capacity(spec.program.len());
        for (index, command) in spec.program.iter().enumerate() {
            match program_step(command, protocol, self.tick_of(command.at_s), &format!("{path}.program[{index}]")) {
                Ok(step) => steps.push(step),
                Err(fault) => faults.push(fault),
            }
        }
        steps.sort_by_key(|step| step.tick);
        steps
    }

    /// The step nearest to a moment.
    fn tick_of(&self, at_s: f64) -> Tick {
        Tick((at_s * f64::from(self.step_hz)).round() as u64)
    }

    fn placed_magnets(&self, faults: &mut Vec<Fault>) -> Vec<PlacedMagnet> {
        let mut magnets = Vec::with_capacity(self.magnets.len());
        for (index, spec) in self.magnets.iter().enumerate() {
            match self.placed_magnet(spec, &format!("magnets[{index}]")) {
                Ok(magnet) => magnets.push(magnet),
                Err(fault) => faults.push(fault),
            }
        }
        magnets
    }

    fn placed_magnet(&self, spec: &MagnetSpec, path: &str) -> Result<PlacedMagnet, Fault> {
        let (at_m, north) = (DVec3::from(spec.at_mm) / 1000.0, DVec3::from(spec.north));
        if north.length() < 1e-6 {
            return Err(Fault::new(format!("{path}.north"), "has no length, so that it points nowhere"));
        }
        let mount = match &spec.cube {
            // The plane's y runs against the world's.
            None => {
                let in_world = |v: DVec3| DVec3::new(v.x, -v.y, v.z);
                Mount::World { at_m: in_world(at_m), north: in_world(north) }
            }
            Some(_) if at_m.length() > 0.1 => {
                return Err(Fault::new(format!("{path}.at_mm"), "is more than 100 mm from the middle of the cube"));
            }
            Some(name) => Mount::Cube { cube: self.cube_called(name, &format!("{path}.cube"))?, at_m, north },
        };
        let of_kind = match spec.kind {
            MagnetKindSpec::Reference => Magnet::reference(),
            MagnetKindSpec::UnityStock => Magnet::unity_stock(),
        };
        let magnet = Magnet {
            charge_mx: spec.charge_mx.unwrap_or(of_kind.charge_mx),
            half_length_m: spec.half_length_mm.map_or(of_kind.half_length_m, |mm| mm / 1000.0),
            pitch_m: spec.pitch_mm.map_or(of_kind.pitch_m, |mm| mm / 1000.0),
        };
        Ok(PlacedMagnet { magnet, mount })
    }

    /// The cube of that name, by its number.
    fn cube_called(&self, name: &str, path: &str) -> Result<usize, Fault> {
        let names = || self.cubes.iter().map(|cube| cube.name.as_str());
        if let Some(found) = names().position(|known| known == name) {
            return Ok(found);
        }
        let meant = nearest(name, names());
        let hint = did_you_mean(meant);
        let message = format!("is {name:?}, but no cube is called so{hint}");
        Err(Fault { suggestion: meant.map(str::to_owned), ..Fault::new(path, message).depends("cubes") })
    }

    /// The script by time. Of two things of one moment, the one that is written first goes first.
    fn hands(&self, faults: &mut Vec<Fault>) -> Vec<Hand> {
        let mut hands = Vec::with_capacity(self.script.len());
        for (index, spec) in self.script.iter().enumerate() {
            match self.hand(spec, &format!("script[{index}]")) {
                Ok(hand) => hands.push(hand),
                Err(fault) => faults.push(fault),
            }
        }
        hands.sort_by_key(|hand| hand.tick);
        hands
    }

    fn hand(&self, spec: &HandSpec, path: &str) -> Result<Hand, Fault> {
        self.check_bringing(spec, path)?;
        let cube = self.cube_called(&spec.cube, &format!("{path}.cube"))?;
        if let Some(shake) = &spec.shake {
            let most_hz = HandAction::MAX_FREQUENCY_SHARE * f64::from(self.step_hz);
            if shake.frequency_hz > most_hz {
                let message = format!(
                    "is {}, too fast for {} steps a second; must be at most {most_hz} Hz",
                    shake.frequency_hz, self.step_hz
                );
                return Err(Fault::new(format!("{path}.shake.frequency_hz"), message).depends("step_hz"));
            }
            if DVec3::from(shake.direction).length() < 1e-6 {
                return Err(Fault::new(format!("{path}.shake.direction"), "has no length, so that it points nowhere"));
            }
        }
        let tick = self.tick_of(spec.at_s);
        let (word, does) = one_of(
            spec.actions(self.step_hz),
            path,
            "a hand does one thing: lift, place, drag, pull, tilt, turn, push, shake, tap, press, button_down, button_up, power_on, \
             power_off, take_away, bring or release",
        )?;
        let does = match does {
            HandDoes::PressUntil(Tick(steps)) => HandDoes::PressUntil(Tick(tick.0.saturating_add(steps))),
            other => other,
        };
        Ok(Hand { tick, cube, word, does })
    }

    /// Cubes that come and go are none of the swarm's, and a place has two coordinates.
    fn check_bringing(&self, spec: &HandSpec, path: &str) -> Result<(), Fault> {
        let word =
            [("take_away", spec.take_away.is_some()), ("bring", spec.bring.is_some())].into_iter().find(|(_, is)| *is);
        if let (DriveSpec::Cube, Some((word, _))) = (self.agents.drive, word) {
            let message = format!("does not go with agents.drive \"cube\": {STAYING}");
            return Err(Fault::new(format!("{path}.{word}"), message).depends("agents.drive"));
        }
        match spec.bring.as_ref().and_then(BringSpec::missing) {
            Some(key) => Err(Fault::new(format!("{path}.bring.{key}"), "is missing beside the other one")),
            None => Ok(()),
        }
    }
}

/// Friction of a tyre that stands: no more than that of one that is driven.
fn resting_friction(contact: &ContactSpec) -> Result<f64, Fault> {
    let most = contact.tyre_friction;
    match contact.resting_friction {
        None => Ok(BodyParams::default().resting_friction.min(most)),
        Some(given) if given <= most => Ok(given),
        Some(given) => {
            let message =
                format!("is {given}, but a tyre that stands holds no better than a driven one; must be at most {most}");
            let fault = Fault::new("mat.contact.resting_friction", message).depends("mat.contact.tyre_friction");
            Err(Fault { suggestion: Some(most.to_string()), ..fault })
        }
    }
}

/// The only one of the keys that are given.
fn one_of<T>(given: Vec<(&'static str, T)>, path: &str, rule: &str) -> Result<(&'static str, T), Fault> {
    let words: Vec<&str> = given.iter().map(|(word, _)| *word).collect();
    let mut given = given.into_iter();
    match (given.next(), given.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Fault::new(path, format!("says nothing to do; {rule}"))),
        (Some(_), Some(_)) => Err(Fault::new(path, format!("says {}; {rule}", words.join(" and ")))),
    }
}

fn printed_mat(spec: &PrintedMatSpec, scale: MatScale, path: &str) -> Result<Mat, Fault> {
    let kind: MatKind = spec.kind.parse().map_err(|error| Fault::new(format!("{path}.kind"), format!("{error}")))?;
    let kind = match (kind, spec.range_dot) {
        (MatKind::Custom(_), Some([x1, y1, x2, y2])) => {
            let range = DotRange::new([x1, y1], [x2, y2]);
            MatKind::Custom(range.map_err(|error| Fault::new(format!("{path}.range_dot"), format!("{error}")))?)
        }
        (kind, None) => kind,
        (kind, Some(_)) => {
            let message = format!("goes with the kind \"custom\" only; what is printed on {kind} is known");
            return Err(Fault::new(format!("{path}.range_dot"), message));
        }
    };
    let center = PlanePose::new(spec.x_mm, spec.y_mm, radians(spec.yaw_deg));
    Mat::new(kind, scale, center).map_err(|error| Fault::from_param(path, error.field, &error))
}

fn card(spec: &CardSpec, path: &str) -> Result<Card, Fault> {
    let center = PlanePose::new(spec.x_mm, spec.y_mm, radians(spec.yaw_deg));
    let made = match (&spec.item, spec.value, spec.size_mm) {
        (Some(item), None, None) => {
            let item: StandardItem = item
                .parse()
                .map_err(|_| Fault::new(format!("{path}.item"), format!("is {item:?}, which is no item")))?;
            Card::new(item, center)
        }
        (None, Some(value), size_mm) => Card::sized(value, size_mm.unwrap_or(OWN_CARD_MM), center),
        (Some(_), None, Some(_)) => {
            return Err(Fault::new(format!("{path}.size_mm"), "goes with value only; the size of an item is known"));
        }
        (Some(_), Some(_), _) => return Err(Fault::new(path, "says item and value; one of them says which ID it is")),
        (None, None, _) => {
            return Err(Fault::new(path, "says neither item nor value; one of them says which ID it is"));
        }
    };
    made.map_err(|error| Fault::from_param(path, error.field, &error))
}

/// Where the middle of the body stands, on the plane.
fn start_pose(spec: &CubeSpec, ground: &Ground, path: &str) -> Result<PlanePose, Fault> {
    match (spec.at_mm, spec.at_dot) {
        (Some([x, y]), None) => Ok(PlanePose::new(x, y, radians(spec.heading_deg))),
        (None, Some([x, y])) => {
            let Some(mat) = ground.mats().get(spec.mat as usize) else {
                let count = ground.mats().len();
                let message = format!("is {}, but mat.printed lists {count}, counted from 0", spec.mat);
                return Err(Fault::new(format!("{path}.mat"), message).depends("mat.printed"));
            };
            let position_mm = mat.plane_from_dot(DVec2::new(x, y));
            Ok(PlanePose { position_mm, heading_rad: mat.heading_from_degrees(spec.heading_deg) })
        }
        (Some(_), Some(_)) => Err(Fault::new(path, "says at_mm and at_dot; one of them says where it stands")),
        (None, None) => Err(Fault::new(path, "says neither at_mm nor at_dot; one of them says where it stands")),
    }
}

/// The middle of the axle of a cube whose body stands at `pose`, in the plane, m.
pub(super) fn axle_m(pose: PlanePose) -> DVec2 {
    pose.position_mm / 1000.0 + angle::unit(pose.heading_rad) * geometry::AXLE_AHEAD_M
}

pub(super) fn motor_params(spec: &CubeSpec, protocol: Protocol) -> MotorParams {
    let of_profile = if spec.profile == Profile::Unity { LagLaw::Unity } else { LagLaw::Exact };
    let lag_law = spec.behaviour.lag_law.unwrap_or(of_profile);
    MotorParams {
        characteristic: if protocol == Protocol::V2_0_0 { Characteristic::V2_0 } else { Characteristic::V2_1 },
        lag_law,
        tau_s: spec.motor_tau_s.unwrap_or(lag_law.default_tau_s()),
    }
}

pub(super) fn center_point(spec: &CubeSpec) -> CenterPoint {
    match (spec.center, spec.profile) {
        (CenterSpec::BodyCenter, _) | (CenterSpec::OfProfile, Profile::Device) => CenterPoint::BODY_CENTER,
        (CenterSpec::AxleMidpoint, _) | (CenterSpec::OfProfile, Profile::Unity) => CenterPoint::AXLE_MIDPOINT,
    }
}

pub(super) fn radio_params(spec: &RadioSpec) -> Option<RadioParams> {
    let delay = |[fixed_ms, jitter_ms]: [f64; 2]| StackDelay { fixed_ms, jitter_ms };
    let params = RadioParams {
        interval_units: (spec.interval_ms / INTERVAL_UNIT_MS).round() as u16,
        to_cube: delay(spec.to_cube_delay_ms),
        from_cube: delay(spec.from_cube_delay_ms),
        loss: spec.loss,
        packets_per_event: spec.packets_per_event,
        packet_bytes: spec.packet_bytes as usize,
        mtu_bytes: spec.mtu_bytes as usize,
        buffer: spec.buffer as usize,
    };
    (spec.link == LinkSpec::Ble).then_some(params)
}

fn program_step(command: &CommandSpec, protocol: Protocol, tick: Tick, path: &str) -> Result<ProgramStep, Fault> {
    match (&command.write, &command.hex) {
        (Some(_), None) => return Err(Fault::new(path, "says write without hex, the bytes to write")),
        (None, Some(_)) => return Err(Fault::new(path, "says hex without write, the characteristic to write to")),
        _ => {}
    }
    let given = asked(command).map_err(|error| Fault::new(path, format!("{error}")))?;
    let (_, asked) = one_of(given, path, "a client does one thing at a time: a command, or write with hex")?;
    Ok(ProgramStep { tick, act: asked.act(protocol) })
}

/// Cubes that stand in one another. Those that are away stand nowhere.
fn overlaps(cubes: &[CubeModel]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (index, cube) in cubes.iter().enumerate() {
        if let Some(other) = cubes[..index].iter().position(|other| overlap(&cube.start, &other.start)) {
            let side_mm = 1e3 * geometry::FOOTPRINT_M;
            let message = format!("stands in cubes[{other}]; cubes are {side_mm} mm wide and long");
            faults.push(Fault::new(format!("cubes[{index}]"), message).depends(format!("cubes[{other}]")));
        }
    }
    faults
}

fn overlap(a: &CubeStart, b: &CubeStart) -> bool {
    !a.is_away && !b.is_away && Footprint::from_start(a).overlaps(&Footprint::from_start(b))
}

/// Everything that the bodies would refuse in mid-run is refused now.
fn rehearsal(model: &CubesModel) -> Result<(), Fault> {
    let starts: Vec<CubeStart> = model.cubes.iter().map(|cube| cube.start).collect();
    let mut physics = Physics::new(&model.physics, &starts, &model.magnets)
        .map_err(|error| Fault::from_param("cubes", "", &error))?;
    for hand in &model.script {
        if let HandDoes::Move(action) = hand.does {
            physics
                .hand(&model.physics, hand.cube, action)
                .map_err(|error| Fault::new("script", format!("has a {} whose {error}", hand.word)))?;
        }
    }
    Ok(())
}
