# SPDX-License-Identifier: BSD-3-Clause
"""A Pythonic interface to Roast on top of introspection.

    from gi.repository import Roast

    with Roast.Session(backend="local") as session:
        with session.span("fit"):
            fit()
    print(session.metrics["process_cpu_time_seconds"])
    session.table("worker_samples").to_pandas()
    session.charts["worker_memory"].save("memory.svg")

Roast.Session(...) works in its own thread, and its methods wait. Programs with their own main loop use Roast.Session.new() and the
functions that end with _async, as in C. Roast.read("run.roast") returns the session of a run file.
"""

import collections.abc
import functools
import os
import signal
import sys

from gi.repository import Gio, GLib, GObject

from ..module import get_introspection_module
from ..overrides import override
from . import _roast_guard as guard
from . import _roast_rows as rows
from . import _roast_shared as shared
from . import _roast_spans as spans
from . import _roast_waiting as waiting
from ._roast_charts import Chart, Charts
from ._roast_errors import Error, InvalidValueError, UnknownNameError, UserError
from ._roast_errors import readable as _readable
from ._roast_loop import Loop
from ._roast_tables import tables, words

Roast = get_introspection_module("Roast")

__all__ = [
    "Chart", "Charts", "Error", "InvalidValueError", "UnknownNameError", "UserError", "compare", "read", "run", "tables", "timeout_add", "words",
]  # fmt: skip


def _to_vardict(values):
    return GLib.Variant("a{sv}", {key: rows.to_variant(value) for key, value in values.items() if value is not None})


# Make these attributes overrides: PyGObject looks up other attributes in Python, which takes 0.4 us each time, and slots use their flags
# and enumerations often.
for _name in ("BackendCapabilities", "ColumnType", "Completeness", "ExporterFlags", "FindingSeverity", "Role", "RuleState",
              "SessionState", "Severity", "TableKind"):
    globals()[_name] = getattr(Roast, _name)
    __all__.append(_name)

# The three interfaces: implementations in Python fail with an error that names the place.

_BACKEND = guard.Slots("roast-backend-error-quark", Roast.BackendError.BAD_IMPLEMENTATION, Roast.BackendError.CONNECT)
_AGGREGATOR = guard.Slots("roast-aggregate-error-quark", Roast.AggregateError.BAD_IMPLEMENTATION, Roast.AggregateError.NO_DATA)
_EXPORTER = guard.Slots("roast-export-error-quark", Roast.ExportError.BAD_IMPLEMENTATION, Roast.ExportError.OUTPUT)

_STRINGS = "a list of strings"

_BACKEND_SLOTS = {
    "get_capabilities": _BACKEND.giving(guard.check_flags(Roast.BackendCapabilities), "Roast.BackendCapabilities",
                                        lambda: Roast.BackendCapabilities.NOTHING),
    "configure": _BACKEND.throwing,
    "prepare_launch": _BACKEND.throwing,
    "launched": _BACKEND.told,
    "exited": _BACKEND.told,
    "attach": _BACKEND.task,
    "start_tracking": _BACKEND.task,
    "stop_tracking": _BACKEND.task,
    "create_span": _BACKEND.task,
    "close_span": _BACKEND.task,
}
_AGGREGATOR_SLOTS = {
    "dup_requires": _AGGREGATOR.giving(guard.check_strings, _STRINGS, list),
    "dup_provides": _AGGREGATOR.giving(guard.check_strings, _STRINGS, list),
    "aggregate": _AGGREGATOR.throwing,
}
_EXPORTER_SLOTS = {
    "get_flags": _EXPORTER.giving(guard.check_flags(Roast.ExporterFlags), "Roast.ExporterFlags",
                                  lambda: Roast.ExporterFlags.NONE),
    "configure": _EXPORTER.throwing,
    "export_report": _EXPORTER.throwing,
    "begin_live": _EXPORTER.giving(int, "a number of microseconds", int),
}


class MetricsBackend(Roast.MetricsBackend):
    """Reads one executor. Derive with class Mine(GObject.Object, Roast.MetricsBackend)."""

    def __init_subclass__(cls, **kwargs):
        guard.guard_class(cls, _BACKEND_SLOTS, ("get_capabilities", lambda: Roast.BackendCapabilities.NOTHING))
        super().__init_subclass__(**kwargs)


class Aggregator(Roast.Aggregator):
    """Computes metrics from a recording. Derive with class Mine(GObject.Object, Roast.Aggregator)."""

    def __init_subclass__(cls, **kwargs):
        guard.guard_class(cls, _AGGREGATOR_SLOTS, ("dup_provides", list))
        super().__init_subclass__(**kwargs)


class Exporter(Roast.Exporter):
    """Writes a report. Derive with class Mine(GObject.Object, Roast.Exporter)."""

    def __init_subclass__(cls, **kwargs):
        guard.guard_class(cls, _EXPORTER_SLOTS, ("get_flags", lambda: Roast.ExporterFlags.NONE))
        super().__init_subclass__(**kwargs)


