/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a run in a format of formats.c. */

#include "formats.h"

gboolean
report_export (ReportOptions *options, GError **error)
{
  const Format *format = format_find (options->stream ? "stream" : options->format_name, error);
  g_autoptr (ReportRun) run = format != NULL ? report_run_open (options->arguments[0], error) : NULL;

  return run != NULL && format->export (run, options->save, error);
}
