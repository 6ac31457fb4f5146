/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

#include "each.h"

/* Facts about the run that the rules evaluate. Each fact is read only once. */

/* All attempts of one category at one source. Times are in s unless a comment says otherwise. */
typedef struct
{
  const char *name; /* name of the category; "" if it has no name */
  gboolean is_framework;
  double first, last;    /* first: start of the first attempt; last: end of the last attempt; µs */
  gint64 n;              /* number of analysis attempts with a result and times */
  gint64 n_done;         /* number of all attempts with a result and times */
  double longest;        /* time of the longest attempt with a result and times */
  double known, waited;  /* total time of attempts with known CPU time, and the part of it without computing */
  double time;           /* total time of all attempts that ended */
  double allocated_time; /* total time of the attempts whose allocated cores and CPU time are known */
  double allocated;      /* core-seconds allocated to attempts whose cores and CPU time are known */
  double allocated_cpu;  /* CPU time of these attempts */
  double cores, memory;  /* cores: most cores allocated to an attempt, at least 1; memory: most memory requested, B */
  gint64 n_open;         /* attempts that were running when they were cancelled or lost, or when the recording ended */
  double open;           /* core-seconds of the n_open attempts */
  double lost;           /* core-seconds of the attempts that were lost */
  double age;            /* time of the open attempt that had run longest */
  guint64 oldest;        /* row in the table tasks of the open attempt that had run longest */
  gint64 n_unplaced;     /* tasks that no worker received */
  gboolean has_lost;     /* an attempt was lost with its worker */
} FindingsCategory;

/* All attempts on the workers of one name. Times are in s unless a comment says otherwise. */
typedef struct
{
  double started;        /* start of the first attempt, µs; NaN if unknown */
  double cpu;            /* known CPU time of all attempts */
  double waited;         /* time in which attempts with a known time and CPU time did not compute */
  double first, last;    /* µs: first start and last end of attempts with known times in threads of the worker */
  double time;           /* total time of attempts with known times in threads of the worker */
  double cpu_of_threads; /* CPU time of these attempts */
} FindingsPlace;

/* One task: the longest task of the run, or the task that ended last, if it ended in the second half of the tail. */
typedef struct
{
  gint64 n; /* number of candidate tasks */
  guint64 row;
  const char *task, *category, *worker;
  double time, ended; /* time: s; ended: µs */
  double waited;      /* time in which the task did not compute, s; NaN if unknown */
} FindingsTask;

typedef struct
{
  GArray *categories; /* elements are FindingsCategory, one for each group of findings_group_tasks () */
  gint64 n_attempts;  /* analysis attempts given to a worker */
  gint64 n_done;      /* analysis attempts with a result and times */
  double time;        /* total time of the n_done attempts, s */
  double first_submitted, first_started;
  double first_unknown; /* when the first attempt without a start was given to a worker, µs; NaN if there is none */
  double last_given;    /* when the last attempt was given to a worker, µs; NaN if there is none */
  FindingsTask last, longest;
  FindingsTask repeated;   /* task with the most attempts among tasks that lost one; n: number of its attempts */
  double failed, killed;   /* core-seconds of failed attempts, and the part that SIGKILL or a worker's death ended */
  gint64 n_lost;           /* attempts that were lost because their worker vanished or returned them */
  GHashTable *lost_at;     /* names of the workers that lost attempts */
  const char *lost_worker; /* name of the first worker that lost an attempt */
  guint n_too_large;       /* tasks that no worker received, and that request more than any worker had */
  guint64 too_large;       /* row of the first task that is too large */
  guint n_allocated;       /* attempts with allocated cores */
  guint n_whole;           /* attempts without a request for cores that got a whole worker; their use is unknown */
} FindingsTasks;

typedef struct
{
  guint n;
  double cores;        /* maximum number of cores offered at one time */
  double largest;      /* cores of the largest worker */
  double memory;       /* largest memory limit of a worker, B */
  double first_joined; /* µs; NaN if unknown */
  guint n_idle;        /* workers that received no attempt */
  double idle_seconds; /* core-seconds offered by idle workers */
  const char *idle;    /* name of the first idle worker */
  guint n_killed;      /* workers whose process was killed by a signal */
  gint64 signal;       /* signal of the last such worker */
  guint n_exited;      /* workers whose process exited with an error */
  gint64 exit_code;    /* exit code of the last such worker */
  const char *dead;    /* name of the first worker whose process was killed or exited with an error */
} FindingsWorkers;

