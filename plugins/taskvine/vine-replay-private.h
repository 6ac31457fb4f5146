/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sheet.h"
#include "vine-downsampler.h"
#include "vine-replay.h"
#include "vine-resources.h"

G_BEGIN_DECLS

#define MAX_WORKERS 1000000
#define MAX_CATEGORIES 10000
#define MAX_SPANS 10000
#define MAX_OPEN 50000000 /* attempts that are under way */

/* One kind of task. */
typedef struct
{
  char *name;
  gint64 waiting, running, done, failed, lost;
  gboolean changed;
  double longest; /* s: of what was executed */
} Category;

typedef struct _Attempt Attempt;

/* One connection of a worker: who comes again is another one. */
typedef struct
{
  char *id;
  char *name; /* in the log: of all its connections */
  guint n;    /* which of these */
  char *address, *host;
  gint64 joined, left; /* -1 as long as it is not known */
  gint64 active, executing;
  double cores, memory; /* committed: cores, MB */
  double size, limit;   /* cores, MB; NaN as long as it is not known */
  gboolean is_changed;  /* another size was told later */
  gint64 changed;       /* when there is something to be sampled; -1 if there is not */
  Attempt *first;       /* that were given to it and not retrieved */
} Worker;

/* What is told of a connection, a kind of task and a span: seconds, bytes, counts. In the order of the table in
 * vine-replay-sums.c. */
typedef enum
{
  SUM_CPU,
  SUM_NONCPU,
  SUM_UNMEASURED,
  SUM_FAILED,
  SUM_EXHAUSTED,
  SUM_CANCELLED,
  SUM_LOST,
  SUM_UNFINISHED,
  SUM_DISK_READ,
  SUM_DISK_WRITE,
  SUM_QUEUE,
  SUM_INPUT,
  SUM_INPUT_BYTES,
  SUM_STAGING,
  SUM_WAITING,
  SUM_OUTPUT,
  SUM_OUTPUT_BYTES,
  SUM_RETURN,
  N_SUMS
} Sum;

typedef struct
{
  Worker *worker;
  Category *category;
  const char *span;
  gboolean changed;
  double value[N_SUMS];
  guint32 told; /* bits of those that were ever told */
} Cell;

typedef enum
{
  WAITING,
  RUNNING,  /* given to a worker */
  EXECUTED, /* over there, its results not fetched */
  RETRIEVED,
} State;

/* One attempt at a task, as long as it is under way. */
struct _Attempt
{
  gint64 id;
  int number;
  State state;
  gboolean library;
  Category *category;
  Worker *worker;
  const char *span;
  gint64 submitted, dispatched, delivered, started, ended, noticed, fetched, retrieved; /* -1 if not known */
  gint64 lost;                      /* when its worker left, or gave it back; -1 */
  const char *why_lost;             /* of the replay */
  double cores, memory;             /* given: cores, MB */
  double cpu;                       /* s; NaN if not measured */
  gint64 peak, disk, read, written; /* bytes; -1 if not measured */
  gint64 bytes_in, bytes_out;
  const char *result;       /* of the replay */
  gint64 exit_code;         /* -1 if not known */
  Attempt *previous, *next; /* of its worker */
};

struct _VineReplay
{
  RoastRecording *recording;
  char *source;
  VineReplayOptions options;
  VineCounts counts;
  gint64 pid, started, ended, first, last, now;
  guint n_starts;
  guint64 n_duplicates, n_given_back;
  guint64 n_coreless; /* attempts that were given no core, as function calls are */
  guint n_changed;    /* workers of which another size was told later */
  char *first_unusable, *first_unknown;
  guint64 first_unusable_line;

  GHashTable *attempts;   /* id to Attempt, which it owns */
  GByteArray *numbers;    /* of the last attempt that is over, by id */
  GStringChunk *strings;  /* what Attempt and the span point at */
  GHashTable *workers;    /* name to the Worker that is or was connected last */
  GHashTable *addresses;  /* to Worker */
  GPtrArray *all_workers; /* owns them */
  GHashTable *categories; /* name to Category, which it owns */
  GHashTable *cells;      /* owns Cell */
  const char *span;       /* of the application; NULL if there is none */
  guint n_spans;
  guint64 n_rows_left_out, n_spans_left_out;
  guint64 n_measured, n_unmeasured; /* attempts that ended well */
  gint64 skew;                      /* greatest, µs */

  VineDownsampler thinning;
  gint64 sampled; /* when dirty workers were looked at */
  GPtrArray *dirty;

  Sheet sheet_workers, sheet_samples, sheet_tasks, sheet_transfers, sheet_activities, sheet_states, sheet_spans,
      sheet_libraries;
};

/* vine-replay.c */
void vine_replay_note_event (VineReplay *self, RoastSeverity severity, const char *kind, const char *message);
void vine_replay_note_unusable (VineReplay *self, const char *line, gsize length);
/* Counts a kind of record. FALSE if it is none: a line that was written over has another one in the middle of a word.
 */
gboolean vine_replay_note_unknown (VineReplay *self, VineToken what);
Category *vine_replay_get_category (VineReplay *self, VineToken name);

/* "(unknown)" if it is not. */
const char *vine_replay_name_category (const Category *category);

/* vine-replay-workers.c */
void vine_replay_open_workers (VineReplay *self);
/* NULL if it cannot be the name of one. One of which the log told no connection is there from now on. */
Worker *vine_replay_get_worker (VineReplay *self, VineToken name);
gboolean vine_replay_take_worker (VineReplay *self, VineToken rest);
void vine_replay_touch_worker (VineReplay *self, Worker *worker);
void vine_replay_sample_workers (VineReplay *self);
void vine_replay_end_workers (VineReplay *self, gboolean goes_on);

/* vine-replay-tasks.c */
void vine_replay_open_tasks (VineReplay *self);
gboolean vine_replay_take_task (VineReplay *self, VineToken rest);
gboolean vine_replay_take_library (VineReplay *self, VineToken rest);
void vine_replay_lose_worker (VineReplay *self, Worker *worker, const char *reason);
void vine_replay_end_tasks (VineReplay *self, gboolean goes_on);

/* vine-replay-rows.c */
void vine_replay_open_rows (VineReplay *self);
/* Writes an attempt that is over, and adds to sums. @returned: -1 if the program was not given it. */
void vine_replay_write_attempt (VineReplay *self, Attempt *attempt, const char *status, gint64 returned);

/* vine-replay-sums.c */
void vine_replay_open_sums (VineReplay *self);
void vine_replay_add_sums (VineReplay *self, const Attempt *attempt, const char *status, gint64 returned);
/* Of one that is under way when the log ends. */
void vine_replay_add_unfinished (VineReplay *self, const Attempt *attempt);
void vine_replay_write_sums (VineReplay *self);
void vine_replay_write_states (VineReplay *self);
void vine_replay_clear_sums (VineReplay *self);

G_END_DECLS
