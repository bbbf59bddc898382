//! How the road is drawn: walls, cars in their outlines with their trails and scans, and a panel with their numbers.

use crate::lidar_rows::LidarRows;
use crate::model::{CarSetup, RoadModel, SensorKind};
use car_sim::{CarModel, CarParams};
use sim_core::DVec2;
use sim_world::View;
use sim_world::view::{
    Area, Axis, Breaks, Color, Condition, Coord, Draw, Figure, Ink, Layer, Lettering, Limit, Line, List, Mark, Mount,
    Outline, Panel, Part, Party, Phrase, Place, Plot, Projection, Quantity, Rule, Scanner, Section, Shape, Tint,
    Verdict, Width,
};
use std::f64::consts::TAU;

pub(crate) const CARS: &str = "cars";
const LIDAR: &str = "lidar";
const IMU: &str = "imu";
const ODOMETRY: &str = "odometry";
/// Length of the trails.
const TRAIL_S: f64 = 10.0;
/// How strongly the free space that a lidar sees has its car's colour.
const SEEN: f64 = 0.12;
/// More cars than this are counted, not listed.
const MAX_LISTED: usize = 12;
/// Clearance round what is shown, as a share of its longer side, and the least of it in m.
const MARGIN: [f64; 2] = [0.02, 0.25];
/// A steering angle that is written as 0.0 degrees counts as straight.
const STRAIGHT_RAD: f64 = 0.05 / DEGREES;
const DEGREES: f64 = 180.0 / std::f64::consts::PI;
/// Smallest number on a car that is read, in heights of the type.
const MIN_NUMBER: f64 = 0.4;

/// How a run on the road is drawn.
#[must_use]
pub fn view(model: &RoadModel) -> View {
    let has_scans = model.lidar_rows != LidarRows::Off && model.cars.iter().any(|car| car.rays() > 0);
    View {
        unit: "m".into(),
        projections: vec![plan(model)],
        layers: vec![
            layer("scans", "Scans", "The newest scan of each lidar, from where it was taken"),
            layer("trails", "Trails", "The way of the last ten seconds"),
            layer("ids", "Numbers", "Numbers of cars"),
        ],
        parties: vec![cars(model)],
        scanners: if has_scans { vec![scanner(model)] } else { Vec::new() },
        limits: vec![collision()],
        marks: marks(model, has_scans),
        plots: plots(model, has_scans),
        panel: panel(model, has_scans),
        ..View::default()
    }
}

fn layer(name: &str, title: &str, about: &str) -> Layer {
    Layer { name: name.into(), title: title.into(), about: about.into(), is_shown: true }
}

/// The part of the plane that holds all walls and all places of the cars in the run.
fn plan(model: &RoadModel) -> Projection {
    let outlines = &model.outlines;
    let corners = outlines.walls_m.iter().chain(&outlines.floor_m).chain(&outlines.solid_m).flatten();
    let corner = |[x, y]: [f64; 2]| [[x, y], [x, y]];
    let fixed = corners.copied().map(corner).reduce(|[low, high], [place, _]| {
        [[low[0].min(place[0]), low[1].min(place[1])], [high[0].max(place[0]), high[1].max(place[1])]]
    });
    let mut reaches_m: Vec<f64> = model.cars.iter().map(|car| reach_m(&car.model)).collect();
    // The last one holds for all that follow.
    while reaches_m.len() > 1 && reaches_m[reaches_m.len() - 1] == reaches_m[reaches_m.len() - 2] {
        reaches_m.pop();
    }
    let area = Area { fixed, holds: vec![(CARS.into(), reaches_m)], margin: MARGIN };
    Projection { name: "plan".into(), axes: [Axis::X, Axis::Y], is_up: true, area, height: None }
}

/// Farthest that a car's body is from its base point.
fn reach_m(car: &CarModel) -> f64 {
    let body = car.body_m();
    DVec2::new(body.max.x.max(-body.min.x), body.max.y).length()
}

