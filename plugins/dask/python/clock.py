# SPDX-License-Identifier: BSD-3-Clause
"""A part of both texts, that of schedulers and that of workers: which processes have the same clock."""

import time

SAME_CLOCK = 0.05  # s: uptime is known to 0.01 s
READING_CLOCK = 0.005  # s: two clocks are read again if that took longer


def read_clock():
    """Return the kernel's identity, and when it started by this process's clock, s since the epoch; None if unknown.

    Containers on one machine have the same clock, unless somebody shifted it for one of them.
    """
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            kernel = file.read().strip()
        for _ in range(10):
            began = time.monotonic()
            with open("/proc/uptime") as file:
                started = time.time() - float(file.read().split()[0])
            if time.monotonic() - began < READING_CLOCK:
                break
        return kernel, started
    except (OSError, ValueError):
        return None


def is_same_clock(one, other):
    return one is not None and other is not None and one[0] == other[0] and abs(one[1] - other[1]) < SAME_CLOCK
