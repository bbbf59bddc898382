//! The tables of sonars: all pings in short, a table for each sonar, and the places that its rays met.

use crate::model::{SeaModel, SensorKind};
use crate::readings::Arrival;
use crate::sonar::{POINT, SonarSetup};
use crate::sonar_setup::{Device, Imager, Lists, SonarKind};
use crate::streams::{head, reading_stream};
use crate::world::SeaWorld;
use sim_world::{Column, ColumnKind, RowSink, Stream, Value};

/// Most values of a row.
const ROW: usize = 14;

/// A row that grows.
struct Row<'a> {
    values: [Value<'a>; ROW],
    count: usize,
}

impl<'a> Row<'a> {
    fn new(head: [Value<'a>; 5], ping: u64) -> Self {
        let mut row = Self { values: [Value::Missing; ROW], count: 0 };
        head.into_iter().for_each(|value| row.push(value));
        row.push(ping.into());
        row
    }

    fn push(&mut self, value: Value<'a>) {
        self.values[self.count] = value;
        self.count += 1;
    }

    /// A list, unless it is empty.
    fn push_list(&mut self, list: &'a [f64]) {
        if !list.is_empty() {
            self.push(Value::Numbers(list));
        }
    }

    /// A value of a list, unless that is empty.
    fn push_from(&mut self, list: &[f64], place: usize) {
        if let Some(&value) = list.get(place) {
            self.push(value.into());
        }
    }

    fn hand_on(&self, out: &mut RowSink<'_>) {
        out(&self.values[..self.count]);
    }
}

fn ping_column() -> Column {
    Column::integer("ping", "number of the ping, from 0; of one that was lost there is no row")
}

/// The stream of all pings in short.
pub(crate) fn sonar_stream(at_most: u64) -> Stream {
    let columns = [
        ping_column(),
        Column::integer("beams", "beams of the sonar"),
        Column::integer("hits", "beams that read a distance; of an image, bins in which a ray was heard"),
        Column::number("min_m", "least distance; missing if nothing read one"),
        Column::number(
            "nadir_m",
            "distance of the middle beam, of an even number the one to starboard of the middle; missing without an echo and of an image",
        ),
        Column::number(
            "mean_level_db",
            "mean level of the beams or bins; missing in the mode rays, which has no levels",
        ),
    ];
    reading_stream("sonar", "a ping of a sonar when it arrives", at_most, columns)
}

/// Name of a table of a sonar.
fn table_name(model: &SeaModel, prefix: &str, vehicle: usize, own: &SonarSetup) -> String {
    format!("{prefix}-{}-{}", model.vehicles[vehicle].name, own.name)
}

/// The stream of the pings of one sonar: a row a ping with a column a beam or bin, or a row each.
pub(crate) fn ping_stream(model: &SeaModel, vehicle: usize, own: &SonarSetup) -> Stream {
    let name = table_name(model, own.kind.table(), vehicle, own);
    let pings = model.readings(own.sensor());
    let columns = match &own.device {
        Device::Beams(_) if own.extras.long => long_beam_columns(own),
        Device::Beams(_) => beam_columns(own),
        Device::Image(imager) if own.extras.long => long_image_columns(own, imager),
        Device::Image(imager) if own.kind == SonarKind::SideScan => side_columns(own, imager),
        Device::Image(imager) => sector_columns(own, imager),
    };
    let about = match own.kind {
        SonarKind::Multibeam => "a ping of a multibeam when it arrives",
        SonarKind::SingleBeam => "a ping of an echo sounder when it arrives",
        SonarKind::SideScan => "a ping of a side scan when it arrives",
        SonarKind::ForwardLooking => "a beam of a ping of a forward-looking sonar when it arrives",
        SonarKind::Scanning => "a ping of a scanning sonar when it arrives",
    };
    reading_stream(name, about, pings.saturating_mul(own.rows() as u64), std::iter::once(ping_column()).chain(columns))
}

const RANGE: &str =
    "distance that a beam read, from port to starboard; missing without an echo, -inf if it was too near";
const BEAM_LEVEL: &str = "level of a beam, that of the noise without an echo";
const CLASS: &str =
    "class of what returned most: 1 the bottom, 2 algae, 3 a buoy, 4 a rope, 0 none of these or nothing";
const INSTANCE: &str =
    "number of what returned most: 0 nothing, 1 the bottom, from 2 on vehicles, then objects, then ropes";
const ANGLE: &str = "mean angle of what was heard, -pi level to port, -pi/2 straight down, 0 level to starboard";

fn beam_columns(own: &SonarSetup) -> Vec<Column> {
    let kind = ColumnKind::Numbers(own.list() as u32);
    let mut columns = vec![Column::new("beam_#_m", kind, RANGE)];
    columns.extend(own.has_second().then(|| Column::new("level_#_db", kind, BEAM_LEVEL)));
    columns.extend(own.extras.classes.then(|| Column::new("class_#", kind, CLASS)));
    columns.extend(own.extras.instances.then(|| Column::new("instance_#", kind, INSTANCE)));
    columns
}

fn long_beam_columns(own: &SonarSetup) -> Vec<Column> {
    let mut columns =
        vec![Column::integer("beam", "number of the beam, from port to starboard"), Column::number("range_m", RANGE)];
    columns.extend(own.has_second().then(|| Column::number("level_db", BEAM_LEVEL)));
    columns.extend(own.extras.classes.then(|| Column::integer("class", CLASS)));
    columns.extend(own.extras.instances.then(|| Column::integer("instance", INSTANCE)));
    columns
}

/// A column of levels: in dB if they are written so, else with their range.
fn level_column(own: &SonarSetup, imager: &Imager, name: &str, kind: ColumnKind) -> Column {
    let about = "level of a bin, from near to far";
    match imager.display.most(own.acoustics.is_some()) {
        Some(most) => Column::new(name.to_owned(), kind, about).with_range(0.0, most),
        None => Column::new(format!("{name}_db"), kind, about),
    }
}

fn side_columns(own: &SonarSetup, imager: &Imager) -> Vec<Column> {
    let kind = ColumnKind::Numbers(imager.sonar.params().buckets);
    let mut columns: Vec<Column> = ["port_#", "starboard_#"].map(|name| level_column(own, imager, name, kind)).into();
    if own.has_second() {
        columns.extend(["port_angle_#_rad", "starboard_angle_#_rad"].map(|name| Column::new(name, kind, ANGLE)));
    }
    if own.extras.classes {
        columns.extend(["port_class_#", "starboard_class_#"].map(|name| Column::new(name, kind, CLASS)));
    }
    if own.extras.instances {
        columns.extend(["port_instance_#", "starboard_instance_#"].map(|name| Column::new(name, kind, INSTANCE)));
    }
    columns
}

fn beam_head() -> [Column; 2] {
    [
        Column::integer("beam", "number of the beam, from port to starboard"),
        Column::number("angle_rad", "direction of the beam from straight ahead towards port"),
    ]
}

fn sector_columns(own: &SonarSetup, imager: &Imager) -> Vec<Column> {
    let kind = ColumnKind::Numbers(imager.sonar.params().buckets);
    let mut columns: Vec<Column> = beam_head().into();
    columns.push(level_column(own, imager, "bin_#", kind));
    columns.extend(own.extras.classes.then(|| Column::new("class_#", kind, CLASS)));
    columns.extend(own.extras.instances.then(|| Column::new("instance_#", kind, INSTANCE)));
    columns
}

fn long_image_columns(own: &SonarSetup, imager: &Imager) -> Vec<Column> {
    let mut columns: Vec<Column> = if own.kind == SonarKind::SideScan {
        vec![Column::integer("side", "0 to port, 1 to starboard")]
    } else {
        beam_head().into()
    };
    columns.push(Column::integer("bin", "number of the bin, from near to far"));
    columns.push(level_column(own, imager, "level", ColumnKind::Number));
    columns.extend(own.has_second().then(|| Column::number("bin_angle_rad", ANGLE)));
    columns.extend(own.extras.classes.then(|| Column::integer("class", CLASS)));
    columns.extend(own.extras.instances.then(|| Column::integer("instance", INSTANCE)));
    columns
}

/// The stream of the places that the rays of a sonar met.
pub(crate) fn point_stream(model: &SeaModel, vehicle: usize, own: &SonarSetup) -> Stream {
    let columns = [
        ping_column(),
        Column::integer("ray", "number of the ray, beam by beam"),
        Column::number("x_m", "place that it met, east"),
        Column::number("y_m", "place that it met, north"),
        Column::number("z_m", "place that it met, up"),
        Column::number("intensity", "return by the mode rays, without gain").with_range(0.0, 1.0),
        Column::integer("class", "class of what it met: 1 the bottom, 2 algae, 3 a buoy, 4 a rope, 0 none of these"),
        Column::integer(
            "instance",
            "number of what it met: 1 the bottom, from 2 on vehicles, then objects, then ropes",
        ),
    ];
    let at_most = model.readings(own.sensor()).saturating_mul(own.rays() as u64);
    let name = table_name(model, &format!("points-{}", own.kind.table()), vehicle, own);
    reading_stream(name, "a place that a ray of a sonar met, when its ping arrives", at_most, columns)
}

/// The pings that arrived, with their sonars.
fn pings(world: &SeaWorld) -> impl Iterator<Item = (&Arrival, &SonarSetup)> {
    world.readings().arrivals().iter().filter_map(|arrival| {
        let SensorKind::Sonar(kind, place) = arrival.kind else { return None };
        Some((arrival, world.model().vehicles[arrival.vehicle].sonar(kind, place)?))
    })
}

pub(crate) fn sonar_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for (arrival, own) in pings(world) {
        let mut row = Row::new(head(world, arrival, &own.name), own.ping_number(arrival.taken));
        let Lists { head, first, second, .. } = own.lists(world.readings().values(arrival));
        let finite = || first.iter().copied().filter(|range_m| range_m.is_finite());
        // Infinity counts as missing.
        let [beams, hits, least_m, nadir_m, level_db] = match (&own.device, head) {
            (Device::Image(imager), &[hits, least_m, level_db]) => {
                [imager.beams() as f64, hits, least_m, f64::INFINITY, level_db]
            }
            _ => {
                let level_db =
                    if second.is_empty() { f64::NAN } else { second.iter().sum::<f64>() / second.len() as f64 };
                let nadir_m = first.get(first.len() / 2).copied().unwrap_or(f64::NAN);
                let least_m = finite().fold(f64::INFINITY, f64::min);
                [first.len() as f64, finite().count() as f64, least_m, nadir_m, level_db]
            }
        };
        [beams, hits].into_iter().for_each(|count| row.push(Value::Integer(count as i64)));
        [least_m, nadir_m, level_db].into_iter().for_each(|value| row.push(value.into()));
        row.hand_on(out);
    }
}

