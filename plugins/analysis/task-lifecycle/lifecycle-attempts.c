/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the tables per_phase and wasted: how long the phases of attempts took, and how much core time gave no
 * result. */

#include <math.h>
#include <signal.h>
#include <string.h>

#include "core-parts.h"
#include "events.h"
#include "group-element.h"
#include "lifecycle.h"
#include "metric-add.h"
#include "notes.h"
#include "order.h"
#include "report-coverage.h"
#include "task-lifecycle-tables.h"
#include "task-phases.h"

#define MAX_HOSTS 3 /* largest number of hosts that a row names */
#define NEVER_AT_WORK "no attempt has a dispatch time or a start"

typedef struct
{
  gint64 n;
  double sum, max, bytes;
} Phase;

typedef struct
{
  const char *name;
  Phase phases[ROAST_PHASE_N_WORDS];
} AttemptsCategory;

/* Attempts that ended without a result for the same reason. */
typedef struct
{
  int status;
  const char *reason;
  gint64 exit_code;  /* -1 if the attempts have no exit code */
  GHashTable *hosts; /* maps the name of a host to the number of attempts that were lost there */
  gint64 n, n_timed;
  double core_seconds;
} Loss;

typedef struct
{
  GArray *categories; /* elements are AttemptsCategory */
  GArray *losses;     /* elements are Loss */
  RoastRunModel *model;
  gboolean has_rows;
  gboolean is_known;          /* at least one attempt was given to a worker */
  gint64 n_started;           /* attempts that started at a worker */
  gint64 n_measured;          /* attempts that started at a worker and whose memory was measured */
  gint64 n_untimed;           /* attempts without a result whose core time is unknown and has no upper bound */
  gint64 n_late;              /* attempts without a result that held cores before their start, for an unknown time */
  double good, wasted, vague; /* core-seconds; vague: part of wasted for which only an upper bound is known */
} Attempts;

static void
add_phases (AttemptsCategory *category, RoastTableReader *tasks)
{
  double seconds[ROAST_PHASE_N_WORDS];

  task_phases_get (tasks, seconds);
  for (guint i = 0; i < ROAST_PHASE_N_WORDS; i++)
    {
      Phase *phase = &category->phases[i];

      if (isnan (seconds[i]))
        continue;
      phase->n++;
      phase->sum += seconds[i];
      phase->max = MAX (phase->max, seconds[i]);
      if (task_phases[i].bytes != TASK_PHASES_NO_BYTES)
        phase->bytes += (double) roast_table_reader_get_int64 (tasks, (guint) task_phases[i].bytes, 0);
    }
}

static gboolean
was_at_worker (RoastTableReader *tasks)
{
  return roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED) || roast_table_reader_has (tasks, ROAST_TASKS_STARTED);
}

static gboolean
attempts_is_held (RoastTableReader *tasks)
{
  return roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_ALLOCATED) > 0;
}

/* Return the core time of an attempt; NaN if unknown. If the executor allocated cores to the attempt, the attempt holds
 * these cores from its dispatch until its results are fetched. Without an allocation, an attempt holds a core only
 * while it runs. If its start is unknown, set @is_vague, and return the time from the delivery on as an upper bound. */
static double
get_core_seconds (RoastTableReader *tasks, gboolean *is_vague)
{
  double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES);
  guint from = attempts_is_held (tasks) && roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED)
                   ? ROAST_TASKS_DISPATCHED
                   : ROAST_TASKS_STARTED;
  guint to = attempts_is_held (tasks) && roast_table_reader_has (tasks, ROAST_TASKS_RETRIEVED) ? ROAST_TASKS_RETRIEVED
                                                                                               : ROAST_TASKS_ENDED;
  double seconds = 0;

  *is_vague = !roast_table_reader_has (tasks, from) && roast_table_reader_has (tasks, ROAST_TASKS_ENDED);
  seconds = task_phases_between (roast_table_reader_get_double (tasks, *is_vague ? ROAST_TASKS_DELIVERED : from),
                                 roast_table_reader_get_double (tasks, to));

  return seconds * (isnan (cores) ? 1 : cores);
}

static gboolean
is_wasted (int status)
{
  return status == ROAST_STATUS_FAILED || status == ROAST_STATUS_KILLED_WORKER || status == ROAST_STATUS_LOST ||
         status == ROAST_STATUS_EXHAUSTED || status == ROAST_STATUS_CANCELLED;
}

