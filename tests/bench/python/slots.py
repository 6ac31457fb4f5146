# SPDX-License-Identifier: BSD-3-Clause
"""A slot as everybody writes it, and one from which the guard was taken."""

from gi.repository import GObject, Roast


class Guarded(GObject.Object, Roast.MetricsBackend):
    __gtype_name__ = "BenchGuarded"
    roast_name = "guarded"

    def do_get_capabilities(self):
        return Roast.BackendCapabilities.LAUNCH


class Bare(GObject.Object, Roast._introspection_module.MetricsBackend):
    __gtype_name__ = "BenchBare"
    roast_name = "bare"

    def do_get_capabilities(self):
        return Roast.BackendCapabilities.LAUNCH