/* Attempts that exceeded a limit. An attempt counts in n_memory if its measured peak memory reached its limit, or if
 * its error names memory; otherwise in n_other. */
typedef struct
{
  gint64 n_memory, n_other;
  gint64 n_disk;        /* attempts among n_other that exceeded their disk space */
  gint64 n_failed;      /* tasks whose last attempt exceeded a limit */
  const char *category; /* category of the first attempt in n_other; NULL if unknown */
  const char *error;
} FindingsLimits;

/* Chunks that were processed on this machine without workers of an executor, in the longest call. Times are in s. */
typedef struct
{
  guint n;                     /* number of chunks with times */
  const char *call, *executor; /* NULL if the program reported no call */
  double started;              /* start of the call, µs */
  double length;               /* duration of the call */
  double first;                /* time from the start of the call to the first chunk */
  double time, covered;        /* time: total time of all chunks; covered: time during which at least one chunk ran */
  double median;               /* median duration of the chunks except the longest one */
  guint64 last_row;            /* row of the chunk that ended last */
  double last_time;            /* duration of the chunk that ended last */
  double alone;                /* part of last_time after the ends of all other chunks */
  guint64 longest_row;
  double longest_time;
} FindingsChunks;

/* Activities of all workers, in s; 0 if not measured */
typedef struct
{
  double run_queue; /* time that threads of tasks waited for a core; NaN if no worker reports it */
  double fetching;  /* time that workers fetched data from each other */
  double shuffling; /* time that workers shuffled data outside tasks */
} FindingsActivities;

/* How long processes on this machine waited for a core */
typedef struct _FindingsCoreWaits FindingsCoreWaits;
typedef struct _FindingsCoreWait FindingsCoreWait;
typedef struct _FindingsSlower FindingsSlower;

typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;

  /* Values of core_time for the whole run: from the executors, or from the process tree if there is no executor */
  gboolean is_tree;
  RoastRunModel *model;
  const char *tree;                                             /* name of the process tree; NULL if there is none */
  double offered;                                               /* core-seconds; 0 if there is no core_time */
  double parts[ROAST_STRETCH_N_WORDS][ROAST_CORE_PART_N_WORDS]; /* core-seconds */
  double bounds[ROAST_STRETCH_N_WORDS][2];                      /* µs: start and end of each stretch; NaN if none */
  double work[2], end; /* µs: start of the ramp and end of the tail; end of the last stretch; NaN if there is none */
  const char *missing; /* reason why core_time is incomplete; NULL if it is complete */
  const char *unseen_threads; /* text about threads that no sample saw: how long these waited for a core is unknown;
                               * NULL if there are none */
  double taken;               /* core-seconds used by other programs while threads of this program waited for a core */

  FindingsTasks tasks;
  GHashTable *places; /* keys are names of workers that received an attempt or a library; values are FindingsPlace */
  FindingsWorkers workers;
  FindingsLimits limits;
  FindingsActivities activities;
  FindingsChunks chunks;
  FindingsCoreWaits *waits; /* NULL until the first rule needs it */
  FindingsSlower *slower;   /* NULL until the first rule needs it */
  const char *slow_file;    /* file that the rule slower-file named; NULL if there is none */

  /* @waited: longest waiting in s that any rule explained by one task, worker, host, dataset or file. @waited_rule:
   * name of this rule; NULL if there is none. */
  double waited;
  const char *waited_rule;
  double repeated;        /* share of the task time in attempts that another finding reports as repeated */
  double killed;          /* share of the core time in failed attempts that the rule "memory" explains */
  gboolean is_spilling;   /* workers wrote memory to disk instead of accepting tasks */
  const char *lost_rule;  /* name of the rule that explains why workers were lost; NULL if no rule does */
  gboolean has_too_large; /* a task was too large for every worker, which explains idle cores */
  double without_library; /* share of the core time that was free while tasks waited and all libraries had ended */

  const char *rule;    /* name of the running rule */
  GStringChunk *texts; /* texts that last until all rules have run */
  GHashTable *spoke;   /* keys are names of rules; values are RoastFinding */
} Findings;

