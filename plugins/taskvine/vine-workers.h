/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-time.h"
#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* The workers of a manager: rows of workers and worker_samples. */
typedef struct _VineWorkers VineWorkers;

/* Files that the manager moved itself. */
typedef struct
{
  gint64 us, bytes; /* sums */
  gboolean is_known;
} VineMoved;

/* What the libraries of a worker did so far. A call gets an equal share of the cores of all libraries that are ready,
 * and one core at most, so that all calls together never exceed those cores. */
typedef struct
{
  double share;       /* core seconds that each call under way got */
  double ready;       /* s in which a library was ready */
  guint64 calls;      /* that were executed */
  guint64 encounters; /* libraries that came while another was there */
} VineService;

/* One connection of a worker. A worker that reconnects is another one. */
typedef struct
{
  char *id;
  gint64 left;        /* µs since the epoch; -1 while it is connected */
  const char *reason; /* why it left */

  /*< private >*/
  char *name; /* in the log: the same for all its connections */
  guint n;    /* number of the connection */
  char *address, *host;
  guint64 row;
  gint64 active, executing; /* tasks */
  double cores, memory;     /* committed: cores, MB */
  double size, limit;       /* what it has: cores, MB; NaN while unknown */
  gboolean is_resized;
  VineService service;
  guint libraries, calls;  /* there */
  gint64 *library_started; /* of the library that is alone there, until a call has started; NULL if there is none */
  double library_cores;    /* of those that are ready */
  gint64 served;           /* time of the last change of the service */
  VineMoved moved[2]; /* files that the manager sent to it and fetched from it, for the next attempt that it mentions */
  gint64 changed;     /* time of a change that has no sample yet; -1 if there is none */
} VineWorker;

/* What a task takes of its worker, or gives back if negative. */
typedef struct
{
  int active, executing; /* tasks */
  double cores, memory;  /* cores, MB */
} VineLoad;

typedef struct
{
  guint64 joined, left;
  guint64 unnamed; /* of joined: without a record of their connection */
  guint64 resized; /* whose resources changed after the first report */
} VineWorkerCounts;

/* @interval: between two samples of a worker, µs */
VineWorkers *vine_workers_new (RoastRecording *recording, const char *source, gint64 interval);
void vine_workers_free (VineWorkers *self);

/* The last connection of that name. Adds the worker if the log has no connection of it; NULL if that cannot be the name
 * of a worker. */
VineWorker *vine_workers_get (VineWorkers *self, VineToken name, gint64 time);
/* Read the rest of a WORKER record. FALSE if it is malformed. */
gboolean vine_workers_take_connection (VineWorkers *self, VineToken name, VineToken rest, gint64 time);
gboolean vine_workers_take_disconnection (VineWorkers *self, VineToken name, VineToken rest, gint64 time);
gboolean vine_workers_take_resources (VineWorkers *self, VineToken name, VineToken rest, gint64 time);

void vine_workers_load (VineWorkers *self, VineWorker *worker, VineLoad load, gint64 time);
/* Adds a file that the manager sent to the worker, or fetched from it if @back. */
void vine_workers_move (VineWorker *worker, gboolean back, gint64 us, gint64 bytes);
/* Calls @function for each worker. */
void vine_workers_foreach (VineWorkers *self, GFunc function, gpointer user_data);
/* Adds to the libraries at a worker, to the cores of those that are ready, and to the calls there. */
void vine_workers_serve (VineWorker *worker, int libraries, double cores, int calls, gint64 time);
/* Writes a sample of each worker that has changed, once per interval. */
void vine_workers_tick (VineWorkers *self, gint64 time);
void vine_workers_flush (VineWorkers *self, gint64 time);
/* Ends those that are still connected. */
void vine_workers_finish (VineWorkers *self, gint64 time, const char *reason);

/* From the manager's status. @disk_used: bytes, -1 if unknown */
void vine_workers_set_host (VineWorkers *self, const char *address, const char *host);
void vine_workers_set_disk (VineWorkers *self, const char *address, gint64 time, gint64 disk_used);

const VineWorkerCounts *vine_workers_get_counts (VineWorkers *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineWorkers, vine_workers_free)

G_END_DECLS
