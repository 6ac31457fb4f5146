# SPDX-License-Identifier: BSD-3-Clause
"""Part 2 of 6 of the code that roast runs in processes that work on coffea's chunks: state of a process.

Part 1 is roast/_socket.py of the Python package. Installed, the six parts are one file, coffea-worker.py. Its text travels with coffea's
function, so nothing must be installed on the workers. No part may disturb the analysis: data that cannot be measured are
missing in the report.
"""

import itertools
import os

try:
    import resource
except ImportError:  # not on Windows
    resource = None

CHUNK = (
    "chunk task dataset file tree entry_start entry_stop events started ended memory bytes_read error pid host call role open_time "
    "process_time thread_cpu process_cpu memory_start memory_end memory_peak requests reader cached error_message branches_read "
    "needed_bytes needed_bytes_own load_time function_cpu"
).split()
TABLES = {
    "chunks": CHUNK,
    "chunk_branches": ["chunk", "file", "branch", "bytes", "bytes_own", "uncompressed", "offset", "pid"],
    "sections": ["chunk", "name", "kind", "value", "time", "pid"],
    "files": ["file", "compression", "branches", "bytes", "uncompressed"],
    "branches": ["file", "branch", "bytes", "uncompressed"],
    "processing": (
        "call kind executor processor schema chunk_size items started ended confirmed error error_message framework reader host pid "
        "task task_call tasks_lost"
    ).split(),
    "datasets": ["dataset", "metadata", "metadata_missing"],
}


class Process:
    """State of this process. A forked child makes its own, because the connection belongs to the parent."""

    current = None

    def __init__(self):
        self.pid = os.getpid()
        self.host = os.uname().nodename
        self.connection = Connection("coffea", TABLES)
        self.prefix = os.urandom(6).hex()
        self.counter = itertools.count(1)
        self.memory = Memory()
        self.failures = {}  # maps a call to the entries of its failed attempts, until a result or an error carries them

    @classmethod
    def get(cls):
        process = cls.current
        if process is None or process.pid != os.getpid():
            process = cls.current = cls()
        return process

    def make_id(self, letter):
        """Returns an identity that is unique in the run. `letter` identifies the way in which the row is sent."""
        return "%s%s-%x" % (letter, self.prefix, next(self.counter))


class Memory:
    """Resident memory of this process."""

    def __init__(self):
        self.page = os.sysconf("SC_PAGE_SIZE")
        self.inherited = None

    def read(self):
        """Returns bytes or None. Does not keep the file open, because the program may close unknown file descriptors."""
        try:
            file = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            return int(os.read(file, 128).split(None, 2)[1]) * self.page
        finally:
            os.close(file)

    def read_peak(self):
        """Returns bytes or None. getrusage() is fast, but until its peak rises, the peak may date from before an exec."""
        if resource is None:
            return None
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if self.inherited is None:
            self.inherited = peak
        if peak > self.inherited:
            return peak
        with open("/proc/self/status", "rb", buffering=0) as file:
            for line in file.read(16384).splitlines():
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
        return None
