/* SPDX-License-Identifier: BSD-3-Clause */
#include "task-counts.h"

#include "coverage.h"
#include "events.h"
#include "group-element.h"
#include "metadata.h"
#include "names-key.h"
#include "notes.h"

/* ---- tasks with several attempts ---- */

/* A task with several rows, one per attempt. The outcome of the task is the status of the last attempt that was given
 * to a worker. */
typedef struct
{
  guint category;    /* category of the last attempt */
  gint64 last;       /* highest attempt number */
  gint64 last_given; /* highest number of an attempt that was given to a worker; 0 if none was */
  int status;        /* status of the attempt last_given */
  gboolean waits;    /* at least one attempt is waiting */
  gboolean given_up; /* the last attempt was cancelled before it was given to a worker */
} Retried;

static char *
dup_key (RoastTableReader *tasks)
{
  return names_key_join (roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE),
                         roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
}

/* Find the tasks with several attempts. Make a key only for second and later attempts, because most tasks have only one
 * attempt. */
static GHashTable *
find_retried (RoastTableReader *tasks)
{
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (roast_table_reader_next (tasks))
    if (roast_table_reader_get_double (tasks, ROAST_TASKS_ATTEMPT) > 1)
      g_hash_table_replace (found, dup_key (tasks), g_new0 (Retried, 1));

  return found;
}

/* Return NULL if the task of the current row has only one attempt. To save time, read the name of the task only if some
 * task has several attempts. */
static Retried *
lookup_retried (GHashTable *several, RoastTableReader *tasks)
{
  g_autofree char *key = g_hash_table_size (several) > 0 ? dup_key (tasks) : NULL;

  return key != NULL ? g_hash_table_lookup (several, key) : NULL;
}

/* ---- rows ---- */

/* Return the category of the current row of @table, which must be grouped by source and category. */
static TaskCategory *
task_counts_get_category (GArray *categories, RoastTableReader *table, guint source, guint category)
{
  guint n = categories->len;
  TaskCategory *found = group_element (categories, table);

  if (categories->len > n)
    {
      found->source = roast_table_reader_get_string (table, source);
      found->category = roast_table_reader_get_string (table, category);
    }

  return found;
}

/* Return whether the attempt was given to a worker. An attempt that was cancelled, exceeded a limit or has no result
 * may never have been given to a worker: return TRUE only if its row names a worker or has times at a worker. */
static gboolean
was_given (RoastTableReader *tasks, int status)
{
  switch (status)
    {
    case ROAST_STATUS_NEVER_RAN:
    case ROAST_STATUS_WAITING:
      return FALSE;
    case ROAST_STATUS_DONE:
    case ROAST_STATUS_FAILED:
    case ROAST_STATUS_KILLED_WORKER:
    case ROAST_STATUS_LOST:
    case ROAST_STATUS_RUNNING:
      return TRUE;
    default:
      return roast_table_reader_has (tasks, ROAST_TASKS_WORKER) ||
             roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED) ||
             roast_table_reader_has (tasks, ROAST_TASKS_STARTED);
    }
}

static int
read_status (RoastTableReader *tasks)
{
  int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);

  if (status >= 0)
    return status;

  return was_given (tasks, status) ? ROAST_STATUS_UNFINISHED : ROAST_STATUS_NEVER_RAN;
}

static void
note_attempt (Retried *retried, guint category, gint64 attempt, int status, gboolean given)
{
  retried->category = category;
  if (attempt >= retried->last)
    retried->given_up = status == ROAST_STATUS_CANCELLED && !given;
  retried->last = MAX (retried->last, attempt);
  retried->waits |= status == ROAST_STATUS_WAITING;
  if (!given || attempt < retried->last_given)
    return;
  retried->last_given = attempt;
  retried->status = status;
}

/* Add the outcome of each task with several attempts. If an earlier attempt was given to a worker but the last one was
 * not, the task is unfinished, because it was about to be tried again. Return how many of these were cancelled. */
