/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"
#include "vine-clock.h"
#include "vine-downsampler.h"
#include "vine-performance.h"
#include "vine-tokenizer.h"

/* Reads the transactions log of a manager line by line. It opens no files and never waits. So a log always gives the
 * same rows, whether it is read from the start while it is written, from a later time on, or after the end.
 *
 * vine-replay.c passes each record to the file that handles the subject of the record. These files share the state
 * below. Each part of the state is changed by only one of them. Times are µs since the epoch. Unknown values are -1,
 * NaN or NULL. */

/* A limit on the number of task rows, common to all managers of a recording. */
typedef struct
{
  guint64 max, n;
} VineTaskLimit;

typedef struct
{
  gint64 interval;       /* minimum time between two samples of the same worker, µs */
  VineTaskLimit *tasks;  /* limit for rows of tasks; must outlive the replay */
  gboolean transfers;    /* whether to write rows of transfers */
  FrameworkTasks *roles; /* each category is added to it; may be NULL */
} VineReplayOptions;

/* ---- workers ---- */

/* Sums over files that were moved by the manager itself, not between workers. */
typedef struct
{
  gint64 us, bytes; /* total duration and total size of the transfers */
  gboolean is_known;
} VineMoved;

/* Service of a worker's libraries so far. At each time, all calls share the cores of all ready libraries equally, but a
 * call gets at most one core. So the calls together never use more than these cores. */
typedef struct
{
  double share;       /* core-seconds that a call has received if it was there all the time */
  double ready;       /* s during which at least one library was ready */
  guint64 calls;      /* number of calls that were executed */
  guint64 encounters; /* number of libraries that arrived while the worker had another library */
} VineService;

/* One connection of a worker. If a worker reconnects, the new connection is another VineWorker. */
typedef struct
{
  char *id;
  gint64 left;        /* time when the worker left; -1 while it is connected */
  const char *reason; /* reason why the worker left */
  char *name;         /* name in the log, which is the same for all connections of the worker */
  guint n;            /* number of this connection of the worker */
  char *address, *host;
  guint64 row;
  gint64 active, executing; /* tasks at the worker, and tasks that the worker executes */
  double cores, memory;     /* cores and MB that the worker has committed to tasks */
  double size, limit;       /* cores and MB that the worker has in total; NaN while unknown */
  gboolean is_resized;
  VineService service;
  guint libraries, calls;  /* number of libraries and number of calls at the worker */
  gint64 *library_started; /* start of the worker's only library, until its first call starts; otherwise NULL */
  double library_cores;    /* cores of ready libraries */
  gint64 served;           /* time until which @service is up to date */
  GHashTable *arrivals; /* maps the time at which a task or a transfer began to the VineFile that it brought; or NULL */
  VineMoved moved[2];   /* files sent to the worker and fetched from it, for the attempt with the next record */
  gint64 changed;       /* time of the last change, if it is not yet in a sample; otherwise -1 */
  gint64 behind[2];     /* µs: bounds, from attempts, of how far the worker's clock is behind the manager's */
} VineWorker;

/* Resources that a task takes from its worker. A negative value means that the task gives them back. */
typedef struct
{
  int active, executing; /* numbers of tasks, as in VineWorker */
  double cores, memory;  /* cores and MB */
} VineLoad;

/* ---- categories ---- */

typedef struct
{
  char *name;
  gint64 tasks[ROAST_TASK_STATE_N_WORDS]; /* number of tasks in each state */
  struct
  {
    gint64 tasks, retried, attempts;
  } outcomes[ROAST_STATUS_N_WORDS];
  gboolean written[ROAST_STATUS_N_WORDS];
  gboolean changed;
  double longest; /* execution time of the longest attempt of this category, s */
} VineCategory;

/* ---- attempts ---- */

typedef enum
{
  VINE_STATE_READY,
  VINE_STATE_RUNNING,  /* the attempt is at a worker */
  VINE_STATE_EXECUTED, /* the attempt was executed, its results are still at the worker */
  VINE_STATE_RETRIEVED,
} VineState;

/* Resources that an attempt requested, or that were allocated to it. */
typedef struct
{
  double cores, memory, disk, gpus; /* memory and disk: MB */
} VineAmounts;

