# SPDX-License-Identifier: BSD-3-Clause
"""A program that works steadily and keeps an account of its own: a line for each thing that it has done, with the time, in a file.

steady.py ACCOUNT SECONDS: it sends chunks on the run's socket, and starts and waits for processes. The last line is “end”; it exits with
status 7."""

import json
import os
import socket
import subprocess
import sys
import time

STATUS = 7


class Account:
    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.add("begin", os.getpid())

    def add(self, kind, what=""):
        os.write(self.file, f"{time.time():.6f} {kind} {what}\n".encode())


class Socket:
    """The run's socket, as long as anything listens."""

    def __init__(self):
        self.connection = socket.socket(socket.AF_UNIX)
        try:
            self.connection.connect(os.environ["ROAST_SOCKET"])
        except (KeyError, OSError):
            self.connection = None
        self.send({"roast": 2, "token": os.environ.get("ROAST_TOKEN", "")})
        self.send({"table": "chunks", "columns": ["dataset", "file", "events"]})

    def send(self, line):
        try:
            if self.connection is not None:
                self.connection.sendall(json.dumps(line).encode() + b"\n")
        except OSError:
            self.connection = None


def main():
    account, connection = Account(sys.argv[1]), Socket()
    end = time.monotonic() + float(sys.argv[2])
    number, children = 0, []
    while time.monotonic() < end:
        connection.send(["chunks", "steady", f"file-{number}", 1000])
        account.add("chunk", f"file-{number}")
        if number % 10 == 0:
            # Long enough to be seen by a sample.
            children.append(subprocess.Popen(["sleep", "0.6"]))
        if children and children[0].poll() is not None:
            account.add("process", children.pop(0).pid)
        number += 1
        time.sleep(0.02)
    for child in children:
        child.wait()
    account.add("end")
    sys.exit(STATUS)


if __name__ == "__main__":
    main()
