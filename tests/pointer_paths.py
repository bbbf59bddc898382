#!/usr/bin/env python3
"""Feet that people lead with a pointer, as files of the input stream `feet`, and what robots make of them for an hour.

    python3 tests/pointer_paths.py SIM_CLI OUT [SECONDS]

No path was recorded from a person. Each is a chain of reaching movements of least jerk (Flash and Hogan 1985), whose durations follow
Fitts's law (1954) with 0.1 s and 0.15 s a bit, and of rests whose lengths are log-normal. Four ways to play:

    visitor    looks and leads the foot across now and then
    player     aims again and again at where the robots are, with short rests
    stirrer    swings back and forth over the middle, without a rest
    rester     puts the foot down somewhere and leaves it for half a minute

The table has a line for each path, scenario and manner: violations, the nearest distance, and the share of the time in which the foot
stands although its pointer is more than 5 mm off.
"""

import csv
import math
import random
import subprocess
import sys
from pathlib import Path

ROWS_HZ = 20
TARGET_MM = 30.0
"""Width of a target in Fitts's law: a robot."""
A_S, B_S = 0.1, 0.15
SEED = 24

SCENARIOS = {"swarm-30": (400.0, 400.0), "hall": (1200.0, 800.0)}


def anywhere(draw, size):
    return tuple(draw.uniform(0.1, 0.9) * side for side in size)


def swings(draw, size, n):
    side = 1 if n % 2 else -1
    return (size[0] * (0.5 + side * draw.uniform(0.2, 0.35)), size[1] * draw.uniform(0.35, 0.65))


PEOPLE = {
    # Next goal, median of rests in s, spread of their logarithm, factor on the duration of a movement.
    "visitor": (lambda draw, size, n: anywhere(draw, size), 2.0, 0.8, 2.0),
    "player": (lambda draw, size, n: anywhere(draw, size), 0.3, 0.6, 1.0),
    "stirrer": (swings, 0.0, 0.0, 1.0),
    "rester": (lambda draw, size, n: anywhere(draw, size), 30.0, 0.4, 3.0),
}


def path(person, size, seconds):
    """Places at ROWS_HZ: from each goal to the next one with the least jerk, then a rest."""
    goal, rest_s, spread, slow = PEOPLE[person]
    draw = random.Random(f"{SEED} {person} {size}")
    at, time_s, n = (size[0] / 2, size[1] / 2), 0.0, 0
    while time_s < seconds:
        to, n = goal(draw, size, n), n + 1
        length = math.dist(at, to)
        lasts = slow * (A_S + B_S * math.log2(length / TARGET_MM + 1))
        for k in range(1, max(round(lasts * ROWS_HZ), 1) + 1):
            s = min(k / (lasts * ROWS_HZ), 1.0)
            share = s**3 * (10 - 15 * s + 6 * s * s)
            yield time_s + k / ROWS_HZ, tuple(a + share * (b - a) for a, b in zip(at, to))
        pause = draw.lognormvariate(math.log(rest_s), spread) if rest_s else 0.0
        time_s += lasts + pause
        at = to


def write(folder, person, size, seconds, step_hz=60):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "inputs-feet.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["step", "foot", "x_mm", "y_mm"])
        last = 0
        for time_s, (x, y) in path(person, size, seconds):
            step = max(round(time_s * step_hz), 1)
            if last < step <= seconds * step_hz:
                table.writerow([step, 0, f"{x:.2f}", f"{y:.2f}"])
                last = step


def measures(folder):
    with open(folder / "summary.csv", newline="") as file:
        return {row["metric"]: row["value"] for row in csv.DictReader(file)}


def stands(folder, goals):
    """Share of the rows in which the foot does not move and its goal is elsewhere."""
    rows, held, at = 0, 0, 0
    with open(folder / "feet.csv", newline="") as file:
        for row in csv.DictReader(file):
            while at + 1 < len(goals) and goals[at + 1][0] <= int(row["step"]):
                at += 1
            off_mm = math.dist(goals[at][1], (float(row["x_mm"]), float(row["y_mm"])))
            rows += 1
            held += math.hypot(float(row["vx_mm_s"]), float(row["vy_mm_s"])) < 1.0 and off_mm > 5.0
    return held / rows


def read_goals(folder):
    with open(folder / "inputs-feet.csv", newline="") as file:
        return [(int(row["step"]), (float(row["x_mm"]), float(row["y_mm"]))) for row in csv.DictReader(file)]


def line(sim_cli, out, seconds, name, person, manner):
    """Runs a path and prints its line."""
    inputs, folder = out / "inputs" / name / person, out / f"{name}-{person}-{manner}"
    write(inputs, person, SCENARIOS[name], seconds)
    words = ["run", f"scenarios/{name}.json", "--inputs", inputs, "--duration", f"{seconds}s", "--trace-every", 30]
    words += ["--set", f"feet.manner={manner}", "--set", "feet.count=1", "--out", folder, "--overwrite", "-q"]
    subprocess.run([sim_cli, *map(str, words)], check=True)
    found = measures(folder)
    broken = f"{float(found['d_h_violations']):.0f}, {float(found['d_r_violations']):.0f}"
    nearest = f"{float(found['min_robot_foot_mm']):.1f} mm"
    held = f"{100 * stands(folder, read_goals(inputs)):.1f} %"
    print(f"| {person} | {name} | {manner} | {broken} | {nearest} | {held} |", flush=True)


def main(sim_cli, out, seconds):
    print("| pointer | scenario | manner | violations of d_h, d_r | nearest to the foot | foot held up |")
    print("|---|---|---|---|---|---|")
    for manner in ("considerate", "stubborn"):
        for name in SCENARIOS:
            for person in PEOPLE:
                line(sim_cli, out, seconds, name, person, manner)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 3600.0)