static gint64
add_retried (GArray *categories, GHashTable *retried)
{
  gint64 n = 0;
  GHashTableIter iter;
  const Retried *one = NULL;

  g_hash_table_iter_init (&iter, retried);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &one))
    {
      int status = one->last_given == 0          ? (one->waits ? ROAST_STATUS_WAITING : ROAST_STATUS_NEVER_RAN)
                   : one->last_given < one->last ? ROAST_STATUS_UNFINISHED
                                                 : one->status;
      TaskOutcome *outcome = &g_array_index (categories, TaskCategory, one->category).outcomes[status];

      outcome->tasks++;
      outcome->retried += one->last_given > 1 ? 1 : 0;
      n += one->last_given > 0 && one->given_up ? 1 : 0;
    }

  return n;
}

/* largest time in µs that attempts may seem to end after the run, because clocks of machines differ */
#define LATEST (60 * G_USEC_PER_SEC)

/* Numbers of attempts whose rows lack cells or have impossible times. */
typedef struct
{
  gint64 latest;              /* time after which no attempt can end */
  gint64 done, without_times; /* attempts with a result, and those among them without a start or an end */
  gint64 untimed;             /* attempts at a worker without a result and without a start or an end */
  gint64 without_status;      /* attempts that ended but have no status */
  gint64 late;                /* attempts that ended after @latest */
  gint64 given_up;            /* tasks that were cancelled while they waited for another attempt */
} Lacks;

static void
take_lacks (Lacks *self, RoastTableReader *tasks)
{
  int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);
  gboolean has_end = roast_table_reader_has (tasks, ROAST_TASKS_ENDED);
  gboolean has_start = roast_table_reader_has (tasks, ROAST_TASKS_STARTED);

  self->without_status += status < 0 && has_end ? 1 : 0;
  self->late += roast_table_reader_get_int64 (tasks, ROAST_TASKS_ENDED, 0) > self->latest ? 1 : 0;
  if (status == ROAST_STATUS_NEVER_RAN || status == ROAST_STATUS_WAITING ||
      (status != ROAST_STATUS_DONE && !has_start && !roast_table_reader_has (tasks, ROAST_TASKS_WORKER)))
    return;
  self->done += status == ROAST_STATUS_DONE ? 1 : 0;
  if (!has_end || !has_start)
    *(status == ROAST_STATUS_DONE ? &self->without_times : &self->untimed) += 1;
}

static void
read_rows (RoastTableReader *tasks, GArray *categories, Lacks *lacks)
{
  g_autoptr (GHashTable) several = find_retried (tasks);

  GROUP_BY (tasks, ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY);
  while (roast_table_reader_next (tasks))
    {
      TaskCategory *category = task_counts_get_category (categories, tasks, ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY);
      int status = read_status (tasks);
      gboolean given = was_given (tasks, status);
      Retried *retried = lookup_retried (several, tasks);

      take_lacks (lacks, tasks);
      category->outcomes[status].attempts += given ? 1 : 0;
      if (retried != NULL)
        note_attempt (retried, roast_table_reader_get_group (tasks),
                      roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, 1), status, given);
      else
        category->outcomes[status].tasks++;
    }
  lacks->given_up = add_retried (categories, several);
}

/* ---- the executor's counts ---- */

/* Return whether a row has an earlier time than a previous row with the same key. If so, it is unclear which of the two
 * rows has the final counts. */
static gboolean
totals_go_back (RoastTableReader *totals, const guint *key, guint n_key)
{
  g_autoptr (GArray) latest = g_array_new (FALSE, TRUE, sizeof (gint64));

  roast_table_reader_group_by (totals, key, n_key);
  while (roast_table_reader_next (totals))
    {
      gint64 *last = group_element (latest, totals);
      gint64 time = roast_table_reader_get_int64 (totals, ROAST_TASK_TOTALS_TIME, *last);

      if (time < *last)
        return TRUE;
      *last = time;
    }

  return FALSE;
}

