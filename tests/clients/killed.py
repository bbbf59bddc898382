"""A client that is killed lets go of its cube: it advertises again. Says how long after the kill another process hears it."""

import asyncio
import signal
import subprocess
import sys
import time

from bleak import BleakScanner

HOLD = """
import asyncio, sys
from bleak import BleakClient, BleakScanner
async def main():
    found = await BleakScanner.find_device_by_name(sys.argv[1])
    async with BleakClient(found):
        print("held", flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


async def main() -> None:
    seen: dict[str, float] = {}
    async with BleakScanner(lambda device, _: seen.__setitem__(device.name, time.monotonic())):
        while not seen:
            await asyncio.sleep(0.05)
        name = next(iter(seen))
        holder = subprocess.Popen([sys.executable, "-c", HOLD, name], stdout=subprocess.PIPE)
        await asyncio.to_thread(holder.stdout.readline)
        await asyncio.sleep(0.5)
        quiet_s = time.monotonic() - seen[name]
        assert quiet_s > 0.3, f"a cube that is held advertised {quiet_s:.2f} s ago"
        holder.send_signal(signal.SIGKILL)
        killed_s = time.monotonic()
        while seen[name] < killed_s:
            await asyncio.sleep(0.01)
            assert time.monotonic() - killed_s < 10, "it never advertised again"
        print(f"{name} advertises again after {seen[name] - killed_s:.2f} s")


asyncio.run(main())
