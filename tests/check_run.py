#!/usr/bin/env python3
"""Recomputes what a run claims from its tables alone.

    python3 tests/check_run.py RUN_DIR [--expect-zero]

Reads agents.csv, feet.csv (written with --trace-every 1) and scenario.json of a run folder, works out swept distances, violations,
speeds, accelerations, turn rates and the box of centres, and compares them with summary.csv. It shares no code with the simulator and
needs nothing but Python.

Exit status: 0 all agree (and, with --expect-zero, nothing is violated); 1 a figure disagrees, a column contradicts the places, or a
violation was found; 2 the folder cannot be checked.
"""

import argparse
import csv
import json
import math
import sys
from pathlib import Path

DISTANCE_TOLERANCE_MM = 1e-6
LIMIT_TOLERANCE = 1e-6
COMFORT_MM = 70.0
MOVING_MM_S = 10.0

AGENT_COLUMNS = (
    "step,time_s,agent,x_mm,y_mm,heading_rad,speed_mm_s,omega_rad_s,vx_mm_s,vy_mm_s,"
    "wish_x_mm_s,wish_y_mm_s,nearest_agent_mm,nearest_foot_mm"
).split(",")
FOOT_COLUMNS = "step,time_s,foot,state,x_mm,y_mm,vx_mm_s,vy_mm_s".split(",")

ACCEPTANCE = (
    "d_r_violations",
    "d_h_violations",
    "outside_mat",
    "accel_limit_violations",
    "turn_limit_violations",
    "speed_limit_violations",
    "non_finite",
)


class Unusable(Exception):
    """The folder cannot be checked, and why."""


def cell(text):
    """A number, or NaN for an empty cell."""
    return float(text) if text else math.nan


class Steps:
    """Walks over a table step by step: (step, rows of that step), rows in the order of their owners."""

    def __init__(self, path, columns, owner):
        self.path, self.owner = path, owner
        try:
            self.file = open(path, newline="", encoding="utf-8")
        except OSError as error:
            raise Unusable(f"{path.name}: {error.strerror}") from error
        self.rows = csv.reader(self.file)
        header = next(self.rows, None)
        if header != columns:
            raise Unusable(f"{path.name}: the header is {header}, expected {columns}")

    def __iter__(self):
        step, rows = None, []
        for row in self.rows:
            if row[0] != step:
                if rows:
                    yield int(step), rows
                step, rows = row[0], []
            if int(row[2]) != len(rows):
                raise Unusable(f"{self.path.name}: step {step}: {self.owner} {row[2]} where {len(rows)} should stand")
            rows.append(row)
        if rows:
            yield int(step), rows


class Limits:
    """What scenario.json promises."""

    def __init__(self, scenario):
        safety, limits, mat = scenario["safety"], scenario["limits"], scenario["mat"]
        self.step_hz = scenario["step_hz"]
        self.d_r, self.d_h = safety["d_r_mm"], safety["d_h_mm"]
        self.v_max, self.a_max = limits["v_max_mm_s"], limits["a_max_mm_s2"]
        self.omega_max = limits["omega_max_rad_s"]
        margin = safety["wall_margin_mm"]
        self.low = (margin, margin)
        self.high = (mat["width_mm"] - margin, mat["height_mm"] - margin)
        self.agents, self.feet = scenario["agents"]["count"], scenario["feet"]["count"]


def swept_squared(ax, ay, bx, by):
    """Least x^2 + y^2 on the straight way from (ax, ay) to (bx, by)."""
    cx, cy = bx - ax, by - ay
    length = cx * cx + cy * cy
    s = -(ax * cx + ay * cy) / length if length > 0.0 else 0.0
    s = min(max(s, 0.0), 1.0)
    x, y = ax + s * cx, ay + s * cy
    return x * x + y * y


class Separation:
    """Smallest distance and violations of one kind of pairs."""

    def __init__(self, limit):
        self.limit = limit
        self.broken_below = limit - DISTANCE_TOLERANCE_MM
        self.violations = self.violating_steps = 0
        self.closest, self.closest_at = math.inf, None
        self.touched = False

    def matters_within(self, travel):
        """Pairs that end a step farther apart than this cannot have been near within it."""
        reach = max(self.limit, self.closest if self.closest < math.inf else 1e9) + travel + 1e-3
        return reach * reach

    def look(self, step, squared):
        distance = math.sqrt(squared)
        if distance < self.closest:
            self.closest, self.closest_at = distance, step
        if distance < self.broken_below:
            self.violations += 1
            self.touched = True

    def end_step(self):
        self.violating_steps += self.touched
        self.touched = False


