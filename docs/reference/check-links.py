# SPDX-License-Identifier: BSD-3-Clause
"""Every link of the reference to itself leads somewhere: check-links.py DIRECTORY"""
import pathlib
import re
import sys


def dangling(directory):
    for page in sorted(directory.glob("*.html")):
        text = page.read_text(encoding="utf-8")
        for target in sorted(set(re.findall(r'href="([^"#:]+)(?:#[^"]*)?"', text))):
            if not (directory / target).exists():
                yield f"{page.name}: {target} is not there"
        # What the generator could not resolve stays as it was written.
        for left in sorted(set(re.findall(r"\[(?:class|iface|method|func|struct|enum|error|flags|signal|ctor)@[^]]*\]", text))):
            yield f"{page.name}: {left} means nothing"


def main():
    directory = pathlib.Path(sys.argv[1])
    pages = len(list(directory.glob("*.html")))
    lines = list(dangling(directory))
    print("\n".join(lines))
    print(f"{pages} pages, {len(lines)} links that lead nowhere")
    return 1 if lines or pages < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
