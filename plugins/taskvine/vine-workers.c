/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#include <math.h>
#include <string.h>

#include "each.h"
#include "vine-resources.h"

#define MAX_WORKERS 1000000

void
vine_worker_free (VineWorker *worker)
{
  g_free (worker->id);
  g_free (worker->name);
  g_free (worker->address);
  g_free (worker->host);
  g_clear_pointer (&worker->arrivals, g_hash_table_unref);
  g_free (worker);
}

/* ---- samples ---- */

static void
touch (VineReplay *self, VineWorker *worker)
{
  if (!vine_is_known (worker->changed))
    g_ptr_array_add (self->changed, worker);
  worker->changed = self->now;
}

void
vine_workers_load (VineReplay *self, VineWorker *worker, VineLoad load)
{
  if (worker == NULL || vine_is_known (worker->left))
    return;
  worker->active += load.active;
  worker->executing += load.executing;
  worker->cores += load.cores;
  worker->memory += load.memory;
  touch (self, worker);
}

void
vine_workers_serve (VineReplay *self, VineWorker *worker, int libraries, double cores, int calls)
{
  double seconds;

  if (worker == NULL || vine_is_known (worker->left))
    return;
  seconds = (double) MAX (0, self->now - worker->served) / G_USEC_PER_SEC;
  if (worker->library_cores > 0)
    {
      worker->service.ready += seconds;
      if (worker->calls > 0)
        worker->service.share += seconds * MIN (1, worker->library_cores / worker->calls);
    }
  worker->served = MAX (self->now, worker->served);
  worker->service.encounters += libraries > 0 && worker->libraries > 0 ? 1 : 0;
  worker->libraries += (guint) libraries;
  worker->library_cores = MAX (0, worker->library_cores + cores);
  worker->calls += (guint) calls;
}

static void
write_sample (VineReplay *self, VineWorker *worker)
{
  roast_table_writer_set_count (self->worker_samples, ROAST_WORKER_SAMPLES_TIME, worker->changed);
  roast_table_writer_set_string (self->worker_samples, ROAST_WORKER_SAMPLES_WORKER, worker->id);
  roast_table_writer_set_count (self->worker_samples, ROAST_WORKER_SAMPLES_ACTIVE_TASKS, worker->active);
  roast_table_writer_set_count (self->worker_samples, ROAST_WORKER_SAMPLES_EXECUTING_TASKS, worker->executing);
  roast_table_writer_set_double (self->worker_samples, ROAST_WORKER_SAMPLES_CORES_COMMITTED, worker->cores);
  roast_table_writer_set_count (self->worker_samples, ROAST_WORKER_SAMPLES_MEMORY_COMMITTED,
                                llround (worker->memory * VINE_MIB));
  roast_table_writer_end (self->worker_samples, NULL);
  worker->changed = -1;
}

void
vine_workers_flush (VineReplay *self)
{
  for (guint i = 0; i < self->changed->len; i++)
    write_sample (self, g_ptr_array_index (self->changed, i));
  vine_downsampler_count (&self->downsampler, self->changed->len);
  g_ptr_array_set_size (self->changed, 0);
  self->due = self->now + self->downsampler.interval;
}

/* ---- joining and leaving ---- */

static VineWorker *
workers_lookup (VineReplay *self, VineToken name)
{
  if (self->last_worker == NULL || !vine_token_equal (name, self->last_worker->name))
    self->last_worker = vine_token_lookup (name, self->names);

  return self->last_worker;
}

/* Add a connection of a worker. @before: the worker's previous connection, or NULL; @address: may be NULL */
static VineWorker *
add_worker (VineReplay *self, VineToken name, VineWorker *before, const char *address)
{
  VineWorker *worker = g_new0 (VineWorker, 1);

  worker->name = vine_token_dup (name);
  worker->n = before != NULL ? before->n + 1 : 1;
  worker->id = worker->n > 1 ? g_strdup_printf ("%s#%u", worker->name, worker->n) : g_strdup (worker->name);
  worker->address = g_strdup (address);
  worker->left = worker->changed = -1;
  worker->behind[0] = G_MININT64;
  worker->behind[1] = G_MAXINT64;
  worker->size = worker->limit = NAN;
  g_ptr_array_add (self->workers, worker);
  g_hash_table_replace (self->names, worker->name, worker);
  self->last_worker = worker;
  if (address != NULL)
    g_hash_table_replace (self->addresses, worker->address, worker);
  self->counts.workers.joined++;
  roast_table_writer_set_string (self->worker_rows, ROAST_WORKERS_WORKER, worker->id);
  roast_table_writer_set_count (self->worker_rows, ROAST_WORKERS_JOINED, self->now);
  roast_table_writer_end (self->worker_rows, NULL);
  worker->row = roast_table_writer_get_row (self->worker_rows);

  return worker;
}

