#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A notebook that Jupyter executes: reports and charts show themselves in it, in its theme."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from leftovers import Tidy

HOSTILE = "</script></svg><img src=x onerror=document.title='changed'>\u202egnp.exe"


def find_python():
    """A Python that has gi and Jupyter: this one, or that of a virtual environment."""
    if all(importlib.util.find_spec(module) for module in ("nbconvert", "ipykernel")):
        return sys.executable
    return os.environ.get("ROAST_NOTEBOOK_PYTHON")


PYTHON = find_python()
BROWSER = shutil.which("chromium") and shutil.which("chromedriver") and importlib.util.find_spec("selenium")

# A third party's plugin: its table has a chart by its schema alone.
PLUGIN = {
    "racks.roast-plugin": """
        [Roast Plugin]
        Name=racks
        Module=racks
        Api=1.0
        Provides=backend:racks
        Capabilities=launch
        Description=Power of racks
        Version=1.0
        License=BSD-3-Clause
        Loader=python
    """,
    "racks.roast-schema": f"""
        [table racks]
        Description=Power of racks
        [columns racks]
        source=category: name of the source that the row comes from
        time=int64 us: when
        rack=category: the rack
        power=double: electric power

        [chart rack_power]
        Title=Power of racks {HOSTILE}
        Description=Electric power of each rack
        Table=racks
        Kind=line
        X=time
        Y=power
        Group=rack
        Top=10
        Heading=Resources
    """,
    "racks.py": """
        import time

        from gi.repository import GObject, Roast

        class Racks(GObject.Object, Roast.MetricsBackend):
            __gtype_name__ = "Racks"

            def do_get_capabilities(self):
                return Roast.BackendCapabilities.LAUNCH

            def do_start_tracking(self, recording, interval, task):
                table = recording.write_table("racks", recording.add_source("racks", None, None, None))
                for second in range(60):
                    for rack, power in ("r-1", 200.0), ("r-2</script>", 300.0):
                        table.add(time=round(time.time() * 1e6) + second * 1_000_000, rack=rack, power=power + 5 * (second % 7))
                task.return_boolean(True)

            def do_stop_tracking(self, task):
                task.return_boolean(True)
    """,
}

CELLS = {
    "import": """
        import gi
        gi.require_version("Roast", "1")
        from gi.repository import Roast
    """,
    "live": """
        import time
        session = Roast.Session(interval=0.02, tags={"sample": "<b>"})
        session.__enter__()
        while len(session.table("worker_samples")) < 3:
            time.sleep(0.02)
        session
    """,
    "live chart": 'session.chart("process_memory")',
    "finish": "session.finish()",
    "unavailable": 'session.chart("task_stream")',
    "plugin": 'Roast.read("racks.roast")',
    "plugin's chart": 'Roast.read("racks.roast").chart("rack_power")',
    "list": 'print(repr(session.charts)); session.charts["process_memory"].save("memory.svg")',
}