/* One attempt at a task, or one library. When it ends, it is added to the totals, written as a row, and freed. */
typedef struct
{
  gint64 id;
  int number;
  VineState state;
  gboolean is_library;
  gboolean is_serving;  /* the attempt is a library and is ready */
  gboolean is_call;     /* a library executes the attempt, so the attempt has no cores of its own */
  gboolean is_sent;     /* the attempt was sent to a library, even to one not known yet, so it will become a call */
  gboolean holds_cores; /* the worker was connected when it received the attempt */
  VineCategory *category;
  VineWorker *worker;
  const char *span;
  gint64 submitted, dispatched, delivered, started, ended, noticed, fetched, retrieved, returned;
  gint64 held_until;  /* if the attempt has no result: time when its cores became free again */
  const char *reason; /* reason why the attempt has no result */
  VineAmounts requested, allocated;
  double cores;                  /* number of cores that multiplies the attempt's time in core-seconds */
  double cores_used, gpus_used;  /* cores and GPUs that the resource monitor measured as used */
  VineService before;            /* service of the worker's libraries before the call, or before the library arrived */
  VineService during;            /* for a call: service of the worker's libraries during the call */
  gint64 calls;                  /* number of calls that a library executed; -1 if unknown */
  double cpu;                    /* CPU time, s */
  gint64 memory_peak, disk_peak; /* bytes */
  gint64 bytes_read, bytes_written;
  gint64 bytes_in, bytes_out;
  const char *result; /* TaskVine's result word */
  gint64 exit_code;
  int outcome;         /* current outcome of the task (ROAST_STATUS_…); -1 if the task is not counted */
  gboolean was_given;  /* an earlier attempt at the task was given to a worker */
  gboolean is_retried; /* the task was given to a worker more than once */
  guint status;        /* ROAST_STATUS_…, set at the end of the attempt */
  GList running;       /* link in the queue of running attempts; its data is NULL outside the queue */
  gboolean is_told;    /* the attempt has a row that shows it as running */
  gint64 repeats;      /* task whose lost files the attempt made again; 0 if none */
} VineAttempt;

/* ---- temporary files, which stay at workers ---- */

typedef struct
{
  gint64 task;              /* first task that made the file; 0 if none has ended */
  gboolean is_retried;      /* this task was given to a worker more than once */
  const VineWorker *worker; /* worker at which the file was made last */
} VineFile;

/* ---- the replay ---- */

typedef struct
{
  guint64 submitted; /* number of submitted tasks */
  guint64 attempts, dispatched, returned, lost;
  guint64 unfinished, never_ran; /* at the end of the log: attempts under way, and tasks never given to a worker */
  guint64 waiting_again;         /* at the end of the log: tasks that had an attempt and waited for another attempt */
  guint64 libraries;
  guint64 measured, unmeasured; /* number of done attempts with and without a CPU time */
  guint64 given_back;           /* number of attempts that a worker gave back while it stayed connected */
  guint64 noticed;              /* attempts with times from the manager: delivery, and when it noticed the end */
  guint64 calls;                /* number of function calls that are done */
  guint64 forked, ready; /* libraries that started, and those of them for which a call shows when they were ready */
  guint64 coreless;      /* number of attempts without cores of their own, such as function calls */
  guint64 reused;        /* number of tasks with an ID that an earlier task had */
  guint64 repeated;      /* number of attempts that were given to a worker twice */
  guint64 silent;        /* number of unfinished attempts whose workers may be dead */
  guint64 left_out;      /* number of attempts that have no row because of the limit */
  double execute;        /* execution time of retrieved attempts, s */
  gint64 skew;           /* largest difference between the clocks of the manager and a worker, µs */
  gint64 drift;          /* largest change of such a difference during the run, µs */
} VineAttemptCounts;

typedef struct
{
  guint64 joined, left;
  guint64 unnamed;                            /* number of workers without a record of their connection in the log */
  guint64 resized;                            /* number of workers whose resources changed after their first report */
  gboolean has_other_cores, has_other_memory; /* a worker changed its number of cores, or its memory */
} VineWorkerCounts;

typedef struct
{
  guint64 lines;
  guint64 unusable; /* number of malformed lines */
  guint64 unknown;  /* number of records of kinds that roast does not know */
  guint64 spans;    /* number of APPLICATION records that were ignored because of the limit */
  guint64 copied;   /* files that appeared in the cache of a worker and were not made there by a task. Workers may have
                       copied them from each other; the log does not record when. */
  VineAttemptCounts tasks;
  VineWorkerCounts workers;
} VineCounts;

