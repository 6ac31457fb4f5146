/* SPDX-License-Identifier: BSD-3-Clause */

/* Implements the command import, which makes a run from a file or directory in one of the formats in formats.c. */

#include <stdio.h>

#include "formats.h"
#include "run-meta.h"

static void
describe (ExchangeImport *self, const char *format)
{
  static const char *const times[] = { "started", "ended", "tree-elapsed", NULL };
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);

  run_meta_set (self->run, metadata, times);
  roast_run_file_set_meta (self->run, "imported", format);
  roast_run_file_set_meta (self->run, "roast", ROAST_VERSION_S);
}

/* Imports into a new run file at @path. If the import fails, removes this file. */
static gboolean
import_to (ExchangeImport *self, const Format *format, const char *path, GError **error)
{
  gboolean ok;

  self->run = roast_run_file_create (path, error);
  if (self->run == NULL)
    return FALSE;
  roast_run_file_attach (self->run, self->recording);
  ok = format_import (format, self, error);
  if (ok)
    {
      /* Describe the origin of the run, unless it is a stream, because a stream contains the metadata of the original
       * run. */
      if (format->program != NULL)
        describe (self, format->name);
      roast_recording_finish (self->recording);
    }
  ok = roast_run_file_close (self->run, ok ? error : NULL) && ok;
  if (!ok)
    remove (path);
  g_clear_object (&self->run);

  return ok;
}

gboolean
report_import (ReportOptions *options, GError **error)
{
  const char *from = options->arguments[0];
  const Format *format =
      options->format_name != NULL ? format_find (options->format_name, error) : format_guess (from, error);
  g_autoptr (RoastRegistry) registry = format != NULL ? roast_registry_new () : NULL;
  g_autoptr (RoastRuns) runs = format != NULL ? roast_runs_new (error) : NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autofree char *path = NULL;
  ExchangeImport import = { .path = from, .name = g_str_equal (from, "-") ? "standard input" : from };
  gboolean ok;

  if (runs == NULL)
    return FALSE;
  path = options->save != NULL ? g_strdup (options->save) : roast_runs_begin (runs, error);
  if (path == NULL)
    return FALSE;
  import.recording = recording = roast_recording_new (roast_registry_get_schema (registry));
  ok = import_to (&import, format, path, error);
  if (options->save == NULL)
    roast_runs_end (runs, path);
  if (ok)
    g_print ("%s\n", path);

  return ok;
}
