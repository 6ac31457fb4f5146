#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page that -e html writes, in a real browser: it says what the JSON of the same run says, and its tables work."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser
from leftovers import Tidy, guard

DASK_PYTHON = os.environ.get("ROAST_DASK_PYTHON", "/usr/bin/python3")
HOSTILE = "</script><script>document.title='changed'</script>\u202egnp.exe\u2066"

STRICT = {"G_DEBUG": "fatal-criticals"}  # a chart that reads a column in the wrong way is an error
RECORDINGS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "taskvine")

# What the page says, as its elements have it.
READ = """
const text = (node) => node ? node.textContent : null;
const metrics = {};
for (const row of document.querySelectorAll("tr[data-metric]")) {
  const cell = row.cells[1];
  metrics[row.dataset.metric] = {
    value: cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent,
    completeness: row.cells[2].textContent, remark: row.cells[3].innerText };
}
for (const item of document.querySelectorAll("span[data-metric]")) {
  let term = item.parentElement.previousElementSibling;
  metrics[item.dataset.metric] = { value: null, completeness: "not available", remark: term.textContent };
}
const findings = Array.from(document.querySelectorAll(".findings > li"), (item) => ({
  rule: item.dataset.rule, severity: text(item.querySelector(".severity")), text: text(item.querySelector(".text")),
  advice: text(item.querySelector(".advice")), evidence: item.querySelectorAll(".evidence > div").length }));
const charts = Array.from(document.querySelectorAll("figure > svg"), (chart) => ({
  name: chart.getAttribute("aria-label"), width: chart.getBoundingClientRect().width, marks: chart.querySelectorAll("path").length }));
return { metrics, findings, charts, report: JSON.parse(text(document.getElementById("report"))), title: document.title,
         fetched: performance.getEntriesByType("resource").map((entry) => entry.name),
         links: Array.from(document.querySelectorAll("a[href^='#']"), (link) => link.getAttribute("href").slice(1)),
         ids: Array.from(document.querySelectorAll("[id]"), (node) => node.id) };
"""
COMPLETENESS = {"complete": "complete", "partial": "at least", "estimated": "estimated", "unavailable": "not available"}
# Each process is there for several samples.
BUILD = """
all: $(foreach i,1 2 3 4 5 6,t$(i).o)
t%.o: t.c
\tsleep 0.4; cc -O1 -c t.c -o $@
"""
DASK = """
    import time
    from distributed import Client, LocalCluster
    def work(x):
        time.sleep(0.02)
        if x == 7:
            raise ValueError("</script><b>bold")
        return x
    def add(*numbers):
        return sum(numbers)
    if __name__ == "__main__":
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
            futures = client.map(work, range(60))
            client.submit(add, *futures[10:]).result()
            futures[7].exception()
"""


def squeeze(text):
    return " ".join(text.split())


