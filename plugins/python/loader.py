# SPDX-License-Identifier: BSD-3-Clause
"""Finds the classes of plugins written in Python. Runs inside libroast-loader-python.so."""

import importlib.util
import os
import sys
import traceback


def _add_virtual_environment():
    """Appends the packages of an active virtual environment, if it has this Python version. The system's packages, with gi, come first."""
    root = os.environ.get("VIRTUAL_ENV")
    packages = root and os.path.join(root, "lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
    if packages and os.path.isdir(packages) and packages not in sys.path:
        sys.path.append(packages)


_add_virtual_environment()

import gi  # noqa: E402

gi.require_version("Roast", "1")
from gi.repository import GObject, Roast  # noqa: E402

if not hasattr(Roast, "_introspection_module"):
    raise ImportError("this Python does not find gi/overrides/Roast.py")

# The module with the interfaces of the typelib. roast's override contains subclasses of these interfaces.
_typelib = Roast._introspection_module
INTERFACES = {
    "backend": _typelib.MetricsBackend,
    "aggregator": _typelib.Aggregator,
    "exporter": _typelib.Exporter,
}

_modules = {}


def _module(path, plugin):
    """Returns the module in the file at path. Runs it only once."""
    if path not in _modules:
        name = "roast_plugin_" + plugin.replace("-", "_")
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None:
            raise ImportError(f"{path} is no Python source: name it {plugin}.py")
        module = importlib.util.module_from_spec(spec)
        # Register the module and its directory, so that a plugin can import its other files and its classes can be
        # pickled.
        sys.modules[name] = module
        directory = os.path.dirname(path)
        if directory not in sys.path:
            sys.path.append(directory)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        _modules[path] = module
    return _modules[path]


def _classes(module, interface):
    return [value for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, interface) and issubclass(value, GObject.Object)
            and value.__module__ == module.__name__]


class _Failure(Exception):
    """An error of a plugin, described in a whole sentence."""


def get_type(path, plugin, role, name):
    """Returns the number of the GType of the plugin's class for role and name."""
    try:
        return _find_type(path, plugin, role, name)
    except Roast.UserError:
        raise  # the error does not come from the plugin
    except BaseException as error:
        raise _Failure(f"the plugin's file {path} fails: {describe(error)}. Correct the plugin") from None


def _find_type(path, plugin, role, name):
    module = _module(path, plugin)
    interface = INTERFACES[role]
    classes = [found for found in _classes(module, interface) if getattr(found, "roast_name", name) == name]
    named = [found for found in classes if hasattr(found, "roast_name")]
    if len(named) == 1:
        classes = named
    if len(classes) != 1:
        what = f"a class that implements Roast.{interface.__name__}, as in class X(GObject.Object, Roast.{interface.__name__})"
        raise TypeError(f"{role}:{name}: the file has no class for this name: write {what}" if not classes else
                        f"{role}:{name}: {', '.join(found.__name__ for found in classes)} match: give the right class "
                        f"roast_name = \"{name}\"")
    return hash(classes[0].__gtype__)


def describe(error):
    """Describes an error and its place in one line. The place is the last line in the plugin, not in the import system."""
    if isinstance(error, (Roast.UserError, _Failure)):
        return str(error)
    text = traceback.format_exception_only(type(error), error)[-1].strip()
    if isinstance(error, SyntaxError):
        return f"{text} ({error.filename}, line {error.lineno})"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename != __file__ and not frame.filename.startswith("<frozen")]
    return f"{text} ({frames[-1].filename}, line {frames[-1].lineno})" if frames else text
