# SPDX-License-Identifier: BSD-3-Clause
"""Part 5 of 6: the callable that replaces a function of coffea's Runner, both in the script and in the processes it is sent to."""

import builtins
import copy
import importlib
import os
import sys

KEY = "__roast_chunks__"  # key of entries in a chunk's result; in an error that leaves a process, attribute with these entries

# Code that a process executes when it unpickles a function of roast. If this code fails, the process uses coffea's own function.
BOOT = """
try:
    import sys, zlib
    module = sys.modules.get(name)
    if module is None:
        module = type(sys)(name)
        exec(compile(zlib.decompress(text), "<roast>", "exec"), module.__dict__)
        module.TEXT_OF_MODULE = text
        module.__name__ = name
        module = sys.modules.setdefault(name, module)
    function = getattr(module, maker)(*state)
except Exception:
    import importlib
    function = importlib.import_module(state[0])
    for part in state[1].split("."):
        function = getattr(function, part)
"""

TEXT_OF_MODULE = None  # text of this file, compressed; set by the code that executes the text


def make_scope(maker, state):
    """Returns the scope in which BOOT is executed and defines `function`."""
    return {"boot": BOOT, "name": __name__, "text": TEXT_OF_MODULE, "maker": maker, "state": state}


def find_function(module, name):
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


class Work:
    """Replaces `function` of `module`. Measures nothing until a call of an executor has named it."""

    def __init__(self, module, function, kind, call=None, run=None, topic=None):
        self.state = (module, function, kind, call, run, topic)
        self.kind = kind
        self.call = call
        self.run = run
        self.topic = topic
        self.home = None  # process object of the call; it sends another row after the last chunk
        self.original = None
        self.__name__ = function.rpartition(".")[2]

    def for_call(self, call, run, topic):
        work = Work(*self.state[:3], call, run, topic)
        work.original = self.original
        work.home = os.getpid()
        return work

    def __reduce__(self):
        return builtins.eval, ("(exec(boot), function)[1]", make_scope("Work", self.state))

    def __repr__(self):
        return "<%s.%s, measured by roast>" % self.state[:2]

    def resolve(self):
        """Returns coffea's own function, even if it is replaced in this process too."""
        if self.original is None:
            found = find_function(*self.state[:2])
            self.original = found.resolve() if hasattr(found, "for_call") else found
        return self.original

    def choose_way(self, process):
        if os.environ.get("ROAST_RUN_ID") == self.run and process.connection.connect():
            return RunWay(process.connection, self.home == process.pid)
        if self.topic == OutputWay.topic:
            return OutputWay()
        distributed = sys.modules.get("distributed") if self.topic is not None else None
        if distributed is not None:
            try:
                return DaskWay(distributed.get_worker(), self.topic)
            except ValueError:  # this thread does not execute a Dask task
                pass
        return ResultWay()

    def __call__(self, *args, **kwargs):
        original = self.resolve()
        if self.call is None:
            return original(*args, **kwargs)
        watched = None
        try:
            watched = WATCHERS[self.kind](self, original, args, kwargs)
        except Exception:  # coffea encounters the same error below, and raises it itself
            pass
        if watched is None:
            return original(*args, **kwargs)
        try:
            result = original(*watched.args, **watched.kwargs)
        except BaseException as error:
            watched.fail(error)
            raise
        return watched.finish(result)


class Watched:
    """A measured call of coffea's function. Its arguments are replaced by objects that report back."""

    def __init__(self, work, original, args, kwargs):
        code = original.__code__
        self.args = ()
        self.kwargs = dict(zip(code.co_varnames[: code.co_argcount], args), **kwargs)
        self.scope = original.__globals__
        self.code = code
        self.replace(work)

    def fail(self, error):
        try:
            kept = self.attempt.keep(self.attempt.end(error))
            if kept:
                setattr(error, KEY, kept)
        except Exception:
            pass

    def finish(self, result):
        try:
            entry = self.attempt.end()
        except Exception:  # the report says that the row is missing
            entry = self.attempt.id
        try:
            return self.add(result, [entry, *self.attempt.take_kept()])
        except Exception:
            return result