fn cars(model: &RoadModel) -> Party {
    let reach_m = model.cars.iter().map(|car| car.model.params().body_length_m).fold(0.0, f64::max);
    let cars = Party::new(CARS, ["car", "cars"], Place::plane("x_m", "y_m"));
    Party { angles: vec!["yaw_rad".into()], reach: Some(reach_m), ..cars }
}

fn scanner(model: &RoadModel) -> Scanner {
    let is_long = model.lidar_rows == LidarRows::Long;
    Scanner {
        stream: LIDAR.into(),
        on: CARS.into(),
        taken: "taken_s".into(),
        ranges: if is_long { "range_m" } else { "ray_#_m" }.into(),
        ray: is_long.then(|| "ray".into()),
        mounts: model.cars.iter().enumerate().filter_map(|(owner, car)| mount(owner, car)).collect(),
    }
}

fn mount(owner: usize, car: &CarSetup) -> Option<Mount> {
    let lidar = car.sensors[car.sensor(SensorKind::Lidar)?].instrument.lidar()?;
    let at = lidar.mount;
    Some(Mount {
        owner: owner as u64,
        at: at.position_m.to_array(),
        first_rad: at.yaw_rad + lidar.angle_min_rad,
        step_rad: lidar.increment_rad,
        is_full_turn: lidar.angle_max_rad - lidar.angle_min_rad > TAU - 0.5 * lidar.increment_rad,
        least: lidar.range_min_m,
    })
}

/// No car touches a wall or another car.
fn collision() -> Limit {
    Limit {
        name: "collision".into(),
        of: CARS.into(),
        rule: Rule::IsNot("status".into(), "collision".into()),
        to: None,
        paints: Vec::new(),
        events: Some(Breaks {
            stream: "events".into(),
            begin: "collision".into(),
            end: None,
            subject: "car".into(),
            object: None,
        }),
        least: None,
    }
}

fn marks(model: &RoadModel, has_scans: bool) -> Vec<Mark> {
    let mut marks = floor(model);
    let scan = |seen: Option<Tint>, hits| Mark::new(Draw::Scan { stream: LIDAR.into(), seen, hits }).on("scans");
    if has_scans {
        marks.push(scan(Some(Color::Owner.faded(SEEN)), None));
    }
    marks.extend(walls(model));
    let line = Line::new(Color::Owner.full(), Width::Px(2.0));
    let trail = Mark::new(Draw::Trail { back_s: TRAIL_S, ahead_s: 0.0, line }).of(CARS).on("trails");
    marks.push(trail.keyed(format!("its way in the last {TRAIL_S} s")));
    let groups = groups(model);
    for (params, owners) in &groups {
        let owners = if groups.len() == 1 { Vec::new() } else { owners.clone() };
        marks.extend(car(params).into_iter().map(|mark| Mark { owners: owners.clone(), ..mark }));
    }
    if let Some(mark) = marks.iter_mut().find(|mark| matches!(mark.draw, Draw::Body { .. })) {
        mark.key = Some("car, true to scale; coloured at its front".into());
    }
    if has_scans {
        marks.push(scan(None, Some(Color::Owner.full())).keyed("its newest scan, from where it was taken"));
    }
    marks
}

/// The plane, and what of it is solid.
fn floor(model: &RoadModel) -> Vec<Mark> {
    let plane = |fill, has_grid| Mark::new(Draw::Plane { fill, has_grid });
    let outlines = &model.outlines;
    let (ground, rings, inside) = if outlines.floor_m.is_empty() {
        (Color::Floor, &outlines.solid_m, Color::Solid)
    } else {
        (Color::Solid, &outlines.floor_m, Color::Floor)
    };
    let rings = polygons(rings, true, Ink::fill(inside.full()));
    vec![plane(Some(ground.full()), false), rings, plane(None, true).on("grid")]
}

fn walls(model: &RoadModel) -> [Mark; 3] {
    let outlines = &model.outlines;
    let ink = || Ink::line(Line::new(Color::Ink.full(), Width::Px(1.8)));
    [
        polygons(&outlines.floor_m, true, ink()),
        polygons(&outlines.solid_m, true, ink()),
        polygons(&outlines.walls_m, false, ink()),
    ]
}

