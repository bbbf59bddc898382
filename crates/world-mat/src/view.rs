//! How the mat is drawn: the potential, feet and patches, robots and cubes, what is printed and placed, and a panel with the distances.

use crate::scenario::OutlineSpec;
use crate::things::ThingKind;
use crate::view_places::{goal_party, goals, obstacles, sites, target, target_party};
use crate::view_things::{fixed, ink_of, thing_parties, things};
use crate::world::MatModel;
use sim_core::{DVec2, DVec3};
use sim_world::View;
use sim_world::view::{
    Area, Axis, Breaks, Color, Condition, Coord, Draw, Fact, Figure, Flag, Fold, Ink, Layer, Lettering, Limit, Line,
    List, Log, Mark, Outline, Panel, Part, Party, Phrase, Place, Plot, Projection, Quantity, Rule, Section, Shape,
    Verdict, Wells, Width,
};
use swarm_agents::measures::MOVING_MM_S;
use toio_mat::{CenterPoint, STANDARD_ITEMS};
use toio_physics::{Mount, PlacedMagnet, Wall, geometry};

pub(crate) const AGENTS: &str = "agents";
pub(crate) const FEET: &str = "feet";
const PATCHES: &str = "patches";
pub(crate) const CUBES: &str = "cubes";
const MESSAGES: &str = "messages";
/// Name by which cubes find the cards under them.
const CARDS: &str = "cards";
/// Whether a cube's client was notified that the button is down.
const BUTTON: &str = "button";

/// Side of a toio cube's footprint.
const CUBE_MM: f64 = 1e3 * geometry::FOOTPRINT_M;
/// Radius of its corners (toio facts, section 1.1).
const CORNER_MM: f64 = 4.0;
/// Lamp and button are on the underside, this far behind the centre (toio facts, section 1.1).
const LAMP_BACK_MM: f64 = 11.1;
/// The same place in the axes of a cube.
pub(crate) const BUTTON_PLACE_MM: [f64; 2] = [-LAMP_BACK_MM, 0.0];
/// A cube that is lifted higher reads nothing (toio facts, section 3).
const SENSOR_REACH_MM: f64 = 5.0;
/// Cubes that are lifted less than this stand; shadows of higher ones than the second do not move on.
const LIFTED_MM: f64 = 1.0;
const SHADOW_MM: f64 = 80.0;
/// Cubes that are tilted less than this are upright, 2 degrees.
const TILTED_RAD: f64 = 2.0 / DEGREES;
const DEGREES: f64 = 180.0 / std::f64::consts::PI;
/// Arrows begin this far from the centre, just outside of the body, and are as long as the way in this time.
const ARROW_FROM_MM: f64 = 17.5;
const ARROW_S: f64 = 0.25;
/// Times ahead at which a foot's ellipse is drawn.
const ELLIPSES_S: [f64; 4] = [0.0, 0.2, 0.4, 0.6];
/// Length of the trails.
const TRAIL_S: f64 = 2.0;
/// Radius of the disc that stands for a foot.
const FOOT_MM: f64 = 12.0;
/// Peak of a patch that is drawn with full strength.
const FULL_PEAK: f64 = 0.3;
/// Where the colours of the potential end, in depths of a resting foot: patches that lie over each other reach as far.
const EXTENT: f64 = 1.2;
/// More cubes, and more feet, than these are not listed one by one.
const MAX_CUBES: usize = 12;
const MAX_FEET: usize = 4;
/// Colours of the north and the south pole of a magnet, and the least half sides that can be seen, along and across.
const POLES: [[u8; 3]; 2] = [[0xd6, 0x2b, 0x2b], [0x2b, 0x62, 0xd6]];
const MAGNET_MM: [f64; 2] = [3.0, 2.0];

/// How a run on the mat is drawn.
#[must_use]
pub fn view(model: &MatModel) -> View {
    let counts = Counts::from_model(model);
    View {
        unit: "mm".into(),
        is_right_handed: false,
        projections: vec![plan(model)],
        layers: layers(),
        parties: parties(model),
        scanners: Vec::new(),
        charts: Vec::new(),
        flags: if counts.cubes > 0 { vec![button()] } else { Vec::new() },
        limits: limits(model, &counts),
        marks: marks(model, &counts),
        plots: plots(&counts),
        logs: if counts.cubes > 0 { vec![messages()] } else { Vec::new() },
        panel: panel(model, &counts),
        sound: (counts.cubes > 0).then(|| [CUBES.into(), "sound".into()]),
        remarks: if counts.robots + counts.cubes == 0 { vec!["the run has no robots".into()] } else { Vec::new() },
    }
}

/// How many there are of each.
struct Counts {
    robots: usize,
    feet: usize,
    patches: usize,
    cubes: usize,
}

