//! How the sea is drawn: from above over the depths of the bottom, and from the side; vehicles in their outlines with their trails and
//! names, and a panel with their numbers.

use crate::charts::charts;
use crate::model::{SeaModel, VehicleSetup};
use crate::sonar::{self, Device, SonarKind, SonarSetup};
use sea_sim::terrain::{HeightGrid, Terrain};
use sim_core::DVec2;
use sim_world::View;
use sim_world::view::{
    Area, Axis, Breaks, Color, Coord, Draw, Figure, Fold, Ink, Layer, Lettering, Limit, Line, List, Mark, Mount, Panel,
    Part, Party, Phrase, Place, Plot, Projection, Quantity, Raster, Rule, Scanner, Section, Shape, Verdict, Width,
};

const VEHICLES: &str = "vehicles";
const WAYPOINTS: &str = "waypoints";
const PARTICLES: &str = "particles";
const BOTTOM: &str = "bottom";
const PLAN: &str = "plan";
const SIDE: &str = "side";
/// Length of the trails.
const TRAIL_S: f64 = 120.0;
/// More vehicles than this are counted, not listed.
const MOST_LISTED: usize = 12;
/// Clearance round what is shown, as a share of its longer side, and the least of it in m.
const MARGIN: [f64; 2] = [0.04, 2.0];
/// Height of the side view as a share of its width.
const SIDE_HEIGHT: f64 = 0.36;
/// Most values of the raster of depths along an axis.
const MOST_VALUES: usize = 200;
const DEGREES: f64 = 180.0 / std::f64::consts::PI;
/// Air above the water in the side view, m.
const AIR_M: f64 = 1.0;
/// Smallest radius of the ring round a vehicle, in heights of the type.
const RING: f64 = 0.45;

/// Deep water to dry land.
pub(crate) const DEPTHS: [[u8; 3]; 6] =
    [[18, 42, 84], [32, 82, 138], [62, 128, 176], [112, 172, 200], [170, 208, 212], [226, 214, 176]];

/// How a run on the sea is drawn.
#[must_use]
pub fn view(model: &SeaModel) -> View {
    View {
        unit: "m".into(),
        is_right_handed: true,
        projections: projections(model),
        layers: layers(model),
        parties: parties(model),
        scanners: multibeams(model),
        limits: vec![collision()],
        marks: marks(model),
        plots: plots(model),
        panel: panel(model),
        charts: charts(model),
        ..View::default()
    }
}

fn layers(model: &SeaModel) -> Vec<Layer> {
    let waypoints = || layer(WAYPOINTS, "Waypoints", "The waypoint ahead of each vehicle on a route");
    let particles = |_| layer(PARTICLES, "Fields", "Particles that force fields carry along");
    let mut layers = vec![
        layer("depths", "Depths", "How deep the bottom is"),
        layer("trails", "Trails", "The way of the last two minutes"),
    ];
    layers.extend(has_routes(model).then(waypoints));
    layers.extend(model.particles.map(particles));
    layers.push(layer("ids", "Names", "Names of vehicles"));
    layers
}

/// The multibeams, whose newest ranges stand beside the plan: angles count from straight down towards starboard.
fn multibeams(model: &SeaModel) -> Vec<Scanner> {
    let of_sonars = sonar::sonars(model).filter(|(_, _, own)| model.has_sensor_tables && !own.extras.long);
    let scanner = |(vehicle, _, own): (usize, usize, &SonarSetup)| {
        let Device::Beams(beams) = &own.device else { return None };
        let params = beams.params();
        let [first_rad, second_rad] = [0, 1].map(|beam| params.beam_angle_rad(beam));
        let mount = Mount {
            owner: vehicle as u64,
            at: own.mounted().0.truncate().to_array(),
            first_rad,
            step_rad: if params.beams > 1 { second_rad - first_rad } else { 0.0 },
            is_full_turn: false,
            least: 0.0,
        };
        let has_beams = own.kind == SonarKind::Multibeam;
        has_beams.then(|| Scanner {
            stream: format!("{}-{}-{}", own.kind.table(), model.vehicles[vehicle].name, own.name),
            on: VEHICLES.into(),
            taken: "taken_s".into(),
            ranges: "beam_#_m".into(),
            ray: None,
            mounts: vec![mount],
        })
    };
    of_sonars.filter_map(scanner).collect()
}