fn polygons(lists: &[Vec<[f64; 2]>], is_closed: bool, ink: Ink) -> Mark {
    let shapes = lists.iter().map(|points| Outline { points: points.clone(), label: None }).collect();
    Mark::new(Draw::Polygons { name: None, shapes, is_closed, z: 0.0, ink, labels: None })
}

/// Cars of the same sizes, by their numbers.
fn groups(model: &RoadModel) -> Vec<(CarParams, Vec<u64>)> {
    let mut groups: Vec<(CarParams, Vec<u64>)> = Vec::new();
    for (number, car) in model.cars.iter().enumerate() {
        let params = car.model.params();
        match groups.iter_mut().find(|(known, _)| known == params) {
            Some((_, owners)) => owners.push(number as u64),
            None => groups.push((*params, vec![number as u64])),
        }
    }
    groups
}

/// A car, as large as it is: its body with four wheels, the front ones steered.
fn car(params: &CarParams) -> Vec<Mark> {
    let (length_m, half_m) = (params.body_length_m, 0.5 * params.body_width_m);
    let [rear_m, front_m] = [-params.base_to_rear_bumper_m, length_m - params.base_to_rear_bumper_m];
    let ring = |color: Color, px| {
        let ink = Ink::line(Line::new(color.full(), Width::Px(px)));
        let draw = Draw::Circle { radius: (Coord::Fixed(0.75 * length_m), 0.6), ink, alarm: None };
        Mark { when: vec![Condition::Alarm], ..Mark::new(draw).of(CARS) }
    };
    let hull = Shape::Box([rear_m, -half_m], [front_m, half_m], 0.0);
    let nose = Shape::Box([front_m - 0.12 * length_m, -half_m], [front_m, half_m], 0.0);
    let fill = |color: Color| Ink::fill(color.full());
    let outline = |color: Color| Ink::line(Line::new(color.full(), Width::Limited(0.04 * length_m, 1.5)));
    let part = |shape, ink, alarm| Part { shape, ink, alarm: Some(alarm), turn: None, when: Vec::new() };
    let mut parts = vec![
        part(hull.clone(), fill(Color::Body), fill(Color::Alarm)),
        part(nose, fill(Color::Owner), fill(Color::OnAlarm)),
    ];
    for (hub_m, steer) in wheels(params) {
        let half = [params.wheel_radius_m, 0.5 * params.wheel_width_m];
        let [low, high] = [-1.0, 1.0].map(|sign| [hub_m[0] + sign * half[0], hub_m[1] + sign * half[1]]);
        let wheel = part(Shape::Box(low, high, 0.0), fill(Color::OnBody), fill(Color::OnAlarm));
        parts.push(Part { turn: steer.map(|column| (column.to_owned(), hub_m)), ..wheel });
    }
    parts.push(part(hull, outline(Color::OnBody), outline(Color::OnAlarm)));
    let body = Mark::new(Draw::Body { parts, has_finder: true, shadow: None }).of(CARS);
    vec![ring(Color::Ground, 7.0), ring(Color::Alarm, 4.0), body, number(params, 0.46 * (rear_m + front_m) - 0.02)]
}