MetricsBackend = override(MetricsBackend)
Aggregator = override(Aggregator)
Exporter = override(Exporter)
__all__ += ["MetricsBackend", "Aggregator", "Exporter"]


# Tables


class Column(shared.Column, Roast.Column):
    @property
    def name(self):
        return self.get_name()

    @property
    def kind(self):
        """int64, double, boolean, string or category."""
        return self.get_column_type().value_nick

    @property
    def unit(self):
        return self.get_unit()

    def _describe(self):
        return self.get_description()


class _Columns:
    """Base of readers and writers."""

    @property
    def name(self):
        return self.get_info().get_name()


class TableReader(_Columns, shared.TableReader, Roast.TableReader):
    """A table with the rows as of when the reader was created. reader["cpu"] is a numpy array, to_pandas() returns a frame, and iteration
    yields rows."""

    @functools.cached_property
    def columns(self):
        """The columns in order, by name."""
        return {column.get_name(): column for column in map(self.get_column, range(self.get_n_columns()))}

    @functools.cached_property
    def _slots(self):
        return rows.Slots(self.name, self.columns)

    def __len__(self):
        return self.get_n_rows()

    def __getitem__(self, name):
        """Returns a column as a numpy array. Missing doubles are NaN, missing texts None; missing integers and booleans are masked."""
        from . import _roast_columns

        self._slots[name]  # raises an error
        return _roast_columns.to_numpy(self, name, self.columns[name].kind)

    def __contains__(self, name):
        return name in self._slots

    def __iter__(self):
        """Yields each row as a dictionary. Missing cells are None."""
        self.rewind()
        while self.next():
            yield {name: self._cell(slot) for name, slot in self._slots.items()}

    def _cell(self, slot):
        value = self.dup_value(slot)
        return None if value is None else value.unpack()

    @_readable
    def narrow(self, columns):
        """Returns a reader of some columns of the same rows."""
        return super().narrow(columns)

    def to_pandas(self):
        """Returns the whole table as a pandas frame."""
        from . import _roast_columns

        return _roast_columns.to_pandas(self, [(name, column.kind) for name, column in self.columns.items()])


class TableWriter(_Columns, Roast.TableWriter):
    """Writes rows of a table. Create it with recording.write_table(NAME) or report.write_table(NAME).

        writer = recording.write_table("worker_samples", source)
        writer.add(time=1700000000000000, worker="w-1", memory=2**30)     # one row
        writer.add_rows({"time": times, "worker": "w-1", "cpu": cpu})     # one row per array index
        writer.add_rows(frame)                                            # one row per row of a DataFrame

    Values are in the units of the columns, times in microseconds since 1970. Missing cells are None. Rows of an entity table
    have a key: add() sets missing cells of the open row with that key, or opens one; close() does the same and closes it.
    """

    @property
    def _slots(self):
        slots = self.__dict__.get("_roast_slots")
        if slots is None:  # bound to all columns
            info = self.get_info()
            self._bind_slots([info.get_column(index).get_name() for index in range(info.get_n_columns())])
            slots = self._roast_slots
        return slots

    def _bind_slots(self, names):
        self._roast_slots = rows.Slots(self.name, names)

    def add(self, row=None, /, **cells):
        """Writes a row, or completes the open row with the same key.

        Parameters
            row: a dictionary of column names and values, for names that are not identifiers; optional.
            cells: the same as keyword arguments. None means a missing cell.

        Raises Roast.UserError, and writes nothing, if a column does not exist or cannot hold its value. Raises Roast.Error if a cell of
        the open row already has another value; the other cells are set.

            writer.add(worker="w-1", cores=4)
        """
        rows.write(self, self._slots, row, cells, False)

    def close(self, row=None, /, **cells):
        """Does the same as add(), then closes the row. A closed row cannot be changed and frees memory.

            writer.close(worker="w-1", ended=1700000000000000)
        """
        rows.write(self, self._slots, row, cells, True)

    def _is_int64(self, slot):
        name = list(self._slots)[slot]
        info = self.get_info()
        return any(column.get_name() == name and column.get_column_type() == Roast.ColumnType.INT64
                   for column in map(info.get_column, range(info.get_n_columns())))

    def add_rows(self, data, close=False):
        """Writes a row for each index of arrays that are columns.

        Parameters
            data: a dictionary of column names and arrays of equal length (numpy, array.array, lists, pandas.Series), or a
            pandas.DataFrame, whose index is not written. A single number or text applies to all rows. Cells that are None, masked, NA or
            NaN are missing. Dates of numpy and pandas, and datetimes with a time zone, become microseconds since 1970. With
            DataFrame.to_dict(), use to_dict("list").
            close: for an entity table, closes each row as close() does.

        In an entity table each row completes the open row with the same key, or opens one, as add() does.

        Returns the number of rows written.

        Raises Roast.UserError if a column does not exist, arrays differ in length, or a column cannot hold a value. Names and lengths are
        checked before any row is written; after another error, the preceding rows are in the table.

            writer.add_rows({"worker": ["w-1", "w-2"], "cores": numpy.array([4, 8])})
        """
        return rows.write_all(self, self._slots, data, self._is_int64, close)

    def __repr__(self):
        return f"<Roast.TableWriter {self.name}>"