/* findings-core-time.c */
void findings_read_core_time (Findings *self);
/* Returns the share of the offered core time that is in parts @first to @last, and in stretches @from to @to. */
double findings_get_share (Findings *self, guint first, guint last, guint from, guint to);
double findings_get_part (Findings *self, guint part);
double findings_get_part_of_tail (Findings *self, guint part);
double findings_get_parts (Findings *self, guint first, guint last);
/* Returns whether attempts without a result ran before the first task with a known start. */
gboolean findings_has_earlier_attempts (Findings *self);
/* Returns the length of a stretch in s; 0 if the run lacks this stretch. */
double findings_get_length (Findings *self, guint stretch);
double findings_get_run_length (Findings *self);

/* findings-tasks.c */
void findings_read_tasks (Findings *self);
void findings_clear_tasks (Findings *self);
/* Returns a reader of all tasks, grouped by source and category. */
RoastTableReader *findings_group_tasks (Findings *self);
/* Returns NULL if the worker received no attempt and no library. */
FindingsPlace *findings_find_place (Findings *self, const char *worker);
FindingsPlace *findings_add_place (Findings *self, const char *worker);
/* Returns whether the attempt of the current row belongs to the framework. */
gboolean findings_is_framework (const FindingsCategory *self, RoastTableReader *tasks);
/* Returns the median time of a category's tasks in s; NaN if no aggregator computed it. */
double findings_get_median (Findings *self, const char *category);

#define FINDINGS_REJECTED_ADVICE                                                                                       \
  "Read the exception of the program's futures. Often the Python of the scheduler cannot import a module that the "    \
  "tasks use, or has another version of the module."

/* findings-workers.c */
void findings_read_workers (Findings *self);
/* Call this function after findings_read_tasks (). */
void findings_find_idle_workers (Findings *self);
/* Returns how many slots can compute at the same time: no more than the cores that the run may use, if all workers run
 * on this machine. */
double findings_get_usable_cores (Findings *self);
/* Returns the share of the core time in which workers that also received tasks were free although tasks were ready. */
double findings_get_not_assigned (Findings *self);

/* Returns a text such as "signal 9 killed the process of 1 worker"; NULL if no worker is known to have died by a signal
 * or an error. */
const char *findings_describe_deaths (Findings *self);

/* findings-lock.c */
/* The worker with the largest total lateness of its event loop, if this lateness matters. A task that holds the GIL
 * blocks the loop: until the task releases it, the worker neither accepts tasks nor sends their results. */
typedef struct
{
  const char *worker;   /* NULL if no worker was late */
  double late, longest; /* sum and maximum of the sampled lateness, s; samples miss part of the lateness */
  const char *category; /* category of the tasks that ran on the worker while it was late; NULL if several or unknown */
  const char *stopped;  /* text about the signal that had stopped the worker; NULL if no signal explains the lateness */
  const char *advice;
} FindingsLock;

#define FINDINGS_BOUND_ADVICE "Let these tasks run on all workers, or bind the same number of tasks to each worker."
#define FINDINGS_LATE_ADVICE                                                                                           \
  "Keep long-running work out of the executor's event loop, such as large graphs, callbacks, plugins and large "       \
  "results."
#define FINDINGS_LOCK_ADVICE                                                                                           \
  "Find the code in these tasks that holds Python's lock (GIL): "                                                      \
  "release the lock or split the code. "                                                                               \
  "A worker does not respond while one of its tasks holds the lock."

/* Returns FALSE and clears @lock if no worker's lateness matters. */
gboolean findings_find_lock (Findings *self, FindingsLock *lock);
/* Returns a text such as "the event loop of worker w was blocked for up to 2 s at a time while tasks of category “c”
 * ran there". */
const char *findings_describe_lock (Findings *self, const FindingsLock *lock);
void findings_add_lock (RoastFinding *finding, const FindingsLock *lock);
/* Returns the total lateness in s of the executor's event loop while tasks could have been assigned; NaN if lateness
 * was not measured. Sets @longest to the longest delay in s. */
double findings_get_lateness (Findings *self, double *longest);
/* The same between @from and @to, which are in µs. */
double findings_get_lateness_between (Findings *self, double from, double to, double *longest);
/* Returns the longest time in s for which the event loop of one worker was blocked between @from and @to, which are in
 * µs. */
double findings_get_blocked (Findings *self, double from, double to);
/* Returns whether the lateness of the executor's event loop matters. */
gboolean findings_is_late (Findings *self, double late, double longest);

/* findings-chunks.c: call after findings_read_core_time () */
void findings_read_chunks (Findings *self);

