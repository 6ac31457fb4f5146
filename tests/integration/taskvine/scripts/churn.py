#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Analysis workflows for TaskVine: one scenario is run with workers of its own on this host.

churn.py [--port N] [--out FILE] [SCENARIO [ARGUMENT]]
"""

import argparse
import atexit
import contextlib
import ctypes
import importlib.util
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import types

# Else a manager and its workers look for the public catalog server.
os.environ.setdefault("CATALOG_HOST", "127.0.0.1")

import ndcctools.taskvine as vine

METRICS = (
    "time_when_submitted",
    "time_when_done",
    "time_when_commit_start",
    "time_when_commit_end",
    "time_when_retrieval",
    "time_workers_execute_last",
    "time_workers_execute_all",
    "time_workers_execute_exhaustion",
    "time_workers_execute_failure",
    "bytes_received",
    "bytes_sent",
    "bytes_transferred",
)
RESOURCES = ("cores", "memory", "disk", "gpus")


# ---- the processes of the workers


def end_with_parent():
    # Also when this script is killed; --parent-death of vine_worker takes 10 s.
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


class Workers:
    """vine_worker processes; none of them, nor of their children, outlives this script."""

    def __init__(self):
        self.processes = []
        self.directory = tempfile.mkdtemp(prefix="workers-")
        self.owner = os.getpid()
        atexit.register(self.close)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self, port, cores=2, memory=500, disk=1000, timeout=240, password=None):
        workspace = os.path.join(self.directory, f"worker-{len(self.processes)}")
        command = ["vine_worker", "--single-shot", "-t", str(timeout), "-s", workspace]
        command += ["--cores", str(cores), "--memory", str(memory), "--disk", str(disk)]
        if password:
            command += ["-P", password]
        process = subprocess.Popen(
            command + ["127.0.0.1", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        self.processes.append(process)
        return process

    @staticmethod
    def members(process):
        """{pid: name} of the worker, its transfer server and its tasks: tasks have a group, but no session of their own."""
        found = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                with contextlib.suppress(OSError):
                    with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as f:
                        head, _, tail = f.read().rpartition(")")
                    if int(tail.split()[3]) == process.pid and tail.split()[0] != "Z":
                        found[int(entry)] = head.partition("(")[2]
        return found

    def busy(self, process):
        return any(not name.startswith("vine_worker") for name in self.members(process).values())

    def kill(self, process):
        """As when the machine dies: all at once."""
        while members := self.members(process):
            for pid in members:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
        process.wait()

    def close(self):
        if os.getpid() != self.owner:
            return
        limit = time.monotonic() + 1
        for process in self.processes:
            while process.poll() is None and time.monotonic() < limit:
                time.sleep(0.01)
            # A library, for one, notices only seconds later that its worker has ended.
            self.kill(process)
        self.processes.clear()
        shutil.rmtree(self.directory, ignore_errors=True)


# ---- what the manager itself says of its run

documents = []
recording = False


def number(value):
    if isinstance(value, (int, float)):
        return value
    # 7.14 hands out the times as bare pointers; SWIG cannot free them and would complain of each.
    value.disown()
    return ctypes.c_uint64.from_address(int(value)).value


def statistics(stats):
    fields = [name for name, member in vars(type(stats)).items() if isinstance(member, property) and name != "thisown"]
    return {name: number(getattr(stats, name)) for name in fields}


def describe(task):
    allocated = task.resources_allocated
    return {
        "id": task.id,
        "category": task.category,
        "result": task.result,
        "exit_code": task.exit_code,
        "try_count": None,  # not in the Python interface of 7.14
        "tag": task.tag,
        "addrport": task.addrport,
        "hostname": task.hostname,
        **{name: task.get_metric(name) for name in METRICS},
        "allocated": {name: number(getattr(allocated, name)) for name in RESOURCES} if allocated else None,
    }


class Recorded:
    """Keeps what a manager told, for --out."""

    def __init__(self, *args, **kwargs):
        self.document = None
        super().__init__(*args, **kwargs)
        self.document = {"port": self.port, "run_info": os.path.abspath(self.logging_directory), "stats": {}, "tasks": []}
        self.returned = 0
        documents.append(self.document)

    def wait_for_tag(self, tag, timeout="wait_forever"):
        task = super().wait_for_tag(tag, timeout)
        if task:
            self.returned += 1
            if recording:
                self.document["tasks"].append(describe(task))
        return task

    def _free(self):
        if self._taskvine and self.document:
            self.document["stats"] = statistics(self.stats)
        super()._free()


class Manager(Recorded, vine.Manager):
    def drain(self):
        """Waits for all tasks; the tasks that were returned."""
        while not self.empty():
            task = self.wait(1)
            if task:
                yield task


def free_port():
    with socket.socket() as s:
        s.bind(("", 0))
        return s.getsockname()[1]


def submit(manager, category, command, **limits):
    task = vine.Task(command)
    task.set_category(category)
    if limits.get("cores", 1):
        task.set_cores(limits.get("cores", 1))
    if "memory" in limits:
        task.set_memory(limits["memory"])
    if "disk" in limits:
        task.set_disk(limits["disk"])
    if "wall_time" in limits:
        task.set_time_max(limits["wall_time"])
    task.set_priority(limits.get("priority", 0))
    for file, name in limits.get("inputs", ()):
        task.add_input(file, name)
    for file, name in limits.get("outputs", ()):
        task.add_output(file, name)
    manager.submit(task)
    return task


def submit_plain(manager, count):
    for i in range(count):
        if i % 4 == 0:
            submit(manager, "preprocessing", f"sleep 0.{5 + i % 5:02d}")
        elif i % 10 == 7:
            submit(manager, "processing", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done")
        else:
            submit(manager, "processing", f"sleep 0.{10 + i % 11}")


def exhaust(iterator):
    for _ in iterator:
        pass


# ---- the scenarios: each returns the number of tasks that came back


def plain(options):
    with Workers() as workers, Manager(port=options.port) as m:
        for _ in range(2):
            workers.start(m.port)
        submit_plain(m, 40)
        exhaust(m.drain())
        return m.returned


def submit_heads(m, shared):
    heads = [m.declare_temp() for _ in range(12)]
    for head in heads:
        submit(m, "preprocessing", "cat data data > head; sleep 0.2", inputs=[(shared, "data")], outputs=[(head, "head")])
    return heads


def submit_mixture(m, shared, directory):
    """About 110 tasks, of which 22 cannot succeed."""
    for _ in range(10):
        submit(m, "failing", "sleep 0.1; exit 3")
    for _ in range(3):
        submit(m, "failing", "sleep 0.1; kill -SEGV $$")
    for i in range(3):
        submit(m, "failing", "true", outputs=[(m.declare_file(os.path.join(directory, f"never-{i}")), "never")])
    for i in range(3):
        submit(m, "failing", "cat absent", inputs=[(m.declare_file(os.path.join(directory, f"absent-{i}")), "absent")])
    for _ in range(2):
        submit(m, "slow", "sleep 60", wall_time=1, priority=1)
    # The worker looks at the size every few seconds only.
    submit(m, "greedy", "head -c 8000000 /dev/zero > fill; sleep 12", disk=2, priority=2)
    for i in range(50):
        submit(m, "processing", f"wc -c < data; sleep 0.{20 + i % 30}", inputs=[(shared, "data")])
    for _ in range(10):
        answer = m.declare_buffer()
        submit(m, "fit and plot", "echo 'it'\\''s done' > answer; sleep 0.15", outputs=[(answer, "answer")], memory=50)
    for i in range(30):
        submit(m, "late", f"sleep 0.{10 + i}")


def submit_chains(m, heads, directory):
    parameters = m.declare_buffer(b"threshold 30\n", cache=True)
    for i, head in enumerate(heads):
        middle = m.declare_temp()
        submit(
            m,
            "processing",
            "cut -d' ' -f2 parameters; head -c 100000 head > middle; sleep 0.3",
            inputs=[(head, "head"), (parameters, "parameters")],
            outputs=[(middle, "middle")],
        )
        result = m.declare_file(os.path.join(directory, f"result-{i}"))
        submit(m, "accumulating", "wc -c < middle > result; sleep 0.1", inputs=[(middle, "middle")], outputs=[(result, "result")])


def churn(options):
    with tempfile.TemporaryDirectory() as directory, Workers() as workers, Manager(port=options.port) as m:
        # Else no task is sent for 15 s to a worker that ended one for its limits.
        m.tune("transient-error-interval", 1)
        data = os.path.join(directory, "data")
        with open(data, "wb") as f:
            f.write(os.urandom(200_000))
        shared = m.declare_file(data, cache=True)
        late = None
        steady, doomed, leaving = (workers.start(m.port) for _ in range(3))
        heads = submit_heads(m, shared)
        exhaust(m.drain())
        submit_mixture(m, shared, directory)
        for _ in m.drain():
            if not late and m.returned >= 30:
                late = workers.start(m.port, cores=1, memory=250)
            if doomed and m.returned >= 45 and workers.busy(doomed):
                workers.kill(doomed)
                doomed = None
                # Their inputs on that worker are lost, and have to be made again.
                submit_chains(m, heads, directory)
            if leaving and m.returned >= 80:
                leaving.terminate()
                leaving = None
        assert not doomed and not leaving and steady.poll() is None
        return m.returned


def growing(options):
    """Tasks that exhaust their first allocation and are tried again with the largest one."""
    with Workers() as workers, Manager(port=options.port) as m:
        # Else a task gets its share of the worker, however little it asked for.
        m.tune("proportional-resources", 0)
        m.tune("transient-error-interval", 1)
        m.set_category_mode("growing", "max")
        m.set_category_resources_max("growing", {"cores": 1, "memory": 50, "disk": 100})
        m.set_category_first_allocation_guess("growing", {"cores": 1, "memory": 50, "disk": 2})
        workers.start(m.port)
        for _ in range(3):
            submit(m, "growing", "head -c 8000000 /dev/zero > fill; [ $DISK -gt 2 ] || sleep 12", cores=None)
        for i in range(10):
            submit(m, "processing", f"sleep 0.{10 + i}", memory=50, disk=50)
        exhaust(m.drain())
        return m.returned


def square(x):
    return x * x


def half(x):
    if x % 2:
        raise ValueError(f"{x} is odd")
    return x // 2


def python(options):
    with Workers() as workers, Manager(port=options.port) as m:
        if not shutil.which("python"):
            # A library is started as "python", which Debian alone does not have.
            os.symlink(sys.executable, os.path.join(workers.directory, "python"))
            os.environ["PATH"] += os.pathsep + workers.directory
        for _ in range(2):
            workers.start(m.port)
        for x in range(11):
            task = vine.PythonTask(square, x) if x < 10 else vine.PythonTask(half, 3)
            task.set_category("python")
            task.set_cores(1)
            m.submit(task)
        outputs = [task.output for task in m.drain() if task.successful()]
        assert sum(outputs) == 285, outputs

        if not importlib.util.find_spec("conda_pack"):
            # Imported for all libraries, needed only to pack an environment, and not in Debian.
            sys.modules["conda_pack"] = types.ModuleType("conda_pack")
        library = m.create_library_from_functions("algebra", square, half, add_env=False)
        library.set_cores(2)
        library.set_function_slots(2)
        m.install_library(library)
        for x in range(20):
            call = vine.FunctionCall("algebra", "square", x)
            call.set_category("calls")
            m.submit(call)
        outputs = [task.output for task in m.drain()]
        assert sum(outputs) == 2470, outputs
        m.remove_library("algebra")
        return m.returned


def sending(options):
    """Tasks do nothing with large inputs, each of which one other task has."""
    with tempfile.TemporaryDirectory() as directory, Workers() as workers, Manager(port=options.port) as m:
        workers.start(m.port, disk=8000)
        content = os.urandom(1 << 20)
        for number in range(30):
            path = os.path.join(directory, f"input-{number}")
            with open(path, "wb") as f:
                f.writelines([number.to_bytes(4, "big"), *[content] * 100])
            task = vine.Task("test -s input")
            task.set_category("idle")
            task.set_cores(1)
            task.add_input(m.declare_file(path), "input")
            m.submit(task)
        exhaust(m.drain())
        return m.returned


def broken(options):
    """A library takes the cores of a worker, and exits before it is ready, each time."""
    with Workers() as workers, Manager(port=options.port) as m:
        if not shutil.which("python"):
            os.symlink(sys.executable, os.path.join(workers.directory, "python"))
            os.environ["PATH"] += os.pathsep + workers.directory
        workers.start(m.port)
        if not importlib.util.find_spec("conda_pack"):
            sys.modules["conda_pack"] = types.ModuleType("conda_pack")
        library = m.create_library_from_functions("broken", square, add_env=False, init_command="sleep 2; exit 3;")
        library.set_cores(2)
        library.set_function_slots(2)
        m.install_library(library)
        for x in range(4):
            m.submit(vine.FunctionCall("broken", "square", x))
        end = time.monotonic() + 12
        while time.monotonic() < end and not m.empty():
            m.wait(1)
        m.cancel_all()
        return m.returned


def daskvine(options):
    import dask

    class Dask(Recorded, vine.DaskVine):
        pass

    total = dask.delayed(sum)([dask.delayed(square)(x) for x in range(10)])
    with Workers() as workers, Dask(port=options.port) as m:
        for _ in range(2):
            workers.start(m.port)
        result = total.compute(scheduler=m.get, resources={"cores": 1}, progress_disable=True)
        assert result == 285, result
        return m.returned


def short(options):
    with Manager(port=options.port):
        return 0


def recovered(options):
    """A worker leaves with temporary files that other tasks need: the manager itself submits copies of the tasks that made them."""
    with Workers() as workers, Manager(port=options.port) as m:
        doomed = workers.start(m.port)
        heads = [m.declare_temp() for _ in range(4)]
        for i, head in enumerate(heads):
            submit(m, "heads", f"sleep 0.3; echo {i} > head", outputs=[(head, "head")])
        exhaust(m.drain())
        workers.kill(doomed)
        workers.start(m.port)
        for head in heads[:3]:
            submit(m, "tails", "cat head; sleep 0.1", inputs=[(head, "head")])
        exhaust(m.drain())
        return m.returned


def two(options):
    count = 0
    for turn in range(2):
        if turn:
            # A second manager in the same second would write to the first one's directory.
            time.sleep(1.1)
        with Workers() as workers, Manager(port=options.port) as m:
            workers.start(m.port)
            submit_plain(m, 10)
            exhaust(m.drain())
            count += m.returned
    time.sleep(1.1)
    with contextlib.ExitStack() as stack:
        workers = stack.enter_context(Workers())
        managers = []
        for name, port in ("signal-run-info", options.port), ("background-run-info", free_port()):
            m = stack.enter_context(Manager(port=port, run_info_path=name))
            managers.append(m)
            workers.start(m.port)
            submit_plain(m, 12)
        while not all(m.empty() for m in managers):
            for m in managers:
                if not m.empty():
                    m.wait(1)
        return count + sum(m.returned for m in managers)


def elsewhere(options):
    """The manager lives in a child process, in another directory."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        signal.signal(signal.SIGTERM, lambda number, _: os.kill(child, number))
        _, status = os.waitpid(child, 0)
        sys.exit(os.waitstatus_to_exitcode(status))
    os.makedirs("elsewhere/work", exist_ok=True)
    os.chdir("elsewhere/work")
    with Workers() as workers, Manager(port=options.port, run_info_path="../records/of/this") as m:
        workers.start(m.port)
        submit_plain(m, int(options.argument or 20))
        exhaust(m.drain())
        return m.returned


