#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The figures that -e plots writes of real runs: PNG and PDF beside what librsvg and poppler make of the same SVG, numbers beside those that
the program knows, and what happens if something is wrong."""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mounts
from closeness import RELEASE, assert_near
from leftovers import guard
from running import InDirectory

TESTS = pathlib.Path(__file__).resolve().parent.parent
HAS_CAIRO = os.environ.get("ROAST_TEST_CAIRO") == "1"
HAS_IMAGES = importlib.util.find_spec("PIL") is not None and importlib.util.find_spec("numpy") is not None
RSVG = shutil.which("rsvg-convert")
POPPLER = shutil.which("pdftotext") and shutil.which("pdftoppm")
SVG = "{http://www.w3.org/2000/svg}"
FIGURES_200GBPS = ["chunk_times", "data_rate", "event_rate", "file_time_by_events"]
MOST_DIFFERENT = 0.006  # share of pixels; 0.004 was the most, and 0.012 the least of pictures that are 2 px beside their place
SIZES = {"column": (336, 252), "page": (691.2, 345.6)}  # in 1/96 inch

FONT = pathlib.Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

# One second of which half has chunks, with 8 chunks of 50 MB each, and a call of its executor around them.
PROGRAM = """
import json, os, socket, time
connection = socket.socket(socket.AF_UNIX)
connection.connect(os.environ["ROAST_SOCKET"])
def send(row):
    connection.sendall(json.dumps(row).encode() + b"\\n")
