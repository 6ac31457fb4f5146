/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports failures, and says whether one cause dominates. */

#include <signal.h>
#include <string.h>

#include "events.h"
#include "findings.h"
#include "group-element.h"
#include "metadata.h"
#include "tasks-tables.h"
#include "workload-tables.h"

#define DOMINATES 0.5      /* a cause dominates if it has at least this share of the failed attempts */
#define INTERRUPTED 130    /* exit status after Ctrl-C; not reported if another finding may explain the interruption */
#define FAILURES_SOME 0.01 /* if no task failed in the end, report only if this share of the core time was lost */
#define REPEATED 0.05      /* report repeated calls only if unused chunks took this share of the core time */

/* Attempts of all categories that ended with the same error. */
typedef struct
{
  gint64 n, n_of_category;                /* number of attempts; number of attempts that belong to @category */
  gboolean is_killed;                     /* the attempts ended because workers died */
  const char *category, *error, *message; /* values of the category with most of these attempts; NULL if unknown */
} Cause;

typedef struct
{
  gint64 n;      /* failed attempts */
  GArray *all;   /* elements are Cause */
  Cause *common; /* cause with the most attempts; NULL if there is none */
} Causes;

static Cause *
find_cause (Causes *self, const char *error, gboolean is_killed)
{
  FOR_EACH (Cause, cause, self->all)
    if (g_strcmp0 (cause->error, error) == 0 && cause->is_killed == is_killed)
      return cause;

  return NULL;
}

/* Adds the row of a category to the cause with its error. Rows are sorted by the number of attempts, largest first, so
 * the first row with an error sets the category and the message of the cause. */
static void
take_cause (Findings *findings, Causes *self, RoastTableReader *failures, int status)
{
  const char *error = roast_table_reader_get_string (failures, ROAST_FAILURES_ERROR);
  const char *category = roast_table_reader_get_string (failures, ROAST_FAILURES_CATEGORY);
  gint64 n = roast_table_reader_get_int64 (failures, ROAST_FAILURES_ATTEMPTS, 0);
  gboolean is_killed = status == ROAST_STATUS_KILLED_WORKER;
  Cause *known = find_cause (self, error, is_killed);
  Cause cause = { n, n, is_killed };

  self->n += n;
  if (known != NULL)
    {
      known->n += n;
      known->n_of_category += g_strcmp0 (known->category, category) == 0 ? n : 0;
      return;
    }
  cause.category = findings_keep (findings, category);
  cause.error = findings_keep (findings, error);
  cause.message = findings_keep (findings, roast_table_reader_get_string (failures, ROAST_FAILURES_MESSAGE));
  g_array_append_val (self->all, cause);
}

static Causes
failures_read_attempts (Findings *self)
{
  g_autoptr (RoastTableReader) table = roast_failures_read (self->report);
  /* Leave out exhausted attempts if the rule "memory" already reports them. */
  gboolean only_failed = findings_has_spoken (self, "memory");
  Causes causes = { 0, g_array_new (FALSE, FALSE, sizeof (Cause)), NULL };

  while (roast_table_reader_next (table))
    {
      int status = roast_table_reader_get_word (table, ROAST_FAILURES_STATUS);

      if (status != ROAST_STATUS_FAILED && (only_failed || status != ROAST_STATUS_KILLED_WORKER))
        continue;
      take_cause (self, &causes, table, status);
    }
  for (guint i = 0; i < causes.all->len; i++)
    if (causes.common == NULL || g_array_index (causes.all, Cause, i).n > causes.common->n)
      causes.common = &g_array_index (causes.all, Cause, i);

  return causes;
}

/* Returns a text about an error that occurred @n times; NULL if the error is unknown. @message: message of the error
 * when it first occurred */
static const char *
describe_error (Findings *self, const char *error, const char *message, gint64 n)
{
  if (message == NULL)
    return findings_keep (self, error);

  return findings_text (self, "%s (%s“%.100s%s”)", error != NULL ? error : "an unknown error",
                        n > 1 ? "the first: " : "", message, strlen (message) > 100 ? "…" : "");
}

/* What is missing of one file, or of the files of one dataset */
typedef struct
{
  guint n, n_whole; /* n: files with missing entries; n_whole: missing ranges whose length is unknown */
  double entries;   /* missing entries of known ranges */
  guint dataset;    /* number of the file's dataset; 0 for a dataset */
  const char *name;
  const char *error; /* first error */
} Missing;

