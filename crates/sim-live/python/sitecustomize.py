"""Virtual time for Python programs that drive simulated devices.

The interpreter reads this module first, as PYTHONPATH names its folder. Event loops of asyncio and `time.sleep` then wait
for the simulator and not for the wall clock: a program that waits for 30 seconds is done in the time that its own code and
the simulation take, and does the same in every run.

    line to the clock       the moment of the next timer in microseconds, or `never`; `sleep` before it if no message
                            matters before; `cancel` takes it back
    line from the clock     the moment that it is now; one for each moment that was asked for

It knows nothing of Bluetooth, so that any version of a library works. What waits by other means, such as a lock with a
timeout or another process, waits in real time.
"""

import os
import selectors
import socket
import subprocess
import threading
import time

# A turn of a loop that has something to do at once takes no time. So many in a row count as a millisecond, or a program
# that only yields would stop the world.
TURNS_WITHOUT_TIME = 100
# Seconds of real time for which a child process that has just been started holds the clock.
CHILD_S = 2.0
# What `time.time` shows at the start: 2020-01-01.
EPOCH_S = 1577836800

_select = selectors.DefaultSelector
_real_monotonic = time.monotonic


class _Clock(threading.local):
    """A thread's connection to the simulator's clock, made at its first wait."""

    # The moment that it is, for all threads.
    now_us = 0

    def __init__(self, path):
        self.path = path
        self.socket = None
        self.owner = None
        self.rest = b""

    def wait(self, until_us, wakers):
        """Waits until a moment, a message, or until `wakers` has something; None is never."""
        if self.socket is None or self.owner != os.getpid():
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(self.path)
            self.owner, self.rest = os.getpid(), b""
        wish = "never" if until_us is None else str(max(0, until_us))
        if wakers is None:
            wish = "sleep " + wish
        self.socket.sendall(wish.encode() + b"\n")
        if wakers is not None:
            wakers.wait_with(self.socket)
            if not self._has_line():
                # A thread, a child or the keyboard: the wish is taken back, and that is answered too.
                self.socket.sendall(b"cancel\n")
        self._take_line()

    def close(self):
        """Lets the others go on without this thread, until it waits again."""
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def _has_line(self):
        if b"\n" in self.rest:
            return True
        try:
            self.rest += self.socket.recv(4096, socket.MSG_DONTWAIT)
        except BlockingIOError:
            pass
        return b"\n" in self.rest

    def _take_line(self):
        while b"\n" not in self.rest:
            more = self.socket.recv(4096)
            if not more:
                raise SystemExit("the simulation has ended")
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        _Clock.now_us = max(_Clock.now_us, int(line))


class _Selector(_select):
    """The selector of an event loop, which waits for the simulator."""

    def __init__(self):
        super().__init__()
        self.turns = 0

    def select(self, timeout=None):
        ready = super().select(0)
        if ready:
            self.turns = 0
            return ready
        if timeout is not None and timeout <= 0:
            self.turns += 1
            if self.turns < TURNS_WITHOUT_TIME:
                return ready
            timeout = 0.001
        self.turns = 0
        if _children_run():
            return super().select(0.01)
        # The next whole microsecond: a timer is due then, not one rounding before.
        until_us = None if timeout is None else _clock.now_us + int(-(-timeout * 1e6 // 1))
        _clock.wait(until_us, self)
        return super().select(0)

    def close(self):
        super().close()
        _clock.close()

    def wait_with(self, other):
        """Waits in real time for what is registered, or for another socket."""
        self.register(other, selectors.EVENT_READ)
        try:
            super().select(None)
        finally:
            self.unregister(other)


_children = []


class _Popen(subprocess.Popen):
    """A child process; the clock stands for as long as it is expected to answer."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        _children.append((self.pid, _real_monotonic() + CHILD_S))


def _children_run():
    now_s = _real_monotonic()
    _children[:] = [(pid, until_s) for pid, until_s in _children if now_s < until_s and _runs(pid)]
    return bool(_children)


def _runs(pid):
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


def _sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    until_us = _clock.now_us + int(-(-seconds * 1e6 // 1))
    # A wait of no time at all still lets the others run.
    _clock.wait(until_us, None)
    while _clock.now_us < until_us:
        _clock.wait(until_us, None)


def _now_s():
    return _clock.now_us / 1e6


def _now_ns():
    return _clock.now_us * 1000


if "TOIO_SIM_CLOCK" in os.environ:
    _clock = _Clock(os.environ["TOIO_SIM_CLOCK"])
    selectors.DefaultSelector = _Selector
    subprocess.Popen = _Popen
    time.sleep = _sleep
    time.monotonic = time.perf_counter = _now_s
    time.monotonic_ns = time.perf_counter_ns = _now_ns
    time.time = lambda: EPOCH_S + _now_s()
    time.time_ns = lambda: EPOCH_S * 10**9 + _now_ns()
