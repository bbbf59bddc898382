//! Feet, where they will be, and patches.

use super::ELLIPSES_S;
use super::alarms::Alarms;
use super::canvas::{Canvas, Look};
use super::style::Layer;
use crate::draw::{Ink, Path, font};
use crate::frame::{Foot, Frame, Patch};
use sim_core::{DVec2, Rect, angle::heading_of};
use swarm_field::{FieldModel, Forecast};

/// Radius of the disc that stands for a foot.
const FOOT_MM: f64 = 12.0;
/// Feet that are shown smaller than this many heights of the type have no words.
const LEAST_RADIUS: f64 = 0.7;

/// What decides how feet look.
pub(super) struct Rules<'a> {
    pub field: &'a FieldModel,
    pub d_h_mm: f64,
    pub alarms: &'a Alarms,
}

pub(super) fn draw(canvas: &mut Canvas<'_>, frame: &Frame, rules: &Rules<'_>) {
    if canvas.shows(Layer::Patches) {
        frame.patches.iter().for_each(|patch| draw_patch(canvas, patch));
    }
    for foot in &frame.feet {
        let is_alarm = rules.alarms.feet.contains(&foot.row.foot);
        if canvas.shows(Layer::Limits) || is_alarm {
            draw_limit(canvas, foot, rules.d_h_mm, is_alarm);
        }
        if canvas.shows(Layer::Ellipses) {
            draw_ahead(canvas, foot, rules.field);
        }
        if canvas.shows(Layer::Feet) {
            draw_foot(canvas, foot, is_alarm);
        }
    }
}

/// A cross at its centre and a circle at its standard deviation, as strong as the patch is high.
fn draw_patch(canvas: &mut Canvas<'_>, patch: &Patch) {
    let (center, color) = (canvas.px(patch.hill.center_mm), canvas.theme().patch);
    let strength = (patch.hill.peak / 0.3).clamp(0.0, 1.0);
    let arm = canvas.long(4.0);
    let [x, y] = [DVec2::new(arm, 0.0), DVec2::new(0.0, arm)];
    let cross = Path::line(&[center - x, center + x]).and(Path::line(&[center - y, center + y]));
    canvas.draw(cross, Ink::line(color.faded(0.25 + 0.65 * strength), canvas.fine_pen(1.6)));
    let circle = Path::circle(center, canvas.long(patch.hill.sigma_mm));
    canvas.draw(
        circle,
        Ink::line(color.faded(0.1 + 0.4 * strength), canvas.fine_pen(1.2))
            .dashed(canvas.fine_pen(1.0), canvas.fine_pen(4.0)),
    );
}

fn draw_limit(canvas: &mut Canvas<'_>, foot: &Foot, d_h_mm: f64, is_alarm: bool) {
    let circle = Path::circle(canvas.px(foot.row.position_mm), canvas.long(d_h_mm));
    let theme = canvas.theme();
    let ink = if is_alarm {
        Ink::line(theme.alarm, canvas.fine_pen(4.0))
    } else {
        Ink::line(theme.foot, canvas.fine_pen(1.6)).dashed(canvas.fine_pen(7.0), canvas.fine_pen(5.0))
    };
    canvas.draw(circle, ink);
}

/// An ellipse of one standard deviation for each of the times ahead, fainter the later, and the way between them.
fn draw_ahead(canvas: &mut Canvas<'_>, foot: &Foot, field: &FieldModel) {
    let color = canvas.theme().foot;
    let way: Vec<DVec2> = foot.ahead.mean_mm.iter().map(|&place| canvas.px(place)).collect();
    canvas.draw(Path::line(&way), Ink::line(color.faded(0.8), canvas.fine_pen(1.6)));
    for (n, tau_s) in ELLIPSES_S.into_iter().enumerate() {
        let Some(path) = ellipse(canvas, &foot.ahead, tau_s, field) else { continue };
        let strength = 1.0 - 0.22 * n as f64;
        canvas.draw(path, Ink::line(color.faded(strength), canvas.fine_pen(2.2 - 0.35 * n as f64)));
    }
}

/// The well of a foot `tau_s` from now, at one standard deviation.
fn ellipse(canvas: &Canvas<'_>, ahead: &Forecast, tau_s: f64, field: &FieldModel) -> Option<Path> {
    let window_s = field.params().window_s;
    if tau_s > window_s + 1e-9 {
        return None;
    }
    let frames = ahead.mean_mm.len().saturating_sub(1) as f64;
    let (place_mm, velocity_mm_s) = ahead.at(tau_s / window_s * frames)?;
    let half_axes = field.foot_spread_mm(velocity_mm_s.length()).map(|half| canvas.long(half));
    Some(Path::ellipse(canvas.px(place_mm), half_axes, heading_of(velocity_mm_s)))
}

fn draw_foot(canvas: &mut Canvas<'_>, foot: &Foot, is_alarm: bool) {
    let theme = canvas.theme();
    let (center, radius) = (canvas.px(foot.row.position_mm), canvas.long(FOOT_MM));
    let color = if is_alarm { theme.alarm } else { theme.foot };
    canvas.draw(Path::circle(center, radius), Ink::fill(color).with_line(theme.on_foot, canvas.fine_pen(1.5)));
    let size = 1.15 * radius / canvas.type_px;
    if canvas.shows(Layer::Ids) {
        let look = Look::new(if is_alarm { theme.on_alarm } else { theme.on_foot }).size(size).bold().middle();
        canvas.write(center + DVec2::new(0.0, 0.36 * size * canvas.type_px), foot.row.foot.to_string(), look);
    }
    if radius > LEAST_RADIUS * canvas.type_px {
        draw_state(canvas, center + DVec2::new(0.0, radius + 0.9 * canvas.type_px), &foot.row.state);
    }
}

/// What a foot does, on a ground that keeps it readable.
fn draw_state(canvas: &mut Canvas<'_>, middle: DVec2, state: &str) {
    let (theme, words) = (canvas.theme(), state.replace('_', " "));
    let size = 0.85;
    let half =
        DVec2::new(0.5 * font::width(&words, size * canvas.type_px) + 0.35 * canvas.type_px, 0.6 * canvas.type_px);
    canvas.draw(Path::rect(Rect { min: middle - half, max: middle + half }), Ink::fill(theme.on_foot.faded(0.8)));
    canvas.write(middle + DVec2::new(0.0, 0.3 * canvas.type_px), words, Look::new(theme.foot).size(size).middle());
}
