# SPDX-License-Identifier: BSD-3-Clause
"""Measures a scheduler outside this process through a client: installs the probe, and forwards its lines to the run's socket.

Uses the client's own connection, which works wherever the script can reach its scheduler.
"""

import asyncio
import json
import os
import sys
import time
import uuid

import distributed

START = 10.0  # s; time limit for installing the probe
AGAIN = 2.0  # s between two attempts to read, if another client reads or the scheduler is unreachable
LAST_WORDS = 4.0  # s; time to wait for the last data when the client closes
LEAVE = 8.0  # s; time limit for removing the probe
PATIENCE = 15.0  # s; roast-run --attach ends if all requests have failed for this time; the same as over HTTP


def read_sources(directory):
    sources = {}
    for name in ("probe", "worker"):
        with open(os.path.join(directory, "dask-" + name + ".py")) as file:
            sources[name] = file.read()
    return sources


def load_probe(sources):
    probe = {"__name__": "roast_dask"}
    exec(sources["probe"], probe)
    return probe


async def inject(client, sources, interval=1.0, tasks=True, tokens=()):
    """Install the probe in the client's scheduler; an existing probe stays."""
    plugin = load_probe(sources)["ByValue"](
        sources["probe"], "Probe", worker_source=sources["worker"], interval=interval, tasks=tasks, tokens=list(tokens)
    )
    data = distributed.protocol.pickle.dumps(plugin)
    await client.scheduler.register_scheduler_plugin(plugin=data, name="roast", idempotent=True)


class Relay:
    """Forwards the probe's lines, and adds rows that only the client can make."""

    def __init__(self, client, send, run, interval=1.0, tasks=True, sources=None):
        self.client = client
        self.send = send  # coroutine function to which lines are passed
        self.run = run
        self.interval = interval
        self.tasks = tasks
        self.sources = sources
        self.reader = str(uuid.uuid4())
        self.cursor = None
        self.boot = None
        self.injected = False  # the probe was installed; reset after a failure, because another scheduler may run now
        self.requests = []  # numbers of the flushes that the run requested
        self.missing = 0  # number of workers that did not answer the last flush
        self.closing = False
        self.idle = True  # another client reads the lines of the probe
        self.complained = False
        self.failing_since = None  # monotonic time of the first failure since the last round that succeeded

    async def begin(self):
        await self.inject()
        await self.take(cursor=None)

    async def inject(self):
        if not self.injected:
            await inject(self.client, self.sources, self.interval, self.tasks)
            self.injected = True

    async def take(self, **arguments):
        """Forward one batch of lines to the socket. Return whether more lines are ready."""
        sent = time.time()
        answer = await self.client.scheduler.roast_poll(reader=self.reader, run=self.run, **arguments)
        received = time.time()
        if answer.get("broken"):
            raise RuntimeError(answer["broken"])
        self.idle = bool(answer.get("pushed"))
        if self.idle or (arguments["cursor"] is not None and answer["boot"] != self.boot):
            # Read from the start again, because another client reads the lines, or because the probe was replaced.
            self.cursor = None
            return False
        if "text" not in answer:
            raise RuntimeError("the probe in the scheduler is from another version of roast: restart the scheduler")
        if "arrived" in answer and self.boot != answer["boot"]:
            await self.compare_clocks(sent, answer["arrived"], answer["answered"], received)
        self.boot = answer["boot"]
        self.cursor = answer["next"]
        if answer["text"]:
            await self.send(answer["text"])
        if arguments.get("flush"):
            self.missing = answer["missing"]
        return bool(answer.get("more"))

    async def compare_clocks(self, sent, arrived, answered, received):
        """Estimate the clock offset like NTP: only the round trip is known, not how it divides between request and answer."""
        await self.tell("clock", (arrived - sent + answered - received) / 2, (received - sent - (answered - arrived)) / 2)

    async def flush(self, last=False):
        more = await self.take(cursor=self.cursor, flush=True, last=last)
        while more:
            more = await self.take(cursor=self.cursor, last=last)
        if self.cursor is None:
            raise RuntimeError("another client reads the lines, or the scheduler was restarted")
        return self.missing

    async def round(self):
        await self.inject()
        if self.cursor is None:
            await self.begin()
        while self.requests and not self.idle:
            number = self.requests.pop(0)
            missing = await self.flush()
            await self.tell("flushed", number, missing)
        if self.idle:
            await asyncio.sleep(AGAIN)
            return
        await self.take(cursor=self.cursor, wait=min(self.interval, 0.5))

    async def follow(self):
        while not self.closing:
            try:
                await self.round()
                self.failing_since = None
            except asyncio.CancelledError:
                raise
            except Exception as error:
                self.failing_since = self.failing_since or time.monotonic()
                if not self.complained and not self.closing and self.client.status == "running":
                    self.complained = True
                    await self.warn("the scheduler cannot be measured now: %s: %s" % (type(error).__name__, str(error)[:300]))
                self.injected = False
                await asyncio.sleep(AGAIN)

    async def await_silence(self):
        """Return when all requests have failed for PATIENCE. A late answer of a busy scheduler is not a failure."""
        while self.failing_since is None or time.monotonic() < self.failing_since + PATIENCE:
            await asyncio.sleep(0.5)

    async def tell(self, table, *cells):
        """Send a row made by the client, in the probe's format."""
        probe = load_probe(self.sources)
        await self.send(probe["DECLARATIONS"][table] + probe["encode_rows"]([[table, *cells]]))

    async def warn(self, text):
        try:
            await self.tell("event", "warning", "relay", text)
        except Exception:
            pass

    async def leave(self):
        """Leave the probe. It removes itself with its last reader."""
        if self.injected:
            await asyncio.wait_for(self.client.scheduler.roast_leave(reader=self.reader), LEAVE)

    async def finish(self):
        self.closing = True
        if self.cursor is not None and not self.idle:
            await self.say_bye()
        try:
            await self.leave()
        except Exception:
            pass  # The scheduler is closing or gone.

    async def say_bye(self):
        try:
            missing = await asyncio.wait_for(self.flush(last=True), LAST_WORDS)
            await self.tell("bye", missing, False)
        except Exception:
            await self.warn("the scheduler did not answer when the client closed: data after the scheduler's last line are missing")


