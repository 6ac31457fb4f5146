# SPDX-License-Identifier: BSD-3-Clause
"""Instrumentation for programs that roast-run measures: what a part of a program takes, in the report beside everything else.

    from roast import track_time

    with track_time("fit"):
        fit()

Outside a run nothing happens, in less than a microsecond. Nothing has to be installed but this package, which needs nothing.
"""

from roast._sections import BaseInstrumentationContext, track_bytes, track_memory, track_metrics, track_section, track_time

__all__ = ["BaseInstrumentationContext", "track_bytes", "track_memory", "track_metrics", "track_section", "track_time"]
