# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 3: graphs of dask-awkward. A computation of a graph that reads partitions is a call; each reading of a partition is a chunk.

The result of a graph cannot carry identities of chunks. But the graph has the number of partitions that it reads. If all partitions were
read and the computation returned, the last reading of each partition is in the result.
"""

INPUTS = ("_UprootOpenAndRead",)  # names of classes in uproot._dask


class Graphs:
    """State of graphs in this process."""

    inputs = ()  # classes of functions that read a partition
    made = False  # whether a graph that reads partitions was made
    current = None  # LocalGraph that this process is computing
    lock = threading.Lock()


# ---- how many partitions a graph reads ----


def count_reads(node):
    """Counts the partitions that a graph reads. The graph is already optimised: columns are projected and layers are fused."""
    if isinstance(node, Graphs.inputs):
        return 1
    if hasattr(node, "layers"):
        return sum(map(count_layer, node.layers.values()))
    if isinstance(node, dict):
        return sum(map(count_reads, node.values()))
    if isinstance(node, (list, tuple, set)):
        return sum(map(count_reads, node))
    if hasattr(node, "func") and hasattr(node, "args"):  # the node is a task
        return count_reads(node.func) + count_reads(node.args) + count_reads(getattr(node, "kwargs", None))
    return 0


def count_layer(layer):
    """Counts the reads of a layer. A layer that is not materialized yet has one task per block."""
    if hasattr(layer, "io_deps"):
        task = layer.task if hasattr(layer, "task") else layer.dsk
        return len(layer) * count_reads(task)
    return count_reads(getattr(layer, "mapping", layer))


# ---- calls ----


class GraphCall(Call):
    """A computation of a graph."""

    def __init__(self, executor, n_items):
        super().__init__(executor, worker.Work(__name__, "graph", "processing"), {}, n_items)
        self.row["executor"] = "dask-awkward"
        self.works = {}

    def get_work(self, function):
        """Returns the work of an input. The first input begins the call."""
        with Graphs.lock:
            key = tuple(sorted(function.common_keys)), worker.get_dataset(function), id(function.form_mapping_info)
            if not self.works:
                self.row["schema"] = worker.get_schema(function)
                self.send_row(self.row)
            if key not in self.works:
                module = type(function).__module__
                run = os.environ.get("ROAST_RUN_ID")
                self.works[key] = worker.PartitionWork(module, type(function).__name__, self.id, run, self.topic, len(self.works))
                self.works[key].report = self.note_local
            return self.works[key]

    def note_local(self, chunk, failed):
        """Notes a reading in this process."""

    def end_graph(self, error):
        """Ends the call. Confirms its chunks only if all partitions of the graph were read: otherwise rows may have been lost.

        A reading may fail in a successful computation if uproot reports read errors (allow_read_errors_with_report).
        """
        if not self.works:
            return
        whole = error is None and self.row["items"] == len(self.last)
        if whole:
            self.confirm([chunk for chunk in self.last.values() if chunk is not None])
        self.end(error, whole)


# ---- Dask's client ----


def wrap_submission(original):
    @functools.wraps(original)
    def _graph_to_futures(self, *args, **kwargs):
        call = None
        if Graphs.made and not getattr(local, "active", False):
            call = guard(open_graph, self, args[0] if args else next(iter(kwargs.values()), None))
        if call is None:
            return original(self, *args, **kwargs)
        local.submitting = call
        try:
            return original(self, *args, **kwargs)
        finally:
            local.submitting = None
            calls = getattr(local, "calls", None)
            if calls is not None:  # without `calls`, it is unknown when the result arrives, so the call stays open
                calls.append(call)

    return _graph_to_futures


def open_graph(client, dsk):
    n_items = count_reads(dsk)
    if n_items == 0 or not worker.Process.get().connection.connect():
        return None
    call = GraphCall(client, n_items)
    call.events = DaskEvents(client, call)
    return call


def wrap_get(original):
    @functools.wraps(original)
    def get(self, *args, **kwargs):
        if not Graphs.made or kwargs.get("sync", True) is not True or getattr(self, "asynchronous", False):
            return original(self, *args, **kwargs)
        outer, local.calls = getattr(local, "calls", None), []
        error = None
        try:
            return original(self, *args, **kwargs)
        except BaseException as exception:
            error = exception
            raise
        finally:
            calls, local.calls = local.calls, outer
            for call in calls:
                guard(call.end_graph, error)
            del error

    return get


def install_client(module):
    module.Client._graph_to_futures = wrap_submission(module.Client._graph_to_futures)
    module.Client.get = wrap_get(module.Client.get)


# ---- Dask's schedulers in this process ----


class LocalGraph(GraphCall):
    """Overlapping computations in this process, recorded as one call, because a reading does not tell its computation."""

    def __init__(self, n_items):
        super().__init__(None, n_items)
        self.open = 1
        self.error = None

    def note_local(self, chunk, failed):
        with Graphs.lock:  # give each reading its own task number, because readings in this process are never repeated
            self.note_task(len(self.last), None, chunk, failed)


def start_local(dsk):
    if not Graphs.made or getattr(worker.get_current(), "chunk", None) is not None:
        return
    n_items = count_reads(dsk)
    if n_items == 0 or not worker.Process.get().connection.connect():
        return
    with Graphs.lock:
        call = Graphs.current
        if call is None:
            call = Graphs.current = LocalGraph(n_items)
        else:
            call.open += 1
            call.row["items"] += n_items
    local.submitting = local.computing = call


def finish_local(dsk, state, failed):
    call = getattr(local, "computing", None)
    if call is None:
        return
    local.submitting = local.computing = None
    with Graphs.lock:
        call.open -= 1
        call.error = call.error or (sys.exc_info()[1] if failed else None)
        last = call.open == 0
        if last:
            Graphs.current = None
    if last:
        call.end_graph(call.error)


def install_callbacks(module):
    """Installs callbacks that Dask calls around each computation without a client."""
    callbacks = (lambda dsk: guard(start_local, dsk), None, None, None, lambda *args: guard(finish_local, *args))
    module.Callback.active.add(callbacks)


# ---- uproot ----


def wrap_input(cls):
    """Measures calls of an input in this process. Pickles it as a measured input while a graph is sent, but not for the script itself."""
    original_init, original_call, original_read = cls.__init__, cls._call_impl, cls.read_tree

    @functools.wraps(original_init)
    def __init__(self, *args, **kwargs):
        Graphs.made = True
        original_init(self, *args, **kwargs)

    @functools.wraps(original_call)
    def _call_impl(self, *arguments):
        call = Graphs.current
        work = guard(call.get_work, self) if call is not None else None
        if work is None:
            return original_call(self, *arguments)
        return worker.read_partition(work, original_call, self, arguments)

    @functools.wraps(original_read)
    def read_tree(self, tree, start, stop):
        return worker.read_tree(original_read, self, tree, start, stop)

    def __reduce_ex__(self, protocol):
        call = getattr(local, "submitting", None)
        work = guard(call.get_work, self) if call is not None else None
        return object.__reduce_ex__(self, protocol) if work is None else work.reduce(self)

    cls.__init__, cls._call_impl, cls.read_tree, cls.__reduce_ex__ = __init__, _call_impl, read_tree, __reduce_ex__


def install_graphs(module):
    """`module` is coffea.nanoevents.factory, which has imported uproot."""
    global worker
    worker = load_worker()
    uproot = sys.modules["uproot._dask"]
    Graphs.inputs = tuple(getattr(uproot, name) for name in INPUTS)
    for cls in Graphs.inputs:
        wrap_input(cls)
    for name, install_there in (("dask.callbacks", install_callbacks), ("distributed.client", install_client)):
        if name in sys.modules:
            install_there(sys.modules[name])
        else:
            finder.wait(name, install_there)
