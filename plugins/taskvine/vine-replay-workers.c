/* SPDX-License-Identifier: BSD-3-Clause */

/* What the log tells of workers, and of files that go to and from them. */

#include <math.h>
#include <string.h>

#include "vine-replay-private.h"

#define MAX_DURATION (G_GINT64_CONSTANT (1000000000) * G_USEC_PER_SEC)

enum
{
  WORKER_SOURCE,
  WORKER_WORKER,
  WORKER_NAME,
  WORKER_HOST,
  WORKER_CORES,
  WORKER_MEMORY,
  WORKER_JOINED,
  WORKER_LEFT,
  WORKER_REASON
};
static const char *const worker_columns[] = { "source",       "worker", "name", "host",         "cores",
                                              "memory_limit", "joined", "left", "leave_reason", NULL };

enum
{
  SAMPLE_SOURCE,
  SAMPLE_TIME,
  SAMPLE_WORKER,
  SAMPLE_ACTIVE,
  SAMPLE_EXECUTING,
  SAMPLE_CORES,
  SAMPLE_MEMORY,
  SAMPLE_DISK
};
static const char *const sample_columns[] = {
  "source",           "time",      "worker", "active_tasks", "executing_tasks", "cores_committed",
  "memory_committed", "disk_used", NULL
};

enum
{
  TRANSFER_SOURCE,
  TRANSFER_WORKER,
  TRANSFER_NAME,
  TRANSFER_DIRECTION,
  TRANSFER_BYTES,
  TRANSFER_STARTED,
  TRANSFER_ENDED
};
static const char *const transfer_columns[] = { "source", "worker",  "name",  "direction",
                                                "bytes",  "started", "ended", NULL };

void
vine_replay_open_workers (VineReplay *self)
{
  sheet_open (&self->sheet_workers, self->recording, "workers", worker_columns);
  sheet_open (&self->sheet_samples, self->recording, "worker_samples", sample_columns);
  sheet_open (&self->sheet_transfers, self->recording, "transfers", transfer_columns);
}

/* ---- samples ---- */

/* There is something new of it, to be written when a sample is due. */
void
vine_replay_touch_worker (VineReplay *self, Worker *worker)
{
  if (worker->changed < 0)
    g_ptr_array_add (self->dirty, worker);
  worker->changed = self->now;
}

static void
write_sample (VineReplay *self, Worker *worker)
{
  sheet_begin (&self->sheet_samples, self->source);
  sheet_set_count (&self->sheet_samples, SAMPLE_TIME, worker->changed);
  sheet_set_text (&self->sheet_samples, SAMPLE_WORKER, worker->id);
  sheet_set_count (&self->sheet_samples, SAMPLE_ACTIVE, worker->active);
  sheet_set_count (&self->sheet_samples, SAMPLE_EXECUTING, worker->executing);
  sheet_set_number (&self->sheet_samples, SAMPLE_CORES, worker->cores);
  sheet_set_count (&self->sheet_samples, SAMPLE_MEMORY, llround (worker->memory * (1 << 20)));
  sheet_end (&self->sheet_samples);
  worker->changed = -1;
}

void
vine_replay_sample_workers (VineReplay *self)
{
  for (guint i = 0; i < self->dirty->len; i++)
    write_sample (self, g_ptr_array_index (self->dirty, i));
  vine_downsampler_count (&self->thinning, self->dirty->len);
  g_ptr_array_set_size (self->dirty, 0);
  self->sampled = self->now + self->thinning.interval;
}

/* ---- joining and leaving ---- */

static void
begin_row (VineReplay *self, const Worker *worker)
{
  sheet_begin (&self->sheet_workers, self->source);
  sheet_set_text (&self->sheet_workers, WORKER_WORKER, worker->id);
}

static Worker *
lookup (VineReplay *self, VineToken name)
{
  char key[256];

  return vine_token_copy (name, key, sizeof key) ? g_hash_table_lookup (self->workers, key) : NULL;
}

/* @address may be NULL. */
static Worker *
add_worker (VineReplay *self, VineToken name, const char *address)
{
  Worker *before = lookup (self, name);
  Worker *worker = g_new0 (Worker, 1);

  worker->name = vine_token_dup (name);
  worker->n = before != NULL ? before->n + 1 : 1;
  worker->id = worker->n > 1 ? g_strdup_printf ("%s#%u", worker->name, worker->n) : g_strdup (worker->name);
  worker->address = g_strdup (address);
  worker->joined = self->now;
  worker->left = worker->changed = -1;
  worker->size = worker->limit = NAN;
  g_ptr_array_add (self->all_workers, worker);
  g_hash_table_replace (self->workers, worker->name, worker);
  if (address != NULL)
    g_hash_table_replace (self->addresses, worker->address, worker);
  self->counts.joined++;
  begin_row (self, worker);
  sheet_set_count (&self->sheet_workers, WORKER_JOINED, worker->joined);
  sheet_end (&self->sheet_workers);

  return worker;
}

