"""Takes the nearest cube by the scanner of toio.py, holds it for a while, and says which one. Of several at once, each must get one."""

import asyncio
import sys

from bleak import BleakClient
from toio.scanner import BLEScanner

BATTERY = "10b20108-5b3b-4571-9508-cf3efcd7bbae"


async def main(hold_s: float) -> None:
    found = await BLEScanner.scan(1)
    async with BleakClient(found[0].device) as client:
        await client.read_gatt_char(BATTERY)
        print(found[0].name, flush=True)
        await asyncio.sleep(hold_s)


asyncio.run(main(float(sys.argv[1])))
