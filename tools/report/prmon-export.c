/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a run's process tree in prmon's formats. */

#include "prmon-export.h"

#include <math.h>

#include "core/base/roast-fail-private.h"
#include "formats.h"
#include "json-out.h"

/* Fields of prmon that roast does not measure. */
static const char *const unknown[] = { "swap", "vmem", "rx_bytes", "rx_packets", "tx_bytes", "tx_packets" };

static void
say_left_out (PrmonSeries *series)
{
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();

  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (series->max[i] < 0)
      g_ptr_array_add (missing, (char *) prmon_fields[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    g_ptr_array_add (missing, (char *) unknown[i]);
  exchange_say_left_out ("export", missing, "this run does not have them");
}

/* Returns whether all samples have the field. Write only such fields, or rows would differ in length. */
static gboolean
is_everywhere (PrmonSeries *series, guint field)
{
  for (guint i = 0; i < series->samples->len; i++)
    if (g_array_index (series->samples, PrmonSample, i).values[field] < 0)
      return FALSE;

  return TRUE;
}

static void
say_thinned (PrmonSeries *series)
{
  if (series->n_read > series->samples->len)
    g_printerr ("roast-report: export: %u of %" G_GUINT64_FORMAT
                " samples are written, the last sample of each second, because prmon's times are whole seconds\n",
                series->samples->len, series->n_read);
}

static void
put_samples (PrmonSeries *series, FILE *file, GPtrArray *partial)
{
  gboolean columns[PRMON_N_FIELDS];

  fputs ("Time", file);
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    {
      columns[i] = is_everywhere (series, i);
      if (columns[i])
        fprintf (file, "\t%s", prmon_fields[i].name);
      else if (series->max[i] >= 0)
        g_ptr_array_add (partial, (char *) prmon_fields[i].name);
    }
  for (guint row = 0; row < series->samples->len; row++)
    {
      const PrmonSample *sample = &g_array_index (series->samples, PrmonSample, row);

      fprintf (file, "\n%" G_GINT64_FORMAT, sample->time);
      for (guint i = 0; i < PRMON_N_FIELDS; i++)
        if (columns[i])
          fprintf (file, "\t%" G_GINT64_FORMAT, sample->values[i]);
    }
  fputc ('\n', file);
}

gboolean
prmon_text_export (ReportRun *run, const char *path, GError **error)
{
  g_autoptr (PrmonSeries) series = prmon_series_new (run->recording, error);
  g_autoptr (GPtrArray) partial = g_ptr_array_new ();
  FILE *file = NULL;

  if (series == NULL)
    return FALSE;
  if (series->samples->len == 0)
    return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
                       "this run has no sample of its process tree, so prmon's text would be empty; "
                       "--format=prmon-json writes its sums");
  file = exchange_create (path, error);
  if (file == NULL)
    return FALSE;
  put_samples (series, file, partial);
  if (!exchange_finish (file, path, error))
    return FALSE;
  say_left_out (series);
  exchange_say_left_out ("export", partial, "some samples do not have them");
  say_thinned (series);

  return TRUE;
}

/* ---- JSON ---- */

static gboolean
has_average (PrmonSeries *series, guint field)
{
  return prmon_fields[field].rate != NULL && !isnan (series->average[field]);
}

static void
put_machine (PrmonSeries *series, JsonOut *out)
{
  json_out_open (out, "HW", '{');
  if (series->cores >= 1)
    {
      json_out_open (out, "cpu", '{');
      json_out_int64 (out, "CPUs", (gint64) series->cores);
      json_out_close (out, '}');
    }
  if (series->host_memory >= 0)
    {
      json_out_open (out, "mem", '{');
      json_out_int64 (out, "MemTotal", series->host_memory / PRMON_KB);
      json_out_close (out, '}');
    }
  json_out_close (out, '}');
}

static void
put_values (PrmonSeries *series, JsonOut *out, gboolean is_average)
{
  json_out_open (out, is_average ? "Avg" : "Max", '{');
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (is_average && has_average (series, i))
      json_out_double (out, prmon_fields[i].name, round (series->average[i] * 1000) / 1000);
    else if (!is_average && series->max[i] >= 0)
      json_out_int64 (out, prmon_fields[i].name, series->max[i]);
  json_out_close (out, '}');
}

static void
put_units (PrmonSeries *series, JsonOut *out, gboolean is_average)
{
  json_out_open (out, is_average ? "Avg" : "Max", '{');
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (is_average ? has_average (series, i) : series->max[i] >= 0)
      json_out_text (out, prmon_fields[i].name, is_average ? prmon_fields[i].rate : prmon_fields[i].unit);
  json_out_close (out, '}');
}

gboolean
prmon_json_export (ReportRun *run, const char *path, GError **error)
{
  g_autoptr (PrmonSeries) series = prmon_series_new (run->recording, error);
  FILE *file = series != NULL ? exchange_create (path, error) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  JsonOut out = JSON_OUT_INIT (file, text);

  if (file == NULL)
    return FALSE;
  json_out_open (&out, NULL, '{');
  put_values (series, &out, TRUE);
  put_machine (series, &out);
  put_values (series, &out, FALSE);
  json_out_open (&out, "Units", '{');
  put_units (series, &out, TRUE);
  put_units (series, &out, FALSE);
  json_out_close (&out, '}');
  json_out_open (&out, "prmon", '{');
  json_out_text (&out, "Version", "roast " ROAST_VERSION_S);
  json_out_close (&out, '}');
  json_out_close (&out, '}');
  g_string_append_c (text, '\n');
  json_out_flush (&out);
  if (!exchange_finish (file, path, error))
    return FALSE;
  say_left_out (series);

  return TRUE;
}
