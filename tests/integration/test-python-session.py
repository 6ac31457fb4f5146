#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sessions of Python in asyncio and in threads, and what Ctrl-C does to them."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import gi

gi.require_version("Roast", "1")
from gi.repository import Roast  # noqa: E402

PATIENCE = 240  # s


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def parents(session):
    """Name of each span → name of the span around it."""
    rows = list(session.table("spans"))
    names = {row["span"]: row["name"] for row in rows}
    return {row["name"]: names.get(row["parent"]) for row in rows}


class TestAsyncio(unittest.TestCase):
    def test_the_loop_goes_on_while_a_program_runs(self):
        async def main():
            ticks, go = 0, None

            async def tick():
                nonlocal ticks
                while True:
                    ticks += 1
                    if ticks > 5 and go:
                        open(go, "w").close()
                    await asyncio.sleep(0.01)

            ticking = asyncio.create_task(tick())
            # The program waits for the loop.
            with tempfile.TemporaryDirectory() as directory:
                go = os.path.join(directory, "go")
                report = await Roast.Session().run(["sh", "-c", f"until [ -e {go} ]; do sleep 0.02; done; exit 3"])
            ticking.cancel()
            return report["exit_status"].value, ticks

        status, ticks = asyncio.run(main())
        self.assertEqual(status, 3)
        self.assertGreater(ticks, 5)

    def test_cancelling_ends_the_program(self):
        async def main():
            session = Roast.Session()
            running = asyncio.create_task(session.run(["sleep", "600"]))
            while not session.get_launcher() or session.get_launcher().get_pid() < 0:
                await asyncio.sleep(0.01)
            pid = session.get_launcher().get_pid()
            running.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await running
            return pid

        self.assertFalse(alive(asyncio.run(asyncio.wait_for(main(), PATIENCE))))

    def test_tasks_are_siblings(self):
        async def main():
            async with Roast.Session() as session:
                async with session.span("all"):

                    async def one(number):
                        async with session.span(f"task {number}"):
                            await asyncio.sleep(0.02)

                    await asyncio.gather(*map(one, range(4)))
            return parents(session)

        self.assertEqual(asyncio.run(main()), {"all": None} | {f"task {number}": "all" for number in range(4)})


class TestThreads(unittest.TestCase):
    def test_siblings_are_no_chain(self):
        together = threading.Barrier(8)

        def work(number):
            with session.span(f"outer {number}"):
                together.wait(PATIENCE)
                with session.span(f"inner {number}"):
                    together.wait(PATIENCE)

        with Roast.Session() as session, ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        expected = {f"outer {number}": None for number in range(8)} | {f"inner {number}": f"outer {number}" for number in range(8)}
        self.assertEqual(parents(session), expected)

    def test_a_parent_can_be_named(self):
        with Roast.Session() as session, session.span("all") as outer, ThreadPoolExecutor(2) as pool:

            def work(number):
                with session.span(f"part {number}", parent=outer):
                    pass

            list(pool.map(work, range(4)))
        self.assertEqual(parents(session), {"all": None} | {f"part {number}": "all" for number in range(4)})


class TestEnds(unittest.TestCase):
    def test_finish_in_a_handler(self):
        session = Roast.Session(interval=0.05)
        session.connect("rows-added", lambda *_: session.finish())
        session.launch(["sleep", "600"])
        pid = session.get_launcher().get_pid()
        try:
            session.wait()
            self.assertEqual(session.state, "finished")
        finally:
            os.kill(pid, signal.SIGKILL)

    def interrupt(self, program):
        """The text that a script prints which is interrupted while it measures a program; the program must have ended."""
        script = textwrap.dedent(f"""
            import os, signal, sys
            import gi
            gi.require_version("Roast", "1")
            from gi.repository import Roast
            session = Roast.Session()
            try:
                session.run({program!r})
            except KeyboardInterrupt:
                print("interrupted", session.get_launcher().send_signal(signal.SIGTERM))
        """)
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
        pid = int(process.stdout.readline())
        # Without a terminal only the script gets the signal: the program's end is roast's doing.
        os.kill(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        self.assertFalse(alive(pid))
        return output

    def test_interrupt_ends_the_program(self):
        self.assertEqual(self.interrupt(["sh", "-c", "echo $$; exec sleep 600"]), "interrupted False\n")

    def test_interrupt_ends_a_program_that_ignores_it(self):
        self.assertEqual(self.interrupt(["sh", "-c", "trap '' INT; echo $$; exec sleep 600"]), "interrupted False\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
