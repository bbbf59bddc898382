//! The tracks of all cases, a row for each behaviour.

use crate::figures::{FOOT_MM, Figures, Moment, ROBOT_MM, Run};
use crate::laws::Behaviour;
use sim_core::{DVec2, Rect};
use sim_view::draw::color::Oklab;
use sim_view::draw::{Anchor, Color, Ink, Path, Scene, Text, Weight, pixels};
use sim_view::theme::Theme;
use std::error::Error;
use std::fs;
use std::path::Path as FilePath;

/// Side of the mat, mm.
const MAT_MM: f64 = 400.0;
/// Half the width of a robot, mm.
const ROBOT_RADIUS_MM: f64 = 16.0;
/// When tracks begin, s: as feet set out. They last a period of the behaviour.
const FROM_S: f64 = 8.0;
/// What the columns show.
const COLUMNS: [&str; 4] = ["no foot, no filter", "no foot, filter", "a foot, no filter", "a foot, filter"];
/// What lines and figures are.
const LEGEND: [&str; 2] = [
    "Coloured: tracks of robots, with discs at their ends. Thin: ways of their goals. Grey: way of the foot, with its 100 mm at the \
     end. Red: a distance is broken.",
    "Off: distance of robots from their goals. Broken distances: pairs that are too near, summed over steps. Figures are of all runs, \
     tracks of the first.",
];

/// Side of a panel, px.
const PANEL_PX: f64 = 235.0;
/// Space between panels, px.
const GAP_PX: f64 = 12.0;
/// Height of the heads of columns, px.
const HEAD_PX: f64 = 30.0;
/// Height of the words above a row, px.
const ABOVE_PX: f64 = 26.0;
/// Height of a row with its words, px.
const ROW_PX: f64 = ABOVE_PX + PANEL_PX + 40.0;

/// A case, and one of its runs.
pub struct Panel {
    pub behaviour: &'static Behaviour,
    pub run: Run,
    pub figures: Figures,
}

/// Draws four panels a row into a PNG file.
pub fn write(panels: &[Panel], file: &FilePath) -> Result<(), Box<dyn Error>> {
    let rows = panels.chunks(COLUMNS.len());
    let corner_px = |column: usize, row: usize| {
        DVec2::new(GAP_PX + (PANEL_PX + GAP_PX) * column as f64, HEAD_PX + ROW_PX * row as f64)
    };
    let mut sheet = Sheet::new(corner_px(COLUMNS.len(), rows.len()) + DVec2::new(0.0, GAP_PX + HEAD_PX));
    for (column, words) in COLUMNS.iter().enumerate() {
        sheet.write(corner_px(column, 0) + DVec2::new(0.5 * PANEL_PX, -8.0), words, Anchor::Middle, 14.0);
    }
    for (row, panels) in rows.enumerate() {
        let title_px = corner_px(0, row) + DVec2::new(0.0, ABOVE_PX - 8.0);
        let Behaviour { about, period_s, .. } = panels[0].behaviour;
        sheet.write(title_px, &format!("{about}; {period_s} s from {FROM_S} s on"), Anchor::Start, 14.0);
        for (column, panel) in panels.iter().enumerate() {
            sheet.draw(panel, corner_px(column, row) + DVec2::new(0.0, ABOVE_PX));
        }
    }
    for (line, words) in LEGEND.iter().enumerate() {
        let at_px = corner_px(0, panels.len() / COLUMNS.len()) + DVec2::new(0.0, 12.0 + 15.0 * line as f64);
        sheet.write(at_px, words, Anchor::Start, 12.0);
    }
    Ok(fs::write(file, pixels::small_png(&pixels::paint(&sheet.scene, 1.0)?)?)?)
}

struct Sheet {
    scene: Scene,
    theme: Theme,
}

impl Sheet {
    fn new(size_px: DVec2) -> Self {
        let theme = Theme::light();
        Self { scene: Scene::new(size_px, theme.ground), theme }
    }

    fn write(&mut self, at: DVec2, words: &str, anchor: Anchor, size: f64) {
        let (weight, color) = (Weight::Regular, self.theme.ink);
        self.scene.write(Text { at, size, anchor, weight, color, words: words.to_owned() });
    }

