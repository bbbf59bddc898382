#!/usr/bin/env python3
"""Ranges of a lidar to 30 digits, for tests/lidar_truth.rs: `python3 lidar.py > lidar.json`.

Nothing here is shared with the simulator. Directions are sums of Taylor series in decimal arithmetic of 60 digits, and every ray is solved
with every segment: origin + r direction = from + t span. Numbers of a scene are doubles, taken at their exact values. Left out are rays
that pass an end of a segment, or a segment in its own line, so closely that rounding a direction to a double moves the hit by 1e-10 m.
"""

import json
import math
import random
from decimal import Decimal, getcontext

getcontext().prec = 60
CLOSE_M = Decimal("1e-6")
GRAZING = Decimal("0.01")


def cos_sin(angle):
    """Both series, to far below the last digit that is printed."""
    sums, term, order = [Decimal(0), Decimal(0)], Decimal(1), 0
    while abs(term) > Decimal("1e-55") or order < abs(angle):
        sums[order % 2] += term if order % 4 < 2 else -term
        order += 1
        term *= angle / order
    return sums


def rotated(turn, vector):
    (c, s), (x, y) = turn, vector
    return (c * x - s * y, s * x + c * y)


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1])


def length(a):
    return (a[0] * a[0] + a[1] * a[1]).sqrt()


def hit(origin, direction, segment):
    """Range of a segment, None if it is not met, or "close" if that is not for doubles to tell."""
    start, end = minus(segment[0:2], origin), minus(segment[2:4], origin)
    span = minus(end, start)
    sides = cross(direction, start), cross(direction, end)
    if min(abs(side) for side in sides) < CLOSE_M:
        return "close"
    if (sides[0] > 0) == (sides[1] > 0):
        return None
    sine = cross(direction, span)
    reach = cross(start, span) / sine
    if abs(reach) < CLOSE_M or (reach > 0 and abs(sine) < GRAZING * length(span)):
        return "close"
    return reach if reach > 0 else None


def ranges(scene):
    exact = lambda numbers: [Decimal(number) for number in numbers]
    segments = [exact(segment) for segment in scene["segments"]]
    x, y, yaw = exact(scene["car"])
    mount_x, mount_y, mount_yaw = exact(scene["mount"])
    offset = rotated(cos_sin(yaw), (mount_x, mount_y))
    origin = (x + offset[0], y + offset[1])
    start, increment = exact([scene["angle_min_rad"], scene["increment_rad"]])
    found = {}
    for ray in scene["rays"]:
        direction = cos_sin(yaw + mount_yaw + start + ray * increment)
        hits = [hit(origin, direction, segment) for segment in segments]
        if "close" not in hits:
            met = [reach for reach in hits if reach is not None]
            found[ray] = f"{min(met):.30e}" if met else None
    return found


def ring(points):
    return [[*a, *b] for a, b in zip(points, points[1:] + points[:1])]


def room(rng):
    """Walls and pillars at random places, their corners on no lattice."""
    size = rng.choice([3, 12, 60])
    place = [rng.uniform(-90, 90), rng.uniform(-90, 90)]
    shift = lambda x, y: [place[0] + x, place[1] + y]
    corners = [(math.cos(a) * size * rng.uniform(0.7, 1.2), math.sin(a) * size * rng.uniform(0.7, 1.2)) for a in (0.3, 1.5, 2.9, 4.0, 5.2)]
    segments = ring([shift(*corner) for corner in corners])
    if rng.random() < 0.4:
        segments.pop()
    for _ in range(rng.randrange(8)):
        middle, radius = [rng.uniform(-size, size) for _ in range(2)], size * rng.uniform(0.01, 0.1)
        sides, turn = rng.randrange(3, 7), rng.uniform(0, 6)
        angles = [turn + k * 2 * math.pi / sides for k in range(sides)]
        segments += ring([shift(middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a)) for a in angles])
    car = [*shift(rng.uniform(-0.3, 0.3) * size, rng.uniform(-0.3, 0.3) * size), rng.uniform(-7, 7)]
    return segments, car


def main():
    rng = random.Random(6)
    scenes = []
    pillar = ring([[6.0, 3.0], [7.0, 3.0], [7.0, 4.0], [6.0, 4.0]])
    walls = ring([[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]])
    full = {"mount": [0.0, 0.0, 0.0], "angle_min_rad": 0.0, "increment_rad": math.tau / 3200}
    for yaw in (0.0, 0.3):
        scenes.append({"segments": walls + pillar, "car": [4.0, 2.5, yaw], **full, "rays": list(range(0, 3200, 50))})
    for _ in range(30):
        segments, car = room(rng)
        mount = [rng.uniform(-0.3, 0.3), rng.uniform(-0.2, 0.2), rng.uniform(-3, 3)]
        lidar = {"mount": mount, "angle_min_rad": rng.uniform(-3, 0), "increment_rad": math.tau / rng.choice([300, 1081, 4000.5])}
        scenes.append({"segments": segments, "car": car, **lidar, "rays": sorted(rng.sample(range(300), 30))})
    for scene in scenes:
        found = ranges(scene)
        scene["rays"] = list(found)
        scene["ranges_m"] = list(found.values())
    lines = ",\n".join(json.dumps(scene) for scene in scenes)
    print(f"[\n{lines}\n]")


main()
