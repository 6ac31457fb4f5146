#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures in the documentation: each is there, small, and has a text for those who do not see it; charts, and
the page in docs/reading.md, the report in README.md and the blocks in docs/screenshots.md, are what roast makes now."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
PICTURES = TREE / "docs" / "pictures"
SCRIPT = TREE / "scripts" / "update-screenshots"
MOST_BYTES = 150_000
PICTURE = re.compile(r"!\[([^]]*)\]\(([^)\s]+)\)")
PAGE = re.compile(r"(?s)<!-- page -->\n```\n(.*?)```\n<!-- end -->")
REPORT = re.compile(r"(?s)<!-- report -->\n```\n(.*?)```\n<!-- end -->")
SHOWN = re.compile(r"(?s)<!-- (\w+) -->\n```\n(.*?)```\n<!-- end -->")
SVG = "{http://www.w3.org/2000/svg}"


def find_pictures():
    """Of each page: text and path."""
    for page in (TREE / "README.md", *sorted((TREE / "docs").glob("*.md")), *sorted((TREE / "plugins").glob("*/README.md"))):
        for text, target in PICTURE.findall(page.read_text(encoding="utf-8")):
            yield page, text, page.parent / target


class Pictures(unittest.TestCase):
    def test_named_pictures_exist(self):
        named = set()
        for page, text, path in find_pictures():
            with self.subTest(page=page.name, picture=path.name):
                self.assertTrue(path.is_file(), f"{page} names {path}, which does not exist")
                self.assertGreater(len(text), 20, "a picture needs a text that says what it shows")
                self.assertLess(path.stat().st_size, MOST_BYTES)
                named.add(path.resolve())
        self.assertGreater(len(named), 0)
        self.assertEqual(named, set(PICTURES.iterdir()), "each picture in docs/pictures belongs to a page")

    def test_formats(self):
        for path in PICTURES.iterdir():
            with self.subTest(path.name):
                if path.suffix == ".svg":
                    root = ElementTree.parse(path).getroot()
                    self.assertEqual(root.tag, SVG + "svg")
                    self.assertTrue(root.findtext(SVG + "title"))
                else:
                    self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_up_to_date(self):
        with tempfile.TemporaryDirectory() as directory:
            result = subprocess.run([sys.executable, SCRIPT, "--to", directory], capture_output=True, text=True, timeout=240,
                                    env={**os.environ, "ROAST_RUNS": os.path.join(directory, "runs")})
            self.assertEqual(result.returncode, 0, result.stderr)
            made = {path.name: path.read_text(encoding="utf-8") for path in pathlib.Path(directory).iterdir() if path.is_file()}
        kept = {path.name: path.read_text(encoding="utf-8") for path in PICTURES.glob("*.svg")}
        kept["page.txt"] = PAGE.search((TREE / "docs" / "reading.md").read_text(encoding="utf-8"))[1]
        kept["report.txt"] = REPORT.search((TREE / "README.md").read_text(encoding="utf-8"))[1]
        self.assertEqual(len(kept["report.txt"].splitlines()), 15)
        kept |= {f"{name}.txt": block for name, block in SHOWN.findall((TREE / "docs" / "screenshots.md").read_text(encoding="utf-8"))}
        self.assertEqual(set(made), set(kept))
        for name, text in made.items():
            self.assertEqual(kept[name].splitlines(), text.splitlines(), f"{name}: run scripts/update-screenshots BUILD and look at the pictures")


if __name__ == "__main__":
    unittest.main()
