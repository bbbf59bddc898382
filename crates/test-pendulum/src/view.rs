//! How the pendulum is drawn: its rod, its bob and the path of the last second, from above and from the side.

use sim_world::View;
use sim_world::view::{Area, Axis, Color, Coord, Draw, Figure, Ink, Line, Mark, Party, Place, Plot, Projection, Width};

const PENDULUM: &str = "pendulum";

pub fn view(length_m: f64) -> View {
    let projection = |name: &str, axes, across_m: f64| {
        let fixed = Some([[-length_m, -across_m], [length_m, across_m]]);
        let area = Area { fixed, holds: Vec::new(), margin: [0.1, 0.0] };
        Projection { name: name.into(), axes, is_up: true, area, height: None }
    };
    let bob_at = Place { x: "x_m".into(), y: 0.0.into(), z: "z_m".into() };
    let line = |color: Color| Line::new(color.full(), Width::Px(2.0));
    let rod = Draw::Line { from: Place::plane(0.0, 0.0), to: bob_at.clone(), line: line(Color::Ink) };
    let bob =
        Draw::Circle { radius: (Coord::Fixed(0.05 * length_m), 0.0), ink: Ink::fill(Color::Warm.full()), alarm: None };
    let trail = Draw::Trail { back_s: 1.0, ahead_s: 0.0, line: line(Color::Warm) };
    View {
        unit: "m".into(),
        projections: vec![
            projection("plan", [Axis::X, Axis::Y], 0.2 * length_m),
            projection("side", [Axis::X, Axis::Z], length_m),
        ],
        parties: vec![Party {
            stream: PENDULUM.into(),
            one: PENDULUM.into(),
            many: "pendulums".into(),
            place: bob_at,
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
            Mark::new(rod).of(PENDULUM),
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
