"""Tests of a program for toio cubes, without a cube. They take no real time, and give the same results in every run:

    pip install toio-py==1.1.0 pytest
    sim-cli live @cubes-link --link lockstep --no-page --overwrite -- python3 -m pytest examples/toio
"""

import asyncio

from toio import BLEScanner, Color, IdInformation, IndicatorParam, PositionId, ToioCoreCube


async def with_cube(work):
    found = await BLEScanner.scan(num=1)
    async with ToioCoreCube(found[0].interface) as cube:
        return await work(cube)


async def place(cube):
    """Where the cube stands on its mat: dots and degrees."""
    read = await cube.api.id_information.read()
    assert isinstance(read, PositionId)
    return read.center


def test_a_cube_drives_straight():
    async def work(cube):
        before = await place(cube)
        # Both wheels at 30 units of 2.05 mm/s for a second: 61 mm, which are 45 dots.
        await cube.api.motor.motor_control(30, 30, duration_ms=1000)
        await asyncio.sleep(1.5)
        return before, await place(cube)

    before, after = asyncio.run(with_cube(work))
    way = abs(after.point.x - before.point.x)
    assert 40 < way < 70
    assert abs(after.point.y - before.point.y) <= 2


def test_a_cube_tells_where_it_is():
    async def work(cube):
        places = []

        def hear(payload):
            if isinstance(read := IdInformation.is_my_data(payload), PositionId):
                places.append(read)

        await cube.api.id_information.register_notification_handler(hear)
        await cube.api.indicator.turn_on(IndicatorParam(duration_ms=0, color=Color(255, 0, 0)))
        await cube.api.motor.motor_control(20, -20, duration_ms=500)
        await asyncio.sleep(1)
        return places

    places = asyncio.run(with_cube(work))
    # At 60 steps a second, about one for each step in which it turns.
    assert len(places) > 20
    assert places[0].center.angle != places[-1].center.angle