impl Counts {
    fn from_model(model: &MatModel) -> Self {
        Self {
            robots: model.agent_count,
            feet: model.feet.params().count,
            patches: model.patches.params().count,
            cubes: model.bodies.cubes().map_or(0, |cubes| cubes.cubes.len()),
        }
    }

    fn has_field(&self) -> bool {
        self.feet + self.patches > 0
    }
}

fn plan(model: &MatModel) -> Projection {
    let mat = model.rim_mm.unwrap_or(model.swarm.mat);
    let area = Area { fixed: Some([mat.min.to_array(), mat.max.to_array()]), holds: Vec::new(), margin: [0.0, 0.0] };
    Projection { name: "plan".into(), axes: [Axis::X, Axis::Y], is_up: false, area, height: None }
}

/// All layers that the mat may have, so that flags of the command line hold for every run.
fn layers() -> Vec<Layer> {
    let limits = "Circles of two robots touch at their limit; no centre may be in the circle of a foot";
    let ellipses = "One standard deviation of a foot's well, now and in 0.2, 0.4 and 0.6 s";
    [
        ("heat", "Potential", "Heat map of the potential"),
        ("goals", "Goals", "Sites that robots are sent to"),
        ("patches", "Patches", "Radius sigma of each patch"),
        ("ellipses", "Ellipses", ellipses),
        ("feet", "Feet", "Feet where they are"),
        ("limits", "Limits", limits),
        ("trails", "Trails", "The way of the last two seconds"),
        ("velocities", "Vectors", "Velocity: the way of a quarter of a second"),
        ("wishes", "Wishes", "The velocity that a robot wishes for: the way of a quarter of a second"),
        ("ids", "Numbers", "Numbers of robots, names of cubes, states of feet"),
    ]
    .map(|(name, title, about)| Layer {
        name: name.into(),
        title: title.into(),
        about: about.into(),
        is_shown: !["trails", "wishes"].contains(&name),
    })
    .into()
}

fn party(stream: &str, words: [&str; 2]) -> Party {
    Party { reach: Some(0.7 * CUBE_MM), ..Party::new(stream, words, Place::plane("x_mm", "y_mm")) }
}

fn parties(model: &MatModel) -> Vec<Party> {
    let velocity = || Some(["vx_mm_s".into(), "vy_mm_s".into()]);
    let counts = Counts::from_model(model);
    let mut parties = Vec::new();
    if counts.robots > 0 {
        let robots = Party { reach: Some(0.7 * size_mm(model)), ..party(AGENTS, ["robot", "robots"]) };
        parties.push(Party { angles: vec!["heading_rad".into()], velocity: velocity(), ..robots });
    }
    if counts.feet > 0 {
        parties.push(Party { velocity: velocity(), ..party(FEET, ["foot", "feet"]) });
    }
    if counts.patches > 0 {
        parties.push(Party {
            linear: vec!["peak".into()],
            while_same: Some("sigma_mm".into()),
            reach: None,
            ..party(PATCHES, ["patch", "patches"])
        });
    }
    parties.extend(goal_party(model));
    if let Some(cubes) = model.bodies.cubes() {
        let mut party = party(CUBES, ["cube", "cubes"]);
        party.place.z = "z_mm".into();
        party.angles = ["yaw_rad", "pitch_rad", "roll_rad"].map(str::to_owned).into();
        party.names = cubes.cubes.iter().map(|cube| cube.name.clone()).collect();
        // Cubes of the swarm stay; others come and go.
        party.is_sparse = model.bodies.drive().is_none();
        // Cubes that are robots are followed as those.
        party.reach = party.reach.filter(|_| counts.robots == 0);
        parties.push(party);
    }
    parties.push(target_party());
    parties.extend(thing_parties(model));
    parties
}

/// Button information of the cube: kind 1, then 80 while it is down.
fn button() -> Flag {
    Flag {
        name: BUTTON.into(),
        of: CUBES.into(),
        events: MESSAGES.into(),
        matching: vec![["dir".into(), "notify".into()], ["characteristic".into(), "107".into()]],
        holds: ["hex".into(), "01 80".into()],
    }
}

/// What the radios carry.
fn messages() -> Log {
    Log {
        stream: MESSAGES.into(),
        title: "Messages".into(),
        of: CUBES.into(),
        kinds: vec!["dir".into(), "characteristic".into()],
        words: vec!["meaning".into(), "hex".into()],
    }
}

