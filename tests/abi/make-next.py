# SPDX-License-Identifier: BSD-3-Clause
"""Writes the headers of a made-up next minor version, which adds a slot to each interface: make-next.py DIRECTORY STAMP HEADER..."""

import pathlib
import re
import sys

directory, stamp = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
directory.mkdir(parents=True, exist_ok=True)
slots = 0
for header in map(pathlib.Path, sys.argv[3:]):
    text = header.read_text()
    # A new slot takes the place of the first that is reserved.
    text, n = re.subn(r"/\*< private >\*/\n  gpointer _reserved\[8\];",
                      "void (*added_in_next) (gpointer self);\n\n  /*< private >*/\n  gpointer _reserved[7];", text)
    if "G_DECLARE_INTERFACE" in text and n != 1:
        sys.exit(f"make-next.py: {header.name} has no room for more slots; plugins of this version need 8 reserved ones")
    slots += n
    text = re.sub(r"(#define ROAST_MINOR_VERSION )\(?(\d+)\)?", lambda found: f"{found[1]}{int(found[2]) + 1}", text)
    (directory / header.name).write_text(text)
if slots < 4:
    sys.exit(f"make-next.py: found {slots} interfaces only")
stamp.write_text("/* made */\n")