/* Return whether the word is a name that a worker chose for itself: "worker-" and 32 hexadecimal digits. */
static gboolean
is_name (VineToken name)
{
  static const char prefix[] = "worker-";
  char copy[sizeof prefix + 32];

  return vine_token_copy (name, copy, sizeof copy) && g_str_has_prefix (copy, prefix) &&
         strspn (copy + strlen (prefix), "0123456789abcdefABCDEF") == 32;
}

VineWorker *
vine_workers_get (VineReplay *self, VineToken name)
{
  VineWorker *worker = workers_lookup (self, name);

  if (worker != NULL)
    return worker;
  /* If the word is not a name that a worker chose for itself, look it up as an address, because Work Queue names
   * workers by their addresses. */
  if (!is_name (name))
    return vine_token_lookup (name, self->addresses);
  if (self->workers->len >= MAX_WORKERS)
    return NULL;
  self->counts.workers.unnamed++;

  return add_worker (self, name, NULL, NULL);
}

/* Return the cause that corresponds to the reason TaskVine gives for the end of a connection. If the manager closed the
 * connection, the end counts as requested. */
static guint
find_cause (const char *reason)
{
  static const char *const closed[] = { "EXPLICIT", "IDLE_OUT", "FAST_ABORT", "STATUS_WORKER", "XFER_ERRORS", NULL };

  return g_strv_contains (closed, reason) ? ROAST_WORKER_END_CLOSED : ROAST_WORKER_END_LOST;
}

/* Write the end of a worker. If the status has not given the name of its host, use the address, because the log
 * contains only addresses. */
static void
write_left (VineReplay *self, VineWorker *worker, gboolean has_cause)
{
  const char *address = worker->host == NULL ? worker->address : NULL; /* HOST:PORT */
  const char *port = address != NULL ? strrchr (address, ':') : NULL;

  roast_table_writer_select_row (self->worker_rows, worker->row);
  if (address != NULL)
    roast_table_writer_set_string (self->worker_rows, ROAST_WORKERS_NAME, address);
  if (port != NULL)
    roast_table_writer_set_text (self->worker_rows, ROAST_WORKERS_HOST, address, (gsize) (port - address));
  roast_table_writer_set_count (self->worker_rows, ROAST_WORKERS_LEFT, worker->left);
  roast_table_writer_set_string (self->worker_rows, ROAST_WORKERS_LEAVE_REASON, worker->reason);
  if (has_cause)
    roast_table_writer_set_word (self->worker_rows, ROAST_WORKERS_CAUSE, find_cause (worker->reason));
  roast_table_writer_close (self->worker_rows, NULL);
}

static void
disconnect (VineReplay *self, VineWorker *worker, const char *reason)
{
  if (vine_is_known (worker->left))
    return;
  vine_workers_serve (self, worker, 0, 0, 0);
  worker->active = worker->executing = 0;
  worker->cores = worker->memory = 0;
  touch (self, worker);
  worker->left = self->now;
  worker->reason = g_string_chunk_insert_const (self->words, reason);
  g_clear_pointer (&worker->arrivals, g_hash_table_unref);
  self->counts.workers.left++;
  write_left (self, worker, TRUE);
}

gboolean
vine_workers_take_connection (VineReplay *self, VineToken name, VineToken rest)
{
  VineWorker *before = workers_lookup (self, name);
  g_autofree char *address = NULL;
  VineToken word;

  if (!vine_token_next (&rest, &word) || name.length > VINE_MAX_NAME || self->workers->len >= MAX_WORKERS)
    return FALSE;
  if (before != NULL)
    disconnect (self, before, "connected again");
  address = vine_token_dup (word);
  add_worker (self, name, before, address);

  return TRUE;
}

