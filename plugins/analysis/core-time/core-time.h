/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

#include "core-events.h"
#include "core-over-time.h"
#include "each.h"

#define CORE_TIME_N_STRETCHES ROAST_STRETCH_N_WORDS
#define CORE_TIME_NO_WORKER G_MAXUINT

/* Claims on the slots of a worker, in order of precedence. The time of CLAIM_TASK and CLAIM_FRAMEWORK is divided among
 * several parts of the table core_time; each other claim has one part. */
typedef enum
{
  CLAIM_LOST_FAILED,
  CLAIM_LOST_RETRIED,
  CLAIM_LOST_CANCELLED,
  CLAIM_LOST_EXHAUSTED,
  CLAIM_LOST_WORKER,
  CLAIM_LIBRARY_START,
  CLAIM_LIBRARY_IDLE, /* cores held by ready libraries while no calls run on them */
  CLAIM_LIBRARY_FAILED,
  CLAIM_TASK,              /* analysis task with known CPU time */
  CLAIM_TASK_UNSPLIT,      /* analysis task with unknown CPU time */
  CLAIM_FRAMEWORK,         /* framework task with known CPU time */
  CLAIM_FRAMEWORK_UNSPLIT, /* framework task with unknown CPU time */
  CLAIM_RUNNING,           /* attempts still running at the end, with unknown CPU time */
  CLAIM_MOVE_IN,
  CLAIM_MOVE_OUT,
  CLAIM_PERHAPS_LOST, /* attempts that were at the worker when they were lost, but may not have started */
  CLAIM_N,
} Claim;

/* A worker with slots. */
typedef struct
{
  gint64 joined, left;                     /* µs since the epoch */
  double cpu[CORE_TIME_N_STRETCHES][2];    /* s: CPU time of attempts, by role */
  double unused[CORE_TIME_N_STRETCHES];    /* core-seconds that attempts with several cores left unused */
  double task[CORE_TIME_N_STRETCHES];      /* core-seconds granted to CLAIM_TASK */
  double framework[CORE_TIME_N_STRETCHES]; /* core-seconds granted to CLAIM_FRAMEWORK */
  double free[CORE_TIME_N_STRETCHES];      /* core-seconds of slots without any claim */
  double perhaps[CORE_TIME_N_STRETCHES];   /* core-seconds without any claim while a cancelled attempt may have run */
  double offered[CORE_TIME_N_STRETCHES];   /* core-seconds that the worker offered */
  double inputs[CORE_TIME_N_STRETCHES];    /* part of @free during which attempts at the worker fetched their inputs */
  double later[CORE_TIME_N_STRETCHES];     /* part of @free after the cancellation of an attempt that may still run */
  double other_cpu;                        /* s: CPU time of other threads and of child processes; NaN if unknown */
  double serialise, spill;                 /* s: serialising and spilling outside the threads of attempts */
  double actor_cpu, actor_wait;            /* s: time in methods of actors, which hold no slot */
  double fetch;                            /* s: time in which the worker fetched data from other workers */
  double fetch_serialise;                  /* s: part of @fetch that deserializing and similar work took */
  double serve_serialise;                  /* s: time to serialize results for other workers and the program */
  double cancelled; /* s: time of cancelled attempts that the worker reports, minus attempts with a known start */
} CoreWorker;

/* Lines of the table over_time, which are sums over attempts, over counts, or over workers. */
typedef enum
{
  CORE_LINE_RUNNING,
  CORE_LINE_WAITING,
  CORE_LINE_QUEUED, /* waiting, by the counts of the source */
  CORE_LINE_WORKERS,
  CORE_LINE_N,
} CoreLineKind;

/* CPU time of all processes with the same name. */
typedef struct
{
  char *name;
  double seconds;
} CoreCommand;