fn limits(model: &MatModel, counts: &Counts) -> Vec<Limit> {
    if counts.robots == 0 {
        return Vec::new();
    }
    // The distances that runs are judged by: the filter of robots that are cubes keeps a reserve beyond them.
    let measures = &model.measures;
    let limit = |name: &str, (column, bound_mm): (&str, f64), (to, object): (&str, &str), least: &str| Limit {
        name: name.into(),
        of: AGENTS.into(),
        rule: Rule::AtLeast(column.into(), bound_mm),
        to: Some(to.into()),
        paints: vec![CUBES.into()],
        events: Some(Breaks {
            stream: "events".into(),
            begin: format!("{name}_violation_begin"),
            end: Some(format!("{name}_violation_end")),
            subject: "agent".into(),
            object: Some(object.into()),
        }),
        least: Some([format!("{least}_mm"), format!("{least}_at_s")]),
    };
    let mut limits = vec![limit("d_r", ("nearest_agent_mm", measures.d_r_mm), (AGENTS, "agent"), "min_robot_robot")];
    if counts.feet > 0 {
        limits.push(limit("d_h", ("nearest_foot_mm", measures.d_h_mm), (FEET, "foot"), "min_robot_foot"));
    }
    limits
}

fn marks(model: &MatModel, counts: &Counts) -> Vec<Mark> {
    let mut marks = ground(model, counts);
    if counts.patches > 0 {
        marks.extend(patches());
    }
    if counts.feet > 0 {
        marks.push(trail(FEET));
        marks.extend(feet(model));
    }
    marks.extend(goals(model));
    marks.extend(target());
    if counts.robots > 0 {
        marks.extend(robots(model, counts));
    }
    if counts.cubes > 0 {
        marks.extend((counts.robots == 0).then(|| trail(CUBES)));
        marks.extend(cubes());
        marks.extend(magnets(model));
    }
    if counts.robots > 0 {
        marks.extend(signals(model, counts));
    }
    marks
}

pub(crate) fn line(color: Color, width: Width) -> Line {
    Line::new(color.full(), width)
}

/// The mat with the potential, and what is printed and stands on it.
fn ground(model: &MatModel, counts: &Counts) -> Vec<Mark> {
    let plane = |fill, has_grid| Mark::new(Draw::Plane { fill, has_grid });
    let mut marks = vec![plane(Some(Color::Floor.full()), false)];
    if counts.has_field() {
        marks.push(Mark::new(Draw::Wells(wells(model))).on("heat"));
    }
    marks.push(plane(None, true).on("grid"));
    // One mark each, so that what overlaps does not cut holes.
    for (_, printed) in fixed(model, ThingKind::Mat, model.ground.mats()) {
        let shape = outline(&printed.corners_mm(), Some(printed.kind().name().to_owned()));
        marks.push(polygons(None, vec![shape], ink_of(ThingKind::Mat), Some(lettering(Color::Faint, [0.0, 0.8]))));
    }
    let card = |card: &toio_mat::Card| outline(&card.corners_mm(), Some(title_of(card.value())));
    let cards: Vec<Outline> = fixed(model, ThingKind::Card, model.ground.cards()).map(|(_, it)| card(it)).collect();
    marks.extend(things(model, ThingKind::Mat));
    if !cards.is_empty() {
        let words = Lettering { is_centred: true, ..lettering(Color::Cool, [0.0, 0.8]) };
        marks.push(polygons(Some(CARDS), cards, ink_of(ThingKind::Card), Some(words)));
    }
    marks.extend(things(model, ThingKind::Card));
    marks.extend(sites(model));
    for (_, wall) in fixed(model, ThingKind::Wall, &model.walls) {
        marks.push(polygons(None, vec![outline(&corners_of(wall), None)], ink_of(ThingKind::Wall), None));
    }
    marks.extend(things(model, ThingKind::Wall));
    marks.extend(obstacles(model));
    let chargers = model.bodies.cubes().map_or(&[][..], |cubes| &cubes.chargers);
    for (number, charger) in chargers.iter().enumerate() {
        let ink = Ink::fill(Color::Faint.faded(0.35)).with_line(line(Color::Faint, Width::Px(1.5)));
        let label = Some(format!("charger {number}"));
        let words = lettering(Color::Faint, [0.0, 0.8]);
        marks.push(polygons(None, vec![outline(&corners_of(&charger.block()), label)], ink, Some(words)));
    }
    marks
}

pub(crate) fn polygons(name: Option<&str>, shapes: Vec<Outline>, ink: Ink, labels: Option<Lettering>) -> Mark {
    Mark::new(Draw::Polygons { name: name.map(str::to_owned), shapes, is_closed: true, z: 0.0, ink, labels })
}

pub(crate) fn outline(corners: &[DVec2], label: Option<String>) -> Outline {
    Outline { points: corners.iter().map(DVec2::to_array).collect(), label }
}

