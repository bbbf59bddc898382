//! The streams of the cubes: where they are and what they show, and everything that goes over their radios.

use crate::cubes::{CubeView, Direction, Loss, TracedMessage};
use crate::scenario::short_name;
use crate::streams::moment;
use crate::world::MatWorld;
use sim_world::{Cadence, Column, ColumnKind, RowSink, Stream, Value};
use toio_cube_sim::message_text::{text_of_notification, text_of_write};
use toio_cube_sim::{Printed, Refusal};
use toio_mat::StandardItem;

/// Cubes at the steps that are due.
pub(crate) fn cube_stream(owners: u64, reads_cards: bool) -> Stream {
    let card = Column::text("card", "title of the card that it reads, or its Standard ID");
    let columns = Column::moment().into_iter().chain([
        Column::integer("cube", "number of the cube"),
        Column::number("x_mm", "middle of its body, to the right"),
        Column::number("y_mm", "middle of its body, down"),
        Column::number("z_mm", "height above that of a cube that stands on the mat"),
        Column::number("yaw_rad", "where it points, from +x towards +y"),
        Column::number("pitch_rad", "nose up"),
        Column::number("roll_rad", "right side down"),
        Column::integer("mat_x", "position ID that it reads, dots"),
        Column::integer("mat_y", "position ID that it reads, dots"),
        Column::integer("mat_deg", "angle that it reads"),
        Column::number("left_mm_s", "speed of the left motor at its tyre"),
        Column::number("right_mm_s", "speed of the right motor at its tyre"),
        Column::integer("led_r", "red of its lamp").with_range(0.0, 255.0),
        Column::integer("led_g", "green of its lamp").with_range(0.0, 255.0),
        Column::integer("led_b", "blue of its lamp").with_range(0.0, 255.0),
        Column::integer("sound", "MIDI number of the note that sounds"),
        Column::number("battery_percent", "charge of its battery").with_range(0.0, 100.0),
    ]);
    let columns = columns.chain(reads_cards.then_some(card));
    Stream::new("cubes", "a toio cube after a step, unless it is away", Cadence::Sampled { owners }, columns)
}

/// Messages of the radios.
pub(crate) fn message_stream() -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::integer("cube", "number of the cube"),
        Column::text(
            "dir",
            "`write`, `read`, `subscribe` to the cube, `notify`, `answer` from it; with `drop_` what was lost",
        ),
        Column::text("characteristic", "short number of the characteristic"),
        Column::new("hex", ColumnKind::Bytes, "the bytes"),
        Column::text("meaning", "the bytes in words"),
    ]);
    Stream::new("messages", "a message over the radio of a cube", Cadence::OnEvent { at_most: None }, columns)
}

pub(crate) fn cube_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let Some(cubes) = world.cubes() else { return };
    for k in (0..cubes.len()).filter(|&k| !cubes.is_away(k)) {
        cube_row(world, k, &cubes.view(k), out);
    }
}

fn cube_row(world: &MatWorld, number: usize, cube: &CubeView<'_>, out: &mut RowSink<'_>) {
    let ([step, time_s], titles) = (moment(world), &world.model().card_titles);
    let (place_mm, attitude) = (cube.place_mm(), cube.body().attitude);
    let read = match cube.printed() {
        Printed::Position(id) => [id.centre_x, id.centre_y, id.centre_deg].map(|value| Value::Integer(value.into())),
        Printed::Standard(_) | Printed::Nothing => [Value::Missing; 3],
    };
    let wheels = &cube.body().wheels;
    let shown = cube.actuators();
    let lamp = [shown.lamp.r, shown.lamp.g, shown.lamp.b].map(|value| Value::Integer(value.into()));
    let card = match cube.printed() {
        Printed::Standard(id) => titles.get(&id.value).map_or(Value::Missing, |title| Value::Text(title)),
        Printed::Position(_) | Printed::Nothing => Value::Missing,
    };
    let row = [
        step,
        time_s,
        number.into(),
        place_mm.x.into(),
        place_mm.y.into(),
        cube.height_mm().into(),
        attitude.yaw_rad.into(),
        attitude.pitch_rad.into(),
        attitude.roll_rad.into(),
        read[0],
        read[1],
        read[2],
        (1000.0 * wheels[0].motor_m_s).into(),
        (1000.0 * wheels[1].motor_m_s).into(),
        lamp[0],
        lamp[1],
        lamp[2],
        shown.sounding.map_or(Value::Missing, |sounding| Value::Integer(sounding.note.into())),
        cube.firmware().charge_percent().into(),
        card,
    ];
    // The last column is there where cards can be moved.
    out(if titles.is_empty() { &row[..row.len() - 1] } else { &row });
}

pub(crate) fn message_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let Some(cubes) = world.cubes() else { return };
    for message in world.messages() {
        message_row(moment(world), message, &cubes.view(message.cube), out);
    }
}

fn message_row([step, time_s]: [Value<'_>; 2], message: &TracedMessage, cube: &CubeView<'_>, out: &mut RowSink<'_>) {
    let TracedMessage { cube: number, direction, characteristic, bytes } = message;
    let (word, why) = match direction {
        Direction::Write => ("write", None),
        Direction::Notify => ("notify", None),
        Direction::Read => ("read", None),
        Direction::Answer => ("answer", None),
        Direction::Subscribe => ("subscribe", None),
        Direction::DropWrite(why) => ("drop_write", Some(why)),
        Direction::DropNotify(why) => ("drop_notify", Some(why)),
        Direction::DropRead(why) => ("drop_read", Some(why)),
        Direction::DropAnswer(why) => ("drop_answer", Some(why)),
        Direction::DropSubscribe(why) => ("drop_subscribe", Some(why)),
    };
    let mut meaning = match direction {
        Direction::Write | Direction::DropWrite(_) => {
            text_of_write(*characteristic, bytes, cube.firmware().params().protocol)
        }
        Direction::Read | Direction::DropRead(_) => "present value".to_owned(),
        Direction::Subscribe | Direction::DropSubscribe(_) if bytes.first() == Some(&1) => "begin to notify".to_owned(),
        Direction::Subscribe | Direction::DropSubscribe(_) => "end to notify".to_owned(),
        Direction::Answer | Direction::DropAnswer(_) if bytes.is_empty() => "no value".to_owned(),
        Direction::Notify | Direction::DropNotify(_) | Direction::Answer | Direction::DropAnswer(_) => {
            text_of_notification(*characteristic, bytes, item_title)
        }
    };
    match why {
        None => {}
        Some(Loss::Refused(Refusal::Malformed(error))) => meaning = format!("dropped because of {error}"),
        Some(why) => meaning = format!("dropped because {why}: {meaning}"),
    }
    let name = short_name(*characteristic);
    out(&[
        step,
        time_s,
        (*number).into(),
        word.into(),
        name.as_str().into(),
        Value::Bytes(bytes),
        meaning.as_str().into(),
    ]);
}

/// Title of the item of the collection that has this Standard ID.
fn item_title(value: u32) -> Option<&'static str> {
    StandardItem::with_value(value).map(|item| item.title)
}
