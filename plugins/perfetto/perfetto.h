/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto-export.h"
#include "perfetto-lanes.h"

/* ---- workers and sources: processes of the trace ---- */

Workers *workers_new (Export *export);
void workers_free (Workers *self);

/* Returns the worker that is named in the current row of @table. */
guint workers_find (Workers *self, RoastTableReader *table, guint source_slot, guint worker_slot);
guint64 workers_get_track (Workers *self, guint worker);
guint64 workers_get_slot (Workers *self, guint worker, guint slot);

/* Returns the worker whose process has the pid @pid on @host. If there is none, makes a new worker. */
guint workers_find_process (Workers *self, const char *host, gint64 pid);

/* Returns the track of a source, for rows that belong to no worker. If @source is NULL, returns the track of the
 * run. */
guint64 workers_get_source (Workers *self, const char *source);

/* ---- tasks and their details ---- */

typedef struct _Details Details;

Details *details_new (Export *export);
void details_free (Details *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Details, details_free)

/* Adds an attempt that was drawn. @track: track of its slot; @started, @ended: times of its execution */
void details_add_place (Details *self, RoastTableReader *tasks, guint worker, guint64 track, gint64 started,
                        gint64 ended);
gboolean details_is_empty (const Details *self);

/* After details_arrange (), details_get_track () returns the track of a row, or 0 if the row must not be drawn inside
 * an attempt. It sets @worker to the worker of the row's attempt, or to LANES_NONE if the row has no attempt. The rows
 * of task_phases have the first numbers, then come the rows of chunks. */
void details_arrange (Details *self);
guint64 details_get_track (const Details *self, gsize detail, guint *worker);
gsize details_get_n_phases (const Details *self);

typedef struct _Tasks Tasks;

Tasks *tasks_new (Export *export);
void tasks_free (Tasks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tasks, tasks_free)
gint64 tasks_get_first (const Tasks *self); /* earliest start of an attempt; G_MAXINT64 if there are no attempts */
void tasks_write (Tasks *self, Details *details);

void chunks_write (Export *export, Details *details);

/* ---- other tables ---- */

void workers_write_lives (Export *export);
/* Writes transfers and libraries. */
void transfers_write (Export *export);
void processes_write (Export *export);
void samples_write (Export *export);
void run_write (Export *export);
void run_write_left_out (Export *export);