def password(options):
    with Workers() as workers, Manager(port=options.port) as m:
        secret = os.path.join(workers.directory, "password")
        with open(secret, "w", encoding="utf-8") as f:
            f.write("open sesame\n")
        m.set_password_file(secret)
        for _ in range(2):
            workers.start(m.port, password=secret)
        submit_plain(m, 20)
        exhaust(m.drain())
        return m.returned


def application(options):
    with Workers() as workers, Manager(port=options.port) as m:
        workers.start(m.port)
        for phase in "preprocess", "process dataset ttbar", "accumulate 2 of 3 histograms":
            m.log_txn_app(phase)
            submit_plain(m, 8)
            exhaust(m.drain())
        m.log_txn_app("end")
        return m.returned


def many(options):
    with Workers() as workers, Manager(port=options.port) as m:
        workers.start(m.port)
        for _ in range(int(options.argument or 1000)):
            submit(m, "many", "true")
        exhaust(m.drain())
        return m.returned


def hang(options):
    with Workers() as workers, Manager(port=options.port) as m:
        workers.start(m.port)
        submit_plain(m, 5)
        exhaust(m.drain())
        if "/" in (options.argument or ""):
            while not os.path.exists(options.argument):
                time.sleep(0.05)
        else:
            time.sleep(float(options.argument or 20))
        return m.returned


