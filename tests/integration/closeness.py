# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons of measured times with expected ones, which hold only where nothing else computes: in the release tier.

In the gate, which must give the same verdict on a busy machine, a test asserts what holds however slow the machine is, and these
functions only that a number is there."""

import os

RELEASE = os.environ.get("ROAST_TEST_RELEASE") == "1"
HANG = 240  # s until a test gives up: only a hang takes that long
SCALE = 1 if RELEASE else 0.2  # how long Dask's tasks compute, as in dask/scripts/truth.py


def before_release(test):
    """A decorator of a test that only the release tier runs, because tests of the gate take almost the same way through roast."""
    return test if RELEASE else None


def assert_near(test, found, truth, delta, msg=None):
    test.assertGreaterEqual(found, 0, msg)
    if RELEASE:
        test.assertAlmostEqual(found, truth, delta=delta, msg=msg)


def assert_below(test, found, most, msg=None):
    test.assertGreaterEqual(found, 0, msg)
    if RELEASE:
        test.assertLess(found, most, msg)
