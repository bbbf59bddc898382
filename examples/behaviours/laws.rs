//! The behaviours: every robot has a goal that moves, and a feedback law leads it there.

use sim_core::DVec2;
use sim_core::angle::unit;
use std::f64::consts::TAU;

/// Middle of the mat, mm.
const MIDDLE_MM: DVec2 = DVec2::splat(200.0);
/// Speed towards the goal for each mm of distance from it, 1/s.
const GAIN_PER_S: f64 = 2.0;
/// Highest speed of a robot, mm/s.
const MAX_SPEED_MM_S: f64 = 252.0;

/// Where a robot should be, and how it should move there.
pub struct Goal {
    /// mm on the mat.
    pub place_mm: DVec2,
    /// mm/s.
    pub velocity_mm_s: DVec2,
}

/// A behaviour of so many robots.
pub struct Behaviour {
    /// Its name in files and tables.
    pub name: &'static str,
    /// What robots do, in words.
    pub about: &'static str,
    pub robots: usize,
    /// Time after which all goals are where they were, s.
    pub period_s: f64,
    /// The goal of a robot at a phase of the period in rad, which grows by so many rad/s.
    goal: fn(usize, f64, f64) -> Goal,
}

pub const BEHAVIOURS: [Behaviour; 3] = [
    Behaviour {
        name: "follow",
        about: "Follow a point: eight robots in a square round a point that walks on a rounded square",
        robots: 8,
        period_s: 16.0,
        goal: follow,
    },
    Behaviour {
        name: "march",
        about: "March in a ring: twelve robots on a ring that turns",
        robots: 12,
        period_s: 15.0,
        goal: march,
    },
    Behaviour {
        name: "scatter",
        about: "Scatter and gather: twelve robots from the edges to a lattice in the middle and back",
        robots: 12,
        period_s: 8.0,
        goal: scatter,
    },
];

impl Behaviour {
    /// The goal of a robot at a time in s.
    pub fn goal(&self, robot: usize, time_s: f64) -> Goal {
        let rate_rad_s = TAU / self.period_s;
        (self.goal)(robot, rate_rad_s * time_s, rate_rad_s)
    }

    /// The velocity in mm/s that a robot at a place in mm wishes at a time in s: that of its goal, and towards it.
    pub fn wish_mm_s(&self, robot: usize, place_mm: DVec2, time_s: f64) -> DVec2 {
        let goal = self.goal(robot, time_s);
        let wish_mm_s = goal.velocity_mm_s + GAIN_PER_S * (goal.place_mm - place_mm);
        wish_mm_s.clamp_length_max(MAX_SPEED_MM_S)
    }
}

fn follow(robot: usize, phase_rad: f64, rate_rad_s: f64) -> Goal {
    const SQUARE: [[f64; 2]; 8] =
        [[-1.0, -1.0], [0.0, -1.0], [1.0, -1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 1.0], [-1.0, 0.0]];
    // At a corner at the start, where a foot finds a place beside the robots.
    let phase_rad = phase_rad + TAU / 8.0;
    let (once, thrice) = (unit(phase_rad), unit(3.0 * phase_rad));
    let point_mm = MIDDLE_MM + 126.0 * DVec2::new(once.x - thrice.x / 9.0, once.y + thrice.y / 9.0);
    Goal {
        place_mm: point_mm + 66.0 * DVec2::from(SQUARE[robot]),
        velocity_mm_s: 126.0 * rate_rad_s * DVec2::new(thrice.y / 3.0 - once.y, once.x + thrice.x / 3.0),
    }
}

fn march(robot: usize, phase_rad: f64, rate_rad_s: f64) -> Goal {
    let arm_mm = 150.0 * unit(phase_rad + robot as f64 * TAU / 12.0);
    Goal { place_mm: MIDDLE_MM + arm_mm, velocity_mm_s: rate_rad_s * arm_mm.perp() }
}