class _Tables:
    """Base of recordings, snapshots and reports: tables by name."""

    @_readable
    def read_table(self, table, columns=None):
        """Returns a reader of a table, with all columns unless some are named."""
        return super().read_table(table, columns)

    def _read(self, name):
        try:
            return self.read_table(name)
        except Error as error:
            raise UnknownNameError(error.message, error.domain, error.code) from None


class _Writable:
    @staticmethod
    def _bind(writer, columns):
        if columns is not None:
            writer._bind_slots(columns)
        return writer


class _Recorded(_Tables, shared.Recorded):
    def __getitem__(self, name):
        return self._read(name)

    def __repr__(self):
        filled = ", ".join(f"{name} {len(self._read(name))}" for name in self if len(self._read(name)) > 0)
        return f"<Roast.{type(self).__name__}: {filled or 'empty'}>"


class Recording(_Recorded, _Writable, Roast.Recording):
    """The tables of one run, by name."""

    @staticmethod
    @_readable
    def open(path):
        """Opens the recording in a run file."""
        return Roast.Recording.open(os.fspath(path))

    @property
    def metadata(self):
        return self.dup_metadata().unpack()

    @_readable
    def write_table(self, table, source=None, columns=None):
        """Returns a writer of a table, with all columns unless some are named."""
        return self._bind(super().write_table(table, source, columns), columns)


class RecordingSnapshot(_Recorded, Roast.RecordingSnapshot):
    """The tables of one run at one point in time, by name."""

    @property
    def metadata(self):
        return self.get_metadata().unpack()


for _class in (Column, TableReader, TableWriter, Recording, RecordingSnapshot):
    override(_class)
    __all__.append(_class.__name__)


# Metrics


class Metric(shared.Metric, Roast.Metric):
    @property
    def name(self):
        return self.get_name()

    @property
    def value(self):
        """A number or text; None if unavailable (reason says why)."""
        value = self.get_value() if self.is_available() else None
        return None if value is None else value.unpack()

    @property
    def reason(self):
        return self.get_reason()

    @property
    def completeness(self):
        """complete, partial or estimated."""
        return self.get_completeness().value_nick

    @property
    def note(self):
        return self.get_note()


class Metrics(collections.abc.Mapping):
    """The values of a report by name. Older names also work. Unavailable values are None."""

    def __init__(self, report):
        self._report = report

    def __getitem__(self, name):
        metric = self._report.lookup(name)
        if metric is None:
            raise shared.unknown_metric(name)
        if metric.get_name() == name or metric.value is None:
            return metric.value
        known, value = self._report.get_double(name)  # an older name may have had another unit
        return value if known else metric.value

    def __iter__(self):
        return (metric.get_name() for metric in self._report.list_metrics())

    def __len__(self):
        return len(self._report.list_metrics())

    def __repr__(self):
        return repr(dict(self))


class Finding(shared.Finding, Roast.Finding):
    """A statement about a run. evidence has its numbers and names; units has the units of the numbers."""

    @property
    def rule(self):
        return self.get_rule()

    @property
    def severity(self):
        """info, warning or error."""
        return self.get_severity().value_nick

    @property
    def text(self):
        return self.get_text()

    @property
    def share(self):
        """Share of the offered core time that the finding explains; None if unknown."""
        share = self.get_share()
        return None if share != share else share

    @property
    def advice(self):
        return self.get_advice()

    @property
    def evidence(self):
        return {self.get_evidence_name(index): self.get_evidence_value(index).unpack() for index in range(self.get_n_evidence())}

    @property
    def units(self):
        return {self.get_evidence_name(index): self.get_evidence_unit(index) for index in range(self.get_n_evidence())
                if self.get_evidence_unit(index) is not None}