typedef struct
{
  gint64 started, ended; /* times in the START record and in the END record of the manager */
  gint64 first, last;    /* times of the first and last line */
  gint64 died;           /* time when the manager's process died; -1 if no death is known */
} VineTimes;

typedef struct
{
  RoastRecording *recording;
  char *source;
  VineReplayOptions options;
  VineCounts counts;
  VineTimes times;
  VineClock clock;
  gint64 now;                 /* time of the current record */
  guint n_starts, n_appended; /* managers that wrote the log, and those of them that started after another's end */
  gint64 pid;                 /* process ID in the previous valid record */
  gboolean has_other_pid;
  char *first_unusable, *first_unknown;
  guint64 first_unusable_line;
  GStringChunk *words; /* strings to which workers and attempts point */

  GPtrArray *workers;      /* owns VineWorker */
  GHashTable *names;       /* maps the name of a worker to its last VineWorker */
  GHashTable *addresses;   /* maps an address to its last VineWorker */
  VineWorker *last_worker; /* worker that a line named last, because the next line often names the same worker */
  GPtrArray *changed;      /* VineWorker elements that changed since their last sample */
  VineDownsampler downsampler;
  gint64 due; /* time of the next sample */

  GHashTable *categories; /* maps a name to its VineCategory, which it owns */
  VineCategory unknown;   /* category of libraries (not counted) and of tasks without a category */

  const char *span; /* current span of the application; NULL if there is none */
  guint n_spans;

  GHashTable *attempts;   /* maps a task ID to the attempt under way (a VineAttempt), which the table owns */
  GQueue running;         /* VineAttempt elements in dispatch order, without those that have a row */
  guint n_told;           /* number of attempts under way that have a row which shows them as running */
  GByteArray *numbers;    /* for each task ID, the number of the last attempt that ended */
  const char *result;     /* last result word, kept because most results (SUCCESS) are the same; NULL at first */
  gboolean is_work_queue; /* Work Queue wrote the log, which does not record the times of execution at workers */

  GHashTable *files; /* maps the name of a temporary file to its VineFile, which it owns */

  GHashTable *cells; /* set of Cell: the sums in vine-totals.c */

  GPtrArray *writers; /* owns the writers below */
  RoastTableWriter *worker_rows, *worker_samples, *category_rows, *category_states, *task_totals, *transfers, *spans,
      *activities, *task_rows, *libraries;
} VineReplay;

VineReplay *vine_replay_new (RoastRecording *recording, const char *source, const VineReplayOptions *options);
void vine_replay_free (VineReplay *self);

/* @line: without the newline */
void vine_replay_take_line (VineReplay *self, const char *line, gsize length);
/* Write sums and counts. They are not written with each line of the log. */
void vine_replay_flush (VineReplay *self);
/* End all open attempts, workers and spans. @performance: contains the manager's sums, with which the sums of the log
 * are compared; may be NULL. @now: time of the end if the manager keeps running; -1 to end everything at the last time
 * in the log */
void vine_replay_finish (VineReplay *self, VinePerformance *performance, gint64 now);
/* Report that rows may be missing from the tables of tasks, activities, libraries and workers. */
void vine_replay_lose_rows (VineReplay *self, const char *reason);

/* Return whether a time is known. An unknown time is -1. */
static inline gboolean
vine_is_known (gint64 time)
{
  return time >= 0;
}

/* ---- vine-workers.c: tables workers and worker_samples ---- */

void vine_worker_free (VineWorker *worker);
/* Return the last connection of the worker with this name. If the log lacks the record of its connection, add a worker.
 * Returns NULL if @name cannot be the name of a worker. */
VineWorker *vine_workers_get (VineReplay *self, VineToken name);
/* Take the rest of a WORKER record. Returns FALSE if the rest is malformed. */
gboolean vine_workers_take_connection (VineReplay *self, VineToken name, VineToken rest);
gboolean vine_workers_take_disconnection (VineReplay *self, VineToken name, VineToken rest);
gboolean vine_workers_take_resources (VineReplay *self, VineToken name, VineToken rest);
/* Change the load of a worker. This function and the next one do nothing if @worker is NULL or has left. */
void vine_workers_load (VineReplay *self, VineWorker *worker, VineLoad load);
/* Add @libraries to the number of libraries at a worker, @cores to the cores of its ready libraries, and @calls to its
 * number of calls. */
