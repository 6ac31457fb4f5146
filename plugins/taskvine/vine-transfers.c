/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-transfers.h"

#include <string.h>

#define MAX_DURATION (G_GINT64_CONSTANT (1000000000) * G_USEC_PER_SEC)
#define MAX_NAME 200

struct _VineTransfers
{
  const VineClock *clock;
  gboolean keep;
  guint64 n_copied;
  RoastTableWriter *rows;
};

VineTransfers *
vine_transfers_new (RoastRecording *recording, const char *source, const VineClock *clock, gboolean keep)
{
  VineTransfers *self = g_new0 (VineTransfers, 1);

  self->clock = clock;
  self->keep = keep;
  self->rows = roast_recording_write_table (recording, ROAST_TABLE_TRANSFERS, source, roast_transfers_columns, NULL);

  return self;
}

void
vine_transfers_free (VineTransfers *self)
{
  g_clear_object (&self->rows);
  g_free (self);
}

/* Return whether a task made the file for the manager. Such files have random names. */
static gboolean
is_result (VineToken name)
{
  static const char *const made[] = { " file-rnd-", " buffer-rnd-" };

  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    if (name.length > strlen (made[i]) && memcmp (name.start, made[i], strlen (made[i])) == 0)
      return TRUE;

  return FALSE;
}

/* Parse NAME SIZE DURATION START. The name may contain blanks. */
static gboolean
take_file (VineTransfers *self, VineWorker *worker, guint direction, VineToken rest)
{
  gboolean is_timed = FALSE;
  VineToken word;
  gint64 started, duration, bytes;

  if (!vine_token_last (&rest, &word) || !vine_token_to_integer (word, &started) || !vine_token_last (&rest, &word) ||
      !vine_token_to_integer (word, &duration) || !vine_token_last (&rest, &word) ||
      !vine_token_to_integer (word, &bytes) || rest.length < 2)
    return FALSE;
  if (worker == NULL)
    return TRUE;
  is_timed = started > 0 && duration < MAX_DURATION;
  if (direction == ROAST_DIRECTION_CACHED)
    self->n_copied += is_result (rest) ? 0 : 1;
  else
    vine_workers_move (worker, direction == ROAST_DIRECTION_OUT, is_timed ? duration : 0, bytes);
  if (!self->keep)
    return TRUE;
  roast_table_writer_set_string (self->rows, ROAST_TRANSFERS_WORKER, worker->id);
  roast_table_writer_set_text (self->rows, ROAST_TRANSFERS_NAME, rest.start + 1, MIN (rest.length - 1, MAX_NAME));
  roast_table_writer_set_word (self->rows, ROAST_TRANSFERS_DIRECTION, direction);
  roast_table_writer_set_count (self->rows, ROAST_TRANSFERS_BYTES, bytes);
  if (is_timed)
    {
      started = vine_clock_correct (self->clock, started);
      roast_table_writer_set_count (self->rows, ROAST_TRANSFERS_STARTED, started);
      roast_table_writer_set_count (self->rows, ROAST_TRANSFERS_ENDED, started + duration);
    }
  roast_table_writer_end (self->rows, NULL);

  return TRUE;
}

gboolean
vine_transfers_take_transfer (VineTransfers *self, VineWorker *worker, VineToken rest)
{
  VineToken direction;

  if (!vine_token_next (&rest, &direction))
    return FALSE;
  if (vine_token_equal (direction, "INPUT"))
    return take_file (self, worker, ROAST_DIRECTION_IN, rest);

  return vine_token_equal (direction, "OUTPUT") && take_file (self, worker, ROAST_DIRECTION_OUT, rest);
}

gboolean
vine_transfers_take_cache_update (VineTransfers *self, VineWorker *worker, VineToken rest)
{
  return take_file (self, worker, ROAST_DIRECTION_CACHED, rest);
}

guint64
vine_transfers_get_n_copied (VineTransfers *self)
{
  return self->n_copied;
}