send({"roast": 2, "token": os.environ["ROAST_TOKEN"]})
time.sleep(0.3)
call = time.time()
send({"type": "processing", "call": "1", "kind": "processing", "executor": "test", "items": 8, "started": call})
for i in range(8):
    started = time.time()
    sum(range(300000))
    time.sleep(0.05)
    send({"type": "chunk", "chunk": str(i), "call": "1", "dataset": "d", "file": "/data/file-%d.root" % (i // 2), "tree": "Events",
          "entry_start": i % 2 * 1000, "entry_stop": i % 2 * 1000 + 1000 - 17 * i, "events": 1000 - 17 * i, "bytes_read": 50000000,
          "started": started, "ended": time.time()})
ended = time.time()
send({"type": "processing", "call": "1", "ended": ended, "confirmed": True})
send({"type": "confirm", "call": "1", "chunks": [str(i) for i in range(8)]})
time.sleep(0.3)
open("seconds", "w").write(str(ended - call))
"""


def text_box(element):
    """(left, top, right, bottom, the text) of what is drawn in DejaVu Sans."""
    from PIL import ImageFont

    size, x, y = (float(element.get(name)) for name in ("font-size", "x", "y"))
    path = FONT.with_name("DejaVuSans-Bold.ttf") if element.get("font-weight") == "bold" else FONT
    width = ImageFont.truetype(str(path), 100).getlength(element.text) * size / 100
    left = x - {None: 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
    return left, y - 0.73 * size, left + width, y, element.text


class TestPlots(InDirectory):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kept = pathlib.Path(tempfile.mkdtemp(prefix="roast-plots-"))
        cls.addClassCleanup(shutil.rmtree, cls.kept)
        cls.run_file = cls.kept / "run.roast"
        subprocess.run(["roast-run", "-q", "-i", "0.05", f"--save={cls.run_file}", "-e", f"plots:{cls.kept / 'first'}", "-e",
                        f"json:{cls.kept / 'run.json'}", "--", sys.executable, "-c", PROGRAM], cwd=cls.kept, check=True, timeout=240,
                       stdin=subprocess.DEVNULL)
        cls.seconds = float((cls.kept / "seconds").read_text())

    def setUp(self):
        super().setUp()
        self.out = pathlib.Path(self.path("figures"))

    def report(self, options="", *, out=None, run_file=None, env=None):
        return subprocess.run(["roast-report", "-e", f"plots:{out or self.out}{options and ','}{options}", run_file or self.run_file],
                              capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL, env=env)

    def draw(self, options="", **arguments):
        result = self.report(options, **arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return sorted(path.name for path in self.out.iterdir())

    def recordings(self):
        """Run files of the program, of recorded runs with TaskVine, and their names."""
        yield "program", self.run_file
        for directory in sorted((TESTS / "data/taskvine").glob("run-*")):
            path = self.kept / f"{directory.name}.roast"
            if not path.exists():
                subprocess.run(["roast-run", "-q", "--backend=taskvine", f"--attach={directory}", f"--save={path}", "-e", "json:/dev/null"],
                               check=True, timeout=240, stdin=subprocess.DEVNULL)
            yield directory.name, path

    # ---- SVG ----

    def test_run_and_report(self):
        """roast-run and roast-report write the same files."""
        names = self.draw()
        self.assertEqual(names, sorted(path.name for path in (self.kept / "first").iterdir()))
        self.assertIn("data_rate.svg", names)
        for name in names:
            self.assertEqual((self.out / name).read_bytes(), (self.kept / "first" / name).read_bytes(), name)

    def test_svg(self):
        for width, (right, bottom) in SIZES.items():
            for name, run_file in self.recordings():
                with self.subTest(width=width, name=name):
                    shutil.rmtree(self.out, ignore_errors=True)
                    names = self.draw(f"width={width}", run_file=run_file)
                    self.assertGreater(len(names), 4)
                    index = (self.out / "index.txt").read_text()
                    for file in names:
                        if file != "index.txt":
                            self.check_svg(file, right, bottom)
                            self.assertIn(f"\n{file}\n", index)

    def check_svg(self, file, right, bottom):
        root = xml.etree.ElementTree.parse(self.out / file).getroot()
        self.assertEqual((float(root.get("width")), float(root.get("height"))), (right, bottom))
        self.assertTrue(root.find(f"{SVG}title").text)
        for text in root.iter(f"{SVG}text"):
            self.assertTrue(0 <= float(text.get("x")) <= right and 0 <= float(text.get("y")) <= bottom, (file, text.text))
        self.assertNotIn("http", (self.out / file).read_text().replace("http://www.w3.org/2000/svg", ""))

    @unittest.skipUnless(HAS_IMAGES and FONT.exists(), "needs the packages python3-pil and fonts-dejavu-core")
    def test_texts_do_not_overlap(self):
        """In the widest of the usual fonts, and within the picture."""
        for width in SIZES:
            for name, run_file in self.recordings():
                shutil.rmtree(self.out, ignore_errors=True)
                for file in self.draw(f"width={width},charts=all", run_file=run_file):
                    if file != "index.txt":
                        with self.subTest(width=width, name=name, file=file):
                            self.check_texts(xml.etree.ElementTree.parse(self.out / file).getroot(), SIZES[width][0])

    def check_texts(self, root, right):
        boxes = [text_box(text) for text in root.iter(f"{SVG}text") if text.get("transform") is None]
        for i, (left, top, end, bottom, text) in enumerate(boxes):
            self.assertTrue(left >= -0.5 and end <= right + 0.5, (text, left, end))
            for other in boxes[:i]:
                overlap = min(end, other[2]) - max(left, other[0]), min(bottom, other[3]) - max(top, other[1])
                self.assertFalse(overlap[0] > 1 and overlap[1] > 1, (text, other[4], overlap))

    # ---- PNG and PDF ----

    @unittest.skipUnless(HAS_CAIRO and HAS_IMAGES and RSVG, "needs the module for PNG and the packages librsvg2-bin and python3-pil")
    def test_png(self):
        """Each pixel of ours beside that of librsvg, which draws our SVG by itself."""
        looks = ["theme=light", "theme=dark,width=page"]
        for number, (name, run_file) in enumerate(self.recordings()):
            for look in looks if RELEASE else [looks[number % 2]]:
                with self.subTest(name=name, look=look):
                    shutil.rmtree(self.out, ignore_errors=True)
                    names = [file for file in self.draw(look, run_file=run_file) if file != "index.txt"]
                    self.draw(f"{look},format=png,dpi=192", run_file=run_file)
                    for file in names:
                        png = self.out / file.replace(".svg", ".png")
                        other = subprocess.run([RSVG, "--zoom=2", self.out / file], check=True, capture_output=True, timeout=240).stdout
                        self.assert_same_picture(png.read_bytes(), other, file)

    def assert_same_picture(self, ours, theirs, name):
        mean, share = self.compare(ours, theirs)
        self.assertLess(mean, 3, name)
        self.assertLess(share, MOST_DIFFERENT, name)

    def compare(self, ours, theirs, shift=0):
        """(mean difference of a pixel, of 255; share of pixels that are clearly different). Four pixels at a time in each direction: the
        edges of letters, which differ, are finer."""
        import numpy
        from PIL import Image

        images = [Image.open(io.BytesIO(data)).convert("RGB") for data in (ours, theirs)]
        size = [min(image.size[i] for image in images) // 4 * 4 for i in (0, 1)]
        self.assertLessEqual(max(abs(images[0].size[i] - images[1].size[i]) for i in (0, 1)), 1)
        pixels = [numpy.asarray(image.crop((left, 0, left + size[0], size[1])).reduce(4), dtype=float)
                  for image, left in zip(images, (shift, 0))]
        differences = numpy.abs(pixels[0] - pixels[1]).max(axis=2)
        return differences.mean(), (differences > 64).mean()

    @unittest.skipUnless(HAS_CAIRO and HAS_IMAGES and RSVG, "needs the module for PNG and the packages librsvg2-bin and python3-pil")
    def test_comparison(self):
        """What the tests of pictures would find: other colours, marks that are 2 px beside their place, and another chart."""
        self.draw("charts=data_rate;memory")
        self.draw("charts=data_rate;memory,format=png,dpi=192")
        other = subprocess.run([RSVG, "--zoom=2", self.out / "memory.svg"], check=True, capture_output=True, timeout=240).stdout
        self.assertGreater(self.compare((self.out / "memory.png").read_bytes(), other, shift=4)[1], MOST_DIFFERENT)
        self.assertGreater(self.compare((self.out / "data_rate.png").read_bytes(), other)[1], MOST_DIFFERENT)
        self.draw("charts=memory,format=png,dpi=192,theme=dark")
        self.assertGreater(self.compare((self.out / "memory.png").read_bytes(), other)[1], 0.5)

    @unittest.skipUnless(HAS_CAIRO and HAS_IMAGES, "needs the module for PNG and the package python3-pil")
    def test_png_resolution(self):
        from PIL import Image

        for options, size, dpi in (("", (1050, 788), 300), (",width=page", (2160, 1080), 300), (",dpi=36", (126, 94), 36),
                                   (",dpi=1200,width=page", (8640, 4320), 1200)):
            self.draw(f"format=png,charts=data_rate{options}")
            with Image.open(self.out / "data_rate.png") as image:
                self.assertLessEqual(max(abs(image.size[0] - size[0]), abs(image.size[1] - size[1])), 1, image.size)
                self.assertEqual([round(number) for number in image.info["dpi"]], [dpi, dpi])
                self.assertEqual(image.mode, "RGB")
                image.load()

    @unittest.skipUnless(HAS_CAIRO and HAS_IMAGES and RSVG and POPPLER, "needs the module for PDF, librsvg2-bin, poppler-utils and python3-pil")
    def test_pdf(self):
        """Text is text, in fonts that are in the file; the size is that of the paper; and poppler draws what librsvg draws."""
        for look, size in (("width=column", "252 x 189"), ("width=page,theme=dark", "518.4 x 259.2")):
            shutil.rmtree(self.out, ignore_errors=True)
            names = [file for file in self.draw(look) if file != "index.txt"]
            self.draw(f"{look},format=pdf")
            for file in names:
                with self.subTest(look=look, file=file):
                    pdf = self.out / file.replace(".svg", ".pdf")
                    self.check_pdf(pdf, self.out / file, size)
                    pixels = subprocess.run(["pdftoppm", "-png", "-r", "192", pdf], check=True, capture_output=True, timeout=240).stdout
                    other = subprocess.run([RSVG, "--zoom=2", self.out / file], check=True, capture_output=True, timeout=240).stdout
                    self.assert_same_picture(pixels, other, file)

    def check_pdf(self, pdf, svg, size):
        root = xml.etree.ElementTree.parse(svg).getroot()
        info = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True, timeout=240).stdout
        fonts = subprocess.run(["pdffonts", pdf], check=True, capture_output=True, text=True, timeout=240).stdout.splitlines()[2:]
        text = subprocess.run(["pdftotext", "-raw", pdf, "-"], check=True, capture_output=True, text=True, timeout=240).stdout
        self.assertRegex(info, rf"Page size: +{size} pts")
        self.assertRegex(info, rf"Title: +{re.escape(root.find(f'{SVG}title').text)}\n")
        self.assertRegex(info, r"Pages: +1\n")
        self.assertTrue(fonts)
        for font in fonts:
            self.assertEqual(font.split()[-5], "yes", font)  # embedded
        for element in root.iter(f"{SVG}text"):
            if element.get("transform") is None:
                self.assertIn("".join(element.text.split()), "".join(text.split()))

    @unittest.skipUnless(HAS_CAIRO, "needs the module for PNG and PDF")
    def test_same_bytes(self):
        for kind in ("svg", "png", "pdf"):
            self.draw(f"format={kind},charts=data_rate;memory")
            before = {path.name: path.read_bytes() for path in self.out.iterdir()}
            self.draw(f"format={kind},charts=data_rate;memory")
            self.assertEqual(before, {path.name: path.read_bytes() for path in self.out.iterdir()})

    # ---- 200 Gbps ----

    def test_200gbps(self):
        names = self.draw("figures=200gbps")
        self.assertEqual(names, [f"{name}.svg" for name in FIGURES_200GBPS] + ["index.txt"])
        root = xml.etree.ElementTree.parse(self.out / "data_rate.svg").getroot()
        lines = [text.text for text in root.iter(f"{SVG}text") if text.text.endswith("200 Gbps")]
        self.assertEqual([line.partition(":")[0] for line in lines if ":" in line][:2], ["While processing", "Whole run"])
        rate = 8 * 8 * 50e6 / self.seconds
        index = (self.out / "index.txt").read_text()
        shown, factor = re.search(r"While processing: ([0-9.]+) Gbps, ×([0-9.]+) to reach 200 Gbps", index).groups()
        # The program ends its measurement a moment after the last chunk.
        assert_near(self, float(shown) * 1e9 / rate, 1, 0.02)
        assert_near(self, float(factor) * rate / 200e9, 1, 0.02)
        self.assertAlmostEqual(float(shown) * float(factor) / 200, 1, delta=0.04)  # both are rounded
        whole = re.search(r"Whole run: ([0-9.]+) Gbps, ×([0-9.]+) to", index).groups()
        best = re.search(r"Best [0-9.]+ ms: about ([0-9.]+) Gbps, about ×([0-9.]+) to", index).groups()
        # One chunk at a time: what reads fastest for a while reads faster than all of them with the time between.
        self.assertLess(float(whole[0]), float(shown))
        self.assertGreater(float(best[0]), float(shown) * 0.95)
        self.assertNotIn("Not available", index)

    def test_200gbps_without_rate(self):
        """The figures say why they are empty, and so does index.txt."""
        run_file = self.path("idle.roast")
        subprocess.run(["roast-run", "-q", f"--save={run_file}", "-e", "json:/dev/null", "--", "true"], check=True, timeout=240,
                       stdin=subprocess.DEVNULL)
        names = self.draw("figures=200gbps", run_file=run_file)
        self.assertEqual(len(names), 5)
        for name in FIGURES_200GBPS:
            self.assertIn(">Not available: ", (self.out / f"{name}.svg").read_text())
        self.assertIn("The factor to reach 200 Gbps is not available: the program reported no bytes", (self.out / "index.txt").read_text())

    # ---- what is wrong ----

    def assert_fails(self, words, options="", **arguments):
        result = self.report(options, **arguments)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(words, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_options(self):
        for options, words in (("format=jpg", "option format: the value must be one of svg, png, pdf, not 'jpg'"),
                               ("width=3in", "option width: the value must be one of column, page"),
                               ("theme=blue", "option theme: the value must be one of"),
                               ("figures=100gbps", "option figures: the value must be one of 200gbps"), ("dpi=300", "option dpi is for format=png"),
                               ("charts=nothing", "there is no chart “nothing”"), ("charts=", "option charts: the value must be"),
                               ("charts=memory,figures=200gbps", "exclude each other")):
            with self.subTest(options=options):
                self.assert_fails(words, options)
        if self.out.exists():
            self.assertEqual(list(self.out.iterdir()), [])
        self.assert_fails("give a directory", out="-")

    def test_options_are_checked_first(self):
        result = subprocess.run(["roast-run", "-e", f"plots:{self.out},dpi=300", "--", "touch", self.path("started")], capture_output=True,
                                text=True, timeout=240, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 125)
        self.assertIn("option dpi is for format=png", result.stderr)
        self.assertFalse(os.path.exists(self.path("started")))

    def test_directory(self):
        deep = pathlib.Path(self.path("a/b"))
        self.assertEqual(self.report(out=deep).returncode, 0)
        self.assertTrue((deep / "index.txt").exists())
        pathlib.Path(self.path("file")).write_text("mine")
        self.assert_fails("file", out=self.path("file"))
        self.assert_fails("a part of this path is a file", out=self.path("file/below"))
        self.assertEqual(pathlib.Path(self.path("file")).read_text(), "mine")
        self.assert_fails("/proc/self", out="/proc/self/figures")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_unwritable(self):
        self.out.mkdir(mode=0o500)
        self.assert_fails("you need write permission", out=self.out)

    def test_full_disk(self):
        """Nothing of the new figures, and all of the old ones."""
        if mounts.skip_reason():
            self.skipTest(mounts.skip_reason())
        with mounts.tmpfs(pathlib.Path(self.path("small")), "64k") as small:
            (small / "data_rate.svg").write_text("an older one")
            with contextlib.suppress(OSError), open(small / "filler", "wb", buffering=0) as file:
                for _ in range(13):
                    file.write(bytes(4096))
            self.assert_fails("No space left on device", out=small)
            self.assertEqual(sorted(path.name for path in small.iterdir()), ["data_rate.svg", "filler"])
            self.assertEqual((small / "data_rate.svg").read_text(), "an older one")

    def test_without_module(self):
        """SVG needs the exporter alone; without the other module, PNG is an error before the program is started."""
        plugins = pathlib.Path(self.path("plugins"))
        plugins.mkdir()
        search = os.environ["ROAST_PLUGIN_PATH"].split(":")
        place = next(pathlib.Path(path) for path in search if (pathlib.Path(path) / "plots.roast-plugin").exists())
        for name in ("plots.roast-plugin", "libroast-plots.so"):
            shutil.copy(place / name, plugins)
        env = os.environ | {"ROAST_PLUGIN_PATH": ":".join([str(plugins), *(path for path in search if path != str(place))])}
        self.draw(env=env)
        self.assert_fails("On Debian, install the package roast-plugin-plots-cairo", "format=pdf", env=env)
        result = subprocess.run(["roast-run", "-e", f"plots:{self.out},format=png", "--", "touch", self.path("started")], env=env,
                                capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 125)
        self.assertFalse(os.path.exists(self.path("started")))
        (plugins / "libroast-plots-cairo.so").write_text("not a module")
        self.assert_fails("which cannot be used: ", "format=png", env=env)
        linked = subprocess.run(["ldd", plugins / "libroast-plots.so"], capture_output=True, text=True, timeout=240).stdout
        self.assertNotRegex(linked, "cairo|pango")


if __name__ == "__main__":
    mounts.enter()
    guard(unittest.main)