static void
read_totals (TaskCounts *self, RoastTableReader *totals, GArray *categories, GHashTable *without_attempts,
             GHashTable *without_retried)
{
  static const guint key[] = { ROAST_TASK_TOTALS_SOURCE, ROAST_TASK_TOTALS_CATEGORY, ROAST_TASK_TOTALS_STATUS };

  self->totals_go_back = totals_go_back (totals, key, G_N_ELEMENTS (key));
  roast_table_reader_last_per (totals, key, G_N_ELEMENTS (key));
  roast_table_reader_group_by (totals, key, 2);
  while (roast_table_reader_next (totals))
    {
      TaskCategory *category =
          task_counts_get_category (categories, totals, ROAST_TASK_TOTALS_SOURCE, ROAST_TASK_TOTALS_CATEGORY);
      int status = roast_table_reader_get_word (totals, ROAST_TASK_TOTALS_STATUS);
      TaskOutcome *outcome = NULL;

      if (status < 0)
        continue;
      outcome = &category->outcomes[status];
      outcome->tasks += roast_table_reader_get_int64 (totals, ROAST_TASK_TOTALS_TASKS, 0);
      outcome->retried += roast_table_reader_get_int64 (totals, ROAST_TASK_TOTALS_RETRIED, 0);
      outcome->attempts += roast_table_reader_get_int64 (totals, ROAST_TASK_TOTALS_ATTEMPTS, 0);
      if (!roast_table_reader_has (totals, ROAST_TASK_TOTALS_ATTEMPTS) && category->source != NULL)
        g_hash_table_add (without_attempts, (gpointer) category->source);
      if (!roast_table_reader_has (totals, ROAST_TASK_TOTALS_RETRIED) && category->source != NULL)
        g_hash_table_add (without_retried, (gpointer) category->source);
    }
}

/* Read the number of tasks in each state. Some executors record only these counts. */
static void
task_counts_read_states (RoastTableReader *states, GArray *categories)
{
  static const guint key[] = { ROAST_CATEGORY_STATES_SOURCE, ROAST_CATEGORY_STATES_CATEGORY,
                               ROAST_CATEGORY_STATES_STATE };
  static const int statuses[ROAST_TASK_STATE_N_WORDS] = {
    [ROAST_TASK_STATE_WAITING] = ROAST_STATUS_NEVER_RAN,  [ROAST_TASK_STATE_QUEUED] = ROAST_STATUS_NEVER_RAN,
    [ROAST_TASK_STATE_RUNNING] = ROAST_STATUS_UNFINISHED, [ROAST_TASK_STATE_DONE] = ROAST_STATUS_DONE,
    [ROAST_TASK_STATE_FAILED] = ROAST_STATUS_FAILED,      [ROAST_TASK_STATE_LOST] = ROAST_STATUS_LOST,
  };

  roast_table_reader_last_per (states, key, G_N_ELEMENTS (key));
  roast_table_reader_group_by (states, key, 2);
  while (roast_table_reader_next (states))
    {
      TaskCategory *category =
          task_counts_get_category (categories, states, ROAST_CATEGORY_STATES_SOURCE, ROAST_CATEGORY_STATES_CATEGORY);
      int state = roast_table_reader_get_word (states, ROAST_CATEGORY_STATES_STATE);
      gint64 n = roast_table_reader_get_int64 (states, ROAST_CATEGORY_STATES_TASKS, 0);

      if (state < 0)
        continue;
      /* Count no task twice: a lost task is tried again, so it also counts in another state. */
      category->outcomes[statuses[state]].tasks += state != ROAST_TASK_STATE_LOST ? n : 0;
      category->outcomes[statuses[state]].attempts += statuses[state] != ROAST_STATUS_NEVER_RAN ? n : 0;
    }
}

/* ---- for each source, the most complete counts ---- */

static GHashTable *
get_sources (GArray *categories)
{
  GHashTable *sources = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < categories->len; i++)
    if (g_array_index (categories, TaskCategory, i).source != NULL)
      g_hash_table_add (sources, (gpointer) g_array_index (categories, TaskCategory, i).source);

  return sources;
}

static gboolean
has_source (GHashTable *sources, const TaskCategory *category)
{
  return category->source != NULL && g_hash_table_contains (sources, category->source);
}

/* Append to the result each of @categories whose source is neither in @known nor in @known_too. Each of the two sets
 * may be NULL. Return whether anything was appended. */
static gboolean
task_counts_take (TaskCounts *self, GArray *categories, GHashTable *known, GHashTable *known_too)
{
  gboolean has_any = FALSE;

  FOR_EACH (const TaskCategory, category, categories)
    {
      if ((known != NULL && has_source (known, category)) || (known_too != NULL && has_source (known_too, category)))
        continue;
      g_array_append_val (self->categories, *category);
      has_any = TRUE;
    }

  return has_any;
}

