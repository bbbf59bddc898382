//! What the addresses mean: messages to writes of a cube, notifications of a cube to messages.
//!
//! Sources: RamarkoB/toio at aee0591, `toio/src/osc.rs` (the new dialect); its sketches in `toio_processing` and those of Laptop-TOIO
//! (the old one); the bytes are those of the toio Core Cube specification 2.4.0.

use super::packet::Message;

/// How messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// What the sketches for Processing read: the number of the host first, places of the sensor, raw values of the button.
    #[default]
    Old,
    /// What the newer bridge sends: no host, and a button that is 0 while it is pressed.
    New,
}

/// Number of this host, for sketches that have several.
const HOST: i32 = 0;
/// A part of a quaternion is sent in ten-thousandths, since all arguments are whole numbers.
const QUATERNION: f32 = 10_000.0;

/// A write to a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// Number of the cube, from 0.
    pub cube: i32,
    /// Name of the characteristic.
    pub characteristic: &'static str,
    /// What is written.
    pub bytes: Vec<u8>,
}

/// What a message asks of a cube.
///
/// # Errors
/// If there is no such address, or its arguments are other ones.
pub fn write(message: &Message, dialect: Dialect) -> Result<Write, &'static str> {
    let (&cube, arguments) = message.arguments.split_first().ok_or("names no cube")?;
    let (characteristic, bytes) = match message.address.as_str() {
        "/motorbasic" => ("102", [vec![1], wheels(take(arguments)?, dialect)?].concat()),
        "/motorduration" => {
            let [left @ .., duration] = take::<5>(arguments)?;
            ("102", [vec![2], wheels(left, dialect)?, vec![byte(duration)?]].concat())
        }
        "/motortarget" => ("102", target(arguments)?),
        "/multitarget" => {
            let (head, places) = arguments.split_at_checked(5).ok_or(WRONG)?;
            let append = u8::from(dialect == Dialect::New);
            ("102", [vec![4], bytes_of(head)?, vec![0, append], words(places, 3)?].concat())
        }
        "/multitargetsimple" => {
            let (&mode, places) = arguments.split_first().ok_or(WRONG)?;
            ("102", [vec![4], simple(mode)?, vec![0, 0], words(places, 3)?].concat())
        }
        "/motoracceleration" => {
            let [speed, gain, turn, turn_way, way, priority, duration] = take(arguments)?;
            let behind = bytes_of(&[turn_way, way, priority, duration])?;
            ("102", [vec![5], bytes_of(&[speed, gain])?, words(&[turn], 1)?, behind].concat())
        }
        "/led" => {
            let [duration, colour @ ..] = take::<4>(arguments)?;
            ("103", [vec![3, byte(duration)?, 1, 1], bytes_of(&colour)?].concat())
        }
        "/multiLed" => ("103", lights(arguments)?),
        "/sound" => ("104", [vec![2], bytes_of(&take::<2>(arguments)?)?].concat()),
        "/midi" => ("104", notes(arguments)?),
        "/motion" => ("106", asks(arguments, &[0x81])?),
        "/magnetic" => ("106", asks(arguments, &[0x82])?),
        "/postureeuler" => ("106", asks(arguments, &[0x83, 1])?),
        "/posturequaternion" => ("106", asks(arguments, &[0x83, 2])?),
        _ => return Err("has an address that means nothing"),
    };
    Ok(Write { cube, characteristic, bytes })
}

const WRONG: &str = "has other arguments than its address takes";

fn take<const COUNT: usize>(arguments: &[i32]) -> Result<[i32; COUNT], &'static str> {
    arguments.try_into().map_err(|_| WRONG)
}

fn byte(argument: i32) -> Result<u8, &'static str> {
    argument.try_into().map_err(|_| "has an argument that is no byte")
}

fn bytes_of(arguments: &[i32]) -> Result<Vec<u8>, &'static str> {
    arguments.iter().map(|argument| byte(*argument)).collect()
}

/// Two bytes each, in groups of a size, at least one.
fn words(arguments: &[i32], size: usize) -> Result<Vec<u8>, &'static str> {
    if arguments.is_empty() || !arguments.len().is_multiple_of(size) {
        return Err(WRONG);
    }
    let words = arguments.iter().map(|argument| u16::try_from(*argument).map(u16::to_le_bytes));
    words.collect::<Result<Vec<_>, _>>().map(|words| words.concat()).map_err(|_| "has an argument that is no word")
}

/// Both motors: direction and speed each. The sketches send negative speeds with a direction of their own; the old bridge took the
/// absolute value, the new one the lowest byte, which a cube drops where it is too fast.
fn wheels([left_way, left, right_way, right]: [i32; 4], dialect: Dialect) -> Result<Vec<u8>, &'static str> {
    let speed = |speed: i32| match dialect {
        Dialect::Old => byte(speed.saturating_abs()),
        Dialect::New => Ok(speed as u8),
    };
    Ok(vec![1, byte(left_way)?, speed(left)?, 2, byte(right_way)?, speed(right)?])
}