@unittest.skipUnless(PYTHON, "needs the packages python3-nbconvert and python3-ipykernel, or the option notebook_python")
class TestNotebook(Tidy):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.directory = temporary.name
        cls.record()
        cls.execute()

    @classmethod
    def path(cls, *names):
        return os.path.join(cls.directory, *names)

    @classmethod
    def environment(cls):
        # Jupyter writes to none of the user's directories.
        return os.environ | {"HOME": cls.directory, "IPYTHONDIR": cls.path("ipython"), "JUPYTER_RUNTIME_DIR": cls.path("runtime"),
                             "JUPYTER_CONFIG_DIR": cls.path("config"), "JUPYTER_DATA_DIR": cls.path("data"), "XDG_RUNTIME_DIR": cls.directory}

    @classmethod
    def record(cls):
        """A run with the plugin. The notebook reads it without."""
        os.mkdir(cls.path("plugins"))
        for name, text in PLUGIN.items():
            with open(cls.path("plugins", name), "w") as file:
                file.write(textwrap.dedent(text))
        subprocess.run(["roast-run", "-q", "--save=" + cls.path("racks.roast"), "-b", "local", "-b", "racks", "--", "sleep", "0.3"], check=True,
                       env=os.environ | {"ROAST_PLUGIN_PATH": cls.path("plugins") + ":" + os.environ["ROAST_PLUGIN_PATH"]}, timeout=240)

    @classmethod
    def convert(cls, *arguments):
        result = subprocess.run([PYTHON, "-m", "nbconvert", "--log-level=WARN", *arguments], cwd=cls.directory, timeout=240,
                                capture_output=True, text=True, env=cls.environment())
        if result.returncode != 0:
            raise AssertionError(result.stderr)

    @classmethod
    def execute(cls):
        cells = [{"cell_type": "code", "id": f"cell-{index}", "execution_count": None, "metadata": {}, "outputs": [],
                  "source": textwrap.dedent(text).strip()} for index, text in enumerate(CELLS.values())]
        with open(cls.path("in.ipynb"), "w") as file:
            json.dump({"cells": cells, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
                       "nbformat": 4, "nbformat_minor": 5}, file)
        cls.convert("--to", "notebook", "--execute", "--output", "out.ipynb", "in.ipynb")
        with open(cls.path("out.ipynb")) as file:
            cls.outputs = dict(zip(CELLS, (cell["outputs"] for cell in json.load(file)["cells"])))

    def shown(self, cell, kind="text/html"):
        [output] = [output for output in self.outputs[cell] if output["output_type"] == "execute_result"]
        return "".join(output["data"].get(kind, ""))

    def titles(self, cell):
        return re.findall(r'<svg [^>]*aria-label="([^"]*)"', self.shown(cell))

    def test_live(self):
        self.assertIn("Roast.Session running", self.shown("live"))
        self.assertIn("Memory of processes", self.shown("live chart"))
        self.assertRegex(self.shown("live chart"), r'<path class="roast-s-0" [^>]*d="M')
        self.assertTrue(self.shown("live chart", "image/svg+xml").startswith("<svg "))

    def test_report(self):
        page = self.shown("finish")
        self.assertIn("Memory over time", self.titles("finish"))
        self.assertIn("metrics, ", page)
        self.assertLess(len(page), 500_000)

    def test_unavailable(self):
        self.assertRegex(self.shown("unavailable"), "Tasks of each worker</bdi>: not available, because <bdi>no row of the table “tasks” has")
        self.assertEqual(self.shown("unavailable", "image/svg+xml"), "")

    def test_chart_of_a_plugin(self):
        [title] = self.titles("plugin's chart")
        self.assertTrue(title.startswith("Power of racks &lt;/script&gt;"), title)
        self.assertIn(title, self.titles("plugin"))
        self.assertIn("r-2&lt;/script&gt;", self.shown("plugin's chart"))

    def test_list(self):
        [text] = ["".join(output["text"]) for output in self.outputs["list"]]
        self.assertRegex(text, r"  process_memory +Memory of processes\n")
        self.assertRegex(text, r"Not available[^\n]*task_stream")
        with open(self.path("memory.svg")) as file:
            self.assertIn("Memory of processes", file.read())

    def test_nothing_runs_and_nothing_clashes(self):
        for cell in CELLS:
            for output in self.outputs[cell]:
                page = "".join(output.get("data", {}).get("text/html", ""))
                self.assertNotIn("<script", page)
                self.assertNotIn("<img", page)
                self.assertNotRegex(page, r"<[^>]*\sid=")
                self.assertNotIn("://", page.replace("http://www.w3.org/2000/svg", ""))
                # Each rule of the sheet is for roast's own outputs.
                for sheet in re.findall("<style>(.*?)</style>", page, re.DOTALL):
                    scope = re.search(r"^<div class='(roast-[0-9a-f]{8})'>", page).group(1)
                    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", sheet):
                        for selector in selectors.split(","):
                            self.assertIn("." + scope, selector)
                    styled = set(re.findall(r"\.(roast-[fs]-\w+)", sheet)) | {"roast-chart", "roast-band"}
                    self.assertLessEqual(set(" ".join(re.findall('class="([^"]*)"', page)).split()), styled)

    @unittest.skipUnless(BROWSER, "needs the packages chromium, chromium-driver and python3-selenium")
    def test_themes(self):
        """The theme of the notebook counts, not that of the system."""
        colours = {}
        for theme in "light", "dark":
            self.convert("--to", "html", "--HTMLExporter.theme=" + theme, "--output", theme + ".html", "out.ipynb")
            for system in "light", "dark":
                colours[theme, system] = self.look(theme + ".html", system, f"{theme}-{system}.png")
        for system in "light", "dark":
            self.assertEqual(colours["light", system], ("rgb(255, 255, 255)", "rgb(0, 114, 178)"))
            self.assertEqual(colours["dark", system], ("rgb(23, 24, 26)", "rgb(59, 155, 220)"))

    def look(self, page, system, picture):
        """The colours of the background and of the first series in the last chart."""
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1500,6000",
                         "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + self.path("profile"),
                         *(["--blink-settings=preferredColorScheme=0"] if system == "dark" else [])):
            options.add_argument(argument)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver"), env=self.environment()))
        try:
            driver.get("file://" + self.path(page))
            pictures = os.environ.get("ROAST_TEST_PICTURES")
            if pictures:
                driver.save_screenshot(os.path.join(pictures, picture))
            self.assertEqual(driver.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches"), system == "dark")
            self.assertNotEqual(driver.title, "changed")
            return tuple(driver.execute_script(
                "const all = document.querySelectorAll('figure svg'); const last = all[all.length - 1];"
                "return [getComputedStyle(last.querySelector('.roast-f-background')).fill,"
                " getComputedStyle(last.querySelector('.roast-s-0')).stroke]"))
        finally:
            driver.quit()


if __name__ == "__main__":
    unittest.main(verbosity=2)
