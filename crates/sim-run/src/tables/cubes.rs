//! The tables of the cubes: where they are and what they show every few steps, and everything that goes over their radios.

use crate::error::RunError;
use crate::run_folder::{CUBES_CSV, MESSAGES_CSV};
use crate::scenario::short_name;
use crate::tables::file::{Row, TableFile};
use crate::world::cubes::{CubeView, Cubes, Direction, Loss, TracedMessage};
use crate::world::mat::MatWorld;
use std::fmt;
use std::path::Path;
use toio_cube_sim::message_text::{text_of_notification, text_of_write};
use toio_cube_sim::{Printed, Refusal};
use toio_mat::StandardItem;

const CUBES_HEADER: &str = "step,time_s,cube,x_mm,y_mm,z_mm,yaw_rad,pitch_rad,roll_rad,mat_x,mat_y,mat_deg,\
    left_mm_s,right_mm_s,led_r,led_g,led_b,sound,battery_percent";
const MESSAGES_HEADER: &str = "step,time_s,cube,dir,characteristic,hex,meaning";

/// The two tables of a run that has cubes.
#[derive(Debug)]
pub(super) struct CubesTables {
    cubes: TableFile,
    messages: TableFile,
}

impl CubesTables {
    pub fn create(folder: &Path) -> Result<Self, RunError> {
        Ok(Self {
            cubes: TableFile::create(folder, CUBES_CSV, CUBES_HEADER)?,
            messages: TableFile::create(folder, MESSAGES_CSV, MESSAGES_HEADER)?,
        })
    }

    pub fn tables(self) -> [TableFile; 2] {
        [self.cubes, self.messages]
    }

    pub fn for_each_table(&mut self, mut visit: impl FnMut(&mut TableFile)) {
        visit(&mut self.cubes);
        visit(&mut self.messages);
    }

    /// A row for each cube.
    pub fn record_cubes(&mut self, world: &MatWorld, cubes: &Cubes) {
        for k in 0..cubes.len() {
            let row = self.cubes.row().integer(world.tick().0).number(world.time_s()).integer(k as u64);
            write_cube(row, &cubes.view(k));
        }
    }

    /// A row for each message of the last step.
    pub fn record_messages(&mut self, world: &MatWorld, cubes: &Cubes) -> Result<(), RunError> {
        for message in world.messages() {
            let row = self.messages.row().integer(world.tick().0).number(world.time_s());
            write_message(row, message, &cubes.view(message.cube));
        }
        self.messages.flush_if_large()
    }
}

fn write_cube(row: Row<'_>, cube: &CubeView<'_>) {
    let (place_mm, attitude) = (cube.place_mm(), cube.body().attitude);
    let row = row.number(place_mm.x).number(place_mm.y).number(cube.height_mm());
    let row = row.number(attitude.yaw_rad).number(attitude.pitch_rad).number(attitude.roll_rad);
    let row = match cube.printed() {
        Printed::Position(id) => {
            row.integer(id.centre_x.into()).integer(id.centre_y.into()).integer(id.centre_deg.into())
        }
        Printed::Standard(_) | Printed::Nothing => row.maybe(None).maybe(None).maybe(None),
    };
    let wheels = &cube.body().wheels;
    let row = row.number(1000.0 * wheels[0].motor_m_s).number(1000.0 * wheels[1].motor_m_s);
    let shown = cube.actuators();
    let row = row.integer(shown.lamp.r.into()).integer(shown.lamp.g.into()).integer(shown.lamp.b.into());
    let row = match shown.sounding {
        Some(sounding) => row.integer(sounding.note.into()),
        None => row.maybe(None),
    };
    row.number(cube.firmware().charge_percent()).end();
}

fn write_message(row: Row<'_>, message: &TracedMessage, cube: &CubeView<'_>) {
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
    let row = row.integer(*number as u64).text(word).text(&short_name(*characteristic));
    row.show(&Hex(bytes)).text(&meaning).end();
}

/// Title of the item of the collection that has this Standard ID.
fn item_title(value: u32) -> Option<&'static str> {
    StandardItem::with_value(value).map(|item| item.title)
}

/// Bytes as pairs of hexadecimal digits.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