pub(crate) fn lettering(color: Color, size: [f64; 2]) -> Lettering {
    Lettering { tint: color.full(), size, is_bold: false, is_centred: false }
}

pub(crate) fn title_of(value: u32) -> String {
    let item = STANDARD_ITEMS.iter().find(|item| item.value == value);
    item.map_or_else(|| value.to_string(), |item| item.title.to_owned())
}

/// Corners of a wall in mm.
fn corners_of(wall: &Wall) -> [DVec2; 4] {
    let [from, to] = [wall.from_m * 1000.0, wall.to_m * 1000.0];
    let side = (to - from).normalize_or_zero().perp() * (500.0 * wall.thickness_m);
    [from + side, to + side, to - side, from - side]
}

fn wells(model: &MatModel) -> Wells {
    let params = model.field.params();
    Wells {
        wells: FEET.into(),
        hills: PATCHES.into(),
        hill: ["sigma_mm".into(), "peak".into()],
        scale: params.lambda_rho,
        sigma: params.sigma_mm,
        stretch_s: params.stretch_s,
        beta_per_s: params.beta_per_s,
        window_s: params.window_s,
        frames: (params.window_s * f64::from(model.step_hz)).round() as u32,
        extent: EXTENT * model.field.resting_depth(),
        words: ["potential U", "robots climb it", "foot", "patch"].map(str::to_owned),
    }
}

/// A cross at its centre and a circle at its standard deviation, as strong as the patch is high.
fn patches() -> [Mark; 2] {
    let tint = |least, full| sim_world::view::Tint {
        color: Color::Cool,
        alpha: full,
        by: Some(("peak".into(), least, FULL_PEAK)),
    };
    let arm = |points: [[f64; 2]; 2]| Part {
        shape: Shape::Line(points.into()),
        ink: Ink::line(Line::new(tint(0.25, 0.9), Width::Fine(1.6))),
        alarm: None,
        turn: None,
        when: Vec::new(),
    };
    let parts = vec![arm([[-4.0, 0.0], [4.0, 0.0]]), arm([[0.0, -4.0], [0.0, 4.0]])];
    let cross = Draw::Body { parts, has_finder: false, shadow: None };
    let ink = Ink::line(Line::new(tint(0.1, 0.5), Width::Fine(1.2)).dashed(1.0, 4.0));
    let circle = Draw::Circle { radius: (Coord::Column("sigma_mm".into()), 0.0), ink, alarm: None };
    [cross, circle].map(|draw| Mark::new(draw).of(PATCHES).on("patches")).map(|mark| match mark.draw {
        Draw::Circle { .. } => mark.keyed("patch: one \u{3c3} round its centre"),
        _ => mark,
    })
}

/// The distance to keep, where the foot will be, the foot itself with its number and state.
fn feet(model: &MatModel) -> [Mark; 6] {
    let (d_h_mm, params) = (model.measures.d_h_mm, model.field.params());
    let circle =
        |radius_mm, ink, alarm| Draw::Circle { radius: (Coord::Fixed(radius_mm), 0.0), ink, alarm: Some(alarm) };
    let limit = circle(
        d_h_mm,
        Ink::line(line(Color::Warm, Width::Fine(1.6)).dashed(7.0, 5.0)),
        Ink::line(line(Color::Alarm, Width::Fine(4.0))),
    );
    let rim = || line(Color::OnWarm, Width::Fine(1.5));
    let disc = circle(
        FOOT_MM,
        Ink::fill(Color::Warm.full()).with_line(rim()),
        Ink::fill(Color::Alarm.full()).with_line(rim()),
    );
    let way = Draw::Trail {
        back_s: 0.0,
        ahead_s: params.window_s,
        line: Line::new(Color::Warm.faded(0.8), Width::Fine(1.6)),
    };
    let times: Vec<f64> = ELLIPSES_S.into_iter().filter(|time_s| *time_s <= params.window_s + 1e-9).collect();
    let words = times.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let ellipses = Draw::Ellipse {
        sigma: params.sigma_mm,
        stretch_s: params.stretch_s,
        ahead_s: times,
        line: line(Color::Warm, Width::Fine(2.2)),
    };
    let state = Draw::Label {
        words: vec![Phrase::new("{}", [Figure::column("state", 0)])],
        at: [0.0, 0.0],
        below: [FOOT_MM, 0.9],
        lettering: lettering(Color::Warm, [0.0, 0.85]),
        alarm: None,
        ground: Some(Color::OnWarm.faded(0.8)),
    };
    let of_feet = |draw, layer| Mark::new(draw).of(FEET).on(layer);
    [
        of_feet(limit, "limits").keyed(format!("{d_h_mm} mm round a foot, free of robots")),
        of_feet(way, "ellipses"),
        of_feet(ellipses, "ellipses").keyed(format!("foot in {words} s: one \u{3c3}")),
        of_feet(disc, "feet"),
        Mark { from: None, ..number(FEET, (1.15 * FOOT_MM, 0.0), [Color::OnWarm, Color::OnAlarm]) },
        Mark { from: Some([FOOT_MM, 0.7]), ..of_feet(state, "feet") },
    ]
}

