//! What the mat takes from outside: wishes for robots, points for feet to follow, hands and clients for cubes, the target pole, places for
//! robots, another filter, mats, cards and walls that are moved.

use crate::bodies::Bodies;
use crate::cubes::{ClientAct, CubesScratch, Hand, HandDoes};
use crate::events::WorldEvent;
use crate::handling::{self, Handling};
use crate::putting;
use crate::scenario::{HandSpec, STAYING, short_name};
use crate::things::{TAKE, ThingKind};
use crate::world::{MatModel, MatScratch, MatState};
use sim_core::angle::wrap_rad;
use sim_core::{DVec2, StateHash, Tick};
use sim_world::{Cadence, Column, ColumnKind, DEVICE_REQUESTS, Input, RowFault, StepError, Stream, Value};
use swarm_agents::filter::{FilterKind, FilterState};
use swarm_field::Feet;
use toio_cube_sim::Characteristic;
use toio_cube_sim::att::Request;
use toio_physics::geometry;

/// Fastest wish, mm/s; what a robot does keeps to its limits.
const MAX_WISH_MM_S: f64 = 10_000.0;
/// Farthest place, mm.
const MAX_PLACE_MM: f64 = 100_000.0;
/// Half the side of a cube, mm.
const HALF_MM: f64 = 500.0 * geometry::FOOTPRINT_M;

/// The input streams of a mat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatInput {
    Wishes,
    Feet,
    Hands,
    Clients,
    Writes,
    Target,
    Places,
    Filters,
    Things(ThingKind),
}

/// Filters that may come in, by the words of scenarios.
pub(crate) const FILTERS: [(&str, FilterKind); 5] = [
    ("joint", FilterKind::Joint),
    ("penalty", FilterKind::Penalty),
    ("orca", FilterKind::Orca),
    ("nearest", FilterKind::Nearest),
    ("none", FilterKind::None),
];

/// The streams that a model's runs take, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    kinds: Vec<MatInput>,
    pub streams: Vec<Stream>,
}

impl Inputs {
    pub fn new(model: &MatModel) -> Self {
        let cubes = model.bodies.cubes().map_or(0, |cubes| cubes.cubes.len());
        // Robots that are cubes are moved by hands.
        let discs = if model.bodies.drive().is_none() { model.agent_count } else { 0 };
        let some =
            |count: usize, kind, stream: fn(f64) -> Stream| (count > 0).then(|| (kind, stream(count as f64 - 1.0)));
        let list = [
            some(model.agent_count, MatInput::Wishes, wish_stream),
            some(model.feet.params().count, MatInput::Feet, foot_stream),
            some(cubes, MatInput::Hands, hand_stream).map(|(kind, stream)| (kind, with_names(stream, model))),
            some(cubes, MatInput::Clients, client_stream),
            some(cubes, MatInput::Writes, write_stream),
            Some((MatInput::Target, target_stream())),
            some(discs, MatInput::Places, place_stream),
            some(model.agent_count, MatInput::Filters, |_| filter_stream()),
            some(model.things.count(ThingKind::Mat), MatInput::Things(ThingKind::Mat), mat_stream),
            some(model.things.count(ThingKind::Card), MatInput::Things(ThingKind::Card), card_stream),
            some(model.things.count(ThingKind::Wall), MatInput::Things(ThingKind::Wall), wall_stream),
        ];
        let (kinds, streams) = list.into_iter().flatten().unzip();
        Self { kinds, streams }
    }
}

/// The same, whose first column takes the names of cubes too.
fn with_names(mut stream: Stream, model: &MatModel) -> Stream {
    let names = model.bodies.cubes().into_iter().flat_map(|cubes| &cubes.cubes).map(|cube| cube.name.clone());
    stream.columns[0] = stream.columns[0].clone().with_names(names);
    stream
}

fn on_event(name: &'static str, about: &'static str, columns: impl IntoIterator<Item = Column>) -> Stream {
    Stream::new(name, about, Cadence::OnEvent { at_most: None }, columns)
}

