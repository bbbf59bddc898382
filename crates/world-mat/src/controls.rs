//! What people on a live stage can do on the mat: feet that follow, robots that are led or put elsewhere, filters, hands for cubes, the
//! pole, mats, cards and walls that are moved.

use crate::inputs::FILTERS;
use crate::things::{Spot, TAKE, ThingKind};
use crate::view::{AGENTS, BUTTON_PLACE_MM, CUBES, FEET};
use crate::view_things::name_of;
use crate::world::MatModel;
use sim_world::{Cell, Control, Gesture, RowSpec};

/// A robot that is dragged wishes to be at the pointer in this time, s.
const LEAD_S: f64 = 0.25;
/// Force of a push for each mm from the cube to the pointer, and the most, N: 25 g stand on locked wheels up to 0.2.
const PUSH_N: [f64; 2] = [0.01, 1.5];
/// Height of a notch of the wheel, and the most, mm.
const LIFT_MM: [f64; 2] = [10.0, 120.0];
/// Radius of a click that means the button, mm.
const BUTTON_MM: f64 = 4.0;

/// The controls of a model, the ones that a press means first before others.
pub fn controls(model: &MatModel) -> Vec<Control> {
    let mut list = Vec::new();
    if model.feet.params().count > 0 {
        let follow = RowSpec::new("feet", [("foot", Cell::Owner), ("x_mm", Cell::PointerX), ("y_mm", Cell::PointerY)]);
        let rest = RowSpec::new("feet", [("foot", Cell::Owner)]);
        let about = "drag a foot: it follows within its limits, and rests when you let go";
        list.push(Control::new(about, Gesture::Drag, follow).of(FEET).with_end(rest));
    }
    if model.bodies.cubes().is_some_and(|cubes| !cubes.cubes.is_empty()) {
        list.extend(of_cubes(model.agent_count == 0));
        list.extend(away(model));
    }
    if model.agent_count > 0 {
        let way = [Cell::WayX(1.0 / LEAD_S), Cell::WayY(1.0 / LEAD_S)];
        let [vx, vy] = way;
        let lead = RowSpec::new("wishes", [("agent", Cell::Owner), ("vx_mm_s", vx), ("vy_mm_s", vy)]);
        let own = RowSpec::new("wishes", [("agent", Cell::Owner)]);
        let about = "drag a robot: it wishes to go to the pointer, and its filter decides";
        list.push(Control::new(about, Gesture::Drag, lead).of(AGENTS).with_end(own));
    }
    if model.agent_count > 0 && model.bodies.drive().is_none() {
        let place = RowSpec::new("places", [("agent", Cell::Owner), ("x_mm", Cell::X), ("y_mm", Cell::Y)]);
        let about = "drag a robot with the shift key: it stands where you let go, unless that breaks a distance";
        list.push(Control::new(about, Gesture::ShiftDrop, place).of(AGENTS));
    }
    list.extend(of_things(model));
    if model.agent_count > 0 {
        let row = RowSpec::new("filters", [("filter", Cell::Choice(filters(model)))]);
        list.push(Control::new("choose the filter that keeps distances, or none", Gesture::Choose, row));
    }
    let pole = RowSpec::new("target", [("x_mm", Cell::PointerX), ("y_mm", Cell::PointerY)]);
    list.push(Control::new("press the other button: the target pole stands there", Gesture::Point, pole));
    list.push(Control::new("key c: take the pole away", Gesture::Key('c'), RowSpec::new("target", [])));
    list
}

/// What is small is meant before what lies under it.
fn of_things(model: &MatModel) -> Vec<Control> {
    let kinds = [ThingKind::Wall, ThingKind::Card, ThingKind::Mat];
    let drops = kinds.into_iter().filter(|kind| model.things.count(*kind) > 0).map(drop_thing);
    let choices = |kind| model.things.movable(kind).map(move |(number, spot)| choose_thing(model, kind, number, spot));
    drops.chain(ThingKind::ALL.into_iter().flat_map(choices)).collect()
}

fn drop_thing(kind: ThingKind) -> Control {
    let (word, brings) = (kind.word(), ("does", Cell::Text(kind.bring().into())));
    let row = RowSpec::new(kind.stream(), [(word, Cell::Owner), brings, ("x_mm", Cell::X), ("y_mm", Cell::Y)]);
    let ends = if kind == ThingKind::Wall {
        "it stands where you let go, unless a cube is there"
    } else {
        "it lies where you let go"
    };
    let about = format!("drag a {word} with the shift key: {ends}");
    Control::new(&about, Gesture::ShiftDrop, row).of(kind.stream())
}

/// The word that holds at the start comes first.
fn choose_thing(model: &MatModel, kind: ThingKind, number: usize, first: Spot) -> Control {
    let verb = kind.bring();
    let words = if first.is_there { [verb, TAKE] } else { [TAKE, verb] };
    let choice = Cell::Choice(words.map(str::to_owned).into());
    let row = RowSpec::new(kind.stream(), [(kind.word(), Cell::Number(number as f64)), ("does", choice)]);
    let about = format!("{}: {verb} it, or take it away", name_of(model, kind, number));
    Control::new(&about, Gesture::Choose, row)
}