/// The number of an owner so large, so far ahead of its centre; nothing where it could not be read.
fn number(stream: &str, (size_mm, ahead_mm): (f64, f64), [color, alarm]: [Color; 2]) -> Mark {
    let draw = Draw::Label {
        words: vec![Phrase::new("{}", [Figure::new(Quantity::Owner, 0)])],
        at: [ahead_mm, 0.0],
        below: [0.0, 0.0],
        lettering: Lettering { is_bold: stream == FEET, ..lettering(color, [size_mm, 0.0]) },
        alarm: Some(alarm.full()),
        ground: None,
    };
    Mark { from: Some([size_mm, 0.4]), ..Mark::new(draw).of(stream).on("ids") }
}

/// A bar along the front of a robot, at so many times the size of a cube.
fn front(scale: f64) -> Part {
    let bar = |color| Ink::line(line(color, Width::Length(2.4 * scale)));
    Part {
        shape: Shape::Line([[11.8, -7.0], [11.8, 7.0]].map(|point| point.map(|mm| mm * scale)).into()),
        ink: bar(Color::OnBody),
        alarm: Some(bar(Color::OnAlarm)),
        turn: None,
        when: Vec::new(),
    }
}

/// The footprint of a cube.
fn footprint(corner_mm: f64, ink: Ink, alarm: Option<Ink>) -> Part {
    let half = 0.5 * CUBE_MM;
    Part { shape: Shape::Box([-half; 2], [half; 2], corner_mm), ink, alarm, turn: None, when: Vec::new() }
}

/// Side or diameter of a robot.
fn size_mm(model: &MatModel) -> f64 {
    model.shape.map_or(CUBE_MM, |shape| shape.size_mm)
}

/// The outline of a robot that is no cube.
fn robot_outline(model: &MatModel) -> Part {
    let half = 0.5 * size_mm(model);
    let square = footprint(CORNER_MM * half / (0.5 * CUBE_MM), filled(Color::Body), Some(filled(Color::Alarm)));
    let shape = match model.shape.map(|shape| shape.outline) {
        Some(OutlineSpec::Disc) => Shape::Disc([0.0, 0.0], half),
        Some(OutlineSpec::Square) | None => Shape::Box([-half; 2], [half; 2], CORNER_MM * half / (0.5 * CUBE_MM)),
    };
    Part { shape, ..square }
}

fn filled(color: Color) -> Ink {
    Ink::fill(color.full()).with_line(line(Color::OnBody, Width::Fine(1.0)))
}

/// The circles that must not overlap and, where robots are no cubes, their bodies.
fn robots(model: &MatModel, counts: &Counts) -> Vec<Mark> {
    let d_r_mm = model.measures.d_r_mm;
    let ink = Ink::line(Line::new(Color::Ink.faded(0.4), Width::Fine(1.2)));
    let limit = Draw::Circle { radius: (Coord::Fixed(0.5 * d_r_mm), 0.0), ink, alarm: None };
    let words = format!("{} mm: two that touch are {d_r_mm} mm apart", 0.5 * d_r_mm);
    let mut marks = vec![trail(AGENTS), Mark::new(limit).of(AGENTS).on("limits").keyed(words)];
    if counts.cubes == 0 {
        let parts = vec![robot_outline(model), front(size_mm(model) / CUBE_MM)];
        let body = Mark::new(Draw::Body { parts, has_finder: false, shadow: None }).of(AGENTS);
        marks.push(body.keyed(format!("robot {} mm, bar at its front", size_mm(model))));
    }
    marks
}

fn trail(stream: &str) -> Mark {
    let line = Line::new(Color::Ink.faded(0.6), Width::Fine(1.6));
    Mark::new(Draw::Trail { back_s: TRAIL_S, ahead_s: 0.0, line }).of(stream).on("trails")
}

