//! How mats, cards and walls are drawn that can be moved: each with its own outline, where it lies.

use crate::things::ThingKind;
use crate::view::{lettering, line, title_of};
use crate::world::MatModel;
use sim_core::DVec2;
use sim_world::view::{Color, Draw, Ink, Lettering, Mark, Part, Party, Phrase, Place, Shape, Tint, Width};
use toio_mat::{Card, Mat};
use toio_physics::Wall;

/// What a scenario lists of a kind and is fixed, with its numbers.
pub(crate) fn fixed<'a, T>(model: &'a MatModel, kind: ThingKind, all: &'a [T]) -> impl Iterator<Item = (usize, &'a T)> {
    all.iter().enumerate().filter(move |(number, _)| model.things.spot(kind, *number).is_none())
}

/// The parties of what can be moved.
pub(crate) fn thing_parties(model: &MatModel) -> impl Iterator<Item = Party> + '_ {
    let party = |kind: ThingKind| {
        let words = [kind.word(), kind.stream()];
        let party = Party::new(kind.stream(), words, Place::plane("x_mm", "y_mm")).sparse();
        Party { angles: vec!["yaw_rad".into()], ..party }
    };
    ThingKind::ALL.into_iter().filter(|kind| model.things.count(*kind) > 0).map(party)
}

/// What a thing is called: `card 1, Rush`.
pub(crate) fn name_of(model: &MatModel, kind: ThingKind, number: usize) -> String {
    let title = match kind {
        ThingKind::Mat => format!(", {}", model.ground.mats()[number].kind()),
        ThingKind::Card => format!(", {}", title_of(model.ground.cards()[number].value())),
        ThingKind::Wall => String::new(),
    };
    format!("{} {number}{title}", kind.word())
}

/// How things of a kind are drawn, whether they can be moved or not.
pub(crate) fn ink_of(kind: ThingKind) -> Ink {
    match kind {
        ThingKind::Mat => Ink::fill(Color::Ink.faded(0.05)).with_line(line(Color::Faint, Width::Px(1.2))),
        ThingKind::Card => Ink::fill(Color::Cool.faded(0.22)).with_line(line(Color::Cool, Width::Px(1.5))),
        ThingKind::Wall => Ink::fill(Color::Faint.full()),
    }
}

/// What can be moved of a kind: each one's outline in its own axes, with its name.
pub(crate) fn things(model: &MatModel, kind: ThingKind) -> impl Iterator<Item = Mark> + '_ {
    model.things.movable(kind).flat_map(move |(number, _)| {
        let draws = match kind {
            ThingKind::Mat => mat(&model.ground.mats()[number]),
            ThingKind::Card => card(&model.ground.cards()[number]),
            ThingKind::Wall => wall(&model.walls[number], number),
        };
        draws.map(|draw| Mark { owners: vec![number as u64], ..Mark::new(draw).of(kind.stream()) })
    })
}

/// Its name stands under its upper edge.
fn mat(mat: &Mat) -> [Draw; 2] {
    let size_mm = mat.size_mm();
    [outline(size_mm, ink_of(ThingKind::Mat)), words(mat.kind().name(), Color::Faint, (-0.5 * size_mm.y, 0.9), None)]
}

fn card(card: &Card) -> [Draw; 2] {
    [outline(card.size_mm(), ink_of(ThingKind::Card)), words(&title_of(card.value()), Color::Cool, (0.0, 0.0), None)]
}

fn wall(wall: &Wall, number: usize) -> [Draw; 2] {
    let size_mm = 1000.0 * DVec2::new(wall.from_m.distance(wall.to_m), wall.thickness_m);
    let ground = Some(Color::Floor.faded(0.7));
    let name = words(&format!("wall {number}"), Color::Ink, (0.0, 0.0), ground);
    [outline(size_mm, ink_of(ThingKind::Wall)), name]
}

/// A rectangle round the middle.
fn outline(size_mm: DVec2, ink: Ink) -> Draw {
    let corner = |[x, y]: [f64; 2]| (0.5 * size_mm * DVec2::new(x, y)).to_array();
    let shape = Shape::Polygon([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).into());
    let part = Part { shape, ink, alarm: None, turn: None, when: Vec::new() };
    Draw::Body { parts: vec![part], has_finder: false, shadow: None }
}

/// Words on the thing's own y axis at so many mm, and so many heights of the type below that.
fn words(text: &str, color: Color, (at_mm, below): (f64, f64), ground: Option<Tint>) -> Draw {
    Draw::Label {
        words: vec![Phrase::new(text, [])],
        at: [0.0, at_mm],
        below: [0.0, below],
        lettering: Lettering { is_centred: true, ..lettering(color, [0.0, 0.8]) },
        alarm: None,
        ground,
    }
}
