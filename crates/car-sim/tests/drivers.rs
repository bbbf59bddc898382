//! Drivers in closed loop with the car.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::driver::{
    CommandList, Progress, Pursuit, PursuitParams, Route, Scan, Side, WallFollower, WallFollowerParams,
};
use car_sim::{
    Car, CarModel, CarParams, Command, Lidar, LidarParams, Pose, Scanner, Scene, Segment, SegmentMap, Start, Status,
    Traffic,
};
use sim_core::{DVec2, angle};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn model() -> CarModel {
    CarModel::new(CarParams::default()).unwrap()
}

fn ring(corners: &[(f64, f64)]) -> Vec<Segment> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&from, &to)| Segment::new(from.into(), to.into())).collect()
}

/// Car facts, T7, run A1.
#[test]
fn a_list_of_commands_drives_the_scripted_drive() {
    let (model, map) = (model(), SegmentMap::empty());
    let command = |velocity_m_s, curvature_1_m| Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None };
    let list = CommandList::from_legs(&[(3.0, command(0.8, 0.5)), (2.0, command(-0.4, -1.0))]).unwrap();
    let mut car = Car::new(&model);
    for step in 0..5000 {
        car.set_command(&model, &list.at(step * 1_000_000)).unwrap();
        car.step(&model, &map);
    }
    let base = car.base(&model);
    // Nine decimals are given.
    assert!((base.position_m - DVec2::new(1.446_518_717, 0.805_655_744)).length() < 1.5e-9);
    assert!((base.yaw_rad - 1.569_516_118).abs() < 1.5e-9);
}

/// Follows a route at 100 Hz with perfect knowledge of the pose.
struct Follower {
    model: CarModel,
    pursuit: Pursuit,
    progress: Progress,
    car: Car,
}

impl Follower {
    fn new(route: Route, params: PursuitParams, base: Pose) -> Self {
        let model = model();
        let pursuit = Pursuit::new(&model, route, params).unwrap();
        let car = Car::placed(&model, &SegmentMap::empty(), &Start::at(base)).unwrap();
        Self { progress: pursuit.join(base), pursuit, model, car }
    }

    fn decide_and_drive(&mut self) {
        let velocity_m_s = self.car.base_twist(&self.model).velocity_m_s;
        let command = self.pursuit.decide(&mut self.progress, self.car.base(&self.model), velocity_m_s);
        self.car.set_command(&self.model, &command).unwrap();
        (0..10).for_each(|_| self.car.step(&self.model, &SegmentMap::empty()));
    }
}

fn circle(radius_m: f64) -> Route {
    let point = |k| radius_m * angle::unit(f64::from(k) * TAU / 64.0);
    Route::new((0..64).map(point).collect(), true).unwrap()
}

/// Pure pursuit of a circle has the circle itself as its steady state. The route is a polygon with 64 corners: it lies up to 1.2 mm a metre
/// of radius inside of the circle, and the car may cut its corners by as much.
#[test]
fn a_circle_is_followed_on_the_circle() {
    for radius_m in [1.0, 3.0] {
        let mut follower =
            Follower::new(circle(radius_m), PursuitParams::default(), Pose::new(radius_m, 0.0, FRAC_PI_2));
        (0..1000).for_each(|_| follower.decide_and_drive());
        for _ in 0..3000 {
            follower.decide_and_drive();
            let rear_m = follower.car.motion().rear.position_m.length();
            assert!((rear_m - radius_m).abs() < 0.003 * radius_m, "{rear_m} m from the centre, not {radius_m} m");
        }
        // At most 0.5 m/s^2 sideways: sqrt(0.5 R), and at most 0.8 m/s.
        let speed_m_s = follower.car.base_twist(&follower.model).velocity_m_s;
        let expected_m_s = (0.5 * radius_m).sqrt().min(0.8);
        assert!((speed_m_s / expected_m_s - 1.0).abs() < 0.01, "{speed_m_s} m/s, not {expected_m_s} m/s");
        assert!(follower.progress.rounds >= 1);
    }
}