/// Hubs in the car's axes, with the columns of their steering angles.
fn wheels(params: &CarParams) -> [([f64; 2], Option<&'static str>); 4] {
    let rear_m = -params.base_to_rear_axle_m;
    let (front_m, side_m) = (rear_m + params.wheelbase_m, 0.5 * params.track_m);
    [
        ([rear_m, side_m], None),
        ([rear_m, -side_m], None),
        ([front_m, side_m], Some("steer_left_rad")),
        ([front_m, -side_m], Some("steer_right_rad")),
    ]
}

fn number(params: &CarParams, middle_m: f64) -> Mark {
    let size_m = 0.8 * params.body_width_m;
    let lettering = Lettering { tint: Color::OnBody.full(), size: [size_m, 0.0], is_bold: true, is_centred: true };
    let draw = Draw::Label {
        words: vec![Phrase::new("{}", [Figure::new(Quantity::Owner, 0)])],
        at: [middle_m, 0.0],
        below: [0.0, 0.0],
        lettering,
        alarm: Some(Color::OnAlarm.full()),
        ground: None,
    };
    Mark { from: Some([size_m, MIN_NUMBER]), ..Mark::new(draw).of(CARS).on("ids") }
}

fn plots(model: &RoadModel, has_scans: bool) -> Vec<Plot> {
    let plot = |title, unit, figure| Plot::new(CARS, title, unit, vec![figure]);
    let mut plots = vec![
        plot("Speed", "m/s", Figure::column("speed_m_s", 3)),
        plot("Turn rate, left +", "rad/s", Figure::column("yaw_rate_rad_s", 3)),
        plot("Steering, left +", "rad", Figure::column("steer_rad", 3)),
    ];
    if has_scans {
        plots.push(plot("Nearest in the scan", "m", Figure::new(Quantity::Nearest(LIDAR.into()), 3)));
    }
    let carries = |kind| model.cars.iter().any(|car| car.sensor(kind).is_some());
    let read = |kind, stream, title, unit, columns: &[&str]| {
        carries(kind).then(|| Plot::of_readings(CARS, stream, title, unit, columns, 2))
    };
    let gyro = ["gyro_x_rad_s", "gyro_y_rad_s", "gyro_z_rad_s"];
    let force = ["accel_x_m_s2", "accel_y_m_s2", "accel_z_m_s2"];
    plots.extend(
        [
            read(SensorKind::Gyro, IMU, "IMU: turn rates x, y, z", "rad/s", &gyro),
            read(SensorKind::Accelerometer, IMU, "IMU: forces x, y, z", "m/s\u{b2}", &force),
            read(SensorKind::Speed, ODOMETRY, "Odometry: speed", "m/s", &["speed_m_s"]),
            read(SensorKind::YawRate, ODOMETRY, "Odometry: turn rate, left +", "rad/s", &["yaw_rate_rad_s"]),
        ]
        .into_iter()
        .flatten(),
    );
    plots
}

fn panel(model: &RoadModel, has_scans: bool) -> Panel {
    let steer = || Quantity::Column("steer_rad".into());
    let turned = |words: &str, sign: f64| Phrase::new(words, [Figure::new(steer(), 1).times(sign * DEGREES)]);
    let steering = vec![
        turned("{}\u{b0} left", 1.0).when(Condition::Above(steer(), STRAIGHT_RAD)),
        turned("{}\u{b0} right", -1.0).when(Condition::Below(steer(), -STRAIGHT_RAD)),
        Phrase::new("straight", []),
    ];
    let nearest =
        if has_scans { vec![Phrase::new("{}", [Figure::new(Quantity::Nearest(LIDAR.into()), 2)])] } else { Vec::new() };
    let cells = vec![
        ("m/s".to_owned(), 0.42, vec![Phrase::new("{}", [Figure::column("speed_m_s", 2)])]),
        ("steer".to_owned(), 0.72, steering),
        ("nearest m".to_owned(), 1.0, nearest),
    ];
    let list = List {
        of: CARS.into(),
        title: "car".into(),
        at_most: MAX_LISTED,
        sign: Color::Owner.full(),
        name: Phrase::new("{}", [Figure::new(Quantity::Owner, 0)]),
        cells,
        below: Vec::new(),
    };
    let verdict = Verdict {
        limits: vec!["collision".into()],
        none: "no collision so far".into(),
        now: "COLLISION: {}".into(),
        just_now: None,
        counted: ["{} car".into(), "{} cars".into()],
        named: Some(["car {}".into(), "cars {}".into()]),
        past: None,
    };
    let listed = model.cars.len().min(MAX_LISTED + 1) as f64;
    Panel {
        height: 22.0 + 1.5 * listed,
        sections: vec![Section::List(list), Section::Verdict(verdict), Section::Key { has_bar: true }],
    }
}
