/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

#include "category-roles.h"
#include "process-trees.h"

G_BEGIN_DECLS

/* What rules look at: facts about the run, read once. */

/* Attempts at tasks of the analysis, of one category at one source, that ended with a result. */
typedef struct
{
  const char *name;
  gboolean is_framework;
  gint64 n;
} FindingsCategory;

/* One task: the last one to end of those that ended in the second half of the tail, or the longest of all. */
typedef struct
{
  gint64 n; /* tasks that were candidates */
  guint64 row;
  char *task, *category, *worker;
  double time, ended; /* s, µs */
  double waited;      /* s of its time in which it did not compute; NaN if unknown */
} FindingsTask;

typedef struct
{
  GArray *categories; /* of FindingsCategory */
  GHashTable *at;     /* names of workers that were given an attempt */
  gint64 n_attempts;  /* of the analysis, that were given to a worker */
  gint64 n_done;      /* of these, with a result and times */
  double time;        /* s, of those */
  double first_submitted;
  double last_given; /* to a worker; NaN if none was */
  FindingsTask last, longest;
  gint64 n_lost;       /* attempts whose workers vanished, or gave them back */
  GHashTable *lost_at; /* names of their workers, */
  char *lost_worker;   /* and of the first of them */
} FindingsTasks;

typedef struct
{
  guint n;
  double cores;        /* the most at a time */
  double largest;      /* cores of one, */
  double memory;       /* and memory of one, B; the most */
  double first_joined; /* µs; NaN if unknown */
  guint n_idle;        /* that were given no attempt */
  double idle_seconds; /* core-seconds that these offered */
  char *idle;          /* name of the first of them */
  guint n_killed;      /* whose process a signal killed, */
  gint64 signal;       /* such as that one; */
  guint n_exited;      /* or ended by itself with an error, */
  gint64 exit_code;    /* such as that one */
  char *dead;          /* name of the first of them */
} FindingsWorkers;

/* Attempts that exceeded a limit: that of memory, as far as it was measured or named, and others. */
typedef struct
{
  gint64 n_memory, n_other;
  gint64 n_disk;   /* of the others */
  gint64 n_failed; /* tasks that were not done in the end, for any of these limits */
  char *category;  /* of the first of the others; NULL if unknown */
  char *error;
} FindingsLimits;

/* Chunks that were processed on this machine without workers of an executor, in the longest call. Times in s. */
typedef struct
{
  guint n;               /* with times */
  char *call, *executor; /* NULL if the program reported no call */
  double started;        /* of the call, µs */
  double length;         /* of it */
  double first;          /* until the first chunk started */
  double time, covered;  /* of all chunks; while any ran */
  double median;
  guint64 last_row; /* of the chunk that ended last */
  double last_time; /* of it */
  double alone;     /* of that, after the others had ended */
  guint64 longest_row;
  double longest_time;
} FindingsChunks;

typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;

  /* core_time of the run: of the executors, or if there is none of the process tree */
  gboolean is_tree;
  ProcessTrees trees;
  double offered;                                               /* core-seconds; 0 if there is no core_time */
  double parts[ROAST_STRETCH_N_WORDS][ROAST_CORE_PART_N_WORDS]; /* core-seconds */
  double bounds[ROAST_STRETCH_N_WORDS][2];                      /* µs, of the largest source; NaN if there is none */
  double work[2], end; /* µs: from the ramp to the tail, and the end of the last stretch; NaN if there is none */
  char *missing;       /* why core_time is not complete; NULL if it is */
  double taken; /* core-seconds that the program left to others on its machine while its threads waited for a core */

  FindingsTasks tasks;
  FindingsWorkers workers;
  FindingsLimits limits;
  FindingsChunks chunks;

  /* Waiting that a rule explains by one task, worker, host, dataset or file: s, and that rule; NULL if none does. */
  double waited;
  const char *waited_rule;
  gboolean is_spilling;   /* workers freed memory instead of taking tasks */
  const char *lost_rule;  /* that says why workers were lost; NULL if none does */
  gboolean has_too_large; /* a task fitted into no worker, which explains idle cores */
  double without_library; /* share of the core time that was free while tasks waited, after all libraries had ended */

  const char *rule;  /* that runs */
  GHashTable *spoke; /* of RoastFinding, by the name of the rule */
} Findings;