/* As workers name themselves: "worker-" and 32 hexadecimal digits. */
static gboolean
is_name (VineToken name)
{
  static const char mark[] = "worker-";
  gsize n = strlen (mark);

  if (name.length != n + 32 || memcmp (name.at, mark, n) != 0)
    return FALSE;
  for (gsize i = n; i < name.length; i++)
    if (!g_ascii_isxdigit (name.at[i]))
      return FALSE;

  return TRUE;
}

Worker *
vine_replay_get_worker (VineReplay *self, VineToken name)
{
  Worker *worker = lookup (self, name);

  if (worker != NULL || !is_name (name) || self->all_workers->len >= MAX_WORKERS)
    return worker;
  self->counts.unnamed++;

  return add_worker (self, name, NULL);
}

static void
write_left (VineReplay *self, Worker *worker, const char *reason)
{
  begin_row (self, worker);
  if (worker->host == NULL)
    sheet_set_text (&self->sheet_workers, WORKER_NAME, worker->address);
  sheet_set_count (&self->sheet_workers, WORKER_LEFT, worker->left);
  sheet_set_text (&self->sheet_workers, WORKER_REASON, reason);
  sheet_end (&self->sheet_workers);
}

static void
disconnect (VineReplay *self, Worker *worker, const char *reason)
{
  if (worker->left >= 0)
    return;
  worker->left = self->now;
  self->counts.left++;
  vine_replay_lose_worker (self, worker, g_string_chunk_insert_const (self->strings, reason));
  worker->active = worker->executing = 0;
  worker->cores = worker->memory = 0;
  vine_replay_touch_worker (self, worker);
  write_left (self, worker, reason);
}

static gboolean
take_connection (VineReplay *self, VineToken name, VineToken rest)
{
  Worker *before = lookup (self, name);
  g_autofree char *address = NULL;
  VineToken word;

  if (!vine_token_next (&rest, &word) || name.length > 200 || self->all_workers->len >= MAX_WORKERS)
    return FALSE;
  if (before != NULL)
    disconnect (self, before, "connected again");
  address = vine_token_dup (word);
  add_worker (self, name, address);

  return TRUE;
}

static gboolean
take_disconnection (VineReplay *self, VineToken name, VineToken rest)
{
  Worker *worker = lookup (self, name);
  VineToken word;
  g_autofree char *reason = NULL;

  if (!vine_token_next (&rest, &word))
    return FALSE;
  if (worker == NULL)
    return TRUE;
  reason = vine_token_dup (word);
  disconnect (self, worker, reason);

  return TRUE;
}

/* What it has may change; the first counts, since a cell is set once. Before it is known there is none. */
static gboolean
take_resources (VineReplay *self, Worker *worker, VineToken rest)
{
  VineResources resources;

  if (!vine_resources_read (&resources, &rest))
    return FALSE;
  if (worker == NULL || !(resources.value[VINE_CORES] > 0))
    return TRUE;
  if (!isnan (worker->size))
    {
      gboolean same = resources.value[VINE_CORES] == worker->size && resources.value[VINE_MEMORY] == worker->limit;

      self->n_changed += same || worker->is_changed ? 0 : 1;
      worker->is_changed |= !same;
      return TRUE;
    }
  worker->size = resources.value[VINE_CORES];
  worker->limit = resources.value[VINE_MEMORY];
  begin_row (self, worker);
  sheet_set_number (&self->sheet_workers, WORKER_CORES, resources.value[VINE_CORES]);
  sheet_set_count (&self->sheet_workers, WORKER_MEMORY, vine_resources_bytes (&resources, VINE_MEMORY));
  sheet_end (&self->sheet_workers);

  return TRUE;
}

/* ---- files ---- */

