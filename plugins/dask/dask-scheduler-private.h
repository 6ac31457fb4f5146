/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

#include "dask-cells.h"
#include "dask-scheduler.h"
#include "sheet.h"

G_BEGIN_DECLS

/* A scheduler is one object in several files: its lines and its end, its workers, its tasks, its activities and spans.
 */

/* More than any cluster has; so that a scheduler that lies cannot take all memory. */
#define MAX_WORKERS 1000000
#define MAX_KEYS 1000000
#define MAX_VALUES 20000000
#define MAX_SPANS 1000000
#define MAX_EVENTS 500 /* beyond they are counted */

typedef struct
{
  char *name; /* in the tables */
  gboolean named_pid;
  gboolean left;
} Worker;

/* One fine metric of all workers. */
typedef struct
{
  char *context, *span, *prefix, *activity, *unit; /* NULL where it does not apply */
} Key;

typedef struct
{
  double base; /* when reading began: what was before is not of this run */
  double last;
} Value;

typedef struct
{
  gint64 started, ended; /* -1 if not known */
} Span;

struct _DaskScheduler
{
  RoastRecording *recording;
  guint64 max_tasks;
  JsonParser *parser;

  char *source; /* NULL until it says hello */
  char *boot;
  char *address;
  gboolean fine, over, finished;
  gboolean closed;   /* it ended itself, and its workers with it */
  gint64 now;        /* of the line that is read, µs */
  gint64 last_heard; /* the greatest of these */
  double own_samples, own_hooks;

  GHashTable *workers;   /* number to Worker */
  GHashTable *addresses; /* address to how many workers had it */
  GHashTable *prefixes;  /* number to name */
  GHashTable *keys;      /* number to Key */
  GHashTable *values;    /* worker << 32 | key to Value */
  GHashTable *spans;     /* id to Span */
  GHashTable *attempts;  /* key of a task to how often it ran */
  guint64 n_tasks, tasks_left_out;
  guint n_events;
  guint64 events_left_out;
  guint64 n_bad;
  char *first_bad;

  guint64 flushed;
  guint flush_missing;

  Sheet sheet_workers, sheet_samples, sheet_cluster, sheet_activities, sheet_tasks, sheet_phases, sheet_states,
      sheet_spans, sheet_budgets;
};

/* dask-scheduler.c */
void dask_scheduler_add_event (DaskScheduler *self, RoastSeverity severity, const char *kind, const char *message);
/* Something that no probe would say. */
void dask_scheduler_note_bad (DaskScheduler *self, const char *what);

/* dask-scheduler-workers.c */
void dask_scheduler_open_workers (DaskScheduler *self);
void dask_scheduler_on_join (DaskScheduler *self, DaskCells *cells);
void dask_scheduler_on_leave (DaskScheduler *self, DaskCells *cells);
void dask_scheduler_on_row (DaskScheduler *self, DaskCells *cells);
/* NULL, and the cells are bad, if there is none of that number. */
Worker *dask_scheduler_get_worker (DaskScheduler *self, DaskCells *cells, guint i);
guint dask_scheduler_end_workers (DaskScheduler *self, gint64 end, const char *reason, double tail);

/* dask-scheduler-tasks.c */
void dask_scheduler_open_tasks (DaskScheduler *self);
void dask_scheduler_on_prefix (DaskScheduler *self, DaskCells *cells);
const char *dask_scheduler_get_prefix (DaskScheduler *self, DaskCells *cells, guint i);
void dask_scheduler_take_tasks (DaskScheduler *self, JsonObject *object);
void dask_scheduler_on_state (DaskScheduler *self, DaskCells *cells);

/* dask-scheduler-activities.c */
void dask_scheduler_open_activities (DaskScheduler *self);
void dask_scheduler_on_key (DaskScheduler *self, DaskCells *cells);
void dask_scheduler_on_fine (DaskScheduler *self, DaskCells *cells);
/* What was before reading began. */
void dask_scheduler_on_base (DaskScheduler *self, DaskCells *cells);
void dask_scheduler_on_span (DaskScheduler *self, DaskCells *cells);
void dask_scheduler_write_spans (DaskScheduler *self);

G_END_DECLS
