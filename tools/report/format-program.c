/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs the Python programs that convert formats. `PROGRAM FORMAT import PATH` writes a stream to standard output.
 * `PROGRAM FORMAT export RUN PATH` calls roast-report, which reads the run for it. */

#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats.h"

#define MAX_MESSAGES 65536 /* maximum number of bytes that are read from the standard error of the program */

typedef struct
{
  GSubprocess *process;
  int messages; /* file that receives the standard error of the process */
} Program;

static void
program_clear (Program *self)
{
  g_clear_object (&self->process);
  if (self->messages >= 0)
    close (self->messages);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Program, program_clear)

/* Returns the directory of the programs: in the build tree or in the installation. */
static char *
dup_directory (const char *self)
{
  const char *override = g_getenv ("ROAST_FORMATS");
  g_autofree char *bin = g_path_get_dirname (self);

  return override != NULL ? g_strdup (override) : g_build_filename (bin, "..", ROAST_DATA_FROM_PREFIX, "formats", NULL);
}

/* Pass -E and -s to Python. Otherwise modules in the user's Python path might replace those of the program. */
static gboolean
program_start (Program *self, const Format *format, const char *const *arguments, GSubprocessFlags flags,
               GError **error)
{
  const char *python = g_getenv ("ROAST_PYTHON") != NULL ? g_getenv ("ROAST_PYTHON") : "python3";
  g_autofree char *report = g_file_read_link ("/proc/self/exe", error);
  g_autofree char *directory = report != NULL ? dup_directory (report) : NULL;
  g_autofree char *path = directory != NULL ? g_build_filename (directory, format->program, NULL) : NULL;
  const char *argv[] = { python, "-Es", path, format->name, arguments[0], arguments[1], arguments[2], NULL };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (flags | G_SUBPROCESS_FLAGS_STDIN_INHERIT);

  if (report == NULL)
    return FALSE;
  self->messages = memfd_create ("roast-messages", MFD_CLOEXEC);
  g_subprocess_launcher_take_stderr_fd (launcher, fcntl (self->messages, F_DUPFD_CLOEXEC, 3));
  g_subprocess_launcher_setenv (launcher, "ROAST_REPORT", report, TRUE);
  g_subprocess_launcher_setenv (launcher, "ROAST_VERSION", ROAST_VERSION_S, TRUE);
  self->process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (self->process == NULL)
    g_prefix_error (error, "the format %s needs Python 3: install Python 3, or set ROAST_PYTHON: ", format->name);

  return self->process != NULL;
}

/* Waits until the program has ended. If it succeeded, prints its messages. If it failed, sets an error with its
 * messages. Drops an @error that was set before, because the failure caused it. */
static gboolean
program_finish (Program *self, const char *name, GError **error)
{
  g_autofree char *text = g_malloc0 (MAX_MESSAGES + 1);
  gboolean ok = g_subprocess_wait_check (self->process, NULL, NULL);
  g_auto (GStrv) lines = NULL;

  if (pread (self->messages, text, MAX_MESSAGES, 0) < 0)
    *text = '\0';
  g_strchomp (text);
  if (!ok)
    {
      g_clear_error (error);
      return exchange_fail (error, *text != '\0' ? "%s" : "the program that converts %s was killed",
                            *text != '\0' ? text : name);
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_printerr ("%s%s\n", g_str_has_prefix (lines[i], "roast-report: ") ? "" : "roast-report: ", lines[i]);

  return TRUE;
}

gboolean
format_import (const Format *self, ExchangeImport *import, GError **error)
{
  g_auto (Program) program = { .messages = -1 };
  const char *const arguments[] = { "import", import->path, NULL };
  GInputStream *lines = NULL;
  FILE *file = NULL;
  gboolean ok;

  if (self->program == NULL)
    return stream_import (import, NULL, error);
  if (!program_start (&program, self, arguments, G_SUBPROCESS_FLAGS_STDOUT_PIPE, error))
    return FALSE;
  lines = g_subprocess_get_stdout_pipe (program.process);
  file = fdopen (dup (g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (lines))), "r");
  g_input_stream_close (lines, NULL, NULL);
  ok = stream_import (import, file, error);

  return program_finish (&program, self->name, error) && ok;
}

gboolean
format_export (const Format *self, const char *name, const char *path, GError **error)
{
  g_auto (Program) program = { .messages = -1 };
  g_autofree char *run = NULL;

  if (self->program == NULL)
    return stream_export (name, path, error);
  run = report_run_find (name, error);

  return run != NULL &&
         program_start (&program, self, (const char *const[]) { "export", run, path != NULL ? path : "-" },
                        G_SUBPROCESS_FLAGS_NONE, error) &&
         program_finish (&program, self->name, error);
}
