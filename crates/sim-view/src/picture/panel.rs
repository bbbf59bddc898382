//! The words and numbers beside the mat.

use super::alarms::Alarms;
use super::canvas::{Canvas, Look};
use super::column::{Column, NOTE_LINES};
use super::cubes::tilt_deg;
use super::floor::Floor;
use super::heat::Heat;
use super::layout::Layout;
use super::style::Layer;
use super::{ARROW_S, CUBE_SIDE_MM, ELLIPSES_S};
use crate::draw::{Color, Image, Ink, Path, Shape};
use crate::folder::{AgentRow, CubeRow, MatScenario, RunFolder};
use crate::frame::Frame;
use crate::theme::Theme;
use sim_core::{DVec2, Rect};

/// More cubes than this are not listed one by one.
const MOST_CUBES: usize = 12;

/// More feet than this are not listed one by one.
const MOST_FEET: u64 = 4;

/// A robot that is faster counts as moving, mm/s.
const MOVING_MM_S: f64 = 10.0;

/// What the words are about.
pub(super) struct Facts<'a> {
    pub folder: &'a RunFolder,
    pub scenario: &'a MatScenario,
    pub frame: &'a Frame,
    pub alarms: &'a Alarms,
    pub heat: &'a Heat,
    pub floor: &'a Floor,
}

/// Height that the panel of such a scenario needs, in heights of the type.
pub(super) fn height_in_types(folder: &RunFolder, scenario: &MatScenario) -> f64 {
    let notes = NOTE_LINES * folder.notes().len() as f64;
    let cubes = scenario.cubes.len().min(MOST_CUBES) as f64;
    let listed = if cubes > 0.0 { 2.5 + 2.6 * cubes } else { 0.0 };
    let feet = scenario.feet.count.min(MOST_FEET) as f64;
    let robots = if scenario.agents.count > 0 { 15.0 } else { 0.0 };
    let field = if scenario.feet.count + scenario.patches.count > 0 { 13.0 + 1.5 * feet } else { 0.0 };
    6.5 + robots + field + listed + notes
}

pub(super) fn draw(canvas: &mut Canvas<'_>, layout: &Layout, facts: &Facts<'_>) {
    let Some(area) = layout.panel else { return };
    let mut column = Column::new(canvas, area);
    column.heading(facts.folder.record(), facts.frame.time_s, facts.frame.step);
    column.distances(facts);
    column.verdict(facts);
    column.motion(facts);
    if facts.heat.is_there(facts.frame) && column.canvas.shows(Layer::Heat) {
        column.potential(facts.heat);
    }
    column.cubes(facts);
    column.key(facts);
    column.notes(facts.folder.notes());
}

impl Column<'_, '_> {
    /// Smallest distances now and so far, with what is asked.
    fn distances(&mut self, facts: &Facts<'_>) {
        if facts.frame.robots.is_empty() {
            return;
        }
        self.rule();
        let width = self.area.size().x;
        let columns = [0.62, 0.82, 1.0].map(|share| self.area.min.x + share * width);
        for (x, words) in columns.into_iter().zip(["now", "so far", "at least"]) {
            self.write(self.at(x), words, self.faint().size(0.85).end());
        }
        self.write(self.left(), "nearest, mm", self.faint().size(0.85));
        let (safety, so_far) = (&facts.scenario.safety, &facts.frame.so_far);
        let now =
            |distance: fn(&AgentRow) -> Option<f64>| facts.frame.robots.iter().filter_map(distance).reduce(f64::min);
        let rows = [
            ("two robots", now(|robot| robot.nearest_agent_mm), so_far.robot_robot_mm, safety.d_r_mm),
            ("robot and foot", now(|robot| robot.nearest_foot_mm), so_far.robot_foot_mm, safety.d_h_mm),
        ];
        let has_feet = facts.scenario.feet.count > 0;
        for (words, now, so_far, limit) in rows.into_iter().take(if has_feet { 2 } else { 1 }) {
            self.skip(1.5);
            self.write(self.left(), words, self.ink());
            for (x, value) in columns.into_iter().zip([now, so_far]) {
                let broken = value.is_some_and(|value| value < limit - 1e-6);
                let look = if broken { Look::new(self.canvas.theme().alarm).bold() } else { self.ink() };
                self.write(self.at(x), value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}")), look.end());
            }
            self.write(self.at(columns[2]), format!("{limit}"), self.faint().end());
        }
    }

    /// A bar that says whether a distance is broken now, was broken before, or never.
    fn verdict(&mut self, facts: &Facts<'_>) {
        if facts.frame.robots.is_empty() {
            return;
        }
        let so_far = facts.frame.so_far.robot_violations + facts.frame.so_far.foot_violations;
        let total = format!("{so_far} violation{} so far", if so_far == 1 { "" } else { "s" });
        let pairs = match (facts.alarms.is_empty(), facts.alarms.pairs()) {
            (true, _) => None,
            (false, 0) => Some("TOO NEAR JUST NOW".to_owned()),
            (false, 1) => Some("TOO NEAR: 1 pair".to_owned()),
            (false, pairs) => Some(format!("TOO NEAR: {pairs} pairs")),
        };
        let words = match (pairs, so_far) {
            (None, 0) => "no violation so far".to_owned(),
            (None, _) => total,
            (Some(pairs), 0) => pairs,
            (Some(pairs), _) => format!("{pairs}, {total}"),
        };
        self.verdict_bar(&words, !facts.alarms.is_empty(), so_far > 0);
    }

