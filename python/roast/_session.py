# SPDX-License-Identifier: BSD-3-Clause
"""Sessions like those of the override, measured by roast-run."""

import contextvars
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import weakref

from roast import _programs, _shared
from roast._errors import Error, InvalidValueError, UserError, needs_gi
from roast._orders import Orders
from roast._recording import Recording

PATIENCE = 0.25  # s for a program to end by itself after Ctrl-C, as in subprocess
LAST = 5  # s for it to end after SIGTERM
OUTPUT = 4000  # maximum B of standard error in a message


def _backends(backend):
    """Returns the backends as a list of names in the syntax of roast-run: NAME[,OPTION=VALUE]..."""
    names = [backend] if isinstance(backend, str) else list(backend)
    for name in names:
        if not isinstance(name, str):
            raise InvalidValueError(f"{name!r} is no backend name: objects need GObject introspection (the Debian package gir1.2-roast-1)")
    return names


def _descendants(pid):
    """Returns the pids of all descendants with their depth."""
    below = [(pid, 0)]
    for parent, depth in below:
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children") as file:
                    below += [(int(child), depth + 1) for child in file.read().split()]
        except (OSError, ValueError):
            pass
    return below[1:]


def _kill_program(keeper):
    """Kills the program's processes below roast-run's keeper, session and supervisor, which then end by themselves with a report."""
    for pid, depth in _descendants(keeper):
        if depth > 2:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass


class _SpanContext:
    def __init__(self, session, name, parent):
        self._session = session
        self._name = name
        self._parent = parent

    def __enter__(self):
        self.span = self._session.open_span(self._name, self._parent)
        return self.span

    def __exit__(self, kind, error, traceback):
        try:
            self._session.close_span(self.span)
        except Error:
            # An exception in the span itself takes precedence.
            if kind is None:
                raise
        return False

    async def __aenter__(self):
        needs_gi("async with")

    async def __aexit__(self, kind, error, traceback):
        return False


class Span:
    """A named stretch of the run."""

    def __init__(self, number, name, before):
        self.id = number
        self.name = name
        self._before = before  # the enclosing span in this thread or task

    def __repr__(self):
        return f"<roast.Span {self.name}>"