/// Cubes: bodies that may be lifted and tilted, with a lamp and a button.
fn cubes() -> [Mark; 3] {
    let lamp = || Color::Lamp(["led_r", "led_g", "led_b"].map(str::to_owned));
    let is_lit = ["led_r", "led_g", "led_b"].map(|column| Condition::Above(Quantity::Column(column.into()), 0.0));
    let glow = |alpha, width_mm| {
        let ink = Ink::line(Line::new(lamp().faded(alpha), Width::Length(width_mm)));
        Part { when: is_lit.to_vec(), ..footprint(0.0, ink, None) }
    };
    let disc = |radius_mm, ink, when| Part {
        shape: Shape::Disc(BUTTON_PLACE_MM, radius_mm),
        ink,
        alarm: None,
        turn: None,
        when,
    };
    let pressed = Ink::line(line(Color::Alarm, Width::Length(1.4)));
    let parts = vec![
        glow(0.35, 9.0),
        glow(1.0, 4.0),
        footprint(0.0, filled(Color::Body), Some(filled(Color::Alarm))),
        front(1.0),
        disc(2.2, filled(lamp()), Vec::new()),
        disc(4.4, pressed, vec![Condition::Flag(BUTTON.into())]),
    ];
    let body = Draw::Body { parts, has_finder: true, shadow: Some([LIFTED_MM, SHADOW_MM]) };
    let number = number(CUBES, (12.0, 0.0), [Color::OnBody, Color::OnAlarm]);
    let name = Draw::Label {
        words: vec![Phrase::new("{}", [Figure::new(Quantity::Name, 0)])],
        at: [0.0, 0.0],
        below: [0.5 * CUBE_MM, 0.8],
        lettering: Lettering { is_centred: true, ..lettering(Color::Ink, [0.0, 0.8]) },
        alarm: Some(Color::Alarm.full()),
        ground: Some(Color::Floor.faded(0.7)),
    };
    [
        Mark::new(body).of(CUBES),
        Mark { from: None, ..number },
        Mark::new(name).of(CUBES).on("ids").keyed("cube with its name"),
    ]
}

/// Magnets with their poles: on the mat, and on cubes.
fn magnets(model: &MatModel) -> Vec<Mark> {
    let mut marks = Vec::new();
    for placed in model.bodies.cubes().into_iter().flat_map(|cubes| &cubes.magnets) {
        match placed.mount {
            Mount::World { at_m, north } => marks.extend(poles(placed, at_m, north).map(|(points, ink)| {
                // The plane's y runs against the world's.
                let points: Vec<DVec2> = points.iter().map(|at| DVec2::new(at[0], -at[1])).collect();
                polygons(None, vec![outline(&points, None)], ink, None)
            })),
            Mount::Cube { cube, at_m, north } => {
                // A cube's own y axis points to its left, a body's to its right.
                let parts = poles(placed, at_m, north).map(|(points, ink)| Part {
                    shape: Shape::Polygon(points.iter().map(|[x, y]| [*x, -y]).collect()),
                    ink,
                    alarm: None,
                    turn: None,
                    when: Vec::new(),
                });
                let draw = Draw::Body { parts: parts.into(), has_finder: false, shadow: None };
                marks.push(Mark { owners: vec![cube as u64], ..Mark::new(draw).of(CUBES) });
            }
        }
    }
    if let Some(mark) = marks.iter_mut().find(|mark| is_north(&mark.draw)) {
        mark.key = Some("north pole of a magnet; its south is blue".into());
    }
    marks
}

/// True if it is drawn in the colour of the north pole.
fn is_north(draw: &Draw) -> bool {
    let is_red = |ink: &Ink| ink.fill.as_ref().is_some_and(|tint| tint.color == Color::Rgb(POLES[0]));
    match draw {
        Draw::Polygons { ink, .. } => is_red(ink),
        Draw::Body { parts, .. } => parts.iter().any(|part| is_red(&part.ink)),
        _ => false,
    }
}

/// Outlines of the two poles in mm, seen from above: side by side, or one on the other where the magnet stands upright.
fn poles(placed: &PlacedMagnet, at_m: DVec3, north: DVec3) -> [(Vec<[f64; 2]>, Ink); 2] {
    let direction = north.normalize_or_zero();
    let along = direction.truncate() * (1000.0 * placed.magnet.half_length_m).max(MAGNET_MM[0]);
    let side = direction.truncate().normalize_or(DVec2::X).perp();
    let side = side * (1000.0 * std::f64::consts::SQRT_2 * placed.magnet.pitch_m).max(MAGNET_MM[1]);
    let (center, is_upright) = (at_m.truncate() * 1000.0, along.length() < MAGNET_MM[1]);
    let pole = |sign: f64, color: [u8; 3]| {
        let far = if is_upright { side.perp() } else { along * sign };
        let near = if is_upright { -side.perp() } else { DVec2::ZERO };
        let corners = [center + near - side, center + near + side, center + far + side, center + far - side];
        let ink = Ink::fill(Color::Rgb(color).full()).with_line(line(Color::OnBody, Width::Fine(0.8)));
        (corners.map(|corner| corner.to_array()).to_vec(), ink)
    };
    let [red, blue] = POLES;
    // What is on top is drawn last.
    if direction.z > 0.0 { [pole(-1.0, blue), pole(1.0, red)] } else { [pole(1.0, red), pole(-1.0, blue)] }
}