class Connection:
    """The run's socket, used through asyncio."""

    def __init__(self, connection, token):
        self.socket = connection
        self.turn = asyncio.Lock()
        self.heard = b""
        self.greeting = json.dumps({"roast": 2, "token": token, "program": "Dask client", "backend": "dask"}) + "\n"

    async def send(self, text):
        # Send all even if the caller is cancelled, because the caller does not read these lines again.
        await asyncio.shield(self.send_all(text))

    async def send_all(self, text):
        async with self.turn:
            greeting, self.greeting = self.greeting, ""
            try:
                await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(self.socket, (greeting + text).encode()), 10)
            except Exception:
                # Send nothing more, because the next line would continue a part of a line.
                self.socket.close()
                raise

    def listen(self, requests, on_end):
        def on_readable():
            try:
                data = self.socket.recv(65536)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                loop.remove_reader(self.socket)
                on_end()
                return
            *lines, self.heard = (self.heard + data).split(b"\n")
            for line in lines:
                try:
                    request = json.loads(line)
                    if request.get("do") == "flush":
                        requests.append(request.get("id"))
                except Exception:
                    pass

        loop = asyncio.get_running_loop()
        loop.add_reader(self.socket, on_readable)
        self.stop_listening = lambda: loop.remove_reader(self.socket)

    def close(self):
        try:
            self.stop_listening()
        except Exception:
            pass
        self.socket.close()


def is_measured_here(client):
    """Return whether the scheduler is in this process, and so has its own connection to the run."""
    address = client.scheduler.address if client.scheduler is not None else None
    for scheduler in list(getattr(distributed.Scheduler, "_instances", ())):
        try:
            if scheduler.address == address and "roast" in scheduler.plugins:
                return any(scheduler.plugins["roast"].pushers)
        except Exception:
            pass
    return False


async def setup(client, directory, environment):
    path, token = environment.get("ROAST_SOCKET"), environment.get("ROAST_TOKEN")
    if not path or not token or is_measured_here(client):
        return
    sources = read_sources(directory)
    probe = load_probe(sources)
    try:
        connection = Connection(probe["connect_to_run"](path), token)
    except probe["RUN_IS_OVER"]:
        return
    relay = Relay(
        client,
        connection.send,
        token,
        interval=float(environment.get("ROAST_DASK_INTERVAL", "1")),
        tasks=environment.get("ROAST_DASK_TASKS", "1") != "0",
        sources=sources,
    )

    def on_end():
        relay.closing = True

    connection.listen(relay.requests, on_end)
    client._roast = relay, connection
    try:
        # Install the probe before the script computes anything, so that the probe counts all computations.
        await asyncio.wait_for(relay.begin(), START)
    except Exception as error:
        relay.complained = True
        await relay.warn("cannot put the probe into the scheduler: %s: %s" % (type(error).__name__, str(error)[:300]))
        print("roast: the scheduler %s cannot be measured: %s" % (client.scheduler.address, error), file=sys.stderr)
    relay.task = asyncio.ensure_future(relay.follow())


async def teardown(client):
    relay, connection = getattr(client, "_roast", (None, None))
    if relay is None:
        return
    task = getattr(relay, "task", None)
    relay.closing = True
    if task is not None:
        task.cancel()
        try:
            await task
        except (asyncio.CancelledError, Exception):
            pass
    await relay.finish()
    connection.close()
