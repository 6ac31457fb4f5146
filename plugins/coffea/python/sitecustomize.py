# SPDX-License-Identifier: BSD-3-Clause
"""Loads roast's hook when Python imports coffea, and nothing before.

roast-run puts the directory of this file first on PYTHONPATH. The file removes this directory from sys.path and runs the sitecustomize
that Python would have run otherwise. Any version of Python may execute this file, even a very old one.
"""

import sys


def run_own():
    """Runs the sitecustomize of the site or the user, which this file hides."""
    here = __file__.rpartition("/")[0]
    sys.path[:] = [entry for entry in sys.path if entry != here]
    this = sys.modules.pop(__name__, None)
    try:
        __import__(__name__)
    except ImportError:
        if getattr(sys.exc_info()[1], "name", None) != __name__:
            raise
    finally:
        if this is not None:
            sys.modules.setdefault(__name__, this)


def install():
    import os

    if sys.version_info < (3, 9) or "ROAST_SOCKET" not in os.environ:
        return
    here = __file__.rpartition("/")[0]

    class Finder:
        """Stays in sys.meta_path until the hooked modules are imported."""

        def __init__(self):
            self.waiting = {}

        def wait(self, name, install_there):
            """Calls `install_there` with the module after its import."""
            self.waiting[name] = install_there
            if self not in sys.meta_path:
                sys.meta_path.insert(0, self)

        def find_spec(self, name, path=None, target=None):
            install_there = self.waiting.pop(name, None)
            if install_there is None:
                return None
            if not self.waiting:
                sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
            for finder in list(sys.meta_path):
                find = getattr(finder, "find_spec", None) if finder is not self else None
                spec = find(name, path, target) if find is not None else None
                if spec is not None:
                    self.prepare(spec, install_there)
                    return spec
            return None

        def prepare(self, spec, install_there):
            loader = spec.loader
            execute = loader.exec_module

            def exec_module(module):
                del loader.exec_module
                execute(module)
                try:
                    install_there(module)
                except Exception:  # the script continues without measurement
                    pass

            try:
                loader.exec_module = exec_module
            except AttributeError:  # this loader cannot be changed, so leave it as it is
                pass

    finder = Finder()
    loaded = []

    def get_hook():
        if not loaded:
            hook = type(sys)("_roast_coffea_hook")
            hook.__file__ = here + "/coffea-hook.py"
            hook.finder = finder
            with open(hook.__file__, encoding="utf-8") as file:
                exec(compile(file.read(), hook.__file__, "exec"), hook.__dict__)
            loaded.append(hook)
        return loaded[0]

    finder.wait("coffea.processor.executor", lambda module: get_hook().install(module))
    finder.wait("coffea.nanoevents.factory", lambda module: get_hook().install_graphs(module))


try:
    install()
finally:
    run_own()