class Report(_Tables, _Writable, shared.Report, Roast.Report):
    """The report on a recording. report["name"] is a Roast.Metric, report.metrics has plain values, report.findings lists what stands out,
    report.core_time says how core time was used, and report.charts has the charts."""

    _roast_recording = None  # set by the session of the report

    @_readable
    def write_table(self, table, columns=None):
        """Returns a writer of a derived table, with all columns unless some are named."""
        return self._bind(super().write_table(table, columns), columns)

    def add(self, name, value=None, reason=None, completeness=None, note=None):
        """Adds a metric with a number or text, or, without a value, the reason why there is none. completeness: complete, partial or estimated."""
        if isinstance(completeness, str):
            completeness = getattr(Roast.Completeness, completeness.upper())
        elif completeness is None:
            completeness = Roast.Completeness.PARTIAL if note else Roast.Completeness.COMPLETE
        if value is None:
            self.add_unavailable(name, reason or "no reason was given")
        elif isinstance(value, str):
            self.add_string(name, value)
        elif isinstance(value, int):
            self.add_int64(name, value, completeness, note)
        else:
            self.add_double(name, float(value), completeness, note)

    def add_finding(self, finding, text=None, severity="warning", share=None, advice=None, evidence=None):
        """Adds a finding: a Roast.Finding, or the name of a rule, a text and further properties. evidence: a dictionary whose values are
        numbers, pairs of a number and its unit, or texts."""
        if not isinstance(finding, Roast.Finding):
            finding = Roast.Finding.new(finding, getattr(Roast.FindingSeverity, severity.upper()), text)
            if share is not None:
                finding.set_share(share)
            finding.set_advice(advice)
            for name, value in (evidence or {}).items():
                if isinstance(value, str):
                    finding.add_text(name, value)
                elif value is not None:
                    number, unit = value if isinstance(value, tuple) else (value, None)
                    finding.add_number(name, number, unit)
        super().add_finding(finding)

    @property
    def metrics(self):
        return Metrics(self)

    @property
    def findings(self):
        """The findings, most important first."""
        return self.list_findings()

    @property
    def core_time(self):
        """The table core_time, which says how core time was used."""
        return self._read("core_time")

    @property
    def charts(self):
        """The charts of the run by name."""
        if self._roast_recording is None:
            raise Error("this report belongs to no session: use Roast.Charts(recording, report) for its charts", "roast-chart-error-quark",
                        int(Roast.ChartError.NOT_AVAILABLE))
        return Charts(self._roast_recording, self)

    def chart(self, name):
        """Returns a chart by name; charts lists all charts."""
        return self.charts[name]

    @property
    def notes(self):
        return self.dup_notes()

    @property
    def tables(self):
        """The derived tables, by name."""
        return {name: self._read(name) for name in self.dup_table_names()}

    def __getitem__(self, name):
        metric = self.lookup(name)
        if metric is None:
            raise shared.unknown_metric(name)
        return metric

    def __contains__(self, name):
        return self.lookup(name) is not None

    def __iter__(self):
        return iter(self.list_metrics())

    def __len__(self):
        return len(self.list_metrics())

    def _describe_metric(self, metric):
        info, _scale = self.get_schema().lookup_metric(metric.name)
        return (None, None, None, None) if info is None else (info.get_group() or "", info.get_label(), info.get_unit(), info.get_description())

    def _html_charts(self):
        return self.charts._html() if self._roast_recording is not None else ""


class Schema(Roast.Schema):
    """Declarations of tables, vocabularies, metrics and charts, by name."""

    def __new__(cls):
        return Roast.Schema.new()  # with the core's

    @property
    def tables(self):
        return {info.get_name(): info for info in self.list_tables()}

    @property
    def metrics(self):
        return {info.get_name(): info for info in self.list_metrics()}

    @property
    def charts(self):
        return {info.get_name(): info for info in self.list_charts()}

    @_readable
    def load(self, path):
        return super().load(path)

    @_readable
    def load_text(self, text, origin="text"):
        """Adds the declarations of a text."""
        return self.load_data(GLib.Bytes.new(text.encode()), origin)


for _class in (Finding, Metric, Report, Schema):
    override(_class)
    __all__.append(_class.__name__)
__all__.append("Metrics")


# What there is


class Registry(Roast.Registry):
    def _options(self, role, name, options):
        if options is None or isinstance(options, GLib.Variant):
            return options
        if isinstance(options, str):
            return self.parse_options(role, name, options)
        return _to_vardict(options)

    @_readable
    def create_backend(self, name, options=None):
        """Creates a backend. options: a dictionary, or a text in the syntax of roast-run, such as "pss=off,..."."""
        return super().create_backend(name, self._options(Roast.Role.BACKEND, name, options))

    @_readable
    def create_exporter(self, name, options=None):
        """Creates an exporter. options: a dictionary, or a text in the syntax of roast-run."""
        return super().create_exporter(name, self._options(Roast.Role.EXPORTER, name, options))

    @_readable
    def create_aggregator(self, name):
        return super().create_aggregator(name)

    @_readable
    def register(self, name, cls):
        """Registers a class under a name. Its role follows from the interface that it implements."""
        roles = [(Roast.MetricsBackend, Roast.Role.BACKEND), (Roast.Aggregator, Roast.Role.AGGREGATOR),
                 (Roast.Exporter, Roast.Role.EXPORTER)]
        found = [role for interface, role in roles if issubclass(cls, interface)]
        if not found:
            raise TypeError(f"{cls.__name__} implements none of Roast.MetricsBackend, Roast.Aggregator, Roast.Exporter")
        for role in found:
            self.register_type(role, name, cls)
        return cls

    def __repr__(self):
        names = ", ".join(f"{role.value_nick} {', '.join(self.dup_names(role))}"
                          for role in (Roast.Role.BACKEND, Roast.Role.AGGREGATOR, Roast.Role.EXPORTER))
        return f"<Roast.Registry: {names}>"


override(Registry)
__all__.append("Registry")


class RunFile(Roast.RunFile):
    """A recording in a file. RunFile.create(PATH) creates one to write, RunFile.open(PATH) opens one to read."""

    @staticmethod
    @_readable
    def create(path):
        return Roast.RunFile.create(os.fspath(path))

    @staticmethod
    @_readable
    def open(path):
        return Roast.RunFile.open(os.fspath(path))

    @_readable
    def read(self):
        """Returns the recording as it is in the file now."""
        return super().read()


