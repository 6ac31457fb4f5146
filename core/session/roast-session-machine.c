/* SPDX-License-Identifier: BSD-3-Clause */

/* Records properties of the machine and of Python, so that a comparison of runs can report different properties. */

#include "roast-session-private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* Return whether a text is a version such as "3.12", or "3.13t" for a free-threaded Python. */
static gboolean
is_version (const char *text)
{
  gsize major = strspn (text, "0123456789");
  gsize minor = text[major] == '.' ? strspn (text + major + 1, "0123456789") : 0;
  const char *rest = text + major + 1 + minor;

  return major > 0 && minor > 0 && (*rest == '\0' || g_str_equal (rest, "t"));
}

/* Return the Python version from the interpreter's file name, after resolving links: "3.12" from python3.12. This does
 * not need to start the interpreter. */
static char *
dup_python_version (const char *program)
{
  g_autofree char *found = g_find_program_in_path (program);
  char *file = found != NULL ? realpath (found, NULL) : NULL;
  const char *slash = file != NULL ? strrchr (file, '/') : NULL;
  char *version = NULL;

  if (slash != NULL && g_str_has_prefix (slash, "/python") && is_version (slash + strlen ("/python")))
    version = g_strdup (slash + strlen ("/python"));
  free (file);

  return version;
}

void
roast_session_describe_machine (RoastRecording *recording, RoastLaunchContext *program)
{
  const char *const *argv = program != NULL ? roast_launch_context_get_argv (program) : NULL;
  g_autofree char *python = argv != NULL ? dup_python_version (argv[0]) : NULL;
  struct utsname system;

  if (uname (&system) == 0)
    roast_recording_set_metadata (recording, "kernel", g_variant_new_string (system.release));
  roast_recording_set_metadata (recording, "cores", g_variant_new_int64 (g_get_num_processors ()));
  if (python != NULL)
    roast_recording_set_metadata (recording, "python", g_variant_new_string (python));
}
