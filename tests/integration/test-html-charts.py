#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The charts of the page that -e html writes, in a real browser and by real events: zoom, values, legends, keyboard, print."""

import bisect
import lzma
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser
from leftovers import Tidy, guard

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORDING = os.path.join(ROOT, "tests", "data", "taskvine", "run-coffea")
COFFEA = os.path.join(ROOT, "tests", "data", "runs", "coffea-dask.stream.xz")
NUMBERS = os.path.join(ROOT, "plugins", "html", "numbers.js")
DASK_PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
FORMATS = ("duration", "bytes", "bytes-rate", "bits-rate", "rate", "count", "percent", "number")
BAD_NAME = "<img src=x onerror=document.title='bad'>"
DASK = """
    import time
    from distributed import Client, LocalCluster
    def work(x):
        time.sleep(0.02)
        return bytes(100000)
    if __name__ == "__main__":
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
            client.gather(client.map(work, range(150)))
"""


def unpack(data):
    """Series of a chart with their own x, in s."""
    xs = []
    for series in data["series"]:
        if "x" in series:
            xs, total = [], 0
            for step in series["x"]:
                total += step
                xs.append(total / 1e6 if data["time"] else step)
        series["x"] = xs
    return data["series"]


def find_point(series, x, near):
    """The place of the point that stands for a time: of a step the last one, of a line the nearest one; None if there is none."""
    xs = series["x"]
    if not xs or x < xs[0] - near or x > xs[-1] + near:
        return None
    last = bisect.bisect_right(xs, x) - 1
    if series["step"] or last < 0:
        return max(last, 0)
    return last + 1 if last + 1 < len(xs) and xs[last + 1] - x < x - xs[last] else last