/// Broken limits, and what is written and drawn above everything else.
fn signals(model: &MatModel, counts: &Counts) -> Vec<Mark> {
    let limits = if counts.feet > 0 { vec!["d_r".into(), "d_h".into()] } else { vec!["d_r".into()] };
    let ring = Some(0.5 * model.measures.d_r_mm);
    let arrow = |[x, y]: [&str; 2], color: Color| {
        let along = [x.to_owned(), y.to_owned()];
        Mark::new(Draw::Vector { along, up: None, factor: ARROW_S, gap: ARROW_FROM_MM, tint: color.full() }).of(AGENTS)
    };
    let mut marks = vec![
        Mark::new(Draw::Link { limits, gap: 0.55 * CUBE_MM, ring }),
        arrow(["wish_x_mm_s", "wish_y_mm_s"], Color::Cool).on("wishes").keyed("the velocity that it wishes for"),
        arrow(["vx_mm_s", "vy_mm_s"], Color::Arrow).on("velocities").keyed(format!("velocity: its way in {ARROW_S} s")),
    ];
    if counts.cubes == 0 {
        // A little back from the front bar.
        marks.push(number(AGENTS, (12.5, -2.5), [Color::OnBody, Color::OnAlarm]));
    }
    marks
}

fn speed() -> Quantity {
    Quantity::Length(["vx_mm_s".into(), "vy_mm_s".into()])
}

fn plots(counts: &Counts) -> Vec<Plot> {
    let over = |quantity, fold, digits| Figure::new(quantity, digits).over(fold);
    let percent = |quantity, bound| vec![over(quantity, Fold::ShareAbove(bound), 0).times(100.0)];
    let share = |of: &str, title: &str, curves| Plot { range: Some([0.0, 100.0]), ..Plot::new(of, title, "%", curves) };
    let (of, speed) = match (counts.robots, counts.cubes) {
        (0, 0) => return Vec::new(),
        (0, _) => (CUBES, Quantity::Middle(["left_mm_s".into(), "right_mm_s".into()])),
        _ => (AGENTS, speed()),
    };
    let mut plots = Vec::new();
    if of == CUBES {
        plots.push(Plot::new(CUBES, "Cube to cube", "mm", vec![over(Quantity::Apart, Fold::Min, 2)]));
    }
    let nearest = |column: &str| vec![Figure::column(column, 2).over(Fold::Min)];
    if of == AGENTS {
        let robots = Plot::new(AGENTS, "Robot to robot", "mm", nearest("nearest_agent_mm"));
        plots.push(Plot { limit: Some("d_r".into()), ..robots });
        if counts.feet > 0 {
            let feet = Plot::new(AGENTS, "Robot to foot", "mm", nearest("nearest_foot_mm"));
            plots.push(Plot { limit: Some("d_h".into()), ..feet });
        }
    }
    let speeds = [Fold::Mean, Fold::Max].map(|fold| over(speed.clone(), fold, 2));
    plots.push(Plot::new(of, "Speed: mean, top", "mm/s", speeds.into()));
    plots.push(share(of, "Moving, over 10 mm/s", percent(speed, MOVING_MM_S)));
    if of == AGENTS && counts.patches > 0 {
        let near = Quantity::Within(PATCHES.into(), "sigma_mm".into());
        plots.push(share(AGENTS, "Near a patch", percent(near, 0.5)));
    }
    if of == AGENTS {
        let [velocity, wish] = [["vx_mm_s", "vy_mm_s"], ["wish_x_mm_s", "wish_y_mm_s"]].map(|v| v.map(str::to_owned));
        let short = over(Quantity::Difference(velocity, wish), Fold::Mean, 2);
        plots.push(Plot::new(AGENTS, "Short of the wish", "mm/s", vec![short]));
    }
    plots
}

fn panel(model: &MatModel, counts: &Counts) -> Panel {
    let has_list = counts.cubes > 0 && counts.robots == 0;
    let listed = if has_list { 2.5 + 2.6 * counts.cubes.min(MAX_CUBES) as f64 } else { 0.0 };
    let robots = if counts.robots > 0 { 15.0 } else { 0.0 };
    let field = if counts.has_field() { 13.0 + 1.5 * counts.feet.min(MAX_FEET) as f64 } else { 0.0 };
    let mut sections = Vec::new();
    if counts.robots > 0 {
        sections.extend([distances(counts), Section::Verdict(verdict(counts))]);
    }
    sections.push(Section::Facts(facts(counts)));
    if counts.has_field() {
        sections.push(Section::Scale);
    }
    if has_list {
        sections.push(Section::List(cube_list(model)));
    }
    sections.push(Section::Key { has_bar: false });
    let magnets = if model.bodies.cubes().is_some_and(|cubes| !cubes.magnets.is_empty()) { 1.5 } else { 0.0 };
    Panel { height: 6.5 + robots + field + listed + magnets, sections }
}