/// How the short messages of the old sketches have a cube go: request 0, five seconds at most, their mode, speed 80, constant.
fn simple(mode: i32) -> Result<Vec<u8>, &'static str> {
    Ok(vec![0, 5, byte(mode)?, 80, 0])
}

/// A target with all that a cube takes, or the short one of the old sketches: mode, x, y, angle.
fn target(arguments: &[i32]) -> Result<Vec<u8>, &'static str> {
    if let [mode, place @ ..] = arguments
        && place.len() == 3
    {
        return Ok([vec![3], simple(*mode)?, vec![0], words(place, 3)?].concat());
    }
    let [control, timeout, mode, speed, change, place @ ..] = take::<8>(arguments)?;
    let head = bytes_of(&[control, timeout, mode, speed, change])?;
    Ok([vec![3], head, vec![0], words(&place, 3)?].concat())
}

/// Lights one after the other: repetitions, then duration and colour each.
fn lights(arguments: &[i32]) -> Result<Vec<u8>, &'static str> {
    let (&repetitions, lights) = arguments.split_first().ok_or(WRONG)?;
    let count = groups(lights, 4)?;
    let each = lights.chunks(4).map(|light| Ok([vec![byte(light[0])?, 1, 1], bytes_of(&light[1..])?].concat()));
    Ok([vec![4, byte(repetitions)?, count], each.collect::<Result<Vec<_>, &'static str>>()?.concat()].concat())
}

/// Notes one after the other: repetitions, then duration, note and volume each; or one note of the old sketches without repetitions.
fn notes(arguments: &[i32]) -> Result<Vec<u8>, &'static str> {
    if arguments.len() == 3 {
        return Ok([vec![3, 1, 1], bytes_of(arguments)?].concat());
    }
    let (&repetitions, notes) = arguments.split_first().ok_or(WRONG)?;
    let count = groups(notes, 3)?;
    Ok([vec![3, byte(repetitions)?, count], bytes_of(notes)?].concat())
}

fn groups(arguments: &[i32], size: usize) -> Result<u8, &'static str> {
    let is_whole = !arguments.is_empty() && arguments.len().is_multiple_of(size);
    is_whole.then(|| (arguments.len() / size).try_into().ok()).flatten().ok_or(WRONG)
}

fn asks(arguments: &[i32], bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
    if arguments.is_empty() { Ok(bytes.to_vec()) } else { Err(WRONG) }
}