fn scatter(robot: usize, phase_rad: f64, rate_rad_s: f64) -> Goal {
    const EDGES: [[f64; 2]; 12] = [
        [-3.0, -3.0],
        [-1.0, -3.0],
        [1.0, -3.0],
        [3.0, -3.0],
        [-3.0, -1.0],
        [-3.0, 1.0],
        [3.0, -1.0],
        [3.0, 1.0],
        [-3.0, 3.0],
        [-1.0, 3.0],
        [1.0, 3.0],
        [3.0, 3.0],
    ];
    let scattered_mm = 160.0 / 3.0 * DVec2::from(EDGES[robot]);
    let gathered_mm = 75.0 * DVec2::new((robot % 4) as f64 - 1.5, (robot / 4) as f64 - 1.0);
    let (mean_mm, swing_mm) = (0.5 * (scattered_mm + gathered_mm), 0.5 * (scattered_mm - gathered_mm));
    let wave = unit(phase_rad);
    Goal { place_mm: MIDDLE_MM + mean_mm + wave.x * swing_mm, velocity_mm_s: -rate_rad_s * wave.y * swing_mm }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times over a period, 10 ms apart.
    fn times_s(behaviour: &Behaviour) -> impl Iterator<Item = f64> + use<> {
        (0..(100.0 * behaviour.period_s) as u32).map(|n| 0.01 * f64::from(n))
    }

    fn places_mm(behaviour: &Behaviour, time_s: f64) -> Vec<DVec2> {
        (0..behaviour.robots).map(|robot| behaviour.goal(robot, time_s).place_mm).collect()
    }

    /// So a robot that stands aside is stopped by something else than its behaviour.
    #[test]
    fn goals_keep_all_distances_and_stay_in_the_box() {
        for behaviour in &BEHAVIOURS {
            for places_mm in times_s(behaviour).map(|time_s| places_mm(behaviour, time_s)) {
                for (n, place_mm) in places_mm.iter().enumerate() {
                    let to_middle_mm = (*place_mm - MIDDLE_MM).abs().max_element();
                    assert!(to_middle_mm <= 184.0, "{} {place_mm}", behaviour.name);
                    let nearest_mm = places_mm[..n].iter().map(|other| other.distance(*place_mm));
                    // 60 mm, and 0.15 mm for the motion of two robots between ticks.
                    assert!(nearest_mm.fold(f64::MAX, f64::min) > 60.15, "{} {place_mm}", behaviour.name);
                }
            }
        }
    }

    #[test]
    fn velocities_are_those_of_the_places() {
        for behaviour in &BEHAVIOURS {
            for time_s in times_s(behaviour) {
                let [before, after] = [-1e-4, 1e-4].map(|late_s| places_mm(behaviour, time_s + late_s));
                for robot in 0..behaviour.robots {
                    let difference_mm_s = (after[robot] - before[robot]) / 2e-4;
                    let velocity_mm_s = behaviour.goal(robot, time_s).velocity_mm_s;
                    // A central difference errs by a sixth of the third derivative times 1e-8 s2, and by rounding.
                    assert!(velocity_mm_s.distance(difference_mm_s) < 1e-4, "{} {time_s}", behaviour.name);
                }
            }
        }
    }

    #[test]
    fn a_wish_is_within_the_speed_of_robots() {
        let far_mm = DVec2::new(16.0, 384.0);
        for behaviour in &BEHAVIOURS {
            let goal = behaviour.goal(0, 1.0);
            let at_goal = behaviour.wish_mm_s(0, goal.place_mm, 1.0);
            assert_eq!(at_goal, goal.velocity_mm_s, "{}", behaviour.name);
            for time_s in times_s(behaviour) {
                assert!(behaviour.wish_mm_s(0, far_mm, time_s).length() <= 252.0 + 1e-9, "{}", behaviour.name);
            }
        }
    }
}
