"""A cube that is told to switch off ends its connection, and bleak calls back."""

import asyncio

from bleak import BleakClient, BleakScanner

SERVICE = "10b20100-5b3b-4571-9508-cf3efcd7bbae"
CONFIGURATION = "10b201ff-5b3b-4571-9508-cf3efcd7bbae"


async def main() -> None:
    gone = asyncio.Event()
    found = await BleakScanner.find_device_by_filter(lambda device, advertised: SERVICE in advertised.service_uuids)
    client = BleakClient(found, disconnected_callback=lambda _: gone.set())
    await client.connect()
    await client.write_gatt_char(CONFIGURATION, bytes.fromhex("340000"), response=True)
    await asyncio.wait_for(gone.wait(), 20)
    print("the cube is gone")


asyncio.run(main())
