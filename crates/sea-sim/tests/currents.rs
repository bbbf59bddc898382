//! Currents: tables, grids, wandering, and the laws that hold for all of them.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use sea_sim::Sea;
use sea_sim::current::{Current, CurrentGrid, CurrentGridParams, Currents, DriftParams, Layers};
use sea_sim::medium::Medium;
use sea_sim::water::{SeaWater, SurfaceShape, Water, Waves};
use sim_core::{DVec2, DVec3, RunKey, ops};

const KEY: RunKey = RunKey { seed: 3, run_index: 0 };

fn grid() -> CurrentGrid {
    let depths_m = vec![0.0, 10.0];
    let velocity = |layer: usize, row: usize, column: usize| {
        DVec3::new(0.1 * column as f64 + 0.3 * layer as f64, -0.2 * row as f64 * column as f64, 0.05 * layer as f64)
    };
    let velocities_m_s = (0..24).map(|n| velocity(n / 12, n / 4 % 3, n % 4)).collect();
    let origin_m = DVec2::new(-5.0, 2.0);
    CurrentGrid::new(CurrentGridParams { origin_m, cell_m: 2.0, columns: 4, rows: 3, depths_m, velocities_m_s })
        .unwrap()
}

#[test]
fn layers_are_interpolated_and_end_flat() {
    let rows = vec![(2.0, DVec3::new(1.0, 0.0, 0.0)), (6.0, DVec3::new(0.2, 0.4, 0.0)), (10.0, DVec3::ZERO)];
    let layers = Layers::new(rows).unwrap();
    for (depth, expected) in
        [(-1.0, (1.0, 0.0)), (2.0, (1.0, 0.0)), (4.0, (0.6, 0.2)), (8.0, (0.1, 0.2)), (50.0, (0.0, 0.0))]
    {
        let flow = layers.flow(depth);
        assert!((flow.velocity_m_s - DVec3::new(expected.0, expected.1, 0.0)).length() < 1e-15, "{depth}");
    }
    // 0.8 m/s less over 4 m of depth: 0.2 1/s more along z, which points up.
    assert!((layers.flow(4.0).gradient_1_s.z_axis - DVec3::new(0.2, -0.1, 0.0)).length() < 1e-15);
    assert_eq!(layers.flow(50.0).gradient_1_s, glam::DMat3::ZERO);
    assert_eq!(layers.flow(1.0).gradient_1_s, glam::DMat3::ZERO);
}

#[test]
fn a_grid_gives_its_posts_back_and_is_linear_between() {
    let grid = grid();
    // Row 1, column 2, first layer: (0.2, -0.4, 0).
    assert!((grid.flow(DVec3::new(-1.0, 4.0, 0.0), 0.0).velocity_m_s - DVec3::new(0.2, -0.4, 0.0)).length() < 1e-15);
    // Half way along each axis: the mean of eight.
    let middle = grid.flow(DVec3::new(-2.0, 3.0, -5.0), 5.0).velocity_m_s;
    assert!((middle - DVec3::new(0.15 + 0.15, -0.15, 0.025)).length() < 1e-15, "{middle}");
    // Outside, the border holds, and nothing changes across it.
    let outside = grid.flow(DVec3::new(50.0, 4.0, -20.0), 20.0);
    assert!((outside.velocity_m_s - DVec3::new(0.6, -0.6, 0.05)).length() < 1e-15);
    assert_eq!(outside.gradient_1_s.x_axis, DVec3::ZERO);
    assert_eq!(outside.gradient_1_s.z_axis, DVec3::ZERO);
    assert!(outside.gradient_1_s.y_axis.length() > 0.1);
}

/// Derivatives against differences of the velocity, inside cells.
#[test]
fn gradients_are_those_of_the_velocity() {
    let grid = grid();
    let h = 1e-6;
    for n in 0..60 {
        let n = f64::from(n);
        let p = DVec3::new(-4.9 + 0.097 * n, 2.03 + 0.065 * n, -0.13 - 0.16 * n);
        let at = |p: DVec3| grid.flow(p, -p.z).velocity_m_s;
        let gradient = grid.flow(p, -p.z).gradient_1_s;
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let difference = (at(p + axis * h) - at(p - axis * h)) / (2.0 * h);
            assert!((gradient * axis - difference).length() < 1e-8, "{p}");
        }
    }
}

#[test]
fn currents_add_up() {
    let (a, b) = (DVec3::new(0.5, 0.1, 0.0), DVec3::new(-0.2, 0.3, 0.0));
    let layers = Layers::new(vec![(0.0, b), (10.0, DVec3::ZERO)]).unwrap();
    let currents = Currents::new(vec![Current::Uniform(a), Current::Layers(layers)], 0.02).unwrap();
    let flow = currents.flow(&currents.start(KEY), DVec3::ZERO, 5.0, 0.0);
    assert!((flow.velocity_m_s - (a + 0.5 * b)).length() < 1e-15);
}

/// In a sheared current the water itself accelerates by gradient times velocity: here u = s z, w = c gives s c.
#[test]
fn water_that_crosses_layers_accelerates() {
    let layers = Layers::new(vec![(0.0, DVec3::ZERO), (10.0, DVec3::new(1.0, 0.0, 0.0))]).unwrap();
    let currents =
        Currents::new(vec![Current::Layers(layers), Current::Uniform(DVec3::new(0.0, 0.0, 0.5))], 0.02).unwrap();
    let water = Water::new(0.0, SeaWater::default(), Waves::none(), SurfaceShape::Airy).unwrap();
    let state = currents.start(KEY);
    let sea = Sea { water: &water, currents: &currents, state: &state };
    let sample = sea.at(DVec3::new(0.0, 0.0, -4.0), 1.0);
    assert!((sample.velocity_m_s - DVec3::new(0.4, 0.0, 0.5)).length() < 1e-15);
    assert!((sample.acceleration_m_s2 - DVec3::new(-0.05, 0.0, 0.0)).length() < 1e-15);
}