/* NAME SIZE DURATION START: a name may have blanks in it. */
static gboolean
take_file (VineReplay *self, Worker *worker, const char *direction, VineToken rest)
{
  VineToken word;
  gint64 started, duration, bytes;
  char name[201];

  if (!vine_token_last (&rest, &word) || !vine_token_integer (word, &started) || !vine_token_last (&rest, &word) ||
      !vine_token_integer (word, &duration) || !vine_token_last (&rest, &word) || !vine_token_integer (word, &bytes) ||
      rest.length < 2)
    return FALSE;
  if (!self->options.transfers || worker == NULL)
    return TRUE;
  rest.at++;
  rest.length = MIN (rest.length - 1, sizeof name - 1);
  vine_token_copy (rest, name, sizeof name);
  sheet_begin (&self->sheet_transfers, self->source);
  sheet_set_text (&self->sheet_transfers, TRANSFER_WORKER, worker->id);
  if (g_utf8_validate (name, -1, NULL))
    sheet_set_text (&self->sheet_transfers, TRANSFER_NAME, name);
  sheet_set_text (&self->sheet_transfers, TRANSFER_DIRECTION, direction);
  sheet_set_count (&self->sheet_transfers, TRANSFER_BYTES, bytes);
  if (started > 0 && duration < MAX_DURATION)
    {
      sheet_set_count (&self->sheet_transfers, TRANSFER_STARTED, started);
      sheet_set_count (&self->sheet_transfers, TRANSFER_ENDED, started + duration);
    }
  sheet_end (&self->sheet_transfers);

  return TRUE;
}

static gboolean
take_transfer (VineReplay *self, Worker *worker, VineToken rest)
{
  VineToken direction;

  if (!vine_token_next (&rest, &direction))
    return FALSE;
  if (vine_token_is (direction, "INPUT"))
    return take_file (self, worker, "in", rest);

  return vine_token_is (direction, "OUTPUT") && take_file (self, worker, "out", rest);
}

gboolean
vine_replay_take_worker (VineReplay *self, VineToken rest)
{
  VineToken name, what;

  if (!vine_token_next (&rest, &name) || !vine_token_next (&rest, &what))
    return FALSE;
  /* Somebody asked for the status, or tried the port. */
  if (vine_token_is (name, "(null)"))
    return TRUE;
  if (vine_token_is (what, "TRANSFER"))
    return take_transfer (self, vine_replay_get_worker (self, name), rest);
  if (vine_token_is (what, "CACHE_UPDATE"))
    return take_file (self, vine_replay_get_worker (self, name), "cached", rest);
  if (vine_token_is (what, "RESOURCES"))
    return take_resources (self, vine_replay_get_worker (self, name), rest);
  if (vine_token_is (what, "CONNECTION"))
    return take_connection (self, name, rest);
  if (vine_token_is (what, "DISCONNECTION"))
    return take_disconnection (self, name, rest);

  return vine_replay_note_unknown (self, what);
}

/* ---- the end, and what the status adds ---- */

void
vine_replay_end_workers (VineReplay *self, gboolean goes_on)
{
  for (guint i = 0; i < self->all_workers->len; i++)
    {
      Worker *worker = g_ptr_array_index (self->all_workers, i);

      if (worker->left >= 0)
        continue;
      worker->left = self->now;
      write_left (self, worker,
                  goes_on            ? "still connected"
                  : self->ended >= 0 ? "manager ended"
                                     : "connected when the log ends");
    }
}

void
vine_replay_set_host (VineReplay *self, const char *address, const char *host)
{
  Worker *worker = g_hash_table_lookup (self->addresses, address);
  g_autofree char *name = NULL;

  if (worker == NULL || worker->host != NULL || worker->left >= 0)
    return;
  worker->host = g_strdup (host);
  name = g_strconcat (host, strrchr (address, ':'), NULL);
  begin_row (self, worker);
  sheet_set_text (&self->sheet_workers, WORKER_NAME, name);
  sheet_set_text (&self->sheet_workers, WORKER_HOST, host);
  sheet_end (&self->sheet_workers);
}

void
vine_replay_set_disk (VineReplay *self, const char *address, gint64 time, gint64 disk_used)
{
  Worker *worker = g_hash_table_lookup (self->addresses, address);

  if (worker == NULL || worker->left >= 0 || disk_used < 0 || time < self->last - G_USEC_PER_SEC)
    return;
  sheet_begin (&self->sheet_samples, self->source);
  sheet_set_count (&self->sheet_samples, SAMPLE_TIME, time);
  sheet_set_text (&self->sheet_samples, SAMPLE_WORKER, worker->id);
  sheet_set_count (&self->sheet_samples, SAMPLE_DISK, disk_used);
  sheet_end (&self->sheet_samples);
}
