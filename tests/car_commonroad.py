#!/usr/bin/env python3
"""Compares drives of the car with the kinematic single-track model of CommonRoad.

    python3 tests/car_commonroad.py DRIVE_PROGRAM

DRIVE_PROGRAM is the example `drive` of the crate car-sim: it drives a car and writes where it was. This script works out the inputs of the
ramps by itself (steering rate, acceleration, and the moments at which they change), has SciPy integrate CommonRoad's model with them to
1e-13, once with the rear axle and once with the point between the axles as reference, and compares every row.

It needs `commonroad-vehicle-models` 3.0.2 and `scipy` from PyPI and shares no code with the simulator.

Exit status: 0 all agree; 1 a row disagrees; 2 the drives could not be made; 77 skipped, a package is missing.
"""

import csv
import math
import random
import subprocess
import sys
from types import SimpleNamespace

try:
    from scipy.integrate import solve_ivp
    from vehiclemodels.utils.vehicle_dynamics_ks_cog import vehicle_dynamics_ks_cog
    from vehiclemodels.vehicle_dynamics_ks import vehicle_dynamics_ks
except ImportError as error:
    print(f"SKIPPED: comparison with CommonRoad's single-track model: {error}")
    sys.exit(77)

# The default car (car facts, section 2).
WHEELBASE_M, BASE_TO_REAR_M, TRACK_M = 0.405, 0.2025, 0.213
STEERING_RATE_RAD_S = 2.0
VELOCITY_M_S = (-0.5, 0.8)
ACCELERATION_M_S2, DECELERATION_M_S2 = 1.0, 2.0
WHEEL_LIMIT_RAD = math.radians(40)

# CommonRoad's own limits are set wide: ours are applied here.
WIDE = SimpleNamespace(
    a=WHEELBASE_M - BASE_TO_REAR_M,
    b=BASE_TO_REAR_M,
    steering=SimpleNamespace(min=-1.5, max=1.5, v_min=-100.0, v_max=100.0),
    longitudinal=SimpleNamespace(v_min=-100.0, v_max=100.0, v_switch=100.0, a_max=100.0),
)

# Rows agree to what SciPy's integration (1e-13 a piece) and rows at 17 digits leave after some ten metres.
TOLERANCE = 1e-10


def curvature_limit():
    """Of the base point: the inner front wheel reaches its limit first."""
    k = math.tan(WHEEL_LIMIT_RAD) / (WHEELBASE_M + TRACK_M / 2 * math.tan(WHEEL_LIMIT_RAD))
    return k / math.hypot(1, k * BASE_TO_REAR_M)


class Ramps:
    """Steering angle and rear speed under a command, as pieces of constant rates: (duration, steering rate, acceleration)."""

    def __init__(self, steering, speed):
        self.steering, self.speed = steering, speed

    def pieces(self, velocity, curvature, seconds):
        curvature = max(-curvature_limit(), min(curvature_limit(), curvature))
        velocity = max(VELOCITY_M_S[0], min(VELOCITY_M_S[1], velocity))
        share = math.sqrt(1 - (curvature * BASE_TO_REAR_M) ** 2)
        steering_end = math.atan(curvature / share * WHEELBASE_M)
        speed_end = velocity * share
        left = seconds
        while left > 1e-15:
            steering_rate, steering_left = self.ramp(self.steering, steering_end, STEERING_RATE_RAD_S)
            # A car that has to turn round brakes to a standstill first.
            goal = 0.0 if self.speed * speed_end < 0 else speed_end
            limit = ACCELERATION_M_S2 if abs(goal) > abs(self.speed) else DECELERATION_M_S2
            rate, speed_left = self.ramp(self.speed, goal, limit * share)
            duration = min(left, steering_left, speed_left)
            yield duration, steering_rate, rate
            self.steering = steering_end if duration == steering_left else self.steering + steering_rate * duration
            self.speed = goal if duration == speed_left else self.speed + rate * duration
            left -= duration

    @staticmethod
    def ramp(now, end, rate):
        if abs(end - now) < 1e-14:
            return 0.0, math.inf
        return math.copysign(rate, end - now), abs(end - now) / rate


def integrate(dynamics, state, duration, inputs, stops):
    """State after `duration` and at each of `stops` within it."""
    if duration < 1e-15:
        return state, []
    solution = solve_ivp(
        lambda t, x: dynamics(list(x), inputs(t), WIDE),
        (0.0, duration),
        state,
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
        t_eval=sorted(set(stops) | {duration}),
    )
    rows = [list(column) for column in solution.y.T]
    return rows[-1], [rows[list(solution.t).index(stop)] for stop in stops]


