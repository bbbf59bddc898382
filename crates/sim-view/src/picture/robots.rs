//! Robots.

use super::alarms::Alarms;
use super::canvas::{Canvas, Look};
use super::style::Layer;
use super::{ARROW_S, CUBE_SIDE_MM};
use crate::draw::{Color, Ink, Path};
use crate::folder::{AgentRow, MatScenario};
use crate::frame::Frame;
use sim_core::{DVec2, angle::unit};

/// Radius of the corners of a cube.
const CORNER_MM: f64 = 4.0;
/// Arrows begin this far from the centre, just outside of the body.
const ARROW_FROM_MM: f64 = 17.5;
/// Height of the type of a robot's number.
const ID_MM: f64 = 12.5;
/// Smaller numbers are not read.
const LEAST_TYPE_PX: f64 = 6.0;

/// Bodies, and the circles that must not overlap.
pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &Frame, scenario: &MatScenario, alarms: &Alarms) {
    if canvas.shows(Layer::Limits) {
        let (radius, color) = (canvas.long(0.5 * scenario.safety.d_r_mm), canvas.theme().ink);
        for robot in &frame.robots {
            let circle = Path::circle(canvas.px(robot.position_mm), radius);
            canvas.draw(circle, Ink::line(color.faded(0.4), canvas.fine_pen(1.2)));
        }
    }
    // Cubes have bodies of their own.
    if frame.cubes.is_empty() {
        frame.robots.iter().for_each(|robot| draw_body(canvas, robot, alarms.robots.contains(&robot.agent)));
    }
}

/// Arrows and numbers, above everything else on the mat.
pub(super) fn draw_words(canvas: &mut Canvas<'_>, frame: &Frame, alarms: &Alarms) {
    for robot in &frame.robots {
        if canvas.shows(Layer::Wishes) {
            draw_arrow(canvas, robot.position_mm, robot.wish_mm_s, canvas.theme().patch);
        }
        if canvas.shows(Layer::Velocities) {
            draw_arrow(canvas, robot.position_mm, robot.velocity_mm_s, canvas.theme().arrow);
        }
        if canvas.shows(Layer::Ids) && frame.cubes.is_empty() {
            draw_id(canvas, robot, alarms.robots.contains(&robot.agent));
        }
    }
}

/// The outline of a cube, with a bar along its front.
fn draw_body(canvas: &mut Canvas<'_>, robot: &AgentRow, is_alarm: bool) {
    let theme = canvas.theme();
    let (center, side) = (canvas.px(robot.position_mm), canvas.long(CUBE_SIDE_MM));
    let (fill, mark) = if is_alarm { (theme.alarm, theme.on_alarm) } else { (theme.robot, theme.on_robot) };
    let body = Path::round_square(center, side, canvas.long(CORNER_MM), robot.heading_rad);
    canvas.draw(body, Ink::fill(fill).with_line(theme.on_robot, canvas.fine_pen(1.0)));
    canvas.draw(front_bar(canvas, robot), Ink::line(mark, canvas.long(2.4)));
}

/// A bar just behind the front edge.
fn front_bar(canvas: &Canvas<'_>, robot: &AgentRow) -> Path {
    let ahead = unit(robot.heading_rad);
    let (middle, half) = (robot.position_mm + ahead * 11.8, ahead.perp() * 7.0);
    Path::line(&[canvas.px(middle - half), canvas.px(middle + half)])
}

fn draw_arrow(canvas: &mut Canvas<'_>, start_mm: DVec2, velocity_mm_s: DVec2, color: Color) {
    let along = velocity_mm_s.normalize_or_zero();
    let from_mm = start_mm + along * ARROW_FROM_MM;
    let ends = [canvas.px(from_mm), canvas.px(from_mm + velocity_mm_s * ARROW_S)];
    canvas.arrow(ends, color, canvas.theme().ground.faded(0.6));
}

fn draw_id(canvas: &mut Canvas<'_>, robot: &AgentRow, is_alarm: bool) {
    let theme = canvas.theme();
    let height = canvas.long(ID_MM);
    if height < LEAST_TYPE_PX {
        return;
    }
    let look = Look::new(if is_alarm { theme.on_alarm } else { theme.on_robot }).size(height / canvas.type_px).middle();
    // A little back from the front bar.
    let middle = canvas.px(robot.position_mm - unit(robot.heading_rad) * 2.5);
    canvas.write(middle + DVec2::new(0.0, 0.35 * height), robot.agent.to_string(), look);
}
