/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"
#include "vine-clock.h"
#include "vine-downsampler.h"
#include "vine-performance.h"
#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* Reads the transactions log of a manager line by line. It opens no files and waits for nothing. So a log gives the
 * same rows if it is followed from the start, joined late, or read after the end.
 *
 * vine-replay.c passes each record to the file that handles the subject of the record. These files share the state
 * below; each part of the state is changed by only one file. Times are µs since the epoch. Unknown values are -1, NaN
 * or NULL. */

/* A limit on the number of task rows. All managers of a recording share it. */
typedef struct
{
  guint64 max, n;
} VineTaskLimit;

typedef struct
{
  gint64 interval;       /* shortest time between two samples of a worker, µs */
  VineTaskLimit *tasks;  /* limit for rows of tasks; must outlive the replay */
  gboolean transfers;    /* whether to write rows of transfers */
  FrameworkTasks *roles; /* receives categories; may be NULL */
} VineReplayOptions;

/* ---- workers ---- */

/* Sums over the files that the manager itself moved. */
typedef struct
{
  gint64 us, bytes; /* total duration of the transfers, and total size */
  gboolean is_known;
} VineMoved;

/* Service that a worker's libraries have given so far. Each call gets an equal share of the cores of all ready
 * libraries, but at most one core. So all calls together never exceed those cores. */
typedef struct
{
  double share;       /* core seconds for each call under way */
  double ready;       /* s during which a library was ready */
  guint64 calls;      /* calls that were executed */
  guint64 encounters; /* libraries that arrived while the worker had another library */
} VineService;

/* One connection of a worker. A worker that reconnects gets a new object. */
typedef struct
{
  char *id;
  gint64 left;        /* time when the worker left; -1 while it is connected */
  const char *reason; /* reason why the worker left */
  char *name;         /* name in the log, the same for all connections of the worker */
  guint n;            /* number of the connection */
  char *address, *host;
  guint64 row;
  gint64 active, executing; /* tasks at the worker, and those of them that it executes */
  double cores, memory;     /* cores and MB that are committed to tasks */
  double size, limit;       /* cores and MB that the worker has; NaN while unknown */
  gboolean is_resized;
  VineService service;
  guint libraries, calls;  /* number of libraries and of calls at the worker */
  gint64 *library_started; /* start of the worker's only library, until a call has started; else NULL */
  double library_cores;    /* cores of ready libraries */
  gint64 served;           /* time of the last change of @service */
  VineMoved moved[2];      /* files sent to the worker and fetched from it; added to the next attempt recorded there */
  gint64 changed;          /* time of the last change, if no sample has it yet; else -1 */
  gint64 behind[2];        /* bounds, from attempts, on how far the worker's clock is behind the manager's, µs */
} VineWorker;

/* Resources that a task takes from its worker. Negative values: resources that it gives back. */
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

/* One attempt at a task, or one library. At its end it is added to the totals, written as a row and freed. */
typedef struct
{
  gint64 id;
  int number;
  VineState state;
  gboolean is_library;
  gboolean is_serving;  /* whether the attempt is a library that is ready */
  gboolean is_call;     /* whether a library executes the attempt, so that it has no cores of its own */
  gboolean is_sent;     /* whether the attempt was sent to a library, known so far or not: it becomes a call */
  gboolean holds_cores; /* whether the worker was connected when it was given the attempt */
  VineCategory *category;
  VineWorker *worker;
  const char *span;
  gint64 submitted, dispatched, delivered, started, ended, noticed, fetched, retrieved, returned;
  gint64 held_until;  /* time when the cores became free again, if the attempt has no result */
  const char *reason; /* reason why the attempt has no result */
  VineAmounts requested, allocated;
  double cores;                  /* number of cores by which the attempt's time is multiplied */
  double cores_used, gpus_used;  /* cores and GPUs that the resource monitor measured */
  VineService before;            /* service of the worker when it was given the call, or when the library arrived */
  VineService during;            /* for a call: service of the worker's libraries while the call was there */
  gint64 calls;                  /* calls that a library executed */
  double cpu;                    /* CPU time, s */
  gint64 memory_peak, disk_peak; /* bytes */
  gint64 bytes_read, bytes_written;
  gint64 bytes_in, bytes_out;
  const char *result; /* TaskVine's result word */
  gint64 exit_code;
  int outcome;         /* current outcome of the task, ROAST_STATUS_…; -1 if the task is not counted */
  gboolean was_given;  /* whether an earlier attempt at the task was given to a worker */
  gboolean is_retried; /* whether the task was given to workers more than once */
  guint status;        /* ROAST_STATUS_…; set when the attempt ends */
  GList running;       /* link in the queue of running attempts; its data is NULL outside the queue */
  gboolean is_told;    /* whether the attempt has a row that shows it as running */
} VineAttempt;

