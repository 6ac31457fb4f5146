# SPDX-License-Identifier: BSD-3-Clause
"""Part 1 of 3 of roast's hook. It runs in the script's process, after the import of coffea.processor.executor.

The hook replaces functions of Runner by callables that measure each attempt (coffea-worker.py). It wraps calls of executors: it names each
call, and removes the identities of chunks from the result to send them to the run. Nothing else of coffea changes.
"""

import functools
import hashlib
import json
import os
import sys
import threading
import time
import zlib

FUNCTIONS = {
    "_work_function": "processing",
    "metadata_fetcher_root": "preprocessing",
    "metadata_fetcher_parquet": "preprocessing",
    "metadata_fetcher": "preprocessing",
}
CONFIRM = 500  # maximum number of chunks that one line confirms
DATASETS = 1000  # maximum number of datasets whose metadata are sent
METADATA = 16384  # maximum size of a dataset's metadata as JSON, bytes
OWN_METADATA = frozenset(  # names of metadata that coffea itself uses
    "dataset filename treename metadata entrystart entrystop fileuuid numentries uuid clusters preload".split()
)
NO_JSON = "not the same in JSON"
PATIENCE = 2.0  # s; time to wait for rows of the chunks in the result

worker = None  # module object of coffea-worker.py
# State of this thread. .active: whether it measures a call of an executor; .execution: the Dask task that it executes; .made: for each
# kind, the calls that were made in that task
local = threading.local()
described = {}  # maps the name of a dataset to the metadata that were sent for it


def load_worker():
    """Loads coffea-worker.py as a module with the name that it also has in processes to which its text is sent."""
    path = os.path.join(os.path.dirname(__file__), "coffea-worker.py")
    with open(path, "rb") as file:
        text = file.read()
    name = "_roast_coffea_" + hashlib.md5(text, usedforsecurity=False).hexdigest()[:12]
    module = sys.modules.get(name)
    if module is None:
        module = type(sys)(name)
        module.__file__ = path
        exec(compile(text, path, "exec"), module.__dict__)
        module.TEXT_OF_MODULE = zlib.compress(text, 9)
        sys.modules[name] = module
    return module


def send(*rows):
    return worker.Process.get().connection.send("".join(map(worker.make_line, rows)))


def remark(text):
    send({"type": "message", "severity": "warning", "message": text})


def get_version(name):
    module = sys.modules.get(name)
    return getattr(module, "__version__", None)


def name_version(name):
    version = get_version(name)
    return name if version is None else "%s %s" % (name, version)


# ---- contents of an executor's call ----


def replace_work(function, replace):
    """Replaces Work objects within nested partial functions, where coffea puts them as functions or as arguments."""
    if isinstance(function, worker.Work):
        return replace(function)
    if type(function) is functools.partial:
        inner = replace_work(function.func, replace)
        arguments = [replace_work(argument, replace) for argument in function.args]
        if inner is not function.func or any(new is not old for new, old in zip(arguments, function.args)):
            return functools.partial(inner, *arguments, **function.keywords)
    return function


def find_arguments(function, found):
    """Finds the arguments that coffea gave to its own function, by name."""
    if type(function) is functools.partial:
        if isinstance(function.func, worker.Work):
            code = function.func.resolve().__code__
            found.update(zip(code.co_varnames[: code.co_argcount], function.args), **function.keywords)
        for part in (function.func, *function.args):
            find_arguments(part, found)
    return found


def count_call(kind):
    """Returns the Dask task that makes a call, and the number of the call within this execution of the task.

    If a worker is lost, Dask executes the task again. Of the calls with the same number, only one is in the result.
    """
    task = worker.get_dask_task()
    if task is None:
        return None, None
    execution = task, getattr(sys.modules["distributed.worker"].thread_state, "start_time", None)
    if getattr(local, "execution", None) != execution:
        local.execution, local.made = execution, {}
    local.made[kind] = local.made.get(kind, 0) + 1
    return task, local.made[kind]


