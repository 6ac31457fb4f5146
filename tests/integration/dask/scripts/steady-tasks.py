# SPDX-License-Identifier: BSD-3-Clause
"""A script with a cluster of its own that keeps an account of the tasks that were done: steady-tasks.py DIRECTORY ACCOUNT SECONDS."""

import sys
import time

from distributed import Client, LocalCluster, as_completed


def nap(i):
    time.sleep(0.05)
    return i


def main():
    sys.path.append(sys.argv[1])
    from steady import STATUS, Account

    account = Account(sys.argv[2])
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        end = time.monotonic() + float(sys.argv[3])
        running = as_completed(client.map(nap, range(4), pure=False))
        for i, future in enumerate(running):
            account.add("task", future.key)
            if time.monotonic() < end:
                running.add(client.submit(nap, i, pure=False))
    account.add("end")
    sys.exit(STATUS)


if __name__ == "__main__":
    main()
