# SPDX-License-Identifier: BSD-3-Clause
"""Returns when so many readers follow a scheduler: await-readers.py ADDRESS NUMBER. Each has its snapshot and waits for news."""

import asyncio
import sys
import time

from distributed import Client


async def wait_for_readers(dask_scheduler=None, number=1):
    end = time.monotonic() + 240
    while time.monotonic() < end:
        probe = dask_scheduler.plugins.get("roast")
        if probe is not None and len(probe.readers) + len(probe.pushers) >= number:
            return True
        await asyncio.sleep(0.01)
    return False


def main():
    with Client(sys.argv[1]) as client:
        if not client.run_on_scheduler(wait_for_readers, number=int(sys.argv[2])):
            sys.exit("no %s readers within 40 s" % sys.argv[2])


if __name__ == "__main__":
    main()
