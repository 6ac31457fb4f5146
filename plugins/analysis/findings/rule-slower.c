/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds a worker, host, dataset or file whose tasks or chunks take longer than those of others. Applies the test of
 * findings-compare.c to their time and to their CPU time. Tasks are compared only within the same category and source,
 * chunks only within the same call, and chunks of files only within the same dataset, too. */

#include "elapsed.h"
#include "findings.h"
#include "group-element.h"

#define SLOWER 1.15          /* minimum ratio of each worker of a slow host to the workers of other hosts */
#define SLOWER_AS_WHOLE 1.25 /* minimum ratio of whole chunk times for a slow file or dataset */
#define SHARE_AS_WHOLE 0.8   /* slowdown of whole chunk times that suffices, as a share of the slowdown per event */
#define SLOWER_SOME 0.02     /* report only if at least this share of the time of all tasks or chunks was lost */
#define SLOWER_LEAST 0.005   /* report only if at least this share of the core time was lost */

/* A set of groups of the same type, for example all workers. Each group has a name. */
typedef struct
{
  GHashTable *numbers; /* keys are names; values are the index in @names + 1 */
  GPtrArray *names;
  FindingsComparison *times;
} SlowerGroups;

/* Times of tasks, once grouped by worker and once by host */
struct _FindingsSlower
{
  SlowerGroups workers, hosts;
  GHashTable *by_worker; /* keys are names of workers, values are their hosts */
};

static SlowerGroups
groups_new (void)
{
  return (SlowerGroups) { g_hash_table_new (g_str_hash, g_str_equal), g_ptr_array_new_with_free_func (g_free),
                          findings_comparison_new () };
}

static void
groups_clear (SlowerGroups *self)
{
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->names);
  findings_comparison_free (self->times);
}

static guint
groups_find (SlowerGroups *self, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, name));

  if (number > 0)
    return number - 1;
  g_ptr_array_add (self->names, g_strdup (name));
  g_hash_table_insert (self->numbers, g_ptr_array_index (self->names, self->names->len - 1),
                       GUINT_TO_POINTER (self->names->len));

  return self->names->len - 1;
}

/* Returns the group for the value of a column. @code is the number of the value, so that each name is looked up only
 * once. */
static guint
groups_find_code (SlowerGroups *self, GArray *codes, RoastTableReader *table, guint slot)
{
  guint *number = group_element_at (codes, (guint) (roast_table_reader_get_code (table, slot) + 1));

  if (*number == 0)
    {
      const char *name = roast_table_reader_get_string (table, slot);

      *number = groups_find (self, name != NULL ? name : "?") + 1;
    }

  return *number - 1;
}

/* ---- findings ---- */

/* Words for a type of groups, such as workers or files, and the data needed to judge such groups. */
typedef struct
{
  const char *what, *things, *of;
  const char *advice[FINDINGS_N_MEASURES];
  const char *compared;          /* the groups with which each group is compared; NULL: all other groups */
  const char *of_paths;          /* advice if the name is a path rather than an address, for a slow time; may be NULL */
  const SlowerGroups *per_chunk; /* the groups with times per chunk, if the judged times are per event; else NULL */
  const SlowerGroups *workers;   /* the workers of the hosts, if the groups are hosts; else NULL */
  GHashTable *hosts;             /* keys are workers; values are their hosts */
  gboolean is_own;               /* CPU times are those of the analysis' own function */
  const char *named;             /* name of the group that a finding names; NULL if there is none */
} Subject;

/* Returns whether every worker of the host is slower, because a single slow worker is enough to raise the mean of its
 * host. */
static gboolean
are_all_slower (const SlowerGroups *hosts, const Subject *subject, FindingsMeasure measure, guint host)
{
  const char *name = g_ptr_array_index (hosts->names, host);

  for (guint i = 0; i < subject->workers->names->len; i++)
    if (g_strcmp0 (g_hash_table_lookup (subject->hosts, g_ptr_array_index (subject->workers->names, i)), name) == 0 &&
        findings_comparison_get_ratio (subject->workers->times, i, hosts->times, host, measure) < SLOWER)
      return FALSE;

  return TRUE;
}

