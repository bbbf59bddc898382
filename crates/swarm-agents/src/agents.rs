//! The robots: place, velocity and heading of each, one array per quantity (spec 1.4).

use crate::drive::Motion;
use sim_core::{DVec2, StateHash};

/// All robots in id order. The arrays have one length; [`Agents::resize`] and [`Agents::set`] keep it so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agents {
    /// Centre, mm.
    pub position_mm: Vec<DVec2>,
    /// Velocity executed in the last tick, mm/s.
    pub velocity_mm_s: Vec<DVec2>,
    /// Heading, rad in (-pi, pi], from +x towards +y.
    pub heading_rad: Vec<f64>,
    /// Speed, mm/s: signed and along the heading for a differential drive, the length of the velocity for a point.
    pub speed_mm_s: Vec<f64>,
    /// Turn rate of the last tick, rad/s.
    pub omega_rad_s: Vec<f64>,
}

impl Agents {
    /// Robots at rest at these places, all heading along +x.
    #[must_use]
    pub fn at_rest(position_mm: Vec<DVec2>) -> Self {
        let mut agents = Self::default();
        agents.resize(position_mm.len());
        agents.position_mm = position_mm;
        agents
    }

    /// Number of robots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position_mm.len()
    }

    /// True if there is no robot.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position_mm.is_empty()
    }

    /// Keeps the first `count` robots; new ones rest at the origin, to be set.
    pub fn resize(&mut self, count: usize) {
        self.position_mm.resize(count, DVec2::ZERO);
        self.velocity_mm_s.resize(count, DVec2::ZERO);
        self.heading_rad.resize(count, 0.0);
        self.speed_mm_s.resize(count, 0.0);
        self.omega_rad_s.resize(count, 0.0);
    }

    /// Motion of robot `i`.
    #[inline(always)]
    #[must_use]
    pub fn motion(&self, i: usize) -> Motion {
        Motion {
            position_mm: self.position_mm[i],
            velocity_mm_s: self.velocity_mm_s[i],
            heading_rad: self.heading_rad[i],
            speed_mm_s: self.speed_mm_s[i],
            omega_rad_s: self.omega_rad_s[i],
        }
    }

    /// Sets the motion of robot `i`.
    #[inline(always)]
    pub fn set(&mut self, i: usize, motion: Motion) {
        self.position_mm[i] = motion.position_mm;
        self.velocity_mm_s[i] = motion.velocity_mm_s;
        self.heading_rad[i] = motion.heading_rad;
        self.speed_mm_s[i] = motion.speed_mm_s;
        self.omega_rad_s[i] = motion.omega_rad_s;
    }

    /// Takes over the robots of another set, in the memory that there is.
    pub fn copy_from(&mut self, other: &Self) {
        self.position_mm.clone_from(&other.position_mm);
        self.velocity_mm_s.clone_from(&other.velocity_mm_s);
        self.heading_rad.clone_from(&other.heading_rad);
        self.speed_mm_s.clone_from(&other.speed_mm_s);
        self.omega_rad_s.clone_from(&other.omega_rad_s);
    }

    /// Adds all robots to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.len() as u64);
        for i in 0..self.len() {
            hash.vec2(self.position_mm[i]);
            hash.vec2(self.velocity_mm_s[i]);
            hash.f64(self.heading_rad[i]);
            hash.f64(self.speed_mm_s[i]);
            hash.f64(self.omega_rad_s[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Motion {
        Motion {
            position_mm: DVec2::new(1.0, 2.0),
            velocity_mm_s: DVec2::new(3.0, 4.0),
            heading_rad: 0.5,
            speed_mm_s: 5.0,
            omega_rad_s: 0.25,
        }
    }

    fn hash_of(agents: &Agents) -> u64 {
        let mut hash = StateHash::new();
        agents.hash_into(&mut hash);
        hash.finish()
    }

    #[test]
    fn what_is_set_is_read_back() {
        let mut agents = Agents::default();
        agents.resize(2);
        agents.set(1, one());
        assert_eq!((agents.motion(1), agents.len(), agents.is_empty()), (one(), 2, false));
        let mut copy = Agents::at_rest(vec![DVec2::ONE; 3]);
        copy.copy_from(&agents);
        assert_eq!(copy, agents);
        agents.resize(1);
        assert_eq!(agents, Agents::at_rest(vec![DVec2::ZERO]));
    }

    #[test]
    fn every_quantity_of_every_robot_counts_in_the_hash() {
        let mut base = Agents::at_rest(vec![DVec2::ZERO; 2]);
        base.set(1, one());
        let changes: [fn(&mut Motion); 5] = [
            |m| m.position_mm.y += 1e-9,
            |m| m.velocity_mm_s.x += 1e-9,
            |m| m.heading_rad += 1e-9,
            |m| m.speed_mm_s += 1e-9,
            |m| m.omega_rad_s += 1e-9,
        ];
        for change in changes {
            let (mut other, mut motion) = (base.clone(), one());
            change(&mut motion);
            other.set(1, motion);
            assert_ne!(hash_of(&base), hash_of(&other));
        }
    }
}