/* Files with entries that no attempt processed */
typedef struct
{
  guint n;
  Missing dataset, file; /* the most affected dataset, and its most affected file; their names are NULL if unknown */
  gboolean is_one;       /* all files belong to the same dataset */
} MissingFiles;

static void
missing_add (Missing *self, RoastTableReader *table, gboolean is_new)
{
  double entries = roast_table_reader_get_double (table, ROAST_FAILED_FILES_ENTRY_STOP) -
                   roast_table_reader_get_double (table, ROAST_FAILED_FILES_ENTRY_START);

  self->n += is_new ? 1 : 0;
  self->n_whole += isnan (entries) ? 1 : 0;
  self->entries += isnan (entries) ? 0 : entries;
}

/* Returns the index of the element of @all with the most missing files, then the most whole files, then the most
 * entries. @dataset: look only at files of this dataset; 0 for datasets */
static guint
find_most_missing (const GArray *all, guint dataset)
{
  Missing none = { 0 };
  const Missing *worst = &none;
  guint found = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const Missing *one = &g_array_index (all, Missing, i);
      double more = one->n != worst->n               ? (double) one->n - worst->n
                    : one->n_whole != worst->n_whole ? (double) one->n_whole - worst->n_whole
                                                     : one->entries - worst->entries;

      if (one->dataset != dataset || more <= 0)
        continue;
      worst = one;
      found = i;
    }

  return found;
}

static MissingFiles
read_files (Findings *self)
{
  g_autoptr (RoastTableReader) table = roast_failed_files_read (self->report);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (Missing));
  g_autoptr (GArray) datasets = g_array_new (FALSE, FALSE, sizeof (Missing));
  MissingFiles missing = { 0 };

  while (roast_table_reader_next (table))
    {
      int code = roast_table_reader_get_code (table, ROAST_FAILED_FILES_FILE);
      guint number = (guint) (roast_table_reader_get_code (table, ROAST_FAILED_FILES_DATASET) + 1);
      Missing *dataset = group_element_at (datasets, number);
      Missing *file = code >= 0 ? group_element_at (files, (guint) code) : NULL;

      if (file == NULL)
        continue;
      if (file->name == NULL)
        {
          file->dataset = number;
          file->name = findings_keep (self, roast_table_reader_get_string (table, ROAST_FAILED_FILES_FILE));
          file->error = describe_error (self, roast_table_reader_get_string (table, ROAST_FAILED_FILES_ERROR),
                                        roast_table_reader_get_string (table, ROAST_FAILED_FILES_ERROR_MESSAGE), 1);
        }
      dataset->name = findings_keep (self, roast_table_reader_get_string (table, ROAST_FAILED_FILES_DATASET));
      missing.n += file->n == 0 ? 1 : 0;
      missing_add (dataset, table, file->n == 0);
      missing_add (file, table, file->n == 0);
    }
  if (missing.n > 0)
    {
      guint worst = find_most_missing (datasets, 0);

      missing.dataset = g_array_index (datasets, Missing, worst);
      missing.file = g_array_index (files, Missing, find_most_missing (files, worst));
      missing.is_one = missing.dataset.n == missing.n;
    }

  return missing;
}

/* Returns FALSE for a process tree, whose core_time has no lost parts. */
static gboolean
has_lost_parts (Findings *self)
{
  return self->offered > 0 && !self->is_tree;
}

/* Describes the workers that ended while they ran a task that the executor then gave up. The earlier attempts at this
 * task were lost with other workers. */
static const char *
describe_deaths (Findings *self)
{
  guint n = g_hash_table_size (self->tasks.lost_at);
  const char *how = findings_describe_deaths (self);

  return n > 0 ? findings_text (self, " %s ended or vanished while %s ran tasks; %s %s ended without a result%s%s.",
                                findings_count (self, n, "worker", "workers"), n == 1 ? "it" : "they",
                                n == 1 ? "its" : "their",
                                findings_count (self, self->tasks.n_lost, "attempt", "attempts"),
                                how != NULL ? "; " : "", how != NULL ? how : "")
               : "";
}

