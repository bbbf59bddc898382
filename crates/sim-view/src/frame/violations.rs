//! Distances that were broken, from their events.

use super::{Other, Violation};
use crate::folder::EventRow;
use std::collections::BTreeMap;

/// The violations of a run as its events come.
#[derive(Debug)]
pub(super) struct Violations {
    d_r_mm: f64,
    d_h_mm: f64,
    /// The last episode of each pair, as long as it can still be shown.
    episodes: BTreeMap<(u64, Other), Episode>,
}

#[derive(Debug)]
struct Episode {
    begin_s: f64,
    end_s: Option<f64>,
    least_mm: Option<f64>,
}

impl Violations {
    /// With the limits of the scenario.
    pub fn new(d_r_mm: f64, d_h_mm: f64) -> Self {
        Self { d_r_mm, d_h_mm, episodes: BTreeMap::new() }
    }

    /// Takes in the next event, of whatever kind.
    pub fn hear(&mut self, event: &EventRow) {
        let Some(pair) = pair_of(event) else { return };
        let time_s = event.moment.time_s;
        if event.kind.contains("_violation_begin") {
            self.episodes.insert(pair, Episode { begin_s: time_s, end_s: None, least_mm: None });
        } else if let Some(episode) = self.episodes.get_mut(&pair).filter(|_| event.kind.contains("_violation_end")) {
            let limit_mm = if matches!(pair.1, Other::Foot(_)) { self.d_h_mm } else { self.d_r_mm };
            // The end tells by how much the limit was missed at most.
            episode.least_mm = event.value.map(|shortfall_mm| limit_mm - shortfall_mm);
            episode.end_s = Some(time_s);
        }
    }

    /// Those that last at `time_s`, or began or lasted less than `shown_s` before. Times must not go back.
    pub fn at(&mut self, time_s: f64, shown_s: f64) -> Vec<Violation> {
        let is_shown =
            |episode: &Episode| episode.end_s.is_none_or(|end_s| time_s <= end_s.max(episode.begin_s + shown_s));
        self.episodes.retain(|_, episode| is_shown(episode));
        let violation = |(&(robot, other), episode): (&(u64, Other), &Episode)| Violation {
            robot,
            other,
            is_over: episode.end_s.is_some_and(|end_s| end_s <= time_s),
            least_mm: episode.least_mm,
        };
        self.episodes.iter().map(violation).collect()
    }
}

/// Whom an event of two is about: a robot, and another one or a foot.
fn pair_of(event: &EventRow) -> Option<(u64, Other)> {
    let number = |words: &str, kind: &str| words.strip_prefix(kind)?.trim_start().parse().ok();
    let other =
        number(&event.object, "foot").map(Other::Foot).or_else(|| number(&event.object, "agent").map(Other::Robot))?;
    Some((number(&event.subject, "agent")?, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Moment;

    fn event(time_s: f64, kind: &str, object: &str, value: f64) -> EventRow {
        EventRow {
            moment: Moment { step: (time_s * 60.0).round() as u64, time_s },
            kind: kind.into(),
            subject: "agent 4".into(),
            object: object.into(),
            value: Some(value),
            unit: "mm".into(),
        }
    }

    #[test]
    fn a_violation_between_two_rows_is_shown_for_a_moment_with_its_smallest_distance() {
        let mut violations = Violations::new(60.0, 100.0);
        violations.hear(&event(1.02, "d_h_violation_begin_in_sealed_pocket", "foot 0", 99.5));
        let before = Violation { robot: 4, other: Other::Foot(0), is_over: false, least_mm: None };
        assert_eq!(violations.at(1.03, 0.5), [before]);
        violations.hear(&event(1.07, "d_h_violation_end", "foot 0", 1.25));
        let over = Violation { is_over: true, least_mm: Some(98.75), ..before };
        assert_eq!(violations.at(1.1, 0.5), [over]);
        assert_eq!(violations.at(1.5, 0.5), [over]);
        assert_eq!(violations.at(1.6, 0.5), []);
    }

    #[test]
    fn a_long_one_is_shown_until_it_ends() {
        let mut violations = Violations::new(60.0, 100.0);
        violations.hear(&event(0.0, "d_r_violation_begin", "agent 7", 59.0));
        assert_eq!(violations.at(3.0, 0.5).len(), 1);
        violations.hear(&event(3.2, "d_r_violation_end", "agent 7", 20.0));
        let last = Violation { robot: 4, other: Other::Robot(7), is_over: true, least_mm: Some(40.0) };
        assert_eq!(violations.at(3.2, 0.5), [last]);
        assert_eq!(violations.at(3.21, 0.5), []);
    }

    #[test]
    fn other_events_are_none_of_them() {
        let mut violations = Violations::new(60.0, 100.0);
        violations.hear(&event(0.0, "closest_robot_foot", "foot 0", 99.0));
        violations.hear(&event(0.0, "foot_phase", "", 0.0));
        violations.hear(&event(0.0, "d_h_violation_end", "foot 0", 3.0));
        assert_eq!(violations.at(0.0, 0.5), []);
    }
}
