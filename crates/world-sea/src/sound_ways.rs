//! By which ways sound gets from one vehicle to another: what is in between, and how loud it arrives.

use crate::acoustics::{AcousticsModel, Medium};
use crate::bodies;
use crate::model::SeaModel;
use crate::world::VehicleRun;
use sea_echo::modem::{Ends, Obstacle, Path, Surroundings, ratio};
use sea_echo::{Ball, Ray, Surface, Touch, Touchable};
use sea_sim::water::Water;
use sim_core::DVec3;

/// A way by which a packet arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WayIn {
    pub delay_s: f64,
    pub path: &'static str,
    pub bounces: [u32; 2],
    /// Not a number without levels.
    pub level_db: f64,
    /// 0 without levels.
    pub power: f64,
    pub doppler: f64,
}

/// Vehicles and water at the end of a step.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub model: &'a SeaModel,
    pub water: &'a Water,
    pub vehicles: &'a [VehicleRun],
    pub now_s: f64,
}

/// A sender and a receiver.
#[derive(Clone, Copy)]
pub(crate) struct Link<'a> {
    pub sight: Sight<'a>,
    pub from: usize,
    pub to: usize,
}

/// Waves that come no higher than this above a modem do not bring it out of the water, m.
const WAVE_REACH_M: f64 = 1.0;

impl Sight<'_> {
    /// Where the modem of a vehicle is, m.
    pub fn modem_m(&self, vehicle: usize) -> DVec3 {
        let at_m = self.model.vehicles[vehicle].modem.map_or(DVec3::ZERO, |modem| modem.position_in_body_m);
        self.vehicles[vehicle].motion.body.pose().point_m(at_m)
    }

    pub fn surface_m(&self, place_m: DVec3) -> f64 {
        self.water.surface_near_m(place_m, WAVE_REACH_M, self.now_s)
    }

    pub fn is_in_air(&self, vehicle: usize) -> bool {
        let place_m = self.modem_m(vehicle);
        place_m.z >= self.surface_m(place_m)
    }

    /// Velocity of the modem of a vehicle through the world, m/s.
    fn velocity_m_s(&self, vehicle: usize) -> DVec3 {
        let at_m = self.model.vehicles[vehicle].modem.map_or(DVec3::ZERO, |modem| modem.position_in_body_m);
        let body = &self.vehicles[vehicle].motion.body;
        body.attitude * (body.velocity.linear + body.velocity.angular.cross(at_m))
    }
}