def base_speed(steering, rear_speed):
    return rear_speed * math.hypot(1.0, math.tan(steering) * BASE_TO_REAR_M / WHEELBASE_M)


def base_acceleration(steering, rear_speed, steering_rate, acceleration):
    """Time derivative of the base point's speed."""
    lever = BASE_TO_REAR_M / WHEELBASE_M
    slope = math.tan(steering) * lever**2 / math.cos(steering) ** 2 / math.hypot(1.0, math.tan(steering) * lever)
    return acceleration * math.hypot(1.0, math.tan(steering) * lever) + rear_speed * slope * steering_rate


def reference(start, legs):
    """Rows (rear axle's state, base point's state) every 10 ms, states being (x, y, steering, speed, yaw)."""
    x, y, yaw, steering, velocity = start
    rear_speed = velocity / base_speed(steering, 1.0)
    rear = [x - BASE_TO_REAR_M * math.cos(yaw), y - BASE_TO_REAR_M * math.sin(yaw), steering, rear_speed, yaw]
    base = [x, y, steering, velocity, yaw]
    rows, ramps, now, row = [(rear, base)], Ramps(steering, rear_speed), 0.0, 1
    for velocity, curvature, seconds in legs:
        for duration, steering_rate, rate in ramps.pieces(velocity, curvature, seconds):
            stops = []
            while row * 0.01 <= now + duration + 1e-12:
                stops.append(min(row * 0.01 - now, duration))
                row += 1
            d0, v0 = rear[2], rear[3]

            def along_base(t, d0=d0, v0=v0, n=steering_rate, a=rate):
                return [n, base_acceleration(d0 + n * t, v0 + a * t, n, a)]

            rear, rear_rows = integrate(
                vehicle_dynamics_ks, rear, duration, lambda _, n=steering_rate, a=rate: [n, a], stops
            )
            base, base_rows = integrate(vehicle_dynamics_ks_cog, base, duration, along_base, stops)
            rows.extend(zip(rear_rows, base_rows))
            now += duration
    return rows


def driven(program, start, legs):
    words = [",".join(map(repr, numbers)) for numbers in [start, *legs]]
    result = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(f"{program} failed: {result.stderr.strip()}")
        sys.exit(2)
    return [{key: float(cell) for key, cell in row.items()} for row in csv.DictReader(result.stdout.splitlines())]


def differences(row, rear, base):
    turn = row["yaw_rad"] - rear[4]
    return {
        "rear place": math.hypot(row["rear_x_m"] - rear[0], row["rear_y_m"] - rear[1]),
        "base place": math.hypot(row["x_m"] - base[0], row["y_m"] - base[1]),
        "yaw": abs(math.remainder(turn, math.tau)),
        "yaw, base": abs(math.remainder(row["yaw_rad"] - base[4], math.tau)),
        "steering": abs(row["steer_rad"] - rear[2]),
        "rear speed": abs(row["rear_speed_m_s"] - rear[3]),
        "base speed": abs(row["speed_m_s"] - base[3]),
    }


def drives():
    """The scripted drives of the car facts, T7, and others at random: (name, start, legs)."""
    yield "A1", [0.0, 0.0, 0.0, 0.0, 0.0], [[0.8, 0.5, 3.0], [-0.4, -1.0, 2.0]]
    legs = [[0.8, 0.0, 0.8], [0.8, 1.2, 1.5], [0.3, -1.6, 1.5], [0.0, 0.0, 0.5]]
    yield "A2", [5.0, 4.0, 0.3, 0.0, 0.0], legs
    draw = random.Random(7)
    for number in range(12):
        start = [draw.uniform(-5, 5), draw.uniform(-5, 5), draw.uniform(-3, 3), draw.uniform(-0.6, 0.6), draw.uniform(-0.5, 0.8)]
        legs = [[draw.uniform(-0.6, 0.9), draw.uniform(-1.7, 1.7), draw.randrange(1, 300) / 100] for _ in range(5)]
        yield f"random {number}", start, legs


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    worst, rows = {}, 0
    for name, start, legs in drives():
        found, expected = driven(sys.argv[1], start, legs), reference(start, legs)
        if len(found) != len(expected):
            print(f"{name}: {len(found)} rows, expected {len(expected)}")
            return 1
        for row, (rear, base) in zip(found, expected):
            rows += 1
            for what, difference in differences(row, rear, base).items():
                worst[what] = max(worst.get(what, 0.0), difference)
                if not difference <= TOLERANCE:
                    print(f"{name}, {row['time_s']} s: {what} differs by {difference:.3g}")
                    return 1
    figures = ", ".join(f"{what} {difference:.1e}" for what, difference in worst.items())
    print(f"{rows} rows agree with CommonRoad's single-track model; largest differences: {figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
