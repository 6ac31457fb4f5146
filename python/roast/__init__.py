# SPDX-License-Identifier: BSD-3-Clause
"""roast for Python: measurements of programs, their reports and tables, and instrumentation.

    import roast

    session = roast.run(["make", "-j8"])                 # measures a program
    session.report                                       # a notebook shows findings, charts and metrics
    session.table("worker_samples").to_pandas()

    with roast.session() as session:                     # measures this process
        with session.span("fit"):
            fit()

    roast.load("last").metrics["process_cpu_time_seconds"]  # a kept run, a run file, or a JSON report

The package uses GObject introspection (gi.repository.Roast) if installed, otherwise the programs roast-run and roast-report. roast.BACKEND
is "gi" or "binaries"; the environment variable ROAST_BINDING selects one.

To instrument programs that roast-run measures, only this package is needed:

    from roast import track_time

    with track_time("fit"):
        fit()

Outside a run, instrumentation does nothing and takes less than a microsecond.
"""

from roast._sections import BaseInstrumentationContext, track_bytes, track_memory, track_metrics, track_section, track_time

# Load these names lazily: a measured program needs only the instrumentation.
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