/// A straight of 10 m: cruising, then braking at 1 m/s^2, half of what the car can. v^2 = 2 (10 - s), which the command follows late by its
/// period of 10 ms at most: the car is then up to 1 cm/s faster than the profile.
#[test]
fn at_the_end_of_an_open_route_the_car_stands() {
    let route = Route::new(vec![DVec2::ZERO, DVec2::new(10.0, 0.0)], false).unwrap();
    let base = Pose::new(0.2025, 0.1, 0.2);
    let mut follower = Follower::new(route, PursuitParams::default(), base);
    let mut fastest_m_s: f64 = 0.0;
    for _ in 0..2000 {
        follower.decide_and_drive();
        let motion = follower.car.motion();
        let left_m = (10.0 - motion.rear.position_m.x).max(0.0);
        assert!(motion.velocity_m_s <= (2.0 * left_m).sqrt().min(0.8) + 0.011, "{left_m} m left");
        assert!(motion.acceleration_m_s2 > -2.0 - 1e-9);
        fastest_m_s = fastest_m_s.max(motion.velocity_m_s);
    }
    let motion = follower.car.motion();
    assert_eq!(motion.velocity_m_s, 0.0);
    assert!((motion.rear.position_m - DVec2::new(10.0, 0.0)).length() < 0.01, "{:?}", motion.rear);
    assert!(fastest_m_s > 0.799);
}

#[test]
fn sharp_corners_are_cut_by_less_than_the_lookahead_and_driven_slowly() {
    let square = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0)].map(DVec2::from);
    let route = Route::new(square.to_vec(), true).unwrap();
    let mut follower = Follower::new(route, PursuitParams::default(), Pose::new(2.0, 0.0, 0.0));
    let mut corner_speeds_m_s = Vec::new();
    for _ in 0..8000 {
        follower.decide_and_drive();
        let rear_m = follower.car.motion().rear.position_m;
        let outside_m = (rear_m - rear_m.clamp(DVec2::ZERO, DVec2::splat(5.0))).length();
        let inside_m = rear_m.min(DVec2::splat(5.0) - rear_m).min_element();
        assert!(outside_m < 0.3 && inside_m < 0.4, "{rear_m}");
        if square.iter().any(|corner| corner.distance(rear_m) < 0.25) {
            corner_speeds_m_s.push(follower.car.motion().velocity_m_s);
        }
    }
    // A right angle over the least lookahead of 0.4 m: v^2 = 0.5 x 0.4 / (pi / 2), 0.357 m/s; a little faster behind the corner.
    let slowest_m_s = corner_speeds_m_s.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((slowest_m_s - 0.357).abs() < 0.05, "{slowest_m_s}");
    assert!(follower.progress.rounds >= 2);
}

/// What is asked for with the rear axle at a way along a route, as the car would be that has followed it so far.
fn speed_at(pursuit: &Pursuit, way_m: f64) -> f64 {
    let [here, ahead] = [way_m, way_m + 1e-6].map(|way_m| pursuit.route().point_m(way_m));
    let base = Pose { position_m: here, yaw_rad: angle::heading_of(ahead - here) }.compose(Pose::new(0.2025, 0.0, 0.0));
    pursuit.decide(&mut Progress { way_m, rounds: 0 }, base, 0.5).velocity_m_s
}

/// Sides of 5 m: the bend at a corner reaches 0.4 m to both sides and allows v^2 = 0.5 x 0.4 / (pi / 2); before it the car brakes at
/// 1 m/s^2.
#[test]
fn the_speed_profile_of_a_square_has_a_closed_form() {
    let square = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0)].map(DVec2::from);
    let route = Route::new(square.to_vec(), true).unwrap();
    let pursuit = Pursuit::new(&model(), route, PursuitParams::default()).unwrap();
    let corner2 = 0.2 / FRAC_PI_2;
    for tenth in 0..200 {
        let way_m = 0.05 + 0.1 * f64::from(tenth);
        let from_corner_m = way_m % 5.0;
        let braking2 = corner2 + 2.0 * (4.6 - from_corner_m).max(0.0);
        let expected2: f64 = if from_corner_m < 0.4 { corner2 } else { braking2.min(0.64) };
        let found_m_s = speed_at(&pursuit, way_m);
        assert!((found_m_s - expected2.sqrt()).abs() < 1e-9, "{way_m} m: {found_m_s} m/s");
    }
}

/// A closed route that begins with two short pieces before its sharpest bend: the car has to brake on the last piece already.
#[test]
fn braking_begins_before_a_closed_route_does() {
    let corners = [(0.0, 0.0), (0.1, 0.0), (0.2, 0.0), (-8.0, 0.3), (-8.0, 0.0)].map(DVec2::from);
    let pursuit =
        Pursuit::new(&model(), Route::new(corners.to_vec(), true).unwrap(), PursuitParams::default()).unwrap();
    let length_m = pursuit.route().length_m();
    for left_m in [0.01, 0.05, 0.1, 0.2] {
        // The sharp bend turns by nearly pi within 0.4 m: v^2 = 0.5 x 0.4 / pi = 0.0637.
        let most2 = 0.064 + 2.0 * (left_m + 0.2);
        let found_m_s = speed_at(&pursuit, length_m - left_m);
        assert!(found_m_s * found_m_s <= most2, "{left_m} m before the start: {found_m_s} m/s");
    }
}

