/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-performance.h"

#include <math.h>
#include <string.h>

#include "sheet.h"
#include "vine-thinning.h"

#define MAX_COLUMNS 256
#define MIB 1048576.0

/* Where columns of the log go: each a cell of cluster_samples. */
static const struct
{
  const char *column, *cell;
  double factor;
} gauges[] = {
  { "workers_connected", "workers", 1 },
  { "tasks_waiting", "tasks_queued", 1 },
  { "tasks_running", "tasks_executing", 1 },
  { "tasks_done", "tasks_done", 1 },
  { "tasks_failed", "tasks_failed", 1 },
  { "bytes_sent", "bytes_sent", 1 },
  { "bytes_received", "bytes_received", 1 },
  { "total_memory", "memory_limit", MIB },
  { "committed_memory", "memory_committed", MIB },
  { "total_disk", "disk_limit", MIB },
  { "committed_disk", "disk_used", MIB },
};

/* The manager is always in exactly one of these: they add up to the time since it began. */
static const struct
{
  const char *column, *part;
} parts[] = {
  { "time_send", "send" },         { "time_receive", "receive" },         { "time_status_msgs", "status" },
  { "time_internal", "internal" }, { "time_scheduling", "scheduling" },   { "time_polling", "polling" },
  { "time_application", "application" },
};

enum { SAMPLE_SOURCE, SAMPLE_TIME, SAMPLE_CORES, SAMPLE_COMMITTED, SAMPLE_GAUGES };
enum { BUDGET_SOURCE, BUDGET_TIME, BUDGET_PART, BUDGET_VALUE };
static const char *const budget_columns[] = { "source", "time", "part", "value", NULL };

struct _VinePerformance
{
  char *source;
  char **names; /* of columns; NULL before the header */
  guint n_columns;
  double values[MAX_COLUMNS]; /* the last row */
  gboolean has_row, is_written;
  VineThinning thinning;
  Sheet samples, budgets;
  guint64 n_bad;
};

VinePerformance *
vine_performance_new (RoastRecording *recording, const char *source, gint64 interval)
{
  VinePerformance *self = g_new0 (VinePerformance, 1);
  const char *columns[SAMPLE_GAUGES + G_N_ELEMENTS (gauges) + 1] = { "source", "time", "cores", "cores_committed" };

  for (guint i = 0; i < G_N_ELEMENTS (gauges); i++)
    columns[SAMPLE_GAUGES + i] = gauges[i].cell;
  self->source = g_strdup (source);
  vine_thinning_init (&self->thinning, interval);
  sheet_open (&self->samples, recording, "cluster_samples", columns);
  sheet_open (&self->budgets, recording, "budgets", budget_columns);

  return self;
}

void
vine_performance_free (VinePerformance *self)
{
  sheet_clear (&self->samples);
  sheet_clear (&self->budgets);
  g_strfreev (self->names);
  g_free (self->source);
  g_free (self);
}

double
vine_performance_get (VinePerformance *self, const char *column)
{
  if (!self->has_row)
    return NAN;
  for (guint i = 0; i < self->n_columns; i++)
    if (g_str_equal (self->names[i], column))
      return self->values[i];

  return NAN;
}

const char *
vine_performance_get_version (VinePerformance *self)
{
  if (self->names == NULL)
    return NULL;

  return g_strv_contains ((const char *const *) self->names, "tasks_recovery") ? "7.17 or later" : "7.14 to 7.16";
}

guint64
vine_performance_get_n_bad (VinePerformance *self)
{
  return self->n_bad;
}

static void
write_sample (VinePerformance *self, gint64 time)
{
  sheet_begin (&self->samples, self->source);
  sheet_set_count (&self->samples, SAMPLE_TIME, time);
  sheet_set_number (&self->samples, SAMPLE_CORES, vine_performance_get (self, "total_cores"));
  sheet_set_number (&self->samples, SAMPLE_COMMITTED, vine_performance_get (self, "committed_cores"));
  for (guint i = 0; i < G_N_ELEMENTS (gauges); i++)
    {
      double value = vine_performance_get (self, gauges[i].column) * gauges[i].factor;

      if (value >= 0 && value < 9e15)
        sheet_set_count (&self->samples, SAMPLE_GAUGES + i, llround (value));
    }
  sheet_end (&self->samples);
}

static void
write_budgets (VinePerformance *self, gint64 time)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      double us = vine_performance_get (self, parts[i].column);

      if (isnan (us))
        continue;
      sheet_begin (&self->budgets, self->source);
      sheet_set_count (&self->budgets, BUDGET_TIME, time);
      sheet_set_text (&self->budgets, BUDGET_PART, parts[i].part);
      sheet_set_number (&self->budgets, BUDGET_VALUE, us / G_USEC_PER_SEC);
      sheet_end (&self->budgets);
    }
}

static void
write_row (VinePerformance *self)
{
  gint64 time = (gint64) self->values[0];

  write_sample (self, time);
  write_budgets (self, time);
  self->is_written = TRUE;
}

/* "# timestamp name name …" */
static void
take_header (VinePerformance *self, VineText rest)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  VineText word;

  while (vine_text_next (&rest, &word))
    g_ptr_array_add (names, vine_text_dup (word));
  if (self->names != NULL || names->len == 0 || names->len > MAX_COLUMNS || !g_str_equal (names->pdata[0], "timestamp"))
    {
      self->n_bad++;
      return;
    }
  self->n_columns = names->len;
  g_ptr_array_add (names, NULL);
  self->names = (char **) g_ptr_array_steal (names, NULL);
}

void
vine_performance_take_line (VinePerformance *self, const char *line, gsize length)
{
  VineText rest = { line, length };
  VineText word;
  double values[MAX_COLUMNS];
  guint n = 0;
  gboolean good = self->names != NULL;

  if (length == 0)
    return;
  if (*line == '#')
    {
      rest.at++;
      rest.length--;
      take_header (self, rest);
      return;
    }
  while (good && vine_text_next (&rest, &word))
    good = n < self->n_columns && vine_text_number (word, &values[n++]);
  /* A row of another width than its header cannot be trusted: which column is missing? */
  if (!good || n != self->n_columns || !(values[0] > 1e15 && values[0] < 1e17))
    {
      self->n_bad++;
      return;
    }
  memcpy (self->values, values, n * sizeof *values);
  self->has_row = TRUE;
  self->is_written = FALSE;
  if (vine_thinning_is_due (&self->thinning, (gint64) values[0]))
    write_row (self);
}

void
vine_performance_finish (VinePerformance *self)
{
  if (self->has_row && !self->is_written)
    write_row (self);
}
