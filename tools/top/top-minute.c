/* SPDX-License-Identifier: BSD-3-Clause */

/* Describes the last minute of a run: where the core time went, how many tasks ended, and how long the remaining tasks
 * will take. */

#include "top.h"

#include <math.h>
#include <string.h>

#include "core-parts.h"

#define MINUTE 60.0 /* s; length of the time that is described */
#define LEAST 0.01  /* minimum share of the core time at which a part is named */

/* Core-seconds of each part, as known at the time of one look. */
typedef struct
{
  double elapsed;
  double parts[ROAST_CORE_PART_N_WORDS];
  gboolean of_processes; /* the parts are those of the process tree, because there is no executor */
} TopMoment;

TopMinute *
top_minute_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (TopMoment));
}

/* ---- core time ---- */

static TopMoment
read_parts (const TopLook *look)
{
  g_auto (CoreParts) parts = { 0 };
  TopMoment moment = { .elapsed = look->elapsed };

  core_parts_init (&parts, look->snapshot, look->report);
  memcpy (moment.parts, parts.parts, sizeof moment.parts);
  moment.of_processes = parts.is_tree;

  return moment;
}

/* Adds the moment of this look. Keeps only the moments of the last minute, and the newest moment that is at least a
 * minute old. */
void
top_minute_add (TopMinute *self, const TopLook *look)
{
  TopMoment moment = read_parts (look);
  const TopMoment *last = self->len > 0 ? &g_array_index (self, TopMoment, self->len - 1) : NULL;

  /* Forget all moments if a replay went back in time. Do so if an executor began, too: before that, the core time was
   * that of processes. */
  if (last != NULL && (last->elapsed > moment.elapsed || last->of_processes != moment.of_processes))
    g_array_set_size (self, 0);
  /* Without new data, keep the time that is described. */
  else if (last != NULL && last->elapsed == moment.elapsed)
    return;
  g_array_append_val (self, moment);
  while (self->len > 2 && g_array_index (self, TopMoment, 1).elapsed <= moment.elapsed - MINUTE)
    g_array_remove_index (self, 0);
}

typedef struct
{
  guint part;
  double seconds;
} Part;

static int
compare_parts (const Part *a, const Part *b)
{
  return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

/* Computes how much core time each part took since the oldest moment, largest first. Returns the sum. Skips parts that
 * became smaller, because a later look corrected an earlier one. */
static double
find_parts (TopMinute *self, GArray *parts, double *since)
{
  const TopMoment *now = &g_array_index (self, TopMoment, self->len - 1);
  const TopMoment *then = &g_array_index (self, TopMoment, 0);
  double all = 0;

  *since = then == now ? 0 : then->elapsed;
  for (guint i = 0; i < ROAST_CORE_PART_N_WORDS; i++)
    {
      Part part = { i, now->parts[i] - (then == now ? 0 : then->parts[i]) };

      if (!(part.seconds > 0))
        continue;
      all += part.seconds;
      g_array_append_val (parts, part);
    }
  g_array_sort (parts, (GCompareFunc) compare_parts);

  return all;
}

char *
top_minute_describe (TopMinute *self, const TopLook *look)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_autoptr (GString) text = g_string_new (NULL);
  RoastSchema *schema = roast_registry_get_schema (look->registry);
  RoastVocabulary *vocabulary = roast_schema_lookup_vocabulary (schema, "core_part");
  double since = 0;
  double all = find_parts (self, parts, &since);
  g_autofree char *time = roast_format_number (look->elapsed - since, "duration");
  gboolean of_processes = g_array_index (self, TopMoment, self->len - 1).of_processes;

  if (!(all > 0))
    return g_strdup ("no core time is known yet");
  g_string_append_printf (text, "core time of %s%s: ", since > 0 ? "the last " : "all ", time);
  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);
      const char *word = roast_vocabulary_get_word (vocabulary, part->part);

      if (part->seconds >= LEAST * all)
        g_string_append_printf (text, "%s%s %.0f %%", i > 0 ? " · " : "",
                                core_part_get_words (schema, word, of_processes), 100 * part->seconds / all);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- progress ---- */

