//! The rows of each table.

use super::cells::{CellFault, Cells};
use super::step_table::{Moment, StepRow};
use super::table::Row;
use sim_core::DVec2;

/// A robot at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentRow {
    /// When.
    pub moment: Moment,
    /// Number of the robot.
    pub agent: u64,
    /// Centre.
    pub position_mm: DVec2,
    /// Heading.
    pub heading_rad: f64,
    /// Speed; negative when reversing.
    pub speed_mm_s: f64,
    /// Turn rate.
    pub omega_rad_s: f64,
    /// Velocity with which it came here.
    pub velocity_mm_s: DVec2,
    /// Velocity that it would have liked.
    pub wish_mm_s: DVec2,
    /// Distance to the nearest other robot.
    pub nearest_agent_mm: Option<f64>,
    /// Distance to the nearest foot.
    pub nearest_foot_mm: Option<f64>,
}

/// A foot at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct FootRow {
    /// When.
    pub moment: Moment,
    /// Number of the foot.
    pub foot: u64,
    /// `idle`, `move_out`, `roam`, `return` or `orbit`.
    pub state: String,
    /// Centre.
    pub position_mm: DVec2,
    /// Velocity, as executed.
    pub velocity_mm_s: DVec2,
}

/// A patch at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchRow {
    /// When.
    pub moment: Moment,
    /// Number of the patch.
    pub patch: u64,
    /// Centre.
    pub position_mm: DVec2,
    /// Standard deviation of the hill.
    pub sigma_mm: f64,
    /// Height over lambda, fading included.
    pub peak: f64,
}

/// A cube at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeRow {
    /// When.
    pub moment: Moment,
    /// Number of the cube.
    pub cube: u64,
    /// Middle of the body on the plane.
    pub position_mm: DVec2,
    /// How far it is above that of a cube that stands on the mat.
    pub z_mm: f64,
    /// Clockwise seen from above.
    pub yaw_rad: f64,
    /// Nose up.
    pub pitch_rad: f64,
    /// Right side down.
    pub roll_rad: f64,
    /// What the ID sensor sees on a mat: dots of the centre along x and y, and degrees.
    pub mat: Option<[f64; 3]>,
    /// Speed of the left and right tyre.
    pub wheels_mm_s: [f64; 2],
    /// The lamp: red, green, blue.
    pub led: [u8; 3],
    /// MIDI number of the note that sounds.
    pub sound: Option<u8>,
    /// Exact charge.
    pub battery_percent: f64,
}

/// A car at a step. Lengths in m, angles counter-clockwise from +x.
#[derive(Clone, Debug, PartialEq)]
pub struct CarRow {
    /// When.
    pub moment: Moment,
    /// Number of the car.
    pub car: u64,
    /// Base point.
    pub position_m: DVec2,
    /// Where its front points.
    pub yaw_rad: f64,
    /// Speed of the base point; negative backwards.
    pub speed_m_s: f64,
    /// Turn rate.
    pub yaw_rate_rad_s: f64,
    /// Steering angles: in the middle, of the left and of the right front wheel; positive to the left.
    pub steer_rad: [f64; 3],
    /// Turns of the motor a second.
    pub motor_rps: f64,
    /// Those that the command asks for.
    pub target_rps: f64,
    /// True if it has hit something.
    pub has_collided: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// When.
    pub moment: Moment,
    /// What.
    pub kind: String,
    /// To whom, as `agent 3`.
    pub subject: String,
    /// With whom, or into what.
    pub object: String,
    /// How much.
    pub value: Option<f64>,
    /// In which unit.
    pub unit: String,
}

/// A message over a cube's radio.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageRow {
    /// When it arrived, or was dropped.
    pub moment: Moment,
    /// Number of the cube.
    pub cube: u64,
    /// `write`, `notify`, `drop_write` or `drop_notify`.
    pub direction: String,
    /// `101` to `108`, `1FF`.
    pub characteristic: String,
    /// The bytes, as pairs of hexadecimal digits.
    pub hex: String,
    /// The same in words.
    pub meaning: String,
}

/// A measure of a run or of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryRow {
    /// Name.
    pub metric: String,
    /// Value, if it has one.
    pub value: Option<f64>,
    /// Unit.
    pub unit: String,
    /// What is asked.
    pub limit: Option<f64>,
    /// Whether it is met.
    pub ok: Option<bool>,
}

fn moment(cells: &Cells<'_>) -> Result<Moment, CellFault> {
    Ok(Moment { step: cells.integer(0)?, time_s: cells.number(1)? })
}

fn pair(cells: &Cells<'_>, x: usize) -> Result<DVec2, CellFault> {
    Ok(DVec2::new(cells.number(x)?, cells.number(x + 1)?))
}

impl Row for AgentRow {
    const FILE: &'static str = "agents.csv";
    const COLUMNS: &'static [&'static str] = &[
        "step",
        "time_s",
        "agent",
        "x_mm",
        "y_mm",
        "heading_rad",
        "speed_mm_s",
        "omega_rad_s",
        "vx_mm_s",
        "vy_mm_s",
        "wish_x_mm_s",
        "wish_y_mm_s",
        "nearest_agent_mm",
        "nearest_foot_mm",
    ];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            moment: moment(cells)?,
            agent: cells.integer(2)?,
            position_mm: pair(cells, 3)?,
            heading_rad: cells.number(5)?,
            speed_mm_s: cells.number(6)?,
            omega_rad_s: cells.number(7)?,
            velocity_mm_s: pair(cells, 8)?,
            wish_mm_s: pair(cells, 10)?,
            nearest_agent_mm: cells.maybe(12)?,
            nearest_foot_mm: cells.maybe(13)?,
        })
    }
}