/* Returns the names of the tasks that ended with the error of @cause. */
static GHashTable *
list_tasks (Findings *self, const Cause *cause)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (tasks))
    {
      const char *task = roast_table_reader_get_string (tasks, ROAST_TASKS_TASK);

      if (task != NULL && roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_FAILED &&
          g_strcmp0 (roast_table_reader_get_string (tasks, ROAST_TASKS_ERROR), cause->error) == 0)
        g_hash_table_add (found, g_strdup (task));
    }

  return found;
}

/* Describes the error of a chunk in a failed task, because the task's own error may say only that a file failed.
 * Returns "" if no chunk has an error. */
static const char *
describe_error_of_chunk (Findings *self, const Cause *cause)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (self->recording);
  g_autoptr (GHashTable) tasks = NULL;

  while (roast_table_reader_next (chunks))
    {
      const char *error = roast_table_reader_get_string (chunks, ROAST_CHUNKS_ERROR);
      const char *task = roast_table_reader_get_string (chunks, ROAST_CHUNKS_TASK);
      const char *text = NULL;

      if (error == NULL || task == NULL || g_strcmp0 (error, cause->error) == 0)
        continue;
      if (tasks == NULL)
        tasks = list_tasks (self, cause);
      if (!g_hash_table_contains (tasks, task))
        continue;
      text = describe_error (self, error, roast_table_reader_get_string (chunks, ROAST_CHUNKS_ERROR_MESSAGE), 1);
      return findings_text (self, " A chunk in these tasks raised %s.", text);
    }

  return "";
}

static void
speak_of_attempts (Findings *self, const Causes *causes, double failed, double lost, const char *file)
{
  const Cause *common = causes->common;
  const char *more = common->is_killed ? describe_deaths (self) : describe_error_of_chunk (self, common);
  gboolean dominates = (double) common->n >= DOMINATES * (double) causes->n;
  const char *in =
      common->n_of_category < common->n
          ? findings_text (self, "%s of them ", findings_number (self, (double) common->n_of_category, "count"))
          : "";
  const char *error = describe_error (self, common->error, common->message, common->n);
  const char *cause = error != NULL ? findings_text (self, "with the error %s", error) : "for an unknown reason";
  const char *tasks = failed > 0
                          ? findings_text (self, "%s failed", findings_count (self, (gint64) failed, "task", "tasks"))
                          : "All failed tasks were repeated";
  const char *n = findings_number (self, (double) causes->n, "count");
  const char *attempts = causes->n == 1                             ? "The failed attempt"
                         : common->n == causes->n && causes->n == 2 ? "Both failed attempts"
                         : common->n == causes->n
                             ? findings_text (self, "All %s failed attempts", n)
                             : findings_text (self, "%s of the %s failed attempts",
                                              findings_number (self, (double) common->n, "count"), n);
  RoastFinding *finding =
      findings_new (self, failed > 0 ? ROAST_FINDING_SEVERITY_ERROR : ROAST_FINDING_SEVERITY_WARNING,
                    has_lost_parts (self) ? lost : NAN, "%s. %s, %sin category “%s”, ended %s.%s", tasks, attempts, in,
                    common->category != NULL ? common->category : "", cause, more);

  if (failed > 0)
    roast_finding_set_lower_bound (finding);
  if (common->is_killed)
    {
      self->lost_rule = self->rule;
      roast_finding_add_number (finding, "dead_workers", g_hash_table_size (self->tasks.lost_at), NULL);
      roast_finding_add_number (finding, "lost_attempts", (double) self->tasks.n_lost, NULL);
    }

  roast_finding_add_text (finding, "category", common->category);
  roast_finding_add_text (finding, "error", common->error);
  roast_finding_add_text (finding, "file", file);
  roast_finding_add_number (finding, "attempts", (double) causes->n, NULL);
  roast_finding_add_number (finding, "attempts_with_this_cause", (double) common->n, NULL);
  roast_finding_add_number (finding, "failed_tasks", failed, NULL);
  findings_add (self, finding, "%s%s",
                dominates ? "Fix this cause first: run one such task on its own"
                          : "There are several causes: see the table failures, and fix the most frequent cause first",
                file != NULL ? ", and check the files in the table failed_files." : ".");
}

