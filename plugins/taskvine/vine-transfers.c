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

/* Remember a temporary file that appeared at a worker. If a task made it, the task began at @started. */
static void
take_arrival (VineReplay *self, VineWorker *worker, VineToken name, gint64 started)
{
  static const char mark[] = " temp-";
  g_autofree char *text = NULL;
  VineFile *file = NULL;
  gint64 *key = NULL;
  GSList *files = NULL;

  if (name.length < strlen (mark) || memcmp (name.start, mark, strlen (mark)) != 0)
    return;
  text = vine_token_dup (name);
  file = g_hash_table_lookup (self->files, text);
  if (file == NULL)
    {
      file = g_new0 (VineFile, 1);
      g_hash_table_insert (self->files, g_string_chunk_insert (self->words, text), file);
    }
  if (worker->arrivals == NULL)
    worker->arrivals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_slist_free);
  if (!g_hash_table_steal_extended (worker->arrivals, &started, (gpointer *) &key, (gpointer *) &files))
    key = g_memdup2 (&started, sizeof started);
  g_hash_table_insert (worker->arrivals, key, g_slist_prepend (files, file));
}

/* Return whether another task had made a file, and its worker had left when the attempt was submitted. */
static gboolean
was_lost (const VineFile *file, const VineAttempt *attempt)
{
  return file->task > 0 && file->task != attempt->id && vine_is_known (file->worker->left) &&
         file->worker->left <= attempt->submitted;
}

gboolean
vine_files_take (const VineAttempt *attempt, gint64 started, VineFile *lost)
{
  GHashTable *arrivals = attempt->worker->arrivals;
  GSList *files = arrivals != NULL ? g_hash_table_lookup (arrivals, &started) : NULL;
  gboolean is_again = FALSE;

  for (GSList *next = files; next != NULL; next = next->next)
    if (was_lost (next->data, attempt))
      {
        *lost = *(const VineFile *) next->data;
        is_again = TRUE;
      }
  /* A task makes all its files again. */
  for (GSList *next = files; next != NULL; next = next->next)
    *(VineFile *) next->data =
        (VineFile) { is_again ? lost->task : attempt->id, is_again || attempt->is_retried, attempt->worker };
  if (files != NULL)
    g_hash_table_remove (arrivals, &started);

  return is_again;
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
    {
      self->counts.copied += is_result (rest) ? 0 : 1;
      if (is_timed)
        take_arrival (self, worker, rest, started);
    }
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