    /// How fast robots and feet are.
    fn motion(&mut self, facts: &Facts<'_>) {
        let Frame { robots, feet, .. } = facts.frame;
        if robots.is_empty() && feet.is_empty() {
            return;
        }
        self.rule();
        self.y -= self.em(1.5);
        if !robots.is_empty() {
            let speeds = || robots.iter().map(|robot| robot.velocity_mm_s.length());
            let count = robots.len() as f64;
            let moving = 100.0 * speeds().filter(|speed| *speed > MOVING_MM_S).count() as f64 / count;
            let mean = speeds().sum::<f64>() / count;
            self.fact(&format!("{} robots", robots.len()), &format!("{mean:.0} mm/s, {moving:.0} % moving"));
        }
        if feet.len() as u64 > MOST_FEET {
            let mean = feet.iter().map(|foot| foot.row.velocity_mm_s.length()).sum::<f64>() / feet.len() as f64;
            return self.fact(&format!("{} feet", feet.len()), &format!("{mean:.0} mm/s"));
        }
        for foot in feet {
            let words = format!("{}, {:.0} mm/s", foot.row.state.replace('_', " "), foot.row.velocity_mm_s.length());
            self.fact(&format!("foot {}", foot.row.foot), &words);
        }
    }

    /// The colours of the potential with the spec's sign.
    fn potential(&mut self, heat: &Heat) {
        self.rule();
        self.write(self.left(), "potential U", self.ink());
        self.write(self.right(), "robots climb it", self.faint().size(0.85).end());
        self.skip(0.6);
        let bar = Rect { min: self.left(), max: self.right() + DVec2::new(0.0, self.em(0.9)) };
        let colors = heat.colors().to_vec();
        self.canvas.scene.shapes.push(Shape::Image(bar, Image { width: colors.len(), pixels: colors }));
        self.skip(1.9);
        let extent = heat.extent();
        let look = self.faint().size(0.85);
        self.write(self.left(), format!("\u{2264} \u{2212}{extent:.2}  foot"), look);
        self.write(self.at(bar.center().x), "0", look.middle());
        self.write(self.right(), format!("patch  +{extent:.2} \u{2264}"), look.end());
    }

    fn cubes(&mut self, facts: &Facts<'_>) {
        if facts.frame.cubes.is_empty() || !facts.frame.robots.is_empty() {
            return;
        }
        self.rule();
        self.write(self.left(), "cubes", self.ink());
        self.write(self.right(), "place on mat, or card", self.faint().size(0.85).end());
        for cube in facts.frame.cubes.iter().take(MOST_CUBES) {
            self.skip(1.5);
            self.cube(cube, facts);
            self.skip(1.1);
        }
        self.skip(1.4);
        let more = facts.frame.cubes.len().saturating_sub(MOST_CUBES);
        if more > 0 {
            self.write(self.left(), format!("and {more} more"), self.faint().size(0.85));
        }
    }

    fn cube(&mut self, cube: &CubeRow, facts: &Facts<'_>) {
        let names = &facts.scenario.cubes;
        let name = names.get(cube.cube as usize).and_then(|spec| spec.name.clone()).unwrap_or_default();
        let [r, g, b] = cube.led;
        let lamp = Path::circle(self.left() + DVec2::new(self.em(0.45), -self.em(0.33)), self.em(0.42));
        let ink =
            Ink::fill(Color { rgb: [r, g, b], alpha: 1.0 }).with_line(self.canvas.theme().faint, self.canvas.pen(1.0));
        self.canvas.draw(lamp, ink);
        self.write(self.at(self.area.min.x + self.em(1.3)), format!("{} {name}", cube.cube), self.ink());
        let under = facts.floor.under(cube).unwrap_or_else(|| "reads nothing".to_owned());
        self.write(self.right(), under, self.ink().end());
        self.skip(1.15);
        let words = self.fitted(
            &state_words(cube, facts.frame.pressed.contains(&cube.cube)),
            0.85,
            self.area.size().x - self.em(1.3),
        );
        self.write(self.at(self.area.min.x + self.em(1.3)), words, self.faint().size(0.85));
        self.y -= self.em(1.15);
    }