/// The filters by their words, the scenario's first.
fn filters(model: &MatModel) -> Vec<String> {
    let mut filters = FILTERS.to_vec();
    filters.sort_by_key(|(_, kind)| *kind != model.filter.kind);
    filters.into_iter().map(|(word, _)| word.to_owned()).collect()
}

/// What hands do to cubes. Robots that are cubes are led by their wishes, not pulled.
fn of_cubes(are_pulled: bool) -> Vec<Control> {
    let goal = [("x_mm", Cell::X), ("y_mm", Cell::Y)];
    let height = || Cell::Height(LIFT_MM[0], LIFT_MM[1]);
    let duration = |s| ("duration_s", Cell::Number(s));
    let heading = || ("angle_deg", Cell::Heading);
    let [x, y] = goal;
    let pull = hand(
        "pull",
        [("x_mm", Cell::PointerX), ("y_mm", Cell::PointerY), ("ahead_mm", Cell::GripX), ("right_mm", Cell::GripY)],
    );
    let carry = hand("drag", [x.clone(), y.clone(), heading(), ("height_mm", height())]);
    let push =
        hand("push", [("force_n", Cell::Reach(PUSH_N[0], PUSH_N[1])), ("angle_deg", Cell::Direction), duration(0.1)]);
    let lift = hand("drag", [x.clone(), y.clone(), heading(), ("height_mm", height())]);
    let set_down = hand("place", [x, y, heading(), duration(0.3)]);
    let drag =
        Control::new("drag a cube: a soft spring pulls it, or carries it while it is lifted", Gesture::Drag, pull);
    let drag = Control { lifted: Some(carry), ..drag }.with_end(hand("release", []));
    let tap = |gesture, about| {
        let row = hand("tap", [("side", Cell::Text("top".into())), ("impulse_mn_s", Cell::Number(6.0))]);
        Control { times: 2, ..Control::new(about, gesture, row) }
    };
    let press = |gesture, about| Control::new(about, gesture, hand("press", [duration(0.3)]));
    let on_button = press(Gesture::Click, "click on the lamp of a cube: press its button");
    let key = |letter, about, row| Control::new(about, Gesture::Key(letter), row);
    let angle = |name, degrees| (name, Cell::Number(degrees));
    let shake = [("amplitude_mm", Cell::Number(12.0)), ("frequency_hz", Cell::Number(5.0)), duration(1.0)];
    let all = [
        drag,
        Control::new("drag a cube with the shift key: push it, the harder the farther", Gesture::ShiftDrag, push),
        Control::new("turn the wheel over a cube: lift it, and set it down again", Gesture::Wheel, lift)
            .with_end(set_down),
        tap(Gesture::DoubleClick, "double click a cube: tap it twice"),
        Control { part: Some((BUTTON_PLACE_MM, BUTTON_MM)), ..on_button },
        press(Gesture::Key('b'), "key b: press the button of the cube that is followed"),
        tap(Gesture::Key('m'), "key m: tap it twice"),
        key('k', "key k: shake it", hand("shake", shake)),
        key('x', "key x: tilt it", hand("tilt", [angle("roll_deg", 30.0), duration(0.3)])),
        key('u', "key u: turn it over", hand("tilt", [angle("roll_deg", 180.0), duration(0.6)])),
        key('z', "key z: let go of it", hand("release", [])),
        key('q', "key q: switch it off", hand("power_off", [])),
        key('a', "key a: switch it on", hand("power_on", [])),
    ];
    let is_wanted = |control: &Control| are_pulled || control.gesture != Gesture::Drag;
    all.into_iter().filter(is_wanted).map(|control| control.of(CUBES)).collect()
}

/// Cubes that are not the swarm's are taken away and brought back.
fn away(model: &MatModel) -> Vec<Control> {
    let Some(cubes) = model.bodies.cubes().filter(|_| model.bodies.drive().is_none()) else { return Vec::new() };
    let names = std::iter::once(String::new()).chain(cubes.cubes.iter().map(|cube| cube.name.clone())).collect();
    let bring = RowSpec::new("hands", [("cube", Cell::Choice(names)), ("does", Cell::Text("bring".into()))]);
    vec![
        Control::new("key t: take it away from the mat", Gesture::Key('t'), hand("take_away", [])).of(CUBES),
        Control::new("bring a cube that was taken away back to its place", Gesture::Choose, bring),
    ]
}

/// A row of the stream of hands.
fn hand<const COUNT: usize>(does: &str, cells: [(&str, Cell); COUNT]) -> RowSpec {
    let first = [("cube", Cell::Owner), ("does", Cell::Text(does.into()))];
    let cells = first.into_iter().chain(cells).map(|(column, cell)| (column.to_owned(), cell));
    RowSpec { stream: "hands".into(), cells: cells.collect() }
}