#[test]
fn a_car_that_looks_the_wrong_way_turns_round() {
    let mut follower = Follower::new(circle(3.0), PursuitParams::default(), Pose::new(3.0, 0.0, -FRAC_PI_2));
    (0..4000).for_each(|_| follower.decide_and_drive());
    assert!((follower.car.motion().rear.position_m.length() - 3.0).abs() < 0.01);
}

#[test]
fn what_is_no_way_to_follow_is_refused() {
    let field = |params| Pursuit::new(&model(), circle(1.0), params).unwrap_err().field;
    let good = PursuitParams::default();
    assert_eq!(field(PursuitParams { speed_m_s: 0.9, ..good }), "speed_m_s");
    assert_eq!(field(PursuitParams { lateral_acceleration_m_s2: 0.0, ..good }), "lateral_acceleration_m_s2");
    assert_eq!(field(PursuitParams { lookahead_s: f64::NAN, ..good }), "lookahead_s");
    assert_eq!(field(PursuitParams { lookahead_min_m: 0.0, ..good }), "lookahead_min_m");
    assert_eq!(field(PursuitParams { lookahead_max_m: 0.1, ..good }), "lookahead_max_m");
    let field = |params| WallFollower::new(&model(), Pose::ORIGIN, params).unwrap_err().field;
    let good = WallFollowerParams::default();
    assert_eq!(field(WallFollowerParams { distance_m: 0.1, ..good }), "distance_m");
    assert_eq!(field(WallFollowerParams { horizon_m: 0.0, ..good }), "horizon_m");
    assert_eq!(field(WallFollowerParams { speed_m_s: 1.0, ..good }), "speed_m_s");
    assert_eq!(WallFollower::new(&model(), Pose::new(f64::NAN, 0.0, 0.0), good).unwrap_err().field, "lidar_in_base");
}

/// A car that knows nothing but its scans, ten a second.
struct WallRider {
    model: CarModel,
    map: SegmentMap,
    traffic: Traffic,
    lidar: Lidar,
    scanner: Scanner,
    ranges_m: Vec<f64>,
    driver: WallFollower,
    car: Car,
}

impl WallRider {
    fn new(segments: &[Segment], side: Side, base: Pose) -> Self {
        let model = model();
        let map = SegmentMap::from_segments(segments).unwrap();
        let lidar = LidarParams { increment_rad: TAU / 360.0, ..LidarParams::default() };
        let params = WallFollowerParams { side, ..WallFollowerParams::default() };
        Self {
            lidar: Lidar::new(lidar).unwrap(),
            driver: WallFollower::new(&model, lidar.mount, params).unwrap(),
            car: Car::placed(&model, &map, &Start::at(base)).unwrap(),
            traffic: Traffic::new(),
            scanner: Scanner::new(),
            ranges_m: Vec::new(),
            model,
            map,
        }
    }

    fn decide_and_drive(&mut self) -> Command {
        let scene = Scene { map: &self.map, traffic: &self.traffic, own_car: None };
        self.lidar.scan(scene, self.car.base(&self.model), &mut self.scanner, &mut self.ranges_m);
        let increment_rad = self.lidar.params().increment_rad;
        let command = self.driver.decide(&Scan { first_rad: 0.0, increment_rad, ranges_m: &self.ranges_m });
        self.car.set_command(&self.model, &command).unwrap();
        (0..100).for_each(|_| self.car.step(&self.model, &self.map));
        command
    }
}

/// Beside a long wall the arc that keeps the distance is the straight one at that distance. Sectors of 4 degrees see the wall only
/// at single points, up to 2 degrees beside the nearest: the distance is then off by about 0.6 (1 / cos 2 - 1) = 0.4 mm, and by what four
/// places along an arc do not show.
#[test]
fn a_straight_wall_is_followed_at_the_wanted_distance() {
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        for start_y_m in [0.25, 0.6, 1.5] {
            let wall = Segment::new(DVec2::new(-10.0, 0.0), DVec2::new(60.0, 0.0));
            let mut rider = WallRider::new(&[wall], side, Pose::new(0.0, -sign * start_y_m, 0.0));
            (0..300).for_each(|_| {
                rider.decide_and_drive();
            });
            for _ in 0..100 {
                rider.decide_and_drive();
                let off_m = rider.car.base(&rider.model).position_m.y.abs() - 0.6;
                assert!(off_m.abs() < 0.03, "from {start_y_m} m: {off_m} m off");
            }
            assert!(rider.car.base(&rider.model).position_m.x > 20.0);
        }
    }
}

