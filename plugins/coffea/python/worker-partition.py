# SPDX-License-Identifier: BSD-3-Clause
"""Part 6 of 6: measures a partition of a graph of dask-awkward.

One function of uproot opens the file and reads its columns. No later function knows the file. The functions of the
analysis are other tasks.
"""

import threading
import types

reading = threading.local()  # .partition: partition that this thread reads


def get_schema(function):
    return getattr(getattr(getattr(function, "form_mapping_info", None), "schemaclass", None), "__name__", None)


def get_dataset(function):
    """Returns the dataset from coffea's metadata, or None if uproot is used without coffea."""
    metadata = getattr(getattr(function, "form_mapping_info", None), "metadata", None)
    return metadata.get("dataset") if isinstance(metadata, dict) else None


class Partition:
    """A partition that this thread reads. The measurement begins when the object is created."""

    def __init__(self, work, function, arguments):
        path, tree, first, last, is_range = arguments
        path, tree = str(path), str(tree)
        self.work = work
        self.function = function
        self.call = work.call
        self.complete = False
        self.part = [work.number, path, tree, int(first), int(last)]
        item = types.SimpleNamespace(dataset=get_dataset(function), filename=path, treename=tree)
        self.attempt = Attempt(self, item)
        if is_range:
            self.attempt.set(entry_start=int(first), entry_stop=int(last))

    def choose_way(self, process):
        return self.work.choose_way(process, self.part)

    def begin(self, start, stop):
        """Notes that the file is open and that its columns are read next."""
        self.attempt.opened = time.perf_counter_ns()
        self.attempt.set(entry_start=int(start), entry_stop=int(stop))
        learn_sizes()

    def finish(self, tree, start, stop):
        if self.complete:  # roast has wrapped the function twice
            return
        self.complete = True
        attempt = self.attempt
        attempt.set(events=int(stop) - int(start), open_time=(attempt.opened - attempt.clocks[0]) / 1e9)
        attempt.count_bytes(tree)
        names = sorted(self.function.common_keys)
        item = types.SimpleNamespace(
            filename=attempt.item.filename,
            treename=attempt.item.treename,
            fileuuid=str(tree.file.uuid),
            entrystart=int(start),
            entrystop=int(stop),
        )
        add_branches(attempt, item, make_source(tree), names)

    def end(self, error):
        self.attempt.end(error)
        self.work.report(self.attempt.id, error is not None)


def call_quietly(function, *arguments):
    try:
        return function(*arguments)
    except Exception:
        return None


def read_partition(work, original, function, arguments):
    """Measures a call of `original`, which opens a file and reads a partition."""
    if getattr(reading, "partition", None) is not None:  # roast has wrapped the function twice
        return original(function, *arguments)
    partition = reading.partition = call_quietly(Partition, work, function, arguments)
    if partition is None:
        return original(function, *arguments)
    error = None
    try:
        return original(function, *arguments)
    except BaseException as exception:
        error = exception
        raise
    finally:
        reading.partition = None
        call_quietly(partition.end, error)
        del error


def read_tree(original, function, tree, start, stop):
    partition = getattr(reading, "partition", None)
    if partition is None:
        return original(function, tree, start, stop)
    call_quietly(partition.begin, start, stop)
    result = original(function, tree, start, stop)
    call_quietly(partition.finish, tree, start, stop)
    return result


class PartitionWork:
    """An input of a graph: its call, and the way its rows are sent."""

    def __init__(self, module, function, call, run, topic, number):
        self.state = (module, function, call, run, topic, number)
        self.call = call
        self.run = run
        self.topic = topic
        self.number = number

    def choose_way(self, process, part):
        distributed = sys.modules.get("distributed") if self.topic is not None else None
        if distributed is not None:
            try:
                return DaskWay(distributed.get_worker(), self.topic, part)
            except ValueError:  # this thread does not execute a Dask task
                pass
        if os.environ.get("ROAST_RUN_ID") == self.run and process.connection.connect():
            return RunWay(process.connection)
        return ResultWay()

    def report(self, chunk, failed):
        """Does nothing. In the script's process the hook replaces this method."""

    def reduce(self, function):
        """Returns a pickled form of `function` that is measured where it is unpickled."""
        return builtins.eval, ("(exec(boot), object.__new__(function))[1]", make_scope("make_input", self.state)), vars(function)


def make_input(*state, made={}):  # noqa: B006 - one for each input
    """Returns a measured subclass of uproot's input class. It stays measured if Dask projects or pickles it again."""
    if state in made:
        return made[state]
    base = find_function(*state[:2])
    work = PartitionWork(*state)

    class Input(base):
        def _call_impl(self, *arguments):
            return read_partition(work, base._call_impl, self, arguments)

        def read_tree(self, tree, start, stop):
            return read_tree(base.read_tree, self, tree, start, stop)

        def project_keys(self, keys):
            projected = base.project_keys(self, keys)
            projected.__class__ = type(self)
            return projected

        def __reduce_ex__(self, protocol):
            return work.reduce(self)

    Input.__name__, Input.__qualname__, Input.__module__ = base.__name__, base.__qualname__, base.__module__
    made[state] = Input
    return Input