static void
add_host (Loss *loss, const RoastRunWorker *worker)
{
  const char *host = worker != NULL ? worker->host : NULL;

  if (host == NULL)
    return;
  if (loss->hosts == NULL)
    loss->hosts = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_insert (loss->hosts, (gpointer) host,
                       GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (loss->hosts, host)) + 1));
}

static void
clear_loss (gpointer data)
{
  g_clear_pointer (&((Loss *) data)->hosts, g_hash_table_unref);
}

static void
attempts_read_use (Attempts *self, RoastTableReader *tasks)
{

  GROUP_BY (tasks, ROAST_TASKS_STATUS, ROAST_TASKS_ERROR, ROAST_TASKS_EXIT_CODE);
  while (roast_table_reader_next (tasks))
    {
      int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);
      gboolean is_vague = FALSE;
      double core_seconds = get_core_seconds (tasks, &is_vague);
      gboolean is_timed = !isnan (core_seconds);
      Loss *loss = NULL;

      if (!was_at_worker (tasks))
        continue;
      if (!is_timed)
        core_seconds = 0;
      self->good += status == ROAST_STATUS_DONE ? core_seconds : 0;
      if (!is_wasted (status))
        continue;
      self->n_untimed += is_timed ? 0 : 1;
      self->n_late +=
          is_timed && attempts_is_held (tasks) && !roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED) ? 1 : 0;
      self->wasted += core_seconds;
      self->vague += is_vague ? core_seconds : 0;
      loss = group_element (self->losses, tasks);
      loss->status = status;
      loss->reason = roast_table_reader_get_string (tasks, ROAST_TASKS_ERROR);
      loss->exit_code = roast_table_reader_get_int64 (tasks, ROAST_TASKS_EXIT_CODE, -1);
      add_host (loss,
                roast_run_model_find_worker (self->model, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE),
                                             roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER)));
      loss->n++;
      loss->n_timed += is_timed ? 1 : 0;
      loss->core_seconds += core_seconds;
    }
}

static void
read_phases (Attempts *self, RoastTableReader *tasks)
{

  GROUP_BY (tasks, ROAST_TASKS_CATEGORY);
  while (roast_table_reader_next (tasks))
    {
      AttemptsCategory *category = NULL;

      self->has_rows = TRUE;
      if (!roast_table_reader_has (tasks, ROAST_TASKS_STATUS) || !was_at_worker (tasks))
        continue;
      self->is_known = TRUE;
      if (roast_table_reader_has (tasks, ROAST_TASKS_STARTED) ||
          roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE)
        {
          self->n_started++;
          self->n_measured += roast_table_reader_has (tasks, ROAST_TASKS_MEMORY_PEAK) ? 1 : 0;
        }
      /* The first phase begins with the dispatch. */
      if (!roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED))
        continue;
      category = group_element (self->categories, tasks);
      category->name = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);
      add_phases (category, tasks);
    }
}

/* ---- the report ---- */

static int
attempts_compare_categories (const AttemptsCategory *a, const AttemptsCategory *b)
{
  return order_rows (a->phases[ROAST_PHASE_EXECUTE].sum, b->phases[ROAST_PHASE_EXECUTE].sum, a->name, b->name);
}

/* Write the phases of each category, in the order in which an attempt passes through them. Sort the categories by
 * execution time, longest first. */
static void
write_phases (RoastReport *report, Attempts *self)
{
  g_autoptr (RoastTableWriter) table = roast_per_phase_write (report);

  g_array_sort (self->categories, (GCompareFunc) attempts_compare_categories);
  FOR_EACH (const AttemptsCategory, category, self->categories)
    {
      for (guint k = 0; k < G_N_ELEMENTS (task_phases); k++)
        {
          const Phase *phase = &category->phases[k];

          if (phase->n == 0)
            continue;
          roast_table_writer_set_string (table, ROAST_PER_PHASE_CATEGORY,
                                         category->name != NULL ? category->name : "?");
          roast_table_writer_set_word (table, ROAST_PER_PHASE_PHASE, k);
          roast_table_writer_set_int64 (table, ROAST_PER_PHASE_ATTEMPTS, phase->n);
          roast_table_writer_set_double (table, ROAST_PER_PHASE_TOTAL, phase->sum);
          roast_table_writer_set_double (table, ROAST_PER_PHASE_MEAN, phase->sum / (double) phase->n);
          roast_table_writer_set_double (table, ROAST_PER_PHASE_MAX, phase->max);
          if (task_phases[k].bytes != TASK_PHASES_NO_BYTES)
            roast_table_writer_set_int64 (table, ROAST_PER_PHASE_BYTES, llround (phase->bytes));
          roast_table_writer_end (table, NULL);
        }
    }
}