gboolean
vine_workers_take_disconnection (VineReplay *self, VineToken name, VineToken rest)
{
  VineWorker *worker = workers_lookup (self, name);
  g_autofree char *reason = NULL;
  VineToken word;

  if (!vine_token_next (&rest, &word))
    return FALSE;
  reason = vine_token_dup (word);
  if (worker != NULL)
    disconnect (self, worker, reason);

  return TRUE;
}

/* Take the resources that a worker reports. Use its first report with cores, because a worker reports 0 cores as long
 * as it does not know how many it has. */
gboolean
vine_workers_take_resources (VineReplay *self, VineToken name, VineToken rest)
{
  VineWorker *worker = vine_workers_get (self, name);
  VineResources resources;

  if (!vine_resources_read (&resources, &rest))
    return FALSE;
  if (worker == NULL || vine_is_known (worker->left) || !(resources.value[VINE_CORES] > 0))
    return TRUE;
  if (!isnan (worker->size))
    {
      gboolean other_cores = resources.value[VINE_CORES] != worker->size;
      gboolean other_memory = resources.value[VINE_MEMORY] != worker->limit &&
                              !(isnan (resources.value[VINE_MEMORY]) && isnan (worker->limit));

      self->counts.workers.resized += (other_cores || other_memory) && !worker->is_resized ? 1 : 0;
      worker->is_resized |= other_cores || other_memory;
      self->counts.workers.has_other_cores |= other_cores;
      self->counts.workers.has_other_memory |= other_memory;
      return TRUE;
    }
  worker->size = resources.value[VINE_CORES];
  worker->limit = resources.value[VINE_MEMORY];
  roast_table_writer_select_row (self->worker_rows, worker->row);
  roast_table_writer_set_double (self->worker_rows, ROAST_WORKERS_CORES, worker->size);
  roast_table_writer_set_count (self->worker_rows, ROAST_WORKERS_MEMORY_LIMIT,
                                vine_resources_bytes (&resources, VINE_MEMORY));
  roast_table_writer_end (self->worker_rows, NULL);

  return TRUE;
}

gboolean
vine_workers_finish (VineReplay *self, const char *reason)
{
  gboolean is_any = FALSE;

  FOR_EACH_POINTER (VineWorker, worker, self->workers)
    {
      if (vine_is_known (worker->left))
        continue;
      worker->left = self->now;
      worker->reason = g_string_chunk_insert_const (self->words, reason);
      write_left (self, worker, FALSE);
      is_any = TRUE;
    }

  return is_any;
}

/* ---- from the status ---- */

void
vine_workers_set_host (VineReplay *self, const char *address, const char *host)
{
  VineWorker *worker = g_hash_table_lookup (self->addresses, address);
  g_autofree char *name = NULL;

  if (worker == NULL || worker->host != NULL || vine_is_known (worker->left))
    return;
  worker->host = g_strdup (host);
  name = g_strconcat (host, strrchr (address, ':'), NULL);
  roast_table_writer_select_row (self->worker_rows, worker->row);
  roast_table_writer_set_string (self->worker_rows, ROAST_WORKERS_NAME, name);
  roast_table_writer_set_string (self->worker_rows, ROAST_WORKERS_HOST, host);
  roast_table_writer_end (self->worker_rows, NULL);
}

void
vine_workers_set_disk (VineReplay *self, const char *address, gint64 time, gint64 disk_used)
{
  VineWorker *worker = g_hash_table_lookup (self->addresses, address);

  if (worker == NULL || vine_is_known (worker->left) || disk_used < 0)
    return;
  roast_table_writer_set_count (self->worker_samples, ROAST_WORKER_SAMPLES_TIME, time);
  roast_table_writer_set_string (self->worker_samples, ROAST_WORKER_SAMPLES_WORKER, worker->id);
  roast_table_writer_set_count (self->worker_samples, ROAST_WORKER_SAMPLES_DISK_USED, disk_used);
  roast_table_writer_end (self->worker_samples, NULL);
}