impl Link<'_> {
    /// The ways from the sender to the receiver; without any, why there is none.
    pub fn ways(&self, own: &AcousticsModel, ways: &mut Vec<WayIn>) -> Result<(), &'static str> {
        ways.clear();
        let ends_m @ [source_m, target_m] = [self.from, self.to].map(|vehicle| self.sight.modem_m(vehicle));
        let works_in_air = matches!(own.medium, Medium::Transceiver { works_in_air: true, .. });
        if !works_in_air && (self.sight.is_in_air(self.from) || self.sight.is_in_air(self.to)) {
            return Err("in_air");
        }
        let closing = self.closing(target_m - source_m);
        match &own.medium {
            Medium::Transceiver { transceiver, .. } => {
                let params = transceiver.params();
                if source_m.distance(target_m) > params.range_m {
                    return Err("out_of_range");
                }
                let speed_m_s = params.sound_speed_m_s;
                let doppler = speed_m_s / (speed_m_s - closing);
                transceiver.arrivals(ends_m, self.sight.surface_m(source_m), self, |echo| {
                    use sea_echo::modem::EchoKind;
                    let (path, bounces) = match echo.kind {
                        EchoKind::Direct => ("direct", [0, 0]),
                        EchoKind::Surface => ("surface", [1, 0]),
                        EchoKind::Bottom => ("bottom", [0, 1]),
                    };
                    let delay_s = echo.length_m / speed_m_s;
                    ways.push(WayIn { delay_s, path, bounces, level_db: f64::NAN, power: 0.0, doppler });
                });
            }
            Medium::Channel { channel, source_level_db, .. } => {
                let ends = self.ends(ends_m);
                let is_blocked = self.is_blocked(ends_m);
                let is_open = |path: &Path| !is_blocked || path.surface_bounces + path.bottom_bounces > 0;
                let towards = (target_m - source_m).with_z(0.0).normalize_or(DVec3::X);
                let velocities_m_s = [self.from, self.to].map(|vehicle| self.sight.velocity_m_s(vehicle));
                let speed_m_s = channel.params().profile.speed_m_s(ends.source_depth_m);
                ways.extend(channel.paths(ends).filter(is_open).map(|path| {
                    let level_db = source_level_db - path.loss_db;
                    WayIn {
                        delay_s: path.time_s,
                        path: path_name([path.surface_bounces, path.bottom_bounces]),
                        bounces: [path.surface_bounces, path.bottom_bounces],
                        level_db,
                        power: ratio(level_db),
                        doppler: path.doppler(speed_m_s, towards, velocities_m_s),
                    }
                }));
            }
        }
        if ways.is_empty() { Err("blocked") } else { Ok(()) }
    }

    /// Speed at which both come nearer along the straight line, m/s.
    fn closing(&self, towards: DVec3) -> f64 {
        let [source_m_s, target_m_s] = [self.from, self.to].map(|vehicle| self.sight.velocity_m_s(vehicle));
        (source_m_s - target_m_s).dot(towards.normalize_or_zero())
    }

    /// Both ends in still water over a level bottom: the one below the middle of the way, or as deep as the deeper end.
    fn ends(&self, [source_m, target_m]: [DVec3; 2]) -> Ends {
        let model = self.sight.model;
        let [source_depth_m, receiver_depth_m] =
            [source_m, target_m].map(|place_m| (model.level_m - place_m.z).max(0.0));
        let below = [source_m.lerp(target_m, 0.5), source_m].into_iter().find_map(|place_m| model.ground(place_m));
        let bottom_depth_m = below.map(|ground| (model.level_m - ground.z_m).max(source_depth_m).max(receiver_depth_m));
        let distance_m = (target_m - source_m).truncate().length();
        Ends { distance_m, source_depth_m, receiver_depth_m, bottom_depth_m }
    }

    /// Whether the bottom or an object is in the straight way.
    fn is_blocked(&self, [source_m, target_m]: [DVec3; 2]) -> bool {
        let ray = Ray::new(source_m, target_m - source_m, source_m.distance(target_m));
        let SeaModel { echo_bottom, echo_objects, .. } = self.sight.model;
        let is_met = |ray: Ray| {
            let is_in_bottom = echo_bottom.as_ref().is_some_and(|bottom| bottom.cast(&ray).is_some());
            is_in_bottom || echo_objects.iter().any(|object| object.cast(&ray).is_some())
        };
        ray.is_ok_and(is_met)
    }
}

fn path_name(bounces: [u32; 2]) -> &'static str {
    match bounces {
        [0, 0] => "direct",
        [_, 0] => "surface",
        [0, _] => "bottom",
        _ => "both",
    }
}

/// The bottom, objects, and all vehicles but the sender.
impl Surroundings for Link<'_> {
    fn strike(&self, way: &Ray, radius_m: f64) -> Option<(f64, DVec3, Obstacle)> {
        let (model, ball) = (self.sight.model, Ball { way, radius_m });
        let bottom = model.echo_bottom.as_ref().and_then(|bottom| bottom.touch(&ball));
        let objects = model.echo_objects.iter().filter_map(|object| object.touch(&ball));
        let struck = objects.map(|touch| (touch, Obstacle::Other));
        let nearer = |one: (Touch, Obstacle), other: (Touch, Obstacle)| {
            if other.0.distance_m < one.0.distance_m { other } else { one }
        };
        let mut first = bottom.map(|touch| (touch, Obstacle::Bottom)).into_iter().chain(struck).reduce(nearer);
        for (number, (setup, run)) in model.vehicles.iter().zip(self.sight.vehicles).enumerate() {
            if number == self.from || ball.touch_capsule(&bodies::sphere(setup, run)).is_none() {
                continue;
            }
            let what = if number == self.to { Obstacle::Target } else { Obstacle::Other };
            for touch in bodies::capsules(setup, run).filter_map(|capsule| ball.touch_capsule(&capsule)) {
                if first.is_none_or(|(known, _)| touch.distance_m < known.distance_m) {
                    first = Some((touch, what));
                }
            }
        }
        first.map(|(touch, what)| (touch.distance_m, touch.normal, what))
    }
}
