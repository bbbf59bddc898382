"""Drives a cube by OSC packets of its own making, as a sketch for Processing does, and hears where it goes."""

import socket
import struct
import sys
import time

HEARS, DRIVES = int(sys.argv[1]), int(sys.argv[2])


def padded(text: str) -> bytes:
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def packet(address: str, *numbers: int) -> bytes:
    return padded(address) + padded("," + "i" * len(numbers)) + struct.pack(f">{len(numbers)}i", *numbers)


def message(data: bytes) -> tuple[str, tuple[int, ...]]:
    address = data[: data.index(0)].decode()
    tags = data[len(padded(address)) :]
    count = tags[: tags.index(0)].count(b"i")
    return address, struct.unpack(f">{count}i", data[-4 * count :])


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
    udp.bind(("127.0.0.1", HEARS))
    udp.settimeout(0.05)
    places, heard, end = [], set(), time.monotonic() + 4
    while time.monotonic() < end:
        udp.sendto(packet("/motorbasic", 0, 1, 30, 1, 30), ("127.0.0.1", DRIVES))
        udp.sendto(packet("/led", 0, 0, 255, 0, 0), ("127.0.0.1", DRIVES))
        udp.sendto(packet("/motion", 0), ("127.0.0.1", DRIVES))
        try:
            while True:
                address, numbers = message(udp.recv(4096))
                heard.add(address)
                if address == "/position" and numbers[1] == 0:
                    places.append(numbers[2:5])
        except TimeoutError:
            pass
    assert {"/position", "/motion"} <= heard, heard
    way = max(abs(places[-1][0] - places[0][0]), abs(places[-1][1] - places[0][1]))
    print(f"{len(places)} places, {way} dots, {sorted(heard)}")
    assert way > 20
