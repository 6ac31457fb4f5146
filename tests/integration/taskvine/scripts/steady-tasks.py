# SPDX-License-Identifier: BSD-3-Clause
"""A manager and a worker that keep an account of the tasks that were done: steady-tasks.py DIRECTORY ACCOUNT SECONDS."""

import sys
import time

from churn import Manager, Workers, submit


def main():
    sys.path.append(sys.argv[1])
    from steady import STATUS, Account

    account = Account(sys.argv[2])
    with Workers() as workers, Manager(port=0) as manager:
        workers.start(manager.port)
        end = time.monotonic() + float(sys.argv[3])
        for _ in range(4):
            submit(manager, "steady", "sleep 0.1")
        for task in manager.drain():
            account.add("task", task.id)
            if time.monotonic() < end:
                submit(manager, "steady", "sleep 0.1")
    account.add("end")
    sys.exit(STATUS)


if __name__ == "__main__":
    main()