/* findings-demand.c */
#define FINDINGS_STOPPED_ADVICE                                                                                        \
  "Find out what sent the signal, such as Ctrl-Z, a batch system that suspends jobs, or a kill command."

#define FINDINGS_STOP_EXPLAINS 0.5 /* a stop of at least this share of a lateness explains it */

/* Returns a text about processes that a signal had stopped; NULL if this was shorter than @least
 * in s, or is unknown. */
const char *findings_describe_stop (Findings *self, double least);
/* The same for the process of a worker, or of the executor if @worker is NULL. Returns NULL if roast does not observe
 * the processes of the executor: a signal stopped other processes. */
const char *findings_describe_stop_of (Findings *self, const char *worker, double least);
/* Times in s, by the number of threads of the process tree that were active, that is, computed or waited for a core.
 * The times come from samples of the process tree. */
typedef struct
{
  double all, one, more;
  double none;    /* lower bound of the time without any active thread, from intervals not in @one */
  double demand;  /* active time of threads during the intervals in @one, s */
  double alone;   /* part of @demand that belongs to the process with the largest part */
  double threads; /* maximum number of threads of the process that was active alone for the longest time */
  gint64 pid;     /* -1 if unknown */
  gboolean is_main;
  const char *process, *command; /* NULL if unknown */
} FindingsDemand;

/* Returns FALSE if there are no samples. */
gboolean findings_read_demand (Findings *self, FindingsDemand *demand);

/* findings-activities.c */
void findings_read_activities (Findings *self);
/* Returns an upper bound on the share of the core time that was free because of a shuffle, although tasks were
 * ready. */
double findings_get_shuffled (Findings *self);

/* findings-turns.c */
typedef struct
{
  const char *worker; /* the worker that waited longest, among those whose threads take turns */
  double threads;     /* number of threads of @worker */
  double cpu;         /* cores that the threads of @worker used together */
} FindingsTurns;

/* Returns FALSE if workers whose threads take turns do not explain most of the waiting. */
gboolean findings_find_turns (Findings *self, FindingsTurns *turns);

/* findings-say.c: texts and verdicts of rules. A text is given as a printf format and its arguments. */
gboolean findings_has_spoken (Findings *self, const char *rule);
/* Returns the share of the core time that the finding of @rule explains; NaN if the rule reported nothing. */
double findings_get_spoken_share (Findings *self, const char *rule);
/* Returns the share of the core time that the finding of @rule explains; 0 if the rule reported nothing, and 1 if its
 * finding has no share. */
