//! A car, as large as it is: its body with four wheels, the front ones steered.

use super::color_of;
use crate::draw::{Ink, Path};
use crate::folder::{CarParamsSpec, CarRow};
use crate::picture::canvas::{Canvas, Look};
use crate::picture::style::Layer;
use sim_core::{DVec2, angle::unit};

/// Cars that are shown shorter than this many heights of the type get a ring that can be seen.
const LEAST_LENGTH: f64 = 0.8;
/// Numbers are written where they are at least this high, px.
const LEAST_TYPE_PX: f64 = 6.0;

pub(super) fn draw(canvas: &mut Canvas<'_>, car: &CarRow, params: &CarParamsSpec, is_alarm: bool) {
    let (theme, length) = (canvas.theme(), canvas.long(params.body_length_m));
    let (body, mark) = if is_alarm { (theme.alarm, theme.on_alarm) } else { (theme.robot, theme.on_robot) };
    let color = color_of(theme, car.car);
    let base = canvas.px(car.position_m);
    if is_alarm {
        let ring = Path::circle(base, 0.75 * length + 0.6 * canvas.type_px);
        canvas.draw(ring.clone(), Ink::line(theme.ground, canvas.pen(7.0)));
        canvas.draw(ring, Ink::line(theme.alarm, canvas.pen(4.0)));
    }
    if length < LEAST_LENGTH * canvas.type_px {
        let dot = Path::circle(base, 0.5 * LEAST_LENGTH * canvas.type_px);
        canvas.draw(dot, Ink::line(if is_alarm { theme.alarm } else { color }, canvas.pen(2.0)));
    }
    let outline = Outline { canvas, car };
    let [rear_m, front_m] = [-params.base_to_rear_bumper_m, params.body_length_m - params.base_to_rear_bumper_m];
    let half_m = 0.5 * params.body_width_m;
    let hull = outline.rect([rear_m, front_m], half_m);
    let nose = outline.rect([front_m - 0.12 * params.body_length_m, front_m], half_m);
    let wheels = outline.wheels(params);
    canvas.draw(hull.clone(), Ink::fill(body));
    canvas.draw(nose, Ink::fill(if is_alarm { mark } else { color }));
    canvas.draw(wheels, Ink::fill(mark));
    canvas.draw(hull, Ink::line(mark, (0.04 * length).min(canvas.pen(1.5))));
    let height = 0.8 * canvas.long(params.body_width_m);
    if canvas.shows(Layer::Ids) && height >= LEAST_TYPE_PX {
        let middle = canvas.px(car.position_m + unit(car.yaw_rad) * (0.46 * (rear_m + front_m) - 0.02));
        let look = Look::new(mark).size(height / canvas.type_px).bold().middle();
        canvas.write(middle + DVec2::new(0.0, 0.35 * height), car.car.to_string(), look);
    }
}

/// Where parts of a car are in the picture.
struct Outline<'c, 'a> {
    canvas: &'c Canvas<'a>,
    car: &'c CarRow,
}

impl Outline<'_, '_> {
    /// A place given in the car's axes.
    fn px(&self, forward_left_m: DVec2) -> DVec2 {
        self.canvas.px(self.car.position_m + unit(self.car.yaw_rad).rotate(forward_left_m))
    }

    /// A rectangle along the car's middle line.
    fn rect(&self, [from_m, to_m]: [f64; 2], half_m: f64) -> Path {
        let corners = [(from_m, -half_m), (to_m, -half_m), (to_m, half_m), (from_m, half_m)];
        Path::polygon(&corners.map(|(x, y)| self.px(DVec2::new(x, y))))
    }

    fn wheels(&self, params: &CarParamsSpec) -> Path {
        let rear_m = -params.base_to_rear_axle_m;
        let (front_m, side_m) = (rear_m + params.wheelbase_m, 0.5 * params.track_m);
        let [_, left_rad, right_rad] = self.car.steer_rad;
        let wheels = [
            (DVec2::new(rear_m, side_m), 0.0),
            (DVec2::new(rear_m, -side_m), 0.0),
            (DVec2::new(front_m, side_m), left_rad),
            (DVec2::new(front_m, -side_m), right_rad),
        ];
        let half_m = DVec2::new(params.wheel_radius_m, 0.5 * params.wheel_width_m);
        wheels.into_iter().fold(Path::default(), |path, (hub_m, turn_rad)| {
            let corner = |sign: DVec2| self.px(hub_m + unit(turn_rad).rotate(half_m * sign));
            let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            path.and(Path::polygon(&signs.map(|(x, y)| corner(DVec2::new(x, y)))))
        })
    }
}
