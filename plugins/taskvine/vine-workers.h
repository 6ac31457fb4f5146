/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-time.h"
#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* The workers of a manager, in the tables workers and worker_samples. */
typedef struct _VineWorkers VineWorkers;

/* Files that the manager itself moved. */
typedef struct
{
  gint64 us, bytes; /* sums */
  gboolean is_known;
} VineMoved;

/* Service of a worker's libraries so far. A call gets an equal share of the cores of all ready libraries, but at most
 * one core. So all calls together never exceed those cores. */
typedef struct
{
  double share;       /* core seconds per call under way */
  double ready;       /* s during which a library was ready */
  guint64 calls;      /* calls that were executed */
  guint64 encounters; /* libraries that arrived while another was there */
} VineService;

/* One connection of a worker. A worker that reconnects gets a new object. */
typedef struct
{
  char *id;
  gint64 left;        /* µs since the epoch; -1 while it is connected */
  const char *reason; /* why it left */

  /*< private >*/
  char *name; /* name in the log, the same for all its connections */
  guint n;    /* number of the connection */
  char *address, *host;
  guint64 row;
  gint64 active, executing; /* tasks */
  double cores, memory;     /* committed to tasks: cores, MB */
  double size, limit;       /* capacity: cores, MB; NaN while unknown */
  gboolean is_resized;
  VineService service;
  guint libraries, calls;  /* number at the worker */
  gint64 *library_started; /* start of the only library there, until a call has started; else NULL */
  double library_cores;    /* cores of ready libraries */
  gint64 served;           /* time of the last change of @service */
  VineMoved moved[2]; /* files that the manager sent to it and fetched from it, for the next attempt recorded there */
  gint64 changed;     /* time of a change without a sample yet; -1 if none */
} VineWorker;

/* Resources that a task takes from its worker, or gives back if negative. */
typedef struct
{
  int active, executing; /* tasks */
  double cores, memory;  /* cores, MB */
} VineLoad;

typedef struct
{
  guint64 joined, left;
  guint64 unnamed;                            /* joined workers without a record of their connection */
  guint64 resized;                            /* workers whose resources changed after the first report */
  gboolean has_other_cores, has_other_memory; /* what changed */
} VineWorkerCounts;

/* @interval: µs between two samples of a worker */
VineWorkers *vine_workers_new (RoastRecording *recording, const char *source, gint64 interval);
void vine_workers_free (VineWorkers *self);

/* Return the last connection of that name. Adds the worker if the log has no connection for it. Returns NULL if @name
 * cannot be a worker's name. */
VineWorker *vine_workers_get (VineWorkers *self, VineToken name, gint64 time);
/* Take the rest of a WORKER record. Returns FALSE if it is malformed. */
gboolean vine_workers_take_connection (VineWorkers *self, VineToken name, VineToken rest, gint64 time);
gboolean vine_workers_take_disconnection (VineWorkers *self, VineToken name, VineToken rest, gint64 time);
gboolean vine_workers_take_resources (VineWorkers *self, VineToken name, VineToken rest, gint64 time);

void vine_workers_load (VineWorkers *self, VineWorker *worker, VineLoad load, gint64 time);
/* Add a file that the manager sent to the worker, or fetched from it if @back. */
void vine_workers_move (VineWorker *worker, gboolean back, gint64 us, gint64 bytes);
void vine_workers_foreach (VineWorkers *self, GFunc function, gpointer user_data);
/* Add to the number of libraries at a worker, the cores of its ready libraries, and its number of calls. */
void vine_workers_serve (VineWorker *worker, int libraries, double cores, int calls, gint64 time);
/* Write a sample of each worker that has changed, once per interval. */
void vine_workers_tick (VineWorkers *self, gint64 time);
void vine_workers_flush (VineWorkers *self, gint64 time);
/* End the workers that are still connected. Return whether there were any. */
gboolean vine_workers_finish (VineWorkers *self, gint64 time, const char *reason);

/* Set values from the manager's status. @disk_used: bytes, -1 if unknown */
void vine_workers_set_host (VineWorkers *self, const char *address, const char *host);
void vine_workers_set_disk (VineWorkers *self, const char *address, gint64 time, gint64 disk_used);

const VineWorkerCounts *vine_workers_get_counts (VineWorkers *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineWorkers, vine_workers_free)

G_END_DECLS