    /// What the signs on the mat mean.
    fn key(&mut self, facts: &Facts<'_>) {
        let Frame { robots, feet, patches, .. } = facts.frame;
        if robots.is_empty() && feet.is_empty() {
            return;
        }
        self.rule();
        let signs = Signs { theme: self.canvas.theme(), em: self.canvas.type_px, pen: self.canvas.pen(1.6) };
        let safety = &facts.scenario.safety;
        let (d_r_mm, d_h_mm) = (safety.d_r_mm, safety.d_h_mm);
        if !robots.is_empty() {
            self.sign(&format!("robot {CUBE_SIDE_MM} mm, bar at its front"), |at| signs.robot(at));
            self.sign_of(Layer::Velocities, &format!("velocity: its way in {ARROW_S} s"), |at| signs.velocity(at));
            let words = format!("{} mm: two that touch are {d_r_mm} mm apart", 0.5 * d_r_mm);
            self.sign_of(Layer::Limits, &words, |at| signs.robot_limit(at));
        }
        if !feet.is_empty() {
            let words = format!("{d_h_mm} mm round a foot, free of robots");
            self.sign_of(Layer::Limits, &words, |at| signs.foot_limit(at));
            let times = ELLIPSES_S.map(|tau_s| tau_s.to_string()).join(", ");
            self.sign_of(Layer::Ellipses, &format!("foot in {times} s: one \u{3c3}"), |at| signs.ellipses(at));
        }
        if !patches.is_empty() {
            self.sign_of(Layer::Patches, "patch: centre and \u{3c3}", |at| signs.patch(at));
        }
    }

    /// A sign, if its layer is shown.
    fn sign_of(&mut self, layer: Layer, words: &str, drawing: impl Fn(DVec2) -> Vec<(Path, Ink)>) {
        if self.canvas.shows(layer) {
            self.sign(words, drawing);
        }
    }
}

/// What a cube does, in words.
fn state_words(cube: &CubeRow, is_pressed: bool) -> String {
    let [left, right] = cube.wheels_mm_s;
    let mut words = vec![format!("wheels {left:.0} {right:.0} mm/s")];
    let tilt = tilt_deg(cube);
    words.extend((tilt > 2.0).then(|| format!("tilted {tilt:.0}\u{b0}")));
    words.extend((cube.z_mm > 1.0).then(|| format!("lifted {:.0} mm", cube.z_mm)));
    words.extend(is_pressed.then(|| "button down".to_owned()));
    words.extend(cube.sound.map(|note| format!("note {note}")));
    words.join(", ")
}

/// Small drawings of what is on the mat.
struct Signs<'a> {
    theme: &'a Theme,
    em: f64,
    pen: f64,
}

impl Signs<'_> {
    fn robot(&self, at: DVec2) -> Vec<(Path, Ink)> {
        let ink = Ink::fill(self.theme.robot).with_line(self.theme.on_robot, 0.6 * self.pen);
        let (ahead, half) = (DVec2::new(0.33 * self.em, 0.0), DVec2::new(0.0, 0.2 * self.em));
        let bar = Path::line(&[at + ahead - half, at + ahead + half]);
        vec![
            (Path::round_square(at, self.em, 0.15 * self.em, 0.0), ink),
            (bar, Ink::line(self.theme.on_robot, self.pen)),
        ]
    }

    fn velocity(&self, at: DVec2) -> Vec<(Path, Ink)> {
        let (arm, side) = (DVec2::new(0.8 * self.em, 0.0), DVec2::new(0.0, 0.22 * self.em));
        let neck = at + arm * 0.4;
        let head = Path::polygon(&[at + arm, neck + side, neck - side]);
        vec![
            (Path::line(&[at - arm, neck]), Ink::line(self.theme.arrow, self.pen)),
            (head, Ink::fill(self.theme.arrow)),
        ]
    }

    fn robot_limit(&self, at: DVec2) -> Vec<(Path, Ink)> {
        vec![(Path::circle(at, 0.6 * self.em), Ink::line(self.theme.ink.faded(0.5), self.pen))]
    }

    fn foot_limit(&self, at: DVec2) -> Vec<(Path, Ink)> {
        let ink = Ink::line(self.theme.foot, self.pen).dashed(0.3 * self.em, 0.25 * self.em);
        vec![(Path::circle(at, 0.6 * self.em), ink)]
    }

    fn ellipses(&self, at: DVec2) -> Vec<(Path, Ink)> {
        let ring = |x: f64, alpha: f64| {
            let center = at + DVec2::new(x * self.em, 0.0);
            let path = Path::ellipse(center, [0.5 * self.em, 0.4 * self.em], 0.0);
            (path, Ink::line(self.theme.foot.faded(alpha), 0.8 * self.pen))
        };
        vec![ring(-0.35, 1.0), ring(0.0, 0.7), ring(0.35, 0.4)]
    }

    fn patch(&self, at: DVec2) -> Vec<(Path, Ink)> {
        let arm = DVec2::new(0.2 * self.em, 0.0);
        let cross = Path::line(&[at - arm, at + arm]).and(Path::line(&[at - arm.perp(), at + arm.perp()]));
        let circle = Ink::line(self.theme.patch.faded(0.6), self.pen).dashed(0.07 * self.em, 0.27 * self.em);
        vec![(cross, Ink::line(self.theme.patch, self.pen)), (Path::circle(at, 0.6 * self.em), circle)]
    }
}