static void
speak_of_files (Findings *self, const MissingFiles *missing, double lost)
{
  const char *file = missing->file.name;
  const char *of = missing->dataset.n > 1 && missing->dataset.name != NULL && !missing->is_one
                       ? findings_text (self, " (%s of them in dataset “%s”)",
                                        findings_number (self, missing->dataset.n, "count"), missing->dataset.name)
                       : "";
  const char *files = missing->n == 1 ? findings_text (self, "File %s is", file)
                                      : findings_text (self, "%s%s, such as %s, are",
                                                       findings_count (self, missing->n, "file", "files"), of, file);
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_ERROR, has_lost_parts (self) ? lost : NAN,
                                        "%s missing from the result, or a part of %s is missing: %s.", files,
                                        missing->n == 1 ? "it" : "them",
                                        missing->file.error != NULL ? missing->file.error : "the cause is unknown");

  roast_finding_set_lower_bound (finding);
  roast_finding_add_text (finding, "dataset", missing->dataset.name);
  roast_finding_add_text (finding, "file", file);
  roast_finding_add_text (finding, "error", missing->file.error);
  roast_finding_add_number (finding, "files", missing->n, NULL);
  findings_add (self, finding, "Check %s (table failed_files), and process %s again.",
                missing->n == 1 ? "this file" : "these files", missing->n == 1 ? "it" : "them");
}

/* Returns whether death by @signal counts as a failure. SIGTERM, SIGPIPE and others do not count, because programs use
 * these signals to end their own workers and pipelines. */
static gboolean
failures_is_failure (gint64 signal)
{
  static const int signals[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    if (signal == signals[i])
      return TRUE;

  return FALSE;
}

/* Returns the rows of the processes of workers that an executor reports. The executor copes with the end of a worker,
 * or fails tasks, and the finding "lost-workers" reports it. */
static GHashTable *
list_workers (Findings *self)
{
  GHashTable *rows = g_hash_table_new (NULL, NULL);
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);

  for (guint i = 0; i < n; i++)
    {
      const RoastRunProcess *process = workers[i].is_process ? NULL : roast_run_worker_get_process (&workers[i]);

      if (process != NULL)
        g_hash_table_add (rows, GSIZE_TO_POINTER ((gsize) process->row));
    }

  return rows;
}

typedef struct
{
  gint64 parent;
  const char *command;
  double ended;     /* µs; NaN if unknown */
  gboolean is_well; /* it still runs, or ended without an error */
} FailuresProcess;

#define MAIN 1       /* number of the main process */
#define LIVED_ON 1.0 /* say how long before the program's end its child was killed from this time on, s */

/* Reads the processes, by number. */
static GArray *
failures_read_processes (Findings *self, RoastTableReader *processes)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (FailuresProcess));

  group_element_at (all, MAIN);
  while (roast_table_reader_next (processes))
    {
      gint64 number = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PROCESS, 0);

      if (number >= MAIN && (guint64) number <= roast_table_reader_get_n_rows (processes))
        *(FailuresProcess *) group_element_at (all, (guint) number) = (FailuresProcess) {
          roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PARENT, 0),
          findings_keep (self, roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND)),
          roast_table_reader_get_double (processes, ROAST_PROCESSES_ENDED),
          roast_table_reader_get_word (processes, ROAST_PROCESSES_ORIGIN) == ROAST_PROCESS_ORIGIN_RUNNING ||
              roast_table_reader_get_int64 (processes, ROAST_PROCESSES_EXIT_CODE, -1) == 0
        };
    }
  roast_table_reader_rewind (processes);

  return all;
}

/* Returns whether an ancestor of the failed process @number, other than the main process, still runs or ended without
 * an error. Such a failure does not explain why the program failed: for example, a worker of an executor kills its own
 * helpers and cancelled tasks. Skips ancestors with the command of the main process, such as Python's fork server,
 * because these ancestors do not handle failures. */
static gboolean
has_ancestor_coped (GArray *all, gint64 number)
{
  const FailuresProcess *processes = (const FailuresProcess *) (gpointer) all->data;

  while (number > MAIN && number < all->len)
    {
      number = processes[number].parent;
      if (number > MAIN && number < all->len && processes[number].is_well &&
          g_strcmp0 (processes[number].command, processes[MAIN].command) != 0)
        return TRUE;
    }

  return FALSE;
}