/// Vehicles, waypoints ahead and particles. Nothing lies between two waypoints or two lives.
fn parties(model: &SeaModel) -> Vec<Party> {
    let from = ["from_x_m", "from_y_m", "from_z_m"];
    let waypoints = || marker([WAYPOINTS, "waypoint", "waypoints"], &from, "waypoint");
    let particles = |_| marker([PARTICLES, "particle", "particles"], &[], "life");
    let mut parties = vec![party(model)];
    parties.extend(has_routes(model).then(waypoints));
    parties.extend(model.particles.map(particles));
    parties
}

fn layer(name: &str, title: &str, about: &str) -> Layer {
    Layer { name: name.into(), title: title.into(), about: about.into(), is_shown: true }
}

/// The plan, and the view from the south.
fn projections(model: &SeaModel) -> Vec<Projection> {
    let reaches_m = vec![model.vehicles.iter().map(reach_m).fold(0.0, f64::max)];
    let area = |fixed| Area { fixed, holds: vec![(VEHICLES.into(), reaches_m.clone())], margin: MARGIN };
    let starts_m = || model.vehicles.iter().map(|vehicle| vehicle.start.body.position_m);
    let west_m = starts_m().map(|at_m| at_m.x).fold(f64::INFINITY, f64::min);
    let east_m = starts_m().map(|at_m| at_m.x).fold(f64::NEG_INFINITY, f64::max);
    let air_m = model.level_m + AIR_M;
    let (plan, side) = match &model.terrain {
        Some(Terrain::Grid(grid)) => {
            let [low, high] = grid.span_m();
            let heights_m = &grid.params().heights_m;
            let lowest_m = heights_m.iter().copied().fold(f64::INFINITY, f64::min);
            let top_m = model.highest_z_m.max(air_m);
            (Some([low.to_array(), high.to_array()]), [[low.x, lowest_m], [high.x, top_m]])
        }
        Some(Terrain::Flat(flat)) => (None, [[west_m, flat.z_m()], [east_m, air_m]]),
        None => (None, [[west_m, model.level_m], [east_m, air_m]]),
    };
    let projection = |name: &str, axes, area, height| Projection { name: name.into(), axes, is_up: true, area, height };
    vec![
        projection(PLAN, [Axis::X, Axis::Y], area(plan), None),
        projection(SIDE, [Axis::X, Axis::Z], area(Some(side)), Some(SIDE_HEIGHT)),
    ]
}

/// Farthest that a vehicle's hull is from its origin.
fn reach_m(vehicle: &VehicleSetup) -> f64 {
    vehicle.hull.radius_m()
}

fn party(model: &SeaModel) -> Party {
    let place = Place { z: "z_m".into(), ..Place::plane("x_m", "y_m") };
    Party {
        angles: ["yaw_rad", "pitch_rad", "roll_rad"].map(String::from).into(),
        linear: ["depth_m", "altitude_m", "u_m_s"].map(String::from).into(),
        names: model.vehicles.iter().map(|vehicle| vehicle.name.clone()).collect(),
        reach: Some(model.vehicles.iter().map(reach_m).fold(1.0, f64::max)),
        ..Party::new(VEHICLES, ["vehicle", "vehicles"], place)
    }
}

fn has_routes(model: &SeaModel) -> bool {
    model.vehicles.iter().any(|vehicle| vehicle.driver.route().is_some())
}

/// A party without body and names.
fn marker([stream, one, many]: [&str; 3], linear: &[&str], while_same: &str) -> Party {
    Party {
        linear: linear.iter().map(|&column| column.into()).collect(),
        while_same: Some(while_same.into()),
        ..Party::new(stream, [one, many], Place { z: "z_m".into(), ..Place::plane("x_m", "y_m") })
    }
}

/// A circle of the radius in which the waypoint ahead is reached, and a line to it from its vehicle.
fn waypoints() -> [Mark; 2] {
    let line = || Line::new(Color::Owner.faded(0.6), Width::Px(1.4)).dashed(5.0, 4.0);
    let circle = Draw::Circle { radius: ("radius_m".into(), 0.0), ink: Ink::line(line()), alarm: None };
    let place = |x: &str, y: &str, z: &str| Place { x: x.into(), y: y.into(), z: z.into() };
    let link =
        Draw::Line { from: place("from_x_m", "from_y_m", "from_z_m"), to: place("x_m", "y_m", "z_m"), line: line() };
    let mark = |draw| Mark::new(draw).of(WAYPOINTS).on(WAYPOINTS);
    [mark(circle).keyed("waypoint ahead: reached within the circle"), mark(link)]
}

