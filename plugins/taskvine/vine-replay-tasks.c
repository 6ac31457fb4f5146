/* SPDX-License-Identifier: BSD-3-Clause */

/* What the log tells of tasks: a chain of states for each attempt. */

#include <math.h>
#include <string.h>

#include "vine-replay-private.h"

#define MAX_ATTEMPT 1000000
#define MAX_REMEMBERED (1 << 24) /* tasks */

enum
{
  LIBRARY_SOURCE,
  LIBRARY_LIBRARY,
  LIBRARY_WORKER,
  LIBRARY_SENT,
  LIBRARY_STARTED,
  LIBRARY_ENDED,
  LIBRARY_RESULT
};
static const char *const library_columns[] = {
  "source", "library", "worker", "sent", "started", "ended", "result", NULL
};

/* A table of our own: what serves function calls is no task. */
static void
add_library_table (RoastRecording *recording)
{
  g_autoptr (RoastTable) table = NULL;

  if (roast_recording_get_table (recording, "libraries") != NULL)
    return;
  table = roast_table_new ("libraries", ROAST_TABLE_KIND_LOG, "One library that served function calls at a worker");
  roast_table_add_column (table, "source", ROAST_COLUMN_TYPE_CATEGORY, NULL, "what the row came from", NULL);
  roast_table_add_column (table, "library", ROAST_COLUMN_TYPE_STRING, NULL, "number of the task that it is", NULL);
  roast_table_add_column (table, "worker", ROAST_COLUMN_TYPE_CATEGORY, NULL, "worker it is at", NULL);
  roast_table_add_column (table, "sent", ROAST_COLUMN_TYPE_INT64, "us", "when it was given to the worker", NULL);
  roast_table_add_column (table, "started", ROAST_COLUMN_TYPE_INT64, "us", "when it was ready for calls", NULL);
  roast_table_add_column (table, "ended", ROAST_COLUMN_TYPE_INT64, "us", "when it ended, or its worker left", NULL);
  roast_table_add_column (table, "result", ROAST_COLUMN_TYPE_CATEGORY, NULL, "how it ended", NULL);
  roast_recording_add_table (recording, table, NULL);
}

void
vine_replay_open_tasks (VineReplay *self)
{
  add_library_table (self->recording);
  sheet_open (&self->sheet_libraries, self->recording, "libraries", library_columns);
}

static Attempt *
lookup (VineReplay *self, gint64 id)
{
  return g_hash_table_lookup (self->attempts, GSIZE_TO_POINTER ((gsize) id));
}

/* Of the last attempt that is over; 0 if there is none. */
static int
get_last_number (VineReplay *self, gint64 id)
{
  return id < self->numbers->len ? self->numbers->data[id] : 0;
}

/* Tasks are numbered from 1 on. */
static void
remember_number (VineReplay *self, gint64 id, int number)
{
  guint length = self->numbers->len;

  if (id >= MAX_REMEMBERED)
    return;
  if (id >= length)
    {
      g_byte_array_set_size (self->numbers, (guint) id + 1);
      memset (self->numbers->data + length, 0, (gsize) id + 1 - length);
    }
  self->numbers->data[id] = (guint8) MIN (number, G_MAXUINT8);
}

static Attempt *
add_attempt (VineReplay *self, gint64 id, int number, Category *category)
{
  Attempt *attempt = g_new0 (Attempt, 1);

  attempt->id = id;
  attempt->number = MAX (number, get_last_number (self, id) + 1);
  attempt->category = category;
  attempt->span = self->span;
  attempt->submitted = attempt->dispatched = attempt->delivered = attempt->started = attempt->ended = -1;
  attempt->noticed = attempt->fetched = attempt->retrieved = attempt->lost = -1;
  attempt->cores = attempt->memory = attempt->cpu = NAN;
  attempt->peak = attempt->disk = attempt->read = attempt->written = attempt->bytes_in = attempt->bytes_out =
      attempt->exit_code = -1;
  g_hash_table_insert (self->attempts, GSIZE_TO_POINTER ((gsize) id), attempt);

  return attempt;
}

