//! Motor commands, their answers and the wheel speed, characteristic 102 (toio facts, section 6.2).

use super::{Bytes, WireError, flag, in_range, since, u16_of};
use crate::version::Protocol;
use sim_core::ParamError;

/// Largest command of a wheel on the wire, either way.
pub const MAX_WHEEL_UNITS: i16 = 255;
/// Most targets in one command.
pub const MAX_TARGETS: u8 = 29;
/// The coordinate that means: stay with the present one.
pub const KEEP: u16 = 0xffff;

const ANGLE_BITS: u32 = 13;
/// Largest angle of a target, degrees.
pub const MAX_ANGLE_DEG: u16 = (1 << ANGLE_BITS) - 1;

/// Commands of both wheels. More than [`MAX_WHEEL_UNITS`] either way is sent as that, which is beyond what a motor can do anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct WheelCommands {
    /// Left wheel, command units; negative is backwards.
    #[cfg_attr(feature = "schema", schemars(range(min = -MAX_WHEEL_UNITS, max = MAX_WHEEL_UNITS)))]
    pub left: i16,
    /// Right wheel, command units; negative is backwards.
    #[cfg_attr(feature = "schema", schemars(range(min = -MAX_WHEEL_UNITS, max = MAX_WHEEL_UNITS)))]
    pub right: i16,
}

/// How the cube gets to a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Movement {
    /// Turns on the way, backwards if that is shorter.
    #[default]
    Arc = 0,
    /// Turns on the way, never backwards.
    ArcForward = 1,
    /// Turns first, then moves.
    TurnThenMove = 2,
}

/// How the speed changes on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum SpeedCurve {
    /// Constant.
    #[default]
    Constant = 0,
    /// Faster all the way.
    Accelerate = 1,
    /// Slower all the way.
    Decelerate = 2,
    /// Faster to the middle, then slower.
    AccelerateThenDecelerate = 3,
}

/// What `03` and `04` have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Travel {
    /// Chosen by the client, repeated in the answer.
    pub request_id: u8,
    /// Seconds until the cube gives up, per target; 0 means 10 s.
    pub timeout_s: u8,
    /// How the cube turns and moves.
    pub movement: Movement,
    /// Largest speed, in command units; below 10 the write is answered with [`ErrorCode::Unsupported`].
    pub max_speed: u8,
    /// How the speed changes.
    pub speed_curve: SpeedCurve,
}

/// What a target's angle means and which way the cube turns to it: the top three bits of the heading word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Turn {
    /// Angle on the mat, the shorter way.
    #[default]
    Shorter = 0,
    /// Angle on the mat, clockwise.
    Clockwise = 1,
    /// Angle on the mat, counter-clockwise.
    CounterClockwise = 2,
    /// So far clockwise from the heading that the turn is relative to.
    RelativeClockwise = 3,
    /// So far counter-clockwise from that heading.
    RelativeCounterClockwise = 4,
    /// No turn; the angle is ignored.
    None = 5,
    /// Back to the heading at the time of writing, the shorter way; the angle is ignored.
    AsWritten = 6,
}

/// Heading of a target: an angle of 13 bits and what it means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetHeading {
    turn: Turn,
    deg: u16,
}

impl TargetHeading {
    /// Stay as it comes.
    pub const NONE: Self = Self { turn: Turn::None, deg: 0 };
    /// As at the time of writing.
    pub const AS_WRITTEN: Self = Self { turn: Turn::AsWritten, deg: 0 };

    /// `deg` degrees, clockwise on the mat, to be understood as `turn` says.
    ///
    /// # Errors
    /// If the angle is above 8191, the most that the wire holds.
    pub fn new(turn: Turn, deg: u16) -> Result<Self, ParamError> {
        ParamError::check_range("deg", f64::from(deg), 0.0, f64::from(MAX_ANGLE_DEG))?;
        Ok(Self { turn, deg })
    }

    /// What the angle means.
    #[must_use]
    pub fn turn(self) -> Turn {
        self.turn
    }

    /// The angle, 0 to 8191 degrees.
    #[must_use]
    pub fn deg(self) -> u16 {
        self.deg
    }