/* Progress of the executors. All times are in s. */
typedef struct
{
  double working; /* time since the first task was ready, was running, or was done */
  double quiet;   /* time in which certainly no task was done; 0 if no task was ready before */
  double done;    /* number of tasks that were done in the last minute, or since the first task if that is shorter */
  double length;  /* length of the time in which they were done */
  double running; /* number of tasks that ran in this time, on average, */
  double most;    /* and in the interval in which most ran */
} Lately;

static Lately
read_lately (const TopLook *look)
{
  g_autoptr (RoastTableReader) table = roast_over_time_read (look->report);
  double now = (double) look->reach / G_USEC_PER_SEC;
  double first = now, recent = now; /* when the first interval with work began, also in the last minute */
  double last = 0;                  /* when the last interval ended in which a task was done */
  double ran = 0;                   /* time of the tasks that ran in the last minute, in sum */
  Lately lately = { 0 };

  while (table != NULL && roast_table_reader_next (table))
    {
      double from = roast_table_reader_get_double (table, ROAST_OVER_TIME_STARTED) / G_USEC_PER_SEC;
      double to = roast_table_reader_get_double (table, ROAST_OVER_TIME_ENDED) / G_USEC_PER_SEC;
      double done = roast_table_reader_get_double (table, ROAST_OVER_TIME_DONE), running;

      if (!(done > 0 || roast_table_reader_get_double (table, ROAST_OVER_TIME_RUNNING) > 0 ||
            roast_table_reader_get_double (table, ROAST_OVER_TIME_WAITING) > 0))
        continue;
      first = fmin (first, from);
      if (done > 0)
        last = fmax (last, to);
      if (!(to > now - MINUTE))
        continue;
      recent = fmin (recent, from);
      lately.done += fmax (done, 0);
      running = fmax (roast_table_reader_get_double (table, ROAST_OVER_TIME_RUNNING), 0);
      ran += running * (to - from);
      lately.most = fmax (lately.most, running);
    }
  lately.working = now - first;
  lately.quiet = now - fmax (first, last);
  lately.length = now - fmin (recent, fmax (first, now - MINUTE));
  lately.running = ran / lately.length;

  return lately;
}

/* Returns how many tasks must run again although they were done, because their results were lost. Executors count them
 * as done, and among the tasks that wait or run. Compares the last counts of the executors with @all tasks that are
 * done, failed or left. This is a lower bound, because tasks may have been submitted since. */
static double
count_again (const TopLook *look, double all)
{
  static const guint slots[] = { ROAST_CLUSTER_SAMPLES_TASKS_WAITING, ROAST_CLUSTER_SAMPLES_TASKS_QUEUED,
                                 ROAST_CLUSTER_SAMPLES_TASKS_EXECUTING, ROAST_CLUSTER_SAMPLES_TASKS_DONE,
                                 ROAST_CLUSTER_SAMPLES_TASKS_FAILED };
  static const guint key[] = { ROAST_CLUSTER_SAMPLES_SOURCE };
  g_autoptr (RoastTableReader) table = roast_cluster_samples_read (look->snapshot);
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (double));
  double again = -all;

  if (table == NULL)
    return 0;
  roast_table_reader_group_by (table, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (table))
    {
      guint group = roast_table_reader_get_group (table);
      double count = 0;

      if (group >= counts->len)
        g_array_set_size (counts, group + 1);
      for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
        count += roast_table_reader_get_double (table, slots[i]);
      /* The counts hold until the next row that has all of them. */
      if (!isnan (count))
        g_array_index (counts, double, group) = count;
    }
  for (guint i = 0; i < counts->len; i++)
    again += g_array_index (counts, double, i);

  return fmax (again, 0);
}

/* Returns the number of tasks that are waiting or running; NaN if no executor counts tasks. */
static double
get_left (const TopLook *look, double *again)
{
  static const char *const open[] = { "tasks_waiting_total", "tasks_unfinished_total", "tasks_never_ran_total" };
  double ended = top_look_get (look, "tasks_done_total") + top_look_get (look, "tasks_failed_total");
  double sum = NAN;

  for (guint i = 0; i < G_N_ELEMENTS (open); i++)
    {
      double tasks = top_look_get (look, open[i]);

      if (!isnan (tasks))
        sum = tasks + (isnan (sum) ? 0 : sum);
    }

  *again = top_look_goes_on (look) && !isnan (ended + sum) ? count_again (look, ended + sum) : 0;

  return sum + *again;
}

/* Returns whether a running task has already taken much longer than all finished tasks. In this case, its end cannot be
 * predicted. */
