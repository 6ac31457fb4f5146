# SPDX-License-Identifier: BSD-3-Clause
"""The checksums of the pages of a run file, as docs/store.md describes them."""

import struct

PAGE = 4096
FACTOR = 0x9e3779b97f4a7c15
MASK = (1 << 64) - 1


def checksum(page, number):
    state = (number + 1) * FACTOR & MASK
    for word, in struct.iter_unpack("<Q", page[:PAGE - 8]):
        state = (state ^ word) * FACTOR & MASK
        state ^= state >> 29
    return struct.pack(">Q", state & ~0xffff | 0x01c5)


def renew(path):
    """After another program has changed a file."""
    with open(path, "r+b") as file:
        content = file.read()
        for number in range(len(content) // PAGE):
            file.seek((number + 1) * PAGE - 8)
            file.write(checksum(content[number * PAGE:(number + 1) * PAGE], number))
