/* SPDX-License-Identifier: BSD-3-Clause */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "interpreter.h"

#include <dlfcn.h>
#include <roast/roast.h>
#include <string.h>

/* Compiled modules of Python, as numpy's, are not linked with libpython on Debian: they look for its functions among
 * the symbols that all libraries share. We were opened with symbols of our own, and so was libpython with us. */
static void
share_libpython (void)
{
  Dl_info info;

  if (dladdr ((gpointer) Py_InitializeFromConfig, &info) != 0 && info.dli_fname != NULL)
    dlopen (info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* Where its modules are, an interpreter finds out from the place of its program, and without one from whatever is
 * called python3 on PATH: of another version there, in an environment of conda as a rule, it would not even start. */
static gboolean
start (GError **error)
{
  PyConfig config;
  PyStatus status;

  PyConfig_InitPythonConfig (&config);
  config.parse_argv = 0;
  /* Signals are the program's own. */
  config.install_signal_handlers = 0;
  status = PyConfig_SetBytesString (&config, &config.program_name, PYTHON_PROGRAM);
  if (!PyStatus_Exception (status))
    status = Py_InitializeFromConfig (&config);
  PyConfig_Clear (&config);
  if (!PyStatus_Exception (status))
    return TRUE;
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
               "Python " PY_VERSION " cannot be started: %s. Unset PYTHONHOME if it is set, or install the package of "
               "Python's standard library again",
               status.err_msg != NULL ? status.err_msg : "unknown error");
  return FALSE;
}

/* In a program that is Python itself its interpreter is used, which may be another than the one that we were built for.
 */
static gboolean
check_version (GError **error)
{
  g_autofree char *ours = g_strdup_printf ("%d.%d.", PY_MAJOR_VERSION, PY_MINOR_VERSION);

  if (g_str_has_prefix (Py_GetVersion (), ours))
    return TRUE;
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
               "plugins in Python run in Python %d.%d, and this program is Python %.*s. Run it with %s, or register "
               "the "
               "class with Roast.Registry.register()",
               PY_MAJOR_VERSION, PY_MINOR_VERSION, (int) strcspn (Py_GetVersion (), " "), Py_GetVersion (),
               PYTHON_PROGRAM);
  return FALSE;
}

gboolean
interpreter_ensure (GError **error)
{
  if (Py_IsInitialized ())
    return check_version (error);
  share_libpython ();
  if (!start (error))
    return FALSE;
  PyEval_SaveThread ();
  return TRUE;
}