static gboolean
has_overdue (const TopLook *look)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (look->report);

  for (guint i = 0; i < findings->len; i++)
    if (g_str_equal (roast_finding_get_rule (g_ptr_array_index (findings, i)), "under-way"))
      return TRUE;

  return FALSE;
}

static void
append_piece (GString *text, const char *piece)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", piece);
}

char *
top_describe_range (double shortest, double longest, double n)
{
  double spread = 1 / sqrt (fmax (n, 1));
  g_autofree char *least = roast_format_number (shortest * (1 - spread), "duration");
  g_autofree char *most = roast_format_number (longest * (1 + spread), "duration");

  return g_str_equal (least, most) ? g_steal_pointer (&least) : g_strdup_printf ("%s to %s", least, most);
}

/* Sets @present to whether an executor has a worker now, and @joined to the time at which the last one joined. Returns
 * whether there was ever a worker. */
static gboolean
find_workers (const TopLook *look, gboolean *present, double *joined)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (roast_run_model_get (look->snapshot), &n);
  gboolean any = FALSE;

  *present = FALSE;
  *joined = NAN;
  for (guint i = 0; i < n; i++)
    if (!workers[i].is_process)
      {
        any = TRUE;
        *present = *present || isnan (workers[i].left);
        *joined = fmax (*joined, workers[i].joined);
      }

  return any;
}

/* Returns whether the executor has reported since @moment that no worker has what tasks ask for. */
static gboolean
lacks_worker (const TopLook *look, double moment)
{
  g_autoptr (RoastTableReader) events = roast_events_read (look->snapshot);

  while (events != NULL && roast_table_reader_next (events))
    if (g_strcmp0 (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), "no-worker") == 0 &&
        !(roast_table_reader_get_double (events, ROAST_EVENTS_TIME) < moment))
      return TRUE;

  return FALSE;
}

/* Returns why the tasks that are left cannot all run as things are; NULL if they can, as far as is known. */
static char *
find_obstacle (const TopLook *look)
{
  gboolean is_present;
  double joined, misfits = 0;

  if (find_workers (look, &is_present, &joined) && !is_present)
    return g_strdup ("no worker is left");
  for (guint i = 0; i < look->categories->len; i++)
    misfits += g_array_index (look->categories, TopCategory, i).misfits;
  if (misfits > 0)
    return g_strdup_printf ("%.0f %s no worker", misfits, misfits == 1 ? "task fits" : "tasks fit");
  if (lacks_worker (look, joined) && top_look_get (look, "tasks_waiting_total") > 0)
    return g_strdup ("tasks ask for what no worker has");

  return NULL;
}

/* What the estimate of the remaining time is made from. */
typedef struct
{
  double unknown;   /* number of tasks that are left in categories of which no task is done */
  const char *name; /* the last of these categories; not owned */
  double work;      /* mean times of the other tasks that are left in sum, s */
  double longest;   /* longest time of a task in the other categories with tasks left, s */
} Open;

static Open
read_open (const TopLook *look)
{
  Open open = { 0 };

  for (guint i = 0; i < look->categories->len; i++)
    {
      const TopCategory *category = &g_array_index (look->categories, TopCategory, i);
      double left = category->running + category->waiting;

      if (!(left > 0))
        continue;
      if (category->done == 0)
        {
          open.unknown += left;
          open.name = category->name;
        }
      else if (category->timed > 0)
        {
          open.work += left * category->busy / category->timed;
          open.longest = fmax (open.longest, category->longest);
        }
    }

  return open;
}

/* Appends the remaining time of the known tasks if they go on as until now, or why it cannot be predicted. If no task
 * was done for longer than that, they do not go on so: appends for how long no task was done. Leaves out tasks of
 * categories of which no task is done, because their times are unknown. */