/// The pings of the sonar at a place of a vehicle.
fn pings_of(world: &SeaWorld, (vehicle, place): (usize, usize)) -> impl Iterator<Item = (&Arrival, &SonarSetup)> {
    let wanted = &world.model().vehicles[vehicle].sonars[place];
    pings(world).filter(move |(arrival, own)| {
        arrival.vehicle == vehicle && (own.kind, own.place) == (wanted.kind, wanted.place)
    })
}

pub(crate) fn ping_rows(world: &SeaWorld, sonar: (usize, usize), out: &mut RowSink<'_>) {
    for (arrival, own) in pings_of(world, sonar) {
        let ping = own.ping_number(arrival.taken);
        let row = || Row::new(head(world, arrival, &own.name), ping);
        let lists = own.lists(world.readings().values(arrival));
        match &own.device {
            Device::Beams(_) if own.extras.long => long_beam_rows(row, lists, out),
            Device::Image(imager) if own.extras.long => long_image_rows(row, (own, imager, ping), lists, out),
            Device::Image(imager) if own.kind != SonarKind::SideScan => sector_rows(row, (imager, ping), lists, out),
            _ => {
                let mut row = row();
                let sides = if own.kind == SonarKind::SideScan { 2 } else { 1 };
                for list in [lists.first, lists.second, lists.classes, lists.instances] {
                    list.chunks_exact((own.list() / sides).max(1)).for_each(|side| row.push_list(side));
                }
                row.hand_on(out);
            }
        }
    }
}

