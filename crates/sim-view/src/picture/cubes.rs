//! Cubes: bodies that may be lifted and tilted, with a lamp and a button.

use super::CUBE_SIDE_MM;
use super::alarms::Alarms;
use super::canvas::{Canvas, Look};
use super::style::Layer;
use crate::draw::{Color, Ink, Path};
use crate::folder::CubeRow;
use crate::frame::Frame;
use sim_core::{DVec2, angle::unit, ops};

/// Lamp and button are on the underside, this far behind the centre (toio facts, section 1.1).
const LAMP_BACK_MM: f64 = 11.1;
/// Height of the type of a cube's number.
const ID_MM: f64 = 12.0;
/// Cubes that are lifted less than this stand.
const LIFTED_MM: f64 = 1.0;

pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &Frame, alarms: &Alarms) {
    for cube in &frame.cubes {
        draw_cube(canvas, cube, frame.pressed.contains(&cube.cube), alarms.robots.contains(&cube.cube));
    }
}

/// How far a cube is tilted from upright, in degrees.
pub(super) fn tilt_deg(cube: &CubeRow) -> f64 {
    ops::acos((ops::cos(cube.pitch_rad) * ops::cos(cube.roll_rad)).clamp(-1.0, 1.0)).to_degrees()
}

/// The body's axes ahead and to the right, seen from above.
fn axes(cube: &CubeRow) -> [DVec2; 2] {
    let (ahead, right) = (unit(cube.yaw_rad), unit(cube.yaw_rad).perp());
    let ((sin_p, cos_p), (sin_r, cos_r)) = (ops::sin_cos(cube.pitch_rad), ops::sin_cos(cube.roll_rad));
    [ahead * cos_p, right * cos_r + ahead * (sin_r * sin_p)]
}

fn draw_cube(canvas: &mut Canvas<'_>, cube: &CubeRow, is_pressed: bool, is_alarm: bool) {
    let theme = canvas.theme();
    let (body, mark) = if is_alarm { (theme.alarm, theme.on_alarm) } else { (theme.robot, theme.on_robot) };
    let [ahead, right] = axes(cube);
    let at = |forward_mm: f64, right_mm: f64| canvas.px(cube.position_mm + ahead * forward_mm + right * right_mm);
    let half = 0.5 * CUBE_SIDE_MM;
    let corners = [at(half, -half), at(half, half), at(-half, half), at(-half, -half)];
    let (front, lamp) = ([at(11.8, -7.0), at(11.8, 7.0)], at(-LAMP_BACK_MM, 0.0));
    if cube.z_mm > LIFTED_MM {
        draw_shadow(canvas, &corners, cube.z_mm);
    }
    if cube.led != [0; 3] {
        let [r, g, b] = cube.led;
        let glow = Color { rgb: [r, g, b], alpha: 1.0 };
        canvas.draw(Path::polygon(&corners), Ink::line(glow.faded(0.35), canvas.long(9.0)));
        canvas.draw(Path::polygon(&corners), Ink::line(glow, canvas.long(4.0)));
    }
    canvas.draw(Path::polygon(&corners), Ink::fill(body).with_line(theme.on_robot, canvas.fine_pen(1.0)));
    canvas.draw(Path::line(&front), Ink::line(mark, canvas.long(2.4)));
    let [r, g, b] = cube.led;
    let ink = Ink::fill(Color { rgb: [r, g, b], alpha: 1.0 }).with_line(theme.on_robot, canvas.fine_pen(1.0));
    canvas.draw(Path::circle(lamp, canvas.long(2.2)), ink);
    if is_pressed {
        canvas.draw(Path::circle(lamp, canvas.long(4.4)), Ink::line(theme.alarm, canvas.long(1.4)));
    }
    if canvas.shows(Layer::Ids) {
        let height = canvas.long(ID_MM);
        let look = Look::new(mark).size(height / canvas.type_px).middle();
        canvas.write(canvas.px(cube.position_mm) + DVec2::new(0.0, 0.35 * height), cube.cube.to_string(), look);
    }
}

/// The higher a cube is, the further off its shadow lies.
fn draw_shadow(canvas: &mut Canvas<'_>, corners: &[DVec2; 4], z_mm: f64) {
    let off = DVec2::splat(canvas.long(0.35 * z_mm.min(80.0)));
    let color = Color::hex(0x000000).faded(0.45);
    canvas.draw(Path::polygon(&corners.map(|corner| corner + off)), Ink::fill(color));
}