/* Returns whether the process of the current row failed. If @call is not NULL, only processes that ended during this
 * call count. A process failed if a signal killed it and no ancestor coped with that. During a call, a process that
 * runs the same command as the main process, as workers do, also failed if it ended with an error. @interval: time
 * between samples, µs: the end of a sampled process is noticed up to this much later */
static gboolean
has_failed (RoastTableReader *processes, GArray *all, const RoastRunCall *call, gint64 interval)
{
  gboolean is_sampled = roast_table_reader_get_word (processes, ROAST_PROCESSES_ORIGIN) == ROAST_PROCESS_ORIGIN_SAMPLED;
  double lag = is_sampled ? (double) interval : 0;

  double ended = roast_table_reader_get_double (processes, ROAST_PROCESSES_ENDED);
  gint64 number = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PROCESS, MAIN);
  const char *main = g_array_index (all, FailuresProcess, MAIN).command;

  if (number == MAIN || (call != NULL && !(ended >= call->started && ended - lag <= call->ended)))
    return FALSE;
  if (failures_is_failure (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_SIGNAL, 0)))
    return !has_ancestor_coped (all, number);

  return call != NULL && main != NULL && roast_table_reader_get_int64 (processes, ROAST_PROCESSES_EXIT_CODE, 0) > 0 &&
         g_strcmp0 (roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND), main) == 0;
}

/* Describes the first failed process of the program other than its main process. If @call is not NULL, the process must
 * have failed during this call. Returns "" if no process failed. Sets @signal if a signal killed the process. */
static const char *
describe_failed (Findings *self, const RoastRunCall *call, int *signal)
{
  g_autoptr (RoastTableReader) processes = roast_processes_read (self->recording);
  g_autoptr (GArray) all = failures_read_processes (self, processes);
  g_autoptr (GHashTable) workers = list_workers (self);
  const char *text = NULL;
  gint64 first = G_MAXINT64, interval = 0;
  gint64 n = 0;
  double later;

  metadata_get_int64 (self->recording, "interval", &interval);
  while (roast_table_reader_next (processes))
    {
      gint64 ended = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_ENDED, G_MAXINT64 - 1);
      gint64 code = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_EXIT_CODE, 0);
      const char *command = roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND);
      const char *name = NULL;

      if (!has_failed (processes, all, call, interval) ||
          g_hash_table_contains (workers, GSIZE_TO_POINTER ((gsize) roast_table_reader_get_row (processes))))
        continue;
      n++;
      if (ended >= first)
        continue;
      first = ended;
      *signal = (int) roast_table_reader_get_int64 (processes, ROAST_PROCESSES_SIGNAL, 0);
      name = findings_text (self, "%s (pid %" G_GINT64_FORMAT ")", command != NULL ? command : "(no name)",
                            roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, 0));
      text = *signal > 0
                 ? findings_text (self, " Signal %d (%s) killed the child process %s", *signal, g_strsignal (*signal),
                                  name)
                 : findings_text (self, " The child process %s ended with exit code %" G_GINT64_FORMAT, name, code);
    }
  later = call == NULL ? (g_array_index (all, FailuresProcess, MAIN).ended - (double) first) / G_USEC_PER_SEC : 0;
  if (n > 0 && later >= LIVED_ON)
    text = findings_text (self, "%s %s before the program ended", text, findings_duration (self, later));
  if (n > 1)
    return findings_text (self, "%s, the first of %s that %s.", text, findings_count (self, n, "process", "processes"),
                          call != NULL ? "failed during the call" : "were killed");

  return n > 0 ? findings_text (self, "%s.", text) : "";
}

static const RoastRunCall *
find_failed_call (Findings *self)
{
  guint n;
  const RoastRunCall *calls = roast_run_model_get_calls (self->model, &n);

  for (guint i = 0; i < n; i++)
    if (calls[i].is_failed)
      return &calls[i];

  return NULL;
}

/* Returns whether chunks of the call were processed and none failed. */
static gboolean
are_chunks_well (Findings *self, const RoastRunCall *call)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (self->recording);
  guint n = 0;

  while (roast_table_reader_next (chunks))
    {
      if (g_strcmp0 (roast_table_reader_get_string (chunks, ROAST_CHUNKS_CALL), call->call) != 0)
        continue;
      if (roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
        return FALSE;
      n++;
    }

  return n > 0;
}

/* Report failed calls even if the program exits with status 0, because the program may catch the exception of a
 * call. */
