#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command in which the kernel refuses system calls, as a container's profile does: refuse_call.py ERRNO NUMBER[,NUMBER...] COMMAND..."""

import ctypes
import errno
import os
import struct
import sys

PERF_EVENT_OPEN = {"x86_64": "298", "aarch64": "241"}
ADJTIMEX = {"x86_64": "159,305", "aarch64": "171,266"}  # also clock_adjtime

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def refuse(numbers, error):
    code = struct.pack("HBBI", LOAD, 0, 0, 0)
    for number in numbers:
        code += struct.pack("HBBI", EQUAL, 0, 1, number) + struct.pack("HBBI", RETURN, 0, 0, REFUSE | error)
    code += struct.pack("HBBI", RETURN, 0, 0, ALLOW)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(Program(len(code) // 8, code))):
        sys.exit("seccomp is not available: " + os.strerror(ctypes.get_errno()))


if __name__ == "__main__":
    refuse([int(number) for number in sys.argv[2].split(",")], getattr(errno, sys.argv[1]))
    os.execvp(sys.argv[3], sys.argv[3:])