/* ---- at a worker ---- */

static double
or_zero (double value)
{
  return value > 0 ? value : 0;
}

/* It waits for a worker no more. */
static void
leave_queue (Attempt *attempt)
{
  if (attempt->state != WAITING || attempt->category == NULL)
    return;
  attempt->category->waiting--;
  attempt->category->changed = TRUE;
}

static void
give (VineReplay *self, Attempt *attempt, Worker *worker)
{
  attempt->worker = worker;
  attempt->state = RUNNING;
  if (attempt->category != NULL)
    {
      attempt->category->running++;
      attempt->category->changed = TRUE;
    }
  if (worker == NULL)
    return;
  attempt->next = worker->first;
  if (worker->first != NULL)
    worker->first->previous = attempt;
  worker->first = attempt;
  worker->active += attempt->library ? 0 : 1;
  worker->executing += attempt->library ? 0 : 1;
  worker->cores += or_zero (attempt->cores);
  worker->memory += or_zero (attempt->memory);
  vine_replay_touch_worker (self, worker);
}

static void
no_longer_executing (VineReplay *self, Attempt *attempt)
{
  attempt->state = EXECUTED;
  if (attempt->worker == NULL || attempt->worker->left >= 0 || attempt->library)
    return;
  attempt->worker->executing--;
  vine_replay_touch_worker (self, attempt->worker);
}

/* It is not at its worker any more. */
static void
take_away (VineReplay *self, Attempt *attempt)
{
  Worker *worker = attempt->worker;

  if (attempt->state == RUNNING)
    no_longer_executing (self, attempt);
  if (attempt->state != EXECUTED)
    return;
  attempt->state = RETRIEVED;
  if (attempt->category != NULL)
    {
      attempt->category->running--;
      attempt->category->changed = TRUE;
    }
  if (worker == NULL)
    return;
  if (attempt->previous != NULL)
    attempt->previous->next = attempt->next;
  else
    worker->first = attempt->next;
  if (attempt->next != NULL)
    attempt->next->previous = attempt->previous;
  attempt->previous = attempt->next = NULL;
  if (worker->left >= 0)
    return;
  worker->active -= attempt->library ? 0 : 1;
  worker->cores -= or_zero (attempt->cores);
  worker->memory -= or_zero (attempt->memory);
  vine_replay_touch_worker (self, worker);
}

/* It was taken for a task until here. The cores that it has are for calls. */
static void
become_library (VineReplay *self, Attempt *attempt)
{
  Worker *worker = attempt->worker;

  if (attempt->library)
    return;
  attempt->library = TRUE;
  self->counts.libraries++;
  if (worker == NULL || worker->left >= 0 || (attempt->state != RUNNING && attempt->state != EXECUTED))
    return;
  worker->active--;
  worker->executing -= attempt->state == RUNNING ? 1 : 0;
  vine_replay_touch_worker (self, worker);
}

/* Its worker leaves: what was not retrieved from it may be tried again. */
void
vine_replay_lose_worker (VineReplay *self, Worker *worker, const char *reason)
{
  for (Attempt *attempt = worker->first; attempt != NULL; attempt = attempt->next)
    {
      attempt->lost = self->now;
      attempt->why_lost = reason;
    }
}

/* ---- how an attempt ends ---- */

static const char *
status_of (const Attempt *attempt)
{
  static const char *const exhausted[] = { "RESOURCE_EXHAUSTION", "SANDBOX_EXHAUSTION", "MAX_WALL_TIME", "MAX_END_TIME",
                                           NULL };

  if (attempt->result == NULL)
    return "unknown";
  if (g_str_equal (attempt->result, "SUCCESS"))
    return attempt->exit_code == 0 ? "done" : "failed";
  if (g_str_equal (attempt->result, "CANCELLED"))
    return "cancelled";

  return g_strv_contains (exhausted, attempt->result) ? "exhausted" : "failed";
}

