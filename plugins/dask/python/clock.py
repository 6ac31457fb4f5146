# SPDX-License-Identifier: BSD-3-Clause
"""A part of both texts, that of schedulers and that of workers: which machines have the same clock."""


def read_clock():
    """What machines with the same clock have in common: the kernel, whatever containers and addresses there are."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return None