@unittest.skipUnless(browser.IS_THERE, browser.NEEDS)
class TestCharts(Tidy):
    def setUp(self):
        super().setUp()
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.directory = self.temporary.name
        self.page = self.path("run.html")

    def path(self, name):
        return os.path.join(self.directory, name)

    def run_roast(self, *arguments):
        subprocess.run(["roast-run", "-q", "--no-save", "-e", "html:" + self.page, *arguments], timeout=240, check=True, cwd=self.directory,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=os.environ | {"G_DEBUG": "fatal-criticals"})

    def open(self):
        self.driver = browser.browse(self, self.page, self.directory)
        self.data = self.script("return JSON.parse(document.getElementById('drawn').textContent)")
        self.lines = [name for name, data in self.data.items() if data["kind"] != "lanes"]
        self.lanes = [name for name, data in self.data.items() if data["kind"] == "lanes"]
        for name in self.lines:
            unpack(self.data[name])

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def actions(self):
        from selenium.webdriver.common.action_chains import ActionChains

        return ActionChains(self.driver, duration=50)

    def format(self, value, kind):
        return self.script("return roastNumbers.format(arguments[0], arguments[1])", value, kind)

    def liven(self, name):
        figure = self.find("#" + name)
        self.script("arguments[0].scrollIntoView({ block: 'center' })", figure)
        self.actions().move_to_element_with_offset(figure, 0, 0).perform()
        return self.find(f"#{name} .plot") if name in self.lines else self.find(f"#{name} .lanes")

    # ---- what each page must show ----

    def check_values(self, name):
        """What is under the cursor is what the numbers of the chart say, in the format of the report."""
        plot = self.liven(name)
        data = self.data[name]
        near = (data["x"]["max"] - data["x"]["min"]) * 0.02
        seen = 0
        for part in (-0.3, -0.1, 0.05, 0.2, 0.35):
            self.actions().move_to_element_with_offset(plot, int(part * plot.size["width"]), 0).perform()
            shown = self.script("""
                const box = document.querySelector("#" + arguments[0] + " .readout");
                return box.hidden ? null : { x: Number(box.dataset.x), heading: box.querySelector("strong").textContent,
                  rows: Array.from(box.querySelectorAll("div"), (row) => Array.from(row.querySelectorAll("span, b"), (part) => part.textContent))
                };""", name)
            self.assertIsNotNone(shown, name)
            self.assertEqual(shown["heading"], self.format(shown["x"], data["x"]["format"]))
            rows = {row[0]: row[1] for row in shown["rows"] if len(row) == 2}
            for series in data["series"]:
                place = find_point(series, shown["x"], near)
                if series["name"] not in rows:
                    continue
                seen += 1
                self.assertIsNotNone(place, (name, series["name"], shown))
                axis = data["y2" if series["axis"] == 2 else "y"]
                self.assertEqual(rows[series["name"]].split(" (")[0], self.format(series["y"][place], axis["format"]), (name, series["name"], shown))
        return seen

    def range(self):
        return self.script("return roastCursor.range")

    def is_zoomed(self, name):
        return self.find(f"#{name} .reset").is_displayed()

    def read_time(self, name, plot, offset):
        self.actions().move_to_element_with_offset(plot, offset, 0).perform()
        return float(self.find(f"#{name} .readout").get_attribute("data-x"))

    def check_zoom(self, name, others):
        """By a real drag; all charts over time follow, and a double click shows all of them again."""
        plot = self.liven(name)
        for other in others:
            self.script("document.getElementById(arguments[0]).dispatchEvent(new PointerEvent('pointerenter'))", other)
        width = plot.size["width"]
        start, end = int(-0.05 * width), int(0.2 * width)
        expected = [self.read_time(name, plot, offset) for offset in (end, start)][::-1]
        self.actions().click_and_hold().move_by_offset(end - start, 2).release().perform()
        zoomed = self.range()
        self.assertIsNotNone(zoomed, name)
        whole = self.data[name]["x"]
        for one, other in zip(zoomed, expected):
            self.assertAlmostEqual(one, other, delta=(whole["max"] - whole["min"]) * 0.02, msg=name)
        for each in (name, *others):
            self.assertTrue(self.is_zoomed(each), each)
        # Panning moves the stretch, and leaves it as long as it is.
        from selenium.webdriver.common.keys import Keys
        self.actions().key_down(Keys.SHIFT).click_and_hold().move_by_offset(-20, 0).release().key_up(Keys.SHIFT).perform()
        moved = self.range()
        self.assertAlmostEqual(moved[1] - moved[0], zoomed[1] - zoomed[0], delta=1e-3 * (zoomed[1] - zoomed[0]))
        self.assertGreater(moved[0], zoomed[0])
        self.actions().double_click().perform()
        self.assertIsNone(self.range())
        for each in (name, *others):
            self.assertFalse(self.is_zoomed(each), each)

    def check_legend(self, name):
        plot = self.liven(name)
        series = next((one for one in self.data[name]["series"] if one["x"]), None)
        place = self.data[name]["series"].index(series)
        toggle = self.driver.find_elements("css selector", f"#{name} .legend [aria-pressed]")[place]

        def names():
            x = series["x"][len(series["x"]) // 2]
            whole = self.data[name]["x"]
            part = (x - whole["min"]) / (whole["max"] - whole["min"])
            self.actions().move_to_element_with_offset(plot, int((part - 0.45) * plot.size["width"] * 0.85), 0).perform()
            return [node.get_attribute("textContent") for node in self.driver.find_elements("css selector", f"#{name} .readout span")]

        before = names()
        toggle.click()
        self.assertEqual(toggle.get_attribute("aria-pressed"), "false")
        after = names()
        toggle.click()
        self.assertEqual(toggle.get_attribute("aria-pressed"), "true")
        self.assertEqual(names(), before)
        if series["name"] in before:
            self.assertEqual(before.count(series["name"]), after.count(series["name"]) + 1)

    def check_linked(self, name, other):
        """Who points at one chart sees the same time in the others."""
        plot = self.liven(name)
        self.actions().move_to_element_with_offset(plot, 30, 0).perform()
        x = self.script("return Number(document.querySelector('#' + arguments[0] + ' .readout').dataset.x)", name)
        shown = self.script("const box = document.querySelector('#' + arguments[0] + ' .readout'); return [box.hidden, Number(box.dataset.x)]", other)
        self.assertEqual(shown, [False, x])

    def check_keyboard(self, name):
        from selenium.webdriver.common.keys import Keys

        # From the button to the chart, without a pointer.
        self.find(f"#{name} .hint button").send_keys(Keys.ENTER)
        chart = self.driver.switch_to.active_element
        self.assertIn("Arrow keys", chart.get_attribute("aria-label"))
        said = set()
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT):
            chart.send_keys(key)
            said.add(self.find(f"#{name} [role=status]").get_attribute("textContent"))
        self.assertTrue(all(said), name)
        chart.send_keys("+")
        self.assertIsNotNone(self.range())
        chart.send_keys("0")
        self.assertIsNone(self.range())
        chart.send_keys(Keys.ESCAPE)
        self.assertFalse(self.find(f"#{name} .readout").is_displayed())

    def check_lanes(self, name):
        """Where a stretch is, its lane, start and length are shown."""
        place = self.liven(name)
        data = self.data[name]
        flat = data["boxes"]
        starts, start = [], 0
        for i in range(0, len(flat), 5):
            start += flat[i + 3]
            starts.append(start / 1e6)
        longest = max(range(len(starts)), key=lambda i: flat[5 * i + 4])
        row, length = flat[5 * longest], flat[5 * longest + 4] / 1e6
        rows = [lane["name"] for lane in data["lanes"] for _ in range(lane["rows"])]
        scale = place.size["width"] / data["width"]
        left, top, right, bottom = (edge * scale for edge in data["box"])
        x = left + (starts[longest] + length / 2 - data["x"]["min"]) / (data["x"]["max"] - data["x"]["min"]) * (right - left)
        y = top + (row + 0.5) * (bottom - top) / len(rows)
        self.actions().move_to_element_with_offset(place, int(x - place.size["width"] / 2), int(y - place.size["height"] / 2)).perform()
        box = self.find(f"#{name} .readout")
        self.assertIn(rows[row], box.text)
        kind = data["x"]["format"]
        self.assertIn(self.format(starts[longest], kind) + " to " + self.format(starts[longest] + length, kind), box.text)
        if flat[5 * longest + 2] < 0:
            self.assertIn(self.format(length, kind), box.text)
        else:
            self.assertIn(self.format(flat[5 * longest + 2], "count") + " " + data["rows"], box.text)

    def check_print(self):
        """Paper has the pictures."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        for name in self.data:
            self.assertTrue(self.find(f"#{name} svg").is_displayed(), name)
            self.assertFalse(any(node.is_displayed() for node in self.driver.find_elements("css selector", f"#{name} .live, #{name} .hint")))
        self.assertTrue(self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"].startswith("JVBERi0"))
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def check_charts(self):
        for name in self.data:
            self.assertTrue(self.find(f"#{name} svg").is_displayed())
        self.assertEqual(self.driver.find_elements("css selector", ".live"), [])
        if not self.lines:
            self.skipTest("roast was built without dygraphs")
        timed = [name for name in self.lines if self.data[name]["time"]]
        self.assertGreaterEqual(sum(self.check_values(name) for name in self.lines), 5)
        for name in self.lanes[:3]:
            self.check_lanes(name)
        self.check_zoom(timed[0], timed[1:] + self.lanes[:2])
        self.check_zoom(self.lanes[0], timed[:1])
        self.check_legend(timed[0])
        self.check_linked(timed[0], timed[1])
        self.check_keyboard(timed[0])
        self.check_keyboard(self.lanes[0])
        self.check_print()
        self.assertEqual(self.driver.get_log("browser"), [])

    def check_without_scripts(self):
        """The page is whole without them."""
        n_tables = len(self.driver.find_elements("css selector", "table"))
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.driver.refresh()
        self.assertEqual(self.driver.find_elements("css selector", ".hint, .tools, .live"), [])
        self.assertEqual(len(self.driver.find_elements("css selector", "table")), n_tables)
        pictures = self.driver.find_elements("css selector", "figure > svg[role=img]")
        self.assertGreaterEqual(len(pictures), len(self.data))
        for picture in pictures:
            self.assertTrue(picture.is_displayed())
            self.assertTrue(picture.find_elements("css selector", "title") and picture.find_elements("css selector", "desc"))
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        self.driver.refresh()

    def check_copy(self):
        """What is pasted is the table, with exact numbers."""
        from selenium.webdriver.common.keys import Keys

        table = self.find("#table-tasks table")
        table.find_element("css selector", ".tools button").click()
        self.script("const area = document.createElement('textarea'); area.id = 'pasted'; document.body.append(area)")
        self.find("#pasted").send_keys(Keys.CONTROL, "v")
        lines = self.find("#pasted").get_attribute("value").rstrip("\n").split("\n")
        rows = table.find_elements("css selector", "tbody tr")
        self.assertEqual(len(lines), 1 + len(rows))
        expected = self.script("return Array.from(arguments[0].cells, (cell) => cell.dataset.v ?? cell.textContent)", rows[0])
        self.assertEqual(lines[1].split("\t"), expected)

    # ---- pages ----

    def test_taskvine(self):
        self.run_roast("--backend=taskvine", "--attach=" + RECORDING)
        self.open()
        self.check_copy()
        self.check_without_scripts()
        self.check_charts()

    def test_local(self):
        # A program whose name is markup is a lane of a chart.
        os.symlink("/bin/sleep", self.path(BAD_NAME))
        command = ["sh", "-c", 'for i in 1 2 3; do "./$0" 0.5; sleep 0.3; done', BAD_NAME]
        self.run_roast("-i", "0.05", "--", *command)
        self.open()
        for name in self.lanes:
            self.check_lanes(name)
        if self.lines:
            self.assertGreaterEqual(sum(self.check_values(name) for name in self.lines), 3)
        self.assertEqual(self.driver.find_elements("css selector", "img"), [])
        self.assertTrue(self.driver.title.endswith(" – roast"), self.driver.title)
        self.assertEqual(self.driver.get_log("browser"), [])

    def test_dask(self):
        if subprocess.run([DASK_PYTHON, "-c", "import distributed"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("Dask is not installed")
        with open(self.path("script.py"), "w") as file:
            file.write(textwrap.dedent(DASK))
        self.run_roast("-i", "0.1", "--backend=dask", "--", DASK_PYTHON, self.path("script.py"))
        self.open()
        self.check_charts()

    def test_coffea(self):
        """An analysis with coffea on Dask, from its recording: events, chunks, files and branches have charts."""
        with open(self.path("run.jsonl"), "wb") as file:
            file.write(lzma.decompress(pathlib.Path(COFFEA).read_bytes()))
        run = self.path("coffea.roast")
        subprocess.run(["roast-report", "import", "--save=" + run, self.path("run.jsonl")], check=True, timeout=240, stderr=subprocess.DEVNULL)
        subprocess.run(["roast-report", "-e", "html:" + self.page, run], check=True, timeout=240)
        self.open()
        self.check_charts()
        self.assertLessEqual({"chart-event_rate", "chart-data_rate"}, set(self.data))

    # ---- numbers ----

    def test_numbers(self):
        """The page's script writes each number as the library does."""
        try:
            import gi
            gi.require_version("Roast", "1")
            from gi.repository import Roast
        except (ImportError, ValueError):
            self.skipTest("Python bindings are not built")
        with open(NUMBERS) as file:
            script = file.read()
        chosen = random.Random(1)
        values = [0, 0.5, 1.5, 2.5, 0.125, 1.005, 2.675, 59.949, 59.95, 59.96, 60, 3599.4, 3599.5, 3600, 86399.5, 999.5, 999.4999, 1023.4,
                  1023.5, 1e15, 2**53, 1e21, 3e22, 9.995, 99.95, 0.9995, 0.09995, 1e-4, 9.9995e-5, 1e-7, 1234567]
        values += [chosen.uniform(1, 10) * 10.0 ** chosen.randint(-9, 17) for _ in range(3000)]
        values += [chosen.randint(0, 4096) / 2.0 ** chosen.randint(0, 12) for _ in range(2000)]
        values += [-value for value in values[:500]]
        with open(self.page, "w") as file:
            file.write("<!DOCTYPE html><title>–</title>")
        driver = browser.browse(self, self.page, self.directory)
        for kind in FORMATS:
            shown = driver.execute_script(script + "return arguments[0].map((value) => roastNumbers.format(value, arguments[1]))", values, kind)
            for value, text in zip(values, shown):
                if kind != "duration" or abs(value) < 2**53:  # whole seconds are exact
                    self.assertEqual(text, Roast.format_number(value, kind), (kind, value))


if __name__ == "__main__":
    guard(unittest.main)
