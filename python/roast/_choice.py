# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the implementation: GObject introspection if installed, otherwise the programs of roast."""

import importlib
import os

VARIABLE = "ROAST_BINDING"
_chosen = None


def _try_gi():
    """Returns the module; None if gi, the typelib or the override is missing."""
    try:
        return importlib.import_module("roast._gi")
    except (ImportError, ValueError, AttributeError):
        return None


def _choose():
    wish = os.environ.get(VARIABLE, "")
    from roast import _binaries

    if wish not in ("", "gi", "binaries"):
        raise _binaries.UserError(f"{VARIABLE}={wish}: it must be gi or binaries, or not set")
    module = None if wish == "binaries" else _try_gi()
    if module is None and wish == "gi":
        raise _binaries.UserError(f"{VARIABLE}=gi, but GObject introspection of roast is missing: install the Debian packages "
                                  f"python3-gi and gir1.2-roast-1, or unset {VARIABLE}")
    return ("gi", module) if module is not None else ("binaries", _binaries)


def get(name):
    """Returns the package's object of that name. The first call chooses the implementation."""
    global _chosen
    if _chosen is None:
        _chosen = _choose()
    return _chosen[0] if name == "BACKEND" else getattr(_chosen[1], name)
