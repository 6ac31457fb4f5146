/* SPDX-License-Identifier: BSD-3-Clause */

/* Implements the command export, which writes a run in one of the formats in formats.c. */

#include "formats.h"
#include "raw-export.h"

gboolean
report_export (ReportOptions *options, GError **error)
{
  const Format *format = options->raw ? NULL : format_find (options->stream ? "stream" : options->format_name, error);
  g_autoptr (ReportRun) run = NULL;

  if (format != NULL)
    return format_export (format, options->arguments[0], options->save, error);
  if (!options->raw)
    return FALSE;
  run = report_run_open (options->arguments[0], error);

  return run != NULL && raw_export (run, options->raw_tables, options->save, error);
}
