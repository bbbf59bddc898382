#!/usr/bin/env python3
"""Reads the target pole of a live session, and sends the robots there if the session gives it the controls.

    sim-cli live scenarios/swarm-10.json          prints an address
    python3 examples/live/pole.py ADDRESS         prints the place of the pole, a line whenever it changes

Needs nothing but Python. It speaks to the session as the page does: a WebSocket, a head in JSON, then frames of numbers.
"""

import base64
import json
import os
import socket
import struct
import sys
from urllib.parse import urlsplit

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
SPEED_PER_S = 1.0
"""A robot wishes to be at the pole in a second."""


class Session:
    """The socket of a session."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.socket = socket.create_connection((parts.hostname, parts.port))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET /live?{parts.query} HTTP/1.1",
            f"Host: {parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.bytes = self.socket.makefile("rb")
        status = self.bytes.readline().decode()
        if " 101 " not in status:
            raise SystemExit(f"the session answers {status.strip()}")
        while self.bytes.readline() != b"\r\n":
            pass

    def send(self, kind, data):
        """One frame; those of clients are masked."""
        mask = os.urandom(4)
        size = bytes([128 | len(data)]) if len(data) < 126 else struct.pack(">BH", 128 | 126, len(data))
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))
        self.socket.sendall(bytes([128 | kind]) + size + mask + masked)

    def say(self, **message):
        self.send(TEXT, json.dumps(message).encode())

    def messages(self):
        """Kinds and bytes of what the session sends, until it ends."""
        while head := self.bytes.read(2):
            kind, size = head[0] & 15, head[1]
            if size == 126:
                (size,) = struct.unpack(">H", self.bytes.read(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self.bytes.read(8))
            data = self.bytes.read(size)
            if kind == CLOSE:
                return
            if kind == PING:
                self.send(PONG, data)
            else:
                yield kind, data


def rows_of(frame, streams):
    """Rows of numbers of each stream of a frame: head, then blocks (docs/guide/live.md)."""
    (blocks,) = struct.unpack_from("<H", frame, 2)
    at, rows = 16, {}
    for _ in range(blocks):
        place, count = struct.unpack_from("<HH", frame, at)
        stream = streams[place]
        names = [column["name"] for column in stream["columns"] for _ in range(column["width"])]
        at += 4
        rows[stream["name"]] = []
        for _ in range(count):
            values = struct.unpack_from(f"<{len(names)}f", frame, at)
            at += 4 * len(names)
            rows[stream["name"]].append(dict(zip(names, values)))
    return rows


def main(address):
    session, streams, frames, has_controls, last = Session(address), [], 0, False, None
    for kind, data in session.messages():
        if kind == TEXT:
            message = json.loads(data)
            streams = message.get("streams", streams)
            has_controls = message.get("turn", 0 if has_controls else None) == 0
            continue
        frames += 1
        if frames % 8 == 0:
            session.say(do="ack", frames=frames)
        rows = rows_of(data, streams)
        pole = next(((row["x_mm"], row["y_mm"]) for row in rows["target"]), None)
        if pole != last:
            print("no pole" if pole is None else f"pole at {pole[0]:.1f} {pole[1]:.1f} mm", flush=True)
            last = pole
        if pole and has_controls and "agents" in rows and frames % 6 == 0:
            ways = [(row["agent"], pole[0] - row["x_mm"], pole[1] - row["y_mm"]) for row in rows["agents"][:64]]
            wishes = [[int(agent), SPEED_PER_S * x, SPEED_PER_S * y] for agent, x, y in ways]
            session.say(do="rows", stream="wishes", rows=wishes)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except (KeyboardInterrupt, ConnectionError):
        pass
