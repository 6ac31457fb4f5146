/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

#include "core-events.h"
#include "core-over-time.h"

G_BEGIN_DECLS

#define CORE_TIME_N_STRETCHES ROAST_STRETCH_N_WORDS
#define CORE_TIME_NO_WORKER G_MAXUINT

/* What attempts ask of the slots of their worker, in order of precedence. The first ones are parts of core_time as they
 * are; the time of tasks is divided further. */
typedef enum
{
  CLAIM_LOST_FAILED,
  CLAIM_LOST_RETRIED,
  CLAIM_LOST_CANCELLED,
  CLAIM_LOST_EXHAUSTED,
  CLAIM_LOST_WORKER,
  CLAIM_LIBRARY_START,
  CLAIM_LIBRARY_IDLE, /* what ready libraries hold and calls do not use */
  CLAIM_LIBRARY_FAILED,
  CLAIM_TASK,              /* of the analysis, with a known CPU time */
  CLAIM_TASK_UNSPLIT,      /* of the analysis, without */
  CLAIM_FRAMEWORK,         /* of a framework, with a known CPU time */
  CLAIM_FRAMEWORK_UNSPLIT, /* of a framework, without */
  CLAIM_RUNNING,           /* attempts that still ran at the end, and whose CPU time is unknown */
  CLAIM_MOVE_IN,
  CLAIM_MOVE_OUT,
  CLAIM_PERHAPS_LOST, /* lost attempts that were at the worker, but may not have started */
  CLAIM_N,
} Claim;

/* A worker with slots. */
typedef struct
{
  double cpu[CORE_TIME_N_STRETCHES][2];    /* s: of attempts with a known CPU time, by role */
  double unused[CORE_TIME_N_STRETCHES];    /* core-seconds: beyond one core, of attempts that computed less */
  double task[CORE_TIME_N_STRETCHES];      /* core-seconds: claims CLAIM_TASK, as far as there were slots */
  double framework[CORE_TIME_N_STRETCHES]; /* the same of CLAIM_FRAMEWORK */
  double free[CORE_TIME_N_STRETCHES];      /* core-seconds without any claim */
  double perhaps[CORE_TIME_N_STRETCHES];   /* core-seconds without a claim, while a cancelled attempt may have run */
  double offered[CORE_TIME_N_STRETCHES];   /* core-seconds */
  double inputs[CORE_TIME_N_STRETCHES];    /* core-seconds of free, while attempts at the worker got their inputs */
  double later[CORE_TIME_N_STRETCHES];     /* core-seconds of free, after such an attempt was cancelled */
  double other_cpu;                        /* s: CPU time of other threads and children; NaN if unknown */
  double serialise, spill;                 /* s: of attempts, outside their threads */
  double fetch;                            /* s: in which the worker got data from others */
  double fetch_serialise;                  /* s: of it in deserializing and the like */
  double serve_serialise;                  /* s: in serializing for others and the program, beside tasks */
  double cancelled; /* s: in cancelled attempts by the worker's own sum, less those whose start is known */
} CoreWorker;

/* What is shown over time. */
typedef enum
{
  CORE_LINE_RUNNING,
  CORE_LINE_WAITING,
  CORE_LINE_WORKERS,
  CORE_LINE_N,
} CoreLineKind;

/* CPU time of processes of one name. */
typedef struct
{
  char *name;
  double seconds;
} CoreCommand;

/* One source: an executor with workers, or a process tree. */
typedef struct
{
  char *name;
  gboolean is_tree;
  GArray *commands;                /* of CoreCommand: what the part task.cpu of a tree is divided by */
  double started, ended;           /* of the run, µs since the epoch */
  double work_started, work_ended; /* NaN if no task of the analysis started */
  CoreEvents *events;
  GArray *workers; /* of CoreWorker */
  guint n_without_cores;
  double bounds[CORE_TIME_N_STRETCHES + 1]; /* of stretches; one of no length is left out */
  char *reasons[CORE_TIME_N_STRETCHES];
  double parts[CORE_TIME_N_STRETCHES][ROAST_CORE_PART_N_WORDS]; /* core-seconds */
  double framework_unsplit[CORE_TIME_N_STRETCHES];              /* of task.unsplit */
  double extra;                                                 /* CPU seconds beyond the slots */
  gboolean has_libraries;
  gboolean has_other_cpu;      /* some worker reports its process */
  gboolean knows_fetch;        /* its workers report all time in which they get data */
  gboolean has_cancelled;      /* time of cancelled attempts is known as sums only */
  gboolean has_unknown_starts; /* attempts were at workers, and may have started there */
  gboolean is_estimated[ROAST_CORE_PART_N_WORDS];
  char *missing;        /* why attempts are missing; NULL if none are */
  gboolean has_missing; /* more attempts were counted than have a row */
  double in_threads;    /* s: in threads of tasks, by the workers' own sums */
  double in_rows;       /* s: between start and end of attempts that have a row */
  guint64 n_attempts;   /* with a row, that were given to a worker */
  gint64 n_counted;     /* attempts by the source's own count; -1 if it does not count them */
  gint64 n_unfinished;  /* attempts under way at the end by that count, less those whose start is known */
  CoreLine lines[CORE_LINE_N];
  gint64 done[CORE_OVER_TIME_N];
  CoreEvents *work; /* ends of attempts of the analysis with a result: amounts are their times, in 0.1 ms */
} CoreSource;

CoreSource *core_source_new (const char *name, gint64 started, gint64 ended);
void core_source_free (CoreSource *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CoreSource, core_source_free)

/* All sources that have workers with slots, and their stretches. */
GPtrArray *core_sources_new (RoastRecordingSnapshot *recording, RoastReport *report);

/* Finds the stretches of a source from its events, which get sorted. */
void core_source_find_stretches (CoreSource *self);

/* Finds the slots that attempts may hold which are under way at the end and have no row. */
void core_source_find_open (CoreSource *self);

/* Divides the slots' time by what claims it. */
void core_source_sweep (CoreSource *self);

/* Divides the time of tasks by what they did. */
void core_source_split (CoreSource *self);

/* Writes the rows of stretches and core_time, and then the metrics that are sums of them. */
void core_write_tables (RoastReport *report, GPtrArray *sources);
void core_write_metrics (RoastRecordingSnapshot *recording, RoastReport *report, GPtrArray *sources);

void core_source_add_line (CoreSource *self, CoreLineKind kind, gint64 from, gint64 to);
/* An attempt that returned a result. */
void core_source_add_done (CoreSource *self, gint64 started, gint64 ended, gboolean is_analysis);

/* Each writes one table, if there is anything to write. */
void core_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report, GPtrArray *sources);
void core_write_progress (RoastReport *report, GPtrArray *sources);
void core_write_distributions (RoastRecordingSnapshot *recording, RoastReport *report);

G_END_DECLS
