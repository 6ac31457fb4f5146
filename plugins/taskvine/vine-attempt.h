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

/* What an attempt asked for, or was given; NaN if unknown. */
typedef struct
{
  double cores, memory, disk, gpus; /* memory and disk: MB */
} VineAmounts;

/* One attempt at a task, or a library. Times are µs since the epoch; what is unknown is -1, NaN or NULL. */
typedef struct
{
  gint64 id;
  int number;
  VineState state;
  gboolean is_library;
  gboolean is_serving;  /* a library that is ready */
  gboolean is_call;     /* it is executed by a library at its worker, and has no cores of its own */
  gboolean holds_cores; /* at a worker that was connected when the attempt was given to it */
  VineCategory *category;
  VineWorker *worker;
  const char *span;
  gint64 submitted, dispatched, delivered, started, ended, noticed, fetched, retrieved, returned;
  gint64 held_until;  /* without a result: when its cores were free again */
  const char *reason; /* why it has no result */
  VineAmounts requested, allocated;
  double cores;                  /* that its time counts for */
  double cores_used, gpus_used;  /* measured */
  VineService before;            /* of its worker: of a call when it was given to it, of a library when it came */
  VineService during;            /* of a call: what its worker's libraries did while it was there */
  gint64 calls;                  /* of a library; -1 if unknown */
  double cpu;                    /* s */
  gint64 memory_peak, disk_peak; /* bytes */
  gint64 bytes_read, bytes_written;
  gint64 bytes_in, bytes_out;
  const char *result; /* in TaskVine's words */
  gint64 exit_code;
  int outcome;         /* of the task so far, ROAST_STATUS_…; -1 if it is not counted */
  gboolean was_given;  /* an attempt before this one was given to a worker */
  gboolean is_retried; /* the task was given to workers several times */
  guint status;        /* ROAST_STATUS_…, at its end */
  GList running;       /* of VineAttempts; its data is NULL if it is not in there */
  gboolean is_told;    /* its row says that it runs */
} VineAttempt;

G_END_DECLS