static void
append_time_left (const TopLook *look, double left, GString *text)
{
  Lately lately = read_lately (look);
  Open open = read_open (look);
  double done = top_look_get (look, "tasks_done_total"), failed = top_look_get (look, "tasks_failed_total");
  double recent = lately.done / lately.length;
  double mean = done / lately.working;
  double ended = 1 + (failed > 0 ? failed / done : 0); /* tasks that end for each task that is done */
  double known = left - open.unknown;
  double shortest = known / (fmax (recent, mean) * ended), longest = known / (fmin (recent, mean) * ended);
  g_autofree char *obstacle = left > 0 ? find_obstacle (look) : NULL;
  g_autofree char *earlier =
      look->earlier != NULL ? top_earlier_describe (look->earlier, done, look->elapsed, lately.quiet) : NULL;
  g_autofree char *quiet = roast_format_number (lately.quiet, "duration");
  g_autofree char *range = top_describe_range (fmin (shortest, open.work / lately.most),
                                               fmax (fmax (longest, open.work / lately.running), open.longest), done);

  if (obstacle != NULL)
    g_string_append_printf (text, " · time left unknown: %s", obstacle);
  else if (earlier != NULL)
    append_piece (text, earlier);
  else if (!(left > 0))
    return;
  else if (lately.quiet >= 1 && !(recent > 0 && lately.quiet < fmax (shortest, open.longest)))
    g_string_append_printf (text, " · no task done for %s", quiet);
  else if (!(done > 0))
    g_string_append (text, " · time left unknown: no task done yet");
  else if (has_overdue (look))
    g_string_append (text, " · time left unknown: a task runs much longer than others");
  else if (!(known > 0))
    g_string_append_printf (text, " · time left unknown: no task of “%s” done yet", open.name);
  else if (recent > 0 && isfinite (longest) && longest >= 0)
    {
      g_string_append_printf (text, " · about %s left", range);
      if (open.unknown > 0)
        g_string_append_printf (text, " for %.0f of them; none like the others is done yet", known);
      else
        g_string_append (text, " for the tasks known so far");
    }
}

/* @format: format of the number; NULL if the number is a count */
static void
append_number (const TopLook *look, GString *text, const char *metric, const char *format, const char *one,
               const char *many)
{
  double value = top_look_get (look, metric);
  g_autofree char *number = isnan (value)    ? NULL
                            : format == NULL ? g_strdup_printf ("%.0f", value)
                                             : roast_format_number (value, format);

  g_autofree char *piece = number != NULL ? g_strconcat (number, value == 1 ? one : many, NULL) : NULL;

  if (piece != NULL && value != 0)
    append_piece (text, piece);
}

char *
top_describe_progress (const TopLook *look)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double again;
  double left = get_left (look, &again);
  g_autofree char *repeated = again > 0 ? g_strdup_printf (", %.0f of them again", again) : g_strdup ("");
  g_autofree char *not_done = g_strdup_printf ("%.0f left%s", left, repeated);

  append_number (look, text, "tasks_done_total", NULL, " task done", " tasks done");
  append_number (look, text, "tasks_failed_total", NULL, " failed", " failed");
  if (left > 0)
    append_piece (text, not_done);
  if (top_look_goes_on (look))
    append_time_left (look, left, text);
  append_number (look, text, "event_rate_wall_hz", "rate", " events", " events");
  if (roast_run_model_has_only_processes (roast_run_model_get (look->snapshot)))
    append_number (look, text, "workers_peak", NULL, " process at a time", " processes at a time at most");
  else
    append_number (look, text, "workers_peak", NULL, " worker at most", " workers at most");
  if (text->len == 0)
    append_number (look, text, "process_cpu_time_seconds", "duration", " of CPU time", " of CPU time");

  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
top_is_idle (const TopLook *look)
{
  Lately lately = read_lately (look);

  double again;

  return lately.quiet >= MINUTE && get_left (look, &again) > 0;
}

char *
top_describe_state (const TopLook *look)
{
  g_autofree char *time = roast_format_number (look->elapsed, "duration");
  g_autofree char *status = roast_run_file_dup_meta (look->run->file, "status");
  g_autofree char *length = roast_format_number (look->length, "duration");
  g_autofree char *reach = look->reach >= 0 ? report_format_time (look->reach) : g_strdup ("the start of the run");

  if (look->is_past)
    return g_strdup_printf ("replay %s of %s", time, length);
  if (look->state == ROAST_RUN_FILE_STATE_GROWING)
    return g_strdup_printf ("running for %s", time);
  if (look->state == ROAST_RUN_FILE_STATE_INTERRUPTED)
    return g_strdup_printf ("the measurement was interrupted: data reach until %s", reach);

  return g_strdup_printf ("ended after %s%s%s", time, status != NULL ? ", " : "", status != NULL ? status : "");
}