class Checker:
    """Looks at each step once and counts."""

    def __init__(self, limits):
        self.limits = limits
        self.robots, self.feet = Separation(limits.d_r), Separation(limits.d_h)
        self.outside = self.accel = self.turn = self.speed = self.non_finite = 0
        self.accel_max = self.turn_max = self.speed_max = self.outside_max = 0.0
        self.accel_sum = self.turn_sum = self.speed_sum = 0.0
        self.moving = self.comfortable = self.steps = self.robot_steps = 0
        self.complaints = []
        self.before = None
        self.velocities = []

    def complain(self, text):
        """Remembers the first few contradictions inside the tables."""
        if len(self.complaints) < 10:
            self.complaints.append(text)

    def step(self, step, agent_rows, foot_rows):
        numbers = [[float(text) for text in row[3:12]] for row in agent_rows]
        feet = [(float(row[4]), float(row[5])) for row in foot_rows]
        now = (numbers, feet)
        bad = sum(not all(map(math.isfinite, some)) for some in numbers + [list(foot) for foot in feet])
        self.non_finite += bad
        if self.before is None:
            # Only the start's velocities are read; all later ones follow from the places.
            self.velocities = [(some[5], some[6]) for some in numbers]
        if self.before is not None and not bad:
            self.steps += 1
            travel = self.move(step, self.before[0], numbers)
            self.distances(step, self.before, now, travel, agent_rows)
        if abs(float(agent_rows[0][1]) * self.limits.step_hz - step) > 1e-6:
            self.complain(f"step {step}: time_s is {agent_rows[0][1]}")
        self.before = now

    def move(self, step, before, after):
        """Speeds, accelerations and turn rates; returns the longest way of a robot."""
        limits, hz, longest = self.limits, self.limits.step_hz, 0.0
        for i, (old, new) in enumerate(zip(before, after)):
            x, y, heading = new[0], new[1], new[2]
            dx, dy = x - old[0], y - old[1]
            way = math.hypot(dx, dy)
            longest = max(longest, way)
            speed = way * hz
            vx, vy = dx * hz, dy * hz
            if abs(vx - new[5]) > 1e-6 * hz or abs(vy - new[6]) > 1e-6 * hz:
                self.complain(f"step {step}: agent {i}: velocity ({new[5]}, {new[6]}) but moved at ({vx}, {vy})")
            old_vx, old_vy = self.velocities[i]
            self.velocities[i] = (vx, vy)
            accel = math.hypot(vx - old_vx, vy - old_vy) * hz
            turn = abs(math.remainder(heading - old[2], 2.0 * math.pi)) * hz
            self.speed_sum, self.speed_max = self.speed_sum + speed, max(self.speed_max, speed)
            self.accel_sum, self.accel_max = self.accel_sum + accel, max(self.accel_max, accel)
            self.turn_sum, self.turn_max = self.turn_sum + turn, max(self.turn_max, turn)
            self.speed += speed > limits.v_max * (1.0 + LIMIT_TOLERANCE)
            self.accel += accel > limits.a_max * (1.0 + LIMIT_TOLERANCE)
            self.turn += turn > limits.omega_max * (1.0 + LIMIT_TOLERANCE)
            self.moving += speed > MOVING_MM_S
            beyond_x = max(limits.low[0] - x, x - limits.high[0], 0.0)
            beyond_y = max(limits.low[1] - y, y - limits.high[1], 0.0)
            beyond = math.hypot(beyond_x, beyond_y)
            self.outside += beyond > DISTANCE_TOLERANCE_MM
            self.outside_max = max(self.outside_max, beyond)
        self.robot_steps += len(after)
        return longest

    def distances(self, step, before, after, travel, rows):
        """Swept distances of all pairs; the columns of nearest distances are checked on the way."""
        (old_robots, old_feet), (new_robots, new_feet) = before, after
        foot_travel = max((math.dist(p, q) for p, q in zip(old_feet, new_feet)), default=0.0)
        gate = self.robots.matters_within(2.0 * travel)
        foot_gate = self.feet.matters_within(travel + foot_travel)
        count = len(new_robots)
        places = [(new[0], new[1], old[0], old[1]) for new, old in zip(new_robots, old_robots)]
        nearest, nearest_foot = [math.inf] * count, [math.inf] * count
        for i in range(count):
            x, y, old_x, old_y = places[i]
            best = nearest[i]
            for j in range(i):
                other_x, other_y, other_old_x, other_old_y = places[j]
                dx, dy = other_x - x, other_y - y
                squared = dx * dx + dy * dy
                if squared < best:
                    best = squared
                if squared < nearest[j]:
                    nearest[j] = squared
                if squared <= gate:
                    self.robots.look(step, swept_squared(other_old_x - old_x, other_old_y - old_y, dx, dy))
            nearest[i] = best
            for (old_fx, old_fy), (fx, fy) in zip(old_feet, new_feet):
                dx, dy = fx - x, fy - y
                squared = dx * dx + dy * dy
                nearest_foot[i] = min(nearest_foot[i], squared)
                if squared <= foot_gate:
                    self.feet.look(step, swept_squared(old_fx - old_x, old_fy - old_y, dx, dy))
        self.comfortable += min(nearest) >= COMFORT_MM * COMFORT_MM
        self.robots.end_step()
        self.feet.end_step()
        self.check_columns(step, rows, nearest, nearest_foot)

    def check_columns(self, step, rows, nearest, nearest_foot):
        for i, row in enumerate(rows):
            for name, text, squared in (("agent", row[12], nearest[i]), ("foot", row[13], nearest_foot[i])):
                if text and abs(float(text) - math.sqrt(squared)) > 1e-9 * (1.0 + math.sqrt(squared)):
                    self.complain(f"step {step}: agent {i}: nearest_{name}_mm is {text}, the places say {math.sqrt(squared)}")

    def figures(self):
        """What summary.csv should say, by name."""
        def mean(total):
            return total / self.robot_steps if self.robot_steps else math.nan

        def of(separation, value):
            return value if separation.closest < math.inf else math.nan

        hz, robots, feet = self.limits.step_hz, self.robots, self.feet
        return {
            "d_r_violations": robots.violations,
            "d_h_violations": feet.violations,
            "outside_mat": self.outside,
            "accel_limit_violations": self.accel,
            "turn_limit_violations": self.turn,
            "speed_limit_violations": self.speed,
            "non_finite": self.non_finite,
            "min_robot_robot_mm": of(robots, robots.closest),
            "min_robot_robot_at_s": of(robots, (robots.closest_at or 0) / hz),
            "min_robot_foot_mm": of(feet, feet.closest),
            "min_robot_foot_at_s": of(feet, (feet.closest_at or 0) / hz),
            "d_r_violating_steps": robots.violating_steps,
            "d_h_violating_steps": feet.violating_steps,
            "outside_max_mm": self.outside_max,
            "comfort_share": self.comfortable / self.steps if self.steps else math.nan,
            "speed_max_mm_s": self.speed_max,
            "speed_mean_mm_s": mean(self.speed_sum),
            "accel_max_mm_s2": self.accel_max,
            "accel_mean_mm_s2": mean(self.accel_sum),
            "turn_rate_max_rad_s": self.turn_max,
            "turn_rate_mean_rad_s": mean(self.turn_sum),
            "moving_share": mean(self.moving),
        }