static void
write_library (VineReplay *self, Attempt *attempt, gint64 ended)
{
  g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, attempt->id);

  sheet_begin (&self->sheet_libraries, self->source);
  sheet_set_text (&self->sheet_libraries, LIBRARY_LIBRARY, id);
  sheet_set_text (&self->sheet_libraries, LIBRARY_WORKER, attempt->worker != NULL ? attempt->worker->id : NULL);
  sheet_set_count (&self->sheet_libraries, LIBRARY_SENT, attempt->dispatched);
  sheet_set_count (&self->sheet_libraries, LIBRARY_STARTED, attempt->started);
  sheet_set_count (&self->sheet_libraries, LIBRARY_ENDED, ended);
  sheet_set_text (&self->sheet_libraries, LIBRARY_RESULT,
                  attempt->result != NULL ? attempt->result
                  : attempt->lost >= 0    ? "worker left"
                                          : "running");
  sheet_end (&self->sheet_libraries);
}

static void
count_end (VineReplay *self, Attempt *attempt, const char *status)
{
  Category *category = attempt->category;

  if (g_str_equal (status, "lost"))
    self->counts.lost++;
  if (attempt->cores == 0 && attempt->started >= 0)
    self->n_coreless++;
  if (g_str_equal (status, "done"))
    *(isnan (attempt->cpu) ? &self->n_unmeasured : &self->n_measured) += 1;
  if (category == NULL)
    return;
  category->changed = TRUE;
  if (g_str_equal (status, "done"))
    category->done++;
  else if (g_str_equal (status, "failed") || g_str_equal (status, "exhausted"))
    category->failed++;
  else if (g_str_equal (status, "lost"))
    category->lost++;
  if (attempt->ended > attempt->started && attempt->started >= 0)
    category->longest = MAX (category->longest, (double) (attempt->ended - attempt->started) / G_USEC_PER_SEC);
}

/* It is over, and forgotten. */
static void
end_attempt (VineReplay *self, Attempt *attempt, const char *status, gint64 returned)
{
  take_away (self, attempt);
  if (attempt->library)
    {
      write_library (self, attempt, attempt->retrieved >= 0 ? attempt->retrieved : attempt->lost);
    }
  else
    {
      count_end (self, attempt, status);
      vine_replay_write_attempt (self, attempt, status, returned);
    }
  remember_number (self, attempt->id, attempt->number);
  g_hash_table_remove (self->attempts, GSIZE_TO_POINTER ((gsize) attempt->id));
}

/* It is to be tried again (@more: with all that a worker has): its worker left, or gave it back, or it got too little,
 * of which the log has no result. */
static void
end_before_retry (VineReplay *self, Attempt *attempt, gboolean more)
{
  if (attempt->state == RETRIEVED)
    {
      end_attempt (self, attempt, status_of (attempt), -1);
      return;
    }
  if (attempt->lost >= 0)
    {
      end_attempt (self, attempt, "lost", -1);
      return;
    }
  self->n_given_back++;
  attempt->lost = attempt->noticed >= 0 ? attempt->noticed : self->now;
  attempt->why_lost = more ? "too little was given" : "given back";
  end_attempt (self, attempt, more ? "exhausted" : "lost", -1);
}

/* ---- records ---- */