/// The message of a notification; none if no address tells of it.
#[must_use]
pub fn message(cube: usize, characteristic: &str, bytes: &[u8], dialect: Dialect) -> Option<Message> {
    let is_old = dialect == Dialect::Old;
    let word =
        |at: usize| bytes.get(at..at + 2).and_then(|two| two.try_into().ok()).map(u16::from_le_bytes).map(i32::from);
    let words = |places: &[usize]| places.iter().map(|at| word(*at)).collect::<Option<Vec<i32>>>();
    let values = |from: usize| bytes.get(from..).map(|rest| rest.iter().map(|value| i32::from(*value)).collect());
    let signed = |from: usize| bytes[from..].iter().map(|value| i32::from(*value as i8));
    let (address, arguments): (&str, Option<Vec<i32>>) = match (characteristic, bytes) {
        ("101", [1, ..]) if is_old => ("/position", words(&[1, 3, 5, 7, 9])),
        ("101", [1, ..]) => ("/position", words(&[1, 3, 5])),
        ("101", [2, a, b, c, d, ..]) if !is_old => {
            let id = i32::from_le_bytes([*a, *b, *c, *d]);
            ("/standard", word(5).map(|angle| vec![id, angle]))
        }
        ("101", [3]) if !is_old => ("/positionMissed", Some(Vec::new())),
        ("101", [4]) if !is_old => ("/standardMissed", Some(Vec::new())),
        ("102", [0x83 | 0x84, control, code]) => ("/motorresponse", Some(vec![(*control).into(), (*code).into()])),
        ("102", [0xe0, _, _]) => (if is_old { "/speedresponse" } else { "/motorSpeed" }, values(1)),
        ("106", [1, _, _, _, _, _]) => ("/motion", values(1)),
        ("106", [2, state, strength, _, _, _]) => {
            let direction = signed(3);
            ("/magnetic", Some([(*state).into(), (*strength).into()].into_iter().chain(direction).collect()))
        }
        ("106", [3, 1, ..]) => {
            let angle = |at| word(at).map(|angle| i32::from(angle as u16 as i16));
            let angles = [2, 4, 6].into_iter().map(angle).collect();
            (if is_old { "/postureeuler" } else { "/postureEuler" }, angles)
        }
        ("106", [3, 2, rest @ ..]) => {
            let parts = rest.chunks_exact(4).filter_map(|four| four.try_into().ok().map(f32::from_le_bytes));
            let parts = parts.map(|part| (QUATERNION * part).round() as i32).collect();
            (if is_old { "/posturequaternion" } else { "/PostureQuaternion" }, Some(parts))
        }
        ("107", [1, raw]) if is_old => ("/button", Some(vec![(*raw).into()])),
        ("107", [1, raw]) => ("/button", Some(vec![if *raw == 0 { 128 } else { 0 }])),
        ("108", [_]) => ("/battery", values(0)),
        _ => return None,
    };
    let host = is_old.then_some(HOST);
    let cube = i32::try_from(cube).ok()?;
    let arguments = host.into_iter().chain([cube]).chain(arguments?).collect();
    Some(Message { address: address.to_owned(), arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str, arguments: &[i32], dialect: Dialect) -> Result<(&'static str, Vec<u8>), &'static str> {
        let message = Message { address: address.to_owned(), arguments: arguments.to_vec() };
        write(&message, dialect).map(|write| {
            assert_eq!(write.cube, arguments[0]);
            (write.characteristic, write.bytes)
        })
    }

    /// The bytes are those of the specification's own examples and tables.
    #[test]
    fn messages_are_writes_of_the_specification() {
        use Dialect::{New, Old};
        let cases: [(&str, &[i32], &str, &[u8]); 17] = [
            ("/motorbasic", &[0, 1, 100, 2, 20], "102", &[1, 1, 1, 100, 2, 2, 20]),
            ("/motorduration", &[1, 1, 100, 2, 20, 10], "102", &[2, 1, 1, 100, 2, 2, 20, 10]),
            (
                "/motortarget",
                &[0, 0, 5, 0, 80, 0, 700, 386, 90],
                "102",
                &[3, 0, 5, 0, 80, 0, 0, 0xbc, 0x02, 0x82, 0x01, 0x5a, 0x00],
            ),
            ("/motortarget", &[0, 2, 700, 386, 90], "102", &[3, 0, 5, 2, 80, 0, 0, 0xbc, 2, 0x82, 1, 0x5a, 0]),
            (
                "/multitarget",
                &[0, 0, 5, 0, 80, 0, 700, 386, 90, 500, 386, 270],
                "102",
                &[4, 0, 5, 0, 80, 0, 0, 0, 0xbc, 2, 0x82, 1, 0x5a, 0, 0xf4, 1, 0x82, 1, 0x0e, 1],
            ),
            ("/multitargetsimple", &[0, 1, 700, 386, 90], "102", &[4, 0, 5, 1, 80, 0, 0, 0, 0xbc, 2, 0x82, 1, 0x5a, 0]),
            ("/motoracceleration", &[0, 50, 5, 15, 0, 0, 0, 100], "102", &[5, 50, 5, 15, 0, 0, 0, 0, 100]),
            ("/led", &[0, 16, 255, 0, 0], "103", &[3, 16, 1, 1, 255, 0, 0]),
            (
                "/multiLed",
                &[0, 0, 30, 0, 255, 0, 30, 0, 0, 255],
                "103",
                &[4, 0, 2, 30, 1, 1, 0, 255, 0, 30, 1, 1, 0, 0, 255],
            ),
            ("/sound", &[0, 4, 255], "104", &[2, 4, 255]),
            ("/midi", &[0, 0, 30, 60, 255, 30, 62, 255], "104", &[3, 0, 2, 30, 60, 255, 30, 62, 255]),
            ("/midi", &[0, 30, 60, 255], "104", &[3, 1, 1, 30, 60, 255]),
            ("/motion", &[0], "106", &[0x81]),
            ("/magnetic", &[0], "106", &[0x82]),
            ("/postureeuler", &[0], "106", &[0x83, 1]),
            ("/posturequaternion", &[0], "106", &[0x83, 2]),
            ("/motorbasic", &[0, 2, -100, 1, 20], "102", &[1, 1, 2, 100, 2, 1, 20]),
        ];
        for (address, arguments, characteristic, bytes) in cases {
            assert_eq!(of(address, arguments, Old), Ok((characteristic, bytes.to_vec())), "{address} {arguments:?}");
        }
        // The new bridge sends the lowest byte of a negative speed, and appends further targets.
        assert_eq!(of("/motorbasic", &[0, 2, -100, 1, 20], New), Ok(("102", vec![1, 1, 2, 156, 2, 1, 20])));
        assert_eq!(of("/multitarget", &[0, 0, 5, 0, 80, 0, 1, 2, 3], New).unwrap().1[7], 1);
    }

    #[test]
    fn other_arguments_are_refused() {
        let cases: [(&str, &[i32]); 10] = [
            ("/motorbasic", &[0, 1, 100, 2]),
            ("/motorbasic", &[0, 1, 256, 2, 20]),
            ("/motorbasic", &[0, -1, 100, 2, 20]),
            ("/motortarget", &[0, 0, 5, 0, 80, 0, 65_536, 386, 90]),
            ("/multitarget", &[0, 0, 5, 0, 80, 0]),
            ("/multitarget", &[0, 0, 5, 0, 80, 0, 1, 2]),
            ("/multiLed", &[0, 0, 30, 0, 255]),
            ("/midi", &[0, 0]),
            ("/motion", &[0, 1]),
            ("/dance", &[0]),
        ];
        for (address, arguments) in cases {
            assert!(of(address, arguments, Dialect::Old).is_err(), "{address} {arguments:?}");
        }
        assert!(write(&Message { address: "/led".into(), arguments: vec![] }, Dialect::Old).is_err());
    }

    /// Characteristic and notification; address and arguments of the old dialect, then of the new one.
    type Case<'a> = (&'a str, &'a [u8], &'a str, &'a [i32], &'a str, &'a [i32]);

    /// The table of both dialects.
    #[test]
    fn notifications_are_messages_of_both_dialects() {
        let position = [1, 0xbc, 2, 0x82, 1, 0x5a, 0, 0xc0, 2, 0x83, 1, 0x5a, 0];
        let half = [&[3, 2][..], &0.5_f32.to_le_bytes(), &[0; 8], &(-1_f32).to_le_bytes()].concat();
        let cases: [Case<'_>; 8] = [
            ("101", &position, "/position", &[0, 7, 700, 386, 90, 704, 387], "/position", &[7, 700, 386, 90]),
            ("102", &[0x83, 3, 1], "/motorresponse", &[0, 7, 3, 1], "/motorresponse", &[7, 3, 1]),
            ("102", &[0xe0, 30, 20], "/speedresponse", &[0, 7, 30, 20], "/motorSpeed", &[7, 30, 20]),
            ("106", &[1, 1, 0, 1, 3, 9], "/motion", &[0, 7, 1, 0, 1, 3, 9], "/motion", &[7, 1, 0, 1, 3, 9]),
            (
                "106",
                &[2, 1, 5, 0xf6, 0, 10],
                "/magnetic",
                &[0, 7, 1, 5, -10, 0, 10],
                "/magnetic",
                &[7, 1, 5, -10, 0, 10],
            ),
            (
                "106",
                &[3, 1, 0xff, 0xff, 90, 0, 0x4c, 0xff],
                "/postureeuler",
                &[0, 7, -1, 90, -180],
                "/postureEuler",
                &[7, -1, 90, -180],
            ),
            (
                "106",
                &half,
                "/posturequaternion",
                &[0, 7, 5000, 0, 0, -10_000],
                "/PostureQuaternion",
                &[7, 5000, 0, 0, -10_000],
            ),
            ("108", &[90], "/battery", &[0, 7, 90], "/battery", &[7, 90]),
        ];
        for (characteristic, bytes, old, old_arguments, new, new_arguments) in cases {
            let of = |dialect| message(7, characteristic, bytes, dialect);
            let expected = |address: &str, arguments: &[i32]| {
                Some(Message { address: address.to_owned(), arguments: arguments.to_vec() })
            };
            assert_eq!(of(Dialect::Old), expected(old, old_arguments));
            assert_eq!(of(Dialect::New), expected(new, new_arguments));
        }
        let button = |raw, dialect| message(7, "107", &[1, raw], dialect).map(|message| message.arguments);
        assert_eq!([button(0x80, Dialect::Old), button(0, Dialect::Old)], [Some(vec![0, 7, 128]), Some(vec![0, 7, 0])]);
        assert_eq!([button(0x80, Dialect::New), button(0, Dialect::New)], [Some(vec![7, 0]), Some(vec![7, 128])]);
        let standard = message(7, "101", &[2, 0x1c, 0, 0x38, 0, 15, 0], Dialect::New).unwrap();
        assert_eq!((standard.address.as_str(), standard.arguments), ("/standard", vec![7, 0x38_001c, 15]));
        for (bytes, address) in [([3], "/positionMissed"), ([4], "/standardMissed")] {
            assert_eq!(message(7, "101", &bytes, Dialect::New).unwrap().address, address);
            assert_eq!(message(7, "101", &bytes, Dialect::Old), None);
        }
        assert_eq!(message(7, "101", &[1, 2], Dialect::Old), None, "half a position");
    }
}
