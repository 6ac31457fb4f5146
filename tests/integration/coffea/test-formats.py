# SPDX-License-Identifier: BSD-3-Clause
"""Formats other than a TTree, and files of servers: what is known is exact, and what is not is missing."""

import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from coffearun import PYTHON, SCRIPTS, CoffeaRun, read_metrics, total
from running import InDirectory, wait_until

N_EVENTS = 1100


class RangeHandler(http.server.BaseHTTPRequestHandler):
    """A file server that counts what it sends of files."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def answer(self, has_body):
        with open(os.path.join(self.server.directory, os.path.basename(self.path)), "rb") as file:
            content = file.read()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(wanted[1]), min(int(wanted[2] or len(content)), len(content) - 1)) if wanted else (0, len(content) - 1)
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        if has_body:
            self.server.sent += last + 1 - first
            self.wfile.write(content[first : last + 1])

    def log_message(self, *arguments):
        pass


def answers(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


class TestFormats(InDirectory):
    def setUp(self):
        super().setUp()
        process = subprocess.run([PYTHON, os.path.join(SCRIPTS, "make-formats.py"), self.directory, str(N_EVENTS)], check=True,
                                 capture_output=True, text=True, timeout=240)
        self.columns = json.loads(process.stdout)

    def execute(self, kind, path):
        process = subprocess.run(["roast-run", "-q", "-e", "json:report.json", "--", PYTHON, os.path.join(SCRIPTS, "formats.py"), kind,
                                  path], cwd=self.directory, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL,
                                 env={**os.environ, "PYTHONWARNINGS": "ignore"})
        self.assertEqual(process.returncode, 0, process.stderr)
        run = CoffeaRun(self.directory, process.returncode, process.stdout, process.stderr)
        self.assertEqual(run.metrics["events_total"]["value"], N_EVENTS)
        self.assertEqual(run.metrics["events_total"]["completeness"], "complete")
        self.assertEqual({row["branch"] for row in run.rows("chunk_branches")}, {"pt", "weight"})
        self.assertEqual({row["file"] for row in run.chunks()}, {path})
        return run

    def check_bytes(self, run):
        self.assertEqual(run.metrics["bytes_read_total"]["value"], read_metrics(run.stdout)["bytesread"])
        self.assertEqual(run.metrics["bytes_read_total"]["completeness"], "complete")

    def check_site(self, run, site):
        self.assertEqual({row.get("site") for row in run.rows("per_file")}, {site})

    def test_ntuple(self):
        run = self.execute("root", self.path("ntuple.root"))
        self.check_bytes(run)
        for row in run.rows("chunk_branches"):
            self.assertFalse({"bytes", "bytes_own", "uncompressed"} & set(row))
        self.assertEqual(run.metrics["read_amplification_ratio"]["completeness"], "unavailable")

    def test_parquet(self):
        """pyarrow counts no bytes; the file describes its row groups, of 500 events here."""
        run = self.execute("parquet", self.path("events.parquet"))
        for name in ("bytes_read_total", "read_amplification_ratio"):
            self.assertEqual((run.metrics[name]["value"], run.metrics[name]["completeness"]), (None, "unavailable"))
        rows = run.rows("chunk_branches")
        for name in ("pt", "weight"):
            self.assertEqual(total([row for row in rows if row["branch"] == name], "bytes_own"), sum(self.columns[name]))
        starts = {row["chunk"]: (row["entry_start"], row["entry_stop"]) for row in run.chunks()}
        for row in rows:
            start, stop = starts[row["chunk"]]
            groups = self.columns[row["branch"]][start // 500 : (stop - 1) // 500 + 1]
            self.assertEqual(row["bytes"], sum(groups))

    def test_http(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), RangeHandler)
        server.directory, server.sent = self.directory, 0
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        run = self.execute("root", f"http://127.0.0.1:{server.server_port}/tree.root")
        self.check_bytes(run)
        self.assertEqual(total(run.chunks() + run.files(), "bytes_read"), server.sent)
        self.check_site(run, "127.0.0.1")

    def test_xrootd(self):
        """The server is Debian's xrootd-server; the client is XRootD of PyPI or python3-xrootd."""
        if shutil.which("xrootd") is None or subprocess.run([PYTHON, "-c", "import fsspec_xrootd, XRootD"], capture_output=True).returncode:
            self.skipTest("needs the program xrootd, and XRootD and fsspec-xrootd in the Python with coffea")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        with open(self.path("xrootd.cfg"), "w") as file:
            file.write(f"xrd.port {port}\nall.export {self.directory}\nall.adminpath {self.directory}/admin\n"
                       f"all.pidpath {self.directory}/admin\n")
        os.chmod(self.directory, 0o777)
        user = ["-R", "nobody"] if os.getuid() == 0 else []
        process = subprocess.Popen(["xrootd", *user, "-c", self.path("xrootd.cfg"), "-l", self.path("xrootd.log")],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.directory)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_until(lambda: answers(port))
        run = self.execute("root", f"root://127.0.0.1:{port}/{self.path('tree.root')}")
        self.check_bytes(run)
        self.check_site(run, "127.0.0.1")


if __name__ == "__main__":
    if not PYTHON:
        print("no Python with coffea: set the meson option coffea_python, for example to one that scripts/make-coffea-venv makes")
        sys.exit(77)
    unittest.main(verbosity=2)