/* CATEGORY (FIRST|MAX)_RESOURCES NUMBER {…}: a category may have blanks in it. */
static gboolean
take_ready (VineReplay *self, gint64 id, VineToken rest)
{
  const char *mark = g_strrstr_len (rest.at, (gssize) rest.length, "_RESOURCES ");
  Attempt *attempt = lookup (self, id);
  VineToken name, word;
  gboolean more;
  gint64 number;
  int last = 0;

  if (mark == NULL || rest.length < 2 || rest.at[rest.length - 1] != '}')
    return FALSE;
  name = (VineToken) { rest.at + 1, (gsize) (mark - rest.at) - 1 };
  rest.length -= (gsize) (mark - rest.at) + strlen ("_RESOURCES ");
  rest.at = mark + strlen ("_RESOURCES ");
  if (!vine_token_last (&name, &word) || name.length == 0 || !vine_token_next (&rest, &word) ||
      !vine_token_integer (word, &number) || number < 1 || number > MAX_ATTEMPT ||
      g_hash_table_size (self->attempts) >= MAX_OPEN)
    return FALSE;
  more = mark[-1] == 'X';

  if (attempt == NULL)
    {
      self->counts.submitted++;
      /* Two managers in one log number their tasks alike: a row is of one of them. */
      self->n_duplicates += get_last_number (self, id) > 0 ? 1 : 0;
    }
  else if (attempt->state != WAITING)
    {
      last = attempt->number;
      end_before_retry (self, attempt, more);
      attempt = NULL;
    }
  self->counts.attempts++;
  /* One that was not even given to a worker is put back. */
  if (attempt != NULL)
    {
      attempt->number = MAX (attempt->number, (int) number);
      return TRUE;
    }
  attempt = add_attempt (self, id, MAX (last + 1, (int) number), vine_replay_get_category (self, name));
  attempt->submitted = self->now;
  attempt->category->waiting++;
  attempt->category->changed = TRUE;

  return TRUE;
}

/* [WORKER [(FIRST|MAX)_RESOURCES {…}]] */
static gboolean
read_running (VineReplay *self, VineToken rest, Worker **worker, VineResources *resources)
{
  VineToken word;

  vine_resources_clear (resources);
  if (!vine_token_next (&rest, &word))
    return TRUE;
  if (!vine_token_is (word, "FIRST_RESOURCES") && !vine_token_is (word, "MAX_RESOURCES"))
    {
      *worker = vine_replay_get_worker (self, word);
      /* What was written over ends anywhere, but hardly with the name of a worker. */
      if (!vine_token_next (&rest, &word))
        return *worker != NULL;
    }

  return vine_resources_read (resources, &rest);
}

static gboolean
take_running (VineReplay *self, gint64 id, VineToken rest)
{
  Attempt *attempt = lookup (self, id);
  Worker *worker = NULL;
  VineResources resources;

  if (!read_running (self, rest, &worker, &resources))
    return FALSE;
  if (attempt != NULL && attempt->state != WAITING)
    {
      int number = attempt->number + 1;
      Category *category = attempt->category;

      self->n_duplicates++;
      end_before_retry (self, attempt, FALSE);
      attempt = add_attempt (self, id, number, category);
    }
  else if (attempt == NULL)
    {
      /* A library; or the line before was unusable. */
      attempt = add_attempt (self, id, 1, NULL);
    }
  else
    {
      leave_queue (attempt);
    }
  self->counts.dispatched++;
  attempt->dispatched = vine_resources_time (&resources, VINE_COMMIT_START);
  attempt->delivered = vine_resources_time (&resources, VINE_COMMIT_END);
  if (attempt->dispatched < 0)
    attempt->dispatched = self->now;
  if (attempt->delivered < 0)
    attempt->delivered = self->now;
  attempt->cores = resources.value[VINE_CORES];
  attempt->memory = resources.value[VINE_MEMORY];
  attempt->bytes_in = vine_resources_bytes (&resources, VINE_INPUT_SIZE);
  give (self, attempt, worker);

  return TRUE;
}

static gboolean
take_waiting_retrieval (VineReplay *self, gint64 id)
{
  Attempt *attempt = lookup (self, id);

  if (attempt == NULL || attempt->state != RUNNING)
    return TRUE;
  attempt->noticed = self->now;
  no_longer_executing (self, attempt);

  return TRUE;
}

/* Started and ended by the worker's clock. If that cannot be, by the manager's, it is wrong; how long it took is not.
 */
static void
take_execution (VineReplay *self, Attempt *attempt, const VineResources *resources)
{
  gint64 started = vine_resources_time (resources, VINE_WORKER_START);
  gint64 ended = vine_resources_time (resources, VINE_WORKER_END);
  gint64 latest = attempt->noticed >= 0 ? attempt->noticed : self->now;
  gint64 shift = 0;

  if (started < 0 || ended < started)
    return;
  if (ended > latest)
    shift = latest - ended;
  if (started + shift < attempt->dispatched)
    shift = attempt->dispatched - started;
  self->skew = MAX (self->skew, ABS (shift));
  attempt->started = started + shift;
  attempt->ended = ended + shift;
  self->counts.execute += (double) (ended - started) / G_USEC_PER_SEC;
}