static int
compare_losses (const Loss *a, const Loss *b)
{
  int order = (b->core_seconds > a->core_seconds) - (b->core_seconds < a->core_seconds);

  if (order == 0)
    order = (a->exit_code > b->exit_code) - (a->exit_code < b->exit_code);

  return order != 0 ? order : g_strcmp0 (a->reason, b->reason);
}

/* Return the name of the signal that ended a program. Shells report death by a signal as an exit code of 128 plus the
 * signal. Some executors store the signal itself, but an exit code below 128 may also come from the program. */
static const char *
get_signal_name (gint64 exit_code)
{
#if __GLIBC_PREREQ(2, 32)
  return sigabbrev_np ((int) exit_code - 128);
#else
  static const char *const names[] = {
    [SIGHUP] = "HUP",   [SIGINT] = "INT",     [SIGQUIT] = "QUIT", [SIGILL] = "ILL",   [SIGTRAP] = "TRAP",
    [SIGABRT] = "ABRT", [SIGBUS] = "BUS",     [SIGFPE] = "FPE",   [SIGKILL] = "KILL", [SIGUSR1] = "USR1",
    [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",   [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM",
    [SIGCHLD] = "CHLD", [SIGCONT] = "CONT",   [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP", [SIGTTIN] = "TTIN",
    [SIGTTOU] = "TTOU", [SIGURG] = "URG",     [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ", [SIGVTALRM] = "VTALRM",
    [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGPOLL] = "POLL", [SIGPWR] = "PWR",   [SIGSYS] = "SYS",
  };
  gint64 number = exit_code - 128;

  return number > 0 && number < (gint64) G_N_ELEMENTS (names) ? names[number] : NULL;
#endif
}

static int
compare_hosts (gconstpointer a, gconstpointer b, gpointer counts)
{
  return order_rows (GPOINTER_TO_UINT (g_hash_table_lookup (counts, a)),
                     GPOINTER_TO_UINT (g_hash_table_lookup (counts, b)), a, b);
}

/* Return a text that lists the hosts with the most attempts, and the number of attempts at each. */
static char *
describe_hosts (GHashTable *counts)
{
  g_autoptr (GList) names = g_list_sort_with_data (g_hash_table_get_keys (counts), compare_hosts, counts);
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (GList *l = names; l != NULL && n < MAX_HOSTS; l = l->next, n++)
    g_string_append_printf (text, "%s%s (%u)", n > 0 ? ", " : "", (const char *) l->data,
                            GPOINTER_TO_UINT (g_hash_table_lookup (counts, l->data)));
  if (g_hash_table_size (counts) > n)
    g_string_append_printf (text, " and %u more", g_hash_table_size (counts) - n);

  return g_string_free (text, n == 0);
}

static void
write_losses (RoastReport *report, Attempts *self)
{
  g_autoptr (RoastTableWriter) table = NULL;

  g_array_sort (self->losses, (GCompareFunc) compare_losses);
  FOR_EACH (const Loss, loss, self->losses)
    {
      if (table == NULL)
        table = roast_wasted_write (report);
      roast_table_writer_set_word (table, ROAST_WASTED_STATUS, (guint) loss->status);
      roast_table_writer_set_string (table, ROAST_WASTED_REASON, loss->reason);
      roast_table_writer_set_count (table, ROAST_WASTED_EXIT_CODE, loss->exit_code);
      if (get_signal_name (loss->exit_code) != NULL)
        {
          g_autofree char *name = g_strconcat ("SIG", get_signal_name (loss->exit_code), NULL);

          roast_table_writer_set_string (table, ROAST_WASTED_SIGNAL, name);
        }
      if (loss->hosts != NULL)
        {
          g_autofree char *names = describe_hosts (loss->hosts);

          roast_table_writer_set_string (table, ROAST_WASTED_HOSTS, names);
        }
      roast_table_writer_set_int64 (table, ROAST_WASTED_ATTEMPTS, loss->n);
      roast_table_writer_set_double (table, ROAST_WASTED_CORE_SECONDS, loss->n_timed > 0 ? loss->core_seconds : NAN);
      roast_table_writer_end (table, NULL);
    }
}

/* If core_time accounts for all slots, compute wasted time and total time from it. Sums over attempts would be too
 * large if two attempts claim the same slot, because they would count the slot twice. */
static void
use_slots (Attempts *self, RoastRecordingSnapshot *recording, RoastReport *report, double *all)
{
  g_auto (CoreParts) parts = { 0 };

  core_parts_init (&parts, recording, report);
  if (parts.offered <= 0 || parts.is_tree || parts.lacks_attempts)
    return;
  self->wasted = core_parts_sum (&parts, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_WORKER);
  *all = self->wasted + core_parts_sum (&parts, ROAST_CORE_PART_TASK_CPU, ROAST_CORE_PART_RESERVED_UNUSED);
}

static void
add_metrics (RoastReport *report, Attempts *self, RoastRecordingSnapshot *recording, const char *dropped)
{
  const char *vague = self->vague > 0 ? "the start of attempts without a result is unknown" : NULL;
  g_autofree char *untimed = self->n_untimed > 0 ? g_strdup_printf ("start unknown for %" G_GINT64_FORMAT
                                                                    " attempt%s without a result: this time is missing",
                                                                    self->n_untimed, self->n_untimed == 1 ? "" : "s")
                                                 : NULL;
  g_autofree char *late =
      self->n_late > 0 ? g_strdup_printf ("dispatch time unknown for %" G_GINT64_FORMAT
                                          " attempt%s without a result: the core time before the start is missing",
                                          self->n_late, self->n_late == 1 ? "" : "s")
                       : NULL;
  const char *note = dropped != NULL ? dropped : untimed != NULL ? untimed : late != NULL ? late : vague;
  RoastCompleteness otherwise =
      untimed != NULL || late != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED;
  double all = self->good + self->wasted;

  use_slots (self, recording, report, &all);
  metric_add (report, "wasted_core_seconds", self->wasted, otherwise, note, NULL);
  metric_add (report, "wasted_ratio", all > 0 ? self->wasted / all : NAN, otherwise, note,
              "no attempt has a known duration");
  report_coverage_add_note (report, ROAST_TABLE_PER_PHASE, NULL, ROAST_COMPLETENESS_PARTIAL, dropped);
  if (dropped != NULL)
    report_coverage_add_metric (report, "queue_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, dropped);
}

static void
cover_memory_peak (RoastReport *report, const Attempts *self, RoastRecordingSnapshot *recording)
{
  g_autofree char *described = events_describe (recording, "frames-dropped memory-sampled");
  g_autofree char *unmeasured =
      self->n_measured > 0 && self->n_measured < self->n_started
          ? g_strdup_printf ("the memory of %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " attempts was not measured",
                             self->n_started - self->n_measured, self->n_started)
          : NULL;
  g_autofree char *note = notes_join (unmeasured, described);

  if (!self->has_rows)
    report_coverage_add (report, ROAST_TABLE_PER_RESOURCE, roast_per_resource_columns[ROAST_PER_RESOURCE_MEMORY_MAX],
                         ROAST_COMPLETENESS_UNAVAILABLE, NEVER_AT_WORK);
  else
    report_coverage_add_note (report, ROAST_TABLE_PER_RESOURCE,
                              roast_per_resource_columns[ROAST_PER_RESOURCE_MEMORY_MAX], ROAST_COMPLETENESS_PARTIAL,
                              note);
}

void
lifecycle_add_attempts (RoastReport *report, RoastRecordingSnapshot *recording)
{
  static const char *const names[] = { "wasted_core_seconds", "wasted_ratio" };
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (recording);
  g_autoptr (GArray) categories = g_array_new (FALSE, FALSE, sizeof (AttemptsCategory));
  g_autoptr (GArray) losses = g_array_new (FALSE, FALSE, sizeof (Loss));
  g_autofree char *dropped = events_describe (recording, "frames-dropped");
  Attempts self = { .categories = categories, .losses = losses, .model = roast_run_model_get (recording) };

  g_array_set_clear_func (losses, clear_loss);
  read_phases (&self, tasks);
  attempts_read_use (&self, tasks);
  cover_memory_peak (report, &self, recording);
  for (guint i = 0; !self.is_known && i < G_N_ELEMENTS (names); i++)
    roast_report_add_unavailable (report, names[i], NEVER_AT_WORK);
  if (!self.is_known)
    {
      report_coverage_add (report, ROAST_TABLE_PER_PHASE, NULL, ROAST_COMPLETENESS_UNAVAILABLE, NEVER_AT_WORK);
      return;
    }
  add_metrics (report, &self, recording, dropped);
  write_phases (report, &self);
  write_losses (report, &self);
}
