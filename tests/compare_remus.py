#!/usr/bin/env python3
"""Compares the REMUS 100 with Fossen's Python Vehicle Simulator: what each one's integration errs by, and what a step costs.

    python3 tests/compare_remus.py PROGRAM     accuracy at 20 ms
    python3 tests/compare_remus.py --cost      processor time of a step of the originals

PROGRAM is the example `remus_track` of the crate sea-sim. The equations of `vehicles/remus100.py` (T. I. Fossen, MIT) are written down once
more here, from their published numbers. They are integrated as the original does it and by a method of fourth order:

    nu(k+1)  = nu(k)  + h * acceleration(eta(k), nu(k), actuators(k))           velocities first
    act(k+1) = act(k) + h * (command - act(k)) / T                              actuators by explicit Euler
    eta(k+1) = eta(k) + h * kinematics(angles(k)) nu(k+1)                       place and Euler angles with the new velocities

The reference is our own run at 0.5 ms. The fourth-order run of the equations below has to agree with it, so that only the scheme is judged.

The original itself runs beside them if Python can import `python_vehicle_simulator`: a checkout with PYTHONPATH=CHECKOUT/src, numpy and
matplotlib. It must then agree with the scheme above. In the same way `smarc_modelling` gives the cost of a step of SAM.py, with scipy and
sympy. Without them a line says so. Nothing else is needed but Python.

Exit status: 0 all agree; 1 a figure disagrees; 2 the program cannot be run.
"""

import csv
import math
import subprocess
import sys
import time

STEP_S, LENGTH_S, ROW_S = 0.02, 60.0, 0.1
DEG = math.pi / 180.0
# Speed of the propeller (rpm), rudder and stern plane (rad), as in the program.
MANOEUVRES = {"straight": (1525.0, 0.0, 0.0), "rudder": (1000.0, 5 * DEG, 0.0), "stern": (1525.0, 0.0, -5 * DEG)}

# Errors of place that are published for these three manoeuvres at 20 ms (m), and what may differ: the digits printed.
EULER_ERROR_M, EULER_TOLERANCE_M = 0.050, 0.0005
OUR_ERROR_M = 1e-6
# Two methods of fourth order at a few ms differ by less; another equation would differ by far more.
SAME_MODEL_M = 1e-6