/* Returns the reason why the slowest group is not at fault; NULL if it is at fault. How long a thread waited for a core
 * is estimated from samples of its whole process. So a group must be slower both with and without this waiting. */
static const char *
find_excuse (Findings *self, const SlowerGroups *groups, const Subject *subject, FindingsMeasure measure,
             const FindingsVerdict *verdict)
{
  const char *name = g_ptr_array_index (groups->names, verdict->group);
  const FindingsComparison *whole = subject->per_chunk != NULL ? subject->per_chunk->times : NULL;

  /* A slow group must be slow per event and also per chunk: each chunk has a fixed cost, so small chunks take long per
   * event. */
  if (whole != NULL && findings_comparison_get_ratio (whole, verdict->group, whole, verdict->group, measure) <
                           fmin (SLOWER_AS_WHOLE, 1 + SHARE_AS_WHOLE * (verdict->ratio - 1)))
    return findings_text (self, "chunks of %s %s have fewer events but take as long as other chunks", subject->what,
                          name);
  if (measure == FINDINGS_BY_TIME &&
      !findings_comparison_is_slower (groups->times, verdict->group, FINDINGS_BY_OWN_TIME, verdict->n_groups))
    return findings_text (self, "%s of %s %s took %.1f times as long because they waited for a core", subject->of,
                          subject->what, name, verdict->ratio);
  if (subject->workers != NULL && !are_all_slower (groups, subject, measure, verdict->group))
    return findings_text (self, "not all workers of host %s are slower than workers of other hosts", name);

  return NULL;
}

static void
slower_speak (Findings *self, const SlowerGroups *groups, const Subject *subject, FindingsMeasure measure,
              const FindingsVerdict *verdict)
{
  const char *name = g_ptr_array_index (groups->names, verdict->group);
  const char *others = verdict->n_slower > 1
                           ? findings_text (self, " (%s slower %s in total)",
                                            findings_number (self, verdict->n_slower, "count"), subject->things)
                           : "";
  const char *compared =
      subject->compared != NULL ? subject->compared
      : verdict->n_groups > 2
          ? findings_text (self, "%s other %s", findings_number (self, verdict->n_groups - 1, "count"), subject->things)
          : findings_text (self, "the other %s", subject->what);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING,
                    self->offered > 0 ? fmin (verdict->excess / self->offered, 1) : NAN,
                    "%c%s of %s %s took %.*f times %s those of %s%s%s.", g_ascii_toupper (*subject->of),
                    subject->of + 1, subject->what, name, verdict->ratio < 1.5 ? 2 : 1, verdict->ratio,
                    measure == FINDINGS_BY_CPU ? "the CPU time of" : "as long as", compared, others,
                    measure == FINDINGS_BY_CPU && subject->is_own ? ", without the CPU time of opening files" : "");

  roast_finding_add_text (finding, subject->what, name);
  roast_finding_add_number (finding, "ratio", verdict->ratio, NULL);
  roast_finding_add_number (finding, "p", verdict->p, NULL);
  roast_finding_add_number (finding, "compared", verdict->n_groups, NULL);
  roast_finding_add_number (finding, "slower", verdict->n_slower, NULL);
  roast_finding_add_number (finding, "excess", verdict->excess, "s");
  findings_add (self, finding, "%s",
                measure == FINDINGS_BY_TIME && subject->of_paths != NULL && g_uri_peek_scheme (name) == NULL
                    ? subject->of_paths
                    : subject->advice[measure]);
  findings_explain_waiting (self, verdict->waited);
}

/* Returns the smallest loss that matters, s. On a loaded machine, tasks need a multiple of their CPU time, so compare
 * CPU time with the core time in which tasks did not wait for a core. */
