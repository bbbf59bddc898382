//! Measures of one moment, for the plots. They see every row of the tables, also where the page keeps fewer of them.

use crate::folder::{AgentRow, CubeRow, PatchRow};
use sim_core::DVec2;

/// Speed above which a robot moves, mm/s: that of the measure `moving_share`.
const MOVING_MM_S: f64 = 10.0;

/// Cubes beyond which nobody looks for the nearest pair: all pairs are compared.
const MOST_CUBES: usize = 300;

/// A moment's measures, in the order of `SERIES` after its first two columns.
pub type Measures = [Option<f64>; 8];

/// Measures of robots.
pub fn of_agents(agents: &[AgentRow], patches: &[PatchRow]) -> Measures {
    let speeds = || agents.iter().map(|agent| agent.velocity_mm_s.length());
    let near = agents.iter().filter(|agent| is_near_a_patch(agent.position_mm, patches)).count();
    [
        least(agents.iter().filter_map(|agent| agent.nearest_agent_mm)),
        least(agents.iter().filter_map(|agent| agent.nearest_foot_mm)),
        None,
        mean(speeds()),
        speeds().reduce(f64::max),
        mean(speeds().map(|speed| if speed > MOVING_MM_S { 1.0 } else { 0.0 })),
        (!patches.is_empty() && !agents.is_empty()).then(|| near as f64 / agents.len() as f64),
        mean(agents.iter().map(|agent| agent.velocity_mm_s.distance(agent.wish_mm_s))),
    ]
}

/// Measures of cubes in a run without robots: their speed is that of the tyres.
pub fn of_cubes(cubes: &[CubeRow]) -> Measures {
    let speeds = || cubes.iter().map(|cube| 0.5 * (cube.wheels_mm_s[0] + cube.wheels_mm_s[1]).abs());
    let moving = mean(speeds().map(|speed| if speed > MOVING_MM_S { 1.0 } else { 0.0 }));
    [None, None, nearest_pair_mm(cubes), mean(speeds()), speeds().reduce(f64::max), moving, None, None]
}

/// The measures of moments in a row as one: smallest distances, the largest speed, means of the rest.
pub fn together(moments: &[Measures]) -> Measures {
    let of = |column: usize| moments.iter().filter_map(move |measures| measures[column]);
    std::array::from_fn(|column| match column {
        0..=2 => least(of(column)),
        4 => of(column).reduce(f64::max),
        _ => mean(of(column)),
    })
}

fn is_near_a_patch(place_mm: DVec2, patches: &[PatchRow]) -> bool {
    patches.iter().any(|patch| patch.position_mm.distance_squared(place_mm) <= patch.sigma_mm * patch.sigma_mm)
}

fn nearest_pair_mm(cubes: &[CubeRow]) -> Option<f64> {
    if cubes.len() > MOST_CUBES {
        return None;
    }
    let pairs = cubes.iter().enumerate().flat_map(|(n, a)| cubes[..n].iter().map(move |b| (a, b)));
    least(pairs.map(|(a, b)| a.position_mm.distance(b.position_mm)))
}

fn least(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.reduce(f64::min)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then_some(sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_together_keep_the_smallest_distance_and_the_largest_speed() {
        let one = [Some(62.0), Some(104.0), None, Some(10.0), Some(90.0), Some(0.5), Some(0.25), Some(7.0)];
        let two = [Some(61.0), None, None, Some(20.0), Some(80.0), Some(1.0), Some(0.75), Some(9.0)];
        let both = [Some(61.0), Some(104.0), None, Some(15.0), Some(90.0), Some(0.75), Some(0.5), Some(8.0)];
        assert_eq!(together(&[one, two]), both);
        assert_eq!(together(&[two]), two);
    }
}
