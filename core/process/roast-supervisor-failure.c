/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-supervisor-failure-private.h"

#include <errno.h>
#include <string.h>

#include "roast/roast-error.h"

static GError *
not_found (const char *program, const char *path)
{
  if (strchr (program, '/') == NULL)
    return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND,
                        "cannot find the program “%s” in PATH (%s). Check the name, or give the path of the program",
                        program, path != NULL ? path : "PATH is not set");

  if (g_file_test (program, G_FILE_TEST_EXISTS))
    return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND,
                        "cannot execute “%s”: the interpreter in the first line of the file, or the loader of the "
                        "program, is missing",
                        program);

  return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND, "there is no program “%s”. Check the path",
                      program);
}

static GError *
not_executable (const char *program, int code)
{
  const char *what = g_strerror (code);

  if (code == EACCES)
    what = g_file_test (program, G_FILE_TEST_IS_DIR)
               ? "this path is a directory"
               : "permission denied. If this file is a program, make the file executable with “chmod +x”";
  else if (code == E2BIG)
    what =
        "the arguments and the environment of the program are longer than the kernel allows. Pass long lists in a file";
  else if (code == EPIPE)
    what = "a signal killed the program before its start. Is there too little memory?";
  else if (code == ENOEXEC)
    what = "this file is neither a program for this machine nor a script";

  return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE, "cannot execute “%s”: %s", program, what);
}

static GError *
not_attached (int pid, int code)
{
  if (code == ESRCH || code == ENOENT)
    return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NO_SUCH_PROCESS,
                        "there is no process %d. The process may have ended; “ps -e” lists all processes", pid);
  if (code == EPERM || code == EACCES)
    return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_PERMISSION,
                        "cannot measure process %d, which belongs to another user. Ask the owner of the process or the "
                        "administrator to run roast",
                        pid);

  if (code == EXDEV)
    return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                        "cannot follow process %d: /proc shows another PID namespace. Mount a /proc for this "
                        "namespace, as "
                        "“unshare --mount-proc” does, or run roast in the namespace that /proc shows",
                        pid);

  return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR, "cannot follow process %d: %s", pid,
                      g_strerror (code));
}

GError *
roast_supervisor_failure_to_error (const RoastWireFailure *failure, const char *program, const char *path, int pid)
{
  int code = failure->error;

  switch (failure->stage)
    {
    case ROAST_WIRE_STAGE_EXEC:
      if (code == ENOENT || code == ENOTDIR)
        return not_found (program, path);
      return not_executable (program, code);
    case ROAST_WIRE_STAGE_ATTACH:
      return not_attached (pid, code);
    case ROAST_WIRE_STAGE_FORK:
      return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                          "cannot fork to run “%s”: %s. Are there too many processes (ulimit -u)?", program,
                          g_strerror (code));
    default:
      return g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                          "the supervisor cannot prepare the start of “%s”: %s", program, g_strerror (code));
    }
}