static void
speak_of_calls (Findings *self, const char *file, const char *cause)
{
  const RoastRunCall *first = find_failed_call (self);
  const char *processor = first->processor != NULL ? first->processor : "the analysis";
  guint n_failed = (guint) findings_get_metric (self, "calls_failed_total");
  const char *error = describe_error (self, first->error, first->error_message, 1);
  gboolean is_of_files = first->kind == ROAST_PROCESSING_KIND_PREPROCESSING;
  const char *one = is_of_files ? "file" : "chunk", *many = is_of_files ? "files" : "chunks";
  const char *items = first->items >= 0 ? findings_count (self, first->items, one, many) : many;
  int signal = 0;
  /* Add the error of the file, because the error of the call may say only that a file failed. */
  const char *first_file = file == NULL || cause == NULL ? ""
                           : g_strcmp0 (cause, error) == 0
                               ? findings_text (self, " The first file that failed is %s.", file)
                               : findings_text (self, " The first file that failed is %s: %s.", file, cause);
  const char *process = describe_failed (self, first, &signal);
  /* The executor may also raise an error outside of chunks, such as when it merges their results. */
  gboolean is_outside = *process == '\0' && are_chunks_well (self, first);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_ERROR, NAN,
                    "%s of the analysis' executor raised an error, and %s %s are in no result. %s call, of %s with %s "
                    "%s, raised %s.%s%s%s",
                    findings_count (self, n_failed, "call", "calls"), n_failed == 1 ? "its" : "their", many,
                    n_failed == 1 ? "This" : "The first", first->executor != NULL ? first->executor : "an executor",
                    items, is_of_files ? "to prepare" : findings_text (self, "of “%s”", processor), error,
                    is_outside ? " No chunk reported an error: it may have arisen outside of chunks, such as when "
                                 "results were merged."
                               : "",
                    first_file, process);

  roast_finding_set_lower_bound (finding);
  roast_finding_add_text (finding, "error", first->error);
  roast_finding_add_text (finding, "file", file);
  roast_finding_add_number (finding, "failed_calls", n_failed, NULL);
  findings_add (self, finding, "Fix this error first: %s, then repeat the call.",
                is_of_files  ? "check whether the program can open each of these files"
                : is_outside ? "process a few chunks in the program's own process, and merge their results, to see the "
                               "traceback"
                             : "process one file in the program's own process to see the traceback");
}

/* Returns a text about an exit status. A status of 129 or more means death by the signal status - 128. @is_other: the
 * status belongs to a process other than the main process */
static const char *
get_advice_on_status (double status, gboolean is_other)
{
  int signal = (int) status - 128;

  if (is_other && signal == SIGKILL)
    return "Read the last messages of the program. If the program did not kill this process itself, the kernel killed "
           "it because memory ran out, a batch system killed it because of a limit, or a person killed it. Compare the "
           "memory use with the memory limit, and check the system log.";
  switch (signal)
    {
    case -2:
    case -1:
      return "A shell exits with this status if it cannot run a command: check the command's name, its permissions and "
             "PATH.";
    case 9:
      return "The program was killed from outside: by the kernel because memory or a limit of CPU time ran out, by a "
             "batch system because of a limit, or by a person. Compare the memory use with its limit and the CPU time "
             "with “ulimit -t”, and check the system log. The report covers only the time before the kill.";
    case SIGXCPU:
      return "A process used more CPU time than its limit allows: raise the limit (“ulimit -t”), or divide the work "
             "among more processes.";
    case 2:
      return "The program was interrupted, for example with Ctrl-C. The report covers only the time before the "
             "interruption.";
    case 15:
      return "The program was asked to end, for example by a person or by a batch system with a time limit. The report "
             "covers only the time before this request.";
    case 4:
    case 6:
    case 7:
    case 8:
    case 11:
      return is_other ? "Read the last messages of the program. The child process crashed in compiled code: if the "
                        "program failed because of this, rerun it in a debugger or with “python -X faulthandler”."
                      : "The program crashed in compiled code: rerun the program in a debugger or with “python -X "
                        "faulthandler”. The report covers only the time before the crash.";
    default:
      return "Read the last messages of the program. If the program failed, the report covers only the time before the "
             "failure.";
    }
}