def encode_metadata(metadata):
    """Returns the metadata as JSON and None, or None and the reason."""
    try:
        metadata = {name: value for name, value in (metadata or {}).items() if name not in OWN_METADATA}
        text = json.dumps(metadata, allow_nan=False)
        if json.loads(text) != metadata:
            return None, NO_JSON
    except Exception:
        return None, NO_JSON
    return (text, None) if len(text) <= METADATA else (None, "larger than %d KiB" % (METADATA // 1024))


def describe_datasets(items):
    """Sends the user's metadata of each dataset once. A fileset of failed files is complete only with metadata."""
    last = None
    for item in items:
        dataset = item.dataset
        if dataset == last:
            continue
        last = dataset
        sent = described.get(dataset, ("{}", None))
        found = encode_metadata(item.usermeta if hasattr(item, "usermeta") else item.metadata)
        if dataset not in described and len(described) >= DATASETS and found != sent:
            found = None, "of more than %d datasets" % DATASETS
        if found != sent:
            described[dataset] = found
            send(["datasets", dataset, *found])


class Call:
    """One call of an executor."""

    def __init__(self, executor, work, scope, n_items):
        process = worker.Process.get()
        self.id = process.make_id("c")
        self.kind = work.kind
        self.executor = executor
        self.events = None
        self.last = {}  # maps (Dask task, part) to the identity of its last attempt, or to None if that attempt failed
        self.is_lazy = work.kind == "processing" and bool(getattr(executor, "use_dataframes", False))
        self.failed = set()  # attempts whose rows came with a result or an error
        self.started = time.time_ns() // 1000
        runner = scope.get("self")
        processor = scope.get("processor_instance")
        task, number = count_call(self.kind)
        self.row = {
            "call": self.id,
            "kind": self.kind,
            "executor": type(executor).__name__,
            "chunk_size": getattr(runner, "chunksize", None) if work.kind == "processing" else None,
            "processor": self.name_processor(processor) if work.kind == "processing" else None,
            "items": n_items,
            "started": self.started,
            "framework": name_version("coffea"),
            "reader": name_version("uproot"),
            "host": process.host,
            "pid": process.pid,
            "task": task,
            "task_call": number,
        }

    def name_processor(self, processor):
        if processor is None:
            return getattr(self.executor, "function_name", None)
        cls = type(processor)
        return cls.__name__ if hasattr(cls, "process") else getattr(processor, "__name__", cls.__name__)

    def send_row(self, row):
        send(["processing", *map(row.get, worker.TABLES["processing"])])

    def note_task(self, task, part, chunk, failed):
        """Notes that a row came. Data frames are computed after the executor returns, so such a call ends when all tasks are done."""
        self.last[task, part if part is None else tuple(part)] = None if failed else chunk
        if self.is_lazy and self.events is not None and len(self.last) == self.row["items"] and None not in self.last.values():
            events, self.events = self.events, None
            self.confirm(list(self.last.values()))
            self.end(None, True)
            events.leave()

    @property
    def topic(self):
        return self.events.topic if self.events is not None else None

    def begin(self, arguments):
        schema = arguments.get("schema")
        self.row["schema"] = getattr(schema, "__name__", None)
        self.send_row(self.row)

    def end(self, error, confirmed):
        lost = guard(self.events.close) if self.events is not None else None
        row = {"call": self.id, "ended": max(time.time_ns() // 1000, self.started), "confirmed": confirmed, "tasks_lost": lost}
        if error is not None:
            guard(self.take_error, error)
            row["error"], row["error_message"] = worker.describe_error(error)
        self.send_row(row)

    def take_rows(self, entries):
        """Sends rows that came with a result or error. Returns the identities of chunks in the result."""
        ids = []
        for entry in entries:
            if isinstance(entry, str):
                ids.append(entry)
                continue
            chunk, rows, *failed = entry
            if not failed:
                ids.append(chunk)
            elif chunk in self.failed:  # an error has already brought this row
                continue
            else:
                self.failed.add(chunk)
            if self.events is None or chunk not in self.events.arrived:
                worker.Process.get().connection.send(rows)
        return ids

    def take_error(self, error):
        """Sends rows that an error brought from another process."""
        seen = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            self.take_rows(getattr(error, "__dict__", {}).pop(worker.KEY, ()))
            error = error.__cause__ or error.__context__

    def confirm(self, entries):
        """Reports the chunks in the result."""
        ids = self.take_rows(entries)
        if self.events is not None:
            self.events.wait(ids)
        if self.kind == "preprocessing":  # a result has no chunks that are prepared files
            return
        for first in range(0, len(ids), CONFIRM):
            send({"type": "confirm", "call": self.id, "chunks": ids[first : first + CONFIRM]})


# ---- results ----


def take_entries(call, accumulated):
    """Removes roast's entries from the result of an executor. Returns None if the result cannot hold entries."""
    if call.kind == "preprocessing":
        entries = []
        for meta in accumulated:
            entries += meta.metadata.pop(worker.KEY, ())
        return entries
    if accumulated is None:  # all chunks failed and were skipped
        return []
    if isinstance(accumulated, dict) and "out" in accumulated:
        return accumulated.pop(worker.KEY, None)
    return None


def finish(call, result):
    accumulated, error = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
    entries = None
    try:
        entries = take_entries(call, accumulated)
    finally:
        if entries is not None:
            call.confirm(entries)
        call.end(error if isinstance(error, BaseException) else None, entries is not None)


def count(items):
    try:
        return len(items)
    except TypeError:
        return None


def run_measured(original, executor, args, kwargs, scope):
    """Runs a call of an executor, and measures it if its function contains Work."""
    call = works = None
    try:
        names = ("items", "function", "accumulator")
        given = dict(zip(names, args), **kwargs)
        works = []
        replace_work(given["function"], lambda work: works.append(work) or work)
        if works and works[0].call is None and worker.Process.get().connection.connect():
            call = Call(executor, works[0], scope, count(given["items"]))
            arguments = find_arguments(given["function"], {})
            call.events = guard(open_dask_events, executor, call) or guard(open_task_outputs, executor)
            call.is_lazy = call.is_lazy and call.events is not None
            # Rows of lazy calls must come as Dask events, because only events name their task.
            run = os.environ.get("ROAST_RUN_ID") if not call.is_lazy else None
            given["function"] = replace_work(given["function"], lambda work: work.for_call(call.id, run, call.topic))
            call.begin(arguments)
            if isinstance(given["items"], (list, tuple, set)):
                guard(describe_datasets, given["items"])
            args, kwargs = [given.pop(name) for name in names if name in given], given
    except Exception:
        call = None
    if call is None:
        return original(executor, *args, **kwargs)
    try:
        result = original(executor, *args, **kwargs)
    except BaseException as error:
        guard(call.end, error, False)
        raise
    if not call.is_lazy:
        guard(finish, call, result)
    return result


def guard(function, *args):
    try:
        return function(*args)
    except Exception:
        return None


def is_measured(items, function, *args, **kwargs):
    """Whether an outer call already measures this call, as when a class calls its base. False for a Runner within a Runner."""
    works = []
    replace_work(function, lambda work: works.append(work) or work)
    return works != [] and works[0].call is not None


def wrap_executor(cls):
    """Wraps the __call__ that the class itself defines."""
    original = cls.__dict__.get("__call__")
    if not callable(original) or hasattr(original, "_roast_original"):
        return

    @functools.wraps(original)
    def __call__(self, *args, **kwargs):
        outer = getattr(local, "active", False)
        if outer and guard(is_measured, *args, **kwargs):
            return original(self, *args, **kwargs)
        local.active = True
        try:
            return run_measured(original, self, args, kwargs, sys._getframe(1).f_locals)
        finally:
            local.active = outer

    __call__._roast_original = original
    cls.__call__ = __call__


def wrap_executors(base):
    """Wraps all executor classes, including classes defined later."""
    inherited = base.__init_subclass__

    def __init_subclass__(cls, **kwargs):
        super(base, cls).__init_subclass__(**kwargs)
        guard(wrap_executor, cls)

    if "__init_subclass__" not in base.__dict__ and inherited is not None:
        base.__init_subclass__ = classmethod(__init_subclass__)
    classes = [base]
    while classes:
        cls = classes.pop()
        wrap_executor(cls)
        classes += cls.__subclasses__()


def replace_functions(module):
    """Replaces the functions of Runner. Returns the names of the functions found."""
    runner = module.Runner
    replaced = []
    for name, kind in FUNCTIONS.items():
        function = runner.__dict__.get(name)
        original = getattr(function, "__func__", None)
        if original is None:
            continue
        names = original.__code__.co_varnames[: original.__code__.co_argcount]
        if "item" not in names or (kind == "processing" and "processor_instance" not in names):
            continue
        work = worker.Work(module.__name__, "Runner." + name, kind)
        work.original = original
        setattr(runner, name, work)
        replaced.append(name)
    return replaced


def install(module):
    global worker
    worker = load_worker()
    try:
        if "_work_function" not in replace_functions(module):
            raise AttributeError("Runner has no _work_function with a chunk and a processor")
        wrap_executors(module.ExecutorBase)
    except AttributeError as error:
        remark("chunks of %s are not measured, because roast does not support this version: %s" % (name_version("coffea"), error))
