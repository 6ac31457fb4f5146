# SPDX-License-Identifier: BSD-3-Clause
"""Part 5 of 6: the readers of the lines: the run's socket, clients that forward lines, and the scheduler's HTTP server."""

import asyncio
import hmac
import json
import sys
import time

import dask.config
import distributed

VERSION = 2  # version of the format of the lines
IDLE = 600  # s; sampling stops if there was no reader for this time
LAST_WORDS = 2.0  # s; time to wait for the last data at the end
TOGETHER = 1.0  # s; while tasks wait or run, lines of this time are sent as one answer, because an answer costs as much as many rows


class Readers:
    """The part of the probe that serves readers."""

    HELLO = declare("hello", "version", "boot", "address", "distributed", "python", "activities", "spans", "tasks")

    def hello(self):
        """Return the first lines for each reader: all declarations, and a row that describes this probe."""
        scheduler = self.scheduler
        row = [
            self.HELLO,
            VERSION,
            self.boot,
            scheduler.address,
            distributed.__version__,
            "%d.%d.%d" % sys.version_info[:3],
            hasattr(scheduler, "cumulative_worker_metrics"),
            "spans" in scheduler.extensions,
            self.with_tasks,
        ]
        return "".join(DECLARATIONS.values()) + encode_rows([row])

    def web(self):
        """Return where roast-attach finds the scheduler's HTTP server."""
        return {
            "port": getattr(getattr(self.scheduler, "http_server", None), "port", None),
            "prefix": http_prefix(self.scheduler),
            "tls": bool(dask.config.get("distributed.scheduler.dashboard.tls.cert", None)),
        }

    def snapshot(self, base):
        """Return the state that a new reader needs. With `base`, earlier work does not count for this reader."""
        now = time.time()
        workers = [*self.workers.values(), *self.leaving]
        rows = [self.now_row(now)]
        rows += [self.worker_row(worker) for worker in workers]
        rows += [self.process_row(worker, before=base or None) for worker in workers]
        rows += self.category_rows(all_of_them=True)
        rows += self.base_rows() if base else self.all_total_rows()
        rows += self.activity_rows(self.keys.numbers)
        rows += self.known_values(self.BASE if base else self.VALUE, workers)
        rows += [[self.TOLD, worker.number, us(worker.told - now)] for worker in workers]
        rows += self.span_rows(now, False, again=True)
        return encode_rows(rows)

    def wake(self, now=False):
        """Wake readers for new lines. With `now`, also wake readers that are collecting lines."""
        readers, self.readers = self.readers, []
        if now:
            self.urgent = self.ring.next
            patient, self.patient = self.patient, []
            readers += patient
        for reader in readers:
            reader()
        for pusher in list(self.pushers):
            pusher.push()

    def forget_untold(self):
        """Drop pending data when there are no readers: a new reader gets a snapshot."""
        self.leave_rows(time.time(), True)  # keeps them for a reader that comes back
        for untold in (self.ended, self.dirty, self.dirty_values, self.events, self.changed, self.dirty_processes, self.news):
            untold.clear()
        self.keys.take_fresh()
        self.prefixes.take_fresh()

    def begin_reading(self, missing=()):
        """Return (text, next cursor) for a reader that starts now. `missing`: addresses of workers that did not say what they did before."""
        if self.active:
            # Send the pending rows to all other readers now, because the new reader gets the same data in the snapshot.
            self.sample(True)
        else:
            self.forget_untold()
        self.last_poll = time.monotonic()
        if missing:
            self.event(
                "warning", "workers-silent",
                "%d worker(s) did not answer when the measurement began: their activities from before may count, too. The first: %s"
                % (len(missing), missing[0]),
            )
        return self.hello() + self.snapshot(True), self.ring.next

    def report_others(self):
        """Report other clients: on a shared scheduler, their work cannot be distinguished."""
        others = sum(str(name).startswith("Client") for name in self.scheduler.clients) - 1
        if others > 0:
            self.event("info", "shared-scheduler", "%d other client(s) use this scheduler: their work counts as well" % others)

    LOST = declare("lost", "lines")

    def read(self, cursor, max_bytes):
        """Return (text, next cursor). After a gap, the text has the length of the gap and a new snapshot."""
        ring = self.ring
        self.last_poll = time.monotonic()
        if cursor < ring.first or cursor > ring.next:
            lost = max(ring.first - max(cursor, 0), 0)
            left = "".join(text for line, text in self.left if line >= cursor)
            return encode_rows([[self.LOST, lost]]) + self.snapshot(False) + left, ring.next
        return ring.since(cursor, max_bytes)

    FLUSHED = declare("flushed", "flush", "missing")

    def flushed_row(self, number, missing):
        """Return the row that ends a flush. `missing` workers did not answer."""
        return [self.FLUSHED, number, missing]

    # A row that a client sends if it forwards lines: the scheduler's clock minus the clock of the client's machine, s.
    CLOCK = declare("clock", "offset", "uncertainty")

    BYE = declare("bye", "missing", "closed")

    def bye_row(self, missing):
        """Return the row for a scheduler that closes together with its workers."""
        return [self.BYE, missing, True]

    def push_to(self, path, token):
        """Push lines to the run's socket as fast as the socket accepts them."""
        pusher = Pusher(self, path, token)
        self.pushers.append(pusher)
        pusher.push()

    async def on_client_poll(self, comm=None, reader=None, cursor=None, flush=False, run=None, token=None, wait=0.0, last=False):
        """Answer a client that forwards lines to the run's socket. Each run has one such client."""
        arrived = time.time()
        if self.removed:
            return {"broken": "the probe was just removed: try again"}
        if self.broken:
            return {"broken": self.broken}
        self.note_user(reader)
        if run is not None and not last:
            if any(pusher.token == run for pusher in self.pushers):
                return {"pushed": True}
            other, heard = self.relays.get(run, (reader, 0))
            if other != reader and time.monotonic() - heard < 30:
                self.next_relays[reader] = run
                return {"pushed": True}
            self.relays[run] = reader, time.monotonic()
        if token:
            self.tokens.add(token)
        if cursor is None:
            begin = self.ends.pop(run, None) if self.next_relays.pop(reader, None) is not None else None
            text, cursor = begin or self.begin_reading(await self.flush(LAST_WORDS))
            self.report_others()
            return {"boot": self.boot, "text": text, "next": cursor, "web": self.web(), "arrived": arrived, "answered": time.time()}
        missing = 0
        if flush:
            missing = len(await self.flush(LAST_WORDS))
            self.sample(True)
        elif wait:
            await self.wait_for_lines(cursor, min(float(wait), 25.0))
        if reader in self.users:  # The reader may have left while this request waited.
            self.note_user(reader)
        if last and self.relays.pop(run, None) is not None and run in self.next_relays.values():
            # The next client of this run continues here. It may notice only in a while that this one is gone.
            self.ends[run] = self.hello() + self.snapshot(True), self.ring.next
        began = time.thread_time()
        text, cursor = self.read(cursor, 1 << 20)
        self.own += time.thread_time() - began
        return {"boot": self.boot, "text": text, "next": cursor, "missing": missing, "more": cursor < self.ring.next}

    async def wait_for_lines(self, cursor, seconds):
        if cursor == self.ring.next:
            await self.wait_in("readers", seconds)
        if self.urgent <= cursor < self.ring.next and not self.closed:
            await self.wait_in("patient", min(seconds, TOGETHER))

    async def wait_in(self, name, seconds):
        """Wait until wake() calls the callbacks in the named list."""
        news = asyncio.Event()
        getattr(self, name).append(news.set)
        try:
            await asyncio.wait_for(news.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        finally:
            # If wake() called the callback, it has also removed it from the list.
            if news.set in getattr(self, name):
                getattr(self, name).remove(news.set)

    def add_routes(self):
        try:
            routes = make_routes(self)
            self.scheduler.http_application.add_handlers(r".*$", routes)
        except Exception as error:
            self.event("info", "probe", "the scheduler's HTTP server is not usable (%s): attaching later needs a Dask client" % error)


class Pusher:
    """Writes lines to the run's socket without blocking, and reads requests from it."""

    def __init__(self, probe, path, token):
        self.probe = probe
        self.token = token
        self.socket = connect_to_run(path)
        greeting = encode({"roast": VERSION, "token": token, "program": "Dask scheduler", "backend": "dask"}) + "\n"
        if probe.workers:
            text, self.cursor = probe.begin_reading()
        else:
            text, self.cursor = probe.hello(), probe.ring.next
        self.buffer = (greeting + text).encode()
        self.waiting = False
        self.heard = b""
        probe.loop.add_reader(self.socket, self.on_readable)

    def fill(self):
        if not self.buffer:
            text, self.cursor = self.probe.read(self.cursor, 1 << 18)
            self.buffer = text.encode()
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
        probe.ring.add([probe.flushed_row(number, missing)])
        probe.wake(now=True)

    def finish(self):
        """Send the last lines, while the scheduler waits for a moment."""
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
    """Return routes for the scheduler's HTTP server. Each needs the token, and none changes the scheduler's work."""
    from tornado.web import RequestHandler

    class Route(RequestHandler):
        def prepare(self):
            self.arrived = time.time()
            given = self.request.headers.get("Authorization", "")
            self.reader = None
            for token in probe.tokens:
                if hmac.compare_digest(given.encode(), ("Bearer " + token).encode()):
                    self.reader = "HTTP " + token
            if self.reader is None:
                self.set_status(401)
                self.finish('{"error":"the token is missing or wrong"}\n')
            probe.note_user(self.reader)

        def say(self, text, cursor):
            self.set_header("Content-Type", "application/x-ndjson")
            self.set_header("Cache-Control", "no-store")
            self.set_header("Roast-Boot", probe.boot)
            self.set_header("Roast-Next", str(cursor))
            self.set_header("Roast-Arrived", "%.6f" % self.arrived)
            self.set_header("Roast-Answered", "%.6f" % time.time())
            self.finish(text)

    class Hello(Route):
        async def get(self):
            self.say(*probe.begin_reading(await probe.flush(LAST_WORDS)))

    class Poll(Hello):
        leaves = False

        async def get(self):
            try:
                cursor = int(self.get_query_argument("cursor"))
                wait = min(max(float(self.get_query_argument("wait", "0")), 0.0), 25.0)
            except ValueError:
                self.set_status(400)
                self.finish('{"error":"cursor and wait must be numbers"}\n')
                return
            if self.get_query_argument("boot", probe.boot) != probe.boot:
                # The reader's scheduler was restarted.
                await super().get()
                return
            if wait:
                await probe.wait_for_lines(cursor, wait)
            if self.reader in probe.users:
                probe.note_user(self.reader)
            began = time.thread_time()
            text, cursor = probe.read(cursor, 1 << 20)
            self.leaves = self.reader in Flush.leaving and cursor == probe.ring.next
            self.say(text, cursor)
            probe.own += time.thread_time() - began

        def on_finish(self):
            # The answer was sent, so a reader that wants to leave has received its last lines.
            if self.leaves:
                asyncio.ensure_future(probe.on_leave(reader=self.reader))

    class Flush(Route):
        leaving = set()  # readers that requested their last lines

        async def post(self):
            missing = len(await probe.flush(LAST_WORDS))
            probe.attempt("samples", probe.sample, True)
            number = self.get_query_argument("id", "0")
            probe.ring.add([probe.flushed_row(int(number) if number.isdecimal() else 0, missing)])
            if self.get_query_argument("leave", None):
                self.leaving.add(self.reader)
            probe.wake(now=True)
            self.say("", probe.ring.next)

    prefix = http_prefix(probe.scheduler)
    return [(prefix + "/roast/v1/hello", Hello), (prefix + "/roast/v1/poll", Poll), (prefix + "/roast/v1/flush", Flush)]


def http_prefix(scheduler):
    """Return --dashboard-prefix. Dask does not keep it, so take it from the start of a route that always exists."""
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
