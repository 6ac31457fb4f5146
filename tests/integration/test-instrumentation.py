#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package roast: sections of real programs arrive in the report, and disturb nothing."""

import os
import subprocess
import sys
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
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
        """Children that fork, that are spawned, and threads: each section arrives once."""
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
                if os.fork() == 0:
                    work(5)
                    raise SystemExit
                os.wait()
                work(10)
            """)
        self.assertEqual(result.stdout, "200\n200\n")
        self.assertEqual(self.get_sections(report)["work", "time"][0], 10 + 400 + 200 + 200 + 5 + 10)

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
        """What does not fit is dropped line by line; when roast reads again, rows arrive again."""
        script = """if True:
            import itertools, os, socket, tempfile, threading
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
            parts = []
            def read():
                while part := received.recv(1 << 16):
                    parts.append(part)
            reader = threading.Thread(target=read)
            reader.start()
            while not connection.send(text(-1)):
                pass
            connection.close()
            connection.socket.close()
            reader.join()
            lines = b"".join(parts).decode().splitlines(keepends=True)
            expected = "".join(map(text, sent + [-1])).splitlines(keepends=True)
            assert lines[2:] == expected, (len(lines), len(expected))
            print("good")
            """
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual((result.stdout, result.stderr), ("good\n", ""))

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
            result = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, timeout=30)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "7\n[]\n", ""))


if __name__ == "__main__":
    unittest.main()