static gint64
task_counts_count_attempts (GArray *categories, GHashTable *sources)
{
  gint64 n = 0;

  FOR_EACH (const TaskCategory, category, categories)
    for (guint k = 0; k < ROAST_STATUS_N_WORDS && has_source (sources, category); k++)
      n += k != ROAST_STATUS_UNFINISHED && k != ROAST_STATUS_RUNNING ? category->outcomes[k].attempts : 0;

  return n;
}

/* Return the reason why counts are incomplete; NULL if they are complete. Only sources that lack some of their rows
 * matter here. If a source has no rows at all, its counts come from another table. */
static char *
task_counts_dup_missing (RoastRecordingSnapshot *recording)
{
  g_autoptr (GPtrArray) all = coverage_list (recording, ROAST_TABLE_TASKS, NULL);
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();

  FOR_EACH_POINTER (const Coverage, one, all)
    if (one->source != NULL && one->state == ROAST_COVERAGE_STATE_PARTIAL && one->reason != NULL)
      g_ptr_array_add (missing, one->reason);
  if (missing->len == 0)
    return NULL;
  g_ptr_array_add (missing, NULL);

  return g_strjoinv ("; ", (char **) missing->pdata);
}

/* Set the notes of @self. @counted: number of attempts that executors counted. @rows: number of attempts of these
 * executors that have a row. @missing: reason why sources lack rows, or NULL. */
static void
task_counts_make_notes (TaskCounts *self, RoastRecordingSnapshot *recording, const char *missing, gint64 counted,
                        gint64 rows, gboolean needs_rows, const Lacks *lacks)
{
  g_autofree char *raised = events_describe (recording, "calls-may-raise");
  g_autofree char *dropped = needs_rows ? events_describe (recording, "frames-dropped") : NULL;
  g_autofree char *all = notes_join (missing, dropped);
  g_autofree char *differ = NULL;
  g_autofree char *untimed = NULL;
  g_autofree char *with_untimed = NULL;
  g_autofree char *open = NULL;

  if (rows > counted)
    differ = g_strdup_printf ("executors counted fewer attempts (%" G_GINT64_FORMAT
                              ") than have a row (%" G_GINT64_FORMAT ")",
                              counted, rows);
  else if (needs_rows && lacks->without_status > 0)
    differ = lacks->without_status == 1
                 ? g_strdup ("1 attempt ended, but its row has no status")
                 : g_strdup_printf ("%" G_GINT64_FORMAT " attempts ended, but their rows have no status",
                                    lacks->without_status);
  self->note = notes_join (all, differ);
  self->failed_note = notes_join (self->note, raised);
  g_clear_pointer (&differ, g_free);
  if (rows < counted)
    differ =
        g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " attempts have no row", counted - rows, counted);
  if (lacks->without_times > 0)
    untimed =
        g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " attempts with a result have no start or no end",
                         lacks->without_times, lacks->done);
  if (lacks->late > 0)
    self->late_note = g_strdup_printf ("%" G_GINT64_FORMAT " attempt%s ended more than a minute after the run",
                                       lacks->late, lacks->late == 1 ? "" : "s");
  if (lacks->given_up > 0)
    self->retried_note =
        g_strdup_printf ("attempts of tasks that were cancelled before another attempt (%" G_GINT64_FORMAT
                         ") may count as repeated, because the executor does not count such tasks",
                         lacks->given_up);
  with_untimed = notes_join (all, untimed);
  self->rows_note = notes_join (with_untimed, differ);
  if (lacks->untimed > 0)
    open = g_strdup_printf ("%" G_GINT64_FORMAT " attempt(s) without a result have no start or no end", lacks->untimed);
  self->longest_note = notes_join (self->rows_note, open);
}

/* If a source's rows in the table task_totals lack the numbers of attempts or retries, take them from the rows of its
 * tasks. */