/// A disc for each particle, never too small to be seen.
fn particles(radius_m: f64) -> Mark {
    let ink = Ink::fill(Color::Warm.faded(0.7));
    let disc = Draw::Circle { radius: (Coord::Fixed(radius_m), 0.08), ink, alarm: None };
    Mark::new(disc).of(PARTICLES).on(PARTICLES).keyed("particle that force fields carry along")
}

/// Vehicles do not touch each other.
fn collision() -> Limit {
    Limit {
        name: "collision".into(),
        of: VEHICLES.into(),
        rule: Rule::IsNot("status".into(), "collision".into()),
        to: None,
        paints: Vec::new(),
        events: Some(Breaks {
            stream: "events".into(),
            begin: "collision".into(),
            end: None,
            subject: "vehicle".into(),
            object: Some("vehicle".into()),
        }),
        least: None,
    }
}

fn marks(model: &SeaModel) -> Vec<Mark> {
    let water = Mark::new(Draw::Plane { fill: Some(Color::Floor.full()), has_grid: false });
    let grid = Mark::new(Draw::Plane { fill: None, has_grid: true }).on("grid");
    let mut marks = vec![water];
    marks.extend(bottom(model));
    marks.push(grid);
    marks.push(surface(model));
    marks.extend(beacons(model));
    let line = Line::new(Color::Owner.full(), Width::Px(2.0));
    let trail = Mark::new(Draw::Trail { back_s: TRAIL_S, ahead_s: 0.0, line }).of(VEHICLES).on("trails");
    marks.push(trail.keyed("its way in the last two minutes"));
    marks.extend(waypoints().into_iter().filter(|_| has_routes(model)));
    marks.extend(model.particles.map(|pool| particles(pool.radius_m)));
    for (size_m, owners) in groups(model) {
        marks.extend(body(size_m).map(|mark| Mark { owners: owners.clone(), ..mark }));
    }
    if let Some(mark) = marks.iter_mut().find(|mark| matches!(mark.draw, Draw::Body { .. })) {
        mark.key = Some("vehicle, true to scale; its colour at the bow".into());
    }
    marks.push(label());
    marks
}

/// The bottom: a raster of heights, or a level line from the side.
fn bottom(model: &SeaModel) -> Vec<Mark> {
    let ground = Ink::fill(Color::Rgb([120, 104, 82]).full());
    match &model.terrain {
        None => Vec::new(),
        Some(Terrain::Flat(flat)) => {
            let at = |x: f64| Place { x: x.into(), y: 0.0.into(), z: flat.z_m().into() };
            let line = Line::new(Color::Rgb([120, 104, 82]).full(), Width::Px(3.0));
            let draw = Draw::Line { from: at(-FAR_M), to: at(FAR_M), line };
            vec![Mark::new(draw).seen_in(SIDE).keyed("the bottom")]
        }
        Some(Terrain::Grid(grid)) => {
            let raster = Raster { ground: Some(ground), ..raster(grid, model.level_m) };
            let line = Line::new(Color::Faint.full(), Width::Px(1.2));
            let profile = Draw::Profile { raster: BOTTOM.into(), line };
            vec![
                Mark::new(Draw::Raster(raster)).on("depths"),
                Mark::new(profile).of(VEHICLES).on("depths").seen_in(SIDE).keyed("the bottom under a vehicle"),
            ]
        }
    }
}

/// Ends of lines that go right through the picture, m.
const FAR_M: f64 = 1e5;