class Remus:
    """The equations of motion in north, east, down and forward, right, down."""

    def __init__(self):
        rho, length, diameter, gravity = 1026.0, 1.6, 0.19, 9.81
        a, b = length / 2, diameter / 2
        mass = 4 / 3 * math.pi * rho * a * b**2
        roll_inertia, pitch_inertia = 2 / 5 * mass * b**2, 1 / 5 * mass * (a**2 + b**2)
        e2 = 1 - (b / a) ** 2
        e = math.sqrt(e2)
        logarithm = math.log((1 + e) / (1 - e))
        alpha = 2 * (1 - e2) / e**3 * (logarithm / 2 - e)
        beta = 1 / e2 - (1 - e2) / (2 * e**3) * logarithm
        k1, k2 = alpha / (2 - alpha), beta / (2 - beta)
        turning = e2**2 * (beta - alpha) / ((2 - e2) * (2 * e2 - (2 - e2) * (beta - alpha)))
        arm = 0.02
        self.rho, self.mass, self.arm, self.weight = rho, mass, arm, mass * gravity
        self.inertia = (roll_inertia + mass * arm**2, pitch_inertia + mass * arm**2, pitch_inertia)
        self.added = (mass * k1, mass * k2, mass * k2, 0.3 * roll_inertia, turning * pitch_inertia, turning * pitch_inertia)
        own = (mass, mass, mass, *self.inertia)
        self.diagonal = tuple(one + other for one, other in zip(own, self.added))
        stiffness = self.weight * arm
        roll_rate, pitch_rate = (math.sqrt(stiffness / self.diagonal[i]) for i in (3, 4))
        d = self.diagonal
        self.damping = (d[0] / 20, d[1] / 20, d[2] / 20, 0.6 * roll_rate * d[3], 1.6 * pitch_rate * d[4], d[5])
        self.area, self.length, self.diameter = 0.7 * length * diameter, length, diameter
        aspect = diameter**2 / self.area
        self.lift_slope = math.pi * aspect / (1 + math.sqrt(1 + (aspect / 2) ** 2))
        self.induced = 1 / (math.pi * 0.7 * aspect)
        self.drag = 0.42 * math.pi * b**2 / self.area
        # Hoerner's curve between its points at B/2T 0.4933 and 0.5585, at 0.5.
        self.cross_drag = 1.2108 + (0.5 - 0.4933) / (0.5585 - 0.4933) * (1.0836 - 1.2108)

    def acceleration(self, angles, nu, actuators):
        u, v, w, p, q, r = nu
        mass, arm, added = self.mass, self.arm, self.added
        speed = math.sqrt(u * u + v * v + w * w)
        fade = math.exp(-3 * speed)
        d = self.damping
        force = [-d[0] * fade * u, -d[1] * fade * v, -d[2] * w, -d[3] * p, -d[4] * q, -d[5] * r]
        # Momentum of the body about the origin, and its rate in turning axes.
        px, py, pz = mass * (u + q * arm), mass * (v - p * arm), mass * w
        hx, hy, hz = self.inertia[0] * p - mass * arm * v, self.inertia[1] * q + mass * arm * u, self.inertia[2] * r
        force[0] += py * r - pz * q
        force[1] += pz * p - px * r
        force[2] += px * q - py * p
        force[3] += py * w - pz * v + hy * r - hz * q
        force[4] += pz * u - px * w + hz * p - hx * r
        force[5] += px * v - py * u + hx * q - hy * p
        # Added mass: only what rolling makes, and the turning moments.
        ay, az = added[1] * v, added[2] * w
        ax_h, ay_h, az_h = added[3] * p, added[4] * q, added[5] * r
        force[1] += az * p
        force[2] -= ay * p
        force[3] += ay * w - az * v + ay_h * r - az_h * q
        force[4] += az_h * p - ax_h * r
        force[5] += ax_h * q - ay_h * p
        self.add_hull(force, nu, speed)
        self.add_actuators(force, nu, speed, actuators)
        roll, pitch = angles[0], angles[1]
        force[3] -= self.weight * arm * math.cos(pitch) * math.sin(roll)
        force[4] -= self.weight * arm * math.sin(pitch)
        return self.solve(force)

    def add_hull(self, force, nu, speed):
        u, v, w, r = nu[0], nu[1], nu[2], nu[5]
        attack = math.atan2(w, u)
        lift = self.lift_slope * attack
        drag = self.drag + lift * lift * self.induced
        pressure = 0.5 * self.rho * speed * speed * self.area
        force[0] += pressure * (lift * math.sin(attack) - drag * math.cos(attack))
        force[2] -= pressure * (drag * math.sin(attack) + lift * math.cos(attack))
        factor = 0.5 * self.rho * self.diameter * self.cross_drag * self.length / 20
        for station in range(21):
            x = self.length * (station / 20 - 0.5)
            across = v + x * r
            part = factor * abs(across) * across
            force[1] -= part
            force[5] -= x * part

    def add_actuators(self, force, nu, speed, actuators):
        u, v, w = nu[0], nu[1], nu[2]
        rpm, rudder, stern = actuators
        n, diameter = rpm / 60, 0.14
        inflow = 0.944 * speed / diameter * n / 0.6632 if n > 0 else 0.0
        force[0] += 0.9 * self.rho * diameter**4 * (0.4566 * abs(n) * n - (0.4566 - 0.1798) * inflow)
        force[3] += 0.1 * self.rho * diameter**5 * (0.0700 * abs(n) * n - (0.0700 - 0.0312) * inflow)
        sideways = 0.5 * self.rho * (u * u + v * v) * 0.0133 * 0.5
        upward = 0.5 * self.rho * (u * u + w * w) * 0.0133 * 0.7
        force[0] -= sideways * rudder**2 + upward * stern**2
        force[1] -= sideways * rudder
        force[2] -= upward * stern
        force[4] -= self.length / 2 * upward * stern
        force[5] += self.length / 2 * sideways * rudder

    def solve(self, force):
        """Accelerations: the mass matrix couples surge with pitch and sway with roll."""
        d, coupling = self.diagonal, self.mass * self.arm
        surge_pitch, sway_roll = d[0] * d[4] - coupling**2, d[1] * d[3] - coupling**2
        return (
            (d[4] * force[0] - coupling * force[4]) / surge_pitch,
            (d[3] * force[1] + coupling * force[3]) / sway_roll,
            force[2] / d[2],
            (d[1] * force[3] + coupling * force[1]) / sway_roll,
            (d[0] * force[4] - coupling * force[0]) / surge_pitch,
            force[5] / d[5],
        )


