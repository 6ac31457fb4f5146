#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package roast: sections of real programs arrive in the report, and disturb nothing."""

import os
import subprocess
import sys
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from closeness import assert_below
from report import Report
from running import InDirectory, roast_run


class TestInstrumentation(InDirectory):
    def run_script(self, text, *arguments, status=0):
        """Returns what it printed, and the report."""
        script = self.path("script.py")
        with open(script, "w") as file:
            file.write(textwrap.dedent(text))
        result = roast_run("-q", "-e", "json:" + self.path("report.json"), "--", sys.executable, script, *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        return result, Report(self.path("report.json"), "program-")

    def get_sections(self, report):
        """{(name, kind): (count, total)}"""
        return {(row["section"], row["kind"]): (row["count"], row["total"]) for row in report.rows("per_section")}

    def test_kinds(self):
        result, report = self.run_script("""
            import asyncio, time
            from roast import BaseInstrumentationContext, track_bytes, track_memory, track_section, track_time

            class Processor:
                def process(self):
                    with track_time(self, "outer"):
                        with track_section(self, "inner"):
                            time.sleep(0.05)
                        with track_section("inner"):
                            time.sleep(0.05)

            @track_time("decorated")
            def decorated(depth):
                return depth if depth == 0 else decorated(depth - 1)

            @track_time("waited")
            async def wait():
                await asyncio.sleep(0.05)

            asyncio.run(wait())

            class Count(BaseInstrumentationContext):
                def stop(self):
                    self.record_metric("answer", 42)

            class Source:
                num_requested_bytes = 100

            Processor().process()
            print(decorated(3), decorated.__name__)
            with Count("x"), Count("y"):
                pass
            source = Source()
            with track_bytes(source, "read"):
                source.num_requested_bytes += 4096
            with track_memory("block") as memory:
                block = b"x" * 64_000_000
            print(memory.after - memory.before)
            """)
        shown, growth = result.stdout.splitlines()
        sections = self.get_sections(report)
        self.assertEqual(shown, "0 decorated")
        self.assertEqual(sections["inner", "time"][0], 2)
        self.assertGreaterEqual(sections["inner", "time"][1], 0.1)
        self.assertGreaterEqual(sections["outer", "time"][1], sections["inner", "time"][1])
        self.assertEqual(sections["decorated", "time"][0], 4)
        self.assertGreaterEqual(sections["waited", "time"][1], 0.05)
        self.assertEqual(sections["answer", "custom"], (2, 84))
        self.assertEqual(sections["read", "bytes"], (1, 4096))
        self.assertEqual(sections["block", "memory"], (1, int(growth)))
        self.assertGreater(int(growth), 60_000_000)
        self.assertGreater(sections["block (peak)", "memory"][1], 64_000_000)
        self.assertEqual(result.stderr, "")

    def test_exceptions(self):
        result, report = self.run_script("""
            from roast import BaseInstrumentationContext, track_time

            class Broken(BaseInstrumentationContext):
                def start(self):
                    raise OSError("of ours")
                def stop(self):
                    print("never")

            for name in "a", "b":
                try:
                    with track_time("failing"), Broken("x"):
                        raise ValueError(name)
                except ValueError as error:
                    print(error)
            with track_time("failing"):
                raise SystemExit(3)
            """, status=3)
        self.assertEqual(result.stdout, "a\nb\n")
        self.assertEqual(self.get_sections(report)["failing", "time"][0], 3)

    def test_processes_and_threads(self):
        """Children that fork, that are spawned, that a pool kills, and threads: each section arrives once."""
        result, report = self.run_script("""
            import concurrent.futures, multiprocessing, os, threading
            from roast import track_time

            def work(n):
                for _ in range(n):
                    with track_time("work"):
                        pass
                return n

            if __name__ == "__main__":
                work(10)
                threads = [threading.Thread(target=work, args=(100,)) for _ in range(4)]
                for thread in threads: thread.start()
                for thread in threads: thread.join()
                for method in "fork", "spawn":
                    context = multiprocessing.get_context(method)
                    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
                        print(sum(pool.map(work, [50] * 4)), flush=True)
                    with context.Pool(2) as pool:
                        pool.map(work, [30] * 4)
                if os.fork() == 0:
                    work(5)
                    raise SystemExit
                os.wait()
                work(10)
            """)
        self.assertEqual(result.stdout, "200\n200\n")
        self.assertEqual(self.get_sections(report)["work", "time"][0], 10 + 400 + 2 * (200 + 120) + 5 + 10)

    def test_killed(self):
        """The report says that sections of a process may be missing that ends without notice, but not those of another process."""
        for last, gaps in ("", []), ("os._exit(0)", ["sections"]), ("os.kill(os.getpid(), 9)", ["sections"]):
            with self.subTest(last=last):
                _, report = self.run_script(f"""
                    import os
                    from roast import track_time
                    for _ in range(10):
                        with track_time("work"):
                            pass
                    {last}
                    """, status=-9 if "kill" in last else 0)
                self.assertEqual([row["table"] for row in report.rows("coverage") if "last rows" in row.get("reason", "")], gaps)
                self.assertEqual(report.rows("per_section")[0]["count_bound"], "at_least" if gaps else "exact")

    def test_chunks(self):
        """Outside coffea's hook a decorated function is a chunk."""
        result, report = self.run_script("""
            from roast import track_metrics, track_time

            class Events(list):
                metadata = {"dataset": "tt", "filename": "f.root", "treename": "Events", "entrystart": 10, "entrystop": 13}

            class Processor:
                @track_metrics
                def process(self, events):
                    with track_time(self, "jets"):
                        return sum(events)

            print(Processor().process(Events([1, 2, 3])))
            try:
                Processor().process(Events([1, "x"]))
            except TypeError:
                print("TypeError")
            """)
        self.assertEqual(result.stdout, "6\nTypeError\n")
        metrics = report.metrics
        self.assertEqual(metrics["events_total"]["value"], 3)
        self.assertEqual(metrics["chunks_failed_total"]["value"], 1)
        self.assertEqual([(row["file"], row["entry_stop"]) for row in report.rows("chunks")], [("f.root", 13)] * 2)

    def test_flood(self):
        """More than roast reads at once: the program is not stopped, what arrives is counted, and the end waits for it."""
        result, report = self.run_script("""
            from roast import track_time
            for _ in range(50_000):
                with track_time("many"):
                    pass
            print("done")
            """)
        self.assertEqual(result.stdout, "done\n")
        self.assertGreater(self.get_sections(report)["many", "time"][0], 0)

    def test_slow_reader(self):
        """What does not fit is dropped and counted, or kept by the caller; when roast reads again, the count and rows arrive."""
        script = """if True:
            import itertools, json, os, socket, tempfile, threading
            from roast._socket import PENDING, Connection

            path = os.path.join(tempfile.mkdtemp(), "socket")
            server = socket.socket(socket.AF_UNIX)
            server.bind(path)
            server.listen()
            os.environ.update(ROAST_SOCKET=path, ROAST_TOKEN="x")
            connection = Connection("test", {"t": ["n"]})
            assert connection.connect()
            received, _ = server.accept()
            text = lambda n: '["t",%d]\\n' % n * 100
            sent = [n for n in itertools.takewhile(lambda n: connection.send(text(n)), itertools.count())]
            assert len(connection.pending) > PENDING
            dropped = [n for n in range(len(sent), len(sent) + 10) if not connection.send(text(n))]
            assert len(dropped) == 10, dropped
            assert not connection.send(text(0), True)
            assert connection.dropped == {"t": 1100}, connection.dropped
            assert not connection.send('{"type":"confirm","chunks":[]}\\n')
            parts = []
            def read():
                while part := received.recv(1 << 16):
                    parts.append(part)
            reader = threading.Thread(target=read)
            reader.start()
            while not connection.send(text(-1), True):
                pass
            connection.close()
            connection.socket.close()
            reader.join()
            lines = b"".join(parts).decode().splitlines(keepends=True)
            reports = [json.loads(line) for line in lines[2:] if line.startswith("{")]
            lines = [line for line in lines if not line.startswith('{"type"')]
            assert {"type": "dropped", "table": "t", "rows": 1100} in reports, reports
            assert [report["message"][:23] for report in reports if "message" in report] == ["1 messages of this proc"], reports
            expected = "".join(map(text, sent + [-1])).splitlines(keepends=True)
            assert lines[2:] == expected, (len(lines), len(expected))
            print("good")
            """
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=240)
        self.assertEqual((result.stdout, result.stderr), ("good\n", ""))

    def test_lines_that_are_collected(self):
        """They arrive with what is sent next, or at the end; if roast is too slow, the caller keeps them."""
        script = """if True:
            import os, socket, tempfile
            from roast import _socket

            path = os.path.join(tempfile.mkdtemp(), "socket")
            server = socket.socket(socket.AF_UNIX)
            server.bind(path)
            server.listen()
            os.environ.update(ROAST_SOCKET=path, ROAST_TOKEN="x")
            _socket.AGE = 1000
            connection = _socket.Connection("test", {})
            connection.since = -1000
            assert connection.collect("1\\n")
            received, _ = server.accept()
            assert received.recv(1000).endswith(b"1\\n")
            assert connection.collect("2\\n") and connection.collect("3\\n") and connection.lines == ["2\\n", "3\\n"]
            assert connection.send("4\\n") and not connection.lines
            assert received.recv(1000) == b"2\\n3\\n4\\n"
            assert connection.collect("5\\n")
            connection.close()
            assert received.recv(1000) == b"5\\n"
            while connection.send("x" * 99 + "\\n", True):
                pass
            assert not connection.collect("kept\\n") and not connection.dropped and not connection.lines
            print("good")
            os._exit(0)
            """
        result = subprocess.run([sys.executable, "-u", "-c", script], capture_output=True, text=True, timeout=240)
        self.assertEqual((result.stdout, result.stderr), ("good\n", ""))

    def test_full_queue(self):
        """While the run's queue of new connections is full, lines wait."""
        script = """if True:
            import os, socket, tempfile
            from roast import _socket

            path = os.path.join(tempfile.mkdtemp(), "socket")
            server = socket.socket(socket.AF_UNIX)
            server.bind(path)
            server.listen(0)
            other = socket.socket(socket.AF_UNIX)
            other.connect(path)
            os.environ.update(ROAST_SOCKET=path, ROAST_TOKEN="x")
            connection = _socket.Connection("test", {})
            assert connection.send("1\\n") and connection.send("2\\n")
            server.accept()
            assert connection.send("3\\n")
            received, _ = server.accept()
            assert received.recv(1000).endswith(b"}\\n1\\n2\\n3\\n")
            print("good")
            """
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=240)
        self.assertEqual((result.stdout, result.stderr), ("good\n", ""))

    def test_dropped_at_the_end(self):
        """A loop of threads that roast cannot follow: each section arrives or is counted as dropped."""
        script = """if True:
            import json, os, socket, tempfile, threading, time

            path = os.path.join(tempfile.mkdtemp(), "socket")
            server = socket.socket(socket.AF_UNIX)
            server.bind(path)
            server.listen()
            os.environ.update(ROAST_SOCKET=path, ROAST_TOKEN="x")
            parts = []
            def read():
                received, _ = server.accept()
                while part := received.recv(1 << 12):
                    parts.append(part)
                    time.sleep(0.0005)
            reader = threading.Thread(target=read)
            reader.start()
            from roast import _rows, track_time
            def work():
                for _ in range(20_000):
                    with track_time("s" * 80):
                        pass
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            connection = _rows.get()
            while connection.lines or connection.pending or connection.dropped:
                connection.close()
            connection.socket.close()
            reader.join()
            lines = [json.loads(line) for line in b"".join(parts).decode().splitlines()]
            arrived = sum(isinstance(line, list) for line in lines)
            dropped = sum(line["rows"] for line in lines if isinstance(line, dict) and line.get("type") == "dropped")
            assert dropped > 0
            print(arrived + dropped)
            """
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=240)
        self.assertEqual((result.stdout, result.stderr), ("80000\n", ""))

    def test_report_of_dropped(self):
        """The report does not say that sections are complete when the program dropped some."""
        result, report = self.run_script("""
            from roast import _rows, track_time
            with track_time("kept"):
                pass
            _rows.get().count_dropped('["sections"]\\n' * 7)
            """)
        self.assertEqual([(row["section"], row["count_bound"]) for row in report.rows("per_section")], [("kept", "at_least")])
        self.assertIn("dropped 7 rows of the table “sections”", report.events("dropped")[0])

    def test_generators(self):
        """The time of a generator is that of its own steps, and it behaves as without the decorator."""
        result, report = self.run_script("""
            import asyncio, inspect, time
            from roast import BaseInstrumentationContext, track_metrics, track_time

            @track_time("steps")
            def steps():
                \"\"\"A text.\"\"\"
                got = []
                for i in range(3):
                    time.sleep(0.02)
                    try:
                        got.append((yield i))
                    except KeyError as error:
                        got.append(error.args[0])
                return got

            def outer():
                print((yield from steps()))

            made = outer()
            print(next(made), made.send("a"), made.throw(KeyError("b")))
            time.sleep(0.5)
            print(next(made, "end"), inspect.isgeneratorfunction(steps), steps.__doc__)

            @track_time("asynchronous")
            async def asynchronous():
                for i in range(3):
                    await asyncio.sleep(0.02)
                    yield i

            async def use():
                async for i in asynchronous():
                    await asyncio.sleep(0.2)
                    if i == 1:
                        break

            asyncio.run(use())

            @track_metrics
            async def process(events):
                await asyncio.sleep(0.3)

            asyncio.run(process([1] * 7))

            @track_metrics
            def pieces(events):
                time.sleep(0.3)
                yield 1
            print(list(pieces([1] * 20)))

            class Count(BaseInstrumentationContext):
                def stop(self):
                    self.record_metric("whole", 1)

            @Count("x")
            def whole():
                yield 1
                yield 2
            print(list(whole()))
            """)
        self.assertEqual(result.stdout, "0 1 2\n['a', 'b', None]\nend True A text.\n[1]\n[1, 2]\n")
        sections = self.get_sections(report)
        self.assertEqual((sections["steps", "time"][0], sections["asynchronous", "time"][0]), (1, 1))
        self.assertGreaterEqual(sections["steps", "time"][1], 0.06)
        self.assertGreaterEqual(sections["asynchronous", "time"][1], 0.04)
        assert_below(self, sections["steps", "time"][1], 0.5)
        assert_below(self, sections["asynchronous", "time"][1], 0.2)
        self.assertEqual(sections["whole", "custom"], (1, 1))
        chunks = [(row["events"], (row["ended"] - row["started"]) / 1e6 >= 0.3) for row in report.rows("chunks")]
        self.assertEqual(chunks, [(7, True), (20, True)])

    def test_one_context(self):
        """A context that is entered again before it is left, in the same thread or in another one."""
        result, report = self.run_script("""
            import threading, time
            from roast import BaseInstrumentationContext, track_time

            nested = track_time("nested")
            with nested:
                time.sleep(0.2)
                with nested:
                    time.sleep(0.1)

            shared = track_time("shared")
            both = threading.Barrier(2)
            def work():
                both.wait()
                with shared:
                    both.wait()
                    time.sleep(0.1)
            threads = [threading.Thread(target=work) for _ in range(2)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()

            class Mine(BaseInstrumentationContext):
                def start(self):
                    self.begun = time.perf_counter()
                def stop(self):
                    self.record_metric("mine", time.perf_counter() - self.begun, "time")
            mine = Mine("x")
            with mine:
                time.sleep(0.2)
                with mine:
                    pass

            class Processor:
                @track_time("of class")
                @classmethod
                def c(cls): return cls.__name__
                @track_time("of nothing")
                @staticmethod
                def s(): return 5
            print(Processor.c(), Processor().c(), Processor.s())
            """)
        self.assertEqual((result.stdout, result.stderr), ("Processor Processor 5\n", ""))
        sections = self.get_sections(report)
        self.assertEqual([sections[name, "time"][0] for name in ("nested", "shared", "mine", "of class", "of nothing")], [2, 2, 2, 2, 1])
        self.assertGreaterEqual(sections["nested", "time"][1], 0.4)
        self.assertGreaterEqual(sections["shared", "time"][1], 0.2)
        self.assertGreaterEqual(sections["mine", "time"][1], 0.2)

    def test_values(self):
        """What record_metric() cannot report is logged once; nothing is raised."""
        result, report = self.run_script("""
            from roast import BaseInstrumentationContext

            class Mine(BaseInstrumentationContext):
                def __exit__(self, *args):
                    self.record_metric("own kind", 2, kind="seconds")
                    self.record_metric("large", 10 ** 30)
                    self.record_metric("text", "three")
                    self.record_metric("none", None)

            for _ in range(2):
                with Mine("x"):
                    pass
            """)
        self.assertEqual(self.get_sections(report), {("own kind", "custom"): (2, 4), ("large", "custom"): (2, 2e30)})
        self.assertEqual([line.split(" is not")[0] for line in result.stderr.splitlines()], ["metric 'text'", "metric 'none'"])

    def test_silent(self):
        """Without a run, and where the run is over: nothing is printed and nothing fails."""
        script = self.path("script.py")
        with open(script, "w") as file:
            file.write("from roast import track_metrics, track_memory, track_time\n"
                       "@track_metrics\n@track_time('f')\ndef f(x): return x\n"
                       "with track_memory('a') as memory: print(f(7))\n"
                       "import sys; print(sorted(n for n in sys.modules if n.startswith('gi')))\n")
        outside = {name: value for name, value in os.environ.items() if not name.startswith("ROAST_")}
        for environment in outside, {**outside, "ROAST_SOCKET": self.path("gone"), "ROAST_TOKEN": "x"}:
            result = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, timeout=240)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "7\n[]\n", ""))


if __name__ == "__main__":
    unittest.main()
