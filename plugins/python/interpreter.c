/* SPDX-License-Identifier: BSD-3-Clause */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "interpreter.h"

#include <dlfcn.h>
#include <roast/roast.h>
#include <string.h>

/* Make the symbols of libpython global. On Debian, compiled modules such as those of numpy are not linked with
 * libpython, so they need its symbols in the global scope. Until now these symbols are local, because this loader, and
 * libpython with it, was opened with local symbols. */
static void
share_libpython (void)
{
  Dl_info info;

  if (dladdr ((gpointer) Py_InitializeFromConfig, &info) != 0 && info.dli_fname != NULL)
    dlopen (info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* Start an interpreter. Set the name of its program, because the interpreter searches for its modules relative to this
 * program. Otherwise it would use the first python3 in PATH. In a conda environment, this is often another version,
 * with which the interpreter could not start. */
static gboolean
start (GError **error)
{
  PyConfig config;
  PyStatus status;

  PyConfig_InitPythonConfig (&config);
  config.parse_argv = 0;
  /* Do not install signal handlers, because signal handlers belong to the program. */
  config.install_signal_handlers = 0;
  status = PyConfig_SetBytesString (&config, &config.program_name, PYTHON_PROGRAM);
  if (!PyStatus_Exception (status))
    status = Py_InitializeFromConfig (&config);
  PyConfig_Clear (&config);
  if (!PyStatus_Exception (status))
    return TRUE;
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
               "Python " PY_VERSION
               " cannot be started: %s. Unset PYTHONHOME if it is set, or reinstall the package of "
               "Python's standard library",
               status.err_msg != NULL ? status.err_msg : "unknown error");
  return FALSE;
}

/* Check the version of an interpreter that already runs. The program may itself be Python, and have another version
 * than the loader. */
static gboolean
check_version (GError **error)
{
  g_autofree char *ours = g_strdup_printf ("%d.%d.", PY_MAJOR_VERSION, PY_MINOR_VERSION);

  if (g_str_has_prefix (Py_GetVersion (), ours))
    return TRUE;
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
               "plugins in Python need Python %d.%d, but this program is Python %.*s. Run the program with %s, or "
               "register the class with Roast.Registry.register()",
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
