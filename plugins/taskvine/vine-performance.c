/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-performance.h"

#include <math.h>
#include <string.h>

#include "vine-clock.h"
#include "vine-downsampler.h"
#include "vine-manager-stats.h"

#define MAX_COLUMNS 256

struct _VinePerformance
{
  char **names; /* names of the columns; NULL until the header was read */
  guint n_columns;
  double values[MAX_COLUMNS]; /* cells of the last row that was read */
  gboolean has_row, is_written;
  VineClock clock;
  VineDownsampler downsampler;
  ExecutorSamples stats;
  guint64 n_bad;
};

VinePerformance *
vine_performance_new (RoastRecording *recording, const char *source, gint64 interval)
{
  VinePerformance *self = g_new0 (VinePerformance, 1);

  vine_downsampler_init (&self->downsampler, interval);
  executor_samples_init (&self->stats, recording, source);

  return self;
}

void
vine_performance_free (VinePerformance *self)
{
  executor_samples_clear (&self->stats);
  vine_clock_clear (&self->clock);
  g_strfreev (self->names);
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

  for (char **name = self->names; *name != NULL; name++)
    if (strcmp (*name, "tasks_recovery") == 0) /* check-source: allow slots: the log's own column */
      return "7.17 or later";

  return "7.14 to 7.16";
}

guint64
vine_performance_get_n_bad (VinePerformance *self)
{
  return self->n_bad;
}

static double
get (const char *name, gpointer user_data)
{
  return vine_performance_get (user_data, name);
}

static void
performance_write_row (VinePerformance *self)
{
  vine_manager_stats_write (&self->stats, (gint64) self->values[0], get, self);
  self->is_written = TRUE;
}

/* Parse "# timestamp name name …". */
static void
take_header (VinePerformance *self, VineToken rest)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  VineToken word;

  while (vine_token_next (&rest, &word))
    g_ptr_array_add (names, vine_token_dup (word));
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
  VineToken rest = { line, length };
  VineToken word;
  double values[MAX_COLUMNS];
  guint n = 0;
  gboolean good = self->names != NULL;

  if (length == 0)
    return;
  if (*line == '#')
    {
      rest.start++;
      rest.length--;
      take_header (self, rest);
      return;
    }
  while (good && vine_token_next (&rest, &word))
    good = n < self->n_columns && vine_token_to_double (word, &values[n++]);
  /* Skip a row if its number of cells differs from that of the header, because it is unknown which cell is missing. */
  if (!good || n != self->n_columns || !(values[0] > 1e15 && values[0] < 1e17))
    {
      self->n_bad++;
      return;
    }
  values[0] = (double) vine_clock_take (&self->clock, (gint64) values[0]);
  memcpy (self->values, values, n * sizeof *values);
  self->has_row = TRUE;
  self->is_written = FALSE;
  if (vine_downsampler_is_due (&self->downsampler, (gint64) values[0]))
    performance_write_row (self);
}

void
vine_performance_finish (VinePerformance *self)
{
  if (self->has_row && !self->is_written)
    performance_write_row (self);
}
