//! Districts: a large band is swept where it is not clean yet.
//!
//! Thirty robots on the spec's mat are clean after some thirty sweeps; among a thousand somebody is always in a jam that takes all
//! the sweeps there are. So the mat is cut into districts about as large as the spec's mat, and each rests as soon as its own
//! corrections are small, until a push across its border wakes it. What belongs to a district also fits into the processor's
//! nearest memory. A mat of less than two districts' width is one district.

use sim_core::{DVec2, Rect};

/// Least side of a district, mm: that of the spec's mat.
const SIDE_MM: f64 = 400.0;

/// The robots of each district, and how far it is from clean.
#[derive(Clone, Debug, Default)]
pub struct Districts {
    /// District of each robot.
    of: Vec<u32>,
    /// Robots of district `d`, in ascending order, stand at `start[d]..start[d + 1]`.
    robots: Vec<u32>,
    start: Vec<u32>,
    /// Largest correction in each district in its last sweep, or by a push across its border since, mm.
    worst_mm: Vec<f64>,
}

impl Districts {
    /// Assigns the robots by their places. No district is clean then.
    pub fn rebuild(&mut self, bounds: Rect, places_mm: &[DVec2]) {
        let counts = (bounds.size() / SIDE_MM).floor().max(DVec2::ONE);
        let last = counts - DVec2::ONE;
        let district = |&place_mm: &DVec2| {
            let at = ((place_mm - bounds.min) / bounds.size() * counts).floor().clamp(DVec2::ZERO, last);
            (at.y * counts.x + at.x) as u32
        };
        self.of.clear();
        self.of.extend(places_mm.iter().map(district));
        let districts = (counts.x * counts.y) as usize;
        self.worst_mm.clear();
        self.worst_mm.resize(districts, f64::INFINITY);
        self.sort(districts);
    }

    /// Sorts the robots by district.
    fn sort(&mut self, districts: usize) {
        self.start.clear();
        self.start.resize(districts + 1, 0);
        self.of.iter().for_each(|&district| self.start[district as usize + 1] += 1);
        (0..districts).for_each(|district| self.start[district + 1] += self.start[district]);
        self.robots.resize(self.of.len(), 0);
        for (i, &district) in self.of.iter().enumerate() {
            let slot = &mut self.start[district as usize];
            self.robots[*slot as usize] = i as u32;
            *slot += 1;
        }
        // Each start now stands at its district's end, which is the next one's start.
        self.start.rotate_right(1);
        self.start[0] = 0;
    }

    /// Number of districts.
    #[must_use]
    pub fn count(&self) -> usize {
        self.worst_mm.len()
    }

    /// District of a robot.
    #[must_use]
    pub fn of(&self, robot: u32) -> usize {
        self.of[robot as usize] as usize
    }

    /// Robots of a district, in ascending order.
    #[must_use]
    pub fn robots(&self, district: usize) -> &[u32] {
        &self.robots[self.start[district] as usize..self.start[district + 1] as usize]
    }

    /// A sweep of a district has ended; this was its largest correction.
    pub fn end_sweep(&mut self, district: usize, worst_mm: f64) {
        self.worst_mm[district] = worst_mm;
    }

    /// A sweep pushed a robot, maybe across the border of its district, by so much.
    #[inline]
    pub fn note_push(&mut self, robot: u32, correction_mm: f64) {
        let worst_mm = &mut self.worst_mm[self.of[robot as usize] as usize];
        if correction_mm > *worst_mm {
            *worst_mm = correction_mm;
        }
    }

    /// True if neither the last sweep of a district nor a push across its border since was as large as `clean_mm`.
    #[must_use]
    pub fn is_clean(&self, district: usize, clean_mm: f64) -> bool {
        self.worst_mm[district] < clean_mm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two robots in the first district of a wide mat and one in the last.
    fn districts(width_mm: f64) -> Districts {
        let mut districts = Districts::default();
        let places = [DVec2::new(10.0, 10.0), DVec2::new(width_mm, 400.0), DVec2::new(100.0, 10.0)];
        districts.rebuild(Rect::from_size(width_mm, 400.0), &places);
        districts
    }

    #[test]
    fn robots_belong_to_the_district_that_they_are_in() {
        let districts = districts(1200.0);
        assert_eq!([0, 1, 2].map(|district| districts.robots(district)), [&[0, 2][..], &[], &[1]]);
        assert_eq!([0, 1, 2].map(|robot| districts.of(robot)), [0, 2, 0]);
    }

    #[test]
    fn a_district_is_clean_until_one_of_its_robots_is_pushed() {
        let mut districts = districts(1200.0);
        assert!((0..3).all(|district| !districts.is_clean(district, 0.4)), "nothing is clean at first");
        districts.end_sweep(0, 0.3);
        districts.end_sweep(1, 0.4);
        districts.end_sweep(2, 0.0);
        assert_eq!([0, 1, 2].map(|district| districts.is_clean(district, 0.4)), [true, false, true]);
        districts.note_push(2, 5.0);
        districts.note_push(0, 0.3);
        districts.note_push(1, 0.3);
        districts.end_sweep(1, 0.0);
        assert_eq!([0, 1, 2].map(|district| districts.is_clean(district, 0.4)), [false, true, true]);
    }

    #[test]
    fn a_small_mat_is_one_district() {
        let districts = districts(790.0);
        assert_eq!((districts.count(), districts.robots(0)), (1, &[0, 1, 2][..]));
    }
}