def kinematics(angles, nu):
    """Rates of place and of roll, pitch, yaw."""
    (roll, pitch, yaw), (u, v, w, p, q, r) = angles, nu
    sr, cr, sp, cp, sy, cy = (f(angle) for angle in (roll, pitch, yaw) for f in (math.sin, math.cos))
    return (
        cy * cp * u + (cy * sp * sr - sy * cr) * v + (sy * sr + cy * cr * sp) * w,
        sy * cp * u + (cy * cr + sr * sp * sy) * v + (sp * sy * cr - cy * sr) * w,
        -sp * u + cp * sr * v + cp * cr * w,
        p + (q * sr + r * cr) * sp / cp,
        q * cr - r * sr,
        (q * sr + r * cr) / cp,
    )


def lag(commands, actuators):
    return tuple((c - x) / t for c, x, t in zip(commands, actuators, (1.0, 0.1, 0.1)))


def moved(values, rates, step_s):
    return tuple(value + step_s * rate for value, rate in zip(values, rates))


def original_step(remus, state, commands, step_s):
    """A step in the order of the original."""
    eta, nu, actuators = state
    nu = moved(nu, remus.acceleration(eta[3:], nu, actuators), step_s)
    return moved(eta, kinematics(eta[3:], nu), step_s), nu, moved(actuators, lag(commands, actuators), step_s)


def fourth_order_step(remus, state, commands, step_s):
    def rates(eta, nu, actuators):
        return kinematics(eta[3:], nu), remus.acceleration(eta[3:], nu, actuators), lag(commands, actuators)

    def along(slopes, share):
        return tuple(moved(part, slope, share * step_s) for part, slope in zip(state, slopes))

    first = rates(*state)
    second = rates(*along(first, 0.5))
    third = rates(*along(second, 0.5))
    last = rates(*along(third, 1.0))
    mean = tuple(
        tuple((a + 2 * (b + c) + d) / 6 for a, b, c, d in zip(*parts)) for parts in zip(first, second, third, last)
    )
    return along(mean, 1.0)


def track(step, commands, step_s):
    """State every 0.1 s as twelve numbers."""
    remus, state, rows = Remus(), ((0.0,) * 6, (0.0,) * 6, (0.0,) * 3), []
    steps_a_row = round(ROW_S / step_s)
    for number in range(1, round(LENGTH_S / step_s) + 1):
        state = step(remus, state, commands, step_s)
        if number % steps_a_row == 0:
            rows.append(state[0] + state[1])
    return rows


def tracks(step, step_s):
    return {name: track(step, commands, step_s) for name, commands in MANOEUVRES.items()}