class WatchedChunk(Watched):
    """A call of Runner._work_function. The processor is replaced by a wrapper."""

    def replace(self, work):
        item, processor = self.kwargs["item"], self.kwargs["processor_instance"]
        if isinstance(processor, str) and processor == "heavy":
            item, processor = item
        self.attempt = Attempt(work, item)
        self.attempt.set(entry_start=item.entrystart, entry_stop=item.entrystop)
        if isinstance(processor, bytes):
            processor = self.scope["cloudpickle"].loads(self.scope["lz4f"].decompress(processor))
            self.attempt.end_loading()
        base = self.scope["ProcessorABC"]
        if isinstance(processor, base):
            self.call = processor.process
        elif callable(processor) and "callable" in self.code.co_names:
            self.call = processor
        else:
            raise TypeError("not a processor")
        self.kwargs.update(item=item, processor_instance=make_subclass(base, Processor)(self))
        checkpointer = self.kwargs.get("checkpointer")
        if checkpointer is not None and isinstance(checkpointer, self.scope["CheckpointerABC"]):
            cls = make_subclass(self.scope["CheckpointerABC"], Checkpointer)
            # If coffea loads a chunk from a checkpoint, it does not open the file, so it reads no bytes. Readers of other formats never
            # count bytes.
            unread = {"bytes_read": 0, "requests": 0} if self.kwargs.get("format", "root") == "root" else {}
            self.kwargs["checkpointer"] = cls(self.attempt, checkpointer, processor, unread)

    def add(self, result, entries):
        """Adds entries to the dictionary in which coffea wraps the result of process(). There is no dictionary for data frames."""
        if isinstance(result, dict) and "out" in result and not self.kwargs.get("use_dataframes"):
            result = copy.copy(result)  # make a copy, because a checkpointer may keep the original
            result[KEY] = entries
        return result


class Processor:
    """Calls the analysis' own processor, which keeps its class and state."""

    def __init__(self, watched):
        self.watched = watched

    def process(self, events):
        watched = self.watched
        try:
            watched.attempt.begin_process()
        except Exception:
            pass
        try:
            return watched.call(events)
        finally:
            try:
                frame = sys._getframe(1)
                watched.attempt.end_process(events, frame.f_locals if frame.f_code is watched.code else {})
                del frame
            except Exception:
                pass

    # Make the processor callable, because coffea 2025.11 assumes that a processor is compressed unless it is callable. coffea still calls
    # process().
    __call__ = process

    def postprocess(self, accumulator):
        return accumulator


class Checkpointer:
    """Calls the analysis' own checkpointer with its own processor, and notes chunks loaded from a checkpoint."""

    def __init__(self, attempt, checkpointer, processor, unread):
        self.attempt = attempt
        self.checkpointer = checkpointer
        self.processor = processor
        self.unread = unread

    def load(self, metadata, processor_instance):
        result = self.checkpointer.load(metadata, self.processor)
        if result is not None:
            self.attempt.set(cached=True, events=0, **self.unread)
        return result

    def save(self, output, metadata, processor_instance):
        return self.checkpointer.save(output, metadata, self.processor)


def make_subclass(base, cls, made={}):  # noqa: B006 - one for each base
    if (base, cls) not in made:
        made[base, cls] = type(cls.__name__, (cls, base), {})
    return made[base, cls]


class WatchedFile(Watched):
    """A call of Runner.metadata_fetcher…. The open file is found when the function asks for the name of the tree."""

    def replace(self, work):
        item = self.kwargs["item"]
        self.attempt = Attempt(work, item)
        self.attempt.set(role="framework")
        self.file = None
        self.kwargs["item"] = make_subclass(type(item), FileMeta).make(self, item)

    def look(self, scope):
        self.file = scope.get("file", self.file)

    def fail(self, error):
        self.count()
        super().fail(error)

    def finish(self, result):
        self.count()
        return super().finish(result)

    def count(self):
        try:
            self.attempt.count_bytes(self.file)
        except Exception:
            pass

    def add(self, result, entries):
        for meta in result:
            meta.metadata[KEY] = entries
        return result


class FileMeta:
    """A file to prepare. It notes when coffea's function asks for its tree."""

    @classmethod
    def make(cls, watched, item):
        meta = cls.__new__(cls)
        meta.__dict__["watched"] = watched
        meta.__dict__["item"] = item
        return meta

    def __getattribute__(self, name):
        get = object.__getattribute__
        if name == "treename":
            frame = sys._getframe(1)
            watched = get(self, "__dict__")["watched"]
            if frame.f_code is watched.code:
                watched.look(frame.f_locals)
        if name in ("dataset", "filename", "treename", "metadata", "preload"):
            return getattr(get(self, "__dict__")["item"], name)
        return get(self, name)


WATCHERS = {"processing": WatchedChunk, "preprocessing": WatchedFile}