def read_scenario(folder):
    try:
        return json.loads((folder / "scenario.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unusable(f"scenario.json: {error}") from error


def read_summary(folder):
    try:
        with open(folder / "summary.csv", newline="", encoding="utf-8") as file:
            return {row["metric"]: cell(row["value"]) for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError) as error:
        raise Unusable(f"summary.csv: {error}") from error


def foot_steps(folder, limits):
    if limits.feet == 0:
        return None
    return iter(Steps(folder / "feet.csv", FOOT_COLUMNS, "foot"))


def walk(folder, limits):
    """Runs the checker over the tables."""
    checker = Checker(limits)
    feet = foot_steps(folder, limits)
    expected = 0
    for step, rows in Steps(folder / "agents.csv", AGENT_COLUMNS, "agent"):
        if step != expected:
            raise Unusable(f"agents.csv goes from step {expected - 1} to {step}: run with --trace-every 1")
        if len(rows) != limits.agents:
            raise Unusable(f"agents.csv has {len(rows)} agents in step {step}, the scenario {limits.agents}")
        foot_rows = []
        if feet is not None:
            foot_step, foot_rows = next(feet, (None, []))
            if foot_step != step or len(foot_rows) != limits.feet:
                raise Unusable(f"feet.csv does not have {limits.feet} feet in step {step}")
        checker.step(step, rows, foot_rows)
        expected += 1
    if expected < 2:
        raise Unusable("agents.csv holds fewer than two steps")
    return checker


def agree(ours, theirs):
    """Equal up to the rounding of sums in another order."""
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return abs(ours - theirs) <= 1e-9 + 1e-9 * abs(ours)


def report(figures, summary, expect_zero):
    """Prints the table; returns the number of lines that are not as they should be."""
    wrong = 0
    print(f"{'measure':26} {'from the tables':>22} {'summary.csv':>22}  verdict")
    for name, ours in figures.items():
        if name not in summary:
            verdict, theirs = "missing in summary.csv", math.nan
        else:
            theirs = summary[name]
            verdict = "agrees" if agree(ours, theirs) else "DISAGREES"
        if expect_zero and name in ACCEPTANCE and ours != 0:
            verdict += ", VIOLATED"
        wrong += verdict != "agrees"
        print(f"{name:26} {ours:22.12g} {theirs:22.12g}  {verdict}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run_dir", type=Path, help="folder of one run, written with --trace-every 1")
    parser.add_argument("--expect-zero", action="store_true", help="also fail if an acceptance line is not zero")
    arguments = parser.parse_args()
    try:
        limits = Limits(read_scenario(arguments.run_dir))
        checker = walk(arguments.run_dir, limits)
        wrong = report(checker.figures(), read_summary(arguments.run_dir), arguments.expect_zero)
    except Unusable as error:
        print(f"check_run: {error}", file=sys.stderr)
        return 2
    except (ValueError, IndexError, KeyError) as error:
        print(f"check_run: the tables cannot be read: {error!r}", file=sys.stderr)
        return 2
    for complaint in checker.complaints:
        print(f"contradiction: {complaint}")
    print(f"{checker.steps} steps of {limits.agents} agents and {limits.feet} feet: ", end="")
    print("all as it should be" if not wrong and not checker.complaints else f"{wrong} wrong, {len(checker.complaints)} contradictions")
    return 1 if wrong or checker.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
