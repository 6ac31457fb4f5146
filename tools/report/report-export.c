/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a run in a format of formats.c. */

#include "formats.h"
#include "raw-export.h"

gboolean
report_export (ReportOptions *options, GError **error)
{
  const Format *format = options->raw ? NULL : format_find (options->stream ? "stream" : options->format_name, error);
  g_autoptr (ReportRun) run = NULL;

  if (format == NULL && !options->raw)
    return FALSE;
  run = report_run_open (options->arguments[0], error);
  if (run == NULL)
    return FALSE;

  return options->raw ? raw_export (run, options->raw_tables, options->save, error)
                      : format->export (run, options->save, error);
}
