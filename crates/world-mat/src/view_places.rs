//! How places are drawn: sites for all robots, which stay, goals of single robots, which change, the target pole; and obstacles.

use crate::things::ThingKind;
use crate::view::{line, outline, polygons};
use crate::view_things::ink_of;
use crate::world::MatModel;
use sim_core::DVec2;
use sim_world::view::{Color, Draw, Figure, Ink, Lettering, Mark, Part, Party, Phrase, Place, Quantity, Shape, Width};
use swarm_field::Ring;

const GOALS: &str = "goals";
/// Half diagonal of the diamond that stands for a goal.
const GOAL_MM: f64 = 7.0;
/// Height of the number of the robot beside its goal.
const NUMBER_MM: f64 = 10.0;
/// The target pole, which stands where a row of the input stream of the same name put it.
const TARGET: &str = "target";
/// Radii of the rings round the pole, and of the pole itself.
const RINGS_MM: [f64; 2] = [11.0, 6.5];
const POLE_MM: f64 = 2.2;

/// Obstacles, filled like walls.
pub(crate) fn obstacles(model: &MatModel) -> impl Iterator<Item = Mark> + '_ {
    let mark = |ring: &Ring| polygons(None, vec![outline(ring.corners_mm(), None)], ink_of(ThingKind::Wall), None);
    model.obstacles.iter().map(mark)
}

/// Corners of a diamond round a place.
fn diamond(center: DVec2) -> [DVec2; 4] {
    [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|arm| center + arm * GOAL_MM)
}

fn ink() -> Ink {
    Ink::fill(Color::Cool.faded(0.3)).with_line(line(Color::Cool, Width::Fine(1.6)))
}

/// Sites that robots are sent to, as diamonds.
pub(crate) fn sites(model: &MatModel) -> Option<Mark> {
    let sites_mm = model.goals.as_ref()?.sites_mm();
    let shapes = sites_mm.iter().map(|site| outline(&diamond(*site), None)).collect();
    let mark = polygons(None, shapes, ink(), None).on(GOALS).keyed("a site that robots are sent to");
    (!sites_mm.is_empty()).then_some(mark)
}

/// The goals of single robots, by robot.
pub(crate) fn goal_party(model: &MatModel) -> Option<Party> {
    let party = Party::new(GOALS, ["goal", "goals"], Place::plane("x_mm", "y_mm")).sparse();
    // A goal jumps from one place to the next.
    model.has_goal_script().then(|| Party { while_same: Some("goal".into()), reach: None, ..party })
}

/// A diamond with the number of its robot.
pub(crate) fn goals(model: &MatModel) -> Vec<Mark> {
    if !model.has_goal_script() {
        return Vec::new();
    }
    let shape = Shape::Polygon(diamond(DVec2::ZERO).map(|corner| corner.to_array()).into());
    let part = Part { shape, ink: ink(), alarm: None, turn: None, when: Vec::new() };
    let body = Draw::Body { parts: vec![part], has_finder: false, shadow: None };
    let number = Draw::Label {
        words: vec![Phrase::new("{}", [Figure::new(Quantity::Owner, 0)])],
        at: [0.0, 0.0],
        below: [GOAL_MM, 0.9],
        lettering: Lettering { tint: Color::Cool.full(), size: [NUMBER_MM, 0.0], is_bold: false, is_centred: false },
        alarm: None,
        ground: None,
    };
    let of_goals = |draw| Mark::new(draw).of(GOALS).on(GOALS);
    vec![of_goals(body).keyed("goal of the robot of this number"), of_goals(number)]
}

/// The target pole as something that may stand or not.
pub(crate) fn target_party() -> Party {
    Party::new(TARGET, ["target", "targets"], Place::plane("x_mm", "y_mm")).sparse()
}

/// Rings round the pole with its name.
pub(crate) fn target() -> [Mark; 2] {
    let part = |shape, ink| Part { shape, ink, alarm: None, turn: None, when: Vec::new() };
    let ring = |radius_mm| {
        let ink = Ink::fill(Color::Floor.faded(0.6)).with_line(line(Color::Ink, Width::Fine(1.8)));
        part(Shape::Disc([0.0, 0.0], radius_mm), ink)
    };
    let pole = part(Shape::Disc([0.0, 0.0], POLE_MM), Ink::fill(Color::Ink.full()));
    let [outer, inner] = RINGS_MM.map(ring);
    let body = Draw::Body { parts: vec![outer, inner, pole], has_finder: true, shadow: None };
    let name = Draw::Label {
        words: vec![Phrase::new(TARGET, [])],
        at: [0.0, 0.0],
        below: [RINGS_MM[0], 0.9],
        lettering: Lettering { tint: Color::Ink.full(), size: [0.0, 0.85], is_bold: false, is_centred: true },
        alarm: None,
        ground: Some(Color::Floor.faded(0.7)),
    };
    [Mark::new(body).of(TARGET), Mark::new(name).of(TARGET).on("ids")]
}
