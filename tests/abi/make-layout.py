# SPDX-License-Identifier: BSD-3-Clause
"""Writes, as C, where each field and slot of the kept API is: make-layout.py API-FILE > layout.c

Compiled with the headers of 1.0 and with later ones, the tables must be the same.
"""
import re
import sys

HEAD = """/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>

#include "layout.h"

const Layout LAYOUT[] = {"""


def main():
    print(HEAD)
    structures = []
    for line in open(sys.argv[1], encoding="utf-8"):
        match = re.match(r"(?:field|slot) (\w+)\[\d+\] (\w+)", line)
        if not match:
            continue
        structure, field = match.groups()
        if structure not in structures:
            structures.append(structure)
        print(f'  {{ "{structure}.{field}", offsetof ({structure}, {field}), sizeof ((({structure} *) 0)->{field}) }},')
    for structure in structures:
        print(f'  {{ "{structure}", 0, sizeof ({structure}) }},')
    print("  { NULL, 0, 0 },\n};")
    return 0 if len(structures) > 5 else f"{sys.argv[1]} has no structures"


if __name__ == "__main__":
    sys.exit(main())