/// Heights at even places.
fn raster(grid: &HeightGrid, level_m: f64) -> Raster {
    let [low, high] = grid.span_m();
    let params = grid.params();
    let (columns, rows) = (params.columns.min(MOST_VALUES), params.rows.min(MOST_VALUES));
    let step = DVec2::new((high.x - low.x) / (columns - 1) as f64, (high.y - low.y) / (rows - 1) as f64);
    let height_m = |index: usize| {
        let at_m = low + step * DVec2::new((index % columns) as f64, (index / columns) as f64);
        // Rounding may carry the last place over the border.
        let at_m = at_m.clamp(low, high);
        grid.ground(at_m.x, at_m.y).map(|ground| ground.z_m)
    };
    let values: Vec<Option<f64>> = (0..columns * rows).map(height_m).collect();
    let lowest_m = params.heights_m.iter().copied().fold(f64::INFINITY, f64::min);
    let highest_m = params.heights_m.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Whole numbers have no negative zero, which not all processors and compilers would agree on.
    let top_m = f64::from(highest_m.max(level_m.min(highest_m + AIR_M)).ceil() as i32);
    Raster {
        name: BOTTOM.into(),
        from: low.to_array(),
        step: step.to_array(),
        columns,
        values,
        // Whole metres, and still water if it is near.
        range: [lowest_m.floor(), top_m.max(lowest_m.floor() + 1.0)],
        colors: DEPTHS.map(Color::Rgb).into(),
        words: ["Height of the bottom, m".into(), "deep".into(), "shallow".into()],
        ground: None,
    }
}

/// Still water from the side.
fn surface(model: &SeaModel) -> Mark {
    let at = |x: f64| Place { x: x.into(), y: 0.0.into(), z: model.level_m.into() };
    let line = Line::new(Color::Rgb([62, 128, 176]).full(), Width::Px(1.6));
    Mark::new(Draw::Line { from: at(-FAR_M), to: at(FAR_M), line }).seen_in(SIDE).keyed("still water")
}

fn beacons(model: &SeaModel) -> Option<Mark> {
    let places: Vec<[f64; 3]> = model.beacons_m.iter().map(|place_m| place_m.to_array()).collect();
    let draw = Draw::Points { places, radius: [0.0, 0.3], ink: Ink::fill(Color::Warm.full()), line: None };
    (!model.beacons.is_empty()).then(|| Mark::new(draw).keyed("beacon"))
}

/// Vehicles of the same size, by their numbers; no numbers if all have one size.
fn groups(model: &SeaModel) -> Vec<([f64; 3], Vec<u64>)> {
    let mut groups: Vec<([f64; 3], Vec<u64>)> = Vec::new();
    for (number, vehicle) in model.vehicles.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == vehicle.size_m) {
            Some((_, owners)) => owners.push(number as u64),
            None => groups.push((vehicle.size_m, vec![number as u64])),
        }
    }
    if let [(_, owners)] = &mut groups[..] {
        owners.clear();
    }
    groups
}

/// A vehicle as large as it is: a hull with a pointed bow.
fn body([length_m, beam_m, height_m]: [f64; 3]) -> [Mark; 2] {
    let (half_m, side_m, bow_m) = (0.5 * length_m, 0.5 * beam_m, 0.3 * length_m);
    let hull = vec![[-half_m, -side_m], [bow_m, -side_m], [half_m, 0.0], [bow_m, side_m], [-half_m, side_m]];
    let nose = vec![[bow_m, -side_m], [half_m, 0.0], [bow_m, side_m]];
    let heights = [-0.5 * height_m, 0.5 * height_m];
    let fill = |color: Color| Ink::fill(color.full());
    let part = |corners, ink, alarm| Part {
        shape: Shape::Prism(corners, heights),
        ink,
        alarm: Some(alarm),
        turn: None,
        when: Vec::new(),
    };
    let outline = Line::new(Color::OnBody.full(), Width::Limited(0.04 * length_m, 1.5));
    let parts = vec![
        part(hull, fill(Color::Body).with_line(outline), fill(Color::Alarm)),
        part(nose, fill(Color::Owner), fill(Color::OnAlarm)),
    ];
    let ink = Ink::line(Line::new(Color::Owner.full(), Width::Px(1.6)));
    let alarm = Ink::line(Line::new(Color::Alarm.full(), Width::Px(3.0)));
    let ring = Draw::Circle { radius: (Coord::Fixed(0.6 * length_m), RING), ink, alarm: Some(alarm) };
    [Mark::new(ring).of(VEHICLES), Mark::new(Draw::Body { parts, has_finder: true, shadow: None }).of(VEHICLES)]
}

fn label() -> Mark {
    let draw = Draw::Label {
        words: vec![Phrase::new("{}", [Figure::new(Quantity::Name, 0)])],
        at: [0.0, 0.0],
        below: [0.0, 1.1],
        lettering: Lettering { tint: Color::Ink.full(), size: [0.0, 0.8], is_bold: false, is_centred: true },
        alarm: Some(Color::Alarm.full()),
        ground: Some(Color::Floor.faded(0.7)),
    };
    Mark::new(draw).of(VEHICLES).on("ids")
}

