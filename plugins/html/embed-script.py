#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a library's minified script fit for the page: embed-script.py OUTPUT [SCRIPT LICENCE]

The licence stands above it as a comment, as it asks for. The address of a source map goes: a browser would fetch it. What the
library would warn of on the browser's console goes as well: dygraphs 2.2 does so whenever one has zoomed in, of the points that are
not in view. Errors stay. Without a script, the output is empty."""

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
    # What would end the element that the script stands in, or change how it is read.
    if re.search(r"</?script|<!--", text, re.IGNORECASE) or "*/" in licence:
        sys.exit(f"{inputs[0]} cannot be part of a page")
    output.write_text(text, encoding="utf-8")


main()