fn place(name: &'static str, about: &'static str) -> Column {
    Column::number(name, about).with_range(-MAX_PLACE_MM, MAX_PLACE_MM)
}

fn wish_stream(last: f64) -> Stream {
    let speed = |name, about| Column::number(name, about).with_range(-MAX_WISH_MM_S, MAX_WISH_MM_S);
    let columns = [
        Column::integer("agent", "number of the robot").with_range(0.0, last),
        speed("vx_mm_s", "velocity wished, to the right; both missing give the wish back to the robot"),
        speed("vy_mm_s", "velocity wished, down"),
    ];
    on_event("wishes", "a wish that a robot keeps until the next one, in place of its own", columns)
}

fn foot_stream(last: f64) -> Stream {
    let columns = [
        Column::integer("foot", "number of the foot").with_range(0.0, last),
        place("x_mm", "point that it follows, to the right; both missing let it rest"),
        place("y_mm", "point that it follows, down"),
    ];
    on_event("feet", "a point that a foot follows within its limits until the next one", columns)
}

fn hand_stream(last: f64) -> Stream {
    let angle = |name, about, most: f64| Column::number(name, about).with_range(-most, most);
    let least = |name, about, most: f64| Column::number(name, about).with_range(0.0, most);
    let columns = [
        Column::integer("cube", "number of the cube, or its name").with_range(0.0, last),
        Column::text(
            "does",
            "lift, place, drag, pull, tilt, turn, push, shake, tap, press, button_down, button_up, power_on, power_off, \
             take_away, bring or release, as in a scenario's script",
        ),
        place("x_mm", "where a cube is placed, dragged, pulled or brought, to the right"),
        place("y_mm", "where a cube is placed, dragged, pulled or brought, down"),
        least("height_mm", "how high a cube is lifted, placed or dragged", 1000.0),
        angle("angle_deg", "heading of placing, dragging and bringing, angle of a turn, direction of a push", 5000.0),
        angle("roll_deg", "roll of a tilt, right side down", 180.0),
        angle("pitch_deg", "pitch of a tilt, nose up", 90.0),
        least("force_n", "force of a push", 2.0),
        least("impulse_mn_s", "momentum of a tap", 50.0),
        Column::text("side", "side that a tap hits: top, front, rear, left or right"),
        least("amplitude_mm", "largest distance of a shake from its middle", 100.0),
        least("frequency_hz", "swings of a shake in a second", 24.0),
        Column::number("duration_s", "how long it takes").with_range(0.01, 3600.0),
        angle("ahead_mm", "point of the cube that a pull holds, ahead of the middle of its body", HALF_MM),
        angle("right_mm", "point of the cube that a pull holds, to the right of the middle", HALF_MM),
    ];
    on_event("hands", "what a hand does to a cube", columns)
}

fn client_stream(last: f64) -> Stream {
    let columns = [
        Column::integer("cube", "number of the cube").with_range(0.0, last),
        Column::text("does", "connect, disconnect, write, read, subscribe or unsubscribe"),
        Column::text("characteristic", "short number of the characteristic, such as 102; none for a connection"),
        Column::new("hex", ColumnKind::Bytes, "the bytes of a write; missing is a write of none"),
    ];
    on_event(DEVICE_REQUESTS, "what a client does with a cube over its radio", columns)
}

fn write_stream(last: f64) -> Stream {
    let columns = [
        Column::integer("cube", "number of the cube").with_range(0.0, last),
        Column::text("characteristic", "short number of the characteristic, such as 102"),
        Column::new("hex", ColumnKind::Bytes, "the bytes"),
    ];
    on_event("writes", "what a client writes to a cube over its radio", columns)
}

fn target_stream() -> Stream {
    let columns = [
        place("x_mm", "place of the pole, to the right; both missing take it away"),
        place("y_mm", "place of the pole, down"),
    ];
    on_event("target", "the target pole, which programs can read", columns)
}