    /// A panel by its upper left corner.
    fn draw(&mut self, panel: &Panel, corner_px: DVec2) {
        let Panel { behaviour, run, figures } = panel;
        let px = |place_mm: DVec2| corner_px + place_mm * (PANEL_PX / MAT_MM);
        let mm = |length_mm: f64| length_mm * (PANEL_PX / MAT_MM);
        let moments = window(run, behaviour.period_s);
        let mat = Rect { min: corner_px, max: px(DVec2::splat(MAT_MM)) };
        self.scene.draw(Path::rect(mat), Ink::fill(self.theme.floor()).with_line(self.theme.faint, 1.0));
        let line = |place: &dyn Fn(&Moment) -> Option<DVec2>| {
            Path::line(&moments.iter().filter_map(|moment| place(moment)).map(px).collect::<Vec<_>>())
        };
        let last = moments[moments.len() - 1];
        if let Some(foot_mm) = last.foot_mm {
            let disc = Ink::fill(self.theme.faint.faded(0.15)).with_line(self.theme.faint, 1.0).dashed(4.0, 4.0);
            self.scene.draw(Path::circle(px(foot_mm), mm(FOOT_MM)), disc);
            self.scene.draw(line(&|moment| moment.foot_mm), Ink::line(self.theme.faint.faded(0.6), 5.0));
        }
        let robots = || (0..behaviour.robots).map(|robot| (robot, color(robot, behaviour.robots)));
        for (robot, color) in robots() {
            self.scene.draw(line(&|moment| Some(moment.robots_mm[robot])), Ink::line(color, 2.4));
        }
        for (robot, _) in robots() {
            for pair in moments.windows(2).filter(|pair| is_broken(pair[1], robot)) {
                let piece = Path::line(&[px(pair[0].robots_mm[robot]), px(pair[1].robots_mm[robot])]);
                self.scene.draw(piece, Ink::line(self.theme.alarm, 3.6));
            }
        }
        for (robot, color) in robots() {
            let goal = line(&|moment| Some(behaviour.goal(robot, moment.time_s).place_mm));
            self.scene.draw(goal, Ink::line(self.theme.ink, 0.6));
            let disc = Ink::fill(color).with_line(self.theme.ink, 0.8);
            self.scene.draw(Path::circle(px(last.robots_mm[robot]), mm(ROBOT_RADIUS_MM)), disc);
        }
        self.caption(figures, corner_px + DVec2::new(0.0, PANEL_PX));
    }

    fn caption(&mut self, figures: &Figures, at_px: DVec2) {
        let Figures { off_mm: [mean_mm, p95_mm], broken, .. } = figures;
        let off = format!("off: mean {mean_mm:.1} mm, 95 % within {p95_mm:.1} mm");
        let broken = format!("broken distances: {broken}");
        for (line, words) in [off, broken].iter().enumerate() {
            self.write(at_px + DVec2::new(0.0, 15.0 + 15.0 * line as f64), words, Anchor::Start, 12.0);
        }
    }
}

/// Every third moment of the time that is drawn.
fn window(run: &Run, period_s: f64) -> Vec<&Moment> {
    let is_shown = |moment: &&Moment| (FROM_S..=FROM_S + period_s + 1e-9).contains(&moment.time_s);
    run.moments.iter().filter(is_shown).step_by(3).collect()
}

/// Colours round the circle of hues but for reds, equally light.
fn color(robot: usize, robots: usize) -> Color {
    let rgb = Oklab::polar(0.65, 0.14, 75.0 + 265.0 * robot as f64 / robots as f64).srgb();
    Color { rgb, alpha: 1.0 }
}

fn is_broken(moment: &Moment, robot: usize) -> bool {
    let place_mm = moment.robots_mm[robot];
    let others = moment.robots_mm.iter().enumerate().filter(|(other, _)| *other != robot);
    others.map(|(_, other_mm)| other_mm.distance(place_mm)).any(|distance_mm| distance_mm < ROBOT_MM)
        || moment.foot_mm.is_some_and(|foot_mm| foot_mm.distance(place_mm) < FOOT_MM)
}
