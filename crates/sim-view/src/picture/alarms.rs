//! Distances that are broken, and how they are shown: unmistakably.

use super::CUBE_SIDE_MM;
use super::canvas::{Canvas, Look};
use crate::draw::{Ink, Path, font};
use crate::folder::{AgentRow, MatScenario, SafetySpec};
use crate::frame::{Frame, Other, Violation};
use sim_core::{DVec2, Rect};
use std::collections::{BTreeMap, BTreeSet};

/// A distance counts as broken when it is below its limit by more than this, as in the measures.
const TOLERANCE_MM: f64 = 1e-6;

/// What is too near to what in a frame: in its rows, or by an event at or shortly before it.
#[derive(Debug, Default)]
pub(super) struct Alarms {
    /// Robots that are too near to something.
    pub robots: BTreeSet<u64>,
    /// Feet that something is too near to.
    pub feet: BTreeSet<u64>,
    links: BTreeMap<(u64, Other), Link>,
}

/// Two that are too near to each other.
#[derive(Debug)]
struct Link {
    ends_mm: [DVec2; 2],
    words: String,
    is_over: bool,
}

impl Alarms {
    pub fn of(frame: &Frame, scenario: &MatScenario) -> Self {
        let mut alarms = Self::default();
        for robot in &frame.robots {
            if let Some(distance_mm) = robot.nearest_agent_mm.filter(|d| *d < scenario.safety.d_r_mm - TOLERANCE_MM) {
                let others = frame.robots.iter().filter(|other| other.agent != robot.agent);
                let others = others.map(|other| (Other::Robot(other.agent), other.position_mm));
                alarms.add_nearest(robot, others, distance_mm);
            }
            if let Some(distance_mm) = robot.nearest_foot_mm.filter(|d| *d < scenario.safety.d_h_mm - TOLERANCE_MM) {
                let feet = frame.feet.iter().map(|foot| (Other::Foot(foot.row.foot), foot.row.position_mm));
                alarms.add_nearest(robot, feet, distance_mm);
            }
        }
        frame.violations.iter().for_each(|violation| alarms.add_violation(frame, &scenario.safety, violation));
        alarms
    }

    /// A robot that is too near to the nearest of some others, as its row says.
    fn add_nearest(&mut self, robot: &AgentRow, others: impl Iterator<Item = (Other, DVec2)>, distance_mm: f64) {
        self.robots.insert(robot.agent);
        let from_mm = robot.position_mm;
        let nearest = others.min_by(|a, b| from_mm.distance_squared(a.1).total_cmp(&from_mm.distance_squared(b.1)));
        if let Some((other, place_mm)) = nearest {
            self.add(
                robot.agent,
                other,
                Link { ends_mm: [from_mm, place_mm], words: millimetres(distance_mm), is_over: false },
            );
        }
    }

    /// Two of whom an event tells, if both are in the frame.
    fn add_violation(&mut self, frame: &Frame, safety: &SafetySpec, violation: &Violation) {
        let Violation { robot, other, is_over, least_mm } = *violation;
        let place_of = |number| frame.robots.iter().find(|robot| robot.agent == number).map(|robot| robot.position_mm);
        let (to_mm, limit_mm) = match other {
            Other::Robot(number) => (place_of(number), safety.d_r_mm),
            Other::Foot(number) => {
                let foot = frame.feet.iter().find(|foot| foot.row.foot == number);
                (foot.map(|foot| foot.row.position_mm), safety.d_h_mm)
            }
        };
        let (Some(from_mm), Some(to_mm)) = (place_of(robot), to_mm) else { return };
        let words = match least_mm {
            Some(least_mm) if is_over => format!("down to {}", millimetres(least_mm)),
            _ => format!("under {limit_mm} mm"),
        };
        self.add(robot, other, Link { ends_mm: [from_mm, to_mm], words, is_over });
    }

    /// Adds two, unless they are there already.
    fn add(&mut self, robot: u64, other: Other, link: Link) {
        self.robots.insert(robot);
        let pair = match other {
            Other::Robot(number) => {
                self.robots.insert(number);
                (robot.min(number), Other::Robot(robot.max(number)))
            }
            Other::Foot(number) => {
                self.feet.insert(number);
                (robot, other)
            }
        };
        self.links.entry(pair).or_insert(link);
    }

    pub fn is_empty(&self) -> bool {
        self.robots.is_empty()
    }

    /// How many pairs are too near.
    pub fn pairs(&self) -> usize {
        self.links.values().filter(|link| !link.is_over).count()
    }
}

fn millimetres(distance_mm: f64) -> String {
    format!("{distance_mm:.1} mm")
}

/// Rings round robots that are too near to something, and a line with the distance between the two; dashed where it is over.
pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &Frame, scenario: &MatScenario, alarms: &Alarms) {
    for robot in frame.robots.iter().filter(|robot| alarms.robots.contains(&robot.agent)) {
        let ring = Path::circle(canvas.px(robot.position_mm), canvas.long(0.5 * scenario.safety.d_r_mm));
        draw_line(canvas, ring, alarms.pairs() == 0);
    }
    for Link { ends_mm, words, is_over } in alarms.links.values() {
        // From body to body, so that the numbers on them stay readable.
        let inwards_mm = (ends_mm[1] - ends_mm[0]).clamp_length_max(0.55 * CUBE_SIDE_MM);
        let [a, b] = [ends_mm[0] + inwards_mm, ends_mm[1] - inwards_mm].map(|end| canvas.px(end));
        draw_line(canvas, Path::line(&[a, b]), *is_over);
        let middle = (a + b) * 0.5;
        let half = DVec2::new((0.5 * font::width(words, 1.0) + 0.35).max(2.3), 0.8) * canvas.type_px;
        // Where there is little room between the two, words would hide them.
        if canvas.long(ends_mm[0].distance(ends_mm[1])) < 2.0 * half.x {
            continue;
        }
        canvas.draw(Path::rect(Rect { min: middle - half, max: middle + half }), Ink::fill(canvas.theme().alarm));
        let look = Look::new(canvas.theme().on_alarm).bold().middle();
        canvas.write(middle + DVec2::new(0.0, 0.35) * canvas.type_px, words.clone(), look);
    }
}

fn draw_line(canvas: &mut Canvas<'_>, path: Path, is_over: bool) {
    let (theme, dash) = (canvas.theme(), canvas.pen(9.0));
    let ink = Ink::line(theme.alarm, canvas.pen(4.0));
    canvas.draw(path.clone(), Ink::line(theme.ground, canvas.pen(7.0)));
    canvas.draw(path, if is_over { ink.dashed(dash, 0.7 * dash) } else { ink });
}