/* A source of core time: an executor with workers, or a process tree. */
typedef struct
{
  char *name;
  gboolean is_tree;
  GArray *commands;                /* elements are CoreCommand; their seconds divide the part task.cpu of a tree */
  double started, ended;           /* start and end of the run, µs since the epoch */
  double work_started, work_ended; /* bounds of the working time; NaN if no analysis task started */
  CoreEvents *events;
  GArray *workers; /* elements are CoreWorker */
  guint n_without_cores;
  double most_cores;                        /* largest number of cores of a worker */
  double bounds[CORE_TIME_N_STRETCHES + 1]; /* starts of the stretches, and end of the last; some have length 0 */
  char *reasons[CORE_TIME_N_STRETCHES];
  double parts[CORE_TIME_N_STRETCHES][ROAST_CORE_PART_N_WORDS]; /* core-seconds */
  double framework_unsplit[CORE_TIME_N_STRETCHES];              /* part of task.unsplit that framework tasks took */
  double extra;                                                 /* CPU seconds that exceed the capacity of the slots */
  gboolean has_libraries;
  gboolean has_other_cpu;      /* at least one worker reports the CPU time of its process */
  gboolean knows_fetch;        /* the workers report all time in which they fetch data */
  gboolean has_cancelled;      /* some cancelled attempts appear only in the sums that workers report */
  gboolean has_unknown_starts; /* attempts without a known start may have run at workers */
  gboolean is_estimated[ROAST_CORE_PART_N_WORDS];
  char *missing;        /* reason why attempts lack rows; NULL if none do */
  char *rough;          /* reason why the offered core time is not exact; NULL if it is exact */
  gboolean has_missing; /* the source counted more attempts than have rows */
  double in_threads;    /* s: run time of the threads of tasks, from sums that workers report */
  double in_rows;       /* s: time from start to end of attempts that have a row */
  guint64 n_unplaced;   /* attempts with a result or a start, but without a known worker, start or end */
  guint64 n_misplaced;  /* attempts that ran before their worker joined, or after it left */
  guint64 n_attempts;   /* attempts that have a row and were given to a worker */
  gint64 n_counted;     /* attempts that the source counted itself; -1 if it reports no count */
  gint64 n_unfinished;  /* attempts under way at the end that the source counted, minus those with a known start */
  gint64 n_waiting;     /* tasks that wait at the end that the source counted, minus those that have a row */
  CoreLine lines[CORE_LINE_N];
  gint64 done[CORE_OVER_TIME_N];
  CoreEvents *work; /* ends of analysis attempts with a result; the amount is the duration of the attempt in 0.1 ms */
} CoreSource;

CoreSource *core_source_new (const char *name, double started, double ended);
void core_source_free (CoreSource *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CoreSource, core_source_free)

/* Return all sources that have workers with slots. Their stretches are already set. */
GPtrArray *core_sources_new (RoastRecordingSnapshot *recording, RoastReport *report);

/* Find the stretches of a source from its events. This also sorts the events. */
void core_source_find_stretches (CoreSource *self);

/* Find slots that may be held by attempts which are under way at the end of the run and have no row. */
void core_source_find_open (CoreSource *self);

/* Compute for each stretch how much core time of a source each claim took, and how much each reason for idling took. */
void core_source_sweep (CoreSource *self);

/* Divide the time during which tasks held slots by activity, such as computing and waiting. */
void core_source_split (CoreSource *self);

/* Write the tables stretches and core_time. Then add the metrics that are sums over core_time. */
void core_write_tables (RoastReport *report, GPtrArray *sources);
void core_write_metrics (RoastRecordingSnapshot *recording, RoastReport *report, GPtrArray *sources);

void core_source_add_line (CoreSource *self, CoreLineKind kind, gint64 from, gint64 to);
/* Add an attempt that returned a result. */
void core_source_add_done (CoreSource *self, gint64 started, gint64 ended, gboolean is_analysis);

/* Each function writes one table, if it has rows. */
void core_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report, GPtrArray *sources);
void core_write_progress (RoastReport *report, GPtrArray *sources);
void core_write_distributions (RoastRecordingSnapshot *recording, RoastReport *report);