static double
get_least (Findings *self, FindingsMeasure measure)
{
  double starved = measure == FINDINGS_BY_CPU ? findings_get_spoken_share (self, "starved") : NAN;

  return SLOWER_LEAST * self->offered * (1 - (isnan (starved) ? 0 : starved));
}

/* Judges the groups by time and by CPU time. Reports the result of the measure that shows the larger loss. */
static void
slower_judge (Findings *self, const SlowerGroups *groups, Subject *subject)
{
  const char *excuse = NULL;
  FindingsVerdict worst = { 0 };
  FindingsMeasure by = FINDINGS_BY_TIME;
  guint n_groups = 0;

  for (guint i = FINDINGS_BY_TIME; i <= FINDINGS_BY_CPU; i++)
    {
      FindingsVerdict verdict;
      const char *found = NULL;

      if (!findings_compare (groups->times, i, &verdict))
        continue;
      n_groups = MAX (n_groups, verdict.n_groups);
      if (verdict.n_slower == 0)
        continue;
      if (verdict.excess < SLOWER_SOME * findings_comparison_get_total (groups->times, i) ||
          verdict.excess < get_least (self, i))
        found = findings_text (self, "%s of %s %s are slower, but only by %s in total", subject->of, subject->what,
                               (const char *) g_ptr_array_index (groups->names, verdict.group),
                               findings_duration (self, verdict.excess));
      else
        found = find_excuse (self, groups, subject, i, &verdict);
      if (found == NULL && verdict.excess > worst.excess)
        {
          worst = verdict;
          by = i;
        }
      if (found != NULL)
        {
          excuse = found;
        }
    }
  if (worst.excess > 0)
    {
      subject->named = findings_keep (self, g_ptr_array_index (groups->names, worst.group));
      slower_speak (self, groups, subject, by, &worst);
    }
  else if (n_groups == 0)
    findings_not_apply (self, "fewer than two %s have at least three comparable %s", subject->things, subject->of);
  else if (excuse != NULL)
    findings_be_silent (self, "%s", excuse);
  else
    findings_be_silent (self,
                        "none of %s %s is significantly slower than the others (Welch's test at the 1 %% level, "
                        "corrected for the number of tests). A difference of 20 %% counts if it is in CPU time or "
                        "lasts throughout the run; any other counts from 50 %%",
                        findings_number (self, n_groups, "count"), subject->things);
}

/* ---- tasks ---- */

/* Returns a table whose keys are names of workers. The values are the hosts of these workers. */
static GHashTable *
list_hosts (Findings *self)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);
  GHashTable *hosts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    if (workers[i].worker != NULL && workers[i].host != NULL)
      g_hash_table_replace (hosts, (gpointer) workers[i].worker, (gpointer) workers[i].host);

  return hosts;
}

/* Returns whether the current row is an analysis attempt that ended with a result on a worker. */
static gboolean
is_comparable (const FindingsCategory *category, RoastTableReader *tasks)
{
  return roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE &&
         elapsed_get (tasks, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED) > 0 && !findings_is_framework (category, tasks) &&
         roast_table_reader_has (tasks, ROAST_TASKS_WORKER);
}

/* Values that are the same for all tasks of a worker. */
typedef struct
{
  guint number; /* number of the worker's group + 1; 0 until a task of the worker was read */
  guint host;   /* number of the group of the worker's host + 1; 0 if the host is unknown */
  const FindingsCoreWait *wait;
} SlowerWorker;

static void
worker_init (SlowerWorker *self, Findings *findings, FindingsSlower *slower, const char *name)
{
  const char *host = g_hash_table_lookup (slower->by_worker, name);

  self->number = groups_find (&slower->workers, name) + 1;
  self->host = host != NULL ? groups_find (&slower->hosts, host) + 1 : 0;
  self->wait = findings_find_core_wait_of_worker (findings, name);
}

/* Groups the tasks by worker and by host. The kind of a task is its category and source, because two clusters may give
 * different work to the same function. */
