//! Distances that are broken, and how they are shown: unmistakably.

use super::CUBE_SIDE_MM;
use super::canvas::{Canvas, Look};
use crate::draw::{Ink, Path};
use crate::folder::Scenario;
use crate::frame::Frame;
use sim_core::{DVec2, Rect};
use std::collections::{BTreeMap, BTreeSet};

/// A distance counts as broken when it is below its limit by more than this, as in the measures.
const TOLERANCE_MM: f64 = 1e-6;

/// What is too near to what in a frame.
#[derive(Debug, Default)]
pub(super) struct Alarms {
    /// Robots that are too near to something.
    pub robots: BTreeSet<u64>,
    /// Feet that something is too near to.
    pub feet: BTreeSet<u64>,
    links: Vec<Link>,
}

/// Two that are too near to each other.
#[derive(Debug)]
struct Link {
    ends_mm: [DVec2; 2],
    distance_mm: f64,
}

impl Alarms {
    pub fn of(frame: &Frame, scenario: &Scenario) -> Self {
        let mut alarms = Self::default();
        let mut pairs = BTreeMap::new();
        for robot in &frame.robots {
            if let Some(distance_mm) = robot.nearest_robot_mm.filter(|d| *d < scenario.safety.d_r_mm - TOLERANCE_MM) {
                alarms.robots.insert(robot.id);
                let others = frame.robots.iter().filter(|other| other.id != robot.id);
                if let Some(other) = others.min_by(|a, b| nearer(robot.position_mm, a.position_mm, b.position_mm)) {
                    let ends_mm = [robot.position_mm, other.position_mm];
                    pairs
                        .entry([robot.id.min(other.id), robot.id.max(other.id)])
                        .or_insert(Link { ends_mm, distance_mm });
                }
            }
            if let Some(distance_mm) = robot.nearest_foot_mm.filter(|d| *d < scenario.safety.d_h_mm - TOLERANCE_MM) {
                alarms.robots.insert(robot.id);
                let foot = frame.feet.iter().min_by(|a, b| nearer(robot.position_mm, a.position_mm, b.position_mm));
                alarms.feet.extend(foot.map(|foot| foot.id));
                alarms
                    .links
                    .extend(foot.map(|foot| Link { ends_mm: [robot.position_mm, foot.position_mm], distance_mm }));
            }
        }
        alarms.links.extend(pairs.into_values());
        alarms
    }

    pub fn is_empty(&self) -> bool {
        self.robots.is_empty()
    }

    /// How many pairs are too near.
    pub fn pairs(&self) -> usize {
        self.links.len()
    }
}

fn nearer(from: DVec2, a: DVec2, b: DVec2) -> std::cmp::Ordering {
    from.distance_squared(a).total_cmp(&from.distance_squared(b))
}

/// Rings round robots that are too near to something, and a line with the distance between the two.
pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &Frame, scenario: &Scenario, alarms: &Alarms) {
    let theme = canvas.theme();
    for robot in frame.robots.iter().filter(|robot| alarms.robots.contains(&robot.id)) {
        let ring = Path::circle(canvas.px(robot.position_mm), canvas.long(0.5 * scenario.safety.d_r_mm));
        canvas.draw(ring.clone(), Ink::line(theme.ground, canvas.pen(7.0)));
        canvas.draw(ring, Ink::line(theme.alarm, canvas.pen(4.0)));
    }
    for Link { ends_mm, distance_mm } in &alarms.links {
        // From body to body, so that the numbers on them stay readable.
        let inwards_mm = (ends_mm[1] - ends_mm[0]).clamp_length_max(0.55 * CUBE_SIDE_MM);
        let [a, b] = [ends_mm[0] + inwards_mm, ends_mm[1] - inwards_mm].map(|end| canvas.px(end));
        canvas.draw(Path::line(&[a, b]), Ink::line(theme.ground, canvas.pen(7.0)));
        canvas.draw(Path::line(&[a, b]), Ink::line(theme.alarm, canvas.pen(4.0)));
        let middle = (a + b) * 0.5;
        let half = DVec2::new(2.3, 0.8) * canvas.type_px;
        // Where the mat is shown small, the words would hide the two.
        if canvas.long(*distance_mm) < 2.0 * half.x {
            continue;
        }
        canvas.draw(Path::rect(Rect { min: middle - half, max: middle + half }), Ink::fill(theme.alarm));
        let look = Look::new(theme.on_alarm).bold().middle();
        canvas.write(middle + DVec2::new(0.0, 0.35) * canvas.type_px, format!("{distance_mm:.1} mm"), look);
    }
}