impl Row for FootRow {
    const FILE: &'static str = "feet.csv";
    const COLUMNS: &'static [&'static str] = &["step", "time_s", "foot", "state", "x_mm", "y_mm", "vx_mm_s", "vy_mm_s"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            moment: moment(cells)?,
            foot: cells.integer(2)?,
            state: cells.text(3)?.to_owned(),
            position_mm: pair(cells, 4)?,
            velocity_mm_s: pair(cells, 6)?,
        })
    }
}

impl Row for PatchRow {
    const FILE: &'static str = "patches.csv";
    const COLUMNS: &'static [&'static str] = &["step", "time_s", "patch", "x_mm", "y_mm", "sigma_mm", "peak"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            moment: moment(cells)?,
            patch: cells.integer(2)?,
            position_mm: pair(cells, 3)?,
            sigma_mm: cells.number(5)?,
            peak: cells.number(6)?,
        })
    }
}

impl Row for CubeRow {
    const FILE: &'static str = "cubes.csv";
    const COLUMNS: &'static [&'static str] = &[
        "step",
        "time_s",
        "cube",
        "x_mm",
        "y_mm",
        "z_mm",
        "yaw_rad",
        "pitch_rad",
        "roll_rad",
        "mat_x",
        "mat_y",
        "mat_deg",
        "left_mm_s",
        "right_mm_s",
        "led_r",
        "led_g",
        "led_b",
        "sound",
        "battery_percent",
    ];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        let seen = [cells.maybe(9)?, cells.maybe(10)?, cells.maybe(11)?];
        Ok(Self {
            moment: moment(cells)?,
            cube: cells.integer(2)?,
            position_mm: pair(cells, 3)?,
            z_mm: cells.number(5)?,
            yaw_rad: cells.number(6)?,
            pitch_rad: cells.number(7)?,
            roll_rad: cells.number(8)?,
            mat: if let [Some(x), Some(y), Some(degrees)] = seen { Some([x, y, degrees]) } else { None },
            wheels_mm_s: [cells.number(12)?, cells.number(13)?],
            led: [byte(cells, 14)?, byte(cells, 15)?, byte(cells, 16)?],
            sound: if cells.text(17)?.is_empty() { None } else { Some(byte(cells, 17)?) },
            battery_percent: cells.number(18)?,
        })
    }
}

fn byte(cells: &Cells<'_>, column: usize) -> Result<u8, CellFault> {
    let value = cells.integer(column)?;
    u8::try_from(value).map_err(|_| CellFault { column, problem: format!("{value} is more than 255") })
}

impl Row for CarRow {
    const FILE: &'static str = "cars.csv";
    const COLUMNS: &'static [&'static str] = &[
        "step",
        "time_s",
        "car",
        "x_m",
        "y_m",
        "yaw_rad",
        "speed_m_s",
        "yaw_rate_rad_s",
        "steer_rad",
        "steer_left_rad",
        "steer_right_rad",
        "motor_rps",
        "target_rps",
        "status",
    ];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        let has_collided = match cells.text(13)? {
            "in_progress" => false,
            "collision" => true,
            other => {
                let problem = format!("{other:?} is neither in_progress nor collision");
                return Err(CellFault { column: 13, problem });
            }
        };
        Ok(Self {
            moment: moment(cells)?,
            car: cells.integer(2)?,
            position_m: pair(cells, 3)?,
            yaw_rad: cells.number(5)?,
            speed_m_s: cells.number(6)?,
            yaw_rate_rad_s: cells.number(7)?,
            steer_rad: [cells.number(8)?, cells.number(9)?, cells.number(10)?],
            motor_rps: cells.number(11)?,
            target_rps: cells.number(12)?,
            has_collided,
        })
    }
}

impl Row for EventRow {
    const FILE: &'static str = "events.csv";
    const COLUMNS: &'static [&'static str] = &["step", "time_s", "kind", "subject", "object", "value", "unit"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            moment: moment(cells)?,
            kind: cells.text(2)?.to_owned(),
            subject: cells.text(3)?.to_owned(),
            object: cells.text(4)?.to_owned(),
            value: cells.maybe(5)?,
            unit: cells.text(6)?.to_owned(),
        })
    }
}

impl Row for MessageRow {
    const FILE: &'static str = "messages.csv";
    const COLUMNS: &'static [&'static str] = &["step", "time_s", "cube", "dir", "characteristic", "hex", "meaning"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            moment: moment(cells)?,
            cube: cells.integer(2)?,
            direction: cells.text(3)?.to_owned(),
            characteristic: cells.text(4)?.to_owned(),
            hex: cells.text(5)?.to_owned(),
            meaning: cells.text(6)?.to_owned(),
        })
    }
}

impl Row for SummaryRow {
    const FILE: &'static str = "summary.csv";
    const COLUMNS: &'static [&'static str] = &["metric", "value", "unit", "limit", "ok"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        let ok = match cells.text(4)? {
            "true" => Some(true),
            "false" => Some(false),
            "" => None,
            other => return Err(CellFault { column: 4, problem: format!("{other:?} is neither true nor false") }),
        };
        Ok(Self {
            metric: cells.text(0)?.to_owned(),
            value: cells.maybe(1)?,
            unit: cells.text(2)?.to_owned(),
            limit: cells.maybe(3)?,
            ok,
        })
    }
}

macro_rules! step_rows {
    ($($row:ty),*) => { $(impl StepRow for $row {
        fn moment(&self) -> Moment {
            self.moment
        }
    })* };
}

step_rows!(AgentRow, FootRow, PatchRow, CubeRow, CarRow);