void vine_workers_serve (VineReplay *self, VineWorker *worker, int libraries, double cores, int calls);
/* Write a sample of each worker that has changed. */
void vine_workers_flush (VineReplay *self);
/* End the workers that are still connected. Returns whether any were connected. */
gboolean vine_workers_finish (VineReplay *self, const char *reason);
/* Set values of a worker from the manager's status. @disk_used: bytes, -1 if unknown */
void vine_workers_set_host (VineReplay *self, const char *address, const char *host);
void vine_workers_set_disk (VineReplay *self, const char *address, gint64 time, gint64 disk_used);

/* ---- vine-categories.c: tables categories, category_states and task_totals ---- */

void vine_category_free (VineCategory *category);
VineCategory *vine_categories_get (VineReplay *self, VineToken name);
/* Take the rest of a CATEGORY record. Returns FALSE if the rest is malformed. */
gboolean vine_categories_take (VineReplay *self, VineToken rest);
/* Write the categories that have changed. */
void vine_categories_write (VineReplay *self);
/* Move a task from one outcome to another (ROAST_STATUS_…; negative for none). @was_retried, @is_retried: whether the
 * task had several attempts before and after the move */
void vine_category_move (VineCategory *category, int from, int to, gboolean was_retried, gboolean is_retried);
/* Count an attempt that has ended and had been given to a worker. */
void vine_category_count_attempt (VineCategory *category, guint status);
/* Add @change to the number of tasks in @state (ROAST_TASK_STATE_…). */
void vine_category_count (VineCategory *category, guint state, int change);

/* ---- vine-transfers.c: table transfers ---- */

/* Take the rest of a WORKER record about a file. If the manager moved the file, add it to the sums of @worker, which
 * may be NULL. Returns FALSE if the record is malformed. */
gboolean vine_transfers_take (VineReplay *self, VineWorker *worker, gboolean is_cached, VineToken rest);
/* Find the temporary files that an attempt made. @started: when the attempt started, by the worker's clock. If another
 * task had made them, and they were lost, return a copy of the file's data at that time with the first such task. */
gboolean vine_files_take (const VineAttempt *attempt, gint64 started, VineFile *lost);

/* ---- vine-spans.c: table spans, with the manager's lifetime and the spans that the script names ---- */

void vine_spans_start_manager (VineReplay *self, gint64 pid);
/* Start the span that the rest of an APPLICATION record names. The previous span ends. */
void vine_spans_take_application (VineReplay *self, VineToken rest);
void vine_spans_finish (VineReplay *self);

/* ---- vine-attempts.c ---- */

/* Take the rest of a TASK record. Returns FALSE if the rest is malformed. */
gboolean vine_attempts_take_ready (VineReplay *self, gint64 id, VineToken rest);
gboolean vine_attempts_take_running (VineReplay *self, gint64 id, VineToken rest);
void vine_attempts_take_executed (VineReplay *self, gint64 id);
gboolean vine_attempts_take_retrieved (VineReplay *self, gint64 id, VineToken rest);
gboolean vine_attempts_take_done (VineReplay *self, gint64 id, VineToken rest);
/* Take the state in a LIBRARY record. */
void vine_attempts_take_library (VineReplay *self, gint64 id, VineToken state);
/* Write a row for each attempt that has been running for some seconds at @now. */
void vine_attempts_tell (VineReplay *self, gint64 now);
/* End all attempts. */
void vine_attempts_finish (VineReplay *self);

/* ---- vine-totals.c: table activities, with seconds and bytes of attempts per worker, category and span ---- */

GHashTable *vine_totals_new_cells (void);
/* Add an attempt that has ended. */
void vine_totals_add (VineReplay *self, const VineAttempt *attempt);
/* Add the files that were moved to and from the worker since the last call. Set the worker's sums of moved files to
 * 0. */
void vine_totals_add_moved (VineReplay *self, VineWorker *worker, const VineCategory *category, const char *span);
/* Write the sums that have changed. */
void vine_totals_write (VineReplay *self);
/* Add the current sums to @totals, a table from span_totals_totals_new(). */
void vine_totals_add_to (VineReplay *self, GHashTable *totals);

/* ---- vine-task-rows.c: tables tasks and libraries ---- */

/* Write a row for an attempt that is running. Its complete row is written when the attempt ends. */
void vine_task_rows_tell (VineReplay *self, const VineAttempt *attempt);
void vine_task_rows_write (VineReplay *self, const VineAttempt *attempt);