/* findings-core-time.c */
void findings_read_core_time (Findings *self);
void findings_clear_core_time (Findings *self);
/* Share of the offered core time of parts from @first to @last, in stretches from @from to @to. */
double findings_get_share (Findings *self, guint first, guint last, guint from, guint to);
double findings_get_part (Findings *self, guint part);
double findings_get_parts (Findings *self, guint first, guint last);
/* s; 0 if the run has no such stretch */
double findings_get_length (Findings *self, guint stretch);
double findings_get_run_length (Findings *self);

/* findings-tasks.c */
void findings_read_tasks (Findings *self);
void findings_clear_tasks (Findings *self);
/* The first attempt of a category at one source: sets its name and role. @tasks is at that attempt. */
void findings_category_init (FindingsCategory *self, CategoryRoles *roles, RoastTableReader *tasks);
/* Whether the attempt of the current row is a framework's. */
gboolean findings_is_framework (const FindingsCategory *self, RoastTableReader *tasks);
/* s; NaN if no aggregator computed it */
double findings_get_median (Findings *self, const char *category);

/* findings-workers.c: after tasks */
void findings_read_workers (Findings *self);
void findings_clear_workers (Findings *self);
/* Share of the core time in which workers that get tasks were free, though tasks were ready. */
double findings_get_not_assigned (Findings *self);

/* "a signal (9) killed 1 worker's process"; NULL if no worker is known to have ended so. */
char *findings_describe_deaths (Findings *self);

/* findings-lock.c */
/* A worker whose event loop was late for longest, if that is long enough to matter. A task that keeps the interpreter's
 * lock blocks the loop: then the worker neither takes tasks nor hands on their results. */
typedef struct
{
  char *worker;         /* NULL: none was late */
  double late, longest; /* s: sum of the samples, which do not see all of it, and the longest */
  char *category;       /* of the tasks that ran there meanwhile; NULL: of several, or unknown */
} FindingsLock;

#define FINDINGS_LOCK_ADVICE                                                                                           \
  "Find the code in these tasks that keeps Python's lock (GIL): let it release the lock, or divide it. Until then "    \
  "its "                                                                                                               \
  "worker answers nobody."

/* FALSE, and an empty lock, if there is none. */
gboolean findings_find_lock (Findings *self, FindingsLock *lock);
void findings_lock_clear (FindingsLock *lock);
/* "the event loop of worker w was blocked for 5 s in all, up to 2 s at a time, while tasks of category “c” ran there"
 */
char *findings_describe_lock (const FindingsLock *lock);
void findings_add_lock (RoastFinding *finding, const FindingsLock *lock);
/* How long tasks could have been handed out, but the executor's loop ran later than scheduled: sum and longest, s; NaN
 * if nobody measured it. */
double findings_get_lateness (Findings *self, double *longest);
/* Whether that is long enough to matter. */
gboolean findings_is_late (Findings *self, double late, double longest);

/* findings-chunks.c: after core time */
void findings_read_chunks (Findings *self);
void findings_clear_chunks (Findings *self);

/* findings-demand.c */
/* How long so many threads of the process tree computed or waited for a core, by its samples: s. */
typedef struct
{
  double all, none, one, more;
  double demand;  /* s that its threads computed or waited for a core in the time of one, */
  double alone;   /* and those of the process with most of it */
  double threads; /* most of that process */
  gint64 pid;     /* -1: unknown */
  gboolean is_main;
  char *process, *command; /* NULL: unknown */
} FindingsDemand;

/* FALSE, and nothing to clear, if there are no samples. */
gboolean findings_read_demand (Findings *self, FindingsDemand *demand);
void findings_demand_clear (FindingsDemand *demand);

/* findings-limits.c */
void findings_read_limits (Findings *self);
void findings_clear_limits (Findings *self);

/* findings-queue.c: of @queue, s, which all processes of the program waited for a core, at most so much was while their
 * workers had tasks; NaN if unknown */
double findings_get_queue_of_tasks (Findings *self, double queue);

/* The worker of that name, or if that is NULL the one whose tasks waited for a core for longest; NULL if unknown.
 * @own, @others: s, of it, and of all others */
char *findings_find_queue (Findings *self, const char *name, double *own, double *others, guint *n_others);

/* findings-turns.c */
typedef struct
{
  char *worker;   /* that waited most of those whose threads take turns */
  double threads; /* of it */
  double cpu;     /* cores that they used together */
} FindingsTurns;