/* ---- the replay ---- */

typedef struct
{
  guint64 submitted; /* tasks that were submitted */
  guint64 attempts, dispatched, returned, lost;
  guint64 unfinished, never_ran; /* at the end of the log: open attempts, and tasks that were never given to a worker */
  guint64 waiting_again;         /* at the end of the log: tasks that had an attempt and waited for another attempt */
  guint64 libraries;
  guint64 measured, unmeasured; /* done attempts with and without CPU time */
  guint64 given_back;           /* attempts that a worker gave back although it stayed connected */
  guint64 noticed;              /* attempts timed by the manager: from their delivery until it noticed their end */
  guint64 calls;                /* function calls that are done */
  guint64 forked, ready; /* libraries that started, and those of them for which a call shows when they were ready */
  guint64 coreless;      /* attempts that were given no cores, such as function calls */
  guint64 reused;        /* tasks whose ID an earlier task had used */
  guint64 repeated;      /* attempts that were given to a worker twice */
  guint64 silent;        /* unfinished attempts whose workers may be dead */
  guint64 left_out;      /* attempts without a row because of the limit */
  double execute;        /* execution time of retrieved attempts, s */
  gint64 skew;           /* greatest difference between clocks, µs */
  gint64 drift;          /* greatest change of the difference between the clocks of the manager and a worker, µs */
} VineAttemptCounts;

typedef struct
{
  guint64 joined, left;
  guint64 unnamed;                            /* workers whose connection has no record in the log */
  guint64 resized;                            /* workers whose resources changed after the first report */
  gboolean has_other_cores, has_other_memory; /* whether any worker changed its cores or memory */
} VineWorkerCounts;

typedef struct
{
  guint64 lines;
  guint64 unusable; /* malformed lines */
  guint64 unknown;  /* records of a kind that roast does not know */
  guint64 spans;    /* APPLICATION records beyond the limit */
  guint64 copied; /* files that entered the cache of a worker and were not made there by a task for the manager. Workers
                     may have copied them from each other; the log does not record when. */
  VineAttemptCounts tasks;
  VineWorkerCounts workers;
} VineCounts;

typedef struct
{
  gint64 started, ended; /* times in the START and END records of the manager */
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
  GStringChunk *words; /* strings that workers and attempts refer to */

  GPtrArray *workers;      /* owns VineWorker */
  GHashTable *names;       /* maps the name of a worker to its last VineWorker */
  GHashTable *addresses;   /* maps an address to its last VineWorker */
  VineWorker *last_worker; /* worker that the last line named; the next line often names it too */
  GPtrArray *changed;      /* VineWorker elements that need a sample */
  VineDownsampler downsampler;
  gint64 due; /* time of the next sample */

  GHashTable *categories; /* maps a name to its VineCategory, which it owns */
  VineCategory unknown;   /* category of libraries (not counted), and of tasks whose category is missing */

  const char *span; /* current span of the application; NULL if there is none */
  guint n_spans;

  GHashTable *attempts;   /* maps the ID of a task to its attempt under way, a VineAttempt, which it owns */
  GQueue running;         /* VineAttempt elements in dispatch order, until their rows show them as running */
  guint n_told;           /* number of attempts under way whose row shows them as running */
  GByteArray *numbers;    /* for each task ID, the number of the last attempt that ended */
  const char *result;     /* last result word, kept because most results are the same (SUCCESS); NULL at first */
  gboolean is_work_queue; /* whether Work Queue wrote the log: it does not record when a worker began and ended */

  GHashTable *cells; /* set of Cell, the sums of vine-totals.c */

  GPtrArray *writers; /* owns the writers below */
  RoastTableWriter *worker_rows, *worker_samples, *category_rows, *category_states, *task_totals, *transfers, *spans,
      *activities, *task_rows, *libraries;
} VineReplay;