    fn encode(self) -> u16 {
        ((self.turn as u16) << ANGLE_BITS) | self.deg
    }

    fn decode(word: u16) -> Result<Self, WireError> {
        let turn = match word >> ANGLE_BITS {
            0 => Turn::Shorter,
            1 => Turn::Clockwise,
            2 => Turn::CounterClockwise,
            3 => Turn::RelativeClockwise,
            4 => Turn::RelativeCounterClockwise,
            5 => Turn::None,
            6 => Turn::AsWritten,
            _ => return Err(WireError::out_of_range("heading", word)),
        };
        Ok(Self { turn, deg: word & MAX_ANGLE_DEG })
    }
}

/// Where to go: dots of the mat, or [`KEEP`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Target {
    /// x in dots; [`KEEP`] for the present one (from the second target on: the previous target's).
    pub x: u16,
    /// y in dots; [`KEEP`] likewise.
    pub y: u16,
    /// Heading on arrival.
    pub heading: TargetHeading,
}

impl Target {
    /// True if the target asks for nothing: no place and no heading.
    #[must_use]
    pub fn asks_nothing(&self) -> bool {
        self.x == KEEP && self.y == KEEP && matches!(self.heading.turn, Turn::None | Turn::AsWritten)
    }

    fn encode(&self) -> [u8; 6] {
        let ([a, b], [c, d]) = (self.x.to_le_bytes(), self.y.to_le_bytes());
        let [e, f] = self.heading.encode().to_le_bytes();
        [a, b, c, d, e, f]
    }

    fn decode(&[a, b, c, d, e, f]: &[u8; 6]) -> Result<Self, WireError> {
        Ok(Self { x: u16_of(a, b), y: u16_of(c, d), heading: TargetHeading::decode(u16_of(e, f))? })
    }
}

/// Which of translation and rotation is kept when the motors cannot do both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Priority {
    /// The translation.
    #[default]
    Translation = 0,
    /// The rotation.
    Rotation = 1,
}

/// `05`: go at a speed and turn at a rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Acceleration {
    /// Translation, in command units.
    pub speed: u8,
    /// Change of the translation, in command units per 100 ms; 0 is at once.
    pub acceleration: u8,
    /// Turn rate, in degrees a second.
    pub rotation_deg_s: u16,
    /// Turns counter-clockwise.
    pub is_counter_clockwise: bool,
    /// Goes backwards.
    pub is_backward: bool,
    /// What is kept when the motors cannot do both.
    pub priority: Priority,
    /// How long, in units of 10 ms; 0 is for ever.
    pub duration_10_ms: u8,
}

/// What the motors shall do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MotorCommand {
    /// `01`: turn the wheels until the next command.
    Run(WheelCommands),
    /// `02`: turn the wheels for a time.
    RunFor {
        /// Both wheels.
        wheels: WheelCommands,
        /// How long, in units of 10 ms; 0 is until the next command.
        duration_10_ms: u8,
    },
    /// `03`: go to a target.
    GoTo {
        /// How.
        travel: Travel,
        /// Where.
        target: Target,
    },
    /// `04`: go through targets.
    GoThrough {
        /// How.
        travel: Travel,
        /// Wait for the end of a running `04`, instead of replacing it.
        append: bool,
        /// 1 to 29 targets.
        targets: Vec<Target>,
    },
    /// `05`: go at a speed and turn at a rate.
    Accelerate(Acceleration),
}