fn place_stream(last: f64) -> Stream {
    let columns = [
        Column::integer("agent", "number of the robot").with_range(0.0, last),
        place("x_mm", "where it is put, to the right"),
        place("y_mm", "where it is put, down"),
        Column::number("heading_deg", "where it points then, from +x towards +y; missing leaves it as it is")
            .with_range(-5000.0, 5000.0),
    ];
    on_event("places", "a place where a hand puts a robot, at rest; refused where that would break a distance", columns)
}

fn filter_stream() -> Stream {
    let columns = [Column::text("filter", "joint, penalty, orca, nearest or none, as safety.filter of a scenario")];
    on_event("filters", "the filter that decides from now on, in place of the scenario's", columns)
}

fn mat_stream(last: f64) -> Stream {
    let columns = thing_columns("mat", "number of the printed mat, as in mat.printed", last, "lay or take");
    on_event("mats", "a printed mat is laid at a place, or taken away", columns)
}

fn card_stream(last: f64) -> Stream {
    let columns = thing_columns("card", "number of the card", last, "lay or take");
    on_event("cards", "a card is laid at a place, or taken away", columns)
}

fn wall_stream(last: f64) -> Stream {
    let columns = thing_columns("wall", "number of the wall, as in mat.walls", last, "put or take");
    on_event("walls", "a wall is put at a place, unless it would stand in a cube there, or taken away", columns)
}

fn thing_columns(word: &'static str, about: &'static str, last: f64, does: &'static str) -> [Column; 5] {
    [
        Column::integer(word, about).with_range(0.0, last),
        Column::text("does", does),
        place("x_mm", "place of its middle, to the right; both missing leave it at its last place"),
        place("y_mm", "place of its middle, down"),
        Column::number("yaw_deg", "how it is turned, from +x towards +y; missing leaves it as it was")
            .with_range(-5000.0, 5000.0),
    ]
}

/// A filter that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switched {
    pub kind: FilterKind,
    /// It has a certificate, which cannot begin before robots can stop clear of each other.
    pub waits: bool,
}

/// What is in force of what came in. Feet and cubes keep theirs themselves.
#[derive(Clone, Debug, Default)]
pub struct FromOutside {
    /// Wishes in place of the robots' own, mm/s, by robot; empty before the first one.
    wishes_mm_s: Vec<Option<DVec2>>,
    /// Place of the target pole, if it stands.
    pub target_mm: Option<DVec2>,
    /// The filter that came in, in place of the scenario's.
    pub(crate) filter: Option<Switched>,
}

impl FromOutside {
    /// Puts the wishes that came in over the robots' own.
    pub(crate) fn replace_wishes(&self, wishes_mm_s: &mut [DVec2]) {
        for (wish, given) in wishes_mm_s.iter_mut().zip(&self.wishes_mm_s) {
            *wish = given.unwrap_or(*wish);
        }
    }

    /// True while the filter that came in cannot begin.
    pub(crate) fn filter_waits(&self) -> bool {
        self.filter.is_some_and(|filter| filter.waits)
    }

    /// Adds what is in force to a state hash: nothing as long as nothing came in.
    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        for (robot, wish) in self.wishes_mm_s.iter().enumerate().filter_map(|(i, wish)| wish.map(|wish| (i, wish))) {
            hash.u64(robot as u64);
            hash.vec2(wish);
        }
        if let Some(target_mm) = self.target_mm {
            hash.vec2(target_mm);
        }
        if let Some(Switched { kind, waits }) = self.filter {
            let number = FILTERS.iter().position(|(_, known)| *known == kind).unwrap_or(FILTERS.len());
            hash.u64(number as u64 + 1);
            hash.u64(u64::from(waits));
        }
    }
}

