/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#include <string.h>

#define MAX_DURATION (G_GINT64_CONSTANT (1000000000) * G_USEC_PER_SEC)

/* Return whether the file is a result that a task made for the manager, which has a random name. */
static gboolean
is_result (VineToken name)
{
  static const char *const made[] = { " file-rnd-", " buffer-rnd-" };

  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    if (name.length > strlen (made[i]) && memcmp (name.start, made[i], strlen (made[i])) == 0)
      return TRUE;

  return FALSE;
}

/* Add a file that the manager sent to the worker. If @back is set, the manager fetched it from the worker. */
static void
add_moved (VineWorker *worker, gboolean back, gint64 us, gint64 bytes)
{
  VineMoved *moved = &worker->moved[back ? 1 : 0];

  moved->us += us;
  moved->bytes += bytes;
  moved->is_known = TRUE;
}

/* Parse NAME SIZE DURATION START. The name may contain blanks. */
static gboolean
take_file (VineReplay *self, VineWorker *worker, guint direction, VineToken rest)
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
    self->counts.copied += is_result (rest) ? 0 : 1;
  else
    add_moved (worker, direction == ROAST_DIRECTION_OUT, is_timed ? duration : 0, bytes);
  if (!self->options.transfers)
    return TRUE;
  roast_table_writer_set_string (self->transfers, ROAST_TRANSFERS_WORKER, worker->id);
  roast_table_writer_set_text (self->transfers, ROAST_TRANSFERS_NAME, rest.start + 1,
                               MIN (rest.length - 1, VINE_MAX_NAME));
  roast_table_writer_set_word (self->transfers, ROAST_TRANSFERS_DIRECTION, direction);
  roast_table_writer_set_count (self->transfers, ROAST_TRANSFERS_BYTES, bytes);
  if (is_timed)
    {
      started = vine_clock_correct (&self->clock, started);
      roast_table_writer_set_count (self->transfers, ROAST_TRANSFERS_STARTED, started);
      roast_table_writer_set_count (self->transfers, ROAST_TRANSFERS_ENDED, started + duration);
    }
  roast_table_writer_end (self->transfers, NULL);

  return TRUE;
}

gboolean
vine_transfers_take (VineReplay *self, VineWorker *worker, gboolean is_cached, VineToken rest)
{
  VineToken direction;

  if (is_cached)
    return take_file (self, worker, ROAST_DIRECTION_CACHED, rest);
  if (!vine_token_next (&rest, &direction))
    return FALSE;
  if (vine_token_equal (direction, "INPUT"))
    return take_file (self, worker, ROAST_DIRECTION_IN, rest);

  return vine_token_equal (direction, "OUTPUT") && take_file (self, worker, ROAST_DIRECTION_OUT, rest);
}