@unittest.skipUnless(browser.IS_THERE, browser.NEEDS)
class TestHtml(Tidy):
    maxDiff = 4000

    def setUp(self):
        super().setUp()
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.directory = self.temporary.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def run_roast(self, *command, options=()):
        subprocess.run(["roast-run", "-q", "-i", "0.05", *options, "-e", "json:" + self.path("run.json"), "-e", "html:" + self.path("run.html"),
                        "--save=" + self.path("run.roast"), "-t", "name=" + HOSTILE, "--", *command], cwd=self.directory, timeout=240,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | STRICT)
        with open(self.path("run.json")) as file:
            return json.load(file)

    def browse(self):
        return browser.browse(self, self.path("run.html"), self.directory)

    def check_page(self, driver, report):
        """All of it says what the JSON says, and the browser has nothing to say."""
        page = driver.execute_script(READ)
        self.assertEqual(driver.get_log("browser"), [])
        self.assertEqual(page["fetched"], [])
        self.assertTrue(page["title"].endswith(" – roast"), page["title"])
        self.assertEqual(len(page["ids"]), len(set(page["ids"])))
        self.assertLessEqual(set(page["links"]), set(page["ids"]))
        for part in ("findings", "metrics", "notes", "run"):
            self.assertEqual(page["report"][part], report[part], part)
        self.assertGreaterEqual(len(page["charts"]), 3)
        for chart in page["charts"]:
            self.assertTrue(chart["name"] and chart["width"] > 200 and chart["marks"] > 1, chart)
        self.check_metrics(page["metrics"], report["metrics"])
        self.check_findings(page["findings"], report["findings"])

    def check_metrics(self, shown, metrics):
        self.assertEqual(set(shown), set(metrics))
        for name, metric in metrics.items():
            self.assertEqual(shown[name]["completeness"], COMPLETENESS[metric["completeness"]], name)
            if metric["value"] is None:
                self.assertEqual(squeeze(shown[name]["remark"]), squeeze(metric["reason"]), name)
            elif isinstance(metric["value"], str):
                self.assertIn(squeeze(metric["value"]), squeeze(shown[name]["remark"]), name)
            else:
                self.assertEqual(float(shown[name]["value"].replace("\u202f", "")), metric["value"], name)
            if metric["note"] is not None and metric["value"] is not None and shown[name]["remark"]:
                self.assertIn(squeeze(metric["note"]), squeeze(shown[name]["remark"]), name)

    def check_findings(self, shown, findings):
        self.assertEqual([finding["rule"] for finding in shown], [finding["rule"] for finding in findings])
        for one, other in zip(shown, findings):
            for member in ("severity", "text", "advice"):
                self.assertEqual(one[member], other[member])
            self.assertEqual(one["evidence"], len(other["evidence"]))

    def check_sort(self, driver, table, column):
        """By a click, then by the keyboard: the largest first, then the smallest."""
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys

        headings = driver.find_elements(By.CSS_SELECTOR, f"#table-{table} thead th")
        place = [heading.text.rstrip(" ↕") for heading in headings].index(column)
        script = (f"return Array.from(document.querySelectorAll('#table-{table} tbody tr'), "
                  f"(row) => row.cells[{place}].dataset.v || row.cells[{place}].textContent)")
        before = [float(value) for value in driver.execute_script(script) if value]
        button = headings[place].find_element(By.TAG_NAME, "button")
        button.click()
        self.assertEqual(headings[place].get_attribute("aria-sort"), "descending")
        self.assertEqual([float(value) for value in driver.execute_script(script) if value], sorted(before, reverse=True))
        button.send_keys(Keys.ENTER)
        self.assertEqual(headings[place].get_attribute("aria-sort"), "ascending")
        self.assertEqual([float(value) for value in driver.execute_script(script) if value], sorted(before))
        self.assertGreater(len(set(before)), 1)

    def check_each_heading(self, driver):
        """Each column of numbers, in all tables: by the number, whatever the unit that it is shown in."""
        wrong = driver.execute_script("""
          const wrong = [];
          for (const table of document.querySelectorAll("table.sortable"))
            Array.from(table.tHead.rows[0].cells).forEach((heading, place) => {
              if (!heading.classList.contains("n")) return;
              heading.querySelector("button").click();
              const texts = Array.from(table.tBodies[0].rows, (row) => row.cells[place].dataset.v ?? row.cells[place].textContent);
              const numbers = texts.filter((text) => text !== "").map(Number);
              if (!numbers.every((number, i) => i === 0 || number <= numbers[i - 1])) wrong.push([heading.textContent, texts]);
            });
          return wrong;""")
        self.assertEqual(wrong, [])

    def check_filter(self, driver, table, text):
        from selenium.webdriver.common.by import By

        rows = driver.find_elements(By.CSS_SELECTOR, f"#table-{table} tbody tr")
        expected = sum(text in row.get_attribute("textContent") for row in rows)
        field = driver.find_element(By.CSS_SELECTOR, f"#table-{table} input[type=search]")
        field.send_keys(text)
        self.assertEqual(sum(row.is_displayed() for row in rows), expected)
        self.assertTrue(0 < expected < len(rows), expected)
        self.assertEqual(driver.find_element(By.CSS_SELECTOR, f"#table-{table} [role=status]").text, f"{expected} of {len(rows)} rows")
        field.clear()

    def test_build(self):
        with open(self.path("Makefile"), "w") as file:
            file.write(BUILD)
        with open(self.path("t.c"), "w") as file:
            file.write("\n".join(f"int f{i} (int x) {{ return x * {i}; }}" for i in range(300)))
        report = self.run_roast("make")
        driver = self.browse()
        self.check_page(driver, report)
        self.check_sort(driver, "processes", "pid")
        self.check_each_heading(driver)
        self.check_filter(driver, "processes", "sleep")
        self.check_colours(driver)
        self.check_print(driver)
        # The run that was kept has the same page.
        again = subprocess.run(["roast-report", "-e", "html:-", self.path("run.roast")], capture_output=True, timeout=240, check=True).stdout
        with open(self.path("run.html"), "rb") as file:
            self.assertEqual(file.read(), again)

    def check_colours(self, driver):
        script = "return getComputedStyle(document.body).backgroundColor"
        seen = set()
        for scheme in ("light", "dark"):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            seen.add(driver.execute_script(script))
        self.assertEqual(len(seen), 2, seen)
        self.assertIn("rgb(255, 255, 255)", seen)

    def check_print(self, driver):
        printed = driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
        self.assertTrue(printed.startswith("JVBERi0"), printed[:20])  # “%PDF-”
        text = subprocess.run(["pdftotext", "-", "-"], input=base64.b64decode(printed), capture_output=True, check=True, timeout=240).stdout.decode()
        # Reasons, which the screen folds.
        self.assertIn("the program reported no bytes", " ".join(text.split()))
        # No table is cut off at the edge of a landscape page, A4 without its margins.
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1040, "height": 700, "deviceScaleFactor": 1, "mobile": False})
        wide = driver.execute_script("""return Array.from(document.querySelectorAll("#tables table"))
          .filter((table) => table.getBoundingClientRect().right > 1040).map((table) => table.parentElement.id);""")
        self.assertEqual(wide, [])
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_nothing_runs_but_the_page_itself(self):
        """A script or a style that got into the page in some way has no effect."""
        report = self.run_roast("true")
        with open(self.path("run.html")) as file:
            page = file.read()
        self.assertNotIn("\u202e", page)
        self.assertIn("\\u202egnp.exe", page)
        self.assertEqual(report["run"]["tags"]["name"], HOSTILE)
        planted = "<script>document.title='changed'</script><style>body{display:none}</style><img src='file:///x.png'>"
        with open(self.path("run.html"), "w") as file:
            file.write(page.replace("</main>", planted + "</main>"))
        driver = self.browse()
        self.assertTrue(driver.title.endswith(" – roast"), driver.title)
        self.assertNotEqual(driver.execute_script("return getComputedStyle(document.body).display"), "none")
        self.assertEqual(len([line for line in driver.get_log("browser") if "Content Security Policy" in line["message"]]), 3)

    def test_recordings(self):
        for name in sorted(name for name in os.listdir(RECORDINGS) if name.startswith("run-")):
            with self.subTest(name=name):
                subprocess.run(["roast-run", "-q", "--no-save", "--backend=taskvine", "--attach=" + os.path.join(RECORDINGS, name), "-e",
                                "html:" + self.path("run.html")], timeout=240, check=True, env=os.environ | STRICT, stdin=subprocess.DEVNULL)
                with open(self.path("run.html")) as file:
                    page = file.read()
                self.assertGreaterEqual(page.count("<figure"), 3)
                self.assertLess(len(page), 1e6)

    def test_dask(self):
        if subprocess.run([DASK_PYTHON, "-c", "import distributed"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("Dask is not installed")
        with open(self.path("script.py"), "w") as file:
            file.write(textwrap.dedent(DASK))
        report = self.run_roast(DASK_PYTHON, self.path("script.py"), options=["--backend=dask"])
        self.assertEqual(report["metrics"]["tasks_failed_total"]["value"], 1)
        driver = self.browse()
        self.check_page(driver, report)
        self.check_sort(driver, "tasks", "started")
        self.check_filter(driver, "tasks", "failed")


if __name__ == "__main__":
    guard(unittest.main)