/* FALSE if most of the waiting is elsewhere. Free turns->worker. */
gboolean findings_find_turns (Findings *self, FindingsTurns *turns);

/* findings-say.c: what rules say. All texts are made by format. */
gboolean findings_has_spoken (Findings *self, const char *rule);
/* What a rule has explained of the core time; NaN if it did not speak. */
double findings_get_spoken_share (Findings *self, const char *rule);
void findings_be_silent (Findings *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void findings_lack (Findings *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void findings_not_apply (Findings *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* @share: NaN if unknown */
RoastFinding *findings_new (Findings *self, RoastFindingSeverity severity, double share, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Takes the finding. */
void findings_add (Findings *self, RoastFinding *finding, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The rule that runs explains so much waiting, s; NaN counts as none. */
void findings_explain_waiting (Findings *self, double waited);
gboolean findings_has_slots (Findings *self);
void findings_lack_slots (Findings *self);
/* A metric; NaN if it is not available. */
double findings_get_metric (Findings *self, const char *name);
/* Why a metric is not available. */
const char *findings_get_reason (Findings *self, const char *name);
/* "1 task", "2 tasks" */
char *findings_count (gint64 n, const char *one, const char *several);
/* "1 core", "2.5 cores" */
char *findings_cores (double cores);
char *findings_duration (double seconds);
char *findings_bytes (double bytes);

/* findings-compare.c: which of several groups is slower than the others. Times are compared by their logarithm, after
 * the mean of their kind is subtracted. */
#define FINDINGS_N_BLOCKS 8 /* parts of the run, of equal length */

typedef struct
{
  gint64 n;
  double sum;
} FindingsBlock;

typedef struct
{
  gint64 n;
  double sum, squares; /* of logarithms */
  double time;         /* s, of all */
  double waited;       /* s of it in which they did not compute, as far as is known */
  FindingsBlock blocks[FINDINGS_N_BLOCKS];
} FindingsGroup;

typedef struct
{
  guint group;
  guint n_groups, n_slower; /* compared, found slower */
  double ratio;             /* to the others */
  double p;                 /* after correction for the number of comparisons */
  double excess;            /* s more than if it were like the others */
} FindingsVerdict;

/* The part of the run in which a time is, in µs. */
guint findings_get_block (Findings *self, double time);
/* Adds a group to another one. */
void findings_join (FindingsGroup *self, const FindingsGroup *other);
/* Of @groups those with at least three values are compared. FALSE if there are fewer than two. verdict->n_slower is 0
 * if none is slower. */
gboolean findings_compare (GArray *groups, FindingsVerdict *verdict);

/* rule-stragglers.c: whether the task that ended last took much longer than others */
gboolean findings_has_straggler (Findings *self);

/* The rules. */
void rule_amplification (Findings *self);
void rule_between_chunks (Findings *self);
void rule_dependencies (Findings *self);
void rule_executor (Findings *self);
void rule_failures (Findings *self);
void rule_few_tasks (Findings *self);
void rule_growing_memory (Findings *self);
void rule_idle_workers (Findings *self);
void rule_idle_libraries (Findings *self);
void rule_libraries (Findings *self);
void rule_limits (Findings *self);
void rule_lost_workers (Findings *self);
void rule_measurement (Findings *self);
void rule_one_core (Findings *self);
void rule_unexplained (Findings *self);
void rule_memory (Findings *self);
void rule_moving (Findings *self);
void rule_never_ran (Findings *self);
void rule_no_work (Findings *self);
void rule_one_at_a_time (Findings *self);
void rule_warm_up (Findings *self);
void rule_one_by_one (Findings *self);
void rule_opening (Findings *self);
void rule_paused (Findings *self);
void rule_requests (Findings *self);
void rule_serialising (Findings *self);
void rule_large_graph (Findings *self);
void rule_short_tasks (Findings *self);
void rule_slower_dataset (Findings *self);
void rule_slower_file (Findings *self);
void rule_slower_host (Findings *self);
void rule_slower_worker (Findings *self);
void rule_start_up (Findings *self);
void rule_starved (Findings *self);
void rule_straggling_chunk (Findings *self);
void rule_stragglers (Findings *self);
void rule_under_way (Findings *self);
void rule_waiting (Findings *self);

G_END_DECLS