override(RunFile)
__all__.append("RunFile")


# Sessions


def _backends(backend):
    """Returns the requested backends as a list. backend: a name in the syntax of roast-run (NAME[,OPTION=VALUE]...), an object, or a
    list."""
    return [backend] if isinstance(backend, (str, GObject.Object)) else list(backend)


def _with_python(registry, name, options):
    """Adds this process's Python as the default of the option python, if the backend has it."""
    if not sys.executable or "," in sys.executable or "python=" in options or os.environ.get("ROAST_PYTHON"):
        return options
    extended = f"{options},python={sys.executable}" if options else f"python={sys.executable}"
    try:
        registry.parse_options(Roast.Role.BACKEND, name, extended)
    except GLib.Error:  # the backend lacks this option, or other options are invalid
        return options
    return extended


def _has_terminal():
    """Returns whether Ctrl-C at the terminal reaches the program directly because this process is in the terminal's foreground."""
    try:
        with open("/dev/tty") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False


# Time that a program has to end after Ctrl-C before the next signal, in ms.
_PATIENCE = 2000


class Session(shared.Session, Roast.Session):
    """The measurement of one run: of a new program, of a running program, or of this process.

        session = Roast.Session(backend="local", interval=0.5)
        report = session.run(["make", "-j8"])              # runs a program to its end
        print(report["process_cpu_time_seconds"])

        with Roast.Session() as session:                   # measures this process
            with session.span("fit"):
                fit()
        print(session.metrics["elapsed_time_seconds"])

        async def main():                                  # in asyncio, methods return awaitables
            report = await Roast.Session().run(["make", "-j8"])

    Parameters
        backend: "auto" (processes and the executors that the program uses), a name with options in the syntax of roast-run
        ("local,pss=off"), an object that implements Roast.MetricsBackend, or a list of these.
        attach: for a with statement, the address to attach to, such as a pid or a URL. With the local backend, the default is this process.
        interval: seconds between two samples, at least 0.01; the default is 1.
        tags: a dictionary of remarks to store with the results.
        registry: the Roast.Registry in which to look up plugins.
        asynchronous: whether run(), launch(), attach(), wait(), finish(), open_span() and close_span() return awaitables.
            The default is True in a running asyncio event loop, except in notebook cells. A with statement sets it to False, and async
            with sets it to True.

    Raises Roast.UserError for an unknown backend or option or an invalid interval, and Roast.Error for other failures.

    A session works in its own thread and makes one measurement. Roast.Session.new(registry) works in the main context of its caller
    instead, as in C.
    """

    _roast_loop = None
    _roast_backends = None
    _roast_asynchronous = False
    _roast_automatic = False

    def __init__(self, backend="auto", attach=None, interval=None, tags=None, registry=None, asynchronous=None):
        registry = registry if registry is not None else Roast.Registry.get_default()
        loop = Loop()
        loop.own(lambda: super(Session, self).__init__(registry=registry))
        self._roast_asynchronous = waiting.in_event_loop() if asynchronous is None else asynchronous
        self._roast_attach = attach
        if interval is not None:
            if interval < 0.01:
                raise InvalidValueError("interval: at least 0.01 s")
            self.set_interval(round(interval * 1e6))
        for key, value in (tags or {}).items():
            self.set_tag(key, str(value))
        self._roast_backends = []
        for item in _backends(backend):
            if isinstance(item, str):
                name, _, options = item.partition(",")
                if name == "auto":
                    self._roast_automatic = True
                    name = "local"
                item = loop.own(functools.partial(registry.create_backend, name, _with_python(registry, name, options)))
            else:
                name = type(item).__name__.lower()
            self._roast_backends.append(name)
            self.add_backend(name, item)
        loop.start()
        self._roast_loop = loop

    def _blocking(self, what):
        if self._roast_loop is None and self._roast_backends is not None:
            raise Error(f"{what}: this session has ended; create a new session")
        if self._roast_loop is None:
            raise Error(f"{what} waits, which Roast.Session.new() cannot do: create the session with Roast.Session(...), or use the "
                        "functions that end with _async")
        if self._roast_loop.is_current():
            raise Error(f"{what} would wait for the thread in which this handler runs: use another thread")
        return self._roast_loop

    # Operations are coroutines that await only Pending.

    @_readable
    def _drive_now(self, coroutine):
        return waiting.drive(coroutine)

    async def _drive_later(self, coroutine):
        try:
            return await waiting.drive_async(coroutine)
        except Error:
            raise
        except GLib.Error as error:
            raise Error.of(error) from None

    def _drive(self, coroutine):
        return (self._drive_later if self._roast_asynchronous else self._drive_now)(coroutine)

    @staticmethod
    def _launch_context(argv, env, directory):
        shared.check_arguments(argv)
        context = Roast.LaunchContext.new([os.fsdecode(argument) for argument in argv])
        for key, value in (env or {}).items():
            context.setenv(key, value)
        if directory is not None:
            context.set_directory(os.fspath(directory))
        return context

    async def _launch(self, loop, context):
        def begin(cancellable, done):
            if self._roast_automatic and self.get_state() == Roast.SessionState.IDLE:
                self.add_executors()
                self.add_instruments()
            self.launch_async(context, cancellable, done)

        await self._start(loop, begin, self.launch_finish)
        return self

    async def _attach(self, loop, address):
        await self._start(loop, lambda cancellable, done: self.attach_async(str(address), cancellable, done), self.attach_finish)
        return self

    async def _start(self, loop, begin, finish):
        cancellable = Gio.Cancellable()
        started = loop.begin(lambda done: begin(cancellable, done), finish)
        try:
            await waiting.Pending(started)
        except waiting.INTERRUPTIONS:
            # The program may already run. Only a running session can wait for its end.
            if self.get_launcher() is None:
                cancellable.cancel()
            await self._despite(loop, started, failing=True)
            if self.get_state() == Roast.SessionState.RUNNING:
                self._begin_end(loop)
                await self._despite(loop, loop.begin(lambda done: self.wait_async(None, done), self.wait_finish), failing=True)
            self._end_loop(loop)
            raise

    def _end_loop(self, loop):
        loop.stop()
        self._roast_loop = None

    def _kill(self, signum):
        launcher = self.get_launcher()
        return launcher is not None and launcher.send_signal(signum)

    def _begin_end(self, loop):
        """Ends the program as Ctrl-C at a terminal would, then with stronger signals. If the session attached, only ends the
        measurement."""
        if self.get_launcher() is None:
            loop.invoke(self.stop)
            return
        if not _has_terminal():
            loop.invoke(lambda: self._kill(signal.SIGINT))
        loop.later(_PATIENCE, lambda: self._kill(signal.SIGTERM))
        loop.later(2 * _PATIENCE, lambda: self._kill(signal.SIGKILL))
        # Do not wait for processes that the program leaves running.
        loop.later(3 * _PATIENCE, self.stop)

    async def _despite(self, loop, future, failing=False):
        """Waits for the future even if interrupted again; an interruption kills the program."""
        while True:
            try:
                return await waiting.Pending(future)
            except waiting.INTERRUPTIONS:
                loop.invoke(lambda: self._kill(signal.SIGKILL))
                loop.later(100, self.stop)
            except Exception:
                if failing:
                    return None
                raise

    async def _wait(self, loop):
        if self.get_state() == Roast.SessionState.IDLE:
            raise Error("nothing is measured yet: run(), launch() or attach() first", "roast-backend-error-quark",
                        int(Roast.BackendError.NOT_TRACKING))
        ended = loop.begin(lambda done: self.wait_async(None, done), self.wait_finish)
        try:
            await waiting.Pending(ended)
            # Run the aggregators in the loop's thread: they would block an event loop.
            return await waiting.Pending(loop.call(self.get_report))
        except waiting.INTERRUPTIONS:
            self._begin_end(loop)
            await self._despite(loop, ended, failing=True)
            raise
        finally:
            self._end_loop(loop)

    async def _run(self, loop, context):
        await self._launch(loop, context)
        return await self._wait(loop)

    async def _finish(self, loop):
        loop.invoke(self.stop)
        return await self._wait(loop)

    async def _open_span(self, name, parent):
        loop = self._blocking("open_span()")
        around = spans.innermost(self) if parent is None else None

        def begin(done):
            inside = around
            while inside is not None and (inside.closed or inside.session() is not self):
                inside = inside.outer
            self.open_span_async(name, parent if inside is None else inside.span, None, done)

        span = await waiting.Pending(loop.begin(begin, self.open_span_finish))
        spans.entered(self, span)
        return span

    async def _close_span(self, span):
        loop = self._blocking("close_span()")
        spans.left(span)
        return await waiting.Pending(loop.begin(lambda done: self.close_span_async(span, None, done), self.close_span_finish))

    def launch(self, argv, env=None, directory=None):
        """Starts a program and returns the session once it runs. wait() or finish() returns the report.

        Parameters
            argv: a list of the program and its arguments: ["make", "-j8"].
            env: a dictionary of additional environment variables.
            directory: the working directory of the program.

        Raises Roast.UserError if the program does not exist.

            session.launch(["sleep", "60"], env={"TZ": "UTC"}, directory="/tmp")
        """
        return self._drive(self._launch(self._blocking("launch()"), self._launch_context(argv, env, directory)))

    def attach(self, address):
        """Attaches to a running program or cluster and returns the session. wait() or finish() returns the report.

        Parameters
            address: an address that the backend accepts: a pid, a URL or a directory.

        Raises Roast.UserError if the process does not exist, and Roast.Error if it cannot be reached.

            Roast.Session(backend="dask").attach("tcp://127.0.0.1:8786")
        """
        return self._drive(self._attach(self._blocking("attach()"), address))

    def wait(self):
        """Waits for the end of the launched or attached program. Returns the Roast.Report.

        Ctrl-C, or in asyncio the cancellation of the task, ends a program that the session launched, or only the measurement if the
        session attached. The KeyboardInterrupt or CancelledError is raised afterwards.

            report = session.wait()
        """
        return self._drive(self._wait(self._blocking("wait()")))

    def finish(self):
        """Ends the measurement now. Returns the Roast.Report. The launched or attached program continues to run.

        In a signal handler of the session, such as for rows-added, it returns None: the session ends after the handler returns, and
        wait(), run() or the with statement provides the report.

            report = session.finish()
        """
        if self._roast_loop is not None and self._roast_loop.is_current():
            self._roast_loop.invoke(self.stop)
            return None
        return self._drive(self._finish(self._blocking("finish()")))

    def run(self, argv, env=None, directory=None):
        """Runs a program to its end. Returns the Roast.Report. In asyncio, use await session.run([...]).

        Parameters
            argv: a list of the program and its arguments: ["make", "-j8"].
            env: a dictionary of additional environment variables.
            directory: the working directory of the program.

        Raises Roast.UserError if the program does not exist. A failing program raises no error: its status is the metric exit_status.
        Ctrl-C, or in asyncio the cancellation of the task, ends the program: with SIGINT (which a program in the terminal's foreground
        receives from the terminal), after 2 s with SIGTERM, and after 2 s more with SIGKILL. The KeyboardInterrupt or CancelledError is
        raised after the program has ended; session.report has the measurement so far.

            report = session.run(["make", "-j8"], directory="src")
        """
        return self._drive(self._run(self._blocking("run()"), self._launch_context(argv, env, directory)))

    def open_span(self, name, parent=None):
        """Opens a named stretch of the run. Returns the Roast.Span to pass to close_span(). Use with session.span(NAME) to do both.

        Parameters
            name: the name of the span in the report.
            parent: the open span that contains it; the default is the caller's current span, as for span().

        Raises Roast.Error unless the session runs.
        """
        return self._drive(self._open_span(name, parent))

    def close_span(self, span):
        """Closes a span that open_span() returned. Raises Roast.Error if the span is not open or the session has ended."""
        return self._drive(self._close_span(span))

    def span(self, name, parent=None):
        """Returns a context manager for a named stretch of the run. In asyncio, use async with.

        Parameters
            name: the name of the span in the report.
            parent: the open span that contains it. The default is the caller's current span: each thread and each asyncio task has its
            own, by contextvars. A task and asyncio.to_thread() start in the span of the code that created them; a thread, also of a
            ThreadPoolExecutor, starts without a span.

            with session.span("fit") as outer:
                with ThreadPoolExecutor() as pool:
                    pool.map(lambda part: fit(session.span("part", parent=outer), part), parts)
        """
        return spans.SpanContext(self, name, parent)

    async def _enter(self):
        loop = self._blocking("a with statement")
        if self.get_state() == Roast.SessionState.IDLE:
            address = self._roast_attach
            if address is None:
                if self._roast_backends != ["local"]:
                    raise InvalidValueError("an address to attach to is missing: use Roast.Session(backend=..., attach=ADDRESS)")
                address = os.getpid()
            await self._attach(loop, address)
        return self

    async def _exit(self, kind):
        if self._roast_loop is not None:
            try:
                await self._finish(self._roast_loop)
            except GLib.Error as failure:
                if kind is None:
                    raise
                print("roast:", failure.message, file=sys.stderr)
        return False

    def __enter__(self):
        self._roast_asynchronous = False
        return self._drive_now(self._enter())

    def __exit__(self, kind, error, traceback):
        return self._drive_now(self._exit(kind))

    async def __aenter__(self):
        self._roast_asynchronous = True
        return await self._drive_later(self._enter())

    async def __aexit__(self, kind, error, traceback):
        return await self._drive_later(self._exit(kind))

    @property
    def state(self):
        """idle, starting, running, stopping, finished or failed."""
        return self.get_state().value_nick

    @property
    def status(self):
        """The exit status of the program as a shell reports it; None if unknown or before the end."""
        return self.report.metrics.get("exit_status") if self.report is not None else None

    @property
    def recording(self):
        return self.get_recording()

    def get_report(self):
        report = super().get_report()
        if report is not None:
            report._roast_recording = self.get_recording()
        return report

    @_readable
    def evaluate(self, formula, name="value"):
        """Returns the value of a formula over tables and metrics as a metric with its completeness (docs/formulas.md).
        Before the end there are no metrics and derived tables; measured tables have the rows so far."""
        report = self.report if self.report is not None else Report.new(self.recording.get_schema())
        return report.evaluate(self.recording.snapshot(), name, formula)

    @property
    def report(self):
        """The report; None before the end."""
        return self.get_report()

    @property
    def charts(self):
        """The charts of the run by name. Before the end, they show the data so far, without charts that need a report."""
        return Charts(self.recording, self.report)

    def chart(self, name):
        """Returns a chart by name; charts lists all charts."""
        return self.charts[name]

    @_readable
    def read(self, recording):
        """Makes the report on a recording, such as Roast.Recording.open(PATH)."""
        return super().read(recording)

    @property
    def metrics(self):
        """The values of the report by name. Unavailable values are None; report[name].reason says why."""
        if self.report is None:
            raise Error("there are no metrics before the session has ended", "roast-aggregate-error-quark",
                        int(Roast.AggregateError.NO_DATA))
        return self.report.metrics

    def table(self, name):
        """Returns a table of the recording as it is now, or a derived table of the report."""
        if self.report is not None and name in self.report.dup_table_names():
            return self.report.read_table(name)
        return self.recording[name]

    def _export(self, exporter, options, output):
        made = self.props.registry.create_exporter(exporter, options)
        output.prepare()
        try:
            made.export_report(self.recording.snapshot(), self._finished_report(), output, None)
        except BaseException:
            output.discard()
            raise
        output.commit()

    def _finished_report(self):
        if self.report is None:
            raise Error("there is no report before the session has ended", "roast-export-error-quark",
                        int(Roast.ExportError.NO_DATA))
        return self.report

    @_readable
    def save(self, path, exporter=None, **options):
        """Writes the report to a file whose name ends with .json, .html, .txt (tables) or .perfetto-trace, or as CSV to a directory."""
        path = os.fspath(path)
        if exporter is None:
            exporter = shared.choose_exporter(path)
        flags = self.props.registry.create_exporter(exporter, options).get_flags()
        several = flags & Roast.ExporterFlags.DIRECTORY
        self._export(exporter, options,
                     Roast.Output.new_for_directory(path) if several else Roast.Output.new_for_file(path))

    @_readable
    def to_text(self, exporter="table", **options):
        """Returns the report as text, as roast-run prints it."""
        output = Roast.Output.new_for_memory()
        self._export(exporter, options, output)
        return b"".join(output.dup_bytes(name).get_data() or b"" for name in output.dup_names()).decode()

    def _names(self):
        return self._roast_backends or []

    def _is_measuring(self):
        return self.get_state() != Roast.SessionState.IDLE