/// A pair of numbers of a row; none if both are missing.
fn pair(row: &[Value<'_>], at: usize) -> Option<DVec2> {
    Some(DVec2::new(row[at].as_number()?, row[at + 1].as_number()?))
}

/// What the columns cannot say: pairs are whole, words are known, a hand has what it needs.
pub(crate) fn check(model: &MatModel, input: &Input<'_>) -> Result<(), RowFault> {
    let (stream, row) = (&model.inputs.streams[input.stream], input.row);
    let whole = |at: usize| {
        let missing = [at, at + 1].map(|column| row[column] == Value::Missing);
        if missing[0] == missing[1] {
            return Ok(());
        }
        let column = Some(if missing[0] { at } else { at + 1 });
        Err(RowFault { column, message: "is missing beside the other one".to_owned() })
    };
    let is_there = |at: usize| match row[at] {
        Value::Missing => Err(RowFault { column: Some(at), message: "is missing".to_owned() }),
        _ => Ok(()),
    };
    match model.inputs.kinds[input.stream] {
        MatInput::Wishes | MatInput::Feet => whole(1),
        MatInput::Target => whole(0),
        MatInput::Places => is_there(1).and(is_there(2)),
        MatInput::Filters => {
            filter_named(row[0]).map(|_| ()).map_err(|words| RowFault::for_column(stream, "filter", words))
        }
        MatInput::Clients => act_of(stream, row).map(|_| ()),
        MatInput::Writes if characteristic_of(row[1]).is_none() => {
            Err(RowFault::for_column(stream, "characteristic", unknown_characteristic(row[1])))
        }
        // A file has no other way to write no bytes.
        MatInput::Writes if bytes_of(row[2]).is_empty() => Err(RowFault::for_column(stream, "hex", "is missing")),
        MatInput::Writes => Ok(()),
        MatInput::Hands => hand_of(model, stream, row).map(|_| ()),
        MatInput::Things(kind) => whole(2).and_then(|()| handling_of(model, stream, kind, row)).map(|_| ()),
    }
}

/// What a hand does to a mat, a card or a wall.
fn handling_of(model: &MatModel, stream: &Stream, kind: ThingKind, row: &[Value<'_>]) -> Result<Handling, RowFault> {
    let fault = |column: &str, message: String| RowFault::for_column(stream, column, message);
    let number = owner(row);
    if model.things.spot(kind, number).is_none() {
        let message = format!("is {number}, which is fixed; set {}[{number}].movable in the scenario", kind.list());
        return Err(fault(kind.word(), message));
    }
    let word = if let Value::Text(word) = row[1] { word.trim() } else { "" };
    let brings = word == kind.bring();
    if !brings && word != TAKE {
        return Err(fault("does", format!("is {word:?}, must be {} or {TAKE}", kind.bring())));
    }
    let (place_mm, yaw_rad) = (pair(row, 2), row[4].as_number().map(f64::to_radians));
    if !brings && let Some(column) = [place_mm.map(|_| "x_mm"), yaw_rad.map(|_| "yaw_deg")].into_iter().flatten().next()
    {
        return Err(fault(column, format!("must be missing for {TAKE}")));
    }
    Ok(Handling { kind, number, brings, place_mm, yaw_rad })
}

fn filter_named(cell: Value<'_>) -> Result<(&'static str, FilterKind), String> {
    let word = if let Value::Text(word) = cell { word.trim() } else { "" };
    let found = FILTERS.into_iter().find(|(known, _)| *known == word);
    found.ok_or_else(|| format!("is {word:?}, must be {}", FILTERS.map(|(known, _)| known).join(", ")))
}

fn characteristic_of(cell: Value<'_>) -> Option<Characteristic> {
    let Value::Text(word) = cell else { return None };
    Characteristic::ALL.into_iter().find(|known| short_name(*known).eq_ignore_ascii_case(word.trim()))
}

fn bytes_of(cell: Value<'_>) -> &[u8] {
    if let Value::Bytes(bytes) = cell { bytes } else { &[] }
}

fn unknown_characteristic(cell: Value<'_>) -> String {
    let names: Vec<String> = Characteristic::ALL.into_iter().map(short_name).collect();
    let given = if let Value::Text(word) = cell { format!("{word:?}") } else { "missing".to_owned() };
    format!("is {given}, must be one of {}", names.join(", "))
}

/// What a client does, of a row of the stream of clients.
fn act_of(stream: &Stream, row: &[Value<'_>]) -> Result<ClientAct, RowFault> {
    const WORDS: &str = "must be connect, disconnect, write, read, subscribe or unsubscribe";
    let fault = |column: &str, message: String| RowFault::for_column(stream, column, message);
    let Value::Text(does) = row[1] else { return Err(fault("does", WORDS.to_owned())) };
    let characteristic =
        || characteristic_of(row[2]).ok_or_else(|| fault("characteristic", unknown_characteristic(row[2])));
    let act = match does.trim() {
        "connect" => ClientAct::Connect,
        "disconnect" => ClientAct::Disconnect,
        "write" => ClientAct::Ask(Request::Write(characteristic()?, bytes_of(row[3]).to_vec())),
        "read" => ClientAct::Ask(Request::Read(characteristic()?)),
        "subscribe" => ClientAct::Ask(Request::Subscribe(characteristic()?, true)),
        "unsubscribe" => ClientAct::Ask(Request::Subscribe(characteristic()?, false)),
        other => return Err(fault("does", format!("is {other:?}, {WORDS}"))),
    };
    let unused = match act {
        ClientAct::Connect | ClientAct::Disconnect if row[2] != Value::Missing => "characteristic",
        ClientAct::Ask(Request::Write(..)) => return Ok(act),
        _ if row[3] != Value::Missing => "hex",
        _ => return Ok(act),
    };
    Err(fault(unused, format!("must be missing for {}", does.trim())))
}

/// What a hand is to do, in the words of a scenario's script.
fn hand_of(model: &MatModel, stream: &Stream, row: &[Value<'_>]) -> Result<(&'static str, HandDoes), RowFault> {
    let number = |name: &str| stream.column(name).and_then(|at| row[at].as_number());
    let text = |name: &str| match stream.column(name).map(|at| row[at]) {
        Some(Value::Text(text)) => Some(text.trim()),
        _ => None,
    };
    let hand = HandSpec::from_cells(text("does"), text("side"), number);
    let hand = hand.map_err(|(column, message)| RowFault::for_column(stream, column, message))?;
    let does = hand.only_action(model.step_hz);
    let (word, does) = does.map_err(|(column, message)| RowFault::for_column(stream, column, message))?;
    if model.bodies.drive().is_some() && matches!(does, HandDoes::TakeAway | HandDoes::Bring { .. }) {
        return Err(RowFault::for_column(stream, "does", format!("is {word:?}, but {STAYING}")));
    }
    Ok((word, does))
}

/// Takes the rows of a step in their order, after the cubes have forgotten what the last step had to tell.
pub(crate) fn take(
    model: &MatModel,
    tick: Tick,
    inputs: &[Input<'_>],
    state: &mut MatState,
    scratch: &mut MatScratch,
) -> Result<(), StepError> {
    scratch.cubes.forget();
    scratch.input_events.clear();
    last_feet(state).follow_recording(&model.feet, tick.seconds(model.step_hz));
    for input in inputs {
        let row = input.row;
        match model.inputs.kinds[input.stream] {
            MatInput::Wishes => take_wish(model, row, &mut state.outside),
            MatInput::Feet => take_foot(model, row, state),
            MatInput::Target => {
                state.outside.target_mm = pair(row, 0);
                scratch.input_events.push(WorldEvent::target(tick, state.outside.target_mm));
            }
            MatInput::Hands => {
                let hand = hand_of(model, &model.inputs.streams[input.stream], row);
                let hand = hand.map_err(|fault| StepError::other(tick, fault.message))?;
                take_hand(model, tick, (owner(row), hand), &mut state.bodies, &mut scratch.cubes)?;
            }
            MatInput::Clients => {
                let act = act_of(&model.inputs.streams[input.stream], row);
                let act = act.map_err(|fault| StepError::other(tick, fault.message))?;
                take_act(model, tick, (owner(row), act), &mut state.bodies, &mut scratch.cubes);
            }
            MatInput::Writes => take_write(model, tick, row, &mut state.bodies, &mut scratch.cubes),
            MatInput::Places => {
                let heading_rad = row[3].as_number().map(|deg| wrap_rad(deg.to_radians()));
                let to = (pair(row, 1).unwrap_or_default(), heading_rad);
                scratch.input_events.push(putting::put(model, tick, (owner(row), to), state));
            }
            MatInput::Filters => {
                let (word, kind) = filter_named(row[0]).map_err(|words| StepError::other(tick, words))?;
                take_filter(model, kind, state);
                scratch.input_events.push(WorldEvent::filter(tick, word));
            }
            MatInput::Things(kind) => {
                let handling = handling_of(model, &model.inputs.streams[input.stream], kind, row);
                let handling = handling.map_err(|fault| StepError::other(tick, fault.message))?;
                let (things, cubes) = (&mut state.things, state.bodies.cubes_mut());
                scratch.input_events.extend(handling::handle(model, tick, handling, things, cubes)?);
            }
        }
    }
    Ok(())
}

/// The owner of a row that has passed its checks.
fn owner(row: &[Value<'_>]) -> usize {
    row[0].as_number().unwrap_or_default() as usize
}

fn take_wish(model: &MatModel, row: &[Value<'_>], outside: &mut FromOutside) {
    outside.wishes_mm_s.resize(model.agent_count, None);
    outside.wishes_mm_s[owner(row)] = pair(row, 1);
}

fn take_foot(model: &MatModel, row: &[Value<'_>], state: &mut MatState) {
    last_feet(state).follow(owner(row), &model.feet, pair(row, 1));
}

fn take_filter(model: &MatModel, kind: FilterKind, state: &mut MatState) {
    let is_certified = model.filter_of(kind).is_certified();
    let goes_on = match state.outside.filter {
        None => model.filter.is_certified(),
        Some(Switched { kind, waits }) => !waits && model.filter_of(kind).is_certified(),
    };
    if !is_certified {
        state.filter = FilterState::default();
    }
    state.outside.filter = Some(Switched { kind, waits: is_certified && !goes_on });
}

/// The feet as far ahead as robots decide.
fn last_feet(state: &mut MatState) -> &mut Feet {
    state.bodies.drive_mut().map_or(&mut state.feet, |drive| drive.last_feet_mut())
}

fn take_hand(
    model: &MatModel,
    tick: Tick,
    (cube, (word, does)): (usize, (&'static str, HandDoes)),
    bodies: &mut Bodies,
    scratch: &mut CubesScratch,
) -> Result<(), StepError> {
    let (Some(model), Some(cubes)) = (model.bodies.cubes(), bodies.cubes_mut()) else { return Ok(()) };
    let before = Tick(tick.0 - 1);
    let does = match does {
        HandDoes::PressUntil(Tick(steps)) => HandDoes::PressUntil(Tick(before.0.saturating_add(steps))),
        other => other,
    };
    cubes.take_hand(model, tick, &Hand { tick: before, cube, word, does }, scratch)
}

/// A client from outside subscribes itself, whatever holds for the clients of programs.
fn take_act(
    model: &MatModel,
    tick: Tick,
    (cube, act): (usize, ClientAct),
    bodies: &mut Bodies,
    scratch: &mut CubesScratch,
) {
    let (Some(model), Some(cubes)) = (model.bodies.cubes(), bodies.cubes_mut()) else { return };
    cubes.take_act(cube, model.moment(tick), &act, false, scratch);
}

fn take_write(model: &MatModel, tick: Tick, row: &[Value<'_>], bodies: &mut Bodies, scratch: &mut CubesScratch) {
    let Some(characteristic) = characteristic_of(row[1]) else { return };
    let write = ClientAct::Ask(Request::Write(characteristic, bytes_of(row[2]).to_vec()));
    take_act(model, tick, (owner(row), write), bodies, scratch);
}