static void
group_tasks (Findings *self, FindingsSlower *slower)
{
  g_autoptr (RoastTableReader) tasks = findings_group_tasks (self);
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (SlowerWorker));

  while (roast_table_reader_next (tasks))
    {
      guint kind = roast_table_reader_get_group (tasks);
      SlowerWorker *worker = NULL;
      FindingsValue value;
      double started, times[FINDINGS_N_MEASURES];

      if (!is_comparable (&g_array_index (self->tasks.categories, FindingsCategory, kind), tasks))
        continue;
      worker = group_element_at (workers, (guint) roast_table_reader_get_code (tasks, ROAST_TASKS_WORKER));
      if (worker->number == 0)
        worker_init (worker, self, slower, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
      started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
      times[FINDINGS_BY_TIME] = elapsed_get (tasks, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED);
      times[FINDINGS_BY_CPU] = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);
      times[FINDINGS_BY_OWN_TIME] =
          findings_core_wait_subtract (worker->wait, started, times[FINDINGS_BY_TIME], times[FINDINGS_BY_CPU]);
      value = findings_value_new (self, started, times, times[FINDINGS_BY_TIME] - times[FINDINGS_BY_CPU], 1);
      findings_comparison_add (slower->workers.times, worker->number - 1, kind, &value);
      if (worker->host > 0)
        findings_comparison_add (slower->hosts.times, worker->host - 1, kind, &value);
    }
}

/* Returns the tasks, grouped by worker and by host. The first call creates both groupings in one pass. */
static const FindingsSlower *
get_slower (Findings *self)
{
  if (self->slower == NULL)
    {
      self->slower = g_new (FindingsSlower, 1);
      *self->slower = (FindingsSlower) { groups_new (), groups_new (), list_hosts (self) };
      group_tasks (self, self->slower);
    }

  return self->slower;
}

void
findings_clear_slower (Findings *self)
{
  if (self->slower == NULL)
    return;
  groups_clear (&self->slower->workers);
  groups_clear (&self->slower->hosts);
  g_hash_table_unref (self->slower->by_worker);
  g_clear_pointer (&self->slower, g_free);
}

#define OTHER_CORES                                                                                                    \
  "Check whether the cores there are slower than other cores or shared with other programs, or whether the tasks "     \
  "there did other work."

void
rule_slower_host (Findings *self)
{
  const FindingsSlower *slower = get_slower (self);
  const SlowerGroups *hosts = &slower->hosts;
  Subject subject = {
    .what = "host",
    .things = "hosts",
    .of = "tasks",
    .advice = { "Check the network connection of that host and which other programs run there, or exclude the host.",
                OTHER_CORES },
    .workers = &slower->workers,
    .hosts = slower->by_worker
  };

  if (hosts->names->len < 2 || hosts->names->len == slower->workers.names->len)
    findings_not_apply (self, "%s",
                        hosts->names->len < 2 ? "tasks ran on one host"
                                              : "each host had one worker: see the rule slower-worker");
  else
    slower_judge (self, hosts, &subject);
}

void
rule_slower_worker (Findings *self)
{
  Subject subject = { .what = "worker",
                      .things = "workers",
                      .of = "tasks",
                      .advice = { "Check which other programs run on the host of that worker, or exclude the worker.",
                                  OTHER_CORES } };

  slower_judge (self, &get_slower (self)->workers, &subject);
}

/* ---- chunks ---- */

typedef struct
{
  Findings *findings;
  RoastTableReader *chunks; /* grouped by call, and also by dataset if files are compared */
  GArray *kinds;            /* for each group of the reader: number of its kind + 1 */
  GHashTable *processors;   /* maps a call to its processor; only calls of tasks that each process part of the data */
  GHashTable *names;        /* maps a processor or call, together with the dataset, to the number of the kind + 1 */
  GHashTable *begun;        /* maps a process to the end of its first chunk, µs */
  gboolean is_own;          /* CPU times are those of the analysis' own function */
} SlowerChunks;

