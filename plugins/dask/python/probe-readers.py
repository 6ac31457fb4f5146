# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 4: who reads the lines: the run's socket, clients that hand them on, and who asks the scheduler's HTTP server."""

import asyncio
import hmac
import json
import os
import socket
import sys
import time

import dask.config
import distributed

SCHEMA = 1
IDLE = 600  # s without a reader, until nothing is sampled any more
LAST_WORDS = 2.0  # s for the last data at the end


class Readers:
    """The part of the probe that answers."""

    def hello(self):
        scheduler = self.scheduler
        services = getattr(scheduler, "http_server", None)
        return {
            "schema": SCHEMA,
            "boot": self.boot,
            "id": scheduler.id,
            "address": scheduler.address,
            "pid": os.getpid(),
            "started": self.started,
            "now": time.time(),
            "interval": self.interval,
            "distributed": distributed.__version__,
            "python": "%d.%d.%d" % sys.version_info[:3],
            "http_port": getattr(services, "port", None),
            "prefix": http_prefix(scheduler),
            "tls": bool(dask.config.get("distributed.scheduler.dashboard.tls.cert", None)),
            "spans": "spans" in scheduler.extensions,
            "fine": hasattr(scheduler, "cumulative_worker_metrics"),
            "tasks": self.with_tasks,
        }

    def snapshot(self, base):
        """All that a reader must know who starts here; `base` says that what was done before is not to be counted."""
        ring, self.ring = self.ring, Ring(1 << 62)
        now = time.time()
        try:
            workers = list(self.workers.values()) + self.leaving
            self.emit_list(now, "join", [self.join_row(worker) for worker in workers])
            self.emit_list(now, "prefixes", self.prefix_rows(self.prefixes.numbers))
            self.emit_list(now, "keys", [self.key_row(key) for key in self.keys.numbers])
            rows = [[worker.number, number, value] for worker in workers for number, value in worker.values.items()]
            self.emit_list(now, "fine", rows, **{"start" if base else "again": 1})
            self.emit_spans(now, True)
            return list(self.ring.lines)
        finally:
            self.ring = ring

    def wake(self):
        readers, self.readers = self.readers, []
        for reader in readers:
            reader()
        for pusher in list(self.pushers):
            pusher.push()

    def forget_untold(self):
        """Nobody reads: who begins gets a snapshot."""
        for worker in self.leaving:
            self.by_id.pop(worker.id, None)
        for untold in (self.finished, self.dirty, self.dirty_values, self.events, self.joined, self.leaving):
            untold.clear()
        self.keys.take_fresh()
        self.prefixes.take_fresh()

    def begin_reading(self):
        """Lines of a reader that starts now, and the number of the next one."""
        if self.active:
            # What was not told yet stands in the snapshot, and is told to who reads already.
            self.sample(True)
        else:
            self.forget_untold()
        self.last_poll = time.monotonic()
        return self.snapshot(True), self.ring.next

    def tell_of_others(self):
        """On a scheduler that several use: what they compute meanwhile is not told apart."""
        others = sum(str(name).startswith("Client") for name in self.scheduler.clients) - 1
        if others > 0:
            self.event("info", "shared-scheduler", "%d other client(s) use this scheduler: what they compute counts as well" % others)

    def read(self, cursor, max_bytes):
        """(lines, next number): after a gap what is needed to go on, with the number of lines that are lost."""
        ring = self.ring
        self.last_poll = time.monotonic()
        if cursor < ring.first or cursor > ring.next:
            lost = max(ring.first - cursor, 0)
            lines = [encode({"t": time.time(), "lost": lost})] + self.snapshot(False)
            return lines, ring.next
        lines = ring.since(cursor, max_bytes)
        return lines, cursor + len(lines)

    def push_to(self, path, token):
        """To the run's socket, as fast as it takes it."""
        pusher = Pusher(self, path, token)
        self.pushers.append(pusher)
        pusher.push()

    async def on_client_poll(self, comm=None, reader=None, cursor=None, flush=False, run=None, token=None, wait=0.0, last=False):
        """For a client that hands lines on to the run's socket: one for each run."""
        if self.broken:
            return {"broken": self.broken}
        if run is not None:
            if any(pusher.token == run for pusher in self.pushers):
                return {"pushed": True}
            other, heard = self.relays.get(run, (reader, 0))
            if other != reader and time.monotonic() - heard < 30:
                return {"pushed": True}
            self.relays[run] = reader, time.monotonic()
        if token:
            self.tokens.add(token)
        if cursor is None:
            await self.flush(LAST_WORDS)
            lines, cursor = self.begin_reading()
            self.tell_of_others()
            return {"boot": self.boot, "lines": [encode({"hello": self.hello()})] + lines, "next": cursor}
        missing = 0
        if flush:
            missing = len(await self.flush(LAST_WORDS))
            self.sample(True)
        elif cursor == self.ring.next and wait:
            await self.wait_for_lines(min(float(wait), 25.0))
        if last:
            self.relays.pop(run, None)
        lines, cursor = self.read(cursor, 1 << 20)
        return {"boot": self.boot, "lines": lines, "next": cursor, "missing": missing, "more": cursor < self.ring.next}

    async def wait_for_lines(self, seconds):
        news = asyncio.Event()
        self.readers.append(news.set)
        try:
            await asyncio.wait_for(news.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        finally:
            if news.set in self.readers:
                self.readers.remove(news.set)

    def add_routes(self):
        try:
            routes = make_routes(self)
            self.scheduler.http_application.add_handlers(r".*$", routes)
        except Exception as error:
            self.event("info", "probe", "the scheduler's HTTP server cannot be used (%s): who attaches later needs a client" % error)


class Pusher:
    """Writes lines to the run's socket without waiting; hears what is asked there."""

    def __init__(self, probe, path, token):
        self.probe = probe
        self.token = token
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(2)
        self.socket.connect(path)
        self.socket.setblocking(False)
        greeting = {"roast": 2, "token": token, "program": "Dask scheduler", "backend": "dask"}
        self.buffer = (encode(greeting) + "\n" + encode({"hello": probe.hello()}) + "\n").encode()
        self.cursor = probe.ring.next
        if probe.workers:
            lines, self.cursor = probe.begin_reading()
            self.buffer += "".join(line + "\n" for line in lines).encode()
        self.waiting = False
        self.heard = b""
        probe.loop.add_reader(self.socket, self.on_readable)

    def fill(self):
        if not self.buffer:
            lines, self.cursor = self.probe.read(self.cursor, 1 << 18)
            self.buffer = "".join(line + "\n" for line in lines).encode()
        return bool(self.buffer)

    def push(self):
        if self.waiting:
            return
        try:
            while self.fill():
                sent = self.socket.send(self.buffer)
                self.buffer = self.buffer[sent:]
        except BlockingIOError:
            self.waiting = True
            self.probe.loop.add_writer(self.socket, self.on_writable)
        except OSError:
            self.give_up()

    def on_writable(self):
        self.probe.loop.remove_writer(self.socket)
        self.waiting = False
        self.push()

    def on_readable(self):
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.give_up()
            return
        *lines, self.heard = (self.heard + data).split(b"\n")
        self.heard = self.heard[-65536:]
        for line in lines:
            try:
                order = json.loads(line)
                if order.get("do") == "flush":
                    asyncio.ensure_future(self.flush(order.get("id")))
            except Exception:
                pass

    async def flush(self, number):
        probe = self.probe
        missing = len(await probe.flush(LAST_WORDS))
        probe.attempt("samples", probe.sample, True)
        probe.ring.append(encode({"flushed": number, "missing": missing, "t": time.time()}))
        probe.wake()

    def finish(self):
        """The last lines, for which the scheduler waits a moment."""
        deadline = time.monotonic() + LAST_WORDS
        try:
            if self.waiting:
                self.probe.loop.remove_writer(self.socket)
                self.waiting = False
            while self.fill():
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self.socket.settimeout(left)
                sent = self.socket.send(self.buffer)
                self.buffer = self.buffer[sent:]
        except OSError:
            pass
        self.give_up()

    def give_up(self):
        if self in self.probe.pushers:
            self.probe.pushers.remove(self)
            self.probe.loop.remove_reader(self.socket)
            if self.waiting:
                self.probe.loop.remove_writer(self.socket)
            self.socket.close()


def make_routes(probe):
    """The scheduler's own HTTP server: everything needs the token, nothing changes anything."""
    from tornado.web import RequestHandler

    class Route(RequestHandler):
        def prepare(self):
            given = self.request.headers.get("Authorization", "")
            good = False
            for token in probe.tokens:
                good |= hmac.compare_digest(given.encode(), ("Bearer " + token).encode())
            if not good:
                self.set_status(401)
                self.finish('{"error":"the token is missing or wrong"}\n')

        def say(self, lines, cursor):
            self.set_header("Content-Type", "application/x-ndjson")
            self.set_header("Cache-Control", "no-store")
            self.finish("".join(line + "\n" for line in lines) + encode({"next": cursor, "boot": probe.boot}) + "\n")

    class Hello(Route):
        async def get(self):
            await probe.flush(LAST_WORDS)
            lines, cursor = probe.begin_reading()
            self.say([encode({"hello": probe.hello()})] + lines, cursor)

    class Poll(Route):
        async def get(self):
            try:
                cursor = int(self.get_query_argument("cursor"))
                wait = min(max(float(self.get_query_argument("wait", "0")), 0.0), 25.0)
            except ValueError:
                self.set_status(400)
                self.finish('{"error":"cursor and wait are numbers"}\n')
                return
            boot = self.get_query_argument("boot", probe.boot)
            if boot == probe.boot and cursor == probe.ring.next and wait:
                await probe.wait_for_lines(wait)
            lines, cursor = probe.read(cursor if boot == probe.boot else -1, 1 << 20)
            self.say(lines, cursor)

    class Flush(Route):
        last = 0.0

        async def post(self):
            # At most once a second: who asks more often gets what the last one brought.
            missing = 0
            if time.monotonic() - Flush.last >= 1:
                missing = len(await probe.flush(LAST_WORDS))
                Flush.last = time.monotonic()
            probe.attempt("samples", probe.sample, True)
            number = self.get_query_argument("id", "0")
            probe.ring.append(encode({"flushed": int(number) if number.isdecimal() else 0, "missing": missing, "t": time.time()}))
            probe.wake()
            self.say([], probe.ring.next)

    prefix = http_prefix(probe.scheduler)
    return [(prefix + "/roast/v1/hello", Hello), (prefix + "/roast/v1/poll", Poll), (prefix + "/roast/v1/flush", Flush)]


def http_prefix(scheduler):
    """--dashboard-prefix is kept nowhere: what stands before a route that is always there."""
    try:
        for rule in scheduler.http_application.wildcard_router.rules:
            for inner in getattr(rule.target, "rules", [rule]):
                pattern = getattr(getattr(inner, "matcher", None), "regex", None)
                text = pattern.pattern if pattern is not None else ""
                if text.rstrip("$").endswith("/health"):
                    return text.rstrip("$")[: -len("/health")]
    except Exception:
        pass
    return ""