static void
borrow (TaskCounts *self, GArray *rows, GHashTable *without_attempts, GHashTable *without_retried)
{
  for (guint i = 0; i < rows->len; i++)
    {
      TaskCategory category = g_array_index (rows, TaskCategory, i);

      for (guint k = 0; k < ROAST_STATUS_N_WORDS; k++)
        {
          category.outcomes[k].tasks = 0;
          if (!has_source (without_attempts, &category))
            category.outcomes[k].attempts = 0;
          if (!has_source (without_retried, &category))
            category.outcomes[k].retried = 0;
        }
      if (has_source (without_attempts, &category) || has_source (without_retried, &category))
        g_array_append_val (self->categories, category);
    }
}

/* Return whether @rows, the set of sources that have rows, contains all of @sources. */
static gboolean
have_rows (GHashTable *sources, GHashTable *rows)
{
  GHashTableIter iter;
  gpointer source;

  g_hash_table_iter_init (&iter, sources);
  while (g_hash_table_iter_next (&iter, &source, NULL))
    if (!g_hash_table_contains (rows, source))
      return FALSE;

  return TRUE;
}

/* Change the outcome of tasks that no worker has received to waiting, because the run still goes on. */
static void
keep_waiting (TaskCounts *self)
{
  for (guint i = 0; i < self->categories->len; i++)
    {
      TaskOutcome *outcomes = g_array_index (self->categories, TaskCategory, i).outcomes;

      task_outcome_accumulate (&outcomes[ROAST_STATUS_WAITING], &outcomes[ROAST_STATUS_NEVER_RAN]);
      outcomes[ROAST_STATUS_NEVER_RAN] = (TaskOutcome) { 0 };
    }
}

TaskCounts *
task_counts_new (RoastRecordingSnapshot *recording)
{
  TaskCounts *self = g_new0 (TaskCounts, 1);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (TaskCategory));
  g_autoptr (GArray) totals = g_array_new (FALSE, FALSE, sizeof (TaskCategory));
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (TaskCategory));
  g_autoptr (GHashTable) without_attempts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) without_retried = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) with_totals = NULL;
  g_autoptr (GHashTable) with_rows = NULL;
  g_autoptr (RoastTableReader) row_table = roast_tasks_read (recording);
  g_autoptr (RoastTableReader) total_table = roast_task_totals_read (recording);
  g_autoptr (RoastTableReader) state_table = roast_category_states_read (recording);
  g_autoptr (GVariant) goes_on = roast_recording_snapshot_lookup_metadata (recording, "goes-on", NULL);
  g_autofree char *missing = NULL;
  Lacks lacks = { .latest = G_MAXINT64 };
  gint64 counted;
  gboolean from_rows, from_states;

  self->categories = g_array_new (FALSE, FALSE, sizeof (TaskCategory));
  if (metadata_get_int64 (recording, "ended", &lacks.latest))
    lacks.latest += LATEST;
  read_rows (row_table, rows, &lacks);
  read_totals (self, total_table, totals, without_attempts, without_retried);
  task_counts_read_states (state_table, states);
  with_totals = get_sources (totals);
  with_rows = get_sources (rows);
  task_counts_take (self, totals, NULL, NULL);
  from_rows = task_counts_take (self, rows, with_totals, NULL);
  from_states = task_counts_take (self, states, with_totals, with_rows);
  /* Count attempts before borrow() adds the attempts from rows. */
  counted = g_hash_table_size (without_attempts) == 0 ? task_counts_count_attempts (totals, with_totals) : -1;
  borrow (self, rows, without_attempts, without_retried);
  self->has_attempts = have_rows (without_attempts, with_rows);
  self->has_retried = have_rows (without_retried, with_rows) && !from_states;
  if (counted < 0)
    counted = task_counts_count_attempts (rows, with_totals);
  missing = task_counts_dup_missing (recording);
  task_counts_make_notes (self, recording, missing, counted, task_counts_count_attempts (rows, with_totals), from_rows,
                          &lacks);
  if (goes_on != NULL)
    keep_waiting (self);

  return self;
}

void
task_counts_free (TaskCounts *self)
{
  g_array_unref (self->categories);
  g_free (self->note);
  g_free (self->failed_note);
  g_free (self->rows_note);
  g_free (self->longest_note);
  g_free (self->late_note);
  g_free (self->retried_note);
  g_free (self);
}
