/* SPDX-License-Identifier: BSD-3-Clause */
#include "prmon-io.h"

#include <string.h>

typedef struct
{
  gint64 time;
  gint64 *last; /* of the process */
  gint64 values[PRMON_N_IO];
} Change;

struct _PrmonIo
{
  GHashTable *last; /* worker to gint64[PRMON_N_IO]: the values that are in the sums */
  GArray *changes;  /* of Change, in order of time */
  guint next;
  gint64 sums[PRMON_N_IO];
};

static gint64 *
get_last (PrmonIo *self, const char *worker)
{
  gint64 *last = g_hash_table_lookup (self->last, worker);

  if (last == NULL)
    {
      last = g_new0 (gint64, PRMON_N_IO);
      g_hash_table_insert (self->last, g_strdup (worker), last);
    }

  return last;
}

static void
add_change (PrmonIo *self, RoastTableReader *reader, guint time, gboolean is_sample, const char *worker)
{
  Change change = { .time = roast_table_reader_get_int64 (reader, time, -1) };
  gboolean is_known = FALSE;

  for (guint i = 0; i < PRMON_N_IO; i++)
    {
      guint slot = is_sample ? prmon_io_columns[i].sample : prmon_io_columns[i].process;

      change.values[i] = roast_table_reader_get_int64 (reader, slot, -1);
      is_known |= change.values[i] >= 0;
    }
  if (!is_known || change.time < 0)
    return;
  change.last = get_last (self, worker);
  g_array_append_val (self->changes, change);
}

static int
compare_changes (const Change *a, const Change *b)
{
  return (a->time > b->time) - (a->time < b->time);
}

static void
read_samples (PrmonIo *self, RoastRecording *recording, const char *source)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_read_table (recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns, NULL);

  while (roast_table_reader_next (samples))
    {
      const char *worker = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);

      if (worker != NULL &&
          g_strcmp0 (roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE), source) == 0)
        add_change (self, samples, ROAST_WORKER_SAMPLES_TIME, TRUE, worker);
    }
}

/* The name of a local worker is PID.PROCESS. */
static void
read_ends (PrmonIo *self, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  while (roast_table_reader_next (processes))
    {
      g_autofree char *worker = g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT,
                                                 roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, 0),
                                                 roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PROCESS, 0));

      if (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PROCESS, -1) > 0)
        add_change (self, processes, ROAST_PROCESSES_ENDED, FALSE, worker);
    }
}

PrmonIo *
prmon_io_new (RoastRecording *recording, const char *source)
{
  PrmonIo *self = g_new0 (PrmonIo, 1);

  self->last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  memset (self->sums, 0xff, sizeof self->sums); /* -1 in each */
  read_samples (self, recording, source);
  read_ends (self, recording);
  g_array_sort (self->changes, (GCompareFunc) compare_changes);

  return self;
}

void
prmon_io_free (PrmonIo *self)
{
  g_hash_table_unref (self->last);
  g_array_unref (self->changes);
  g_free (self);
}

static void
apply (PrmonIo *self, const Change *change)
{
  for (guint i = 0; i < PRMON_N_IO; i++)
    {
      if (change->values[i] < 0)
        continue;
      self->sums[i] = MAX (self->sums[i], 0) + change->values[i] - change->last[i];
      change->last[i] = change->values[i];
    }
}

void
prmon_io_advance (PrmonIo *self, gint64 time, gint64 *sums)
{
  for (; self->next < self->changes->len; self->next++)
    {
      const Change *change = &g_array_index (self->changes, Change, self->next);

      if (change->time > time)
        break;
      apply (self, change);
    }
  memcpy (sums, self->sums, sizeof self->sums);
}