fn distances(counts: &Counts) -> Section {
    let mut rows = vec![["two robots".into(), "d_r".into()]];
    if counts.feet > 0 {
        rows.push(["robot and foot".into(), "d_h".into()]);
    }
    Section::Distances { title: "nearest, mm".into(), rows }
}

fn verdict(counts: &Counts) -> Verdict {
    Verdict {
        limits: if counts.feet > 0 { vec!["d_r".into(), "d_h".into()] } else { vec!["d_r".into()] },
        none: "no violation so far".into(),
        now: "TOO NEAR: {}".into(),
        just_now: Some("TOO NEAR JUST NOW".into()),
        counted: ["{} pair".into(), "{} pairs".into()],
        named: None,
        past: Some(["{} violation so far".into(), "{} violations so far".into()]),
    }
}

/// How fast robots and feet are.
fn facts(counts: &Counts) -> Vec<Fact> {
    let count = || Figure::new(Quantity::Owner, 0).over(Fold::Count);
    let mean = || Figure::new(speed(), 0).over(Fold::Mean);
    let mut facts = Vec::new();
    if counts.robots > 0 {
        let moving = Figure::new(speed(), 0).over(Fold::ShareAbove(MOVING_MM_S)).times(100.0);
        facts.push(Fact {
            of: AGENTS.into(),
            is_each: false,
            title: Phrase::new(if counts.robots == 1 { "{} robot" } else { "{} robots" }, [count()]),
            value: Phrase::new("{} mm/s, {} % moving", [mean(), moving]),
        });
    }
    if counts.feet > MAX_FEET {
        let (title, value) = (Phrase::new("{} feet", [count()]), Phrase::new("{} mm/s", [mean()]));
        facts.push(Fact { of: FEET.into(), is_each: false, title, value });
    } else if counts.feet > 0 {
        facts.push(Fact {
            of: FEET.into(),
            is_each: true,
            title: Phrase::new("foot {}", [Figure::new(Quantity::Owner, 0)]),
            value: Phrase::new("{}, {} mm/s", [Figure::column("state", 0), Figure::new(speed(), 0)]),
        });
    }
    facts
}

fn cube_list(model: &MatModel) -> List {
    let sensor = CenterPoint::BODY_CENTER;
    let polygons = if model.ground.cards().is_empty() { String::new() } else { CARDS.to_owned() };
    let at = [-sensor.forward_mm(), -sensor.right_mm()];
    let over = Figure::new(Quantity::Over { polygons, at, up_to: SENSOR_REACH_MM }, 0);
    // Outlines do not move.
    let card = if model.card_titles.is_empty() { over } else { Figure::column("card", 0) };
    let dots = ["mat_x", "mat_y", "mat_deg"].map(|column| Figure::column(column, 0));
    let low = Condition::Below(Quantity::Column("z_mm".into()), SENSOR_REACH_MM + 1e-9);
    let reads = vec![
        Phrase::new("card {}", [card]),
        Phrase::new("({}, {}) {}\u{b0}", dots).when(low),
        Phrase::new("reads nothing", []),
    ];
    let (tilt, z) = (Quantity::Tilt(["pitch_rad".into(), "roll_rad".into()]), Quantity::Column("z_mm".into()));
    let below = vec![
        Phrase::new("wheels {} {} mm/s", [Figure::column("left_mm_s", 0), Figure::column("right_mm_s", 0)]),
        Phrase::new("tilted {}\u{b0}", [Figure::new(tilt.clone(), 0).times(DEGREES)])
            .when(Condition::Above(tilt, TILTED_RAD)),
        Phrase::new("lifted {} mm", [Figure::new(z.clone(), 0)]).when(Condition::Above(z, LIFTED_MM)),
        Phrase::new("button down", []).when(Condition::Flag(BUTTON.into())),
        Phrase::new("note {}", [Figure::column("sound", 0)]),
    ];
    List {
        of: CUBES.into(),
        title: "cubes".into(),
        at_most: MAX_CUBES,
        sign: Color::Lamp(["led_r", "led_g", "led_b"].map(str::to_owned)).full(),
        name: Phrase::new("{} {}", [Figure::new(Quantity::Owner, 0), Figure::new(Quantity::Name, 0)]),
        cells: vec![("place on mat, or card".into(), 1.0, reads)],
        below,
    }
}
