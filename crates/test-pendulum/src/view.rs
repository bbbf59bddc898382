//! How the pendulum is drawn: its bob and the path of the last second, seen from the side.

use sim_world::View;
use sim_world::view::{Area, Axis, Color, Coord, Draw, Figure, Ink, Line, Mark, Party, Place, Plot, Projection, Width};

const PENDULUM: &str = "pendulum";

pub fn view(length_m: f64) -> View {
    let area = Area { fixed: Some([[-length_m; 2], [length_m; 2]]), holds: Vec::new(), margin: [0.1, 0.0] };
    let bob =
        Draw::Circle { radius: (Coord::Fixed(0.05 * length_m), 0.0), ink: Ink::fill(Color::Warm.full()), alarm: None };
    let line = Line::new(Color::Warm.full(), Width::Px(2.0));
    let trail = Draw::Trail { back_s: 1.0, ahead_s: 0.0, line };
    View {
        unit: "m".into(),
        projections: vec![Projection { name: "side".into(), axes: [Axis::X, Axis::Z], is_up: true, area }],
        parties: vec![Party {
            stream: PENDULUM.into(),
            one: PENDULUM.into(),
            many: "pendulums".into(),
            place: Place { x: "x_m".into(), y: 0.0.into(), z: "z_m".into() },
            angles: Vec::new(),
            velocity: None,
            linear: Vec::new(),
            while_same: None,
            names: Vec::new(),
            reach: None,
        }],
        marks: vec![
            Mark::new(Draw::Plane { fill: Some(Color::Floor.full()), has_grid: true }),
            Mark::new(trail).of(PENDULUM),
            Mark::new(bob).of(PENDULUM).keyed("the bob"),
        ],
        plots: vec![Plot {
            title: "Angle".into(),
            unit: "rad".into(),
            of: PENDULUM.into(),
            curves: vec![Figure::column("angle_rad", 3)],
            limit: None,
            range: None,
        }],
        ..View::default()
    }
}