static const char *
intern (VineReplay *self, VineToken text)
{
  char copy[64];

  for (gsize i = 0; i < text.length; i++)
    if (!g_ascii_isupper (text.at[i]) && text.at[i] != '_')
      return NULL;
  if (!vine_token_copy (text, copy, sizeof copy))
    return NULL;

  return g_string_chunk_insert_const (self->strings, copy);
}

typedef struct
{
  const char *name;
  gint64 exit_code; /* negative where there was none */
} Result;

static gboolean
read_result (VineReplay *self, VineToken *rest, Result *result)
{
  VineToken name, word;
  double exit_code;

  if (!vine_token_next (rest, &name) || !vine_token_next (rest, &word) || !vine_token_number (word, &exit_code) ||
      fabs (exit_code) > G_MAXINT)
    return FALSE;
  *result = (Result) { intern (self, name), (gint64) exit_code };

  return result->name != NULL;
}

/* DONE may say less than RETRIEVED did; of what was cancelled it says more. */
static void
set_result (Attempt *attempt, Result result)
{
  if (attempt->result != NULL && !g_str_equal (attempt->result, "UNKNOWN"))
    return;
  attempt->result = result.name;
  attempt->exit_code = result.exit_code;
}

static void
take_measurements (Attempt *attempt, const VineResources *resources)
{
  attempt->cpu = vine_resources_seconds (resources, VINE_CPU_TIME);
  /* Without a CPU time the rest is what was given, not what was measured. */
  if (isnan (attempt->cpu))
    return;
  attempt->peak = vine_resources_bytes (resources, VINE_MEMORY);
  attempt->disk = vine_resources_bytes (resources, VINE_DISK);
  attempt->read = vine_resources_bytes (resources, VINE_BYTES_READ);
  attempt->written = vine_resources_bytes (resources, VINE_BYTES_WRITTEN);
}

/* RESULT EXIT [{limits}] {measured} */
static gboolean
take_retrieved (VineReplay *self, gint64 id, VineToken rest)
{
  Attempt *attempt = lookup (self, id);
  VineResources resources;
  Result result;
  double output;

  if (!read_result (self, &rest, &result) || !vine_resources_read (&resources, &rest))
    return FALSE;
  /* One that was written over breaks off in the second object, often. */
  if (!vine_token_is_blank (rest) && !vine_resources_read (&resources, &rest))
    return FALSE;
  if (attempt == NULL)
    attempt = add_attempt (self, id, 1, NULL);
  set_result (attempt, result);
  attempt->retrieved = self->now;
  if (g_str_equal (attempt->result, "LIBRARY_EXIT"))
    become_library (self, attempt);
  if (!attempt->library)
    {
      take_execution (self, attempt, &resources);
      take_measurements (attempt, &resources);
      output = vine_resources_seconds (&resources, VINE_OUTPUT_TIME);
      attempt->fetched = isnan (output) ? -1 : self->now - llround (output * G_USEC_PER_SEC);
      attempt->bytes_out = vine_resources_bytes (&resources, VINE_OUTPUT_SIZE);
    }
  leave_queue (attempt);
  take_away (self, attempt);
  /* Also if nobody was said to run it. */
  attempt->state = RETRIEVED;

  return TRUE;
}

static gboolean
take_done (VineReplay *self, gint64 id, VineToken rest)
{
  Attempt *attempt = lookup (self, id);
  Result result;

  if (!read_result (self, &rest, &result))
    return FALSE;
  if (attempt == NULL)
    return TRUE;
  set_result (attempt, result);
  /* It is not told when it began, but when it was given up. */
  if (g_str_equal (attempt->result, "CANCELLED") && attempt->dispatched >= 0 && attempt->started < 0)
    attempt->lost = attempt->retrieved >= 0 ? attempt->retrieved : self->now;
  leave_queue (attempt);
  self->counts.returned += attempt->library ? 0 : 1;
  end_attempt (self, attempt, status_of (attempt), self->now);

  return TRUE;
}

