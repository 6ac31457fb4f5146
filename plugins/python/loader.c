/* SPDX-License-Identifier: BSD-3-Clause */

/* Bridge between C and Python. Most of the loader is written in Python, in loader.py. This file contains only what
 * needs the C API. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <roast/roast.h>

#include "interpreter.h"
#include "python-resources.h"

#define LOADER_SOURCE "/roast/python/loader.py"

static PyObject *loader; /* the module loader.py */

static char *
dup_text (PyObject *object)
{
  PyObject *bytes = object != NULL ? PyUnicode_AsEncodedString (object, "utf-8", "replace") : NULL;
  char *text = bytes != NULL ? g_strdup (PyBytes_AsString (bytes)) : NULL;

  PyErr_Clear ();
  Py_XDECREF (bytes);
  return text;
}

/* Return a description of the current exception, and clear the exception. */
static char *
dup_exception (void)
{
  PyObject *type, *value, *traceback, *line = NULL, *text = NULL;
  char *result;

  PyErr_Fetch (&type, &value, &traceback);
  PyErr_NormalizeException (&type, &value, &traceback);
  if (value != NULL && traceback != NULL)
    PyException_SetTraceback (value, traceback);
  if (loader != NULL && value != NULL)
    line = PyObject_CallMethod (loader, "describe", "O", value);
  PyErr_Clear ();
  if (line == NULL && value != NULL)
    text = PyObject_Str (value);
  result = dup_text (line != NULL ? line : text);
  Py_XDECREF (line);
  Py_XDECREF (text);
  Py_XDECREF (type);
  Py_XDECREF (value);
  Py_XDECREF (traceback);
  return result != NULL ? result : g_strdup ("unknown error");
}

static PyObject *
compile_loader (const char *source)
{
  PyObject *module = PyModule_New ("roast_python_loader");
  PyObject *globals = module != NULL ? PyModule_GetDict (module) : NULL;
  PyObject *code = globals != NULL ? Py_CompileString (source, "roast-python-loader", Py_file_input) : NULL;
  PyObject *file = PyUnicode_FromString ("roast-python-loader");
  PyObject *result = NULL;

  if (code != NULL && file != NULL && PyDict_SetItemString (globals, "__builtins__", PyEval_GetBuiltins ()) == 0 &&
      PyDict_SetItemString (globals, "__file__", file) == 0)
    result = PyEval_EvalCode (code, globals, globals);
  Py_XDECREF (file);
  Py_XDECREF (code);
  if (result == NULL)
    {
      Py_XDECREF (module);
      return NULL;
    }
  Py_DECREF (result);
  return module;
}

static gboolean
ensure_loader (GError **error)
{
  g_autoptr (GBytes) source = NULL;
  g_autofree char *reason = NULL;

  if (loader != NULL)
    return TRUE;
  source = g_resource_lookup_data (python_get_resource (), LOADER_SOURCE, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  if (source == NULL)
    return FALSE;
  loader = compile_loader (g_bytes_get_data (source, NULL));
  if (loader != NULL)
    return TRUE;
  reason = dup_exception ();
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
               "Python cannot use roast: %s. Install PyGObject and the typelib Roast-1 for this Python (Debian: "
               "python3-gi, "
               "gir1.2-roast-1, python3-roast)",
               reason);
  return FALSE;
}

static const char *
role_name (RoastRole role)
{
  static const char *const names[] = { "backend", "aggregator", "exporter" };

  return (gsize) role < G_N_ELEMENTS (names) ? names[role] : "";
}

static GType
ask_loader (const char *module_path, const char *plugin, RoastRole role, const char *name, GError **error)
{
  PyObject *path = PyUnicode_DecodeFSDefault (module_path);
  PyObject *number = NULL;
  g_autofree char *reason = NULL;
  GType type = G_TYPE_INVALID;

  if (path != NULL)
    number = PyObject_CallMethod (loader, "get_type", "Osss", path, plugin, role_name (role), name);
  if (number != NULL)
    type = (GType) PyLong_AsSize_t (number);
  if (PyErr_Occurred () != NULL)
    {
      reason = dup_exception ();
      type = G_TYPE_INVALID;
      g_set_error_literal (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_TYPE, reason);
    }
  Py_XDECREF (path);
  Py_XDECREF (number);
  return type;
}

static GType
get_type (const char *module_path, const char *plugin, RoastRole role, const char *name, GError **error)
{
  PyGILState_STATE state;
  GType type = G_TYPE_INVALID;

  if (!interpreter_ensure (error))
    return G_TYPE_INVALID;
  state = PyGILState_Ensure ();
  if (ensure_loader (error))
    type = ask_loader (module_path, plugin, role, name, error);
  PyGILState_Release (state);
  return type;
}

ROAST_DEFINE_PLUGIN_LOADER ("python", get_type)