VineReplay *vine_replay_new (RoastRecording *recording, const char *source, const VineReplayOptions *options);
void vine_replay_free (VineReplay *self);

/* @line: without the newline */
void vine_replay_take_line (VineReplay *self, const char *line, gsize length);
/* Write the sums and counts, because they are not written with each line. */
void vine_replay_flush (VineReplay *self);
/* End all open attempts, workers and spans: at the last time in the log, or at @now if the manager keeps running (else
 * -1). @performance: the manager's sums, which are compared with the sums of the log; may be NULL */
void vine_replay_finish (VineReplay *self, VinePerformance *performance, gint64 now);
/* Note that rows may be missing from the tables of tasks, activities, libraries and workers. */
void vine_replay_lose_rows (VineReplay *self, const char *reason);

/* Return whether a time is known. Unknown times are -1. */
static inline gboolean
vine_is_known (gint64 time)
{
  return time >= 0;
}

/* ---- vine-workers.c: tables workers and worker_samples ---- */

void vine_worker_free (VineWorker *worker);
/* Return the last connection of the worker with this name. Adds a worker if the log lacks the record of its connection.
 * Returns NULL if @name cannot be a worker's name. */
VineWorker *vine_workers_get (VineReplay *self, VineToken name);
/* Take the rest of a WORKER record. Returns FALSE if the rest is malformed. */
gboolean vine_workers_take_connection (VineReplay *self, VineToken name, VineToken rest);
gboolean vine_workers_take_disconnection (VineReplay *self, VineToken name, VineToken rest);
gboolean vine_workers_take_resources (VineReplay *self, VineToken name, VineToken rest);
/* Change the load of a worker. This function and the next one do nothing if the worker is NULL or has left. */
void vine_workers_load (VineReplay *self, VineWorker *worker, VineLoad load);
/* Add @libraries to the number of libraries at a worker, @cores to the cores of its ready libraries, and @calls to its
 * number of calls. */
void vine_workers_serve (VineReplay *self, VineWorker *worker, int libraries, double cores, int calls);
/* Write a sample of each worker that has changed. */
void vine_workers_flush (VineReplay *self);
/* End the workers that are still connected. Returns whether there were any. */
gboolean vine_workers_finish (VineReplay *self, const char *reason);
/* Set values from the manager's status. @disk_used: bytes, -1 if unknown */
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
/* Count an attempt that was given to a worker and ended. */
void vine_category_count_attempt (VineCategory *category, guint status);
/* Add @change to the number of tasks in @state (ROAST_TASK_STATE_…). */
void vine_category_count (VineCategory *category, guint state, int change);

/* ---- vine-transfers.c: table transfers ---- */

/* Take the rest of a WORKER record about a file. If the manager moved the file, it is added to @worker. @worker may be
 * NULL. Returns FALSE if the record is malformed. */
gboolean vine_transfers_take (VineReplay *self, VineWorker *worker, gboolean is_cached, VineToken rest);

/* ---- vine-spans.c: table spans, with the manager's lifetime and the spans that the script names ---- */

void vine_spans_start_manager (VineReplay *self, gint64 pid);
/* Start the span that the rest of an APPLICATION record names, and end the previous span. */
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
/* Write rows for attempts that, at @now, have been running for some seconds. */
void vine_attempts_tell (VineReplay *self, gint64 now);
/* End all attempts. */
void vine_attempts_finish (VineReplay *self);

/* ---- vine-totals.c: table activities, with seconds and bytes of attempts per worker, category and span ---- */

GHashTable *vine_totals_new_cells (void);
/* Add an attempt that has ended. */
void vine_totals_add (VineReplay *self, const VineAttempt *attempt);
/* Add the files that were moved to and from the worker since the last call, and reset the worker's sums. */
void vine_totals_add_moved (VineReplay *self, VineWorker *worker, const VineCategory *category, const char *span);
/* Write the sums that have changed. */
void vine_totals_write (VineReplay *self);
/* Add the current sums to @totals, a table from span_totals_totals_new(). */
void vine_totals_add_to (VineReplay *self, GHashTable *totals);

/* ---- vine-task-rows.c: tables tasks and libraries ---- */

/* Write a row for a running attempt. The complete row is written when the attempt ends. */
void vine_task_rows_tell (VineReplay *self, const VineAttempt *attempt);
void vine_task_rows_write (VineReplay *self, const VineAttempt *attempt);

G_END_DECLS