double findings_get_claim (Findings *self, const char *rule);
void findings_be_silent (Findings *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void findings_lack (Findings *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void findings_not_apply (Findings *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* @share: share of the core time that the finding explains; NaN if unknown */
RoastFinding *findings_new (Findings *self, RoastFindingSeverity severity, double share, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Takes ownership of the finding. */
void findings_add (Findings *self, RoastFinding *finding, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Records that the running rule explains @waited seconds of waiting. NaN counts as 0. */
void findings_explain_waiting (Findings *self, double waited);
gboolean findings_has_slots (Findings *self);
void findings_lack_slots (Findings *self);
/* Returns the value of a formula; NaN if it is unavailable. */
double findings_evaluate (Findings *self, const char *formula);
/* Returns the value of a metric; NaN if it is unavailable. */
double findings_get_metric (Findings *self, const char *name);
/* Returns the reason why a metric is unavailable. */
const char *findings_get_reason (Findings *self, const char *name);
/* The texts that the following functions return last until all rules have run. findings_text () makes them valid
 * UTF-8. */
const char *findings_text (Findings *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Returns a copy of @text; NULL if @text is NULL. */
const char *findings_keep (Findings *self, const char *text);
/* Returns a text such as "1 task" or "2 tasks". */
const char *findings_count (Findings *self, gint64 n, const char *one, const char *several);
/* Returns a text such as "1 core" or "2.5 cores". */
const char *findings_cores (Findings *self, double cores);
/* @format: a format of roast_format_number () */
const char *findings_number (Findings *self, double number, const char *format);
const char *findings_duration (Findings *self, double seconds);
const char *findings_bytes (Findings *self, double bytes);

/* findings-compare.c: finds a group that is slower than the other groups. Compares logarithms of times. */
typedef enum
{
  FINDINGS_BY_TIME,
  FINDINGS_BY_CPU,      /* CPU time; of a chunk, without opening its file, if that is known */
  FINDINGS_BY_OWN_TIME, /* time without the known waiting for a core */
  FINDINGS_N_MEASURES,
} FindingsMeasure;

/* Times of one task or chunk, by measure */
typedef struct
{
  double times[FINDINGS_N_MEASURES]; /* time by each measure, s; a time that is not positive counts as unknown */
  double logs[FINDINGS_N_MEASURES];  /* logarithms of @times per event */
  double waited;                     /* time in which the task or chunk did not compute, s; 0 if unknown */
  guint block;                       /* part of the run (0 to N_BLOCKS - 1) in which the task or chunk started */
} FindingsValue;

typedef struct
{
  guint group;
  guint n_groups, n_slower; /* number of compared groups; number of slower groups among them */
  double ratio;             /* time of the group divided by the time of the other groups */
  double p;                 /* p value, corrected for the number of comparisons */
  double excess;            /* time that the group would save if it were as fast as the other groups, s */
  double waited;            /* part of @excess in which the group did not compute, s */
} FindingsVerdict;

typedef struct _FindingsComparison FindingsComparison;

FindingsComparison *findings_comparison_new (void);
void findings_comparison_free (FindingsComparison *self);
/* Makes the value of one task or chunk. @at: its start, µs; @times: its time by each measure, s; @waited: time in which
 * it did not compute, s; NaN if unknown; @size: its number of events, or 1 */
FindingsValue findings_value_new (const Findings *findings, double at, const double *times, double waited, double size);
/* Adds a value to a group; only values of the same kind are compared. Groups and kinds are numbered from 0. */
void findings_comparison_add (FindingsComparison *self, guint group, guint kind, const FindingsValue *value);
/* Returns the time of a group, divided by the time of all groups of @all except @without. @all: must have the same
 * kinds as @self */
double findings_comparison_get_ratio (const FindingsComparison *self, guint group, const FindingsComparison *all,
                                      guint without, FindingsMeasure measure);
/* Returns the total time of all groups in s. */
double findings_comparison_get_total (const FindingsComparison *self, FindingsMeasure measure);
/* Compares each group that has at least three values with the other groups. The other groups need at least three
 * values, too. Returns FALSE if fewer than two groups can be compared. Sets verdict->n_slower to 0 if no group is
 * slower. */
gboolean findings_compare (const FindingsComparison *self, FindingsMeasure measure, FindingsVerdict *verdict);
/* Returns whether the group is slower than the other groups. @n_groups: number of compared groups */
gboolean findings_comparison_is_slower (const FindingsComparison *self, guint group, FindingsMeasure measure,
                                        guint n_groups);

/* rule-slower.c */
void findings_clear_slower (Findings *self);

/* findings-core-waits.c */
/* Both functions return a process; NULL if it is unknown. The first function finds the process that had the pid @pid on
 * @host at @time in µs. The second function finds the process of @worker. */
const FindingsCoreWait *findings_find_core_wait (Findings *self, const char *host, gint64 pid, double time);
const FindingsCoreWait *findings_find_core_wait_of_worker (Findings *self, const char *worker);
/* Returns @time minus the part in which a thread may have waited for a core. @from: start of the time, µs;
 * @time: length of the time, s; @cpu: CPU time of the thread during this time, s; @process: process of the
 * thread, may be NULL */
double findings_core_wait_subtract (const FindingsCoreWait *process, double from, double time, double cpu);
/* Returns an upper bound on how long in s processes waited for a core while their workers had tasks; NaN if unknown.
 * @queue: time that all processes of the program waited for a core, s */
double findings_get_queue_of_tasks (Findings *self, double queue);
/* Returns how long in s processes that were started by tasks waited for a core, as far as it is known. */
double findings_get_queue_of_children (Findings *self);
/* Returns the worker whose tasks waited longest for a core; NULL if this worker is unknown, or if no other worker had
 * tasks. @own: time that this worker waited, s; @others: time that all other workers waited, s; @n_others: number of
 * the other workers */
const char *findings_find_queue (Findings *self, double *own, double *others, guint *n_others);
void findings_clear_core_waits (Findings *self);

/* rule-stragglers.c: returns whether the task that ended last took much longer than other tasks of its category */
gboolean findings_has_straggler (Findings *self);

/* Rules */
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
void rule_no_workers (Findings *self);
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