impl MotorCommand {
    /// The bytes of a write.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Run(wheels) => [&[1][..], &encode_wheels(*wheels)].concat(),
            Self::RunFor { wheels, duration_10_ms } => [&[2][..], &encode_wheels(*wheels), &[*duration_10_ms]].concat(),
            Self::GoTo { travel, target } => [&[3][..], &encode_travel(travel), &target.encode()].concat(),
            Self::GoThrough { travel, append, targets } => {
                let targets: Vec<u8> = targets.iter().flat_map(Target::encode).collect();
                [&[4][..], &encode_travel(travel), &[u8::from(*append)], &targets].concat()
            }
            Self::Accelerate(a) => {
                let [low, high] = a.rotation_deg_s.to_le_bytes();
                let [turn, way] = [u8::from(a.is_counter_clockwise), u8::from(a.is_backward)];
                vec![5, a.speed, a.acceleration, low, high, turn, way, a.priority as u8, a.duration_10_ms]
            }
        }
    }

    /// The meaning of a write.
    ///
    /// # Errors
    /// If the operation, the length or a field is not one that `protocol` takes.
    pub fn decode(bytes: &[u8], protocol: Protocol) -> Result<Self, WireError> {
        match *bytes {
            [1, ref wheels @ ..] => decode_wheels(wheels, bytes).map(Self::Run),
            [2, ref wheels @ .., duration_10_ms] => {
                Ok(Self::RunFor { wheels: decode_wheels(wheels, bytes)?, duration_10_ms })
            }
            [3, ..] => decode_go_to(bytes, protocol),
            [4, ..] => decode_go_through(bytes, protocol),
            [5, ..] => decode_accelerate(bytes, protocol),
            [2] | [] => Err(WireError::wrong_length(bytes)),
            _ => Err(WireError::UnknownOperation),
        }
    }
}

fn encode_wheels(wheels: WheelCommands) -> [u8; 6] {
    let direction = |command: i16| if command < 0 { 2 } else { 1 };
    let speed = |command: i16| u8::try_from(command.unsigned_abs()).unwrap_or(u8::MAX);
    let WheelCommands { left, right } = wheels;
    [1, direction(left), speed(left), 2, direction(right), speed(right)]
}

fn decode_wheels(halves: &[u8], bytes: &[u8]) -> Result<WheelCommands, WireError> {
    let &[first, first_way, first_speed, second, second_way, second_speed] = halves else {
        return Err(WireError::wrong_length(bytes));
    };
    in_range("wheel", first, 1, 2)?;
    in_range("wheel", second, 1, 2)?;
    if first == second {
        return Err(WireError::SameWheelTwice);
    }
    let a = signed("direction", first_way, first_speed)?;
    let b = signed("direction", second_way, second_speed)?;
    let (left, right) = if first == 1 { (a, b) } else { (b, a) };
    Ok(WheelCommands { left, right })
}

fn signed(field: &'static str, way: u8, speed: u8) -> Result<i16, WireError> {
    let speed = i16::from(speed);
    Ok(if in_range(field, way, 1, 2)? == 1 { speed } else { -speed })
}

fn encode_travel(travel: &Travel) -> [u8; 6] {
    let Travel { request_id, timeout_s, movement, max_speed, speed_curve } = *travel;
    [request_id, timeout_s, movement as u8, max_speed, speed_curve as u8, 0]
}

/// The sixth byte is reserved; what it holds does not matter.
fn decode_travel(&[request_id, timeout_s, movement, max_speed, curve, _]: &[u8; 6]) -> Result<Travel, WireError> {
    let movement = match movement {
        0 => Movement::Arc,
        1 => Movement::ArcForward,
        2 => Movement::TurnThenMove,
        _ => return Err(WireError::out_of_range("movement type", movement)),
    };
    let speed_curve = match curve {
        0 => SpeedCurve::Constant,
        1 => SpeedCurve::Accelerate,
        2 => SpeedCurve::Decelerate,
        3 => SpeedCurve::AccelerateThenDecelerate,
        _ => return Err(WireError::out_of_range("speed type", curve)),
    };
    Ok(Travel { request_id, timeout_s, movement, max_speed, speed_curve })
}

fn decode_go_to(bytes: &[u8], protocol: Protocol) -> Result<MotorCommand, WireError> {
    since(Protocol::V2_1_0, protocol)?;
    let wrong = WireError::wrong_length(bytes);
    let (travel, target) = bytes[1..].split_first_chunk::<6>().ok_or(wrong)?;
    let target: &[u8; 6] = target.try_into().map_err(|_| wrong)?;
    Ok(MotorCommand::GoTo { travel: decode_travel(travel)?, target: Target::decode(target)? })
}

