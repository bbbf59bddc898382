"""Thirty cubes from one process: each reports its place at least 48 times a second, none is lost, and writes are fast.

A cube sends its place at every step, 60 times a second (18 00 01 00). What must come stands in the table of messages of the run; this
program prints what it got, by cube, and the times of its writes.
"""

import asyncio
import json
import sys
import time

from bleak import BleakClient, BleakScanner

SERVICE = "10b20100-5b3b-4571-9508-cf3efcd7bbae"
IDENTIFICATION = "10b20101-5b3b-4571-9508-cf3efcd7bbae"
LIGHT = "10b20103-5b3b-4571-9508-cf3efcd7bbae"
CONFIGURATION = "10b201ff-5b3b-4571-9508-cf3efcd7bbae"
COUNT = int(sys.argv[1])
RUN_S = 10.0


async def main() -> None:
    found = {}
    async with BleakScanner(lambda device, _: found.__setitem__(device.address, device), service_uuids=[SERVICE]):
        while len(found) < COUNT:
            await asyncio.sleep(0.1)
    clients = [BleakClient(found[address]) for address in sorted(found)]
    await asyncio.gather(*(client.connect() for client in clients))
    heard = [0] * COUNT

    def count(cube: int):
        def heard_one(_, data: bytearray) -> None:
            heard[cube] += 1

        return heard_one

    for cube, client in enumerate(clients):
        await client.write_gatt_char(CONFIGURATION, bytes.fromhex("18000100"), response=True)
        await client.start_notify(IDENTIFICATION, count(cube))
    begin, took_ms = time.monotonic(), []
    before = list(heard)
    while time.monotonic() - begin < RUN_S:
        for client in clients:
            asked = time.monotonic()
            await client.write_gatt_char(LIGHT, bytes.fromhex("03000101ff0000"), response=True)
            took_ms.append(1e3 * (time.monotonic() - asked))
        await asyncio.sleep(0.05)
    span_s = time.monotonic() - begin
    rates = [(now - then) / span_s for now, then in zip(heard, before)]
    for client in clients:
        await client.stop_notify(IDENTIFICATION)
    await asyncio.sleep(0.5)
    took_ms.sort()
    figures = {
        "cubes": COUNT,
        "notifications_per_s": [round(min(rates), 1), round(max(rates), 1)],
        "heard": heard,
        "writes": len(took_ms),
        "write_ms_p50": round(took_ms[len(took_ms) // 2], 2),
        "write_ms_p99": round(took_ms[len(took_ms) * 99 // 100], 2),
    }
    print(json.dumps(figures))
    await asyncio.gather(*(client.disconnect() for client in clients))


asyncio.run(main())