/// Mean, deviation and correlation after one correlation time, over 400 000 steps of 0.05 T: 20 000 correlation times, so the mean's
/// standard error is s sqrt(2/20 000) = 0.01 s, the variance's relative one sqrt(2/20 000) = 0.01.
#[test]
fn a_wandering_current_has_the_statistics_asked_for() {
    let mean_m_s = DVec3::new(0.3, -0.1, 0.02);
    let params = DriftParams { mean_m_s, std_m_s: 0.2, correlation_s: 10.0 };
    let currents = Currents::new(vec![Current::GaussMarkov(params)], 0.5).unwrap();
    let mut state = currents.start(KEY);
    let mut series = Vec::new();
    for tick in 0..400_000_u64 {
        series.push(currents.flow(&state, DVec3::ZERO, 0.0, 0.5 * tick as f64).velocity_m_s - mean_m_s);
        currents.step(&mut state, KEY);
    }
    let n = series.len() as f64;
    let mean = series.iter().copied().sum::<DVec3>() / n;
    let variance = series.iter().map(|u| u.x * u.x).sum::<f64>() / n;
    let later = series.windows(21).map(|w| w[0].y * w[20].y).sum::<f64>() / n;
    assert!(mean.length() < 0.2 * 0.05, "{mean}");
    assert!((variance / 0.04 - 1.0).abs() < 0.05, "{variance}");
    assert!((later / 0.04 - ops::exp(-1.0)).abs() < 0.05, "{later}");
    assert!(series.iter().all(|u| u.z == 0.0));
}

#[test]
fn a_wandering_current_is_continuous_and_says_how_it_changes() {
    let params = DriftParams { mean_m_s: DVec3::ZERO, std_m_s: 0.2, correlation_s: 10.0 };
    let currents = Currents::new(vec![Current::GaussMarkov(params)], 0.02).unwrap();
    let mut state = currents.start(KEY);
    for tick in 1..200_u32 {
        let t = 0.02 * f64::from(tick);
        let at = |state: &_, t: f64| currents.flow(state, DVec3::ZERO, 0.0, t);
        let (end, slope) = (at(&state, t), at(&state, t - 0.01));
        let difference = (end.velocity_m_s - at(&state, t - 0.02).velocity_m_s) / 0.02;
        assert!((slope.local_acceleration_m_s2 - difference).length() < 1e-9);
        currents.step(&mut state, KEY);
        assert!((at(&state, t).velocity_m_s - end.velocity_m_s).length() < 1e-12);
    }
}

#[test]
fn one_current_more_leaves_the_others_as_they_were() {
    let drift = |std_m_s| Current::GaussMarkov(DriftParams { mean_m_s: DVec3::ZERO, std_m_s, correlation_s: 10.0 });
    let velocity = |list: Vec<Current>| {
        let currents = Currents::new(list, 0.02).unwrap();
        let mut state = currents.start(KEY);
        (0..50).for_each(|_| currents.step(&mut state, KEY));
        currents.flow(&state, DVec3::ZERO, 0.0, 1.0).velocity_m_s
    };
    let alone = velocity(vec![drift(0.2)]);
    assert!(alone.length() > 0.0);
    assert_eq!(velocity(vec![drift(0.2), drift(0.0), Current::Uniform(DVec3::ZERO)]), alone);
}

#[test]
fn wrong_values_are_refused_by_name() {
    let refused = |current| Currents::new(vec![current], 0.02).unwrap_err().to_string();
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    assert_eq!(refused(Current::Uniform(nan)), "velocity_m_s is NaN, must be from -20 to 20");
    let drift = DriftParams { mean_m_s: DVec3::ZERO, std_m_s: -1.0, correlation_s: 10.0 };
    assert_eq!(refused(Current::GaussMarkov(drift)), "std_m_s is -1, must be from 0 to 5");
    let layers = |table| Layers::new(table).unwrap_err().to_string();
    assert_eq!(layers(Vec::new()), "layers is empty, must have a row at least");
    assert_eq!(layers(vec![(1.0, DVec3::ZERO), (1.0, DVec3::ZERO)]), "depth_m is 1 after 1, must increase");
    assert_eq!(layers(vec![(f64::NAN, DVec3::ZERO)]), "depth_m is NaN, must be from -100 to 12000");
    let params = CurrentGridParams {
        origin_m: DVec2::ZERO,
        cell_m: 1.0,
        columns: 2,
        rows: 3,
        depths_m: vec![0.0],
        velocities_m_s: vec![DVec3::ZERO; 6],
    };
    let grid = |params| CurrentGrid::new(params).map(|_| ()).unwrap_err().to_string();
    let missing = CurrentGridParams { velocities_m_s: vec![DVec3::ZERO; 5], ..params.clone() };
    assert_eq!(grid(missing), "velocities_m_s has 5 entries, must have 3 x 2 for each of 1 depths");
    assert_eq!(grid(CurrentGridParams { columns: 1, ..params.clone() }), "columns is 1, must be 2 or more");
    assert_eq!(grid(CurrentGridParams { cell_m: 0.0, ..params.clone() }), "cell_m is 0, must be from 0.01 to 1000000");
    let unsorted = CurrentGridParams { depths_m: vec![5.0, 0.0], velocities_m_s: vec![DVec3::ZERO; 12], ..params };
    assert_eq!(grid(unsorted), "depths_m has 0 after 5, must increase");
}
