#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prepares a library's minified script for the page: embed-script.py OUTPUT [SCRIPT LICENCE]

Puts the licence above the script as a comment, as the licence requires. Removes the address of the source map, which a browser would
fetch. Silences console warnings: after each zoom dygraphs 2.2 warns of the points out of view. Keeps errors. Without a script, the output
is empty."""

import pathlib
import re
import sys

HEAD = "(function (console) {"
TAIL = "}).call(window, Object.assign({}, console, { warn() {} }));"


def main():
    output, *inputs = map(pathlib.Path, sys.argv[1:])
    if not inputs:
        output.write_text("", encoding="utf-8")
        return
    script, licence = (path.read_text(encoding="utf-8") for path in inputs)
    script = re.sub(r"^//# sourceMappingURL=.*\n?", "", script, flags=re.MULTILINE)
    text = f"/*\n{licence.strip()}\n*/\n{HEAD}\n{script.strip()}\n{TAIL}\n"
    # Refuse text that would end the script element or change how it is parsed.
    if re.search(r"</?script|<!--", text, re.IGNORECASE) or "*/" in licence:
        sys.exit(f"{inputs[0]} cannot be part of a page")
    output.write_text(text, encoding="utf-8")


main()
