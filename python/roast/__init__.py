# SPDX-License-Identifier: BSD-3-Clause
"""roast for Python: measurements of programs, their reports and tables, and instrumentation.

    import roast

    session = roast.run(["make", "-j8"])                 # measures a program
    session.report                                       # in a notebook: findings, charts, metrics
    session.table("worker_samples").to_pandas()

    with roast.session() as session:                     # measures this process
        with session.span("fit"):
            fit()

    roast.load("last").metrics["process_cpu_time_seconds"]  # a kept run, a run file, or a JSON report

That uses GObject introspection (gi.repository.Roast) where it is there, otherwise the programs roast-run and roast-report:
roast.BACKEND is "gi" or "binaries", and the environment variable ROAST_BINDING chooses one.

Instrumentation for programs that roast-run measures needs neither, and nothing but this package:

    from roast import track_time

    with track_time("fit"):
        fit()

Outside a run nothing happens, in less than a microsecond.
"""

from roast._sections import BaseInstrumentationContext, track_bytes, track_memory, track_metrics, track_section, track_time

# Loaded when they are used: a program that is measured needs the instrumentation only.
_INTERFACE = [
    "BACKEND", "Chart", "Charts", "Column", "Error", "Finding", "InvalidValueError", "Metric", "Metrics", "Recording", "Report", "Session",
    "TableReader", "UnknownNameError", "UserError", "compare", "load", "read", "run", "session",
]  # fmt: skip

__all__ = [
    "BaseInstrumentationContext", "track_bytes", "track_memory", "track_metrics", "track_section", "track_time",
    "BACKEND", "Chart", "Charts", "Column", "Error", "Finding", "InvalidValueError", "Metric", "Metrics", "Recording", "Report", "Session",
    "TableReader", "UnknownNameError", "UserError", "compare", "load", "read", "run", "session",
]  # fmt: skip


def __getattr__(name):
    if name not in _INTERFACE:
        raise AttributeError(f"module 'roast' has no attribute {name!r}")
    from roast import _choice

    return _choice.get(name)


def __dir__():
    return sorted({*globals(), *_INTERFACE})
