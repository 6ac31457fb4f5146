/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-categories.h"
#include "vine-workers.h"

G_BEGIN_DECLS

typedef enum
{
  VINE_STATE_READY,
  VINE_STATE_RUNNING,  /* at a worker */
  VINE_STATE_EXECUTED, /* its results are still at the worker */
  VINE_STATE_RETRIEVED,
} VineState;

/* Resources that an attempt requested or was given; NaN if unknown. */
typedef struct
{
  double cores, memory, disk, gpus; /* memory and disk: MB */
} VineAmounts;

/* One attempt at a task, or one library. Times are µs since the epoch. Unknown values are -1, NaN or NULL. */
typedef struct
{
  gint64 id;
  int number;
  VineState state;
  gboolean is_library;
  gboolean is_serving;  /* a library that is ready */
  gboolean is_call;     /* executed by a library at its worker, so it has no cores of its own */
  gboolean is_sent;     /* to a library, which may be unknown so far: the attempt becomes a call */
  gboolean holds_cores; /* its worker was connected when the attempt was given to it */
  VineCategory *category;
  VineWorker *worker;
  const char *span;
  gint64 submitted, dispatched, delivered, started, ended, noticed, fetched, retrieved, returned;
  gint64 held_until;  /* if it has no result: when its cores became free again */
  const char *reason; /* why it has no result */
  VineAmounts requested, allocated;
  double cores;                 /* number of cores that its time counts for */
  double cores_used, gpus_used; /* measured */
  VineService before; /* its worker's service: for a call, when the call was given to it; for a library, when the
                         library arrived */
  VineService during; /* for a call: service of the worker's libraries while the call was there */
  gint64 calls;       /* calls that a library executed; -1 if unknown */
  double cpu;         /* s */
  gint64 memory_peak, disk_peak; /* bytes */
  gint64 bytes_read, bytes_written;
  gint64 bytes_in, bytes_out;
  const char *result; /* TaskVine's result word */
  gint64 exit_code;
  int outcome;         /* outcome of the task so far, ROAST_STATUS_…; -1 if not counted */
  gboolean was_given;  /* an earlier attempt was given to a worker */
  gboolean is_retried; /* the task was given to workers more than once */
  guint status;        /* ROAST_STATUS_…, set at its end */
  GList running;       /* link in the list of VineAttempts; its data is NULL while not in the list */
  gboolean is_told;    /* its row already shows it as running */
} VineAttempt;

G_END_DECLS