fn long_beam_rows<'a>(row: impl Fn() -> Row<'a>, lists: Lists<'_>, out: &mut RowSink<'_>) {
    for beam in 0..lists.first.len() {
        let mut row = row();
        row.push(beam.into());
        [lists.first, lists.second, lists.classes, lists.instances]
            .into_iter()
            .for_each(|list| row.push_from(list, beam));
        row.hand_on(out);
    }
}

fn sector_rows<'a>(row: impl Fn() -> Row<'a>, (imager, ping): (&Imager, u64), lists: Lists<'a>, out: &mut RowSink<'_>) {
    let bins = imager.sonar.params().buckets as usize;
    for beam in 0..imager.beams() {
        let mut row = row();
        row.push(beam.into());
        row.push(imager.beam_angle_rad(beam, ping).into());
        for list in [lists.first, lists.classes, lists.instances] {
            row.push_list(list.get(beam * bins..(beam + 1) * bins).unwrap_or_default());
        }
        row.hand_on(out);
    }
}

fn long_image_rows<'a>(
    row: impl Fn() -> Row<'a>,
    (own, imager, ping): (&SonarSetup, &Imager, u64),
    lists: Lists<'_>,
    out: &mut RowSink<'_>,
) {
    let bins = imager.sonar.params().buckets as usize;
    for place in 0..lists.first.len() {
        let (mut row, beam) = (row(), place / bins);
        row.push(beam.into());
        if own.kind != SonarKind::SideScan {
            row.push(imager.beam_angle_rad(beam, ping).into());
        }
        row.push((place % bins).into());
        [lists.first, lists.second, lists.classes, lists.instances]
            .into_iter()
            .for_each(|list| row.push_from(list, place));
        row.hand_on(out);
    }
}

pub(crate) fn point_rows(world: &SeaWorld, sonar: (usize, usize), out: &mut RowSink<'_>) {
    for (arrival, own) in pings_of(world, sonar) {
        let lists = own.lists(world.readings().values(arrival));
        for (ray, point) in lists.points.chunks_exact(POINT).enumerate().filter(|(_, point)| point[0].is_finite()) {
            let mut row = Row::new(head(world, arrival, &own.name), own.ping_number(arrival.taken));
            row.push(ray.into());
            let (measured, numbers) = point.split_at(POINT - 2);
            measured.iter().for_each(|&value| row.push(value.into()));
            numbers.iter().for_each(|&number| row.push(Value::Integer(number as i64)));
            row.hand_on(out);
        }
    }
}