class Session(_shared.Session):
    """One measurement.

    Session(backend="auto", attach=None, interval=1.0, tags={}) has blocking methods: run(), launch(), attach(), wait(), finish(), span().
    As a context manager, it attaches on entry to the address in attach, or with the local backend to this process, and makes the report on
    exit. Spans nest within the open spans of the same thread or asyncio task.
    """

    def __init__(self, backend="auto", attach=None, interval=None, tags=None, registry=None, asynchronous=None):
        if registry is not None:
            needs_gi("registry=")
        if asynchronous:
            needs_gi("asynchronous=True")
        if interval is not None and not 0.01 <= interval <= 3600:
            raise InvalidValueError("interval: at least 0.01 s, at most 3600 s")
        self._backends = _backends(backend)
        self._attach = attach
        self._options = [f"--backend={name}" for name in self._backends]
        if interval is not None:
            self._options.append(f"--interval={interval!r}")
        self._options += [f"--tag={key}={value}" for key, value in (tags or {}).items()]
        self._process = self._orders = self._recording = self._report = None
        self._pid = os.getpid()
        self._open = contextvars.ContextVar("roast_span", default=None)
        self._launched = False
        self.state = "idle"  # idle, running, finished or failed

    # Starting

    def _begin(self, arguments, **options):
        if self.state != "idle":
            raise Error("this session was already used: create a new session for each measurement")
        directory = tempfile.mkdtemp(prefix="roast-")
        self._clean = weakref.finalize(self, shutil.rmtree, directory, True)
        self._path = os.path.join(directory, "run.roast")
        self._orders = Orders()
        self.state = "failed"
        self._output = tempfile.TemporaryFile() if options.get("stderr") == subprocess.PIPE else None
        if self._output is not None:  # use a file because nobody would read a pipe during the measurement
            options["stderr"] = self._output
        self._process = _programs.start(
            "roast-run",
            ["--quiet", f"--save={self._path}", self._orders.option(), *self._options, *arguments],
            pass_fds=self._orders.theirs,
            **options,
        )
        self._orders.started()
        try:
            if not self._orders.wait_for_start():
                self._fail()
        except BaseException:
            self._interrupt()
            raise
        self.state = "running"
        return self

    def _fail(self):
        status = self._process.wait()
        self._orders.close()
        message = "; ".join(self._orders.messages) or f"roast-run did not start: it ended with status {status}"
        raise UserError(message + self._read_output())

    def _read_output(self):
        """Returns the output of a backend's program, such as a traceback."""
        if self._output is None:
            return ""
        with self._output as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - OUTPUT, 0))
            text = file.read().decode(errors="replace").strip()
        self._output = None
        return f"\n{text}" if text else ""

    def launch(self, argv, env=None, directory=None):
        """Starts a program. argv: program and arguments; env: additional environment variables; directory: working directory."""
        _shared.check_arguments(argv)
        self._launched = True
        environment = {**os.environ, **env} if env else None
        return self._begin(["--", *argv], env=environment, cwd=directory)

    def attach(self, address):
        """Attaches to a running program or cluster. address: a pid, a URL or a directory, depending on the backend."""
        # Use a new session so that Ctrl-C reaches only this process, which ends the measurement.
        return self._begin(
            [f"--attach={address}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "ROAST_PYTHON": os.environ.get("ROAST_PYTHON") or sys.executable or "python3"},
        )

    # Ending

    def wait(self):
        """Waits for the end. Returns the report."""
        if self._process is None:
            raise Error("nothing is measured yet: run(), launch() or attach() first")
        if self.state != "running":
            raise Error("this session has ended; create a new session")
        try:
            self._orders.drain()
            self._status = self._process.wait()
        except BaseException:
            self._interrupt()
            raise
        self._orders.close()
        if not os.path.exists(self._path):
            self.state = "failed"
            raise Error("; ".join(self._orders.messages) or f"roast-run ended with status {self._status} and kept no run")
        for message in self._orders.messages:
            print("roast:", message, file=sys.stderr)
        self.state = "finished"
        self._recording = Recording(self._path, self)
        self._report = self._recording.make_report()
        return self._report

    def _interrupt(self):
        """Ends the program after Ctrl-C or another exception, as subprocess does. The program may have received Ctrl-C itself."""
        self.state = "failed"
        process = self._process
        patience = ()
        if not self._launched:
            self._orders.stop()
        elif process is not None:
            patience = ((PATIENCE, lambda: process.send_signal(signal.SIGTERM)), (LAST, lambda: _kill_program(process.pid)))
        for seconds, then in patience:
            if self._ends_within(seconds):
                break
            then()
        if process is not None:
            self._ends_within(LAST) or process.kill()
            process.wait()
        self._orders.close()

    def _ends_within(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._process.poll() is not None:
                return True
            time.sleep(0.01)
        return False

    def finish(self):
        """Ends the measurement now. Returns the report. The launched or attached program continues to run."""
        if self._orders is not None and self.state == "running":
            self._orders.stop()
        return self.wait()

    def run(self, argv, env=None, directory=None):
        """Runs a program to its end. Returns the report."""
        self.launch(argv, env, directory)
        return self.wait()

    # Spans

    def _check_spans(self):
        if self.state != "running":
            raise Error("spans need a running session: launch or attach first")
        if self._pid != os.getpid():
            raise Error("this session belongs to the parent process: create a session in this process for its spans")

    def open_span(self, name, parent=None):
        """Opens a named stretch of the run inside `parent` or, by default, the caller's current span. Returns the span for close_span()."""
        self._check_spans()
        before = self._open.get()
        around = parent if parent is not None else before
        span = Span(self._orders.open_span(str(name), around.id if around is not None else None), str(name), before)
        self._open.set(span)
        return span

    def close_span(self, span):
        self._check_spans()
        if self._open.get() is span:
            self._open.set(span._before)
        self._orders.close_span(span.id)

    def span(self, name, parent=None):
        """Returns a context manager for a named stretch of the run: with session.span("fit"): ... `parent` is as in open_span()."""
        return _SpanContext(self, name, parent)

    def __enter__(self):
        if self.state == "idle":
            address = self._attach
            if address is None:
                if self._backends not in (["auto"], ["local"]):
                    raise InvalidValueError("an address to attach to is missing: use roast.Session(backend=..., attach=ADDRESS)")
                address = os.getpid()
            self.attach(address)
        return self

    def __exit__(self, kind, error, traceback):
        if self.state == "running" and self._pid == os.getpid():
            try:
                self.finish()
            except Error as failure:
                if kind is None:
                    raise
                print("roast:", failure, file=sys.stderr)
        return False

    async def __aenter__(self):
        needs_gi("async with")

    async def __aexit__(self, kind, error, traceback):
        return False

    def read(self, recording):
        needs_gi("Session.read(): use roast.read(PATH);")

    # The results

    @property
    def recording(self):
        """The tables of the run. Before the end, they come from the file, which is at most two seconds behind."""
        if self._recording is None and self.state != "running":
            raise Error("nothing is measured yet: run(), launch() or attach() first")
        return self._recording if self._recording is not None else Recording(self._path, self)

    def evaluate(self, formula, name="value"):
        """Returns the value of a formula over tables and metrics as a metric with its completeness (docs/formulas.md)."""
        return self.recording.evaluate(formula, name)

    @property
    def report(self):
        """The report; None before the end."""
        return self._report

    @property
    def status(self):
        """The exit status of the program as a shell reports it; None if unknown or before the end."""
        metrics = self.report.metrics if self.report is not None else {}
        return metrics.get("exit_status")

    @property
    def charts(self):
        """The charts of the run by name. Before the end, they show the data so far."""
        return self.report.charts if self.report is not None else self.recording.make_report().charts

    def chart(self, name):
        """Returns a chart by name; charts lists all charts."""
        return self.charts[name]

    def _finished(self):
        if self.report is None:
            raise Error("there is no report before the session has ended")
        return self.report

    @property
    def metrics(self):
        """The values of the report by name. Unavailable values are None; report[name].reason says why."""
        return self._finished().metrics

    def table(self, name):
        """Returns a table of the recording as it is now, or a derived table of the report."""
        if self.report is not None and name in self.report.dup_table_names():
            return self.report.read_table(name)
        return self.recording[name]

    def _export(self, exporter, options, target):
        self._finished()
        values = {True: "true", False: "false"}
        text = "".join(f",{key}={values.get(value, value) if isinstance(value, bool) else value}" for key, value in options.items())
        return _programs.report("-e", f"{exporter}:{target}{text}", "--", self.recording.path)

    def save(self, path, exporter=None, **options):
        """Writes the report to a file whose name ends with .json, .html, .txt (tables) or .perfetto-trace, or as CSV to a directory."""
        path = os.fspath(path)
        self._export(exporter or _shared.choose_exporter(path), options, path)

    def to_text(self, exporter="table", **options):
        """Returns the report as text, as roast-run prints it."""
        return self._export(exporter, options, "-").decode()

    def _names(self):
        return self._backends

    def _is_measuring(self):
        return self.state == "running"


class Loaded(Session):
    """The session of a run in a file."""

    def __init__(self, path):
        super().__init__()
        self._backends = []
        self._path = path
        self._recording = Recording(path)
        self._report = self._recording.make_report()
        self.state = "finished"

    def __fspath__(self):
        return os.fspath(self._path)


def run(argv, backend="auto", env=None, directory=None, attach=None, interval=None, tags=None, registry=None):
    """Runs a program and measures it. Returns the finished session.

    Parameters
        argv: a list of the program and its arguments: ["make", "-j8"].
        backend: "auto" (processes and the executors that the program uses), "local", "dask", "local,pss=off", or a list.
        env: a dictionary of additional environment variables.
        directory: the working directory of the program.
        interval: seconds between two samples, at least 0.01; the default is 1.
        tags: a dictionary of remarks to store with the results.
        registry: needs GObject introspection.
    """
    session = Session(backend, attach, interval, tags, registry)
    session.run(argv, env, directory)
    return session


def read(path):
    """Reads a run file or a named run and makes its report. Returns a finished session."""
    return Loaded(os.fspath(path))
