/* SPDX-License-Identifier: BSD-3-Clause */
#include "prmon-io.h"

#include <string.h>

typedef struct
{
  gint64 time;
  guint worker; /* index of the process */
  gint64 values[PRMON_N_IO];
} Change;

struct _PrmonIo
{
  GHashTable *indices; /* worker to index */
  GArray *changes;     /* of Change, in order of time */
  guint next;
  GArray *last; /* of gint64: PRMON_N_IO for each process */
  gint64 sums[PRMON_N_IO];
};

static const guint sample_slots[PRMON_N_IO] = { ROAST_WORKER_SAMPLES_READ_CHARS, ROAST_WORKER_SAMPLES_WRITE_CHARS,
                                                ROAST_WORKER_SAMPLES_DISK_READ, ROAST_WORKER_SAMPLES_DISK_WRITE };
static const guint process_slots[PRMON_N_IO] = { ROAST_PROCESSES_READ_CHARS, ROAST_PROCESSES_WRITE_CHARS,
                                                 ROAST_PROCESSES_DISK_READ, ROAST_PROCESSES_DISK_WRITE };

static guint
get_index (PrmonIo *self, const char *worker)
{
  gpointer index = NULL;
  static const gint64 none[PRMON_N_IO] = { 0 };

  if (g_hash_table_lookup_extended (self->indices, worker, NULL, &index))
    return GPOINTER_TO_UINT (index);
  g_hash_table_insert (self->indices, g_strdup (worker), GUINT_TO_POINTER (g_hash_table_size (self->indices)));
  g_array_append_vals (self->last, none, PRMON_N_IO);

  return g_hash_table_size (self->indices) - 1;
}

static void
add_change (PrmonIo *self, RoastTableReader *reader, guint time, const guint *slots, const char *worker)
{
  Change change = { .time = roast_table_reader_get_int64 (reader, time, -1) };
  gboolean is_known = FALSE;

  for (guint i = 0; i < PRMON_N_IO; i++)
    {
      change.values[i] = roast_table_reader_get_int64 (reader, slots[i], -1);
      is_known |= change.values[i] >= 0;
    }
  if (!is_known || change.time < 0)
    return;
  change.worker = get_index (self, worker);
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
        add_change (self, samples, ROAST_WORKER_SAMPLES_TIME, sample_slots, worker);
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
        add_change (self, processes, ROAST_PROCESSES_ENDED, process_slots, worker);
    }
}

PrmonIo *
prmon_io_new (RoastRecording *recording, const char *source)
{
  PrmonIo *self = g_new0 (PrmonIo, 1);

  self->indices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  self->last = g_array_new (FALSE, FALSE, sizeof (gint64));
  memset (self->sums, 0xff, sizeof self->sums); /* -1 in each */
  read_samples (self, recording, source);
  read_ends (self, recording);
  g_array_sort (self->changes, (GCompareFunc) compare_changes);

  return self;
}

void
prmon_io_free (PrmonIo *self)
{
  g_hash_table_unref (self->indices);
  g_array_unref (self->changes);
  g_array_unref (self->last);
  g_free (self);
}

static void
apply (PrmonIo *self, const Change *change)
{
  gint64 *last = &g_array_index (self->last, gint64, change->worker * PRMON_N_IO);

  for (guint i = 0; i < PRMON_N_IO; i++)
    {
      if (change->values[i] < 0)
        continue;
      self->sums[i] = MAX (self->sums[i], 0) + change->values[i] - last[i];
      last[i] = change->values[i];
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