override(Session)
__all__.append("Session")


def timeout_add(milliseconds, function, *args):
    """Like GLib.timeout_add(), but for backends: uses the main context of the session that calls them instead of the default context,
    which runs only in programs with a main loop. Returns the GLib.Source; destroy() stops it."""
    source = GLib.Timeout(milliseconds)
    source.set_callback(lambda *_: function(*args))
    source.attach(GLib.MainContext.ref_thread_default())
    return source


def run(argv, backend="auto", env=None, directory=None, attach=None, interval=None, tags=None, registry=None):
    """Runs a program, measures it, and waits for its end. Returns the finished Roast.Session.

    Parameters
        argv: a list of the program and its arguments: ["make", "-j8"].
        backend: as in Roast.Session: "auto", "local", "dask", "local,pss=off", or a list.
        env: a dictionary of additional environment variables.
        directory: the working directory of the program.
        interval: seconds between two samples, at least 0.01; the default is 1.
        tags: a dictionary of remarks to store with the results.
        registry: the Roast.Registry in which to look up plugins.

    Raises Roast.UserError if the program, backend or option does not exist. Ctrl-C ends the program; the KeyboardInterrupt is raised after
    it has ended. In asyncio, use await Roast.Session().run([...]), which does not block the event loop.

        session = Roast.run(["make", "-j8"], interval=0.5)
        print(session.metrics["exit_status"], session.metrics["process_cpu_time_seconds"])
        print(session.to_text())
    """
    session = Session(backend, attach, interval, tags, registry, asynchronous=False)
    session.run(argv, env, directory)
    return session