def stuck(options):
    """Six tasks, and one that ends when a file is there."""
    with Workers() as workers, Manager(port=options.port) as m:
        workers.start(m.port)
        for _ in range(6):
            submit(m, "stuck", "true")
        exhaust(m.drain())
        submit(m, "stuck", "until [ -e %s ]; do sleep 0.1; done" % options.argument)
        exhaust(m.drain())
        return m.returned


def steps(options):
    """5, 10 and 3 tasks; before and after the second step it waits for files to come and to go, as somebody else says."""
    go, gone = (os.path.join(options.argument, name) for name in ("go", "gone"))
    with Workers() as workers, Manager(port=options.port) as m:
        workers.start(m.port)
        submit_plain(m, 5)
        exhaust(m.drain())
        with open(gone, "w", encoding="utf-8"):
            pass
        while not os.path.exists(go):
            time.sleep(0.02)
        submit_plain(m, 10)
        exhaust(m.drain())
        os.unlink(gone)
        while os.path.exists(go):
            time.sleep(0.02)
        submit_plain(m, 3)
        exhaust(m.drain())
        return m.returned


SCENARIOS = {
    f.__name__: f for f in (plain, churn, growing, python, sending, broken, daskvine, short, recovered, two, elsewhere, password, application,
                               many, hang, stuck, steps)
}


def main():
    global recording
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, help="of the manager; a free one if not given")
    parser.add_argument("--out", help="file for what the managers said of their tasks, as JSON")
    parser.add_argument("scenario", nargs="?", default="plain", choices=SCENARIOS)
    parser.add_argument("argument", nargs="?",
                        help="number of tasks of many and elsewhere, seconds of hang or a file that ends it, directory of steps")
    options = parser.parse_args()
    options.port = options.port or free_port()
    out = os.path.abspath(options.out) if options.out else None
    recording = bool(out)

    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, lambda n, _: sys.exit(128 + n))
    count = SCENARIOS[options.scenario](options)
    if out:
        with open(out, "w", encoding="utf-8") as f:
            used = resource.getrusage(resource.RUSAGE_SELF)
            json.dump({"scenario": options.scenario, "cpu": used.ru_utime + used.ru_stime, "managers": documents}, f, indent=1)
            f.write("\n")
    print("done", count)


if __name__ == "__main__":
    main()