static void
speak_of_status (Findings *self, double status)
{
  int signal = 0;
  RoastMetric *metric = roast_report_lookup (self->report, "exit_status");
  const char *note = roast_metric_get_note (metric);
  g_autofree char *rejected = events_describe (self->recording, "graph-rejected");
  RoastFinding *finding =
      findings_new (self, (int) status == INTERRUPTED ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_ERROR,
                    NAN, "The program ended with exit status %.0f%s%s.%s%s%s%s", status, note != NULL ? ", " : "",
                    note != NULL ? note : "", describe_failed (self, NULL, &signal),
                    rejected != NULL ? " Before that: " : "", rejected != NULL ? rejected : "",
                    rejected != NULL ? "." : "");

  roast_finding_set_lower_bound (finding);
  roast_finding_add_number (finding, "exit_status", status, NULL);
  if (signal > 0)
    roast_finding_add_number (finding, "signal", signal, NULL);
  findings_add (self, finding, "%s",
                rejected != NULL ? FINDINGS_REJECTED_ADVICE
                                 : get_advice_on_status (signal > 0 ? 128 + signal : status, signal > 0));
}

/* Returns the share of the core time in chunks whose results the program did not use, because the program repeated its
 * calls. If there is an executor, returns 0, because the executor's lost attempts are counted instead. */
static double
failures_get_wasted (Findings *self)
{
  double wasted = self->is_tree ? findings_get_metric (self, "chunks_wasted_time_seconds") : NAN;

  return wasted > 0 && self->offered > 0 ? fmin (wasted / self->offered, 1) : 0;
}

static void
failures_speak_of_repeated (Findings *self, double wasted)
{
  double n = findings_get_metric (self, "chunks_wasted_total");
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, wasted,
                    "%s took %s although %s in no result: these attempts or their calls failed and were repeated.",
                    findings_count (self, (gint64) n, "chunk", "chunks"),
                    findings_duration (self, wasted * self->offered), (gint64) n == 1 ? "it is" : "they are");

  roast_finding_set_lower_bound (finding);
  roast_finding_add_number (finding, "chunks", n, NULL);
  findings_add (self, finding,
                "Fix the error, or write checkpoints, so that a repeated call continues where the failed call "
                "stopped.");
}

/* Returns the number of failed tasks. Leaves out tasks that exceeded a limit if another rule already reports these. */
static double
get_failed (Findings *self)
{
  double failed = findings_get_metric (self, "tasks_failed_total");
  gboolean is_said = findings_has_spoken (self, "memory") || findings_has_spoken (self, "limits");

  return is_said ? fmax (failed - (double) self->limits.n_failed, 0) : failed;
}

void
rule_failures (Findings *self)
{
  double status = findings_get_metric (self, "exit_status");
  double failed = get_failed (self);
  double chunks = findings_get_metric (self, "chunks_total");
  double lost = findings_get_parts (self, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_RETRIED) - self->killed;
  MissingFiles missing = read_files (self);
  Causes causes = failures_read_attempts (self);

  if (causes.common != NULL && causes.common->is_killed)
    lost += findings_get_part (self, ROAST_CORE_PART_LOST_WORKER);
  if (causes.n > 0 && (failed > 0 || lost >= FAILURES_SOME))
    speak_of_attempts (self, &causes, isnan (failed) ? 0 : failed, lost, missing.file.name);
  /* Report failed calls before failed files: the results of a failed call contain none of its files. */
  else if (findings_get_metric (self, "calls_failed_total") > 0)
    speak_of_calls (self, missing.file.name, missing.file.error);
  else if (missing.n > 0)
    speak_of_files (self, &missing, lost);
  else if (status > 0 || status < 0)
    speak_of_status (self, status);
  else if (failures_get_wasted (self) >= REPEATED)
    failures_speak_of_repeated (self, failures_get_wasted (self));
  else if (status == 0 && isnan (failed) && isnan (chunks))
    findings_be_silent (self, "the exit status is 0");
  else if (isnan (failed) && isnan (chunks))
    findings_not_apply (self, "neither tasks nor chunks were measured");
  else if (failed < findings_get_metric (self, "tasks_failed_total"))
    findings_be_silent (self, "the failed tasks exceeded a limit: see the findings memory and limits");
  else
    findings_be_silent (self, "no task failed permanently; failed attempts took %.1f %% of the core time", 100 * lost);
  g_array_unref (causes.all);
}
