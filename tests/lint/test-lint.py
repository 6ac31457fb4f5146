#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/lint finds a planted violation with each of its tools: test-lint.py [TOOLS]

TOOLS is the virtual environment of scripts/lint, by default build-test/lint. scripts/test runs this after scripts/lint."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build-test" / "lint").resolve()
CONFIGURATION = (".clang-format", ".codespellrc", "ruff.toml", "scripts/lint", "scripts/check-source", "scripts/lint-requirements.txt")

C = "/* SPDX-License-Identifier: BSD-3-Clause */\n\nint\nanswer (void)\n{\n  return 42;\n}\n"
MISSPELT = "seper" + "ate"
# Check, file, text, and what its finding has.
PLANTS = [
    ("format", "core/base/answer.c", C.replace("int\nanswer (void)", "int answer(void)"), "core/base/answer.c:3:4: error"),
    ("spelling", "docs/page.md", f"A page.\n\nIt is {MISSPELT}.\n", f"docs/page.md:3: {MISSPELT} ==> separate"),
    ("shell", "scripts/tool", "#!/bin/sh\n# SPDX-License-Identifier: BSD-3-Clause\nrm $1\n", "SC2086"),
    ("python", "tests/tool.py", "# SPDX-License-Identifier: BSD-3-Clause\nimport os\n", "tests/tool.py:2:8: F401"),
    ("source", "core/base/answer.c", '#include "roast/roast.h"\n' + C, "core/base/answer.c:1: [rooms]"),
]


class TestLint(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        for name in CONFIGURATION:
            (self.root / name).parent.mkdir(exist_ok=True)
            shutil.copy(SOURCE / name, self.root / name)

    def lint(self, *arguments):
        return subprocess.run([self.root / "scripts" / "lint", f"--tools={TOOLS}", *arguments], capture_output=True, text=True)

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_clean(self):
        self.plant("core/base/answer.c", C)
        result = self.lint()
        self.assertEqual(result.stderr, "")
        self.assertIn("no findings in 7 files", result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_planted(self):
        for check, name, text, finding in PLANTS:
            with self.subTest(check):
                self.plant(name, text)
                result = self.lint()
                (self.root / name).unlink()
                self.assertIn(finding, result.stdout + result.stderr)
                self.assertEqual([line.partition(": ")[0] for line in result.stderr.splitlines()[-1:]], [check])
                self.assertEqual(result.returncode, 1)

    def test_fix(self):
        self.plant("core/base/answer.c", PLANTS[0][2])
        self.assertEqual(self.lint("--fix", "--only=format").returncode, 0)
        self.assertEqual((self.root / "core/base/answer.c").read_text(), C)

    def test_files(self):
        self.plant("core/base/answer.c", PLANTS[0][2])
        self.plant("docs/page.md", "A page.\n")
        self.assertEqual(self.lint(str(self.root / "docs/page.md")).returncode, 0)
        self.assertEqual(self.lint(str(self.root / "core/base/answer.c")).returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