def compare(runs, reference=None):
    """Compares runs with reference runs. Returns a Roast.Session whose report has the comparison.

    Without a reference, it compares the speed of the runs by their numbers of slots: see the table "scaling".

    Parameters
        runs: a list of files, names of kept runs ("last", the first characters of an ID), Roast.Recording or Roast.Session objects.
        reference: the runs to compare with, in the same forms.

    Raises Roast.UserError if a run does not exist.

        session = Roast.compare(["new-1.roast", "new-2.roast", "new-3.roast"], ["old-1.roast", "old-2.roast", "old-3.roast"])
        session.table("verdicts").to_pandas()
    """

    def open_all(side):
        names = [side] if isinstance(side, (str, os.PathLike, Roast.Recording, Roast.Session)) else list(side)
        if not names:
            raise InvalidValueError("a comparison needs a run on each side")
        recordings = [name.get_recording() if isinstance(name, Roast.Session) else name for name in names]
        return [name if isinstance(name, Roast.Recording) else Recording.open(Roast.Runs.new().find(os.fspath(name))) for name in recordings]

    session = Session.new(Registry.get_default())
    session.compare(open_all(runs), open_all(reference) if reference is not None else None)
    return session


def read(path):
    """Reads a run file and makes its report. Returns a finished Roast.Session.

    Parameters
        path: a file that roast-run wrote. It may still grow.

    Raises Roast.UserError if the file does not exist or is not a run file.

        session = Roast.read("analysis.roast")
        session.table("tasks").to_pandas()
    """
    recording = Recording.open(path)
    session = Session.new(Registry.get_default())
    session.read(recording)
    return session