def our_tracks(program, step_ms):
    result = subprocess.run([program, str(step_ms)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(f"{program} {step_ms} failed: {result.stderr.strip()}")
        sys.exit(2)
    found = {name: [] for name in MANOEUVRES}
    for name, _, *cells in list(csv.reader(result.stdout.splitlines()))[1:]:
        found[name].append(tuple(map(float, cells)))
    return found


def differences(found, reference):
    """Largest difference of place (m) and of attitude (deg) over all manoeuvres."""
    place = attitude = 0.0
    for name, rows in reference.items():
        if len(found[name]) != len(rows):
            print(f"{name}: {len(found[name])} rows, expected {len(rows)}")
            sys.exit(1)
        for one, other in zip(found[name], rows):
            place = max(place, math.dist(one[:3], other[:3]))
            angles = (abs(math.remainder(a - b, math.tau)) for a, b in zip(one[3:6], other[3:6]))
            attitude = max(attitude, max(angles) / DEG)
    return place, attitude


def fossen():
    """The original, or none and why."""
    try:
        from python_vehicle_simulator.lib.gnc import attitudeEuler
        from python_vehicle_simulator.vehicles.remus100 import remus100
        import numpy
    except ImportError as error:
        return None, f"{error}"
    return (remus100, attitudeEuler, numpy), ""


def fossen_track(original, commands, step_s):
    """A track of the original by its own functions, in the order of its main loop."""
    remus100, attitude_euler, numpy = original
    vehicle, rows = remus100(), []
    eta, nu, actual = numpy.zeros(6), numpy.zeros(6), numpy.zeros(3)
    rpm, rudder, stern = commands
    for number in range(1, round(LENGTH_S / step_s) + 1):
        nu, actual = vehicle.dynamics(eta, nu, actual, numpy.array([rudder, stern, rpm]), step_s)
        eta = attitude_euler(eta, nu, step_s)
        if number % round(ROW_S / step_s) == 0:
            rows.append(tuple(eta) + tuple(nu))
    return rows


def processor_us(work, steps):
    """Processor time of a step, the least of five."""
    def once():
        start = time.process_time()
        work()
        return 1e6 * (time.process_time() - start) / steps

    return min(once() for _ in range(5))


def sam():
    """A step of SAM.py by its own Runge-Kutta method at 10 ms and how many make a measurement, or none and why."""
    try:
        from smarc_modelling.vehicles.SAM import SAM
        import numpy
    except ImportError as error:
        return None, f"{error}"
    vehicle, state = SAM(0.01), numpy.zeros(19)
    state[3], state[13], state[14] = 1.0, 50.0, 50.0
    wanted = numpy.array([50.0, 50.0, 0.0, 0.0, 1000.0, 1000.0])

    def step():
        nonlocal state
        a = vehicle.dynamics(state, wanted)
        b = vehicle.dynamics(state + 0.005 * a, wanted)
        c = vehicle.dynamics(state + 0.005 * b, wanted)
        d = vehicle.dynamics(state + 0.01 * c, wanted)
        state = state + 0.01 / 6 * (a + 2 * b + 2 * c + d)

    return step, ""


def compare_accuracy(program):
    """Prints a table; true if every figure is as it should be."""
    reference = our_tracks(program, 0.5)
    rows = [
        ("ours at 20 ms", our_tracks(program, 20), lambda error: error < OUR_ERROR_M),
        ("the equations above, fourth order, 5 ms", tracks(fourth_order_step, 0.005), lambda e: e < SAME_MODEL_M),
        ("the original's scheme, 20 ms", tracks(original_step, STEP_S), as_published),
        ("the original's scheme, 5 ms", tracks(original_step, STEP_S / 4), lambda error: error < 0.3 * EULER_ERROR_M),
    ]
    original, why = fossen()
    if original:
        itself = {name: fossen_track(original, commands, STEP_S) for name, commands in MANOEUVRES.items()}
        rows.append(("python_vehicle_simulator itself, 20 ms", itself, as_published))
    else:
        print(f"the original is not run itself: {why}")
    well = True
    for what, found, is_right in rows:
        place, attitude = differences(found, reference)
        print(f"{what:42} place {place:.1e} m, attitude {attitude:.1e} deg{'' if is_right(place) else '  WRONG'}")
        well &= is_right(place)
    if original:
        place, _ = differences(itself, rows[2][1])
        print(f"the original and its scheme here differ by {place:.1e} m")
        well &= place < 1e-9
    return well


def as_published(error):
    return abs(error - EULER_ERROR_M) < EULER_TOLERANCE_M


def print_cost():
    """Prints what steps of the originals cost, a name and a number a line, and to standard error what could not be measured."""
    steps = round(LENGTH_S / STEP_S)
    figures = {"scheme_step_us": processor_us(lambda: track(original_step, MANOEUVRES["rudder"], STEP_S), steps)}
    original, why = fossen()
    if original:
        figures["pvs_step_us"] = processor_us(lambda: fossen_track(original, MANOEUVRES["rudder"], STEP_S), steps)
    else:
        print(f"not measured: python_vehicle_simulator: {why}", file=sys.stderr)
    step, why = sam()
    if step:
        figures["sam_py_step_us"] = processor_us(lambda: [step() for _ in range(200)], 200)
    else:
        print(f"not measured: SAM.py: {why}", file=sys.stderr)
    for name, value in figures.items():
        print(f"{name} {value:.4g}")


def main():
    if sys.argv[1:] == ["--cost"]:
        print_cost()
        return 0
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    return 0 if compare_accuracy(sys.argv[1]) else 1


if __name__ == "__main__":
    sys.exit(main())