fn plots(model: &SeaModel) -> Vec<Plot> {
    let plot = |title, unit, figure| Plot::new(VEHICLES, title, unit, vec![figure]);
    let mut plots = vec![
        plot("Height above still water", "m", Figure::column("depth_m", 2).times(-1.0)),
        plot("Forward speed", "m/s", Figure::column("u_m_s", 2)),
        plot("Pitch, nose up +", "\u{b0}", Figure::column("pitch_rad", 1).times(-DEGREES)),
        plot("Roll, left side up +", "\u{b0}", Figure::column("roll_rad", 1).times(DEGREES)),
        plot("Turn rate, left +", "rad/s", Figure::column("r_rad_s", 3)),
    ];
    if model.terrain.is_some() {
        plots.insert(1, plot("Height above the bottom", "m", Figure::column("altitude_m", 2)));
    }
    if model.vehicles.len() > 1 {
        let nearest = Figure::new(Quantity::Apart, 1).over(Fold::Min);
        plots.push(plot("Smallest distance of two", "m", nearest));
    }
    plots.extend(plots_of_readings(model));
    plots
}

/// What the sensors read whose tables the run has.
fn plots_of_readings(model: &SeaModel) -> impl Iterator<Item = Plot> {
    let read = |stream, title, unit, columns: &[&str], digits| {
        Plot::of_readings(VEHICLES, stream, title, unit, columns, digits)
    };
    let scaled = |stream, title, unit, column, digits, factor| {
        let curves = vec![Figure::column(column, digits).times(factor)];
        Plot { curves, ..read(stream, title, unit, &[], digits) }
    };
    let all = [
        read("imu", "IMU: turn rates x, y, z", "rad/s", &["gyro_x_rad_s", "gyro_y_rad_s", "gyro_z_rad_s"], 3),
        read("imu", "IMU: forces x, y, z", "m/s\u{b2}", &["accel_x_m_s2", "accel_y_m_s2", "accel_z_m_s2"], 2),
        read("dvl", "DVL: speeds x, y, z", "m/s", &["u_m_s", "v_m_s", "w_m_s"], 2),
        scaled("pressure", "Pressure", "kPa", "pressure_pa", 2, 1e-3),
        read("altimeter", "Altimeter", "m", &["altitude_m"], 2),
        scaled("compass", "Compass", "\u{b0}", "heading_rad", 1, DEGREES),
        read("gnss", "GNSS: east, north", "m", &["x_m", "y_m"], 1),
        read("battery", "Battery: charge", "%", &["charge_percent"], 1),
    ];
    let is_there =
        move |plot: &Plot| model.outputs.streams.iter().any(|stream| Some(&*stream.name) == plot.readings.as_deref());
    all.into_iter().filter(is_there)
}

fn panel(model: &SeaModel) -> Panel {
    let list = List {
        of: VEHICLES.into(),
        title: "vehicle".into(),
        at_most: MOST_LISTED,
        sign: Color::Owner.full(),
        name: Phrase::new("{}", [Figure::new(Quantity::Name, 0)]),
        cells: vec![
            ("depth m".into(), 0.62, vec![Phrase::new("{}", [Figure::column("depth_m", 1)])]),
            ("m/s".into(), 0.8, vec![Phrase::new("{}", [Figure::column("u_m_s", 2)])]),
            ("above m".into(), 1.0, vec![Phrase::new("{}", [Figure::column("altitude_m", 1)])]),
        ],
        below: Vec::new(),
    };
    let verdict = Verdict {
        limits: vec!["collision".into()],
        none: "no collision so far".into(),
        now: "COLLISION: {}".into(),
        just_now: None,
        counted: ["{} vehicle".into(), "{} vehicles".into()],
        named: Some(["vehicle {}".into(), "vehicles {}".into()]),
        past: Some(["{} collision so far".into(), "{} collisions so far".into()]),
    };
    let mut sections = vec![Section::List(list), Section::Verdict(verdict)];
    if matches!(model.terrain, Some(Terrain::Grid(_))) {
        sections.push(Section::Scale);
    }
    sections.push(Section::Key { has_bar: true });
    let listed = model.vehicles.len().min(MOST_LISTED + 1) as f64;
    Panel { height: 26.0 + 1.5 * listed, sections }
}