#[test]
fn without_a_wall_in_sight_the_car_drives_straight_on() {
    let far = ring(&[(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)]);
    let mut rider = WallRider::new(&far, Side::Left, Pose::ORIGIN);
    assert_eq!(rider.decide_and_drive(), Command { velocity_m_s: 0.8, ..Command::default() });
    let nothing = Scan { first_rad: 0.0, increment_rad: 0.1, ranges_m: &[] };
    assert_eq!(rider.driver.decide(&nothing).curvature_1_m, 0.0);
    let lost = Scan { ranges_m: &[f64::INFINITY, f64::NEG_INFINITY, f64::NAN], ..nothing };
    assert_eq!(rider.driver.decide(&lost).curvature_1_m, 0.0);
}

/// An L with a bar in it: corners to both sides.
fn course() -> Vec<Segment> {
    let mut segments = ring(&[(0.0, 0.0), (10.0, 0.0), (10.0, 4.0), (5.0, 4.0), (5.0, 9.0), (0.0, 9.0)]);
    segments.extend(ring(&[(1.8, 1.8), (3.2, 1.8), (3.2, 7.2), (1.8, 7.2)]));
    segments
}

fn is_on_floor(point_m: DVec2, slack_m: f64) -> bool {
    let is_in = |low: (f64, f64), high: (f64, f64), slack_m: f64| {
        let slack = DVec2::splat(slack_m);
        (point_m.cmpge(DVec2::from(low) - slack) & point_m.cmple(DVec2::from(high) + slack)).all()
    };
    let is_in_l = is_in((0.0, 0.0), (10.0, 4.0), slack_m) || is_in((0.0, 0.0), (5.0, 9.0), slack_m);
    is_in_l && !is_in((1.8, 1.8), (3.2, 7.2), -slack_m)
}

/// An hour: the clock is exact, no speed is exceeded, no wall is passed, no ray ends in the open or within a wall.
#[test]
fn an_hour_on_a_closed_course() {
    for (side, seconds, least_rounds) in [(Side::Right, 3600, 60.0), (Side::Left, 300, 5.0)] {
        let mut rider = WallRider::new(&course(), side, Pose::new(1.0, 1.0, 0.0));
        let (mut rounds, mut before) = (0.0, rider.car.base(&rider.model));
        for _ in 0..10 * seconds {
            let lidar = rider.car.base(&rider.model);
            rider.decide_and_drive();
            for (ray, &range_m) in rider.ranges_m.iter().enumerate() {
                let hit_m = lidar.position_m + range_m * angle::unit(lidar.yaw_rad + rider.lidar.angle_rad(ray));
                assert!(is_on_floor(hit_m, 1e-9) && !is_on_floor(hit_m, -1e-9), "{hit_m} is not on a wall");
            }
            let now = rider.car.base(&rider.model);
            assert!(is_on_floor(now.position_m, -0.15));
            // Speed is bounded, so a decision's way is.
            assert!(now.position_m.distance(before.position_m) <= 0.08 + 1e-9);
            rounds += angle::wrap_rad(now.yaw_rad - before.yaw_rad) / TAU;
            before = now;
        }
        assert_eq!((rider.car.status(), rider.car.steps()), (Status::InProgress, 1000 * seconds));
        assert_eq!(rider.car.report(&rider.model).time_ns, 1_000_000_000 * seconds);
        assert!(rounds.abs() > least_rounds, "{rounds} rounds");
    }
}

#[test]
fn the_mirror_image_of_a_scan_gives_the_mirror_image_of_the_command() {
    let mirror = |s: &Segment| Segment::new(s.from_m * DVec2::new(1.0, -1.0), s.to_m * DVec2::new(1.0, -1.0));
    let mirrored: Vec<_> = course().iter().map(mirror).collect();
    for (x, y, yaw) in [(1.0, 1.0, 0.0), (4.0, 3.0, 2.0), (8.0, 2.0, -1.0), (0.9, 5.0, PI / 2.0)] {
        let mut rider = WallRider::new(&course(), Side::Left, Pose::new(x, y, yaw));
        let mut image = WallRider::new(&mirrored, Side::Right, Pose::new(x, -y, -yaw));
        let (command, image) = (rider.decide_and_drive(), image.decide_and_drive());
        // Sectors start at ray 0 on both sides, so that they hold other rays: commands agree to what a sector of 4 degrees shows.
        assert!((command.curvature_1_m + image.curvature_1_m).abs() < 0.1, "{command:?} {image:?}");
        assert!((command.velocity_m_s - image.velocity_m_s).abs() < 0.05, "{command:?} {image:?}");
    }
}