fn decode_go_through(bytes: &[u8], protocol: Protocol) -> Result<MotorCommand, WireError> {
    since(Protocol::V2_1_0, protocol)?;
    let wrong = WireError::wrong_length(bytes);
    let (travel, rest) = bytes[1..].split_first_chunk::<6>().ok_or(wrong)?;
    let (&mode, targets) = rest.split_first().ok_or(wrong)?;
    let (targets, odd) = targets.as_chunks::<6>();
    if !odd.is_empty() {
        return Err(wrong);
    }
    let count = u16::try_from(targets.len()).unwrap_or(u16::MAX);
    if count == 0 || count > u16::from(MAX_TARGETS) {
        return Err(WireError::out_of_range("number of targets", count));
    }
    let append = flag("write mode", mode)?;
    let targets: Result<Vec<_>, _> = targets.iter().map(Target::decode).collect();
    Ok(MotorCommand::GoThrough { travel: decode_travel(travel)?, append, targets: targets? })
}

fn decode_accelerate(bytes: &[u8], protocol: Protocol) -> Result<MotorCommand, WireError> {
    since(Protocol::V2_1_0, protocol)?;
    let &[_, speed, acceleration, low, high, turn, way, priority, duration_10_ms] = bytes else {
        return Err(WireError::wrong_length(bytes));
    };
    Ok(MotorCommand::Accelerate(Acceleration {
        speed,
        acceleration,
        rotation_deg_s: u16_of(low, high),
        is_counter_clockwise: flag("rotation direction", turn)?,
        is_backward: flag("travel direction", way)?,
        priority: if flag("priority", priority)? { Priority::Rotation } else { Priority::Translation },
        duration_10_ms,
    }))
}

/// How a `03` or `04` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// Arrived; the motors have stopped.
    Arrived = 0,
    /// Timeout; the motors have stopped.
    Timeout = 1,
    /// No Position ID; the motors have stopped.
    IdMissed = 2,
    /// The target asks for nothing; the write was dropped.
    BadCombination = 3,
    /// The power is being switched off.
    PoweringOff = 4,
    /// Another motor command has replaced it.
    Replaced = 5,
    /// The largest speed is too low; the write was dropped.
    Unsupported = 6,
    /// One command waits already; the write was dropped.
    AppendRefused = 7,
}

impl ErrorCode {
    fn decode(code: u8) -> Result<Self, WireError> {
        match code {
            0 => Ok(Self::Arrived),
            1 => Ok(Self::Timeout),
            2 => Ok(Self::IdMissed),
            3 => Ok(Self::BadCombination),
            4 => Ok(Self::PoweringOff),
            5 => Ok(Self::Replaced),
            6 => Ok(Self::Unsupported),
            7 => Ok(Self::AppendRefused),
            _ => Err(WireError::out_of_range("answer", code)),
        }
    }
}

/// What the motor characteristic says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MotorReport {
    /// `83`: the end of a `03`.
    Target {
        /// Of the write.
        request_id: u8,
        /// How it ended.
        code: ErrorCode,
    },
    /// `84`: the end of a `04`.
    Targets {
        /// Of the write.
        request_id: u8,
        /// How it ended.
        code: ErrorCode,
    },
    /// `E0`: how fast the wheels turn, from 2.2.0 on. Magnitudes, in command units.
    WheelSpeed {
        /// Left wheel.
        left: u8,
        /// Right wheel.
        right: u8,
    },
}

impl MotorReport {
    /// The bytes of a notification.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        Bytes::from_slice(&match *self {
            Self::Target { request_id, code } => [0x83, request_id, code as u8],
            Self::Targets { request_id, code } => [0x84, request_id, code as u8],
            Self::WheelSpeed { left, right } => [0xe0, left, right],
        })
    }

    /// The meaning of a notification.
    ///
    /// # Errors
    /// If the first byte or the answer is unknown, or the length is not 3.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        match *bytes {
            [0x83, request_id, code] => Ok(Self::Target { request_id, code: ErrorCode::decode(code)? }),
            [0x84, request_id, code] => Ok(Self::Targets { request_id, code: ErrorCode::decode(code)? }),
            [0xe0, left, right] => Ok(Self::WheelSpeed { left, right }),
            [0x83 | 0x84 | 0xe0, ..] | [] => Err(WireError::wrong_length(bytes)),
            _ => Err(WireError::UnknownOperation),
        }
    }
}
