//! How far wishes are carried out: by all robots, by free ones, and as far as the next step allows.

use super::catalogue::{Table, ratio, share};
use super::{MeasureModel, Observation, TRACKED_ROBOTS};
use sim_core::DVec2;

/// A robot whose velocity is within this of a wanted one follows it.
pub const FOLLOWED_MM_S: f64 = 5.0;
/// Longest lag that is looked for, s.
const MAX_LAG_S: f64 = 0.5;

/// Wishes beside executed velocities.
#[derive(Clone, Debug)]
pub(super) struct WishUse {
    robot_steps: u64,
    followed: u64,
    difference_sum: f64,
    compared: u64,
    feasible_followed: u64,
    free: u64,
    free_followed: u64,
    free_sums: Products,
    lags: Lags,
}

/// Sums of products of executed velocities v and wishes w, mm2/s2.
#[derive(Clone, Copy, Debug, Default)]
struct Products {
    vw: f64,
    vv: f64,
    ww: f64,
}

impl Products {
    fn add(&mut self, v: DVec2, w: DVec2) {
        self.vw += v.dot(w);
        self.vv += v.length_squared();
        self.ww += w.length_squared();
    }

    /// Executed share of the wish: slope of the line through zero that fits v over w best.
    fn gain(&self) -> f64 {
        ratio(self.vw, self.ww)
    }

    /// Cosine of all v and all w as two long vectors.
    fn cosine(&self) -> f64 {
        ratio(self.vw, (self.vv * self.ww).sqrt())
    }
}

/// Executed velocities beside wishes of the ticks before.
#[derive(Clone, Debug)]
struct Lags {
    tracked: usize,
    /// Wishes of the last ticks as a ring: tick t stands at `t % lags`.
    wishes_mm_s: Vec<DVec2>,
    /// Products by lag in ticks.
    products: Vec<Products>,
    ticks: usize,
}

impl Lags {
    fn new(model: &MeasureModel) -> Self {
        let lags = (MAX_LAG_S * model.rate_hz()) as usize + 1;
        let tracked = model.robots.min(TRACKED_ROBOTS);
        let wishes_mm_s = vec![DVec2::ZERO; lags * tracked];
        Self { tracked, wishes_mm_s, products: vec![Products::default(); lags], ticks: 0 }
    }

    fn note(&mut self, wishes_mm_s: &[DVec2]) {
        let at = self.ticks % self.products.len() * self.tracked;
        self.wishes_mm_s[at..at + self.tracked].copy_from_slice(&wishes_mm_s[..self.tracked]);
        self.ticks += 1;
    }

    /// Compares the velocity of robot `i` with its wishes, once there are as many as the longest lag asks for.
    fn compare(&mut self, i: usize, velocity_mm_s: DVec2) {
        let lags = self.products.len();
        if i >= self.tracked || self.ticks < lags {
            return;
        }
        for (lag, products) in self.products.iter_mut().enumerate() {
            let tick = (self.ticks - 1 - lag) % lags;
            products.add(velocity_mm_s, self.wishes_mm_s[tick * self.tracked + i]);
        }
    }

    /// The lag with the largest cosine, s; NaN where nothing was compared or nothing moved.
    fn best_s(&self, model: &MeasureModel) -> f64 {
        let cosines = self.products.iter().map(Products::cosine).enumerate().filter(|(_, cosine)| !cosine.is_nan());
        let best = cosines.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or(f64::NAN, |(lag, _)| model.seconds(lag as u64))
    }
}

impl WishUse {
    pub(super) fn new(model: &MeasureModel) -> Self {
        Self {
            robot_steps: 0,
            followed: 0,
            difference_sum: 0.0,
            compared: 0,
            feasible_followed: 0,
            free: 0,
            free_followed: 0,
            free_sums: Products::default(),
            lags: Lags::new(model),
        }
    }

    pub(super) fn step(&mut self, seen: &Observation<'_>) {
        self.robot_steps += seen.wish_mm_s.len() as u64;
        for (v, wish) in seen.after.velocity_mm_s.iter().zip(seen.wish_mm_s) {
            let difference_mm_s = v.distance(*wish);
            self.difference_sum += difference_mm_s;
            self.followed += u64::from(difference_mm_s <= FOLLOWED_MM_S);
        }
        self.lags.note(seen.wish_mm_s);
        self.compare(seen);
    }

    fn compare(&mut self, seen: &Observation<'_>) {
        let Some(comparison) = seen.comparison else { return };
        let velocities = seen.after.velocity_mm_s.iter().copied().enumerate();
        for (i, v) in velocities {
            self.compared += 1;
            self.feasible_followed += u64::from(v.distance(comparison.feasible_mm_s[i]) <= FOLLOWED_MM_S);
            if comparison.is_free[i] {
                self.free += 1;
                self.free_followed += u64::from(v.distance(comparison.drive_mm_s[i]) <= FOLLOWED_MM_S);
                self.free_sums.add(v, seen.wish_mm_s[i]);
                self.lags.compare(i, v);
            }
        }
    }

    pub(super) fn report(&self, model: &MeasureModel, table: &mut Table<'_>) {
        table.push("wish_followed_share", share(self.followed, self.robot_steps));
        table.push("wish_difference_mean_mm_s", ratio(self.difference_sum, self.robot_steps as f64));
        table.push("wish_feasible_followed_share", share(self.feasible_followed, self.compared));
        table.push("wish_free_share", share(self.free, self.compared));
        table.push("wish_followed_free_share", share(self.free_followed, self.free));
        table.push("wish_gain", self.free_sums.gain());
        table.push("wish_cosine", self.free_sums.cosine());
        table.push("wish_lag_s", self.lags.best_s(model));
    }
}