static void
chunks_init (SlowerChunks *self, Findings *findings, gboolean by_dataset)
{
  static const guint key[] = { ROAST_CHUNKS_CALL, ROAST_CHUNKS_DATASET };
  g_autoptr (RoastTableReader) calls = roast_processing_read (findings->recording);

  /* Do not mix CPU times with and without that of opening files. */
  self->is_own = findings_evaluate (findings, "count (over chunks where known (function_cpu))") > 0 &&
                 !(findings_evaluate (findings, "count (over chunks where known (thread_cpu) and not known "
                                                "(function_cpu))") > 0);
  self->findings = findings;
  self->chunks = roast_chunks_read (findings->recording);
  self->kinds = g_array_new (FALSE, FALSE, sizeof (guint));
  self->processors = g_hash_table_new (g_str_hash, g_str_equal);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->begun = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  roast_table_reader_group_by (self->chunks, key, by_dataset ? 2 : 1);
  while (roast_table_reader_next (calls))
    if (roast_table_reader_has (calls, ROAST_PROCESSING_TASK) &&
        roast_table_reader_has (calls, ROAST_PROCESSING_PROCESSOR))
      g_hash_table_replace (self->processors,
                            (gpointer) findings_keep (findings,
                                                      roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL)),
                            (gpointer) findings_keep (findings,
                                                      roast_table_reader_get_string (calls,
                                                                                     ROAST_PROCESSING_PROCESSOR)));
}

static void
chunks_clear (SlowerChunks *self)
{
  g_object_unref (self->chunks);
  g_array_unref (self->kinds);
  g_hash_table_unref (self->processors);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->begun);
}

/* Returns the kind of the current row. Chunks are comparable only within the same call, because another call may
 * process chunks differently. If files are compared, chunks are comparable only within the same dataset, too. */
static guint
slower_find_kind (SlowerChunks *self, gboolean by_dataset)
{
  guint *kind = group_element (self->kinds, self->chunks);

  if (*kind == 0)
    {
      const char *dataset = by_dataset ? roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_DATASET) : NULL;
      const char *call = roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_CALL);
      const char *processor = call != NULL ? g_hash_table_lookup (self->processors, call) : NULL;
      const char *name = findings_text (self->findings, "%s\n%s",
                                        processor != NULL ? processor
                                        : call != NULL    ? call
                                                          : "",
                                        dataset != NULL ? dataset : "");

      *kind = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name));
      if (*kind == 0)
        *kind = g_hash_table_size (self->names) + 1;
      g_hash_table_replace (self->names, (gpointer) name, GUINT_TO_POINTER (*kind));
    }

  return *kind - 1;
}

/* Returns whether the current chunk is the first chunk of a thread of its process, that is, whether it began before the
 * first chunk of the process ended. First chunks take longer in any group, because they also load and compile code. */
static gboolean
is_first (SlowerChunks *self)
{
  gint64 started = roast_table_reader_get_int64 (self->chunks, ROAST_CHUNKS_STARTED, 0);
  gint64 process = ((gint64) roast_table_reader_get_code (self->chunks, ROAST_CHUNKS_HOST) << 32) ^
                   (roast_table_reader_get_int64 (self->chunks, ROAST_CHUNKS_PID, -1) & G_MAXUINT32);
  const gint64 *begun = g_hash_table_lookup (self->begun, &process);

  if (!roast_table_reader_has (self->chunks, ROAST_CHUNKS_PID))
    return FALSE;
  if (begun == NULL)
    {
      gint64 ended = roast_table_reader_get_int64 (self->chunks, ROAST_CHUNKS_ENDED, started);

      g_hash_table_insert (self->begun, g_memdup2 (&process, sizeof process), g_memdup2 (&ended, sizeof ended));
      return TRUE;
    }

  return started < *begun;
}

/* Moves to the next analysis chunk that has events, a time and a group. Leaves out chunks of a file that is already
 * named: this file may be the reason why its dataset takes longer. */
