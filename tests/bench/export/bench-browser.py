#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How soon a browser shows the page that -e html writes: bench-browser.py BENCH-PAGE

Of a million tasks of 10,000 workers, and of a recorded run: the first paint, the whole page with its scripts, and the time until all
charts that one can zoom into are alive. Medians of some loads by Debian's Chromium without a display."""

import os
import statistics
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "tests", "integration"))
import browser  # noqa: E402
from leftovers import Tidy, guard  # noqa: E402

RECORDING = os.path.join(ROOT, "tests", "data", "taskvine", "run-coffea")
BENCH_PAGE = sys.argv.pop(1) if len(sys.argv) > 1 else None
GOAL = 300  # ms, of the first paint
LOADS = 7
READ = """
const timing = performance.getEntriesByType("navigation")[0];
const paint = performance.getEntriesByName("first-contentful-paint")[0];
return [paint ? paint.startTime : null, timing.loadEventEnd];"""
LIVEN = """
const begin = performance.now();
for (const figure of document.querySelectorAll("figure")) figure.dispatchEvent(new PointerEvent("pointerenter"));
return [performance.now() - begin, document.querySelectorAll(".live, .lanes").length];"""


class BenchBrowser(Tidy):
    def measure(self, name, page, driver):
        from selenium.webdriver.support.ui import WebDriverWait

        paints, loads, livens = [], [], []
        for _ in range(LOADS):
            driver.refresh()
            paint, load = WebDriverWait(driver, 20).until(lambda driver: all(driver.execute_script(READ)) and driver.execute_script(READ))
            liven, n_charts = driver.execute_script(LIVEN)
            paints.append(paint)
            loads.append(load)
            livens.append(liven)
        paint = statistics.median(paints)
        print(f"{name:10} {os.path.getsize(page):7} bytes: first paint {paint:.0f} ms (goal {GOAL}), all {statistics.median(loads):.0f} ms, "
              f"{n_charts} charts alive within {statistics.median(livens):.0f} ms")
        self.assertLessEqual(paint, GOAL)

    @unittest.skipUnless(browser.IS_THERE and BENCH_PAGE, browser.NEEDS)
    def test_pages(self):
        with tempfile.TemporaryDirectory() as directory:
            page = os.path.join(directory, "page.html")
            subprocess.run([BENCH_PAGE, "--directory", directory], check=True, stdout=subprocess.DEVNULL, timeout=200)
            driver = browser.browse(self, page, directory)
            self.measure("large", page, driver)
            subprocess.run(["roast-run", "-q", "--no-save", "--backend=taskvine", "--attach=" + RECORDING, "-e", "html:" + page], check=True,
                           stdin=subprocess.DEVNULL, timeout=60)
            self.measure("recorded", page, driver)


if __name__ == "__main__":
    guard(unittest.main)