gboolean
vine_replay_take_task (VineReplay *self, VineToken rest)
{
  VineToken word, state;
  gint64 id;

  if (!vine_token_next (&rest, &word) || !vine_token_integer (word, &id) || !vine_token_next (&rest, &state))
    return FALSE;
  if (vine_token_is (state, "READY"))
    return take_ready (self, id, rest);
  if (vine_token_is (state, "RUNNING"))
    return take_running (self, id, rest);
  if (vine_token_is (state, "WAITING_RETRIEVAL"))
    return take_waiting_retrieval (self, id);
  if (vine_token_is (state, "RETRIEVED"))
    return take_retrieved (self, id, rest);
  if (vine_token_is (state, "DONE"))
    return take_done (self, id, rest);

  return vine_token_is (state, "INITIAL") || vine_replay_note_unknown (self, state);
}

gboolean
vine_replay_take_library (VineReplay *self, VineToken rest)
{
  VineToken word, state;
  Attempt *attempt = NULL;
  gint64 id;

  if (!vine_token_next (&rest, &word) || !vine_token_integer (word, &id) || !vine_token_next (&rest, &state))
    return FALSE;
  attempt = lookup (self, id);
  if (attempt == NULL)
    return TRUE;
  become_library (self, attempt);
  if (vine_token_is (state, "STARTED"))
    attempt->started = self->now;
  else if (vine_token_is (state, "FAILURE"))
    attempt->result = "FAILURE";

  return TRUE;
}

/* ---- the end ---- */

/* A worker that was killed may stay connected: what is said to run there does not. */
static void
tell_of_suspects (VineReplay *self, guint suspects)
{
  g_autofree char *message = NULL;

  if (suspects == 0)
    return;
  message = g_strdup_printf ("%u attempt(s) ran for more than ten times as long as any other of their kind when the "
                             "log ends: their workers may "
                             "have died with the connection left open. Their time counts nowhere",
                             suspects);
  vine_replay_note_event (self, ROAST_SEVERITY_WARNING, "workers-silent", message);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const Attempt *x = *(const Attempt *const *) a;
  const Attempt *y = *(const Attempt *const *) b;

  return x->id < y->id ? -1 : x->id > y->id;
}

static gboolean
is_suspect (VineReplay *self, const Attempt *attempt)
{
  double age = (double) (self->last - attempt->delivered) / G_USEC_PER_SEC;

  return attempt->state == RUNNING && attempt->lost < 0 && !attempt->library && attempt->category != NULL &&
         attempt->category->longest > 0 && age > 10 && age > 10 * attempt->category->longest;
}

/* In the order of their numbers, so that the same log gives the same rows. */
void
vine_replay_end_tasks (VineReplay *self, gboolean goes_on)
{
  g_autoptr (GPtrArray) open = g_ptr_array_sized_new (g_hash_table_size (self->attempts));
  GHashTableIter iter;
  gpointer attempt;
  guint suspects = 0;

  g_hash_table_iter_init (&iter, self->attempts);
  while (g_hash_table_iter_next (&iter, NULL, &attempt))
    g_ptr_array_add (open, attempt);
  g_ptr_array_sort (open, compare_ids);
  for (guint i = 0; i < open->len; i++)
    {
      Attempt *one = g_ptr_array_index (open, i);

      if (is_suspect (self, one))
        suspects++;
      else
        vine_replay_add_unfinished (self, one);
      if (one->state == RETRIEVED)
        end_attempt (self, one, status_of (one), -1);
      else if (one->state == WAITING)
        {
          self->counts.waiting++;
          end_attempt (self, one, "waiting", -1);
        }
      else if (one->lost >= 0)
        end_attempt (self, one, "lost", -1);
      else
        {
          self->counts.interrupted += one->library ? 0 : 1;
          end_attempt (self, one, goes_on ? "running" : "interrupted", -1);
        }
    }
  tell_of_suspects (self, suspects);
}