static gboolean
next_chunk (SlowerChunks *self, guint slot)
{
  while (roast_table_reader_next (self->chunks))
    if (roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_EVENTS) > 0 &&
        elapsed_get (self->chunks, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED) > 0 &&
        !roast_table_reader_has (self->chunks, ROAST_CHUNKS_ERROR) &&
        roast_table_reader_get_word (self->chunks, ROAST_CHUNKS_ROLE) != ROAST_ROLE_FRAMEWORK && !is_first (self) &&
        roast_table_reader_has (self->chunks, slot) &&
        (self->findings->slow_file == NULL ||
         g_strcmp0 (roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_FILE), self->findings->slow_file) != 0))
      return TRUE;

  return FALSE;
}

/* Groups the times of chunks by the value of column @slot. Makes one set with times per event, and one with times per
 * chunk. */
static void
group_chunks (SlowerChunks *self, guint slot, SlowerGroups *per_event, SlowerGroups *per_chunk)
{
  Findings *findings = self->findings;
  g_autoptr (GArray) codes = g_array_new (FALSE, TRUE, sizeof (guint));

  while (next_chunk (self, slot))
    {
      guint group = groups_find_code (per_event, codes, self->chunks, slot);
      guint kind = slower_find_kind (self, slot != ROAST_CHUNKS_DATASET);
      double started = roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_STARTED);
      double events = roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_EVENTS);
      double time = elapsed_get (self->chunks, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED);
      double cpu = roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_THREAD_CPU);
      const FindingsCoreWait *wait =
          findings_find_core_wait (findings, roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_HOST),
                                   roast_table_reader_get_int64 (self->chunks, ROAST_CHUNKS_PID, -1), started);
      /* Leave out the CPU time of opening files: it is the same for all chunks, so it would hide the difference. */
      double own = roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_FUNCTION_CPU);
      const double times[] = { time, self->is_own ? own : cpu, findings_core_wait_subtract (wait, started, time, cpu) };
      FindingsValue value = findings_value_new (findings, started, times, time - cpu, events);

      findings_comparison_add (per_event->times, group, kind, &value);
      value = findings_value_new (findings, started, times, time - cpu, 1);
      findings_comparison_add (per_chunk->times, group, kind, &value);
    }
}

static void
judge_chunks (Findings *self, guint slot, Subject *subject)
{
  SlowerChunks chunks;
  SlowerGroups per_event = groups_new ();
  SlowerGroups per_chunk = groups_new ();

  chunks_init (&chunks, self, slot != ROAST_CHUNKS_DATASET);
  group_chunks (&chunks, slot, &per_event, &per_chunk);
  subject->of = "chunks";
  subject->is_own = chunks.is_own;
  subject->per_chunk = &per_chunk;
  slower_judge (self, &per_event, subject);
  groups_clear (&per_event);
  groups_clear (&per_chunk);
  chunks_clear (&chunks);
}

void
rule_slower_dataset (Findings *self)
{
  Subject subject = { .what = "dataset",
                      .things = "datasets",
                      .advice = { "Check whether the files of this dataset have more bytes per event than other files, "
                                  "are farther away, or are processed in another way.",
                                  "Check whether the events of this dataset have more content than other events, or "
                                  "are processed in another way." } };

  judge_chunks (self, ROAST_CHUNKS_DATASET, &subject);
}

void
rule_slower_file (Findings *self)
{
  Subject subject = { .what = "file",
                      .things = "files",
                      .compared = "other files of the same dataset",
                      .advice = { "Read that file from another site, or copy it to a nearer site.",
                                  "Check whether the events of that file have more content than other events, or are "
                                  "compressed in another way." },
                      .of_paths = "Check whether that file is on slower storage than other files, or whether its "
                                  "events have more content than other events." };

  judge_chunks (self, ROAST_CHUNKS_FILE, &subject);
  self->slow_file = subject.named;
}
